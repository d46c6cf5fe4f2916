#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`sluice cosim` with models of every kind: a surge study and a thermostat driven by a partner, an automaton that makes steps, and a
town whose pump an automaton controls, both in one process."""
import csv
import os
import re
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
THERMOSTAT = """automaton: thermostat
discrete: {hot: 2, warm: {states: 2, start: 1}, heating: {states: 2, start: 1}}
continuous: {T: 20, outside: 10}
activities:
  - {equation: der(outside) = 0}
  - {equation: der(T) = 0.1*(outside + 30 - T), when: heating}
  - {equation: der(T) = 0.1*(outside - T), when: '!heating'}
roots:
  - {decides: hot, by: T - 22}
  - {decides: warm, by: T - 18}
transitions:
  - {equation: der(heating) = 1, when: heating & hot | !heating & !warm & !hot}
run: {end: 20}
"""
COUNTER = """{"sluice": "automaton/1", "discrete": {"up": 2, "n": 100},
 "transitions": [{"equation": "der(n) = 1", "when": "up"}, {"equation": "der(n) = 0", "when": "!up"}, {"equation": "der(up) = 0"}]}
"""
TOWN = """[JUNCTIONS]
A 10 5
[RESERVOIRS]
R 20
[TANKS]
T 40 3 1 6 12
[PIPES]
1 A T 500 300 120
[PUMPS]
P R A POWER 8
[OPTIONS]
UNITS LPS
[TIMES]
DURATION 24
HYDRAULIC TIMESTEP 0:30
"""
CONTROLLER = """automaton: controller
discrete: {full: 2, low: 2, speed: {states: 2, start: 1}}
continuous: {level: 3}
activities:
  - {equation: der(level) = 0}
roots:
  - {decides: full, by: level - 4}
  - {decides: low, by: 2 - level}
transitions:
  - {equation: der(speed) = 1, when: full & speed | low & !speed}
run: {end: 100000}
"""
TOWN_RUN = """model: town.inp
results: [town.csv]
cosim: {skip: 1, step: 15 min, timeout: 60, read: [{entity: 1, variable: "pump.'P'.speed"}],
  write: [{entity: 1, variable: "tank.'T'.level"}]}
"""
CONTROLLER_RUN = """model: controller.yaml
duration: 24:00
cosim: {step: 1 h, timeout: 60, read: [{entity: 1, variable: "variable.'level'.value"}],
  write: [{entity: 1, variable: "discrete.'speed'.state"}]}
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


def check_automata(folder):
    (folder / "thermostat.yaml").write_text(THERMOSTAT)
    (folder / "warm.yaml").write_text(RUN.replace("study.yaml", "thermostat.yaml").replace("50 ms", "1 s").replace(
        "link.'V'.opening", "variable.'outside'.value").replace("node.'A'.head", "variable.'T'.value"))
    room = couple(folder, "warm.yaml", "10.0 if t < 10 else -5.0")
    assert len(room) == 20 and all(17.9 < x < 22.1 for _, x in room), room
    (folder / "counter.json").write_text(COUNTER)
    count = RUN.replace("study.yaml", "counter.json\nduration: 12 s").replace("50 ms", "2 s").replace(
        "link.'V'.opening", "discrete.'up'.state").replace("node.'A'.head", "discrete.'n'.state")
    (folder / "count.yaml").write_text(count)
    seen = couple(folder, "count.yaml", "int(4 <= t < 8)")
    assert seen == [(2, 0), (4, 0), (6, 1), (8, 2), (10, 2), (12, 2)], seen
    (folder / "count.yaml").write_text(count.replace("  step: 2 s\n", ""))
    said = couple(folder, "count.yaml", "1", expected=2)
    assert "counts steps" in said, said


def check_town(folder):
    for file, text in (("town.inp", TOWN), ("controller.yaml", CONTROLLER), ("a.yaml", TOWN_RUN), ("b.yaml", CONTROLLER_RUN)):
        (folder / file).write_text(text)
    result = subprocess.run([SLUICE, "cosim", "a.yaml", "b.yaml"], cwd=folder, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, (result.returncode, result.stdout, result.stderr)
    low, high = map(float, re.search(r"T: level ([\d.]+) \(.*?\) to ([\d.]+) m", result.stdout).groups())
    assert 1.9 < low < 2.0 and 4.0 < high < 4.1, result.stdout  # the pump stands from 4 m down to 2 m
    assert "96 messages read, 96 written" in result.stdout, result.stdout


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
        check_automata(folder)
        check_town(folder)
    print("coupled")
    return 0


if __name__ == "__main__":
    sys.exit(main())
