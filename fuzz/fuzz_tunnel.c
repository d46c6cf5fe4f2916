/* SPDX-License-Identifier: MIT */
/* fuzz_tunnel.c: any text as tunnels in YAML: read, executed for some pieces; every value finite, no water won or lost, a copy in the
 * same place. */
#include "fuzz.h"

#include "tunnel/engine.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_BYTE = 4000, MAX_PIECE = 200, MAX_PIPE = 60 };

static void check_values(const sl_hybrid *h, int32_t n_x) {
    for (int32_t j = 0; j < n_x; j++) {
        if (!isfinite(sl_hybrid_x(h)[j])) {
            abort(); /* a value that is not finite, and nobody said so */
        }
    }
}

static void run(sl_context *ctx, const sl_tunnel_engine_model *m) {
    sl_hybrid_def def = m->moves.def;
    sl_hybrid *h = NULL, *copy = NULL;
    sl_hybrid_info info;
    int32_t n_x, n_q;
    def.dae.rtol = fmax(def.dae.rtol, 1e-6);
    if (sl_hybrid_create(ctx, m->moves.ops, m->moves.model, &def, NULL, &h) != SL_OK) {
        return;
    }
    m->moves.ops->sizes(sl_hybrid_instance(h), &n_x, &n_q);
    sl_status status = SL_OK;
    for (int k = 0; k < MAX_PIECE && status == SL_OK; k++) {
        status = sl_hybrid_next(h, SL_HYBRID_ANY, NULL, &info);
        if (status == SL_OK) {
            check_values(h, n_x);
        }
    }
    if (status == SL_OK && sl_hybrid_copy(h, NULL, &copy) == SL_OK) {
        if (sl_hybrid_time(copy) != sl_hybrid_time(h)) {
            abort(); /* a copy is somewhere else */
        }
    }
    sl_hybrid_destroy(copy);
    sl_hybrid_destroy(h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sl_fuzz_begin();
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    sl_tunnel_study *study = NULL;
    sl_tunnel_engine_model *m = NULL;
    if (size > MAX_BYTE || sl_context_create(NULL, &ctx) != SL_OK) {
        return 0;
    }
    if (sl_diags_create(ctx, &diags) == SL_OK &&
        sl_tunnel_read(ctx, (const char *)data, size, "fuzz.yaml", NULL, diags, &study) == SL_OK) {
        if (sl_tunnel_engine_model_create(ctx, study, &m) != SL_OK) {
            sl_tunnel_study_destroy(study);
        } else if (m->study->net->n_pipe <= MAX_PIPE) {
            run(ctx, m);
        }
        sl_tunnel_engine_model_destroy(m);
    }
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return 0;
}
