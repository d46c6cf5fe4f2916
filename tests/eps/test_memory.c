/* test_memory.c: a warm step asks for no memory; every allocation that is refused is either survived or reported, and a
 * run that succeeds in spite of it gives the same bits. */
#include "eps_test.h"

#include "base/out.h"

static void test_warm_steps(void **state) {
    (void)state;
    for (int i = 0; eps_examples[i]; i++) {
        size_t n;
        char *bytes = eps_file(eps_examples[i], &n);
        eps_run r;
        eps_begin_bytes(&r, NULL, 1, bytes, n);
        free(bytes);
        for (int k = 0; k < 3; k++) {
            eps_step(&r);
        }
        int64_t asked = r.memory.n_request;
        int32_t said = sl_diags_size(sl_session_diags(r.s));
        while (eps_step(&r)) {
            if (sl_diags_size(sl_session_diags(r.s)) != said) { /* words need room; what is kept warm begins anew */
                said = sl_diags_size(sl_session_diags(r.s));
                asked = r.memory.n_request;
            }
            if (r.memory.n_request != asked) {
                print_error("%s at %g s\n", eps_examples[i], sl_session_time(r.s));
            }
            assert_int_equal(r.memory.n_request, asked);
        }
        eps_end(&r);
    }
}

typedef struct sweep {
    const char *bytes;
    size_t n;
    double head; /* at the end of a run without refusals; NaN: not known yet */
    int64_t survived;
} sweep;

static sl_status take_steps(sl_session *s, sl_context *ctx) {
    sl_status status = sl_session_advance(s, 5000.0, 0, NULL); /* between two boundaries: needs a third state */
    sl_bytes saved;
    sl_bytes_init(&saved, ctx);
    if (status == SL_OK) {
        sl_sink sink = sl_bytes_sink(&saved);
        status = sl_session_save(s, &sink);
    }
    if (status == SL_OK) {
        sl_var v;
        double x = 0.004;
        status = sl_session_find(s, "node.'J'.wanted", &v);
        status = status == SL_OK ? sl_session_set(s, &v, 1, &x) : status;
    }
    if (status == SL_OK) {
        status = sl_session_advance(s, 4.0 * 3600.0, 0, NULL);
    }
    if (status == SL_OK) {
        status = sl_session_restore(s, saved.at, (size_t)saved.n);
    }
    if (status == SL_OK) {
        status = sl_session_advance(s, 6.0 * 3600.0, 0, NULL);
    }
    sl_bytes_fini(&saved);
    return status;
}

static void one_run(sl_context *ctx, sl_test_memory *m, void *user) {
    sweep *w = user;
    sl_diags *diags = NULL;
    sl_network *net = NULL;
    sl_model *model = NULL;
    sl_session *s = NULL;
    sl_status status = sl_diags_create(ctx, &diags);
    status = status == SL_OK ? sl_inp_read(ctx, w->bytes, w->n, NULL, diags, &net) : status;
    status = status == SL_OK ? sl_model_from_network(ctx, net, NULL, diags, &model) : status;
    status = status == SL_OK ? sl_session_create(ctx, model, diags, &s) : status;
    status = status == SL_OK ? take_steps(s, ctx) : status;
    if (status == SL_OK) {
        sl_var v;
        double x = 0.0;
        status = sl_session_find(s, "tank.'T'.level", &v);
        status = status == SL_OK ? sl_session_get(s, &v, 1, &x) : status;
        if (status == SL_OK && isnan(w->head)) {
            w->head = x;
        }
        if (status == SL_OK) {
            sl_assert_bits(x, w->head);
            w->survived += m->n_refused > 0;
        }
    }
    if (status != SL_OK) {
        assert_true(m->n_refused > 0);
        assert_int_equal(status, SL_ERR_MEMORY);
    }
    sl_session_destroy(s);
    sl_model_destroy(model);
    sl_network_destroy(net);
    sl_diags_destroy(diags);
}

static void test_refusals(void **state) {
    (void)state;
    /* Slender tanks, rules, controls, a pump, valves, emitters, leaks and demands under pressure. */
    static const char text[] =
        "[JUNCTIONS]\nJ 0 3 D\nK 0 2\nA 0 1\nB 0 1\n[RESERVOIRS]\nR 30\n[TANKS]\nT 20 3 0 9 3\nS 20 1 0 9 3\n"
        "[PIPES]\nP J T 10 300 100\nQ T S 10 300 100\nO S K 300 150 100 0 CV\nN J A 100 150 100\nM B K 200 100 90\n"
        "[PUMPS]\nU R J HEAD C\n[CURVES]\nC 20 20\n[VALVES]\nV A B 100 PRV 10\n[EMITTERS]\nK 0.1\n[LEAKAGE]\nN 10 1\n"
        "[PATTERNS]\nD 1 2 0.5\n[CONTROLS]\nLINK U CLOSED IF NODE T ABOVE 8\nLINK U OPEN IF NODE T BELOW 2\n"
        "[RULES]\nRULE 1\nIF SYSTEM TIME > 2\nAND TANK T LEVEL > 0\nTHEN VALVE V SETTING IS 12\n"
        "[TIMES]\nDURATION 6\n[OPTIONS]\nUNITS LPS\nDEMAND MODEL PDA\nREQUIRED PRESSURE 12\n";
    sweep w = {.bytes = text, .n = strlen(text), .head = (double)NAN};
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    one_run(ctx, &m, &w); /* what it should be */
    sl_test_context_end(ctx, &m);
    assert_false(isnan(w.head));
    int64_t runs = sl_test_sweep(one_run, &w);
    assert_true(runs > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warm_steps),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
