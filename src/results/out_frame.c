/* SPDX-License-Identifier: MIT */
/* out_frame.c: the numbers of one period of a .out file: values as results have them (network_values.h) in 4-byte floats, in EPANET's
 * order.
 *
 * They go from the engine's arrays into the block that the sink gets run by run (sl_out_run), a piece at a time that stays in the
 * cache. What a float cannot hold is found by looking at the floats, and made 0 in a second pass that is hardly ever needed.
 */
#include "base/out.h"
#include "numeric/vecmath.h"
#include "results/columns.h"
#include "results/out_write_impl.h"

/* One frame on its way into the file. */
typedef struct writing {
    sl_out_writer *w;
    const sl_network *net;
    const double *const *data; /* by variable; NULL: the engine does not have it */
    double time;               /* [s] */
    float *period;             /* where it goes; NULL: into the file */
    sl_diags *diags;
} writing;

/* ---- Numbers of a run --------------------------------------------------------------------------- */

/* False: there is one that a float cannot hold. */
SL_SIMD(bool, round_to_float, (const double *restrict x, int32_t n, float *restrict to), (x, n, to)) {
    int bad = 0;
#pragma omp simd reduction(| : bad)
    for (int32_t i = 0; i < n; i++) {
        float y = (float)x[i];
        to[i] = y;
        bad |= !(fabsf(y) <= FLT_MAX);
    }
    return !bad;
}

enum { PIECE = 2048 }; /* small enough to stay in the cache from one pass to the next */

static bool put_run(const writing *p, sl_out_variable v, sl_out_run r, float *to) {
    double x[PIECE];
    sl_network_values_show(&p->w->values, v, p->data[v], p->data[SL_OUT_STATUS], r.first, r.n, x);
    return round_to_float(x, r.n, to);
}

/* ---- What is no number -------------------------------------------------------------------------- */

static void report_not_finite(const writing *p, sl_out_variable v, int32_t element) {
    if (p->w->said_not_finite) {
        return;
    }
    p->w->said_not_finite = true;
    char text[128];
    sl_format(text, sizeof text, "%s is not a number here; .out files have 0 instead",
              strchr(sl_run_columns[v], '.') + 1);
    const sl_network *net = p->net;
    sl_diags_add(p->diags, &(sl_diag){.size = sizeof(sl_diag),
                                      .severity = SL_WARNING,
                                      .code = SL_CODE_NOT_FINITE,
                                      .text = text,
                                      .hint = "further such values are not reported",
                                      .object_kind = v < SL_OUT_FLOW ? "node" : "link",
                                      .object_id = v < SL_OUT_FLOW ? sl_network_node_id(net, element)
                                                                   : sl_network_link_id(net, element),
                                      .time = p->time});
}

static void mend(const writing *p, sl_out_variable v, sl_out_run r, float *to) {
    for (int32_t i = 0; i < r.n; i++) {
        if (!(fabsf(to[i]) <= FLT_MAX)) {
            report_not_finite(p, v, r.first + i);
            to[i] = 0.0f;
        }
    }
}

/* ---- The frame ---------------------------------------------------------------------------------- */

static void put_piece(writing *p, sl_out_variable v, sl_out_run piece) {
    size_t size = (size_t)piece.n * sizeof(float);
    float *to = p->period ? p->period : sl_out_reserve(p->w, size);
    if (p->data[v]) {
        if (!put_run(p, v, piece, to)) {
            mend(p, v, piece, to);
        }
    } else {
        memset(to, 0, size);
    }
    if (p->period) {
        p->period += piece.n;
    } else {
        sl_outfile_fix_words(to, (size_t)piece.n);
    }
}

void sl_out_put_frame(sl_out_writer *w, const sl_result_frame *frame, sl_diags *diags) {
    const double *data[SL_OUT_VARIABLE_COUNT];
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
        data[v] = w->slot[v] >= 0 ? frame->data[w->slot[v]] : NULL;
    }
    if (!data[SL_OUT_QUALITY] && w->net->quality.kind == SL_QUALITY_NONE) {
        data[SL_OUT_QUALITY] = w->net->node_quality; /* as in EPANET's files */
    }
    writing p = {.w = w, .net = w->net, .data = data, .time = frame->time, .period = w->period, .diags = diags};
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
        const sl_out_order *order = v < SL_OUT_FLOW ? &w->nodes : &w->links;
        for (int32_t k = 0; k < order->n; k++) {
            sl_out_run left = order->at[k];
            while (left.n > 0) {
                int32_t n = left.n < PIECE ? left.n : PIECE;
                put_piece(&p, (sl_out_variable)v, (sl_out_run){left.first, n});
                left = (sl_out_run){left.first + n, left.n - n};
            }
        }
    }
}
