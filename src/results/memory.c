/* SPDX-License-Identifier: MIT */
/* memory.c: a result that is kept as it is recorded, for whoever reads it at once. Layout, tables and attributes are the recorder's,
 * which has to live as long. */
#include <string.h>

#include "results/record.h"

static sl_status keep_event(void *writer, const sl_event_info *event, sl_diags *diags) {
    sl_results *r = writer;
    sl_event_info e = *event;
    (void)diags;
    for (int i = 0; i < SL_EVENT_FIELDS; i++) {
        if (sl_event_fields[i].type == SL_EVENT_TEXT) {
            const char **text = sl_event_field_text(&e, &sl_event_fields[i]);
            *text = sl_arena_copy(&r->arena, sl_str_z(*text));
            if (!*text) {
                return SL_ERR_MEMORY;
            }
        }
    }
    return SL_PUSH(r->ctx, &r->kept.events, e) ? SL_OK : SL_ERR_MEMORY;
}

static sl_status keep_frame(void *writer, const sl_results_frame *frame, sl_diags *diags) {
    sl_results *r = writer;
    (void)diags;
    bool fine = sl_results_keep_frame(r, frame->time, frame->execution);
    for (int32_t q = 0; q < r->n_quantity && fine; q++) {
        int32_t n = r->layout.groups[r->group_of[q]].n;
        fine = SL_RESERVE(r->ctx, &r->kept.values[q], r->kept.values[q].n + n);
        if (fine && n > 0) {
            memcpy(r->kept.values[q].at + r->kept.values[q].n, frame->values[q], (size_t)n * sizeof(double));
            r->kept.values[q].n += n;
        }
    }
    return fine ? SL_OK : SL_ERR_MEMORY;
}

static sl_status keep_end(void *writer, const sl_results_end *end, sl_diags *diags) {
    sl_results *r = writer;
    (void)diags;
    r->end = *end;
    return sl_results_use_buffers(r);
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
    sl_results *kept = *out = sl_results_create(r->ctx, &memory_format);
    if (!kept) {
        return SL_ERR_MEMORY;
    }
    kept->layout = r->choice.layout;
    sl_results_writer *w = NULL;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    bool fine = sl_results_number_quantities(kept) == SL_OK && SL_RESERVE(r->ctx, &r->writers, r->writers.n + 1);
    sl_status status =
        fine ? sl_results_writer_create_as(r->ctx, &memory_format, &r->choice.layout, kept, &w) : SL_ERR_MEMORY;
    if (status != SL_OK) {
        sl_results_close(kept);
        *out = NULL;
        return status;
    }
    r->writers.at[r->writers.n++] = w;
    return SL_OK;
}
