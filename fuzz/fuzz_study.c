/* SPDX-License-Identifier: MIT */
/* fuzz_study.c: any bytes as a study of the surge engine, on a small network; what is good runs a few steps.
 *
 * Beside the absence of crashes it asserts, for every input:
 *   - what is refused has an error with the file's name, what is taken has none;
 *   - indices are within the network, points of events rise, wave speeds are positive;
 *   - without a network nothing more is wrong than with one;
 *   - a model that is made moves for some steps, and every head it shows is finite, or it says why it failed.
 */
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sluice/network_io.h>
#include <sluice/session.h>

#include "surge/study.h"

#define REQUIRE(condition, ...)                              \
    do {                                                     \
        if (!(condition)) {                                  \
            fprintf(stderr, "fuzz_study: %s: ", #condition); \
            fprintf(stderr, __VA_ARGS__);                    \
            fputc('\n', stderr);                             \
            abort();                                         \
        }                                                    \
    } while (0)

enum { STEPS = 40, POINTS_MAX = 4000 };

static const char network_text[] =
    "[JUNCTIONS]\nJ1 10 1\nJ2 12 2\nJ3 8 1\n[RESERVOIRS]\nR1 60\n[TANKS]\nT1 50 5 0 10 20 0\n"
    "[PIPES]\nP1 R1 J1 1000 300 120 0 Open\nP2 J2 T1 500 200 120 0 Open\n"
    "P3 J1 J3 400 200 120 0 Open\n[PUMPS]\nPU J3 J2 HEAD C1\n"
    "[VALVES]\nV1 J1 J2 300 TCV 2 0\n[CURVES]\nC1 10 8\n[OPTIONS]\nUnits LPS\n[END]\n";

static void check_def(const sl_surge_def *d, const sl_network *net) {
    for (int32_t i = 0; i < d->n_event; i++) {
        const sl_surge_event *e = &d->events[i];
        REQUIRE(e->index >= 0 && e->start >= 0.0 && e->trigger < d->n_trigger, "event %d", (int)i);
        for (int32_t k = 1; k < e->n; k++) {
            REQUIRE(e->t[k] > e->t[k - 1], "point %d of event %d", (int)k, (int)i);
        }
    }
    for (int32_t i = 0; i < d->n_valve; i++) {
        REQUIRE(d->valves[i].link >= 0 && d->valves[i].link < net->n_link, "valve %d", (int)i);
    }
    for (int32_t i = 0; i < d->n_probe; i++) {
        REQUIRE(d->probes[i].pipe >= 0 && d->probes[i].pipe < net->n_pipe && d->probes[i].name, "probe %d", (int)i);
    }
    for (int32_t i = 0; d->pipe_wave_speed && i < net->n_pipe; i++) {
        REQUIRE(isnan(d->pipe_wave_speed[i]) || d->pipe_wave_speed[i] > 0.0, "wave speed of pipe %d", (int)i);
    }
}

static void run_model(sl_context *ctx, const sl_network *net, sl_surge_def *d, sl_diags *diags) {
    sl_model *model = NULL;
    sl_session *session = NULL;
    d->points_max = d->points_max < POINTS_MAX ? d->points_max : POINTS_MAX;
    sl_status status = sl_model_from_surge(ctx, net, d, diags, &model);
    REQUIRE(model ? status == SL_OK : sl_diags_count(diags, SL_ERROR) > 0, "a model: %s", sl_status_text(status));
    if (model && sl_session_create(ctx, model, diags, &session) == SL_OK) {
        sl_surge_grid grid = {.size = sizeof grid};
        REQUIRE(sl_model_surge_grid(model, &grid) == SL_OK && grid.dt > 0.0 && isfinite(grid.dt), "a grid");
        status = sl_session_advance(session, grid.dt * STEPS < d->duration ? grid.dt * STEPS : d->duration, 0, NULL);
        int32_t n = 0;
        const double *head = sl_session_view(session, sl_session_field(session, "node.head"), &n);
        for (int32_t i = 0; i < n && status == SL_OK && head; i++) {
            REQUIRE(isfinite(head[i]), "head %d is %g", (int)i, head[i]);
        }
        REQUIRE(status == SL_OK || sl_diags_count(sl_session_diags(session), SL_ERROR) > 0, "%s",
                sl_status_text(status));
    }
    sl_session_destroy(session);
    sl_model_destroy(model);
}

static sl_status read_study(sl_context *ctx, const char *text, size_t size, const sl_network *net, sl_diags *diags,
                            sl_study **study) {
    sl_status status = sl_study_open(ctx, text, size, "fuzz.yaml", diags, study);
    return status == SL_OK ? sl_study_bind(*study, net) : status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sl_fuzz_begin();
    const char *text = (const char *)data;
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    sl_network *net = NULL;
    sl_study *study = NULL;
    REQUIRE(sl_context_create(NULL, &ctx) == SL_OK && sl_diags_create(ctx, &diags) == SL_OK, "out of memory");
    REQUIRE(sl_inp_read(ctx, network_text, strlen(network_text), NULL, diags, &net) == SL_OK, "the network");
    sl_diags_clear(diags);
    sl_status status = read_study(ctx, text, size, NULL, diags, &study);
    int64_t without = sl_diags_count(diags, SL_ERROR);
    sl_study_destroy(study);
    study = NULL;
    sl_diags_clear(diags);
    status = read_study(ctx, text, size, net, diags, &study);
    int64_t errors = sl_diags_count(diags, SL_ERROR);
    REQUIRE((status == SL_OK) == (errors == 0) && errors >= without, "%s, %lld and %lld errors", sl_status_text(status),
            (long long)errors, (long long)without);
    for (int32_t i = 0; i < sl_diags_size(diags); i++) {
        const sl_diag *d = sl_diags_at(diags, i);
        REQUIRE(d->text && d->text[0] && d->file && strcmp(d->file, "fuzz.yaml") == 0, "diagnostic %d", (int)i);
    }
    if (status == SL_OK) {
        check_def(&study->def, net);
        run_model(ctx, net, &study->def, diags);
    }
    sl_study_destroy(study);
    sl_network_destroy(net);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return 0;
}
