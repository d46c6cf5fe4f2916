#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`sluice cosim`: run files, partners that behave and partners that do not, the supervised start, two models.

The partners are written from the description of the protocol alone (standard library only).
"""
import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from cli_test import Case, ROOT, SLUICE, TIMEOUT, main

EXAMPLES = ROOT / "examples/cosim"

# in out mode [argument]
PARTNER = r'''
import os, sys, time
source, target, mode = sys.argv[1:4]
argument = sys.argv[4] if len(sys.argv) > 4 else ""

def take():
    while True:
        try:
            with open(source) as f:
                lines = f.read().splitlines()
            os.remove(source)
            return lines
        except FileNotFoundError:
            time.sleep(0.001)

def put(text):
    while os.path.exists(target):
        time.sleep(0.001)
    with open(target + ".tmp", "w") as f:
        f.write(text)
    os.rename(target + ".tmp", target)

def note(name, text):
    with open(argument + "/" + name, "w") as f:
        f.write(text)

n = 0
if mode == "first":  # goes first: steps of `argument` seconds up to four of them
    h = float(argument)
    for k in range(1, 5):
        put("TIME=%r\nNEXT_TIMESTEP=%r\nh\n1,1.0,\n" % (k * h, h))
        lines = take()
        if lines == ["END"]:
            break
        print("\n".join(lines))
    put("END\n")
    while take() != ["END"]:
        pass
    sys.exit(0)
while True:
    lines = take()
    if lines == ["END"]:
        break
    n += 1
    now, step = (line.split("=")[1] for line in lines[:2])
    value = "1.0"
    if mode == "print":
        print("\n".join(lines), flush=True)
    if mode == "garbage" and n == 3:
        now, step, value = now, step, "nonsense"
    if mode == "binary" and n == 3:
        with open(target, "wb") as f:
            f.write(bytes(range(256)))
        time.sleep(60)
    if mode == "nan" and n in (3, 4):
        value = "NaN"
    if mode == "large":
        value = "1e9"
    if mode == "wrong-time" and n >= 3:
        now = repr(float(now) + 100.0)
    if mode == "early" and n == 4:
        put("END\n")
        while take() != ["END"]:
            pass
        sys.exit(0)
    if mode == "die" and n == 3:
        os._exit(3)
    if mode == "silent" and n == 3:
        time.sleep(60)
    if mode == "short-step":
        step = argument
    if mode == "hang" and n == 3:  # with a child of its own; says who they are
        child = os.fork()
        if child == 0:
            time.sleep(600)
        note("pids", "%d %d %s" % (os.getpid(), child, os.getcwd()))
        time.sleep(600)
    put("TIME=%s\nNEXT_TIMESTEP=%s\nentity,value,description\n1,%s,speed\n" % (now, step, value))
put("END\n")
if mode == "code":
    sys.exit(7)
'''


def alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def until(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.005)
    return condition()


class Cosim(Case):
    def setUp(self):
        super().setUp()
        self.tmp = self.dir / "tmp"
        self.tmp.mkdir()
        self.env = dict(os.environ, TMPDIR=str(self.tmp))
        self.file("partner.py", PARTNER)
        shutil.copy(EXAMPLES / "pump.inp", self.dir)

    def yaml(self, name="run.yaml", extra="", duration="3:00", skip=1, step="15 min",
             read="[{entity: 1, variable: \"pump.'PU1'.speed\"}]",
             write="[{entity: 1, variable: \"tank.'T1'.level\", unit: cm}]"):
        return self.file(name, f"model: pump.inp\nduration: {duration}\ncosim:\n  in: a.cosim\n  out: b.cosim\n"
                               f"  skip: {skip}\n  step: {step}\n  read: {read}\n  write: {write}\n{extra}")

    def partner(self, mode, *more):
        return ["--", sys.executable, "{here}/partner.py", "{in}", "{out}", mode, *map(str, more)]

    def run_with(self, mode, *more, code=0, options=(), **yaml):
        self.yaml(**yaml)
        got = self.sluice("cosim", "run.yaml", *options, *self.partner(mode, *more), code=code, env=self.env)
        self.assertEqual(list(self.tmp.iterdir()), [], "something stays behind")
        return got


class Plain(Cosim):
    def test_example(self):
        for path in EXAMPLES.iterdir():
            shutil.copy(path, self.dir)
        out, err = self.sluice("cosim", "pump.yaml", "-o", "pump.csv", "--", sys.executable, "{here}/control.py", "{in}",
                               "{out}", env=self.env)
        self.assertEqual(err, "")
        self.assertIn("95 messages read, 96 written", out)
        self.assertIn("T1: level", out)
        self.assertTrue((self.dir / "pump.csv").stat().st_size > 1000)

    def test_messages(self):
        out, err = self.run_with("print", duration="0:45")
        self.assertEqual(err, "")
        first = out.splitlines()
        self.assertEqual(first[0:2], ["TIME=900", "NEXT_TIMESTEP=900"])
        entity, level, text = first[3].split(",")
        self.assertEqual((entity, text), ("1", "tank.'T1'.level"))
        self.assertTrue(200 < float(level) < 300)  # cm
        self.assertIn("TIME=1800", first)
        self.assertIn("TIME=2700", first)

    def test_without_supervision(self):
        self.yaml()
        partner = subprocess.Popen([sys.executable, "partner.py", "b.cosim", "a.cosim", "plain"], cwd=self.dir)
        out, err = self.sluice("cosim", "run.yaml")
        self.assertEqual((partner.wait(10), err), (0, ""))
        self.assertRegex(out, "1[1-3] messages read, 1[2-4] written")
        self.assertFalse([n for n in self.names() if "cosim" in n])

    def test_partner_goes_first(self):
        out, err = self.run_with("first", 600, skip=0, duration="0:40", step="10 min")
        self.assertEqual(err, "")
        self.assertEqual([line for line in out.splitlines() if line.startswith("TIME")],
                         ["TIME=600", "TIME=1200", "TIME=1800", "TIME=2400"])

    def test_the_shorter_step_counts(self):
        out, _ = self.run_with("short-step", "300", duration="1:00", options=["--json"])
        self.assertEqual(json.loads(out)["exchange"]["written"], 1 + (3600 - 900) // 300)

    def test_steps_that_lead_nowhere(self):
        """A millionth of a second, or less than any clock: refused by name after a thousand of them."""
        for step in "1e-6", "1e-300":
            _, err = self.run_with("short-step", step, code=5, duration="100:00")
            self.assertRegex(err, r"the partner of \S*a.cosim announced more than 1000 steps in a row of less than 0.00036 s")

    def test_sub_stepping(self):
        out, _ = self.run_with("short-step", "1800", duration="2:00", options=["--json"], extra="  sync: sub\n")
        self.assertEqual(json.loads(out)["exchange"]["written"], 1 + 4)  # 900, 2700, 4500, 6300, 7200

    def test_same_as_the_run_alone(self):
        """A partner that sets what is there already changes nothing that matters."""
        self.run_with("plain", options=["-o", "a.out"])
        self.file("alone.inp", (self.dir / "pump.inp").read_text().replace("48:00", "3:00").replace(
            "Hydraulic Timestep   1:00", "Hydraulic Timestep   0:15"))
        self.sluice("run", "alone.inp", "-o", "b.out")
        out, _ = self.sluice("compare", "a.out", "b.out")
        self.assertIn("same", out.lower())

    def test_json(self):
        out, err = self.run_with("plain", options=["--json"])
        report = json.loads(out)
        self.assertEqual(report["exit_code"], 0)
        self.assertEqual(report["exchange"]["ended"], "complete")
        self.assertEqual(report["exchange"]["read"] + 1, report["exchange"]["written"])
        self.assertTrue(report["exchange"]["written"] >= 12)
        self.assertEqual(report["engine"], "eps")


class Faults(Cosim):
    def test_garbage(self):
        out, err = self.run_with("garbage", code=5, options=["-o", "x.out"])
        self.assertIn("[partner]", err)
        self.assertIn("a.cosim, line 4: a value is not a number (message 3) (at 0:45)", err)
        self.assertTrue((self.dir / "x.out").exists())  # what was computed is worth having

    def test_binary_garbage(self):
        _, err = self.run_with("binary", code=5, extra="  short_wait: 0.2\n")
        self.assertIn("[partner]", err)

    def test_never_starts(self):
        self.yaml(extra="  timeout: 0.3\n")
        begin = time.monotonic()
        _, err = self.sluice("cosim", "run.yaml", code=5)
        self.assertIn("waited 0.3 s", err)
        self.assertTrue(time.monotonic() - begin < 30)
        self.assertEqual([n for n in self.names() if "cosim" in n], [])  # nobody came: there is nobody to say good-bye to

    def test_silent(self):
        _, err = self.run_with("silent", code=5, extra="  read_timeout: 0.3\n")
        self.assertIn("waited 0.3 s", err)
        self.assertIn("did not end by itself", err)

    def test_early_end(self):
        out, err = self.run_with("early", options=["-o", "x.out"])
        self.assertIn("the partner ended at 1:00", err)
        self.assertIn("3:00", err)
        self.assertTrue((self.dir / "x.out").exists())
        self.run_with("early", code=1, options=["--strict"])
        out, err = self.run_with("early", extra="  alone: true\n", options=["--json"])
        self.assertEqual(json.loads(out)["exchange"]["ended"], "complete")

    def test_missing_values(self):
        out, err = self.run_with("nan")
        self.assertIn("variable pump.'PU1'.speed: the partner sent no value, 2 times", err)
        self.assertIn("keeps the value", err)

    def test_impossible_value(self):
        _, err = self.run_with("large", code=5)
        self.assertIn("pump.'PU1'.speed", err)
        self.assertIn("cannot be used", err)

    def test_wrong_time(self):
        _, err = self.run_with("wrong-time")
        self.assertIn("time: the partner's is 0:46:40, ours 0:45", err)
        _, err = self.run_with("wrong-time", code=5, extra="  strict: true\n")
        self.assertIn("error:", err)

    def test_death_of_the_partner(self):
        begin = time.monotonic()
        _, err = self.run_with("die", code=5)
        self.assertIn("ended with exit code 3", err)
        self.assertIn("died", err)
        self.assertTrue(time.monotonic() - begin < 20)

    def test_exit_code_of_the_partner(self):
        _, err = self.run_with("code", code=5)
        self.assertIn("exit code 7", err)

    def test_no_such_program(self):
        self.yaml()
        _, err = self.sluice("cosim", "run.yaml", "--", "no-such-program", code=5, env=self.env)
        self.assertIn("cannot start no-such-program", err)
        self.assertEqual(list(self.tmp.iterdir()), [])


class Kill(Cosim):
    """kill -9 of either side, and Ctrl-C: the other one ends, nothing is left."""

    def start(self, mode="hang"):
        self.yaml()
        run = subprocess.Popen([SLUICE, "cosim", "run.yaml", *self.partner(mode, self.dir)], cwd=self.dir, env=self.env,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.addCleanup(lambda: run.poll() is None and run.kill())
        pids = self.dir / "pids"
        self.assertTrue(until(lambda: pids.exists() and pids.read_text().count(" ") == 2, 60))
        one, two, where = pids.read_text().split()
        return run, int(one), int(two), Path(where)

    def gone(self, *pids):
        self.assertTrue(until(lambda: not any(map(alive, pids)), 10), "a process is left")
        self.assertTrue(until(lambda: not list(self.tmp.iterdir()), 10), "a directory is left")

    def test_kill_the_partner(self):
        run, one, two, where = self.start()
        self.assertEqual(where.parent.resolve(), self.tmp.resolve())
        self.assertEqual(os.stat(where).st_mode & 0o777, 0o700)
        os.kill(one, signal.SIGKILL)
        _, err = run.communicate(timeout=TIMEOUT)
        self.assertEqual(run.returncode, 5, err)
        self.assertIn(b"ended by signal 9", err)
        self.gone(one, two)

    def test_kill_sluice(self):
        run, one, two, _ = self.start()
        run.send_signal(signal.SIGKILL)
        run.communicate(timeout=TIMEOUT)
        self.gone(one, two)

    def test_interrupt(self):
        run, one, two, _ = self.start()
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=TIMEOUT)
        self.assertEqual(run.returncode, 130, err)
        self.gone(one, two)

    def test_interrupt_tells_the_partner(self):
        self.yaml(duration="10000:00")
        log = open(self.dir / "log", "w")
        partner = subprocess.Popen([sys.executable, "partner.py", "b.cosim", "a.cosim", "print"], cwd=self.dir, stdout=log)
        run = subprocess.Popen([SLUICE, "cosim", "run.yaml"], cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.assertTrue(until(lambda: (self.dir / "log").stat().st_size > 1000, 60))
        run.send_signal(signal.SIGTERM)
        _, err = run.communicate(timeout=TIMEOUT)
        self.assertEqual(run.returncode, 128 + signal.SIGTERM, err)
        self.assertEqual(partner.wait(TIMEOUT), 0)  # it met END
        log.close()


class RunFiles(Cosim):
    def check(self, text, *says, code=2):
        self.file("run.yaml", text)
        _, err = self.sluice("cosim", "run.yaml", code=code)
        for word in says:
            self.assertIn(word, err)

    def test_wrong_files(self):
        self.check("modle: a.inp\n", "run.yaml:1:1: error: model is missing", "did you mean 'model'?", "cosim is missing")
        self.check("model: nothing.inp\ncosim: {skip: 1}\n", "nothing.inp", code=5)
        self.check("a: [\n", "not YAML")
        self.check("model: pump.inp\nduration: 1e300\ncosim: {skip: 1, step: 15 min}\n", "is too long: the most is 2e+06 days")
        self.check("model: pump.inp\ncosim:\n  skip: -1\n  sync: mni\n  read: {a: 1}\n", "run.yaml:3:9", "did you mean 'min'?",
                   "read: a map is not a list")
        self.check("model: pump.inp\ncosim: {in: a, out: b, uri: 'mem:x'}\n", "both files and a uri")

    def test_wrong_variables(self):
        def rows(read="[]", write="[]"):
            return "model: pump.inp\ncosim:\n  read: %s\n  write: %s\n" % (read, write)
        self.check(rows("[{entity: 1, variable: \"pump.'PU2'.speed\"}]"), "run.yaml:3:", "did you mean pump.'PU1'.speed?")
        self.check(rows("[{entity: 1, variable: \"node.'A'.pressure\"}]"), "cannot be set", "vars --inputs")
        self.check(rows("[{entity: 1, variable: \"pipe.'W_A'.diameter\"}]"), "fixed after the start")
        self.check(rows(write="[{entity: 1, variable: \"tank.'T1'.level\", unit: psi}]"), "run.yaml:4:", "'psi'", "[unit]")
        self.check(rows(write="[{entity: 1, variable: \"tank.'T1'.level\", unit: mm/h}]"), "[unit]")
        self.check(rows(write="[{variable: \"tank.'T1'.level\"}]"), "entity is missing")
        self.check(rows(write="[{entity: 1, variable: \"tank.'T1'.level\"}, {entity: 1, variable: \"node.'A'.head\"}]"),
                   "entity 1 of type 0 is there already")
        self.check(rows("[{entity: 1, variable: \"pump.'PU1'.speed\"}, {entity: 2, variable: \"pump.'PU1'.speed\"}]"),
                   "set by two rows")
        self.assertEqual(list(self.tmp.iterdir()), [])

    def test_wrong_use(self):
        self.yaml()
        self.sluice("cosim", code=4)
        self.sluice("cosim", "run.yaml", "--", code=4)
        self.sluice("cosim", "run.yaml", "run.yaml", "run.yaml", code=4)
        self.sluice("cosim", "run.yaml", "-o", "run.yaml", code=4)
        self.sluice("cosim", "run.yaml", "-o", "pump.inp", code=4)
        self.sluice("cosim", "run.yaml", "-o", "x.what", code=4)
        self.assertTrue((self.dir / "pump.inp").stat().st_size > 100)

    def test_the_model_is_beside_the_run_file(self):
        below = self.dir / "below"
        below.mkdir()
        shutil.copy(self.dir / "pump.inp", below)
        self.yaml("below/run.yaml", duration="0:30")
        os.remove(self.dir / "pump.inp")
        self.sluice("cosim", "below/run.yaml", *self.partner("plain"), env=self.env)

    def test_scale(self):
        out, _ = self.run_with("print", duration="0:30", write="[{entity: 1, variable: \"tank.'T1'.level\", unit: m, scale: -2}]")
        level = float(out.splitlines()[3].split(",")[1])
        self.assertTrue(-6 < level < -4, level)


class TwoModels(Cosim):
    HALVES = ("west", "east")

    def levels(self, path, tank):
        """Heads of a tank at the report times, from CSV."""
        with open(self.dir / path, newline="") as f:
            return [float(row["head_m"]) for row in csv.DictReader(f) if row["id"] == tank and row["head_m"]]

    def couple(self, step, more=""):
        for half in self.HALVES:
            text = (EXAMPLES / f"{half}.yaml").read_text().replace("step: 5 min", f"step: {step}{more}")
            self.file(f"{half}.yaml", f"results: [{half}.csv]\n" + text)
        out, err = self.sluice("cosim", "west.yaml", "east.yaml")
        self.assertEqual(err, "")
        return self.levels("west.csv", "HIGH"), self.levels("east.csv", "LOW")

    def test_halves_approach_the_whole(self):
        for name in ("whole", "west", "east"):
            shutil.copy(EXAMPLES / f"{name}.inp", self.dir)
        self.sluice("run", "whole.inp", "-o", "whole.csv")
        whole = self.levels("whole.csv", "HIGH"), self.levels("whole.csv", "LOW")
        self.assertEqual(len(whole[0]), 25)
        errors = []
        for step in (60, 30, 15, 7.5, 3.75):
            halves = self.couple(f"{step} min")
            errors.append(max(abs(a - b) for h, w in zip(halves, whole) for a, b in zip(h, w)))
        print("largest difference of tank levels over the coupling step (60 min and halves of it):",
              " ".join("%.4f" % e for e in errors), "m", flush=True)
        for coarse, fine in zip(errors, errors[1:]):
            self.assertTrue(1.6 < coarse / fine < 2.6, errors)  # first order
        self.assertTrue(errors[-1] < 0.02, errors)

    def test_what_cannot_be(self):
        for name in ("west.inp", "east.inp", "west.yaml", "east.yaml"):
            shutil.copy(EXAMPLES / name, self.dir)
        self.file("west.yaml", (EXAMPLES / "west.yaml").read_text().replace("skip: 1", "skip: 0"))
        _, err = self.sluice("cosim", "west.yaml", "east.yaml", code=2)
        self.assertIn("one of the two must go first", err)
        self.file("west.yaml", (EXAMPLES / "west.yaml").read_text().split("  write:")[0])
        _, err = self.sluice("cosim", "west.yaml", "east.yaml", code=2)
        self.assertIn("writes 0 values", err)
        self.sluice("cosim", "west.yaml", "east.yaml", "-o", "x.out", code=4)


if __name__ == "__main__":
    main()
