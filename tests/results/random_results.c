/* SPDX-License-Identifier: MIT */
/* random_results.c: see random_results.h. */
#include "random_results.h"

static void *make(random_results *x, int64_t n, size_t size) {
    void *at = sl_arena_alloc(&x->arena, (size_t)n * size);
    assert_non_null(at);
    return at;
}

static int32_t below(random_results *x, int32_t n) {
    return (int32_t)sl_test_below(&x->seed, n);
}

/* A text of letters that formats must take care of; number >= 0 makes it unique. */
static const char *random_text(random_results *x, int64_t number) {
    static const char *const parts[] = {"a",        "Q7",           " ", ",", ".", "/", "\"", "'", "\\", "\n",
                                        "\xC3\xA9", "\xE6\xB0\xB4", "_", "#", "\t"};
    char text[200];
    size_t at = 0;
    for (int32_t k = below(x, 6); k > 0; k--) {
        at += (size_t)snprintf(text + at, sizeof text - at, "%s",
                               parts[below(x, (int32_t)(sizeof parts / sizeof *parts))]);
    }
    if (number >= 0) {
        snprintf(text + at, sizeof text - at, "%lld", (long long)number);
    } else {
        text[at] = '\0';
    }
    char *copy = sl_arena_copy(&x->arena, sl_str_z(text));
    assert_non_null(copy);
    return copy;
}

static double random_real(random_results *x) {
    static const double odd[] = {0.0,        -0.0, 1e-310, 1e300, -1.0 / 3.0, (double)INFINITY, -(double)INFINITY,
                                 (double)NAN};
    int32_t k = below(x, 40);
    return k < 8 ? odd[k] : ldexp(sl_test_unit(&x->seed) - 0.5, below(x, 60) - 30);
}

static const char *random_name(random_results *x, const char *kind, int32_t i) {
    char text[64];
    snprintf(text, sizeof text, "%s%d", kind, (int)i);
    char *copy = sl_arena_copy(&x->arena, sl_str_z(text));
    assert_non_null(copy);
    return copy;
}

static void random_words(random_results *x, sl_results_column *c) {
    c->n_word = 1 + below(x, 5);
    const char **words = make(x, c->n_word, sizeof *words);
    for (int32_t i = 0; i < c->n_word; i++) {
        words[i] = random_text(x, i);
    }
    c->words = words;
}

static sl_results_column *random_columns(random_results *x, const char *kind, int32_t n_column, int64_t n,
                                         bool values) {
    sl_results_column *all = make(x, n_column, sizeof *all);
    for (int32_t i = 0; i < n_column; i++) {
        sl_results_column *c = &all[i];
        c->name = random_name(x, kind, i);
        c->unit = below(x, 2) ? "m3/s" : "";
        c->meaning = random_text(x, -1);
        if (below(x, 4) == 0) {
            random_words(x, c);
        }
        double *real = make(x, values ? n : 0, sizeof *real);
        const char **text = make(x, values ? n : 0, sizeof *text);
        for (int64_t k = 0; k < n && values; k++) {
            real[k] = c->words ? below(x, c->n_word) : random_real(x);
            text[k] = random_text(x, -1);
        }
        bool texts = !c->words && below(x, 3) == 0;
        c->real = values && !texts ? real : NULL;
        c->text = values && texts ? text : NULL;
    }
    return all;
}

static sl_results_attribute *random_attributes(random_results *x, int32_t n) {
    static const char *const taken[] = {"title", "complete", "sluice_role", "program"};
    sl_results_attribute *all = make(x, n, sizeof *all);
    for (int32_t i = 0; i < n; i++) {
        all[i].name = i < 4 && below(x, 2) ? taken[i] : random_name(x, "attribute ", i);
        if (below(x, 2)) {
            all[i].text = random_text(x, -1);
        } else {
            all[i].number = random_real(x);
        }
    }
    return all;
}

static void random_groups(random_results *x, bool large) {
    static const char *const names[] = {"node", "time", "a/b", "model", "event"};
    sl_results_group *groups = make(x, 5, sizeof *groups);
    x->layout.n_group = large ? 2 : below(x, 6);
    x->layout.groups = groups;
    for (int32_t g = 0; g < x->layout.n_group; g++) {
        sl_results_group *group = &groups[g];
        group->name = names[g];
        group->meaning = random_text(x, -1);
        group->n = large && g == 0 ? 4000 + below(x, 3000) : below(x, 4) == 0 ? 0 : below(x, 30);
        const char **ids = make(x, group->n, sizeof *ids);
        for (int32_t i = 0; i < group->n; i++) {
            ids[i] = random_text(x, i);
        }
        group->ids = ids;
        group->n_fact = below(x, 4);
        group->n_quantity = large ? 2 : below(x, 5);
        group->facts = random_columns(x, "fact", group->n_fact, group->n, true);
        group->quantities = random_columns(x, below(x, 2) ? "b.q" : "q", group->n_quantity, 0, false);
        group->along = below(x, 3) == 0 ? "distance" : NULL;
        group->among = below(x, 3) == 0 ? "node" : NULL;
        x->n_quantity += group->n_quantity;
    }
}

static void random_frames(random_results *x, bool large) {
    x->n_frame = large ? 30 : below(x, 4) == 0 ? 0 : below(x, 50);
    x->layout.n_frame = below(x, 2) ? 0.0 : floor((double)x->n_frame / (1 + below(x, 4)));
    x->layout.several = below(x, 3) == 0;
    x->times = make(x, x->n_frame, sizeof *x->times);
    x->executions = make(x, x->n_frame, sizeof *x->executions);
    x->values = make(x, x->n_frame, sizeof *x->values);
    double time = 0.0;
    for (int64_t f = 0; f < x->n_frame; f++) {
        time = x->layout.several && below(x, 5) == 0 ? 0.0 : time + sl_test_unit(&x->seed);
        x->times[f] = time;
        x->executions[f] = !x->layout.several ? 0 : f == 0 ? 1 : x->executions[f - 1] + (time == 0.0);
        x->values[f] = make(x, x->n_quantity, sizeof *x->values[f]);
        int32_t k = 0;
        for (int32_t g = 0; g < x->layout.n_group; g++) {
            const sl_results_group *group = &x->layout.groups[g];
            for (int32_t q = 0; q < group->n_quantity; q++) {
                double *to = x->values[f][k++] = make(x, group->n, sizeof *to);
                const sl_results_column *c = &group->quantities[q];
                for (int32_t i = 0; i < group->n; i++) {
                    to[i] = !c->words ? random_real(x) : below(x, 9) ? below(x, c->n_word) : (double)NAN;
                }
            }
        }
    }
}

/* Each belongs to the time of a frame. */
static void random_events(random_results *x, bool large) {
    x->n_event = x->n_frame == 0 ? 0 : large ? 3000 : below(x, 3) == 0 ? 0 : below(x, 20);
    x->events = make(x, x->n_event, sizeof *x->events);
    for (int64_t i = 0; i < x->n_event; i++) {
        int64_t f = i * x->n_frame / x->n_event;
        x->events[i] = (sl_event_info){.size = sizeof *x->events,
                                       .time = x->times[f],
                                       .kind = random_text(x, -1),
                                       .element_class = random_text(x, -1),
                                       .element = random_text(x, i),
                                       .quantity = random_text(x, -1),
                                       .from = random_real(x),
                                       .to = random_real(x),
                                       .cause = random_text(x, -1),
                                       .execution = x->executions[f]};
    }
}

void random_results_make(random_results *x, sl_context *ctx, uint64_t seed, bool large) {
    *x = (random_results){.seed = seed};
    sl_arena_init(&x->arena, ctx);
    x->layout.size = sizeof x->layout;
    x->layout.model = random_text(x, -1);
    x->layout.title = random_text(x, -1);
    x->layout.engine = "eps";
    x->layout.time_unit = below(x, 2) ? "s" : "steps";
    x->layout.n_attribute = below(x, 7);
    x->layout.attributes = random_attributes(x, x->layout.n_attribute);
    random_groups(x, large);
    random_frames(x, large);
    random_events(x, large);
    x->end = (sl_results_end){
        .size = sizeof x->end, .complete = below(x, 2), .n_attribute = below(x, 7), .n_table = below(x, 4)};
    x->end.attributes = random_attributes(x, x->end.n_attribute);
    sl_results_table *tables = make(x, x->end.n_table, sizeof *tables);
    for (int32_t i = 0; i < x->end.n_table; i++) {
        tables[i].name = random_name(x, "table", i);
        tables[i].meaning = random_text(x, -1);
        tables[i].n = below(x, 4) == 0 ? 0 : below(x, 12);
        tables[i].n_column = below(x, 4);
        sl_results_column *columns = random_columns(x, "c", tables[i].n_column, tables[i].n, true);
        for (int32_t k = 0; k < tables[i].n_column; k++) {
            columns[k].name = columns[k].text && below(x, 2) ? "id" : columns[k].name;
        }
        tables[i].columns = columns;
    }
    x->end.tables = tables;
}

void random_results_free(random_results *x) {
    sl_arena_fini(&x->arena);
}

sl_status random_results_write(const random_results *x, sl_context *ctx, const sl_results_target *target,
                               sl_diags *diags) {
    sl_results_writer *w = NULL;
    sl_status status = sl_results_writer_create(ctx, target, &x->layout, diags, &w);
    int64_t e = 0;
    for (int64_t f = 0; f < x->n_frame && status == SL_OK; f++) {
        for (; e < x->n_event && x->events[e].execution == x->executions[f] && x->events[e].time <= x->times[f] &&
               status == SL_OK;
             e++) {
            status = sl_results_writer_event(w, &x->events[e], diags);
        }
        const sl_results_frame frame = {
            .time = x->times[f], .values = (const double *const *)x->values[f], .execution = x->executions[f]};
        status = status == SL_OK ? sl_results_writer_frame(w, &frame, diags) : status;
    }
    status = status == SL_OK ? sl_results_writer_end(w, &x->end, diags) : status;
    sl_results_writer_destroy(w);
    return status;
}

/* ---- Comparing ---------------------------------------------------------------------------------- */

static void same_column(const sl_results_column *a, const sl_results_column *b, int64_t n) {
    sl_assert_z(b->name, a->name);
    sl_assert_z(b->unit, a->unit);
    sl_assert_z(b->meaning, a->meaning);
    assert_int_equal(b->words != NULL, a->words != NULL);
    assert_int_equal(b->n_word, a->n_word);
    for (int32_t i = 0; i < a->n_word; i++) {
        sl_assert_z(b->words[i], a->words[i]);
    }
    assert_int_equal(b->real != NULL, a->real != NULL);
    assert_int_equal(b->text != NULL, a->text != NULL);
    for (int64_t i = 0; i < n; i++) {
        if (a->real) {
            sl_assert_bits(b->real[i], a->real[i]);
        }
        if (a->text) {
            sl_assert_z(b->text[i], a->text[i]);
        }
    }
}

static void same_attributes(const sl_results_attribute *a, const sl_results_attribute *b, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        sl_assert_z(b[i].name, a[i].name);
        assert_int_equal(b[i].text != NULL, a[i].text != NULL);
        if (a[i].text) {
            sl_assert_z(b[i].text, a[i].text);
        } else {
            sl_assert_bits(b[i].number, a[i].number);
        }
    }
}

static void same_group(const sl_results_group *a, const sl_results_group *b) {
    sl_assert_z(b->name, a->name);
    sl_assert_z(b->meaning, a->meaning);
    sl_assert_z(b->along ? b->along : "-", a->along ? a->along : "-");
    sl_assert_z(b->among ? b->among : "-", a->among ? a->among : "-");
    assert_int_equal(b->n, a->n);
    assert_int_equal(b->n_fact, a->n_fact);
    assert_int_equal(b->n_quantity, a->n_quantity);
    for (int32_t i = 0; i < a->n; i++) {
        sl_assert_z(b->ids[i], a->ids[i]);
    }
    for (int32_t i = 0; i < a->n_fact; i++) {
        same_column(&a->facts[i], &b->facts[i], a->n);
    }
    for (int32_t i = 0; i < a->n_quantity; i++) {
        same_column(&a->quantities[i], &b->quantities[i], 0);
    }
}

static void same_layout(const sl_results_layout *a, const sl_results_layout *b) {
    sl_assert_z(b->model, a->model);
    sl_assert_z(b->title, a->title);
    sl_assert_z(b->engine, a->engine);
    sl_assert_z(b->time_unit, a->time_unit);
    assert_int_equal(b->several, a->several);
    assert_int_equal(b->n_attribute, a->n_attribute);
    same_attributes(a->attributes, b->attributes, a->n_attribute);
    assert_int_equal(b->n_group, a->n_group);
    for (int32_t g = 0; g < a->n_group; g++) {
        same_group(&a->groups[g], &b->groups[g]);
    }
}

static void same_end(const sl_results_end *a, const sl_results_end *b) {
    assert_int_equal(b->complete, a->complete);
    assert_int_equal(b->n_attribute, a->n_attribute);
    same_attributes(a->attributes, b->attributes, a->n_attribute);
    assert_int_equal(b->n_table, a->n_table);
    for (int32_t i = 0; i < a->n_table; i++) {
        sl_assert_z(b->tables[i].name, a->tables[i].name);
        sl_assert_z(b->tables[i].meaning, a->tables[i].meaning);
        assert_int_equal(b->tables[i].n, a->tables[i].n);
        assert_int_equal(b->tables[i].n_column, a->tables[i].n_column);
        for (int32_t k = 0; k < a->tables[i].n_column; k++) {
            same_column(&a->tables[i].columns[k], &b->tables[i].columns[k], a->tables[i].n);
        }
    }
}

static void same_events(const random_results *x, sl_results *r) {
    assert_int_equal(sl_results_n_event(r), x->n_event);
    for (int64_t i = 0; i < x->n_event; i++) {
        const sl_event_info *a = &x->events[i];
        sl_event_info b = {.size = sizeof b};
        sl_assert_ok(sl_results_event(r, i, &b));
        sl_assert_bits(b.time, a->time);
        sl_assert_bits(b.from, a->from);
        sl_assert_bits(b.to, a->to);
        sl_assert_z(b.kind, a->kind);
        sl_assert_z(b.element_class, a->element_class);
        sl_assert_z(b.element, a->element);
        sl_assert_z(b.quantity, a->quantity);
        sl_assert_z(b.cause, a->cause);
        assert_int_equal(b.execution, a->execution);
    }
}

static void same_values(const random_results *x, sl_results *r, int32_t q, int32_t n) {
    double *row = malloc((size_t)(n + x->n_frame + 1) * sizeof *row), *series = row + n;
    for (int64_t f = 0; f < x->n_frame; f++) {
        sl_assert_ok(sl_results_read(r, f, q, row));
        for (int32_t i = 0; i < n; i++) {
            sl_assert_bits(row[i], x->values[f][q][i]);
        }
    }
    for (int32_t i = 0; i < n; i++) {
        sl_assert_ok(sl_results_read_series(r, q, i, series));
        for (int64_t f = 0; f < x->n_frame; f++) {
            sl_assert_bits(series[f], x->values[f][q][i]);
        }
    }
    free(row);
}

void random_results_compare(const random_results *x, sl_results *r) {
    same_layout(&x->layout, sl_results_get_layout(r));
    same_end(&x->end, sl_results_get_end(r));
    int64_t n = 0;
    const double *times = sl_results_times(r, &n);
    const int32_t *executions = sl_results_executions(r);
    assert_int_equal(n, x->n_frame);
    assert_int_equal(executions != NULL, x->layout.several);
    for (int64_t f = 0; f < n; f++) {
        sl_assert_bits(times[f], x->times[f]);
        assert_int_equal(executions ? executions[f] : 0, x->executions[f]);
    }
    same_events(x, r);
    assert_int_equal(sl_results_n_quantity(r), x->n_quantity);
    for (int32_t q = 0; q < x->n_quantity; q++) {
        same_values(x, r, q, x->layout.groups[sl_results_group_of(r, q)].n);
    }
}

static sl_status read_bytes(void *user, uint64_t offset, void *bytes, size_t n) {
    const sl_str *all = user;
    if (offset > all->len || n > all->len - offset) {
        return SL_ERR_IO;
    }
    memcpy(bytes, all->ptr + offset, n);
    return SL_OK;
}

sl_source_bytes random_results_source(const sl_str *bytes) {
    return (sl_source_bytes){.user = (void *)bytes, .size = bytes->len, .read = read_bytes};
}
