#!/usr/bin/env python3
"""Closes a test run: one line per preset, every skip with its reason (also of a part of a test that passed), every failure,
one closing line.

Usage: test_summary.py PRESET=JUNIT.xml...      exits 1 when a test failed or none ran; an empty path is a failed build
"""
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


def main(args):
    total = failed = 0
    rows, skips, parts, failures = [], {}, {}, []
    for arg in args:
        preset, _, path = arg.partition("=")
        if not path:
            rows.append(f"  {preset:<8} was not built or not run")
            failures.append(f"{preset}: build")
            total += 1
            failed += 1
            continue
        n = bad = skipped = 0
        seconds = 0.0
        for case in ET.parse(path).getroot().iter("testcase"):
            n += 1
            seconds += float(case.get("time", "0"))
            status = case.get("status")
            name = case.get("name")
            if status == "run":
                for reason in parts_left_out(case.findtext("system-out")):
                    parts.setdefault((name, reason), []).append(preset)
                continue
            skip = case.find("skipped")
            if skip is not None and "SKIP_" in skip.get("message", ""):
                skipped += 1
                skips.setdefault((name, last_line(case.findtext("system-out"))), []).append(preset)
            else:  # failed, or could not be started
                bad += 1
                failures.append(f"{preset}: {name}")
        rows.append(f"  {preset:<8} {n - bad - skipped:5d} passed {bad:4d} failed {skipped:4d} skipped {seconds:8.1f} s of tests")
        total += n
        failed += bad
    print("\n==== summary ====")
    for row in rows:
        print(row)
    for (name, reason), presets in skips.items():
        print(f"  skipped {name} ({', '.join(presets)}): {reason}")
    for (name, reason), presets in parts.items():
        print(f"  skipped in part {name} ({', '.join(dict.fromkeys(presets))}): {reason}")
    for name in failures:
        print(f"  FAILED  {name}")
    percent = 0 if total == 0 else min(99 if failed else 100, round(100 * (total - failed) / total))
    print(f"\n{percent}% tests passed, {failed} tests failed out of {total}")
    return 0 if total > 0 and failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
