#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rules of the house, as far as text can show them.

- Layers: a file includes only its own folder and folders that stand earlier in LAYERS.
- Doors: libfyaml, SUNDIALS, KLU, AMD, cairo and the loading of libraries each have one place that may include them.
- The library does not print, exit, open files, read the environment or bypass the context's allocator.
- No mutable state at file scope or in function statics.
- A source file begins with a comment and stays within MAX_LINES.
- The part of the sources that the folder cosim holds includes nothing from outside that folder.

The checker first runs on small bad samples, so that it cannot pass by seeing nothing.
"""
import os
import re
import sys
from pathlib import Path

# Lowest first. The order is the rule; docs/architecture.md explains it.
LAYERS = ("base numeric text expr dae engine network gen laws quality eps surge hybrid automata tunnel circuit "
          "session results plot kinds exchange cli").split()
RANK = {name: i for i, name in enumerate(LAYERS)}

# Engines are known only by the session, through their ops tables; networks and hybrid models do not know each other.
ENGINES = {"eps", "quality", "surge", "hybrid", "automata", "tunnel", "circuit"}
NETWORK_SIDE = {"network", "laws", "eps", "quality", "surge"}
FORBIDDEN = {name: ENGINES for name in ("results", "plot", "exchange", "cli")}
FORBIDDEN.update({name: NETWORK_SIDE for name in ("hybrid", "automata", "tunnel", "circuit")})
# Headers of engines that are definitions, which anybody above may read.
DEFINITIONS = {"surge/study.h"}

# Of the session only builders name engines, each one: a program that calls one builder links one engine.
BUILDER = re.compile(r"src/session/build_\w+\.c$")

# Public headers belong to the layer they are named for (network.h, network_io.h: network); these carry other names.
PUBLIC_LAYER = {"diag": "base", "diag_codes": "base", "units": "base", "spec": "network", "estimate": "network", "cosim": "exchange", "automaton": "automata", "load": "kinds",
                "sluice": "cli"}

# What may be included where: pattern, folder, at most one file; or the name of files that may.
DOORS = [
    (re.compile(r"libfyaml"), "text", False),
    (re.compile(r"^(sundials|ida|idas|cvode|kinsol|nvector|sunmatrix|sunlinsol|sunnonlinsol)/"), "dae", re.compile(r"/ida(_\w+)?\.[ch]$")),
    (re.compile(r"(^|/)klu\.h$"), "dae", True),
    (re.compile(r"(^|/)amd\.h$"), "numeric", True),
    (re.compile(r"(^|/)cairo[\w-]*\.h$"), "plot", True),
    (re.compile(r"(^|/)dlfcn\.h$"), "base", True),
]

BANNED = ("printf vprintf fprintf vfprintf puts fputs putchar putc fputc fwrite perror exit _exit _Exit quick_exit abort "
          "system fopen freopen open getenv setenv setlocale strtok rand srand localtime gmtime").split()
ALLOCATION = "malloc calloc realloc aligned_alloc posix_memalign free strdup strndup asprintf vasprintf".split()

# Who may open files nevertheless: the outside world is what they are for.
MAY_OPEN = re.compile(r"src/(exchange/(carrier_\w+|system_posix)|kinds/open)\.c$")
# Who may set the locale: on Windows that of a thread is all there is, and it is put back.
MAY_SET_LOCALE = re.compile(r"src/base/out\.c$")

# The folder cosim is copied alone. What it holds of src and include counts as if it stood there.
ALONE = "cosim/"

# Mutable state that is there for a reason: "src/folder/file.c:variable": "the reason".
ALLOWED_STATE = {
    "src/base/out.c:c_locale": "the C locale: made once under the guard below, never changed, never freed",
    "src/base/out.c:c_locale_once": "the guard of c_locale",
    "src/exchange/carrier_mem.c:lock": "two exchanges of one process find each other by name, and under this lock",
    "src/exchange/carrier_mem.c:waiting": "those that wait for their partner",
    "src/cli/interrupt.c:interrupt_state": "a signal handler has no argument",
    "src/cli/crash.c:crash_state": "nor has what is called at the exit",
}

GOOD_LINES, MAX_LINES = 600, 800
LICENCE = "/* SPDX-License-Identifier: MIT */\n"  # test_spdx.py; the comment that says what a file is comes after it

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
TOKEN = re.compile(r'//(?:\\\n|[^\n])*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def blank(match):
    """Comments become space, texts become empty texts; line numbers stay."""
    text = match.group(0)
    lines = "\n" * text.count("\n")
    if text[0] == "/":
        return " " + lines
    return text[0] * 2 + lines


def code_of(text):
    return TOKEN.sub(blank, text)


def without_preprocessor(code):
    def hide(match):
        return "\n" * match.group(0).count("\n")
    code = re.sub(r"^[ \t]*#[ \t]*ifdef[ \t]+__cplusplus\b.*?^[ \t]*#[ \t]*endif[^\n]*", hide, code, flags=re.M | re.S)
    return re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", hide, code, flags=re.M)


def line_at(text, offset):
    return text.count("\n", 0, offset) + 1


def public_layer(name):
    stem = name[len("sluice/"):].rsplit(".", 1)[0]
    return PUBLIC_LAYER.get(stem) or next((n for n in (stem, stem.split("_")[0]) if n in RANK), None)


def check_includes(path, text, files, doors_used):
    """Yields (line, message). path is like src/base/pool.c or include/sluice/base.h."""
    parts = path.split("/")
    public = parts[0] == "include"
    own = public_layer("sluice/" + parts[-1]) if public else parts[1]
    if own not in RANK:
        yield 1, (f"no layer is known for this header: name it after its folder or add it to PUBLIC_LAYER" if public
                  else f"src/{own} is not one of the layers")
        return
    known = {}
    for match in INCLUDE.finditer(text):
        style, name = match.groups()
        line = line_at(text, match.start(2))
        if "../" in name:
            yield line, f"'{name}': include from src, not by relative steps"
            continue
        if name.startswith("sluice/"):
            other = public_layer(name)
            if other is None:
                yield line, f"'{name}': no layer is known for it (PUBLIC_LAYER)"
            elif RANK[other] > RANK[own]:
                yield line, f"{own} includes <{name}>, which belongs to {other}, a later layer"
            continue
        if style == '"':
            if public:
                yield line, f"a public header includes '{name}': only <sluice/...> and the standard library"
                continue
            other = name.split("/")[0] if "/" in name else own
            if other not in RANK:
                yield line, f"'{name}': '{other}' is not one of the layers"
            elif f"src/{name}" not in files and f"src/{own}/{name}" not in files:
                yield line, f"'{name}' does not exist"
            elif RANK[other] > RANK[own]:
                yield line, f"{own} includes '{name}': {other} is a later layer"
            elif other in FORBIDDEN.get(own, ()) and name not in DEFINITIONS:
                yield line, f"{own} includes '{name}': {own} must not know {other}"
            elif own == "session" and other in ENGINES:
                if not BUILDER.match(path):
                    yield line, f"'{name}': of the session only builders (build_*.c) name engines"
                elif known.setdefault(path, other) != other:
                    yield line, f"'{name}': a builder names one engine, this one {known[path]} already"
            continue
        for pattern, folder, single in DOORS:
            if not pattern.search(name):
                continue
            if public or own != folder:
                yield line, f"<{name}> may be included in src/{folder} only"
            elif isinstance(single, re.Pattern):
                if not single.search(path):
                    yield line, f"<{name}> may be included by files named {single.pattern} only"
            elif single and doors_used.setdefault(pattern.pattern, path) != path:
                yield line, f"<{name}> is already included by {doors_used[pattern.pattern]}: one file only"


def check_calls(path, code):
    folder = path.split("/")[1]
    if not path.startswith("src/") or folder == "cli":
        return
    names = BANNED + ([] if folder == "base" else ALLOCATION)
    if MAY_OPEN.match(path):
        names = [name for name in names if name != "open"]
    if MAY_SET_LOCALE.match(path):
        names = [name for name in names if name != "setlocale"]
    for match in re.finditer(r"(?<![\w.>])(" + "|".join(names) + r")\s*\(", code):
        yield line_at(code, match.start(1)), f"the library must not call {match.group(1)}"


def statements(code):
    """Yields (offset, text) of the statements at file scope; bodies are reduced to {}."""
    depth, start, text, function = 0, None, [], False
    for i, c in enumerate(code):
        if depth == 0 and start is None and not c.isspace() and c not in ";}":
            start = i
        if c == "{":
            if depth == 0:
                head = "".join(text).strip()
                function = head.endswith(")") and "=" not in head
                text.append("{}")
            depth += 1
        elif c == "}":
            depth = max(0, depth - 1)
            if depth == 0 and function:
                start, text, function = None, [], False
        elif depth == 0:
            if c == ";":
                if start is not None:
                    yield start, " ".join("".join(text).split())
                start, text = None, []
            elif start is not None:
                text.append(c)


def is_const_object(declaration):
    head = re.split(r"[=\[]", declaration)[0]
    tail = head.rsplit("*", 1)[1] if "*" in head else head
    return re.search(r"\bconst\b|\bconstexpr\b", tail) is not None


def variable_name(declaration):
    head = re.split(r"[=\[]", declaration)[0]
    pointer = re.search(r"\(\s*\*\s*(?:const\s+)?(\w+)", head)
    names = re.findall(r"\w+", head)
    return pointer.group(1) if pointer else names[-1] if names else "?"


def check_state(path, code):
    code = without_preprocessor(code)
    found = []
    for offset, text in statements(code):
        text = re.sub(r"\b__extension__\b\s*", "", text)
        text = re.sub(r"__attribute__\s*\(\(.*?\)\)", "", text)
        text = re.sub(r"^(?:[A-Z][A-Z0-9_]*\s*\([^()]*\)\s*)+", "", text)
        if re.match(r"(typedef|extern|_Static_assert|static_assert)\b", text):
            continue
        rest = re.sub(r"\b(struct|union|enum)\b\s*\w*\s*\{\}", "int", text) if "{}" in text.split("=")[0] else text
        if rest.strip() == "int" or re.fullmatch(r"(struct|union|enum)\s+\w+", rest.strip()) or not rest.strip():
            continue
        head = rest.split("=")[0]
        if "(" in head and not re.search(r"\(\s*\*", head):
            continue  # a function's declaration
        if "(" in head and "=" not in rest and not head.startswith("static"):
            continue  # a function that returns a pointer to a function, declared
        if not is_const_object(rest):
            found.append((offset, variable_name(rest)))
    # Statics inside functions: everything after `static` up to its initialiser.
    depth = 0
    for match in re.finditer(r"[{}]|\bstatic\b[^;{}]*", code):
        token = match.group(0)
        if token in "{}":
            depth += 1 if token == "{" else -1
        elif depth > 0 and not is_const_object(token) and "static_assert" not in token:
            found.append((match.start(), variable_name(token)))
    for match in re.finditer(r"\b(_Thread_local|__thread|thread_local)\b", code):
        found.append((match.start(), "thread-local"))
    for offset, name in found:
        if f"{path}:{name}" not in ALLOWED_STATE:
            yield line_at(code, offset), f"'{name}' is mutable state outside any object: make it const or move it into one"


def check_shape(path, text):
    n = text.count("\n")
    if n > MAX_LINES:
        yield n, f"{n} lines: split it (aim at {GOOD_LINES}, never above {MAX_LINES})"
    if path.startswith("src/") and not re.match(r"/\*|//", text.removeprefix(LICENCE)):
        yield 1, "begin with a comment: what is here, in which units, why so, from which source"


def check_alone(files):
    """Yields (path, line, message): what files of ALONE include from outside. Paths are those of the disk."""
    for path, text in files.items():
        if not path.startswith(ALONE):
            continue
        for match in INCLUDE.finditer(text):
            name = match.group(2)
            inside = any(ALONE + folder + name in files for folder in ("src/", "include/"))
            outside = any(folder + name in files for folder in ("src/", "include/"))
            if outside or (match.group(1) == '"' and not inside):
                yield path[len(ALONE):], line_at(text, match.start(2)), f"'{name}' is not in {ALONE}, which is copied alone"


def check(files):
    """files: {path: text}. Returns a sorted list of 'path:line: message'."""
    findings, doors = list(check_alone(files)), {}
    files = {path.removeprefix(ALONE): text for path, text in files.items()}
    for path in sorted(files):
        text = files[path]
        code = code_of(text)
        # Includes keep their quoted names, so only comments are removed for them.
        bare = TOKEN.sub(lambda m: blank(m) if m.group(0)[0] == "/" else m.group(0), text)
        for part in (check_includes(path, bare, files, doors), check_calls(path, code), check_state(path, code),
                     check_shape(path, text)):
            findings += [(path, line, message) for line, message in part]
    return [f"{path}:{line}: {message}" for path, line, message in sorted(findings)]


def prove_it_can_fail():
    head = "/* sample */\n"
    lower = {"src/base/a.h": head, "src/eps/e.h": head, "src/network/n.h": head, "src/cli/c.h": head, "src/laws/l.h": head,
             "src/surge/s.h": head, "src/surge/study.h": head, "src/surge/impl.h": head}
    bad = {
        "a later layer": ("src/base/x.c", '#include "network/n.h"\n', "later layer"),
        "the cli": ("src/exchange/x.c", '#include "cli/c.h"\n', "later layer"),
        "a public header of a later layer": ("src/base/x.c", "#include <sluice/network.h>\n", "later layer"),
        "an unknown layer": ("src/eps/x.c", '#include "misc/a.h"\n', "not one of the layers"),
        "an unknown folder": ("src/misc/x.c", "\n", "not one of the layers"),
        "a missing file": ("src/eps/x.c", '#include "base/zzz.h"\n', "does not exist"),
        "relative steps": ("src/eps/x.c", '#include "../base/a.h"\n', "relative"),
        "another header of an engine than its definition": ("src/results/x.c", '#include "surge/impl.h"\n', "must not know"),
        "an engine seen from outside": ("src/results/x.c", '#include "eps/e.h"\n', "must not know"),
        "an engine named in the session": ("src/session/x.c", '#include "eps/e.h"\n', "only builders"),
        "a builder of two engines": ("src/session/build_x.c", '#include "eps/e.h"\n#include "surge/s.h"\n', "names one engine"),
        "networks in the hybrid side": ("src/tunnel/x.c", '#include "laws/l.h"\n', "must not know"),
        "a private name in a public header": ("include/sluice/eps.h", '#include "base/a.h"\n', "public header"),
        "an unknown public header": ("include/sluice/zzz.h", "\n", "PUBLIC_LAYER"),
        "libfyaml outside text": ("src/eps/x.c", "#include <libfyaml.h>\n", "src/text only"),
        "klu outside dae": ("src/numeric/x.c", "#include <suitesparse/klu.h>\n", "src/dae only"),
        "cairo outside plot": ("src/results/x.c", "#include <cairo-pdf.h>\n", "src/plot only"),
        "loading outside base": ("src/plot/x.c", "#include <dlfcn.h>\n", "src/base only"),
        "printing": ("src/base/x.c", 'void f(void);\nvoid f(void) { printf ("x"); }\n', "call printf"),
        "opening outside carriers": ("src/exchange/x.c", "static int f(void) { return open(0, 0); }\n", "call open"),
        "a kind that opens files": ("src/kinds/surge.c", "static int f(void) { return open(0, 0); }\n", "call open"),
        "a carrier's stream": ("src/exchange/carrier_x.c", "static void f(void) { fopen(0, 0); }\n", "call fopen"),
        "exit": ("src/eps/x.c", "static void f(void) { exit(1); }\n", "call exit"),
        "allocating past the context": ("src/eps/x.c", "static void *f(void) { return malloc(1); }\n", "call malloc"),
        "a static": ("src/eps/x.c", "static int count;\n", "'count' is mutable"),
        "an initialised static": ("src/eps/x.c", "int f(int a) { return a; }\nstatic double t[3] = {1, 2, 3};\n", "'t' is mutable"),
        "a mutable pointer to const": ("src/eps/x.c", 'static const char *names[] = {"a"};\n', "'names' is mutable"),
        "a static in a function": ("src/eps/x.c", "int f(void) { static int n = 0; return n++; }\n", "'n' is mutable"),
        "a global struct": ("src/eps/x.c", "static struct { int a; } g = {0};\n", "'g' is mutable"),
        "a global": ("src/eps/x.c", "int level = 3;\n", "'level' is mutable"),
        "a function pointer": ("src/eps/x.c", "static void (*hook)(int);\n", "'hook' is mutable"),
        "thread-local state": ("src/eps/x.c", "void f(void) { g(_Thread_local); }\n", "mutable"),
    }
    for what, (path, body, message) in bad.items():
        found = check({**lower, path: head + body})
        assert any(message in line for line in found), f"the checker does not see {what}: {found}"
    folder = {**lower, "cosim/src/base/b.h": head, "cosim/include/sluice/base.h": head}
    for body, message in (('#include "base/a.h"\n', "copied alone"), ('#include "base/zzz.h"\n', "copied alone"),
                          ("#include <sluice/network.h>\n", "copied alone"), ('#include "cli/c.h"\n', "later layer")):
        found = check({**folder, "include/sluice/network.h": head, "cosim/src/base/x.c": head + body})
        assert any(message in line for line in found), f"the checker does not see {body} in the folder cosim: {found}"
    found = check({**folder, "cosim/src/exchange/x.c": head + '#include <sluice/base.h>\n#include <math.h>\n#include "base/b.h"\n',
                   "src/eps/x.c": head + '#include "base/b.h"\n#include <sluice/base.h>\n'})
    assert not found, "the checker complains about the folder cosim: " + "; ".join(found)
    long_file = check({"src/eps/x.c": head + "\n" * MAX_LINES})
    assert any("split it" in line for line in long_file), "the checker does not see long files"
    for top in ("", LICENCE):
        assert any("begin with" in line for line in check({"src/eps/x.c": top + "int f(void);\n"})), "no comment at the top goes unseen"
    two = check({"src/dae/a.c": head + "#include <klu.h>\n", "src/dae/b.c": head + "#include <klu.h>\n"})
    assert len(two) == 1 and "one file only" in two[0], "two users of KLU go unseen"
    other = check({"src/dae/ida.c": head + "#include <ida/ida.h>\n", "src/dae/b.c": head + "#include <ida/ida.h>\n"})
    assert len(other) == 1 and "src/dae/b.c" in other[0], "a user of SUNDIALS under another name goes unseen"

    good = head + """
#include <math.h>
#include <sluice/network.h>
#include "base/a.h"
#include "e.h" /* "cli/c.h" */
// printf("no"); exit(1)
#define LOOP(x) \\
    static int hidden_##x
typedef struct point { double x, y; } point;
enum { N = 3 };
__extension__ typedef unsigned __int128 wide;
struct later;
struct other { int (*call)(void *user); };
extern const int sl_limit;
_Static_assert(N == 3, "n");
static const char *const names[] = {"printf(", "exit("};
static const struct { int a; } table[] = {{1}, {2}};
static int (*const calls[])(int) = {0};
static int twice(int a) { static const int two = 2; return two * a; }
static const point *first(const point *p) { return p; }
int sl_eps_run(void (*done)(int), int n);
int sl_eps_run(void (*done)(int), int n)
{
    for (int i = 0; i < n; i++) { done(twice(i)); }
    ctx->free(first(0)); ctx.printf("x"); snprintf(0, 0, "exit(1)");
    return 0;
}
"""
    found = check({**lower, "src/exchange/carrier_x.c": head + "static int f(void) { return open(0, 0); }\n"})
    assert not found, "the checker complains about a carrier: " + "; ".join(found)
    found = check({**lower, "src/session/build_x.c": head + '#include "eps/e.h"\n#include "base/a.h"\n'})
    assert not found, "the checker complains about a builder: " + "; ".join(found)
    found = check({**lower, "src/results/x.c": head + '#include "surge/study.h"\n'})
    assert not found, "the checker complains about a definition: " + "; ".join(found)
    found = check({**lower, "src/eps/good.c": good})
    assert not found, "the checker complains about good code: " + "; ".join(found)


def main():
    prove_it_can_fail()
    root = Path(os.environ.get("SLUICE_SOURCE") or Path(__file__).resolve().parents[2])
    files = {}
    for folder in ("src", "include", "cosim/src", "cosim/include/sluice"):
        for path in (root / folder).rglob("*"):
            if path.suffix in (".c", ".h", ".inc") and path.is_file():
                files[path.relative_to(root).as_posix()] = path.read_text(encoding="utf-8")
    if not files:
        print("no sources found")
        return 1
    for path in sorted(files):
        n = files[path].count("\n")
        if GOOD_LINES < n <= MAX_LINES:
            print(f"note: {path} has {n} lines, more than {GOOD_LINES}")
    findings = check(files)
    findings += [f"{name}: allowed in ALLOWED_STATE, but the file is gone" for name in ALLOWED_STATE
                 if not {name.split(":")[0], ALONE + name.split(":")[0]} & set(files)]
    print("\n".join(findings))
    print(f"{len(files)} files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
