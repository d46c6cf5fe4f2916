#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The C example of a session builds against the public headers and the library alone, and runs through a day.
set -euo pipefail
# shellcheck source=tests/example_c.sh
. "$SLUICE_SOURCE/tests/example_c.sh"
build_example hourly
"$work/hourly" "$SLUICE_SOURCE/examples/town.inp" >"$work/day.txt"
cat "$work/day.txt"
[ "$(grep -c 'lowest pressure *[0-9.-]* m  level *[0-9.]* m$' "$work/day.txt")" = 25 ] # 0:00 to 24:00
grep -q '^pressure at L3 was [0-9.-]* m at noon$' "$work/day.txt"
if "$work/hourly" "$work/none.inp" 2>"$work/err.txt"; then
    echo "a missing file must fail" && exit 1
fi
echo "built and run"
