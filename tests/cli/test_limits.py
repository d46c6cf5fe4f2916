#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--time-limit, --memory and --effort hold for every command and kind; signals end every command, and leave no file behind.

No times are compared: what would not end by itself runs into the limit of this test, which fails then."""
import os
import signal
import subprocess
import unittest

from cli_test import GOOD, SLUICE, Case

BUILD = os.environ.get("SLUICE_BUILD", "")
WATCHED = "debug" in BUILD or "tsan" in BUILD  # sanitizers: no limit of memory is set

# Years in steps of a minute: hours of work.
LONG = GOOD.replace("Duration  24:00", "Duration  870000:00\nHydraulic Timestep  0:01\nReport Timestep  24:00")
MOTION = "automaton: a\ncontinuous: {x: 1}\nactivities: [{equation: 'der(x) = cos(1000*t)'}]\nrun: {end: 1e6, report: 1000}\n"
# A counter of 60 bits, which comes to no end.
COUNTER = "automaton: a\nsteps: 100000000\ndiscrete: {%s}\ntransitions:\n%s" % (
    ", ".join("q%d: 2" % i for i in range(60)),
    "".join("  - {equation: 'der(q%d) = 1 - 2*q%d'%s}\n" % (i, i, ", when: %s" % " & ".join("q%d" % k for k in range(i)) if i else "")
            for i in range(60)))
SEARCH = "automaton: a\ndiscrete: {%s}\ntransitions:\n  - {equation: '%s = 0.5'}\n" % (
    ", ".join("q%d: 2" % i for i in range(40)), "+".join("(der(q%d) - 1)^2" % i for i in range(40)))
SURGE = "study: surge\nnetwork: long.inp\nduration: 1e6 s\npipes: [{wave_speed: 1000 m/s}]\ngrid: {step: 0.02 s}\noutputs: {step: 1000 s}\n"
RUN = "model: long.inp\ncosim:\n  in: i.cosim\n  out: o.cosim\n  read:\n    - {entity: 1, variable: \"node.'J1'.wanted\"}\n" \
      "  write:\n    - {entity: 1, variable: \"node.'J1'.head\"}\n"

# Commands that would work for a long time, over all kinds.
COMMANDS = ["run long.inp", "run long.inp -o x.out -o x.csv -o x.json", "run surge.yaml -o x.json", "run motion.yaml -o x.csv",
            "run motion.yaml --branches", "run counter.yaml", "run search.yaml --effort 1e9", "check search.yaml --effort 1e9",
            "plot motion.yaml -o x.svg", "plot surge.yaml -o x.svg", "explain long.inp --time 860000h",
            "gen city -n 5e6 -o x.inp", "cosim run.yaml", "check -", "info -", "vars -", "run -", "convert - x.inp", "compare - -",
            "plot - -o x.svg", "verify long.inp -"]


class Limits(Case):
    def setUp(self):
        super().setUp()
        for name, text in (("long.inp", LONG), ("motion.yaml", MOTION), ("counter.yaml", COUNTER), ("search.yaml", SEARCH),
                           ("surge.yaml", SURGE), ("run.yaml", RUN), ("good.inp", GOOD)):
            self.file(name, text)
        self.begin = self.names()

    def start(self, command):
        return subprocess.Popen([SLUICE] + command.split(), cwd=self.dir, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE)

    def clean(self, results=()):
        for name in set(self.names()) - set(self.begin):
            self.assertNotIn(".tmp", name)
            self.assertIn(name, (*results, "o.cosim"))  # END for a partner that may come
            (self.dir / name).unlink()

    def test_signals(self):
        for command in COMMANDS:
            for sig in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(command=command, signal=sig):
                    process = self.start(command)
                    self.assertRaises(subprocess.TimeoutExpired, process.wait, 0.4)  # it is at work
                    process.send_signal(sig)
                    process.communicate(timeout=60)
                    self.assertEqual(process.returncode, 128 + sig)
                    self.clean()

    def test_time_limit(self):
        for command in COMMANDS:
            with self.subTest(command=command):
                process = self.start(command + " --time-limit 0.4s")
                try:
                    process.wait(60)  # standard input stays open, so that reading it goes on
                finally:
                    process.kill()
                said = process.stderr.read().decode()
                process.stdin.close()
                process.stderr.close()
                self.assertEqual(process.returncode, 3, said)
                self.assertIn("time limit", said)
                self.clean(("x.out", "x.csv", "x.json"))

    def test_results_so_far(self):
        process = self.start("run long.inp -o x.csv -o x.json -o x.out --time-limit 0.5s")
        _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, said)
        rows = (self.dir / "x.csv").read_text().splitlines()
        self.assertGreater(len(rows), 2)
        self.sluice("convert", self.dir / "x.json", self.dir / "y.csv")

    def test_time_enough(self):
        self.sluice("run", self.dir / "good.inp", "--time-limit", "10min", "--memory", "1 GB")
        self.sluice("check", self.dir / "good.inp", "--time-limit", "1000d")

    def test_wrong(self):
        for option, value, text in (("--time-limit", "0s", "above 0"), ("--time-limit", "5", "has a unit"), ("--memory", "lots", "write a size"),
                                    ("--memory", "1 kB", "at least 16 MiB"), ("--memory", "-5 GB", "write a size"), ("--effort", "0", "above 0"),
                                    ("--effort", "-1", "--effort")):
            for command in ("run", "check", "info"):
                self.assertIn(text, self.sluice(command, self.dir / "good.inp", option, value, code=4)[1])

    def test_memory(self):
        self.sluice("gen", "city", "-n", "60000", "-o", self.dir / "big.inp", "-q")
        self.begin = self.names()
        for command in ("run", "check", "info", "vars"):  # 7 MB of text: refused by its size
            said = self.sluice(command, self.dir / "big.inp", "--memory", "20 MB", code=2)[1]
            self.assertIn("and there are 0.02 GB", said)
        if WATCHED:
            print("skipped the limit of memory at work: sanitizers take memory of their own", flush=True)
            return
        for command in ("run", "check"):
            said = self.sluice(command, self.dir / "big.inp", "--memory", "30 MB", code=5)[1]
            self.assertIn("more is needed than --memory 30 MB", said)
        self.clean()

    def test_memory_every_command(self):
        """With less and less memory every command ends well or with a word about memory, and leaves nothing that was begun."""
        if WATCHED:
            print("skipped the limit of memory of every command: sanitizers take memory of their own", flush=True)
            return
        self.sluice("gen", "city", "-n", "60000", "-o", self.dir / "big.inp", "-q")
        self.sluice("gen", "city", "-n", "2000", "-o", self.dir / "mid.inp", "-q")
        self.sluice("run", self.dir / "mid.inp", "-q", "-o", self.dir / "mid.csv", "-o", self.dir / "mid.json", "-o", self.dir / "mid.h5", "-o", self.dir / "mid.out")
        self.file("big.yaml", RUN.replace("long.inp", "big.inp"))
        self.begin = self.names()
        refused = {}
        for command in ("run big.inp", "check big.inp", "info big.inp", "vars big.inp", "explain big.inp", "convert big.inp x.json",
                        "plot big.inp --map -o x.svg", "verify big.inp mid.out", "cosim big.yaml", "gen city -n 1000000 -o x.inp",
                        "compare mid.csv mid.json", "convert mid.csv x.json", "convert mid.json x.h5", "convert mid.h5 x.csv", "convert mid.out x.h5",
                        "plot mid.csv --node ALL -o x.svg", "run mid.inp -o x.h5 -o x.json", "run motion.yaml -d 10s -o x.h5"):
            for memory in ("17 MB", "20 MB", "30 MB"):
                with self.subTest(command=command, memory=memory):
                    done = self.run_raw(*command.split(), "--memory", memory)
                    said = done.stderr.decode()
                    self.assertIn(done.returncode, (0, 1, 2, 5), said)
                    if done.returncode > 1:
                        self.assertIn("memory", said)
                        refused[command.split()[0]] = True
                    self.clean(["x." + e for e in ("json", "svg", "inp", "h5", "csv")] if done.returncode <= 1 else ())
        self.assertEqual(sorted(refused), ["check", "compare", "convert", "cosim", "explain", "gen", "info", "plot", "run", "vars", "verify"])

    def test_estimates(self):
        self.file("grid.yaml", SURGE.replace("duration: 1e6 s", "duration: 1e-4 s").replace("0.02 s", "1e-7 s"))
        for command in ("check", "info", "run", "vars"):
            said = self.sluice(command, self.dir / "grid.yaml", "--memory", "100 MB", code=2)[1]
            self.assertIn("and there are 0.1 GB", said)
            self.assertIn("larger time step", said)

    def test_effort(self):
        self.file("reports.yaml", MOTION.replace("report: 1000", "report: 1e-3"))
        said = self.sluice("check", self.dir / "reports.yaml", code=2)[1]
        self.assertRegex(said, r"reports.yaml:4:\d+: error: report of 0.001 s: 1e\+09 until the end at 1e\+06 s")
        self.sluice("check", self.dir / "reports.yaml", "--effort", "100")
        self.file("steps.inp", LONG.replace("Hydraulic Timestep  0:01", "Hydraulic Timestep  0:00:01"))
        self.assertRegex(self.sluice("check", self.dir / "steps.inp", code=2)[1], r"steps.inp:\d+:1: error: a hydraulic step of 1 s")
        self.sluice("check", self.dir / "steps.inp", "--effort", "100")


if __name__ == "__main__":
    unittest.main()
