#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""quality.py: how long do simulations with water quality take? Sluice against EPANET 2.3.5.

    bench/quality.py [--only dtown-age,net3] [--runs 5] [--out bench/results/quality.md] [--any-load]

As bench/solve.py does it: both programs run the same file in turns, each in a process of its own that reads it, simulates
hydraulics and quality and writes EPANET's binary results; one thread; the best of 5 runs counts (20 where one takes less
than 20 ms, 2 where more than 5 s). As there, two more ratios are without the start of a process. The files ask for no report. Models that ask for no quality, or for another one, get
it: the name says which. Sluice runs with the same reaction step as EPANET (the default), and balances mass on the way.

Environment: SLUICE (the program, default build/release/sluice), SLUICE_EPANET_LIBRARY (another libepanet2).
"""

import argparse
import os
import re
import sys
import tempfile

import peers
import solve
from common import busy, count, machine, seconds, today, write_page

SHARED = os.path.join(os.path.dirname(peers.ROOT), "shared", "networks")
CHLORINE = "[REACTIONS]\nGLOBAL BULK -0.5\nGLOBAL WALL -0.1\n"


def models():
    """(name, path or number of junctions, quality or None for that of the file)"""
    found = [
        ("hilltown", os.path.join(peers.ROOT, "examples", "hilltown.inp"), None),
        ("quality", os.path.join(peers.ROOT, "examples", "quality.inp"), None),
    ]
    public = [
        ("net1", "epanet/Net1", None), ("net2", "epanet/Net2", None), ("net3", "epanet/Net3", None),
        ("nytunnels", "benchmarks/nytunnels", None), ("dtown-age", "benchmarks/dtown", "AGE"),
        ("bwsn2-chlorine", "benchmarks/bwsn2", "CHLORINE mg/L"),
        ("bwsn2-day-chlorine", "benchmarks/bwsn2", "CHLORINE mg/L"), ("ltown-chlorine", "benchmarks/ltown", "CHLORINE mg/L"),
        ("micropolis-age", "benchmarks/micropolis", "AGE"),
    ]  # fmt: skip
    if os.path.isdir(SHARED):
        found += [(name, os.path.join(SHARED, path + ".inp"), kind) for name, path, kind in public]
    else:
        print("skipped: the public networks (there is no ../shared/networks)", file=sys.stderr)
    found += [("city-%d-age" % n, n, "AGE") for n in (1000, 10000, 100000)]
    return [m for m in found if not isinstance(m[1], str) or os.path.exists(m[1])]


def reservoirs(text):
    section = re.search(r"^\s*\[RESERVOIRS\](.*?)(?=^\s*\[)", text, re.I | re.M | re.S)
    lines = section.group(1).splitlines() if section else []
    return [line.split()[0] for line in lines if line.split() and not line.lstrip().startswith(";")]


def carrying(text, kind):
    """The model without reports, and with this quality at steps of five minutes instead of its own."""
    kept, section = [], ""
    for line in text.splitlines():
        heading = re.match(r"\s*\[(\w+)", line)
        if heading:
            section = heading.group(1).upper()[:4]
        own = section in ("QUAL", "SOUR", "REAC") or (section in ("OPTI", "TIME") and re.match(r"\s*QUALITY\b", line, re.I))
        if section == "END" or section == "REPO" or (kind and own):
            continue
        kept.append(line)
    if kind:
        kept += ["[OPTIONS]", "QUALITY " + kind, "[TIMES]", "QUALITY TIMESTEP 0:05"]
    if kind and kind != "AGE":
        kept += [CHLORINE, "[QUALITY]", *("%s 0.8" % name for name in reservoirs(text))]
    return "\n".join([*kept, "[REPORT]", "STATUS NO", "SUMMARY NO", "[END]", ""])


def place(tools, name, source, kind):
    made = os.path.join(tools["folder"], "made.inp")
    if isinstance(source, int):
        solve.city(tools, source, 24, made)
        source = made
    with open(source, encoding="latin-1") as old:
        text = old.read()
    if "-day-" in name:  # a section may come again, and the last word counts
        text = re.sub(r"^\s*\[END\]", "[TIMES]\nDURATION 24:00\n[END]", text, flags=re.I | re.M)
    with open(tools["model"], "w", encoding="latin-1") as new:
        new.write(carrying(text, kind))


def render(tools, rows, thread_rows, load):
    lines = [
        "# Water quality: Sluice and EPANET",
        "",
        "Made by `bench/quality.py` on %s." % today(),
        "",
        "* machine: %s; other load %.0f %%" % (machine(), 100 * load),
        "* %s, `sluice run FILE -o FILE.out`" % tools["version"],
        "* EPANET %s, its C library as in the Python package owa-epanet: create, `EN_runproject`, delete" % tools["epanet"],
        "* hydraulics and quality, results written, one thread; best of 5 runs in turns (20 below 20 ms, 2 above 5 s)",
        *solve.start_lines(tools),
        "* where the name says so, age or chlorine (bulk -0.5, wall -0.1, 0.8 mg/L from the reservoirs) at steps of five minutes"
        " is put in place of what the file asks for",
        "",
        "A ratio above 1 means that EPANET needs that many times more.",
        "",
        "| network | nodes | links | time simulated | Sluice wall | memory | EPANET wall | memory | ratio" + solve.START_HEADS
        + " | Sluice instructions | EPANET | ratio |",
        "|---|" + "--:|" * 15,
    ]
    for name, row in rows:
        (nodes, links, hours), s, e, (a, b) = row["facts"], row["s"], row["e"], row["counts"]
        hours = "24:00" if "-day-" in name else hours  # the file says it twice
        lines.append(
            "| %s | %s | %s | %s | %s | %.1f MB | %s | %.1f MB | **%.1f** | %s | %s | %s | %s |"
            % (
                name, count(nodes), count(links), hours, seconds(s[0]), s[2], seconds(e[0]), e[2], e[0] / s[0], solve.start_cells(row),
                solve.millions(a), solve.millions(b), "%.1f" % (b / a) if a and b else "",
            )  # fmt: skip
        )
    lines += ["", "EPANET halts bwsn2 after 27 of its 48 hours (UNBALANCED STOP); Sluice simulates them all. In bwsn2-day both simulate 24.", ""]
    if thread_rows:
        text = "Of two threads one carries what the water holds along a step while the other solves the next one's hydraulics."
        lines += [text if line.startswith("Of two threads") else line for line in solve.thread_lines(thread_rows)]
    return "\n".join(lines)


def main():
    options = argparse.ArgumentParser(description="Measures simulations with water quality: Sluice against EPANET.")
    options.add_argument("--only", help="names of networks, with commas; a page only with --out then")
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--out", help="the page; bench/results/quality.md unless given")
    options.add_argument("--any-load", action="store_true", help="write the page though the machine is not quiet")
    args = options.parse_args()
    wanted = args.only.lower().split(",") if args.only else None
    load = busy()
    rows, thread_rows = [], []
    with tempfile.TemporaryDirectory() as folder:
        tools = solve.find_tools(folder)
        for name, source, kind in models():
            if wanted and name not in wanted:
                continue
            place(tools, name, source, kind)
            rows.append((name, solve.compare(tools, args.runs, solve.shutil.which("valgrind") is not None)))
            solve.say(name, rows[-1][1])
            if rows[-1][1]["s"][0] > solve.THREADED:
                thread_rows.append(solve.threads(tools, name, args.runs))
    if wanted and not args.out:
        return 0
    load = max(load, busy())
    return write_page(args.out or os.path.join(solve.RESULTS, "quality.md"), render(tools, rows, thread_rows, load), load, args.any_load)


if __name__ == "__main__":
    sys.exit(main())
