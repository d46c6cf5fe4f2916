/* SPDX-License-Identifier: MIT */
/* json_write.c: results as one JSON object; docs/reference/results.md has its members.
 *
 * What there is comes first, then an array of frames, each with its time and an array of values per quantity, in the order of the
 * ids. Frame by frame, and not quantity by quantity, because that is how a run gives them: the file is written as they come. Events
 * go into the frame that follows them. They are kept until it comes; when they become many they are written as an element of the
 * array that has events only, so that memory stays bounded.
 */
#include <math.h>
#include <string.h>

#include "base/out.h"
#include "results/json_format.h"

typedef struct json_writer {
    sl_context *ctx;
    const sl_results_layout *layout;
    sl_json json, event; /* event: of an array that is kept */
    sl_out out, kept;
    sl_bytes events; /* the array's text */
    sl_bytes key;    /* of a group */
    bool any_event;  /* it has been begun */
} json_writer;

enum { EVENTS_KEPT = 1 << 20 }; /* bytes of events on their way to a frame */

/* ---- Members ------------------------------------------------------------------------------------ */

/* A program may leave a text out. */
static void put_text(sl_json *j, const char *key, const char *text) {
    sl_json_member_z(j, key, text ? text : "");
}

static void put_real(sl_json *j, const char *key, double x) {
    sl_json_key(j, key);
    sl_json_real(j, x);
}

static void put_texts(sl_json *j, const char *key, const char *const *text, int32_t n) {
    sl_json_key(j, key);
    sl_json_inline(j);
    sl_json_array(j);
    for (int32_t i = 0; i < n; i++) {
        sl_json_z(j, text[i] ? text[i] : "");
    }
    sl_json_end(j);
}

/* A number without bounds is marked, because as a text alone it would read as one. */
static void put_attributes(sl_json *j, const char *key, const sl_results_attribute *a, int32_t n) {
    sl_json_key(j, key);
    sl_json_object(j);
    for (int32_t i = 0; i < n; i++) {
        if (a[i].text) {
            put_text(j, a[i].name, a[i].text);
        } else if (isinf(a[i].number)) {
            sl_json_key(j, a[i].name);
            sl_json_inline(j);
            sl_json_object(j);
            put_real(j, "number", a[i].number);
            sl_json_end(j);
        } else {
            put_real(j, a[i].name, a[i].number);
        }
    }
    sl_json_end(j);
}

/* Columns with values, n in each, and quantities, whose values come with frames. */
static void put_columns(sl_json *j, const char *key, const sl_results_column *columns, int32_t n_column, int32_t n) {
    sl_json_key(j, key);
    sl_json_object(j);
    for (int32_t i = 0; i < n_column; i++) {
        const sl_results_column *c = &columns[i];
        sl_json_key(j, c->name);
        sl_json_inline(j);
        sl_json_object(j);
        put_text(j, "unit", c->unit);
        put_text(j, "meaning", c->meaning);
        if (c->words) {
            put_texts(j, "words", c->words, c->n_word);
        }
        if (c->text) { /* "inf" among numbers is one, too */
            put_text(j, "type", "text");
            put_texts(j, "values", c->text, n);
        } else if (c->real) {
            sl_json_key(j, "values");
            sl_json_reals(j, c->real, n);
        }
        sl_json_end(j);
    }
    sl_json_end(j);
}

/* ---- Before the frames -------------------------------------------------------------------------- */

static void put_group(sl_json *j, const sl_results_group *g) {
    sl_json_key(j, g->name);
    sl_json_object(j);
    put_text(j, "meaning", g->meaning);
    sl_json_member_z(j, "among", g->among);
    sl_json_member_z(j, "along", g->along);
    put_texts(j, "ids", g->ids, g->n);
    put_columns(j, "facts", g->facts, g->n_fact, g->n);
    put_columns(j, "quantities", g->quantities, g->n_quantity, 0);
    sl_json_end(j);
}

static void put_head(sl_json *j, const sl_results_layout *layout) {
    sl_json_object(j);
    put_text(j, "format", SL_JSON_RESULTS_NOW);
    put_text(j, "program_version", sl_version());
    put_text(j, "model", layout->model);
    put_text(j, "title", layout->title);
    put_text(j, "engine", layout->engine);
    put_text(j, "time_unit", layout->time_unit);
    if (layout->several) {
        sl_json_member_bool(j, "several", true);
    }
    put_attributes(j, "attributes", layout->attributes, layout->n_attribute);
    sl_json_key(j, "groups");
    sl_json_object(j);
    for (int32_t g = 0; g < layout->n_group; g++) {
        put_group(j, &layout->groups[g]);
    }
    sl_json_end(j);
    sl_json_key(j, "frames");
    sl_json_array(j);
}

static void destroy(void *writer) {
    json_writer *w = writer;
    sl_bytes_fini(&w->events);
    sl_bytes_fini(&w->key);
    sl_free(w->ctx, w, sizeof *w);
}

static sl_status create(sl_context *ctx, const sl_results_target *target, const sl_results_layout *layout,
                        sl_diags *diags, void **out) {
    (void)diags;
    json_writer *w = target->sink ? sl_alloc(ctx, sizeof *w) : NULL;
    if (!w) {
        return target->sink ? SL_ERR_MEMORY : SL_ERR_USE;
    }
    w->ctx = ctx;
    w->layout = layout;
    sl_out_init(&w->out, target->sink);
    sl_json_init(&w->json, &w->out, 1);
    sl_bytes_init(&w->events, ctx);
    sl_bytes_init(&w->key, ctx);
    const sl_sink kept = sl_bytes_sink(&w->events);
    sl_out_init(&w->kept, &kept);
    put_head(&w->json, layout);
    if (w->out.status != SL_OK) {
        sl_status status = w->out.status;
        destroy(w);
        return status;
    }
    *out = w;
    return SL_OK;
}

/* ---- Events and frames -------------------------------------------------------------------------- */

/* The member "events" of what is open: what was kept, and no longer is. */
static void put_events(json_writer *w) {
    if (!w->any_event) {
        return;
    }
    sl_json_end(&w->event);
    sl_status status = sl_out_flush(&w->kept);
    if (status != SL_OK && w->out.status == SL_OK) {
        w->out.status = status;
    }
    sl_json_key(&w->json, "events");
    sl_json_raw(&w->json, (sl_str){w->events.at, (size_t)w->events.n});
    w->events.n = 0;
    w->any_event = false;
}

static void put_event(sl_json *j, const sl_event_info *event, bool several) {
    sl_event_info own = *event, *e = &own;
    sl_json_object(j);
    put_real(j, "time", e->time);
    if (several) {
        sl_json_member_int(j, "execution", e->execution);
    }
    for (int i = 1; i < SL_EVENT_FIELDS - 1; i++) {
        const sl_event_field *part = &sl_event_fields[i];
        if (part->type == SL_EVENT_TEXT) {
            put_text(j, part->name, *sl_event_field_text(e, part));
        } else {
            put_real(j, part->name, *sl_event_field_real(e, part));
        }
    }
    sl_json_end(j);
}

static sl_status event(void *writer, const sl_event_info *event, sl_diags *diags) {
    (void)diags;
    json_writer *w = writer;
    if (w->any_event && (size_t)w->events.n + w->kept.n >= EVENTS_KEPT) {
        sl_json_object(&w->json);
        put_events(w);
        sl_json_end(&w->json);
    }
    if (!w->any_event) {
        sl_json_init(&w->event, &w->kept, 1);
        sl_json_inline(&w->event);
        sl_json_array(&w->event);
    }
    w->any_event = true;
    put_event(&w->event, event, w->layout->several);
    return w->kept.status != SL_OK ? w->kept.status : w->out.status;
}

/* The key of a group in frames: it must not be that of a member which every frame has. */
static void put_group_key(sl_json *j, const char *name, sl_bytes *key) {
    static const char *const taken[] = {"time", "execution", "events"};
    bool same = strncmp(name, SL_JSON_GROUP, strlen(SL_JSON_GROUP)) == 0;
    for (int i = 0; i < 3; i++) {
        same = same || strcmp(name, taken[i]) == 0;
    }
    if (!same) {
        sl_json_key(j, name);
        return;
    }
    sl_sink sink = sl_bytes_sink(key);
    key->n = 0;
    if (sink.write(sink.user, SL_JSON_GROUP, strlen(SL_JSON_GROUP)) == SL_OK &&
        sink.write(sink.user, name, strlen(name) + 1) == SL_OK) {
        sl_json_key(j, key->at);
    } else {
        j->out->status = SL_ERR_MEMORY;
        sl_json_key(j, "");
    }
}

static sl_status frame(void *writer, const sl_results_frame *frame, sl_diags *diags) {
    (void)diags;
    json_writer *w = writer;
    sl_json *j = &w->json;
    const double *const *values = frame->values;
    sl_json_object(j);
    put_real(j, "time", frame->time);
    if (w->layout->several) {
        sl_json_member_int(j, "execution", frame->execution);
    }
    for (int32_t g = 0; g < w->layout->n_group; g++) {
        const sl_results_group *group = &w->layout->groups[g];
        if (group->n_quantity == 0) {
            continue;
        }
        put_group_key(j, group->name, &w->key);
        sl_json_object(j);
        for (int32_t q = 0; q < group->n_quantity; q++) {
            sl_json_key(j, group->quantities[q].name);
            sl_json_reals(j, *values++, group->n);
        }
        sl_json_end(j);
    }
    put_events(w);
    sl_json_end(j);
    return w->out.status;
}

static sl_status end(void *writer, const sl_results_end *end, sl_diags *diags) {
    (void)diags;
    json_writer *w = writer;
    sl_json *j = &w->json;
    sl_json_end(j);
    sl_json_member_bool(j, "complete", end->complete);
    put_attributes(j, "end_attributes", end->attributes, end->n_attribute);
    sl_json_key(j, "tables");
    sl_json_object(j);
    for (int32_t i = 0; i < end->n_table; i++) {
        sl_json_key(j, end->tables[i].name);
        sl_json_object(j);
        put_text(j, "meaning", end->tables[i].meaning);
        put_columns(j, "columns", end->tables[i].columns, end->tables[i].n_column, end->tables[i].n);
        sl_json_end(j);
    }
    sl_json_end(j);
    put_events(w);
    sl_json_end(j);
    sl_out_char(&w->out, '\n');
    return sl_out_flush(&w->out);
}

const sl_results_format sl_format_json = {.ending = "json",
                                          .what = "results as JSON (.json)",
                                          .create = create,
                                          .event = event,
                                          .frame = frame,
                                          .end = end,
                                          .destroy = destroy,
                                          .recognise = sl_json_results_recognise,
                                          .open = sl_json_results_open};
