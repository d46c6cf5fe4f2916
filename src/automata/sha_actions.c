/* SPDX-License-Identifier: MIT */
/* sha_actions.c: the actions of a hybrid automaton while it is executed. Those in force are evaluated with the values before; where one
 * of them is an equation, all are solved at once for the values after. What is done costs what acts, whatever the automaton has.
 */
#include "automata/sha_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { IS_SET = 1, IS_READ = 2 };

bool sl_sha_take_actions(sha_instance *s) {
    size_t n_action = (size_t)s->a->parts[SL_SHA_ACTION].n, n_x = (size_t)s->a->variables.n;
    s->acting = sl_arena_alloc(&s->arena, n_action * sizeof(int32_t));
    s->acting_place = sl_arena_alloc(&s->arena, n_action * sizeof(int32_t));
    s->last_acted = sl_arena_alloc(&s->arena, n_action * sizeof(int32_t));
    s->acted = sl_arena_alloc(&s->arena, n_action);
    s->values = sl_arena_alloc(&s->arena, n_action * sizeof(double));
    s->setter = sl_arena_alloc(&s->arena, n_x * sizeof(int32_t));
    s->is_acted = sl_arena_alloc(&s->arena, n_x);
    for (size_t k = 0; s->acting_place && k < n_action; k++) {
        s->acting_place[k] = -1;
    }
    return s->acting && s->acting_place && s->last_acted && s->acted && s->values && s->setter && s->is_acted;
}

/* Those in force stand in a list. */
void sl_sha_note_action(sha_instance *s, int32_t action, bool on) {
    int32_t place = s->acting_place[action];
    if (on && place < 0) {
        s->acting_place[action] = s->n_acting;
        s->acting[s->n_acting++] = action;
    } else if (!on && place >= 0) {
        int32_t last = s->acting[--s->n_acting];
        s->acting[place] = last;
        s->acting_place[last] = place;
        s->acting_place[action] = -1;
    }
}

/* ---- Which -------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static bool note(sha_instance *s, int32_t j, uint8_t as) {
    if (s->is_acted[j] & as) {
        return true;
    }
    s->is_acted[j] |= as;
    return as == IS_SET ? SL_PUSH(s->ctx, &s->acted_on, j) : SL_PUSH(s->ctx, &s->acted_by, j);
}

static void forget(sha_instance *s) {
    for (int32_t k = 0; k < s->n_acted; k++) {
        s->acted[s->last_acted[k]] = 0;
    }
    for (int64_t k = 0; k < s->acted_on.n; k++) {
        s->is_acted[s->acted_on.at[k]] = 0;
    }
    for (int64_t k = 0; k < s->acted_by.n; k++) {
        s->is_acted[s->acted_by.at[k]] = 0;
    }
    s->acted_on.n = s->acted_by.n = 0;
}

/* The actions in force, as flags and as a list, with what they read and set. */
static sl_status list_acting(sha_instance *s) {
    const sl_sha *a = s->a;
    bool fine = true;
    forget(s);
    s->n_acted = s->n_acting;
    if (s->n_acted > 0) {
        memcpy(s->last_acted, s->acting, (size_t)s->n_acted * sizeof *s->acting);
        qsort(s->last_acted, (size_t)s->n_acted, sizeof *s->last_acted, by_number);
    }
    for (int32_t k = 0; k < s->n_acted && fine; k++) {
        int32_t i = s->last_acted[k], variable = a->parts[SL_SHA_ACTION].at[i].variable;
        s->acted[i] = 1;
        fine = variable < 0 || note(s, variable, IS_SET);
        for (int32_t l = a->action_start[i]; l < a->action_start[i + 1] && fine; l++) {
            fine = note(s, a->action_reads[l], IS_READ) && (variable >= 0 || note(s, a->action_reads[l], IS_SET));
        }
    }
    return fine ? SL_OK : SL_ERR_MEMORY;
}

const int32_t *sl_sha_acted_on(const void *instance, int32_t *n) {
    const sha_instance *s = instance;
    *n = (int32_t)s->acted_on.n;
    return s->acted_on.at;
}

/* Not NULL where there are some that act. */
const int32_t *sl_sha_acted_by(const void *instance, int32_t *n) {
    const sha_instance *s = instance;
    *n = (int32_t)s->acted_by.n;
    return s->acted_by.at ? s->acted_by.at : s->last_acted;
}

/* ---- Values ------------------------------------------------------------------------------------- */

static sl_status report_conflict(const sha_instance *s, double t, int32_t first, int32_t second, sl_diags *diags) {
    const sha_element *actions = s->a->parts[SL_SHA_ACTION].at;
    sl_report(diags, SL_ERROR, SL_CODE_CONFLICT, NULL, "action", actions[second].symbol,
              "make the guards of the actions of one variable exclude each other",
              "at %.12g s the actions '%s' and '%s' both set '%s'", t, actions[first].symbol, actions[second].symbol,
              sl_sha_variable_name(s->a, actions[second].variable).ptr);
    return SL_ERR_SOLVE;
}

/* The new values of explicit actions. */
static sl_status evaluate(sha_instance *s, double t, const double *x, const double *dx, sl_diags *diags) {
    const sl_sha *a = s->a;
    for (int64_t k = 0; k < s->acted_by.n; k++) {
        const sha_variable *v = &a->variables.at[s->acted_by.at[k]];
        s->x[0][v->graph] = s->p[v->pre] = x[s->acted_by.at[k]];
        s->x[1][v->graph] = dx[s->acted_by.at[k]];
    }
    sl_expr_point at = {.t = t, .x = {s->x[0], s->x[1]}, .p = s->p};
    for (int32_t k = 0; k < s->n_acted; k++) {
        int32_t i = s->last_acted[k];
        const sha_element *p = &a->parts[SL_SHA_ACTION].at[i];
        if (p->variable < 0) {
            continue;
        }
        if (s->setter[p->variable] != 0) {
            return report_conflict(s, t, s->setter[p->variable] - 1, i, diags);
        }
        s->setter[p->variable] = i + 1;
        sl_status status = sl_walk_eval(&s->walk, a->g, p->expr, &at, &s->values[i]);
        if (status != SL_OK) {
            return status;
        }
        if (!isfinite(s->values[i])) {
            sl_report(diags, SL_ERROR, SL_CODE_NOT_FINITE, NULL, "action", p->symbol, "values have left its range",
                      "at %.12g s the action '%s' gives no number for '%s'", t, p->symbol,
                      sl_sha_variable_name(a, p->variable).ptr);
            return SL_ERR_SOLVE;
        }
        s->p[p->parameter] = s->values[i];
    }
    return SL_OK;
}

/* All active actions as equations for the values after, from the values before: x has those that are known. */
static sl_status solve(sha_instance *s, double t, double *x, sl_diags *diags) {
    const sl_sha *a = s->a;
    sl_equations *e = NULL;
    sl_dae *d = NULL;
    sl_dae_def def = sl_dae_default();
    def.rtol = 1e-10;
    def.atol = 1e-12;
    sl_status status =
        sl_equations_create_in(s->space, &a->sets[1], &s->walk, s->n_acted, s->last_acted, 0, NULL, s->p, &e);
    status = status == SL_OK ? sl_dae_create(s->ctx, sl_equations_system(e), &def, diags, &d) : status;
    int32_t n = e ? sl_dae_n_value(sl_equations_system(e)) : 0;
    size_t bytes = (2 * (size_t)n + 2) * sizeof(double);
    double *after = sl_alloc(s->ctx, bytes), *dx = after + n + 1;
    status = status == SL_OK && !after ? SL_ERR_MEMORY : status;
    for (int32_t k = 0; k < n && status == SL_OK; k++) {
        after[k] = x[a->x_of[sl_equations_variables(e)[k]]];
    }
    status = status == SL_OK          ? sl_dae_init(d, t, after, dx, NULL, diags)
             : status == SL_ERR_INPUT ? SL_ERR_SOLVE
                                      : status;
    for (int32_t k = 0; k < n && status == SL_OK; k++) {
        x[a->x_of[sl_equations_variables(e)[k]]] = after[k];
    }
    sl_dae_destroy(d);
    sl_equations_destroy(e);
    sl_free(s->ctx, after, after ? bytes : 0);
    return status;
}

/* New values, once all are known. */
static sl_status apply(sha_instance *s, double t, double *x, sl_diags *diags) {
    bool equations = false;
    for (int32_t k = 0; k < s->n_acted; k++) {
        const sha_element *p = &s->a->parts[SL_SHA_ACTION].at[s->last_acted[k]];
        equations = equations || p->variable < 0;
        if (p->variable >= 0) {
            x[p->variable] = s->values[s->last_acted[k]];
        }
    }
    return equations ? solve(s, t, x, diags) : SL_OK;
}

sl_status sl_sha_act(void *instance, double t, const int32_t *q, int32_t n, double *x, const double *dx,
                     sl_diags *diags, bool *acted) {
    sha_instance *s = instance;
    (void)n;
    sl_sha_follow(s, q);
    sl_live_set_time(s->live, sl_sda_run_time(s->run));
    sl_sha_update_guards(s);
    sl_status status = list_acting(s);
    *acted = s->n_acted > 0;
    if (!x || !*acted || status != SL_OK) {
        return status;
    }
    status = evaluate(s, t, x, dx, diags);
    for (int64_t k = 0; k < s->acted_on.n; k++) {
        s->setter[s->acted_on.at[k]] = 0;
    }
    return status == SL_OK ? apply(s, t, x, diags) : status;
}
