#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sluice and EPANET agree on the public networks, in hydraulics but for the differences that docs/agree-known.txt explains, and
with water quality but for those of docs/quality-known.txt.

Runs ../shared/tools/agree.py (its tolerances: heads 1e-3 + 1e-5 of the range, flows 1e-4 of the largest, open or closed the
same; qualities 1e-3 + 1e-3 of the range, up to 0.3 % of the values beyond). In a build with sanitizers, which is slow, without the four largest.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SLUICE, SOURCE, SHARED = os.environ["SLUICE"], Path(os.environ["SLUICE_SOURCE"]), os.environ.get("SLUICE_SHARED") or ""
# What is compared: options, what is explained, a network that is and must fail without, how many agree.
KINDS = (([], SOURCE / "docs/agree-known.txt", "check_valve.inp", 84),
         (["--quality"], SOURCE / "docs/quality-known.txt", "mixing_fifo_decay.inp", 82))
SLOW_BUILD = Path(os.environ.get("SLUICE_BUILD", "")).name != "release"
# Bytes of the packed reference, which grow with elements times periods: only the four largest networks are above.
SMALL = 100_000


def agree(networks, *more):
    run = subprocess.run([sys.executable, str(Path(SHARED, "tools/agree.py")), "--sluice", SLUICE, "--networks", str(networks), *more],
                         capture_output=True, text=True)
    verdicts = {}
    for line in run.stdout.splitlines():
        words = line.split()
        if len(words) > 1 and words[1].endswith(".inp"):
            verdicts[Path(words[1]).stem] = words[0]
    return run, verdicts


def small_ones(folder):
    """Links to the small networks and their results, in the same folders."""
    for packed in Path(SHARED, "networks").rglob("*.out.xz"):
        if packed.stat().st_size <= SMALL:
            inp = Path(str(packed)[:-len(".out.xz")] + ".inp")
            place = folder / packed.parent.name
            place.mkdir(exist_ok=True)
            (place / packed.name).symlink_to(packed)
            (place / inp.name).symlink_to(inp)
    return folder


def judge(networks, options, explained, differs, least):
    """What is wrong, and a line about what is right."""
    failures = []
    run, _ = agree(networks, *options, "--only", differs)
    if run.returncode != 1:
        failures.append("a difference that is not explained is let through:\n" + run.stdout)
    run, verdicts = agree(networks, *options, "--known", str(explained))
    known = {line.split()[0] for line in explained.read_text().splitlines() if line and line[0] != "#"}
    failures += ["%s: %s" % item for item in verdicts.items() if item[1] == "FAIL"]
    if run.returncode != 0:
        failures.append(run.stdout + run.stderr)
    passed = sum(v == "PASS" for v in verdicts.values())
    if passed < (least - 4 if SLOW_BUILD else least):
        failures.append("only %d networks passed" % passed)
    failures += ["%s agrees: it does not belong into %s" % (n, explained.name) for n in sorted(known) if verdicts.get(n) == "PASS"]
    return failures, "%s%d networks agree, %d differences are explained" % (
        "with quality " if options else "", passed, sum(v == "known" for v in verdicts.values()))


def main():
    if not SHARED:
        print("no reference networks beside the sources (../shared)")
        return 77
    failures = []
    with tempfile.TemporaryDirectory() as name:
        networks = small_ones(Path(name)) if SLOW_BUILD else Path(SHARED, "networks")
        for kind in KINDS:
            wrong, line = judge(networks, *kind)
            failures += wrong
            print(line)
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
