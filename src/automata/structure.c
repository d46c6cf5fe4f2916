/* SPDX-License-Identifier: MIT */
/* structure.c: the equations of an automaton in a discrete state: what kind they are and what is integrated of them. */
#include "automata/automaton.h"

#include "automata/sha.h"
#include "base/handle.h"
#include "base/memory.h"
#include "base/sized.h"
#include "dae/report.h"

typedef void each_item(void *user, const sl_structure_item *item);

/* Equations that are integrated as they are written. */
static void describe_plain(const sl_dae_system *s, sl_structure *out, each_item *each, void *user) {
    const sl_dae_pattern *p = &s->pattern;
    char name[SL_DAE_NAME];
    out->n_unknown = p->n_variable;
    for (int32_t j = 0; j < p->n_variable; j++) {
        bool moves = false;
        for (int32_t k = p->start[j]; k < p->start[j + 1]; k++) {
            moves = moves || (p->kind[k] & SL_DAE_DX);
        }
        out->n_state += moves;
        out->n_algebraic += !moves;
        for (int32_t order = 0; each && order <= moves; order++) {
            sl_dae_role role = order > 0 ? SL_DAE_RATE : moves ? SL_DAE_STATE : SL_DAE_ALGEBRAIC;
            each(user, &(sl_structure_item){.name = sl_dae_name(s, false, j, name), .order = order, .role = role});
        }
    }
}

static void describe_reduced(const sl_dae_system *s, sl_structure *out, each_item *each, void *user) {
    const sl_dae_report *r = s->outside->report;
    char name[SL_DAE_NAME];
    out->index = r->index; /* with what cancels between equations */
    out->n_free = r->n_free;
    out->n_differentiated = r->n_differentiated;
    out->n_alias = r->n_alias;
    out->n_explicit = r->n_explicit;
    out->n_unknown = r->n_unknown;
    out->n_state = r->n_state;
    out->n_algebraic = r->n_algebraic;
    out->n_dummy = r->n_dummy;
    for (int32_t i = 0; each && i < r->n_equation; i++) {
        if (r->c[i] > 0) {
            each(user, &(sl_structure_item){
                           .name = sl_dae_name(s->outside->raw, true, i, name), .order = r->c[i], .is_equation = 1});
        }
    }
    for (int32_t k = 0; each && k < r->n_node; k++) {
        each(user, &(sl_structure_item){.name = sl_dae_name(s->outside->raw, false, r->variable[k], name),
                                        .order = r->order[k],
                                        .role = (sl_dae_role)r->role[k]});
    }
}

/* The choice of states at the values with which an execution begins. */
static sl_status choose_states(sl_context *ctx, const sl_hybrid_mode *mode, double t, const double *x) {
    const sl_dae_outside *outside = mode->system.outside;
    sl_dae_system system;
    bool changed;
    if (!outside || !outside->choose) {
        return SL_OK;
    }
    size_t n = (size_t)mode->system.pattern.n_variable, n_value = (size_t)sl_dae_n_value(&mode->system);
    size_t bytes = (2 * n + 2 * n_value + 1) * sizeof(double) + n;
    double *y = sl_alloc(ctx, bytes), *dy = y + n, *values = dy + n, *rates = values + n_value;
    if (!y) {
        return SL_ERR_MEMORY;
    }
    uint8_t *state = (uint8_t *)(rates + n_value);
    for (size_t k = 0; k < n_value; k++) {
        values[k] = x[mode->variables ? mode->variables[k] : (int32_t)k];
    }
    outside->contract(mode->system.user, values, rates, y, dy);
    sl_status status = outside->choose(mode->system.user, t, y, dy, state);
    status = status == SL_OK ? outside->apply(mode->system.user, state, &system, &changed) : status;
    sl_free(ctx, y, bytes);
    return status;
}

static sl_status describe(sl_context *ctx, const sl_dae_system *s, each_item *each, void *user, sl_diags *diags,
                          sl_structure *out) {
    const sl_dae_system *raw = sl_dae_raw(s);
    sl_dae_structure found;
    sl_status status = sl_dae_analyse(ctx, &raw->pattern, raw, diags, &found);
    if (status != SL_OK && status != SL_ERR_INPUT) {
        return status;
    }
    *out = (sl_structure){.size = sizeof *out,
                          .n_equation = found.n_equation,
                          .n_variable = found.n_variable,
                          .form = sl_dae_form_text(found.form),
                          .index = found.index,
                          .n_free = found.n_free,
                          .n_block = found.n_block,
                          .n_largest = found.n_largest};
    if (status == SL_OK) {
        (s->outside ? describe_reduced : describe_plain)(s, out, each, user);
    }
    return status;
}

sl_status sl_automaton_structure(const sl_automaton *a, const int32_t *states, each_item *each, void *user,
                                 sl_diags *diags, sl_structure *out) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !sl_automaton_is_finished(a) || !sl_sized_valid(out)) {
        return SL_ERR_USE;
    }
    const sl_hybrid_model *m = sl_automaton_model(a);
    sl_context *ctx = sl_automaton_context(a);
    void *instance = NULL;
    double t = 0.0;
    int32_t n_x = 0, n_q = 0;
    bool is_compiled = false;
    sl_hybrid_mode mode = {0};
    sl_structure found = {.size = sizeof found};
    sl_status status = m->ops->open(ctx, m->model, diags, &instance);
    if (status != SL_OK) {
        return status;
    }
    m->ops->sizes(instance, &n_x, &n_q);
    int32_t n_all = n_x + (m->ops->n_cut ? m->ops->n_cut(instance) : 0); /* of cuts nothing is known: 0 */
    size_t bytes = ((size_t)n_all + 1) * sizeof(double) + ((size_t)n_q + 1) * sizeof(int32_t);
    double *x = sl_alloc(ctx, bytes);
    int32_t *start = x ? (int32_t *)(void *)(x + n_all + 1) : NULL;
    status = x ? SL_OK : SL_ERR_MEMORY;
    if (status == SL_OK) {
        m->ops->start(instance, &t, x, start);
        states = states ? states : start;
        status = sl_sha_compile_all(instance, states, diags, &mode);
        is_compiled = status == SL_OK;
    }
    status = status == SL_OK ? choose_states(ctx, &mode, t, x) : status;
    status = status == SL_OK ? describe(ctx, &mode.system, each, user, diags, &found) : status;
    if (is_compiled) {
        m->ops->release(instance, 0, &mode);
    }
    sl_sized_give(out, &found, sizeof found);
    sl_free(ctx, x, x ? bytes : 0);
    m->ops->close(instance);
    return status;
}
