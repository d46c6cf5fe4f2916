/* test_threads.c: the same bits with any number of threads, and many sessions of one model in many threads. */
#include "eps_test.h"

#include <pthread.h>
#include <stdatomic.h>

/* A grid of so many pipes that they are shared out among threads (blocks of 16384). */
static char *grid(size_t *n) {
    enum { SIDE = 100, ROOM = 1 << 20 };
    char *text = malloc(ROOM);
    size_t at = 0;
    at += (size_t)snprintf(text + at, ROOM - at, "[RESERVOIRS]\nR 90\n[TANKS]\nT 60 3 0 9 20\n[JUNCTIONS]\n");
    for (int i = 0; i < SIDE * SIDE; i++) {
        at += (size_t)snprintf(text + at, ROOM - at, "J%d %d 0.0%d D\n", i, i % 13, i % 7);
    }
    at += (size_t)snprintf(text + at, ROOM - at, "[PIPES]\nF R J0 100 600 120\nG T J%d 100 600 120\n", SIDE * SIDE - 1);
    for (int i = 0; i < SIDE * SIDE; i++) {
        if (i % SIDE + 1 < SIDE) {
            at += (size_t)snprintf(text + at, ROOM - at, "H%d J%d J%d %d %d 110\n", i, i, i + 1, 50 + i % 31,
                                   100 + i % 3 * 50);
        }
        if (i + SIDE < SIDE * SIDE) {
            at += (size_t)snprintf(text + at, ROOM - at, "V%d J%d J%d %d %d 110\n", i, i, i + SIDE, 60 + i % 17,
                                   100 + i % 5 * 50);
        }
    }
    at += (size_t)snprintf(text + at, ROOM - at,
                           "[PATTERNS]\nD 0.5 1 1.7\n[TIMES]\nDURATION 3\n[OPTIONS]\nUNITS LPS\n[END]\n");
    assert_true(at < ROOM - 1);
    *n = at;
    return text;
}

static void test_any_number(void **state) {
    (void)state;
    size_t n;
    char *text = grid(&n);
    eps_run one, two, five;
    eps_begin_bytes(&one, NULL, 1, text, n);
    eps_begin_bytes(&two, NULL, 2, text, n);
    eps_begin_bytes(&five, NULL, 5, text, n);
    free(text);
    assert_true(one.net->n_pipe > 16384);
    for (bool more = true; more;) {
        eps_assert_same(one.s, two.s);
        eps_assert_same(one.s, five.s);
        more = eps_step(&one);
        assert_int_equal(eps_step(&two), more);
        assert_int_equal(eps_step(&five), more);
    }
    eps_check(&one);
    sl_assert_double(eps_get(&one, "solver.unbalanced"), 0.0);
    eps_end(&one);
    eps_end(&two);
    eps_end(&five);
}

enum { N_SESSION = 32, N_THREAD = 8 };

typedef struct crowd {
    sl_context *ctx;
    const sl_model *model;
    atomic_int next;
    double level[N_SESSION], kwh[N_SESSION];
    sl_status status[N_SESSION];
} crowd;

/* Session k has demands of its own (of kind k % 4) and stops of its own; no assertions here. */
static sl_status one_run(crowd *c, int k) {
    sl_session *s = NULL;
    sl_var demand, level, kwh;
    double x = 0.001 * (1 + k % 4);
    sl_status status = sl_session_create(c->ctx, c->model, NULL, &s);
    status = status == SL_OK ? sl_session_find(s, "node.'B'.wanted", &demand) : status;
    status = status == SL_OK ? sl_session_find(s, "tank.'T1'.level", &level) : status;
    status = status == SL_OK ? sl_session_find(s, "pump.'PU1'.energy.kwh", &kwh) : status;
    status = status == SL_OK ? sl_session_advance(s, 36000.0, 0, NULL) : status;
    status = status == SL_OK ? sl_session_set(s, &demand, 1, &x) : status;
    for (int i = 1; status == SL_OK && i <= k; i++) {
        status = sl_session_advance(s, 36000.0 + 100000.0 * i / k, 0, NULL);
    }
    status = status == SL_OK ? sl_session_advance(s, (double)INFINITY, 0, NULL) : status;
    status = status == SL_OK ? sl_session_get(s, &level, 1, &c->level[k]) : status;
    status = status == SL_OK ? sl_session_get(s, &kwh, 1, &c->kwh[k]) : status;
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
    size_t n;
    char *bytes = eps_file("examples/pump-and-tank.inp", &n);
    eps_run r;
    eps_begin_bytes(&r, NULL, 1, bytes, n);
    free(bytes);
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
        sl_assert_bits(c->level[k], c->level[k % 4]);
        sl_assert_bits(c->kwh[k], c->kwh[k % 4]);
    }
    assert_true(c->kwh[0] != c->kwh[3]); /* they did not all do the same */
    free(c);
    eps_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_number),
        cmocka_unit_test(test_crowd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
