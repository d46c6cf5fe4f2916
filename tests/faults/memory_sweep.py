# SPDX-License-Identifier: MIT
"""Every n-th allocation of the C library fails, once or from there on, in every run of faults.RUNS: each ends as if nothing had been,
or with 5 and a message of memory; nothing crashes but in the calls of libraries that docs/reference/memory.md lists, nothing hangs,
no file under its final name is partial and no temporary stays."""
import re
import sys

from faults import ROOT, RUNS, Bench, partial, same, sample

# What fontconfig leaves out when it finds no memory changes how letters look, and it says so on standard error.
MAY_LOOK_DIFFERENT = ("png", "pdf")


def listed():
    """The calls that the page lists."""
    page = (ROOT / "docs/reference/memory.md").read_text()
    rows = re.findall(r"^\| [^|]+ \| [\d.]+ \| ([^|]+) \|", page, re.M)
    assert 0 < len(rows) <= 10, "the page lists at most ten places"
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def of_library(name, library):
    return name != "?" and (library != "sluice" or re.match(r"(SUN|IDA|N_V|fy_|klu_|amd_|btf_|colamd)", name) is not None)


def crash_call(bench, result):
    """The call of a library in which it crashed: the outermost that is not ours."""
    names = [bench.function_of(frame) for frame in result.stack if "shim.so" not in frame[0]]
    found = None
    for name, library in names:
        if library.startswith("libc.so") or name == "?":
            continue
        if of_library(name, library):
            found = name
        else:
            break
    return found or "its own " + next((n for n, library in names if library == "sluice"), "?")


def judge(bench, name, command, fault, clean, result, calls):
    """A sentence about what is wrong, or None."""
    if result.code is None:
        return "hangs"
    if result.temporaries():
        return f"leaves {result.temporaries()}"
    if same(result, clean):
        return None
    said = result.err + result.out
    if result.code < 0 or b"a library" in said:
        again = bench.run(command, fault, FAULT_STACK="1")
        call = crash_call(bench, again) if again.stack else "?"
        calls[call] = calls.get(call, 0) + 1
        if call not in listed():
            return f"crashes in {call}, which the page does not list"
        if result.code < 0 and call not in ("cairo_scaled_font_create", "cairo_show_text", "cairo_text_extents", "cairo_text_path",
                                            "cairo_stroke", "cairo_fill_preserve"):
            return f"dies with signal {-result.code} in {call}"
        return None
    broken = partial(result, clean, {})
    if broken and not (name in MAY_LOOK_DIFFERENT and result.code == 0):
        return f"leaves {broken} partial, with code {result.code}"
    if name in MAY_LOOK_DIFFERENT and result.code == 0:
        return None
    if result.code != 5 or b"memory" not in said:
        return f"ends with {result.code} and says {said[:200]!r}"
    return None


def main(most, all_of_them=False, only=()):
    bench = Bench()
    found, n_run, calls = [], 0, {}
    try:
        for name, command in RUNS.items():
            if only and name not in only:
                continue
            clean = bench.run(command)
            before = n_run, len(found)
            assert clean.code in (0, 1, 2) and clean.counts, (name, clean.code, clean.err)
            # without any memory fontconfig tries to begin for ever, as the page says
            for many in (1,) if name in MAY_LOOK_DIFFERENT else (1, -1):
                for n in sample(clean.counts["memory"], most, all_of_them):
                    fault = f"memory {n} {many} 12"
                    result = bench.run(command, fault)
                    n_run += 1
                    wrong = judge(bench, name, command, fault, clean, result, calls)
                    if wrong:
                        found.append(f"{name}, FAULT=\"{fault}\": {wrong}")
            for n in range(1, clean.counts["map"] + 1):
                wrong = judge(bench, name, command, f"map {n} 1 12", clean, bench.run(command, f"map {n} 1 12"), calls)
                n_run += 1
                if wrong:
                    found.append(f"{name}, FAULT=\"map {n} 1 12\": {wrong}")
            print(f"{name}: {clean.counts['memory']} allocations, {clean.counts['map']} mappings, {n_run - before[0]} runs, "
                  f"{len(found) - before[1]} findings", flush=True)
    finally:
        bench.close()
    for line in found[:60]:
        print(line)
    print(f"{n_run} runs, {len(found)} findings; libraries crashed in {dict(sorted(calls.items()))}")
    return 1 if found else 0


if __name__ == "__main__":
    count = sys.argv[1] if len(sys.argv) > 1 else "10"  # or all
    sys.exit(main(0 if count == "all" else int(count), all_of_them=count == "all", only=sys.argv[2:]))
