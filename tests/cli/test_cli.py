#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program from outside: every command, its exit codes, its messages, and a hostile outside world."""
import errno
import json
import os
import re
import select
import signal
import stat
import subprocess
import time
import unittest

from cli_test import BAD, COUNTS, GOOD, SLUICE, TIMEOUT, WARN, Case, main


class Use(Case):
    """Help, version, slips."""

    def test_alone(self):
        out, err = self.sluice(code=4)
        self.assertEqual(out, "")
        self.assertIn("Usage: sluice COMMAND", err)

    def test_help(self):
        overview, err = self.sluice("help")
        self.assertEqual(err, "")
        for other in (["--help"], ["-h"]):
            self.assertEqual(self.sluice(*other)[0], overview)
        commands = re.findall(r"^  (\w+)  ", overview, re.M)
        self.assertEqual(commands, ["run", "check", "info", "vars", "convert", "compare", "verify", "plot", "explain", "cosim", "gen", "help"])
        for command in commands:
            page, _ = self.sluice("help", command)
            self.assertEqual(self.sluice(command, "--help")[0], page)
            self.assertEqual(self.sluice(command, "-h")[0], page)
            self.assertTrue(page.startswith(f"Usage: sluice {command}"), page)
            for part in ("Options:", "Examples:", "Exit codes:", "--help", f"sluice {command}"):
                self.assertIn(part, page)
            self.assertLessEqual(max(len(line) for line in page.splitlines()), 100, page)

    def test_version(self):
        out, _ = self.sluice("--version")
        self.assertRegex(out, r"^sluice \d+\.\d+\.\d+ \((gcc|clang) .*, .+\)\n$")

    def test_slips(self):
        for args, said in (
            (["chek"], "did you mean 'check'?"),
            (["Info"], "did you mean 'info'?"),
            (["zzzzzz"], "there is no command 'zzzzzz'"),
            (["help", ""], "there is no command ''"),
            (["--strict", "check"], "options follow the command"),
            (["help", "convrt"], "did you mean 'convert'?"),
            (["help", "check", "info"], "there is no kind of model 'info'"),
            (["help", "check", "all", "x"], "one argument too many"),
            (["check", "--strct", "x"], "did you mean --strict?"),
            (["check", "--zzzzzzzz", "x"], "there is no option --zzzzzzzz"),
            (["check", "-Z", "x"], "there is no option -Z"),
            (["check", "--strict=yes", "x"], "--strict takes no value"),
            (["check"], "FILE is missing"),
            (["check", ""], "empty name"),
            (["info"], "FILE is missing"),
            (["info", "a", "b"], "'b' is one argument too many"),
            (["convert", "a.inp"], "OUT is missing"),
            (["convert", "a.inp", "b.inp", "--units"], "--units needs a value: --units UNIT"),
            (["convert", "a.inp", "b.inp", "--units", "--clean"], "--units needs a value"),
            (["convert", "a.inp", "b.inp", "--units=LPZ"], "did you mean LPS?"),
            (["convert", "a.inp", "b.inp", "--units="], "--units does not know ''"),
            (["convert", "a.inp", "b.txt"], "does not end in .inp, .json or .geojson"),
            (["convert", "a.inp", "-"], "--to inp, json or geojson"),
            (["convert", "a.inp", "b.json", "--units", "LPS"], "--units is for .inp files"),
            (["convert", "a.inp", "b.geojson", "--clean"], "--clean is for .inp files"),
            (["gen"], "KIND is missing"),
            (["gen", "citty", "-o", "x.inp"], "did you mean 'city'?"),
            (["gen", "city"], "-o FILE.inp"),
            (["gen", "city", "-o"], "-o needs a value"),
            (["gen", "city", "-o", "x.json"], "sluice convert"),
            (["gen", "city", "-o", "x.inp", "--junctions", "3"], "out of range: 10 to"),
            (["gen", "city", "-o", "x.inp", "--junctions", "many"], "not a whole number"),
            (["gen", "city", "-o", "x.inp", "--junctions", "10.5"], "not a whole number"),
            (["gen", "city", "-o", "x.inp", "--junctions", "1__000"], "not a whole number"),
            (["gen", "city", "-o", "x.inp", "--seed", "-1"], "out of range"),
            (["gen", "city", "-o", "x.inp", "--headloss", "C-M"], "H-W or D-W"),
        ):
            with self.subTest(args=args):
                out, err = self.sluice(*args, code=4)
                self.assertEqual(out, "")
                self.assertIn(said, err)
                self.assertEqual(self.names(), [])

    def test_file_instead_of_command(self):
        self.file("town.inp")
        self.assertIn("sluice check town.inp", self.sluice("town.inp", code=4)[1])

    def test_run(self):
        self.file("town.inp")
        out, err = self.sluice("run", "town.inp", "-o", "town.out")
        self.assertTrue(out.startswith("town.inp: 24:00 simulated in "), out)
        self.assertEqual(err, "")
        self.assertEqual(self.names(), ["town.inp", "town.out"])
        self.assertIn("Consistent", self.sluice("verify", "town.inp", "town.out")[0])
        self.file("bad.inp", BAD)
        self.sluice("run", "bad.inp", "-o", "bad.out", code=2)
        self.sluice("run", "nosuch.inp", code=5)
        self.assertEqual(self.names(), ["bad.inp", "town.inp", "town.out"])

    def test_names_like_options(self):
        self.file("--json")
        self.file("-q")
        out, _ = self.sluice("check", "--", "--json", "-q")
        self.assertEqual(len(out.splitlines()), 2)
        self.assertTrue(out.startswith("--json: fine"))


class Check(Case):
    def test_fine(self):
        self.file("town.inp")
        out, err = self.sluice("check", "town.inp")
        self.assertEqual(out, "town.inp: fine (2 junctions, 1 reservoir, 1 tank, 3 pipes)\n")
        self.assertEqual(err, "")
        self.assertEqual(self.sluice("check", "--json", "town.inp")[0], "")
        self.assertEqual(self.sluice("check", "--quiet", "town.inp"), ("", ""))
        self.sluice("check", "--strict", "town.inp")

    def test_errors(self):
        self.file("bad.inp", BAD)
        out, err = self.sluice("check", "bad.inp", code=2)
        self.assertEqual(out, "bad.inp: 2 errors\n")
        self.assertIn("bad.inp:6:6: error:", err)
        self.assertIn("[not-a-number]", err)
        self.assertIn("   6 | J1   ten        5\n     |      ^~~\n", err)
        self.assertIn("bad.inp:16:10: error:", err)
        self.assertIn("[unknown-node]", err)
        self.assertNotIn("\033", err)

    def test_json(self):
        self.file("bad.inp", BAD)
        out, err = self.sluice("check", "--json", "bad.inp", code=2)
        found = self.json_lines(out)
        self.assertEqual([(d["severity"], d["file"], d["line"], d["column"]) for d in found],
                         [("error", "bad.inp", 6, 6), ("error", "bad.inp", 16, 10)])
        self.assertEqual(err, "bad.inp: 2 errors\n")

    def test_strict(self):
        self.file("warn.inp", WARN)
        out, err = self.sluice("check", "warn.inp")
        self.assertTrue(out.startswith("warn.inp: 1 warning (2 junctions"), out)
        self.assertIn("[unknown-section]", err)
        self.sluice("check", "--strict", "warn.inp", code=1)
        self.assertEqual(self.sluice("check", "--quiet", "warn.inp"), ("", ""))
        self.assertIn("[unknown-section]", self.sluice("check", "--quiet", "--strict", "warn.inp", code=1)[1])

    def test_as_run(self):
        rule = "[RULES]\nRULE M\nIF TANK T1 LEVEL < 1\nOR SYSTEM TIME > 5\nAND SYSTEM TIME > 6\nTHEN PIPE P1 STATUS IS OPEN\n\n[END]"
        self.file("rule.inp", GOOD.replace("[END]", rule))
        err = self.sluice("check", "rule.inp")[1]
        self.assertRegex(err, r"rule.inp:\d+: warning: rule M: AND and OR are mixed")
        self.assertIn("[rule-logic]", err)
        self.assertIn(err.splitlines()[0], self.sluice("run", "rule.inp")[1])

    def test_goes_on(self):
        self.file("bad.inp", BAD)
        self.file("town.inp")
        out, err = self.sluice("check", "bad.inp", "nosuch.inp", "twon.inp", ".", "town.inp", code=5)
        self.assertEqual([line.split(":")[0] for line in out.splitlines()],
                         ["bad.inp", "nosuch.inp", "twon.inp", ".", "town.inp"])
        self.assertIn("nosuch.inp: error: cannot read the file: no such file or folder", err)
        self.assertIn("did you mean town.inp?", err)
        self.assertIn("it is a folder", err)

    def test_empty(self):
        self.file("empty.inp", "")
        out, err = self.sluice("check", "empty.inp", code=2)
        self.assertIn("[no-sections]", err)
        self.assertEqual(out, "empty.inp: 1 error\n")
        for command in (["info", "empty.inp"], ["convert", "empty.inp", "x.inp"], ["convert", "empty.inp", "x.json"]):
            self.sluice(*command, code=2)
        self.assertEqual(self.names(), ["empty.inp"])

    def test_stdin(self):
        out, _ = self.sluice("check", "-", input=GOOD.encode())
        self.assertTrue(out.startswith("<stdin>: fine"), out)
        out, _ = self.sluice("check", "--json", "-", input=BAD.encode(), code=2)
        self.assertEqual(self.json_lines(out)[0]["file"], "<stdin>")

    def test_many_problems(self):
        n = 700
        rows = "".join(f"K{i}  x\n" for i in range(n))
        many = GOOD.replace("[RESERVOIRS]", rows + "[RESERVOIRS]")
        self.file("many.inp", many)
        _, err = self.sluice("check", "many.inp", code=2)
        self.assertEqual(len(re.findall(r"^many\.inp:\d+", err, re.M)), 200)
        self.assertEqual(len(re.findall(r"error:", err)), 200)  # errors go before warnings
        self.assertRegex(err, r"\.\.\. not shown: 500 errors")
        self.assertIn("--all", err)
        _, err = self.sluice("check", "--all", "many.inp", code=2)
        self.assertEqual(len(re.findall(r"error:", err)), n)
        out, _ = self.sluice("check", "--json", "many.inp", code=2)
        self.assertEqual(sum(d["severity"] == "error" for d in self.json_lines(out)), n)

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_unreadable(self):
        self.file("secret.inp").chmod(0)
        self.assertIn("Permission denied", self.sluice("check", "secret.inp", code=5)[1])

    def test_binary_does_no_harm(self):
        for i, content in enumerate((b"\x00" * 5000, b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40, b"\xff\xfe[\x00J\x00",
                                     b"[" * 100000, b"[JUNCTIONS]\n" + b"A" * 1000000)):
            with self.subTest(i=i):
                self.file("junk.inp", content)
                self.sluice("check", "junk.inp", code=2)


class Info(Case):
    def test_json(self):
        self.file("town.inp")
        out, err = self.sluice("info", "town.inp", "--json")
        info = json.loads(out)
        self.assertEqual(err, "")
        self.assertEqual(info["counts"], COUNTS)
        self.assertEqual((info["file"], info["file_size_bytes"]), ("town.inp", len(GOOD)))
        self.assertEqual((info["flow_unit"], info["headloss"], info["duration_s"]), ("LPS", "H-W", 86400))
        self.assertEqual((info["connected_parts"], info["parts_without_source"]), (1, 0))
        self.assertEqual(info["nodes_with_coordinates"], 4)
        self.assertEqual(info["diagnostics"], [])
        self.assertEqual(info["title"], ["A small town"])
        self.assertAlmostEqual(info["base_demand_m3_per_s"], 0.008, 6)
        self.assertAlmostEqual(info["pipe_length_m"], 1200, 9)
        self.assertAlmostEqual(info["pipe_diameter_max_m"], 0.3, 9)
        self.assertEqual((info["elevation_min_m"], info["elevation_max_m"]), (10, 40))

    def test_text(self):
        self.file("town.inp")
        out, err = self.sluice("info", "town.inp")
        self.assertEqual(err, "")
        for line in ("town.inp (", "A small town", "2 junctions, 1 reservoir, 1 tank", "1.2 km, diameter 200 to 300 mm",
                     "10 to 40 m", "8 LPS in total", "Hazen-Williams", "24:00, steps: hydraulics 1:00", "all connected"):
            self.assertIn(line, out)
        self.assertEqual(self.sluice("info", "-", input=GOOD.encode())[0], out.replace("town.inp", "<stdin>"))

    def test_problems(self):
        self.file("bad.inp", BAD)
        out, err = self.sluice("info", "bad.inp", code=2)
        self.assertEqual(out, "")
        self.assertIn("bad.inp:6:6: error:", err)
        info = json.loads(self.sluice("info", "bad.inp", "--json", code=2)[0])
        self.assertEqual(info["errors"], 2)
        self.assertEqual(len(info["diagnostics"]), 2)
        self.assertNotIn("counts", info)
        info = json.loads(self.sluice("info", "nosuch.inp", "--json", code=5)[0])
        self.assertEqual(info["diagnostics"][0]["code"], "io")
        self.file("warn.inp", WARN)
        info = json.loads(self.sluice("info", "warn.inp", "--json", "--strict", code=1)[0])
        self.assertEqual([d["code"] for d in info["diagnostics"]], ["unknown-section"])
        self.assertEqual(info["counts"], COUNTS)
        self.assertIn("1, listed by `sluice check`", self.sluice("info", "warn.inp")[0])

    def test_parts(self):
        text = GOOD.replace("P3   J2  T1", "P3   J1  J2").replace("J2   12         3\n", "J2   12  3\nJ8  1\nJ9  1\n")
        self.file("two.inp", text.replace("[OPTIONS]", "P9  J8  J9  10  100  100\n\n[OPTIONS]"))
        run = self.run_raw("info", "--json", "two.inp")
        info = json.loads(run.stdout)
        if run.returncode == 0:  # a validation may call it an error instead
            self.assertEqual((info["connected_parts"], info["parts_without_source"]), (3, 1))


class Convert(Case):
    def test_unchanged(self):
        content = GOOD.replace("\n", "\r\n").replace("J1   10", "J1\t10") + ";the end"
        self.file("a.inp", content)
        self.sluice("convert", "a.inp", "b.inp")
        self.assertEqual((self.dir / "b.inp").read_bytes().rstrip(), content.encode().rstrip())
        self.assertEqual(self.names(), ["a.inp", "b.inp"])

    def test_units(self):
        self.file("a.inp")
        self.sluice("convert", "a.inp", "b.inp", "--units", "gpm")
        info = json.loads(self.sluice("info", "--json", "b.inp")[0])
        self.assertEqual((info["flow_unit"], info["pressure_unit"]), ("GPM", "PSI"))
        self.assertEqual(info["counts"], COUNTS)
        self.assertAlmostEqual(info["pipe_length_m"], 1200, 4)
        for clean in ([], ["--clean"]):
            self.sluice("convert", "b.inp", "c.inp", "--units=LPS", *clean)
            back = json.loads(self.sluice("info", "--json", "c.inp")[0])
            self.assertAlmostEqual(back["base_demand_m3_per_s"], 0.008, 6)
            self.assertAlmostEqual(back["elevation_max_m"], 40, 6)

    def test_in_place(self):
        path = self.file("a.inp")
        path.chmod(0o640)
        (self.dir / "link.inp").symlink_to("a.inp")
        self.sluice("convert", "--clean", "link.inp", "link.inp")
        once = path.read_bytes()
        self.assertNotEqual(once, GOOD.encode())
        self.assertTrue((self.dir / "link.inp").is_symlink())
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o640)
        self.sluice("convert", "--clean", "a.inp", "a.inp")
        self.assertEqual(path.read_bytes(), once)
        self.assertEqual(self.names(), ["a.inp", "link.inp"])

    def test_formats(self):
        self.file("a.inp")
        for name in ("a.json", "a.geojson", "b.GeoJSON"):
            self.sluice("convert", "a.inp", name)
            json.loads((self.dir / name).read_text(encoding="utf-8"))
        geo = json.loads((self.dir / "a.geojson").read_text())
        self.assertEqual(geo["type"], "FeatureCollection")
        self.assertEqual(len(geo["features"]), 4 + 3)
        self.assertEqual(self.sluice("convert", "a.inp", "-", "--to", "json")[0], (self.dir / "a.json").read_text())
        self.assertEqual(self.sluice("convert", "-", "-", "--to=inp", input=GOOD.encode())[0], GOOD)
        self.sluice("convert", "a.inp", "a.txt", "-t", "geojson")
        self.assertEqual((self.dir / "a.txt").read_text(), (self.dir / "a.geojson").read_text())

    def test_geojson_without_coordinates(self):
        self.file("a.inp", re.sub(r"\[COORDINATES\].*?\n\n", "", GOOD, flags=re.S))
        self.assertIn("warning:", self.sluice("convert", "a.inp", "a.geojson")[1])
        self.sluice("convert", "--strict", "a.inp", "a.geojson", code=1)

    def test_bad_input_leaves_out_alone(self):
        self.file("bad.inp", BAD)
        old = self.file("out.inp", "precious")
        for args in ([], ["--clean"], ["--units", "GPM"], ["--to", "json"]):
            _, err = self.sluice("convert", "bad.inp", "out.inp", *args, code=2)
            self.assertIn("bad.inp:6:6: error:", err)
            self.assertEqual(old.read_text(), "precious")
        out, _ = self.sluice("convert", "--json", "bad.inp", "out.inp", code=2)
        self.assertEqual([d["line"] for d in self.json_lines(out)], [6, 16])
        out, err = self.sluice("convert", "--json", "bad.inp", "-", "--to", "inp", code=2)
        self.assertEqual(out, "")
        self.assertEqual([d["line"] for d in self.json_lines(err)], [6, 16])
        self.sluice("convert", "nosuch.inp", "out.inp", code=5)
        self.assertEqual(self.names(), ["bad.inp", "out.inp"])

    def test_unwritable(self):
        self.file("a.inp")
        (self.dir / "folder.inp").mkdir()
        for out, said in (("nosuch/x.inp", "no such file or folder"), ("folder.inp", "it is a folder"),
                          ("a.inp/x.inp", os.strerror(errno.ENOTDIR)), ("x" * 300 + ".inp", os.strerror(errno.ENAMETOOLONG)),
                          ("/proc/x.inp", "")):
            for extra in ([], ["--clean"]):
                with self.subTest(out=out, extra=extra):
                    _, err = self.sluice("convert", "a.inp", out, *extra, code=5)
                    self.assertIn("cannot write " + out, err)
                    self.assertIn(said, err)
        self.assertEqual(self.names(), ["a.inp", "folder.inp"])
        self.assertEqual(list((self.dir / "folder.inp").iterdir()), [])

    @unittest.skipIf(os.geteuid() == 0, "root may write everything")
    def test_read_only(self):
        self.file("a.inp")
        self.file("b.inp", "old").chmod(0o444)
        self.assertIn("Permission denied", self.sluice("convert", "a.inp", "b.inp", code=5)[1])
        self.dir.chmod(0o555)
        self.assertIn("Permission denied", self.sluice("convert", "a.inp", "c.inp", code=5)[1])
        self.dir.chmod(0o755)


class World(Case):
    """Full disks, closed pipes, devices, signals."""

    def test_full_output(self):
        self.file("town.inp")
        for args in (["info", "town.inp"], ["info", "--json", "town.inp"], ["check", "town.inp"], ["help"], ["--version"],
                     ["check", "--help"], ["convert", "town.inp", "-", "--to", "json"], ["gen", "city", "-o", "-"]):
            with self.subTest(args=args), open("/dev/full", "wb") as full:
                _, err = self.sluice(*args, code=5, stdout=full)
                self.assertIn("No space left on device", err)

    def test_full_device(self):
        self.file("town.inp")
        for args in (["convert", "town.inp", "/dev/full", "--to", "inp"], ["convert", "town.inp", "/dev/full", "--to", "json"],
                     ["gen", "city", "-o", "/dev/full"]):
            self.assertIn("cannot write /dev/full: No space left on device", self.sluice(*args, code=5)[1])
            self.assertTrue(stat.S_ISCHR(os.stat("/dev/full").st_mode))

    def test_devices_are_not_replaced(self):
        self.sluice("gen", "city", "-o", "/dev/null")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        os.mkfifo(self.dir / "pipe")
        reader = subprocess.Popen(["cat", "pipe"], cwd=self.dir, stdout=subprocess.PIPE)
        self.sluice("gen", "city", "-n", "50", "-o", "pipe", "-q")
        text = reader.communicate(timeout=TIMEOUT)[0]
        self.assertTrue(text.decode() == self.sluice("gen", "city", "-n", "50", "-o", "-")[0])
        self.assertTrue(stat.S_ISFIFO((self.dir / "pipe").stat().st_mode))

    def closed(self, args, code=0):
        """Runs with standard output a pipe that nobody reads."""
        r, w = os.pipe()
        os.close(r)
        try:
            run = self.run_raw(*args, stdout=w)
        finally:
            os.close(w)
        self.assertEqual((run.returncode, run.stderr), (code, b""), args)

    def test_closed_pipe(self):
        self.file("town.inp")
        self.file("bad.inp", BAD)
        self.closed(["info", "town.inp"])
        self.closed(["info", "--json", "bad.inp"], code=2)
        self.closed(["check", "town.inp"])
        self.closed(["help"])
        self.closed(["convert", "town.inp", "-", "--to", "inp"])
        self.closed(["convert", "--clean", "town.inp", "-", "--to", "inp"])
        self.closed(["convert", "town.inp", "-", "--to", "geojson"])
        self.closed(["gen", "city", "-n", "30000", "-o", "-"])

    def test_half_closed_pipe(self):
        line = f"'{SLUICE}' gen city -n 30000 -o - | head -1; echo ${{PIPESTATUS[0]}}"
        run = subprocess.run(["bash", "-c", line], capture_output=True, timeout=TIMEOUT)
        self.assertEqual(run.stderr, b"")
        self.assertEqual(run.stdout.split()[-1], b"0")

    def test_no_output_at_all(self):
        self.file("town.inp")
        line = f"'{SLUICE}' info town.inp >&-; echo $?; '{SLUICE}' check town.inp 2>&- <&-; '{SLUICE}' check - <&-; echo $?"
        run = subprocess.run(["bash", "-c", line], cwd=self.dir, capture_output=True, timeout=TIMEOUT)
        lines = run.stdout.decode().splitlines()
        self.assertEqual((lines[0], lines[-1]), ("5", "2"), run.stdout)
        self.assertTrue(lines[1].startswith("town.inp: fine"), lines)

    def test_colour(self):
        self.file("bad.inp", BAD)

        def on_terminal(env):
            master, slave = self.terminal()
            run = subprocess.run([SLUICE, "check", "bad.inp"], cwd=self.dir, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=slave, env=env, timeout=TIMEOUT)
            os.close(slave)
            text = read_all(master)
            os.close(master)
            self.assertEqual(run.returncode, 2)
            return text

        env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
        self.assertIn(b"\033[1;31m", on_terminal({**env, "TERM": "xterm"}))
        for plain in ({**env, "TERM": "xterm", "NO_COLOR": "1"}, {**env, "TERM": "dumb"}):
            self.assertNotIn(b"\033", on_terminal(plain))
        self.assertNotIn("\033", self.sluice("check", "bad.inp", code=2)[1])


def read_all(fd):
    text = b""
    while select.select([fd], [], [], 0.2)[0]:
        try:
            more = os.read(fd, 65536)
        except OSError:
            break
        if not more:
            break
        text += more
    return text


class Gen(Case):
    BIG = "2_000_000"  # takes longer than it takes to interrupt it

    def test_city(self):
        out, err = self.sluice("gen", "city", "--junctions", "1_200", "--seed", "7", "-o", "a.inp")
        self.assertEqual((out, err), ("a.inp: a city of 1200 junctions\n", ""))
        self.sluice("gen", "city", "-n1.2e3", "-s", "7", "-qo", "b.inp")
        a = (self.dir / "a.inp").read_bytes()
        self.assertTrue((self.dir / "b.inp").read_bytes() == a)
        self.sluice("gen", "city", "-n1200", "-s8", "-o", "c.inp", "--headloss", "d-w", "--duration=48:00")
        self.assertFalse((self.dir / "c.inp").read_bytes() == a)
        self.assertTrue(self.sluice("gen", "city", "-n1200", "-s7", "-o", "-")[0].encode() == a)
        info = json.loads(self.sluice("info", "--json", "c.inp")[0])
        self.assertEqual((info["counts"]["junctions"], info["headloss"], info["duration_s"]), (1200, "D-W", 172800))
        self.assertEqual((info["connected_parts"], info["errors"]), (1, 0))
        self.sluice("check", "--strict", "a.inp", "c.inp")

    def start(self, **kw):
        process = subprocess.Popen([SLUICE, "gen", "city", "-n", self.BIG, "-o", "big.inp"], cwd=self.dir,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, **kw)
        self.addCleanup(process.stdout.close)
        end = time.monotonic() + TIMEOUT
        while not self.n_unfinished(process) and process.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        self.assertIsNone(process.poll(), "it was over before it could be interrupted")
        return process

    def test_interrupted(self):
        for sig in (signal.SIGINT, signal.SIGTERM):
            process = self.start(stderr=subprocess.PIPE)
            process.send_signal(sig)
            out, err = process.communicate(timeout=TIMEOUT)
            self.assertEqual((process.returncode, out, err), (128 + sig, b"", b"sluice: interrupted\n"))
            self.assertEqual(self.names(), [])

    def test_interrupted_keeps_the_old_file(self):
        old = self.file("big.inp", "precious")
        process = subprocess.Popen([SLUICE, "gen", "city", "-n", self.BIG, "-o", "big.inp"], cwd=self.dir,
                                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + TIMEOUT
        while not self.n_unfinished(process) and process.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=TIMEOUT), 130)
        self.assertEqual((self.names(), old.read_text()), (["big.inp"], "precious"))

    def test_interrupted_twice(self):
        process = self.start(stderr=subprocess.PIPE)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)  # the kernel may fold the two into one
        _, err = process.communicate(timeout=TIMEOUT)
        self.assertIn(process.returncode, (130, -signal.SIGINT))
        self.assertEqual(self.names(), [])

    def test_interrupted_while_waiting_for_input(self):
        process = subprocess.Popen([SLUICE, "check", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=TIMEOUT), 130)
        self.assertEqual(process.stderr.read(), b"sluice: interrupted\n")
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()

    def test_progress_bar(self):
        master, slave = self.terminal()
        process = self.start(stderr=slave, env={**os.environ, "TERM": "xterm"})
        os.close(slave)
        text = b""
        end = time.monotonic() + TIMEOUT
        while b"%" not in text and time.monotonic() < end:
            if select.select([master], [], [], 0.1)[0]:
                text += os.read(master, 4096)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=TIMEOUT)
        text += read_all(master)
        os.close(master)
        self.assertRegex(text.decode(), r"\r\w[\w ,-]*  \[#*\.*\] +\d+ %")
        # Erased before the message, which is the last thing there is.
        self.assertRegex(text.decode(), "\r\033\\[K(\033\\[1m)?sluice:(\033\\[0m)? interrupted\r\n$")
        self.assertEqual(self.names(), [])

    def test_progress_bar_leaves_no_trace(self):
        master, slave = self.terminal()
        run = subprocess.run([SLUICE, "gen", "city", "-n", "200000", "-o", "/dev/null"], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=slave, env={**os.environ, "TERM": "xterm"}, timeout=TIMEOUT)
        os.close(slave)
        text = read_all(master)
        os.close(master)
        self.assertEqual(run.returncode, 0)
        self.assertTrue(text == b"" or text.endswith(b"\r\033[K"), text[-200:])
        run = self.run_raw("gen", "city", "-n", "200000", "-o", "/dev/null")
        self.assertEqual(run.stderr, b"")  # no bar in a pipe


if __name__ == "__main__":
    main()
