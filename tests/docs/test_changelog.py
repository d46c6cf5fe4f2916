#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CHANGELOG.md is ready for a tag: its newest version is that of CMakeLists.txt, versions fall, each has a date or is the newest
and unreleased, and sections are those of Keep a Changelog. The checker first runs on bad texts."""
import os
import re
import sys
from pathlib import Path

ROOT = Path(os.environ.get("SLUICE_SOURCE") or Path(__file__).resolve().parents[2])
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def check(changelog, cmake):
    version = re.search(r"project\(\w+ VERSION (\d+\.\d+\.\d+)", cmake).group(1)
    heads = re.findall(r"^## (.*)$", changelog, re.M)
    parsed = [re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - (unreleased|\d{4}-\d{2}-\d{2})", head) for head in heads]
    findings = [f"'## {head}' is not '## [1.2.3] - 2030-01-31'" for head, match in zip(heads, parsed) if not match]
    found = [(tuple(map(int, match.group(1).split("."))), match.group(2)) for match in parsed if match]
    if not found or found[0][0] != tuple(map(int, version.split("."))):
        findings.append(f"the newest version is not {version}, that of CMakeLists.txt")
    findings += ["only the newest version may be unreleased" for _, date in found[1:] if date == "unreleased"]
    findings += ["versions do not fall" for a, b in zip(found, found[1:]) if a[0] <= b[0]]
    findings += [f"'### {kind}' is no section of Keep a Changelog" for kind in re.findall(r"^### (.*)$", changelog, re.M) if kind not in KINDS]
    return findings


def prove_it_can_fail():
    cmake = "project(x VERSION 0.2.0 LANGUAGES C)"
    good = "# C\n## [0.2.0] - unreleased\n### Added\n- x\n## [0.1.0] - 2030-01-31\n### Fixed\n- y\n"
    assert not check(good, cmake), check(good, cmake)
    for what, bad, message in [("another version", good.replace("0.2.0", "0.3.0"), "CMakeLists"), ("no date", good.replace(" - 2030-01-31", ""), "is not"),
                               ("two unreleased", good.replace("2030-01-31", "unreleased"), "only the newest"),
                               ("order", good.replace("0.1.0", "0.2.1"), "do not fall"), ("a section", good.replace("Fixed", "News"), "Keep a"),
                               ("no version", "# C\n", "CMakeLists")]:
        assert any(message in finding for finding in check(bad, cmake)), f"{what} goes unseen: {check(bad, cmake)}"


def main():
    prove_it_can_fail()
    findings = check((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
    print("\n".join(findings))
    print(f"{len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
