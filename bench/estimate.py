#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""estimate.py: how good is the estimate of a run's time that `sluice info` shows, and which weights would be best?

    bench/estimate.py [--runs 3] [--limit 60] [--rows FILE.json]

Every network below ../shared and every city and grid that this script makes is run by `sluice run FILE -o FILE.out`. The
true time is the processor time, the best of --runs, beyond that of a model of one pipe. Runs longer than
--limit seconds or that fail are left out. --rows keeps what was measured, or uses what was kept, so that a fit can be
repeated without a run.

Printed are, of the estimate in the program and of the fitted weights: the median of said/true, the median and the worst
of how far apart the two are (the larger over the smaller), and the worst networks. The weights are those of
src/network/estimate.c, in its order; all are positive, so that no figure that grows lowers an estimate. The fit
minimizes log(said/true) by Huber's measure and a search along each weight's logarithm: it needs no library, and one
network with a thousand extra steps hardly moves it. Half of the networks, every second one by name, is fitted alone and judged
on the other half, to show that the weights are not those of the networks they were fitted to.

Environment: SLUICE (the program, default build/release/sluice).
"""

import argparse
import glob
import json
import math
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SLUICE = os.environ.get("SLUICE", os.path.join(ROOT, "build", "release", "sluice"))
LEAST = 1.0  # [ms] shorter runs are left out: the start of a process is as long
SHORT = 20.0  # [ms] shorter runs are made five times as often
ONE_PIPE = "[JUNCTIONS]\nJ 0 1\n[RESERVOIRS]\nR 10\n[PIPES]\nP R J 100 100 100\n[OPTIONS]\nUNITS LPS\n[END]\n"


# ---- Networks ---------------------------------------------------------------------------------------------------------


def mesh_text(nodes, links, hours):
    """A network without tanks: a reservoir at node 0, a demand at each node, pipes between the given pairs."""
    lines = ["[JUNCTIONS]"] + ["%d 0 0.1" % i for i in range(nodes)]
    lines += ["[RESERVOIRS]", "R 50", "[PIPES]", "P R 0 10 1000 120"]
    lines += ["%d %d %d 100 %d 120" % (k, a, b, 150 + 50 * (k % 5)) for k, (a, b) in enumerate(links)]
    lines += ["[PATTERNS]", "1 0.5 0.8 1.2 1.4 1.1 0.7", "[TIMES]", "Duration %d:00" % hours, "[OPTIONS]", "Units LPS"]
    return "\n".join(lines + ["[END]", ""])


def meshes():
    """Pairs of name and text: square grids, grids with diagonals, and graphs without geometry, whose factor fills up."""
    for n in (10, 30, 60, 120):
        at = lambda x, y, n=n: x * n + y  # noqa: E731
        cells = [(x, y) for x in range(n) for y in range(n)]
        grid = [(at(x, y), at(x + 1, y)) for x, y in cells if x + 1 < n]
        grid += [(at(x, y), at(x, y + 1)) for x, y in cells if y + 1 < n]
        cross = [(at(x, y), at(x + 1, y + 1)) for x, y in cells if x + 1 < n and y + 1 < n]
        yield "grid-%d" % n, mesh_text(n * n, grid, 24)
        yield "cross-%d" % n, mesh_text(n * n, grid + cross, 24)
    for n, per_node in ((300, 1.2), (300, 2), (1000, 1.2), (1000, 2), (3000, 1.2)):
        draw = random.Random(n)
        links = [(draw.randrange(i), i) for i in range(1, n)]
        while len(links) < per_node * n:
            links.append(tuple(draw.sample(range(n), 2)))
        yield "random-%d-%g" % (n, per_node), mesh_text(n, links, 24)


def make_models(folder):
    for name, text in [("one-pipe", ONE_PIPE), *meshes()]:
        with open(os.path.join(folder, name + ".inp"), "w", encoding="utf-8") as out:
            out.write(text)
    for n in (300, 1000, 3000, 10000, 30000, 100000):
        for seed in (1, 2) if n < 1e5 else (1,):
            path = os.path.join(folder, "city-%d-%d.inp" % (n, seed))
            subprocess.run([SLUICE, "gen", "city", "-q", "-n", str(n), "-s", str(seed), "-o", path], check=True)


# ---- Measuring --------------------------------------------------------------------------------------------------------


def spent():
    """Processor time of all runs so far [ms]. The sum is exact; how Linux divides it into user and system is sampled."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1e3


def one_ms(path, folder, limit):
    """Processor time of one run, None if it failed."""
    before = spent()
    command = [SLUICE, "run", "-q", path, "-o", os.path.join(folder, "r.out")]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    return spent() - before if done.returncode in (0, 1) else None


def best_ms(path, folder, runs, limit):
    first = one_ms(path, folder, limit)
    if first is None:
        return None
    runs *= 5 if first < SHORT else 1
    return min([first] + [one_ms(path, folder, limit) or first for _ in range(runs - 1)])


def measure(runs, limit):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        make_models(folder)
        start = best_ms(os.path.join(folder, "one-pipe.inp"), folder, runs, limit)
        shared = glob.glob(os.path.join(ROOT, "..", "shared", "networks*", "**", "*.inp"), recursive=True)
        for path in sorted(shared) + sorted(glob.glob(os.path.join(folder, "*-*.inp"))):
            info = subprocess.run([SLUICE, "info", "--json", path], capture_output=True, text=True, check=False)
            if info.returncode > 1:
                continue
            ms = best_ms(path, folder, runs, limit)
            if ms is not None and ms - start > LEAST:
                made = path.startswith(folder)
                rows.append({"name": os.path.basename(path)[:-4], "made": made, "ms": ms - start, "info": json.loads(info.stdout)})
                print("%-40s %10.1f ms" % (rows[-1]["name"], rows[-1]["ms"]), file=sys.stderr)
    return rows


# ---- The estimate and its fit -----------------------------------------------------------------------------------------

# Names and start of the search: the constants of src/network/estimate.c.
WEIGHTS = {"once_us": 0.3, "item_us": 0.02, "factor_us": 0.002, "pressure_driven": 3, "tank_moments": 0.1,
           "quality_us": 0.05}  # fmt: skip


def said_ms(weights, info):
    """The formula of src/network/estimate.c with all figures known."""
    w, counts = weights, info["counts"]
    links = sum(counts[kind] for kind in ("pipes", "pumps", "valves"))
    size = links + sum(counts[kind] for kind in ("junctions", "reservoirs", "tanks"))
    duration = info["duration_s"]
    moments = 1 + duration / info["hydraulic_step_s"] + duration / 3600 * w["tank_moments"] * counts["tanks"]
    solve = w["item_us"] * size + w["factor_us"] * info["estimate"]["factor_multiplications"]
    us = w["once_us"] * size + moments * solve * (w["pressure_driven"] if info["demand_model"] == "PDA" else 1)
    if info["quality"] != "none":
        us += (1 + duration / info["quality_step_s"]) * w["quality_us"] * links
    return us / 1e3


def miss(weights, rows):
    """Huber's sum over x = log(said/true): x^2 / 2 up to a factor of 2, linear beyond."""
    bend, total = math.log(2), 0
    for row in rows:
        x = abs(math.log(said_ms(weights, row["info"]) / row["ms"]))
        total += x * x / 2 if x < bend else bend * (x - bend / 2)
    return total


def fit(rows):
    weights, step = dict(WEIGHTS), 2.0
    least = miss(weights, rows)
    while step > 1.01:
        moved = False
        for name in weights:
            for factor in (step, 1 / step):
                tried = dict(weights, **{name: weights[name] * factor})
                if name == "pressure_driven" and tried[name] < 1:
                    continue
                if miss(tried, rows) < least - 1e-9:
                    weights, least, moved = tried, miss(tried, rows), True
        step = step if moved else math.sqrt(step)
    return weights


def street(rows):
    """What stands for the density of the mesh where it is not known: loops per link, multiplications / loops^1.5."""
    share, growth = [], []
    for row in rows:
        info = row["info"]
        loops = info["estimate"]["loops"]
        links = sum(info["counts"][kind] for kind in ("pipes", "pumps", "valves"))
        if loops > 10 and not row["made"]:
            share.append(loops / links)
            growth.append(info["estimate"]["factor_multiplications"] / loops**1.5)
    return statistics.median(share), statistics.median(growth)


def show(title, said, rows):
    ratio = [value / row["ms"] for value, row in zip(said, rows)]
    apart = sorted(max(r, 1 / r) for r in ratio)
    print("%-34s said/true: median %.2f; apart: median %.2f, 9 of 10 within %.1f, worst %.1f times"
          % (title, statistics.median(ratio), statistics.median(apart), apart[int(0.9 * len(apart))], apart[-1]))  # fmt: skip
    worst = sorted(zip(ratio, rows), key=lambda pair: -abs(math.log(pair[0])))[:5]
    print("    " + ", ".join("%s %.2f" % (row["name"], r) for r, row in worst))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--rows")
    args = parser.parse_args()
    if args.rows and os.path.exists(args.rows):
        with open(args.rows, encoding="utf-8") as kept:
            rows = json.load(kept)
    else:
        rows = measure(args.runs, args.limit)
        if args.rows:
            with open(args.rows, "w", encoding="utf-8") as kept:
                json.dump(rows, kept)
    rows.sort(key=lambda row: row["name"])
    print("%d networks" % len(rows))
    show("in the program", [row["info"]["estimate"]["ms"] for row in rows], rows)
    weights = fit(rows)
    show("fitted", [said_ms(weights, row["info"]) for row in rows], rows)
    half = fit(rows[::2])
    show("fitted to half, on the other half", [said_ms(half, row["info"]) for row in rows[1::2]], rows[1::2])
    for name, weight in weights.items():
        print("%-20s %.2g" % (name, weight))
    print("%-20s %.2g\n%-20s %.2g" % ("loops_per_link", street(rows)[0], "factor_per_street", street(rows)[1]))


if __name__ == "__main__":
    main()
