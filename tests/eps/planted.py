# SPDX-License-Identifier: MIT
"""planted.py: small networks, and faults to be planted into their results, for the two judges of results: eps.checker
(bench/check_network.py) and results.verify_planted (`sluice verify`)."""

import os
import struct
import sys

sys.path.insert(0, os.path.join(os.environ["SLUICE_SOURCE"], "bench"))
import check_network  # noqa: E402

PIPE = "100 200 100"  # length [m], bore [mm], roughness
NETWORKS = {
    "valves": """[JUNCTIONS]
A 0 0
B 0 5
C 0 4
D 0 3
E 0 2
F 0 2
G 0 2
H 0 2
K 0 0
N 0 2
[RESERVOIRS]
R 20
S 60
[PIPES]
L1 A B %(p)s
SHUT B E %(p)s 0 CLOSED
CHECK B S %(p)s 0 CV
CV A K %(p)s 0 CV
LK K B %(p)s
[PUMPS]
P R A HEAD C1
[VALVES]
PR B C 100 PRV 20 3
FC B D 100 FCV 2
TC B E 100 TCV 40
GP B F 100 GPV X1
PB B G 100 PBV 7
PC B H 100 PCV 60 4
PS B N 100 PSV 30
LD D C 100 TCV 5
[CURVES]
C1 30 30
X1 0 0
X1 10 8
[EMITTERS]
F 0.2
[OPTIONS]
UNITS LPS
HEADLOSS H-W
[END]
""",
    "rough": """[JUNCTIONS]
A 0 1
B 0 9
[RESERVOIRS]
R 80
[PIPES]
L1 R A 100 200 0.5 2
L2 A B 100 50 0.5
[PUMPS]
P A B POWER 4
[OPTIONS]
UNITS LPS
HEADLOSS D-W
[END]
""",
    "tank": """[JUNCTIONS]
A 0 5
[RESERVOIRS]
R 60
[TANKS]
T 40 3 0 6 20 0
[PIPES]
L1 R A 1000 150 100
L2 A T 1000 150 100
[OPTIONS]
UNITS LPS
[TIMES]
DURATION 6
PATTERN TIMESTEP 24
[END]
""",
    "full": """[JUNCTIONS]
A 0 5
[RESERVOIRS]
R 60
[TANKS]
T 40 6 0 6 20 0
[PIPES]
L1 R A %(p)s
L2 A T %(p)s
[OPTIONS]
UNITS LPS
[END]
""",
    "empty": """[JUNCTIONS]
A 0 5
[RESERVOIRS]
R 39
[TANKS]
T 40 0 0 6 20 0
[PIPES]
L1 R A %(p)s
L2 A T %(p)s
[OPTIONS]
UNITS LPS
[END]
""",
    "pressure": """[JUNCTIONS]
A 0 5
B 30 5
[RESERVOIRS]
R 40
[PIPES]
L1 R A %(p)s
L2 A B 1000 80 100
[OPTIONS]
UNITS LPS
DEMAND MODEL PDA
REQUIRED PRESSURE 30
[END]
""",
    "limited": """[JUNCTIONS]
A 0 0
B 0 6
C 0 4
[RESERVOIRS]
R 40
[PIPES]
L1 R A %(p)s
L2 B C %(p)s
[VALVES]
V A B 200 FCV 1
[OPTIONS]
UNITS LPS
[END]
""",
    "inflow": """[JUNCTIONS]
A 0 0
B 0 -5
[RESERVOIRS]
R 40
[PIPES]
L1 A R %(p)s
L2 B A %(p)s
[OPTIONS]
UNITS LPS
[END]
""",
    "flooded": """[JUNCTIONS]
A 0 -5
B 0 2
[RESERVOIRS]
R 40
[PIPES]
L1 R A %(p)s 0 CV
L2 A B %(p)s
[OPTIONS]
UNITS LPS
DEMAND MODEL PDA
REQUIRED PRESSURE 20
[END]
""",
    "breaker": """[JUNCTIONS]
A 0 0
B 0 0
[RESERVOIRS]
R 45
S 50
[PIPES]
L1 R A %(p)s
L2 B S %(p)s
[VALVES]
V A B 200 PBV 5
[OPTIONS]
UNITS LPS
[END]
""",
    "locked": """[JUNCTIONS]
A 0 0
B 0 5
[RESERVOIRS]
S 60
[TANKS]
T 40 6 0 6 20 0
[PIPES]
L1 A B %(p)s
L2 B S %(p)s
[PUMPS]
P T A HEAD C1
[CURVES]
C1 30 30
[CONTROLS]
LINK P OPEN IF NODE T ABOVE 3
LINK P CLOSED IF NODE T BELOW 1
[OPTIONS]
UNITS LPS
[END]
""",
    "stands": """[JUNCTIONS]
A 0 0
B 0 0
[RESERVOIRS]
R 10
S 60
[PIPES]
L1 A B %(p)s
L2 B S %(p)s
[PUMPS]
P R A HEAD C1
[CURVES]
C1 30 30
[OPTIONS]
UNITS LPS
[END]
""",
}

NODE = ("demand", "head", "pressure", "node quality")


class Faulty:
    """A copy of a result into which numbers are planted."""

    def __init__(self, path):
        self.r = check_network.Result(path)
        self.data = bytearray(self.r.data)
        self.path = path + ".bad"

    def at(self, period, what, name):
        names = self.r.nodes if what in NODE else self.r.links
        return self.r.offset(period, what, names.index(name))

    def get(self, period, what, name):
        return struct.unpack_from("<f", self.data, self.at(period, what, name))[0]

    def put(self, period, what, name, x):
        struct.pack_into("<f", self.data, self.at(period, what, name), x)

    def write(self):
        with open(self.path, "wb") as f:
            f.write(self.data)

    def faults(self, inp):
        self.write()
        return check_network.check(inp, self.path)[1]


def to(what, name, x, period=0):
    return lambda f: f.put(period, what, name, x)


def add(what, name, x, period=0):
    return lambda f: f.put(period, what, name, f.get(period, what, name) + x)


def times(what, name, x, period=0):
    return lambda f: f.put(period, what, name, f.get(period, what, name) * x)


# network, the fault that must be named, what is planted
FAULTS = [
    ("valves", "balance", [times("flow", "L1", 1.0001)]),
    ("valves", "law", [add("head", "K", 0.002)]),
    ("valves", "demand", [times("demand", "D", 1.0001)]),
    ("valves", "closed", [to("flow", "SHUT", 1e-3)]),
    ("valves", "status", [to("status", "SHUT", 3)]),
    ("valves", "status", [to("status", "L1", 2), to("flow", "L1", 0)]),
    ("valves", "backwards", [times("flow", "CV", -1)]),
    ("valves", "check valve", [to("status", "CV", 2), to("flow", "CV", 0)]),
    ("valves", "set point", [add("head", "C", 0.01)]),
    ("valves", "set point", [to("status", "PR", 3), add("head", "C", 1)]),
    ("valves", "lift", [to("head", "B", 19)]),
    ("valves", "valve shut", [to("status", "PR", 2), to("flow", "PR", 0), to("head", "C", 10)]),
    ("valves", "valve shut", [to("status", "PS", 2), to("flow", "PS", 0), to("head", "N", 0)]),
    ("valves", "set point", [to("status", "PS", 4)]),
    ("valves", "setting", [to("setting", "FC", 2.1), to("flow", "FC", 2.1)]),
    ("valves", "set point", [times("flow", "FC", 1.001)]),
    ("valves", "law", [add("head", "E", 0.01)]),
    ("valves", "law", [add("head", "F", 0.01)]),
    ("valves", "law", [add("head", "G", 0.01)]),
    ("valves", "law", [to("flow", "PB", -2), to("demand", "G", -2)]),
    ("valves", "law", [add("head", "H", 0.01)]),
    ("valves", "law", [times("flow", "P", 1.001)]),
    ("valves", "setting", [to("setting", "P", 1.01)]),
    ("valves", "status", [to("status", "P", 2), to("flow", "P", 0)]),
    ("valves", "pump", [to("status", "P", 0), to("flow", "P", 0)]),
    ("valves", "demand", [times("demand", "F", 1.001)]),
    ("valves", "reservoir", [add("head", "R", 0.001)]),
    ("valves", "pressure", [add("pressure", "A", 0.001)]),
    ("valves", "velocity", [times("velocity", "L1", 1.001)]),
    ("valves", "number", [to("flow", "L1", float("nan"))]),
    ("valves", "tank link", [to("status", "L1", 1), to("flow", "L1", 0)]),
    ("rough", "law", [times("flow", "L2", 1.001)]),
    ("rough", "law", [times("flow", "P", 0.999)]),
    ("rough", "unserved", [to("demand", "B", 0), to("flow", "P", 0), to("status", "P", 0), to("flow", "L2", 0)]),
    ("tank", "tank start", [add("head", "T", 0.001)]),
    ("tank", "tank step", [add("head", "T", 0.01, 3)]),
    ("tank", "tank limit", [to("head", "T", 46.01, 4)]),
    ("tank", "full tank", [to("head", "T", 46, 5)]),
    ("full", "full tank", [to("status", "L2", 3), to("flow", "L2", 86), to("demand", "T", 86), to("flow", "L1", 91), to("demand", "R", -91)]),
    ("full", "tank link", [to("head", "A", 40)]),
    ("empty", "empty tank", [to("status", "L2", 3), to("flow", "L2", -5), to("demand", "T", -5), to("flow", "L1", 0), to("demand", "R", 0)]),
    ("pressure", "demand", [times("demand", "B", 1.001)]),
    ("pressure", "demand", [to("demand", "B", 5)]),
    ("limited", "set point", [times("flow", "V", 10), times("demand", "B", 10), times("demand", "C", 10), times("flow", "L2", 10)]),
    ("limited", "share", [times("demand", "C", 0.5), times("demand", "B", 4 / 3), times("flow", "L2", 0.5)]),
    ("limited", "unserved", [times(w, x, 0.5) for w, x in (("flow", "V"), ("flow", "L1"), ("flow", "L2"), ("demand", "B"), ("demand", "C"), ("demand", "R"))]),
    ("inflow", "demand", [to("flow", x, 0) for x in ("L1", "L2")] + [to("head", x, 40) for x in "AB"] + [to("demand", x, 0) for x in "BR"]),
    ("flooded", "demand", [to("status", "L1", 2), to("flow", "L2", 5), to("demand", "B", 5), to("demand", "A", -5)]),
    ("stands", "pump", [to("head", "A", 40)]),
    ("breaker", "law", [to("flow", x, 5) for x in ("L1", "V", "L2")] + [to("demand", "R", -5), to("demand", "S", 5)]),
    ("locked", "status", [to("status", "P", 2), to("setting", "P", 0), to("flow", "P", 0)]),
    ("locked", "tank link", [to("status", "P", 1), to("flow", "P", 0)]),
    ("stands", "backwards", [to("status", "P", 3), to("flow", "P", -1)]),
]
