/* SPDX-License-Identifier: MIT */
/* facts.c: what can be told of an automaton without running it: verdicts about its discrete part (check.h), and the form of its
 * equations at the start (dae/structure.h).
 */
#include "automata/automaton.h"

#include "automata/check.h"
#include "base/memory.h"
#include "base/sized.h"

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

/* The findings as diagnostics. Several derivatives are no mistake where the run says which to take. SL_ERR_INPUT when there is
 * an error. */
static sl_status explain(const sl_automaton *m, const sl_sda_report *report, sl_diags *diags) {
    sl_diags *found = NULL;
    sl_execution_def run = sl_execution_default();
    (void)sl_automaton_get_run(m, &run);
    bool chosen = run.choices != SL_CHOICES_ERROR, branches = chosen && sl_automaton_branches(m);
    sl_status status = sl_diags_create(sl_automaton_context(m), &found);
    if (status != SL_OK) {
        return status;
    }
    sl_sda_report_explain(sl_sha_discrete(sl_automaton_get(m)), report, found);
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

static sl_status check_discrete(const sl_automaton *m, sl_diags *diags, sl_automaton_facts *facts) {
    const sl_sha *a = sl_automaton_get(m);
    const sl_sda *d = sl_sha_discrete(a);
    sl_check_def def = sl_check_default();
    sl_sda_report report = {0};
    def.rule = sl_sha_discrete_def(a)->rule;
    sl_status status = sl_sda_check(d, &def, &report);
    if (status == SL_OK) {
        facts->exclusive = sl_verdict_text(report.exclusive);
        facts->deterministic = sl_verdict_text(report.deterministic);
        facts->zeno_free = sl_verdict_text(report.zeno_free);
        facts->bound = report.zeno_free == SL_PROVED ? report.bound : 0;
        forget_used(a, &report);
        status = explain(m, &report, diags);
        sl_sda_report_fini(&report);
    }
    return status;
}

sl_status sl_automaton_structure(const sl_automaton *a, const int32_t *q, sl_diags *diags, sl_dae_structure *out) {
    const sl_hybrid_model *m = sl_automaton_model(a);
    sl_context *ctx = sl_automaton_context(a);
    void *instance = NULL;
    double t;
    int32_t n_x = 0, n_q = 0, id = 0;
    sl_hybrid_mode mode = {0};
    *out = (sl_dae_structure){0};
    sl_status status = m->ops->open(ctx, m->model, diags, &instance);
    if (status != SL_OK) {
        return status;
    }
    m->ops->sizes(instance, &n_x, &n_q);
    size_t bytes = ((size_t)n_x + 1) * sizeof(double) + ((size_t)n_q + 1) * sizeof(int32_t);
    double *x = sl_alloc(ctx, bytes);
    int32_t *start = x ? (int32_t *)(void *)(x + n_x + 1) : NULL;
    status = x ? SL_OK : SL_ERR_MEMORY;
    if (status == SL_OK) {
        m->ops->start(instance, &t, x, start);
        q = q ? q : start;
        status = m->ops->mode(instance, q, diags, &id);
        status = status == SL_OK ? m->ops->compile(instance, id, q, diags, &mode) : status;
    }
    if (status == SL_OK) {
        status = sl_dae_analyse(ctx, &mode.system.pattern, &mode.system, diags, out);
    }
    sl_free(ctx, x, x ? bytes : 0);
    m->ops->close(instance);
    return status;
}

static sl_status check_equations(const sl_automaton *m, sl_diags *diags, sl_automaton_facts *facts) {
    sl_dae_structure structure;
    sl_status status = sl_automaton_structure(m, NULL, diags, &structure);
    if (status == SL_OK || status == SL_ERR_INPUT) {
        facts->n_equation = structure.n_equation;
        facts->form = sl_dae_form_text(structure.form);
        facts->index = structure.index;
    }
    return status;
}

sl_status sl_automaton_examine(const sl_automaton *m, sl_diags *diags, sl_automaton_facts *out) {
    if (!m || !out) {
        return SL_ERR_USE;
    }
    const sl_sha *a = sl_automaton_get(m);
    const sl_sda *d = sl_sha_discrete(a);
    if (!sl_sized_valid(out)) {
        return SL_ERR_USE;
    }
    sl_automaton_facts facts = {.n_discrete = sl_sda_n_variable(d),
                                .n_transition = sl_sda_n_transition(d),
                                .n_continuous = sl_sha_n_variable(a),
                                .n_activity = sl_sha_n_element(a, SL_SHA_ACTIVITY),
                                .n_action = sl_sha_n_element(a, SL_SHA_ACTION),
                                .n_root = sl_sha_n_element(a, SL_SHA_ROOT),
                                .exclusive = "unknown",
                                .deterministic = "unknown",
                                .zeno_free = "unknown",
                                .form = ""};
    sl_status discrete = check_discrete(m, diags, &facts);
    sl_status equations = check_equations(m, diags, &facts);
    sl_sized_give(out, &facts, sizeof facts);
    return equations == SL_OK || (discrete != SL_OK && discrete != SL_ERR_INPUT) ? discrete : equations;
}

sl_status sl_automaton_check(sl_context *ctx, const char *bytes, size_t n, const char *file, sl_diags *diags,
                             sl_automaton_facts *facts) {
    if (!ctx || !facts || (n > 0 && !bytes)) {
        return SL_ERR_USE;
    }
    sl_automaton *m = NULL;
    const sl_automaton_facts nothing = {
        .exclusive = "unknown", .deterministic = "unknown", .zeno_free = "unknown", .form = ""};
    if (!sl_sized_valid(facts)) {
        return SL_ERR_USE;
    }
    sl_sized_give(facts, &nothing, sizeof nothing);
    sl_status status = sl_automaton_read(ctx, bytes, n, file, diags, &m);
    status = status == SL_OK ? sl_automaton_examine(m, diags, facts) : status;
    sl_automaton_destroy(m);
    return status;
}
