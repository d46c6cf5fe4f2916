#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The closing lines of a test run (scripts/test_summary.py): they count and name what passed, failed and was skipped, and fail on
a test that skips for want of ../shared where that folder is. Every test that looks for the folder names it in its reason."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("SLUICE_SOURCE") or Path(__file__).resolve().parents[2])
PASSED = '<testcase name="%s" time="1.5" status="run"><system-out>%s</system-out></testcase>'
FAILED = '<testcase name="%s" time="1" status="fail"><failure message=""/><system-out>%s</system-out></testcase>'
SKIPPED = ('<testcase name="%s" time="0" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>'
           "<system-out>%s</system-out></testcase>")
LOST = '<testcase name="%s" time="0" status="notrun"><skipped message="Unable to find executable"/><system-out>%s</system-out></testcase>'
LOOKS = re.compile(r"SLUICE_SHARED|import .*\bSHARED\b")
NAMES = re.compile(r"""(skipped|there are no|no reference)[^"\n]*\.\./shared""")


class Summary(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, text):
        path = Path(self.folder.name, name)
        path.write_text(text, encoding="utf-8")
        return path

    def close(self, *cases, more=(), shared=""):
        """(exit code, lines) of a run with these test cases."""
        report = self.file("tests.xml", "<testsuite>%s</testsuite>" % "".join(kind % (name, text) for kind, name, text in cases))
        run = subprocess.run([sys.executable, str(ROOT / "scripts/test_summary.py"), "--shared", shared, "release=%s" % report, *more],
                             capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        return run.returncode, [line.strip() for line in run.stdout.splitlines() if line.strip()]

    def test_counts(self):
        code, lines = self.close((PASSED, "a.one", ""), (PASSED, "a.two", "skipped: PNG: no cairo"), (SKIPPED, "a.three", "first\nno xz"))
        self.assertEqual(code, 0)
        self.assertEqual(lines[-1], "100% tests passed, 0 tests failed out of 3: 2 passed, 0 failed, 1 skipped")
        self.assertIn("skipped a.three (release): no xz", lines)
        self.assertIn("skipped in part a.two (release): PNG: no cairo", lines)
        self.assertRegex(lines[1], r"release +2 passed +0 failed +1 skipped +3.0 s of tests")

    def test_failures(self):
        for kind in (FAILED, LOST):
            code, lines = self.close((PASSED, "a.one", ""), (kind, "a.two", "boom"))
            self.assertEqual((code, lines[-2]), (1, "FAILED  release: a.two"))
            self.assertTrue(lines[-1].endswith(": 1 passed, 1 failed, 0 skipped"), lines[-1])
        code, lines = self.close((PASSED, "a.one", ""), more=["debug="])
        self.assertEqual((code, lines[-2]), (1, "FAILED  debug: build"))
        self.assertEqual(self.close()[0], 1)  # nothing ran
        self.assertEqual(self.close((SKIPPED, "a.one", "no xz"))[0], 1)

    def test_steps(self):
        log = self.file("log", "work\nno clang here\n")
        for code, expected, end in ((0, 0, "2 passed, 0 failed, 0 skipped"), (77, 0, "1 passed, 0 failed, 1 skipped"),
                                    (3, 1, "1 passed, 1 failed, 0 skipped")):
            found, lines = self.close((PASSED, "a.one", ""), more=["fuzz=%d:%s" % (code, log)])
            self.assertEqual(found, expected)
            self.assertTrue(lines[-1].endswith(end), lines[-1])
            self.assertEqual("skipped fuzz (step): no clang here" in lines, code == 77)
            self.assertEqual("FAILED  step: fuzz (exit code 3)" in lines, code == 3)

    def test_shared(self):
        absent = os.path.join(self.folder.name, "absent")
        for case in ((SKIPPED, "a.two", "there are no networks (../shared)"), (PASSED, "a.two", "skipped the networks: no ../shared")):
            self.assertEqual(self.close((PASSED, "a.one", ""), case, shared=absent)[0], 0)
            code, lines = self.close((PASSED, "a.one", ""), case, shared=self.folder.name)
            self.assertEqual(code, 1)
            self.assertTrue(lines[-2].startswith("FAILED  release: a.two (skipped"), lines[-2])
            self.assertTrue(lines[-1].endswith(": 1 passed, 1 failed, 0 skipped"), lines[-1])


class Reasons(unittest.TestCase):
    def test_every_test_names_the_folder(self):
        def silent(text):
            return LOOKS.search(text) and not NAMES.search(text)

        self.assertTrue(silent('getenv("SLUICE_SHARED"); print("skipped: no networks");'))
        self.assertFalse(silent('getenv("SLUICE_SHARED"); print("skipped: no networks (../shared)");'))
        tests = [p for p in sorted((ROOT / "tests").rglob("*")) if re.match(r"(test|slow)_.*\.(c|py|sh)$", p.name)]
        self.assertGreater(len(tests), 100)
        self.assertEqual([str(p) for p in tests if silent(p.read_text("utf-8")) and p != Path(__file__).resolve()], [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
