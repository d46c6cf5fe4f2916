/* SPDX-License-Identifier: MIT */
/* Pictures through the public interface: on a result made here from the layout alone, with every allocation and every
 * write failing in turn. */
#include "sl_test.h"

#include <sluice/network_io.h>
#include <sluice/plot.h>

#include "base/out.h"

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
    sl_outfile *file;
    sl_network *net;
    sl_diags *diags;
} pair;

static bool open_pair(sl_context *ctx, pair *t) {
    *t = (pair){0};
    make_result(&t->blob);
    t->source = (sl_source_bytes){&t->blob, t->blob.n, read_blob};
    return sl_diags_create(ctx, &t->diags) == SL_OK &&
           sl_outfile_open(ctx, &t->source, "a.out", NULL, &t->file) == SL_OK &&
           sl_inp_read(ctx, town, sizeof town - 1, NULL, NULL, &t->net) == SL_OK;
}

static void close_pair(pair *t) {
    sl_outfile_close(t->file);
    sl_network_destroy(t->net);
    sl_diags_destroy(t->diags);
}

static const char *const ids[] = {"A,B"}, *const all[] = {"all"};

/* One of every kind. */
static sl_plot_def sample(int i) {
    sl_plot_def def = sl_plot_default();
    def.ids = i == 1 ? all : ids;
    def.n_id = 1;
    if (i == 2) {
        def.links = true;
        def.ids = all;
        def.what = "status";
    } else if (i > 2) {
        def.kind = SL_PLOT_MAP;
        def.what = i == 3 ? NULL : i == 4 ? "flow" : "elevation";
    }
    return def;
}
enum { N_SAMPLE = 6 };

static void plot_each(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)user;
    pair t;
    if (open_pair(ctx, &t)) {
        for (int i = 0; i < N_SAMPLE; i++) {
            sl_plot_def def = sample(i);
            sl_bytes bytes;
            sl_bytes_init(&bytes, ctx);
            sl_sink sink = sl_bytes_sink(&bytes);
            sl_status status = sl_plot(ctx, t.net, t.file, &def, t.diags, &sink);
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
        sl_plot_def def = sample(i);
        sl_sink sink = {NULL, refuse};
        sl_assert_status(sl_plot(ctx, t.net, t.file, &def, t.diags, &sink), SL_ERR_IO);
        def.format = SL_PLOT_PNG;
        sl_status status = sl_plot(ctx, t.net, t.file, &def, t.diags, &sink);
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
    sl_plot_def def = sample(0);
    sl_assert_status(sl_plot(ctx, t.net, NULL, &def, t.diags, &sink), SL_ERR_USE);
    def = sample(3);
    sl_assert_status(sl_plot(ctx, NULL, t.file, &def, t.diags, &sink), SL_ERR_USE);
    def.width = SL_PLOT_SIZE_MAX + 1;
    sl_assert_status(sl_plot(ctx, t.net, t.file, &def, t.diags, &sink), SL_ERR_USE);
    def = sample(0);
    def.low = def.high = 3.0;
    sl_assert_status(sl_plot(ctx, t.net, t.file, &def, t.diags, &sink), SL_ERR_USE);
    def = sample(0);
    def.n_id = 0;
    sl_assert_status(sl_plot(ctx, t.net, t.file, &def, t.diags, &sink), SL_ERR_INPUT);
    close_pair(&t);
    sl_test_context_end(ctx, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_sink_refuses),
        cmocka_unit_test(test_wrong_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
