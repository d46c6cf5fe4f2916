#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table command x kind of model: every cell is run, and every hole is a row of HOLES with its exit code and what it says.

The program is that of tests/cli/toys_main.c: the built-in kinds and two toys. A cell that is no hole exits with 0, says nothing on
standard error, and makes what it is asked for: JSON that is valid, results that compare equal, pictures that are SVG.
"""
import json
import os
import shutil
import sys

import cli_test
from cli_test import Case, ROOT

TOYS = os.environ.get("SLUICE_TOYS") or str(ROOT / "build/release/tests/sluice_toys")
EXAMPLES = ROOT / "examples"
TABLES = ["csv", "json", "h5"]


class Kind:
    """A model of a kind: its files, and values for the options that every kind has."""

    def __init__(self, model, files=(), text=None, until="2 s", every="1 s", duration="4 s", what="", variable="", explain=(), plot=(),
                 sends="", out=False):
        self.model, self.files, self.text = model, files, text
        self.until, self.every, self.duration = until, every, duration
        self.what, self.variable, self.explain, self.plot, self.sends = what, variable, list(explain), list(plot), sends
        self.formats = TABLES + (["out"] if out else [])


NET = dict(until="3:00", every="1:00", duration="6:00", out=True)
STEPS = dict(until="1 step", every="1 step", duration="4 steps")
KINDS = {
    "network": Kind("pump-and-tank.inp", ["pump-and-tank.inp"], what="pressure", variable="node.*.head", explain=["--link", "PU1"],
                    plot=["--node", "B"], sends="tank.'T1'.level", **NET),
    "quality": Kind("quality.inp", ["quality.inp"], what="quality", variable="node.*.quality", explain=["--node", "A"],
                    plot=["--node", "A", "--what", "quality"], sends="node.'A'.pressure", **NET),
    "surge": Kind("surge.yaml", ["surge/main.inp"], (EXAMPLES / "surge/closure.yaml").read_text().split("limits:")[0], what="head",
                  variable="node.*.head", explain=["--node", "VI"], plot=["--node", "VI"], sends="node.'VI'.head"),
    "hybrid": Kind("thermostat.yaml", ["automata/thermostat.yaml"], what="value", variable="variable.T.*", explain=["--time", "1 s"],
                   plot=["--variable", "variable.T.value"], sends="variable.'T'.value"),
    "discrete": Kind("counting.yaml", ["automata/counting.yaml"], what="state", variable="discrete.n.*", explain=["--time", "1 step"],
                     plot=["--variable", "discrete.n.state"], sends="discrete.'a'.state", **STEPS),
    "ball": Kind("ball.yaml", (), "sluice: ball/1\nheight: 2 m\nend: 3 s\n", what="height", variable="height", duration="3 s",
                 explain=["--time", "1 s"], plot=["--variable", "height"], sends="height"),
    "counter": Kind("count.yaml", (), "sluice: counter/1\nend: 12\n", what="count", variable="cell.tens.*",
                    explain=["--node", "tens.ones"], plot=["--variable", "cell.*.count"], sends="total", **STEPS),
}
OTHERS = [kind for kind, k in KINDS.items() if "out" not in k.formats]
AUTOMATA = ["hybrid", "discrete"]

# Commands with a model: {m} is its file, and then again standard input. "json": one object comes out, "lines": one per line.
MODEL = [
    ("check", "check {m}", ""),
    ("check --strict --quiet", "check --strict --quiet {m}", ""),
    ("info", "info {m}", ""),
    ("info --json", "info --json --strict {m}", "json"),
    ("vars", "vars {m}", ""),
    ("vars --match", "vars --match {variable} {m}", ""),
    ("vars --json", "vars --all --json {m}", "lines"),
    ("run", "run {m}", ""),
    ("run --quiet", "run --quiet {m}", "silent"),
    ("run --json", "run --json --strict --threads 2 {m}", "json"),
    ("run --duration", "run --duration {duration} --threads 2 {m}", ""),
    ("run --events", "run -q --events made.csv {m}", "made.csv"),
    ("run -o .rpt", "run -q -o made.rpt {m}", "made.rpt"),
    ("run -o -", "run -o - --to json {m}", "json"),
    ("explain", "explain {m}", ""),
    ("explain --json", "explain --json {m}", "json"),
    ("explain --to html", "explain --to html {explain} {m}", ""),
    ("explain --to tex", "explain --to tex {explain} {m}", ""),
    ("explain --time", "explain --time {until} --duration {duration} {m}", ""),
    ("plot", "plot {m} -o made.svg", "made.svg"),
    ("plot chosen", "plot {m} {plot} --from 0 --until {until} --title T -o -", "svg"),
    ("plot --variable", "plot {m} --variable {variable} -o -", "svg"),
]
# Runs that write {f}: each format, whole and in parts.
RUN = [
    ("run -o", "run -q {m} -o whole.{f} --duration {duration}"),
    ("run --what", "run -q {m} -o part.{f} --what {what} --from 0 --until {until} --every {every}"),
    ("run --variable", "run -q {m} -o part.{f} --variable {variable} --duration {until}"),
]
# Commands with a result {r} of each format, and then again from standard input. {g} is each other format.
RESULT = [
    ("plot of a result", "plot {r} -o made.svg", "made.svg"),
    ("plot of a part", "plot {r} {plot} --from 0 --until {until} -o -", "svg"),
    ("compare --json", "compare --json {r} whole.{f}", "json"),
    ("compare --quiet", "compare --quiet {r} whole.{f}", ""),
]
PAIRS = [
    ("compare", "compare {r} whole.{g}", ""),
    ("convert", "convert --strict {r} made.{g}", "made.{g}"),
    ("convert, compare", "compare whole.{f} made.{g}", ""),
    ("convert --what", "convert {r} made.{g} --what {what} --from 0 --until {until} --every {every}", "made.{g}"),
    ("convert --variable", "convert {r} - --to {g} --variable {variable}", ""),
]
# What only some kinds have: the others say so. Command, kinds without it, exit code, words.
HOLES = [
    ("run {m} -o made.out", OTHERS, 4, ".svg, .png or .pdf: .out is for a network"),
    ("run -q {m} -o made.geojson", [k for k in OTHERS if k != "surge"], 2, "a map needs coordinates"),
    ("verify {m} whole.json", OTHERS, 4, "and not a network"),
    ("convert {m} made.geojson", OTHERS, 4, ".yaml is "),
    ("convert {m} made.inp --units LPS", OTHERS, 4, ".yaml is "),
    ("run {m} --branches", [k for k in KINDS if k not in AUTOMATA], 4, "--branches is for an automaton, and {m} is "),
    ("compare whole.json other.json", list(KINDS), 2, "results of different kinds"),
]


class Matrix(Case):
    def prepare(self, kind):
        for name in kind.files:
            shutil.copy(EXAMPLES / name, self.dir)
        if kind.text:
            self.file(kind.model, kind.text)

    def words(self, kind, row, **more):
        """The arguments of a row: a word in braces is one argument, or several where it is a list."""
        values = dict(vars(kind), m=kind.model)
        values.update(more)
        words = []
        for word in row.split():
            value = values.get(word[1:-1]) if word[0] == "{" and word[-1] == "}" else None
            words += value if isinstance(value, list) else [value if value is not None else word.format(**values)]
        return words

    def cell(self, kind, row, makes, source=None, **more):
        """Runs a row, from standard input where there is a source; all of it is to be fine."""
        words = self.words(kind, row, **more)
        input = dict(input=(self.dir / source).read_bytes()) if source else {}
        run = self.run_raw(*words, **input)
        out, err = run.stdout, run.stderr.decode()
        self.assertEqual((run.returncode, err), (0, ""), " ".join(words))
        makes = makes.format(**more)
        if makes in ("json", "lines"):
            for text in [out] if makes == "json" else out.splitlines():
                json.loads(text)
        elif makes in ("silent", "svg"):
            self.assertEqual(out[:4], b"" if makes == "silent" else b"<svg", " ".join(words))
        elif makes:
            self.assertGreater((self.dir / makes).stat().st_size, 0)
            (self.dir / makes).rename(self.dir / ("kept" + makes)) if makes == "made.svg" else None
        else:
            self.assertTrue(out or row.startswith("check --strict"), " ".join(words))

    def walk_models(self, name):
        kind = KINDS[name]
        self.prepare(kind)
        for title, row, makes in MODEL:
            with self.subTest(kind=name, cell=title):
                self.cell(kind, row, makes)
            with self.subTest(kind=name, cell=title + ", standard input"):
                self.cell(kind, row, makes, source=kind.model, m="-")
        for f in kind.formats:
            for title, row in RUN[: None if f in TABLES else 1]:
                with self.subTest(kind=name, cell=title, format=f):
                    made = row.split("-o ")[1].split()[0].format(f=f)
                    self.cell(kind, row, made, f=f)

    def walk_results(self, name):
        kind = KINDS[name]
        for f in kind.formats:
            for source in None, "whole." + f:
                values = dict(f=f, r="-" if source else "whole." + f)
                for title, row, makes in RESULT:
                    with self.subTest(kind=name, cell=title, source=source, **values):
                        self.cell(kind, row, makes, source, **values)
                for g in kind.formats:
                    for title, row, makes in PAIRS if g in TABLES else PAIRS[:1]:
                        with self.subTest(kind=name, cell=title, source=source, g=g, **values):
                            self.cell(kind, row, makes, source if "{r}" in row else None, g=g, **values)

    def walk_cosim(self, name):
        """The kind sends a value to a ball, once a second."""
        kind = KINDS[name]
        head = "model: %s\nduration: 2 s\nresults: [%s]\ncosim:\n  in: %s.in\n  out: %s.out\n  step: 1 s\n"
        self.file("a.yaml", head % (kind.model, "a.csv", "a", "a") + "  skip: 1\n  write: [{entity: 1, variable: \"%s\"}]\n" % kind.sends)
        self.file("b.yaml", head % ("b-ball.yaml", "b.json", "b", "b") + "  read: [{entity: 1, variable: gravity}]\n")
        self.file("b-ball.yaml", KINDS["ball"].text)
        for row, makes in [("cosim a.yaml b.yaml", "a.csv"), ("cosim --quiet --strict a.yaml b.yaml", "b.json")]:
            with self.subTest(kind=name, cell=row):
                self.cell(kind, row, makes)
        with self.subTest(kind=name, cell="cosim, standard input"):
            self.cell(kind, "cosim - b.yaml", "a.csv", source="a.yaml")

    def walk_holes(self, name):
        kind = KINDS[name]
        self.file("a-town.inp" if name == "hybrid" else "thermostat.yaml",
                  (EXAMPLES / ("town.inp" if name == "hybrid" else "automata/thermostat.yaml")).read_bytes())
        self.sluice("run", "-q", "a-town.inp" if name == "hybrid" else "thermostat.yaml", "-o", "other.json")
        for row, kinds, code, text in HOLES:
            if name == "discrete" and row.startswith("compare"):
                continue  # both are automata: their variables are of one kind
            with self.subTest(kind=name, cell=row):
                words = self.words(kind, row)
                run = self.run_raw(*words)
                hole = name in kinds
                if hole:
                    self.assertEqual(run.returncode, code, f"{words}\n{run.stderr.decode()}")
                    self.assertIn(text.format(m=kind.model), run.stderr.decode())
                elif not row.startswith("verify"):
                    self.assertEqual((run.returncode, run.stderr), (0, b""), words)

    def walk(self, name):
        self.walk_models(name)
        self.walk_results(name)
        self.walk_cosim(name)
        self.walk_holes(name)


for kind_name in KINDS:
    setattr(Matrix, "test_" + kind_name, lambda self, name=kind_name: self.walk(name))


if __name__ == "__main__":
    cli_test.SLUICE = TOYS
    if not os.access(TOYS, os.X_OK):
        print(f"the program is not built: {TOYS}")
        sys.exit(1)
    cli_test.main()
