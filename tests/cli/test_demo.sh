#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/demo runs to its end with the built program: a network, a surge, an automaton, each with its picture. A program that
# fails must fail the demonstration.
set -euo pipefail
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

printf '#!/bin/sh\nexit 3\n' >"$out/broken"
chmod +x "$out/broken"
if SLUICE=$out/broken "$SLUICE_SOURCE/scripts/demo" "$out/none" >/dev/null 2>&1; then
    echo "the demonstration succeeds with a program that fails"
    exit 1
fi

"$SLUICE_SOURCE/scripts/demo" "$out/files" >"$out/text"
for name in hilltown-pressure hilltown-all trip trip-envelope tanks; do
    grep -q '</svg>' "$out/files/$name.svg" || { echo "$name.svg is no whole picture"; exit 1; }
done
for name in hilltown.out hilltown.rpt tanks-events.csv; do
    [ -s "$out/files/$name" ] || { echo "$name is empty"; exit 1; }
done
# Every file that the closing list names is there, and no other one.
diff <(grep -oE 'files/[a-z.-]+' "$out/text" | sort -u | sed 's,files/,,' | sort) <(ls "$out/files" | sort)
grep -q 'of 3: a surge' "$out/text"
grep -q 'of 3: a hybrid automaton' "$out/text"
