#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The world around the program at its worst: inputs that are folders, pipes or devices, outputs that cannot be written, partners that
flood, lie, die or never answer, signals at any moment. Every command ends, says why, and leaves no file that was begun; limits are
those of hostile.py, and none of it may take longer than WAIT by the clock."""
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest

from cli_test import ROOT, SLUICE, Case
from hostile import SWING, TOWN, WATCHED, limits

WAIT = 120 if WATCHED else 30  # s; sanitizers take ten times as long
READERS = ["check {f}", "info {f}", "vars {f}", "run {f}", "explain {f}", "convert {f} x.json", "compare {f} {f}", "plot {f} -o x.svg",
           "verify {f} {f}", "cosim {f}"]
RUN = "model: a.inp\nduration: 24:00\ncosim:\n  in: i.cosim\n  out: o.cosim\n  skip: 1\n  timeout: 1 s\n  step: 1 h\n  read:\n" \
      "    - {entity: 1, variable: \"node.'A'.demand\"}\n  write:\n    - {entity: 1, variable: \"node.'A'.head\"}\n"
# Partners of a coupled run, as shell: what each puts into i.cosim, or does instead.
ANSWER = "while :; do [ -e o.cosim ] && { rm -f o.cosim; %s; }; sleep 0.01; done"
MESSAGE = "printf '%s' > t && mv t i.cosim"
PARTNERS = {
    "dies": "exit 3", "ends": "exit 0", "kills itself": "kill -9 $$", "never answers": "sleep 600", "ignores signals": "trap '' TERM INT HUP; sleep 600",
    "floods its output": "exec yes", "floods its errors": "exec yes >&2", "leaves a child": "sleep 600 & exit 0", "closes all": "exec 0<&- 1>&- 2>&-; sleep 600",
    "stops itself": "kill -STOP $$", "is nonsense": ANSWER % (MESSAGE % "nonsense"), "is empty": ANSWER % (MESSAGE % ""), "is binary": ANSWER % "head -c 100000 /dev/urandom > t; mv t i.cosim",
    "is long": ANSWER % "yes 1,1,1 | head -c 3000000 > t; mv t i.cosim", "is without end": ANSWER % "ln -sf /dev/zero i.cosim", "is a folder": "mkdir i.cosim; sleep 600",
    "is a pipe": "mkfifo i.cosim; sleep 600", "is a link to itself": "ln -s i.cosim i.cosim; sleep 600",
    "goes back": ANSWER % (MESSAGE % "TIME=-1e308\\nNEXT_TIMESTEP=1\\nh\\n1,1,\\n"), "goes to infinity": ANSWER % (MESSAGE % "TIME=inf\\nNEXT_TIMESTEP=nan\\nh\\n1,1,\\n"),
    "makes no steps": ANSWER % (MESSAGE % "TIME=0\\nNEXT_TIMESTEP=0\\nh\\n1,1,\\n"), "makes tiny steps": ANSWER % (MESSAGE % "TIME=0\\nNEXT_TIMESTEP=1e-300\\nh\\n1,1,\\n"),
    "has huge values": ANSWER % (MESSAGE % "TIME=3600\\nNEXT_TIMESTEP=3600\\nh\\n1,1e308,\\n"), "has other rows": ANSWER % (MESSAGE % "TIME=3600\\nNEXT_TIMESTEP=3600\\nh\\n7,1,\\n8,1,\\n"),
    "ends at once": "printf 'END\\n' > i.cosim; sleep 600", "writes in parts": ANSWER % "printf 'TIME=36' > i.cosim; sleep 600", "removes everything": "rm -rf ./* ; sleep 600",
    "takes the folder": "rm -rf \"$PWD\"; sleep 600"}


class World(Case):
    def setUp(self):
        super().setUp()
        self.file("a.inp", TOWN)
        self.file("a.yaml", SWING)
        self.file("run.yaml", RUN)

    def attempt(self, words, code=(0, 1, 2, 3, 4, 5), **how):
        """Runs it; the exit code must be one of those, and something must be said where it is not 0."""
        begin = time.monotonic()
        done = subprocess.run([SLUICE, *words], cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limits, timeout=WAIT,
                              **{"stdin": subprocess.DEVNULL, **how})
        said = done.stderr.decode("utf-8", "replace")
        self.assertIn(done.returncode, code, said[-300:])
        self.assertTrue(said.strip() or done.returncode <= 1, "without a word")
        self.assertLess(len(said), 200000)
        if self.dir.exists():
            self.assertEqual([n for n in self.names() if ".sluice-" in n], [])
        return time.monotonic() - begin

    def test_inputs(self):
        (self.dir / "folder.inp").mkdir()
        (self.dir / "loop.inp").symlink_to("loop.inp")
        (self.dir / "none.inp").symlink_to("nowhere")
        (self.dir / "deep.inp").symlink_to("a.inp/b/c")
        for name in ("folder.inp", "loop.inp", "none.inp", "deep.inp", "", "nul/../a.inp", "x" * 5000, "/dev/null", "/dev/zero", "/dev/full", "/dev/urandom",
                     "/proc/self/mem", "/proc/self/environ", "/", ".", "a.inp/"):
            for command in READERS:
                with self.subTest(name=name[:20], command=command):
                    self.attempt([w.replace("{f}", name) for w in command.split()])

    def test_pipes(self):
        """A pipe that is closed at once, and one that never ends, as a file and as standard input."""
        os.mkfifo(self.dir / "p.inp")
        if WATCHED:  # without a limit of memory 4 GB are read
            print("skipped endless pipes: sanitizers take memory of their own", flush=True)
            return

        def feed(data):
            try:
                with open(self.dir / "p.inp", "wb") as f:
                    for _ in range(400):
                        f.write(data)
            except OSError:
                pass
        for data in (b"", b"[JUNCTIONS]\n" * 100000, bytes(1 << 20)):
            for command in ("check p.inp", "run p.inp", "info p.inp"):
                with self.subTest(command=command, data=data[:10]):
                    thread = threading.Thread(target=feed, args=(data,), daemon=True)
                    thread.start()
                    self.attempt(command.split(), code=(0, 1, 2, 3, 5))
                    fd = os.open(self.dir / "p.inp", os.O_RDONLY | os.O_NONBLOCK)  # lets a feeder go that nobody read
                    os.close(fd)
                    thread.join(WAIT)
        for command in ("check -", "run -", "info -", "convert - x.inp", "compare - -", "plot - -o x.svg"):
            with self.subTest(command=command), subprocess.Popen(["yes", "[JUNCTIONS]"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as endless:
                self.attempt(command.split(), code=(2, 4, 5), stdin=endless.stdout)
                endless.kill()

    def test_outputs(self):
        self.file("a.inp", TOWN.replace("[END]", "[COORDINATES]\nA 0 0\nB 1 1\nR 2 2\nT 3 3\n[END]"))
        for ending in ("csv", "h5", "out", "svg", "gpkg"):
            (self.dir / f"folder.{ending}").mkdir()
            (self.dir / f"loop.{ending}").symlink_to(f"loop.{ending}")
        (self.dir / "read").mkdir()
        os.chmod(self.dir / "read", 0o500)
        targets = ["folder.csv", "loop.csv", "no/such.csv", "a.inp/x.csv", "/dev/full", "/proc/x.csv", "/sys/x.csv", "x" * 300 + ".csv", "/x" * 3000 + ".csv"]
        for target in targets:
            for ending in ("csv", "h5", "out", "svg", "gpkg"):
                name = target.replace("csv", ending)
                with self.subTest(target=name[:30]):
                    if target != "/dev/full":
                        self.attempt(["run", "a.inp", "-q", "-o", name], code=(4, 5))
                    self.attempt(["convert", "a.inp", name], code=(2, 4, 5))
        closed = subprocess.run([SLUICE, "run", "a.inp"], cwd=self.dir, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=WAIT, preexec_fn=lambda: os.close(1))
        self.assertIn(closed.returncode, (0, 5))

    def test_partners(self):
        for word, script in PARTNERS.items():
            with self.subTest(partner=word):
                self.attempt(["cosim", "run.yaml", "--", "sh", "-c", script])
                shutil.rmtree(self.dir, ignore_errors=True)
                self.dir.mkdir()
                self.file("a.inp", TOWN)
                self.file("run.yaml", RUN)
        for partner in ("/", "./a.inp", "nobody-has-this", "", "/dev/null"):
            with self.subTest(partner=partner):
                self.attempt(["cosim", "run.yaml", "--", partner], code=(2, 4, 5))

    def test_signals(self):
        """At moments of the whole run: an exit code of the signal or of the end, the old output or a whole one, nothing else."""
        random.seed(7)
        examples = ROOT / "examples"
        self.sluice("run", "a.inp", "-q", "-o", "r.json", "-o", "r.csv", "-o", "r.out")
        self.sluice("gen", "city", "-n", "4000", "-o", "c.inp", "-q")
        commands = ["run c.inp -q -o x.out -o x.csv -o x.h5", "check c.inp", "info c.inp --json", "vars c.inp", "explain a.inp", "convert c.inp x.json",
                    "convert r.csv x.h5 --compress", "compare r.csv r.json", "plot r.json --node ALL -o x.svg", "verify a.inp r.out", "gen city -n 4000 -o x.inp",
                    f"cosim {examples}/cosim/west.yaml {examples}/cosim/east.yaml", f"run {examples}/surge/closure.yaml -o x.h5",
                    f"plot {examples}/automata/flower.yaml -o x.svg"]
        hit = 0
        for command in commands:
            begin = time.monotonic()
            self.attempt(command.split(), code=(0, 1))
            whole = time.monotonic() - begin
            clean = {n: (self.dir / n).stat().st_size for n in self.names() if n.startswith("x.")}
            for k in range(6):
                sig = (signal.SIGINT, signal.SIGTERM)[k % 2]
                for name in clean:
                    (self.dir / name).write_bytes(b"old")
                with subprocess.Popen([SLUICE, *command.split()], cwd=self.dir, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                    time.sleep(random.random() * whole)
                    process.send_signal(sig)
                    code = process.wait(WAIT)
                with self.subTest(command=command, signal=sig):
                    self.assertIn(code, (0, 1, 128 + sig, -sig))  # the last one: before the program began
                    hit += code == 128 + sig
                    self.assertEqual([n for n in self.names() if ".sluice-" in n], [])
                    for name, size in clean.items():  # times in a file may have other digits
                        self.assertTrue(abs((self.dir / name).stat().st_size - size) < 100 or (self.dir / name).read_bytes() == b"old", name)
        self.assertGreater(hit, len(commands), "hardly a command was met at work")


if __name__ == "__main__":
    if not sys.platform.startswith("linux"):
        print("devices and signals are Linux's")
        sys.exit(77)
    unittest.main()
