/* SPDX-License-Identifier: MIT */
/* Pages that explain automata: against what the examples are known to do. */
#include "sl_test.h"

#include "automata/explain.h"
#include "automata/read.h"
#include "base/out.h"
#include "kinds/rows.h"

typedef struct setting {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
} setting;

static void begin_setting(setting *s) {
    *s = (setting){0};
    s->ctx = sl_test_context(&s->memory);
    sl_assert_ok(sl_diags_create(s->ctx, &s->diags));
}

static void end_setting(setting *s) {
    sl_diags_destroy(s->diags);
    sl_test_context_end(s->ctx, &s->memory);
}

static const char thermostat[] = "automaton: thermo_stat & <co>\n"
                                 "parameters: {alpha: 0.1}\n"
                                 "tables: {air: {x: [0, 1], y: [2, 4]}}\n"
                                 "discrete: {hot: 2, warm: {states: 2, start: 1}, n: {states: 5, start: 3}}\n"
                                 "continuous: {T: 20, w_1: 0}\n"
                                 "activities:\n"
                                 "  - {name: 'heat_1', equation: der(T) = alpha*(40 - T), when: '!hot'}\n"
                                 "  - {name: other, equation: w_1 = air(T)/2}\n"
                                 "  - {name: cool, equation: alpha*(10 - T) = der(T), when: hot}\n"
                                 "roots:\n"
                                 "  - {name: up, decides: hot, by: T - 22, when: n > 1}\n"
                                 "transitions:\n"
                                 "  - {name: count, equation: der(n) = 1, when: hot & t < 2 | n = 1}\n"
                                 "  - {equation: der(n)^2 = n, when: n = 4 & !warm}\n"
                                 "actions:\n"
                                 "  - {name: jump, set: T, to: T - 1, when: hot}\n"
                                 "  - {name: keep, equation: w_1 = pre.w_1, when: '!hot'}\n"
                                 "run: {end: 10, tolerance: 1e-10}\n";

/* The page of a text, owned by the caller. */
static char *page_of(setting *s, const char *text, sl_page_def page, sl_status expected) {
    sl_bytes bytes;
    sl_bytes_init(&bytes, s->ctx);
    sl_sink sink = sl_bytes_sink(&bytes);
    const sl_source source = {.size = sizeof source, .name = "a.yaml", .bytes = text, .n = strlen(text)};
    const sl_load load = {.ctx = s->ctx, .source = &source, .diags = s->diags};
    sl_assert_status(sl_automaton_explain(&load, &page, &sink), expected);
    char *z = calloc(1, (size_t)bytes.n + 1);
    assert_non_null(z);
    if (bytes.n > 0) {
        memcpy(z, bytes.at, (size_t)bytes.n);
    }
    sl_bytes_fini(&bytes);
    return z;
}

static void holds_all(const char *text, const char *const *parts) {
    for (; *parts; parts++) {
        if (!strstr(text, *parts)) {
            print_error("not there: %s\nin: %s\n", *parts, text);
        }
        assert_non_null(strstr(text, *parts));
    }
}

/* Every part in every form; alternatives of a variable stand together whatever side they were written on. */
static void all_parts(void **state) {
    (void)state;
    static const char *const text[] = {"thermo_stat & <co>: a hybrid automaton\n",
                                       "  n     0 to 4; starts at 3\n",
                                       "  T    starts at 20\n",
                                       "  alpha = 0.1\n",
                                       "  air  (0, 2), (1, 4)\n",
                                       "  heat_1  der(T) = alpha*(40 - T)  when !hot\n"
                                       "  cool    der(T) = alpha*(10 - T)  when hot\n",
                                       "  other   w_1 = air(T)/2\n",
                                       "  up  hot := T - 22 > 0  when n > 1\n",
                                       "  count  der(n) = 1    when hot & t < 2 | n = 1\n",
                                       "         der(n)^2 = n  when n = 4 & !warm\n",
                                       "  jump  T := T - 1     when hot\n",
                                       "  keep  w_1 = pre.w_1  when !hot\n",
                                       NULL};
    static const char *const tex[] = {"\\section*{thermo\\_stat \\& \\ensuremath{<}co\\ensuremath{>}}",
                                      "\\alpha &= 0.1",
                                      "\\dot{T} &= \\begin{cases}\n"
                                      "  \\alpha \\, \\left(40 - T\\right) & \\text{if } \\neg \\mathrm{hot} \\quad "
                                      "\\text{(heat\\_1)} \\\\\n"
                                      "  \\alpha \\, \\left(10 - T\\right) & \\text{if } \\mathrm{hot} \\quad "
                                      "\\text{(cool)}\n\\end{cases} \\\\\n",
                                      "w_{1} &= \\frac{\\mathrm{air}\\left(T\\right)}{2}",
                                      "T &\\leftarrow T - 1",
                                      "\\end{document}\n",
                                      NULL};
    static const char *const html[] = {"<h1>thermo_stat &amp; &lt;co&gt;</h1>",
                                       "<mi>α</mi>",
                                       "<th>heat_1</th>",
                                       "<mover><mi>T</mi><mpadded depth='0.12em'><mtext>.</mtext></mpadded></mover>",
                                       "</html>\n",
                                       NULL};
    static const struct {
        sl_page_form form;
        const char *const *parts;
    } pages[] = {{SL_PAGE_TEXT, text}, {SL_PAGE_TEX, tex}, {SL_PAGE_HTML, html}};
    setting s;
    begin_setting(&s);
    for (size_t i = 0; i < 3; i++) {
        char *z = page_of(&s, thermostat, (sl_page_def){.form = pages[i].form}, SL_OK);
        holds_all(z, pages[i].parts);
        free(z);
    }
    assert_int_equal(sl_diags_size(s.diags), 0);
    end_setting(&s);
}

/* Minus signs, not hyphens, in formulas and words; derivatives of i and j without their own dots; no box that scrolls downwards. */
static void signs_and_dots(void **state) {
    (void)state;
    static const char signs[] = "automaton: signs P-1\n"
                                "parameters: {a: -0.5, b: -2e-9}\n"
                                "tables: {pump: {x: [-1, 2], y: [-3, 5]}}\n"
                                "continuous: {x: -1.5, i1: 0, j: {start: 1, tolerance: 1e-9}}\n"
                                "activities:\n"
                                "  - equation: der(x) = -a - pump(x)\n"
                                "  - equation: der(i1) = b*x - 1\n"
                                "  - equation: der(j) = -x\n";
    static const char *const html[] = {"overflow-x:auto;overflow-y:hidden",
                                       "starts at \u22121.5",
                                       "tolerance 1e\u221209",
                                       "(\u22121, \u22123), (2, 5)",
                                       "<mo>\u2212</mo><mn>0.5</mn>",
                                       "<mn>\u22129</mn>",
                                       "<mover><mi>\u0131</mi>",
                                       "<mover><mi>\u0237</mi>",
                                       "<h1>signs P-1</h1>",
                                       NULL};
    static const char *const tex[] = {"starts at $-$1.5", "\\dot{\\imath}_{1}", "\\dot{\\jmath}", NULL};
    static const char *const text[] = {"starts at -1.5", "der(x) = -a - pump(x)", NULL};
    setting s;
    begin_setting(&s);
    char *z = page_of(&s, signs, (sl_page_def){.form = SL_PAGE_HTML}, SL_OK);
    holds_all(z, html);
    for (const char *c = strstr(z, "</style>"); *c; c++) {
        assert_false(c[0] == '-' && c[1] >= '0' && c[1] <= '9' && c[-1] != 'P');
        assert_false(strncmp(c, "<mo>-<", 6) == 0);
    }
    free(z);
    z = page_of(&s, signs, (sl_page_def){.form = SL_PAGE_TEX}, SL_OK);
    holds_all(z, tex);
    free(z);
    z = page_of(&s, signs, (sl_page_def){.form = SL_PAGE_TEXT}, SL_OK);
    holds_all(z, text);
    free(z);
    end_setting(&s);
}

/* Known values are put into guards; what cannot hold is left out, what remains of a guard is shown. */
static void parts_in_force(void **state) {
    (void)state;
    static const char *const cold[] = {"where hot=0,n=3",
                                       "  hot = 0\n",
                                       "  n = 3    of 0 to 4\n",
                                       "  warm     any: 0 or 1\n",
                                       "2 of 3 in force. Equations of motion.\n",
                                       "  heat_1  der(T) = alpha*(40 - T)\n",
                                       "  up  hot := T - 22 > 0\n",
                                       "none of 2 in force.",
                                       "  keep  w_1 = pre.w_1\n",
                                       NULL};
    static const char *const hot[] = {"  count  der(n) = 1    when t < 2\n", "         der(n)^2 = n  when !warm\n",
                                      "2 equations: nonlinear", NULL};
    setting s;
    begin_setting(&s);
    char *z = page_of(&s, thermostat, (sl_page_def){.mode = "hot=0,n=3"}, SL_OK);
    holds_all(z, cold);
    assert_null(strstr(z, "cool"));
    assert_null(strstr(z, "jump"));
    assert_null(strstr(z, "equations:")); /* warm is not known */
    free(z);
    z = page_of(&s, thermostat, (sl_page_def){.mode = " hot=1, n=4"}, SL_OK);
    holds_all(z, (const char *const[]){hot[0], hot[1], NULL});
    free(z);
    z = page_of(&s, thermostat, (sl_page_def){.mode = "hot=1,n=4,warm=0"}, SL_OK);
    holds_all(z, (const char *const[]){hot[2], "index 1", NULL});
    free(z);
    static const char *const wrong[] = {"hott=1", "hot=2", "hot", "T=1", "n=-1", "n=1.5"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sl_diags_clear(s.diags);
        free(page_of(&s, thermostat, (sl_page_def){.mode = wrong[i]}, SL_ERR_INPUT));
        assert_int_equal(sl_diags_size(s.diags), 1);
        assert_non_null(sl_diags_at(s.diags, 0)->hint);
    }
    sl_assert_z(sl_diags_at(s.diags, 0)->text, "'n' needs a value from 0 to 4, not '1.5'");
    end_setting(&s);
}

/* T = 40 - 20 exp(-t/10) until 22, at t = 10 ln(20/18); then back to 21 by the action, and to 10. */
static void at_a_time(void **state) {
    (void)state;
    setting s;
    begin_setting(&s);
    char *z = page_of(&s, thermostat, (sl_page_def){.at = {.is_given = true, .value = 1.0}}, SL_OK);
    holds_all(z,
              (const char *const[]){"automaton at 1 s", "  T = 21.9032516", "heat_1", "index 1", "  0 s  init", NULL});
    assert_null(strstr(z, "crossing"));
    free(z);
    free(page_of(&s, thermostat, (sl_page_def){.at = {.is_given = true, .value = 11.0}},
                 SL_ERR_INPUT)); /* after its end */
    end_setting(&s);
}

/* ---- Memory ------------------------------------------------------------------------------------- */

static void explain_once(sl_context *ctx, sl_test_memory *memory, void *user) {
    sl_bytes bytes;
    sl_bytes_init(&bytes, ctx);
    sl_sink sink = sl_bytes_sink(&bytes);
    const sl_source source = {.size = sizeof source, .name = "a.yaml", .bytes = thermostat, .n = strlen(thermostat)};
    const sl_load load = {.ctx = ctx, .source = &source};
    sl_status status = sl_automaton_explain(&load, user, &sink);
    assert_int_equal(status, memory->n_refused ? SL_ERR_MEMORY : SL_OK);
    sl_bytes_fini(&bytes);
}

static void memory_short(void **state) {
    (void)state;
    sl_page_def pages[] = {{.form = SL_PAGE_TEXT, .mode = "hot=0,warm=1,n=4"}, {.form = SL_PAGE_TEX}};
    for (int i = 0; i < 2; i++) {
        assert_true(sl_test_sweep(explain_once, &pages[i]) > 20);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_parts), cmocka_unit_test(signs_and_dots),
                                       cmocka_unit_test(parts_in_force), cmocka_unit_test(at_a_time),
                                       cmocka_unit_test(memory_short)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
