#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hybrid.py: how fast are the parts of hybrid models?

    bench/hybrid.py [--out bench/results/hybrid.md] [--any-load]

Expressions: a residual of 10 000 equations (bench/peer/tape.c) by a tape, by an interpreter that walks trees, by C that is
generated from the expressions (one statement each, gcc -O2) and by C as one would write it (two loops in vector code).
Switches: a whole change of mode in an execution, and a DAE of 100 000 equations (bench/peer/switches.c).
Parts: tanks with events of their own (bench/peer/tanks.c); blocks with dry friction (bench/peer/friction.c); what a start at order one costs
(bench/peer/starts.c); a conduction chain of 100 000 equations against plain IDA with KLU and a residual written by hand
(bench/peer/chain.c).
Automata: an execution and the checks of the multibody model for 1000 pipes (bench/peer/automata.c).
The best of several runs counts.
"""

import argparse
import os
import subprocess
import sys
import tempfile

import peers
from common import busy, machine, today, write_page

FLAGS = ["-O2", "-std=gnu17", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-fopenmp-simd"]
LIBRARIES = ["-Wl,--start-group", "-lsundials_ida", "-lklu", "-lbtf", "-lcolamd", "-lamd", "-lsuitesparseconfig", "-lfyaml", "-Wl,--end-group"]
KEPT = 20.0  # times less than a mode that is new
AT_LEAST, AT_MOST = 10.0, 2.0  # times the interpreter's speed, times the time of compiled C


def build(folder, name, *more):
    """The program of bench/peer/NAME.c, with the library of the release build and its own headers."""
    program = os.path.join(folder, name)
    library = os.path.join(peers.ROOT, "build", "release", "libsluice.a")
    if not os.path.exists(library):
        sys.exit("there is no %s: make build" % os.path.relpath(library))
    includes = ["-I" + os.path.join(peers.ROOT, d) for d in ("include", "src", "cosim/include", "cosim/src")]
    subprocess.run([os.environ.get("CC", "cc"), *FLAGS, *includes, "-o", program,
                    os.path.join(peers.BENCH, "peer", name + ".c"), *more, library, *LIBRARIES, "-lm", "-lpthread", "-ldl"],
                   check=True)  # fmt: skip
    return program


def run(program, *args):
    return subprocess.run([program, *args], check=True, capture_output=True, text=True).stdout


def tapes(folder, runs):
    """Seconds by name, the best of the runs."""
    source = os.path.join(folder, "generated.c")
    with open(source, "w", encoding="utf-8") as out:
        out.write(run(build(folder, "tape"), "-g"))
    generated = os.path.join(folder, "generated.o")
    subprocess.run([os.environ.get("CC", "cc"), *FLAGS, "-c", "-o", generated, source], check=True)
    program = build(folder, "tape", "-DWITH_GENERATED", generated)
    names = "tape walk loop generated jacobian build compile differentiate loops jloops nnz".split()
    rows = [dict(zip(names, map(float, run(program).split()))) for _ in range(runs)]
    return {name: min(row[name] for row in rows) for name in names}


def automata(folder, sizes):
    """A row per number of pipes: what bench/peer/automata.c prints."""
    tests = os.path.join(peers.ROOT, "tests")
    program = build(folder, "automata", '-DSL_TEST_SOURCE_DIR="%s"' % peers.ROOT, "-I" + tests, "-I" + os.path.join(tests, "automata"),
                    os.path.join(tests, "automata", "automata_test.c"), os.path.join(tests, "automata", "multibody.c"),
                    "-lcmocka")  # fmt: skip
    return [[float(x) for x in run(program, str(n)).split()] for n in sizes]


def switches(folder, runs):
    """What a mode switch costs, and a large DAE."""
    program = build(folder, "switches")
    names = "fresh kept n seconds steps".split()
    rows = [dict(zip(names, map(float, run(program).split()))) for _ in range(runs)]
    return {name: min(row[name] for row in rows) for name in names}


def parts(folder, name, sizes, runs):
    """A row per number of parts: parts, events, seconds to build and to run, steps, starts, bytes of equations, most memory."""
    program = build(folder, name)
    return [min(([float(x) for x in run(program, str(n)).split()] for _ in range(runs)), key=lambda r: r[3]) for n in sizes]


def chain(folder, runs):
    """Equations, seconds and steps of the execution, of plain IDA, largest difference of states."""
    program = build(folder, "chain", "-I/usr/include/suitesparse")
    rows = [[float(x) for x in run(program).split()] for _ in range(runs)]
    return [min(row[k] for row in rows) for k in range(6)]


def rows_of_parts(rows):
    return ["| %d | %d | %s | %s | %.0f | %s | %.0f MB | %.1f kB |"
            % (r[0], r[1], us(r[3]), us(r[3] / r[1]), r[4] / r[5], us(r[3] / r[4]), r[7] / 1e6, r[6] / r[0] / 1e3) for r in rows]  # fmt: skip


def starts(folder):
    """A row per problem and tolerance: what begins at order one, against what arrives with its history (bench/peer/starts.c)."""
    rows = [line.split(",") for line in run(build(folder, "starts")).splitlines()]
    return ["| %s | %s | %s | %s | %s | %s | %s | %s |" % (*r[:3], r[4], us(float(r[5])), r[6], r[8], us(float(r[9]))) for r in rows]


def us(x):
    return "%.2f µs" % (1e6 * x) if x < 1e-3 else "%.2f ms" % (1e3 * x) if x < 1 else "%.2f s" % x


PARTS = "| %s | events | run | per event | steps per start | per step | most memory | equations per part |"


def page_of(t, rows, m, filled, blocks, begun, c, load):
    return "\n".join([
        "# Hybrid models", "",
        "`bench/run hybrid` on %s; %s; others used %.0f %% of the cores. The best of several runs." % (today(), machine(), 100 * load),
        "", "## Expressions", "",
        "A residual of 10 000 equations, two per cell of a pipe. The tape has %d loops." % t["loops"], "",
        "| evaluated by | time | against the tape |", "|---|--:|--:|",
        "| the tape | %s | 1 |" % us(t["tape"]),
        "| an interpreter that walks trees | %s | %.1f (asked for: at least %g) |" % (us(t["walk"]), t["walk"] / t["tape"], AT_LEAST),
        "| C generated from the expressions | %s | %.2f (asked for: at least %.2g) |" % (us(t["generated"]), t["generated"] / t["tape"], 1 / AT_MOST),
        "| C as one would write it, in vector code | %s | %.2f |" % (us(t["loop"]), t["loop"] / t["tape"]),
        "| the tape of its Jacobian, %d entries | %s | |" % (t["nnz"], us(t["jacobian"])), "",
        "Building the expressions takes %s, compiling the tape %s, differentiating and compiling the Jacobian %s."
        % (us(t["build"]), us(t["compile"]), us(t["differentiate"])), "",
        "## Automata", "",
        "The discrete multibody network. *Check* proves it deterministic and zeno-free. *Random* is one execution from a random "
        "state, with its preparation. *Step* is one step of executions that begin with one control set; about %.1f variables "
        "change in it." % rows[0][8], "",
        "| pipes | variables | transitions | cases | build | check | random | step |", "|--:|--:|--:|--:|--:|--:|--:|--:|",
        *["| %d | %d | %d | %d | %s | %s | %s | %s |" % (*r[:4], *[us(x) for x in r[4:8]]) for r in rows], "",
        "## Modes", "",
        "An automaton of 1000 continuous and 10 000 discrete variables: from a crossing until motion can begin (roots, discrete",
        "execution, mode, consistent values) takes %s in a mode that is new, %s in one that was met before: %.0f times less (asked"
        % (us(m["fresh"]), us(m["kept"]), m["fresh"] / m["kept"]),
        "for: %g). A stiff DAE of %d equations made from expressions takes %.2f s for %d steps. Processor time."
        % (KEPT, m["n"], m["seconds"], m["steps"]), "",
        "## Parts", "",
        "Independent tanks, each filled and drained by a valve of its own between two levels, for 24 s, from expressions. %d tanks take %s"
        % (filled[1][0], us(filled[1][3])), "(asked for: less than a second).", "",
        PARTS % "tanks", "|--:|--:|--:|--:|--:|--:|--:|--:|", *rows_of_parts(filled), "",
        "Independent blocks with dry friction, which slide, rest and break away under a force of their own, for 24 s. An event is a",
        "change of the equations of a block.", "",
        PARTS % "blocks", "|--:|--:|--:|--:|--:|--:|--:|--:|", *rows_of_parts(blocks), "",
        "What an event makes the processor do does not depend on their number: `valgrind --tool=callgrind` counts 245 800, 249 400 and",
        "252 200 instructions per event of 100, 1 000 and 4 000 tanks, the building of the model among them; what grows is the logarithm of",
        "the heap of clocks. What grows in time is that a part is no more in the cache when its turn comes.", "",
        "Starts: the same piece of motion, begun at order one and with a small step as after an event, and passed through on the way",
        "from earlier. The difference is what a start of any order could save at most.", "",
        "| piece | rtol | begun: steps | error | time | arrived: steps | error | time |", "|---|--:|--:|--:|--:|--:|--:|--:|", *begun, "",
        "A conduction chain of %d equations: %s for %d steps of an execution from expressions, %s for %d steps of plain IDA with KLU "
        "and a residual written by hand: %.2f times (asked for: at most 1.1). States differ by %.1g."
        % (c[0], us(c[1]), c[2], us(c[3]), c[4], c[1] / c[3], c[5]), ""])  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--out", default=os.path.join(peers.BENCH, "results", "hybrid.md"))
    parser.add_argument("--any-load", action="store_true", help="write the page on a busy machine too")
    args = parser.parse_args()
    load = busy()
    with tempfile.TemporaryDirectory() as folder:
        page = page_of(tapes(folder, args.runs), automata(folder, [10, 100, 1000]), switches(folder, args.runs),
                       parts(folder, "tanks", [100, 1000, 10000], 3), parts(folder, "friction", [100, 1000, 10000], 2),
                       starts(folder), chain(folder, 3), load)
    print(page)
    return write_page(args.out, page, load, args.any_load)


if __name__ == "__main__":
    sys.exit(main())
