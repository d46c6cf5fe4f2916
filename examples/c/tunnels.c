/* SPDX-License-Identifier: MIT */
/* tunnels.c: a tunnel that fills and runs dry, by calls.
 *
 *     cc tunnels.c -o tunnels -lsluice -lm && ./tunnels
 *
 * A gate below 4 m of water opens after 5 s; a tunnel of 200 m leads from there to a plant 10 m below. Every ten seconds the program prints
 * the water in the tunnel and the flow at both ends. After 60 s it shuts the gate, as a partner would, and the water drains.
 */
#include <sluice/sluice.h>

#include <stdio.h>

static sl_status to_stderr(void *user, const void *bytes, size_t n) {
    (void)user;
    return fwrite(bytes, 1, n, stderr) == n ? SL_OK : SL_ERR_IO;
}

/* Adds report their mistakes to the diagnostics; one look at the end is enough. */
static sl_status build(sl_context *ctx, sl_diags *diags, sl_model **out) {
    sl_tunnels *t = NULL;
    sl_status status = sl_tunnels_create(ctx, "a tunnel that fills and runs dry", diags, &t);
    sl_tunnels_valve gate = sl_tunnels_valve_default(), plant = gate;
    gate.id = "gate";
    gate.elevation = 10.0;
    gate.outside = SL_TUNNELS_LEVEL;
    gate.level = 14.0;
    plant.id = "plant";
    plant.outside = SL_TUNNELS_OUTFALL;
    sl_tunnels_pipe pipe = sl_tunnels_pipe_default();
    pipe.id = "main";
    pipe.from = "gate";
    pipe.to = "plant";
    pipe.length = 200.0;
    pipe.area = 3.0;
    pipe.friction = sl_tunnels_friction(0.6e-3, 1.95, 5.0);
    sl_tunnels_run run = sl_tunnels_run_default();
    run.end = 100.0;
    if (status == SL_OK) {
        sl_tunnels_add_valve(t, &gate);
        sl_tunnels_add_valve(t, &plant);
        sl_tunnels_add_pipe(t, &pipe);
        sl_tunnels_move_gate(t, "gate", 0.0, false);
        sl_tunnels_move_gate(t, "gate", 5.0, true);
        status = sl_model_of_tunnels(ctx, t, &run, diags, out);
    }
    sl_tunnels_destroy(t);
    return status;
}

static sl_status move(sl_session *s) {
    static const char *const names[] = {"end.'main.from'.volume", "end.'main.to'.volume", "end.'main.from'.flow",
                                        "end.'main.to'.flow", "valve.'gate'.gate"};
    enum { N = sizeof names / sizeof *names };
    sl_var vars[N];
    double x[N], shut = 0.0;
    sl_status status = SL_OK;
    for (int k = 0; k < N && status == SL_OK; k++) {
        status = sl_session_find(s, names[k], &vars[k]);
    }
    for (double t = 0.0; t <= 100.0 && status == SL_OK; t += 10.0) {
        status = sl_session_advance(s, t, 0, NULL);
        status = status == SL_OK ? sl_session_get(s, vars, N, x) : status;
        if (status == SL_OK) {
            printf("%5.0f s  %7.2f m3  %6.2f m3/s in  %6.2f m3/s out  gate %s\n", t, x[0] + x[1], x[2], x[3],
                   x[4] > 0.0 ? "open" : "shut");
        }
        if (status == SL_OK && t == 60.0) {
            status = sl_session_set(s, &vars[4], 1, &shut);
        }
    }
    return status;
}

int main(void) {
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    sl_model *model = NULL;
    sl_session *s = NULL;
    sl_status status = sl_context_create(NULL, &ctx);
    status = status == SL_OK ? sl_diags_create(ctx, &diags) : status;
    status = status == SL_OK ? build(ctx, diags, &model) : status;
    status = status == SL_OK ? sl_session_create(ctx, model, diags, &s) : status;
    status = status == SL_OK ? move(s) : status;
    if (status != SL_OK) {
        const sl_sink err = {NULL, to_stderr};
        if (diags) {
            sl_diags_render_text(diags, &err, false);
        }
        fprintf(stderr, "%s\n", sl_status_text(status));
    }
    sl_session_destroy(s);
    sl_model_destroy(model);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return status == SL_OK ? 0 : 1;
}
