/* SPDX-License-Identifier: MIT */
/* tunnel_test.c: see tunnel_test.h. */
#include "tunnel_test.h"

void fixture_init(fixture *f) {
    *f = (fixture){0};
    f->ctx = sl_test_context(&f->memory);
    sl_assert_ok(sl_diags_create(f->ctx, &f->diags));
}

void fixture_fini(fixture *f) {
    sl_yaml_destroy(f->doc);
    free(f->bytes);
    sl_diags_destroy(f->diags);
    sl_test_context_end(f->ctx, &f->memory);
}

bool fixture_open(fixture *f, const char *name) {
    const char *shared = getenv("SLUICE_SHARED");
    char path[1024];
    if (!shared || !shared[0]) {
        print_message("skipped the comparison with %s: there is no ../shared\n", name);
        return false;
    }
    snprintf(path, sizeof path, "%s/cases/multibody/%s", shared, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file); /* the folder is there, so the file is */
    enum { MOST = 4 << 20 };
    f->bytes = malloc(MOST);
    size_t n = fread(f->bytes, 1, MOST, file);
    fclose(file);
    assert_true(n > 0 && n < MOST);
    sl_assert_ok(sl_yaml_read(f->ctx, f->bytes, n, name, f->diags, &f->doc));
    return true;
}

const sl_yaml_node *child(const sl_yaml_node *node, const char *key) {
    for (const sl_yaml_node *c = node ? node->first : NULL; c; c = c->next) {
        if (sl_str_equal(c->key, sl_str_z(key))) {
            return c;
        }
    }
    return NULL;
}

double number(const sl_yaml_node *node) {
    assert_non_null(node);
    char *end;
    double value = strtod(node->text.ptr, &end);
    return end == node->text.ptr ? (double)NAN : value;
}

sl_tunnel_network *plain_network(fixture *f, int n_valve, int n_pipe, const int *ends) {
    sl_tunnel_network *net = sl_tunnel_network_create(f->ctx, n_valve, n_pipe);
    char name[16];
    assert_non_null(net);
    for (int v = 0; v < n_valve; v++) {
        snprintf(name, sizeof name, "%d", v);
        assert_int_equal(sl_ids_add(net->valve_ids, sl_str_z(name)), v);
        net->valves[v] = (sl_tunnel_valve){.elevation = 10.0 * (n_valve - v),
                                           .suction = 10.0,
                                           .hysteresis = 1e-6,
                                           .tub = SL_TUB_OUTFALL,
                                           .is_open = true,
                                           .rim = (double)INFINITY,
                                           .target = -1};
    }
    for (int i = 0; i < n_pipe; i++) {
        snprintf(name, sizeof name, "%d", i);
        assert_int_equal(sl_ids_add(net->pipe_ids, sl_str_z(name)), i);
        net->pipes[i] =
            (sl_tunnel_pipe){.length = 100.0, .area = 1.0, .diameter = 1.128, .friction = 0.02, .added_length = 1.0};
        for (int j = 0; j < 2; j++) {
            net->pipes[i].ends[j] = (sl_tunnel_end){.valve = ends[2 * i + j],
                                                    .elevation = net->valves[ends[2 * i + j]].elevation,
                                                    .in = 1.5,
                                                    .is_open = true};
        }
    }
    net->n_valve = n_valve;
    net->n_pipe = n_pipe;
    return net;
}

static void fail_on_complaint(void *user, bool pipe, int32_t index, sl_code code, const char *hint, const char *text) {
    (void)user, (void)hint, (void)code;
    fail_msg("%s %d: %s", pipe ? "pipe" : "valve", (int)index, text);
}

void finish_network(sl_tunnel_network *net) {
    sl_assert_ok(sl_tunnel_network_finish(net, fail_on_complaint, NULL));
}

/* A series of one value, or of three. */
static sl_tunnel_series random_series(sl_tunnel_network *net, uint64_t *seed, double low, double high) {
    int32_t n = sl_test_below(seed, 2) ? 1 : 3;
    double *t = sl_arena_alloc(&net->arena, 2 * (size_t)n * sizeof *t), *value = t + n;
    for (int32_t k = 0; k < n; k++) {
        t[k] = 50.0 * k;
        value[k] = low + (high - low) * sl_test_unit(seed);
    }
    return (sl_tunnel_series){n, t, value, NULL};
}

static void random_tub(sl_tunnel_network *net, uint64_t *seed, int v) {
    sl_tunnel_valve *valve = &net->valves[v];
    double z = valve->elevation;
    valve->tub = (sl_tub_kind)sl_test_below(seed, SL_TUB_KIND_COUNT);
    valve->hysteresis = valve->tub == SL_TUB_RESERVOIR ? 0.05 : 1e-6;
    valve->is_open = sl_test_below(seed, 4) != 0;
    if (valve->tub == SL_TUB_LEVEL) {
        valve->levels = random_series(net, seed, z - 3.0, z + 10.0);
    } else if (valve->tub == SL_TUB_RESERVOIR) {
        valve->area = 5.0 + 500.0 * sl_test_unit(seed);
        valve->bottom = z - 5.0 * sl_test_unit(seed);
        valve->level = valve->bottom + 12.0 * sl_test_unit(seed);
        if (sl_test_below(seed, 2)) {
            valve->inflow = random_series(net, seed, 0.0, 3.0);
        }
        valve->rim = sl_test_below(seed, 3) ? (double)INFINITY : fmax(valve->level, z) + 1.0 + sl_test_unit(seed);
    }
}

sl_tunnel_network *random_network(fixture *f, uint64_t *seed, int n_most) {
    enum { MOST = 8 };
    int ends[4 * MOST * MOST], n_valve = 2 + (int)sl_test_below(seed, n_most - 1), n_pipe = 0;
    assert_true(n_most <= MOST);
    for (int v = 1; v < n_valve; v++) { /* a tree, with other pipes */
        ends[2 * n_pipe] = (int)sl_test_below(seed, v);
        ends[2 * n_pipe++ + 1] = v;
    }
    for (int k = (int)sl_test_below(seed, n_valve); k > 0; k--) {
        int low = 1 + (int)sl_test_below(seed, n_valve - 1);
        ends[2 * n_pipe] = (int)sl_test_below(seed, low);
        ends[2 * n_pipe++ + 1] = low;
    }
    sl_tunnel_network *net = plain_network(f, n_valve, n_pipe, ends);
    for (int v = 0; v < n_valve; v++) {
        net->valves[v].elevation = 40.0 * sl_test_unit(seed) + (v == 0 ? 10.0 : 0.0);
        random_tub(net, seed, v);
    }
    int n_moves = (int)sl_test_below(seed, 4);
    net->moves = sl_arena_alloc(&net->arena, (size_t)n_moves * sizeof *net->moves);
    for (int i = 0; i < n_pipe; i++) {
        sl_tunnel_pipe *p = &net->pipes[i];
        double drop = fabs(net->valves[ends[2 * i]].elevation - net->valves[ends[2 * i + 1]].elevation);
        p->length = drop + 10.0 + 150.0 * sl_test_unit(seed);
        p->area = 0.3 + 3.0 * sl_test_unit(seed);
        p->diameter = sqrt(4.0 * p->area / 3.141592653589793);
        p->added_length = 0.5 * p->diameter;
        for (int j = 0; j < 2; j++) {
            p->ends[j].elevation = net->valves[ends[2 * i + j]].elevation;
            p->ends[j].in = 1.0 + sl_test_unit(seed);
            p->ends[j].out = sl_test_unit(seed);
            p->ends[j].is_open = sl_test_below(seed, 8) != 0;
            p->ends[j].drops = sl_test_below(seed, 4) == 0;
            p->ends[j].is_vented = sl_test_below(seed, 4) == 0;
        }
    }
    for (int k = 0; k < n_moves; k++) {
        bool tub = sl_test_below(seed, 2);
        int v = (int)sl_test_below(seed, n_valve);
        tub = tub && net->valves[v].tub != SL_TUB_NONE;
        net->moves[net->n_move++] = (sl_tunnel_move){.t = 10.0 + 100.0 * sl_test_unit(seed),
                                                     .valve = tub ? v : -1,
                                                     .end = (int)sl_test_below(seed, 2 * n_pipe),
                                                     .is_open = sl_test_below(seed, 2)};
    }
    for (int v = 1; v < n_valve; v++) { /* floods go to a reservoir before */
        int to = (int)sl_test_below(seed, v);
        bool both = net->valves[v].tub == SL_TUB_RESERVOIR && net->valves[to].tub == SL_TUB_RESERVOIR;
        net->valves[v].target = both ? to : -1;
    }
    return net;
}
