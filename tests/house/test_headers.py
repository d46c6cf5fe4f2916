#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Public headers compile alone as C17 and C++17; libsluice.so exports exactly what they declare with SL_API."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ.get("SLUICE_SOURCE") or Path(__file__).resolve().parents[2])
INCLUDES = [ROOT / "include", ROOT / "cosim/include"]  # the second is that of the CoSim library, a part of ours
WARN = ["-pedantic", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-fsyntax-only"]


def compiles(command, text, suffix):
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / f"alone{suffix}"
        source.write_text(text)
        run = subprocess.run([*command, *WARN, *(f"-I{folder}" for folder in INCLUDES), str(source)], capture_output=True, text=True)
        return run.returncode == 0, run.stderr


def check_alone(headers):
    languages = [([os.environ.get("SLUICE_CC", "cc"), "-std=c17"], ".c"),
                 ([os.environ.get("SLUICE_CXX", "c++"), "-std=c++17"], ".cpp")]
    bad = 0
    for command, suffix in languages:
        ok, _ = compiles(command, "int f(void) { undeclared(); return 0 }\n", suffix)
        assert not ok, "the compiler accepts nonsense"
        for header in headers:
            # Twice: the guard must hold.
            ok, message = compiles(command, f"#include <{header}>\n#include <{header}>\nint main(void) {{ return 0; }}\n", suffix)
            if not ok:
                bad += 1
                print(f"{header} does not compile alone with {' '.join(command)}:\n{message}")
    return bad


def text_of(header):
    return next(folder / header for folder in INCLUDES if (folder / header).exists()).read_text()


def foreign_codes(texts):
    """Headers that use sl_cosim_code without being that of exchanges."""
    return [name for name, text in texts.items() if "sl_cosim_code" in text and name != "sluice/cosim.h"]


def declared(headers):
    """Names with SL_API, which is an attribute once macros are expanded (SL_DEFAULT declares a function)."""
    names = set()
    for header in headers:
        run = subprocess.run([os.environ.get("SLUICE_CC", "cc"), "-std=c17", "-E", "-P", *(f"-I{folder}" for folder in INCLUDES), "-xc", "-"],
                             input=text_of(header), capture_output=True, text=True, check=True)
        for declaration in re.findall(r'__attribute__\(\(visibility\("default"\)\)\)([^;{]*)[;{]', run.stdout):
            declaration = re.sub(r"__attribute__\s*\(.*", "", declaration, flags=re.S)
            match = re.search(r"(\w+)\s*\(", declaration) or re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)?$", declaration.strip())
            names.add(match.group(1))
    assert {"sl_context_create", "sl_context_default_fill"} <= names, "the headers were not read"
    return names


def check_exports(headers, library):
    run = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    exported = {line.split()[-1].split("@")[0] for line in run.stdout.splitlines()}
    exported = {name for name in exported if not re.match(r"__(odr_)?(asan|ubsan|tsan|sancov|sanitizer)", name)}
    public = declared(headers)
    bad = 0
    for name in sorted(exported):
        if not name.startswith("sl_"):
            bad += 1
            print(f"{library} exports {name}, which does not begin with sl_")
        elif name not in public:
            bad += 1
            print(f"{library} exports {name}, which no public header declares with SL_API")
    for name in sorted(public - exported):
        bad += 1
        print(f"{name} is declared with SL_API but {library} does not have it")
    print(f"{len(headers)} headers, {len(exported)} exported symbols")
    return bad


def main():
    headers = sorted(p.relative_to(folder).as_posix() for folder in INCLUDES for p in (folder / "sluice").glob("*.h"))
    assert "sluice/base.h" in headers and "sluice/network.h" in headers, "public headers are not found"
    assert len(headers) == len(set(headers)), "a header is there twice"
    bad = check_alone(headers)
    assert foreign_codes({"sluice/eps.h": "sl_cosim_code f(void);"}) == ["sluice/eps.h"], "a foreign code goes unseen"
    for name in foreign_codes({header: text_of(header) for header in headers}):
        bad += 1
        print(f"{name} uses sl_cosim_code: what is not an exchange returns sl_status")
    library = os.environ.get("SLUICE_LIBRARY")
    if library:
        bad += check_exports(headers, library)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
