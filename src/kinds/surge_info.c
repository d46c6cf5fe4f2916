/* SPDX-License-Identifier: MIT */
/* surge_info.c: what `check` and `info` say of a surge study: what it is, and the grid it will run on. */
#include <math.h>
#include <stdlib.h>

#include "base/count_text.h"
#include "base/memory.h"
#include "kinds/rows.h"
#include "results/surge.h"

enum { SHOWN_PIPES = 20 };

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

static sl_status put_page(sl_out *out, const sl_surge_outcome *r) {
    const sl_surge_grid *g = &r->grid;
    const sl_study *study = r->study;
    static const char *const by[] = {"as given",
                                     "by the reaches asked for in ",
                                     "by twenty reaches in the median pipe ",
                                     "by the shortest pipe ",
                                     "by ten steps in the fastest event",
                                     "by the cost; the median pipe is "};
    const sl_surge_def *d = &study->def;
    char size[SL_PLURAL_MAX];
    sl_out_printf(out, "%s%s%s\n\n", r->name, study->title ? ": " : "", study->title ? study->title : "");
    sl_out_printf(out, "  Network       %s\n", study->network);
    sl_out_printf(out, "  Surge         %g s from the steady state at %g h on\n", d->duration, d->start / 3600.0);
    sl_out_printf(out, "  Models        friction %s, cavitation %s\n", sl_surge_friction_word(d->friction),
                  sl_surge_cavitation_word(d->cavitation));
    sl_out_printf(out, "  Events        %d, with %d triggers\n", (int)d->n_event, (int)d->n_trigger);
    sl_out_printf(out, "  Time step     %.6g s, %lld of them, %s%s\n", g->dt, (long long)g->n_step, by[g->step_by],
                  g->step_pipe >= 0 ? sl_network_link_id(r->net, g->step_pipe) : "");
    sl_out_printf(out, "  Points        %lld, %s, about %.2g s to run\n", (long long)g->n_point,
                  sl_size_text(g->state_bytes, size), g->seconds);
    sl_out_printf(out, "  Rigid pipes   %d of %d\n", (int)g->n_rigid, (int)g->n_pipe);
    sl_out_printf(out, "  Steady start  laws matched to the network's solution, which differed by %.2g m\n",
                  g->residual);
    return put_pipes(out, r);
}

/* ---- Functions of the row ----------------------------------------------------------------------- */

static const sl_study *study_of(const sl_model *model) {
    return ((const sl_surge_origin *)sl_model_origin(model))->study;
}

sl_status sl_surge_study_check(const sl_load *load, sl_kind_facts *facts) {
    sl_model *model = NULL;
    sl_load strict = *load;
    strict.tolerant = false;
    sl_status status = sl_kind_load(&sl_kind_surge, &strict, &model);
    if (status == SL_OK) {
        const sl_study *study = study_of(model);
        (void)sl_format(facts->brief, sizeof facts->brief, "surge, %g s, %s", study->def.duration, study->network);
    }
    sl_model_destroy(model);
    return status;
}

sl_status sl_surge_study_info(const sl_load *load, sl_out *out, sl_json *json) {
    sl_model *model = NULL;
    sl_surge_outcome r;
    sl_status status = sl_kind_load(&sl_kind_surge, load, &model);
    status = status == SL_OK ? sl_surge_outcome_init(&r, load->ctx, load->source->name, study_of(model), model, NULL)
                             : status;
    if (status == SL_OK && out) {
        status = put_page(out, &r);
    } else if (status == SL_OK) {
        sl_surge_json_grid_members(&r, json);
    }
    sl_model_destroy(model);
    return status;
}
