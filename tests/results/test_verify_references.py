#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`sluice verify` over the public networks with EPANET's results: all are sound but those known to be wrong, and errors
planted in the others are found and named. Also the command's output and exit codes, which need a result file.
"""
import json
import lzma
import os
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

SLUICE, SHARED = os.environ["SLUICE"], os.environ.get("SLUICE_SHARED") or ""

# EPANET's result contradicts itself; the checks that must say so.
WRONG = {
    "timer_control": {"mass"},     # demand served behind a closed pipe
    "2fcvs": {"mass", "status"},   # two flow controllers in series: heads of minus a million feet
    "NET1-PBV": {"headloss"},      # a pressure breaker lifts water
    "wolf-3": {"mass"},            # stopped unbalanced: balances are off by up to 0.02 gpm
}
# Small and middle ones in full; the largest files take seconds under sanitizers.
SIZE_MAX = 1 << 20

failures = []


def check(ok, text):
    if not ok:
        failures.append(text)


def run(*args):
    r = subprocess.run([SLUICE, "verify", *map(str, args)], capture_output=True, text=True, timeout=120)
    if "Sanitizer" in r.stderr:
        sys.exit(r.stderr)
    return r


class Out:
    """Where the numbers of a .out file are."""

    def __init__(self, data):
        self.data = data
        head = struct.unpack_from("<15i", data)
        self.n_node, n_fixed, self.n_link, n_pump = head[2:6]
        self.unit = {0: 0.028317, 1: 6.309e-5, 2: 0.0438, 5: 1e-3, 6: 1.667e-5, 8: 2.778e-4}[head[9]]
        self.length = 0.3048 if head[9] < 5 else 1.0
        at = 15 * 4 + 3 * 80 + 2 * 260 + 2 * 32
        self.nodes = [self.id(at + 32 * i) for i in range(self.n_node)]
        at += 32 * self.n_node
        self.links = [self.id(at + 32 * i) for i in range(self.n_link)]
        at += 32 * self.n_link
        self.ends = list(zip(*(struct.unpack_from("<%di" % self.n_link, data, at + 4 * self.n_link * k) for k in (0, 1))))
        at += 4 * (3 * self.n_link + 2 * n_fixed + self.n_node + 2 * self.n_link) + 28 * n_pump + 4
        self.start, self.size = at, 4 * (4 * self.n_node + 8 * self.n_link)
        self.n_period = struct.unpack_from("<i", data, len(data) - 12)[0]

    def id(self, at):
        return self.data[at:at + 32].split(b"\0")[0].decode("latin-1")

    def offset(self, period, variable, index):
        n = self.n_node * variable if variable < 4 else 4 * self.n_node + self.n_link * (variable - 4)
        return self.start + self.size * period + 4 * (n + index)

    def get(self, *where):
        return struct.unpack_from("<f", self.data, self.offset(*where))[0]

    def planted(self, value, *where):
        data = bytearray(self.data)
        struct.pack_into("<f", data, self.offset(*where), value)
        return bytes(data)


def verdict(inp, path):
    r = run("--json", inp, path)
    if r.returncode not in (0, 3):
        return r.returncode, set(), r.stderr
    rows = json.loads(r.stdout)
    check(rows["consistent"] == (r.returncode == 0), f"{path.name}: the verdict and the exit code {r.returncode} disagree")
    return r.returncode, {c["check"] for c in rows["checks"] if c["violated"]}, r.stderr


def references(folder):
    n = 0
    for packed in sorted(Path(SHARED, "networks").rglob("*.out.xz")):
        inp, data = Path(str(packed)[:-len(".out.xz")] + ".inp"), lzma.open(packed).read()
        if len(data) > SIZE_MAX:
            continue
        path = folder / packed.stem
        path.write_bytes(data)
        code, found, said = verdict(inp, path)
        check(code == (3 if inp.stem in WRONG else 0), f"{inp.stem}: exit {code}, violated {found}\n{said[:600]}")
        check(found == WRONG.get(inp.stem, set()), f"{inp.stem}: violated {found}, expected {WRONG.get(inp.stem, set())}")
        n += 1
    check(n > 80, f"only {n} references were found")
    return n


def plants(folder):
    """A flow off by 1e-3, a head off by a centimetre: found, and named by the element or a neighbour."""
    dice = random.Random(5)
    path = folder / "planted.out"
    for name in ("epanet/Net1", "epanet/Net3", "fixtures/multi_tank", "valves/valves"):
        inp = Path(SHARED, "networks", name + ".inp")
        out = Out(lzma.open(inp.with_suffix(".out.xz")).read())
        done = {0: 0, 1: 0}
        while min(done.values()) < 6:
            period, is_flow = dice.randrange(out.n_period), done[1] < 6
            if is_flow:
                k = dice.randrange(out.n_link)
                value = out.get(period, 4, k)
                if abs(value) * out.unit < 3e-4:  # below 0.3 L/s a part in a thousand is no water
                    continue
                path.write_bytes(out.planted(value * 1.001, period, 4, k))
                names = [out.links[k]] + [out.nodes[i - 1] for i in out.ends[k]]
            else:
                k = dice.randrange(out.n_node)
                path.write_bytes(out.planted(out.get(period, 1, k) + 0.01 / out.length, period, 1, k))
                names = [out.nodes[k]] + [out.links[i] for i, e in enumerate(out.ends) if k + 1 in e]
            done[is_flow] += 1
            code, found, said = verdict(inp, path)
            ids = {json.loads(line).get("object", {}).get("id") for line in said.splitlines()}
            check(code == 3 and ids & set(names),
                  f"{name}: planted in {'flow' if is_flow else 'head'} of {names[0]}, period {period}: exit {code}, names {ids}")


def command(folder):
    inp = Path(SHARED, "networks/epanet/Net1.inp")
    out = folder / "Net1.out"
    r = run(inp, out)
    check(r.returncode == 0 and "Consistent" in r.stdout and "25 periods" in r.stdout and not r.stderr, f"Net1: {r}")
    r = run("-q", inp, out)
    check(r.returncode == 0 and not r.stdout and not r.stderr, f"quiet: {r}")
    r = run("--head-abs", "1e-9", inp, out)  # rounding alone explains all of it
    check(r.returncode == 0 and "Consistent" in r.stdout, f"strict heads: {r}")
    r = run(Path(SHARED, "networks/owa/wolf-3.inp"), folder / "wolf-3.out")
    check(r.returncode == 3 and "NOT consistent" in r.stdout and "[unsound]" in r.stderr, f"not sound: {r}")
    r = run("--mass-rel", "0.1", "-q", Path(SHARED, "networks/owa/wolf-3.inp"), folder / "wolf-3.out")
    check(r.returncode == 3, "mass-rel lets a small pipe lose its water")  # bounded by what passes the node
    check(run("--head-abs", "-1", inp, out).returncode == 4, "a negative tolerance is taken")
    check(run(inp).returncode == 4, "one operand is taken")
    check(run(inp, folder / "none.out").returncode == 5, "a missing result is not told")
    check(run(folder / "none.inp", out).returncode == 5, "a missing model is not told")
    check(run(inp, inp).returncode == 2, "a model is taken for a result")
    r = run(inp, folder / "Net3.out")
    check(r.returncode == 2 and "[not-this-model]" in r.stderr, f"another network's result: {r}")
    cut = folder / "cut.out"
    cut.write_bytes(out.read_bytes()[:-5000])
    r = run(inp, cut)
    check(r.returncode == 0 and "ends early" in r.stderr, f"a result that was cut off: {r}")


def main():
    if not SHARED:
        print("no reference networks beside the sources (../shared/networks)")
        return 77
    with tempfile.TemporaryDirectory() as name:
        n = references(Path(name))
        command(Path(name))
        plants(Path(name))
    print("\n".join(failures) or f"{n} references verified")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
