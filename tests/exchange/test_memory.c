/* SPDX-License-Identifier: MIT */
/* test_memory.c: every allocation fails in turn: a code comes back, nothing is lost, nothing is kept. */
#include "exchange_test.h"

#include "exchange/frame.h"

/* One thread, two ends over memory, a few exchanges. Whatever fails, both ends are closed without waiting. */
static void talk(sl_context *ctx, sl_test_memory *m, void *user) {
    const char *uri = user;
    heard ha, hb;
    sl_cosim_def da = heard_def(&ha), db = heard_def(&hb);
    sl_cosim *a = NULL, *b = NULL;
    da.uri = db.uri = uri;
    if (!uri) {
        da.in = db.out = "b2a";
        db.in = da.out = "a2b";
    }
    da.binary = true;
    sl_cosim_code code = sl_cosim_open(ctx, &da, &a);
    code = code == SL_COSIM_OK ? sl_cosim_open(ctx, &db, &b) : code;
    for (int i = 0; i < 20 && code == SL_COSIM_OK; i++) {
        const sl_cosim_code codes[] = {sl_cosim_add_in(a, i, 0, "x"), sl_cosim_add_out(a, i, 0, "y"),
                                       sl_cosim_add_in(b, i, 0, "y"), sl_cosim_add_out(b, i, 0, "x")};
        for (int k = 0; k < 4 && code == SL_COSIM_OK; k++) {
            code = codes[k];
        }
    }
    for (int k = 0; k < 3 && code == SL_COSIM_OK; k++) {
        double v[20] = {0};
        code = sl_cosim_write_values(a, k, 1, v, 20);
        code = code == SL_COSIM_OK ? sl_cosim_read(b) : code;
        code = code == SL_COSIM_OK ? sl_cosim_prepare(b) : code;
        for (int i = 0; i < 20 && code == SL_COSIM_OK; i++) {
            code = sl_cosim_set(b, i, 0, i, "a text that takes some room");
        }
        code = code == SL_COSIM_OK ? sl_cosim_write(b, k, 1) : code;
        code = code == SL_COSIM_OK ? sl_cosim_read(a) : code;
    }
    assert_int_equal(code, m->n_refused > 0 ? SL_COSIM_MEMORY : SL_COSIM_OK);
    sl_cosim_abort(a);
    sl_cosim_abort(b);
    assert_int_equal(sl_cosim_close(a), SL_COSIM_OK);
    assert_int_equal(sl_cosim_close(b), SL_COSIM_OK);
}

static void over_memory(void **state) {
    (void)state;
    assert_true(sl_test_sweep(talk, (void *)"mem:sweep") > 20);
}

static void over_files(void **state) {
    (void)state;
    folder_enter();
    assert_true(sl_test_sweep(talk, NULL) > 20);
    folder_leave("a2b b2a");
}

/* A warm exchange allocates nothing. */
static void is_warm(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    heard ha, hb;
    sl_cosim_def da = heard_def(&ha), db = heard_def(&hb);
    sl_cosim *a, *b;
    da.uri = db.uri = "mem:warm";
    assert_int_equal(sl_cosim_open(ctx, &da, &a), SL_COSIM_OK);
    assert_int_equal(sl_cosim_open(ctx, &db, &b), SL_COSIM_OK);
    for (int i = 0; i < 100; i++) {
        sl_cosim_add_in(a, i, 0, "x");
        sl_cosim_add_out(b, i, 0, "x");
    }
    double v[100] = {0};
    int64_t before = 0;
    for (int k = 0; k < 10; k++) {
        assert_int_equal(sl_cosim_write_values(b, k, 1, v, 100), SL_COSIM_OK);
        assert_int_equal(sl_cosim_read(a), SL_COSIM_OK);
        if (k == 1) {
            before = m.n_request;
        }
    }
    assert_int_equal(m.n_request, before);
    close_both(a, b, NULL, NULL);
    sl_test_context_end(ctx, &m);
}

static void messages(sl_context *ctx, sl_test_memory *memory, void *user) {
    int way = *(int *)user;
    sl_message m, back;
    sl_bytes b;
    sl_message_init(&m);
    sl_message_init(&back);
    sl_bytes_init(&b, ctx);
    m.kind = way >= 2 ? SL_MESSAGE_HELLO : SL_MESSAGE_DATA;
    m.time = m.next = 1;
    bool ok = true;
    for (int i = 0; i < 100 && ok; i++) {
        sl_message_row row = {i, 0, i, sl_str_z("text, \"quoted\"")};
        ok = SL_PUSH(ctx, &m.row, row);
    }
    ok = ok && sl_frame_write(&b, &m, way % 2, true);
    sl_cosim_code code = ok ? sl_frame_read(ctx, b.at, (size_t)b.n, 100, &back) : SL_COSIM_MEMORY;
    assert_int_equal(code, memory->n_refused ? SL_COSIM_MEMORY : SL_COSIM_OK);
    sl_bytes_fini(&b);
    sl_message_fini(ctx, &m);
    sl_message_fini(ctx, &back);
}

static void of_messages(void **state) {
    (void)state;
    for (int way = 0; way < 4; way++) {
        assert_true(sl_test_sweep(messages, &way) > 5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_messages), cmocka_unit_test(over_memory),
                                       cmocka_unit_test(over_files), cmocka_unit_test(is_warm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
