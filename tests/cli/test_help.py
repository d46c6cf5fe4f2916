#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Help by kind of model, manual pages and completions of shells: all from the tables of options, so that none lacks one."""
import re
import shutil
import subprocess
import unittest

from cli_test import Case

KINDS = ["network", "surge", "automaton", "tunnel"]


class Help(Case):
    def commands(self):
        return re.findall(r"^  ([a-z]+)  ", self.sluice("help")[0], re.M)

    def options(self, command):
        """Names and letters of every option, as the whole help has them."""
        page = self.sluice("help", command, "all")[0] if self.has_kinds(command) else self.sluice("help", command)[0]
        rows = re.findall(r"^  (?:-(\w), |    )--([\w-]+)", page, re.M)
        self.assertIn(("h", "help"), rows)
        return {name for _, name in rows}, {letter for letter, _ in rows if letter}

    def has_kinds(self, command):
        return "More options, by kind of model:" in self.sluice("help", command)[0]


class Kinds(Help):
    def test_by_kind(self):
        short = self.sluice("help", "run")[0]
        self.assertNotIn("--wave-speed", short)
        self.assertIn("--output", short)
        for kind, option, other in ("surge", "--wave-speed", "--steps"), ("network", "--rule-logic", "--wave-speed"), ("automaton", "--steps", "--tanks"):
            self.assertIn(f"sluice help run {kind} ", short)
            page = self.sluice("help", "run", kind)[0]
            self.assertIn(option, page)
            self.assertNotRegex(page, rf"(?m)^ +{other} ")
            self.assertIn("--output", page)
            self.assertEqual(self.sluice("run", f"--help={kind}")[0], page)
        whole = self.sluice("help", "run", "all")[0]
        for option in "--wave-speed", "--rule-logic", "--steps", "--surge":
            self.assertIn(option, whole)
        self.assertEqual(self.sluice("run", "--help=all")[0], whole)
        self.assertLessEqual(max(map(len, whole.splitlines())), 110)

    def test_wrong(self):
        self.assertIn("there is no kind of model 'tunel'", self.sluice("help", "run", "tunel", code=4)[1])
        self.assertIn("there are no options for a network here", self.sluice("help", "check", "network", code=4)[1])
        self.assertIn("one argument too many", self.sluice("help", "run", "surge", "x", code=4)[1])
        self.assertIn("one argument too many", self.sluice("help", "--man", "run", "surge", code=4)[1])
        self.assertIn("one argument too many", self.sluice("help", "--completion", "bash", "run", code=4)[1])
        self.assertIn("do not go together", self.sluice("help", "--completion", "bash", "--man", code=4)[1])
        self.assertIn("did you mean bash", self.sluice("help", "--completion", "bahs", code=4)[1])


class Man(Help):
    def rendered(self, text):
        run = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-c", "-P-b", "-P-u", "-rLL=200n"], input=text.encode(), capture_output=True)
        self.assertEqual((run.returncode, run.stderr.decode()), (0, ""))
        return run.stdout.decode()

    def test_every_command_has_a_page_with_every_option(self):
        for command in self.commands():
            text = self.sluice("help", "--man", command)[0]
            names, letters = self.options(command)
            for name in names:
                self.assertIn("\\fB\\-\\-" + name.replace("-", "\\-") + "\\fR", text, command)
            for letter in letters:
                self.assertIn(f"\\fB\\-{letter}\\fR", text, command)
            for section in "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "SEE ALSO":
                self.assertIn(f".SH {section}\n", text)
        overview = self.sluice("help", "--man")[0]
        for command in self.commands():
            self.assertIn(f".BR sluice\\-{command} (1)", overview)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_renders_without_warnings(self):
        for command in [None, *self.commands()]:
            page = self.rendered(self.sluice("help", "--man", *([command] if command else []))[0])
            self.assertNotIn("\\", page.replace("\\'", ""))
            if command:
                names, _ = self.options(command)
                for name in names:
                    self.assertRegex(page, rf"--{name}\b")
                # not a line of an example is lost, nor taken for a request
                for line in self.sluice("help", command)[0].split("Examples:\n")[1].split("\n\n")[0].splitlines():
                    self.assertIn(re.sub(r"\s+", " ", line.strip()), re.sub(r"\s+", " ", page))


class Completion(Help):
    def bash(self, *words):
        """What bash offers for the last word."""
        script = self.dir / "sluice.bash"
        if not script.exists():
            script.write_text(self.sluice("help", "--completion", "bash")[0], "utf-8")
        lines = ["source ./sluice.bash", f"COMP_WORDS=({' '.join(repr(w) for w in words)})", f"COMP_CWORD={len(words) - 1}", "_sluice",
                 'printf "%s\\n" "${COMPREPLY[@]}"']
        run = subprocess.run(["bash", "-u", "-c", "\n".join(lines)], cwd=self.dir, capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""), words)
        return [line for line in run.stdout.split("\n") if line]

    @unittest.skipUnless(shutil.which("bash"), "bash is not installed")
    def test_bash_offers_every_option(self):
        self.assertEqual(self.bash("sluice", ""), [*self.commands(), "--help", "--version"])
        self.assertEqual(self.bash("sluice", "exp"), ["explain"])
        for command in self.commands():
            names, letters = self.options(command)
            self.assertEqual(sorted(self.bash("sluice", command, "-")), sorted([f"--{n}" for n in names] + [f"-{x}" for x in letters]))

    @unittest.skipUnless(shutil.which("bash"), "bash is not installed")
    def test_bash_values(self):
        self.file("town.inp", "[END]\n")
        self.assertEqual(self.bash("sluice", "run", "town.inp", "--units", "LP"), ["LPS", "LPM"])
        self.assertEqual(self.bash("sluice", "run", "town.inp", "-u", "GP"), ["GPM"])
        self.assertEqual(self.bash("sluice", "run", "--units", "=", "CM"), ["CMH", "CMD", "CMS"])
        self.assertEqual(len(self.bash("sluice", "run", "--units", "=")), 11)
        self.assertEqual(self.bash("sluice", "run", "--wave-speed", ""), [])
        self.assertEqual(self.bash("sluice", "run", "to"), ["town.inp"])
        self.assertEqual(self.bash("sluice", "run", "-o", "to"), ["town.inp"])
        self.assertEqual(self.bash("sluice", "help", "conv"), ["convert"])
        self.assertEqual(sorted(self.bash("sluice", "help", "run", "")), sorted([*KINDS, "all"]))
        self.assertEqual(self.bash("sluice", "help", "--completion", ""), ["bash", "zsh", "fish"])

    def test_zsh_and_fish_have_every_option(self):
        zsh, fish = (self.sluice("help", "--completion", s)[0] for s in ("zsh", "fish"))
        self.assertTrue(zsh.startswith("#compdef sluice\n"))
        for command in self.commands():
            names, letters = self.options(command)
            part = re.search(rf"\n    {command}\)\n(.*?)\n        ;;\n", zsh, re.S)[1]
            found = set(re.findall(r"--([\w-]+)(?:\[|\}'\[)", part))
            self.assertEqual(found, names, command)
            rows = re.findall(rf"^complete -c sluice -n '__fish_seen_subcommand_from {command}' -l (\S+)(?: -s (\w))?", fish, re.M)
            self.assertEqual({name for name, _ in rows}, names, command)
            self.assertEqual({letter for _, letter in rows if letter}, letters, command)
        self.assertIn("(CFS GPM MGD", zsh)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_syntax(self):
        self.check_syntax("zsh", "-n")

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_syntax(self):
        self.check_syntax("fish", "--no-execute")

    @unittest.skipUnless(shutil.which("bash"), "bash is not installed")
    def test_quotes_balance(self):
        """bash reads the quotes of zsh's and fish's scripts alike: none is left open."""
        for shell in "bash", "zsh":
            self.check_syntax("bash", "-n", of=shell)

    def check_syntax(self, shell, *args, of=None):
        script = self.sluice("help", "--completion", of or shell)[0]
        run = subprocess.run([shell, *args], input=script, capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
