#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A sample of the sweep of system_calls.py; slow_system_calls.py goes through all of it."""
import sys

from system_calls import main

if __name__ == "__main__":
    sys.exit(main(2))
