/* SPDX-License-Identifier: MIT */
/* Random networks run to their end: no failure, volume kept over the whole run, kinetic energy never grows in an action. How many: the
 * first argument; from which seed: the second. */
#include "tunnel_test.h"

#include "hybrid/hybrid.h"
#include "tunnel/model.h"

static int n_network = 60, first_seed = 1;

/* Seeds of networks that took an effort: suction, siphons, tubs that spill, water that falls, shut ends with air before them, columns that
 * begin at rest without water. */
static const int hard[] = {84, 91, 117, 187, 225, 235, 368, 381, 457, 528, 561, 595, 724, 772, 786, 802, 934};

typedef struct totals {
    int64_t n_step, n_crossing, n_action;
    int n_failed, most_rounds;
    double worst_volume, worst_within, worst_energy;
} totals;

/* All water that there is, whatever its sign: what a relative error is relative to. */
static double amount(const sl_tunnel_network *net, const double *x) {
    double sum = 1.0;
    for (int32_t e = 0; e < 2 * net->n_pipe; e++) {
        sum += fabs(x[e]);
    }
    for (int32_t v = 0; v < net->n_valve; v++) {
        sum += fabs(x[4 * net->n_pipe + v]);
    }
    return sum;
}

static bool run_network(fixture *f, sl_tunnel_network *net, int seed, totals *all) {
    sl_tunnel_model model = sl_tunnel_model_default(net);
    sl_hybrid_def def = sl_hybrid_default();
    sl_hybrid *h = NULL;
    def.dae.rtol = model.rtol = 1e-8;
    def.dae.root_tol = SL_TUNNEL_ROOT_TOLERANCE;
    def.dae.skip_algebraic = true;
    def.end = 200.0;
    def.policy = SL_HYBRID_POLICY_WIDEN;
    sl_assert_ok(sl_hybrid_create(f->ctx, &sl_tunnel_ops, &model, &def, f->diags, &h));
    sl_hybrid_info info = {0};
    int32_t n_x, n_q;
    sl_tunnel_sizes(net, &n_x, &n_q);
    double *x = malloc(2 * (size_t)n_x * sizeof *x);
    double volume = sl_tunnel_volume(net, sl_hybrid_x(h)), energy = 0.0, scale = 1.0;
    sl_status status = SL_OK;
    while (status == SL_OK && info.event != SL_HYBRID_STOP) {
        energy = sl_tunnel_kinetic_energy(net, sl_hybrid_x(h));
        status = sl_hybrid_next(h, SL_HYBRID_ANY, f->diags, &info);
        if (status == SL_OK && info.event == SL_HYBRID_ACTION) {
            double after = sl_tunnel_kinetic_energy(net, sl_hybrid_x(h));
            double gain = (after - energy) / fmax(energy, 1e-3);
            if (gain > 1e-12) {
                print_message("seed %d: an action at %g s adds %g J to %g J\n", seed, info.t, after - energy, energy);
            }
            all->worst_energy = fmax(all->worst_energy, gain);
            all->n_action++;
        }
        if (status == SL_OK && info.event == SL_HYBRID_STEP && info.t > info.begin) { /* within the step too */
            sl_assert_ok(sl_hybrid_interpolate(h, 0.5 * (info.begin + info.t), x, x + n_x));
            all->worst_within = fmax(all->worst_within, fabs(sl_tunnel_volume(net, x) - volume) / scale);
        }
        all->n_step += info.event == SL_HYBRID_STEP;
        all->n_crossing += info.event == SL_HYBRID_CROSSING;
        scale = fmax(scale, amount(net, sl_hybrid_x(h)));
    }
    double lost = fabs(sl_tunnel_volume(net, sl_hybrid_x(h)) - volume) / scale;
    if (lost > 1e-12) {
        print_message("seed %d: %.3g of the water is lost or won by %g s\n", seed, lost, sl_hybrid_time(h));
    }
    all->worst_volume = fmax(all->worst_volume, lost);
    sl_hybrid_destroy(h);
    free(x);
    return status == SL_OK;
}

static void random_networks_run_to_their_end(void **state) {
    (void)state;
    totals all = {0};
    int n_hard = first_seed == 1 ? (int)(sizeof hard / sizeof *hard) : 0;
    for (int i = 0; i < n_network + n_hard; i++) {
        int k = i < n_network ? first_seed + i : hard[i - n_network];
        fixture f;
        uint64_t seed = (uint64_t)k * 7919;
        fixture_init(&f);
        sl_tunnel_network *net = random_network(&f, &seed, 8);
        finish_network(net);
        if (!run_network(&f, net, k, &all)) {
            all.n_failed++;
            int32_t n = sl_diags_size(f.diags);
            print_message("seed %d: %s\n", k, n > 0 ? sl_diags_at(f.diags, n - 1)->text : "");
        }
        sl_tunnel_network_destroy(net);
        fixture_fini(&f);
    }
    print_message(
        "%d networks: %d failed, %lld steps, %lld crossings, %lld actions, volume to %.2g, within steps %.2g, energy %.2g\n",
        n_network + n_hard, all.n_failed, (long long)all.n_step, (long long)all.n_crossing, (long long)all.n_action,
        all.worst_volume, all.worst_within, all.worst_energy);
    assert_int_equal(all.n_failed, 0);
    assert_true(all.worst_volume <= 1e-12); /* a linear invariant: rounding */
    assert_true(all.worst_within <= 1e-12);
    assert_true(all.worst_energy <= 1e-12);
}

int main(int argc, char **argv) {
    n_network = argc > 1 ? atoi(argv[1]) : n_network;
    first_seed = argc > 2 ? atoi(argv[2]) : first_seed;
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_networks_run_to_their_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
