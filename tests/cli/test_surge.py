# SPDX-License-Identifier: MIT
"""Surge studies as a user meets them: run, check, info, vars, files in every format, and wrong use."""
import csv
import importlib.util
import io
import json
import os
import xml.etree.ElementTree

from cli_test import ROOT, Case, main

SURGE = ROOT / "examples/surge"
NETWORK = (SURGE / "main.inp").read_text()
STUDY = "study: surge\nnetwork: net.inp\nduration: 4 s\nevents: [{close: V, at: 1, in: 1}]\n"


class Surge(Case):
    def call(self, *args):
        """What the program said and how it ended, whatever that is."""
        run = self.run_raw(*args)
        run.stdout, run.stderr = run.stdout.decode(), run.stderr.decode()
        self.assertNotIn("Sanitizer", run.stderr)
        return run

    def study(self, more="", text=STUDY):
        self.file("net.inp", NETWORK)
        return self.file("s.yaml", text + more)

    def table(self, text):
        rows = list(csv.reader(io.StringIO(text)))
        self.assertEqual({len(r) for r in rows}, {len(rows[0])})
        return rows[0], rows[1:]

    def test_report(self):
        self.study("title: a test\n")
        r = self.call("run", "s.yaml")
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertRegex(r.stdout, r"^s.yaml: 4 s simulated in \d+ steps\n\n  Model         a test; surge, 9 nodes, 8 links\n")
        for text in ("Pressure", "Highest", "Lowest", "Events", "Water", "Energy", "Grid", "Models"):
            self.assertIn("\n  %-14s" % text, r.stdout)
        self.assertEqual(self.call("run", "-q", self.study()).stdout, "")

    def test_network_alone_is_the_same_as_a_study(self):
        self.study()
        a = self.call("run", "s.yaml", "-q", "-o", "a.csv")
        b = self.call("run", "net.inp", "--surge", "--close", "V@1s:1s", "--duration", "4 s", "-q", "-o", "b.csv")
        self.assertEqual((a.returncode, b.returncode), (0, 0), a.stderr + b.stderr)
        self.assertEqual((self.dir / "a.csv").read_text(), (self.dir / "b.csv").read_text())

    def test_traces_and_choices(self):
        self.study()
        r = self.call("run", "s.yaml", "-q", "-o", "-", "--to", "csv", "--node", "VI,S", "--link", "V", "--what", "head,flow",
                        "--every", "0.5s")
        names, rows = self.table(r.stdout)
        self.assertEqual(names, ["time_s", "node.S.head_m", "node.VI.head_m", "link.V.flow_L_per_s"])
        self.assertAlmostEqual(float(rows[0][3]), 18, places=6)
        self.assertAlmostEqual(float(rows[-1][3]), 0, places=9)
        self.assertLess(len(rows), 12)

    def test_units(self):
        self.study()
        self.call("run", "s.yaml", "-q", "-o", "a.csv", "--units", "GPM", "--node", "VI")
        names, rows = self.table((self.dir / "a.csv").read_text())
        self.assertEqual(names, ["time_s", "node.VI.head_ft", "node.VI.pressure_psi"])
        self.assertAlmostEqual(float(rows[0][1]), 161.743 / 0.3048, delta=0.01)

    def test_envelope(self):
        self.study("routes: [{name: a, from: W, to: VI}]\n")
        r = self.call("run", "s.yaml", "-q", "--envelope", "e.csv", "--envelope", "e.svg", "-o", "t.svg")
        self.assertEqual(r.returncode, 0, r.stderr)
        names, rows = self.table((self.dir / "e.csv").read_text())
        column = {n: [row[i] for row in rows] for i, n in enumerate(names)}
        distance = [float(x) for x in column["distance_m"]]
        self.assertEqual(distance, sorted(distance))
        self.assertAlmostEqual(distance[-1], 35 + 850 + 640 + 510, places=6)
        for low, start, high in zip(column["head_min_m"], column["head_start_m"], column["head_max_m"]):
            self.assertTrue(float(low) <= float(start) + 1e-9 and float(start) <= float(high) + 1e-9)
        for name in ("e.svg", "t.svg"):
            xml.etree.ElementTree.parse(self.dir / name)

    def test_json_and_hdf5(self):
        self.study("probes: [{name: mid, pipe: P1, at: 400}]\nlimits: [{pressure_max: 40 bar}]\n")
        r = self.call("run", "s.yaml", "-q", "-o", "r.json", "-o", "r.h5")
        self.assertEqual(r.returncode, 0, r.stderr)
        result = json.loads((self.dir / "r.json").read_text())
        at = {name: group["ids"] for name, group in result["groups"].items()}
        head = [frame["node"]["head"][at["node"].index("VI")] for frame in result["frames"]]
        self.assertEqual(at["part"], ["mid"])
        self.assertIn("pressure", result["groups"]["part"]["quantities"])
        tables = {name: {c: column["values"] for c, column in t["columns"].items()} for name, t in result["tables"].items()}
        extremes = tables["node_extremes"]
        self.assertAlmostEqual(extremes["head_max"][extremes["id"].index("VI")], max(head), places=9)
        self.assertEqual(tables["limits"]["kept"], [1])
        moved = sum(abs(result["end_attributes"]["balance." + name]) for name in ("inflow", "outflow", "demand", "tanks"))
        self.assertLess(abs(result["end_attributes"]["balance.error"]), 1e-9 * moved)
        if importlib.util.find_spec("h5py") is None:
            print("skipped a look into .h5: there is no h5py")
        else:
            import h5py
            with h5py.File(self.dir / "r.h5") as f:
                k = [a.decode() for a in f["node"]].index("VI")
                self.assertEqual(list(f["node_head"][:, k]), head)

    def has(self, word):
        return word in os.environ.get("SLUICE_WITH", "").split()

    def test_json_summary(self):
        self.study()
        r = self.call("run", "s.yaml", "--json")
        d = json.loads(r.stdout)
        s = d["summary"]
        self.assertEqual((d["exit_code"], d["engine"], s["friction"], s["complete"]), (0, "surge", "quasi-steady", True))
        self.assertEqual((s["model"], s["end_s"], s["sizes"]["nodes"], s["limits"], s["warnings"]), ("s.yaml", 4, 9, [], []))
        self.assertEqual({k: s["events"]["kinds"][k] for k in ("start", "end")}, {"start": 1, "end": 1})
        self.assertNotIn("traces", s)

    def test_extremes_are_over_all_points(self):
        """The summit within a pipe is lower than its ends: nodes alone would not show it."""
        self.study(text="study: surge\nnetwork: net.inp\nduration: 8 s\nevents: [{trip: PU, at: 1}]\npipes:\n"
                        "  - {pipe: P1, survey: [[0 m, 95 m], [700 m, 151 m], [850 m, 148 m]]}\n")
        r = self.call("run", "s.yaml", "--json")
        s = json.loads(r.stdout)["summary"]
        found = s["pressure_min_m"]
        self.assertEqual(found["pipe"], "P1")
        self.assertAlmostEqual(found["chainage_m"], 700, delta=20)
        self.assertLess(found["value"], min(n["head_min_m"] - n["elevation_m"] for n in s["nodes"]) - 1)
        self.assertEqual(found["value"], min(p["pressure_min_m"] for p in s["pipes"]))
        self.assertRegex(self.call("run", "s.yaml").stdout, r"Pressure +-\S+ m in P1 at \S+ m \(\S+ s\) to ")

    def test_limits_decide_the_exit_code(self):
        r = self.call("run", self.study("limits: [{pressure_max: 50 m}]\n"))
        self.assertEqual(r.returncode, 1)
        self.assertIn("Limits        BROKEN: pressure at most 50 m, worst ", r.stdout)

    def test_the_filter_is_flagged(self):
        r = self.call("run", self.study("friction: rthym-filter\n"))
        self.assertIn("rthym-filter is no friction law", r.stdout)

    def test_check(self):
        r = self.call("check", self.study())
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn("s.yaml: fine (surge, 4 s, net.inp)", r.stdout)
        r = self.call("check", self.study("evnets: []\n"))
        self.assertEqual(r.returncode, 2)
        self.assertIn("s.yaml:5:1: error: 'evnets' is not a key that is known here", r.stderr)
        r = self.call("check", self.study(text=STUDY.replace("net.inp", "nett.inp")))
        self.assertEqual(r.returncode, 5)
        self.assertIn("did you mean net.inp?", r.stderr)

    def test_errors_of_network_and_study_at_once(self):
        self.study("frictoin: steady\n")
        self.file("net.inp", NETWORK.replace(" P5   VO", " P5   VX"))
        r = self.call("check", "s.yaml")
        self.assertEqual(r.returncode, 2)
        self.assertIn("'frictoin'", r.stderr)
        self.assertIn("net.inp:", r.stderr)

    def test_info(self):
        r = self.call("info", self.study())
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn("Time step", r.stdout)
        d = json.loads(self.call("info", "--json", self.study()).stdout)
        self.assertEqual(len(d["pipes"]), 6)
        self.assertTrue(all(abs(p["distortion"]) <= 0.15 for p in d["pipes"] if not p["rigid"]))

    def test_vars(self):
        self.study()
        r = self.call("vars", "--engine", "surge", "net.inp")
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn("node.*.head.max", r.stdout)
        of_study = self.call("vars", "s.yaml")
        self.assertEqual((of_study.returncode, of_study.stdout), (0, r.stdout))

    def test_wrong_use(self):
        self.study()
        for args, said in [
            (["run", "net.inp", "--close", "V@1s"], "--close is for a surge study, and net.inp is a network: add --surge"),
            (["run", "net.inp", "--surge", "--close", "X@1s", "--duration", "1s"], "--close: there is no valve or pipe 'X'"),
            (["run", "net.inp", "--surge", "--close", "V@x", "--duration", "1s"], "'x' is not a time: write 2s, 500ms or 1min"),
            (["run", "s.yaml", "--trip", "PU@1s"], "write them into `events`"),
            (["run", "s.yaml", "-o", "a.out"], "does not end in .csv"),
            (["run", "s.yaml", "--envelope", "a.json"], "does not end in .csv, .svg, .png or .pdf"),
            (["run", "s.yaml", "-o", "a.csv", "-o", "a.csv"], "given twice"),
            (["run", "s.yaml", "--node", "VI"], "none is written here"),
            (["run", "s.yaml", "--route", "W"], "--route 'W' is not of the form FROM,TO"),
            (["run", "s.yaml", "--friction", "quick"], "--friction does not know 'quick'"),
        ]:
            r = self.call(*args)
            self.assertEqual(r.returncode, 4, (args, r.stderr))
            self.assertIn(said, r.stderr, args)
        self.assertEqual(self.names(), ["net.inp", "s.yaml"])

    def test_no_such_node(self):
        self.study()
        r = self.call("run", "s.yaml", "--node", "NIX", "-o", "a.csv")
        self.assertEqual(r.returncode, 2)
        self.assertIn("node NIX: is selected, but does not exist", r.stderr)
        self.assertEqual(self.names(), ["net.inp", "s.yaml"])

    def test_not_a_study(self):
        r = self.call("run", self.file("c.yaml", "model: net.inp\ncosim: {}\n"))
        self.assertEqual(r.returncode, 2)
        self.assertIn("`sluice cosim FILE` runs it", r.stderr)

    def test_no_place_to_write(self):
        r = self.call("run", self.study(), "-o", "nowhere/a.csv")
        self.assertEqual(r.returncode, 5)
        self.assertIn("cannot write nowhere/a.csv", r.stderr)


if __name__ == "__main__":
    main()
