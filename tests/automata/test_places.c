/* SPDX-License-Identifier: MIT */
/* Every mistake that reading an automaton finds points at the culprit itself: one broken file for each message. */
#include "sl_test.h"

#include <sluice/automaton.h>

static const char sound[] = "automaton: a\n"
                            "parameters: {k: 1}\n"
                            "tables:\n"
                            "  tab: {x: [0, 1, 2], y: [0, 5, 6]}\n"
                            "discrete: {q: 3, r: 2}\n"
                            "continuous: {x: 1, v: 0}\n"
                            "transitions:\n"
                            "  - {name: tr, equation: der(q) = 1, when: q < 1}\n"
                            "activities:\n"
                            "  - {name: ac, equation: der(x) = -v, when: q > 0}\n"
                            "actions:\n"
                            "  - {name: an, set: x, to: 2*v, when: r}\n"
                            "roots:\n"
                            "  - {name: ro, decides: r, by: x - 1, when: q > 1}\n";

/* What replaces a text of the sound file; the culprit is between < and > of a text that follows in the broken file. */
typedef struct broken {
    const char *from, *to, *culprit;
} broken;

static const broken cases[] = {
    /* names */
    {"{q: 3, r: 2}", "{q: 3, r: 0}", "r: <0>"},
    {"{q: 3, r: 2}", "{q: 3, r: {states: 2, start: 2}}", "start: <2>"},
    {"{q: 3, r: 2}", "{q: 3, r: two}", "r: <two>"},
    {"x: 1, v: 0", "x: 1, v: 0, q: 2", "v: 0, <q>"},
    {"x: 1, v: 0", "x: 1, v: 0, t: 2", "v: 0, <t>"},
    {"x: 1, v: 0", "x: 1, v: 0, '2a': 2", "'<2a>'"},
    {"x: 1, v: 0", "x: one, v: 0", "x: <one>"},
    {"x: 1, v: 0", "x: 1, v: {start: 0, tolerance: -1}", "tolerance: <-1>"},
    {"{k: 1}", "{k: [1]}", "<k>: [1]"},
    {"{k: 1}", "{k: 1, 'k b': 2}", "'<k b>'"},
    {"{k: 1}", "[k]", "<parameters>"},
    {"x: [0, 1, 2]", "x: [0, 2, 2]", "[0, 2, <2>]"},
    {"x: [0, 1, 2]", "x: [0, 1, -2]", "<-2>"},
    {"y: [0, 5, 6]", "y: [0, 5]", "<y>: [0, 5]"},
    {"y: [0, 5, 6]", "y: [0, 5, six]", "<six>"},
    /* transitions */
    {"when: q < 1", "when: q < 1 & v > 0", "& <v> > 0"},
    {"when: q < 1", "when: q < k", "q < <k>}"},
    {"when: q < 1", "when: q < 1 & der(q) > 0", "& <der(q)> >"},
    {"when: q < 1", "when: 'mod(v1.a, 2) > 0'", "mod(<v1.a>"},
    {"when: q < 1", "when: q < 1 + / 1", "1 + </> 1"},
    {"when: q < 1", "when: (q < 1", "when: (q < 1<}>"},
    {"when: q < 1", "when: [q < 1, q > x]", "q > <x>]"},
    {"when: q < 1", "when: []", "<when>: []"},
    {"when: q < 1", "when: [q < 1, {a: b}]", "<{>a: b}"},
    {"der(q) = 1", "der(q) = 1 + v", "1 + <v>,"},
    {"der(q) = 1", "'der(q) = q + der(q, 2)'", "q + <der(q, 2)>'"},
    {"der(q) = 1", "der(q) = 1 - der(x)", "1 - <der(x)>,"},
    {"der(q) = 1", "der(q) + 1", "equation: <der(q) + 1>"},
    {"der(q) = 1", "q = 1", "equation: <q = 1>"},
    {"der(q) = 1", "der(q) = qq", "= <qq>"},
    /* activities */
    {"der(x) = -v", "der(x) = -v + vr*r", "<vr>"},
    {"der(x) = -v", "der(x) = -v*tab(x) + r", "+ <r>,"},
    {"der(x) = -v", "der(x) = -pre.v", "= -<pre.v>"},
    {"when: q > 0", "when: q > 0 & x > 1", "& <x> > 1"},
    {"when: q > 0", "when: q > 0 & der(x) > 1", "& <der(x)> > 1"},
    {"when: q > 0", "when: q > 0 & 1 < t", "1 < <t>"},
    /* actions */
    {"set: x", "set: xx", "set: <xx>"},
    {"set: x", "set: q", "set: <q>"},
    {"to: 2*v", "to: 2*v + q", "+ <q>"},
    {"to: 2*v", "to: 2*pre.v", "2*<pre.v>"},
    {"set: x, to: 2*v", "equation: x = pre.x + r", "+ <r>"},
    {"set: x, to: 2*v", "equation: x = der(v) + 1", "= <der(v)>"},
    {"when: r}", "when: r & v}", "& <v>}"},
    /* roots */
    {"decides: r", "decides: x", "decides: <x>"},
    {"{q: 3, r: 2}", "{q: 3, r: 1}", "decides: <r>"},
    {"by: x - 1", "by: x - q", "x - <q>"},
    {"when: q > 1", "when: q > 1 & t > 2", "& <t> > 2"},
    /* rules */
    {"roots:", "steps: 4\nroots:", "<steps>"},
    {"roots:", "run: {steps: 4}\nroots:", "<steps>"},
    {"roots:", "rest: never\nroots:", "rest: <never>"},
    {"roots:", "run: {choices: all}\nroots:", "choices: <all>"},
    {"roots:", "run: {end: -1}\nroots:", "end: <-1>"},
    {"roots:", "run: {rounds: 0}\nroots:", "rounds: <0>"},
    /* texts that are written otherwise than they are meant */
    {"when: q < 1}", "when: q <\n     1 & v > 0}", "& <v> >"},
    {"when: q < 1}", "when: 'q < 1\n\n     & v > 0'}", "& <v> >"},
    {"when: q < 1}", "when: \"q < 1 \\\n     & \\x76 > 0\"}", "& <\\x76> >"},
    {"{name: tr, equation: der(q) = 1, when: q < 1}", "equation: >-\n      der(q)\n        = 1 +\n      v\n",
     "      <v>\n"},
    {"{name: tr, equation: der(q) = 1, when: q < 1}", "equation: der(q) = 1\n    when: |\n      q < 1 &\n      v > 0\n",
     "      <v> > 0"},
    {"when: q < 1}", "when: \"q < 1 & \\u0071 < nope\"}", "< <nope>"},
};

static void replace(const char *from, const char *to, char out[2000]) {
    const char *at = strstr(sound, from);
    assert_non_null(at);
    (void)sprintf(out, "%.*s%s%s", (int)(at - sound), sound, to, at + strlen(from));
}

/* The culprit's text, and where it is in the file: the last text that fits. */
static size_t find_culprit(const char *file, const char *pattern, size_t *length) {
    char whole[200];
    const char *open = strchr(pattern, '<');
    /* The mark < is that with a > behind it and no blank after it. */
    while (open && (open[1] == ' ' || !strchr(open, '>'))) {
        open = strchr(open + 1, '<');
    }
    assert_non_null(open);
    const char *close = strchr(open, '>');
    (void)sprintf(whole, "%.*s%.*s%s", (int)(open - pattern), pattern, (int)(close - open - 1), open + 1, close + 1);
    const char *at = NULL;
    for (const char *next = strstr(file, whole); next; next = strstr(next + 1, whole)) {
        at = next;
    }
    if (!at) {
        print_error("'%s' is not in\n%s", whole, file);
    }
    assert_non_null(at);
    *length = (size_t)(close - open - 1);
    return (size_t)(at - file) + (size_t)(open - pattern);
}

static void every_mistake_has_its_place(void **state) {
    (void)state;
    int n_wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char file[2000];
        sl_test_memory memory = {0};
        sl_context *ctx = sl_test_context(&memory);
        sl_diags *diags;
        sl_automaton *a;
        size_t length, at;
        replace(cases[i].from, cases[i].to, file);
        at = find_culprit(file, cases[i].culprit, &length);
        uint32_t line = 1, column = 1;
        for (size_t k = 0; k < at; k++) {
            line += file[k] == '\n';
            column = file[k] == '\n' ? 1 : column + 1;
        }
        sl_assert_ok(sl_diags_create(ctx, &diags));
        sl_status status = sl_automaton_read(ctx, file, strlen(file), "a.yaml", diags, &a);
        const sl_diag none = {.text = "nothing is said"}, *d = sl_diags_size(diags) > 0 ? sl_diags_at(diags, 0) : &none;
        if (status != SL_ERR_INPUT || d->line != line || d->column != column || d->length != length || !d->file) {
            print_error("%s: %d:%d, %d characters, expected %d:%d, %d: %s\n", cases[i].to, (int)d->line, (int)d->column,
                        (int)d->length, (int)line, (int)column, (int)length, d->text);
            n_wrong++;
        }
        sl_automaton_destroy(a);
        sl_diags_destroy(diags);
        sl_test_context_end(ctx, &memory);
    }
    assert_int_equal(n_wrong, 0);
}

static void the_sound_file_is_sound(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_diags *diags;
    sl_automaton *a;
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_assert_ok(sl_automaton_read(ctx, sound, strlen(sound), "a.yaml", diags, &a));
    assert_int_equal(sl_diags_size(diags), 0);
    sl_automaton_destroy(a);
    sl_diags_destroy(diags);
    sl_test_context_end(ctx, &memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sound_file_is_sound),
        cmocka_unit_test(every_mistake_has_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
