# SPDX-License-Identifier: MIT
"""sluice run: exit codes, the summary, files that appear only when they are whole, messages, interruptions."""
import csv
import json
import os
import re
import signal
import subprocess
import time

from cli_test import BAD, GOOD, ROOT, SLUICE, WARN, Case, main

EXAMPLES = ROOT / "examples"
# A junction that nothing feeds: a warning of the run.
DRY = GOOD.replace("J2   12         3\n", "J2   12         3\nJ3   12         3\nJ4   12         3\n").replace(
    "P3   J2  T1  300  200  110\n", "P3   J2  T1  300  200  110\nP4   J3  J4  300  200  110\n")


class Run(Case):
    def test_every_example_runs(self):
        names = [p for p in sorted(EXAMPLES.glob("*.inp")) if p.name != "broken.inp"]
        self.assertGreater(len(names), 5)
        for path in names:
            with self.subTest(path.name):
                out, err = self.sluice("run", path, "-o", "r.out", "--report", "r.rpt")
                self.assertIn("simulated", out.splitlines()[0])
                self.assertNotIn("error:", err)
                self.assertLessEqual(len(out.splitlines()), 32)
                self.assertGreater((self.dir / "r.out").stat().st_size, 884)
                self.assertIn("came to its end", (self.dir / "r.rpt").read_text("utf-8"))
                self.assertEqual(self.names(), ["r.out", "r.rpt"])

    def test_no_file_without_being_asked(self):
        self.file("a.inp")
        out, err = self.sluice("run", "a.inp")
        self.assertEqual(self.names(), ["a.inp"])
        self.assertTrue(out.startswith("a.inp: 24:00 simulated"), out)
        self.assertIn("\n  Pressure ", out)
        self.assertIn("\n  Tanks         T1: level ", out)
        self.assertEqual(err, "")

    def test_the_same_bytes_each_time(self):
        self.file("a.inp")
        for k in "12":
            self.sluice("run", "a.inp", "-q", "-o", "%s.out" % k, "-o", "%s.rpt" % k, "--threads", k)
        for ending in "out", "rpt":
            self.assertEqual((self.dir / ("1." + ending)).read_bytes().replace(b"1.rpt", b"2.rpt"),
                             (self.dir / ("2." + ending)).read_bytes())

    def test_a_result_takes_the_place_of_another(self):
        self.file("a.inp")
        for old in ("r.out", "real.out"):
            (self.dir / old).write_bytes(b"old")
            (self.dir / old).chmod(0o640)
        (self.dir / "link.out").symlink_to("real.out")
        self.sluice("run", "a.inp", "-q", "-o", "r.out", "-o", "link.out")
        self.assertEqual(self.names(), ["a.inp", "link.out", "r.out", "real.out"])
        self.assertTrue((self.dir / "link.out").is_symlink())
        self.assertEqual((self.dir / "r.out").read_bytes(), (self.dir / "real.out").read_bytes())
        self.assertEqual((self.dir / "r.out").stat().st_mode & 0o777, 0o640)

    def test_a_network_of_many_blocks(self):
        self.sluice("gen", "city", "-n", "5000", "--duration", "6:00", "-q", "-o", "city.inp")
        self.sluice("run", "city.inp", "-q", "-o", "city.out")
        self.assertIn("Consistent", self.sluice("verify", "city.inp", "city.out")[0])
        self.sluice("run", "city.inp", "-q", "-o", "behind.out", "--threads", "2")  # written by a thread of its own
        self.assertEqual((self.dir / "city.out").read_bytes(), (self.dir / "behind.out").read_bytes())

    def test_report_on_standard_output(self):
        self.file("a.inp", GOOD.replace("[END]", "[REPORT]\nNodes All\nLinks P1\n\n[END]"))
        out, _ = self.sluice("run", "a.inp", "--report", "-")
        self.assertEqual(len(re.findall(r"^  Nodes at ", out, re.M)), 25)
        self.assertEqual(len(re.findall(r"^  P1 ", out, re.M)), 25)
        self.assertNotIn("\n  P2 ", out)
        self.assertEqual(out.count("a.inp: 24:00"), 1)  # the summary is in it once
        self.assertEqual(self.names(), ["a.inp"])

    def test_service_pressure(self):
        """A limit where it is asked for, information where it is not; junctions without a demand do not break it."""
        self.file("p.inp", "[JUNCTIONS]\nA 80 0\nB 60 5\n[RESERVOIRS]\nR 90\n[PIPES]\n1 R A 100 300 120\n2 A B 100 300 120\n"
                  "[OPTIONS]\nUnits LPS\nHeadloss H-W\n[END]\n")
        out, _ = self.sluice("run", "p.inp")
        self.assertRegex(out, r"Service +1 of 2 junctions below 20 m, 0 of them with a demand, first A\n")
        self.assertNotIn("Limits", out)
        for text, code in (("20 m", 0), ("29", 0), ("30 m", 1), ("43psi", 1), ("2.9 bar", 0), ("100 ft", 1)):
            s = json.loads(self.sluice("run", "p.inp", "--json", "--service-pressure", text, code=code)[0])["summary"]
            limit, = s["limits"]
            self.assertEqual((limit["kept"], limit["node"], s["service_pressure_given"]), (code == 0, "B", True), text)
            self.assertAlmostEqual(limit["worst"], s["pressure_max_m"]["value"], delta=1e-12)
        self.assertAlmostEqual(limit["allowed"], 30.48, delta=1e-9)
        self.sluice("run", "p.inp", "-q", "--service-pressure", "30 m", code=1)
        self.sluice("run", "p.inp", "-q", "-o", "p.rpt", "--service-pressure", "30 m", code=1)
        self.assertIn("    Limits        BROKEN: pressure at junctions with a demand at least 30 m, worst ",
                      (self.dir / "p.rpt").read_text())
        self.assertIn("is no pressure", self.sluice("run", "p.inp", "--service-pressure", "30 mm", code=4)[1])

    def test_unserved(self):
        """A limit by default where demands are given, and none where they depend on pressure; 6 of 14 L/s are not served."""
        self.file("dry.inp", DRY)
        self.file("pda.inp", DRY.replace("[END]", "[OPTIONS]\nDemand Model PDA\nRequired Pressure 10\n[END]"))
        share = 6.0 / 14.0
        for name, option, code, shown in (("dry", None, 1, 0.01), ("dry", "42 %", 1, 0.42), ("dry", "0.43", 0, 0.43), ("dry", "none", 0, None),
                                          ("pda", None, 0, None), ("pda", "10%", 1, 0.1), ("pda", "1", 0, 1.0)):
            more = ("--unserved", option) if option else ()
            report = json.loads(self.sluice("run", name + ".inp", "--json", *more, code=code)[0])
            self.assertEqual(report["exit_code"], code)
            self.assertAlmostEqual(report["summary"]["balance"]["unserved_share"], share, delta=1e-6)
            limits = report["summary"]["limits"]
            self.assertEqual([(x["limit"], x["allowed"], x["kept"]) for x in limits], [("unserved_share", shown, code == 0)] if shown else [])
            said = [d["text"] for d in report["diagnostics"] if d["code"] == "limit"]
            self.assertEqual(len(said), code)
            if code:
                self.assertAlmostEqual(limits[0]["worst"], share, delta=1e-6)
                self.assertIn("42.86 % of the demand is not served", said[0])
        self.sluice("run", "dry.inp", "-q", "-o", "dry.rpt", code=1)
        self.assertIn("BROKEN: share of the demand that is not served at most 1 %, worst 42.86 %", (self.dir / "dry.rpt").read_text())
        self.assertTrue((self.dir / "dry.rpt").stat().st_size > 0)
        for wrong in ("1.5", "-1 %", "5 m", "few"):
            self.assertIn("is no share", self.sluice("run", "dry.inp", "--unserved", wrong, code=4)[1])
        for duration in ("0", "1h"):  # an instant has no volumes: its flows count
            self.sluice("run", "dry.inp", "-q", "--duration", duration if duration != "0" else "0s", "--unserved", "42%", code=1)

    def test_percentiles(self):
        """Against all pressures of the file of results, sorted."""
        self.file("t.inp", (ROOT / "examples/town.inp").read_text())
        s = json.loads(self.sluice("run", "t.inp", "--json", "-o", "t.csv", "--what", "pressure")[0])["summary"]
        with open(self.dir / "t.csv", encoding="utf-8") as f:
            x = sorted(float(r["pressure_m"]) for r in csv.DictReader(f) if r["kind"] == "junction")
        for share in (5, 25, 50, 75, 95):
            self.assertAlmostEqual(s["pressure_percentiles_m"][str(share)], x[-(-share * len(x) // 100) - 1], delta=0.011)
        self.assertEqual((s["pressure_min_m"]["value"], s["pressure_max_m"]["value"]), (x[0], x[-1]))

    def test_an_instant_has_a_power(self):
        self.file("t.inp", (ROOT / "examples/town.inp").read_text())
        out, _ = self.sluice("run", "t.inp", "--duration", "0")
        self.assertRegex(out, r"Pumps +Main: on, 2\d\.\d+ kW, efficiency 75 %\n")
        self.assertNotIn("kWh", out)
        s = json.loads(self.sluice("run", "t.inp", "--duration", "0", "--json")[0])["summary"]
        self.assertEqual((s["energy"]["energy_kwh"], s["pumps"][0]["energy_kwh"]), (None, None))
        self.assertEqual(s["energy"]["power_kw"], s["pumps"][0]["power_kw"])

    def test_json(self):
        self.file("a.inp")
        out, err = self.sluice("run", "a.inp", "--json")
        answer = json.loads(out)
        self.assertEqual(answer["exit_code"], 0)
        self.assertEqual(answer["engine"], "eps")
        self.assertEqual(answer["messages"], [])
        self.assertEqual(answer["diagnostics"], [])
        summary = answer["summary"]
        self.assertTrue(summary["complete"])
        self.assertEqual(summary["end_s"], 86400)
        self.assertEqual([t["id"] for t in summary["tanks"]], ["T1"])
        self.assertGreater(summary["pressure_max_m"]["value"], summary["pressure_min_m"]["value"])
        self.assertEqual(err, "")
        self.file("bad.inp", BAD)
        out, err = self.sluice("run", "bad.inp", "--json", code=2)
        answer = json.loads(out)
        self.assertEqual(answer["exit_code"], 2)
        self.assertGreaterEqual(len(answer["diagnostics"]), 2)
        self.assertNotIn("summary", answer)

    def test_duration(self):
        self.file("a.inp")
        for text, seconds in ("6:00", 21600), ("1.5 h", 5400), ("90 min", 5400), ("0", 0), ("1d", 86400):
            out, _ = self.sluice("run", "a.inp", "--json", "--duration", text)
            self.assertEqual(json.loads(out)["summary"]["end_s"], seconds)
        out, _ = self.sluice("run", "--duration", "90", "min", "a.inp", "--json")  # in two arguments
        self.assertEqual(json.loads(out)["summary"]["end_s"], 5400)
        out, _ = self.sluice("run", "--duration", "0", "a.inp", "--json")
        self.assertEqual(json.loads(out)["summary"]["end_s"], 0)
        for text, word in (("soon", "is not a time"), ("-3 s", "0 or more"), ("nan", "is not a time"), ("inf", "is not a time"),
                           ("1e400 h", "beyond the range"), ("20", "write 20 s, 20 min or 20:00 (hours)"),
                           ("1.5", "write 1.5 s, 1.5 min or 1.5 h"), ("5 steps", "write 5 s, 5 min or 5:00 (hours)"),
                           ("1e9 d", "1e6 times that of the model")):
            self.assertIn(word, self.sluice("run", "a.inp", f"--duration={text}", code=4)[1])

    def test_units(self):
        self.file("a.inp")
        out, _ = self.sluice("run", "a.inp", "--units", "GPM", "-o", "a.out")
        self.assertIn(" psi at ", out)
        self.assertIn(" gpm in ", out)
        si, us = (json.loads(self.sluice("run", "a.inp", "--json", "-u", u)[0])["summary"] for u in ("LPS", "GPM"))
        # The quantities stay the same to the ten digits that a change of units keeps.
        self.assertAlmostEqual(si["pressure_min_m"]["value"], us["pressure_min_m"]["value"], delta=1e-6)

    def test_wrong_use(self):
        self.file("a.inp")
        self.file("m.rpt")
        for args, word in ((["a.inp", "--durtion", "3"], "--duration"), (["a.inp", "-o", "a.xls"], "does not end in .csv, .json, .h5, "),
                           (["a.inp", "-o", "noending"], "does not end in .csv, .json, .h5, "), (["a.inp", "-o", "a.inp"], "the model itself"),
                           (["m.rpt", "-o", "./m.rpt"], "the model itself"), (["a.inp", "--report", "a.inp"], "the model itself"),
                           (["a.inp", "-o", "b.out", "-o", "./b.out"], "twice"), (["a.inp", "--tanks", "magic"], "--tanks"),
                           (["a.inp", "--rule-logic", "epanat"], "epanet"), (["a.inp", "--threads", "many"], "--threads"),
                           (["a.inp", "--head-error", "-1"], "--head-error"), (["a.inp", "--json", "--report", "-"], "both"),
                           ([], "FILE")):
            with self.subTest(args):
                out, err = self.sluice("run", *args, code=4)
                self.assertIn(word, err)
                self.assertEqual(out, "")
        self.assertEqual(self.names(), ["a.inp", "m.rpt"])
        self.assertEqual((self.dir / "a.inp").read_text(), GOOD)
        self.assertEqual((self.dir / "m.rpt").read_text(), GOOD)

    def test_bad_input(self):
        self.file("empty.inp", "")
        self.file("bad.inp", BAD)
        self.file("old.out", "what was there")
        for name in "empty.inp", "bad.inp", "old.out":
            with self.subTest(name):
                out, err = self.sluice("run", name, "-o", "x.out", code=2)
                self.assertIn(name, err)
                self.assertEqual(out, "")
        self.sluice("run", "missing.inp", "-o", "old.out", code=5)
        self.assertEqual(self.names(), ["bad.inp", "empty.inp", "old.out"])
        self.assertEqual((self.dir / "old.out").read_text(), "what was there")

    def test_unwritable(self):
        self.file("a.inp")
        for path in "no/such/folder/a.out", "a.inp/b.out":
            with self.subTest(path):
                out, err = self.sluice("run", "a.inp", "-o", "fine.rpt", "-o", path, code=5)
                self.assertIn("cannot write " + path, err)
                self.assertEqual(self.names(), ["a.inp"])
        (self.dir / "d.out").mkdir()
        _, err = self.sluice("run", "a.inp", "-o", "d.out", code=5)
        self.assertIn("folder", err)
        _, err = self.sluice("run", "a.inp", "--report", "/dev/full", code=5)
        self.assertIn("cannot write /dev/full", err)

    def test_pipe(self):
        self.file("a.inp")
        os.mkfifo(self.dir / "p.out")
        reader = os.open(self.dir / "p.out", os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        _, err = self.sluice("run", "a.inp", "-o", "p.out", code=5)  # the format goes back to its beginning
        self.assertIn("pipe", err)

    def test_warnings(self):
        self.file("dry.inp", DRY)
        out, err = self.sluice("run", "dry.inp", "-o", "dry.out", code=1)
        self.assertIn("[unserved]", err)
        self.assertEqual(len([l for l in err.splitlines() if "[unserved]" in l]), 1)  # once, not at each of 25 times
        self.assertIn("\n  Unserved ", out)
        out, _ = self.sluice("run", "dry.inp", "--strict", "-o", "dry2.out", code=1)
        self.assertIn("simulated", out)
        self.assertEqual((self.dir / "dry.out").stat().st_size, (self.dir / "dry2.out").stat().st_size)
        self.assertEqual(self.sluice("run", "dry.inp", "--quiet", code=1), ("", ""))
        out, err = self.sluice("run", "dry.inp", "--json", code=1)
        self.assertEqual(err, "")
        codes = {m["code"]: m for m in json.loads(out)["messages"]}
        self.assertIn("unserved", codes)
        self.assertEqual(codes["unserved"]["severity"], "warning")
        self.assertEqual(codes["unserved"]["first_s"], 0)
        self.file("warn.inp", WARN)
        _, err = self.sluice("run", "warn.inp", "--strict", code=1)
        self.assertIn("[unknown-section]", err)

    def test_the_map_is_passed_over(self):
        """Mistakes in it change no result: check tells them, and a run that writes coordinates or is strict."""
        results = []
        for text in GOOD, GOOD.replace("J2  100  0", "J2  far  0\nJ9  1  1"):
            self.file("a.inp", text)
            _, err = self.sluice("run", "a.inp", "-o", "a.out")
            self.assertEqual(err, "")
            results.append((self.dir / "a.out").read_bytes())
        self.assertEqual(*results)
        for line in (["check"], ["run", "-o", "a.csv"], ["run", "--strict"]):
            _, err = self.sluice(*line[:1], "a.inp", *line[1:], code=1 if "--strict" in line else 0)
            self.assertIn("coordinate 'far' is not a number", err)
            self.assertIn("node 'J9' is not defined", err)

    def test_failure(self):
        self.file("h.inp")
        goes_on = ["--head-error", "1e-30"]  # no residual of doubles is as small
        out, _ = self.sluice("run", "h.inp", "-o", "whole.out", *goes_on, code=3)  # the file is silent: the run goes on
        self.assertIn("h.inp: 24:00 simulated", out)
        residuals = json.loads(self.sluice("run", "h.inp", "--json", *goes_on, code=3)[0])["summary"]["residuals"]
        self.assertGreater(residuals["unbalanced"], 1)
        self.file("stop.inp", GOOD.replace("[END]", "[OPTIONS]\nUnbalanced Stop\n[END]"))
        self.assertIn("STOPPED", self.sluice("run", "stop.inp", *goes_on, code=3)[0])
        self.assertIn(" simulated", self.sluice("run", "stop.inp", "--unbalanced", "continue", *goes_on, code=3)[0])
        (self.dir / "whole.out").unlink()
        (self.dir / "stop.inp").unlink()
        hopeless = ["--unbalanced", "stop", *goes_on]
        out, err = self.sluice("run", "h.inp", "-o", "h.out", "-o", "h.rpt", *hopeless, code=3)
        self.assertIn("[not-balanced]", err)
        self.assertIn("h.inp: STOPPED at 0:00 of 24:00", out)
        self.assertEqual(self.names(), ["h.inp", "h.out", "h.rpt"])
        magic = (516114521).to_bytes(4, "little")  # at both ends of a whole .out file
        content = (self.dir / "h.out").read_bytes()
        self.assertEqual((content[:4], content[-4:]), (magic, magic))
        self.assertIn("ERROR", (self.dir / "h.rpt").read_text())
        answer = json.loads(self.sluice("run", "h.inp", "--json", *hopeless, code=3)[0])
        self.assertEqual(answer["exit_code"], 3)

    def test_halt_gives_room_back(self):
        # The place of a whole run's results is taken beforehand; one that halts keeps what it needs.
        self.file("h.inp", GOOD.replace("Duration  24:00", "Duration  90000:00"))
        self.sluice("run", "h.inp", "-o", "h.out", "--head-error", "1e-30", "--unbalanced", "stop", code=3)
        of_file = (self.dir / "h.out").stat()
        self.assertLess(of_file.st_size, 4096)
        self.assertLessEqual(of_file.st_blocks * 512, 65536)

    def test_interruption(self):
        # Years of minutes: it cannot be over before the signal comes.
        self.file("long.inp", GOOD.replace("Duration  24:00", "Duration  900000:00\nHydraulic Timestep 0:01\nReport Timestep 1:00"))
        for path in ("old.out", "old.rpt"):
            self.file(path, "what was there")
        for threads in "12":
            self.interrupt(threads)

    def interrupt(self, threads):
        p = subprocess.Popen([SLUICE, "run", "long.inp", "-o", "old.out", "-o", "old.rpt", "-o", "new.rpt",
                              "--threads", threads], cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(200):
            if self.n_unfinished(p) == 3:
                break
            time.sleep(0.05)
        else:
            self.fail("no unfinished files: " + " ".join(self.names()))
        p.send_signal(signal.SIGINT)
        out, err = p.communicate(timeout=60)
        self.assertEqual(p.returncode, 130, err)
        self.assertEqual(out, b"")
        self.assertIn(b"interrupted", err)
        self.assertEqual(self.names(), ["long.inp", "old.out", "old.rpt"])
        self.assertEqual((self.dir / "old.out").read_text(), "what was there")

    def test_standard_input_and_closed_pipe(self):
        out, _ = self.sluice("run", "-", input=GOOD.encode())
        self.assertTrue(out.startswith("<stdin>: 24:00 simulated"), out)
        self.file("a.inp", GOOD.replace("[END]", "[REPORT]\nNodes All\n[END]"))
        run = subprocess.run("'%s' run a.inp --report - | head -1" % SLUICE, shell=True, cwd=self.dir, capture_output=True)
        self.assertEqual(run.stderr, b"")


main()
