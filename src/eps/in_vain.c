/* SPDX-License-Identifier: MIT */
/* in_vain.c: runs that hardly do anything but solves without a solution.
 *
 * Such a run goes on, step by step (UNBALANCED CONTINUE), however long a step takes: a file of 500 bytes then keeps a processor
 * busy for minutes. Its work is bounded; that of a run most of whose instants are balanced is not.
 */
#include "base/context.h"
#include "eps/impl.h"

/* A network that has no solution takes all trials that there are, thousands an instant. A run that does hardly anything else is a
 * slip. Some such instants pass, however large the network is. */
static bool wastes_trials(const sl_eps *e, const sl_eps_instants *all) {
    enum {
        FEW = 100,
        MANY = 200 /* trials an instant */,
        OUTLET = 5 /* links that cost as much: the line search inverts its law many times a trial, by powers */,
        AROUND = 20, /* links that cost as much as the rest of a trial */
        LARGE = 200  /* links: from there on trials count alone, as a large network may take its time */
    };
    static const double most = 2e7; /* trials times links: two seconds */
    const double trials = (double)all->n_trial,
                 cost = (double)e->m->net->n_link + OUTLET * (double)e->m->n_outlet + AROUND;
    return all->n_unbalanced > FEW && trials > MANY * (double)all->n &&
           trials * (cost < LARGE ? cost : LARGE) > most * e->ctx->def.effort;
}

/* Instants between boundaries count as those do: a step may be looked at many times. */
bool sl_eps_halts_in_vain(sl_eps *e, const sl_eps_state *s, sl_diags *diags) {
    const sl_eps_scalars *x = e->now.x;
    const sl_eps_instants all = {x->n_step + e->between.n, x->n_trial + e->between.n_trial,
                                 x->n_unbalanced + e->between.n_unbalanced};
    if (s->x->facts.balanced || !wastes_trials(e, &all)) {
        return false;
    }
    sl_eps_add_diag(e, s->x->time, SL_ERROR, SL_CODE_NOT_BALANCED, diags, NULL, NULL,
                    "the run halts here: %lld solves are not balanced, and %lld trials were made; with --effort 10 it "
                    "goes on for ten times as many",
                    (long long)all.n_unbalanced, (long long)all.n_trial);
    return true;
}
