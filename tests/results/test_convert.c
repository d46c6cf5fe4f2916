/* SPDX-License-Identifier: MIT */
/* A result that was read and is written again: the whole is the same bit for bit, a part has what was selected; it can be
 * cancelled. */
#include "base/out.h"
#include "random_results.h"

typedef struct convert_case {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    random_results x;
    sl_bytes first, second;
    sl_str bytes;
    int32_t n_progress, stop_at; /* 0: not at all */
} convert_case;

static bool progress(void *user, const sl_progress *p) {
    convert_case *c = user;
    sl_assert_z(p->phase, "converting");
    assert_true(p->done <= p->total);
    return ++c->n_progress != c->stop_at;
}

static sl_results_target target_of(sl_sink *sink) {
    sl_results_target target = sl_results_target_default();
    target.format = "h5";
    target.sink = sink;
    return target;
}

static sl_results *open_bytes(convert_case *c, const sl_bytes *bytes) {
    sl_results *r = NULL;
    c->bytes = (sl_str){bytes->at, (size_t)bytes->n};
    sl_source_bytes source = random_results_source(&c->bytes);
    sl_assert_ok(sl_results_open(c->ctx, &source, "x.h5", c->diags, &r));
    return r;
}

static sl_results *begin(convert_case *c, uint64_t seed, bool large) {
    *c = (convert_case){0};
    sl_context_def def = sl_context_default();
    const sl_allocator allocator = sl_test_allocator(&c->memory);
    def.allocator = &allocator;
    def.progress = progress;
    def.progress_user = c;
    sl_assert_ok(sl_context_create(&def, &c->ctx));
    sl_assert_ok(sl_diags_create(c->ctx, &c->diags));
    random_results_make(&c->x, c->ctx, seed, large);
    sl_bytes_init(&c->first, c->ctx);
    sl_bytes_init(&c->second, c->ctx);
    sl_sink sink = sl_bytes_sink(&c->first);
    const sl_results_target target = target_of(&sink);
    sl_assert_ok(random_results_write(&c->x, c->ctx, &target, c->diags));
    return open_bytes(c, &c->first);
}

static void finish(convert_case *c, sl_results *r) {
    sl_results_close(r);
    sl_bytes_fini(&c->first);
    sl_bytes_fini(&c->second);
    random_results_free(&c->x);
    sl_diags_destroy(c->diags);
    sl_test_context_end(c->ctx, &c->memory);
}

static sl_status write_again(convert_case *c, sl_results *r, const sl_results_select *select) {
    sl_sink sink = sl_bytes_sink(&c->second);
    const sl_results_target target = target_of(&sink);
    c->second.n = 0;
    return sl_results_write(c->ctx, r, select, &target, c->diags);
}

static void test_whole(void **state) {
    (void)state;
    for (uint64_t seed = 100; seed < 120; seed++) {
        convert_case c;
        sl_results *r = begin(&c, seed, false);
        sl_assert_ok(write_again(&c, r, NULL));
        assert_int_equal(c.n_progress, c.x.n_frame);
        sl_results_close(r);
        r = open_bytes(&c, &c.second);
        random_results_compare(&c.x, r);
        finish(&c, r);
    }
}

/* One element of one group between two times. */
static void test_part(void **state) {
    (void)state;
    convert_case c;
    sl_results *r = begin(&c, 1000, true);
    assert_false(c.x.layout.several);
    sl_results_select select = sl_results_select_default();
    const char *const node[] = {c.x.layout.groups[0].ids[17]}, *const what[] = {
                                                                   c.x.layout.groups[0].quantities[1].name};
    select.node = node;
    select.what = what;
    select.n_node = select.n_what = 1;
    select.from = c.x.times[3];
    select.to = c.x.times[9];
    sl_assert_ok(write_again(&c, r, &select));
    sl_results_close(r);
    r = open_bytes(&c, &c.second);
    int64_t n = 0;
    const double *times = sl_results_times(r, &n);
    assert_int_equal(n, 7);
    assert_int_equal(sl_results_n_quantity(r), 1);
    const sl_results_layout *l = sl_results_get_layout(r);
    sl_assert_z(l->groups[sl_results_group_of(r, 0)].ids[0], node[0]);
    double series[7];
    sl_assert_ok(sl_results_read_series(r, 0, 0, series));
    for (int64_t f = 0; f < n; f++) {
        sl_assert_bits(times[f], c.x.times[3 + f]);
        sl_assert_bits(series[f], c.x.values[3 + f][1][17]);
    }
    for (int64_t i = 0; i < sl_results_n_event(r); i++) {
        sl_event_info e = {.size = sizeof e};
        sl_assert_ok(sl_results_event(r, i, &e));
        assert_true(e.time >= select.from && e.time <= select.to);
    }
    assert_true(sl_results_n_event(r) > 100 && sl_results_n_event(r) < c.x.n_event);
    assert_int_equal(sl_results_get_end(r)->n_table, c.x.end.n_table);
    finish(&c, r);
}

static void test_wrong(void **state) {
    (void)state;
    convert_case c;
    sl_results *r = begin(&c, 1000, true);
    sl_results_select select = sl_results_select_default();
    select.from = 1e6;
    sl_assert_status(write_again(&c, r, &select), SL_ERR_INPUT);
    assert_has(sl_diags_at(c.diags, 0)->text, "no results are at the times selected");
    c.n_progress = 0;
    c.stop_at = 4;
    sl_assert_status(write_again(&c, r, NULL), SL_ERR_CANCELLED);
    assert_int_equal(c.n_progress, 4);
    finish(&c, r);
}

static void short_of_memory(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)m;
    convert_case *c = user;
    sl_bytes bytes;
    sl_bytes_init(&bytes, ctx);
    sl_sink sink = sl_bytes_sink(&bytes);
    sl_source_bytes source = random_results_source(&c->bytes);
    const sl_results_target target = target_of(&sink);
    sl_results *r = NULL;
    sl_status status = sl_results_open(ctx, &source, "x.h5", NULL, &r);
    status = status == SL_OK ? sl_results_write(ctx, r, NULL, &target, NULL) : status;
    assert_true(status == SL_OK || status == SL_ERR_MEMORY);
    sl_results_close(r);
    sl_bytes_fini(&bytes);
}

static void test_memory(void **state) {
    (void)state;
    convert_case c;
    sl_results *r = begin(&c, 102, false);
    assert_true(sl_test_sweep(short_of_memory, &c) > 0);
    finish(&c, r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_part),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
