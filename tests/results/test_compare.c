/* SPDX-License-Identifier: MIT */
/* Comparing finds what was planted, and nothing else. */
#include "fake.h"

#include "results/network_columns.h"

/* What a run is to be like. */
typedef struct variant {
    const char *town; /* NULL: fake_town */
    const char *more;
    int32_t n_period;  /* 0: 4 */
    sl_flow_unit unit; /* shown in this one; SL_FLOW_UNIT_COUNT: the model's */
    bool stopped;
    /* planted: added to one element of a field in one period */
    fake_field field;
    const char *id;
    int32_t period;
    double add;
    double cost;      /* of the first pump */
    const char *shut; /* a link that is closed in every period */
} variant;

typedef struct pair_case {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_network *net[2];
    fake_bytes bytes[2];
    sl_source_bytes source[2];
    sl_results *file[2];
    sl_comparison *comparison;
    sl_compare_result r; /* zeros: there is none */
} pair_case;

#define METRIC "[OPTIONS]\nUNITS LPS\nQUALITY AGE\n[TIMES]\nDURATION 3\n"

/* Numbers that depend on ids, not on places: the same in every order. */
static double number_of(const char *id) {
    return (double)(sl_test_random(&(uint64_t){(uint64_t)(unsigned char)id[0] * 1000 + (unsigned char)id[1]}) % 1000) /
           1000.0;
}

static void set_values(fake *f, int32_t period, void *user) {
    const variant *v = user;
    const sl_network *net = f->net;
    for (int32_t i = 0; i < net->n_node; i++) {
        const char *id = sl_network_node_id(net, i);
        double x = number_of(id);
        f->value[FAKE_DEMAND][i] = 0.01 * x;
        f->value[FAKE_HEAD][i] = 50.0 + 10.0 * x + period;
        f->value[FAKE_PRESSURE][i] = 20.0 + 10.0 * x + period;
        f->value[FAKE_QUALITY][i] = 2.0 * x + period;
    }
    for (int32_t i = 0; i < net->n_link; i++) {
        const char *id = sl_network_link_id(net, i);
        double x = number_of(id);
        f->value[FAKE_FLOW][i] = 0.05 * (x - 0.5);
        f->value[FAKE_VELOCITY][i] = x;
        f->value[FAKE_HEADLOSS][i] = x;
        f->value[FAKE_LINK_QUALITY][i] = x + period;
        f->value[FAKE_REACTION][i] = 0.0;
        f->value[FAKE_FRICTION][i] = 0.02 + 0.01 * x;
        f->value[FAKE_SETTING][i] = i >= net->n_pipe ? 1.0 + x : (double)NAN;
        f->value[FAKE_STATUS][i] = v->shut && strcmp(id, v->shut) == 0 ? SL_STATUS_CLOSED : SL_STATUS_OPEN;
    }
    if (v->id && period == v->period) {
        bool node = v->field <= FAKE_QUALITY;
        int32_t i = node ? sl_network_find_node(net, sl_str_z(v->id)) : sl_network_find_link(net, sl_str_z(v->id));
        f->value[v->field][i] += v->add;
    }
}

static void make(pair_case *c, int k, const variant *v) {
    char text[4000];
    snprintf(text, sizeof text, "%s%s", v->town ? v->town : fake_town, v->more ? v->more : METRIC);
    c->net[k] = fake_network(c->ctx, text);
    fake f;
    fake_init(&f, c->net[k]);
    f.value[FAKE_ONLINE][0] = 3600.0;
    f.value[FAKE_KWH][0] = 10.0;
    f.value[FAKE_INTENSITY][0] = 3.6e6;
    f.value[FAKE_COST][0] = v->cost > 0.0 ? v->cost : 8.0;
    sl_out_writer_def def = sl_out_writer_default(c->net[k]);
    def.flow_unit = v->unit < SL_FLOW_UNIT_COUNT ? v->unit : def.flow_unit;
    variant copy = *v;
    sl_assert_ok(fake_write(c->ctx, &f,
                            &(fake_run){.set = set_values,
                                        .user = &copy,
                                        .n_period = v->n_period ? v->n_period : 4,
                                        .def = &def,
                                        .stopped = v->stopped},
                            NULL, &c->bytes[k]));
    fake_fini(&f);
    c->source[k] = fake_source(&c->bytes[k]);
    sl_assert_ok(sl_results_open(c->ctx, &c->source[k], k ? "b.out" : "a.out", c->diags, &c->file[k]));
}

static sl_status compare_again(pair_case *c, sl_results *a, sl_results *b, const sl_compare_def *def) {
    sl_comparison_destroy(c->comparison);
    c->comparison = NULL;
    c->r = (sl_compare_result){0};
    sl_status status = sl_compare(c->ctx, a, b, def, c->diags, &c->comparison);
    assert_true((status == SL_OK) == (c->comparison != NULL));
    if (c->comparison) {
        c->r = *sl_comparison_result(c->comparison);
    }
    return status;
}

/* The row of a variable; one of zeros: there is none. */
static const sl_compare_row *row_of(const pair_case *c, sl_out_variable v) {
    static const sl_compare_row none = {.element = -1};
    const char *group = v < SL_OUT_FLOW ? "node" : "link";
    for (int32_t i = 0; i < c->r.n_row; i++) {
        const sl_compare_row *row = &c->r.rows[i];
        if (row->subject == SL_COMPARE_QUANTITY && strcmp(row->group, group) == 0 &&
            strcmp(row->name, sl_network_quantities[v].name) == 0) {
            return row;
        }
    }
    return &none;
}

static const sl_compare_row *energy_of(const pair_case *c) {
    assert_true(c->r.n_row > 0);
    const sl_compare_row *row = &c->r.rows[c->r.n_row - 1];
    assert_int_equal(row->subject, SL_COMPARE_TABLE);
    return row;
}

static sl_status compare(pair_case *c, variant a, variant b) {
    *c = (pair_case){0};
    c->ctx = sl_test_context(&c->memory);
    sl_assert_ok(sl_diags_create(c->ctx, &c->diags));
    a.unit = a.unit ? a.unit : SL_FLOW_UNIT_COUNT; /* no test asks for CFS, which is 0 */
    b.unit = b.unit ? b.unit : SL_FLOW_UNIT_COUNT;
    make(c, 0, &a);
    make(c, 1, &b);
    return compare_again(c, c->file[0], c->file[1], NULL);
}

static void finish(pair_case *c) {
    sl_comparison_destroy(c->comparison);
    for (int k = 0; k < 2; k++) {
        sl_results_close(c->file[k]);
        sl_network_destroy(c->net[k]);
        fake_bytes_fini(&c->bytes[k]);
    }
    sl_diags_destroy(c->diags);
    sl_test_context_end(c->ctx, &c->memory);
}

static void assert_all_equal(const pair_case *c) {
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
        const sl_compare_row *row = row_of(c, (sl_out_variable)v);
        assert_true(row->n > 0);
        sl_assert_double(row->worst, 0.0);
        assert_int_equal(row->n_over, 0);
    }
}

static void test_same(void **state) {
    (void)state;
    pair_case c;
    sl_assert_ok(compare(&c, (variant){0}, (variant){0}));
    assert_true(c.r.same);
    assert_int_equal(c.r.n_frame, 4);
    assert_int_equal(c.r.n_isolated, 0);
    assert_all_equal(&c);
    assert_int_equal(row_of(&c, SL_OUT_HEAD)->n, 4 * 5);
    assert_int_equal(row_of(&c, SL_OUT_FLOW)->n, 4 * 8);
    assert_int_equal(energy_of(&c)->n, 2 * 6 + 1);
    assert_int_equal(sl_diags_size(c.diags), 0);
    finish(&c);
}

/* One value of each variable is off: the row says which, where and by how much. */
static void test_planted(void **state) {
    (void)state;
    const double litre = 0.3048 * 0.3048 * 0.3048 / 28.317;
    const struct {
        fake_field field;
        sl_out_variable variable;
        const char *id;
        double add, worst;
        bool decisive;
    } rows[] = {
        {FAKE_DEMAND, SL_OUT_DEMAND, "J2", litre, 1.0, true},
        {FAKE_HEAD, SL_OUT_HEAD, "J3", -0.5, 0.5, true},
        {FAKE_PRESSURE, SL_OUT_PRESSURE, "T1", 0.5, 0.5, true},
        {FAKE_QUALITY, SL_OUT_QUALITY, "R1", 0.1, 0.1, true},
        {FAKE_FLOW, SL_OUT_FLOW, "P2", litre, 1.0, true},
        {FAKE_VELOCITY, SL_OUT_VELOCITY, "P3", 0.1, 0.1, false},
        {FAKE_HEADLOSS, SL_OUT_HEADLOSS, "V1", 0.1, 0.1, false},
        {FAKE_LINK_QUALITY, SL_OUT_LINK_QUALITY, "V2", 0.1, 0.1, true},
        {FAKE_STATUS, SL_OUT_STATUS, "P1", SL_STATUS_CLOSED - SL_STATUS_OPEN, 1.0, true},
        {FAKE_SETTING, SL_OUT_SETTING, "U2", 0.2, 0.2 / (1.2 + number_of("U2")), true},
        {FAKE_REACTION, SL_OUT_REACTION, "P1", 1.0 / 86400.0, 1.0, false},
        {FAKE_FRICTION, SL_OUT_FRICTION, "P1", 0.01, 0.01, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pair_case c;
        variant b = {.field = rows[i].field, .id = rows[i].id, .period = 2, .add = rows[i].add};
        sl_assert_ok(compare(&c, (variant){0}, b));
        const sl_compare_row *row = row_of(&c, rows[i].variable);
        sl_assert_near(row->worst, rows[i].worst, 1e-5, 0.0); /* of values up to 60 in 24 bits */
        assert_int_equal(row->n_over, 1);
        assert_int_equal(row->frame, 2);
        sl_assert_double(row->time, 7200.0);
        sl_assert_z(row->id, rows[i].id);
        assert_int_equal(row->decisive, rows[i].decisive);
        assert_int_equal(c.r.same, !rows[i].decisive);
        finish(&c);
    }
}

static void test_within_tolerance(void **state) {
    (void)state;
    pair_case c;
    /* heads range over some 10 m: 1e-3 + 1e-4 of that are allowed */
    sl_assert_ok(compare(&c, (variant){0}, (variant){.field = FAKE_HEAD, .id = "J1", .add = 0.0015}));
    assert_true(c.r.same);
    assert_true(row_of(&c, SL_OUT_HEAD)->worst > 0.0014);
    sl_compare_def def = sl_compare_default();
    def.head_abs = 0.0;
    sl_assert_ok(compare_again(&c, c.file[0], c.file[1], &def));
    assert_false(c.r.same);
    finish(&c);
}

static void test_energy(void **state) {
    (void)state;
    pair_case c;
    sl_assert_ok(compare(&c, (variant){0}, (variant){.cost = 8.1}));
    assert_false(c.r.same);
    assert_all_equal(&c);
    assert_int_equal(energy_of(&c)->n_over, 1);
    sl_assert_z(energy_of(&c)->name, "cost_per_day");
    sl_assert_z(energy_of(&c)->id, "U1");
    sl_assert_near(energy_of(&c)->worst, 0.1 / 8.0, 1e-6, 0.0);
    finish(&c);
}

/* The same network with its elements in another order. */
static void test_other_order(void **state) {
    (void)state;
    pair_case c;
    static const char town[] = "[TITLE]\nA town\n[JUNCTIONS]\nJ3 12 1\nJ1 10 5\nJ2 12 0\n"
                               "[RESERVOIRS]\nR1 100\n[TANKS]\nT1 50 5 0 10 20\n"
                               "[PIPES]\nP2 J1 J2 500 250 90\nP1 R1 J1 1000 300 100\nP3 T1 J2 2000 300 100 0 CV\n"
                               "[PUMPS]\nU1 R1 J2 HEAD C1\nU2 R1 J2 HEAD C1\n"
                               "[VALVES]\nV3 J3 J1 100 FCV 3\nV1 J1 J3 300 TCV 30\nV2 J1 J2 200 PRV 33\n"
                               "[CURVES]\nC1 10 40\n[ENERGY]\nGLOBAL PRICE 0.1\nDEMAND CHARGE 3\n";
    sl_assert_ok(compare(&c, (variant){0}, (variant){.town = town}));
    assert_true(c.r.same);
    assert_all_equal(&c);
    sl_assert_double(energy_of(&c)->worst, 0.0);
    assert_int_equal(sl_diags_size(c.diags), 0);
    finish(&c);
}

/* The same run in litres per second and in gallons per minute. */
static void test_other_units(void **state) {
    (void)state;
    static const sl_flow_unit units[] = {SL_GPM, SL_MGD, SL_CMH, SL_AFD};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        pair_case c;
        sl_assert_ok(compare(&c, (variant){0}, (variant){.unit = units[i]}));
        assert_true(c.r.same);
        for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) { /* roundings of two files of floats */
            assert_true(row_of(&c, (sl_out_variable)v)->worst <=
                        1e-6 * fmax(1.0, row_of(&c, (sl_out_variable)v)->scale));
        }
        assert_true(energy_of(&c)->worst < 1e-6);
        finish(&c);
    }
}

static void test_another_network(void **state) {
    (void)state;
    static const char town[] = "[JUNCTIONS]\nJ1 10 5\nJ2 12 0\nK3 12 1\n[TANKS]\nT1 50 5 0 10 20\n"
                               "[RESERVOIRS]\nR1 100\n[PUMPS]\nU1 R1 J2 HEAD C1\n[CURVES]\nC1 10 40\n"
                               "[PIPES]\nP1 R1 J1 1000 300 100\nP2 J1 J2 500 250 90\nP3 T1 J2 1 1 1\nP4 K3 J1 1 1 1\n";
    pair_case c;
    sl_assert_status(compare(&c, (variant){0}, (variant){.town = town}), SL_ERR_INPUT);
    assert_false(c.r.same);
    assert_true(fake_said(c.diags, SL_CODE_NOT_COMPARABLE));
    sl_assert_z(sl_diags_at(c.diags, 0)->object_id, "J3");
    finish(&c);
}

static void test_changed_model(void **state) {
    (void)state;
    char town[4000];
    snprintf(town, sizeof town, "%s", fake_town);
    memcpy(strstr(town, "P2 J1 J2 500"), "P2 J1 J2 501", 12);
    pair_case c;
    sl_assert_ok(compare(&c, (variant){0}, (variant){.town = town}));
    assert_false(c.r.same);
    assert_true(fake_said(c.diags, SL_CODE_NOT_COMPARABLE));
    finish(&c);
}

static void test_periods(void **state) {
    (void)state;
    pair_case c;
    sl_assert_ok(compare(&c, (variant){0}, (variant){.n_period = 3, .stopped = true}));
    assert_false(c.r.same);
    assert_int_equal(c.r.n_frame, 3);
    assert_int_equal(row_of(&c, SL_OUT_HEAD)->n_over, 0);
    assert_true(fake_said(c.diags, SL_CODE_NOT_COMPARABLE));
    finish(&c);
}

/* Report times that differ: what is at the same time is compared. Values here are the same for the same number of the
 * period, so the heads of hour 2 differ by a metre. */
static void test_times(void **state) {
    (void)state;
    static const char two_hours[] = "[OPTIONS]\nUNITS LPS\nQUALITY AGE\n[TIMES]\nDURATION 3\nREPORT TIMESTEP 2:00\n";
    pair_case c;
    sl_assert_ok(compare(&c, (variant){0}, (variant){.more = two_hours, .n_period = 2}));
    assert_false(c.r.same);
    assert_int_equal(c.r.n_frame, 2);
    sl_assert_near(row_of(&c, SL_OUT_HEAD)->worst, 1.0, 1e-5, 0.0);
    assert_int_equal(row_of(&c, SL_OUT_HEAD)->frame, 2);
    assert_int_equal(row_of(&c, SL_OUT_HEAD)->n_over, 5);
    finish(&c);
}

static void test_statistic_and_quality(void **state) {
    (void)state;
    pair_case c;
    static const char mean[] = METRIC "STATISTIC AVERAGE\n";
    sl_assert_status(compare(&c, (variant){0}, (variant){.more = mean}), SL_ERR_INPUT);
    finish(&c);
    static const char trace[] = "[OPTIONS]\nUNITS LPS\nQUALITY TRACE R1\n[TIMES]\nDURATION 3\n";
    sl_assert_ok(compare(&c, (variant){0}, (variant){.more = trace}));
    assert_false(c.r.same);
    assert_int_equal(row_of(&c, SL_OUT_QUALITY)->n, 0);
    assert_int_equal(row_of(&c, SL_OUT_HEAD)->n, 20);
    finish(&c);
    static const char other[] = "[OPTIONS]\nUNITS LPS\nQUALITY TRACE T1\n[TIMES]\nDURATION 3\n";
    sl_assert_ok(compare(&c, (variant){.more = trace}, (variant){.more = other}));
    assert_false(c.r.same);
    assert_int_equal(row_of(&c, SL_OUT_QUALITY)->n, 0);
    finish(&c);
    static const char none[] = "[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 3\n";
    sl_assert_ok(compare(&c, (variant){0}, (variant){.more = none}));
    assert_false(c.r.same);
    finish(&c);
}

/* A unit that nobody knows is another word for the same, one that is known is converted. */
static void test_units_of_chemicals(void **state) {
    (void)state;
    pair_case c;
    static const char mg[] = "[OPTIONS]\nUNITS LPS\nQUALITY Chlorine mg/L\n[TIMES]\nDURATION 3\n";
    static const char ug[] = "[OPTIONS]\nUNITS LPS\nQUALITY Chlorine ug/L\n[TIMES]\nDURATION 3\n";
    static const char drops[] = "[OPTIONS]\nUNITS LPS\nQUALITY Chlorine drops\n[TIMES]\nDURATION 3\n";
    sl_assert_ok(compare(&c, (variant){.more = mg}, (variant){.more = drops}));
    assert_true(c.r.same);
    assert_int_equal(row_of(&c, SL_OUT_QUALITY)->n, 20);
    finish(&c);
    sl_assert_ok(compare(&c, (variant){.more = mg}, (variant){.more = ug}));
    assert_false(c.r.same);
    const sl_compare_row *row = row_of(&c, SL_OUT_QUALITY);
    sl_assert_near(row->worst, 0.999 * row->a, 1e-6, 0.0);
    finish(&c);
}

/* J3 hangs on two valves; with both ends closed its head means nothing. */
static void test_cut_off(void **state) {
    (void)state;
    static const char town[] = "[JUNCTIONS]\nJ1 10 5\nJ3 12 1\nJ4 12 1\n[RESERVOIRS]\nR1 100\n"
                               "[PIPES]\nP1 R1 J1 1000 300 100\nP2 J1 J3 500 250 90\nP3 J3 J4 10 100 100\n";
    pair_case c;
    variant a = {.town = town, .shut = "P2"};
    variant b = {.town = town, .shut = "P2", .field = FAKE_HEAD, .id = "J4", .period = 1, .add = 500.0};
    sl_assert_ok(compare(&c, a, b));
    assert_true(c.r.same);
    assert_int_equal(c.r.n_isolated, 4 * 2);
    assert_int_equal(row_of(&c, SL_OUT_HEAD)->n, 4 * 2);
    assert_int_equal(row_of(&c, SL_OUT_QUALITY)->n, 4 * 4); /* qualities and flows stay */
    assert_int_equal(row_of(&c, SL_OUT_FLOW)->n, 4 * 3);
    assert_int_equal(row_of(&c, SL_OUT_HEADLOSS)->n, 4 * 1);
    finish(&c);
    b.shut = a.shut = NULL;
    sl_assert_ok(compare(&c, a, b));
    assert_false(c.r.same);
    finish(&c);
}

/* Numbers that are none, planted in the bytes: our writer never makes them. */
static void test_not_finite(void **state) {
    (void)state;
    pair_case c;
    sl_assert_ok(compare(&c, (variant){0}, (variant){0}));
    const sl_results_group *g = sl_results_get_layout(c.file[1])->groups;
    size_t period = 4 * (size_t)(4 * g[0].n + 8 * g[1].n);
    size_t head_of_second_node = c.bytes[1].n - 28 - 2 * period + 4 * (size_t)(g[0].n + 1);
    float nothing = NAN;
    memcpy(c.bytes[1].at + head_of_second_node, &nothing, 4);
    sl_assert_ok(compare_again(&c, c.file[0], c.file[1], NULL));
    assert_false(c.r.same);
    assert_true(isinf(row_of(&c, SL_OUT_HEAD)->worst));
    assert_int_equal(row_of(&c, SL_OUT_HEAD)->n_over, 1);
    assert_int_equal(row_of(&c, SL_OUT_HEAD)->element, 1);
    assert_int_equal(row_of(&c, SL_OUT_HEAD)->frame, 2);
    sl_assert_ok(compare_again(&c, c.file[1], c.file[1], NULL));
    assert_true(c.r.same); /* with itself it is the same */
    finish(&c);
}

static void short_of_memory(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)m;
    pair_case *c = user;
    sl_comparison *comparison = NULL;
    sl_status status = sl_compare(ctx, c->file[0], c->file[1], NULL, NULL, &comparison);
    assert_true(status == SL_OK ? sl_comparison_result(comparison)->same : status == SL_ERR_MEMORY);
    sl_comparison_destroy(comparison);
}

static void test_size(void **state) {
    (void)state;
    pair_case c;
    sl_assert_ok(compare(&c, (variant){0}, (variant){0}));
    sl_compare_def def = {0};
    sl_assert_status(compare_again(&c, c.file[0], c.file[1], &def), SL_ERR_USE);
    finish(&c);
}

static void test_short_of_memory(void **state) {
    (void)state;
    pair_case c;
    sl_assert_ok(compare(&c, (variant){0}, (variant){0}));
    assert_true(sl_test_sweep(short_of_memory, &c) > 2);
    finish(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_planted),
        cmocka_unit_test(test_within_tolerance),
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_other_order),
        cmocka_unit_test(test_other_units),
        cmocka_unit_test(test_another_network),
        cmocka_unit_test(test_changed_model),
        cmocka_unit_test(test_periods),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_statistic_and_quality),
        cmocka_unit_test(test_units_of_chemicals),
        cmocka_unit_test(test_cut_off),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_short_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
