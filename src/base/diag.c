/* SPDX-License-Identifier: MIT */
/* diag.c: the list of diagnostics, and the words of the codes.
 *
 * Adding never fails: a record that cannot be kept, for want of memory or because the limit is reached, is
 * counted. All text of a record is in place before the record counts as kept.
 */
#include <sluice/diag.h>

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/sized.h"

typedef struct record {
    sl_diag diag;
    int64_t order; /* of arrival, or after a sort of that sort */
} record;

struct sl_diags {
    sl_context *ctx;
    sl_arena text;
    SL_ARRAY(record) records;
    int32_t limit;
    int64_t count[SL_ERROR + 1]; /* reported, by severity */
    int64_t dropped;
};

const char *sl_code_word(sl_code code) {
    static const char *const words[] = {
#define SL_CODE(name, word, meaning) word,
        SL_CODE_LIST(SL_CODE)
#undef SL_CODE
    };
    return words[(unsigned)code < SL_CODE_COUNT ? code : SL_CODE_NONE];
}

const char *sl_code_meaning(sl_code code) {
    static const char *const meanings[] = {
#define SL_CODE(name, word, meaning) meaning,
        SL_CODE_LIST(SL_CODE)
#undef SL_CODE
    };
    return meanings[(unsigned)code < SL_CODE_COUNT ? code : SL_CODE_NONE];
}

/* ---- List --------------------------------------------------------------------------------------- */

sl_status sl_diags_create(sl_context *ctx, sl_diags **out) {
    if (!ctx || !out) {
        return SL_ERR_USE;
    }
    *out = sl_alloc(ctx, sizeof **out);
    if (!*out) {
        return SL_ERR_MEMORY;
    }
    (*out)->ctx = ctx;
    (*out)->limit = 10000;
    sl_arena_init(&(*out)->text, ctx);
    return SL_OK;
}

void sl_diags_destroy(sl_diags *diags) {
    if (diags) {
        sl_context *ctx = diags->ctx;
        sl_arena_fini(&diags->text);
        SL_ARRAY_FINI(ctx, &diags->records);
        sl_free(ctx, diags, sizeof *diags);
    }
}

void sl_diags_clear(sl_diags *diags) {
    if (!diags) {
        return;
    }
    sl_arena_clear(&diags->text);
    diags->records.n = 0;
    memset(diags->count, 0, sizeof diags->count);
    diags->dropped = 0;
}

void sl_diags_set_limit(sl_diags *diags, int32_t limit) {
    if (!diags) {
        return;
    }
    diags->limit = limit < 0 ? 0 : limit;
}

int32_t sl_diags_size(const sl_diags *diags) {
    return diags ? (int32_t)diags->records.n : 0;
}

const sl_diag *sl_diags_at(const sl_diags *diags, int32_t i) {
    assert(!diags || (i >= 0 && i < sl_diags_size(diags)));
    return !diags ? NULL : &diags->records.at[i].diag;
}

int64_t sl_diags_count(const sl_diags *diags, sl_severity severity) {
    return diags && (unsigned)severity <= SL_ERROR ? diags->count[severity] : 0;
}

int64_t sl_diags_dropped(const sl_diags *diags) {
    return diags ? diags->dropped : 0;
}

/* Replaces *text by a copy, or by the same text of the record before (files and kinds repeat). */
static bool keep(sl_diags *diags, const char **text, const char *before) {
    if (!*text) {
        return true;
    }
    if (before && strcmp(before, *text) == 0) {
        *text = before;
        return true;
    }
    *text = sl_arena_copy(&diags->text, sl_str_z(*text));
    return *text != NULL;
}

void sl_diags_add(sl_diags *diags, const sl_diag *d) {
    if (!diags || !d) {
        return;
    }
    if (!diags) {
        return;
    }
    assert(sl_sized_valid(d) && (unsigned)d->severity <= SL_ERROR);
    diags->count[d->severity]++;
    int64_t n = diags->records.n;
    if (n >= diags->limit || !SL_RESERVE(diags->ctx, &diags->records, n + 1)) {
        diags->dropped++;
        return;
    }
    const sl_diag *last = n ? &diags->records.at[n - 1].diag : NULL;
    sl_diag copy = {.time = (double)NAN};
    (void)sl_sized_take(&copy, sizeof copy, d);
    if (!keep(diags, &copy.file, last ? last->file : NULL) || !keep(diags, &copy.text, NULL) ||
        !keep(diags, &copy.hint, last ? last->hint : NULL) ||
        !keep(diags, &copy.object_kind, last ? last->object_kind : NULL) || !keep(diags, &copy.object_id, NULL) ||
        !keep(diags, &copy.source, last ? last->source : NULL)) {
        diags->dropped++;
        return;
    }
    assert(diags->records.at);
    diags->records.at[n] = (record){copy, n};
    diags->records.n = n + 1;
}

/* ---- Order -------------------------------------------------------------------------------------- */

static bool comes_before(const record *a, const record *b) {
    const sl_diag *x = &a->diag;
    const sl_diag *y = &b->diag;
    if ((x->line > 0) != (y->line > 0)) {
        return x->line > 0;
    }
    if (x->line > 0) {
        int c = strcmp(x->file ? x->file : "", y->file ? y->file : "");
        if (c != 0) {
            return c < 0;
        }
        if (x->line != y->line) {
            return x->line < y->line;
        }
        if (x->column != y->column) {
            return x->column < y->column;
        }
    }
    return a->order < b->order;
}

/* Restores the heap (latest record on top) below i. */
static void sift(record *at, int64_t i, int64_t n) {
    record moving = at[i];
    for (;;) {
        int64_t child = 2 * i + 1;
        if (child >= n) {
            break;
        }
        if (child + 1 < n && comes_before(&at[child], &at[child + 1])) {
            child++;
        }
        if (!comes_before(&moving, &at[child])) {
            break;
        }
        at[i] = at[child];
        i = child;
    }
    at[i] = moving;
}

/* A heap sort needs no memory that could be refused; the order of arrival as last key makes it stable. */
void sl_diags_sort(sl_diags *diags) {
    if (!diags) {
        return;
    }
    record *at = diags->records.at;
    int64_t n = diags->records.n;
    for (int64_t i = n / 2 - 1; i >= 0; i--) {
        sift(at, i, n);
    }
    for (int64_t end = n - 1; end > 0; end--) {
        record top = at[0];
        at[0] = at[end];
        at[end] = top;
        sift(at, 0, end);
    }
    for (int64_t i = 0; i < n; i++) {
        at[i].order = i;
    }
}
