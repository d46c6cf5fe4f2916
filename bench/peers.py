"""peers.py: finds the other programs that Sluice is compared with, and Sluice itself.

EPANET is taken from the Python package owa-epanet, which carries the C library as released. It is installed by pip
into bench/.venv the first time it is needed; nothing else on the machine is touched.
"""

import glob
import os
import subprocess
import sys
import venv

BENCH = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(BENCH)
VENV = os.path.join(BENCH, ".venv")
EPANET_PACKAGE = "owa-epanet==2.3.5"


def epanet_library():
    """Path of EPANET's shared library. SLUICE_EPANET_LIBRARY names another one."""
    given = os.environ.get("SLUICE_EPANET_LIBRARY")
    if given:
        return given
    found = _find_library()
    if not found:
        print("installing %s into bench/.venv" % EPANET_PACKAGE, file=sys.stderr)
        venv.create(VENV, with_pip=True)
        subprocess.run(
            [os.path.join(VENV, "bin", "python"), "-m", "pip", "install", "--quiet", EPANET_PACKAGE],
            check=True,
        )
        found = _find_library()
    if not found:
        sys.exit("there is no EPANET library in %s" % EPANET_PACKAGE)
    return found


def _find_library():
    packages = os.path.join(VENV, "lib", "python3*", "site-packages")
    for pattern in ("owa_epanet.libs/libepanet2*.so*", "epanet/libepanet2*"):
        for path in sorted(glob.glob(os.path.join(packages, pattern))):
            return path
    return None


def sluice_program():
    """Path of the program. SLUICE names another one."""
    path = os.environ.get("SLUICE", os.path.join(ROOT, "build", "release", "sluice"))
    if not os.access(path, os.X_OK):
        sys.exit("there is no program %s: run `make build` first, or name one with SLUICE=path" % path)
    return path
