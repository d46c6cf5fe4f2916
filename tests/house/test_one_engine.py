#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program that calls one builder links one engine: what is linked from the archive holds no symbol of another, and no table of kinds."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT, BUILD = Path(os.environ["SLUICE_SOURCE"]), Path(os.environ["SLUICE_BUILD"])
ENGINES = {"eps": r"sl_eps_ops", "quality": r"sl_transport_ops", "surge": r"sl_surge_ops|sl_study_\w+",
           "hybrid": r"sl_discrete_engine|sl_automaton_\w+", "tunnel": r"sl_tunnel_(?!study_create)\w+",
           "kinds": r"sl_kinds?(_\w+)?|sl_model_load"}
PROGRAMS = {  # the builder's call, and what it may link
    "network": ("sl_model_from_network(ctx, net, NULL, NULL, &model)", {"eps"}),
    "transport": ("sl_model_from_hydraulics(ctx, net, NULL, NULL, NULL, &model)", {"quality"}),
    "surge": ("sl_model_from_surge(ctx, net, NULL, NULL, &model)", {"surge", "eps"}),  # begins from a steady state of eps
    "automaton": ('sl_model_from_automaton(ctx, "", 0, "a", NULL, &model)', {"hybrid"}),
    "tunnel": ('sl_model_from_tunnel(ctx, "", 0, "t", NULL, &model)', {"tunnel"}),
    "any": ("sl_model_load(ctx, NULL, NULL, NULL, &model)", set(ENGINES)),
}
TEXT = """#include <sluice/sluice.h>
int main(void) {
    sl_context *ctx = NULL;
    sl_network *net = NULL;
    sl_model *model = NULL;
    sl_session *s = NULL;
    (void)net;
    return sl_context_create(NULL, &ctx) == SL_OK && %s == SL_OK && sl_session_create(ctx, model, NULL, &s) == SL_OK ? 0 : 1;
}
"""


def linked(folder, name, call):
    source, program = Path(folder) / f"{name}.c", Path(folder) / name
    source.write_text(TEXT % call)
    libraries = re.search(r"^Libs\.private: *(.*)$", (BUILD / "sluice.pc").read_text(), re.M).group(1).split()
    objects = subprocess.run(["nm", str(BUILD / "libsluice.a")], capture_output=True, text=True).stdout
    sanitize = ["-fsanitize=address,undefined"] if "__asan_" in objects else ["-fsanitize=thread"] if "__tsan_" in objects else []
    subprocess.run([os.environ.get("SLUICE_CC", "cc"), *sanitize, str(source), f"-I{ROOT}/include", f"-I{ROOT}/cosim/include", "-o",
                    str(program), str(BUILD / "libsluice.a"), *libraries, "-lpthread"], check=True)
    names = subprocess.run(["nm", "--defined-only", str(program)], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in names.splitlines()}


def main():
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for name, (call, allowed) in PROGRAMS.items():
            symbols = linked(folder, name, call)
            for engine, pattern in ENGINES.items():
                found = sorted(s for s in symbols if re.fullmatch(pattern, s))
                if engine in allowed and not found:
                    wrong.append(f"{name}: no symbol of {engine}: the pattern finds nothing any more")
                elif engine not in allowed and found:
                    wrong.append(f"{name}: links {engine}: {' '.join(found[:4])}")
    print("\n".join(wrong) or f"{len(PROGRAMS)} programs, each with its own engine")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
