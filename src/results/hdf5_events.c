/* SPDX-License-Identifier: MIT */
/* hdf5_events.c: events into an HDF5 file; see hdf5_events.h. */
#include "results/hdf5_events.h"

#include <string.h>

#include "base/out.h"

/* Parts of events as they stand in the file: the numbers, then the texts, then the execution. */
static const int order[SL_EVENT_FIELDS] = {0, 5, 6, 1, 2, 3, 4, 7, 8};

const sl_event_field *sl_hdf5_event_field(int i) {
    return &sl_event_fields[order[i]];
}

void sl_hdf5_events_init(sl_hdf5_events *e, sl_context *ctx) {
    sl_arena_init(&e->texts, ctx);
}

void sl_hdf5_events_fini(sl_hdf5_events *e) {
    sl_arena_fini(&e->texts);
}

/* Memory for the events that are gathered, when the first one comes. */
static bool alloc_parts(sl_hdf5_events *e, sl_arena *arena) {
    e->number = sl_arena_alloc(arena, SL_HDF5_EVENTS * sizeof *e->number);
    bool fine = e->number != NULL;
    for (int i = 0; i < SL_EVENT_FIELDS && fine; i++) {
        e->part[i] = sl_arena_alloc(arena, SL_HDF5_EVENTS * sl_hdf5_event_field(i)->size);
        fine = e->part[i] != NULL;
    }
    return fine;
}

bool sl_hdf5_events_add(sl_hdf5_events *e, sl_arena *arena, const sl_event_info *event) {
    bool fine = e->part[SL_EVENT_FIELDS - 1] || alloc_parts(e, arena);
    sl_event_info own = *event;
    for (int i = 0; i < SL_EVENT_FIELDS && fine; i++) {
        const sl_event_field *part = sl_hdf5_event_field(i);
        if (part->type == SL_EVENT_TEXT) {
            const char **text = sl_event_field_text(&own, part);
            *text = sl_arena_copy(&e->texts, sl_str_z(*text));
            fine = *text != NULL;
        }
        memcpy(e->part[i] + (size_t)e->n * part->size, (const char *)&own + part->offset, part->size);
    }
    if (fine) {
        e->number[e->n] = (int32_t)(e->written + e->n + 1);
        e->n++;
    }
    return fine;
}

static void describe(sl_hdf5_output *out, sl_hdf5_object *set, const char *unit, const char *meaning,
                     const char *name) {
    if (*unit) {
        sl_hdf5_put_text(out, set, "units", unit);
    }
    sl_hdf5_put_text(out, set, "long_name", meaning);
    sl_hdf5_put_text(out, set, "sluice_role", "event");
    sl_hdf5_put_text(out, set, "sluice_name", name);
}

static void make_sets(sl_hdf5_events *e, sl_hdf5_output *out, const sl_results_layout *layout) {
    static const sl_hdf5_type types[] = {
        [SL_EVENT_REAL] = SL_HDF5_REAL, [SL_EVENT_TEXT] = SL_HDF5_TEXT, [SL_EVENT_INT] = SL_HDF5_INT};
    const uint64_t chunk[2] = {(uint64_t)e->n, 1};
    e->scale = sl_hdf5_add_series(out, "event", SL_HDF5_INT, 1, 0, chunk, false);
    sl_hdf5_make_scale(e->scale);
    describe(out, e->scale, "", "number of an event, from 1", "");
    for (int i = 0; i < SL_EVENT_FIELDS - !layout->several; i++) {
        const sl_event_field *part = sl_hdf5_event_field(i);
        sl_format(e->name[i], sizeof e->name[i], "event_%s", part->name);
        e->set[i] = sl_hdf5_add_series(out, e->name[i], types[part->type], 1, 0, chunk, false);
        sl_hdf5_attach(out, e->set[i], e->scale, 0);
        describe(out, e->set[i], i == 0 ? layout->time_unit : "", part->meaning, part->name);
    }
}

/* The texts of all parts into heaps, and references to them in place of the texts. False: out of memory. */
static bool write_texts(sl_hdf5_events *e, sl_hdf5_output *out, char *references[SL_EVENT_FIELDS]) {
    sl_str *texts = sl_arena_alloc(&e->texts, (size_t)(SL_EVENT_FIELDS * e->n) * sizeof *texts);
    char *next = sl_arena_alloc(&e->texts, (size_t)(SL_EVENT_FIELDS * e->n) * SL_HDF5_REFERENCE);
    int64_t n = 0;
    for (int i = 0; texts && next && i < SL_EVENT_FIELDS; i++) {
        references[i] = next + n * SL_HDF5_REFERENCE;
        for (int32_t k = 0; k < e->n && sl_hdf5_event_field(i)->type == SL_EVENT_TEXT; k++) {
            texts[n++] = sl_str_z(((const char *const *)(const void *)e->part[i])[k]);
        }
    }
    if (texts && next) {
        sl_hdf5_put_texts(out, texts, n, next);
    }
    return texts && next;
}

void sl_hdf5_events_write(sl_hdf5_events *e, sl_hdf5_output *out, const sl_results_layout *layout) {
    if (e->n == 0) {
        return;
    }
    if (!e->scale) {
        make_sets(e, out, layout);
    }
    char *references[SL_EVENT_FIELDS];
    if (!write_texts(e, out, references)) {
        sl_hdf5_fail(out, SL_ERR_MEMORY, NULL);
    }
    sl_hdf5_put_next(out, e->scale, e->n, e->number);
    for (int i = 0; i < SL_EVENT_FIELDS && out->status == SL_OK; i++) {
        bool is_text = sl_hdf5_event_field(i)->type == SL_EVENT_TEXT;
        sl_hdf5_put_next(out, e->set[i], e->n, is_text ? references[i] : e->part[i]);
    }
    e->written += e->n;
    e->n = 0;
    sl_arena_clear(&e->texts);
}
