#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every source (C, C++, Python, shell, CMake) says its licence in its first line, after #! where there is one.

The checker first runs on small samples.
"""
import os
import re
import sys
from pathlib import Path

ROOT = Path(os.environ.get("SLUICE_SOURCE") or Path(__file__).resolve().parents[2])
LINE = "SPDX-License-Identifier: MIT"
C = re.compile(r"(\.(c|h|cpp|hpp|cc|inc)|/alias/cosim)$")
HASH = re.compile(r"(\.(py|sh|cmake)|\.cmake\.in|/CMakeLists\.txt|/Makefile|/Containerfile)$")
SCRIPT = re.compile(r"#!.*\b(bash|sh|python3?)\b")
SKIP = {"build", "corpus", "__pycache__", "out"}


def check(path, text):
    """A message, or None. path is like /src/base/ids.c."""
    first, *rest = text.split("\n", 2)
    if C.search(path):
        return None if first == f"/* {LINE} */" else f"{path[1:]}:1: begin with /* {LINE} */"
    if HASH.search(path) or SCRIPT.match(text):
        line = rest[0] if first.startswith("#!") and rest else first
        return None if line == f"# {LINE}" else f"{path[1:]}: the first line, after #! if there is one, is to be # {LINE}"
    return None


def prove_it_can_fail():
    c, sh = f"/* {LINE} */\n", f"# {LINE}\n"
    good = [("/src/a.c", c + "/* a.c: x */\n"), ("/src/CMakeLists.txt", sh), ("/t/a.py", "#!/usr/bin/env python3\n" + sh), ("/t/b.py", sh + '"""x"""'),
            ("/scripts/run", "#!/usr/bin/env bash\n" + sh), ("/docs/a.md", "# A\n"), ("/Makefile", sh), ("/examples/a.yaml", "a: 1\n")]
    bad = [("/src/a.c", "/* a.c: x */\n"), ("/src/a.h", "\n" + c), ("/src/a.cpp", f"/* {LINE.replace('MIT', 'GPL-3.0')} */\n"), ("/src/a.c", ""),
           ("/CMakeLists.txt", "project(x)\n"), ("/t/a.py", "#!/usr/bin/env python3\n"), ("/t/a.sh", "#!/bin/sh\nset -e\n" + sh), ("/Makefile", "all:\n"),
           ("/scripts/run", "#!/usr/bin/env bash\nset -e\n"), ("/cosim/a.cmake", "x()\n"), ("/t/b.py", '"""x"""\n' + sh)]
    for path, text in good:
        assert check(path, text) is None, f"a good {path} is refused: {check(path, text)}"
    for path, text in bad:
        assert check(path, text), f"{path} goes unseen: {text!r}"


def sources():
    for folder, names, files in os.walk(ROOT):
        at_root = Path(folder) == ROOT
        names[:] = sorted(n for n in names if n not in SKIP and (not n.startswith(".") or (at_root and n == ".ci")))
        for name in sorted(files):
            path = Path(folder) / name
            if path.is_symlink() or path.suffix in (".svg", ".inp", ".md", ".json", ".txt") and name != "CMakeLists.txt":
                continue
            try:
                yield "/" + path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


def main():
    prove_it_can_fail()
    findings, n = [], 0
    for path, text in sources():
        n += 1
        found = check(path, text)
        if found:
            findings.append(found)
    assert n > 500, f"only {n} files were found"
    print("\n".join(findings))
    print(f"{n} files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
