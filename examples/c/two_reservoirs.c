/* SPDX-License-Identifier: MIT */
/* two_reservoirs.c: a network built by calls, checked, and written as .inp text.
 *
 *     cc two_reservoirs.c -o two_reservoirs -lsluice && ./two_reservoirs > built.inp
 *
 * Everything is in SI units; the flow unit of the file is chosen at the end.
 */
#include <sluice/sluice.h>

#include <stdio.h>

static sl_status to_stdout(void *user, const void *bytes, size_t n) {
    (void)user;
    return fwrite(bytes, 1, n, stdout) == n ? SL_OK : SL_ERR_IO;
}

static sl_status to_stderr(void *user, const void *bytes, size_t n) {
    (void)user;
    return fwrite(bytes, 1, n, stderr) == n ? SL_OK : SL_ERR_IO;
}

/* Adds report their mistakes to the diagnostics; one look at the end is enough. */
static void describe(sl_spec *spec) {
    static const double day[] = {0.6, 0.5, 0.9, 1.4, 1.2, 1.4};
    sl_pattern_def pattern = sl_pattern_default();
    pattern.id = "day";
    pattern.factor = day;
    pattern.n_factor = 6;
    sl_spec_add_pattern(spec, &pattern);

    sl_reservoir_def lake = sl_reservoir_default();
    lake.id = "LAKE";
    lake.head = 80.0;
    sl_spec_add_reservoir(spec, &lake);
    lake.id = "SPRING";
    lake.head = 74.0;
    sl_spec_add_reservoir(spec, &lake);

    sl_junction_def j = sl_junction_default();
    j.pattern = "day";
    static const char *const ids[] = {"A", "B", "C"};
    for (int i = 0; i < 3; i++) {
        j.id = ids[i];
        j.elevation = 20.0 + 5.0 * i;
        j.demand = 0.006; /* 6 L/s */
        sl_spec_add_junction(spec, &j);
    }

    static const struct {
        const char *id, *from, *to;
        double length, diameter;
    } mains[] = {{"P1", "LAKE", "A", 900, 0.25},
                 {"P2", "A", "B", 400, 0.15},
                 {"P3", "B", "C", 350, 0.15},
                 {"P4", "A", "C", 500, 0.15},
                 {"P5", "C", "SPRING", 700, 0.20}};
    sl_pipe_def pipe = sl_pipe_default();
    for (int i = 0; i < 5; i++) {
        pipe.id = mains[i].id;
        pipe.from = mains[i].from;
        pipe.to = mains[i].to;
        pipe.length = mains[i].length;
        pipe.diameter = mains[i].diameter;
        sl_spec_add_pipe(spec, &pipe);
    }
    sl_spec_add_title(spec, "Two reservoirs and a loop, built by calls");
    sl_spec_times(spec)->duration = 24 * 3600.0;
    sl_spec_times(spec)->pattern_step = 4 * 3600.0;
    sl_spec_set_units(spec, SL_LPS);
}

int main(void) {
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    sl_spec *spec = NULL;
    sl_network *net = NULL;
    sl_sink out = {NULL, to_stdout}, err = {NULL, to_stderr};

    sl_status status = sl_context_create(NULL, &ctx);
    status = status == SL_OK ? sl_diags_create(ctx, &diags) : status;
    status = status == SL_OK ? sl_spec_create(ctx, diags, &spec) : status;
    if (status == SL_OK) {
        describe(spec);
        status = sl_spec_compile(spec, &net);
    }
    if (status == SL_OK) {
        status = sl_inp_write(ctx, net, &out);
    }
    if (diags) {
        sl_diags_render_text(diags, &err, false);
    }
    if (status != SL_OK) {
        fprintf(stderr, "%s\n", sl_status_text(status));
    }
    sl_network_destroy(net);
    sl_spec_destroy(spec);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return status == SL_OK ? 0 : 1;
}
