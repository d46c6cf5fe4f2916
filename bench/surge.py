#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""surge.py: how fast are surges, beside the solver rthym-moc from PyPI?

    bench/surge.py [--out bench/results/surge.md] [--launcher "chrt -f 50 taskset -c 1"] [--quick] [--any-load]

Lines of one pipe and square grids of 5 and 10 reaches in a pipe, the same in both programs: steady friction, the clamp, fixed demands, one
of which changes within 0.9 s. Ours is the whole process of `sluice run`, less that of a run of ten steps, with the envelopes and
balances that every run has; theirs is their solver's run alone. TNET3 is whole processes of both; it is not run without --tnet3 FILE.
Networks with default settings: --networks FOLDER has micropolis.inp, ky8.inp and bwsn2.inp. Processor time, one thread; the best of
three runs.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

import peers
from common import busy, machine, today, write_page

DT, WAVE = 0.005, 1438.656  # [s], [m/s]
RUNS = 3


def line_inp(reaches, flow):
    return "[RESERVOIRS]\nR 213.36\n[JUNCTIONS]\nD 0 %g\n[PIPES]\nP R D %.6f 609.6 130\n[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\n[END]\n" % (
        flow, reaches * WAVE * DT)  # fmt: skip


def grid_inp(side, reaches):
    def name(i, j):
        return "R" if i + j == 0 else "N%d_%d" % (i, j)

    cells = [(i, j) for i in range(side) for j in range(side)]
    pipes = [(name(i, j), name(a, b)) for i, j in cells for a, b in ((i + 1, j), (i, j + 1)) if a < side and b < side]
    rows = ["[RESERVOIRS]", "R 91.44", "[JUNCTIONS]"] + ["%s 0 0.12618" % name(i, j) for i, j in cells if i + j]
    rows += ["[PIPES]"] + ["P%d %s %s %.6f 304.8 130" % (k, a, b, reaches * WAVE * DT) for k, (a, b) in enumerate(pipes)]
    return "\n".join(rows + ["[OPTIONS]", "UNITS LPS", "HEADLOSS H-W", "[END]", ""]), len(pipes) * reaches


def study(folder, inp, node, factor, steps, friction="steady", cavitation="clamp"):
    with open(os.path.join(folder, "net.inp"), "w", encoding="utf-8") as out:
        out.write(inp)
    path = os.path.join(folder, "study.yaml")
    with open(path, "w", encoding="utf-8") as out:
        out.write("study: surge\nnetwork: net.inp\nduration: %r s\nwave_speed: %r m/s\nfriction: %s\ncavitation: %s\ndemands: fixed\n"
                  "grid: {step: 5 ms}\nevents:\n  - {demand_factor: %s, to: %g, in: 0.9 s, at: 0.1 s}\n"
                  % (steps * DT, WAVE, friction, cavitation, node, factor))  # fmt: skip
    return path


def cpu(command, cwd):
    """(processor seconds, wall seconds, output) of a process."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - begin
    if done.returncode not in (0, 1):
        sys.exit("%s ended with %d\n%s" % (" ".join(command), done.returncode, done.stderr[-1000:]))
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall, done.stdout


def best(command, cwd, runs=RUNS):
    return min(cpu(command, cwd)[0] for _ in range(runs))


class Bench:
    def __init__(self, folder, launcher, quick):
        self.folder, self.launcher, self.quick = folder, launcher, quick
        self.sluice, self.python = peers.sluice_program(), peers.python_with("rthym-moc", "numpy")

    def ours(self, inp, cells, node, factor, steps, **more):
        steps = steps // 10 if self.quick else steps
        path = study(self.folder, inp, node, factor, 10, **more)
        start = best([*self.launcher, self.sluice, "run", path], self.folder)
        path = study(self.folder, inp, node, factor, steps, **more)
        return cells * steps / (best([*self.launcher, self.sluice, "run", path], self.folder) - start)

    def theirs(self, *words):
        command = [*self.launcher, self.python, os.path.join(peers.BENCH, "peer", "rthym.py"), *map(str, words)]
        runs = [list(map(float, subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())) for _ in range(RUNS)]
        return max(cells * steps / spent for spent, cells, steps in runs)

    def threads(self, inp, cells, steps):
        """(processor seconds, wall) with one and two threads."""
        path = study(self.folder, inp, "N99_99", 150, steps)
        return [cpu([self.sluice, "run", path, "--threads", str(n)], self.folder)[:2] for n in (1, 2)]


def millions(x):
    return "%.0f" % (x / 1e6)


def against_peer(b):
    """Rows of (name, ours, theirs, rate asked for, ratio asked for) and cell-updates per second."""
    scale = 10 if b.quick else 1
    rows = []
    for reaches, flow, steps, least in ((1000, 189.27, 400000, 1.5e9), (100000, 15, 4000, 1.0e9)):
        ours = b.ours(line_inp(reaches, flow), reaches, "D", 0, steps)
        theirs = b.theirs("line", reaches, steps // 4 // scale)
        rows.append(("one pipe of %d reaches" % reaches, ours, theirs, least, 2.5 if theirs > 450e6 else 3.0))
        print(rows[-1], file=sys.stderr)
    for side, steps in ((10, 40000), (32, 8000), (100, 1000)):
        for reaches in (5, 10):
            inp, cells = grid_inp(side, reaches)
            ours = b.ours(inp, cells, "N%d_%d" % (side - 1, side - 1), 150, steps)
            theirs = b.theirs("grid", side, reaches, steps // 8 // scale)
            rows.append(("grid of %d x %d, %d reaches in a pipe" % (side, side, reaches), ours, theirs, 200e6, 5.0 if side == 10 else 10.0))
            print(rows[-1], file=sys.stderr)
    return rows


def models(b):
    inp = line_inp(1000, 189.27)
    asked = (("steady", "dgcm", 400e6), ("steady", "dvcm", 0), ("quasi-steady", "clamp", 0), ("acceleration", "clamp", 0),
             ("convolution", "clamp", 250e6), ("convolution", "dgcm", 0))  # fmt: skip
    return [(f, c, b.ours(inp, 1000, "D", 0, 100000, friction=f, cavitation=c), least) for f, c, least in asked]


def whole_processes(b, tnet3, networks):
    """(name, processor seconds, text) of runs of files."""
    rows = []
    if tnet3:
        words = ["run", tnet3, "--surge", "--close", "VALVE-180@1s:1s", "--duration", "20s", "--step", "10ms", "--friction", "steady",
                 "--cavitation", "clamp"]  # fmt: skip
        ours = best([*b.launcher, b.sluice, *words], b.folder)
        theirs = best([*b.launcher, b.python, os.path.join(peers.BENCH, "peer", "rthym.py"), "inp", tnet3, "20", "0.01"], b.folder)
        rows.append(("TNET3, 20 s in steps of 10 ms", ours, "rthym-moc %.2f s: %.1f times (asked for: 5)" % (theirs, theirs / ours)))
    pumps = {"micropolis": ("HSP#1", 5), "ky8": ("~@Pump-1", 10), "bwsn2": ("PUMP-14823", 120)}
    for name, (pump, limit) in pumps.items() if networks else ():
        spent, _, out = cpu([*b.launcher, b.sluice, "run", os.path.join(networks, name + ".inp"), "--surge", "--trip", pump + "@1s",
                             "--duration", "60s"], b.folder)  # fmt: skip
        grid = re.search(r"steps of (\S+ s), (\d+) points", out)
        rows.append(("%s, pump trip, 60 s" % name, spent, "%s, %s points; asked for: under %d s" % (*grid.groups(), limit)))
    return rows


def render(b, rows, kinds, files, threads):
    text = ["# Surges", "", "`bench/surge.py` on %s; %s. Processor time of one thread, the best of %d runs." % (today(), machine(), RUNS), "",
            "## Beside rthym-moc 0.4.1", "",
            "Million cell-updates per second: reaches times steps. Steady friction, clamp, envelopes of head; the same grid in both.", "",
            "| model | Sluice | rthym-moc | ratio | asked for |", "|---|--:|--:|--:|---|"]  # fmt: skip
    for name, ours, theirs, least, ratio in rows:
        met = "met" if ours >= least and ours >= ratio * theirs else "not met"
        text.append("| %s | **%s** | %s | %.1f | %s and %g times: %s |"
                    % (name, millions(ours), millions(theirs), ours / theirs, millions(least), ratio, met))  # fmt: skip
    text += ["", "## Other models", "", "One pipe of 1 000 reaches.", "", "| friction | cavitation | M cell-updates/s | asked for |", "|---|---|--:|--:|"]
    for friction, cavitation, rate, least in kinds:
        text.append("| %s | %s | **%s** | %s |" % (friction, cavitation, millions(rate), millions(least) if least else ""))
    if files:
        text += ["", "## Whole runs", "", "| run | Sluice | |", "|---|--:|---|"]
        text += ["| %s | **%.2f s** | %s |" % row for row in files]
    if threads:
        (c1, w1), (c2, w2) = threads
        text += ["", "## Two threads", "", "The grid of 100 x 100 with 10 reaches: %.2f s with one thread, %.2f s with two (wall; processor "
                 "time %.2f and %.2f s). The results are the same bits." % (w1, w2, c1, c2)]  # fmt: skip
    return "\n".join(text) + "\n"


def main():
    options = argparse.ArgumentParser(description="Measures surges beside rthym-moc.")
    options.add_argument("--out", default=os.path.join(peers.BENCH, "results", "surge.md"))
    options.add_argument("--launcher", default="", help="words before every command, as 'taskset -c 1'")
    options.add_argument("--tnet3", help="the file TNET3.inp")
    options.add_argument("--networks", help="folder of micropolis.inp, ky8.inp, bwsn2.inp")
    options.add_argument("--quick", action="store_true", help="a tenth of the steps")
    options.add_argument("--any-load", action="store_true", help="write the page though the machine is not quiet")
    args = options.parse_args()
    load = busy()
    with tempfile.TemporaryDirectory() as folder:
        b = Bench(folder, args.launcher.split(), args.quick)
        rows, kinds = against_peer(b), models(b)
        files = whole_processes(b, args.tnet3 and os.path.abspath(args.tnet3), args.networks and os.path.abspath(args.networks))
        threads = None if args.quick else b.threads(*grid_inp(100, 10), 1000)
    return write_page(args.out, render(b, rows, kinds, files, threads), max(load, busy()), args.any_load)


if __name__ == "__main__":
    sys.exit(main())
