#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pictures of every kind by their SVG: no text leaves the page or lies on another, axes have units, one request gives one file. The pictures
of the documentation have to be those that scripts/draw-pictures makes now."""
import os
import re
import subprocess
from xml.etree import ElementTree

from cli_test import ROOT, SLUICE, Case, main

SVG = "{http://www.w3.org/2000/svg}"
ADVANCE = [int(n) for n in re.findall(r"\d+", (ROOT / "src/plot/text.c").read_text().split("advance[95] = {")[1].split("*/")[1].split("}")[0])]


def width(text, size, bold):
    """As src/plot/text.c has it: letters of a wide font."""
    return sum(ADVANCE[ord(c) - 32] / 100 if 32 <= ord(c) < 127 else 0.7 for c in text) * size * (1.13 if bold else 1)


def boxes(root):
    """(x1, y1, x2, y2, text) of every text: letters reach from 0.72 of the size over the line to 0.2 below it."""
    for e in root.iter(SVG + "text"):
        size, text = float(e.get("font-size", 12)), "".join(e.itertext())
        w = width(text, size, e.get("font-weight") == "bold")
        x, y = float(e.get("x")), float(e.get("y"))
        x -= {"middle": w / 2, "end": w}.get(e.get("text-anchor"), 0)
        yield x, y - 0.72 * size, x + w, y + 0.2 * size, text


def faults(root):
    """What is wrong with the texts of a picture, in words."""
    w, h = float(root.get("width")), float(root.get("height"))
    all_boxes, found = list(boxes(root)), []
    for i, (x1, y1, x2, y2, text) in enumerate(all_boxes):
        if x1 < 0 or y1 < 0 or x2 > w + 0.5 or y2 > h:
            found.append(f"{text!r} leaves the page")
        found += [f"{text!r} lies on {o[4]!r}" for o in all_boxes[:i]
                  if min(x2, o[2]) - max(x1, o[0]) > 1 and min(y2, o[3]) - max(y1, o[1]) > 1]
    return found


def points(d):
    """Of a path: absolute M and L, relative l, h and v."""
    x = y = 0.0
    found = []
    for command, rest in re.findall(r"([MLlhv])([^MLlhvzZ]*)", d):
        numbers = [float(n) for n in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", rest)]
        pairs = [(n, 0) for n in numbers] if command == "h" else [(0, n) for n in numbers] if command == "v" else zip(numbers[::2], numbers[1::2])
        for a, b in pairs:
            x, y = (a, b) if command in "ML" else (x + a, y + b)
            found.append((x, y))
    return found


class Pictures(Case):
    def drawn(self):
        """Names of the pictures that the script makes."""
        (self.dir / "out").mkdir()
        subprocess.run([ROOT / "scripts/draw-pictures", self.dir / "out"], env={**os.environ, "SLUICE": SLUICE}, check=True, timeout=100)
        names = sorted(p.name for p in (self.dir / "out").glob("*.svg"))
        self.assertGreater(len(names), 45)
        return names

    def test_the_check_sees_faults(self):
        page = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">%s</svg>'
        fine = '<text x="10" y="20">one</text><text x="10" y="40">two</text>'
        self.assertEqual(faults(ElementTree.fromstring(page % fine)), [])
        wrong = {'<text x="180" y="20">too wide</text>': "'too wide' leaves the page",
                 '<text x="10" y="105">low</text>': "'low' leaves the page",
                 '<text x="18" y="44">on it</text>': "'on it' lies on 'two'",
                 '<text x="25" y="22" text-anchor="end">on it</text>': "'on it' leaves the page"}
        for text, said in wrong.items():
            self.assertIn(said, faults(ElementTree.fromstring(page % (fine + text))))

    def test_texts_of_all_pictures(self):
        for name in self.drawn():
            root = ElementTree.parse(self.dir / "out" / name).getroot()
            with self.subTest(name):
                self.assertEqual(faults(root), [])
                self.assertLess((self.dir / "out" / name).stat().st_size, 100_000)

    def test_axes_have_units(self):
        for name in self.drawn():
            shown = ["".join(e.itertext()) for e in ElementTree.parse(self.dir / "out" / name).getroot().iter(SVG + "text")]
            labels = [t for t in shown if re.fullmatch(r".* \[[^\]]+\]", t)]
            with self.subTest(name):
                if name in ("tunnel-gates.svg", "tunnel-turnip.svg", "tunnel-shaft.svg"):
                    self.assertTrue({"Elevation [m]", "Chainage [m]"} <= set(labels))
                elif "profile" in name or name == "surge-trip.svg":
                    self.assertTrue({"Head [m]", "Distance [m]"} <= set(labels))
                elif name.startswith("surge"):
                    self.assertTrue({"Head [m]", "Time [s]"} <= set(labels))
                elif name == "hilltown-panels.svg":
                    self.assertTrue({"Pressure [m]", "Flow [L/s]", "Time [h]", "open", "closed"} <= set(shown))
                elif not name.startswith(("automata", "tunnel-states")) and name != "hilltown-settings.svg":
                    self.assertTrue(labels)

    def test_the_documentation_has_them(self):
        """The same bytes where the machine is of the same kind; the same texts anywhere."""
        names, same = self.drawn(), 0
        page = "".join((ROOT / "docs/reference" / name).read_text() for name in ("plot.md", "tunnel-states.md"))
        for name in names:
            old, new = ROOT / "docs/images" / name, self.dir / "out" / name
            with self.subTest(name):
                self.assertIn(f"(../images/{name})", page)
                self.assertTrue(old.exists(), "run scripts/draw-pictures and look at it")
                same += old.read_bytes() == new.read_bytes()
                self.assertEqual([b[4] for b in boxes(ElementTree.parse(old).getroot())],
                                 [b[4] for b in boxes(ElementTree.parse(new).getroot())], "run scripts/draw-pictures and look at it")
        print(f"{same} of {len(names)} pictures have the same bytes", flush=True)

    def root(self, *args):
        return ElementTree.fromstring(self.sluice("plot", *args, "-o", "-")[0])

    def path(self, root, tip):
        """Points of the first path with this tip."""
        for e in root.iter():
            title = e.find(SVG + "title")
            if title is not None and title.text == tip and e.get("d"):
                return points(e.get("d"))
        return []

    def test_pumps_stand_side_by_side(self):
        root = self.root(ROOT / "examples/hilltown.inp", "--map")
        a, b = self.path(root, "WP1")[0], self.path(root, "WP2")[0]
        self.assertGreater((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2, 14 ** 2)

    def test_a_profile_goes_from_left_to_right(self):
        """Also through pipes that are passed against their direction, whose points stand the other way round."""
        for line in ("W,VI", "VI,W"):
            xs = [x for x, _ in self.path(self.root(ROOT / "examples/surge/closure.yaml", "--profile", line), "highest head")]
            self.assertGreater(len(xs), 50)
            self.assertTrue(all(b - a > -0.5 for a, b in zip(xs, xs[1:])), line)

    def test_a_profile_is_the_shortest_line(self):
        """Two pipes of 100 m are shorter than one of 500 m; --via leads elsewhere."""
        self.file("n.inp", "[JUNCTIONS]\nA 10 1\nB 12 1\nC 11 1\n[RESERVOIRS]\nR 60\n[PIPES]\nP1 R A 100 300 120\nP2 A B 500 300 120\n"
                  "P3 A C 100 300 120\nP4 C B 100 300 120\n[OPTIONS]\nUnits LPS\nHeadloss H-W\n[END]\n")
        shown = {b[4] for b in boxes(self.root("n.inp", "--profile", "R,B"))}
        self.assertTrue({"R", "A", "C", "B", "300", "Head [m]", "head at 0:00"} <= shown, shown)
        self.assertNotIn("400", shown)
        self.assertIn("500", {b[4] for b in boxes(self.root("n.inp", "--profile", "R,A", "--via", "B"))})
        _, err = self.sluice("plot", "n.inp", "--profile", "R,BB", "-o", "-", code=2)
        self.assertIn("no node 'BB'", err)

    def test_a_result_and_its_model_give_one_picture(self):
        examples = ROOT / "examples"
        for name, model, picture in (("town", "town.inp", ["--profile", "Wells,Hill", "--time", "7:00"]),
                                     ("town", "town.inp", ["--node", "J1,J4", "--link", "P1,Main", "--what", "pressure,flow,status"]),
                                     ("closure", "surge/closure.yaml", ["--profile", "W,VI"]),
                                     ("closure", "surge/closure.yaml", ["--node", "S,VI"])):
            by_model, _ = self.sluice("plot", examples / model, *picture, "-o", "-")
            again, _ = self.sluice("plot", examples / model, *picture, "-o", "-")
            self.assertEqual(by_model, again)
            for ending in "json", "h5":
                result = f"{name}.{ending}"
                self.run_raw("run", "--quiet", examples / model, "-o", result)
                self.assertEqual(self.sluice("plot", result, *picture, "-o", "-")[0], by_model, f"{result} {picture}")
        out, _ = self.sluice("plot", examples / "automata/thermostat.yaml", "--variable", "*T.value", "--variable", "*heating*", "-o", "-")
        self.run_raw("run", "--quiet", examples / "automata/thermostat.yaml", "-o", "t.json")
        self.assertEqual(self.sluice("plot", "t.json", "--variable", "*T.value", "--variable", "*heating*", "-o", "-")[0], out)


if __name__ == "__main__":
    main()
