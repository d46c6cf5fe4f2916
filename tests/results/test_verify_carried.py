# SPDX-License-Identifier: MIT
"""`sluice verify` accepts what water carries through long pipes into reservoirs, through tanks that do not mix, and a trace in a file that
has initial qualities; and rejects the same with qualities that are not so. What is inside a pipe with fronts shows neither in its
mean nor in the node before it."""

import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["SLUICE_SOURCE"], "tests", "eps"))
from planted import Faulty  # noqa: E402

SLUICE = os.environ["SLUICE"]

# Water from H, dosed by the hour, runs an hour through pipe 2 (50 m3 of it, fronts between its ends) into the reservoir L.
FRONTS = """[JUNCTIONS]
J 10 1
[RESERVOIRS]
H 60
L 30
[PIPES]
1 H J 100 200 100
2 J L 4000 126 100
[QUALITY]
H 1
[SOURCES]
H FLOWPACED 4 DOSE
[PATTERNS]
DOSE 0 0 0 1
[TIMES]
DURATION 24
QUALITY TIMESTEP 0:01
REPORT TIMESTEP 0:15
[OPTIONS]
UNITS LPS
QUALITY Salt mg/L
TOLERANCE 0
[END]
"""

# T fills and empties; what lies at its bottom ages unseen. J gives to L, further away, water of T and of H in turns.
LAYERS = """[JUNCTIONS]
J 10 0
K 10 8 TAKES
[RESERVOIRS]
H 60
[TANKS]
T 45 3 0 9 10
[PIPES]
1 H J 1000 150 100
2 J T 100 150 100
3 J K 100 150 100
[MIXING]
T %s
[QUALITY]
T 2
[PATTERNS]
TAKES 0.1 0.1 0.1 5 5
[TIMES]
DURATION 48
QUALITY TIMESTEP 0:05
REPORT TIMESTEP 0:15
[OPTIONS]
UNITS LPS
QUALITY AGE
[END]
"""

RETURNING = FRONTS.replace("Salt mg/L", "AGE").replace("REPORT TIMESTEP 0:15", "REPORT TIMESTEP 1:00")
TRACED = LAYERS.replace("QUALITY AGE", "QUALITY TRACE H").replace("T 2\n", "T 2\nJ 30\nK 5\nH 7\n") % "MIXED"
# network: nodes and links whose qualities are changed
NETWORKS = {
    "fronts": (FRONTS, ("J",), ("2",)),
    "age into a reservoir": (RETURNING, ("J",), ("2",)),
    "lifo": (LAYERS % "LIFO", ("J", "K", "T"), ("1", "2", "3")),
    "fifo": (LAYERS % "FIFO", ("J", "K", "T"), ("1", "2", "3")),
    "two compartments": (LAYERS % "2COMP 0.3", ("J", "K", "T"), ("1", "2", "3")),
    "traced": (TRACED, ("K", "T"), ("2", "3")),
}
# What nobody could see: the file leaves more open.
UNSEEN = {("lifo", 0.6), ("fifo", 0.6), ("two compartments", 0.6)}


def verdict(inp, out):
    run = subprocess.run([SLUICE, "verify", inp, out], capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


def main():
    folder, failed, n = tempfile.mkdtemp(), 0, 0
    for name, (text, nodes, links) in NETWORKS.items():
        inp, out = os.path.join(folder, "m.inp"), os.path.join(folder, "m.out")
        with open(inp, "w") as f:
            f.write(text)
        subprocess.run([SLUICE, "run", inp, "-o", out], capture_output=True)
        code, said = verdict(inp, out)
        if code:
            failed += 1
            print("%s is sound, but (exit code %d):\n%s" % (name, code, said))
        for factor in (0.6, 1.7):
            bad = Faulty(out)
            for period in range(1, bad.r.count):
                for what, names in (("node quality", nodes), ("link quality", links)):
                    for x in names:
                        bad.put(period, what, x, bad.get(period, what, x) * factor)
            bad.write()
            n += 1
            if (verdict(inp, bad.path)[0] == 3) == ((name, factor) in UNSEEN):
                failed += 1
                print("%s with qualities times %g is judged wrongly" % (name, factor))
    shutil.rmtree(folder)
    print("%d networks, %d planted faults, %d not as they should be" % (len(NETWORKS), n, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
