#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""flow_limit.py: what Sluice and EPANET 2.3.5 compute behind a flow control valve whose zone demands more.

    bench/flow_limit.py [FILE.inp VALVE NODE]      (default: examples/limits/flow-limit.inp Contract Town)

Prints, for both programs, the largest flow through the valve and the lowest pressure at the node. EPANET's library writes
its own results; both files are read by `sluice convert`.

Environment: SLUICE (the program, default build/release/sluice), SLUICE_EPANET_LIBRARY (another libepanet2).
"""

import csv
import ctypes
import io
import os
import subprocess
import sys
import tempfile

import peers

FINE = (0, 1, 3)  # exit codes of a run whose results are written


def run_sluice(sluice, inp, out):
    code = subprocess.run([sluice, "run", "-q", inp, "-o", out], stderr=subprocess.DEVNULL, check=False).returncode
    if code not in FINE:
        sys.exit("sluice run ends with %d" % code)


def run_epanet(inp, out):
    library = ctypes.CDLL(peers.epanet_library())
    code = library.ENepanet(inp.encode(), (out + ".rpt").encode(), out.encode(), None)
    if code > 100:
        sys.exit("EPANET ends with error %d" % code)


def extremes(sluice, out, valve, node):
    """The largest flow and the lowest pressure, in the file's units."""
    text = subprocess.run([sluice, "convert", out, "-", "--to", "csv", "--csv", "rows"], capture_output=True, text=True, check=True).stdout
    rows = list(csv.reader(io.StringIO(text)))
    head = rows[0]
    flow = next(i for i, name in enumerate(head) if name.startswith("flow_"))
    pressure = next(i for i, name in enumerate(head) if name.startswith("pressure_"))
    flows = [float(r[flow]) for r in rows[1:] if r[1] == "link" and r[3] == valve]
    pressures = [float(r[pressure]) for r in rows[1:] if r[1] == "node" and r[3] == node]
    return max(flows), min(pressures), head[flow].split("_", 1)[1], head[pressure].split("_", 1)[1]


def main(arguments):
    if len(arguments) not in (0, 3):
        sys.exit(__doc__)
    default = (os.path.join(peers.ROOT, "examples", "limits", "flow-limit.inp"), "Contract", "Town")
    inp, valve, node = arguments or default
    sluice = peers.sluice_program()
    with tempfile.TemporaryDirectory() as folder:
        for name, run in (("Sluice", lambda out: run_sluice(sluice, inp, out)), ("EPANET", lambda out: run_epanet(inp, out))):
            out = os.path.join(folder, name + ".out")
            run(out)
            flow, pressure, flow_unit, pressure_unit = extremes(sluice, out, valve, node)
            print("%s: at most %.2f %s through %s, at least %.1f %s at %s" % (name, flow, flow_unit, valve, pressure, pressure_unit, node))


if __name__ == "__main__":
    main(sys.argv[1:])
