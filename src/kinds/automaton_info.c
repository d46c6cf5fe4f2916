/* SPDX-License-Identifier: MIT */
/* automaton_info.c: what `check` says of an automaton. */
#include "base/count_text.h"
#include "kinds/rows.h"

/* What can be proved without a run. */
static void put_facts(const sl_automaton_facts *f, char *buf, size_t size) {
    char a[SL_PLURAL_MAX], b[SL_PLURAL_MAX], c[SL_PLURAL_MAX], d[SL_PLURAL_MAX], bound[SL_PLURAL_MAX + 16] = "";
    if (f->bound > 0) {
        (void)sl_format(bound, sizeof bound, ", at most %s", sl_plural(f->bound, "step", NULL, c));
    }
    int n = sl_format(buf, size, "  Discrete      %s, %s; deterministic: %s; zeno-free: %s%s\n",
                      sl_plural(f->n_discrete, "variable", NULL, a), sl_plural(f->n_transition, "transition", NULL, b),
                      f->deterministic, f->zeno_free, bound);
    n += sl_format(buf + n, size - (size_t)n, "  Continuous    %s, %s, %s, %s\n",
                   sl_plural(f->n_continuous, "variable", NULL, a),
                   sl_plural(f->n_activity, "activity", "activities", b), sl_plural(f->n_root, "root", NULL, c),
                   sl_plural(f->n_action, "action", NULL, d));
    if (f->n_equation > 0 && f->index >= 0) {
        (void)sl_format(buf + n, size - (size_t)n, "  At the start  %s: %s; index %d\n",
                        sl_plural(f->n_equation, "equation", NULL, a), f->form, (int)f->index);
    }
}

sl_status sl_automaton_source_check(const sl_load *load, sl_kind_facts *facts) {
    sl_automaton_facts f = {.size = sizeof f};
    const sl_source *source = load->source;
    sl_status status = sl_automaton_check(load->ctx, source->bytes, source->n, source->name, load->diags, &f);
    if (f.deterministic && f.n_discrete + f.n_continuous > 0) {
        put_facts(&f, facts->more, sizeof facts->more);
    }
    return status;
}
