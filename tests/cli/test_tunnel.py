#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program on tunnels: the examples run, in every format; their discrete model as an automaton; a gate that a partner moves."""
import csv
import json
import re
import shutil
import sys
import unittest

from cli_test import Case, ROOT, main

EXAMPLES = ROOT / "examples"


class Tunnels(Case):
    def setUp(self):
        super().setUp()
        for path in (EXAMPLES / "tunnel").iterdir():
            shutil.copy(path, self.dir)

    def rows(self, name):
        with open(self.dir / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_every_example_runs(self):
        for path in sorted((EXAMPLES / "tunnel").iterdir()):
            with self.subTest(path.name):
                out, err = self.sluice("run", path.name, "-o", "a.csv", "-o", "a.json", "-o", "a.svg")
                self.assertEqual(err, "")
                self.assertIn(" s simulated, ", out)
                self.assertTrue(len(self.rows("a.csv")) > 50)
                json.loads((self.dir / "a.json").read_text(encoding="utf-8"))
                out, err = self.sluice("check", path.name)
                self.assertIn("fine", out)

    def test_events_by_name(self):
        self.sluice("run", "fill-and-drain.yaml", "--events", "events.csv")
        events = self.rows("events.csv")
        self.assertEqual([e["cause"] for e in events if e["kind"] == "crossing"], ["fill(main)", "tubdry(gate)", "empty(main,1)"])
        rose = [e["element"] for e in events if e["kind"] == "transition" and e["to"] == "1"]
        order = ["tub[gate].branch", "valve[gate].seed", "end[main,0].seed", "mid[main].branch", "end[main,1].branch",
                 "valve[plant].seed", "tub[plant].seed", "tub[gate].cut", "valve[gate].rec", "mid[main].rec", "end[main,1].cut",
                 "valve[plant].rec"]
        at = [rose.index(name) for name in order]
        self.assertEqual(at, sorted(at))

    def test_water_is_kept(self):
        self.sluice("run", "fill-and-drain.yaml", "-o", "a.csv")
        for row in self.rows("a.csv"):
            total = sum(float(v) for k, v in row.items() if k.endswith(("water_m3", "volume_m3", "flooded_m3")))
            self.assertAlmostEqual(total, 2000.0, delta=1e-9)

    def test_discrete_model_as_an_automaton(self):
        self.sluice("convert", "diamond.yaml", "discrete.yaml")
        out, _ = self.sluice("check", "discrete.yaml")
        self.assertIn("deterministic: proved; zeno-free: proved, at most 5 steps", out)

    def test_a_partner_moves_the_gate(self):
        for name in ("gate.yaml", "gate_control.py"):
            text = (EXAMPLES / "cosim" / name).read_text(encoding="utf-8").replace("../tunnel/", "")
            (self.dir / name).write_text(text, encoding="utf-8")
        out, err = self.sluice("cosim", "gate.yaml", "-o", "a.csv", "--", sys.executable, "{here}/gate_control.py", "{in}", "{out}")
        self.assertEqual(err, "")
        table = self.rows("a.csv")
        flow = next(k for k in table[0] if k.startswith("end.'pressure.to'.flow"))
        water = next(k for k in table[0] if k.startswith("end.'shaft.to'.volume"))
        shut = [float(r["time_s"]) for r in table if float(r[flow]) == 0.0 and float(r["time_s"]) > 0]
        high = [float(r["time_s"]) for r in table if float(r[water]) > 301.0]
        self.assertTrue(high and set(t + 1 for t in high) <= set(shut), (high, shut))

    def test_what_there_is(self):
        out, err = self.sluice("check", "turnip.yaml")
        self.assertIn("fine (tunnels, 900 s)", out)
        self.assertIn("Valves        8: 1 level, 1 reservoir, 2 outfalls, 4 joints", out)
        page = json.loads(self.sluice("info", "turnip.yaml", "--json")[0])
        self.assertEqual(page["counts"]["discrete"], 8 * 16 + 8 * 29)
        self.assertAlmostEqual(page["volume_m3"], sum(t["length_m"] * t["area_m2"] for t in page["stretches"]))
        # one that is half full, the others full; a tunnel with a kink is two stretches and has a joint that is no valve of the file
        self.assertAlmostEqual(page["water_m3"], 750 + sum(t["volume_m3"] for t in page["stretches"]
                                                           if t["id"] not in ("intake", "shaft")))
        text = (self.dir / "gates.yaml").read_text(encoding="utf-8")
        self.file("kink.yaml", text.replace("length: 100,", "profile: {chainage: [0, 60, 100], elevation: [0, -4, -5]},"))
        page = json.loads(self.sluice("info", "kink.yaml", "--json")[0])
        self.assertEqual([page["counts"][k] for k in ("valves", "joints", "tunnels", "stretches", "gates_shut")], [4, 1, 3, 4, 1])
        self.assertIn("3, in 4 straight stretches, 350 m, 1100 m3 when full", self.sluice("info", "kink.yaml")[0])

    def test_summary(self):
        out, _ = self.sluice("run", "gates.yaml")
        self.assertRegex(out, r"\n  upper flow \[m3/s\]      0 \(0 s\) to 43\.7")
        self.assertNotIn("fork water", out)  # a joint has no outside
        ranges = json.loads(self.sluice("run", "gates.yaml", "--json")[0])["summary"]["variables"]
        still = [k for k, v in ranges.items() if v["min"] == v["max"]]
        self.assertIn("fork water", still)
        self.assertIn(f"\n  Unchanged     {len(still)} values: --json has them\n", out)
        self.assertLess(out.count("\n"), 30)

    def test_summary_of_many(self):
        text = "sluice: tunnel/1\nrun: {end: 5}\nvalves:\n" + "".join(
            f"  a{i}: {{elevation: 10, tub: {{level: 12}}}}\n  b{i}: {{elevation: 0, tub: outfall}}\n" for i in range(9)) + "tunnels:\n"
        self.file("many.yaml", text + "".join(
            f"  t{i}: {{from: a{i}, to: b{i}, length: 90, area: 1, friction: 0.02}}\n" for i in range(9)))
        out, _ = self.sluice("run", "many.yaml", "--report", "all.txt")
        self.assertRegex(out, r"  \.\.\. and \d+ more: --json has them")
        self.assertEqual(out.count(" to "), 30)
        report = (self.dir / "all.txt").read_text(encoding="utf-8")
        self.assertIn("\n  t8.from flow [m3/s]", report)
        self.assertNotIn("more: --json", report)
        _, err = self.sluice("run", "many.yaml", "-o", "rows.csv")  # without report times, of more than 100 variables
        self.assertIn("a row every 0.005 s, a thousandth of the run", err)
        self.assertEqual(len(self.rows("rows.csv")), 1001)
        _, err = self.sluice("run", "many.yaml", "-o", "rows.csv", "--every", "1 s")
        self.assertEqual((err, len(self.rows("rows.csv"))), ("", 6))

    def profile(self, *args):
        """Strokes of a long profile that say something when pointed at: what they say, x of their begin and of their end."""
        out, _ = self.sluice("plot", *args, "-o", "-")
        strokes = re.findall(r'<path d="M([\d.]+) [\d.]+l(-?[\d.]+)[ -][\d.-]+"/?><title>(.*)</title>', out)
        return [(text, float(x), float(x) + float(dx)) for x, dx, text in strokes]

    def test_long_profile(self):
        # at 12 s a column hangs in main, and one at the fork grows into main and out: 200 m of 4 m2, 100 m of 2 m2
        self.sluice("run", "gates.yaml", "--every", "12s", "-o", "a.csv")
        at = next(r for r in self.rows("a.csv") if float(r["time_s"]) == 12.0)
        for line, sign in (("upper,plant", 1), ("plant,upper", -1)):
            shown = self.profile("gates.yaml", "--profile", line, "--time", "12s")
            tubes = {text: x[::sign] for text, *x in shown if ":" not in text}  # from above to below
            for tunnel, end, full in (("main", "from", 800), ("main", "to", 800), ("out", "from", 200)):
                with self.subTest(f"{line}: {tunnel}.{end}"):
                    flow = sign * float(at[f"end.'{tunnel}.{end}'.flow_m3_per_s"])
                    begin, back = tubes[tunnel] if end == "from" else tubes[tunnel][::-1]
                    columns = [x for text, *x in shown if text == f"{tunnel}: {flow:.4g} m³/s"]
                    self.assertEqual(len(columns), 1, shown)
                    self.assertAlmostEqual(columns[0][0], begin, delta=0.11)
                    share = (columns[0][1] - begin) / (back - begin)
                    self.assertAlmostEqual(share, float(at[f"end.'{tunnel}.{end}'.volume_m3"]) / full, delta=0.002)
            self.assertEqual(sum(":" in text and "m³" in text for text, *_ in shown), 3)
            self.assertIn("upper: 24 m", [text for text, *_ in shown])
        texts = [text for text, *_ in self.profile("gates.yaml", "--profile", "upper,plant")]
        self.assertIn("a gate that is shut", texts)
        self.assertFalse([t for t in texts if "m³" in t])  # dry on the way

    def test_heads_before_gates_that_are_shut(self):
        """Water that stands before a gate has the head of the valve behind it; what lies on a gate the level of its front."""
        def heads(*args):
            out, _ = self.sluice("plot", *args, "-o", "-")
            style = r'<g fill="none" stroke="#d55e00" stroke-width="1.6">\n<path d="M([\d.]+) ([\d.]+)l(-?[\d.]+)[ ]?(-?[\d.]+)"/>'
            return [tuple(map(float, m)) for m in re.findall(style, out)][:-1]  # the last is that of the legend

        level = heads("turnip.yaml", "--profile", "bottom,tailrace", "--time", "450s")
        self.assertEqual(len(level), 2)
        self.assertEqual({dy for *_, dy in level}, {0.0})
        self.assertEqual(len({y for _, y, *_ in level}), 1)
        self.file("behind.yaml", "sluice: tunnel/1\nrun: {end: 9}\nvalves:\n  a: {elevation: 30, tub: {level: 20}}\n  b: {elevation: 0, tub: outfall}\n"
                                 "tunnels:\n  t: {from: a, to: b, length: 90, area: 1, friction: 0}\ngates: {t.to: [{at: 0, open: 0}]}\n"
                                 "start: {half: {t: {from: b, volume: 45}}}\n")
        ((_, _, dx, dy),) = heads("behind.yaml", "--profile", "a,b")
        self.assertTrue(dx < -100 and dy == 0)

    def test_charts_name_what_was_crossed(self):
        out, _ = self.sluice("plot", "fill-and-drain.yaml", "--what", "end.flow", "-o", "-")
        texts = re.findall(r"<text[^>]*>([^<]*)<", out)
        self.assertIn("a tunnel fills and runs dry", texts)
        self.assertTrue({"gate[gate] = 1", "tubdry(gate)"} <= set(texts), texts)
        self.assertFalse([t for t in texts if "ctl" in t or "transition" in t])

    def test_long_profiles_that_cannot_be(self):
        for args, code, says in ((["--profile", "upper,nowhere"], 2, "valve nowhere: there is no such valve"),
                                 (["--profile", "upper"], 2, "has no length"),
                                 (["--profile", "upper,plant", "--time", "2h"], 2, "the run ends before"),
                                 (["--map"], 4, "has no coordinates for a map")):
            _, err = self.sluice("plot", "gates.yaml", *args, "-o", "no.svg", code=code)
            self.assertIn(says, err)
            self.assertFalse((self.dir / "no.svg").exists())

    def test_what_may_be_meant_otherwise(self):
        text = (self.dir / "fill-and-drain.yaml").read_text(encoding="utf-8")
        _, err = self.sluice("check", "fill-and-drain.yaml")
        self.assertEqual(err, "")
        self.file("inflow.yaml", text.replace("level: 55", "level: 55, inflow: 1"))
        out, err = self.sluice("check", "inflow.yaml")
        self.assertIn("inflow.yaml: 1 warning (tunnels, 110 s)", out)
        self.assertIn("inflow.yaml:7:3: warning: valve gate: the reservoir has inflow and a hysteresis of 1e-06 m", err)
        self.file("inflow.yaml", text.replace("level: 55}", "level: 55, inflow: 1}, hysteresis: 0.05"))
        self.assertEqual(self.sluice("check", "inflow.yaml")[1], "")
        self.file("loss.yaml", text.replace("in: [1.5, 1.5]", "in: [0.9, 1.5]"))
        self.assertIn("info: tunnel main: the loss at 'from' is 0.9 where water enters: ", self.sluice("check", "loss.yaml")[1])
        self.file("loss.yaml", text.replace("in: [1.5, 1.5]", "in: [0.9, 1.5]") + "start: {full: [main]}\n")
        self.assertEqual(self.sluice("check", "loss.yaml")[1], "")

    NETWORK = ("sluice: tunnel/1\nrun: {end: 60}\nvalves:\n  gate:  {elevation: 50, tub: {level: 55}}\n  fork:  {elevation: 20}\n"
               "  plant: {elevation: 0, tub: outfall}\ntunnels:\n  main: {from: gate, to: fork, length: 100, area: 1, friction: 0.02}\n"
               "  out:  {from: fork, to: plant, length: 100, area: 1, friction: 0.02}\n")

    def problems(self, old, new, code=2):
        """What check says of the network with something else in it: first lines and hints, in pairs."""
        self.assertIn(old, self.NETWORK)
        self.file("n.yaml", self.NETWORK.replace(old, new))
        err = self.sluice("check", "n.yaml", code=code)[1]
        return [(m[1], m[2] or "") for m in re.finditer(r"^n\.yaml:([^\n]*)\n(?:[^\n]*\|[^\n]*\n)*(?:     = ([^\n]*))?", err, re.M)]

    def test_slips_are_named_once_with_a_remedy(self):
        gate, start = "gates: {%s: [%s]}\n", "start: {%s}\n"
        end = "  out:  {from: fork, to: plant, length: 100, area: 1, friction: 0.02}\n"
        for old, new, says, hint in (
                ("elevation: 50", "elevation: 50 kg", "4:22: error: elevation: 'kg' is a unit of something else", "write a number with a unit such as m"),
                ("to: fork, length: 100,", "to: fork, length: 100 kg,", "8:40: error: length: 'kg' is a unit", "write a number with a unit such as m"),
                ("to: fork, length: 100, area: 1,", "to: fork, length: 100, area: -1,", "8:51: error: area: '-1' is not above 0", "write a number above 0"),
                ("to: plant, length: 100, area: 1, friction: 0.02", "to: plant, length: 100, area: 1, friction: low",
                 "9:65: error: friction: 'low' is not a number", ""),
                ("to: plant, length: 100, area: 1, friction: 0.02", "to: plant, length: 100, area: 1", "9:3: error: the friction is given nowhere", "roughness"),
                ("from: fork, to: plant", "from: fork, to: frok", "9:26: error: there is no valve 'frok'", "did you mean 'fork'?"),
                (end, end + gate % ("gat", "{at: 0, open: 0}"), "10:9: error: there is no such gate", "did you mean gate?"),
                (end, end + gate % ("main.form", "{at: 0, open: 0}"), "10:9: error: there is no such gate", "did you mean main.from?"),
                (end, end + gate % ("qqqqqqqqqqqq", "{at: 0, open: 0}"), "10:9: error: there is no such gate", "name a valve for its tub"),
                (end, end + gate % ("gate", "{at: 10, open: 0}, {at: 10, open: 1}"), "10:35: error: the gate has two openings at 10 s", "leave one"),
                (end, end + start % "full: [mian]", "10:16: error: there is no tunnel 'mian'", "did you mean main?"),
                (end, end + start % "full: [main, main]", "10:22: error: the water at the start in 'main' is given twice", "name it once"),
                (end, end + start % "half: {main: {from: gate, volume: 500}}", "10:16: error: 500 m3 do not leave 'main' partly filled", "full"),
                (end, end + start % "half: {mian: {from: gate, volume: 5}}", "10:16: error: there is no such stretch", "did you mean main?"),
                (end, end + "start: wet\n", "10:8: error: the start is dry, or says where water is", "write dry, or {full:"),
        ):
            with self.subTest(new=new):
                problems = self.problems(old, new)
                self.assertEqual(len(problems), 1, problems)
                self.assertTrue(problems[0][0].startswith(says), problems)
                self.assertIn(hint, problems[0][1])
        problems = self.problems("from: fork, to: plant", "from: fork, to: fork")
        self.assertEqual([p[0].split(" [")[0] for p in problems], ["9:3: error: both ends are at the same valve", "6:3: error: no tunnel leads to the valve"])
        self.assertIn("tunnels lead in a circle: 'out' 'main'", self.problems("from: fork, to: plant", "from: fork, to: gate")[0][0])
        self.file("n.yaml", "sluice: tunnel/1\nrun: {end: 5}\nvalves: {}\ntunnels: {}\n")
        self.assertIn("n.yaml:4:1: error: there are no tunnels", self.sluice("check", "n.yaml", code=2)[1])

    def test_notes_name_lines(self):
        ((rise, hint),) = self.problems("fork:  {elevation: 20}", "fork:  {elevation: 70}", code=0)
        self.assertEqual(rise, "8:3: info: tunnel main: it rises by 20 m from 'gate' to 'fork' [value-range]")
        self.assertIn("swap", hint)
        ((parts, _),) = self.problems("tunnels:\n", "  b: {elevation: 9, tub: outfall}\n  c: {elevation: 7, tub: outfall}\ntunnels:\n"
                                      "  t: {from: b, to: c, length: 9, area: 1, friction: 0}\n", code=0)
        self.assertEqual(parts, "7:3: warning: valve b: no tunnel joins it with 'gate': of 5 valves 2 are apart, and move on their own [unconnected]")

    def test_series_of_a_file(self):
        text = (self.dir / "gates.yaml").read_text(encoding="utf-8")
        (self.dir / "sub").mkdir()
        self.file("sub/side.csv", "time, level\n0, 25\n5 min, 23\n")
        self.file("sub/named.yaml", text.replace("{level: 25}", "{level: {series: side.csv}}"))
        self.file("sub/inside.yaml", text.replace("{level: 25}", "{level: {time: [0, 300], value: [25, 23]}}"))
        for name in ("named", "inside"):
            self.sluice("run", f"sub/{name}.yaml", "-o", f"{name}.csv")
        self.assertEqual(self.rows("named.csv"), self.rows("inside.csv"))
        self.file("sub/side.csv", "time, level\n0, 25\n5 min, high\n")
        _, err = self.sluice("check", "sub/named.yaml", code=2)
        self.assertRegex(err, r"side\.csv:3:8: error: 'high' is not a number")
        self.file("sub/named.yaml", text.replace("{level: 25}", "{level: {series: nowhere.csv}}"))
        _, err = self.sluice("check", "sub/named.yaml", code=5)
        self.assertRegex(err, r"named\.yaml:8:50: error: cannot read the file 'nowhere\.csv'")

    def test_what_is_wrong_is_said(self):
        self.file("bad.yaml", "sluice: tunnel/1\nrun: {end: 10}\nvalves: {a: {elevation: 1}, b: {elevation: 0}}\n"
                              "tunnels: {t: {from: a, to: c, length: 9, area: 1, friction: 0}}\n")
        _, err = self.sluice("check", "bad.yaml", code=2)
        self.assertIn("bad.yaml:4:28: error: there is no valve 'c'", err)


if __name__ == "__main__":
    main()
