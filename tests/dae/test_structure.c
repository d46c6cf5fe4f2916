/* SPDX-License-Identifier: MIT */
/* Structure: matchings against brute force, parts against their definition, forms, indices of textbook systems. */
#include "dae_test.h"

#include <sluice/diag.h>

static sl_dae_structure analyse(int32_t m, int32_t n, const char *const *picture, sl_status expected) {
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    problem p = {0};
    sl_dae_structure s;
    problem_init(&p, m, n, picture);
    sl_assert_status(sl_dae_analyse(ctx, &p.system.pattern, &p.system, NULL, &s), expected);
    sl_test_context_end(ctx, &memory);
    return s;
}

/* Example 2.2.1: x0' = f(x1, x2), x1' = g(x0), x1 = x2 */
static void test_index_of_example_2_2_1(void **state) {
    (void)state;
    sl_dae_structure s = analyse(3, 3, (const char *const[]){"dXX", "Xd.", ".xx"}, SL_OK);
    assert_int_equal(s.index, 1);
    assert_int_equal(s.n_differential, 2);
    assert_int_equal(s.n_free, 2);
    assert_true(s.regular);
    assert_int_equal(s.form, SL_DAE_SEMI_LINEAR_DX);
}

static void test_indices(void **state) {
    (void)state;
    /* an ODE */
    assert_int_equal(analyse(2, 2, (const char *const[]){"dx", "xd"}, SL_OK).index, 0);
    /* x = f(t), y = x': index 2, nothing is free */
    sl_dae_structure s = analyse(2, 2, (const char *const[]){"x.", "dx"}, SL_OK);
    assert_int_equal(s.index, 2);
    assert_int_equal(s.n_free, 0);
    /* the pendulum: x y u v lambda; x' = u, y' = v, u' = -lambda x, v' = -lambda y - g, x2 + y2 = 1 */
    s = analyse(5, 5, (const char *const[]){"d.x..", ".d.x.", "X.d.X", ".X.dX", "XX..."}, SL_OK);
    assert_int_equal(s.index, 3);
    assert_int_equal(s.n_free, 2);
    /* the same with the constraint differentiated twice */
    s = analyse(5, 5, (const char *const[]){"d.x..", ".d.x.", "X.d.X", ".X.dX", "XXXXX"}, SL_OK);
    assert_int_equal(s.index, 1);
    assert_int_equal(s.n_free, 4);
    /* purely algebraic */
    s = analyse(2, 2, (const char *const[]){"xx", "x."}, SL_OK);
    assert_int_equal(s.index, 1);
    assert_int_equal(s.n_free, 0);
    /* a chain of n: x0 given, each the derivative of the one before: index n */
    s = analyse(4, 4, (const char *const[]){"x...", "dx..", ".dx.", "..dx"}, SL_OK);
    assert_int_equal(s.index, 4);
}

static void test_forms_of_table_2_1(void **state) {
    (void)state;
    static const struct {
        const char *picture[2];
        sl_dae_form form;
    } rows[] = {
        {{"bx", "xx"}, SL_DAE_LINEAR_SEMI_CONSTANT},
        {{"bt", "xx"}, SL_DAE_LINEAR_SEMI_TIME},
        {{"bd", "xx"}, SL_DAE_LINEAR_IMPLICIT_CONSTANT},
        {{"bd", "tx"}, SL_DAE_LINEAR_IMPLICIT_TIME},
        {{"Dx", "xx"}, SL_DAE_SEMI_GENERAL},
        {{"dX", "xx"}, SL_DAE_SEMI_LINEAR_DX},
        {{"DD", "Db"}, SL_DAE_SEMI_GENERAL},
        {{"Dx", "Dx"}, SL_DAE_IMPLICIT_GENERAL},
        {{"dd", "Xx"}, SL_DAE_IMPLICIT_LINEAR_DX},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        sl_dae_structure s = analyse(2, 2, rows[k].picture, SL_OK);
        assert_string_equal(sl_dae_form_text(s.form), sl_dae_form_text(rows[k].form));
    }
}

static void test_undetermined_systems_are_named(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_diags *diags = NULL;
    sl_assert_ok(sl_diags_create(ctx, &diags));
    problem p = {.equations = (const char *const[]){"balance", "valve", "gate", "outflow"},
                 .variables = (const char *const[]){"level", "flow", "head", "loss"}};
    /* three equations for level alone; head and loss share one */
    problem_init(&p, 4, 4, (const char *const[]){"b...", "x...", "x...", "xxxx"});
    sl_dae_structure s;
    sl_assert_status(sl_dae_analyse(ctx, &p.system.pattern, &p.system, diags, &s), SL_ERR_INPUT);
    assert_int_equal(s.rank, 2);
    assert_int_equal(s.index, -1);
    assert_int_equal(sl_diags_size(diags), 2);
    const sl_diag *over = sl_diags_at(diags, 0), *under = sl_diags_at(diags, 1);
    assert_int_equal(over->code, SL_CODE_OVERDETERMINED);
    assert_non_null(strstr(over->text, "balance, valve, gate; unknowns: level"));
    assert_int_equal(under->code, SL_CODE_UNDERDETERMINED);
    assert_non_null(strstr(under->text, "flow, head, loss; equations: outflow"));
    /* not regular */
    sl_diags_clear(diags);
    problem_init(&p, 1, 2, (const char *const[]){"bx"});
    sl_assert_status(sl_dae_analyse(ctx, &p.system.pattern, &p.system, diags, &s), SL_ERR_INPUT);
    assert_false(s.regular);
    assert_int_equal(sl_diags_size(diags), 1);
    sl_diags_destroy(diags);
    sl_test_context_end(ctx, &memory);
}

/* The rank by trying everything. */
static int32_t brute(const problem *p, int32_t j, uint32_t used) {
    int32_t best = 0;
    if (j == p->n) {
        return 0;
    }
    best = brute(p, j + 1, used);
    for (int32_t k = p->start[j]; k < p->start[j + 1]; k++) {
        if (!(used & 1u << p->row[k])) {
            int32_t with = 1 + brute(p, j + 1, used | 1u << p->row[k]);
            best = with > best ? with : best;
        }
    }
    return best;
}

/* Removing a row of the over part, or a column of the under part, keeps the rank; any other lowers it. */
static void check_parts(sl_context *ctx, const problem *p) {
    sl_incidence a = {p->n_equation, p->n, p->start, p->row};
    sl_dm_decomposition parts;
    sl_assert_ok(sl_dm_decomposition_init(&parts, ctx, &a));
    assert_int_equal(parts.n_pair, brute(p, 0, 0));
    for (int32_t i = 0; i < p->n_equation; i++) {
        bool kept = brute(p, 0, 1u << i) == parts.n_pair;
        assert_int_equal(parts.row_subsystem[i] == SL_DM_OVER, kept);
        assert_true(parts.col_of[i] < 0 || parts.row_of[parts.col_of[i]] == i);
    }
    for (int32_t j = 0; j < p->n; j++) {
        bool square = parts.col_subsystem[j] == SL_DM_SQUARE;
        assert_int_equal(square, parts.block_of[j] >= 0);
        for (int32_t k = p->start[j]; k < p->start[j + 1] && square; k++) {
            int32_t i = p->row[k];
            if (parts.row_subsystem[i] ==
                SL_DM_SQUARE) { /* block triangular: the equation's own unknown is not earlier */
                assert_true(parts.block_of[parts.col_of[i]] >= parts.block_of[j]);
            }
        }
    }
    sl_dm_decomposition_fini(&parts);
}

static void test_parts_against_brute_force(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    uint64_t seed = 7;
    for (int round = 0; round < 2000; round++) {
        problem p = {0};
        char text[6][7];
        const char *picture[6];
        int32_t m = 1 + (int32_t)sl_test_below(&seed, 6), n = 1 + (int32_t)sl_test_below(&seed, 6);
        int64_t dense = 2 + sl_test_below(&seed, 4);
        for (int32_t i = 0; i < m; i++) {
            for (int32_t j = 0; j < n; j++) {
                text[i][j] = sl_test_below(&seed, dense) == 0 ? 'x' : '.';
            }
            text[i][n] = '\0';
            picture[i] = text[i];
        }
        problem_init(&p, m, n, picture);
        check_parts(ctx, &p);
    }
    sl_test_context_end(ctx, &memory);
}

/* Rows of a band, columns in a bad order: deep searches, no recursion. */
static void test_large(void **state) {
    (void)state;
    enum { N = 200000 };
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    int32_t *start = malloc((N + 1) * sizeof *start), *row = malloc(2 * N * sizeof *row);
    uint8_t *kind = malloc(2 * N);
    for (int32_t j = 0; j <= N; j++) {
        start[j] = 2 * j;
    }
    for (int32_t j = 0; j < N; j++) { /* unknown j in equations j and j + 1, the last in one and the first */
        row[2 * j] = j + 1 < N ? j : 0;
        row[2 * j + 1] = j + 1 < N ? j + 1 : N - 1;
        kind[2 * j] = kind[2 * j + 1] = SL_DAE_X;
    }
    sl_dae_structure s;
    sl_dae_pattern p = {N, N, start, row, kind};
    sl_assert_ok(sl_dae_analyse(ctx, &p, NULL, NULL, &s));
    assert_int_equal(s.rank, N);
    assert_int_equal(s.n_largest, N); /* a ring */
    assert_int_equal(s.n_block, 1);
    free(start);
    free(row);
    free(kind);
    sl_test_context_end(ctx, &memory);
}

static void analyse_once(sl_context *ctx, sl_test_memory *m, void *user) {
    sl_dae_structure s;
    sl_status status = sl_dae_analyse(ctx, &((problem *)user)->system.pattern, NULL, NULL, &s);
    assert_int_equal(status, m->n_refused ? SL_ERR_MEMORY : SL_OK);
}

static void test_memory_short(void **state) {
    (void)state;
    problem p = {0};
    problem_init(&p, 3, 3, (const char *const[]){"dXX", "Xd.", ".xx"});
    assert_true(sl_test_sweep(analyse_once, &p) > 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index_of_example_2_2_1),
        cmocka_unit_test(test_indices),
        cmocka_unit_test(test_forms_of_table_2_1),
        cmocka_unit_test(test_undetermined_systems_are_named),
        cmocka_unit_test(test_parts_against_brute_force),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_memory_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
