/* SPDX-License-Identifier: MIT */
/* .csv files read back: random results in every form, as far as a form holds them; damaged files. */
#include "random_results.h"

#include "base/out.h"

/* What a cell holds of a number: nothing of one that is none. */
static double kept(double x) {
    return isfinite(x) ? x : (double)NAN;
}

static sl_results *open_text(sl_context *ctx, const sl_str *text, sl_diags *diags) {
    sl_source_bytes source = random_results_source(text);
    sl_results *r = NULL;
    sl_status status = sl_results_open(ctx, &source, "x.csv", diags, &r);
    assert_true(status == SL_OK || (status == SL_ERR_INPUT && sl_diags_count(diags, SL_ERROR) > 0));
    assert_true((r != NULL) == (status == SL_OK));
    return r;
}

static sl_status write_form(const random_results *x, sl_context *ctx, sl_csv_form form, sl_bytes *out) {
    const sl_sink sink = sl_bytes_sink(out);
    sl_results_target target = sl_results_target_default();
    target.format = "csv";
    target.sink = &sink;
    target.csv = form;
    return random_results_write(x, ctx, &target, NULL);
}

/* ---- Comparing ---------------------------------------------------------------------------------- */

static const sl_results_group *find_group(sl_results *r, const char *name, int32_t *first) {
    const sl_results_layout *l = sl_results_get_layout(r);
    *first = 0;
    for (int32_t g = 0; g < l->n_group; g++) {
        if (strcmp(l->groups[g].name, name) == 0) {
            return &l->groups[g];
        }
        *first += l->groups[g].n_quantity;
    }
    return NULL;
}

static bool has_value(const random_results *x, int32_t q, int32_t n) {
    for (int64_t f = 0; f < x->n_frame; f++) {
        for (int32_t i = 0; i < n; i++) {
            if (isfinite(x->values[f][q][i])) {
                return true;
            }
        }
    }
    return false;
}

static void same_quantity(const random_results *x, sl_results *r, int32_t q, const sl_results_column *a, int32_t number,
                          const sl_results_column *b, int32_t n, bool words) {
    double *row = malloc(((size_t)n + 1) * sizeof *row);
    sl_assert_z(b->unit, a->unit);
    for (int64_t f = 0; f < x->n_frame; f++) {
        sl_assert_ok(sl_results_read(r, f, number, row));
        for (int32_t i = 0; i < n; i++) {
            double expected = x->values[f][q][i];
            if (words && a->words && isfinite(expected)) {
                assert_true(b->words && row[i] < b->n_word);
                sl_assert_z(b->words[(int)row[i]], a->words[(int)expected]);
            } else {
                sl_assert_bits(row[i], kept(expected));
            }
        }
    }
    free(row);
}

static void same_group(const random_results *x, sl_results *r, const sl_results_group *a, int32_t q, sl_csv_form form) {
    int32_t first;
    const sl_results_group *b = find_group(r, a->name, &first);
    assert_non_null(b);
    assert_int_equal(b->n, a->n);
    for (int32_t i = 0; i < a->n; i++) {
        sl_assert_z(b->ids[i], a->ids[i]);
    }
    int32_t n = 0;
    for (int32_t k = 0; k < a->n_quantity; k++) {
        if (form == SL_CSV_ROWS && !has_value(x, q + k, a->n)) {
            continue;
        }
        int32_t at = sl_results_find(r, a->name, a->quantities[k].name);
        assert_true(at >= first && at < first + b->n_quantity);
        same_quantity(x, r, q + k, &a->quantities[k], at, &b->quantities[at - first], a->n, form == SL_CSV_ROWS);
        n++;
    }
    assert_int_equal(b->n_quantity, n);
}

static void same_values(const random_results *x, sl_results *r, sl_csv_form form) {
    int32_t q = 0, n_group = 0;
    for (int32_t g = 0; g < x->layout.n_group; q += x->layout.groups[g++].n_quantity) {
        const sl_results_group *a = &x->layout.groups[g];
        if (a->n > 0 && a->n_quantity > 0 && (form == SL_CSV_COLUMNS || x->n_frame > 0)) {
            same_group(x, r, a, q, form);
            n_group++;
        }
    }
    assert_int_equal(sl_results_get_layout(r)->n_group, n_group);
    int64_t n;
    const double *times = sl_results_times(r, &n);
    assert_int_equal(n, form == SL_CSV_COLUMNS || n_group > 0 ? x->n_frame : 0);
    for (int64_t f = 0; f < n; f++) {
        sl_assert_bits(times[f], x->times[f]);
        assert_int_equal(x->layout.several ? sl_results_executions(r)[f] : 0, x->executions[f]);
    }
}

static void same_events(const random_results *x, sl_results *r) {
    assert_int_equal(sl_results_n_event(r), x->n_event);
    for (int64_t i = 0; i < x->n_event; i++) {
        const sl_event_info *a = &x->events[i];
        sl_event_info b = {.size = sizeof b};
        sl_assert_ok(sl_results_event(r, i, &b));
        sl_assert_bits(b.time, a->time);
        sl_assert_bits(b.from, kept(a->from));
        sl_assert_bits(b.to, kept(a->to));
        sl_assert_z(b.kind, a->kind);
        sl_assert_z(b.element_class, a->element_class);
        sl_assert_z(b.element, a->element);
        sl_assert_z(b.quantity, a->quantity);
        sl_assert_z(b.cause, a->cause);
        assert_int_equal(b.execution, a->execution);
    }
}

/* What was read is written again with the same bytes. */
static void same_again(sl_context *ctx, sl_results *r, sl_csv_form form, const sl_bytes *expected) {
    sl_bytes again;
    sl_bytes_init(&again, ctx);
    const sl_sink sink = sl_bytes_sink(&again);
    sl_results_target target = sl_results_target_default();
    target.format = "csv";
    target.sink = &sink;
    target.csv = form;
    sl_results_writer *w = NULL;
    sl_assert_ok(sl_results_writer_create(ctx, &target, sl_results_get_layout(r), NULL, &w));
    int64_t n;
    const double *times = sl_results_times(r, &n);
    const int32_t *executions = sl_results_executions(r);
    const double *values[64];
    for (int64_t i = 0; i < sl_results_n_event(r); i++) {
        sl_event_info e = {.size = sizeof e};
        sl_assert_ok(sl_results_event(r, i, &e));
        sl_assert_ok(sl_results_writer_event(w, &e, NULL));
    }
    for (int64_t f = 0; f < n; f++) {
        for (int32_t q = 0; q < r->n_quantity; q++) {
            values[q] = r->kept.values[q].at + f * r->layout.groups[r->group_of[q]].n;
        }
        const sl_results_frame frame = {times[f], values, executions ? executions[f] : 0};
        sl_assert_ok(sl_results_writer_frame(w, &frame, NULL));
    }
    sl_assert_ok(sl_results_writer_end(w, sl_results_get_end(r), NULL));
    sl_results_writer_destroy(w);
    sl_test_text((sl_str){again.at, (size_t)again.n}, (sl_str){expected->at, (size_t)expected->n}, "again", __FILE__,
                 __LINE__);
    sl_bytes_fini(&again);
}

/* ---- Tests -------------------------------------------------------------------------------------- */

static const sl_csv_form forms[] = {SL_CSV_ROWS, SL_CSV_COLUMNS, SL_CSV_VALUES, SL_CSV_EVENTS};

static void test_random(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        for (int i = 0; i < 4; i++) {
            sl_test_memory memory = {0};
            sl_context *ctx = sl_test_context(&memory);
            sl_diags *diags = NULL;
            sl_bytes text;
            random_results x;
            sl_assert_ok(sl_diags_create(ctx, &diags));
            sl_bytes_init(&text, ctx);
            random_results_make(&x, ctx, seed, seed % 100 == 0);
            sl_assert_ok(write_form(&x, ctx, forms[i], &text));
            const sl_str bytes = {text.at, (size_t)text.n};
            sl_results *r = open_text(ctx, &bytes, diags);
            if (!r) {
                fail_msg("seed %d, form %d, line %u: %s", (int)seed, (int)forms[i], sl_diags_at(diags, 0)->line,
                         sl_diags_at(diags, 0)->text);
            }
            sl_assert_z(sl_results_get_layout(r)->time_unit, x.layout.time_unit);
            assert_int_equal(sl_results_get_layout(r)->several, x.layout.several);
            if (forms[i] == SL_CSV_EVENTS) {
                same_events(&x, r);
            } else {
                same_values(&x, r, forms[i]);
            }
            if (forms[i] != SL_CSV_ROWS) { /* columns without a value are not kept there */
                same_again(ctx, r, forms[i], &text);
            }
            sl_results_close(r);
            random_results_free(&x);
            sl_bytes_fini(&text);
            sl_diags_destroy(diags);
            sl_test_context_end(ctx, &memory);
        }
    }
}

typedef void (*damage)(sl_context *ctx, sl_str text, sl_diags *diags);

static void each_form(uint64_t first_seed, uint64_t last_seed, damage check) {
    for (uint64_t seed = first_seed; seed <= last_seed; seed++) {
        for (int i = 0; i < 4; i++) {
            sl_test_memory memory = {0};
            sl_context *ctx = sl_test_context(&memory);
            sl_diags *diags = NULL;
            sl_bytes text;
            random_results x;
            sl_assert_ok(sl_diags_create(ctx, &diags));
            sl_bytes_init(&text, ctx);
            random_results_make(&x, ctx, seed, false);
            sl_assert_ok(write_form(&x, ctx, forms[i], &text));
            check(ctx, (sl_str){text.at, (size_t)text.n}, diags);
            random_results_free(&x);
            sl_bytes_fini(&text);
            sl_diags_destroy(diags);
            sl_test_context_end(ctx, &memory);
        }
    }
}

/* Values can be read wherever the reader says there are some. */
static void read_all(sl_results *r) {
    int64_t n_frame = 0;
    (void)sl_results_times(r, &n_frame);
    for (int32_t q = 0; r && q < sl_results_n_quantity(r); q++) {
        int32_t n = sl_results_get_layout(r)->groups[sl_results_group_of(r, q)].n;
        double *x = malloc(((size_t)n + 1) * sizeof *x);
        for (int64_t f = 0; f < n_frame; f++) {
            sl_assert_ok(sl_results_read(r, f, q, x));
        }
        free(x);
    }
}

static void cut_off(sl_context *ctx, sl_str text, sl_diags *diags) {
    for (size_t n = 0; n < text.len && n < 3000; n++) {
        char *copy = malloc(n + 1); /* of exact size, so that reading beyond it is seen */
        memcpy(copy, text.ptr, n);
        const sl_str part = {copy, n};
        sl_diags_clear(diags);
        sl_results *r = open_text(ctx, &part, diags);
        if (r) {
            read_all(r);
        }
        sl_results_close(r);
        free(copy);
    }
}

static void flip(sl_context *ctx, sl_str text, sl_diags *diags) {
    uint64_t seed = text.len + 1;
    char *copy = malloc(text.len + 1);
    for (int i = 0; i < 300 && text.len > 0; i++) {
        memcpy(copy, text.ptr, text.len);
        for (int k = sl_test_below(&seed, 3) + 1; k > 0; k--) {
            copy[sl_test_below(&seed, (int)text.len)] ^= (char)(1 << sl_test_below(&seed, 8));
        }
        const sl_str part = {copy, text.len};
        sl_diags_clear(diags);
        sl_results *r = open_text(ctx, &part, diags);
        if (r) {
            read_all(r);
        }
        sl_results_close(r);
    }
    free(copy);
}

static void test_cut_off(void **state) {
    (void)state;
    each_form(1, 12, cut_off);
}

static void test_flipped(void **state) {
    (void)state;
    each_form(20, 40, flip);
}

typedef struct wrong_case {
    const char *text, *message;
    uint32_t line;
} wrong_case;

static void test_messages(void **state) {
    (void)state;
    const wrong_case wrong[] = {
        {"time_s,element,kind,id,head_m\n0,node,,A,1\n0,node,,B,2\n1,node,,A,1\n",
         "the file ends within a time: rows are missing", 5},
        {"time_s,element,kind,id,head_m\n0,node,,A,1\n1,node,,B,2\n",
         "the rows of every time are those of the first one, in the same order", 3},
        {"time_s,element,kind,id,head_m\n0,node,,A,1x\n", "a number is expected here", 2},
        {"time_s,element,kind,id,head_m\n0,node,,A,1,2\n", "the row has more cells than the first line", 2},
        {"time_s,element,kind,id,head_m\n0,node,,A\n", "the row has fewer cells than the first line", 2},
        {"time_s,element,kind,id,head_m\n0,node,,\"A,1\n", "the quotes do not end", 2},
        {"time_s,element,kind,id,head_m\n0,node,,A,1\n0,link,,A,1\n0,node,,B,1\n",
         "the elements of a group do not follow each other", 4},
        {"time_s,node.A.head_m\n5,1\n4,1\n", "the time goes back", 3},
        {"time_s,node.A.head_m\nnoon,1\n", "a time is expected here", 2},
        {"time_s,node.A.head_m,node.B.flow\n", "the elements of a group have different quantities", 1},
        {"time_s,T,T\n", "a group has a quantity twice", 1},
        {"time_s,node.'A\n", "this is not the name of a value: group.id.quantity", 1},
        {"execution,time_s,T\n0,1,2\n", "the number of an execution is expected here", 2},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sl_test_memory memory = {0};
        sl_context *ctx = sl_test_context(&memory);
        sl_diags *diags = NULL;
        sl_assert_ok(sl_diags_create(ctx, &diags));
        const sl_str text = sl_str_z(wrong[i].text);
        assert_null(open_text(ctx, &text, diags));
        const sl_diag *d = sl_diags_at(diags, 0);
        sl_assert_z(d->text, wrong[i].message);
        assert_int_equal(d->line, wrong[i].line);
        sl_diags_destroy(diags);
        sl_test_context_end(ctx, &memory);
    }
}

/* Names of columns, and two frames of one time. */
static void test_names(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    const sl_str text = sl_str_z("\xEF\xBB\xBFtime_s,node.'a.\\'b'.energy.kwh_kWh,T,'x y',balance.ratio\r\n"
                                 "0,1,2,3,4\r\n0,1,2,3,-0\r\n");
    sl_results *r = open_text(ctx, &text, NULL);
    assert_non_null(r);
    const sl_results_layout *l = sl_results_get_layout(r);
    assert_int_equal(l->n_group, 3);
    sl_assert_z(l->groups[0].ids[0], "a.'b");
    sl_assert_z(l->groups[0].quantities[0].name, "energy.kwh");
    sl_assert_z(l->groups[0].quantities[0].unit, "kWh");
    sl_assert_z(l->groups[1].name, "variable");
    sl_assert_z(l->groups[1].ids[1], "x y");
    sl_assert_z(l->groups[2].name, "model");
    sl_assert_z(l->groups[2].quantities[0].name, "balance.ratio");
    double x[2];
    sl_assert_ok(sl_results_read_series(r, 2, 0, x));
    sl_assert_bits(x[1], -0.0);
    sl_results_close(r);
    const sl_str rows =
        sl_str_z("time_s,element,kind,id,status\n0,link,pump,A,open\n0,link,pump,A,closed\n1,link,pump,A,9\n");
    r = open_text(ctx, &rows, NULL);
    assert_non_null(r);
    assert_int_equal(r->n_frame, 3);
    sl_assert_z(r->layout.groups[0].facts[0].text[0], "pump");
    double status[3];
    sl_assert_ok(sl_results_read_series(r, 0, 0, status));
    sl_assert_double(status[0], SL_STATUS_OPEN);
    sl_assert_double(status[1], SL_STATUS_CLOSED);
    sl_assert_double(status[2], 9.0);
    sl_results_close(r);
    sl_test_context_end(ctx, &memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),   cmocka_unit_test(test_cut_off), cmocka_unit_test(test_flipped),
        cmocka_unit_test(test_messages), cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
