# SPDX-License-Identifier: MIT
"""zoo_cases.py: what each network of tests/eps/zoo must give: exit code, messages (each a list of words that one message
has, and only one), and heads [file units], flows and status codes (3 open, 4 active, 2 closed) of the first instant.

The loss of the pipes of 100 m, 200 mm and C = 100 is 10.66683 * 100 * 100^-1.852 * 0.2^-4.871 * Q^1.852 = 536.4 Q^1.852.
"""
LOSS = 10.66683 * 100 * 100**-1.852 * 0.2**-4.871


def flow(h):
    """L/s through one such pipe that loses h."""
    return 1000 * (h / LOSS) ** (1 / 1.852)


BREAKER = ["warning adjusted V", "a pressure breaker adds no head"]
CASES = {
    "pbv-forward": (0, [], {"A": 44, "B": 36, "V": flow(6)}),
    "pbv-against": (0, [BREAKER], {"A": 50, "B": 45, "V": 0, "L": 0}),
    "pbv-back": (0, [BREAKER], {"A": 47.5, "B": 47.5, "V": -flow(2.5)}),
    "pbv-bypassed": (0, [BREAKER], {"V": 0, "M": 10, "B": 50 - 2 * LOSS * 0.01**1.852}),
    "pbv-empty-tank": (0, [BREAKER], {"A": 40, "T": 35, "V": 0, "status V": 4}),
    "pbv-tank": (0, [BREAKER, ["tank-state"]], {"A": 36}),
}
