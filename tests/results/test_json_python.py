#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Results as JSON in a program of others: json.load reads what each engine wrote, with the numbers of .csv and, of networks, .out."""
import csv
import json
import os
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("SLUICE_SOURCE") or Path(__file__).resolve().parents[2])
SLUICE = os.environ.get("SLUICE") or str(ROOT / "build/release/sluice")
NUMBERS = {None: float("nan"), "inf": float("inf"), "-inf": float("-inf")}


def number(x):
    return NUMBERS[x] if x is None or isinstance(x, str) else float(x)


def unique(pairs):
    """An object without a key twice, of which json.load would keep the last only."""
    assert len(dict(pairs)) == len(pairs), pairs
    return dict(pairs)


class JsonResults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = Path(folder.name)

    def run_model(self, name, *endings):
        args = [a for e in endings for a in ("-o", str(self.dir / ("x." + e)))]
        subprocess.run([SLUICE, "run", str(ROOT / "examples" / name), "--quiet", *args], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=120)
        with open(self.dir / "x.json", encoding="utf-8") as f:
            result = json.load(f, object_pairs_hook=unique)
        self.assertEqual(list(result)[0], "format")
        self.assertEqual(result["format"], "sluice results 2")
        self.check_shape(result)
        return result

    def check_shape(self, result):
        groups = result["groups"]
        for name, g in groups.items():
            self.assertEqual(len(set(g["ids"])), len(g["ids"]), name)
            for fact in g["facts"].values():
                self.assertEqual(len(fact["values"]), len(g["ids"]))
        times = [number(f["time"]) for f in result["frames"]]
        self.assertEqual(times, sorted(times))
        for f in result["frames"]:
            self.assertEqual({g for g in f if g not in ("time", "events")}, {g for g in groups if groups[g]["quantities"]})
            for name, g in groups.items():
                for q in g["quantities"]:
                    self.assertEqual(len(f[name][q]), len(g["ids"]))
            self.assertTrue(all(e["time"] <= f["time"] for e in f.get("events", [])))
        for t in result["tables"].values():
            self.assertEqual(len({len(c["values"]) for c in t["columns"].values()}), 1)

    def test_network_has_the_numbers_of_csv(self):
        result = self.run_model("town.inp", "json", "csv")
        with open(self.dir / "x.csv", newline="", encoding="utf-8") as f:
            rows = list(csv.DictReader(f))
        at, n_value = 0, 0
        for frame in result["frames"]:
            for name, g in result["groups"].items():
                for i, id_ in enumerate(g["ids"]):
                    row = rows[at]
                    at += 1
                    self.assertEqual((float(row["time_s"]), row["element"], row["id"]), (frame["time"], name, id_))
                    for q, about in g["quantities"].items():
                        unit = about["unit"].replace("/", "_per_")
                        text, x = row[q + ("_" + unit if unit and unit != "1" else "")], number(frame[name][q][i])
                        expected = about["words"].index(text) if "words" in about else float(text or "nan")
                        self.assertTrue(expected == x or (expected != expected and x != x), (id_, q, expected, x))
                        n_value += 1
        self.assertEqual(at, len(rows))
        self.assertGreater(n_value, 3000)

    def test_network_has_the_floats_of_out(self):
        result = self.run_model("town.inp", "json", "out")
        data = (self.dir / "x.out").read_bytes()
        head = struct.unpack_from("<15i", data)
        n_node, n_fixed, n_link, n_pump = head[2:6]
        at = 60 + 240 + 520 + 64 + 32 * (n_node + n_link) + 4 * (5 * n_link + 2 * n_fixed + n_node) + 28 * n_pump + 4
        for frame in result["frames"]:
            for name, n, quantities in (("node", n_node, ("demand", "head", "pressure", "quality")),
                                        ("link", n_link, ("flow", "velocity", "headloss"))):
                for k, q in enumerate(quantities):
                    old = struct.unpack_from("<%df" % n, data, at + 4 * n * k)
                    new = [number(x) for x in frame[name][q]]
                    self.assertEqual(struct.pack("<%df" % n, *old), struct.pack("<%df" % n, *new), (frame["time"], q))
                at += 4 * n * {"node": 4, "link": 8}[name]
        self.assertEqual(at, len(data) - 28)

    def check_columns(self, name):
        result = self.run_model(name, "json", "csv")
        with open(self.dir / "x.csv", newline="", encoding="utf-8") as f:
            rows = list(csv.reader(f))
        self.assertEqual(len(rows) - 1, len(result["frames"]))
        for row, frame in zip(rows[1:], result["frames"]):
            values = [frame["time"]]
            for group, g in result["groups"].items():
                values += [number(frame[group][q][i]) for i in range(len(g["ids"])) for q in g["quantities"]]
            self.assertEqual([float(x or "nan") for x in row], values)
        return result

    def test_surge_has_the_numbers_of_csv(self):
        result = self.check_columns("surge/closure.yaml")
        self.assertIn("head", result["groups"]["node"]["quantities"])

    def test_automaton_has_the_numbers_of_csv_and_its_events(self):
        result = self.check_columns("automata/thermostat.yaml")
        events = [e for f in result["frames"] for e in f.get("events", [])] + result.get("events", [])
        self.assertIn("transition", {e["kind"] for e in events})
        self.assertEqual([e["time"] for e in events], sorted(e["time"] for e in events))


if __name__ == "__main__":
    unittest.main()
