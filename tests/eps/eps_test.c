/* SPDX-License-Identifier: MIT */
/* eps_test.c: sessions from text, values by name; see eps_test.h. */
#include "eps_test.h"

const char *const eps_examples[] = {
    "examples/fire-flow-pda.inp",  "examples/hilltown.inp", "examples/leaks.inp",  "examples/pressure-zones.inp",
    "examples/pump-and-tank.inp",  "examples/quality.inp",  "examples/rules.inp",  "examples/town.inp",
    "examples/two-reservoirs.inp", "examples/units-us.inp", "examples/valves.inp", NULL};

static void show(const sl_diags *diags) {
    for (int32_t i = 0; diags && i < sl_diags_size(diags); i++) {
        const sl_diag *d = sl_diags_at(diags, i);
        print_error("%s %s: %s [%s] line %u\n", d->object_kind ? d->object_kind : "", d->object_id ? d->object_id : "",
                    d->text, sl_code_word(d->code), d->line);
    }
}

void eps_begin_bytes(eps_run *r, const sl_eps_def *def, int32_t n_thread, const char *bytes, size_t n) {
    *r = (eps_run){0};
    r->ctx = sl_test_context_threads(&r->memory, n_thread);
    sl_assert_ok(sl_diags_create(r->ctx, &r->diags));
    sl_status status = sl_inp_read(r->ctx, bytes, n, NULL, r->diags, &r->net);
    if (status != SL_OK) {
        show(r->diags);
    }
    sl_assert_ok(status);
    sl_assert_ok(sl_model_from_network(r->ctx, r->net, def, r->diags, &r->model));
    sl_assert_ok(sl_session_create(r->ctx, r->model, r->diags, &r->s));
    status = sl_session_refresh(r->s);
    if (status != SL_OK) {
        show(sl_session_diags(r->s));
    }
    sl_assert_ok(status);
}

SL_PRINTF(3, 0) static void begin(eps_run *r, const sl_eps_def *def, const char *format, va_list args) {
    enum { MOST = 1 << 16 };
    char *text = malloc(MOST);
    int n = vsnprintf(text, MOST, format, args);
    assert_true(n > 0 && n < MOST);
    eps_begin_bytes(r, def, 1, text, (size_t)n);
    free(text);
}

void eps_begin(eps_run *r, const char *format, ...) {
    va_list args;
    va_start(args, format);
    begin(r, NULL, format, args);
    va_end(args);
}

void eps_begin_def(eps_run *r, const sl_eps_def *def, const char *format, ...) {
    va_list args;
    va_start(args, format);
    begin(r, def, format, args);
    va_end(args);
}

void eps_end(eps_run *r) {
    sl_session_destroy(r->s);
    sl_model_destroy(r->model);
    sl_network_destroy(r->net);
    sl_diags_destroy(r->diags);
    sl_test_context_end(r->ctx, &r->memory);
}

/* ---- Values ------------------------------------------------------------------------------------- */

SL_PRINTF(2, 0) static sl_var find(eps_run *r, const char *format, va_list args) {
    char name[256];
    sl_var v;
    vsnprintf(name, sizeof name, format, args);
    sl_status status = sl_session_find(r->s, name, &v);
    if (status != SL_OK) {
        print_error("no variable %s\n", name);
    }
    sl_assert_ok(status);
    return v;
}

double eps_get(eps_run *r, const char *format, ...) {
    va_list args;
    va_start(args, format);
    sl_var v = find(r, format, args);
    va_end(args);
    double x;
    sl_assert_ok(sl_session_get(r->s, &v, 1, &x));
    return x;
}

void eps_set(eps_run *r, double x, const char *format, ...) {
    va_list args;
    va_start(args, format);
    sl_var v = find(r, format, args);
    va_end(args);
    sl_assert_ok(sl_session_set(r->s, &v, 1, &x));
}

double eps_head(eps_run *r, const char *node) {
    return eps_get(r, "node.'%s'.head", node);
}

double eps_pressure(eps_run *r, const char *node) {
    return eps_get(r, "node.'%s'.pressure", node);
}

double eps_flow(eps_run *r, const char *link) {
    return eps_get(r, "link.'%s'.flow", link);
}

int eps_status(eps_run *r, const char *link) {
    return (int)eps_get(r, "link.'%s'.status", link);
}

/* ---- Time --------------------------------------------------------------------------------------- */

sl_stop_reason eps_to(eps_run *r, double t) {
    sl_step step = {.size = sizeof step};
    sl_status status = sl_session_advance(r->s, t, 0, &step);
    if (status != SL_OK) {
        show(sl_session_diags(r->s));
    }
    sl_assert_ok(status);
    return step.reason;
}

bool eps_step(eps_run *r) {
    double dt;
    sl_status status = sl_session_step(r->s, &dt);
    if (status != SL_OK) {
        show(sl_session_diags(r->s));
    }
    sl_assert_ok(status);
    return dt > 0.0;
}

int32_t eps_boundaries(eps_run *r, double *t, int32_t most) {
    int32_t n = 0;
    t[n++] = sl_session_time(r->s);
    while (eps_step(r)) {
        assert_true(n < most);
        t[n++] = sl_session_time(r->s);
    }
    return n;
}

void eps_assert_same(sl_session *a, sl_session *b) {
    sl_var_info info = {.size = sizeof info};
    sl_assert_bits(sl_session_time(a), sl_session_time(b));
    sl_assert_ok(sl_session_var(a, (uint32_t)(sl_session_n_var(a) - 1), &info));
    for (int32_t f = 0, last = info.var.field; f <= last; f++) {
        int32_t n, m;
        const double *x = sl_session_view(a, f, &n), *y = sl_session_view(b, f, &m);
        assert_int_equal(n, m);
        for (int32_t i = 0; x && i < n; i++) {
            if (memcmp(&x[i], &y[i], sizeof *x) != 0) {
                sl_assert_ok(sl_session_var(a, (uint32_t)sl_session_ref(a, (sl_var){f, i}), &info));
                print_error("%s at %.17g s\n", info.name, sl_session_time(a));
                sl_assert_bits(x[i], y[i]);
            }
        }
    }
}

static const sl_diag *find_said(const eps_run *r, sl_code code, const char *id, int32_t *count) {
    const sl_diags *d = sl_session_diags(r->s);
    const sl_diag *first = NULL;
    *count = 0;
    for (int32_t i = 0; i < sl_diags_size(d); i++) {
        const sl_diag *x = sl_diags_at(d, i);
        if (x->code == code && (!id || (x->object_id && strcmp(x->object_id, id) == 0))) {
            first = first ? first : x;
            ++*count;
        }
    }
    return first;
}

int32_t eps_said(const eps_run *r, sl_code code, const char *id) {
    int32_t n;
    find_said(r, code, id, &n);
    return n;
}

const char *eps_words(const eps_run *r, sl_code code, const char *id) {
    int32_t n;
    const sl_diag *d = find_said(r, code, id, &n);
    return d ? d->text : "";
}

/* ---- Tools -------------------------------------------------------------------------------------- */

double eps_root(double (*f)(double x, void *user), void *user, double low, double high) {
    double at_low = f(low, user), at_high = f(high, user);
    assert_true(at_low == 0.0 || at_high == 0.0 || (at_low > 0.0) != (at_high > 0.0));
    for (int i = 0; i < 200 && low != high; i++) {
        double mid = 0.5 * (low + high), at = f(mid, user);
        if (at == 0.0 || mid == low || mid == high) {
            return mid;
        }
        if ((at > 0.0) == (at_low > 0.0)) {
            low = mid;
        } else {
            high = mid;
        }
    }
    return 0.5 * (low + high);
}

char *eps_file(const char *path, size_t *n) {
    enum { MOST = 1 << 20 };
    char full[1024];
    snprintf(full, sizeof full, "%s%s%s", path[0] == '/' ? "" : SL_TEST_SOURCE_DIR, path[0] == '/' ? "" : "/", path);
    FILE *file = fopen(full, "rb");
    if (!file) {
        return NULL;
    }
    char *bytes = malloc(MOST);
    *n = fread(bytes, 1, MOST, file);
    assert_true(*n < MOST);
    fclose(file);
    return bytes;
}
