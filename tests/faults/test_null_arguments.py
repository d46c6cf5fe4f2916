#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""NULL for every pointer of every public function, one after the other and all at once, the other arguments valid.

The declarations are read from the public headers, so that a new function is tried without a word here. A status must be that of
wrong use, other functions give NULL, NaN, 0, -1 or false, and nothing crashes, each call in a process of its own. A pointer that
may be NULL is one of which the comment before the function, or at the top of its group, says so: "PARAMETER may be NULL" or
"PARAMETER NULL: ..."; of diagnostics sluice/diag.h says it for all functions.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ.get("SLUICE_SOURCE") or Path(__file__).resolve().parents[2])
FOLDERS = [ROOT / "include/sluice", ROOT / "cosim/include/sluice"]
STATUS = {"sl_status": "SL_ERR_USE", "sl_cosim_code": "SL_COSIM_USE"}
HANDLES = {"sl_context": "ctx", "sl_diags": "diags", "sl_network": "net", "sl_model": "model", "sl_session": "session", "sl_spec": "spec",
           "sl_automaton": "automaton", "sl_tunnels": "tunnels", "sl_execution": "execution", "sl_hydraulics": "hydraulics", "sl_results": "results",
           "sl_recorder": "recorder", "sl_results_writer": "writer", "sl_outfile": "outfile", "sl_comparison": "comparison", "sl_cosim": "cosim"}
OBJECTS = {"sl_sink": "sink", "sl_patch_sink": "patch", "sl_source_bytes": "source", "sl_source": "text", "sl_results_frame": "frame"}
DEFAULT = re.compile(r"SL_DEFAULT\((\w+),\s*(\w+)\)")


def without_blocks(text):
    """Comments become blanks of the same length."""
    return re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group(0)), text, flags=re.S)


def comment_of(text, begin, end):
    """What stands right above a declaration, above those that follow it without a gap, and behind it."""
    above, at = "", begin
    code = without_blocks(text)
    while True:
        head = text[:at].rstrip()
        if head.endswith("*/") and "\n\n" not in text[len(head):at]:
            start = head.rindex("/*")
            above = head[start:] + above
            before = text[:start]
            if "\n" in text[start - 1:start] or before.endswith("\n"):
                at = start
                continue
            at = before.rindex("\n") + 1 if "\n" in before else 0
            continue
        # a declaration right above belongs to the same group
        line = code[:at].rstrip().rfind("SL_API")
        if line >= 0 and "\n\n" not in text[line:at] and code[line:at].count(";") == 1:
            at = line
            continue
        break
    behind = re.match(r"[ \t]*(/\*.*?\*/)", text[end:], re.S)
    return re.sub(r"\s+", " ", re.sub(r"[/*\s]+", " ", above + (behind.group(1) if behind else "")))


def split(parameters):
    """At commas outside of parentheses."""
    parts, depth, part = [], 0, ""
    for c in parameters:
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += c
    return [p.strip() for p in parts + [part] if p.strip() not in ("", "void")]


def declarations():
    """(name, type of the result, [(type, name, is a pointer)], comment) of all functions."""
    for folder in FOLDERS:
        for path in sorted(folder.glob("*.h")):
            text = path.read_text()
            code = without_blocks(text)
            for m in re.finditer(r"^SL_API\s+([\w\s]+?[\s*]+)(sl_\w+)\(([^;]*)\);", code, re.M):
                parameters = []
                for p in split(re.sub(r"\s+", " ", m[3])):
                    call = re.match(r"(.*)\(\*(\w+)\)\((.*)\)$", p)
                    if call:
                        parameters.append((f"{call[1]}(*)({call[3]})", call[2], True))
                        continue
                    array = re.match(r"(.*?)(\w+)\[\w*\]$", p)
                    kind, name = (array[1] + "*", array[2]) if array else re.match(r"(.*?)(\w+)$", p).groups()
                    parameters.append((kind.strip(), name, "*" in kind))
                yield m[2], m[1].strip(), parameters, comment_of(text, m.start(), m.end())
            for m in DEFAULT.finditer(code):
                if m[1] != "type":
                    yield m[2] + "_fill", "void", [(m[1] + " *", "def", True), ("size_t", "size", False)], ""


def may_be_null(comment, kind, name):
    if kind.replace("const ", "").strip() in ("sl_diags *", "sl_diags*"):
        return True
    return re.search(rf"\b{name}\b[^.;:]*\bmay (?:each |all |both )?be NULL|\b{name}(?: is)? NULL\b|\bNULL(?: for)? {name}\b|all may be NULL", comment) is not None


def valid(kind, defaults, i):
    """An expression for a good argument."""
    if kind == "sl_automaton *":
        return "draft"
    bare = kind.replace("const ", "").replace(" const", "").strip()
    if "(*)" in kind:
        return "NULL"
    if bare.count("*") == 2:
        base = bare.replace("*", "").strip()
        return "texts" if base == "char" else "(void *)&made"
    if bare.endswith("*"):
        base = bare[:-1].strip()
        if base in HANDLES:
            return HANDLES[base]
        if base == "char":
            return '"text"' if "const" in kind else f"(char *)room[{i}]"
        if base in defaults:
            return f"({defaults[base]}_fill((void *)room[{i}], sizeof({base})), (void *)room[{i}])"
        if base in OBJECTS:
            return f"&{OBJECTS[base]}"
        if base in ("void", "double", "float", "int32_t", "int64_t", "sl_status", "bool", "size_t", "sl_var", "sl_flow_unit"):
            return f"(void *)room[{i}]"
        return f"(*(size_t *)(void *)room[{i}] = sizeof({base}), (void *)room[{i}])"
    if bare in ("sl_str",):
        return 'sl_str_z("text")'
    return f"({bare})1" if re.fullmatch(r"(u?int\d+_t|size_t|double|float|bool|int|unsigned)", bare) else f"(({bare}){{0}})"


FIXTURE = r"""
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <sluice/sluice.h>
#include <sluice/cosim.h>

static sl_context *ctx;
static sl_diags *diags;
static sl_network *net;
static sl_model *model;
static sl_session *session;
static sl_spec *spec;
static sl_automaton *automaton, *draft; /* finished; in the making */
static sl_tunnels *tunnels;
static sl_execution *execution;
static sl_hydraulics *hydraulics;
static sl_results *results;
static sl_recorder *recorder;
static sl_results_writer *writer;
static sl_outfile *outfile;
static sl_comparison *comparison;
static sl_cosim *cosim;
static double room[16][1024]; /* any structure, for each argument its own */
static void *made;
static const char *texts[] = {"text", "text", NULL};
static char bytes[1 << 20];
static size_t n_byte;

static sl_status put(void *user, const void *from, size_t n) {
    (void)user;
    memcpy(bytes + n_byte, from, n);
    n_byte += n;
    return SL_OK;
}
static sl_status put_at(void *user, uint64_t at, const void *from, size_t n) {
    (void)user;
    memcpy(bytes + at, from, n);
    return SL_OK;
}
static sl_status get(void *user, uint64_t at, void *to, size_t n) {
    memcpy(to, (const char *)user + at, n);
    return SL_OK;
}
static const sl_sink sink = {NULL, put};
static const sl_patch_sink patch = {.write = put, .patch = put_at};
static sl_source_bytes source;
static sl_source text;
static const double *values[64];
static const sl_results_frame frame = {.values = values};

static void want(int fine, const char *what) {
    if (!fine) {
        printf("the test has no %s\n", what);
        exit(1);
    }
}

static char *keep(void) {
    char *copy = malloc(n_byte + 1);
    memcpy(copy, bytes, n_byte);
    return copy;
}

static void begin(const char *folder) {
    static const char inp[] = "[JUNCTIONS]\nJ1 0 1\n[RESERVOIRS]\nR1 50\n[PIPES]\nP1 R1 J1 100 100 100\n[TIMES]\nDuration 2:00\n[END]\n";
    static const char yaml[] = "automaton: a\ncontinuous:\n  x: 1\nactivities:\n  - {name: decay, equation: der(x) = -x}\n";
    (void)folder;
    text = (sl_source){.size = sizeof text, .name = "a.inp", .bytes = inp, .n = sizeof inp - 1};
    for (int i = 0; i < 64; i++) {
        values[i] = room[15];
    }
    want(sl_context_create(NULL, &ctx) == SL_OK, "context");
    want(sl_diags_create(ctx, &diags) == SL_OK, "diagnostics");
    sl_diag d = {.size = sizeof d, .text = "a record"};
    sl_diags_add(diags, &d);
    want(sl_inp_read(ctx, inp, sizeof inp - 1, NULL, diags, &net) == SL_OK, "network");
    want(sl_model_from_network(ctx, net, NULL, diags, &model) == SL_OK, "model");
    want(sl_session_create(ctx, model, diags, &session) == SL_OK, "session");
    want(sl_spec_create(ctx, diags, &spec) == SL_OK, "spec");
    sl_status status = sl_automaton_read(ctx, yaml, sizeof yaml - 1, "a.yaml", diags, &automaton);
    for (int32_t i = 1; status != SL_OK && i < sl_diags_size(diags); i++) {
        puts(sl_diags_at(diags, i)->text);
    }
    want(status == SL_OK, "automaton");
    want(sl_automaton_create(ctx, "b", diags, &draft) == SL_OK, "draft");
    want(sl_tunnels_create(ctx, "t", diags, &tunnels) == SL_OK, "tunnels");
    want(sl_execution_create(automaton, NULL, diags, &execution) == SL_OK, "execution");
    want(sl_hydraulics_create(ctx, net, &hydraulics) == SL_OK, "hydraulics");
    sl_recorder_def rd = sl_recorder_default();
    want(sl_recorder_create(ctx, session, &rd, diags, &recorder) == SL_OK, "recorder");
    sl_results_target target = sl_results_target_default();
    target.format = "json";
    target.sink = &sink;
    want(sl_recorder_add(recorder, &target, diags) == SL_OK, "target");
    want(sl_session_advance(session, INFINITY, 0, NULL) == SL_OK, "run");
    want(sl_recorder_end(recorder, true, diags) == SL_OK, "end");
    source = (sl_source_bytes){keep(), n_byte, get};
    want(sl_results_open(ctx, &source, "a.json", diags, &results) == SL_OK, "results");
    want(sl_results_writer_create(ctx, &target, sl_results_get_layout(results), diags, &writer) == SL_OK, "writer");
    want(sl_compare(ctx, results, results, NULL, diags, &comparison) == SL_OK, "comparison");
    n_byte = 0;
    sl_session *again = NULL;
    want(sl_session_create(ctx, model, diags, &again) == SL_OK, "second session");
    want(sl_write_out(again, &patch, "a.inp", "", SL_LPS) == SL_OK && sl_session_advance(again, INFINITY, 0, NULL) == SL_OK, "out");
    sl_session_destroy(again);
    static sl_source_bytes out;
    out = (sl_source_bytes){keep(), n_byte, get};
    want(sl_outfile_open(ctx, &out, "a.out", diags, &outfile) == SL_OK, "out file");
    n_byte = 0;
}

/* Prints what came of a call: "name:parameter result". */
static void finish(const char *what, pid_t child) {
    int state = 0;
    waitpid(child, &state, 0);
    if (WIFSIGNALED(state)) {
        printf("%s crashes with signal %d\n", what, WTERMSIG(state));
    } else if (WEXITSTATUS(state) != 0) {
        printf("%s gives %s\n", what, WEXITSTATUS(state) == 1 ? "neither wrong use nor is it documented" : "something");
    }
}

static int is_nothing(double x) {
    return isnan(x) || x == 0.0 || x == -1.0;
}

#define TRY(what, call)                  \
    do {                                 \
        fflush(stdout);                  \
        pid_t child = fork();            \
        if (child == 0) {                \
            alarm(10);                   \
            n_tried++;                   \
            call;                        \
        }                                \
        n_tried++;                       \
        finish(what, child);             \
    } while (0)
static int n_tried;
"""


def judged(result, call, optional):
    """The statement that makes the call in the child and ends it."""
    if optional or result == "void":
        return f"({call}); _exit(0)"
    if result in STATUS:
        return f"_exit(({call}) == {STATUS[result]} ? 0 : 1)"
    if "*" in result:
        return f"_exit(({call}) == NULL ? 0 : 1)"
    if result == "sl_str":
        return f"_exit(({call}).len == 0 ? 0 : 1)"
    if result in ("double", "float") or re.fullmatch(r"u?int\d+_t|size_t|bool|sl_\w+_kind|sl_effort", result):
        return f"_exit(is_nothing((double)({call})) ? 0 : 1)"
    return f"({call}); _exit(0)"


def program(functions, defaults):
    lines = [FIXTURE, "int main(int argc, char **argv) {", "    begin(argc > 1 ? argv[1] : \".\");"]
    for name, result, parameters, comment in functions:
        pointers = [i for i, p in enumerate(parameters) if p[2]]
        cases = [[i] for i in pointers] + ([pointers] if len(pointers) > 1 else [])
        for case in cases:
            arguments = ", ".join("NULL" if i in case else valid(p[0], defaults, i) for i, p in enumerate(parameters))
            optional = all(may_be_null(comment, parameters[i][0], parameters[i][1]) for i in case)
            what = f"{name}({', '.join(parameters[i][1] for i in case)} NULL)"
            lines.append(f"    TRY(\"{what}\", {judged(result, f'{name}({arguments})', optional)});")
    lines += ["    printf(\"tried %d\\n\", n_tried);", "    return 0;", "}", ""]
    return "\n".join(lines)


def build_and_run(folder, text):
    path = folder / "null.c"
    path.write_text(text)
    library = Path(os.environ.get("SLUICE_LIBRARY") or ROOT / "build/release/libsluice.so")
    flags = ["-fsanitize=address,undefined"] if "debug" in library.parts else []
    compiler = os.environ.get("SLUICE_CC") or "cc"
    command = [compiler, "-std=gnu17", "-w", *flags, "-I", ROOT / "include", "-I", ROOT / "cosim/include", path, "-o", folder / "null",
               library, "-lm", f"-Wl,-rpath,{library.parent}"]
    subprocess.run([str(c) for c in command], check=True)
    run = subprocess.run([str(folder / "null"), str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=250,
                         env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0:handle_segv=0:handle_abort=0"})
    return run.returncode, run.stdout.decode().splitlines()


def prove_it_can_fail():
    text = "/* Group. */\nSL_API sl_status sl_a(sl_context *ctx, const char *x); /* x may be NULL */\n\n/* y NULL: none. */\nSL_API void sl_b(int *y);\n"
    found = [(m.start(), m.end()) for m in re.finditer(r"^SL_API[^;]*;", text, re.M)]
    a, b = (comment_of(text, *f) for f in found)
    assert may_be_null(a, "const char *", "x") and not may_be_null(a, "sl_context *", "ctx"), "a documented NULL goes unseen"
    assert may_be_null(b, "int *", "y") and not may_be_null(b, "int *", "x"), "a group goes unseen"


def main():
    prove_it_can_fail()
    functions = [f for f in declarations() if any(p[2] for p in f[2])]
    assert len(functions) > 200, f"only {len(functions)} functions are found"
    defaults = {m[1]: m[2] for folder in FOLDERS for path in folder.glob("*.h") for m in DEFAULT.finditer(path.read_text())}
    with tempfile.TemporaryDirectory() as folder:
        code, lines = build_and_run(Path(folder), program(functions, defaults))
    tried = [line for line in lines if line.startswith("tried ")]
    found = [line for line in lines if not line.startswith("tried ")]
    for line in found:
        print(line)
    print(f"{len(functions)} functions, {tried[0] if tried else 'not all were tried'}, {len(found)} findings")
    return 0 if code == 0 and tried and not found else 1


if __name__ == "__main__":
    sys.exit(main())
