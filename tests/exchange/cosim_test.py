# SPDX-License-Identifier: MIT
"""What the tests of co-simulation share: programs started side by side in a fresh folder, and a partner written from the
description of the file format alone: files written in place and in pieces, polling, no library."""
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(os.environ.get("SLUICE_SOURCE") or Path(__file__).resolve().parents[2])
BUILD = Path(os.environ.get("SLUICE_BUILD") or ROOT / "build/release")
ECHO, FIBONACCI = (str(BUILD / "cosim/examples" / name) for name in ("echo", "fibonacci"))
PATIENCE = 60  # seconds until a test gives up
COSIM, CPP = ROOT / "cosim", ROOT / "tests/exchange/cpp"
CXX = os.environ.get("SLUICE_CXX", "c++")


def run(*words, **more):
    """Must succeed. Returns what it printed."""
    words = [str(word) for word in words]
    done = subprocess.run(words, capture_output=True, text=True, **more)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}{done.stderr}"
    return done.stdout


def copy_of_cosim(folder):
    """The folder as somebody copies it: alone, without what git ignores."""
    return shutil.copytree(COSIM, folder.path / "copy/cosim", ignore=shutil.ignore_patterns("config.h"))


def configure(source, build, *settings):
    flags = "" if any("CMAKE_CXX_FLAGS" in word for word in settings) else "-Wall -Wextra -Wshadow -Woverloaded-virtual -pedantic -Werror"
    return run("cmake", "-G", "Ninja", "-S", source, "-B", build, f"-DCMAKE_CXX_COMPILER={CXX}",
               *([f"-DCMAKE_CXX_FLAGS={flags}"] if flags else []), *settings)


def build_programs(names, build, *settings):
    configure(CPP, build, f"-DPROGRAMS={names}", *settings)
    run("cmake", "--build", build, "-j", "2")
    return [build / name for name in names.split(";")]


class Folder:
    """A fresh folder. Programs run in it; what they leave behind is seen at the end."""

    def __init__(self):
        self.path = Path(tempfile.mkdtemp(prefix="cosim-"))
        self.running = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for program in self.running:
            if program.poll() is None:
                program.kill()
            program.communicate()
        shutil.rmtree(self.path)

    def start(self, *command):
        program = subprocess.Popen([str(word) for word in command], cwd=self.path, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.running.append(program)
        return program

    def finish(self, program, code=0):
        """Waits; returns (what it printed, what it complained of)."""
        out, err = program.communicate(timeout=PATIENCE)
        assert program.returncode == code, f"{program.args}: exit code {program.returncode}, wanted {code}\n{out}{err}"
        return out, err

    def files(self):
        return sorted(p.name for p in self.path.iterdir())


class Partner:
    """A partner as somebody writes it who has read the description of the format and nothing else."""

    def __init__(self, folder, inward, outward, piece=0, newline="\n"):
        self.inward, self.outward = folder.path / inward, folder.path / outward
        self.piece, self.newline = piece, newline
        self.give_up = time.monotonic() + PATIENCE

    def wait(self):
        assert time.monotonic() < self.give_up, "the partner waited too long"
        time.sleep(0.002)

    def read(self):
        """(time, step, values), or None at the end."""
        while True:
            try:
                lines = self.inward.read_text().splitlines()
            except FileNotFoundError:
                self.wait()
                continue
            if lines == ["END"]:
                self.inward.unlink()
                return None
            assert lines[0].startswith("TIME=") and lines[1].startswith("NEXT_TIMESTEP="), lines
            self.inward.unlink()
            rows = [line.split(",") for line in lines[3:]]
            assert all(len(row) == 3 for row in rows), lines
            return float(lines[0][5:]), float(lines[1][14:]), [float(row[1]) for row in rows]

    def place(self, text):
        """In place, in pieces of some bytes: nothing hides an unfinished file."""
        while self.outward.exists():
            self.wait()
        data = text.replace("\n", self.newline).encode()
        with open(self.outward, "wb", buffering=0) as file:
            for i in range(0, len(data), self.piece or len(data)):
                file.write(data[i:i + (self.piece or len(data))])
                if self.piece:
                    time.sleep(0.002)

    def write(self, time_, step, values):
        rows = "".join(f"{i},{value},value {i}\n" for i, value in enumerate(values, 1))
        self.place(f"TIME={time_:.4f}\nNEXT_TIMESTEP={step:.5f}\nEntity Nr.,Value,Description\n{rows}")

    def close(self, ended=False):
        """END, and whatever the other side still has to say. ended: its END has come already."""
        put = False
        while not (put and ended and not self.outward.exists()):
            if not put and not self.outward.exists():
                self.place("END\n")
                put = True
            if not ended and self.inward.exists():
                text = self.inward.read_text()
                self.inward.unlink()
                ended = text.strip() == "END"
            self.wait()
