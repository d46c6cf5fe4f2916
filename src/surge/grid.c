/* SPDX-License-Identifier: MIT */
/* grid.c: the time step and the reaches of every pipe.
 *
 * Whole reaches: N = round(T/dt) with the travel time T = L/a, and the wave speed becomes L/(N dt). Given the Ns, the sum
 * of squared relative changes of wave speeds is least for dt = sum(phi^2)/sum(phi), phi = T/N. A time step that is not
 * given is searched: from the shortest pipe, in finer and finer steps until no wave speed changes by more than the limit.
 * Pipes too short for a step become rigid columns (joints). With interpolation wave speeds stay and the Courant number
 * N dt a/L is below 1. Theory: docs/theory/surge.md, "Grid".
 */
#include "surge/impl.h"

#include "base/budget.h"
#include "base/context.h"
#include "base/out.h"

#include <math.h>
#include <stdlib.h>

enum { TRIES = 24 };

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

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

static double search(sl_surge_model *m, double shortest) {
    const sl_surge_def *g = &m->def;
    int32_t reaches = g->reaches > 0 ? g->reaches : 2;
    double best = shortest / reaches, best_worst = (double)INFINITY;
    for (int32_t i = 0; i < TRIES; i++) {
        double dt = shortest / (reaches + i);
        double worst = divide_all(m, dt);
        if (g->optimise && g->scheme == SL_SURGE_ADJUST) {
            double other = optimum(m, dt), with = divide_all(m, other);
            if (with < worst) {
                dt = other;
                worst = with;
            }
        }
        if (worst < best_worst) {
            best_worst = worst;
            best = dt;
        }
        if (worst <= g->distortion_max) {
            break;
        }
    }
    return best;
}

/* The shortest travel time that decides, of those pipes that shall not be rigid. */
static sl_status deciding_time(const sl_surge_model *m, double *out) {
    int32_t n = 0;
    size_t bytes = (size_t)m->net->n_pipe * sizeof(double);
    double *times = m->net->n_pipe ? sl_alloc(m->ctx, bytes) : NULL;
    *out = 0.01;
    if (!times) {
        return m->net->n_pipe ? SL_ERR_MEMORY : SL_OK;
    }
    for (int32_t k = 0; k < m->net->n_pipe; k++) {
        const sl_surge_pipe *p = &m->pipe[k];
        if (isnan(m->def.rigid_length) || p->length > m->def.rigid_length) {
            times[n++] = p->length / p->wave_speed;
        }
    }
    if (n > 0) {
        qsort(times, (size_t)n, sizeof *times, by_value);
        *out = fmax(times[0], m->def.rigid_fraction > 0.0 ? times[n / 2] / 20.0 : 0.0);
    }
    sl_free(m->ctx, times, bytes);
    return SL_OK;
}

static bool report_grid(sl_surge_model *m, double worst, sl_diags *diags) {
    const sl_surge_def *g = &m->def;
    if (worst > g->distortion_max * (1.0 + 1e-9)) {
        const sl_surge_pipe *p = &m->pipe[m->grid.worst_pipe];
        sl_surge_add_diag(
            m, diags, g->distortion_error ? SL_ERROR : SL_WARNING, SL_CODE_WAVE_SPEED, 0, "pipe",
            sl_network_link_id(m->net, m->grid.worst_pipe), "use a smaller time step, interpolation, or a larger limit",
            "its wave speed would be %.6g m/s instead of %.6g, a change of %.3g %%: more than the limit of %.3g %%",
            p->wave_speed_used, p->wave_speed, 100.0 * p->distortion, 100.0 * g->distortion_max);
        return !g->distortion_error;
    }
    if (m->grid.n_rigid > 0) {
        sl_surge_add_diag(
            m, diags, SL_INFO, SL_CODE_ADJUSTED, 0, NULL, NULL, NULL,
            "%d of %d pipes are too short for a time step of %.6g s: they are rigid columns with inertia and storage",
            m->grid.n_rigid, m->net->n_pipe, m->dt);
    }
    return true;
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
    m->dt = m->def.dt;
    if (isnan(m->dt)) {
        double shortest = 0.0;
        sl_status status = deciding_time(m, &shortest);
        if (status != SL_OK) {
            return status;
        }
        m->dt = search(m, shortest);
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
    m->grid.seconds = 7e-9 * (double)m->grid.n_cell * (double)m->grid.n_step;
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
    return report_grid(m, worst, diags) ? SL_OK : SL_ERR_INPUT;
}
