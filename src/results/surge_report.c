/* SPDX-License-Identifier: MIT */
/* surge_report.c: a surge run in words and short tables, in the units of the network; see surge.h.
 *
 * First what decides (limits, alarms), then where it is highest and lowest, where water broke, then how it was computed:
 * the grid and the balances.
 */
#include <math.h>
#include <stdlib.h>

#include "results/surge.h"

typedef struct page {
    const sl_surge_outcome *r;
    sl_out *out;
    int32_t rows;
} page;

static void title(page *p, const char *text) {
    sl_out_printf(p->out, "\n%s\n", text);
}

static void row(page *p, const char *label) {
    sl_out_printf(p->out, "  %s", label);
    sl_out_pad(p->out, 20, 2);
}

static double length(const page *p, double metres) {
    return metres / p->r->shown.length.factor;
}

static double pressure(const page *p, double metres) {
    return metres / p->r->shown.pressure.factor;
}

/* "J1", or "P1 at 300 m". */
static void put_location(page *p, int32_t node, int32_t pipe, double chainage) {
    const sl_surge_outcome *r = p->r;
    if (node >= 0) {
        sl_out_printf(p->out, "node %s", sl_network_node_id(r->net, node));
    } else if (pipe >= 0) {
        sl_out_printf(p->out, "pipe %s at %.6g %s", sl_network_link_id(r->net, pipe), length(p, chainage),
                      r->shown.length.name);
    }
}

/* ---- Limits and alarms -------------------------------------------------------------------------- */

static void put_verdict(page *p, const sl_study_limit *l, sl_surge_bound bound) {
    static const char *const words[SL_SURGE_BOUND_COUNT] = {"pressure at most", "pressure at least", "cavity at most"};
    const sl_display_units *s = &p->r->shown;
    const double allowed[] = {l->pressure_max, l->pressure_min, l->cavity_max};
    const sl_display_unit unit = bound == SL_SURGE_CAVITY ? s->volume : s->pressure;
    sl_surge_verdict v;
    if (!sl_surge_check_limit(p->r, l, bound, &v)) {
        return;
    }
    row(p, v.kept ? "kept" : "BROKEN");
    sl_out_printf(p->out, "%s %.4g %s: %.5g ", words[bound], allowed[bound] / unit.factor, unit.name,
                  v.value / unit.factor);
    put_location(p, v.node, v.pipe, v.chainage);
    if (!isnan(v.time)) {
        sl_out_printf(p->out, ", %.4g s", v.time);
    }
    sl_out_char(p->out, '\n');
}

static void put_limits(page *p) {
    const sl_study *study = p->r->study;
    if (study->n_limit > 0) {
        title(p, "Limits");
    }
    for (int32_t i = 0; i < study->n_limit; i++) {
        for (int b = 0; b < SL_SURGE_BOUND_COUNT; b++) {
            put_verdict(p, &study->limits[i], (sl_surge_bound)b);
        }
    }
}

static void put_alarms(page *p) {
    bool first = true;
    for (int i = 0; i < SL_SURGE_ALARM_COUNT; i++) {
        const sl_surge_alarm_state *a = &p->r->view.alarms[i];
        if (a->count == 0) {
            continue;
        }
        if (first) {
            title(p, "Alarms");
        }
        first = false;
        row(p, sl_surge_alarm_word((sl_surge_alarm)i));
        sl_out_printf(p->out, "in %lld steps from %.4g s on, worst %.3g at %.4g s", (long long)a->count, a->first,
                      a->worst, a->time);
        if (a->node >= 0 || a->pipe >= 0) {
            sl_out_z(p->out, ", ");
            put_location(p, a->node, a->pipe, a->chainage);
        }
        sl_out_printf(p->out, "\n                    %s\n", sl_surge_alarm_meaning((sl_surge_alarm)i));
    }
}

/* ---- The highest and the lowest ----------------------------------------------------------------- */

typedef struct extreme {
    double value;
    int32_t node;
} extreme;

static int by_value(const void *a, const void *b) {
    const extreme *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value) : x->node - y->node;
}

static void put_extremes(page *p, bool high) {
    const sl_surge_outcome *r = p->r;
    const double *head = high ? r->head_max : r->head_min, *time = high ? r->time_max : r->time_min;
    int32_t n = r->net->n_junction;
    extreme *e = head && n > 0 ? sl_alloc(r->ctx, (size_t)n * sizeof *e) : NULL;
    if (!e) {
        return;
    }
    for (int32_t i = 0; i < n; i++) {
        e[i] = (extreme){head[i] - r->net->node_elevation[i], i};
    }
    qsort(e, (size_t)n, sizeof *e, by_value);
    title(p, high ? "Highest pressures" : "Lowest pressures");
    for (int32_t k = 0; k < n && k < p->rows; k++) {
        const extreme *x = &e[high ? n - 1 - k : k];
        row(p, sl_network_node_id(r->net, x->node));
        sl_out_printf(p->out, "%.5g %s (head %.6g %s) at %.4g s\n", pressure(p, x->value), r->shown.pressure.name,
                      length(p, head[x->node]), r->shown.length.name, time ? time[x->node] : 0.0);
    }
    if (n > p->rows) {
        sl_out_printf(p->out, "  and %d more\n", (int)(n - p->rows));
    }
    sl_free(r->ctx, e, (size_t)n * sizeof *e);
}

static void put_cavities(page *p) {
    const sl_surge_outcome *r = p->r;
    int32_t n = 0;
    for (int32_t i = 0; i < r->net->n_pipe; i++) {
        sl_surge_cavities c;
        if (!sl_surge_cavities_of(r, i, &c)) {
            continue;
        }
        if (n == 0) {
            title(p, "Cavities (the water broke)");
        }
        if (n++ < p->rows) {
            row(p, sl_network_link_id(r->net, i));
            sl_out_printf(p->out, "from %.4g s on, largest %.3g %s at %.6g %s, open for %.3g s, %.0f collapses\n",
                          c.first, c.volume / r->shown.volume.factor, r->shown.volume.name, length(p, c.chainage),
                          r->shown.length.name, c.longest, c.collapses);
        }
    }
    if (n > p->rows) {
        sl_out_printf(p->out, "  and %d more pipes\n", (int)(n - p->rows));
    }
}

/* What the run told on its way; alarms have their own part. */
static void put_events(page *p) {
    const sl_diags *said = sl_session_diags(p->r->session);
    bool first = true;
    for (int32_t i = 0; i < sl_diags_size(said); i++) {
        const sl_diag *d = sl_diags_at(said, i);
        if (d->code == SL_CODE_ALARM || isnan(d->time)) {
            continue;
        }
        if (first) {
            title(p, "On the way");
        }
        first = false;
        char when[32];
        (void)sl_format(when, sizeof when, "%.4g s", d->time);
        row(p, when);
        sl_out_printf(p->out, "%s%s%s%s%.300s\n", d->object_kind ? d->object_kind : "", d->object_id ? " " : "",
                      d->object_id ? d->object_id : "", d->object_id ? ": " : "", d->text);
    }
}

/* ---- How it was computed ------------------------------------------------------------------------ */

static void put_grid(page *p) {
    const sl_surge_grid *g = &p->r->grid;
    title(p, "Grid");
    row(p, "Time step");
    sl_out_printf(p->out, "%.6g s, %lld of them\n", g->dt, (long long)g->n_step);
    row(p, "Points");
    sl_out_printf(p->out, "%lld in %d pipes", (long long)g->n_point, (int)g->n_pipe);
    if (g->n_rigid > 0) {
        sl_out_printf(p->out, ", %d of them rigid (too short for a wave)", (int)g->n_rigid);
    }
    sl_out_char(p->out, '\n');
    row(p, "Wave speeds");
    if (g->worst_pipe >= 0 && g->distortion_max > 0.0) {
        sl_out_printf(p->out, "changed by up to %.3g %% (pipe %s)\n", 100.0 * g->distortion_max,
                      sl_network_link_id(p->r->net, g->worst_pipe));
    } else {
        sl_out_z(p->out, "as asked for\n");
    }
}

static void put_balance(page *p) {
    const sl_surge_balance *b = &p->r->view.balance;
    const sl_display_unit v = p->r->shown.volume;
    title(p, "Balance");
    row(p, "Water");
    sl_out_printf(p->out, "in %.5g, out %.5g, demand %.5g, outlets %.5g, tanks %+.5g, pipes %+.3g, cavities %+.3g %s\n",
                  b->inflow / v.factor, b->outflow / v.factor, b->demand / v.factor, b->outlets / v.factor,
                  b->tanks / v.factor, b->stored / v.factor, b->cavities / v.factor, v.name);
    row(p, "Error");
    sl_out_printf(p->out, "%.2g of what moved\n", b->scale > 0.0 ? fabs(b->error) / b->scale : 0.0);
    row(p, "Energy");
    sl_out_printf(p->out, "%.4g kJ at the start, %.4g kJ now, %.4g kJ by work, %.4g kJ lost to friction\n",
                  b->energy_start / 1e3, (b->kinetic + b->elastic) / 1e3, b->work / 1e3, b->friction / 1e3);
}

static void put_models(page *p) {
    const sl_surge_def *d = &p->r->study->def;
    row(p, "Models");
    sl_out_printf(p->out, "friction %s, cavitation %s\n", sl_surge_friction_word(d->friction),
                  sl_surge_cavitation_word(d->cavitation));
    if (d->friction == SL_SURGE_RTHYM_FILTER) {
        sl_out_z(p->out,
                 "                      rthym-filter is no friction law: it adds energy. Use it to compare with "
                 "that program only\n");
    }
}

void sl_surge_report(const sl_surge_outcome *r, int32_t rows, sl_out *out) {
    page p = {r, out, rows};
    sl_out_z(out, r->name);
    if (r->study->title) {
        sl_out_printf(out, ": %s", r->study->title);
    }
    sl_out_printf(out, "\n  %.6g s of surge, %d nodes, %d links\n", r->view.time, (int)r->net->n_node,
                  (int)r->net->n_link);
    put_limits(&p);
    put_alarms(&p);
    put_extremes(&p, true);
    put_extremes(&p, false);
    put_cavities(&p);
    put_events(&p);
    put_grid(&p);
    put_models(&p);
    put_balance(&p);
}
