/* SPDX-License-Identifier: MIT */
/* study_measures.c: flows, heads and pressures of a study.
 *
 * A bare number is SI. In a study of a network in other units its author may have meant the network's: 18 in a network of litres
 * per second would be 18 m3/s. So there a bare flow, head or pressure is an error that shows both readings; 0 is the same in all.
 */
#include "surge/study_impl.h"

#include <string.h>

#include <sluice/units.h>

#include "base/ids.h"
#include "base/number.h"
#include "base/out.h"

const sl_study_measure sl_study_plain = {NULL, SL_STUDY_NUMBER}, sl_study_length = {"m", SL_STUDY_NUMBER},
                       sl_study_flow = {"m3/s", SL_STUDY_FLOW}, sl_study_head = {"m", SL_STUDY_HEAD},
                       sl_study_pressure = {"m", SL_STUDY_PRESSURE};

/* As sluice/units.h knows them, so that the remedy can be typed as it is shown. */
static const char *const flow_units[SL_FLOW_UNIT_COUNT] = {
    [SL_CFS] = "ft3/s", [SL_GPM] = "gpm",  [SL_MGD] = "Mgal/d", [SL_IMGD] = "impMgal/d",
    [SL_AFD] = "afd",   [SL_LPS] = "L/s",  [SL_LPM] = "L/min",  [SL_MLD] = "ML/d",
    [SL_CMH] = "m3/h",  [SL_CMD] = "m3/d", [SL_CMS] = "m3/s",
};
static const char *const pressure_units[SL_PRESSURE_UNIT_COUNT] = {"psi", "kPa", "m", "bar", "ft"};

static const char *unit_of_network(const sl_network *net, const sl_study_measure *of) {
    switch (of->kind) {
    case SL_STUDY_FLOW: return flow_units[net->hydraulics.flow_unit];
    case SL_STUDY_HEAD: return sl_flow_unit_is_metric(net->hydraulics.flow_unit) ? "m" : "ft";
    case SL_STUDY_PRESSURE: return pressure_units[net->hydraulics.pressure_unit];
    default: return of->unit;
    }
}

/* False and an error: a bare number that can be read in two ways. */
static bool is_clear(sl_study *s, const sl_yaml_node *node, const sl_study_measure *of) {
    double x;
    if (of->kind == SL_STUDY_NUMBER || !s->net || node->kind != SL_YAML_SCALAR ||
        sl_number_parse(node->text, &x) != SL_NUMBER_OK || x == 0.0) {
        return true;
    }
    const char *unit = unit_of_network(s->net, of);
    if (strcmp(unit, of->unit) == 0) {
        return true;
    }
    char number[SL_QUOTE_MAX], hint[2 * SL_QUOTE_MAX + 64];
    int n = (int)(node->text.len < 40 ? node->text.len : 40);
    (void)sl_format(number, sizeof number, "%.*s", n, node->text.ptr);
    (void)sl_format(hint, sizeof hint, "write `%s %s` or `%s %s`", number, unit, number, of->unit);
    sl_yaml_report(s->doc, node, SL_ERROR, SL_CODE_UNIT, hint,
                   "%s has no unit: it may be %s %s, as in the network, or %s %s", number, number, unit, number,
                   of->unit);
    return false;
}

/* Does the text end in a unit of pressure? */
static bool has_pressure_unit(const sl_yaml_node *node) {
    const sl_unit *pascal = sl_unit_find(sl_str_z("Pa"));
    bool found = false;
    for (size_t i = 0; node->kind == SL_YAML_SCALAR && i < node->text.len && !found; i++) {
        const sl_unit *unit = sl_unit_find((sl_str){node->text.ptr + i, node->text.len - i});
        bool digit_before = i > 0 && strchr("0123456789. \t", node->text.ptr[i - 1]);
        found = unit && digit_before && sl_unit_same_dimension(unit, pascal);
    }
    return found;
}

bool sl_study_as_measure(sl_study *s, const sl_yaml_node *node, unsigned flags, const sl_study_measure *of,
                         double *out) {
    bool pascals = of->kind == SL_STUDY_PRESSURE && has_pressure_unit(node);
    double x = 0.0;
    if (!sl_yaml_as_number(s->doc, node, flags, pascals ? "Pa" : of->unit, &x) || !is_clear(s, node, of)) {
        return false;
    }
    if (pascals) {
        sl_surge_fluid fluid = s->fluid;
        (void)sl_surge_fluid_complete(&fluid, s->net ? s->net->hydraulics.specific_gravity : 1.0,
                                      s->net ? s->net->hydraulics.viscosity : 1e-6);
        x /= fluid.density * fluid.gravity;
    }
    *out = x;
    return true;
}

bool sl_study_take(sl_study *s, sl_yaml_map *m, const char *key, unsigned flags, const sl_study_measure *of,
                   double *out) {
    const sl_yaml_node *node = sl_yaml_get(m, key, flags);
    return node && sl_study_as_measure(s, node, flags, of, out);
}
