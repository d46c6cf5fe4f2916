/* SPDX-License-Identifier: MIT */
/* Memory that runs out: every allocation in turn is refused, once and from there on, in everything that reads, builds,
 * writes and converts. Each call then says so or succeeds, a success is whole, and nothing is left behind. */
#include "net_test.h"

/* With a mistake of every kind, so that reporting allocates too. */
static const char broken[] =
    "[JUNCTIONS]\nA ten\nB 1\nB 2\nC 3\n[RESERVOIRS]\nR 5\n[PIPES]\nP1 R A 1 1 1\nP2 A BB 1 1 1\nP3 A B 0 1 1\n[PUMPS]\nU R A HEAD K\n"
    "[CURVES]\nK 1 1\nK 0 1\n[VALVES]\nV R A 9 PRV 5\n[RULES]\nRULE 1\nIF SYSTEM TIME > x\nTHEN PIPE P1 STATUS IS OPEN\nRULE 2\n"
    "[NOSUCH]\n[OPTIONS]\nHeadlos H-W\n[CONTROLS]\nLINK P1 OPEN IF NODE Q ABOVE 1\n";

typedef struct job {
    const char *text;
    bool tolerant;
    sl_flow_unit unit;
    const sl_network *want; /* in a context of its own */
    const char *want_text;
    int32_t n_good; /* runs that succeeded */
} job;

static bool memory_or(sl_status status, sl_status other, const sl_test_memory *m) {
    if (status != other && !(status == SL_ERR_MEMORY && m->n_refused > 0)) {
        print_error("status %s after %d refusals\n", sl_status_text(status), (int)m->n_refused);
        fail();
    }
    return status == other;
}

static sl_status sink_same(void *user, const void *bytes, size_t n) {
    const char **rest = user;
    if (strncmp(*rest, bytes, n) != 0) {
        return SL_ERR_USE;
    }
    *rest += n;
    return SL_OK;
}

/* ---- Reading ------------------------------------------------------------------------------------ */

static void read_job(sl_context *ctx, sl_test_memory *m, void *user) {
    job *j = user;
    sl_diags *diags = NULL;
    sl_inp_read_def def = sl_inp_read_default();
    def.tolerant = j->tolerant;
    if (memory_or(sl_diags_create(ctx, &diags), SL_OK, m)) {
        sl_network *net = NULL;
        sl_status status = sl_inp_read(ctx, j->text, strlen(j->text), &def, diags, &net);
        bool ended = memory_or(status, j->want ? SL_OK : SL_ERR_INPUT, m);
        assert_int_equal(net != NULL, ended && j->want != NULL);
        if (net) {
            net_assert_equal(net, j->want);
            j->n_good++;
        }
        j->n_good += ended && !j->want;
        sl_network_destroy(net);
        sl_diags_destroy(diags);
    }
}

static void sweep_reading(const char *text, bool tolerant) {
    net_case c;
    net_begin(&c);
    job j = {.text = text, .tolerant = tolerant};
    sl_network *want = NULL;
    sl_status status = net_try(&c, text, tolerant, &want);
    assert_true(status == SL_OK || status == SL_ERR_INPUT);
    j.want = want;
    int64_t runs = sl_test_sweep(read_job, &j);
    assert_true(runs > 8);
    assert_true(j.n_good >= 2); /* the last run of each half */
    sl_network_destroy(want);
    net_end(&c);
}

static void test_read_rich(void **state) {
    (void)state;
    sweep_reading(net_rich, false);
}

static void test_read_broken(void **state) {
    (void)state;
    sweep_reading(broken, false);
    sweep_reading(broken, true);
    sweep_reading("", true);
    sweep_reading("[SUBCATCHMENTS]\n", false);
}

static void read_example(const char *name, const char *text, void *user) {
    (void)name;
    (void)user;
    if (strlen(text) < 6000) { /* the larger ones repeat the smaller ones' lines */
        sweep_reading(text, true);
        ++*(int32_t *)user;
    }
}

static void test_read_examples(void **state) {
    (void)state;
    int32_t n = 0;
    net_each_example(read_example, &n);
    assert_true(n >= 5);
}

/* ---- Writing ------------------------------------------------------------------------------------ */

static void write_job(sl_context *ctx, sl_test_memory *m, void *user) {
    job *j = user;
    const char *rest = j->want_text;
    sl_sink sink = {&rest, sink_same};
    j->n_good += memory_or(sl_inp_write(ctx, j->want, &sink), SL_OK, m) && *rest == '\0';
}

static void test_write(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read(&c, net_rich);
    char *text = net_write(&c, net);
    job j = {.want = net, .want_text = text};
    sl_test_sweep(write_job, &j);
    assert_int_equal(j.n_good, 2);
    free(text);
    sl_network_destroy(net);
    net_end(&c);
}

/* JSON and GeoJSON take their memory from the network's own context: read there, then refused. */
static void test_json(void **state) {
    (void)state;
    for (int geo = 0; geo < 2; geo++) {
        int32_t n_good = 0;
        for (int64_t k = 1; n_good == 0; k++) {
            net_case c;
            net_begin(&c);
            sl_network *net = net_read(&c, net_rich);
            char *text = geo ? net_geojson(&c, net) : net_json(&c, net);
            const char *rest = text;
            sl_sink sink = {&rest, sink_same};
            sl_diags_clear(c.diags);
            c.memory.fail_at = c.memory.n_request + k;
            sl_status status = geo ? sl_network_write_geojson(net, c.diags, &sink) : sl_network_write_json(net, &sink);
            if (memory_or(status, SL_OK, &c.memory) && c.memory.n_refused == 0) {
                assert_int_equal(*rest, '\0');
                n_good++;
            }
            c.memory.fail_at = 0;
            free(text);
            sl_network_destroy(net);
            net_end(&c);
            assert_true(k < 1000);
        }
    }
}

static void convert_job(sl_context *ctx, sl_test_memory *m, void *user) {
    job *j = user;
    sl_diags *diags = NULL;
    if (!memory_or(sl_diags_create(ctx, &diags), SL_OK, m)) {
        return;
    }
    const char *rest = j->want_text;
    sl_sink sink = {&rest, sink_same};
    sl_inp_convert_def def = sl_inp_convert_default();
    def.change_units = j->unit != SL_FLOW_UNIT_COUNT;
    def.flow_unit = def.change_units ? j->unit : SL_GPM;
    sl_status status = sl_inp_convert(ctx, j->text, strlen(j->text), &def, diags, &sink);
    j->n_good += memory_or(status, SL_OK, m) && *rest == '\0';
    sl_diags_destroy(diags);
}

static void test_convert(void **state) {
    (void)state;
    static const sl_flow_unit units[] = {SL_FLOW_UNIT_COUNT, SL_LPS};
    for (int i = 0; i < 2; i++) {
        net_case c;
        net_begin(&c);
        char *text = net_convert(&c, net_rich, units[i]);
        job j = {.text = net_rich, .want_text = text, .unit = units[i]};
        sl_test_sweep(convert_job, &j);
        assert_true(j.n_good >= 2);
        free(text);
        net_end(&c);
    }
}

static void with_units_job(sl_context *ctx, sl_test_memory *m, void *user) {
    job *j = user;
    sl_network *net = NULL;
    bool ended = memory_or(sl_network_with_units(ctx, j->want, SL_CMH, NULL, &net), SL_OK, m);
    assert_int_equal(net != NULL, ended);
    j->n_good += ended;
    sl_network_destroy(net);
}

static void test_with_units(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = net_read(&c, net_rich);
    job j = {.want = net};
    sl_test_sweep(with_units_job, &j);
    assert_true(j.n_good >= 2);
    sl_network_destroy(net);
    net_end(&c);
}

/* ---- Building by calls -------------------------------------------------------------------------- */

/* Adds a little of everything; the first refusal ends it, as a program would. */
static sl_status build_some(sl_spec *s) {
    static const double factor[] = {1, 2, 3}, x[] = {0, 0.01}, y[] = {50, 20};
    sl_pattern_def pattern = sl_pattern_default();
    pattern.id = "D";
    pattern.factor = factor;
    pattern.n_factor = 3;
    pattern.note = "a note";
    sl_curve_def curve = sl_curve_default();
    curve.id = "K";
    curve.kind = SL_CURVE_PUMP;
    curve.x = x;
    curve.y = y;
    curve.n_point = 2;
    curve.note = "another";
    sl_status status = sl_spec_add_title(s, "A title");
    status = status == SL_OK ? sl_spec_add_backdrop(s, "UNITS None") : status;
    status = status == SL_OK ? sl_spec_add_pattern(s, &pattern) : status;
    status = status == SL_OK ? sl_spec_add_curve(s, &curve) : status;
    char id[20];
    for (int i = 0; i < 40 && status == SL_OK; i++) {
        sl_junction_def j = sl_junction_default();
        snprintf(id, sizeof id, "J%d", i);
        j.id = id;
        j.demand = 0.001;
        j.pattern = "D";
        j.note = "note";
        j.tag = "tag";
        j.x = j.y = i;
        status = sl_spec_add_junction(s, &j);
    }
    sl_reservoir_def r = sl_reservoir_default();
    r.id = "R";
    r.head = 50;
    sl_tank_def t = sl_tank_default();
    t.id = "T";
    t.level_max = 5;
    status = status == SL_OK ? sl_spec_add_reservoir(s, &r) : status;
    status = status == SL_OK ? sl_spec_add_tank(s, &t) : status;
    for (int i = 0; i < 40 && status == SL_OK; i++) {
        char from[20], to[20];
        sl_pipe_def p = sl_pipe_default();
        snprintf(id, sizeof id, "P%d", i);
        snprintf(from, sizeof from, i ? "J%d" : "T", i - 1);
        snprintf(to, sizeof to, "J%d", i);
        p.id = id;
        p.from = from;
        p.to = to;
        p.bulk = -1e-5;
        p.leak_area = 1e-8;
        p.note = "note";
        status = sl_spec_add_pipe(s, &p);
    }
    sl_pump_def u = sl_pump_default();
    u.id = "U";
    u.from = "R";
    u.to = "J0";
    u.curve = "K";
    sl_valve_def v = sl_valve_default();
    v.id = "V";
    v.from = "J1";
    v.to = "J5";
    v.kind = SL_TCV;
    status = status == SL_OK ? sl_spec_add_pump(s, &u) : status;
    status = status == SL_OK ? sl_spec_add_valve(s, &v) : status;
    status = status == SL_OK ? sl_spec_add_vertices(s, "P3", x, y, 2) : status;
    sl_demand_def d = sl_demand_default();
    d.junction = "J3";
    d.category = "homes";
    sl_control_def k = sl_control_default();
    k.link = "U";
    k.kind = SL_CONTROL_ABOVE;
    k.node = "T";
    k.threshold = 3;
    status = status == SL_OK ? sl_spec_add_demand(s, &d) : status;
    status = status == SL_OK ? sl_spec_add_control(s, &k) : status;
    sl_premise_def premise = {
        .object = SL_RULE_NODE, .id = "T", .variable = SL_RULE_LEVEL, .relation = SL_RULE_GT, .value = 2};
    sl_action_def action = {.link = "U", .status = SL_CLOSED, .setting = NAN};
    sl_rule_def rule = sl_rule_default();
    rule.name = "one";
    rule.premise = &premise;
    rule.n_premise = 1;
    rule.then_action = rule.else_action = &action;
    rule.n_then = rule.n_else = 1;
    status = status == SL_OK ? sl_spec_add_rule(s, &rule) : status;
    sl_source_def source = sl_source_default();
    source.node = "R";
    sl_label_def label = sl_label_default();
    label.text = "Here";
    status = status == SL_OK ? sl_spec_add_source(s, &source) : status;
    status = status == SL_OK ? sl_spec_add_label(s, &label) : status;
    status = status == SL_OK ? sl_spec_set_default_pattern(s, "D") : status;
    return status == SL_OK ? sl_spec_set_chemical(s, "Chlorine", "ug/L") : status;
}

static void build_job(sl_context *ctx, sl_test_memory *m, void *user) {
    job *j = user;
    sl_diags *diags = NULL;
    sl_spec *spec = NULL;
    sl_network *net = NULL;
    if (!memory_or(sl_diags_create(ctx, &diags), SL_OK, m)) {
        return;
    }
    if (memory_or(sl_spec_create(ctx, diags, &spec), SL_OK, m) && memory_or(build_some(spec), SL_OK, m)) {
        bool ended = memory_or(sl_spec_compile(spec, &net), SL_OK, m);
        assert_int_equal(net != NULL, ended);
        if (net) {
            net_assert_equal(net, j->want);
            j->n_good++;
        } else { /* the spec is as it was: once more, it works or says so again */
            ended = memory_or(sl_spec_compile(spec, &net), SL_OK, m);
            assert_int_equal(net != NULL, ended);
            if (net) {
                net_assert_equal(net, j->want);
            }
        }
    }
    assert_int_equal(sl_diags_count(diags, SL_ERROR), 0); /* lack of memory is no mistake of the model */
    sl_network_destroy(net);
    sl_spec_destroy(spec);
    sl_diags_destroy(diags);
}

static void test_build(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_spec *spec = NULL;
    sl_network *net = NULL;
    sl_assert_ok(sl_spec_create(c.ctx, c.diags, &spec));
    sl_assert_ok(build_some(spec));
    sl_assert_ok(sl_spec_compile(spec, &net));
    job j = {.want = net};
    assert_true(sl_test_sweep(build_job, &j) > 100);
    assert_true(j.n_good >= 2);
    sl_network_destroy(net);
    sl_spec_destroy(spec);
    net_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_rich),  cmocka_unit_test(test_read_broken), cmocka_unit_test(test_read_examples),
        cmocka_unit_test(test_write),      cmocka_unit_test(test_json),        cmocka_unit_test(test_convert),
        cmocka_unit_test(test_with_units), cmocka_unit_test(test_build),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
