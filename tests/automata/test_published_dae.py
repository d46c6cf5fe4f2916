#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Published problems with published values at their end (published_dae.py), those that take seconds."""
import sys

sys.dont_write_bytecode = True
import published_dae as p

sys.exit(p.main([p.robertson, p.hires, p.pollution, p.akzo_nobel, p.transistor_amplifier, p.car_axis]))
