#!/usr/bin/env python3
"""cosim.py: how long does an exchange between two programs take, over each carrier?

    bench/cosim.py [--only file,shm] [--runs 5] [--out bench/results/cosim.md] [--any-load]

Two ends of the library (bench/peer/cosim_pair.c) send each other 1, 100 and 10 000 numbers in turns; two processes, two threads
for mem. A round is a message each way, written, carried, read and checked. The best of the runs counts. Files are in the
folder for temporary files.
"""

import argparse
import os
import subprocess
import sys
import tempfile

import peers
from common import busy, machine, today, write_page

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


def build(folder):
    """The driver, with the library of the release build."""
    program = os.path.join(folder, "cosim_pair")
    library = os.path.join(peers.ROOT, "build", "release", "libsluice.a")
    source = os.path.join(peers.BENCH, "peer", "cosim_pair.c")
    if not os.path.exists(library):
        sys.exit("there is no %s: make build" % os.path.relpath(library))
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-I", os.path.join(peers.ROOT, "include"), "-o", program, source,
                    library, "-lm", "-lpthread", "-ldl"], check=True)  # fmt: skip
    return program


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


def us(x):
    return "%.1f µs" % x if x < 1000 else "%.2f ms" % (x / 1000)


def page_of(rows, load):
    lines = ["# Exchanges between two programs", "",
             "`bench/run cosim` on %s; %s; others used %.0f %% of the cores. The time of a round, a message each way, between two"
             % (today(), machine(), 100 * load),
             "programs of ours, by the number of values in a message; the best of several runs. The measure for files with one",
             "value is %.1f ms." % (TARGET / 1000), "",
             "| carrier | messages | " + " | ".join("1 value" if n == 1 else "%d values" % n for n, _ in SIZES) + " |",
             "|---|---|" + "---:|" * len(SIZES)]  # fmt: skip
    for (carrier, form, what), times in rows:
        lines.append("| `%s`%s | %s | %s |" % (carrier, ", " + what if what else "", form, " | ".join(us(t) for t in times)))
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
        program = build(folder)
        for carrier in wanted:
            times = [round_of(program, carrier[0], carrier[1], n, rounds, args.runs) for n, rounds in SIZES]
            rows.append((carrier, times))
            print("%-5s %-7s %s" % (carrier[0], carrier[1], "  ".join("%12s" % us(t) for t in times)))
    if args.only:
        return 0
    return write_page(args.out, page_of(rows, load), load, args.any_load)


if __name__ == "__main__":
    sys.exit(main())
