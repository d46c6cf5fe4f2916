/* SPDX-License-Identifier: MIT */
/* automaton_info.c: what `check` says of an automaton. */
#include "kinds/rows.h"

#include <string.h>

#include "automata/automaton.h"
#include "base/count_text.h"
#include "base/memory.h"
#include "base/out.h"

/* ", 3 of 8 states are zeno" of a set, ", at most 5 steps" of all. */
static void put_ends(const sl_automaton_facts *f, bool set, char *buf, size_t size) {
    char c[SL_PLURAL_MAX];
    buf[0] = '\0';
    if (set && f->n_zeno > 0) {
        (void)sl_format(buf, size, ", %lld of %lld never end", (long long)f->n_zeno, (long long)f->n_state);
    } else if (f->bound > 0) {
        (void)sl_format(buf, size, ", at most %s", sl_plural(f->bound, "step", NULL, c));
    }
}

/* What can be proved without a run. */
static void put_facts(const sl_automaton_facts *f, const sl_check_set *set, char *buf, size_t size) {
    char a[SL_PLURAL_MAX], b[SL_PLURAL_MAX], c[SL_PLURAL_MAX], d[SL_PLURAL_MAX], ends[SL_PLURAL_MAX + 80];
    bool is_set = set->at || set->where;
    put_ends(f, is_set, ends, sizeof ends);
    int n = sl_format(buf, size, "  Discrete      %s, %s", sl_plural(f->n_discrete, "variable", NULL, a),
                      sl_plural(f->n_transition, "transition", NULL, b));
    if (is_set) {
        n += sl_format(buf + n, size - (size_t)n, "\n  Where         %.100s%s%.100s", set->at ? set->at : "",
                       set->at && set->where ? "; " : "", set->where ? set->where : "");
        if (f->n_state >= 0) {
            n += sl_format(buf + n, size - (size_t)n, ": %s", sl_plural(f->n_state, "state", NULL, a));
        }
        n += sl_format(buf + n, size - (size_t)n, "; solvable: %s", f->solvable);
    }
    n += sl_format(buf + n, size - (size_t)n, "; deterministic: %s; zeno-free: %s%s\n", f->deterministic, f->zeno_free,
                   ends);
    n += sl_format(buf + n, size - (size_t)n, "  Continuous    %s, %s, %s, %s\n",
                   sl_plural(f->n_continuous, "variable", NULL, a),
                   sl_plural(f->n_activity, "activity", "activities", b), sl_plural(f->n_root, "root", NULL, c),
                   sl_plural(f->n_action, "action", NULL, d));
    if (f->n_equation > 0 && f->index >= 0) {
        (void)sl_format(buf + n, size - (size_t)n, "  At the start  %s: %s; index %d\n",
                        sl_plural(f->n_equation, "equation", NULL, a), f->form, (int)f->index);
    }
}

/* What was computed for the start. */
static void put_start(const sl_automaton *a, char *buf, size_t size) {
    sl_initial s = {.size = sizeof s};
    char c[4][SL_PLURAL_MAX];
    size_t n = strlen(buf);
    if (sl_automaton_initial(a, NULL, NULL, &s) == SL_OK && s.n_unknown > 0) {
        (void)sl_format(buf + n, size - n, "  Start values  %s, %s, %s held; solved in %s\n",
                        sl_plural(s.n_fixed, "fixed value", NULL, c[0]),
                        sl_plural(s.n_initial, "initial equation", NULL, c[1]),
                        sl_plural(s.n_held, "start value", NULL, c[2]), sl_plural(s.n_block, "block", NULL, c[3]));
    }
}

/* The set as the library takes it, and the verdicts about it. */
static sl_status examine(const sl_load *load, const sl_automaton *a, const sl_check_set *set, sl_automaton_facts *f) {
    sl_automaton_where where = sl_automaton_where_default();
    size_t bytes = ((size_t)sl_automaton_n_discrete(a) + 1) * sizeof(int32_t);
    int32_t *states = sl_alloc(load->ctx, bytes);
    if (!states) {
        return SL_ERR_MEMORY;
    }
    memset(states, -1, bytes);
    where.states = states;
    where.condition = set->where;
    bool fine = !set->at || sl_automaton_read_states(a, "--at", set->at, states, &where.t, load->diags);
    sl_status status =
        fine ? sl_automaton_examine_at(a, set->at || set->where ? &where : NULL, load->diags, f) : SL_ERR_INPUT;
    sl_free(load->ctx, states, bytes);
    return status;
}

sl_status sl_automaton_source_check(const sl_load *load, const sl_check_set *set, sl_kind_facts *facts) {
    sl_automaton_facts f = {.size = sizeof f};
    sl_automaton *a = NULL;
    const sl_source *source = load->source;
    sl_status status = sl_automaton_read(load->ctx, source->bytes, source->n, source->name, load->diags, &a);
    status = status == SL_OK ? examine(load, a, set, &f) : status;
    bool is_set = set->at || set->where, known = f.deterministic && strcmp(f.deterministic, "unknown") != 0;
    if (f.deterministic && f.n_discrete + f.n_continuous > 0 && (known || !is_set || status == SL_OK)) {
        put_facts(&f, set, facts->more, sizeof facts->more);
        put_start(a, facts->more, sizeof facts->more);
    }
    sl_automaton_destroy(a);
    return status;
}
