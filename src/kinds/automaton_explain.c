/* SPDX-License-Identifier: MIT */
/* automaton_explain.c: pages that explain an automaton: all of it, what is in force in a discrete state, or what is at a time of its
 * execution, with the kind of equations there and what happened last.
 */
#include "kinds/rows.h"
#include "kinds/sheet.h"

#include "automata/automaton.h"
#include "automata/explain.h"
#include "base/memory.h"
#include "base/out.h"
#include "base/report.h"
#include "engine/facets.h"

#include <math.h>
#include <string.h>

enum { LAST = 8 }; /* events that are shown */
/* Lines about what is integrated: a count, a line per role, equations that were differentiated. */
enum { LINE_UNKNOWNS = 0, LINE_ROLES, LINE_EQUATIONS = LINE_ROLES + SL_DAE_N_ROLE, N_REDUCED, REDUCED = 400 };

typedef struct page {
    sl_context *ctx;
    sl_automaton *m;
    const sl_sha *a;
    sl_diags *diags;
    sl_model *model;
    sl_session *s; /* NULL: nothing is run */
    int32_t n_q;
    sl_explain_def def;
    int32_t *known; /* [n_q] */
    int32_t step;   /* discrete time */
    char when[128], equations[256];
    sl_explain_line lines[LAST];
    char labels[LAST][32], texts[LAST][224];
    sl_explain_line reduced[N_REDUCED];
    char reduced_texts[N_REDUCED][REDUCED];
} page;

/* ---- A discrete state --------------------------------------------------------------------------- */

static sl_status read_mode(page *p, const char *mode) {
    bool fine = sl_automaton_read_states(p->m, "mode", mode, p->known, NULL, p->diags);
    (void)sl_format(p->when, sizeof p->when, "where %.100s", mode);
    return fine ? SL_OK : SL_ERR_INPUT;
}

/* ---- A time of the execution -------------------------------------------------------------------- */

static bool tells_something(const sl_event_info *e) {
    return strcmp(e->kind, "stop") != 0 && strcmp(e->kind, "settled") != 0;
}

/* The latest events, the last one first. */
static void show_events(page *p) {
    bool steps = sl_automaton_is_discrete(p->m);
    sl_event_info e = {.size = sizeof e};
    for (int64_t i = sl_session_n_event(p->s) - 1; i >= 0 && p->def.n_line < LAST; i--) {
        int32_t k = p->def.n_line;
        (void)sl_session_event(p->s, i, &e);
        if (!tells_something(&e)) {
            continue;
        }
        (void)sl_format(p->labels[k], sizeof p->labels[k], steps ? "t = %.9g" : "%.9g s", e.time);
        int n = sl_format(p->texts[k], sizeof p->texts[k], "%s%s%.60s", e.kind, e.cause[0] ? " " : "", e.cause);
        if (e.element[0]) {
            (void)sl_format(p->texts[k] + n, sizeof p->texts[k] - (size_t)n, ": %.60s from %.9g to %.9g", e.element,
                            e.from, e.to);
        }
        p->lines[k] = (sl_explain_line){p->labels[k], p->texts[k]};
        p->def.n_line++;
    }
    p->def.lines = p->lines;
}

static sl_status advance(page *p, const sl_page_def *what) {
    sl_status status = sl_model_of_automaton(p->ctx, p->m, &p->model);
    status = status == SL_OK ? sl_session_create(p->ctx, p->model, p->diags, &p->s) : status;
    status = status == SL_OK ? sl_session_record_events(p->s, true) : status;
    return status == SL_OK ? sl_sheet_advance(p->s, what) : status;
}

/* An execution that makes steps may end before that time: then what is there is shown. */
static sl_status show_steps(page *p, sl_status status) {
    sl_facet_discrete_run facet = {.size = sizeof facet};
    if (status != SL_OK && status != SL_ERR_SOLVE) {
        return status;
    }
    status = sl_session_facet(p->s, SL_FACET_DISCRETE_RUN, &facet);
    if (status != SL_OK) {
        return status;
    }
    sl_sda_state state = sl_sda_run_state(facet.run);
    p->step = (int32_t)sl_session_time(p->s);
    p->def.step = &p->step;
    (void)sl_format(p->when, sizeof p->when, "at t = %d%s%s", (int)p->step,
                    state == SL_SDA_RUNNING ? "" : ", where the execution ends: ",
                    state == SL_SDA_RUNNING ? "" : sl_sda_state_text(state));
    return SL_OK;
}

static sl_status show_motion(page *p, double at, sl_status status) {
    int32_t n = 0;
    if (status != SL_OK && p->s) {
        sl_diags_add_all(p->diags, sl_session_diags(p->s));
    }
    if (status == SL_OK) {
        (void)sl_format(p->when, sizeof p->when, "at %.9g s", at);
        p->def.x = sl_session_view(p->s, sl_session_field(p->s, "variable.value"), &n);
        p->def.dx = sl_session_view(p->s, sl_session_field(p->s, "variable.derivative"), &n);
    }
    return status;
}

/* The time at which it ends, or the number of its steps. */
static sl_status set_duration(page *p, const sl_option_time *duration) {
    char why[SL_OPTION_ERROR_MAX];
    bool steps = sl_automaton_is_discrete(p->m);
    sl_execution_def run = sl_execution_default();
    if (!duration->is_given) {
        return SL_OK;
    }
    if (!sl_option_time_fits("--duration", duration, steps, why)) {
        sl_report(p->diags, SL_ERROR, SL_CODE_NOT_ALLOWED, NULL, NULL, NULL, NULL, "%s", why);
        return SL_ERR_UNSUPPORTED;
    }
    sl_status status = sl_automaton_get_run(p->m, &run);
    if (steps) {
        run.n_step = (int32_t)fmin(duration->value, INT32_MAX);
    } else {
        run.end = duration->value;
    }
    return status == SL_OK ? sl_automaton_set_run(p->m, &run) : status;
}

static sl_status run_to(page *p, const sl_page_def *what) {
    char why[SL_OPTION_ERROR_MAX];
    double at = what->at.value;
    bool steps = sl_automaton_is_discrete(p->m);
    double end = sl_automaton_model(p->m)->def.end;
    if (!sl_option_time_fits("--time", &what->at, steps, why)) {
        sl_report(p->diags, SL_ERROR, SL_CODE_NOT_ALLOWED, NULL, NULL, NULL, NULL, "%s", why);
        return SL_ERR_UNSUPPORTED;
    }
    if (!steps && at > end) {
        sl_report(p->diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, "automaton", sl_automaton_name(p->m),
                  "take an earlier time, or let it run longer (run: end)", "ends at %.9g s, before %.9g s", end, at);
        return SL_ERR_INPUT;
    }
    sl_status status = advance(p, what);
    status = steps ? show_steps(p, status) : show_motion(p, at, status);
    if (status != SL_OK) {
        return status;
    }
    int32_t n = 0;
    const double *q = sl_session_view(p->s, sl_session_field(p->s, "discrete.state"), &n);
    for (int32_t j = 0; q && j < n; j++) {
        p->known[j] = (int32_t)q[j];
    }
    show_events(p);
    return SL_OK;
}

/* ---- The page ----------------------------------------------------------------------------------- */

/* Adds a name to a line, or a sign that there are more. */
static void add_name(char *line, const sl_structure_item *item) {
    size_t n = strlen(line);
    const char *between = n ? ", " : "";
    if (n + strlen(item->name) + 32 > REDUCED) {
        bool ends = n >= 3 && strcmp(line + n - 3, "...") == 0;
        (void)sl_format(line + n, REDUCED - n, ends ? "" : ", ...");
    } else if (item->is_equation) {
        (void)sl_format(line + n, REDUCED - n, item->order == 1 ? "%s%s" : "%s%s (%d times)", between, item->name,
                        (int)item->order);
    } else if (item->order > 1) {
        (void)sl_format(line + n, REDUCED - n, "%sder(%s, %d)", between, item->name, (int)item->order);
    } else {
        (void)sl_format(line + n, REDUCED - n, item->order == 1 ? "%sder(%s)" : "%s%s", between, item->name);
    }
}

static void add_item(void *user, const sl_structure_item *item) {
    page *p = user;
    bool is_own = item->order == 0 || item->role == SL_DAE_STATE || item->role == SL_DAE_DUMMY ||
                  item->role == SL_DAE_ALGEBRAIC; /* derivatives of what is explicit are too */
    if (item->is_equation || is_own) {
        add_name(p->reduced_texts[item->is_equation ? LINE_EQUATIONS : LINE_ROLES + (int)item->role], item);
    }
}

/* What is integrated, where that is not what is written. */
static void describe_reduction(page *p, const sl_structure *s) {
    static const char *const labels[N_REDUCED] = {
        [LINE_UNKNOWNS] = "integrated",
        [LINE_ROLES + SL_DAE_STATE] = "states",
        [LINE_ROLES + SL_DAE_DUMMY] = "follow from constraints",
        [LINE_ROLES + SL_DAE_ALGEBRAIC] = "algebraic",
        [LINE_ROLES + SL_DAE_EXPLICIT] = "explicit",
        [LINE_ROLES + SL_DAE_ALIAS] = "aliases",
        [LINE_ROLES + SL_DAE_RATE] = "rates",
        [LINE_EQUATIONS] = "differentiated",
    };
    if (s->n_differentiated + s->n_alias + s->n_explicit == 0) {
        return;
    }
    char *text = p->reduced_texts[LINE_UNKNOWNS];
    if (s->n_unknown == 0) {
        (void)sl_format(text, REDUCED, "0 equations: all variables are explicit in time");
    } else {
        (void)sl_format(text, REDUCED, "%d equation%s: %d state%s and %d algebraic variable%s", (int)s->n_unknown,
                        s->n_unknown == 1 ? "" : "s", (int)s->n_state, s->n_state == 1 ? "" : "s", (int)s->n_algebraic,
                        s->n_algebraic == 1 ? "" : "s");
    }
    for (int k = 0; k < N_REDUCED; k++) {
        if (p->reduced_texts[k][0]) {
            p->reduced[p->def.n_reduced++] = (sl_explain_line){labels[k], p->reduced_texts[k]};
        }
    }
    p->def.reduced = p->reduced;
}

/* The kind of equations, where all discrete variables are known. */
static sl_status describe_equations(page *p) {
    sl_structure s = {.size = sizeof s};
    bool all = p->def.q && sl_sha_n_element(p->a, SL_SHA_ACTIVITY) > 0;
    for (int32_t j = 0; j < p->n_q && all; j++) {
        all = p->known[j] >= 0;
    }
    if (!all) {
        return SL_OK;
    }
    sl_status status = sl_automaton_structure(p->m, p->known, add_item, p, p->diags, &s);
    if (status == SL_OK) {
        (void)sl_format(p->equations, sizeof p->equations,
                        "%d equation%s: %s; index %d; %d of %d variable%s may be given at the start.",
                        (int)s.n_equation, s.n_equation == 1 ? "" : "s", s.form, (int)s.index, (int)s.n_free,
                        (int)s.n_variable, s.n_variable == 1 ? "" : "s");
        describe_reduction(p, &s);
    } else if (status == SL_ERR_INPUT) { /* diagnostics report it too; the page shows why */
        (void)sl_format(p->equations, sizeof p->equations, "%d equations for %d variables: not determined.",
                        (int)s.n_equation, (int)s.n_variable);
        status = SL_OK;
    }
    p->def.equations = p->equations;
    return status;
}

static sl_status write_page(page *p, const sl_page_def *what, const sl_sink *sink) {
    static const sl_explain_form forms[] = {SL_EXPLAIN_TEXT, SL_EXPLAIN_HTML, SL_EXPLAIN_TEX, SL_EXPLAIN_JSON};
    size_t n = ((size_t)p->n_q + 1) * sizeof *p->known;
    p->known = sl_alloc(p->ctx, n);
    if (!p->known) {
        return SL_ERR_MEMORY;
    }
    memset(p->known, -1, n);
    p->def.form = forms[what->form];
    p->def.name = sl_automaton_name(p->m);
    p->def.when = p->when;
    p->def.q = what->mode || what->at.is_given ? p->known : NULL;
    sl_status status = what->mode ? read_mode(p, what->mode) : what->at.is_given ? run_to(p, what) : SL_OK;
    status = status == SL_OK ? describe_equations(p) : status;
    status = status == SL_OK ? sl_sha_explain(p->a, &p->def, sink) : status;
    sl_free(p->ctx, p->known, n);
    return status;
}

sl_status sl_automaton_explain(const sl_load *load, const sl_page_def *def, const sl_sink *sink) {
    const sl_source *source = load->source;
    sl_status status = sl_sheet_refuse_elements(def, load->diags, "an automaton",
                                                "its variables are on the page; --mode selects a discrete state");
    page *p = status == SL_OK ? sl_alloc(load->ctx, sizeof *p) : NULL;
    if (!p) {
        return status == SL_OK ? SL_ERR_MEMORY : status;
    }
    *p = (page){.ctx = load->ctx, .diags = load->diags};
    status = sl_automaton_read(load->ctx, source->bytes, source->n, source->name, load->diags, &p->m);
    if (status == SL_OK) {
        p->a = sl_automaton_get(p->m);
        p->n_q = sl_automaton_n_discrete(p->m);
        status = set_duration(p, &def->duration);
        status = status == SL_OK ? write_page(p, def, sink) : status;
    }
    sl_session_destroy(p->s);
    sl_model_destroy(p->model);
    sl_automaton_destroy(p->m);
    sl_free(load->ctx, p, sizeof *p);
    return status;
}
