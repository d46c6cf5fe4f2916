#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_zoo.py: the networks of tests/eps/zoo, each for one law or one rule of reading, with answers worked out by hand.

Of each: the exit code of `run`, words of its messages, heads and flows of the first instant, the balance of water, which must
close to a millionth of what moved, and that `sluice verify` finds the results sound; of some also the last instant and
figures of the summary. A file that is refused has no results.
"""
import array
import json
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["SLUICE_SOURCE"], "tests", "eps"))
from zoo_cases import CASES  # noqa: E402

SLUICE = os.environ["SLUICE"]
ZOO = os.path.join(os.environ["SLUICE_SOURCE"], "tests", "eps", "zoo")


def read_out(path):
    """Values of the first and of the last instant."""
    with open(path, "rb") as f:
        data = f.read()
    v = struct.unpack_from("<15i", data)
    n, tanks, m, pumps = v[2:6]
    at = 884
    ids = [data[at + 32 * i : at + 32 * i + 32].split(b"\0")[0].decode() for i in range(n + m)]
    at += 32 * (n + m) + 12 * m + 8 * tanks + 4 * n + 8 * m + 28 * pumps + 4
    size = 4 * (4 * n + 8 * m)
    return [values_of(ids, n, m, array.array("f", data[i : i + size])) for i in (at, len(data) - 28 - size)]


def values_of(ids, n, m, x):
    out = dict(zip(ids[:n], x[n : 2 * n]))
    out.update(zip(ids[n:], x[4 * n : 4 * n + m]))
    out.update(("status " + k, s) for k, s in zip(ids[n:], x[4 * n + 4 * m : 4 * n + 5 * m]))
    return out


def differences(values, expected, when):
    return [
        "%s is %.7g %s, expected %.7g" % (key, values[key], when, x)
        for key, x in expected.items()
        if abs(values[key] - x) > (1e-3 if abs(x) >= 1 else 1e-4)
    ]


def ledger(balance):
    """What the balance of water lacks."""
    came = balance["inflow_m3"] + balance["rounded_m3"]
    went = balance["outflow_m3"] + balance["storage_m3"]
    moved = max(balance["inflow_m3"], balance["outflow_m3"])
    return ["%.9g m3 came and %.9g went or are stored" % (came, went)] if abs(came - went) > 1e-6 * moved else []


def messages_of(run):
    """Texts with their line, of what --json prints."""
    report = json.loads(run.stdout or "{}")
    rows = report.get("messages", []) + report.get("diagnostics", [])
    return ["%s:%s %s %s %s" % (d.get("line"), d.get("severity"), d.get("code"), (d.get("object") or {}).get("id"), d.get("text")) for d in rows]


def check(name, case, folder):
    code, words, expected, *last = case
    inp, out = os.path.join(ZOO, name + ".inp"), os.path.join(folder, "n.out")
    run = subprocess.run([SLUICE, "run", "--json", inp, "-o", out], capture_output=True, text=True)
    if run.returncode != code:
        return ["exit %d, expected %d: %s" % (run.returncode, code, run.stdout[-600:] + run.stderr)]
    said, wrong = messages_of(run), []
    for parts in words:
        n = sum(all(p in text for p in parts) for text in said)
        if n != 1:
            wrong.append("%d messages, not one, with %r in %r" % (n, parts, said))
    if not words and said:
        wrong.append("messages: %r" % said)
    if code == 2:
        return wrong
    verify = subprocess.run([SLUICE, "verify", inp, out], capture_output=True, text=True)
    if verify.returncode != 0:
        wrong.append("not sound: " + verify.stderr)
    first, end = read_out(out)
    summary = json.loads(run.stdout)["summary"]
    end.update(summary["balance"], steps=summary["steps"])
    wrong += differences(first, expected, "at the beginning") + ledger(summary["balance"])
    return wrong + (differences(end, last[0], "at the end") if last else [])


def main():
    failed = 0
    files = {os.path.splitext(f)[0] for f in os.listdir(ZOO) if f.endswith(".inp")}
    if files != set(CASES):
        print("FAIL  files and cases differ: %s" % sorted(files ^ set(CASES)))
        failed = 1
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(files & set(CASES)):
            wrong = check(name, CASES[name], folder)
            failed += bool(wrong)
            print("%s  %s" % ("FAIL" if wrong else "ok  ", name))
            for line in wrong:
                print("      " + line)
    return 1 if failed else 0


sys.exit(main())
