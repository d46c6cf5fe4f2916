/* SPDX-License-Identifier: MIT */
/* test_files.c: whole runs of files: what must hold in every network, at every step.
 *
 * Every value is finite, no concentration is below 0, a trace is within 0 and 100 %, water is at most as old as the run,
 * and the ledger closes. Without arguments: the examples. `test_quality_files FILE...` checks these files and tells the
 * largest error of each kind; so do test_random.py, test_networks.py and bench/random_quality.py.
 */
#include "eps/eps_test.h"

#include "eps/eps.h"
#include "quality/quality.h"

/* Limits of |ratio - 1|, by kind. Measured on 8000 random networks: 7e-13 (with reactions), 8e-14 (age), 5e-14 (trace). */
static const double ledger_limit[] = {0.0, 1e-11, 1e-12, 1e-12};
#define BELOW 1e-9 /* of the largest concentration: rounding below 0 and above 100 % */

typedef struct tally {
    int64_t n_file, n_refused, n_failed, n_step, n_bad;
    double ledger[4]; /* by kind */
    char worst[4][256];
} tally;

typedef struct run {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_network *net;
    sl_model *model;
    sl_session *s;
} run;

static double view(run *r, const char *name) {
    int32_t n;
    const double *x = sl_session_view(r->s, sl_session_field(r->s, name), &n);
    return x && n == 1 ? *x : (double)NAN;
}

static void blame(tally *t, const char *file, double at, const char *what, double x) {
    print_error("%s: at %g s %s: %.17g\n", file, at, what, x);
    t->n_bad++;
}

static bool check_values(run *r, tally *t, const char *file, const char *field, double most) {
    int32_t n;
    const double *x = sl_session_view(r->s, sl_session_field(r->s, field), &n);
    double scale = isinf(most) ? 1.0 : most;
    for (int32_t i = 0; x && i < n; i++) {
        if (!isfinite(x[i]) || x[i] < -BELOW * scale || x[i] > most + BELOW * scale) {
            sl_var_info info = {.size = sizeof info};
            sl_session_var(r->s, (uint32_t)sl_session_ref(r->s, (sl_var){sl_session_field(r->s, field), i}), &info);
            blame(t, file, sl_session_time(r->s), info.name, x[i]);
            return false;
        }
    }
    return true;
}

static bool check_step(run *r, tally *t, const char *file) {
    static const char *const terms[] = {"initial", "reservoir", "source", "time",     "consumed", "returned",
                                        "bulk",    "wall",      "tank",   "adjusted", "stored",   "ratio"};
    sl_quality_kind kind = r->net->quality.kind;
    double now = sl_session_time(r->s), first = 0.0, most = (double)INFINITY;
    for (int32_t i = 0; i < r->net->n_node; i++) {
        first = fmax(first, r->net->node_quality[i]);
    }
    if (kind == SL_QUALITY_AGE) {
        most = first + now / 3600.0;
    } else if (kind == SL_QUALITY_TRACE) {
        most = 100.0;
    }
    bool good = check_values(r, t, file, "node.quality", most) && check_values(r, t, file, "link.quality", most) &&
                check_values(r, t, file, "link.reaction", (double)INFINITY);
    for (int i = 0; good && i < 12; i++) {
        char name[32];
        snprintf(name, sizeof name, "quality.%s", terms[i]);
        double x = view(r, name);
        bool positive = strchr("ircs", terms[i][0]) && strcmp(terms[i], "source") != 0;
        if (!isfinite(x) || (positive && x < -BELOW)) {
            blame(t, file, now, name, x);
            good = false;
        }
    }
    double off = fabs(view(r, "quality.ratio") - 1.0);
    if (off > t->ledger[kind]) {
        t->ledger[kind] = off;
        snprintf(t->worst[kind], sizeof t->worst[kind], "%s at %g s", file, now);
    }
    if (good && !(off <= ledger_limit[kind])) {
        blame(t, file, now, "quality.ratio", view(r, "quality.ratio"));
        good = false;
    }
    t->n_step++;
    return good;
}

static sl_status load(run *r, const char *bytes, size_t n, bool exact) {
    sl_eps_def def = sl_eps_default();
    def.reactions = exact ? SL_REACTIONS_EXACT : SL_REACTIONS_EXPLICIT;
    r->ctx = sl_test_context(&r->memory);
    sl_assert_ok(sl_diags_create(r->ctx, &r->diags));
    sl_status status = sl_inp_read(r->ctx, bytes, n, NULL, r->diags, &r->net);
    status = status == SL_OK ? sl_model_from_network(r->ctx, r->net, &def, r->diags, &r->model) : status;
    return status == SL_OK ? sl_session_create(r->ctx, r->model, r->diags, &r->s) : status;
}

static char *read_file(const char *path, size_t *n) {
    enum { MOST = 1 << 26 };
    FILE *file = path[0] == '/' ? fopen(path, "rb") : NULL;
    if (!file) {
        return eps_file(path, n);
    }
    char *bytes = malloc(MOST);
    *n = fread(bytes, 1, MOST, file);
    assert_true(*n < MOST);
    fclose(file);
    return bytes;
}

static void check_file(tally *t, const char *file, bool exact) {
    run r = {0};
    size_t n;
    char *bytes = read_file(file, &n);
    if (!bytes) {
        blame(t, file, 0.0, "cannot be read", 0.0);
        return;
    }
    t->n_file++;
    sl_status status = load(&r, bytes, n, exact);
    free(bytes);
    if (status != SL_OK) {
        t->n_refused++;
    } else if (r.net->quality.kind != SL_QUALITY_NONE) {
        double dt = 1.0;
        status = sl_session_refresh(r.s);
        while (status == SL_OK && check_step(&r, t, file) && dt > 0.0) {
            status = sl_session_step(r.s, &dt);
        }
        t->n_failed += status != SL_OK;
        if (status != SL_OK && (status != SL_ERR_SOLVE || sl_diags_count(sl_session_diags(r.s), SL_ERROR) == 0)) {
            blame(t, file, sl_session_time(r.s), "fails without a word", status);
        }
    }
    sl_session_destroy(r.s);
    sl_model_destroy(r.model);
    sl_network_destroy(r.net);
    sl_diags_destroy(r.diags);
    sl_context_destroy(r.ctx);
}

static void tell(const tally *t) {
    static const char *const kinds[] = {"", "chemical", "age", "trace"};
    printf("%lld files, %lld refused, %lld failed, %lld steps, %lld at fault\n", (long long)t->n_file,
           (long long)t->n_refused, (long long)t->n_failed, (long long)t->n_step, (long long)t->n_bad);
    for (int i = 1; i < 4; i++) {
        printf("  %-8s largest |ratio - 1| %.2g  %s\n", kinds[i], t->ledger[i], t->worst[i]);
    }
}

static void test_examples(void **state) {
    (void)state;
    tally t = {0};
    for (int i = 0; eps_examples[i]; i++) {
        check_file(&t, eps_examples[i], false);
        check_file(&t, eps_examples[i], true);
    }
    tell(&t);
    assert_int_equal(t.n_bad, 0);
    assert_int_equal(t.n_failed, 0);
    assert_true(t.n_step > 0);
}

int main(int argc, char **argv) {
    if (argc > 1) {
        tally t = {0};
        for (int i = 1; i < argc; i++) {
            check_file(&t, argv[i], i % 2);
        }
        tell(&t);
        return t.n_bad > 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
