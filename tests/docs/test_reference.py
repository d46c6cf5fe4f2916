#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The reference pages list what the code has: every diagnostic code with its meaning, every flow unit factor."""
import os
import re
import sys

root = os.environ["SLUICE_SOURCE"]


def text(path):
    with open(os.path.join(root, path), encoding="utf-8") as f:
        return f.read()


def codes():
    declared = re.findall(r'X\((\w+),\s+"([^"]+)",\s+"([^"]+)"\)', text("include/sluice/diag_codes.h"))
    documented = dict(re.findall(r"^\| `([^`]+)` \| (.+) \|$", text("docs/reference/diagnostics.md"), re.M))
    wrong = ["diagnostics.md lacks `%s`: %s" % (word, meaning) for name, word, meaning in declared
             if name != "NONE" and documented.get(word) != meaning]
    known = {word for _, word, _ in declared}
    return wrong + ["diagnostics.md has `%s`, which is no code" % word for word in documented if word not in known], len(declared)


def factors():
    page = text("docs/theory/units.md")
    table = re.findall(r"\[SL_([A-Z]+)\] = ([0-9.]+)", text("src/network/epanet_units.c"))
    return ["units.md lacks %s %s" % (unit, value) for unit, value in table
            if not re.search(r"\| %s \| %s \|" % (unit, re.escape(value.rstrip("0").rstrip(".") if unit != "LPM" else value)), page)], len(table)


failures, n_code = codes()
more, n_unit = factors()
failures += more
if n_code < 40 or n_unit != 11:
    failures.append("found %d codes and %d units in the sources: the patterns of this test no longer fit" % (n_code, n_unit))
print("\n".join(failures) or "%d codes and %d units are documented" % (n_code, n_unit))
sys.exit(1 if failures else 0)
