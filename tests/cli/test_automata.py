#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Automata on the command line: the examples do what is known of them, as rows, events and verdicts; pages that explain."""
import csv
import json
import math
import re
import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from cli_test import Case, ROOT, SHARED, main

EXAMPLES = ROOT / "examples" / "automata"

# What executions from the start are, by their definitions; values of the first variable.
ROWS = {"counting": [0, 2], "delay": [1], "ticker": [0, 1, 0], "unsolvable": [0, 1], "nondeterministic": [1]}
RELAXED = [("converged", [0, 1]), ("converged", [0, 1, 0]), ("zeno", [0, 1, 0, 1])]


class Automata(Case):
    def setUp(self):
        super().setUp()
        for path in EXAMPLES.glob("*.yaml"):
            shutil.copy(path, self.dir)

    def table(self, name):
        with open(self.dir / name, encoding="utf-8") as f:
            return list(csv.DictReader(f))

    def run_rows(self, name, *options, code=0):
        """The rows of a run, and its summary with what was said."""
        out, _ = self.sluice("run", name + ".yaml", "-o", "rows.csv", "--json", *options, code=code)
        told = json.loads(out)
        return self.table("rows.csv"), {**told["summary"], "messages": told["messages"], "diagnostics": told["diagnostics"]}

    def reference(self):
        path = Path(SHARED) / "cases/multibody/sda_examples.json"
        if not SHARED:
            print("skipped the comparison with sda_examples.json: there is no ../shared", flush=True)
            return None
        return json.loads(path.read_text(encoding="utf-8"))


class Discrete(Automata):
    def first(self, rows):
        names = list(rows[0])
        return [int(r[names[names.index("time_steps") + 1]]) for r in rows]

    def test_examples(self):
        verdicts = {"counting": ("converged", 0), "delay": ("converged", 0), "ticker": ("zeno", 3),
                    "unsolvable": ("unsolvable", 3), "nondeterministic": ("nondeterministic", 3)}
        for name, (verdict, code) in verdicts.items():
            rows, told = self.run_rows(name, code=code)
            self.assertEqual(self.first(rows), ROWS[name], name)
            self.assertEqual([int(r["time_steps"]) for r in rows], list(range(len(rows))))
            self.assertEqual([e["verdict"] for e in told["executions"]], [verdict])
        self.assertEqual(self.run_rows("ticker", code=3)[1]["executions"][0]["cycle"], [0, 2])
        self.assertEqual(self.run_rows("nondeterministic", code=3)[1]["executions"][0]["derivatives"], 2)

    def test_steps(self):
        self.assertEqual(self.first(self.run_rows("delay", "--steps", "4")[0]), [1, 1, 0, 1, 0])
        self.assertEqual(self.first(self.run_rows("ticker", "--steps", "9")[0]), [0, 1] * 5)
        self.assertEqual(self.first(self.run_rows("ticker", "--steps", "0")[0]), [0])
        self.assertEqual(self.first(self.run_rows("counting", "--steps", "2")[0]), [0, 2, 2])

    def test_steps_that_could_be_made(self):
        """After one step there is no derivative: that matters only to whom asks for a second one."""
        for options in ([], ["--branches"]):
            rows, told = self.run_rows("unsolvable", "--steps", "1", *options)
            self.assertEqual(self.first(rows), [0, 1])
            self.assertEqual([(e["verdict"], e["t"]) for e in told["executions"]], [("bound", 1)])
            self.run_rows("unsolvable", "--steps", "2", *options, code=3)

    def executions(self, rows):
        values = {}
        for r in rows:
            values.setdefault(r["execution"], []).append(int(r["q"]))
        return list(values.values())

    def test_branches(self):
        rows, told = self.run_rows("nondeterministic", "--branches")
        self.assertEqual(self.executions(rows), [[1, 0], [1, 2]])
        self.assertEqual([(e["verdict"], e["t"]) for e in told["executions"]], [("converged", 1)] * 2)
        rows, told = self.run_rows("unsolvable", "--relax", code=3)
        found = zip([e["verdict"] for e in told["executions"]], self.executions(rows))
        self.assertEqual(sorted(found), sorted(RELAXED))

    def test_any_yaml_of_an_automaton(self):
        """Known by its key, wherever it stands and however it is quoted; keys of many bytes may come first."""
        text = "discrete: {%s}\n" % ", ".join("q%d: 2" % i for i in range(2000))
        for head, tail in [("\ufeffautomaton: x\n", ""), ('"automaton": x\n', ""), ("'automaton' : x\n", ""),
                           ("", "automaton: x\n")]:
            self.file("a.yaml", head + text + tail)
            self.assertIn("2000 variables", self.sluice("check", "a.yaml")[0])
        self.file("a.yaml", "automatons: x\n")
        self.assertIn("of which kind it is", self.sluice("check", "a.yaml", code=2)[1])

    def test_limit_of_branches(self):
        self.file("many.yaml", "automaton: many\ndiscrete: {%s}\ntransitions:\n%s" % (
            ", ".join("q%d: {states: 2, start: 1}" % i for i in range(12)),
            "".join("  - {equation: der(q%d)^2 = q%d}\n" % (i, i) for i in range(12))))
        out, err = self.sluice("run", "many.yaml", "--branches")
        self.assertIn("1000 executions", out)
        self.assertIn("... and 980 more", out)
        self.assertIn("more executions than are followed", err)
        self.assertIn("more executions than are followed",
                      self.sluice("run", "many.yaml", "--branches", "--strict", "--quiet", code=1)[1])

    def test_reference(self):
        reference = self.reference()
        if reference is None:
            return
        self.assertEqual(self.first(self.run_rows("ticker", "--steps", "9")[0]), reference["3.1.1 ticker"]["q"])
        self.assertEqual(self.run_rows("ticker", code=3)[1]["executions"][0]["cycle"], reference["3.1.1 ticker"]["cycle"])
        delay = reference["3.1.2 delay"]
        self.assertEqual(self.first(self.run_rows("delay", "--steps", "4")[0]), delay["q"])
        self.assertEqual(self.first(self.run_rows("delay")[0]), delay["strict_definition"]["q"])
        rows, told = self.run_rows("counting")
        self.assertEqual([[int(r[k]) for k in "nabc"] for r in rows], reference["3.1.3 counting"]["q"])
        self.assertEqual(told["executions"][0]["t"], reference["3.1.3 counting"]["t_m"])
        rows, told = self.run_rows("unsolvable", code=3)
        self.assertEqual(self.first(rows), reference["3.1.4 unsolvable"]["prefix"])
        self.assertEqual(told["executions"][0]["t"], reference["3.1.4 unsolvable"]["t"])
        branches = [(b["status"], b["q"]) for b in reference["3.1.4 unsolvable"]["branching_extension"]]
        self.assertEqual(sorted(branches), sorted(RELAXED))
        self.file("square.yaml", "automaton: square\ndiscrete: {q: {states: 2, start: 1}}\n"
                  "transitions:\n  - {name: square, equation: der(q)^2 = q}\n")
        rows, _ = self.run_rows("square", "--branches")
        self.assertEqual(self.executions(rows), [e["q"] for e in reference["3.1.5 nondeterministic"]["executions"]])

    def test_text(self):
        out, _ = self.sluice("run", "counting.yaml")
        self.assertTrue(out.startswith("counting.yaml: 1 step simulated\n"), out)
        self.assertIn("Ending        converged at t = 1\n", out)
        self.assertRegex(out, r"\n +t +n +a +b +c\n +0 +0 +1 +0 +1\n +1 +2 +1 +0 +1\n")
        out, err = self.sluice("run", "unsolvable.yaml", code=3)
        self.assertIn("der(q) - 1 (up); 0 = der(q) (stay)", err)
        out, _ = self.sluice("run", "nondeterministic.yaml", code=3)
        self.assertIn("either der(q) = -1\n  or     der(q) = 1\n", out)
        out, _ = self.sluice("run", "ticker.yaml", "--steps", "60")
        self.assertIn("... and 21 rows more", out)

    def test_events(self):
        _, told = self.run_rows("counting", "--events", "e.csv")
        events = self.table("e.csv")
        self.assertEqual([(e["time_steps"], e["kind"], e["cause"], e["element"], e["from"], e["to"]) for e in events],
                         [("0", "init", "", "", "", ""), ("1", "transition", "count", "n", "0", "2"), ("1", "stop", "", "", "", "")])
        self.assertEqual(told["events"]["count"], len(events))
        self.assertEqual(self.run_rows("counting")[1]["events"]["count"], len(events))


class Hybrid(Automata):
    def crossings(self, events):
        return [float(e["time_s"]) for e in events if e["kind"] == "crossing"]

    def test_flower(self):
        self.sluice("run", "flower.yaml", "--events", "e.csv", "-q")
        times = self.crossings(self.table("e.csv"))
        self.assertEqual(len(times), 24)
        for k, t in enumerate(times):
            self.assertAlmostEqual(t, (2 * k + 1) * math.atan(math.sqrt(5)) / math.sqrt(5), delta=1e-9 * t)

    def test_thermostat(self):
        rows, told = self.run_rows("thermostat", "--events", "e.csv")
        events = self.table("e.csv")
        up, down = 10 * math.log(20 / 18), 10 * math.log(12 / 8)  # from 20 to 22 towards 40; from 22 to 18 towards 10
        self.assertAlmostEqual(self.crossings(events)[0], up, delta=1e-8)
        self.assertAlmostEqual(self.crossings(events)[1], up + down, delta=1e-8)
        kinds = [(e["kind"], e["cause"], e["element"], e["from"], e["to"]) for e in events[1:6]]
        self.assertEqual(kinds, [("crossing", "w0", "", "", ""), ("root", "w0", "hot", "0", "1"),
                                 ("transition", "switch", "heating", "1", "0"), ("settled", "", "", "", ""),
                                 ("root", "w0", "hot", "1", "0")])
        self.assertEqual((told["events"]["count"], told["crossings"]), (len(events), len(self.crossings(events))))
        self.assertEqual([float(r["time_s"]) for r in rows], list(range(61)))

    def test_at_events(self):
        rows, _ = self.run_rows("ball", "--at-events", "--duration", "0.9 s")
        fall = math.sqrt(2 / 9.81)
        before, after = [r for r in rows if abs(float(r["time_s"]) - fall) < 1e-6]
        self.assertAlmostEqual(float(before["v"]), -9.81 * fall, delta=1e-7)
        self.assertAlmostEqual(float(after["v"]), 0.5 * 9.81 * fall, delta=1e-7)
        plain, _ = self.run_rows("ball", "--duration", "0.9 s")
        self.assertEqual([r for r in rows if r not in (before, after)], plain)  # the other bits are the same

    def test_branches(self):
        """x rises by 1 a second to 1, at t = 1; from there by 2, or it falls as exp(1 - t)."""
        self.file("fork.yaml", "automaton: fork\ndiscrete: {high: 2, s: 3}\ncontinuous: {x: 0}\nactivities:\n"
                  "  - {equation: der(x) = 1, when: s = 0}\n  - {equation: der(x) = 2, when: s = 1}\n"
                  "  - {equation: der(x) = -x, when: s = 2}\nroots: [{name: top, decides: high, by: x - 1}]\n"
                  "transitions: [{name: fork, equation: der(s)^2 = 1, when: high & s = 0}]\n"
                  "run: {end: 2.25, report: 0.4, tolerance: 1e-10}\n")
        after = {"1": lambda t: math.exp(1 - t), "2": lambda t: 2 * t - 1}
        rows, told = self.run_rows("fork", "--branches", "--events", "e.csv")
        self.assertEqual([(r["execution"], float(r["time_s"])) for r in rows],
                         [(k, t) for k in "12" for t in [0.4 * i for i in range(6)] + [2.25]])
        for r in rows:
            t = float(r["time_s"])
            self.assertAlmostEqual(float(r["x"]), t if t < 1 else after[r["execution"]](t), delta=1e-8)
            self.assertEqual(int(r["s"]), 0 if t < 1 else {"1": 2, "2": 1}[r["execution"]])
        forks = [(e["execution"], e["cause"], e["from"], e["to"]) for e in self.table("e.csv") if e["element"] == "s"]
        self.assertEqual(forks, [("1", "fork", "0", "2"), ("2", "fork", "0", "1")])
        self.assertEqual([(e["verdict"], e["t"]) for e in told["executions"]], [("complete", 2.25)] * 2)
        self.assertAlmostEqual(told["executions"][0]["end"]["x"], math.exp(-1.25), delta=1e-8)
        self.assertAlmostEqual(told["variables"]["x"]["max"], 3.5, delta=1e-8)  # of both
        out, _ = self.sluice("run", "fork.yaml", "--branches")
        self.assertRegex(out, r"fork.yaml: 2 executions\n\n +Model .*\n\n1: 2.25 s simulated, 1 crossing\n +x +0 \(0 s\) to 1 \(1 s\), at the end 0.286")
        self.assertRegex(out, r"\n2: 2.25 s simulated, 1 crossing\n +x +0 \(0 s\) to 3.5 \(2.25 s\), at the end 3.5")
        self.assertEqual(len(self.run_rows("fork", "--branches", "--at-events", "--duration", "1.1 s")[0]), 12)
        self.assertIn("2 derivatives of s", self.sluice("run", "fork.yaml", code=3)[1])
        one = self.run_rows("thermostat", "--branches")[0]  # it never branches: one execution, the same bits
        self.assertEqual([dict(r, execution="1") for r in self.run_rows("thermostat")[0]], one)

    def test_relaxed_conflicts(self):
        self.file("a.yaml", "automaton: a\ndiscrete: {high: 2, s: 3}\ncontinuous: {x: 0}\nactivities:\n"
                  + "".join("  - {equation: der(x) = %d, when: s = %d}\n" % (s + 1, s) for s in range(3)) +
                  "roots: [{decides: high, by: x - 1}]\nrun: {end: 2}\ntransitions:\n"
                  "  - {equation: der(s) = 1, when: high & s = 0}\n  - {equation: der(s) = 2, when: high & s = 0}\n")
        self.assertIn("no derivative satisfies", self.sluice("run", "a.yaml", code=3)[1])
        told = self.run_rows("a", "--relax")[1]
        self.assertEqual(sorted(round(e["end"]["x"], 8) for e in told["executions"]), [3, 4])
        self.assertIn("--steps is for discrete automata", self.sluice("run", "a.yaml", "--steps", "2", code=4)[1])

    def test_an_execution_that_fails(self):
        """One of two never ends its steps: the other is there, and what there is of this one."""
        self.file("a.yaml", "automaton: a\ndiscrete: {high: 2, s: 3}\ncontinuous: {x: 0}\nactivities: [{equation: der(x) = 1}]\n"
                  "roots: [{decides: high, by: x - 1}]\nrun: {end: 2, report: 0.5}\ntransitions:\n"
                  "  - {equation: der(s)^2 = 1, when: high & s = 0}\n  - {equation: der(s) = 0, when: s = 2}\n"
                  "  - {equation: der(s) = 1, when: s = 2}\n")
        rows, told = self.run_rows("a", "--branches", code=3)
        self.assertEqual([e["verdict"] for e in told["executions"]], ["failed", "complete"])
        self.assertAlmostEqual(float(rows[-1]["x"]), 2, delta=1e-9)
        self.assertEqual(told["diagnostics"][0]["code"], "unsolvable")

    def test_two_tanks(self):
        self.sluice("run", "two-tanks.yaml", "--events", "e.csv", "-q")
        events = self.table("e.csv")
        self.assertAlmostEqual(self.crossings(events)[0], 12.5, delta=1e-7)  # 0.5 m at 0.04 m/s
        self.assertEqual((events[0]["kind"], events[0]["element"], events[0]["to"]), ("init", "supply", "0.02"))
        self.assertFalse([e for e in events if e["kind"] == "action"])  # there are none

    def test_failure_writes_what_there_is(self):
        rows, told = self.run_rows("ball", "--events", "e.csv", code=3)
        self.assertEqual(float(rows[-1]["time_s"]), 1.3)
        self.assertEqual(told["messages"][0]["code"], "zeno")
        self.assertGreater(len(self.table("e.csv")), 100)

    def test_roots_that_disagree_are_named(self):
        self.file("a.yaml", "automaton: a\ndiscrete: {q: 2}\ncontinuous: {x: 1}\nactivities: [{equation: der(x) = -x}]\n"
                  "roots: [{name: one, decides: q, by: x}, {name: two, decides: q, by: x - 0.5}]\nrun: {end: 2}\n")
        self.assertRegex(self.sluice("run", "a.yaml", code=3)[1],
                         r"at 0\.6931\d* s the roots 'one' and 'two' want different values for 'q'")

    def test_two_modes_that_lead_into_each_other(self):
        self.file("a.yaml", "automaton: a\ndiscrete: {s: 2}\ncontinuous: {x: 1}\nroots: [{decides: s, by: x}]\nactivities:\n"
                  "  - {equation: der(x) = -1, when: s}\n  - {equation: der(x) = 1, when: '!s'}\nrun: {end: 2}\n")
        err = self.sluice("run", "a.yaml", code=3)[1]
        self.assertIn("at 1 s: 's' has changed 21 times at one instant", err)
        self.assertIn("a sliding mode", err)

    def test_ranges_are_of_everything(self):
        """Between reports and at events too, but not beyond an earlier end."""
        told = self.run_rows("thermostat")[1]["variables"]
        self.assertEqual([(told[n]["min"], told[n]["max"]) for n in ("hot", "warm", "heating")], [(0, 1)] * 3)
        self.assertAlmostEqual(told["T"]["min"], 18, delta=1e-6)
        self.assertAlmostEqual(told["T"]["max"], 22, delta=1e-6)
        told = self.run_rows("ball", "--duration", "0.3 s")[1]["variables"]
        self.assertAlmostEqual(told["v"]["min"], -0.3 * 9.81, delta=1e-7)
        self.assertEqual(told["v"]["min"], told["v"]["end"])
        self.assertIn("1 crossing\n", self.sluice("run", "ball.yaml", "--duration", "0.6 s")[0])

    def test_rows_and_events_of_a_bounce(self):
        """It falls from 1 m with 8 m/s2: 0.5 s; then it flies up with 2 m/s, and is back after 0.5 s more."""
        self.file("drop.yaml", "automaton: drop\ndiscrete: {above: {states: 2, start: 1}, hit: 2}\ncontinuous: {y: 1, v: 0}\n"
                  "activities: [{equation: der(y) = v}, {equation: der(v) = -8}]\n"
                  "roots: [{name: floor, decides: above, by: y}]\n"
                  "transitions: [{name: touch, equation: der(hit) = 1, when: '!above & !hit | above & hit'}]\n"
                  "actions: [{name: stop, set: y, to: 0, when: hit}, {name: turn, set: v, to: -0.5*v, when: hit}]\n"
                  "run: {end: 1, report: 0.2, tolerance: 1e-10}\n")
        self.sluice("run", "drop.yaml", "--duration", "0.9 s", "-o", "d.csv", "--events", "e.csv")
        rows = list(csv.DictReader(open(self.dir / "d.csv", encoding="utf-8")))
        self.assertEqual([float(r["time_s"]) for r in rows], [0, 0.2, 0.4, 0.6000000000000001, 0.8, 0.9])
        self.assertAlmostEqual(float(rows[-1]["y"]), 2 * 0.4 - 4 * 0.16, delta=1e-8)
        events = [":".join((e["kind"], e["cause"], e["element"])) for e in csv.DictReader(open(self.dir / "e.csv", encoding="utf-8"))]
        self.assertEqual(events, ["init::", "crossing:floor:", "root:floor:above", "transition:touch:hit", "settled::", "action:stop:y",
                                  "action:turn:v", "root:floor:above", "transition:touch:hit", "settled::", "stop::"])
        self.sluice("run", "drop.yaml", "--duration", "0.9 s", "-o", "d.csv", "--at-events")
        rows = list(csv.DictReader(open(self.dir / "d.csv", encoding="utf-8")))
        self.assertEqual(len(rows), 8)  # and before and after the bounce
        self.assertAlmostEqual(float(rows[3]["v"]), -4, delta=1e-7)
        self.assertAlmostEqual(float(rows[4]["v"]), 2, delta=1e-7)

    def test_rows_of_many_variables(self):
        """Without report times a thousandth of the run, of more than 100 continuous variables; with them, and of fewer, nothing is chosen."""
        for n, options, count in [(101, (), 1001), (101, ("--every", "0.5s"), 5), (100, (), None)]:
            names = ", ".join("x%d: 1" % i for i in range(n))
            equations = "".join("  - equation: der(x%d) = -%g*x%d\n" % (i, 1 + 0.01 * i, i) for i in range(n))
            (self.dir / "many.yaml").write_text("automaton: many\ncontinuous: {%s}\nactivities:\n%srun: {end: 2}\n" % (names, equations))
            _, err = self.sluice("run", "many.yaml", "-o", "rows.csv", *options)
            rows = self.table("rows.csv")
            self.assertEqual("a row every 0.002 s" in err, count == 1001)
            if count:
                self.assertEqual(len(rows), count)
                self.assertEqual(float(rows[1]["time_s"]), 2.0 / (count - 1))
            else:
                self.assertGreater(len(rows), 1001)  # per step of any part

    def test_roots_of_cuts_fire_with_others(self):
        """A root of the automaton and one of a cut at the same time: the crossing has the name of the first, the second has none."""
        (self.dir / "relay.yaml").write_text(
            "automaton: relay\ncontinuous: {x: 1}\ndiscrete: {up: 2}\nactivities:\n"
            "  - {equation: der(x) = -1, when: up}\n  - {equation: der(x) = 1, when: '!up'}\n"
            "roots: [{decides: up, by: x, name: level}]\nrun: {end: 5, chattering: slide}\n")
        self.sluice("run", "relay.yaml", "-o", "rows.csv", "--events", "events.csv")
        self.assertLess(abs(float(self.table("rows.csv")[-1]["x"])), 1e-9)
        crossings = [row["cause"] for row in self.table("events.csv") if row["kind"] == "crossing"]
        self.assertEqual(crossings, ["level"])

    def test_duration_is_seconds(self):
        out, _ = self.sluice("run", "thermostat.yaml", "--duration", "2 s")
        self.assertIn("2 s simulated", out)
        rows, _ = self.run_rows("thermostat", "--duration", "80 s")  # longer than the file says
        self.assertEqual(float(rows[-1]["time_s"]), 80)
        self.assertEqual(rows[:60], self.run_rows("thermostat")[0][:60])

    def test_wrong_use(self):
        town = ROOT / "examples" / "town.inp"
        for options, words in [(("--steps", "2"), "--steps is for an automaton, and "),
                               (("--branches",), "--branches is for")]:
            self.assertIn(words, self.sluice("run", town, *options, code=4)[1])
        for options, words in [(("--events", "e.txt"), "e.txt does not end in .csv"), (("-o", "a.csv", "--events", "a.csv"), "given twice"),
                               (("-o", "a.out"), "a.out does not end in .csv"), (("--duration", "soon"), "is not a time")]:
            self.assertIn(words, self.sluice("run", "ball.yaml", *options, code=4)[1])
        for option, kinds in [("--trip P@1s", "a surge study"), ("--tanks implicit", "a network")]:
            words = option.split(" ")[0] + f" is for {kinds}, and ball.yaml is an automaton"
            self.assertIn(words, self.sluice("run", "ball.yaml", *option.split(" "), code=4)[1])
        self.assertIn("nodes are selected, but this result has none", self.sluice("run", "ball.yaml", "-o", "x.csv", "--node", "A", code=2)[1])
        self.assertIn("this is an automaton, and not a surge study", self.sluice("run", "ball.yaml", "--surge", code=4)[1])
        self.assertIn("--duration ends it", self.sluice("run", "ball.yaml", "-o", "x.csv", "--steps", "3", code=4)[1])
        self.assertIn("write a number of them, as 5 steps", self.sluice("run", "ticker.yaml", "--duration", "3 s", code=4)[1])
        self.assertEqual(self.sluice("run", "ticker.yaml", "--duration", "4", "steps")[0], self.sluice("run", "ticker.yaml", "--steps", "4")[0])
        for text in "1e9 steps", "2e8steps":
            self.assertIn("0 and 100 000 000 steps", self.sluice("run", "ticker.yaml", "--duration", text, code=4)[1])
        self.assertIn("more than 0 s", self.sluice("run", "ball.yaml", "--duration", "0", code=4)[1])
        self.assertIn("the most is 1000 years", self.sluice("run", "ball.yaml", "--duration", "1001e3 d", code=4)[1])
        self.assertIn("time has no steps here", self.sluice("explain", "ball.yaml", "--time", "1 step", code=4)[1])
        self.assertIn("time counts steps here", self.sluice("plot", "ticker.yaml", "--from", "1s", "-o", "x.svg", code=4)[1])
        self.assertIn("ticker.yaml makes steps", self.sluice("run", "ticker.yaml", "-o", "x.csv", "--at-events", code=4)[1])
        self.assertNotIn("x.csv", self.names())
        self.file("endless.yaml", "automaton: endless\ncontinuous: {x: 0}\nactivities: [{equation: der(x) = 1}]\n")
        self.assertIn("does not say how long", self.sluice("run", "endless.yaml", code=2)[1])
        self.assertIn("x ", self.sluice("run", "endless.yaml", "--duration", "3 s")[0])


class Variables(Automata):
    def test_of_an_automaton(self):
        out, err = self.sluice("vars", "--all", "thermostat.yaml")
        self.assertEqual(err, "")
        for name in ("variable.'T'.value", "variable.'T'.derivative", "discrete.'heating'.state", "events"):
            self.assertIn(name, out)
        _, err = self.sluice("vars", "thermostat.yaml", "--engine", "surge", code=4)
        self.assertIn("this is an automaton, and not a surge study", err)
        (self.dir / "bad.yaml").write_text("automaton: x\ncontinuous: {a: no}\n", "utf-8")
        _, err = self.sluice("vars", "bad.yaml", code=2)
        self.assertIn("bad.yaml:2:17", err)
        (self.dir / "study.yaml").write_text("network: a.inp\n", "utf-8")
        _, err = self.sluice("vars", "study.yaml", code=2)
        self.assertIn("no model: a map with the key 'network', which does not say", err)
        self.sluice("vars", "missing.yaml", code=5)


class Explain(Automata):
    def test_every_example_in_every_form(self):
        for path in sorted(EXAMPLES.glob("*.yaml")):
            name = path.stem
            for ending in "html", "tex", "txt":
                self.sluice("explain", path.name, "-o", f"{name}.{ending}")
            page = ElementTree.parse(self.dir / f"{name}.html").getroot()
            self.assertTrue(page.findall(".//math") and page.find(".//h1").text)
            raw = (self.dir / f"{name}.html").read_text(encoding="utf-8")
            self.assertNotRegex(raw, r"https?:|<script|src=|@import")  # it stands alone
            tex = (self.dir / f"{name}.tex").read_text(encoding="utf-8")
            bare = re.sub(r"\\[\\{}%&#$_]", "", tex)
            self.assertEqual(bare.count("{"), bare.count("}"), name)
            self.assertEqual(re.findall(r"\\usepackage\{(\w+)\}", tex), ["amsmath"])
            begun = [m[1] for m in re.finditer(r"\\begin\{([\w*]+)\}", tex)]
            self.assertEqual(sorted(begun), sorted(m[1] for m in re.finditer(r"\\end\{([\w*]+)\}", tex)))
            self.assertNotRegex(tex, r"\\\\\n\\end")  # no empty last line
            self.assertEqual(self.sluice("explain", path.name)[0], (self.dir / f"{name}.txt").read_text(encoding="utf-8"))

    def test_forms(self):
        html = self.sluice("explain", "ball.yaml", "--html")[0]
        self.assertTrue(html.startswith("<!DOCTYPE html>"))
        self.assertEqual(html, self.sluice("explain", "ball.yaml", "--to", "html", "-o", "-")[0])
        self.sluice("explain", "ball.yaml", "--to", "tex", "-o", "page.any")
        self.assertTrue((self.dir / "page.any").read_text().startswith("\\documentclass"))
        self.assertEqual(html, self.sluice("explain", "-", "--html", input=(self.dir / "ball.yaml").read_bytes())[0])

    def test_json(self):
        told = json.loads(self.sluice("explain", "thermostat.yaml", "--json")[0])
        self.assertEqual((told["kind"], told["model"]), ("automaton", "thermostat"))
        parts = {item["label"]: item for section in told["sections"] for item in section["items"]}
        self.assertEqual((parts["heat"]["left"], parts["heat"]["relation"], parts["heat"]["right"], parts["heat"]["guard"]),
                         ("der(T)", "=", "rate*(40 - T)", "heating"))
        self.sluice("explain", "thermostat.yaml", "-o", "page.json")
        self.assertEqual(json.loads((self.dir / "page.json").read_text(encoding="utf-8")), told)

    def test_time(self):
        out, _ = self.sluice("explain", "thermostat.yaml", "--time", "2 sec")
        exact = 10 + 12 * math.exp(-0.1 * (2 - 10 * math.log(20 / 18)))
        self.assertAlmostEqual(float(re.search(r"T = ([\d.]+)", out)[1]), exact, delta=1e-7)
        self.assertIn("cool", out)
        self.assertNotIn("heat ", out)
        self.assertIn("index 0", out)
        self.assertRegex(out, r"1\.0536\d+ s +transition switch: heating from 1 to 0")
        out, _ = self.sluice("explain", "counting.yaml", "--time", "7 steps")
        self.assertIn("at t = 1, where the execution ends: converged", out)
        self.assertIn("none of 1 in force", self.sluice("explain", "delay.yaml", "--time", "0")[0])  # from t = 1 on

    def test_mode(self):
        out, _ = self.sluice("explain", "delay.yaml", "--mode", "q=1")
        self.assertIn("when t >= 1", out)
        out, _ = self.sluice("explain", "two-tanks.yaml", "--mode", "pump=1,over=0,high=0,enough=0")
        self.assertIn("4 equations: linear, semi-explicit, constant coefficients; index 1", out)
        self.file("named.yaml", "automaton: a\ndiscrete: {'q[0,1]': 2, r: 2}\ntransitions:\n"
                  "  - {equation: der(r) = 1, when: 'q[0,1] & r'}\n")
        self.assertIn("none of 1", self.sluice("explain", "named.yaml", "--mode", "q[0,1]=0,r=1")[0])
        for mode, words in [("pumm=1", "did you mean 'pump'"), ("pump=2", "from 0 to 1"),
                            ("pump=0,pump=1", "'pump' cannot be 0 and 1")]:
            out, err = self.sluice("explain", "two-tanks.yaml", "--mode", mode, "-o", "x.html", code=2)
            self.assertIn(words, err)
        self.assertNotIn("x.html", self.names())

    def test_failures(self):
        town = ROOT / "examples" / "town.inp"
        self.assertIn("an automaton has no nodes and links", self.sluice("explain", "ball.yaml", "--node", "y", code=4)[1])
        self.assertIn("--mode is for an automaton", self.sluice("explain", town, "--mode", "q=1", code=4)[1])
        self.assertIn("did you mean ball.yaml", self.sluice("explain", "bal.yaml", code=5)[1])
        self.assertIn(".html, .tex, .json or .txt", self.sluice("explain", "ball.yaml", "-o", "x.pdf", code=4)[1])
        self.sluice("explain", "ball.yaml", "--time", "1s", "--mode", "hit=1", code=4)
        self.sluice("explain", "ball.yaml", "--time", "never", code=4)
        self.sluice("explain", "ball.yaml", "--html", "--to", "tex", code=4)
        self.assertIn("zeno", self.sluice("explain", "ball.yaml", "--time", "1.9 s", "-o", "x.html", code=3)[1])
        self.assertIn("ends at 2 s", self.sluice("explain", "ball.yaml", "--time", "3 s", code=2)[1])
        self.file("wrong.yaml", "automaton: wrong\ncontinuous: {x: 0}\nactivities: [{equation: der(y) = 1}]\n")
        self.assertIn("wrong.yaml:3:", self.sluice("explain", "wrong.yaml", "-o", "x.html", code=2)[1])
        self.assertNotIn("x.html", self.names())


if __name__ == "__main__":
    main()
