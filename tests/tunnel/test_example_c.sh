#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The C example of tunnels builds against the public headers and the library alone. The tunnel of 600 m3 is dry behind the shut gate, fills,
# takes in then what it gives, and runs dry once the gate is shut.
set -euo pipefail
# shellcheck source=tests/example_c.sh
. "$SLUICE_SOURCE/tests/example_c.sh"
build_example tunnels
"$work/tunnels" >"$work/out.txt"
cat "$work/out.txt"
awk '
$1 == 0 && !($3 == 0 && $NF == "shut") { print "not dry: " $0; bad = 1 }
$1 == 10 && !($3 > 5 && $3 < 200 && $5 > 5 && $8 == 0 && $NF == "open") { print "does not fill: " $0; bad = 1 }
$1 == 60 && !($3 == 600 && $5 == $8 && $5 > 10) { print "not full: " $0; bad = 1 }
$1 == 70 && !($5 == 0 && $8 > 0 && $3 < 600 && $NF == "shut") { print "not shut: " $0; bad = 1 }
$1 == 100 && !($3 == 0) { print "not dry again: " $0; bad = 1 }
{ n++ }
END { exit bad || n != 11 }' "$work/out.txt"
echo "built and run"
