#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A sample of the sweep of memory_sweep.py; slow_memory.py goes through all of it."""
import sys

from memory_sweep import main

if __name__ == "__main__":
    sys.exit(main(5))
