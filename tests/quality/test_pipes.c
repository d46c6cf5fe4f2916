/* SPDX-License-Identifier: MIT */
/* test_pipes.c: transport through pipes and nodes, in whole runs, against what can be written down.
 *
 * A step of dt reacts first and moves afterwards. Of a pipe of volume V at flow Q, s = V / (Q dt) = a + p steps' worth of
 * water (a whole, 0 <= p < 1), the far end gets per step the share 1 - p of what entered a steps ago and p of what entered
 * a + 1 steps ago: with a factor f per step (1 - p) f^a + p f^(a+1), without any other error. Of an age that is s dt: the
 * travel time itself.
 */
#include "eps/eps_test.h"

#include "base/out.h"

#define TINY 1e-11

static const char chain[] = "[RESERVOIRS]\nR 60\n[JUNCTIONS]\nA 0 0\nB 0 3\nC 0 7\n"
                            "[PIPES]\n1 R A 431 200 110\n2 A B 1000 180 110\n3 B C 77 150 110\n"
                            "[OPTIONS]\nUNITS LPS\nTOLERANCE 0\n"
                            "[TIMES]\nDURATION 12\nHYDRAULIC TIMESTEP 1:00\n";

static sl_eps_def with(bool exact) {
    sl_eps_def def = sl_eps_default();
    def.reactions = exact ? SL_REACTIONS_EXACT : SL_REACTIONS_EXPLICIT;
    return def;
}

static double volume(eps_run *r, const char *pipe) {
    double d = eps_get(r, "pipe.'%s'.diameter", pipe);
    return EPS_PI / 4.0 * d * d * eps_get(r, "pipe.'%s'.length", pipe);
}

/* Steps' worth of water in a pipe. */
static double steps_of(eps_run *r, const char *pipe, double dt) {
    return volume(r, pipe) / (fabs(eps_flow(r, pipe)) * dt);
}

static double passed(double s, double f) {
    double a = floor(s), p = s - a;
    return (1.0 - p) * pow(f, a) + p * pow(f, a + 1.0);
}

static double quality(eps_run *r, const char *node) {
    return eps_get(r, "node.'%s'.quality", node);
}

static double link_quality(eps_run *r, const char *link) {
    return eps_get(r, "link.'%s'.quality", link);
}

/* The mean over a pipe that has been fed 1 for long. */
static double mean_of(double s, double f) {
    double a = floor(s), sum = 0.0;
    for (int i = 0; i < (int)a; i++) {
        sum += pow(f, i);
    }
    return (sum + (s - a) * pow(f, a)) / s;
}

static void test_front(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "%sQUALITY TIMESTEP 0:05\n[OPTIONS]\nQUALITY Salt mg/L\n[QUALITY]\nR 1\n", chain);
    double dt = 300.0, s1 = steps_of(&r, "1", dt);
    assert_true(s1 > 3.0 && s1 < 11.0);
    for (int n = 1; n <= 12; n++) {
        eps_to(&r, n * dt);
        sl_assert_abs(quality(&r, "A"), fmin(fmax(n - s1, 0.0), 1.0), TINY);
        sl_assert_abs(link_quality(&r, "1"), fmin(n / s1, 1.0), TINY);
    }
    sl_assert_double(quality(&r, "C"), 0.0);
    eps_to(&r, 12.0 * 3600.0);
    sl_assert_double(quality(&r, "C"), 1.0);
    eps_end(&r);
}

static void decay(bool exact, double dt, double *error) {
    sl_eps_def def = with(exact);
    eps_run r;
    eps_begin_def(&r, &def,
                  "%sQUALITY TIMESTEP %g SEC\n[OPTIONS]\nQUALITY Chlorine mg/L\n[QUALITY]\nR 2\n"
                  "[REACTIONS]\nGLOBAL BULK -6\nBULK 2 -3\n",
                  chain, dt);
    eps_to(&r, 12.0 * 3600.0);
    double k = 6.0 / 86400.0, f = exact ? exp(-k * dt) : 1.0 - k * dt,
           f2 = exact ? exp(-k / 2.0 * dt) : 1.0 - k / 2 * dt;
    double s1 = steps_of(&r, "1", dt), s2 = steps_of(&r, "2", dt), s3 = steps_of(&r, "3", dt);
    double a = 2.0 * passed(s1, f), b = a * passed(s2, f2), c = b * passed(s3, f);
    sl_assert_rel(quality(&r, "R"), 2.0, TINY);
    sl_assert_rel(quality(&r, "A"), a, TINY);
    sl_assert_rel(quality(&r, "B"), b, TINY);
    sl_assert_rel(quality(&r, "C"), c, TINY);
    sl_assert_rel(link_quality(&r, "1"), 2.0 * mean_of(s1, f), TINY);
    sl_assert_rel(link_quality(&r, "2"), a * mean_of(s2, f2), TINY);
    *error = fabs(c - 2.0 * exp(-k * (s1 + 0.5 * s2 + s3) * dt));
    eps_end(&r);
}

/* Errors against c0 exp(-k x/u): of first order explicitly, of second exactly (it is the resolution of the segments). */
static void test_decay(void **state) {
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        double first, last;
        decay(exact, 600.0, &first);
        decay(exact, 300.0, &last);
        decay(exact, 6.0, &last);
        double order = log(first / last) / log(600.0 / 6.0);
        printf("%s: error %.2g at 600 s, %.2g at 6 s: order %.2f\n", exact ? "exact" : "explicit", first, last, order);
        assert_true(order > (exact ? 1.7 : 0.95) && last < (exact ? 2e-7 : 2e-4));
    }
}

static void test_age(void **state) {
    (void)state;
    eps_run r;
    eps_begin(
        &r,
        "%sQUALITY TIMESTEP 0:05\n[OPTIONS]\nQUALITY AGE\n"
        "[RESERVOIRS]\nS 60\n[JUNCTIONS]\nD 0 0\nE 0 0\n[PIPES]\n4 B S 900 100 110\n5 C D 50 100 110\n6 D E 10 50 110\n",
        chain);
    for (int n = 1; n < 8; n++) { /* what does not move grows as old as the run */
        eps_to(&r, 100.0 + n * 450.0);
        sl_assert_rel(quality(&r, "D"), sl_session_time(r.s) / 3600.0, TINY);
        sl_assert_rel(quality(&r, "E"), sl_session_time(r.s) / 3600.0, TINY);
        sl_assert_rel(link_quality(&r, "5"), sl_session_time(r.s) / 3600.0, TINY);
    }
    eps_to(&r, 12.0 * 3600.0);
    double dt = 300.0, h = dt / 3600.0, s1 = steps_of(&r, "1", dt), s2 = steps_of(&r, "2", dt),
           s3 = steps_of(&r, "3", dt);
    double q2 = eps_flow(&r, "2"), q4 = -eps_flow(&r, "4"), s4 = steps_of(&r, "4", dt);
    assert_true(q4 > 0.0);
    sl_assert_double(quality(&r, "R"), 0.0);
    sl_assert_rel(quality(&r, "A"), s1 * h, TINY);
    double b = (q2 * (s1 + s2) + q4 * s4) * h / (q2 + q4);
    sl_assert_rel(quality(&r, "B"), b, 1e-6); /* junctions balance to the solver's accuracy */
    sl_assert_rel(quality(&r, "C"), b + s3 * h, 1e-6);
    sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-12);
    eps_end(&r);
}

/* Bores and lengths may be set before the start; saved and restored with the rest. */
static void test_other_pipes(void **state) {
    (void)state;
    eps_run r, again;
    static const char more[] = "QUALITY TIMESTEP 0:05\n[OPTIONS]\nQUALITY AGE\n";
    eps_begin(&r, "%s%s", chain, more);
    eps_begin(&again, "%s%s", chain, more);
    sl_session_destroy(r.s);
    sl_assert_ok(sl_session_create(r.ctx, r.model, r.diags, &r.s));
    eps_set(&r, 0.3, "pipe.'1'.diameter");
    eps_set(&r, 1500.0, "pipe.'1'.length");
    eps_to(&r, 5 * 3600.0 + 1000.0);
    sl_bytes saved;
    sl_bytes_init(&saved, r.ctx);
    sl_sink sink = sl_bytes_sink(&saved);
    sl_assert_ok(sl_session_save(r.s, &sink));
    sl_assert_ok(sl_session_restore(again.s, saved.at, (size_t)saved.n));
    sl_bytes_fini(&saved);
    eps_to(&r, 12.0 * 3600.0);
    eps_to(&again, 12.0 * 3600.0);
    eps_assert_same(r.s, again.s);
    sl_assert_rel(volume(&r, "1"), EPS_PI / 4.0 * 0.09 * 1500.0, 1e-15);
    sl_assert_rel(quality(&r, "A"), steps_of(&r, "1", 300.0) / 12.0, TINY);
    sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-12);
    eps_end(&r);
    eps_end(&again);
}

static void test_trace(void **state) {
    (void)state;
    eps_run r;
    sl_eps_def def = sl_eps_default();
    def.head_error = 1e-10; /* the sum of 12 solutions is compared with 12 times the last one */
    eps_begin_def(
        &r, &def,
        "%sQUALITY TIMESTEP 0:05\n[OPTIONS]\nQUALITY TRACE S\n[RESERVOIRS]\nS 60\n[PIPES]\n4 S B 900 100 110\n", chain);
    eps_to(&r, 12.0 * 3600.0);
    double q2 = eps_flow(&r, "2"), q4 = eps_flow(&r, "4");
    sl_assert_double(quality(&r, "S"), 100.0);
    sl_assert_double(quality(&r, "A"), 0.0);
    sl_assert_rel(quality(&r, "B"), 100.0 * q4 / (q2 + q4), 1e-9);
    sl_assert_rel(quality(&r, "C"), 100.0 * q4 / (q2 + q4), 1e-9);
    sl_assert_rel(eps_get(&r, "quality.source"), 100.0 * q4 * 12.0 * 3600.0, 1e-9);
    eps_end(&r);
}

/* Only the newest quality step of water is exchanged when the flow turns: what went in comes out, last in first. */
static void test_reversal(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r, "[TANKS]\nT 20 5 0 9 20\n[JUNCTIONS]\nJ 0 5 UP\n[PIPES]\nP T J 2000 300 110\n[PATTERNS]\nUP 1 -1\n"
                  "[TIMES]\nDURATION 4\nQUALITY TIMESTEP 0:10\n[OPTIONS]\nUNITS LPS\nTOLERANCE 0\nQUALITY Salt mg/L\n"
                  "[QUALITY]\nT 3\nJ 1\n[MIXING]\nT LIFO\n");
    double v = volume(&r, "P"), q = eps_flow(&r, "P");
    eps_to(&r, 3600.0);
    sl_assert_rel(link_quality(&r, "P"), (q * 3600.0 * 3.0 + (v - q * 3600.0) * 1.0) / v, TINY);
    sl_assert_double(quality(&r, "J"), 1.0);
    eps_to(&r, 7200.0); /* clean water from J; the slug is back in the tank */
    sl_assert_rel(link_quality(&r, "P"), (v - q * 3600.0) * 1.0 / v, 1e-6);
    sl_assert_rel(quality(&r, "T"), 3.0, 1e-6);
    sl_assert_double(quality(&r, "J"), 0.0);
    eps_to(&r, 4.0 * 3600.0);
    sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-13);
    eps_end(&r);
}

/* Water at rest reacts where it lies; nodes without inflow follow their pipes. */
static void test_dead_end(void **state) {
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        sl_eps_def def = with(exact);
        eps_run r;
        eps_begin_def(
            &r, &def,
            "%sQUALITY TIMESTEP 0:05\n[OPTIONS]\nQUALITY Chlorine mg/L\n[JUNCTIONS]\nD 0 0\n[PIPES]\n5 C D 50 100 "
            "110\n[QUALITY]\nR 2\nD 4\n[REACTIONS]\nGLOBAL BULK -5\n",
            chain);
        double f = exact ? exp(-5.0 / 86400.0 * 300.0) : 1.0 - 5.0 / 86400.0 * 300.0;
        for (int n = 1; n <= 24; n++) {
            eps_to(&r, n * 300.0);
            sl_assert_rel(quality(&r, "D"), 4.0 * pow(f, n), TINY);
            sl_assert_rel(link_quality(&r, "5"), 4.0 * pow(f, n), TINY);
            /* the rate shown is that of the last quality step */
            sl_assert_rel(eps_get(&r, "link.'5'.reaction"), 4.0 * pow(f, n - 1) * (1.0 - f) / 300.0, 1e-9);
        }
        eps_end(&r);
    }
}

/* Wall coefficients by roughness are those of the formulas. */
static void test_roughness_correlation(void **state) {
    (void)state;
    static const struct {
        const char *law;
        double roughness, wall; /* of factor -20, bore 200 mm; D-W roughness in mm */
    } cases[] = {{"H-W", 110.0, -20.0 / 110.0}, {"D-W", 0.5, 0.0}, {"C-M", 0.012, -20.0 * 0.012}};
    for (int i = 0; i < 3; i++) {
        double c[2], wall = i == 1 ? -20.0 / fabs(log(0.0005 / 0.2)) : cases[i].wall;
        for (int k = 0; k < 2; k++) {
            eps_run r;
            char line[64];
            snprintf(line, sizeof line, k ? "WALL 1 %.17g" : "ROUGHNESS CORRELATION %.17g", k ? wall : -20.0);
            eps_begin(
                &r,
                "[RESERVOIRS]\nR 60\n[JUNCTIONS]\nA 0 5\n[PIPES]\n1 R A 900 200 %g\n[OPTIONS]\nUNITS LPS\nHEADLOSS "
                "%s\nQUALITY Chlorine mg/L\n[QUALITY]\nR 1\n[REACTIONS]\n%s\n[TIMES]\nDURATION 6\n",
                cases[i].roughness, cases[i].law, line);
            eps_to(&r, 6 * 3600.0);
            c[k] = quality(&r, "A");
            assert_true(eps_get(&r, "quality.wall") > 0.0);
            eps_end(&r);
        }
        assert_true(c[0] > 0.0 && c[0] < 0.999);
        sl_assert_rel(c[0], c[1], 1e-9);
    }
}

/* First order at the wall through mass transfer, turbulent and laminar, in a whole run. */
static void test_wall_run(void **state) {
    (void)state;
    for (int slow = 0; slow < 2; slow++) {
        sl_eps_def def = with(true);
        eps_run r;
        eps_begin_def(
            &r, &def,
            "[RESERVOIRS]\nR 60\n[JUNCTIONS]\nA 0 %g\n[PIPES]\n1 R A 500 200 110\n[OPTIONS]\nUNITS LPS\nTOLERANCE "
            "0\nQUALITY Chlorine mg/L\n[QUALITY]\nR 1\n[REACTIONS]\nGLOBAL WALL -0.5\nGLOBAL BULK -0.3\n[TIMES]\n"
            "DURATION 48\n",
            slow ? 0.2 : 4.0);
        eps_to(&r, 48 * 3600.0);
        double q = eps_flow(&r, "1"), d = 0.2, nu = EPS_VISCOSITY, diff = 1.3e-8 * EPS_FOOT * EPS_FOOT;
        double re = q / (EPS_PI / 4 * d * d) * d / nu, sc = nu / diff, y = d / 500.0 * re * sc;
        double sh = slow ? 3.65 + 0.0668 * y / (1.0 + 0.04 * pow(y, 0.667)) : 0.0149 * pow(re, 0.88) * pow(sc, 0.333);
        double kf = sh * diff / d, kw = 0.5 / 86400.0, k = 0.3 / 86400.0 + 4.0 / d * kw * kf / (kf + kw);
        assert_true(slow ? re < 2300.0 && re > 1.0 : re > 2300.0);
        sl_assert_rel(quality(&r, "A"), passed(steps_of(&r, "1", 360.0), exp(-k * 360.0)), 1e-7); /* flow: solver */
        sl_assert_rel(eps_get(&r, "quality.wall") / eps_get(&r, "quality.bulk"), (k - 0.3 / 86400.0) / (0.3 / 86400.0),
                      1e-6);
        eps_end(&r);
    }
}

/* With every quality step seen: what was consumed is the sum of quality times demand; what is stored is means times
 * volumes. */
static void test_terms(void **state) {
    (void)state;
    eps_run r;
    eps_begin(&r,
              "%sQUALITY TIMESTEP 0:05\n[OPTIONS]\nQUALITY Chlorine mg/L\nPATTERN D\n[PATTERNS]\nD 1 0.3 1.8 0\n"
              "[QUALITY]\nR 2\nB 1\n[REACTIONS]\nGLOBAL BULK -4\n[SOURCES]\nB FLOWPACED 0.5 D\n",
              chain);
    double consumed = 0.0, given = 0.0, dosed = 0.0;
    while (sl_session_time(r.s) < 12 * 3600.0) {
        double out_b = eps_get(&r, "node.'B'.demand"), out_c = eps_get(&r, "node.'C'.demand"), in = eps_flow(&r, "1");
        double factor = (const double[]){1.0, 0.3, 1.8, 0.0}[(int)(sl_session_time(r.s) / 3600.0) % 4];
        eps_to(&r, sl_session_time(r.s) + 300.0);
        consumed += 300.0 * (out_b * quality(&r, "B") + out_c * quality(&r, "C"));
        given += 300.0 * in * 2.0;
        dosed += 300.0 * (out_b + out_c) * 0.5 * factor;
    }
    sl_assert_rel(eps_get(&r, "quality.consumed"), consumed, 1e-9);
    sl_assert_rel(eps_get(&r, "quality.reservoir"), given, 1e-9);
    sl_assert_rel(eps_get(&r, "quality.source"), dosed, 1e-9);
    sl_assert_rel(eps_get(&r, "quality.initial"), volume(&r, "2") * 1.0, 1e-13);
    double stored = 0.0;
    for (int i = 0; i < 3; i++) {
        const char *pipe = (const char *[]){"1", "2", "3"}[i];
        stored += volume(&r, pipe) * link_quality(&r, pipe);
    }
    sl_assert_rel(eps_get(&r, "quality.stored"), stored, 1e-12);
    sl_assert_rel(eps_get(&r, "quality.bulk"), eps_get(&r, "quality.initial") + given + dosed - consumed - stored,
                  1e-8);
    sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-13);
    eps_end(&r);
}

/* Behind a closed pump a loop and a branch whose flows are below 0.005 gpm: they keep what they hold, or lose it by reactions
 * alone. D draws 2e-7 m3/s, which is less; with 4e-7 its branch moves. */
static void at_rest(double draw, double bulk, double after) {
    eps_run r;
    sl_eps_def def = with(true);
    eps_begin_def(
        &r, &def,
        "[RESERVOIRS]\nR 60\nQ 70\n[JUNCTIONS]\nA 0 0\nB 0 0\nC 0 0\nD 0 %g\nX 0 0\n[PIPES]\n1 A B 100 200 110\n"
        "2 A C 1 200 110\n3 C B 300 20 110\n4 Q A 1 20 110\n5 A D 1 20 110\n[PUMPS]\nU R X POWER 1\n[VALVES]\n"
        "V X A 200 TCV 0\n[STATUS]\nU CLOSED\n[QUALITY]\nR 1\nQ 7\nA 0.5\nB 0.25\nC 0.75\nD 0\nX 2\n[OPTIONS]\n"
        "UNITS LPS\nTOLERANCE 0\nQUALITY Salt mg/L\n[REACTIONS]\nGLOBAL BULK %g\n[TIMES]\nDURATION 24\n"
        "QUALITY TIMESTEP 0:05\n",
        draw, bulk);
    for (int hour = 1; hour <= 24; hour++) {
        double f = exp(bulk * hour / 24.0);
        eps_to(&r, hour * 3600.0);
        sl_assert_abs(quality(&r, "B"), 0.25 * f, TINY);
        sl_assert_abs(quality(&r, "C"), 0.75 * f, TINY);
        sl_assert_abs(quality(&r, "X"), 2.0, 0.0); /* no pipe, nothing that reacts */
        sl_assert_abs(link_quality(&r, "U"), 1.0, 0.0);
        sl_assert_abs(link_quality(&r, "V"), 2.0, 0.0);
        sl_assert_abs(link_quality(&r, "1"), 0.25 * f, TINY);
        sl_assert_abs(eps_get(&r, "quality.ratio"), 1.0, 1e-13);
    }
    sl_assert_abs(quality(&r, "D"), after, TINY);
    sl_assert_abs(eps_get(&r, "quality.consumed") > 0.0, after > 0.0, 0.0);
    eps_end(&r);
}

static void test_at_rest(void **state) {
    (void)state;
    at_rest(0.0, 0.0, 0.0);
    at_rest(2e-4, 0.0, 0.0);
    at_rest(2e-4, -0.5, 0.0);
    at_rest(4e-4, 0.0, 7.0); /* 35 L in a day through 0.6 L */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_front),
        cmocka_unit_test(test_decay),
        cmocka_unit_test(test_age),
        cmocka_unit_test(test_trace),
        cmocka_unit_test(test_other_pipes),
        cmocka_unit_test(test_reversal),
        cmocka_unit_test(test_dead_end),
        cmocka_unit_test(test_at_rest),
        cmocka_unit_test(test_roughness_correlation),
        cmocka_unit_test(test_wall_run),
        cmocka_unit_test(test_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
