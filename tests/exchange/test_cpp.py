#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The CoSim library as other projects use it: its folder copied alone, with a C++ compiler and CMake; included into a
project that knows C++ only, added as a folder of it, installed and found as a package, or linked by a Makefile; with an enum
of types or plain numbers; with handlers of their own."""
import os
import re
import shutil
import sys

from cosim_test import COSIM, CPP, CXX, Folder, Partner, build_programs, configure, copy_of_cosim, run


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
    """One path is enough."""
    for header in sorted((COSIM / "include").rglob("*.h")):
        name = header.relative_to(COSIM / "include").as_posix()
        for standard in ("c++17", "c++20"):
            run(CXX, f"-std={standard}", "-Wall", "-Wextra", "-Wshadow", "-pedantic", "-Werror", "-fsyntax-only", "-x", "c++",
                f"-I{COSIM / 'include'}", "-", input=f"#include <{name}>\n#include <{name}>\n")


def test_included_with_types():
    with Folder() as folder:
        cosim = copy_of_cosim(folder)
        [program] = build_programs("snippets", folder.path / "build", f"-DCOSIM={cosim}", "-DBC_TYPE_CONFIG_HEADER=SPRING")
        config = cosim / "include/cosim/config.h"
        assert config.read_text() == (cosim / "config/config_SPRING.h").read_text()
        ignored = (COSIM.parent / ".gitignore").read_text().splitlines()
        assert "/cosim/include/cosim/config.h" in ignored, "git would see the copied types"
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


def test_added_with_numbers():
    with Folder() as folder:
        cosim = copy_of_cosim(folder)
        handlers, carriers = build_programs("handlers;carriers", folder.path / "build", f"-DCOSIM={cosim}", "-DAS_FOLDER=ON")
        check_handlers(handlers)
        uris = ["mem:count", f"unix:{folder.path / 'socket'}", f"shm:sluice-test-{os.getpid()}"]
        out, err = folder.finish(folder.start(carriers, *uris))
        assert out == "".join(f"{uri} 198 199\n" for uri in uris) and not err, (out, err)


def only_cxx(folder):
    """A PATH on which there is a C++ compiler, what it is made of, CMake and make: no cc, no gcc."""
    tools = folder.path / "tools"
    tools.mkdir()
    for name in ("as", "ld", "ar", "nm", "ranlib", "strip", "objdump", "objcopy", "readelf", "make", "sh", "uname"):
        (tools / name).symlink_to(shutil.which(name))
    (tools / "c++").symlink_to(shutil.which(CXX))
    environment = {name: value for name, value in os.environ.items() if name not in ("CC", "CXX", "CFLAGS", "CXXFLAGS")}
    return {**environment, "PATH": str(tools)}


MAKEFILE = """\
CXXFLAGS = -std=c++17 -I copy/cosim/include
handlers: handlers.cpp
\tc++ $(CXXFLAGS) -o $@ $< alone/libcosim.a -lpthread -lm
snippets: CXXFLAGS += -I copy/cosim/include/cosim/alias -I own
snippets: snippets.cpp
\tc++ $(CXXFLAGS) -o $@ $< alone/libcosim.a -lpthread -lm
"""


def test_copied_alone():
    """A C++ compiler and CMake; then a Makefile, and a package."""
    with Folder() as folder:
        cosim, alone = copy_of_cosim(folder), folder.path / "alone"
        environment = only_cxx(folder)
        cmake = shutil.which("cmake")
        run(cmake, "-G", "Unix Makefiles", "-S", cosim, "-B", alone, f"-DCMAKE_INSTALL_PREFIX={folder.path / 'prefix'}",
            env=environment)
        assert "CMAKE_C_COMPILER" not in (alone / "CMakeCache.txt").read_text(), "CMake searched for a C compiler"
        run(cmake, "--build", alone, "-j", "2", "--target", "install", env=environment)

        own = folder.path / "own/cosim"  # their own enum: one without class, in their own include folder
        own.mkdir(parents=True)
        (own / "config.h").write_text((COSIM / "config/config_SPRING.h").read_text().replace("enum class", "enum"))
        for name in ("handlers.cpp", "snippets.cpp"):
            shutil.copy(CPP / name, folder.path)
        (folder.path / "Makefile").write_text(MAKEFILE)
        run("make", "handlers", "snippets", cwd=folder.path, env=environment)
        check_handlers(folder.path / "handlers")
        check_snippets(folder.path / "snippets")

        shutil.rmtree(alone)  # the package stands without them
        shutil.rmtree(cosim)
        prefix = f"-DCMAKE_PREFIX_PATH={folder.path / 'prefix'}"
        check_handlers(*build_programs("handlers", folder.path / "numbers", prefix))
        build_programs("snippets", folder.path / "types", prefix, f"-DCMAKE_CXX_FLAGS=-I{folder.path / 'own'}")


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(name[5:].replace("_", " "))
    return 0


if __name__ == "__main__":
    sys.exit(main())
