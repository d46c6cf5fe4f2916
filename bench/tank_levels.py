#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tank_levels.py: how near are the levels of tanks to those of much shorter steps? Sluice beside EPANET 2.3.5.

    bench/tank_levels.py [--only net6,ky17] [--hours 12] [--seconds 60] [--out bench/results/tank_levels.md] [FOLDER ...]

Of each network with tanks in the folders (those of ../shared unless given) the first hours are simulated four times: by Sluice and
by EPANET, with the hydraulic step of the file and with one of 10 s (Sluice: --tanks explicit). The rule step stays that of the
file. Levels are compared at the report times, each program's with those of its own run of 10 s, until the first report time at
which a link is open in one run and closed in the other: from there on they differ for another reason. A network whose runs of
10 s take longer than --seconds is left out and named.

Environment: SLUICE (the program, default build/release/sluice), SLUICE_EPANET_LIBRARY (another libepanet2).
"""

import argparse
import array
import glob
import json
import os
import struct
import subprocess
import sys
import tempfile

import peers
from common import build, text_of, today

from solve import neutral

SHARED = os.path.join(os.path.dirname(os.path.dirname(peers.BENCH)), "shared")
FOLDERS = [os.path.join(SHARED, f) for f in ("networks", "networks-more", "networks-hard")]
CLOSED = 2  # status codes up to this one are those of closed links


def read_out(path):
    """Times [s], levels of tanks [m] and open links at each report time of an .out file."""
    with open(path, "rb") as f:
        data = f.read()
    v = struct.unpack_from("<15i", data)
    n, tanks, m, pumps, start, step = v[2], v[3], v[4], v[5], v[12], v[13]
    foot = 0.3048 if v[9] < 5 else 1.0  # flow units of feet
    at = 884 + 32 * (n + m) + 12 * m
    index = struct.unpack_from("<%di" % tanks, data, at)
    area = struct.unpack_from("<%df" % tanks, data, at + 4 * tanks)
    at += 8 * tanks
    elevation = struct.unpack_from("<%df" % n, data, at)
    at += 4 * n + 8 * m + 28 * pumps + 4
    nodes = [i - 1 for i, a in zip(index, area) if a > 0]
    size, periods = 4 * (4 * n + 8 * m), struct.unpack_from("<i", data, len(data) - 12)[0]
    rows = []
    for p in range(periods):
        x = array.array("f", data[at + p * size : at + (p + 1) * size])
        is_open = [s > CLOSED for s in x[4 * n + 4 * m : 4 * n + 5 * m]]
        rows.append((start + p * step, [foot * (x[n + i] - elevation[i]) for i in nodes], is_open))
    return rows


def compare(rows, reference):
    """The largest difference of a level [m], the root of the mean square, and the time until which statuses agree [s]."""
    worst, squares, count, until = 0.0, 0.0, 0, 0
    for (t, levels, is_open), (_, right, right_open) in zip(rows, reference):
        if is_open != right_open:
            break
        until = t
        for a, b in zip(levels, right):
            worst, squares, count = max(worst, abs(a - b)), squares + (a - b) ** 2, count + 1
    return worst, (squares / max(count, 1)) ** 0.5, until


def clock(seconds):
    return "%d:%02d:%02d" % (seconds // 3600, seconds // 60 % 60, seconds % 60)


def copies(source, target, hours, times):
    """The model without quality, its first hours; and the same with steps of 10 s. Returns both paths."""
    neutral(source, target)
    with open(target, encoding="latin-1", newline="") as f:
        text = f.read().replace("[END]", "")
    paths = []
    for step in (None, 10):
        lines = ["", "[TIMES]", "DURATION %s" % clock(min(hours * 3600, times["duration_s"])), "STATISTIC NONE"]
        if step:
            lines += ["HYDRAULIC TIMESTEP %s" % clock(step), "RULE TIMESTEP %s" % clock(times["rule_step_s"])]
        paths.append("%s-%s.inp" % (target[:-4], step or "file"))
        with open(paths[-1], "w", encoding="latin-1", newline="") as f:
            f.write(text + "\n".join(lines) + "\n[END]\n")
    return paths


def run(command, out, seconds):
    if os.path.exists(out):
        os.unlink(out)
    try:
        subprocess.run(command, capture_output=True, timeout=seconds, check=False)
        return read_out(out)
    except (subprocess.TimeoutExpired, OSError, struct.error, IndexError):
        return None


def measure(tools, path, args):
    """(tanks, Sluice's difference, EPANET's difference), or the reason why there is none."""
    if os.path.exists(tools["json"]):
        os.unlink(tools["json"])
    done = subprocess.run([tools["sluice"], "convert", path, tools["json"]], capture_output=True, check=False)
    if done.returncode:
        return "not read"
    with open(tools["json"], encoding="utf-8") as f:
        network = json.load(f)
    tanks, times = len(network.get("tanks", [])), network["times"]
    if not tanks or times["duration_s"] <= 0:
        return None
    as_it_is, short = copies(path, tools["model"], args.hours, times)
    found = []
    for program in ("sluice", "epanet"):
        rows = []
        for model in (as_it_is, short):
            out, explicit = model[:-4] + ".out", ["--tanks", "explicit"] if model == short else []
            command = {
                "sluice": [tools["sluice"], "run", model, "-o", out, *explicit],
                "epanet": [tools["peer"], tools["library"], model, model[:-4] + ".rpt", out],
            }
            rows.append(run(command[program], out, args.seconds))
        if not all(rows):
            return "%s: no result within %g s" % ("Sluice" if program == "sluice" else "EPANET", args.seconds)
        found.append(compare(*rows))
    return (tanks, *found)


def render(tools, rows, left_out, hours):
    lines = [
        "# Levels of tanks against steps of 10 s",
        "",
        "Made by `bench/tank_levels.py` on %s: %s, EPANET %s." % (today(), tools["version"], tools["epanet"]),
        "",
        "The first %g hours of each network with tanks: levels at report times with the hydraulic step of the file against those of the"
        " same program with steps of 10 s, until the first report time at which a link is open in one and closed in the other."
        " Worst and root mean square in millimetres; hours compared." % hours,
        "",
        "| network | tanks | Sluice worst | rms | hours | EPANET worst | rms | hours |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, tanks, s, e in rows:
        cells = ["%.1f | %.2f | %.1f" % (1e3 * x[0], 1e3 * x[1], x[2] / 3600) for x in (s, e)]
        lines.append("| %s | %d | %s | %s |" % (name, tanks, *cells))
    if left_out:
        lines += ["", "Left out: " + "; ".join("%s (%s)" % x for x in left_out) + "."]
    return "\n".join(lines) + "\n"


def main():
    options = argparse.ArgumentParser(description="Levels of tanks against steps of 10 s.")
    options.add_argument("folders", nargs="*", default=FOLDERS)
    options.add_argument("--only", help="names of networks, with commas; no page then unless --out")
    options.add_argument("--hours", type=float, default=12)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--out", default=None)
    args = options.parse_args()
    wanted = args.only.lower().split(",") if args.only else None
    rows, left_out = [], []
    with tempfile.TemporaryDirectory() as folder:
        tools = {"sluice": peers.sluice_program(), "library": peers.epanet_library(), "peer": build("epanet_run", folder)}
        tools["version"] = text_of([tools["sluice"], "--version"]).split("\n")[0]
        tools["epanet"] = text_of([build("epanet_open", folder), tools["library"], "--version"])
        tools.update(model=os.path.join(folder, "model.inp"), json=os.path.join(folder, "model.json"))
        for top in args.folders:
            for path in sorted(glob.glob(os.path.join(top, "**", "*.inp"), recursive=True)):
                name = os.path.splitext(os.path.basename(path))[0]
                if wanted and name.lower() not in wanted:
                    continue
                found = measure(tools, path, args)
                if isinstance(found, str):
                    left_out.append((name, found))
                    print("%-32s %s" % (name, found), flush=True)
                elif found:
                    rows.append((name, *found))
                    text = "; ".join("%.1f mm, rms %.2f, %.1f h" % (1e3 * a, 1e3 * b, t / 3600) for a, b, t in found[1:])
                    print("%-32s %3d tanks: Sluice, EPANET %s" % (name, found[0], text), flush=True)
    if not wanted or args.out:
        with open(args.out or os.path.join(peers.BENCH, "results", "tank_levels.md"), "w", encoding="utf-8") as page:
            page.write(render(tools, rows, left_out, args.hours))
    return 0


if __name__ == "__main__":
    sys.exit(main())
