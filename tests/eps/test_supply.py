#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_supply.py: shares of demands behind flow limits, on random networks, against every cut of each network.

A set X of junctions is supplied by at most the capacities of the links that lead into it and the inflows inside; its demands
can share no more than that. So the least share is the least of (capacity in) / (demand) over all sets X, and the junctions of
the sets that attain it have it. Their demands are then fixed, and the others share what is left in the same way. Networks of 5
junctions have 31 sets: all of them are tried here, where the engine looks for flows and cuts.

Beside the shares: every step is balanced, no flow control valve passes more than its setting, all junctions balance, and the
ledger closes. The calculation first shows that it can fail.
"""
import csv
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

SLUICE = os.environ["SLUICE"]
N_NETWORK, N_JUNCTION = 250, 5
INFINITE = float("inf")


def random_network(seed):
    """Text, demands, and links as (from, to, capacity forwards, capacity backwards, id)."""
    r = random.Random(seed)
    junctions = ["J%d" % i for i in range(N_JUNCTION)]
    demand = {j: round(r.choice([0, 1, 1, 1, 1, -0.2]) * r.uniform(1, 9), 2) for j in junctions}
    tanks = [] if r.random() < 0.5 else ["T"]
    links, pipes, pumps, valves = [], [], [], []

    def pipe(a, b, check):
        pipes.append("%s %s %s 100 200 100 0 %s" % ("P%d" % len(links), a, b, "CV" if check else "Open"))
        links.append((a, b, INFINITE, 0.0 if check else INFINITE, "P%d" % len(links)))

    def valve(a, b, setting):
        valves.append("%s %s %s 200 FCV %g 0" % ("V%d" % len(links), a, b, setting))
        links.append((a, b, setting, INFINITE, "V%d" % len(links)))

    def pump(a, b):
        pumps.append("%s %s %s HEAD C" % ("U%d" % len(links), a, b))
        links.append((a, b, INFINITE, 0.0, "U%d" % len(links)))

    for n, head in enumerate(r.sample([50, 60, 45], r.choice([1, 1, 2]))):
        pipe("R%d" % head, "A%d" % n, False)  # a valve may not stand at a reservoir
        valve("A%d" % n, r.choice(junctions), round(r.uniform(0.3, 9), 2))
    heads = sorted({l[0] for l in links if l[0].startswith("R")})
    inner = sorted({l[1] for l in links if l[1].startswith("A")})
    valve_ends = {(l[0], l[1]) for l in links}
    for i in range(1, N_JUNCTION):
        a, b, kind = junctions[r.randrange(i)], junctions[i], r.random()
        if kind < 0.45:
            pipe(a, b, False)
        elif kind < 0.8:
            a, b = (a, b) if r.random() < 0.8 else (b, a)
            valve(a, b, round(r.uniform(0.3, 9), 2))
        elif kind < 0.9:
            pipe(*((a, b) if r.random() < 0.6 else (b, a)), True)
        else:
            pump(a, b)
    if r.random() < 0.4:
        a, b = r.sample(junctions, 2)
        if (a, b) not in valve_ends and (b, a) not in valve_ends:
            pipe(a, b, r.random() < 0.5)
    for t in tanks:
        pipe(r.choice(junctions), t, False)
    text = ["[JUNCTIONS]"] + ["%s 0 %g" % (j, demand[j]) for j in junctions] + ["%s 0 0" % a for a in inner]
    text += ["[RESERVOIRS]"] + ["%s %s" % (h, h[1:]) for h in heads]
    text += ["[TANKS]"] + ["%s %d 0 0 40 20 0" % (t, r.choice([35, 70])) for t in tanks]
    text += ["[PIPES]"] + pipes + ["[PUMPS]"] + pumps + ["[VALVES]"] + valves
    text += ["[CURVES]", "C 10 20", "[OPTIONS]", "UNITS LPS", "[TIMES]", "DURATION 3:00", "[END]"]
    return "\n".join(text) + "\n", demand, links


def shares_of(demand, links):
    """By all sets of junctions; reservoirs and the nodes beside them supply any flow, empty tanks none."""
    names, share = sorted(demand), {}
    while True:
        best, members = 1.0, []
        for n in range(1, len(names) + 1):
            for x in itertools.combinations(names, n):
                free = sum(demand[j] for j in x if demand[j] > 0 and j not in share)
                if free <= 0:
                    continue
                room = sum(-min(demand[j], 0) - (demand[j] * share[j] if j in share else 0) for j in x)
                for a, b, forward, back, _ in links:
                    room += forward if b in x and a not in x and not a.startswith("T") else 0
                    room += back if a in x and b not in x and not b.startswith("T") else 0
                s = max(room, 0.0) / free
                if s < best * (1 - 1e-9):
                    best, members = s, []
                if s <= best * (1 + 1e-9) and s < 1:
                    members += [j for j in x if j not in share]
        if not members:
            return {j: share.get(j, 1.0) for j in names}
        share.update((j, best) for j in set(members) if demand[j] > 0)


def has_exit(demand, links):
    """Can all that flows in by negative demands leave? Otherwise there is no flow, whatever is served."""
    names = sorted(demand)
    for n in range(1, len(names) + 1):
        for x in itertools.combinations(names, n):
            out = sum(f for a, b, f, _, _ in links if a in x and b not in x)
            out += sum(back for a, b, _, back, _ in links if b in x and a not in x)
            if sum(demand[j] for j in x) + out < 0:
                return False
    return True


def run(text, folder):
    inp, out = os.path.join(folder, "n.inp"), os.path.join(folder, "n.csv")
    with open(inp, "w") as f:
        f.write(text)
    p = subprocess.run([SLUICE, "run", "--json", inp, "-o", out, "--csv", "columns", "--what", "flow,node.demand,node.unserved"],
                       capture_output=True, text=True)
    with open(out) as f:
        rows = list(csv.reader(line for line in f if not line.startswith("#")))
    first = dict(zip(rows[0], map(float, rows[1])))
    return p.returncode, json.loads(p.stdout)["summary"], first


def faults(demand, links, expected, result):
    """What is wrong with a result."""
    code, summary, x = result
    wrong = []
    if code == 3 or code == 2:
        return ["exit %d: %s" % (code, summary.get("residuals"))]
    for j, d in demand.items():
        served, unserved = x["node.%s.demand_L_per_s" % j], x["node.%s.unserved_L_per_s" % j]
        if d > 0 and abs(served - expected[j] * d) > 1e-6 * d:
            wrong.append("%s gets %.9g of %g, expected the share %.9g" % (j, served, d, expected[j]))
        if d > 0 and abs(served + unserved - d) > 1e-9 * d:
            wrong.append("%s: %.9g served and %.9g unserved are not %g" % (j, served, unserved, d))
        net = sum(x["link.%s.flow_L_per_s" % l[4]] * ((l[1] == j) - (l[0] == j)) for l in links)
        if abs(net - served) > 1e-5:
            wrong.append("%s: %.9g comes in, %.9g leaves" % (j, net, served))
    for l in links:
        if l[2] < INFINITE and x["link.%s.flow_L_per_s" % l[4]] > l[2] * (1 + 1e-6):
            wrong.append("%s passes %.9g, set to %g" % (l[4], x["link.%s.flow_L_per_s" % l[4]], l[2]))
    b = summary["balance"]
    if abs(b["inflow_m3"] - b["outflow_m3"] - b["storage_m3"]) > 1e-6 * b["inflow_m3"] + 1e-6:
        wrong.append("the ledger is open: %r" % b)
    return wrong


def main():
    failed, limited, several, n_run = 0, 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(N_NETWORK):
            text, demand, links = random_network(seed)
            if not has_exit(demand, links):
                continue
            n_run += 1
            expected, result = shares_of(demand, links), run(text, folder)
            wrong = faults(demand, links, expected, result)
            low = {s for s in expected.values() if 0 < s < 1}
            limited += bool(low)
            several += len(low) > 1
            if low and failed == 0:
                j = next(j for j in expected if 0 < expected[j] < 1)
                if not faults(demand, links, dict(expected, **{j: expected[j] + 1e-5}), result):
                    print("FAIL  a share that is off by 1e-5 is not seen")
                    failed += 1
            if wrong:
                failed += 1
                print("FAIL  seed %d\n      %s\n%s" % (seed, "\n      ".join(wrong), text if failed < 3 else ""))
    print("%d networks, %d with a limit, %d with several shares" % (n_run, limited, several))
    if limited < N_NETWORK // 2 or several < N_NETWORK // 20:
        print("FAIL  too few of them have limits")
        failed += 1
    return 1 if failed else 0


sys.exit(main())
