# SPDX-License-Identifier: MIT
"""kill -9 at random moments of a run that writes every format over old files: each is whole afterwards, the old one or the new one, and
after the next run in the folder no temporary is there. Every other run is on a file system that has no files without a name: what
is in the making has one then, and is left."""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from faults import ROOT, SLUICE, WRITERS, Bench, shims_work


OLD, NEW = "100:00", "1500:00"


def start(folder, duration, **environment):
    words = [w.replace("@E", str(ROOT / "examples")) for w in WRITERS.split()]
    words[words.index("-d") + 1] = duration
    return subprocess.Popen([SLUICE, *words, "-q"], cwd=folder, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def contents(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir()}


def made(folder, duration):
    assert start(folder, duration).wait() == 0, f"a run of {duration} fails"
    return contents(folder)


def main(n):
    random.seed(20260101)
    bench = Bench() if shims_work() else None
    try:
        return kill(n, bench)
    finally:
        if bench:
            bench.close()


def kill(n, bench):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        old = made(folder, OLD)
        whole = float("inf")
        for _ in range(3):  # the shortest: others may be waiting for the machine
            begin = time.monotonic()
            new = made(folder, NEW)
            whole = min(whole, time.monotonic() - begin)
        killed = mixed = 0
        left = [0, 0]
        named = {"LD_PRELOAD": str(bench.shim), "FAULT_NAMED": "1"} if bench else {}
        for i in range(n):
            made(folder, OLD)
            run = start(folder, NEW, **(named if i % 2 else {}))
            time.sleep(random.random() * whole)
            run.send_signal(signal.SIGKILL)
            killed += run.wait() == -signal.SIGKILL
            now = contents(folder)
            left[i % 2] += any(p.startswith(".sluice-") for p in now)
            for p, content in now.items():
                if not p.startswith(".sluice-"):
                    assert content in (old[p], new[p]), f"{p} is neither the old nor the new one"
            kinds = {now[p] == new[p] for p in old}
            mixed += len(kinds) == 2
            after = made(folder, OLD)
            assert sorted(after) == sorted(old), f"the next run leaves {sorted(set(after) - set(old))}"
        print(f"{killed} of {n} runs were killed on the way, {left[0]} and with names {left[1]} left temporaries, {mixed} some old and some new files")
        assert killed >= n // 4 and (not bench or left[1] >= n // 20), "hardly a run was met on its way"
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
