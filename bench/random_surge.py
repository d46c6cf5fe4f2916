#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""random_surge.py: does a surge run through random networks end well, whatever happens in it?

    bench/random_surge.py [--seeds A:B] [--keep DIRECTORY]
    bench/random_surge.py --print SEED          (writes network and study of that seed to the current folder)

The networks are those of random_networks.py; the study of a seed has random models, grids and one to four events: closures,
openings, trips, stops, demands, heads, bursts. Each is run by `sluice run`. A seed is in one class:

    fine      every head, flow and volume is a number, no alarm
    alarm     the same with alarms, each of which is explained by what the run tells (see explain)
    refused   the network is, or has no steady state to start from; an error in the study is BAD
    BAD       a value that is no number, an alarm without an explanation, a failure or a crash: exit code 1
"""
import argparse
import collections
import json
import math
import os
import random
import subprocess
import sys
import tempfile

import peers
from random_networks import Network


def study_of(seed, net):
    r = random.Random(1000003 * seed + 7)
    ids = {"junction": list(net.junctions), "pump": [p for p in net.pumps], "valve": [v for v in net.valves],
           "pipe": [p for p in net.pipes]}
    ids = {k: [x if isinstance(x, str) else x[0] for x in v] for k, v in ids.items()}
    study = {"study": "surge", "network": "net.inp", "duration": r.choice([5, 10, 20]), "wave_speed": r.choice([350, 900, 1200]),
             "friction": r.choice(["steady", "quasi-steady", "quasi-steady", "acceleration", "convolution"]),
             "cavitation": r.choice(["dgcm", "dgcm", "dvcm", "clamp", "liquid"]),
             "demands": r.choice(["orifice", "orifice", "intrusion", "fixed"]), "tanks": r.choice(["move", "hold"]),
             "grid": {"scheme": r.choice(["adjust", "adjust", "interpolate"]), "on_distortion": "warn"},
             "outlets": [], "events": [], "outputs": {"nodes": "all", "links": "all"}}
    for k in range(r.randint(1, 4)):
        event = {"at": round(r.uniform(0, 3), 2)}
        verb = r.choice(["close", "close", "trip", "stop", "demand", "demand_factor", "burst", "pipe"])
        if verb == "close" and ids["valve"]:
            event.update({"close": r.choice(ids["valve"]), "in": r.choice([0, 0.1, 1, 3])})
        elif verb == "trip" and ids["pump"]:
            event.update({"trip": r.choice(ids["pump"])})
        elif verb == "stop" and ids["pump"]:
            event.update({"stop": r.choice(ids["pump"]), "in": r.choice([0, 0.5, 2])})
        elif verb == "burst" and ids["junction"]:
            study["outlets"].append({"name": f"o{k}", "node": r.choice(ids["junction"]), "orifice": r.choice([0.01, 0.03, 0.1])})
            event.update({"burst": f"o{k}", "in": r.choice([0, 0.2])})
        elif verb == "demand" and ids["junction"]:
            event.update({"demand": r.choice(ids["junction"]), "to": "%g m3/s" % r.choice([0, 0.001, 0.01]), "in": r.choice([0, 1])})
        elif verb == "demand_factor" and ids["junction"]:
            event.update({"demand_factor": r.choice(ids["junction"]), "to": r.choice([0, 2]), "in": r.choice([0, 1])})
        else:
            event.update({"close": r.choice(ids["pipe"]), "in": r.choice([0, 1])})
        study["events"].append(event)
    return study


def finite(x):
    if isinstance(x, float):
        return math.isfinite(x)
    if isinstance(x, dict):
        return all(finite(v) for v in x.values())
    return all(finite(v) for v in x) if isinstance(x, list) else True


def missing(result):
    """Values are numbers throughout (JSON has null for what is none)."""
    return sorted({f"{group} {quantity}" for frame in result["frames"] for group, values in frame.items() if isinstance(values, dict)
                   for quantity, x in values.items() if None in x})


def cut_off(study, text):
    """Does an event shut the only link of a node?"""
    rows = [row.split() for part in ("[PIPES]", "[PUMPS]", "[VALVES]") if part in text
            for row in text.split(part + "\n")[1].split("\n[")[0].splitlines() if len(row.split()) > 2]
    degree = collections.Counter(node for row in rows for node in row[1:3])
    shut = {e.get("close") for e in study["events"]}
    return any(degree[node] == 1 for row in rows if row[0] in shut for node in row[1:3])


def rings(node, result, text):
    """Is there a pipe at this node, or at its neighbours, so short that its own cycle has less than ten steps?"""
    grid = {name: column["values"] for name, column in result["tables"]["grid"]["columns"].items()}
    reaches = dict(zip(grid["id"], grid["reaches"]))
    ends = {row.split()[0]: set(row.split()[1:3]) for row in text.split("[PIPES]\n")[1].split("\n[")[0].splitlines() if row.split()}
    near = set().union({node}, *(pair for pair in ends.values() if node in pair))
    return any(reaches.get(pipe, 0) <= 2 for pipe, pair in ends.items() if pair & near)


def explain(alarm, study, summary, result, text):
    """Why an alarm is what should be expected here; None: it is not."""
    points = {name: column["values"] for name, column in result["tables"]["points"]["columns"].items()}
    cavity = any(c is not None for c in points.get("cavity_first", []))
    name = alarm["alarm"]
    if name == "cavity":
        near = min(a - b for pipe, a, b in zip(points["pipe"], points["head_min"], points["vapour_head"]) if alarm.get("pipe", pipe) == pipe)
        return "large cavities" if near < 1.0 else None
    if name == "tank":
        return "a tank at its limit"
    if name == "mass" and study["cavitation"] == "clamp":
        return "clamped heads make water"
    if name == "mass" and study["grid"]["scheme"] == "interpolate":
        return "interpolation between points loses and makes water"
    if name == "energy" and study["grid"]["scheme"] == "interpolate":
        return "interpolation keeps energy to its error only"
    if name == "joukowsky" and any(set(e) & {"demand", "demand_factor", "burst"} for e in study["events"]):
        return "water that is taken by force"
    if name == "nodes" and (any(n["head_min_m"] < -1000.0 for n in summary["nodes"]) or
                            (study["demands"] == "fixed" and cut_off(study, text))):
        return "a fixed demand behind something that is shut"
    if name == "grid" and cavity:
        return "cavities that open and close all the time"
    if name == "grid" and rings(alarm["node"], result, text):
        return "a pipe of one or two reaches rings"
    if name == "grid" and any(event.get("in", 0) == 0 for event in study["events"]):
        return "an event at once: fronts as steep as a step go to and fro"
    if name in ("joukowsky", "energy") and cavity:
        return "cavities collapsed"
    return None


def judge(sluice, folder, seed):
    net = Network(seed)
    study = study_of(seed, net)
    with open(os.path.join(folder, "net.inp"), "w", encoding="utf-8") as f:
        f.write(net.text())
    with open(os.path.join(folder, "study.yaml"), "w", encoding="utf-8") as f:
        json.dump(study, f, indent=1)
    try:
        run = subprocess.run([sluice, "run", "study.yaml", "--json", "-o", "r.json"], cwd=folder, capture_output=True, text=True,
                             timeout=120)
    except subprocess.TimeoutExpired:
        return "BAD", ["takes more than two minutes"]
    if run.returncode == 2:
        errors = [x for x in json.loads(run.stdout)["diagnostics"] if x["severity"] == "error"]
        ours = [x["text"] for x in errors if x.get("file") == "study.yaml"]  # a study of this program must be right
        return ("BAD", ours) if ours or not errors else ("refused", [errors[0]["code"] + ": " + errors[0]["text"]])
    if run.returncode not in (0, 1):
        return "BAD", [f"exit code {run.returncode}", run.stderr.strip()[-300:]]
    with open(os.path.join(folder, "r.json"), encoding="utf-8") as f:
        result = json.load(f)
    summary = json.loads(run.stdout)["summary"]
    bad = missing(result)
    reasons = []
    for alarm in summary["alarms"]:
        why = explain(alarm, study, summary, result, net.text())
        (reasons if why else bad).append(f"{alarm['alarm']} ({why or 'worst %s at %s s' % (alarm['worst'], alarm['time_s'])})")
    return ("BAD", bad) if bad else ("alarm", reasons) if reasons else ("fine", [])


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--seeds", default="0:200")
    p.add_argument("--keep", help="keep network and study of what is BAD here")
    p.add_argument("--print", type=int, metavar="SEED")
    a = p.parse_args()
    if a.print is not None:
        net = Network(a.print)
        with open("net.inp", "w", encoding="utf-8") as f:
            f.write(net.text())
        with open("study.yaml", "w", encoding="utf-8") as f:
            json.dump(study_of(a.print, net), f, indent=1)
        return 0
    sluice = peers.sluice_program()
    first, last = (int(x) for x in a.seeds.split(":"))
    counts, whys = collections.Counter(), collections.Counter()
    for seed in range(first, last):
        with tempfile.TemporaryDirectory() as folder:
            kind, facts = judge(sluice, folder, seed)
            counts[kind] += 1
            if kind in ("BAD", "refused"):
                print("%-8s %d  %s" % (kind, seed, "; ".join(facts)), flush=True)
            for fact in facts if kind == "alarm" else []:
                whys[fact] += 1
            if kind == "BAD" and a.keep:
                os.makedirs(a.keep, exist_ok=True)
                for name in ("net.inp", "study.yaml"):
                    os.replace(os.path.join(folder, name), os.path.join(a.keep, f"{seed}-{name}"))
    print(", ".join("%s %d" % kv for kv in sorted(counts.items())))
    for why, n in sorted(whys.items()):
        print("  %s: %d" % (why, n))
    return 1 if counts["BAD"] else 0


if __name__ == "__main__":
    sys.exit(main())
