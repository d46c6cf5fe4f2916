/* test_threads.c: transport runs beside the solution of the next boundary: the same bits with any number of threads, and
 * many sessions of one model in many threads. */
#include "rich.h"

#include <pthread.h>
#include <stdatomic.h>

static void test_any_number(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        eps_run one, two, five;
        rich_begin(&one, kind, 1, false);
        rich_begin(&two, kind, 2, false);
        rich_begin(&five, kind, 5, false);
        for (bool more = true; more;) {
            eps_assert_same(one.s, two.s);
            eps_assert_same(one.s, five.s);
            more = eps_step(&one);
            assert_int_equal(eps_step(&two), more);
            assert_int_equal(eps_step(&five), more);
        }
        eps_end(&one);
        eps_end(&two);
        eps_end(&five);
    }
}

/* A step that fails in transport or in hydraulics leaves the last good boundary, with threads too. */
static void test_failure(void **state) {
    (void)state;
    double last[2];
    for (int32_t k = 0; k < 2; k++) {
        static const char text[] =
            "[RESERVOIRS]\nR 60\n[JUNCTIONS]\nA 0 1\nD 0 0\n[PIPES]\n1 R A 500 200 110\n2 A D 50 100 "
            "110\n[QUALITY]\nR 1\nA 1\nD 2\n[REACTIONS]\nORDER BULK 3\nGLOBAL BULK 40\n"
            "[OPTIONS]\nUNITS LPS\nQUALITY Weed mg/L\n[TIMES]\nDURATION 24\nHYDRAULIC TIMESTEP 0:10\n";
        eps_run r;
        eps_begin_bytes(&r, NULL, k ? 5 : 1, text, strlen(text));
        sl_step step;
        sl_assert_status(sl_session_advance(r.s, 86400.0, 0, &step), SL_ERR_SOLVE);
        assert_int_equal(step.why, SL_WHY_FAILED);
        assert_int_equal(eps_said(&r, SL_CODE_STEP_FAILED, NULL), 1);
        assert_non_null(strstr(eps_words(&r, SL_CODE_STEP_FAILED, NULL), "LIMITING POTENTIAL"));
        assert_true(isfinite(eps_get(&r, "node.'D'.quality")) && isfinite(eps_get(&r, "quality.stored")));
        sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-12);
        last[k] = sl_session_time(r.s);
        eps_end(&r);
    }
    assert_true(last[0] > 0.0);
    sl_assert_double(last[0], last[1]);
}

enum { N_SESSION = 16, N_THREAD = 4 };

typedef struct crowd {
    sl_context *ctx;
    const sl_model *model;
    atomic_int next;
    double stored[N_SESSION];
    sl_status status[N_SESSION];
} crowd;

/* Session k has demands of its own (of kind k % 4) and stops of its own; no assertions here. */
static sl_status one_run(crowd *c, int k) {
    sl_session *s = NULL;
    sl_var demand, stored;
    double x = 0.001 * (1 + k % 4);
    sl_status status = sl_session_create(c->ctx, c->model, NULL, &s);
    status = status == SL_OK ? sl_session_find(s, "node.'J3'.wanted", &demand) : status;
    status = status == SL_OK ? sl_session_find(s, "quality.stored", &stored) : status;
    status = status == SL_OK ? sl_session_advance(s, 20000.0, 0, NULL) : status;
    status = status == SL_OK ? sl_session_set(s, &demand, 1, &x) : status;
    for (int i = 1; status == SL_OK && i <= k; i++) {
        status = sl_session_advance(s, 20000.0 + 60000.0 * i / k, 0, NULL);
    }
    status = status == SL_OK ? sl_session_advance(s, (double)INFINITY, 0, NULL) : status;
    status = status == SL_OK ? sl_session_get(s, &stored, 1, &c->stored[k]) : status;
    sl_session_destroy(s);
    return status;
}

static void *work(void *user) {
    crowd *c = user;
    for (int k; (k = atomic_fetch_add(&c->next, 1)) < N_SESSION;) {
        c->status[k] = one_run(c, k);
    }
    return NULL;
}

static void test_crowd(void **state) {
    (void)state;
    eps_run r;
    rich_begin(&r, 0, 2, true);
    crowd *c = calloc(1, sizeof *c);
    c->ctx = r.ctx;
    c->model = r.model;
    pthread_t threads[N_THREAD];
    for (int i = 0; i < N_THREAD; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, work, c), 0);
    }
    for (int i = 0; i < N_THREAD; i++) {
        pthread_join(threads[i], NULL);
    }
    for (int k = 0; k < N_SESSION; k++) {
        sl_assert_ok(c->status[k]);
        sl_assert_bits(c->stored[k], c->stored[k % 4]);
    }
    assert_true(c->stored[0] != c->stored[3]);
    free(c);
    eps_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_number),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_crowd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
