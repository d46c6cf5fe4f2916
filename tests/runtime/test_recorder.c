/* SPDX-License-Identifier: MIT */
/* A recorder for one model of every kind: what it writes is what another session shows at the same times, in every format; it may go
 * before its session at any time; memory that runs out is said. */
#include "sl_test.h"

#include <math.h>
#include <sluice/results.h>

#include "base/bytes.h"
#include "base/out.h"
#include "models.h"

static const char *const formats[] = {"json", "csv", "h5"};
enum { N_FORMAT = 3 };

typedef struct fixture {
    sl_context *ctx;
    sl_diags *diags;
    sl_model *model;
    sl_session *session;
    const model_row *row;
} fixture;

static void start(fixture *f, const model_row *row) {
    *f = (fixture){.row = row};
    sl_assert_ok(sl_context_create(NULL, &f->ctx));
    sl_assert_ok(sl_diags_create(f->ctx, &f->diags));
    f->model = model_build(f->ctx, row);
    sl_assert_ok(sl_session_create(f->ctx, f->model, f->diags, &f->session));
}

static void end(fixture *f) {
    sl_session_destroy(f->session);
    sl_model_destroy(f->model);
    sl_diags_destroy(f->diags);
    sl_context_destroy(f->ctx);
}

static sl_status read_at(void *user, uint64_t offset, void *bytes, size_t n) {
    const sl_bytes *b = user;
    if (offset + n > (uint64_t)b->n) {
        return SL_ERR_IO;
    }
    memcpy(bytes, b->at + offset, n);
    return SL_OK;
}

static sl_status run(sl_context *ctx, const fixture *f, sl_sink *sinks, int n_sink) {
    sl_recorder *r = NULL;
    sl_recorder_def def = sl_recorder_default();
    def.si = true;
    def.name = f->row->name;
    sl_status status = sl_recorder_create(ctx, f->session, &def, NULL, &r);
    for (int i = 0; i < n_sink && status == SL_OK; i++) {
        sl_results_target t = sl_results_target_default();
        t.format = formats[i];
        t.sink = &sinks[i];
        t.csv = SL_CSV_VALUES;
        status = sl_recorder_add(r, &t, NULL);
    }
    status = status == SL_OK ? sl_session_advance(f->session, f->row->duration, 0, NULL) : status;
    status = status == SL_OK ? sl_recorder_end(r, true, NULL) : status;
    sl_recorder_destroy(r);
    return status;
}

/* By the conventions of EPANET's files these are not what a session shows. */
static bool is_converted(const char *quantity) {
    static const char *const names[] = {"velocity", "headloss", "setting"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(quantity, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Every value against another session of the model, bit for bit. Returns the number of values compared. */
static int64_t check_values(const fixture *f, sl_results *r) {
    const sl_results_layout *l = sl_results_get_layout(r);
    sl_session *other = NULL;
    int64_t n_frame, n = 0;
    const double *times = sl_results_times(r, &n_frame);
    sl_assert_ok(sl_session_create(f->ctx, f->model, f->diags, &other));
    for (int64_t k = 0; k < n_frame; k++) {
        sl_assert_ok(sl_session_advance(other, times[k], 0, NULL));
        int32_t q = 0;
        for (int32_t g = 0; g < l->n_group; g++) {
            for (int32_t i = 0; i < l->groups[g].n_quantity; i++, q++) {
                const sl_results_group *of = &l->groups[g];
                double *x = calloc((size_t)of->n + 1, sizeof *x), expected;
                char name[512];
                sl_assert_ok(sl_results_read(r, k, q, x));
                for (int32_t e = 0; e < of->n && !is_converted(of->quantities[i].name); e++, n++) {
                    bool whole = strcmp(of->name, "model") == 0; /* valves of a network are links */
                    bool valve = strcmp(of->name, "valve") == 0 && sl_model_network(f->model);
                    (void)snprintf(name, sizeof name, whole ? "%.0s%.0s%s" : "%s.'%s'.%s", valve ? "link" : of->name,
                                   of->ids[e], of->quantities[i].name);
                    sl_var v;
                    sl_assert_ok(sl_session_find(other, name, &v));
                    sl_assert_ok(sl_session_get(other, &v, 1, &expected));
                    assert_memory_equal(&x[e], &expected, sizeof expected);
                }
                free(x);
            }
        }
    }
    sl_session_destroy(other);
    return n;
}

static void test_values(void **state) {
    (void)state;
    for (int32_t m = 0; m < n_model_row; m++) {
        fixture f;
        sl_bytes bytes[N_FORMAT];
        sl_sink sinks[N_FORMAT];
        start(&f, &model_rows[m]);
        for (int i = 0; i < N_FORMAT; i++) {
            sl_bytes_init(&bytes[i], f.ctx);
            sinks[i] = sl_bytes_sink(&bytes[i]);
        }
        sl_assert_ok(run(f.ctx, &f, sinks, N_FORMAT));
        for (int i = 0; i < N_FORMAT; i++) {
            sl_results *r = NULL;
            sl_source_bytes source = {&bytes[i], (uint64_t)bytes[i].n, read_at};
            sl_assert_ok(sl_results_open(f.ctx, &source, formats[i], f.diags, &r));
            int64_t n_frame, n = check_values(&f, r);
            (void)sl_results_times(r, &n_frame);
            assert_true(n > 0 && n_frame > 1);
            if (!(f.row->duration < sl_session_end(f.session))) { /* and a .csv does not say */
                assert_int_equal(sl_results_get_end(r)->complete, true);
            }
            sl_results_close(r);
            sl_bytes_fini(&bytes[i]);
        }
        end(&f);
    }
}

/* A recorder that goes on the way takes nothing with it, and the session goes on with the same bits. */
static void test_goes_first(void **state) {
    (void)state;
    for (int32_t m = 0; m < n_model_row; m++) {
        fixture f, g;
        sl_recorder *r = NULL;
        sl_bytes saved[2];
        start(&f, &model_rows[m]);
        start(&g, &model_rows[m]);
        double half = model_snap(f.session, 0.5 * f.row->duration);
        sl_assert_ok(sl_recorder_create(f.ctx, f.session, NULL, f.diags, &r));
        sl_assert_ok(sl_session_advance(f.session, half, 0, NULL));
        sl_recorder_destroy(r);
        sl_assert_ok(sl_session_advance(g.session, half, 0, NULL));
        for (int i = 0; i < 2; i++) {
            fixture *at = i == 0 ? &f : &g;
            sl_assert_ok(sl_session_advance(at->session, at->row->duration, 0, NULL));
            sl_bytes_init(&saved[i], f.ctx);
            sl_sink sink = sl_bytes_sink(&saved[i]);
            sl_assert_ok(sl_session_save(at->session, &sink));
        }
        assert_int_equal(saved[0].n, saved[1].n);
        assert_memory_equal(saved[0].at, saved[1].at, (size_t)saved[0].n);
        sl_bytes_fini(&saved[0]);
        sl_bytes_fini(&saved[1]);
        end(&f);
        end(&g);
    }
}

static void record_all(sl_context *ctx, sl_test_memory *m, void *user) {
    fixture f;
    sl_bytes bytes[2];
    sl_sink sinks[2];
    start(&f, user);
    for (int i = 0; i < 2; i++) {
        sl_bytes_init(&bytes[i], f.ctx);
        sinks[i] = sl_bytes_sink(&bytes[i]);
    }
    sl_status status = run(ctx, &f, sinks, 2);
    assert_true(status == SL_OK || m->n_refused > 0);
    for (int i = 0; i < 2; i++) {
        sl_bytes_fini(&bytes[i]);
    }
    end(&f);
}

static void test_no_memory(void **state) {
    (void)state;
    for (int32_t m = 0; m < n_model_row; m++) {
        assert_true(sl_test_sweep(record_all, (void *)&model_rows[m]) > 5);
    }
}

static void test_wrong_use(void **state) {
    (void)state;
    fixture f;
    sl_recorder *r = NULL;
    static const char *const what[] = {"colour"};
    sl_results_select select = sl_results_select_default();
    sl_recorder_def def = sl_recorder_default();
    start(&f, &model_rows[0]);
    assert_int_equal(sl_recorder_create(NULL, f.session, NULL, NULL, &r), SL_ERR_USE);
    assert_int_equal(sl_recorder_create(f.ctx, f.session, &(sl_recorder_def){0}, NULL, &r), SL_ERR_USE);
    select.what = what;
    select.n_what = 1;
    def.select = &select;
    assert_int_equal(sl_recorder_create(f.ctx, f.session, &def, f.diags, &r), SL_ERR_INPUT);
    assert_null(r);
    assert_int_equal(sl_recorder_end(NULL, true, NULL), SL_ERR_USE);
    sl_assert_ok(sl_session_refresh(f.session)); /* it has moved: too late */
    assert_int_equal(sl_recorder_create(f.ctx, f.session, NULL, f.diags, &r), SL_ERR_USE);
    end(&f);
}

/* A file has all frames; there is one end, while the session is there. */
static void test_order(void **state) {
    (void)state;
    for (int m = 0; m < n_model_row; m++) {
        fixture f;
        sl_recorder *r = NULL;
        sl_bytes bytes;
        start(&f, &model_rows[m]);
        sl_bytes_init(&bytes, f.ctx);
        sl_sink sink = sl_bytes_sink(&bytes);
        sl_results_target t = sl_results_target_default();
        t.format = "json";
        t.sink = &sink;
        assert_null(sl_recorder_layout(NULL));
        assert_int_equal(sl_recorder_add(NULL, &t, NULL), SL_ERR_USE);
        sl_assert_ok(sl_recorder_create(f.ctx, f.session, NULL, NULL, &r));
        sl_assert_ok(sl_recorder_add(r, &t, NULL));
        (void)sl_session_advance(f.session, (double)INFINITY, 0, NULL); /* a model may fail on its course */
        assert_int_equal(sl_recorder_add(r, &t, NULL), SL_ERR_USE);
        sl_assert_ok(sl_recorder_end(r, true, NULL));
        sl_session_destroy(f.session);
        f.session = NULL;
        assert_int_equal(sl_recorder_end(r, true, NULL), SL_ERR_USE);
        assert_int_equal(sl_recorder_add(r, &t, NULL), SL_ERR_USE);
        sl_recorder_destroy(r);
        sl_assert_ok(sl_session_create(f.ctx, f.model, f.diags, &f.session));
        sl_assert_ok(sl_recorder_create(f.ctx, f.session, NULL, NULL, &r));
        sl_assert_ok(sl_recorder_add(r, &t, NULL));
        sl_session_destroy(f.session);
        f.session = NULL;
        assert_int_equal(sl_recorder_end(r, true, NULL), SL_ERR_USE);
        sl_recorder_destroy(r);
        sl_bytes_fini(&bytes);
        end(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),    cmocka_unit_test(test_goes_first), cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_wrong_use), cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
