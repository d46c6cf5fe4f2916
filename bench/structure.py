#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""structure.py: what does it take from the text of an automaton to an execution that moves?

    bench/structure.py [--out bench/results/structure.md] [--any-load]

Tubes whose cells are written once (loops), with 1 000 to 1 000 000 cells of two equations each; the same tube cell by cell; bodies that are
rigidly joined (index 2), as text and as loops that are taken apart; each by bench/peer/structure.c. The best of several runs counts.
"""

import argparse
import os
import sys
import tempfile

import peers
from common import busy, machine, today, write_page
from hybrid import build, run

HEAD = "automaton: a\nparameters: {%s beta: 1.2e9, A: 0.01, rho: 876, dx: 0.1, mu: 0.04, d: 0.11}\ncontinuous:\n"
MASS = "A*dx*rho/beta*der(p[%s]) = q[%s] - q[%s]"
MOMENTUM = "dx/A*der(q[%s]) = p[%s] - p[%s] - dx*friction_gradient(q[%s]/(rho*A), rho, mu, d)"
ENDS = ("  - {equation: 'A*dx*rho/beta*der(p[%d]) = q[%d]'}\n"
        "  - {equation: 'dx/A*der(q[1]) = 2e5 - p[1] - dx*friction_gradient(q[1]/(rho*A), rho, mu, d)'}\nrun: {end: 1e-6}\n")  # fmt: skip


def tube_of_loops(n):
    lines = [HEAD % ("N: %d," % n), "  p[1..N]: 1e5\n  q[1..N]: 0\nactivities:\n"]
    lines.append("  - {for: i in 1..N-1, equation: '%s'}\n" % (MASS % ("i", "i", "i+1")))
    lines.append("  - {for: i in 2..N, equation: '%s'}\n" % (MOMENTUM % ("i", "i-1", "i", "i")))
    return "".join(lines) + ENDS % (n, n), 2 * n


def tube_by_cells(n):
    lines = [HEAD % "", *("  p[%d]: 1e5\n  q[%d]: 0\n" % (i, i) for i in range(1, n + 1)), "activities:\n"]
    lines += ["  - {equation: '%s'}\n" % (MASS % (i, i, i + 1)) for i in range(1, n)]
    lines += ["  - {equation: '%s'}\n" % (MOMENTUM % (i, i - 1, i, i)) for i in range(2, n + 1)]
    return "".join(lines) + ENDS % (n, n), 2 * n


def bodies(n):
    """Each with its velocity and the force behind it; velocities are equal: index 2."""
    lines = ["automaton: a\ncontinuous:\n  f0: 0\n", *("  v%d: 0\n  f%d: 0\n" % (i, i) for i in range(1, n + 1)), "activities:\n"]
    lines += ["  - {equation: der(v%d) = f%d - f%d}\n" % (i, i - 1, i) for i in range(1, n + 1)]
    lines += ["  - {equation: v%d = v%d}\n" % (i + 1, i) for i in range(1, n)]
    return "".join(lines) + "  - {equation: f0 = 1}\n  - {equation: f%d = v%d}\nrun: {end: 1e-3}\n" % (n, n), 2 * n + 1


def bodies_of_loops(n):
    return ("automaton: a\nparameters: {N: %d}\ncontinuous:\n  v[1..N]: 0\n  f[0..N]: 0\nactivities:\n"
            "  - {for: i in 1..N, equation: 'der(v[i]) = f[i-1] - f[i]'}\n"
            "  - {for: i in 1..N-1, equation: 'v[i+1] = v[i]'}\n"
            "  - {equation: 'f[0] = 1'}\n  - {equation: 'f[N] = v[N]'}\nrun: {end: 1e-3}\n" % n), 2 * n + 1  # fmt: skip


CASES = [("tube, loops", tube_of_loops, n) for n in (1000, 10000, 100000, 1000000)]
CASES += [("tube, cell by cell", tube_by_cells, n) for n in (5000, 50000)]
CASES += [("rigid bodies, index 2", bodies, n) for n in (5000, 50000)]
CASES += [("rigid bodies, loops taken apart", bodies_of_loops, n) for n in (5000, 50000)]


def measured(program, folder, make, n, runs):
    text, n_equation = make(n)
    path = os.path.join(folder, "case.yaml")
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    rows = [[float(x) for x in run(program, path).split()] for _ in range(runs)]
    return [min(column) for column in zip(*rows)], n_equation


def row(name, values, n):
    read, read_bytes, create, create_bytes, init, init_bytes, _, _, structure, unknowns, index, peak = values
    ready, ready_bytes = read + create, read_bytes + create_bytes
    return "| %s | %d | %d | %d | %.2f | %.0f | %.2f | %.0f | %.0f | %.3f |" % (
        name, n, index, unknowns, 1e6 * ready / n, ready_bytes / n, 1e6 * (ready + init) / n, (ready_bytes + init_bytes) / n,
        peak / n, structure)  # fmt: skip


def page_of(rows, load):
    return "\n".join([
        "# Structure", "",
        "`bench/run structure` on %s; %s; others used %.0f %% of the cores. The best of several runs." % (today(), machine(), 100 * load), "",
        "From the text of an automaton to a session that is ready (read, expressions, derivatives, execution), and on to consistent values",
        "(patterns, reduction, tapes, factors, integrator). A cell of the tube has two equations. Times are per equation in microseconds,",
        "memory in bytes; the last column is the structure report as a whole, in seconds: compiling once more, analysis, reduction.", "",
        "| model | equations | index | unknowns | ready, µs | bytes | consistent, µs | bytes | peak | report, s |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|", *rows, ""])  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--out", default=os.path.join(peers.BENCH, "results", "structure.md"))
    parser.add_argument("--any-load", action="store_true", help="write the page on a busy machine too")
    args = parser.parse_args()
    load, rows = busy(), []
    with tempfile.TemporaryDirectory() as folder:
        program = build(folder, "structure")
        for name, make, n in CASES:
            values, n_equation = measured(program, folder, make, n, args.runs)
            rows.append(row(name, values, n_equation))
    page = page_of(rows, load)
    print(page)
    return write_page(args.out, page, load, args.any_load)


if __name__ == "__main__":
    sys.exit(main())
