/* SPDX-License-Identifier: MIT */
/* fuzz_runfile.c: any bytes as a run file of `sluice cosim`, bound to a small network.
 *
 * Beside the absence of crashes it asserts, for every input:
 *   - it is whole or refused with an error, and messages name the file;
 *   - what is bound without an error can be shown and scaled: every row has a variable, factors are finite and not 0.
 */
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sluice/sluice.h>

#include "exchange/coupling.h"

#define REQUIRE(condition, ...)                                \
    do {                                                       \
        if (!(condition)) {                                    \
            fprintf(stderr, "fuzz_runfile: %s: ", #condition); \
            fprintf(stderr, __VA_ARGS__);                      \
            fputc('\n', stderr);                               \
            abort();                                           \
        }                                                      \
    } while (0)

static const char network[] = "[JUNCTIONS]\nA 10 1\nS 12 5\n[RESERVOIRS]\nR 50\n[TANKS]\nT1 40 3 1 6 8 0\n"
                              "[PIPES]\nP1 R A 500 200 120\nP2 A S 300 150 110\nP3 A T1 300 150 110\n"
                              "[PUMPS]\nPU1 R A HEAD H\n[CURVES]\nH 10 50\n[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 2\n";

static void check_diags(const sl_diags *diags) {
    for (int32_t i = 0; i < sl_diags_size(diags); i++) {
        const sl_diag *d = sl_diags_at(diags, i);
        REQUIRE(d->text && d->text[0] && d->file && strcmp(d->file, "fuzz.yaml") == 0, "diagnostic %d", (int)i);
    }
}

static void check_rows(const sl_coupled_list *list) {
    for (int32_t i = 0; i < list->n; i++) {
        const sl_coupled *v = &list->at[i];
        REQUIRE(v->variable && v->scale != 0.0 && isfinite(v->scale), "row %d", (int)i);
        REQUIRE(!isnan(sl_coupled_in(v, 1.0)) && !isnan(sl_coupled_out(v, 1.0)), "row %d", (int)i);
    }
}

static void bind(sl_context *ctx, sl_coupling *run) {
    const sl_inp_read_def def = sl_inp_read_default();
    sl_network *net = NULL;
    sl_model *model = NULL;
    sl_session *session = NULL;
    REQUIRE(sl_inp_read(ctx, network, sizeof network - 1, &def, NULL, &net) == SL_OK, "the network");
    REQUIRE(sl_model_from_network(ctx, net, NULL, NULL, &model) == SL_OK, "the model");
    REQUIRE(sl_session_create(ctx, model, NULL, &session) == SL_OK, "the session");
    sl_status status = sl_coupling_bind(run, session);
    REQUIRE(status == SL_OK || status == SL_ERR_INPUT, "binding: %s", sl_status_text(status));
    if (status == SL_OK) {
        check_rows(&run->read);
        check_rows(&run->write);
    }
    sl_session_destroy(session);
    sl_model_destroy(model);
    sl_network_destroy(net);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sl_fuzz_begin();
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    sl_coupling *run = NULL;
    REQUIRE(sl_context_create(NULL, &ctx) == SL_OK && sl_diags_create(ctx, &diags) == SL_OK, "out of memory");
    sl_status status = sl_coupling_read(ctx, (const char *)data, size, "fuzz.yaml", diags, &run);
    REQUIRE(run ? status == SL_OK && run->model && sl_diags_count(diags, SL_ERROR) == 0
                : status == SL_ERR_INPUT && sl_diags_count(diags, SL_ERROR) > 0,
            "reading: %s", sl_status_text(status));
    if (run) {
        bind(ctx, run);
    }
    check_diags(diags);
    sl_coupling_destroy(run);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return 0;
}
