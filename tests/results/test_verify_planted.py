# SPDX-License-Identifier: MIT
"""`sluice verify` accepts results that are right and rejects them with planted faults. First: it accepts the results of the networks in tests/eps/planted.py, and rejects each of them with a planted fault.

Two faults are not its subject: pressures and velocities that contradict heads and flows. Then the same for what the water carries,
with each kind of source.
"""

import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["SLUICE_SOURCE"], "tests", "eps"))
from planted import FAULTS, NETWORKS, PIPE, Faulty  # noqa: E402

SLUICE = os.environ["SLUICE"]
NOT_LOOKED_AT = ("pressure", "velocity")
# What must be said; others must be rejected, whatever for.
WORDS = {
    ("valves", "closed"): "pipe SHUT: is closed and has a flow of",
    ("valves", "backwards"): "water runs backwards",
    ("valves", "check valve"): "the check valve is shut although",
    ("valves", "lift"): "it would have to lift water",
    ("valves", "reservoir"): "reservoir R: its head is",
    ("valves", "tank link"): "closed for a tank, but no tank",
    ("tank", "tank start"): "the model starts it at",
    ("tank", "tank step"): "the flow into it leads to",
    ("tank", "tank limit"): "above the highest",
    ("tank", "full tank"): "it is full and takes",
    ("full", "full tank"): "it is full and takes 86 LPS",
    ("full", "tank link"): "closed for a tank, but no tank",
    ("empty", "empty tank"): "it is empty and gives 5 LPS",
    ("limited", "set point"): "more than the set flow passes",
    ("limited", "share"): "are served by",
    ("limited", "unserved"): "although nothing keeps a source from it",
    ("inflow", "demand"): "of its inflow is not taken although a path leads on",
    ("flooded", "demand"): "more than the 2 that it asks for",
    ("stands", "pump"): "closed for lack of head, but it could deliver",
    ("breaker", "law"): "valve V: 5 LPS should lose",
    ("locked", "status"): "a control has just opened it",
    ("locked", "tank link"): "closed for a tank, but no tank",
}


# A source of each kind at J, at the reservoir or at the tank, and what is planted: factors of all qualities but the reservoir's.
SOURCES = {
    "flowpaced": "R CONCEN 0.5\nJ FLOWPACED 1",
    "mass": "J MASS 300",
    "setpoint": "R CONCEN 0.5\nJ SETPOINT 1",
    "concen": "R CONCEN 1",
    "tank": "T CONCEN 2",
}
CARRIED = """[JUNCTIONS]
J 0 10
K 0 5
[RESERVOIRS]
R 60
[TANKS]
T 30 3 0 6 20 0
[PIPES]
L1 R J 100 200 100
L2 J K 100 200 100
L3 K T 4000 100 100 0 CV
[SOURCES]
%s
[TIMES]
DURATION 24
QUALITY TIMESTEP 0:01
[OPTIONS]
UNITS LPS
QUALITY CHEMICAL mg/L
[END]
"""


def carried(folder):
    """Faults that are not as they should be, and how many were planted."""
    failed = n = 0
    for name, source in SOURCES.items():
        inp, out = os.path.join(folder, name + ".inp"), os.path.join(folder, name + ".out")
        with open(inp, "w") as f:
            text = CARRIED % source
            if name == "tank":  # the other way round: it gives
                text = text.replace("T 30", "T 70").replace("L3 K T", "L3 T K")
            f.write(text)
        subprocess.run([SLUICE, "run", inp, "-o", out], capture_output=True)
        code, said = verdict(inp, out)
        if code:
            failed += 1
            print("a source (%s) is right, but:\n%s" % (name, said))
        for factor in (0.7, 1.4):
            bad = Faulty(out)
            for period in range(1, bad.r.count):
                for what, names in (("node quality", ("J", "K", "T")), ("link quality", ("L1", "L2", "L3"))):
                    for x in names:
                        if not (what == "link quality" and x == "L1"):
                            bad.put(period, what, x, bad.get(period, what, x) * factor)
            bad.write()
            n += 1
            if verdict(inp, bad.path)[0] != 3:
                failed += 1
                print("a source (%s) with qualities times %g is accepted" % (name, factor))
    return failed, n


def verdict(inp, out):
    run = subprocess.run([SLUICE, "verify", inp, out], capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


def main():
    folder, failed, n = tempfile.mkdtemp(), 0, 0
    for name, text in NETWORKS.items():
        inp, out = os.path.join(folder, name + ".inp"), os.path.join(folder, name + ".out")
        with open(inp, "w") as f:
            f.write(text % {"p": PIPE} if "%(" in text else text)
        subprocess.run([SLUICE, "run", inp, "-o", out], capture_output=True)
        code, said = verdict(inp, out)
        if code:
            failed += 1
            print("%s is sound, but:\n%s" % (name, said))
        for kind, plants in [(k, p) for network, k, p in FAULTS if network == name and k not in NOT_LOOKED_AT]:
            bad = Faulty(out)
            for plant in plants:
                plant(bad)
            bad.write()
            n += 1
            code, said = verdict(inp, bad.path)
            if code != 3 or WORDS.get((name, kind), "") not in said:
                failed += 1
                print("%s: a fault of kind '%s' is accepted or has another name (exit code %d)\n%s" % (name, kind, code, said))
    more = carried(folder)
    failed, n = failed + more[0], n + more[1]
    shutil.rmtree(folder)
    print("%d networks, %d planted faults, %d not as they should be" % (len(NETWORKS) + len(SOURCES), n, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
