#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""State diagrams and films of tunnels: what is drawn are the states of the reference sequences, of runs, and of their results."""
import csv
import json
import re
import shutil
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import unittest
from cli_test import Case, ROOT, SHARED, main

EXAMPLES = ROOT / "examples" / "tunnel"
SEQUENCES = Path(SHARED or "no shared folder") / "cases" / "multibody" / "sequences.json"
EVENTS = ("branch", "seed", "coll", "cut", "rec")
CONTROLS = ("ctl", "legctl", "flowctl", "openctl")
SVG = "{http://www.w3.org/2000/svg}"


class Frame:
    """A frame as it was drawn: what marks say and how they look, and the words beside them."""

    def __init__(self, head):
        self.head, self.line, self.marks, self.words = head, "", {}, Counter()

    def shown(self, word):
        return {name for name, (value, _) in self.marks.items() if value == 1 and name.endswith("." + word)}


def points(d):
    """Corners of a path with relative coordinates, as it is written."""
    numbers = [float(x) for x in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", d)]
    at, out = [0.0, 0.0], []
    for dx, dy in zip(numbers[::2], numbers[1::2]):
        at = [at[0] + dx, at[1] + dy]
        out.append(tuple(at))
    return out


def frames(svg):
    root = ET.fromstring(svg)
    paper = root.find(SVG + "rect").get("fill")
    out = []

    def text_of(e):
        return "".join(e.itertext())

    def walk(e, style):
        if e.tag == SVG + "g":
            style = {**style, **e.attrib}
        elif e.tag == SVG + "text":
            text = text_of(e)
            if re.match(r"(execution \d+|[\d.e+-]+ s)(, t = \d+)?", text) and e.get("font-weight") == "bold":
                out.append(Frame(text))
            elif out and text in EVENTS + CONTROLS and e.get("font-weight") == "bold":
                out[-1].words[text] += 1
        elif e.tag == SVG + "path":
            title = e.find(SVG + "title")
            m = re.fullmatch(r"(.*) = ([01])", title.text) if title is not None else None
            if m:
                if not out:
                    out.append(Frame(""))
                shape = points(e.get("d"))
                tube = ".leg" in m[1] and m[1].startswith("half")
                colour = style.get("stroke" if tube else "fill")
                out[-1].marks[m[1]] = (int(m[2]), {"filled": colour != paper, "width": float(style.get("stroke-width", 1)), "shape": shape})
        for child in e:
            walk(child, style)

    walk(root, {})
    return out


def points_down(shape):
    """Does a triangle point down (or to the right)? Its tip comes first."""
    tip, a, b = shape[:3]
    return (tip[0] + tip[1]) - (a[0] + a[1] + b[0] + b[1]) / 2 > 0


class States(Case):
    def setUp(self):
        super().setUp()
        for path in EXAMPLES.iterdir():
            shutil.copy(path, self.dir)

    def film(self, *args):
        return frames(self.sluice("plot", *args, "-o", "-")[0])

    def check_frame(self, frame, ones, openings):
        """ones: the variables that are 1."""
        words = Counter(name.rsplit(".", 1)[1] for name in ones if name.rsplit(".", 1)[1] in EVENTS + CONTROLS)
        self.assertEqual(frame.words, words)
        for name, (value, look) in frame.marks.items():
            with self.subTest(name=name):
                kind = name.rsplit(".", 1)[1]
                component = name.rsplit(".", 1)[0]
                if kind == "open":
                    self.assertTrue(openings and name not in ones)
                    continue
                self.assertEqual(value, name in ones)
                if kind == "flow":
                    self.assertEqual(look["filled"], component + ".src" in ones)
                    self.assertEqual(points_down(look["shape"]), name not in ones)
                else:
                    self.assertEqual(look["filled"], name in ones)
                if component.startswith("tub") and kind == "leg":
                    self.assertEqual(look["width"] > 3, component + ".src" in ones)
        for name in (n for n in ones if n.rsplit(".", 1)[1] in ("leg", "joint", "flow")):
            self.assertIn(name, frame.marks)

    def write_network(self, n_valve, pipes):
        self.file("net.yaml", "sluice: tunnel/1\nrun: {end: 10}\nvalves:\n" + "".join(
            f"  '{v}': {{elevation: {100 - 10 * v}, tub: outfall}}\n" for v in range(n_valve)) + "tunnels:\n" + "".join(
            f"  '{i}': {{from: '{a}', to: '{b}', length: 500, area: 1, friction: 0.02}}\n" for i, (a, b) in enumerate(pipes)))

    def test_reference_sequences(self):
        if not SEQUENCES.exists():
            self.skipTest(f"no reference sequences: ../shared ({SEQUENCES}) is not there")
        sequences = json.loads(SEQUENCES.read_text(encoding="utf-8"))["sequences"]
        n_frame = 0
        for s in sequences:
            with self.subTest(s["name"]):
                self.write_network(s["valves"], s["pipes"])
                first = [n for n in s["executions"][0]["states"][0] if n not in s["executions"][0]["controls"]]
                args = ["net.yaml", "--state", ",".join(first)]
                for e in s["executions"]:
                    args += ["--control", ",".join(e["controls"]) or "-"]
                film = self.film(*args, "--film", "steps")
                states = [state for e in s["executions"] for state in e["states"]]
                self.assertEqual(len(film), len(states))
                for frame, state in zip(film, states):
                    self.check_frame(frame, set(state), s["openings"])
                ends = self.film(*args, "--film", "executions")
                self.assertEqual(len(ends), len(s["executions"]))
                for frame, e in zip(ends, s["executions"]):
                    self.check_frame(frame, set(e["states"][-1]), s["openings"])
                last = self.film(*args, "--diagram")
                self.assertEqual(len(last), 1)
                self.check_frame(last[0], set(states[-1]), s["openings"])
                n_frame += len(film)
        self.assertGreater(n_frame, 300)

    def discrete_at(self, file, time):
        """Discrete variables of a run that are 1, in names of the diagram."""
        self.sluice("run", file, "--every", f"{time}s", "--duration", f"{time}s", "--variable", "discrete.*.state",
                    "-o", "q.csv")
        with open(self.dir / "q.csv", newline="", encoding="utf-8") as f:
            row = list(csv.DictReader(f))[-1]
        self.assertEqual(float(row["time_s"]), time)
        return {m[1] for k, v in row.items() if (m := re.fullmatch(r"(?:discrete\.)?'(.*)'(?:\.state)?", k))
                and float(v) == 1 and "." in m[1]}

    def test_diagrams_are_the_states_of_runs(self):
        for file, times in (("fill-and-drain.yaml", (0.5, 5, 20, 90, 100)), ("diamond.yaml", (3, 9.6, 16, 60)),
                            ("gates.yaml", (0.5, 12, 100)), ("y-junction.yaml", (50, 70, 130, 230)), ("turnip.yaml", (100, 400)),
                            ("surge-shaft.yaml", (5, 11, 90))):
            for time in times:
                with self.subTest(file, time=time):
                    (frame,) = self.film(file, "--diagram", "--time", f"{time}s")
                    ones = self.discrete_at(file, time)
                    shown = {n for n in ones if n.rsplit(".", 1)[1] in ("leg", "joint", "flow", "src") and n in frame.marks}
                    shown |= {n for n in ones if n.endswith(".src")}
                    self.check_frame(frame, shown, True)
                    shut = {n for n in frame.marks if n.endswith(".open")}
                    self.assertFalse(shut & ones)

    def test_film_of_a_run(self):
        film = self.film("fill-and-drain.yaml", "--film", "steps")
        heads = [f.head for f in film]
        self.assertIn("10.9615 s, t = 0", heads)
        self.assertIn("88.8457 s, t = 5, settled", heads)
        self.assertEqual(film[heads.index("10.9615 s, t = 0")].words, Counter(["ctl"]))
        for head, words in (("1 s, t = 3", "branch seed"), ("10.9615 s, t = 4, settled", "branch seed seed"),
                            ("88.8457 s, t = 5, settled", "cut rec rec rec"),
                            ("96.4829 s, t = 0", "legctl"), ("96.4829 s, t = 1", "cut"), ("96.4829 s, t = 4, settled", "cut rec rec")):
            self.assertEqual(film[heads.index(head)].words, Counter(words.split()), head)
        whole = len(film)
        part = self.film("fill-and-drain.yaml", "--film", "steps", "--from", "10s", "--until", "20s")
        self.assertEqual({f.head.split()[0] for f in part}, {"10.9615"})
        self.assertLess(len(part), whole)

    def test_films_of_results(self):
        for file in ("diamond.yaml", "y-junction.yaml"):
            film = self.sluice("plot", file, "--film", "executions", "-o", "-")[0]
            diagram = self.sluice("plot", file, "--diagram", "--time", "15s", "-o", "-")[0]
            for ending in ("json", "h5"):
                with self.subTest(file, ending=ending):
                    self.sluice("run", file, "-o", f"r.{ending}")
                    self.assertEqual(self.sluice("plot", f"r.{ending}", "--film", "executions", "-o", "-")[0], film)
                    self.assertEqual(self.sluice("plot", f"r.{ending}", "--diagram", "--time", "15s", "-o", "-")[0], diagram)

    def test_profiles_of_results(self):
        profile = self.sluice("plot", "gates.yaml", "--profile", "upper,plant", "--time", "15s", "-o", "-")[0]
        for ending in ("json", "h5"):
            self.sluice("run", "gates.yaml", "-o", f"r.{ending}")
            self.assertEqual(self.sluice("plot", f"r.{ending}", "--profile", "upper,plant", "--time", "15s", "-o", "-")[0], profile)
        self.sluice("run", "gates.yaml", "-o", "r.csv")
        _, err = self.sluice("plot", "r.csv", "--network", "gates.yaml", "--profile", "upper,plant", "-o", "no.svg", code=2)
        self.assertIn("the result has no events", err)
        self.sluice("run", "gates.yaml", "--variable", "valve.*.head", "-o", "part.json")
        _, err = self.sluice("plot", "part.json", "--profile", "upper,plant", "-o", "no.svg", code=2)
        self.assertIn("the result does not have what the picture shows", err)
        self.sluice("plot", "part.json", "--diagram", "--time", "20s", "-o", "part.svg")

    def test_part_of_a_network(self):
        (frame,) = self.film("diamond.yaml", "--diagram", "--node", "bend")
        pipes = {n.split("[")[1].split("]")[0] for n in frame.marks if n.startswith("mid")}
        valves = {n.split("[")[1].split("]")[0] for n in frame.marks if n.startswith("valve")}
        self.assertEqual((pipes, valves), ({"upper", "lower"}, {"fork", "bend", "foot"}))

    def test_formats(self):
        for ending in ("png", "pdf"):
            self.sluice("plot", "gates.yaml", "--diagram", "--dark", "-o", f"a.{ending}")
            self.assertGreater((self.dir / f"a.{ending}").stat().st_size, 1000)

    def test_marks_do_not_meet(self):
        """Rings are told apart, whatever the network: where many pipes meet too."""
        wide = "sluice: tunnel/1\nrun: {end: 100}\nvalves:\n" + "".join(
            f"  gate {i}: {{elevation: 50, tub: {{level: 60}}}}\n" for i in range(9)) + \
            "  hall: {elevation: 20}\n  plant: {elevation: 0, tub: outfall}\ntunnels:\n" + "".join(
                f"  gallery {i}: {{from: gate {i}, to: hall, length: {60 + i}, area: 1, friction: 0.02}}\n" for i in range(9)) + \
            "  penstock: {from: hall, to: plant, length: 60, area: 1, friction: 0.02}\n" \
            "  bypass: {from: hall, to: plant, length: 90, area: 1, friction: 0.02}\n" \
            "  spill: {from: gate 3, to: plant, length: 300, area: 1, friction: 0.02}\n"
        self.file("wide.yaml", wide)
        for file in ("wide.yaml", "diamond.yaml", "turnip.yaml", "fill-and-drain.yaml"):
            (frame,) = self.film(file, "--diagram", "--time", "10s")
            rings = {n: look["shape"] for n, (_, look) in frame.marks.items() if n.endswith(".joint")}
            middle = {n: (sum(x for x, _ in s) / len(s), sum(y for _, y in s) / len(s)) for n, s in rings.items()}
            names = sorted(middle)
            for i, a in enumerate(names):
                for b in names[:i]:
                    d = ((middle[a][0] - middle[b][0]) ** 2 + (middle[a][1] - middle[b][1]) ** 2) ** 0.5
                    self.assertGreater(d, 6.0, (file, a, b))

    def test_what_cannot_be_drawn(self):
        long = "sluice: tunnel/1\nrun: {end: 10}\nvalves:\n" + "".join(f"  v{i}: {{elevation: {500 - i}}}\n" for i in range(200)) + \
            "  end: {elevation: 0, tub: outfall}\ntunnels:\n" + "".join(
                f"  t{i}: {{from: v{i}, to: v{i + 1}, length: 10, area: 1, friction: 0}}\n" for i in range(199)) + \
            "  last: {from: v199, to: end, length: 400, area: 1, friction: 0}\n"
        self.file("long.yaml", long)
        self.sluice("run", "gates.yaml", "-o", "r.json")
        for args, code, says in (
                (["long.yaml", "--diagram"], 2, "needs 420 by 33"),
                (["long.yaml", "--diagram", "--size", "300x300", "--node", "v7"], 2, "leave --size out"),
                (["gates.yaml", "--diagram", "--film", "steps"], 4, "a command draws one picture"),
                (["gates.yaml", "--control", "tub[upper].legctl"], 4, "--control and --state apply to a"),
                (["gates.yaml", "--diagram", "--control", "-", "--time", "3s"], 4, "run the discrete model without time"),
                (["gates.yaml", "--film", "steps", "--time", "3s"], 4, "a --film takes --from and --until"),
                (["gates.yaml", "--diagram", "--from", "3s"], 4, "a --diagram takes --time"),
                (["gates.yaml", "--diagram", "--range", "0:1"], 4, "a diagram has no axes"),
                (["gates.yaml", "--diagram", "--what", "flow"], 4, "--node A,B"),
                (["gates.yaml", "--diagram", "--time", "max"], 4, "--time of a diagram must be a time"),
                (["gates.yaml", "--diagram", "--time", "3steps"], 4, "--time 3steps"),
                (["gates.yaml", "--diagram", "--time", "2h"], 2, "the run ends before the time of the picture"),
                (["gates.yaml", "--film", "stills"], 4, "steps"),
                (["gates.yaml", "--film", "steps", "--from", "500s"], 2, "the film has no frames"),
                (["gates.yaml", "--diagram", "--node", "forc"], 2, "did you mean fork?"),
                (["gates.yaml", "--diagram", "--state", "tub[uper].leg"], 2, "did you mean tub[upper].leg?"),
                (["gates.yaml", "--film", "steps", "--control", "tub[upper].leg"], 2, "'tub[upper].leg' cannot be raised"),
                (["gates.yaml", "--film", "steps", "--control", "tub[fork].legctl"], 2, "cannot be raised"),
                (["r.json", "--diagram", "--control", "-"], 4, "apply to models, not to results"),
                (["r.json", "--diagram", "--time", "2h"], 2, "the result ends before the time of the picture"),
                (["r.json", "--network", "diamond.yaml", "--diagram", "--time", "20s"], 2, "are not those of this model")):
            with self.subTest(args=args):
                _, err = self.sluice("plot", *args, "-o", "no.svg", code=code)
                self.assertIn(says, err)
                self.assertFalse((self.dir / "no.svg").exists())


if __name__ == "__main__":
    main()
