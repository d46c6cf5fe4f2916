#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`sluice vars`: quantities, single variables, patterns, JSON."""
from cli_test import BAD, Case, GOOD, main

PUMP = GOOD.replace("[OPTIONS]", "[PUMPS]\nit's  J1  J2  POWER 5\n\n[OPTIONS]")


class Vars(Case):
    def test_quantities_and_their_number(self):
        self.file("town.inp")
        out, err = self.sluice("vars", "town.inp")
        self.assertEqual(err, "")
        rows = {line.split()[0]: line for line in out.splitlines()}
        self.assertIn("4 of them", rows["node.*.pressure"])
        self.assertIn(" m ", rows["node.*.pressure"])
        self.assertIn("output", rows["node.*.pressure"])
        self.assertIn("3 of them", rows["link.*.flow"])
        self.assertIn("input", rows["tank.*.level"])
        self.assertNotIn("of them", rows["balance.ratio"])
        self.assertFalse([name for name in rows if name.startswith("pump")])
        inputs, _ = self.sluice("vars", "--inputs", "town.inp")
        self.assertTrue(inputs and all(" output " not in line for line in inputs.splitlines()))
        self.assertTrue(set(inputs.splitlines()) < set(out.splitlines()))

    def test_single_variables(self):
        self.file("town.inp", PUMP)
        out, _ = self.sluice("vars", "-m", "tank.*.level", "town.inp")
        self.assertEqual([line.split()[:5] for line in out.splitlines()], [["tank.'T1'.level", "input", "real", "m", "3"]])
        for pattern in ("pump.'it\\'s'.speed", "pump.it's.speed", "pump.?t*.speed"):
            out, _ = self.sluice("vars", "--match", pattern, "town.inp")
            self.assertEqual([line.split()[0] for line in out.splitlines()], ["pump.'it\\'s'.speed"], pattern)
        out, err = self.sluice("vars", "--match", "tnak.*", "town.inp", code=4)
        self.assertEqual(out, "")
        self.assertIn("tnak", err)

    def test_json(self):
        self.file("town.inp", PUMP)
        out, _ = self.sluice("vars", "--json", "--all", "town.inp")
        rows = self.json_lines(out)
        self.assertEqual([row["ref"] for row in rows], list(range(len(rows))))
        self.assertEqual(len({row["name"] for row in rows}), len(rows))
        by_name = {row["name"]: row for row in rows}
        self.assertEqual(by_name["tank.'T1'.level"]["start"], 3)
        self.assertIsNone(by_name["node.'J1'.pressure"]["start"])
        self.assertEqual(by_name["pipe.'P1'.diameter"]["causality"], "parameter")
        self.assertEqual(by_name["pump.'it\\'s'.speed"]["min"], 0)
        fields = self.json_lines(self.sluice("vars", "-j", "town.inp")[0])
        self.assertEqual(sum(row["count"] for row in fields), len(rows))

    def test_engines(self):
        age = GOOD.replace("Units     LPS", "Units     LPS\nQuality   Age")
        self.file("age.inp", age)
        self.file("town.inp")
        names = {}
        for engine in ("eps", "quality"):
            rows = self.json_lines(self.sluice("vars", "--engine", engine, "--json", "age.inp")[0])
            names[engine] = {row["name"] for row in rows}
        self.assertEqual(names["eps"], {row["name"] for row in self.json_lines(self.sluice("vars", "-j", "age.inp")[0])})
        self.assertIn("node.*.quality", names["eps"] & names["quality"])
        self.assertIn("node.*.pressure", names["eps"] - names["quality"])
        _, err = self.sluice("vars", "--engine", "quality", "town.inp", code=4)
        self.assertIn("simulates no water quality", err)
        self.sluice("vars", "--engine", "waves", "town.inp", code=4)

    def test_bad_files(self):
        self.file("bad.inp", BAD)
        out, err = self.sluice("vars", "bad.inp", code=2)
        self.assertEqual(out, "")
        self.assertIn("not-a-number", err)
        self.sluice("vars", "none.inp", code=5)


if __name__ == "__main__":
    main()
