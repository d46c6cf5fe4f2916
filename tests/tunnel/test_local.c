/* SPDX-License-Identifier: MIT */
/* What happens in one body of water concerns no other: a network moves the same, bit for bit, alone and beside another one, whose events
 * are none of its own. Where steps end by themselves; what is saved of a hysteresis that was widened. */
#include "tunnel_test.h"

#include "hybrid/hybrid.h"
#include "tunnel/model.h"

/* Both in one, which are not connected; their own ids do not matter. */
static sl_tunnel_network *join(fixture *f, const sl_tunnel_network *a, const sl_tunnel_network *b) {
    int ends[256];
    const sl_tunnel_network *both[] = {a, b};
    for (int k = 0, n = 0; k < 2; k++) {
        for (int e = 0; e < 2 * both[k]->n_pipe; e++) {
            assert_true(n < 256);
            ends[n++] = both[k]->pipes[e / 2].ends[e % 2].valve + (k ? a->n_valve : 0);
        }
    }
    sl_tunnel_network *net = plain_network(f, a->n_valve + b->n_valve, a->n_pipe + b->n_pipe, ends);
    net->moves = sl_arena_alloc(&net->arena, (size_t)(a->n_move + b->n_move) * sizeof *net->moves);
    for (int k = 0; k < 2; k++) {
        int v0 = k ? a->n_valve : 0, i0 = k ? a->n_pipe : 0;
        memcpy(net->valves + v0, both[k]->valves, (size_t)both[k]->n_valve * sizeof *net->valves);
        memcpy(net->pipes + i0, both[k]->pipes, (size_t)both[k]->n_pipe * sizeof *net->pipes);
        for (int v = v0; v < v0 + both[k]->n_valve; v++) {
            net->valves[v].target += net->valves[v].target >= 0 ? v0 : 0;
        }
        for (int e = 2 * i0; e < 2 * (i0 + both[k]->n_pipe); e++) {
            net->pipes[e / 2].ends[e % 2].valve += v0;
        }
        for (int m = 0; m < both[k]->n_move; m++) {
            sl_tunnel_move *move = &net->moves[net->n_move++];
            *move = both[k]->moves[m];
            move->valve += move->valve >= 0 ? v0 : 0;
            move->end += 2 * i0;
        }
    }
    return net;
}

/* Of a run of 100 s: volumes and flows of the first n_pipe pipes at its end, and how often their discrete variables have changed. */
typedef struct outcome {
    double x[128];
    int n_change;
    int64_t n_restart;
} outcome;

static void run(fixture *f, sl_tunnel_network *net, int n_pipe, int n_valve, outcome *out) {
    sl_tunnel_model model = sl_tunnel_model_default(net);
    sl_hybrid_def def = sl_hybrid_default();
    sl_hybrid *h = NULL;
    def.dae.rtol = model.rtol;
    def.dae.root_tol = SL_TUNNEL_ROOT_TOLERANCE;
    def.dae.skip_algebraic = true;
    def.end = 100.0;
    def.policy = SL_HYBRID_POLICY_WIDEN;
    sl_assert_ok(sl_hybrid_create(f->ctx, &sl_tunnel_ops, &model, &def, f->diags, &h));
    sl_hybrid_info info = {0};
    *out = (outcome){{0}, 0, 0};
    while (info.event != SL_HYBRID_STOP) {
        int32_t n;
        sl_assert_ok(sl_hybrid_next(h, SL_HYBRID_ANY, f->diags, &info));
        const sl_hybrid_change *changes = sl_hybrid_q_changes(h, &n);
        for (int32_t k = 0; k < n; k++) {
            int32_t block = changes[k].j < sl_tunnel_n_bit(net) ? sl_tunnel_block(net, changes[k].j) : -1;
            int32_t i = block - net->n_valve;
            out->n_change += (block >= 0 && block < n_valve) || (i >= 0 && i < n_pipe);
        }
    }
    const double *x = sl_hybrid_x(h);
    for (int e = 0; e < 2 * n_pipe; e++) {
        assert_true(2 * e + 1 < 128);
        out->x[2 * e] = x[e];
        out->x[2 * e + 1] = x[2 * net->n_pipe + e];
    }
    out->n_restart = sl_hybrid_statistics(h).n_restart;
    sl_hybrid_destroy(h);
}

static void events_concern_their_own_body(void **state) {
    (void)state;
    int n_change = 0, n_two = 0;
    for (int k = 1; k <= 40; k++) {
        fixture f;
        uint64_t seed = (uint64_t)k * 104729;
        fixture_init(&f);
        sl_tunnel_network *a = random_network(&f, &seed, 8), *b = random_network(&f, &seed, 8), *both = join(&f, a, b);
        outcome alone, beside, other;
        finish_network(a);
        finish_network(b);
        finish_network(both);
        run(&f, a, a->n_pipe, a->n_valve, &alone);
        run(&f, b, b->n_pipe, b->n_valve, &other);
        run(&f, both, a->n_pipe, a->n_valve, &beside);
        for (int j = 0; j < 4 * a->n_pipe; j++) {
            if (memcmp(&alone.x[j], &beside.x[j], sizeof(double)) != 0) {
                fail_msg("seed %d: value %d is %.17g alone, %.17g beside", k, j, alone.x[j], beside.x[j]);
            }
        }
        assert_int_equal(alone.n_change, beside.n_change);
        n_change += alone.n_change;
        n_two += alone.n_change > 0 && other.n_change > 0;
        assert_true(beside.n_restart <= alone.n_restart + other.n_restart);
        sl_tunnel_network_destroy(both);
        sl_tunnel_network_destroy(b);
        sl_tunnel_network_destroy(a);
        fixture_fini(&f);
    }
    print_message("%d changes; of 40 pairs %d in which both change\n", n_change, n_two);
    assert_true(n_change > 100 && n_two > 10);
}

static sl_tunnel_series series(sl_tunnel_network *net, int n, const double *points) {
    double *t = sl_arena_alloc(&net->arena, 2 * (size_t)n * sizeof *t);
    memcpy(t, points, 2 * (size_t)n * sizeof *t);
    return (sl_tunnel_series){n, t, t + n, NULL};
}

/* A level with kinks at 3 s and 7 s, and a gate that is moved at 5 s and 6 s. */
static void steps_end_at_kinks_and_moves(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    const double wanted[] = {3.0, 5.0, 6.0, 7.0}, points[] = {3.0, 7.0, 25.0, 26.0};
    int n_met = 0;
    sl_tunnel_network *net = plain_network(&f, 2, 1, (const int[]){0, 1});
    net->valves[0].tub = SL_TUB_LEVEL;
    net->valves[0].levels = series(net, 2, points);
    net->moves = sl_arena_alloc(&net->arena, 2 * sizeof *net->moves);
    net->moves[net->n_move++] = (sl_tunnel_move){.t = 6.0, .valve = -1, .end = 1, .is_open = true};
    net->moves[net->n_move++] = (sl_tunnel_move){.t = 5.0, .valve = -1, .end = 1, .is_open = false};
    finish_network(net);
    sl_tunnel_model model = sl_tunnel_model_default(net);
    sl_hybrid_def def = sl_hybrid_default();
    sl_hybrid *h = NULL;
    def.dae.root_tol = SL_TUNNEL_ROOT_TOLERANCE;
    def.end = 20.0;
    sl_assert_ok(sl_hybrid_create(f.ctx, &sl_tunnel_ops, &model, &def, f.diags, &h));
    for (sl_hybrid_info info = {0}; info.event != SL_HYBRID_STOP;) {
        sl_assert_ok(sl_hybrid_next(h, SL_HYBRID_STEP | SL_HYBRID_JUMP, f.diags, &info));
        n_met += n_met < 4 && info.t == wanted[n_met];
        if (info.event == SL_HYBRID_JUMP && info.t == 5.0) {
            sl_assert_ok(sl_hybrid_next(h, SL_HYBRID_SETTLED, f.diags, &info));
            sl_assert_ok(sl_hybrid_next(h, SL_HYBRID_SETTLED, f.diags, &info));
            assert_int_equal(sl_hybrid_q(h)[sl_end_bits(net, 1) + SL_END_OPEN], 0);
        }
    }
    assert_int_equal(n_met, 4);
    sl_hybrid_destroy(h);
    sl_tunnel_network_destroy(net);
    fixture_fini(&f);
}

/* A small reservoir whose level hovers at its sill, until its hysteresis is widened: what is saved then goes on with the same bits. */
static void a_widened_hysteresis_is_saved(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    const double inflow[] = {0.0, 0.05};
    sl_tunnel_network *net = plain_network(&f, 2, 1, (const int[]){0, 1});
    net->valves[0].tub = SL_TUB_RESERVOIR;
    net->valves[0].area = 1.0;
    net->valves[0].bottom = net->valves[0].level = net->valves[0].elevation;
    net->valves[0].inflow = series(net, 1, inflow);
    net->pipes[0].ends[0].drops = true;
    finish_network(net);
    sl_tunnel_model model = sl_tunnel_model_default(net);
    sl_hybrid_def def = sl_hybrid_default();
    sl_hybrid *h = NULL, *again = NULL;
    def.dae.root_tol = SL_TUNNEL_ROOT_TOLERANCE;
    def.end = 60.0;
    def.policy = SL_HYBRID_POLICY_WIDEN;
    def.max_event = 10;
    def.window = 5.0;
    sl_assert_ok(sl_hybrid_create(f.ctx, &sl_tunnel_ops, &model, &def, f.diags, &h));
    sl_hybrid_info info = {0};
    for (int n = 0; n<50; n += sl_diags_size(f.diags)> 0) { /* some steps after the first warning */
        sl_assert_ok(sl_hybrid_next(h, SL_HYBRID_STEP, f.diags, &info));
        assert_int_not_equal(info.event, SL_HYBRID_STOP);
    }
    size_t n = sl_hybrid_save_size(h);
    char *bytes = malloc(n), *end = NULL;
    sl_hybrid_save(h, bytes);
    sl_assert_ok(sl_hybrid_create(f.ctx, &sl_tunnel_ops, &model, &def, f.diags, &again));
    sl_assert_ok(sl_hybrid_restore(again, bytes, n, f.diags));
    free(bytes);
    sl_assert_ok(sl_hybrid_next(h, SL_HYBRID_STOP, f.diags, &info));
    sl_assert_ok(sl_hybrid_next(again, SL_HYBRID_STOP, f.diags, &info));
    n = sl_hybrid_save_size(h);
    assert_int_equal(n, sl_hybrid_save_size(again));
    bytes = malloc(n);
    end = malloc(n);
    sl_hybrid_save(h, bytes);
    sl_hybrid_save(again, end);
    assert_memory_equal(bytes, end, n);
    free(bytes);
    free(end);
    sl_hybrid_destroy(again);
    sl_hybrid_destroy(h);
    sl_tunnel_network_destroy(net);
    fixture_fini(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(events_concern_their_own_body),
                                       cmocka_unit_test(steps_end_at_kinks_and_moves),
                                       cmocka_unit_test(a_widened_hysteresis_is_saved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
