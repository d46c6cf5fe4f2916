#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files as they are in the world: left-overs of killed runs, limits of size, links that lead nowhere, inputs without an end, devices,
pipes, full disks, folders that cannot be written or go away, one path twice."""
import fcntl
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from faults import ROOT, SLUICE

TOWN = str(ROOT / "examples/town.inp")
WATCHED = any(name in Path(SLUICE).parts for name in ("debug", "tsan")) # sanitizers take terabytes of addresses
FORMATS = ["out", "rpt", "csv", "json", "svg", "geojson", "gpkg", "h5"]


def opened(process):
    """What the open files of a process are called; (deleted): a file without a name."""
    try:
        return [os.readlink(f) for f in Path(f"/proc/{process}/fd").iterdir()]
    except OSError:
        return []


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = Path(folder.name)

    def sluice(self, *words, code=0, **options):
        p = subprocess.run([SLUICE, *map(str, words)], cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                           **{"stdin": subprocess.DEVNULL, **options})
        self.assertEqual(p.returncode, code, p.stderr.decode())
        return p.stdout.decode(errors="replace"), p.stderr.decode(errors="replace")

    def names(self):
        return sorted(p.name for p in self.dir.iterdir())

    def dead(self):
        child = subprocess.Popen(["true"])
        child.wait()
        return child.pid

    def test_left_overs(self):
        gone = self.dead()
        remove = [f".sluice-{gone}-0.tmp", f".sluice-{gone}-12.tmp"]
        keep = [f".sluice-{os.getpid()}-0.tmp", f".sluice-{gone}-0.tmp.bak", f".sluice-{gone}.tmp", f"sluice-{gone}-0.tmp",
                f".sluice-0{gone}-0.tmp", ".sluice-x-0.tmp", f".sluice--{gone}-0.tmp", f"a.sluice-{gone}-0.tmp", f".sluice-{gone}-0x.tmp"]
        for name in remove + keep:
            (self.dir / name).write_text("x")
        folder, link = f".sluice-{gone}-1.tmp", f".sluice-{gone}-2.tmp"
        (self.dir / folder).mkdir()
        (self.dir / link).symlink_to(self.dir / keep[1])
        self.sluice("run", TOWN, "-q", "-o", "a.csv")
        self.assertEqual(self.names(), sorted(keep + [folder, link, "a.csv"]))

    def test_no_name_in_the_making(self):
        """Where the file system can: a run that dies, by whatever way, leaves nothing."""
        try:
            os.close(os.open(self.dir, os.O_RDWR | os.O_TMPFILE))
        except OSError as error:
            print(f"skipped files without a name: {error}", flush=True)
            return
        run = subprocess.Popen([SLUICE, "run", TOWN, "-q", "-d", "40000:00", "-o", "a.csv", "-o", "a.h5"], cwd=self.dir)
        while run.poll() is None and sum("(deleted)" in to for to in opened(run.pid)) < 2:
            self.assertEqual(self.names(), [])
            time.sleep(0.01)
        run.kill()
        self.assertLess(run.wait(), 0)
        self.assertEqual(self.names(), [])

    def test_left_over_that_is_locked(self):
        """Of a process in another container: its number means nothing here."""
        name = f".sluice-{self.dead()}-0.tmp"
        with open(self.dir / name, "wb") as f:
            if not hasattr(fcntl, "F_OFD_SETLK"):
                setattr(fcntl, "F_OFD_SETLK", 37)
            fcntl.fcntl(f, fcntl.F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
            self.sluice("run", TOWN, "-q", "-o", "a.csv")
            self.assertIn(name, self.names())
        self.sluice("run", TOWN, "-q", "-o", "a.csv")
        self.assertEqual(self.names(), ["a.csv"])

    def test_limit_of_size(self):
        for ending in FORMATS:
            def limit():
                resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
            (self.dir / f"a.{ending}").write_text("old")
            _, err = self.sluice("run", TOWN, "-q", "-d", "24:00", "-o", f"a.{ending}", code=5, preexec_fn=limit)
            self.assertRegex(err, "larger than the system allows|File too large", ending)
            self.assertEqual((self.dir / f"a.{ending}").read_text(), "old")
        self.assertEqual(self.names(), sorted(f"a.{e}" for e in FORMATS))

    def test_links(self):
        (self.dir / "deep").mkdir()
        (self.dir / "to.csv").symlink_to("deep/second.csv")
        (self.dir / "deep/second.csv").symlink_to("real.csv")
        for _ in range(2):
            self.sluice("run", TOWN, "-q", "-o", "to.csv")
            self.assertTrue((self.dir / "to.csv").is_symlink() and (self.dir / "deep/second.csv").is_symlink())
            self.assertTrue((self.dir / "deep/real.csv").is_file() and not (self.dir / "deep/real.csv").is_symlink())
        self.assertEqual(sorted(p.name for p in (self.dir / "deep").iterdir()), ["real.csv", "second.csv"])
        (self.dir / "round.csv").symlink_to("round.csv")
        (self.dir / "nowhere.csv").symlink_to("missing/a.csv")
        for name, why in (("round.csv", "links"), ("nowhere.csv", "no such file or folder")):
            _, err = self.sluice("run", TOWN, "-q", "-o", name, code=5)
            self.assertIn(why, err)
            self.assertTrue((self.dir / name).is_symlink())

    def test_endless_inputs(self):
        if WATCHED:
            print("skipped the limit of memory of endless inputs: sanitizers take addresses of their own", flush=True)
        for words in (["check", "/dev/zero"], ["run", "/dev/zero"], ["info", "/dev/urandom"], ["cosim", "/dev/zero"], ["run", "/dev/full"]):
            def limit():
                if not WATCHED:
                    resource.setrlimit(resource.RLIMIT_AS, (500 << 20, 500 << 20))
            _, err = self.sluice(*words, code=5, preexec_fn=limit)
            self.assertIn("more than 4 GB, or does not end", err, words)
        self.sluice("check", "/dev/null", code=2)

    def test_large_file(self):
        with open(self.dir / "large.inp", "wb") as f:
            f.truncate((4 << 30) + 1)
        _, err = self.sluice("check", "large.inp", code=5)
        self.assertIn("more than 4 GB", err)

    def test_devices_and_pipes(self):
        for ending in FORMATS:
            (self.dir / f"full.{ending}").symlink_to("/dev/full")
            (self.dir / f"null.{ending}").symlink_to("/dev/null")
            _, err = self.sluice("run", TOWN, "-q", "-o", f"full.{ending}", code=5)
            self.assertRegex(err, "No space left", ending)
            self.sluice("run", TOWN, "-q", "-o", f"null.{ending}")
        self.assertTrue(Path("/dev/null").is_char_device() and Path("/dev/full").is_char_device())
        with open("/dev/full", "wb") as full:
            p = subprocess.run([SLUICE, "run", TOWN], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(p.returncode, 5)
        self.assertIn(b"No space left", p.stderr)
        os.mkfifo(self.dir / "pipe.csv")
        reader = subprocess.Popen(["cat", self.dir / "pipe.csv"], stdout=subprocess.PIPE)
        self.sluice("run", TOWN, "-q", "-o", "pipe.csv")
        self.sluice("run", TOWN, "-q", "-o", "plain.csv")
        self.assertEqual(reader.communicate()[0], (self.dir / "plain.csv").read_bytes())

    def test_read_only_folder(self):
        if os.geteuid() == 0:
            print("skipped test_read_only_folder: root may write anywhere", flush=True)
            return
        (self.dir / "closed").mkdir(mode=0o555)
        _, err = self.sluice("run", TOWN, "-q", "-o", "closed/a.csv", code=5)
        self.assertIn("Permission denied", err)

    def test_folder_that_goes_away(self):
        (self.dir / "there").mkdir()
        os.mkfifo(self.dir / "there/in.inp")
        run = subprocess.Popen([SLUICE, "run", TOWN, "-q", "-o", "there/a.csv", "-o", "wait.rpt"], cwd=self.dir, stderr=subprocess.PIPE)
        run.communicate()
        self.assertEqual(run.returncode, 0)
        # the folder goes while a pipe holds the run
        os.mkfifo(self.dir / "slow.csv")
        run = subprocess.Popen([SLUICE, "run", TOWN, "-q", "-d", "2000:00", "-o", "there/a.json", "-o", "slow.csv"], cwd=self.dir,
                               stderr=subprocess.PIPE)
        with open(self.dir / "slow.csv", "rb") as f:
            f.read(1)
            shutil.rmtree(self.dir / "there")
            f.read()
        err = run.communicate()[1].decode()
        self.assertEqual(run.returncode, 5, err)
        self.assertIn("there/a.json", err)
        self.assertFalse((self.dir / "there").exists())

    def test_one_path_twice(self):
        (self.dir / "link.csv").symlink_to("a.csv")
        for other in ("a.csv", "./a.csv", "link.csv", str(self.dir / "a.csv")):
            _, err = self.sluice("run", TOWN, "-q", "-o", "a.csv", "-o", other, code=4)
            self.assertIn("twice", err, other)
            self.assertEqual(self.names(), ["link.csv"])

    def test_output_that_is_the_input(self):
        before = Path(TOWN).read_bytes()
        (self.dir / "m.inp").write_bytes(before)
        self.sluice("convert", "m.inp", "m.inp", "--units", "GPM")
        self.assertNotEqual((self.dir / "m.inp").read_bytes(), before)
        self.sluice("check", "m.inp")
        self.sluice("run", TOWN, "-q", "-o", "r.csv")
        self.sluice("convert", "r.csv", "r.csv")
        self.sluice("compare", "r.csv", "r.csv")
        self.assertEqual(self.names(), ["m.inp", "r.csv"])


if __name__ == "__main__":
    if not sys.platform.startswith("linux"):
        print("devices and locks of Linux are not here")
        sys.exit(77)
    unittest.main()
