#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""read_inp.py: how long does it take to read an .inp file, and how much memory? Sluice against EPANET 2.3.5.

    bench/read_inp.py [--sizes 1e3,1e4,1e5,1e6] [--out bench/results/read_inp.md] [--any-load]

For each size `sluice gen city` makes one network with that many junctions. Then, in turns, both programs read it, each
in a process of its own that does nothing else:

    sluice check FILE                    reads, checks everything, says so
    epanet_open LIBRARY FILE             EN_createproject, EN_open, EN_close, EN_deleteproject (bench/peer/epanet_open.c)

EPANET's library is the one in the Python package owa-epanet, called from C, so no time goes into Python. The best of 5
runs counts (3 at a million junctions), after one run that is not counted and brings the file into memory. Time is of the
wall clock; user and system time and the largest resident memory come from wait4 (bench/peer/measure.c).

The page is written only when the machine was quiet (--any-load: always): the load of other processes is measured before
and after, and given.

Environment: SLUICE (the program, default build/release/sluice), SLUICE_EPANET_LIBRARY (another libepanet2).
"""

import argparse
import os
import subprocess
import sys
import tempfile

import peers
from common import best, build, busy, count, machine, measure, seconds, spread, text_of, today, write_page

MOST_FOR_OPEN_H = 100000  # it takes minutes beyond


def main():
    options = argparse.ArgumentParser(description="Measures reading of .inp files: Sluice against EPANET.")
    options.add_argument("--sizes", default="1e3,1e4,1e5,1e6")
    options.add_argument("--out", default=os.path.join(peers.BENCH, "results", "read_inp.md"))
    options.add_argument("--any-load", action="store_true", help="write the page though the machine is not quiet")
    args = options.parse_args()
    sluice, library = peers.sluice_program(), peers.epanet_library()
    load = busy()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        launcher, peer = build("measure", folder), build("epanet_open", folder)
        epanet_version = text_of([peer, library, "--version"])
        sluice_version = text_of([sluice, "--version"]).split("\n")[0]
        for size in args.sizes.split(","):
            n = int(float(size))
            path = os.path.join(folder, "city.inp")
            subprocess.run([sluice, "gen", "city", "--junctions", str(n), "--quiet", "-o", path], check=True)
            commands = [[sluice, "check", path], [peer, library, path]]
            if n <= MOST_FOR_OPEN_H:
                commands.append([peer, library, path, "--hydraulics"])
            for command in commands:
                measure(launcher, command, folder)
            runs = [[] for _ in commands]
            for _ in range(3 if n >= 1000000 else 5):
                for command, series in zip(commands, runs):
                    series.append(measure(launcher, command, folder))
            rows.append((n, os.path.getsize(path) / 1e6, [best(r) for r in runs], [spread(r) for r in runs]))
            print_row(rows[-1])
            os.unlink(path)
    load = max(load, busy())
    page = render(rows, sluice_version, epanet_version, load)
    return write_page(args.out, page, load, args.any_load)


def print_row(row):
    n, size, (s, e, *_), _ = row
    print(
        "%8d junctions %6.1f MB: Sluice %.4f s %.0f MB, EPANET %.4f s %.0f MB: ratio %.1f in time, %.1f in memory"
        % (n, size, s[0], s[2], e[0], e[2], e[0] / s[0], e[2] / s[2]),
        flush=True,
    )


def render(rows, sluice_version, epanet_version, load):
    lines = [
        "# Reading .inp files: Sluice and EPANET",
        "",
        "Made by `bench/read_inp.py` on %s." % today(),
        "",
        "* machine: %s; other load %.0f %%" % (machine(), 100 * load),
        "* %s, `sluice check FILE`" % sluice_version,
        "* EPANET %s, its C library as in the Python package owa-epanet: create, `EN_open`, close, delete" % epanet_version,
        "* files: `sluice gen city --junctions N`, seed 1; each run in a process of its own, file in memory;"
        " best of 5 runs (3 at a million)",
        "",
        "| junctions | file | Sluice wall | CPU | memory | EPANET wall | CPU | memory | wall, ratio | memory, ratio |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for n, size, (s, e, *_), _ in rows:
        lines.append(
            "| %s | %.1f MB | %s | %s | %.0f MB | %s | %s | %.0f MB | %.1f | %.1f |"
            % (
                count(n), size, seconds(s[0]), seconds(s[1]), s[2],
                seconds(e[0]), seconds(e[1]), e[2], e[0] / s[0], e[2] / s[2],
            )  # fmt: skip
        )
    lines += [
        "",
        "A ratio above 1 means that EPANET needs that many times more. Memory is the largest resident size of the process.",
        "",
        "`sluice check` also checks the model as a whole (connections, curves, tanks, valves), which EPANET does when its"
        " hydraulics are opened. With `EN_openH`, which also prepares the solver, EPANET takes:",
        "",
        "| junctions | EPANET wall, with `EN_openH` | memory |",
        "|--:|--:|--:|",
    ]
    for n, _, bests, _ in rows:
        if n <= MOST_FOR_OPEN_H:
            h = bests[2]
            lines.append("| %s | %s | %.0f MB |" % (count(n), seconds(h[0]), h[2]))
    worst = max(max(spreads) for _, _, _, spreads in rows)
    lines += ["", "The slowest counted run of any series was %.0f %% above its fastest." % (100 * worst), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
