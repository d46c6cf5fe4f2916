/* SPDX-License-Identifier: MIT */
/* Files of tunnels: what is read, and what is refused, each with its place. */
#include "tunnel_test.h"

#include "tunnel/read.h"

static const char head[] = "sluice: tunnel/1\nrun: {end: 100}\n";

/* Files that are named inside, each with its text. */
static const char *const named[][2] = {
    {"inflow.csv", "time, inflow\n0, 2\n\n10, 2\n# more\n0:00:20, 4000 l/s\n"},
    {"level.csv", "0,30\n60,29\n"},
    {"back.csv", "0,1\n10,2\n5,3\n7,x\n8,2 m\n"},
};

static sl_status open_named(void *user, const char *path, sl_yaml *doc, const sl_yaml_node *node, sl_str *bytes,
                            const char **name) {
    int *n_open = user;
    for (size_t k = 0; k < sizeof named / sizeof *named; k++) {
        if (strcmp(named[k][0], path) == 0) {
            *bytes = sl_str_z(named[k][1]);
            *name = path;
            ++*n_open;
            return SL_OK;
        }
    }
    sl_yaml_report(doc, node, SL_ERROR, SL_CODE_IO, NULL, "cannot read the file '%s'", path);
    return SL_ERR_IO;
}

static void close_named(void *user) {
    int *n_open = user;
    --*n_open;
}

static sl_tunnel_study *read_text(fixture *f, const char *text, sl_status expected) {
    sl_tunnel_study *study = NULL;
    int n_open = 0;
    sl_tunnel_files files = {open_named, close_named, &n_open};
    sl_assert_status(sl_tunnel_read(f->ctx, text, strlen(text), "t.yaml", &files, f->diags, &study), expected);
    assert_int_equal(n_open, 0);
    return study;
}

static void a_chain_of_stretches(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    char text[1024];
    snprintf(
        text, sizeof text,
        "%svalves:\n  a: {elevation: 20, tub: {level: {time: [0, 1 min], value: [30, 15]}}}\n"
        "  b: {elevation: 10, tub: {inlet: {inflow: 3, rim: 0.4}}}\n"
        "tunnels:\n  t: {from: a, to: b, profile: {chainage: [0, 20, 40, 60, 100], elevation: [20, 4, 14.5, 25, 10]}, "
        "shape: {horseshoe: 2}, roughness: 1 mm, losses: {in: [1.5, 1.2], out: [0.1, 0.2]}}\n"
        "gates: {t.to: [{at: 0, open: 0}, {at: 20, open: 1}]}\nstart: {full: ['t[1]'], half: {'t[0]': {from: a, volume: 1}}}\n",
        head);
    sl_tunnel_study *study = read_text(&f, text, SL_OK);
    const sl_tunnel_network *net = study->net;
    assert_int_equal(net->n_valve, 4); /* the points at 20 and at 60 m: that at 40 m lies on a line */
    assert_int_equal(net->n_pipe, 3);
    sl_assert_z(sl_tunnel_valve_id(net, 2), "t[1]");
    sl_assert_z(sl_tunnel_pipe_id(net, 1), "t[1]");
    sl_assert_double(net->pipes[1].length, 40.0);
    sl_assert_double(net->pipes[1].ends[1].elevation, 25.0);
    sl_assert_double(net->pipes[0].ends[0].in, 1.5);
    sl_assert_double(net->pipes[0].ends[1].in, 0.0); /* inside nothing is lost */
    sl_assert_double(net->pipes[2].ends[1].out, 0.2);
    sl_assert_rel(net->pipes[0].area, 0.8293 * 4.0, 1e-12);
    sl_assert_rel(net->pipes[0].friction, 0.01685, 0.005); /* Colebrook and White: 1 mm of 2.03 m at Re 3.7e6 */
    assert_false(net->pipes[2].ends[1].is_open);
    assert_int_equal(net->n_move, 1);
    assert_int_equal(net->moves[0].end, 5);
    assert_int_equal(net->n_water, 2);
    sl_assert_double(net->valves[1].rim, 10.4);
    sl_assert_double(sl_tunnel_series_at(&net->valves[0].levels, 30.0), 22.5);
    sl_tunnel_study_destroy(study);
    fixture_fini(&f);
}

static void rectangles(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    char text[512];
    snprintf(text, sizeof text,
             "%svalves: {a: {elevation: 2}, b: {elevation: 1}}\n"
             "tunnels: {t: {from: a, to: b, length: 9, shape: {rectangle: [3, 200 cm]}, friction: 0.02}}\n",
             head);
    sl_tunnel_study *study = read_text(&f, text, SL_OK);
    sl_assert_double(study->net->pipes[0].area, 6.0);
    sl_assert_double(study->net->pipes[0].diameter, 2.4); /* 4 A over the perimeter */
    sl_tunnel_study_destroy(study);
    fixture_fini(&f);
}

static void integrals_of_inflows(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    char text[1024];
    snprintf(text, sizeof text,
             "%svalves:\n  a: {elevation: 20, tub: {reservoir: {area: 9, inflow: {time: [10, 20], value: [2, 4]}}}}\n"
             "  b: {elevation: 10, tub: outfall}\n"
             "tunnels: {t: {from: a, to: b, length: 50, diameter: 1, friction: 0.02}}\n",
             head);
    sl_tunnel_study *study = read_text(&f, text, SL_OK);
    const sl_tunnel_series *s = &study->net->valves[0].inflow;
    sl_assert_double(sl_tunnel_series_integral(s, 0.0), 0.0);
    sl_assert_rel(sl_tunnel_series_integral(s, 5.0), 10.0, 1e-15);
    sl_assert_rel(sl_tunnel_series_integral(s, 15.0), 20.0 + 12.5, 1e-15);
    sl_assert_rel(sl_tunnel_series_integral(s, 25.0), 20.0 + 30.0 + 20.0, 1e-15);
    sl_tunnel_study_destroy(study);
    fixture_fini(&f);
}

/* The same inflow from a file: in seconds, as hours and minutes, in units of its own. */
static void series_of_a_file(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    char text[1024];
    snprintf(text, sizeof text,
             "%svalves:\n  a: {elevation: 1, tub: {reservoir: {area: 9, inflow: {series: inflow.csv}}}}\n"
             "  b: {elevation: 0, tub: outfall}\n"
             "tunnels: {t: {from: a, to: b, length: 50, diameter: 1, friction: 0.02}}\n",
             head);
    sl_tunnel_study *study = read_text(&f, text, SL_OK);
    const sl_tunnel_series *s = &study->net->valves[0].inflow;
    assert_int_equal(s->n, 3);
    sl_assert_double(s->t[2], 20.0);
    sl_assert_rel(sl_tunnel_series_integral(s, 25.0), 20.0 + 30.0 + 20.0, 1e-15);
    sl_tunnel_study_destroy(study);
    fixture_fini(&f);
}

/* What is wrong with a network between a reservoir a and an outfall b. */
typedef struct refused {
    const char *valves, *tunnels, *more; /* lines */
    uint32_t line, column;
    const char *says;
    sl_status status; /* SL_OK: SL_ERR_INPUT */
} refused;

static bool is_refused(const refused *r) {
    fixture f;
    char text[2048];
    fixture_init(&f);
    snprintf(
        text, sizeof text,
        "%svalves:\n  a: {elevation: 20, tub: {reservoir: {area: 9}}}\n  b: {elevation: 10, tub: outfall}\n%stunnels:\n"
        "  t: {from: a, to: b, length: 50, diameter: 1, friction: 0.02}\n%s%s",
        head, r->valves ? r->valves : "", r->tunnels ? r->tunnels : "", r->more ? r->more : "");
    (void)read_text(&f, text, r->status != SL_OK ? r->status : SL_ERR_INPUT);
    bool found = false;
    for (int32_t k = 0; k < sl_diags_size(f.diags) && !found; k++) {
        const sl_diag *d = sl_diags_at(f.diags, k);
        found = strstr(d->text, r->says) && d->line == r->line && d->column == r->column;
    }
    for (int32_t k = 0; k < sl_diags_size(f.diags) && !found; k++) {
        const sl_diag *d = sl_diags_at(f.diags, k);
        print_error("%u:%u: %s\n", d->line, d->column, d->text);
    }
    if (!found) {
        print_error("... instead of %u:%u: %s\n", r->line, r->column, r->says);
    }
    fixture_fini(&f);
    return found;
}

static void what_is_wrong_is_said_with_its_place(void **state) {
    (void)state;
    int n_missed = 0;
    static const refused cases[] = {
        {.tunnels = "  u: {from: b, to: a, length: 50, diameter: 1, friction: 0}\n",
         .line = 7,
         .column = 3,
         .says = "in a circle: 't' 'u'"},
        {.tunnels = "  u: {from: a, to: a, length: 50, diameter: 1, friction: 0}\n",
         .line = 8,
         .column = 3,
         .says = "same valve"},
        {.tunnels = "  u: {from: a, to: c, length: 50, diameter: 1, friction: 0}\n",
         .line = 8,
         .column = 20,
         .says = "no valve 'c'"},
        {.tunnels = "  u: {from: a, to: b, length: 5, diameter: 1, friction: 0}\n",
         .line = 8,
         .column = 3,
         .says = "differ in elevation"},
        {.tunnels = "  u: {from: a, to: b, length: 50, friction: 0}\n",
         .line = 8,
         .column = 3,
         .says = "section is given nowhere"},
        {.tunnels = "  u: {from: a, to: b, length: 50, area: 1, diameter: 1, friction: 0}\n",
         .line = 8,
         .column = 3,
         .says = "more than once"},
        {.tunnels = "  u: {from: a, to: b, length: 50, area: 1}\n",
         .line = 8,
         .column = 3,
         .says = "friction is given nowhere"},
        {.tunnels = "  u: {from: a, to: b, area: 1, friction: 0}\n",
         .line = 8,
         .column = 3,
         .says = "length or its profile"},
        {.tunnels =
             "  u: {from: a, to: b, area: 1, friction: 0, profile: {chainage: [0, 9, 4], elevation: [1, 1, 1]}}\n",
         .line = 8,
         .column = 72,
         .says = "must rise"},
        {.valves = "  c: {elevation: 3}\n", .line = 6, .column = 3, .says = "no tunnel leads"},
        {.valves = "  c: {elevation: 3, tub: {reservoir: {area: 9, bottom: 5}}}\n",
         .line = 6,
         .column = 3,
         .says = "above the sill"},
        {.valves = "  c: {elevation: 3, tub: {level: 4, inlet: {inflow: 1}}}\n",
         .line = 6,
         .column = 21,
         .says = "not clear"},
        {.valves = "  c: {elevation: 3, tub: {level: {series: none.csv}}}\n",
         .line = 6,
         .column = 43,
         .says = "cannot read the file 'none.csv'",
         .status = SL_ERR_IO},
        {.valves = "  c: {elevation: 3, tub: {level: {series: back.csv, time: [1]}}}\n",
         .line = 6,
         .column = 53,
         .says = "'time' is not a key"},
        {.valves = "  c: {elevation: 3, tub: {level: {series: back.csv}}}\n",
         .line = 3,
         .column = 1,
         .says = "'5' is not later than the time before"},
        {.valves = "  c: {elevation: 3, tub: {level: {series: back.csv}}}\n",
         .line = 4,
         .column = 3,
         .says = "'x' is not a number"},
        {.valves = "  c: {elevation: 3, tub: {inlet: {inflow: {series: back.csv}}}}\n",
         .line = 5,
         .column = 5,
         .says = "'m' is a unit of something else"},
        {.more = "gates: {c: [{at: 1, open: 1}]}\n", .line = 8, .column = 9, .says = "no such gate"},
        {.more = "gates: {t.to: [{at: 1, open: 2}]}\n", .line = 8, .column = 30, .says = "2"},
        {.more = "start: {full: [t], half: {t: {from: a, volume: 3}}}\n",
         .line = 8,
         .column = 27,
         .says = "given twice"},
        {.more = "start: {half: {t: {from: a, volume: 300}}}\n", .line = 8, .column = 16, .says = "holds"},
        {.tunnels = "  u: {from: a, to: b, length: 50, shape: {rectangle: [2, 0]}, friction: 0}\n",
         .line = 8,
         .column = 43,
         .says = "two lengths above 0"},
        {.tunnels = "  u: {from: a, to: b, length: 50, shape: {horseshoe: 2, rectangle: [2, 1]}, friction: 0}\n",
         .line = 8,
         .column = 35,
         .says = "given twice"},
        {.tunnels = "  u: {from: a, to: b, length: 50, shape: {}, friction: 0}\n",
         .line = 8,
         .column = 35,
         .says = "given nowhere"},
        {.valves = "  c: {elevation: 3, tub: {inlet: {inflow: 1, to: lake}}}\n",
         .line = 6,
         .column = 50,
         .says = "no valve 'lake'"},
        {.valves = "  c: {elevation: 3, tub: {inlet: {inflow: 1, to: b}}}\n",
         .line = 6,
         .column = 3,
         .says = "no reservoir"},
        {.valves = "  c: {elevation: 3, tub: {inlet: {inflow: 1, to: c}}}\n",
         .line = 6,
         .column = 3,
         .says = "in a circle"},
        {.valves = "  c: {elevation: 3, tub: {reservoir: {area: 1, to: a}}}\n",
         .line = 6,
         .column = 52,
         .says = "does not flood"},
        {.valves = "  c: {elevation: 3, tub: {reservoir: {storage: {level: [1, 2], volume: [0, 5, 6]}}}}\n",
         .line = 6,
         .column = 39,
         .says = "2 levels and 3 volumes"},
        {.valves = "  c: {elevation: 3, tub: {reservoir: {storage: {level: [1, 2], volume: [1, 5]}}}}\n",
         .line = 6,
         .column = 3,
         .says = "the first without water"},
        {.valves = "  c: {elevation: 3, tub: {reservoir: {storage: {level: [1, 2], volume: [0, 0]}}}}\n",
         .line = 6,
         .column = 76,
         .says = "must rise"},
        {.more = "strat: dry\n", .line = 8, .column = 1, .says = "strat"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        n_missed += !is_refused(&cases[k]);
    }
    assert_int_equal(n_missed, 0);
}

static void try_without_memory(sl_context *ctx, sl_test_memory *m, void *user) {
    sl_tunnel_study *study = NULL;
    int n_open = 0;
    sl_tunnel_files files = {open_named, close_named, &n_open};
    (void)m;
    if (sl_tunnel_read(ctx, user, strlen(user), "t.yaml", &files, NULL, &study) == SL_OK) {
        sl_tunnel_study_destroy(study);
    }
    assert_int_equal(n_open, 0);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    static char text[] =
        "sluice: tunnel/1\nrun: {end: 100}\nvalves: {a: {elevation: 20, tub: {level: {series: level.csv}}}, b: {elevation: 1}}\n"
        "tunnels: {t: {from: a, to: b, profile: {chainage: [0, 20, 60], elevation: [20, 4, 1]}, area: 1, friction: 0}}\n"
        "gates: {t.to: [{at: 5, open: 1}]}\nstart: {full: [t]}\n";
    assert_true(sl_test_sweep(try_without_memory, text) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_chain_of_stretches),
                                       cmocka_unit_test(rectangles),
                                       cmocka_unit_test(integrals_of_inflows),
                                       cmocka_unit_test(series_of_a_file),
                                       cmocka_unit_test(what_is_wrong_is_said_with_its_place),
                                       cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
