#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hostile automata, each with a limit of time and memory: see hostile.py."""
import sys

import hostile

sys.exit(hostile.main(["automaton-"]))
