/* SPDX-License-Identifier: MIT */
/* fuzz_expr.c: any text as an expression.
 *
 * Beside the absence of crashes it asserts, for every input:
 *   - what is refused has an error with a place within the text;
 *   - what is read is written as text that reads back as the same node, and so is its simplified form and its derivative;
 *   - a tape and a walk give the same bits; LaTeX and C can be written;
 *   - live values follow a change as a new evaluation would.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/out.h"
#include "expr/live.h"
#include "expr/tape.h"

#define REQUIRE(condition, ...)                             \
    do {                                                    \
        if (!(condition)) {                                 \
            fprintf(stderr, "fuzz_expr: %s: ", #condition); \
            fprintf(stderr, __VA_ARGS__);                   \
            fputc('\n', stderr);                            \
            abort();                                        \
        }                                                   \
    } while (0)

enum { N_VARIABLE = 4, LONGEST = 20000 }; /* bytes of text that are read back */

static void declare(sl_exprs *g) {
    static const char *const names[] = {"x", "y", "q[0,1].a", "b"};
    static const double xs[] = {-1.0, 0.0, 2.0}, ys[] = {3.0, -1.0, 5.0};
    sl_expr e;
    int32_t table;
    for (int i = 0; i < N_VARIABLE; i++) {
        REQUIRE(sl_expr_declare_variable(g, sl_str_z(names[i]), i == 3 ? SL_SYMBOL_BOOLEAN : 0, NULL, NULL, &e) ==
                    SL_OK,
                "%s", names[i]);
    }
    REQUIRE(sl_expr_declare_parameter(g, sl_str_z("p"), 0, NULL, NULL, &e) == SL_OK, "p");
    REQUIRE(sl_expr_declare_table(g, sl_str_z("tab"), 3, xs, ys, NULL, NULL, &table) == SL_OK, "tab");
}

static void check_text(sl_context *ctx, sl_exprs *g, sl_expr e, const char *what) {
    for (int form = SL_EXPR_FORMS - 1; form >= 0; form--) {
        sl_bytes bytes;
        sl_bytes_init(&bytes, ctx);
        sl_sink sink = sl_bytes_sink(&bytes);
        REQUIRE(sl_expr_render(g, e, (sl_expr_form)form, &sink) == SL_OK, "%s, form %d", what, form);
        sl_expr again = SL_EXPR_NONE;
        if (form == SL_EXPR_TEXT && bytes.n <= LONGEST) {
            sl_diags *diags = NULL;
            REQUIRE(sl_diags_create(ctx, &diags) == SL_OK, "diags");
            sl_status status = sl_expr_parse(g, (sl_str){bytes.at, (size_t)bytes.n}, NULL, diags, &again);
            bool deep = status != SL_OK && strstr(sl_diags_at(diags, 0)->text, "nested too deeply");
            REQUIRE(again == e || deep, "%s: %.*s", what, (int)bytes.n, bytes.at);
            sl_diags_destroy(diags);
        }
        sl_bytes_fini(&bytes);
    }
}

static bool same(double a, double b) {
    return a == b || (a != a && b != b);
}

static void check_values(sl_exprs *g, int32_t n, const sl_expr *roots) {
    double x[4][N_VARIABLE] = {{0.5, -1.25, 3.0, 1.0}, {2.0, 0.0, 1e10, -7.0}, {1.0}, {-3.0}};
    const double p = 0.75;
    sl_expr_point at = {.t = 1.5, .x = {x[0], x[1], x[2], x[3]}, .p = &p};
    sl_tape *tape = NULL;
    sl_live_plan *plan = NULL;
    sl_live *live = NULL;
    REQUIRE(sl_tape_create(g, sl_exprs_walk(g), n, roots, &tape) == SL_OK, "tape");
    REQUIRE(sl_live_plan_create(g, n, roots, &plan) == SL_OK &&
                sl_live_create(sl_exprs_context(g), plan, &at, &live) == SL_OK,
            "live");
    void *work = malloc(sl_tape_work_size(tape) + 1);
    double *out = malloc((size_t)n * sizeof *out), y = 0.0;
    for (int round = 0; round < 2; round++) {
        sl_tape_eval(tape, &at, work, out);
        for (int32_t i = 0; i < n; i++) {
            REQUIRE(sl_expr_eval(g, roots[i], &at, &y) == SL_OK && same(y, out[i]), "root %d: %g, %g", (int)i, y,
                    out[i]);
            REQUIRE(same(y, sl_live_root(live, i)), "live root %d: %g, %g", (int)i, y, sl_live_root(live, i));
        }
        x[0][1] = at.t = 0.0;
        sl_live_set_variable(live, 1, 0, 0.0);
        sl_live_set_time(live, 0.0);
        sl_live_update(live, NULL);
    }
    free(work);
    free(out);
    sl_live_destroy(live);
    sl_live_plan_destroy(plan);
    sl_tape_destroy(tape);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sl_fuzz_begin();
    if (size > 2000) {
        return 0;
    }
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    REQUIRE(sl_context_create(NULL, &ctx) == SL_OK && sl_diags_create(ctx, &diags) == SL_OK, "out of memory");
    sl_exprs *g = sl_exprs_create(ctx);
    declare(g);
    sl_expr e;
    sl_status status = sl_expr_parse(g, (sl_str){(const char *)data, size}, NULL, diags, &e);
    if (status == SL_OK) {
        sl_expr simple = sl_expr_simplify(g, e), d = sl_expr_diff(g, e, sl_expr_variable(g, 0, 0));
        REQUIRE(e >= 0 && simple >= 0 && d >= 0 && sl_expr_simplify(g, simple) == simple, "nodes");
        sl_expr roots[] = {e, simple, d, e};
        check_text(ctx, g, e, "as read");
        check_text(ctx, g, simple, "simplified");
        check_values(g, 4, roots);
    } else {
        REQUIRE(status == SL_ERR_INPUT && sl_diags_size(diags) == 1 && e == SL_EXPR_NONE, "%s", sl_status_text(status));
        const sl_diag *m = sl_diags_at(diags, 0);
        REQUIRE(m->column >= 1 && m->column <= size + 1 && m->text[0], "column %u", m->column);
    }
    sl_exprs_destroy(g);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return 0;
}
