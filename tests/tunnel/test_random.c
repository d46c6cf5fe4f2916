/* SPDX-License-Identifier: MIT */
/* Random networks run to their end: no failure, volume kept over the whole run, kinetic energy never grows in an action. How many: the
 * first argument; from which seed: the second. */
#include "tunnel_test.h"

#include "hybrid/hybrid.h"
#include "tunnel/model.h"

static int n_network = 60, first_seed = 1;

typedef struct totals {
    int64_t n_step, n_crossing, n_action;
    int n_failed, most_rounds;
    double worst_volume, worst_energy;
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
        all->n_step += info.event == SL_HYBRID_STEP;
        all->n_crossing += info.event == SL_HYBRID_CROSSING;
        scale = fmax(scale, amount(net, sl_hybrid_x(h)));
    }
    double lost = fabs(sl_tunnel_volume(net, sl_hybrid_x(h)) - volume) / scale;
    if (lost > 1e-9) {
        print_message("seed %d: %.3g of the water is lost or won by %g s\n", seed, lost, sl_hybrid_time(h));
    }
    all->worst_volume = fmax(all->worst_volume, lost);
    sl_hybrid_destroy(h);
    return status == SL_OK;
}

static void random_networks_run_to_their_end(void **state) {
    (void)state;
    totals all = {0};
    for (int k = first_seed; k < first_seed + n_network; k++) {
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
    print_message("%d networks: %d failed, %lld steps, %lld crossings, %lld actions, volume to %.2g, energy %.2g\n",
                  n_network, all.n_failed, (long long)all.n_step, (long long)all.n_crossing, (long long)all.n_action,
                  all.worst_volume, all.worst_energy);
    assert_int_equal(all.n_failed, 0);
    assert_true(all.worst_volume <= 1e-9);
    assert_true(all.worst_energy <= 1e-12);
}

int main(int argc, char **argv) {
    n_network = argc > 1 ? atoi(argv[1]) : n_network;
    first_seed = argc > 2 ? atoi(argv[2]) : first_seed;
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_networks_run_to_their_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
