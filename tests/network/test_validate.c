/* SPDX-License-Identifier: MIT */
/* Validation of a network as a whole: where valves may stand, levels of tanks, shapes of curves, pumps, connections. For
 * rules about single values see test_diagnostics.c. */
#include "net_test.h"

/* ---- Valves ------------------------------------------------------------------------------------- */

/* Chain A - B - C - D of junctions with pipes enough that only the valves under test join them. */
#define CHAIN                                                                    \
    "[JUNCTIONS]\nA 1\nB 1\nC 1\nD 1\n[RESERVOIRS]\nR 9\n[TANKS]\nT 1 2 1 3 4\n" \
    "[PIPES]\nPA R A 1 1 1\nPB R B 1 1 1\nPC R C 1 1 1\nPD R D 1 1 1\nPT T A 1 1 1\n[CURVES]\nK 0 0\nK 1 1\n[VALVES]\n"

static const struct {
    const char *valves;
    int32_t n_error;
} placement[] = {
    /* an end at a tank or reservoir: PRV, PSV and FCV only, either end */
    {"V R A 9 PRV 5\n", 1},
    {"V A R 9 PRV 5\n", 1},
    {"V T A 9 PSV 5\n", 1},
    {"V A T 9 PSV 5\n", 1},
    {"V R A 9 FCV 5\n", 1},
    {"V A T 9 FCV 5\n", 1},
    {"V R T 9 PRV 5\n", 2},
    {"V R A 9 PBV 5\n", 0},
    {"V A T 9 TCV 5\n", 0},
    {"V R A 9 GPV K\n", 0},
    {"V A R 9 PCV 5\n", 0},
    {"V A B 9 PRV 5\n", 0},
    /* two PRVs: the same downstream node, or in series; the same upstream node is fine */
    {"V A C 9 PRV 5\nW B C 9 PRV 5\n", 1},
    {"V A B 9 PRV 5\nW B C 9 PRV 5\n", 1},
    {"V B C 9 PRV 5\nW A B 9 PRV 5\n", 1},
    {"V A B 9 PRV 5\nW A C 9 PRV 5\n", 0},
    /* two PSVs: the same upstream node, or in series; the same downstream node is fine */
    {"V A B 9 PSV 5\nW A C 9 PSV 5\n", 1},
    {"V A B 9 PSV 5\nW B C 9 PSV 5\n", 1},
    {"V A C 9 PSV 5\nW B C 9 PSV 5\n", 0},
    /* PSV upstream at PRV downstream, both orders */
    {"V A B 9 PRV 5\nW B C 9 PSV 5\n", 1},
    {"V B C 9 PSV 5\nW A B 9 PRV 5\n", 1},
    {"V A B 9 PSV 5\nW B C 9 PRV 5\n", 0},
    {"V A B 9 PRV 5\nW A C 9 PSV 5\n", 0},
    /* PSV upstream at FCV downstream */
    {"V A B 9 FCV 5\nW B C 9 PSV 5\n", 1},
    {"V B C 9 PSV 5\nW A B 9 FCV 5\n", 1},
    {"V A B 9 PSV 5\nW B C 9 FCV 5\n", 0},
    {"V A B 9 FCV 5\nW A C 9 PSV 5\n", 0},
    /* PRV downstream at FCV upstream */
    {"V A B 9 PRV 5\nW B C 9 FCV 5\n", 1},
    {"V A B 9 FCV 5\nW B C 9 PRV 5\n", 0},
    {"V A C 9 FCV 5\nW B C 9 PRV 5\n", 0},
    /* two FCVs in series, PBVs and the rest anywhere */
    {"V A B 9 FCV 5\nW B C 9 FCV 5\n", 0},
    {"V A B 9 PBV 5\nW B C 9 PBV 5\n", 0},
    {"V A B 9 PRV 5\nW B C 9 TCV 5\n", 0},
    {"V A B 9 GPV K\nW B C 9 PRV 5\n", 0},
    /* three at one node: each later one clashes once */
    {"V A D 9 PRV 5\nW B D 9 PRV 5\nX C D 9 PRV 5\n", 2},
};

static void test_valve_placement(void **state) {
    (void)state;
    int wrong = 0;
    net_case c;
    net_begin(&c);
    for (size_t i = 0; i < sizeof placement / sizeof *placement; i++) {
        char text[1000];
        snprintf(text, sizeof text, "%s%s", CHAIN, placement[i].valves);
        sl_network *net = NULL;
        sl_status status = net_try(&c, text, false, &net);
        sl_network_destroy(net);
        if (net_count(&c, SL_CODE_VALVE_PLACE) != placement[i].n_error ||
            sl_diags_size(c.diags) != placement[i].n_error || status != (placement[i].n_error ? SL_ERR_INPUT : SL_OK)) {
            print_error("%s: expected %d\n", placement[i].valves, (int)placement[i].n_error);
            net_show(&c);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    net_end(&c);
}

/* The later line is blamed, and both valves and the node are named; at a tank the end is pointed at. */
static void test_valve_placement_text(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = NULL;
    sl_assert_status(net_try(&c, CHAIN "V A C 9 PRV 5\nW B C 9 PRV 5\n", false, &net), SL_ERR_INPUT);
    const sl_diag *d = net_only(&c, SL_CODE_VALVE_PLACE);
    assert_int_equal(d->line, 21);
    assert_string_equal(d->object_kind, "valve");
    assert_string_equal(d->object_id, "W");
    assert_has(d->text, "V");
    assert_has(d->text, "node C");
    sl_assert_status(net_try(&c, CHAIN "V A T 9 PSV 5\n", false, &net), SL_ERR_INPUT);
    d = net_only(&c, SL_CODE_VALVE_PLACE);
    assert_int_equal(d->line, 20);
    assert_int_equal(d->column, 5);
    assert_has(d->text, "tank T");
    net_end(&c);
}

/* ---- Tables of small texts with one outcome ----------------------------------------------------- */

typedef struct outcome {
    const char *more; /* behind the frame */
    sl_code code;     /* NONE: no diagnostic at all */
    sl_severity severity;
    uint32_t line; /* counted behind the frame */
    const char *id;
} outcome;

static void check_outcomes(const outcome *o, size_t n) {
    int wrong = 0;
    net_case c;
    net_begin(&c);
    for (size_t i = 0; i < n; i++) {
        char *text = net_framed(o[i].more);
        sl_network *net = NULL;
        sl_status status = net_try(&c, text, false, &net);
        sl_network_destroy(net);
        free(text);
        bool none = o[i].code == SL_CODE_NONE;
        const sl_diag *d = sl_diags_size(c.diags) == 1 ? sl_diags_at(c.diags, 0) : NULL;
        bool right = none ? sl_diags_size(c.diags) == 0 && status == SL_OK
                          : d && d->code == o[i].code && d->severity == o[i].severity &&
                                d->line == net_frame_lines() + o[i].line &&
                                status == (o[i].severity == SL_ERROR ? SL_ERR_INPUT : SL_OK) && d->object_id &&
                                strcmp(d->object_id, o[i].id) == 0;
        if (!right) {
            print_error("\n%s  expected [%s] on line %u\n", o[i].more, sl_code_word(o[i].code),
                        net_frame_lines() + o[i].line);
            net_show(&c);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    net_end(&c);
}

#define GOOD(more) \
    { more, SL_CODE_NONE, SL_INFO, 0, NULL }
#define TANK(line, more) "[TANKS]\nX " line "\n[PIPES]\nPX A X 1 1 1\n" more
#define VOLUME "[CURVES]\nV 1 100\nV 3 300\nV 5 400\n"

static void test_tank_levels(void **state) {
    (void)state;
    static const outcome row[] = {
        GOOD(TANK("9 2 1 3 4", "")),
        GOOD(TANK("9 1 1 1 4", "")), /* all the same */
        GOOD(TANK("9 0 0 0 4", "")),
        {TANK("9 0.5 1 3 4", ""), SL_CODE_TANK_LEVELS, SL_ERROR, 2, "X"},
        {TANK("9 3.5 1 3 4", ""), SL_CODE_TANK_LEVELS, SL_ERROR, 2, "X"},
        GOOD(TANK("9 2 1 5 4 0 V", VOLUME)),
        {TANK("9 2 0.5 5 4 0 V", VOLUME), SL_CODE_TANK_LEVELS, SL_ERROR, 2, "X"}, /* below the curve */
        {TANK("9 2 1 5.5 4 0 V", VOLUME), SL_CODE_TANK_LEVELS, SL_ERROR, 2, "X"}, /* above it */
        GOOD(TANK("9 2 1 5.0000001 4 0 V", VOLUME)),                              /* within EPANET's 1e-6 ft */
    };
    check_outcomes(row, sizeof row / sizeof *row);
    net_case c;
    net_begin(&c);
    sl_network *net = NULL;
    char *text =
        net_framed(TANK("9 2 3 1 4", "")); /* minimum above maximum, and the start between: all told at their columns */
    sl_assert_status(net_try(&c, text, false, &net), SL_ERR_INPUT);
    assert_true(net_count(&c, SL_CODE_TANK_LEVELS) == sl_diags_size(c.diags));
    free(text);
    net_end(&c);
}

static void test_curve_shapes(void **state) {
    (void)state;
    static const outcome row[] = {
        GOOD("[CURVES]\nK 1 1\nK 2 0\nK 3 5\n"), /* generic: only x must rise */
        {"[CURVES]\nK 1 1\nK 1 2\n", SL_CODE_CURVE_SHAPE, SL_ERROR, 3, "K"},
        {"[CURVES]\nK 1 1\nK 2 2\nK 1.5 3\nK 1 4\n", SL_CODE_CURVE_SHAPE, SL_ERROR, 4, "K"}, /* the first fall */
        {"[CURVES]\nK 2 1\n[PATTERNS]\nD 1\n[CURVES]\nK 1 2\n", SL_CODE_CURVE_SHAPE, SL_ERROR, 6, "K"},
        {TANK("9 2 1 5 4 0 V", "[CURVES]\nV 1 100\nV 3 90\nV 5 400\n"), SL_CODE_CURVE_SHAPE, SL_ERROR, 7, "V"},
        {TANK("9 2 1 5 4 0 V", "[CURVES]\nV 1 100\nV 5 100\n"), SL_CODE_CURVE_SHAPE, SL_ERROR, 7, "V"},
        {"[CURVES]\nV 1 100 VOLUME\nV 5 100\n", SL_CODE_CURVE_SHAPE, SL_WARNING, 3, "V"}, /* nothing uses it */
        {"[JUNCTIONS]\nC 1\n[PIPES]\nPC A C 1 1 1\n[VALVES]\nX C B 9 GPV L\n[CURVES]\nL 0 0\nL 2 5\nL 3 4\n",
         SL_CODE_CURVE_SHAPE, SL_WARNING, 10, "L"},
        GOOD("[JUNCTIONS]\nC 1\n[PIPES]\nPC A C 1 1 1\n[VALVES]\nX C B 9 GPV L\n[CURVES]\nL 0 0\nL 2 5\nL 3 5\n"),
        {"[VALVES]\nX A B 9 PCV 50 0 L\n[CURVES]\nL 0 0\nL 50 120\n", SL_CODE_CURVE_SHAPE, SL_WARNING, 5, "L"},
        {"[VALVES]\nX A B 9 PCV 50 0 L\n[CURVES]\nL 0 50\nL 50 20\n", SL_CODE_CURVE_SHAPE, SL_WARNING, 5, "L"},
        {"[PUMPS]\nX R A POWER 5\n[CURVES]\nE 1 -5\n[ENERGY]\nPump X Effic E\n", SL_CODE_CURVE_SHAPE, SL_WARNING, 4,
         "E"},
        GOOD("[PUMPS]\nX R A POWER 5\n[CURVES]\nE 1 0\nE 2 100\nE 3 50\n[ENERGY]\nPump X Effic E\n"),
    };
    check_outcomes(row, sizeof row / sizeof *row);
}

#define PUMP(points) "[PUMPS]\nX R A HEAD K\n[CURVES]\n" points

/* 1 point: flow and head above 0. 3 points from flow 0: a power law with an exponent in (0, 20]. Else a falling line. */
static void test_pump_curves(void **state) {
    (void)state;
#define BAD(points) \
    { PUMP(points), SL_CODE_PUMP_CURVE, SL_ERROR, 4, "K" }
    static const outcome row[] = {
        GOOD(PUMP("K 10 20\n")),
        BAD("K 0 20\n"),
        BAD("K 10 0\n"),
        BAD("K -5 20\n"),
        BAD("K 10 -2\n"),
        GOOD(PUMP("K 0 20\nK 10 10\n")),
        BAD("K 0 20\nK 10 20\n"),
        BAD("K 0 20\nK 10 21\n"),
        GOOD(PUMP("K 5 20\nK 10 -10\n")),
        GOOD(PUMP("K 0 20\nK 10 15\nK 20 5\n")),
        BAD("K 0 20\nK 10 20\nK 20 5\n"),
        BAD("K 0 20\nK 10 15\nK 20 15\n"),
        BAD("K 0 20\nK 10 21\nK 20 5\n"),
        BAD("K 0 20\nK 10 19.99999\nK 11 5\n"),        /* exponent 150 */
        GOOD(PUMP("K 1 20\nK 10 19.99999\nK 11 5\n")), /* not from 0: pieces, and they fall */
        GOOD(PUMP("K 0 20\nK 5 18\nK 10 15\nK 20 5\n")),
        BAD("K 0 20\nK 5 18\nK 10 18\nK 20 5\n"),
        BAD("K 0 20\nK 5 18\nK 10 19\nK 20 5\n"),
        {"[CURVES]\nK 0 20 PUMP\nK 10 21\n", SL_CODE_PUMP_CURVE, SL_WARNING, 2, "K"}, /* declared so, used by nothing */
    };
    check_outcomes(row, sizeof row / sizeof *row);
}

static void test_connections(void **state) {
    (void)state;
    static const outcome row[] = {
        {"[JUNCTIONS]\nX 1\n", SL_CODE_UNCONNECTED, SL_ERROR, 2, "X"},
        {"[RESERVOIRS]\nX 1\n", SL_CODE_UNCONNECTED, SL_WARNING, 2, "X"},
        {"[TANKS]\nX 9 2 1 3 4\n", SL_CODE_UNCONNECTED, SL_WARNING, 2, "X"},
        {"[PIPES]\nX B B 1 1 1\n", SL_CODE_SELF_LOOP, SL_ERROR, 2, "X"},
        {"[PUMPS]\nX B B POWER 1\n", SL_CODE_SELF_LOOP, SL_ERROR, 2, "X"},
        {"[VALVES]\nX B B 9 TCV 1\n", SL_CODE_SELF_LOOP, SL_ERROR, 2, "X"},
        /* a part of its own without a source: one warning, at its first junction */
        {"[JUNCTIONS]\nX 1\nY 1\nZ 1\n[PIPES]\n1 Y X 1 1 1\n2 Z Y 1 1 1\n", SL_CODE_NO_SOURCE, SL_WARNING, 2, "X"},
        GOOD("[JUNCTIONS]\nX 1\nY 1\n[RESERVOIRS]\nS 1\n[PIPES]\n1 Y X 1 1 1\n2 S Y 1 1 1\n"),
        GOOD("[JUNCTIONS]\nX 1\n[PIPES]\n1 A X 1 1 1 Closed\n"), /* closed now, perhaps not later */
    };
    check_outcomes(row, sizeof row / sizeof *row);
}

static void test_parts_are_counted(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net =
        net_read_framed(&c, "[JUNCTIONS]\n1 1\n2 1\n3 1\n4 1\n5 1\n[PIPES]\n1 1 2 1 1 1\n2 2 3 1 1 1\n3 5 4 1 1 1\n");
    assert_int_equal(sl_diags_size(c.diags), 2);
    assert_int_equal(net_count(&c, SL_CODE_NO_SOURCE), 2);
    assert_has(sl_diags_at(c.diags, 0)->text, "3 nodes");
    assert_has(sl_diags_at(c.diags, 1)->text, "2 nodes");
    sl_network_destroy(net);
    net_end(&c);
}

static void test_the_whole(void **state) {
    (void)state;
    net_case c;
    net_begin(&c);
    sl_network *net = NULL;
    sl_assert_status(net_try(&c, "[JUNCTIONS]\nA 1\nB 1\n[PIPES]\nP A B 1 1 1\n", false, &net), SL_ERR_INPUT);
    net_only(&c, SL_CODE_NO_SOURCE);
    sl_assert_status(net_try(&c, "[RESERVOIRS]\nA 1\n", false, &net), SL_ERR_INPUT);
    net_only(&c, SL_CODE_NO_NODES);
    /* two reservoirs and nothing else: EPANET opens it, and so does Sluice */
    net = net_read(&c, "[RESERVOIRS]\nA 1\nB 2\n[PIPES]\nP A B 1 1 1\n");
    assert_int_equal(net->n_junction, 0);
    sl_network_destroy(net);
    net_end(&c);
}

/* A clash is found however many harmless valves stand between the two at their node. */
static void test_clash_among_many_valves(void **state) {
    (void)state;
    static char text[8192];
    size_t n = (size_t)snprintf(text, sizeof text, "[RESERVOIRS]\nR 50\n[JUNCTIONS]\nM 1\n");
    for (int i = 0; i < 30; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "J%d 1\n", i);
    }
    n += (size_t)snprintf(text + n, sizeof text - n, "[PIPES]\n");
    for (int i = 0; i < 30; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "P%d R J%d 100 12 100\n", i, i);
    }
    n += (size_t)snprintf(text + n, sizeof text - n, "[VALVES]\n");
    for (int i = 0; i < 30; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "V%d J%d M 12 %s 10\n", i, i, i % 29 ? "FCV" : "PRV");
    }
    assert_true(n < sizeof text);
    net_case c;
    net_begin(&c);
    sl_network *net = NULL;
    sl_assert_status(net_try(&c, text, false, &net), SL_ERR_INPUT);
    net_only(&c, SL_CODE_VALVE_PLACE);
    sl_assert_z(sl_diags_at(c.diags, 0)->object_id, "V29");
    net_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clash_among_many_valves),
        cmocka_unit_test(test_valve_placement),
        cmocka_unit_test(test_valve_placement_text),
        cmocka_unit_test(test_tank_levels),
        cmocka_unit_test(test_curve_shapes),
        cmocka_unit_test(test_pump_curves),
        cmocka_unit_test(test_connections),
        cmocka_unit_test(test_parts_are_counted),
        cmocka_unit_test(test_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
