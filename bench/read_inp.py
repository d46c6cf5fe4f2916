#!/usr/bin/env python3
"""read_inp.py: how long does it take to read an .inp file, and how much memory? Sluice against EPANET 2.3.5.

    bench/read_inp.py [--sizes 1e3,1e4,1e5,1e6] [--out bench/results/read_inp.md] [--any-load]

For each size `sluice gen city` makes one network with that many junctions. Then, in turns, both programs read it, each
in a process of its own that does nothing else:

    sluice check FILE                    reads, checks everything, says so
    epanet_open LIBRARY FILE             EN_createproject, EN_open, EN_close, EN_deleteproject (bench/peer/epanet_open.c)

EPANET's library is the one in the Python package owa-epanet, called from C, so no time goes into Python. The best of 5
runs counts (3 at a million junctions), after one run that is not counted and brings the file into memory. Time is of the
wall clock; user and system time and the largest resident memory come from wait4 (bench/peer/measure.c).

The page is written only when the machine was quiet (--any-load: always): the load of other processes is measured before
and after, and given.

Environment: SLUICE (the program, default build/release/sluice), SLUICE_EPANET_LIBRARY (another libepanet2).
"""

import argparse
import datetime
import os
import platform
import subprocess
import sys
import tempfile
import time

import peers

MOST_FOR_OPEN_H = 100000  # it takes minutes beyond


def measure(launcher, command):
    """(wall, user + system [s], peak resident memory [MB]) of one run."""
    done = subprocess.run([launcher, *command], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit("%s ended with %d" % (" ".join(command), done.returncode))
    wall, cpu, memory = done.stdout.split()
    return float(wall), float(cpu), float(memory) / 1024


def best(runs):
    return [min(run[k] for run in runs) for k in range(3)]


def spread(runs):
    return max(run[0] for run in runs) / min(run[0] for run in runs) - 1


def build(name, folder):
    program = os.path.join(folder, name)
    source = os.path.join(peers.BENCH, "peer", name + ".c")
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-o", program, source, "-ldl"], check=True)
    return program


def cpu_name():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        for line in info:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown"


def busy(seconds=1.0):
    """Share of all cores that other processes use."""

    def read():
        with open("/proc/stat", encoding="utf-8") as stat:
            x = [int(word) for word in stat.readline().split()[1:9]]
        return sum(x) - x[3] - x[4], sum(x)

    a = read()
    time.sleep(seconds)
    b = read()
    return (b[0] - a[0]) / max(1, b[1] - a[1])


def machine():
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:
        cores = os.cpu_count()
    return "%s, %d cores, %s %s" % (cpu_name(), cores, platform.system(), platform.release().split("-")[0])


def text_of(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def main():
    options = argparse.ArgumentParser(description="Measures reading of .inp files: Sluice against EPANET.")
    options.add_argument("--sizes", default="1e3,1e4,1e5,1e6")
    options.add_argument("--out", default=os.path.join(peers.BENCH, "results", "read_inp.md"))
    options.add_argument("--any-load", action="store_true", help="write the page though the machine is not quiet")
    args = options.parse_args()
    sluice, library = peers.sluice_program(), peers.epanet_library()
    load = busy()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        launcher, peer = build("measure", folder), build("epanet_open", folder)
        epanet_version = text_of([peer, library, "--version"])
        sluice_version = text_of([sluice, "--version"]).split("\n")[0]
        for size in args.sizes.split(","):
            n = int(float(size))
            path = os.path.join(folder, "city.inp")
            subprocess.run([sluice, "gen", "city", "--junctions", str(n), "--quiet", "-o", path], check=True)
            commands = [[sluice, "check", path], [peer, library, path]]
            if n <= MOST_FOR_OPEN_H:
                commands.append([peer, library, path, "--hydraulics"])
            for command in commands:
                measure(launcher, command)
            runs = [[] for _ in commands]
            for _ in range(3 if n >= 1000000 else 5):
                for command, series in zip(commands, runs):
                    series.append(measure(launcher, command))
            rows.append((n, os.path.getsize(path) / 1e6, [best(r) for r in runs], [spread(r) for r in runs]))
            print_row(rows[-1])
            os.unlink(path)
    load = max(load, busy())
    page = render(rows, sluice_version, epanet_version, load)
    if load > 0.1 and not args.any_load:
        print("other processes use %.0f %% of the cores: the page is not written" % (100 * load), file=sys.stderr)
        return 1
    os.makedirs(os.path.dirname(args.out), exist_ok=True)
    with open(args.out, "w", encoding="utf-8") as out:
        out.write(page)
    print("written: " + os.path.relpath(args.out))
    return 0


def print_row(row):
    n, size, (s, e, *_), _ = row
    print(
        "%8d junctions %6.1f MB: Sluice %.4f s %.0f MB, EPANET %.4f s %.0f MB: ratio %.1f in time, %.1f in memory"
        % (n, size, s[0], s[2], e[0], e[2], e[0] / s[0], e[2] / s[2]),
        flush=True,
    )


def seconds(x):
    return "%.1f ms" % (1e3 * x) if x < 0.1 else "%.3f s" % x if x < 10 else "%.1f s" % x


def render(rows, sluice_version, epanet_version, load):
    lines = [
        "# Reading .inp files: Sluice and EPANET",
        "",
        "Made by `bench/read_inp.py` on %s." % datetime.date.today().isoformat(),
        "",
        "* machine: %s; other load %.0f %%" % (machine(), 100 * load),
        "* %s, `sluice check FILE`" % sluice_version,
        "* EPANET %s, its C library as in the Python package owa-epanet: create, `EN_open`, close, delete" % epanet_version,
        "* files: `sluice gen city --junctions N`, seed 1; each run in a process of its own, file in memory;"
        " best of 5 runs (3 at a million)",
        "",
        "| junctions | file | Sluice wall | CPU | memory | EPANET wall | CPU | memory | wall, ratio | memory, ratio |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for n, size, (s, e, *_), _ in rows:
        lines.append(
            "| %s | %.1f MB | %s | %s | %.0f MB | %s | %s | %.0f MB | %.1f | %.1f |"
            % (
                "{:,}".format(n).replace(",", " "), size, seconds(s[0]), seconds(s[1]), s[2],
                seconds(e[0]), seconds(e[1]), e[2], e[0] / s[0], e[2] / s[2],
            )  # fmt: skip
        )
    lines += [
        "",
        "A ratio above 1 means that EPANET needs that many times more. Memory is the largest resident size of the process.",
        "",
        "`sluice check` also checks the model as a whole (connections, curves, tanks, valves), which EPANET does when its"
        " hydraulics are opened. With `EN_openH`, which also prepares the solver, EPANET takes:",
        "",
        "| junctions | EPANET wall, with `EN_openH` | memory |",
        "|--:|--:|--:|",
    ]
    for n, _, bests, _ in rows:
        if n <= MOST_FOR_OPEN_H:
            h = bests[2]
            lines.append("| %s | %s | %.0f MB |" % ("{:,}".format(n).replace(",", " "), seconds(h[0]), h[2]))
    worst = max(max(spreads) for _, _, _, spreads in rows)
    lines += ["", "The slowest counted run of any series was %.0f %% above its fastest." % (100 * worst), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
