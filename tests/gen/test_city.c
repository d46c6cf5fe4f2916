/* SPDX-License-Identifier: MIT */
/* Made-up cities: exact counts, the same bytes every time, one connected looped network, valves where they may stand. */
#include "sl_test.h"

#include "base/ids.h"
#include "base/out.h"
#include "gen/city.h"

static sl_status make(sl_context *ctx, int32_t n, uint64_t seed, bool darcy_weisbach, sl_bytes *bytes) {
    sl_gen_city_def def = sl_gen_city_default();
    def.n_junction = n;
    def.seed = seed;
    def.darcy_weisbach = darcy_weisbach;
    sl_bytes_init(bytes, ctx);
    sl_sink sink = sl_bytes_sink(bytes);
    return sl_gen_city(ctx, &def, NULL, &sink);
}

/* FNV-1a: the same on every machine. */
static uint64_t hash_of(const sl_bytes *b) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (int64_t i = 0; i < b->n; i++) h = (h ^ (unsigned char)b->at[i]) * UINT64_C(0x100000001b3);
    return h;
}

/* ---- A small reader of what the generator writes ------------------------------------------------------- */

enum { MAX_NODE = 12000, MAX_LINK = 20000 };
enum { JUNCTION = 1, RESERVOIR, TANK };
enum { PIPE = 1, SHUT, PUMP, VALVE };

typedef struct town {
    sl_ids *nodes, *links;
    int32_t n_junction, n_reservoir, n_tank, n_pipe, n_pump, n_valve, n_place, n_two_demands;
    uint8_t node_kind[MAX_NODE];
    uint8_t link_kind[MAX_LINK];
    int32_t from[MAX_LINK], to[MAX_LINK];
    int32_t root[MAX_NODE];
    int32_t degree[MAX_NODE];
} town;

static town t; /* large: not on the stack */

static int32_t add_new(sl_ids *ids, const char *id) {
    int32_t i = sl_ids_add(ids, sl_str_z(id));
    assert_true(i >= 0); /* unique */
    return i;
}

static int32_t node_of(const char *id) {
    int32_t i = sl_ids_find(t.nodes, sl_str_z(id));
    assert_true(i >= 0);
    return i;
}

static void read_node(const char *section, char token[][32]) {
    int32_t i = add_new(t.nodes, token[0]);
    assert_true(i < MAX_NODE);
    bool junction = strcmp(section, "[JUNCTIONS]") == 0, tank = strcmp(section, "[TANKS]") == 0;
    t.node_kind[i] = junction ? JUNCTION : tank ? TANK : RESERVOIR;
    t.n_junction += junction;
    t.n_tank += tank;
    t.n_reservoir += !junction && !tank;
}

static void read_link(const char *section, char token[][32]) {
    int32_t i = add_new(t.links, token[0]);
    assert_true(i < MAX_LINK);
    bool pipe = strcmp(section, "[PIPES]") == 0, pump = strcmp(section, "[PUMPS]") == 0;
    t.from[i] = node_of(token[1]);
    t.to[i] = node_of(token[2]);
    assert_int_not_equal(t.from[i], t.to[i]);
    t.link_kind[i] = pump ? PUMP : !pipe ? VALVE : strcmp(token[7], "Closed") == 0 ? SHUT : PIPE;
    t.n_pipe += pipe;
    t.n_pump += pump;
    t.n_valve += !pipe && !pump;
    t.degree[t.from[i]]++;
    t.degree[t.to[i]]++;
}

static void read_line(const char *section, char token[][32]) {
    if (strcmp(section, "[JUNCTIONS]") == 0 || strcmp(section, "[RESERVOIRS]") == 0 ||
        strcmp(section, "[TANKS]") == 0) {
        read_node(section, token);
    } else if (strcmp(section, "[PIPES]") == 0 || strcmp(section, "[PUMPS]") == 0 || strcmp(section, "[VALVES]") == 0) {
        read_link(section, token);
    } else if (strcmp(section, "[COORDINATES]") == 0) {
        (void)node_of(token[0]);
        t.n_place++;
    } else if (strcmp(section, "[DEMANDS]") == 0) {
        (void)node_of(token[0]);
        t.n_two_demands++;
    }
}

static void read_town(sl_context *ctx, const sl_bytes *b) {
    memset(&t, 0, sizeof t);
    t.nodes = sl_ids_create(ctx);
    t.links = sl_ids_create(ctx);
    char section[32] = "", line[256], token[9][32];
    for (int64_t i = 0; i < b->n;) {
        int64_t n = 0;
        while (b->at[i + n] != '\n') n++;
        assert_true(n < (int64_t)sizeof line);
        memcpy(line, b->at + i, (size_t)n);
        line[n] = 0;
        i += n + 1;
        memset(token, 0, sizeof token);
        if (line[0] == ';') continue;
        if (line[0] == '[') {
            snprintf(section, sizeof section, "%.31s", line);
        } else if (sscanf(line, "%31s %31s %31s %31s %31s %31s %31s %31s", token[0], token[1], token[2], token[3],
                          token[4], token[5], token[6], token[7]) > 0) {
            read_line(section, token);
        }
    }
    assert_string_equal(section, "[END]");
}

static void end_town(void) {
    sl_ids_destroy(t.nodes);
    sl_ids_destroy(t.links);
}

static int32_t root_of(int32_t i) {
    while (t.root[i] != i) i = t.root[i] = t.root[t.root[i]];
    return i;
}

/* Junctions that fall away when dead ends are taken off again and again. */
static int32_t count_in_trees(void) {
    int32_t n_link = sl_ids_count(t.links), n = 0;
    static int32_t degree[MAX_NODE];
    static bool gone[MAX_LINK];
    memcpy(degree, t.degree, sizeof degree);
    memset(gone, 0, sizeof gone);
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t k = 0; k < n_link; k++) {
            int32_t a = t.from[k], b = t.to[k];
            if (gone[k] || (degree[a] != 1 && degree[b] != 1)) continue;
            int32_t leaf = degree[a] == 1 ? a : b;
            n += t.node_kind[leaf] == JUNCTION;
            degree[a]--;
            degree[b]--;
            gone[k] = changed = true;
        }
    }
    return n;
}

/* ---- Tests ------------------------------------------------------------------------------------------------ */

static void test_counts_are_exact(void **state) {
    (void)state;
    static const int32_t sizes[] = {10, 11, 12, 13,  14,  15,  17,  20,  23,   29,   37,   50,
                                    72, 73, 74, 100, 150, 365, 400, 617, 1000, 2500, 10000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (uint64_t seed = 1; seed <= (sizes[k] < 1000 ? 12 : 3); seed++) {
            sl_test_memory m = {0};
            sl_context *ctx = sl_test_context(&m);
            sl_bytes b;
            sl_assert_ok(make(ctx, sizes[k], seed, false, &b));
            read_town(ctx, &b);
            assert_int_equal(t.n_junction, sizes[k]);
            assert_int_equal(t.n_place, t.n_junction + t.n_reservoir + t.n_tank);
            assert_true(t.n_reservoir >= 1 && t.n_tank >= 1);
            end_town();
            sl_bytes_fini(&b);
            sl_test_context_end(ctx, &m);
        }
    }
}

static uint64_t hash_city(int32_t n, uint64_t seed, bool darcy_weisbach) {
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_bytes b;
    sl_assert_ok(make(ctx, n, seed, darcy_weisbach, &b));
    uint64_t h = hash_of(&b);
    sl_bytes_fini(&b);
    sl_test_context_end(ctx, &m);
    return h;
}

static void test_same_bytes_every_time(void **state) {
    (void)state;
    uint64_t h = hash_city(3000, 7, false);
    assert_true(h == hash_city(3000, 7, false));
    assert_true(h != hash_city(3000, 8, false));
    assert_true(h != hash_city(3001, 7, false));
    assert_true(h != hash_city(3000, 7, true));
    /* A change of these is a change of every city: say so where the format of results is kept. */
    assert_true(hash_city(1000, 1, false) == UINT64_C(0x004f6f1f13026cb8));
    assert_true(hash_city(10000, 42, false) == UINT64_C(0x29f9048a06db653c));
}

static void check_connected(void) {
    int32_t n_node = sl_ids_count(t.nodes), n_link = sl_ids_count(t.links), n_part = n_node;
    for (int32_t i = 0; i < n_node; i++) t.root[i] = i;
    for (int32_t k = 0; k < n_link; k++) {
        if (t.link_kind[k] == SHUT) continue;
        int32_t a = root_of(t.from[k]), b = root_of(t.to[k]);
        if (a == b) continue;
        t.root[a] = b;
        n_part--;
    }
    /* Shut streets hold the supply areas apart; each has its own works. */
    assert_true(n_part <= t.n_reservoir);
    for (int32_t i = 0; i < n_node; i++) assert_true(t.degree[i] > 0);
}

/* EPANET's rules: no valve at a tank or reservoir, no two valves of this kind at one node. */
static void check_valves(void) {
    static uint8_t n_valve_at[MAX_NODE];
    memset(n_valve_at, 0, sizeof n_valve_at);
    for (int32_t k = 0; k < sl_ids_count(t.links); k++) {
        if (t.link_kind[k] != VALVE) continue;
        assert_int_equal(t.node_kind[t.from[k]], JUNCTION);
        assert_int_equal(t.node_kind[t.to[k]], JUNCTION);
        assert_int_equal(n_valve_at[t.from[k]]++, 0);
        assert_int_equal(n_valve_at[t.to[k]]++, 0);
    }
}

static void test_looks_like_a_city(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        sl_test_memory m = {0};
        sl_context *ctx = sl_test_context(&m);
        sl_bytes b;
        sl_assert_ok(make(ctx, 10000, seed, false, &b));
        read_town(ctx, &b);
        check_connected();
        check_valves();
        double n = t.n_junction;
        double links = sl_ids_count(t.links) / n, trees = count_in_trees() / n;
        assert_true(links > 1.15 && links < 1.3);
        assert_true(trees > 0.18 && trees < 0.28);
        assert_true(t.n_tank >= 2 && t.n_valve >= 2 && t.n_pump == 2 * t.n_tank);
        assert_true(t.n_two_demands > 2 * 0.03 * n && t.n_two_demands < 2 * 0.05 * n);
        end_town();
        sl_bytes_fini(&b);
        sl_test_context_end(ctx, &m);
    }
}

static void test_bad_definitions(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_diags *diags = NULL;
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_bytes b;
    sl_bytes_init(&b, ctx);
    sl_sink sink = sl_bytes_sink(&b);
    sl_gen_city_def def = sl_gen_city_default();
    def.n_junction = 9;
    sl_assert_status(sl_gen_city(ctx, &def, diags, &sink), SL_ERR_USE);
    def.n_junction = SL_GEN_CITY_MAX + 1;
    sl_assert_status(sl_gen_city(ctx, &def, diags, &sink), SL_ERR_USE);
    def.n_junction = 100;
    def.duration = 1800;
    sl_assert_status(sl_gen_city(ctx, &def, diags, &sink), SL_ERR_USE);
    assert_int_equal(sl_diags_count(diags, SL_ERROR), 3);
    assert_int_equal(b.n, 0);
    sl_bytes_fini(&b);
    sl_diags_destroy(diags);
    sl_test_context_end(ctx, &m);
}

static sl_status refuse(void *user, const void *bytes, size_t n) {
    (void)user;
    (void)bytes;
    (void)n;
    return SL_ERR_IO;
}

static void test_a_refusing_sink(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_gen_city_def def = sl_gen_city_default();
    sl_sink sink = {NULL, refuse};
    sl_assert_status(sl_gen_city(ctx, &def, NULL, &sink), SL_ERR_IO);
    sl_test_context_end(ctx, &m);
}

static sl_status swallow(void *user, const void *bytes, size_t n) {
    (void)user;
    (void)bytes;
    (void)n;
    return SL_OK;
}

static void short_of_memory(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)user;
    sl_gen_city_def def = sl_gen_city_default();
    sl_sink sink = {NULL, swallow};
    sl_status status = sl_gen_city(ctx, &def, NULL, &sink);
    sl_assert_status(status, m->n_refused > 0 ? SL_ERR_MEMORY : SL_OK);
}

static void test_every_refused_allocation(void **state) {
    (void)state;
    assert_true(sl_test_sweep(short_of_memory, NULL) > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_are_exact),  cmocka_unit_test(test_same_bytes_every_time),
        cmocka_unit_test(test_looks_like_a_city), cmocka_unit_test(test_bad_definitions),
        cmocka_unit_test(test_a_refusing_sink),   cmocka_unit_test(test_every_refused_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
