/* SPDX-License-Identifier: MIT */
/* nearest.c: which known id was meant by a mistyped one.
 *
 * Edit distance by the usual table, restricted to swaps of direct neighbours (optimal string alignment).
 * Half steps, so that a change of case counts less than a change of letter.
 */
#include "base/ids.h"

#include <string.h>

enum {
    LONGEST = 64,     /* bytes of a text that is looked at */
    ALWAYS = 20000,   /* ids examined in any case */
    WORK = 500 * 1000 /* table cells spent on the ids after those */
};

static unsigned char lower(char c) {
    unsigned char u = (unsigned char)c;
    return u >= 'A' && u <= 'Z' ? (unsigned char)(u + 32) : u;
}

static int change_cost(char a, char b) {
    return a == b ? 0 : lower(a) == lower(b) ? 1 : 2;
}

static int least(int a, int b) {
    return a < b ? a : b;
}

/* Fills row i of the table from the two above; returns the row's least entry. */
static int fill_row(sl_str a, sl_str b, size_t i, int *row, const int *above, const int *above2) {
    row[0] = (int)(2 * i);
    int best = row[0];
    for (size_t j = 1; j <= b.len; j++) {
        int cost = above[j - 1] + change_cost(a.ptr[i - 1], b.ptr[j - 1]);
        cost = least(cost, 2 + least(above[j], row[j - 1]));
        if (i > 1 && j > 1) {
            int swap = change_cost(a.ptr[i - 1], b.ptr[j - 2]) + change_cost(a.ptr[i - 2], b.ptr[j - 1]);
            if (swap < 2) {
                cost = least(cost, above2[j - 2] + 2 + swap);
            }
        }
        row[j] = cost;
        best = least(best, cost);
    }
    return best;
}

int sl_edit_distance(sl_str a, sl_str b, int limit) {
    if (a.len > LONGEST || b.len > LONGEST || limit < 0) {
        return limit + 1;
    }
    int rows[3][LONGEST + 1];
    for (size_t j = 0; j <= b.len; j++) {
        rows[0][j] = (int)(2 * j);
    }
    int best_above = 0;
    for (size_t i = 1; i <= a.len; i++) {
        int best = fill_row(a, b, i, rows[i % 3], rows[(i + 2) % 3], rows[(i + 1) % 3]);
        if (best > limit && best_above > limit) { /* a swap reaches back two rows */
            return limit + 1;
        }
        best_above = best;
    }
    int d = rows[a.len % 3][b.len];
    return d <= limit ? d : limit + 1;
}

/* One bit for each letter (regardless of case) that occurs. */
static uint64_t letters(sl_str s) {
    uint64_t set = 0;
    for (size_t i = 0; i < s.len; i++) {
        set |= UINT64_C(1) << (lower(s.ptr[i]) & 63);
    }
    return set;
}

int32_t sl_ids_nearest(const sl_ids *ids, sl_str id) {
    if (id.len == 0 || id.len > LONGEST) {
        return -1;
    }
    int limit = (int)(2 * id.len + 2) / 3;
    int32_t nearest = -1;
    int64_t work = 0;
    uint64_t set = letters(id);
    int32_t n = sl_ids_count(ids);
    for (int32_t i = 0; i < n && limit >= 0; i++) {
        if (i >= ALWAYS && work > WORK) {
            break;
        }
        sl_str t = sl_ids_text(ids, i);
        work += i >= ALWAYS;
        int longer = t.len > id.len ? (int)least((int)(t.len - id.len), LONGEST) : (int)(id.len - t.len);
        if (t.len > LONGEST || 2 * longer > limit) {
            continue;
        }
        /* A change touches at most two letters of the set and costs two half steps. */
        work += i >= ALWAYS ? (int64_t)t.len : 0;
        if (__builtin_popcountll(set ^ letters(t)) > limit) {
            continue;
        }
        int d = sl_edit_distance(id, t, limit);
        work += i >= ALWAYS ? (int64_t)(id.len * t.len) : 0;
        if (d <= limit) {
            nearest = i;
            limit = d - 1; /* from here on only a nearer one will do */
        }
    }
    return nearest;
}

const char *sl_nearest_word(const char *word, const char *const *words) {
    size_t length = strlen(word);
    int limit = (int)(length < 3    ? 2
                      : length < 64 ? 2 * length / 3
                                    : 42); /* half steps: about a third of the letters */
    const char *best = NULL;
    for (; *words; words++) {
        int d = sl_edit_distance(sl_str_z(word), sl_str_z(*words), limit);
        if (d <= limit && (!best || d < limit)) {
            best = *words;
            limit = d;
        }
    }
    return best;
}
