/* SPDX-License-Identifier: MIT */
/* expr.h: expressions as one graph of shared nodes: made by calls or read from text, simplified, differentiated,
 * substituted, and shown as text, LaTeX, MathML and C. What evaluates many of them fast is tape.h; what follows changes of a few
 * variables is live.h. Theory and rules: docs/theory/expressions.md.
 *
 * A graph owns its nodes; a node is a number in it (sl_expr) and never changes. Equal nodes are one: two expressions
 * written alike have the same number. Arguments are older than the node, so ascending numbers are an order of evaluation
 * and nothing here recurses.
 *
 * Every value is a real number. Comparisons and logic give 0 or 1, and take what is not 0 for true. Numbers are in SI
 * units if they are quantities; a graph does not know units.
 *
 * A constructor gives SL_EXPR_NONE when memory is short, and whatever is made with SL_EXPR_NONE is SL_EXPR_NONE: build
 * on and look once at the end (sl_exprs_status tells the reason). Constructors fold constants and drop what has no
 * effect (+ 0, * 1, * 0 even if the other factor were infinite), else they keep what is written; sl_expr_simplify does
 * the rest.
 *
 * A graph that no more nodes are made in is const, and any number of threads may read it: what takes a const sl_exprs * writes
 * nothing into it, and what walks over it takes its scratch (sl_walk) as an argument. Who needs more nodes then makes them in a
 * copy. Tapes made from a graph need it no more.
 */
#ifndef SL_EXPR_EXPR_H
#define SL_EXPR_EXPR_H

#include <sluice/diag.h>

#include "base/report.h"
#include "numeric/lookup.h"

typedef int32_t sl_expr;
typedef struct sl_exprs sl_exprs;

enum {
    SL_EXPR_NONE = -1,
    SL_EXPR_ORDERS = 4 /* a variable and its first, second and third derivative by time */
};

/* X(NAME, word, least arguments, most; -1: any number). Words of functions are reserved as names. */
/* clang-format off */
#define SL_EXPR_OPS(X) \
    X(CONST, "", 0, 0)     X(VARIABLE, "", 0, 0) X(PARAMETER, "", 0, 0) X(TIME, "t", 0, 0) \
    X(ELEMENT, "", 0, 0)   X(PARAMETER_ELEMENT, "", 0, 0)               X(CELL, "", 0, 0) \
    X(ADD, "", 1, -1)      X(MUL, "", 1, -1)     X(DIV, "", 2, 2)       X(NEG, "", 1, 1)      X(POW, "", 2, 2) \
    X(SQRT, "sqrt", 1, 1)  X(EXP, "exp", 1, 1)   X(LOG, "log", 1, 1)    X(LOG10, "log10", 1, 1) \
    X(SIN, "sin", 1, 1)    X(COS, "cos", 1, 1)   X(TAN, "tan", 1, 1) \
    X(ASIN, "asin", 1, 1)  X(ACOS, "acos", 1, 1) X(ATAN, "atan", 1, 1) \
    X(SINH, "sinh", 1, 1)  X(COSH, "cosh", 1, 1) X(TANH, "tanh", 1, 1) \
    X(ABS, "abs", 1, 1)    X(SIGN, "sign", 1, 1) X(FLOOR, "floor", 1, 1) X(CEIL, "ceil", 1, 1) \
    X(ATAN2, "atan2", 2, 2) X(MOD, "mod", 2, 2) \
    X(MIN, "min", 1, -1)   X(MAX, "max", 1, -1)  X(IF, "if", 3, 3) \
    X(LT, "", 2, 2)        X(LE, "", 2, 2)       X(EQ, "", 2, 2)        X(NE, "", 2, 2) \
    X(NOT, "", 1, 1)       X(AND, "", 1, -1)     X(OR, "", 1, -1) \
    X(SMOOTH, "smooth", 1, 1) X(STICK, "stick", 2, 2) \
    X(TABLE, "", 1, 1)     X(SLOPE, "slope", 1, 1) \
    X(CALL, "", 1, -1)
/* clang-format on */

typedef enum sl_op {
#define SL_EXPR_OP(name, word, least, most) SL_OP_##name,
    SL_EXPR_OPS(SL_EXPR_OP)
#undef SL_EXPR_OP
        SL_OP_COUNT
} sl_op;

/* ---- The graph ---------------------------------------------------------------------------------- */

sl_exprs *sl_exprs_create(sl_context *ctx); /* NULL: out of memory */
void sl_exprs_destroy(sl_exprs *g);
/* SL_OK, or why a constructor gave SL_EXPR_NONE for the first time: SL_ERR_MEMORY, SL_ERR_USE (a number that is not
 * finite, a derivative of too high an order). It stays. */
sl_status sl_exprs_status(const sl_exprs *g);
int32_t sl_exprs_count(const sl_exprs *g); /* nodes */
/* A graph with the same nodes under the same numbers, and the same names, which it borrows: nothing can be declared in it.
 * The other one must outlive it and be const meanwhile. NULL: out of memory. */
sl_exprs *sl_exprs_copy(sl_context *ctx, const sl_exprs *of);
sl_context *sl_exprs_context(const sl_exprs *g);

/* Names. Variables, parameters and tables share one space of names:
 *     letter or _ , then letters, digits, _ ; parts joined by . ; indices in brackets: end[0,1].flow
 * Letters are ASCII letters and whatever is not ASCII. Variables and parameters are numbered from 0, each for
 * themselves, in order of declaration. */
enum {
    SL_SYMBOL_BOOLEAN = 1 /* takes the values 0 and 1 only: logic may keep it as it is */
};
/* SL_ERR_INPUT and a diagnostic (at place, which may be NULL) when the name is taken, reserved or badly formed. */
sl_status sl_expr_declare_variable(sl_exprs *g, sl_str name, unsigned flags, const sl_text_location *place,
                                   sl_diags *diags, sl_expr *out);
sl_status sl_expr_declare_parameter(sl_exprs *g, sl_str name, unsigned flags, const sl_text_location *place,
                                    sl_diags *diags, sl_expr *out);
/* A function of one argument: linear between n >= 1 points with rising x, and constant beyond them, unless shaped otherwise. It
 * is called by its name, name(h); its slope (at a point that of the right side) is slope(name, h). */
sl_status sl_expr_declare_table(sl_exprs *g, sl_str name, int32_t n, const double *x, const double *y,
                                const sl_text_location *place, sl_diags *diags, int32_t *out);
/* Before its first use. */
sl_status sl_expr_shape_table(sl_exprs *g, int32_t table, sl_table_kind kind, sl_table_beyond beyond);
void sl_exprs_table_shape(const sl_exprs *g, int32_t table, sl_table_kind *kind, sl_table_beyond *beyond);

/* ---- Arrays and loops ---------------------------------------------------------------------------
 * An array is n variables, or parameters, with successive numbers, called name[first] to name[first + n - 1]: a number less each than
 * variables with names of their own take. A loop is one expression for n cells: its leaves may be the element of an array that moves on
 * with the cell (ELEMENT, PARAMETER_ELEMENT: their symbol is that of cell 0) and the index itself (CELL: symbol is its value in
 * cell 0). Derivatives, leaves, text and tapes take it as one expression; sl_expr_eval gives its value in cell 0. */
typedef struct sl_expr_array {
    sl_str name;
    bool is_parameter;
    int32_t first, n; /* index of the first element; how many */
    int32_t symbol;   /* number of the first element among variables or parameters */
} sl_expr_array;
/* SL_ERR_INPUT and a diagnostic when a name is taken or badly formed, or there would be more than SL_EXPR_ARRAY elements. */
sl_status sl_expr_declare_array(sl_exprs *g, sl_str name, bool is_parameter, int32_t first, int32_t n,
                                const sl_text_location *place, sl_diags *diags, int32_t *symbol);
enum { SL_EXPR_ARRAY = 10000000 };
int32_t sl_exprs_n_array(const sl_exprs *g);
sl_expr_array sl_exprs_array(const sl_exprs *g, int32_t array);
/* The array that a variable (or parameter) is an element of, or -1. */
int32_t sl_exprs_array_of(const sl_exprs *g, bool is_parameter, int32_t symbol);
/* The number of the variable (or parameter) of this name, an element of an array or not, or -1. Makes no node. */
int32_t sl_expr_find_symbol(const sl_exprs *g, sl_str name, bool *is_parameter);

typedef struct sl_expr_loop {
    sl_str index; /* its name */
    int32_t first, n;
} sl_expr_loop;
/* As sl_expr_parse, for all cells of a loop at once. *is_uniform false: an element does not move on by one with each cell (p[2*i]): to be
 * read cell by cell, as loops of one, where the index is a number. The numbers that names in indices stand for: integer, NULL: none. */
typedef struct sl_expr_numbers {
    bool (*integer)(void *user, sl_str name, int64_t *value);
    void *user;
} sl_expr_numbers;
/* A whole number, likewise: sums and products. */
bool sl_expr_read_whole(sl_str text, const sl_expr_numbers *numbers, int64_t *value);
/* The length of the name at the start of s; 0: none. Does a word mean something of its own? */
size_t sl_expr_name_of(sl_str s);
bool sl_expr_is_reserved(sl_str word);
/* ... or is it the name of anything? */
bool sl_expr_is_taken(const sl_exprs *g, sl_str name);
sl_status sl_expr_parse_loop(sl_exprs *g, sl_str text, const sl_expr_loop *loop, const sl_expr_numbers *numbers,
                             const sl_text_location *place, sl_diags *diags, sl_expr *out, bool *is_uniform);
/* What the expression of a loop is in one cell. */
sl_expr sl_expr_cell(sl_exprs *g, sl_expr e, int32_t cell);
/* Does it differ from cell to cell? */
bool sl_expr_is_loop(sl_exprs *g, sl_expr e);
/* Is there anything below that may jump or bend (abs, if, tables, ...) and is not said to be smooth? */
bool sl_expr_has_kinks(sl_exprs *g, sl_expr e);
sl_expr sl_expr_element(sl_exprs *g, int32_t variable, int32_t order);
sl_expr sl_expr_parameter_element(sl_exprs *g, int32_t parameter);
sl_expr sl_expr_index(sl_exprs *g, int32_t first);

int32_t sl_exprs_n_variable(const sl_exprs *g);
int32_t sl_exprs_n_parameter(const sl_exprs *g);
/* The variable or parameter of this name, or SL_EXPR_NONE. */
sl_expr sl_expr_find(const sl_exprs *g, sl_str name);
sl_str sl_exprs_variable_name(const sl_exprs *g, int32_t variable);
sl_str sl_exprs_parameter_name(const sl_exprs *g, int32_t parameter);
int32_t sl_exprs_n_table(const sl_exprs *g);
/* The name of a table, and its points (borrowed). */
sl_str sl_exprs_table(const sl_exprs *g, int32_t table, int32_t *n, const double **x, const double **y);

/* ---- Looking at a node -------------------------------------------------------------------------- */

sl_op sl_expr_op(const sl_exprs *g, sl_expr e);
int32_t sl_expr_n_arg(const sl_exprs *g, sl_expr e);
/* Borrowed until the next node is made. */
const sl_expr *sl_expr_args(const sl_exprs *g, sl_expr e);
double sl_expr_value(const sl_exprs *g, sl_expr e);    /* of a CONST */
int32_t sl_expr_symbol(const sl_exprs *g, sl_expr e);  /* number of a VARIABLE or PARAMETER, table of TABLE and SLOPE */
int32_t sl_expr_order(const sl_exprs *g, sl_expr e);   /* of a VARIABLE: 0 itself, 1 its derivative, ... */
bool sl_expr_is_boolean(const sl_exprs *g, sl_expr e); /* never anything but 0 and 1 */
bool sl_expr_is_const(const sl_exprs *g, sl_expr e, double value);

typedef struct sl_expr_list {
    sl_expr *at;
    int64_t n, cap;
} sl_expr_list;

/* The scratch of walks over a graph. One serves any number of walks, one after the other, over one graph. */
typedef struct sl_walk {
    sl_context *ctx;
    uint32_t *mark; /* [n_node] a node is in the walk at hand if its mark is the stamp */
    int32_t *place; /* [n_node] its position in the list then */
    int64_t n_node; /* that there is memory for */
    uint32_t stamp;
    sl_expr_list stack;
    sl_expr_list below; /* room of sl_walk_eval */
    struct {
        double *at;
        int64_t n, cap;
    } values;
} sl_walk;
void sl_walk_init(sl_walk *w, sl_context *ctx);
void sl_walk_fini(sl_walk *w);
/* Appends the leaves of n expressions (all but CONST), ascending, each once, to *out, which grows from
 * the walk's context. Cost: the nodes below the roots. */
sl_status sl_walk_leaves(sl_walk *w, const sl_exprs *g, int32_t n, const sl_expr *roots, sl_expr_list *out);
/* All nodes below and with the roots, ascending: an order of evaluation. */
sl_status sl_walk_below(sl_walk *w, const sl_exprs *g, int32_t n, const sl_expr *roots, sl_expr_list *out);
/* The graph's own scratch, for one that nobody else uses. */
sl_walk *sl_exprs_walk(sl_exprs *g);
/* ... with it; the list is the graph's. */
sl_status sl_expr_leaves(sl_exprs *g, int32_t n, const sl_expr *roots, sl_expr_list *out);
sl_status sl_expr_below(sl_exprs *g, int32_t n, const sl_expr *roots, sl_expr_list *out);
void sl_expr_list_fini(const sl_exprs *g, sl_expr_list *list);

/* ---- Constructors ------------------------------------------------------------------------------- */

sl_expr sl_expr_const(sl_exprs *g, double value);
sl_expr sl_expr_variable(sl_exprs *g, int32_t variable, int32_t order);
sl_expr sl_expr_parameter(sl_exprs *g, int32_t parameter);
sl_expr sl_expr_time(sl_exprs *g);
/* Any operation on its arguments; of TABLE and SLOPE by sl_expr_table. */
sl_expr sl_expr_make(sl_exprs *g, sl_op op, int32_t n, const sl_expr *args);
sl_expr sl_expr_table(sl_exprs *g, int32_t table, bool slope, sl_expr x);

static inline sl_expr sl_expr_1(sl_exprs *g, sl_op op, sl_expr a) {
    return sl_expr_make(g, op, 1, &a);
}
static inline sl_expr sl_expr_2(sl_exprs *g, sl_op op, sl_expr a, sl_expr b) {
    return sl_expr_make(g, op, 2, (sl_expr[2]){a, b});
}
static inline sl_expr sl_expr_3(sl_exprs *g, sl_op op, sl_expr a, sl_expr b, sl_expr c) {
    return sl_expr_make(g, op, 3, (sl_expr[3]){a, b, c});
}
static inline sl_expr sl_expr_minus(sl_exprs *g, sl_expr a, sl_expr b) {
    return sl_expr_2(g, SL_OP_ADD, a, sl_expr_1(g, SL_OP_NEG, b));
}

/* ---- Transformations ---------------------------------------------------------------------------- */

/* The same function, as a rule shorter, and one form for many: like terms and factors are collected, sums and products
 * are in an order that depends on what is written in them only, logic is flat and free of what cannot matter. Values
 * change by rounding at most; where the original is not defined (x/x at 0) the result may be. Twice is as once. */
sl_expr sl_expr_simplify(sl_exprs *g, sl_expr e);

/* The partial derivative by a leaf (VARIABLE of some order, PARAMETER, TIME). At kinks of abs, min, max, if and tables it
 * is that of one side; of comparisons, logic, sign, floor and ceil it is 0. */
sl_expr sl_expr_diff(sl_exprs *g, sl_expr e, sl_expr by);
/* The total derivative by time: x becomes der(x), der(x) becomes der(x, 2); parameters are constant. */
sl_expr sl_expr_diff_time(sl_exprs *g, sl_expr e);

/* e with every from[i] replaced by to[i], all at once. */
sl_expr sl_expr_substitute(sl_exprs *g, sl_expr e, int32_t n, const sl_expr *from, const sl_expr *to);

/* An equation as the expression that is to be 0: a - b of a = b, anything else as it is. */
sl_expr sl_expr_residual(sl_exprs *g, sl_expr equation);

/* A sparse matrix of derivatives, by rows with rising columns. Entries that are 0 by their form are left out. */
typedef struct sl_jacobian {
    sl_context *ctx;
    int32_t n_row;
    int64_t nnz;
    int64_t *start; /* n_row + 1 */
    int32_t *column;
    uint8_t *moves; /* [nnz] of the row of a loop: the column is that of cell 0, and moves on with the cell */
    sl_expr *entry;
} sl_jacobian;

/* Which derivatives: those by the variables of order k go to column[k][variable] (-1, or column[k] NULL: to none), times
 * factor[k] (SL_EXPR_NONE: 1). Several may go to one column, where they are added: dF/dx + cj dF/dx' of a DAE takes
 * {cols, cols} and the parameter cj as factor[1]. */
typedef struct sl_jacobian_def {
    const int32_t *column[SL_EXPR_ORDERS];
    sl_expr factor[SL_EXPR_ORDERS];
} sl_jacobian_def;
/* Cost per row: the nodes below it. */
sl_status sl_jacobian_create(sl_exprs *g, int32_t n_row, const sl_expr *rows, const sl_jacobian_def *def,
                             sl_jacobian *out);
void sl_jacobian_fini(sl_jacobian *j);

/* ---- Evaluation of one expression ---------------------------------------------------------------- */

/* Where expressions are evaluated. A pointer that no expression needs may be NULL. */
typedef struct sl_expr_point {
    double t;
    const double *x[SL_EXPR_ORDERS]; /* variables, their first derivatives, ... */
    const double *p;                 /* parameters */
} sl_expr_point;

/* Walks the graph: for tests and for a few values. Same bits as a tape. SL_ERR_MEMORY. */
sl_status sl_expr_eval(const sl_exprs *g, sl_expr e, const sl_expr_point *at, double *out);
/* ... with a walk of one's own, which costs what is below. */
sl_status sl_walk_eval(sl_walk *w, const sl_exprs *g, sl_expr e, const sl_expr_point *at, double *out);

/* The value of an operation on n values; symbol: the table of TABLE and SLOPE. */
double sl_expr_apply(const sl_exprs *g, sl_op op, int32_t symbol, int32_t n, const double *v);

/* ---- Text --------------------------------------------------------------------------------------- */

/* Reads an expression. Operators, weakest first:
 *     | or      & and      = == != < <= > >= (no chains)      + -      * /      - ! not (signs)      ^ (from the right)
 * Functions: the words of SL_EXPR_OPS (smooth(a) is a, whose kinks are no events; stick(v, most) is sign(v), and anything from
 * -most to most while v rests at zero: see expr/cuts.h), and sum(...), count(...): how many are true; der(x), der(x, 2); tables by name;
 * true and false. t is time. Names must be declared.
 * place: where the text stands, begin being its first byte within the line; NULL: in itself.
 * SL_ERR_INPUT and a diagnostic with the place of the first thing that is wrong. */
sl_status sl_expr_parse(sl_exprs *g, sl_str text, const sl_text_location *place, sl_diags *diags, sl_expr *out);
enum { SL_EXPR_DEPTH = 200 }; /* of parentheses and the like in text */

typedef enum sl_expr_form {
    SL_EXPR_TEXT = 0, /* reads back as the same node */
    SL_EXPR_LATEX,    /* for math mode */
    SL_EXPR_C, /* of doubles: t, x[i], x1[i] (first derivative), x2[i], p[i]; tables as sl_table_0(h), sl_slope_0(h) */
    SL_EXPR_MATHML, /* for the inside of <math>: presentation MathML, well-formed XML in UTF-8 */
    SL_EXPR_FORMS
} sl_expr_form;
/* SL_ERR_MEMORY, or what the sink says. */
sl_status sl_expr_render(const sl_exprs *g, sl_expr e, sl_expr_form form, const sl_sink *sink);
/* ... of a loop, whose index may have another name than i and another first value than 0. */
sl_status sl_expr_render_loop(const sl_exprs *g, sl_expr e, const sl_expr_loop *loop, sl_expr_form form,
                              const sl_sink *sink);

#endif
