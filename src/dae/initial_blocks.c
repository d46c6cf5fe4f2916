/* SPDX-License-Identifier: MIT */
/* initial_blocks.c: the square system of a start (initial.h), block by block, in an order in which each needs those before it only.
 *
 * In a block Newton's method with the exact sparse matrix, damped by the natural test of Deuflhard (2004) as in init.c, in unknowns over
 * their nominal values, kept within bounds. Where the matrix is singular at the first guess the search begins a little beside it. Where
 * no step helps a homotopy is followed (homotopy.h), in blocks that are not too large.
 * Accepted are values of which every equation is off by no more than relative errors of 1e-9 in all unknowns make of it.
 */
#include "dae/initial_impl.h"

#include "base/memory.h"
#include "base/out.h"
#include "base/report.h"
#include "dae/lu.h"
#include "dae/homotopy.h"

#include <math.h>
#include <string.h>

enum { MAX_ITERATION = 60, MAX_HALVING = 30, MAX_SHIFT = 4, MAX_TAPE = 3 };
static const double relative = 1e-11,
                    absolute = 1e-13;  /* of corrections that end the search, over values and nominal values */
static const double near_enough = 1e3; /* of these, where rounding lets corrections shrink no more */
static const double acceptable = 1e-9; /* of unknowns, in residuals */

typedef struct block {
    sl_start_system *s;
    int32_t n;
    const int32_t *rows, *nodes; /* [n] conditions, nodes */
    int32_t *start, *row;        /* its pattern, by columns */
    sl_expr *entry;
    double *values; /* of entries */
    sl_lu *lu;
    sl_tape *residuals, *entries; /* NULL: small, expressions are evaluated one by one */
    void *work;
    double *z, *trial, *step, *next, *r, *z0; /* [n] */
    int32_t singular;                         /* node without a pivot, -1: none */
} block;

/* What the whole needs once. */
typedef struct blocks {
    sl_start_system *s;
    int32_t *place; /* [n_node] in the block at work */
    sl_walk *walk;
} blocks;

/* ---- Evaluation --------------------------------------------------------------------------------- */

static bool evaluate(block *b, const double *z, double *r) {
    sl_start_system *s = b->s;
    for (int32_t k = 0; k < b->n; k++) {
        s->z[b->nodes[k]] = z[k];
    }
    sl_expr_point at = sl_start_point(s);
    if (b->residuals) {
        sl_tape_eval(b->residuals, &at, b->work, r);
    }
    for (int32_t k = 0; k < b->n; k++) {
        r[k] = b->residuals ? r[k] : sl_start_evaluate(s, s->rows[b->rows[k]]);
        if (!isfinite(r[k])) {
            return false;
        }
    }
    return true;
}

/* The matrix at the values evaluated last, in nominal values. */
static sl_status evaluate_matrix(block *b) {
    sl_start_system *s = b->s;
    sl_expr_point at = sl_start_point(s);
    int32_t n = b->start[b->n];
    if (b->entries) {
        sl_tape_eval(b->entries, &at, b->work, b->values);
    }
    for (int32_t k = 0; k < n; k++) {
        b->values[k] = b->entries ? b->values[k] : sl_start_evaluate(s, b->entry[k]);
    }
    for (int32_t c = 0; c < b->n; c++) {
        for (int32_t k = b->start[c]; k < b->start[c + 1]; k++) {
            b->values[k] *= s->nominal[b->nodes[c]];
            if (!isfinite(b->values[k])) {
                return SL_ERR_INPUT;
            }
        }
    }
    return SL_OK;
}

static sl_status factor(block *b) {
    sl_status status = evaluate_matrix(b);
    b->singular = -1;
    return status == SL_OK ? sl_lu_factor(b->lu, b->values, &b->singular) : status;
}

/* A correction, in nominal values, and its size over the tolerances. */
static double correct(block *b, const double *r, double *step) {
    double most = 0.0;
    for (int32_t k = 0; k < b->n; k++) {
        step[k] = -r[k];
    }
    sl_lu_solve(b->lu, step);
    for (int32_t k = 0; k < b->n; k++) {
        double nominal = b->s->nominal[b->nodes[k]],
               e = fabs(step[k]) / (relative * fabs(b->z[k]) / nominal + absolute);
        most = e > most || e != e ? e : most;
    }
    return most;
}

static void move(block *b, double length) {
    const sl_start_system *s = b->s;
    for (int32_t k = 0; k < b->n; k++) {
        int32_t node = b->nodes[k];
        b->trial[k] = fmin(fmax(b->z[k] + length * b->step[k] * s->nominal[node], s->low[node]), s->high[node]);
    }
}

/* ---- Newton ------------------------------------------------------------------------------------- */

/* 1: on, 0: arrived, -1: no step helps. */
static int improve(block *b) {
    double size = correct(b, b->r, b->step), length = 1.0;
    for (int k = 0; k < MAX_HALVING; k++, length *= 0.5) {
        move(b, length);
        if (!evaluate(b, b->trial, b->r)) {
            continue;
        }
        double after = correct(b, b->r, b->next);
        bool rounding = k == 0 && size <= near_enough && after <= near_enough && after > 0.5 * size;
        if (after <= (1.0 - 0.25 * length) * size || after <= 1.0 || rounding) {
            bool is_there = length == 1.0 && (after <= 1.0 || rounding);
            memcpy(b->z, b->trial, (size_t)b->n * sizeof *b->z);
            if (is_there && after < size) { /* the last correction is known, and small */
                memcpy(b->step, b->next, (size_t)b->n * sizeof *b->step);
                move(b, 1.0);
                memcpy(b->z, b->trial, (size_t)b->n * sizeof *b->z);
            }
            return is_there ? 0 : 1;
        }
    }
    return -1;
}

/* Out of a point where the matrix is singular, the same for everybody. */
static void shift(block *b, int times) {
    static const double beside = 1e-2;
    for (int32_t k = 0; k < b->n; k++) {
        const sl_start_system *s = b->s;
        int32_t node = b->nodes[k];
        double by = beside * times * (1.0 + 0.1 * (k % 7)) * s->nominal[node];
        b->z[k] = b->z[k] + by <= s->high[node] ? b->z[k] + by : b->z[k] - by;
    }
}

static sl_status newton(block *b) {
    int n_shift = 0;
    if (!evaluate(b, b->z, b->r)) {
        return SL_ERR_SOLVE;
    }
    for (int k = 0; k < MAX_ITERATION; k++) {
        sl_status status = factor(b);
        b->s->out->n_iteration++;
        if (status == SL_ERR_MEMORY) {
            return status;
        }
        if (status != SL_OK && n_shift < MAX_SHIFT) {
            shift(b, ++n_shift);
            if (!evaluate(b, b->z, b->r)) {
                return SL_ERR_SOLVE;
            }
            continue;
        }
        int on = status == SL_OK ? improve(b) : -1;
        if (on == 0) {
            return SL_OK;
        }
        if (on < 0) {
            return SL_ERR_SOLVE;
        }
    }
    return SL_ERR_SOLVE;
}

/* ---- Homotopy ----------------------------------------------------------------------------------- */

/* For homotopy.h, in nominal values. */
static bool path_residual(void *user, const double *z, double *r) {
    block *b = user;
    for (int32_t k = 0; k < b->n; k++) {
        b->trial[k] = z[k] * b->s->nominal[b->nodes[k]];
    }
    return evaluate(b, b->trial, r);
}

static bool path_matrix(void *user, double *a) {
    block *b = user;
    size_t n = (size_t)b->n;
    if (evaluate_matrix(b) != SL_OK) {
        return false;
    }
    memset(a, 0, n * n * sizeof *a);
    for (int32_t c = 0; c < b->n; c++) {
        for (int32_t k = b->start[c]; k < b->start[c + 1]; k++) {
            a[(size_t)b->row[k] * n + (size_t)c] = b->values[k];
        }
    }
    return true;
}

/* From the residuals at the first guess down to none. */
static sl_status continue_to(block *b) {
    enum { MOST_UNKNOWNS = 100 };
    b->s->out->n_homotopy++;
    if (b->n > MOST_UNKNOWNS) {
        return SL_ERR_SOLVE;
    }
    for (int32_t k = 0; k < b->n; k++) {
        b->z[k] = b->z0[k] / b->s->nominal[b->nodes[k]];
    }
    sl_status status = sl_homotopy_follow(
        b->s->ctx, &(sl_homotopy){.n = b->n, .user = b, .residual = path_residual, .matrix = path_matrix}, b->z);
    for (int32_t k = 0; k < b->n; k++) {
        b->z[k] = status == SL_OK ? b->z[k] * b->s->nominal[b->nodes[k]] : b->z0[k];
    }
    return status == SL_OK ? newton(b) : status;
}

/* Is the equation farthest from holding as near as rounding lets it be? Returns it, or -1; off: by how much. */
static int32_t farthest(block *b, double *off) {
    sl_start_system *s = b->s;
    double worst = 1.0;
    int32_t found = -1;
    *off = 0.0;
    if (!evaluate(b, b->z, b->r)) {
        return b->rows[0];
    }
    for (int32_t k = 0; k < b->n; k++) {
        double scale = 1e-300;
        int32_t c = b->rows[k];
        for (int64_t e = s->by.start[c]; e < s->by.start[c + 1]; e++) {
            int32_t node = s->by.column[e];
            scale += acceptable * fabs(sl_start_evaluate(s, s->by.entry[e])) * (fabs(s->z[node]) + s->nominal[node]);
        }
        if (fabs(b->r[k]) > worst * scale) {
            worst = fabs(b->r[k]) / scale;
            *off = b->r[k];
            found = c;
        }
    }
    return found;
}

/* ---- Messages ----------------------------------------------------------------------------------- */

enum { MAX_NAMED = 6, NAME = 160, TEXT = MAX_NAMED * NAME };

static void list(const block *b, bool nodes, char text[TEXT]) {
    char name[NAME];
    size_t len = 0;
    text[0] = '\0';
    for (int32_t k = 0; k < b->n && k <= MAX_NAMED; k++) {
        if (k == MAX_NAMED) {
            (void)sl_format(text + len, TEXT - len, " and %d more", (int)(b->n - MAX_NAMED));
            break;
        }
        if (nodes) {
            sl_start_name_node(b->s, b->nodes[k], name, sizeof name);
        } else {
            sl_start_name_condition(b->s, b->rows[k], name, sizeof name);
        }
        int wrote = sl_format(text + len, TEXT - len, "%s%s", k > 0 ? ", " : "", name);
        len = wrote > 0 && (size_t)wrote < TEXT - len ? len + (size_t)wrote : TEXT - 1;
    }
}

static void report(block *b) {
    char unknowns[TEXT], equations[TEXT], name[NAME];
    double off = 0.0;
    list(b, true, unknowns);
    list(b, false, equations);
    int32_t condition = farthest(b, &off);
    if (b->singular >= 0 && b->singular < b->n) {
        sl_start_name_node(b->s, b->nodes[b->singular], name, sizeof name);
        sl_report(b->s->diags, SL_ERROR, SL_CODE_INCONSISTENT, NULL, NULL, NULL,
                  "fix other variables, or begin at values where these equations differ",
                  "at the start the values do not determine '%s': the Jacobian of %s by %s is singular", name,
                  equations, unknowns);
        return;
    }
    if (condition >= 0) {
        sl_start_name_condition(b->s, condition, name, sizeof name);
    } else {
        (void)sl_format(name, sizeof name, "nothing");
    }
    sl_report(b->s->diags, SL_ERROR, SL_CODE_INCONSISTENT, NULL, NULL, NULL,
              "begin nearer to the solution (`guess`, `start`), or bound the variables (`min`, `max`)",
              "at the start no values of %s were found that satisfy %s; farthest from holding: %s (off by %.3g)",
              unknowns, equations, name, off);
}

/* ---- One block ---------------------------------------------------------------------------------- */

static sl_status make_pattern(blocks *all, block *b, sl_arena *arena) {
    sl_start_system *s = all->s;
    size_t n = (size_t)b->n;
    int32_t count = 0;
    b->start = sl_arena_alloc(arena, (n + 2) * sizeof *b->start);
    if (!b->start) {
        return SL_ERR_MEMORY;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t k = 0; k < b->n; k++) {
            for (int64_t e = s->by.start[b->rows[k]]; e < s->by.start[b->rows[k] + 1]; e++) {
                int32_t c = all->place[s->by.column[e]];
                if (c >= 0 && pass == 0) {
                    b->start[c + 1]++;
                    count++;
                } else if (c >= 0) {
                    b->row[b->start[c]] = k;
                    b->entry[b->start[c]++] = s->by.entry[e];
                }
            }
        }
        if (pass == 0) {
            b->row = sl_arena_alloc(arena, ((size_t)count + 1) * sizeof *b->row);
            b->entry = sl_arena_alloc(arena, ((size_t)count + 1) * sizeof *b->entry);
            b->values = sl_arena_alloc(arena, ((size_t)count + 1) * sizeof *b->values);
            if (!b->row || !b->entry || !b->values) {
                return SL_ERR_MEMORY;
            }
            for (int32_t c = 0; c < b->n; c++) {
                b->start[c + 1] += b->start[c];
            }
        }
    }
    memmove(b->start + 1, b->start, n * sizeof *b->start); /* each column ended where the next begins */
    b->start[0] = 0;
    return SL_OK;
}

static sl_status prepare(blocks *all, block *b, sl_arena *arena) {
    sl_start_system *s = all->s;
    size_t n = (size_t)b->n;
    double *room = sl_arena_alloc(arena, 6 * n * sizeof *room);
    for (int32_t k = 0; k < b->n; k++) {
        all->place[b->nodes[k]] = k;
    }
    sl_status status = room ? make_pattern(all, b, arena) : SL_ERR_MEMORY;
    for (int32_t k = 0; k < b->n; k++) {
        all->place[b->nodes[k]] = -1;
    }
    if (status != SL_OK) {
        return status;
    }
    b->z = room;
    b->trial = room + n;
    b->step = room + 2 * n;
    b->next = room + 3 * n;
    b->r = room + 4 * n;
    b->z0 = room + 5 * n;
    for (int32_t k = 0; k < b->n; k++) {
        b->z0[k] = b->z[k] = s->z[b->nodes[k]];
    }
    status = sl_lu_create(s->ctx, &(sl_incidence){b->n, b->n, b->start, b->row}, &b->lu);
    if (status != SL_OK || b->n <= MAX_TAPE) {
        return status;
    }
    sl_expr *rows = sl_arena_alloc(arena, n * sizeof *rows);
    for (size_t k = 0; rows && k < n; k++) {
        rows[k] = s->rows[b->rows[k]];
    }
    status = rows ? sl_tape_create(s->r->m, all->walk, b->n, rows, &b->residuals) : SL_ERR_MEMORY;
    status = status == SL_OK ? sl_tape_create(s->r->m, all->walk, b->start[b->n], b->entry, &b->entries) : status;
    if (status == SL_OK) {
        size_t x = sl_tape_work_size(b->residuals), y = sl_tape_work_size(b->entries);
        b->work = sl_arena_alloc(arena, (x > y ? x : y) + 64);
    }
    return status == SL_OK && !b->work ? SL_ERR_MEMORY : status;
}

static sl_status solve_block(blocks *all, block *b) {
    sl_arena arena;
    double off = 0.0;
    sl_start_system *s = all->s;
    if (b->n == 1 && b->rows[0] >= s->n_row) { /* a value that holds */
        s->z[b->nodes[0]] = s->def->values[s->variables[s->value_of[b->rows[0] - s->n_row]]].start;
        return SL_OK;
    }
    sl_arena_init(&arena, s->ctx);
    b->singular = -1;
    sl_status status = prepare(all, b, &arena);
    if (status == SL_OK) {
        status = newton(b);
        bool fine = status == SL_OK && farthest(b, &off) < 0;
        status = s->lacks_memory ? SL_ERR_MEMORY : status;
        if (!fine && status != SL_ERR_MEMORY) {
            int32_t singular = b->singular;
            status = continue_to(b);
            b->singular = status == SL_OK ? b->singular : singular;
            status = status == SL_OK && farthest(b, &off) >= 0 ? SL_ERR_SOLVE : status;
        }
        status = s->lacks_memory ? SL_ERR_MEMORY : status;
        if (status == SL_ERR_SOLVE) {
            report(b);
        }
        for (int32_t k = 0; k < b->n; k++) {
            s->z[b->nodes[k]] = b->z[k];
        }
    }
    sl_lu_destroy(b->lu);
    sl_tape_destroy(b->residuals);
    sl_tape_destroy(b->entries);
    sl_arena_fini(&arena);
    return status;
}

/* ---- All blocks --------------------------------------------------------------------------------- */

static sl_status solve_all(blocks *all, const sl_dm_decomposition *p, const int32_t *condition_of, bool open) {
    sl_start_system *s = all->s;
    size_t n = (size_t)s->n_node + 1;
    /* nodes are rows of the incidence, conditions its columns: blocks are numbered the other way round */
    int32_t *start = sl_arena_alloc(&s->arena, ((size_t)p->n_block + 2) * sizeof *start);
    int32_t *nodes = sl_arena_alloc(&s->arena, n * sizeof *nodes), *rows = sl_arena_alloc(&s->arena, n * sizeof *rows);
    if (!start || !nodes || !rows) {
        return SL_ERR_MEMORY;
    }
    for (int32_t c = 0; c < s->n_node; c++) {
        start[p->block_of[c] + 2]++;
    }
    for (int32_t k = 0; k < p->n_block; k++) {
        start[k + 1] += start[k];
    }
    for (int32_t c = 0; c < s->n_node; c++) {
        int32_t at = start[p->block_of[c] + 1]++;
        rows[at] = condition_of[c];
        nodes[at] = p->row_of[c];
    }
    sl_status status = SL_OK;
    for (int32_t k = p->n_block - 1; k >= 0 && status == SL_OK; k--) {
        if ((s->is_open[nodes[start[k]]] != 0) == open) {
            block b = {.s = s, .n = start[k + 1] - start[k], .rows = rows + start[k], .nodes = nodes + start[k]};
            status = solve_block(all, &b);
        }
    }
    s->out->n_block = p->n_block;
    s->out->n_largest = p->n_largest;
    return status;
}

sl_status sl_start_solve_blocks(sl_start_system *s, bool open) {
    sl_incidence a;
    int32_t *condition_of;
    bool any = false;
    for (int32_t k = 0; k < s->n_node; k++) {
        any = any || (s->is_open[k] != 0) == open;
    }
    if (!any) {
        return SL_OK;
    }
    sl_status status = sl_start_list_conditions(s, s->is_in, &a, &condition_of);
    sl_dm_decomposition p = {0};
    status = status == SL_OK ? sl_dm_decomposition_init(&p, s->ctx, &a) : status;
    blocks all = {.s = s, .walk = sl_exprs_walk(s->r->m)};
    all.place = status == SL_OK ? sl_arena_alloc(&s->arena, ((size_t)s->n_node + 1) * sizeof *all.place) : NULL;
    status = status == SL_OK && !all.place ? SL_ERR_MEMORY : status;
    if (status == SL_OK) {
        memset(all.place, -1, (size_t)s->n_node * sizeof *all.place);
        status = p.n_pair == s->n_node ? solve_all(&all, &p, condition_of, open) : SL_ERR_SOLVE;
    }
    sl_dm_decomposition_fini(&p);
    return status;
}
