#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two toy engines on the command line: a kind of model costs one file and one row, and then every command takes it.

The program is that of tests/cli/toys_main.c: the built-in kinds, a bouncing ball and counters. Closed forms are known.
"""
import csv
import io
import json
import math
import os
import shutil
import sys

import cli_test
from cli_test import Case, ROOT

TOYS = os.environ.get("SLUICE_TOYS") or str(ROOT / "build/release/tests/sluice_toys")
BALL = "sluice: ball/1\nheight: 2 m\nend: 3 s\n"
COUNTER = "sluice: counter/1\nend: 12\n"


class Toys(Case):
    def setUp(self):
        super().setUp()
        self.file("ball.yaml", BALL)
        self.file("count.yaml", COUNTER)

    def rows(self, name):
        return list(csv.DictReader(io.StringIO((self.dir / name).read_text())))

    def test_a_run(self):
        out, err = self.sluice("run", "ball.yaml", "-o", "b.csv", "--events", "e.csv")
        self.assertEqual(err, "")
        self.assertIn("ball.yaml: 3 s simulated, 3 events\n", out)
        self.assertRegex(out, r"height +0 \(\S+ s\) to 2 \(0 s\), at the end 0\.3")
        self.assertRegex(out, r"Events +3 bounce\n")
        rows = self.rows("b.csv")
        self.assertEqual([float(r["time_s"]) for r in rows], [0.5 * i for i in range(7)])
        self.assertAlmostEqual(float(rows[1]["height_m"]), 2 - 0.5 * 9.81 * 0.25, delta=1e-12)
        events = self.rows("e.csv")
        self.assertEqual([(e["kind"], e["quantity"], e["from"], e["to"]) for e in events],
                         [("bounce", "bounces", str(i), str(i + 1)) for i in range(3)])
        self.assertAlmostEqual(float(events[0]["time_s"]), math.sqrt(2 * 2 / 9.81), delta=1e-12)

    def test_rows_at_events(self):
        self.sluice("run", "ball.yaml", "-o", "b.csv", "--at-events", "-q")
        rows = self.rows("b.csv")
        self.assertEqual(len(rows), 7 + 2 * 3)
        before, after = [r for r in rows if abs(float(r["time_s"]) - math.sqrt(4 / 9.81)) < 1e-9]
        self.assertEqual((before["bounces"], after["bounces"]), ("0", "1"))

    def test_steps(self):
        out, _ = self.sluice("run", "count.yaml", "-o", "c.csv", "--duration", "7 steps")
        self.assertIn("7 steps simulated", out)
        rows = self.rows("c.csv")
        self.assertEqual([r["time_steps"] for r in rows], [str(i) for i in range(8)])
        self.assertEqual([r["cell.'tens.ones'.count"] for r in rows], "0 1 3 4 6 7 9 0".split())
        self.assertEqual(rows[7]["cell.tens.count"], "1")

    def test_json(self):
        told = json.loads(self.sluice("run", "ball.yaml", "--json", "--restitution", "0.5")[0])
        self.assertEqual((told["exit_code"], told["messages"], told["diagnostics"]), (0, [], []))
        summary = told["summary"]
        self.assertEqual((summary["complete"], summary["begin_s"], summary["end_s"], summary["engine"]), (True, 0, 3, "ball"))
        height = summary["variables"]["height"]
        self.assertEqual((height["max"], height["time_max"], height["end"]), (2, 0, 0))

    def test_standard_input(self):
        self.assertIn("<stdin>: 3 s simulated", self.sluice("run", "-", input=BALL.encode())[0])
        self.assertIn("<stdin>: fine", self.sluice("check", "-", input=COUNTER.encode())[0])

    def test_what_other_commands_show(self):
        self.assertEqual(self.sluice("check", "ball.yaml", "count.yaml")[0], "ball.yaml: fine\ncount.yaml: fine\n")
        self.assertIn("cell.*.step ", self.sluice("vars", "--inputs", "count.yaml")[0])
        self.assertRegex(self.sluice("info", "count.yaml")[0], r"Time +12 steps\n(.*\n)* +cell +2 elements with 3 quantities")
        told = json.loads(self.sluice("info", "--json", "count.yaml")[0])
        self.assertEqual((told["kind"], told["end"], told["counts"]), ("counter", 12, {"cell": 2, "model": 1}))
        self.assertIn("Options for a bouncing ball:", self.sluice("help", "run", "ball")[0])
        self.assertIn("sluice help run ball ", self.sluice("help", "run")[0])
        self.assertIn(".SS Options for a bouncing ball\n", self.sluice("help", "--man", "run")[0])

    def test_a_page_of_variables(self):
        """A kind without a page of its own: what its session has."""
        out = self.sluice("explain", "ball.yaml")[0]
        self.assertIn("ball.yaml: a bouncing ball at 0 s", out)
        self.assertRegex(out, r"gravity +[\d.]+ m/s2: ")
        told = json.loads(self.sluice("explain", "count.yaml", "--json", "--node", "tens.ones", "--time", "3 steps")[0])
        cell = told["elements"][0]
        self.assertEqual((cell["class"], cell["id"], cell["kind"]), ("node", "tens.ones", "cell"))
        names = [line.split()[0] for line in self.sluice("vars", "--match", "cell.tens.ones.*", "count.yaml")[0].splitlines()]
        self.assertEqual(len(cell["variables"]), len(names))
        self.assertEqual(cell["variables"]["count"], 4)  # 1 + 2 + 1: its step is 2 at odd times
        self.assertIn("there is no element 'zz'", self.sluice("explain", "count.yaml", "--link", "zz", code=2)[1])
        self.assertIn("--mode is for an automaton", self.sluice("explain", "ball.yaml", "--mode", "q=1", code=4)[1])

    def test_what_is_wrong(self):
        self.file("bad.yaml", BALL.replace("height: 2 m", "heigth: 2 m"))
        for command in "check", "run", "vars", "info":
            self.assertIn("bad.yaml:2:1", self.sluice(command, "bad.yaml", code=2)[1])
        self.file("new.yaml", BALL.replace("/1", "/2"))
        self.assertIn("up to version 1, not 2", self.sluice("run", "new.yaml", code=2)[1])
        for command, words in [(["run", "--tanks", "implicit"], "--tanks is for a network, and ball.yaml is a bouncing ball"),
                               (["run", "-o", "x.out"], "x.out does not end in .csv")]:
            self.assertIn(words, self.sluice(command[0], "ball.yaml", *command[1:], code=4)[1])
        self.assertEqual(self.names(), ["bad.yaml", "ball.yaml", "count.yaml", "new.yaml"])

    def couple(self, model, variable, step):
        head = "model: %s\nduration: 6 s\nresults: [%s]\ncosim:\n  in: %s\n  out: %s\n  step: %s\n  %s:\n    - {entity: 1, variable: \"%s\"}\n"
        self.file("a.yaml", (head % (model, "a.csv", "a.in", "a.out", step, "write", variable)).replace("  step", "  skip: 1\n  step"))
        self.file("b.yaml", head % ("ball.yaml", "b.csv", "b.in", "b.out", step, "read", "gravity"))
        return self.sluice("cosim", "a.yaml", "b.yaml")[0]

    def test_an_automaton_moves_a_ball(self):
        shutil.copy(ROOT / "examples/automata/thermostat.yaml", self.dir)
        out = self.couple("thermostat.yaml", "variable.'T'.value", "0.5 s")
        self.assertIn("thermostat.yaml: 6 s simulated", out)
        room = {float(r["time_s"]): float(r["T"]) for r in self.rows("a.csv")}
        ball = {float(r["time_s"]): float(r["gravity_m_per_s2"]) for r in self.rows("b.csv")}
        for t in range(1, 7):
            self.assertEqual(ball[t], room[t])

    def test_steps_move_a_ball(self):
        self.couple("count.yaml", "total", "1 s")  # a step of the counter each second
        total = {float(r["time_steps"]): float(r["total"]) for r in self.rows("a.csv")}
        ball = {float(r["time_s"]): float(r["gravity_m_per_s2"]) for r in self.rows("b.csv")}
        for t in range(1, 7):
            self.assertEqual(ball[t], total[t])


if __name__ == "__main__":
    cli_test.SLUICE = TOYS
    if not os.access(TOYS, os.X_OK):
        print(f"the program is not built: {TOYS}")
        sys.exit(1)
    cli_test.main()
