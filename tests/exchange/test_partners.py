#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The partners of examples/cosim: C, C++ and Python without a library. Each answers a tank (played here) alike: a pump that
runs below 2 m and rests above 4 m."""
import os
import subprocess
import sys

from cosim_test import ROOT, BUILD, Folder, Partner

SOURCES = ROOT / "examples/cosim"
N_STEP, STEP = 30, 900.0


def sanitizers():
    """A sanitised library wants a sanitised program."""
    linked = subprocess.run(["ldd", os.environ["SLUICE_LIBRARY"]], capture_output=True, text=True, check=True).stdout
    return (["-fsanitize=address,undefined"] if "libasan" in linked else ["-fsanitize=thread"] if "libtsan" in linked else [])


def compile_partners(place):
    warn = ["-Wall", "-Wextra", "-Wshadow", "-Werror", *sanitizers()]
    library = ["-L", BUILD, f"-Wl,-rpath,{BUILD}"]
    c = [os.environ["SLUICE_CC"], "-std=c17", *warn, "-I", ROOT / "cosim/include", SOURCES / "partner.c", "-o", place / "c", *library,
         "-lsluice"]
    cpp = [os.environ["SLUICE_CXX"], "-std=c++17", *warn, "-I", ROOT / "cosim/include",
           SOURCES / "partner.cpp", "-o", place / "cpp", *library, "-lcosim", "-lpthread", "-lm"]
    for command in (c, cpp):
        subprocess.run(list(map(str, command)), check=True)
    return {"C": [place / "c"], "C++": [place / "cpp"], "Python": [sys.executable, SOURCES / "partner.py"]}


def play(command, arguments, tank_files):
    """The tank: loses 0.2 m in a step, and gains 0.5 m at full speed. Returns its levels, and what the partner printed."""
    with Folder() as folder:
        partner = folder.start(*command, *arguments)
        tank = Partner(folder, *tank_files)
        levels, speed = [3.0], 1.0
        for step in range(N_STEP):
            if step:
                t, dt, (speed,) = tank.read()
                assert (t, dt) == ((step - 1) * STEP, STEP), (t, dt)
                levels.append(levels[-1] + 0.5 * speed - 0.2)
            tank.place(f"TIME={step * STEP}\nNEXT_TIMESTEP={STEP}\nentity,value,description\n42,{levels[-1]},level\n")
        tank.close()
        out, err = folder.finish(partner)
        assert not err, err
        assert not folder.files(), folder.files()
    return levels, out


def main():
    with Folder() as folder:
        partners = compile_partners(folder.path)
        seen = {}
        for name, command in partners.items():
            levels, out = play(command, [], ("partner.cosim", "sluice.cosim"))
            assert play(command, ["a", "b"], ("b", "a"))[0] == levels, f"{name}: other files, other levels"
            assert 1.7 < min(levels) < 2 and 4 < max(levels) < 4.4, levels
            lines = [line.split() for line in out.splitlines()]
            assert [float(line[3]) for line in lines] == [round(x, 2) for x in levels], f"{name}:\n{out}"
            seen[name] = levels
        assert seen["C"] == seen["C++"] == seen["Python"], seen
        print(f"{', '.join(seen)}: the same {N_STEP} levels")
    return 0


if __name__ == "__main__":
    sys.exit(main())
