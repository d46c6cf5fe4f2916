/* SPDX-License-Identifier: MIT */
/* surge_show.c: `sluice check` and `sluice info` of a surge study: what is wrong with it, and the grid it will run on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/surge_job.h"

enum { SHOWN_PIPES = 20 };

int sl_surge_check_study(sl_cli *cli, const char *path, bool json, bool strict, bool quiet, bool all) {
    sl_surge_job j = {.cli = cli, .path = path};
    int code = sl_surge_job_read(&j, -1);
    code = code == SL_EXIT_FINE ? sl_surge_job_model(&j) : code;
    if (code >= SL_EXIT_SIGNAL) {
        sl_surge_job_close(&j);
        return code;
    }
    sl_surge_job_show(&j, &(sl_show_options){.json = json, .errors_only = quiet && !strict, .all = all});
    int64_t errors = sl_surge_job_count(&j, SL_ERROR), warnings = sl_surge_job_count(&j, SL_WARNING);
    if (!quiet) {
        char tally[SL_TALLY_MAX], line[2 * SL_TALLY_MAX];
        if (code == SL_EXIT_FINE) {
            snprintf(line, sizeof line, "%s (surge, %g s, %s)", warnings > 0 ? sl_tally(0, warnings, tally) : "fine",
                     j.study->def.duration, j.study->network);
        } else {
            snprintf(line, sizeof line, "%s",
                     code == SL_EXIT_WORLD ? "cannot be read" : sl_tally(errors > 0 ? errors : 1, warnings, tally));
        }
        if (json) {
            (void)dprintf(STDERR_FILENO, "%s: %s\n", path, line);
        } else {
            sl_out_printf(&cli->out, "%s: %s\n", path, line);
        }
    }
    sl_surge_job_close(&j);
    return code == SL_EXIT_FINE && strict && warnings > 0 ? SL_EXIT_WARNINGS : code;
}

/* ---- The grid ----------------------------------------------------------------------------------- */

typedef struct ranked {
    double change;
    int32_t pipe;
} ranked;

static int by_change(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    return x->change != y->change ? (x->change < y->change) - (x->change > y->change) : x->pipe - y->pipe;
}

static void put_pipe(sl_out *out, const sl_surge_outcome *r, int32_t i) {
    const sl_surge_pipe *p = &r->grid.pipes[i];
    double l = r->shown.length.factor;
    sl_out_printf(out, "  %s", sl_network_link_id(r->net, i));
    sl_out_pad(out, 18, 2);
    sl_out_printf(out, "%10.5g %10.5g %10.5g %+8.2f %%", p->length / l, p->wave_speed / l, p->wave_speed_used / l,
                  100.0 * p->distortion);
    if (p->rigid) {
        sl_out_z(out, "   rigid\n");
    } else {
        sl_out_printf(out, " %7d %9.4g %7.3f %9.2g\n", (int)p->n_reach, p->reach / l, p->courant, p->resistance);
    }
}

static sl_status put_pipes(sl_out *out, const sl_surge_outcome *r) {
    int32_t n = r->grid.n_pipe;
    ranked *all = n > 0 ? sl_alloc(r->ctx, (size_t)n * sizeof *all) : NULL;
    if (n > 0 && !all) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < n; i++) {
        all[i] = (ranked){fabs(r->grid.pipes[i].distortion), i};
    }
    if (n > 0) {
        qsort(all, (size_t)n, sizeof *all, by_change);
    }
    sl_out_printf(
        out, "\n  Pipe                length       wave       used     change reaches     reach courant friction\n");
    sl_out_printf(out, "                      [%s]      [%s/s]      [%s/s]                        [%s]\n",
                  r->shown.length.name, r->shown.length.name, r->shown.length.name, r->shown.length.name);
    for (int32_t k = 0; k < n && k < SHOWN_PIPES; k++) {
        put_pipe(out, r, all[k].pipe);
    }
    if (n > SHOWN_PIPES) {
        sl_out_printf(out, "  and %d more, whose wave speeds change less (--json has all)\n", (int)(n - SHOWN_PIPES));
    }
    sl_free(r->ctx, all, (size_t)n * sizeof *all);
    return SL_OK;
}

static sl_status put_page(sl_cli *cli, const sl_surge_job *j, const sl_surge_outcome *r) {
    sl_out *out = &cli->out;
    const sl_surge_grid *g = &r->grid;
    const sl_surge_def *d = &j->study->def;
    char size[SL_PLURAL_MAX];
    sl_out_printf(out, "%s%s%s\n\n", j->path, j->study->title ? ": " : "", j->study->title ? j->study->title : "");
    sl_out_printf(out, "  Network       %s\n", j->study->network);
    sl_out_printf(out, "  Surge         %g s from the steady state at %g h on\n", d->duration, d->start / 3600.0);
    sl_out_printf(out, "  Models        friction %s, cavitation %s\n", sl_surge_friction_word(d->friction),
                  sl_surge_cavitation_word(d->cavitation));
    sl_out_printf(out, "  Events        %d, with %d triggers\n", (int)d->n_event, (int)d->n_trigger);
    sl_out_printf(out, "  Time step     %.6g s, %lld of them\n", g->dt, (long long)g->n_step);
    sl_out_printf(out, "  Points        %lld, %s, about %.2g s to run\n", (long long)g->n_point,
                  sl_size_text(g->state_bytes, size), g->seconds);
    sl_out_printf(out, "  Rigid pipes   %d of %d\n", (int)g->n_rigid, (int)g->n_pipe);
    sl_out_printf(out, "  Steady start  laws matched to the network's solution, which differed by %.2g m\n",
                  g->residual);
    return put_pipes(out, r);
}

int sl_surge_info_study(sl_cli *cli, const char *path, bool json, bool strict) {
    sl_surge_job j = {.cli = cli, .path = path};
    sl_surge_outcome r;
    int code = sl_surge_job_read(&j, -1);
    code = code == SL_EXIT_FINE ? sl_surge_job_model(&j) : code;
    if (code == SL_EXIT_FINE) {
        code = sl_exit_of(cli, sl_surge_outcome_init(&r, cli->ctx, path, j.study, j.model, NULL, NULL));
    }
    if (code < SL_EXIT_SIGNAL) {
        sl_surge_job_show(&j, &(sl_show_options){.errors_only = true});
    }
    if (code == SL_EXIT_FINE && json) {
        sl_json w;
        sl_json_init(&w, &cli->out, 2);
        sl_surge_json_grid(&r, &w);
        sl_out_char(&cli->out, '\n');
    } else if (code == SL_EXIT_FINE) {
        code = sl_exit_of(cli, put_page(cli, &j, &r));
    }
    bool warned = sl_surge_job_count(&j, SL_WARNING) > 0;
    sl_surge_job_close(&j);
    return code == SL_EXIT_FINE && strict && warned ? SL_EXIT_WARNINGS : code;
}
