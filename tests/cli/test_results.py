# SPDX-License-Identifier: MIT
"""Results as CSV, JSON and HDF5: against the .out file, which is read here by struct alone; selections; errors."""
import csv
import json
import lzma
import os
import shutil
import struct
import subprocess
from pathlib import Path

from cli_test import ROOT, SHARED, SLUICE, Case, main

EXAMPLES = ROOT / "examples"
NODE = ["demand", "head", "pressure", "quality"]
LINK = ["flow", "velocity", "headloss", "quality", "status", "setting", "reaction", "friction"]
STATUS = ["xhead", "temp_closed", "closed", "open", "active", "xflow", "xfcv", "xpressure"]
try:
    import h5py
except ImportError:
    h5py = None


class OutFile:
    """EPANET's binary results, by docs/reference/outfile.md."""

    def __init__(self, path):
        self.data = path.read_bytes()
        head = struct.unpack_from("<15i", self.data)
        self.n_node, self.n_fixed, self.n_link, self.n_pump = head[2:6]
        self.quality, self.start, self.step = head[7], head[12], head[13]
        at = 60 + 240 + 520 + 64
        self.nodes = [self.text(at + 32 * i) for i in range(self.n_node)]
        at += 32 * self.n_node
        self.links = [self.text(at + 32 * i) for i in range(self.n_link)]
        at += 32 * self.n_link
        self.ends = [struct.unpack_from("<%di" % self.n_link, self.data, at + 4 * k * self.n_link) for k in (0, 1)]
        at += 12 * self.n_link + 8 * self.n_fixed + 4 * self.n_node + 8 * self.n_link + 28 * self.n_pump + 4
        self.periods_at = at
        self.n_period = struct.unpack_from("<i", self.data, len(self.data) - 12)[0]

    def text(self, at):
        return self.data[at:at + 32].split(b"\0")[0].decode()

    def period(self, p):
        """{quantity: values} of nodes, of links."""
        at = self.periods_at + p * 4 * (4 * self.n_node + 8 * self.n_link)
        sides = []
        for names, n in (NODE, self.n_node), (LINK, self.n_link):
            side = {}
            for name in names:
                side[name] = struct.unpack_from("<%df" % n, self.data, at)
                at += 4 * n
            sides.append(side)
        return sides


def as_float(x):
    return struct.unpack("<f", struct.pack("<f", float(x)))[0]


def digits(cell):
    return cell.split("e")[0].replace(".", "").strip("-0")


class ResultsCase(Case):
    def make(self, name="hilltown.inp", quality=True):
        """A run of an example in all formats."""
        text = (EXAMPLES / name).read_text("utf-8")
        if not quality:
            text = "\n".join(line for line in text.splitlines() if not line.strip().upper().startswith("QUALITY "))
        self.file("m.inp", text)
        self.sluice("run", "m.inp", "-q", "-o", "m.out", "-o", "m.csv", "-o", "m.json")
        return OutFile(self.dir / "m.out")

    def rows(self, name):
        with open(self.dir / name, newline="", encoding="utf-8") as f:
            return list(csv.DictReader(f))


class Results(ResultsCase):
    def test_csv_has_what_the_out_file_has(self):
        out = self.make()
        rows = self.rows("m.csv")
        self.assertEqual(len(rows), out.n_period * (out.n_node + out.n_link))
        at = iter(rows)
        for p in range(out.n_period):
            nodes, links = out.period(p)
            for ids, side, element in (out.nodes, nodes, "node"), (out.links, links, "link"):
                for i, id in enumerate(ids):
                    row = next(at)
                    self.assertEqual((row["time_s"], row["element"], row["id"]), (str(out.start + p * out.step), element, id))
                    for key, cell in list(row.items())[4:]:
                        name = key.split("_")[0]
                        if name not in side:
                            self.assertEqual(cell, "")
                        elif name == "status":
                            self.assertEqual(cell, STATUS[int(side[name][i])])
                        else:
                            self.assertEqual(as_float(cell), side[name][i])  # bit for bit
                            self.assertEqual(digits(cell), digits(repr(float(cell))), cell)  # no more than give it back
        self.assertEqual(list(rows[0])[:7], ["time_s", "element", "kind", "id", "demand_L_per_s", "head_m", "pressure_m"])
        self.assertEqual({r["kind"] for r in rows}, {"junction", "reservoir", "tank", "pipe", "pump", "prv"})

    def test_order_of_the_sections(self):
        """Elements stand in the order of the file, whichever section comes first."""
        self.file("o.inp", """[TANKS]
 T 30 2 0 5 10 0
[PUMPS]
 PU R A POWER 5
[VALVES]
 V B C 200 TCV 5
[PIPES]
 P2 C T 500 200 100
 P1 A B 500 200 100
[JUNCTIONS]
 C 5 2
 B 4 3
 A 3 1
[RESERVOIRS]
 R 10
[OPTIONS]
 UNITS LPS
[TIMES]
 DURATION 2
[END]
""")
        self.sluice("run", "o.inp", "-q", "-o", "o.out", "-o", "o.csv", "-o", "o.json")
        out, rows = OutFile(self.dir / "o.out"), iter(self.rows("o.csv"))
        answer = json.loads((self.dir / "o.json").read_text("utf-8"))
        self.assertEqual((answer["groups"]["node"]["ids"], answer["groups"]["link"]["ids"]), (out.nodes, out.links))
        for p in range(out.n_period):
            for ids, side, name in zip((out.nodes, out.links), out.period(p), ("head_m", "flow_L_per_s")):
                for i, id in enumerate(ids):
                    row = next(rows)
                    self.assertEqual((row["id"], as_float(row[name])), (id, side[name.split("_")[0]][i]))

    def test_csv_keeps_its_form(self):
        self.file("a.inp")
        for form in "rows", "columns", "values":
            self.sluice("run", "a.inp", "-q", "-o", "a.csv", "--csv", form)
            self.sluice("convert", "a.csv", "b.csv")
            self.assertEqual((self.dir / "a.csv").read_bytes(), (self.dir / "b.csv").read_bytes(), form)

    def test_statistic(self):
        """One frame, made of all, though events came later than its time."""
        text = (EXAMPLES / "town.inp").read_text("utf-8")
        for word in "AVERAGE", "MINIMUM", "MAXIMUM", "RANGE":
            self.file("s.inp", text.replace("[TIMES]", "[TIMES]\n STATISTIC " + word))
            self.sluice("run", "s.inp", "-q", "-o", "s.out", "-o", "s.csv", "-o", "s.json")
            out, rows = OutFile(self.dir / "s.out"), self.rows("s.csv")
            self.assertEqual(len(rows), out.n_node + out.n_link)
            heads = [float(r["head_m"]) for r in rows if r["element"] == "node"]
            for ours, theirs in zip(heads, out.period(0)[0]["head"]):
                self.assertAlmostEqual(ours, theirs, delta=1e-5 * max(1.0, abs(theirs)))
            self.assertEqual(json.loads((self.dir / "s.json").read_text("utf-8"))["attributes"]["statistic"], word.lower())
            self.sluice("compare", "s.json", "s.out", "-q")

    def test_json_has_what_the_out_file_has(self):
        out = self.make()
        answer = json.loads((self.dir / "m.json").read_text("utf-8"), parse_constant=self.fail)
        node, link = answer["groups"]["node"], answer["groups"]["link"]
        self.assertEqual((node["ids"], link["ids"]), (out.nodes, out.links))
        self.assertEqual([p["time"] for p in answer["frames"]], [out.start + p * out.step for p in range(out.n_period)])
        for p, frame in enumerate(answer["frames"]):
            for got, expected in zip((frame["node"], frame["link"]), out.period(p)):
                self.assertTrue(set(got) >= {"head"} or set(got) >= {"flow", "status"})
                for name, values in got.items():
                    self.assertEqual(tuple(map(as_float, values)), expected[name])
        self.assertEqual([out.nodes[i - 1] for i in out.ends[0]], link["facts"]["from"]["values"])
        self.assertEqual([out.nodes[i - 1] for i in out.ends[1]], link["facts"]["to"]["values"])
        self.assertEqual(node["quantities"]["pressure"]["unit"], "m")
        self.assertTrue(answer["complete"])
        self.assertEqual(answer["tables"]["pump_energy"]["columns"]["id"]["values"], ["WP1", "WP2", "BP1", "BP2"])
        self.assertEqual(len(node["facts"]["x"]["values"]), out.n_node)

    def test_run_and_convert_give_the_same(self):
        self.make()
        (self.dir / "m.out").rename(self.dir / "results.bin")  # it goes by content
        self.sluice("convert", "m.json", "c.csv")
        self.assertEqual((self.dir / "c.csv").read_bytes(), (self.dir / "m.csv").read_bytes())
        self.sluice("convert", "results.bin", "c.json")
        run, converted = (json.loads((self.dir / n).read_text("utf-8")) for n in ("m.json", "c.json"))
        for key in "x", "y":
            del run["groups"]["node"]["facts"][key]  # a .out file has no map
        for group, other in zip(run["groups"].values(), converted["groups"].values()):
            group["meaning"] = other["meaning"]  # of what the engine calls them
            for fact in group["facts"].values():
                fact["values"] = [as_float(x) if isinstance(x, (int, float)) else x for x in fact["values"]]
        self.assertEqual(run["groups"], converted["groups"])
        self.assertEqual(run["attributes"], converted["attributes"])
        for a, b in zip(run["frames"], converted["frames"], strict=True):
            a.pop("events", None)  # nor events
            self.assertEqual(a.keys(), b.keys())
            for group in "node", "link":
                self.assertEqual({k: list(map(as_float, v)) for k, v in a[group].items()}, b[group])
        self.sluice("compare", "m.json", "results.bin")

    def test_quality_is_shown_where_it_is_asked_for(self):
        self.make(quality=True)
        self.assertIn("quality", (self.dir / "m.csv").read_text("utf-8").splitlines()[0])
        self.make(quality=False)
        self.assertNotIn("quality", (self.dir / "m.csv").read_text("utf-8").splitlines()[0])

    def test_units_of_the_file(self):
        self.file("a.inp")
        self.sluice("run", "a.inp", "-q", "--units", "MGD", "-o", "a.csv", "--node", "J1")
        self.assertEqual(list(self.rows("a.csv")[0])[4:], ["demand_Mgal_per_d", "head_ft", "pressure_psi"])

    def test_selection(self):
        self.file("a.inp")
        self.sluice("run", "a.inp", "-q", "-o", "a.out", "-o", "a.csv", "--node", "J2,T1", "--link", "P1", "--from", "6:00",
                    "--until", "12:00", "--every", "180 min", "--what", "pressure,flow")
        rows = self.rows("a.csv")
        self.assertEqual([(r["time_s"], r["id"]) for r in rows],
                         [(t, i) for t in ("21600", "32400", "43200") for i in ("J2", "T1", "P1")])
        self.assertEqual(list(rows[0])[4:], ["pressure_m", "flow_L_per_s"])
        args = ["--node", "J2", "--node", "T1", "--link", "P1", "--from", "6h", "--until", "12:00:00", "--every", "3:00",
                "--what", "pressure", "--what", "flow"]
        self.sluice("run", "a.inp", "-q", "-o", "whole.json")
        self.sluice("convert", "whole.json", "b.csv", *args)
        self.assertEqual((self.dir / "a.csv").read_bytes(), (self.dir / "b.csv").read_bytes())
        self.sluice("convert", "a.out", "c.csv", *args)
        for a, b in zip(rows, self.rows("c.csv"), strict=True):
            self.assertEqual([*a.values()][:4], [*b.values()][:4])
            self.assertEqual([x and as_float(x) for x in [*a.values()][4:]], [x and float(x) for x in [*b.values()][4:]])
        self.assertEqual(OutFile(self.dir / "a.out").n_period, 25)  # has everything
        out, _ = self.sluice("convert", "a.out", "-", "--to", "csv", "--link", "ALL", "--what", "status", "--until", "0")
        self.assertEqual(out.splitlines()[1:], ["0,link,pipe,P%d,open" % i for i in (1, 2, 3)])

    def test_standard_output(self):
        self.file("a.inp")
        out, err = self.sluice("run", "a.inp", "-o", "-", "--to", "csv", "--node", "J1", "--what", "head")
        self.assertEqual(len(out.splitlines()), 26)
        self.assertEqual(err, "")
        self.assertEqual(self.names(), ["a.inp"])
        answer = json.loads(self.sluice("run", "a.inp", "-o", "-", "-t", "json")[0])
        self.assertEqual(len(answer["frames"]), 25)
        city = "'%s' gen city -n 2000 -o c.inp >/dev/null && '%s' run c.inp -o - --to csv | head -1; echo ${PIPESTATUS[0]}"
        run = subprocess.run(["bash", "-c", city % (SLUICE, SLUICE)], cwd=self.dir, capture_output=True, text=True)
        self.assertEqual((run.stdout.splitlines()[-1], run.stderr), ("0", ""))

    def test_errors(self):
        self.file("a.inp")
        self.sluice("run", "a.inp", "-q", "-o", "a.out")
        before = self.names()
        for code, args, word in (
                (2, ["run", "a.inp", "-o", "a.csv", "--node", "J11"], "did you mean 'J1'?"),
                (2, ["convert", "a.out", "a.csv", "--link", "P1,p2"], "did you mean 'P2'?"),
                (2, ["convert", "a.out", "a.csv", "--from", "30:00"], "from 0:00 to 24:00"),
                (2, ["convert", "a.out", "a.csv", "--what", "quality"], "not in these results"),
                (2, ["convert", "a.out", "a.csv", "--node", "J1", "--what", "flow"], "nothing is selected"),
                (2, ["run", "a.inp", "-o", "a.csv", "--what", "presure"], "did you mean pressure?"),
                (4, ["run", "a.inp", "-o", "b.out", "--node", "J1"], "none is written here"),
                (4, ["run", "a.inp", "-o", "b.csv", "--compress"], "--compress is for .h5"),
                (4, ["run", "a.inp", "-o", "b.json", "--long"], "--long is for .csv"),
                (4, ["run", "a.inp", "-o", "b.csv", "--every", "0"], "more than 0"),
                (4, ["run", "a.inp", "-o", "b.csv", "--from", "noon"], "is not a time"),
                (4, ["run", "a.inp", "-o", "-"], "--to csv, json or rpt"),
                (4, ["run", "a.inp", "-o", "b.csv", "--to", "csv"], "needs -o -"),
                (4, ["run", "a.inp", "-o", "-", "--to", "csv", "--json"], "both want standard output"),
                (4, ["run", "a.inp", "-o", "b.xlsx"], "does not end in .csv, .json, .h5"),
                (4, ["convert", "a.inp", "b.csv"], "sluice run a.inp -o"),
                (4, ["convert", "a.inp", "b.json", "--node", "J1"], "none is written here"),
                (4, ["convert", "a.out", "b.inp"], "not .inp"),
                (4, ["convert", "a.out", "b.csv", "--units", "GPM"], "--units is for models"),
                (4, ["convert", "a.out", "b.txt"], ".csv, .json, .h5, .geojson or .gpkg"),
                (4, ["convert", "a.out", "-"], "--to csv, json, h5, geojson or gpkg")):
            with self.subTest(args):
                out, err = self.sluice(*args, code=code)
                self.assertIn(word, err)
                self.assertEqual(self.names(), before)

    def test_damaged_file(self):
        self.file("a.inp")
        self.sluice("run", "a.inp", "-q", "-o", "a.out")
        whole = (self.dir / "a.out").read_bytes()
        self.file("cut.out", whole[:-40])
        _, err = self.sluice("convert", "cut.out", "cut.json")
        self.assertIn("24 whole periods", err)
        answer = json.loads((self.dir / "cut.json").read_text("utf-8"))
        self.assertEqual((answer["complete"], len(answer["frames"])), (False, 24))
        self.file("head.out", whole[:500])
        self.sluice("convert", "head.out", "x.csv", code=2)
        self.assertNotIn("x.csv", self.names())

    def test_a_run_that_fails_on_its_way_leaves_what_there_is(self):
        self.file("a.inp")
        self.sluice("run", "a.inp", "-q", "-o", "a.json", "-o", "a.csv", "--head-error", "1e-30", "--unbalanced", "stop", code=3)
        answer = json.loads((self.dir / "a.json").read_text("utf-8"))
        self.assertFalse(answer["complete"])
        self.assertEqual(len(self.rows("a.csv")), 7 * len(answer["frames"]))

    def test_results_of_epanet(self):
        packed = sorted(Path(SHARED, "networks").rglob("*.out.xz"), key=lambda p: p.stat().st_size)[:5] if SHARED else []
        if not SHARED:
            print("skipped %s: there are no reference results (../shared)" % self.id(), flush=True)
            self.skipTest("no reference results")
        self.assertTrue(packed, "no results in the folder of reference networks")
        for path in packed:
            with self.subTest(path.name):
                self.file("e.out", lzma.decompress(path.read_bytes()))
                out = OutFile(self.dir / "e.out")
                text, _ = self.sluice("convert", "e.out", "-", "--to", "csv", "--link", "ALL", "--what", "flow")
                rows = list(csv.DictReader(text.splitlines()))
                flows = [x for p in range(out.n_period) for x in out.period(p)[1]["flow"]]
                self.assertEqual([as_float(list(r.values())[4]) for r in rows], flows)


class Hdf5(ResultsCase):
    """Content through h5py, or the header through h5dump."""

    def write(self, *args):
        run = self.run_raw("run", "m.inp", "-q", "-o", "m.h5", *args)
        err = run.stderr.decode()
        self.assertEqual((run.returncode, err), (0, ""))

    def test_content(self):
        out = self.make()
        self.write()
        self.sluice("convert", "m.out", "c.h5", "--compress")
        self.assertNotIn(".sluice", " ".join(self.names()))
        if not h5py:
            rest = "h5dump reads the header" if shutil.which("h5dump") else "results.hdf5 reads the file back"
            print("skipped contents through h5py, which is not installed (%s)" % rest, flush=True)
            if shutil.which("h5dump"):
                head = subprocess.run(["h5dump", "-H", str(self.dir / "m.h5")], capture_output=True, text=True, check=True).stdout
                self.assertIn('DATASET "node_pressure"', head)
                self.assertIn("( %d, %d ) / ( H5S_UNLIMITED, %d )" % (out.n_period, out.n_node, out.n_node), head)
            return
        for name in "m.h5", "c.h5":
            with h5py.File(self.dir / name) as f:
                self.assertEqual([i.decode() for i in f["node"][:]], out.nodes)
                self.assertEqual([i.decode() for i in f["link"][:]], out.links)
                self.assertEqual(list(f["time"][:]), [out.start + p * out.step for p in range(out.n_period)])
                for p in range(out.n_period):
                    for side, values in zip(("node", "link"), out.period(p)):
                        for key, x in values.items():
                            if key not in ("quality", "reaction"):
                                self.assertEqual(tuple(f[side + "_" + key][p]), x)
                self.assertEqual(f["node_pressure"].attrs["units"], "m")
                self.assertEqual([d[0].name for d in f["link_flow"].dims], ["/time", "/link"])
                self.assertEqual("node_x" in f, name == "m.h5")
                self.assertEqual(f["link_flow"].compression, None if name == "m.h5" else "gzip")
                self.assertEqual(f.attrs["complete"], 1)

    def test_same_bytes_each_time(self):
        self.make()
        self.write("-o", "n.h5", "--node", "ALL")
        self.write("-o", "o.h5", "--node", "ALL")
        self.assertEqual((self.dir / "n.h5").read_bytes(), (self.dir / "o.h5").read_bytes())

    def test_into_a_pipe(self):
        self.make()
        self.write()
        self.sluice("convert", "m.out", "c.h5")
        piped = self.run_raw("convert", "m.out", "-", "--to", "h5")
        self.assertEqual((piped.returncode, piped.stderr), (0, b""))
        self.file("piped.h5", piped.stdout)
        self.sluice("convert", "c.h5", "a.json")
        self.sluice("convert", "piped.h5", "b.json")
        self.assertEqual((self.dir / "a.json").read_bytes(), (self.dir / "b.json").read_bytes())


if __name__ == "__main__":
    main()
