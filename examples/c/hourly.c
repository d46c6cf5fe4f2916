/* SPDX-License-Identifier: MIT */
/* hourly.c: a network through the day, hour by hour, with a hand on the pump.
 *
 *     cc hourly.c -o hourly -lsluice && ./hourly town.inp
 *
 * Reads the file, advances a session from hour to hour, shows the lowest pressure and a tank's level, runs the pump
 * slower in the evening, and asks at the end for the past. Values are SI: pressures in metres of water, speeds relative.
 */
#include <sluice/sluice.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static sl_status to_stderr(void *user, const void *bytes, size_t n) {
    (void)user;
    return fwrite(bytes, 1, n, stderr) == n ? SL_OK : SL_ERR_IO;
}

/* The library opens no files: it takes bytes. */
static char *read_file(const char *path, size_t *n) {
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    *n = 0;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        rewind(file);
        bytes = size > 0 ? malloc((size_t)size) : NULL;
        *n = bytes ? fread(bytes, 1, (size_t)size, file) : 0;
    }
    if (file) {
        fclose(file);
    }
    return bytes;
}

static double least(const double *x, int n) {
    double min = (double)INFINITY;
    for (int i = 0; i < n; i++) {
        min = x[i] < min ? x[i] : min;
    }
    return min;
}

/* Hour by hour to the end; the pump runs slower from 18:00 to 22:00. */
static sl_status run_day(const sl_network *net, sl_session *s) {
    static const char *const kept[] = {"node.pressure"};
    sl_var level, speed;
    sl_status status = sl_session_find(s, "tank.'Hill'.level", &level);
    status = status == SL_OK ? sl_session_find(s, "pump.'Main'.speed", &speed) : status;
    status = status == SL_OK ? sl_session_record(s, kept, 1) : status;
    int32_t pressure = sl_session_field(s, "node.pressure");
    sl_step step = {.size = sizeof step, .reason = SL_REASON_TARGET};
    for (int hour = 0; status == SL_OK && step.reason != SL_REASON_END; hour++) {
        status = sl_session_advance(s, hour * 3600.0, 0, &step);
        if (status == SL_OK && (hour == 18 || hour == 22)) { /* acts from this moment on */
            double value = hour == 18 ? 0.9 : 1.0;
            status = sl_session_set(s, &speed, 1, &value);
        }
        double h = (double)NAN;
        int32_t n = 0;
        const double *p = sl_session_view(s, pressure, &n);
        if (status == SL_OK && p && sl_session_get(s, &level, 1, &h) == SL_OK) {
            printf("%2.0f:00  lowest pressure %6.2f m  level %5.2f m\n", step.time / 3600.0, least(p, net->n_junction),
                   h);
        }
    }
    double noon = (double)NAN;
    sl_var v;
    if (status == SL_OK && sl_session_find(s, "node.'L3'.pressure", &v) == SL_OK &&
        sl_session_past(s, v, 12 * 3600.0, &noon) == SL_OK) {
        printf("pressure at L3 was %.2f m at noon\n", noon);
    }
    return status;
}

int main(int argc, char **argv) {
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    sl_network *net = NULL;
    sl_model *model = NULL;
    sl_session *session = NULL;
    sl_sink err = {NULL, to_stderr};
    size_t n = 0;
    char *bytes = argc > 1 ? read_file(argv[1], &n) : NULL;
    if (!bytes) {
        fprintf(stderr, "usage: hourly town.inp\n");
        return 1;
    }
    sl_inp_read_def def = sl_inp_read_default();
    def.name = argv[1];
    sl_status status = sl_context_create(NULL, &ctx);
    status = status == SL_OK ? sl_diags_create(ctx, &diags) : status;
    status = status == SL_OK ? sl_inp_read(ctx, bytes, n, &def, diags, &net) : status;
    status = status == SL_OK ? sl_model_from_network(ctx, net, NULL, diags, &model) : status;
    status = status == SL_OK ? sl_session_create(ctx, model, diags, &session) : status;
    status = status == SL_OK ? run_day(net, session) : status;
    if (diags) {
        sl_diags_render_text(diags, &err, false);
    }
    if (session) { /* what was said on the way, with times */
        sl_diags_render_text(sl_session_diags(session), &err, false);
    }
    if (status != SL_OK) {
        fprintf(stderr, "%s\n", sl_status_text(status));
    }
    sl_session_destroy(session);
    sl_model_destroy(model);
    sl_network_destroy(net);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    free(bytes);
    return status == SL_OK ? 0 : 1;
}
