#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The C example of an automaton (listings 3.1 to 3.5) builds against the public headers and the library alone; its numbers are those
# of the closed form: 24 events, and the snapshots at t = 2.43 and 24.14. With the tolerances of the listing they are near.
set -euo pipefail
# shellcheck source=tests/example_c.sh
. "$SLUICE_SOURCE/tests/example_c.sh"
build_example flower
"$work/flower" >"$work/out.txt"
cat "$work/out.txt"
awk '
function near(a, b, tolerance) { d = a - b; return d < tolerance && d > -tolerance }
{ gsub(/[(),;]/, " ") }
/^tolerances/ { tight = $2 < 1e-6 }
/t = / {
    x0 = $3 == 2.43 ? -0.52778 : 0.03503; x1 = $3 == 2.43 ? 0.25943 : 0.04321; q = $3 == 2.43 ? 0 : 1
    if (!near($6, x0, tight ? 6e-6 : 0.06) || !near($7, x1, tight ? 6e-6 : 0.06) || (tight && $10 != q)) { print "wrong: " $0; bad = 1 }
    n++
}
/events/ { if (tight && ($1 != 24 || $6 > 1e-9 || $7 != 25 || $9 != 2501)) { print "wrong: " $0; bad = 1 } n++ }
END { exit bad || n != 6 }' "$work/out.txt"
echo "built and run"
