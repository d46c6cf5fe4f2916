#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command line names no engine and no kind of model.

Every symbol that an object of src/cli takes from elsewhere is looked up in the objects of the library: none may come from the
folder of an engine, or from a file of src/kinds that belongs to one kind. Reports and pictures of one kind, which are in other
folders, are known by their names. Networks as data (reading, writing, converting, comparing and verifying files) are no engine.

The checker first runs on small bad samples, so that it cannot pass by seeing nothing.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(os.environ.get("SLUICE_SOURCE") or Path(__file__).resolve().parents[2])
BUILD = Path(os.environ.get("SLUICE_BUILD") or ROOT / "build/release")
ENGINES = {"eps", "quality", "surge", "hybrid", "automata", "tunnel", "circuit", "dae"}
# The files of src/kinds that know no single kind.
GENERAL = {"session_explain.c", "load.c", "recognise.c", "foreign.c", "open.c", "table.c", "report.c", "run_picture.c",
           "values_summary.c"}
NAMES = re.compile(r"^sl_(eps|surge|study|transport|hydraulics|hybrid|automaton|execution|sda|sha|trace|plot_automaton|"
                   r"kind_(network|surge|automaton|quality)|model_from|model_of_automaton)(_|$)|^sl_model_from_")
FEWEST = 20  # objects of src/cli and sources of symbols: fewer means that nothing was seen


def check(wanted, home):
    """wanted: {source of src/cli: symbols}; home: {symbol: source that defines it}. Yields messages."""
    for source, symbols in sorted(wanted.items()):
        for symbol in sorted(symbols):
            parts = home.get(symbol, "").split("/")
            if len(parts) > 1 and (parts[1] in ENGINES or (parts[1] == "kinds" and parts[-1] not in GENERAL)):
                yield f"{source} takes {symbol} from {home[symbol]}"
            elif NAMES.match(symbol):
                yield f"{source} takes {symbol}, which only one kind of model has"


def prove_it_can_fail():
    home = {"sl_eps_solve": "src/eps/solve.c", "sl_network_load": "src/kinds/network.c", "sl_kind_load": "src/kinds/load.c",
            "sl_session_step": "src/session/advance.c", "sl_inp_read": "src/network/inp_read.c", "sl_surge_json": "src/results/surge_json.c",
            "sl_model_from_network": "src/session/model_network.c", "sl_odd": "src/quality/run.c"}
    for symbol in ("sl_kind_load", "sl_session_step", "sl_inp_read", "sl_plot", "sl_network_with_units", "printf"):
        assert not list(check({"a.c": {symbol}}, home)), f"{symbol} is refused"
    for symbol in ("sl_eps_solve", "sl_network_load", "sl_surge_json", "sl_model_from_network", "sl_odd", "sl_study_open",
                   "sl_execution_next", "sl_plot_automaton", "sl_kind_network", "sl_automaton_is_discrete"):
        assert list(check({"a.c": {symbol}}, home)), f"{symbol} is not refused"


def symbols(path, *options):
    text = subprocess.run(["nm", *options, str(path)], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1] for line in text.splitlines() if line.strip()}


def main():
    prove_it_can_fail()
    if not shutil.which("nm"):
        print("skipped: there is no nm")
        return 77
    wanted, home = {}, {}
    for source in sorted((ROOT / "src").rglob("*.c")):
        name = source.relative_to(ROOT).as_posix()
        own = name.startswith("src/cli/")
        targets = ("sluice_cli.dir", "sluice.dir") if own else ("sluice_objects.dir",)
        objects = [o for target in targets for o in (BUILD / "CMakeFiles" / target).glob(name + ".o*")]
        if objects and own:
            wanted[name] = symbols(objects[0], "-u")
        elif objects:
            home.update({symbol: name for symbol in symbols(objects[0], "-g", "--defined-only")})
    findings = list(check(wanted, home))
    if len(wanted) < FEWEST or len(set(home.values())) < FEWEST:
        findings.append(f"only {len(wanted)} objects of src/cli and {len(home)} symbols were seen")
    for finding in findings:
        print(finding)
    print(f"{len(wanted)} objects of src/cli, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
