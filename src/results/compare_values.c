/* SPDX-License-Identifier: MIT */
/* compare_values.c: the values of the quantities that two results have in common; see compare_impl.h.
 *
 * The tolerance of a quantity is known after all of it was seen, because it is a part of its scale: one pass finds scales and largest
 * differences, a second one counts what is over, for the quantities that have any.
 */
#include <math.h>
#include <string.h>

#include "results/compare_impl.h"

/* Runs on different machines differ in the last bits also where nothing changes and the range is 0. */
static const double round_off = 1e-9;

double sl_compare_distance(double a, double b) {
    return a == b || (isnan(a) && isnan(b)) ? 0.0 : fabs(a - b);
}

/* NaN and infinity are larger than anything. */
bool sl_compare_note(sl_compare_row *row, double difference) {
    difference = difference >= 0.0 ? difference : (double)INFINITY;
    bool larger = difference > row->worst || row->frame < 0;
    row->worst = larger ? difference : row->worst;
    return larger;
}

/* ---- One value ---------------------------------------------------------------------------------- */

static double in_unit_of_a(const sl_compared_quantity *q, int32_t i, double b) {
    return q->by_element ? b * q->by_element[i] : b * q->by + q->plus;
}

static double distance(const sl_compared_quantity *q, double a, double b) {
    double d = sl_compare_distance(a, b);
    return q->rule == SL_COMPARE_BY_SETTING && d != 0.0 ? d / fmax(fabs(a), fabs(b)) : d;
}

static const char *word_of(const sl_results_column *column, double code) {
    return column->words && code >= 0.0 && code < column->n_word ? column->words[(int32_t)code] : NULL;
}

/* By their words, where both have some: files number them differently. */
static bool same_code(const sl_compared_quantity *q, double a, double b) {
    if (q->rule == SL_COMPARE_BY_STATUS) {
        return sl_compare_is_closed(q->a, a) == sl_compare_is_closed(q->b, b);
    }
    const char *of_a = word_of(q->a, a), *of_b = word_of(q->b, b);
    return of_a && of_b ? strcmp(of_a, of_b) == 0 : sl_compare_distance(a, b) == 0.0;
}

typedef struct moment {
    int64_t frame; /* of a */
    double time;
} moment;

static void keep(sl_compared_quantity *q, moment at, int32_t i, double a, double b) {
    q->row.element = i;
    q->row.id = q->of->a->ids[i];
    q->row.frame = at.frame;
    q->row.time = at.time;
    q->row.a = a;
    q->row.b = b;
    q->row.word_a = word_of(q->a, a);
    q->row.word_b = word_of(q->b, b);
}

/* ---- The values of a time ----------------------------------------------------------------------- */

static void compare_codes(sl_comparison *c, sl_compared_quantity *q, moment at) {
    for (int32_t k = 0; k < q->of->n; k++) {
        int32_t i = q->of->in_a[k];
        double a = c->x[0][i], b = c->x[1][q->of->in_b[k]];
        if (q->skip && q->skip[i]) {
            continue;
        }
        q->row.n++;
        if (!same_code(q, a, b)) {
            if (q->row.n_over++ == 0) {
                keep(q, at, i, a, b);
            }
            q->row.worst = (double)q->row.n_over;
        }
    }
}

static void first_look(sl_comparison *c, sl_compared_quantity *q, moment at) {
    if (q->rule == SL_COMPARE_BY_STATUS || q->rule == SL_COMPARE_BY_CODE) {
        compare_codes(c, q, at);
        return;
    }
    for (int32_t k = 0; k < q->of->n; k++) {
        int32_t i = q->of->in_a[k];
        if (q->skip && q->skip[i]) {
            continue;
        }
        double a = c->x[0][i], b = in_unit_of_a(q, i, c->x[1][q->of->in_b[k]]);
        q->row.n++;
        if (isfinite(a)) {
            q->low = fmin(q->low, a);
            q->high = fmax(q->high, a);
        }
        double d = distance(q, a, b);
        if (d != 0.0 && sl_compare_note(&q->row, d)) {
            keep(q, at, i, a, b);
        }
    }
}

static void count_over(sl_comparison *c, sl_compared_quantity *q, moment at) {
    (void)at;
    for (int32_t k = 0; k < q->of->n; k++) {
        int32_t i = q->of->in_a[k];
        double a = c->x[0][i], b = in_unit_of_a(q, i, c->x[1][q->of->in_b[k]]);
        q->row.n_over += !(q->skip && q->skip[i]) && !(distance(q, a, b) <= q->row.tolerance);
    }
}

/* ---- All times ---------------------------------------------------------------------------------- */

typedef void (*look_fn)(sl_comparison *c, sl_compared_quantity *q, moment at);

/* One pass over all common frames. */
static sl_status each_value(sl_comparison *c, bool only_over, look_fn look) {
    c->result.n_isolated = 0;
    for (int64_t k = 0; k < c->result.n_frame; k++) {
        moment at = {.frame = c->frames[0][k], .time = c->a->times[c->frames[0][k]]};
        sl_status status = sl_compare_network_frame(c, at.frame);
        for (int64_t i = 0; i < c->quantities.n && status == SL_OK; i++) {
            sl_compared_quantity *q = &c->quantities.at[i];
            if (only_over && !q->is_over) {
                continue;
            }
            status = sl_results_read(c->a, at.frame, q->in_a, c->x[0]);
            status = status == SL_OK ? sl_results_read(c->b, c->frames[1][k], q->in_b, c->x[1]) : status;
            if (status == SL_OK) {
                look(c, q, at);
            }
        }
        if (status != SL_OK) {
            return status;
        }
        c->result.n_isolated += c->net.n_cut;
    }
    return SL_OK;
}

static void set_tolerance(sl_compared_quantity *q) {
    bool some = q->low <= q->high;
    double range = some ? q->high - q->low : 0.0, largest = some ? fmax(fabs(q->low), fabs(q->high)) : 0.0;
    switch (q->rule) {
    case SL_COMPARE_BY_RANGE:
        q->row.scale = range;
        q->row.tolerance = fmax(q->abs + q->rel * range, round_off * largest);
        break;
    case SL_COMPARE_BY_LARGEST:
        q->row.scale = largest;
        q->row.tolerance = q->abs + q->rel * largest;
        break;
    case SL_COMPARE_BY_SETTING:
        q->row.scale = largest;
        q->row.tolerance = q->rel;
        break;
    default: return; /* codes are equal, or counted already */
    }
    q->is_over = q->row.worst > q->row.tolerance;
}

sl_status sl_compare_values(sl_comparison *c) {
    bool over = false;
    for (int64_t i = 0; i < c->quantities.n; i++) {
        c->quantities.at[i].low = (double)INFINITY;
        c->quantities.at[i].high = -(double)INFINITY;
    }
    sl_status status = each_value(c, false, first_look);
    for (int64_t i = 0; i < c->quantities.n && status == SL_OK; i++) {
        set_tolerance(&c->quantities.at[i]);
        over = over || c->quantities.at[i].is_over;
    }
    if (status == SL_OK && over) {
        status = each_value(c, true, count_over);
    }
    for (int64_t i = 0; i < c->quantities.n && status == SL_OK; i++) {
        const sl_compare_row *row = &c->quantities.at[i].row;
        c->result.same = c->result.same && !(row->decisive && row->n_over > 0);
        status = SL_PUSH(c->ctx, &c->rows, *row) ? SL_OK : SL_ERR_MEMORY;
    }
    return status;
}
