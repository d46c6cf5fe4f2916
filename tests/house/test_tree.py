#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What may be tracked: at the root only what a rule allows, nowhere a file above 1 MB or one that EPANET left behind.

Needs a clone: skips where the sources are no git repository or git is not installed. The checker first runs on bad lists.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(os.environ.get("SLUICE_SOURCE") or Path(__file__).resolve().parents[2])
LIMIT = 1_000_000  # bytes

# At the root: files of tools (.gitignore), files for people (README.md, LICENSE), and what a tool looks for under this name.
ROOT_RULES = [r"\.[^/]+", r"[A-Z][A-Z0-9_-]*(\.md)?", r"CMakeLists\.txt", r"CMakePresets\.json", r"Makefile", r"pyproject\.toml",
              r"Containerfile"]
AT_ROOT = re.compile("|".join(f"(?:{rule})" for rule in ROOT_RULES))
# EPANET writes its temporary files, named by mkstemp("enXXXXXX"), into the folder in which it runs.
EPANET_FILE = re.compile(r"(?:.*/)?en[0-9A-Za-z]{6}")


def check(files):
    """files: {path: size}. Returns a list of 'path: message'."""
    findings = []
    for path, size in sorted(files.items()):
        if "/" not in path and not AT_ROOT.fullmatch(path):
            findings.append(f"{path}: no rule allows this file at the root: move it into a folder, or remove it")
        if EPANET_FILE.fullmatch(path):
            findings.append(f"{path}: a temporary file of EPANET: run it in a temporary folder")
        if size > LIMIT:
            findings.append(f"{path}: {size} bytes, at most {LIMIT} are allowed")
    return findings


def prove_it_can_fail():
    good = {"README.md": 1, "LICENSE": 1, ".gitignore": 1, "CMakeLists.txt": 1, "Makefile": 1, "src/base/ids.c": LIMIT,
            "tests/data/notes.txt": 1, "docs/enough.md": 1, "Containerfile": 1, "pyproject.toml": 1, "CMakePresets.json": 1}
    assert not check(good), check(good)
    for path, size, message in [("notes.txt", 1, "at the root"), ("readme.md", 1, "at the root"), ("a.out", 1, "at the root"),
                                ("enAb12Cd", 1, "at the root"), ("README.txt", 1, "at the root"), ("Makefile.old", 1, "at the root"),
                                ("bench/en0zQ9xY", 1, "EPANET"), ("docs/images/a.png", LIMIT + 1, "bytes")]:
        found = check({**good, path: size})
        assert len(found) >= 1 and message in " ".join(found), f"{path} ({size} bytes) goes unseen: {found}"


def tracked():
    """{path: size in the working tree}, or the reason why there is none. A file that is deleted and not committed has no size."""
    try:
        run = subprocess.run(["git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT), "ls-files", "-z", "--full-name"],
                             capture_output=True)
    except FileNotFoundError:
        return None, "git is not installed"
    if run.returncode != 0 or not (ROOT / ".git").exists():
        return None, "the sources are no git repository"
    paths = [path for path in run.stdout.decode("utf-8", "surrogateescape").split("\0") if path]
    return {path: (ROOT / path).lstat().st_size for path in paths if os.path.lexists(ROOT / path)}, ""


def main():
    prove_it_can_fail()
    files, reason = tracked()
    if files is None:
        print(f"skipped: {reason}")
        return 77
    assert len(files) > 100, f"git names {len(files)} files only"
    findings = check(files)
    print("\n".join(findings))
    print(f"{len(files)} tracked files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
