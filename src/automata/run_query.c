/* SPDX-License-Identifier: MIT */
/* run_query.c: queries of an execution: derivatives, history, and why it ended. */
#include "automata/sda_impl.h"
#include "base/out.h"

sl_sda_state sl_sda_run_state(const sl_sda_run *run) {
    return run->state;
}
int32_t sl_sda_run_time(const sl_sda_run *run) {
    return run->t;
}
int32_t sl_sda_run_value(const sl_sda_run *run, int32_t variable) {
    return run->q[variable];
}
const int32_t *sl_sda_run_values(const sl_sda_run *run) {
    return run->q;
}
int64_t sl_sda_run_n_choice(const sl_sda_run *run) {
    return run->state == SL_SDA_UNSOLVABLE || run->state == SL_SDA_GAVE_UP ? 0 : run->n_choice;
}
bool sl_sda_run_is_truncated(const sl_sda_run *run) {
    return run->truncated;
}
const int32_t *sl_sda_run_active(const sl_sda_run *run, int32_t *n) {
    *n = (int32_t)run->active.n;
    return run->active.at;
}
void sl_sda_run_cycle(const sl_sda_run *run, int32_t *first, int32_t *length) {
    bool zeno = run->state == SL_SDA_ZENO;
    *first = zeno ? run->cycle_first : 0;
    *length = zeno ? run->cycle_length : 0;
}
int64_t sl_sda_run_n_evaluated(const sl_sda_run *run) {
    return sl_live_n_evaluated(run->live);
}

const int32_t *sl_sda_equations_of(const sl_sda *a, int32_t variable, int32_t *n) {
    *n = a->first_user[variable + 1] - a->first_user[variable];
    return a->users + a->first_user[variable];
}

void sl_sda_name_transitions(const sl_sda *a, int32_t variable, int32_t n, const int32_t *transitions,
                             void (*name)(void *user, const char *symbol), void *user) {
    int32_t n_user, k = 0;
    const int32_t *users = sl_sda_equations_of(a, variable, &n_user);
    for (int32_t i = 0; i < n_user; i++) { /* both are ascending */
        while (k < n && transitions[k] < users[i]) {
            k++;
        }
        if (k < n && transitions[k] == users[i]) {
            name(user, sl_sda_symbol(a, users[i]));
        }
    }
}

int32_t sl_sda_run_derivative(const sl_sda_run *run, int64_t choice, int32_t variable) {
    for (int64_t k = 0; k < run->groups.n; k++) {
        const sl_sda_group *group = &run->groups.at[k];
        int64_t solution = choice % group->n_solution;
        choice /= group->n_solution;
        int64_t slot = run->slot_of[variable];
        if (run->group_of[variable] == k && slot < group->n_variable &&
            run->group_variables.at[group->first_variable + slot] == variable) {
            return run->values.at[group->first_value + solution * group->n_variable + slot];
        }
    }
    return 0;
}

const sl_sda_change *sl_sda_run_changes(const sl_sda_run *run, int32_t t, int32_t *n) {
    *n = 0;
    t -= run->t0;
    if (t < 0 || t >= run->starts.n) {
        return NULL;
    }
    int64_t end = t + 1 < run->starts.n ? run->starts.at[t + 1] : run->changes.n;
    *n = (int32_t)(end - run->starts.at[t]);
    return run->changes.at + run->starts.at[t];
}

int32_t sl_sda_run_value_at(const sl_sda_run *run, int32_t variable, int32_t t) {
    int32_t value = run->q[variable];
    int64_t first = t - run->t0 < run->starts.n ? run->starts.at[t - run->t0] : run->changes.n;
    for (int64_t i = run->changes.n - 1; i >= first; i--) {
        if (run->changes.at[i].variable == variable) {
            value = run->changes.at[i].from;
        }
    }
    return value;
}

/* ---- Why it ended --------------------------------------------------------------------------------------- */

enum { SHOWN = 8 }; /* names in a message */

static void append_transition(const sl_sda *a, sl_bytes *text, int32_t j, const char *before) {
    sl_out out;
    sl_sink sink = sl_bytes_sink(text);
    sl_out_init(&out, &sink);
    sl_out_z(&out, before);
    sl_out_z(&out, "0 = ");
    sl_out_flush(&out);
    (void)sl_expr_render(a->g, sl_sda_equation(a, j), SL_EXPR_TEXT, &sink);
    if (a->transitions.at[j].symbol[0]) {
        sl_out_init(&out, &sink);
        sl_out_printf(&out, " (%s)", a->transitions.at[j].symbol);
        sl_out_flush(&out);
    }
}

static void append_names(const sl_sda_run *run, sl_bytes *text, int32_t n, const int32_t *variables) {
    sl_out out;
    sl_sink sink = sl_bytes_sink(text);
    sl_out_init(&out, &sink);
    for (int32_t i = 0; i < n && i < SHOWN; i++) {
        sl_out_z(&out, i ? ", " : "");
        sl_out_str(&out, sl_sda_variable_name(run->a, variables[i]));
    }
    sl_out_z(&out, n > SHOWN ? ", ..." : "");
    sl_out_flush(&out);
}

static void explain_unsolvable(const sl_sda_run *run, sl_bytes *text, sl_diags *diags) {
    for (int64_t i = 0; i < run->conflict.n && i < SHOWN; i++) {
        append_transition(run->a, text, run->conflict.at[i], i ? "; " : "");
    }
    sl_report(diags, SL_ERROR, run->state == SL_SDA_UNSOLVABLE ? SL_CODE_UNSOLVABLE : SL_CODE_STEP_FAILED, NULL, NULL,
              NULL,
              run->state == SL_SDA_UNSOLVABLE
                  ? "guards of equations for one variable should exclude each other"
                  : "write equations for fewer unknowns each; --effort 10 allows ten times as many",
              run->state == SL_SDA_UNSOLVABLE ? "at t = %d no derivative satisfies %.*s"
                                              : "at t = %d there are too many combinations to solve %.*s",
              (int)run->t, (int)text->n, text->n ? text->at : "");
}

static void explain_choice(const sl_sda_run *run, sl_bytes *text, sl_diags *diags) {
    for (int64_t k = 0; k < run->groups.n; k++) {
        const sl_sda_group *group = &run->groups.at[k];
        if (group->n_solution > 1) {
            append_names(run, text, (int32_t)group->n_variable, run->group_variables.at + group->first_variable);
            sl_report(diags, SL_ERROR, SL_CODE_NONDETERMINISTIC, NULL, NULL, NULL,
                      "choose one, or explore all executions", "at t = %d there are %s%lld derivatives of %.*s",
                      (int)run->t, run->truncated ? "at least " : "", (long long)group->n_solution, (int)text->n,
                      text->n ? text->at : "");
            text->n = 0;
        }
    }
}

static void explain_zeno(const sl_sda_run *run, sl_bytes *text, sl_diags *diags) {
    int32_t n = 0, names[SHOWN + 1];
    for (int64_t i = run->starts.at[run->cycle_first - run->t0]; i < run->changes.n && n <= SHOWN; i++) {
        bool known = false;
        for (int32_t k = 0; k < n; k++) {
            known = known || names[k] == run->changes.at[i].variable;
        }
        if (!known) {
            names[n++] = run->changes.at[i].variable;
        }
    }
    append_names(run, text, n, names);
    sl_report(diags, SL_ERROR, SL_CODE_ZENO, NULL, NULL, NULL,
              "a guard should stop the change when its purpose is reached",
              "the execution never ends: the state at t = %d is that at t = %d again; what changes is %.*s",
              (int)run->t, (int)run->cycle_first, (int)text->n, text->n ? text->at : "");
}

void sl_sda_run_explain(const sl_sda_run *run, sl_diags *diags) {
    sl_bytes text;
    sl_bytes_init(&text, run->ctx);
    switch ((int)run->state) {
    case SL_SDA_UNSOLVABLE:
    case SL_SDA_GAVE_UP: explain_unsolvable(run, &text, diags); break;
    case SL_SDA_CHOICE: explain_choice(run, &text, diags); break;
    case SL_SDA_ZENO: explain_zeno(run, &text, diags); break;
    case SL_SDA_BOUND:
        sl_report(diags, SL_ERROR, SL_CODE_CHATTERING, NULL, NULL, NULL, "allow more steps",
                  "the execution has not ended after %d steps", (int)run->t);
        break;
    default: break;
    }
    sl_bytes_fini(&text);
}
