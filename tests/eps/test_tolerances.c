/* SPDX-License-Identifier: MIT */
/* test_tolerances.c: how near a solution that is called balanced is to the exact one, where the limits of heads say nothing:
 * flows within EPS_FLOW of the largest one, water at junctions within 1e-6 of what enters. */
#include "eps_test.h"

/* Two reservoirs whose levels become equal are joined by a short pipe: nothing flows in it then. Newton's trials reach a flow
 * of zero slowly (q falls to 1 - 1/1.852 of it per trial), and its loss is below the limit of heads from the first on. The
 * long main beside it has most of all flows, so that the sum of changes is small from the first trial on, too. */
static void test_flow(void **state) {
    (void)state;
    enum { MAIN = 50 };
    char junctions[MAIN * 16] = "", pipes[MAIN * 40] = "";
    for (int k = 1, nj = 0, np = 0; k <= MAIN; k++) {
        if (k < MAIN) {
            nj += snprintf(junctions + nj, sizeof junctions - (size_t)nj, "J%d 0 0\n", k);
        }
        np += k == 1      ? snprintf(pipes + np, sizeof pipes - (size_t)np, "M1 R J1 100 300 100\n")
              : k == MAIN ? snprintf(pipes + np, sizeof pipes - (size_t)np, "M%d J%d T 100 300 100\n", k, k - 1)
                          : snprintf(pipes + np, sizeof pipes - (size_t)np, "M%d J%d J%d 100 300 100\n", k, k - 1, k);
    }
    for (int i = 1; i <= 20; i++) {
        eps_run r;
        eps_begin(&r,
                  "[JUNCTIONS]\n%s[RESERVOIRS]\nR 50\nS 50 FALL\nT 20\n[PIPES]\n%sBRIDGE S R 10 400 140\n"
                  "[PATTERNS]\nFALL %.17g 1\n[TIMES]\nDURATION 1\n[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\n",
                  junctions, pipes, 1.0 + 2e-8 * i);
        double largest = eps_flow(&r, "M1");
        assert_true(eps_flow(&r, "BRIDGE") > 100.0 * EPS_FLOW * largest);
        eps_to(&r, 3600.0);
        sl_assert_double(eps_get(&r, "solver.balanced"), 1.0);
        /* A flow q there stands for a residual of q/1.852. */
        sl_assert_abs(eps_flow(&r, "BRIDGE"), 0.0, 1.852 * (EPS_FLOW * largest + 1e-9));
        eps_end(&r);
    }
}

/* Steps of 0.6 from the first trial on: every trial leaves 0.4 of what the junctions lack, so that the limit on water is
 * what ends the trials. */
static void test_mass(void **state) {
    (void)state;
    for (int i = 1; i <= 20; i++) {
        eps_run r;
        eps_begin(
            &r,
            "[JUNCTIONS]\nA 0 10\nB 0 %d\nC 0 5\n[RESERVOIRS]\nR 50\n[PIPES]\nPA R A 1000 300 100\nPB R B 700 300 100\n"
            "AB A B 500 200 100\nAC A C 500 200 100\nBC B C 800 200 100\n"
            "[OPTIONS]\nUNITS LPS\nACCURACY 1e-5\nDAMPLIMIT 10\n",
            i);
        sl_assert_double(eps_get(&r, "solver.balanced"), 1.0);
        double entering = eps_flow(&r, "PA") + eps_flow(&r, "PB");
        sl_assert_abs(entering, (15.0 + i) * EPS_LPS, 3.0 * fmax(1e-6 * entering, 1e-9));
        sl_assert_abs(eps_flow(&r, "AC") + eps_flow(&r, "BC"), 5.0 * EPS_LPS, fmax(1e-6 * entering, 1e-9));
        eps_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flow),
        cmocka_unit_test(test_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
