# SPDX-License-Identifier: MIT
"""scripts/mutate on a project of one function, and whether the faults of tests/mutations.txt still fit the sources."""
import os
import subprocess
import sys
import tempfile

SOURCE = os.environ["SLUICE_SOURCE"]
MUTATE = os.path.join(SOURCE, "scripts", "mutate")

CMAKE = """cmake_minimum_required(VERSION 3.18)
project(toy C)
enable_testing()
add_executable(test_toy_most tests/toy/test_most.c src/most.c)
add_test(NAME toy.most COMMAND test_toy_most)
add_executable(test_toy_none tests/toy/test_none.c)
add_test(NAME toy.none COMMAND test_toy_none)
set_tests_properties(toy.none PROPERTIES SKIP_RETURN_CODE 77)
"""
MOST = "int most(int a, int b);\nint most(int a, int b) {\n    return a > b ? a : b;\n}\n"
TEST = "int most(int a, int b);\nint main(void) {\n    return most(1, 2) != 2 || most(2, 1) != 2;\n}\n"
NONE = "int main(void) {\n    return 77;\n}\n"

FAULT = "id {id}\nfile src/most.c\nfind {find}\nreplace {replace}\ntests {tests}\nwhy it is one\n"


def fault(name, find, replace, tests="toy.most"):
    return FAULT.format(id=name, find=find, replace=replace, tests=tests)


def write(root, name, text):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def mutate(*args):
    done = subprocess.run([sys.executable, MUTATE, *args], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def expect(root, faults, code, *texts, args=()):
    write(root, "tests/mutations.txt", "# a comment\n" + "\n".join(faults))
    got, said = mutate("--source", root, *args)
    assert got == code, (got, said)
    for text in texts:
        assert text in said, (text, said)


def check_toy(root):
    for name, text in (("CMakeLists.txt", CMAKE), ("src/most.c", MOST), ("tests/toy/test_most.c", TEST),
                       ("tests/toy/test_none.c", NONE)):
        write(root, name, text)
    caught, survives = fault("turned", "a > b", "a < b"), fault("equal", "a > b", "a >= b")
    expect(root, [caught], 0, "caught    turned", "1 passed, 0 failed")
    expect(root, [caught, survives], 1, "SURVIVED  equal", "1 passed, 1 failed")
    expect(root, [caught, survives], 0, "1 passed, 0 failed", args=["turned"])
    expect(root, [caught], 1, "no fault other", args=["other"])
    expect(root, [fault("gone", "a >> b", "")], 1, "STALE     gone", "0 times", "0 passed, 1 failed")
    expect(root, [fault("twice", "int most", "long most")], 1, "STALE     twice", "2 times")
    expect(root, [fault("untested", "a > b", "a < b", "toy.least")], 1, "there is no test toy.least")
    expect(root, [fault("wrong", "a > b", "a >")], 1, "DOES NOT COMPILE wrong")
    expect(root, [fault("skipped", "a > b", "a < b", "toy.none")], 1, "did not run: toy.none")
    expect(root, [caught, caught], 1, "two faults 'turned'")
    expect(root, ["id short\nfile src/most.c\n"], 1, "without find, replace, tests, why")
    expect(root, ["id odd\nseek a\n"], 1, "'seek' is not expected here")
    write(root, "tests/toy/test_most.c", TEST.replace("!= 2 ||", "!= 3 ||"))
    expect(root, [caught], 1, "does not pass without a fault")
    with open(os.path.join(root, "src/most.c"), encoding="utf-8") as f:
        assert f.read() == MOST


def main():
    with tempfile.TemporaryDirectory() as root:
        check_toy(os.path.join(root, "toy"))
    code, said = mutate("--check")
    print(said)
    return code


if __name__ == "__main__":
    sys.exit(main())
