#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sluice compare: verdicts, exit codes, the table and the JSON, on files made here from the layout alone; results of every engine in
every format, with faults planted in them."""
import json
import os
import shutil
import struct

from cli_test import ROOT, Case, main

MAGIC = 516114521


def out_file(heads=(50.0, 40.0), flow=10.0, status=3, nodes=("J1", "R1"), periods=2, cut=0):
    """Two nodes and a pipe in LPS; the same values in every period."""
    def text(s, n):
        return s.encode().ljust(n, b"\0")
    b = struct.pack("<15i", MAGIC, 20012, 2, 1, 1, 0, 0, 0, 0, 5, 2, 0, 0, 3600, 3600 * (periods - 1))
    b += text("A pipe", 80) + text("", 160) + text("a.inp", 260) + text("a.rpt", 260) + text("Chemical", 32) + text("", 32)
    b += b"".join(text(i, 32) for i in nodes) + text("P1", 32)
    b += struct.pack("<3i i f", 2, 1, 1, 2, 0.0)
    b += struct.pack("<2f 2f", 10.0, 50.0, 1000.0, 300.0)
    b += struct.pack("<f", 0.0)
    node = [flow, -flow, heads[0], heads[1], heads[0] - 10, heads[1] - 50, 0, 0]
    b += struct.pack("<16f", *node, flow, 0.1, 0.5, 0, status, 100, 0, 0.02) * periods
    b += struct.pack("<4f 3i", 0, 0, 0, 0, periods, 0, MAGIC)
    return b[:len(b) - cut]


class Compare(Case):
    def pair(self, **other):
        self.file("a.out", out_file())
        self.file("b.out", out_file(**other))
        return "a.out", "b.out"

    def test_same(self):
        out, err = self.sluice("compare", *self.pair())
        self.assertEqual(err, "")
        self.assertIn("the same within tolerance: 2 nodes, 1 link, 2 periods compared", out)
        self.assertEqual(len(self.sluice("compare", "-q", "a.out", "b.out")[0].splitlines()), 1)
        for line in out.splitlines():
            self.assertEqual(line, line.rstrip())

    def test_different(self):
        out, _ = self.sluice("compare", *self.pair(heads=(50.5, 40.0)), code=1)
        self.assertRegex(out, r"(?m)^head +0\.5 +0\.002 +2 of 4 +node J1 at 0:00: 50, 50\.5$")
        self.assertRegex(out, r"(?m)^flow +0 +0\.01 +0 of 2$")
        self.assertIn("different:", out)
        self.sluice("compare", "--head-abs", "0.6", "a.out", "b.out")
        self.sluice("compare", "--head-abs=0.3", "a.out", "b.out", code=1)

    def test_status_in_words(self):
        out, _ = self.sluice("compare", *self.pair(status=2), code=1)
        self.assertRegex(out, r"(?m)^status +2 +0 +2 of 2 +link P1 at 0:00: open, closed$")

    def test_json(self):
        out, _ = self.sluice("compare", "--json", *self.pair(flow=12.0), code=1)
        data = json.loads(out)
        self.assertFalse(data["same"])
        rows = {row["variable"]: row for row in data["variables"]}
        self.assertEqual(rows["flow"]["id"], "P1")
        self.assertEqual((rows["flow"]["worst"], rows["flow"]["over"], rows["flow"]["time"]), (2, 2, 0))
        self.assertTrue(rows["flow"]["judged"])
        self.assertFalse(rows["friction"]["judged"])

    def test_number_of_periods(self):
        _, err = self.sluice("compare", *self.pair(periods=3), code=1)
        self.assertIn("2 periods are in both files; the first has 2, the second 3 [not-comparable]", err)

    def test_cut_off_file(self):
        _, err = self.sluice("compare", *self.pair(cut=40), code=1)
        self.assertIn("b.out: warning: has no valid end", err)
        self.file("b.out", out_file(cut=300))
        _, err = self.sluice("compare", "a.out", "b.out", code=2)
        self.assertIn("b.out: error: ends before its first period", err)

    def test_not_comparable(self):
        _, err = self.sluice("compare", *self.pair(nodes=("J9", "R1")), code=2)
        self.assertIn("results of different networks", err)
        self.assertIn("J1", err)

    def test_not_results(self):
        self.pair()
        self.file("town.inp")
        _, err = self.sluice("compare", "town.inp", "a.out", code=2)
        self.assertIn("town.inp: error: this is a network, not a result", err)
        _, err = self.sluice("compare", "a.out", "missing.out", code=5)
        self.assertIn("missing.out", err)
        _, err = self.sluice("compare", "town.out", "aa.out", code=5)
        self.assertIn("aa.out: error: cannot read the file", err)
        self.assertIn("did you mean a.out?", err)

    def test_convert_of_what_is_no_model(self):
        """What IN is comes before what its options and OUT are."""
        _, err = self.sluice("convert", "missing.out", "a.csv", code=5)
        self.assertIn("missing.out: error: cannot read the file", err)
        self.file("notes.txt", "hello\n")
        _, err = self.sluice("convert", "notes.txt", "a.csv", code=2)
        self.assertIn("notes.txt:1:1: error: no model", err)
        self.file("town.inp")
        _, err = self.sluice("convert", "town.inp", "a.csv", code=4)
        self.assertIn("town.inp is a model, and .csv is for results", err)

    def test_wrong_use(self):
        self.pair()
        self.sluice("compare", "a.out", code=4)
        for bad in ("x", "-1", "", "nan"):
            _, err = self.sluice("compare", "--flow-rel", bad, "a.out", "b.out", code=4)
            self.assertIn("--flow-rel", err)


MODELS = {"town.inp": "12 nodes, 13 links, 25 periods", "surge/closure.yaml": "9 nodes, 1 tank, 8 links",
          "automata/thermostat.yaml": "3 discrete variables", "automata/counting.yaml": "4 discrete variables"}
ENDINGS = ["json", "csv", "h5"]


class Engines(Case):
    def run_model(self, model, *args, stem="a"):
        for extra in ("surge/main.inp",) if "surge" in model else ():
            shutil.copy(ROOT / "examples" / extra, self.dir)
        shutil.copy(ROOT / "examples" / model, self.dir)
        name = model.split("/")[-1]
        self.sluice("run", name, "-q", *(x for e in ENDINGS for x in ("-o", f"{stem}.{e}")), *args,
                    code="surge" in model)  # a limit is broken
        return json.loads((self.dir / f"{stem}.json").read_text("utf-8"))

    def fault(self, result, code, *args, a="a.json"):
        """Compares a changed result with the one that was written; the rows by their words, the text, the messages."""
        self.file("b.json", json.dumps(result))
        out, err = self.sluice("compare", a, "b.json", *args, code=code)
        rows = {line.split()[0]: line for line in out.splitlines()[1:]}
        return rows, out, err

    def test_every_format_of_every_engine(self):
        for model, words in MODELS.items():
            self.run_model(model)
            for first in ENDINGS:
                for second in ENDINGS:
                    with self.subTest(model, first=first, second=second):
                        out, err = self.sluice("compare", f"a.{first}", f"a.{second}", "--rel", "0", "--head-abs", "0", "--head-rel", "0")
                        self.assertTrue(out.splitlines()[-1].startswith("the same within tolerance"))
                        self.assertNotIn("warning", err)
                        for line in out.splitlines()[1:-1]:
                            self.assertIn(line[:27].split()[-1], ("0",), line)
            self.assertIn(words, self.sluice("compare", "-q", "a.json", "a.json")[0])

    def test_round_trip(self):
        for model in MODELS:
            self.run_model(model)
            with self.subTest(model):
                last = "a.json"
                for name in ("1.h5", "2.json", "3.h5", "4.json", "5.csv"):
                    self.sluice("convert", last, name)
                    last = name
                self.assertEqual((self.dir / "4.json").read_bytes(), (self.dir / "a.json").read_bytes())
                self.assertEqual((self.dir / "5.csv").read_bytes(), (self.dir / "a.csv").read_bytes())
                for form in "rows", "columns", "values":
                    self.sluice("convert", "a.json", f"{form}.csv", "--csv", form)
                    self.sluice("compare", "-q", "a.json", f"{form}.csv")
                self.sluice("convert", "a.json", "events.csv", "--csv", "events")
                self.sluice("compare", "events.csv", "events.csv")

    def test_network_against_its_out(self):
        self.run_model("town.inp", "-o", "a.out")
        for ending in ENDINGS:
            out, _ = self.sluice("compare", f"a.{ending}", "a.out")
            self.assertRegex(out, r"(?m)^head +\S+e-0[5-7] ")  # floats
            self.sluice("compare", "a.out", f"a.{ending}")

    def test_value(self):
        whole = self.run_model("surge/closure.yaml")
        heads = [x for frame in whole["frames"] for x in frame["node"]["head"]]
        span = max(heads) - min(heads)
        frame, id = whole["frames"][100], whole["groups"]["node"]["ids"][3]
        frame["node"]["head"][3] += 0.9e-3 * span
        self.fault(whole, 0)
        self.fault(whole, 1, "--rel", "1e-4")
        frame["node"]["head"][3] += 0.2e-3 * span
        rows, out, _ = self.fault(whole, 1)
        self.assertRegex(rows["node.head"], r"^node.head +\S+ +\S+ +1 of \d+ +node %s at " % id)
        self.assertIn("different: ", out)
        self.fault(whole, 0, "--abs", str(span / 100))
        frame["node"]["head"][3] = None  # no number
        rows, _, _ = self.fault(whole, 1)
        self.assertIn("infinite", rows["node.head"])

    def test_code(self):
        whole = self.run_model("town.inp")
        self.assertEqual(whole["groups"]["link"]["quantities"]["status"]["words"][3:5], ["open", "active"])
        links = whole["groups"]["link"]["ids"]
        status = whole["frames"][4]["link"]["status"]
        i = status.index(3)
        status[i] = 4
        self.fault(whole, 0)  # open is open
        status[i] = 2
        rows, _, _ = self.fault(whole, 1)
        self.assertRegex(rows["status"], r"1 of 325 +link %s at 4:00: open, closed" % links[i])
        words = whole["groups"]["link"]["quantities"]["status"]["words"]
        status[i] = 3
        for frame in whole["frames"]:
            frame["link"]["status"] = [7 - x for x in frame["link"]["status"]]
        words.reverse()  # other numbers, the same words
        self.fault(whole, 0)

    def test_words(self):
        """Codes that are no status: equal, by their words."""
        whole = self.run_model("automata/thermostat.yaml")
        state = whole["groups"]["discrete"]["quantities"]["state"]
        state["words"] = ["off", "on"]
        self.file("w.json", json.dumps(whole))
        for frame in whole["frames"]:
            frame["discrete"]["state"] = [1 - x for x in frame["discrete"]["state"]]
        state["words"] = ["on", "off"]
        self.fault(whole, 0, a="w.json")
        whole["frames"][7]["discrete"]["state"][0] ^= 1
        rows, _, _ = self.fault(whole, 1, "--abs", "5", a="w.json")
        self.assertRegex(rows["discrete.state"], r" 1 of 183 .*: (off, on|on, off)$")

    def test_state_of_an_automaton(self):
        whole = self.run_model("automata/thermostat.yaml")
        whole["frames"][7]["discrete"]["state"][0] ^= 1
        for first in ENDINGS:
            rows, _, _ = self.fault(whole, 1, a=f"a.{first}")
            self.assertRegex(rows["discrete.state"], r" 1 of 183 ")
        self.fault(whole, 0, "--abs", "1")

    def test_units(self):
        whole = self.run_model("town.inp")
        for frame in whole["frames"]:
            frame["node"]["head"] = [x / 0.3048 for x in frame["node"]["head"]]
            frame["link"]["flow"] = [x * 3.6 for x in frame["link"]["flow"]]
        whole["groups"]["node"]["quantities"]["head"]["unit"] = "ft"
        whole["groups"]["link"]["quantities"]["flow"]["unit"] = "m3/h"
        _, _, err = self.fault(whole, 0)
        self.assertIn("head in m, not ft; flow in L/s, not m3/h", err)
        whole["groups"]["node"]["quantities"]["head"]["unit"] = "kg"
        _, _, err = self.fault(whole, 1)
        self.assertIn("node.head is in units that cannot be converted", err)

    def test_events_and_tables_are_for_information(self):
        whole = self.run_model("surge/closure.yaml")
        for frame in whole["frames"]:
            if frame.get("events"):
                frame["events"][0]["kind"] = "other"
                break
        columns = whole["tables"]["grid"]["columns"].values()
        next(c for c in columns if isinstance(c["values"][0], (int, float)))["values"][0] = 1e6
        rows, _, _ = self.fault(whole, 0)
        self.assertRegex(rows["(events)"], r" 1 of 2 +event 1, V at 0:00:01: start, other$")
        self.assertRegex(rows["(grid)"], r" 1 of \d+ +grid ")

    def test_energy_of_pumps_is_judged(self):
        whole = self.run_model("town.inp")
        whole["tables"]["pump_energy"]["columns"]["peak_power"]["values"][0] *= 1.002
        rows, _, _ = self.fault(whole, 1)
        self.assertRegex(rows["energy"], r" 1 of 7 +pump Main, peak_power: ")
        self.fault(whole, 0, "--other-rel", "0.01")

    def test_facts(self):
        whole = self.run_model("town.inp")
        whole["groups"]["node"]["facts"]["x"]["values"][0] += 1.0
        self.fault(whole, 0)
        whole["groups"]["node"]["facts"]["elevation"]["values"][0] += 1.0
        _, _, err = self.fault(whole, 1)
        self.assertIn("1 elements of the group `node` differ in elevation", err)

    def test_times(self):
        whole = self.run_model("automata/thermostat.yaml")
        del whole["frames"][5]
        _, _, err = self.fault(whole, 1)
        self.assertIn("60 times are in both files; the first has 61, the second 60", err)

    def test_what_one_lacks_is_named(self):
        whole = self.run_model("town.inp")
        self.sluice("convert", "a.json", "part.csv", "--what", "head,flow")
        out, err = self.sluice("compare", "a.json", "part.csv")
        self.assertRegex(err, "quantities are in the first result only and are not compared: node.demand, node.pressure, ")
        self.assertEqual(len(out.splitlines()), 4)
        self.sluice("convert", "a.json", "part.json", "--node", whole["groups"]["node"]["ids"][0])
        _, err = self.sluice("compare", "a.json", "part.json", code=2)
        self.assertIn("results of different networks: 12 and 1 elements of the group `node`", err)

    def test_different_kinds(self):
        self.run_model("town.inp")
        self.run_model("automata/thermostat.yaml", stem="t")
        _, err = self.sluice("compare", "a.json", "t.json", code=2)
        self.assertIn("of eps (a.json) and of hybrid (t.json), which have no quantity in common", err)


class Forms(Case):
    """sluice convert of models that are no networks."""

    def test_automaton(self):
        shutil.copy(ROOT / "examples/automata/thermostat.yaml", self.dir / "a.yaml")
        self.sluice("convert", "a.yaml", "b.yaml")
        self.sluice("convert", "b.yaml", "c.yml")
        self.assertEqual((self.dir / "b.yaml").read_bytes(), (self.dir / "c.yml").read_bytes())
        for name in "a", "b":
            self.sluice("run", f"{name}.yaml", "-q", "-o", f"{name}.csv")
        self.assertEqual((self.dir / "a.csv").read_bytes(), (self.dir / "b.csv").read_bytes())
        self.assertEqual(self.sluice("convert", "a.yaml", "-", "--to", "yaml")[0], (self.dir / "b.yaml").read_text("utf-8"))
        _, err = self.sluice("convert", "a.yaml", "x.json", code=4)
        self.assertIn("a.yaml is an automaton, which is written as .yaml, not as .json", err)
        self.file("bad.yaml", (self.dir / "a.yaml").read_text("utf-8").replace("der(T)", "der(Tx)", 1))
        self.sluice("convert", "bad.yaml", "x.yaml", code=2)
        self.assertNotIn("x.yaml", self.names())

    def test_others(self):
        for name in "closure.yaml", "main.inp":
            shutil.copy(ROOT / "examples/surge" / name, self.dir)
        _, err = self.sluice("convert", "closure.yaml", "x.yaml", code=4)
        self.assertIn("closure.yaml is a surge study, which has no other form", err)
        _, err = self.sluice("convert", "main.inp", "x.yaml", code=4)
        self.assertIn("is a network, which is written as .inp, .json or .geojson, not as .yaml", err)

    def test_times_of_results_fit_their_unit(self):
        shutil.copy(ROOT / "examples/automata/counting.yaml", self.dir)
        self.sluice("run", "counting.yaml", "-q", "-o", "a.json")
        self.sluice("convert", "a.json", "b.csv", "--until", "1 step")
        _, err = self.sluice("convert", "a.json", "c.csv", "--until", "1:00", code=4)
        self.assertIn("--until", err)
        self.assertNotIn("c.csv", self.names())


if __name__ == "__main__":
    main()
