/* SPDX-License-Identifier: MIT */
/* A program of somebody else, in what C17 and C++17 share: a network (hydraulics), a pressure wave in it, and an automaton
 * from YAML (libfyaml, IDA, KLU), so that a link line which lacks one of the dependencies fails. */
#include <math.h>
#include <sluice/sluice.h>
#include <stdio.h>
#include <string.h>

static const char town[] = "[JUNCTIONS]\nJ1 10 5\n[RESERVOIRS]\nR1 50\n[PIPES]\nP1 R1 J1 1000 200 130\n"
                           "[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 2\n[END]\n";
static const char cooling[] = "automaton: cooling\ncontinuous: {T: 30}\n"
                              "activities: [{equation: der(T) = 10 - T}]\nrun: {end: 1}\n";

static int fail(const char *what) {
    (void)fprintf(stderr, "%s failed\n", what);
    return 1;
}

static double advanced(sl_context *ctx, const sl_model *model, const char *name) {
    sl_session *session = NULL;
    sl_var var;
    double x = NAN;
    if (sl_session_create(ctx, model, NULL, &session) == SL_OK && sl_session_find(session, name, &var) == SL_OK &&
        sl_session_advance(session, 1.0, 0, NULL) == SL_OK) {
        (void)sl_session_get(session, &var, 1, &x);
    }
    sl_session_destroy(session);
    return x;
}

int main(void) {
    sl_context *ctx = NULL;
    sl_network *net = NULL;
    sl_model *day = NULL, *wave = NULL, *automaton = NULL;
    sl_surge_def def = sl_surge_default();
    def.duration = 1.0;
    if (sl_context_create(NULL, &ctx) != SL_OK || sl_inp_read(ctx, town, strlen(town), NULL, NULL, &net) != SL_OK) {
        return fail("the network");
    }
    if (sl_model_from_network(ctx, net, NULL, NULL, &day) != SL_OK ||
        sl_model_from_surge(ctx, net, &def, NULL, &wave) != SL_OK ||
        sl_model_from_automaton(ctx, cooling, strlen(cooling), "cooling", NULL, &automaton) != SL_OK) {
        return fail("a model");
    }
    double T = advanced(ctx, automaton, "variable.'T'.value");
    if (!(fabs(T - (10.0 + 20.0 * exp(-1.0))) < 1e-3)) {
        return fail("the automaton");
    }
    printf("sluice %s: %.3f m, %.3f m\n", sl_version(), advanced(ctx, day, "node.'J1'.pressure"),
           advanced(ctx, wave, "node.'J1'.pressure"));
    sl_model_destroy(automaton);
    sl_model_destroy(wave);
    sl_model_destroy(day);
    sl_network_destroy(net);
    sl_context_destroy(ctx);
    return 0;
}
