/* SPDX-License-Identifier: MIT */
/* facts.c: what can be told of an automaton without running it: verdicts about its discrete part (check.h), and the form of its
 * equations at the start (dae/structure.h).
 */
#include "automata/automaton.h"

#include "automata/levels.h"
#include "automata/sda_impl.h"
#include "automata/texts.h"
#include "base/handle.h"
#include "base/memory.h"
#include "base/sized.h"

static const sl_automaton_facts nothing = {.exclusive = "unknown",
                                           .deterministic = "unknown",
                                           .zeno_free = "unknown",
                                           .form = "",
                                           .solvable = "unknown",
                                           .n_state = -1,
                                           .n_zeno = -1};

/* Does the hybrid part read the variable in a guard, or does a root decide it? */
static bool is_used(const sl_sha *a, sl_walk *walk, int32_t variable) {
    const sl_exprs *g = sl_sha_graph(a);
    bool used = false;
    for (int kind = 0; kind < SL_SHA_N_KIND && !used; kind++) {
        for (int32_t i = 0; i < sl_sha_n_element(a, (sl_sha_kind)kind) && !used; i++) {
            sl_sha_element part = sl_sha_get_element(a, (sl_sha_kind)kind, i);
            sl_expr_list leaves = {0};
            used = kind == SL_SHA_ROOT && part.variable == variable;
            bool found = sl_walk_leaves(walk, g, 1, &part.guard, &leaves) == SL_OK;
            for (int64_t k = 0; k < leaves.n && found && !used; k++) {
                used = sl_expr_op(g, leaves.at[k]) == SL_OP_VARIABLE &&
                       sl_sda_variable_of(sl_sha_discrete(a), sl_expr_symbol(g, leaves.at[k])) == variable;
            }
            SL_ARRAY_FINI(walk->ctx, &leaves);
        }
    }
    return used;
}

/* The discrete part alone cannot know who else uses its variables. */
static void forget_used(const sl_sha *a, sl_sda_report *report) {
    int64_t n = 0;
    sl_walk walk;
    sl_walk_init(&walk, report->ctx);
    for (int64_t k = 0; k < report->n_finding; k++) {
        const sl_finding *f = &report->findings[k];
        if (f->kind != SL_FINDING_UNUSED || !is_used(a, &walk, f->variable)) {
            report->findings[n++] = *f;
        }
    }
    report->n_finding = n;
    sl_walk_fini(&walk);
}

/* ---- Names and places of what is found ---------------------------------------------------------- */

static const char *action_symbol(const void *user, int32_t i) {
    return sl_automaton_symbol(user, SL_AUTOMATON_ACTION, i);
}

/* The equation where it has no solution or several, else the guard; a variable where it is declared. */
static const sl_text_location *find_location(const void *user, const sl_finding *f) {
    const sl_automaton_texts *texts = sl_automaton_texts_of(user);
    bool in_equation = f->kind == SL_FINDING_NO_SOLUTION || f->kind == SL_FINDING_MANY_SOLUTIONS ||
                       f->kind == SL_FINDING_COUPLED || f->kind == SL_FINDING_GAVE_UP;
    int element = f->is_action ? SL_AUTOMATON_ACTION : SL_AUTOMATON_TRANSITION;
    const sl_automaton_text *t =
        f->transition[0] >= 0
            ? sl_automaton_texts_get(texts, (sl_text_section)((int)SL_TEXT_ELEMENT + element), f->transition[0])
        : f->variable >= 0 ? sl_automaton_texts_get(texts, SL_TEXT_DISCRETE, f->variable)
                           : NULL;
    const sl_text_location *location = !t ? NULL : in_equation ? &t->formula_location : &t->location;
    return location && location->line > 0 ? location : NULL;
}

/* The findings as diagnostics. Several derivatives are no mistake where the run says which to take. SL_ERR_INPUT when there is
 * an error. */
static sl_status explain(const sl_automaton *m, const sl_sda_report *report, sl_diags *diags) {
    sl_diags *found = NULL;
    sl_execution_def run = sl_execution_default();
    (void)sl_automaton_get_run(m, &run);
    bool chosen = run.choices != SL_CHOICES_ERROR, branches = chosen && sl_automaton_branches(m);
    sl_check_names names = {.user = m, .action = action_symbol, .location = find_location};
    sl_status status = sl_diags_create(sl_automaton_context(m), &found);
    if (status != SL_OK) {
        return status;
    }
    sl_sda_report_explain(sl_sha_discrete(sl_automaton_get(m)), report, &names, found);
    for (int32_t i = 0; i < sl_diags_size(found); i++) {
        sl_diag d = *sl_diags_at(found, i);
        bool meant = (chosen && d.code == SL_CODE_NONDETERMINISTIC) || (branches && d.code == SL_CODE_UNSOLVABLE);
        d.severity = meant ? SL_INFO : d.severity;
        status = d.severity == SL_ERROR ? SL_ERR_INPUT : status;
        sl_diags_add(diags, &d);
    }
    sl_diags_destroy(found);
    return status;
}

/* ---- The set ------------------------------------------------------------------------------------ */

/* A condition may hold discrete variables only. */
static sl_status check_condition(const sl_sda *d, sl_exprs *g, sl_expr e, sl_str text, sl_diags *diags) {
    sl_expr_list leaves = {0};
    sl_status status = sl_expr_leaves(g, 1, &e, &leaves);
    for (int64_t i = 0; status == SL_OK && i < leaves.n; i++) {
        bool variable = sl_expr_op(g, leaves.at[i]) == SL_OP_VARIABLE && sl_expr_order(g, leaves.at[i]) == 0;
        if (!variable || sl_sda_variable_of(d, sl_expr_symbol(g, leaves.at[i])) < 0) {
            char quoted[SL_QUOTE_MAX];
            sl_report(diags, SL_ERROR, SL_CODE_WRONG_KIND, NULL, NULL, NULL,
                      "it may hold discrete variables; a time is given apart, as t=2",
                      "the condition %s is not about states alone", sl_quote(text, quoted));
            status = SL_ERR_INPUT;
        }
    }
    sl_expr_list_fini(g, &leaves);
    return status;
}

static bool is_in_domains(const sl_sda *d, const int32_t *states) {
    for (int32_t i = 0; states && i < sl_sda_n_variable(d); i++) {
        if (states[i] < -1 || states[i] >= sl_sda_domain(d, i)) {
            return false;
        }
    }
    return true;
}

/* What is to be checked, into def; the condition is an expression of g. */
static sl_status find_set(const sl_sda *d, const sl_automaton_where *where, sl_exprs *g, sl_diags *diags,
                          sl_check_def *def) {
    sl_automaton_where w = sl_automaton_where_default();
    if (!where) {
        return SL_OK;
    }
    if (!sl_sized_take(&w, sizeof w, where) || w.t < -1 || !is_in_domains(d, w.states)) {
        return SL_ERR_USE;
    }
    def->counts = true;
    def->at = w.states;
    def->t = w.t;
    if (!w.condition) {
        return SL_OK;
    }
    sl_text_location place = {.file = "condition", .line = 1, .text = sl_str_z(w.condition)};
    sl_status status = sl_expr_parse(g, sl_str_z(w.condition), &place, diags, &def->where);
    return status == SL_OK ? check_condition(d, g, def->where, sl_str_z(w.condition), diags) : status;
}

void sl_automaton_where_default_fill(sl_automaton_where *where, size_t size) {
    const sl_automaton_where all = {.t = -1};
    sl_sized_default(where, size, &all, sizeof all);
}

/* ---- Verdicts ----------------------------------------------------------------------------------- */

/* The guards of all actions; NULL: there are none, or memory. */
static sl_expr *list_actions(const sl_sha *a, sl_context *ctx, int32_t n) {
    sl_expr *guards = n > 0 ? sl_alloc(ctx, (size_t)n * sizeof *guards) : NULL;
    for (int32_t i = 0; guards && i < n; i++) {
        guards[i] = sl_sha_get_element(a, SL_SHA_ACTION, i).guard;
    }
    return guards;
}

static void put_verdicts(const sl_sda_report *report, sl_automaton_facts *facts) {
    facts->exclusive = sl_verdict_text(report->exclusive);
    facts->solvable = sl_verdict_text(report->solvable);
    facts->deterministic = sl_verdict_text(report->deterministic);
    facts->zeno_free = sl_verdict_text(report->zeno_free);
    facts->bound = report->zeno_free == SL_PROVED ? report->bound : 0;
    facts->n_state = report->n_state;
    facts->n_zeno = report->n_zeno;
}

static sl_status check_discrete(const sl_automaton *m, const sl_automaton_where *where, sl_diags *diags,
                                sl_automaton_facts *facts) {
    const sl_sha *a = sl_automaton_get(m);
    sl_context *ctx = sl_automaton_context(m);
    const sl_sda_def *rules = sl_sha_discrete_def(a);
    sl_sda own = *sl_sha_discrete(a); /* over a graph of its own, in which the set is an expression */
    sl_check_def def = sl_check_default();
    sl_check_level *levels = NULL;
    sl_sda_report report = {0};
    own.g = sl_exprs_copy(ctx, own.g);
    def.rule = rules->rule;
    def.branches = rules->overdetermined_branches;
    def.most_steps = rules->most_steps;
    def.n_action = sl_sha_n_element(a, SL_SHA_ACTION);
    sl_expr *actions = list_actions(a, ctx, def.n_action);
    sl_status status = own.g && (actions || def.n_action == 0) ? SL_OK : SL_ERR_MEMORY;
    status = status == SL_OK ? find_set(&own, where, own.g, diags, &def) : status;
    status = status == SL_OK ? sl_sha_levels(a, ctx, &levels, &def.n_level) : status;
    def.levels = levels;
    def.actions = actions;
    status = status == SL_OK ? sl_sda_check(&own, &def, &report) : status;
    if (status == SL_OK) {
        put_verdicts(&report, facts);
        forget_used(a, &report);
        status = explain(m, &report, diags);
        sl_sda_report_fini(&report);
    }
    sl_free(ctx, levels, (size_t)def.n_level * sizeof *levels);
    sl_free(ctx, actions, (size_t)def.n_action * sizeof *actions);
    sl_exprs_destroy(own.g);
    return status;
}

static sl_status check_equations(const sl_automaton *m, sl_diags *diags, sl_automaton_facts *facts) {
    sl_structure structure = {.size = sizeof structure};
    sl_status status = sl_automaton_structure(m, NULL, NULL, NULL, diags, &structure);
    if (status == SL_OK || status == SL_ERR_INPUT) {
        facts->n_equation = structure.n_equation;
        facts->form = structure.form;
        facts->index = structure.index;
    }
    return status;
}

sl_status sl_automaton_examine_at(const sl_automaton *m, const sl_automaton_where *where, sl_diags *diags,
                                  sl_automaton_facts *out) {
    if (!SL_HANDLE_IS(m, SL_HANDLE_AUTOMATON) || !out) {
        return SL_ERR_USE;
    }
    const sl_sha *a = sl_automaton_get(m);
    const sl_sda *d = sl_sha_discrete(a);
    if (!sl_sized_valid(out)) {
        return SL_ERR_USE;
    }
    sl_automaton_facts facts = nothing;
    facts.n_discrete = sl_sda_n_variable(d);
    facts.n_transition = sl_sda_n_transition(d);
    facts.n_continuous = sl_sha_n_variable(a);
    facts.n_activity = sl_sha_n_element(a, SL_SHA_ACTIVITY);
    facts.n_action = sl_sha_n_element(a, SL_SHA_ACTION);
    facts.n_root = sl_sha_n_element(a, SL_SHA_ROOT);
    sl_status discrete = check_discrete(m, where, diags, &facts);
    bool goes_on = discrete == SL_OK || discrete == SL_ERR_INPUT;
    sl_status equations = goes_on ? check_equations(m, diags, &facts) : SL_OK;
    sl_sized_give(out, &facts, sizeof facts);
    return equations == SL_OK || !goes_on ? discrete : equations;
}

sl_status sl_automaton_examine(const sl_automaton *m, sl_diags *diags, sl_automaton_facts *out) {
    return sl_automaton_examine_at(m, NULL, diags, out);
}

sl_status sl_automaton_check(sl_context *ctx, const char *bytes, size_t n, const char *file, sl_diags *diags,
                             sl_automaton_facts *facts) {
    if (!ctx || !facts || (n > 0 && !bytes)) {
        return SL_ERR_USE;
    }
    sl_automaton *m = NULL;
    if (!sl_sized_valid(facts)) {
        return SL_ERR_USE;
    }
    sl_sized_give(facts, &nothing, sizeof nothing);
    sl_status status = sl_automaton_read(ctx, bytes, n, file, diags, &m);
    status = status == SL_OK ? sl_automaton_examine(m, diags, facts) : status;
    sl_automaton_destroy(m);
    return status;
}
