#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tunnels.py: what an event in tunnels costs, and how long many tunnels take to fill, collide and run dry.

    bench/tunnels.py [--out bench/results/tunnels.md] [--any-load]

Groups of ten tunnels with bodies of water of their own, and one ladder of diamonds whose water becomes one body (bench/peer/tunnels.c).
Processor time, the best of several runs.
"""

import argparse
import os
import sys
import tempfile

import peers
from common import busy, machine, today, write_page
from hybrid import build, run, us

HEAD = "| tunnels | events | run | per event | steps per start | per step | defect of volume | most memory |"


def rows(program, kind, sizes, runs):
    """Tunnels, events, seconds to build and to run, steps, starts, defect, water left, memory: the fastest of the runs."""
    return [min(([float(x) for x in run(program, str(n), kind).split()] for _ in range(runs)), key=lambda r: r[3]) for n in sizes]


def lines(table):
    return ["| %d | %d | %s | %s | %.0f | %s | %.0e | %.0f MB |"
            % (r[0], r[1], us(r[3]), us(r[3] / r[1]), r[4] / r[5], us(r[3] / r[4]), r[6], r[8] / 1e6) for r in table]  # fmt: skip


def page_of(groups, ladder, load):
    left = max(r[7] for r in groups)
    return "\n".join([
        "# Tunnels", "",
        "`bench/run tunnels` on %s; %s; others used %.0f %% of the cores. The best of several runs, processor time." % (today(), machine(), 100 * load),
        "An event is a crossing of roots, with all that happens at its instant; the time per event has the motion up to the next one in it.",
        "", "## Bodies of their own", "",
        "Groups of ten tunnels: each fills through a gate, columns collide in a diamond, a reservoir joins and runs empty, the gate shuts,",
        "and all water leaves (%.3g m3 stay). The cost of an event goes with the body that it touches." % left, "",
        HEAD, "|--:|--:|--:|--:|--:|--:|--:|--:|", *lines(groups), "",
        "## One body", "",
        "Diamonds one below the other: they fill from above, columns collide in each, and the gate shuts: all is one body of water, and an",
        "event touches all of it. %d tunnels take %s (asked for: less than a minute)." % (ladder[-1][0], us(ladder[-1][3])), "",
        HEAD, "|--:|--:|--:|--:|--:|--:|--:|--:|", *lines(ladder), ""])  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--out", default=os.path.join(peers.BENCH, "results", "tunnels.md"))
    parser.add_argument("--any-load", action="store_true", help="write the page on a busy machine too")
    args = parser.parse_args()
    load = busy()
    with tempfile.TemporaryDirectory() as folder:
        program = build(folder, "tunnels")
        page = page_of(rows(program, "groups", [10, 100, 1000], args.runs),
                       rows(program, "ladder", [8, 100], args.runs) + rows(program, "ladder", [1000], 1), load)  # fmt: skip
    print(page)
    return write_page(args.out, page, load, args.any_load)


if __name__ == "__main__":
    sys.exit(main())
