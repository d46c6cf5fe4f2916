# SPDX-License-Identifier: MIT
"""zoo_cases.py: what each network of tests/eps/zoo must give: exit code, messages (each a list of words that one message
has, and only one), and heads [file units], flows and status codes (3 open, 4 active, 2 closed) of the first instant. Some have
a fourth part: heads, flows and status codes of the last instant, figures of the summary ("steps") and of its balance
("inflow_m3").

The loss of the pipes of 100 m, 200 mm and C = 100 is 10.66683 * 100 * 100^-1.852 * 0.2^-4.871 * Q^1.852 = 536.4 Q^1.852.
"""
import math

LOSS = 10.66683 * 100 * 100**-1.852 * 0.2**-4.871


def flow(h):
    """L/s through one such pipe that loses h."""
    return 1000 * (h / LOSS) ** (1 / 1.852)


AREA = 25 * 3.14159265358979  # of a tank of 10 m
SECONDS = ["tank-state", "steps are whole seconds"]
NEAR = 1e-3 * flow(13.50005), 1e-3 * flow(10.00005)  # m3 within a second, through two pipes in series


def supply_beside_full_tank():
    """L/s of N in tank-full-pair: M, N and the pair A, B (which carries a flow of either sign) meet the heads of R and T."""
    m, pair = 5 * LOSS, [10.66683 * 130 * c**-1.852 * d**-4.871 for c, d in ((100, 0.076), (120, 0.102))]

    def head(q):  # of J, by what N carries
        return 203.045 - m * (q + 0.14) ** 1.852 - m * q**1.852

    low, high = 0.024, 0.025
    for _ in range(60):
        q = (low + high) / 2
        drop = max(105 - head(q), 0)  # from the tank to J
        gives = sum((drop / r) ** (1 / 1.852) for r in pair)
        low, high = (q, high) if q + gives < 0.025 else (low, q)
    return 1000 * q


def held_tank(most):
    """Drop of a tank of tank-chatters after an hour [m], and when it was full again [s]: it gives 5 L/s, and is filled at the ends
    of minutes at which it is below the band."""
    drop, t, band, returns, quick = 0, 0, 1e-3, [-1e9], 0
    while t < 3600:
        step = 60 - t % 60
        drop, t = drop + 0.005 * step / AREA, t + step
        if drop > band and t < 3600:
            t += max(1, math.floor(drop * AREA / (1e-3 * flow(27 + drop) - 0.005) + 0.5))
            quick = quick + 1 if t - returns[-1] < 900 else quick
            drop, band = 0, min(1e-3 * 2 ** max(quick - 4, 0), most)
            returns.append(t)
    return drop, returns[1:]


A10 = 60 - LOSS * 0.01**1.852  # behind one pipe that carries 10 L/s


def loss(q):
    """m that L/s lose in one such pipe."""
    return LOSS * (q / 1000) ** 1.852


def beside_emitter():
    """L/s through one such pipe to a demand of 5 L/s and an emitter of 0.1 L/s at 1 m, from a head of 50 m."""
    low, high = 5.0, 10.0
    for _ in range(60):
        q = (low + high) / 2
        low, high = (q, high) if 5 + 0.1 * math.sqrt(50 - loss(q)) > q else (low, q)
    return q


def limited(share, part="10 % of each demand"):
    """A broken limit: the percentage of the demand that is not served, and how the part is served."""
    return [["warning limit", "limit broken: %s %% of the demand is not served, allowed are 1 %%" % share], ["warning unserved", part]]


BREAKER = ["warning adjusted V", "a pressure breaker adds no head"]
CASES = {
    "pbv-forward": (0, [], {"A": 44, "B": 36, "V": flow(6)}),
    "pbv-against": (0, [BREAKER], {"A": 50, "B": 45, "V": 0, "L": 0}),
    "pbv-back": (0, [BREAKER], {"A": 47.5, "B": 47.5, "V": -flow(2.5)}),
    "pbv-bypassed": (0, [BREAKER], {"V": 0, "M": 10, "B": 50 - 2 * LOSS * 0.01**1.852}),
    "pbv-empty-tank": (0, [BREAKER], {"A": 40, "T": 35, "V": 0, "status V": 4}),
    "tank-near-full": (0, [SECONDS], {"P": 1e3 * NEAR[0]}, {"T": 33, "P": 0, "status Q": 1, "steps": 6, "inflow_m3": NEAR[0],
                       "storage_m3": 1e-4 * AREA, "rounded_m3": 1e-4 * AREA - NEAR[0]}),
    "tank-near-empty": (0, [SECONDS], {"P": 1e3 * NEAR[1]}, {"T": 30, "P": 0, "status Q": 1, "steps": 6, "outflow_m3": NEAR[1],
                        "storage_m3": -1e-4 * AREA, "rounded_m3": NEAR[1] - 1e-4 * AREA}),
    "tank-leaves-limit": (0, [SECONDS], {"P": 0, "T": 33}, {"T": 33 - 0.02 * 3.5995 / AREA, "steps": 6, "consumption_m3": 0.18}),
    "tank-chatters": (0, [["warning chattering T", "full again and again"], ["warning chattering U"]], {"P": 0, "T": 33, "U": 33},
                      {"T": 33 - held_tank(0.3)[0], "U": 33 - held_tank(0.02)[0], "steps": 60 + len({*held_tank(0.3)[1], *held_tank(0.02)[1]})}),
    "pcv-above-open": (0, [], {"A": A10, "B": A10 - 5 * 8 * 0.01**2 / (32.2 * 0.3048 * math.pi**2 * 0.1**4), "V": 10}),
    "gpv-one-point": (0, [], {"A": A10, "B": A10 - 8, "V": 10}),
    "gpv-point-at-rest": (2, [["10:error curve-shape V", "one point"]], {}),
    "pcv-shut": (1, limited("72.73", "(B, C) has no path") + [["warning unserved D", "demand of 1 LPS"]], {"P": 3, "V": 0, "W": 0, "A": 50 - loss(3)}),
    "gpv-holds": (0, [], {"B": 50 - loss(5) - 7, "V": 5, "W": 0, "C": 47, "D": 50 - loss(5), "E": 47}),
    "gpv-holds-back": (0, [], {"V": 0, "T": 32, "A": 50 - loss(4)}, {"V": 0, "T": 32}),
    "prv-pocket-no-source": (1, limited("75", "(A, B, C) has no path"), {"V": 0, "Q": 0, "D": 60 - loss(1)}),
    "power-balanced": (0, [["warning unserved A", "1 of 3 LPS is taken"]], {"P": 1, "U": 0}),
    "balanced-without-source": (1, [["limit broken: 75 %"], ["unserved A", "demand of 3 LPS is not served, its inflow of 3 LPS is not taken"], ["unserved D", "its inflow of 2 LPS is not taken"]],
                                {"Q": 0, "P": 0, "C": 50 - loss(1)}),
    "tank-between": (1, limited("50", "1 of 2 LPS is served"), {"V": 1, "T": 30}, {"T": 30, "storage_m3": 0}),
    "pipe-no-bore": (0, [["9:warning adjusted", "has almost no bore"]], {"A": 50 - LOSS * 0.005**1.852, "B": 50 - LOSS * 0.005**1.852, "M": 0}),
    "pda-flood": (0, [["warning unserved A", "2 of 5 LPS is taken, 40 % of each inflow"]], {"L1": 0, "L2": 2, "B": 40 - loss(2), "status L1": 3}),
    "pda-inflow-prv": (0, [["warning unserved A", "3 of 5 LPS is taken"], ["warning valve-unable V"]],
                       {"L": 3, "V": 2, "D": 60, "A": 60 + loss(2) + loss(3)}),
    "psv-balanced": (1, limited("60", "1 of 4 LPS is served") + [["warning unserved B", "2 of 3 LPS is taken"], ["valve-unable V"]],
                     {"A": 50, "B": 50, "C": 50 - loss(2), "W": 1, "V": 0, "status V": 7}),
    "prv-dry-between": (1, limited("60", "1 of 4 LPS is served"), {"C": 5, "D": 5, "V": 0, "W": 0, "status V": 2, "status W": 2}),
    "tank-rounded-full": (0, [], {"M": 0, "L": 2, "status M": 1}, {"T": 33, "storage_m3": 0}),
    "dry-empty-tank": (1, [["warning limit", "limit broken: 100 %"], ["warning unserved D", "no path to a reservoir"], ["valve-unable W"], ["warning no-source"]],
                       {"M": 0, "B": 40, "D": 0, "status L": 1}),
    "prv-pocket": (1, [["unserved A"]], {"A": 1, "B": 2, "C": 3, "V": 0, "L": 5, "J": 50 - LOSS * 0.005**1.852}),
    "prv-inflow": (0, [["warning valve-unable V"]], {"V": 5, "B": 50 + LOSS * 0.003**1.852, "A": 50 + LOSS * 0.003**1.852}),
    "tank-full-pair": (0, [], {"N": supply_beside_full_tank(), "J": 105, "status A": 3, "status B": 3}),
    "fcv-limit": (1, limited("90"), {"J": 35, "B": 35 + loss(1), "A": 50 - loss(1), "V": 1, "N": 0, "status V": 4}),
    "fcv-two": (1, limited("50", "5 of 10 LPS is served"), {"J": 50 - loss(2), "V": 2, "W": 3, "status W": 4}),
    "fcv-chain": (1, limited("90.91", "1 of 11 LPS is served, 9.091 %"), {"V": 1, "W": 10 / 11, "K": 50 - loss(1)}),
    "fcv-nested": (1, limited("69.23", "junction with demand (K)"), {"V": 4, "W": 1, "J": 50 - loss(4), "K": 50 - loss(4)}),
    "fcv-inflow": (1, limited("50", "50 % of each demand"), {"V": 1, "N": -4, "J": 50 - loss(1), "K": 50 - loss(1) + loss(4)}),
    "fcv-inflow-trapped": (0, [["warning unserved B", "1 of 5 LPS is taken, 20 % of each inflow"]], {"V": 1, "B": 50 + loss(1)}),
    "check-inflow-trapped": (0, [["warning unserved B", "0 of 5 LPS is taken"]], {"C": 0, "A": 50 - loss(3), "B": 50 - loss(3)}),
    "psv-dead-end": (0, [], {"V": 0, "B": 50 - loss(5), "status V": 3}),
    "psv-emitter": (0, [["warning valve-unable V"]], {"V": beside_emitter(), "J": 50 - loss(beside_emitter()), "status V": 7}),
    "fcv-pump-empty-tank": (1, limited("66.67", "1 of 3 LPS"), {"U": 0, "V": 1, "J": 50 - loss(1), "status U": 1}),
    "fcv-dry-emitter": (1, limited("50", "0 of 4 LPS is served") + [["valve-unable V"], ["4:warning no-source"]], {"A": 12, "B": 12, "V": 0}),
    "regulators-act": (0, [["warning adjusted L27"], ["unserved J31 ", "no path to a reservoir"]], {"L31": 0, "J5": 23.5297}),
    "fcv-prv": (1, limited("90"), {"V": 1, "W": 1, "B": 50 - loss(1), "J": 20}),
    "fcv-psv": (1, limited("90") + [["valve-unable W"]], {"V": 1, "W": 1, "B": 50 - loss(1), "J": 50 - 2 * loss(1)}),
    "fcv-tank": (0, [], {"V": 12, "N": 2, "J": 35 + loss(2)}),
    "fcv-high-tank": (1, limited("90"), {"V": 1, "N": 0, "J": 50 - loss(1), "T": 70}),
    "fcv-drain": (1, limited("85.46") + [["warning tank-state T", "runs empty"]], {"V": 1, "N": -9, "J": 37 - loss(9)}),
    "fcv-pattern": (1, limited("85.71"), {"V": 1, "N": 0, "J": 35}),
    "fcv-emitter": (1, limited("90"), {"V": 1, "J": 5, "K": 5}),
    "fcv-pda": (0, [], {"V": 1, "J": 0.2}),
    "fcv-pump": (0, [], {"V": 1, "P": 9, "J": 32 - 0.08 * 9**2 - loss(9)}),
    "fcv-check": (0, [], {"V": 1, "N": 9, "J": 40 - loss(9)}),
    "fcv-check-out": (1, limited("90") + [["pump-head P"]], {"V": 1, "N": 0, "P": 0, "J": 50 - loss(1)}),
    "fcv-check-low": (1, limited("90"), {"V": 1, "N": 0, "J": 30}),
    "fcv-dry": (1, limited("93.33") + [["unserved D", "demand of 5 LPS"]], {"V": 1, "P": 0, "J": 50 - loss(1), "D": 0}),
    "fcv-short": (0, [["valve-unable V"]], {"V": flow(0.5), "J": 49.5}),
    "pbv-tank": (0, [BREAKER, ["tank-state T", "runs empty"], ["tank-state None"]], {"A": 36}),
}
