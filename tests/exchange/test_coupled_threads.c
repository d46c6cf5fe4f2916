/* SPDX-License-Identifier: MIT */
/* Run files without the program: what they say, their variables, and two sessions in step over memory. */
#include "sl_test.h"

#include <pthread.h>

#include <sluice/sluice.h>

#include "exchange/coupler.h"

static const char network[] = "[JUNCTIONS]\nA 10 5\nB 12 3\n[RESERVOIRS]\nR 60\n[TANKS]\nT 40 3 1 6 12\n"
                              "[PIPES]\n1 R A 500 300 120\n2 A B 400 200 110\n3 B T 300 200 110\n"
                              "[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 4\nHYDRAULIC TIMESTEP 0:30\n";

typedef struct fixture {
    sl_context *ctx;
    sl_diags *diags, *told;
    sl_network *net;
    sl_model *model;
    sl_session *session;
    sl_coupling *coupling;
    sl_coupler *coupler;
} fixture;

/* Everything up to the bound coupling; false: no memory, or refused. */
static sl_status begin(fixture *f, sl_context *ctx, const char *yaml) {
    *f = (fixture){.ctx = ctx};
    sl_inp_read_def def = sl_inp_read_default();
    sl_status status = sl_diags_create(ctx, &f->diags);
    status = status == SL_OK ? sl_diags_create(ctx, &f->told) : status;
    status = status == SL_OK ? sl_coupling_read(ctx, yaml, strlen(yaml), "run.yaml", f->diags, &f->coupling) : status;
    status = status == SL_OK ? sl_inp_read(ctx, network, sizeof network - 1, &def, f->diags, &f->net) : status;
    status = status == SL_OK ? sl_model_from_network(ctx, f->net, NULL, f->diags, &f->model) : status;
    status = status == SL_OK ? sl_session_create(ctx, f->model, f->diags, &f->session) : status;
    return status == SL_OK ? sl_coupling_bind(f->coupling, f->session) : status;
}

static void end(fixture *f) {
    sl_coupler_destroy(f->coupler);
    sl_coupling_destroy(f->coupling);
    sl_session_destroy(f->session);
    sl_model_destroy(f->model);
    sl_network_destroy(f->net);
    sl_diags_destroy(f->told);
    sl_diags_destroy(f->diags);
}

static const char all[] =
    "model: a.inp\nduration: 2:00\nresults: [a.out, b.csv]\n"
    "cosim:\n  in: x\n  out: y\n  skip: 2\n  step: 10 min\n  sync: sub\n  phase: end\n  stale: keep\n  ack: overwrite\n"
    "  map: entity\n  strict: true\n  alone: true\n  timeout: 5\n  close_timeout: 7\n  short_wait: 20 ms\n"
    "  read:\n    - {entity: 3, variable: \"node.'A'.wanted\", unit: m3/h, scale: -1}\n"
    "    - {entity: 3, type: 1, variable: \"reservoir.'R'.head\", unit: ft}\n"
    "  write:\n    - {entity: -4, variable: \"tank.'T'.level\", unit: cm, description: level of T}\n"
    "    - {entity: 5, variable: \"link.'1'.flow\"}\n";

static void test_all_keys(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    fixture f;
    sl_assert_ok(begin(&f, ctx, all));
    const sl_coupling *c = f.coupling;
    sl_assert_z(c->model, "a.inp");
    sl_assert_double(c->duration, 7200);
    assert_int_equal(c->n_result, 2);
    sl_assert_z(c->result[1], "b.csv");
    sl_assert_z(c->def.in, "x");
    sl_assert_z(c->def.out, "y");
    assert_int_equal(c->skip, 2);
    sl_assert_double(c->step, 600);
    assert_int_equal(c->def.sync, SL_COSIM_SYNC_SUB);
    assert_int_equal(c->def.phase, SL_COSIM_PHASE_END);
    assert_int_equal(c->def.stale, SL_COSIM_STALE_KEEP);
    assert_int_equal(c->def.ack, SL_COSIM_ACK_OVERWRITE);
    assert_true(c->def.map_entity && c->def.strict && c->alone);
    sl_assert_double(c->def.read_timeout, 5);
    sl_assert_double(c->def.write_timeout, 5);
    sl_assert_double(c->def.close_timeout, 7);
    sl_assert_double(c->def.short_wait, 0.02);
    assert_int_equal(c->read.n, 2);
    assert_int_equal(c->write.n, 2);
    assert_int_equal(c->write.at[0].entity, -4);
    sl_assert_rel(sl_coupled_in(&c->read.at[0], -36.0), 0.01, 1e-15);
    sl_assert_rel(sl_coupled_in(&c->read.at[1], 100.0), 30.48, 1e-15);
    sl_assert_rel(sl_coupled_out(&c->write.at[0], 3.21), 321.0, 1e-14);
    sl_assert_double(sl_coupled_out(&c->write.at[1], 0.1), 0.1); /* without a unit: SI, untouched */
    end(&f);
    sl_test_context_end(ctx, &m);
}

static void test_defaults(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    fixture f;
    sl_assert_ok(begin(&f, ctx, "model: a.inp\ncosim: {skip: 0}\n"));
    const sl_coupling *c = f.coupling;
    assert_true(isnan(c->duration) && isinf(c->step) && !c->alone && c->read.n == 0 && c->write.n == 0);
    sl_assert_double(c->def.read_timeout, 3600);
    sl_assert_double(c->def.write_timeout, 3600);
    sl_assert_double(c->def.close_timeout, 3600);
    sl_assert_z(c->def.in, sl_cosim_default().in);
    end(&f);
    sl_test_context_end(ctx, &m);
}

static void read_and_bind(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)user;
    fixture f;
    sl_status status = begin(&f, ctx, all);
    assert_true(status == SL_OK || (status == SL_ERR_MEMORY && m->n_refused > 0));
    end(&f);
}

static void test_memory(void **state) {
    (void)state;
    assert_true(sl_test_sweep(read_and_bind, NULL) > 20);
}

static void *run(void *user) {
    fixture *f = user;
    sl_status status = sl_coupler_run(f->coupler);
    sl_status closed = sl_coupler_close(f->coupler, NULL);
    return status == SL_OK && closed == SL_OK ? f : NULL;
}

/* Each gives the other what it computes; both stand at the same times, and end together. */
static void test_two_sessions(void **state) {
    (void)state;
    static const char *const yaml[] = {
        "model: a\ncosim: {uri: 'mem:coupling', skip: 1, step: 20 min, timeout: 60, "
        "read: [{entity: 1, variable: \"node.'A'.wanted\"}], write: [{entity: 1, variable: \"tank.'T'.level\"}]}\n",
        "model: a\ncosim: {uri: 'mem:coupling', timeout: 60, "
        "read: [{entity: 1, variable: \"reservoir.'R'.head\", scale: 0.05}], "
        "write: [{entity: 1, variable: \"node.'B'.demand\"}]}\n"};
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    fixture f[2];
    pthread_t other;
    void *fine = NULL;
    for (int i = 0; i < 2; i++) {
        sl_assert_ok(begin(&f[i], ctx, yaml[i]));
    }
    for (int i = 0; i < 2; i++) {
        sl_assert_ok(sl_coupler_open(ctx, f[i].coupling, f[i].session, f[i].told, &f[i].coupler));
    }
    assert_int_equal(pthread_create(&other, NULL, run, &f[1]), 0);
    assert_ptr_equal(run(&f[0]), &f[0]);
    assert_int_equal(pthread_join(other, &fine), 0);
    assert_ptr_equal(fine, &f[1]);
    sl_var v[2];
    double x[2];
    sl_assert_ok(sl_session_find(f[0].session, "node.'A'.wanted", &v[0]));
    sl_assert_ok(sl_session_find(f[1].session, "node.'B'.demand", &v[1]));
    for (int i = 0; i < 2; i++) {
        for (int32_t k = 0; k < sl_diags_size(f[i].told); k++) {
            print_error("%d at %g s: %s\n", i, sl_diags_at(f[i].told, k)->time, sl_diags_at(f[i].told, k)->text);
        }
        assert_int_equal(sl_diags_size(f[i].told), 0);
        sl_assert_double(sl_session_time(f[i].session), 14400);
        sl_assert_ok(sl_session_get(f[i].session, &v[i], 1, &x[i]));
    }
    sl_assert_rel(x[0], x[1], 1e-12);
    sl_assert_ok(sl_session_find(f[1].session, "reservoir.'R'.head", &v[1]));
    sl_assert_ok(sl_session_get(f[1].session, &v[1], 1, &x[1]));
    sl_assert_ok(sl_session_find(f[0].session, "tank.'T'.level", &v[0]));
    sl_assert_ok(sl_session_get(f[0].session, &v[0], 1, &x[0]));
    sl_assert_rel(x[1], 20.0 * x[0], 1e-12); /* the last message was read before the last step */
    for (int i = 0; i < 2; i++) {
        end(&f[i]);
    }
    sl_test_context_end(ctx, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_keys),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_two_sessions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
