/* SPDX-License-Identifier: MIT */
/* fuzz_hdf5.c: results as HDF5 files: written, read back, and damaged.
 *
 * The first byte is a number of changes, of five bytes each (a place, and what is changed there); what follows them is a result as
 * text, as fuzz_results has it. Beside the absence of crashes it asserts, for every input:
 *   - what is read as text and written as .h5 is read back equal, bit for bit;
 *   - a damaged file is refused with an error, or is read whole: nothing beyond what its layout says; also where its checksums
 *     and its seal were made to fit.
 */
#include "fuzz.h"
#include "../tests/results/hdf5_reseal.h"
#include "result_checks.h"

enum { CHANGE = 5, MOST_CHANGES = 8 };

/* Damaged, with checksums and a seal that fit. */
static void check_hostile(sl_context *ctx, sl_bytes *file, const uint8_t *changes, int n, sl_diags *diags) {
    const uint32_t part = (uint32_t)hdf5_part(file->at, (size_t)file->n);
    for (int i = 0; i < n; i++) {
        const uint8_t *c = changes + CHANGE * i;
        uint32_t at = (uint32_t)c[0] | (uint32_t)c[1] << 8 | (uint32_t)c[2] << 16 | (uint32_t)c[3] << 24;
        file->at[at % part] ^= (char)c[4];
    }
    hdf5_reseal(ctx, file->at, (size_t)file->n);
    const sl_str bytes = {file->at, (size_t)file->n};
    sl_results *r = open_bytes(ctx, &bytes, diags);
    if (r) {
        check_series(r);
    }
    sl_results_close(r);
}

static void damage(sl_context *ctx, sl_bytes *file, const uint8_t *changes, int n, sl_diags *diags) {
    for (int i = 0; i < n; i++) {
        const uint8_t *c = changes + CHANGE * i;
        uint32_t at = (uint32_t)c[0] | (uint32_t)c[1] << 8 | (uint32_t)c[2] << 16 | (uint32_t)c[3] << 24;
        file->at[at % (uint32_t)file->n] ^= (char)c[4];
    }
    const sl_str bytes = {file->at, (size_t)file->n};
    sl_results *r = open_bytes(ctx, &bytes, diags);
    if (r) {
        check_series(r);
    }
    sl_results_close(r);
}

static void check_file(sl_context *ctx, sl_results *r, const uint8_t *changes, int n, sl_diags *diags) {
    sl_bytes file;
    sl_bytes_init(&file, ctx);
    if (write_as(ctx, r, "h5", SL_CSV_BY_MODEL, &file)) {
        const sl_str bytes = {file.at, (size_t)file.n};
        sl_results *again = open_bytes(ctx, &bytes, diags);
        REQUIRE(again, "what was written is not read: %s", sl_diags_at(diags, 0)->text);
        check_same(r, again);
        sl_results_close(again);
        if (n > 0) {
            check_hostile(ctx, &file, changes, n, diags);
            damage(ctx, &file, changes, n, diags);
        }
    }
    sl_bytes_fini(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sl_fuzz_begin();
    int n = size > 0 ? data[0] % (MOST_CHANGES + 1) : 0;
    size_t head = 1 + (size_t)n * CHANGE;
    if (size < head ||
        sl_results_format_recognise(data + head, size - head < SL_RESULTS_HEAD ? size - head : SL_RESULTS_HEAD,
                                    size - head) == &sl_format_hdf5) {
        return 0;
    }
    const sl_str text = {(const char *)data + head, size - head};
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    REQUIRE(sl_context_create(NULL, &ctx) == SL_OK && sl_diags_create(ctx, &diags) == SL_OK, "out of memory");
    sl_results *r = open_bytes(ctx, &text, diags);
    if (r) {
        check_file(ctx, r, data + 1, n, diags);
    }
    sl_results_close(r);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return 0;
}
