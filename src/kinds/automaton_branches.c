/* SPDX-License-Identifier: MIT */
/* automaton_branches.c: all executions of an automaton. sl_execution finds them; each is then run as a session of its own, by the
 * choices that it made, and so has the bits, rows and events of any other session.
 */

#include "automata/automaton.h"
#include "base/report.h"
#include "kinds/rows.h"

typedef struct exploration {
    const sl_automaton *a;
    sl_status (*run)(void *user, const sl_model *execution);
    void *user;
    sl_status status;
    bool failed; /* one of them did */
} exploration;

bool sl_automaton_asks_branches(const void *load_args) {
    const sl_automaton_args *args = load_args;
    return args->branches || args->relax;
}

/* Where an execution failed its session will fail too, and say why. */
static bool on_execution(void *user, sl_execution *e, sl_status status) {
    exploration *x = user;
    int32_t n = 0;
    const int64_t *path = sl_execution_path(e, &n);
    sl_model *model = NULL;
    (void)status;
    x->status = sl_model_of_automaton_path(sl_automaton_context(x->a), x->a, path, n, &model);
    x->status = x->status == SL_OK ? x->run(x->user, model) : x->status;
    sl_model_destroy(model);
    x->failed = x->failed || x->status == SL_ERR_SOLVE;
    x->status = x->status == SL_ERR_SOLVE ? SL_OK : x->status;
    return x->status == SL_OK;
}

sl_status sl_automaton_explore(const sl_model *model, sl_status (*run)(void *user, const sl_model *execution),
                               void *user, sl_diags *diags) {
    exploration x = {.a = sl_model_origin(model), .run = run, .user = user};
    sl_explored found = {.size = sizeof found};
    sl_execution_def def = sl_execution_default();
    sl_explore_def limits = sl_explore_default();
    sl_execution *e = NULL;
    limits.max_open = 10000; /* more than are followed: so the first of them are, breadth first */
    (void)sl_automaton_get_run(x.a, &def);
    def.choices = SL_CHOICES_ASK;
    int32_t most = sl_sha_discrete_def(sl_automaton_get(x.a))->most_steps;
    if (sl_automaton_is_discrete(x.a) && most > def.max_discrete) { /* sessions go so far */
        def.max_discrete = most;
    }
    sl_status status = sl_execution_create(x.a, &def, diags, &e);
    status = status == SL_OK ? sl_execution_explore(e, &limits, on_execution, &x, &found) : status;
    sl_execution_destroy(e);
    status = status == SL_OK ? x.status : status;
    if (status == SL_OK && !found.complete) {
        sl_report(diags, SL_WARNING, SL_CODE_NONDETERMINISTIC, NULL, "automaton", sl_automaton_name(x.a),
                  "begin from a state nearer to what you look for, or make guards narrower",
                  "has more executions than are followed: %lld of them were", (long long)found.n_execution);
    }
    return status == SL_OK && x.failed ? SL_ERR_SOLVE : status;
}
