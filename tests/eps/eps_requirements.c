/* SPDX-License-Identifier: MIT */
/* eps_requirements.c: requirements that all engines on networks share: memory that is refused, and many sessions at once; see eps_test.h. */
#include "eps_test.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/out.h"

/* ---- Memory ------------------------------------------------------------------------------------- */

typedef struct sweep {
    const eps_refusals_case *c;
    double shown; /* of a run without refusals; NaN: not known yet */
} sweep;

static sl_status get(sl_session *s, const char *name, double *x) {
    sl_var v;
    sl_status status = sl_session_find(s, name, &v);
    return status == SL_OK ? sl_session_get(s, &v, 1, x) : status;
}

static sl_status set(sl_session *s, const char *name, double x) {
    sl_var v;
    sl_status status = sl_session_find(s, name, &v);
    return status == SL_OK ? sl_session_set(s, &v, 1, &x) : status;
}

/* Between two boundaries a third state is needed. */
static sl_status take_steps(sl_session *s, sl_context *ctx, const eps_refusals_case *c) {
    sl_status status = sl_session_advance(s, c->t[0], 0, NULL);
    sl_bytes saved;
    sl_bytes_init(&saved, ctx);
    if (status == SL_OK) {
        sl_sink sink = sl_bytes_sink(&saved);
        status = sl_session_save(s, &sink);
    }
    status = status == SL_OK ? set(s, c->set, 0.004) : status;
    status = status == SL_OK ? sl_session_advance(s, c->t[1], 0, NULL) : status;
    status = status == SL_OK ? sl_session_restore(s, saved.at, (size_t)saved.n) : status;
    status = status == SL_OK ? sl_session_advance(s, c->t[2], 0, NULL) : status;
    sl_bytes_fini(&saved);
    return status;
}

static void one_run(sl_context *ctx, sl_test_memory *m, void *user) {
    sweep *w = user;
    sl_diags *diags = NULL;
    sl_network *net = NULL;
    sl_model *model = NULL;
    sl_session *s = NULL;
    double x = 0.0;
    sl_status status = sl_diags_create(ctx, &diags);
    status = status == SL_OK ? sl_inp_read(ctx, w->c->text, w->c->n, NULL, diags, &net) : status;
    status = status == SL_OK ? sl_model_from_network(ctx, net, NULL, diags, &model) : status;
    status = status == SL_OK ? sl_session_create(ctx, model, diags, &s) : status;
    status = status == SL_OK ? take_steps(s, ctx, w->c) : status;
    status = status == SL_OK ? get(s, w->c->shown, &x) : status;
    if (status == SL_OK) {
        w->shown = isnan(w->shown) ? x : w->shown;
        sl_assert_bits(x, w->shown);
    }
    assert_true(status == SL_OK || (status == SL_ERR_MEMORY && m->n_refused > 0));
    sl_session_destroy(s);
    sl_model_destroy(model);
    sl_network_destroy(net);
    sl_diags_destroy(diags);
}

void eps_refusals(const eps_refusals_case *c) {
    sweep w = {.c = c, .shown = (double)NAN};
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    one_run(ctx, &m, &w); /* what it should be */
    sl_test_context_end(ctx, &m);
    assert_false(isnan(w.shown));
    assert_true(sl_test_sweep(one_run, &w) > 100);
}

/* ---- Many at once ------------------------------------------------------------------------------- */

enum { N_SESSION = 32, N_THREAD = 8 };

typedef struct crowd {
    sl_context *ctx;
    const sl_model *model;
    const eps_crowd_case *c;
    atomic_int next;
    double x[N_SESSION][2];
    sl_status status[N_SESSION];
} crowd;

/* Session k has a value of its own (of kind k % 4) and stops of its own; no assertions here. */
static sl_status one_of_crowd(crowd *all, int k) {
    const eps_crowd_case *c = all->c;
    sl_session *s = NULL;
    sl_status status = sl_session_create(all->ctx, all->model, NULL, &s);
    status = status == SL_OK ? sl_session_advance(s, c->from, 0, NULL) : status;
    status = status == SL_OK ? set(s, c->set, 0.001 * (1 + k % 4)) : status;
    for (int i = 1; status == SL_OK && i <= k; i++) {
        status = sl_session_advance(s, c->from + (c->until - c->from) * i / k, 0, NULL);
    }
    status = status == SL_OK ? sl_session_advance(s, (double)INFINITY, 0, NULL) : status;
    for (int i = 0; i < 2 && status == SL_OK; i++) {
        status = get(s, c->shown[i], &all->x[k][i]);
    }
    sl_session_destroy(s);
    return status;
}

static void *work(void *user) {
    crowd *all = user;
    for (int k; (k = atomic_fetch_add(&all->next, 1)) < N_SESSION;) {
        all->status[k] = one_of_crowd(all, k);
    }
    return NULL;
}

void eps_crowd(const eps_run *r, const eps_crowd_case *c) {
    crowd *all = calloc(1, sizeof *all);
    all->ctx = r->ctx;
    all->model = r->model;
    all->c = c;
    pthread_t threads[N_THREAD];
    for (int i = 0; i < N_THREAD; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, work, all), 0);
    }
    for (int i = 0; i < N_THREAD; i++) {
        pthread_join(threads[i], NULL);
    }
    for (int k = 0; k < N_SESSION; k++) {
        sl_assert_ok(all->status[k]);
        sl_assert_bits(all->x[k][0], all->x[k % 4][0]);
        sl_assert_bits(all->x[k][1], all->x[k % 4][1]);
    }
    assert_true(all->x[0][0] != all->x[3][0]); /* they did not all do the same */
    free(all);
}
