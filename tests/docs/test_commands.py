#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The manual must be true: its commands run, its outputs are what the program prints, its links lead somewhere.

The convention (CONTRIBUTING.md, "Commands in the documentation"):
- ```console blocks: every `$ command` is run. Output lines below a command are compared with what it prints
  (standard output and error together). A line `...` matches any lines, `[...]` inside a line any text. No output
  lines: not compared. A trailing `# exit 2` on the command declares its exit code.
- ```sh blocks after a line `<!-- run -->`: every line is run and must succeed (or declare its exit code).
- `<!-- no run: reason -->` before a console block turns it off.
- A file's commands run one after the other in one fresh copy of examples/, with `sluice` on the PATH.
- `make X` is not run, but X must be a target; `git`, `cd`, `sudo`, `apt-get`, `cmake` and `ctest` are not run; of `scripts/X`
  only the existence is checked.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ.get("SLUICE_SOURCE") or Path(__file__).resolve().parents[2])
NOT_RUN = {"git", "cd", "sudo", "apt", "apt-get", "cmake", "ctest"}
EXIT = re.compile(r"\s+# exit (\d+)\s*$")
TIMEOUT = 120


class Command:
    def __init__(self, line, text, expected):
        match = EXIT.search(text)
        self.line, self.expected = line, expected
        self.code = int(match.group(1)) if match else 0
        self.text = EXIT.sub("", text)


def fenced_blocks(text):
    """Yields (line of the fence, language, mark, lines); mark is the HTML comment just above."""
    mark, language, start, fence, lines = "", None, 0, "", []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if language is None:
            match = re.match(r"(`{3,}|~{3,})\s*(\w*)", bare)
            if match:
                fence, language, start, lines = match.group(1), match.group(2), number, []
                indent = len(line) - len(line.lstrip())
            elif bare.startswith("<!--"):
                mark = bare
            elif bare:
                mark = ""
        elif bare == fence:
            yield start, language, mark, lines
            mark, language = "", None
        else:
            lines.append(line[indent:] if not line[:indent].strip() else line)


def commands_of(text):
    for start, language, mark, lines in fenced_blocks(text):
        if language == "console" and not re.match(r"<!--\s*no run:\s*\S", mark):
            current = None
            joined = None
            for number, line in enumerate(lines, start + 1):
                if joined is not None:
                    joined = (joined[0], joined[1] + " " + line.strip())
                elif line.startswith("$ "):
                    if current:
                        yield current
                    current, joined = None, (number, line[2:])
                elif current:
                    current.expected.append(line)
                if joined is not None:
                    if joined[1].endswith("\\"):
                        joined = (joined[0], joined[1][:-1].rstrip())
                    else:
                        current, joined = Command(joined[0], joined[1], []), None
            if current:
                yield current
        elif language == "sh" and re.match(r"<!--\s*run\s*-->", mark):
            for number, line in enumerate(lines, start + 1):
                if line.strip() and not line.lstrip().startswith("#"):
                    yield Command(number, line.strip(), [])


def line_matches(expected, actual):
    pattern = ".*".join(re.escape(part) for part in expected.rstrip().split("[...]"))
    return re.fullmatch(pattern, actual.rstrip()) is not None


def output_matches(expected, actual):
    """Lists of lines; a line `...` in expected stands for any number of lines."""
    if not expected:
        return not actual
    if expected[0].strip() == "...":
        return any(output_matches(expected[1:], actual[i:]) for i in range(len(actual) + 1))
    return bool(actual) and line_matches(expected[0], actual[0]) and output_matches(expected[1:], actual[1:])


def trim(lines):
    lines = [line.rstrip() for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def make_targets(root):
    makefile = root / "Makefile"
    return set(re.findall(r"^([a-z][\w-]*):", makefile.read_text(), re.M)) if makefile.exists() else set()


def words_after(command, first):
    return [w for w in command.split()[1:] if not w.startswith("-") and "=" not in w] if command.split()[0] == first else []


class Runner:
    def __init__(self, root, sluice):
        self.root, self.targets = root, make_targets(root)
        self.home = tempfile.TemporaryDirectory()
        top = Path(self.home.name)
        self.place = top / "examples"
        if (root / "examples").is_dir():
            shutil.copytree(root / "examples", self.place)
        else:
            self.place.mkdir()
        # Commands may be written as from the root of the sources or from inside examples/.
        (self.place / "examples").symlink_to(".")
        (self.place / "build").mkdir()
        (self.place / "build" / "release").symlink_to(top / "bin")
        (top / "bin").mkdir()
        (top / "bin" / "sluice").symlink_to(sluice)
        self.env = {**os.environ, "PATH": f"{top / 'bin'}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}

    def check(self, command):
        """Returns (message or None, was it run)."""
        first = command.text.split()[0]
        if first == "make":
            wrong = [w for w in words_after(command.text, "make") if re.fullmatch(r"[a-z][\w-]*", w) and w not in self.targets]
            return (f"the Makefile has no target {wrong[0]}" if wrong else None), False
        if first in NOT_RUN:
            return None, False
        if first.startswith(("scripts/", "./scripts/")):
            return (None if (self.root / first).is_file() else f"{first} does not exist"), False
        try:
            run = subprocess.run(["bash", "-c", command.text], cwd=self.place, env=self.env, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return f"took more than {TIMEOUT} s", True
        actual = trim(run.stdout.decode("utf-8", "replace").splitlines())
        shown = "\n".join("    | " + line for line in actual[:40])
        if run.returncode != command.code:
            return f"exit code {run.returncode}, the text says {command.code}; it printed\n{shown}", True
        expected = trim(command.expected)
        if expected and not output_matches(expected, actual):
            wanted = "\n".join("    | " + line for line in expected)
            return f"the text shows\n{wanted}\n  but it printed\n{shown}", True
        return None, True

    def close(self):
        self.home.cleanup()


def anchors_of(text):
    seen = set()
    for heading in re.findall(r"^#+\s+(.*?)\s*#*$", text, re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        seen.add(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"))
    return seen | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def check_links(path, text):
    """Yields (line, message) for links in Markdown text that lead nowhere."""
    def blank(match):
        return "\n" * match.group(0).count("\n")
    prose = re.sub(r"^[ \t]*(`{3,}|~{3,}).*?^[ \t]*\1[ \t]*$", blank, text, flags=re.M | re.S)
    prose = re.sub(r"`[^`\n]*`", "``", prose)
    links = [(m.start(), m.group(1)) for m in re.finditer(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)", prose)]
    links += [(m.start(), m.group(1)) for m in re.finditer(r"^\[[^\]]+\]:\s*(\S+)", prose, re.M)]
    links += [(m.start(), m.group(1)) for m in re.finditer(r"<(?:img|a)\s[^>]*(?:src|href)=\"([^\"]+)\"", prose)]
    for offset, link in links:
        if re.match(r"[a-z][a-z0-9+.-]*:", link):
            continue
        target, _, anchor = link.partition("#")
        file = (path.parent / target).resolve() if target else path
        line = prose.count("\n", 0, offset) + 1
        if not file.exists():
            yield line, f"the link '{link}' leads to nothing"
        elif anchor and file.suffix == ".md" and anchor not in anchors_of(text if file == path else file.read_text()):
            yield line, f"the link '{link}': no such heading"


def prove_it_can_fail(sluice):
    assert output_matches(["a", "...", "d"], ["a", "b", "c", "d"]) and output_matches(["a", "..."], ["a"])
    assert not output_matches(["a", "...", "e"], ["a", "b", "d"]) and not output_matches(["a"], ["a", "b"])
    assert line_matches("took [...] s", "took 0.1 s") and not line_matches("took", "took 1")
    sample = ("```console\n$ echo one \\\n   two\none two\n$ echo x\ny\n$ false # exit 1\n$ false\n$ make nothing-like-it\n```\n"
              "```sh\nfalse\n```\n<!-- run -->\n```sh\nfalse\ntrue\n```\n<!-- no run: slow -->\n```console\n$ false\n```\n")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "Makefile").write_text("build:\n")
        runner = Runner(Path(folder), sluice)
        failed = [c.line for c in commands_of(sample) if runner.check(c)[0]]
        runner.close()
        assert failed == [5, 8, 9, 16], f"the checker fails the wrong lines: {failed}"
        note = Path(folder) / "note.md"
        note.touch()
        text = "# A b\n[x](Makefile) [y](gone.md) [z](#a-b) [w](#c) `[n](no)`\n```\n[n](no)\n```\n<https://example.org>\n"
        wrong = [message for _, message in check_links(note, text)]
        assert len(wrong) == 2 and "gone.md" in wrong[0] and "#c" in wrong[1], f"the link checker is wrong: {wrong}"


def main():
    sluice = Path(os.environ.get("SLUICE") or ROOT / "build/release/sluice")
    if not sluice.exists():
        print(f"the program is not built: {sluice}")
        return 1
    prove_it_can_fail(sluice)
    manual = [p for p in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))] if p.exists()]
    everything = sorted({*manual, *ROOT.glob("*.md"), *(p for d in ("examples", "cosim", "tests", "bench", "fuzz", "python", "viewer")
                                                         for p in (ROOT / d).rglob("*.md") if "node_modules" not in p.parts)})
    targets, bad, run, seen = make_targets(ROOT), 0, 0, 0
    for path in everything:
        text, name = path.read_text(encoding="utf-8"), path.relative_to(ROOT)
        problems = list(check_links(path, text))
        for match in re.finditer(r"`make ([a-z][\w-]*)", text):
            if match.group(1) not in targets:
                problems.append((text.count("\n", 0, match.start()) + 1, f"the Makefile has no target {match.group(1)}"))
        if path in manual:
            runner = Runner(ROOT, sluice)
            for command in commands_of(text):
                message, ran = runner.check(command)
                seen, run = seen + 1, run + ran
                if message:
                    problems.append((command.line, f"$ {command.text}\n  {message}"))
            runner.close()
        for line, message in sorted(problems):
            bad += 1
            print(f"{name}:{line}: {message}")
    print(f"{len(everything)} files, {seen} commands, {run} of them run, {bad} problems")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
