#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hostile networks, results and options, each with a limit of time and memory: see hostile.py."""
import sys

import hostile

sys.exit(hostile.main(["inp-", "options", "plot-size", "result-"]))
