#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dae.py: what do reduction and the search of a start cost, and what do they save?

    bench/dae.py [--out bench/results/dae.md] [--any-load]

Equations as one writes them (bench/peer/dae.c), integrated by IDA with KLU as they are and after reduction, from the same expressions; a
conduction chain in which nothing can be reduced, against plain IDA with KLU and a residual written by hand (bench/peer/chain.c). Processor
time, the best of several runs.
"""

import argparse
import os
import sys
import tempfile

import hybrid
import peers
from common import busy, machine, today, write_page

CASES = [("fluxes", 1000), ("fluxes", 33000), ("levels", 3000), ("levels", 99000), ("joined", 4000), ("joined", 100000)]


def case(program, name, n, runs):
    """Equations, unknowns; seconds to make, to find a start, to integrate as they are, reduced; steps of both; difference."""
    rows = [[float(x) for x in hybrid.run(program, name, str(n)).split()] for _ in range(runs)]
    return [min(row[k] for row in rows) for k in range(9)]


def row(name, r):
    plain = r[4] > 0
    return "| %s | %d | %d | %.1f µs | %.1f µs | %s | %d | %s | %d | %s |" % (
        name, r[0], r[1], 1e6 * r[2] / r[0], 1e6 * r[3] / r[0], hybrid.us(r[4]) if plain else "", r[6], hybrid.us(r[5]), r[7],
        "%.2f" % (r[5] / r[4]) if plain else "")  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--out", default=os.path.join(peers.BENCH, "results", "dae.md"))
    parser.add_argument("--any-load", action="store_true", help="write the page on a busy machine too")
    args = parser.parse_args()
    load = busy()
    with tempfile.TemporaryDirectory() as folder:
        program = hybrid.build(folder, "dae")
        rows = [row(name, case(program, name, n, args.runs)) for name, n in CASES]
        c = hybrid.chain(folder, args.runs)
    page = "\n".join([
        "# Equations as one writes them", "",
        "`bench/run dae` on %s; %s; others used %.0f %% of the cores. Processor time, the best of %d runs."
        % (today(), machine(), 100 * load, args.runs), "",
        "The same expressions ([`peer/dae.c`](../peer/dae.c)) are integrated by IDA with KLU as they are, and after",
        "[reduction](../../docs/theory/dae.md#reduction), for 1 s with rtol 1e-6. *Make* is everything from expressions to tapes,",
        "differentiation included, *start* the search of [values at the start](../../docs/theory/dae.md#the-start), both per equation.",
        "*fluxes* is a conduction chain with fluxes and reactions as variables, *levels* vessels whose outflow is the root of a cubic,",
        "*joined* pairs of masses with one speed: index 2, which is not integrated as it is.", "",
        "| problem | equations | unknowns left | make | start | as they are | steps | reduced | steps | ratio |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|", *rows, "",
        "Where nothing is reduced: a conduction chain of %d equations takes %s for %d steps of an execution, %s for %d steps of plain IDA"
        % (c[0], hybrid.us(c[1]), c[2], hybrid.us(c[3]), c[4]),
        "with KLU and a residual written by hand: %.2f times (asked for: at most 1.1). States differ by %.1g." % (c[1] / c[3], c[5]), ""])  # fmt: skip
    print(page)
    return write_page(args.out, page, load, args.any_load)


if __name__ == "__main__":
    sys.exit(main())
