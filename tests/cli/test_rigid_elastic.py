#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A surge shaft behind a long headrace by two engines: rigid (tunnels) and elastic (pressure waves). A gate opens between water that stands at
50 m and a shaft 0.5 m lower, which then swings.

Without friction the shaft's level follows cos(w t) with the exact frequency of an elastic pipe before a shaft,

    tan(w L / c) = g A / (c w A_shaft),      so that w = w0 (1 - (w0 L / c)^2 / 6 + ...),   w0^2 = g A / (L A_shaft)

The rigid column has w0. So the difference of the frequencies goes with 1 / c^2: this is checked, and each engine against its own formula.
"""

import csv
import math
import os
import subprocess
import sys
import tempfile

SLUICE = os.environ["SLUICE"]
GRAVITY, LENGTH, SHAFT, HALVES = 9.81, 5000.0, 20.0, 7
BORE = math.sqrt(4.0 / math.pi)  # 1 m2

NETWORK = """[JUNCTIONS]
 J  0  0
[RESERVOIRS]
 R  50
[TANKS]
 T  0  49.5  0  100  %.17g  0
[PIPES]
 P  R  J  %g  %.17g  1000000  0
[VALVES]
 V  J  T  1128  TCV  0
[STATUS]
 V  CLOSED
[OPTIONS]
 Units  CMH
 Headloss  H-W
[TIMES]
 Duration  0
[END]
"""

STUDY = """study: surge
network: shaft.inp
duration: %g s
fluid: {gravity: 9.81}
friction: steady
cavitation: liquid
wave_speed: %g
grid: {step: %.17g}
valves: [{valve: V, k_open: 1e-6}]
events:
  - {open: V, at: 0, in: 0.01 s}
outputs: {step: 1, nodes: [T], links: none, what: [level]}
"""

TUNNEL = """sluice: tunnel/1
run: {end: %g, report: 1, tolerance: 1e-10}
valves:
  intake: {elevation: 40, tub: {level: 50}}
  shaft:  {elevation: 40, tub: {reservoir: {area: 20, bottom: 0, level: 49.5}}}
tunnels:
  headrace: {from: intake, to: shaft, length: 5000, area: 1, friction: 0, losses: {in: [0, 0]}, added_length: 0.001}
gates: {headrace.to: [{at: 0, open: 0}, {at: 1e-3, open: 1}]}
start: {full: [headrace]}
"""


def write(path, text):
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)


def column(path, name):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    for at, row in enumerate(rows):
        hits = [k for k, cell in enumerate(row) if name in cell]
        if hits:
            break
    else:
        sys.exit("no column %s in %s: %s" % (name, path, rows[0]))
    numbers = []
    for row in rows[at + 1 :]:
        try:
            numbers.append((float(row[0]), float(row[hits[0]])))
        except ValueError:
            continue
    return numbers


def misfit(series, w):
    """Of the nearest a cos(w t) + b sin(w t), least squares: waves that run in the pipe beside the swing do not matter."""
    cc = cs = ss = xc = xs = xx = 0.0
    for t, level in series:
        c, s, x = math.cos(w * t), math.sin(w * t), level - 50.0
        cc, cs, ss, xc, xs, xx = cc + c * c, cs + c * s, ss + s * s, xc + x * c, xs + x * s, xx + x * x
    determinant = cc * ss - cs * cs
    a, b = (xc * ss - xs * cs) / determinant, (xs * cc - xc * cs) / determinant
    return xx - a * xc - b * xs


def frequency(series, w):
    """Near w: by golden section."""
    low, high, part = 0.98 * w, 1.01 * w, (math.sqrt(5.0) - 1.0) / 2.0
    while high - low > 1e-7 * w:
        left, right = high - part * (high - low), low + part * (high - low)
        low, high = (low, right) if misfit(series, left) < misfit(series, right) else (left, high)
    return 0.5 * (low + high)


def run(folder, name, output):
    done = subprocess.run([SLUICE, "run", name, "-o", output], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr


def main():
    w0 = math.sqrt(GRAVITY * 1.0 / (LENGTH * SHAFT))
    end = HALVES * math.pi / w0
    with tempfile.TemporaryDirectory() as folder:
        write(os.path.join(folder, "shaft.inp"), NETWORK % (math.sqrt(4.0 * SHAFT / math.pi), LENGTH, 1000.0 * BORE))
        write(os.path.join(folder, "shaft.yaml"), TUNNEL % end)
        run(folder, "shaft.yaml", "rigid.csv")
        rigid = frequency(column(os.path.join(folder, "rigid.csv"), "shaft.level"), w0)
        assert abs(rigid / w0 - 1.0) < 1e-5, "rigid: %.9g of the formula" % (rigid / w0)
        differences = []
        for speed in (1000.0, 500.0, 250.0):
            write(os.path.join(folder, "surge.yaml"), STUDY % (end, speed, LENGTH / speed / 50))
            run(folder, "surge.yaml", "elastic.csv")
            elastic = frequency(column(os.path.join(folder, "elastic.csv"), "level"), w0)
            differences.append(1.0 - elastic / rigid)
            expected = (w0 * LENGTH / speed) ** 2 / 6.0
            print("c = %4g m/s: the elastic shaft swings slower by %.4g, by the series %.4g" % (speed, differences[-1], expected))
            assert abs(differences[-1] / expected - 1.0) < 0.03, "the frequencies differ by %g instead of %g" % (differences[-1], expected)
        order = [math.log2(b / a) for a, b in zip(differences, differences[1:])]
        assert all(abs(k - 2.0) < 0.05 for k in order), "orders %s instead of 2" % order


if __name__ == "__main__":
    main()
