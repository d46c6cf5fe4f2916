#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An installed copy as other projects use it: C17 and C++17 programs outside the tree, by pkg-config and by CMake, with the
shared and the static library. The tree is installed under DESTDIR and then moved: nothing in it may name a prefix."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ["SLUICE_SOURCE"])
BUILD = Path(os.environ["SLUICE_BUILD"])
PROJECT = ROOT / "tests/house/package"
CC, CXX = os.environ.get("SLUICE_CC", "cc"), os.environ.get("SLUICE_CXX", "c++")
WARN = ["-Wall", "-Wextra", "-Wshadow", "-Wpedantic", "-Werror"]


def run(*words, env=None, fails=False):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env={**os.environ, **(env or {})})
    assert (done.returncode != 0) == fails, f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout + (done.stderr if fails else "")


def cached(name):
    match = re.search(rf"^{name}:[^=]*=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.M)
    return match.group(1) if match else ""


def version():
    return re.search(r"project\(sluice VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def soname(library):
    return re.search(r"SONAME\s+(\S+)", run("objdump", "-p", library)).group(1)


def expected_soname(of):
    """The rule of docs/reference/c-library.md."""
    major, minor, _ = of.split(".")
    return f"libsluice.so.0.{minor}" if major == "0" else f"libsluice.so.{major}"


def installed(folder):
    """Installs under DESTDIR, checks that nothing went elsewhere, moves the tree and gives its new prefix."""
    stage = folder / "stage"
    elsewhere = folder / "elsewhere"
    run("cmake", "--install", BUILD, "--prefix", elsewhere, env={"DESTDIR": str(stage)})
    assert not elsewhere.exists(), "the install ignores DESTDIR"
    prefix = folder / "moved"
    (stage / elsewhere.relative_to("/")).rename(prefix)
    for path in prefix.rglob("*"):
        if path.suffix in (".cmake", ".pc", ".h"):
            for name in (elsewhere, BUILD, ROOT):
                assert str(name) not in path.read_text(), f"{path} names {name}"
    return prefix


def check_pages(prefix):
    """A manual page for each command, and completions of shells, as the program writes them."""
    sluice = prefix / "bin/sluice"
    commands = re.findall(r"^  ([a-z]+)  ", run(sluice, "help"), re.M)
    pages = {f"sluice-{c}.1" for c in commands} | {"sluice.1"}
    assert len(commands) > 5 and {p.name for p in (prefix / "share/man/man1").iterdir()} == pages, commands
    assert (prefix / "share/man/man1/sluice-run.1").read_text() == run(sluice, "help", "--man", "run")
    for shell, path in [("bash", "bash-completion/completions/sluice"), ("zsh", "zsh/site-functions/_sluice"),
                        ("fish", "fish/vendor_completions.d/sluice.fish")]:
        assert (prefix / "share" / path).read_text() == run(sluice, "help", "--completion", shell), shell


def check_program(program, prefix, shared):
    out = run(program, env={"LD_LIBRARY_PATH": str(prefix / libdir(prefix))})
    assert re.fullmatch(rf"sluice {re.escape(version())}: 39\.\d+ m, 39\.\d+ m\n", out), out
    needs = re.findall(r"NEEDED\s+(\S+)", run("objdump", "-p", program))
    assert (expected_soname(version()) in needs) == shared, (program, needs)


def libdir(prefix):
    return next(prefix.rglob("sluice.pc")).parent.parent.relative_to(prefix)


def check_pkg_config(folder, prefix, flags):
    env = {"PKG_CONFIG_PATH": str(prefix / libdir(prefix) / "pkgconfig")}

    def lines(*words):
        return run("pkg-config", *words, "sluice", env=env).split()

    assert lines("--modversion") == [version()]
    shared = lines("--cflags", "--libs")
    static = lines("--cflags", "--libs", "--static")
    assert not set(shared) >= {"-lklu"} and set(static) >= {"-lklu", "-lfyaml", "-lsundials_ida", "-lm"}, (shared, static)
    archive = ["-l:libsluice.a" if word == "-lsluice" else word for word in static]
    cases = [("shared", shared + ["-lm"], True), ("archive", archive, False)]
    if "-fsanitize" not in " ".join(flags) and all(Path(cached(f"{x}_LIBRARY")).suffix == ".a" for x in ("KLU", "FYAML")):
        cases.append(("static", ["-static"] + static, False))
    for language in ([CC, "-std=c17"], [CXX, "-std=c++17", "-x", "c++"]):
        for name, words, is_shared in cases:
            program = folder / f"{name}{language[1]}"
            run(*language, *WARN, *flags, PROJECT / "use.c", "-x", "none", *words, "-o", program)
            check_program(program, prefix, is_shared)
    # Without the private libraries the archive cannot link: the test would see a line that lacks them.
    run(CC, "-std=c17", *flags, PROJECT / "use.c", *[w for w in archive if w not in ("-lklu", "-lfyaml")], "-o", folder / "x",
        fails=True)


def check_cmake(folder, prefix, flags):
    def configure(name, *settings, fails=False):
        flag_text = " ".join(WARN + flags)
        return run("cmake", "-G", "Ninja", "-S", PROJECT, "-B", folder / name, f"-DCMAKE_PREFIX_PATH={prefix}",
                   f"-DCMAKE_C_COMPILER={CC}", f"-DCMAKE_CXX_COMPILER={CXX}", f"-DCMAKE_C_FLAGS={flag_text}",
                   f"-DCMAKE_CXX_FLAGS={flag_text}", *settings, fails=fails)

    major, minor, _ = version().split(".")
    for kind in ("shared", "static"):
        configure(kind, f"-DKIND={kind}", f"-DVERSION={major}.{minor}")
        run("cmake", "--build", folder / kind)
        for program in ("use_c", "use_cpp"):
            check_program(folder / kind / program, prefix, kind == "shared")
    out = configure("newer", f"-DVERSION={major}.{int(minor) + 1}", fails=True)
    assert "compatible" in out, out
    # Without the dependencies the shared library is still there, and the static one says what it lacks.
    found = str(Path(cached("KLU_LIBRARY")).parent)
    ignore = f"-DCMAKE_IGNORE_PATH={found};{found.removeprefix('/usr')}"  # /lib may be /usr/lib
    configure("lean", "-DKIND=shared", ignore)
    out = " ".join(configure("lacking", "-DKIND=static", ignore, fails=True).split())
    assert re.search(r"needs these libraries, which were not found: .*\bklu\b", out), out


def main():
    sanitize = cached("SLUICE_SANITIZE")
    flags = [f"-fsanitize={sanitize}"] if sanitize else []
    assert soname(os.environ["SLUICE_LIBRARY"]) == expected_soname(version())
    assert expected_soname("0.7.3") == "libsluice.so.0.7" and expected_soname("2.7.3") == "libsluice.so.2"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prefix = installed(folder)
        run(prefix / "bin/sluice", "--version")
        check_pages(prefix)
        check_pkg_config(folder, prefix, flags)
        check_cmake(folder, prefix, flags)
    return 0


if __name__ == "__main__":
    sys.exit(main())
