/* SPDX-License-Identifier: MIT */
/* test_order.c: the order of nodes in a grid whose flows turn a few at a time, repaired or made anew: water that runs down heights never
 * meets a node too early, and an order that was saved is taken as it was and no other. */
#include "rich.h"

#include "quality/impl.h"

enum { SIDE = 14, NODES = SIDE * SIDE, MOST_LINKS = 2 * NODES + 8 };

static void begin_grid(eps_run *r, sl_quality_model **m, sl_quality **q) {
    static char text[200 * MOST_LINKS];
    int n = sprintf(text, "[RESERVOIRS]\nR 50\nS 40\n[TANKS]\nT 20 3 1 5 10\n[JUNCTIONS]\n");
    for (int i = 0; i < NODES; i++) {
        n += sprintf(text + n, "J%d 0 0.01\n", i);
    }
    n += sprintf(text + n, "[PIPES]\nA R J0 100 200 100\nB S J%d 100 200 100\nC T J%d 100 200 100\n", NODES - 1,
                 SIDE - 1);
    for (int i = 0; i < NODES; i++) {
        if (i % SIDE + 1 < SIDE) {
            n += sprintf(text + n, "H%d J%d J%d 100 200 100\n", i, i, i + 1);
        }
        if (i + SIDE < NODES) {
            n += sprintf(text + n, "V%d J%d J%d 100 200 100\n", i, i + SIDE, i);
        }
    }
    n += sprintf(text + n, "[OPTIONS]\nUNITS LPS\nQUALITY Chlorine mg/L\n[QUALITY]\nR 1\n[TIMES]\nDURATION 1\n");
    eps_begin_bytes(r, NULL, 1, text, (size_t)n);
    sl_assert_ok(sl_quality_model_create(r->ctx, r->net, false, m));
    sl_assert_ok(sl_quality_create(r->ctx, *m, q));
}

/* Flows down the heights of nodes, some too small to count. */
static void set_flows(sl_quality *q, const double *height) {
    const sl_network *net = q->m->net;
    for (int32_t k = 0; k < net->n_link; k++) {
        q->flow[k] = 1e-5 * (height[net->link_from[k]] - height[net->link_to[k]]);
    }
}

/* Every node once; every link that carries something at its upper node, before its lower one, in the order of links there. */
static void assert_order(const sl_quality *q) {
    const sl_network *net = q->m->net;
    const sl_quality_node_order *o = &q->order;
    int32_t place[NODES + 8], n_pass = 0, n_flow = 0, n_rest = 0;
    assert_int_equal(o->n_stop, net->n_node);
    for (int32_t i = 0; i < net->n_node; i++) {
        place[i] = -1;
    }
    for (int32_t i = 0; i < o->n_stop; i++) {
        assert_int_equal(place[o->stop[i].node], -1);
        place[o->stop[i].node] = i;
        assert_int_equal(o->place[o->stop[i].node], i);
    }
    for (int32_t i = 0; i < o->n_stop; i++) {
        const sl_quality_node_visit *s = &o->stop[i];
        n_pass += s->n_out;
        for (int32_t a = 0; a < s->n_out; a++) {
            sl_quality_incidence p = o->pass[s->first + a];
            assert_true(a == 0 || p.link > o->pass[s->first + a - 1].link);
            assert_true((p.from ? q->flow[p.link] : -q->flow[p.link]) >= SL_QUALITY_STILL);
            assert_int_equal(p.from ? net->link_from[p.link] : net->link_to[p.link], s->node);
            bool lake = p.far >= net->n_junction && p.far < net->n_junction + net->n_reservoir;
            assert_true(lake || o->cut[p.link] || place[p.far] > i);
        }
    }
    for (int32_t k = 0; k < net->n_link; k++) {
        bool flows = fabs(q->flow[k]) >= SL_QUALITY_STILL;
        n_flow += flows;
        if (!flows) {
            assert_int_equal(o->rest[n_rest++], k);
        }
    }
    assert_int_equal(n_pass, n_flow);
    assert_int_equal(o->n_rest, n_rest);
}

static void assert_same_order(const sl_quality *a, const sl_quality *b) {
    const sl_quality_node_order *x = &a->order, *y = &b->order;
    assert_int_equal(x->n_stop, y->n_stop);
    for (int32_t i = 0; i < x->n_stop; i++) {
        assert_int_equal(x->stop[i].node, y->stop[i].node);
        assert_int_equal(x->stop[i].n_out, y->stop[i].n_out);
        assert_int_equal(x->stop[i].first, y->stop[i].first);
        assert_memory_equal(x->pass + x->stop[i].first, y->pass + y->stop[i].first,
                            (size_t)x->stop[i].n_out * sizeof *x->pass);
    }
}

/* What was saved leads to the same order in another run; with two nodes changed, twice the same or one of none it is refused. */
static void assert_taken(const sl_quality *q, sl_quality *other) {
    const sl_network *net = q->m->net;
    int32_t node[NODES + 8];
    for (int32_t i = 0; i < net->n_node; i++) {
        node[i] = q->order.stop[i].node;
    }
    memcpy(other->flow, q->flow, (size_t)net->n_link * sizeof *q->flow);
    assert_true(sl_quality_take_order(other, node));
    assert_same_order(q, other);
    const sl_quality_node_visit *s = q->order.stop;
    while (s->node >= NODES || s->n_out == 0 || q->order.pass[s->first].far >= NODES) { /* from junction to junction */
        s++;
    }
    int32_t i = q->order.place[s->node], j = q->order.place[q->order.pass[s->first].far], was = node[i];
    node[i] = node[j];
    assert_false(sl_quality_take_order(other, node)); /* twice the same */
    node[j] = was;
    assert_false(sl_quality_take_order(other, node)); /* against the flow */
    node[j] = net->n_node;
    assert_false(sl_quality_take_order(other, node));
}

static void test_turning(void **state) {
    (void)state;
    eps_run r;
    sl_quality_model *m;
    sl_quality *q, *other;
    begin_grid(&r, &m, &q);
    sl_assert_ok(sl_quality_create(r.ctx, m, &other));
    double height[NODES + 8];
    uint64_t random = 29;
    int repaired = 0, anew = 0, circles = 0, still = 0;
    for (int32_t i = 0; i < m->net->n_node; i++) {
        height[i] = sl_test_unit(&random);
    }
    for (int round = 0; round < 3000; round++) {
        for (int64_t n = sl_test_below(&random, 5); n > 0; n--) {
            height[sl_test_below(&random, m->net->n_node)] = sl_test_unit(&random);
        }
        set_flows(q, height);
        if (round % 50 == 7) { /* round the first square */
            double around = 1e-4;
            q->flow[3] = around;                 /* H0: J0 to J1 */
            q->flow[6] = -around;                /* V1: J1 to J15 */
            q->flow[4] = around;                 /* V0: J14 to J0 */
            q->flow[3 + 2 * SIDE - 1] = -around; /* H14: J15 to J14 */
        }
        sl_quality_order(q);
        assert_order(q);
        circles += q->order.circles;
        repaired += q->order.repaired;
        anew += !q->order.repaired;
        still += q->order.n_rest > 0;
        if (round % 20 == 0 && q->order.repaired) {
            assert_taken(q, other);
        }
    }
    assert_true(repaired > 1000 && anew > 100 && circles > 50 && still > 100);
    sl_quality_destroy(q);
    sl_quality_destroy(other);
    sl_quality_model_destroy(m);
    eps_end(&r);
}

/* One step of flows of their own, in which a few nodes have other heights than in the one before. */
static void step(sl_quality *q, double *height, uint64_t *random, double begin) {
    static double flow[MOST_LINKS];
    const sl_network *net = q->m->net;
    double outflow[NODES] = {0};
    for (int64_t n = sl_test_below(random, 5); n > 0; n--) {
        height[sl_test_below(random, net->n_node)] = sl_test_unit(random);
    }
    for (int32_t k = 0; k < net->n_link; k++) {
        flow[k] = 1e-2 * (height[net->link_from[k]] - height[net->link_to[k]]);
    }
    sl_assert_ok(sl_quality_step(
        q, &(sl_quality_flows){.flow = flow, .outflow = outflow, .begin = begin, .end = begin + 700.0}));
}

/* A run goes on after it was restored as if it had not been, though sums depend on the order in the last bits. */
static void test_saved(void **state) {
    (void)state;
    eps_run r;
    sl_quality_model *m;
    sl_quality *q, *again;
    begin_grid(&r, &m, &q);
    double height[NODES + 8], other[NODES + 8], volume = 10.0;
    uint64_t random = 5;
    for (int32_t i = 0; i < m->net->n_node; i++) {
        height[i] = sl_test_unit(&random);
    }
    sl_assert_ok(sl_quality_start(q, &volume));
    int repaired = 0;
    for (int i = 0; i < 300; i++) {
        step(q, height, &random, 700.0 * i);
        if (i % 10 != 9) {
            continue;
        }
        size_t n = sl_quality_save_size(q);
        unsigned char *saved = malloc(n);
        sl_quality_save(q, saved);
        repaired += q->order.repaired;
        sl_assert_ok(sl_quality_restore(r.ctx, m, saved, n, &again));
        free(saved);
        memcpy(other, height, sizeof height);
        uint64_t same = random;
        step(q, height, &random, 700.0 * ++i);
        step(again, other, &same, 700.0 * i);
        assert_same_order(q, again);
        n = sl_quality_save_size(q);
        assert_int_equal(sl_quality_save_size(again), n);
        unsigned char *a = malloc(n), *b = malloc(n);
        sl_quality_save(q, a);
        sl_quality_save(again, b);
        assert_memory_equal(a, b, n);
        free(a);
        free(b);
        sl_quality_destroy(again);
    }
    assert_true(repaired > 10);
    sl_quality_destroy(q);
    sl_quality_model_destroy(m);
    eps_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_turning), cmocka_unit_test(test_saved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
