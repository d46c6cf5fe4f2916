#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program on the reference models beside the sources: broken files, and every public network of the catalogue.

Without that folder (SLUICE_SHARED is empty) there is nothing to do here: skipped, exit code 77.
"""
import csv
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cli_test import SHARED, Case, main

NETWORKS = Path(SHARED) / "networks"
BROKEN = Path(SHARED) / "cases" / "inp-bad"
HEADLOSS = {"HW": "H-W", "DW": "D-W", "CM": "C-M"}
PLAIN = {"TITLE", "TAGS", "LABELS", "BACKDROP", "COORDINATES", "VERTICES", "PATTERNS", "STATUS", "MIXING", "END"}


def catalogue():
    with open(NETWORKS / "catalogue.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def content_lines(data):
    """Lines of bytes, each with its line end."""
    return data.splitlines(keepends=True)


def differences(a, b, path=""):
    """Yields where two JSON values differ, numbers by more than the ten digits of a rewritten file."""
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        for key in a:
            yield from differences(a[key], b[key], f"{path}.{key}")
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            yield from differences(x, y, f"{path}[{i}]")
    elif type(a) in (int, float) and type(b) in (int, float):
        if abs(a - b) > 2e-9 * max(abs(a), abs(b), 1e-9):
            yield f"{path}: {a} became {b}"
    elif a != b:
        yield f"{path}: {str(a)[:60]} became {str(b)[:60]}"


class Broken(Case):
    """By line: severity and a word of the diagnostic; the list is that of the folder's README."""
    TOKENS = {7: ("error", "ten"), 8: ("error", "NOSUCH"), 9: ("error", "J3"), 10: ("error", "1.5.2"), 11: ("warning", "elevation"),
              17: ("error", "level"), 18: ("error", "NOCURVE"), 22: ("error", "J22"), 23: ("error", "J1"), 24: ("error", "length"),
              25: ("error", "diameter"), 26: ("error", "Ajar"), 30: ("error", "curve"), 31: ("error", "HEID"),
              34: ("error", "PRV"), 35: ("error", "XRV"), 40: ("error", ""), 43: ("error", "abc"), 46: ("error", "T9"),
              47: ("error", "P99"), 52: ("error", "THAN"), 56: ("warning", "Headlos"), 57: ("error", "rials"),
              60: ("error", "parsecs"), 62: ("warning", "STUFF")}
    HINTS = {22: r"\bJ2\b", 46: r"\bT[12]\b", 52: "THEN", 56: "Headloss|HEADLOSS"}

    def problems(self, name, code=2):
        out, _ = self.sluice("check", "--json", BROKEN / name, code=code)
        return self.json_lines(out)

    def test_every_file_is_reported(self):
        names = sorted(p.name for p in BROKEN.glob("*.inp"))
        self.assertEqual(names, ["empty.inp", "longtoken.inp", "picture.inp", "swmm.inp", "tokens.inp", "truncated.inp"])
        out, err = self.sluice("check", *(BROKEN / n for n in names), code=2)
        self.assertEqual([Path(line.split(":")[0]).name for line in out.splitlines()], names)
        for name in names:
            self.assertRegex(err, rf"(?m)^\S*{re.escape(name)}:(\d+:(\d+:)?)? (error|warning):")

    def test_tokens(self):
        found = {}
        for d in self.problems("tokens.inp"):
            found.setdefault(d["line"], []).append(d)
        for line, (severity, word) in self.TOKENS.items():
            with self.subTest(line=line):
                here = found.get(line, [])
                texts = [d["text"] + " " + d.get("source", "") for d in here if d["severity"] == severity]
                self.assertTrue(any(word in t for t in texts), here)
                if line in self.HINTS:
                    self.assertRegex(" ".join(d.get("hint", "") + " " + d["text"] for d in here), self.HINTS[line])
        self.assertEqual(found[7][0]["column"], 6)
        self.assertIn("8", found[9][0]["text"] + found[9][0].get("hint", ""))  # where the first J3 is
        self.assertEqual(sorted(n for n in found if n not in self.TOKENS), [])

    def test_swmm(self):
        found = [d for d in self.problems("swmm.inp") if d["severity"] == "error"]
        self.assertEqual([(d["code"], d["line"]) for d in found], [("not-epanet", 8)])
        self.assertIn("SWMM", found[0]["text"])

    def test_others(self):
        self.assertEqual([d["code"] for d in self.problems("empty.inp")], ["no-sections"])
        self.assertEqual([d["code"] for d in self.problems("picture.inp")], ["wrong-kind"])
        self.assertIn(("number-range", 2), [(d["code"], d["line"]) for d in self.problems("longtoken.inp")])
        out, _ = self.sluice("check", "--json", BROKEN / "truncated.inp", code=self.code_of("truncated.inp"))
        self.assertIn("no-line-end", [d["code"] for d in self.json_lines(out)])

    def code_of(self, name):
        return self.run_raw("check", BROKEN / name).returncode


class Catalogue(Case):
    def each(self, job, rows=None):
        """Runs job(row, folder) for every network, several at once, and reports all failures together."""
        rows = rows or catalogue()
        self.assertGreater(len(rows), 10)

        def one(numbered):
            i, row = numbered
            folder = self.dir / str(i)
            folder.mkdir()
            try:
                return job(row, folder)
            except AssertionError as error:
                return str(error)[:600]

        with ThreadPoolExecutor(4) as pool:
            results = list(pool.map(one, enumerate(rows)))
        wrong = [f"{row['file']}: {why}" for row, why in zip(rows, results) if why]
        self.assertFalse(wrong, "\n" + "\n".join(wrong))

    def test_counts(self):
        def job(row, _):
            info = json.loads(self.sluice("info", "--json", NETWORKS / row["file"])[0])
            seen = {k: str(v) for k, v in info["counts"].items()}
            seen.update(controls=str(info["controls"]), rules=str(info["rules"]), units=info["flow_unit"], headloss=info["headloss"],
                        demand_model=info["demand_model"], quality=info["quality"].upper(), duration_s=f"{info['duration_s']:g}",
                        valve_types=" ".join(f"{k}:{v}" for k, v in info["valve_kinds"].items() if v))
            wanted = {k: row[k] for k in seen}
            wanted["headloss"] = HEADLOSS.get(row["headloss"], row["headloss"])
            wanted["quality"] = {"CHEM": "CHEMICAL"}.get(row["quality"], row["quality"])
            wanted["duration_s"] = f"{float(row['duration_s']):g}"
            wanted["valve_types"] = " ".join(sorted(row["valve_types"].split()))
            seen["valve_types"] = " ".join(sorted(seen["valve_types"].split()))
            return ", ".join(f"{k} {seen[k]}, not {wanted[k]}" for k in seen if seen[k] != wanted[k])
        self.each(job)

    def test_convert_keeps_and_settles(self):
        def job(row, folder):
            a, b, c = NETWORKS / row["file"], folder / "b.inp", folder / "c.inp"
            self.sluice("convert", a, b)
            if b.read_bytes().rstrip() != a.read_bytes().rstrip():  # the last line may get its line end
                return "a conversion that changes nothing changed something"
            unit = "LPS" if row["units"] != "LPS" else "GPM"
            self.sluice("convert", a, b, "--units", unit)
            self.sluice("convert", b, c, "--units", unit)
            return "" if b.read_bytes() == c.read_bytes() else f"--units {unit} twice is not the same as once"
        self.each(job)

    def test_units_keep_the_model(self):
        """The same quantities in SI, whatever the units of the file."""
        def job(row, folder):
            a = NETWORKS / row["file"]
            unit = "CMH" if row["units"] in ("GPM", "CFS", "MGD", "IMGD", "AFD") else "MGD"
            want = json.loads(self.sluice("convert", a, "-", "--to", "json")[0])
            # A default of 0.1 in the file's pressure unit, used by pressure-driven demands only.
            shown = ["flow_unit", "pressure_unit"] + (["pressure_required_m"] if row["demand_model"] == "DDA" else [])
            for clean in ([], ["--clean"]):
                self.sluice("convert", a, folder / "b.inp", "--units", unit, *clean)
                seen = json.loads(self.sluice("convert", folder / "b.inp", "-", "--to", "json")[0])
                wrong = [d for d in differences(want, seen)
                         if not d.startswith(".name:") and d.split(":")[0].split(".")[-1] not in shown]
                if wrong:
                    return f"--units {unit} {clean}: " + "; ".join(wrong[:3])
            return ""
        self.each(job)

    def test_clean_settles(self):
        def job(row, folder):
            a, b, c = NETWORKS / row["file"], folder / "b.inp", folder / "c.inp"
            self.sluice("convert", "--clean", a, b)
            self.sluice("convert", "--clean", b, c)
            if b.read_bytes() != c.read_bytes():
                return "--clean twice is not the same as once"
            counts = [json.loads(self.sluice("info", "--json", f)[0])["counts"] for f in (a, b)]
            return "" if counts[0] == counts[1] else f"--clean changes the counts: {counts}"
        self.each(job)

    def test_lines_kept(self):
        """In other units too, lines without quantities stay byte for byte, and so does the number of lines."""
        rows = sorted(catalogue(), key=lambda row: int(row["pipes"]))
        rows = rows[::max(1, len(rows) // 24)][:24]
        self.assertGreaterEqual(len(rows), 20)

        def job(row, folder):
            a, b = NETWORKS / row["file"], folder / "b.inp"
            self.sluice("convert", a, b, "--units", "CMH" if row["units"] != "CMH" else "GPM")
            old, new = content_lines(a.read_bytes()), content_lines(b.read_bytes())
            if len(old) != len(new):
                return f"{len(old)} lines became {len(new)}"
            section = ""
            for number, (x, y) in enumerate(zip(old, new), 1):
                bare = x.strip()
                if bare.startswith(b"["):
                    section = bare.strip(b"[]").decode("latin-1").upper()
                plain = not bare or bare.startswith((b"[", b";")) or section in PLAIN
                if plain and x != y and not (number == len(old) and x == y.rstrip()):
                    return f"line {number} changed from {x!r} to {y!r}"
                if x.partition(b";")[1:] != y.partition(b";")[1:] and number < len(old):
                    return f"line {number}: comment or line end changed from {x!r} to {y!r}"
            return ""
        self.each(job, rows)


if __name__ == "__main__":
    if not SHARED:
        print("skipped: there are no reference models (../shared)")
        sys.exit(77)
    main()
