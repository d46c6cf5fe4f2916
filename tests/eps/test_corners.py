#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_corners.py: small networks in which the status logic or Newton's method once went astray.

Each was cut down from a random network (bench/random_networks.py) that did not balance or was not sound. All must balance
(exit 0, or 1 where demands cannot be served), be sound to `sluice verify`, and lose no water; where the answer can be worked out by hand it is compared.
"""
import array
import json
import os
import struct
import subprocess
import sys
import tempfile

SLUICE = os.environ["SLUICE"]

# name, text, {node: head or None, link: flow} expected at time 0 in the file's units.
# Heads to 1e-3 (a millimetre; floats of some hundred carry 1e-5), flows to 1e-5 of themselves and 1e-6, or as given.
CASES = [
    # A pump at its shut-off head: 1.33334 * 100 * 0.8^2 over 10.
    ("dead end", """
[JUNCTIONS]
J 30 0
[RESERVOIRS]
R 10
[PUMPS]
P R J HEAD C SPEED 0.8
[CURVES]
C 1000 100
""", {"J": 10 + 133.334 * 0.64, "P": 0}),
    # Heads known to a rounding stand for a flow through a breaker that conducts almost without limit.
    ("breaker at rest", """
[JUNCTIONS]
J 20 0
[RESERVOIRS]
R 60
[VALVES]
V J R 200 PBV 10.7 0
[OPTIONS]
UNITS CMH
""", {"J": 70.7, "V": 0}),
    # A part without a source, between heights far apart, beside a loop at rest that takes many trials: nothing flows in it.
    ("cut off beside a slow loop", """
[JUNCTIONS]
A 10 5
B 10 0
C 10 0
D 10 3
E 10 0
F 10 0
X 10 2
Y 200 1
Z 300 1
W 500 2
[RESERVOIRS]
R 50
[PIPES]
P1 R A 1000 300 120
P2 A B 500 200 120
P3 B C 500 200 120
P4 C D 500 200 120
P5 D A 500 200 120
P6 A C 400 150 120
P7 B D 400 150 120
P8 D E 300 150 120
P9 E F 300 150 120
P10 F D 300 150 120
P11 D X 300 150 120
Q1 X Y 300 150 120
Q2 Y Z 300 150 120
Q3 Z W 300 150 120
Q4 W X 300 150 120
Q5 W X 200 150 120
[CONTROLS]
LINK P11 CLOSED AT TIME 0
[OPTIONS]
UNITS LPS
""", {"P1": 8, "P9": 0, "Q1": 0, "Q4": 0}),
    # Power goes with the cube of speed: 10 kW * 0.9^3 / (9802.37 * 0.02).
    ("constant power at another speed", """
[JUNCTIONS]
J 0 20
[RESERVOIRS]
R 10
[PUMPS]
P R J POWER 10 SPEED 0.9
[OPTIONS]
UNITS LPS
""", {"J": 10 + 10000 * 0.729 / (9802.37 * 0.02), "P": 20}),
    # Two pumps to a dead end, one without a highest head: it stands, the other is at its shut-off head.
    ("constant power with nowhere to go", """
[JUNCTIONS]
J 10 0
[RESERVOIRS]
R 20
[PUMPS]
A R J HEAD C
B R J POWER 10
[CURVES]
C 200 30
""", {"J": 20 + 1.33334 * 30, "A": 0, "B": 0}),
    ("constant power into an empty tank from nowhere", """
[JUNCTIONS]
J 20 0
[TANKS]
T 40 2 2 6 2 0 * NO
[PUMPS]
P J T POWER 4
""", {"P": 0}),
    # 1.5 gpm by 1 hp: 8.814 * 448.831 / 1.5 feet, and a wide pipe that conducts 1e12 times as much as the pump.
    ("constant power near rest", """
[JUNCTIONS]
J 0.2 1.5
K 3 0
[RESERVOIRS]
R 20
[PIPES]
L K J 50 400 90 0 OPEN
[PUMPS]
P R K POWER 1
""", {"L": 1.5, "P": 1.5, "J": 20 + 8.814 * 448.831 / 1.5}),
    # A curve that begins at a flow goes on to rest: 20 + 60 * (0.7 - 0.05) at 0.05.
    ("left of the curve", """
[JUNCTIONS]
J 10 0.05
[RESERVOIRS]
R 80
[PUMPS]
P R J HEAD C
[CURVES]
C 0.7 20
C 1 2
""", {"J": 80 + 20 + 60 * 0.65, "P": 0.05}),
    # Pressure-driven demand behind an empty tank: cut off.
    ("empty tank, demand by pressure", """
[JUNCTIONS]
J 90 5
[TANKS]
T 200 1.64042 1.64042 30 7 0 * YES
[PIPES]
L J T 90 3 80 0 OPEN
[OPTIONS]
DEMAND MODEL PDA
""", {"L": 0}),
    # A flow controller feeds demands that take what they get: it holds 5 of the 10 asked for.
    ("flow controller, demand by pressure", """
[JUNCTIONS]
A 0 0
B 0 10
[RESERVOIRS]
R 50
[PIPES]
L R A 100 200 100 0 OPEN
[VALVES]
V A B 100 FCV 5 0
[OPTIONS]
UNITS LPS
DEMAND MODEL PDA
REQUIRED PRESSURE 20
""", {"V": 5, "B": 20 * 0.25}),
    # Newton's full steps go round in a circle here: kinks of the demand law.
    ("kinks", """
[JUNCTIONS]
A 90 0.04
B 50 0.1
C 100 0.04
D 10 0
[RESERVOIRS]
R 50
[PIPES]
L1 A B 1000 3 2 0 OPEN
L2 B C 600 10 0.2 0 OPEN
L3 D C 5000 3 0.2 0 OPEN
[PUMPS]
P R D HEAD Q
[CURVES]
Q 0.8 220
[OPTIONS]
UNITS MGD
HEADLOSS D-W
DEMAND MODEL PDA
""", {}),
    # An emitter that lets water in is a source: the controllers around it have a head to work against.
    ("emitter as a source", """
[JUNCTIONS]
A 8 0.03
B 30 0.09
C 20 0
[RESERVOIRS]
R 80
[PUMPS]
P R C HEAD Q
[VALVES]
V B A 10 PSV 90 0
[EMITTERS]
A 0.004
[CURVES]
Q 0.7 100
Q 1 20
""", {"V": 0, "P": 0}),
    # A sustaining valve in the only way: open, whatever its setting, at every time.
    ("sustaining valve as the only way", """
[JUNCTIONS]
A 20 0
B 0.5 300
[RESERVOIRS]
R 10
[PUMPS]
P R A HEAD Q
[VALVES]
V A B 100 PSV 200 0
[CURVES]
Q 1900 80
Q 4250 60
Q 6000 42
[OPTIONS]
UNITS LPM
[TIMES]
DURATION 3:00
""", {"V": 300, "P": 300}),
    # ... and with a full tank behind a check valve, which lets nothing back. The flow is so small that it is known to what
    # counts as balanced: 1e-9 m3/s, 1.6e-5 gallons a minute.
    ("sustaining valve and a full tank", """
[JUNCTIONS]
A 10 0
B 60 0.08
[RESERVOIRS]
R 60
[TANKS]
T 100 21.3339 7 21.3339 30 0 * NO
[PIPES]
L B T 200 6 0.01 4 CV
[PUMPS]
P R A HEAD C
[VALVES]
V A B 6 PSV 70 0
[CURVES]
C 2 150
[OPTIONS]
HEADLOSS C-M
""", {"V": (0.08, 1.6e-5), "P": (0.08, 1.6e-5), "L": 0}),
    # A dead end above a reducer: closed, and the rest is not disturbed.
    ("reducer from a dead end", """
[JUNCTIONS]
A 30 0
B 4 0
[TANKS]
T 50 7 2 8 10 0 * NO
[PIPES]
L B T 90 200 0.02 1 OPEN
[VALVES]
V A B 150 PRV 50 0
[OPTIONS]
UNITS CMS
""", {"B": 57, "V": 0}),
    # An open reducer leads round an active sustaining valve: neither can hold, both are open.
    ("way around a sustaining valve", """
[JUNCTIONS]
A 70 0
B 1 0
C 100 0.2
[TANKS]
T 100 20 2 20 30 0 * NO
[PIPES]
L T A 60 20 100 5 OPEN
[VALVES]
V A B 10 TCV 8232 0
P B C 8 PRV 30 0
S B C 8 PSV 40 0
[OPTIONS]
UNITS CFS
""", {"L": 0.2, "V": 0.2}),
    # A reducer and a sustaining valve between two junctions that nothing feeds.
    ("valves without a source", """
[JUNCTIONS]
A 10 0
B 5 -0.3
C 10 0
[RESERVOIRS]
R 20
[PUMPS]
P R C HEAD Q
[VALVES]
V A B 80 PSV 40 0
W A B 300 PRV 60 0
[CURVES]
Q 30 4
""", {"V": 0, "W": 0}),
    # Controls that contradict each other have no solution: told, not gone round in. The last one counts.
    ("contradicting controls", """
[JUNCTIONS]
A 60 30
[TANKS]
T 200 20 2 20 70 0 * NO
[PIPES]
L T A 100 20 100 0 OPEN
[CONTROLS]
LINK L OPEN IF NODE A BELOW 60
LINK L CLOSED IF NODE A ABOVE 40
""", None),
    # A tank that empties through a breaker, backwards, stays at its limit.
    ("breaker at an empty tank", """
[JUNCTIONS]
A 0 50
[RESERVOIRS]
R 30
[TANKS]
T 40 1 0 4 5 0 * NO
[PIPES]
L R A 500 150 100 0 OPEN
[VALVES]
V A T 200 PBV 20 0
[OPTIONS]
UNITS CMH
[TIMES]
DURATION 12:00
""", {}),
    # Nothing passes a breaker beside a valve that loses less than its setting.
    ("bypassed breaker", """
[JUNCTIONS]
A 90 0
B 90 5
[RESERVOIRS]
R 200
[PIPES]
L R A 100 12 100 0 OPEN
[VALVES]
V A B 4 PBV 8 2
W A B 6 TCV 0.5 0
""", {"L": 5, "W": 5, "V": 0}),
    # A reducer and the pipe around it, without a source: nothing flows, nobody is served.
    ("reducer with its own water", """
[JUNCTIONS]
A 30 0.006
B 3 0.004
C 0 0
[RESERVOIRS]
R 30
[PIPES]
L B A 300 400 1 0 OPEN
M R C 300 400 100 0 OPEN
[VALVES]
V A B 100 PRV 50 0
[OPTIONS]
DEMAND MODEL PDA
""", {"L": 0, "V": 0, "C": 30}),
    # A sustaining valve brings more than is used and the tank behind it is full: it opens, the tank's link stays closed.
    ("sustaining valve, full tank", """
[JUNCTIONS]
A 9 0
B 10 100
[RESERVOIRS]
R 60
[TANKS]
T 40 8 2 8 20 20 * NO
[PIPES]
L R A 200 120 100 0 OPEN
M T B 800 800 100 20 OPEN
[VALVES]
V A B 200 PSV 40 1
[OPTIONS]
UNITS CMD
""", {"L": 100, "M": 0, "V": 100}),
    # Two flow controllers in a row, water beyond from elsewhere: the first cannot pass its 30, the second holds its 5.
    ("flow controllers in a row", """
[JUNCTIONS]
A 0 0
B 0 2
C 0 20
[RESERVOIRS]
R 50
S 40
[PIPES]
L R A 100 200 100 0 OPEN
M S C 100 200 100 0 OPEN
[VALVES]
V A B 100 FCV 30 0
W B C 100 FCV 5 0
[OPTIONS]
UNITS LPS
""", {"V": 7, "W": 5, "M": 15}),
    # Demands that take what they get may go without: the sustaining valve holds what it should.
    ("sustaining valve, demand by pressure", """
[JUNCTIONS]
A 0 10
B 0 10
[RESERVOIRS]
R 20
[PIPES]
L R A 1000 100 100 0 OPEN
[VALVES]
V A B 100 PSV 19 0
[OPTIONS]
UNITS LPS
DEMAND MODEL PDA
REQUIRED PRESSURE 10
""", {"V": 0}),
    # A rule's OPEN does not touch the speed of a pump that runs.
    ("rule opens what is open", """
[JUNCTIONS]
A 0 10
[RESERVOIRS]
R 0
[PUMPS]
P R A HEAD C SPEED 0.8
[CURVES]
C 10 50
[RULES]
RULE 1
IF SYSTEM TIME >= 0
THEN PUMP P STATUS IS OPEN
[TIMES]
DURATION 3:00
""", {"A": (1.33334 * 0.64 - 0.33334) * 50}),
]


def read_out(path):
    """Values of the first and the last period by id: heads of nodes, flows of links."""
    with open(path, "rb") as f:
        data = f.read()
    v = struct.unpack_from("<15i", data)
    n, tanks, m, pumps = v[2:6]
    at = 884
    ids = [data[at + 32 * i : at + 32 * i + 32].split(b"\0")[0].decode() for i in range(n + m)]
    at += 32 * (n + m) + 12 * m + 8 * tanks + 4 * n + 8 * m + 28 * pumps + 4
    size, periods = 4 * n + 8 * m, struct.unpack_from("<i", data, len(data) - 12)[0]
    out = []
    for i in (0, periods - 1):
        x = array.array("f", data[at + 4 * i * size : at + 4 * (i + 1) * size])
        out.append({**dict(zip(ids[:n], x[n : 2 * n])), **dict(zip(ids[n:], x[4 * n : 4 * n + m]))})
    return out


def check(name, text, expected, folder):
    inp, out = os.path.join(folder, "n.inp"), os.path.join(folder, "n.out")
    with open(inp, "w") as f:
        f.write(text)
    run = subprocess.run([SLUICE, "run", "--json", inp, "-o", out], capture_output=True, text=True)
    if run.returncode not in (0, 1):  # 1: demands of a part without a source are above the limit
        return ["exit %d: %s" % (run.returncode, run.stdout[-500:] + run.stderr)]
    wrong = []
    verify = subprocess.run([SLUICE, "verify", inp, out], capture_output=True, text=True)
    if verify.returncode != 0:
        wrong.append("not sound: " + verify.stderr)
    report = json.loads(run.stdout)
    b = report["summary"]["balance"]
    size = max(b["inflow_m3"], b["outflow_m3"])
    if abs(b["inflow_m3"] - b["outflow_m3"] - b["storage_m3"]) > 1e-3 * size:  # a second of an hour's flow is less
        wrong.append("water lost: %r" % b)
    if expected is None:
        if not any(d["code"] == "status-cycle" for d in report["messages"] + report["diagnostics"]):
            wrong.append("no warning of controls that contradict each other")
        return wrong
    for values in read_out(out):
        for key, x in expected.items():
            x, tolerance = x if isinstance(x, tuple) else (x, 1e-3 if key in "ABCJKRT" else 1e-5 * abs(x) + 1e-6)
            if abs(values[key] - x) > tolerance:
                wrong.append("%s is %.7g, expected %.7g" % (key, values[key], x))
    return wrong


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text, expected in CASES:
            wrong = check(name, text, expected, folder)
            failed += bool(wrong)
            print("%s  %s" % ("FAIL" if wrong else "ok  ", name))
            for line in wrong:
                print("      " + line)
    return 1 if failed else 0


sys.exit(main())
