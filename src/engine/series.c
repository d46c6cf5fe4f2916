/* series.c: a value that changes with time; see series.h. */
#include "engine/series.h"

#include <math.h>

bool sl_series_valid(const sl_series *s) {
    if (s->n < 1 || !(s->period >= 0.0) || !isfinite(s->period)) {
        return false;
    }
    for (int32_t i = 0; i < s->n; i++) {
        if (!isfinite(s->t[i]) || !isfinite(s->x[i]) || (i > 0 && !(s->t[i] > s->t[i - 1]))) {
            return false;
        }
    }
    return s->period == 0.0 || (s->t[0] >= 0.0 && s->t[s->n - 1] < s->period);
}

/* How many points are at or before t. */
static int32_t points_until(const sl_series *s, double t) {
    int32_t low = 0, high = s->n;
    while (low < high) {
        int32_t mid = low + (high - low) / 2;
        if (s->t[mid] <= t) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low;
}

/* Start of the period that holds t. The quotient may round up onto the next start: never beyond t. */
static double period_start(const sl_series *s, double t) {
    double start = s->period > 0.0 ? floor(t / s->period) * s->period : 0.0;
    return start > t ? start - s->period : start;
}

double sl_series_value(const sl_series *s, double t) {
    double local = t - period_start(s, t);
    int32_t k = points_until(s, local);
    bool repeats = s->period > 0.0;
    if (s->mode == SL_SERIES_HOLD) {
        return k > 0 ? s->x[k - 1] : repeats ? s->x[s->n - 1] : s->x[0];
    }
    if (!repeats && (k == 0 || k == s->n)) {
        return k == 0 ? s->x[0] : s->x[s->n - 1];
    }
    /* The two points around, one of them perhaps in the neighbouring period. */
    double t0 = k > 0 ? s->t[k - 1] : s->t[s->n - 1] - s->period, x0 = k > 0 ? s->x[k - 1] : s->x[s->n - 1];
    double t1 = k < s->n ? s->t[k] : s->t[0] + s->period, x1 = k < s->n ? s->x[k] : s->x[0];
    return x0 + (x1 - x0) * ((local - t0) / (t1 - t0));
}

double sl_series_next(const sl_series *s, double t) {
    double start = period_start(s, t);
    int32_t k = points_until(s, t - start);
    double next = k < s->n ? start + s->t[k] : s->period > 0.0 ? start + s->period + s->t[0] : (double)INFINITY;
    /* Adding the start may round down onto t itself: then the point after it is meant. */
    return next > t ? next : sl_series_next(s, nextafter(t, (double)INFINITY));
}
