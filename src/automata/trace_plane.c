/* SPDX-License-Identifier: MIT */
/* trace_plane.c: the phase plane at a moment: which part of it, where roots are zero and conditions hold, where motion leads.
 *
 * Two variables move over the plane; all others, and the mode, are as they are at the moment. Where the sign of a root or the
 * truth of a condition changes along a line of the grid, the place is found by halving: curves are smooth although the grid is
 * coarse, and conditions need not be continuous. Directions are the derivatives that the equations of the mode have there,
 * with algebraic variables solved for.
 */
#include "automata/trace_impl.h"

#include <math.h>

#include "base/context.h"
#include "base/out.h"
#include "base/report.h"

enum { N = SL_TRACE_CELLS, HALVINGS = 24 };

/* ---- The box ------------------------------------------------------------------------------------ */

static void find_box(sl_tracer *r) {
    sl_trace *out = r->out;
    sl_trace_plane *p = &out->plane;
    static const double margin = 0.08;
    for (int k = 0; k < 2; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t i = 0; i < out->n_point; i++) {
            double x = out->x[i * out->n_x + k];
            low = isfinite(x) ? fmin(low, x) : low;
            high = isfinite(x) ? fmax(high, x) : high;
        }
        double size = fmax(fabs(low), fabs(high)), room = margin * (high - low);
        room = high - low > 1e-9 * size ? room : size > 0.0 ? 0.5 * size : 1.0;
        p->low[k] = isnan(r->def->low) ? low - room : r->def->low;
        p->high[k] = isnan(r->def->high) ? high + room : r->def->high;
        if (!(p->low[k] < p->high[k])) { /* one end was asked for, and lies beyond the other */
            p->low[k] = isnan(r->def->low) ? p->high[k] - 1.0 : p->low[k];
            p->high[k] = p->low[k] + 1.0;
        }
    }
    double span[2] = {p->high[0] - p->low[0], p->high[1] - p->low[1]}, most = fmax(span[0], span[1]);
    for (int k = 0; k < 2 && r->def->equal; k++) {
        double middle = 0.5 * (p->low[k] + p->high[k]);
        p->low[k] = middle - 0.5 * most;
        p->high[k] = middle + 0.5 * most;
    }
}

/* ---- Levels ------------------------------------------------------------------------------------- */

typedef struct function {
    const sl_tracer *r;
    sl_tape *tape;
    void *work;
    double *x; /* [variables of the graph] */
    int32_t moving[2];
    bool is_root;
} function;

static bool is_inside(const function *f, double x, double y) {
    double value = 0.0;
    f->x[f->moving[0]] = x;
    f->x[f->moving[1]] = y;
    sl_expr_point at = {.t = f->r->out->plane.time, .x = {f->x}, .p = f->r->a->parameters.at};
    sl_tape_eval(f->tape, &at, f->work, &value);
    return f->is_root ? value > 0.0 : value != 0.0 && !isnan(value);
}

/* Where between two points the answer changes. */
static float crossing(const function *f, const double a[2], const double b[2], bool inside_a) {
    double low = 0.0, high = 1.0;
    for (int i = 0; i < HALVINGS; i++) {
        double s = 0.5 * (low + high);
        bool inside = is_inside(f, a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]));
        *(inside == inside_a ? &low : &high) = s;
    }
    return (float)(0.5 * (low + high));
}

/* Returns how many edges are crossed. */
static int64_t fill_level(const function *f, sl_trace_level *l) {
    const sl_trace_plane *p = &f->r->out->plane;
    double step[2] = {(p->high[0] - p->low[0]) / N, (p->high[1] - p->low[1]) / N};
    int64_t n = 0;
    for (int j = 0; j <= N; j++) {
        for (int i = 0; i <= N; i++) {
            l->inside[j * (N + 1) + i] = is_inside(f, p->low[0] + i * step[0], p->low[1] + j * step[1]);
        }
    }
    for (int j = 0; j <= N; j++) {
        for (int i = 0; i <= N; i++) {
            double a[2] = {p->low[0] + i * step[0], p->low[1] + j * step[1]};
            double right[2] = {a[0] + step[0], a[1]}, above[2] = {a[0], a[1] + step[1]};
            const uint8_t *in = &l->inside[j * (N + 1) + i];
            if (i < N) {
                bool is = in[0] != in[1];
                l->across[j * N + i] = is ? crossing(f, a, right, in[0]) : NAN;
                n += is;
            }
            if (j < N) {
                bool is = in[0] != in[N + 1];
                l->up[j * (N + 1) + i] = is ? crossing(f, a, above, in[0]) : NAN;
                n += is;
            }
        }
    }
    return n;
}

/* Whether an expression holds derivatives, which have no value in the plane, and whether it holds the plane's variables. */
static sl_status look_at(const sl_tracer *r, sl_expr e, bool *derivatives, bool *moves) {
    sl_exprs *g = r->g;
    sl_expr_list leaves = {0};
    sl_status status = sl_expr_leaves(g, 1, &e, &leaves);
    *derivatives = *moves = false;
    for (int64_t k = 0; k < leaves.n && status == SL_OK; k++) {
        if (sl_expr_op(g, leaves.at[k]) == SL_OP_VARIABLE) {
            int32_t symbol = sl_expr_symbol(g, leaves.at[k]);
            *derivatives = *derivatives || sl_expr_order(g, leaves.at[k]) > 0;
            *moves = *moves || symbol == r->a->variables.at[r->columns[0]].graph ||
                     symbol == r->a->variables.at[r->columns[1]].graph;
        }
    }
    sl_expr_list_fini(g, &leaves);
    return status;
}

static const char *render(const sl_tracer *r, sl_expr e) {
    sl_bytes text;
    sl_bytes_init(&text, r->ctx);
    sl_sink sink = sl_bytes_sink(&text);
    const char *copy = NULL;
    if (sl_expr_render(r->g, e, SL_EXPR_TEXT, &sink) == SL_OK) {
        copy = sl_arena_copy(&r->out->arena, (sl_str){text.at, (size_t)text.n});
    }
    sl_bytes_fini(&text);
    return copy;
}

/* label: NULL: the text of the expression. A root that is nowhere zero is left out. */
static sl_status add_level(sl_tracer *r, sl_expr e, const char *label, bool is_root) {
    sl_trace *out = r->out;
    const sl_sda *d = sl_sha_discrete(r->a);
    size_t n_graph = (size_t)sl_exprs_n_variable(r->g) + 1;
    sl_trace_level *l = &out->plane.levels[out->plane.n_level];
    function f = {.r = r, .is_root = is_root};
    *l = (sl_trace_level){.label = label ? sl_arena_copy(&out->arena, sl_str_z(label)) : render(r, e),
                          .is_root = is_root,
                          .inside = sl_arena_alloc(&out->arena, (N + 1) * (N + 1)),
                          .across = sl_arena_alloc(&out->arena, sizeof(float) * (N + 1) * N),
                          .up = sl_arena_alloc(&out->arena, sizeof(float) * N * (N + 1))};
    sl_status status = sl_tape_create(r->g, sl_exprs_walk(r->g), 1, &e, &f.tape);
    size_t n_work = status == SL_OK ? sl_tape_work_size(f.tape) + sizeof(double) : 0;
    f.x = sl_alloc(r->ctx, n_graph * sizeof *f.x);
    f.work = sl_alloc(r->ctx, n_work);
    bool good = status == SL_OK && f.x && f.work && l->label && l->inside && l->across && l->up;
    if (good) {
        for (int32_t i = 0; i < out->n_all_x; i++) {
            f.x[r->a->variables.at[i].graph] = r->x_then[i];
        }
        for (int32_t i = 0; i < out->n_q; i++) {
            f.x[sl_sda_graph_variable(d, i)] = out->plane.q[i];
        }
        for (int k = 0; k < 2; k++) {
            f.moving[k] = r->a->variables.at[r->columns[k]].graph;
        }
        out->plane.n_level += fill_level(&f, l) > 0 || !is_root;
    }
    sl_free(r->ctx, f.work, f.work ? n_work : 0);
    sl_free(r->ctx, f.x, f.x ? n_graph * sizeof *f.x : 0);
    sl_tape_destroy(f.tape);
    return good ? SL_OK : SL_ERR_MEMORY;
}

static sl_status add_roots(sl_tracer *r, void *instance) {
    sl_trace_plane *p = &r->out->plane;
    sl_status status = SL_OK;
    for (int32_t i = 0; i < sl_sha_n_element(r->a, SL_SHA_ROOT) && status == SL_OK; i++) {
        bool derivatives = false, moves = false;
        sl_expr e = sl_sha_get_element(r->a, SL_SHA_ROOT, i).expr;
        if (sl_sha_is_active(instance, p->q, SL_SHA_ROOT, i)) {
            status = look_at(r, e, &derivatives, &moves);
        }
        if (moves && !derivatives && p->n_level - r->def->n_where == SL_TRACE_ROOTS) {
            p->n_left_out++;
        } else if (status == SL_OK && moves && !derivatives) {
            status = add_level(r, e, NULL, true);
        }
    }
    return status;
}

static sl_status add_conditions(sl_tracer *r) {
    sl_status status = SL_OK;
    for (int32_t i = 0; i < r->def->n_where && status == SL_OK; i++) {
        sl_expr e = SL_EXPR_NONE;
        bool derivatives = false, moves;
        sl_str text = sl_str_z(r->def->where[i]);
        sl_text_location place = {.file = "--where", .line = 1, .text = text, .length = text.len};
        status = sl_expr_parse(r->g, text, &place, r->diags, &e);
        status = status == SL_OK ? look_at(r, e, &derivatives, &moves) : status;
        if (status == SL_OK && derivatives) {
            sl_report(r->diags, SL_ERROR, SL_CODE_WRONG_KIND, &place, NULL, NULL, "write it with variables alone",
                      "a condition over the plane holds no derivatives");
            status = SL_ERR_INPUT;
        }
        status = status == SL_OK ? add_level(r, e, r->def->where[i], false) : status;
    }
    return status;
}

/* ---- Directions --------------------------------------------------------------------------------- */

enum { STANDS_STILL = -1, IS_SOLVED = -2 };

/* Which unknown of the mode a variable is, or one of the above. */
static int32_t unknown_of(const sl_hybrid_mode *mode, int32_t variable) {
    const sl_dae_pattern *p = &sl_dae_raw(&mode->system)->pattern;
    for (int32_t k = 0; k < p->n_variable; k++) {
        if ((mode->variables ? mode->variables[k] : k) == variable) {
            for (int32_t e = p->start[k]; e < p->start[k + 1]; e++) {
                if (p->kind[e] & SL_DAE_DX) {
                    return k;
                }
            }
            return IS_SOLVED;
        }
    }
    return STANDS_STILL;
}

static sl_status put_arrows(sl_tracer *r, const sl_hybrid_mode *mode, const int32_t unknown[2], sl_dae *d,
                            sl_diags *lost, double *x, double *dx) {
    sl_trace_plane *p = &r->out->plane;
    int32_t n = sl_dae_n_value(&mode->system);
    for (int32_t i = 0; i < SL_TRACE_ARROWS * SL_TRACE_ARROWS; i++) {
        sl_trace_arrow *a = &p->arrows[i];
        double part[2] = {(i % SL_TRACE_ARROWS + 0.5) / SL_TRACE_ARROWS, (i / SL_TRACE_ARROWS + 0.5) / SL_TRACE_ARROWS};
        for (int32_t k = 0; k < n; k++) {
            x[k] = r->x_then[mode->variables ? mode->variables[k] : k];
            dx[k] = 0.0;
        }
        for (int k = 0; k < 2; k++) {
            a->x[k] = p->low[k] + part[k] * (p->high[k] - p->low[k]);
            if (unknown[k] >= 0) {
                x[unknown[k]] = a->x[k];
            }
        }
        bool found = sl_dae_init(d, p->time, x, dx, NULL, lost) == SL_OK;
        for (int k = 0; k < 2; k++) {
            a->dx[k] = !found ? (double)NAN : unknown[k] >= 0 ? dx[unknown[k]] : 0.0;
        }
        sl_diags_clear(lost); /* no motion there is no fault */
        if (!sl_progress_report(r->ctx, "finding directions", i, SL_TRACE_ARROWS * SL_TRACE_ARROWS)) {
            return SL_ERR_CANCELLED;
        }
    }
    return SL_OK;
}

static sl_status find_arrows_of(sl_tracer *r, const sl_hybrid_mode *mode) {
    const sl_hybrid_model *m = sl_automaton_model(r->m);
    sl_trace_plane *p = &r->out->plane;
    sl_dae *d = NULL;
    sl_diags *lost = NULL;
    int32_t unknown[2] = {unknown_of(mode, r->columns[0]), unknown_of(mode, r->columns[1])};
    if (unknown[0] == IS_SOLVED || unknown[1] == IS_SOLVED || (unknown[0] < 0 && unknown[1] < 0)) {
        return SL_OK;
    }
    size_t n = (size_t)sl_dae_n_value(&mode->system) + 1;
    double *x = sl_arena_alloc(&r->out->arena, 2 * n * sizeof *x);
    p->arrows = sl_arena_alloc(&r->out->arena, sizeof *p->arrows * SL_TRACE_ARROWS * SL_TRACE_ARROWS);
    sl_status status = x && p->arrows ? sl_diags_create(r->ctx, &lost) : SL_ERR_MEMORY;
    status = status == SL_OK ? sl_dae_create(r->ctx, &mode->system, &m->def.dae, r->diags, &d) : status;
    if (status == SL_OK) {
        status = put_arrows(r, mode, unknown, d, lost, x, x + n);
    }
    sl_dae_destroy(d);
    sl_diags_destroy(lost);
    return status;
}

static sl_status find_arrows(sl_tracer *r, void *instance) {
    const sl_hybrid_ops *ops = sl_automaton_model(r->m)->ops;
    sl_hybrid_mode mode = {0};
    sl_status status = sl_sha_compile_all(instance, r->out->plane.q, r->diags, &mode);
    for (int32_t j = 0; j < sl_sha_n_variable(r->a) && status == SL_OK; j++) {
        ops->stand(instance, j, r->x_then[j]);
    }
    if (status == SL_OK) {
        status = find_arrows_of(r, &mode);
        ops->release(instance, 0, &mode);
    }
    return status;
}

/* ---- The plane ---------------------------------------------------------------------------------- */

sl_status sl_trace_plane_fill(sl_tracer *r) {
    sl_trace_plane *p = &r->out->plane;
    const sl_hybrid_model *m = sl_automaton_model(r->m);
    void *instance = NULL;
    for (int k = 0; k < 2; k++) {
        p->x[k] = r->x_then[r->columns[k]];
    }
    find_box(r);
    size_t n = SL_TRACE_ROOTS + (size_t)r->def->n_where + 1;
    p->levels = sl_arena_alloc(&r->out->arena, n * sizeof *p->levels);
    sl_status status = p->levels ? add_conditions(r) : SL_ERR_MEMORY;
    status = status == SL_OK ? m->ops->open(r->ctx, m->model, r->diags, &instance) : status;
    if (status == SL_OK) {
        status = add_roots(r, instance);
        status = status == SL_OK ? find_arrows(r, instance) : status;
        m->ops->close(instance);
    }
    return status;
}
