/* SPDX-License-Identifier: MIT */
/* test_events.c: events of networks with the causes by hand, releases of what sets hold, and states with emitters. */
#include "eps_test.h"

#include "base/out.h"

/* The first event of this kind and element at or after t, or NULL's time of NaN. */
static sl_event_info find_event(const eps_run *r, const char *kind, const char *element, double t) {
    sl_event_info e = {.size = sizeof e},
                  none = {.size = sizeof none, .time = (double)NAN, .cause = "", .element_class = ""};
    for (int64_t i = 0; i < sl_session_n_event(r->s); i++) {
        sl_assert_ok(sl_session_event(r->s, i, &e));
        if (strcmp(e.kind, kind) == 0 && strcmp(e.element, element) == 0 && e.time >= t) {
            return e;
        }
    }
    return none;
}

static void assert_event(const eps_run *r, const char *kind, const char *element, double t, double from, double to,
                         const char *cause) {
    sl_event_info e = find_event(r, kind, element, t);
    sl_assert_double(e.time, t);
    sl_assert_double(e.from, from);
    sl_assert_double(e.to, to);
    assert_string_equal(e.cause, cause);
}

enum { CLOSED = 2, OPEN = 3, ACTIVE = 4, TEMP_CLOSED = 1 }; /* sl_out_status */

/* A pump with a speed pattern, controls of a time and of a pressure, a rule, a check valve behind which the head rises, a tank that
 * fills. */
static const char town[] =
    "[JUNCTIONS]\nA 0 5 %s\nB 0 5\nC 0 2\nD 0 0\n[RESERVOIRS]\nR 10\nS 30 UP\n"
    "[TANKS]\nT 40 1 0 3 5 0\n"
    "[PIPES]\nP1 A B 100 300 120 0\nP2 B T 200 200 120 0\nP3 B C 50 200 120 0\nP4 C D 50 200 120 0\nP5 S D 50 200 120 0 CV\n"
    "[PUMPS]\nM R A HEAD 1 PATTERN SPEED\n[CURVES]\n1 20 60\n"
    "[PATTERNS]\nSPEED 1 1 0.9 1\nUP 1 1 1 3\n"
    "[CONTROLS]\nLINK P4 CLOSED AT TIME 2\nLINK P4 OPEN AT TIME 3\n"
    "[RULES]\nRULE night\nIF SYSTEM TIME >= 4\nTHEN PIPE P3 STATUS = CLOSED\n"
    "[TIMES]\nDURATION 6\nHYDRAULIC TIMESTEP 1\nPATTERN TIMESTEP 1\n[OPTIONS]\nUNITS LPS\n[END]\n";

static void test_causes(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, town, "");
    sl_assert_ok(sl_session_record_events(r.s, true));
    (void)eps_to(&r, 6 * 3600.0);
    assert_event(&r, "setting", "M", 2 * 3600.0, 1.0, 0.9, "pattern 'SPEED'");
    assert_event(&r, "setting", "M", 3 * 3600.0, 0.9, 1.0, "pattern 'SPEED'");
    assert_event(&r, "status", "P4", 2 * 3600.0, OPEN, CLOSED, "control of line 25");
    assert_event(&r, "status", "P4", 3 * 3600.0, CLOSED, OPEN, "control of line 26");
    assert_event(&r, "status", "P3", 4 * 3600.0, OPEN, CLOSED, "rule 'night'");
    sl_event_info e = find_event(&r, "status", "P5", 0.0);
    assert_string_equal(e.cause, "check valve");
    assert_string_equal(e.element_class, "link");
    assert_string_equal(e.quantity, "status");
    e = find_event(&r, "full", "T", 0.0);
    assert_string_equal(e.element_class, "tank");
    sl_assert_near(e.to, 3.0, 1e-9, 0.0);
    sl_event_info shut = find_event(&r, "status", "P2", e.time);
    sl_assert_double(shut.time, e.time);
    sl_assert_double(shut.to, TEMP_CLOSED);
    assert_string_equal(shut.cause, "full tank 'T'");
    eps_end(&r);
}

/* Statuses follow the events: what an element shows is what the last event about it left. */
static void test_events_are_the_statuses(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, town, "");
    static const char *const links[] = {"P1", "P2", "P3", "P4", "P5", "M"};
    double status[6];
    for (int i = 0; i < 6; i++) {
        status[i] = eps_status(&r, links[i]);
    }
    sl_assert_ok(sl_session_record_events(r.s, true));
    int64_t seen = 0;
    while (eps_step(&r)) {
        for (; seen < sl_session_n_event(r.s); seen++) {
            sl_event_info e = {.size = sizeof e};
            sl_assert_ok(sl_session_event(r.s, seen, &e));
            for (int i = 0; i < 6; i++) {
                if (strcmp(e.quantity, "status") == 0 && strcmp(e.element, links[i]) == 0) {
                    sl_assert_double(e.from, status[i]);
                    status[i] = e.to;
                }
            }
        }
        for (int i = 0; i < 6; i++) {
            sl_assert_double(eps_status(&r, links[i]), status[i]);
        }
    }
    assert_true(seen > 6);
    eps_end(&r);
}

/* ---- Releases ----------------------------------------------------------------------------------- */

static void release(eps_run *r, const char *name) {
    sl_var v;
    sl_assert_ok(sl_session_find(r->s, name, &v));
    sl_assert_ok(sl_session_release(r->s, &v, 1));
}

static void test_releases(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double set, file; /* what it is at four and a half hours without a set */
    } rows[] = {{"node.'A'.wanted", 0.001, 0.005}, {"reservoir.'S'.head", 31.0, 30.0},   {"pump.'M'.speed", 0.95, 1.0},
                {"link.'M'.setting", 0.95, 1.0},   {"pipe.'P1'.roughness", 90.0, 120.0}, {"pipe.'P1'.minor", 3.0, 0.0},
                {"link.'P1'.setting", 90.0, 120.0}};
    eps_run r;
    eps_begin(&r, town, "");
    (void)eps_to(&r, 2700.0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        eps_set(&r, rows[i].set, "%s", rows[i].name);
    }
    (void)eps_to(&r, 4.5 * 3600.0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sl_assert_double(eps_get(&r, "%s", rows[i].name), rows[i].set);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows;
         i++) { /* two of them by two names: the second release finds nothing held */
        release(&r, rows[i].name);
        sl_assert_near(eps_get(&r, "%s", rows[i].name), rows[i].file, 1e-4, 0.0);
    }
    (void)eps_to(&r, 4.6 * 3600.0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sl_assert_near(eps_get(&r, "%s", rows[i].name), rows[i].file, 1e-4, 0.0);
    }
    (void)eps_to(&r, 6 * 3600.0); /* the patterns rule again: 0.9 from two to three hours, once in four */
    sl_assert_double(eps_get(&r, "pump.'M'.speed"), 0.9);
    eps_end(&r);
}

/* ---- Elements of one field ---------------------------------------------------------------------- */

static void test_units_of_settings(void **state) {
    (void)state;
    static const struct {
        const char *link, *unit;
    } rows[] = {{"P", "m"}, {"M", "1"}, {"V", "m"}, {"F", "m3/s"}, {"T", "1"}};
    eps_run r;
    eps_begin(
        &r,
        "[JUNCTIONS]\nA 0 1\nB 0 1\nC 0 1\nD 0 1\nE 0 1\nG 0 1\n[RESERVOIRS]\nR 50\n[PIPES]\nP A B 10 200 0.1 0\nQ C G 10 200 0.1 0\n"
        "[PUMPS]\nM R A POWER 5\n[VALVES]\nV B C 200 PRV 20 0\nF G D 200 FCV 30 0\nT D E 200 TCV 5 0\n"
        "[OPTIONS]\nUNITS LPS\nHEADLOSS D-W\n[END]\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[64];
        sl_var v;
        sl_var_info info = {.size = sizeof info};
        snprintf(name, sizeof name, "link.'%s'.setting", rows[i].link);
        sl_assert_ok(sl_session_find(r.s, name, &v));
        sl_assert_ok(sl_session_var(r.s, (uint32_t)sl_session_ref(r.s, v), &info));
        assert_string_equal(info.unit, rows[i].unit);
    }
    eps_end(&r);
}

/* ---- States with outlets ------------------------------------------------------------------------ */

/* One emitter, at a junction of a high number: the solver names the worst outlet by its node. */
static void test_states_with_one_emitter(void **state) {
    (void)state;
    static const char text[] =
        "[JUNCTIONS]\nA 0 1\nB 0 1\nC 0 1\nD 0 1\nE 0 1\nF 0 1\n[RESERVOIRS]\nR 50\n"
        "[PIPES]\n1 R A 100 200 120 0\n2 A B 100 200 120 0\n3 B C 100 200 120 0\n4 C D 100 200 120 0\n"
        "5 D E 100 200 120 0\n6 E F 100 200 120 0\n[EMITTERS]\nF 3\n"
        "[TIMES]\nDURATION 5\n[OPTIONS]\nUNITS LPS\n%s[END]\n";
    eps_run r, other;
    for (int tight = 0; tight < 2; tight++) {
        const char *more = tight ? "ACCURACY 1e-8\nTRIALS 1\n" : "";
        eps_begin(&r, text, more);
        eps_begin(&other, text, more);
        while (eps_step(&r)) {
            sl_bytes bytes;
            sl_bytes_init(&bytes, r.ctx);
            sl_sink sink = sl_bytes_sink(&bytes);
            sl_assert_ok(sl_session_save(r.s, &sink));
            sl_assert_ok(sl_session_restore(other.s, bytes.at, (size_t)bytes.n));
            sl_bytes_fini(&bytes);
            sl_assert_bits(eps_get(&other, "node.'F'.emitter"), eps_get(&r, "node.'F'.emitter"));
        }
        eps_end(&r);
        eps_end(&other);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_causes),
        cmocka_unit_test(test_events_are_the_statuses),
        cmocka_unit_test(test_releases),
        cmocka_unit_test(test_units_of_settings),
        cmocka_unit_test(test_states_with_one_emitter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
