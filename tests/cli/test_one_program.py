#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program is one file: copied alone it runs every command, and which output formats are requested changes no result.

HDF5 and cairo are loaded on demand: the program is not linked with them."""
import os
import shutil
import subprocess

from cli_test import Case, SLUICE, main

WITH = os.environ["SLUICE_WITH"].split()
# Every command, on a network, a study and an automaton.
COMMANDS = [
    ["run", "town.inp", "-q", "-o", "a.out", "-o", "a.csv", "-o", "a.rpt", "-o", "a.json"],
    ["run", "surge/closure.yaml", "-q", "-o", "slam.csv"],
    ["run", "automata/thermostat.yaml", "-q", "-o", "ball.csv"],
    ["check", "town.inp"],
    ["check", "surge/closure.yaml"],
    ["check", "automata/thermostat.yaml"],
    ["info", "town.inp"],
    ["vars", "town.inp"],
    ["convert", "town.inp", "b.inp"],
    ["compare", "a.out", "a.out"],
    ["verify", "town.inp", "a.out"],
    ["plot", "a.out", "--map", "-o", "a.svg"],
    ["explain", "automata/thermostat.yaml"],
    ["cosim", "--help"],
    ["gen", "city", "--junctions", "50", "-o", "city.inp"],
    ["help"],
]


class OneProgram(Case):
    def setUp(self):
        super().setUp()
        examples = os.path.join(os.environ["SLUICE_SOURCE"], "examples")
        shutil.copytree(examples, self.dir, dirs_exist_ok=True)
        self.alone = self.dir / "bin" / "water"
        self.alone.parent.mkdir()
        shutil.copy(SLUICE, self.alone)

    def do(self, *args):
        run = subprocess.run([self.alone, *args], cwd=self.dir, capture_output=True, check=False)
        self.assertIn(run.returncode, (0, 1), (args, run.stderr))  # 1: a limit of the study is broken

    def test_every_command_alone(self):
        for args in COMMANDS:
            self.do(*args)
        self.do("run", "town.inp", "-q", "-o", "a.h5")
        if "cairo" in WITH:
            self.do("plot", "a.out", "--map", "-o", "a.png")

    def test_commands_are_all_listed(self):
        """A new command needs a row above."""
        listed, _ = self.sluice("help")
        names = [line.split()[0] for line in listed.split("Commands:\n")[1].split("\n\n")[0].splitlines()]
        self.assertEqual(sorted(set(names)), sorted({args[0] for args in COMMANDS}))

    def test_links(self):
        run = subprocess.run([SLUICE, "--version"], env={**os.environ, "LD_TRACE_LOADED_OBJECTS": "1"}, capture_output=True, check=True)
        listed = run.stdout.decode()
        self.assertIn("libc.so", listed)
        for word in "cairo", "hdf5":
            self.assertNotIn(word, listed)

    def test_formats_change_no_result(self):
        self.do("run", "town.inp", "-q", "-o", "one.csv")
        others = ["-o", "two.out", "-o", "two.json", "-o", "two.rpt", "-o", "two.h5"]
        self.do("run", "town.inp", "-q", "-o", "two.csv", *others)
        self.assertEqual((self.dir / "one.csv").read_bytes(), (self.dir / "two.csv").read_bytes())


if __name__ == "__main__":
    main()
