/* SPDX-License-Identifier: MIT */
/* table_test.c: see table_test.h. */
#include "table_test.h"

sl_status table_run(sl_context *ctx, fake *f, const sl_table_def *def, fake_set set, int32_t n_period,
                    sl_diags *diags) {
    sl_table_run *run = NULL;
    sl_status status = sl_table_run_create(ctx, f->net, def, diags, &run);
    if (status != SL_OK) {
        return status;
    }
    int32_t wanted[SL_OUT_VARIABLE_COUNT];
    sl_result_layout layout = {.ops = &fake_small_ops, .engine = f, .fields = wanted};
    layout.n_field = fake_fields(layout.ops, wanted);
    sl_result_sink sink = sl_table_run_sink(run);
    status = sink.begin(sink.user, &layout, diags);
    bool begun = status == SL_OK;
    for (int32_t p = 0; p < n_period && status == SL_OK; p++) {
        f->time = f->report_start + p * f->report_step;
        set(f, p, NULL);
        const double *values[SL_OUT_VARIABLE_COUNT];
        for (int32_t i = 0; i < layout.n_field; i++) {
            values[i] = layout.ops->data(f, layout.fields[i]);
        }
        status = sink.frame(sink.user, &(sl_result_frame){f->time, values}, diags);
    }
    if (begun) {
        f->time = f->end;
        sl_status last = sink.end(sink.user, status == SL_OK, diags);
        status = status == SL_OK ? last : status;
    }
    sl_table_run_destroy(run);
    return status;
}

static bool same_cell(const char *a, size_t na, const char *b, size_t nb) {
    if (na == nb && memcmp(a, b, na) == 0) {
        return true;
    }
    char *end_a, *end_b;
    double x = strtod(a, &end_a), y = strtod(b, &end_b);
    return na > 0 && nb > 0 && end_a == a + na && end_b == b + nb && fabs(x - y) <= 1e-4 * fabs(y);
}

void table_assert_row(const char *actual, const char *expected) {
    const char *a = actual, *b = expected;
    bool same = true, more = true;
    while (same && more) {
        size_t na = strcspn(a, ","), nb = strcspn(b, ",");
        same = same_cell(a, na, b, nb) && (a[na] == ',') == (b[nb] == ',');
        more = a[na] == ',';
        a += na + more;
        b += nb + more;
    }
    if (!same) {
        print_error("%s\nexpected\n%s\n", actual, expected);
        fail();
    }
}

char *table_text(const sl_bytes *bytes) {
    char *text = malloc((size_t)bytes->n + 1);
    memcpy(text, bytes->at, (size_t)bytes->n);
    text[bytes->n] = '\0';
    return text;
}
