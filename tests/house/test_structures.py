#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Structures of the public headers. Each begins with `size_t size` or its comment says why not ("No size: reason"). One that
has a size embeds other structures only behind all other members, or those whose comment says that they stay as they are ("for
good"). A function never takes or gives one that has a size by value."""
import os
import re
import sys
from pathlib import Path

ROOT = Path(os.environ.get("SLUICE_SOURCE") or Path(__file__).resolve().parents[2])
STRUCT = re.compile(r"((?:/\*(?:(?!\*/).)*\*/\s*)?)typedef struct (\w+) \{(.*?)^\} \2;", re.S | re.M)
COMMENT = re.compile(r"/\*.*?\*/", re.S)


def structures(texts):
    """name: (header, comment above, members as declarations without comments)"""
    found = {}
    for header, text in texts.items():
        for comment, name, body in STRUCT.findall(text):
            members = [" ".join(m.split()) for m in COMMENT.sub("", body).split(";")]
            found[name] = (header, " ".join(comment.split()), [m for m in members if m])
    return found


def embedded(member, known):
    """The structure that a member holds by value, or None."""
    match = re.fullmatch(r"(?:const )?(\w+) [^*(]+", member)
    return match.group(1) if match and match.group(1) in known else None


def check_structure(name, known):
    header, comment, members = known[name]
    if members[0] != "size_t size":
        if not re.search(r"No size: \w.{9,}", comment):
            yield f"{header}: {name} does not begin with `size_t size`, and its comment has no reason (No size: ...)"
        return
    inside = [embedded(m, known) for m in members]
    last_plain = max(i for i, kind in enumerate(inside) if kind is None)
    for i, kind in enumerate(inside):
        if kind and known[kind][2][0] == "size_t size":
            yield f"{header}: {name} has a size and embeds {kind}, which has one too: use a pointer"
        elif kind and i < last_plain and "for good" not in known[kind][1]:
            yield f"{header}: {name} has a size and embeds {kind} in its middle, where it cannot grow"


def check_functions(header, text, known):
    sized = [name for name, (_, _, members) in known.items() if members[0] == "size_t size"]
    for declaration in re.findall(r"\bSL_API\b([^;{]*);", COMMENT.sub("", text)):
        for name in re.findall(r"\b(\w+)(?= \w)", declaration):
            if name in sized:
                yield f"{header}: {' '.join(declaration.split())}: {name} has a size and goes by value; use a pointer or SL_DEFAULT"


def check(texts):
    known = structures(texts)
    bad = [line for name in known for line in check_structure(name, known)]
    bad += [line for header, text in texts.items() for line in check_functions(header, text, known)]
    return known, bad


def untested(texts, known, tests):
    """Definitions and filled structures that no test cuts short (DEFAULT of tests/runtime/test_sizes.c, sl_assert_sized)."""
    tested = set(re.findall(r"\b(?:DEFAULT|sl_assert_sized)\((\w+), ", tests))
    wanted = set()
    for text in texts.values():
        text = COMMENT.sub("", text)
        wanted |= set(re.findall(r"^SL_DEFAULT\((\w+),", text, re.M))
        for declaration in re.findall(r"\bSL_API\b([^;{]*);", text):
            wanted |= set(re.findall(r"(?<!const )\b(\w+) \*\w+[,)]", declaration.partition("(")[2]))
    return sorted(name for name in wanted - tested if name in known and known[name][2][0] == "size_t size")


def planted():
    """What the checks must find."""
    good = "typedef struct sl_a {\n    size_t size;\n    double x, y;\n} sl_a;\n"
    plain = "/* No size: a part of sl_b, with which it changes. */\ntypedef struct sl_p {\n    int i;\n} sl_p;\n"
    cases = {
        good: 0,
        plain: 0,
        "typedef struct sl_b {\n    double x;\n} sl_b;\n": 1,
        "/* No size: */\ntypedef struct sl_b {\n    double x;\n} sl_b;\n": 1,
        "/* Of another. No size: one. */\ntypedef struct sl_b {\n    double x;\n    size_t size;\n} sl_b;\n": 1,
        good + "typedef struct sl_b {\n    size_t size;\n    sl_a a;\n    int n;\n} sl_b;\n": 1,
        good + "typedef struct sl_b {\n    size_t size;\n    const sl_a *a;\n    int n;\n} sl_b;\n": 0,
        plain + "typedef struct sl_b {\n    size_t size;\n    sl_p p; /* here */\n    int n;\n} sl_b;\n": 1,
        plain + "typedef struct sl_b {\n    size_t size;\n    int n;\n    sl_p p[3], q;\n} sl_b;\n": 0,
        good + "SL_API sl_a sl_a_of(int n);\n": 1,
        good + "SL_API int sl_a_use(const sl_a a);\n": 1,
        good + "SL_API int sl_a_get(const sl_a *a, sl_a *out);\n": 0,
    }
    for text, n in cases.items():
        _, bad = check({"planted.h": text})
        assert len(bad) == n, (text, bad)
    texts = {"planted.h": good + "SL_API int sl_a_get(const sl_b *b, sl_a *out);\n"}
    assert untested(texts, structures(texts), "") == ["sl_a"]
    assert untested(texts, structures(texts), "sl_assert_sized(sl_a, out, f(&out));") == []


def main():
    planted()
    texts = {str(p.relative_to(ROOT)): p.read_text() for p in sorted((ROOT / "include").rglob("*.h"))}
    known, bad = check(texts)
    tests = "".join(p.read_text() for p in sorted((ROOT / "tests").glob("*/test_*.c")))
    bad += [f"no test fills {name} with a smaller size" for name in untested(texts, known, tests)]
    defined = sum(len(re.findall(r"\bstruct \w+ \{", COMMENT.sub("", text))) for text in texts.values())
    assert defined == len(known) > 50, f"{len(known)} of {defined} structures were read"
    print("\n".join(bad) or f"{len(known)} structures")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
