#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each excerpt of docs/add-an-engine.md is in the file that was named last before it."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PIECE = re.compile(r"^```c\n(.*?)^```$|From `([^`]+)`", re.S | re.M)


def wrong(page, read):
    """What is wrong with a page; read gives the text of a file."""
    source, n = None, 0
    for piece in PIECE.finditer(page):
        if piece.group(2):
            source = piece.group(2)
            continue
        n += 1
        if source is None or piece.group(1) not in read(source):
            first = piece.group(1).splitlines()[0].strip()
            yield f"{source} does not have the excerpt that begins with {first!r}"
    if n < 5:
        yield f"only {n} excerpts: has the page another form?"


def main():
    page = (ROOT / "docs/add-an-engine.md").read_text(encoding="utf-8")
    found = list(wrong(page, lambda name: (ROOT / name).read_text(encoding="utf-8")))
    planted = page.replace("COUNTER_STEP", "COUNTER_STEPS", 1)
    if len(list(wrong(planted, lambda name: (ROOT / name).read_text(encoding="utf-8")))) != len(found) + 1:
        found.append("a changed excerpt is not noticed")
    for text in found:
        print("docs/add-an-engine.md:", text)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
