/* SPDX-License-Identifier: MIT */
/* What happens in one body of water concerns no other: a network moves the same, bit for bit, alone and beside another one, whose events
 * are none of its own. */
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

/* Of a run of 100 s: volumes and flows of the first n_pipe pipes at its end, and how often joints of their pipes and valves have changed. */
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
        sl_assert_ok(sl_hybrid_next(h, SL_HYBRID_TRANSITION, f->diags, &info));
        const sl_hybrid_change *changes = sl_hybrid_q_changes(h, &n);
        for (int32_t k = 0; k < n; k++) {
            int32_t block = changes[k].j < sl_tunnel_n_bit(net) ? sl_tunnel_block(net, changes[k].j) : -1;
            int32_t i = block - net->n_valve;
            bool of_pipe = i >= 0 && i < n_pipe && (changes[k].j - sl_pipe_bits(net, i)) == SL_MID_JOINT;
            bool of_valve = block >= 0 && block < n_valve && changes[k].j % SL_VALVE_N_BIT == SL_VALVE_JOINT;
            out->n_change += of_pipe || of_valve;
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(events_concern_their_own_body)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
