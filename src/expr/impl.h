/* SPDX-License-Identifier: MIT */
/* impl.h: what a graph is made of, for the files of src/expr. */
#ifndef SL_EXPR_IMPL_H
#define SL_EXPR_IMPL_H

#include "base/ids.h"
#include "base/memory.h"
#include "base/out.h"
#include "expr/expr.h"

typedef struct sl_node {
    uint8_t op;
    uint8_t order; /* of a VARIABLE */
    bool boolean;
    int32_t n;      /* arguments */
    int32_t symbol; /* VARIABLE, PARAMETER: number; TABLE, SLOPE: table; else 0 */
    union {
        double value;  /* CONST */
        int64_t first; /* of the arguments in args */
    } u;
    uint64_t hash; /* of what is written in the node and below it, the same in every graph */
} sl_node;

typedef enum sl_name_kind { SL_NAME_VARIABLE, SL_NAME_PARAMETER, SL_NAME_TABLE, SL_NAME_ARRAY } sl_name_kind;

/* Elements have their names one behind the other, stride bytes each. */
typedef struct sl_named_array {
    int32_t id, first, n, symbol;
    bool is_parameter;
    const char *names;
    size_t stride;
} sl_named_array;

/* What variables and parameters keep of their names: an id, or -1 - array. */

typedef struct sl_name {
    sl_name_kind kind;
    int32_t index; /* among its kind */
    unsigned flags;
} sl_name;

struct sl_exprs {
    sl_context *ctx;
    sl_status status;
    SL_ARRAY(sl_node) nodes;
    SL_ARRAY(sl_expr) args;
    int32_t *slots; /* hash table of nodes, -1: free; a power of two */
    int64_t n_slot;
    sl_ids *ids;
    SL_ARRAY(sl_name) names;      /* by id */
    SL_ARRAY(int32_t) variables;  /* id of each */
    SL_ARRAY(int32_t) parameters; /* id of each */
    SL_ARRAY(sl_lookup_table) tables;
    SL_ARRAY(int32_t) table_ids;
    SL_ARRAY(sl_named_array) arrays;
    int32_t n_bracketed;      /* names with indices that are no elements */
    sl_arena arena;           /* points of tables */
    bool is_copy;             /* names and tables, from ids to arena, are borrowed from another graph */
    sl_walk walk;             /* of those who make nodes */
    SL_ARRAY(sl_expr) simple; /* simplified form of a node, if known (else SL_EXPR_NONE) */
};

static inline const sl_node *sl_node_at(const sl_exprs *g, sl_expr e) {
    return &g->nodes.at[e];
}
static inline const sl_expr *sl_node_args(const sl_exprs *g, sl_expr e) {
    return g->nodes.at[e].n > 0 ? g->args.at + g->nodes.at[e].u.first : NULL;
}
/* How many of its arguments its value is made of. */
static inline int32_t sl_node_n_read(const sl_node *node) {
    return node->op == SL_OP_CALL ? 1 : node->n;
}
static inline sl_op sl_node_op(const sl_exprs *g, sl_expr e) {
    return (sl_op)g->nodes.at[e].op;
}

/* The word of an operation, its numbers of arguments. */
typedef struct sl_op_info {
    const char *word;
    int least, most;
} sl_op_info;
extern const sl_op_info sl_op_infos[SL_OP_COUNT];

/* Notes why, gives SL_EXPR_NONE. */
sl_expr sl_exprs_fail(sl_exprs *g, sl_status why);
/* The node as it is written, without folding. */
sl_expr sl_expr_cons(sl_exprs *g, sl_op op, int32_t symbol, int32_t order, double value, int32_t n,
                     const sl_expr *args);
/* What stands before and behind each argument of a long product, min or max, joined: that of one takes one operation more, so
 * the derivatives by all arguments take memory as the arguments do. */
typedef struct sl_sides {
    sl_expr *before, *behind; /* [n] each; SL_EXPR_NONE: nothing. NULL: the node is not long */
    int32_t n;
} sl_sides;
/* For so many derivatives by arguments of e. False: no memory, or a node could not be made. */
bool sl_sides_init(sl_exprs *g, sl_expr e, int32_t n_wanted, sl_sides *out);
void sl_sides_fini(const sl_exprs *g, sl_sides *s);
/* d times the partial derivative of node e by its i-th argument; 0 where there is none. */
sl_expr sl_expr_contribute(sl_exprs *g, sl_expr e, int32_t i, sl_expr d, const sl_sides *sides);

/* A name in LaTeX or MathML, with as many dots over it as the order of a derivative has: render_name.c. */
void sl_expr_write_name(sl_out *out, sl_str name, int order, bool mathml);

/* Takes a name; id: its number among names. */
sl_status sl_expr_declare(sl_exprs *g, sl_str name, sl_name new_name, const sl_text_location *place, sl_diags *diags,
                          int32_t *id);
/* arrays.c: the name of an element; the array, and the index, that a name asks for: NULL: it is no element. */
sl_str sl_array_element_name(const sl_exprs *g, int32_t array, int32_t symbol);
const sl_named_array *sl_array_find(const sl_exprs *g, sl_str name, int64_t *index);

/* a times the index of a loop, plus b; parse_index.c. */
typedef struct sl_affine {
    int64_t a, b;
} sl_affine;
bool sl_index_read(sl_str text, const sl_expr_loop *loop, const sl_expr_numbers *numbers, sl_affine *out);

/* calls.c: the functions that are written in the language itself. */
typedef struct sl_call_info {
    const char *word;
    int least, most;       /* arguments */
    const char *arguments; /* their names, separated by blanks */
    const char *body[4];   /* by the number of arguments beyond the least */
    bool is_smooth;        /* one derivative everywhere: its kinks are no events */
} sl_call_info;
extern const sl_call_info sl_calls[];
extern const int sl_n_call;
/* Its number, or -1. */
int sl_call_find(sl_str word);
/* The value of a function (whose number is call) and its arguments as one node: value first. */
sl_expr sl_expr_call(sl_exprs *g, int call, int32_t n, const sl_expr *value_and_args);

/* The length of the name at the start of s; 0: none. */
size_t sl_expr_name_length(sl_str s);
/* The operation with this word, or SL_OP_COUNT. */
sl_op sl_op_find(sl_str word);
/* Words that cannot be names and are no operation: der, sum, count, and, or, not, true, false. */
bool sl_expr_word_is_reserved(sl_str word);

/* An expression made anew, node by node in the order of evaluation; begin is false when there is no memory. */
typedef struct sl_rewrite {
    sl_expr_list list; /* the nodes below it, the expression itself last */
    sl_expr *to;       /* [list.n] what each becomes; SL_EXPR_NONE at first */
    sl_expr *args;     /* for as many as any node has */
    size_t size;
} sl_rewrite;
bool sl_rewrite_begin(sl_exprs *g, sl_expr e, sl_rewrite *w);
/* What the expression has become. */
sl_expr sl_rewrite_end(sl_exprs *g, sl_rewrite *w);

#endif
