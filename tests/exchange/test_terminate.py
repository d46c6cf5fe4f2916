#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program that SIGTERM ends at any moment, while it waits or writes, leaves neither .tmp nor .lock in the folder: with one
thread and with several, with what Linux has and, as far as that goes, with the plain calls of POSIX."""
import random
import signal
import sys
import time

from cosim_test import COSIM, CXX, ECHO, FIBONACCI, Folder, build_programs, run

ROUNDS = 25
chance = random.Random(17)


def left_behind(folder):
    return [name for name in folder.files() if name.endswith((".tmp", ".lock"))]


def end_writer(program, mode):
    """Ends it within its first messages, which are taken at once. Returns what is left."""
    with Folder() as folder:
        writer = folder.start(program, "in.cosim", "out.cosim", mode)
        out = folder.path / "out.cosim"
        give_up, end = time.monotonic() + 60, None
        while end is None or time.monotonic() < end:
            assert time.monotonic() < give_up and writer.poll() is None, "no message came"
            if out.exists():
                out.unlink()
                end = end or time.monotonic() + chance.uniform(0, 0.1)
            time.sleep(0.0002)
        writer.send_signal(signal.SIGTERM)
        writer.wait(60)
        assert writer.returncode == -signal.SIGTERM, writer.returncode
        return left_behind(folder)


def end_pair(echo, fibonacci):
    """Ends both of a pair, one after the other, while they wait for each other and write."""
    with Folder() as folder:
        pair = [folder.start(echo, "-n", 10**9, "-in", "f.cosim", "-out", "e.cosim"),
                folder.start(fibonacci, "-n", 10**9, "-skip", 1, "-in", "e.cosim", "-out", "f.cosim")]
        for program in pair:
            assert program.stdout.readline() == "1\n"
        for program in chance.sample(pair, 2):
            time.sleep(chance.uniform(0, 0.02))
            program.send_signal(signal.SIGTERM)
            program.communicate(timeout=60)
        return left_behind(folder)


def never(what, attempt):
    for i in range(ROUNDS):
        left = attempt()
        assert not left, f"{what}, round {i}: {left}"
    print(f"{what}: {ROUNDS} times nothing")


def main():
    with Folder() as folder:
        [plain] = build_programs("terminate", folder.path / "plain", f"-DCOSIM={COSIM}", "-DCMAKE_CXX_FLAGS=-O1 -DSL_NO_LINUX")
        [writer] = build_programs("terminate", folder.path / "linux", f"-DCOSIM={COSIM}", "-DCMAKE_CXX_FLAGS=-O1")
        # The check can fail: a temporary file with a name, and a thread more than the one in which signals are blocked.
        assert any(end_writer(plain, "thread") for _ in range(200)), "a .tmp that is left goes unseen"
        never("plain POSIX, writing", lambda: end_writer(plain, "alone"))
        never("Linux, writing", lambda: end_writer(writer, "alone"))
        never("Linux, writing, two threads", lambda: end_writer(writer, "thread"))
        never("Linux, waiting", lambda: end_pair(ECHO, FIBONACCI))
        names = [folder.path / name for name in ("echo", "fibonacci")]
        for name in names:
            run(CXX, "-std=c++17", f"-I{COSIM / 'include'}", COSIM / f"examples/{name.name}.cpp", "-o", name,
                folder.path / "plain/libcosim.a", "-lpthread", "-lm")
        never("plain POSIX, waiting", lambda: end_pair(*names))
    return 0


if __name__ == "__main__":
    sys.exit(main())
