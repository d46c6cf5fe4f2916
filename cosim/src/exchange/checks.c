/* SPDX-License-Identifier: MIT */
/* checks.c: does what comes fit what was expected: rows, entities, times.
 *
 * Everything here is a warning, an error only when strict: the partner's numbers are its own business, and many a partner prints
 * its times with six digits. Times are compared within half a unit of the last digit printed.
 *
 * The k-th messages of both directions carry the same time. A partner may stamp its messages with the other end of the step:
 * the first pair shows which (phase auto), one step before or after, and the later ones are held against that.
 */
#include "exchange/cosim_impl.h"

#include <math.h>
#include <string.h>

#include "base/out.h"

static double at(const double *ring, int64_t k) {
    return ring[k % SL_COSIM_MEMORY_OF_TIMES];
}

static bool remembered(const sl_cosim_times *t, int64_t k) {
    return k >= 0 && k < t->n && k >= t->n - SL_COSIM_MEMORY_OF_TIMES;
}

static void remember(sl_cosim_times *t, double time, double next, double time_within, double next_within) {
    int64_t k = t->n++ % SL_COSIM_MEMORY_OF_TIMES;
    t->time[k] = time;
    t->next[k] = next;
    t->time_within[k] = time_within;
    t->next_within[k] = next_within;
}

/* ---- Rows --------------------------------------------------------------------------------------- */

static sl_cosim_code check_notes(sl_cosim *x, const sl_message *m) {
    static const struct {
        sl_warning_kind kind;
        const char *text;
    } notes[SL_NOTE_COUNT] = {
        [SL_NOTE_NO_HEADER] = {SL_WARNING_FORM, "no header line before the rows"},
        [SL_NOTE_EMPTY_VALUE] = {SL_WARNING_FORM, "a value is empty and counts as missing"},
        [SL_NOTE_INFINITE] = {SL_WARNING_FORM, "a value is infinite"},
        [SL_NOTE_DECIMAL_COMMA] = {SL_WARNING_FORM, "four fields, the third a whole number: a decimal comma?"},
        [SL_NOTE_QUOTE] = {SL_WARNING_FORM, "a description begins with a quote that does not close"},
    };
    sl_cosim_code code = SL_COSIM_OK;
    if (m->note[SL_NOTE_FEW_ROWS] > 0) {
        code = sl_reporter_content(&x->reporter, SL_WARNING_ROWS,
                                   "message %lld has %lld of %lld rows; the other values are missing%s",
                                   (long long)x->stats.n_read + 1, (long long)m->row.n, (long long)x->in.n,
                                   m->torn ? ": its last line is unfinished (end it with a comma or a line end)" : "");
    } else if (m->note[SL_NOTE_MANY_ROWS] > 0) {
        code = sl_reporter_content(&x->reporter, SL_WARNING_ROWS, "message %lld has %lld rows; the first %lld are used",
                                   (long long)x->stats.n_read + 1, (long long)m->n_row, (long long)x->in.n);
    }
    for (int i = 0; i < SL_NOTE_COUNT && code == SL_COSIM_OK; i++) {
        if (notes[i].text && m->note[i] > 0) {
            code = sl_reporter_content(&x->reporter, notes[i].kind, "message %lld, line %lld: %s",
                                       (long long)x->stats.n_read + 1, (long long)m->note_line[i], notes[i].text);
        }
    }
    return code;
}

/* ---- Entities ----------------------------------------------------------------------------------- */

/* Up to eight pairs "12 instead of 7" of what came and what was expected; how many differ. */
static int64_t list_differences(sl_cosim *x, const sl_message *m, char *text, size_t size) {
    int64_t n = 0;
    size_t used = 0;
    text[0] = 0;
    for (int64_t i = 0; i < m->row.n; i++) {
        sl_cosim_entity want = x->checks.entity_known ? x->checks.entity.at[i] : x->store.entry.at[x->in.at[i]].entity;
        if (m->row.at[i].entity != want && n++ < 8) {
            int k = sl_format(text + used, size - used, "%s%lld instead of %lld", used ? ", " : "",
                              (long long)m->row.at[i].entity, (long long)want);
            used += k > 0 && (size_t)k < size - used ? (size_t)k : 0;
        }
    }
    return n;
}

static sl_cosim_code check_entities(sl_cosim *x, const sl_message *m) {
    char pairs[512];
    sl_cosim_checks *c = &x->checks;
    int64_t n = x->by_entity ? 0 : list_differences(x, m, pairs, sizeof pairs);
    sl_cosim_code code = SL_COSIM_OK;
    if (n > 0) {
        code = sl_reporter_content(&x->reporter, SL_WARNING_ENTITY,
                                   c->entity_known
                                       ? "entities changed since the first message: %s%s; values go by position"
                                       : "entities of the first message: %s%s; values go by position",
                                   pairs, n > 8 ? ", ..." : "");
    }
    if (!c->entity_known || n > 0) {
        int64_t known = c->entity_known ? c->entity.n : 0;
        if (!SL_RESERVE(x->ctx, &c->entity, x->in.n)) {
            return SL_COSIM_MEMORY;
        }
        c->entity.n = x->in.n;
        for (int64_t i = 0; i < x->in.n; i++) {
            if (i < m->row.n) {
                c->entity.at[i] = m->row.at[i].entity;
            } else if (i >= known) {
                c->entity.at[i] = x->store.entry.at[x->in.at[i]].entity;
            }
        }
        c->entity_known = true;
    }
    return code;
}

/* ---- Times -------------------------------------------------------------------------------------- */

/* What their k-th time should be, when they are `phase` steps ahead of us. */
static double expected(const sl_cosim_times *ours, int64_t k, int phase) {
    double t = at(ours->time, k), dt = at(ours->next, k);
    if (phase < 0) {
        return remembered(ours, k - 1) ? at(ours->time, k - 1) : t - dt;
    }
    return phase > 0 ? t + dt : t;
}

static sl_cosim_code compare_pair(sl_cosim *x, int64_t k) {
    sl_cosim_checks *c = &x->checks;
    static const int order[] = {0, 1, -1};
    static const char *const words[] = {"the beginning of our step", "", "the end of our next step"};
    double theirs = at(c->theirs.time, k), within = at(c->theirs.time_within, k);
    for (int i = 0; i < 3 && !c->phase_known && x->def.phase == SL_COSIM_PHASE_AUTO; i++) {
        if (fabs(theirs - expected(&c->ours, k, order[i])) <= within) {
            c->phase = order[i];
            c->phase_known = true;
            if (c->phase != 0) {
                return sl_reporter_content(&x->reporter, SL_WARNING_OWN_TIME, "the partner's times are those of %s",
                                           words[c->phase + 1]);
            }
        }
    }
    double want = expected(&c->ours, k, c->phase);
    if (isfinite(want) && !(fabs(theirs - want) <= fmax(within, 1e-9 * fabs(want)))) {
        return sl_reporter_content(&x->reporter, SL_WARNING_OWN_TIME,
                                   "the partner's message %lld is of TIME %.9g s, ours of %.9g s: are both in step?",
                                   (long long)k + 1, theirs, at(c->ours.time, k));
    }
    return SL_COSIM_OK;
}

/* Is this the time after a message of theirs and one of ours? The next exchange is after their step or after ours: the shorter
 * one, or the longer one where the other side takes smaller steps in between. */
static bool was_announced(const sl_cosim_checks *c, const sl_message *m) {
    int64_t k = c->theirs.n - 1;
    double last = at(c->theirs.time, k), within = m->time_within + at(c->theirs.time_within, k);
    double theirs = at(c->theirs.next, k), ours = remembered(&c->ours, k) ? at(c->ours.next, k) : theirs;
    return !(theirs > 0) || fabs(m->time - (last + theirs)) <= within + at(c->theirs.next_within, k) ||
           fabs(m->time - (last + ours)) <= within;
}

/* All messages that both sides have sent by now. */
static sl_cosim_code compare_pairs(sl_cosim *x) {
    sl_cosim_checks *c = &x->checks;
    int64_t both = c->theirs.n < c->ours.n ? c->theirs.n : c->ours.n;
    sl_cosim_code code = SL_COSIM_OK;
    for (; c->n_compared < both && code == SL_COSIM_OK; c->n_compared++) {
        int64_t k = c->n_compared;
        if (x->def.phase != SL_COSIM_PHASE_NONE && remembered(&c->theirs, k) && remembered(&c->ours, k)) {
            code = compare_pair(x, k);
        }
    }
    return code;
}

static sl_cosim_code check_times(sl_cosim *x, const sl_message *m) {
    sl_cosim_checks *c = &x->checks;
    int64_t k = c->theirs.n;
    sl_cosim_code code = SL_COSIM_OK;
    if (!isfinite(m->time)) {
        code =
            sl_reporter_content(&x->reporter, SL_WARNING_TIME, "TIME of message %lld is not finite", (long long)k + 1);
    } else if (k > 0) {
        double last = at(c->theirs.time, k - 1);
        if (m->time < last - m->time_within - at(c->theirs.time_within, k - 1)) {
            code = sl_reporter_content(&x->reporter, SL_WARNING_TIME,
                                       "TIME of message %lld is %.9g s, before the last, %.9g s", (long long)k + 1,
                                       m->time, last);
        } else if (!was_announced(c, m)) {
            code = sl_reporter_content(&x->reporter, SL_WARNING_TIME,
                                       "TIME of message %lld is %.9g s; %.9g s was announced", (long long)k + 1,
                                       m->time, last + at(c->theirs.next, k - 1));
        }
    }
    if (code == SL_COSIM_OK && !(m->next > 0 && isfinite(m->next))) {
        code = sl_reporter_content(&x->reporter, SL_WARNING_STEP,
                                   "NEXT_TIMESTEP of message %lld is %g: use your own step", (long long)k + 1, m->next);
    }
    if (code != SL_COSIM_OK) {
        return code;
    }
    remember(&c->theirs, m->time, m->next, m->time_within, m->next_within);
    return compare_pairs(x);
}

/* ---- What the manager asks ---------------------------------------------------------------------- */

sl_cosim_code sl_cosim_check_got(sl_cosim *x, const sl_message *m) {
    sl_cosim_code code = check_notes(x, m);
    code = code == SL_COSIM_OK ? check_entities(x, m) : code;
    return code == SL_COSIM_OK ? check_times(x, m) : code;
}

sl_cosim_code sl_cosim_check_put(sl_cosim *x, double time, double next) {
    remember(&x->checks.ours, time, next, 0.0, 0.0);
    return compare_pairs(x);
}

sl_cosim_code sl_cosim_check_hello(sl_cosim *x, const sl_message *m) {
    int64_t n_out = m->n_row - m->n_in;
    if (n_out != x->in.n || m->n_in != x->out.n) {
        return sl_reporter_error(
            &x->reporter, SL_COSIM_BAD_FORMAT,
            "the partner writes %lld values where we read %lld, and reads %lld where we write %lld", (long long)n_out,
            (long long)x->in.n, (long long)m->n_in, (long long)x->out.n);
    }
    return SL_COSIM_OK;
}
