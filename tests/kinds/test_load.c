/* SPDX-License-Identifier: MIT */
/* Models from sources: every kind, its options, the files that it names, a kind added by a program, files of the file system. */
#include "kinds_test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "kinds/kind.h"

typedef struct fixture {
    sl_test_memory m;
    sl_context *ctx;
    sl_diags *diags;
    sl_model *model;
} fixture;

static void begin(fixture *f) {
    *f = (fixture){0};
    f->ctx = sl_test_context(&f->m);
    sl_assert_ok(sl_diags_create(f->ctx, &f->diags));
}

static void end(fixture *f) {
    sl_model_destroy(f->model);
    sl_diags_destroy(f->diags);
    assert_int_equal(test_n_open, 0);
    sl_test_context_end(f->ctx, &f->m);
}

static sl_status load_n(fixture *f, const char *text, size_t n, const sl_load_def *def) {
    sl_source source = test_source("folder/x.yaml", text, n);
    sl_model_destroy(f->model);
    f->model = NULL;
    sl_diags_clear(f->diags);
    return sl_model_load(f->ctx, &source, def, f->diags, &f->model);
}

static sl_status load(fixture *f, const char *text, const sl_load_def *def) {
    char *own = malloc(strlen(text) + 1); /* gone after the call: a model owns what it is made from */
    assert_non_null(own);
    size_t n = strlen(text);
    memcpy(own, text, n + 1);
    sl_status status = load_n(f, own, n, def);
    memset(own, 0x5A, n);
    free(own);
    return status;
}

static sl_load_def with(const char *kind, const char *const *options) {
    sl_load_def def = sl_load_default();
    def.kind = kind;
    def.options = options;
    return def;
}

#define OPTIONS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The time at the end of a run, and a value there. */
static double run(fixture *f, const char *name) {
    sl_session *s = NULL;
    sl_step step = {.size = sizeof step};
    double x = 0.0;
    sl_assert_ok(sl_session_create(f->ctx, f->model, f->diags, &s));
    sl_assert_ok(sl_session_advance(s, (double)INFINITY, 0, &step));
    if (name) {
        sl_var v;
        sl_assert_ok(sl_session_find(s, name, &v));
        sl_assert_ok(sl_session_get(s, &v, 1, &x));
    }
    double t = sl_session_time(s);
    sl_session_destroy(s);
    return name ? x : t;
}

static void every_kind_loads_and_runs(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    sl_assert_ok(load(&f, test_network, NULL));
    assert_string_equal(sl_model_kind(f.model), "network");
    assert_string_equal(sl_model_row(f.model)->noun, "a network");
    assert_ptr_equal(sl_model_origin(f.model), sl_model_network(f.model));
    sl_assert_double(run(&f, NULL), 7200.0);
    sl_assert_ok(load(&f, test_study, NULL));
    assert_string_equal(sl_model_kind(f.model), "surge");
    sl_assert_double(run(&f, NULL), 2.0);
    sl_assert_ok(load(&f, test_automaton, NULL));
    assert_string_equal(sl_model_kind(f.model), "automaton");
    sl_assert_double(run(&f, NULL), 5.0);
    sl_assert_ok(load(&f,
                      "sluice: automaton/1\ncontinuous: {T: 1}\nactivities:\n  - {equation: der(T) = 1}\n"
                      "run: {end: 2}\n",
                      NULL));
    sl_assert_double(run(&f, NULL), 2.0);
    sl_assert_ok(load(&f, "{sluice: surge/1, network: net.inp, duration: 1}", NULL));
    sl_assert_double(run(&f, NULL), 1.0);
    end(&f);
}

/* Their time counts steps. */
static void discrete_automata(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    sl_load_def def = with(NULL, OPTIONS("steps=7"));
    sl_assert_ok(load(&f, test_discrete, &def));
    assert_string_equal(sl_model_engine(f.model), "discrete");
    sl_assert_double(run(&f, NULL), 7.0);
    sl_assert_double(run(&f, "discrete.'q'.state"), 1.0);
    def = with(NULL, OPTIONS("steps=0"));
    sl_assert_ok(load(&f, test_discrete, &def));
    sl_assert_double(run(&f, NULL), 0.0);
    def = with(NULL, NULL);
    def.duration = 4.0;
    sl_assert_ok(load(&f, test_discrete, &def));
    sl_assert_double(run(&f, NULL), 4.0);
    end(&f);
}

static void durations_and_options(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    sl_load_def def = with(NULL, OPTIONS("tanks=implicit", "units=GPM", "head-error=1e-6"));
    def.duration = 3600.0;
    sl_assert_ok(load(&f, test_network, &def));
    sl_assert_double(run(&f, NULL), 3600.0);
    assert_int_equal(sl_model_network(f.model)->hydraulics.flow_unit, SL_GPM);
    def =
        with("surge", OPTIONS("close=V1@0.5s:0.5s", "wave-speed=1000", "friction=Steady", "step=10 ms", "route=R1,J2"));
    def.duration = 1.5;
    sl_assert_ok(load(&f, test_network, &def));
    assert_string_equal(sl_model_kind(f.model), "surge");
    sl_assert_double(run(&f, NULL), 1.5);
    def.duration = 0.0;
    sl_assert_status(load(&f, test_network, &def), SL_ERR_USE);
    def = with("automaton", OPTIONS("steps=5"));
    sl_assert_status(load(&f, test_automaton, &def), SL_ERR_USE);
    def = with("automaton", NULL);
    def.duration = 1.25;
    sl_assert_ok(load(&f, test_automaton, &def));
    sl_assert_double(run(&f, NULL), 1.25);
    end(&f);
}

static void wrong_options_are_named(void **state) {
    (void)state;
    static const struct {
        const char *kind, *text;
        const char *option;
        const char *words;
        sl_status status;
    } rows[] = {
        {NULL, test_network, "tank=implicit", "did you mean tanks?", SL_ERR_USE},
        {NULL, test_network, "tanks=implicitly", "it takes auto, explicit or implicit", SL_ERR_USE},
        {NULL, test_network, "tanks", "needs a value", SL_ERR_USE},
        {NULL, test_network, "head-error=x", "is not a number", SL_ERR_USE},
        {NULL, test_network, "close=V1@1", "there is no option close", SL_ERR_USE},
        {NULL, test_study, "close=V1@1", "write them into `events`", SL_ERR_USE},
        {NULL, test_study, "step=now", "is not a time", SL_ERR_USE},
        {NULL, test_study, "route=R1,J9", "FROM,TO", SL_ERR_USE},
        {"surge", test_network, "close=V9@1", "V9", SL_ERR_USE},
        {NULL, test_automaton, "relax=1", "takes no value", SL_ERR_USE},
        {NULL, test_automaton, "steps=3", "discrete automata", SL_ERR_USE},
        {"network", test_study, "tanks=auto", "this is a surge study, and not a network", SL_ERR_INPUT},
        {"surge", test_automaton, "step=1s", "this is an automaton, and not a surge study", SL_ERR_INPUT},
        {"circuit", test_automaton, "step=1s", "this is an automaton; there is no kind of model 'circuit'",
         SL_ERR_INPUT},
    };
    fixture f;
    begin(&f);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char said[2048];
        sl_load_def def = with(rows[i].kind, OPTIONS(rows[i].option));
        sl_status status = load(&f, rows[i].text, &def);
        assert_null(f.model);
        if (!strstr(test_said(f.diags, said, sizeof said), rows[i].words)) {
            print_error("%zu: %s\nsaid: %s", i, rows[i].option, said);
            fail();
        }
        sl_assert_status(status, rows[i].status);
    }
    end(&f);
}

/* ---- Files that are named ------------------------------------------------------------------------ */

static void a_network_that_cannot_be_opened(void **state) {
    (void)state;
    fixture f;
    char said[2048];
    begin(&f);
    sl_assert_status(load(&f, "study: surge\nnetwork: missing.inp\nduration: 1\nfrictio: steady\n", NULL), SL_ERR_IO);
    (void)test_said(f.diags, said, sizeof said);
    assert_non_null(
        strstr(said, "folder/x.yaml:2:10: error: cannot read the file 'missing.inp': it is not there [io]"));
    assert_non_null(strstr(said, "folder/x.yaml:4:1: error: ")); /* the rest is looked at all the same */
    sl_source source = test_source("x", test_study, strlen(test_study));
    source.open = NULL;
    sl_diags_clear(f.diags);
    sl_assert_status(sl_model_load(f.ctx, &source, NULL, f.diags, &f.model), SL_ERR_IO);
    assert_non_null(strstr(test_said(f.diags, said, sizeof said), "x:2:10: error: cannot read the file 'net.inp'"));
    end(&f);
}

static void sizes_are_looked_at(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    sl_source source = test_source("x", test_network, strlen(test_network));
    source.size = 0;
    sl_assert_status(sl_model_load(f.ctx, &source, NULL, f.diags, &f.model), SL_ERR_USE);
    sl_load_def def = sl_load_default();
    def.size = 0;
    sl_assert_status(load(&f, test_network, &def), SL_ERR_USE);
    end(&f);
}

static void try_to_load(sl_context *ctx, sl_test_memory *m, void *user) {
    const char *text = user;
    sl_source source = test_source("x", text, strlen(text));
    sl_diags *diags = NULL;
    sl_model *model = NULL;
    (void)m;
    if (sl_diags_create(ctx, &diags) == SL_OK) {
        sl_status status = sl_model_load(ctx, &source, NULL, diags, &model);
        assert_true(status == SL_ERR_MEMORY ? model == NULL : status == SL_OK);
    }
    sl_model_destroy(model);
    sl_diags_destroy(diags);
}

static void memory_runs_out(void **state) {
    (void)state;
    (void)sl_test_sweep(try_to_load, (void *)(uintptr_t)test_network);
    (void)sl_test_sweep(try_to_load, (void *)(uintptr_t)test_study);
    (void)sl_test_sweep(try_to_load, (void *)(uintptr_t)test_automaton);
    assert_int_equal(test_n_open, 0);
}

/* ---- A kind of a program ------------------------------------------------------------------------- */

static void a_kind_of_a_program(void **state) {
    (void)state;
    static const char ball[] = "sluice: ball/1\nheight: 2 m\nend: 3 s\n";
    const sl_kind *const kinds[] = {&toy_kind, sl_kind_find(NULL, "automaton"), NULL};
    fixture f;
    char said[2048];
    begin(&f);
    sl_load_def def = with(NULL, OPTIONS("restitution=0.5"));
    def.kinds = kinds;
    sl_assert_ok(load(&f, ball, &def));
    assert_string_equal(sl_model_kind(f.model), "ball");
    sl_assert_double(run(&f, NULL), 3.0);
    sl_assert_double(run(&f, "restitution"), 0.5);
    def.options = NULL;
    def.duration = 1.0;
    sl_assert_ok(load(&f, ball, &def));
    sl_assert_double(run(&f, NULL), 1.0);
    sl_assert_double(run(&f, "restitution"), 0.8);
    sl_assert_ok(load(&f, test_automaton, &def));
    assert_string_equal(sl_model_kind(f.model), "automaton");
    sl_assert_status(load(&f, "sluice: ball/1\nhight: 2 m\n", &def), SL_ERR_INPUT);
    assert_non_null(strstr(test_said(f.diags, said, sizeof said), "folder/x.yaml:2:1: error: "));
    sl_assert_status(load(&f, test_network, &def), SL_ERR_INPUT); /* not in this table */
    sl_assert_status(load(&f, ball, NULL), SL_ERR_INPUT);         /* not in the built-in one */
    assert_non_null(strstr(test_said(f.diags, said, sizeof said), "there is no kind of model 'ball'"));
    end(&f);
}

/* ---- The file system ----------------------------------------------------------------------------- */

static void put(const char *folder, const char *name, const char *text, char path[512]) {
    snprintf(path, 512, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static void files(void **state) {
    (void)state;
    fixture f;
    char folder[] = "/tmp/sluice-kinds-XXXXXX", path[512], net[512], said[2048];
    sl_session *s = NULL;
    sl_step step = {.size = sizeof step};
    begin(&f);
    assert_non_null(mkdtemp(folder));
    put(folder, "net.inp", test_network, net);
    put(folder, "study.yaml", test_study, path);
    sl_assert_ok(sl_open(f.ctx, path, f.diags, &s)); /* net.inp is found beside it */
    sl_assert_ok(sl_session_advance(s, (double)INFINITY, 0, &step));
    sl_assert_double(sl_session_time(s), 2.0);
    sl_session_destroy(s);
    sl_assert_ok(sl_open(f.ctx, net, f.diags, &s));
    sl_session_destroy(s);
    assert_int_equal(unlink(net), 0);
    sl_assert_status(sl_open(f.ctx, path, f.diags, &s), SL_ERR_IO);
    assert_non_null(strstr(test_said(f.diags, said, sizeof said),
                           "study.yaml:2:10: error: cannot read the file 'net.inp': no such file"));
    sl_diags_clear(f.diags);
    snprintf(net, sizeof net, "%s/stduy.yaml", folder);
    sl_assert_status(sl_open(f.ctx, net, f.diags, &s), SL_ERR_IO);
    assert_non_null(strstr(test_said(f.diags, said, sizeof said), "did you mean study.yaml?"));
    sl_diags_clear(f.diags);
    sl_assert_status(sl_open(f.ctx, folder, f.diags, &s), SL_ERR_IO);
    assert_non_null(strstr(test_said(f.diags, said, sizeof said), "it is a folder, not a file"));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind_loads_and_runs),
                                       cmocka_unit_test(discrete_automata),
                                       cmocka_unit_test(durations_and_options),
                                       cmocka_unit_test(wrong_options_are_named),
                                       cmocka_unit_test(a_network_that_cannot_be_opened),
                                       cmocka_unit_test(sizes_are_looked_at),
                                       cmocka_unit_test(memory_runs_out),
                                       cmocka_unit_test(a_kind_of_a_program),
                                       cmocka_unit_test(files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
