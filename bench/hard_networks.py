# SPDX-License-Identifier: MIT
"""hard_networks.py: the networks of random_networks.py from seed 100000 on, which are meant to break a solver.

A seed has one of five foci, each on top of a focus of the ordinary networks: flow limits, tanks at the brim, pressure-driven
demand, chattering controls and rules, and a mixture of all.
"""

from random_networks import Network

HARD = {"limits": "series", "brim": "tanks", "pressure": "low", "chatter": "controls", "all": "mixed"}


class Hard(Network):
    """What adversaries would write: flow limits, sustainers and breakers in series, tanks that begin within a hair of a limit or
    are tiny, pressure-driven demands, controls and rules that undo each other at every step."""

    def __init__(self, seed, focus=None):
        self.hard = focus if focus in HARD else list(HARD)[seed % len(HARD)]
        super().__init__(seed, HARD[self.hard])

    def is_a(self, *kinds):
        return self.hard in kinds or (self.hard == "all" and self.r.random() < 0.5)

    def make_patterns(self):
        self.pda = self.is_a("pressure")
        if self.duration == 0:
            self.duration = 12 * 3600
        super().make_patterns()

    def connect(self, a, b):
        """Two or three of FCV, PSV and PBV in a row, some behind each other's backs, with pipes between that part them."""
        r = self.r
        if not (self.is_a("limits") and r.random() < 0.35):
            return super().connect(a, b)
        for _ in range(r.choice([1, 2, 2, 3])):
            c, d = self.junction(None, r.choice([0.0, 0.0, None])), self.junction(None, r.choice([0.0, None]))
            self.pipe(a, c)
            self.valve(*((c, d) if r.random() < 0.85 else (d, c)), kind=r.choice(["FCV", "FCV", "PSV", "PBV", "PRV"]))
            a = d
        self.pipe(a, b)

    def feed(self, to):
        """A zone whose only supply is a flow limit, now and then two in a row or beside each other."""
        r = self.r
        if not (self.is_a("limits") and r.random() < 0.5):
            return super().feed(to)
        source = self.reservoir(r.uniform(45, 90))
        for _ in range(r.choice([1, 1, 2])):
            c, d = self.junction(r.uniform(0, 20), 0.0), self.junction(r.uniform(0, 20), 0.0)
            self.pipe(source, c)
            self.valve(c, d, kind=r.choice(["FCV", "FCV", "PSV"]))
            self.pipe(d, to, check=r.random() < 0.2)

    def tank(self, head):
        r = self.r
        if not self.is_a("brim"):
            return super().tank(head)
        self.n_node += 1
        name = "T%d" % self.n_node
        low, high = r.choice([0, 0, 0.5, 2]), r.uniform(3, 9)
        hair = 10 ** r.uniform(-7, -1.5)
        level = r.choice([low, high, low + hair, high - hair, low + hair, high - hair])
        d = r.choice([0.3, 0.6, 1, 2, 5, 12]) * r.uniform(0.7, 1.3)
        z = head - level
        least, over = r.choice([0.0, 0.0, 0.1]), "YES" if r.random() < 0.15 else "NO"
        cells = [name] + ["%.9g" % (x / 0.3048 if self.us else x) for x in (z, level, low, high, d)] + [self.volume(least), "*", over]
        self.lines["TANKS"].append(" ".join(cells))
        self.tanks.append((name, low, high))
        self.elevation[name] = z
        return name

    def make_controls(self):
        """Pairs that meet at one threshold, and pressures that the link itself decides."""
        super().make_controls()
        r = self.r
        for _ in range(r.choice([1, 2, 3]) if self.is_a("chatter") else 0):
            link, value = self.action()
            if not value.isalpha():
                value = "CLOSED"
            other = {"OPEN": "CLOSED", "CLOSED": "OPEN"}[value]
            if self.tanks and r.random() < 0.5:
                tank, low, high = r.choice(self.tanks)
                at = self.length(r.uniform(low, high))
                self.control(link, value, "IF NODE %s ABOVE %s" % (tank, at))
                self.control(link, other, "IF NODE %s BELOW %s" % (tank, at))
            else:
                node, at = r.choice(self.junctions), self.pressure(r.uniform(5, 60))
                self.control(link, value, "IF NODE %s ABOVE %s" % (node, at))
                self.control(link, other, "IF NODE %s BELOW %s" % (node, at))

    def make_rules(self):
        super().make_rules()
        r, out = self.r, self.lines["RULES"]
        for i in range(r.choice([1, 2, 3]) if self.is_a("chatter") else 0):
            link, value = self.action()
            if not value.isalpha():
                value = "OPEN"
            other = {"OPEN": "CLOSED", "CLOSED": "OPEN"}[value]
            if self.tanks and r.random() < 0.6:
                tank, low, high = r.choice(self.tanks)
                what, at = "TANK %s LEVEL" % tank, self.length(r.uniform(low, high))
            else:
                what, at = "NODE %s PRESSURE" % r.choice(self.junctions), self.pressure(r.uniform(5, 60))
            out += ["RULE c%d" % i, "IF %s > %s" % (what, at), "THEN LINK %s STATUS IS %s" % (link, value)]
            out += ["ELSE LINK %s STATUS IS %s" % (link, other)]
