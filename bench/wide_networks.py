# SPDX-License-Identifier: MIT
"""wide_networks.py: the networks of random_networks.py from seed 1000000 on: hard ones (hard_networks.py) with what those lack.

Several demands of one junction with patterns of their own, inflows among them; pump curves of four to six points, pumps of
constant power, pumps in series with reducing valves; reducing valves beside each other and in rows, check valves in loops; curves of
GPVs from one point to six, PCVs shut, open and beyond; leaks and emitters that let nothing in; rules on levels with priorities that
contradict each other; other pressure units, density, viscosity, and the options that steer the search.
"""

from hard_networks import Hard

CURVES = [  # of pumps: shares of flow and head
    [(0, 1.4), (0.5, 1.35), (1, 1), (1.4, 0.4)],
    [(0, 1.2), (0.3, 1.19), (0.7, 1.1), (1, 1), (1.5, 0.6), (1.9, 0.1)],
    [(0.1, 1.3), (0.6, 1.2), (1, 1), (1.6, 0.5), (2, 0)],
    [(0, 2), (0.2, 1.6), (0.5, 1.3), (1, 1), (2, 0.8)],
]


class Wide(Hard):
    """What users write beside what adversaries do."""

    def make_patterns(self):
        r = self.r
        self.word = r.choice([None, None, "KPA", "PSI", "METERS"])
        self.gravity = r.choice([1, 1, 1, 0.9, 1.1])
        super().make_patterns()
        self.lines["PATTERNS"].append("PN " + " ".join("%.3g" % r.uniform(-0.6, 1.2) for _ in range(6)))

    def pressure(self, m):
        word = self.word or ("PSI" if self.us else "METERS")
        unit = {"PSI": 0.4333 * self.gravity, "KPA": 6.895 * 0.4333 * self.gravity, "METERS": 0.3048}[word]
        return "%.6g" % (m / 0.3048 * unit)

    def pump(self, a, b, lift, flow, kind=None):
        r = self.r
        if r.random() < 0.5:
            return super().pump(a, b, lift, flow, kind)
        name = self.name_link()
        cells = [name, a, b]
        if r.random() < 0.3:
            cells += ["POWER", "%.4g" % (max(0.05, lift * flow * 9.81e-3) / (0.7457 if self.us else 1))]
        else:
            for x, y in r.choice(CURVES):
                self.lines["CURVES"].append("C%s %s %s" % (name, self.q(x * flow), self.length(y * lift)))
            cells += ["HEAD", "C" + name]
        if r.random() < 0.2:
            cells += ["PATTERN", "PS"]
        self.lines["PUMPS"].append(" ".join(cells))
        self.pumps.append(name)
        self.edges.append((a, b))
        return name

    def valve(self, a, b, kind=None, bypass=False):
        r = self.r
        kind = kind or r.choice(["PRV", "PRV", "PSV", "FCV", "TCV", "GPV", "GPV", "PCV", "PCV"] + ["PBV"] * (not bypass))
        if kind not in ("GPV", "PCV"):
            return super().valve(a, b, kind, bypass)
        name, loss, extra = self.name_link(), r.choice([0, r.uniform(0.1, 10)]), ""
        curve = "X" + name
        if kind == "GPV":
            setting, x, y = curve, 0.0, 0.0
            points = [] if r.random() < 0.5 else [(0.0, 0.0)]
            for _ in range(r.choice([1, 2, 3, 5])):
                x, y = x + r.uniform(0.5, 8), y + r.uniform(0, 5)
                points.append((x, y))
            for x, y in points:
                self.lines["CURVES"].append("%s %s %s" % (curve, self.q(x), self.length(y)))
        else:
            setting = "%.3g" % r.choice([0, 100, 120, r.uniform(0, 5), r.uniform(0, 100)])
            loss = r.uniform(0.1, 10)
            if r.random() < 0.6:
                extra = curve
                for x in sorted(r.sample(range(5, 100), r.choice([1, 2, 4]))):
                    self.lines["CURVES"].append("%s %g %.3g" % (extra, x, x * r.uniform(0.1, 1) * (x / 100)))
                self.lines["CURVES"].append("%s 100 100" % extra)
        bore = self.bore(r.choice([80, 100, 150, 200]))
        self.lines["VALVES"].append("%s %s %s %s %s %s %.3g %s" % (name, a, b, bore, kind, setting, loss, extra))
        self.valves.append((name, kind))
        self.edges.append((a, b))
        return name

    def connect(self, a, b):
        r = self.r
        kind = r.choice(["prvs", "row", "pump", "check"]) if r.random() < 0.12 else None
        if kind is None:
            return super().connect(a, b)
        c, d = self.junction(None, 0.0), self.junction(None, r.choice([0.0, None]))
        self.pipe(a, c)
        if kind == "prvs":  # beside each other, each with pipes of its own
            for _ in range(2):
                e, f = self.junction(None, 0.0), self.junction(None, 0.0)
                self.pipe(c, e)
                self.valve(e, f, kind="PRV")
                self.pipe(f, d)
        elif kind == "row":
            e, f = self.junction(None, 0.0), self.junction(None, None)
            self.valve(c, e, kind="PRV")
            self.pipe(e, f)
            self.valve(f, d, kind=r.choice(["PRV", "PSV"]))
        elif kind == "pump":
            e = self.junction(None, 0.0)
            self.pump(c, e, r.uniform(5, 40), r.uniform(2, 20))
            f = self.junction(None, 0.0)
            self.pipe(e, f)
            self.valve(f, d, kind="PRV")
        else:
            self.pipe(c, d, check=True)
            self.pipe(d, a, check=r.random() < 0.5)
        self.pipe(d, b)

    def make_outlets(self):
        super().make_outlets()
        r = self.r
        for name in r.sample(self.junctions, min(len(self.junctions), r.choice([0, 0, 3, 8]))):
            for i in range(r.choice([1, 2, 3])):
                base = self.q(r.uniform(-0.5, 3) if i else r.uniform(0, 4))
                self.lines["DEMANDS"].append("%s %s %s" % (name, base, r.choice(["P1", "P2", "P3", "PN", ""])))
        if r.random() < 0.3:
            for name in r.sample(self.pipes, min(len(self.pipes), 12)):
                self.lines["LEAKAGE"].append("%s %.3g %.3g" % (name, r.uniform(0, 40), r.choice([0, r.uniform(0, 3)])))

    def make_rules(self):
        super().make_rules()
        r, out = self.r, self.lines["RULES"]
        for i in range(r.choice([0, 2, 4]) if self.tanks else 0):
            link, value = self.action()
            tank, low, high = r.choice(self.tanks)
            what = "SETTING" if not value.isalpha() else "STATUS"
            out += ["RULE w%d" % i, "IF TANK %s LEVEL %s %s" % (tank, r.choice("<>"), self.length(r.uniform(low, high)))]
            if r.random() < 0.4:
                out.append("AND SYSTEM CLOCKTIME %s %d AM" % (r.choice(["<", ">="]), r.randint(1, 11)))
            out += ["THEN LINK %s %s IS %s" % (link, what, value), "PRIORITY %d" % r.randint(1, 4)]

    def make_options(self):
        super().make_options()
        r, o = self.r, self.lines["OPTIONS"]
        o += ["SPECIFIC GRAVITY %g" % self.gravity, "VISCOSITY %g" % r.choice([1, 1, 1.3])]
        if self.word:
            o.append("PRESSURE " + self.word)
        if (self.lines["EMITTERS"] or self.lines["LEAKAGE"]) and r.random() < 0.6:
            o.append("BACKFLOW ALLOWED NO")
        for word, value in (("DAMPLIMIT", 0.01), ("HEADERROR", 0.001), ("FLOWCHANGE", 0.01), ("CHECKFREQ", 5), ("MAXCHECK", 20)):
            if r.random() < 0.12:
                o.append("%s %g" % (word, value))
