/* SPDX-License-Identifier: MIT */
/* Pages that explain models: in every form; with memory that ends at every request; wrong requests leave nothing. */
#include "kinds_test.h"

#include "kinds/rows.h"

static const char network[] =
    "[JUNCTIONS]\nA 10 5 DAY\nB 12 3\nC 11 0\n[RESERVOIRS]\nR 60\n[TANKS]\nT 65 3 1 6 30\n"
    "[PIPES]\nP1 R A 500 300 120 2\nP2 B T 300 200 110 0 CV\n[PUMPS]\nU A C HEAD H\n"
    "[VALVES]\nV C B 200 TCV 20 0\n[CURVES]\nH 40 15\n[PATTERNS]\nDAY 1 2\n[EMITTERS]\nB 0.5\n"
    "[CONTROLS]\nLINK U CLOSED IF NODE T ABOVE 5\n"
    "[RULES]\nRULE night\nIF SYSTEM CLOCKTIME > 10 PM\nTHEN PUMP U STATUS = CLOSED\n"
    "[OPTIONS]\nUnits LPS\n[TIMES]\nDuration 4:00\n[END]\n";
static const char automaton[] =
    "automaton: a\ncontinuous: {x: 1}\nactivities: [{equation: der(x) = -x}]\nrun: {end: 2}\n";

typedef struct request {
    const sl_kind *kind;
    const char *text;
    sl_page_form form;
    sl_texts nodes, links;
    double at; /* NaN: the start */
    const char *mode;
} request;

static sl_status explain(sl_context *ctx, const request *r, sl_diags *diags, sl_bytes *bytes) {
    enum { ARGS_MAX = 8192 };
    static _Thread_local union { /* the options of a kind, by default */
        max_align_t align;
        char at[ARGS_MAX];
    } args;
    sl_source source = test_source("x", r->text, strlen(r->text));
    sl_kind_head head;
    sl_kind_head_init(&head, &source);
    assert_true(r->kind->options.size <= ARGS_MAX);
    memset(args.at, 0, ARGS_MAX);
    if (r->kind->options.fill) {
        r->kind->options.fill(args.at);
    }
    sl_load load = {
        .ctx = ctx, .source = &source, .head = &head, .duration = (double)NAN, .args = args.at, .diags = diags};
    sl_page_def def = {.form = r->form, .nodes = &r->nodes, .links = &r->links, .mode = r->mode};
    if (!isnan(r->at)) {
        def.at = (sl_option_time){.is_given = true, .value = r->at};
    }
    sl_sink sink = sl_bytes_sink(bytes);
    return sl_kind_explain(r->kind, &load, &def, &sink);
}

/* ---- Forms -------------------------------------------------------------------------------------- */

static const request whole = {.kind = &sl_kind_network, .text = network, .at = NAN};
static const request elements = {.kind = &sl_kind_network,
                                 .text = network,
                                 .nodes = {4, {"A", "B", "R", "T"}},
                                 .links = {4, {"P1", "P2", "U", "V"}},
                                 .at = 7200.0};

static request study(void) {
    return (request){
        .kind = &sl_kind_surge, .text = test_study, .nodes = {1, {"J1"}}, .links = {2, {"P1", "V1"}}, .at = 1.5};
}

static request ball(void) {
    return (request){.kind = &toy_kind, .text = "sluice: ball/1\nheight: 2 m\nend: 3 s\n", .at = 0.5};
}

static void check(const request *asked, sl_page_form form, sl_status expected, const char *holds) {
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_diags *diags = NULL;
    sl_bytes bytes;
    request r = *asked;
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_bytes_init(&bytes, ctx);
    r.form = form;
    sl_assert_status(explain(ctx, &r, diags, &bytes), expected);
    if (expected == SL_OK) {
        sl_sink sink = sl_bytes_sink(&bytes);
        sl_assert_ok(sink.write(sink.user, "", 1));
        assert_non_null(strstr(bytes.at, holds));
    } else {
        assert_int_equal(bytes.n, 0); /* nothing was written */
        assert_non_null(strstr(sl_diags_at(diags, sl_diags_size(diags) - 1)->text, holds));
    }
    sl_bytes_fini(&bytes);
    sl_diags_destroy(diags);
    sl_test_context_end(ctx, &m);
}

static void every_form(void **state) {
    (void)state;
    check(&whole, SL_PAGE_TEXT, SL_OK, "rule night");
    check(&elements, SL_PAGE_TEXT, SL_OK, "a network at 2:00");
    check(&elements, SL_PAGE_HTML, SL_OK, "<math");
    check(&elements, SL_PAGE_TEX, SL_OK, "$\\displaystyle");
    check(&elements, SL_PAGE_JSON, SL_OK, "\"time_s\": 7200");
    request surge = study(), toy = ball();
    check(&surge, SL_PAGE_TEXT, SL_OK, "opening goes to 0 within 1 s, from 1 s on");
    check(&surge, SL_PAGE_JSON, SL_OK, "\"courant\": 1");
    check(&toy, SL_PAGE_TEXT, SL_OK, "a bouncing ball at 0.5 s");
}

static void wrong_requests(void **state) {
    (void)state;
    request r = elements;
    r.nodes.at[1] = "a";
    check(&r, SL_PAGE_TEXT, SL_ERR_INPUT, "there is no node 'a'");
    r = elements;
    r.at = 5.0 * 3600.0;
    check(&r, SL_PAGE_TEXT, SL_ERR_INPUT, "ends at 4:00, before 5:00");
    r = whole;
    r.mode = "q=1";
    check(&r, SL_PAGE_TEXT, SL_ERR_USE, "--mode is for an automaton");
    r = (request){.kind = &sl_kind_automaton, .text = automaton, .nodes = {1, {"x"}}, .at = (double)NAN};
    check(&r, SL_PAGE_TEXT, SL_ERR_USE, "has no nodes and links");
}

/* ---- Memory ------------------------------------------------------------------------------------- */

/* The steady start of a surge asks for memory for elements that there are none of, and does without it. */
static void explain_once(sl_context *ctx, sl_test_memory *memory, void *user) {
    const request *r = user;
    sl_bytes bytes;
    sl_bytes_init(&bytes, ctx);
    sl_status status = explain(ctx, r, NULL, &bytes);
    if (!(r->kind == &sl_kind_surge && memory->n_refused && status == SL_OK)) {
        assert_int_equal(status, memory->n_refused ? SL_ERR_MEMORY : SL_OK);
    }
    sl_bytes_fini(&bytes);
}

static void memory_short(void **state) {
    (void)state;
    static const sl_page_form forms[] = {SL_PAGE_TEXT, SL_PAGE_HTML, SL_PAGE_JSON};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        request r = elements;
        r.form = forms[i];
        assert_true(sl_test_sweep(explain_once, &r) > 50);
    }
    request surge = study(), toy = ball();
    surge.form = SL_PAGE_TEX;
    assert_true(sl_test_sweep(explain_once, &surge) > 50);
    assert_true(sl_test_sweep(explain_once, &toy) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_form), cmocka_unit_test(wrong_requests),
                                       cmocka_unit_test(memory_short)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
