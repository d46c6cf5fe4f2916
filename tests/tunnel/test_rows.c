/* SPDX-License-Identifier: MIT */
/* The rows of the model as text say what the compiled rows compute: at random states, values and rates of random networks. */
#include "tunnel_test.h"

#include "expr/expr.h"
#include "tunnel/instance.h"
#include "tunnel/rows.h"

enum { NAMES = 4000 };

/* Names of the texts, and where their values come from. */
typedef struct bench {
    fixture *f;
    const sl_tunnel_network *net;
    tunnel_instance *o;
    sl_exprs *g;
    sl_arena arena;
    double x[NAMES], dx[NAMES]; /* by number in the graph */
    double value[2000];         /* of equations, then of roots, by texts */
    bool seen[2000];
    int n_row;
} bench;

static void declare(bench *b, const char *symbol, const char *of, double x, double dx) {
    char name[64];
    sl_expr e;
    assert_non_null(of);
    snprintf(name, sizeof name, "%s%s%s", symbol, of[0] ? "_" : "", of);
    sl_assert_ok(sl_expr_declare_variable(b->g, sl_str_z(name), 0, NULL, b->f->diags, &e));
    int32_t k = sl_expr_symbol(b->g, e);
    assert_true(k < NAMES);
    b->x[k] = x;
    b->dx[k] = dx;
}

static void declare_data(bench *b, int32_t pipe, int32_t valve) {
    sl_tunnel_datum data[SL_TUNNEL_DATA_MAX];
    int n = sl_tunnel_data(b->net, &b->arena, pipe, valve, data);
    assert_true(n > 0);
    for (int k = 0; k < n; k++) {
        if (strncmp(data[k].name, "level_", 6) != 0) { /* with its time, below */
            declare(b, data[k].name, "", data[k].value, 0.0);
        }
    }
}

static void declare_all(bench *b, double t, const double *x, const double *dx) {
    const sl_tunnel_network *net = b->net;
    declare(b, "g", "", SL_TUNNEL_GRAVITY, 0.0);
    for (int32_t i = 0; i < net->n_pipe; i++) {
        declare_data(b, i, -1);
        for (int32_t e = 2 * i; e < 2 * i + 2; e++) {
            const char *name = sl_tunnel_row_end(net, &b->arena, e);
            declare(b, "Q", name, x[x_flow(net, e)], dx[x_flow(net, e)]);
            declare(b, "V", name, x[x_volume(e)], dx[x_volume(e)]);
        }
    }
    for (int32_t v = 0; v < net->n_valve; v++) {
        const char *name = sl_tunnel_row_valve(net, &b->arena, v);
        const sl_tunnel_valve *valve = &net->valves[v];
        declare_data(b, -1, v);
        declare(b, "H", name, x[x_head(net, v)], 0.0);
        declare(b, "W", name, x[x_water(net, v)], dx[x_water(net, v)]);
        declare(b, "F", name, x[x_flood(net, v)], dx[x_flood(net, v)]);
        declare(b, "top", name, b->o->now.pinned[v], 0.0);
        declare(b, "i", name, x[x_inflow(net, v)], 0.0);
        declare(b, "j", name, sl_tunnel_series_at(&valve->inflow, t), 0.0);
        declare(b, "J", name, sl_tunnel_series_integral(&valve->inflow, t), 0.0);
        declare(b, "level", name, valve->tub == SL_TUB_LEVEL ? sl_tunnel_series_at(&valve->levels, t) : 0.0, 0.0);
        declare(b, "rise", name, x[x_rise(net, v)], 0.0);
    }
}

static double evaluate(bench *b, const char *text) {
    sl_expr e;
    double value;
    sl_expr_point at = {.x = {b->x, b->dx}};
    sl_assert_ok(sl_expr_parse(b->g, sl_str_z(text), NULL, b->f->diags, &e));
    sl_assert_ok(sl_expr_eval(b->g, e, &at, &value));
    return value;
}

static bool take(void *user, const sl_tunnel_row *row) {
    bench *b = user;
    int32_t k = row->number + (row->kind == SL_TUNNEL_ROW_ROOT ? b->o->n_equation : 0);
    if (row->number < 0) {
        return true;
    }
    assert_true(k < 2000 && !b->seen[k]);
    b->seen[k] = true;
    b->value[k] =
        row->kind == SL_TUNNEL_ROW_ROOT ? evaluate(b, row->right) : evaluate(b, row->left) - evaluate(b, row->right);
    b->n_row++;
    return true;
}

static void random_values(bench *b, uint64_t *seed, double *x, double *dx) {
    const sl_tunnel_network *net = b->net;
    for (int32_t j = 0; j < b->o->n_x; j++) {
        x[j] = 4.0 * sl_test_unit(seed) - 2.0;
        dx[j] = 4.0 * sl_test_unit(seed) - 2.0;
    }
    for (int32_t e = 0; e < 2 * net->n_pipe; e++) {
        x[x_volume(e)] = 20.0 * sl_test_unit(seed);
    }
    for (int32_t v = 0; v < net->n_valve; v++) {
        x[x_inflow(net, v)] = net->valves[v].tub == SL_TUB_RESERVOIR ? x[x_inflow(net, v)] : 0.0;
    }
}

static void texts_are_the_compiled_rows(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    uint64_t seed = 11;
    int n_row = 0, kinds[SL_TUNNEL_ROW_N_KIND] = {0};
    for (int c = 0; c < 200; c++) {
        sl_tunnel_network *net = random_network(&f, &seed, 6);
        finish_network(net);
        sl_tunnel_model model = sl_tunnel_model_default(net);
        model.all_reversals = sl_test_below(&seed, 2);
        void *instance;
        sl_assert_ok(sl_tunnel_ops.open(f.ctx, &model, f.diags, &instance));
        bench *b = calloc(1, sizeof *b);
        assert_non_null(b);
        *b = (bench){.f = &f, .net = net, .o = instance};
        sl_arena_init(&b->arena, f.ctx);
        b->g = sl_exprs_create(f.ctx);
        int32_t n_x, n_q;
        sl_tunnel_sizes(net, &n_x, &n_q);
        double *x = calloc(2 * (size_t)n_x, sizeof *x), *dx = x + n_x, t = 120.0 * sl_test_unit(&seed);
        int32_t *q = calloc((size_t)n_q, sizeof *q), *numbers = calloc(4000, sizeof *numbers), n = 0, n_root = 0;
        assert_true(x && q && numbers);
        for (int32_t j = 0; j < n_q; j++) {
            q[j] = j < sl_tunnel_n_bit(net) ? (int32_t)sl_test_below(&seed, sl_tunnel_bit_domain(net, j)) : 0;
        }
        for (int32_t v = 0; v < net->n_valve; v++) { /* what there is not is never wet */
            int32_t *o = q + sl_valve_bits(v);
            bool none = net->valves[v].tub == SL_TUB_NONE;
            q[q_flood(net, v)] =
                isfinite(net->valves[v].rim) && net->valves[v].tub == SL_TUB_RESERVOIR && sl_test_below(&seed, 2);
            o[SL_TUB_LEG] = o[SL_TUB_LEG] && tub_has_level(&net->valves[v]);
            o[SL_TUB_LEGCTL] = o[SL_TUB_LEGCTL] && tub_has_level(&net->valves[v]);
            for (int32_t k = SL_TUB_JOINT; none && k <= SL_TUB_REC; k++) {
                o[k] = 0;
            }
        }
        sl_hybrid_step_result step = {.settled = false};
        sl_tunnel_ops.changed(instance, -1, NULL, q);
        for (int32_t i = 0; !step.settled; i++) {
            sl_assert_ok(sl_tunnel_ops.discrete(instance, t, i, SL_HYBRID_ONLY_CHOICE, q, f.diags, &step));
        }
        sl_tunnel_ops.changed(instance, -1, NULL, q);
        sl_hybrid_force force;
        sl_assert_ok(sl_tunnel_ops.force(instance, q, f.diags, &force));
        random_values(b, &seed, x, dx);
        declare_all(b, t, x, dx);
        for (int k = 0; k < SL_TUNNEL_ROW_N_KIND; k++) {
            int before = b->n_row;
            sl_assert_ok(
                sl_tunnel_write_rows(net, f.ctx, (sl_tunnel_row_kind)k, force.equations, force.roots, take, b));
            kinds[k] += b->n_row - before;
        }
        for (int32_t i = 0; i < b->o->n_equation; i++) {
            assert_int_equal(force.equations[i] != 0, b->seen[i]);
            if (force.equations[i]) {
                numbers[n++] = i;
            }
        }
        int32_t *roots = numbers + n;
        for (int32_t i = 0; i < b->o->n_root; i++) {
            if ((force.roots[i] != 0) != b->seen[b->o->n_equation + i]) {
                fail_msg("network %d: %s is in force: %d, written: %d", c, sl_tunnel_ops.root_name(instance, i),
                         force.roots[i], b->seen[b->o->n_equation + i]);
            }
            if (force.roots[i]) {
                roots[n_root++] = i;
            }
        }
        for (int32_t j = 0; j < n_x; j++) {
            sl_tunnel_ops.stand(instance, j, x[j]);
        }
        sl_hybrid_mode mode;
        sl_assert_ok(sl_tunnel_ops.compile_part(instance, n, numbers, n_root, roots, f.diags, &mode));
        double *y = calloc(3 * (size_t)(n + 1), sizeof *y), *dy = y + n + 1, *r = dy + n + 1;
        assert_non_null(y);
        for (int32_t k = 0; k < n; k++) {
            y[k] = x[mode.variables[k]];
            dy[k] = dx[mode.variables[k]];
        }
        assert_int_equal(mode.system.residual(mode.system.user, t, y, dy, r), 0);
        for (int32_t k = 0; k < n; k++) {
            double text = b->value[numbers[k]];
            if (fabs(r[k] - text) > 1e-12 * (1.0 + fabs(text))) {
                fail_msg("network %d, equation %d: %.17g, by its text %.17g", c, (int)numbers[k], r[k], text);
            }
        }
        /* a root is its text in units of what it tolerates, and a little more: the sign is the text's but near zero */
        for (int32_t k = 0; k < n_root; k++) {
            double g = tunnel_root(b->o, roots[k], t, x), text = b->value[b->o->n_equation + roots[k]];
            if (fabs(text) > 1e-3 && (g > 0.0) != (text > 0.0)) {
                fail_msg("network %d, root %d: %.17g, by its text %.17g", c, (int)roots[k], g, text);
            }
        }
        n_row += b->n_row;
        sl_tunnel_ops.release(instance, 0, &mode);
        sl_tunnel_ops.close(instance);
        sl_exprs_destroy(b->g);
        sl_arena_fini(&b->arena);
        free(y);
        free(numbers);
        free(q);
        free(x);
        free(b);
        sl_tunnel_network_destroy(net);
    }
    assert_true(n_row > 3000);
    for (int k = 0; k <= SL_TUNNEL_ROW_ROOT; k++) {
        assert_true(kinds[k] > 10);
    }
    fixture_fini(&f);
}

static bool count(void *user, const sl_tunnel_row *row) {
    int *n = user;
    assert_true(row->label[0] && row->left[0] && row->right[0]);
    n[row->kind]++;
    return true;
}

/* All rows there can be, of the simplest network: two ends, one pipe, two outfalls. */
static void all_rows_of_a_pipe(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    const int ends[2] = {0, 1};
    sl_tunnel_network *net = plain_network(&f, 2, 1, ends);
    finish_network(net);
    int n[SL_TUNNEL_ROW_N_KIND] = {0};
    for (int k = 0; k < SL_TUNNEL_ROW_N_KIND; k++) {
        sl_assert_ok(sl_tunnel_write_rows(net, f.ctx, (sl_tunnel_row_kind)k, NULL, NULL, count, n));
    }
    const int expected[SL_TUNNEL_ROW_N_KIND] = {2, 2, 4, 1, 2, 4, 2, 0, 17, 3, 2};
    assert_memory_equal(n, expected, sizeof n);
    sl_tunnel_network_destroy(net);
    fixture_fini(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts_are_the_compiled_rows),
                                       cmocka_unit_test(all_rows_of_a_pipe)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
