/* SPDX-License-Identifier: MIT */
/* summary.c: collecting what a run comes to; see summary.h. The digest is filled in summary_digest.c. SI. */
#include "results/summary.h"

#include "numeric/vecmath.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include <sluice/results.h>

/* [s] the end of a run that qualities are told of. */
#define LAST_DAY 86400.0

/* Share of the demand that may stay unserved in a demand-driven run where nothing else is asked for: rounding and a pipe burst are
 * below it, a part without supply is not. */
#define USUAL_UNSERVED 0.01

static const sl_extreme nothing = {NAN, NAN, -1};

/* Flags of a junction. */
enum { WAS_UNDER_ZERO = 1, WAS_UNDER_SERVICE = 2, HAS_DEMAND = 4 };

/* A pressure that is enough for two or three floors, where nothing else is known. */
static double usual_service(const sl_network *net) {
    static const double metres = 20.0, psi28 = 28.0 * 0.3048 / 0.4333; /* EPANET's psi */
    const sl_hydraulic_options *h = &net->hydraulics;
    const sl_display_units shown = sl_display_units_of(net);
    return h->demand_model == SL_PDA && h->pressure_required > 0.0 ? h->pressure_required
           : shown.metric                                          ? metres
                                                                   : psi28;
}

static void watch_all(sl_summary *s) {
    for (int32_t i = 0; i < s->net->n_junction; i++) {
        s->watch[i] = (double)INFINITY;
    }
}

static void flag_demands(sl_summary *s) {
    const sl_network *net = s->net;
    for (int32_t i = 0; i < net->n_junction; i++) {
        for (int32_t k = net->demand_start[i]; k < net->demand_start[i + 1]; k++) {
            s->flags[i] |= net->demand_base[k] > 0.0 ? HAS_DEMAND : 0;
        }
    }
}

sl_status sl_summary_init(sl_summary *s, sl_context *ctx, const sl_network *net) {
    *s = (sl_summary){.ctx = ctx, .net = net, .first_unbalanced = NAN, .begin = NAN, .end = NAN};
    sl_extreme *extremes[] = {&s->pressure_low, &s->pressure_high, &s->quality_low,   &s->quality_high, &s->velocity,
                              &s->flow,         &s->unit_loss,     &s->under_zero,    &s->flow_change,  &s->head_error,
                              &s->mass_error,   &s->unserved,      &s->under_service, &s->service_low};
    for (size_t i = 0; i < sizeof extremes / sizeof(sl_extreme *); i++) {
        *extremes[i] = nothing;
    }
    for (int i = 0; i < SL_COL_COUNT; i++) {
        s->last[i] = NAN;
    }
    s->flags = sl_alloc(ctx, (size_t)net->n_junction);
    s->watch = sl_alloc(ctx, (size_t)net->n_junction * sizeof *s->watch);
    s->tanks = sl_alloc(ctx, (size_t)net->n_tank * sizeof *s->tanks);
    s->pumps = sl_alloc(ctx, (size_t)net->n_pump * sizeof *s->pumps);
    sl_status status = sl_percentiles_init(&s->pressures, ctx);
    if ((net->n_junction && (!s->flags || !s->watch)) || (net->n_tank && !s->tanks) || (net->n_pump && !s->pumps) ||
        status != SL_OK) {
        sl_summary_fini(s);
        return SL_ERR_MEMORY;
    }
    s->service = usual_service(net);
    watch_all(s);
    s->unserved_limit = net->hydraulics.demand_model == SL_DDA ? USUAL_UNSERVED : (double)INFINITY;
    flag_demands(s);
    for (int32_t i = 0; i < net->n_tank; i++) {
        s->tanks[i] = (sl_summary_tank){.low = nothing, .high = nothing};
    }
    for (int32_t i = 0; i < net->n_pump; i++) {
        s->pumps[i].efficiency = NAN;
    }
    return SL_OK;
}

void sl_summary_fini(sl_summary *s) {
    if (!s->net) {
        return;
    }
    sl_percentiles_fini(&s->pressures);
    sl_free(s->ctx, s->flags, (size_t)s->net->n_junction);
    sl_free(s->ctx, s->watch, (size_t)s->net->n_junction * sizeof *s->watch);
    sl_free(s->ctx, s->tanks, (size_t)s->net->n_tank * sizeof *s->tanks);
    sl_free(s->ctx, s->pumps, (size_t)s->net->n_pump * sizeof *s->pumps);
    *s = (sl_summary){0};
}

/* ---- One frame ---------------------------------------------------------------------------------- */

/* NaN, of a value that means nothing, never wins: comparisons with it are false. */
static void take_high(sl_extreme *e, double value, double time, int32_t index) {
    if (value > e->value || (e->index < 0 && !isnan(value))) {
        *e = (sl_extreme){value, time, index};
    }
}

static void take_low(sl_extreme *e, double value, double time, int32_t index) {
    if (value < e->value || (e->index < 0 && !isnan(value))) {
        *e = (sl_extreme){value, time, index};
    }
}

/* Most frames change no extreme. So each kind of value is first looked at as a whole, without a branch, which compilers
 * turn into vector code; one by one only when one of them wins. */

/* How many, as a double: sums of ones are exact in any order, and doubles compare and add in one kind of vector. */
SL_SIMD(double, n_beyond, (const double *x, int32_t n, double low, double high), (x, n, low, high)) {
    double count = 0.0;
#pragma omp simd reduction(+ : count)
    for (int32_t i = 0; i < n; i++) {
        count += x[i] < low ? 1.0 : 0.0;
        count += x[i] > high ? 1.0 : 0.0;
    }
    return count;
}

SL_SIMD(double, n_steeper, (const double *loss, const double *length, int32_t n, double unit_loss),
        (loss, length, n, unit_loss)) {
    double count = 0.0;
#pragma omp simd reduction(+ : count)
    for (int32_t k = 0; k < n; k++) {
        count += fabs(loss[k]) / length[k] > unit_loss ? 1.0 : 0.0;
    }
    return count;
}

static void see_low_pressure(sl_summary *s, double x, double t, int32_t i) {
    if (x < 0.0 && !(s->flags[i] & WAS_UNDER_ZERO)) {
        s->flags[i] |= WAS_UNDER_ZERO;
        if (s->n_under_zero++ == 0) {
            s->under_zero = (sl_extreme){x, t, i};
        }
    }
    if (x < s->service && !(s->flags[i] & WAS_UNDER_SERVICE)) {
        s->flags[i] |= WAS_UNDER_SERVICE;
        s->n_unserved_demand += (s->flags[i] & HAS_DEMAND) != 0;
        if (s->n_under_service++ == 0) {
            s->under_service = (sl_extreme){x, t, i};
        }
    }
}

/* A junction that no source reaches has no pressure that means anything. */
static void see_pressure(sl_summary *s, double x, bool cut_off, int32_t i) {
    double t = s->columns.time;
    if (cut_off || isnan(x)) {
        return;
    }
    take_low(&s->pressure_low, x, t, i);
    take_high(&s->pressure_high, x, t, i);
    sl_percentiles_add(&s->pressures, x);
    if (s->flags[i] & HAS_DEMAND) {
        take_low(&s->service_low, x, t, i);
    }
    if (x < fmax(s->service, 0.0)) {
        see_low_pressure(s, x, t, i);
    }
    double watch = s->flags[i] & HAS_DEMAND ? s->service_low.value : s->pressure_low.value;
    watch = s->flags[i] & WAS_UNDER_ZERO ? watch : fmax(watch, 0.0);
    s->watch[i] = s->flags[i] & WAS_UNDER_SERVICE ? watch : fmax(watch, s->service);
}

/* Bins of pressures; returns how many of them, as a double, are news: low for their junction, high for all, cut off or no number. */
SL_SIMD(double, find_bins,
        (int32_t n, const double *restrict x, const double *restrict watch, const double *restrict cut_off, double high,
         int32_t *restrict bin),
        (n, x, watch, cut_off, high, bin)) {
    double news = 0.0;
#pragma omp simd reduction(+ : news)
    for (int32_t i = 0; i < n; i++) {
        bin[i] = sl_percentile_bin(x[i]);
        news += ((x[i] >= watch[i]) & (x[i] <= high) & (cut_off[i] == 0.0)) ? 0.0 : 1.0;
    }
    return news;
}

static void see_pressures(sl_summary *s) {
    enum { PIECE = 128 };
    const double *pressure = s->columns.at[SL_COL_PRESSURE], *cut_off = s->columns.at[SL_COL_CUT_OFF];
    int32_t n = s->net->n_junction, bin[PIECE];
    for (int32_t i = 0; pressure && i < n; i += PIECE) {
        int32_t m = n - i < PIECE ? n - i : PIECE;
        if (cut_off && find_bins(m, pressure + i, s->watch + i, cut_off + i, s->pressure_high.value, bin) == 0.0) {
            sl_percentiles_count(&s->pressures, bin, m);
            continue;
        }
        for (int32_t k = i; k < i + m; k++) {
            see_pressure(s, pressure[k], cut_off && cut_off[k] != 0, k);
        }
    }
}

static void see_qualities(sl_summary *s) {
    const double *quality = s->columns.at[SL_COL_QUALITY], *cut_off = s->columns.at[SL_COL_CUT_OFF];
    double t = s->columns.time;
    if (!quality || s->net->quality.kind == SL_QUALITY_NONE || s->n_frame == 0 || t < s->until - LAST_DAY ||
        (s->quality_low.index >= 0 &&
         n_beyond(quality, s->net->n_junction, s->quality_low.value, s->quality_high.value) == 0.0)) {
        return;
    }
    for (int32_t i = 0; i < s->net->n_junction; i++) {
        if (!cut_off || cut_off[i] == 0) {
            double c =
                (double)(float)fmax(quality[i], 0.0); /* what differs by rounding is the same: the earliest wins */
            take_low(&s->quality_low, c, t, i);
            take_high(&s->quality_high, c, t, i);
        }
    }
}

static void see_links(sl_summary *s) {
    const sl_network *net = s->net;
    const double *flow = s->columns.at[SL_COL_FLOW], *velocity = s->columns.at[SL_COL_VELOCITY];
    const double *loss = s->columns.at[SL_COL_HEADLOSS];
    double t = s->columns.time;
    if (flow && (s->flow.index < 0 || n_beyond(flow, net->n_link, -s->flow.value, s->flow.value) > 0.0)) {
        for (int32_t k = 0; k < net->n_link; k++) {
            take_high(&s->flow, fabs(flow[k]), t, k);
        }
    }
    if (velocity && (s->velocity.index < 0 || n_beyond(velocity, net->n_link, -INFINITY, s->velocity.value) > 0.0)) {
        for (int32_t k = 0; k < net->n_link; k++) {
            take_high(&s->velocity, velocity[k], t, k);
        }
    }
    if (loss && (s->unit_loss.index < 0 || n_steeper(loss, net->pipe_length, net->n_pipe, s->unit_loss.value) > 0.0)) {
        for (int32_t k = 0; k < net->n_pipe; k++) {
            take_high(&s->unit_loss, fabs(loss[k]) / net->pipe_length[k], t, k);
        }
    }
}

static void note_time(sl_summary_times *times, double t) {
    if (times->n < SL_SUMMARY_TIMES) {
        times->at[times->n] = t;
    }
    times->n++;
}

/* A tank may begin at a limit; that it comes to one later is an event. */
static void see_first_levels(sl_summary *s) {
    const sl_network *net = s->net;
    const double *level = s->columns.at[SL_COL_LEVEL];
    for (int32_t i = 0; level && i < net->n_tank; i++) {
        if (level[i] <= net->tank_level_min[i]) {
            note_time(&s->tanks[i].empty, s->columns.time);
        } else if (level[i] >= net->tank_level_max[i]) {
            note_time(&s->tanks[i].full, s->columns.time);
        }
    }
}

static void see_tanks(sl_summary *s) {
    const double *level = s->columns.at[SL_COL_LEVEL], *overflow = s->columns.at[SL_COL_OVERFLOW];
    double t = s->columns.time;
    for (int32_t i = 0; i < s->net->n_tank; i++) {
        if (level) {
            take_low(&s->tanks[i].low, level[i], t, i);
            take_high(&s->tanks[i].high, level[i], t, i);
        }
        if (overflow) {
            s->tanks[i].overflow = overflow[i];
        }
    }
}

static bool runs(double status) {
    return status >= SL_STATUS_OPEN;
}

static void see_pumps(sl_summary *s) {
    const double *const *at = s->columns.at;
    const double *status = at[SL_COL_STATUS];
    const double *online = at[SL_COL_ONLINE];
    const double *efficiency = at[SL_COL_EFFICIENCY];
    const double *kwh = at[SL_COL_KWH];
    const double *peak = at[SL_COL_PEAK];
    const double *cost = at[SL_COL_COST], *power = at[SL_COL_POWER], *now = at[SL_COL_EFFICIENCY_NOW];
    for (int32_t i = 0; i < s->net->n_pump; i++) {
        sl_summary_pump *p = &s->pumps[i];
        bool on = status && runs(status[s->net->n_pipe + i]);
        p->starts += on && !p->on && s->n_frame > 0;
        p->on = on;
        p->online = online ? online[i] : 0;
        p->efficiency = efficiency && p->online > 0 ? efficiency[i] / p->online : (double)NAN;
        p->kwh = kwh ? kwh[i] : 0;
        p->peak = peak ? peak[i] : 0;
        p->cost = cost ? cost[i] : 0;
        p->power = power ? power[i] / 1e3 : 0;
        p->efficiency_now = now ? now[i] : (double)NAN;
    }
}

static void see_model(sl_summary *s) {
    double t = s->columns.time;
    for (int i = SL_COL_MODEL; i < SL_COL_COUNT; i++) {
        const double *x = s->columns.at[i];
        s->last[i] = x ? x[0] : (double)NAN;
    }
    take_high(&s->flow_change, s->last[SL_COL_FLOW_CHANGE], t, 0);
    take_high(&s->head_error, s->last[SL_COL_HEAD_ERROR], t, 0);
    take_high(&s->mass_error, s->last[SL_COL_MASS_ERROR], t, 0);
    take_high(&s->unserved, s->last[SL_COL_UNSERVED], t, 0);
    /* The engine's own count sees the steps between report times too. */
    int64_t before = s->n_unbalanced, count = (int64_t)fmax(s->last[SL_COL_UNBALANCED], 0);
    s->n_unbalanced = count > before ? count : before + (s->last[SL_COL_BALANCED] == 0 && count == 0);
    if (before == 0 && s->n_unbalanced > 0) {
        s->first_unbalanced = t;
    }
}

double sl_summary_delivered(const sl_summary *s) {
    static const sl_run_column out[] = {SL_COL_CONSUMPTION, SL_COL_EMITTER, SL_COL_LEAK, SL_COL_SPILLED};
    double volume = 0.0;
    for (size_t i = 0; i < sizeof out / sizeof *out; i++) {
        volume += fmax(s->last[out[i]], 0.0); /* 0 for NaN */
    }
    return volume > 0.0 ? s->last[SL_COL_Q_CONSUMED] / volume : (double)NAN;
}

/* ---- The sink ----------------------------------------------------------------------------------- */

static sl_status begin(void *user, const sl_result_layout *layout, sl_diags *diags) {
    sl_summary *s = user;
    (void)diags;
    sl_columns_open(&s->columns, layout);
    s->until = layout->ops->end(layout->engine);
    s->events.ops = layout->ops;
    s->events.engine = layout->engine;
    return SL_OK;
}

static sl_status event(void *user, const sl_engine_event *e, sl_diags *diags) {
    sl_summary *s = user;
    (void)diags;
    sl_digest_events_note(&s->events, e);
    bool empty = strcmp(e->kind, "empty") == 0;
    if (empty || strcmp(e->kind, "full") == 0 || strcmp(e->kind, "overflow") == 0) {
        note_time(empty ? &s->tanks[e->index].empty : &s->tanks[e->index].full, e->time);
    }
    return SL_OK;
}

static void see(sl_summary *s) {
    see_pressures(s);
    see_qualities(s);
    see_links(s);
    if (s->n_frame == 0) {
        see_first_levels(s);
    }
    see_tanks(s);
    see_pumps(s);
    see_model(s);
    s->begin = s->n_frame == 0 ? s->columns.time : s->begin;
    s->end = s->columns.time;
    s->n_frame++;
}

static sl_status frame(void *user, const sl_result_frame *f, sl_diags *diags) {
    sl_summary *s = user;
    (void)diags;
    sl_columns_bind(&s->columns, f);
    see(s);
    return SL_OK;
}

static sl_status end(void *user, bool complete, sl_diags *diags) {
    sl_summary *s = user;
    (void)diags;
    if (sl_columns_bind_last(&s->columns)) {
        see(s);
    }
    /* An engine may find an end of its own on the way: one that halts when it is not balanced. */
    s->complete = complete && !(s->columns.ops->time(s->columns.engine) < s->until);
    return SL_OK;
}

sl_result_sink sl_summary_sink(sl_summary *summary) {
    return (sl_result_sink){.user = summary, .begin = begin, .frame = frame, .end = end, .event = event};
}

void sl_summary_set_service(sl_summary *s, double pressure) {
    s->service = pressure;
    s->service_given = true;
    watch_all(s);
}

bool sl_summary_breaks_service(const sl_summary *s) {
    return s->service_given && s->n_unserved_demand > 0;
}

void sl_summary_set_unserved(sl_summary *s, double share) {
    s->unserved_limit = share;
    s->unserved_given = true;
}

bool sl_summary_breaks_unserved(const sl_summary *s) {
    return s->last[SL_COL_UNSERVED_SHARE] > s->unserved_limit;
}
