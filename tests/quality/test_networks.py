#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The reference networks with a chemical, age and a trace put in, one after the other: see bench/random_quality.py.

Files above 150 kB are left to `bench/random_quality.py --networks`.
"""

import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["SLUICE_SOURCE"], "bench"))

import random_quality  # noqa: E402

shared = os.environ.get("SLUICE_SHARED", "")
found = []
for where, _, names in sorted(os.walk(os.path.join(shared, "networks"))):
    found += [os.path.join(where, x) for x in sorted(names) if x.endswith(".inp")]
found = [x for x in found if os.path.getsize(x) < 150000]
if not shared:
    print("skipped: there are no reference networks (../shared)")
    sys.exit(77)
if not found:
    sys.exit("no networks in %s" % os.path.join(shared, "networks"))

with tempfile.TemporaryDirectory() as folder:
    files = []
    for i, path in enumerate(found):
        with open(path, errors="replace") as f:
            text = f.read()
        for k, kind in enumerate(random_quality.KINDS):
            name = "%d-%s-%s" % (i, kind.lower(), os.path.basename(path))
            files.append(os.path.join(folder, name))
            with open(files[-1], "w") as f:
                f.write(random_quality.with_quality(text, 3 * i + k, kind))
    sys.exit(0 if random_quality.check(files) else 1)
