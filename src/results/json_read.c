/* SPDX-License-Identifier: MIT */
/* json_read.c: results as JSON, read back; see json_write.c and docs/reference/results.md.
 *
 * Members that this version does not know are passed over; what it knows has to be whole. Groups stand before frames, as they are
 * written, so that values go where they stay: one block per quantity. Counts are what was read, never what is announced, so that
 * memory is proportional to the file.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/report.h"
#include "results/json_format.h"
#include "results/json_read.h"

static void read_execution(sl_json_reader *d, void *into, size_t offset) {
    double x = sl_json_pull_real(d->p);
    if (x >= 1 && x <= INT32_MAX && x == floor(x)) {
        *(int32_t *)((char *)into + offset) = (int32_t)x;
    } else {
        sl_json_pull_fail(d->p, NULL, "an execution is not a whole number from 1");
    }
}

/* ---- Events ------------------------------------------------------------------------------------- */

/* Texts of events repeat: that of the event before is taken when it is the same. */
static void read_event_text(sl_json_reader *d, void *into, size_t offset) {
    const char **to = (const char **)(void *)((char *)into + offset);
    sl_str text = sl_json_pull_text(d->p);
    if (d->r->kept.events.n > 0) {
        const char *before = *(const char **)(void *)((char *)&d->r->kept.events.at[d->r->kept.events.n - 1] + offset);
        if (sl_str_equal(text, sl_str_z(before))) {
            *to = before;
            return;
        }
    }
    *to = sl_json_keep(d, text);
}

static void read_event(sl_json_reader *d, sl_event_info *e) {
    static void (*const read[])(sl_json_reader * d, void *into, size_t offset) = {
        [SL_EVENT_REAL] = sl_json_read_real, [SL_EVENT_TEXT] = read_event_text, [SL_EVENT_INT] = read_execution};
    sl_json_member_row members[SL_EVENT_FIELDS + 1] = {{0}};
    for (int i = 0; i < SL_EVENT_FIELDS; i++) {
        const sl_event_field *part = &sl_event_fields[i];
        members[i] = (sl_json_member_row){part->name, read[part->type], part->offset};
    }
    (void)sl_json_read_members(d, members, e);
}

static void read_events(sl_json_reader *d, void *into, size_t offset) {
    (void)into, (void)offset;
    sl_json_pull_array(d->p);
    while (sl_json_pull_element(d->p)) {
        sl_event_info e = sl_event_none;
        read_event(d, &e);
        if (!isfinite(e.time)) {
            sl_json_pull_fail(d->p, NULL, "an event has no time");
        } else if ((e.execution > 0) != d->r->layout.several) {
            sl_json_pull_fail(d->p, NULL, "an event has %s execution", e.execution > 0 ? "an" : "no");
        } else if (!SL_PUSH(d->ctx, &d->r->kept.events, e)) {
            sl_json_pull_out_of_memory(d->p);
        }
    }
}

/* ---- Frames ------------------------------------------------------------------------------------- */

/* A frame on its way. */
typedef struct frame {
    double time;
    int32_t execution;
    bool has_events;
} frame;

/* The values of one quantity, behind those of the frames before. */
static void read_quantity(sl_json_reader *d, int32_t number, sl_str name) {
    char text[SL_QUOTE_MAX];
    int32_t q = sl_ids_find(d->quantities, sl_json_quantity_key(d, number, name));
    if (q < 0 || d->seen[q] > d->r->kept.times.n) {
        sl_json_pull_fail(d->p, NULL, "the quantity %s is %s", sl_quote(name, text),
                          q < 0 ? "none of the group" : "given twice");
        return;
    }
    int64_t n = d->r->layout.groups[number].n, before = d->r->kept.values[q].n;
    if (!SL_RESERVE(d->ctx, &d->r->kept.values[q], before + n)) {
        sl_json_pull_out_of_memory(d->p);
        return;
    }
    (void)sl_quote(name, text); /* the name is gone with the next text */
    sl_json_pull_array(d->p);
    int64_t got = sl_json_pull_reals(d->p, n > 0 ? d->r->kept.values[q].at + before : NULL, n);
    if (got < n || sl_json_pull_element(d->p)) {
        sl_json_pull_fail(d->p, NULL, "frame %lld has %s than %lld values of %s", (long long)d->r->kept.times.n + 1,
                          got < n ? "less" : "more", (long long)n, text);
    }
    d->r->kept.values[q].n += n;
    d->seen[q] = d->r->kept.times.n + 1;
    d->n_seen++;
}

static void read_values_of_group(sl_json_reader *d, sl_str key) {
    char text[SL_QUOTE_MAX];
    sl_str prefix = sl_str_z(SL_JSON_GROUP);
    if (key.len > prefix.len && memcmp(key.ptr, prefix.ptr, prefix.len) == 0) {
        key = (sl_str){key.ptr + prefix.len, key.len - prefix.len};
    }
    int32_t number = sl_ids_find(d->groups, key);
    if (number < 0) {
        sl_json_pull_fail(d->p, NULL, "a frame has values of %s, which is no group", sl_quote(key, text));
        return;
    }
    sl_str name;
    sl_json_pull_object(d->p);
    while (sl_json_pull_member(d->p, &name)) {
        read_quantity(d, number, name);
    }
}

static const sl_json_member_row frame_members[] = {{"time", sl_json_read_real, offsetof(frame, time)},
                                                   {"execution", read_execution, offsetof(frame, execution)},
                                                   {"events", read_events, 0},
                                                   {0}};

/* Time goes on within an execution, and executions follow each other. */
static bool follows(const sl_json_reader *d, const frame *f) {
    int64_t n = d->r->kept.times.n;
    bool same = n > 0 && d->r->kept.executions.at[n - 1] == f->execution;
    return n == 0 || (same ? f->time >= d->r->kept.times.at[n - 1] : f->execution > d->r->kept.executions.at[n - 1]);
}

static void end_frame(sl_json_reader *d, const frame *f) {
    long long number = (long long)d->r->kept.times.n + 1;
    if (!isfinite(f->time) || (f->execution > 0) != d->r->layout.several) {
        sl_json_pull_fail(d->p, NULL, "frame %lld has no time or execution", number);
    } else if (d->n_seen != d->r->n_quantity) {
        sl_json_pull_fail(d->p, NULL, "frame %lld has %lld of %d quantities", number, (long long)d->n_seen,
                          (int)d->r->n_quantity);
    } else if (!follows(d, f)) {
        sl_json_pull_fail(d->p, NULL, "frame %lld is before the one before it", number);
    } else if (d->p->status == SL_OK && !sl_results_keep_frame(d->r, f->time, f->execution)) {
        sl_json_pull_out_of_memory(d->p);
    }
}

/* One element of the array: a frame, or events only, where many come before the next. */
static void read_frame(sl_json_reader *d) {
    frame f = {.time = (double)NAN};
    uint32_t had = 0;
    sl_str key;
    d->n_seen = 0;
    sl_json_pull_object(d->p);
    while (sl_json_pull_member(d->p, &key)) {
        const sl_json_member_row *m = sl_json_find_member(frame_members, key);
        uint32_t bit = UINT32_C(1) << (m ? m - frame_members : 31);
        if (m && (had & bit)) {
            sl_json_pull_fail(d->p, NULL, "the member '%s' is given twice", m->name);
        } else if (m) {
            m->read(d, &f, m->offset);
        } else {
            read_values_of_group(d, key);
        }
        had |= bit;
    }
    if (d->p->status == SL_OK && had != UINT32_C(1) << 2) {
        end_frame(d, &f);
    }
}

static void read_frames(sl_json_reader *d, void *into, size_t offset) {
    (void)into, (void)offset;
    if (!d->has_groups) {
        sl_json_pull_fail(d->p, "keep the members in the order in which they were written",
                          "frames stand before groups");
    }
    sl_json_pull_array(d->p);
    while (sl_json_pull_element(d->p)) {
        read_frame(d);
    }
    d->has_frames = true;
}

/* ---- The whole ---------------------------------------------------------------------------------- */

static void read_format(sl_json_reader *d, void *into, size_t offset) {
    (void)into, (void)offset;
    char text[SL_QUOTE_MAX];
    sl_str format = sl_json_pull_text(d->p);
    if (sl_str_equal(format, sl_str_z(SL_JSON_RESULTS " 1"))) {
        sl_json_pull_fail(d->p, "write it again with `sluice run` or `sluice convert`",
                          "the result is of an older version of Sluice");
    } else if (!sl_str_equal(format, sl_str_z(SL_JSON_RESULTS_NOW))) {
        sl_json_pull_fail(d->p, "this version reads '" SL_JSON_RESULTS_NOW "'", "the result has the format %s",
                          sl_quote(format, text));
    }
}

static void read_several(sl_json_reader *d, void *into, size_t offset) {
    if (d->has_frames) {
        sl_json_pull_fail(d->p, "keep the members in the order in which they were written",
                          "'several' comes after frames");
    }
    sl_json_read_bool(d, into, offset);
}

static void read_layout_attributes(sl_json_reader *d, void *into, size_t offset) {
    (void)into, (void)offset;
    sl_json_read_attributes(d, &d->r->layout.attributes, &d->r->layout.n_attribute);
}

static void read_end_attributes(sl_json_reader *d, void *into, size_t offset) {
    (void)into, (void)offset;
    sl_json_read_attributes(d, &d->r->end.attributes, &d->r->end.n_attribute);
}

static const sl_json_member_row whole_members[] = {
    {"format", read_format, 0},
    {"groups", sl_json_read_groups, 0},
    {"frames", read_frames, 0},
    {"complete", sl_json_read_bool, offsetof(struct sl_results, end.complete)},
    {"model", sl_json_read_text, offsetof(struct sl_results, layout.model)},
    {"title", sl_json_read_text, offsetof(struct sl_results, layout.title)},
    {"engine", sl_json_read_text, offsetof(struct sl_results, layout.engine)},
    {"time_unit", sl_json_read_text, offsetof(struct sl_results, layout.time_unit)},
    {"several", read_several, offsetof(struct sl_results, layout.several)},
    {"attributes", read_layout_attributes, 0},
    {"end_attributes", read_end_attributes, 0},
    {"tables", sl_json_read_tables, 0},
    {"events", read_events, 0},
    {0}};
enum { N_NEEDED = 4 }; /* the first of them */

static void read_whole(sl_json_reader *d) {
    uint32_t had = sl_json_read_members(d, whole_members, d->r);
    for (int i = 0; i < N_NEEDED; i++) {
        if (!(had & (UINT32_C(1) << i))) {
            sl_json_pull_fail(d->p, NULL, "the result has no member '%s'", whole_members[i].name);
        }
    }
    sl_json_pull_end(d->p);
}

sl_status sl_json_results_open(sl_results *r, sl_diags *diags) {
    sl_json_reader d = {.ctx = r->ctx, .r = r, .p = sl_alloc(r->ctx, sizeof *d.p)};
    sl_bytes_init(&d.key, r->ctx);
    d.groups = sl_ids_create(r->ctx);
    d.quantities = sl_ids_create(r->ctx);
    sl_status status = d.p && d.groups && d.quantities ? SL_OK : SL_ERR_MEMORY;
    if (status == SL_OK) {
        sl_json_pull_init(d.p, r->ctx, &r->bytes, r->name, diags);
        read_whole(&d);
        status = d.p->status;
        sl_json_pull_fini(d.p);
    }
    sl_free(r->ctx, d.p, sizeof *d.p);
    sl_ids_destroy(d.groups);
    sl_ids_destroy(d.quantities);
    sl_bytes_fini(&d.key);
    return status == SL_OK ? sl_results_use_buffers(r) : status;
}

bool sl_json_results_recognise(const unsigned char *head, size_t n, uint64_t size) {
    static const char *const parts[] = {"{", "\"format\"", ":", ("\"" SL_JSON_RESULTS)};
    size_t at = 0;
    (void)size;
    for (int i = 0; i < 4; i++) {
        while (at < n && head[at] && strchr(" \t\r\n", head[at])) {
            at++;
        }
        size_t len = strlen(parts[i]);
        if (n - at < len || memcmp(head + at, parts[i], len) != 0) {
            return false;
        }
        at += len;
    }
    return true;
}
