/* SPDX-License-Identifier: MIT */
/* city.c: makes a city in phases: streets, zones, feeds, pipes, design, text. See city.h. */
#include "gen/city.h"

#include "base/context.h"
#include "base/report.h"
#include "gen/city_impl.h"

sl_gen_city_def sl_gen_city_default(void) {
    return (sl_gen_city_def){.size = sizeof(sl_gen_city_def), .n_junction = 1000, .seed = 1, .duration = 24 * 3600};
}

static sl_status check(const sl_gen_city_def *def, sl_diags *diags) {
    if (def->n_junction < SL_GEN_CITY_MIN || def->n_junction > SL_GEN_CITY_MAX) {
        sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL, "choose a number between 10 and 5000000",
                  "a city of %d junctions cannot be made", (int)def->n_junction);
        return SL_ERR_USE;
    }
    if (def->duration < 0 || def->duration % 3600 != 0) {
        sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL, "give whole hours, e.g. 86400",
                  "the duration of %d seconds is not a number of whole hours", (int)def->duration);
        return SL_ERR_USE;
    }
    return SL_OK;
}

static void fini(sl_city *city) {
    sl_context *ctx = city->ctx;
    size_t n = (size_t)city->n_cell;
    void *per_cell_4[] = {city->zone, city->cost, city->order, city->junction};
    void *per_cell_8[] = {city->z, city->z_high, city->flow, city->loss};
    void *per_street[] = {city->kind, city->rank, city->n_mid, city->diameter};
    for (int k = 0; k < 4; k++) {
        sl_free(ctx, per_cell_4[k], n * sizeof(int32_t));
        sl_free(ctx, per_cell_8[k], n * sizeof(double));
        sl_free(ctx, per_street[k], 2 * n);
    }
    sl_free(ctx, city->up, n);
    SL_ARRAY_FINI(ctx, &city->zones);
    SL_ARRAY_FINI(ctx, &city->feeds);
    SL_ARRAY_FINI(ctx, &city->junctions);
    SL_ARRAY_FINI(ctx, &city->pipes);
    SL_ARRAY_FINI(ctx, &city->vertices);
}

static sl_status design(sl_city *city) {
    sl_city_mains_design(city);
    return SL_OK;
}

sl_status sl_gen_city(sl_context *ctx, const sl_gen_city_def *def, sl_diags *diags, const sl_sink *sink) {
    static sl_status (*const phases[])(sl_city *) = {sl_city_streets_lay, sl_city_zones_draw, sl_city_feeds_place,
                                                     sl_city_pipes_cut, design};
    enum { N_PHASE = sizeof phases / sizeof *phases };
    sl_status status = check(def, diags);
    sl_city city = {.ctx = ctx, .def = def};
    for (int k = 0; status == SL_OK && k < N_PHASE; k++) {
        if (!sl_progress_report(ctx, "building a city", k, N_PHASE + 2))
            status = SL_ERR_CANCELLED;
        else
            status = phases[k](&city);
    }
    if (status == SL_OK && !sl_progress_report(ctx, "writing", N_PHASE, N_PHASE + 2)) status = SL_ERR_CANCELLED;
    if (status == SL_OK) status = sl_city_write(&city, sink);
    fini(&city);
    return status;
}
