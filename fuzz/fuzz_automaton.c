/* SPDX-License-Identifier: MIT */
/* fuzz_automaton.c: any text as an automaton in YAML: read, explained in every form, executed for some pieces, saved and
 * restored. */
#include "fuzz.h"

#include "automata/explain.h"
#include "automata/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTE = 4000, MAX_PIECE = 120 };

static void run(sl_context *ctx, const sl_automaton *m) {
    sl_hybrid_def def = sl_automaton_model(m)->def;
    sl_hybrid *h = NULL, *copy = NULL;
    sl_hybrid_info info;
    def.max_discrete = 200;
    def.choices = SL_HYBRID_CHOICES_ASK;
    def.dae.rtol = fmax(def.dae.rtol, 1e-6);
    def.dae.atol = fmax(def.dae.atol, 1e-9);
    if (sl_hybrid_create(ctx, &sl_sha_ops, sl_automaton_get(m), &def, NULL, &h) != SL_OK) {
        return;
    }
    sl_status status = SL_OK;
    for (int k = 0; k < MAX_PIECE && status == SL_OK; k++) {
        status = sl_hybrid_next(h, SL_HYBRID_ANY, NULL, &info);
        if (status == SL_OK && info.event == SL_HYBRID_CHOICE) {
            status = sl_hybrid_choose(h, k % sl_hybrid_n_choice(h));
        }
        for (int32_t j = 0; j < sl_sha_n_variable(sl_automaton_get(m)) && status == SL_OK; j++) {
            if (!isfinite(sl_hybrid_x(h)[j])) {
                abort(); /* a value that is not finite, and nobody said so */
            }
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

static sl_status forget(void *user, const void *bytes, size_t n) {
    *(size_t *)user += n;
    (void)bytes;
    return SL_OK;
}

/* All parts, and those in force at the start of the discrete variables. */
static void explain(const sl_automaton *m) {
    size_t n = 0;
    sl_sink sink = {.user = &n, .write = forget};
    int32_t known[MAX_BYTE] = {0}; /* a variable takes a byte at least */
    for (int form = 0; form < SL_EXPLAIN_FORMS; form++) {
        for (int some = 0; some < 2; some++) {
            sl_explain_def def = {.form = (sl_explain_form)form,
                                  .name = sl_automaton_name(m),
                                  .q = some ? known : NULL,
                                  .when = "at the start"};
            if (sl_sha_explain(sl_automaton_get(m), &def, &sink) != SL_OK) {
                abort(); /* what was read can be told */
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sl_fuzz_begin();
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    sl_automaton *m = NULL;
    if (size > MAX_BYTE || sl_context_create(NULL, &ctx) != SL_OK) {
        return 0;
    }
    if (sl_diags_create(ctx, &diags) == SL_OK &&
        sl_automaton_read(ctx, (const char *)data, size, "fuzz.yaml", diags, &m) == SL_OK) {
        explain(m);
        run(ctx, m);
    }
    sl_automaton_destroy(m);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return 0;
}
