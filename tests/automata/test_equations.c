/* SPDX-License-Identifier: MIT */
/* Discrete derivatives (definition 3.1.2) of random equations against every vector tried: what has jumps is not linear. */
#include "automata_test.h"
#include "brute.h"

static void expect(const char *equation, int n_value, int n_solution, const int *solutions) {
    fixture f;
    const int32_t q0[] = {0};
    fixture_init(&f);
    fixture_variable(&f, "q", n_value);
    fixture_transition(&f, "", equation, "true");
    fixture_finish(&f);
    sl_sda_run *run = fixture_run(&f, q0, NULL);
    assert_int_equal(sl_sda_run_n_choice(run), n_solution);
    for (int k = 0; k < n_solution; k++) {
        assert_int_equal(sl_sda_run_derivative(run, k, 0), solutions[k]);
    }
    sl_sda_run_destroy(run);
    fixture_fini(&f);
}

static void what_has_jumps_is_not_linear(void **state) {
    (void)state;
    expect("mod(der(q) + 3, 3) = 1", 3, 2, (int[]){-2, 1});
    expect("mod(3*der(q), 2) = 1", 2, 2, (int[]){-1, 1});
    expect("mod(3*der(q), 2) = 1", 4, 4, (int[]){-3, -1, 1, 3});
    expect("der(q) + floor(der(q)/2) = 1", 4, 1, (int[]){1});
    expect("der(q) + floor(der(q)/2) = 2", 4, 0, NULL);
    expect("der(q) + ceil(der(q)/2) = 3", 4, 1, (int[]){2});
    expect("der(q) + (der(q) > 0) = 2", 3, 1, (int[]){1});
    expect("der(q) - (der(q) > 0) = 0", 3, 2, (int[]){0, 1});
    expect("der(q) + sign(der(q)) = 2", 3, 1, (int[]){1});
    expect("der(q) - abs(der(q)) = 0", 3, 3, (int[]){0, 1, 2});
    expect("min(der(q), 1) = 1", 3, 2, (int[]){1, 2});
    expect("max(der(q), -1) = -1", 3, 2, (int[]){-2, -1});
    expect("if(der(q) > 0, der(q) - 2, der(q) + 1) = 0", 3, 2, (int[]){-1, 2});
    expect("der(q)^2 = 4", 3, 2, (int[]){-2, 2});
    expect("der(q)^3 = -8", 3, 1, (int[]){-2});
    expect("2/der(q) = 1", 3, 1, (int[]){2});
    expect("mod(der(q), 3) + der(q) = 0", 3, 1, (int[]){0});
    /* ... and what is linear stays explicit. */
    expect("if(q > 0, der(q), der(q)) = 1", 3, 1, (int[]){1});
    expect("0.1*(der(q) - 1)/0.3 + q = 0", 3, 1, (int[]){1});
}

/* ---- Random equations --------------------------------------------------------------------------- */

static int random_leaf(brute *b, uint64_t *seed, bool der) {
    int64_t k = sl_test_below(seed, der ? 10 : 6);
    if (k >= 6) {
        return brute_leaf(b, BRUTE_DER, (int)sl_test_below(seed, b->n));
    }
    return k < 3 ? brute_leaf(b, BRUTE_VARIABLE, (int)sl_test_below(seed, b->n))
                 : brute_number(b, (double)sl_test_below(seed, 4));
}

static int random_expr(brute *b, uint64_t *seed, int size, bool der) {
    static const brute_op two[] = {BRUTE_ADD, BRUTE_SUB, BRUTE_MUL, BRUTE_MOD, BRUTE_MIN, BRUTE_MAX,
                                   BRUTE_LT,  BRUTE_LE,  BRUTE_EQ,  BRUTE_NE,  BRUTE_AND, BRUTE_OR,
                                   BRUTE_ADD, BRUTE_SUB, BRUTE_DIV, BRUTE_POW};
    static const brute_op one[] = {BRUTE_NEG, BRUTE_ABS, BRUTE_FLOOR, BRUTE_CEIL, BRUTE_NOT};
    if (size <= 1) {
        return random_leaf(b, seed, der);
    }
    int64_t kind = sl_test_below(seed, 10);
    if (kind < 2) {
        int x = random_expr(b, seed, size - 1, der);
        return brute_make(b, one[sl_test_below(seed, 5)], x, 0, 0);
    }
    if (kind < 3 && size > 3) {
        int x = random_expr(b, seed, size / 3, der), y = random_expr(b, seed, size / 3, der);
        return brute_make(b, BRUTE_IF, x, y, random_expr(b, seed, size / 3, der));
    }
    brute_op op = two[sl_test_below(seed, sizeof two / sizeof *two)];
    int x = random_expr(b, seed, size / 2, der), y;
    switch ((int)op) { /* nothing that is not defined */
    case BRUTE_DIV: y = brute_number(b, 2.0); break;
    case BRUTE_POW: y = brute_number(b, 2.0 + (double)sl_test_below(seed, 2)); break;
    case BRUTE_MOD: y = brute_number(b, 2.0 + (double)sl_test_below(seed, 3)); break;
    default: y = random_expr(b, seed, size - size / 2, der); break;
    }
    return brute_make(b, op, x, y, 0);
}

static bool holds_derivative(const brute *b, int first) {
    bool has = false;
    for (int e = first; e < b->n_pool; e++) {
        has = has || b->pool[e].op == BRUTE_DER;
    }
    return has;
}

static void random_automaton(brute *b, uint64_t *seed) {
    memset(b, 0, sizeof *b);
    b->n = 1 + (int)sl_test_below(seed, 2);
    for (int i = 0; i < b->n; i++) {
        b->domain[i] = 2 + (int)sl_test_below(seed, 3);
    }
    for (b->m = 0; b->m < 1 + b->n;) {
        int first = b->n_pool, size = 2 + (int)sl_test_below(seed, 8);
        int left = random_expr(b, seed, size, true);
        int right =
            sl_test_below(seed, 2) ? brute_number(b, (double)sl_test_below(seed, 3)) : random_leaf(b, seed, true);
        if (holds_derivative(b, first)) {
            b->left[b->m] = left;
            b->right[b->m] = right;
            b->guard[b->m++] = random_expr(b, seed, 1 + (int)sl_test_below(seed, 4), false);
        }
    }
}

static void build(const brute *b, fixture *f) {
    char equation[BRUTE_TEXT], guard[BRUTE_TEXT], name[16];
    fixture_init(f);
    for (int i = 0; i < b->n; i++) {
        (void)sprintf(name, "q%d", i);
        fixture_variable(f, name, b->domain[i]);
    }
    for (int j = 0; j < b->m; j++) {
        equation[0] = guard[0] = '\0';
        brute_print(b, b->left[j], equation);
        (void)strcat(equation, " = ");
        brute_print(b, b->right[j], equation);
        brute_print(b, b->guard[j], guard);
        fixture_transition(f, "", equation, guard);
    }
    fixture_finish(f);
}

enum { MOST = 2500 };

static bool is_among(const int (*dq)[BRUTE_VARIABLES], int n, int n_variable, const sl_sda_run *run, int64_t choice) {
    for (int k = 0; k < n; k++) {
        bool same = true;
        for (int i = 0; i < n_variable; i++) {
            same = same && dq[k][i] == sl_sda_run_derivative(run, choice, i);
        }
        if (same) {
            return true;
        }
    }
    return false;
}

/* All derivatives in all states, against every vector. */
static void random_equations(void **state) {
    (void)state;
    static int dq[MOST][BRUTE_VARIABLES];
    uint64_t seed = 2026;
    int n_point = 0, n_none = 0, n_many = 0, n_built = 0;
    brute *b = malloc(sizeof *b);
    for (int k = 0; k < 8000; k++) {
        fixture f;
        random_automaton(b, &seed);
        if (!brute_is_plain(b)) {
            continue;
        }
        build(b, &f);
        n_built++;
        for (int s = 0; s < brute_n_state(b); s++) {
            int q[BRUTE_VARIABLES];
            int32_t q0[BRUTE_VARIABLES];
            brute_state(b, s, q);
            for (int i = 0; i < b->n; i++) {
                q0[i] = q[i];
            }
            sl_sda_def def = sl_sda_default();
            def.most_choices = MOST;
            sl_sda_run *run = fixture_run(&f, q0, &def);
            int n = brute_derive(b, 0, q, MOST, dq);
            int64_t found = sl_sda_run_n_choice(run);
            if (found != n) {
                for (int j = 0; j < b->m; j++) {
                    char text[BRUTE_TEXT] = "";
                    brute_print(b, b->left[j], text);
                    (void)strcat(text, " = ");
                    brute_print(b, b->right[j], text);
                    (void)strcat(text, " when ");
                    brute_print(b, b->guard[j], text);
                    print_error("%s\n", text);
                }
            }
            assert_int_equal(found, n);
            for (int64_t c = 0; c < found; c++) {
                assert_true(is_among(dq, n, b->n, run, c));
            }
            n_point++;
            n_none += n == 0;
            n_many += n > 1;
            sl_sda_run_destroy(run);
        }
        fixture_fini(&f);
    }
    print_message("%d automata, %d states: none %d, several %d\n", n_built, n_point, n_none, n_many);
    assert_true(n_built > 4000 && n_point > 10000 && n_none > 1000 && n_many > 1000);
    free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_jumps_is_not_linear),
        cmocka_unit_test(random_equations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
