#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cosim.py: how long does an exchange between two programs take, over each carrier, and what does stepping from outside cost?

    bench/cosim.py [--only file,shm] [--runs 5] [--out bench/results/cosim.md] [--any-load]

Two ends of the library (bench/peer/cosim_pair.c) send each other 1, 100 and 10 000 numbers in turns; two processes, two threads
for mem. A round is a message each way, written, carried, read and checked. The best of the runs counts. Files are in the
folder for temporary files. Beside that: a run of BWSN 2 (../shared) in one call against one that stops at every step and looks
(bench/peer/session_steps.c), in time and in instructions.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

import peers
from common import build_with_library, busy, machine, text_of, today, write_page

CARRIERS = [
    ("file", "text", "two files"),
    ("pipe", "text", "FIFOs"), ("pipe", "binary", ""),
    ("fd", "text", "inherited pipes"), ("fd", "binary", ""),
    ("unix", "text", "a local socket"), ("unix", "binary", ""),
    ("shm", "text", "shared memory"), ("shm", "binary", ""),
    ("mem", "text", "two threads of one process"), ("mem", "binary", ""),
]  # fmt: skip
SIZES = [(1, 2000), (100, 1000), (10000, 40)]
TARGET = 300.0  # microseconds of a round over files, one number


def round_of(program, carrier, form, n, rounds, runs):
    times = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([program, carrier, form, str(n), str(rounds)], capture_output=True, text=True,
                                  check=False, cwd=folder)  # fmt: skip
            if done.returncode:
                sys.exit("%s %s %d: %s" % (carrier, form, n, done.stderr))
            left = os.listdir(folder)
            if left:
                sys.exit("%s left %s" % (carrier, ", ".join(left)))
        times.append(float(done.stdout))
    return min(times)


def stepping(folder, runs):
    """{"whole", "steps": (s, instructions)} of a run of BWSN 2; None without it."""
    model = os.path.join(peers.ROOT, "..", "shared", "networks", "benchmarks", "bwsn2.inp")
    if not os.path.exists(model):
        print("skipped the steps of BWSN 2: there is no %s" % os.path.relpath(model))
        return None
    program = build_with_library("session_steps", folder)
    found = {"whole": [], "steps": []}
    for _ in range(runs):  # in turns, so that the machine's moods are shared
        for how, times in found.items():
            times.append(float(text_of([program, model, how, "15"])))
    return {how: (min(times), instructions_of([program, model, how, "1"])) for how, times in found.items()}


def instructions_of(command):
    """By callgrind; 0 where there is none."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command], capture_output=True,
                          text=True, check=False) if shutil.which("valgrind") else None  # fmt: skip
    found = re.search(r"refs:\s*([0-9,]+)", done.stderr) if done else None
    return int(found.group(1).replace(",", "")) if found else 0


def us(x):
    return "%.1f µs" % x if x < 1000 else "%.2f ms" % (x / 1000)


def page_of(rows, steps, load):
    lines = ["# Exchanges between two programs", "",
             "`bench/run cosim` on %s; %s; others used %.0f %% of the cores. The time of a round, a message each way, between two"
             % (today(), machine(), 100 * load),
             "programs of ours, by the number of values in a message; the best of several runs. The measure for files with one",
             "value is %.1f ms." % (TARGET / 1000), "",
             "| carrier | messages | " + " | ".join("1 value" if n == 1 else "%d values" % n for n, _ in SIZES) + " |",
             "|---|---|" + "---:|" * len(SIZES)]  # fmt: skip
    for (carrier, form, what), times in rows:
        lines.append("| `%s`%s | %s | %s |" % (carrier, ", " + what if what else "", form, " | ".join(us(t) for t in times)))
    if steps:
        (t, n), (t2, n2) = steps["whole"], steps["steps"]
        lines += ["", "## Stepping from outside", "",
                  "BWSN 2 (12 527 nodes, 48 h) in one call, and with a stop at every step of the engine, 20 values read by reference and",
                  "all pressures looked at: %.1f ms and %.1f ms (%+.1f %%)" % (1e3 * t, 1e3 * t2, 100 * (t2 / t - 1)) +
                  (", reading the file included %.1f and %.1f million instructions (%+.2f %%)." % (n / 1e6, n2 / 1e6, 100 * (n2 / n - 1)) if n else ".")]  # fmt: skip
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="carriers, separated by commas")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--out", default=os.path.join(peers.BENCH, "results", "cosim.md"))
    parser.add_argument("--any-load", action="store_true", help="write the page on a busy machine too")
    args = parser.parse_args()
    wanted = [c for c in CARRIERS if not args.only or c[0] in args.only.split(",")]
    load = busy()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        program = build_with_library("cosim_pair", folder)
        for carrier in wanted:
            times = [round_of(program, carrier[0], carrier[1], n, rounds, args.runs) for n, rounds in SIZES]
            rows.append((carrier, times))
            print("%-5s %-7s %s" % (carrier[0], carrier[1], "  ".join("%12s" % us(t) for t in times)))
        steps = None if args.only else stepping(folder, args.runs)
        if steps:
            print("steps of BWSN 2: %.1f ms in one call, %.1f ms step by step" % tuple(1e3 * steps[how][0] for how in ("whole", "steps")))
    if args.only:
        return 0
    return write_page(args.out, page_of(rows, steps, load), load, args.any_load)


if __name__ == "__main__":
    sys.exit(main())
