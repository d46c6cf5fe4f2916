/* SPDX-License-Identifier: MIT */
/* structure.c: form, determination and index of a DAE from its pattern.
 *
 * The index is that of Pantelides (1988), found as Pryce (2001) sees it (offsets.h): with c_i differentiations of equation i and
 * derivatives of order d_j of variable j then, index = max c_i, plus 1 where some d_j is 0; sum d_j - sum c_i values may be given
 * at the start.
 */
#include "dae/structure.h"

#include "base/memory.h"
#include "base/out.h"
#include "base/report.h"
#include "dae/offsets.h"

#include <string.h>

const char *sl_dae_form_text(sl_dae_form form) {
    static const char *const text[SL_DAE_N_FORM] = {
        [SL_DAE_LINEAR_SEMI_CONSTANT] = "linear, semi-explicit, constant coefficients",
        [SL_DAE_LINEAR_SEMI_TIME] = "linear, semi-explicit, coefficients of time",
        [SL_DAE_LINEAR_IMPLICIT_CONSTANT] = "linear, fully implicit, constant coefficients",
        [SL_DAE_LINEAR_IMPLICIT_TIME] = "linear, fully implicit, coefficients of time",
        [SL_DAE_SEMI_GENERAL] = "nonlinear, semi-explicit",
        [SL_DAE_SEMI_LINEAR_DX] = "nonlinear, semi-explicit, linear in the derivatives",
        [SL_DAE_IMPLICIT_GENERAL] = "nonlinear, fully implicit",
        [SL_DAE_IMPLICIT_LINEAR_DX] = "nonlinear, fully implicit, linear in the derivatives"};
    return text[form];
}

const char *sl_dae_name(const sl_dae_system *s, bool equation, int32_t i, char buf[SL_DAE_NAME]) {
    if (s && s->name) {
        buf[0] = '\0';
        s->name(s->user, equation, i, buf);
        buf[SL_DAE_NAME - 1] = '\0';
    } else {
        (void)sl_format(buf, SL_DAE_NAME, equation ? "equation[%d]" : "x[%d]", (int)i);
    }
    return buf;
}

/* ---- Form --------------------------------------------------------------------------------------- */

typedef struct census {
    int32_t n_differential;       /* variables */
    int32_t n_with_dx;            /* equations with a derivative */
    bool one_each;                /* no equation has two derivatives, no derivative is in two equations */
    bool linear, time, linear_dx; /* in x and x'; coefficients depend on t; linear in x' */
    bool constant_dx;             /* derivatives have constant factors */
} census;

/* marks: one per equation, zero */
static census count(const sl_dae_pattern *p, uint8_t *marks) {
    census c = {.one_each = true, .linear = true, .linear_dx = true, .constant_dx = true};
    for (int32_t j = 0; j < p->n_variable; j++) {
        int32_t n_dx = 0;
        for (int32_t k = p->start[j]; k < p->start[j + 1]; k++) {
            uint8_t kind = p->kind[k];
            c.linear = c.linear && !(kind & (SL_DAE_NONLINEAR | SL_DAE_NONLINEAR_DX));
            c.linear_dx = c.linear_dx && !(kind & SL_DAE_NONLINEAR_DX);
            c.time = c.time || (kind & SL_DAE_TIME);
            if (kind & SL_DAE_DX) {
                c.constant_dx = c.constant_dx && !(kind & (SL_DAE_SCALED | SL_DAE_NONLINEAR_DX));
                c.one_each = c.one_each && n_dx == 0 && !marks[p->row[k]];
                c.n_with_dx += !marks[p->row[k]];
                marks[p->row[k]] = 1;
                n_dx++;
            }
        }
        c.n_differential += n_dx > 0;
    }
    return c;
}

static sl_dae_form form_of(const census *c) {
    bool explicit = c->one_each && c->constant_dx;
    if (c->linear) {
        return explicit ? (c->time ? SL_DAE_LINEAR_SEMI_TIME : SL_DAE_LINEAR_SEMI_CONSTANT)
                        : (c->time ? SL_DAE_LINEAR_IMPLICIT_TIME : SL_DAE_LINEAR_IMPLICIT_CONSTANT);
    }
    if (explicit) {
        return SL_DAE_SEMI_LINEAR_DX;
    }
    if (c->linear_dx) {
        return SL_DAE_IMPLICIT_LINEAR_DX;
    }
    return c->n_with_dx == c->n_differential ? SL_DAE_SEMI_GENERAL : SL_DAE_IMPLICIT_GENERAL;
}

/* ---- Index -------------------------------------------------------------------------------------- */

static sl_status find_index(sl_context *ctx, const sl_dae_pattern *p, sl_dae_structure *out) {
    size_t n = (size_t)p->n_variable, m = (size_t)p->start[n], bytes = (n + 1 + 2 * m) * sizeof(int32_t) + m + 1;
    int32_t *start = sl_alloc(ctx, bytes);
    if (!start) {
        return SL_ERR_MEMORY;
    }
    int32_t *col = start + n + 1, *from = col + m;
    uint8_t *order = (uint8_t *)(from + m);
    sl_offsets o;
    sl_incidence_transpose(&(sl_incidence){p->n_equation, p->n_variable, p->start, p->row}, start, col, from);
    for (size_t k = 0; k < m; k++) {
        order[k] = (p->kind[from[k]] & SL_DAE_DX) != 0;
    }
    sl_status status = sl_offsets_init(&o, ctx, p->n_variable, start, col, order);
    for (size_t i = 0; i < n && status == SL_OK; i++) {
        out->n_free += o.d[i] - o.c[i];
    }
    out->index = status == SL_OK ? sl_offsets_index(&o) : -1;
    sl_offsets_fini(&o);
    sl_free(ctx, start, bytes);
    return status;
}

/* ---- Messages ----------------------------------------------------------------------------------- */

enum { MAX_NAMED = 8 };

/* "a, b, c and 12 more" */
static void list(const sl_dae_system *names, bool equation, const uint8_t *part, sl_dm_subsystem wanted, int32_t n,
                 char *text, size_t room) {
    char name[SL_DAE_NAME];
    size_t len = 0;
    int32_t count = 0;
    text[0] = '\0';
    for (int32_t i = 0; i < n; i++) {
        if (part[i] == wanted && count++ < MAX_NAMED) {
            int wrote =
                sl_format(text + len, room - len, "%s%s", count > 1 ? ", " : "", sl_dae_name(names, equation, i, name));
            len = wrote > 0 && (size_t)wrote < room - len ? len + (size_t)wrote : room - 1;
        }
    }
    if (count > MAX_NAMED) {
        (void)sl_format(text + len, room - len, " and %d more", (int)(count - MAX_NAMED));
    }
}

static int32_t members(const uint8_t *part, sl_dm_subsystem wanted, int32_t n) {
    int32_t count = 0;
    for (int32_t i = 0; i < n; i++) {
        count += part[i] == wanted;
    }
    return count;
}

static void report_subsystem(const sl_dm_decomposition *p, sl_dm_subsystem part, const sl_dae_system *names,
                             const char *what, sl_diags *diags) {
    char equations[(MAX_NAMED + 1) * SL_DAE_NAME], variables[(MAX_NAMED + 1) * SL_DAE_NAME];
    int32_t m = members(p->row_subsystem, part, p->n_row), n = members(p->col_subsystem, part, p->n_col);
    bool over = part == SL_DM_OVER;
    list(names, true, p->row_subsystem, part, p->n_row, equations, sizeof equations);
    list(names, false, p->col_subsystem, part, p->n_col, variables, sizeof variables);
    if (over) {
        sl_report(diags, SL_ERROR, SL_CODE_OVERDETERMINED, NULL, NULL, NULL,
                  "take an equation away, or give one of them an unknown that no other equation needs",
                  "%d equation%s only %d unknown%s among %s: %s; unknowns: %s", (int)m, m == 1 ? " has" : "s have",
                  (int)n, n == 1 ? "" : "s", what, equations, n ? variables : "none");
    } else {
        sl_report(diags, SL_ERROR, SL_CODE_UNDERDETERMINED, NULL, NULL, NULL,
                  "add equations, or fix some of the unknowns", "%d of %s %s only %d equation%s: %s; equations: %s",
                  (int)n, what, n == 1 ? "has" : "have", (int)m, m == 1 ? "" : "s", variables, m ? equations : "none");
    }
}

sl_status sl_dae_check_square(sl_context *ctx, const sl_incidence *a, const sl_dae_system *names, const char *what,
                              sl_diags *diags, sl_dae_structure *out) {
    sl_dm_decomposition parts;
    sl_status status = sl_dm_decomposition_init(&parts, ctx, a);
    if (status != SL_OK) {
        return status;
    }
    if (out) {
        out->rank = parts.n_pair;
        out->n_block = parts.n_block;
        out->n_largest = parts.n_largest;
    }
    if (parts.n_pair < a->n_row) {
        report_subsystem(&parts, SL_DM_OVER, names, what, diags);
    }
    if (parts.n_pair < a->n_col) {
        report_subsystem(&parts, SL_DM_UNDER, names, what, diags);
    }
    bool square = parts.n_pair == a->n_row && parts.n_pair == a->n_col;
    sl_dm_decomposition_fini(&parts);
    return square ? SL_OK : SL_ERR_INPUT;
}

/* ---- The whole ---------------------------------------------------------------------------------- */

sl_status sl_dae_analyse(sl_context *ctx, const sl_dae_pattern *p, const sl_dae_system *names, sl_diags *diags,
                         sl_dae_structure *out) {
    *out = (sl_dae_structure){.n_equation = p->n_equation, .n_variable = p->n_variable, .index = -1};
    size_t n_mark = (size_t)p->n_equation + 1;
    uint8_t *marks = sl_alloc(ctx, n_mark);
    if (!marks) {
        return SL_ERR_MEMORY;
    }
    census c = count(p, marks);
    sl_free(ctx, marks, n_mark);
    out->n_differential = c.n_differential;
    out->regular = p->n_equation == p->n_variable;
    out->form = form_of(&c);
    sl_incidence a = {p->n_equation, p->n_variable, p->start, p->row};
    sl_status status = sl_dae_check_square(ctx, &a, names, "the variables", diags, out);
    if (status == SL_OK) {
        status = find_index(ctx, p, out);
    }
    return status;
}
