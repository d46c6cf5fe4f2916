#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files given to the wrong command: each is named as what it is, with the command that takes it, or what to do."""
import re
import shutil
import struct
import zlib

from cli_test import GOOD, ROOT, Case, main

EXAMPLES = ROOT / "examples"
# Files that no command takes: name, content, what they are, what to do.
REPORT = ("a report of a run (.rpt)", "-o FILE.out")
STATE = ("a saved state", "a program restores it")
OTHERS = (
    ("page.rpt", "  Page 1    Tue Nov 18 2026\n\n  ****\n  *   E P A N E T   *\n", *REPORT),
    ("own.rpt", "  Sluice 0.1.0: report of a run\n\n  A town\n", *REPORT),
    ("a.hyd", struct.pack("<8i", 516114521, 20012, 10, 12, 2, 1, 1, 86400) + bytes(400), "hydraulics of a run", "here give the model"),
    ("net.json", '{\n "format": "sluice-network",\n "version": 1\n}\n', "a network as JSON", "the .inp file that it was made of"),
    ("a.geojson", '{"type": "FeatureCollection", "features": []}', "a map (GeoJSON)", "the .inp file that it was made of"),
    ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(50), "a picture (PNG)", ""),
    ("a.jpg", b"\xff\xd8\xff\xe0" + bytes(50), "a picture (JPEG)", ""),
    ("a.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", "a picture (SVG)", ""),
    ("a.pdf", "%PDF-1.7\n", "(PDF)", ""),
    ("a.html", "<!DOCTYPE html>", "XML or HTML", ""),
    ("state", b"SLstate\n" + bytes(80), *STATE),
    ("execution", b"sl-exe1\0" + bytes(80), *STATE),
    ("a.gz", b"\x1f\x8b" + zlib.compress(b"x"), "a compressed file (gzip)", "unpack it first"),
    ("a.zip", b"PK\x03\x04" + bytes(50), "an archive (zip)", "unpack it first"),
    ("a.gpkg", b"SQLite format 3\0" + bytes(50), "a database (SQLite", ""),
    ("wide.inp", "[TITLE]\n".encode("utf-16"), "a text in UTF-16", "save it as UTF-8"),
    ("noise", bytes(range(256)) * 4, "a binary file", ""),
)
RESULTS = {"r.out": "a result (EPANET's .out)", "r.csv": "a result (.csv)", "r.json": "a result (JSON)"}
MODELS = {"town.inp": "a network", "closure.yaml": "a surge study", "thermostat.yaml": "an automaton"}
# Commands on a model, on results, and on a run file. F: the file.
ON_MODEL = {"run": "run F -q", "check": "check F", "info": "info F", "vars": "vars F", "explain": "explain F", "verify": "verify F r.out"}
ON_MODEL_OR_RESULT = {"plot": "plot F --map -o x.svg", "convert": "convert F x.inp"}
ON_RESULT = {"compare": "compare F r.out", "compare second": "compare r.out F", "verify": "verify town.inp F"}
ON_RUN_FILE = {"cosim": "cosim F"}


class Files(Case):
    def setUp(self):
        super().setUp()
        for path in "town.inp", "automata/thermostat.yaml", "surge/closure.yaml", "surge/main.inp", "cosim/pump.yaml", "cosim/pump.inp":
            shutil.copy(EXAMPLES / path, self.dir)
        self.sluice("run", "town.inp", "-q", "-o", "r.out", "-o", "r.csv", "-o", "r.json")

    def refuse(self, command, name, code, *words):
        before = self.names()
        _, err = self.sluice(*(name if w == "F" else w for w in command.split()), code=code)
        said = re.sub(r"\s+", " ", err)
        for word in words:
            self.assertIn(word, said, (command, name))
        self.assertNotIn("x.", " ".join(set(self.names()) - set(before)), (command, name))

    def test_files_of_no_command(self):
        commands = [*ON_MODEL.values(), *ON_MODEL_OR_RESULT.values(), *ON_RESULT.values(), *ON_RUN_FILE.values()]
        for name, content, what, hint in OTHERS:
            self.file(name, content)
            for command in commands:
                self.refuse(command, name, 2, name + ":", "this is ", what, hint)

    def test_results_where_a_model_is_wanted(self):
        for name, what in RESULTS.items():
            for command in ON_MODEL.values():
                self.refuse(command, name, 2, "no model: this is", what, "`sluice plot`, `compare` and `convert` read it")
            self.refuse("cosim F", name, 2, "this is", what, "not a run file of a coupling")
        for name in "r.csv", "r.json":  # the checks of verify are those of .out
            self.refuse("verify town.inp F", name, 2, "this is", RESULTS[name], "not a result (EPANET's .out)", "-o FILE.out")

    def test_models_where_something_else_is_wanted(self):
        for name, noun in MODELS.items():
            stem = name.split(".")[0]
            run = "run it first: `sluice run %s -o %s." % (name, stem)
            for command in ON_RESULT.values():
                self.refuse(command, name, 2, f"{name}: error: this is {noun}, not a result", run)
            self.refuse("cosim F", name, 2, f"this is {noun}, not a run file of a coupling", f"`sluice run {name}`", f"`model: {name}`")
        takes = {"closure.yaml": "`sluice run closure.yaml -o FILE.csv`", "thermostat.yaml": "written as .yaml"}
        for name, hint in takes.items():
            self.refuse("verify F r.out", name, 4, f"this is {MODELS[name]}, and not a network", "`sluice run`, `check`")
            self.refuse("convert F x.inp", name, 4, f"{name} is {MODELS[name]}", hint)

    def test_run_files(self):
        for command in [*ON_MODEL.values(), *ON_MODEL_OR_RESULT.values()]:
            self.refuse(command, "pump.yaml", 2, "a run file of a coupling, which names its model", "`sluice cosim FILE` runs it")
        for command in ON_RESULT.values():
            self.refuse(command, "pump.yaml", 2, "a run file of a coupling", "`sluice cosim FILE` runs it")

    def test_directories_and_empty_files(self):
        (self.dir / "folder").mkdir()
        self.file("empty", "")
        for command in [*ON_MODEL.values(), *ON_MODEL_OR_RESULT.values(), *ON_RESULT.values(), *ON_RUN_FILE.values()]:
            self.refuse(command, "folder", 5, "it is a folder, not a file")
            self.refuse(command, "empty", 2, "empty")

    def test_standard_input(self):
        out, err = self.sluice("run", "-", input=(self.dir / "r.out").read_bytes(), code=2)
        self.assertIn("this is a result (EPANET's .out)", err)

    def test_a_title_does_not_hide_a_network(self):
        self.file("odd.inp", "<b>A town</b>\n" + GOOD)  # text before the first section is what the reader reports
        self.assertIn("odd.inp", self.sluice("info", "odd.inp")[0])


class EpanetsForm(Case):
    """sluice run in.inp out.rpt out.out"""

    def test_three_and_two(self):
        self.file("a.inp")
        self.sluice("run", "a.inp", "a.rpt", "a.out", "-q")
        self.sluice("run", "a.inp", "-q", "-o", "b.rpt", "-o", "b.out")
        self.assertEqual((self.dir / "a.rpt").read_bytes(), (self.dir / "b.rpt").read_bytes())
        self.sluice("compare", "a.out", "b.out", "-q")
        self.sluice("run", "a.inp", "c", "c.bin", "-q")  # any ending
        self.assertEqual((self.dir / "c").read_bytes(), (self.dir / "b.rpt").read_bytes())
        self.sluice("compare", "a.out", "c.bin", "-q")
        self.sluice("run", "a.inp", "d.rpt", "-q", "-o", "d.csv")
        self.assertEqual((self.dir / "d.rpt").read_bytes(), (self.dir / "b.rpt").read_bytes())
        self.assertIn("d.csv", self.names())

    def test_wrong_use(self):
        self.file("a.inp")
        self.file("b.inp")
        shutil.copy(EXAMPLES / "automata/thermostat.yaml", self.dir)
        before = self.names()
        for args, word in ((["a.inp", "a.out", "a.rpt"], "the order is MODEL, report, results"),
                           (["a.inp", "x.rpt", "y.rpt"], "the order is MODEL, report, results"),
                           (["a.inp", "b.inp"], "b.inp is a model: one is run at a time"),
                           (["a.inp", "x.rpt", "b.inp"], "b.inp is a model: one is run at a time"),
                           (["a.inp", "a.inp"], "a.inp is "),
                           (["a.inp", "x.rpt", "x.out", "more"], "'more' is one argument too many"),
                           (["a.inp", "x", "x"], "given twice"),
                           (["a.inp", "x.csv"], "results go to -o x.csv"),
                           (["a.inp", "x.rpt", "x.H5"], "results go to -o x.H5"),
                           (["thermostat.yaml", "x.rpt", "x.out"], "not as .out")):
            self.assertIn(word, self.sluice("run", *args, code=4)[1])
        self.assertEqual(self.names(), before)


if __name__ == "__main__":
    main()
