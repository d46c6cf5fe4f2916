#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The programs of docs/reference/load.md compile against the public headers, and the first one runs examples of every kind."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT, BUILD = Path(os.environ["SLUICE_SOURCE"]), os.environ["SLUICE_BUILD"]
HEAD = """#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sluice/sluice.h>
int main(int argc, char **argv) {
    (void)argc;
    const char *path = argv[1];
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    if (sl_context_create(NULL, &ctx) != SL_OK || sl_diags_create(ctx, &diags) != SL_OK) return 9;
"""
SECOND = """    sl_status status = SL_OK;
    const char *bytes = "[JUNCTIONS]\\nA 1 1\\n[RESERVOIRS]\\nR 9\\n[PIPES]\\nP R A 9 99 99\\n";
    size_t n = strlen(bytes);
"""
TAIL = """    for (int32_t i = 0; i < sl_diags_size(diags); i++) fprintf(stderr, "%s\\n", sl_diags_at(diags, i)->text);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return status == SL_OK ? 0 : 1;
}
"""


def build(folder, name, text):
    source, program = Path(folder) / f"{name}.c", Path(folder) / name
    source.write_text(text)
    linked = subprocess.run(["ldd", os.environ["SLUICE_LIBRARY"]], capture_output=True, text=True).stdout
    sanitize = ["-fsanitize=address,undefined"] if "libasan" in linked else ["-fsanitize=thread"] if "libtsan" in linked else []
    subprocess.run([os.environ.get("SLUICE_CC", "cc"), *sanitize, "-std=c17", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/include",
                    f"-I{ROOT}/cosim/include", str(source), "-o", str(program), f"-L{BUILD}", f"-Wl,-rpath,{BUILD}", "-lsluice", "-lm"],
                   check=True)
    return str(program)


def main():
    blocks = re.findall(r"```c\n(.*?)```", (ROOT / "docs/reference/load.md").read_text(), re.S)
    assert len(blocks) == 2, f"{len(blocks)} programs in load.md"
    assert blocks[0].count("\n") == 5, "five lines were promised"
    with tempfile.TemporaryDirectory() as folder:
        first = build(folder, "first", HEAD + blocks[0] + TAIL)
        second = build(folder, "second", HEAD + SECOND + blocks[1] + "    (void)path;\n    sl_model_destroy(model);\n" + TAIL)
        for file, end in (("town.inp", "86400 s"), ("surge/closure.yaml", " s"), ("automata/thermostat.yaml", "60 s"),
                          ("automata/counting.yaml", "1 steps")):
            run = subprocess.run([first, str(ROOT / "examples" / file)], capture_output=True, text=True)
            print(run.stdout, run.stderr, end="")
            assert run.returncode == 0 and run.stdout.rstrip().endswith(end), (file, run.returncode, run.stdout, run.stderr)
        run = subprocess.run([first, str(ROOT / "examples/cosim/pump.yaml")], capture_output=True, text=True)
        assert run.returncode == 1 and "run file" in run.stderr, run
        assert subprocess.run([second, "x"]).returncode == 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
