/* SPDX-License-Identifier: MIT */
/* sha_units.c: dimensions of variables and parameters, where they are declared: a sorted list of ranges. */
#include "automata/sha_impl.h"

#include "base/ids.h"

/* The first range that ends behind a number. */
static int64_t find(const sl_sha *a, bool is_parameter, int32_t symbol) {
    int64_t low = 0, high = a->dimensions.n;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        const sha_dimension *at = &a->dimensions.at[middle];
        bool before = at->is_parameter != is_parameter ? !at->is_parameter : at->symbol + at->n <= symbol;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

sl_status sl_sha_set_dimension(sl_sha *a, bool is_parameter, int32_t symbol, int32_t n, const sl_dimension *d) {
    int64_t at = find(a, is_parameter, symbol);
    const sha_dimension new_one = {is_parameter, symbol, n, *d};
    if (at < a->dimensions.n && a->dimensions.at[at].is_parameter == is_parameter &&
        a->dimensions.at[at].symbol == symbol) {
        a->dimensions.at[at] = new_one;
        return SL_OK;
    }
    if (!SL_PUSH(a->ctx, &a->dimensions, new_one)) {
        return SL_ERR_MEMORY;
    }
    for (int64_t k = a->dimensions.n - 1; k > at; k--) {
        a->dimensions.at[k] = a->dimensions.at[k - 1];
    }
    a->dimensions.at[at] = new_one;
    return SL_OK;
}

sl_dimension sl_sha_dimension(const void *sha, bool is_parameter, int32_t symbol) {
    const sl_sha *a = sha;
    int64_t at = find(a, is_parameter, symbol);
    const sha_dimension *found = at < a->dimensions.n ? &a->dimensions.at[at] : NULL;
    bool holds = found && found->is_parameter == is_parameter && found->symbol <= symbol;
    return holds ? found->d : (sl_dimension){.kind = SL_DIMENSION_UNKNOWN};
}

int32_t sl_sha_n_dimension(const sl_sha *a) {
    return (int32_t)a->dimensions.n;
}

uint64_t sl_sha_hash_dimensions(const sl_sha *a) {
    uint64_t h = 0;
    for (int64_t k = 0; k < a->dimensions.n; k++) {
        const sha_dimension *at = &a->dimensions.at[k];
        double all[SL_BASE_UNITS + 3] = {at->is_parameter, at->symbol, at->n};
        for (int i = 0; i < SL_BASE_UNITS; i++) {
            all[3 + i] = at->d.exponent[i];
        }
        const uint64_t both[2] = {h, sl_hash_bytes(all, sizeof all)};
        h = sl_hash_bytes(both, sizeof both);
    }
    return h;
}
