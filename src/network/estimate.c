/* SPDX-License-Identifier: MIT */
/* estimate.c: how long a run will take.
 *
 * Each hydraulic step solves the network by a few Newton trials, and each trial costs so much per node and link: the
 * coefficients of every link, the factor of the sparse matrix, the new flows. Street networks are nearly planar, so the
 * factor grows a little faster than the network, like n log n. Quality moves water through every link in each quality
 * step. Steps are counted as a real number and from one, so that the figure grows with the duration without jumps.
 *
 * Every term is a product of factors that do not fall when a figure grows (a step is in the denominator): that makes the
 * estimate monotone by construction, and is the reason why density of the mesh enters only through n_node + n_link.
 *
 * The constants were measured on one core of a 2020s server: 6 to 14 ns per node or link and trial for networks of 900 to
 * 27,000 of them and 15 ns for 227,000, results written; 2 to 20 trials per nominal step, steps that controls and tanks add
 * included. A model with many controls may take ten times as long.
 */
#include <sluice/estimate.h>

#include <math.h>

#include "base/sized.h"

static const double trial_us = 0.008;        /* per node or link and trial, of a small network [us] */
static const double trials_per_step = 6;     /* Newton trials per nominal step */
static const double growth_per_double = .05; /* dearer by this each time that the network doubles */
static const double quality_us = 0.05;       /* per link and quality step [us] */

static const double medium_ms = 1e3, high_ms = 60e3;

void sl_run_figures_default_fill(sl_run_figures *def, size_t size) {
    const sl_run_figures all = {.hydraulic_step = 3600, .quality_step = 360};
    sl_sized_default(def, size, &all, sizeof all);
}

sl_status sl_run_figures_of(const sl_network *net, sl_run_figures *out) {
    const sl_run_figures figures = {.n_node = net->n_node,
                                    .n_link = net->n_link,
                                    .duration = net->times.duration,
                                    .hydraulic_step = net->times.hydraulic_step,
                                    .quality_step = net->times.quality_step,
                                    .quality = net->quality.kind != SL_QUALITY_NONE};
    if (!sl_sized_valid(out)) {
        return SL_ERR_USE;
    }
    sl_sized_give(out, &figures, sizeof figures);
    return SL_OK;
}

/* The first moment is a step too. */
static double steps(double duration, double step) {
    return 1 + fmax(duration, 0) / fmax(step, 1); /* fmax takes the other one for NaN */
}

static double count(int64_t n) {
    return n > 0 ? (double)n : 0;
}

double sl_estimate_runtime_ms(const sl_run_figures *figures) {
    sl_run_figures f = sl_run_figures_default();
    if (!sl_sized_take(&f, sizeof f, figures)) {
        return (double)NAN;
    }
    double size = count(f.n_node) + count(f.n_link);
    double us = steps(f.duration, f.hydraulic_step) * trials_per_step * trial_us * size *
                (1 + growth_per_double * log2(1 + size));
    if (f.quality) {
        us += steps(f.duration, f.quality_step) * quality_us * count(f.n_link);
    }
    return us / 1e3;
}

sl_effort sl_estimate_effort(double ms) {
    return ms < medium_ms ? SL_EFFORT_LOW : ms < high_ms ? SL_EFFORT_MEDIUM : SL_EFFORT_HIGH;
}

const char *sl_effort_word(sl_effort effort) {
    static const char *const words[SL_EFFORT_COUNT] = {"low", "medium", "high"};
    return (unsigned)effort < SL_EFFORT_COUNT ? words[effort] : words[SL_EFFORT_HIGH];
}
