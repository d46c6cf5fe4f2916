/* SPDX-License-Identifier: MIT */
/* preferences.c: variables that somebody wants as states where constraints leave a choice (sl_state_choice), in the structure of a reduction.
 *
 * A variable can be a state if the others that share its freedom can follow from it, in one block with it. One that is only defined by
 * others, as a distance s = x - y, stands in a block of its own behind theirs: it is differentiated as often as they are, and extra entries
 * join the blocks. Which nodes of a block are states is then a matter of pivots, in which preferences count (states.c).
 */
#include "dae/plan.h"

/* Which variables should be states. One that should, though no equation has its derivative, gets one by differentiation. */
sl_status sl_reduction_take_preferences(sl_reduction *r, const sl_reduction_def *def) {
    r->index = sl_offsets_index(&r->offsets);
    r->preferences = sl_arena_alloc(&r->arena, (size_t)r->n + 1);
    uint8_t *least = sl_arena_alloc(&r->arena, (size_t)r->n + 1);
    bool raises = false;
    if (!r->preferences || !least) {
        return SL_ERR_MEMORY;
    }
    for (int32_t j = 0; j < r->n && def->hints; j++) {
        r->preferences[j] = def->hints[def->variables[j]].state;
        bool wanted = r->preferences[j] == SL_STATE_ALWAYS || r->preferences[j] == SL_STATE_PREFER;
        least[j] = wanted;
        raises = raises || (wanted && r->offsets.d[j] == 0);
        r->insists = r->insists || r->preferences[j] == SL_STATE_ALWAYS || r->preferences[j] == SL_STATE_NEVER;
    }
    return raises ? sl_offsets_raise(&r->offsets, r->start, r->col, r->order, least) : SL_OK;
}

/* Extra entries, by what they join. */
typedef struct link_list {
    SL_ARRAY(int32_t) rows, cols;
    int32_t *stack, *seen; /* [n] */
} link_list;

/* Follows variable j, which should be a state, to the variables that determine it, as far as blocks without freedom reach. joins: by
 * tight entries; the equations of all of these get an entry in j, so that they end up in one block, in which j can be a state in place of
 * another. Else: returns the least d of those with freedom, 0: there are none; so many derivatives j needs, or no entry is tight. */
static int32_t follow(sl_reduction_planner *s, const sl_dm_decomposition *p, const int32_t *freedom, int32_t j,
                      link_list *l, bool joins, bool *fine) {
    sl_reduction *r = s->r;
    int32_t n = 0, least = 0, mark = 2 * j + 1 + joins;
    l->seen[j] = mark;
    for (l->stack[n++] = j; n > 0 && *fine;) {
        int32_t i = p->row_of[l->stack[--n]];
        for (int32_t k = r->start[i]; k < r->start[i + 1] && *fine; k++) {
            int32_t other = r->col[k], d = r->offsets.d[other];
            if ((joins && !sl_entry_is_tight(r, i, k)) || l->seen[other] == mark) {
                continue;
            }
            l->seen[other] = mark;
            *fine = !joins || SL_PUSH_BOTH(r->ctx, &l->rows, p->row_of[other], &l->cols, j);
            l->stack[n] = other;
            n += freedom[p->block_of[other]] == 0;
            least = freedom[p->block_of[other]] > 0 && (least == 0 || d < least) ? d : least;
        }
    }
    return least;
}

/* Blocks again, with these entries. */
static sl_status decompose_with(sl_reduction_planner *s, const link_list *l, sl_dm_decomposition *p) {
    sl_reduction *r = s->r;
    size_t n = (size_t)r->n + 1, m = (size_t)s->col_start[r->n] + (size_t)l->rows.n + 1;
    int32_t *start = sl_arena_alloc(&r->arena, n * sizeof *start), *row = sl_arena_alloc(&r->arena, m * sizeof *row);
    int32_t at = 0;
    if (!start || !row) {
        return SL_ERR_MEMORY;
    }
    int64_t next = 0; /* links are in the order of their columns */
    for (int32_t j = 0; j < r->n; j++) {
        for (int32_t k = s->col_start[j]; k < s->col_start[j + 1]; k++) {
            row[at++] = s->col_row[k];
        }
        for (; next < l->cols.n && l->cols.at[next] == j; next++) {
            bool is_there = false;
            for (int32_t k = s->col_start[j]; k < s->col_start[j + 1]; k++) {
                is_there = is_there || s->col_row[k] == l->rows.at[next];
            }
            row[at] = l->rows.at[next];
            at += !is_there;
        }
        start[j + 1] = at;
    }
    sl_dm_decomposition_fini(p);
    return sl_dm_decomposition_init(p, r->ctx, &(sl_incidence){r->n, r->n, start, row});
}

/* sum of d - c of each block */
static int32_t *freedom_of(sl_reduction *r, const sl_dm_decomposition *p) {
    int32_t *freedom = sl_arena_alloc(&r->arena, ((size_t)p->n_block + 1) * sizeof *freedom);
    for (int32_t j = 0; j < r->n && freedom; j++) {
        freedom[p->block_of[j]] += r->offsets.d[j] - r->offsets.c[p->row_of[j]];
    }
    return freedom;
}

/* Variables that should be states get as many derivatives as those have that determine them. */
static sl_status raise_wanted(sl_reduction_planner *s, sl_dm_decomposition *p, link_list *l, const int32_t *freedom) {
    sl_reduction *r = s->r;
    uint8_t *least = sl_arena_alloc(&r->arena, (size_t)r->n + 1);
    bool raises = false, fine = least != NULL;
    for (int32_t j = 0; j < r->n && fine; j++) {
        bool wanted = sl_is_wanted_state(r, j) && freedom[p->block_of[j]] == 0;
        least[j] = wanted ? (uint8_t)follow(s, p, freedom, j, l, false, &fine) : 0;
        raises = raises || least[j] > r->offsets.d[j];
    }
    if (!fine || !raises) {
        return fine ? SL_OK : SL_ERR_MEMORY;
    }
    sl_status status = sl_offsets_raise(&r->offsets, r->start, r->col, r->order, least);
    status = status == SL_OK && !sl_reduction_list_tight(s) ? SL_ERR_MEMORY : status;
    sl_dm_decomposition_fini(p);
    return status == SL_OK ? sl_dm_decomposition_init(p, r->ctx, &(sl_incidence){r->n, r->n, s->col_start, s->col_row})
                           : status;
}

/* A variable that should be a state, and that equations alone determine by others, shares a block with these. */
sl_status sl_reduction_join_wanted(sl_reduction_planner *s, sl_dm_decomposition *p) {
    sl_reduction *r = s->r;
    link_list l = {.stack = NULL};
    bool any = false, fine = true;
    for (int32_t j = 0; j < r->n; j++) {
        any = any || sl_is_wanted_state(r, j);
    }
    if (!any) {
        return SL_OK;
    }
    l.stack = sl_arena_alloc(&r->arena, ((size_t)r->n + 1) * sizeof *l.stack);
    l.seen = sl_arena_alloc(&r->arena, ((size_t)r->n + 1) * sizeof *l.seen);
    int32_t *freedom = l.stack && l.seen ? freedom_of(r, p) : NULL;
    sl_status status = freedom ? raise_wanted(s, p, &l, freedom) : SL_ERR_MEMORY;
    freedom = status == SL_OK ? freedom_of(r, p) : NULL;
    fine = freedom != NULL;
    for (int32_t j = 0; j < r->n && fine; j++) {
        if (sl_is_wanted_state(r, j) && freedom[p->block_of[j]] == 0) {
            (void)follow(s, p, freedom, j, &l, true, &fine);
        }
    }
    status = status == SL_OK && !fine ? SL_ERR_MEMORY : status;
    status = status == SL_OK && l.rows.n > 0 ? decompose_with(s, &l, p) : status;
    SL_ARRAY_FINI(r->ctx, &l.rows);
    SL_ARRAY_FINI(r->ctx, &l.cols);
    return status;
}
