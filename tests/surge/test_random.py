#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Thirty random networks with random events: every value a number, every alarm explained; bench/random_surge.py makes more."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["SLUICE_SOURCE"], "bench"))
import random_surge  # noqa: E402

bad = 0
for seed in range(60, 90):
    with tempfile.TemporaryDirectory() as folder:
        kind, facts = random_surge.judge(os.environ["SLUICE"], folder, seed)
    if kind == "BAD":
        bad += 1
        print(seed, "; ".join(facts))
print(f"{bad} of 30 are bad")
sys.exit(1 if bad else 0)
