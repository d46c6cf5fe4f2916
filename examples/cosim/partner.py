#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A partner of a co-simulation without any library: it reads a tank's level and answers with the speed of a pump."""
import os
import sys
import time

IN, OUT = sys.argv[1:3] if len(sys.argv) == 3 else ("sluice.cosim", "partner.cosim")
N_ROW = 1  # values that we expect


def take():
    """Waits for the partner's file, reads it and removes it. Returns its lines."""
    while True:
        try:
            with open(IN) as file:
                lines = file.read().split("\n")
        except OSError:
            lines = []
        if lines[:1] == ["END"] or len(lines) > 3 + N_ROW:  # whole: every line that we need has its end
            os.remove(IN)
            return lines
        time.sleep(0.002)


def put(text):
    """Waits until the partner has taken our last file, then lets the next one appear as a whole."""
    while os.path.exists(OUT):
        time.sleep(0.002)
    with open(OUT + ".tmp", "w") as file:
        file.write(text)
    os.rename(OUT + ".tmp", OUT)


speed = 1.0
while (lines := take())[0] != "END":
    level = float(lines[3].split(",")[1])
    speed = 1.0 if level < 2 else 0.0 if level > 4 else speed  # between the two: as before
    print(f"{lines[0][5:]:>8} s  level {level:.2f} m  speed {speed:g}", flush=True)
    put(f"{lines[0]}\n{lines[1]}\nentity,value,description\n1,{speed},speed of the pump\n")
put("END\n")
