# SPDX-License-Identifier: MIT
"""What the water carries, as a user sees it: summary, report, choice of reactions, the verifier, pictures."""
import json
import math
import struct

from cli_test import ROOT, Case, main

EXAMPLES = ROOT / "examples"
TERMS = "initial reservoirs sources time consumed returned bulk wall tanks adjusted stored".split()

# One pipe of plug flow from a reservoir: 1 m3 each 100 s through 36 m3, an hour on the way.
PIPE = """[JUNCTIONS]
J 0 10
[RESERVOIRS]
R 50
[PIPES]
P R J %s 1000 120
[QUALITY]
R 2
[REACTIONS]
Global Bulk -4.8
[TIMES]
Duration 6
Quality Timestep 0:06
Report Timestep 1:00
[OPTIONS]
Units LPS
Headloss H-W
Quality Chlorine mg/L
Tolerance 0
[END]
""" % (36 / (math.pi / 4))


class Out:
    """Where the numbers of a .out file are: variables 3 and 7 are the qualities of nodes and links."""

    def __init__(self, data):
        self.data = bytearray(data)
        head = struct.unpack_from("<15i", data)
        self.n_node, n_fixed, self.n_link, n_pump = head[2:6]
        at = 15 * 4 + 3 * 80 + 2 * 260 + 2 * 32
        self.nodes = [bytes(data[at + 32 * i:at + 32 * i + 32]).split(b"\0")[0].decode() for i in range(self.n_node)]
        self.start = at + 32 * (self.n_node + self.n_link) + 4 * (5 * self.n_link + 2 * n_fixed + self.n_node) + 28 * n_pump + 4
        self.n_period = struct.unpack_from("<i", data, len(data) - 12)[0]

    def change(self, new):
        """The file with new(period, variable, index, value) for each quality."""
        data = bytearray(self.data)
        size = 4 * (4 * self.n_node + 8 * self.n_link)
        for p in range(self.n_period):
            for variable, n, first in (3, self.n_node, 3 * self.n_node), (7, self.n_link, 4 * self.n_node + 3 * self.n_link):
                at = self.start + size * p + 4 * first
                values = struct.unpack_from("<%df" % n, data, at)
                struct.pack_into("<%df" % n, data, at, *(new(p, variable, i, x) for i, x in enumerate(values)))
        return bytes(data)


class Quality(Case):
    def summary(self, *args):
        return json.loads(self.sluice("run", "--json", *args)[0])

    def path(self, name):
        return self.dir / name

    def check_ledger(self, q):
        m = q["mass"]
        came = m["initial"] + m["reservoirs"] + m["sources"] + m["time"] + m["adjusted"]
        went = m["consumed"] + m["returned"] + m["bulk"] + m["wall"] + m["tanks"] + m["stored"]
        self.assertAlmostEqual(came / went, 1, delta=1e-12)
        self.assertAlmostEqual(m["ratio"], 1, delta=1e-12)

    def test_examples(self):
        for name, kind, unit in ("hilltown", "chemical", "mg/L"), ("town", "age", "h"), ("quality", "trace", "%"):
            s = self.summary(EXAMPLES / (name + ".inp"))["summary"]
            q = s["quality"]
            self.assertEqual((q["kind"], q["unit"], q["mass"]["unit"]), (kind, unit, unit + " m3"))
            self.check_ledger(q)
            self.assertAlmostEqual(q["delivered_mean"], q["mass"]["consumed"] / s["balance"]["consumption_m3"], delta=1e-9)
            self.assertLessEqual(q["last_day_min"]["value"], q["delivered_mean"])
            self.assertGreaterEqual(q["last_day_max"]["value"], q["delivered_mean"])
            self.assertGreaterEqual(q["last_day_min"]["time_s"], s["end_s"] - 86400)
            self.assertGreater(q["last_day_min"]["time_s"], 0)
        self.assertIsNone(self.summary(EXAMPLES / "valves.inp")["summary"]["quality"])

    def test_text(self):
        text = self.sluice("run", EXAMPLES / "hilltown.inp")[0]
        self.assertRegex(text, r"Chlorine +0\.191 mg/L at VB1 \(48:00\) to 0\.8 mg/L at WK1 .* in the last day; delivered 0\.607\d mg/L")
        self.assertRegex(text, r"Mass +314\.3 g at the start, 1872 from reservoirs, .* by sources;")
        self.assertIn("left; out and left / in 1.0000000", text)
        text = self.sluice("run", EXAMPLES / "quality.inp")[0]
        self.assertRegex(text, r"From SPRING +0 % at \w+ .* to 100 % at \w+ .* delivered 39\.\d+ % on average")
        self.assertRegex(text, r"Its water +\d+ m3 from the node;")
        text = self.sluice("run", "--units", "GPM", EXAMPLES / "town.inp")[0]
        self.assertRegex(text, r"Age x water +\d+ h ft3 by time;")
        self.assertNotIn("Mass", self.sluice("run", EXAMPLES / "valves.inp")[0])

    def test_reactions(self):
        """Plug flow: after an hour's way c is 2 exp(-0.2), or 2 (1 - 0.02)^10 by ten explicit steps."""
        inp = self.file("pipe.inp", PIPE)
        for how, c in ((), 2 * (1 - 0.02) ** 10), (("--reactions", "explicit"), 2 * (1 - 0.02) ** 10), (
                ("--reactions", "exact"), 2 * math.exp(-0.2)):
            out = self.path("p.csv")
            self.sluice("run", "-q", inp, *how, "-o", out, "--node", "J", "--what", "quality")
            last = float(out.read_text().splitlines()[-1].split(",")[-1])
            self.assertAlmostEqual(last, c, delta=2e-3 * c)  # a quality step of the way is as young as that step
        self.assertIn("exact", self.sluice("run", inp, "--reactions", "exactly", code=4)[1])

    def test_coarse_step(self):
        inp = self.file("coarse.inp", PIPE.replace("-4.8", "-48").replace("0:06", "0:10"))
        said = self.sluice("run", inp)[1]
        self.assertIn("pipe P: the concentration changes by 33.3 %", said)
        self.assertIn("4 times shorter, or --reactions exact", said)
        self.assertEqual(said.count("[coarse-step]"), 1)
        self.assertEqual(self.sluice("run", inp, "--reactions", "exact")[1], "")
        self.assertEqual(self.sluice("run", self.file("fine.inp", PIPE))[1], "")
        tank = PIPE.replace("[PIPES]", "[TANKS]\nT 20 2 0 4 10\n[PIPES]\nQ J T 100 300 100\n") + ""
        tank = self.file("tank.inp", tank.replace("Global Bulk -4.8", "Tank T -200"))
        self.assertIn("tank T: the concentration changes by", self.sluice("run", tank)[1])

    def test_report(self):
        text = self.sluice("run", EXAMPLES / "hilltown.inp", "-r", "-")[0]
        self.assertNotIn("NOT computed", text)
        for words in ("Water quality ..................... Chlorine", "Bulk reaction ..................... order 1",
                      "Wall reaction ..................... order 1; global coefficient -0.06 m/day", "24 of 124 pipes",
                      "Mass in the water", "Reacted at walls of pipes", "Out and left / in                    1.000000000"):
            self.assertIn(words, text)
        m = self.summary(EXAMPLES / "hilltown.inp")["summary"]["quality"]["mass"]
        for words, key in ("From reservoirs", "reservoirs"), ("Reacted in tanks", "tanks"), ("In pipes and tanks at the end", "stored"):
            line = next(x for x in text.splitlines() if x.strip().startswith(words))
            self.assertAlmostEqual(float(line.split()[-2]), m[key], delta=1e-4)
        text = self.sluice("run", EXAMPLES / "quality.inp", "-r", "-")[0]
        self.assertIn("share that comes from SPRING", text)
        self.assertIn("Water from the traced node", text)
        self.assertIn("Age of the water, times its volume", self.sluice("run", EXAMPLES / "town.inp", "-r", "-")[0])
        self.assertNotIn("Mass in the water", self.sluice("run", EXAMPLES / "valves.inp", "-r", "-")[0])

    def violated(self, inp, path):
        r = self.run_raw("verify", "--json", inp, path)
        self.assertNotIn(b"Sanitizer", r.stderr)
        found = json.loads(r.stdout)
        self.assertEqual(found["consistent"], r.returncode == 0)
        return {c["check"] for c in found["checks"] if c["violated"]}

    def test_verify(self):
        """Sound as written; scaled, beyond bounds, or without what a mixed tank held: found. What cannot be found, a tank
        of layers whose content no value tells, is not claimed."""
        sources = {"WORKS", "SPRING", "RIVER", "Wells"}
        for name, tank in ("hilltown", "ORCHARD"), ("town", "Hill"), ("quality", "STIRRED"):
            inp, out = EXAMPLES / (name + ".inp"), self.path(name + ".out")
            self.sluice("run", "-q", inp, "-o", out)
            self.assertEqual(self.violated(inp, out), set(), name)
            text = self.sluice("verify", inp, out)[0]
            self.assertRegex(text, r"balance of mass +1 +0 .* % .* which the file leaves open")
            o = Out(out.read_bytes())
            t, last = o.nodes.index(tank), o.n_period - 1
            damaged = {
                "all less": lambda p, v, i, x: 0.9 * x,
                "all but the sources less": lambda p, v, i, x: 0.7 * x if p > 0 and (v == 7 or o.nodes[i] not in sources) else x,
                "a tank's mass lost at the end": lambda p, v, i, x: 0 if (v, i, p) == (3, t, last) else x,
                "half of a tank lost on the way": lambda p, v, i, x: x / 2 if v == 3 and i == t and p >= 10 else x,
                "a node below zero": lambda p, v, i, x: -0.01 if (v, i, p) == (3, 0, 5) else x,
                "a link above all": lambda p, v, i, x: 101 if (v, i, p) == (7, 0, 5) else x,
                "not a number": lambda p, v, i, x: math.nan if (v, i, p) == (7, 1, 5) else x,
            }
            for words, new in damaged.items():
                bad = self.path("bad.out")
                bad.write_bytes(o.change(new))
                self.assertTrue(self.violated(inp, bad), name + ": " + words)
        other = self.file("other.inp", (EXAMPLES / "quality.inp").read_text().replace("Trace SPRING", "Age"))
        self.assertIn("another kind of quality analysis", self.sluice("verify", other, self.path("quality.out"))[1])

    def test_pictures(self):
        for name, label in ("hilltown", "Chlorine [mg/L]"), ("town", "Age of the water [h]"), ("quality", "Water from SPRING [%]"):
            out, svg = self.path(name + ".out"), self.path("p.svg")
            self.sluice("run", "-q", EXAMPLES / (name + ".inp"), "-o", out)
            for what in ("--map", "--time", "20:00"), ("--node", "all"), ("--link", "all"):
                self.sluice("plot", out, *what, "--what", "quality", "-o", svg)
                self.assertIn(label, svg.read_text(), (name, what))
            if name == "quality":  # shares have one scale, whatever there is of them
                self.sluice("plot", out, "--map", "--time", "20:00", "--what", "quality", "-o", svg)
                for limit in "0", "20", "40", "60", "80", "100":
                    self.assertIn(">%s<" % limit, svg.read_text())
        self.sluice("plot", self.path("hilltown.out"), "--link", "MS2_RQ2", "--what", "reaction", "-o", svg)
        self.assertIn("Reaction rate [mg/L/d]", svg.read_text())


if __name__ == "__main__":
    main()
