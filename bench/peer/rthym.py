# SPDX-License-Identifier: MIT
"""rthym.py: a surge by rthym-moc, run by bench/surge.py with the Python of bench/.venv: one thread, clamp, its default step of records.

    rthym.py line REACHES STEPS | grid SIDE REACHES STEPS | inp FILE SECONDS DT

A file starts without the steady state, which would need another package. Prints the processor seconds of the solver's run, the reaches as it counts them, and the steps.
"""

import sys
import time

import rthym_moc as peer

DT, WAVE = 0.005, 4720.0  # [s], [ft/s] of a rigid wall


def node(name, kind, **more):
    n = peer.NodeInput()
    n.id, n.type, n.elevation = name, kind, 0.0
    for key, value in more.items():
        setattr(n, key, value)
    return n


def pipe(solver, name, a, b, reaches, gpm, inches):
    p = peer.PipeInput()
    p.id, p.from_node, p.to_node, p.flow_gpm = name, a, b, gpm
    p.length, p.diameter, p.roughness = reaches * WAVE * DT, inches, 130.0
    solver.add_pipe(p)


def line(reaches):
    gpm = 3000.0 if reaches < 10000 else 238.0
    s = peer.MOCSolver()
    s.add_node(node("R", "Tank", head=700.0))
    s.add_node(node("D", "Junction", head=600.0, demand=gpm))
    pipe(s, "P", "R", "D", reaches, gpm, 24.0)
    s.set_demand_schedule("D", [(0.0, gpm), (0.1, gpm), (1.0, 0.0)])
    return s, reaches


def grid(side, reaches):
    s = peer.MOCSolver()
    for i in range(side):
        for j in range(side):
            first = i + j == 0
            s.add_node(node("R" if first else "N%d_%d" % (i, j), "Tank" if first else "Junction", head=300.0, demand=0.0 if first else 2.0))
    last, n = "N%d_%d" % (side - 1, side - 1), 0
    for i in range(side):
        for j in range(side):
            for a, b in ((i + 1, j), (i, j + 1)):
                if a < side and b < side:
                    pipe(s, "P%d" % n, "R" if i + j == 0 else "N%d_%d" % (i, j), "N%d_%d" % (a, b), reaches, 1.0, 12.0)
                    n += 1
    s.set_demand_schedule(last, [(0.0, 2.0), (0.1, 2.0), (1.0, 300.0)])
    return s, n * reaches


def main():
    words = sys.argv[1:]
    if words[0] == "inp":
        solver, cells, dt = peer.load_inp(words[1], use_wntr=False), 0, float(words[3])
        steps = float(words[2]) / dt
    else:
        steps, dt = int(words[-1]), DT
        solver, cells = line(int(words[1])) if words[0] == "line" else grid(int(words[1]), int(words[2]))
    begin = time.process_time()
    solver.run(total_time=steps * dt, dt=dt, k_bru=0.0)
    print(time.process_time() - begin, cells, steps)


main()
