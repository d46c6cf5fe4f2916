/* SPDX-License-Identifier: MIT */
/* test_memory.c: a warm step asks for no memory; every allocation that is refused is either survived or reported, and a
 * run that succeeds in spite of it gives the same bits. */
#include "eps_test.h"

static void test_warm_steps(void **state) {
    (void)state;
    for (int i = 0; eps_examples[i]; i++) {
        size_t n;
        char *bytes = eps_file(eps_examples[i], &n);
        eps_run r;
        eps_begin_bytes(&r, NULL, 1, bytes, n);
        free(bytes);
        for (int k = 0; k < 3; k++) {
            eps_step(&r);
        }
        int64_t asked = r.memory.n_request;
        int32_t said = sl_diags_size(sl_session_diags(r.s));
        while (eps_step(&r)) {
            if (sl_diags_size(sl_session_diags(r.s)) != said) { /* words need room; what is kept warm begins anew */
                said = sl_diags_size(sl_session_diags(r.s));
                asked = r.memory.n_request;
            }
            if (r.memory.n_request != asked) {
                print_error("%s at %g s\n", eps_examples[i], sl_session_time(r.s));
            }
            assert_int_equal(r.memory.n_request, asked);
        }
        eps_end(&r);
    }
}

static void test_refusals(void **state) {
    (void)state;
    /* Slender tanks, rules, controls, a pump, valves, emitters, leaks and demands under pressure. */
    static const char text[] =
        "[JUNCTIONS]\nJ 0 3 D\nK 0 2\nA 0 1\nB 0 1\n[RESERVOIRS]\nR 30\n[TANKS]\nT 20 3 0 9 3\nS 20 1 0 9 3\n"
        "[PIPES]\nP J T 10 300 100\nQ T S 10 300 100\nO S K 300 150 100 0 CV\nN J A 100 150 100\nM B K 200 100 90\n"
        "[PUMPS]\nU R J HEAD C\n[CURVES]\nC 20 20\n[VALVES]\nV A B 100 PRV 10\n[EMITTERS]\nK 0.1\n[LEAKAGE]\nN 10 1\n"
        "[PATTERNS]\nD 1 2 0.5\n[CONTROLS]\nLINK U CLOSED IF NODE T ABOVE 8\nLINK U OPEN IF NODE T BELOW 2\n"
        "[RULES]\nRULE 1\nIF SYSTEM TIME > 2\nAND TANK T LEVEL > 0\nTHEN VALVE V SETTING IS 12\n"
        "[TIMES]\nDURATION 6\n[OPTIONS]\nUNITS LPS\nDEMAND MODEL PDA\nREQUIRED PRESSURE 12\n";
    eps_refusals(&(eps_refusals_case){.text = text,
                                      .n = strlen(text),
                                      .set = "node.'J'.wanted",
                                      .shown = "tank.'T'.level",
                                      .t = {5000.0, 4.0 * 3600.0, 6.0 * 3600.0}});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warm_steps),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
