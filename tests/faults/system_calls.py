# SPDX-License-Identifier: MIT
"""Every n-th call of a kind fails in a run that writes every format: message and exit code 5, or the result of an undisturbed run;
no partial file under a final name, no temporary left. Calls that a signal interrupts (EINTR) or that write one byte go on. What is
not flushed before it gets its name is lost (FAULT_LOSE), and nothing may be."""
import errno
import os
import sys

from faults import RUNS, WRITERS, Bench, partial, same, sample

FAULTS = [  # kind, errno; -1: short
    ("write", errno.EIO), ("write", errno.ENOSPC), ("write", errno.EINTR), ("write", -1), ("read", errno.EIO), ("read", errno.EINTR),
    ("read", -1), ("fsync", errno.EIO), ("fsync", errno.EINTR), ("rename", errno.EIO), ("rename", errno.EINTR), ("open", errno.ENOSPC),
    ("open", errno.EINTR), ("nameless", errno.EOPNOTSUPP), ("nameless", errno.EINTR), ("link", errno.EPERM), ("link", errno.EINTR),
    ("close", errno.EIO), ("close", errno.EINTR), ("fallocate", errno.ENOSPC), ("fallocate", errno.EINTR),
    ("truncate", errno.EIO), ("truncate", errno.EINTR), ("thread", errno.EAGAIN), ("map", errno.ENOMEM)]
GOES_ON = (errno.EINTR, -1)
HELPS = ("nameless", "link")  # a file with a name from the beginning, or a copy, does as well


def can_be_nameless(folder):
    """Can a file be made without a name, and be given one?"""
    try:
        fd = os.open(folder, os.O_RDWR | os.O_TMPFILE, 0o600)
    except OSError:
        return False
    try:
        os.link(f"/proc/self/fd/{fd}", folder / "linked", src_dir_fd=fd, follow_symlinks=True)  # with src_dir_fd links are followed
        (folder / "linked").unlink()
        return True
    except OSError:
        return False
    finally:
        os.close(fd)


def judge(what, number, clean, result, old):
    if result.code is None:
        return "hangs"
    if result.code < 0:
        return f"dies with signal {-result.code}"
    if result.temporaries():
        return f"leaves {result.temporaries()}"
    broken = partial(result, clean, old)
    if broken:
        return f"leaves {broken} partial, with code {result.code}"
    if same(result, clean):
        return None
    if number in GOES_ON or what in HELPS:
        return f"does not go on: {result.code}, {result.err[:200]!r}"
    if result.code != 5 or len(result.err) < 10:
        return f"ends with {result.code} and says {result.err[:200]!r}"
    return None


def main(most, all_of_them=False):
    bench = Bench()
    found, n_run = [], 0
    try:
        for command, extra in ((WRITERS, {}), (WRITERS, {"FAULT_NAMED": "1"}), (RUNS["surge"], {}), (RUNS["coupled"], {})):
            clean = bench.run(command, **extra)
            old = {name: b"old\n" for name in clean.files}
            for what, number in FAULTS:
                for n in sample(clean.counts[what], most, all_of_them):
                    fault = f"{what} {n} 1 {number}"
                    result = bench.run(command, fault, before=old, **extra)
                    n_run += 1
                    wrong = judge(what, number, clean, result, old)
                    if wrong:
                        found.append(f"{command.split()[1]}, FAULT=\"{fault}\": {wrong}")
        clean = bench.run(WRITERS)
        if clean.counts["nameless"] == 0 or clean.counts["link"] != clean.counts["nameless"]:
            if can_be_nameless(bench.folder):
                found.append(f"files in the making have names, though the file system can do without ({clean.counts})")
            else:
                print("skipped files without a name: the file system has none", flush=True)
        lost = bench.run(WRITERS, FAULT_LOSE="1")
        if not same(lost, clean):
            found.append(f"what was not flushed before it got its name is lost: {partial(lost, clean, {})}")
        n_flush, n_name = clean.counts["fsync"], clean.counts["rename"]
        if n_flush != n_name:
            found.append(f"{n_name} files got a name after {n_flush} flushes")
        # the checker itself: a program that does not flush loses all
        unflushed = bench.run(WRITERS, "fsync 1 -1 22", FAULT_LOSE="1")
        if same(unflushed, clean):
            found.append("what is not flushed goes unseen")
    finally:
        bench.close()
    for line in found[:60]:
        print(line)
    print(f"{n_run} runs, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    count = sys.argv[1] if len(sys.argv) > 1 else "3"  # or all
    sys.exit(main(0 if count == "all" else int(count), all_of_them=count == "all"))
