#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Handles of another kind, and handles after their end, for every handle of every public function: wrong use is returned as for NULL
(test_null_arguments.py, whose declarations and fixture these are), and nothing crashes, each call in a process of its own. The
library is that of SLUICE_LIBRARY.

The context never gives memory back, so that what is left of a destroyed object stays as it was: what a debug build watches, and
what other builds can see as long as nobody else has the memory.
"""
import re
import sys
import tempfile
from pathlib import Path

import test_null_arguments as null

# How one is made again, to be destroyed: statements on &gone_<name>.
MADE = {
    "net": "sl_inp_read(ctx, text.bytes, text.n, NULL, diags, &gone_net)",
    "model": "sl_inp_read(ctx, text.bytes, text.n, NULL, diags, &spare) == SL_OK ? sl_model_from_network(ctx, spare, NULL, diags, &gone_model) : SL_ERR_USE",
    "session": "sl_session_create(ctx, model, diags, &gone_session)",
    "spec": "sl_spec_create(ctx, diags, &gone_spec)",
    "automaton": "sl_automaton_create(ctx, \"c\", diags, &gone_automaton)",
    "tunnels": "sl_tunnels_create(ctx, \"d\", diags, &gone_tunnels)",
    "execution": "sl_execution_create(automaton, NULL, diags, &gone_execution)",
    "hydraulics": "sl_hydraulics_create(ctx, net, &gone_hydraulics)",
    "results": "sl_results_open(ctx, &source, \"a.json\", diags, &gone_results)",
    "recorder": "sl_recorder_create(ctx, fresh, &recorder_def, diags, &gone_recorder)",
    "writer": "sl_results_writer_create(ctx, &target_def, sl_results_get_layout(results), diags, &gone_writer)",
    "outfile": "sl_outfile_open(ctx, &out_source, \"a.out\", diags, &gone_outfile)",
    "comparison": "sl_compare(ctx, results, results, NULL, diags, &gone_comparison)",
}
ENDS = {"results": "sl_results_close", "outfile": "sl_outfile_close", "writer": "sl_results_writer_destroy", "net": "sl_network_destroy"}


def kind_of(name):
    return next(kind for kind, handle in null.HANDLES.items() if handle == name)


def fixture():
    """The fixture of NULL, with a context that never frees and with objects that are gone."""
    text = null.FIXTURE.replace("static void begin(", """
static void *resize(void *user, void *old, size_t old_size, size_t size) {
    (void)user;
    void *at = size > 0 ? aligned_alloc(64, (size + 63) / 64 * 64) : NULL;
    if (at && old) {
        memcpy(at, old, old_size < size ? old_size : size);
    }
    return at;
}
static const sl_allocator never_freed = {.size = sizeof never_freed, .resize = resize};

static void begin(""", 1)
    assert "sl_context_create(NULL, &ctx)" in text and "static sl_source_bytes out;" in text
    text = text.replace("want(sl_context_create(NULL, &ctx) == SL_OK", "sl_context_def def = sl_context_default();\n    def.allocator = &never_freed;\n"
                        "    want(sl_context_create(&def, &ctx) == SL_OK")
    text = text.replace("static sl_source_bytes out;", "", 1).replace("out = (sl_source_bytes)", "out_source = (sl_source_bytes)").replace("&out, \"a.out\"", "&out_source, \"a.out\"")
    text = text.replace("static sl_source_bytes source;", "static sl_source_bytes source, out_source;")
    objects = "".join(f"static {kind_of(n)} *gone_{n};\n" for n in MADE)
    make = "".join(f"    want(({call}) == SL_OK, \"{n} to destroy\");\n" for n, call in MADE.items())
    end = "".join(f"    {ENDS.get(n, 'sl_' + n + '_destroy')}(gone_{n});\n" for n in reversed(MADE))
    return text + objects + """
static sl_network *spare;
static sl_session *fresh;

static void end_some(void) {
    sl_recorder_def recorder_def = sl_recorder_default();
    sl_results_target target_def = sl_results_target_default();
    target_def.format = "json";
    target_def.sink = &sink;
    want(sl_session_create(ctx, model, diags, &fresh) == SL_OK, "fresh session");
""" + make + end + "}\n"


def program(functions, defaults):
    lines = [fixture(), "int main(int argc, char **argv) {", "    begin(argc > 1 ? argv[1] : \".\");", "    end_some();"]
    for name, result, parameters, _ in functions:
        for i, (kind, parameter, pointer) in enumerate(parameters):
            bare = kind.replace("const ", "").strip()
            own = null.HANDLES.get(bare[:-1].strip()) if pointer and bare.endswith("*") and bare.count("*") == 1 else None
            if own not in MADE or own == "net":  # a network is a structure in the open
                continue
            others = [n for n in MADE if n != own] + [f"gone_{own}"]
            for other in others:
                arguments = ", ".join(f"(void *){other}" if k == i else null.valid(p[0], defaults, k) for k, p in enumerate(parameters))
                lines.append(f"    TRY(\"{name}({parameter} {other})\", {null.judged(result, f'{name}({arguments})', False)});")
    lines += ["    printf(\"tried %d\\n\", n_tried);", "    return 0;", "}", ""]
    return "\n".join(lines)


def main():
    functions = [f for f in null.declarations() if any(p[2] for p in f[2])]
    defaults = {m[1]: m[2] for folder in null.FOLDERS for path in folder.glob("*.h") for m in null.DEFAULT.finditer(path.read_text())}
    with tempfile.TemporaryDirectory() as folder:
        code, lines = null.build_and_run(Path(folder), program(functions, defaults))
    tried = [line for line in lines if line.startswith("tried ")]
    found = [line for line in lines if not line.startswith("tried ")]
    for line in found:
        print(line)
    print(f"{len(functions)} functions, {tried[0] if tried else 'not all were tried'}, {len(found)} findings")
    return 0 if code == 0 and tried and not found else 1


if __name__ == "__main__":
    sys.exit(main())
