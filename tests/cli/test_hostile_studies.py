#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hostile YAML, surge studies and couplings, each with a limit of time and memory: see hostile.py."""
import sys

import hostile

sys.exit(hostile.main(["yaml-", "surge-", "cosim-"]))
