/* SPDX-License-Identifier: MIT */
/* table_run.c: a run as the source of a table.
 *
 * The writer of .out files knows what a run's numbers look like there: units, signs, order, statistics. Here it writes
 * into a sink that keeps the head and the end, and hands each period on as it comes by. Nothing is written twice, and
 * no second piece of code has to agree with the first. Only the ids and coordinates come from the network.
 */
#include <string.h>

#include "base/out.h"
#include "results/out_layout.h"
#include "results/out_write.h"
#include "results/table_impl.h"

struct sl_table_run {
    sl_context *ctx;
    const sl_network *net;
    sl_table_def def;
    sl_patch_sink sink; /* of the writer, into here */
    sl_out_writer *writer;
    sl_bytes head; /* what stands before the periods; from the end on, what stands behind them too */
    sl_source_bytes bytes;
    sl_outfile *file; /* read from head at the beginning */
    sl_outfile *last; /* read from it at the end, with the energies */
    sl_table_source source;
    bool open;       /* the source is */
    int64_t due;     /* periods that are on their way */
    int32_t n_seen;  /* periods that came by */
    int32_t n_frame; /* frames given to the writer */
    size_t n_float;  /* of a period */
    size_t filled;   /* bytes of it that are there */
    float *period;
};

static sl_status read_head(void *user, uint64_t offset, void *bytes, size_t n) {
    const sl_table_run *r = user;
    if (offset > (uint64_t)r->head.n || n > (uint64_t)r->head.n - offset) {
        return SL_ERR_IO;
    }
    memcpy(bytes, r->head.at + offset, n);
    return SL_OK;
}

static sl_status open_head(sl_table_run *r, sl_outfile **file) {
    r->bytes = (sl_source_bytes){r, (uint64_t)r->head.n, read_head};
    return sl_outfile_open(r->ctx, &r->bytes, "", NULL, file);
}

/* ---- The stream --------------------------------------------------------------------------------- */

static sl_status hand_on(sl_table_run *r) {
    double time = sl_outfile_time(r->file, r->n_seen++);
    r->filled = 0;
    r->due--;
    if (!sl_table_source_wants(&r->source, time)) {
        return SL_OK;
    }
    sl_outfile_fix_words(r->period, r->n_float);
    const float *value[SL_OUT_VARIABLE_COUNT];
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
        value[v] = r->period + sl_outfile_variable_at((sl_out_variable)v, r->net->n_node, r->net->n_link);
    }
    return sl_table_source_frame(&r->source, time, value);
}

static sl_status take(void *user, const void *bytes, size_t n) {
    sl_table_run *r = user;
    const char *at = bytes;
    size_t size = r->n_float * sizeof *r->period;
    sl_status status = SL_OK;
    while (n > 0 && r->due > 0 && status == SL_OK) {
        size_t k = n < size - r->filled ? n : size - r->filled;
        memcpy((char *)r->period + r->filled, at, k);
        r->filled += k;
        at += k;
        n -= k;
        status = r->filled == size ? hand_on(r) : SL_OK;
    }
    if (n > 0 && status == SL_OK) { /* before the first period, or behind the last */
        sl_sink head = sl_bytes_sink(&r->head);
        status = head.write(head.user, at, n);
    }
    return status;
}

static sl_status patch(void *user, uint64_t offset, const void *bytes, size_t n) {
    sl_table_run *r = user;
    if (offset > (uint64_t)r->head.n || n > (uint64_t)r->head.n - offset) {
        return SL_ERR_USE; /* into the periods, which are gone */
    }
    memcpy(r->head.at + offset, bytes, n);
    return SL_OK;
}

/* ---- The sink ----------------------------------------------------------------------------------- */

static sl_status begin(void *user, const sl_result_layout *layout, sl_diags *diags) {
    sl_table_run *r = user;
    const sl_result_sink *sink = sl_out_writer_sink(r->writer);
    sl_status status = sink->begin(sink->user, layout, diags);
    status = status == SL_OK ? sl_out_writer_flush(r->writer) : status;
    status = status == SL_OK ? open_head(r, &r->file) : status;
    if (status != SL_OK) {
        return status;
    }
    r->source = (sl_table_source){.ctx = r->ctx, .def = &r->def, .file = r->file, .net = r->net, .diags = diags};
    /* A model may ask for quality that its engine does not compute: a column of zeros would be a lie. */
    r->source.quality =
        r->net->quality.kind != SL_QUALITY_NONE && sl_engine_find_field(layout->ops, "node", sl_str_z("quality")) >= 0;
    r->open = true;
    return sl_table_source_open(&r->source);
}

static sl_status frame(void *user, const sl_result_frame *frame, sl_diags *diags) {
    sl_table_run *r = user;
    const sl_result_sink *sink = sl_out_writer_sink(r->writer);
    r->source.diags = diags;
    r->due += r->net->times.statistic == SL_STAT_SERIES;
    r->n_frame++;
    return sink->frame(sink->user, frame, diags);
}

/* The end of the file as it would be, read by the reader of such files: the count of its periods must be none, as none
 * are there. */
static sl_status end(void *user, bool complete, sl_diags *diags) {
    sl_table_run *r = user;
    const sl_result_sink *sink = sl_out_writer_sink(r->writer);
    r->source.diags = diags;
    r->due += r->net->times.statistic != SL_STAT_SERIES && r->n_frame > 0;
    sl_status status = sink->end(sink->user, complete, diags);
    if (status != SL_OK) {
        return status;
    }
    int32_t tail[3] = {0};
    memcpy(tail, r->head.at + r->head.n - sizeof tail, sizeof tail);
    sl_outfile_fix_words(tail, 3);
    const int32_t none = 0;
    memcpy(r->head.at + r->head.n - sizeof tail, &none, sizeof none);
    status = open_head(r, &r->last);
    if (status != SL_OK) {
        return status;
    }
    sl_outfile_info info = *sl_outfile_get_info(r->last);
    info.n_period = tail[0];
    info.complete = complete;
    return sl_table_source_end(&r->source, &info);
}

/* ---- The run ------------------------------------------------------------------------------------ */

sl_status sl_table_run_create(sl_context *ctx, const sl_network *net, const sl_table_def *def, sl_diags *diags,
                              sl_table_run **out) {
    *out = NULL;
    sl_status status = def->format->ready ? def->format->ready(diags) : SL_OK;
    sl_table_run *r = status == SL_OK ? sl_alloc(ctx, sizeof *r) : NULL;
    if (!r) {
        return status == SL_OK ? SL_ERR_MEMORY : status;
    }
    r->ctx = ctx;
    r->net = net;
    r->def = *def;
    r->sink = (sl_patch_sink){.user = r, .write = take, .patch = patch};
    r->n_float = SL_OUTFILE_NODE * (size_t)net->n_node + SL_OUTFILE_LINK * (size_t)net->n_link;
    r->period = sl_alloc(ctx, r->n_float * sizeof *r->period);
    sl_bytes_init(&r->head, ctx);
    sl_out_writer_def as = sl_out_writer_default(net);
    as.input_name = def->name;
    /* Without diagnostics: ids are whole here, whatever a .out file would cut off. */
    status = r->period ? sl_out_writer_create(ctx, net, &as, &r->sink, NULL, &r->writer) : SL_ERR_MEMORY;
    if (status != SL_OK) {
        sl_table_run_destroy(r);
        return status;
    }
    *out = r;
    return SL_OK;
}

void sl_table_run_destroy(sl_table_run *r) {
    if (r) {
        if (r->open) {
            sl_table_source_close(&r->source);
        }
        sl_outfile_close(r->file);
        sl_outfile_close(r->last);
        sl_out_writer_destroy(r->writer);
        sl_bytes_fini(&r->head);
        sl_free(r->ctx, r->period, r->n_float * sizeof *r->period);
        sl_free(r->ctx, r, sizeof *r);
    }
}

sl_result_sink sl_table_run_sink(sl_table_run *r) {
    return (sl_result_sink){.user = r, .begin = begin, .frame = frame, .end = end};
}

void sl_table_run_warn(sl_table_run *r, int32_t flag) {
    sl_out_writer_warn(r->writer, flag);
}
