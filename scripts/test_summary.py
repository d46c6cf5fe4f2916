#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Closes a test run: one line per preset and per step, every skip with its reason (also of a part of a test that passed),
every failure, one closing line with the numbers of passed, failed and skipped tests.

Usage: test_summary.py [--shared FOLDER] PRESET=JUNIT.xml... [STEP=CODE:LOG]...

An empty path is a failed build. A step counts as one test: exit code 0 is passed, 77 skipped for the reason in the last line of
its log. Exits 1 when a test failed, when none passed, or when a test skipped for want of ../shared although FOLDER is there.
"""
import os
import re
import sys
import xml.etree.ElementTree as ET


def last_line(text):
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    return lines[-1] if lines else "no reason given"


def parts_left_out(text):
    """What a test that passed says it skipped: a line "skipped ...", or unittest's own."""
    found = []
    for line in (text or "").splitlines():
        own = re.search(r"^(\w+) .*\.\.\. skipped '(.*)'$", line)
        said = re.search(r"(?:^|\.\.\. )skipped:? (?!')(.+)$", line)
        if own or said:
            found.append("%s: %s" % own.groups() if own else said.group(1))
    return found


class Summary:
    def __init__(self, shared):
        self.shared = os.path.isdir(shared) if shared else False
        self.passed = self.skipped = 0
        self.rows, self.skips, self.parts, self.failures = [], {}, {}, []

    def missed(self, reason):
        """Whether a test skipped for want of a folder that is there: its reason names the folder (tests/house/test_summary.py)."""
        return self.shared and "../shared" in reason

    def fail(self, preset, name, why=""):
        self.failures.append("%s: %s%s" % (preset, name, " (%s)" % why if why else ""))

    def skip(self, preset, name, reason):
        if self.missed(reason):
            self.fail(preset, name, "skipped although ../shared is there: " + reason)
        else:
            self.skipped += 1
            self.skips.setdefault((name, reason), []).append(preset)

    def run(self, preset, name, text):
        reasons = parts_left_out(text)
        missed = [reason for reason in reasons if self.missed(reason)]
        for reason in reasons:
            self.parts.setdefault((name, reason), []).append(preset)
        if missed:
            self.fail(preset, name, "skipped in part although ../shared is there: " + missed[0])
        else:
            self.passed += 1

    def counted(self, preset, cases, seconds=None):
        """Runs `cases` and adds a row with what they changed."""
        before = self.passed, len(self.failures), self.skipped
        cases()
        n = [b - a for a, b in zip(before, (self.passed, len(self.failures), self.skipped))]
        time = "" if seconds is None else " %8.1f s of tests" % seconds
        self.rows.append("  %-8s %5d passed %4d failed %4d skipped%s" % (preset, *n, time))

    def preset(self, preset, path):
        if not path:
            self.rows.append("  %-8s was not built or not run" % preset)
            self.fail(preset, "build")
            return
        cases = list(ET.parse(path).getroot().iter("testcase"))

        def add():
            for case in cases:
                skip, name, text = case.find("skipped"), case.get("name"), case.findtext("system-out")
                if case.get("status") == "run":
                    self.run(preset, name, text)
                elif skip is not None and "SKIP_" in skip.get("message", ""):
                    self.skip(preset, name, last_line(text))
                else:  # failed, or could not be started
                    self.fail(preset, name)

        self.counted(preset, add, sum(float(case.get("time", "0")) for case in cases))

    def step(self, name, code, log):
        with open(log, encoding="utf-8", errors="replace") as text:
            said = text.read()
        if code == 0:
            self.counted(name, lambda: self.run("step", name, said))
        elif code == 77:
            self.counted(name, lambda: self.skip("step", name, last_line(said)))
        else:
            self.counted(name, lambda: self.fail("step", name, "exit code %d" % code))

    def close(self):
        print("\n==== summary ====")
        for row in self.rows:
            print(row)
        for (name, reason), presets in self.skips.items():
            print(f"  skipped {name} ({', '.join(presets)}): {reason}")
        for (name, reason), presets in self.parts.items():
            print(f"  skipped in part {name} ({', '.join(dict.fromkeys(presets))}): {reason}")
        for name in self.failures:
            print(f"  FAILED  {name}")
        failed = len(self.failures)
        total = self.passed + failed + self.skipped
        percent = 0 if total == 0 else min(99 if failed else 100, round(100 * (total - failed) / total))
        print(f"\n{percent}% tests passed, {failed} tests failed out of {total}: "
              f"{self.passed} passed, {failed} failed, {self.skipped} skipped")
        return 0 if self.passed > 0 and failed == 0 else 1


def main(args):
    shared = ""
    if args[:1] == ["--shared"]:
        shared, args = args[1], args[2:]
    summary = Summary(shared)
    for arg in args:
        name, _, what = arg.partition("=")
        step = re.fullmatch(r"(\d+):(.*)", what)
        if step:
            summary.step(name, int(step.group(1)), step.group(2))
        else:
            summary.preset(name, what)
    return summary.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
