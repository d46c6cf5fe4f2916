/* SPDX-License-Identifier: MIT */
/* What a surge run leaves behind: routes, limits, cavities and the summary. The run is one valve that shuts in a pipe of one
 * material: Joukowsky gives the numbers. */
#include "sl_test.h"

#include <sluice/network_io.h>

#include "results/surge.h"

static const char network_text[] = "[JUNCTIONS]\nJ1 10 0\nJ,2 5 30\n[RESERVOIRS]\nR 60\n"
                                   "[PIPES]\nP1 R J1 600 300 130 0 Open\nP2 J,2 J1 400 300 130 0 Open\n"
                                   "[OPTIONS]\nUnits LPS\nHeadloss H-W\n[END]\n";

typedef struct fixture {
    sl_test_memory m;
    sl_context *ctx;
    sl_diags *diags;
    sl_network *net;
    sl_study *study;
    sl_model *model;
    sl_session *session;
} fixture;

static void start(fixture *f, sl_surge_cavitation cavitation) {
    static const double t[] = {0.0}, x[] = {0.0};
    static sl_surge_event stop;
    *f = (fixture){0};
    f->ctx = sl_test_context(&f->m);
    sl_assert_ok(sl_diags_create(f->ctx, &f->diags));
    sl_assert_ok(sl_inp_read(f->ctx, network_text, strlen(network_text), NULL, f->diags, &f->net));
    sl_assert_ok(sl_study_create(f->ctx, f->net, &f->study));
    stop = sl_surge_event_default();
    stop.what = SL_SURGE_DEMAND_FLOW;
    stop.index = sl_network_find_node(f->net, sl_str_z("J,2"));
    stop.start = 0.5;
    stop.t = t;
    stop.x = x;
    stop.n = 1;
    sl_surge_def *d = &f->study->def;
    d->events = &stop;
    d->n_event = 1;
    d->duration = 3.0;
    d->wave_speed = 1000.0;
    d->dt = 0.02;
    d->demand = SL_SURGE_DEMAND_FIXED;
    d->cavitation = cavitation;
    sl_assert_ok(sl_model_from_surge(f->ctx, f->net, d, f->diags, &f->model));
    sl_assert_ok(sl_session_create(f->ctx, f->model, f->diags, &f->session));
}

static void end(fixture *f) {
    sl_session_destroy(f->session);
    sl_model_destroy(f->model);
    sl_study_destroy(f->study);
    sl_network_destroy(f->net);
    sl_diags_destroy(f->diags);
    sl_test_context_end(f->ctx, &f->m);
}

static bool has(const sl_bytes *b, const char *text) {
    size_t n = strlen(text);
    for (int64_t i = 0; i + (int64_t)n <= b->n; i++) {
        if (memcmp(b->at + i, text, n) == 0) {
            return true;
        }
    }
    return false;
}

static const sl_digest_point *digest_point(const sl_digest *d, const char *key) {
    for (int64_t i = 0; i < d->cells.n; i++) {
        if (d->cells.at[i].key && strcmp(d->cells.at[i].key, key) == 0) {
            return d->cells.at[i].point;
        }
    }
    return NULL;
}

static void test_run(void **state) {
    (void)state;
    fixture f;
    start(&f, SL_SURGE_LIQUID);
    sl_surge_outcome r;
    sl_assert_ok(sl_session_advance(f.session, 3.0, 0, NULL));
    sl_assert_ok(sl_surge_outcome_init(&r, f.ctx, "test", f.study, f.model, f.session));
    /* The stop raises the head by a V / g, and the pipe packs a little more. */
    int32_t end_node = sl_network_find_node(f.net, sl_str_z("J,2"));
    double joukowsky = 1000.0 * 0.030 / (0.25 * 3.14159265358979 * 0.09) / 9.80665;
    double start_head = r.view.head_start[r.view.point_start[1]];
    assert_true(r.head_max[end_node] > start_head + 0.999 * joukowsky);
    assert_true(r.head_max[end_node] < 60.0 + joukowsky + 1e-9);

    /* Along the route the second pipe is passed from its end. */
    sl_study_route route = {.name = "a"};
    sl_assert_ok(sl_study_find_route(f.study, sl_network_find_node(f.net, sl_str_z("R")), end_node, &route));
    int64_t n = sl_surge_along(&r, &route, NULL, NULL), point[200];
    double distance[200];
    assert_int_equal(n, 31 + 21);
    assert_int_equal(sl_surge_along(&r, &route, distance, point), n);
    sl_assert_abs(distance[0], 0.0, 1e-12);
    sl_assert_abs(distance[31], 600.0, 1e-9);
    sl_assert_abs(distance[n - 1], 1000.0, 1e-9);
    assert_int_equal(point[n - 1], r.view.point_start[1]);

    sl_study_limit limit = {.pressure_max = 60.0, .pressure_min = -500.0, .cavity_max = (double)NAN};
    sl_surge_verdict v;
    f.study->limits = &limit;
    f.study->n_limit = 1;
    assert_true(sl_surge_check_limit(&r, &limit, SL_SURGE_HIGHEST, &v));
    assert_false(v.kept);
    sl_assert_abs(v.value, r.head_max[end_node] - 5.0, 1e-9);
    assert_true(sl_surge_check_limit(&r, &limit, SL_SURGE_LOWEST, &v) && v.kept);
    assert_false(sl_surge_check_limit(&r, &limit, SL_SURGE_CAVITY, &v));
    assert_int_equal(sl_surge_broken(&r), 1);

    sl_bytes json;
    sl_bytes_init(&json, f.ctx);
    sl_sink sink = sl_bytes_sink(&json);
    sl_out *out = sl_alloc(f.ctx, sizeof *out);
    sl_out_init(out, &sink);
    sl_digest d;
    sl_digest_events events = {0};
    sl_assert_ok(sl_surge_digest(&r, &events, 1, &d));
    sl_assert_ok(sl_digest_write_text(&d, out));
    sl_assert_ok(sl_out_flush(out));
    /* Its extremes are those of all junctions and points, by a search of its own. */
    double least = INFINITY, most = -INFINITY;
    for (int32_t i = 0; i < f.net->n_junction; i++) {
        least = fmin(least, r.head_min[i] - f.net->node_elevation[i]);
        most = fmax(most, r.head_max[i] - f.net->node_elevation[i]);
    }
    for (int64_t i = 0; i < r.view.n_point; i++) {
        least = fmin(least, r.view.head_min[i] - r.view.elevation[i]);
        most = fmax(most, r.view.head_max[i] - r.view.elevation[i]);
    }
    sl_assert_double(digest_point(&d, "pressure_min_m")->value, least);
    sl_assert_double(digest_point(&d, "pressure_max_m")->value, most);
    sl_digest_fini(&d);
    assert_true(has(&json, "Limits        BROKEN: pressure at most 60 m, worst "));
    assert_true(has(&json, "\n                and 1 more point (all of them: --json)\n"));
    sl_free(f.ctx, out, sizeof *out);
    sl_bytes_fini(&json);
    end(&f);
}

static void test_cavities(void **state) {
    (void)state;
    fixture f;
    start(&f, SL_SURGE_DVCM);
    sl_surge_outcome r;
    sl_surge_cavities c;
    sl_assert_ok(sl_session_advance(f.session, (double)INFINITY, 0, NULL));
    sl_assert_ok(sl_surge_outcome_init(&r, f.ctx, "test", f.study, f.model, f.session));
    /* The wave comes back after 2 s and pulls the end 43 m below its 59 m, 11 m above the ground: nothing breaks. */
    assert_false(sl_surge_cavities_of(&r, 0, &c));
    assert_false(sl_surge_cavities_of(&r, 1, &c));
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_cavities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
