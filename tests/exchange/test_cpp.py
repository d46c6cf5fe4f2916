#!/usr/bin/env python3
"""The C++ layer of the CoSim library as other projects use it: sources included into a project that knows C++ only, or
installed and found as a package; with an enum of types or plain numbers; with handlers of their own."""
import os
import re
import shutil
import subprocess
import sys

from cosim_test import ROOT, Folder, Partner

CPP = ROOT / "tests/exchange/cpp"
COSIM = ROOT / "cosim"


def cmake(*words):
    run = subprocess.run(["cmake", *map(str, words)], capture_output=True, text=True)
    assert run.returncode == 0, f"cmake {' '.join(map(str, words))}\n{run.stdout}{run.stderr}"
    return run.stdout


def configure(source, build, *settings):
    compilers = [f"-DCMAKE_CXX_COMPILER={os.environ.get('SLUICE_CXX', 'c++')}",
                 f"-DCMAKE_C_COMPILER={os.environ.get('SLUICE_CC', 'cc')}",
                 "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wshadow -pedantic -Werror"]
    return cmake("-G", "Ninja", "-S", source, "-B", build, *compilers, *settings)


def build_programs(names, build, *settings):
    configure(CPP, build, f"-DPROGRAMS={names}", *settings)
    cmake("--build", build, "-j", "2")
    return [build / name for name in names.split(";")]


def message(time, values, texts):
    return (f"time {time} then 60 inflow {values[0]:g} fixed {values[1]:g} other {values[2]:g} text '{texts}'\n")


def check_snippets(program):
    """Two of them, each way of writing with each: one skips, the other does not."""
    for first, second in (("order", "key"), ("set", "order"), ("key", "set")):
        with Folder() as folder:
            a = folder.start(program, "b.cosim", "a.cosim", 1, 4, first)
            b = folder.start(program, "a.cosim", "b.cosim", 0, 9, second)
            expected = {}
            for way, n in ((first, 4), (second, 3)):  # what the other one sees of `way`
                text = "Outflow boundary condition" if way == "order" else "Description"
                expected[way] = "".join(message(60 * k, (-1000, 60 * k, 12.5), text) for k in range(n))
            (out_a, err_a), (out_b, err_b) = folder.finish(a), folder.finish(b)
            assert out_a == expected[second], (first, second, out_a, expected[second])
            assert out_b == expected[first] + "end\n", (first, second, out_b)
            for err in (err_a, err_b):  # entity numbers differ by design: told once
                assert all("warning" in line and "42" in line for line in err.splitlines()), err
            assert not folder.files(), folder.files()


def test_headers_alone():
    for header in sorted((COSIM / "include").rglob("*.h")):
        name = header.relative_to(COSIM / "include").as_posix()
        for standard in ("c++17", "c++20"):
            run = subprocess.run([os.environ.get("SLUICE_CXX", "c++"), f"-std={standard}", "-Wall", "-Wextra", "-Wshadow", "-pedantic",
                                  "-Werror", "-fsyntax-only", "-x", "c++", f"-I{COSIM / 'include'}", f"-I{ROOT / 'include'}", "-"],
                                 input=f"#include <{name}>\n#include <{name}>\n", capture_output=True, text=True)
            assert run.returncode == 0, f"{name} does not compile alone:\n{run.stderr}"


def test_included_with_types():
    with Folder() as folder:
        [program] = build_programs("snippets", folder.path / "build", f"-DCOSIM={COSIM}", "-DBC_TYPE_CONFIG_HEADER=SPRING")
        assert not (COSIM / "include/cosim/config.h").exists(), "the sources were changed"
        check_snippets(program)


def test_unknown_types():
    with Folder() as folder:
        try:
            configure(CPP, folder.path / "build", f"-DCOSIM={COSIM}", "-DBC_TYPE_CONFIG_HEADER=SPRINGS")
        except AssertionError as error:
            assert "config_SPRING.h" in str(error), error
        else:
            raise AssertionError("an unknown BC_TYPE_CONFIG_HEADER is accepted")


def check_handlers(program):
    with Folder() as place:
        handlers = place.start(program, "theirs.cosim", "ours.cosim")
        other = Partner(place, "ours.cosim", "theirs.cosim")
        header = "entity,value,description\n"
        other.place(f"TIME=0\nNEXT_TIMESTEP=1\n{header}1,NaN,level\n")
        while not other.inward.exists():
            other.wait()
        rows = other.inward.read_text().splitlines()
        assert rows == ["TIME=0", "NEXT_TIMESTEP=1", header.strip(), "2,NaN,speed", "3,1.5,"], rows
        other.read()
        other.place(f"TIME=1\nNEXT_TIMESTEP=1\n{header}1,3,level\n")
        while not other.inward.exists():
            other.wait()
        other.read()
        other.place("never heard of it\nat all\n")
        other.close()
        out, err = place.finish(handlers)
        lines = out.splitlines()
        wanted = [r"same files: .+", r"nowhere: 0011", r"twice: .+", r"(warning: .+ 1\b.*)?", r"missing: 1", r"warning: .*2\b.*",
                  r"late: .+", r"throwing warning: a warning", r"wrong: theirs\.cosim, line 1.*", r"terminated: 0"]
        assert re.fullmatch("\n".join(wanted).replace(")?\n", "\n)?"), "\n".join(lines)), out
        assert not err, err


def test_included_with_numbers():
    with Folder() as folder:
        handlers, carriers = build_programs("handlers;carriers", folder.path / "build", f"-DCOSIM={COSIM}")
        check_handlers(handlers)
        uris = ["mem:count", f"unix:{folder.path / 'socket'}", f"shm:sluice-test-{os.getpid()}"]
        out, err = folder.finish(folder.start(carriers, *uris))
        assert out == "".join(f"{uri} 198 199\n" for uri in uris) and not err, (out, err)


def test_installed():
    with Folder() as folder:
        configure(COSIM, folder.path / "alone", f"-DCMAKE_INSTALL_PREFIX={folder.path / 'prefix'}")
        cmake("--build", folder.path / "alone", "-j", "2", "--target", "install")
        shutil.rmtree(folder.path / "alone")  # the package stands without it
        prefix = f"-DCMAKE_PREFIX_PATH={folder.path / 'prefix'}"
        check_handlers(*build_programs("handlers", folder.path / "numbers", prefix))
        # Their own enum: an enum without class, in their own include folder.
        config = (COSIM / "config/config_SPRING.h").read_text().replace("enum class", "enum")
        own = folder.path / "own/cosim"
        own.mkdir(parents=True)
        (own / "config.h").write_text(config)
        build = folder.path / "types"
        configure(CPP, build, "-DPROGRAMS=snippets", prefix, f"-DCMAKE_CXX_FLAGS=-I{folder.path / 'own'}")
        cmake("--build", build)


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(name[5:].replace("_", " "))
    return 0


if __name__ == "__main__":
    sys.exit(main())
