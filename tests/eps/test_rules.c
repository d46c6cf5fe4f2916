/* SPDX-License-Identifier: MIT */
/* test_rules.c: every premise of rules with its tolerance, how AND and OR combine, ELSE, priorities, the rule step.
 *
 * The network stands still but for two wide tanks, so that every value a premise can look at is known by hand. A rule
 * under test closes LAMP, a pipe that carries nothing that matters. */
#include "eps_test.h"

#include "base/out.h"

#define NET                                                                                                               \
    "[JUNCTIONS]\nA 0 0\nB 10 5\nF 0 -1\nG 0 2\nJP 0 10\nX 0 0\n[RESERVOIRS]\nR 50\nLOW 10\n"                             \
    "[TANKS]\nFILL 20 3 0 6 100\nDRAIN 20 3 0 6 100\n"                                                                    \
    "[PIPES]\nP R A 10 300 100\nPF F FILL 10 300 100\nPG G DRAIN 10 300 100\nLAMP R X 10 100 120\nSPARE R X 10 100 100\n" \
    "[PUMPS]\nU LOW JP HEAD C\n[CURVES]\nC 10 40\n[VALVES]\nV A B 300 PRV 25\n"                                           \
    "[TIMES]\nDURATION 3\nSTART CLOCKTIME 11:40 PM\n%s\n[OPTIONS]\nUNITS LPS\n[RULES]\n%s\n"

/* The time at which a pipe is first closed; -1: never. */
static double closed_at(eps_run *r, const char *pipe) {
    do {
        if (eps_status(r, pipe) == SL_STATUS_CLOSED) {
            return sl_session_time(r->s);
        }
    } while (eps_step(r));
    return -1.0;
}

static double lamp_within(double duration, sl_rule_reading reading, const char *times, const char *premises) {
    char rule[1024];
    snprintf(rule, sizeof rule, "RULE 1\n%s\nTHEN PIPE LAMP STATUS IS CLOSED", premises);
    sl_eps_def def = sl_eps_default();
    def.rules = reading;
    def.duration = duration;
    eps_run r;
    eps_begin_def(&r, &def, NET, times, rule);
    double t = closed_at(&r, "LAMP");
    eps_end(&r);
    return t;
}

static double lamp(sl_rule_reading reading, const char *times, const char *premises) {
    return lamp_within(3.0 * 3600.0, reading, times, premises);
}

/* Does the premise hold at the first look, after a tenth of the hydraulic step? */
static bool holds(const char *premise) {
    char text[512];
    snprintf(text, sizeof text, "IF %s", premise);
    double t = lamp_within(360.0, SL_RULES_EPANET, "", text); /* later looks would see other levels */
    return t == 360.0;
}

static bool compares(const char *what, const char *relation, double value) {
    char text[256];
    snprintf(text, sizeof text, "%s %s %.9g", what, relation, value);
    return holds(text);
}

/* All six relations and their words around a known value; how far values may be off must be below 1e-4. */
static void around(const char *what, double x) {
    static const struct {
        const char *relation;
        double off;
        bool holds;
    } table[] = {
        {"=", 0.0, true},      {"=", 0.0008, true},       {"=", -0.0008, true},     {"=", 0.0012, false},
        {"=", -0.0012, false}, {"<>", 0.0, false},        {"<>", 0.0008, false},    {"<>", 0.0012, true},
        {"<>", -0.0012, true}, {"NOT", 0.0012, true},     {"<", 1.0, true},         {"<", 0.0, true},
        {"<", -0.0008, true},  {"<", -0.0012, false},     {"BELOW", -0.0008, true}, {"<=", 1.0, true},
        {"<=", 0.0012, true},  {"<=", 0.0008, false},     {"<=", 0.0, false},       {">", -1.0, true},
        {">", 0.0, true},      {">", 0.0008, true},       {">", 0.0012, false},     {"ABOVE", 0.0008, true},
        {">=", -1.0, true},    {">=", -0.0012, true},     {">=", -0.0008, false},   {">=", 0.0, false},
        {"IS", 0.0, true},     {"BELOW", -0.0012, false}, {"ABOVE", 0.0012, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (compares(what, table[i].relation, x + table[i].off) != table[i].holds) {
            print_error("%s %s %g should %shold\n", what, table[i].relation, x + table[i].off,
                        table[i].holds ? "" : "not ");
            fail();
        }
    }
}

static void test_values(void **state) {
    (void)state;
    around("RESERVOIR R HEAD", 50.0);
    around("RESERVOIR R GRADE", 50.0);
    around("JUNCTION B PRESSURE", 25.0);
    around("NODE B HEAD", 35.0);
    around("JUNCTION B DEMAND", 5.0);
    around("RESERVOIR LOW DEMAND", -10.0);
    around("TANK FILL LEVEL", 3.0); /* 0.36 m3 in 7854 m2: 0.05 mm more by then */
    around("TANK FILL PRESSURE", 3.0);
    around("TANK FILL HEAD", 23.0);
    around("TANK DRAIN LEVEL", 3.0);
    around("PIPE P FLOW", 5.0);
    around("PUMP U FLOW", 10.0);
    around("VALVE V FLOW", 5.0);
    around("LINK PG FLOW", 2.0); /* without its sign */
    around("VALVE V SETTING", 25.0);
    around("PUMP U SETTING", 1.0);
    around("SYSTEM DEMAND", 16.0);                                          /* 5 - 1 + 2 + 10 */
    around("PUMP U POWER", 9810.0 * 10.0 * EPS_LPS * 40.0 / 0.75 / 1000.0); /* kW, at 75 % */
}

static void test_statuses(void **state) {
    (void)state;
    assert_true(holds("PIPE P STATUS IS OPEN"));
    assert_false(holds("PIPE P STATUS IS CLOSED"));
    assert_true(holds("PIPE P STATUS NOT CLOSED"));
    assert_false(holds("PIPE P STATUS <> OPEN"));
    assert_true(holds("VALVE V STATUS = ACTIVE"));
    assert_false(holds("VALVE V STATUS = OPEN"));
    assert_true(holds("PUMP U STATUS IS OPEN"));
    assert_true(holds("LINK U STATUS NOT CLOSED"));
}

/* Hours until a tank is full or empty; infinite for one that does not fill or drain. */
static void test_limit_times(void **state) {
    (void)state;
    double area = EPS_PI * 2500.0, fill = 3.0 * area / EPS_LPS / 3600.0, drain = 3.0 * area / (2.0 * EPS_LPS) / 3600.0;
    assert_true(compares("TANK FILL FILLTIME", "<", fill + 1.0));
    assert_false(compares("TANK FILL FILLTIME", "<", fill - 1.0));
    assert_true(compares("TANK FILL FILLTIME", ">", fill - 1.0));
    assert_false(compares("TANK FILL FILLTIME", ">=", fill + 1.0));
    assert_true(compares("TANK DRAIN DRAINTIME", "<=", drain + 1.0));
    assert_false(compares("TANK DRAIN DRAINTIME", "<", drain - 1.0));
    static const char *const never[] = {"TANK FILL DRAINTIME", "TANK DRAIN FILLTIME"};
    for (int i = 0; i < 2; i++) {
        assert_true(compares(never[i], ">", 1e6));
        assert_true(compares(never[i], ">=", 0.1));
        assert_true(compares(never[i], "<>", 0.0));
        assert_false(compares(never[i], "<", 1e6));
        assert_false(compares(never[i], "<=", 1e6));
        assert_false(compares(never[i], "=", 0.0));
    }
}

static void test_times(void **state) {
    (void)state;
    static const struct {
        const char *premise;
        double at; /* -1: never. Looks are at 6, 12, 18, ... minutes */
    } table[] = {
        {"IF SYSTEM TIME = 0:30", 1800},
        {"IF SYSTEM TIME = 0:31", 2160},
        {"IF SYSTEM TIME > 0:30", 2160},
        {"IF SYSTEM TIME >= 0:30", 1800},
        {"IF SYSTEM TIME < 0:06", -1},
        {"IF SYSTEM TIME <= 0:06", 360},
        {"IF SYSTEM TIME <> 0:06", 720},
        {"IF SYSTEM CLOCKTIME = 12:06 AM", 1800}, /* midnight is at 0:20 */
        {"IF SYSTEM CLOCKTIME = 12 AM", 1440},
        {"IF SYSTEM CLOCKTIME < 1 AM", 1440},
        {"IF SYSTEM CLOCKTIME >= 11:58 PM", 1080},
        {"IF SYSTEM CLOCKTIME > 11:58 PM", -1},
        {"IF SYSTEM CLOCKTIME >= 11:40 PM", 360},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        double t = lamp(SL_RULES_EPANET, "", table[i].premise);
        if (t != table[i].at) {
            print_error("%s: at %g s, expected %g\n", table[i].premise, t, table[i].at);
            fail();
        }
    }
}

static void test_rule_step(void **state) {
    (void)state;
    sl_assert_double(lamp(SL_RULES_EPANET, "RULE TIMESTEP 0:07", "IF SYSTEM TIME >= 0:15"), 21.0 * 60.0);
    sl_assert_double(lamp(SL_RULES_EPANET, "RULE TIMESTEP 0:01", "IF SYSTEM TIME >= 0:15"), 15.0 * 60.0);
    /* The end of a hydraulic step is looked at too, whatever the rule step. */
    sl_assert_double(lamp(SL_RULES_EPANET, "RULE TIMESTEP 0:07", "IF SYSTEM TIME >= 0:57"), 3600.0);
}

/* ---- AND and OR --------------------------------------------------------------------------------- */

/* All mixtures of up to four premises with all values against both readings. */
static void test_logic(void **state) {
    (void)state;
    for (int n = 2; n <= 4; n++) {
        for (int ors = 0; ors < 1 << (n - 1); ors++) {
            for (int truth = 0; truth < 1 << n; truth++) {
                char text[256] = "";
                size_t at = 0;
                bool group = false, epanet = true, or_of_and = false, ands = true;
                for (int i = 0; i < n; i++) {
                    bool is_or = i > 0 && (ors >> (i - 1) & 1), x = truth >> i & 1;
                    at += (size_t)snprintf(text + at, sizeof text - at, "%s SYSTEM TIME %s 0\n",
                                           i == 0  ? "IF"
                                           : is_or ? "OR"
                                                   : "AND",
                                           x ? ">=" : "<");
                    if (i > 0 && !is_or) { /* OR binds first: a group ends at AND */
                        epanet = epanet && group;
                        group = false;
                    }
                    group = group || x;
                    if (is_or) { /* AND binds first: a group ends at OR */
                        or_of_and = or_of_and || ands;
                        ands = true;
                    }
                    ands = ands && x;
                }
                epanet = epanet && group;
                or_of_and = or_of_and || ands;
                bool first = lamp(SL_RULES_EPANET, "", text) >= 0.0,
                     second = lamp(SL_RULES_PRECEDENCE, "", text) >= 0.0;
                if (first != epanet || second != or_of_and) {
                    print_error("%s: %d, expected %d; AND first %d, expected %d\n", text, first, epanet, second,
                                or_of_and);
                    fail();
                }
            }
        }
    }
}

static void test_logic_is_told(void **state) {
    (void)state;
    eps_run r;
    eps_begin(
        &r, NET, "",
        "RULE MIXED\nIF SYSTEM TIME < 0\nOR SYSTEM TIME < 0\nAND SYSTEM TIME < 0\nTHEN PIPE LAMP STATUS IS CLOSED\n"
        "RULE PLAIN\nIF SYSTEM TIME < 0\nOR SYSTEM TIME < 0\nTHEN PIPE LAMP STATUS IS CLOSED");
    int32_t told = 0;
    for (int32_t i = 0; i < sl_diags_size(r.diags); i++) {
        const sl_diag *d = sl_diags_at(r.diags, i);
        told += d->code == SL_CODE_RULE_LOGIC && strcmp(d->object_id, "MIXED") == 0;
        assert_true(d->code != SL_CODE_RULE_LOGIC || strcmp(d->object_id, "PLAIN") != 0);
    }
    assert_int_equal(told, 1);
    eps_end(&r);
}

/* ---- Actions ------------------------------------------------------------------------------------ */

static void test_else(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, NET, "",
              "RULE 1\nIF SYSTEM TIME >= 1:00\nTHEN PIPE LAMP STATUS IS CLOSED\nAND PIPE SPARE STATUS = OPEN\n"
              "ELSE PIPE LAMP STATUS IS OPEN\nAND PIPE SPARE STATUS = CLOSED");
    eps_to(&r, 360.0);
    assert_int_equal(eps_status(&r, "LAMP"), SL_STATUS_OPEN);
    assert_int_equal(eps_status(&r, "SPARE"), SL_STATUS_CLOSED);
    eps_to(&r, 3599.0);
    assert_int_equal(eps_status(&r, "SPARE"), SL_STATUS_CLOSED);
    eps_to(&r, 3600.0);
    assert_int_equal(eps_status(&r, "LAMP"), SL_STATUS_CLOSED);
    assert_int_equal(eps_status(&r, "SPARE"), SL_STATUS_OPEN);
    eps_end(&r);
}

static void test_priority(void **state) {
    (void)state;
    static const struct {
        double first, second;
        bool closed; /* the first closes, the second opens */
    } table[] = {{1, 2, false}, {2, 1, true}, {3, 3, true}};
    for (int i = 0; i < 3; i++) {
        char rules[512];
        snprintf(rules, sizeof rules,
                 "RULE 1\nIF SYSTEM TIME >= 0\nTHEN PIPE LAMP STATUS IS CLOSED\nPRIORITY %g\n"
                 "RULE 2\nIF SYSTEM TIME >= 0\nTHEN PIPE LAMP STATUS IS OPEN\nPRIORITY %g",
                 table[i].first, table[i].second);
        eps_run r;
        eps_begin(&r, NET, "", rules);
        eps_to(&r, 1000.0);
        assert_int_equal(eps_status(&r, "LAMP") == SL_STATUS_CLOSED, table[i].closed);
        eps_end(&r);
    }
}

static void test_disabled(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, NET, "", "RULE 1\nIF SYSTEM TIME >= 0\nTHEN PIPE LAMP STATUS IS CLOSED\nPRIORITY 9\nDISABLED");
    sl_assert_double(closed_at(&r, "LAMP"), -1.0);
    eps_end(&r);
}

/* Settings: a pump's speed, a valve's pressure; they stay until something else changes them. */
static void test_settings(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, NET, "",
              "RULE 1\nIF SYSTEM TIME = 0:30\nTHEN VALVE V SETTING IS 18\nAND PUMP U SETTING IS 1.2\n"
              "RULE 2\nIF SYSTEM TIME = 1:00\nTHEN PUMP U STATUS IS OPEN\nAND VALVE V STATUS IS OPEN\n"
              "RULE 3\nIF SYSTEM TIME = 1:30\nTHEN PUMP U STATUS IS CLOSED\nAND VALVE V STATUS IS CLOSED\n"
              "RULE 4\nIF SYSTEM TIME = 2:30\nTHEN PUMP U STATUS IS OPEN\nAND VALVE V STATUS IS OPEN");
    eps_to(&r, 1799.0);
    sl_assert_abs(eps_pressure(&r, "B"), 25.0, EPS_HEAD);
    eps_to(&r, 1800.0);
    sl_assert_abs(eps_pressure(&r, "B"), 18.0, EPS_HEAD);
    sl_assert_double(eps_get(&r, "pump.'U'.speed"), 1.2);
    eps_to(&r, 5399.0); /* OPEN says nothing to what is not closed: the valve holds on, the pump keeps its speed */
    sl_assert_abs(eps_pressure(&r, "B"), 18.0, EPS_HEAD);
    sl_assert_double(eps_get(&r, "pump.'U'.speed"), 1.2);
    eps_to(&r, 5400.0);
    assert_int_equal(eps_status(&r, "V"), SL_STATUS_CLOSED);
    assert_int_equal(eps_status(&r, "U"), SL_STATUS_CLOSED);
    eps_to(&r, 9000.0);
    assert_int_equal(eps_status(&r, "V"), SL_STATUS_OPEN);
    assert_true(eps_pressure(&r, "B") > 39.0);
    sl_assert_double(eps_get(&r, "pump.'U'.speed"), 1.0); /* OPEN is speed 1, not the last one */
    eps_end(&r);
}

/* A level that is crossed between two looks acts at the next: a tank of 10 m filled by 10 L/s rises 4.58 cm in 6 min. */
static void test_level_rule(void **state) {
    (void)state;
    eps_run r;
    eps_begin(
        &r,
        "[JUNCTIONS]\nJ 0 -10\n[RESERVOIRS]\nR 5\n[TANKS]\nT 0 1 0 5 10\n[PIPES]\nP J T 10 300 100\nLAMP R X 10 100 100\n"
        "[JUNCTIONS]\nX 0 0\n[TIMES]\nDURATION 6\n[OPTIONS]\nUNITS LPS\n"
        "[RULES]\nRULE 1\nIF TANK T LEVEL ABOVE 2\nTHEN PIPE LAMP STATUS IS CLOSED\n");
    double rise = 10.0 * EPS_LPS / (EPS_PI * 25.0);
    sl_assert_double(closed_at(&r, "LAMP"), 360.0 * ceil((1.0 - 0.001) / rise / 360.0));
    eps_end(&r);
}

/* Rules of every kind on what moves: thresholds near each other on one level, clocks around midnight, OR and ELSE. Each is about a
 * level, a time or both, and acts on one of two pipes. */
static void write_rules(char *text, size_t size) {
    static const char *const relations[] = {"<", "<=", ">", ">=", "=", "<>"};
    size_t n = 0;
    for (int i = 0; i < 96; i++) {
        char level[64], time[64];
        snprintf(level, sizeof level, "TANK %s LEVEL %s %.3f", i & 1 ? "T" : "S", relations[i % 6],
                 1.0 + 0.02 * ((i * 37) % 100));
        snprintf(time, sizeof time, "SYSTEM %s %d:%02d", i & 2 ? "CLOCKTIME >=" : "TIME =", (i * 7) % 24,
                 (i * 13) % 60);
        n += (size_t)snprintf(text + n, size - n, "RULE %d\nIF %s\n%s %s\n%s", i + 1, level, i % 8 == 5 ? "OR" : "AND",
                              time, i % 5 == 0 ? "AND LINK A STATUS IS OPEN\n" : "");
        n += (size_t)snprintf(text + n, size - n, "THEN PIPE %s STATUS IS %s\n%sPRIORITY %d\n\n", i % 3 ? "A" : "B",
                              (i / 2) % 2 ? "OPEN" : "CLOSED", i == 94 ? "ELSE PIPE B STATUS IS OPEN\n" : "",
                              i == 94 ? 0 : 1 + (i * 11) % 5);
    }
}

/* What an evaluation remembers of the one before changes nothing: a session that was begun for this step alone, and one that has
 * already been at the end, go on from a saved state as the session that has seen all steps. */
static void test_memory_of_the_last_evaluation(void **state) {
    (void)state;
    static const char *const net =
        "[JUNCTIONS]\nJ 0 0\nK 0 3\n[RESERVOIRS]\nR 22\n[TANKS]\nT 20 1.8 1 3 8\nS 20 2 1 3 9\n"
        "[PIPES]\nA R J 500 200 100\nB J K 500 200 100\nC J T 300 150 100\nD K S 300 150 100\n"
        "[PATTERNS]\nP 1 3 0 5 2 0 1 6\n[DEMANDS]\nK 3 P\n[TIMES]\nDURATION 30\nPATTERN TIMESTEP 0:45\nSTART CLOCKTIME 6 PM\n"
        "[OPTIONS]\nUNITS LPS\n[RULES]\n%s\n";
    static char rules[16384];
    write_rules(rules, sizeof rules);
    eps_run along, late;
    eps_begin(&along, net, rules);
    eps_begin(&late, net, rules);
    int32_t n_switch = 0;
    bool more = true;
    while (more) {
        eps_run fresh;
        eps_begin(&fresh, net, rules);
        eps_to(&late, sl_session_end(late.s));
        sl_bytes saved;
        sl_bytes_init(&saved, along.ctx);
        sl_sink sink = sl_bytes_sink(&saved);
        sl_assert_ok(sl_session_save(along.s, &sink));
        sl_assert_ok(sl_session_restore(fresh.s, saved.at, (size_t)saved.n));
        sl_assert_ok(sl_session_restore(late.s, saved.at, (size_t)saved.n));
        sl_bytes_fini(&saved);
        int was = eps_status(&along, "A") * 16 + eps_status(&along, "B");
        more = eps_step(&along);
        if (more) {
            assert_true(eps_step(&fresh) && eps_step(&late));
            eps_assert_same(along.s, fresh.s);
            eps_assert_same(along.s, late.s);
            n_switch += was != eps_status(&along, "A") * 16 + eps_status(&along, "B");
        }
        eps_end(&fresh);
    }
    assert_true(n_switch >= 10);
    eps_end(&along);
    eps_end(&late);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_limit_times),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_rule_step),
        cmocka_unit_test(test_logic),
        cmocka_unit_test(test_else),
        cmocka_unit_test(test_logic_is_told),
        cmocka_unit_test(test_priority),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_disabled),
        cmocka_unit_test(test_level_rule),
        cmocka_unit_test(test_memory_of_the_last_evaluation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
