/* SPDX-License-Identifier: MIT */
/* select_names.c: values of a result by names and patterns, quantities by name; see select_impl.h. */
#include <string.h>

#include "base/ids.h"
#include "base/out.h"
#include "base/report.h"
#include "base/utf8.h"
#include "results/select_impl.h"

bool sl_selection_piece(sl_str *rest, sl_str *piece) {
    while (rest->len > 0) {
        const char *comma = memchr(rest->ptr, ',', rest->len);
        size_t n = comma ? (size_t)(comma - rest->ptr) : rest->len;
        *piece = (sl_str){rest->ptr, n};
        rest->ptr += comma ? n + 1 : n;
        rest->len -= comma ? n + 1 : n;
        while (piece->len > 0 && piece->ptr[0] == ' ') {
            piece->ptr++;
            piece->len--;
        }
        while (piece->len > 0 && piece->ptr[piece->len - 1] == ' ') {
            piece->len--;
        }
        if (piece->len > 0) {
            return true;
        }
    }
    return false;
}

void sl_selection_describe(const sl_results_layout *l, bool quantities, char *buf, size_t size) {
    size_t at = 0;
    buf[0] = '\0';
    for (int32_t g = 0; g < l->n_group && at + 4 < size; g++) {
        const sl_results_group *group = &l->groups[g];
        int k = sl_format(buf + at, size - at, "%s%s", g > 0 ? ", " : "", group->name);
        at = k > 0 && (size_t)k < size - at ? at + (size_t)k : size - 1;
        for (int32_t q = 0; q < group->n_quantity && quantities && at + 4 < size; q++) {
            k = sl_format(buf + at, size - at, "%s%s%s", q > 0 ? ", " : " (", group->quantities[q].name,
                          q + 1 == group->n_quantity ? ")" : "");
            at = k > 0 && (size_t)k < size - at ? at + (size_t)k : size - 1;
        }
    }
}

/* ---- Variables ---------------------------------------------------------------------------------- */

/* Can names that begin so fit the pattern? */
static bool may_fit(const char *pattern, const char *beginning) {
    while (*beginning && *pattern == *beginning) {
        pattern++;
        beginning++;
    }
    return !*beginning || *pattern == '*' || *pattern == '?';
}

/* Names of a value: group.id.quantity, group.'id'.quantity, and the one that columns of .csv have where it is short. Where all
 * variables of an automaton are in one group, as a .csv has them, each may be discrete. */
typedef struct names {
    char *plain, *quoted, *state;
    bool may_be_discrete;
    const char *brief; /* NULL: none */
} names;

static char *put(char *to, const char *text) {
    size_t n = strlen(text);
    memcpy(to, text, n + 1);
    return to + n;
}

static char *put_escaped(char *to, const char *id) {
    for (; *id; id++) {
        if (*id == '\'' || *id == '\\') {
            *to++ = '\\';
        }
        *to++ = *id;
    }
    return to;
}

static void make_names(names *n, const sl_results_layout *l, const sl_results_group *g, int32_t element,
                       int32_t quantity) {
    const char *id = g->ids[element], *name = g->quantities[quantity].name;
    put(put(put(put(put(n->plain, g->name), "."), id), "."), name);
    put(put(put_escaped(put(put(n->quoted, g->name), ".'"), id), "'."), name);
    bool one = g->n_quantity == 1 && (strcmp(g->name, "variable") == 0 || strcmp(g->name, "discrete") == 0);
    n->may_be_discrete = one && !*l->engine && strcmp(g->name, "variable") == 0;
    if (n->may_be_discrete) {
        put(put(put(n->state, "discrete."), id), ".state");
    }
    n->brief = one ? id : strcmp(g->name, "model") == 0 ? name : NULL;
}

static bool alloc_names(sl_results_selection *s, names *n) {
    size_t most = 0;
    for (int32_t g = 0; g < s->whole->n_group; g++) {
        const sl_results_group *group = &s->whole->groups[g];
        size_t id = 0, quantity = 0;
        for (int32_t i = 0; i < group->n; i++) {
            size_t k = strlen(group->ids[i]);
            id = k > id ? k : id;
        }
        for (int32_t q = 0; q < group->n_quantity; q++) {
            size_t k = strlen(group->quantities[q].name);
            quantity = k > quantity ? k : quantity;
        }
        size_t k = strlen(group->name) + 2 * id + quantity + sizeof "discrete.''.state";
        most = k > most ? k : most;
    }
    n->plain = sl_arena_alloc(s->arena, most);
    n->quoted = sl_arena_alloc(s->arena, most);
    n->state = sl_arena_alloc(s->arena, most);
    s->no_memory = s->no_memory || !n->plain || !n->quoted || !n->state;
    return n->plain && n->quoted && n->state;
}

/* Quantities of a group with a value that fits; false: none. */
static bool pick_fitting(sl_results_selection *s, int32_t g, const char *pattern, names *n) {
    const sl_results_group *group = &s->whole->groups[g];
    bool found = false;
    for (int32_t i = 0; i < group->n; i++) {
        for (int32_t q = 0; q < group->n_quantity; q++) {
            make_names(n, s->whole, group, i, q);
            if (i == 0 && q == 0 && !n->brief) { /* what a name begins with is the same for all */
                if (!may_fit(pattern, group->name)) {
                    return false;
                }
            }
            if (sl_glob_fits(pattern, n->plain) || sl_glob_fits(pattern, n->quoted) ||
                (n->brief && sl_glob_fits(pattern, n->brief)) ||
                (n->may_be_discrete && sl_glob_fits(pattern, n->state))) {
                s->element[g][i] = s->quantity[s->first[g] + q] = 1;
                found = true;
            }
        }
    }
    return found;
}

static void report_no_variable(sl_results_selection *s, const char *pattern, names *n) {
    enum { EXAMINED = 20000 }; /* names */
    sl_ids *ids = sl_ids_create(s->arena->ctx);
    bool fine = ids != NULL;
    for (int32_t g = 0; g < s->whole->n_group && fine; g++) {
        const sl_results_group *group = &s->whole->groups[g];
        for (int32_t i = 0; i < group->n && fine; i++) {
            for (int32_t q = 0; q < group->n_quantity && fine && sl_ids_count(ids) < EXAMINED; q++) {
                make_names(n, s->whole, group, i, q);
                fine = sl_ids_add(ids, sl_str_z(n->plain)) != INT32_MIN &&
                       (!n->brief || sl_ids_add(ids, sl_str_z(n->brief)) != INT32_MIN);
            }
        }
    }
    char quoted[SL_QUOTE_MAX], near_quoted[SL_QUOTE_MAX], hint[SL_QUOTE_MAX + 64] = "";
    int32_t near = fine ? sl_ids_nearest(ids, sl_str_z(pattern)) : -1;
    if (near >= 0) {
        sl_format(hint, sizeof hint, "did you mean %s?", sl_quote(sl_ids_text(ids, near), near_quoted));
    } else if (fine && sl_ids_count(ids) > 0) {
        sl_format(hint, sizeof hint, "names are like %s", sl_quote(sl_ids_text(ids, 0), near_quoted));
    }
    sl_report(s->diags, SL_ERROR, SL_CODE_VARIABLE, NULL, NULL, NULL, *hint ? hint : NULL, "no variable fits %s",
              sl_quote(sl_str_z(pattern), quoted));
    s->no_memory = s->no_memory || !fine;
    s->wrong = true;
    sl_ids_destroy(ids);
}

void sl_selection_pick_variables(sl_results_selection *s) {
    names n = {0};
    if (s->d.n_variable == 0 || !alloc_names(s, &n)) {
        return;
    }
    for (int32_t i = 0; i < s->d.n_variable; i++) {
        bool found = false;
        for (int32_t g = 0; g < s->whole->n_group; g++) {
            found = pick_fitting(s, g, s->d.variable[i], &n) || found;
        }
        if (!found) {
            report_no_variable(s, s->d.variable[i], &n);
        }
    }
}

/* ---- Quantities --------------------------------------------------------------------------------- */

/* pressure, or node.pressure; in any case. */
static bool names_quantity(sl_str text, const sl_results_group *g, int32_t q) {
    size_t n = strlen(g->name);
    if (text.len > n && text.ptr[n] == '.' && sl_str_equal_nocase((sl_str){text.ptr, n}, sl_str_z(g->name))) {
        sl_str rest = {text.ptr + n + 1, text.len - n - 1};
        if (sl_str_equal_nocase(rest, sl_str_z(g->quantities[q].name))) {
            return true;
        }
    }
    return sl_str_equal_nocase(text, sl_str_z(g->quantities[q].name));
}

/* Marks those that the text names; false: none. */
static bool mark_quantities(const sl_results_selection *s, sl_str text, uint8_t *wanted) {
    bool found = false;
    for (int32_t g = 0; g < s->whole->n_group; g++) {
        const sl_results_group *group = &s->whole->groups[g];
        for (int32_t q = 0; q < group->n_quantity; q++) {
            bool discrete = !*s->whole->engine && strcmp(group->name, "variable") == 0 && group->n_quantity == 1;
            bool state = discrete && (sl_str_equal_nocase(text, sl_str_z("state")) ||
                                      sl_str_equal_nocase(text, sl_str_z("discrete.state")));
            if (state || names_quantity(text, group, q)) {
                wanted[s->first[g] + q] = 1;
                found = true;
            }
        }
    }
    return found;
}

static void report_no_quantity(sl_results_selection *s, sl_str text) {
    int best = text.len < 3 ? 2 : text.len < 40 ? (int)(2 * text.len / 3) : 26; /* half steps: a third of the letters */
    char quoted[SL_QUOTE_MAX], has[SL_QUOTE_MAX], hint[SL_QUOTE_MAX + 32];
    const char *near = NULL;
    for (int32_t g = 0; g < s->whole->n_group; g++) {
        const sl_results_group *group = &s->whole->groups[g];
        for (int32_t q = 0; q < group->n_quantity; q++) {
            int d = sl_edit_distance(text, sl_str_z(group->quantities[q].name), best);
            if (d < best || (d == best && !near)) {
                best = d;
                near = group->quantities[q].name;
            }
        }
    }
    sl_selection_describe(s->whole, true, has, sizeof has);
    sl_format(hint, sizeof hint, near ? "did you mean %s?" : "there are %s", near ? near : has);
    sl_report(s->diags, SL_ERROR, SL_CODE_VARIABLE, NULL, NULL, NULL, hint, "%s is not in these results",
              sl_quote(text, quoted));
    s->wrong = true;
}

void sl_selection_choose_quantities(sl_results_selection *s) {
    uint8_t *wanted = s->d.n_what > 0 ? sl_arena_alloc(s->arena, (size_t)s->n_quantity) : NULL;
    s->no_memory = s->no_memory || (s->d.n_what > 0 && !wanted);
    for (int32_t i = 0; wanted && i < s->d.n_what; i++) {
        sl_str rest = sl_str_z(s->d.what[i]), piece;
        while (sl_selection_piece(&rest, &piece)) {
            if (!mark_quantities(s, piece, wanted)) {
                report_no_quantity(s, piece);
            }
        }
    }
    for (int32_t q = 0; wanted && q < s->n_quantity; q++) {
        s->quantity[q] = s->quantity[q] && wanted[q];
    }
}
