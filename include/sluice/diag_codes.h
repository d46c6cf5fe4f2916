/* SPDX-License-Identifier: MIT */
/* sluice/diag_codes.h: every diagnostic code, once. Words are stable: they are never renamed or reused. */
#ifndef SLUICE_DIAG_CODES_H
#define SLUICE_DIAG_CODES_H

/* clang-format off */
#define SL_CODE_LIST(X) \
    X(NONE,               "none",               "no code") \
    /* text and syntax */ \
    X(NOT_TEXT,           "not-text",           "the input is not a text model (binary data or another encoding)") \
    X(NOT_EPANET,         "not-epanet",         "the file is a model of another program") \
    X(NO_SECTIONS,        "no-sections",        "no [SECTION] heading was found") \
    X(NO_LINE_END,        "no-line-end",        "the last line has no line end: the file may be cut off") \
    X(NO_END,             "no-end",             "text follows the [END] heading and is not read") \
    X(UNKNOWN_SECTION,    "unknown-section",    "the section is not one that EPANET defines") \
    X(UNKNOWN_OPTION,     "unknown-option",     "the option or setting is not one that EPANET defines") \
    X(UNKNOWN_KEYWORD,    "unknown-keyword",    "a keyword was expected here") \
    X(MISSING_VALUE,      "missing-value",      "the line ends before a value that is needed") \
    X(NOT_A_NUMBER,       "not-a-number",       "a number was expected") \
    X(NUMBER_RANGE,       "number-range",       "the number cannot be represented") \
    X(NOT_A_TIME,         "not-a-time",         "a time was expected") \
    X(VALUE_RANGE,        "value-range",        "the value is outside the range that makes sense") \
    X(LONG_LINE,          "long-line",          "the line holds more than EPANET reads of it") \
    X(SYNTAX,             "syntax",             "the line does not have the form it should have") \
    X(ORPHAN_LINE,        "orphan-line",        "a data line before the first section, or a clause outside a rule") \
    X(UNKNOWN_KEY,        "unknown-key",        "the key is not one that is known here") \
    X(DUPLICATE_KEY,      "duplicate-key",      "the key is given twice in one map") \
    X(WRONG_TYPE,         "wrong-type",         "the value is of another type than is needed here") \
    X(UNIT,               "unit",               "the unit is not known, or is one of something else") \
    /* identity and reference */ \
    X(DUPLICATE_ID,       "duplicate-id",       "the id is already taken by another object of this kind") \
    X(BAD_ID,             "bad-id",             "the id is empty or has characters that files cannot carry") \
    X(LONG_ID,            "long-id",            "the id is longer than EPANET's 31 bytes") \
    X(UNKNOWN_NODE,       "unknown-node",       "no node has this id") \
    X(UNKNOWN_LINK,       "unknown-link",       "no link has this id") \
    X(UNKNOWN_PATTERN,    "unknown-pattern",    "no pattern has this id") \
    X(UNKNOWN_CURVE,      "unknown-curve",      "no curve has this id") \
    X(UNKNOWN_NAME,       "unknown-name",       "nothing of this name is declared") \
    X(WRONG_KIND,         "wrong-kind",         "the object exists but is of a kind that cannot be used here") \
    /* the model as a whole */ \
    X(SELF_LOOP,          "self-loop",          "the link joins a node to itself") \
    X(UNCONNECTED,        "unconnected",        "the node has no link") \
    X(NO_SOURCE,          "no-source",          "the network has no reservoir or tank") \
    X(NO_NODES,           "no-nodes",           "the network has no junctions or too few nodes") \
    X(TANK_LEVELS,        "tank-levels",        "minimum, initial and maximum level are not in order") \
    X(CURVE_SHAPE,        "curve-shape",        "the curve's points do not rise or do not cover what is needed") \
    X(PUMP_CURVE,         "pump-curve",         "the pump's curve does not describe a pump") \
    X(NO_PUMP_DATA,       "no-pump-data",       "the pump has neither a head curve nor a power") \
    X(VALVE_PLACE,        "valve-place",        "the valve stands where its kind cannot work") \
    X(PATTERN_EMPTY,      "pattern-empty",      "the pattern has no multipliers") \
    X(CURVE_EMPTY,        "curve-empty",        "the curve has no points") \
    X(CONTROL,            "control",            "the control cannot act as written") \
    X(RULE,               "rule",               "the rule is incomplete or cannot act as written") \
    X(ADJUSTED,           "adjusted",           "a value was changed to one that works, as EPANET does") \
    X(LEGACY,             "legacy",             "an old form of the file format, read with its old meaning") \
    X(IGNORED,            "ignored",            "the line is kept in the file but has no effect") \
    X(NO_COORDINATES,     "no-coordinates",     "an object has no place on the map") \
    /* simulation, sessions and results */ \
    X(NOT_BALANCED,       "not-balanced",       "a step of the simulation did not come to a balance") \
    X(UNSERVED,           "unserved",           "demand cannot be delivered: no open way leads from a source, or flow limits stand in it") \
    X(NEGATIVE_PRESSURE,  "negative-pressure",  "a junction that is served has a pressure below zero") \
    X(PUMP_HEAD,          "pump-head",          "the pump is closed: it stands against more head than it adds") \
    X(PUMP_FLOW,          "pump-flow",          "the pump delivers more than its curve covers") \
    X(VALVE_UNABLE,       "valve-unable",       "the valve cannot hold its setting") \
    X(STIFF_TANK,         "stiff-tank",         "the tank is so small for its flows that the time step decides its level") \
    X(COARSE_STEP,        "coarse-step",        "the quality step is long for how fast a substance reacts") \
    X(TANK_STATE,         "tank-state",         "the tank starts to fill, to empty or to overflow, or stands still") \
    X(LINK_STATUS,        "link-status",        "the link opens, closes, or takes another setting") \
    X(CONTROL_ACTED,      "control-acted",      "a control or rule changed a link") \
    X(RULE_LOGIC,         "rule-logic",         "the rule mixes AND and OR: two ways of reading it differ") \
    X(STATUS_CYCLE,       "status-cycle",       "links keep opening and closing without coming to rest") \
    X(STATE,              "state",              "the saved state cannot be used here") \
    X(VARIABLE,           "variable",           "there is no such variable, or it cannot be set so") \
    X(NOT_ALLOWED,        "not-allowed",        "the call is not allowed here") \
    X(CHATTERING,         "chattering",         "switches follow each other so fast that the simulation hardly advances") \
    X(UNSOLVABLE,         "unsolvable",         "equations that hold at the same time have no solution") \
    X(NONDETERMINISTIC,   "nondeterministic",   "equations have several solutions: the model does not say which") \
    X(ZENO,               "zeno",               "an execution makes no progress: a state repeats, or events come ever faster") \
    X(STEP_FAILED,        "step-failed",        "the simulation cannot go on") \
    X(OVERDETERMINED,     "overdetermined",     "a part of the equations has fewer unknowns than equations") \
    X(UNDERDETERMINED,    "underdetermined",    "a part of the unknowns has fewer equations than unknowns") \
    X(HIGH_INDEX,         "high-index",         "equations constrain variables whose derivatives others determine") \
    X(INCONSISTENT,       "inconsistent",       "no values were found that satisfy all equations") \
    X(CONFLICT,           "conflict",           "two parts of a model want different values for one variable") \
    X(RESULT_FILE,        "result-file",        "the file of results is damaged, cut off or of another kind") \
    X(NOT_COMPARABLE,     "not-comparable",     "the result files differ in kind: elements, units, times or options") \
    X(NOT_FINITE,         "not-finite",         "a result is not a number and was written as 0") \
    X(NOT_THIS_MODEL,     "not-this-model",     "the result is not one of this model, or cannot be verified against it") \
    X(UNSOUND,            "unsound",            "a saved result does not satisfy the model") \
    X(WAVE_SPEED,         "wave-speed",         "the time step would change a wave speed by more than the limit") \
    X(CAVITY,             "cavity",             "the water column breaks, or closes again") \
    X(ALARM,              "alarm",              "a surge run broke a bound that physics sets") \
    X(NO_SUPPLY,          "no-supply",          "a node has no open way to a reservoir or tank") \
    X(PARTNER,            "partner",            "the partner of a co-simulation did not do as it should") \
    X(IO,                 "io",                 "reading or writing outside the program failed") \
    X(LIMIT,              "limit",              "a limit that was set for the run is broken") \
    X(TABLE_RANGE,        "table-range",        "a value is outside the points of a table")
/* clang-format on */

#endif
