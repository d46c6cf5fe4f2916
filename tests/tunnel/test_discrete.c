/* SPDX-License-Identifier: MIT */
/* The discrete model against the reference: states of every step, final states of random ones; and its bound on random networks. */
#include "tunnel_test.h"

enum { BITS = 512, PIPES = 64 };

static int n_network = 200; /* the first argument */

/* The network of a reference set, whose variables stand in our order, but for openings where it has none. */
typedef struct reference {
    sl_tunnel_network *net;
    sl_tunnel_marks marks;
    int n;           /* variables of the file */
    int place[BITS]; /* where they are */
    int32_t q[BITS];
} reference;

static void reference_init(reference *r, fixture *f, const sl_yaml_node *set) {
    int ends[2 * PIPES], n_pipe = 0;
    bool openings = sl_str_equal(child(set, "openings")->text, sl_str_z("true"));
    for (const sl_yaml_node *p = child(set, "pipes")->first; p; p = p->next) {
        ends[2 * n_pipe] = (int)number(p->first);
        ends[2 * n_pipe++ + 1] = (int)number(p->first->next);
    }
    r->net = plain_network(f, (int)number(child(set, "valves")), n_pipe, ends);
    finish_network(r->net);
    sl_assert_ok(sl_tunnel_marks_init(&r->marks, r->net, f->ctx));
    int32_t n = sl_tunnel_n_bit(r->net);
    assert_true(n <= BITS);
    r->n = 0;
    for (int32_t j = 0; j < n; j++) {
        const char *name = NULL;
        sl_assert_ok(sl_tunnel_bit_name(r->net, j, &r->net->arena, &name));
        bool opening = strstr(name, ".open") != NULL;
        r->q[j] = opening && !strstr(name, ".openctl");
        if (openings || !opening) {
            r->place[r->n++] = j;
        }
    }
}

static void reference_fini(reference *r, fixture *f) {
    sl_tunnel_marks_fini(&r->marks, r->net, f->ctx);
    sl_tunnel_network_destroy(r->net);
}

static void put(reference *r, const sl_yaml_node *bits) {
    assert_int_equal(bits->text.len, r->n);
    for (int k = 0; k < r->n; k++) {
        r->q[r->place[k]] = bits->text.ptr[k] == '1';
    }
    sl_tunnel_mark_all(&r->marks, r->net);
}

static void compare(const reference *r, const sl_yaml_node *bits, const char *what) {
    for (int k = 0; k < r->n; k++) {
        if (r->q[r->place[k]] != (bits->text.ptr[k] == '1')) {
            const char *name = NULL;
            sl_assert_ok(sl_tunnel_bit_name(r->net, r->place[k], &r->net->arena, &name));
            fail_msg("%s: %s is %d", what, name, (int)r->q[r->place[k]]);
        }
    }
}

static void random_states_end_as_in_the_reference(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    int n = 0;
    for (const sl_yaml_node *set = fixture_open(&f, "vectors.json") ? child(sl_yaml_root(f.doc), "sets")->first : NULL;
         set; set = set->next) {
        reference r;
        reference_init(&r, &f, set);
        for (const sl_yaml_node *c = child(set, "cases")->first; c; c = c->next, n++) {
            int32_t i = 0;
            put(&r, c->first);
            while (sl_tunnel_step(r.net, &r.marks, i, r.q) > 0) {
                i++;
            }
            compare(&r, c->first->next, "after a random state");
            assert_int_equal(i, (int)number(c->first->next->next));
        }
        reference_fini(&r, &f);
    }
    assert_true(!f.doc || n == 2048);
    fixture_fini(&f);
}

/* Every state of every step, from what the one before has left: nothing is marked but what the controls touch. */
static void sequences_are_those_of_the_reference(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    int n = 0;
    for (const sl_yaml_node *s = fixture_open(&f, "sequences.json") ? child(sl_yaml_root(f.doc), "sequences")->first
                                                                    : NULL;
         s; s = s->next, n++) {
        reference r;
        reference_init(&r, &f, s);
        bool begun = false;
        for (const sl_yaml_node *e = child(s, "executions")->first; e; e = e->next) {
            const sl_yaml_node *bits = child(e, "bits")->first;
            int32_t i = 0, n_control = 0;
            if (!begun) {
                put(&r, bits);
                begun = true;
            } else {
                for (int k = 0; k < r.n; k++) {
                    bool value = bits->text.ptr[k] == '1';
                    if (r.q[r.place[k]] != value) { /* a control */
                        r.q[r.place[k]] = value;
                        sl_tunnel_mark(&r.marks, r.net, r.place[k]);
                        n_control++;
                    }
                }
                assert_int_equal(n_control, child(e, "controls")->n);
            }
            for (; bits; bits = bits->next) {
                compare(&r, bits, child(s, "name")->text.ptr);
                int32_t n_flip = sl_tunnel_step(r.net, &r.marks, i++, r.q);
                assert_true((n_flip > 0) == (bits->next != NULL));
            }
            assert_int_equal(i - 1, (int)number(child(e, "t_m")));
        }
        reference_fini(&r, &f);
    }
    assert_true(!f.doc || n == 17);
    fixture_fini(&f);
}

/* All bits random, on random networks with all policies: every execution ends after at most five steps, and stepping only what is
 * marked gives what stepping all gives. */
static void every_execution_ends_after_five_steps(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    uint64_t seed = 7;
    for (int k = 0; k < n_network; k++) {
        sl_tunnel_network *net = random_network(&f, &seed, 8);
        finish_network(net);
        int32_t n = sl_tunnel_n_bit(net), q[1024], all[1024];
        assert_true(n <= 1024);
        sl_tunnel_marks some, every;
        sl_assert_ok(sl_tunnel_marks_init(&some, net, f.ctx));
        sl_assert_ok(sl_tunnel_marks_init(&every, net, f.ctx));
        for (int c = 0; c < 100; c++) {
            for (int32_t j = 0; j < n && c % 10 == 0; j++) { /* then a few variables at a time */
                q[j] = (int32_t)sl_test_below(&seed, 2);
                sl_tunnel_mark_all(&some, net);
            }
            for (int flips = 0; flips < 3; flips++) {
                int32_t j = (int32_t)sl_test_below(&seed, n);
                q[j] ^= 1;
                sl_tunnel_mark(&some, net, j);
            }
            memcpy(all, q, (size_t)n * sizeof *q);
            int32_t i = 0, n_flip;
            do {
                n_flip = sl_tunnel_step(net, &some, i, q);
                sl_tunnel_mark_all(&every, net);
                assert_int_equal(sl_tunnel_step(net, &every, i, all), n_flip);
                assert_memory_equal(q, all, (size_t)n * sizeof *q);
                i++;
            } while (n_flip > 0);
            assert_true(i - 1 <= SL_TUNNEL_STEPS_MAX);
        }
        sl_tunnel_marks_fini(&some, net, f.ctx);
        sl_tunnel_marks_fini(&every, net, f.ctx);
        sl_tunnel_network_destroy(net);
    }
    fixture_fini(&f);
}

int main(int argc, char **argv) {
    n_network = argc > 1 ? atoi(argv[1]) : n_network;
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_states_end_as_in_the_reference),
                                       cmocka_unit_test(sequences_are_those_of_the_reference),
                                       cmocka_unit_test(every_execution_ends_after_five_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
