#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Small inputs that ask for much: every command ends within 5 s of processor time and 500 MB of addresses, with an answer or a
diagnostic (exit code 0 to 5, not for want of memory), without a crash, and without a file that was begun. Inputs are made here; each is below 1 MB.

The tests hostile_*.py try them by the beginnings of their names; `python3 tests/cli/hostile.py WORDS --show` tries those whose names
hold a word, and shows what was said."""
import os
import resource
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SLUICE = os.path.abspath(os.environ.get("SLUICE", "build/release/sluice"))
SECONDS, BYTES = 5, 500 << 20
WATCHED = "asan" in os.environ.get("SLUICE_BUILD", "") or "debug" in os.environ.get("SLUICE_BUILD", "") \
    or "tsan" in os.environ.get("SLUICE_BUILD", "")  # sanitizers take addresses and time of their own
CASES = []


def case(name, files, *commands):
    """files: name -> text or bytes; commands: arguments as one text each, {f}: the first file."""
    CASES.append((name, files, commands))


# ---- Networks ---------------------------------------------------------------------------------------------------------------
NETWORK = """[JUNCTIONS]
A 10 1
B 10 1
[RESERVOIRS]
R 50
[TANKS]
T 20 5 0 10 10 0
[PIPES]
P1 R A 100 200 100
P2 A B 100 200 100
P3 B T 100 200 100
[OPTIONS]
Units LPS
Headloss H-W
%s
[TIMES]
%s
[END]
"""
ALL = ("check {f}", "info {f}", "vars {f}", "run {f}", "run {f} -o x.out -o x.csv -o x.json", "explain {f}", "convert {f} y.inp")


def network(name, times="Duration 24:00", options="", extra="", commands=ALL):
    case("inp-" + name, {"a.inp": NETWORK.replace("[END]", extra + "\n[END]") % (options, times)}, *commands)


network("duration", "Duration 1e15 SEC\nHydraulic Timestep 1 SEC")
network("duration-hours", "Duration 876000:00\nHydraulic Timestep 0:00:01\nReport Timestep 0:00:01")
network("pattern-step", "Duration 876000:00\nPattern Timestep 0:00:01", extra="[PATTERNS]\n1 1 2 3")
network("report-step", "Duration 876000:00\nReport Timestep 0:00:01")
network("rule-step", "Duration 876000:00\nRule Timestep 0:00:01",
        extra="[RULES]\nRULE 1\nIF TANK T LEVEL > 3\nTHEN PIPE P1 STATUS IS CLOSED")
network("quality-step", "Duration 24:00\nQuality Timestep 1e-9 SEC", "Quality Age")
network("quality-step-long", "Duration 876000:00\nQuality Timestep 0:00:01", "Quality Age")
network("quality-tolerance", "Duration 24:00", "Quality Chlorine mg/L\nTolerance 1e-300")
network("times-huge", "Duration 1e308\nHydraulic Timestep 1e308\nReport Timestep 1e-308\nStart ClockTime 1e300")
network("report-start", "Duration 24:00\nReport Start 1e15 SEC")
network("trials", "Duration 24:00", "Trials 2000000000\nAccuracy 1e-300")
network("extra-trials", "Duration 24:00", "Trials 2000000000\nAccuracy 1e-300\nUnbalanced Continue 2000000000")
# It has no solution: a demand that hardly depends on its head, of a junction that has no source.
case("inp-without-solution", {"a.inp": """[JUNCTIONS]
A 3 5
B 30 4 P
C 50 2
[RESERVOIRS]
R 50 H
[PIPES]
1 R A 800 150 100
3 B C 400 80 90
[EMITTERS]
A 0.4
C 1e-15
[LEAKAGE]
3 5 0
[PATTERNS]
P -1e+12 1 2 -0.2
H 1 0.9 1e-12
[OPTIONS]
Units LPS
Demand Model PDA
Minimum Pressure 24
Required Pressure 1e6
Pressure Exponent 1e-15
Emitter Backflow No
Unbalanced Continue 10
[TIMES]
Duration 3600
Hydraulic Timestep 0:06
"""}, "run {f} -q", "run {f} -q -o x.csv")
network("tiny-tank", "Duration 24:00", extra="[TANKS]\nU 20 5 0 10 1e-150 0\n[PIPES]\nP9 B U 100 200 100")
network("tank-level", "Duration 24:00", extra="[TANKS]\nU 1e300 5 0 1e300 1e300 0\n[PIPES]\nP9 B U 100 200 100")
network("pipe-huge", "Duration 24:00", extra="[JUNCTIONS]\nC 1e300 1e300\n[PIPES]\nP9 B C 1e300 1e-300 1e-300")
network("pipe-quality", "Duration 240:00\nQuality Timestep 1 SEC", "Quality Age\nTolerance 1e-30",
        extra="[JUNCTIONS]\nC 1 1\n[PIPES]\nP9 B C 1e9 5000 100")
network("pattern-long", extra="[PATTERNS]\n" + "".join("1 " + "1 " * 400 + "\n" for _ in range(1000)))
network("curve-long", extra="[CURVES]\n" + "".join("c %d %d\n" % (i, i) for i in range(40000)))
network("duplicates", extra="[JUNCTIONS]\n" + "A 1 1\n" * 60000)
network("ids-long", extra="[JUNCTIONS]\n" + "x" * 500000 + " 1 1\n")
network("ids-alike", extra="[JUNCTIONS]\n" + "".join("J%05d 1 1\n" % i for i in range(20000)) + "[PIPES]\n"
        + "".join("Q%05d X%05d Y%05d 1 1 1\n" % (i, i, i) for i in range(20000)))
network("line-long", extra="[TITLE]\n" + "a " * 400000)
network("lines-empty", extra="\n" * 900000)
network("sections", extra="[JUNCTIONS]\n" * 60000)
network("unknown", extra="[NOSUCH]\n" * 60000)
network("controls", extra="[CONTROLS]\n" + "LINK P1 OPEN AT TIME 1\n" * 20000)
network("rules", extra="[RULES]\n" + "".join("RULE %d\nIF TANK T LEVEL > 3\nAND TANK T LEVEL < 4\nTHEN PIPE P1 STATUS IS OPEN\n"
                                             % i for i in range(8000)))
network("rule-long", extra="[RULES]\nRULE 1\nIF TANK T LEVEL > 3\n" + "AND TANK T LEVEL < 4\n" * 30000
        + "THEN PIPE P1 STATUS IS OPEN\n")
network("parallel", extra="[PIPES]\n" + "".join("Q%05d A B 100 200 100\n" % i for i in range(20000)), times="Duration 0")
network("star", extra="[JUNCTIONS]\n" + "".join("J%05d 1 1\n" % i for i in range(12000)) + "[PIPES]\n"
        + "".join("Q%05d A J%05d 100 200 100\n" % (i, i) for i in range(12000)), times="Duration 0")
network("demands", extra="[DEMANDS]\n" + "A 1\n" * 60000)
network("vertices", extra="[VERTICES]\n" + "P1 1 1\n" * 60000, commands=ALL + ("plot x.out -m {f} --map -o p.svg",))
network("coordinates", extra="[COORDINATES]\nA 1e308 1e308\nB -1e308 -1e308\nR 0 1e-300\nT 0 0",
        commands=("run {f} -o x.out -o x.geojson", "plot {f} --map -o p.svg"))
case("inp-zeros", {"a.inp": b"\0" * 900000}, *ALL)
case("inp-open", {"a.inp": "[" * 900000}, *ALL)
case("inp-quotes", {"a.inp": '[TITLE]\n' + '"' * 900000}, *ALL)

# ---- Options ----------------------------------------------------------------------------------------------------------------
TOWN = NETWORK % ("", "Duration 24:00")
case("options", {"a.inp": TOWN}, "run {f} --every 1e-300s -o x.csv", "run {f} --every 1e-9s -o x.csv", "run {f} --duration 1e300s",
     "run {f} --threads 1000000000", "run {f} --threads 1024 -q", "run {f} --memory 1e99",
     "run {f} --memory 1kB", "run {f} --time-limit 1e-300s", "run {f} --time-limit 1e300s", "run {f} --duration 1e-300s",
     "run {f} --every 1e300s -o x.csv", "run {f} -o x.csv --select node." + "*" * 60 + "x", "run {f} -o x.csv --time 1e300s",
     "run {f} -o x.csv --select " + "*a" * 2000, "vars {f} " + "*?" * 3000, "explain {f} --node " + "A" * 100000,
     "gen city -n 1e18 -o g.inp", "gen city -n 99999999999999999999 -o g.inp", "gen city -n 1e300 -o g.inp",
     "gen city -n 1000 -d 1e300s -o g.inp", "gen city -n -5 -o g.inp")
case("plot-size", {"a.inp": TOWN}, "run {f} -o x.out -o x.json", "plot x.out --node A -o p.svg --size 1e9x1e9", "plot x.out --node A -o p.png --size 100000x100000",
     "plot x.out --node A -o p.png --size 1e300x1", "plot x.out --node A -o p.svg --from 1e300s", "plot x.out --node A -o p.svg --until 1e-300s",
     "plot x.out --node A -o p.svg --range 0:1e-300", "plot x.out --node A -o p.svg --range -1e308:1e308", "plot x.json --node A -o p.svg",
     "plot x.out --map -o p.svg --time 1e300s", "plot x.out --profile R,T -o p.svg --size 100000x3")

# ---- Automata ---------------------------------------------------------------------------------------------------------------
DO = ("check {f}", "info {f}", "vars {f}", "run {f}", "run {f} -o x.csv", "explain {f}", "plot {f} -o p.svg", "convert {f} y.yaml",
      "run {f} --branches --quiet")


def hybrid(name, equation, run="end: 1, report: 0.1", more="", commands=DO):
    case("automaton-" + name, {"a.yaml": "automaton: a\ncontinuous: {x: 1, y: 1}\n%sactivities:\n  - {equation: 'der(x) = %s'}\n"
                               "  - {equation: 'der(y) = -y'}\nrun: {%s}\n" % (more, equation, run)}, *commands)


def discrete(name, n, equation, states=2, when="", run="", commands=DO):
    q = ", ".join("q%d: %d" % (i, states) for i in range(n))
    case("automaton-" + name, {"a.yaml": "automaton: a\ndiscrete: {%s}\ntransitions:\n  - {equation: '%s'%s}\n%s"
                               % (q, equation, ", when: '%s'" % when if when else "", run)}, *commands)


hybrid("product", "-" + "*".join(["x"] * 10000))
hybrid("product-other", "-" + "*".join("(x+1e-6*%d)" % i for i in range(10000)))
hybrid("sum", "-" + "-".join("sin(x+%d)" % i for i in range(10000)))
hybrid("quotient", "-x/" + "/".join("(x+%d)" % i for i in range(1, 10000)))
hybrid("greatest", "-max(" + ",".join("x+%d" % i for i in range(10000)) + ")")
hybrid("powers", "-" + "^".join(["x"] * 150))
hybrid("power-whole", "-x^2000000000")
hybrid("powers-of-powers", "-" + "(" * 150 + "x" + "^9)" * 150)
hybrid("nested", "-" + "sin(" * 10000 + "x" + ")" * 10000)
hybrid("nested-most", "-" + "sin(" * 195 + "x" + ")" * 195)
hybrid("signs", "-" * 10000 + "x")
hybrid("parentheses", "(" * 300000)
hybrid("names", "a" * 200000)
hybrid("doubling", "x", more="tables: {%s}\n" % ", ".join("t%d: [[0, 0], [1, 1]]" % i for i in range(5000)))
hybrid("report", "-x", "end: 1, report: 1e-300")
hybrid("report-small", "-x", "end: 1e9, report: 1e-3")
hybrid("longest-step", "-x", "end: 1, report: 0.1, longest step: 1e-300")
hybrid("longest-step-small", "-x", "end: 1, report: 0.1, longest step: 1e-9")
hybrid("end", "-x", "end: 1e300, report: 1e299")
hybrid("end-small", "-x", "end: 1e-300, report: 1e-301")
hybrid("tolerance", "-x", "end: 1, report: 0.1, tolerance: 1e-300")
hybrid("stiff", "-1e300*x")
hybrid("oscillation", "1e12*y*cos(1e12*t)", "end: 1e6, report: 1e5")
hybrid("explosion", "x^3")
hybrid("root-tolerance", "-x", "end: 1, report: 0.1, root tolerance: 1e-300", more="discrete: {a: 2}\nroots: [{decides: a, by: sin(1e9*t)}]\n")
hybrid("roots-endless", "-x", "end: 1000, report: 100", more="discrete: {a: 2}\nroots: [{decides: a, by: sin(1e6*t)}]\n")
discrete("unknowns", 40, "+".join("der(q%d)*%d" % (i, i + 1) for i in range(40)) + " = 3")
discrete("unknowns-odd", 40, "+".join("der(q%d)*2" % i for i in range(40)) + " = 3")
discrete("unknowns-product", 40, "der(" + ")*der(".join("q%d" % i for i in range(40)) + ") = 1")
discrete("unknowns-square", 40, "+".join("(der(q%d)-1)^2" % i for i in range(40)) + " = 0.5")
discrete("states", 2, "der(q0)^2 + der(q1)^2 = 7", states=2000000)
discrete("states-most", 2, "der(q0) = 1", states=2147483647)
discrete("guard", 40, "der(q0) = 1", when=" & ".join("(q%d + q%d + q%d = 1 | q%d*q%d = 1)" % (i, (i + 7) % 40, (i + 13) % 40, (i * 3) % 40, (i * 5) % 40)
                                                    for i in range(40)))
discrete("guard-sum", 60, "der(q0) = 1", when="+".join("q%d*%d" % (i, 2 * i + 2) for i in range(60)) + " = 1001")
case("automaton-many", {"a.yaml": "automaton: a\ndiscrete: {q: 2, r: 2}\ntransitions:\n" + "".join(
    "  - {equation: 'der(q) = 1', when: q = %d}\n" % (i % 2) for i in range(4000))}, *DO)
case("automaton-overlap", {"a.yaml": "automaton: a\ndiscrete: {" + ", ".join("q%d: 3" % i for i in range(300)) + "}\ntransitions:\n" + "".join(
    "  - {equation: 'der(q%d) = q%d - q%d', when: q%d > q%d}\n" % (i, (i + 1) % 300, (i + 2) % 300, (i * 7) % 300, (i * 3 + 1) % 300) for i in range(300))}, *DO)
case("automaton-branches", {"a.yaml": "automaton: a\ndiscrete: {" + ", ".join("q%d: 3" % i for i in range(20)) + "}\ntransitions:\n" + "".join(
    "  - {equation: 'der(q%d)^2 = 1'}\n" % i for i in range(20))}, *DO)
case("automaton-counter", {"a.yaml": "automaton: a\ndiscrete: {" + ", ".join("q%d: 2" % i for i in range(40)) + "}\ntransitions:\n" + "".join(
    "  - {equation: 'der(q%d) = 1 - 2*q%d'%s}\n" % (i, i, ", when: %s" % " & ".join("q%d" % k for k in range(i)) if i else "") for i in range(40))}, *DO)
case("automaton-modes", {"a.yaml": "automaton: a\ndiscrete: {" + ", ".join("q%d: 2" % i for i in range(64)) + "}\ncontinuous: {x: 0}\nactivities:\n"
    "  - {equation: 'der(x) = 1 + " + " + ".join("q%d*%d" % (i, i) for i in range(64)) + "'}\nroots:\n" + "".join(
    "  - {decides: q%d, by: 'sin(%d*x)'}\n" % (i, i + 1) for i in range(64)) + "run: {end: 1e6, report: 1e5}\n"}, *DO)
case("automaton-dense", {"a.yaml": "automaton: a\ncontinuous: {" + ", ".join("x%d: 1" % i for i in range(300)) + "}\nactivities:\n" + "".join(
    "  - {equation: 'der(x%d) = -(%s)*x%d'}\n" % (i, "+".join("x%d" % k for k in range(300)), i) for i in range(300)) + "run: {end: 1, report: 0.5}\n"}, *DO)
# A momentum for a balance: the equations have index 19, and derivatives of that order are long.
case("automaton-index", {"a.yaml": "automaton: a\nparameters: {N: 10}\ncontinuous:\n  p[1..N]: 1\n  m[1..N]: 0\nactivities:\n"
                         "  - {for: i in 1..N-1, equation: 'der(p[i]) = m[i] - m[i+1]'}\n"
                         "  - {equation: 'der(m[1]) = 2 - p[1] - friction_gradient(m[1], 870, 0.04, 0.01)'}\n"
                         "  - {for: i in 1..N, equation: 'der(m[i]) = (p[i-0] - p[i])*N - friction_gradient(m[i], 870, 0.04, 0.01)'}\n"
                         "run: {end: 1, report: 0.1}\n"}, "check {f}", "run {f} -q")
case("automaton-algebraic", {"a.yaml": "automaton: a\ncontinuous: {" + ", ".join("x%d: 1" % i for i in range(2000)) + "}\nactivities:\n" + "".join(
    "  - {equation: 'x%d^3 = x%d + t'}\n" % (i, (i + 1) % 2000) for i in range(2000)) + "run: {end: 1, report: 0.5}\n"}, *DO)

# ---- YAML -------------------------------------------------------------------------------------------------------------------
LAUGHS = "a0: &a0 [l, l, l, l, l, l, l, l, l]\n" + "".join(
    "a%d: &a%d [%s]\n" % (i, i, ", ".join(["*a%d" % (i - 1)] * 9)) for i in range(1, 12))
YAML = {"laughs": "automaton: a\n" + LAUGHS + "discrete: {q: 2}\n", "deep-flow": "automaton: " + "[" * 400000,
        "deep-maps": "automaton: " + "{a: " * 100000, "deep-block": "".join(" " * i + "a:\n" for i in range(1300)),
        "deep-list": "automaton: a\ndiscrete:\n " + "- " * 200000 + "1\n",
        "keys": "automaton: a\ndiscrete: {" + ", ".join("q%d: 2" % i for i in range(60000)) + "}\n",
        "keys-same": "automaton: a\ndiscrete: {" + ", ".join("q: 2" for i in range(60000)) + "}\n",
        "key-long": "automaton: a\ndiscrete: {" + "q" * 800000 + ": 2}\n", "anchors": "automaton: a\n" + "".join(
            "k%d: &n%d 1\n" % (i, i) for i in range(20000)), "cycle": "automaton: &a [*a, *a]\n",
        "merge": "automaton: a\nx: &x {b: 1}\n" + "y: {<<: *x, <<: *x}\n" * 1000, "colons": "automaton" + ":" * 300000,
        "documents": "---\n" * 200000, "tags": "automaton: " + "!!str " * 50000 + "a", "tabs": "automaton:\n" + "\t" * 500000,
        "quotes": 'automaton: "' + "\\n" * 300000, "binary": bytes(range(256)) * 3000, "comment": "#" * 900000}
for word, text in YAML.items():
    case("yaml-" + word, {"a.yaml": text}, "check {f}", "run {f}", "explain {f}", "info {f}", "cosim {f}", "plot {f} -o p.svg")

# ---- Surge studies ----------------------------------------------------------------------------------------------------------
MAIN = """[JUNCTIONS]
A 10 1
B 10 1
[RESERVOIRS]
R 50
[PIPES]
P1 R A %s 200 100
P2 A B 1000 200 100
[OPTIONS]
Units LPS
Headloss H-W
[END]
"""


def surge(name, study, length="1000", commands=("check {f}", "info {f}", "vars {f}", "run {f}", "run {f} -o x.csv", "run {f} -o x.json", "explain {f}", "plot {f} -o p.svg")):
    case("surge-" + name, {"a.yaml": "study: surge\nnetwork: a.inp\n" + study + "\n", "a.inp": MAIN % length}, *commands)


PIPES = "pipes: [{wave_speed: 1000 m/s}]\n"
for step in "1e-3", "1e-6", "1e-9", "1e-12", "1e-300", "1e300":
    surge("time-step-" + step, PIPES + "duration: 20 s\ngrid: {step: %s s}" % step)
surge("steps", PIPES + "duration: 1e9 s\ngrid: {step: 0.5 s}")
surge("interpolated", PIPES + "duration: 20 s\ngrid: {step: 1e-9 s, scheme: interpolate}")
surge("points", PIPES + "duration: 1e-6 s\ngrid: {step: 1e-9 s, points_max: 100000000000}")
surge("reaches", PIPES + "duration: 20 s\ngrid: {reaches: 1000000}")
surge("optimised", PIPES + "duration: 20 s\ngrid: {optimise: true, distortion: 1e-300, reaches: 1000000}")
surge("friction", PIPES + "duration: 10 s\nfriction: {model: convolution}\ngrid: {step: 1e-3 s}")
surge("duration", PIPES + "duration: 1e15 s")
surge("duration-long", PIPES + "duration: 1e300 s")
surge("pipe-long", PIPES + "duration: 20 s", "1e12")
surge("pipe-long-step", PIPES + "duration: 20 s\ngrid: {step: 0.5 s}", "1e12")
surge("pipe-longest", PIPES + "duration: 20 s", "1e300")
surge("pipe-short", PIPES + "duration: 20 s", "1e-9")
surge("pipe-shortest", PIPES + "duration: 20 s", "1e-300")
surge("speed", "pipes: [{wave_speed: 1e-9 m/s}]\nduration: 20 s")
surge("speed-fast", "pipes: [{wave_speed: 1e300 m/s}]\nduration: 20 s")
surge("output-step", PIPES + "duration: 20 s\noutputs: {step: 1e-300 s, nodes: [A]}")
surge("output-step-small", PIPES + "duration: 20 s\noutputs: {step: 1e-9 s, nodes: [A]}")
surge("survey", "pipes: [{pipe: P1, survey: [" + ", ".join("[%d m, 1 m]" % i for i in range(1000)) + "]}]\nduration: 5 s")
surge("events", PIPES + "duration: 5 s\nevents: [" + ", ".join("{close: P1, at: %d s}" % i for i in range(5000)) + "]")
surge("nodes", PIPES + "duration: 5 s\noutputs: {nodes: [" + ", ".join(["A"] * 50000) + "]}")
surge("itself", "network: a.yaml\nduration: 5 s")
case("surge-loop", {"a.yaml": "study: surge\nnetwork: a.yaml\nduration: 1 s\n"}, "check {f}", "run {f}")

# ---- Results ----------------------------------------------------------------------------------------------------------------
READ = ("compare {f} {f}", "plot {f} -o p.svg", "convert {f} y.csv", "convert {f} y.json", "verify a.inp {f}", "info {f}", "check {f}",
        "run {f}", "explain {f}")


def result(name, data, ending):
    case("result-" + name, {"a." + ending: data, "a.inp": TOWN}, *READ)


result("csv-wide", "time_s" + ",node.A.head_m" * 60000 + "\n0" + ",1" * 60000 + "\n", "csv")
result("csv-columns", "time_s," + ",".join("node.N%d.head_m" % i for i in range(30000)) + "\n" + "0" + ",1" * 30000 + "\n", "csv")
result("csv-long", "time_s,node.A.head_m\n" + "0,1\n" * 200000, "csv")
result("csv-commas", "," * 900000, "csv")
result("csv-quotes", 'time_s,"' + "a" * 800000, "csv")
result("csv-numbers", "time_s,node.A.head_m\n" + "1e300,1e-300\n" * 50000, "csv")
result("csv-rows", "time_s,class,element,quantity,value\n" + "".join("%d,node,N%d,head_m,1\n" % (i, i) for i in range(30000)), "csv")
result("json-deep", "[" * 900000, "json")
result("json-maps", '{"a":' * 150000, "json")
result("json-number", '{"sluice results": 2, "n": ' + "9" * 800000 + "}", "json")
result("json-string", '{"sluice results": 2, "n": "' + "\\u0041" * 140000, "json")
result("json-count", '{"format": "sluice results 2", "times": [' + "0," * 400000 + "1]}", "json")
HEAD = [516114521, 20012, 2000000000, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 3600, 1000000000]
result("out-counts", b"".join(x.to_bytes(4, "little") for x in HEAD) + b"\0" * 4000, "out")
result("out-negative", b"".join((x & 0xffffffff).to_bytes(4, "little") for x in [516114521, 20012, -1, -1, -1] + HEAD[5:]) + b"\0" * 4000, "out")
result("out-magic", (516114521).to_bytes(4, "little") * 200000, "out")
result("h5-head", b"\x89HDF\r\n\x1a\n" + b"\xff" * 4000, "h5")
result("h5-zeros", b"\x89HDF\r\n\x1a\n" + b"\0" * 400000, "h5")

# ---- Couplings --------------------------------------------------------------------------------------------------------------
COUPLED = "model: a.inp\nduration: 24:00\ncosim:\n  in: i.cosim\n  out: o.cosim\n  skip: 1\n  timeout: 1 s\n  step: %s\n  read:\n" \
          "    - {entity: 1, variable: \"node.'A'.demand\"}\n  write:\n    - {entity: 1, variable: \"node.'A'.head\"}\n%s"
for word, step, more in (("step", "1e-300 s", ""), ("step-small", "1e-9 s", ""), ("step-long", "1e300 s", ""), ("step-none", "-1 s", "")):
    case("cosim-" + word, {"a.yaml": COUPLED % (step, more), "a.inp": TOWN, "b.yaml": COUPLED.replace("skip: 1", "skip: 0") % (step, more)},
         "cosim {f} b.yaml")
case("cosim-rows", {"a.yaml": COUPLED % ("1 s", "".join("    - {entity: %d, variable: \"node.'A'.head\"}\n" % i for i in range(5000))), "a.inp": TOWN},
     "cosim {f}")
case("cosim-itself", {"a.yaml": "model: a.yaml\ncosim: {}\n"}, "cosim {f}", "check {f}")


# ---- Encodings, nesting, numbers ----------------------------------------------------------------------------------------------
TEXTS = {"utf16": lambda t: t.encode("utf-16"), "utf16be": lambda t: b"\xfe\xff" + t.encode("utf-16-be"), "utf32": lambda t: t.encode("utf-32"),
         "crlf": lambda t: t.replace("\n", "\r\n").encode(), "cr": lambda t: t.replace("\n", "\r").encode(), "bom": lambda t: b"\xef\xbb\xbf" + t.encode(),
         "boms": lambda t: b"\xef\xbb\xbf" * 100000 + t.encode(), "nul": lambda t: t.replace("A", "A\0", 1).encode(),
         "nuls": lambda t: t.replace("\n", "\0\n").encode(), "latin1": lambda t: t.replace("A", "\xc4").encode("latin-1"),
         "overlong": lambda t: t.encode().replace(b"A", b"\xc1\x81"), "surrogates": lambda t: t.encode().replace(b"A", b"\xed\xa0\x80"),
         "rtl": lambda t: t.replace("A", "\u202eA\u202c").encode(), "combining": lambda t: t.replace("A", "a" + "\u0301" * 100000, 1).encode(),
         "vertical": lambda t: t.replace("\n", "\v\f\x85\u2028\n").encode(), "backspace": lambda t: t.replace("A", "\b\x1b[2J").encode()}
SWING = "automaton: a\ncontinuous: {A: 1}\nactivities:\n  - {equation: 'der(A) = -A'}\nrun: {end: 1, report: 0.1}\n"
for word, change in TEXTS.items():
    case("inp-text-" + word, {"a.inp": change(TOWN)}, "check {f}", "run {f} -q -o x.csv -o x.json -o x.h5 -o x.svg", "info {f} --json", "convert {f} y.inp")
    case("yaml-text-" + word, {"a.yaml": change(SWING)}, "check {f}", "run {f} -q -o x.csv -o x.h5", "explain {f}")
for number in "1e308", "-1e308", "1e-320", "nan", "inf", "0x1p1023", "1e999999999", "9" * 5000, "1" + "0" * 400, "." * 1000, "1e", "--1", "1,5", "\u0661":
    word = "".join(c for c in number[:12] if c.isalnum() or c == "-") or "dots"
    network("number-" + word, "Duration 24:00\nHydraulic Timestep %s" % number, "Viscosity %s\nDemand Multiplier %s" % (number, number),
            "[EMITTERS]\nA %s\n[DEMANDS]\nA %s\n[ENERGY]\nGlobal Price %s" % (number, number, number), commands=("check {f}", "run {f} -q -o x.out -o x.h5"))
    hybrid("number-" + word, "-x*(%s)" % number, commands=("check {f}", "run {f} -q -o x.csv", "explain {f}"))
    surge("number-" + word, "pipes: [{wave_speed: 1000 m/s}]\nduration: 1 s\nevents: [{close: P1, at: %s s, over: %s s}]" % (number, number),
          commands=("check {f}", "run {f} -q -o x.h5"))

# ---- Networks of other kinds ---------------------------------------------------------------------------------------------------
network("pattern-empty", extra="[PATTERNS]\n1\n2\n[DEMANDS]\nA 1 1\nB 1 2")
network("pattern-zero", extra="[PATTERNS]\n1 0\n", options="Pattern 1")
network("curve-empty", extra="[CURVES]\nc\n[PUMPS]\nU A B HEAD c")
network("curve-vertical", extra="[CURVES]\nc 0 100\nc 0 50\nc 0 0\n[PUMPS]\nU A B HEAD c")
network("curve-steep", extra="[CURVES]\nc 0 1e300\nc 1e-300 0\n[PUMPS]\nU A B HEAD c")
network("curve-turns", extra="[CURVES]\nc " + "\nc ".join("%d %d" % (i, i % 7) for i in range(20000)) + "\n[PUMPS]\nU A B HEAD c")
network("self-loops", extra="[PIPES]\n" + "".join("Q%d A A 100 200 100\n" % i for i in range(20000)))
network("rules-firing", "Duration 24:00\nHydraulic Timestep 0:10\nRule Timestep 0:10", extra="[RULES]\n" + "".join(
    "RULE %d\nIF SYSTEM CLOCKTIME >= 0\nTHEN PIPE P3 STATUS IS %s\nELSE PIPE P3 STATUS IS OPEN\nPRIORITY %d\n" % (i, ("OPEN", "CLOSED")[i % 2], i % 5)
    for i in range(7000)), commands=("check {f}", "run {f} -q -o x.out"))
network("controls-flapping", "Duration 48:00\nHydraulic Timestep 0:01", extra="[CONTROLS]\n" + "".join(
    "LINK P3 %s IF NODE T %s 5.0000%d\n" % (("CLOSED", "OPEN")[i % 2], ("ABOVE", "BELOW")[i % 2], i % 10) for i in range(5000)), commands=("run {f} -q",))
network("controls-times", "Duration 24:00", extra="[CONTROLS]\n" + "".join(
    "LINK P3 %s AT TIME %d SEC\n" % (("CLOSED", "OPEN")[i % 2], i) for i in range(20000)), commands=("check {f}", "run {f} -q -o x.out"))
network("valves-series", extra="[JUNCTIONS]\n" + "".join("V%d 1 0\n" % i for i in range(3000)) + "[VALVES]\n" + "".join(
    "W%d %s V%d 100 PRV 10 0\n" % (i, "V%d" % (i - 1) if i else "A", i) for i in range(3000)), times="Duration 0", commands=("check {f}", "run {f} -q"))
network("tanks-many", extra="[TANKS]\n" + "".join("T%d 20 5 0 10 1e-3 0\n" % i for i in range(2000)) + "[PIPES]\n" + "".join(
    "Y%d B T%d 1 500 100\n" % (i, i) for i in range(2000)), times="Duration 24:00\nHydraulic Timestep 1:00", commands=("run {f} -q",))
network("sources", options="Quality Cl mg/L", extra="[SOURCES]\n" + "".join("%s MASS 1e300\n" % n for n in "ABRT") + "[REACTIONS]\nGlobal Bulk -1e300\nGlobal Wall -1e300\nOrder Bulk 1e300")
network("segments", "Duration 3:00\nQuality Timestep 1 SEC", "Quality Cl mg/L\nTolerance 0", "[JUNCTIONS]\n" + "".join("J%d 1 0.01\n" % i for i in range(300)) + "[PIPES]\n" + "".join(
    "Q%d %s J%d 1e5 1000 100\n" % (i, "J%d" % (i - 1) if i else "A", i) for i in range(300)) + "[SOURCES]\nR CONCEN 1 p\n[PATTERNS]\np 1 0", commands=("run {f} -q",))
network("includes", extra="[TITLE]\nInclude a.inp\n[OPTIONS]\nMap a.inp\nHydraulics USE a.inp", commands=ALL)
network("report-all", extra="[REPORT]\nStatus Full\nSummary Yes\nNodes All\nLinks All\nPage 1\nPressure Precision 2000000000\nFile /dev/full", commands=("run {f} -o x.rpt", "check {f}"))
network("statistic", "Duration 8760:00\nStatistic Maximum\nReport Timestep 0:01\nHydraulic Timestep 0:05", commands=("run {f} -q -o x.out",))
network("vertices-huge", extra="[VERTICES]\n" + "P1 1e308 -1e308\n" * 30000 + "[COORDINATES]\nA 0 0\nB 1 1\nR 2 2\nT 3 3", commands=("run {f} -q -o x.svg -o x.gpkg -o x.geojson",))

# ---- Automata and YAML of other kinds --------------------------------------------------------------------------------------------
hybrid("zeno", "-9.81", "end: 1e6, report: 1e5", more="discrete: {q: 2}\nroots: [{decides: q, by: x}]\nactions: [{when: q, set: 'x = 1e-9'}]\n")
hybrid("actions-endless", "-x", more="discrete: {q: 2}\nroots: [{decides: q, by: 'x - 0.5'}]\nactions: [{equation: 'next(x) = x + 1'}]\n")
hybrid("singular", "1/(x-x)")
hybrid("root-of-negative", "sqrt(-x)^0.5")
hybrid("tables-long", "t0(x)", more="tables: {t0: [%s]}\n" % ", ".join("[%d, %d]" % (i, i % 3) for i in range(40000)))
hybrid("table-vertical", "t0(x)", more="tables: {t0: [[0, 0], [0, 1], [0, 2]]}\n")
hybrid("table-falling", "t0(x)", more="tables: {t0: [[3, 0], [2, 1], [1, 2]]}\n")
hybrid("names-alike", "-x", more="".join("# %s\n" % ("x" * 100) for _ in range(5000)))
hybrid("exponents", "exp(exp(exp(exp(exp(x)))))")
hybrid("huge-sum-of-powers", "-(" + " + ".join("x^%d" % i for i in range(1, 3000)) + ")")
hybrid("differences", "(x-(x-(x-" * 60 + "x" + ")))" * 60)
discrete("power-tower", 3, "der(q0) = q0^q1^q2^2147483647", states=3)
discrete("modulus", 2, "der(q0) = mod(q1, 0)")
for word, text in {"anchors-deep": "automaton: a\n" + "".join("x%d: &x%d {a: %s}\n" % (i, i, "*x%d" % (i - 1) if i else "1") for i in range(3000)),
                   "alias-unknown": "automaton: *nobody\n" * 1000, "merge-self": "automaton: a\nx: &x {<<: *x}\n", "keys-complex": "? [automaton, a]\n: {? {b: c} : d}\n" * 2000,
                   "directives": "%YAML 1.2\n" * 20000 + "---\nautomaton: a\n", "tag-long": "automaton: !<" + "a" * 400000 + "> b\n",
                   "block-indent": "automaton: |9\n" + " " * 900000, "folded": "automaton: >\n" + "  a\n\n" * 120000, "escapes": 'automaton: "' + "\\U0010FFFF" * 40000 + '"\n',
                   "flow-open": "{" * 5000 + "a", "string-open": "automaton: '" + "a" * 900000, "numbers": "automaton: a\nrun: [" + ", ".join(["1e308"] * 100000) + "]\n",
                   "two-documents": SWING + "---\n" + SWING, "nothing": "", "blank": " \n" * 100000, "dash": "-\n" * 200000, "json": '{"automaton": "a"' * 20000}.items():
    case("yaml-other-" + word, {"a.yaml": text}, "check {f}", "run {f} -q", "explain {f}", "info {f} --json", "convert {f} y.yaml")

# ---- Studies and results of other kinds --------------------------------------------------------------------------------------------
surge("end", PIPES + "duration: 1 s\nend: 1e300")
surge("trips", PIPES + "duration: 5 s\nevents: [{trip: NOBODY, at: 1 s}, {burst: A, at: 1 s, area: 1e300 m2}, {close: P1, at: -1 s}]")
surge("profile", PIPES + "duration: 2 s\noutputs: {routes: [" + ", ".join(["{name: r%d, from: R, to: B}" % i for i in range(3000)]) + "]}")
surge("probes", PIPES + "duration: 2 s\nprobes: [" + ", ".join("{name: p%d, pipe: P1, at: %d m}" % (i, i % 1000) for i in range(5000)) + "]")
surge("devices", PIPES + "duration: 2 s\ndevices: [" + ", ".join("{air_valve: A, diameter: 1e-300 m}" for i in range(3000)) + "]")
surge("curve", PIPES + "duration: 2 s\nevents: [{operate: P1, curve: [" + ", ".join("[%d s, %d]" % (i, i % 2) for i in range(40000)) + "]}]")
result("csv-rows-million", "time_s,node.A.head_m\n" + "".join("%d,1\n" % i for i in range(100000)), "csv")
result("csv-time-back", "time_s,node.A.head_m\n" + "".join("%d,1\n" % -i for i in range(1000)), "csv")
result("csv-nan", "time_s,node.A.head_m\n" + "nan,nan\n" * 50000, "csv")
result("csv-utf16", "time_s,node.A.head_m\n0,1\n".encode("utf-16"), "csv")
result("json-same-keys", '{"format": "sluice results 2", ' + '"groups": {}, ' * 60000 + '"a": 1}', "json")
result("json-groups", '{"format": "sluice results 2", "groups": {' + ", ".join('"g%d": {"ids": []}' % i for i in range(30000)) + "}}", "json")
result("json-numbers", '{"format": "sluice results 2", "times": [' + ", ".join(["1e999"] * 100000) + "]}", "json")
result("h5-superblock", b"\x89HDF\r\n\x1a\n\x02\x08\x08\0" + b"\0" * 8 + b"\xff" * 8 + (1 << 62).to_bytes(8, "little") * 2 + b"\0" * 4000, "h5")
result("h5-late", b"\0" * 512 + b"\x89HDF\r\n\x1a\n" + b"\0" * 4000, "h5")
result("h5-seal", b"\x89HDF\r\n\x1a\n" + b"\0" * 80000 + (5000).to_bytes(8, "little") + (8).to_bytes(8, "little") + b"\0" * 8 + b"SLUICE-3", "h5")
case("cosim-values", {"a.yaml": COUPLED % ("1e-12 s", "  lag: 1e300\n"), "a.inp": TOWN}, "cosim {f}", "check {f}", "info {f}")
case("cosim-no-model", {"a.yaml": "model: /dev/zero\ncosim: {in: a, out: b}\n"}, "cosim {f}", "check {f}")
case("cosim-folder", {"a.yaml": "model: .\ncosim: {in: ., out: .}\n"}, "cosim {f}")
case("options-more", {"a.inp": TOWN, "a.yaml": SWING}, "run {f} --threads 99999999999999999999", "run {f} --threads -1", "run {f} --threads 0.5", "run {f} --effort 1e308",
     "run {f} --effort 1e-308", "run {f} -o " + "d/" * 3000 + "x.csv", "run {f} -o x." + "csv" * 3000, "run {f} -o .", "run {f} -o /", "run {f} -o ''", "run {f} -o x.csv -o x.csv",
     "run {f} --node " + ",".join(["A"] * 50000) + " -o x.csv", "run {f} --node ? -o x.csv", "compare {f} {f}", "compare x.out", "explain a.yaml --time 1e308s",
     "explain a.yaml --time -1s", "plot a.yaml -o x.svg --size 1x1", "plot a.yaml -o x.pdf --size 1e-9x1e-9", "plot a.yaml -o x.png --size 30000x30000", "run a.yaml --every 1e-300s -o x.h5",
     "run a.yaml --duration 1e308s -o x.h5", "run a.yaml -o x.gpkg", "gen city -n 0 -o g.inp", "gen city -n 1 -o g.inp", "gen city -n 2 -o g.h5", "gen city --seed 1e300 -n 10 -o g.inp",
     "gen " + "x" * 100000, "convert a.yaml y.inp", "convert {f} y.h5", "convert {f} y.json --units " + "L" * 100000, "vars {f} --inputs " + "*" * 100000, "info {f} --json --json --json")

# ---- The test ---------------------------------------------------------------------------------------------------------------
def limits():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS * (20 if WATCHED else 1), SECONDS * (20 if WATCHED else 1) + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (200 << 20, 200 << 20))
    if not WATCHED:
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def attempt(folder, files, command, show):
    first = next(iter(files))
    words = [w.replace("{f}", first) for w in command.split(" ")]
    if words[0] not in ("run", "cosim", "check", "info", "vars", "explain", "plot", "convert", "compare", "verify", "gen"):
        return "no such command"
    try:
        done = subprocess.run([SLUICE] + words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, preexec_fn=limits, timeout=120)
    except subprocess.TimeoutExpired:
        return "waits"
    except OSError as error:
        return str(error)
    said = done.stderr.decode("utf-8", "replace")
    if show:
        print("   ", " ".join(words)[:100], "->", done.returncode, (said.splitlines() or [""])[0][:150])
    if done.returncode < 0 or done.returncode > 5 or (done.returncode == 5 and "out of memory" in said):
        return "exit code %d %s" % (done.returncode, said[-200:].replace("\n", " | "))
    if done.returncode != 0 and not said.strip() and not done.stdout.strip():
        return "exit code %d without a word" % done.returncode
    if len(said) > 400000:
        return "%d bytes of messages" % len(said)
    left = [name for name in os.listdir(folder) if name.endswith((".tmp", ".partial")) or ".sluice-" in name or "~" in name]
    return "left %s" % left if left else ""


def try_case(name, files, commands, show):
    """What went wrong, a line each."""
    assert all(len(data) < 1000000 for data in files.values()), name
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for path, data in files.items():
            with open(os.path.join(folder, path), "wb") as out:
                out.write(data if isinstance(data, bytes) else data.encode())
        if show:
            print(name)
        for command in commands:
            wrong = attempt(folder, files, command, show)
            if wrong:
                found.append("FAILED %s: %s: %s" % (name, command[:80], wrong))
                print(found[-1], flush=True)
    return found


def main(words, show=False):
    cases = [c for c in CASES if not words or any(w in c[0] for w in words)]
    with ThreadPoolExecutor(1 if show else os.cpu_count()) as pool:
        bad = sum(len(found) for found in pool.map(lambda c: try_case(*c, show), cases))
    tried = sum(len(commands) for _, _, commands in cases)
    print("%d of %d attempts on %d inputs failed" % (bad, tried, len(cases)))
    if WATCHED:
        print("skipped the limit of memory: sanitizers take addresses of their own")
    return 1 if bad or not tried else 0


if __name__ == "__main__":
    sys.exit(main([w for w in sys.argv[1:] if w != "--show"], "--show" in sys.argv))
