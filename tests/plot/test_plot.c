/* SPDX-License-Identifier: MIT */
/* Pictures through the public interface: on a result made here from the layout alone, with every allocation and every
 * write failing in turn. */
#include "sl_test.h"

#include <sluice/network_io.h>
#include <sluice/plot.h>

#include "base/out.h"
#include "results/format.h"

enum { N_NODE = 4, N_LINK = 3, N_PERIOD = 5 };

static const char town[] = "[JUNCTIONS]\nA 10 1\nB 12 1\n[RESERVOIRS]\nR 60\n[TANKS]\nT 40 3 1 6 12\n"
                           "[PIPES]\nP1 R A 100 300 120\nP2 A B 100 200 110\nP3 B T 100 100 110\n"
                           "[COORDINATES]\nA 0 0\nB 100 0\nR 0 100\nT 100 100\n[VERTICES]\nP2 50 20\n"
                           "[OPTIONS]\nUnits LPS\nHeadloss H-W\n[END]\n";

typedef struct blob {
    unsigned char at[8192];
    size_t n;
} blob;

static void add(blob *b, const void *bytes, size_t n) {
    memcpy(b->at + b->n, bytes, n);
    b->n += n;
}

static void add_int(blob *b, int32_t x) {
    add(b, &x, 4);
}

static void add_real(blob *b, float x) {
    add(b, &x, 4);
}

static void add_text(blob *b, const char *text, size_t width) {
    char field[300] = {0};
    snprintf(field, sizeof field, "%s", text);
    add(b, field, width);
}

/* Little endian, as the machines that this runs on. Pressures of A rise from 30 by 1 a period; one value of B is missing. */
static void make_result(blob *b) {
    const int32_t head[15] = {
        516114521, 20012, N_NODE, 2, N_LINK, 0, 0, 0, 0, SL_LPS, SL_METERS, 0, 0, 3600, 3600 * (N_PERIOD - 1)};
    add(b, head, sizeof head);
    add_text(b, "A town", 80);
    add_text(b, "", 160);
    add_text(b, "town.inp", 260);
    add_text(b, "", 260);
    add_text(b, "", 64);
    const char *const ids[] = {"A", "B", "R", "T", "P1", "P2", "P3"};
    for (int i = 0; i < N_NODE + N_LINK; i++) {
        add_text(b, ids[i], 32);
    }
    const int32_t topology[] = {3, 1, 2, 1, 2, 4, 1, 1, 1, 3, 4};
    add(b, topology, sizeof topology);
    for (int i = 0; i < 2 + N_NODE + 2 * N_LINK + 1; i++) {
        add_real(b, 1.0F);
    }
    for (int p = 0; p < N_PERIOD; p++) {
        for (int v = 0; v < 4; v++) {
            for (int i = 0; i < N_NODE; i++) {
                add_real(b, i == 1 && p == 2 ? NAN : (float)(30 + p + 10 * i));
            }
        }
        for (int v = 0; v < 8; v++) {
            for (int i = 0; i < N_LINK; i++) {
                add_real(b, v == 4 ? 3.0F - (float)((p + i) % 2) : (float)(i + p));
            }
        }
    }
    for (int i = 0; i < 4; i++) {
        add_real(b, 0.0F);
    }
    add_int(b, N_PERIOD);
    add_int(b, 0);
    add_int(b, 516114521);
}

static sl_status read_blob(void *user, uint64_t offset, void *bytes, size_t n) {
    memcpy(bytes, ((blob *)user)->at + offset, n);
    return SL_OK;
}

typedef struct pair {
    blob blob;
    sl_source_bytes source;
    sl_results *results;
    sl_network *net;
    sl_diags *diags;
} pair;

static bool open_pair(sl_context *ctx, pair *t) {
    *t = (pair){0};
    make_result(&t->blob);
    t->source = (sl_source_bytes){&t->blob, t->blob.n, read_blob};
    return sl_diags_create(ctx, &t->diags) == SL_OK &&
           sl_results_open(ctx, &t->source, "a.out", NULL, &t->results) == SL_OK &&
           sl_inp_read(ctx, town, sizeof town - 1, NULL, NULL, &t->net) == SL_OK;
}

static void close_pair(pair *t) {
    sl_results_close(t->results);
    sl_network_destroy(t->net);
    sl_diags_destroy(t->diags);
}

static const char *const some[] = {"A,B"}, *const all[] = {"all"}, *const status_word[] = {"status"},
                         *const two[] = {"pressure,flow"}, *const line[] = {"R", "A", "T"};

/* One of every kind. The selection belongs to the caller. */
static sl_plot_def sample(int i, sl_results_select *select) {
    sl_plot_def def = sl_plot_default();
    *select = sl_results_select_default();
    def.select = select;
    select->node = i == 1 ? all : some;
    select->n_node = i != 2;
    if (i == 2 || i == 6) {
        select->link = all;
        select->n_link = 1;
        select->what = i == 2 ? status_word : two;
        select->n_what = 1;
    } else if (i == 7) {
        def.kind = SL_PLOT_PROFILE;
        def.route = line;
        def.n_route = 3;
    } else if (i > 2) {
        def.kind = SL_PLOT_MAP;
        def.what = i == 3 ? NULL : i == 4 ? "flow" : "elevation";
    }
    return def;
}
enum { N_SAMPLE = 8 };

static void plot_each(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)user;
    pair t;
    if (open_pair(ctx, &t)) {
        for (int i = 0; i < N_SAMPLE; i++) {
            sl_results_select select;
            sl_plot_def def = sample(i, &select);
            sl_bytes bytes;
            sl_bytes_init(&bytes, ctx);
            sl_sink sink = sl_bytes_sink(&bytes);
            sl_status status = sl_plot(ctx, t.net, t.results, &def, t.diags, &sink);
            assert_true(status == SL_OK || (status == SL_ERR_MEMORY && m->n_refused > 0));
            sl_bytes_fini(&bytes);
        }
    }
    close_pair(&t);
}

static void test_memory(void **state) {
    (void)state;
    assert_true(sl_test_sweep(plot_each, NULL) > 20);
}

static sl_status refuse(void *user, const void *bytes, size_t n) {
    (void)user;
    (void)bytes;
    (void)n;
    return SL_ERR_IO;
}

static void test_sink_refuses(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    pair t;
    assert_true(open_pair(ctx, &t));
    for (int i = 0; i < N_SAMPLE; i++) {
        sl_results_select select;
        sl_plot_def def = sample(i, &select);
        sl_sink sink = {NULL, refuse};
        sl_assert_status(sl_plot(ctx, t.net, t.results, &def, t.diags, &sink), SL_ERR_IO);
        def.format = SL_PLOT_PNG;
        sl_status status = sl_plot(ctx, t.net, t.results, &def, t.diags, &sink);
        assert_true(status == SL_ERR_IO || status == SL_ERR_UNSUPPORTED);
    }
    close_pair(&t);
    sl_test_context_end(ctx, &m);
}

static void test_wrong_use(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    pair t;
    assert_true(open_pair(ctx, &t));
    sl_sink sink = {NULL, refuse};
    sl_results_select select;
    sl_plot_def def = sample(0, &select);
    sl_assert_status(sl_plot(ctx, t.net, NULL, &def, t.diags, &sink), SL_ERR_USE);
    def = sample(3, &select);
    sl_assert_status(sl_plot(ctx, NULL, t.results, &def, t.diags, &sink), SL_ERR_USE);
    def.width = SL_PLOT_SIZE_MAX + 1;
    sl_assert_status(sl_plot(ctx, t.net, t.results, &def, t.diags, &sink), SL_ERR_USE);
    def = sample(0, &select);
    def.low = def.high = 3.0;
    sl_assert_status(sl_plot(ctx, t.net, t.results, &def, t.diags, &sink), SL_ERR_USE);
    def = sample(0, &select);
    select.node = line + 1;
    select.n_node = 1;
    select.what = (const char *const[]){"colour"};
    select.n_what = 1;
    sl_assert_status(sl_plot(ctx, t.net, t.results, &def, t.diags, &sink), SL_ERR_INPUT);
    def = sample(7, &select);
    def.route = (const char *const[]){"R", "nowhere"};
    def.n_route = 2;
    sl_assert_status(sl_plot(ctx, t.net, t.results, &def, t.diags, &sink), SL_ERR_INPUT);
    def.n_route = 1;
    sl_assert_status(sl_plot(ctx, t.net, t.results, &def, t.diags, &sink), SL_ERR_INPUT);
    close_pair(&t);
    sl_test_context_end(ctx, &m);
}

/* ---- Results in memory -------------------------------------------------------------------------- */

enum { N_POINT = 6, N_TIME = 4 };

static const char *const node_ids[] = {"W", "S", "V"}, *const link_ids[] = {"P1", "P2"},
                         *const words[] = {"off", "runs"};
static const double length[] = {100.0, 50.0}, ground[] = {10.0, 20.0, 5.0}, times[N_TIME] = {0.0, 1.0, 2.0, 3.0};
static double heads[] = {40, 39, 38, 40, 50, 60, 40, 30, 15, 40, 38, 37}, modes[] = {1, 0, 1, 0, 0, 1, 0, 1};
/* The second pipe goes from V to S: along W, S, V its points are walked backwards. */
static const double chainage[N_POINT] = {0, 50, 100, 0, 25, 50}, elevation[N_POINT] = {10, 15, 20, 5, 12, 20};
static const double lowest[N_POINT] = {39, 33, 30, 15, 2, 30}, highest[N_POINT] = {40, 45, 50, 60, 55, 50};
static const double vapour[N_POINT] = {0, 5, 10, -5, 2, 10}, open_for[N_POINT] = {0, 0, 0, 0, 0.5, 0};

typedef struct kept {
    sl_results r;
    sl_results_column node_facts[1], node_q[1], link_facts[3], link_q[1], envelope[7];
    sl_results_group groups[2];
    sl_results_table tables[1];
    sl_event_info events[1];
    sl_results_values values[2];
    int32_t group_of[2];
} kept;

/* A run of pressure waves, by hand. */
static void fill_kept(kept *k) {
    static const char *const from[] = {"W", "V"}, *const to[] = {"S", "S"}, *const pipe[] = {"P1", "P1", "P1",
                                                                                             "P2", "P2", "P2"};
    static const sl_results_format format = {.ending = ""};
    *k = (kept){.node_facts = {{.name = "elevation", .unit = "m", .meaning = "", .real = ground}},
                .node_q = {{.name = "head", .unit = "m", .meaning = ""}},
                .link_facts = {{.name = "from", .unit = "", .meaning = "", .text = from},
                               {.name = "to", .unit = "", .meaning = "", .text = to},
                               {.name = "length", .unit = "m", .meaning = "", .real = length}},
                .link_q = {{.name = "mode", .unit = "", .meaning = "", .words = words, .n_word = 2}},
                .envelope = {{.name = "pipe", .unit = "", .meaning = "", .text = pipe},
                             {.name = "chainage", .unit = "m", .meaning = "", .real = chainage},
                             {.name = "elevation", .unit = "m", .meaning = "", .real = elevation},
                             {.name = "head_min", .unit = "m", .meaning = "", .real = lowest},
                             {.name = "head_max", .unit = "m", .meaning = "", .real = highest},
                             {.name = "vapour_head", .unit = "m", .meaning = "", .real = vapour},
                             {.name = "cavity_time", .unit = "s", .meaning = "", .real = open_for}},
                .events = {{.size = sizeof(sl_event_info),
                            .time = 1.5,
                            .kind = "separation",
                            .element_class = "link",
                            .element = "P2",
                            .quantity = "",
                            .from = NAN,
                            .to = NAN,
                            .cause = ""}},
                .values = {{.at = heads}, {.at = modes}},
                .group_of = {0, 1}};
    k->groups[0] = (sl_results_group){.name = "node",
                                      .meaning = "",
                                      .n = 3,
                                      .ids = node_ids,
                                      .n_fact = 1,
                                      .n_quantity = 1,
                                      .facts = k->node_facts,
                                      .quantities = k->node_q};
    k->groups[1] = (sl_results_group){.name = "link",
                                      .meaning = "",
                                      .n = 2,
                                      .ids = link_ids,
                                      .n_fact = 3,
                                      .n_quantity = 1,
                                      .facts = k->link_facts,
                                      .quantities = k->link_q};
    k->tables[0] = (sl_results_table){"envelope", "", N_POINT, 7, k->envelope};
    k->r.handle = SL_HANDLE_RESULTS;
    k->r.format = &format;
    k->r.layout = (sl_results_layout){.size = sizeof(sl_results_layout),
                                      .model = "w.yaml",
                                      .title = "Waves",
                                      .engine = "surge",
                                      .time_unit = "s",
                                      .n_group = 2,
                                      .groups = k->groups};
    k->r.end = (sl_results_end){.size = sizeof(sl_results_end), .complete = true, .n_table = 1, .tables = k->tables};
    k->r.n_frame = N_TIME;
    k->r.times = times;
    k->r.n_event = 1;
    k->r.events = k->events;
    k->r.n_quantity = 2;
    k->r.group_of = k->group_of;
    k->r.kept.values = k->values;
}

/* Is this text, between its tags, in the picture? */
static bool says(const sl_bytes *b, const char *text) {
    char tagged[200];
    size_t n = (size_t)snprintf(tagged, sizeof tagged, ">%s</text>", text);
    for (size_t i = 0; i + n <= (size_t)b->n; i++) {
        if (memcmp(b->at + i, tagged, n) == 0) {
            return true;
        }
    }
    print_message("missing: %s\n", text);
    return false;
}

static void draw_kept(sl_context *ctx, const sl_plot_def *def, sl_bytes *b) {
    kept k;
    fill_kept(&k);
    k.r.ctx = ctx;
    sl_bytes_init(b, ctx);
    sl_sink sink = sl_bytes_sink(b);
    sl_assert_status(sl_plot(ctx, NULL, &k.r, def, NULL, &sink), SL_OK);
}

static void test_kept(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_bytes b;
    sl_plot_def def = sl_plot_default();
    def.kind = SL_PLOT_PROFILE;
    def.route = (const char *const[]){"W", "V"};
    def.n_route = 2;
    draw_kept(ctx, &def, &b);
    const char *const profile[] = {"Waves",
                                   "Heads from W to V",
                                   "Head [m]",
                                   "Distance [m]",
                                   "highest head",
                                   "lowest head",
                                   "vapour",
                                   "ground",
                                   "vapour cavity",
                                   "W",
                                   "S",
                                   "V",
                                   "140"};
    for (size_t i = 0; i < sizeof profile / sizeof *profile; i++) {
        assert_true(says(&b, profile[i]));
    }
    sl_bytes_fini(&b);
    sl_results_select select = sl_results_select_default();
    select.variable = (const char *const[]){"*"};
    select.n_variable = 1;
    def = sl_plot_default();
    def.select = &select;
    draw_kept(ctx, &def, &b);
    const char *const series[] = {"Head [m]", "Time [s]", "runs", "off", "P2 separation", "P1", "S"};
    for (size_t i = 0; i < sizeof series / sizeof *series; i++) {
        assert_true(says(&b, series[i]));
    }
    sl_bytes_fini(&b);
    sl_test_context_end(ctx, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_sink_refuses),
        cmocka_unit_test(test_wrong_use),
        cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
