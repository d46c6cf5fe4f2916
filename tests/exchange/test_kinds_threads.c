/* SPDX-License-Identifier: MIT */
/* Models of every kind in step with a partner: a thermostat, a surge study and an automaton that makes steps, each driven by a
 * program of its own; a town and its controller, an automaton, coupled in memory. */
#include "sl_test.h"

#include <pthread.h>

#include <sluice/load.h>

#include "exchange/coupler.h"

static const char town[] = "[JUNCTIONS]\nA 10 5\n[RESERVOIRS]\nR 20\n[TANKS]\nT 40 3 1 6 12\n"
                           "[PIPES]\n1 A T 500 300 120\n[PUMPS]\nP R A POWER 8\n"
                           "[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 24\nHYDRAULIC TIMESTEP 0:30\n";
/* Full above 4 m, empty below 2 m: the pump stands from full to empty. */
static const char controller[] = "automaton: controller\ndiscrete: {full: 2, low: 2, speed: {states: 2, start: 1}}\n"
                                 "continuous: {level: 3}\nactivities:\n  - {equation: der(level) = 0}\n"
                                 "roots:\n  - {decides: full, by: level - 4}\n  - {decides: low, by: 2 - level}\n"
                                 "transitions:\n  - {equation: der(speed) = 1, when: full & speed | low & !speed}\n"
                                 "run: {end: 100000}\n";
static const char thermostat[] =
    "automaton: thermostat\ndiscrete: {hot: 2, warm: {states: 2, start: 1}, heating: {states: 2, start: 1}}\n"
    "continuous: {T: 20, outside: 10}\nactivities:\n  - {equation: der(outside) = 0}\n"
    "  - {equation: der(T) = 0.1*(outside + 30 - T), when: heating}\n"
    "  - {equation: der(T) = 0.1*(outside - T), when: '!heating'}\n"
    "roots:\n  - {decides: hot, by: T - 22}\n  - {decides: warm, by: T - 18}\n"
    "transitions:\n  - {equation: der(heating) = 1, when: heating & hot | !heating & !warm & !hot}\n"
    "run: {end: 20}\n";
static const char network[] = "[JUNCTIONS]\nA 10 5\nB 12 3\n[RESERVOIRS]\nR 60\n[PIPES]\n1 R A 500 300 120\n"
                              "[VALVES]\nV A B 300 TCV 2 0\n[OPTIONS]\nUNITS LPS\n";
static const char study[] = "study: surge\nnetwork: net.inp\nduration: 2 s\n";
static const char counter[] =
    "sluice: automaton/1\ndiscrete: {up: 2, n: 100}\n"
    "transitions:\n  - {equation: der(n) = 1, when: up}\n  - {equation: der(n) = 0, when: '!up'}\n"
    "  - {equation: der(up) = 0}\n";

typedef struct fixture {
    sl_diags *diags, *told;
    sl_model *model;
    sl_session *session;
    sl_coupling *coupling;
    sl_coupler *coupler;
} fixture;

static sl_status open_network(void *user, const sl_source *from, const char *path, sl_source *out, const char **why) {
    (void)user, (void)from, (void)path, (void)why;
    out->bytes = network;
    out->n = sizeof network - 1;
    out->name = "net.inp";
    return SL_OK;
}

/* Model and run file, as a command would do it. */
static sl_status begin(fixture *f, sl_context *ctx, const char *model, const char *yaml) {
    *f = (fixture){0};
    sl_source source = {
        .size = sizeof source, .name = "model", .bytes = model, .n = strlen(model), .open = open_network};
    sl_load_def def = sl_load_default();
    sl_assert_ok(sl_diags_create(ctx, &f->diags));
    sl_assert_ok(sl_diags_create(ctx, &f->told));
    sl_assert_ok(sl_coupling_read(ctx, yaml, strlen(yaml), "run.yaml", f->diags, &f->coupling));
    def.duration = f->coupling->duration;
    def.step = isfinite(f->coupling->step) ? f->coupling->step : 0.0;
    sl_assert_ok(sl_model_load(ctx, &source, &def, f->diags, &f->model));
    sl_assert_ok(sl_session_create(ctx, f->model, f->diags, &f->session));
    return sl_coupling_bind(f->coupling, f->session);
}

static void end(fixture *f) {
    for (int32_t k = 0; k < sl_diags_size(f->told); k++) {
        print_error("at %g s: %s\n", sl_diags_at(f->told, k)->time, sl_diags_at(f->told, k)->text);
    }
    assert_int_equal(sl_diags_size(f->told), 0);
    sl_coupler_destroy(f->coupler);
    sl_coupling_destroy(f->coupling);
    sl_session_destroy(f->session);
    sl_model_destroy(f->model);
    sl_diags_destroy(f->told);
    sl_diags_destroy(f->diags);
}

static void *run(void *user) {
    fixture *f = user;
    sl_status status = sl_coupler_run(f->coupler);
    for (int32_t k = 0; status != SL_OK && k < sl_diags_size(sl_session_diags(f->session)); k++) {
        print_error("session: %s\n", sl_diags_at(sl_session_diags(f->session), k)->text);
    }
    for (int32_t k = 0; k < sl_diags_size(f->told); k++) {
        print_error("at %g s: %s\n", sl_diags_at(f->told, k)->time, sl_diags_at(f->told, k)->text);
    }
    sl_status closed = sl_coupler_close(f->coupler, NULL);
    return status == SL_OK && closed == SL_OK ? f : NULL;
}

static double value(fixture *f, const char *name) {
    sl_var v;
    double x;
    sl_assert_ok(sl_session_find(f->session, name, &v));
    sl_assert_ok(sl_session_get(f->session, &v, 1, &x));
    return x;
}

/* ---- A program as partner ------------------------------------------------------------------------ */

enum { SEEN_MAX = 64 };

/* Reads one value, answers with another, step by step of a length of its own. */
typedef struct partner {
    sl_context *ctx;
    const char *uri;
    double step;                              /* [s] */
    double (*answer)(double t, double value); /* the value for the step from t on */
    int n;
    double time[SEEN_MAX], value[SEEN_MAX]; /* of the messages */
} partner;

static void *follow(void *user) {
    partner *p = user;
    sl_cosim *x = NULL;
    sl_cosim_def def = sl_cosim_default();
    def.uri = p->uri;
    def.read_timeout = def.write_timeout = def.close_timeout = 60.0;
    if (sl_cosim_open(p->ctx, &def, &x) != SL_COSIM_OK) {
        return NULL;
    }
    bool fine = sl_cosim_add_in(x, 1, 0, "value") == SL_COSIM_OK && sl_cosim_add_out(x, 1, 0, "answer") == SL_COSIM_OK;
    while (fine && sl_cosim_read(x) == SL_COSIM_OK && p->n < SEEN_MAX) {
        double in, t = sl_cosim_time(x);
        fine = sl_cosim_values(x, &in, 1) == SL_COSIM_OK;
        p->time[p->n] = t;
        p->value[p->n++] = in;
        double out = p->answer(t, in);
        (void)sl_cosim_prepare(x);
        fine = fine && sl_cosim_write_values(x, t, p->step, &out, 1) == SL_COSIM_OK;
    }
    return sl_cosim_close(x) >= 0 && fine ? p : NULL;
}

/* The model goes first; both run to its end. */
static void drive(fixture *f, sl_context *ctx, partner *p) {
    pthread_t other;
    void *fine = NULL;
    p->ctx = ctx;
    p->uri = f->coupling->def.uri;
    assert_int_equal(pthread_create(&other, NULL, follow, p), 0);
    sl_assert_ok(sl_coupler_open(ctx, f->coupling, f->session, f->told, &f->coupler));
    assert_ptr_equal(run(f), f);
    assert_int_equal(pthread_join(other, &fine), 0);
    assert_ptr_equal(fine, p);
    assert_int_equal(sl_coupler_ended(f->coupler), SL_COUPLER_COMPLETE);
}

/* Winter from 10 s on. */
static double weather(double t, double room) {
    (void)room;
    return t < 10.0 ? 10.0 : -5.0;
}

static void thermostat_with_partner(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    fixture f;
    partner p = {.step = 1.0, .answer = weather};
    sl_assert_ok(begin(&f, ctx, thermostat,
                       "model: t.yaml\ncosim: {uri: 'mem:thermostat', skip: 1, step: 1, timeout: 10, "
                       "read: [{entity: 1, variable: \"variable.'outside'.value\"}], "
                       "write: [{entity: 1, variable: \"variable.'T'.value\"}]}\n"));
    drive(&f, ctx, &p);
    sl_assert_double(sl_session_time(f.session), 20.0);
    assert_int_equal(p.n, 20);
    for (int i = 0; i < p.n; i++) {
        sl_assert_abs(p.time[i], i + 1.0, 1e-12);
    }
    sl_assert_rel(p.value[0], 40.0 - 20.0 * exp(-0.1), 1e-5); /* heated from 20 towards 40 degrees */
    sl_assert_double(value(&f, "variable.'outside'.value"), -5.0);
    for (int i = 1; i < p.n; i++) {
        assert_true(p.value[i] > 17.9 && p.value[i] < 22.1);
    }
    end(&f);
    sl_test_context_end(ctx, &m);
}

/* Closes the valve within a second, from half a second on. */
static double closure(double t, double head) {
    (void)head;
    return fmax(0.0, fmin(1.0, 1.5 - t));
}

static void surge_with_partner(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    fixture f;
    partner p = {.step = 0.05, .answer = closure};
    sl_assert_ok(begin(&f, ctx, study,
                       "sluice: cosim/1\nmodel: s.yaml\ncosim: {uri: 'mem:surge', skip: 1, step: 50 ms, timeout: 10, "
                       "read: [{entity: 1, variable: \"link.'V'.opening\"}], "
                       "write: [{entity: 1, variable: \"node.'A'.head\"}]}\n"));
    drive(&f, ctx, &p);
    sl_assert_double(sl_session_time(f.session), 2.0);
    assert_int_equal(p.n, 40);
    double steady = p.value[0], most = steady;
    for (int i = 0; i < p.n; i++) {
        sl_assert_abs(p.time[i], 0.05 * (i + 1), 1e-9);
        if (p.time[i] < 0.5) {
            sl_assert_abs(p.value[i], steady, 1e-6);
        }
        most = fmax(most, p.value[i]);
    }
    assert_true(most > steady + 0.5); /* the partner's closure makes a wave */
    sl_assert_double(value(&f, "link.'V'.opening"), 0.0);
    end(&f);
    sl_test_context_end(ctx, &m);
}

/* Counts between 4 and 8 s. */
static double gate(double t, double n) {
    (void)n;
    return t >= 4.0 - 1e-9 && t < 8.0 - 1e-9 ? 1.0 : 0.0;
}

/* A step is 2 s; the partner makes steps of 1 s, in whose middle nothing moves. */
static void steps_with_partner(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    fixture f;
    partner p = {.step = 1.0, .answer = gate};
    sl_assert_ok(begin(&f, ctx, counter,
                       "model: c.yaml\nduration: 12 s\ncosim: {uri: 'mem:steps', skip: 1, step: 2 s, timeout: 10, "
                       "read: [{entity: 1, variable: \"discrete.'up'.state\"}], "
                       "write: [{entity: 1, variable: \"discrete.'n'.state\"}]}\n"));
    drive(&f, ctx, &p);
    sl_assert_double(sl_session_time(f.session), 6.0);
    sl_assert_double(value(&f, "discrete.'n'.state"), 2.0);
    assert_true(p.n > 6 && p.n < SEEN_MAX);
    for (int i = 0; i < p.n; i++) {
        double expected = p.time[i] < 6.0 ? 0.0 : p.time[i] < 8.0 ? 1.0 : 2.0;
        sl_assert_double(p.value[i], expected);
        sl_assert_abs(p.time[i], i == 0 ? 2.0 : 2.0 + i, 1e-9);
    }
    end(&f);
    sl_test_context_end(ctx, &m);
}

static void steps_need_a_length(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    fixture f;
    sl_assert_status(begin(&f, ctx, counter, "model: c.yaml\ncosim: {uri: 'mem:none'}\n"), SL_ERR_INPUT);
    const sl_diag *d = sl_diags_at(f.diags, sl_diags_size(f.diags) - 1);
    assert_non_null(strstr(d->text, "counts steps"));
    assert_int_equal(d->line, 2);
    end(&f);
    sl_test_context_end(ctx, &m);
}

/* ---- A town and its controller ------------------------------------------------------------------- */

static void town_with_controller(void **state) {
    (void)state;
    static const char *const
        models[] = {town, controller},
        *const yaml[] = {
            "model: town.inp\ncosim: {uri: 'mem:town', skip: 1, step: 15 min, timeout: 10, "
            "read: [{entity: 1, variable: \"pump.'P'.speed\"}], write: [{entity: 1, variable: \"tank.'T'.level\"}]}\n",
            "model: controller.yaml\nduration: 24:00\ncosim: {uri: 'mem:town', step: 1 h, timeout: 10, "
            "read: [{entity: 1, variable: \"variable.'level'.value\"}], "
            "write: [{entity: 1, variable: \"discrete.'speed'.state\"}]}\n"};
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    fixture f[2];
    pthread_t other;
    void *fine = NULL;
    double low = INFINITY, high = 0.0;
    for (int i = 0; i < 2; i++) {
        sl_assert_ok(begin(&f[i], ctx, models[i], yaml[i]));
    }
    sl_assert_ok(sl_session_record(f[0].session, &(const char *){"tank.level"}, 1));
    for (int i = 0; i < 2; i++) {
        sl_assert_ok(sl_coupler_open(ctx, f[i].coupling, f[i].session, f[i].told, &f[i].coupler));
    }
    assert_int_equal(pthread_create(&other, NULL, run, &f[1]), 0);
    assert_ptr_equal(run(&f[0]), &f[0]);
    assert_int_equal(pthread_join(other, &fine), 0);
    assert_ptr_equal(fine, &f[1]);
    sl_assert_double(sl_session_time(f[0].session), 86400.0);
    sl_assert_double(sl_session_time(f[1].session), 86400.0);
    sl_var level;
    int32_t n = 0;
    const double *times = sl_session_times(f[0].session, &n);
    sl_assert_ok(sl_session_find(f[0].session, "tank.'T'.level", &level));
    for (int32_t i = n / 4; i < n; i++) { /* after it has filled for the first time */
        double x;
        sl_assert_ok(sl_session_past(f[0].session, level, times[i], &x));
        low = fmin(low, x);
        high = fmax(high, x);
    }
    assert_true(low > 1.5 && low < 2.2 && high > 3.8 && high < 4.5); /* it goes up and down between the marks */
    end(&f[0]);
    end(&f[1]);
    sl_test_context_end(ctx, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(thermostat_with_partner), cmocka_unit_test(surge_with_partner),
                                       cmocka_unit_test(steps_with_partner), cmocka_unit_test(steps_need_a_length),
                                       cmocka_unit_test(town_with_controller)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
