/* SPDX-License-Identifier: MIT */
/* components.c: which equations in force move together.
 *
 * A part is a connected component of the graph of equations in force and the variables that they hold; an active root that holds
 * variables of several joins them. It has all roots, active or not, whose variables with equations are its own: so turning one on
 * or off changes no part. An active root that holds no such variable is a part by itself. That is a function of what is in force,
 * whatever was before.
 *
 * When equations come and go, parts that they touch are dissolved and their equations put together anew; what comes out as it was
 * goes on undisturbed. The cost is that of the parts touched.
 */
#include "hybrid/motion_impl.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- What a change touches ---------------------------------------------------------------------- */

static void add_x(sl_motion *m, int32_t j) {
    if (m->x_stamp[j] != m->stamp) {
        m->x_stamp[j] = m->stamp;
        m->xs.at[m->xs.n++] = j;
    }
}

static void add_root(sl_motion *m, int32_t r) {
    if (m->root_stamp[r] != m->stamp) {
        m->root_stamp[r] = m->stamp;
        m->rs.at[m->rs.n++] = r;
    }
}

static void add_held_by_equation(sl_motion *m, int32_t e) {
    for (int32_t k = m->all->start[e]; k < m->all->start[e + 1]; k++) {
        add_x(m, m->all->variables[k]);
    }
}

static void add_held_by_root(sl_motion *m, int32_t r) {
    for (int32_t k = m->all->root_start[r]; k < m->all->root_start[r + 1]; k++) {
        add_x(m, m->all->root_variables[k]);
    }
}

static void add_equation(sl_motion *m, int32_t e) {
    if (m->equation_stamp[e] != m->stamp) {
        m->equation_stamp[e] = m->stamp;
        add_held_by_equation(m, e);
        if (m->equation_on[e]) {
            m->es.at[m->es.n++] = e;
            for (int32_t k = m->all->start[e]; k < m->all->start[e + 1]; k++) {
                m->moving_stamp[m->all->variables[k]] = m->stamp;
            }
        }
    }
}

static void dissolve(sl_hybrid *h, int32_t p) {
    sl_motion *m = h->motion;
    if (p < 0 || (m->parts.at[p].flags & PART_DISSOLVED)) {
        return;
    }
    const sl_hybrid_unit *u = m->parts.at[p].unit;
    m->parts.at[p].flags |= PART_DISSOLVED;
    m->ps.at[m->ps.n++] = p;
    for (int32_t k = 0; k < u->n_row; k++) {
        add_equation(m, u->rows[k]);
    }
    for (int32_t k = 0; k < u->n_root; k++) {
        add_root(m, u->rows[u->n_row + k]);
    }
}

/* Takes what is new from the model: all flags first, for what is touched depends on them. */
static void take(sl_hybrid *h, const sl_hybrid_force *f) {
    sl_motion *m = h->motion;
    const sl_hybrid_incidence *a = m->all;
    bool all = f->n_changed < 0 || !m->is_entered;
    int32_t n = all ? a->n_equation + a->n_root : f->n_changed, *turned = m->members.at, n_turned = 0;
    for (int32_t k = 0; k < n; k++) {
        int32_t i = all ? k : f->changed[k], r = i - a->n_equation;
        if (r < 0 && f->equations[i] != m->equation_on[i]) {
            m->equation_on[i] = f->equations[i];
            turned[n_turned++] = i;
        } else if (r >= 0 && f->roots[r] != m->root_on[r]) {
            m->root_on[r] = f->roots[r];
            m->toggled.at[m->toggled.n++] = r;
        }
    }
    for (int32_t k = 0; k < n_turned; k++) {
        dissolve(h, m->equation_part[turned[k]]);
        add_equation(m, turned[k]);
    }
    for (int64_t k = 0; k < m->toggled.n; k++) {
        int32_t r = m->toggled.at[k], p = m->root_part[r];
        if (p < 0 || (m->parts.at[p].flags & PART_JOINED) || m->parts.at[p].unit->n_row == 0) {
            dissolve(h, p);
            add_root(m, r);
            add_held_by_root(m, r);
        }
    }
}

/* Parts of variables touched; parts that active roots join to these; and where a variable begins or ceases to have equations, all
 * that roots hold together with it. */
static void spread(sl_hybrid *h) {
    sl_motion *m = h->motion;
    int64_t at = 0, judged = 0;
    while (at < m->xs.n || judged < m->xs.n) {
        for (; at < m->xs.n; at++) {
            int32_t j = m->xs.at[at];
            dissolve(h, m->part_of[j]);
            for (int32_t k = m->x_root_start[j]; k < m->x_root_start[j + 1]; k++) {
                add_root(m, m->x_roots[k]);
                dissolve(h, m->root_part[m->x_roots[k]]);
                if (m->root_on[m->x_roots[k]]) {
                    add_held_by_root(m, m->x_roots[k]);
                }
            }
        }
        for (; judged < m->xs.n && at == m->xs.n; judged++) {
            int32_t j = m->xs.at[judged];
            if ((m->moving_stamp[j] == m->stamp) == (m->part_of[j] >= 0)) {
                continue;
            }
            for (int32_t k = m->x_root_start[j]; k < m->x_root_start[j + 1]; k++) {
                add_held_by_root(m, m->x_roots[k]);
            }
        }
    }
}

/* ---- Groups ------------------------------------------------------------------------------------- */

static int32_t find(sl_motion *m, int32_t j) {
    while (m->parent[j] != j) {
        j = m->parent[j] = m->parent[m->parent[j]];
    }
    return j;
}

static int ascending(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static bool is_moving(const sl_motion *m, int32_t j) {
    return m->moving_stamp[j] == m->stamp;
}

/* The first variable with equations of a root, or -1; whether all of these are of one group. */
static int32_t first_of_root(sl_motion *m, int32_t r, bool *together) {
    int32_t first = -1;
    *together = true;
    for (int32_t k = m->all->root_start[r]; k < m->all->root_start[r + 1]; k++) {
        int32_t j = m->all->root_variables[k];
        if (m->x_stamp[j] == m->stamp ? !is_moving(m, j) : m->part_of[j] < 0) {
            continue;
        }
        *together = *together && m->x_stamp[j] == m->stamp && (first < 0 || find(m, j) == find(m, first));
        first = first < 0 ? j : first;
    }
    return first;
}

/* Variables find each other through equations, then through active roots; joined gets one variable of each group that roots
 * made. */
static void unite(sl_motion *m) {
    const sl_hybrid_incidence *a = m->all;
    for (int64_t k = 0; k < m->xs.n; k++) {
        m->parent[m->xs.at[k]] = m->xs.at[k];
        m->group_of[m->xs.at[k]] = -1;
    }
    for (int64_t i = 0; i < m->es.n; i++) {
        int32_t e = m->es.at[i];
        for (int32_t k = a->start[e] + 1; k < a->start[e + 1]; k++) {
            m->parent[find(m, a->variables[k])] = find(m, a->variables[a->start[e]]);
        }
    }
    m->joined.n = 0;
    for (int64_t i = 0; i < m->rs.n; i++) {
        bool together;
        int32_t r = m->rs.at[i], first = m->root_on[r] ? first_of_root(m, r, &together) : -1;
        if (first < 0 || together) {
            continue;
        }
        for (int32_t k = a->root_start[r]; k < a->root_start[r + 1]; k++) {
            int32_t j = a->root_variables[k];
            if (is_moving(m, j)) {
                m->parent[find(m, j)] = find(m, first);
            }
        }
        m->joined.at[m->joined.n++] = first;
    }
}

/* Equations and roots of one group: groups has, for each, where its members begin; members are equations, then roots marked by
 * n_equation. Sorted lists come out sorted. */
static int32_t group(sl_motion *m) {
    const sl_hybrid_incidence *a = m->all;
    int32_t n = 0, *next = m->groups.at; /* first: how many of each */
    int64_t n_owner = 0, most = m->es.n + m->rs.n;
    int32_t *owner = m->members.at + most; /* of each equation, then of each root: its group or -1 */
    qsort(m->es.at, (size_t)m->es.n, sizeof *m->es.at, ascending);
    qsort(m->rs.at, (size_t)m->rs.n, sizeof *m->rs.at, ascending);
    memset(next, 0, (size_t)(most + 2) * sizeof *next);
    for (int64_t i = 0; i < m->es.n; i++) {
        int32_t e = m->es.at[i], j = a->start[e] < a->start[e + 1] ? find(m, a->variables[a->start[e]]) : -1;
        int32_t g = j >= 0 && m->group_of[j] >= 0 ? m->group_of[j] : n++;
        if (j >= 0) {
            m->group_of[j] = g;
        }
        owner[n_owner++] = g;
        next[g + 1]++;
    }
    for (int64_t i = 0; i < m->rs.n; i++) {
        bool together;
        int32_t r = m->rs.at[i], first = first_of_root(m, r, &together);
        int32_t g = first < 0 ? (m->root_on[r] ? n++ : -1) : together ? m->group_of[find(m, first)] : -1;
        owner[n_owner++] = g;
        if (g >= 0) {
            next[g + 1]++;
        }
    }
    for (int32_t g = 0; g < n; g++) {
        next[g + 1] += next[g];
    }
    int32_t *fill = m->xs.at + m->xs.n; /* room behind the variables */
    memcpy(fill, next, (size_t)n * sizeof *fill);
    for (int64_t k = 0; k < n_owner; k++) {
        if (owner[k] >= 0) {
            m->members.at[fill[owner[k]]++] = k < m->es.n ? m->es.at[k] : a->n_equation + m->rs.at[k - m->es.n];
        }
    }
    return n;
}

/* ---- Parts of groups ---------------------------------------------------------------------------- */

/* The dissolved part that has just these equations and roots, or -1. */
static int32_t same_as_before(const sl_motion *m, int32_t n_row, int32_t n_root, const int32_t *rows) {
    int32_t p = n_row > 0 ? m->equation_part[rows[0]] : m->root_part[rows[0]];
    const sl_hybrid_unit *u = p >= 0 ? m->parts.at[p].unit : NULL;
    bool same = u && u->n_row == n_row && u->n_root == n_root &&
                memcmp(u->rows, rows, (size_t)(n_row + n_root) * sizeof *rows) == 0;
    return same ? p : -1;
}

/* What is in a part and no unknown keeps its value. */
static bool stand(sl_hybrid *h, int32_t j) {
    bool fine = h->dx[j] == 0.0 || sl_state_keep_x(h, j);
    h->dx[j] = 0.0;
    h->ops->stand(h->instance, j, h->x[j]);
    return fine;
}

static sl_status make_part(sl_hybrid *h, int32_t n_row, int32_t n_root, const int32_t *rows, sl_diags *diags,
                           int32_t *out) {
    sl_hybrid_unit *u;
    sl_status status = sl_unit_find_component(h, n_row, rows, n_root, n_root > 0 ? rows + n_row : NULL, diags, &u);
    if (status != SL_OK) {
        return status;
    }
    *out = sl_component_add(h, u);
    if (*out < 0) {
        sl_unit_drop(h, u);
        return SL_ERR_MEMORY;
    }
    return SL_OK;
}

static void enlist(sl_motion *m, int32_t p) {
    const sl_hybrid_unit *u = m->parts.at[p].unit;
    for (int32_t k = 0; k < u->n_row; k++) {
        m->equation_part[u->rows[k]] = p;
    }
    for (int32_t k = 0; k < u->n_root; k++) {
        m->root_part[u->rows[u->n_row + k]] = p;
        m->root_place[u->rows[u->n_row + k]] = k;
    }
    for (int32_t i = 0; i < u->n_row; i++) {
        for (int32_t k = m->all->start[u->rows[i]]; k < m->all->start[u->rows[i] + 1]; k++) {
            m->part_of[m->all->variables[k]] = p;
        }
    }
}

/* Dissolved parts that do not come back leave their variables, equations and roots. */
static sl_status leave(sl_hybrid *h) {
    sl_motion *m = h->motion;
    sl_status status = SL_OK;
    for (int64_t k = 0; k < m->ps.n && status == SL_OK; k++) {
        int32_t p = m->ps.at[k];
        if (!(m->parts.at[p].flags & PART_DISSOLVED)) {
            continue;
        }
        const sl_hybrid_unit *u = m->parts.at[p].unit;
        status = sl_component_sync(h, p);
        for (int32_t i = 0; i < u->n_row; i++) {
            m->equation_part[u->rows[i]] = -1;
            for (int32_t j = m->all->start[u->rows[i]]; j < m->all->start[u->rows[i] + 1]; j++) {
                m->part_of[m->all->variables[j]] = -1;
            }
        }
        for (int32_t i = 0; i < u->n_root; i++) {
            m->root_part[u->rows[u->n_row + i]] = -1;
        }
        m->parts.at[p].flags &= ~(uint32_t)PART_DISSOLVED;
        sl_component_retire(h, p);
    }
    return status;
}

/* Equations and roots that make no system together: no part has them until what is in force changes. */
static sl_status orphan(sl_hybrid *h, int32_t n_row, int32_t n_root, const int32_t *rows) {
    sl_motion *m = h->motion;
    bool fine = true;
    for (int32_t k = 0; k < n_row + n_root && fine; k++) {
        fine = SL_PUSH(h->ctx, &m->orphans, rows[k] + (k < n_row ? 0 : m->all->n_equation));
    }
    return fine ? SL_OK : SL_ERR_MEMORY;
}

/* They are put together anew. */
static void adopt(sl_motion *m) {
    for (int64_t k = 0; k < m->orphans.n; k++) {
        int32_t r = m->orphans.at[k] - m->all->n_equation;
        if (r < 0) {
            add_equation(m, m->orphans.at[k]);
        } else {
            add_root(m, r);
            add_held_by_root(m, r);
        }
    }
    m->orphans.n = 0;
}

/* Parts of all groups: those that are as they were stay. */
static sl_status rebuild(sl_hybrid *h, sl_diags *diags) {
    sl_motion *m = h->motion;
    unite(m);
    int32_t n = group(m), *starts = m->groups.at, *parts = m->members.at + m->es.n + m->rs.n; /* by group */
    int32_t *n_rows = parts + n;
    for (int32_t g = 0; g < n; g++) {
        const int32_t *rows = m->members.at + starts[g];
        int32_t count = starts[g + 1] - starts[g];
        n_rows[g] = 0;
        while (n_rows[g] < count && rows[n_rows[g]] < m->all->n_equation) {
            n_rows[g]++;
        }
        for (int32_t k = n_rows[g]; k < count; k++) {
            m->members.at[starts[g] + k] -= m->all->n_equation;
        }
        parts[g] = same_as_before(m, n_rows[g], count - n_rows[g], rows);
        if (parts[g] >= 0) {
            m->parts.at[parts[g]].flags &= ~(uint32_t)(PART_DISSOLVED | PART_JOINED);
        }
    }
    sl_status status = leave(h), failed = SL_OK;
    for (int32_t g = 0; g < n && status == SL_OK; g++) {
        if (parts[g] < 0) {
            int32_t n_root = starts[g + 1] - starts[g] - n_rows[g], *rows = m->members.at + starts[g];
            sl_status made = make_part(h, n_rows[g], n_root, rows, diags, &parts[g]);
            if (made == SL_OK) {
                enlist(m, parts[g]);
            }
            status = made == SL_OK || made == SL_ERR_MEMORY ? made : orphan(h, n_rows[g], n_root, rows);
            failed = failed == SL_OK && made != SL_OK ? made : failed;
        }
    }
    for (int64_t k = 0; k < m->joined.n && status == SL_OK; k++) {
        if (m->part_of[m->joined.at[k]] >= 0) {
            m->parts.at[m->part_of[m->joined.at[k]]].flags |= PART_JOINED;
        }
    }
    m->joined.n = 0;
    return status == SL_OK ? failed : status;
}

/* Variables touched that no integrator has, but for those of orphans. */
static bool stand_all(sl_hybrid *h) {
    sl_motion *m = h->motion;
    bool fine = true;
    int32_t moving = m->stamp, mark = ++m->stamp;
    for (int64_t k = 0; k < m->xs.n; k++) {
        int32_t p = m->part_of[m->xs.at[k]];
        if (p < 0 && m->moving_stamp[m->xs.at[k]] == moving) {
            continue;
        }
        const sl_hybrid_unit *u = p >= 0 ? m->parts.at[p].unit : NULL;
        int32_t n = u ? sl_dae_n_value(&u->mode.system) : 0;
        bool is_done = n > 0 && m->x_stamp[u->mode.variables[0]] == mark; /* all of a part at once */
        for (int32_t i = 0; i < n && !is_done; i++) {
            m->x_stamp[u->mode.variables[i]] = mark;
        }
        fine = (m->x_stamp[m->xs.at[k]] == mark || stand(h, m->xs.at[k])) && fine;
    }
    return fine;
}

/* Roots turned on or off within parts that stay. Where the integrator has not gone beyond the present, it only gets the new list; else the
 * part begins anew. */
static sl_status turn_roots(sl_hybrid *h) {
    sl_motion *m = h->motion;
    sl_status status = SL_OK;
    for (int64_t k = 0; k < m->toggled.n && status == SL_OK; k++) {
        int32_t p = m->root_part[m->toggled.at[k]];
        if (p < 0) {
            continue;
        }
        sl_component_ask(h, p);
        if (!(m->parts.at[p].flags & PART_HERE)) {
            status = sl_component_stop(h, p);
        }
    }
    return status;
}

/* Before the first equations every variable stands where it is. */
static void stand_everywhere(sl_hybrid *h) {
    for (int32_t j = 0; j < h->n_x; j++) {
        h->ops->stand(h->instance, j, h->x[j]);
    }
}

sl_status sl_components_follow(sl_hybrid *h, sl_diags *diags) {
    sl_motion *m = h->motion;
    sl_hybrid_force force;
    if (!m->is_entered) {
        sl_components_clear(h);
        stand_everywhere(h);
    }
    sl_status status = h->ops->force(h->instance, h->q, diags, &force);
    if (status != SL_OK) {
        return status;
    }
    m->stamp++;
    m->xs.n = m->es.n = m->rs.n = m->ps.n = m->toggled.n = 0;
    take(h, &force);
    adopt(m);
    spread(h);
    bool any = m->xs.n + m->es.n + m->rs.n + m->ps.n > 0;
    status = any ? rebuild(h, diags) : SL_OK;
    bool is_built = status == SL_OK || m->orphans.n > 0;
    status = is_built && any && !stand_all(h) ? SL_ERR_MEMORY : status;
    sl_status turned = is_built ? turn_roots(h) : SL_OK;
    status = status == SL_OK ? turned : status;
    if (status == SL_OK && m->n_in_force == 0) { /* time passes all the same */
        status = make_part(h, 0, 0, NULL, diags, &m->empty);
    } else if (status == SL_OK && m->empty >= 0 && m->n_in_force > 1) {
        sl_component_retire(h, m->empty);
        m->empty = -1;
    }
    m->is_entered = status == SL_OK || (m->orphans.n > 0 && status != SL_ERR_MEMORY);
    return status;
}
