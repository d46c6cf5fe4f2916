#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""every_network.py: Sluice against EPANET 2.3.5 on every public network above 300 links, not on chosen ones.

    bench/every_network.py [--only dtown,ky8] [--folders A,B] [--links 300] [--runs 5] [--limit 120] [--out PAGE] [--any-load]

All .inp files of ../shared/networks*, folders below included, with more links than --links; rules-598, which is about its
rules, whatever its size. Each runs twice: hydraulics only (QUALITY NONE, no report) and, where the file asks for water
quality, with it (no report). Both programs run in turns in processes of their own that read the file, simulate it and write
EPANET's binary results. What counts is processor time, user and system, beyond the start of a process: that of a model of one
pipe is subtracted on both sides. Best of 5 (2 above 5 s); of short runs, which a disturbance of a tenth of a millisecond changes, so
many as take a second, up to 200, and of that model 200. A run is ended after --limit seconds.

A ratio counts where EPANET writes every period that Sluice does; otherwise the network is named with what happened.

Environment: SLUICE (the program, default build/release/sluice), SLUICE_EPANET_LIBRARY (another libepanet2).
"""

import argparse
import glob
import json
import os
import re
import resource
import statistics
import struct
import subprocess
import sys
import tempfile

import peers
import quality
import solve
from common import build, build_with_library, busy, count, machine, seconds, text_of, today, write_page

ALSO = ("rules-598",)  # whatever their size
LEAST = {"hydraulics": 3.0, "quality": 3.0}  # ratio that every network should reach
MORE = {"Net6": 4.0, "ky17": 4.0, "biws": 4.0, "rules-598": 4.0, "dtown": 4.0}  # of hydraulics
MEDIAN = 6.0  # of hydraulics
MANY, ENOUGH = 200, 1.0  # runs of a short model, and [s] that they may take
WAYS = (("times", "In processes of their own"), ("inside", "Inside one process"))
FINE = (0, 1, 3)  # exit codes of a run whose results are written: all well, limits broken, steps not balanced


# ---- Networks -----------------------------------------------------------------------------------------------------


def folders():
    return sorted(glob.glob(os.path.join(os.path.dirname(peers.ROOT), "shared", "networks*")))


def networks(sluice, where, least):
    """(name, path, links) of all networks, by size, and the names of files that Sluice does not read."""
    found, refused = [], []
    for folder in where:
        for path in sorted(glob.glob(os.path.join(folder, "**", "*.inp"), recursive=True)):
            name = os.path.basename(path)[:-4]
            info = subprocess.run([sluice, "info", path, "--json"], capture_output=True, text=True, check=False)
            if info.returncode not in (0, 1):
                refused.append(name)
                continue
            c = json.loads(info.stdout)["counts"]
            links = c["pipes"] + c["pumps"] + c["valves"]
            if links > least or name in ALSO:
                found.append((name, path, links))
    return sorted(found, key=lambda x: x[2]), refused


def asks_for_quality(path):
    section, kind = "", "NONE"
    with open(path, encoding="latin-1") as text:
        for line in text:
            heading = re.match(r"\s*\[(\w+)", line)
            section = heading.group(1).upper()[:4] if heading else section
            word = re.match(r"\s*QUALITY\s+(\w+)", line, re.I) if section == "OPTI" else None
            kind = word.group(1).upper() if word else kind
    return kind != "NONE"


def place(tools, path, what):
    if what == "hydraulics":
        solve.neutral(path, tools["model"])
        return
    with open(path, encoding="latin-1") as old, open(tools["model"], "w", encoding="latin-1") as new:
        new.write(quality.carrying(old.read(), None))


# ---- Runs ---------------------------------------------------------------------------------------------------------


def run_once(tools, command, limit):
    """Processor time [s] of one run, or what went wrong. The limit counts in ticks of the clock: a busy machine ends a run earlier."""
    for word in command:
        if word.endswith((".out", ".rpt")) and os.path.exists(word):
            os.unlink(word)
    done = subprocess.run(
        [tools["launcher"], *command], capture_output=True, text=True, check=False, cwd=tools["folder"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
    )  # fmt: skip
    cpu = float(done.stdout.split()[1]) if done.stdout else 0.0
    if done.returncode not in FINE:
        return "ended after %d s" % limit if cpu > 0.7 * limit else "exit code %d" % done.returncode
    return cpu


def periods(path):
    """Reported periods in a file of results, 0 where it is not whole."""
    if not os.path.exists(path) or os.path.getsize(path) < 12:
        return 0
    with open(path, "rb") as out:
        out.seek(-12, os.SEEK_END)
        n, _, magic = struct.unpack("<iii", out.read())
    return n if magic == 516114521 else 0


def run_inside(tools, runs, slowest, limit):
    """Shortest processor times [s] of both libraries in one process, or None where that ends before a run of each has."""
    pair = solve.commands(tools, tools["model"])
    least = 1 if slowest > solve.LONG else runs
    done = subprocess.run(
        [tools["both"], tools["library"], tools["model"], pair[0][-1], *pair[1][-2:], str(2 * ENOUGH), str(least), str(MANY)],
        capture_output=True, text=True, check=False, cwd=tools["folder"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (2 * limit * least, 2 * limit * least)),
    )  # fmt: skip
    lines = done.stdout.splitlines()
    return [float(x) for x in lines[-1].split()] if lines else None


def compare(tools, runs, limit):
    """Times of both, beyond the start of a process and inside of one, and why the ratios do not count, if so."""
    pair = solve.commands(tools, tools["model"])
    first = [run_once(tools, command, limit) for command in pair]
    wrong = ["%s: %s" % (who, t) for who, t in zip(("Sluice", "EPANET"), first) if isinstance(t, str)]
    n = [periods(command[-1]) for command in pair]
    if not wrong and n[0] != n[1]:
        wrong = ["EPANET writes %d of %d periods" % (n[1], n[0]) if n[1] < n[0] else "Sluice writes %d of %d periods" % tuple(n)]
    if any(isinstance(t, str) for t in first):
        return {"times": [t if not isinstance(t, str) else None for t in first], "inside": None, "wrong": "; ".join(wrong)}
    series = [[t] for t in first]
    slowest = max(first)
    for _ in range(1 if slowest > solve.LONG else max(runs, min(MANY, int(ENOUGH / slowest)))):
        for command, times in zip(pair, series):
            times.append(run_once(tools, command, limit))
    times = [max(min(s) - start[1], solve.LEAST_BEYOND) for s, start in zip(series, tools["start"])]
    return {"times": times, "inside": run_inside(tools, runs, slowest, limit), "wrong": "; ".join(wrong)}


def ratio_of(row, way):
    s, e = row[way] or (None, None)
    return e / s if s and e else None


def goal_of(name, what):
    return MORE.get(name, LEAST[what]) if what == "hydraulics" else LEAST[what]


# ---- The page -----------------------------------------------------------------------------------------------------


def summary(rows, what, way):
    counted = sorted((ratio_of(r, way), r["name"]) for r in rows if r["what"] == what and not r["wrong"] and ratio_of(r, way))
    if not counted:
        return "No network counts."
    ratios = [x for x, _ in counted]
    below = ["%s (%.2f of %g)" % (name, x, goal_of(name, what)) for x, name in counted if x < goal_of(name, what)]
    goal = " (aim %g)" % MEDIAN if what == "hydraulics" else ""
    return "%d networks: median **%.2f**%s, least %.2f (%s), largest %.1f. %s" % (
        len(ratios), statistics.median(ratios), goal, ratios[0], counted[0][1], ratios[-1],
        "Below what each should reach: " + ", ".join(below) + "." if below else "Each reaches what it should.",
    )  # fmt: skip


def cells_of(row, way):
    x = ratio_of(row, way)
    shown = "-" if x is None else "%.2f" % x if row["wrong"] else "**%.2f**" % x
    return [seconds(t) if t else "-" for t in row[way] or (None, None)] + [shown]


def render(tools, rows, refused, load):
    s, e = (x[1] for x in tools["start"])
    lines = [
        "# Every public network: Sluice and EPANET",
        "",
        "Made by `bench/every_network.py` on %s." % today(),
        "",
        "* machine: %s; other load %.0f %%" % (machine(), 100 * load),
        "* %s; EPANET %s (owa-epanet), `EN_runproject`" % (tools["version"], tools["epanet"]),
        "* processor time of reading, simulating and writing results; one thread; the two in turns",
        "* in processes of their own (`sluice run FILE -o FILE.out`): less that of a model of one pipe (%s and %s);"
        " best of 5 (of short runs up to %d, 2 above %g s)" % (seconds(s), seconds(e), MANY, solve.LONG),
        "* inside one process (libsluice and EPANET's library, `bench/peer/both_runs.c`): nothing subtracted",
        "* a ratio counts where EPANET runs to the end; where it does not, the last column says what happened",
        "",
    ]
    for what, title in (("hydraulics", "Hydraulics only"), ("quality", "With the water quality of the file")):
        chosen = [r for r in rows if r["what"] == what]
        lines += ["## " + title, ""]
        lines += ["* %s: %s" % (name, summary(rows, what, way)) for way, name in WAYS]
        lines += ["", "| network | links | Sluice | EPANET | ratio | inside: Sluice | EPANET | ratio | |"]
        lines.append("|---|--:|--:|--:|--:|--:|--:|--:|---|")
        for r in chosen:
            cells = [r["name"], count(r["links"])] + [c for way, _ in WAYS for c in cells_of(r, way)] + [r["wrong"]]
            lines.append("| %s |" % " | ".join(cells))
        lines.append("")
    if refused:
        lines += ["Sluice does not read: %s." % ", ".join(refused), ""]
    return "\n".join(lines)


def find_tools(folder):
    tools = {"sluice": peers.sluice_program(), "library": peers.epanet_library(), "folder": folder}
    tools.update(launcher=build("measure", folder), peer=build("epanet_run", folder), model=os.path.join(folder, "model.inp"))
    tools["both"] = build_with_library("both_runs", folder)
    tools["epanet"] = text_of([build("epanet_open", folder), tools["library"], "--version"])
    tools["version"] = text_of([tools["sluice"], "--version"]).split("\n")[0]
    with open(tools["model"], "w", encoding="ascii") as pipe:
        pipe.write(solve.ONE_PIPE)
    tools["start"], _ = solve.in_turns(tools, solve.commands(tools, tools["model"]), MANY // 4)
    return tools


def main():
    options = argparse.ArgumentParser(description="Measures every public network: Sluice against EPANET.")
    options.add_argument("--only", help="names of networks, with commas; a page only with --out then")
    options.add_argument("--folders", help="folders of networks, with commas; ../shared/networks* unless given")
    options.add_argument("--links", type=int, default=300, help="networks with more links than that (300)")
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--limit", type=int, default=120, help="[s] of processor time after which a run is ended (120)")
    options.add_argument("--what", choices=("hydraulics", "quality"), help="one of both only")
    options.add_argument("--out", help="the page; bench/results/every_network.md unless given")
    options.add_argument("--any-load", action="store_true", help="write the page though the machine is not quiet")
    args = options.parse_args()
    wanted = args.only.lower().split(",") if args.only else None
    load, rows = busy(), []
    with tempfile.TemporaryDirectory() as folder:
        tools = find_tools(folder)
        found, refused = networks(tools["sluice"], args.folders.split(",") if args.folders else folders(), args.links)
        if not found:
            sys.exit("no networks: there is no ../shared/networks; name folders with --folders")
        for what in [args.what] if args.what else ["hydraulics", "quality"]:
            for name, path, links in found:
                if (wanted and name.lower() not in wanted) or (what == "quality" and not asks_for_quality(path)):
                    continue
                place(tools, path, what)
                rows.append({"name": name, "links": links, "what": what, **compare(tools, args.runs, args.limit)})
                r = rows[-1]
                shown = ["%10s %10s %6s" % tuple(x.strip("*") for x in cells_of(r, way)) for way, _ in WAYS]
                print("%-10s %-18s %6d links: %s, inside %s  %s" % (what, name, links, *shown, r["wrong"]), flush=True)
            for way, title in WAYS:
                print("%s: %s" % (title, summary(rows, what, way)), flush=True)
    if wanted and not args.out:
        return 0
    load = max(load, busy())
    out = args.out or os.path.join(solve.RESULTS, "every_network.md")
    return write_page(out, render(tools, rows, refused, load), load, args.any_load)


if __name__ == "__main__":
    sys.exit(main())
