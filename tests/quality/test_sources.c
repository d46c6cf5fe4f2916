/* SPDX-License-Identifier: MIT */
/* test_sources.c: sources of all kinds at junctions, reservoirs and tanks, with patterns; traced nodes of every kind. */
#include "eps/eps_test.h"

static double quality(eps_run *r, const char *node) {
    return eps_get(r, "node.'%s'.quality", node);
}

/* R (2 mg/L) -> A -> B, demands 3 and 7 L/s; X gives 1 L/s of clean water into A. */
static void begin(eps_run *r, const char *sources) {
    eps_begin(
        r,
        "[RESERVOIRS]\nR 60\n[JUNCTIONS]\nA 0 3\nB 0 7\nX 0 -1\n[PIPES]\n1 R A 10 200 110\n2 A B 10 200 110\n3 X A 10 "
        "50 110\n[QUALITY]\nR 2\n[SOURCES]\n%s\n[PATTERNS]\nS 1 0 0.5\n[OPTIONS]\nUNITS LPS\nTOLERANCE 0\nQUALITY Salt "
        "mg/L\n[TIMES]\nDURATION 24\nQUALITY TIMESTEP 0:05\n",
        sources);
    eps_to(r, 3600.0);
}

static void test_junctions(void **state) {
    (void)state;
    static const double mixed = 2.0 * 9.0 / 10.0; /* at A, without a source */
    const double per_minute = 60.0 * EPS_LPS * 1000.0;
    static const struct {
        const char *kind;
        double strength, at_a;
    } cases[] = {{"FLOWPACED", 0.5, 2.3},
                 {"SETPOINT", 3.0, 3.0},
                 {"SETPOINT", 1.0, 1.8},
                 {"CONCEN", 9.0, 1.8},
                 {"MASS", 600.0, 0.0}};
    for (int i = 0; i < 5; i++) {
        eps_run r;
        char line[64];
        snprintf(line, sizeof line, "A %s %g", cases[i].kind, cases[i].strength);
        begin(&r, line);
        double a = i == 4 ? mixed + 600.0 / (per_minute * 10.0) : cases[i].at_a;
        sl_assert_rel(quality(&r, "A"), a, 1e-9);
        sl_assert_rel(quality(&r, "B"), a, 1e-9);
        eps_to(&r, 7200.0);
        double before = eps_get(&r, "quality.source");
        eps_to(&r, 10800.0);
        sl_assert_abs(eps_get(&r, "quality.source") - before, (a - mixed) * 10.0 * EPS_LPS * 3600.0, 1e-7);
        eps_end(&r);
    }
    eps_run r; /* what comes in from outside */
    begin(&r, "X CONCEN 4");
    sl_assert_double(quality(&r, "X"), 4.0);
    sl_assert_rel(quality(&r, "A"), (18.0 + 4.0) / 10.0, 1e-9);
    sl_assert_rel(eps_get(&r, "quality.source"), 4.0 * EPS_LPS * 3600.0, 1e-9);
    eps_end(&r);
    begin(&r, "X MASS 30");
    sl_assert_rel(quality(&r, "X"), 30.0 / per_minute, 1e-9);
    eps_end(&r);
}

static void test_reservoirs(void **state) {
    (void)state;
    static const struct {
        const char *kind;
        double strength, given;
    } cases[] = {{"FLOWPACED", 0.5, 2.5},
                 {"SETPOINT", 3.0, 3.0},
                 {"SETPOINT", 1.0, 2.0},
                 {"CONCEN", 1.5, 1.5},
                 {"MASS", 600.0, 0.0}};
    for (int i = 0; i < 5; i++) {
        eps_run r;
        char line[64];
        snprintf(line, sizeof line, "R %s %g", cases[i].kind, cases[i].strength);
        begin(&r, line);
        double given = i == 4 ? 2.0 + 600.0 / (60.0 * 9.0 * EPS_LPS * 1000.0) : cases[i].given;
        sl_assert_rel(quality(&r, "R"), given, 1e-6);
        sl_assert_rel(quality(&r, "A"), given * 0.9, 1e-6);
        sl_assert_rel(eps_get(&r, "quality.reservoir"), 2.0 * 9.0 * EPS_LPS * 3600.0, 1e-6);
        sl_assert_abs(eps_get(&r, "quality.source"), (given - 2.0) * 9.0 * EPS_LPS * 3600.0, 1e-5);
        sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-13);
        eps_end(&r);
    }
}

static void test_tanks(void **state) {
    (void)state;
    static const struct {
        const char *kind;
        double strength, given;
    } cases[] = {{"FLOWPACED", 0.5, 1.5},
                 {"SETPOINT", 3.0, 3.0},
                 {"SETPOINT", 0.5, 1.0},
                 {"CONCEN", 2.0, 3.0},
                 {"MASS", 600.0, 0.0}};
    for (int i = 0; i < 5; i++) {
        eps_run r;
        eps_begin(
            &r,
            "[TANKS]\nT 20 5 0 9 20\n[JUNCTIONS]\nA 0 5\n[PIPES]\n1 T A 10 200 110\n[QUALITY]\nT 1\nA 1\n[SOURCES]\nT %s "
            "%g\n[OPTIONS]\nUNITS LPS\nTOLERANCE 0\nQUALITY Salt mg/L\n[TIMES]\nDURATION 24\nQUALITY TIMESTEP 0:05\n",
            cases[i].kind, cases[i].strength);
        eps_to(&r, 3600.0);
        double given = i == 4 ? 1.0 + 600.0 / (60.0 * 5.0 * EPS_LPS * 1000.0) : cases[i].given;
        sl_assert_rel(quality(&r, "A"), given, 1e-9);
        sl_assert_rel(eps_get(&r, "quality.stored") - eps_get(&r, "pipe.'1'.length") * EPS_PI / 4.0 * 0.04 * given,
                      eps_get(&r, "tank.'T'.volume") * 1.0, 1e-9); /* dosed is what leaves, not what stays */
        sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-13);
        eps_end(&r);
    }
}

static void test_patterns(void **state) {
    (void)state;
    static const double factor[] = {1.0, 0.0, 0.5};
    eps_run r;
    begin(&r, "A FLOWPACED 2 S");
    for (int h = 1; h <= 9; h++) {
        eps_to(&r, h * 3600.0);
        sl_assert_rel(quality(&r, "A"), 1.8 + 2.0 * factor[(h - 1) % 3], 1e-9);
    }
    eps_end(&r);
    begin(&r, "R CONCEN 8 S");
    for (int h = 1; h <= 9; h++) {
        eps_to(&r, h * 3600.0);
        sl_assert_rel(quality(&r, "R"), 8.0 * factor[(h - 1) % 3], 1e-12);
    }
    sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-13);
    eps_end(&r);
}

/* Sources that take away (negative strengths or patterns) take what is there at most. */
static void test_negative(void **state) {
    (void)state;
    static const char *const sources[] = {"A FLOWPACED -9", "A MASS -1e6",   "R FLOWPACED -9", "R CONCEN -9",
                                          "X CONCEN -3",    "A SETPOINT -3", "B MASS -1e9 S"};
    for (int i = 0; i < 7; i++) {
        eps_run r;
        begin(&r, sources[i]);
        eps_to(&r, 8 * 3600.0);
        for (int n = 0; n < 4; n++) {
            assert_true(quality(&r, (const char *[]){"R", "A", "B", "X"}[n]) >= 0.0);
        }
        assert_true(eps_get(&r, "quality.consumed") >= 0.0);
        sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-12);
        eps_end(&r);
    }
}

/* A dead end cannot be dosed: no flow, no mass; what is there stays as it is. */
static void test_without_outflow(void **state) {
    (void)state;
    static const char *const kinds[] = {"MASS 1000", "CONCEN 5", "SETPOINT 5", "FLOWPACED 5"};
    for (int i = 0; i < 4; i++) {
        eps_run r;
        eps_begin(
            &r,
            "[RESERVOIRS]\nR 60\n[JUNCTIONS]\nA 0 3\nD 0 0\n[PIPES]\n1 R A 10 200 110\n2 A D 10 200 110\n[QUALITY]\nR 2\n"
            "D 1\n[SOURCES]\nD %s\n[OPTIONS]\nUNITS LPS\nQUALITY Salt mg/L\n[TIMES]\nDURATION 24\n",
            kinds[i]);
        eps_to(&r, 86400.0);
        sl_assert_double(quality(&r, "D"), 1.0);
        sl_assert_double(eps_get(&r, "quality.source"), 0.0);
        sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-13);
        eps_end(&r);
    }
}

/* Water that passes the traced node is all its own, whatever kind of node it is. */
static void test_traced_nodes(void **state) {
    (void)state;
    static const char *const nodes[] = {"T", "A", "R", "S", "D"};
    for (int i = 0; i < 5; i++) {
        eps_run r;
        eps_begin(
            &r,
            "[RESERVOIRS]\nR 60\nS 40\n[TANKS]\nT 45 5 0 9 8\n[JUNCTIONS]\nA 0 3 P\nB 0 7 P\nD 0 0\n[PIPES]\n1 R A 500 200 "
            "110\n2 A B 300 200 110\n3 B T 100 200 110\n4 B S 900 80 110\n5 A D 20 100 110\n[PATTERNS]\nP 0.2 2.5 0.1\n"
            "[OPTIONS]\nUNITS LPS\nQUALITY TRACE %s\n[QUALITY]\nT 30\nB 80\nR 20\n[TIMES]\nDURATION 48\n",
            nodes[i]);
        do {
            sl_assert_double(quality(&r, nodes[i]), 100.0);
            sl_assert_abs(quality(&r, "R"), i == 2 ? 100.0 : 0.0, 0.0); /* [QUALITY] is about other things */
            for (int n = 0; n < 6; n++) {
                double c = quality(&r, (const char *[]){"R", "S", "T", "A", "B", "D"}[n]);
                assert_true(c >= -1e-9 && c <= 100.0 + 1e-9);
            }
            sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-12);
        } while (eps_step(&r));
        if (i == 3) { /* takes water, gives none */
            sl_assert_double(eps_get(&r, "quality.source"), 0.0);
        }
        eps_end(&r);
    }
}

/* Valve V brings R's water (4, 0, 2, 4 mg/L by the hour) to A until it shuts after the first hour; B is fed from R2 then.
 * R shows what is set though nothing leaves it; V and A keep what came last. */
static void test_no_flow(void **state) {
    (void)state;
    static const struct {
        const char *kind;
        double own, shown[3]; /* in the hours 0 to 2: strength 4 times 1, 0, 0.5 */
    } cases[] = {{"CONCEN", 1.0, {4.0, 0.0, 2.0}},
                 {"SETPOINT", 1.0, {4.0, 1.0, 2.0}},
                 {"FLOWPACED", 1.0, {5.0, 1.0, 3.0}},
                 {"MASS", 1.0, {0.0, 1.0, 1.0}}}; /* what it is dosed with while water leaves depends on the flow */
    for (int i = 0; i < 4; i++) {
        eps_run r;
        eps_begin(
            &r,
            "[RESERVOIRS]\nR 60\nR2 50\n[JUNCTIONS]\nA 0 0\nB 0 5\n[PIPES]\n1 A B 10 200 110\n2 R2 B 10 200 110\n"
            "[VALVES]\nV R A 200 TCV 1\n[CONTROLS]\nLINK V CLOSED AT TIME 1\n[QUALITY]\nR %g\n[SOURCES]\nR %s 4 S\n"
            "[PATTERNS]\nS 1 0 0.5\n[OPTIONS]\nUNITS LPS\nTOLERANCE 0\nQUALITY Salt mg/L\n[TIMES]\nDURATION 24\n"
            "QUALITY TIMESTEP 0:05\n",
            cases[i].own, cases[i].kind);
        eps_to(&r, 3600.0);
        double last = quality(&r, "R");
        if (i < 3) {
            sl_assert_double(last, cases[i].shown[0]);
        }
        double given = eps_get(&r, "quality.source");
        for (int hour = 1; hour < 3; hour++) {
            eps_to(&r, (hour + 1) * 3600.0);
            sl_assert_double(quality(&r, "R"), cases[i].shown[hour]);
            sl_assert_double(quality(&r, "A"), last);
            sl_assert_double(eps_get(&r, "link.'V'.quality"), last);
        }
        sl_assert_double(eps_get(&r, "quality.source"), given);
        sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-13);
        eps_end(&r);
    }
}

/* What nothing puts into the water is 0 without transport, bit for bit as with it: a source of strength 0 keeps the transport.
 * Reactions that make something of nothing are not passed over. */
static void test_nothing(void **state) {
    (void)state;
    static const struct {
        const char *reactions;
        bool creates;
    } cases[] = {{"", false},
                 {"GLOBAL BULK -0.5\nGLOBAL WALL -1", false},
                 {"GLOBAL BULK 0.5", false},
                 {"ORDER BULK 0\nGLOBAL BULK -1", false},
                 {"ORDER BULK 0\nGLOBAL BULK 1", true},
                 {"LIMITING POTENTIAL 2\nGLOBAL BULK 1", true},
                 {"ORDER WALL 0\nGLOBAL WALL 1", false},
                 {"ORDER TANK 0\nTANK T 1", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        eps_run r[2];
        for (int j = 0; j < 2; j++) {
            eps_begin(
                &r[j],
                "[RESERVOIRS]\nR 60\n[TANKS]\nT 20 5 0 9 20\n[JUNCTIONS]\nA 0 5\nB 0 2\n[PIPES]\n1 R A 900 100 110\n"
                "2 A T 900 200 110\n3 A B 900 200 110\n[OPTIONS]\nUNITS LPS\nQUALITY Salt mg/L\n[TIMES]\nDURATION 24\n"
                "QUALITY TIMESTEP 0:05\n[SOURCES]\n%s\n[REACTIONS]\n%s\n",
                j ? "A MASS 0" : "", cases[i].reactions);
            eps_to(&r[j], 86400.0);
        }
        static const char *const names[] = {
            "node.'A'.quality", "node.'B'.quality",  "node.'T'.quality", "link.'1'.quality", "link.'2'.quality",
            "link.'3'.quality", "link.'1'.reaction", "quality.consumed", "quality.stored",   "quality.bulk",
            "quality.wall",     "quality.tank",      "quality.adjusted", "quality.ratio"};
        double sum = 0.0;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            double x[2] = {eps_get(&r[0], "%s", names[k]), eps_get(&r[1], "%s", names[k])};
            assert_memory_equal(&x[0], &x[1], sizeof *x);
            sum += k < 6 ? x[0] : 0.0;
        }
        assert_int_equal(sum > 0.0, cases[i].creates);
        eps_end(&r[0]);
        eps_end(&r[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_junctions), cmocka_unit_test(test_reservoirs),      cmocka_unit_test(test_no_flow),
        cmocka_unit_test(test_nothing),   cmocka_unit_test(test_tanks),           cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_negative),  cmocka_unit_test(test_without_outflow), cmocka_unit_test(test_traced_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
