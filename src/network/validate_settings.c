/* SPDX-License-Identifier: MIT */
/* validate_settings.c: options, times and report settings within what a file can say. The reader has judged those of a
 * file line by line, so that only settings made by calls can fail here. See validate.h. */
#include "network/validate.h"

#include "network/epanet_units.h"

#include <math.h>
#include <stddef.h>

typedef struct limits {
    const char *what;
    size_t offset; /* of a double in sl_network */
    double low, high;
    bool above; /* low itself is too low */
} limits;

#define OPTION(member, what) what, offsetof(sl_network, member)

static const limits numbers[] = {
    {OPTION(hydraulics.accuracy, "accuracy"), 1e-5, 0.1, false},
    {OPTION(hydraulics.specific_gravity, "specific gravity"), 1e-4, 1e4, true},
    {OPTION(hydraulics.viscosity, "viscosity"), 0.0, HUGE_VAL, true},
    {OPTION(hydraulics.demand_multiplier, "demand multiplier"), 0.0, 1e9, true},
    {OPTION(hydraulics.emitter_exponent, "emitter exponent"), 0.0, 20.0, true},
    {OPTION(hydraulics.pressure_exponent, "pressure exponent"), 0.0, 100.0, true},
    {OPTION(hydraulics.pressure_min, "minimum pressure"), 0.0, HUGE_VAL, false},
    {OPTION(hydraulics.head_error, "head error"), 0.0, HUGE_VAL, false},
    {OPTION(hydraulics.flow_change, "flow change"), 0.0, HUGE_VAL, false},
    {OPTION(hydraulics.head_tolerance, "head tolerance"), 0.0, HUGE_VAL, true},
    {OPTION(hydraulics.flow_tolerance, "flow tolerance"), 0.0, HUGE_VAL, true},
    {OPTION(hydraulics.rq_tolerance, "RQTOL"), 0.0, 0.9999999999999999, true},
    {OPTION(hydraulics.damp_limit, "damp limit"), -HUGE_VAL, HUGE_VAL, false},
    {OPTION(quality.tolerance, "quality tolerance"), 0.0, HUGE_VAL, false},
    {OPTION(quality.diffusivity, "diffusivity"), 0.0, HUGE_VAL, false},
    {OPTION(quality.bulk_order, "bulk order"), -HUGE_VAL, HUGE_VAL, false},
    {OPTION(quality.tank_order, "tank order"), -HUGE_VAL, HUGE_VAL, false},
    {OPTION(quality.bulk_coef, "bulk coefficient"), -HUGE_VAL, HUGE_VAL, false},
    {OPTION(quality.wall_coef, "wall coefficient"), -HUGE_VAL, HUGE_VAL, false},
    {OPTION(quality.limit_potential, "limiting potential"), 0.0, HUGE_VAL, false},
    {OPTION(quality.roughness_factor, "roughness correlation"), -HUGE_VAL, HUGE_VAL, false},
    {OPTION(energy.price, "energy price"), 0.0, HUGE_VAL, false},
    {OPTION(energy.efficiency, "pump efficiency"), 0.0, HUGE_VAL, true},
    {OPTION(energy.demand_charge, "demand charge"), 0.0, HUGE_VAL, false},
    {OPTION(times.duration, "duration"), 0.0, 1e12, false},
    {OPTION(times.hydraulic_step, "hydraulic time step"), 0.0, 1e12, false},
    {OPTION(times.quality_step, "quality time step"), 0.0, 1e12, false},
    {OPTION(times.rule_step, "rule time step"), 0.0, 1e12, false},
    {OPTION(times.pattern_step, "pattern time step"), 0.0, 1e12, false},
    {OPTION(times.pattern_start, "pattern start"), 0.0, 1e12, false},
    {OPTION(times.report_step, "report time step"), 0.0, 1e12, false},
    {OPTION(times.report_start, "report start"), 0.0, 1e12, false},
    {OPTION(times.start_clock, "start time of day"), 0.0, 1e12, false},
};

static void fault(sl_validation *v, const char *what, const char *text) {
    sl_report(v->diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, "option", what, NULL, "%s", text);
    v->n_error++;
}

static void check_whole(sl_validation *v, const char *what, int32_t x, int32_t low, int32_t high) {
    if (x < low || x > high) {
        fault(v, what, "the value is outside the range that files allow");
    }
}

/* 0.1 of the file's pressure unit, as EPANET wants it; the reader has said so about files. */
static void check_pressures(sl_validation *v) {
    const sl_hydraulic_options *h = &v->net->hydraulics;
    double factor[SL_Q_COUNT];
    sl_unit_system units = sl_network_units(h, &v->net->quality);
    sl_epanet_factors(&units, factor);
    double gap = h->pressure_required - h->pressure_min;
    if (!v->locate && h->demand_model == SL_PDA && gap > 0.0 && gap < 0.1 * factor[SL_Q_PRESSURE] * (1.0 - 1e-9)) {
        fault(v, "required pressure", "it must be at least 0.1 pressure units above the minimum pressure");
    }
}

static void check_report(sl_validation *v) {
    const sl_report_options *r = &v->net->report;
    check_whole(v, "page size", r->page_size, 0, 255);
    check_whole(v, "report status", r->status, 0, 2);
    for (int k = 0; k < SL_REPORT_FIELD_COUNT; k++) {
        check_whole(v, "report precision", r->field[k].precision, 0, 17);
        if (isinf(r->field[k].below) || isinf(r->field[k].above)) {
            fault(v, "report limit", "a limit must be a finite number, or NaN for none");
        }
    }
}

void sl_validate_settings(sl_validation *v) {
    const sl_network *net = v->net;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double x = *(const double *)(const void *)((const char *)net + numbers[i].offset);
        bool ok = isfinite(x) && x <= numbers[i].high && (numbers[i].above ? x > numbers[i].low : x >= numbers[i].low);
        if (!ok) {
            fault(v, numbers[i].what, "the value is outside the range that makes sense");
        }
    }
    check_whole(v, "trials", net->hydraulics.trials, 1, 1000000000);
    check_whole(v, "check frequency", net->hydraulics.check_freq, 1, 1000000000);
    check_whole(v, "maximum checks", net->hydraulics.max_check, 1, 1000000000);
    check_whole(v, "extra trials", net->hydraulics.unbalanced_extra, -1, 1000000000);
    check_whole(v, "wall order", net->quality.wall_order, 0, 1);
    if (net->quality.kind == SL_QUALITY_TRACE && net->quality.trace_node < 0) {
        fault(v, "trace node", "no node to trace is given");
    }
    check_pressures(v);
    check_report(v);
}
