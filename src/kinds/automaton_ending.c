/* SPDX-License-Identifier: MIT */
/* automaton_ending.c: how executions of automata that make steps end, in words. */
#include "kinds/rows.h"

#include "automata/automaton.h"
#include "base/count_text.h"
#include "base/memory.h"
#include "engine/facets.h"

enum { CHOICES_MAX = 16 }; /* derivatives in words */

bool sl_automaton_fits(const sl_report_def *def, char why[SL_REFUSAL_MAX]) {
    bool moves = !sl_automaton_is_discrete(sl_model_origin(def->model));
    if (moves || !def->at_events) {
        return true;
    }
    (void)sl_format(why, SL_REFUSAL_MAX, "--at-events is for automata that move in time; %s makes steps", def->name);
    return false;
}

/* The derivative of every variable that has another one than 0, as "der(q) = -1, der(r) = 2". */
static const char *choice_text(const sl_sda *a, const sl_sda_run *run, int64_t choice, sl_arena *arena) {
    sl_bytes text;
    sl_bytes_init(&text, arena->ctx);
    sl_sink sink = sl_bytes_sink(&text);
    sl_out out;
    sl_out_init(&out, &sink);
    const char *before = "";
    for (int32_t j = 0; j < sl_sda_n_variable(a); j++) {
        int32_t d = sl_sda_run_derivative(run, choice, j);
        if (d != 0) {
            sl_str name = sl_sda_variable_name(a, j);
            sl_out_printf(&out, "%sder(%.*s) = %d", before, (int)name.len, name.ptr, (int)d);
            before = ", ";
        }
    }
    sl_out_z(&out, before[0] ? "" : "nothing changes");
    const char *copy = sl_out_flush(&out) == SL_OK ? sl_arena_copy(arena, (sl_str){text.at, (size_t)text.n}) : NULL;
    sl_bytes_fini(&text);
    return copy;
}

static sl_status add_choices(const sl_sda *a, const sl_sda_run *run, sl_arena *arena, sl_ending *out) {
    out->n_choice = sl_sda_run_n_choice(run);
    int32_t n = out->n_choice < CHOICES_MAX ? (int32_t)out->n_choice : CHOICES_MAX;
    const char **choices = sl_arena_alloc(arena, (size_t)n * sizeof *choices);
    out->choices = choices;
    out->hint = "--branches follows all of them";
    for (int32_t k = 0; k < n && choices; k++) {
        choices[k] = choice_text(a, run, k, arena);
        choices = choices[k] ? choices : NULL;
        out->n_shown = k + 1;
    }
    return choices ? SL_OK : SL_ERR_MEMORY;
}

sl_status sl_automaton_ending(const sl_model *model, sl_session *session, sl_arena *arena, sl_ending *out) {
    sl_facet_discrete_run facet = {.size = sizeof facet};
    sl_status status = sl_session_facet(session, SL_FACET_DISCRETE_RUN, &facet);
    if (status != SL_OK) {
        return status;
    }
    const sl_sda *a = sl_sha_discrete(sl_automaton_get(sl_model_origin(model)));
    sl_sda_state state = sl_sda_run_state(facet.run);
    int32_t t = sl_sda_run_time(facet.run);
    /* Of several derivatives the one that was to be taken is 0. */
    state = state == SL_SDA_CHOICE && t >= sl_session_end(session) ? SL_SDA_CONVERGED : state;
    char text[160], steps[SL_PLURAL_MAX];
    out->verdict = sl_sda_state_text(state);
    (void)sl_format(text, sizeof text, "%s at t = %d", out->verdict, (int)t);
    if (state == SL_SDA_BOUND) {
        (void)sl_format(text, sizeof text, "%s", sl_plural(t, "step", NULL, steps));
    } else if (state == SL_SDA_ZENO) {
        sl_sda_run_cycle(facet.run, &out->cycle_first, &out->cycle_length);
        (void)sl_format(text, sizeof text, "zeno: the state at t = %d is that at t = %d again, a cycle of %s", (int)t,
                        (int)out->cycle_first, sl_plural(out->cycle_length, "step", NULL, steps));
    } else if (state == SL_SDA_CHOICE) {
        status = add_choices(a, facet.run, arena, out);
        (void)sl_format(text, sizeof text, "%s at t = %d, where there are %lld derivatives", out->verdict, (int)t,
                        (long long)out->n_choice);
    }
    out->text = sl_arena_copy(arena, sl_str_z(text));
    return out->text ? status : SL_ERR_MEMORY;
}
