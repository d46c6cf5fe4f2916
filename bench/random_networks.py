#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""random_networks.py: does Sluice solve random networks, soundly, and as EPANET 2.3.5 does?

    bench/random_networks.py [--seeds A:B] [--keep DIRECTORY] [--focus NAME] [--jobs N] [--alone]
    bench/random_networks.py --print SEED            (writes that network to standard output)

Every seed is one small network (5 to 60 nodes), always the same one. Together they mix what .inp files can say: loops and
trees, all head-loss laws and units, pumps of every kind, all valves, tanks, patterns, emitters, leaks, pressure-driven
demands, controls and rules, odd time steps. A seed has a focus, which says what it has more of.

Each network is run by EPANET (accuracy 1e-6, 200 trials; owa-epanet, see peers.py) and by `sluice run --tanks explicit`,
EPANET's way of moving tanks; results are compared by the tolerances below, and both are judged by `sluice verify`. It is
also run by `sluice run` as it is, for tanks that are integrated implicitly; that result is judged by check_network.py too, and
its ledger must close to 1e-6 of the inflow. Every seed is put in one class; a line is
printed for those that need an explanation and --keep writes their files. The last lines count the classes.

Seeds from 100000 on are hard networks: FCV, PSV and PBV in series, zones behind flow limits, tanks within a hair of a limit or
tiny ones, pressure-driven demands, controls and rules that undo each other; from 1000000 on with all that these lack
(wide_networks.py). --alone leaves EPANET out: the checker judges.

    same       the results agree
    theirs     they differ; EPANET's is not a solution (verify says so, or EPANET itself: not balanced)
    apart      they differ, both are sound: other statuses that also fit, an event a second off, or an error of one of them
    OURS       Sluice's result is not sound, failed or crashed: exit code 1
    unbalanced Sluice itself says that steps are not balanced, and where
    refused    both refuse the file;  REFUSED: one does
"""

import argparse
import array
import collections
import concurrent.futures
import ctypes
import json
import math
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile

import check_network
import peers

# What agrees: heads to 1e-3 m or ft and 1e-4 of their range, flows to 5e-4 of the largest. EPANET's closed links leak 1e-8
# ft3/s per ft, which shows in networks that are short of water, with heads of minus a kilometre.
HEAD_ABS, HEAD_REL, FLOW_REL = 1e-3, 1e-4, 5e-4
BALANCE_REL = 1e-3  # of the volumes: a tank within a second's flow of a limit is put on it
LEDGER_REL = 1e-6  # of what comes in or, from tanks alone, goes out, with what putting tanks on limits added; or the flow that counts as none over the run
NO_FLOW = 1e-9  # [m3/s]
MANY_TRIALS = 60  # in one step, on average over the run: worth a look
FOCI = ["mixed", "valves", "pumps", "tanks", "low", "controls", "series"]
HARD_FROM = 100000  # seeds from here on are hard networks (hard_networks.py)
WIDE_FROM = 1000000  # ... and from here on with all that those lack (wide_networks.py)
HARD_FOCI = ["limits", "brim", "pressure", "chatter", "all"]

LITRES = {"CFS": 28.316847, "GPM": 0.0630902, "MGD": 43.8126, "IMGD": 52.6168, "AFD": 14.2764,
          "LPS": 1.0, "LPM": 1 / 60, "MLD": 11.574074, "CMH": 1 / 3.6, "CMD": 1 / 86.4, "CMS": 1000.0}  # fmt: skip
US = ["CFS", "GPM", "MGD", "IMGD", "AFD"]


class Network:
    """A network in litres per second, metres, millimetres, which writes itself in its own units."""

    def __init__(self, seed, focus=None):
        self.r = random.Random(seed)
        r = self.r
        self.seed = seed
        self.focus = focus or FOCI[seed % len(FOCI)]
        self.units = r.choice(list(LITRES))
        self.headloss = r.choice(["H-W", "H-W", "D-W", "C-M"])
        self.us = self.units in US
        self.gamma = r.choice([0.5, 0.5, 0.6, 1.0])
        self.lines = collections.defaultdict(list)
        self.junctions, self.fixed, self.tanks = [], [], []
        self.elevation, self.edges, self.pumps, self.valves, self.pipes = {}, [], [], [], []
        self.n_node = self.n_link = 0
        self.wide = r.choice([1, 2, 2])  # some networks are short of water, most are not
        self.pda = r.random() < (0.7 if self.focus == "low" else 0.12)
        self.step = r.choice([3600, 3600, 1800, 1000, 900, 2700, 7200, 617])
        self.duration = r.choice([0, 6, 12, 24, 24, 36, 48]) * 3600
        if self.focus in ("tanks", "controls") and self.duration == 0:
            self.duration = 24 * 3600
        self.make_patterns()
        self.make_layout()
        self.make_devices()
        self.make_outlets()
        if self.duration:
            self.make_controls()
            if r.random() < (0.5 if self.focus == "controls" else 0.15):
                self.make_rules()
        self.make_options()

    # -- units ---------------------------------------------------------------------------------------
    def q(self, litres):
        return "%.6g" % (litres / LITRES[self.units])

    def length(self, m):
        return "%.6g" % (m / 0.3048 if self.us else m)

    def bore(self, mm):
        return "%.6g" % (mm / 25.4 if self.us else mm)

    def pressure(self, m):
        return "%.6g" % (m / 0.3048 * 0.4333 if self.us else m)

    def volume(self, m3):
        return "%.6g" % (m3 / 0.3048**3 if self.us else m3)

    # -- parts ---------------------------------------------------------------------------------------
    def chance(self, often, focus, p_focus):
        return self.r.random() < (p_focus if self.focus in focus else often)

    def make_patterns(self):
        r = self.r
        for i in range(1, 4):
            n = r.choice([1, 3, 6, 12, 24])
            low = 0.0 if r.random() < 0.3 else 0.4
            self.lines["PATTERNS"].append("P%d %s" % (i, " ".join("%.3g" % r.uniform(low, 1.8) for _ in range(n))))
        self.lines["PATTERNS"].append("PH " + " ".join("%.4g" % r.uniform(0.97, 1.03) for _ in range(5)))
        self.lines["PATTERNS"].append("PS " + " ".join("%.3g" % r.choice([0, 0.8, 0.9, 1, 1, 1.1]) for _ in range(7)))

    def junction(self, elevation=None, demand=None):
        r = self.r
        self.n_node += 1
        name = "J%d" % self.n_node
        z = r.uniform(0, 35) if elevation is None else elevation
        if demand is None:
            demand = 0.0 if r.random() < 0.25 else r.uniform(0.1, 6)
            if r.random() < 0.03:
                demand = -r.uniform(0.5, 6)
        pattern = r.choice(["", "P1", "P2", "P3"])
        self.lines["JUNCTIONS"].append("%s %s %s %s" % (name, self.length(z), self.q(demand), pattern))
        self.junctions.append(name)
        self.elevation[name] = z
        return name

    def reservoir(self, head):
        self.n_node += 1
        name = "R%d" % self.n_node
        pattern = "PH" if self.r.random() < 0.2 else ""
        self.lines["RESERVOIRS"].append("%s %s %s" % (name, self.length(head), pattern))
        self.fixed.append(name)
        self.elevation[name] = head
        return name

    def tank(self, head):
        """A tank whose water stands about head."""
        r = self.r
        self.n_node += 1
        name = "T%d" % self.n_node
        low, high = r.choice([0, 0, 0.5, 2]), r.uniform(3, 9)
        level = r.choice([r.uniform(low, high), r.uniform(low, high), low, high])
        d = r.choice([2, 5, 8, 12, 20]) * r.uniform(0.7, 1.3)
        z = head - level
        curve, least, over = "*", 0.0, "YES" if r.random() < 0.15 else "NO"
        if r.random() < 0.2:
            curve = "V%d" % self.n_node
            v = 0.0
            for i in range(5):
                self.lines["CURVES"].append("%s %s %s" % (curve, self.length(i * (high + 1) / 4), self.volume(v)))
                v += r.uniform(0.3, 2.0) * d * d
        elif r.random() < 0.2:
            least = r.uniform(0, 100)
        cells = [name] + [self.length(x) for x in (z, level, low, high, d)] + [self.volume(least), curve, over]
        self.lines["TANKS"].append(" ".join(cells))
        self.tanks.append((name, low, high))
        self.elevation[name] = z
        return name

    def name_link(self):
        self.n_link += 1
        return "L%d" % self.n_link

    def pipe(self, a, b, check=None):
        r = self.r
        name = self.name_link()
        rough = {"H-W": r.uniform(70, 145), "C-M": r.uniform(0.009, 0.02), "D-W": r.uniform(0.01, 2)}[self.headloss]
        if self.headloss == "D-W" and self.us:
            rough = rough / 0.3048
        d, long = r.choice([60, 80, 100, 150, 200, 300, 400]) * self.wide, 10 ** r.uniform(1.0, 3.3)
        status = "CLOSED" if r.random() < 0.02 else "OPEN"
        if check is None:
            check = r.random() < 0.05
        loss = r.choice([0, 0, 0, r.uniform(0, 20)])
        cells = [name, a, b, self.length(long), self.bore(d), "%.5g" % rough, "%.3g" % loss, "CV" if check else status]
        self.lines["PIPES"].append(" ".join(cells))
        self.edges.append((a, b))
        if not check:
            self.pipes.append(name)
        if r.random() < 0.01:
            self.lines["LEAKAGE"].append("%s %.3g %.3g" % (name, r.uniform(1, 60), r.uniform(0, 2)))
        return name

    def pump(self, a, b, lift, flow, kind=None):
        r = self.r
        name = self.name_link()
        kind = kind or r.choice(["one", "one", "three", "custom", "power"])
        cells = [name, a, b]
        if kind == "power":
            kilowatts = max(0.1, lift * flow * 9.81e-3)
            cells += ["POWER", "%.4g" % (kilowatts / 0.7457 if self.us else kilowatts)]
        else:
            points = {
                "one": [(1, 1)],
                "three": [(0, r.uniform(1.1, 1.6)), (1, 1), (r.uniform(1.5, 2.5), r.uniform(0.0, 0.6))],
                "custom": [(0, 1.5), (0.4, 1.4), (0.9, 1.05), (1.3, 0.7), (2, 0.1)][r.choice([0, 0, 1]) :],
            }[kind]
            for x, y in points:
                self.lines["CURVES"].append("C%s %s %s" % (name, self.q(x * flow), self.length(y * lift)))
            cells += ["HEAD", "C" + name]
        if r.random() < 0.25:
            cells += ["SPEED", "%.3g" % r.uniform(0.7, 1.15)]
        if r.random() < 0.15 and kind != "power":
            cells += ["PATTERN", "PS"]
        self.lines["PUMPS"].append(" ".join(cells))
        self.pumps.append(name)
        self.edges.append((a, b))
        if r.random() < 0.08:
            self.lines["STATUS"].append("%s %s" % (name, r.choice(["CLOSED", "OPEN", "0.9"])))

    def valve(self, a, b, kind=None, bypass=False):
        """A bypassed PBV is a pump: it forces its loss on the pipe beside it, by flowing backwards. None of these."""
        r = self.r
        name = self.name_link()
        kind = kind or r.choice(["PRV", "PRV", "PSV", "FCV", "TCV", "GPV", "PCV"] + ["PBV"] * (not bypass))
        loss, extra = r.choice([0, 0, r.uniform(0, 10)]), ""
        if kind in ("PRV", "PSV"):
            setting = self.pressure(r.uniform(5, 70))
        elif kind == "FCV":
            setting = self.q(r.choice([r.uniform(0.05, 3), r.uniform(1, 30)]))
        elif kind == "PBV":
            setting = self.pressure(r.uniform(0, 15))
        elif kind == "TCV":
            setting = "%.4g" % 10 ** r.uniform(-1, 4)
        elif kind == "PCV":
            setting, loss = "%.3g" % r.uniform(0, 100), r.uniform(0.1, 10)
            if r.random() < 0.5:
                extra = "X" + name
                for x, y in ((10, 4), (50, 30), (90, 80)):
                    self.lines["CURVES"].append("%s %g %g" % (extra, x, y))
        else:
            setting = "X" + name
            for x, y in ((0, 0), (1, 0.5), (5, 2), (10, 7), (30, 40)):
                self.lines["CURVES"].append("%s %s %s" % (setting, self.q(x), self.length(y)))
        bore = self.bore(r.choice([80, 100, 150, 200, 300]))
        self.lines["VALVES"].append("%s %s %s %s %s %s %.3g %s" % (name, a, b, bore, kind, setting, loss, extra))
        self.valves.append((name, kind))
        self.edges.append((a, b))
        if r.random() < 0.1:
            self.lines["STATUS"].append("%s %s" % (name, r.choice(["OPEN", "CLOSED"])))

    def make_layout(self):
        """Junctions along a random tree, some loops, and what feeds them."""
        r = self.r
        n = r.choice([4, 6, 10, 15, 25, 45])
        near = r.choice([1, 3, 100])  # strings, bushes, stars
        first = self.junction()
        for _ in range(n - 1):
            a = r.choice(self.junctions[-near:])
            self.connect(a, self.junction())
        for _ in range(r.choice([0, 0, 1, 2, n // 4])):
            a, b = r.sample(self.junctions, 2)
            self.connect(a, b)
        self.feed(first)
        for _ in range(r.choice([0, 0, 1, 1, 2])):
            self.feed(r.choice(self.junctions))
        for _ in range(r.choice([1, 2, 3]) if self.focus == "tanks" else r.choice([0, 0, 1, 1, 2])):
            at = r.choice(self.junctions)
            tank = self.tank(r.uniform(40, 75))
            for _ in range(r.choice([1, 1, 1, 2])):
                ends = (at, tank) if r.random() < 0.5 else (tank, at)
                if self.chance(0.1, ["tanks"], 0.3):
                    r.choice([self.to_tank_valve, self.to_tank_pump, self.to_tank_check])(*ends)
                else:
                    self.pipe(*ends)
                if r.random() < 0.3:
                    at = r.choice(self.junctions)

    def to_tank_valve(self, a, b):
        self.valve(a, b, self.r.choice(["TCV", "GPV", "PCV"]))

    def to_tank_pump(self, a, b):
        self.pump(a, b, self.r.uniform(5, 40), self.r.uniform(3, 30))

    def to_tank_check(self, a, b):
        self.pipe(a, b, check=True)

    def feed(self, to):
        r = self.r
        demand = 2.5 * len(self.junctions)
        if r.random() < (0.8 if self.focus == "pumps" else 0.45):
            head = r.uniform(0, 25)
            source, between = self.reservoir(head), self.junction(r.uniform(0, 20), 0.0)
            n = r.choice([1, 1, 2, 3]) if self.focus == "pumps" else r.choice([1, 1, 2])
            same = r.choice(["one", "three", "custom", None])
            lift, flow = r.uniform(60, 90) - head, demand * r.uniform(0.5, 1.5) / n
            for _ in range(n):
                if r.random() < 0.3:  # a pump with its own check valve
                    mid = self.junction(r.uniform(0, 20), 0.0)
                    self.pump(source, mid, lift * r.uniform(0.9, 1.1), flow, same)
                    self.pipe(mid, between, check=True)
                else:
                    self.pump(source, between, lift * r.choice([1, 1, r.uniform(0.5, 1.2)]), flow, same)
            if r.random() < 0.15:
                self.pipe(source, between, check=True)  # a bypass
            self.pipe(between, to)
        else:
            head = r.uniform(8, 45) if self.focus == "low" else r.uniform(45, 90)
            self.pipe(self.reservoir(head), to)

    def connect(self, a, b):
        """A pipe, or now and then a device with pipes."""
        r = self.r
        if self.chance(0.08, ["valves", "series"], 0.3):
            c = self.junction(None, r.choice([0.0, None]))
            self.pipe(a, c)
            if self.focus == "series" and r.random() < 0.6:
                d = self.junction(None, r.choice([0.0, 0.0, None]))
                self.valve(c, d)
                if r.random() < 0.4:
                    self.pipe(d, d2 := self.junction(None, 0.0))
                    d = d2
                self.valve(d, b)
            else:
                bypass = r.random() < 0.25
                ends = (c, b) if r.random() < 0.7 else (b, c)
                self.valve(*ends, bypass=bypass)
                if bypass and r.random() < 0.5:
                    self.pipe(c, b)
                elif bypass:
                    self.valve(c, b, bypass=True)
        elif self.chance(0.03, ["pumps"], 0.12):
            self.pump(a, b, r.uniform(3, 35), r.uniform(2, 30))
            if r.random() < 0.4:
                self.pipe(a, b, check=r.random() < 0.7)
        else:
            self.pipe(a, b)

    def make_devices(self):
        r = self.r
        if r.random() < 0.2:  # parallel pipes and double links
            a, b = r.choice(self.edges)
            self.pipe(a, b)

    def make_outlets(self):
        r = self.r
        if self.chance(0.12, ["low"], 0.5):
            for name in r.sample(self.junctions, min(len(self.junctions), r.choice([1, 2, 5]))):
                per_m = r.uniform(0.05, 2) / 30**self.gamma
                self.lines["EMITTERS"].append("%s %s" % (name, self.q(per_m * ((0.3048 / 0.4333) ** self.gamma if self.us else 1))))
        if self.chance(0.08, ["low"], 0.25):
            for name in r.sample(self.pipes, min(len(self.pipes), r.choice([1, 3, 10]))):
                self.lines["LEAKAGE"].append("%s %.3g %.3g" % (name, r.uniform(1, 60), r.uniform(0, 2)))

    # -- controls ------------------------------------------------------------------------------------
    def action(self):
        """A link and something to do with it; CV and GPV take no numbers."""
        r = self.r
        kinds = [k for k in ("pump", "valve", "pipe") if {"pump": self.pumps, "valve": self.valves, "pipe": self.pipes}[k]]
        kind = r.choice(kinds)
        if kind == "pump":
            return r.choice(self.pumps), r.choice(["OPEN", "CLOSED", "OPEN", "CLOSED", "0.9", "1.05", "0"])
        if kind == "pipe":
            return r.choice(self.pipes), r.choice(["OPEN", "CLOSED"])
        name, what = r.choice(self.valves)
        value = {"PRV": self.pressure(r.uniform(10, 60)), "PSV": self.pressure(r.uniform(10, 60)),
                 "PBV": self.pressure(r.uniform(1, 10)), "FCV": self.q(r.uniform(0.5, 20)),
                 "TCV": "%.4g" % r.uniform(1, 500), "PCV": "%.3g" % r.uniform(1, 100), "GPV": "OPEN"}[what]  # fmt: skip
        return name, r.choice(["OPEN", "CLOSED", value, value])

    def make_controls(self):
        r = self.r
        for _ in range(r.choice([1, 2, 4, 6]) if self.focus == "controls" else r.choice([0, 0, 0, 1, 2])):
            kinds = ["time", "clock", "pressure"] + ["level"] * (3 if self.tanks else 0)
            kind = r.choice(kinds)
            link, value = self.action()
            other = {"OPEN": "CLOSED", "CLOSED": "OPEN"}.get(value)
            if kind == "time":
                self.control(link, value, "AT TIME %g" % (r.randint(0, 40 * 4) / 4))
            elif kind == "clock":
                self.control(link, value, "AT CLOCKTIME %d %s" % (r.randint(1, 12), r.choice(["AM", "PM"])))
            elif kind == "level":
                tank, low, high = r.choice(self.tanks)
                a, b = sorted((r.uniform(low, high), r.uniform(low, high)))
                up = r.random() < 0.5
                self.control(link, value, "IF NODE %s %s %s" % (tank, "ABOVE" if up else "BELOW", self.length(b if up else a)))
                if other and r.random() < 0.8:
                    self.control(link, other, "IF NODE %s %s %s" % (tank, "BELOW" if up else "ABOVE", self.length(a if up else b)))
            else:
                node, p, up = r.choice(self.junctions), r.uniform(5, 60), r.random() < 0.5
                self.control(link, value, "IF NODE %s %s %s" % (node, "ABOVE" if up else "BELOW", self.pressure(p)))
                if other and r.random() < 0.5:
                    self.control(link, other, "IF NODE %s %s %s" % (node, "BELOW" if up else "ABOVE", self.pressure(p + r.choice([-10, 10, 0]))))

    def control(self, link, value, when):
        self.lines["CONTROLS"].append("LINK %s %s %s" % (link, value, when))

    def premise(self):
        r = self.r
        kinds = ["time", "clock", "pressure", "head"] + ["flow"] * bool(self.pipes) + ["status", "demand"]
        kind = r.choice(kinds + ["level", "level", "fill"] * bool(self.tanks))
        sign = r.choice(["<", ">", "<=", ">=", "BELOW", "ABOVE"])
        if kind == "time":
            return "SYSTEM TIME %s %g" % (r.choice(["<", ">=", "="]), r.randint(0, 100) / 4)
        if kind == "clock":
            return "SYSTEM CLOCKTIME %s %d %s" % (r.choice(["<", ">=", "="]), r.randint(1, 12), r.choice(["AM", "PM"]))
        if kind == "pressure":
            return "JUNCTION %s PRESSURE %s %s" % (r.choice(self.junctions), sign, self.pressure(r.uniform(5, 60)))
        if kind == "head":
            return "NODE %s HEAD %s %s" % (r.choice(self.junctions), sign, self.length(r.uniform(20, 80)))
        if kind == "flow":
            return "LINK %s FLOW %s %s" % (r.choice(self.pipes), sign, self.q(r.uniform(0, 10)))
        if kind == "demand":
            return "SYSTEM DEMAND %s %s" % (sign, self.q(r.uniform(0, 2.5 * len(self.junctions))))
        if kind == "status":
            return "LINK %s STATUS %s %s" % (self.action()[0], r.choice(["IS", "NOT"]), r.choice(["OPEN", "CLOSED"]))
        tank, low, high = r.choice(self.tanks)
        if kind == "fill":
            return "TANK %s %s %s %.3g" % (tank, r.choice(["FILLTIME", "DRAINTIME"]), sign, r.uniform(0.5, 10))
        return "TANK %s LEVEL %s %s" % (tank, sign, self.length(r.uniform(low, high)))

    def make_rules(self):
        r = self.r
        out = self.lines["RULES"]
        for i in range(r.choice([1, 2, 4])):
            out.append("RULE r%d" % i)
            out.append("IF " + self.premise())
            for _ in range(r.choice([0, 0, 1, 2])):
                out.append(r.choice(["AND ", "AND ", "OR "]) + self.premise())
            link, value = self.action()
            for word in ("THEN", "AND") if r.random() < 0.3 else ("THEN",):
                out.append("%s LINK %s %s IS %s" % (word, link, "STATUS" if value.isalpha() else "SETTING", value))
                link, value = self.action()
            if r.random() < 0.5:
                out.append("ELSE LINK %s %s IS %s" % (link, "STATUS" if value.isalpha() else "SETTING", value))
            if r.random() < 0.5:
                out.append("PRIORITY %d" % r.randint(1, 5))

    def make_options(self):
        r = self.r
        o, t = self.lines["OPTIONS"], self.lines["TIMES"]
        o += ["UNITS " + self.units, "HEADLOSS " + self.headloss, "TRIALS 200", "ACCURACY 0.00001", "UNBALANCED CONTINUE 10"]
        o += ["EMITTER EXPONENT %g" % self.gamma, "DEMAND MULTIPLIER %.3g" % r.choice([1, 1, 1, 0.5, 1.5])]
        if r.random() < 0.2:
            o.append("PATTERN " + r.choice(["P1", "P2"]))
        if r.random() < 0.2:
            o.append("BACKFLOW ALLOWED NO")
        if self.pda:
            low = r.choice([0, 0, 5])
            o += ["DEMAND MODEL PDA", "MINIMUM PRESSURE " + self.pressure(low)]
            o += ["REQUIRED PRESSURE " + self.pressure(low + r.choice([1, 10, 25])), "PRESSURE EXPONENT %g" % r.choice([0.5, 0.5, 1, 0.7])]
        t += ["DURATION %g SEC" % self.duration, "HYDRAULIC TIMESTEP %d SEC" % self.step]
        t += ["PATTERN TIMESTEP %d SEC" % r.choice([3600, 7200, 5400]), "REPORT TIMESTEP %d SEC" % r.choice([3600, 3600, 1800, 5000])]
        # EPANET counts the time to the next period of patterns without PATTERN START and so steps over it: none here.
        t += ["PATTERN START 0", "START CLOCKTIME %d AM" % r.choice([12, 12, 6])]
        if self.lines["RULES"]:
            t.append("RULE TIMESTEP %d SEC" % r.choice([360, 300, 60, 617]))

    def text(self):
        order = "JUNCTIONS RESERVOIRS TANKS PIPES PUMPS VALVES DEMANDS EMITTERS LEAKAGE STATUS PATTERNS CURVES CONTROLS RULES OPTIONS TIMES"
        out = ["[TITLE]", "random network %d, focus %s" % (self.seed, self.focus), ""]
        for section in order.split():
            if self.lines[section]:
                out += ["[%s]" % section] + self.lines[section] + [""]
        return "\n".join(out + ["[END]", ""])


def network(seed, focus=None):
    if seed < HARD_FROM:
        return Network(seed, focus)
    import hard_networks  # they build on this file
    import wide_networks

    return (hard_networks.Hard if seed < WIDE_FROM else wide_networks.Wide)(seed, focus)


# ---- Running --------------------------------------------------------------------------------------


def run_epanet(inp, out):
    """EPANET's error or warning code, 200 for a file it refuses, in a process of its own, which may crash or hang."""
    pid = os.fork()
    if pid == 0:
        signal.alarm(20)
        os.chdir(os.path.dirname(os.path.abspath(out)))  # its scratch files
        lib = ctypes.CDLL(peers.epanet_library())
        ph = ctypes.c_void_p()
        lib.EN_createproject(ctypes.byref(ph))
        code = lib.EN_open(ph, inp.encode(), (out + ".rpt").encode(), out.encode())
        if code > 100:
            os._exit(200)
        lib.EN_setoption(ph, 1, ctypes.c_double(1e-6))  # accuracy
        code = lib.EN_solveH(ph)
        if code <= 100:
            lib.EN_saveH(ph)
        lib.EN_close(ph)
        os._exit(code if code < 100 else 100 + code % 100)
    _, status = os.waitpid(pid, 0)
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 255


def their_file(inp):
    """EPANET 2.3.5 takes a pump's POWER in kW for one in hp and converts it again: 1/0.7457 of what the file says and
    of what 2.2 made of it. It gets a file in which that is undone."""
    with open(inp) as f:
        words = [line.split(" ") for line in f]
    if any(w[0] == "UNITS" and w[1].strip() in US for w in words):
        return inp
    for w in words:
        if "POWER" in w[:4]:
            w[4] = "%.9g" % (float(w[4]) * 0.7457) + ("\n" if w[4].endswith("\n") else "")
    path = inp.replace(".inp", ".ep.inp")
    with open(path, "w") as f:
        f.writelines(" ".join(w) for w in words)
    return path


def read_out(path):
    """[(time, heads, flows, closed)], node ids, link ids, ends of links, tanks of an EPANET result."""
    with open(path, "rb") as f:
        data = f.read()
    v = struct.unpack_from("<15i", data)
    n, nt, m, pumps, start, step = v[2], v[3], v[4], v[5], v[12], v[13]
    at = 60 + 240 + 520 + 64
    names = [data[at + 32 * i : at + 32 * i + 32].split(b"\0")[0].decode() for i in range(n + m)]
    at += 32 * (n + m)
    ends = struct.unpack_from("<%di" % (2 * m), data, at)
    tanks = struct.unpack_from("<%di" % nt, data, at + 12 * m)
    at += 12 * m + 8 * nt + 4 * n + 8 * m + 28 * pumps + 4
    periods, size = [], 4 * n + 8 * m
    for i in range(struct.unpack_from("<i", data, len(data) - 12)[0]):
        x = array.array("f", data[at + 4 * i * size : at + 4 * (i + 1) * size])
        periods.append((start + i * step, x[n : 2 * n], x[4 * n : 4 * n + m], [s <= 2 for s in x[4 * n + 4 * m : 4 * n + 5 * m]]))
    return periods, names[:n], names[n:], list(zip(ends[:m], ends[m:])), tanks


def supplied(n, ends, tanks, closed):
    """Nodes (from 1) with an open way to a tank or reservoir: the heads of others mean nothing."""
    reached = [False] * (n + 1)
    for t in tanks:
        reached[t] = True
    again = True
    while again:
        again = False
        for (a, b), shut in zip(ends, closed):
            if not shut and reached[a] != reached[b]:
                reached[a] = reached[b] = again = True
    return reached


def first_difference(ours, theirs):
    """Where two results first differ, as text; "" when they do not."""
    a, nodes, links, ends, tanks = read_out(theirs)
    b = read_out(ours)[0]
    largest = max((abs(q) for p in a for q in p[2]), default=0)
    heads = [h for p in a for h in p[1] if abs(h) < 1e5]
    head_tol = HEAD_ABS + HEAD_REL * (max(heads) - min(heads)) if heads else HEAD_ABS
    for pa, pb in zip(a, b):
        worst, what = 1.0, ""
        for i, name in enumerate(links):
            over = abs(pa[2][i] - pb[2][i]) / (FLOW_REL * largest + 1e-12)
            if pa[3][i] != pb[3][i] and over <= 1:
                continue  # closed, or open without flow: seen at the heads, if it matters
            if not over <= worst:
                worst, what = over, "flow of %s: theirs %.6g, ours %.6g" % (name, pa[2][i], pb[2][i])
        if not what:
            reached = supplied(len(nodes), ends, tanks, pb[3])
            for i, name in enumerate(nodes):
                if not reached[i + 1]:
                    continue
                over = abs(pa[1][i] - pb[1][i]) / head_tol
                if not over <= worst:
                    worst, what = over, "head of %s: theirs %.6g, ours %.6g" % (name, pa[1][i], pb[1][i])
        if what:
            return "at %d s, %s" % (pa[0], what)
    return "" if len(a) == len(b) else "%d and %d periods" % (len(a), len(b))


def verdict_of(sluice, inp, out):
    """'' for a sound result, else the checks that failed."""
    run = subprocess.run([sluice, "verify", "--json", inp, out], capture_output=True, text=True, timeout=60)
    try:
        report = json.loads(run.stdout)
    except ValueError:
        return "verify exit %d" % run.returncode
    bad = [c["check"] for c in report["checks"] if c["violated"]]
    return "" if report["consistent"] else ",".join(bad)


def run_ours(sluice, inp, out, *more):
    """(exit code, balance, trials per step, worst)."""
    try:
        run = subprocess.run([sluice, "run", "--json", inp, "-o", out, *more], capture_output=True, text=True, timeout=30)
    except subprocess.TimeoutExpired:
        return -99, {}
    try:
        return run.returncode, json.loads(run.stdout)
    except ValueError:
        return run.returncode, {}


def judge(job):
    seed, focus, sluice, folder, alone = job
    net = network(seed, focus)
    base = os.path.join(folder, "n%d" % seed)
    inp, ep, us, auto = base + ".inp", base + ".ep.out", base + ".out", base + ".auto.out"
    with open(inp, "w") as f:
        f.write(net.text())
    facts = [getattr(net, "hard", net.focus)]
    if alone:
        return judge_alone(seed, net, sluice, inp, us, facts)
    their_code = run_epanet(their_file(inp), ep)
    our_code, report = run_ours(sluice, inp, us, "--tanks", "explicit")
    auto_code, auto_report = run_ours(sluice, inp, auto)
    if our_code == 2 or their_code == 200:
        # EPANET 2.3.5 overlooks valves that must not meet when they are on lines that follow each other.
        both = our_code == 2 and (their_code == 200 or "valve-place" in json.dumps(report))
        return seed, "refused" if both else "REFUSED", facts + ["theirs %d, ours %d" % (their_code, our_code)]
    if our_code < 0 or not os.path.exists(us) or auto_code < 0:
        return seed, "OURS", facts + ["exit %d, implicit %d" % (our_code, auto_code)]
    problems = []
    for code, rep, out, how in ((our_code, report, us, ""), (auto_code, auto_report, auto, "implicit ")):
        bad = verdict_of(sluice, inp, out)
        if code not in (0, 1):  # 1: a limit is broken, such as that of demands that nothing serves
            problems.append("%sexit %d%s" % (how, code, unbalanced_of(rep)))
        if bad:
            problems.append("%sunsound: %s" % (how, bad))
        s = rep.get("summary", {})
        if s and abs(lost_of(s["balance"])) > BALANCE_REL:
            problems.append("%slost %.2g of the water" % (how, lost_of(s["balance"])))
        if s and s["trials"] > MANY_TRIALS * (s["steps"] + 1):
            problems.append("%s%d trials in %d steps" % (how, s["trials"], s["steps"]))
    if auto_report.get("summary") and not auto_report["summary"]["residuals"]["unbalanced"]:
        problems += checked(inp, auto, auto_report["summary"], net.duration)
    if their_code >= 100:
        theirs_bad = different = "failed, %d" % their_code
    else:
        theirs_bad = {1: "not balanced", 2: "unstable"}.get(their_code) or verdict_of(sluice, inp, ep)
        different = first_difference(us, ep)
    if theirs_bad:
        facts.append("EPANET: " + theirs_bad)
    if different:
        facts.append(different)
    kind = "OURS" if problems else "same" if not different else "theirs" if theirs_bad else "apart"
    return seed, kind, problems + facts


def judge_alone(seed, net, sluice, inp, out, facts):
    """By the checker, the verifier and the ledger."""
    code, report = run_ours(sluice, inp, out)
    s = report.get("summary", {})
    if code == 2:
        return seed, "refused", facts
    if code not in (0, 1, 3) or not s or not os.path.exists(out):
        return seed, "OURS", facts + ["exit %d" % code]
    if s["residuals"]["unbalanced"]:
        cause = next((m["text"] for m in report.get("messages", []) if m["code"] == "not-balanced"), "")
        return seed, "unbalanced", facts + [unbalanced_of(report)[2:], cause]
    problems = checked(inp, out, s, net.duration)
    bad = verdict_of(sluice, inp, out)
    if bad:
        problems.append("verify: " + bad)
    return seed, "OURS" if problems else "sound", problems + facts


def checked(inp, out, summary, duration):
    """What the checker and the ledger of a balanced run say against it."""
    faults, counts = check_network.check(inp, out)
    problems = ["checker: %s, first: %s" % (", ".join("%s %d" % kv for kv in counts.items()), faults[0])] if faults else []
    b = summary["balance"]
    lost = b["inflow_m3"] + b["rounded_m3"] - b["outflow_m3"] - b["storage_m3"]
    if not abs(lost) <= max(LEDGER_REL * max(b["inflow_m3"], b["outflow_m3"]), NO_FLOW * max(duration, 3600)):
        problems.append("ledger off by %.2g m3 of %.3g" % (lost, b["inflow_m3"]))
    return problems


def lost_of(b):
    """Share of the water that came from nowhere (negative) or went there."""
    size = max(b["inflow_m3"], b["outflow_m3"], abs(b["storage_m3"]))
    return (b["inflow_m3"] - b["outflow_m3"] - b["storage_m3"]) / size if size > 1e-3 else 0.0


def unbalanced_of(report):
    r = report.get("summary", {}).get("residuals", {})
    return ", %d unbalanced, first at %s s" % (r["unbalanced"], r["first_unbalanced_s"]) if r.get("unbalanced") else ""


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--seeds", default="0:500")
    p.add_argument("--focus", choices=FOCI + HARD_FOCI)
    p.add_argument("--keep", help="keep the files of all that need an explanation here")
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--alone", action="store_true", help="without EPANET")
    p.add_argument("--print", type=int, metavar="SEED")
    a = p.parse_args()
    if a.print is not None:
        sys.stdout.write(network(a.print, a.focus).text())
        return 0
    sluice = peers.sluice_program()
    if not a.alone:
        peers.epanet_library()
    first, last = (int(x) for x in a.seeds.split(":"))
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        with concurrent.futures.ProcessPoolExecutor(a.jobs) as pool:
            jobs = [(seed, a.focus, sluice, folder, a.alone) for seed in range(first, last)]
            for seed, kind, facts in pool.map(judge, jobs, chunksize=4):
                counts[kind] += 1
                keep = kind in ("apart", "OURS", "REFUSED", "theirs", "unbalanced")
                if keep:
                    print("%-10s %d  %s" % (kind, seed, "; ".join(facts)), flush=True)
                for f in [f for f in os.listdir(folder) if f.startswith("n%d." % seed)]:
                    path = os.path.join(folder, f)
                    if keep and a.keep:
                        os.makedirs(a.keep, exist_ok=True)
                        os.replace(path, os.path.join(a.keep, f))
                    else:
                        os.remove(path)
    print(", ".join("%s %d" % kv for kv in sorted(counts.items())))
    return 1 if counts["OURS"] or counts["REFUSED"] else 0


if __name__ == "__main__":
    sys.exit(main())
