/* SPDX-License-Identifier: MIT */
/* test_core.c: trees, chains and the core: what belongs where, and that solving them apart changes nothing. */
#include "eps_test.h"

#include "eps/impl.h"
#include "session/session_impl.h"

/* ---- Where everything belongs ------------------------------------------------------------------- */

typedef struct built {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_network *net;
    sl_eps_model *m;
} built;

static void build(built *b, const char *text, size_t n) {
    *b = (built){0};
    b->ctx = sl_test_context(&b->memory);
    sl_assert_ok(sl_diags_create(b->ctx, &b->diags));
    sl_assert_ok(sl_inp_read(b->ctx, text, n, NULL, b->diags, &b->net));
    sl_assert_ok(sl_eps_model_create(b->ctx, b->net, NULL, b->diags, &b->m));
}

static void unbuild(built *b) {
    sl_eps_model_destroy(b->m);
    sl_network_destroy(b->net);
    sl_diags_destroy(b->diags);
    sl_test_context_end(b->ctx, &b->memory);
}

static int32_t pipe_of(int32_t k) {
    return k < 0 ? ~k : k;
}

/* Each link once: in a row, single, on an island, or shut for good. */
static void check_links(const built *b) {
    const sl_eps_core *c = b->m->core;
    int32_t *count = calloc((size_t)b->net->n_link + 1, sizeof *count);
    for (int32_t r = 0; r < c->n_row; r++) {
        count[pipe_of(c->pipe[r])]++;
    }
    for (int32_t i = 0; i < c->n_single; i++) {
        count[c->single[i]]++;
        assert_int_equal(c->branch_of[c->single[i]], c->n_chain + i);
    }
    for (int32_t i = 0; i < c->n_island_pipe; i++) {
        count[c->island_pipe[i]]++;
    }
    for (int32_t k = 0; k < b->net->n_link; k++) {
        bool shut = count[k] == 0;
        assert_true(count[k] <= 1);
        assert_true(!shut || (!sl_is_pump(b->net, k) && b->net->link_status[k] == SL_CLOSED));
    }
    free(count);
}

/* Rows follow each other from node to node, in chains and in trees, parents first. */
static void check_rows(const built *b) {
    const sl_eps_core *c = b->m->core;
    const sl_network *net = b->net;
    int32_t n_inner = 0;
    uint8_t *known = calloc((size_t)net->n_node + 1, 1);
    for (int32_t j = 0; j < c->n_chain; j++) {
        int32_t at = c->from[j], length = 0;
        while (length < c->n_level && c->level[length].chain <= j) {
            length++;
        }
        assert_true(c->length[j] == length && (j == 0 || c->length[j - 1] <= length));
        for (int32_t t = 0; t < length; t++) {
            int32_t r = c->level[t].row + j - c->level[t].chain, k = pipe_of(c->pipe[r]);
            assert_int_equal(c->pipe[r] < 0 ? net->link_to[k] : net->link_from[k], at);
            at = c->pipe[r] < 0 ? net->link_from[k] : net->link_to[k];
            assert_int_equal(c->inner[r], at);
            assert_true((c->unknown[at] < 0) == (t + 1 < length));
            assert_true(t + 1 < length || c->pipe[r] == c->last[j]);
            known[at] = 1;
            n_inner += t + 1 < length;
        }
        assert_int_equal(at, c->to[j]);
        assert_true(c->from[j] != at);
        known[c->from[j]] = 1;
    }
    assert_int_equal(c->level[c->n_level].chain, c->n_chain);
    assert_int_equal(c->level[c->n_level].row, c->n_chain_row);
    for (int32_t i = 0; i < net->n_node; i++) {
        known[i] |= c->unknown[i] >= 0;
    }
    for (int32_t r = c->n_chain_row; r < c->n_row; r++) {
        int32_t k = pipe_of(c->pipe[r]), parent = c->parent[r - c->n_chain_row];
        assert_int_equal(c->pipe[r] < 0 ? net->link_to[k] : net->link_from[k], parent);
        assert_int_equal(c->pipe[r] < 0 ? net->link_from[k] : net->link_to[k], c->inner[r]);
        assert_true(known[parent] && c->unknown[c->inner[r]] < 0);
        known[c->inner[r]] = 1;
        n_inner++;
    }
    /* Every junction is core, inside a chain, in a tree or on an island. */
    assert_int_equal(c->n_unknown - 1 - net->n_tank + n_inner + c->n_island_node, net->n_junction);
    free(known);
}

static void test_examples_are_whole(void **state) {
    (void)state;
    for (int i = 0; eps_examples[i]; i++) {
        size_t n;
        char *text = eps_file(eps_examples[i], &n);
        built b;
        build(&b, text, n);
        check_links(&b);
        check_rows(&b);
        unbuild(&b);
        free(text);
    }
}

/* A ring on a stalk, a ring without any core, two pipes side by side, a dead end, an island, a node of its own. */
static void test_odd_shapes(void **state) {
    (void)state;
    static const char text[] =
        "[RESERVOIRS]\nR 50\n[JUNCTIONS]\nA 0 1\nB 0 1\nC 0 1\nD 0 1\nE 0 1\nF 0 1\nG 0 1\nH 0 1\nI 0 1\nK 0 1\n"
        "[PIPES]\np1 R A 10 100 100\np2 A B 10 100 100\np3 B C 10 100 100\np4 C D 10 100 100\np5 D B 10 100 100\n"
        "p6 A E 10 100 100\np7 A E 12 100 100\np8 E F 10 100 100\n"
        "q1 G H 10 100 100\nq2 H I 10 100 100\nq3 I G 10 100 100\nq4 F G 10 100 100 0 CLOSED\nq5 F K 5 100 100 0 CLOSED\n"
        "[OPTIONS]\nUNITS LPS\n[END]\n";
    built b;
    build(&b, text, sizeof text - 1);
    check_links(&b);
    check_rows(&b);
    const sl_eps_core *c = b.m->core;
    assert_int_equal(c->n_island_node, 4); /* G H I, and K */
    assert_int_equal(c->n_island_pipe, 3);
    assert_int_equal(c->n_single, 0);
    unbuild(&b);
    eps_run r;
    eps_begin(&r, "%s", text);
    eps_check(&r);
    sl_assert_rel(eps_flow(&r, "p1"), 6.0 * EPS_LPS, EPS_FLOW);
    sl_assert_rel(eps_flow(&r, "p8"), 1.0 * EPS_LPS, 1e-12); /* a dead end carries its demand */
    sl_assert_double(eps_flow(&r, "q1"), 0.0);
    assert_int_equal(eps_said(&r, SL_CODE_UNSERVED, NULL), 2);
    eps_end(&r);
}

/* ---- Solved apart, or all at once --------------------------------------------------------------- */

/* Every pipe and throttling valve is set to what it is: then each of them is a branch of its own, and no head is left out of the
 * system. */
static void switch_all(eps_run *r) {
    for (int32_t k = 0; k < r->net->n_link; k++) {
        const char *id = sl_network_link_id(r->net, k);
        int kind = sl_valve_kind_of(r->net, k);
        if (kind < 0 ? k < r->net->n_pipe && !r->net->pipe_check[k] : r->net->link_status[k] != SL_ACTIVE) {
            eps_set(r, eps_get(r, "link.'%s'.open", id), "link.'%s'.open", id);
        } else if (kind == SL_TCV || kind == SL_PCV) {
            eps_set(r, eps_get(r, "link.'%s'.setting", id), "link.'%s'.setting", id);
        }
    }
    const sl_eps *e = r->s->engine;
    assert_int_equal(e->core->n_row, 0);
    assert_int_equal(e->core->n_single, r->net->n_link);
    assert_int_equal(e->core->n_unknown, r->net->n_junction + r->net->n_tank + 1);
}

static void test_the_same_as_all_at_once(void **state) {
    (void)state;
    for (int i = 0; eps_examples[i]; i++) {
        size_t n;
        char *text = eps_file(eps_examples[i], &n);
        eps_run apart, whole;
        eps_begin_bytes(&apart, NULL, 1, text, n);
        eps_begin_bytes(&whole, NULL, 1, text, n);
        switch_all(&whole);
        for (int k = 0; k < 12; k++) {
            double most = 0.0;
            eps_to(&apart, 3600.0 * k);
            eps_to(&whole, 3600.0 * k);
            for (int32_t j = 0; j < apart.net->n_link; j++) {
                most = fmax(most, fabs(eps_flow(&apart, sl_network_link_id(apart.net, j))));
            }
            for (int32_t j = 0; j < apart.net->n_link; j++) {
                const char *id = sl_network_link_id(apart.net, j);
                sl_assert_abs(eps_flow(&whole, id), eps_flow(&apart, id), 3.0 * EPS_FLOW * most + 1e-9);
                assert_int_equal(eps_status(&whole, id), eps_status(&apart, id));
            }
            for (int32_t j = 0; j < apart.net->n_node;
                 j++) { /* a hundred links in a row, and what they moved in tanks */
                const char *id = sl_network_node_id(apart.net, j);
                sl_assert_abs(eps_head(&whole, id), eps_head(&apart, id), 2e-4);
            }
            eps_check(&whole);
        }
        eps_end(&apart);
        eps_end(&whole);
        free(text);
    }
}

typedef struct saved {
    unsigned char at[65536];
    size_t n;
} saved;

static sl_status keep(void *user, const void *bytes, size_t n) {
    saved *to = user;
    assert_true(to->n + n <= sizeof to->at);
    memcpy(to->at + to->n, bytes, n);
    to->n += n;
    return SL_OK;
}

/* A pipe inside a chain is closed and opened again from outside; saved and restored in between, bit for bit. */
static void test_switched_inside_a_chain(void **state) {
    (void)state;
    static const char text[] = "[RESERVOIRS]\nR 50\nS 40\n[JUNCTIONS]\nA 0 1\nB 0 2\nC 0 3\nD 0 1\n[PIPES]\n"
                               "p1 R A 100 200 100\np2 A B 100 200 100\np3 B C 100 200 100\np4 C S 100 200 100\n"
                               "p5 C D 30 100 100\n[TIMES]\nDURATION 10\n[OPTIONS]\nUNITS LPS\n[END]\n";
    eps_run r, again;
    eps_begin(&r, "%s", text);
    double before = eps_flow(&r, "p2");
    eps_set(&r, 0.0, "link.'p3'.open");
    eps_to(&r, 3600.0);
    sl_assert_double(eps_flow(&r, "p3"), 0.0);
    sl_assert_rel(eps_flow(&r, "p2"), 2.0 * EPS_LPS, EPS_FLOW);
    sl_assert_rel(eps_flow(&r, "p4"), -4.0 * EPS_LPS, EPS_FLOW);
    eps_check(&r);
    saved state_of = {0};
    sl_assert_ok(sl_session_save(r.s, &(sl_sink){.user = &state_of, .write = keep}));
    eps_begin(&again, "%s", text);
    sl_assert_ok(sl_session_restore(again.s, state_of.at, state_of.n));
    for (int k = 2; k < 10; k++) {
        if (k == 4) {
            eps_set(&r, 1.0, "link.'p3'.open");
            eps_set(&again, 1.0, "link.'p3'.open");
        }
        eps_to(&r, 3600.0 * k);
        eps_to(&again, 3600.0 * k);
        eps_assert_same(r.s, again.s);
    }
    sl_assert_rel(eps_flow(&r, "p2"), before, EPS_FLOW);
    eps_end(&again);
    eps_end(&r);
}

/* Throttling and position control valves that nothing switches stand in chains and trees: a1 and a2 between given heads, t1 in a
 * dead end, o1 open without a loss, and s1 shut for good. Set from outside, a2 and t1 become links of their own. */
#define FIXED_VALVES(c, law)                                                                                         \
    "[RESERVOIRS]\nR 50\nS 40\n[JUNCTIONS]\nA 0 1\nB 0 0\nC 0 2\nD 0 0\nE 0 1\nF 0 3\nG 0 0\nH 0 0\n[PIPES]\n"       \
    "p1 R A 100 200 " c "\np2 B C 100 200 " c "\np3 D S 100 200 " c "\np4 C E 80 150 " c "\np5 F G 30 100 " c        \
    "\np6 G H 30 100 " c "\np7 E H 50 150 " c                                                                        \
    "\n[VALVES]\na1 A B 200 TCV 12\na2 D C 200 PCV 40 4\nt1 E F 100 TCV 30\n"                                        \
    "o1 H C 200 TCV 0\ns1 B D 200 TCV 5\n[STATUS]\no1 OPEN\ns1 CLOSED\n[TIMES]\nDURATION 10\n[OPTIONS]\nUNITS LPS\n" \
    "HEADLOSS " law "\n[END]\n"

static void test_fixed_valves(void **state) {
    (void)state;
    static const char *const texts[] = {FIXED_VALVES("100", "H-W"), FIXED_VALVES("0.5", "D-W"),
                                        FIXED_VALVES("0.012", "C-M")};
    for (int i = 0; i < 3; i++) {
        eps_run r, whole, again;
        eps_begin(&r, "%s", texts[i]);
        eps_begin(&whole, "%s", texts[i]);
        const sl_eps *e = r.s->engine;
        assert_int_equal(e->core->n_single, 0);
        assert_int_equal(e->core->n_valve_row, 4);
        eps_check(&r);
        switch_all(&whole);
        eps_to(&whole, 0.0);
        eps_check(&whole);
        for (int32_t k = 0; k < r.net->n_link; k++) {
            const char *id = sl_network_link_id(r.net, k);
            sl_assert_abs(eps_flow(&whole, id), eps_flow(&r, id), EPS_FLOW * 0.1);
            assert_int_equal(eps_status(&whole, id), eps_status(&r, id));
        }
        double before = eps_flow(&r, "a2"), shut = eps_flow(&r, "s1");
        sl_assert_double(shut, 0.0);
        eps_set(&r, 20.0, "link.'a2'.setting");
        eps_set(&r, 0.0, "link.'t1'.open");
        eps_to(&r, 3600.0);
        assert_true(fabs(eps_flow(&r, "a2") - before) > 0.01 * fabs(before));
        sl_assert_double(eps_flow(&r, "t1"), 0.0);
        eps_check(&r);
        saved state_of = {0};
        sl_assert_ok(sl_session_save(r.s, &(sl_sink){.user = &state_of, .write = keep}));
        eps_begin(&again, "%s", texts[i]);
        sl_assert_ok(sl_session_restore(again.s, state_of.at, state_of.n));
        eps_set(&r, 40.0, "link.'a2'.setting");
        eps_set(&again, 40.0, "link.'a2'.setting");
        eps_to(&r, 7200.0);
        eps_to(&again, 7200.0);
        eps_assert_same(r.s, again.s);
        eps_check(&r);
        eps_set(&r, 1.0, "link.'t1'.open"); /* without its setting */
        eps_set(&r, 1.0, "link.'s1'.open");
        eps_to(&r, 10800.0);
        assert_true(eps_flow(&r, "s1") != 0.0);
        eps_check(&r);
        eps_end(&again);
        eps_end(&whole);
        eps_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples_are_whole),
        cmocka_unit_test(test_odd_shapes),
        cmocka_unit_test(test_the_same_as_all_at_once),
        cmocka_unit_test(test_switched_inside_a_chain),
        cmocka_unit_test(test_fixed_valves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
