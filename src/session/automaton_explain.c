/* SPDX-License-Identifier: MIT */
/* automaton_explain.c: pages that explain an automaton: all of it, what is in force in a discrete state, or what is at a time of its
 * execution, with the kind of equations there and what happened last.
 */
#include "session/execution_log_impl.h"

#include "automata/explain.h"
#include "base/ids.h"
#include "base/number.h"
#include "base/report.h"

#include <math.h>
#include <string.h>

enum { LAST = 8 }; /* events that are shown */

typedef struct page {
    sl_execution_log t;
    sl_explain_def def;
    int32_t *known; /* [n_q] */
    int32_t step;   /* discrete time */
    char when[128], equations[256];
    sl_explain_line lines[LAST];
    struct {
        char label[32], text[224];
    } last[LAST]; /* a ring */
    int64_t n_last;
} page;

/* ---- A discrete state --------------------------------------------------------------------------- */

/* The variable of this name, or -1 and an error with the nearest one. */
static int32_t find_discrete(page *p, sl_str name) {
    const sl_sda *d = sl_sha_discrete(p->t.a);
    int32_t best = -1, least = 3;
    for (int32_t j = 0; j < p->t.n_q; j++) {
        int32_t distance = (int32_t)sl_edit_distance(name, sl_sda_variable_name(d, j), least);
        if (distance == 0) {
            return j;
        }
        best = distance < least ? j : best;
        least = distance < least ? distance : least;
    }
    char hint[160];
    (void)sl_format(hint, sizeof hint, best >= 0 ? "did you mean '%.100s'?" : "write discrete variables, as q=1,p=0",
                    best >= 0 ? p->t.names[p->t.n_x + best] : "");
    sl_report(p->t.diags, SL_ERROR, SL_CODE_VARIABLE, NULL, "mode", NULL, hint, "there is no discrete variable '%.*s'",
              (int)name.len, name.ptr);
    return -1;
}

/* "q=1" */
static bool read_value(page *p, sl_str item) {
    const char *equals = memchr(item.ptr, '=', item.len);
    sl_str name = {item.ptr, equals ? (size_t)(equals - item.ptr) : item.len};
    sl_str text = {item.ptr + name.len + 1, equals ? item.len - name.len - 1 : 0};
    int64_t value = 0;
    int32_t j = find_discrete(p, name);
    if (j < 0) {
        return false;
    }
    int32_t n = sl_sda_domain(sl_sha_discrete(p->t.a), j);
    if (!equals || sl_number_parse_int(text, &value) != SL_NUMBER_OK || value < 0 || value >= n) {
        sl_report(p->t.diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, "mode", NULL, "write it as q=1",
                  "'%.*s' needs a value from 0 to %d, not '%.*s'", (int)name.len, name.ptr, (int)n - 1, (int)text.len,
                  equals ? text.ptr : "");
        return false;
    }
    if (p->known[j] >= 0 && p->known[j] != value) {
        sl_report(p->t.diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, "mode", NULL, "give one of them",
                  "'%.*s' cannot be %d and %d", (int)name.len, name.ptr, (int)p->known[j], (int)value);
        return false;
    }
    p->known[j] = (int32_t)value;
    return true;
}

/* Up to a comma that is not within brackets: names have indices. */
static size_t item_length(const char *at) {
    size_t n = 0;
    for (int depth = 0; at[n] && (at[n] != ',' || depth > 0); n++) {
        depth += (at[n] == '[') - (at[n] == ']');
    }
    return n;
}

static sl_status read_mode(page *p, const char *mode) {
    bool fine = true;
    for (const char *at = mode; *at;) {
        size_t n = item_length(at);
        while (n > 0 && *at == ' ') {
            at++;
            n--;
        }
        fine = (n == 0 || read_value(p, (sl_str){at, n})) && fine;
        at += n + (at[n] == ',');
    }
    (void)sl_format(p->when, sizeof p->when, "where %.100s", mode);
    return fine ? SL_OK : SL_ERR_INPUT;
}

/* ---- A time of the execution -------------------------------------------------------------------- */

static sl_status on_begin(void *user, const sl_execution_log_columns *columns) {
    (void)user;
    (void)columns;
    return SL_OK;
}

static sl_status on_end(void *user, const sl_execution_log_end *end) {
    (void)user;
    (void)end;
    return SL_OK;
}

static sl_status on_event(void *user, const sl_execution_log_event *e) {
    page *p = user;
    if (strcmp(e->kind, "stop") == 0 || strcmp(e->kind, "settled") == 0) {
        return SL_OK;
    }
    bool discrete = sl_automaton_is_discrete(p->t.m);
    int k = (int)(p->n_last++ % LAST);
    (void)sl_format(p->last[k].label, sizeof p->last[k].label, discrete ? "t = %.9g" : "%.9g s", e->t);
    char *to = p->last[k].text;
    size_t room = sizeof p->last[k].text;
    int n = sl_format(to, room, "%s%s%.60s", e->kind, e->what[0] ? " " : "", e->what);
    if (e->variable) {
        (void)sl_format(to + n, room - (size_t)n, ": %.60s from %.9g to %.9g", e->variable, e->from, e->to);
    }
    return SL_OK;
}

static sl_status run_discrete(page *p, double at) {
    sl_execution_log *t = &p->t;
    sl_sda_run *run = NULL;
    sl_status status = sl_sda_run_create(sl_sha_discrete(t->a), t->q, sl_sha_discrete_def(t->a), &run);
    while (status == SL_OK && sl_sda_run_state(run) == SL_SDA_RUNNING && sl_sda_run_time(run) + 1 <= at) {
        int32_t before = sl_sda_run_time(run), n = 0;
        (void)sl_sda_run_step(run, 0);
        const sl_sda_change *changes = sl_sda_run_changes(run, before, &n);
        for (int32_t k = 0; k < n && status == SL_OK; k++) {
            sl_execution_log_name_transitions(t, changes[k].variable, before);
            status = sl_execution_log_add_event(t, before + 1, "transition", t->n_x + changes[k].variable,
                                                changes[k].from, changes[k].to);
        }
        memcpy(t->q, sl_sda_run_values(run), (size_t)t->n_q * sizeof *t->q);
    }
    if (status == SL_OK) {
        sl_sda_state state = sl_sda_run_state(run);
        p->step = sl_sda_run_time(run);
        p->def.step = &p->step;
        (void)sl_format(p->when, sizeof p->when, "at t = %d%s%s", (int)sl_sda_run_time(run),
                        state == SL_SDA_RUNNING ? "" : ", where the execution ends: ",
                        state == SL_SDA_RUNNING ? "" : sl_sda_state_text(state));
        status = state == SL_SDA_FAILED ? SL_ERR_MEMORY : SL_OK;
    }
    sl_sda_run_destroy(run);
    return status;
}

static sl_status run_hybrid(page *p, double at) {
    double end = sl_automaton_model(p->t.m)->def.end;
    if (at > end) {
        sl_report(p->t.diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, "automaton", sl_automaton_name(p->t.m),
                  "take an earlier time, or let it run longer (run: end)", "ends at %.9g s, before %.9g s", end, at);
        return SL_ERR_INPUT;
    }
    sl_status status = sl_execution_log_hybrid(&p->t, at);
    (void)sl_format(p->when, sizeof p->when, "at %.9g s", at);
    p->def.x = p->t.x;
    p->def.dx = p->t.dx;
    return status;
}

static sl_status run_to(page *p, double at) {
    sl_status status = (sl_automaton_is_discrete(p->t.m) ? run_discrete : run_hybrid)(p, at);
    if (p->t.n_q > 0) {
        memcpy(p->known, p->t.q, (size_t)p->t.n_q * sizeof *p->known);
    }
    for (p->def.n_line = 0; p->def.n_line < LAST && p->def.n_line < p->n_last; p->def.n_line++) {
        int k = (int)((p->n_last - 1 - p->def.n_line) % LAST); /* the latest first */
        p->lines[p->def.n_line] = (sl_explain_line){p->last[k].label, p->last[k].text};
    }
    p->def.lines = p->lines;
    return status;
}

/* ---- The page ----------------------------------------------------------------------------------- */

/* The kind of equations, where all discrete variables are known. */
static sl_status describe_equations(page *p) {
    sl_dae_structure s;
    bool all = p->def.q && sl_sha_n_element(p->t.a, SL_SHA_ACTIVITY) > 0;
    for (int32_t j = 0; j < p->t.n_q && all; j++) {
        all = p->known[j] >= 0;
    }
    if (!all) {
        return SL_OK;
    }
    sl_status status = sl_automaton_structure(p->t.m, p->known, p->t.diags, &s);
    if (status == SL_OK) {
        (void)sl_format(p->equations, sizeof p->equations,
                        "%d equation%s: %s; index %d; %d of %d variable%s may be given at the start.",
                        (int)s.n_equation, s.n_equation == 1 ? "" : "s", sl_dae_form_text(s.form), (int)s.index,
                        (int)s.n_free, (int)s.n_variable, s.n_variable == 1 ? "" : "s");
    } else if (status == SL_ERR_INPUT) { /* told by diagnostics too; the page is for looking at why */
        (void)sl_format(p->equations, sizeof p->equations, "%d equations for %d variables: not determined.",
                        (int)s.n_equation, (int)s.n_variable);
        status = SL_OK;
    }
    p->def.equations = p->equations;
    return status;
}

static sl_status write_page(page *p, const sl_automaton_explain_def *what, const sl_sink *sink) {
    static const sl_explain_form forms[] = {SL_EXPLAIN_TEXT, SL_EXPLAIN_HTML, SL_EXPLAIN_TEX};
    p->known = sl_arena_alloc(&p->t.arena, (size_t)p->t.n_q * sizeof *p->known);
    if (!p->known) {
        return SL_ERR_MEMORY;
    }
    for (int32_t j = 0; j < p->t.n_q; j++) {
        p->known[j] = -1;
    }
    p->def.form = forms[what->form];
    p->def.name = sl_automaton_name(p->t.m);
    p->def.when = p->when;
    p->def.q = what->mode || !isnan(what->at) ? p->known : NULL;
    sl_status status = what->mode ? read_mode(p, what->mode) : !isnan(what->at) ? run_to(p, what->at) : SL_OK;
    status = status == SL_OK ? describe_equations(p) : status;
    return status == SL_OK ? sl_sha_explain(p->t.a, &p->def, sink) : status;
}

sl_status sl_automaton_explain(sl_context *ctx, const char *bytes, size_t n, const char *name,
                               const sl_automaton_explain_def *what, sl_diags *diags, const sl_sink *sink) {
    sl_automaton *m = NULL;
    sl_execution_log_def def = sl_execution_log_default();
    page *p = sl_alloc(ctx, sizeof *p);
    sl_execution_log_handler handler = {
        .user = p, .begin = on_begin, .event = on_event, .ended = on_end, .stopped = what->stopped};
    sl_status status = p ? sl_automaton_read(ctx, bytes, n, name, diags, &m) : SL_ERR_MEMORY;
    if (status == SL_OK) {
        status = sl_execution_log_init(&p->t, ctx, m, &def, &handler, diags);
        status = status == SL_OK ? write_page(p, what, sink) : status;
        sl_execution_log_fini(&p->t);
    }
    sl_automaton_destroy(m);
    sl_free(ctx, p, p ? sizeof *p : 0);
    return status;
}
