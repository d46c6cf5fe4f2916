/* SPDX-License-Identifier: MIT */
/* ldl_few.c: right sides with few entries: what they reach, and products; see ldl.h. */
#include "numeric/ldl.h"
#include "numeric/ldl_impl.h"

void sl_ldl_take_order(sl_ldl *p, int32_t *order) {
    for (int32_t k = 0; k < p->n; k++) {
        order[k] = p->order[k];
        p->order[k] = p->column[k] = k;
    }
    p->ordered = true;
}

int32_t sl_ldl_column(const sl_ldl *p, int32_t unknown) {
    return p->column[unknown];
}

int32_t sl_ldl_reach(const sl_ldl *p, int32_t n_entry, const int32_t *unknown, uint8_t *seen, int32_t *column) {
    int32_t n = 0, low = p->n, high = -1;
    if (n_entry == 1) { /* one way, upwards */
        for (int32_t k = p->column[unknown[0]]; k >= 0; n++) {
            if (column) {
                column[n] = k;
            }
            k = p->begin[k + 1] > p->begin[k] ? p->row[p->begin[k]] : -1;
        }
        return n;
    }
    for (int32_t e = 0; e < n_entry; e++) {
        for (int32_t k = p->column[unknown[e]]; k >= 0 && !seen[k];) {
            seen[k] = 1;
            n++;
            low = k < low ? k : low;
            high = k > high ? k : high;
            k = p->begin[k + 1] > p->begin[k] ? p->row[p->begin[k]] : -1; /* up the tree */
        }
    }
    for (int32_t k = low, i = 0; k <= high; k++) {
        if (seen[k]) {
            seen[k] = 0;
            if (column) {
                column[i++] = k;
            }
        }
    }
    return n;
}

void sl_ldl_lower_few(const sl_ldl *p, const double *work, int32_t n, const int32_t *column, double *x,
                      double *scratch) {
    const double *d = work, *l = work + p->n;
    for (int32_t i = 0; i < n; i++) {
        scratch[column[i]] = x[i];
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t k = column[i];
        double f = d[k] * scratch[k];
        x[i] = scratch[k];
        scratch[k] = 0.0;
        if (f != 0.0) {
            for (int32_t e = p->begin[k]; e < p->begin[k + 1]; e++) {
                scratch[p->row[e]] -= l[e] * f;
            }
        }
    }
}

double sl_ldl_product_few(const double *work, int32_t n_x, const int32_t *at_x, const double *x, int32_t n_y,
                          const int32_t *at_y, const double *y) {
    double sum = 0.0;
    for (int32_t i = 0, j = 0; i < n_x && j < n_y;) {
        if (at_x[i] == at_y[j]) {
            sum += x[i] * work[at_x[i]] * y[j];
            i++, j++;
        } else if (at_x[i] < at_y[j]) {
            i++;
        } else {
            j++;
        }
    }
    return sum;
}

double sl_ldl_product(const sl_ldl *p, const double *work, int32_t n, const int32_t *column, const double *x) {
    const double *y = work + sl_ldl_size(p);
    double sum = 0.0;
    for (int32_t i = 0; i < n; i++) {
        sum += x[i] * work[column[i]] * y[column[i]];
    }
    return sum;
}
