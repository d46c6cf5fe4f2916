#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The C example builds against the installed headers and library alone, runs, and gives a file that checks clean.
set -euo pipefail
# shellcheck source=tests/example_c.sh
. "$SLUICE_SOURCE/tests/example_c.sh"
build_example two_reservoirs
"$work/two_reservoirs" >"$work/built.inp"
"$SLUICE" check --strict "$work/built.inp"
"$SLUICE" convert "$work/built.inp" "$work/again.inp" --clean
cmp "$work/built.inp" "$work/again.inp"
echo "built, clean, and written again the same"
