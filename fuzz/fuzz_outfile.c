/* SPDX-License-Identifier: MIT */
/* fuzz_outfile.c: any bytes as a .out file: the reader, the comparison, the verifier and the tables.
 *
 * Beside the absence of crashes it asserts, for every input:
 *   - a file that is opened can be read in all its periods, and ids lead back to elements that have them;
 *   - a whole file with periods and finite numbers is the same as itself;
 *   - the verifier, asked whether the file belongs to a small network (the kept inputs do), comes to a verdict, and finds
 *     no file sound that has a head or flow that is not a number;
 *   - as CSV it has a line per row and period, and as JSON its braces close, also when nodes are selected.
 */
#include "fuzz.h"

#include <sluice/sluice.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition, ...)                                \
    do {                                                       \
        if (!(condition)) {                                    \
            fprintf(stderr, "fuzz_outfile: %s: ", #condition); \
            fprintf(stderr, __VA_ARGS__);                      \
            fputc('\n', stderr);                               \
            abort();                                           \
        }                                                      \
    } while (0)

/* Every kind of element that the verifier has a law for. fuzz/corpus/outfile/network.out is its result. */
static const char network[] = "[JUNCTIONS]\nA 10\nB 12 5 P\nC 9 3\nD 8 1\n[RESERVOIRS]\nR 5\n[TANKS]\nT 40 3 1 6 8 0\n"
                              "[PIPES]\n1 A B 500 200 120\n2 B T 300 150 110 .5\n3 B C 200 99 99 0 CV\n"
                              "[PUMPS]\nU R A HEAD H\n[VALVES]\nV C D 80 PRV 30\n"
                              "[CURVES]\nH 10 50\n[PATTERNS]\nP 1 .5 1.5\n[EMITTERS]\nC .1\n[OPTIONS]\nUNITS LPS\n"
                              "[TIMES]\nDURATION 2\n[CONTROLS]\nLINK U CLOSED IF NODE T ABOVE 5\n";

typedef struct bytes {
    const uint8_t *at;
    size_t n;
} bytes;

static sl_status read_bytes(void *user, uint64_t offset, void *to, size_t n) {
    const bytes *b = user;
    if (offset > b->n || n > b->n - offset) {
        return SL_ERR_IO;
    }
    memcpy(to, b->at + offset, n);
    return SL_OK;
}

/* Reads everything; *sane: all numbers are finite; *solved: heads and flows are. */
static void read_all(sl_outfile *file, bool *sane, bool *solved) {
    const sl_outfile_info *f = sl_outfile_get_info(file);
    size_t most = (size_t)(f->n_node > f->n_link ? f->n_node : f->n_link);
    float *x = malloc((most + 1) * sizeof *x);
    REQUIRE(x, "out of memory");
    *sane = *solved = true;
    for (int32_t p = 0; p < f->n_period; p++) {
        REQUIRE(!isnan(sl_outfile_time(file, p)), "time of period %d", (int)p);
        for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
            REQUIRE(sl_outfile_read(file, p, (sl_out_variable)v, x) == SL_OK, "variable %d of period %d", v, (int)p);
            for (int32_t i = 0; i < (v < SL_OUT_FLOW ? f->n_node : f->n_link); i++) {
                *sane = *sane && isfinite(x[i]);
                *solved = *solved && (isfinite(x[i]) || (v != SL_OUT_HEAD && v != SL_OUT_FLOW));
            }
        }
    }
    for (int32_t i = 0; i < f->n_pump; i++) {
        const sl_out_energy *e = &f->energy[i];
        REQUIRE(e->link >= 0 && e->link < f->n_link, "pump %d", (int)i);
        *sane = *sane && isfinite(e->utilization) && isfinite(e->efficiency) && isfinite(e->kwh_per_volume) &&
                isfinite(e->average_kw) && isfinite(e->peak_kw) && isfinite(e->cost_per_day);
    }
    *sane = *sane && isfinite(f->demand_charge);
    for (int32_t i = 0; i < f->n_node; i++) {
        *sane = *sane && isfinite(f->elevation[i]);
    }
    for (int32_t i = 0; i < f->n_link; i++) {
        *sane = *sane && isfinite(f->length[i]) && isfinite(f->diameter[i]);
    }
    free(x);
}

static void check_ids(const sl_outfile *file) {
    const sl_outfile_info *f = sl_outfile_get_info(file);
    for (int32_t i = 0; i < f->n_node; i++) {
        const char *id = sl_outfile_node_id(file, i);
        int32_t found = sl_outfile_find_node(file, sl_str_z(id));
        REQUIRE(found >= 0 && strcmp(sl_outfile_node_id(file, found), id) == 0, "node '%s'", id);
    }
    for (int32_t i = 0; i < f->n_link; i++) {
        const char *id = sl_outfile_link_id(file, i);
        int32_t found = sl_outfile_find_link(file, sl_str_z(id));
        REQUIRE(found >= 0 && strcmp(sl_outfile_link_id(file, found), id) == 0, "link '%s'", id);
        REQUIRE(f->link_from[i] >= 0 && f->link_from[i] < f->n_node && f->link_to[i] >= 0 && f->link_to[i] < f->n_node,
                "ends of '%s'", id);
    }
}

static void check_verdict(sl_context *ctx, sl_outfile *file, bool solved, sl_diags *diags) {
    sl_inp_read_def def = sl_inp_read_default();
    sl_network *net = NULL;
    sl_verify_result result = {.size = sizeof result};
    REQUIRE(sl_inp_read(ctx, network, sizeof network - 1, &def, NULL, &net) == SL_OK, "the network");
    sl_status status = sl_verify(ctx, net, file, NULL, diags, &result);
    REQUIRE(status == SL_OK || (status == SL_ERR_INPUT && sl_diags_count(diags, SL_ERROR) > 0), "verifying: %s",
            sl_status_text(status));
    REQUIRE(status != SL_OK || solved || !result.consistent, "sound, with heads or flows that are no numbers");
    sl_network_destroy(net);
}

typedef struct counts {
    int64_t lines, depth;
    bool quoted, escaped;
} counts;

/* Line ends, and open brackets, outside of quotes. */
static sl_status count(void *user, const void *text, size_t n) {
    counts *c = user;
    for (const char *p = text; n > 0; n--, p++) {
        c->quoted = c->quoted != (*p == '"' && !c->escaped);
        c->escaped = *p == '\\' && !c->escaped;
        if (!c->quoted) {
            c->lines += *p == '\n';
            c->depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
        }
    }
    return SL_OK;
}

static counts convert(sl_context *ctx, sl_results *r, const char *format, const char *node, sl_diags *diags) {
    counts c = {0};
    const sl_sink sink = {&c, count};
    sl_results_target target = sl_results_target_default();
    sl_results_select select = sl_results_select_default();
    target.format = format;
    target.sink = &sink;
    select.node = &node;
    select.n_node = node != NULL;
    sl_status status = sl_results_write(ctx, r, &select, &target, diags);
    REQUIRE(status == SL_OK, "as .%s: %s", format, sl_status_text(status));
    return c;
}

static void check_conversions(sl_context *ctx, sl_results *r, sl_diags *diags) {
    const sl_results_group *g = sl_results_get_layout(r)->groups;
    int64_t n_frame;
    (void)sl_results_times(r, &n_frame);
    REQUIRE(convert(ctx, r, "json", NULL, diags).depth == 0, "JSON that does not end");
    REQUIRE(g[0].n == 0 || convert(ctx, r, "json", "all", diags).depth == 0, "JSON of nodes that does not end");
    bool plain = true; /* CSV doubles its quotes and has no backslashes: count as JSON only where there are none */
    for (int32_t i = 0; i < g[0].n + g[1].n; i++) {
        plain = plain && !strchr(i < g[0].n ? g[0].ids[i] : g[1].ids[i - g[0].n], '\\');
    }
    counts c = convert(ctx, r, "csv", NULL, diags);
    REQUIRE(!plain || c.lines == 1 + n_frame * (g[0].n + g[1].n), "%lld lines of CSV", (long long)c.lines);
}

static void check_results(sl_context *ctx, const sl_source_bytes *source, bool sane, bool whole, sl_diags *diags) {
    sl_results *r = NULL;
    sl_comparison *c = NULL;
    REQUIRE(sl_results_open(ctx, source, "fuzz.out", diags, &r) == SL_OK, "opening as a result");
    sl_status status = sl_compare(ctx, r, r, NULL, diags, &c);
    REQUIRE(status == SL_OK || (status == SL_ERR_INPUT && sl_diags_count(diags, SL_ERROR) > 0), "comparing: %s",
            sl_status_text(status));
    REQUIRE(status != SL_OK || !sane || !whole || sl_comparison_result(c)->same, "a file is not the same as itself");
    sl_comparison_destroy(c);
    check_conversions(ctx, r, diags);
    sl_results_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sl_fuzz_begin();
    bytes b = {data, size};
    sl_source_bytes source = {.user = &b, .size = size, .read = read_bytes};
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    sl_outfile *file = NULL;
    REQUIRE(sl_context_create(NULL, &ctx) == SL_OK && sl_diags_create(ctx, &diags) == SL_OK, "out of memory");
    sl_status status = sl_outfile_open(ctx, &source, "fuzz.out", diags, &file);
    REQUIRE(status == SL_OK || (status == SL_ERR_INPUT && sl_diags_count(diags, SL_ERROR) > 0), "opening: %s",
            sl_status_text(status));
    if (file) {
        bool sane, solved;
        read_all(file, &sane, &solved);
        check_ids(file);
        const sl_outfile_info *f = sl_outfile_get_info(file);
        check_results(ctx, &source, sane, f->complete && f->n_period > 0, diags);
        sl_diags_clear(diags);
        check_verdict(ctx, file, solved, diags);
    }
    sl_outfile_close(file);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return 0;
}
