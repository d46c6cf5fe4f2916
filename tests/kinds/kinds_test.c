/* SPDX-License-Identifier: MIT */
#include "kinds_test.h"

#include "base/out.h"

const char test_network[] =
    "; a comment first\n\n[JUNCTIONS]\nJ1 10 1\nJ2 12 2\n[RESERVOIRS]\nR1 100\n"
    "[PIPES]\nP1 R1 J1 1000 300 120 0 Open\n[VALVES]\nV1 J1 J2 300 TCV 2 0\n"
    "[TIMES]\nDuration 2:00\nHydraulic Timestep 1:00\n[OPTIONS]\nUnits LPS\nHeadloss H-W\n[END]\n";
const char test_study[] = "study: surge\nnetwork: net.inp\nduration: 2 s\nevents:\n  - {close: V1, at: 1 s, in: 1 s}\n";
const char test_automaton[] =
    "automaton: relay\ndiscrete: {hot: 2}\ncontinuous: {T: 20}\n"
    "activities:\n  - {equation: der(T) = 1, when: '!hot'}\n  - {equation: der(T) = 0, when: hot}\n"
    "roots:\n  - {decides: hot, by: T - 22}\nrun: {end: 5, report: 1}\n";
const char test_discrete[] = "automaton: ticker\ndiscrete: {q: 2}\n"
                             "transitions:\n  - {equation: der(q) = 1}\n";

int test_n_open;

static sl_status open_named(void *user, const sl_source *from, const char *path, sl_source *out, const char **why) {
    (void)user;
    assert_non_null(from->name);
    if (strcmp(path, "net.inp") != 0) {
        *why = "it is not there";
        return SL_ERR_IO;
    }
    assert_int_equal(out->size, sizeof *out);
    *out = test_source(path, test_network, sizeof test_network - 1);
    test_n_open++;
    return SL_OK;
}

static void close_named(void *user, sl_source *opened) {
    (void)user;
    assert_string_equal(opened->name, "net.inp");
    test_n_open--;
}

sl_source test_source(const char *name, const char *text, size_t n) {
    return (sl_source){
        .size = sizeof(sl_source), .name = name, .bytes = text, .n = n, .open = open_named, .close = close_named};
}

char *test_read(const char *path, size_t *n) {
    FILE *f = fopen(path, "rb");
    if (!f) {
        return NULL;
    }
    char *text = malloc(1 << 20);
    assert_non_null(text);
    *n = fread(text, 1, 1 << 20, f);
    (void)fclose(f);
    return text;
}

const char *test_said(const sl_diags *diags, char *buf, size_t size) {
    sl_bytes bytes;
    sl_context *ctx = NULL;
    sl_assert_ok(sl_context_create(NULL, &ctx));
    sl_bytes_init(&bytes, ctx);
    sl_sink sink = sl_bytes_sink(&bytes);
    sl_assert_ok(sl_diags_render_text(diags, &sink, false));
    size_t n = (size_t)bytes.n < size - 1 ? (size_t)bytes.n : size - 1;
    memcpy(buf, bytes.at ? bytes.at : "", n);
    buf[n] = '\0';
    sl_bytes_fini(&bytes);
    sl_context_destroy(ctx);
    return buf;
}
