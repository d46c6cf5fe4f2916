# SPDX-License-Identifier: MIT
"""peers.py: finds the other programs that Sluice is compared with, public networks, and Sluice itself.

EPANET is taken from the Python package owa-epanet, which carries the C library as released; networks from the packages wntr
and epyt, whose code is not used; rthym-moc is a solver of surges. They are installed by pip into bench/.venv the first time they are needed; nothing else on the
machine is touched.
"""

import glob
import os
import pathlib
import subprocess
import sys
import venv

BENCH = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(BENCH)
VENV = os.path.join(BENCH, ".venv")
PACKAGES = {"owa-epanet": "2.3.5", "wntr": "1.5.0", "epyt": "2.3.5.3", "rthym-moc": "0.4.1", "numpy": "2.2.6"}


def _install(name):
    """One package without those it depends on, which no file here needs."""
    wanted = "%s==%s" % (name, PACKAGES[name])
    print("installing %s into bench/.venv" % wanted, file=sys.stderr)
    python = os.path.join(VENV, "bin", "python")
    if not os.path.exists(python):
        venv.create(VENV, with_pip=True)
    pip = subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", wanted], check=False)
    if pip.returncode:
        sys.exit("pip could not install %s" % wanted)


def _packages():
    return sorted(glob.glob(os.path.join(VENV, "lib", "python3*", "site-packages")))


def epanet_library():
    """Path of EPANET's shared library. SLUICE_EPANET_LIBRARY names another one."""
    given = os.environ.get("SLUICE_EPANET_LIBRARY")
    if given:
        return os.path.abspath(given)
    found = _find_library()
    if not found:
        _install("owa-epanet")
        found = _find_library()
    if not found:
        sys.exit("there is no EPANET library in owa-epanet %s" % PACKAGES["owa-epanet"])
    return found


def _find_library():
    for folder in _packages():
        for pattern in ("owa_epanet.libs/libepanet2*.so*", "epanet/libepanet2*"):
            for path in sorted(glob.glob(os.path.join(folder, pattern))):
                return path
    return None


def package_file(path):
    """A file or folder of a package, by its path there, which begins with the package's name."""
    name = path.split("/")[0]
    for install in (False, True):
        if install:
            _install(name)
        for folder in _packages():
            found = pathlib.Path(folder, path)
            if found.exists():
                return found
    sys.exit("%s %s has no %s" % (name, PACKAGES[name], path))


def python_with(*modules):
    """The Python of bench/.venv, with these packages in it."""
    for name in modules:
        folder = name.replace("-", "_")
        if not any(pathlib.Path(packages, folder).exists() for packages in _packages()):
            _install(name)
    return os.path.join(VENV, "bin", "python")


def sluice_program():
    """Path of the program. SLUICE names another one."""
    path = os.path.abspath(os.environ.get("SLUICE") or os.path.join(ROOT, "build", "release", "sluice"))
    if not os.access(path, os.X_OK):
        sys.exit("there is no program %s: run `make build` first, or name one with SLUICE=path" % path)
    return path
