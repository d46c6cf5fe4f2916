/* SPDX-License-Identifier: MIT */
/* Selecting a part of a result: elements by id, values by patterns, quantities, times; what is wrong is named in one pass. */
#include "sl_test.h"

#include <sluice/diag.h>

#include "results/format.h"

/* ---- A result with four groups ------------------------------------------------------------------ */

static const char *const node_ids[] = {"J1", "J2", "a,b", "it's"}, *const link_ids[] = {"P1", "P2"};
static const char *const variable_ids[] = {"T", "\xC3\xA9t"}, *const model_ids[] = {"model"};
static const double x_at[] = {1.0, 2.0, 3.0, 4.0}, y_at[] = {5.0, 6.0, 7.0, 8.0};
static const char *const from[] = {"J1", "a,b"}, *const to[] = {"J2", "J1"};
static const sl_results_column node_facts[] = {{.name = "x", .real = x_at}, {.name = "y", .real = y_at}};
static const sl_results_column link_facts[] = {{.name = "from", .text = from}, {.name = "to", .text = to}};
static const sl_results_column node_quantities[] = {{.name = "head", .unit = "m"}, {.name = "pressure", .unit = "m"}};
static const sl_results_column link_quantities[] = {{.name = "flow", .unit = "L/s"}};
static const sl_results_column variable_quantities[] = {{.name = "value", .unit = ""}};
static const sl_results_column model_quantities[] = {{.name = "events", .unit = ""}};
static const sl_results_group groups[] = {
    {"node", "", NULL, NULL, 4, node_ids, 2, 2, node_facts, node_quantities},
    {"link", "", NULL, NULL, 2, link_ids, 2, 1, link_facts, link_quantities},
    {"variable", "", NULL, NULL, 2, variable_ids, 0, 1, NULL, variable_quantities},
    {"model", "", NULL, NULL, 1, model_ids, 0, 1, NULL, model_quantities},
};

typedef struct select_case {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_arena arena;
    sl_results_layout whole;
    sl_results_select select;
    sl_results_choice choice;
} select_case;

static void begin(select_case *c) {
    *c = (select_case){.select = sl_results_select_default()};
    c->ctx = sl_test_context(&c->memory);
    sl_assert_ok(sl_diags_create(c->ctx, &c->diags));
    sl_arena_init(&c->arena, c->ctx);
    c->whole = (sl_results_layout){
        .size = sizeof c->whole, .model = "m", .title = "", .engine = "eps", .time_unit = "s", .n_group = 4};
    c->whole.groups = groups;
}

static void finish(select_case *c) {
    sl_arena_fini(&c->arena);
    sl_diags_destroy(c->diags);
    sl_test_context_end(c->ctx, &c->memory);
}

static sl_status choose(select_case *c) {
    return sl_results_choose(&c->arena, &c->whole, &c->select, 0.0, 36000.0, 3600.0, c->diags, &c->choice);
}

/* The part in words: "node[J1,J2](head) link[P1](flow)". */
static const char *part(const select_case *c) {
    static char buf[1000];
    size_t at = 0;
    buf[0] = '\0';
    for (int32_t g = 0; g < c->choice.layout.n_group; g++) {
        const sl_results_group *group = &c->choice.layout.groups[g];
        at += (size_t)snprintf(buf + at, sizeof buf - at, "%s%s[", g > 0 ? " " : "", group->name);
        for (int32_t i = 0; i < group->n; i++) {
            at += (size_t)snprintf(buf + at, sizeof buf - at, "%s%s", i > 0 ? ";" : "", group->ids[i]);
        }
        at += (size_t)snprintf(buf + at, sizeof buf - at, "](");
        for (int32_t q = 0; q < group->n_quantity; q++) {
            at += (size_t)snprintf(buf + at, sizeof buf - at, "%s%s", q > 0 ? ";" : "", group->quantities[q].name);
        }
        at += (size_t)snprintf(buf + at, sizeof buf - at, ")");
    }
    return buf;
}

#define LIST(name, ...)                                      \
    static const char *const name##_texts[] = {__VA_ARGS__}; \
    c.select.name = name##_texts;                            \
    c.select.n_##name = (int32_t)(sizeof name##_texts / sizeof *name##_texts)

static const char everything[] =
    "node[J1;J2;a,b;it's](head;pressure) link[P1;P2](flow) variable[T;\xC3\xA9t](value) model[model](events)";

static void test_all(void **state) {
    (void)state;
    select_case c;
    begin(&c);
    sl_assert_ok(choose(&c));
    sl_assert_z(part(&c), everything);
    assert_int_equal(c.choice.n_quantity, 5);
    sl_assert_double(c.choice.layout.n_frame, 11.0);
    sl_assert_ok(sl_results_choose(&c.arena, &c.whole, NULL, 0.0, INFINITY, 0.0, c.diags, &c.choice));
    sl_assert_z(part(&c), everything);
    sl_assert_double(c.choice.layout.n_frame, 0.0);
    c.select.size = 0;
    sl_assert_status(choose(&c), SL_ERR_USE);
    finish(&c);
}

static void test_elements(void **state) {
    (void)state;
    select_case c;
    begin(&c);
    {
        LIST(node, "a,b", " J2 , it's");
        sl_assert_ok(choose(&c));
        sl_assert_z(part(&c), "node[J2;a,b;it's](head;pressure)");
        sl_assert_double(c.choice.layout.groups[0].facts[0].real[1], 3.0);
    }
    {
        LIST(link, "all");
        sl_assert_ok(choose(&c));
        sl_assert_z(part(&c), "node[J2;a,b;it's](head;pressure) link[P1;P2](flow)");
    }
    const double head[] = {10.0, 11.0, 12.0, 13.0}, pressure[] = {20.0, 21.0, 22.0, 23.0}, flow[] = {30.0, 31.0};
    const double *const values[] = {head, pressure, flow, flow, flow};
    sl_results_frame frame = {.time = 7.0, .values = values, .execution = 3};
    sl_results_frame some = sl_results_choice_gather(&c.choice, &frame);
    assert_int_equal(c.choice.n_quantity, 3);
    sl_assert_double(some.time, 7.0);
    assert_int_equal(some.execution, 3);
    sl_assert_double(some.values[0][0], 11.0);
    sl_assert_double(some.values[1][2], 23.0);
    assert_ptr_equal(some.values[2], flow);
    finish(&c);
}

/* Nodes at the ends of selected links stay, without quantities, for maps. */
static void test_ends(void **state) {
    (void)state;
    select_case c;
    begin(&c);
    LIST(link, "P2");
    sl_assert_ok(choose(&c));
    sl_assert_z(part(&c), "node[J1;a,b]() link[P2](flow)");
    finish(&c);
    begin(&c);
    {
        LIST(what, "FLOW");
        sl_assert_ok(choose(&c));
        sl_assert_z(part(&c), "node[J1;J2;a,b;it's]() link[P1;P2](flow)");
    }
    finish(&c);
}

/* Pumps are links: who selects one selects the other. */
static void test_among(void **state) {
    (void)state;
    select_case c;
    begin(&c);
    static const char *const pump_ids[] = {"P2"};
    const sl_results_group some[] = {groups[1], {"pump", "", "link", NULL, 1, pump_ids, 0, 1, NULL, model_quantities}};
    c.whole.groups = some;
    c.whole.n_group = 2;
    {
        LIST(link, "P2");
        sl_assert_ok(choose(&c));
        sl_assert_z(part(&c), "link[P2](flow) pump[P2](events)");
    }
    {
        LIST(link, "P1");
        sl_assert_ok(choose(&c));
        sl_assert_z(part(&c), "link[P1](flow)");
    }
    finish(&c);
}

static void test_variables(void **state) {
    (void)state;
    select_case c;
    begin(&c);
    {
        LIST(variable, "node.J?.head");
        sl_assert_ok(choose(&c));
        sl_assert_z(part(&c), "node[J1;J2](head)");
    }
    {
        LIST(variable, "*.'it\\'s'.*", "T");
        sl_assert_ok(choose(&c));
        sl_assert_z(part(&c), "node[it's](head;pressure) variable[T](value)");
    }
    {
        LIST(variable, "node.a,b.pressure", "variable.?t.value", "events");
        sl_assert_ok(choose(&c));
        sl_assert_z(part(&c), "node[a,b](pressure) variable[\xC3\xA9t](value) model[model](events)");
    }
    {
        LIST(variable, "*");
        sl_assert_ok(choose(&c));
        sl_assert_z(part(&c), everything);
    }
    finish(&c);
}

static void test_quantities(void **state) {
    (void)state;
    select_case c;
    begin(&c);
    LIST(what, "Node.Pressure, value");
    sl_assert_ok(choose(&c));
    sl_assert_z(part(&c), "node[J1;J2;a,b;it's](pressure) link[P1;P2]() variable[T;\xC3\xA9t](value)");
    static const char *const node[] = {"J2"};
    c.select.node = node;
    c.select.n_node = 1;
    sl_assert_ok(choose(&c));
    sl_assert_z(part(&c), "node[J2](pressure)");
    finish(&c);
}

static const sl_diag *last_diag(const select_case *c) {
    assert_true(sl_diags_size(c->diags) > 0);
    return sl_diags_at(c->diags, sl_diags_size(c->diags) - 1);
}

static void test_wrong(void **state) {
    (void)state;
    select_case c;
    begin(&c);
    static const char *const node[] = {"J9"}, *const variable[] = {"node.J1.haed"}, *const what[] = {"presure"};
    c.select.node = node;
    c.select.variable = variable;
    c.select.what = what;
    c.select.n_node = c.select.n_variable = c.select.n_what = 1;
    c.select.from = 99999.0;
    sl_assert_status(choose(&c), SL_ERR_INPUT);
    assert_int_equal(sl_diags_size(c.diags), 4); /* each of them */
    assert_int_equal(sl_diags_at(c.diags, 0)->code, SL_CODE_UNKNOWN_NODE);
    sl_assert_z(sl_diags_at(c.diags, 0)->object_id, "J9");
    sl_assert_z(sl_diags_at(c.diags, 0)->hint, "did you mean 'J1'?");
    sl_assert_z(sl_diags_at(c.diags, 1)->hint, "did you mean 'node.J1.head'?");
    sl_assert_z(sl_diags_at(c.diags, 2)->hint, "did you mean pressure?");
    assert_non_null(strstr(sl_diags_at(c.diags, 3)->text, "from 0:00 to 10:00"));
    finish(&c);
    begin(&c);
    c.whole.groups = &groups[2]; /* no nodes */
    c.whole.n_group = 2;
    c.select.node = node;
    c.select.n_node = 1;
    sl_assert_status(choose(&c), SL_ERR_INPUT);
    assert_int_equal(last_diag(&c)->code, SL_CODE_WRONG_KIND);
    assert_non_null(strstr(last_diag(&c)->text, "variable, model"));
    finish(&c);
    begin(&c);
    {
        LIST(node, "J1");
        static const char *const flow[] = {"flow"};
        c.select.what = flow;
        c.select.n_what = 1;
        sl_assert_status(choose(&c), SL_ERR_INPUT);
        assert_non_null(strstr(last_diag(&c)->text, "nothing is selected"));
        assert_non_null(strstr(last_diag(&c)->hint, "node (head, pressure), link (flow)"));
    }
    finish(&c);
}

static int64_t count_times(const select_case *c, double start, double step, int64_t n) {
    int64_t wanted = 0;
    for (int64_t i = 0; i < n; i++) {
        wanted += sl_results_choice_wants(&c->choice, start + (double)i * step);
    }
    return wanted;
}

static void test_times(void **state) {
    (void)state;
    select_case c;
    begin(&c);
    c.select.from = 5000.0; /* the first report after it is at 7200 s, and counts */
    c.select.to = 25200.0;
    c.select.every = 7200.0;
    sl_assert_ok(choose(&c));
    sl_assert_double(c.choice.first, 7200.0);
    sl_assert_double(c.choice.layout.n_frame, 3.0);
    assert_int_equal(count_times(&c, 0.0, 3600.0, 11), 3);
    assert_true(sl_results_choice_wants(&c.choice, 14400.0));
    assert_false(sl_results_choice_wants(&c.choice, 10800.0));
    assert_false(sl_results_choice_wants(&c.choice, 28800.0));
    /* thousandths of a second, summed up or not */
    c.select = sl_results_select_default();
    c.select.from = 0.3;
    c.select.to = 0.9;
    c.select.every = 0.01;
    sl_assert_ok(sl_results_choose(&c.arena, &c.whole, &c.select, 0.0, 1.0, 0.001, c.diags, &c.choice));
    assert_int_equal(count_times(&c, 0.0, 0.001, 1001), 61);
    sl_assert_double(c.choice.layout.n_frame, 61.0);
    sl_assert_ok(sl_results_choose(&c.arena, &c.whole, &c.select, 0.0, INFINITY, 0.0, c.diags, &c.choice));
    assert_int_equal(count_times(&c, 0.0, 0.001, 1001), 61);
    finish(&c);
}

static void short_of_memory(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)m;
    select_case *c = user;
    sl_arena arena;
    sl_arena_init(&arena, ctx);
    sl_status status = sl_results_choose(&arena, &c->whole, &c->select, 0.0, 36000.0, 3600.0, NULL, &c->choice);
    assert_true(status == SL_OK || status == SL_ERR_MEMORY);
    sl_arena_fini(&arena);
}

static void test_memory(void **state) {
    (void)state;
    select_case c;
    begin(&c);
    static const char *const link[] = {"P1"}, *const variable[] = {"variable.*"}, *const what[] = {"flow,value"};
    c.select.link = link;
    c.select.variable = variable;
    c.select.what = what;
    c.select.n_link = c.select.n_variable = c.select.n_what = 1;
    assert_true(sl_test_sweep(short_of_memory, &c) > 0);
    finish(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),   cmocka_unit_test(test_elements),  cmocka_unit_test(test_ends),
        cmocka_unit_test(test_among), cmocka_unit_test(test_variables), cmocka_unit_test(test_quantities),
        cmocka_unit_test(test_wrong), cmocka_unit_test(test_times),     cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
