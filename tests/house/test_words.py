#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Texts for people use the words of the field.

docs/glossary.md lists two kinds of words. Those of the line "Not in texts" are wrong everywhere; they are searched in the manual, in
help, in messages, and in public names. Those of the line "Not as terms" are good English, but wrong as terms; they are searched in
messages and help (the string literals of src and cosim/src that hold a blank), names of options, names of public headers, and names of
files. ALLOWED has the texts in which such a word has its plain meaning.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(os.environ.get("SLUICE_SOURCE") or Path(__file__).resolve().parents[2])
LITERAL = re.compile(r"/\*.*?\*/|//[^\n]*|\"((?:\\.|[^\"\\\n])*)\"|'(?:\\.|[^'\\\n])*'", re.S)
OPTION = re.compile(r'SL_OPTION_ROW\("([a-z-]+)"')
CODE = re.compile(r"```.*?```|`[^`\n]*`|\]\([^)]*\)", re.S)
ALLOWED_MAX = 20
ALLOWED = {  # part of a text -> the word that it may use
    "in place of": "place",
    "a file in place": "place",
    "to a real place is chance": "place",
    "room.": "room",
    "a mode of rest": "rest",
    "rest: ": "rest",
    "rigid_part": "part",
    "the rest of a text": "rest",
    "select part of": "part",
}


def words_of(glossary, head):
    line = re.search(rf"^{head}: (.*)$", glossary, re.M)
    return set(re.findall(r"`(\w+)`", line.group(1))) if line else set()


def texts_of(code):
    """Yields (text, offset) of the literals that hold a blank."""
    for m in LITERAL.finditer(code):
        if m.group(1) is not None and " " in m.group(1):
            yield m.group(1), m.start()


def is_allowed(text, word, used):
    for part, its in ALLOWED.items():
        if its == word and part in text:
            used.add(part)
            return True
    return False


def check_text(where, text, words, used):
    for word in re.findall(r"[a-z]+", text.lower()):
        if word in words and not is_allowed(text, word, used):
            yield f"{where}: '{word}' in: {text.strip()[:100]}"


def check_code(files, words, used):
    for path, code in sorted(files.items()):
        for text, offset in texts_of(code):
            yield from check_text(f"{path}:{code.count(chr(10), 0, offset) + 1}", text.replace("\\n", " "), words, used)
        for name in OPTION.findall(code):
            yield from check_text(path, name.replace("-", " "), words, used)


def check_pages(pages, words):
    for path, page in sorted(pages.items()):
        plain = CODE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), page)
        for n, line in enumerate(plain.split("\n"), 1):
            yield from check_text(f"{path}:{n}", line, words, set())


def check_names(headers, paths, words, used):
    for path, code in sorted(headers.items()):
        plain = re.sub(r"/\*.*?\*/|//[^\n]*", " ", code, flags=re.S)
        for name in sorted(set(re.findall(r"\b(?:sl|SL)_\w+", plain))):
            yield from check_text(f"{path}: {name}", name.replace("_", " "), words, used)
    for path in paths:
        yield from check_text(path, re.sub(r"[^a-z]", " ", Path(path).name.lower()), words, used)


def prove():
    """What must be found is found, and nothing else."""
    everywhere, terms = {"told"}, {"told", "place"}
    found = lambda *of: [m for each in of for m in each]
    assert len(found(check_code({"a.c": 'f("you are told %d");\ng("its place is wrong");\n/* "told so" */ h("told");'}, terms, set()))) == 2
    assert len(found(check_code({"a.c": 'SL_OPTION_ROW("told-so", 0'}, terms, set()))) == 1
    assert not found(check_code({"a.c": 'f("prints in place of it");'}, terms, set()))
    assert len(found(check_pages({"a.md": "one\nis told\n`told` and\n```\ntold\n```\n[x](told.md) in its place"}, everywhere))) == 1
    assert len(found(check_names({"a.h": "int sl_x_told(void); /* sl_told */"}, ["src/x/place.c"], terms, set()))) == 2


def main():
    prove()
    glossary = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    everywhere, terms = words_of(glossary, "Not in texts"), words_of(glossary, "Not as terms")
    assert len(everywhere) > 5 and len(terms) > 5, "docs/glossary.md has no lists of words"
    assert len(ALLOWED) <= ALLOWED_MAX, f"{len(ALLOWED)} exceptions, {ALLOWED_MAX} are allowed"
    read = lambda pattern, *folders: {p.relative_to(ROOT).as_posix(): p.read_text(encoding="utf-8") for f in folders
                                      for p in sorted((ROOT / f).rglob(pattern)) if p.is_file()}
    code = {**read("*.c", "src", "cosim/src"), **read("*.h", "src", "cosim/src")}
    pages = {**read("*.md", "docs", "examples", "cosim"), **{n: (ROOT / n).read_text(encoding="utf-8") for n in ("README.md", "CONTRIBUTING.md")}}
    del pages["docs/glossary.md"]
    headers = {**read("*.h", "include"), **read("*.h*", "cosim/include")}
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "src", "include", "cosim", "docs"], capture_output=True, text=True, check=False)
    paths = [p for p in listed.stdout.split("\n") if p and "/images/" not in p]
    used = set()
    bad = [*check_code(code, everywhere | terms, used), *check_pages(pages, everywhere), *check_names(headers, paths, everywhere | terms, used)]
    bad += [f"ALLOWED: nothing has '{part}'" for part in ALLOWED if part not in used]
    print("\n".join(bad) or f"{len(code)} sources, {len(pages)} pages and {len(headers)} headers use none of {len(everywhere | terms)} words")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
