#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""epanet_meaning.py: does Sluice read an .inp file as EPANET 2.3.5 does?

    bench/epanet_meaning.py FILE_OR_DIRECTORY...      (default: examples/)

Every file is opened by EPANET's own library (owa-epanet 2.3.5, installed into bench/.venv when missing) and by
`sluice convert FILE -.json`. Then everything EPANET's toolkit can tell about the model is compared with what Sluice
read: nodes, demands and their categories, emitters, sources, tanks, links, pumps, valves, leaks, vertices, patterns,
curves, controls, rules, options, times. EPANET's numbers are made SI with EPANET's own factors, which are repeated
below on purpose, not taken from Sluice. Numbers must agree to 1e-9, all else exactly.

Also compared is whether a file is taken at all: EPANET must open it and open its hydraulics, `sluice` must exit with 0.

Prints every difference and exits with 1 if there is any. Differences that are known and meant (KNOWN below) are
counted apart and do not fail; --known prints them. Not compared, because the toolkit cannot tell: HTOL, QTOL, RQTOL,
labels, [REPORT] and [BACKDROP].

Environment: SLUICE (the program, default build/release/sluice), SLUICE_EPANET_LIBRARY (another libepanet2).
"""

import codecs
import ctypes
import json
import math
import os
import pickle
import subprocess
import sys
import tempfile

import peers

FOOT = 0.3048
FLOW_PER_CFS = {
    "CFS": 1.0, "GPM": 448.831, "MGD": 0.64632, "IMGD": 0.5382, "AFD": 1.9837, "LPS": 28.317, "LPM": 1699.0,
    "MLD": 2.4466, "CMH": 101.94, "CMD": 2446.6, "CMS": 0.028317,
}  # fmt: skip
FLOW_UNITS = list(FLOW_PER_CFS)
PRESSURE_UNITS = ["PSI", "KPA", "METERS", "BAR", "FEET"]
PSI_PER_FOOT = 0.4333
WATT_PER_HP = 745.7
DAY = 86400.0

HEADLOSS = ["H-W", "D-W", "C-M"]
STATISTICS = ["NONE", "AVERAGED", "MINIMUM", "MAXIMUM", "RANGE"]
MIXING = ["MIXED", "2COMP", "FIFO", "LIFO"]
SOURCES = ["CONCEN", "MASS", "SETPOINT", "FLOWPACED"]
QUALITY = ["none", "chemical", "age", "trace"]
VALVES = {3: "PRV", 4: "PSV", 5: "PBV", 6: "FCV", 7: "TCV", 8: "GPV", 9: "PCV"}
STATUS = ["CLOSED", "OPEN", "ACTIVE"]
CURVES = ["VOLUME", "PUMP", "EFFICIENCY", "HEADLOSS", "GENERIC", "VALVE"]
VARIABLES = [
    "DEMAND", "HEAD", "GRADE", "LEVEL", "PRESSURE", "FLOW", "STATUS", "SETTING", "POWER", "TIME", "CLOCKTIME",
    "FILLTIME", "DRAINTIME",
]  # fmt: skip
RELATIONS = ["=", "<>", "<=", ">=", "<", ">", "=", "<>", "<", ">"]
MISSING = 1e10  # EPANET's number for "no value", and for OPEN (CLOSED: its negative) as a setting
UNTOLD = "the toolkit does not tell"
LEVEL = 1e-8  # [m] levels are differences of heads in EPANET
RELATIVE = 1e-9


# Bytes that are not UTF-8 are taken as Latin-1, one by one, as Sluice does when it writes JSON.
codecs.register_error("as-latin1", lambda e: (e.object[e.start : e.end].decode("latin-1"), e.end))


class Refused(Exception):
    """EPANET does not take the file: code of EN_open or EN_openH."""

    def __init__(self, code, where):
        super().__init__(code, where)
        self.code = code
        self.where = where

    def __str__(self):
        return "%s returned %d" % (self.where, self.code)


# ---- EPANET -----------------------------------------------------------------------------------------------------


class Toolkit:
    """One project of the EPANET library. Calls return their output, or raise the error code."""

    def __init__(self, path, scratch):
        self.lib = ctypes.CDLL(peers.epanet_library())
        self.project = ctypes.c_void_p()
        self.lib.EN_createproject(ctypes.byref(self.project))
        report = os.path.join(scratch, "epanet.rpt")
        code = self.lib.EN_open(self.project, os.fsencode(path), os.fsencode(report), b"")
        if code > 100:
            self.close()
            raise Refused(code, "EN_open")

    def close(self):
        self.lib.EN_close(self.project)
        self.lib.EN_deleteproject(self.project)

    def call(self, name, ins, outs):
        """outs: i int, l long, d double, s text."""
        make = {"i": ctypes.c_int, "l": ctypes.c_long, "d": ctypes.c_double, "s": lambda: ctypes.create_string_buffer(1100)}
        out = [make[kind]() for kind in outs]
        by = [o if kind == "s" else ctypes.byref(o) for o, kind in zip(out, outs)]
        code = getattr(self.lib, name)(self.project, *ins, *by)
        if code > 100:
            raise KeyError("%s%r returned %d" % (name, tuple(ins), code))
        got = [o.value.decode("utf-8", "as-latin1") if kind == "s" else o.value for o, kind in zip(out, outs)]
        return got[0] if len(got) == 1 else got

    def node(self, i, what):
        return self.call("EN_getnodevalue", [i, what], "d")

    def link(self, i, what):
        return self.call("EN_getlinkvalue", [i, what], "d")

    def count(self, what):
        return self.call("EN_getcount", [what], "i")

    def option(self, what):
        return self.call("EN_getoption", [what], "d")

    def ids(self, name, n):
        return [None] + [self.call(name, [i], "s") for i in range(1, n + 1)]


class Factors:
    """EPANET's user units to SI."""

    def __init__(self, flow, pressure, headloss, gravity, exponent, wall_order):
        metric = FLOW_UNITS.index(flow) >= 5
        self.length = 1.0 if metric else FOOT
        self.diameter = 1e-3 if metric else FOOT / 12
        self.roughness = self.length * 1e-3 if headloss == "D-W" else 1.0
        self.flow = FOOT**3 / FLOW_PER_CFS[flow]
        per_foot = {
            "PSI": PSI_PER_FOOT * gravity,
            "KPA": 6.895 * PSI_PER_FOOT * gravity,
            "BAR": 0.068948 * PSI_PER_FOOT * gravity,
            "METERS": FOOT,
            "FEET": 1.0,
        }
        self.pressure = FOOT / per_foot[pressure]
        self.volume = self.length**3
        self.power = WATT_PER_HP  # the toolkit tells horsepower in both systems
        self.emitter = self.flow / (1.0 if metric else FOOT / (PSI_PER_FOOT * gravity)) ** exponent
        self.leak = 1e-6 / (100 * self.length)
        self.wall = self.length / DAY if wall_order == 1 else 1e-3 / (self.length**2 * DAY)

    def setting(self, kind):
        return self.pressure if kind in ("PRV", "PSV", "PBV") else self.flow if kind == "FCV" else 1.0

    def curve(self, kind):
        return {
            "PUMP": (self.flow, self.length),
            "EFFICIENCY": (self.flow, 1.0),
            "VOLUME": (self.length, self.volume),
            "HEADLOSS": (self.flow, self.length),
        }.get(kind, (1.0, 1.0))


def epanet_model(path, scratch, hydraulics=True):
    """What EPANET makes of the file: a dictionary from names to values in SI, and the factors."""
    tk = Toolkit(path, scratch)
    try:
        m = {}
        _epanet_options(tk, m)
        f = Factors(
            m["hydraulics/flow_unit"], m["hydraulics/pressure_unit"], m["hydraulics/headloss"],
            m["hydraulics/specific_gravity"], m["hydraulics/emitter_exponent"], m["quality/wall_order"],
        )  # fmt: skip
        for key, factor in (("pressure_min_m", f.pressure), ("pressure_required_m", f.pressure)):
            m["hydraulics/" + key] *= factor
        m["hydraulics/head_error_m"] *= f.length
        m["hydraulics/flow_change_m3_per_s"] *= f.flow
        nodes = tk.ids("EN_getnodeid", tk.count(0))
        links = tk.ids("EN_getlinkid", tk.count(2))
        patterns = tk.ids("EN_getpatternid", tk.count(3))
        curves = tk.ids("EN_getcurveid", tk.count(4))
        names = nodes, links, patterns, curves
        m["hydraulics/default_pattern"] = patterns[int(tk.option(23))]
        m["energy/price_pattern"] = patterns[int(tk.option(10))]
        kind, chemical, unit, trace = tk.call("EN_getqualinfo", [], "issi")
        m["quality/kind"] = QUALITY[kind]
        m["quality/trace_node"] = nodes[trace] if kind == 3 else None
        if kind == 1:
            m["quality/chemical"], m["quality/mass_unit"] = chemical, unit
        _epanet_nodes(tk, m, f, names)
        _epanet_links(tk, m, f, names)
        _epanet_tables(tk, m, names)
        _epanet_controls(tk, m, f, names)
        _epanet_rules(tk, m, f, names)
        if hydraulics:
            code = tk.lib.EN_openH(tk.project)
            if code > 100:
                raise Refused(code, "EN_openH")
            for i in range(1, len(curves)):  # the use as a pump's curve is only known now
                m["curve %s/use" % curves[i]] = CURVES[tk.call("EN_getcurvetype", [i], "i")]
            tk.lib.EN_closeH(tk.project)
        return m, f
    finally:
        tk.close()


def _epanet_options(tk, m):
    m["hydraulics/flow_unit"] = FLOW_UNITS[tk.call("EN_getflowunits", [], "i")]
    m["hydraulics/pressure_unit"] = PRESSURE_UNITS[int(tk.option(25))]
    m["hydraulics/headloss"] = HEADLOSS[int(tk.option(7))]
    model, least, required, exponent = tk.call("EN_getdemandmodel", [], "iddd")
    m["hydraulics/demand_model"] = ["DDA", "PDA"][model]
    m["hydraulics/pressure_min_m"], m["hydraulics/pressure_required_m"] = least, required
    m["hydraulics/pressure_exponent"] = exponent
    for key, what in (
        ("hydraulics/trials", 0), ("hydraulics/accuracy", 1), ("quality/tolerance", 2), ("hydraulics/emitter_exponent", 3),
        ("hydraulics/demand_multiplier", 4), ("hydraulics/head_error_m", 5), ("hydraulics/flow_change_m3_per_s", 6),
        ("energy/efficiency_percent", 8), ("energy/price_per_kwh", 9), ("energy/demand_charge_per_kw", 11),
        ("hydraulics/specific_gravity", 12), ("hydraulics/unbalanced_extra_trials", 14),
        ("hydraulics/check_frequency", 15), ("hydraulics/max_checks", 16), ("hydraulics/damp_limit", 17),
        ("quality/bulk_order", 19), ("quality/wall_order", 20), ("quality/tank_order", 21),
        ("quality/limiting_potential", 22),
    ):  # fmt: skip
        m[key] = tk.option(what)
    m["hydraulics/viscosity_m2_per_s"] = tk.option(13) * 1.1e-5 * FOOT**2
    m["quality/diffusivity_m2_per_s"] = tk.option(18) * 1.3e-8 * FOOT**2
    m["hydraulics/emitter_backflow"] = bool(tk.option(24))
    for key, what in (
        ("duration_s", 0), ("hydraulic_step_s", 1), ("quality_step_s", 2), ("pattern_step_s", 3), ("pattern_start_s", 4),
        ("report_step_s", 5), ("report_start_s", 6), ("rule_step_s", 7), ("start_clock_s", 10),
    ):  # fmt: skip
        m["times/" + key] = tk.call("EN_gettimeparam", [what], "l")
    m["times/statistic"] = STATISTICS[tk.call("EN_gettimeparam", [8], "l")]
    m["title"] = [line.rstrip("\r\n") for line in tk.call("EN_gettitle", [], "sss")]


def _notes(tk, m, key, kind, i):
    m[key + "/note"] = _note(tk.call("EN_getcomment", [kind, i], "s"))
    if kind < 2:
        m[key + "/tag"] = tk.call("EN_gettag", [kind, i], "s").strip() or None


def _note(text):
    return (text or "").strip(" \t\r\n;") or None


def _epanet_nodes(tk, m, f, names):
    nodes, _, patterns, curves = names
    order = {"junctions": [], "reservoirs": [], "tanks": []}
    for i in range(1, len(nodes)):
        kind = ("junctions", "reservoirs", "tanks")[tk.call("EN_getnodetype", [i], "i")]
        order[kind].append(nodes[i])
        key = "node " + nodes[i]
        _notes(tk, m, key, 0, i)
        m[key + "/initial_quality"] = tk.node(i, 4)
        x, y = _coordinates(tk, i)
        m[key + "/x"], m[key + "/y"] = x, y
        try:
            m[key + "/source"] = [SOURCES[int(tk.node(i, 7))], tk.node(i, 5), patterns[int(tk.node(i, 6))]]
        except KeyError:
            m[key + "/source"] = None
        elevation = tk.node(i, 0) * f.length
        if kind == "junctions":
            m[key + "/elevation_m"] = elevation
            m[key + "/emitter_coef"] = tk.node(i, 3) * f.emitter
            n = tk.call("EN_getnumdemands", [i], "i")
            m[key + "/demands"] = n
            for k in range(1, n + 1):
                at = "%s/demand %d" % (key, k)
                m[at + "/base"] = tk.call("EN_getbasedemand", [i, k], "d") * f.flow
                m[at + "/pattern"] = patterns[tk.call("EN_getdemandpattern", [i, k], "i")]
                m[at + "/category"] = _note(tk.call("EN_getdemandname", [i, k], "s"))
        elif kind == "reservoirs":
            m[key + "/head_m"] = elevation
            m[key + "/pattern"] = patterns[int(tk.node(i, 2))]
        else:
            m[key + "/elevation_m"] = elevation
            for name, what in (("level_init_m", 8), ("level_min_m", 20), ("level_max_m", 21)):
                m[key + "/" + name] = tk.node(i, what) * f.length
            curve = curves[int(tk.node(i, 19))]
            m[key + "/volume_curve"] = curve
            m[key + "/diameter_m"] = None if curve else tk.node(i, 17) * f.length
            for name, what in (("volume_min_m3", 18), ("volume_init_m3", 14), ("volume_max_m3", 25)):
                m[key + "/" + name] = tk.node(i, what) * f.volume
            m[key + "/overflow"] = bool(tk.node(i, 26))
            m[key + "/mixing"] = MIXING[int(tk.node(i, 15))]
            m[key + "/mix_fraction"] = tk.node(i, 22)
            m[key + "/bulk_coef_per_s"] = tk.node(i, 23) / DAY
    for kind, ids in order.items():
        m[kind] = ids


def _coordinates(tk, i):
    try:
        x, y = tk.call("EN_getcoord", [i], "dd")
    except KeyError:
        return None, None
    return (None, None) if abs(x) == MISSING else (x, y)


def _epanet_links(tk, m, f, names):
    nodes, links, patterns, curves = names
    order = {"pipes": [], "pumps": [], "valves": []}
    for i in range(1, len(links)):
        code = tk.call("EN_getlinktype", [i], "i")
        kind = "pipes" if code < 2 else "pumps" if code == 2 else "valves"
        order[kind].append(links[i])
        key = "link " + links[i]
        _notes(tk, m, key, 1, i)
        ends = tk.call("EN_getlinknodes", [i], "ii")
        m[key + "/ends"] = [nodes[ends[0]], nodes[ends[1]]]
        m[key + "/vertices"] = [
            tk.call("EN_getvertex", [i, k], "dd") for k in range(1, tk.call("EN_getvertexcount", [i], "i") + 1)
        ]
        status = STATUS[int(tk.link(i, 4))]
        if kind == "pipes":
            m[key + "/status"] = "CV" if code == 0 else status
            m[key + "/length_m"] = tk.link(i, 1) * f.length
            m[key + "/diameter_m"] = tk.link(i, 0) * f.diameter
            m[key + "/roughness"] = tk.link(i, 2) * f.roughness
            m[key + "/minor_loss"] = tk.link(i, 3)
            m[key + "/bulk_coef_per_s"] = tk.link(i, 6) / DAY
            m[key + "/wall_coef"] = tk.link(i, 7) * f.wall
            m[key + "/leak_area"] = tk.link(i, 26) * f.leak
            m[key + "/leak_expansion"] = tk.link(i, 27) * f.leak
        elif kind == "pumps":
            m[key + "/status"] = status
            m[key + "/speed"] = tk.link(i, 5)
            curve = curves[int(tk.link(i, 19))]
            m[key + "/head_curve"] = curve
            m[key + "/power_w"] = 0.0 if curve else tk.link(i, 18) * f.power
            m[key + "/speed_pattern"] = patterns[int(tk.link(i, 15))]
            m[key + "/efficiency_curve"] = curves[int(tk.link(i, 20))]
            m[key + "/price_per_kwh"] = tk.link(i, 21)
            m[key + "/price_pattern"] = patterns[int(tk.link(i, 22))]
        else:
            valve = VALVES[code]
            m[key + "/status"] = status
            m[key + "/type"] = valve
            m[key + "/diameter_m"] = tk.link(i, 0) * f.diameter
            m[key + "/minor_loss"] = tk.link(i, 3)
            m[key + "/setting"] = None if valve == "GPV" else tk.link(i, 5) * f.setting(valve)
            m[key + "/curve"] = curves[int(tk.link(i, 24 if valve == "GPV" else 25))] if valve in ("GPV", "PCV") else None
    for kind, ids in order.items():
        m[kind] = ids


def _epanet_tables(tk, m, names):
    _, _, patterns, curves = names
    m["patterns"] = sorted(patterns[1:])
    for i in range(1, len(patterns)):
        n = tk.call("EN_getpatternlen", [i], "i")
        m["pattern %s/multipliers" % patterns[i]] = [tk.call("EN_getpatternvalue", [i, k], "d") for k in range(1, n + 1)]
        _notes(tk, m, "pattern " + patterns[i], 2, i)
    m["curves"] = sorted(curves[1:])
    for i in range(1, len(curves)):
        n = tk.call("EN_getcurvelen", [i], "i")
        m["curve %s/points" % curves[i]] = [tk.call("EN_getcurvevalue", [i, k], "dd") for k in range(1, n + 1)]
        _notes(tk, m, "curve " + curves[i], 3, i)


def _epanet_controls(tk, m, f, names):
    nodes, links, _, _ = names
    n = tk.count(5)
    m["controls"] = n
    for i in range(1, n + 1):
        kind, link, setting, node, level = tk.call("EN_getcontrol", [i], "iidid")
        key = "control %d" % i
        m[key + "/link"] = links[link]
        m[key + "/enabled"] = bool(tk.call("EN_getcontrolenabled", [i], "i"))
        m[key + "/when"] = ("below", "above", "time", "clock")[kind]
        status, value = _action(m, links[link], setting, f)
        m[key + "/status"], m[key + "/setting"] = status, value
        if kind < 2:
            m[key + "/node"] = nodes[node]
            junction = nodes[node] in m["junctions"]
            m[key + "/level_m"] = level * (f.pressure if junction else f.length)
        else:
            m[key + "/time_s"] = level


def _action(m, link, setting, f):
    """Status and setting of a control or action."""
    if abs(setting) == MISSING:
        return ("OPEN" if setting > 0 else "CLOSED"), None
    valve = m.get("link %s/type" % link)
    if valve == "GPV":
        return UNTOLD, UNTOLD  # the toolkit gives the number of its curve, open or closed
    if valve:
        return "ACTIVE", setting * f.setting(valve)
    return ("CLOSED" if setting == 0 else "OPEN"), (setting if link in m["pumps"] else None)


def _epanet_rules(tk, m, f, names):
    nodes, links, _, _ = names
    n = tk.count(6)
    m["rules"] = n
    for i in range(1, n + 1):
        key = "rule %d" % i
        premises, then, other, priority = tk.call("EN_getrule", [i], "iiid")
        m[key + "/name"] = tk.call("EN_getruleID", [i], "s")
        m[key + "/priority"] = priority
        m[key + "/enabled"] = bool(tk.call("EN_getruleenabled", [i], "i"))
        m[key + "/counts"] = [premises, then, other]
        for k in range(1, premises + 1):
            logic, what, index, variable, relation, status, value = tk.call("EN_getpremise", [i, k], "iiiiiid")
            at = "%s/premise %d" % (key, k)
            m[at + "/logic"] = "IF" if k == 1 else {2: "AND", 3: "OR"}.get(logic, logic)
            m[at + "/object"] = ["node", nodes[index]] if what == 6 else ["link", links[index]] if what == 7 else ["system", None]
            variable = VARIABLES[variable]
            m[at + "/variable"] = variable
            m[at + "/relation"] = RELATIONS[relation]
            m[at + "/status"] = {1: "OPEN", 2: "CLOSED", 3: "ACTIVE"}.get(status)
            factor = {"DEMAND": f.flow, "FLOW": f.flow, "HEAD": f.length, "GRADE": f.length, "LEVEL": f.length}.get(variable, 1.0)
            if variable == "PRESSURE":
                factor = f.pressure
            elif variable == "SETTING":
                factor = f.setting(m.get("link %s/type" % links[index]))
            m[at + "/value"] = None if abs(value) == MISSING else value * factor
        for name, call, count in (("then", "EN_getthenaction", then), ("else", "EN_getelseaction", other)):
            for k in range(1, count + 1):
                link, status, setting = tk.call(call, [i, k], "iid")
                at = "%s/%s %d" % (key, name, k)
                m[at + "/link"] = links[link]
                if status > 0:
                    m[at + "/status"] = {1: "OPEN", 2: "CLOSED", 3: "ACTIVE"}[status]
                    m[at + "/setting"] = None
                else:
                    m[at + "/status"], m[at + "/setting"] = _action(m, links[link], setting, f)


# ---- Sluice -----------------------------------------------------------------------------------------------------


def sluice_json(path):
    """(exit code, the model as Sluice writes it or None, what it said)."""
    done = subprocess.run([peers.sluice_program(), "convert", path, "-", "--to", "json"], capture_output=True, check=False)
    text = done.stderr.decode("utf-8", "replace")
    return done.returncode, json.loads(done.stdout) if done.returncode == 0 else None, text


def sluice_model(net, f):
    """The JSON under the same names as epanet_model's."""
    m = {"title": (net["title"] + ["", "", ""])[:3]}
    for group in ("hydraulics", "quality", "energy", "times"):
        for key, value in net[group].items():
            m[group + "/" + key] = value
    for key in ("hydraulics/default_pattern", "energy/price_pattern", "quality/trace_node"):
        m.setdefault(key, None)
    m["times/statistic"] = m["times/statistic"].upper()
    sources = {s["node"]: [s["type"], s["strength"], s.get("pattern")] for s in net["sources"]}
    curves = {}
    for c in net["curves"]:
        curves.setdefault(c["id"], []).append(c)
    for kind in ("junctions", "reservoirs", "tanks"):
        m[kind] = [n["id"] for n in net[kind]]
        for n in net[kind]:
            _sluice_node(m, kind, n, net, curves)
            m["node " + n["id"] + "/source"] = sources.get(n["id"])
    for kind in ("pipes", "pumps", "valves"):
        m[kind] = [n["id"] for n in net[kind]]
        for n in net[kind]:
            _sluice_link(m, kind, n, net, f)
    _sluice_tables(m, net, f, curves)
    _sluice_controls(m, net)
    return m


def _sluice_node(m, kind, n, net, curves):
    key = "node " + n["id"]
    for name in ("note", "tag", "x", "y"):
        m[key + "/" + name] = n.get(name)
    m[key + "/note"] = _note(n.get("note"))
    m[key + "/initial_quality"] = n.get("initial_quality", 0.0)
    if kind == "reservoirs":
        m[key + "/head_m"], m[key + "/pattern"] = n["head_m"], n.get("pattern")
        return
    m[key + "/elevation_m"] = n["elevation_m"]
    if kind == "junctions":
        m[key + "/emitter_coef"] = n.get("emitter_coef", 0.0)
        m[key + "/demands"] = len(n["demands"])
        for k, d in enumerate(n["demands"], 1):
            at = "%s/demand %d" % (key, k)
            m[at + "/base"], m[at + "/pattern"] = d["base_m3_per_s"], d.get("pattern")
            m[at + "/category"] = _note(d.get("category"))
        return
    for name in ("level_init_m", "level_min_m", "level_max_m", "overflow", "mixing"):
        m[key + "/" + name] = n[name]
    curve = n.get("volume_curve")
    m[key + "/volume_curve"] = curve
    m[key + "/diameter_m"] = None if curve else n["diameter_m"]
    m[key + "/mix_fraction"] = n.get("mix_fraction", 1.0)
    m[key + "/bulk_coef_per_s"] = n.get("bulk_coef_per_s", net["quality"]["bulk_coef_per_s"])
    area = math.pi / 4 * n["diameter_m"] ** 2
    least = n.get("volume_min_m3", 0.0) or area * n["level_min_m"]
    for name in ("min", "init", "max"):
        level = n["level_%s_m" % name]
        if curve:
            volume = [c for c in curves[curve] if c["use"].upper() == "VOLUME"]
            m[key + "/volume_%s_m3" % name] = _interpolate(volume[0]["level_m"], volume[0]["volume_m3"], level) if volume else None
        else:
            m[key + "/volume_%s_m3" % name] = least + area * (level - n["level_min_m"])


def _interpolate(xs, ys, x):
    """As EPANET: flat below the first point and beyond the last."""
    if x <= xs[0]:
        return ys[0]
    for i in range(1, len(xs)):
        if x <= xs[i]:
            return ys[i] - (xs[i] - x) * (ys[i] - ys[i - 1]) / (xs[i] - xs[i - 1])
    return ys[-1]


def _wall_coef(net, roughness, diameter, f):
    """Of a pipe without its own: the global one, or by correlation with the roughness (raw numbers for Darcy-Weisbach)."""
    factor = net["quality"]["roughness_correlation"]
    if factor == 0.0:
        return net["quality"]["wall_coef"]
    formula = net["hydraulics"]["headloss"]
    if formula == "D-W":
        return factor / abs(math.log(roughness / f.roughness / (diameter / f.diameter)))
    return factor / roughness if formula == "H-W" else factor * roughness


def _sluice_link(m, kind, n, net, f):
    key = "link " + n["id"]
    m[key + "/note"], m[key + "/tag"] = _note(n.get("note")), n.get("tag")
    m[key + "/ends"] = [n["from"], n["to"]]
    m[key + "/vertices"] = n.get("vertices", [])
    m[key + "/status"] = n["status"].upper()
    if kind == "pipes":
        for name in ("length_m", "diameter_m"):
            m[key + "/" + name] = n[name]
        m[key + "/roughness"] = n["roughness_m"] if "roughness_m" in n else n["roughness"]
        m[key + "/minor_loss"] = n.get("minor_loss", 0.0)
        m[key + "/bulk_coef_per_s"] = n.get("bulk_coef_per_s", net["quality"]["bulk_coef_per_s"])
        m[key + "/wall_coef"] = n["wall_coef"] if "wall_coef" in n else _wall_coef(net, m[key + "/roughness"], n["diameter_m"], f)
        m[key + "/leak_area"] = n.get("leak_area_m2_per_m", 0.0)
        m[key + "/leak_expansion"] = n.get("leak_expansion_m2_per_m2", 0.0)
    elif kind == "pumps":
        m[key + "/speed"] = n["speed"]
        for name in ("head_curve", "speed_pattern", "efficiency_curve", "price_pattern"):
            m[key + "/" + name] = n.get(name)
        m[key + "/power_w"] = n.get("power_w", 0.0)
        m[key + "/price_per_kwh"] = n.get("price_per_kwh", 0.0)
    else:
        m[key + "/type"], m[key + "/diameter_m"] = n["type"], n["diameter_m"]
        m[key + "/minor_loss"], m[key + "/curve"] = n.get("minor_loss", 0.0), n.get("curve")
        settings = [n[name] for name in n if name.startswith("setting")]
        m[key + "/setting"] = settings[0] if settings else None


def _sluice_tables(m, net, f, curves):
    m["patterns"] = sorted(p["id"] for p in net["patterns"])
    for p in net["patterns"]:
        m["pattern %s/multipliers" % p["id"]] = p["multipliers"]
        m["pattern %s/note" % p["id"]] = _note(p.get("note"))
    m["curves"] = sorted(curves)
    for name, uses in curves.items():
        # A curve that is used in two ways appears twice; both must be the file's numbers.
        points = []
        for c in uses:
            axes = [c[key] for key in c if isinstance(c[key], list)]
            fx, fy = f.curve(c["use"].upper())
            points.append([[x / fx, y / fy] for x, y in zip(*axes)])
        same = all(_same(points[0], other, 0.0) for other in points)
        m["curve %s/points" % name] = points[0] if same else points
        m["curve %s/use" % name] = [c["use"].upper() for c in uses]
        m["curve %s/note" % name] = _note(uses[0].get("note"))


def _sluice_controls(m, net):
    m["controls"] = len(net["controls"])
    for i, c in enumerate(net["controls"], 1):
        for name in ("link", "enabled", "when", "node", "level_m", "time_s"):
            if name in c:
                m["control %d/%s" % (i, name)] = c[name]
        m["control %d/status" % i], m["control %d/setting" % i] = c["status"].upper(), c.get("setting")
    m["rules"] = len(net["rules"])
    for i, r in enumerate(net["rules"], 1):
        key = "rule %d" % i
        for name in ("name", "priority", "enabled"):
            m[key + "/" + name] = r[name]
        m[key + "/counts"] = [len(r["premises"]), len(r["then"]), len(r["else"])]
        for k, p in enumerate(r["premises"], 1):
            at = "%s/premise %d" % (key, k)
            kind = "node" if "node" in p else "link" if "link" in p else "system"
            m[at + "/logic"], m[at + "/object"] = p["logic"], [kind, p.get(kind)]
            m[at + "/variable"], m[at + "/relation"] = p["variable"], p["relation"]
            m[at + "/status"] = p["status"].upper() if "status" in p else None
            m[at + "/value"] = p.get("value")
        for name in ("then", "else"):
            for k, a in enumerate(r[name], 1):
                at = "%s/%s %d" % (key, name, k)
                m[at + "/link"], m[at + "/status"], m[at + "/setting"] = a["link"], a["status"].upper(), a.get("setting")


# ---- Comparing --------------------------------------------------------------------------------------------------


def _same(a, b, slack):
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(_same(x, y, slack) for x, y in zip(a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)) and not isinstance(a, bool):
        return a == b or abs(a - b) <= RELATIVE * max(abs(a), abs(b)) + max(slack, 1e-15)
    return a == b


def _slack(key, m):
    name = key.rsplit("/", 1)[-1]
    if name.startswith("level") or name in ("elevation_m", "head_m"):
        return LEVEL
    if name.startswith("volume_"):
        return LEVEL * abs(m.get(key.rsplit("/", 1)[0] + "/volume_max_m3") or 1.0)
    if name == "value":
        return 0.02 if m.get(key.rsplit("/", 1)[0] + "/variable") in ("TIME", "CLOCKTIME") else 0.0
    return 0.0


def _truncated_time(key, epanet, sluice, _):
    return key.startswith("control") and key.endswith("/time_s") and epanet == sluice - 1


def _long_text(key, epanet, sluice, _):
    if not epanet or not sluice or not isinstance(epanet, str):
        return False
    room = {"category": 31, "note": 255}.get(key.rsplit("/", 1)[-1], 0)
    return room and len(sluice.encode()) > room - 3 and sluice.startswith(epanet[: room - 3])


def _long_title(key, epanet, sluice, _):
    return key == "title" and all(a.rstrip() == b[:79].rstrip() or b.startswith(a) and len(a) > 75 for a, b in zip(epanet, sluice))


def _shared_curve(key, epanet, sluice, _):
    return key.startswith("curve") and key.endswith("/use") and epanet in sluice


def _first_word(key, epanet, sluice, _):
    return key.endswith("/tag") and bool(epanet) and len(sluice.split()) > 1 and sluice.split()[0].startswith(epanet)


def _long_pattern(key, epanet, sluice, _):
    if not key.endswith("/multipliers") or not 39 <= len(epanet) < len(sluice):
        return False
    rest = iter(sluice)
    return all(x in rest for x in epanet)


def _header_as_note(key, epanet, sluice, _):
    return key.startswith(("pattern", "curve")) and key.endswith("/note") and sluice is None and epanet is not None


# (what it is called, does it explain the difference?)
KNOWN = [
    ("EPANET 2.3.5 cuts control times where it means to round them: 8:00:01 becomes 8:00:00", _truncated_time),
    ("EPANET cuts long comments; Sluice keeps them whole", _long_text),
    ("EPANET keeps less than 80 bytes of a title line", _long_title),
    ("EPANET keeps the first word of a tag", _first_word),
    ("EPANET up to 2.3.5 reads 39 multipliers of a line", _long_pattern),
    ("a curve that is used in two ways: EPANET keeps the last", _shared_curve),
    ("EPANET takes any comment above a pattern or curve for its description, also a line that names the columns", _header_as_note),
]


def compare(epanet, sluice):
    """Differences as (name, EPANET's value, Sluice's value, why it is known or None)."""
    found = []
    for key in sorted(epanet):
        if epanet[key] == UNTOLD:
            continue
        if key.endswith("/use") and key.startswith("curve"):
            if sluice.get(key) == [epanet[key]]:
                continue
        elif key in sluice and _same(epanet[key], sluice[key], _slack(key, epanet)):
            continue
        other = sluice.get(key, "nothing")
        why = next((text for text, explains in KNOWN if explains(key, epanet[key], other, epanet)), None)
        found.append((key, epanet[key], other, why))
    return found


def guarded(call, *args):
    """call(*args) in a process of its own: EPANET crashes on some inputs. Returns its result, or the exception."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        try:
            result = call(*args)
        except Exception as error:
            result = error
        with os.fdopen(write, "wb") as out:
            pickle.dump(result, out)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as source:
        data = source.read()
    _, status = os.waitpid(pid, 0)
    if status:
        return ChildProcessError("EPANET crashed (signal %d)" % (status & 127))
    result = pickle.loads(data)
    return RuntimeError(result) if isinstance(result, KeyError) else result


def both(path, scratch):
    """(EPANET's verdict, Sluice's verdict, differences or None). A verdict is None when the file is taken."""
    got = guarded(epanet_model, path, scratch)
    code, net, text = sluice_json(path)
    sluice_verdict = None if code == 0 else text.strip() or "exit code %d" % code
    if isinstance(got, Exception):
        if isinstance(got, (TypeError, RuntimeError)):
            raise got
        return str(got), sluice_verdict, None
    if net is None:
        return None, sluice_verdict, None
    model, factors = got
    return None, None, compare(model, sluice_model(net, factors))


def _files(names):
    for name in names:
        if os.path.isdir(name):
            for folder, _, files in sorted(os.walk(name)):
                for file in sorted(files):
                    if file.lower().endswith(".inp"):
                        yield os.path.join(folder, file)
        else:
            yield name


def main(argv):
    show_known = "--known" in argv
    names = [a for a in argv if not a.startswith("-")] or [os.path.join(peers.ROOT, "examples")]
    n = same = n_known = bad = refused = 0
    files, home = [(path, os.path.abspath(path)) for path in _files(names)], os.getcwd()
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)  # EPANET keeps files of its own where it runs
        for path, whole in files:
            n += 1
            epanet, sluice, found = both(whole, scratch)
            if found is None:
                if epanet and sluice:
                    refused += 1
                else:
                    bad += 1
                    print("%s: %s" % (path, "EPANET: " + epanet if epanet else "only Sluice refuses it: " + sluice.split("\n")[0]))
                continue
            news = [d for d in found if not d[3]]
            n_known += len(found) - len(news)
            same += not news
            bad += bool(news)
            for key, a, b, why in found if show_known else news:
                print("%s: %s: EPANET %r, Sluice %r%s" % (path, key, a, b, " [%s]" % why if why else ""))
        os.chdir(home)
    print(
        "%d files: %d mean the same, %d are refused by both, %d differ; %d known differences in detail"
        % (n, same, refused, bad, n_known)
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
