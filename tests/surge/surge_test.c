/* SPDX-License-Identifier: MIT */
/* surge_test.c: small surge models; see surge_test.h. */
#include "surge_test.h"

void surge_open(surge_bench *b, const char *inp) {
    surge_open_threads(b, inp, 1);
}

void surge_open_threads(surge_bench *b, const char *inp, int32_t n_thread) {
    memset(b, 0, sizeof *b);
    b->ctx = sl_test_context_threads(&b->memory, n_thread);
    sl_assert_ok(sl_diags_create(b->ctx, &b->diags));
    sl_status status = sl_inp_read(b->ctx, inp, strlen(inp), NULL, b->diags, &b->net);
    for (int32_t i = 0; status != SL_OK && i < sl_diags_size(b->diags); i++) {
        print_error("%s\n", sl_diags_at(b->diags, i)->text);
    }
    sl_assert_ok(status);
}

sl_surge_def surge_def(double duration, double dt, double wave_speed) {
    sl_surge_def def = sl_surge_default();
    def.duration = duration;
    def.dt = dt;
    def.wave_speed = wave_speed;
    def.friction = SL_SURGE_STEADY;
    def.cavitation = SL_SURGE_LIQUID;
    def.demand = SL_SURGE_DEMAND_FIXED;
    return def;
}

void surge_begin(surge_bench *b, const sl_surge_def *def) {
    sl_status status = sl_model_from_surge(b->ctx, b->net, def, b->diags, &b->model);
    for (int32_t i = 0; status != SL_OK && i < sl_diags_size(b->diags); i++) {
        print_error("%s\n", sl_diags_at(b->diags, i)->text);
    }
    sl_assert_ok(status);
    sl_assert_ok(sl_session_create(b->ctx, b->model, b->diags, &b->session));
    sl_assert_ok(sl_session_refresh(b->session));
}

void surge_close(surge_bench *b) {
    sl_session_destroy(b->session);
    sl_model_destroy(b->model);
    sl_network_destroy(b->net);
    sl_diags_destroy(b->diags);
    sl_test_context_end(b->ctx, &b->memory);
}

void surge_advance(surge_bench *b, double t) {
    sl_assert_ok(sl_session_advance(b->session, t, 0, NULL));
}

double surge_get(surge_bench *b, const char *name) {
    sl_var v;
    double x = (double)NAN;
    sl_assert_ok(sl_session_find(b->session, name, &v));
    sl_assert_ok(sl_session_get(b->session, &v, 1, &x));
    return x;
}

sl_surge_view surge_view(surge_bench *b) {
    sl_surge_view v = {.size = sizeof v};
    sl_assert_ok(sl_session_surge(b->session, &v));
    return v;
}

int32_t surge_node(const surge_bench *b, const char *id) {
    int32_t i = sl_network_find_node(b->net, sl_str_z(id));
    assert_true(i >= 0);
    return i;
}

int32_t surge_link(const surge_bench *b, const char *id) {
    int32_t i = sl_network_find_link(b->net, sl_str_z(id));
    assert_true(i >= 0);
    return i;
}

sl_surge_event surge_jump(sl_surge_quantity what, int32_t index, double t, const double *x) {
    static const double zero = 0.0;
    sl_surge_event v = sl_surge_event_default();
    v.what = what;
    v.index = index;
    v.start = t;
    v.t = &zero;
    v.x = x;
    v.n = 1;
    v.shape = SL_SURGE_SHAPE_HOLD;
    return v;
}

bool surge_said(const surge_bench *b, const char *text) {
    for (int32_t i = 0; i < sl_diags_size(b->diags); i++) {
        if (strstr(sl_diags_at(b->diags, i)->text, text)) {
            return true;
        }
    }
    return false;
}
