/* SPDX-License-Identifier: MIT */
/* Building by calls, with mistakes: every add refuses with a code, adds nothing and says what was meant; compile refuses
 * after them. And what is accepted can be written, read again and is the same. */
#include "net_test.h"

static void end_spec(net_case *c, sl_spec *s) {
    sl_spec_destroy(s);
    net_end(c);
}

/* The call must refuse with one error of this code, with this in its text or hint, and leave the model as it was. */
static void check_refusal(void (*call)(sl_spec *s, sl_status *status), const char *what, sl_code code,
                          const char *word) {
    net_case c;
    sl_spec *s = net_spec_begin(&c);
    sl_network *before = NULL, *after = NULL;
    sl_assert_ok(sl_spec_compile(s, &before));
    sl_status status = SL_OK;
    call(s, &status);
    const sl_diag *d = sl_diags_size(c.diags) == 1 ? sl_diags_at(c.diags, 0) : NULL;
    if (status != SL_ERR_INPUT || !d || d->code != code ||
        (word && !strstr(d->text, word) && !(d->hint && strstr(d->hint, word)))) {
        print_error("%s: status %s, expected one [%s] with '%s', found:\n", what, sl_status_text(status),
                    sl_code_word(code), word ? word : "");
        net_show(&c);
        fail();
    }
    assert_int_equal(d->line, 0);
    sl_assert_status(sl_spec_compile(s, &after), SL_ERR_INPUT);
    assert_null(after);
    assert_int_equal(sl_diags_size(c.diags), 1); /* nothing else is wrong: nothing was added */
    sl_network_destroy(before);
    end_spec(&c, s);
}

/* Code, a word of the text or hint, the definition's type, the add, and what makes the definition d wrong. */
#define MISTAKES(X)                                                                                                 \
    X(BAD_ID, NULL, sl_pattern, pattern, d.id = NULL)                                                               \
    X(BAD_ID, NULL, sl_pattern, pattern, d.id = "")                                                                 \
    X(BAD_ID, NULL, sl_pattern, pattern, d.id = "a b")                                                              \
    X(DUPLICATE_ID, NULL, sl_pattern, pattern, d.id = "Daily")                                                      \
    X(BAD_ID, NULL, sl_curve, curve, d.id = "a;b")                                                                  \
    X(DUPLICATE_ID, NULL, sl_curve, curve, d.id = "Rising")                                                         \
    X(BAD_ID, NULL, sl_junction, junction, d.id = NULL)                                                             \
    X(BAD_ID, NULL, sl_junction, junction, d.id = "a\tb")                                                           \
    X(BAD_ID, NULL, sl_junction, junction, d.id = "[a")                                                             \
    X(BAD_ID, NULL, sl_junction, junction, d.id = "a\"b")                                                           \
    X(DUPLICATE_ID, NULL, sl_junction, junction, d.id = "A")                                                        \
    X(DUPLICATE_ID, NULL, sl_junction, junction, d.id = "R")                                                        \
    X(UNKNOWN_PATTERN, "Daily", sl_junction, junction, (d.id = "X", d.pattern = "Daly"))                            \
    X(BAD_ID, NULL, sl_reservoir, reservoir, d.id = "")                                                             \
    X(DUPLICATE_ID, NULL, sl_reservoir, reservoir, d.id = "T")                                                      \
    X(UNKNOWN_PATTERN, "before", sl_reservoir, reservoir, (d.id = "X", d.pattern = "zzzzzzzz"))                     \
    X(DUPLICATE_ID, NULL, sl_tank, tank, d.id = "A")                                                                \
    X(UNKNOWN_CURVE, "Rising", sl_tank, tank, (d.id = "X", d.volume_curve = "Risin"))                               \
    X(UNKNOWN_NODE, NULL, sl_demand, demand, d.junction = "X")                                                      \
    X(UNKNOWN_NODE, NULL, sl_demand, demand, d.junction = NULL)                                                     \
    X(WRONG_KIND, "junctions", sl_demand, demand, d.junction = "T")                                                 \
    X(UNKNOWN_PATTERN, NULL, sl_demand, demand, (d.junction = "A", d.pattern = "X"))                                \
    X(BAD_ID, NULL, sl_pipe, pipe, (d.id = " ", d.from = "A", d.to = "B"))                                          \
    X(DUPLICATE_ID, NULL, sl_pipe, pipe, (d.id = "U", d.from = "A", d.to = "B"))                                    \
    X(UNKNOWN_NODE, NULL, sl_pipe, pipe, (d.id = "X", d.from = "A", d.to = "Nowhere"))                              \
    X(UNKNOWN_NODE, NULL, sl_pipe, pipe, (d.id = "X", d.to = "A"))                                                  \
    X(UNKNOWN_CURVE, "Pumping", sl_pump, pump, (d.id = "X", d.from = "R", d.to = "A", d.curve = "pumping"))         \
    X(UNKNOWN_CURVE, NULL, sl_pump, pump,                                                                           \
      (d.id = "X", d.from = "R", d.to = "A", d.power = 1, d.efficiency_curve = "X"))                                \
    X(UNKNOWN_PATTERN, NULL, sl_pump, pump, (d.id = "X", d.from = "R", d.to = "A", d.power = 1, d.pattern = "X"))   \
    X(UNKNOWN_PATTERN, NULL, sl_pump, pump,                                                                         \
      (d.id = "X", d.from = "R", d.to = "A", d.power = 1, d.price_pattern = "X"))                                   \
    X(DUPLICATE_ID, NULL, sl_pump, pump, (d.id = "P1", d.from = "R", d.to = "A", d.power = 1))                      \
    X(UNKNOWN_NODE, NULL, sl_valve, valve, (d.id = "X", d.from = "A", d.to = "X"))                                  \
    X(UNKNOWN_CURVE, NULL, sl_valve, valve, (d.id = "X", d.from = "A", d.to = "B", d.kind = SL_GPV, d.curve = "X")) \
    X(UNKNOWN_LINK, NULL, sl_control, control, (d.link = "X", d.kind = SL_CONTROL_TIME))                            \
    X(UNKNOWN_NODE, NULL, sl_control, control, (d.link = "P2", d.kind = SL_CONTROL_ABOVE, d.node = "X"))            \
    X(UNKNOWN_NODE, NULL, sl_control, control, (d.link = "P2", d.kind = SL_CONTROL_BELOW))                          \
    X(CONTROL, "check valve", sl_control, control, (d.link = "CV", d.kind = SL_CONTROL_TIME))                       \
    X(CONTROL, "general", sl_control, control, (d.link = "GPV", d.kind = SL_CONTROL_TIME, d.setting = 5))           \
    X(VALUE_RANGE, "negative", sl_control, control, (d.link = "U", d.kind = SL_CONTROL_TIME, d.setting = -1))       \
    X(VALUE_RANGE, "time", sl_control, control, (d.link = "U", d.kind = SL_CONTROL_TIME, d.threshold = -1))         \
    X(VALUE_RANGE, "level", sl_control, control,                                                                    \
      (d.link = "U", d.kind = SL_CONTROL_ABOVE, d.node = "T", d.threshold = INFINITY))                              \
    X(BAD_ID, NULL, sl_rule, rule, d.name = "")                                                                     \
    X(RULE, "premise", sl_rule, rule, d.name = "r")                                                                 \
    X(RULE, "action", sl_rule, rule, (d.name = "r", d.premise = &level, d.n_premise = 1))                           \
    X(UNKNOWN_LINK, NULL, sl_rule, rule,                                                                            \
      (d.name = "r", d.premise = &level, d.n_premise = 1, d.then_action = &lost, d.n_then = 1))                     \
    X(UNKNOWN_LINK, NULL, sl_rule, rule,                                                                            \
      (d.name = "r", d.premise = &level, d.n_premise = 1, d.then_action = &open_u, d.n_then = 1,                    \
       d.else_action = &lost, d.n_else = 1))                                                                        \
    X(UNKNOWN_NODE, NULL, sl_rule, rule,                                                                            \
      (d.name = "r", d.premise = &nowhere, d.n_premise = 1, d.then_action = &open_u, d.n_then = 1))                 \
    X(RULE, "does not have", sl_rule, rule,                                                                         \
      (d.name = "r", d.premise = &filling, d.n_premise = 1, d.then_action = &open_u, d.n_then = 1))                 \
    X(VALUE_RANGE, "finite", sl_rule, rule,                                                                         \
      (d.name = "r", d.premise = &endless, d.n_premise = 1, d.then_action = &open_u, d.n_then = 1))                 \
    X(CONTROL, NULL, sl_rule, rule,                                                                                 \
      (d.name = "r", d.premise = &level, d.n_premise = 1, d.then_action = &check, d.n_then = 1))                    \
    X(UNKNOWN_NODE, NULL, sl_source, source, d.node = "X")                                                          \
    X(UNKNOWN_PATTERN, NULL, sl_source, source, (d.node = "A", d.pattern = "X"))                                    \
    X(VALUE_RANGE, NULL, sl_source, source, (d.node = "A", d.strength = NAN))                                       \
    X(UNKNOWN_NODE, NULL, sl_label, label, d.anchor = "X")

static const sl_premise_def level = {
    .object = SL_RULE_NODE, .id = "T", .variable = SL_RULE_LEVEL, .relation = SL_RULE_GT, .value = 1};
static const sl_premise_def nowhere = {
    .object = SL_RULE_NODE, .id = "X", .variable = SL_RULE_LEVEL, .relation = SL_RULE_GT, .value = 1};
static const sl_premise_def filling = {
    .object = SL_RULE_NODE, .id = "A", .variable = SL_RULE_FILLTIME, .relation = SL_RULE_GT, .value = 1};
static const sl_premise_def endless = {
    .object = SL_RULE_NODE, .id = "T", .variable = SL_RULE_LEVEL, .relation = SL_RULE_GT, .value = INFINITY};
static const sl_action_def lost = {.link = "X", .status = SL_OPEN, .setting = NAN},
                           open_u = {.link = "U", .status = SL_OPEN, .setting = NAN},
                           check = {.link = "CV", .status = SL_OPEN, .setting = NAN};

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
/* The row of the table that call_row makes: calls have no place for an argument. */
static int row_wanted;

static void call_row(sl_spec *s, sl_status *status) {
    int row = 0;
#define X(code, word, type, add, set)                \
    if (row++ == row_wanted) {                       \
        JOIN(type, _def) d = JOIN(type, _default)(); \
        set;                                         \
        *status = JOIN(sl_spec_add_, add)(s, &d);    \
        return;                                      \
    }
    MISTAKES(X)
#undef X
}

static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *what;
        sl_code code;
        const char *word;
    } rows[] = {
#define X(code, word, type, add, set) {#add ": " #set, SL_CODE_##code, word},
        MISTAKES(X)
#undef X
    };
    for (row_wanted = 0; row_wanted < (int)(sizeof rows / sizeof *rows); row_wanted++) {
        check_refusal(call_row, rows[row_wanted].what, rows[row_wanted].code, rows[row_wanted].word);
    }
}

static void call_other(sl_spec *s, sl_status *status) {
    static const double z = 0;
    switch (row_wanted) {
    case 0: *status = sl_spec_set_default_pattern(s, "X"); break;
    case 1: *status = sl_spec_set_price_pattern(s, "X"); break;
    case 2: *status = sl_spec_set_trace_node(s, "X"); break;
    case 3: *status = sl_spec_set_chemical(s, "two words", NULL); break;
    case 4: *status = sl_spec_set_chemical(s, NULL, "per litre"); break;
    case 5: *status = sl_spec_add_vertices(s, "X", &z, &z, 1); break;
    case 6: *status = sl_spec_add_title(s, "[heading]"); break;
    case 7: *status = sl_spec_add_title(s, " ; comment"); break;
    case 8: *status = sl_spec_add_backdrop(s, ""); break;
    default: fail();
    }
}

static void test_other_refusals(void **state) {
    (void)state;
    static const sl_code codes[] = {SL_CODE_UNKNOWN_PATTERN, SL_CODE_UNKNOWN_PATTERN, SL_CODE_UNKNOWN_NODE,
                                    SL_CODE_BAD_ID,          SL_CODE_BAD_ID,          SL_CODE_UNKNOWN_LINK,
                                    SL_CODE_SYNTAX,          SL_CODE_SYNTAX,          SL_CODE_SYNTAX};
    for (row_wanted = 0; row_wanted < 9; row_wanted++) {
        char what[30];
        snprintf(what, sizeof what, "other %d", row_wanted);
        check_refusal(call_other, what, codes[row_wanted], NULL);
    }
}

/* The same validation as for files; objects are named, since there are no lines. */
static void test_validation(void **state) {
    (void)state;
    static const struct {
        sl_code code;
        const char *kind, *id;
    } want[] = {{SL_CODE_VALUE_RANGE, "pipe", "X"},     {SL_CODE_VALUE_RANGE, "pipe", "X"},
                {SL_CODE_TANK_LEVELS, "tank", "X"},     {SL_CODE_NO_PUMP_DATA, "pump", "X"},
                {SL_CODE_VALVE_PLACE, "valve", "X"},    {SL_CODE_SELF_LOOP, "pipe", "X"},
                {SL_CODE_UNCONNECTED, "junction", "X"}, {SL_CODE_VALUE_RANGE, "junction", "X"},
                {SL_CODE_UNKNOWN_CURVE, "valve", "X"},  {SL_CODE_PATTERN_EMPTY, "pattern", "X"},
                {SL_CODE_CURVE_EMPTY, "curve", "X"},    {SL_CODE_CURVE_SHAPE, "curve", "X"}};
    for (int i = 0; i < 12; i++) {
        static const double back[] = {2, 1};
        net_case c;
        sl_spec *s = net_spec_begin(&c);
        sl_pipe_def p = sl_pipe_default();
        p.id = "X";
        p.from = "A";
        p.to = i == 5 ? "A" : "B";
        p.length = i == 0 ? 0.0 : 1.0;
        p.diameter = i == 1 ? (double)NAN : 1.0;
        sl_tank_def t = sl_tank_default();
        t.id = "X";
        t.level_init = 9;
        t.level_max = 5;
        sl_pipe_def to_x = sl_pipe_default();
        to_x.id = "Y";
        to_x.from = "A";
        to_x.to = "X";
        sl_pump_def u = sl_pump_default();
        u.id = "X";
        u.from = "R";
        u.to = "A";
        sl_valve_def v = sl_valve_default();
        v.id = "X";
        v.from = i == 4 ? "R" : "A";
        v.to = "B";
        v.kind = i == 4 ? SL_FCV : SL_GPV;
        sl_junction_def j = sl_junction_default();
        j.id = "X";
        j.demand = i == 7 ? (double)INFINITY : 0.0;
        sl_pattern_def pattern = sl_pattern_default();
        pattern.id = "X";
        sl_curve_def curve = sl_curve_default();
        curve.id = "X";
        curve.x = curve.y = back;
        curve.n_point = i == 11 ? 2 : 0;
        sl_assert_ok(i < 2 || i == 5    ? sl_spec_add_pipe(s, &p)
                     : i == 2           ? sl_spec_add_tank(s, &t)
                     : i == 3           ? sl_spec_add_pump(s, &u)
                     : i == 4 || i == 8 ? sl_spec_add_valve(s, &v)
                     : i == 6 || i == 7 ? sl_spec_add_junction(s, &j)
                     : i == 9           ? sl_spec_add_pattern(s, &pattern)
                                        : sl_spec_add_curve(s, &curve));
        if (i == 2 || i == 7) {
            sl_assert_ok(sl_spec_add_pipe(s, &to_x));
        }
        sl_network *net = NULL;
        sl_assert_status(sl_spec_compile(s, &net), SL_ERR_INPUT);
        assert_null(net);
        if (sl_diags_size(c.diags) != 1) {
            print_error("row %d\n", i);
        }
        const sl_diag *d = net_only(&c, want[i].code);
        assert_string_equal(d->object_kind, want[i].kind);
        assert_string_equal(d->object_id, want[i].id);
        assert_int_equal(d->line, 0);
        end_spec(&c, s);
    }
}

/* No diagnostics wanted: the status says enough. */
static void test_without_diagnostics(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_spec *s = NULL;
    sl_network *net = NULL;
    sl_assert_ok(sl_spec_create(ctx, NULL, &s));
    sl_junction_def j = sl_junction_default();
    sl_assert_status(sl_spec_add_junction(s, &j), SL_ERR_INPUT);
    sl_assert_status(sl_spec_compile(s, &net), SL_ERR_INPUT);
    sl_spec_destroy(s);
    sl_spec_destroy(NULL);
    sl_test_context_end(ctx, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_other_refusals),
        cmocka_unit_test(test_validation),
        cmocka_unit_test(test_without_diagnostics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
