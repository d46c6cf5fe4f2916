#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every allocation of the runs that make few, and a close sample of those that make thousands: see memory_sweep.py."""
import sys

from memory_sweep import main

if __name__ == "__main__":
    sys.exit(main(400))
