#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A thousand random systems of equations of any index (random_dae.py)."""
import sys

sys.dont_write_bytecode = True
import random_dae

sys.exit(random_dae.main(2000000, 1000))
