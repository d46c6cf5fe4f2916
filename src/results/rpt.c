/* SPDX-License-Identifier: MIT */
/* rpt.c: the text report: the head, the messages, and the order of things; see rpt.h. */
#include "results/rpt.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "results/rpt_impl.h"
#include <sluice/units.h>

static const size_t block_size = sizeof(double) * SL_RPT_FIELDS * SL_RPT_BLOCK;

/* ---- The head ----------------------------------------------------------------------------------- */

static void fact(sl_rpt *r, const char *label, const char *fmt, ...) SL_PRINTF(3, 4);
static void fact(sl_rpt *r, const char *label, const char *fmt, ...) {
    char text[512];
    va_list args;
    va_start(args, fmt);
    (void)sl_vformat(text, sizeof text, fmt, args);
    va_end(args);
    char dots[36];
    int n = sl_format(dots, sizeof dots, "%s ", label);
    for (; n > 0 && n < (int)sizeof dots - 1; n++) {
        dots[n] = '.';
        dots[n + 1] = 0;
    }
    sl_rpt_line(r, "  %s %s", dots, text);
}

static void fact_time(sl_rpt *r, const char *label, double seconds) {
    char text[64];
    sl_time_format(seconds, text, sizeof text);
    fact(r, label, "%s", text);
}

/* How many elements have a coefficient of their own; NaN stands for the global one. */
static int32_t n_own(const double *x, int32_t n) {
    int32_t count = 0;
    for (int32_t i = 0; x && i < n; i++) {
        count += !isnan(x[i]);
    }
    return count;
}

static void fact_own(sl_rpt *r, const char *label, const double *x, int32_t n, const char *things) {
    int32_t own = n_own(x, n);
    if (own > 0) {
        fact(r, label, "%d of %d %s", own, n, things);
    }
}

/* Coefficients are per day and in the file's unit of length, as [REACTIONS] has them. */
static void head_kinetics(sl_rpt *r) {
    static const double day = 86400.0;
    const sl_network *net = r->net;
    const sl_quality_options *q = &net->quality;
    fact(r, "Bulk reaction", "order %.4g in pipes, %.4g in tanks; global coefficient %.6g per day", q->bulk_order,
         q->tank_order, q->bulk_coef * day);
    fact(r, "Wall reaction", "order %d; global coefficient %.6g %s", (int)q->wall_order,
         q->wall_coef / r->shown.wall.factor, r->shown.wall.name);
    fact_own(r, "Own bulk coefficient", net->pipe_bulk, net->n_pipe, "pipes");
    fact_own(r, "Own wall coefficient", net->pipe_wall, net->n_pipe, "pipes");
    fact_own(r, "Own tank coefficient", net->tank_bulk, net->n_tank, "tanks");
    if (q->limit_potential > 0) {
        fact(r, "Limiting concentration", "%.6g %s", q->limit_potential, r->shown.quality.name);
    }
    if (q->roughness_factor != 0) {
        fact(r, "Wall coefficient", "from the pipes' roughness");
    }
    fact(r, "Diffusivity", "%.4g m2/s", q->diffusivity);
}

static void head_quality(sl_rpt *r) {
    static const char *const words[] = {"none", "chemical", "age of the water", "trace"};
    const sl_quality_options *q = &r->net->quality;
    if (q->kind == SL_QUALITY_TRACE && q->trace_node >= 0) {
        fact(r, "Water quality", "share that comes from %s", sl_network_node_id(r->net, q->trace_node));
    } else {
        fact(r, "Water quality", "%s", q->kind == SL_QUALITY_CHEMICAL && q->chemical ? q->chemical : words[q->kind]);
    }
    if (q->kind != SL_QUALITY_NONE) {
        fact_time(r, "Quality step", r->net->times.quality_step);
        fact(r, "Quality tolerance", "%.4g %s", q->tolerance, r->shown.quality.name);
    }
    if (q->kind == SL_QUALITY_CHEMICAL) {
        head_kinetics(r);
    }
}

/* What was run, for [REPORT] SUMMARY YES. */
static void head_model(sl_rpt *r) {
    static const char *const formulas[] = {"Hazen-Williams", "Darcy-Weisbach", "Chezy-Manning"};
    const sl_network *net = r->net;
    const sl_hydraulic_options *h = &net->hydraulics;
    fact(r, "Junctions", "%d", net->n_junction);
    fact(r, "Reservoirs", "%d", net->n_reservoir);
    fact(r, "Tanks", "%d", net->n_tank);
    fact(r, "Pipes", "%d", net->n_pipe);
    fact(r, "Pumps", "%d", net->n_pump);
    fact(r, "Valves", "%d", net->n_valve);
    fact(r, "Head loss", "%s", formulas[h->headloss]);
    fact(r, "Demands", "%s", h->demand_model == SL_PDA ? "by pressure (PDA)" : "fixed (DDA)");
    fact(r, "Demand multiplier", "%.4g", h->demand_multiplier);
}

static void head_times(sl_rpt *r) {
    const sl_hydraulic_options *h = &r->net->hydraulics;
    fact_time(r, "Duration", isfinite(r->until) ? r->until : 0);
    fact_time(r, "Hydraulic step", r->net->times.hydraulic_step);
    fact_time(r, "Report step", r->net->times.report_step);
    fact(r, "Accuracy", "%.6g", h->accuracy);
    fact(r, "Trials", "at most %d", h->trials);
    fact(r, "Specific gravity", "%.4g", h->specific_gravity);
    fact(r, "Kinematic viscosity", "%.4g m2/s", h->viscosity);
    head_quality(r);
}

static void put_diag(sl_rpt *r, const sl_diag *d, const char *time) {
    static const char *const words[] = {"", "WARNING: ", "ERROR: "};
    const char *kind = d->object_kind ? d->object_kind : "", *id = d->object_id ? d->object_id : "";
    sl_rpt_line(r, "  %-10s%s%s%s%s%s%s", time, words[d->severity], kind, *kind && *id ? " " : "", id,
                *kind || *id ? ": " : "", d->text ? d->text : sl_code_meaning(d->code));
}

/* What reading the file gave; [REPORT] MESSAGES NO leaves it out, and warnings of the run. */
static void head_messages(sl_rpt *r) {
    const sl_diags *diags = r->def.input_diags;
    if (!diags || !r->net->report.messages || sl_diags_size(diags) == 0) {
        return;
    }
    sl_rpt_heading(r, "Messages about the file");
    for (int32_t i = 0; i < sl_diags_size(diags); i++) {
        const sl_diag *d = sl_diags_at(diags, i);
        char line[32] = "";
        if (d->line > 0) {
            (void)sl_format(line, sizeof line, "line %u", (unsigned)d->line);
        }
        put_diag(r, d, line);
    }
}

static void head(sl_rpt *r) {
    sl_rpt_line(r, "Sluice %s: report of a run", sl_version());
    sl_rpt_line(r, "%s", "");
    for (int32_t i = 0; i < r->net->n_title && i < 3; i++) {
        sl_rpt_line(r, "%s", r->net->title[i]);
    }
    sl_rpt_line(r, "%s", "");
    fact(r, "Input", "%s", r->def.name);
    if (r->net->report.summary) {
        head_model(r);
        head_times(r);
        sl_rpt_table_criteria(r, &r->nodes);
        sl_rpt_table_criteria(r, &r->links);
    }
    head_messages(r);
}

/* ---- Messages of the run ------------------------------------------------------------------------ */

static bool wanted(const sl_rpt *r, const sl_diag *d) {
    const sl_report_options *o = &r->net->report;
    return d->severity == SL_ERROR || (d->severity == SL_WARNING ? o->messages : o->status > 0);
}

/* All that was said up to a time, in the order in which it was said. */
static void messages(sl_rpt *r, double until) {
    const sl_diags *diags = r->def.run_diags;
    for (; diags && r->next_diag < sl_diags_size(diags); r->next_diag++) {
        const sl_diag *d = sl_diags_at(diags, r->next_diag);
        if (d->time > until) {
            return;
        }
        if (!wanted(r, d)) {
            continue;
        }
        if (!r->in_messages) {
            sl_rpt_heading(r, "Messages");
            r->in_messages = true;
        }
        char time[64] = "";
        if (isfinite(d->time)) {
            sl_time_format(d->time, time, sizeof time);
        }
        put_diag(r, d, time);
    }
}

/* ---- The sink ----------------------------------------------------------------------------------- */

static sl_status begin(void *user, const sl_result_layout *layout, sl_diags *diags) {
    sl_rpt *r = user;
    (void)diags;
    sl_columns_open(&r->columns, layout);
    r->until = layout->ops->end(layout->engine);
    sl_status status = sl_rpt_table_init(r, &r->nodes, false);
    if (status == SL_OK) {
        status = sl_rpt_table_init(r, &r->links, true);
    }
    if (status == SL_OK) {
        head(r);
        status = r->out.status;
    }
    return status;
}

static sl_status frame(void *user, const sl_result_frame *f, sl_diags *diags) {
    sl_rpt *r = user;
    (void)diags;
    sl_columns_bind(&r->columns, f);
    messages(r, f->time);
    bool tables = !r->counting && r->nodes.n + r->links.n > 0;
    sl_rpt_table_frame(r, &r->nodes);
    sl_rpt_table_frame(r, &r->links);
    r->in_messages = r->in_messages && !tables;
    r->begin = r->n_frame == 0 ? f->time : r->begin;
    r->end = f->time;
    r->n_frame++;
    return r->out.status;
}

static void closing_words(sl_rpt *r, bool complete) {
    char time[64];
    const double *steps = r->columns.at[SL_COL_STEPS], *trials = r->columns.at[SL_COL_TRIALS];
    const double *unbalanced = r->columns.at[SL_COL_UNBALANCED];
    sl_time_format(r->end, time, sizeof time);
    sl_rpt_line(r, "%s", "");
    if (steps && trials && r->n_frame > 0) {
        sl_rpt_line(r, "%.0f steps, %.0f trials", steps[0], trials[0]);
    }
    if (unbalanced && unbalanced[0] > 0) {
        sl_rpt_line(r, "NOT BALANCED: %.0f solution%s", unbalanced[0], unbalanced[0] > 1 ? "s" : "");
    }
    int64_t dropped = r->def.run_diags ? sl_diags_dropped(r->def.run_diags) : 0;
    if (dropped > 0) {
        sl_rpt_line(r, "%lld further messages were not kept", (long long)dropped);
    }
    if (r->n_frame == 0) {
        sl_rpt_line(r, "The run ended before there was a result.");
    } else {
        sl_rpt_line(r, "The run %s at %s.", complete ? "came to its end" : "did NOT come to its end: it stopped", time);
    }
}

/* The summary, line by line. */
static sl_status put_summary(sl_rpt *r) {
    sl_digest d;
    sl_bytes text;
    sl_bytes_init(&text, r->ctx);
    sl_sink sink = sl_bytes_sink(&text);
    sl_out *out = sl_alloc(r->ctx, sizeof *out);
    const sl_summary_facts facts = {.name = r->def.name, .engine = r->def.engine, .diags = r->def.run_diags};
    sl_status status = sl_summary_digest(r->def.summary, &facts, INT32_MAX, &d);
    status = out ? status : SL_ERR_MEMORY;
    if (status == SL_OK) {
        sl_out_init(out, &sink);
        status = sl_digest_write_text(&d, out);
        status = status == SL_OK ? sl_out_flush(out) : status;
    }
    sl_free(r->ctx, out, sizeof *out);
    sl_digest_fini(&d);
    if (status == SL_OK) {
        sl_rpt_heading(r, "Summary");
    }
    for (int64_t i = 0, n = 0; i < text.n && status == SL_OK; i += n + 1) {
        const char *line = text.at + i, *last = memchr(line, '\n', (size_t)(text.n - i));
        n = last ? last - line : text.n - i;
        (void)sl_rpt_line_begin(r);
        sl_out_z(&r->out, n > 0 ? "  " : "");
        sl_out_bytes(&r->out, line, (size_t)n);
        sl_rpt_line_end(r);
    }
    sl_bytes_fini(&text);
    return status;
}

static sl_status end(void *user, bool complete, sl_diags *diags) {
    sl_rpt *r = user;
    (void)diags;
    messages(r, INFINITY);
    if (r->n_frame > 0) {
        sl_rpt_table_close(r, &r->nodes);
        sl_rpt_table_close(r, &r->links);
        if (sl_columns_bind_last(&r->columns)) {
            r->end = r->columns.time;
        }
        sl_rpt_energy(r);
        sl_rpt_water(r);
        sl_rpt_quality(r);
    }
    closing_words(r, complete && !(r->columns.ops->time(r->columns.engine) < r->until));
    sl_status status = r->def.summary ? put_summary(r) : SL_OK;
    sl_status flushed = sl_out_flush(&r->out);
    return status == SL_OK ? flushed : status;
}

sl_result_sink sl_rpt_sink(sl_rpt *rpt) {
    return (sl_result_sink){.user = rpt, .begin = begin, .frame = frame, .end = end};
}

sl_status sl_rpt_create(sl_context *ctx, const sl_rpt_def *def, sl_rpt **out) {
    *out = NULL;
    sl_rpt *r = sl_alloc(ctx, sizeof *r);
    if (!r) {
        return SL_ERR_MEMORY;
    }
    r->ctx = ctx;
    r->def = *def;
    r->net = def->net;
    r->shown = sl_display_units_of(def->net);
    r->page_size = def->net->report.page_size;
    r->page = 1;
    r->counting = def->net->times.statistic != SL_STAT_SERIES;
    sl_out_init(&r->out, def->sink);
    r->block = sl_alloc(ctx, block_size);
    if (!r->block) {
        sl_rpt_destroy(r);
        return SL_ERR_MEMORY;
    }
    *out = r;
    return SL_OK;
}

void sl_rpt_destroy(sl_rpt *r) {
    if (r) {
        sl_rpt_table_fini(r, &r->nodes);
        sl_rpt_table_fini(r, &r->links);
        sl_free(r->ctx, r->block, block_size);
        sl_free(r->ctx, r, sizeof *r);
    }
}
