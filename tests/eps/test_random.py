#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_random.py: random networks that were once not balanced, or called balanced and rejected by the independent checker.

The networks are those of bench/random_networks.py with these seeds: flow limits, regulators in rows, inflows that find no way out,
emitters in parts without water, tanks at their limits. Each must balance, be accepted by bench/check_network.py and by `sluice
verify`, and close its ledger.
"""
import concurrent.futures
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["SLUICE_SOURCE"], "bench"))
import random_networks  # noqa: E402

SEEDS = [
    100124, 100273, 100324, 100374, 100465, 100519, 100584, 100601, 100865, 100875, 100936, 101018, 101080, 101210,
    101214, 101245, 101285, 101328, 101395, 101404, 101405, 101420, 101423, 101460, 101469, 101470, 101545, 101790,
    101810, 101893, 101959, 101985, 102163, 102209, 102239, 102240, 102254, 102270, 102394, 102434, 102480, 102570,
    102614, 102794, 102814, 102815, 102865, 102869, 102890, 102901, 102924, 102945, 102995, 200210, 200395, 200440,
    200442, 200574, 200600, 200889, 201164, 201352, 201374, 201390, 201874, 201989, 202104, 202180, 202251, 202601,
    202784, 202870, 202925, 204111, 204515, 205960, 206785, 207109, 200134, 200505, 400615, 401190, 401507, 404539,
    404561, 405029, 405889, 406409, 407121, 409439, 500215, 504673, 511755, 522695, 1000175, 1000209, 1001062, 1001423,
    1010955, 1011243, 1011618, 601999, 612050, 612316, 510573, 204520,
]  # fmt: skip


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ProcessPoolExecutor(2) as pool:
        jobs = [(seed, None, os.environ["SLUICE"], folder, True) for seed in SEEDS]
        for seed, kind, facts in pool.map(random_networks.judge, jobs, chunksize=2):
            if kind != "sound":
                failed += 1
                print("%s %d %s" % (kind, seed, "; ".join(facts)))
    print("%d networks, %d not sound" % (len(SEEDS), failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
