#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`sluice explain` of networks and surge studies: every printed law, computed again here from the numbers beside it."""
import json
import math
import re
import unittest
from xml.etree import ElementTree

from cli_test import ROOT, Case

EXAMPLES = ROOT / "examples"
FT = 0.3048

HEAD = """[JUNCTIONS]
A 10 0
B 12 {demand}
C 5 2 DAY

[RESERVOIRS]
R 60 DAY

[TANKS]
T 40 3 1 6 12

[PIPES]
P1 R A 500 {d[0]} {rough} 2
P2 A B 400 {d[1]} {rough} 0.5
P3 B T 300 {d[2]} {rough} 0
P4 A C 700 {d[3]} {rough} 0 CV
P5 B C 900 {d[4]} {rough} 0 Closed

[PATTERNS]
DAY 1 0.9 1.1

[OPTIONS]
Units {units}
Headloss {law}
Demand Multiplier 1.5

[TIMES]
Duration 24:00
Pattern Timestep 2:00

[END]
"""


BORES = {"LPS": (300, 150, 200, 100, 80), "GPM": (12, 6, 8, 4, 3)}  # mm, in


def page(case, *args, code=0):
    return json.loads(case.sluice("explain", *args, "--json", code=code)[0])


def by_id(told):
    return {(e["class"], e["id"]): e for e in told["elements"]}


def minor(k, d):
    return 0.02517 * k / (d / FT) ** 4 * FT / FT ** 6


def friction(re, relative):
    """Hagen-Poiseuille, Swamee and Jain, and Dunlop's cubic between them."""
    if re <= 2000:
        return 64 / re
    top = max(re, 4000)
    t = 5.74 * top ** -0.9
    y = relative + t
    f = 0.25 / math.log10(y) ** 2
    if re >= 4000:
        return f
    slope = 1.8 * f * t / (y * top * math.log(y)) * 2000
    x, rise = re / 2000 - 1, f - 0.032
    return 0.032 - 0.032 * x + (3 * rise + 0.064 - slope) * x ** 2 + (slope - 0.032 - 2 * rise) * x ** 3


def pipe_loss(law, element):
    d, n = element["data"], element["numbers"]
    q, m = n["flow_m3_per_s"], minor(d["minor"], d["diameter_m"])
    size, length, diameter = abs(q), d["length_m"], d["diameter_m"]
    if law == "H-W":
        loss = 4.727 * (length / FT) / d["roughness"] ** 1.852 / (diameter / FT) ** 4.871 * (size / FT ** 3) ** 1.852 * FT
    elif law == "C-M":
        loss = (4 * d["roughness"] / (1.49 * math.pi * (diameter / FT) ** 2)) ** 2 * (diameter / FT / 4) ** -1.333
        loss *= length / FT * (size / FT ** 3) ** 2 * FT
    else:
        area = math.pi * diameter ** 2 / 4
        re = size * diameter / area / element["law"]["viscosity_m2_per_s"]
        f = friction(re, d["roughness_m"] / 3.7 / diameter)
        loss = f * length / diameter * (size / area) ** 2 / (2 * 32.2 * FT)
    return math.copysign(loss + m * size ** 2, q)


class Networks(Case):
    def write(self, law, rough, units="LPS", demand=6):
        self.file("net.inp", HEAD.format(law=law, rough=rough, units=units, demand=demand, d=BORES[units]))

    def test_pipes_by_every_law(self):
        """The loss from data and flow alone is the one that is printed, and that of the heads."""
        for law, rough in ("H-W", 120), ("D-W", 0.25), ("C-M", 0.012):
            for units in "LPS", "GPM":
                self.write(law, rough, units)
                told = page(self, "net.inp", "--link", "P1", "--link", "P2", "--link", "P3", "--time", "1 min")
                self.assertEqual(told["time_s"], 60)
                for element in told["elements"]:
                    n = element["numbers"]
                    loss = pipe_loss(law, element)
                    self.assertAlmostEqual(loss, n["loss_m"], delta=1e-7 * abs(loss) + 1e-12, msg=(law, units, element["id"]))
                    self.assertAlmostEqual(n["head_from_m"] - n["head_to_m"], loss, delta=2e-6, msg=(law, element["id"]))
                    self.assertAlmostEqual(n["residual_m"], n["loss_m"] - n["difference_m"], delta=1e-12)
                    self.assertAlmostEqual(n["friction_loss_m"] + n["minor_loss_m"], n["loss_m"], delta=1e-12)

    def test_darcy_weisbach_in_every_range(self):
        for demand, words in (0.002, "laminar"), (0.3, "between"), (30, "turbulent"):
            self.write("D-W", 0.25, demand=demand)
            text = HEAD.format(law="D-W", rough=0.25, units="LPS", demand=demand, d=BORES["LPS"]).replace("T 40 3 1 6 12\n", "")
            self.file("net.inp", re.sub(r"P3 B T.*\n", "", text).replace("P2 A B 400 150", "P2 A B 400 200"))
            element = page(self, "net.inp", "--link", "P2")["elements"][0]
            n = element["numbers"]
            self.assertIn(words, n["range"], n)
            relative = element["data"]["roughness_m"] / 3.7 / element["data"]["diameter_m"]
            self.assertAlmostEqual(n["friction_factor"], friction(n["reynolds"], relative), delta=1e-9)

    def test_closed_and_check_valve(self):
        self.write("H-W", 120)
        told = by_id(page(self, "net.inp", "--link", "P5", "--link", "P4"))
        closed = told["link", "P5"]
        self.assertEqual((closed["numbers"]["flow_m3_per_s"], closed["law"]["formula"]), (0, "Q = 0"))
        self.assertEqual((closed["status"]["status"], closed["status"]["in_file"]), ("closed", "closed"))
        self.assertIn("yes", told["link", "P4"]["data"]["check_valve"])

    def test_junction_balance_and_demand(self):
        self.write("H-W", 120)
        for time, factor in ("0:00", 1), ("2:30", 0.9), ("5:30", 1.1), ("7:00", 1):
            told = by_id(page(self, "net.inp", "--node", "C", "--node", "B", "--node", "R", "--node", "T", "--time", time))
            c = told["node", "C"]
            unit = 28.317  # EPANET's litres in a cubic foot
            self.assertAlmostEqual(c["demand"]["wanted_m3_per_s"], 2 / unit * FT ** 3 * factor * 1.5, delta=1e-12)
            self.assertAlmostEqual(c["demand"]["demands"][0]["demand_m3_per_s"], c["demand"]["wanted_m3_per_s"], delta=1e-15)
            for node in "C", "B":
                b = told["node", node]["balance"]
                inflow = sum(x["inflow_m3_per_s"] for x in b["links"])
                self.assertAlmostEqual(inflow, b["inflow_m3_per_s"], delta=1e-15)
                self.assertAlmostEqual(inflow, told["node", node]["demand"]["consumption_m3_per_s"], delta=1e-9)
                self.assertAlmostEqual(b["residual_m3_per_s"], 0, delta=1e-9)
            self.assertEqual({x["id"] for x in told["node", "B"]["balance"]["links"]}, {"P2", "P3", "P5"})
            r = told["node", "R"]["data"]
            self.assertAlmostEqual(r["head_m"], 60 * factor, delta=1e-9)
            t = told["node", "T"]
            self.assertAlmostEqual(t["storage"]["volume_m3"], math.pi * 36 * t["data"]["level_m"], delta=1e-6)
            self.assertAlmostEqual(sum(x["inflow_m3_per_s"] for x in t["balance"]["links"]), t["balance"]["net_inflow_m3_per_s"],
                                   delta=1e-9)

    def test_emitters_leaks_and_pressure_driven_demand(self):
        seen = set()
        for name in "leaks.inp", "fire-flow-pda.inp":
            text = (EXAMPLES / name).read_text(encoding="utf-8")
            ids = re.findall(r"^\s*(\S+)", re.search(r"\[JUNCTIONS\](.*?)\n\[", text, re.S)[1], re.M)
            args = [x for i in ids if not i.startswith(";") for x in ("--node", i)]
            for element in page(self, EXAMPLES / name, *args)["elements"]:
                p, demand, b = element["data"]["pressure_m"], element["demand"], element["balance"]
                out = demand["consumption_m3_per_s"]
                if "emitter" in element:
                    e = element["emitter"]
                    self.assertAlmostEqual(e["flow_m3_per_s"], e["coefficient"] * p ** e["exponent"], delta=1e-8)
                    out += e["flow_m3_per_s"]
                    seen.add("emitter")
                if "leakage" in element:
                    e = element["leakage"]
                    law = e["coefficient_area"] * p ** 0.5 + e["coefficient_growth"] * p ** 1.5
                    self.assertAlmostEqual(e["flow_m3_per_s"], law, delta=1e-8)
                    out += e["flow_m3_per_s"]
                    seen.add("leak")
                if "pressure_exponent" in demand:
                    share = (p - demand["pressure_min_m"]) / (demand["pressure_required_m"] - demand["pressure_min_m"])
                    law = demand["wanted_m3_per_s"] * min(1, max(0, share)) ** demand["pressure_exponent"]
                    self.assertAlmostEqual(demand["consumption_m3_per_s"], law, delta=1e-8)
                    seen.add("short" if share < 1 else "full")
                self.assertAlmostEqual(b["inflow_m3_per_s"], out, delta=1e-9)
        self.assertLessEqual({"emitter", "leak", "full"}, seen)

    def test_valves(self):
        told = by_id(page(self, EXAMPLES / "valves.inp", *(x for i in range(1, 8) for x in ("--link", f"V{i}"))))
        v = {k: told["link", f"V{i}"] for i, k in enumerate("PRV PSV PBV FCV TCV GPV PCV".split(), 1)}
        n = {k: e["numbers"] for k, e in v.items()}
        self.assertEqual(v["PRV"]["status"]["status"], "active")
        self.assertAlmostEqual(n["PRV"]["head_to_m"], n["PRV"]["elevation_m"] + 30, delta=1e-6)
        self.assertEqual((v["PSV"]["status"]["status"], v["PSV"]["status"]["why"]), ("open", "status since 0:00: pressure setting"))
        self.assertAlmostEqual(n["PBV"]["difference_m"], 8, delta=1e-6)
        self.assertAlmostEqual(n["FCV"]["flow_m3_per_s"], 3 / 28.317 * FT ** 3, delta=1e-12)
        self.assertAlmostEqual(n["TCV"]["difference_m"], minor(60, 0.1) * n["TCV"]["flow_m3_per_s"] ** 2, delta=1e-6)
        q = n["PCV"]["flow_m3_per_s"]
        self.assertAlmostEqual(v["PCV"]["law"]["share"], 0.26, delta=1e-12)
        self.assertAlmostEqual(n["PCV"]["difference_m"], minor(4, 0.1) / 0.26 ** 2 * q ** 2, delta=1e-6)
        points = [(x["x_m3_per_s"], x["y_m"]) for x in v["GPV"]["data"]["curve_points"]]
        q = n["GPV"]["flow_m3_per_s"]
        (x0, y0), (x1, y1) = next((a, b) for a, b in zip(points, points[1:]) if a[0] <= q <= b[0] * (1 + 1e-12))
        self.assertAlmostEqual(n["GPV"]["difference_m"], y0 + (y1 - y0) * (q - x0) / (x1 - x0), delta=1e-6)

    def test_a_sustaining_valve_at_work(self):
        self.file("psv.inp", "[JUNCTIONS]\nA 10 0\nB 10 0\n[RESERVOIRS]\nR 100\nS 50\n[PIPES]\nP R A 1000 200 120 0\n"
                  "Q B S 1000 200 120 0\n[VALVES]\nV A B 200 PSV 75 0\n[OPTIONS]\nUnits LPS\n[END]\n")
        e = page(self, "psv.inp", "--link", "V")["elements"][0]
        self.assertEqual((e["status"]["status"], e["law"]["formula"]), ("active", "H1 = z + S"))
        self.assertAlmostEqual(e["numbers"]["head_from_m"], 85, delta=1e-6)
        self.assertEqual(e["numbers"]["setting_m"], 75)

    def test_pump_and_why_it_stands(self):
        town = EXAMPLES / "town.inp"
        e = page(self, town, "--link", "Main", "--time", "7:00")["elements"][0]
        (point,), law, n = e["data"]["curve_points"], e["law"], e["numbers"]
        self.assertAlmostEqual(law["shutoff_m"], 1.33334 * point["y_m"], delta=1e-9)
        w, q = n["speed"], n["flow_m3_per_s"]
        gain = w ** 2 * law["shutoff_m"] - law["coefficient"] * w ** (2 - law["exponent"]) * q ** law["exponent"]
        self.assertAlmostEqual(n["gain_m"], gain, delta=1e-9)
        self.assertAlmostEqual(n["head_to_m"] - n["head_from_m"], gain, delta=2e-6)
        self.assertAlmostEqual(n["electric_power_W"], 9810 * q * gain / n["efficiency"], delta=1)
        self.assertEqual([c["what"] for c in e["status"]["controls"]],
                         ["closes when the level of tank Hill is 5.6 m or more", "opens when the level of tank Hill is 2 m or less"])
        for hour in range(24):
            e = page(self, town, "--link", "Main", "--time", f"{hour}:00")["elements"][0]
            if e["status"]["status"] == "closed":
                self.assertRegex(e["status"]["why"], r"status since \d+:\d\d(:\d\d)?: control of line \d+")
                self.assertEqual(e["numbers"]["flow_m3_per_s"], 0)
                return
        self.fail("the pump never stands")

    def test_rules_in_words(self):
        out = self.sluice("explain", EXAMPLES / "rules.inp")[0]
        text = (EXAMPLES / "rules.inp").read_text(encoding="utf-8")
        for name in re.findall(r"^RULE\s+(\S+)", text, re.M):
            self.assertRegex(out, rf"rule {name} +if ")
            self.assertRegex(out, rf"rule {name} +then ")

    def test_the_whole(self):
        told = page(self, EXAMPLES / "town.inp")
        self.assertEqual((told["sizes"]["junctions"], told["sizes"]["pumps"], told["laws"]["headloss"]), (10, 1, "Hazen-Williams"))
        self.assertNotIn("time_s", told)
        self.assertEqual(told["options"]["duration_s"], 86400)
        later = page(self, EXAMPLES / "town.inp", "--time", "3:00")
        self.assertEqual(later["time_s"], 10800)
        self.assertLess(later["state"]["head_error_m"], 1e-5)

    def test_units(self):
        """Text is in the file's units and SI, JSON in SI whatever the units are."""
        out = self.sluice("explain", EXAMPLES / "town.inp", "--link", "P1", "--units", "GPM")[0]
        self.assertRegex(out, r"flow Q +\S+ gpm +\S+ m3/s")
        self.assertRegex(out, r"diameter D +\S+ in +0\.25\d* m")
        a, b = (page(self, EXAMPLES / "town.inp", "--link", "P1", "--units", u)["elements"][0] for u in ("GPM", "CMH"))
        self.assertAlmostEqual(a["numbers"]["flow_m3_per_s"], b["numbers"]["flow_m3_per_s"], delta=1e-6)

    def test_wrong(self):
        town = EXAMPLES / "town.inp"
        self.assertIn("did you mean 'P1'", self.sluice("explain", town, "--link", "p1", code=2)[1])
        out, err = self.sluice("explain", town, "--node", "J1", "--node", "P1", "-o", self.dir / "x.html", code=2)
        self.assertIn("it is a link: --link P1", err)
        self.assertEqual(out, "")
        self.assertNotIn("x.html", self.names())
        self.assertIn("the model ends at 24:00, before 30:00", self.sluice("explain", town, "--time", "30:00", code=2)[1])
        self.assertIn("give one of them", self.sluice("explain", town, "--json", "--html", code=4)[1])


class Surges(Case):
    def study(self, name):
        return EXAMPLES / "surge" / name

    def test_grid(self):
        """Reaches, wave speed, Courant number and impedance belong together."""
        told = page(self, self.study("trip.yaml"), *(x for i in range(1, 6) for x in ("--link", f"P{i}")))
        for e in told["elements"]:
            g = e["grid"]
            self.assertAlmostEqual(g["reach_m"], g["length_m"] / g["reaches"], delta=1e-9)
            self.assertAlmostEqual(g["courant"], g["wave_speed_used_m_per_s"] * g["time_step_s"] / g["reach_m"], delta=1e-9)
            self.assertAlmostEqual(g["distortion"], g["wave_speed_used_m_per_s"] / g["wave_speed_asked_m_per_s"] - 1, delta=1e-12)
            area = math.pi * g["diameter_m"] ** 2 / 4
            self.assertAlmostEqual(e["law"]["impedance_s_per_m2"], g["wave_speed_used_m_per_s"] / (e["law"]["gravity_m_per_s2"] * area),
                                   delta=1e-6)
        self.assertEqual([d["what"] for d in told["elements"][0]["devices"]["list"]],
                         ["probe at 700 m from the first node", "elevations at 4 locations"])

    def test_nodes_balance_and_vapour(self):
        whole = page(self, self.study("closure.yaml"))["fluid"]
        gauge = (whole["vapour_pressure_Pa"] - whole["atmospheric_pressure_Pa"]) / (whole["density_kg_per_m3"] * whole["gravity_m_per_s2"])
        told = page(self, self.study("closure.yaml"), *(x for n in ("S", "B", "E", "T") for x in ("--node", n)), "--time", "4 s")
        for e in told["elements"]:
            self.assertAlmostEqual(e["law"]["vapour_head_m"], e["state"]["elevation_m"] + gauge, delta=1e-9)
            b = e["balance"]
            self.assertAlmostEqual(b["inflow_m3_per_s"], sum(x["inflow_m3_per_s"] for x in b["links"]), delta=1e-15)
            self.assertAlmostEqual(b["residual_m3_per_s"], 0, delta=1e-5)  # what the gas takes

    def test_joukowsky(self):
        """A valve that shuts at once: the head before it rises by B Q."""
        self.file("pipe.inp", "[JUNCTIONS]\nA 0 0\nB 0 0\n[RESERVOIRS]\nR 100\nS 50\n[PIPES]\nP R A 1000 300 120 0\n"
                  "Q B S 1000 300 120 0\n[VALVES]\nV A B 300 TCV 500 0\n[OPTIONS]\nUnits LPS\n[END]\n")
        self.file("study.yaml", "study: surge\nnetwork: pipe.inp\nduration: 4 s\nwave_speed: 1000 m/s\nfriction: steady\n"
                  "cavitation: liquid\nevents:\n  - {close: V, at: 1 s, in: 10 ms}\n")
        start = by_id(page(self, "study.yaml", "--link", "P", "--node", "A", "--step", "10 ms"))
        later = by_id(page(self, "study.yaml", "--link", "V", "--node", "A", "--time", "1.1 s", "--step", "10 ms"))
        rise = later["node", "A"]["state"]["head_m"] - start["node", "A"]["state"]["head_m"]
        joukowsky = start["link", "P"]["law"]["impedance_s_per_m2"] * start["link", "P"]["state"]["flow_m3_per_s"]
        self.assertAlmostEqual(rise / joukowsky, 1, delta=0.02)
        self.assertEqual(later["link", "V"]["state"]["opening"], 0)
        self.assertEqual([e["what"] for e in later["link", "V"]["events"]["list"]], ["opening goes to 0 within 0.01 s, from 1 s on"])

    def test_of_a_network_with_options(self):
        out = self.sluice("explain", self.study("trip.yaml"), "--friction", "steady")[0]
        self.assertRegex(out, r"friction +steady")
        main = self.study("main.inp")
        told = page(self, main, "--surge", "--trip", "PU@1s", "--duration", "5s", "--link", "PU", "--time", "3s")
        self.assertEqual(told["kind"], "surge")
        self.assertLess(told["elements"][0]["state"]["speed"], 1)
        err = self.sluice("explain", main, "--surge", "--trip", "PO@1s", "--duration", "5s", code=4)[1]
        self.assertIn("--trip: ", err)
        self.assertNotIn("library", err)
        err = self.sluice("explain", EXAMPLES / "automata/thermostat.yaml", "--duration", "5s", "--time", "8s", code=2)[1]
        self.assertIn("ends at 5 s, before 8 s", err)
        self.assertEqual(page(self, EXAMPLES / "town.inp", "--time", "30:00", "--duration", "48:00")["time_s"], 108000)


class Forms(Case):
    def test_every_form(self):
        """Well-formed, and every formula is set."""
        models = [(EXAMPLES / "valves.inp", ["--link", "V1", "--link", "V3", "--link", "V6", "--link", "V7", "--node", "A1"]),
                  (EXAMPLES / "town.inp", []), (EXAMPLES / "town.inp", ["--link", "Main", "--link", "P1", "--node", "Hill"]),
                  (EXAMPLES / "leaks.inp", ["--node", "A"]), (EXAMPLES / "fire-flow-pda.inp", ["--node", "A"]),
                  (EXAMPLES / "surge/trip.yaml", []),
                  (EXAMPLES / "surge/trip.yaml", ["--node", "S", "--link", "P1", "--link", "PU", "--time", "2 s"])]
        seen = 0
        for model, args in models:
            html, tex = (self.sluice("explain", model, *args, "--to", form)[0] for form in ("html", "tex"))
            page = ElementTree.fromstring(html)
            seen += len(page.findall(".//math"))
            told = json.loads(self.sluice("explain", model, *args, "--json")[0])
            keys = re.findall(r'"(\w*formula\w*|law)": "[^"]* = ', json.dumps(told))
            self.assertEqual(len(page.findall(".//math")), len(keys), (model, args))
            self.assertEqual(tex.count("$\\displaystyle"), len(keys))
            begun = re.findall(r"\\begin\{([\w*]+)\}", tex)
            self.assertEqual(sorted(begun), sorted(re.findall(r"\\end\{([\w*]+)\}", tex)))
            bare = re.sub(r"\\[\\{}%&#$_]", "", tex)
            self.assertEqual(bare.count("{"), bare.count("}"))
        self.assertGreater(seen, 15)


if __name__ == "__main__":
    unittest.main()
