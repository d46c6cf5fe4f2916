/* SPDX-License-Identifier: MIT */
/* numbers.c: room for the numbers of a core, and which core an engine works on. */
#include "eps/fields.h"
#include "eps/impl.h"
#include "laws/valve.h"

#include <math.h>
#include <string.h>

static void *alloc_array(sl_eps_numbers *x, int64_t n, size_t size, bool *bad) {
    void *p = sl_arena_alloc(&x->arena, (size_t)(n > 0 ? n : 1) * size);
    *bad |= p == NULL;
    return p;
}

sl_status sl_eps_numbers_create(sl_context *ctx, const sl_eps_model *m, const sl_eps_core *c, sl_eps_numbers *x) {
    bool bad = false;
    *x = (sl_eps_numbers){0};
    sl_arena_init(&x->arena, ctx);
    double **of_rows[] = {&x->row_resistance, &x->row_minor, &x->row_q, &x->row_h, &x->row_slope};
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++) {
        *of_rows[i] = alloc_array(x, c->n_row, sizeof(double), &bad);
    }
    double **of_branches[] = {&x->q,    &x->drawn,  &x->p,    &x->h,     &x->y,
                              &x->miss, &x->from_q, &x->step, &x->moved, &x->moved_before};
    for (size_t i = 0; i < sizeof of_branches / sizeof *of_branches; i++) {
        *of_branches[i] = alloc_array(x, c->n_branch, sizeof(double), &bad);
    }
    x->row_dw = m->pipe_dw ? alloc_array(x, c->n_row, sizeof *x->row_dw, &bad) : NULL;
    x->row_offset = alloc_array(x, c->n_chain_row, sizeof(double), &bad);
    x->start = alloc_array(x, c->n_single, sizeof *x->start, &bad);
    x->relaxed = alloc_array(x, c->n_single, sizeof *x->relaxed, &bad);
    x->u = alloc_array(x, c->n_branch, sizeof(int32_t), &bad);
    x->outlet_u = alloc_array(x, m->n_outlet, sizeof(int32_t), &bad);
    x->v = alloc_array(x, c->n_branch, sizeof(int32_t), &bad);
    x->place = alloc_array(x, c->n_branch, sizeof(int32_t), &bad);
    x->load = alloc_array(x, c->n_unknown, sizeof(double), &bad);
    x->pinned = alloc_array(x, c->n_unknown, sizeof(int32_t), &bad);
    x->pin = alloc_array(x, c->n_unknown, 1, &bad);
    x->was_pin = alloc_array(x, c->n_unknown, 1, &bad);
    x->ldl = alloc_array(x, sl_ldl_work(c->ldl), sizeof(double), &bad);
    x->row = alloc_array(x, c->n_unknown, sizeof *x->row, &bad);
    x->rhs = alloc_array(x, c->n_unknown, sizeof(double), &bad);
    x->base = alloc_array(x, c->n_unknown, sizeof(double), &bad);
    int32_t n_held = c->far_start ? m->n_regulator : 0;
    x->far = alloc_array(x, n_held ? c->far_start[n_held] : 0, sizeof(double), &bad);
    x->near = alloc_array(x, n_held ? c->near_start[n_held] : 0, sizeof(double), &bad);
    x->tank = alloc_array(x, c->longest_tank, sizeof(double), &bad);
    x->few = alloc_array(x, c->n_unknown, sizeof(double), &bad);
    x->given_by = alloc_array(x, m->net->n_reservoir + m->net->n_tank, sizeof(double), &bad);
    x->cut_branch = alloc_array(x, c->n_branch, sizeof(int32_t), &bad);
    x->code = alloc_array(x, c->n_single, 1, &bad);
    x->zone = alloc_array(x, c->n_zone + 1, sizeof(int32_t), &bad);
    x->zone_first = alloc_array(x, c->n_zone + 1, sizeof(int32_t), &bad);
    x->zone_next = alloc_array(x, c->n_zone + 1, sizeof(int32_t), &bad);
    bad |= sl_eps_supply_create(c, &x->arena, &x->supply) != SL_OK;
    if (bad) {
        sl_arena_fini(&x->arena);
        return SL_ERR_MEMORY;
    }
    for (int32_t o = 0; o < m->n_outlet; o++) {
        x->outlet_u[o] = c->unknown[m->outlet_node[o]];
    }
    return SL_OK;
}

/* m of a valve that nothing sets. */
static double fixed_valve_minor(const sl_eps_model *m, int32_t k) {
    const sl_network *net = m->net;
    int32_t i = k - net->n_pipe - net->n_pump;
    double setting = net->link_status[k] == SL_ACTIVE ? net->valve_setting[i] : (double)NAN;
    return sl_valve_minor(net, i, m->valve_minor[i], setting);
}

void sl_eps_load_pipe_laws(sl_eps *e) {
    const sl_eps_core *c = e->core;
    const sl_network *net = e->m->net;
    const uint8_t *status = net->link_status;
    uint8_t *conducts = e->w.conducts;
#pragma omp simd
    for (int32_t k = 0; k < net->n_link; k++) {
        conducts[k] = status[k] != SL_CLOSED; /* of those that stay as they are */
    }
    const double *restrict resistance = e->resistance, *restrict minor = e->minor;
    double *restrict row_resistance = e->x.row_resistance, *restrict row_minor = e->x.row_minor;
    int any = 0;
#pragma omp simd reduction(| : any)
    for (int32_t k = 0; k < net->n_pipe; k++) {
        any |= minor[k] != 0.0;
    }
    e->x.any_minor = any;
    for (int32_t r = 0; r < c->n_row; r++) {
        int32_t k = c->pipe[r] < 0 ? ~c->pipe[r] : c->pipe[r];
        row_resistance[r] = k < net->n_pipe ? resistance[k] : 0.0;
        row_minor[r] = k < net->n_pipe ? minor[k] : fixed_valve_minor(e->m, k);
    }
    for (int32_t r = 0; e->x.row_dw && r < c->n_row; r++) {
        int32_t k = c->pipe[r] < 0 ? ~c->pipe[r] : c->pipe[r];
        e->x.row_dw[r] = k < net->n_pipe ? e->dw[k] : (sl_dw_pipe){0.0, 1.0};
    }
    e->rows_stale = false;
}

/* Is a link among these that was switched or set from outside? switched, unless NULL, is marked with all of them. */
static bool any_switched(const sl_eps_override *list, int64_t n, uint8_t *switched) {
    bool any = false;
    for (int64_t i = 0; i < n; i++) {
        if (list[i].field == SL_EPS_OPEN) {
            any = true;
            if (switched) {
                switched[list[i].index] = 1;
            }
        }
    }
    return any;
}

static sl_status make_core(const sl_eps *e, const sl_eps_override *list, int64_t n, sl_eps_core **core) {
    *core = NULL;
    if (!any_switched(list, n, NULL)) {
        return SL_OK;
    }
    size_t n_link = (size_t)e->m->net->n_link;
    uint8_t *switched = sl_alloc(e->ctx, n_link);
    if (!switched) {
        return SL_ERR_MEMORY;
    }
    any_switched(list, n, switched);
    sl_status status = sl_eps_core_create(e->m, switched, core);
    sl_free(e->ctx, switched, n_link);
    return status;
}

sl_status sl_eps_select_core(sl_eps *e, const sl_eps_override *list, int64_t n) {
    sl_eps_core *core;
    sl_status status = make_core(e, list, n, &core);
    if (status != SL_OK || (!core && !e->own_core)) {
        return status;
    }
    sl_eps_numbers x;
    status = sl_eps_numbers_create(e->ctx, e->m, core ? core : e->m->core, &x);
    if (status != SL_OK) {
        sl_eps_core_destroy(core);
        return status;
    }
    sl_arena_fini(&e->x.arena);
    sl_eps_core_destroy(e->own_core);
    e->x = x;
    e->own_core = core;
    e->core = core ? core : e->m->core;
    e->w.islands_valid = false;
    e->w.n_cut = 0;
    memset(e->w.island, 0, (size_t)e->m->net->n_node * sizeof *e->w.island);
    sl_eps_load_pipe_laws(e);
    return SL_OK;
}
