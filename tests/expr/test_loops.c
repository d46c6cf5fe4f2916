/* SPDX-License-Identifier: MIT */
/* Arrays and loops: what a loop gives for all its cells at once is, bit by bit, what each cell gives by itself: values, derivatives,
 * texts. And what is refused. */
#include "sl_test.h"

#include <math.h>
#include <string.h>

#include "base/out.h"
#include "expr/expr.h"
#include "expr/tape.h"

enum { N = 1300, FIRST = -3 }; /* more than two blocks of a tape */

typedef struct model {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_exprs *g;
    int32_t p, q, d, n_x, n_p;
    double *x[2], *parameters;
} model;

static void model_init(model *m) {
    *m = (model){0};
    m->ctx = sl_test_context(&m->memory);
    sl_assert_ok(sl_diags_create(m->ctx, &m->diags));
    m->g = sl_exprs_create(m->ctx);
    sl_expr e;
    int32_t table;
    sl_assert_ok(sl_expr_declare_variable(m->g, sl_str_z("s"), 0, NULL, m->diags, &e));
    sl_assert_ok(sl_expr_declare_parameter(m->g, sl_str_z("r"), 0, NULL, m->diags, &e));
    sl_assert_ok(sl_expr_declare_table(m->g, sl_str_z("tab"), 3, (double[]){0, 1, 2}, (double[]){0, 3, 4}, NULL,
                                       m->diags, &table));
    sl_assert_ok(sl_expr_declare_array(m->g, sl_str_z("p"), false, FIRST, N, NULL, m->diags, &m->p));
    sl_assert_ok(sl_expr_declare_array(m->g, sl_str_z("pipe.q"), false, FIRST, N + 1, NULL, m->diags, &m->q));
    sl_assert_ok(sl_expr_declare_array(m->g, sl_str_z("d"), true, FIRST, N, NULL, m->diags, &m->d));
    m->n_x = sl_exprs_n_variable(m->g);
    m->n_p = sl_exprs_n_parameter(m->g);
    m->x[0] = malloc((size_t)m->n_x * sizeof(double));
    m->x[1] = malloc((size_t)m->n_x * sizeof(double));
    m->parameters = malloc((size_t)m->n_p * sizeof(double));
    uint64_t seed = 3;
    for (int32_t i = 0; i < m->n_x; i++) {
        m->x[0][i] = 0.2 + sl_test_unit(&seed);
        m->x[1][i] = sl_test_unit(&seed) - 0.5;
    }
    for (int32_t i = 0; i < m->n_p; i++) {
        m->parameters[i] = 0.2 + sl_test_unit(&seed);
    }
}

static void model_fini(model *m) {
    free(m->x[0]);
    free(m->x[1]);
    free(m->parameters);
    sl_exprs_destroy(m->g);
    sl_diags_destroy(m->diags);
    sl_test_context_end(m->ctx, &m->memory);
}

static sl_expr_point point_of(const model *m) {
    return (sl_expr_point){.t = 1.5, .x = {m->x[0], m->x[1]}, .p = m->parameters};
}

static const char *const uniform[] = {
    "p[i]",
    "pipe.q[i + 1]",
    "i",
    "der(p[i])",
    "d[i]",
    "r",
    "7",
    "t",
    "p[i-1] - 2*p[i] + p[i+1]",
    "d[i]*der(p[i]) - (pipe.q[i] - pipe.q[i+1])/r + p[2]*s",
    "if(p[i] > 0.7, exp(p[i]), sin(pipe.q[i+1])*i + tab(p[i]))",
    "(i - 0.5)*r + p[i]*p[i]*p[i-1] + sqrt(p[i]) + sqrt(p[i])*i",
    "friction_gradient(pipe.q[i], 1000, 0.001*d[i], 0.1)",
    ("p[i]+p[i]*1.1+p[i]*1.2+p[i]*1.3+p[i]*1.4+p[i]*1.5+p[i]*1.6+p[i]*1.7+p[i]*1.8+p[i]*1.9+p[i]*2+p[i]*3+p[i]*4+p[i]*5+p[i]*6+"
     "p[i]*7+p[i]*8+s"),
};
enum { N_UNIFORM = sizeof uniform / sizeof *uniform };

static sl_expr parse_as(model *m, const char *text, int32_t first, int32_t n, bool *is_uniform) {
    sl_expr e;
    sl_expr_loop loop = {{"i", 1}, first, n};
    sl_status status = sl_expr_parse_loop(m->g, sl_str_z(text), &loop, NULL, NULL, m->diags, &e, is_uniform);
    if (status != SL_OK) {
        fail_msg("%s: %s", text, sl_diags_at(m->diags, 0)->text);
    }
    return e;
}

/* A tape of loops and of what stands between them, against the expression of each cell. */
static void loops_have_the_bits_of_cells(void **state) {
    (void)state;
    model m;
    model_init(&m);
    enum { FROM = FIRST + 1, CELLS = N - 2 };
    sl_expr roots[2 * N_UNIFORM];
    int32_t n_cell[2 * N_UNIFORM];
    bool is_uniform;
    for (int k = 0; k < N_UNIFORM; k++) {
        roots[2 * k] = parse_as(&m, uniform[k], FROM, CELLS, &is_uniform);
        assert_true(is_uniform);
        n_cell[2 * k] = CELLS;
        roots[2 * k + 1] = parse_as(&m, uniform[k], FROM + k, 1, &is_uniform); /* a single cell: no loop */
        n_cell[2 * k + 1] = 1;
        assert_false(sl_expr_is_loop(m.g, roots[2 * k + 1]));
    }
    sl_tape *tape;
    sl_assert_ok(sl_tape_create_loops(m.g, sl_exprs_walk(m.g), 2 * N_UNIFORM, roots, n_cell, &tape));
    double *out = malloc((size_t)N_UNIFORM * (CELLS + 1) * sizeof *out);
    void *work = malloc(sl_tape_work_size(tape));
    sl_expr_point at = point_of(&m);
    sl_tape_eval(tape, &at, work, out);
    sl_tape_stats stats = sl_tape_get_stats(tape);
    assert_true(stats.n_instruction < 500); /* whatever the number of cells */
    for (int k = 0, to = 0; k < 2 * N_UNIFORM; k++) {
        for (int32_t c = 0; c < n_cell[k]; c++, to++) {
            double alone, parsed;
            sl_expr cell = sl_expr_cell(m.g, roots[k], c);
            sl_assert_ok(sl_expr_eval(m.g, cell, &at, &alone));
            sl_assert_bits(out[to], alone);
            if (k % 2 == 0 && c % 100 == 0) {
                sl_expr again = parse_as(&m, uniform[k / 2], FROM + c, 1, &is_uniform);
                sl_assert_ok(sl_expr_eval(m.g, again, &at, &parsed));
                sl_assert_bits(parsed, alone);
            }
        }
    }
    free(out);
    free(work);
    sl_tape_destroy(tape);
    model_fini(&m);
}

/* The Jacobian of a loop: entries of its cells, columns that move on with them and columns that do not. */
static void jacobian_of_a_loop(void **state) {
    (void)state;
    model m;
    model_init(&m);
    enum { FROM = FIRST + 1, CELLS = N - 2 };
    bool is_uniform;
    int32_t *columns = malloc((size_t)m.n_x * sizeof *columns);
    for (int32_t j = 0; j < m.n_x; j++) {
        columns[j] = j;
    }
    const sl_jacobian_def def = {{columns}, {-1, -1, -1, -1}};
    sl_expr_point at = point_of(&m);
    for (int k = 0; k < N_UNIFORM; k++) {
        sl_expr e = parse_as(&m, uniform[k], FROM, CELLS, &is_uniform);
        sl_jacobian j;
        sl_assert_ok(sl_jacobian_create(m.g, 1, &e, &def, &j));
        for (int32_t c = 0; c < CELLS; c += 97) {
            sl_expr cell = sl_expr_cell(m.g, e, c);
            double *row = calloc((size_t)m.n_x, sizeof *row);
            for (int64_t i = 0; i < j.nnz; i++) {
                double v;
                sl_assert_ok(sl_expr_eval(m.g, sl_expr_cell(m.g, j.entry[i], c), &at, &v));
                row[j.column[i] + (j.moves[i] ? c : 0)] += v;
            }
            for (int32_t v = 0; v < m.n_x; v++) {
                double by_cell = 0.0;
                sl_assert_ok(sl_expr_eval(m.g, sl_expr_diff(m.g, cell, sl_expr_variable(m.g, v, 0)), &at, &by_cell));
                assert_true(fabs(row[v] - by_cell) <= 1e-13 * (1.0 + fabs(by_cell)));
                v += v > 30 && v + 40 < m.p + c ? 29 : 0; /* far away a sample will do */
            }
            free(row);
        }
        sl_jacobian_fini(&j);
    }
    free(columns);
    model_fini(&m);
}

static char room[4000];
static sl_status put(void *user, const void *bytes, size_t n) {
    (void)user;
    strncat(room, bytes, n);
    return SL_OK;
}

static const char *text_of(model *m, sl_expr e, sl_expr_form form) {
    room[0] = '\0';
    sl_assert_ok(
        sl_expr_render_loop(m->g, e, &(sl_expr_loop){{"i", 1}, FIRST + 1, N - 2}, form, &(sl_sink){NULL, put}));
    return room;
}

static void texts_read_back(void **state) {
    (void)state;
    model m;
    model_init(&m);
    bool is_uniform;
    for (int k = 0; k < N_UNIFORM; k++) {
        sl_expr e = parse_as(&m, uniform[k], FIRST + 1, N - 2, &is_uniform);
        assert_int_equal(parse_as(&m, text_of(&m, e, SL_EXPR_TEXT), FIRST + 1, N - 2, &is_uniform), e);
    }
    sl_expr e = parse_as(&m, "der(p[i-1]) + pipe.q[1+i]*i", FIRST + 1, N - 2, &is_uniform);
    assert_string_equal(text_of(&m, e, SL_EXPR_TEXT), "der(p[i-1]) + pipe.q[i+1]*i");
    assert_non_null(strstr(text_of(&m, e, SL_EXPR_C), "cell]"));
    model_fini(&m);
}

static void names(void **state) {
    (void)state;
    model m;
    model_init(&m);
    bool is_parameter = true;
    assert_int_equal(sl_expr_find_symbol(m.g, sl_str_z("p[-3]"), &is_parameter), m.p);
    assert_false(is_parameter);
    assert_int_equal(sl_expr_find_symbol(m.g, sl_str_z("pipe.q[4]"), &is_parameter), m.q + 7);
    assert_int_equal(sl_expr_find_symbol(m.g, sl_str_z("d[0]"), &is_parameter), m.d + 3);
    assert_true(is_parameter);
    assert_true(sl_str_equal(sl_exprs_variable_name(m.g, m.q + 7), sl_str_z("pipe.q[4]")));
    assert_true(sl_str_equal(sl_exprs_parameter_name(m.g, m.d), sl_str_z("d[-3]")));
    static const char *const none[] = {"p",     "p[]",  "p[1297]",          "p[-4]", "p[04]", "p[-0]",
                                       "p[1 ]", "q[1]", "p[99999999999999]"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_int_equal(sl_expr_find_symbol(m.g, sl_str_z(none[i]), &is_parameter), -1);
    }
    model_fini(&m);
}

static bool five(void *user, sl_str name, int64_t *value) {
    (void)user;
    *value = 5;
    return sl_str_equal(name, sl_str_z("N"));
}

static void indices(void **state) {
    (void)state;
    model m;
    model_init(&m);
    const sl_expr_numbers numbers = {five, NULL};
    static const struct {
        const char *text;
        int element; /* of p, in cell 0 */
        bool is_uniform;
    } good[] = {{"p[N]", 5, true},     {"p[2*N-1]", 9, true}, {"p[i+N]", 7, true},
                {"p[2*i]", 4, false},  {"p[-i+N]", 3, false}, {"p[(i+1)*1-1]", 2, true},
                {"p[i-i+3]", 3, true}, {"p[ i ]", 2, true},   {"p[N*(2-1)+i-N]", 2, true}};
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        sl_expr e;
        bool is_uniform;
        sl_expr_loop loop = {{"i", 1}, 2, 6};
        sl_assert_ok(sl_expr_parse_loop(m.g, sl_str_z(good[k].text), &loop, &numbers, NULL, m.diags, &e, &is_uniform));
        assert_int_equal(is_uniform, good[k].is_uniform);
        assert_int_equal(sl_expr_symbol(m.g, e), m.p + good[k].element - FIRST);
    }
    static const struct {
        const char *text, *message;
    } bad[] = {{"p[i+1295]", "no element"},
               {"p[i-6]", "no element"},
               {"p[i", "cannot be read"},
               {"p[i*i]", "cannot be read"},
               {"p[M]", "cannot be read"},
               {"p[]", "cannot be read"},
               {"p[1.5]", "cannot be read"},
               {"p", "an array"},
               {"p + 1", "an array"},
               {"der(d[i])", "variable is expected"},
               {"p[9999999999]", "cannot be read"},
               {"p[1000000*1000000*1000000*1000000]", "cannot be read"},
               {"p[((((((((((((((((((((((((((((((((1))))]", "cannot be read"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        sl_expr e;
        bool is_uniform;
        sl_expr_loop loop = {{"i", 1}, 2, 6};
        int before = sl_diags_size(m.diags);
        assert_int_equal(
            sl_expr_parse_loop(m.g, sl_str_z(bad[k].text), &loop, &numbers, NULL, m.diags, &e, &is_uniform),
            SL_ERR_INPUT);
        assert_int_equal(sl_diags_size(m.diags), before + 1);
        if (!strstr(sl_diags_at(m.diags, before)->text, bad[k].message)) {
            fail_msg("%s: %s", bad[k].text, sl_diags_at(m.diags, before)->text);
        }
    }
    int32_t symbol;
    sl_expr e;
    assert_int_equal(sl_expr_declare_variable(m.g, sl_str_z("p[3]"), 0, NULL, m.diags, &e), SL_ERR_INPUT);
    sl_assert_ok(sl_expr_declare_variable(m.g, sl_str_z("z[3]"), 0, NULL, m.diags, &e));
    assert_int_equal(sl_expr_declare_array(m.g, sl_str_z("z"), false, 1, 4, NULL, m.diags, &symbol), SL_ERR_INPUT);
    sl_assert_ok(sl_expr_declare_array(m.g, sl_str_z("z"), false, 4, 4, NULL, m.diags, &symbol));
    assert_int_equal(sl_expr_declare_array(m.g, sl_str_z("s"), false, 1, 4, NULL, m.diags, &symbol), SL_ERR_INPUT);
    assert_int_equal(sl_expr_declare_array(m.g, sl_str_z("w"), false, 1, 0, NULL, m.diags, &symbol), SL_ERR_INPUT);
    assert_int_equal(sl_expr_declare_array(m.g, sl_str_z("w"), false, 1, SL_EXPR_ARRAY + 1, NULL, m.diags, &symbol),
                     SL_ERR_INPUT);
    model_fini(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_have_the_bits_of_cells),
        cmocka_unit_test(jacobian_of_a_loop),
        cmocka_unit_test(texts_read_back),
        cmocka_unit_test(names),
        cmocka_unit_test(indices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
