/* SPDX-License-Identifier: MIT */
/* models.c: one model of every kind; see models.h. */
#include "sl_test.h"

#include "ball.h"
#include "counter.h"
#include "models.h"

#include <sluice/load.h>
#include <sluice/network_io.h>

/* ---- Building ----------------------------------------------------------------------------------- */

static sl_status build_ball(sl_context *ctx, const model_row *row, sl_diags *diags, sl_model **out) {
    static const char *const gauges[] = {"top", "bottom"};
    static const double levels[] = {1.5, 0.5};
    static const ball_model ball = {.height = 2.0,
                                    .restitution = 0.8,
                                    .end = 6.0,
                                    .report_step = 0.25,
                                    .gauges = gauges,
                                    .levels = levels,
                                    .n_gauge = 2};
    (void)row, (void)diags;
    return sl_model_from_engine(ctx, &ball_ops, &ball, out);
}

static sl_status build_counter(sl_context *ctx, const model_row *row, sl_diags *diags, sl_model **out) {
    static const char *const ids[] = {"a", "a.b", "a.b.c", "d"};
    static const double step[] = {0.0, 1.0, 2.0, 1.0}, limit[] = {10.0, 4.0, 5.0, 7.0};
    static const counter_model counter = {
        .ids = ids, .step = step, .limit = limit, .n = 4, .end = 200.0, .report_step = 3.0};
    (void)row, (void)diags;
    return sl_model_from_engine(ctx, &counter_ops, &counter, out);
}

/* From text, with files named in it beside the examples. */
static sl_status load_text(sl_context *ctx, const char *text, sl_diags *diags, sl_model **out) {
    sl_source source = {.size = sizeof source, .name = "text", .bytes = text, .n = strlen(text)};
    return sl_model_load(ctx, &source, NULL, diags, out);
}

static sl_status build_text(sl_context *ctx, const model_row *row, sl_diags *diags, sl_model **out) {
    return load_text(ctx, row->source, diags, out);
}

/* An example, by the loader. */
static sl_status build_example(sl_context *ctx, const model_row *row, sl_diags *diags, sl_model **out) {
    char path[1024];
    const sl_source *source = NULL;
    snprintf(path, sizeof path, "%s/examples/%s", SL_TEST_SOURCE_DIR, row->source);
    sl_status status = sl_source_open(ctx, path, diags, &source);
    if (status != SL_OK || !row->more) {
        status = status == SL_OK ? sl_model_load(ctx, source, NULL, diags, out) : status;
        sl_source_close(source);
        return status;
    }
    char *text = malloc(source->n + strlen(row->more) + 1);
    memcpy(text, source->bytes, source->n);
    text[source->n] = '\0';
    char *end = strstr(text, "[END]");
    strcpy(end ? end : text + source->n, row->more);
    status = load_text(ctx, text, diags, out);
    free(text);
    sl_source_close(source);
    return status;
}

/* Transport along hydraulics that were kept. */
static sl_status build_transport(sl_context *ctx, const model_row *row, sl_diags *diags, sl_model **out) {
    sl_eps_def def = sl_eps_default();
    sl_network *net = NULL;
    sl_model *model = NULL;
    sl_session *s = NULL;
    sl_hydraulics *kept = NULL;
    def.hydraulics_only = true;
    sl_status status = sl_inp_read(ctx, row->source, strlen(row->source), NULL, diags, &net);
    status = status == SL_OK ? sl_model_from_network(ctx, net, &def, diags, &model) : status;
    status = status == SL_OK ? sl_session_create(ctx, model, diags, &s) : status;
    status = status == SL_OK ? sl_hydraulics_create(ctx, net, &kept) : status;
    status = status == SL_OK ? sl_session_store_hydraulics(s, kept) : status;
    status = status == SL_OK ? sl_session_advance(s, (double)INFINITY, 0, NULL) : status;
    status = status == SL_OK ? sl_model_from_hydraulics(ctx, net, kept, NULL, diags, out) : status;
    sl_session_destroy(s);
    sl_model_destroy(model);
    sl_hydraulics_destroy(kept);
    sl_network_destroy(net);
    return status;
}

sl_model *model_build(sl_context *ctx, const model_row *row) {
    sl_model *model = NULL;
    sl_diags *diags = NULL;
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_status status = row->build(ctx, row, diags, &model);
    for (int32_t i = 0; status != SL_OK && i < sl_diags_size(diags); i++) {
        print_error("%s: %s\n", row->name, sl_diags_at(diags, i)->text);
    }
    sl_assert_ok(status);
    sl_diags_destroy(diags);
    return model;
}

double model_snap(const sl_session *s, double t) {
    return strcmp(sl_session_time_unit(s), "steps") == 0 ? floor(t) : t;
}

/* ---- The rows ----------------------------------------------------------------------------------- */

static const char carried[] =
    "[JUNCTIONS]\nJ1 10 0.4 D\nJ2 12 0.6 D\nJ3 8 0.5\n[RESERVOIRS]\nR 20\n[TANKS]\nT 60 2 0.5 4 9\n"
    "[PIPES]\nP1 J1 J2 900 200 110\nP2 J2 T 300 200 110\nP3 J1 J3 700 150 110\nP4 J3 J2 500 150 110\n"
    "[PUMPS]\nM R J1 HEAD C\n[CURVES]\nC 6 55\n[PATTERNS]\nD 0.4 1.6 1.0 2.2\nS 1 0.5 0 1.5\n"
    "[CONTROLS]\nLINK M CLOSED IF NODE T ABOVE 3.5\nLINK M OPEN IF NODE T BELOW 1.5\n"
    "[QUALITY]\nJ1 0.3\nR 0.8\nT 0.5\n[SOURCES]\nJ3 MASS 40 S\n[MIXING]\nT 2COMP 0.3\n"
    "[REACTIONS]\nGLOBAL BULK -0.7\nGLOBAL WALL -0.2\n"
    "[TIMES]\nDURATION 12\nHYDRAULIC TIMESTEP 1:00\nQUALITY TIMESTEP 0:05\nPATTERN TIMESTEP 2:00\n"
    "[OPTIONS]\nUNITS LPS\nQUALITY CHLORINE mg/L\n[END]\n";

/* Reaches no rest: counters that carry, and one that follows. */
static const char steps[] = "automaton: steps\ndiscrete: {n: 200, m: {states: 7, start: 2}, b: 2}\ntransitions:\n"
                            "  - {name: count, equation: der(n) = 1, when: n < 199}\n"
                            "  - {name: follow, equation: der(m) = 1, when: 'mod(n, 3) != 0'}\n"
                            "  - {name: flip, equation: der(b) = 1, when: n < 199}\n";

static const char leaks[] =
    "\n[OPTIONS]\nQUALITY Chlorine mg/L\nDEMAND MODEL PDA\nREQUIRED PRESSURE 20\n[REACTIONS]\nGLOBAL BULK -2\n"
    "[EMITTERS]\nA 0.5\nC 2\n[LEAKAGE]\nA_B 10 0.1\nB_C 20 0.2\n[SOURCES]\nC FLOWPACED 0.1\n"
    "[MIXING]\nPLUG FIFO\nSTIRRED LIFO\n";

static const char speeds[] = "[JUNCTIONS]\nA 10 2 D\nB 12 3 D\n[RESERVOIRS]\nR 20\n[TANKS]\nT 60 2 0.5 4 9\n"
                             "[PIPES]\nP1 A B 900 200 110\nP2 B T 300 200 110\n[PUMPS]\nM R A HEAD C PATTERN S\n"
                             "[CURVES]\nC 6 55\n[PATTERNS]\nD 0.4 1.6 1.0 2.2\nS 1 0.9 0 1.1\n"
                             "[TIMES]\nDURATION 12\nPATTERN TIMESTEP 2:00\n[OPTIONS]\nUNITS LPS\n[END]\n";

const model_row model_rows[] = {
    {"ball", build_ball, NULL, NULL, "gravity", {1.62, 24.8}, 6.0},
    {"counter", build_counter, NULL, NULL, "cell.'a.b.c'.step", {3.0, 1.0}, 200.0},
    {"network", build_example, "town.inp", NULL, "pump.'Main'.speed", {0.9, 1.05}, 86400.0},
    {"network with rules", build_example, "hilltown.inp", NULL, NULL, {0.0, 0.0}, 20000.0},
    {"network with a speed pattern", build_text, speeds, NULL, "pump.'M'.speed", {0.9, 1.05}, 43200.0},
    {"network with outlets and quality",
     build_example,
     "quality.inp",
     leaks,
     "node.'C'.wanted",
     {0.001, 0.009},
     43200.0},
    {"transport", build_transport, carried, NULL, "node.'J3'.source", {10.0, 90.0}, 43200.0},
    {"surge", build_example, "surge/trip.yaml", NULL, "pump.'PU'.speed", {0.8, 1.02}, 20.0},
    {"surge with a closing valve", build_example, "surge/closure.yaml", NULL, NULL, {0.0, 0.0}, 10.0},
    {"hybrid", build_example, "automata/thermostat.yaml", NULL, "variable.'T'.value", {19.0, 21.5}, 60.0},
    {"hybrid with several modes", build_example, "automata/two-tanks.yaml", NULL, NULL, {0.0, 0.0}, 100.0},
    {"tunnel", build_example, "tunnel/gates.yaml", NULL, "valve.'side'.rise", {0.5, -0.5}, 60.0},
    {"tunnel with a shaft",
     build_example,
     "tunnel/surge-shaft.yaml",
     NULL,
     "valve.'intake'.rise",
     {0.05, -0.05},
     400.0},
    {"discrete", build_text, steps, NULL, "discrete.'m'.state", {1.0, 5.0}, 190.0},
};
const int32_t n_model_row = sizeof model_rows / sizeof *model_rows;
