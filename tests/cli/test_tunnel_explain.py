#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pages that explain tunnels: rows in force, transitions, data, in every form; of large networks those of named elements."""
import json
import re
import shutil
import unittest
import xml.etree.ElementTree as ET

from cli_test import Case, ROOT, main


class Explain(Case):
    def setUp(self):
        super().setUp()
        for path in (ROOT / "examples" / "tunnel").iterdir():
            shutil.copy(path, self.dir)

    def page(self, *args):
        return json.loads(self.sluice("explain", *args, "--json")[0])

    def rows(self, page, section):
        return {r["id"]: r.get("formula", r.get("what")) for r in page.get(section, {}).get("rows", [])}

    def test_all_rows(self):
        page = self.page("fill-and-drain.yaml")
        self.assertEqual(self.rows(page, "volume"), {"main.from": "der(V_main_from) = Q_main_from",
                                                     "main.to": "der(V_main_to) = -Q_main_to"})
        self.assertEqual(len(self.rows(page, "full")), 4)
        self.assertEqual(self.rows(page, "head")["gate, level outside"], "H_gate = b_gate + W_gate/S_gate")
        self.assertIn("fill(main)", self.rows(page, "roots"))
        # 15 V + 27 E transitions and two for each opening: 17 V + 31 E
        self.assertEqual(len(page["transitions"]["rows"]), 17 * 2 + 31)
        data = {r["id"]: r for r in page["data"]["rows"]}
        self.assertEqual(data["L_main"]["value_m"], 100)
        self.assertEqual(data["S_gate"]["value_m2"], 200)

    def test_rows_in_force(self):
        """A column that grows, one that fills, one whose tail leaves."""
        for time, half, full, head in ((5, ["main.from"], [], ["gate, level outside"]),
                                       (50, [], ["main"], ["gate, level outside", "plant, free fall"]),
                                       (92, ["main.to"], [], ["plant, free fall"]), (105, [], [], [])):
            page = self.page("fill-and-drain.yaml", "--time", f"{time}s")
            self.assertEqual(page["what"], f"a tunnel model at {time} s")
            self.assertEqual(list(self.rows(page, "half")), half)
            self.assertEqual(list(self.rows(page, "full")), full)
            self.assertEqual(list(self.rows(page, "head")), head)
            self.assertEqual(list(self.rows(page, "volume")), half)
            self.assertNotIn("transitions", page)
        self.assertIn("empty(main,1)", {r["what"] for r in page["events"]["rows"]})

    def test_rows_of_a_time_hold_its_values(self):
        """Put the page's values into the page's rows: heads, and flows that meet."""
        page = self.page("turnip.yaml", "--time", "100s")
        values = {r["id"]: next(v for k, v in r.items() if k.startswith("value")) for r in page["values"]["rows"]}
        values |= {r["id"]: next(v for k, v in r.items() if k.startswith("value")) for r in page["data"]["rows"]}
        for valve in ("junction", "bottom"):
            left = next(r["formula"] for r in page["meet"]["rows"] if r["id"] == valve).split(" = ")[0]
            self.assertGreater(len(re.findall("Q_", left)), 2)
            self.assertAlmostEqual(eval(left, {}, values), 0.0, delta=1e-9)  # pylint: disable=eval-used
        left, right = next(r["formula"] for r in page["head"]["rows"] if r["id"].startswith("river")).split(" = ")
        self.assertEqual(values[left], values[right])

    def test_mode(self):
        mode = "mid[main].joint=1,half[main,0].leg=1,half[main,1].leg=1,end[main,0].joint=1,valve[gate].joint=1"
        page = self.page("fill-and-drain.yaml", "--mode", mode)
        self.assertEqual(list(self.rows(page, "full")), ["main, free at to"])
        self.assertEqual(list(self.rows(page, "balance")), ["gate"])
        for wrong, says in (("mid[man].joint=1", "did you mean mid[main].joint?"), ("mid[main].joint=2", "a value is 0 or 1"),
                            ("mid[main].joint", "a value is 0 or 1")):
            _, err = self.sluice("explain", "fill-and-drain.yaml", "--mode", wrong, code=2)
            self.assertIn(says, err)

    def test_elements(self):
        page = self.page("diamond.yaml", "--node", "fork", "--link", "out", "--time", "60s")
        self.assertEqual(set(self.rows(page, "balance")), {"fork"})
        self.assertEqual(set(self.rows(page, "full")), {"out"})
        self.assertEqual({r["id"].split("[")[1].split(",")[0].split("]")[0] for r in page["discrete"]["rows"]}, {"fork", "out"})
        for args, says in ((["--node", "frok"], "did you mean fork?"), (["--link", "fork"], "there is no tunnel 'fork'"),
                           (["--time", "2h"], "the model ends at")):
            _, err = self.sluice("explain", "diamond.yaml", *args, code=2)
            self.assertIn(says, err)
        text = (self.dir / "gates.yaml").read_text(encoding="utf-8")
        self.file("kink.yaml", text.replace("length: 100,", "profile: {chainage: [0, 60, 100], elevation: [0, -4, -5]},"))
        self.assertEqual(set(self.rows(self.page("kink.yaml", "--link", "out"), "same")), {"out[0]", "out[1]"})

    def test_storage_curves(self):
        text = (self.dir / "fill-and-drain.yaml").read_text(encoding="utf-8")
        self.file("curve.yaml", text.replace("area: 200, bottom: 45,", "storage: {level: [45, 50, 60], volume: [0, 500, 4000]},"))
        page = self.page("curve.yaml", "--time", "20s")
        self.assertEqual(self.rows(page, "head")["gate, level outside"], "H_gate = level_gate")
        self.assertNotIn("S_gate", {r["id"] for r in page["data"]["rows"]})

    def test_forms(self):
        for name in ("gates.yaml", "turnip.yaml"):
            self.sluice("explain", name, "--time", "12s", "-o", "a.html")
            root = ET.fromstring((self.dir / "a.html").read_text(encoding="utf-8").split("?>")[-1].replace("<!DOCTYPE html>", ""))
            self.assertGreater(sum(e.tag.endswith("math") for e in root.iter()), 15)
            self.sluice("explain", name, "-o", "a.tex")
            tex = (self.dir / "a.tex").read_text(encoding="utf-8")
            self.assertEqual(tex.count("\\begin{description}"), tex.count("\\end{description}"))
            self.assertIn("\\dot{Q}", tex)

    def test_ids_that_are_no_names(self):
        text = (self.dir / "gates.yaml").read_text(encoding="utf-8")
        self.file("odd.yaml", re.sub(r"\bspur\b", "Stollen 3 (östlich)", text).replace("fork", "2-way"))
        self.sluice("explain", "odd.yaml", "--time", "12s", "-o", "a.html")
        page = self.page("odd.yaml", "--time", "12s")
        self.assertIn("Stollen 3 (östlich)", self.rows(page, "full"))
        self.assertIn("Q_Stollen_3_stlich_from", self.rows(page, "full")["Stollen 3 (östlich)"])

    def test_large(self):
        n = 1000
        self.file("long.yaml", "sluice: tunnel/1\nrun: {end: 10}\nvalves:\n  top: {elevation: 60, tub: {level: 70}}\n" +
                  "  hall: {elevation: 10}\n" +
                  "".join(f"  v{i}: {{elevation: 0, tub: outfall}}\n" for i in range(n)) +
                  "tunnels:\n  main: {from: top, to: hall, length: 100, area: 9, friction: 0.02}\n" +
                  "".join(f"  t{i}: {{from: hall, to: v{i}, length: 20, area: 1, friction: 0.02}}\n" for i in range(n)))
        out, _ = self.sluice("explain", "long.yaml", "--time", "1s")
        self.assertLess(out.count("\n"), 60)
        self.assertRegex(out, r"half +1: Momentum")
        page = self.page("long.yaml", "--node", "hall")
        self.assertEqual(self.rows(page, "balance")["hall"].count("der("), n + 1)  # however long it is
        out, _ = self.sluice("explain", "long.yaml", "--node", "hall")
        self.assertIn("der(Q_t999_from) = 0\n", out)


if __name__ == "__main__":
    main()
