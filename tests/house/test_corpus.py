# SPDX-License-Identifier: MIT
"""The kept inputs of fuzz targets: replayed in every preset and by every clone, so few of them (scripts/fuzz --minimise)."""
import os
import re
import sys
import tempfile

MOST = 200  # inputs per target
LARGEST = 32768  # bytes of one input: libFuzzer makes 4096 at most, an example of ours has 27 kB


def problems(fuzz):
    found = []
    corpus = os.path.join(fuzz, "corpus")
    for name in sorted(os.listdir(corpus)):
        folder = os.path.join(corpus, name)
        if not os.path.isfile(os.path.join(fuzz, f"fuzz_{name}.c")):
            found.append(f"fuzz/corpus/{name}: there is no target fuzz/fuzz_{name}.c")
            continue
        inputs = os.listdir(folder)
        if len(inputs) > MOST:
            found.append(f"fuzz/corpus/{name}: {len(inputs)} inputs, more than {MOST}: scripts/fuzz {name} --minimise")
        for n in sorted(inputs):
            size = os.path.getsize(os.path.join(folder, n))
            if size > LARGEST:
                found.append(f"fuzz/corpus/{name}/{n}: {size} bytes, more than {LARGEST}: cut it to what it is kept for")
    return found


# What a kind of model is fuzzed by: a row of src/kinds/table.c that is missing here needs a target.
TARGETS = {"network": ["inp", "run", "state"], "quality": ["state"], "surge": ["study"], "automaton": ["automaton"], "tunnel": ["tunnel"]}


def kinds_without_target(root, targets):
    with open(os.path.join(root, "src/kinds/table.c"), encoding="utf-8") as table:
        kinds = re.findall(r"&sl_kind_(\w+)", table.read())
    assert kinds
    return [kind for kind in kinds if not any(os.path.isfile(os.path.join(root, f"fuzz/fuzz_{name}.c"))
                                              for name in targets.get(kind, []))]


def plant(inputs, size, target="fuzz_toy.c"):
    """Problems of a corpus with so many inputs, the last of so many bytes."""
    with tempfile.TemporaryDirectory() as fuzz:
        os.makedirs(os.path.join(fuzz, "corpus", "toy"))
        with open(os.path.join(fuzz, target), "w", encoding="utf-8"):
            pass
        for i in range(inputs):
            with open(os.path.join(fuzz, "corpus", "toy", f"{i:040x}"), "wb") as f:
                f.write(b"x" * (size if i == inputs - 1 else 1))
        return problems(fuzz)


def main():
    assert not plant(MOST, LARGEST)
    assert "201 inputs" in plant(MOST + 1, 1)[0]
    assert "32769 bytes" in plant(3, LARGEST + 1)[0]
    assert "no target" in plant(3, 1, "fuzz_other.c")[0]
    root = os.environ["SLUICE_SOURCE"]
    assert kinds_without_target(root, {"network": ["inp"]}) == ["surge", "automaton", "tunnel", "quality"]
    found = problems(os.path.join(root, "fuzz"))
    found += ["a kind of model without a fuzz target: " + kind for kind in kinds_without_target(root, TARGETS)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
