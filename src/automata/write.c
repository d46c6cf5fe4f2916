/* SPDX-License-Identifier: MIT */
/* write.c: an automaton as YAML that reads back the same: names, formulas and numbers as they were given, numbers as short as they
 * read back to the same bits. docs/reference/automaton.md describes the files.
 */
#include "automata/automaton_impl.h"

#include <math.h>
#include <string.h>

#include "base/handle.h"
#include "base/memory.h"
#include "base/out.h"
#include "base/utf8.h"

/* In quotes, with the escapes that YAML and JSON share; also of characters that the reader takes for no text. */
static void put_quoted(sl_out *out, const char *text) {
    uint32_t c;
    sl_out_char(out, '"');
    for (sl_str s = sl_str_z(text); s.len > 0;) {
        size_t n = sl_utf8_decode(s, &c);
        bool special = c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xFEFF || c == 0xFFFE || c == 0xFFFF;
        if (special || c == 0x2028 || c == 0x2029) { /* the last two end lines */
            sl_out_printf(out, "\\u%04x", (unsigned)c);
        } else {
            sl_out_z(out, c == '"' || c == '\\' ? "\\" : "");
            sl_out_bytes(out, s.ptr, n);
        }
        s = (sl_str){s.ptr + n, s.len - n};
    }
    sl_out_char(out, '"');
}

static void put_number(sl_out *out, double x) {
    if (x == 0.0 && signbit(x)) {
        sl_out_z(out, "-0"); /* other writers have no use for the sign */
    } else {
        sl_out_number(out, x);
    }
}

static bool is_word(const char *text) {
    static const char *const others[] = {"true", "false", "null", "yes", "no", "on", "off", "y", "n", "inf", "nan"};
    bool letter = (*text >= 'A' && *text <= 'Z') || (*text >= 'a' && *text <= 'z');
    bool word =
        letter && strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == strlen(text);
    for (size_t i = 0; word && i < sizeof others / sizeof *others; i++) {
        word = !sl_str_equal_nocase(sl_str_z(text), sl_str_z(others[i]));
    }
    return word;
}

static void put_name(sl_out *out, const char *text) {
    if (is_word(text)) {
        sl_out_z(out, text);
    } else {
        put_quoted(out, text);
    }
}

static void put_numbers(sl_out *out, const double *x, int32_t n) {
    sl_out_char(out, '[');
    for (int32_t i = 0; i < n; i++) {
        sl_out_z(out, i > 0 ? ", " : "");
        put_number(out, x[i]);
    }
    sl_out_char(out, ']');
}

/* ---- Names -------------------------------------------------------------------------------------- */

static const char *const kinds[SL_INITIAL_N_KIND] = {"start", "fixed", "guess"};

/* What is said of a continuous variable beside its start: see sl_automaton_declare_continuous. */
static void put_more(sl_out *out, const sl_automaton_text *t) {
    static const char *const states[SL_STATE_N_CHOICE] = {"default", "prefer", "avoid", "always", "never"};
    enum { STATE = 1, NOMINAL, LOW, HIGH };
    if (t->n == 0) {
        return;
    }
    if (t->x[STATE] > 0.0) {
        sl_out_printf(out, ", state: %s", states[(int)t->x[STATE]]);
    }
    static const char *const keys[] = {[NOMINAL] = ", nominal: ", [LOW] = ", min: ", [HIGH] = ", max: "};
    for (int k = NOMINAL; k <= HIGH; k++) {
        if (isfinite(t->x[k]) && (k > NOMINAL || t->x[k] > 0.0)) {
            sl_out_z(out, keys[k]);
            put_number(out, t->x[k]);
        }
    }
}

static void put_numbers_of(sl_out *out, const sl_automaton_text *t) {
    if (t->y) {
        put_numbers(out, t->y, t->n_y);
    } else {
        put_number(out, t->first);
    }
}

static void put_value(sl_out *out, sl_text_section section, const sl_automaton_text *t, const char *unit) {
    static const char *const betweens[] = {"", ", between: hold", ", between: cubic"};
    static const char *const beyonds[] = {"", ", beyond: constant", ", beyond: extend"};
    switch ((int)section) {
    case SL_TEXT_TABLE:
        sl_out_z(out, "{x: ");
        put_numbers(out, t->x, t->n);
        sl_out_z(out, ", y: ");
        put_numbers(out, t->y, t->n);
        sl_out_z(out, betweens[(int)t->first]);
        sl_out_z(out, beyonds[(int)t->second]);
        sl_out_char(out, '}');
        break;
    case SL_TEXT_DISCRETE: sl_out_printf(out, "{states: %d, start: %d}", (int)t->first, (int)t->second); break;
    case SL_TEXT_CONTINUOUS:
        sl_out_printf(out, "{%s: ", kinds[t->n > 0 ? (int)t->x[0] : 0]);
        put_numbers_of(out, t);
        if (unit) {
            sl_out_printf(out, ", unit: \"%s\"", unit);
        }
        if (t->second > 0.0) {
            sl_out_z(out, ", tolerance: ");
            put_number(out, t->second);
        }
        put_more(out, t);
        sl_out_char(out, '}');
        break;
    default:
        sl_out_z(out, unit ? "{value: " : "");
        put_numbers_of(out, t);
        if (unit) {
            sl_out_printf(out, ", unit: \"%s\"}", unit);
        }
        break;
    }
}

static void put_names(sl_out *out, const sl_automaton *a, const sl_automaton_texts *texts) {
    static const char *const keys[] = {"parameters", "tables", "discrete", "continuous"};
    for (int s = 0; s <= SL_TEXT_CONTINUOUS; s++) {
        if (texts->first[s]) {
            sl_out_printf(out, "%s:\n", keys[s]);
        }
        for (const sl_automaton_text *t = texts->first[s]; t; t = t->next) {
            sl_out_z(out, "  ");
            put_name(out, t->name);
            sl_out_z(out, ": ");
            char unit[SL_DIMENSION_TEXT];
            put_value(out, (sl_text_section)s, t, sl_automaton_unit_text(a, sl_str_z(t->name), unit) ? unit : NULL);
            sl_out_char(out, '\n');
        }
    }
}

/* ---- Elements ----------------------------------------------------------------------------------- */

/* A key of an element; the first one begins it. */
static void put_key(sl_out *out, const char *key, bool *first) {
    sl_out_printf(out, "%s%s: ", *first ? "  - " : "    ", key);
    *first = false;
}

static void put_text(sl_out *out, const char *key, const char *text, bool *first) {
    put_key(out, key, first);
    put_quoted(out, text);
    sl_out_char(out, '\n');
}

static void put_element(sl_out *out, sl_automaton_element kind, const sl_automaton_text *t) {
    bool first = true;
    if (t->name) {
        put_text(out, "name", t->name, &first);
    }
    if (t->range) {
        put_text(out, "for", t->range, &first);
    }
    if (t->variable) {
        put_text(out, kind == SL_AUTOMATON_ROOT ? "decides" : "set", t->variable, &first);
    }
    put_text(out, !t->variable ? "equation" : kind == SL_AUTOMATON_ROOT ? "by" : "to", t->formula, &first);
    if (t->n > 0) {
        put_key(out, "when", &first);
        sl_out_z(out, t->n > 1 ? "[" : "");
        for (int32_t k = 0; k < t->n; k++) {
            sl_out_z(out, k > 0 ? ", " : "");
            put_quoted(out, t->guards[k]);
        }
        sl_out_z(out, t->n > 1 ? "]\n" : "\n");
    }
}

static void put_elements(sl_out *out, const sl_automaton_texts *texts) {
    static const char *const keys[SL_AUTOMATON_ELEMENT_COUNT] = {"transitions", "activities", "actions", "roots"};
    for (int kind = 0; kind < SL_AUTOMATON_ELEMENT_COUNT; kind++) {
        const sl_automaton_text *t = texts->first[SL_TEXT_ELEMENT + kind];
        if (t) {
            sl_out_printf(out, "%s:\n", keys[kind]);
        }
        for (; t; t = t->next) {
            put_element(out, (sl_automaton_element)kind, t);
        }
    }
}

static void put_initial(sl_out *out, const sl_automaton_text *t) {
    if (t) {
        sl_out_z(out, "initial:\n");
    }
    for (; t; t = t->next) {
        bool first = true;
        if (t->name) {
            put_text(out, "name", t->name, &first);
        }
        put_text(out, "equation", t->formula, &first);
    }
}

/* ---- How it is run ------------------------------------------------------------------------------ */

static void put_run(sl_out *out, const sl_execution_def *run) {
    static const char *const choices[] = {"error", "first", "ask"}, *const chattering[] = {"error", "slide", "hold"};
    const sl_execution_def usual = sl_execution_default();
    const struct {
        const char *key;
        double value, usual;
    } numbers[] = {{"end", run->end, usual.end},
                   {"report", run->report, usual.report},
                   {"tolerance", run->rtol, (double)NAN}, /* always, as it decides on `absolute` */
                   {"absolute", run->atol, (double)NAN},
                   {"root tolerance", run->root_tol, usual.root_tol},
                   {"longest step", run->max_step, usual.max_step},
                   {"discrete steps", run->max_discrete, usual.max_discrete},
                   {"rounds", run->max_round, usual.max_round},
                   {"events", run->max_event, usual.max_event},
                   {"window", run->window, usual.window},
                   {"steps", run->n_step, usual.n_step}};
    sl_out_z(out, "run:\n");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i].value != numbers[i].usual) {
            sl_out_printf(out, "  %s: ", numbers[i].key);
            put_number(out, numbers[i].value);
            sl_out_char(out, '\n');
        }
    }
    if (run->choices != usual.choices) {
        sl_out_printf(out, "  choices: %s\n", choices[run->choices]);
    }
    if (run->chattering != usual.chattering) {
        sl_out_printf(out, "  chattering: %s\n", chattering[run->chattering]);
    }
    if (run->relax) {
        sl_out_z(out, "  relax: true\n");
    }
}

sl_status sl_automaton_write(const sl_automaton *a, const sl_sink *sink) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !sink) {
        return SL_ERR_USE;
    }
    sl_context *ctx = sl_automaton_context(a);
    const sl_automaton_texts *texts = sl_automaton_texts_of(a);
    const sl_sda_def *rules = sl_automaton_rules(a);
    sl_execution_def run = sl_execution_default();
    sl_out *out = sl_alloc(ctx, sizeof *out);
    if (!out || sl_automaton_get_run(a, &run) != SL_OK) {
        return SL_ERR_MEMORY;
    }
    sl_out_init(out, sink);
    sl_out_z(out, "sluice: automaton/1\n");
    if (sl_automaton_name(a)[0]) {
        sl_out_z(out, "automaton: ");
        put_name(out, sl_automaton_name(a));
        sl_out_char(out, '\n');
    }
    put_names(out, a, texts);
    put_initial(out, texts->first[SL_TEXT_INITIAL]);
    put_elements(out, texts);
    if (rules->rule == SL_SDA_UNTIL_BOUND) {
        sl_out_printf(out, "steps: %d\n", (int)rules->most_steps);
    } else if (rules->rule == SL_SDA_UNTIL_QUIET) {
        sl_out_z(out, "rest: guards\n");
    }
    sl_out_z(out, rules->overdetermined_branches ? "conflicts: branch\n" : "");
    put_run(out, &run);
    sl_status status = sl_out_flush(out);
    sl_free(ctx, out, sizeof *out);
    return status;
}
