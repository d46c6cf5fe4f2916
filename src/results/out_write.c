/* SPDX-License-Identifier: MIT */
/* out_write.c: the .out file as a sink of results: its order, its statistics, its end.
 *
 * A time statistic condenses all reported periods into one: flows enter without sign, statuses as open or closed (an
 * average of one half is open), everything else as it is. Bytes reach the sink in blocks; a run of any length and a
 * network of any size need the memory of one block, and of a period where there is a statistic.
 */
#include "results/out_write.h"

#include "base/memory.h"
#include "base/report.h"
#include "results/columns.h"
#include "results/out_write_impl.h"

/* ---- Fields ------------------------------------------------------------------------------------- */

static bool is_of_quality(sl_out_variable v) {
    return v == SL_OUT_QUALITY || v == SL_OUT_LINK_QUALITY || v == SL_OUT_REACTION;
}

_Static_assert((int)SL_COL_N_OUT == (int)SL_OUT_VARIABLE_COUNT, "columns begin as variables do");

bool sl_out_writer_knows(const sl_network *net, sl_out_variable v) {
    return net->quality.kind == SL_QUALITY_NONE && is_of_quality(v);
}

/* Where each variable is in a frame, and whether all that is needed is there. */
static sl_status find_slots(sl_out_writer *w, sl_diags *diags) {
    const sl_result_layout *layout = &w->layout;
    sl_columns columns;
    sl_columns_open(&columns, layout);
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) { /* columns begin as variables do */
        int32_t n = v < SL_OUT_FLOW ? w->net->n_node : w->net->n_link;
        w->slot[v] = columns.place[v];
        bool wrong = w->slot[v] >= 0 ? layout->ops->count(layout->engine, columns.field[v]) != n
                                     : !is_of_quality((sl_out_variable)v);
        if (wrong) {
            sl_report(diags, SL_ERROR, SL_CODE_WRONG_KIND, NULL, NULL, NULL, NULL,
                      "a .out file needs %s of every element of the network, and the %s engine does not give it",
                      sl_run_columns[v], layout->ops->name);
            return SL_ERR_USE;
        }
    }
    return SL_OK;
}

/* ---- Order -------------------------------------------------------------------------------------- */

/* Runs of elements in the file's order, rank, that do not cross the ends of kinds. */
static bool find_order(sl_context *ctx, const int32_t *rank, const int32_t kind_end[3], sl_out_order *order) {
    int32_t n = kind_end[2], other = 0;
#pragma omp simd reduction(| : other)
    for (int32_t i = 0; i < n; i++) {
        other |= rank[i] ^ i;
    }
    if (other == 0) { /* as in nearly all files */
        sl_out_run kinds[3];
        for (int k = 0, first = 0; k < 3; first = kind_end[k++]) {
            kinds[order->n] = (sl_out_run){.first = first, .n = kind_end[k] - first};
            order->n += kind_end[k] > first;
        }
        order->at = n > 0 ? sl_alloc(ctx, (size_t)order->n * sizeof *order->at) : NULL;
        if (!order->at) {
            order->n = 0;
            return n == 0;
        }
        memcpy(order->at, kinds, (size_t)order->n * sizeof *order->at);
        return true;
    }
    int32_t *at = n > 0 ? sl_alloc(ctx, (size_t)n * sizeof *at) : NULL; /* the element at each place */
    for (int32_t i = 0; at && i < n; i++) {
        at[rank[i]] = i;
    }
    for (int pass = 0; at && pass < 2; pass++) { /* count, then write down */
        int32_t n_run = 0, last = -2;
        for (int32_t i = 0; i < n; i++) {
            bool new_kind = at[i] == kind_end[0] || at[i] == kind_end[1];
            n_run += at[i] != last + 1 || new_kind;
            last = at[i];
            if (pass == 1) {
                sl_out_run *run = &order->at[n_run - 1];
                run->first = run->n == 0 ? at[i] : run->first;
                run->n++;
            }
        }
        if (pass == 0) {
            order->at = sl_alloc(ctx, (size_t)n_run * sizeof *order->at);
            order->n = order->at ? n_run : 0;
            pass += !order->at;
        }
    }
    sl_free(ctx, at, (size_t)n * sizeof *at);
    return n == 0 || order->at;
}

static bool find_orders(sl_out_writer *w) {
    const sl_network *net = w->net;
    const int32_t nodes[3] = {net->n_junction, net->n_junction + net->n_reservoir, net->n_node};
    const int32_t links[3] = {net->n_pipe, net->n_pipe + net->n_pump, net->n_link};
    return find_order(w->ctx, net->node_rank, nodes, &w->nodes) && find_order(w->ctx, net->link_rank, links, &w->links);
}

/* ---- Blocks ------------------------------------------------------------------------------------- */

sl_status sl_out_send(sl_out_writer *w) {
    if (w->status == SL_OK && w->n_block > 0) {
        w->status = w->sink->write(w->sink->user, w->block, w->n_block);
    }
    w->n_block = 0;
    return w->status;
}

void sl_out_send_pages(sl_out_writer *w, size_t n) {
    size_t all = w->n_block, rest = all % (w->block_size > SL_OUT_LEAST_BLOCK ? SL_OUT_BLOCK : SL_OUT_PAGE);
    rest = n + rest <= w->block_size ? rest : 0;
    w->n_block = all - rest;
    (void)sl_out_send(w);
    memmove(w->block, w->block + all - rest, rest);
    w->n_block = rest;
}

/* ---- Statistics --------------------------------------------------------------------------------- */

/* What enters a statistic: flows and statuses lose their kinds. */
static void simplify(sl_out_writer *w) {
    int32_t n_node = w->net->n_node, n_link = w->net->n_link;
    float *flow = w->period + sl_outfile_variable_at(SL_OUT_FLOW, n_node, n_link);
    float *status = w->period + sl_outfile_variable_at(SL_OUT_STATUS, n_node, n_link);
    for (int32_t i = 0; i < n_link; i++) {
        flow[i] = fabsf(flow[i]);
        status[i] = status[i] > (float)SL_STATUS_CLOSED ? 1.0f : 0.0f;
    }
}

static void add_to_statistic(sl_out_writer *w) {
    simplify(w);
    bool average = w->net->times.statistic == SL_STAT_AVERAGE;
    for (size_t i = 0; i < w->n_float; i++) {
        double x = (double)w->period[i];
        if (w->n_frame == 0) {
            w->low[i] = w->high[i] = x;
        } else {
            w->low[i] = average ? w->low[i] + x : fmin(w->low[i], x);
            w->high[i] = fmax(w->high[i], x);
        }
    }
}

static void write_statistic(sl_out_writer *w) {
    sl_statistic statistic = w->net->times.statistic;
    for (size_t i = 0; i < w->n_float; i++) {
        double low = statistic == SL_STAT_AVERAGE ? w->low[i] / w->n_frame : w->low[i];
        double x = statistic == SL_STAT_MAXIMUM ? w->high[i] : statistic == SL_STAT_RANGE ? w->high[i] - low : low;
        w->period[i] = sl_outfile_float(x);
    }
    float *status = w->period + sl_outfile_variable_at(SL_OUT_STATUS, w->net->n_node, w->net->n_link);
    for (int32_t i = 0; i < w->net->n_link; i++) {
        status[i] = status[i] >= 0.5f ? (float)SL_STATUS_OPEN : (float)SL_STATUS_CLOSED;
    }
    enum { PIECE = SL_OUT_LEAST_BLOCK / sizeof(float) };
    for (size_t i = 0; i < w->n_float; i += PIECE) {
        size_t n = w->n_float - i < PIECE ? w->n_float - i : PIECE;
        float *to = sl_out_reserve(w, n * sizeof *to);
        memcpy(to, w->period + i, n * sizeof *to);
        sl_outfile_fix_words(to, n);
    }
    w->n_period = 1;
}

/* ---- The sink ----------------------------------------------------------------------------------- */

/* The size that the file will have if the run goes on to its end. */
static double expected_size(const sl_out_writer *w) {
    const sl_network *net = w->net;
    sl_outfile_info info = {
        .n_node = net->n_node, .n_link = net->n_link, .n_fixed = net->n_reservoir + net->n_tank, .n_pump = net->n_pump};
    double n = w->report_step > 0.0 ? floor((w->duration - w->report_start) / w->report_step) + 1.0 : 1.0;
    n = w->period || !(n > 1.0) ? 1.0 : n;
    return (double)sl_outfile_head_size(&info) + 4.0 * n * (double)w->n_float + SL_OUTFILE_EPILOG;
}

static sl_status make_block(sl_out_writer *w) {
    enum { MUCH = 1 << 20 };
    double size = expected_size(w);
    if (w->sink->expect && size < 0x1p62) {
        w->sink->expect(w->sink->user, (uint64_t)size);
    }
    size_t block_size = SL_OUT_LEAST_BLOCK + (size < MUCH ? (size_t)size : SL_OUT_BLOCK);
    w->block = sl_resize(w->ctx, NULL, 0, block_size);
    w->block_size = w->block ? block_size : 0;
    return w->block ? SL_OK : SL_ERR_MEMORY;
}

static void warn_long_ids(const sl_out_writer *w) {
    int32_t n = w->n_long_id;
    if (n > 0) {
        sl_report(w->diags, SL_WARNING, SL_CODE_LONG_ID, NULL, NULL, w->long_id,
                  "the other result formats keep them whole",
                  "%d %s cut in the .out file, which holds 31 bytes of an id", (int)n, n == 1 ? "id is" : "ids are");
    }
}

static sl_status begin(void *user, const sl_result_layout *layout, sl_diags *diags) {
    sl_out_writer *w = user;
    w->layout = *layout;
    w->diags = w->diags ? w->diags : diags;
    sl_status status = find_slots(w, diags);
    if (status != SL_OK) {
        return status;
    }
    layout->ops->report(layout->engine, &w->report_start, &w->report_step);
    w->duration = layout->ops->end(layout->engine);
    w->duration = isfinite(w->duration) ? w->duration : w->net->times.duration;
    if (!find_orders(w) || make_block(w) != SL_OK) {
        return SL_ERR_MEMORY;
    }
    sl_out_write_prolog(w);
    warn_long_ids(w);
    return w->status;
}

static sl_status frame(void *user, const sl_result_frame *frame, sl_diags *diags) {
    sl_out_writer *w = user;
    if (w->status != SL_OK) {
        return w->status;
    }
    /* The file has no times of its own: the n-th period is at start + n step, to the second. */
    if (w->report_step > 0.0 && fabs(frame->time - (w->report_start + w->n_frame * w->report_step)) > 0.5) {
        return SL_ERR_USE;
    }
    sl_out_put_frame(w, frame, diags);
    if (w->period) {
        add_to_statistic(w);
    } else {
        w->n_period++;
    }
    w->n_frame++;
    return w->status;
}

static sl_status end(void *user, bool complete, sl_diags *diags) {
    sl_out_writer *w = user;
    if (w->period && w->n_frame > 0) {
        write_statistic(w);
    }
    double elapsed = complete ? w->duration : fmin(w->duration, w->layout.ops->time(w->layout.engine));
    sl_out_tail tail = {
        .n_period = w->n_period, .warning = w->warning == 0 && !complete ? 1 : w->warning, .magic = SL_OUTFILE_MAGIC};
    sl_out_reactions(w, elapsed, tail.reaction);
    sl_outfile_fix_words(&tail, sizeof tail / 4);
    memcpy(sl_out_reserve(w, sizeof tail), &tail, sizeof tail);
    if (sl_out_send(w) == SL_OK) {
        w->status = sl_out_patch_energy(w, elapsed, diags);
    }
    return w->status;
}

/* ---- The writer --------------------------------------------------------------------------------- */

sl_out_writer_def sl_out_writer_default(const sl_network *net) {
    return (sl_out_writer_def){.size = sizeof(sl_out_writer_def), .flow_unit = net->hydraulics.flow_unit};
}

sl_status sl_out_writer_create(sl_context *ctx, const sl_network *net, const sl_out_writer_def *def,
                               const sl_patch_sink *sink, sl_diags *diags, sl_out_writer **out) {
    *out = NULL;
    sl_out_writer *w = sl_alloc(ctx, sizeof *w);
    if (!w) {
        return SL_ERR_MEMORY;
    }
    w->ctx = ctx;
    w->net = net;
    w->sink = sink;
    w->diags = diags;
    w->def = def ? *def : sl_out_writer_default(net);
    w->as_sink = (sl_result_sink){.user = w, .begin = begin, .frame = frame, .end = end};
    w->units = sl_network_units(&net->hydraulics, &net->quality);
    if (w->def.flow_unit != w->units.flow) {
        w->units.flow = w->def.flow_unit;
        w->units.pressure = sl_default_pressure_unit(w->units.flow);
    }
    w->values = sl_network_values_of(net, &w->units, false);
    w->n_float = SL_OUTFILE_NODE * (size_t)net->n_node + SL_OUTFILE_LINK * (size_t)net->n_link;
    bool short_of = false;
    if (net->times.statistic != SL_STAT_SERIES && w->n_float > 0) {
        w->period = sl_alloc(ctx, w->n_float * sizeof *w->period);
        w->low = sl_alloc(ctx, w->n_float * sizeof *w->low);
        w->high = sl_alloc(ctx, w->n_float * sizeof *w->high);
        short_of = !w->period || !w->low || !w->high;
    }
    if (short_of) {
        sl_out_writer_destroy(w);
        return SL_ERR_MEMORY;
    }
    *out = w;
    return SL_OK;
}

void sl_out_writer_destroy(sl_out_writer *w) {
    if (w) {
        sl_free(w->ctx, w->nodes.at, (size_t)w->nodes.n * sizeof *w->nodes.at);
        sl_free(w->ctx, w->links.at, (size_t)w->links.n * sizeof *w->links.at);
        sl_free(w->ctx, w->block, w->block_size);
        sl_free(w->ctx, w->period, w->n_float * sizeof *w->period);
        sl_free(w->ctx, w->low, w->n_float * sizeof *w->low);
        sl_free(w->ctx, w->high, w->n_float * sizeof *w->high);
        sl_free(w->ctx, w, sizeof *w);
    }
}

const sl_result_sink *sl_out_writer_sink(const sl_out_writer *w) {
    return &w->as_sink;
}

void sl_out_writer_warn(sl_out_writer *w, int32_t flag) {
    w->warning = flag;
}

int32_t sl_out_warning_flag(const sl_diags *diags) {
    static const struct {
        sl_code code;
        int32_t flag;
    } flags[] = {{SL_CODE_NOT_BALANCED, 1},     {SL_CODE_STATUS_CYCLE, 2}, {SL_CODE_UNSERVED, 3},
                 {SL_CODE_PUMP_HEAD, 4},        {SL_CODE_PUMP_FLOW, 4},    {SL_CODE_VALVE_UNABLE, 5},
                 {SL_CODE_NEGATIVE_PRESSURE, 6}};
    int32_t flag = 0;
    for (int32_t i = 0; i < sl_diags_size(diags); i++) {
        const sl_diag *d = sl_diags_at(diags, i);
        for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
            bool reported = d->code == flags[k].code && d->severity != SL_INFO;
            flag = reported && flags[k].flag > flag ? flags[k].flag : flag;
        }
    }
    return flag;
}
