#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The two examples of the CoSim library: side by side, in either order, with delays, and each with a partner that was
written from the description alone. Both show the Fibonacci numbers, end with 0 and leave no file."""
import sys
import time

from cosim_test import ECHO, FIBONACCI, Folder, Partner

NUMBERS = [1, 1, 2, 3, 5, 8, 13, 21, 34, 55]
ECHO_FILES = ("-in", "fibonacci.cosim", "-out", "echo.cosim")
FIBONACCI_FILES = ("-in", "echo.cosim", "-out", "fibonacci.cosim")


def column(numbers):
    return "".join(f"{n}\n" for n in numbers)


def pair(echo, fibonacci, delay=0.0, echo_first=True):
    """Runs both; returns what echo and what fibonacci printed."""
    commands = [(ECHO, *echo, *ECHO_FILES), (FIBONACCI, *fibonacci, *FIBONACCI_FILES)]
    with Folder() as folder:
        programs = {}
        for command in commands if echo_first else commands[::-1]:
            programs[command[0]] = folder.start(*command)
            time.sleep(delay)
        printed = []
        for command in commands:
            out, err = folder.finish(programs[command[0]])
            assert not err, f"{command}: {err}"
            printed.append(out)
        assert not folder.files(), f"left behind: {folder.files()}"
    return printed


def test_side_by_side():
    for echo_first in (True, False):
        for delay in (0, 0.3):
            printed = pair(["-n", 10], ["-n", 10, "-skip", 1], delay, echo_first)
            assert printed == [column(NUMBERS)] * 2, (echo_first, delay, printed)


def test_other_lengths():
    printed = pair(["-n", 0], ["-n", 0, "-skip", 1])
    assert printed == ["", ""], printed
    # Who ends first: echo stops when its partner has ended, fibonacci goes on alone.
    printed = pair(["-n", 10], ["-n", 6, "-skip", 1])
    assert printed == [column(NUMBERS[:6])] * 2, printed
    printed = pair(["-n", 4], ["-n", 10, "-skip", 1])
    assert printed == [column(NUMBERS[:4]), column(NUMBERS)], printed
    # A longer init phase: of what fibonacci computes alone only the last is sent.
    printed = pair(["-n", 10], ["-n", 10, "-skip", 4])
    assert printed == [column(NUMBERS[3:]), column(NUMBERS)], printed
    # The other one skips: it sends what it has, 0.
    printed = pair(["-n", 10, "-skip", 1], ["-n", 9])
    assert printed == [column(NUMBERS[:9])] * 2, printed
    # 2**53 is reached with the 78th: all before are whole numbers of a double, and shown as such.
    numbers = NUMBERS[:2]
    while len(numbers) < 70:
        numbers.append(numbers[-1] + numbers[-2])
    printed = pair(["-n", 70], ["-n", 70, "-skip", 1])
    assert printed == [column(numbers)] * 2, printed


def test_echo_with_another():
    for piece, newline, early in ((0, "\n", False), (0, "\n", True), (1, "\n", False), (7, "\r\n", False)):
        with Folder() as folder:
            other = Partner(folder, "echo.cosim", "fibonacci.cosim", piece, newline)
            before, last = 1, 0
            echo = None if early else folder.start(ECHO, "-n", 10, *ECHO_FILES)
            for step in range(10):
                if step:
                    t, dt, values = other.read()
                    assert (t, dt, values) == (step - 1, 1, [last]), (t, dt, values)
                before, last = last, before + last
                other.write(step, 1, [float(last)])
                if echo is None:
                    time.sleep(0.3)  # the file is older than the program that reads it
                    echo = folder.start(ECHO, "-n", 10, *ECHO_FILES)
            other.close()
            out, err = folder.finish(echo)
            assert out == column(NUMBERS) and not err, (out, err)
            assert not folder.files(), folder.files()


def test_fibonacci_with_another():
    for piece in (0, 3):
        with Folder() as folder:
            fibonacci = folder.start(FIBONACCI, "-n", 10, "-skip", 1, *FIBONACCI_FILES)
            other = Partner(folder, "fibonacci.cosim", "echo.cosim", piece)
            seen = []
            while (message := other.read()) is not None:
                t, dt, values = message
                seen += values
                other.write(t, dt, values)
            other.close(ended=True)
            out, err = folder.finish(fibonacci)
            assert out == column(NUMBERS) and seen == NUMBERS and not err, (out, seen, err)
            assert not folder.files(), folder.files()


def test_wrong_format():
    """By default an error is told and ends the program with exit(-1); the partner finds END."""
    with Folder() as folder:
        echo = folder.start(ECHO, "-n", 10, *ECHO_FILES)
        other = Partner(folder, "echo.cosim", "fibonacci.cosim")
        other.place("LEVEL=1\nNEXT_TIMESTEP=1\nentity,value,description\n1,1,\n")
        out, err = folder.finish(echo, 255)
        assert not out and err.startswith("cosim: error: ") and "fibonacci.cosim, line 1" in err, (out, err)
        assert other.read() is None
        assert folder.files() == ["fibonacci.cosim.bad"], folder.files()


def test_death():
    """Two with this library see each other die: no waiting for ever."""
    for killed in (0, 1):
        with Folder() as folder:
            programs = [folder.start(ECHO, "-n", 10**9, *ECHO_FILES),
                        folder.start(FIBONACCI, "-n", 10**9, "-skip", 1, *FIBONACCI_FILES)]
            for program in programs:  # both are at work
                assert program.stdout.readline() == "1\n"
            time.sleep(1)  # and know each other
            programs[killed].kill()
            _, err = folder.finish(programs[1 - killed], 255)
            assert "cosim: error: the partner has died" in err, err


def test_usage():
    with Folder() as folder:
        for words, wrong in ((["-n"], "-n wants a value"), (["-n", "ten"], "not 'ten'"), (["-n", "-1"], "not '-1'"),
                             (["-x", "1"], "there is no option '-x'"), (["-in", "a"], "-in and -out"), ([], "-in and -out")):
            for program in (ECHO, FIBONACCI):
                out, err = folder.finish(folder.start(program, *words), 1)
                assert not out and wrong in err and "usage: " in err and "-skip 1" in err, (words, err)


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(name[5:].replace("_", " "))
    return 0


if __name__ == "__main__":
    sys.exit(main())
