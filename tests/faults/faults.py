# SPDX-License-Identifier: MIT
"""Runs of the program with planted faults (shim.c): what the tests of this folder share."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ.get("SLUICE_SOURCE") or Path(__file__).resolve().parents[2])
SLUICE = os.environ.get("SLUICE") or str(ROOT / "build/release/sluice")
WITH = os.environ.get("SLUICE_WITH", "cairo").split()
LIMIT = 120  # s that a run may take before it counts as hanging

# Runs that between them meet every kind of model, every writer and reader. @E: the examples; @P: results that were made before.
RUNS = {
    "network": "run @E/town.inp --threads 2 -d 30:00 -o a.out -o a.rpt -o a.csv -o a.json -o a.svg -o a.geojson -o a.gpkg -o a.h5 --events a-events.csv",
    "quality": "run @E/quality.inp -o a.out -o a.csv",
    "surge": "run @E/surge/closure.yaml -o a.csv -o a.json -o a.svg -o a.h5 --report a.txt --events a-events.csv",
    "tunnel": "run @E/tunnel/gates.yaml -o a.csv -o a.json -o a.svg -o a.h5 --events a-events.csv",
    "hybrid": "run @E/automata/two-tanks.yaml -o a.csv -o a.json -o a.svg -o a.h5 --events a-events.csv",
    "discrete": "run @E/automata/counting.yaml -o a.csv -o a.json -o a.svg -o a.h5",
    "branches": "run @E/automata/nondeterministic.yaml --branches -o a.csv -o a.json -o a.h5",
    "coupled": "cosim @E/cosim/west.yaml @E/cosim/east.yaml",
    "check": "check @E/town.inp @E/surge/closure.yaml @E/automata/two-tanks.yaml @E/tunnel/gates.yaml",
    "explain": "explain @E/automata/two-tanks.yaml",
    "convert": "convert @E/town.inp a.json",
    "results": "convert @P/r.csv a.json",
    "compare": "compare @P/r.csv @P/r.out",
    "verify": "verify @E/town.inp @P/r.out",
    "plot": "plot @P/r.csv --node ALL -o a.svg",
    "map": "plot @P/r.json --map -o a.svg",
    "profile": "plot @E/tunnel/gates.yaml --profile upper,plant --time 5s -o a.svg",
    "states": "plot @E/tunnel/collision.yaml --film steps -o a.svg",
    "page of tunnels": "explain @E/tunnel/collision.yaml --time 3s -o a.html",
    "gen": "gen city -n 60 -o a.inp",
    "info": "info @E/town.inp",
    "info of tunnels": "info @E/tunnel/gates.yaml",
    "vars": "vars @E/surge/closure.yaml",
    "hdf5 read": "convert @P/r.h5 a.csv",
    "hdf5 packed": "convert @P/r.h5 a.h5 --compress",
    "hdf5 unpacked": "convert @P/packed.h5 a.json",
}
if "cairo" in WITH:
    RUNS["png"] = "run @E/automata/two-tanks.yaml -o a.png"
    RUNS["pdf"] = "run @E/automata/two-tanks.yaml -o a.pdf"
WRITERS = "run @E/town.inp --threads 2 -d 200:00 -o a.out -o a.rpt -o a.csv -o a.json -o a.svg -o a.geojson -o a.gpkg -o a.h5"

# Durations and dates differ from run to run.
VARYING = re.compile(rb"\d+(\.\d+)? m?s\b|\d\d:\d\d:\d\d|20\d\d-\d\d-\d\d|\"\w*(?:second|time)\w*\": ?[\d.e+-]+")


def plain(text):
    return VARYING.sub(b"#", text)


def shims_work():
    return sys.platform.startswith("linux") and not any(name in Path(SLUICE).parts for name in ("debug", "tsan"))


def skip_unless_shims_work():
    """Exits with 77 where LD_PRELOAD cannot be used."""
    if not sys.platform.startswith("linux"):
        print("LD_PRELOAD and /proc are Linux's")
        sys.exit(77)
    if not shims_work():
        print("sanitizers have their own malloc and signals: the release build is tested")
        sys.exit(77)


class Result:
    def __init__(self, code, out, err, files, log):
        self.code, self.out, self.err, self.files = code, out, err, files
        self.counts = {k: int(v) for k, v in re.findall(r"^count (\w+) (\d+)$", log, re.M)}
        frames = {word: [tuple(line.split()[1:]) for line in log.splitlines() if line.startswith(word + " ")] for word in ("stack", "jump")}
        self.stack = frames["stack"] or frames["jump"]

    def temporaries(self):
        return [name for name in self.files if name.startswith(".sluice")]


class Bench:
    """A folder for runs, models, results made before, and the shim."""

    def __init__(self):
        skip_unless_shims_work()
        self.folder = Path(tempfile.mkdtemp(prefix="sluice-faults-"))
        self.shim = self.folder / "shim.so"
        subprocess.run([os.environ.get("SLUICE_CC") or "cc", "-shared", "-fPIC", "-O1", str(ROOT / "tests/faults/shim.c"), "-o",
                        str(self.shim), "-ldl", "-pthread"], check=True)
        shutil.copytree(ROOT / "examples", self.folder / "examples")
        (self.folder / "results").mkdir()
        (self.folder / "runs").mkdir()
        self.n = 0
        outputs = [a for e in ("out", "csv", "json", "h5") for a in ("-o", f"{self.folder}/results/r.{e}")]
        subprocess.run([SLUICE, "run", str(self.folder / "examples/town.inp"), "-q", *outputs], check=True)
        subprocess.run([SLUICE, "convert", "r.h5", "packed.h5", "--compress"], cwd=self.folder / "results", check=True)
        self.symbols = None

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def words(self, command):
        return [w.replace("@E", str(self.folder / "examples")).replace("@P", str(self.folder / "results")) for w in command.split()]

    def run(self, command, fault="none 0 0 0", limit=LIMIT, before=None, **extra):
        """In a fresh folder that has the files of before. A run that hangs has the code None."""
        self.n += 1
        where = self.folder / "runs" / str(self.n)
        where.mkdir()
        for name, content in (before or {}).items():
            (where / name).write_bytes(content)
        log = self.folder / "log"
        log.unlink(missing_ok=True)
        environment = {**os.environ, "LD_PRELOAD": str(self.shim), "FAULT": fault, "FAULT_LOG": str(log), **extra}
        program = [SLUICE, *self.words(command)]
        try:
            p = subprocess.run(program, cwd=where, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               timeout=limit)
            code, out, err = p.returncode, p.stdout, p.stderr
        except subprocess.TimeoutExpired:
            code, out, err = None, b"", b""
        files = {p.name: p.read_bytes() for p in where.iterdir() if p.is_file()}
        shutil.rmtree(where)
        return Result(code, out, err, files, log.read_text() if log.exists() else "")

    def function_of(self, frame):
        """The name of a function on a stack, and the library it is in: of the program's own by its symbols."""
        path, offset, name = frame
        if Path(path).name != Path(SLUICE).name:
            return name, Path(path).name
        if self.symbols is None:
            lines = subprocess.run(["nm", SLUICE], stdout=subprocess.PIPE, check=True).stdout.decode().split("\n")
            self.symbols = sorted((int(p[0], 16), p[2]) for p in map(str.split, lines) if len(p) == 3 and p[1] in "tTwW")
        at = int(offset, 16)
        return next((n for a, n in reversed(self.symbols) if a < at), "?"), "sluice"


def alike(a, b):
    return a == b or (max(len(a), len(b)) < 100000 and plain(a) == plain(b))


def same(result, clean):
    """The result of an undisturbed run, byte for byte but for durations and dates."""
    return (result.code == clean.code and alike(result.out, clean.out) and sorted(result.files) == sorted(clean.files)
            and all(alike(result.files[name], clean.files[name]) for name in clean.files))


def partial(result, clean, old):
    """Files under a final name that are neither the old ones nor those of an undisturbed run."""
    return [name for name, content in result.files.items()
            if not name.startswith(".sluice") and content != old.get(name) and not alike(content, clean.files.get(name, b"?"))]


def sample(n, most, all_of_them):
    """Numbers from 1 to n: all, or at most so many, spread evenly with the first and the last."""
    if all_of_them or n <= most or most < 2:
        return list(range(1, n + 1))
    return sorted({1 + round(i * (n - 1) / (most - 1)) for i in range(most)})
