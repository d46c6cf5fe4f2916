/* SPDX-License-Identifier: MIT */
/* results.c: results that were written before, read back by the format that they have; see sluice/results.h and format.h. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/report.h"
#include "base/sized.h"
#include "base/utf8.h"
#include "results/format.h"

/* ---- Texts -------------------------------------------------------------------------------------- */

const char *sl_results_text(sl_arena *arena, const char *bytes) {
    sl_str s = sl_str_z(bytes);
    char *text = sl_arena_alloc(arena, 2 * s.len + 1); /* a byte becomes two at most */
    size_t n = 0;
    while (text && s.len > 0) {
        uint32_t c;
        size_t k = sl_utf8_decode(s, &c);
        n += sl_utf8_encode(c, text + n);
        s.ptr += k;
        s.len -= k;
    }
    return text;
}

/* ---- Opening ------------------------------------------------------------------------------------ */

static sl_status not_a_result(sl_diags *diags, const char *name) {
    sl_report(diags, SL_ERROR, SL_CODE_RESULT_FILE, &(sl_text_location){.file = name}, NULL, NULL,
              "results are .out, .csv, .json and .h5 files of `sluice run -o`, or EPANET's .out", "is not a result");
    return SL_ERR_INPUT;
}

sl_results *sl_results_create(sl_context *ctx, const sl_results_format *format) {
    sl_results *r = sl_alloc(ctx, sizeof *r);
    if (r) {
        *r =
            (sl_results){.handle = SL_HANDLE_RESULTS,
                         .ctx = ctx,
                         .name = "",
                         .format = format,
                         .layout = {.size = sizeof r->layout, .model = "", .title = "", .engine = "", .time_unit = "s"},
                         .end = {.size = sizeof r->end}};
        sl_arena_init(&r->arena, ctx);
    }
    return r;
}

sl_status sl_results_number_quantities(sl_results *r) {
    int32_t n = sl_results_count_quantities(&r->layout);
    if (r->group_of) {
        return SL_OK;
    }
    int32_t *group_of = sl_arena_alloc(&r->arena, (size_t)n * sizeof *group_of);
    r->kept.values = sl_arena_alloc(&r->arena, (size_t)n * sizeof *r->kept.values);
    if (!group_of || !r->kept.values) {
        return SL_ERR_MEMORY;
    }
    for (int32_t g = 0; g < r->layout.n_group; g++) {
        for (int32_t q = 0; q < r->layout.groups[g].n_quantity; q++) {
            group_of[r->n_quantity++] = g;
        }
    }
    r->group_of = group_of;
    return SL_OK;
}

sl_status sl_results_open(sl_context *ctx, const sl_source_bytes *bytes, const char *name, sl_diags *diags,
                          sl_results **out) {
    unsigned char head[SL_RESULTS_HEAD];
    if (!ctx || !bytes || !bytes->read || !out) {
        return SL_ERR_USE;
    }
    *out = NULL;
    size_t n = bytes->size < sizeof head ? (size_t)bytes->size : sizeof head;
    sl_status status = n > 0 ? bytes->read(bytes->user, 0, head, n) : SL_OK;
    if (status != SL_OK) {
        return status;
    }
    const sl_results_format *format = sl_results_format_recognise(head, n, bytes->size);
    if (!format) {
        return not_a_result(diags, name);
    }
    sl_results *r = sl_results_create(ctx, format);
    if (!r) {
        return SL_ERR_MEMORY;
    }
    r->bytes = *bytes;
    r->name = sl_arena_copy(&r->arena, sl_str_z(name ? name : ""));
    status = r->name ? format->open(r, diags) : SL_ERR_MEMORY;
    status = status == SL_OK ? sl_results_number_quantities(r) : status;
    if (status != SL_OK) {
        sl_results_close(r);
        return status;
    }
    *out = r;
    return SL_OK;
}

void sl_results_close(sl_results *r) {
    if (SL_HANDLE_IS(r, SL_HANDLE_RESULTS)) {
        r->handle = SL_HANDLE_GONE;
        if (r->close) {
            r->close(r->reader);
        }
        for (int32_t q = 0; q < r->n_quantity; q++) {
            SL_ARRAY_FINI(r->ctx, &r->kept.values[q]);
        }
        SL_ARRAY_FINI(r->ctx, &r->kept.times);
        SL_ARRAY_FINI(r->ctx, &r->kept.executions);
        SL_ARRAY_FINI(r->ctx, &r->kept.events);
        sl_arena_fini(&r->arena);
        sl_free(r->ctx, r, sizeof *r);
    }
}

/* ---- What is kept ------------------------------------------------------------------------------- */

bool sl_results_keep_frame(sl_results *r, double time, int32_t execution) {
    return SL_PUSH_BOTH(r->ctx, &r->kept.times, time, &r->kept.executions, execution);
}

sl_status sl_results_use_buffers(sl_results *r) {
    bool several = r->layout.several;
    r->times = r->kept.times.at;
    r->n_frame = r->kept.times.n;
    r->layout.n_frame = (double)r->n_frame;
    r->events = r->kept.events.at;
    r->n_event = r->kept.events.n;
    bool fine = !several || SL_RESERVE(r->ctx, &r->kept.executions, 1); /* there is a list, also of no frames */
    r->executions = several ? r->kept.executions.at : NULL;
    return fine ? SL_OK : SL_ERR_MEMORY;
}

/* ---- Events ------------------------------------------------------------------------------------- */

#define PART(name, meaning, type, member) \
    { name, meaning, type, offsetof(sl_event_info, member), sizeof(((sl_event_info *)0)->member) }
const sl_event_field sl_event_fields[SL_EVENT_FIELDS] = {
    PART("time", "when it happened", SL_EVENT_REAL, time),
    PART("kind", "what happened", SL_EVENT_TEXT, kind),
    PART("class", "class of the element", SL_EVENT_TEXT, element_class),
    PART("element", "id of the element", SL_EVENT_TEXT, element),
    PART("quantity", "quantity that changed", SL_EVENT_TEXT, quantity),
    PART("from", "value of the quantity before", SL_EVENT_REAL, from),
    PART("to", "value of the quantity after", SL_EVENT_REAL, to),
    PART("cause", "cause", SL_EVENT_TEXT, cause),
    PART("execution", "number of the execution, from 1", SL_EVENT_INT, execution),
};

const sl_event_info sl_event_none = {.size = sizeof sl_event_none,
                                     .time = (double)NAN,
                                     .kind = "",
                                     .element_class = "",
                                     .element = "",
                                     .quantity = "",
                                     .from = (double)NAN,
                                     .to = (double)NAN,
                                     .cause = ""};

/* ---- What there is ------------------------------------------------------------------------------ */

const sl_results_layout *sl_results_get_layout(const sl_results *r) {
    if (!SL_HANDLE_IS(r, SL_HANDLE_RESULTS)) {
        return NULL;
    }
    return &r->layout;
}

const sl_results_end *sl_results_get_end(const sl_results *r) {
    if (!SL_HANDLE_IS(r, SL_HANDLE_RESULTS)) {
        return NULL;
    }
    return &r->end;
}

const double *sl_results_times(const sl_results *r, int64_t *n) {
    if (!SL_HANDLE_IS(r, SL_HANDLE_RESULTS)) {
        return NULL;
    }
    if (n) {
        *n = r->n_frame;
    }
    return r->times;
}

const int32_t *sl_results_executions(const sl_results *r) {
    if (!SL_HANDLE_IS(r, SL_HANDLE_RESULTS)) {
        return NULL;
    }
    return r->executions;
}

int64_t sl_results_n_event(const sl_results *r) {
    if (!SL_HANDLE_IS(r, SL_HANDLE_RESULTS)) {
        return 0;
    }
    return r->n_event;
}

sl_status sl_results_event(const sl_results *r, int64_t i, sl_event_info *out) {
    if (!SL_HANDLE_IS(r, SL_HANDLE_RESULTS) || !out) {
        return SL_ERR_USE;
    }
    if (!out || i < 0 || i >= r->n_event || !sl_sized_valid(out)) {
        return SL_ERR_USE;
    }
    sl_sized_give(out, &r->events[i], sizeof r->events[i]);
    return SL_OK;
}

/* All that has a name begins with it. */
static const void *find(const void *at, int32_t n, size_t size, const char *name) {
    for (int32_t i = 0; i < n; i++) {
        const char *const *of = (const void *)((const char *)at + (size_t)i * size);
        if (strcmp(*of, name) == 0) {
            return of;
        }
    }
    return NULL;
}

const sl_results_group *sl_results_find_group(const sl_results_layout *layout, const char *name) {
    return find(layout->groups, layout->n_group, sizeof *layout->groups, name);
}

const sl_results_column *sl_results_find_column(const sl_results_column *columns, int32_t n, const char *name) {
    return find(columns, n, sizeof *columns, name);
}

const sl_results_column *sl_results_find_fact(const sl_results_group *group, const char *name) {
    return sl_results_find_column(group->facts, group->n_fact, name);
}

const sl_results_attribute *sl_results_find_attribute(const sl_results_attribute *at, int32_t n, const char *name) {
    return find(at, n, sizeof *at, name);
}

const sl_results_table *sl_results_find_table(const sl_results_end *end, const char *name) {
    return find(end->tables, end->n_table, sizeof *end->tables, name);
}

const char *sl_results_word(const sl_results_column *column, double code) {
    bool known = column->words && code >= 0.0 && code < (double)column->n_word && code == (double)(int32_t)code;
    return known ? column->words[(int32_t)code] : NULL;
}

int32_t sl_results_count_quantities(const sl_results_layout *layout) {
    int32_t n = 0;
    for (int32_t g = 0; g < layout->n_group; g++) {
        n += layout->groups[g].n_quantity;
    }
    return n;
}

int32_t sl_results_find(const sl_results *r, const char *group, const char *quantity) {
    if (!SL_HANDLE_IS(r, SL_HANDLE_RESULTS) || !quantity) {
        return -1;
    }
    int32_t number = 0;
    for (int32_t g = 0; g < r->layout.n_group; g++) {
        const sl_results_group *of = &r->layout.groups[g];
        for (int32_t q = 0; q < of->n_quantity; q++, number++) {
            if ((!group || strcmp(of->name, group) == 0) && strcmp(of->quantities[q].name, quantity) == 0) {
                return number;
            }
        }
    }
    return -1;
}

int32_t sl_results_n_quantity(const sl_results *r) {
    if (!SL_HANDLE_IS(r, SL_HANDLE_RESULTS)) {
        return 0;
    }
    return r->n_quantity;
}

int32_t sl_results_group_of(const sl_results *r, int32_t quantity) {
    if (!SL_HANDLE_IS(r, SL_HANDLE_RESULTS)) {
        return 0;
    }
    return quantity >= 0 && quantity < r->n_quantity ? r->group_of[quantity] : -1;
}

/* ---- Values ------------------------------------------------------------------------------------- */

/* Elements of a quantity's group; -1: no such quantity. */
static int32_t n_element(const sl_results *r, int32_t quantity) {
    int32_t g = sl_results_group_of(r, quantity);
    return g < 0 ? -1 : r->layout.groups[g].n;
}

sl_status sl_results_read(sl_results *r, int64_t frame, int32_t quantity, double *x) {
    if (!SL_HANDLE_IS(r, SL_HANDLE_RESULTS) || !x) {
        return SL_ERR_USE;
    }
    int32_t n = n_element(r, quantity);
    if (n < 0 || frame < 0 || frame >= r->n_frame || !x) {
        return SL_ERR_USE;
    }
    if (r->read) {
        return r->read(r->reader, frame, quantity, x);
    }
    if (n > 0) {
        memcpy(x, r->kept.values[quantity].at + frame * n, (size_t)n * sizeof *x);
    }
    return SL_OK;
}

sl_status sl_results_read_series(sl_results *r, int32_t quantity, int32_t element, double *x) {
    if (!SL_HANDLE_IS(r, SL_HANDLE_RESULTS) || !x) {
        return SL_ERR_USE;
    }
    int32_t n = n_element(r, quantity);
    if (element < 0 || element >= n || !x) {
        return SL_ERR_USE;
    }
    for (int64_t i = 0; !r->read && i < r->n_frame; i++) {
        x[i] = r->kept.values[quantity].at[i * n + element];
    }
    if (!r->read || r->n_frame == 0) {
        return SL_OK;
    }
    if (r->read_series) {
        return r->read_series(r->reader, quantity, element, x);
    }
    double *row = sl_alloc(r->ctx, (size_t)n * sizeof *row);
    sl_status status = row ? SL_OK : SL_ERR_MEMORY;
    for (int64_t i = 0; i < r->n_frame && status == SL_OK; i++) {
        status = r->read(r->reader, i, quantity, row);
        x[i] = row[element];
    }
    sl_free(r->ctx, row, (size_t)n * sizeof *row);
    return status;
}

/* ---- Ranges ------------------------------------------------------------------------------------- */

static void take(sl_results_range *range, double time, const double *x, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        if (x[i] < range->min || (isnan(range->min) && !isnan(x[i]))) {
            range->min = x[i];
            range->element_of_min = i;
            range->time_of_min = time;
        }
        if (x[i] > range->max || (isnan(range->max) && !isnan(x[i]))) {
            range->max = x[i];
            range->element_of_max = i;
            range->time_of_max = time;
        }
    }
}

sl_status sl_results_ranges(sl_context *ctx, sl_results *r, sl_results_range *ranges) {
    if (!ctx || !SL_HANDLE_IS(r, SL_HANDLE_RESULTS) || !ranges) {
        return SL_ERR_USE;
    }
    int32_t most = 0;
    for (int32_t q = 0; q < r->n_quantity; q++) {
        most = n_element(r, q) > most ? n_element(r, q) : most;
        ranges[q] = (sl_results_range){.quantity = q,
                                       .min = (double)NAN,
                                       .max = (double)NAN,
                                       .element_of_min = -1,
                                       .element_of_max = -1,
                                       .time_of_min = (double)NAN,
                                       .time_of_max = (double)NAN};
    }
    size_t size = ((size_t)most + 1) * sizeof(double);
    double *x = sl_alloc(ctx, size);
    sl_status status = x ? SL_OK : SL_ERR_MEMORY;
    for (int64_t f = 0; f < r->n_frame && status == SL_OK; f++) {
        for (int32_t q = 0; q < r->n_quantity && status == SL_OK; q++) {
            status = sl_results_read(r, f, q, x);
            if (status == SL_OK) {
                take(&ranges[q], r->times[f], x, n_element(r, q));
            }
        }
    }
    sl_free(ctx, x, size);
    return status;
}
