/* SPDX-License-Identifier: MIT */
/* grid.c: the time step and the reaches of every pipe.
 *
 * Whole reaches: N = round(T/dt) with the travel time T = L/a, and the wave speed becomes L/(N dt). Given the Ns, the sum
 * of squared relative changes of wave speeds is least for dt = sum(phi^2)/sum(phi), phi = T/N. A time step that is not
 * given is found: twenty reaches in the pipe of median travel time, two in the shortest and ten steps in the fastest event, or as near
 * to that as the cost allows, moved a little so that wave speeds change less.
 * Pipes too short for a step become rigid columns (joints). With interpolation wave speeds stay and the Courant number
 * N dt a/L is below 1. Theory: docs/theory/surge.md, "Grid".
 */
#include "surge/impl.h"

#include "base/budget.h"
#include "base/context.h"
#include "base/out.h"

#include <math.h>
#include <stdlib.h>

enum { TRIES = 12 };
#define TRY_FINER 0.97
#define ROUNDING 1e-9 /* of changes: what is less decides nothing, so that the order of pipes does not */

/* How pipe k lies in steps of dt. */
static void divide(const sl_surge_model *m, sl_surge_pipe *p, double dt) {
    const sl_surge_def *g = &m->def;
    double steps = p->length / (p->wave_speed * dt);
    p->rigid = (!isnan(g->rigid_length) && p->length <= g->rigid_length) || steps < g->rigid_fraction;
    p->courant = 1.0;
    if (g->scheme == SL_SURGE_INTERPOLATE) {
        p->n_reach = (int32_t)fmin(floor(steps * (1.0 + 1e-12)), 2e9);
        p->rigid |= p->n_reach < 1;
        p->wave_speed_used = p->wave_speed;
        p->courant = p->rigid ? 1.0 : fmin((double)p->n_reach / steps, 1.0);
    } else {
        p->n_reach = (int32_t)fmin(fmax(1.0, round(steps)), 2e9);
        p->wave_speed_used = p->length / ((double)p->n_reach * dt);
        p->rigid |= g->rigid_fraction > 0.0 && p->n_reach == 1 &&
                    fabs(p->wave_speed_used / p->wave_speed - 1.0) > g->distortion_max;
    }
    if (p->rigid) {
        p->n_reach = 0;
        p->wave_speed_used = p->wave_speed;
    }
    p->distortion = p->wave_speed_used / p->wave_speed - 1.0;
    p->reach = p->rigid ? p->length : p->length / (double)p->n_reach;
}

/* Divides all pipes; returns the largest change of a wave speed. */
static double divide_all(sl_surge_model *m, double dt) {
    double worst = 0.0;
    m->grid.worst_pipe = -1;
    for (int32_t k = 0; k < m->net->n_pipe; k++) {
        divide(m, &m->pipe[k], dt);
        if (fabs(m->pipe[k].distortion) > worst) {
            worst = fabs(m->pipe[k].distortion);
            m->grid.worst_pipe = k;
        }
    }
    return worst;
}

/* The dt that changes wave speeds least with the reaches as they are. */
static double optimum(const sl_surge_model *m, double dt) {
    double sum = 0.0, squares = 0.0;
    for (int32_t k = 0; k < m->net->n_pipe; k++) {
        const sl_surge_pipe *p = &m->pipe[k];
        if (!p->rigid) {
            double phi = p->length / (p->wave_speed * (double)p->n_reach);
            sum += phi;
            squares += phi * phi;
        }
    }
    return sum > 0.0 ? squares / sum : dt;
}

/* ---- A time step that is found ------------------------------------------------------------------ */

/* How finely waves and events are wanted, and how coarsely at most. */
#define REACHES_WANTED 20.0 /* in the pipe of median travel time */
#define REACHES_SHORT 2.0   /* in the shortest one, */
#define REACHES_MOST 40.0   /* but no more than these in the median one for its sake */
#define REACHES_LEAST 2.0   /* in the median one, whatever it takes */
#define STEPS_PER_RISE 10.0 /* in the fastest ramp of an event */
/* What a run may take where nobody asks for more [s], measured as below: so much for every pipe, and at least. */
#define SECONDS_PER_PIPE 3.2e-3
#define SECONDS_LEAST 3.0

/* Processor time of a run [s], measured on single pipes of 1 000 reaches with every model (0.3 to 11 ns for a reach) and on networks of
 * 1 400 to 14 800 pipes: there every pipe with its nodes takes 0.14 us more and as much as twelve reaches (its ends, and vectors that are
 * not full), a rigid one 0.25 us in place of these, and reaches beyond the cache up to 7 ns more. */
static double seconds_of(const sl_surge_model *m, double cells, int32_t rigid, double steps) {
    static const double frictions[SL_SURGE_FRICTION_COUNT] = {0.0, 1.4e-9, 7.3e-9, 2.7e-9, 2.6e-9};
    bool law = m->def.friction != SL_SURGE_STEADY && m->def.friction != SL_SURGE_RTHYM_FILTER;
    bool gas = m->def.cavitation == SL_SURGE_DGCM || m->def.cavitation == SL_SURGE_DVCM;
    double cell = 0.3e-9 + frictions[m->def.friction] + (gas ? 0.6e-9 : 0.0);
    cell += law && m->net->hydraulics.headloss == SL_DARCY_WEISBACH ? 2.6e-9 : 0.0;
    double pipes = (double)m->net->n_pipe, beyond = 7e-9 * cells * cells / (cells * cells + 9e10);
    return steps * (cell * (cells + 12.0 * (pipes - rigid)) + beyond * cells + 0.14e-6 * pipes + 0.25e-6 * rigid);
}

/* The shortest ramp of an event; infinite where all happens at once. */
static double fastest_rise(const sl_surge_model *m) {
    double least = (double)INFINITY;
    for (int32_t i = 0; i < m->def.n_event; i++) {
        const sl_surge_event *v = &m->def.events[i];
        for (int32_t k = 1; k < v->n && v->shape != SL_SURGE_SHAPE_HOLD; k++) {
            least = fmin(least, v->t[k] - v->t[k - 1]);
        }
    }
    return least;
}

typedef struct travel {
    double time;
    int32_t pipe;
} travel;

static int by_time(const void *a, const void *b) {
    const travel *x = a, *y = b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time) : (x->pipe > y->pipe) - (x->pipe < y->pipe);
}

static double settle_on(sl_surge_model *m, double dt, int32_t pipe, sl_surge_step_by by) {
    m->grid.step_pipe = pipe;
    m->grid.step_by = by;
    return dt;
}

/* Pipes that are too short for a step, of n in the order of their travel times. */
static int32_t rigid_among(const sl_surge_model *m, const travel *t, int32_t n, double dt) {
    int32_t rigid = 0;
    while (rigid < n && t[rigid].time < m->def.rigid_fraction * dt) {
        rigid++;
    }
    return rigid;
}

/* The step that the travel times ask for. With a number of reaches: those, in the shortest pipe that is not rigid. Else by the median
 * pipe and the fastest event, as finely as the cost allows. */
static double wanted(sl_surge_model *m, const travel *t, int32_t n) {
    const travel *median = &t[n / 2];
    double all = 0.0, rise = fastest_rise(m) / STEPS_PER_RISE;
    for (int32_t k = 0; k < n; k++) {
        all += t[k].time;
    }
    if (m->def.reaches > 0) {
        bool short_ones = m->def.rigid_fraction > 0.0 && t[0].time < median->time / 20.0;
        const travel *deciding = short_ones ? median : &t[0];
        return settle_on(m, fmax(t[0].time, short_ones ? median->time / 20.0 : 0.0) / m->def.reaches, deciding->pipe,
                         SL_SURGE_STEP_REACHES);
    }
    double waves = median->time / REACHES_WANTED;
    double shortest = fmax(t[0].time / REACHES_SHORT, median->time / REACHES_MOST), most = median->time / REACHES_LEAST;
    double allowed = fmax(SECONDS_LEAST, SECONDS_PER_PIPE * (double)m->net->n_pipe) * m->ctx->def.effort;
    double dt = shortest < waves ? settle_on(m, shortest, t[0].pipe, SL_SURGE_STEP_SHORT)
                                 : settle_on(m, waves, median->pipe, SL_SURGE_STEP_WAVES);
    dt = rise < dt ? settle_on(m, rise, -1, SL_SURGE_STEP_RISE) : dt;
    while (dt < most && seconds_of(m, all / dt, rigid_among(m, t, n, dt), m->def.duration / dt) > allowed) {
        dt = settle_on(m, fmin(dt * 1.05, most), median->pipe, SL_SURGE_STEP_COST);
    }
    return dt;
}

/* Near that, up to a third finer, the first step that keeps all wave speeds within the limit; where none does, that itself. */
static double tune(sl_surge_model *m, double start) {
    const sl_surge_def *g = &m->def;
    double found = start;
    for (int32_t i = 0; i < TRIES; i++) {
        double dt = start * pow(TRY_FINER, i), worst = divide_all(m, dt);
        if (g->optimise && g->scheme == SL_SURGE_ADJUST) {
            double other = optimum(m, dt), with = divide_all(m, other);
            if (with < worst - ROUNDING) {
                dt = other;
                worst = with;
            }
        }
        found = i == 0 ? dt : found;
        if (worst <= g->distortion_max) {
            return dt;
        }
    }
    return found;
}

static sl_status find_step(sl_surge_model *m) {
    int32_t n = 0;
    size_t bytes = (size_t)m->net->n_pipe * sizeof(travel);
    travel *times = m->net->n_pipe ? sl_alloc(m->ctx, bytes) : NULL;
    m->dt = 0.01;
    if (!times) {
        return m->net->n_pipe ? SL_ERR_MEMORY : SL_OK;
    }
    for (int32_t k = 0; k < m->net->n_pipe; k++) {
        const sl_surge_pipe *p = &m->pipe[k];
        if (isnan(m->def.rigid_length) || p->length > m->def.rigid_length) {
            times[n++] = (travel){p->length / p->wave_speed, k};
        }
    }
    if (n > 0) {
        qsort(times, (size_t)n, sizeof *times, by_time);
        m->dt = tune(m, wanted(m, times, n));
    }
    sl_free(m->ctx, times, bytes);
    return SL_OK;
}

/* ---- What is said about it ---------------------------------------------------------------------- */

static bool report_distortion(sl_surge_model *m, double worst, sl_diags *diags) {
    const sl_surge_def *g = &m->def;
    if (worst <= g->distortion_max * (1.0 + 1e-9)) {
        return true;
    }
    const sl_surge_pipe *p = &m->pipe[m->grid.worst_pipe];
    int32_t n = 0;
    for (int32_t k = 0; k < m->net->n_pipe; k++) {
        n += fabs(m->pipe[k].distortion) > g->distortion_max;
    }
    sl_severity severity = g->distortion_error ? SL_ERROR : isnan(g->dt) ? SL_INFO : SL_WARNING;
    sl_surge_add_diag(
        m, diags, severity, SL_CODE_WAVE_SPEED, 0, "pipe", sl_network_link_id(m->net, m->grid.worst_pipe),
        "use a smaller time step, interpolation, or a larger limit",
        "its wave speed %s %.6g m/s instead of %.6g, a change of %.3g %%: more than the limit of %.3g %%, as in "
        "%d of %d pipes",
        g->distortion_error ? "would be" : "is", p->wave_speed_used, p->wave_speed, 100.0 * p->distortion,
        100.0 * g->distortion_max, n, m->net->n_pipe);
    return !g->distortion_error;
}

static void report_short(const sl_surge_model *m, sl_diags *diags) {
    bool unsteady = m->def.friction == SL_SURGE_ACCELERATION || m->def.friction == SL_SURGE_CONVOLUTION;
    int32_t single = 0;
    for (int32_t k = 0; k < m->net->n_pipe; k++) {
        single += m->pipe[k].n_reach <= 1;
    }
    if (m->grid.n_rigid > 0) {
        sl_surge_add_diag(
            m, diags, SL_INFO, SL_CODE_ADJUSTED, 0, NULL, NULL, NULL,
            "%d of %d pipes are too short for a time step of %.6g s: they are rigid columns with inertia and storage",
            m->grid.n_rigid, m->net->n_pipe, m->dt);
    }
    if (unsteady && single > 0) {
        sl_surge_add_diag(
            m, diags, SL_INFO, SL_CODE_ADJUSTED, 0, NULL, NULL, "use a smaller time step where they matter",
            "friction is quasi-steady in %d of %d pipes: unsteady friction needs two reaches", single, m->net->n_pipe);
    }
}

/* A run of this length reports its predicted cost and the pipe that sets the time step. */
#define WORTH_SAYING 5.0 /* [s] */

static void report_cost(const sl_surge_model *m, sl_diags *diags) {
    static const char *const by[] = {"it is given",
                                     "the reaches that are asked for",
                                     "twenty reaches in the median pipe",
                                     "the shortest pipe",
                                     "the fastest event",
                                     "the cost"};
    const sl_surge_grid *g = &m->grid;
    if (g->seconds >= WORTH_SAYING) {
        sl_surge_add_diag(m, diags, SL_INFO, SL_CODE_ADJUSTED, 0, g->step_pipe >= 0 ? "pipe" : NULL,
                          g->step_pipe >= 0 ? sl_network_link_id(m->net, g->step_pipe) : NULL,
                          "a longer step is faster by its square where pipes are long: `grid: {step: ...}`",
                          "about %.2g s to run: %lld steps of %.4g s with %lld reaches; the step is set by %s",
                          g->seconds, (long long)g->n_step, g->dt, (long long)g->n_cell, by[g->step_by]);
    }
}

/* More would take years, and times could not be told apart. */
#define STEPS_MAX 1e14
#define CELL_STEPS_MOST 1e13 /* a day on one core */
#define BYTES_PER_CELL 280.0 /* of model, session and summary, measured with 2 million reaches */

sl_status sl_surge_grid_find(sl_surge_model *m, const sl_surge_steady *s, sl_diags *diags) {
    const sl_network *net = m->net;
    bool bad = false;
    m->pipe = sl_surge_alloc(m, net->n_pipe, sizeof *m->pipe, &bad);
    if (bad) {
        return SL_ERR_MEMORY;
    }
    for (int32_t k = 0; k < net->n_pipe; k++) {
        double a = m->def.pipe_wave_speed ? m->def.pipe_wave_speed[k] : (double)NAN;
        m->pipe[k] = (sl_surge_pipe){.length = net->pipe_length[k],
                                     .diameter = net->pipe_diameter[k],
                                     .wave_speed = isnan(a) ? m->def.wave_speed : a,
                                     .closed = s->closed[k]};
    }
    m->dt = settle_on(m, m->def.dt, -1, SL_SURGE_STEP_GIVEN);
    if (isnan(m->dt)) {
        sl_status status = find_step(m);
        if (status != SL_OK) {
            return status;
        }
    }
    double worst = divide_all(m, m->dt);
    m->grid.pipes = m->pipe;
    m->grid.n_pipe = net->n_pipe;
    m->grid.dt = m->dt;
    m->grid.distortion_max = worst;
    for (int32_t k = 0; k < net->n_pipe; k++) {
        m->grid.n_rigid += m->pipe[k].rigid;
        m->grid.n_cell += m->pipe[k].n_reach;
    }
    double steps = m->def.duration > 0.0 ? ceil(m->def.duration / m->dt * (1.0 - 1e-12)) : 0.0;
    if (!(steps <= STEPS_MAX)) {
        sl_surge_add_diag(m, diags, SL_ERROR, SL_CODE_VALUE_RANGE, 0, NULL, NULL,
                          "give a shorter duration, or a larger time step",
                          "%.6g s at a time step of %.6g s would be %.3g steps", m->def.duration, m->dt, steps);
        return SL_ERR_INPUT;
    }
    if (!(steps <= SL_STEPS_MOST * m->ctx->def.effort)) {
        sl_surge_add_diag(m, diags, SL_ERROR, SL_CODE_VALUE_RANGE, 0, NULL, NULL,
                          "give a shorter duration, or a larger time step; --effort allows more",
                          "%.6g s at a time step of %.6g s are %.3g steps", m->def.duration, m->dt, steps);
        return SL_ERR_INPUT;
    }
    m->grid.n_step = (int64_t)steps;
    m->grid.seconds = seconds_of(m, (double)m->grid.n_cell, m->grid.n_rigid, steps);
    if (m->grid.n_cell > m->def.points_max) {
        sl_surge_add_diag(m, diags, SL_ERROR, SL_CODE_VALUE_RANGE, 0, NULL, NULL,
                          "use a larger time step, or let short pipes be rigid",
                          "a time step of %.6g s needs %lld reaches: more than the limit of %lld", m->dt,
                          (long long)m->grid.n_cell, (long long)m->def.points_max);
        return SL_ERR_INPUT;
    }
    double cell_steps = (double)m->grid.n_cell * steps;
    if (cell_steps > CELL_STEPS_MOST * m->ctx->def.effort) {
        sl_surge_add_diag(m, diags, SL_ERROR, SL_CODE_VALUE_RANGE, 0, NULL, NULL,
                          "use a larger time step, or a shorter duration; --effort allows more",
                          "%lld reaches over %.3g steps would take %.3g hours", (long long)m->grid.n_cell, steps,
                          m->grid.seconds / 3600.0);
        return SL_ERR_INPUT;
    }
    char what[96];
    (void)sl_format(what, sizeof what, "a grid of %lld reaches", (long long)m->grid.n_cell);
    if (!sl_budget_memory(m->ctx, BYTES_PER_CELL * (double)m->grid.n_cell, diags, NULL, what,
                          "use a larger time step, or let short pipes be rigid")) {
        return SL_ERR_INPUT;
    }
    if (!report_distortion(m, worst, diags)) {
        return SL_ERR_INPUT;
    }
    report_short(m, diags);
    report_cost(m, diags);
    return SL_OK;
}
