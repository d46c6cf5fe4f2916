/* SPDX-License-Identifier: MIT */
/* Pictures of automata by the public function, short of memory and with a sink that refuses; contours; layouts. */
#include "sl_test.h"

#include "base/out.h"
#include "plot/automaton.h"
#include "plot/contour.h"
#include "plot/diagram_layout.h"

static const char swing[] = "automaton: swing\n"
                            "discrete: {right: 2, n: 3}\n"
                            "continuous: {x: 1, v: 0}\n"
                            "activities: [{equation: der(x) = v}, {equation: der(v) = -x}]\n"
                            "roots: [{decides: right, by: x}]\n"
                            "transitions: [{name: count, equation: der(n) = 1, when: right & n != 2}]\n"
                            "run: {end: 3, tolerance: 1e-4}\n";

static sl_plot_automaton_def sample(int i) {
    sl_plot_automaton_def def = sl_plot_automaton_default();
    static const char *const where[] = {"x*x + v*v < 0.25"};
    def.kind = i < 2 ? SL_AUTOMATON_OVER_TIME : i == 2 ? SL_AUTOMATON_PHASE : SL_AUTOMATON_DIAGRAM;
    def.states = i == 1;
    def.plane[0] = "x";
    def.plane[1] = "v";
    def.where = where;
    def.n_where = i == 2;
    def.dot = i == 4;
    return def;
}
enum { N_SAMPLE = 5 };

static void plot_each(sl_context *ctx, sl_test_memory *m, void *user) {
    sl_plot_automaton_def def = sample(*(int *)user);
    sl_bytes bytes;
    sl_bytes_init(&bytes, ctx);
    sl_sink sink = sl_bytes_sink(&bytes);
    sl_status run, status = sl_plot_automaton(ctx, swing, sizeof swing - 1, "swing.yaml", &def, NULL, &sink, &run);
    assert_true(status == SL_OK || (status == SL_ERR_MEMORY && m->n_refused > 0));
    sl_bytes_fini(&bytes);
}

static void test_memory(void **state) {
    (void)state;
    for (int i = 0; i < N_SAMPLE; i += 2) { /* of each kind one */
        assert_true(sl_test_sweep(plot_each, &i) > 50);
    }
}

static sl_status refuse(void *user, const void *bytes, size_t n) {
    (void)user;
    (void)bytes;
    (void)n;
    return SL_ERR_IO;
}

static void test_sink_refuses_and_wrong_use(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_sink sink = {NULL, refuse};
    sl_status run;
    for (int i = 0; i < N_SAMPLE; i++) {
        sl_plot_automaton_def def = sample(i);
        sl_assert_status(sl_plot_automaton(ctx, swing, sizeof swing - 1, "", &def, NULL, &sink, &run), SL_ERR_IO);
    }
    sl_plot_automaton_def def = sample(2);
    def.plane[1] = NULL;
    sl_assert_status(sl_plot_automaton(ctx, swing, sizeof swing - 1, "", &def, NULL, &sink, &run), SL_ERR_USE);
    def = sample(0);
    def.dot = true;
    sl_assert_status(sl_plot_automaton(ctx, swing, sizeof swing - 1, "", &def, NULL, &sink, &run), SL_ERR_USE);
    def = sample(0);
    def.width = 10;
    sl_assert_status(sl_plot_automaton(ctx, swing, sizeof swing - 1, "", &def, NULL, &sink, &run), SL_ERR_USE);
    def = sample(0);
    sl_assert_status(sl_plot_automaton(ctx, "automaton: [", 12, "", &def, NULL, &sink, &run), SL_ERR_INPUT);
    sl_test_context_end(ctx, &m);
}

/* ---- Contours ----------------------------------------------------------------------------------- */

/* A back end that measures: lengths and (by the shoelace formula) areas. */
typedef struct meter {
    sl_draw draw;
    double length, area, first[2], last[2];
    int n_piece;
} meter;

static void meter_move(sl_draw *d, double x, double y) {
    meter *m = (meter *)d;
    m->first[0] = m->last[0] = x;
    m->first[1] = m->last[1] = y;
    m->n_piece++;
}
static void meter_line(sl_draw *d, double x, double y) {
    meter *m = (meter *)d;
    m->length += hypot(x - m->last[0], y - m->last[1]);
    m->area += 0.5 * (m->last[0] * y - x * m->last[1]);
    m->last[0] = x;
    m->last[1] = y;
}
static void meter_close(sl_draw *d) {
    meter_line(d, ((meter *)d)->first[0], ((meter *)d)->first[1]);
}
static const sl_draw_ops measuring = {.move = meter_move, .line = meter_line, .close = meter_close};

enum { N = 60 };

/* The disc of radius 0.5 in the unit square about (cx, cy), by its exact crossings. */
static void make_disc(sl_trace_level *l, double cx, double cy) {
    for (int j = 0; j <= N; j++) {
        for (int i = 0; i <= N; i++) {
            double x = 2.0 * i / N - 1.0 - cx, y = 2.0 * j / N - 1.0 - cy;
            l->inside[j * (N + 1) + i] = x * x + y * y < 0.25;
        }
    }
    for (int j = 0; j <= N; j++) {
        for (int i = 0; i <= N; i++) {
            double x = 2.0 * i / N - 1.0 - cx, y = 2.0 * j / N - 1.0 - cy, step = 2.0 / N;
            const uint8_t *in = &l->inside[j * (N + 1) + i];
            if (i < N) {
                double at = sqrt(fmax(0.25 - y * y, 0.0)) * (in[0] ? 1.0 : -1.0);
                l->across[j * N + i] = in[0] != in[1] ? (float)((at - x) / step) : NAN;
            }
            if (j < N) {
                double at = sqrt(fmax(0.25 - x * x, 0.0)) * (in[0] ? 1.0 : -1.0);
                l->up[j * (N + 1) + i] = in[0] != in[N + 1] ? (float)((at - y) / step) : NAN;
            }
        }
    }
}

static void test_contours(void **state) {
    (void)state;
    static uint8_t inside[(N + 1) * (N + 1)];
    static float across[(N + 1) * N], up[N * (N + 1)];
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_arena arena;
    sl_arena_init(&arena, ctx);
    sl_trace_level level = {.inside = inside, .across = across, .up = up};
    sl_contour_box room = {10.0, 20.0, 600.0, 600.0, N}; /* 300 pixels to the unit */
    const double pi = 3.14159265358979;
    make_disc(&level, 0.0, 0.0);
    meter m = {.draw = {.ops = &measuring}};
    sl_assert_ok(sl_contour_curves(&m.draw, &level, &room, &arena));
    assert_int_equal(m.n_piece, 1); /* one closed curve */
    sl_assert_abs(hypot(m.last[0] - m.first[0], m.last[1] - m.first[1]), 0.0, 1e-9);
    sl_assert_rel(m.length, pi * 300.0, 2e-3);
    m = (meter){.draw = {.ops = &measuring}};
    sl_contour_area(&m.draw, &level, &room);
    sl_assert_rel(fabs(m.area), pi * 150.0 * 150.0, 3e-3);
    make_disc(&level, 1.0, 0.0); /* half of it beyond the edge */
    m = (meter){.draw = {.ops = &measuring}};
    sl_assert_ok(sl_contour_curves(&m.draw, &level, &room, &arena));
    assert_int_equal(m.n_piece, 1);
    sl_assert_rel(m.length, pi * 150.0, 2e-3);
    sl_arena_fini(&arena);
    sl_test_context_end(ctx, &memory);
}

/* ---- Layouts ------------------------------------------------------------------------------------ */

/* 0 -> 1 -> 2 -> 0 with 0 -> 3 -> 2; 4 alone; 5 <-> 6, which nothing leads to. */
static void test_layout(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_arena arena;
    sl_arena_init(&arena, ctx);
    sl_trace_node nodes[7] = {{.flags = SL_NODE_START}};
    sl_trace_edge edges[] = {{0, 1, "", false}, {1, 2, "", false}, {2, 0, "", false}, {0, 3, "", false},
                             {3, 2, "", false}, {5, 6, "", false}, {6, 5, "", false}};
    sl_trace_diagram d = {.nodes = nodes, .edges = edges, .n_node = 7, .n_edge = 7};
    sl_layout l;
    sl_assert_ok(sl_layout_make(&d, &arena, &l));
    const int32_t layers[] = {0, 1, 2, 1, 0, 0, 1}, parts[] = {0, 0, 0, 0, 1, 2, 2};
    for (int i = 0; i < 7; i++) {
        assert_int_equal(l.layer[i], layers[i]);
        assert_int_equal(l.component[i], parts[i]);
    }
    assert_int_equal(l.n_component, 3);
    assert_int_equal(l.order[1] + l.order[3], 1);
    sl_arena_fini(&arena);
    sl_test_context_end(ctx, &memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_sink_refuses_and_wrong_use),
        cmocka_unit_test(test_contours),
        cmocka_unit_test(test_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
