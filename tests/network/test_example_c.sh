#!/usr/bin/env bash
# The C example builds against the installed headers and library alone, runs, and gives a file that checks clean.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sanitize=() # a sanitised library wants a sanitised program
case $(ldd "$SLUICE_LIBRARY") in # whole, not through a pipe that closes early
*libasan*) sanitize=('-fsanitize=address,undefined') ;;
*libtsan*) sanitize=(-fsanitize=thread) ;;
esac
"${SLUICE_CC:-cc}" "${sanitize[@]}" -std=c17 -Wall -Wextra -Werror -I "$SLUICE_SOURCE/include" -I "$SLUICE_SOURCE/cosim/include" \
    "$SLUICE_SOURCE/examples/c/two_reservoirs.c" \
    -o "$work/two_reservoirs" -L "$SLUICE_BUILD" -Wl,-rpath,"$SLUICE_BUILD" -lsluice -lpthread -lm
"$work/two_reservoirs" >"$work/built.inp"
"$SLUICE" check --strict "$work/built.inp"
"$SLUICE" convert "$work/built.inp" "$work/again.inp" --clean
cmp "$work/built.inp" "$work/again.inp"
echo "built, clean, and written again the same"
