#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every allocation of every run but those that draw with cairo, which make thousands: a close sample of theirs. See memory_sweep.py."""
import sys

from faults import RUNS
from memory_sweep import MAY_LOOK_DIFFERENT, main

if __name__ == "__main__":
    drawn = [name for name in RUNS if name in MAY_LOOK_DIFFERENT]
    others = [name for name in RUNS if name not in MAY_LOOK_DIFFERENT]
    sys.exit(main(0, all_of_them=True, only=others) or main(200, only=drawn))
