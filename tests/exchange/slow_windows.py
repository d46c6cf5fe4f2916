#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The CoSim library and its two examples for Windows: built by MinGW-w64 from the folder copied alone, run by wine. The two
exchange over files, see each other die, and leave nothing; other carriers say that they need another system; a file written
here is the same, byte for byte."""
import os
import shutil
import sys
import time

from cosim_test import ECHO, Folder, Partner, copy_of_cosim, run

COMPILERS = ("x86_64-w64-mingw32-g++-posix", "x86_64-w64-mingw32-g++-win32")
NUMBERS = [1, 1, 2, 3, 5, 8, 13, 21, 34, 55]
CARRIERS = {"mem:a": "POSIX threads", "fd:3,4": "a POSIX system", "pipe:in=a;out=b": "a POSIX system",
            "unix:a": "a POSIX system", "shm:a": "Linux"}
REFUSE = """
#include <cosim.h>
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        sl_cosim_def def = sl_cosim_default();
        def.uri = argv[i];
        cosim::manager cosim(def);
        cosim.setErrorHandler([](const std::string &text) { std::cout << text << std::endl; });
        cosim.addInDataInfo(1, 0);
    }
}
"""


class Wine:
    def __init__(self, folder, wine):
        self.folder, self.wine = folder, wine
        os.environ.update(WINEPREFIX=str(folder.path / "wine"), WINEDEBUG="-all", WINEDLLOVERRIDES="mscoree,mshtml=")
        run(wine, "wineboot", "-i", timeout=250)

    def start(self, work, program, *words):
        return work.start(self.wine, program, *words)


def check_pair(wine, echo, fibonacci):
    with Folder() as work:
        a = wine.start(work, echo, "-n", 10, "-in", "f.cosim", "-out", "e.cosim")
        b = wine.start(work, fibonacci, "-n", 10, "-skip", 1, "-in", "e.cosim", "-out", "f.cosim")
        for program in (a, b):
            out, err = work.finish(program)
            assert [int(line) for line in out.split()] == NUMBERS and not err, (out, err)
        assert not work.files(), work.files()


def bytes_of_first_message(start):
    """What echo answers, as it is in the file."""
    with Folder() as work:
        echo = start(work)
        other = Partner(work, "e.cosim", "f.cosim")
        other.place("TIME=0\nNEXT_TIMESTEP=1e-7\nentity,value,description\n1,1.2345678901234567e300,x\n")
        while not other.inward.exists():
            other.wait()
        time.sleep(0.1)
        text = other.inward.read_bytes()
        other.inward.unlink()
        other.close()
        work.finish(echo)
        assert not work.files(), work.files()
        return text


def check_bytes(wine, echo):
    words = ("-n", 2, "-in", "f.cosim", "-out", "e.cosim")
    here = bytes_of_first_message(lambda work: work.start(ECHO, *words))
    there = bytes_of_first_message(lambda work: wine.start(work, echo, *words))
    assert here == there and b"NEXT_TIMESTEP=1e-07\n" in here, (here, there)


def check_death(wine, echo, fibonacci):
    with Folder() as work:
        a = wine.start(work, echo, "-n", 10**9, "-in", "f.cosim", "-out", "e.cosim")
        b = wine.start(work, fibonacci, "-n", 10**9, "-skip", 1, "-in", "e.cosim", "-out", "f.cosim")
        for program in (a, b):
            assert program.stdout.readline() == "1\n"
        _, err = work.finish(wine.start(work, echo, "-n", 1, "-in", "x.cosim", "-out", "e.cosim"), 255)
        assert "another program exchanges by e.cosim" in err, err
        time.sleep(1)  # they know each other
        a.kill()
        _, err = work.finish(b, 255)
        assert "the partner has died" in err, err
        # A program that is killed while it writes leaves the unfinished file (.tmp); locks go with their process.
        left = [name for name in work.files() if name.endswith(".lock")]
        assert not left, left


def check_carriers(wine, compiler, cosim, library):
    with Folder() as work:
        (work.path / "refuse.cpp").write_text(REFUSE)
        run(compiler, "-std=c++17", "-static", f"-I{cosim / 'include'}", work.path / "refuse.cpp", library, "-o",
            work.path / "refuse.exe")
        out, _ = work.finish(wine.start(work, work.path / "refuse.exe", *CARRIERS))
        wanted = [f"'{uri}': this carrier needs {needs}; use files, file:in=A;out=B" for uri, needs in CARRIERS.items()]
        assert out.splitlines() == wanted, out


def main():
    wine = shutil.which("wine64") or shutil.which("wine")
    compilers = [name for name in COMPILERS if shutil.which(name)]
    if not wine or not compilers:
        print("needs wine and MinGW-w64 (Debian: wine64 g++-mingw-w64-x86-64-posix)")
        return 77
    with Folder() as folder:
        cosim = copy_of_cosim(folder)
        machine = Wine(folder, wine)
        for compiler in compilers:
            build = folder.path / compiler
            run("cmake", "-G", "Ninja", "-S", cosim / "examples", "-B", build, "-DCMAKE_SYSTEM_NAME=Windows",
                f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
            run("cmake", "--build", build, "-j", "2")
            run(compiler, "-x", "c", "-std=gnu17", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-fsyntax-only",
                f"-I{cosim / 'src'}", cosim / "src/exchange/system_windows.c")
            echo, fibonacci = build / "echo.exe", build / "fibonacci.exe"
            check_pair(machine, echo, fibonacci)
            check_bytes(machine, echo)
            check_death(machine, echo, fibonacci)
            check_carriers(machine, compiler, cosim, build / "libcosim.a")
            print(compiler)
        run(wine, "wineboot", "-k")
    return 0


if __name__ == "__main__":
    sys.exit(main())
