/* SPDX-License-Identifier: MIT */
/* memory.c: a result that is kept as it is recorded, for whoever reads it at once: frames in blocks of one quantity each. Layout, tables
 * and attributes are the recorder's, which has to live as long. */
#include <string.h>

#include "results/record.h"

typedef struct memory {
    sl_results results; /* first: what is given to the caller */
    SL_ARRAY(double) times;
    SL_ARRAY(int32_t) executions;
    SL_ARRAY(sl_event_info) events;
    SL_ARRAY(double) * values; /* [n_quantity] */
    const double **block;
} memory;

static sl_status keep_event(void *writer, const sl_event_info *event, sl_diags *diags) {
    memory *m = writer;
    sl_event_info e = *event;
    const char **const texts[] = {&e.kind, &e.element_class, &e.element, &e.quantity, &e.cause};
    (void)diags;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i] = sl_arena_copy(&m->results.arena, sl_str_z(*texts[i]));
        if (!*texts[i]) {
            return SL_ERR_MEMORY;
        }
    }
    return SL_PUSH(m->results.ctx, &m->events, e) ? SL_OK : SL_ERR_MEMORY;
}

static sl_status keep_frame(void *writer, const sl_results_frame *frame, sl_diags *diags) {
    memory *m = writer;
    sl_context *ctx = m->results.ctx;
    (void)diags;
    if (!SL_PUSH(ctx, &m->times, frame->time) || !SL_PUSH(ctx, &m->executions, frame->execution)) {
        return SL_ERR_MEMORY;
    }
    for (int32_t q = 0; q < m->results.n_quantity; q++) {
        int32_t n = m->results.layout.groups[m->results.group_of[q]].n;
        if (!SL_RESERVE(ctx, &m->values[q], m->values[q].n + n)) {
            return SL_ERR_MEMORY;
        }
        if (n > 0) {
            memcpy(m->values[q].at + m->values[q].n, frame->values[q], (size_t)n * sizeof(double));
        }
        m->values[q].n += n;
    }
    return SL_OK;
}

static sl_status keep_end(void *writer, const sl_results_end *end, sl_diags *diags) {
    memory *m = writer;
    sl_results *r = &m->results;
    (void)diags;
    r->end = *end;
    r->n_frame = m->times.n;
    r->times = m->times.at;
    r->executions = r->layout.several ? m->executions.at : NULL;
    r->n_event = m->events.n;
    r->events = m->events.at;
    for (int32_t q = 0; q < r->n_quantity; q++) {
        m->block[q] = m->values[q].at;
    }
    r->block = m->block;
    return SL_OK;
}

/* What the writer kept is the caller's. */
static void leave(void *writer) {
    (void)writer;
}

static const sl_results_format memory_format = {.ending = "",
                                                .what = "a result in memory",
                                                .event = keep_event,
                                                .frame = keep_frame,
                                                .end = keep_end,
                                                .destroy = leave};

sl_status sl_recorder_keep(sl_recorder *r, sl_results **out) {
    memory *m = sl_alloc(r->ctx, sizeof *m);
    *out = NULL;
    if (!m) {
        return SL_ERR_MEMORY;
    }
    *m = (memory){.results = {.ctx = r->ctx, .name = "", .format = &memory_format, .layout = r->choice.layout}};
    sl_arena_init(&m->results.arena, r->ctx);
    sl_status status = sl_results_number_quantities(&m->results);
    size_t n = (size_t)m->results.n_quantity + 1;
    m->values = status == SL_OK ? sl_arena_alloc(&m->results.arena, n * sizeof *m->values) : NULL;
    m->block = status == SL_OK ? sl_arena_alloc(&m->results.arena, n * sizeof *m->block) : NULL;
    sl_results_writer *w = NULL;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    bool fine = m->values && m->block && SL_RESERVE(r->ctx, &r->writers, r->writers.n + 1);
    status = fine ? sl_results_writer_create_as(r->ctx, &memory_format, &r->choice.layout, m, &w) : SL_ERR_MEMORY;
    if (status != SL_OK) {
        sl_results_forget(&m->results);
        return status;
    }
    r->writers.at[r->writers.n++] = w;
    *out = &m->results;
    return SL_OK;
}

void sl_results_forget(sl_results *r) {
    memory *m = (memory *)r;
    if (!m) {
        return;
    }
    sl_context *ctx = r->ctx;
    for (int32_t q = 0; m->values && q < r->n_quantity; q++) {
        SL_ARRAY_FINI(ctx, &m->values[q]);
    }
    SL_ARRAY_FINI(ctx, &m->times);
    SL_ARRAY_FINI(ctx, &m->executions);
    SL_ARRAY_FINI(ctx, &m->events);
    sl_arena_fini(&r->arena);
    sl_free(ctx, m, sizeof *m);
}
