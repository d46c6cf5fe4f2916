/* SPDX-License-Identifier: MIT */
/* test_threads.c: a storm in a grid of streets has the same bits whatever the number of threads. */
#include "surge_test.h"

enum { SIDE = 8, ROOM = 1 << 16 };

/* SIDE x SIDE junctions, a reservoir at one corner, pipes of many lengths. */
static void grid_text(char *text) {
    size_t n = 0;
    n += (size_t)snprintf(text + n, ROOM - n, "[JUNCTIONS]\n");
    for (int i = 0; i < SIDE * SIDE; i++) {
        n += (size_t)snprintf(text + n, ROOM - n, "J%d %d %g\n", i, i % 7, 0.3 + 0.01 * i);
    }
    n += (size_t)snprintf(text + n, ROOM - n, "[RESERVOIRS]\nR 60\n[PIPES]\nM R J0 300 400 120 0\n");
    for (int i = 0; i < SIDE * SIDE; i++) {
        if (i % SIDE < SIDE - 1) {
            n += (size_t)snprintf(text + n, ROOM - n, "A%d J%d J%d %d 150 110 0\n", i, i, i + 1, 60 + 13 * i % 71);
        }
        if (i < SIDE * (SIDE - 1)) {
            n += (size_t)snprintf(text + n, ROOM - n, "B%d J%d J%d %d 200 110 0\n", i, i, i + SIDE, 80 + 29 * i % 97);
        }
    }
    snprintf(text + n, ROOM - n, "[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\n[END]\n");
}

static void begin(surge_bench *b, const char *text, int32_t n_thread) {
    static const double nothing = 0.0, low = 5.0;
    surge_open_threads(b, text, n_thread);
    sl_surge_def def = sl_surge_default();
    def.duration = 4.0;
    def.friction = SL_SURGE_CONVOLUTION;
    sl_surge_event events[2] = {surge_jump(SL_SURGE_VALVE_OPENING, surge_link(b, "A9"), 0.2, &nothing),
                                surge_jump(SL_SURGE_HEAD, surge_node(b, "R"), 0.5, &low)};
    def.events = events;
    def.n_event = 2;
    surge_begin(b, &def);
}

static void test_threads(void **state) {
    (void)state;
    char *text = malloc(ROOM);
    grid_text(text);
    surge_bench a, b;
    begin(&a, text, 1);
    begin(&b, text, 3);
    free(text);
    surge_advance(&a, 4.0);
    surge_advance(&b, 4.0);
    sl_surge_view x = surge_view(&a), y = surge_view(&b);
    assert_int_equal(x.n_point, y.n_point);
    for (int64_t i = 0; i < x.n_point; i++) {
        sl_assert_bits(x.head[i], y.head[i]);
        sl_assert_bits(x.flow_in[i], y.flow_in[i]);
        sl_assert_bits(x.head_max[i], y.head_max[i]);
        sl_assert_bits(x.cavity[i], y.cavity[i]);
        sl_assert_bits(x.cavity_time[i], y.cavity_time[i]);
    }
    sl_assert_bits(x.balance.error, y.balance.error);
    assert_true(x.balance.cavities > 0.0); /* the storm broke columns */
    surge_close(&a);
    surge_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
