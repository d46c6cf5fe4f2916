/* SPDX-License-Identifier: MIT */
/* tunnels.c: what an event in tunnels costs: it should go with the body of water that is touched, not with the network.
 *
 *     tunnels N groups    groups of ten tunnels, each with a gate, a diamond where two columns collide, a reservoir that joins and runs empty,
 *                         and an outfall; the tenth leads dry to the next group
 *     tunnels N ladder    diamonds one below the other: all water becomes one body
 *
 * All fill, collide and run dry. Prints tunnels, crossings, seconds of the processor for building and for the run, steps of integrators, their
 * starts, the largest relative defect of volume, water left in the tunnels [m3], and the most memory that the program had [bytes].
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "tunnel/model.h"

static sl_context *ctx;
static sl_diags *diags;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(sl_status status, const char *what) {
    if (status != SL_OK) {
        fprintf(stderr, "%s: %s\n", what, sl_status_text(status));
        for (int32_t k = 0; diags && k < sl_diags_size(diags); k++) {
            fprintf(stderr, "%s\n", sl_diags_at(diags, k)->text);
        }
        exit(1);
    }
}

static void complain(void *user, bool pipe, int32_t index, sl_code code, const char *hint, const char *text) {
    (void)user, (void)code, (void)hint;
    fprintf(stderr, "%s %d: %s\n", pipe ? "pipe" : "valve", (int)index, text);
}

/* A number within 0 and 1 that goes with k. */
static double spread(int k) {
    return fmod(0.6180339887498949 * (k + 1), 1.0);
}

static int add_valve(sl_tunnel_network *net, sl_tub_kind tub, double z) {
    char name[32];
    int v = net->n_valve++;
    (void)snprintf(name, sizeof name, "v%d", v);
    (void)sl_ids_add(net->valve_ids, sl_str_z(name));
    net->valves[v] = (sl_tunnel_valve){
        .elevation = z, .suction = 10.0, .hysteresis = 1e-6, .tub = tub, .is_open = true, .rim = (double)INFINITY,
                                       .target = -1};
    return v;
}

static void set_level(sl_tunnel_network *net, int v, double level) {
    double *both = sl_arena_alloc(&net->arena, 2 * sizeof *both);
    both[1] = level;
    net->valves[v].levels = (sl_tunnel_series){1, both, both + 1, NULL};
}

static int add_pipe(sl_tunnel_network *net, int from, int to, double length) {
    char name[32];
    int i = net->n_pipe++;
    (void)snprintf(name, sizeof name, "t%d", i);
    (void)sl_ids_add(net->pipe_ids, sl_str_z(name));
    net->pipes[i] =
        (sl_tunnel_pipe){.length = length, .area = 1.0, .diameter = 1.128, .friction = 0.02, .added_length = 0.564};
    for (int j = 0; j < 2; j++) {
        int v = j == 0 ? from : to;
        net->pipes[i].ends[j] = (sl_tunnel_end){
            .valve = v, .elevation = net->valves[v].elevation, .in = 1.5, .is_open = true, .drops = j == 0};
    }
    return i;
}

static void move(sl_tunnel_network *net, int valve, double t, bool is_open) {
    net->moves[net->n_move++] = (sl_tunnel_move){.t = t, .valve = valve, .is_open = is_open};
}

/* The valves before it and the gate's times. Returns the outfall. */
static int add_group(sl_tunnel_network *net, int k, int last) {
    double longer = 1.0 + 0.5 * spread(3 * k), begin = 1.0 + 60.0 * spread(k);
    int u = add_valve(net, SL_TUB_LEVEL, 30.0), a = add_valve(net, SL_TUB_NONE, 25.0);
    int b = add_valve(net, SL_TUB_NONE, 20.0), c = add_valve(net, SL_TUB_NONE, 21.0);
    int d = add_valve(net, SL_TUB_NONE, 15.0), e = add_valve(net, SL_TUB_NONE, 10.0);
    int f = add_valve(net, SL_TUB_OUTFALL, 0.0), s = add_valve(net, SL_TUB_RESERVOIR, 22.0);
    set_level(net, u, 34.0);
    net->valves[u].is_open = false;
    net->valves[s].area = 20.0;
    net->valves[s].bottom = 22.0;
    net->valves[s].level = 22.5 + spread(7 * k);
    move(net, u, begin, true);
    move(net, u, begin + 150.0, false);
    (void)add_pipe(net, u, a, 40.0);
    (void)add_pipe(net, a, b, 50.0);
    (void)add_pipe(net, b, d, 50.0 * longer);
    (void)add_pipe(net, a, c, 60.0);
    (void)add_pipe(net, c, d, 45.0);
    (void)add_pipe(net, d, e, 30.0);
    (void)add_pipe(net, s, b, 50.0);
    (void)add_pipe(net, e, f, 40.0);
    (void)add_pipe(net, e, f, 55.0 * longer);
    if (last >= 0) {
        int link = add_pipe(net, last, u, 100.0);
        net->pipes[link].ends[0].is_open = net->pipes[link].ends[1].is_open = false;
    }
    return f;
}

static void add_ladder(sl_tunnel_network *net, int n) {
    int upper = add_valve(net, SL_TUB_LEVEL, 2.0 * n);
    set_level(net, upper, 2.0 * n + 8.0);
    net->valves[upper].is_open = false;
    move(net, upper, 1.0, true);
    move(net, upper, 60.0 + 6.0 * n, false);
    while (net->n_pipe + 4 <= n) {
        int k = net->n_pipe;
        double z = net->valves[upper].elevation;
        int left = add_valve(net, SL_TUB_NONE, z - 3.0), right = add_valve(net, SL_TUB_NONE, z - 4.0);
        int lower = add_valve(net, k + 8 <= n ? SL_TUB_NONE : SL_TUB_OUTFALL, z - 7.0);
        (void)add_pipe(net, upper, left, 15.0 + 5.0 * spread(k));
        (void)add_pipe(net, left, lower, 15.0);
        (void)add_pipe(net, upper, right, 20.0 + 5.0 * spread(k + 1));
        (void)add_pipe(net, right, lower, 15.0);
        upper = lower;
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000, last = -1;
    bool ladder = argc > 2 && strcmp(argv[2], "ladder") == 0;
    must(sl_context_create(NULL, &ctx), "context");
    must(sl_diags_create(ctx, &diags), "messages");
    double t0 = now();
    sl_tunnel_network *net = sl_tunnel_network_create(ctx, n + 8, n);
    net->moves = sl_arena_alloc(&net->arena, (size_t)(2 * n) * sizeof *net->moves);
    for (int k = 0; !ladder && k < n / 10; k++) {
        last = add_group(net, k, last);
    }
    if (ladder) {
        add_ladder(net, n);
    }
    must(sl_tunnel_network_finish(net, complain, NULL), "network");
    sl_tunnel_model model = sl_tunnel_model_default(net);
    sl_hybrid_def def = sl_hybrid_default();
    sl_hybrid *h = NULL;
    def.dae.rtol = model.rtol;
    def.dae.root_tol = SL_TUNNEL_ROOT_TOLERANCE;
    def.dae.skip_algebraic = true;
    def.policy = SL_HYBRID_POLICY_WIDEN;
    def.end = ladder ? 400.0 + 12.0 * n : 400.0;
    sl_hybrid_info info;
    must(sl_hybrid_create(ctx, &sl_tunnel_ops, &model, &def, diags, &h), "execution");
    double before = sl_tunnel_volume(net, sl_hybrid_x(h)), amount = 1.0, left = 0.0;
    double t1 = now();
    must(sl_hybrid_next(h, SL_HYBRID_STOP, diags, &info), "run");
    double t2 = now();
    const double *x = sl_hybrid_x(h);
    for (int e = 0; e < 2 * net->n_pipe; e++) {
        left += x[e];
    }
    for (int v = 0; v < net->n_valve; v++) {
        amount += fabs(x[4 * net->n_pipe + v]);
    }
    sl_hybrid_stats s = sl_hybrid_statistics(h);
    struct rusage used;
    (void)getrusage(RUSAGE_SELF, &used);
    printf("%d %lld %.6f %.6f %lld %lld %.3g %.6g %.0f\n", (int)net->n_pipe, (long long)sl_hybrid_n_crossing(h),
           t1 - t0, t2 - t1, (long long)s.dae.n_step, (long long)s.n_restart,
           fabs(sl_tunnel_volume(net, x) - before) / amount, left, 1024.0 * (double)used.ru_maxrss);
    sl_hybrid_destroy(h);
    sl_tunnel_network_destroy(net);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return 0;
}
