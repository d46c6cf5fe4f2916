#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""random_quality.py: does the transport keep every gram, hour and percent, whatever the network does?

    bench/random_quality.py [--seeds A:B] [--keep DIRECTORY] [--networks DIRECTORY]
    bench/random_quality.py --print SEED              (writes that network to standard output)

Every seed is a network of random_networks.py, or with --networks each .inp file below a directory, with water quality put in
at random: a chemical, age or a trace; initial qualities, sources of all kinds, reactions of all orders in the water, at the
wall and in tanks, every model of mixing in tanks, quality steps from seconds to longer than the hydraulic step, tolerances
from none to large. test_quality_files (tests/quality/test_files.c, built by `make build`) runs them step by step: values
finite, none below 0, traces within 100 %, water no older than the run, the ledger closed. Exit code 1 when one is not.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import random_networks  # noqa: E402

KINDS = ["CHEMICAL", "AGE", "TRACE"]
MODELS = ["MIXED", "2COMP", "FIFO", "LIFO"]


def sections(text):
    """[(name, [line])] of an .inp text; the lines before the first section have the name ""."""
    out = [("", [])]
    for line in text.split("\n"):
        if line.startswith("["):
            out.append((line.strip().strip("[]").upper(), []))
        else:
            out[-1][1].append(line)
    return out


def ids(parts, name):
    out = []
    for section, lines in parts:
        if section and name.startswith(section[:4]):
            out += [line.split()[0] for line in lines if line.split() and not line.strip().startswith(";")]
    return out


def without_quality(parts):
    """The text without what it says about quality."""
    out = []
    for section, lines in parts:
        if section[:4] in ("QUAL", "SOUR", "REAC", "MIXI", "END"):
            continue
        if section[:4] == "OPTI":
            lines = [x for x in lines if x.split()[:1] and x.split()[0].upper() not in ("QUALITY", "TOLERANCE", "DIFFUSIVITY")]
        if section[:4] == "TIME":
            lines = [x for x in lines if x.split()[:1] and x.split()[0].upper() != "QUALITY"]
        out += ["[%s]" % section] * bool(section) + lines
    return out


def number(r, low, high):
    return "%.4g" % (10 ** r.uniform(low, high))


def reactions(r, pipes, tanks):
    order = r.choice([0, 0.5, 1, 1, 1, 1.5, 2, 3, -1])
    wall = r.choice([0, 1, 1])
    out = ["ORDER BULK %g" % order, "ORDER TANK %g" % r.choice([0, 1, 1, 2, 0.5, -1]), "ORDER WALL %d" % wall]
    sign = r.choice(["-", "-", "-", ""])
    if r.random() < 0.8:
        out.append("GLOBAL BULK %s%s" % (sign, number(r, -2, 1 if sign else 0)))
    if r.random() < 0.5:
        out.append("GLOBAL WALL %s%s" % (r.choice(["-", "-", "-", ""]), number(r, -2, 1)))
    if r.random() < 0.3 or (order < 0 or sign == ""):
        out.append("LIMITING POTENTIAL %s" % number(r, -1, 1))
    if r.random() < 0.2:
        out.append("ROUGHNESS CORRELATION -%s" % number(r, -2, 1))
    for word, names in (("BULK", pipes), ("WALL", pipes), ("TANK", tanks)):
        for name in r.sample(names, min(len(names), r.choice([0, 0, 1, 3]))):
            out.append("%s %s %s%s" % (word, name, r.choice(["-", "-", ""]), number(r, -2, 0.5)))
    return out


def sources(r, nodes, patterns):
    out = []
    for name in r.sample(nodes, min(len(nodes), r.choice([0, 1, 2, 5]))):
        kind = r.choice(["CONCEN", "MASS", "SETPOINT", "FLOWPACED"])
        strength = number(r, 1, 4) if kind == "MASS" else number(r, -1, 1)
        out.append("%s %s %s %s" % (name, kind, strength, r.choice(patterns + [""])))
    return out


def with_quality(text, seed, kind=None):
    """The network of an .inp text with quality put in, always the same for a seed."""
    r = random.Random(seed)
    parts = sections(text)
    junctions, fixed, tanks = ids(parts, "JUNCTIONS"), ids(parts, "RESERVOIRS"), ids(parts, "TANKS")
    pipes, patterns = ids(parts, "PIPES"), sorted(set(ids(parts, "PATTERNS")))
    nodes = junctions + fixed + tanks
    kind = kind or KINDS[seed % 3]
    node = r.choice(fixed + tanks + nodes)
    out = without_quality(parts)
    out += ["[OPTIONS]", "QUALITY " + {"CHEMICAL": "Chlorine mg/L", "AGE": "AGE", "TRACE": "TRACE " + node}[kind]]
    out += ["TOLERANCE %g" % r.choice([0.01, 0.01, 0, 0.001, 1]), "DIFFUSIVITY %g" % r.choice([1, 1, 0])]
    out += ["[TIMES]", "QUALITY TIMESTEP %d SEC" % r.choice([300, 300, 180, 60, 617, 1200, 86400])]
    out += ["[MIXING]"] + ["%s %s %s" % (t, r.choice(MODELS), "%.2g" % r.uniform(0.05, 1)) for t in tanks]
    if kind == "CHEMICAL":
        share = r.choice([0, 0.5, 1, 1])
        out += ["[QUALITY]"] + ["%s %s" % (x, number(r, -2, 1)) for x in nodes if r.random() < share]
        out += ["[SOURCES]"] + sources(r, nodes, patterns)
        out += (["[REACTIONS]"] + reactions(r, pipes, tanks)) if r.random() < 0.8 else []
    return "\n".join(out + ["[END]", ""])


def network(seed):
    return with_quality(random_networks.Network(seed).text(), seed)


def checker():
    build = os.environ.get("SLUICE_BUILD", os.path.join(HERE, "..", "build", "release"))
    return os.path.join(build, "tests", "test_quality_files")


def check(files, show=sys.stdout):
    """Runs the checker over files; True when all is well."""
    run = subprocess.run([checker(), *files], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    show.write(run.stdout)
    if run.returncode not in (0, 1):
        show.write("exit %d\n" % run.returncode)
    return run.returncode == 0


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--seeds", default="0:500")
    p.add_argument("--keep", help="write the networks here and keep them")
    p.add_argument("--networks", help="put quality into the files below this directory instead")
    p.add_argument("--print", type=int, metavar="SEED")
    a = p.parse_args()
    if a.print is not None:
        sys.stdout.write(network(a.print))
        return 0
    first, last = (int(x) for x in a.seeds.split(":"))
    with tempfile.TemporaryDirectory() as folder:
        folder = a.keep or folder
        os.makedirs(folder, exist_ok=True)
        files = []
        found = []
        if a.networks:
            for where, _, names in sorted(os.walk(a.networks)):
                found += [os.path.join(where, x) for x in sorted(names) if x.endswith(".inp")]
        for i in range(first, last) if not a.networks else range(len(found) * len(KINDS)):
            path = os.path.join(folder, "q%d.inp" % i)
            if a.networks:
                with open(found[i // len(KINDS)], errors="replace") as f:
                    text = with_quality(f.read(), i, KINDS[i % len(KINDS)])
            else:
                text = network(i)
            with open(path, "w") as f:
                f.write(text)
            files.append(path)
        return 0 if check(files) else 1


if __name__ == "__main__":
    sys.exit(main())
