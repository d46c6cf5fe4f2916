/* SPDX-License-Identifier: MIT */
/* Sparse symmetric systems: solutions against dense Cholesky, residuals against the bound of rounding, patterns at the
 * edges of what is allowed, matrices that are not positive definite, memory that runs out. */
#include "sl_test.h"

#include "numeric/ldl.h"

#include <float.h>

enum { MAX_EDGE = 20000 };

/* A graph and a matrix on it. */
typedef struct system {
    int32_t n, n_edge;
    int32_t from[MAX_EDGE], to[MAX_EDGE];
    double weight[MAX_EDGE];
    double *excess; /* [n] what the diagonal has beyond the weights at it: at least least_excess */
    sl_ldl *p;
    double *a, *work;
} system_t;

static const double least_excess = 0.125;

static void edge(system_t *s, int32_t from, int32_t to, double weight) {
    assert_true(s->n_edge < MAX_EDGE);
    s->from[s->n_edge] = from;
    s->to[s->n_edge] = to;
    s->weight[s->n_edge++] = weight;
}

static system_t *system_make(int32_t n) {
    system_t *s = calloc(1, sizeof *s);
    s->n = n;
    s->excess = malloc(sizeof *s->excess * (size_t)(n + 1));
    for (int32_t i = 0; i < n; i++) {
        s->excess[i] = least_excess;
    }
    return s;
}

static int32_t factor(const sl_ldl *p, const double *a, double *work) {
    memcpy(sl_ldl_matrix(p, work), a, sizeof *a * (size_t)sl_ldl_size(p));
    return sl_ldl_factor(p, work);
}

/* A Laplacian: what an edge subtracts off the diagonal it adds on it, at an unknown or towards a fixed end. */
static void assemble(system_t *s) {
    const int32_t *slots = sl_ldl_slots(s->p);
    memset(s->a, 0, sizeof *s->a * (size_t)sl_ldl_size(s->p));
    memcpy(s->a, s->excess, sizeof *s->a * (size_t)s->n);
    for (int32_t e = 0; e < s->n_edge; e++) {
        if (s->from[e] == s->to[e]) {
            assert_int_equal(slots[e], -1);
            continue;
        }
        if (s->from[e] >= 0) {
            s->a[s->from[e]] += s->weight[e];
        }
        if (s->to[e] >= 0) {
            s->a[s->to[e]] += s->weight[e];
        }
        if (s->from[e] >= 0 && s->to[e] >= 0) {
            assert_true(slots[e] >= s->n && slots[e] < sl_ldl_size(s->p));
            s->a[slots[e]] -= s->weight[e];
        } else {
            assert_int_equal(slots[e], -1);
        }
    }
}

static void system_analyse(system_t *s, sl_context *ctx) {
    sl_assert_ok(sl_ldl_create(ctx, s->n, s->n_edge, s->from, s->to, &s->p));
    s->a = malloc(sizeof *s->a * (size_t)(sl_ldl_size(s->p) + 1));
    s->work = malloc(sizeof *s->work * (size_t)(sl_ldl_work(s->p) + 1));
    for (int64_t k = 0; k < sl_ldl_work(s->p); k++) {
        s->work[k] = NAN; /* nothing may be taken from it */
    }
    assemble(s);
}

static void system_free(system_t *s) {
    sl_ldl_destroy(s->p);
    free(s->excess);
    free(s->a);
    free(s->work);
    free(s);
}

/* The matrix as a full one, from the edges and not from the slots. */
static double *dense(const system_t *s) {
    size_t n = (size_t)s->n;
    double *m = calloc(n * n + 1, sizeof *m);
    for (size_t i = 0; i < n; i++) {
        m[i * n + i] = s->excess[i];
    }
    for (int32_t e = 0; e < s->n_edge; e++) {
        int32_t i = s->from[e], j = s->to[e];
        if (i == j) {
            continue;
        }
        if (i >= 0) {
            m[(size_t)i * n + (size_t)i] += s->weight[e];
        }
        if (j >= 0) {
            m[(size_t)j * n + (size_t)j] += s->weight[e];
        }
        if (i >= 0 && j >= 0) {
            m[(size_t)i * n + (size_t)j] -= s->weight[e];
            m[(size_t)j * n + (size_t)i] -= s->weight[e];
        }
    }
    return m;
}

/* Cholesky in place, then b becomes the solution. */
static void dense_solve(size_t n, double *m, double *b) {
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < j; k++) {
            for (size_t i = j; i < n; i++) {
                m[i * n + j] -= m[i * n + k] * m[j * n + k];
            }
        }
        double r = sqrt(m[j * n + j]);
        for (size_t i = j; i < n; i++) {
            m[i * n + j] /= r;
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) {
            b[i] -= m[i * n + k] * b[k];
        }
        b[i] /= m[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++) {
            b[i] -= m[k * n + i] * b[k];
        }
        b[i] /= m[i * n + i];
    }
}

/* What rounding may leave of b - A x in row i, for any order of elimination: the solution is exact for a matrix that is
 * off by g sqrt(a_ii a_jj) at most, g = (3 n + 4) u (Higham, Accuracy and Stability, theorem 10.4 with 10.7; 4 for the
 * divisions of LDL'); and as much again for working the residual out. */
static double row_bound(const system_t *s, const double *x, int32_t i) {
    double sum = 0.0;
    for (int32_t j = 0; j < s->n; j++) {
        sum += sqrt(s->a[j]) * fabs(x[j]);
    }
    return 2.0 * (3.0 * s->n + 4.0) * 0.5 * DBL_EPSILON * sqrt(s->a[i]) * sum;
}

static double random_unit(uint64_t *seed) {
    return 2.0 * sl_test_unit(seed) - 1.0;
}

/* Factors, solves, and checks residual and solution. Rows exceed by at least least_excess, so the inverse has no row
 * sum above 1 / least_excess (Varah 1975): what the residuals of both solutions allow bounds their difference. */
static void check(system_t *s, uint64_t seed) {
    size_t n = (size_t)s->n;
    double *b = malloc(sizeof *b * (n + 1)), *x = malloc(sizeof *x * (n + 1)), *y = malloc(sizeof *y * (n + 1));
    for (size_t i = 0; i < n; i++) {
        b[i] = x[i] = y[i] = random_unit(&seed);
    }
    assert_int_equal(factor(s->p, s->a, s->work), -1);
    sl_ldl_solve(s->p, s->work, x);
    double *m = dense(s), most = 0.0;
    for (size_t i = 0; i < n; i++) {
        double r = b[i];
        for (size_t j = 0; j < n; j++) {
            r -= m[i * n + j] * x[j];
        }
        double bound = row_bound(s, x, (int32_t)i);
        sl_assert_abs(r, 0.0, bound);
        most = fmax(most, bound);
    }
    dense_solve(n, m, y);
    for (size_t i = 0; i < n; i++) {
        sl_assert_abs(x[i], y[i], 2.0 * most / least_excess);
    }
    free(b);
    free(x);
    free(y);
    free(m);
}

/* Unknowns by the order of elimination, a solution in two halves, and right sides with few entries: the numbers of plain
 * solutions. */
static void check_few(system_t *s, uint64_t seed) {
    size_t n = (size_t)s->n;
    double *b = calloc(n, sizeof *b), *x = calloc(n, sizeof *x), *c = calloc(n, sizeof *c);
    int32_t *order = calloc(n, sizeof *order), *at = calloc(2 * n, sizeof *at);
    uint8_t *seen = calloc(n, 1);
    double *few = calloc(2 * n, sizeof *few), *scratch = calloc(n, sizeof *scratch);
    assert_int_equal(factor(s->p, s->a, s->work), -1);
    for (size_t i = 0; i < n; i++) {
        b[i] = x[i] = random_unit(&seed);
    }
    sl_ldl_solve(s->p, s->work, x);
    sl_ldl_take_order(s->p, order);
    double *moved = calloc((size_t)sl_ldl_size(s->p), sizeof *moved);
    memcpy(moved, s->a, sizeof *moved * (size_t)sl_ldl_size(s->p));
    for (size_t k = 0; k < n; k++) {
        moved[k] = s->a[order[k]];
        c[k] = b[order[k]];
    }
    assert_int_equal(factor(s->p, moved, s->work), -1);
    sl_ldl_lower(s->p, s->work, c);
    /* One entry u, and two entries v and w: e_u' A^-1 b is x_u. */
    int32_t u = (int32_t)sl_test_below(&seed, s->n), v = (int32_t)sl_test_below(&seed, s->n);
    int32_t n_u = sl_ldl_reach(s->p, 1, &u, seen, at), n_v = sl_ldl_reach(s->p, 1, &v, seen, at + n);
    assert_int_equal(at[0], sl_ldl_column(s->p, u));
    few[0] = few[n] = 1.0;
    sl_ldl_lower_few(s->p, s->work, n_u, at, few, scratch);
    sl_ldl_lower_few(s->p, s->work, n_v, at + n, few + n, scratch);
    double size = 0.0;
    for (size_t i = 0; i < n; i++) {
        size = fmax(size, fabs(x[i]));
        sl_assert_double(scratch[i], 0.0);
        assert_int_equal(seen[i], 0);
    }
    double tolerance = 1e-12 * fmax(size, 1.0 / least_excess); /* the numbering is the same: rounding of sums only */
    sl_assert_abs(sl_ldl_product(s->p, s->work, n_u, at, few), x[order[u]], tolerance);
    double across = sl_ldl_product_few(s->work, n_u, at, few, n_v, at + n, few + n);
    sl_ldl_upper(s->p, s->work, c);
    for (size_t k = 0; k < n; k++) {
        sl_assert_bits(c[k], x[order[k]]);
        c[k] = 0.0;
    }
    c[v] = 1.0;
    sl_ldl_solve(s->p, s->work, c);
    sl_assert_abs(across, c[u], tolerance);
    free(b), free(x), free(c), free(order), free(at), free(seen), free(few), free(scratch), free(moved);
}

static system_t *random_system(int32_t n, int32_t n_edge, uint64_t seed) {
    system_t *s = system_make(n);
    for (int32_t e = 0; e < n_edge; e++) { /* some ends are fixed, some edges loops or doubles */
        int32_t from = (int32_t)sl_test_below(&seed, n + 1) - 1, to = (int32_t)sl_test_below(&seed, n + 1) - 1;
        edge(s, from, to, exp(4.0 * random_unit(&seed)));
    }
    for (int32_t i = 0; i < n; i++) {
        s->excess[i] += sl_test_unit(&seed);
    }
    return s;
}

static void check_and_free(system_t *s, uint64_t seed) {
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    system_analyse(s, ctx);
    check(s, seed);
    system_free(s);
    sl_test_context_end(ctx, &m);
}

static void test_random(void **state) {
    (void)state;
    static const struct {
        int32_t n, n_edge;
    } row[] = {{1, 3}, {2, 1}, {5, 4}, {10, 30}, {60, 70}, {100, 300}, {200, 220}, {150, 5000}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        for (uint64_t seed = 1; seed <= 5; seed++) {
            check_and_free(random_system(row[k].n, row[k].n_edge, seed), seed);
        }
    }
}

static system_t *grid_system(int32_t width) {
    system_t *s = system_make(width * width);
    for (int32_t i = 0; i < s->n; i++) {
        if ((i + 1) % width != 0) {
            edge(s, i, i + 1, 1.0 + i % 7);
        }
        if (i + width < s->n) {
            edge(s, i + width, i, 2.0 + i % 5);
        }
    }
    return s;
}

/* Short columns and long ones: a grid and a complete graph. Of the latter the factor is full. */
static void test_fill(void **state) {
    (void)state;
    check_and_free(grid_system(20), 3);
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    system_t *s = system_make(40);
    for (int32_t i = 0; i < s->n; i++) {
        for (int32_t j = 0; j < i; j++) {
            edge(s, j, i, 1.0 + (i * j) % 3);
        }
    }
    system_analyse(s, ctx);
    assert_int_equal(sl_ldl_fill(s->p), 40 * 39 / 2);
    sl_assert_double(sl_ldl_multiplications(s->p), (39 * 40 * 79 / 6 + 3 * 39 * 40 / 2) / 2); /* sum of c (c + 3) / 2 */
    check(s, 4);
    system_free(s);
    sl_test_context_end(ctx, &m);
}

/* A tree, here one long path and one star, has an order without fill: one entry per edge. */
static void test_trees(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    system_t *path = system_make(500), *star = system_make(500);
    for (int32_t i = 1; i < 500; i++) {
        edge(path, i - 1, i, 1.0 + i % 3);
        edge(star, 0, i, 1.0 + i % 3);
    }
    system_analyse(path, ctx);
    assert_int_equal(sl_ldl_fill(path->p), 499);
    sl_assert_double(sl_ldl_multiplications(path->p), 2 * 499);
    check(path, 5);
    system_analyse(star, ctx);
    assert_int_equal(sl_ldl_fill(star->p), 499);
    check(star, 6);
    system_free(path);
    system_free(star);
    sl_test_context_end(ctx, &m);
}

/* A wheel, with one hub or two: a rim whose unknowns all have a neighbour of very many. An order of little fill takes the rim
 * first: two entries and the hubs for each but the last ones. */
static void test_wheels(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    for (int32_t n_hub = 1; n_hub <= 2; n_hub++) {
        enum { RIM = 300 };
        system_t *s = system_make(RIM + n_hub);
        for (int32_t i = 0; i < RIM; i++) {
            edge(s, i, (i + 1) % RIM, 1.0 + i % 3);
            for (int32_t hub = 0; hub < n_hub; hub++) {
                edge(s, RIM + hub, i, 1.0 + i % 5);
            }
        }
        system_analyse(s, ctx);
        assert_true(sl_ldl_fill(s->p) <= (2 + n_hub) * RIM);
        check(s, 7);
        system_free(s);
    }
    sl_test_context_end(ctx, &m);
}

static void test_edges_of_the_allowed(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_ldl *p = NULL;
    double none = 0.0;
    sl_assert_ok(sl_ldl_create(ctx, 0, 0, NULL, NULL, &p)); /* nothing at all */
    assert_int_equal(sl_ldl_size(p), 0);
    assert_int_equal(sl_ldl_fill(p), 0);
    assert_int_equal(factor(p, &none, &none), -1);
    sl_ldl_solve(p, &none, &none);
    sl_ldl_destroy(p);
    sl_ldl_destroy(NULL);

    static const int32_t fixed[] = {-1, -3}, out_of_range[] = {2, 0};
    sl_assert_ok(sl_ldl_create(ctx, 0, 2, fixed, fixed, &p)); /* edges between fixed ends only */
    assert_int_equal(sl_ldl_slots(p)[1], -1);
    sl_ldl_destroy(p);
    sl_assert_status(sl_ldl_create(ctx, 2, 2, fixed, out_of_range, &p), SL_ERR_USE);
    assert_null(p);
    sl_assert_status(sl_ldl_create(ctx, -1, 0, NULL, NULL, &p), SL_ERR_USE);

    /* Twins, one turned round, a self edge, an edge to a fixed end, an isolated unknown: 5 x 5 with two slots. */
    system_t *s = system_make(5);
    edge(s, 0, 3, 2.0);
    edge(s, 3, 0, 4.0);
    edge(s, 1, 1, 9.0);
    edge(s, 3, 2, 1.0);
    edge(s, -1, 2, 3.0);
    system_analyse(s, ctx);
    const int32_t *slots = sl_ldl_slots(s->p);
    assert_int_equal(sl_ldl_size(s->p), 5 + 2);
    assert_int_equal(slots[0], slots[1]);
    assert_true(slots[0] != slots[3]);
    check(s, 7);
    system_free(s);
    sl_test_context_end(ctx, &m);
}

/* 4 x 4 in whole numbers with the solution known: A x = b for x = (1, 2, 3, 4). */
static void test_by_hand(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    static const int32_t from[] = {0, 1, 2}, to[] = {1, 2, 3};
    sl_ldl *p = NULL;
    sl_assert_ok(sl_ldl_create(ctx, 4, 3, from, to, &p));
    double a[7] = {2.0, 3.0, 3.0, 2.0}, work[28], b[4] = {0.0, 2.0, 3.0, 5.0};
    assert_int_equal(sl_ldl_size(p), 7);
    assert_true(sl_ldl_work(p) <= 28);
    for (int e = 0; e < 3; e++) {
        a[sl_ldl_slots(p)[e]] = -1.0;
    }
    assert_int_equal(factor(p, a, work), -1);
    sl_ldl_solve(p, work, b);
    for (int i = 0; i < 4; i++) {
        sl_assert_abs(b[i], 1.0 + i, 4.0 * 4.0 * DBL_EPSILON); /* condition below 4, entries up to 4 */
    }
    sl_ldl_destroy(p);
    sl_test_context_end(ctx, &m);
}

/* Numbering the unknowns otherwise, and listing the edges in another order, changes the solution within rounding only. */
static void test_numbering_does_not_matter(void **state) {
    (void)state;
    enum { N = 120 };
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    uint64_t seed = 11;
    system_t *s = random_system(N, 200, 10), *t = system_make(N);
    int32_t name[N];
    for (int32_t i = 0; i < N; i++) {
        int32_t j = (int32_t)sl_test_below(&seed, i + 1);
        name[i] = name[j];
        name[j] = i;
    }
    for (int32_t e = s->n_edge - 1; e >= 0; e--) {
        edge(t, s->to[e] < 0 ? -1 : name[s->to[e]], s->from[e] < 0 ? -1 : name[s->from[e]], s->weight[e]);
    }
    for (int32_t i = 0; i < N; i++) {
        t->excess[name[i]] = s->excess[i];
    }
    system_analyse(s, ctx);
    system_analyse(t, ctx);
    double x[N], y[N], most = 0.0;
    for (int32_t i = 0; i < N; i++) {
        x[i] = y[name[i]] = random_unit(&seed);
    }
    assert_int_equal(factor(s->p, s->a, s->work), -1);
    assert_int_equal(factor(t->p, t->a, t->work), -1);
    sl_ldl_solve(s->p, s->work, x);
    sl_ldl_solve(t->p, t->work, y);
    for (int32_t i = 0; i < N; i++) {
        most = fmax(most, row_bound(s, x, i));
    }
    for (int32_t i = 0; i < N; i++) {
        sl_assert_abs(x[i], y[name[i]], 2.0 * most / least_excess);
    }
    system_free(s);
    system_free(t);
    sl_test_context_end(ctx, &m);
}

/* The same bits from a second pattern of the same graph, from a used work array, and for a second right-hand side. */
static void test_same_bits(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    system_t *s = grid_system(20), *t = grid_system(20);
    system_analyse(s, ctx);
    system_analyse(t, ctx);
    double x[400], y[400], z[400];
    for (int i = 0; i < 400; i++) {
        x[i] = y[i] = z[i] = 1.0 / (1.0 + i);
    }
    assert_int_equal(factor(s->p, s->a, s->work), -1);
    sl_ldl_solve(s->p, s->work, x);
    sl_ldl_solve(s->p, s->work, z);
    for (int i = 0; i < 400; i++) {
        t->a[i] *= 2.0; /* another matrix before */
    }
    assert_int_equal(factor(t->p, t->a, t->work), -1);
    assemble(t);
    assert_int_equal(factor(t->p, t->a, t->work), -1);
    sl_ldl_solve(t->p, t->work, y);
    for (int i = 0; i < 400; i++) {
        sl_assert_bits(y[i], x[i]);
        sl_assert_bits(z[i], x[i]);
    }
    system_free(s);
    system_free(t);
    sl_test_context_end(ctx, &m);
}

/* Two parts, unknowns 0 .. 2 and 3 .. 5, and unknown 6 alone: a fault is found in the part that has it, and the same
 * work serves again afterwards. */
static void test_not_positive(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    system_t *s = system_make(7);
    edge(s, 0, 1, 1.0);
    edge(s, 1, 2, 3.0);
    edge(s, 3, 4, 1.0);
    edge(s, 4, 5, 2.0);
    edge(s, 5, 3, 4.0);
    system_analyse(s, ctx);
    const double wrong[] = {0.0, -1.0, NAN, INFINITY, -INFINITY, 1e-320};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        for (int32_t i = 0; i < 7; i++) {
            assemble(s);
            s->a[i] = wrong[k];
            int32_t found = factor(s->p, s->a, s->work);
            if (i < 6) {
                assert_int_equal(found < 0 ? -1 : found / 3, i / 3);
            } else {
                assert_int_equal(found, 6);
            }
        }
        for (int32_t e = 0; e < 5 && k > 0 && wrong[k] != 1e-320; e++) { /* 0 is fine there, and 1e-320 */
            assemble(s);
            s->a[sl_ldl_slots(s->p)[e]] = 10.0 * wrong[k];
            int32_t found = factor(s->p, s->a, s->work);
            assert_int_equal(found < 0 ? -1 : found / 3, e < 2 ? 0 : 1);
        }
    }
    s->excess[3] = s->excess[4] = s->excess[5] = 0.0; /* nothing holds this part: weights whose sums are exact */
    assemble(s);
    assert_int_equal(factor(s->p, s->a, s->work) / 3, 1);
    s->excess[3] = 1e-15; /* rounds away */
    assemble(s);
    assert_int_equal(factor(s->p, s->a, s->work) / 3, 1);
    s->excess[3] = least_excess;
    s->excess[4] = s->excess[5] = least_excess;
    assemble(s);
    check(s, 8);
    system_free(s);
    sl_test_context_end(ctx, &m);
}

/* A grid that nothing holds: the last pivot is what rounding leaves, in long columns too. */
static void test_floating_grid(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    system_t *s = grid_system(20);
    for (int32_t i = 0; i < s->n; i++) {
        s->excess[i] = 0.0;
    }
    system_analyse(s, ctx);
    int32_t found = factor(s->p, s->a, s->work);
    assert_true(found >= 0 && found < s->n);
    s->excess[123] = least_excess; /* one place holds it all */
    assemble(s);
    assert_int_equal(factor(s->p, s->a, s->work), -1);
    system_free(s);
    sl_test_context_end(ctx, &m);
}

static void create_only(sl_context *ctx, sl_test_memory *m, void *user) {
    const system_t *s = user;
    sl_ldl *p = NULL;
    sl_status status = sl_ldl_create(ctx, s->n, s->n_edge, s->from, s->to, &p);
    sl_assert_status(status, m->n_refused > 0 ? SL_ERR_MEMORY : SL_OK);
    assert_int_equal(p == NULL, status != SL_OK);
    if (p) { /* a warm factor and solve ask for nothing */
        int64_t before = m->n_request;
        double *a = calloc((size_t)sl_ldl_size(p), sizeof *a), *b = calloc((size_t)s->n, sizeof *b);
        double *work = calloc((size_t)sl_ldl_work(p), sizeof *work);
        for (int32_t i = 0; i < s->n; i++) {
            a[i] = 1.0;
        }
        assert_int_equal(factor(p, a, work), -1);
        sl_ldl_solve(p, work, b);
        assert_int_equal(m->n_request, before);
        free(a);
        free(b);
        free(work);
    }
    sl_ldl_destroy(p);
}

static void test_memory_runs_out(void **state) {
    (void)state;
    system_t *s = grid_system(60); /* large enough for several blocks */
    assert_true(sl_test_sweep(create_only, s) > 4);
    system_free(s);
}

static void test_few(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        sl_test_memory m = {0};
        sl_context *ctx = sl_test_context(&m);
        system_t *s = seed % 2 ? random_system(30 + (int32_t)seed, 60, seed) : grid_system(4 + (int32_t)seed / 4);
        system_analyse(s, ctx);
        check_few(s, seed);
        system_free(s);
        sl_test_context_end(ctx, &m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_few),
        cmocka_unit_test(test_fill),
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_wheels),
        cmocka_unit_test(test_edges_of_the_allowed),
        cmocka_unit_test(test_numbering_does_not_matter),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_not_positive),
        cmocka_unit_test(test_floating_grid),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
