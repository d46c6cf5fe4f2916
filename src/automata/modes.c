/* modes.c: see modes.h. The key of a mode is its two lists as bytes. */
#include "automata/modes.h"

#include <string.h>

#include "base/ids.h"
#include "base/memory.h"

typedef struct row {
    bool known;
    sl_jacobian j; /* of one row */
} row;

typedef struct slot {
    sl_mode *mode;
} slot;

struct sl_modes {
    sl_context *ctx;
    sl_exprs *g;
    sl_modes_def def;
    sl_arena arena; /* what def points to, and the modes */
    row *rows;
    sl_ids *keys;
    SL_ARRAY(slot) modes; /* by key; NULL: it could not be compiled */
    SL_ARRAY(int32_t) key;
};

static void *copy_of(sl_arena *arena, const void *from, size_t size) {
    void *to = sl_arena_alloc(arena, size);
    if (to && size > 0) {
        memcpy(to, from, size);
    }
    return to;
}

sl_status sl_modes_create(sl_exprs *g, const sl_modes_def *def, sl_modes **out) {
    sl_context *ctx = sl_exprs_context(g);
    sl_modes *m = sl_alloc(ctx, sizeof *m);
    *out = NULL;
    if (!m) {
        return SL_ERR_MEMORY;
    }
    m->ctx = ctx;
    m->g = g;
    m->def = *def;
    sl_arena_init(&m->arena, ctx);
    m->def.equations = copy_of(&m->arena, def->equations, (size_t)def->n_equation * sizeof *def->equations);
    m->def.roots = copy_of(&m->arena, def->roots, (size_t)def->n_root * sizeof *def->roots);
    m->def.column = copy_of(&m->arena, def->column, (size_t)sl_exprs_n_variable(g) * sizeof *def->column);
    m->rows = sl_arena_alloc(&m->arena, (size_t)def->n_equation * sizeof *m->rows);
    m->keys = sl_ids_create(ctx);
    if (!m->def.equations || !m->def.roots || !m->def.column || !m->rows || !m->keys) {
        sl_modes_destroy(m);
        return SL_ERR_MEMORY;
    }
    *out = m;
    return SL_OK;
}

static void fini_mode(const sl_modes *m, sl_mode *mode) {
    if (!mode) {
        return;
    }
    int64_t n_start = (m->def.by_rows ? mode->n_equation : m->def.n_column) + 1;
    sl_tape_destroy(mode->residual);
    sl_tape_destroy(mode->matrix);
    sl_tape_destroy(mode->root);
    sl_free(m->ctx, mode->start, (size_t)n_start * sizeof *mode->start);
    sl_free(m->ctx, mode->index, (size_t)(mode->nnz + 1) * sizeof *mode->index);
}

void sl_modes_destroy(sl_modes *modes) {
    if (!modes) {
        return;
    }
    for (int64_t i = 0; i < modes->modes.n; i++) {
        fini_mode(modes, modes->modes.at[i].mode);
    }
    for (int32_t i = 0; modes->rows && i < modes->def.n_equation; i++) {
        sl_jacobian_fini(&modes->rows[i].j);
    }
    SL_ARRAY_FINI(modes->ctx, &modes->modes);
    SL_ARRAY_FINI(modes->ctx, &modes->key);
    sl_ids_destroy(modes->keys);
    sl_arena_fini(&modes->arena);
    sl_free(modes->ctx, modes, sizeof *modes);
}

int32_t sl_modes_count(const sl_modes *modes) {
    return (int32_t)modes->modes.n;
}

/* ---- Compiling --------------------------------------------------------------------------------------- */

/* Derivatives of an equation, once for all modes. */
static sl_status know_row(sl_modes *m, int32_t equation) {
    row *r = &m->rows[equation];
    if (r->known) {
        return SL_OK;
    }
    bool dae = m->def.cj != SL_EXPR_NONE;
    sl_jacobian_def def = {{m->def.column, dae ? m->def.column : NULL},
                           {SL_EXPR_NONE, m->def.cj, SL_EXPR_NONE, SL_EXPR_NONE}};
    sl_status status = sl_jacobian_create(m->g, 1, &m->def.equations[equation], &def, &r->j);
    r->known = status == SL_OK;
    return status;
}

/* Pattern and entries, in the order that is wanted. start is counted first, entries are then put where they belong. */
static sl_status make_matrix(sl_modes *m, sl_mode *mode) {
    int64_t n_start = (m->def.by_rows ? mode->n_equation : m->def.n_column) + 1, nnz = 0;
    for (int32_t i = 0; i < mode->n_equation; i++) {
        nnz += m->rows[mode->equations[i]].j.nnz;
    }
    size_t size = (size_t)(nnz + 1) * sizeof(sl_expr), next_size = (size_t)n_start * sizeof(int64_t);
    sl_expr *entries = sl_alloc(m->ctx, size);
    int64_t *next = sl_alloc(m->ctx, next_size);
    mode->start = sl_alloc(m->ctx, next_size);
    mode->index = sl_alloc(m->ctx, (size_t)(nnz + 1) * sizeof *mode->index);
    mode->nnz = nnz;
    sl_status status = SL_ERR_MEMORY;
    if (entries && next && mode->start && mode->index) {
        for (int32_t i = 0; i < mode->n_equation; i++) {
            const sl_jacobian *j = &m->rows[mode->equations[i]].j;
            for (int64_t k = 0; k < j->nnz; k++) {
                mode->start[(m->def.by_rows ? i : j->column[k]) + 1]++;
            }
        }
        for (int64_t i = 1; i < n_start; i++) {
            mode->start[i] += mode->start[i - 1];
            next[i] = mode->start[i];
        }
        for (int32_t i = 0; i < mode->n_equation; i++) {
            const sl_jacobian *j = &m->rows[mode->equations[i]].j;
            for (int64_t k = 0; k < j->nnz; k++) {
                int64_t at = next[m->def.by_rows ? i : j->column[k]]++;
                mode->index[at] = m->def.by_rows ? j->column[k] : i;
                entries[at] = j->entry[k];
            }
        }
        status = sl_tape_create(m->g, (int32_t)nnz, entries, &mode->matrix);
    }
    sl_free(m->ctx, entries, size);
    sl_free(m->ctx, next, next_size);
    return status;
}

static sl_status make_tape(sl_modes *m, int32_t n, const int32_t *chosen, const sl_expr *all, sl_tape **out) {
    size_t size = ((size_t)n + 1) * sizeof(sl_expr);
    sl_expr *list = sl_alloc(m->ctx, size);
    if (!list) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < n; i++) {
        list[i] = all[chosen[i]];
    }
    sl_status status = sl_tape_create(m->g, n, list, out);
    sl_free(m->ctx, list, size);
    return status;
}

static sl_status compile(sl_modes *m, sl_mode *mode) {
    sl_status status = SL_OK;
    for (int32_t i = 0; status == SL_OK && i < mode->n_equation; i++) {
        status = know_row(m, mode->equations[i]);
    }
    status =
        status == SL_OK ? make_tape(m, mode->n_equation, mode->equations, m->def.equations, &mode->residual) : status;
    status = status == SL_OK ? make_tape(m, mode->n_root, mode->roots, m->def.roots, &mode->root) : status;
    status = status == SL_OK ? make_matrix(m, mode) : status;
    if (status == SL_OK) {
        const sl_tape *tapes[] = {mode->residual, mode->matrix, mode->root};
        for (int i = 0; i < 3; i++) {
            size_t size = sl_tape_work_size(tapes[i]);
            mode->work_size = size > mode->work_size ? size : mode->work_size;
        }
    }
    return status;
}

/* ---- Finding ------------------------------------------------------------------------------------------- */

static sl_status make_mode(sl_modes *m, int32_t number, int32_t n_equation, const int32_t *equations, int32_t n_root,
                           const int32_t *roots) {
    sl_mode *mode = sl_arena_alloc(&m->arena, sizeof *mode);
    if (!mode) {
        return SL_ERR_MEMORY;
    }
    mode->number = number;
    mode->n_equation = n_equation;
    mode->n_root = n_root;
    mode->equations = copy_of(&m->arena, equations, (size_t)n_equation * sizeof *equations);
    mode->roots = copy_of(&m->arena, roots, (size_t)n_root * sizeof *roots);
    sl_status status = mode->equations && mode->roots ? compile(m, mode) : SL_ERR_MEMORY;
    if (status != SL_OK) {
        fini_mode(m, mode);
        return status;
    }
    m->modes.at[number].mode = mode;
    return SL_OK;
}

sl_status sl_modes_find(sl_modes *modes, int32_t n_equation, const int32_t *equations, int32_t n_root,
                        const int32_t *roots, const sl_mode **out) {
    *out = NULL;
    int64_t n = 1 + (int64_t)n_equation + n_root;
    if (!SL_RESERVE(modes->ctx, &modes->key, n)) {
        return SL_ERR_MEMORY;
    }
    modes->key.at[0] = n_equation;
    if (n_equation > 0) {
        memcpy(modes->key.at + 1, equations, (size_t)n_equation * sizeof *equations);
    }
    if (n_root > 0) {
        memcpy(modes->key.at + 1 + n_equation, roots, (size_t)n_root * sizeof *roots);
    }
    sl_str key = {(const char *)modes->key.at, (size_t)n * sizeof *modes->key.at};
    int32_t id = sl_ids_find(modes->keys, key);
    if (id < 0) {
        if (!SL_RESERVE(modes->ctx, &modes->modes, modes->modes.n + 1) || (id = sl_ids_add(modes->keys, key)) < 0) {
            return SL_ERR_MEMORY;
        }
        modes->modes.at[modes->modes.n++].mode = NULL;
    }
    if (!modes->modes.at[id].mode) {
        sl_status status = make_mode(modes, id, n_equation, equations, n_root, roots);
        if (status != SL_OK) {
            return status;
        }
    }
    *out = modes->modes.at[id].mode;
    return SL_OK;
}
