/* SPDX-License-Identifier: MIT */
/* estimate.c: how long a run will take.
 *
 * A run reads its model once. At each moment it solves the network by a few Newton trials, each of which costs so much
 * per node and link (coefficients, flows, results) and so much per multiplication of the factor of the sparse matrix. That
 * number is where the density of the mesh enters: about one per junction of a tree, n^1.5 of streets, n^3 / 6 of a network
 * in which everything is joined to everything. Moments are the steps of the clock and those that tanks add in time. Quality moves water through every link in each quality step.
 *
 * Every term is a product of factors that do not fall when a figure grows (a step is in the denominator) and every weight is
 * positive: that makes the estimate monotone by construction. For that reason an unknown number of loops is a share of
 * links and not links less nodes, which falls when nodes are added.
 *
 * bench/estimate.py fits the weights to measured times and shows how good they are. Numbers of controls, rules and valves and
 * the head-loss formula did not improve the fit. Controls that switch to and fro add steps that no static figure shows.
 */
#include <sluice/estimate.h>

#include <math.h>

#include "base/memory.h"
#include "base/sized.h"
#include "network/network_impl.h"
#include "numeric/ldl.h"

static const double once_us = 0.37;        /* per node or link: read the model, find the core [us] */
static const double item_us = 0.019;       /* per node or link and moment [us] */
static const double factor_us = 0.00021;   /* per multiplication and moment [us] */
static const double pressure_driven = 5.5; /* times as many trials */
static const double tank_moments = 0.32;   /* moments that a tank adds in an hour */
static const double quality_us = 0.035;    /* per link and quality step [us] */
/* Where the density is not known. */
static const double loops_per_link = 0.15;
static const double factor_per_street = 2.4; /* multiplications / loops^1.5 */

static const double medium_ms = 1e3, high_ms = 60e3;

void sl_run_figures_default_fill(sl_run_figures *def, size_t size) {
    const sl_run_figures all = {.hydraulic_step = 3600, .quality_step = 360, .loops = -1, .factor = -1};
    sl_sized_default(def, size, &all, sizeof all);
}

/* Junctions come first among the nodes: all others are no unknowns. */
static sl_status count_factor(const sl_network *net, double *factor) {
    sl_context *ctx = sl_network_impl_of(net)->ctx;
    size_t size = (2 * (size_t)net->n_link + 1) * sizeof(int32_t);
    int32_t *ends = sl_alloc(ctx, size);
    if (!ends) {
        return SL_ERR_MEMORY;
    }
    int32_t *from = ends, *to = ends + net->n_link;
    for (int32_t k = 0; k < net->n_link; k++) {
        from[k] = net->link_from[k] < net->n_junction ? net->link_from[k] : -1;
        to[k] = net->link_to[k] < net->n_junction ? net->link_to[k] : -1;
    }
    sl_ldl *pattern = NULL;
    sl_status status = sl_ldl_create(ctx, net->n_junction, net->n_link, from, to, &pattern);
    if (status == SL_OK) {
        *factor = sl_ldl_multiplications(pattern);
        sl_ldl_destroy(pattern);
    }
    sl_free(ctx, ends, size);
    return status;
}

sl_status sl_run_figures_of(const sl_network *net, sl_run_figures *out) {
    if (!net || !out) {
        return SL_ERR_USE;
    }
    sl_run_figures figures = {.n_node = net->n_node,
                              .n_link = net->n_link,
                              .duration = net->times.duration,
                              .hydraulic_step = net->times.hydraulic_step,
                              .quality_step = net->times.quality_step,
                              .quality = net->quality.kind != SL_QUALITY_NONE,
                              .n_tank = net->n_tank,
                              .loops = net->n_link > net->n_junction ? net->n_link - net->n_junction : 0,
                              .pressure_driven = net->hydraulics.demand_model == SL_PDA};
    if (!sl_sized_valid(out)) {
        return SL_ERR_USE;
    }
    sl_status status = count_factor(net, &figures.factor);
    if (status == SL_OK) {
        sl_sized_give(out, &figures, sizeof figures);
    }
    return status;
}

/* The first moment is a step too. */
static double steps(double duration, double step) {
    return 1 + fmax(duration, 0) / fmax(step, 1); /* fmax takes the other one for NaN */
}

static double count(int64_t n) {
    return n > 0 ? (double)n : 0;
}

/* Multiplications of the factor as far as they are known. */
static double factor_of(const sl_run_figures *f) {
    double loops = f->loops >= 0 ? (double)f->loops : loops_per_link * count(f->n_link);
    return f->factor >= 0 ? f->factor : factor_per_street * loops * sqrt(loops);
}

double sl_estimate_runtime_ms(const sl_run_figures *figures) {
    sl_run_figures f = sl_run_figures_default();
    if (!sl_sized_take(&f, sizeof f, figures)) {
        return (double)NAN;
    }
    double size = count(f.n_node) + count(f.n_link), hours = fmax(f.duration, 0) / 3600;
    double moments = steps(f.duration, f.hydraulic_step) + hours * tank_moments * count(f.n_tank);
    double solve_us = (item_us * size + factor_us * factor_of(&f)) * (f.pressure_driven ? pressure_driven : 1);
    double us = once_us * size + moments * solve_us;
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
