/* SPDX-License-Identifier: MIT */
/* cuts.h: expressions cut where they jump or have a kink.
 *
 * Comparisons, abs, sign, min, max, floor, ceil, mod and tables divide the range of their arguments, and between the cuts the
 * expression is smooth. Splitting replaces each of them by a form that parameters choose: a comparison becomes a parameter,
 * |a| becomes if(p, a, -a), a table the polynomial between two of its points. Whoever integrates leaves the parameters alone as
 * long as the roots of a cut keep their sign; where one comes to zero, another state follows.
 *
 *     comparison, abs, min, max     SIDE    state 0 or 1, or SL_CUT_HELD      root: the argument
 *     sign, stick                   SIGN    state -1, 0, 1, or SL_CUT_HELD    root: the argument
 *     floor, ceil, mod              WHOLE   the whole number below            roots: to the number, to the next one
 *     tables                        TABLE   the point before, -1: none        roots: to the point, to the next one
 *     the ends of cubic tables      SIDE
 *
 * At rest (dry friction) the argument stays at zero, and the value of sign or stick is what keeps it there: an unknown of its
 * own, `unknown`, with the equation `at_rest`: the argument does not change. It ends where the unknown leaves -limit to limit. A
 * comparison that chooses between two expressions can rest likewise, as the mean of both that keeps the argument at zero
 * (Filippov 1988): with `slide`. In other states the unknown is a known value, sl_cut_known.
 *
 * A comparison for equality is left as it is: it holds at instants only. What stands in smooth(...) is not cut.
 */
#ifndef SL_EXPR_CUTS_H
#define SL_EXPR_CUTS_H

#include "expr/expr.h"

typedef enum sl_cut_kind { SL_CUT_SIDE = 0, SL_CUT_SIGN, SL_CUT_WHOLE, SL_CUT_TABLE } sl_cut_kind;

#define SL_CUT_HELD 2.0 /* the state of a SIDE or SIGN at rest */

enum { SL_CUT_PARAMETERS = 5, SL_CUT_ROOTS = 2 }; /* at most */

typedef struct sl_cut {
    sl_cut_kind kind;
    sl_expr of;                  /* the node as it is written */
    sl_expr argument;            /* split */
    int32_t parameter;           /* its first parameter in the graph; see sl_cut_apply */
    int32_t rest;                /* the parameter that is 1 at rest; -1: it cannot rest */
    int32_t table;               /* of a TABLE, or a SIDE that is beyond its points; else -1 */
    bool at_zero;                /* SIDE: where the argument is and stays zero */
    bool is_continuous;          /* both sides have the same value there: abs, min, max, most tables */
    bool of_time;                /* the argument holds nothing but time and parameters */
    bool holds_dx;               /* the argument holds a derivative */
    int32_t n_root;              /* 0: it is no cut any more */
    sl_expr roots[SL_CUT_ROOTS]; /* positive or of the sign of the state, while that lasts */
    int32_t unknown;             /* a variable of the graph, the value at rest; -1: it cannot rest */
    sl_expr limit;               /* of a SIGN at rest: its value lies in [-limit, limit]; of a SIDE in [0, 1] */
    sl_expr at_rest;             /* the equation for the unknown: to be 0 */
} sl_cut;

typedef struct sl_cuts {
    sl_context *ctx;
    sl_exprs *g;
    bool slide;     /* comparisons may rest */
    bool only_time; /* cut where time alone decides */
    sl_cut *at;
    int64_t n, cap;
    struct {
        int32_t *at;
        int64_t n, cap;
    } of_parameter, of_variable; /* the cut of a parameter, of a variable of the graph; -1: none */
    sl_expr *memo;               /* what a node was split into */
    int64_t n_memo, cap_memo;
} sl_cuts;

void sl_cuts_init(sl_cuts *p, sl_context *ctx, sl_exprs *g);
void sl_cuts_fini(sl_cuts *p);
/* From here on: where time alone decides, or everywhere. */
void sl_cuts_set_only_time(sl_cuts *p, bool only_time);
/* Splits an expression; cuts of the same node are shared. The arguments of a cut hold parameters of earlier ones only.
 * SL_ERR_MEMORY. */
sl_status sl_cuts_split(sl_cuts *p, sl_expr e, sl_expr *out);
/* The cut that a parameter belongs to, or that a leaf (parameter or variable of the graph) does; or -1. */
int32_t sl_cuts_of_leaf(const sl_cuts *p, sl_expr leaf);

/* The state where the argument is v and goes to v + slope; near: how close to zero it counts as zero. now: the state in force.
 * SIDE and SIGN that are at zero with slope zero: at_zero and 0. */
double sl_cut_state(const sl_exprs *g, const sl_cut *cut, double v, double slope, double near);
/* The state after a root (0 or 1) has come to zero; up: it rises. */
double sl_cut_next(const sl_exprs *g, const sl_cut *cut, int32_t root, bool up, double now);
bool sl_cut_state_is_valid(const sl_exprs *g, const sl_cut *cut, double state);
/* Sets the parameters of a cut for its state. */
void sl_cut_apply(const sl_exprs *g, const sl_cut *cut, double state, double *parameters);
/* Of one that can rest: what stands for the unknown in other states. */
double sl_cut_known(const sl_cut *cut, double state);
/* Is the argument of a table beyond its points, though nothing says that it goes on there? */
bool sl_cut_is_outside(const sl_exprs *g, const sl_cut *cut, double state);

#endif
