#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A sample of the sweep of memory_sweep.py; those of a hybrid run more closely, which solves
equations in libraries; slow_memory.py goes through all of it."""
import sys

from memory_sweep import main

if __name__ == "__main__":
    sys.exit(main(5) or main(40, only=["hybrid"]))
