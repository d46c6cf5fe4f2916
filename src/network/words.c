/* SPDX-License-Identifier: MIT */
/* words.c: the words of the .inp format; see words.h. */
#include "network/words.h"

const char *const sl_flow_words[SL_FLOW_UNIT_COUNT + 1] = {"CFS", "GPM", "MGD", "IMGD", "AFD", "LPS",
                                                           "LPM", "MLD", "CMH", "CMD",  "CMS"};
const char *const sl_pressure_words[SL_PRESSURE_UNIT_COUNT] = {"PSI", "KPA", "METERS", "BAR", "FEET"};
const char *const sl_headloss_words[3] = {"H-W", "D-W", "C-M"};
const char *const sl_valve_words[SL_VALVE_KIND_COUNT] = {"PRV", "PSV", "PBV", "FCV", "TCV", "GPV", "PCV"};
const char *const sl_status_words[3] = {"Closed", "Open", "Active"};
const char *const sl_curve_words[SL_CURVE_KIND_COUNT] = {"GENERIC", "PUMP",     "EFFICIENCY",
                                                         "VOLUME",  "HEADLOSS", "VALVE"};
const char *const sl_mixing_words[4] = {"MIXED", "2COMP", "FIFO", "LIFO"};
const char *const sl_source_words[4] = {"CONCEN", "MASS", "SETPOINT", "FLOWPACED"};
const char *const sl_statistic_words[5] = {"NONE", "AVERAGED", "MINIMUM", "MAXIMUM", "RANGE"};
const char *const sl_field_words[SL_REPORT_FIELD_COUNT] = {"Elevation", "Demand",   "Head",    "Pressure", "Quality",
                                                           "Length",    "Diameter", "Flow",    "Velocity", "Headloss",
                                                           "LinkQual",  "State",    "Setting", "Reaction", "F-Factor"};
const char *const sl_rule_variable_words[SL_RULE_VARIABLE_COUNT] = {
    "DEMAND",  "HEAD",  "GRADE", "LEVEL",     "PRESSURE", "FLOW",     "STATUS",
    "SETTING", "POWER", "TIME",  "CLOCKTIME", "FILLTIME", "DRAINTIME"};
const char *const sl_rule_operator_words[SL_RULE_OPERATOR_COUNT] = {"=", "<>", "<=", ">=", "<", ">"};
const char *const sl_node_kind_words[3] = {"junction", "reservoir", "tank"};
const char *const sl_link_kind_words[3] = {"pipe", "pump", "valve"};

const char *sl_flow_unit_word(sl_flow_unit unit) {
    return sl_flow_words[unit];
}

const char *sl_pressure_unit_word(sl_pressure_unit unit) {
    return sl_pressure_words[unit];
}

const char *sl_headloss_word(sl_headloss headloss) {
    return sl_headloss_words[headloss];
}

const char *sl_valve_kind_word(sl_valve_kind kind) {
    return sl_valve_words[kind];
}

bool sl_flow_unit_parse(sl_str word, sl_flow_unit *out) {
    for (int i = 0; i < SL_FLOW_UNIT_COUNT; i++) {
        if (sl_str_equal_nocase(word, sl_str_z(sl_flow_words[i]))) {
            *out = (sl_flow_unit)i;
            return true;
        }
    }
    return false;
}
