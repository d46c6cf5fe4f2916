#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A controller beside Sluice: reads the water in a surge shaft, answers with the gate of the plant: open or shut.

    sluice cosim gate.yaml -- python3 {here}/gate_control.py {in} {out}

Both sides exchange one small text file each way for every step; END says good-bye. This is the whole protocol.
"""
import os
import sys
import time


def take(path):
    """Waits for the next message, reads it, and removes the file: that tells the other side that it was taken."""
    while True:
        try:
            with open(path, encoding="utf-8") as f:
                lines = f.read().splitlines()
            os.remove(path)
            return lines
        except FileNotFoundError:
            time.sleep(0.001)


def put(path, text):
    """Waits until the last message was taken; a file appears whole or not at all."""
    while os.path.exists(path):
        time.sleep(0.001)
    with open(path + ".tmp", "w", encoding="utf-8") as f:
        f.write(text)
    os.rename(path + ".tmp", path)


def main(in_path, out_path):
    while True:
        message = take(in_path)
        if message == ["END"]:
            break
        now, step = (line.split("=")[1] for line in message[:2])
        volume = float(message[3].split(",")[1])  # [m3], the only row after the header
        gate = 0 if volume > 300.0 else 1
        put(out_path, f"TIME={now}\nNEXT_TIMESTEP={step}\nentity,value,description\n1,{gate},gate\n")
    put(out_path, "END\n")


main(*sys.argv[1:3])
