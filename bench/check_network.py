#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_network.py: is an .out file a solution of its .inp file? An independent judge, in the standard library of Python.

    bench/check_network.py NETWORK.inp RESULT.out [--most N]

Every reported period is judged: balances of junctions, laws of pipes, pumps and valves, statuses, tanks, check valves,
demands, emitters, leaks, and demand that is not served. It shares no code and no tolerance with src. A line per fault is printed,
exit code 1 with faults, 2 for a file it cannot read. tests/eps/test_checker.py plants faults that it must find.

What may differ, and why:

* A 4-byte float is within 2^-24 of the number it stands for: EPS. A law is judged by the change that this rounding of its
  own numbers can make; beside it only a micrometre is allowed. Heads count as rounded like the largest head of their period and sums of flows like
  the largest flow: a solver works on differences, and so knows each to the digits of the largest.
* The model's own HTOL and QTOL (ft, ft3/s) are part of the meaning of a status: a valve or pump need not change its status
  for less. They enter inequalities that decide a status, never a law.
* Instants are whole seconds: a limit of a tank may be passed by half a second's flow.
* Laws are continued near rest by straight lines (docs/theory/hydraulics.md): within a thousandth of a pump's design flow, and
  below 0.1 mm of pressure at outlets. There a result may follow the curve or the line.
"""

import argparse
import math
import sys

import check_model
from check_laws import MM, minor, outflows, pipe_loss, pump_gains, shut_off, shut_position, valve_losses
from check_model import Model, Refused, Result

EPS = 2.0**-24 * (1 + 2.0**-20)  # of a number, as written; the rest is the factor of its unit, in double precision
# What "balanced" means by the specification: imbalances up to 1e-6 of all inflow, or 1e-9 m3/s.
BALANCED, NOTHING = 1e-6, 1e-9 / 0.3048**3
# ... and losses to a hundredth of the 0.1 mm that it allows [ft].
LOSS = 1e-6 / 0.3048
LEVEL = 0.05 / 0.3048  # of a stiff tank after a step: the accuracy of levels that the documentation promises (5 cm)
XHEAD, TEMPCLOSED, CLOSED, OPEN, ACTIVE, XFLOW, XFCV, XPRESSURE = range(8)
UNITS = ["CFS", "GPM", "MGD", "IMGD", "AFD", "LPS", "LPM", "MLD", "CMH", "CMD", "CMS"]  # numbered in .out


# ---- The judge ------------------------------------------------------------------------------------


class Checker:
    def __init__(self, model, result):
        self.m, self.r = model, result
        self.faults, self.counts = [], {}
        self.nodes = [model.nodes[x] for x in result.nodes]
        self.links = [model.links[x] for x in result.links]
        self.index = {n.name: i for i, n in enumerate(self.nodes)}
        self.ends = [(a - 1, b - 1) for a, b in result.ends]
        for k, (a, b) in zip(self.links, self.ends):
            if k.a is not self.nodes[a] or k.b is not self.nodes[b]:
                raise Refused("link %s joins other nodes" % k.name)
        if len(self.nodes) != len(model.nodes) or len(self.links) != len(model.links):
            raise Refused("the result is of another network")
        unit = UNITS[result.flow_unit]
        self.flow_unit = check_model.PER_CFS[unit]
        self.foot = 1.0 if unit in check_model.US else 0.3048
        self.pressure = model.pressure
        self.at = [[] for _ in self.nodes]  # links at each node
        for i, (a, b) in enumerate(self.ends):
            self.at[a].append(i)
            self.at[b].append(i)
        self.before, self.most = None, {}

    def fault(self, what, name, text):
        self.counts[what] = self.counts.get(what, 0) + 1
        self.faults.append("%s %s at %d s: %s" % (what, name, self.time, text))

    def broken(self, what, name, by, allowed, text):
        if not by <= allowed:  # also for what is no number
            self.fault(what, name, "%s: off by %.4g, rounding explains %.2g" % (text, by, allowed))

    def run(self):
        for i in range(self.r.count):
            self.time = self.r.time(i)
            self.load(self.r.period(i))
            if any(not math.isfinite(x) for x in self.h + self.q + self.d):
                self.fault("number", "-", "not finite")
                continue
            self.connect()
            for j in range(len(self.links)):
                self.link(j)
            for j in range(len(self.nodes)):
                self.node(j)
            self.unserved()
            self.tanks()
        return self.faults

    def load(self, x):
        f = self.flow_unit
        self.d = [v / f for v in x["demand"]]
        self.h = [v / self.foot for v in x["head"]]
        self.q = [v / f for v in x["flow"]]
        self.status = [int(s) for s in x["status"]]
        self.raw_setting = list(x["setting"])
        self.raw = x
        self.set = []
        for k, s in zip(self.links, x["setting"]):
            unit = {"PRV": self.pressure, "PSV": self.pressure, "PBV": self.pressure, "FCV": f}.get(k.kind, 1.0)
            self.set.append(s / unit)
        self.dh = EPS * max((abs(h) for h in self.h), default=0.0)
        self.dq = EPS * max((abs(q) for q in self.q), default=0.0)
        # What the network exchanges with reservoirs, tanks and junctions that feed.
        self.inflow = sum(abs(d) for d, n in zip(self.d, self.nodes) if n.kind != "junction" or d < 0)
        self.open = [s >= OPEN and (k.kind != "pump" or w > 0) and not shut_position(k, s, w) for k, s, w in zip(self.links, self.status, self.set)]

    def wanted(self, n):
        m = self.m
        return m.o["MULTIPLIER"] * sum(b * m.factor(p, self.time) for b, p in n.demands)

    # -- which parts have a defined head -------------------------------------------------------------
    def connect(self):
        """A part without reservoir or tank through which nothing flows has no defined heads."""
        part = [-1] * len(self.nodes)
        self.cut = [False] * len(self.nodes)
        for start in range(len(self.nodes)):
            if part[start] >= 0:
                continue
            members, stack, fed, moves = [], [start], False, False
            part[start] = start
            while stack:
                i = stack.pop()
                members.append(i)
                n = self.nodes[i]
                fed = fed or n.kind != "junction"
                moves = moves or self.d[i] != 0.0
                for j in self.at[i]:
                    if self.open[j]:
                        moves = moves or self.q[j] != 0.0
                        a, b = self.ends[j]
                        o = a + b - i
                        if part[o] < 0:
                            part[o] = start
                            stack.append(o)
            if not fed and not moves:
                for i in members:
                    self.cut[i] = True
        self.part = part
        self.dry = {}

    def at_rest(self, j):
        """Does a link begin in a part that no reservoir, tank or inflow supplies, and in which no demand is served? It holds the water
        that stands there at the height of its outlets, or goes round between them, and has none for a pump or a pressure valve to pass."""
        p = self.part[self.ends[j][0]]
        if p not in self.dry:
            inside = [i for i, x in enumerate(self.part) if x == p]
            junctions = all(self.nodes[i].kind == "junction" and self.wanted(self.nodes[i]) >= 0 for i in inside)
            self.dry[p] = junctions and all(self.d[i] - self.outlet(i, 2) <= self.dq + NOTHING for i in inside)
        return self.dry[p]

    def from_dry(self, j):
        """Would a link draw from such a part into another one? Demands are not served by suction."""
        a, b = self.ends[j]
        return self.part[a] != self.part[b] and self.at_rest(j)

    # -- states that the model allows ----------------------------------------------------------------
    def states(self, k):
        """All (state, setting) that a link may have now; one where nothing or only the clock steers it."""
        start = k.state
        if k.kind == "pump" and k.pattern:
            w = self.m.factor(k.pattern, self.time)
            start = ("open", w) if w > 0 else ("closed", 0.0)
        if not k.actions and not k.rule_states:
            return [start]
        if k.rule_states or any(a[0] in ("above", "below") for a in k.actions) or k.pattern:
            return self.steered(k, start)
        state, when = start, -1
        for kind, at, _, s in k.actions:  # the latest act counts, of one time the last line
            if kind == "clock":
                clock = (self.m.t["START"] + self.time - at) % 86400
                at = self.time - clock
            if 0 <= at <= self.time and at >= when:
                state, when = s, at
        return [state]

    def steered(self, k, start):
        every = [start] + [a[3] for a in k.actions] + k.rule_states
        if k.rule_states or any(a[2] is not None and a[2].kind == "junction" for a in k.actions) or k.pattern:
            return every
        sure, maybe = None, []
        for kind, at, node, s in k.actions:
            acts = self.acts(kind, at, node)
            if acts is True:
                sure, maybe = s, []
            elif acts is None:
                maybe.append(s)
        return every if sure is None else [sure] + maybe

    def acts(self, kind, at, node):
        """Does a control act now: True, False, or None where rounding or a second's flow decides."""
        if kind == "time":
            return self.time == at
        if kind == "clock":
            return (self.m.t["START"] + self.time - at) % 86400 == 0
        i = self.index[node.name]
        if node.kind != "tank":
            return None
        level = self.h[i] - node.z
        v, limit = self.m.volume(node, level), self.m.volume(node, at)
        area = self.area(node, level)
        # A second's flow of the step before, which is not in the file: the largest one of any period, and a half more.
        past = v - limit if kind == "above" else limit - v
        slack = 1.5 * self.largest(i) + 2 * self.dh * area + 1e-9
        return True if past > slack else False if past < -slack and not math.isinf(slack) else None

    def largest(self, i):
        """The largest flow into or out of a tank at any period."""
        if i not in self.most:
            self.most[i] = max(abs(self.r.period(p)["demand"][i]) for p in range(self.r.count)) / self.flow_unit
        return self.most[i]

    def area(self, tank, level):
        return (self.m.volume(tank, level + 0.01) - self.m.volume(tank, level - 0.01)) / 0.02

    # -- links ---------------------------------------------------------------------------------------
    def link(self, j):
        k, q, s = self.links[j], self.q[j], self.status[j]
        a, b = self.ends[j]
        self.h1, self.h2 = self.h[a], self.h[b]
        known = not self.cut[a] and not self.cut[b]
        self.state_fits(j)
        self.shown(j)
        if not self.open[j]:
            self.broken("closed", k.name, abs(q), 0.0, "a closed link carries water")
        elif known:
            self.law(j)
        if known:
            {"pump": self.pump, "pipe": self.pipe, "PRV": self.regulator, "PSV": self.regulator}.get(k.kind, self.other_valve)(j)
        if s == TEMPCLOSED and known and not (k.kind == "pipe" and k.check):
            self.held(j)

    def shown(self, j):
        """Velocity is flow over area."""
        k = self.links[j]
        if k.kind != "pump" and k.d > 0:
            v = self.raw["velocity"][j] / self.foot
            true = abs(self.q[j]) / (math.pi * k.d**2 / 4)
            self.broken("velocity", k.name, abs(v - true), 3 * EPS * true + 1e-30, "velocity %.6g ft/s is not flow over area" % v)

    def state_fits(self, j):
        """Status and setting are ones that the model, its controls and rules can give."""
        k, s, x = self.links[j], self.status[j], self.set[j]
        allowed = self.states(k)
        words = {t[0] for t in allowed}
        if not 0 <= s <= 7:
            self.fault("status", k.name, "code %d is none" % s)
            return
        if s == CLOSED and "closed" not in words and not (k.kind == "pipe" and k.check) and k.kind not in ("PRV", "PSV"):
            self.fault("status", k.name, "closed, and nothing closes it")
        elif s != CLOSED and words == {"closed"}:
            self.fault("status", k.name, "not closed, and nothing opens it")
        if k.kind == "pump" and s != CLOSED:
            if not any(abs(x - t[1]) <= 2 * EPS * abs(t[1]) for t in allowed if t[0] == "open"):
                self.fault("setting", k.name, "speed %.6g is none that the model gives" % x)
        elif k.kind in check_model.VALVES and k.kind != "GPV":
            if s in (ACTIVE, XFCV, XPRESSURE) and k.kind in ("PRV", "PSV", "FCV", "PBV", "TCV", "PCV"):
                top = 100.0 if k.kind == "PCV" else math.inf
                fits = [t for t in allowed if t[0] == "set" and t[1] is not None]
                if not any(abs(min(x, top) - min(t[1], top)) <= 2 * EPS * abs(t[1]) + 1e-12 for t in fits):
                    self.fault("setting", k.name, "setting %.6g is none that the model gives" % x)

    def regulates(self, k):
        """Surely: nothing can have fixed it open or closed."""
        return all(t[0] == "set" for t in self.states(k))

    def law(self, j):
        k, q, s, x = self.links[j], self.q[j], self.status[j], self.set[j]
        if s == ACTIVE and k.kind in ("PRV", "PSV", "FCV"):
            return  # its set point, not its loss
        d = EPS * abs(q) + 1e-300

        def losses(v):
            if k.kind == "pipe":
                return [pipe_loss(self.m, k, v)]
            if k.kind == "pump":
                return [-g for w in (x * (1 - EPS), x, x * (1 + EPS)) for g in pump_gains(k, w, v)]  # the speed is rounded too
            return [h for w in (x * (1 - EPS), x, x * (1 + EPS)) for h in valve_losses(k, s, w, v)]

        every = [h for v in (q - d, q, q + d) for h in losses(v)]
        low, high = min(every), max(every)
        slack = 2 * self.dh + LOSS
        if k.kind not in ("pipe", "pump"):
            slack += 2 * EPS * max(abs(low), abs(high))  # the setting is rounded too: a loss, or a coefficient
        drop = self.h1 - self.h2
        self.broken("law", k.name, max(low - drop, drop - high, 0.0), slack,
                    "%s: %.7g ft3/s lose %.7g ft, its ends differ by %.7g" % (k.kind, q, losses(q)[0], drop))  # fmt: skip

    def backwards(self, j):
        self.broken("backwards", self.links[j].name, -self.q[j], self.m.qtol, "water runs backwards")

    def pipe(self, j):
        k = self.links[j]
        if not k.check:
            return
        if self.open[j]:
            self.backwards(j)
        elif not self.at_limit(j) and not self.from_dry(j):
            self.broken("check valve", k.name, self.h1 - self.h2, self.m.htol + 2 * self.dh, "shut though the head opens it")

    def pump(self, j):
        k, w = self.links[j], self.set[j]
        if self.open[j]:
            self.backwards(j)
        elif self.status[j] == XHEAD and w > 0 and k.curve is not None and not self.at_rest(j):
            top = shut_off(k, w)
            self.broken("pump", k.name, top - (self.h2 - self.h1), self.m.htol + 2 * self.dh + 3 * EPS * top,
                        "stands though it could deliver")  # fmt: skip

    def regulator(self, j):
        k, q, s, x = self.links[j], self.q[j], self.status[j], self.set[j]
        reduces = k.kind == "PRV"
        node = k.b if reduces else k.a
        held = self.h2 if reduces else self.h1
        top = node.z + x
        slack, htol = 2 * self.dh + EPS * abs(x), self.m.htol
        if s == ACTIVE:
            self.broken("set point", k.name, abs(held - top), slack, "%s holds %.7g ft instead of %.7g" % (k.kind, held, top))
            self.broken("lift", k.name, self.h2 + minor(k, k.minor, q) - self.h1, slack + htol, "%s lifts water" % k.kind)
            self.backwards(j)
        elif not self.regulates(k):
            return
        elif s == OPEN:
            by = held - top if reduces else top - held
            self.broken("set point", k.name, by, slack + htol, "%s is open beyond its setting" % k.kind)
            self.backwards(j)
        elif s == CLOSED and not self.at_rest(j):
            by = min(self.h1 - self.h2, top - self.h2 if reduces else self.h1 - top)
            self.broken("valve shut", k.name, by, slack + htol, "%s is shut though water would pass" % k.kind)
        elif s == XPRESSURE:
            self.backwards(j)

    def other_valve(self, j):
        k, q, s, x = self.links[j], self.q[j], self.status[j], self.set[j]
        if k.kind != "FCV":
            return
        slack = EPS * (abs(q) + abs(x)) + 1e-300
        if s == ACTIVE:
            self.broken("set point", k.name, abs(q - x), slack, "FCV passes %.7g ft3/s instead of %.7g" % (q, x))
            self.broken("lift", k.name, self.h2 + minor(k, k.minor, q) - self.h1, self.m.htol + 2 * self.dh, "FCV lifts water")
        elif s == XFCV or (s == OPEN and self.regulates(k)):
            if not (s == XFCV and self.flooded(j)):
                self.broken("set point", k.name, q - x, self.m.qtol + slack, "FCV passes more than its setting")

    def flooded(self, j):
        """More is forced into the part before a flow control valve than it uses, and no other way leads out."""
        start = self.ends[j][0]
        seen, stack = {start}, [start]
        while stack:
            i = stack.pop()
            if self.nodes[i].kind != "junction":
                return False
            for o in self.at[i]:
                fixed = self.links[o].kind == "FCV" and self.status[o] in (ACTIVE, XFCV)
                other = sum(self.ends[o]) - i
                if self.open[o] and not fixed and other not in seen:
                    seen.add(other)
                    stack.append(other)
        return any(self.d[i] < 0 for i in seen)

    def limits(self, i):
        """(full, empty) of a tank, within its hysteresis: a millimetre, or a tenth of the range where a link is closed for it."""
        n = self.nodes[i]
        if n.kind != "tank":
            return False, False
        holds = any(self.status[j] == TEMPCLOSED for j in self.at[i])
        level, slack = self.h[i] - n.z, (max(MM, 0.1 * (n.high - n.low)) if holds else MM) + 2 * self.dh
        return level >= n.high - slack and not n.overflow, level <= n.low + slack

    def at_limit(self, j):
        """A tank at an end keeps this link from filling or draining it."""
        a, b = self.ends[j]
        k, slack = self.links[j], self.m.htol + 2 * self.dh
        one_way = k.kind in ("pump", "PRV", "PSV") or k.check
        for i, other, into in ((a, b, False), (b, a, True)):
            full, empty = self.limits(i)
            if one_way:
                if (full and into) or (empty and not into):
                    return True
            elif (full and self.h[other] >= self.h[i] - slack) or (empty and self.h[other] <= self.h[i] + slack):
                return True
        return False

    def held(self, j):
        if not self.at_limit(j):
            self.fault("tank link", self.links[j].name, "closed for a tank that is neither full nor empty, or though water would leave it")

    # -- nodes ---------------------------------------------------------------------------------------
    def node(self, i):
        n, m = self.nodes[i], self.m
        net = slack = 0.0
        for j in self.at[i]:
            a, b = self.ends[j]
            q = self.q[j]
            net += (q if b == i else 0.0) - (q if a == i else 0.0)
            slack += abs(q)
        slack = EPS * (slack + abs(self.d[i])) + self.dq + max(BALANCED * self.inflow, NOTHING)
        self.broken("balance", n.name, abs(net - self.d[i]), slack, "links bring %.8g ft3/s, demand is %.8g" % (net, self.d[i]))
        p = self.raw["pressure"][i] / self.pressure
        self.broken("pressure", n.name, abs(p - (self.h[i] - n.z)), EPS * (abs(p) + abs(self.h[i])) + 1e-12, "pressure is not head less elevation")
        if n.kind == "reservoir":
            head = n.z * m.factor(n.pattern, self.time)
            self.broken("reservoir", n.name, abs(self.h[i] - head), EPS * abs(head) + 1e-12, "stands at %.7g" % self.h[i])
        elif n.kind == "tank":
            self.tank(i)
        elif not self.cut[i]:
            self.demand(i)

    def demand(self, i):
        n, m = self.nodes[i], self.m
        wanted, p, d = self.wanted(n), self.h[i] - n.z, self.d[i]
        spread = [outflows(m, n, wanted, x) for x in (p - 2 * self.dh, p, p + 2 * self.dh)]
        low, high = min(s[0] for s in spread), max(s[1] for s in spread)
        slack = EPS * (abs(d) + abs(wanted)) + self.dq
        if d < low - slack and not m.pda and wanted > 0 and d >= low - wanted - slack:
            return  # less than asked for: unserved() judges it
        if d > high + slack and wanted < 0 and d <= high - wanted + slack and not self.leaves(i):
            return  # less than is forced in, and no way out for more
        # Where an outlet must not flow (backwards, beyond its demand) its law is a wall of 1e9 m per own measure of flow:
        # the demand, or what leaves at 1 m.
        slack += self.wall(i)
        self.broken("demand", n.name, max(low - d, d - high, 0.0), slack, "%.8g ft3/s instead of %.8g" % (d, spread[1][0]))

    def leaves(self, start):
        """Can more water than now leave a junction, to a reservoir, a tank that is not full, an outlet, or a demand that lacks some?"""
        seen, stack = {start}, [start]
        while stack:
            i = stack.pop()
            n = self.nodes[i]
            if n.kind == "reservoir" or (n.kind == "tank" and not self.limits(i)[0]):
                return True
            if n.kind == "tank":
                continue
            if n.emitter or n.leak_area or n.leak_growth or (self.wanted(n) > 0 and self.d[i] < self.wanted(n) * (1 - 1e-6) - self.dq - max(BALANCED * self.inflow, NOTHING)):
                return True
            for j in self.at[i]:
                o = sum(self.ends[j]) - i
                if o not in seen and self.passes(j, o):
                    seen.add(o)
                    stack.append(o)
        return False

    def wall(self, i):
        n, m = self.nodes[i], self.m
        wanted = self.wanted(n) if m.pda else 0.0
        return (max(wanted, 0.0) + outflows(m, n, 0.0, 1 / 0.3048)[1]) * min((abs(self.h[i] - n.z) + m.preq) * 0.3048, 1e8) / 1e9

    def walls(self):
        """What comes in through the walls of all outlets, in place of water that a limit would pass."""
        return sum(self.wall(i) for i, n in enumerate(self.nodes) if (n.emitter or n.leak_area or n.leak_growth) and self.h[i] < n.z)

    def tank(self, i):
        """Within its limits; a full one takes nothing, an empty one gives nothing."""
        n = self.nodes[i]
        level, q = self.h[i] - n.z, self.d[i]
        beyond = max(level - n.high, n.low - level)
        # a limit is reached at a whole second: half a second's flow may pass it
        area = self.area(n, level)
        last = abs(self.before["d"][i]) if self.before else 0.0
        self.broken("tank limit", n.name, beyond, 2 * self.dh + 0.5 * last / area, "level %.7g ft" % level)
        if self.time == 0:
            self.broken("tank start", n.name, abs(level - n.start), 2 * self.dh, "level %.7g ft" % level)
        # Full or empty is known exactly at the start, later to the rounding of the head: then water does not go on.
        level = n.start if self.time == 0 else level
        near = 1e-4 * MM if self.time == 0 else 2 * EPS * abs(self.h[i])
        slack = EPS * sum(abs(self.q[j]) for j in self.at[i]) + max(BALANCED * self.inflow, NOTHING)
        if level >= n.high - near and not n.overflow:
            self.broken("full tank", n.name, q, slack, "takes %.6g ft3/s" % q)
        if level <= n.low + near:
            self.broken("empty tank", n.name, -q, slack, "gives %.6g ft3/s" % -q)

    # -- demand that is not served -------------------------------------------------------------------
    def unserved(self):
        m, short = self.m, {}
        for i, n in enumerate(self.nodes):
            if n.kind != "junction":
                continue
            w = self.wanted(n)
            if m.pda:
                if self.cut[i] and w > 0 and not self.surplus(i):
                    self.could_open(i)
            elif w > 0 and self.d_fixed(i) < w * (1 - 2 * EPS) - self.dq - max(BALANCED * self.inflow, NOTHING) - self.wall(i):
                short[i] = self.d_fixed(i) / w
        done = set()
        for i, share in short.items():
            if i in done or (self.cut[i] and self.surplus(i)):
                continue
            reached, source = self.upstream(i)
            if source is not None:
                self.fault("unserved", self.nodes[i].name, "served by %.4g though %s can supply it" % (share, source))
            done |= reached & set(short)
        self.shares(short)

    def surplus(self, i):
        """A part into which more is forced than it uses, and from which nothing leads: no flow exists."""
        return sum(self.wanted(n) for o, n in enumerate(self.nodes) if self.part[o] == self.part[i]) < 0

    def d_fixed(self, i):
        """What is left of a junction's outflow for its fixed demand: less emitter and leaks at its pressure."""
        n = self.nodes[i]
        if not (n.emitter or n.leak_area or n.leak_growth):
            return self.d[i]
        return self.d[i] - self.outlet(i, -2)

    def outlet(self, i, rounding):
        """By emitter and leaks, at a head that is so many roundings higher."""
        n = self.nodes[i]
        return outflows(self.m, n, 0.0, self.h[i] - n.z + rounding * self.dh)[0]

    def passes(self, j, i, behind=1):
        """Can a link bring more water to the node i than it does? behind: junctions there, each of which may be off its balance."""
        k, s = self.links[j], self.status[j]
        forward = self.ends[j][1] == i
        if s == CLOSED and not (k.kind == "pipe" and k.check) and not (k.kind in ("PRV", "PSV") and self.regulates(k)):
            return False
        if k.kind == "pump":
            return forward and self.set[j] > 0
        if (k.kind == "pipe" and k.check) or k.kind in ("PRV", "PSV") and any(t[0] == "set" for t in self.states(k)):
            return forward  # where it may also be fixed open, nothing is claimed
        spare = self.set[j] - self.q[j] if k.kind == "FCV" else math.inf
        least = behind * max(BALANCED * self.inflow, NOTHING) + self.walls() + 2 * EPS * self.set[j]
        if forward and spare <= least and s in (ACTIVE, XFCV, OPEN):
            return False
        return not shut_position(k, s, self.set[j])

    def upstream(self, start):
        """Nodes from which water could come, and a source among them that has some."""
        seen, stack = {start}, [start]
        while stack:
            i = stack.pop()
            n = self.nodes[i]
            if n.kind == "reservoir" or (n.kind == "tank" and not self.limits(i)[1]):
                return seen, n.name
            if n.kind == "tank":
                continue
            for j in self.at[i]:
                o = sum(self.ends[j]) - i
                if o not in seen and self.passes(j, i, len(seen)):
                    seen.add(o)
                    stack.append(o)
        return seen, None

    def shares(self, short):
        """Junctions that open pipes join are served by one share; a tank beside them does not fill meanwhile."""
        by_part, done = {}, set()
        for i in short:
            if i in done or self.cut[i]:
                continue
            zone, stack = {i}, [i]
            while stack:
                a = stack.pop()
                if self.nodes[a].kind != "junction":
                    continue
                for j in self.at[a]:
                    k, o = self.links[j], sum(self.ends[j]) - a
                    if o not in zone and k.kind == "pipe" and not k.check and self.open[j]:
                        zone.add(o)
                        stack.append(o)
            done |= zone
            by_part[i] = zone
        for i, zone in by_part.items():
            for o in zone:
                n = self.nodes[o]
                w = self.wanted(n) if n.kind == "junction" else 0.0
                if w > 0:
                    balanced = max(BALANCED * self.inflow, NOTHING)
                    slack = 1e-6 + 4 * EPS + sum((balanced + self.wall(x) + abs(self.outlet(x, 2) - self.outlet(x, -2))) / self.wanted(self.nodes[x]) for x in (i, o))
                    self.broken("share", n.name, abs(self.d_fixed(o) / w - short[i]), slack, "served by another share than " + self.nodes[i].name)
                elif n.kind == "tank":
                    into = sum(self.q[j] * (1 if self.ends[j][1] == o else -1) for j in self.at[o] if sum(self.ends[j]) - o in zone)
                    # Each junction of the zone may be off its balance: at the tank it adds up.
                    self.broken("share", n.name, into, self.dq + len(zone) * max(BALANCED * self.inflow, NOTHING), "fills while its zone is not served")

    def could_open(self, i):
        """Pressure-driven demand in a part at rest: a check valve or pump from a part with water would open to it."""
        n = self.nodes[i]
        for j in self.at[i]:
            k, (a, b) = self.links[j], self.ends[j]
            if b == i and not self.cut[a] and self.passes(j, i) and not self.open[j] and self.status[j] != TEMPCLOSED:
                gain = shut_off(k, self.set[j]) if k.kind == "pump" else 0.0
                keeps = k.kind == "PSV" and self.h[a] < k.a.z + self.set[j] + self.m.htol + 2 * self.dh
                if math.isfinite(gain) and not keeps:
                    self.broken("unserved", n.name, self.h[a] + gain - (n.z + self.m.pmin), self.m.htol + 2 * self.dh, "%s could supply it" % k.name)

    # -- tanks from period to period -----------------------------------------------------------------
    def tanks(self):
        """One explicit step from a period to the next moves a volume by the inflow at its start. Where anything can have
        split the step (patterns, controls, rules, limits, a stiff tank), levels move by no more than the flows at hand can explain."""
        old, new = self.before, {"time": self.time, "h": self.h, "d": self.d, "q": self.q, "open": self.open}
        self.before = new
        if not old or not any(n.kind == "tank" for n in self.nodes):
            return
        dt = self.time - old["time"]
        if not self.one_step(old, dt):
            return
        tanks = [(i, n) for i, n in enumerate(self.nodes) if n.kind == "tank"]
        # One tank that may be stiff is moved in parts or implicitly, and all others with it.
        stiff = any(dt * self.pull(i, old) / self.area(n, self.h[i] - n.z) >= 0.5 for i, n in tanks)
        for i, n in tanks:
            v0, v1 = self.m.volume(n, old["h"][i] - n.z), self.m.volume(n, self.h[i] - n.z)
            q, area = old["d"][i], max(self.area(n, h - n.z) for h in (self.h[i], old["h"][i]))
            slack = 4 * self.dh * area + dt * (EPS * sum(abs(old["q"][j]) for j in self.at[i]) + self.dq + max(BALANCED * self.inflow, NOTHING))
            if not stiff:
                self.broken("tank step", n.name, abs(v1 - v0 - q * dt), slack, "%.6g ft3 came, its volume grew by %.6g" % (q * dt, v1 - v0))
            elif len(tanks) == 1:
                slack += LEVEL * area
                low, high = min(q * dt, 0.0), max(q * dt, 0.0)  # one stiff tank settles: towards where it started, not beyond
                self.broken("tank step", n.name, max(low - (v1 - v0), v1 - v0 - high), slack, "%.6g ft3 could come, its volume grew by %.6g" % (q * dt, v1 - v0))

    def pull(self, i, old):
        """Upper bound of how fast its inflow answers to its level, neighbours held [ft2/s]."""
        total = 0.0
        for j in self.at[i]:
            k, q = self.links[j], old["q"][j]
            if not old["open"][j]:
                continue
            if k.kind != "pipe":
                return math.inf
            d = max(1e-4 * abs(q), 1e-6)
            total += 2 * d / max(pipe_loss(self.m, k, q + d) - pipe_loss(self.m, k, q - d), 1e-300)
        return total

    def one_step(self, old, dt):
        m = self.m
        if m.has_rules or m.t["HYDRAULIC"] < dt:
            return False
        step = m.t["PATTERN"]
        if (old["time"] + m.t["PATTERN START"]) // step != (self.time - 1 + m.t["PATTERN START"]) // step:
            return False
        for k in self.links:
            for kind, at, node, _ in k.actions:
                if kind == "time" and old["time"] < at < self.time:
                    return False
                if kind == "clock" and (m.t["START"] + old["time"] - at) % 86400 + dt > 86400:
                    return False
                if kind in ("above", "below") and node.kind == "tank":
                    i = self.index[node.name]
                    a = m.volume(node, old["h"][i] - node.z)
                    ends = (a, a + old["d"][i] * dt, m.volume(node, self.h[i] - node.z))
                    slack = 2 * abs(old["d"][i]) + 4 * self.dh * self.area(node, at)
                    if min(ends) - slack <= m.volume(node, at) <= max(ends) + slack:
                        return False
        for i, n in enumerate(self.nodes):
            if n.kind == "tank":
                q = old["d"][i]
                after = m.volume(n, old["h"][i] - n.z) + q * (dt + 2)
                slack = 4 * self.dh * self.area(n, old["h"][i] - n.z)
                if q > 0 and after > m.volume(n, n.high) - slack or q < 0 and after < m.volume(n, n.low) + slack:
                    return False
        return True


def check(inp, out):
    """Faults as texts, and how many of each kind."""
    judge = Checker(Model(inp), Result(out))
    return judge.run(), judge.counts


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("inp")
    p.add_argument("out")
    p.add_argument("--most", type=int, default=20, help="lines to print")
    a = p.parse_args()
    try:
        faults, counts = check(a.inp, a.out)
    except (Refused, OSError) as e:
        print("cannot judge: %s" % e, file=sys.stderr)
        return 2
    for line in faults[: a.most]:
        print(line)
    print("%d faults%s" % (len(faults), "".join(", %s %d" % kv for kv in sorted(counts.items()))))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
