# SPDX-License-Identifier: MIT
"""Results for maps: GeoJSON and GeoPackage, whose values must be those of the .csv; read by json, sqlite3 and, where it is installed, ogrinfo."""
import csv
import json
import os
import pathlib
import shutil
import sqlite3
import struct
import subprocess
import tempfile
import unittest

SLUICE, SOURCE = os.environ["SLUICE"], pathlib.Path(os.environ["SLUICE_SOURCE"])
TOWN = SOURCE / "examples/town.inp"


def sluice(*args, check=True):
    return subprocess.run([SLUICE, *map(str, args)], check=check, capture_output=True, text=True)


class Geo(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def run_town(self, *args):
        sluice("run", TOWN, "-q", *args, *(x for ending in ("geojson", "gpkg", "csv") for x in ("-o", self.dir / ("t." + ending))))
        with open(self.dir / "t.csv", newline="", encoding="utf-8") as f:
            return list(csv.DictReader(f))

    def of(self, rows, column, ident):
        return [float(r[column]) for r in rows if r["id"] == ident]

    def check_features(self, rows, features):
        """features: (element, id) -> properties."""
        for (element, ident), p in features.items():
            column, name = ("pressure_m", "pressure_%s_m") if element == "node" else ("flow_L_per_s", "flow_%s_L_per_s")
            x = self.of(rows, column, ident)
            self.assertEqual((p[name % "min"], p[name % "max"]), (min(x), max(x)))
            self.assertAlmostEqual(p[name % "mean"], sum(x) / len(x), delta=1e-9 * max(map(abs, x)))
            self.assertEqual(p["kind"], next(r["kind"] for r in rows if r["id"] == ident))
            if element == "link":
                self.assertEqual(p["status"], [r["status"] for r in rows if r["id"] == ident][-1])

    def test_geojson(self):
        rows = self.run_town()
        data = json.loads((self.dir / "t.geojson").read_text(encoding="utf-8"))
        self.assertEqual((data["type"], data["frames"], data["from"], data["until"]), ("FeatureCollection", 25, 0, 86400))
        features = {(f["properties"]["element"], f["properties"]["id"]): f for f in data["features"]}
        self.assertEqual(set(features), {(r["element"], r["id"]) for r in rows})
        self.check_features(rows, {key: f["properties"] for key, f in features.items()})
        points = {i: f["geometry"]["coordinates"] for (e, i), f in features.items() if e == "node"}
        for (element, _), f in features.items():
            self.assertEqual(f["geometry"]["type"], "Point" if element == "node" else "LineString")
            if element == "link":
                self.assertEqual(f["geometry"]["coordinates"], [points[f["properties"][k]] for k in ("from", "to")])

    def geometry(self, blob):
        self.assertEqual(blob[:4], b"GP\0\1")
        self.assertEqual(struct.unpack_from("<i", blob, 4)[0], -1)
        order, kind = struct.unpack_from("<BI", blob, 8)
        self.assertEqual((order, len(blob)), (1, 29 if kind == 1 else 49))
        return list(struct.unpack_from("<2d" if kind == 1 else "<4d", blob, 13 if kind == 1 else 17))

    def test_package(self):
        rows = self.run_town()
        data = json.loads((self.dir / "t.geojson").read_text(encoding="utf-8"))
        places = {(f["properties"]["element"], f["properties"]["id"]): f["geometry"]["coordinates"] for f in data["features"]}
        with sqlite3.connect(self.dir / "t.gpkg") as db:
            db.row_factory = sqlite3.Row
            self.assertEqual(db.execute("PRAGMA application_id").fetchone()[0], int.from_bytes(b"GPKG", "big"))
            self.assertEqual(db.execute("PRAGMA integrity_check").fetchone()[0], "ok")
            contents = {r["table_name"]: r for r in db.execute("SELECT * FROM gpkg_contents")}
            self.assertEqual(set(contents), {"node", "link"})
            for table in contents:
                found = {(table, r["id"]): r for r in db.execute("SELECT * FROM " + table)}
                self.assertEqual(set(found), {key for key in places if key[0] == table})
                self.check_features(rows, found)
                for key, r in found.items():
                    flat = places[key] if table == "node" else sum(places[key], [])
                    self.assertEqual(self.geometry(r["geom"]), flat)
            xs = [p[0] for (e, _), p in places.items() if e == "node"]
            self.assertEqual((contents["node"]["min_x"], contents["node"]["max_x"]), (min(xs), max(xs)))
        db.close()
        first = (self.dir / "t.gpkg").read_bytes()
        self.run_town()
        self.assertEqual(first, (self.dir / "t.gpkg").read_bytes())
        if shutil.which("ogrinfo"):
            for name, n in (("t.gpkg", 13), ("t.geojson", 25)):
                text = subprocess.run(["ogrinfo", "-so", "-al", self.dir / name], check=True, capture_output=True, text=True).stdout
                self.assertIn("Feature Count: %d" % n, text)
        else:
            print("skipped ogrinfo, which is not installed", flush=True)

    def test_one_time(self):
        rows = self.run_town("--from", "6:00", "--until", "6:00", "--what", "pressure")
        data = json.loads((self.dir / "t.geojson").read_text(encoding="utf-8"))
        found = {f["properties"]["id"]: f["properties"].get("pressure_m") for f in data["features"] if f["properties"]["element"] == "node"}
        self.assertEqual(found, {r["id"]: float(r["pressure_m"]) for r in rows if r["element"] == "node"})

    def test_no_coordinates(self):
        run = sluice("run", SOURCE / "examples/automata/ball.yaml", "-q", "-o", self.dir / "b.geojson", check=False)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("coordinates", run.stderr)


if __name__ == "__main__":
    unittest.main()
