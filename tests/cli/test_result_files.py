# SPDX-License-Identifier: MIT
"""Result files of runs: statistics of networks in every format, files beside one that fails, a reader that stops."""
import os
import subprocess

from cli_test import ROOT, SLUICE, Case, main

TOWN = (ROOT / "examples/town.inp").read_text()
SMALL = (ROOT / "examples/two-reservoirs.inp").read_text()


class ResultFiles(Case):
    def test_statistics(self):
        """One frame at the time of the first report, with the values of the .out file."""
        for name in ("AVERAGED", "MINIMUM", "MAXIMUM", "RANGE"):
            self.file("a.inp", TOWN.replace("[TIMES]", "[TIMES]\n Statistic " + name))
            endings = ("out", "json", "csv", "h5")
            self.sluice("run", "a.inp", "-q", *(x for e in endings for x in ("-o", "a." + e)))
            for ending in endings[1:]:
                self.sluice("compare", "a.out", "a." + ending, "-q")
        rows = (self.dir / "a.csv").read_text().splitlines()
        self.assertEqual({row.split(",")[0] for row in rows[1:]}, {"0"})

    def test_statistic_of_selected_times(self):
        text = TOWN.replace("[TIMES]", "[TIMES]\n Statistic MAXIMUM")
        select = ["-q", "-o", "-", "--to", "csv", "--node", "J3", "--what", "demand", "--from", "6:00", "--until", "9:00"]
        self.file("a.inp", TOWN)
        self.file("b.inp", text)
        series, one = ([float(row.split(",")[4]) for row in self.sluice("run", f, *select)[0].splitlines()[1:]]
                       for f in ("a.inp", "b.inp"))
        self.assertEqual(len(series), 4)
        self.assertEqual(one, [max(series)])

    def test_bytes_of_the_file(self):
        """An id is selected by the bytes of the model's file as by UTF-8."""
        self.file("a.inp", b"[JUNCTIONS]\n caf\xe9 1 1\n[RESERVOIRS]\n R 50\n[PIPES]\n P R caf\xe9 100 200 100\n[OPTIONS]\n Units LPS\n")
        rows = [self.sluice("run", "a.inp", "-q", "-o", "-", "--to", "csv", "--what", "head", *option)[0]
                for name in (b"caf\xe9", "caf\u00e9".encode())
                for option in (["--node", os.fsdecode(name)], ["--variable", os.fsdecode(b"node." + name + b".head")])]
        self.assertIn(",caf\u00e9,", rows[0])
        self.assertEqual(len(set(rows)), 1)

    def test_one_file_fails(self):
        """The others are whole."""
        self.file("a.inp", SMALL)
        os.symlink("/dev/full", self.dir / "full.csv")
        self.sluice("run", "a.inp", "-q", "-o", "b.json", "-o", "b.h5", "-o", "b.svg")
        _, err = self.sluice("run", "a.inp", "-q", "-o", "full.csv", "-o", "c.json", "-o", "c.h5", "-o", "c.svg", code=5)
        self.assertIn("cannot write full.csv: No space left on device", err)
        for ending in ("json", "svg"):
            self.assertEqual((self.dir / ("b." + ending)).read_bytes(), (self.dir / ("c." + ending)).read_bytes())
        self.sluice("compare", "b.h5", "c.h5", "-q")

    def test_reader_stops(self):
        """A pipe without a reader, met by the last bytes of a short result, is no failure."""
        self.file("a.inp", SMALL)
        for form in ("csv", "json"):
            read, write = os.pipe()
            os.close(read)
            run = subprocess.run([SLUICE, "run", "a.inp", "-o", "-", "--to", form], cwd=self.dir, stdout=write,
                                 stderr=subprocess.PIPE, check=False)
            os.close(write)
            self.assertEqual((run.returncode, run.stderr), (0, b""))


if __name__ == "__main__":
    main()
