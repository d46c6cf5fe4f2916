/* SPDX-License-Identifier: MIT */
/* Every allocation of a run is refused in turn, once and from there on: one example of each kind, from its file through a session to
 * every writer, and what was written is read again. It ends with the status of memory, or as if nothing had been: then every byte is that of an undisturbed run. Nothing
 * is left. (Allocations that libraries make are tried by tests/faults.) */
#include <sluice/sluice.h>

#include "base/out.h"
#include "sl_test.h"

enum { N_FORMAT = 6 };

static const struct {
    const char *format;
    bool compress, map; /* only of a network */
} formats[N_FORMAT] = {{"csv", false, false}, {"json", false, false},   {"h5", false, false},
                       {"h5", true, false},   {"geojson", false, true}, {"gpkg", false, true}};

typedef struct example {
    const char *file;
    double until; /* [s, steps] */
    bool network, out;
    sl_bytes clean[N_FORMAT + 2]; /* of an undisturbed run */
    bool has_clean;
} example;

typedef struct output {
    sl_bytes bytes;
    sl_sink sink;
    sl_patch_sink patch;
} output;

static sl_status put(void *user, const void *bytes, size_t n) {
    const sl_sink sink = sl_bytes_sink(user);
    return sink.write(sink.user, bytes, n);
}

static sl_status patch(void *user, uint64_t offset, const void *bytes, size_t n) {
    memcpy(((sl_bytes *)user)->at + offset, bytes, n);
    return SL_OK;
}

/* The first failure is the one that counts. */
static void note(sl_status *first, sl_status status) {
    *first = *first == SL_OK ? status : *first;
}

static sl_status add_files(const example *e, sl_session *s, sl_recorder *r, output *files) {
    sl_status status = SL_OK;
    for (int i = 0; i < N_FORMAT; i++) {
        sl_results_target target = sl_results_target_default();
        target.format = formats[i].format;
        target.compress = formats[i].compress;
        target.sink = &files[i].sink;
        if (!formats[i].map || e->network) {
            note(&status, sl_recorder_add(r, &target, NULL));
        }
    }
    if (e->out) {
        note(&status, sl_write_out(s, &files[N_FORMAT].patch, "a.inp", "", SL_FLOW_UNIT_COUNT));
        note(&status, sl_write_report(s, &files[N_FORMAT + 1].sink, "a.inp"));
    }
    return status;
}

static sl_status run(sl_context *ctx, const example *e, output *files) {
    char path[512];
    sl_session *s = NULL;
    sl_recorder *r = NULL;
    sl_recorder_def def = sl_recorder_default();
    sl_format(path, sizeof path, "%s/examples/%s", SL_TEST_SOURCE_DIR, e->file);
    sl_status status = sl_open(ctx, path, NULL, &s);
    if (status == SL_OK) {
        note(&status, sl_recorder_create(ctx, s, &def, NULL, &r));
    }
    if (status == SL_OK) {
        note(&status, add_files(e, s, r, files));
    }
    if (status == SL_OK) {
        note(&status, sl_session_advance(s, e->until, 0, NULL));
    }
    if (status == SL_OK) {
        note(&status, sl_recorder_end(r, true, NULL));
    }
    sl_recorder_destroy(r);
    sl_session_destroy(s);
    return status;
}

static void run_once(sl_context *ctx, sl_test_memory *m, void *user) {
    example *e = user;
    output files[N_FORMAT + 2];
    for (int i = 0; i < N_FORMAT + 2; i++) {
        sl_bytes_init(&files[i].bytes, ctx);
        files[i].sink = sl_bytes_sink(&files[i].bytes);
        files[i].patch = (sl_patch_sink){.user = &files[i].bytes, .write = put, .patch = patch};
    }
    sl_status status = run(ctx, e, files);
    if (status != SL_ERR_MEMORY) {
        sl_assert_ok(status);
    }
    assert_true(status == SL_OK || m->n_refused > 0);
    for (int i = 0; i < N_FORMAT + 2; i++) {
        if (status == SL_OK && !e->has_clean) {
            e->clean[i].at = malloc((size_t)files[i].bytes.n + 1);
            e->clean[i].n = files[i].bytes.n;
            memcpy(e->clean[i].at, files[i].bytes.n > 0 ? files[i].bytes.at : "", (size_t)files[i].bytes.n);
        } else if (status == SL_OK && i < N_FORMAT) { /* .out and report have the time of day */
            assert_int_equal(files[i].bytes.n, e->clean[i].n);
            assert_int_equal(e->clean[i].n > 0 ? memcmp(files[i].bytes.at, e->clean[i].at, (size_t)e->clean[i].n) : 0,
                             0);
        }
        sl_bytes_fini(&files[i].bytes);
    }
    e->has_clean = e->has_clean || status == SL_OK;
}

/* ---- Reading it again --------------------------------------------------------------------------- */

static sl_status read_at(void *user, uint64_t offset, void *bytes, size_t n) {
    memcpy(bytes, ((const sl_bytes *)user)->at + offset, n);
    return SL_OK;
}

/* The last value of each quantity of the last frame. */
static sl_status read_last(sl_results *r) {
    const sl_results_layout *l = sl_results_get_layout(r);
    int64_t n_frame = 0;
    sl_status status = SL_OK;
    (void)sl_results_times(r, &n_frame);
    assert_true(n_frame > 0);
    for (int32_t k = 0; k < sl_results_n_quantity(r); k++) {
        int32_t n = (int32_t)l->groups[sl_results_group_of(r, k)].n;
        double *x = malloc((size_t)(n > 0 ? n : 1) * sizeof *x);
        note(&status, sl_results_read(r, n_frame - 1, k, x));
        free(x);
    }
    return status;
}

static void read_once(sl_context *ctx, sl_test_memory *m, void *user) {
    sl_bytes *file = user;
    const sl_source_bytes bytes = {.user = file, .size = (uint64_t)file->n, .read = read_at};
    sl_results *r = NULL;
    sl_status status = sl_results_open(ctx, &bytes, "a", NULL, &r);
    note(&status, status == SL_OK ? read_last(r) : status);
    sl_results_close(r);
    assert_true(status == SL_OK || (status == SL_ERR_MEMORY && m->n_refused > 0));
}

static void sweep(const char *file, double until, bool network, bool out) {
    example e = {.file = file, .until = until, .network = network, .out = out};
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    run_once(ctx, &m, &e);
    sl_test_context_end(ctx, &m);
    assert_true(e.has_clean);
    int64_t n = sl_test_sweep(run_once, &e);
    print_message("%s: %lld runs\n", file, (long long)n);
    assert_true(n > 100);
    for (int i = 0; i < 4; i++) { /* maps and reports are not read */
        assert_true(sl_test_sweep(read_once, &e.clean[i]) > 5);
    }
    for (int i = 0; i < N_FORMAT + 2; i++) {
        free(e.clean[i].at);
    }
}

static void networks(void **state) {
    (void)state;
    sweep("town.inp", 7200.0, true, true);
    sweep("quality.inp", 7200.0, true, true);
}

static void surges(void **state) {
    (void)state;
    sweep("surge/closure.yaml", 1.0, false, false);
}

static void automata(void **state) {
    (void)state;
    sweep("automata/two-tanks.yaml", 100.0, false, false);
    sweep("automata/counting.yaml", 5.0, false, false);
    sweep("automata/tube.yaml", 0.001, false, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(networks), cmocka_unit_test(surges),
                                       cmocka_unit_test(automata)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
