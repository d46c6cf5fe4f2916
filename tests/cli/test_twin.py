#!/usr/bin/env python3
"""The static program and its twin: which of them is linked with what, who writes what, and a twin that is not there.

Files of HDF5 and cairo are checked by test_results.py and test_plot.py, which go through the twin where there is one. A
program that was not linked statically has no twin and needs none: it does the same alone."""
import os
import shutil
import subprocess
from pathlib import Path

from cli_test import Case, SLUICE, main

WITH = os.environ["SLUICE_WITH"].split()
STATIC = "static" in WITH
TWIN = Path(SLUICE).with_name("sluice-dynamic")
TAKEN_OVER = [
    ("run", "town.inp", "-q", "-o", "a.out", "-o", "a.h5"),
    ("run", "-", "-q", "-o", "a.h5"),
    ("convert", "town.out", "a.h5"),
    ("plot", "town.out", "--node", "ALL", "-o", "a.png"),
    ("plot", "-", "--map", "-o", "a.pdf"),
]


def needs(program):
    """The shared libraries that a program is linked with, as the dynamic linker tells."""
    run = subprocess.run([program, "--version"], env={**os.environ, "LD_TRACE_LOADED_OBJECTS": "1"}, capture_output=True, check=True)
    return run.stdout.decode()


class Twin(Case):
    def setUp(self):
        super().setUp()
        self.model = self.file("town.inp").read_bytes()
        self.sluice("run", "-q", "town.inp", "-o", "town.out")
        self.alone = self.dir / "bin" / "water"
        self.alone.parent.mkdir()
        shutil.copy(SLUICE, self.alone)

    def do(self, program, args):
        return subprocess.run([program, *args], cwd=self.dir, input=self.model, capture_output=True, check=False)

    def test_links(self):
        listed = needs(TWIN if STATIC else SLUICE)
        self.assertIn("libc.so", listed)
        for word in "cairo", "hdf5":
            self.assertNotIn(word, listed)
        if STATIC:
            self.assertIn("sluice ", needs(SLUICE))  # nobody traces: the program itself answers

    def test_one_version(self):
        for program in (SLUICE, TWIN) if STATIC else (SLUICE,):
            run = self.do(program, ["--version"])
            self.assertEqual(run.stdout.decode(), self.sluice("--version")[0])

    def test_takes_over_with_all_arguments(self):
        for args in TAKEN_OVER:
            wanted = "hdf5" if args[-1].endswith(".h5") else "cairo"
            if wanted not in WITH:
                print("skipped %s: the program was built without %s" % (args[-1], wanted), flush=True)
                continue
            if STATIC:
                shutil.copy(TWIN, self.alone.parent)
            run = self.do(self.alone, args)
            self.assertEqual((run.returncode, run.stderr), (0, b""), args)
            self.assertGreater((self.dir / args[-1]).stat().st_size, 1000)

    def test_same_results(self):
        if STATIC:
            self.assertEqual(self.do(TWIN, ["run", "town.inp", "-q", "-o", "b.out"]).returncode, 0)
            self.assertEqual((self.dir / "b.out").read_bytes(), (self.dir / "town.out").read_bytes())

    def test_without_a_twin(self):
        if not STATIC:
            return
        before = self.names()
        for args in [*TAKEN_OVER, ("cosim", "--help"), ("help", "cosim"), ("run", "study.yaml"), ("check", "a.yml"),
                     ("run", "town.inp", "--surge")]:
            run = self.do(self.alone, args)
            self.assertEqual(run.returncode, 5, args)
            self.assertIn(str(self.alone.with_name("sluice-dynamic")) + ", which cannot be started: no such file", run.stderr.decode())
            self.assertIn("make install", run.stderr.decode())
            self.assertEqual(self.names(), before)
        for args in ["run", "town.inp", "-q", "-o", "b.out"], ["convert", "town.out", "b.csv"], ["plot", "town.out", "--map", "-o", "b.svg"]:
            self.assertEqual(self.do(self.alone, args).returncode, 0, args)

    def test_wrong_use_needs_no_twin(self):
        for args in ["run", "town.inp", "-o", "a.h5", "-o", "a.h5"], ["plot", "town.out", "-o", "a.png"], ["convert", "town.inp", "a.h5"]:
            self.assertEqual(self.do(self.alone, args).returncode, 4, args)


if __name__ == "__main__":
    main()
