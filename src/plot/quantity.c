/* SPDX-License-Identifier: MIT */
/* quantity.c: labels of quantities, and where a result has what a picture needs. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include <sluice/units.h>

#include "base/context.h"
#include "base/out.h"
#include "base/report.h"
#include "plot/picture.h"

/* ---- Labels ------------------------------------------------------------------------------------- */

/* Names that do not read as words; others are taken as they are, with a capital. */
static const char *const labels[][2] = {
    {"headloss", "Head loss"}, {"reaction", "Reaction rate"}, {"friction", "Friction factor"}};

const char *sl_unit_text(const char *unit, char buf[SL_UNIT_MAX]) {
    size_t n = 0;
    for (; *unit && n + 3 < SL_UNIT_MAX; unit++) {
        const char *power = *unit == '2' ? "²" : *unit == '3' ? "³" : NULL;
        size_t k = power ? 2 : 1;
        memcpy(buf + n, power ? power : unit, k);
        n += k;
    }
    buf[n] = '\0';
    return buf;
}

/* What quality is, the meaning of its column says: the chemical, age, where water comes from. */
static const char *word_of(const sl_results_column *q) {
    bool said = strcmp(q->name, "quality") == 0 && q->meaning[0] && !strstr(q->meaning, "water quality");
    const char *word = said ? q->meaning : q->name;
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        word = strcmp(word, labels[i][0]) == 0 ? labels[i][1] : word;
    }
    return word;
}

const char *sl_quantity_label(const sl_results_column *q, char buf[SL_AXIS_MAX]) {
    char unit[SL_UNIT_MAX];
    bool none = !q->unit[0] || strcmp(q->unit, "1") == 0;
    (void)sl_format(buf, SL_AXIS_MAX, none ? "%.70s" : "%.70s [%s]", word_of(q), sl_unit_text(q->unit, unit));
    buf[0] = (char)toupper((unsigned char)buf[0]);
    for (char *c = buf; *c && *c != '['; c++) {
        *c = *c == '_' ? ' ' : *c;
    }
    return buf;
}

bool sl_quantity_is_of_junctions(const char *name) {
    return strcmp(name, "pressure") == 0 || strcmp(name, "demand") == 0;
}

bool sl_quantity_is_stepped(const char *name) {
    return strcmp(name, "setting") == 0 || strcmp(name, "status") == 0;
}

/* ---- Where it is -------------------------------------------------------------------------------- */

const sl_results_group *sl_picture_group(const sl_picture *p, const char *name) {
    for (int32_t i = 0; p->layout && i < p->layout->n_group; i++) {
        if (strcmp(p->layout->groups[i].name, name) == 0) {
            return &p->layout->groups[i];
        }
    }
    return NULL;
}

static const sl_results_column *find_column(const sl_results_column *columns, int32_t n, const char *name) {
    for (int32_t i = 0; i < n; i++) {
        if (sl_str_equal_nocase(sl_str_z(columns[i].name), sl_str_z(name))) {
            return &columns[i];
        }
    }
    return NULL;
}

const sl_results_column *sl_group_fact(const sl_results_group *g, const char *name) {
    return g ? find_column(g->facts, g->n_fact, name) : NULL;
}

const sl_results_column *sl_group_quantity(const sl_results_group *g, const char *name) {
    return g ? find_column(g->quantities, g->n_quantity, name) : NULL;
}

const sl_results_table *sl_picture_table(const sl_picture *p, const char *name) {
    const sl_results_end *end = p->results ? sl_results_get_end(p->results) : NULL;
    for (int32_t i = 0; end && i < end->n_table; i++) {
        if (strcmp(end->tables[i].name, name) == 0) {
            return &end->tables[i];
        }
    }
    return NULL;
}

const sl_results_column *sl_table_column(const sl_results_table *t, const char *name) {
    return t ? find_column(t->columns, t->n_column, name) : NULL;
}

int32_t sl_group_find(const sl_results_group *g, sl_str id) {
    for (int32_t i = 0; g && i < g->n; i++) {
        if (strlen(g->ids[i]) == id.len && memcmp(g->ids[i], id.ptr, id.len) == 0) {
            return i;
        }
    }
    return -1;
}

const char *sl_picture_attribute(const sl_picture *p, const char *name) {
    for (int32_t i = 0; p->layout && i < p->layout->n_attribute; i++) {
        if (strcmp(p->layout->attributes[i].name, name) == 0) {
            return p->layout->attributes[i].text;
        }
    }
    return NULL;
}

bool sl_status_is_closed(const sl_results_column *status, double code) {
    static const char *const words[] = {"closed", "temp_closed", "xhead"};
    bool closed = false;
    for (size_t i = 0; i < sizeof words / sizeof *words && code >= 0.0 && code < status->n_word; i++) {
        closed = closed || strcmp(status->words[(int32_t)code], words[i]) == 0;
    }
    return closed;
}

/* ---- Values ------------------------------------------------------------------------------------ */

sl_status sl_picture_read(sl_picture *p, int64_t frame, int32_t quantity, double *x) {
    bool goes_on = sl_progress_report(p->ctx, "reading", (double)frame, (double)p->n_time);
    return goes_on ? sl_results_read(p->results, frame, quantity, x) : SL_ERR_CANCELLED;
}

sl_status sl_picture_range(sl_picture *p, const sl_results_group *g, int32_t quantity, const int32_t *element,
                           int32_t n, int64_t frame, double *y[3]) {
    double *x = sl_arena_alloc(&p->arena, (size_t)(g->n + 1) * sizeof *x);
    for (int k = 0; k < 3; k++) {
        y[k] = sl_arena_alloc(&p->arena, (size_t)(n + 1) * sizeof **y);
    }
    sl_status status = x && y[0] && y[1] && y[2] ? SL_OK : SL_ERR_MEMORY;
    for (int64_t f = 0; f < p->n_time && status == SL_OK; f++) {
        status = sl_picture_read(p, f, quantity, x);
        for (int32_t i = 0; i < n && status == SL_OK; i++) {
            int32_t at = element ? element[i] : i;
            double value = at >= 0 ? x[at] : (double)NAN;
            y[0][i] = f == frame ? value : y[0][i];
            y[1][i] = f == 0 ? value : fmin(y[1][i], value);
            y[2][i] = f == 0 ? value : fmax(y[2][i], value);
        }
    }
    return status;
}

/* ---- Times -------------------------------------------------------------------------------------- */

/* On a clock where runs are of hours, in seconds where they are not. */
const char *sl_picture_time_text(const sl_picture *p, double time, char buf[SL_LABEL_MAX]) {
    bool steps = p->layout && strcmp(p->layout->time_unit, "steps") == 0;
    double last = p->n_time > 0 ? p->times[p->n_time - 1] : 0.0;
    if (steps) {
        (void)sl_format(buf, SL_LABEL_MAX, "t = %.6g", time);
    } else if (last > 0.0 && last <= 600.0) {
        (void)sl_format(buf, SL_LABEL_MAX, "%.6g s", time);
    } else {
        sl_time_format(time, buf, SL_LABEL_MAX);
    }
    return buf;
}

int64_t sl_picture_frame(sl_picture *p, double time) {
    int64_t last = p->n_time - 1, i = 0;
    time = isnan(time) ? p->times[0] : time;
    if (time < p->times[0] || time > p->times[last]) {
        char t[SL_LABEL_MAX], a[SL_LABEL_MAX], b[SL_LABEL_MAX];
        sl_report(p->diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL, NULL,
                  "the time %s is outside the result, which goes from %s to %s", sl_picture_time_text(p, time, t),
                  sl_picture_time_text(p, p->times[0], a), sl_picture_time_text(p, p->times[last], b));
        return -1;
    }
    while (i < last && p->times[i + 1] <= time) {
        i++;
    }
    return i;
}
