#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""240 random networks with water quality put in: see bench/random_quality.py, which makes more of them."""

import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["SLUICE_SOURCE"], "bench"))

import random_quality  # noqa: E402

with tempfile.TemporaryDirectory() as folder:
    files = []
    for seed in range(100000, 100240):
        files.append(os.path.join(folder, "q%d.inp" % seed))
        with open(files[-1], "w") as f:
            f.write(random_quality.network(seed))
    sys.exit(0 if random_quality.check(files) else 1)
