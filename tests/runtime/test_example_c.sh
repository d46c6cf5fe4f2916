#!/usr/bin/env bash
# The C example of a session builds against the public headers and the library alone, and runs through a day.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sanitize=() # a sanitised library wants a sanitised program
case $(ldd "$SLUICE_LIBRARY") in
*libasan*) sanitize=('-fsanitize=address,undefined') ;;
*libtsan*) sanitize=(-fsanitize=thread) ;;
esac
"${SLUICE_CC:-cc}" "${sanitize[@]}" -std=c17 -Wall -Wextra -Werror -I "$SLUICE_SOURCE/include" -I "$SLUICE_SOURCE/cosim/include" \
    "$SLUICE_SOURCE/examples/c/hourly.c" \
    -o "$work/hourly" -L "$SLUICE_BUILD" -Wl,-rpath,"$SLUICE_BUILD" -lsluice -lpthread -lm
"$work/hourly" "$SLUICE_SOURCE/examples/town.inp" >"$work/day.txt"
cat "$work/day.txt"
[ "$(grep -c 'lowest pressure *[0-9.-]* m  level *[0-9.]* m$' "$work/day.txt")" = 25 ] # 0:00 to 24:00
grep -q '^pressure at L3 was [0-9.-]* m at noon$' "$work/day.txt"
if "$work/hourly" "$work/none.inp" 2>"$work/err.txt"; then
    echo "a missing file must fail" && exit 1
fi
echo "built and run"
