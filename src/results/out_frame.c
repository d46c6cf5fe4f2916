/* SPDX-License-Identifier: MIT */
/* out_frame.c: the numbers of one period of a .out file.
 *
 * Engines give SI in the network's order (by kind); the file has its own units and EPANET's order. EPANET's conventions,
 * checked against its files: head loss is per 1000 units of length for a pipe, the whole for a valve, both without sign,
 * and H_from - H_to for a pump; 0 where a link is closed. Velocity has no sign, a pump has none. A pipe's setting is its
 * roughness (for Darcy-Weisbach in feet, whatever the units are), a closed or fixed valve's is 0.
 *
 * A long run writes far more numbers than it computes, so they go from the engine's arrays into the block that the sink
 * gets in one pass, run by run (sl_out_run), in loops that the compiler turns into vector code. What a float cannot hold
 * is found by looking at the floats, and made 0 in a second pass that is hardly ever needed.
 */
#include "base/out.h"
#include "numeric/vecmath.h"
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

const struct sl_out_wanted sl_out_wanted[SL_OUT_VARIABLE_COUNT] = {
    [SL_OUT_DEMAND] = {"node", "demand", true},      [SL_OUT_HEAD] = {"node", "head", true},
    [SL_OUT_PRESSURE] = {"node", "pressure", true},  [SL_OUT_QUALITY] = {"node", "quality", false},
    [SL_OUT_FLOW] = {"link", "flow", true},          [SL_OUT_VELOCITY] = {"link", "velocity", true},
    [SL_OUT_HEADLOSS] = {"link", "headloss", true},  [SL_OUT_LINK_QUALITY] = {"link", "quality", false},
    [SL_OUT_STATUS] = {"link", "status", true},      [SL_OUT_SETTING] = {"link", "setting", true},
    [SL_OUT_REACTION] = {"link", "reaction", false}, [SL_OUT_FRICTION] = {"link", "friction", true},
};

/* ---- Numbers of a run --------------------------------------------------------------------------- */

SL_SIMD(void, multiply, (const double *restrict x, int32_t n, double by, float *restrict to), (x, n, by, to)) {
#pragma omp simd
    for (int32_t i = 0; i < n; i++) {
        to[i] = (float)(x[i] * by);
    }
}

SL_SIMD(void, multiply_size, (const double *restrict x, int32_t n, double by, float *restrict to), (x, n, by, to)) {
#pragma omp simd
    for (int32_t i = 0; i < n; i++) {
        to[i] = (float)(fabs(x[i]) * by);
    }
}

static void scale(const double *x, int32_t n, double unit, float *to) {
    multiply(x, n, 1.0 / unit, to);
}

static void put_plain(const writing *p, sl_out_variable v, sl_out_run r, float *to) {
    scale(p->data[v] + r.first, r.n, 1.0, to);
}

static void put_flow(const writing *p, sl_out_variable v, sl_out_run r, float *to) {
    scale(p->data[v] + r.first, r.n, p->w->factor[SL_Q_FLOW], to);
}

static void put_length(const writing *p, sl_out_variable v, sl_out_run r, float *to) {
    scale(p->data[v] + r.first, r.n, p->w->factor[SL_Q_LENGTH], to);
}

static void put_pressure(const writing *p, sl_out_variable v, sl_out_run r, float *to) {
    scale(p->data[v] + r.first, r.n, p->w->factor[SL_Q_PRESSURE], to);
}

static void put_reaction(const writing *p, sl_out_variable v, sl_out_run r, float *to) {
    scale(p->data[v] + r.first, r.n, p->w->factor[SL_Q_PER_DAY], to);
}

static bool is_pump(const sl_network *net, int32_t link) {
    return link >= net->n_pipe && link < net->n_pipe + net->n_pump;
}

static void put_velocity(const writing *p, sl_out_variable v, sl_out_run r, float *to) {
    if (is_pump(p->net, r.first)) {
        memset(to, 0, (size_t)r.n * sizeof *to);
        return;
    }
    multiply_size(p->data[v] + r.first, r.n, 1.0 / p->w->factor[SL_Q_LENGTH], to);
}

/* Per 1000 units of length. */
SL_SIMD(void, slopes,
        (int32_t n, const double *restrict x, const double *restrict status, const double *restrict length,
         float *restrict to),
        (n, x, status, length, to)) {
    const double closed = SL_STATUS_CLOSED;
#pragma omp simd
    for (int32_t i = 0; i < n; i++) {
        double slope = 1000.0 * fabs(x[i]) / length[i];
        to[i] = status[i] <= closed ? 0.0f : (float)slope;
    }
}

static void put_headloss(const writing *p, sl_out_variable v, sl_out_run r, float *to) {
    const double *restrict x = p->data[v] + r.first, *restrict status = p->data[SL_OUT_STATUS] + r.first;
    float *restrict at = to;
    const double closed = SL_STATUS_CLOSED;
    if (r.first < p->net->n_pipe) {
        slopes(r.n, x, status, p->net->pipe_length + r.first, to);
        return;
    }
    bool pump = is_pump(p->net, r.first);
    double unit = p->w->factor[SL_Q_LENGTH];
    for (int32_t i = 0; i < r.n; i++) {
        at[i] = status[i] <= closed ? 0.0f : (float)((pump ? x[i] : fabs(x[i])) / unit);
    }
}

SL_SIMD(void, roughnesses,
        (int32_t n, const double *restrict x, const double *restrict of_network, double by, float *restrict to),
        (n, x, of_network, by, to)) {
#pragma omp simd
    for (int32_t i = 0; i < n; i++) {
        double known = x[i] != x[i] ? of_network[i] : x[i];
        to[i] = (float)(known * by);
    }
}

static void put_setting(const writing *p, sl_out_variable v, sl_out_run r, float *to) {
    const sl_network *net = p->net;
    const double *restrict x = p->data[v] + r.first;
    float *restrict at = to;
    if (r.first < net->n_pipe) {
        double unit = net->hydraulics.headloss == SL_DARCY_WEISBACH ? SL_EPANET_FOOT : 1.0;
        roughnesses(r.n, x, net->pipe_roughness + r.first, 1.0 / unit, to);
        return;
    }
    const uint8_t *kind = is_pump(net, r.first) ? NULL : net->valve_kind + (r.first - net->n_pipe - net->n_pump);
    for (int32_t i = 0; i < r.n; i++) {
        double unit = kind ? p->w->factor[sl_valve_setting_quantity((sl_valve_kind)kind[i])] : 1.0;
        at[i] = (float)((isnan(x[i]) ? 0.0 : x[i]) / unit);
    }
}

static void (*const put[SL_OUT_VARIABLE_COUNT])(const writing *p, sl_out_variable v, sl_out_run r, float *to) = {
    [SL_OUT_DEMAND] = put_flow,       [SL_OUT_HEAD] = put_length,        [SL_OUT_PRESSURE] = put_pressure,
    [SL_OUT_QUALITY] = put_plain,     [SL_OUT_FLOW] = put_flow,          [SL_OUT_VELOCITY] = put_velocity,
    [SL_OUT_HEADLOSS] = put_headloss, [SL_OUT_LINK_QUALITY] = put_plain, [SL_OUT_STATUS] = put_plain,
    [SL_OUT_SETTING] = put_setting,   [SL_OUT_REACTION] = put_reaction,  [SL_OUT_FRICTION] = put_plain,
};

/* ---- What is no number -------------------------------------------------------------------------- */

SL_SIMD(bool, all_finite, (const float *x, int32_t n), (x, n)) {
    int bad = 0;
#pragma omp simd reduction(| : bad)
    for (int32_t i = 0; i < n; i++) {
        bad |= !(fabsf(x[i]) <= FLT_MAX);
    }
    return !bad;
}

static void report_not_finite(const writing *p, sl_out_variable v, int32_t element) {
    if (p->w->said_not_finite) {
        return;
    }
    p->w->said_not_finite = true;
    char text[128];
    sl_format(text, sizeof text, "%s is not a number here; .out files have 0 instead", sl_out_wanted[v].name);
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
        put[v](p, v, piece, to);
        if (!all_finite(to, piece.n)) {
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
    enum { PIECE = 4096 }; /* small enough to stay in the cache from one pass to the next */
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
