/* SPDX-License-Identifier: MIT */
/* result_checks.h: results from bytes, read whole, written again, compared bit for bit: what the targets for results share. */
#ifndef SL_FUZZ_RESULT_CHECKS_H
#define SL_FUZZ_RESULT_CHECKS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sluice/sluice.h>

#include "base/out.h"
#include "results/format.h"

#define REQUIRE(condition, ...)                           \
    do {                                                  \
        if (!(condition)) {                               \
            fprintf(stderr, "results: %s: ", #condition); \
            fprintf(stderr, __VA_ARGS__);                 \
            fputc('\n', stderr);                          \
            abort();                                      \
        }                                                 \
    } while (0)

static sl_status read_bytes(void *user, uint64_t offset, void *to, size_t n) {
    const sl_str *b = user;
    if (offset > b->len || n > b->len - offset) {
        return SL_ERR_IO;
    }
    memcpy(to, b->ptr + offset, n);
    return SL_OK;
}

static sl_results *open_bytes(sl_context *ctx, const sl_str *bytes, sl_diags *diags) {
    sl_source_bytes source = {.user = (void *)bytes, .size = bytes->len, .read = read_bytes};
    sl_results *r = NULL;
    sl_status status = sl_results_open(ctx, &source, "fuzz", diags, &r);
    REQUIRE(status == SL_OK || (status == SL_ERR_INPUT && sl_diags_count(diags, SL_ERROR) > 0), "opening: %s",
            sl_status_text(status));
    return r;
}

static int32_t n_element(const sl_results *r, int32_t q) {
    return sl_results_get_layout(r)->groups[sl_results_group_of(r, q)].n;
}

/* All values of a frame, quantity behind quantity; free it. */
static double *read_frame(sl_results *r, int64_t frame, const double **values) {
    size_t n = 1, at = 0;
    for (int32_t q = 0; q < sl_results_n_quantity(r); q++) {
        n += (size_t)n_element(r, q);
    }
    double *x = malloc(n * sizeof *x);
    REQUIRE(x, "out of memory");
    for (int32_t q = 0; q < sl_results_n_quantity(r); q++) {
        REQUIRE(sl_results_read(r, frame, q, x + at) == SL_OK, "quantity %d", (int)q);
        values[q] = x + at;
        at += (size_t)n_element(r, q);
    }
    return x;
}

/* False: the writer refuses it, because a group has the name of a member of frames, or a time is none. */
static bool write_as(sl_context *ctx, sl_results *r, const char *format, sl_csv_form csv, sl_bytes *out) {
    const sl_sink sink = sl_bytes_sink(out);
    sl_results_target target = sl_results_target_default();
    sl_results_writer *w = NULL;
    target.format = format;
    target.sink = &sink;
    target.csv = csv;
    sl_status status = sl_results_writer_create(ctx, &target, sl_results_get_layout(r), NULL, &w);
    if (status == SL_ERR_USE) {
        return false;
    }
    REQUIRE(status == SL_OK, "creating %s: %s", format, sl_status_text(status));
    int64_t n_frame, e = 0, n_event = sl_results_n_event(r);
    const double *times = sl_results_times(r, &n_frame);
    const int32_t *executions = sl_results_executions(r);
    const double **values = malloc(((size_t)sl_results_n_quantity(r) + 1) * sizeof *values);
    REQUIRE(values, "out of memory");
    for (int64_t f = 0; f <= n_frame && status == SL_OK; f++) {
        int32_t execution = f < n_frame && executions ? executions[f] : 0;
        for (; e < n_event && status == SL_OK; e++) {
            const sl_event_info *event = &r->events[e];
            if (f < n_frame &&
                (event->execution > execution || (event->execution == execution && event->time > times[f]))) {
                break;
            }
            status = sl_results_writer_event(w, event, NULL);
        }
        if (f < n_frame && status == SL_OK) {
            double *x = read_frame(r, f, values);
            const sl_results_frame frame = {times[f], values, execution};
            status = sl_results_writer_frame(w, &frame, NULL);
            free(x);
        }
    }
    free(values);
    bool written = status == SL_OK;
    REQUIRE(written || status == SL_ERR_USE, "writing %s: %s", format, sl_status_text(status));
    REQUIRE(!written || sl_results_writer_end(w, sl_results_get_end(r), NULL) == SL_OK, "ending %s", format);
    sl_results_writer_destroy(w);
    return written;
}

static bool same_bits(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static const sl_results_column *column_of(const sl_results *r, int32_t quantity) {
    const sl_results_layout *l = sl_results_get_layout((sl_results *)r);
    for (int32_t g = 0; g < l->n_group; g++) {
        if (quantity < l->groups[g].n_quantity) {
            return &l->groups[g].quantities[quantity];
        }
        quantity -= l->groups[g].n_quantity;
    }
    return NULL;
}

/* A code of a byte, which only .h5 has, knows no -0; what is none is read as such. */
static bool same_code(const sl_results *r, int32_t quantity, double x, double again) {
    const sl_results_column *c = column_of(r, quantity);
    bool code = x >= 0.0 && x <= 127.0 && x == floor(x);
    return c && c->words && c->n_word <= 128 && (code ? x == again : isnan(again));
}

static void check_same(sl_results *a, sl_results *b) {
    int64_t n, m;
    const double *times = sl_results_times(a, &n), *again = sl_results_times(b, &m);
    int32_t n_quantity = sl_results_n_quantity(a);
    REQUIRE(n == m && n_quantity == sl_results_n_quantity(b), "frames or quantities");
    REQUIRE(sl_results_n_event(a) == sl_results_n_event(b), "events");
    const double **x = malloc(2 * ((size_t)n_quantity + 1) * sizeof *x), **y = x + n_quantity + 1;
    REQUIRE(x, "out of memory");
    for (int64_t f = 0; f < n; f++) {
        double *p = read_frame(a, f, x), *q = read_frame(b, f, y);
        REQUIRE(same_bits(times[f], again[f]), "time %lld", (long long)f);
        for (int32_t k = 0; k < n_quantity; k++) {
            REQUIRE(n_element(a, k) == n_element(b, k), "elements");
            for (int32_t i = 0; i < n_element(a, k); i++) {
                REQUIRE(same_bits(x[k][i], y[k][i]) || same_code(a, k, x[k][i], y[k][i]), "%a is %a", x[k][i], y[k][i]);
            }
        }
        free(p);
        free(q);
    }
    free(x);
}

static void check_series(sl_results *r) {
    int64_t n;
    (void)sl_results_times(r, &n);
    double *series = malloc(((size_t)n + 1) * sizeof *series);
    REQUIRE(series, "out of memory");
    for (int32_t q = 0; q < sl_results_n_quantity(r); q++) {
        for (int32_t i = 0; i < n_element(r, q); i += 1 + n_element(r, q) / 4) {
            REQUIRE(sl_results_read_series(r, q, i, series) == SL_OK, "element %d", (int)i);
        }
    }
    free(series);
}

#endif
