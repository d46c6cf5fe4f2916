#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A type has one name and a name one type: no type of src and include is defined twice, and no name uses a private word.

A type of a header, or one whose name begins with sl_, has its name for itself in the whole tree. Types that one .c file keeps to
itself may be called as those of another .c file (a `job`, a `reader`): nobody sees both. `typedef struct x x;` declares and may
stand in several files; the body stands in one. Private words are those that docs/glossary.md lists in the line "Not in names".
"""
import collections
import os
import re
import sys
from pathlib import Path

ROOT = Path(os.environ.get("SLUICE_SOURCE") or Path(__file__).resolve().parents[2])
BLANK = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.S | re.M)


def code_of(text):
    return BLANK.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def body_end(code, start):
    depth = 0
    for i in range(start, len(code)):
        depth += (code[i] == "{") - (code[i] == "}")
        if depth == 0:
            return i + 1
    return len(code)


def types_of(code):
    """Yields (name, offset) of each type that the code defines, a tag and a typedef of the same name once."""
    seen = {}
    for m in re.finditer(r"\b(?:struct|union|enum)\s+(\w+)\s*\{", code):
        seen.setdefault(m.group(1), m.start())
    for m in re.finditer(r"\btypedef\b", code):
        at = m.end()
        while at < len(code) and code[at] != ";":
            at = body_end(code, at) if code[at] == "{" else at + 1
        text = re.sub(r"\{.*\}", " {} ", code[m.end():at], flags=re.S)
        forward = re.fullmatch(r"\s*(?:struct|union|enum)\s+(\w+)\s+(\w+)\s*", text)
        name = re.search(r"\(\s*\*\s*(\w+)\s*\)", text) or re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$", text)
        if name and not (forward and forward.group(1) == forward.group(2)):
            seen.setdefault(name.group(1), m.start())
    return seen.items()


def check_types(files):
    """files: path -> text. Yields messages."""
    where = collections.defaultdict(list)
    for path, text in sorted(files.items()):
        code = code_of(text)
        for name, offset in types_of(code):
            where[name].append((path, code.count("\n", 0, offset) + 1))
    for name, places in sorted(where.items()):
        public = name.startswith("sl_") or any(path.endswith(".h") for path, _ in places)
        if public and len(places) > 1:
            yield f"type {name} is defined {len(places)} times: " + ", ".join(f"{path}:{line}" for path, line in places)


def check_words(files, words):
    """Yields names of files, and names that begin with sl_ or SL_, that are made of a private word."""
    for path in sorted(files):
        for word in set(re.split(r"[_.]", Path(path).name)) & words:
            yield f"{path}: the file's name uses the private word '{word}' (docs/glossary.md)"
    for path, text in sorted(files.items()):
        code = code_of(text)
        for name in sorted(set(re.findall(r"\b(?:sl|SL)_\w+", code))):
            for word in set(name.lower().split("_")) & words:
                line = code.count("\n", 0, re.search(rf"\b{name}\b", code).start()) + 1
                yield f"{path}:{line}: {name} uses the private word '{word}' (docs/glossary.md)"


def private_words(glossary):
    line = re.search(r"^Not in names: (.*)$", glossary, re.M)
    return set(re.findall(r"`(\w+)`", line.group(1))) if line else set()


def prove():
    """What must be found is found, and nothing else."""
    a = "typedef struct sl_table {\n    int n;\n} sl_table;\n"
    for what, files in {
        "two structs": {"src/x/a.h": a, "src/y/b.h": a},
        "a struct and an enum": {"src/x/a.h": a, "src/y/b.c": "enum sl_table { A, B };\n"},
        "a tag in two .c files": {"src/x/a.c": "struct sl_run { int n; };\n", "src/y/b.c": "struct sl_run { int m; };\n"},
        "a function type": {"src/x/a.h": "typedef int (*sl_fn)(int a, struct q *b);\n", "include/sluice/b.h": "typedef long sl_fn;\n"},
        "an array type": {"src/x/a.h": "typedef SL_ARRAY(int) sl_list;\n", "src/y/b.h": "typedef struct { int n; } sl_list;\n"},
        "a private type as a header's": {"src/x/a.c": "typedef struct job { int n; } job;\n", "src/y/b.h": "struct job { int n; };\n"},
    }.items():
        assert len(list(check_types(files))) == 1, f"{what}: not found"
    good = {
        "include/sluice/a.h": "typedef struct sl_a sl_a; /* struct sl_a { } */\n#define X struct sl_a {\n",
        "src/x/a.h": "typedef struct sl_a sl_a;\nsl_a *sl_a_make(const struct sl_a *from);\n",
        "src/x/a.c": "struct sl_a { struct { int n; } in; };\ntypedef struct job { int n; } job;\nstatic const char *t = \"struct sl_a {\";\n",
        "src/y/b.c": "typedef struct job { double x; } job;\nstatic struct sl_a make(void) { return (struct sl_a){.in = {1}}; }\n",
    }
    assert not list(check_types(good)), list(check_types(good))
    words = private_words("text\nNot in names: `tell`, `wish`.\n")
    assert words == {"tell", "wish"}, words
    bad = list(check_words({"src/x/tell.c": "int sl_x_tell(int n);\nenum { SL_WISH_N };\n"}, words))
    assert len(bad) == 3, bad
    assert not list(check_words({"src/x/a.c": "int wish; /* sl_tell */ const char *t = \"sl_tell\"; int sl_teller_n;\n"}, words))


def main():
    prove()
    files = {}
    for folder in ("src", "include", "cosim/src", "cosim/include"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".c", ".h", ".inc") and path.is_file():
                files[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8")
    words = private_words((ROOT / "docs/glossary.md").read_text(encoding="utf-8"))
    assert len(files) > 100 and len(words) > 5, f"{len(files)} files and {len(words)} words: the patterns of this test no longer fit"
    bad = [*check_types(files), *check_words(files, words)]
    print("\n".join(bad) or f"{len(files)} files: every type is defined once, and no name uses one of {len(words)} private words")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
