/* SPDX-License-Identifier: MIT */
/* hdf5_events.c: events into an HDF5 file; see hdf5_events.h. Empty where the library was not there at build. */
#ifdef SLUICE_HDF5
#include "results/hdf5_events.h"

#include "base/out.h"

enum { EXECUTION = SL_HDF5_EVENT_REALS + SL_HDF5_EVENT_TEXTS };

const char *const sl_hdf5_event_names[SL_HDF5_EVENT_COLUMNS] = {"time",    "from",     "to",    "kind",     "class",
                                                                "element", "quantity", "cause", "execution"};

void sl_hdf5_events_init(sl_hdf5_events *e, sl_context *ctx) {
    sl_arena_init(&e->texts, ctx);
}

void sl_hdf5_events_fini(sl_hdf5_events *e) {
    sl_arena_fini(&e->texts);
}

/* Memory for the events that are gathered, when the first one comes. */
static bool alloc_parts(sl_hdf5_events *e, sl_arena *arena) {
    bool fine = true;
    for (int i = 0; i < SL_HDF5_EVENT_REALS && fine; i++) {
        e->real[i] = sl_arena_alloc(arena, SL_HDF5_EVENTS * sizeof *e->real[i]);
        fine = e->real[i] != NULL;
    }
    for (int i = 0; i < SL_HDF5_EVENT_TEXTS && fine; i++) {
        e->text[i] = sl_arena_alloc(arena, SL_HDF5_EVENTS * sizeof *e->text[i]);
        fine = e->text[i] != NULL;
    }
    e->number = sl_arena_alloc(arena, SL_HDF5_EVENTS * sizeof *e->number);
    e->execution = fine && e->number ? sl_arena_alloc(arena, SL_HDF5_EVENTS * sizeof *e->execution) : NULL;
    return e->execution != NULL;
}

bool sl_hdf5_events_add(sl_hdf5_events *e, sl_arena *arena, const sl_event_info *event) {
    const double real[SL_HDF5_EVENT_REALS] = {event->time, event->from, event->to};
    const char *const text[SL_HDF5_EVENT_TEXTS] = {event->kind, event->element_class, event->element, event->quantity,
                                                   event->cause};
    bool fine = e->execution || alloc_parts(e, arena);
    for (int i = 0; i < SL_HDF5_EVENT_REALS && fine; i++) {
        e->real[i][e->n] = real[i];
    }
    for (int i = 0; i < SL_HDF5_EVENT_TEXTS && fine; i++) {
        e->text[i][e->n] = sl_arena_copy(&e->texts, sl_str_z(text[i]));
        fine = e->text[i][e->n] != NULL;
    }
    if (fine) {
        e->execution[e->n] = event->execution;
        e->number[e->n] = (int32_t)(e->written + e->n + 1);
        e->n++;
    }
    return fine;
}

static void make_sets(sl_hdf5_events *e, sl_hdf5_file *f, const sl_results_layout *layout) {
    static const char *const meanings[SL_HDF5_EVENT_COLUMNS] = {"when it happened",
                                                                "value of the quantity before",
                                                                "value of the quantity after",
                                                                "what happened",
                                                                "class of the element",
                                                                "id of the element",
                                                                "quantity that changed",
                                                                "cause",
                                                                "number of the execution, from 1"};
    const hsize_t chunk[2] = {(hsize_t)e->n, 0};
    e->scale = sl_hdf5_put_series(f, "event", f->h.H5T_STD_I32LE_g, 1, 0, chunk, false);
    sl_hdf5_check(f, f->h.H5DSset_scale(e->scale, "event"));
    sl_hdf5_put_unit(f, e->scale, "", "number of an event, from 1");
    sl_hdf5_put_role(f, e->scale, "event", NULL, "");
    for (int i = 0; i < (layout->several ? EXECUTION + 1 : EXECUTION); i++) {
        char name[32];
        hid_t type = i < SL_HDF5_EVENT_REALS ? f->h.H5T_IEEE_F64LE_g : i < EXECUTION ? f->text : f->h.H5T_STD_I32LE_g;
        sl_format(name, sizeof name, "event_%s", sl_hdf5_event_names[i]);
        e->set[i] = sl_hdf5_put_series(f, name, type, 1, 0, chunk, false);
        sl_hdf5_check(f, f->h.H5DSattach_scale(e->set[i], e->scale, 0));
        sl_hdf5_put_unit(f, e->set[i], i == 0 ? layout->time_unit : "", meanings[i]);
        sl_hdf5_put_role(f, e->set[i], "event", NULL, sl_hdf5_event_names[i]);
    }
}

void sl_hdf5_events_write(sl_hdf5_events *e, sl_hdf5_file *f, const sl_results_layout *layout) {
    hsize_t old = (hsize_t)e->written, n = (hsize_t)e->n;
    if (n == 0) {
        return;
    }
    if (e->scale == 0) {
        make_sets(e, f, layout);
    }
    sl_hdf5_append(f, e->scale, old, n, f->h.H5T_NATIVE_INT_g, e->number);
    for (int i = 0; i < SL_HDF5_EVENT_REALS; i++) {
        sl_hdf5_append(f, e->set[i], old, n, f->h.H5T_NATIVE_DOUBLE_g, e->real[i]);
    }
    for (int i = 0; i < SL_HDF5_EVENT_TEXTS; i++) {
        sl_hdf5_append(f, e->set[SL_HDF5_EVENT_REALS + i], old, n, f->text, e->text[i]);
    }
    if (e->set[EXECUTION] > 0) {
        sl_hdf5_append(f, e->set[EXECUTION], old, n, f->h.H5T_NATIVE_INT_g, e->execution);
    }
    e->written += e->n;
    e->n = 0;
    sl_arena_clear(&e->texts);
}

void sl_hdf5_events_close(sl_hdf5_events *e, sl_hdf5_file *f) {
    for (int i = 0; i < SL_HDF5_EVENT_COLUMNS; i++) {
        if (e->set[i] > 0) {
            sl_hdf5_check(f, f->h.H5Dclose(e->set[i]));
        }
        e->set[i] = 0;
    }
    if (e->scale > 0) {
        sl_hdf5_check(f, f->h.H5Dclose(e->scale));
    }
    e->scale = 0;
}
#else
typedef int sl_hdf5_events_absent; /* a file of C has at least one declaration */
#endif
