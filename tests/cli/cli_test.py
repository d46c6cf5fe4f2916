# SPDX-License-Identifier: MIT
"""What the tests of the program share: running it, small models, a folder for each test."""
import json
import os
import pty
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("SLUICE_SOURCE") or Path(__file__).resolve().parents[2])
SLUICE = os.environ.get("SLUICE") or str(ROOT / "build/release/sluice")
SHARED = os.environ.get("SLUICE_SHARED") or ""
TIMEOUT = 120

GOOD = """[TITLE]
A small town

[JUNCTIONS]
;id  elevation  demand
J1   10         5
J2   12         3

[RESERVOIRS]
R1   60

[TANKS]
T1   40  3  1  6  12

[PIPES]
P1   R1  J1  500  300  120
P2   J1  J2  400  200  110
P3   J2  T1  300  200  110

[OPTIONS]
Units     LPS
Headloss  H-W

[TIMES]
Duration  24:00

[COORDINATES]
J1  0    0
J2  100  0
R1  0    100
T1  100  100

[END]
"""
COUNTS = {"junctions": 2, "reservoirs": 1, "tanks": 1, "pipes": 3, "pumps": 0, "valves": 0}

# An error on line 6, column 6, and one on line 16, column 10.
BAD = GOOD.replace("J1   10         5", "J1   ten        5").replace("P1   R1  J1", "P1   R1  JJ")
# A warning only: an unknown section.
WARN = GOOD.replace("[END]", "[STUFF]\n1 2 3\n\n[END]")


class Case(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = Path(folder.name)

    def file(self, name, content=GOOD):
        path = self.dir / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def n_unfinished(self, process):
        """Files that a process is making: with a name, or open without one."""
        files, n = "/proc/%d/fd" % process.pid, len([n for n in self.names() if n.endswith(".tmp")])
        try:
            return n + sum("(deleted)" in os.readlink(os.path.join(files, f)) for f in os.listdir(files))
        except OSError:  # not Linux, or a file that is closed just now
            return n

    def names(self):
        return sorted(p.name for p in self.dir.iterdir())

    def terminal(self):
        """A pseudo-terminal; where the system has none (a bare chroot), the test is skipped and says so."""
        try:
            return pty.openpty()
        except OSError as e:
            print("skipped %s: no pseudo-terminals here (%s)" % (self.id(), e), flush=True)
            self.skipTest("no pseudo-terminals")

    def run_raw(self, *args, **kw):
        kw.setdefault("stdin", subprocess.DEVNULL) if "input" not in kw else None
        kw.setdefault("stdout", subprocess.PIPE)
        kw.setdefault("stderr", subprocess.PIPE)
        return subprocess.run([SLUICE, *map(str, args)], cwd=self.dir, timeout=TIMEOUT, **kw)

    def sluice(self, *args, code=0, **kw):
        """Runs the program, expects the exit code; returns (stdout, stderr) as text."""
        run = self.run_raw(*args, **kw)
        out = (run.stdout or b"").decode("utf-8")
        err = (run.stderr or b"").decode("utf-8")
        self.assertNotIn("Sanitizer", err)
        self.assertEqual(run.returncode, code, f"sluice {' '.join(map(str, args))}\n{out}{err}")
        return out, err

    def json_lines(self, text):
        return [json.loads(line) for line in text.splitlines()]


def main():
    if not os.access(SLUICE, os.X_OK):
        print(f"the program is not built: {SLUICE}")
        sys.exit(1)
    unittest.main(verbosity=2)  # names what is skipped, and why
