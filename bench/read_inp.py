#!/usr/bin/env python3
"""read_inp.py: how long does it take to read an .inp file, and how much memory? Sluice against EPANET 2.3.5.

    bench/read_inp.py [--sizes 1e3,1e4,1e5,1e6] [--out bench/results/read_inp.md]

For each size `sluice gen city` makes one network with that many junctions. Then, in turns, both programs read it, each
in a process of its own that does nothing else:

    sluice check FILE                    reads, checks everything, says so
    epanet_open LIBRARY FILE             EN_createproject, EN_open, EN_close, EN_deleteproject (bench/peer/epanet_open.c)

EPANET's library is the one in the Python package owa-epanet, called from C, so no time goes into Python. The best of 5
runs counts (3 at a million junctions), after one run that is not counted and brings the file into memory. Time is of the
wall clock; user and system time and the largest resident memory come from wait4.

The page is written only when the machine was quiet: the load of other processes is measured before, and given.

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


def measure(command):
    """(wall, user + system [s], peak resident memory [MB]) of one run."""
    null = os.open(os.devnull, os.O_WRONLY)
    start = time.perf_counter()
    pid = os.posix_spawn(
        command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)]
    )
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    os.close(null)
    if status:
        sys.exit("%s failed with status %d" % (" ".join(command), status))
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def best(runs):
    return [min(run[k] for run in runs) for k in range(3)]


def spread(runs):
    return max(run[0] for run in runs) / min(run[0] for run in runs) - 1


def build_peer(folder):
    program = os.path.join(folder, "epanet_open")
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-O2", "-o", program, os.path.join(peers.BENCH, "peer", "epanet_open.c"), "-ldl"], check=True)
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
    args = options.parse_args()
    sluice, library = peers.sluice_program(), peers.epanet_library()
    load = busy()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        peer = build_peer(folder)
        epanet_version = text_of([peer, library, "--version"])
        sluice_version = text_of([sluice, "--version"]).split("\n")[0]
        for size in args.sizes.split(","):
            n = int(float(size))
            path = os.path.join(folder, "city.inp")
            subprocess.run([sluice, "gen", "city", "--junctions", str(n), "--quiet", "-o", path], check=True)
            commands = [sluice, "check", path], [peer, library, path], [peer, library, path, "--hydraulics"]
            for command in commands:
                measure(command)
            runs = [[], [], []]
            for _ in range(3 if n >= 1000000 else 5):
                for command, list_ in zip(commands, runs):
                    list_.append(measure(command))
            rows.append((n, os.path.getsize(path) / 1e6, [best(r) for r in runs], [spread(r) for r in runs]))
            print_row(rows[-1])
            os.unlink(path)
    load = max(load, busy())
    page = render(rows, sluice_version, epanet_version, load)
    if load > 0.1:
        print("other processes use %.0f %% of the cores: the page is not written" % (100 * load), file=sys.stderr)
        return 1
    os.makedirs(os.path.dirname(args.out), exist_ok=True)
    with open(args.out, "w", encoding="utf-8") as out:
        out.write(page)
    print("written: " + os.path.relpath(args.out))
    return 0


def print_row(row):
    n, size, (s, e, h), _ = row
    print(
        "%8d junctions %7.1f MB: sluice %.4f s %.0f MB, EPANET %.4f s %.0f MB (openH: %.4f s): %.1f times faster, %.1f times less memory"
        % (n, size, s[0], s[2], e[0], e[2], h[0], e[0] / s[0], e[2] / s[2]),
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
    for n, size, (s, e, _), _ in rows:
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
        "| junctions | EPANET with `EN_openH` | memory |",
        "|--:|--:|--:|",
    ]
    for n, _, (_, _, h), _ in rows:
        lines.append("| %s | %s | %.0f MB |" % ("{:,}".format(n).replace(",", " "), seconds(h[0]), h[2]))
    worst = max(max(spreads) for _, _, _, spreads in rows)
    lines += ["", "The slowest counted run of any series was %.0f %% above its fastest." % (100 * worst), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
