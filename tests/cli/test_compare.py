#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sluice compare: verdicts, exit codes, the table and the JSON, on files made here from the layout alone."""
import json
import os
import struct

from cli_test import Case, main

MAGIC = 516114521


def out_file(heads=(50.0, 40.0), flow=10.0, status=3, nodes=("J1", "R1"), periods=2, cut=0):
    """Two nodes and a pipe in LPS; the same values in every period."""
    def text(s, n):
        return s.encode().ljust(n, b"\0")
    b = struct.pack("<15i", MAGIC, 20012, 2, 1, 1, 0, 0, 0, 0, 5, 2, 0, 0, 3600, 3600 * (periods - 1))
    b += text("A pipe", 80) + text("", 160) + text("a.inp", 260) + text("a.rpt", 260) + text("Chemical", 32) + text("", 32)
    b += b"".join(text(i, 32) for i in nodes) + text("P1", 32)
    b += struct.pack("<3i i f", 2, 1, 1, 2, 0.0)
    b += struct.pack("<2f 2f", 10.0, 50.0, 1000.0, 300.0)
    b += struct.pack("<f", 0.0)
    node = [flow, -flow, heads[0], heads[1], heads[0] - 10, heads[1] - 50, 0, 0]
    b += struct.pack("<16f", *node, flow, 0.1, 0.5, 0, status, 100, 0, 0.02) * periods
    b += struct.pack("<4f 3i", 0, 0, 0, 0, periods, 0, MAGIC)
    return b[:len(b) - cut]


class Compare(Case):
    def pair(self, **other):
        self.file("a.out", out_file())
        self.file("b.out", out_file(**other))
        return "a.out", "b.out"

    def test_same(self):
        out, err = self.sluice("compare", *self.pair())
        self.assertEqual(err, "")
        self.assertIn("the same within tolerance: 2 nodes, 1 link, 2 periods compared", out)
        self.assertEqual(len(self.sluice("compare", "-q", "a.out", "b.out")[0].splitlines()), 1)
        for line in out.splitlines():
            self.assertEqual(line, line.rstrip())

    def test_different(self):
        out, _ = self.sluice("compare", *self.pair(heads=(50.5, 40.0)), code=1)
        self.assertRegex(out, r"(?m)^head +0\.5 +0\.002 +2 of 4 +node J1 at 0:00: 50, 50\.5$")
        self.assertRegex(out, r"(?m)^flow +0 +0\.01 +0 of 2$")
        self.assertIn("different:", out)
        self.sluice("compare", "--head-abs", "0.6", "a.out", "b.out")
        self.sluice("compare", "--head-abs=0.3", "a.out", "b.out", code=1)

    def test_status_in_words(self):
        out, _ = self.sluice("compare", *self.pair(status=2), code=1)
        self.assertRegex(out, r"(?m)^status +2 +0 +2 of 2 +link P1 at 0:00: open, closed$")

    def test_json(self):
        out, _ = self.sluice("compare", "--json", *self.pair(flow=12.0), code=1)
        data = json.loads(out)
        self.assertFalse(data["same"])
        rows = {row["variable"]: row for row in data["variables"]}
        self.assertEqual(rows["flow"]["id"], "P1")
        self.assertEqual((rows["flow"]["worst"], rows["flow"]["over"], rows["flow"]["time"]), (2, 2, 0))
        self.assertTrue(rows["flow"]["judged"])
        self.assertFalse(rows["friction"]["judged"])

    def test_number_of_periods(self):
        _, err = self.sluice("compare", *self.pair(periods=3), code=1)
        self.assertIn("2 periods are in both files; the first has 2, the second 3 [not-comparable]", err)

    def test_cut_off_file(self):
        _, err = self.sluice("compare", *self.pair(cut=40), code=1)
        self.assertIn("b.out: warning: has no valid end", err)
        self.file("b.out", out_file(cut=300))
        _, err = self.sluice("compare", "a.out", "b.out", code=2)
        self.assertIn("b.out: error: ends before its first period", err)

    def test_not_comparable(self):
        _, err = self.sluice("compare", *self.pair(nodes=("J9", "R1")), code=2)
        self.assertIn("results of different networks", err)
        self.assertIn("J1", err)

    def test_not_results(self):
        self.pair()
        self.file("town.inp")
        _, err = self.sluice("compare", "town.inp", "a.out", code=2)
        self.assertIn("town.inp: error: this is a network, not a result", err)
        _, err = self.sluice("compare", "a.out", "missing.out", code=5)
        self.assertIn("missing.out", err)

    def test_wrong_use(self):
        self.pair()
        self.sluice("compare", "a.out", code=4)
        for bad in ("x", "-1", "", "nan"):
            _, err = self.sluice("compare", "--flow-rel", bad, "a.out", "b.out", code=4)
            self.assertIn("--flow-rel", err)


if __name__ == "__main__":
    main()
