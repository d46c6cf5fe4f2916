/* SPDX-License-Identifier: MIT */
/* fuzz_inp.c: the .inp reader, writer and converter on any bytes.
 *
 * Beside the absence of crashes it asserts, for every input:
 *   - strict reading succeeds exactly when tolerant reading reports no error;
 *   - what is written reads again, and when there was no error as an equal network that writes to the same bytes;
 *   - converting without options keeps the bytes but for a last line end; converting twice gives the same bytes;
 *   - a network shown in other units has the same counts and no new errors.
 */
#include "fuzz.h"

#include "base/out.h"
#include <sluice/sluice.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition, ...)                            \
    do {                                                   \
        if (!(condition)) {                                \
            fprintf(stderr, "fuzz_inp: %s: ", #condition); \
            fprintf(stderr, __VA_ARGS__);                  \
            fputc('\n', stderr);                           \
            abort();                                       \
        }                                                  \
    } while (0)

static sl_network *read_bytes(sl_context *ctx, const void *bytes, size_t n, bool tolerant, sl_diags *diags) {
    sl_inp_read_def def = sl_inp_read_default();
    sl_network *net = NULL;
    def.name = "fuzz.inp";
    def.tolerant = tolerant;
    sl_inp_read(ctx, bytes, n, &def, diags, &net);
    return net;
}

static void write_bytes(sl_context *ctx, const sl_network *net, sl_bytes *out) {
    sl_bytes_init(out, ctx);
    sl_sink sink = sl_bytes_sink(out);
    REQUIRE(sl_inp_write(ctx, net, &sink) == SL_OK, "writing failed");
}

static void check_same(const sl_bytes *a, const sl_bytes *b, const char *what) {
    int64_t i = 0;
    while (i < a->n && i < b->n && a->at[i] == b->at[i]) {
        i++;
    }
    int64_t from = i < 60 ? 0 : i - 60;
    REQUIRE(a->n == b->n && i == a->n, "%s differ at byte %lld:\n%.*s\n--- and\n%.*s", what, (long long)i,
            (int)(a->n - from < 120 ? a->n - from : 120), a->at + from, (int)(b->n - from < 120 ? b->n - from : 120),
            b->at + from);
}

static void check_writing(sl_context *ctx, const sl_network *net, bool clean) {
    sl_bytes first, second;
    write_bytes(ctx, net, &first);
    sl_diags *diags = NULL;
    sl_diags_create(ctx, &diags);
    sl_network *again = read_bytes(ctx, first.at, (size_t)first.n, true, diags);
    REQUIRE(again, "what was written cannot be read");
    if (clean) {
        char why[200] = "";
        REQUIRE(sl_diags_count(diags, SL_ERROR) == 0, "what was written has errors: %s", sl_diags_at(diags, 0)->text);
        REQUIRE(sl_network_equal(net, again, why, sizeof why), "%s", why);
    }
    write_bytes(ctx, again, &second);
    if (clean) { /* of a broken model, what refers to broken parts is lost in writing */
        check_same(&first, &second, "two writings");
    }
    sl_bytes_fini(&first);
    sl_bytes_fini(&second);
    sl_network_destroy(again);
    sl_diags_destroy(diags);
}

static void check_converting(sl_context *ctx, const uint8_t *data, size_t size, sl_flow_unit unit) {
    sl_inp_convert_def def = sl_inp_convert_default();
    sl_bytes same, once, twice;
    sl_bytes_init(&same, ctx);
    sl_bytes_init(&once, ctx);
    sl_bytes_init(&twice, ctx);
    sl_sink sink = sl_bytes_sink(&same);
    REQUIRE(sl_inp_convert(ctx, data, size, &def, NULL, &sink) == SL_OK, "converting failed");
    REQUIRE((size_t)same.n >= size && (size_t)same.n <= size + 2 && memcmp(same.at, data, size) == 0,
            "converting changed the text");
    def.change_units = true;
    def.flow_unit = unit;
    sink = sl_bytes_sink(&once);
    bool converted =
        sl_inp_convert(ctx, data, size, &def, NULL, &sink) == SL_OK; /* not when a curve has two meanings */
    sink = sl_bytes_sink(&twice);
    if (converted && sl_inp_convert(ctx, once.at, (size_t)once.n, &def, NULL, &sink) ==
                         SL_OK) { /* overflow may make it unreadable */
        check_same(&once, &twice, "two conversions");
    }
    sl_bytes_fini(&same);
    sl_bytes_fini(&once);
    sl_bytes_fini(&twice);
}

static sl_status nowhere(void *user, const void *bytes, size_t n) {
    (void)user, (void)bytes, (void)n;
    return SL_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sl_fuzz_begin();
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    if (sl_context_create(NULL, &ctx) != SL_OK || sl_diags_create(ctx, &diags) != SL_OK) {
        abort();
    }
    sl_network *net = read_bytes(ctx, data, size, true, diags);
    bool clean = sl_diags_count(diags, SL_ERROR) == 0;
    sl_network *strict = read_bytes(ctx, data, size, false, NULL);
    REQUIRE((strict != NULL) == clean, "strict and tolerant reading do not agree");
    sl_sink sink = {NULL, nowhere};
    sl_diags_render_text(diags, &sink, true);
    sl_diags_render_json(diags, &sink);
    if (net) {
        sl_flow_unit unit = (sl_flow_unit)(size % SL_FLOW_UNIT_COUNT);
        check_writing(ctx, net, clean);
        sl_network_write_json(net, &sink);
        sl_network_write_geojson(net, NULL, &sink);
        sl_network *other = NULL;
        if (sl_network_with_units(ctx, net, unit, NULL, &other) == SL_OK) { /* not when a curve has two meanings */
            REQUIRE(other->n_node == net->n_node && other->n_link == net->n_link, "other units changed the network");
        }
        sl_network_destroy(other);
        if (clean) {
            check_converting(ctx, data, size, unit);
        }
    }
    sl_network_destroy(net);
    sl_network_destroy(strict);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return 0;
}
