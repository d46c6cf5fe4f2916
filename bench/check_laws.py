# SPDX-License-Identifier: MIT
"""check_laws.py: the laws by which check_network.py judges, in feet and ft3/s: head lost from start to end of pipes, pumps and
valves, outflows of junctions. They are EPANET's published formulas and constants, which an .inp file means, and its straight lines
near rest (docs/theory/hydraulics.md)."""

import math

from check_model import along

ACTIVE = 4  # the status code of a valve that holds its setting
MM = 1e-3 / 0.3048


def friction(re, e):
    def rough(r):
        return 0.25 / math.log10(e / 3.7 + 5.74 / r**0.9) ** 2

    if re >= 4000:
        return rough(re)
    f0, f1 = 0.032, rough(4000.0)
    y = e / 3.7 + 5.74 / 4000.0**0.9
    slope = 2000 * f1 * 2 * (0.9 * 5.74 / 4000.0**1.9) / (y * math.log(y))
    x, d = re / 2000 - 1, f1 - f0  # the cubic with both values and slopes
    return f0 - 0.032 * x + (3 * d + 0.064 - slope) * x * x + (slope - 0.032 - 2 * d) * x**3


def pipe_loss(m, k, q):
    a = abs(q)
    if m.law == "H":
        h = 4.727 * k.length * k.rough**-1.852 * k.d**-4.871 * a**1.852
        floor, n = 1e-7, 1.852
    elif m.law == "C":
        h = (4 * k.rough / (1.49 * math.pi * k.d**2)) ** 2 * (k.d / 4) ** -1.333 * k.length * a * a
        floor, n = 1e-7, 2.0
    else:
        re = 4 * a / (math.pi * k.d * m.viscosity)
        v = a / (math.pi * k.d**2 / 4)
        f = 64 / re if 0 < re <= 2000 else friction(re, k.rough / k.d) if re else 0.0
        h = f * k.length / k.d * v * v / (2 * 32.2)
        floor, n = 1e-8, 1.0
    if a and h / a * n < floor:  # too flat to matter: the straight line
        h = floor / n * a
    return math.copysign(h + minor(k, k.minor, a), q)


def minor(k, coefficient, q):
    return 0.02517 * coefficient / k.d**4 * q * abs(q)


def power_law(k):
    """(h0, r, n) of a pump curve, or None for a polyline."""
    c = k.curve
    if len(c) == 1:
        c = [(0.0, 1.33334 * c[0][1]), c[0], (2 * c[0][0], 0.0)]
    if len(c) != 3 or c[0][0] != 0.0:
        return None
    h0, h1, h2 = (y for _, y in c)
    if not h0 > h1 > h2:
        return None
    n = math.log((h0 - h2) / (h0 - h1)) / math.log(c[2][0] / c[1][0])
    return (h0, (h0 - h1) / c[1][0] ** n, n) if n <= 20 else None


def pump_gains(k, w, q):
    """Gains that a running pump may show at a flow: one, or two near rest."""
    if k.curve is None:
        hp = k.power * w**3
        most = 1e4 / 0.3048
        q_most = 8.814 * hp / most
        return [8.814 * hp / q if q >= q_most else most + most / q_most * (q_most - q)]
    x = max(q, 0.0) / w
    law = power_law(k)
    if law is None:
        return [w * w * along(k.curve, x)]
    h0, r, n = law
    gains = [w * w * (h0 - r * x**n)]
    small = 1e-3 * (k.curve[0][0] if len(k.curve) == 1 else k.curve[1][0])
    if x < small:
        gains.append(w * w * (h0 - r * small**n * x / small))
    return gains


def shut_off(k, w):
    """The gain above which a pump stands still; a polyline may begin above flow 0, where EPANET takes its first point."""
    if k.curve is None:
        return math.inf
    law = power_law(k)
    return w * w * (law[0] if law else min(along(k.curve, 0.0), k.curve[0][1]))


def capacity(k, opening):
    """Of a position valve, relative to the open one."""
    points = k.curve or []
    points = ([(0.0, 0.0)] if not points or points[0][0] > 0 else []) + list(points)
    if points[-1][0] < 100:
        points.append((100.0, 100.0))
    return along(points, min(max(opening, 0.0), 100.0)) / 100


def shut_position(k, state, opening):
    """Is it a position valve that its setting shuts? (EPANET lets a little through.)"""
    return k.kind == "PCV" and state == ACTIVE and k.minor > 0 and capacity(k, opening) <= 0


def valve_losses(k, state, setting, q):
    """Losses between which that of a conducting valve lies."""
    h = minor(k, k.minor, q)
    if k.kind == "GPV":
        points = k.curve if len(k.curve) > 1 else [(0.0, 0.0), k.curve[0]]  # one point: the straight line through it
        h, hold = math.copysign(1, q) * along(points, abs(q)), along(points, 0.0)
        if hold > 0 and abs(q) < 1e-9 / 0.3048**3:
            return -hold, hold  # at rest: any loss up to what the curve begins at, either way
    elif state == ACTIVE and k.kind == "TCV":
        h = minor(k, setting, q)
    elif state == ACTIVE and k.kind == "PCV" and k.minor > 0:
        r, y = 0.02517 * k.minor / k.d**4, capacity(k, setting)
        h = (min(r / y**2, max(r, 1e8)) if y > 0 else max(r, 1e8)) * q * abs(q)
    elif state == ACTIVE and k.kind == "PBV" and setting > abs(h):
        if abs(q) < 1e-9 / 0.3048**3:
            return 0.0, setting  # at rest: any loss up to the setting
        h = setting if q > 0 else h
    line = 1e-6 * q  # an open valve loses that much at least, 1e-6 ft per ft3/s
    return min(h, h + line), max(h, h + line)


def outflows(m, n, wanted, p):
    """Least and most that leaves a junction at a pressure [ft]: the law, and within 0.1 mm of rest its chord."""
    lo = hi = 0.0

    def add(law, p, negative):
        x = law(abs(p)) if p > 0 or negative else 0.0
        chord = law(0.1 * MM) * abs(p) / (0.1 * MM) if abs(p) < 0.1 * MM and x else x
        return sorted((math.copysign(x, p), math.copysign(chord, p)))

    parts = []
    if m.pda and wanted > 0:
        share, e = max(p - m.pmin, 0.0) / (m.preq - m.pmin), m.o["PEXP"]
        parts.append(add(lambda x: wanted * min(x / (m.preq - m.pmin), 1.0) ** e, p - m.pmin, False) if share < 1 else [wanted] * 2)
    else:
        parts.append([wanted, wanted])
    if n.emitter:
        parts.append(add(lambda x: n.emitter * x ** m.o["EXPONENT"], p, m.o["BACKFLOW"]))
    if n.leak_area or n.leak_growth:
        c = 4.8149866  # EPANET's figure for 0.6 sqrt(2 g) in feet
        parts.append(add(lambda x: c * n.leak_area * math.sqrt(x), p, False))
        parts.append(add(lambda x: c * n.leak_growth * x**1.5, p, False))
    for a, b in parts:
        lo, hi = lo + a, hi + b
    return lo, hi
