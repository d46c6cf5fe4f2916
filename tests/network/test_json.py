#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The JSON and GeoJSON forms of a network: they parse, every object of the file is there, and its values are in SI.

The model is US customary, so that each conversion shows; the expected values are worked out from the file's numbers.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("SLUICE_SOURCE") or Path(__file__).resolve().parents[2])
SLUICE = os.environ.get("SLUICE") or str(ROOT / "build/release/sluice")

FT = 0.3048
INCH = FT / 12
GPM = FT**3 / 448.831
PSI = FT / 0.4333
DAY = 86400

MODEL = b"""[TITLE]
A "quoted" title \\ with a backslash
[JUNCTIONS]
J1  100  50  DAY   ;n\xc3\xb6te
J2  90   20
J\xe4  80   0
[RESERVOIRS]
R   120  DAY
[TANKS]
T   200  12  2  30  60  100  VOL  YES
[PIPES]
P1  J1  J2  1000  12  110  0.5
P2  J2  T   500   8   100  0  CV
P3  J2  J\xe4  500   8   100  0  Closed
[PUMPS]
U   R   J1  HEAD HC  SPEED 0.9  PATTERN DAY
W   R   J1  POWER 10
[VALVES]
V   J1  J\xe4  6  PRV  50
X   J2  J\xe4  6  TCV  3  0.5
[DEMANDS]
J2  5   DAY ;homes
J2  6
[EMITTERS]
J1  2
[LEAKAGE]
P1  3  4
[PATTERNS]
DAY 1 2 0.5
[CURVES]
HC  100 200
VOL 0 0
VOL 40 5000
[CONTROLS]
LINK U CLOSED IF NODE T ABOVE 25
LINK V 40 AT CLOCKTIME 6 PM DISABLED
[RULES]
RULE one
IF JUNCTION J1 PRESSURE BELOW 20
OR SYSTEM TIME > 2
THEN PUMP U SETTING IS 0.8
ELSE PIPE P1 STATUS IS CLOSED
PRIORITY 3
[QUALITY]
R 0.7
[SOURCES]
R MASS 5 DAY
[REACTIONS]
Global Bulk -0.5
Wall P1 -1
[MIXING]
T 2COMP 0.4
[TIMES]
Duration 24
[OPTIONS]
Units GPM
Quality Chlorine mg/L
[TAGS]
NODE J1 zone
[COORDINATES]
J1 1 2
J2 3 4.5
R 0 0
[VERTICES]
P1 2 2
[LABELS]
5 6 "Here" J1
[END]
"""


class Json(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.inp"
            path.write_bytes(MODEL)
            runs = [subprocess.run([SLUICE, "convert", str(path), "-", "--to", form], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
                    for form in ("json", "geojson")]
        for run in runs:
            assert run.returncode == 0, run.stderr.decode()
        cls.net, cls.geo = (json.loads(run.stdout.decode("utf-8")) for run in runs)
        cls.warning = runs[1].stderr.decode()

    def by_id(self, kind):
        return {x["id"]: x for x in self.net[kind]}

    def near(self, value, expected):
        self.assertLessEqual(abs(value - expected), 4e-16 * abs(expected))  # one rounding, another order of factors

    def test_text(self):
        self.assertEqual((self.net["format"], self.net["version"]), ("sluice-network", 1))
        self.assertEqual(self.net["title"], ['A "quoted" title \\ with a backslash'])
        self.assertEqual(self.by_id("junctions")["J1"]["note"], "n\u00f6te")
        self.assertIn("J\u00e4", self.by_id("junctions"))  # Latin-1 in the file
        self.assertEqual(self.by_id("junctions")["J1"]["tag"], "zone")
        self.assertEqual(self.net["labels"], [{"x": 5, "y": 6, "text": "Here", "anchor": "J1"}])

    def test_nodes(self):
        j = self.by_id("junctions")
        self.assertEqual(list(j), ["J1", "J2", "J\u00e4"])
        self.near(j["J1"]["elevation_m"], 100 * FT)
        self.assertEqual([d.get("pattern") for d in j["J1"]["demands"]], ["DAY"])
        self.near(j["J1"]["demands"][0]["base_m3_per_s"], 50 * GPM)
        self.assertEqual([(d.get("pattern"), d.get("category")) for d in j["J2"]["demands"]], [("DAY", "homes"), (None, None)])
        self.near(j["J2"]["demands"][1]["base_m3_per_s"], 6 * GPM)
        self.assertAlmostEqual(j["J1"]["emitter_coef"] / (2 * GPM * PSI**-0.5), 1, 14)
        self.assertNotIn("emitter_coef", j["J2"])
        self.assertEqual((j["J2"]["x"], j["J2"]["y"]), (3, 4.5))
        self.assertNotIn("x", j["J\u00e4"])
        r = self.by_id("reservoirs")["R"]
        self.near(r["head_m"], 120 * FT)
        self.assertEqual((r["pattern"], r["initial_quality"]), ("DAY", 0.7))
        t = self.by_id("tanks")["T"]
        for key, value in {"elevation_m": 200, "level_init_m": 12, "level_min_m": 2, "level_max_m": 30, "diameter_m": 60}.items():
            self.near(t[key], value * FT)
        self.near(t["volume_min_m3"], 100 * FT**3)
        self.assertEqual((t["volume_curve"], t["overflow"], t["mixing"], t["mix_fraction"]), ("VOL", True, "2COMP", 0.4))

    def test_links(self):
        p = self.by_id("pipes")
        self.assertEqual([(x["from"], x["to"], x["status"]) for x in p.values()],
                         [("J1", "J2", "Open"), ("J2", "T", "CV"), ("J2", "J\u00e4", "Closed")])
        self.near(p["P1"]["length_m"], 1000 * FT)
        self.near(p["P1"]["diameter_m"], 12 * INCH)
        self.assertEqual((p["P1"]["roughness"], p["P1"]["minor_loss"], p["P1"]["vertices"]), (110, 0.5, [[2, 2]]))
        self.near(p["P1"]["wall_coef"], -FT / DAY)
        self.near(p["P1"]["leak_area_m2_per_m"], 3e-8 / FT)
        self.near(p["P1"]["leak_expansion_m2_per_m2"], 4e-8 / FT)
        self.assertNotIn("minor_loss", p["P2"])
        self.assertNotIn("wall_coef", p["P2"])
        u = self.by_id("pumps")
        self.assertEqual((u["U"]["head_curve"], u["U"]["speed"], u["U"]["speed_pattern"], u["U"]["status"]), ("HC", 0.9, "DAY", "Open"))
        self.near(u["W"]["power_w"], 7457)
        self.assertNotIn("power_w", u["U"])
        v = self.by_id("valves")
        self.assertEqual((v["V"]["type"], v["V"]["status"], v["X"]["type"], v["X"]["setting"], v["X"]["minor_loss"]), ("PRV", "Active", "TCV", 3, 0.5))
        self.near(v["V"]["setting_m"], 50 * PSI)
        self.near(v["V"]["diameter_m"], 6 * INCH)

    def test_tables(self):
        self.assertEqual(self.net["patterns"], [{"id": "DAY", "multipliers": [1, 2, 0.5]}])
        c = self.by_id("curves")
        self.assertEqual((c["HC"]["use"], c["VOL"]["use"]), ("PUMP", "VOLUME"))
        self.near(c["HC"]["flow_m3_per_s"][0], 100 * GPM)
        self.near(c["HC"]["head_m"][0], 200 * FT)
        self.near(c["VOL"]["level_m"][1], 40 * FT)
        self.near(c["VOL"]["volume_m3"][1], 5000 * FT**3)

    def test_controls(self):
        a, b = self.net["controls"]
        self.assertEqual((a["link"], a["status"], a["when"], a["node"], a["enabled"]), ("U", "Closed", "above", "T", True))
        self.near(a["level_m"], 25 * FT)
        self.assertEqual((b["link"], b["status"], b["when"], b["time_s"], b["enabled"]), ("V", "Active", "clock", 18 * 3600, False))
        self.near(b["setting"], 40 * PSI)
        rule, = self.net["rules"]
        self.assertEqual((rule["name"], rule["priority"], rule["enabled"]), ("one", 3, True))
        p, q = rule["premises"]
        self.assertEqual((p["logic"], p["node"], p["variable"], p["relation"]), ("IF", "J1", "PRESSURE", "<"))
        self.near(p["value"], 20 * PSI)
        self.assertEqual((q["logic"], q["variable"], q["relation"], q["value"]), ("OR", "TIME", ">", 7200))
        self.assertNotIn("node", q)
        self.assertEqual(rule["then"], [{"link": "U", "status": "Open", "setting": 0.8}])
        self.assertEqual(rule["else"], [{"link": "P1", "status": "Closed"}])
        self.assertEqual(self.net["sources"], [{"node": "R", "type": "MASS", "strength": 5, "pattern": "DAY"}])

    def test_options(self):
        h, q, t = self.net["hydraulics"], self.net["quality"], self.net["times"]
        self.assertEqual((h["flow_unit"], h["pressure_unit"], h["headloss"], h["demand_model"], h["trials"]), ("GPM", "PSI", "H-W", "DDA", 200))
        self.assertEqual((q["kind"], q["chemical"], q["mass_unit"]), ("chemical", "Chlorine", "mg/L"))
        self.near(q["bulk_coef_per_s"], -0.5 / DAY)
        self.assertEqual((t["duration_s"], t["hydraulic_step_s"], t["quality_step_s"]), (DAY, 3600, 360))

    def test_geojson(self):
        self.assertEqual(self.geo["type"], "FeatureCollection")
        features = {f["properties"]["id"]: f for f in self.geo["features"]}
        self.assertEqual(sorted(features), ["J1", "J2", "P1", "R", "U", "W"])  # whose places are known
        self.assertIn("6 of 12", self.warning)
        for f in self.geo["features"]:
            self.assertEqual(f["type"], "Feature")
        self.assertEqual(features["J2"]["geometry"], {"type": "Point", "coordinates": [3, 4.5]})
        self.assertEqual(features["P1"]["geometry"], {"type": "LineString", "coordinates": [[1, 2], [2, 2], [3, 4.5]]})
        self.assertEqual(features["U"]["geometry"]["coordinates"], [[0, 0], [1, 2]])
        self.assertEqual(features["J1"]["properties"]["kind"], "junction")
        self.near(features["J2"]["properties"]["base_demand_m3_per_s"], 11 * GPM)
        self.near(features["P1"]["properties"]["diameter_m"], 12 * INCH)
        self.assertEqual((features["P1"]["properties"]["from"], features["P1"]["properties"]["to"]), ("J1", "J2"))


if __name__ == "__main__":
    if not os.access(SLUICE, os.X_OK):
        print(f"the program is not built: {SLUICE}")
        sys.exit(1)
    unittest.main(verbosity=1)
