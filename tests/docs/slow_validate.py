#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/validate with what anybody can install: both engines on the networks of the packages, a row for each of the eight
networks, no file left where it ran. A program that simulates another demand is found out.

Skipped where pip cannot install EPANET and the networks. With sanitizers, which are slow, only some of the eight."""
import os
import re
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

SLUICE, SOURCE = os.environ["SLUICE"], Path(os.environ["SLUICE_SOURCE"])
SLOW_BUILD = Path(os.environ.get("SLUICE_BUILD", "")).name not in ("release", "clang")
NAMES = ["Balerma", "BWSN2", "D-Town", "KY8", "KY9", "KY10", "L-TOWN", "Richmond"]
# A program as Sluice, but that it simulates another demand; with a file .deaf beside it, `verify` is given that demand too.
LIAR = """#!/usr/bin/env bash
if [ "$1" = run ]; then
    sed 's/^ *\\[END\\].*//I' "$3" >"$0.inp"
    printf '\\n[OPTIONS]\\nDEMAND MULTIPLIER 1.001\\n' >>"$0.inp"
    exec "{sluice}" run "$2" "$0.inp" "${{@:4}}"
elif [ "$1" = verify ] && [ -e "$0.deaf" ] && [[ $4 = *ours.out ]]; then
    exec "{sluice}" verify "$2" "$0.inp" "$4"
fi
exec "{sluice}" "$@"
"""


def validate(folder, *more, sluice=SLUICE):
    command = [sys.executable, str(SOURCE / "scripts/validate"), "--sluice", sluice, "--shared", str(folder / "absent"), *more]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def liar_is_found(folder):
    liar = folder / "liar"
    liar.write_text(LIAR.format(sluice=SLUICE))
    liar.chmod(liar.stat().st_mode | stat.S_IXUSR)
    for verdict in ("**unsound**", "**different**"):
        run = validate(folder, "--only", "Balerma", sluice=str(liar))
        assert run.returncode == 1 and verdict in run.stdout, run.stdout + run.stderr
        (folder / "liar.deaf").touch()
    for made in folder.glob("liar*"):
        made.unlink()


def page_is_made(folder):
    page = folder / "page.md"
    before = (SOURCE / "docs/validation.md").read_text()
    page.write_text(before)
    run = validate(folder, "--page", str(page))
    assert run.returncode == 0, run.stdout + run.stderr
    text = page.read_text()
    rows = re.search("<!-- eight networks -->(.*)<!-- end of eight networks -->", text, re.S).group(1)
    found = [line.split(" | ")[0].lstrip("| ") for line in rows.splitlines() if line.startswith("| ")][1:]
    assert found == NAMES, found
    assert "| D-Town | | | | | | | no source" in rows
    mark = re.compile("<!-- networks -->.*<!-- end of networks -->", re.S)
    assert mark.search(text).group(0) == mark.search(before).group(0), "a table without a source was changed"
    page.unlink()


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run = validate(folder, "--only", "Balerma,KY8,D-Town")
        if "pip could not install" in run.stderr:
            print("EPANET and the networks cannot be installed: " + run.stderr.strip().splitlines()[-1])
            return 77
        assert run.returncode == 0 and "| KY8 | 1332 | 1618 |" in run.stdout, run.stdout + run.stderr
        liar_is_found(folder)
        if not SLOW_BUILD:
            page_is_made(folder)
        assert not list(folder.iterdir()), list(folder.iterdir())
    return 0


if __name__ == "__main__":
    sys.exit(main())
