# SPDX-License-Identifier: MIT
"""kill -9 at random moments of a run that writes every format over old files: each is whole afterwards, the old one or the new one, and
after the next run in the folder no temporary is there."""
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from faults import ROOT, SLUICE, WRITERS


OLD, NEW = "100:00", "1500:00"


def start(folder, duration):
    words = [w.replace("@E", str(ROOT / "examples")) for w in WRITERS.split()]
    words[words.index("-d") + 1] = duration
    return subprocess.Popen([SLUICE, *words, "-q"], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def contents(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir()}


def made(folder, duration):
    assert start(folder, duration).wait() == 0, f"a run of {duration} fails"
    return contents(folder)


def main(n):
    random.seed(20260101)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        old = made(folder, OLD)
        whole = float("inf")
        for _ in range(3):  # the shortest: others may be waiting for the machine
            begin = time.monotonic()
            new = made(folder, NEW)
            whole = min(whole, time.monotonic() - begin)
        killed = mixed = left = 0
        for _ in range(n):
            made(folder, OLD)
            run = start(folder, NEW)
            time.sleep(random.random() * whole)
            run.send_signal(signal.SIGKILL)
            killed += run.wait() == -signal.SIGKILL
            now = contents(folder)
            left += any(p.startswith(".sluice-") for p in now)
            for p, content in now.items():
                if not p.startswith(".sluice-"):
                    assert content in (old[p], new[p]), f"{p} is neither the old nor the new one"
            kinds = {now[p] == new[p] for p in old}
            mixed += len(kinds) == 2
            after = made(folder, OLD)
            assert sorted(after) == sorted(old), f"the next run leaves {sorted(set(after) - set(old))}"
        print(f"{killed} of {n} runs were killed on the way, {left} left temporaries, {mixed} some old and some new files")
        assert killed >= n // 4 and left >= n // 10, "hardly a run was met on its way"
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
