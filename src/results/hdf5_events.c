/* SPDX-License-Identifier: MIT */
/* hdf5_events.c: events into an HDF5 file; see hdf5_events.h. Not built where the library was not there. */
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

static void make_sets(sl_hdf5_events *e, sl_hdf5_file *f, const sl_results_layout *layout) {
    const hid_t types[] = {
        [SL_EVENT_REAL] = f->h.H5T_IEEE_F64LE_g, [SL_EVENT_TEXT] = f->text, [SL_EVENT_INT] = f->h.H5T_STD_I32LE_g};
    const hsize_t chunk[2] = {(hsize_t)e->n, 0};
    e->scale = sl_hdf5_put_series(f, "event", f->h.H5T_STD_I32LE_g, 1, 0, chunk, false);
    sl_hdf5_check(f, f->h.H5DSset_scale(e->scale, "event"));
    sl_hdf5_put_unit(f, e->scale, "", "number of an event, from 1");
    sl_hdf5_put_role(f, e->scale, "event", NULL, "");
    for (int i = 0; i < SL_EVENT_FIELDS - !layout->several; i++) {
        const sl_event_field *part = sl_hdf5_event_field(i);
        char name[32];
        sl_format(name, sizeof name, "event_%s", part->name);
        e->set[i] = sl_hdf5_put_series(f, name, types[part->type], 1, 0, chunk, false);
        sl_hdf5_check(f, f->h.H5DSattach_scale(e->set[i], e->scale, 0));
        sl_hdf5_put_unit(f, e->set[i], i == 0 ? layout->time_unit : "", part->meaning);
        sl_hdf5_put_role(f, e->set[i], "event", NULL, part->name);
    }
}

void sl_hdf5_events_write(sl_hdf5_events *e, sl_hdf5_file *f, const sl_results_layout *layout) {
    const hid_t memory[] = {
        [SL_EVENT_REAL] = f->h.H5T_NATIVE_DOUBLE_g, [SL_EVENT_TEXT] = f->text, [SL_EVENT_INT] = f->h.H5T_NATIVE_INT_g};
    hsize_t old = (hsize_t)e->written, n = (hsize_t)e->n;
    if (n == 0) {
        return;
    }
    if (e->scale == 0) {
        make_sets(e, f, layout);
    }
    sl_hdf5_append(f, e->scale, old, n, f->h.H5T_NATIVE_INT_g, e->number);
    for (int i = 0; i < SL_EVENT_FIELDS && e->set[i] > 0; i++) {
        sl_hdf5_append(f, e->set[i], old, n, memory[sl_hdf5_event_field(i)->type], e->part[i]);
    }
    e->written += e->n;
    e->n = 0;
    sl_arena_clear(&e->texts);
}

void sl_hdf5_events_close(sl_hdf5_events *e, sl_hdf5_file *f) {
    for (int i = 0; i < SL_EVENT_FIELDS; i++) {
        sl_hdf5_close_set(f, &e->set[i]);
    }
    sl_hdf5_close_set(f, &e->scale);
}
