#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The examples run, their results are sound by `sluice verify`, and they show what their comments and examples/README.md say."""
import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

SLUICE, EXAMPLES = os.environ["SLUICE"], Path(os.environ["SLUICE_SOURCE"], "examples")
failures = []


def check(ok, text):
    if not ok:
        failures.append(text)


class Out:
    """A .out file by ids: series over the periods, in the file's units."""

    def __init__(self, data):
        head = struct.unpack_from("<15i", data)
        n, n_fixed, m, n_pump = head[2:6]
        at = 15 * 4 + 3 * 80 + 2 * 260 + 2 * 32
        ids = [data[at + 32 * i:at + 32 * i + 32].split(b"\0")[0].decode() for i in range(n + m)]
        self.nodes, self.links = {x: i for i, x in enumerate(ids[:n])}, {x: i for i, x in enumerate(ids[n:])}
        at += 32 * (n + m) + 4 * (3 * m + 2 * n_fixed + n + 2 * m) + 28 * n_pump + 4
        self.periods = [struct.unpack_from("<%df" % (4 * n + 8 * m), data, at + k * 4 * (4 * n + 8 * m))
                        for k in range(struct.unpack_from("<i", data, len(data) - 12)[0])]
        self.n, self.m = n, m

    def node(self, what, name):
        start = ("demand", "head", "pressure").index(what) * self.n + self.nodes[name]
        return [p[start] for p in self.periods]

    def link(self, what, name):
        start = 4 * self.n + {"flow": 0, "status": 4}[what] * self.m + self.links[name]
        return [p[start] for p in self.periods]


def run(folder, inp):
    out = folder / "out.out"
    r = subprocess.run([SLUICE, "run", "--json", str(inp), "-o", str(out)], capture_output=True, text=True, timeout=200)
    check(r.returncode == 0 and "Sanitizer" not in r.stderr, "%s: exit %d\n%s" % (inp.name, r.returncode, r.stderr[:800]))
    found = json.loads(r.stdout)
    said = [(m["code"], m["text"]) for m in found["messages"] + found["diagnostics"] if m["severity"] != "info"]
    check(not said, "%s: warnings %s" % (inp.name, said))
    v = subprocess.run([SLUICE, "verify", str(inp), str(out)], capture_output=True, text=True, timeout=200)
    check(v.returncode == 0 and "Consistent" in v.stdout, "%s: not sound\n%s" % (inp.name, v.stdout + v.stderr[:800]))
    return Out(out.read_bytes()), found["summary"]


def near(series, value, tolerance=1e-3):
    return all(abs(x - value) <= tolerance for x in series)


def hilltown(x, summary):
    tanks = {t["id"]: t for t in summary["tanks"]}
    for name, top in (("ORCHARD", 5.0), ("KEEP", 4.5)):
        low, high = tanks[name]["level_min_m"]["value"], tanks[name]["level_max_m"]["value"]
        check(low > 1.0 and high < top and high - low > 1.0, "hilltown: %s between %g and %g m" % (name, low, high))
    check(summary["pressure_min_m"]["value"] > 24.9 and summary["pressure_max_m"]["value"] < 80.0, "hilltown: pressures")


def fire_flow(x, summary):
    for name in "EF":
        pressure = x.node("pressure", name)
        check(min(pressure) > 0 and min(pressure) == min(pressure[14:16]), "fire flow: pressure at %s %s" % (name, pressure))
    check(summary["balance"]["deficit_m3"] > 10, "fire flow: nothing is missing")
    check(x.node("demand", "F")[14] > 10 * x.node("demand", "F")[13], "fire flow: no hydrant")


def leaks(x, summary):
    inflow = [-q for q in x.node("demand", "HILL")]
    balance = summary["balance"]
    check(inflow.index(min(inflow)) < 6, "leaks: the smallest inflow is not at night")
    check(balance["leakage_m3"] > 10 * balance["emitters_m3"] > 0, "leaks: %s" % balance)


def zones(x, _):
    check(near(x.node("pressure", "B1"), 35) and near(x.node("pressure", "C1"), 35), "zones: PRVs do not hold 35 m")
    check(near(x.node("pressure", "D3"), 32), "zones: the PSV does not hold 32 m: %s" % x.node("pressure", "D3"))


def pump_and_tank(x, summary):
    level = summary["tanks"][0]
    check(level["level_min_m"]["value"] > 1.49 and level["level_max_m"]["value"] < 4.01, "pump and tank: %s" % level)
    flow = x.link("flow", "T1_A")
    check(min(flow) < 0 < max(flow), "pump and tank: the flow does not turn around")


def valves(x, _):
    drop = x.node("head", "A3")[0] - x.node("head", "B3")[0]
    check(near(x.node("pressure", "B1"), 30), "valves: PRV")
    check(x.node("pressure", "A2")[0] > 45 and x.link("status", "V2") == [3], "valves: PSV is not open: %s" % x.link("status", "V2"))
    check(abs(drop - 8) < 1e-3 and near(x.link("flow", "V4"), 3, 1e-5), "valves: PBV %g, FCV %s" % (drop, x.link("flow", "V4")))
    check(near(x.link("flow", "U4_5"), 2, 1e-4), "valves: the neighbour does not give 2 L/s")


def two_reservoirs(x, _):
    west, east = -x.node("demand", "WEST")[0], -x.node("demand", "EAST")[0]
    check(west > east > 0, "two reservoirs: %g and %g" % (west, east))


def rules(x, _):
    both = [a + b for a, b in zip(x.link("flow", "PU1"), x.link("flow", "PU2"))]
    check(both[18] < 0.6 * max(both), "rules: the pumps are not held back in the dear hours")


def flow_limit(folder):
    """The one example whose demand is not served: an exit code of 1 and no flow above the limit."""
    inp, out = EXAMPLES / "limits" / "flow-limit.inp", folder / "limit.out"
    r = subprocess.run([SLUICE, "run", "--json", str(inp), "-o", str(out)], capture_output=True, text=True, timeout=200)
    check(r.returncode == 1, "flow-limit: exit %d" % r.returncode)
    x, balance = Out(out.read_bytes()), json.loads(r.stdout)["summary"]["balance"]
    check(max(x.link("flow", "Contract")) < 10.001, "flow-limit: %g L/s through the valve" % max(x.link("flow", "Contract")))
    check(min(x.node("pressure", "Town")) > 39, "flow-limit: pressure %g m" % min(x.node("pressure", "Town")))
    check(abs(balance["unserved_m3"] - 348.75) < 0.5, "flow-limit: %s" % balance)
    v = subprocess.run([SLUICE, "verify", str(inp), str(out)], capture_output=True, text=True, timeout=200)
    check(v.returncode == 0, "flow-limit: not verified\n" + v.stdout)


SHOW = {"hilltown": hilltown, "fire-flow-pda": fire_flow, "leaks": leaks, "pressure-zones": zones, "pump-and-tank": pump_and_tank,
        "valves": valves, "two-reservoirs": two_reservoirs, "rules": rules}


def main():
    names = sorted(p.stem for p in EXAMPLES.glob("*.inp") if p.stem != "broken")
    check(set(SHOW) <= set(names), "examples are gone: %s" % sorted(set(SHOW) - set(names)))
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            x, summary = run(Path(folder), EXAMPLES / (name + ".inp"))
            SHOW.get(name, lambda *_: None)(x, summary)
        flow_limit(Path(folder))
    page = (EXAMPLES / "README.md").read_text()
    for path in EXAMPLES.glob("*.inp"):
        check("[`%s`]" % path.name in page, "examples/README.md does not list " + path.name)
    print("\n".join(failures) or "%d examples do what they say" % len(names))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
