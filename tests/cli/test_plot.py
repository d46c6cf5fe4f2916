#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sluice plot: pictures that parse, show what was asked for, and errors that say what is there instead."""
import os
import re
import struct
import xml.etree.ElementTree as ElementTree

from cli_test import Case, GOOD, ROOT, main
from test_compare import out_file

SVG = "{http://www.w3.org/2000/svg}"
ODD = 'J<&">é'


def texts(root):
    return ["".join(t.itertext()) for t in root.iter(SVG + "text")]


def tips(root):
    """What paths say when pointed at."""
    return [t.text for path in root.iter(SVG + "path") for t in path.iter(SVG + "title")]


class Plot(Case):
    def setUp(self):
        super().setUp()
        self.file("town.inp")
        self.sluice("run", "-q", "town.inp", "-o", "town.out")

    def svg(self, *args, **kw):
        out, err = self.sluice("plot", *args, "-o", "-", **kw)
        self.assertEqual(err, "")
        return ElementTree.fromstring(out)

    def wrong(self, *args, code=2):
        _, err = self.sluice("plot", *args, "-o", "x.svg", code=code)
        self.assertNotIn("x.svg", self.names())
        return err

    # ---- Over time

    def test_lines(self):
        root = self.svg("town.out", "--node", "J1,J2", "--node", "T1")
        shown = texts(root)
        self.assertEqual(shown[0], "A small town")
        self.assertIn("Pressure [m] of 3 nodes", shown)
        self.assertIn("Time [h]", shown)
        self.assertTrue({"J1", "J2", "T1", "0", "12", "24"} <= set(shown))
        self.assertEqual(sorted(tips(root)), ["J1", "J2", "T1"])

    def test_all_pressures_are_those_of_junctions(self):
        self.assertEqual(sorted(tips(self.svg("town.out", "--node", "ALL"))), ["J1", "J2"])
        self.assertEqual(len(tips(self.svg("town.out", "--node", "all", "--what", "head"))), 4)

    def test_once_each(self):
        self.assertEqual(tips(self.svg("town.out", "--node", "J1,J1", "--node", "J1")), ["J1"])

    def test_quantities_and_units(self):
        for args, label in ((["--link", "P1"], "Flow [L/s] of link P1"),
                            (["--link", "P1", "--what", "velocity"], "Velocity [m/s] of link P1"),
                            (["--link", "P1", "-w", "headloss"], "Head loss [m/km] of link P1"),
                            (["--node", "J1", "--what", "Head"], "Head [m] of node J1")):
            self.assertIn(label, texts(self.svg("town.out", *args)))
        self.sluice("run", "-q", "town.inp", "-u", "GPM", "-o", "us.out")
        self.assertIn("Pressure [psi] of node J1", texts(self.svg("us.out", "--node", "J1")))
        self.sluice("run", "-q", "town.inp", "-u", "CMH", "-o", "h.out")
        self.assertIn("Flow [m³/h] of link P1", texts(self.svg("h.out", "--link", "P1")))

    def test_values_are_where_they_belong(self):
        """The curve of a reservoir's head: flat, at the height of its tick."""
        root = self.svg("town.out", "--node", "R1", "--what", "head")
        ticks = {t.text: float(t.get("y")) - 4 for t in root.iter(SVG + "text") if re.fullmatch(r"[\d.]+", t.text or "")
                 and t.get("text-anchor") == "end"}
        (low, y_low), (high, y_high) = (min(ticks.items(), key=lambda k: float(k[0])), max(ticks.items(), key=lambda k: float(k[0])))
        curve = [p for p in root.iter(SVG + "path") if p.find(SVG + "title") is not None][0]
        y = float(re.match(r"M[\d.]+ ([\d.]+)", curve.get("d")).group(1))
        value = float(low) + (y_low - y) / (y_low - y_high) * (float(high) - float(low))
        self.assertAlmostEqual(value, 60.0, delta=0.02)

    def test_part_of_the_run(self):
        shown = texts(self.svg("town.out", "--node", "J1", "--from", "6:00", "--until", "12:00"))
        self.assertTrue({"6:00", "12:00", "Time [h:min]"} <= set(shown))
        self.assertIn("0:00 to 24:00", self.wrong("town.out", "--node", "J1", "--from", "30:00"))

    def long_result(self, periods, odd):
        """Two nodes over many periods, pressure of J1 40, but for {period: value}."""
        content = bytearray(out_file(periods=periods))
        for period, value in odd.items():
            struct.pack_into("<f", content, len(content) - 28 - 64 * (periods - period) + 16, value)
        self.file("long.out", content)
        root = self.svg("long.out", "--node", "J1")
        path = [p for p in root.iter(SVG + "path") if p.find(SVG + "title") is not None][0]
        return root, path.get("d")

    def test_no_peak_is_lost(self):
        """Far more periods than pixels: one that is higher stands out."""
        root, path = self.long_result(20000, {12345: 90.0})
        self.assertIn("90", texts(root))
        self.assertLess(len(path), 40000)
        ys = [float(y) for y in re.findall(r"[ l]-?[\d.]+(?: |(?=-))(-?\d[\d.]*)", path)]
        self.assertTrue([y for y in ys if y < -50], "no steep way up")

    def test_gaps(self):
        self.assertEqual(self.long_result(10, {})[1].lower().count("m"), 1)
        self.assertEqual(self.long_result(10, {4: float("nan")})[1].lower().count("m"), 2)
        _, path = self.long_result(10, {4: float("nan"), 6: float("inf")})
        self.assertEqual(path.lower().count("m"), 3)
        self.assertIn("h0", path)  # the one between is a dot

    def test_many_become_bands(self):
        self.sluice("gen", "city", "-n", "300", "-q", "-o", "city.inp")
        self.sluice("run", "-q", "city.inp", "-o", "city.out")
        root = self.svg("city.out", "--node", "ALL")
        shown = texts(root)
        self.assertTrue({"median", "10 to 90 %", "least to most"} <= set(shown))
        self.assertEqual(len([t for t in shown if t.endswith((", highest", ", lowest"))]), 2)
        self.assertLess(len(list(root.iter(SVG + "path"))), 30)
        some = texts(self.svg("city.out", "--node", "J1,J2,J3,J4,J5,J6,J7,J8,J9,J10,J11,J12"))
        self.assertIn("each of the others", some)
        self.assertNotIn("least to most", some)

    def test_status_lanes(self):
        shown = texts(self.svg("town.out", "--link", "ALL", "--what", "status"))
        self.assertTrue({"P1", "P2", "P3", "open"} <= set(shown))

    # ---- Maps

    def test_map(self):
        root = self.svg("town.out", "--map", "--time", "0:30")
        shown = texts(root)
        self.assertIn("Pressure [m], at 0:00", shown)
        self.assertTrue({"reservoir", "tank", "R1", "T1"} <= set(shown))
        self.assertFalse({"pump", "valve", "closed pipe"} & set(shown))
        self.assertTrue(any(re.fullmatch(r"J1: [\d.]+ m", t) for t in tips(root)))
        self.assertEqual(len([t for t in shown if t.startswith(("highest", "lowest"))]), 2)

    def test_map_is_true_to_coordinates(self):
        """A square of 100 by 100 stays a square."""
        root = self.svg("town.inp", "--map")
        path = {t.text: p.get("d") for p in root.iter(SVG + "path") for t in p.iter(SVG + "title")}
        numbers = {k: [float(x) for x in re.findall(r"-?\.?\d+\.?\d*", d)] for k, d in path.items()}
        self.assertAlmostEqual(abs(numbers["P2"][2]), abs(numbers["P3"][3]), delta=0.11)
        self.assertAlmostEqual(abs(numbers["P2"][3]), 0, delta=0.11)

    def test_map_over_time(self):
        for word, text in (("max", "most"), ("min", "least"), ("mean", "mean")):
            self.assertIn(f"Flow [L/s], {text} from 0:00 to 24:00", texts(self.svg("town.out", "--map", "-w", "flow", "-t", word)))

    def test_bare_network(self):
        shown = texts(self.svg("town.inp", "--map"))
        self.assertIn("Elevation [m]", shown)
        self.assertIn("Diameter [mm]", texts(self.svg("town.inp", "--map", "--what", "diameter")))
        self.assertIn("elevation, diameter", self.wrong("town.inp", "--map", "--what", "colour"))
        run = self.run_raw("plot", "-", "--map", "-o", "-", input=GOOD.encode())
        self.assertEqual(run.returncode, 0)
        ElementTree.fromstring(run.stdout)

    def test_where_the_model_is(self):
        (self.dir / "away").mkdir()
        os.rename(self.dir / "town.out", self.dir / "away/town.out")
        self.svg("away/town.out", "--map")  # the path in the result
        os.rename(self.dir / "town.inp", self.dir / "away/town.inp")
        self.svg("away/town.out", "--map")  # beside the result
        os.rename(self.dir / "away/town.inp", self.dir / "other.inp")
        self.assertIn("its model town.inp was not found; name the model with --network FILE.inp", self.wrong("away/town.out", "--map"))
        self.svg("away/town.out", "--map", "--network", "other.inp")

    def test_coordinates(self):
        self.file("none.inp", re.sub(r"\[COORDINATES\].*?\[END\]", "[END]", GOOD, flags=re.S))
        self.assertIn("no node has coordinates", self.wrong("none.inp", "--map"))
        self.assertIn("no node has coordinates", self.wrong("town.out", "--map", "--network", "none.inp"))
        self.file("some.inp", GOOD.replace("J2  100  0\n", ""))
        _, err = self.sluice("plot", "some.inp", "--map", "-o", "some.svg")
        self.assertIn("1 of 4 nodes have no coordinates", err)
        self.assertNotIn("P2", tips(ElementTree.parse(self.dir / "some.svg").getroot()))
        self.file("same.inp", re.sub(r"(J2|R1|T1)  \d+ +\d+\n", r"\1  0  0\n", GOOD))
        self.svg("same.inp", "--map")
        self.file("far.inp", GOOD.replace("T1  100  100", "T1  1e300  -1e300"))
        self.svg("far.inp", "--map")
        self.file("beyond.inp", GOOD.replace("T1  100  100", "T1  1.5e308  0").replace("J1  0    0", "J1  -1.5e308 0"))
        self.assertIn("too far apart", self.wrong("beyond.inp", "--map"))

    def test_another_network(self):
        self.file("other.inp", GOOD.replace("J1", "K1").replace("J2", "K2"))
        _, err = self.sluice("plot", "town.out", "--map", "--network", "other.inp", "-o", "x.svg")
        self.assertIn("2 of 7 nodes and links are not in the result", err)

    # ---- Pages

    def test_odd_texts(self):
        model = GOOD.replace("J1", ODD).replace("A small town", 'A <b>town</b> & "more"')
        self.file("odd.inp", model)
        self.sluice("run", "-q", "odd.inp", "-o", "odd.out")
        self.assertIn(f"Pressure [m] of node {ODD}", texts(self.svg("odd.out", "--node", ODD)))
        root = self.svg("odd.out", "--map", "--title", "T\t<&>\x01")
        self.assertEqual(texts(root)[0], "T <&> ")
        self.assertTrue(any(t.startswith(ODD) for t in tips(root)))
        self.file("latin.inp", model.replace("é", "e").encode() + b";\xe9\n")
        self.svg("latin.inp", "--map")

    def test_same_bytes(self):
        for args in (["--node", "ALL"], ["--map"], ["--link", "ALL", "-w", "status"]):
            self.assertEqual(self.sluice("plot", "town.out", *args, "-o", "-"), self.sluice("plot", "town.out", *args, "-o", "-"))

    def test_size_range_dark(self):
        root = self.svg("town.out", "--node", "J1", "--size", "500x300", "--range", "0:100", "--dark")
        self.assertEqual((root.get("width"), root.get("height")), ("500", "300"))
        self.assertTrue({"0", "100"} <= set(texts(root)))
        self.assertNotEqual(root.find(SVG + "rect").get("fill"), "#fff")
        self.assertIn("47", " ".join(texts(self.svg("town.out", "--map", "--range", "41:47"))))
        for bad in (["--size", "10x10"], ["--size", "900"], ["--range", "5:1"], ["--range", "5"], ["--range", "-1e308:1e308"], ["--time", "noon"],
                    ["--from", "1:00"]):
            self.wrong("town.out", "--map", *bad, code=4)

    def test_small_pages(self):
        for args in (["--map"], ["--node", "ALL"], ["--link", "ALL"], ["--link", "ALL", "-w", "status"]):
            self.svg("town.out", *args, "--size", "200x200")

    def test_large_map_is_few_paths(self):
        self.sluice("gen", "city", "-n", "20000", "-q", "-o", "city.inp")
        out, _ = self.sluice("plot", "city.inp", "--map", "-o", "-")
        root = ElementTree.fromstring(out)
        self.assertLess(len(list(root.iter(SVG + "path"))), 1000)
        self.assertLess(len(out), 1_000_000)

    def test_png_and_pdf(self):
        run = self.run_raw("plot", "town.out", "--map", "--size", "640x480", "-o", "a.png")
        err = run.stderr.decode()
        if "cairo" not in os.environ["SLUICE_WITH"]:
            self.assertEqual(run.returncode, 4)
            self.assertIn("libcairo2", err)
            self.assertNotIn("a.png", self.names())
            print("skipped PNG and PDF: the program was built without cairo", flush=True)
            return
        self.assertEqual(run.returncode, 0, err)
        png = (self.dir / "a.png").read_bytes()
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">2I", png[16:24]), (640, 480))
        for args in (["--node", "ALL"], ["--link", "ALL", "-w", "status"], ["--map", "-w", "flow"]):
            self.sluice("plot", "town.out", *args, "-o", "a.pdf")
            self.assertEqual((self.dir / "a.pdf").read_bytes()[:5], b"%PDF-")

    # ---- Errors

    def test_unknown_elements(self):
        err = self.wrong("town.out", "--node", "J11,T11")
        self.assertIn("node J11: is selected, but does not exist [unknown-node]", err)
        self.assertIn("did you mean 'J1'?", err)
        self.assertIn("did you mean 'T1'?", err)
        self.assertIn("node P1: is selected, but does not exist", self.wrong("town.out", "--node", "P1"))
        self.assertIn("[unknown-link]", self.wrong("town.out", "--link", "Q"))

    def test_unknown_quantities(self):
        self.assertIn("did you mean pressure?", self.wrong("town.out", "--node", "J1", "--what", "presure"))
        self.assertIn("nothing is selected", self.wrong("town.out", "--node", "J1", "--what", "flow"))
        self.assertIn("'quality' is not in these results", self.wrong("town.out", "--node", "J1", "--what", "quality"))

    def test_wrong_times(self):
        self.assertIn("25:00 is outside the result, which goes from 0:00 to 24:00", self.wrong("town.out", "--map", "-t", "25:00"))

    def test_not_results(self):
        self.file("text.out", "no result\n" * 20)
        self.assertIn("no model: no [SECTION]", self.wrong("text.out", "--map"))
        self.assertIn("cannot read", self.wrong("none.out", "--map", code=5))

    def test_wrong_use(self):
        for wrong, words in ((["--map", "--profile", "J1,J2"], "a command draws one picture"),
                             (["--profile", "J1,J2", "--what", "flow"], "a profile always shows heads"),
                             (["--profile", "J1,J2,J3"], "name nodes between them with --via"),
                             (["--node", "J1", "--via", "J2"], "--via applies to --profile only"),
                             (["--node", "J1", "--time", "6:00"], "--time applies to maps and profiles"),
                             (["--profile", "J1,J2", "--from", "6:00"], "maps and profiles take --time"),
                             (["--map", "--what", "flow", "--what", "head"], "a map shows one quantity"),
                             (["--profile", "J1,J2", "--time", "max"], "--time of a profile must be a time")):
            self.assertIn(words, self.wrong("town.out", *wrong, code=4))
        self.assertIn("a command draws one picture", self.wrong("town.out", "--map", "--node", "J1", code=4))
        _, err = self.sluice("plot", "town.out", "--map", code=4)
        self.assertIn("the output file is missing", err)
        _, err = self.sluice("plot", "town.out", "--map", "-o", "a.bmp", code=4)
        self.assertIn(".svg, .png or .pdf", err)

    def test_no_half_picture(self):
        (self.dir / "kept.svg").write_text("old")
        self.sluice("plot", "town.out", "--node", "nobody", "-o", "kept.svg", code=2)
        self.assertEqual((self.dir / "kept.svg").read_text(), "old")
        self.sluice("plot", "town.out", "--map", "-o", "nowhere/a.svg", code=5)

    def test_examples(self):
        for path in sorted((ROOT / "examples").glob("*.inp")):
            if path.name != "broken.inp":
                with self.subTest(path.name):
                    self.svg(path, "--map")


if __name__ == "__main__":
    main()
