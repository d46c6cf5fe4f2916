#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The C example of results builds against the public headers and the library alone; every format gives the same ranges.
set -euo pipefail
# shellcheck source=tests/example_c.sh
. "$SLUICE_SOURCE/tests/example_c.sh"
build_example results
"$work/results" "$SLUICE_SOURCE/examples/town.inp" "$work/town.csv" | sort >"$work/csv.txt"
"$work/results" "$SLUICE_SOURCE/examples/town.inp" "$work/town.json" | sort >"$work/json.txt"
cat "$work/csv.txt"
cmp "$work/csv.txt" "$work/json.txt"
grep -q '^node\.pressure: [0-9.-]* ([^ ]*, [0-9]*) to [0-9.]* m ([^ ]*, [0-9]*)$' "$work/csv.txt"
"$SLUICE" run -q "$SLUICE_SOURCE/examples/town.inp" -o "$work/run.csv"
cmp "$work/town.csv" "$work/run.csv" # the command writes what the library does
if "$work/results" "$work/none.inp" "$work/none.csv" 2>"$work/err.txt"; then
    echo "a missing file must fail" && exit 1
fi
echo "built and run"
