#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every call of every kind: see system_calls.py."""
import sys

from system_calls import main

if __name__ == "__main__":
    sys.exit(main(0, all_of_them=True))
