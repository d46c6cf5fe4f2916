/* SPDX-License-Identifier: MIT */
/* test_whole.c: properties of whole runs on the network of rich.h: linearity, and convergence as the quality step shrinks. */
#include "rich.h"

static void begin(eps_run *r, const char *options, double dt) {
    size_t n;
    sl_eps_def def = sl_eps_default();
    def.reactions = SL_REACTIONS_EXACT;
    char *text = rich_text(1, &n);
    *strstr(text, "[END]") = '\0';
    eps_begin_def(r, &def, "%s[OPTIONS]\nTOLERANCE 0\n%s\n[TIMES]\nQUALITY TIMESTEP %g SEC\n", text, options, dt);
    free(text);
}

/* Without reactions what a mixture of waters carries is the sum of what each brings, at every node and time. */
static void test_superposition(void **state) {
    (void)state;
    eps_run all, part[3];
    begin(&all, "QUALITY Salt mg/L\n[QUALITY]\nR 3\nS 5\n[SOURCES]\nIN CONCEN 11", 420.0);
    begin(&part[0], "QUALITY TRACE R", 420.0);
    begin(&part[1], "QUALITY TRACE S", 420.0);
    begin(&part[2], "QUALITY TRACE IN", 420.0);
    static const double strength[] = {3.0, 5.0, 11.0};
    double most = 0.0;
    /* A traced node begins with itself in the pipes that end at it; of a chemical that is clean water. */
    for (int i = 0; i < 3; i++) {
        sl_assert_double(eps_get(&part[i], "quality.initial"), 0.0);
    }
    do {
        int32_t n, field = sl_session_field(all.s, "node.quality");
        const double *x = sl_session_view(all.s, field, &n), *y[3];
        for (int i = 0; i < 3; i++) {
            y[i] = sl_session_view(part[i].s, field, &n);
        }
        for (int32_t k = 0; sl_session_time(all.s) > 0.0 && k < n; k++) {
            double sum = 0.0;
            for (int i = 0; i < 3; i++) {
                sum += strength[i] * y[i][k] / 100.0;
            }
            sl_assert_abs(x[k], sum, 1e-9);
            most = fmax(most, x[k]);
        }
        for (int i = 0; i < 3; i++) {
            eps_step(&part[i]);
        }
    } while (eps_step(&all));
    assert_true(most > 4.0);
    eps_end(&all);
    for (int i = 0; i < 3; i++) {
        eps_end(&part[i]);
    }
}

/* The sum over all nodes of the distance to a run with small steps, at several times. */
static double distance(const char *options, double dt, eps_run *fine) {
    eps_run r;
    double sum = 0.0;
    begin(&r, options, dt);
    for (int h = 6; h <= 30; h += 6) {
        int32_t n, field = sl_session_field(r.s, "node.quality");
        eps_to(&r, h * 3600.0);
        if (sl_session_time(fine->s) < h * 3600.0) {
            eps_to(fine, h * 3600.0);
        }
        if (h == 30) {
            const double *x = sl_session_view(r.s, field, &n), *y = sl_session_view(fine->s, field, &n);
            for (int32_t i = 0; i < n; i++) {
                sum += fabs(x[i] - y[i]);
            }
        }
    }
    eps_end(&r);
    return sum;
}

static void test_converges(void **state) {
    (void)state;
    static const char *const options[] = {"QUALITY Chlorine mg/L\n[QUALITY]\nR 1.2\nS 0.4\nA 0.8\nB 0.7\nC 0.6\nD 0.5\n"
                                          "[REACTIONS]\nGLOBAL BULK -2\nGLOBAL WALL -0.3",
                                          "QUALITY AGE"};
    for (int k = 0; k < 2; k++) {
        eps_run fine;
        begin(&fine, options[k], 5.0);
        double first = distance(options[k], 720.0, &fine), second = distance(options[k], 240.0, &fine);
        double third = distance(options[k], 80.0, &fine), order = log(first / third) / log(9.0);
        printf("%s: off by %.3g, %.3g, %.3g at steps of 720, 240, 80 s: order %.2f\n", k ? "age" : "chlorine", first,
               second, third, order);
        assert_true(second < first && third < second);
        assert_true(order > 0.7);
        eps_end(&fine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_superposition),
        cmocka_unit_test(test_converges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
