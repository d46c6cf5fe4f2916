# SPDX-License-Identifier: MIT
"""check_model.py: an .inp file and an .out file as the checker (check_network.py) needs them.

A reader of its own: it shares nothing with the sources of Sluice, so that an error there cannot hide itself. Everything is
turned into feet and cubic feet per second by EPANET's published factors, because the laws of an .inp file are stated in them.
Read are the sections that decide hydraulics; a file that is not plain .inp text of EPANET 2.2 or 2.3 is refused.
"""

import array
import shlex
import struct

PER_CFS = {"CFS": 1.0, "GPM": 448.831, "MGD": 0.64632, "IMGD": 0.5382, "AFD": 1.9837, "LPS": 28.317, "LPM": 1699.0,
           "MLD": 2.4466, "CMH": 101.94, "CMD": 2446.6, "CMS": 0.028317}  # fmt: skip
US = ("CFS", "GPM", "MGD", "IMGD", "AFD")
PRESSURES = {"PSI": 0.4333, "KPA": 6.895 * 0.4333, "BAR": 0.068948 * 0.4333, "METERS": 0.3048, "FEET": 1.0}
SECTIONS = ("JUNC", "RESE", "TANK", "PIPE", "PUMP", "VALV", "EMIT", "LEAK", "DEMA", "STAT", "PATT", "CURV", "CONT", "RULE",
            "OPTI", "TIME")  # fmt: skip
VALVES = ("PRV", "PSV", "PBV", "FCV", "TCV", "GPV", "PCV")


class Refused(Exception):
    pass


def seconds(words):
    """A time of [TIMES] or a control: hours, H:M[:S], a number with a unit, a clock with AM or PM."""
    text, unit = words[0], words[1].upper() if len(words) > 1 else ""
    if ":" in text:
        parts = [float(x) for x in text.split(":")] + [0.0, 0.0]
        value = 3600 * parts[0] + 60 * parts[1] + parts[2]
    else:
        scale = {"SEC": 1, "MIN": 60, "HOU": 3600, "DAY": 86400}.get(unit[:3], 3600)
        value = float(text) * scale
    if unit in ("AM", "PM"):
        value = value % 43200 + (43200 if unit == "PM" else 0)
    return round(value)


class Node:
    def __init__(self, name, elevation):
        self.name, self.z = name, elevation
        self.kind = "junction"
        self.demands = []  # (base [cfs], pattern or None)
        self.emitter = self.leak_area = self.leak_growth = 0.0
        self.pattern = None


class Link:
    def __init__(self, name, kind, a, b):
        self.name, self.kind, self.a, self.b = name, kind, a, b
        self.d = self.minor = self.length = self.rough = 0.0
        self.check = False
        self.curve = self.power = self.pattern = None
        self.state = ("open", None)  # what the file starts it with: open, closed or set, and the setting
        self.actions = []  # (kind, threshold, node, state) of controls in the order of the file
        self.rule_states = []


class Model:
    """The .inp file, in ft and ft3/s."""

    def __init__(self, path):
        with open(path, encoding="latin-1") as f:
            self.lines = split_sections(f.read())
        self.nodes, self.links, self.curves, self.patterns = {}, {}, {}, {}
        self.options()
        self.times()
        self.series("PATT", self.patterns, lambda w: [float(x) for x in w[1:]])
        self.series("CURV", self.curves, lambda w: [(float(w[i]), float(w[i + 1])) for i in range(1, len(w) - 1, 2)])
        self.read_nodes()
        self.read_links()
        self.read_controls()
        self.has_rules = bool(self.lines["RULE"])

    # -- options -------------------------------------------------------------------------------------
    def options(self):
        o = {"UNITS": "GPM", "HEADLOSS": "H-W", "GRAVITY": 1.0, "VISCOSITY": 1.0, "MULTIPLIER": 1.0, "EXPONENT": 0.5,
             "MODEL": "DDA", "PMIN": 0.0, "PREQ": 0.1, "PEXP": 0.5, "BACKFLOW": True, "PATTERN": "1", "PRESSURE": None,
             "HTOL": 0.0005, "QTOL": 0.0001}  # fmt: skip
        for w in self.lines["OPTI"]:
            u = [x.upper() for x in w]
            if u[0] in ("UNITS", "FLOW"):
                o["UNITS"] = u[-1]
            elif u[0] == "HEADLOSS":
                o["HEADLOSS"] = u[1]
            elif u[0] == "SPECIFIC":
                o["GRAVITY"] = float(w[-1])
            elif u[0] == "VISCOSITY":
                o["VISCOSITY"] = float(w[1])
            elif u[0] == "DEMAND" and u[1].startswith("MULT"):
                o["MULTIPLIER"] = float(w[2])
            elif u[0] == "DEMAND" and u[1] == "MODEL":
                o["MODEL"] = u[2]
            elif u[0] == "EMITTER" and u[1].startswith("EXP"):
                o["EXPONENT"] = float(w[2])
            elif u[0] in ("BACKFLOW", "EMITTER"):
                o["BACKFLOW"] = u[-1] == "YES"
            elif u[0] == "PATTERN":
                o["PATTERN"] = w[1] if len(w) > 1 else ""
            elif u[0] == "PRESSURE" and u[1].startswith("EXP"):
                o["PEXP"] = float(w[2])
            elif u[0] == "PRESSURE":
                o["PRESSURE"] = next((k for k in PRESSURES if k[:3] == u[-1][:3]), None)
            elif u[0] == "MINIMUM":
                o["PMIN"] = float(w[-1])
            elif u[0] == "REQUIRED":
                o["PREQ"] = float(w[-1])
            elif u[0] in ("HTOL", "QTOL"):
                o[u[0]] = float(w[1])
        o["UNITS"] = {"SI": "LPS"}.get(o["UNITS"], o["UNITS"])
        if o["UNITS"] not in PER_CFS:
            raise Refused("unknown units " + o["UNITS"])
        self.o, self.us = o, o["UNITS"] in US
        self.flow = PER_CFS[o["UNITS"]]  # of the file per ft3/s
        self.foot = 1.0 if self.us else 0.3048  # of the file per ft
        self.inch = 12.0 if self.us else 304.8
        word = o["PRESSURE"] or ("PSI" if self.us else "METERS")
        self.pressure = PRESSURES[word] * (o["GRAVITY"] if word in ("PSI", "KPA", "BAR") else 1.0)
        self.law = o["HEADLOSS"][0]
        v = o["VISCOSITY"]
        self.viscosity = v * 1.1e-5 if v > 1e-3 else v / self.foot**2
        self.htol, self.qtol = o["HTOL"], o["QTOL"]  # ft and ft3/s in every file
        self.pda = o["MODEL"] == "PDA"
        self.pmin = o["PMIN"] / self.pressure
        # At least a tenth of a unit between the two.
        self.preq = (o["PREQ"] if o["PREQ"] - o["PMIN"] >= 0.1 else o["PMIN"] + 0.1) / self.pressure

    def times(self):
        t = {"DURATION": 0, "HYDRAULIC": 3600, "PATTERN": 3600, "REPORT": 3600, "PATTERN START": 0, "START": 0, "RULE": 0}
        for w in self.lines["TIME"]:
            u = [x.upper() for x in w]
            if u[0] == "DURATION":
                t["DURATION"] = seconds(w[1:])
            elif u[0] == "HYDRAULIC":
                t["HYDRAULIC"] = seconds(w[2:])
            elif u[0] == "PATTERN":
                t["PATTERN START" if u[1] == "START" else "PATTERN"] = seconds(w[2:])
            elif u[0] == "REPORT" and u[1] != "START":
                t["REPORT"] = seconds(w[2:])
            elif u[0] == "START":
                t["START"] = seconds(w[2:])
        self.t = t

    def series(self, section, into, of):
        for w in self.lines[section]:
            into.setdefault(w[0], []).extend(of(w))

    def factor(self, pattern, time):
        """Of a pattern by name; None is no pattern."""
        p = self.patterns.get(pattern)
        if not p:
            return 1.0
        return p[int((time + self.t["PATTERN START"]) // self.t["PATTERN"]) % len(p)]

    def head_curve(self, name, x_unit, y_unit):
        if name not in self.curves:
            raise Refused("no curve " + name)
        return [(x / x_unit, y / y_unit) for x, y in self.curves[name]]

    # -- nodes ---------------------------------------------------------------------------------------
    def read_nodes(self):
        default = self.o["PATTERN"]
        for w in self.lines["JUNC"]:
            n = self.nodes[w[0]] = Node(w[0], float(w[1]) / self.foot if len(w) > 1 else 0.0)
            n.demands = [(float(w[2]) / self.flow if len(w) > 2 else 0.0, w[3] if len(w) > 3 else default)]
        for w in self.lines["RESE"]:
            self.reservoir(w)
        for w in self.lines["TANK"]:
            if len(w) <= 3 or float(w[5]) == 0.0:
                self.reservoir(w)
                continue
            n = self.nodes[w[0]] = Node(w[0], float(w[1]) / self.foot)
            n.kind = "tank"
            n.start, n.low, n.high, d = (float(x) / self.foot for x in w[2:6])
            n.area = 3.14159265358979 / 4 * d * d
            least = float(w[6]) / self.foot**3 if len(w) > 6 else 0.0
            n.curve = None
            if len(w) > 7 and w[7] != "*":
                n.curve = self.head_curve(w[7], self.foot, self.cubic())
            elif self.us is False and least:
                least = float(w[6]) / self.cubic()
            n.least = least if least > 0 else n.area * n.low
            n.overflow = len(w) > 8 and w[8].upper() == "YES"
        first = set()
        for w in self.lines["DEMA"]:
            if w[0].upper() == "MULTIPLY":
                self.o["MULTIPLIER"] = float(w[1])
                continue
            n = self.node(w[0])
            if w[0] not in first:
                first.add(w[0])
                n.demands = []
            n.demands.append((float(w[1]) / self.flow, w[2] if len(w) > 2 else default))
        p = 0.4333 * self.o["GRAVITY"] if self.us else 0.3048  # an emitter's pressure is psi or m by the flow unit
        for w in self.lines["EMIT"]:
            self.node(w[0]).emitter = float(w[1]) / self.flow * p ** self.o["EXPONENT"]

    def cubic(self):
        return 1.0 if self.us else 0.028317

    def reservoir(self, w):
        n = self.nodes[w[0]] = Node(w[0], float(w[1]) / self.foot)
        n.kind = "reservoir"
        n.pattern = w[2] if len(w) > 2 and w[2] != "*" else None

    def node(self, name):
        if name not in self.nodes:
            raise Refused("no node " + name)
        return self.nodes[name]

    def volume(self, tank, level):
        """ft3 at a level; differences only."""
        if tank.curve:
            return along(tank.curve, level)
        return tank.least + tank.area * (level - tank.low)

    # -- links ---------------------------------------------------------------------------------------
    def link(self, name):
        if name not in self.links:
            raise Refused("no link " + name)
        return self.links[name]

    def read_links(self):
        for w in self.lines["PIPE"]:
            k = self.links[w[0]] = Link(w[0], "pipe", self.node(w[1]), self.node(w[2]))
            k.length, k.d, k.rough = float(w[3]) / self.foot, float(w[4]) / self.inch, float(w[5])
            if self.law == "D":
                k.rough = k.rough / 1000 / self.foot
            for x in w[6:]:
                if x.upper() in ("OPEN", "CLOSED", "CV"):
                    k.check = x.upper() == "CV"
                    k.state = ("closed" if x.upper() == "CLOSED" else "open", None)
                else:
                    k.minor = float(x)
        for w in self.lines["PUMP"]:
            self.pump(w)
        for w in self.lines["VALV"]:
            self.valve(w)
        for w in self.lines["STAT"]:
            k = self.link(w[0])
            if not k.check:
                k.state = self.state(k, w[1])
        for w in {w[0]: w for w in self.lines["LEAK"]}.values():  # of two lines the last counts
            self.leak(self.link(w[0]), float(w[1]), float(w[2]))

    def pump(self, w):
        k = self.links[w[0]] = Link(w[0], "pump", self.node(w[1]), self.node(w[2]))
        k.state = ("open", 1.0)
        u = [x.upper() for x in w]
        if u[3] not in ("HEAD", "POWER", "SPEED", "PATTERN"):
            raise Refused("pump %s is written in the form of EPANET 1" % w[0])
        for i in range(3, len(w) - 1, 2):
            if u[i] == "HEAD":
                k.curve = self.head_curve(w[i + 1], self.flow, self.foot)
            elif u[i] == "POWER":
                k.power = float(w[i + 1]) / (1.0 if self.us else 0.7457)
            elif u[i] == "SPEED":
                k.state = ("open", float(w[i + 1])) if float(w[i + 1]) > 0 else ("closed", 0.0)
            elif u[i] == "PATTERN":
                k.pattern = w[i + 1]

    def valve(self, w):
        kind = w[4].upper()
        if kind not in VALVES:
            raise Refused("valve %s is of no known kind" % w[0])
        k = self.links[w[0]] = Link(w[0], kind, self.node(w[1]), self.node(w[2]))
        k.d, k.minor = float(w[3]) / self.inch, float(w[6]) if len(w) > 6 else 0.0
        if kind == "GPV":
            k.curve = self.head_curve(w[5], self.flow, self.foot)
            k.state = ("set", None)
        else:
            k.state = self.state(k, w[5])
        if kind == "PCV" and len(w) > 7:
            k.curve = self.curves.get(w[7])

    def state(self, k, word):
        """What [STATUS], a control or a rule makes of a link: open, closed, or set to a number [ft, ft3/s, -]."""
        u = word.upper()
        if u in ("OPEN", "CLOSED", "ACTIVE"):
            if k.kind == "pump":
                return ("open", 1.0) if u == "OPEN" else ("closed", 0.0)
            if u == "OPEN" and k.kind == "GPV":
                return ("set", None)
            return ({"OPEN": "open", "CLOSED": "closed", "ACTIVE": "set"}[u], None)
        x = float(word)
        if k.kind == "pump":
            return ("open", x) if x > 0 else ("closed", 0.0)
        if k.kind == "pipe":
            return ("open" if x else "closed", None)
        unit = {"PRV": self.pressure, "PSV": self.pressure, "PBV": self.pressure, "FCV": self.flow}.get(k.kind, 1.0)
        return ("set", x / unit)

    def leak(self, k, area, growth):
        """mm2 per 100 units of length, and mm2 per unit of head and 100 units of length: half at each junction."""
        ends = [n for n in (k.a, k.b) if n.kind == "junction"]
        mm2 = 1e-6 / 0.3048**2
        for n in ends:
            share = k.length * self.foot / 100 * mm2 / len(ends)
            n.leak_area += area * share
            n.leak_growth += growth * share * 0.3048  # per metre of head in every file

    # -- controls ------------------------------------------------------------------------------------
    def read_controls(self):
        for w in self.lines["CONT"]:
            u = [x.upper() for x in w]
            k, state = self.link(w[1]), None
            state = self.state(k, w[2])
            if u[3] == "AT" and u[4] == "TIME":
                k.actions.append(("time", seconds(w[5:]), None, state))
            elif u[3] == "AT":
                k.actions.append(("clock", seconds(w[5:]), None, state))
            else:
                n = self.node(w[5])
                level = n.kind != "junction"
                value = float(w[7]) / (self.foot if level else self.pressure)
                k.actions.append((u[6].lower(), value, n, state))
        for w in self.lines["RULE"]:
            u = [x.upper() for x in w]
            if u[0] in ("THEN", "ELSE", "AND") and len(w) == 6 and u[4] in ("=", "IS") and u[3] in ("STATUS", "SETTING"):
                if w[2] in self.links and u[1] in ("LINK", "PIPE", "PUMP", "VALVE"):
                    k = self.links[w[2]]
                    if u[5] in ("OPEN", "CLOSED", "ACTIVE") or u[3] == "SETTING":
                        k.rule_states.append(self.state(k, w[5]))


def along(points, x):
    """A polyline, its end pieces going on."""
    if len(points) == 1:
        return points[0][1]
    i = 1
    while i < len(points) - 1 and x > points[i][0]:
        i += 1
    (x0, y0), (x1, y1) = points[i - 1], points[i]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


def split_sections(text):
    """Words of the lines of each section, by the first four letters of its heading."""
    out = {s: [] for s in SECTIONS}
    here = None
    for line in text.splitlines():
        line = line.split(";")[0].strip()
        if not line:
            continue
        if line[0] == "[":
            here = out.get(line[1:5].upper())
            if line[:4].upper() == "[END":
                break
            continue
        if here is not None:
            here.append(shlex.split(line, posix=True) if '"' in line else line.split())
    return out


class Result:
    """An .out file: ids, ends of links, and the periods, each a dictionary of arrays in the units of the file."""

    NODE = ("demand", "head", "pressure", "quality")
    LINK = ("flow", "velocity", "headloss", "quality", "status", "setting", "reaction", "friction")

    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = data = f.read()
        v = struct.unpack_from("<15i", data)
        if v[0] != 516114521:
            raise Refused("not an .out file")
        n, fixed, m, pumps = v[2], v[3], v[4], v[5]
        self.flow_unit, self.statistic, self.start, self.step, self.duration = v[9], v[11], v[12], v[13], v[14]
        if self.statistic:
            raise Refused("averages or extremes satisfy no equation")
        at = 60 + 240 + 520 + 64
        names = [data[at + 32 * i : at + 32 * i + 32].split(b"\0")[0].decode("latin-1") for i in range(n + m)]
        self.nodes, self.links = names[:n], names[n:]
        at += 32 * (n + m)
        ends = struct.unpack_from("<%di" % (2 * m), data, at)
        self.ends = list(zip(ends[:m], ends[m:]))
        at += 12 * m + 8 * fixed + 4 * n + 8 * m + 28 * pumps + 4
        self.at, self.n, self.m, self.size = at, n, m, 4 * n + 8 * m
        self.count = struct.unpack_from("<i", data, len(data) - 12)[0]
        if at + 4 * self.size * self.count + 28 > len(data):
            raise Refused("the .out file is cut short")

    def time(self, i):
        return self.start + i * self.step

    def offset(self, period, what, element):
        """Where a number is, for planting faults."""
        node = what.startswith("node ") or what in self.NODE[:3]
        names, n, base = (self.NODE, self.n, 0) if node else (self.LINK, self.m, 4 * self.n)
        return self.at + 4 * (self.size * period + base + names.index(what.split()[-1]) * n + element)

    def period(self, i):
        x = array.array("f", self.data[self.at + 4 * i * self.size : self.at + 4 * (i + 1) * self.size])
        n, m = self.n, self.m
        out = {name: x[j * n : (j + 1) * n] for j, name in enumerate(self.NODE[:3])}
        out.update({name: x[4 * n + j * m : 4 * n + (j + 1) * m] for j, name in enumerate(self.LINK) if name != "quality"})
        return out
