/* model_automaton.c: models of automata, and what can be told of them without a run: the one file of the session that knows them.
 */
#include "session/session_impl.h"

#include <sluice/automaton.h>

#include "automata/check.h"
#include "automata/read.h"
#include "session/trace_impl.h"

/* What the engine takes, and what owns it. */
typedef struct automaton_model {
    sl_hybrid_model engine; /* first: the engine sees this */
    sl_context *ctx;
    sl_automaton *automaton;
} automaton_model;

static void release(void *model) {
    automaton_model *m = model;
    sl_automaton_destroy(m->automaton);
    sl_free(m->ctx, m, sizeof *m);
}

sl_status sl_model_from_automaton(sl_context *ctx, const char *bytes, size_t n, const char *name, sl_diags *diags,
                                  sl_model **out) {
    *out = NULL;
    automaton_model *m = sl_alloc(ctx, sizeof *m);
    if (!m) {
        return SL_ERR_MEMORY;
    }
    m->ctx = ctx;
    sl_status status = sl_automaton_read(ctx, bytes, n, name, diags, &m->automaton);
    if (status == SL_OK) {
        m->engine = *sl_automaton_model(m->automaton);
        status = sl_model_from_engine(ctx, &sl_hybrid_engine, m, out);
    }
    if (status != SL_OK) {
        release(m);
        return status;
    }
    (*out)->release = release;
    return SL_OK;
}

/* ---- Checks ------------------------------------------------------------------------------------- */

/* Does the hybrid part read the variable in a guard, or does a root decide it? */
static bool is_used(const sl_sha *a, int32_t variable) {
    sl_exprs *g = sl_sha_graph(a);
    bool used = false;
    for (int kind = 0; kind < SL_SHA_N_KIND && !used; kind++) {
        for (int32_t i = 0; i < sl_sha_n_part(a, (sl_sha_kind)kind) && !used; i++) {
            sl_sha_part part = sl_sha_get_part(a, (sl_sha_kind)kind, i);
            sl_expr_list leaves = {0};
            used = kind == SL_SHA_ROOT && part.variable == variable;
            bool found = sl_expr_leaves(g, 1, &part.guard, &leaves) == SL_OK;
            for (int64_t k = 0; k < leaves.n && found && !used; k++) {
                used = sl_expr_op(g, leaves.at[k]) == SL_OP_VARIABLE &&
                       sl_sda_variable_of(sl_sha_discrete(a), sl_expr_symbol(g, leaves.at[k])) == variable;
            }
            sl_expr_list_fini(g, &leaves);
        }
    }
    return used;
}

/* The discrete part alone cannot know who else uses its variables. */
static void forget_used(const sl_sha *a, sl_sda_report *report) {
    int64_t n = 0;
    for (int64_t k = 0; k < report->n_finding; k++) {
        const sl_finding *f = &report->findings[k];
        if (f->kind != SL_FINDING_UNUSED || !is_used(a, f->variable)) {
            report->findings[n++] = *f;
        }
    }
    report->n_finding = n;
}

static sl_status check_discrete(const sl_sha *a, sl_diags *diags, sl_automaton_facts *facts) {
    const sl_sda *d = sl_sha_discrete(a);
    sl_check_def def = sl_check_default();
    sl_sda_report report = {0};
    sl_status status = sl_sda_check(d, &def, &report);
    if (status == SL_OK) {
        facts->exclusive = sl_verdict_text(report.exclusive);
        facts->deterministic = sl_verdict_text(report.deterministic);
        facts->zeno_free = sl_verdict_text(report.zeno_free);
        facts->bound = report.zeno_free == SL_PROVED ? report.bound : 0;
        forget_used(a, &report);
        sl_sda_report_explain(d, &report, diags);
        status = report.deterministic == SL_REFUTED || report.zeno_free == SL_REFUTED ? SL_ERR_INPUT : SL_OK;
        sl_sda_report_fini(&report);
    }
    return status;
}

sl_status sl_automaton_structure(sl_context *ctx, const sl_hybrid_model *m, const int32_t *q, sl_diags *diags,
                                 sl_dae_structure *out) {
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
        status = m->ops->mode(instance, q ? q : start, diags, &id);
        status = status == SL_OK ? m->ops->compile(instance, id, q ? q : start, diags, &mode) : status;
    }
    if (status == SL_OK) {
        status = sl_dae_analyse(ctx, &mode.system.pattern, &mode.system, diags, out);
    }
    sl_free(ctx, x, x ? bytes : 0);
    m->ops->close(instance);
    return status;
}

/* The equations of the mode at the start. */
static sl_status check_equations(sl_context *ctx, const sl_hybrid_model *m, sl_diags *diags,
                                 sl_automaton_facts *facts) {
    sl_dae_structure structure;
    sl_status status = sl_automaton_structure(ctx, m, NULL, diags, &structure);
    if (status == SL_OK || status == SL_ERR_INPUT) {
        facts->n_equation = structure.n_equation;
        facts->form = sl_dae_form_text(structure.form);
        facts->index = structure.index;
    }
    return status;
}

sl_status sl_automaton_check(sl_context *ctx, const char *bytes, size_t n, const char *name, sl_diags *diags,
                             sl_automaton_facts *facts) {
    sl_automaton *m = NULL;
    *facts =
        (sl_automaton_facts){.exclusive = "unknown", .deterministic = "unknown", .zeno_free = "unknown", .form = ""};
    sl_status status = sl_automaton_read(ctx, bytes, n, name, diags, &m);
    if (status != SL_OK) {
        return status;
    }
    const sl_sha *a = sl_automaton_get(m);
    const sl_sda *d = sl_sha_discrete(a);
    facts->n_discrete = sl_sda_n_variable(d);
    facts->n_transition = sl_sda_n_transition(d);
    facts->n_continuous = sl_sha_n_variable(a);
    facts->n_activity = sl_sha_n_part(a, SL_SHA_ACTIVITY);
    facts->n_action = sl_sha_n_part(a, SL_SHA_ACTION);
    facts->n_root = sl_sha_n_part(a, SL_SHA_ROOT);
    sl_status discrete = check_discrete(a, diags, facts);
    sl_status equations = check_equations(ctx, sl_automaton_model(m), diags, facts);
    sl_automaton_destroy(m);
    return equations == SL_OK || (discrete != SL_OK && discrete != SL_ERR_INPUT) ? discrete : equations;
}
