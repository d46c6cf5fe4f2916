#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sluice plot of automata: pictures that show what the run did, diagrams, errors that say what is there instead, and the pictures
of the documentation, which have to be those that scripts/draw-pictures makes now."""
import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from cli_test import Case, ROOT, SLUICE, main
from test_plot import SVG, texts, tips

EXAMPLES = ROOT / "examples/automata"
NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")


def paths(root):
    return [p.get("d") for p in root.iter(SVG + "path")]


def box(d):
    """The bounding box of a path of the SVG writer: M, then relative pieces."""
    x = y = 0.0
    xs, ys = [], []
    for command, rest in re.findall(r"([MmlhzZ])([^MmlhzZ]*)", d):
        numbers = [float(n) for n in NUMBER.findall(rest)]
        for k in range(0, len(numbers) - 1, 2):
            x, y = (numbers[k], numbers[k + 1]) if command == "M" else (x + numbers[k], y + numbers[k + 1])
            xs.append(x)
            ys.append(y)
    return (min(xs), min(ys), max(xs), max(ys)) if xs else (0, 0, 0, 0)


class PlotAutomata(Case):
    def setUp(self):
        super().setUp()
        for path in EXAMPLES.glob("*.yaml"):
            self.file(path.name, path.read_text(encoding="utf-8"))

    def svg(self, *args, code=0):
        out, err = self.sluice("plot", *args, "-o", "-", code=code)
        self.assertTrue(code or not err, err)
        return ElementTree.fromstring(out)

    def wrong(self, *args, code=2, output="x.svg"):
        _, err = self.sluice("plot", *args, "-o", output, code=code)
        self.assertNotIn(output, self.names())
        return err

    # ---- Over time

    def test_over_time(self):
        root = self.svg("thermostat.yaml")
        shown = texts(root)
        self.assertEqual(shown[0], "thermostat")
        self.assertEqual(shown[1], "0 s to 60 s, 20 crossings of roots (dotted); bars: 1, lines: 0")
        self.assertTrue({"T", "hot", "warm", "heating", "Time [s]", "18", "22"} <= set(shown))
        self.assertEqual(tips(root), ["T"])

    def test_chosen_variables_and_times(self):
        root = self.svg("thermostat.yaml", "--over-time", "T,heating", "--from", "10 s", "--until", "0.5 min", "--title", "Room")
        shown = texts(root)
        self.assertEqual(shown[:2], ["Room", "10 s to 30 s, 7 crossings of roots (dotted); bars: 1, lines: 0"])
        self.assertIn("heating", shown)
        self.assertNotIn("hot", shown)

    def test_states(self):
        root = self.svg("thermostat.yaml", "--states")
        self.assertEqual(tips(root), [])
        self.assertTrue({"hot", "warm", "heating"} <= set(texts(root)))

    def test_discrete_time(self):
        shown = texts(self.svg("counting.yaml"))
        self.assertEqual(shown[1], "t = 0 to 1, settled from t = 1 on")
        self.assertIn("Discrete time t", shown)
        self.assertIn("2", shown)
        self.assertEqual(texts(self.svg("ticker.yaml"))[1], "t = 0 to 2, without end: at t = 2 as at t = 0")
        self.assertEqual(texts(self.svg("ticker.yaml", "--steps", "9"))[1], "t = 0 to 9")
        self.assertEqual(texts(self.svg("ticker.yaml", "--steps", "9", "--from", "2 steps", "--until", "4 steps"))[1], "t = 2 to 4")

    def test_failed_runs_are_drawn_up_to_there(self):
        _, err = self.sluice("plot", "ball.yaml", "-o", "ball.svg", code=3)
        self.assertIn("zeno", err)
        shown = texts(ElementTree.parse(self.dir / "ball.svg").getroot())
        self.assertIn("ended early", shown[1])
        for name in "unsolvable", "nondeterministic":
            _, err = self.sluice("plot", name + ".yaml", "-o", "x.svg", code=3)
            self.assertIn(f"[{name}]", err)
            self.assertIn("t = 0", texts(ElementTree.parse(self.dir / "x.svg").getroot())[1])
            self.sluice("plot", name + ".yaml", "--diagram", "-o", "x.svg")  # which shows it

    def test_long_runs_make_small_pictures(self):
        self.file("long.yaml", "automaton: long\ncontinuous: {x: 1, v: 0}\n"
                  "activities: [{equation: der(x) = v}, {equation: der(v) = -x}]\nrun: {end: 4000, tolerance: 1e-6}\n")
        out, _ = self.sluice("plot", "long.yaml", "-o", "-")
        self.assertLess(len(out), 60000)
        out, _ = self.sluice("plot", "long.yaml", "--from", "3990 s", "-o", "-")
        self.assertLess(len(out), 20000)  # nothing of what is before
        self.assertGreater(max(len(d) for d in paths(ElementTree.fromstring(out))), 3000)  # smooth
        out, _ = self.sluice("plot", "long.yaml", "--phase", "x,v", "-o", "-")
        self.assertLess(len(out), 300000)

    # ---- Phase planes

    def test_phase(self):
        root = self.svg("flower.yaml", "--phase", "x0,x1", "--time", "2.43 s", "--equal", "--where", "x0 + x1 <= 0")
        shown = texts(root)
        self.assertEqual(shown[1], "at 2.43 s: x0 = −0.5278, x1 = 0.2594, q = 1")
        for text in "start", "trajectory", "roots are crossed", "at 2.43 s", "motion in q = 1", "abs(x0) - abs(x1) = 0", "x0 + x1 <= 0":
            self.assertIn(text, shown)
        self.assertEqual(sorted(tips(root)), ["abs(x0) - abs(x1)", "x0 + x1 <= 0"])
        self.assertNotIn("trajectory", texts(self.svg("flower.yaml", "--phase", "x0,x1", "--time", "0")))

    def test_equal_scales(self):
        for equal in [], ["--equal"]:
            root = self.svg("ball.yaml", "--phase", "y,v", "--until", "1s", *equal)
            ticks = {}
            for t in root.iter(SVG + "text"):
                if re.fullmatch(r"−?[\d.]+", t.text or ""):
                    axis = "y" if t.get("text-anchor") == "end" else "x"
                    ticks.setdefault(axis, []).append((float(t.text.replace("−", "-")), float(t.get(axis))))
            scales = [abs((v[-1][1] - v[0][1]) / (v[-1][0] - v[0][0])) for v in ticks.values()]
            self.assertEqual(abs(scales[0] - scales[1]) < 0.02 * scales[0], bool(equal))

    # ---- Diagrams

    def test_diagram(self):
        shown = texts(self.svg("thermostat.yaml", "--diagram"))
        self.assertEqual(shown[1], "2 states, those reached")
        self.assertEqual(sorted(shown[2:]), ["heating = 0", "heating = 1", "hot ↑", "warm ↓"])
        self.assertEqual(texts(self.svg("counting.yaml", "--diagram"))[1],
                         "32 states, all of them; a double frame: settled; values of n, a, b, c")
        self.assertEqual(texts(self.svg("counting.yaml", "--diagram", "--reached"))[1],
                         "2 states, those reached; a double frame: settled")

    def test_long_chains_are_folded(self):
        self.file("chain.yaml", "automaton: chain\ndiscrete: {n: 100}\ntransitions: [{equation: der(n) = 1, when: n < 99}]\n")
        root = self.svg("chain.yaml", "--diagram")
        self.assertLess(float(root.get("width").rstrip("px")), 1300)
        self.assertTrue({f"n = {i}" for i in range(100)} <= set(texts(root)))

    def test_dot(self):
        self.sluice("plot", "delay.yaml", "--diagram", "--steps", "4", "-o", "delay.dot")
        text = (self.dir / "delay.dot").read_text(encoding="utf-8")
        self.assertEqual(text, """digraph {
    label="delay";
    rankdir=LR;
    node [shape=box, style=rounded];
    start [shape=point];
    s0 [label="q = 1"];
    start -> s0;
    s1 [label="q = 0"];
    s1 -> s1 [label="t = 0"];
    s0 -> s0 [label="t = 0"];
    s1 -> s0 [label="tick (t ≥ 1)"];
    s0 -> s1 [label="tick (t ≥ 1)"];
}
""")

    def test_odd_states(self):
        self.file("odd.yaml", 'automaton: a "quoted" <name>\ndiscrete: {q: {states: 2, start: 1}}\n'
                  "transitions: [{name: square, equation: q - der(q)^2 = 0}]\n")
        root = self.svg("odd.yaml", "--diagram")
        self.assertEqual(texts(root)[0], 'a "quoted" <name>')
        self.assertIn("several derivatives", texts(root))
        self.assertTrue({"square +1", "square −1"} <= set(texts(root)))
        self.sluice("plot", "odd.yaml", "--diagram", "-o", "odd.gv")
        self.assertIn('label="a \\"quoted\\" <name>"', (self.dir / "odd.gv").read_text(encoding="utf-8"))

    # ---- What cannot be drawn

    def test_wrong_requests(self):
        for args, told in (
                (["flower.yaml", "--over-time", "x2"], "did you mean x0?"),
                (["flower.yaml", "--over-time", "speed"], "there is x0, x1, q"),
                (["flower.yaml", "--phase", "x0,q"], "q is a discrete variable"),
                (["flower.yaml", "--phase", "x0,x1", "--time", "30s"], "the run ends before this time"),
                (["flower.yaml", "--phase", "x0,x1", "--where", "x0 <"], "--where"),
                (["flower.yaml", "--from", "40s"], "nothing is left to be shown: the run ends at 25 s"),
                (["flower.yaml", "--steps", "3"], "steps are those of discrete time"),
                (["ticker.yaml", "--phase", "q,q"], "q is a discrete variable")):
            self.assertIn(told, self.wrong(*args))

    def test_wrong_use(self):
        for args, told in (
                (["flower.yaml", "--phase", "x0"], "two variables"),
                (["flower.yaml", "--phase", "x0,x1,x2"], "two variables"),
                (["flower.yaml", "--phase", "x0,x1", "--states"], "a command draws one picture"),
                (["flower.yaml", "--time", "3s"], "--time applies to a --phase plane"),
                (["flower.yaml", "--equal"], "apply to a --phase plane only"),
                (["flower.yaml", "--reached"], "--reached applies to a --diagram only"),
                (["flower.yaml", "--map"], "an automaton has no nodes or links"),
                (["flower.yaml", "--phase", "x0,x1", "--time", "soon"], "is not a time"),
                (["town.inp", "--phase", "a,b"], "--phase is for an automaton, and town.inp is a network"),
                (["town.inp", "--diagram"], "--diagram is for an automaton")):
            self.file("town.inp")
            self.assertIn(told, self.wrong(*args, code=4))
        self.assertIn("only a --diagram", self.wrong("flower.yaml", code=4, output="x.dot"))
        self.assertIn("must end in .svg", self.wrong("town.inp", "--map", code=4, output="x.dot"))

    def test_too_much(self):
        self.file("many.yaml", "automaton: many\ndiscrete: {n: 1000}\ntransitions: [{equation: der(n) = 1, when: n < 999}]\n")
        self.assertIn("more than 200 states", self.wrong("many.yaml", "--diagram"))
        self.assertIn("the diagram of 32 states needs", self.wrong("counting.yaml", "--diagram", "--size", "300x300"))
        self.file("open.yaml", "automaton: open\ncontinuous: {x: 1}\nactivities: [{equation: der(x) = -x}]\n")
        self.assertIn("does not say how long it runs", self.wrong("open.yaml"))
        self.assertEqual(texts(self.svg("open.yaml", "--until", "3s"))[1], "0 s to 3 s")
        names = "".join(f"  x{i}: 1\n" for i in range(30))
        equations = "".join(f"  - {{equation: der(x{i}) = -x{i}}}\n" for i in range(30))
        self.file("wide.yaml", f"automaton: wide\ncontinuous:\n{names}activities:\n{equations}run: {{end: 1}}\n")
        self.assertIn("the first 8 of 30 curves", texts(self.svg("wide.yaml"))[1])

    # ---- The documentation

    def test_pictures_of_the_documentation(self):
        """The same texts and paths; bytes may differ in the last digit between two kinds of machines."""
        subprocess.run([ROOT / "scripts/draw-pictures", self.dir], env={**os.environ, "SLUICE": SLUICE}, check=True, timeout=100)
        images = Path(ROOT / "docs/images")
        kept = sorted(p.name for p in images.glob("automata-*.svg"))
        self.assertEqual(kept, sorted(p.name for p in self.dir.glob("automata-*.svg")))
        self.assertGreater(len(kept), 8)
        n_same = 0
        for name in kept:
            n_same += (self.dir / name).read_bytes() == (images / name).read_bytes()
            old, new = (ElementTree.parse(folder / name).getroot() for folder in (images, self.dir))
            self.assertEqual(texts(new), texts(old), f"{name}: run scripts/draw-pictures and look at it")
            self.assertEqual(len(paths(new)), len(paths(old)), name)
            for a, b in zip(paths(old), paths(new)):
                for x, y in zip(box(a), box(b)):
                    self.assertAlmostEqual(x, y, delta=0.35, msg=name)
        print(f"{n_same} of {len(kept)} pictures have the same bytes", flush=True)


if __name__ == "__main__":
    main()
