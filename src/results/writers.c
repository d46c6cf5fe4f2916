/* SPDX-License-Identifier: MIT */
/* writers.c: the formats of result files, and a writer of any of them; see sluice/results.h and format.h. */
#include <math.h>

#include "base/handle.h"
#include "base/report.h"
#include "base/sized.h"
#include "results/format.h"

/* .out is known by its first bytes; the mark of HDF5 may also stand farther on, and so within a .out file. */
const sl_results_format *const sl_results_formats[] = {
    &sl_format_out, &sl_format_hdf5, &sl_format_geojson, &sl_format_gpkg, &sl_format_json, &sl_format_csv, NULL};

const sl_results_format *sl_results_format_find(const char *ending) {
    for (int i = 0; sl_results_formats[i]; i++) {
        if (sl_str_equal_nocase(sl_str_z(ending), sl_str_z(sl_results_formats[i]->ending))) {
            return sl_results_formats[i];
        }
    }
    return NULL;
}

const sl_results_format *sl_results_format_recognise(const unsigned char *head, size_t n, uint64_t size) {
    for (int i = 0; sl_results_formats[i]; i++) {
        if (sl_results_formats[i]->recognise && sl_results_formats[i]->recognise(head, n, size)) {
            return sl_results_formats[i];
        }
    }
    return NULL;
}

static const sl_results_target default_target = {.size = sizeof(sl_results_target)};

void sl_results_target_default_fill(sl_results_target *def, size_t size) {
    sl_sized_default(def, size, &default_target, sizeof default_target);
}

/* ---- A writer ----------------------------------------------------------------------------------- */

struct sl_results_writer {
    sl_handle_mark handle; /* first */
    sl_context *ctx;
    const sl_results_format *format;
    const sl_results_layout *layout;
    void *writer;
    int32_t execution; /* of the last frame or event */
    double
        frame_time; /* of the last frame in it, and of the last event: the one frame of a statistic comes after all events */
    double event_time;
    sl_status status; /* the first failure: nothing is written after it */
    bool ended;
};

static sl_status refuse(sl_diags *diags, const char *ending) {
    sl_report(diags, SL_ERROR, SL_CODE_IO, NULL, NULL, NULL, "there are csv, json, h5, geojson and gpkg",
              "results cannot be written as '%s'", ending ? ending : "");
    return SL_ERR_UNSUPPORTED;
}

sl_status sl_results_writer_create_as(sl_context *ctx, const sl_results_format *format, const sl_results_layout *layout,
                                      void *writer, sl_results_writer **out) {
    sl_results_writer *w = sl_alloc(ctx, sizeof *w);
    *out = w;
    if (w) {
        *w = (sl_results_writer){.handle = SL_HANDLE_WRITER,
                                 .ctx = ctx,
                                 .format = format,
                                 .layout = layout,
                                 .writer = writer,
                                 .frame_time = -INFINITY,
                                 .event_time = -INFINITY};
    }
    return w ? SL_OK : SL_ERR_MEMORY;
}

sl_status sl_results_writer_create(sl_context *ctx, const sl_results_target *target_, const sl_results_layout *layout,
                                   sl_diags *diags, sl_results_writer **out) {
    sl_results_target target = default_target;
    if (!ctx || !target_ || !layout || !out || !sl_sized_valid(layout) ||
        !sl_sized_take(&target, sizeof target, target_)) {
        return SL_ERR_USE;
    }
    *out = NULL;
    const sl_results_format *format = target.format ? sl_results_format_find(target.format) : NULL;
    if (!format || !format->create) {
        return refuse(diags, target.format);
    }
    if (!target.sink && (!target.patch || format != &sl_format_hdf5)) {
        return SL_ERR_USE;
    }
    sl_status status = format->ready ? format->ready(diags) : SL_OK;
    sl_results_writer *w = NULL;
    status = status == SL_OK ? sl_results_writer_create_as(ctx, format, layout, NULL, &w) : status;
    if (!w) {
        return status;
    }
    status = format->create(ctx, &target, layout, diags, &w->writer);
    if (status != SL_OK) {
        sl_free(ctx, w, sizeof *w);
        return status;
    }
    *out = w;
    return SL_OK;
}

/* Is this what may come next? Executions follow each other, time goes on within one. last: of the frames, or of the events. */
static bool follows(sl_results_writer *w, int32_t execution, double time, double *last) {
    bool fine = !w->ended && isfinite(time) &&
                (w->layout->several ? execution >= 1 && execution >= w->execution : execution == 0);
    if (fine && execution > w->execution) {
        w->frame_time = w->event_time = -INFINITY;
    }
    fine = fine && time >= *last;
    if (fine) {
        w->execution = execution;
        *last = time;
    }
    return fine;
}

sl_status sl_results_writer_event(sl_results_writer *w, const sl_event_info *event_, sl_diags *diags) {
    sl_event_info event = sl_event_none;
    if (!SL_HANDLE_IS(w, SL_HANDLE_WRITER) || !event_ || !sl_sized_take(&event, sizeof event, event_) ||
        !follows(w, event.execution, event.time, &w->event_time)) {
        return SL_ERR_USE;
    }
    if (w->status == SL_OK && w->format->event) {
        w->status = w->format->event(w->writer, &event, diags);
    }
    return w->status;
}

sl_status sl_results_writer_frame(sl_results_writer *w, const sl_results_frame *frame, sl_diags *diags) {
    if (!SL_HANDLE_IS(w, SL_HANDLE_WRITER) || !frame || !follows(w, frame->execution, frame->time, &w->frame_time)) {
        return SL_ERR_USE;
    }
    w->status = w->status == SL_OK ? w->format->frame(w->writer, frame, diags) : w->status;
    return w->status;
}

sl_status sl_results_writer_end(sl_results_writer *w, const sl_results_end *end_, sl_diags *diags) {
    sl_results_end end = {.size = sizeof end};
    if (!SL_HANDLE_IS(w, SL_HANDLE_WRITER) || !end_ || w->ended || !sl_sized_take(&end, sizeof end, end_)) {
        return SL_ERR_USE;
    }
    w->ended = true;
    w->status = w->status == SL_OK ? w->format->end(w->writer, &end, diags) : w->status;
    return w->status;
}

void sl_results_writer_destroy(sl_results_writer *w) {
    if (SL_HANDLE_IS(w, SL_HANDLE_WRITER)) {
        w->handle = SL_HANDLE_GONE;
        w->format->destroy(w->writer);
        sl_free(w->ctx, w, sizeof *w);
    }
}
