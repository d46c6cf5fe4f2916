#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""solve.py: how long does a simulation take, and how much memory? Sluice against EPANET 2.3.5.

    bench/solve.py [--only net1,town] [--runs 5] [--huge] [--out bench/results/solve.md] [--any-load]

Both programs run the same file in turns, each in a process of its own that reads it, simulates it and writes EPANET's
binary results:

    sluice run FILE -o FILE.out
    epanet_run LIBRARY FILE FILE.rpt FILE.out     EN_createproject, EN_runproject, EN_deleteproject (bench/peer/epanet_run.c)

The file is a copy of the model without water quality and without reports. Beside it stand both times for the file as it
is, with quality (bench/quality.py has more of that), EPANET with its report.
Results of the run before are deleted, so that nobody has to replace a file. EPANET's library is the one in the Python
package owa-epanet, called from C; one thread. The best of 5 runs counts (20 where one takes less than 20 ms, 2 where more
than 5 s), after one that brings files into memory. Time is of the wall clock; user and system time and the largest
resident memory come from wait4 (bench/peer/measure.c). Instructions are counted by valgrind, once for each, where that
takes no longer than a minute.

Two more ratios take the start of a process out. "Beyond the start": from both processor times that of a model of one pipe is
subtracted. "Inside one process": the file is read once and simulated again and again, without results, by libsluice
(bench/peer/session_runs.c: a session made, advanced to the end, destroyed) and by EPANET's toolkit (bench/peer/epanet_runs.c:
EN_openH to EN_closeH); processor time, best of all runs, the two in turns.

Networks: the examples, the public ones in ../shared if there, cities of `sluice gen city`. Growth is measured with cities of
100 to 100 000 junctions at their first hour. A million junctions take EPANET minutes: --huge measures that once and keeps
it in results/huge.json, from where it comes to later pages with its date.

The page and the plot are written only when the machine was quiet (--any-load: always).

Environment: SLUICE (the program, default build/release/sluice), SLUICE_EPANET_LIBRARY (another libepanet2).
"""

import argparse
import filecmp
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import peers
import plot
from common import best, build, build_with_library, busy, count, machine, measure, seconds, spread, text_of, today, write_page

RESULTS = os.path.join(peers.BENCH, "results")
HUGE = os.path.join(RESULTS, "huge.json")
GROWTH = os.path.join(RESULTS, "growth.svg")
CITIES = [1000, 10000, 100000]
GROWING = [100, 1000, 10000, 100000]
MILLION = 1000000
SHORT, LONG = 0.02, 5.0  # [s] runs that are repeated more often, and less
THREADED = 0.04  # [s] a run that is also made with two threads
INSIDE = 0.3  # [s] of repeated runs in one process, five times
LEAST_BEYOND = 1e-4  # [s] beyond the start of a process; below, a difference of two measured times says nothing
ONE_PIPE = "[JUNCTIONS]\nJ 0 1\n[RESERVOIRS]\nR 10\n[PIPES]\nP R J 100 100 100\n[OPTIONS]\nUNITS LPS\n[END]\n"
MOST_COUNTED = 1.0  # [s] a run that valgrind, some 50 times slower, is asked to count


# ---- Models -------------------------------------------------------------------------------------------------------


def neutral(source, target):
    """A copy of an .inp file that asks for no water quality and no reports."""
    section = ""
    with open(source, encoding="latin-1", newline="") as old, open(target, "w", encoding="latin-1", newline="") as new:
        for line in old:
            heading = re.match(r"\s*\[(\w+)", line)
            if heading:
                section = heading.group(1).upper()[:4]
                if section == "END":
                    break
            elif section == "REPO" or (section == "OPTI" and re.match(r"\s*QUALITY\b", line, re.I)):
                continue
            new.write(line)
        new.write("\n[OPTIONS]\nQUALITY NONE\n\n[REPORT]\nSTATUS NO\nSUMMARY NO\n\n[END]\n")


def city(tools, n, hours, path):
    command = [tools["sluice"], "gen", "city", "--junctions", str(n), "--duration", f"{hours}:00", "--quiet", "-o", path]
    subprocess.run(command, check=True)


def models():
    """(group, name, path or number of junctions) of all networks."""
    found = []
    for path in sorted(glob.glob(os.path.join(peers.ROOT, "examples", "*.inp"))):
        if os.path.basename(path) != "broken.inp":
            found.append(("examples", os.path.basename(path)[:-4], path))
    shared = os.path.join(os.path.dirname(peers.ROOT), "shared", "networks")
    for folder in ("epanet", "benchmarks"):
        paths = sorted(glob.glob(os.path.join(shared, folder, "*.inp")))
        found += [("public", os.path.basename(path)[:-4].lower(), path) for path in paths]
    if not os.path.isdir(shared):
        print("skipped: the public networks (there is no ../shared/networks)", file=sys.stderr)
    return found + [("cities", "city-%d" % n, n) for n in CITIES]


def facts(tools, path):
    """(nodes, links, hours) of a model."""
    info = json.loads(text_of([tools["sluice"], "info", path, "--json"]))
    c = info["counts"]
    with open(path, encoding="latin-1") as text:
        hours = re.search(r"^\s*DURATION\s+(\S+)", text.read(), re.I | re.M)
    return c["junctions"] + c["reservoirs"] + c["tanks"], c["pipes"] + c["pumps"] + c["valves"], hours.group(1) if hours else "0"


# ---- Runs ---------------------------------------------------------------------------------------------------------


def commands(tools, path):
    stem = path[:-4]
    return (
        [tools["sluice"], "run", path, "-o", stem + ".s.out"],
        [tools["peer"], tools["library"], path, stem + ".rpt", stem + ".e.out"],
    )


def run_once(tools, command):
    for word in command:
        if word.endswith((".out", ".rpt")) and os.path.exists(word):
            os.unlink(word)
    return measure(tools["launcher"], command, tools["folder"])


def in_turns(tools, list_of_commands, runs):
    """Best wall, CPU, memory of each command, and the largest spread."""
    first = [run_once(tools, command) for command in list_of_commands]
    slowest = max(r[0] for r in first)
    series = [[r] for r in first] if slowest > LONG else [[] for _ in first]
    for _ in range(1 if slowest > LONG else 4 * runs if slowest < SHORT else runs):
        for command, measured in zip(list_of_commands, series):
            measured.append(run_once(tools, command))
    return [best(s) for s in series], max(spread(s) for s in series)


def instructions(tools, command):
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
        capture_output=True, text=True, check=False, cwd=tools["folder"],
    )  # fmt: skip
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    return int(found.group(1).replace(",", "")) if found else None


def inside(tools, bests):
    """Processor time of a run inside one process, file already read: [Sluice, EPANET]. bests: those of whole processes."""
    path = tools["model"]
    commands_ = ([tools["session_runs"], path], [tools["epanet_runs"], tools["library"], path])
    n = [max(1, min(200, int(INSIDE / b[0]))) for b in bests]
    found = [[], []]
    for _ in range(1 if max(b[0] for b in bests) > LONG else 5):
        for k, command in enumerate(commands_):
            done = subprocess.run([*command, str(n[k])], capture_output=True, text=True, check=False, cwd=tools["folder"])
            if done.returncode:
                sys.exit("%s: %s" % (" ".join(command), done.stderr))
            found[k].append(float(done.stdout))
    return [min(times) for times in found]


def beyond(tools, s, e):
    """Ratio of processor times without the start of a process, or None where a program needs hardly more than that."""
    s, e = (x[1] - start[1] for x, start in zip((s, e), tools["start"]))
    return e / s if min(s, e) > LEAST_BEYOND else None


def compare(tools, runs, counted, in_process=True):
    """A row of the table for one model."""
    path = tools["model"]
    pair = commands(tools, path)
    as_it_is = commands(tools, tools["original"]) if os.path.exists(tools["original"]) else []
    (s, e, *rest), widest = in_turns(tools, [*pair, *as_it_is], runs)
    row = {"s": s, "e": e, "as_it_is": rest or [s, e], "spread": widest, "facts": facts(tools, path), "counts": [None, None]}
    row["beyond"] = beyond(tools, s, e)
    row["inside"] = inside(tools, (s, e)) if in_process else [None, None]
    if counted and max(s[0], e[0]) < MOST_COUNTED:
        row["counts"] = [instructions(tools, command) for command in pair]
    return row


def threads(tools, name, runs):
    """The same model by one and by two threads: [(threads, wall, CPU)], and whether the results are the same bytes."""
    path = tools["model"]
    command = [commands(tools, path)[0] + ["--threads", str(k)] for k in (1, 2)]
    command[1][command[1].index("-o") + 1] = path[:-4] + ".t.out"
    bests, _ = in_turns(tools, command, runs)
    same = filecmp.cmp(path[:-4] + ".s.out", path[:-4] + ".t.out", shallow=False)
    print("%-22s 2 threads: %s instead of %s, %s bytes" % (name, seconds(bests[1][0]), seconds(bests[0][0]), "same" if same else "OTHER"))
    return {"name": name, "one": bests[0], "two": bests[1], "same": same}


def place(tools, source):
    """Puts a model where the runs find it."""
    for old in glob.glob(os.path.join(tools["folder"], "model*")):
        os.unlink(old)
    if isinstance(source, tuple):
        city(tools, *source, os.path.join(tools["folder"], "made.inp"))
        source = os.path.join(tools["folder"], "made.inp")
    else:
        shutil.copyfile(source, tools["original"])
    neutral(source, tools["model"])


def say(name, row):
    s, e = row["s"], row["e"]
    more = ", %.1f in instructions" % (row["counts"][1] / row["counts"][0]) if all(row["counts"]) else ""
    more += ", %.2f beyond the start" % row["beyond"] if row["beyond"] else ""
    more += ", %.2f inside a process" % (row["inside"][1] / row["inside"][0]) if all(row["inside"]) else ""
    print(
        "%-22s Sluice %10s %4.0f MB, EPANET %10s %4.0f MB: ratio %.2f in time%s, %.2f in memory"
        % (name, seconds(s[0]), s[2], seconds(e[0]), e[2], e[0] / s[0], more, e[2] / s[2]),
        flush=True,
    )


# ---- Pages --------------------------------------------------------------------------------------------------------


def millions(n):
    return "" if n is None else "%.1f M" % (n / 1e6) if n < 1e8 else "%.0f M" % (n / 1e6)


START_HEADS = " | CPU beyond the start, ratio | inside one process: Sluice CPU | EPANET CPU | ratio"


def start_cells(row):
    """The ratio beyond the start; times and ratio inside one process."""
    s, e = row["inside"]
    return "%s | %s | %s | **%.1f**" % ("**%.1f**" % row["beyond"] if row["beyond"] else "-", seconds(s), seconds(e), e / s)


def start_lines(tools):
    """What a page says about processes."""
    s, e = (x[1] for x in tools["start"])
    return [
        "* start of a process: a model of one pipe takes Sluice %s and EPANET %s of processor time; \"beyond the start\""
        " these are subtracted (-: one of them needs less than %g ms beyond it)" % (seconds(s), seconds(e), 1e3 * LEAST_BEYOND),
        "* inside one process: libsluice (a session made, advanced to its end, destroyed) against EPANET's toolkit (`EN_openH` to"
        " `EN_closeH`), the file read once, no results written; processor time, best of all runs, in turns",
    ]


def table(rows):
    lines = [
        "| network | nodes | links | time simulated | Sluice wall | CPU | memory | EPANET wall | CPU | memory"
        " | wall, ratio" + START_HEADS + " | memory, ratio | file as it is: Sluice | EPANET | ratio | Sluice instructions | EPANET"
        " | ratio |",
        "|---|" + "--:|" * 21,
    ]
    for name, row in rows:
        (nodes, links, hours), s, e, (a, b) = row["facts"], row["s"], row["e"], row["counts"]
        lines.append(
            "| %s | %s | %s | %s | %s | %s | %.1f MB | %s | %s | %.1f MB | **%.1f** | %s | %.1f | %s | %s | **%.1f** | %s | %s | %s |"
            % (
                name, count(nodes), count(links), hours, seconds(s[0]), seconds(s[1]), s[2],
                seconds(e[0]), seconds(e[1]), e[2], e[0] / s[0], start_cells(row), e[2] / s[2],
                *(seconds(x[0]) for x in row["as_it_is"]), row["as_it_is"][1][0] / row["as_it_is"][0][0], millions(a), millions(b), "%.1f" % (b / a) if a and b else "",
            )  # fmt: skip
        )
    return lines


def growth_lines(growth, huge):
    lines = [
        "## Growth with size",
        "",
        "Cities of `sluice gen city` at their first hour.",
        "",
        "![wall clock and memory over the number of junctions](growth.svg)",
        "",
        "| junctions | Sluice wall | memory | EPANET wall | memory | wall, ratio | memory, ratio |",
        "|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for n, row in growth + ([(MILLION, huge)] if huge else []):
        s, e = row["s"], row["e"]
        lines.append(
            "| %s | %s | %.1f MB | %s | %.1f MB | **%.1f** | %.1f |"
            % (count(n), seconds(s[0]), s[2], seconds(e[0]), e[2], e[0] / s[0], e[2] / s[2])
        )
    if huge:
        lines += ["", "The row of a million junctions is of %s: %s, %s, one run each." % (huge["date"], huge["version"], huge["machine"])]
    return [*lines, ""]


def thread_lines(rows):
    lines = [
        "## Threads",
        "",
        "Of two threads one writes results while the other goes on; pipes of large networks are shared out.",
        "",
        "| network | 1 thread, wall | 2 threads, wall | CPU | ratio | same bytes |",
        "|---|--:|--:|--:|--:|---|",
    ]
    for r in rows:
        lines.append(
            "| %s | %s | %s | %s | %.2f | %s |"
            % (
                r["name"], seconds(r["one"][0]), seconds(r["two"][0]), seconds(r["two"][1]),
                r["one"][0] / r["two"][0], "yes" if r["same"] else "NO",
            )  # fmt: skip
        )
    return [*lines, ""]


def render(tools, rows, thread_rows, growth, huge, load):
    lines = [
        "# Simulating: Sluice and EPANET",
        "",
        "Made by `bench/solve.py` on %s." % today(),
        "",
        "* machine: %s; other load %.0f %%" % (machine(), 100 * load),
        "* %s, `sluice run FILE -o FILE.out`" % tools["version"],
        "* EPANET %s, its C library as in the Python package owa-epanet: create, `EN_runproject`, delete" % tools["epanet"],
        "* both read the file, simulate it and write EPANET's binary results, in a process of their own with one thread;"
        " models without water quality and without reports; best of 5 runs in turns (20 below %g ms, 2 above %g s)"
        % (1e3 * SHORT, LONG),
        *start_lines(tools),
        "* instructions: valgrind, of the whole process",
        "",
        "A ratio above 1 means that EPANET needs that many times more. Memory is the largest resident size of the process."
        " \"File as it is\": with water quality where the file asks for it; EPANET then also writes the report that it asks for.",
        "Water quality has a page of its own: [quality](quality.md).",
        "",
    ]
    titles = {"examples": "Examples", "public": "Public networks", "cities": "Cities of `sluice gen city`"}
    for group, title in titles.items():
        chosen = [(name, row) for kind, name, row in rows if kind == group]
        if chosen:
            lines += ["## " + title, "", *table(chosen), ""]
    if thread_rows:
        lines += thread_lines(thread_rows)
    if growth:
        lines += growth_lines(growth, huge)
    widest = max((row["spread"] for _, _, row in rows), default=0.0)
    lines += ["The slowest counted run of any series was %.0f %% above its fastest." % (100 * widest), ""]
    return "\n".join(lines)


def draw(growth, huge):
    rows = growth + ([(MILLION, huge)] if huge else [])

    def curve(who, k):
        return [(n, row[who][k]) for n, row in rows]

    panels = [
        ("Wall clock [s], first hour", "junctions", [("Sluice", curve("s", 0)), ("EPANET 2.3.5", curve("e", 0))]),
        ("Peak memory [MB]", "junctions", [("Sluice", curve("s", 2)), ("EPANET 2.3.5", curve("e", 2))]),
    ]
    return plot.log_log(panels)


# ---- All of it ----------------------------------------------------------------------------------------------------


def measure_huge(tools):
    place(tools, (MILLION, 0))
    row = {}
    for who, command in zip("se", commands(tools, tools["model"])):
        print("a million junctions: %s ..." % ("Sluice" if who == "s" else "EPANET, some minutes"), flush=True)
        row[who] = run_once(tools, command)
    row.update(date=today(), version=tools["version"], machine=machine())
    with open(HUGE, "w", encoding="utf-8") as out:
        json.dump(row, out, indent=1)
        out.write("\n")
    print("written: " + os.path.relpath(HUGE))


def load_huge():
    if not os.path.exists(HUGE):
        return None
    with open(HUGE, encoding="utf-8") as kept:
        return json.load(kept)


def find_tools(folder):
    tools = {"sluice": peers.sluice_program(), "library": peers.epanet_library(), "folder": folder}
    tools.update(launcher=build("measure", folder), peer=build("epanet_run", folder))
    tools["model"] = os.path.join(folder, "model.inp")
    tools["original"] = os.path.join(folder, "model-as-it-is.inp")
    tools["epanet"] = text_of([build("epanet_open", folder), tools["library"], "--version"])
    tools.update(session_runs=build_with_library("session_runs", folder), epanet_runs=build("epanet_runs", folder))
    with open(tools["model"], "w", encoding="ascii") as pipe:
        pipe.write(ONE_PIPE)
    tools["start"], _ = in_turns(tools, commands(tools, tools["model"]), 10)
    tools["version"] = text_of([tools["sluice"], "--version"]).split("\n")[0]
    return tools


def main():
    options = argparse.ArgumentParser(description="Measures simulations: Sluice against EPANET.")
    options.add_argument("--only", help="names of networks, with commas; no growth and no threads then, and a page only with --out")
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--huge", action="store_true", help="also a million junctions: some minutes of EPANET")
    options.add_argument("--out", help="the page; bench/results/solve.md unless given")
    options.add_argument("--any-load", action="store_true", help="write the page though the machine is not quiet")
    args = options.parse_args()
    wanted = args.only.lower().split(",") if args.only else None
    counted = shutil.which("valgrind") is not None
    if not counted:
        print("skipped: counting instructions (there is no valgrind)", file=sys.stderr)
    load = busy()
    rows, thread_rows, growth = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        tools = find_tools(folder)
        for group, name, source in models():
            if wanted and name not in wanted:
                continue
            place(tools, (source, 24) if isinstance(source, int) else source)
            rows.append((group, name, compare(tools, args.runs, counted)))
            say(name, rows[-1][2])
            if rows[-1][2]["s"][0] > THREADED and not wanted:
                thread_rows.append(threads(tools, name, args.runs))
        for n in [] if wanted else GROWING:
            place(tools, (n, 0))
            growth.append((n, compare(tools, args.runs, False, in_process=False)))
            say("first hour, %d" % n, growth[-1][1])
        if args.huge:
            measure_huge(tools)
    if wanted and not args.out:
        return 0
    load = max(load, busy())
    huge, out = load_huge(), args.out or os.path.join(RESULTS, "solve.md")
    code = write_page(out, render(tools, rows, thread_rows, growth, huge, load), load, args.any_load)
    if code == 0 and growth:
        code = write_page(os.path.join(os.path.dirname(out), os.path.basename(GROWTH)), draw(growth, huge), load, args.any_load)
    return code


if __name__ == "__main__":
    sys.exit(main())
