# SPDX-License-Identifier: MIT
"""Can bench/check_network.py fail? Results of small networks are sound; each of these faults, planted into them, is found."""

import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["SLUICE_SOURCE"], "tests", "eps"))
from planted import FAULTS, NETWORKS, PIPE, Faulty, check_network  # noqa: E402


def main():
    folder, failed = tempfile.mkdtemp(), 0
    results = {}
    for name, text in NETWORKS.items():
        inp, out = os.path.join(folder, name + ".inp"), os.path.join(folder, name + ".out")
        with open(inp, "w") as f:
            f.write(text % {"p": PIPE} if "%(" in text else text)
        run = subprocess.run([os.environ["SLUICE"], "run", inp, "-o", out], capture_output=True, text=True)
        if run.returncode not in (0, 1):
            failed += 1
            print("%s: exit code %d\n%s" % (name, run.returncode, run.stderr))
            continue
        results[name] = (inp, out)
        faults, _ = check_network.check(inp, out)
        if faults:
            failed += 1
            print("%s is sound, but: %s" % (name, "\n  ".join(faults[:8])))
    for name, kind, plants in FAULTS:
        if name not in results:
            continue
        bad = Faulty(results[name][1])
        for plant in plants:
            plant(bad)
        found = bad.faults(results[name][0])
        if kind not in found:
            failed += 1
            print("%s: a fault of kind '%s' is not found, only %s" % (name, kind, found))
    shutil.rmtree(folder)
    print("%d networks, %d planted faults, %d not as they should be" % (len(NETWORKS), len(FAULTS), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
