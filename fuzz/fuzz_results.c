/* SPDX-License-Identifier: MIT */
/* fuzz_results.c: any bytes as a result: .json, .csv in its forms, .out. (Of .h5 files see fuzz_hdf5.c.)
 *
 * Beside the absence of crashes it asserts, for every input:
 *   - what is opened can be read: all values by frame and by series, all events; nothing beyond what the layout says;
 *   - memory and work stay in proportion to the input (libFuzzer's limits);
 *   - it can be written as .json, which is read back equal, bit for bit, and as .csv in every form.
 */
#include "fuzz.h"
#include "result_checks.h"

static void check_written(sl_context *ctx, sl_results *r, sl_diags *diags) {
    sl_bytes text;
    sl_bytes_init(&text, ctx);
    if (write_as(ctx, r, "json", SL_CSV_BY_MODEL, &text)) {
        const sl_str bytes = {text.at, (size_t)text.n};
        sl_results *again = open_bytes(ctx, &bytes, diags);
        REQUIRE(again, "what was written is not read: %s", sl_diags_at(diags, 0)->text);
        check_same(r, again);
        sl_results_close(again);
    }
    for (int form = SL_CSV_ROWS; form <= SL_CSV_EVENTS; form++) {
        text.n = 0;
        (void)write_as(ctx, r, "csv", (sl_csv_form)form, &text);
    }
    sl_bytes_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sl_fuzz_begin();
    const sl_str bytes = {(const char *)data, size};
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    if (sl_results_format_recognise(data, size < SL_RESULTS_HEAD ? size : SL_RESULTS_HEAD, size) == &sl_format_hdf5) {
        return 0;
    }
    REQUIRE(sl_context_create(NULL, &ctx) == SL_OK && sl_diags_create(ctx, &diags) == SL_OK, "out of memory");
    sl_results *r = open_bytes(ctx, &bytes, diags);
    if (r) {
        check_series(r);
        check_written(ctx, r, diags);
    }
    sl_results_close(r);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return 0;
}
