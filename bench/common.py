# SPDX-License-Identifier: MIT
"""common.py: what the benchmarks share: building the small C programs, measuring, looking at the machine, writing pages."""

import datetime
import os
import platform
import subprocess
import sys
import time

import peers

BUSY = 0.1  # share of the cores that others may use on a quiet machine


# ---- Measuring ----------------------------------------------------------------------------------------------------


def build(name, folder):
    """Compiles bench/peer/NAME.c; the path of the program."""
    program = os.path.join(folder, name)
    source = os.path.join(peers.BENCH, "peer", name + ".c")
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-o", program, source, "-ldl", "-lm"], check=True)
    return program


def build_with_library(name, folder):
    """The same with libsluice of the release build."""
    program = os.path.join(folder, name)
    where = os.path.join(peers.ROOT, "build", "release")
    if not os.path.exists(os.path.join(where, "libsluice.so")):
        sys.exit("there is no libsluice.so in %s: run `make build` first" % where)
    source = os.path.join(peers.BENCH, "peer", name + ".c")
    headers = ["-I" + os.path.join(peers.ROOT, path) for path in ("include", "cosim/include")]
    subprocess.run([os.environ.get("CC", "cc"), "-O2", *headers, "-o", program, source,
                    "-L", where, "-lsluice", "-Wl,-rpath," + where, "-lm"], check=True)  # fmt: skip
    return program


def measure(launcher, command, cwd):
    """(wall, user + system [s], peak resident memory [MB]) of one run (bench/peer/measure.c) in the folder cwd, a temporary one:
    EPANET keeps files of its own where it runs."""
    done = subprocess.run([launcher, *command], capture_output=True, text=True, check=False, cwd=cwd)
    if done.returncode not in (0, 1):  # 1: a limit is broken; the results are whole
        sys.exit("%s ended with %d" % (" ".join(command), done.returncode))
    wall, cpu, memory = done.stdout.split()
    return float(wall), float(cpu), float(memory) / 1024


def best(runs):
    return [min(run[k] for run in runs) for k in range(3)]


def spread(runs):
    return max(run[0] for run in runs) / min(run[0] for run in runs) - 1


# ---- The machine --------------------------------------------------------------------------------------------------


def cpu_name():
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        for line in info:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown"


def machine():
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:
        cores = os.cpu_count()
    return "%s, %d cores, %s %s" % (cpu_name(), cores, platform.system(), platform.release().split("-")[0])


def busy(seconds_long=1.0):
    """Share of all cores that other processes use."""

    def read():
        with open("/proc/stat", encoding="utf-8") as stat:
            x = [int(word) for word in stat.readline().split()[1:9]]
        return sum(x) - x[3] - x[4], sum(x)

    a = read()
    time.sleep(seconds_long)
    b = read()
    return (b[0] - a[0]) / max(1, b[1] - a[1])


def text_of(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def today():
    return datetime.date.today().isoformat()


# ---- Pages --------------------------------------------------------------------------------------------------------


def seconds(x):
    return "%.2f ms" % (1e3 * x) if x < 0.01 else "%.1f ms" % (1e3 * x) if x < 0.1 else "%.3f s" % x if x < 10 else "%.1f s" % x


def count(n):
    return "{:,}".format(n).replace(",", " ")


def write_page(path, page, load, any_load):
    """Writes the page if the machine was quiet. Returns an exit code."""
    if load > BUSY and not any_load:
        print("other processes use %.0f %% of the cores: the page is not written" % (100 * load), file=sys.stderr)
        return 1
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        out.write(page)
    print("written: " + os.path.relpath(path))
    return 0
