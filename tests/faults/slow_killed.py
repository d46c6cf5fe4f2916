#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kill -9 at 200 moments: see killed.py."""
import sys

from killed import main

if __name__ == "__main__":
    sys.exit(main(200))
