#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`sluice cosim` with models of other kinds than networks: a surge study whose valve a partner closes."""
import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SLUICE = os.environ["SLUICE"]
NETWORK = """[JUNCTIONS]
A 10 5
B 12 3
[RESERVOIRS]
R 60
[PIPES]
1 R A 500 300 120
[VALVES]
V A B 300 TCV 2 0
[OPTIONS]
UNITS LPS
"""
STUDY = "sluice: surge/1\nnetwork: net.inp\nduration: 2 s\n"
RUN = """sluice: cosim/1
model: study.yaml
cosim:
  in: partner
  out: sluice
  skip: 1
  step: 50 ms
  timeout: 60
  read:
    - {entity: 1, variable: "link.'V'.opening"}
  write:
    - {entity: 1, variable: "node.'A'.head"}
"""
# Reads a value, answers with another; what it read goes to a file.
PARTNER = """
import os, sys, time
source, target, log, answer = sys.argv[1:]
seen = open(log, "w")
while True:
    while not os.path.exists(source):
        time.sleep(0.001)
    with open(source) as f:
        lines = f.read().splitlines()
    os.remove(source)
    if lines == ["END"]:
        text = "END\\n"
    else:
        t, step = (line.split("=")[1] for line in lines[:2])
        print(float(t), float(lines[3].split(",")[1]), sep=",", file=seen)
        text = f"TIME={t}\\nNEXT_TIMESTEP={step}\\nentity,value,description\\n1,{eval(answer, {'t': float(t)})!r},x\\n"
    while os.path.exists(target):
        time.sleep(0.001)
    with open(target + ".tmp", "w") as f:
        f.write(text)
    os.rename(target + ".tmp", target)
    if text == "END\\n":
        break
seen.close()
"""


def couple(folder, run, answer, expected=0):
    result = subprocess.run([SLUICE, "cosim", run, "--", sys.executable, str(folder / "partner.py"), "{in}", "{out}",
                             str(folder / "seen.csv"), answer], cwd=folder, capture_output=True, text=True, timeout=120)
    assert result.returncode == expected, (result.returncode, result.stdout, result.stderr)
    if expected:
        return result.stderr
    with open(folder / "seen.csv", encoding="utf-8") as f:
        return [(float(t), float(x)) for t, x in csv.reader(f)]


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in (("net.inp", NETWORK), ("study.yaml", STUDY), ("surge.yaml", RUN), ("partner.py", PARTNER)):
            (folder / file).write_text(text)
        open_valve = couple(folder, "surge.yaml", "1.0")
        closed = couple(folder, "surge.yaml", "max(0.0, min(1.0, 1.5 - t))")
        assert len(open_valve) == len(closed) == 40, (len(open_valve), len(closed))
        assert all(abs(t - 0.05 * (i + 1)) < 1e-9 for i, (t, _) in enumerate(closed)), closed
        assert max(x for _, x in open_valve) - min(x for _, x in open_valve) < 1e-6, "nothing happens, and heads move"
        assert max(x for _, x in closed) > open_valve[0][1] + 0.5, "the closure makes no wave"
        (folder / "wrong.yaml").write_text(RUN.replace("cosim/1", "cosim/2"))
        said = couple(folder, "wrong.yaml", "1.0", expected=2)
        assert "wrong.yaml:1:9: error" in said and "cosim/1" in said, said
    print("coupled")
    return 0


if __name__ == "__main__":
    sys.exit(main())
