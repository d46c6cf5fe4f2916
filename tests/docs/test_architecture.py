#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/architecture.md describes the tree as it is.

- Every path it names (src/eps/solve.c, tests/house/test_layers.py, docs) exists. A file without a folder (solve.c) is one of the
  folder named last before it. Names may hold a star, which must match something.
- Every folder of src is a row of its map, in the order of LAYERS in tests/house/test_layers.py; so is the list in CONTRIBUTING.md.
- Every sl_name is found in include or src.
- Every source that includes a header of POSIX, Linux or a processor is named in its section "Ports".

The checker first runs on small bad pages.
"""
import os
import re
import sys
from pathlib import Path

ROOT = Path(os.environ.get("SLUICE_SOURCE") or Path(__file__).resolve().parents[2])

TOP = "src|include|tests|docs|scripts|cosim|examples|bench|fuzz"
# A path from the root, or a bare file name; sluice/x.h is what programs include.
NAME = re.compile(rf"(?<![\w/.<*-])(?:(?P<path>(?:{TOP})/[\w./*-]*\w)|(?P<public>sluice/\w+\.h)|(?P<bare>[\w*]+\.(?:c|h|py|sh))\b)")
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<([^>]+)>", re.M)
ISO = set("assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbool "
          "stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype".split())
OURS = re.compile(r"sluice/|libfyaml|ida/|klu|amd|cairo|nvector/|sundials|sunmatrix|sunlinsol|sunnonlinsol|SuiteSparse")
CLI_MAY = {"unistd.h", "strings.h", "sys/stat.h", "sys/types.h"}


def exists(files, folders, name):
    if "*" in name:
        pattern = re.compile(re.escape(name).replace(r"\*", r"[^/]*"))
        return any(pattern.fullmatch(path) for path in files)
    return name in files or name in folders


def check_names(page, files):
    """Yields (line, message)."""
    folders = {path.rsplit("/", k)[0] for path in files for k in range(1, path.count("/") + 1)}
    folder = ""
    for number, line in enumerate(page.splitlines(), 1):
        # The text of a link is judged, its target is another test's.
        line = re.sub(r"\]\([^)]*\)", "]", line)
        for match in NAME.finditer(line):
            name = match.group(0)
            if match.group("path"):
                if not exists(files, folders, name):
                    yield number, f"{name} does not exist"
                folder = name if name in folders else name.rsplit("/", 1)[0]
            elif match.group("public"):
                if not {f"include/{name}", f"cosim/include/{name}"} & files:
                    yield number, f"include/{name} does not exist"
            elif not exists(files, folders, f"{folder}/{name}"):
                yield number, f"{folder}/{name} does not exist ({folder} is the folder named last)"


def check_layers(page, contributing, files, layers):
    here = [name for name in layers if any(path.startswith(f"src/{name}/") for path in files)]
    rows = re.findall(r"^\| `src/(\w+)` \|", page, re.M)
    if rows != here:
        yield f"docs/architecture.md: the rows of the map are {' '.join(rows)}, the folders in order of layers {' '.join(here)}"
    found = re.search(r"## Layers\n.*?```\n(.*?)```", contributing, re.S)
    if not found or found.group(1).split() != layers:
        yield "CONTRIBUTING.md: the list of layers is not that of tests/house/test_layers.py"


def check_functions(page, sources):
    known = set(re.findall(r"\bsl_\w+", "\n".join(sources.values())))
    for name in sorted(set(re.findall(r"\bsl_\w+", page)) - known):
        yield f"docs/architecture.md: {name} is in no header or source"


def check_ports(page, sources):
    section = re.search(r"^## Ports\n(.*?)(?=^## |\Z)", page, re.S | re.M)
    listed, folder = set(), ""
    for match in NAME.finditer(section.group(1) if section else ""):
        name = match.group(0)
        if match.group("path"):
            folder = name.rsplit("/", 1)[0]
        listed.add(name if match.group("path") else f"{folder}/{name}")
    for path, text in sorted(sources.items()):
        if not path.startswith(("src/", "cosim/src/")) or path in listed:
            continue
        for header in INCLUDE.findall(text):
            if (re.sub(r"\.h$", "", header) not in ISO and not OURS.match(header)
                    and not (path.startswith("src/cli/") and header in CLI_MAY)):
                yield f"{path} includes <{header}>: name it in docs/architecture.md, Ports"


def check(page, contributing, sources, files, layers):
    return ([f"docs/architecture.md:{line}: {message}" for line, message in check_names(page, files)]
            + list(check_layers(page, contributing, files, layers)) + list(check_functions(page, sources))
            + list(check_ports(page, sources)))


def prove_it_can_fail():
    sources = {"src/base/ids.c": "#include <string.h>\nint sl_ids_find(void);\n", "src/base/pool.c": "#include <pthread.h>\n",
               "src/eps/solve.c": "#include <sluice/base.h>\n#include <math.h>\n", "src/cli/main.c": "#include <unistd.h>\n",
               "include/sluice/base.h": ""}
    files = set(sources) | {"docs/architecture.md", "src/eps/inp_a.c"}
    page = ("| `src/base` | `src/base/ids.c`, `pool.c` |\n| `src/eps` | solve.c, `inp_*.c`, [`sluice/base.h`](x.h) |\n"
            "| `src/cli` | `main.c`, `sl_ids_find` |\n## Ports\n`src/base/pool.c`\n")
    contributing, layers = "## Layers\n\n```\nbase tunnel eps cli\n```\n", ["base", "tunnel", "eps", "cli"]
    found = check(page, contributing, sources, files, layers)
    assert not found, found
    for what, message, args in [
            ("a path that is gone", "src/base/gone.c does not exist", (page + "`src/base/gone.c`\n", contributing, sources)),
            ("a bare name of another folder", "src/cli/solve.c does not exist", (page.replace("`main.c`", "`solve.c`"), contributing, sources)),
            ("a star without a match", "src/eps/out_*.c does not exist", (page.replace("inp_*", "out_*"), contributing, sources)),
            ("a public header", "include/sluice/eps.h does not", (page.replace("sluice/base.h", "sluice/eps.h"), contributing, sources)),
            ("a folder without a row", "rows of the map", (page.replace("| `src/eps` |", "| src/eps |"), contributing, sources)),
            ("rows in another order", "rows of the map", ("| `src/cli` |\n" + page.replace("| `src/cli` |", ""), contributing, sources)),
            ("another list of layers", "list of layers", (page, contributing.replace("tunnel ", ""), sources)),
            ("a function that is gone", "sl_ids_gone is in no", (page + "sl_ids_gone\n", contributing, sources)),
            ("a port that is not named", "src/eps/x.c includes <sys/mman.h>", (page, contributing, {**sources, "src/eps/x.c": "#include <sys/mman.h>\n"})),
            ("a port of cosim that is not named", "cosim/src/base/x.c includes <poll.h>",
             (page, contributing, {**sources, "cosim/src/base/x.c": "#include <poll.h>\n"})),
            ("a processor's header", "includes <immintrin.h>", (page, contributing, {**sources, "src/eps/x.c": "#include <immintrin.h>\n"})),
            ("no section of ports", "src/base/pool.c includes", (page.replace("## Ports", "## Other"), contributing, sources))]:
        found = check(*args, files, layers)
        assert any(message in line for line in found), f"{what} goes unseen: {found}"


def main():
    prove_it_can_fail()
    files = {path.relative_to(ROOT).as_posix() for top in TOP.split("|") for path in (ROOT / top).rglob("*") if path.is_file()}
    sources = {path: (ROOT / path).read_text(encoding="utf-8") for path in files
               if path.startswith(("src/", "include/", "cosim/src/", "cosim/include/")) and path.endswith((".c", ".h"))}
    layers = re.search(r'LAYERS = \("(.*?)"\)\.split', (ROOT / "tests/house/test_layers.py").read_text(), re.S)
    layers = re.sub(r'"\s*"', "", layers.group(1)).split()
    findings = check((ROOT / "docs/architecture.md").read_text(encoding="utf-8"),
                     (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), sources, files, layers)
    print("\n".join(findings))
    print(f"{len(sources)} sources, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
