/* SPDX-License-Identifier: MIT */
/* EPANET's .out as a result: every value, fact and energy is the file's, and the names are those of a network's own results. */
#include "fake.h"

#include "results/network_columns.h"

typedef struct out_case {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_network *net;
    fake engine;
    fake_bytes bytes;
    sl_source_bytes source;
    sl_outfile *file;
    sl_results *results;
} out_case;

/* Every element and period its own number. */
static void set_numbers(fake *f, int32_t period, void *user) {
    (void)user;
    for (int field = 0; field < FAKE_N_FIELD; field++) {
        for (int32_t i = 0; i < fake_count(f, (fake_field)field); i++) {
            f->value[field][i] = field == FAKE_STATUS ? SL_STATUS_OPEN : 0.001 * (1 + i) + 0.1 * field + period;
        }
    }
}

static void begin(out_case *c, const char *more, bool whole) {
    *c = (out_case){0};
    c->ctx = sl_test_context(&c->memory);
    sl_assert_ok(sl_diags_create(c->ctx, &c->diags));
    char text[4000];
    snprintf(text, sizeof text, "%s%s", fake_town, more);
    c->net = fake_network(c->ctx, text);
    fake_init(&c->engine, c->net);
    const fake_run run = {.set = set_numbers, .n_period = 3};
    sl_assert_ok(fake_write(c->ctx, &c->engine, &run, c->diags, &c->bytes));
    c->bytes.n -= whole ? 0 : 1;
    c->source = fake_source(&c->bytes);
    sl_assert_ok(sl_outfile_open(c->ctx, &c->source, "town.out", c->diags, &c->file));
    sl_assert_ok(sl_results_open(c->ctx, &c->source, "town.out", c->diags, &c->results));
}

static void finish(out_case *c) {
    sl_results_close(c->results);
    sl_outfile_close(c->file);
    fake_bytes_fini(&c->bytes);
    fake_fini(&c->engine);
    sl_network_destroy(c->net);
    sl_diags_destroy(c->diags);
    sl_test_context_end(c->ctx, &c->memory);
}

static void check_values(out_case *c) {
    const sl_outfile_info *f = sl_outfile_get_info(c->file);
    int64_t n_frame;
    const double *time = sl_results_times(c->results, &n_frame);
    assert_int_equal(n_frame, f->n_period);
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
        int32_t n = v < SL_OUT_FLOW ? f->n_node : f->n_link;
        int32_t q = sl_results_find(c->results, v < SL_OUT_FLOW ? "node" : "link", sl_network_quantities[v].name);
        assert_true((q >= 0) == (f->quality != 0 || !sl_network_quantities[v].quality));
        for (int32_t p = 0; p < f->n_period && q >= 0; p++) {
            float x[64];
            double y[64], series[64];
            sl_assert_ok(sl_outfile_read(c->file, p, (sl_out_variable)v, x));
            sl_assert_ok(sl_results_read(c->results, p, q, y));
            sl_assert_double(time[p], sl_outfile_time(c->file, p));
            for (int32_t i = 0; i < n; i++) {
                sl_assert_double(y[i], (double)x[i]);
                sl_assert_ok(sl_results_read_series(c->results, q, i, series));
                sl_assert_double(series[p], (double)x[i]);
            }
        }
    }
}

/* A network's own results have the same groups; numbers of the file are theirs as floats. */
static void check_groups(out_case *c) {
    sl_arena arena;
    sl_arena_init(&arena, c->ctx);
    sl_network_unit_names units;
    sl_network_facts facts;
    sl_results_group own[SL_NETWORK_GROUPS];
    const sl_results_layout *layout = sl_results_get_layout(c->results);
    bool quality = sl_outfile_get_info(c->file)->quality != 0;
    sl_assert_ok(sl_network_units_show_own(&arena, c->net, false, &units));
    sl_assert_ok(sl_network_facts_collect(&arena, c->net, &units, &facts));
    sl_assert_ok(sl_network_groups_make(&arena, &facts, &units, quality, own));
    assert_int_equal(layout->n_group, SL_NETWORK_GROUPS);
    for (int g = 0; g < SL_NETWORK_GROUPS; g++) {
        const sl_results_group *a = &layout->groups[g], *b = &own[g];
        sl_assert_z(a->name, b->name);
        assert_int_equal(a->n, b->n);
        assert_int_equal(a->n_quantity, b->n_quantity);
        for (int32_t q = 0; q < a->n_quantity; q++) {
            sl_assert_z(a->quantities[q].name, b->quantities[q].name);
            sl_assert_z(a->quantities[q].unit, b->quantities[q].unit);
        }
        for (int32_t i = 0; i < a->n; i++) {
            sl_assert_z(a->ids[i], b->ids[i]);
        }
        for (int32_t k = 0; k < a->n_fact; k++) {
            const sl_results_column *x = &a->facts[k], *y = &b->facts[k];
            sl_assert_z(x->name, y->name);
            sl_assert_z(x->unit, y->unit);
            for (int32_t i = 0; i < a->n; i++) {
                if (x->text) {
                    sl_assert_z(x->text[i], y->text[i]);
                } else {
                    sl_assert_double(x->real[i], (double)(float)y->real[i]);
                }
            }
        }
    }
    sl_arena_fini(&arena);
}

static void check_end(out_case *c, bool complete) {
    const sl_outfile_info *f = sl_outfile_get_info(c->file);
    const sl_results_end *end = sl_results_get_end(c->results);
    assert_true(end->complete == complete);
    sl_assert_z(end->attributes[0].text, "none");
    sl_assert_double(end->attributes[1].number, (double)f->demand_charge);
    assert_int_equal(end->n_table, 1);
    const sl_results_table *t = &end->tables[0];
    sl_assert_z(t->name, "pump_energy");
    assert_int_equal(t->n, f->n_pump);
    assert_true(t->n > 0);
    for (int32_t i = 0; i < t->n; i++) {
        sl_assert_z(t->columns[0].text[i], sl_outfile_link_id(c->file, f->energy[i].link));
        sl_assert_double(t->columns[1].real[i], (double)f->energy[i].utilization);
        sl_assert_double(t->columns[6].real[i], (double)f->energy[i].cost_per_day);
    }
}

static void test_whole(void **state) {
    (void)state;
    out_case c;
    begin(&c, "[OPTIONS]\nUNITS LPS\nQUALITY TRACE T1\n[TIMES]\nDURATION 2\n", true);
    check_values(&c);
    check_groups(&c);
    check_end(&c, true);
    finish(&c);
}

static void test_us_units_without_quality(void **state) {
    (void)state;
    out_case c;
    begin(&c, "[OPTIONS]\nUNITS GPM\n[TIMES]\nDURATION 2\n", true);
    check_values(&c);
    check_groups(&c);
    check_end(&c, true);
    finish(&c);
}

static void test_stopped(void **state) {
    (void)state;
    out_case c;
    begin(&c, "[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 20\n", true); /* three periods of 21 */
    assert_false(sl_results_get_end(c.results)->complete);
    finish(&c);
    begin(&c, "[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 2\n", false); /* without its last byte */
    assert_false(sl_results_get_end(c.results)->complete);
    check_values(&c);
    finish(&c);
}

static void test_ranges(void **state) {
    (void)state;
    out_case c;
    begin(&c, "[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 2\n", true);
    sl_results_range range[16];
    sl_assert_ok(sl_results_ranges(c.ctx, c.results, range));
    int32_t q = sl_results_find(c.results, "node", "head");
    double x[64];
    int64_t n;
    const double *time = sl_results_times(c.results, &n);
    sl_assert_ok(sl_results_read(c.results, n - 1, q, x));
    sl_assert_double(range[q].max, x[range[q].element_of_max]);
    sl_assert_double(range[q].time_of_max, time[n - 1]);
    sl_assert_ok(sl_results_read(c.results, 0, q, x));
    sl_assert_double(range[q].min, x[range[q].element_of_min]);
    sl_assert_double(range[q].time_of_min, time[0]);
    for (int32_t i = 0; i < sl_results_get_layout(c.results)->groups[0].n; i++) {
        assert_true(x[i] >= range[q].min);
    }
    finish(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_us_units_without_quality),
        cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
