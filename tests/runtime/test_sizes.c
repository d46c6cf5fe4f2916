/* SPDX-License-Identifier: MIT */
/* test_sizes.c: structures that begin with their size: the library reads and fills so many bytes and no more, and refuses one
 * without a size. tests/house/test_structures.py wants every structure of the public headers to appear in such a test. */
#include "sl_test.h"

#include <sluice/sluice.h>

static const char town[] = "[JUNCTIONS]\nJ1 10 5\n[RESERVOIRS]\nR1 50\n[PIPES]\nP1 R1 J1 1000 200 130\n"
                           "[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 2\n[END]\n";
static const char cooling[] = "automaton: cooling\ncontinuous: {T: 30}\n"
                              "activities: [{equation: der(T) = 10 - T}]\nrun: {end: 1, choices: first}\n";

/* A caller that knows half of the members, and one that knows more than we do. */
#define DEFAULT(type, name)                                                                 \
    do {                                                                                    \
        unsigned char bytes[2 * sizeof(type)];                                              \
        size_t half = (sizeof(size_t) + sizeof(type)) / 2, size;                            \
        memset(bytes, 0xA5, sizeof bytes);                                                  \
        name##_fill((type *)(void *)bytes, half);                                           \
        memcpy(&size, bytes, sizeof size);                                                  \
        assert_int_equal(size, half);                                                       \
        assert_int_not_equal(bytes[sizeof size], 0xA5);                                     \
        for (size_t i = half; i < sizeof bytes; i++) assert_int_equal(bytes[i], 0xA5);      \
        name##_fill((type *)(void *)bytes, sizeof bytes);                                   \
        memcpy(&size, bytes, sizeof size);                                                  \
        assert_int_equal(size, sizeof bytes);                                               \
        for (size_t i = sizeof(type); i < sizeof bytes; i++) assert_int_equal(bytes[i], 0); \
        type whole = name();                                                                \
        assert_int_equal(whole.size, sizeof whole);                                         \
    } while (0)

static void test_defaults(void **state) {
    (void)state;
    DEFAULT(sl_context_def, sl_context_default);
    DEFAULT(sl_cosim_def, sl_cosim_default);
    DEFAULT(sl_load_def, sl_load_default);
    DEFAULT(sl_eps_def, sl_eps_default);
    DEFAULT(sl_run_figures, sl_run_figures_default);
    DEFAULT(sl_inp_read_def, sl_inp_read_default);
    DEFAULT(sl_inp_convert_def, sl_inp_convert_default);
    DEFAULT(sl_plot_def, sl_plot_default);
    DEFAULT(sl_plot_automaton_def, sl_plot_automaton_default);
    DEFAULT(sl_compare_def, sl_compare_default);
    DEFAULT(sl_verify_def, sl_verify_default);
    DEFAULT(sl_variable_def, sl_variable_default);
    DEFAULT(sl_results_select, sl_results_select_default);
    DEFAULT(sl_results_target, sl_results_target_default);
    DEFAULT(sl_recorder_def, sl_recorder_default);
    DEFAULT(sl_pattern_def, sl_pattern_default);
    DEFAULT(sl_curve_def, sl_curve_default);
    DEFAULT(sl_junction_def, sl_junction_default);
    DEFAULT(sl_demand_def, sl_demand_default);
    DEFAULT(sl_reservoir_def, sl_reservoir_default);
    DEFAULT(sl_tank_def, sl_tank_default);
    DEFAULT(sl_pipe_def, sl_pipe_default);
    DEFAULT(sl_pump_def, sl_pump_default);
    DEFAULT(sl_valve_def, sl_valve_default);
    DEFAULT(sl_control_def, sl_control_default);
    DEFAULT(sl_rule_def, sl_rule_default);
    DEFAULT(sl_source_def, sl_source_default);
    DEFAULT(sl_label_def, sl_label_default);
    DEFAULT(sl_surge_fluid, sl_surge_fluid_default);
    DEFAULT(sl_surge_def, sl_surge_default);
    DEFAULT(sl_execution_def, sl_execution_default);
    DEFAULT(sl_explore_def, sl_explore_default);
    DEFAULT(sl_automaton_where, sl_automaton_where_default);
    DEFAULT(sl_tunnels_valve, sl_tunnels_valve_default);
    DEFAULT(sl_tunnels_pipe, sl_tunnels_pipe_default);
    DEFAULT(sl_tunnels_run, sl_tunnels_run_default);
}

typedef struct bench {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_network *net;
    sl_automaton *automaton;
} bench;

static void open_bench(bench *b) {
    *b = (bench){0};
    b->ctx = sl_test_context(&b->memory);
    sl_assert_ok(sl_diags_create(b->ctx, &b->diags));
    sl_assert_ok(sl_inp_read(b->ctx, town, strlen(town), NULL, b->diags, &b->net));
    sl_assert_ok(sl_automaton_read(b->ctx, cooling, strlen(cooling), "cooling", b->diags, &b->automaton));
}

static void close_bench(bench *b) {
    sl_automaton_destroy(b->automaton);
    sl_network_destroy(b->net);
    sl_diags_destroy(b->diags);
    sl_test_context_end(b->ctx, &b->memory);
}

static void test_networks(void **state) {
    (void)state;
    bench b;
    sl_model *model = NULL;
    sl_session *s = NULL;
    open_bench(&b);
    sl_assert_sized(sl_run_figures, out, sl_run_figures_of(b.net, &out));
    sl_assert_ok(sl_model_from_network(b.ctx, b.net, NULL, b.diags, &model));
    sl_assert_ok(sl_session_create(b.ctx, model, b.diags, &s));
    sl_assert_sized(sl_step, out, sl_session_advance(s, 0.0, 0, &out));
    sl_assert_sized(sl_var_info, out, sl_session_var(s, 0, &out));
    sl_session_destroy(s);
    sl_model_destroy(model);
    close_bench(&b);
}

static void test_surge(void **state) {
    (void)state;
    bench b;
    sl_model *model = NULL;
    sl_session *s = NULL;
    open_bench(&b);
    sl_surge_def def = sl_surge_default();
    def.duration = 1.0;
    sl_assert_ok(sl_model_from_surge(b.ctx, b.net, &def, b.diags, &model));
    sl_assert_ok(sl_session_create(b.ctx, model, b.diags, &s));
    sl_assert_ok(sl_session_refresh(s));
    sl_assert_sized(sl_surge_grid, out, sl_model_surge_grid(model, &out));
    sl_assert_sized(sl_surge_view, out, sl_session_surge(s, &out));
    sl_assert_sized(sl_surge_fluid, out,
                    sl_surge_fluid_complete(memset(&out.gravity, 0xFF, 8) ? &out : NULL, 1.0, 1e-6));
    sl_session_destroy(s);
    sl_model_destroy(model);
    model = NULL;
    sl_surge_fluid none = {0}; /* without a size, within a definition that has one */
    def.fluid = &none;
    sl_assert_status(sl_model_from_surge(b.ctx, b.net, &def, b.diags, &model), SL_ERR_USE);
    assert_true(isnan(sl_surge_wave_speed(&none, 0.2, &(sl_surge_wall){.thickness = 0.01, .young = 2e11})));
    close_bench(&b);
}

static bool nothing(void *user, sl_execution *e, sl_status status) {
    (void)user;
    (void)e;
    return status == SL_OK;
}

static void test_automata(void **state) {
    (void)state;
    bench b;
    sl_execution *e = NULL;
    open_bench(&b);
    sl_assert_sized(sl_automaton_facts, out, sl_automaton_examine(b.automaton, b.diags, &out));
    sl_assert_sized(sl_automaton_facts, out,
                    sl_automaton_check(b.ctx, cooling, strlen(cooling), "cooling", b.diags, &out));
    sl_assert_sized(sl_execution_def, out, sl_automaton_get_run(b.automaton, &out));
    sl_execution_def def = sl_execution_default();
    def.end = 1.0;
    def.choices = SL_CHOICES_ASK;
    sl_assert_ok(sl_execution_create(b.automaton, &def, b.diags, &e));
    sl_assert_sized(sl_explored, out, sl_execution_explore(e, NULL, nothing, NULL, &out));
    sl_assert_sized(sl_execution_info, out, sl_execution_next(e, SL_EVENT_INIT, &out));
    sl_execution_destroy(e);
    sl_model *model = NULL;
    sl_session *session = NULL;
    sl_assert_ok(sl_model_of_automaton(b.ctx, b.automaton, &model));
    sl_assert_ok(sl_session_create(b.ctx, model, b.diags, &session));
    sl_assert_ok(sl_session_record_events(session, true));
    sl_assert_ok(sl_session_refresh(session));
    sl_assert_sized(sl_event_info, out, sl_session_event(session, 0, &out));
    sl_session_destroy(session);
    sl_model_destroy(model);
    close_bench(&b);
}

static void test_cosim(void **state) {
    (void)state;
    sl_cosim *a = NULL, *b = NULL;
    sl_cosim_def def = sl_cosim_default();
    def.uri = "mem:sizes";
    assert_int_equal(sl_cosim_open(NULL, &def, &a), SL_COSIM_OK);
    assert_int_equal(sl_cosim_open(NULL, &def, &b), SL_COSIM_OK);
    sl_assert_sized(sl_cosim_stats, out, sl_cosim_get_stats(a, &out));
    sl_cosim_abort(a);
    (void)sl_cosim_close(a);
    (void)sl_cosim_close(b);
}

static void test_diagnostics(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    sl_diag d = {.size = offsetof(sl_diag, hint), .severity = SL_ERROR, .text = "short", .hint = "not to be read"};
    sl_diags_add(b.diags, &d);
    assert_string_equal(sl_diags_at(b.diags, 0)->text, "short");
    assert_null(sl_diags_at(b.diags, 0)->hint);
    assert_int_equal(sl_diags_at(b.diags, 0)->size, sizeof(sl_diag));
    assert_true(isnan(sl_diags_at(b.diags, 0)->time));
    close_bench(&b);
}

/* Of an older caller: what it does not know has its default. */
static void test_short_definitions(void **state) {
    (void)state;
    bench b;
    sl_spec *spec = NULL;
    sl_network *net = NULL;
    open_bench(&b);
    sl_assert_ok(sl_spec_create(b.ctx, b.diags, &spec));
    sl_reservoir_def r = sl_reservoir_default();
    r.id = "R";
    sl_assert_ok(sl_spec_add_reservoir(spec, &r));
    sl_junction_def j = sl_junction_default();
    j.id = "J";
    sl_assert_ok(sl_spec_add_junction(spec, &j));
    sl_pipe_def p = sl_pipe_default();
    p.id = "P", p.from = "R", p.to = "J", p.minor = 3.0, p.check_valve = true;
    p.size = offsetof(sl_pipe_def, check_valve);
    sl_assert_ok(sl_spec_add_pipe(spec, &p));
    sl_assert_ok(sl_spec_compile(spec, &net));
    sl_assert_double(net->pipe_minor[0], 3.0);
    assert_int_equal(net->pipe_check[0], 0);
    sl_network_destroy(net);
    p.size = 0;
    sl_assert_status(sl_spec_add_pipe(spec, &p), SL_ERR_USE);
    sl_assert_status(sl_spec_compile(spec, &net), SL_ERR_INPUT); /* a part of it was refused */
    sl_spec_destroy(spec);
    close_bench(&b);
}

static sl_status drop(void *user, const void *bytes, size_t n) {
    (void)user;
    (void)bytes;
    (void)n;
    return SL_OK;
}

static void test_definitions_without_size(void **state) {
    (void)state;
    bench b;
    void *out = NULL;
    sl_status run;
    const sl_sink sink = {NULL, drop};
    open_bench(&b);
    const sl_eps_def eps = {0};
    sl_assert_status(sl_model_from_network(b.ctx, b.net, &eps, b.diags, (sl_model **)&out), SL_ERR_USE);
    const sl_surge_def surge = {0};
    sl_assert_status(sl_model_from_surge(b.ctx, b.net, &surge, b.diags, (sl_model **)&out), SL_ERR_USE);
    const sl_inp_read_def read = {0};
    sl_assert_status(sl_inp_read(b.ctx, town, strlen(town), &read, b.diags, (sl_network **)&out), SL_ERR_USE);
    const sl_inp_convert_def convert = {0};
    sl_assert_status(sl_inp_convert(b.ctx, town, strlen(town), &convert, b.diags, &sink), SL_ERR_USE);
    const sl_plot_def plot = {.kind = SL_PLOT_MAP};
    sl_assert_status(sl_plot(b.ctx, b.net, NULL, &plot, b.diags, &sink), SL_ERR_USE);
    const sl_plot_automaton_def picture = {0};
    sl_assert_status(sl_plot_automaton(b.ctx, cooling, strlen(cooling), "cooling", &picture, b.diags, &sink, &run),
                     SL_ERR_USE);
    const sl_execution_def execution = {0};
    sl_assert_status(sl_execution_create(b.automaton, &execution, b.diags, (sl_execution **)&out), SL_ERR_USE);
    const sl_run_figures figures = {0};
    assert_true(isnan(sl_estimate_runtime_ms(&figures)));
    const sl_cosim_def cosim = {0};
    assert_int_equal(sl_cosim_open(b.ctx, &cosim, (sl_cosim **)&out), SL_COSIM_USE);
    assert_null(out);
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_networks),
        cmocka_unit_test(test_surge),
        cmocka_unit_test(test_automata),
        cmocka_unit_test(test_cosim),
        cmocka_unit_test(test_diagnostics),
        cmocka_unit_test(test_short_definitions),
        cmocka_unit_test(test_definitions_without_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
