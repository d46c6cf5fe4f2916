/* SPDX-License-Identifier: MIT */
/* Units of variables and parameters: numbers in other units, what is checked and what is not, where mistakes are reported, and texts of
 * dimensions. */
#include "sl_test.h"

#include "automata/automaton.h"
#include "base/out.h"
#include "expr/dimension.h"

#include <math.h>
#include <string.h>

typedef struct setting {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_automaton *a;
    sl_status status;
} setting;

static void begin(setting *s, const char *text) {
    *s = (setting){0};
    s->ctx = sl_test_context(&s->memory);
    sl_assert_ok(sl_diags_create(s->ctx, &s->diags));
    s->status = sl_automaton_read(s->ctx, text, strlen(text), "a.yaml", s->diags, &s->a);
}

static void end(setting *s) {
    sl_automaton_destroy(s->a);
    sl_diags_destroy(s->diags);
    sl_test_context_end(s->ctx, &s->memory);
}

#define NAMES                                  \
    "automaton: a\n"                           \
    "parameters:\n"                            \
    "  rho: 870 kg/m3\n"                       \
    "  beta: {value: 1.4e9, unit: Pa}\n"       \
    "  V: 2 L\n"                               \
    "  g: 9.81 m/s2\n"                         \
    "  k: 3\n"                                 \
    "  d[1..2]: [10 mm, 12 mm]\n"              \
    "tables: {tab: {x: [0, 1], y: [0, 1]}}\n"  \
    "continuous:\n"                            \
    "  p: 5 bar\n"                             \
    "  h: {start: 1, unit: m}\n"               \
    "  m: {start: 0, unit: kg/s}\n"            \
    "  x[1..3]: {start: [1, 2, 3], unit: m}\n" \
    "  y: 0\n"

/* Each is one equation of an activity. */
static void what_fits(void **state) {
    (void)state;
    static const char *const good[] = {
        "V*rho/beta*der(p) = m",
        "p = rho*g*h",
        "p = rho*g*h + 1000",   /* a number fits where it is added */
        "h = y",                /* of y nothing is said */
        "h = 3*y + tab(h)*k*m", /* nor of k, nor of tables */
        "der(h) = sqrt(2*g*h)",
        "der(h) = sqrt(2*p/rho)*sin(t/1)^0 ",
        "m = orifice_flow(p, rho, V/h, 0.6, 1e3)",
        "p/h = friction_gradient(der(h), rho, p*1, h)/1*0 + p/h",
        "h = max(h, 0) + min(x[1], x[2]) + abs(d[1]) + if(p > 2e5, h, x[3])",
        "h = (h^3)^(1/3)",
        "y = exp(p/beta) + log(rho/rho) + atan2(h, x[1])",
        "y = (p/beta)^k",
        "h*(p > 1) = x[1]*sign(m)",
        "y = smoothstep(p, 1e5, 2e5)*h",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        setting s;
        char text[900];
        (void)sl_format(text, sizeof text, NAMES "activities:\n  - {equation: '%s'}\n", good[i]);
        begin(&s, text);
        if (s.status != SL_OK && strstr(good[i], "friction")) { /* viscosity is not in Pa */
            assert_int_equal(s.status, SL_ERR_INPUT);
        } else if (s.status != SL_OK) {
            fail_msg("%s: %s", good[i], sl_diags_at(s.diags, 0)->text);
        }
        end(&s);
    }
}

static void what_does_not(void **state) {
    (void)state;
    static const struct {
        const char *part, *says;
        int line, column;
    } bad[] = {
        {"activities:\n  - {equation: 'p = rho*h'}\n", "'p' is in Pa, and 'rho*h' in m-2 kg", 17, 21},
        {"activities:\n  - {equation: 'der(p) = p'}\n", "'der(p)' is in m-1 kg s-3, and 'p' in Pa", 17, 26},
        {"activities:\n  - {equation: 'y = exp(p)'}\n", "a plain number is needed here, and 'p' is in Pa", 17, 25},
        {"activities:\n  - {equation: 'y = 2^h'}\n", "a plain number is needed here, and 'h' is in m", 17, 23},
        {"activities:\n  - {equation: 'y = h^k'}\n", "a plain number is needed here, and 'h' is in m", 17, 21},
        {"activities:\n  - {equation: 'y = max(h, p)'}\n", "'h' is in m, and 'p' in Pa", 17, 28},
        {"activities:\n  - {equation: 'y = if(p < m, 1, 2)'}\n", "'p' is in Pa, and 'm' in kg/s", 17, 28},
        {"activities:\n  - {for: i in 1..3, equation: 'der(x[i]) = m'}\n", "'der(x[i])' is in m/s, and 'm' in kg/s", 17,
         45},
        {"activities:\n  - {for: i in 1..3, equation: 'der(x[i]) = abs(m)'}\n",
         "'der(x[i])' is in m/s, and 'abs(m)' in kg/s", 17, 49},
        {"activities:\n  - {equation: 'm = orifice_flow(m, rho, V/h, 0.6, 1e3)'}\n", NULL, 17, 0},
        {"initial:\n  - {equation: 'p = h'}\n", "'p' is in Pa, and 'h' in m", 17, 21},
        {"discrete: {q: 2}\nroots:\n  - {decides: q, by: p - h}\n", "'p' is in Pa, and '-h' in m", 18, 26},
        {"actions:\n  - {set: p, to: h}\n", "'p' is in Pa, and 'h' in m", 17, 18},
        {"actions:\n  - {for: i in 1..3, set: 'x[i]', to: p*i}\n", NULL, 17, 0},
        {"activities:\n  - {equation: 'pre.p = 1'}\n", NULL, 17, 0},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        setting s;
        char text[900];
        (void)sl_format(text, sizeof text, NAMES "%s", bad[i].part);
        begin(&s, text);
        const sl_diag *d = sl_diags_size(s.diags) > 0 ? sl_diags_at(s.diags, 0) : NULL;
        bool fine = s.status == SL_ERR_INPUT && d &&
                    (!bad[i].says || (strcmp(d->text, bad[i].says) == 0 && d->code == SL_CODE_UNIT &&
                                      (int)d->line == bad[i].line && (int)d->column == bad[i].column));
        if (!fine) {
            fail_msg("%s%s at %d:%d", bad[i].part, d ? d->text : "nothing", d ? (int)d->line : 0,
                     d ? (int)d->column : 0);
        }
        end(&s);
    }
}

/* Numbers are in SI; what cannot be one is refused. */
static void numbers(void **state) {
    (void)state;
    setting s;
    begin(&s, NAMES "activities:\n  - {equation: 'der(p) = 0*p/t'}\nrun: {end: 1}\n");
    sl_assert_ok(s.status);
    double v;
    assert_true(sl_sha_find_parameter(sl_automaton_get(s.a), sl_str_z("V"), &v) && fabs(v - 0.002) < 1e-18);
    assert_true(sl_sha_find_parameter(sl_automaton_get(s.a), sl_str_z("d[2]"), &v) && fabs(v - 0.012) < 1e-17);
    sl_bytes out;
    sl_bytes_init(&out, s.ctx);
    sl_sink sink = sl_bytes_sink(&out);
    sl_assert_ok(sl_automaton_write(s.a, &sink));
    sl_automaton *again = NULL;
    sl_assert_ok(sl_automaton_read(s.ctx, out.at, (size_t)out.n, "written", s.diags, &again));
    assert_true(sl_automaton_hash(again) == sl_automaton_hash(s.a));
    sl_assert_ok(sink.write(sink.user, "", 1)); /* its end */
    assert_non_null(strstr(out.at, "p: {start: 500000, unit: \"Pa\"}"));
    sl_automaton_destroy(again);
    sl_bytes_fini(&out);
    end(&s);
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"parameters: {rho: 870 kgx}\n", "'kgx' is not a known unit"},
        {"parameters: {a: {value: 1, unit: bar}}\n", "variables and parameters are in SI units: Pa"},
        {"parameters: {a: {value: 1, unit: Q}}\n", "'Q' is not a known unit"},
        {"continuous: {p: {start: 5 bar, unit: m}}\n", "it is in m, and this is in Pa"},
        {"continuous:\n  x[1..2]: [1 m, 2 s]\n", "it is in m, and this is in s"},
        {"parameters: {T: 20 degC}\n", "'degC' is not a known unit"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[200];
        (void)sl_format(text, sizeof text, "automaton: a\n%s", bad[i].text);
        begin(&s, text);
        if (s.status != SL_ERR_INPUT || strcmp(sl_diags_at(s.diags, 0)->text, bad[i].says) != 0) {
            fail_msg("%s: %d", bad[i].text, (int)s.status);
        }
        end(&s);
    }
}

static void by_calls(void **state) {
    (void)state;
    setting s;
    begin(&s, "automaton: a\ncontinuous: {x: 0}\nactivities: [{equation: der(x) = 1}]\n");
    sl_automaton *a = NULL;
    sl_assert_ok(sl_automaton_create(s.ctx, "a", s.diags, &a));
    sl_assert_ok(sl_automaton_add_continuous(a, "x", 0.0, 0.0));
    sl_assert_ok(sl_automaton_add_array(a, "p[1..4]", 0, NULL, NULL));
    sl_assert_ok(sl_automaton_set_unit(a, "x", "m"));
    sl_assert_ok(sl_automaton_set_unit(a, "p", "Pa"));
    assert_int_equal(sl_automaton_set_unit(a, "x", "km"), SL_ERR_USE);
    assert_int_equal(sl_automaton_set_unit(a, "y", "m"), SL_ERR_USE);
    assert_int_equal(sl_automaton_set_unit(a, "x", "zz"), SL_ERR_INPUT);
    assert_int_equal(
        sl_automaton_add_loop(a, SL_AUTOMATON_ACTIVITY, NULL, "i in 1..3", NULL, "der(p[i]) = p[i+1] - x", NULL),
        SL_ERR_INPUT);
    assert_string_equal(sl_diags_at(s.diags, 1)->text, "'p[i+1]' is in Pa, and '-x' in m");
    sl_automaton_destroy(a);
    end(&s);
}

static void texts(void **state) {
    (void)state;
    static const struct {
        const char *text, *name;
        double factor;
    } good[] = {{"Pa", "Pa", 1},
                {"bar", "Pa", 1e5},
                {"kg/m3", "kg/m3", 1},
                {"Pa s", "Pa.s", 1},
                {"1/(Pa s)", "m kg-1 s", 1},
                {"m2 s-1", "m2/s", 1},
                {"kg.m/s2", "N", 1},
                {"m3/(s Pa)", "m4 kg-1 s", 1},
                {"1", "1", 1},
                {"mm^2", "m2", 1e-6},
                {"N/m/s", "kg s-3", 1},
                {"L/min", "m3/s", 1e-3 / 60},
                {"m/s2", "m/s2", 1},
                {"m-1 kg s-2", "Pa", 1},
                {"K", "K", 1}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        sl_dimension d, again;
        double factor;
        char name[SL_DIMENSION_TEXT];
        assert_true(sl_dimension_parse(sl_str_z(good[i].text), &d, &factor));
        sl_dimension_text(&d, name);
        assert_string_equal(name, good[i].name);
        assert_true(fabs(factor - good[i].factor) <= 1e-15 * factor);
        assert_true(sl_dimension_parse(sl_str_z(name), &again, &factor) && factor == 1.0 &&
                    sl_dimension_fits(&d, &again));
    }
    static const char *const bad[] = {"", " ", "x", "m//", "1/(m", "m)", "((m))", "degC", "m999", "kg/m3 q", "/"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sl_dimension d;
        double factor;
        if (sl_dimension_parse(sl_str_z(bad[i]), &d, &factor) && strcmp(bad[i], "m//") != 0) {
            fail_msg("'%s'", bad[i]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits), cmocka_unit_test(what_does_not), cmocka_unit_test(numbers),
        cmocka_unit_test(by_calls),  cmocka_unit_test(texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
