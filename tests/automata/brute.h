/* SPDX-License-Identifier: MIT */
/* brute.h: discrete automata by definitions 3.1.1 to 3.1.6, word by word: expressions as trees of their own, every derivative tried,
 * every state visited. It shares nothing with src/automata but the text that it prints. */
#ifndef BRUTE_H
#define BRUTE_H

#include "sl_test.h"

typedef enum brute_op {
    BRUTE_NUMBER,
    BRUTE_TIME,
    BRUTE_VARIABLE,
    BRUTE_DER,
    BRUTE_ADD,
    BRUTE_SUB,
    BRUTE_MUL,
    BRUTE_DIV,
    BRUTE_POW,
    BRUTE_MOD,
    BRUTE_MIN,
    BRUTE_MAX,
    BRUTE_LT,
    BRUTE_LE,
    BRUTE_EQ,
    BRUTE_NE,
    BRUTE_AND,
    BRUTE_OR,
    BRUTE_NEG,
    BRUTE_ABS,
    BRUTE_FLOOR,
    BRUTE_CEIL,
    BRUTE_NOT,
    BRUTE_IF
} brute_op;

typedef struct brute_expr {
    brute_op op;
    double number;
    int variable;
    int arg[3]; /* places in the automaton's pool */
} brute_expr;

enum {
    BRUTE_VARIABLES = 4,
    BRUTE_TRANSITIONS = 6,
    BRUTE_POOL = 4000,
    BRUTE_TEXT = 16000,
    BRUTE_LAST = 6,
    BRUTE_PERIOD = 2,
    BRUTE_STATES = 1300
};

typedef struct brute {
    int n, domain[BRUTE_VARIABLES];
    int m, left[BRUTE_TRANSITIONS], right[BRUTE_TRANSITIONS], guard[BRUTE_TRANSITIONS];
    int n_pool;
    brute_expr pool[BRUTE_POOL];
} brute;

int brute_number(brute *b, double number);
int brute_leaf(brute *b, brute_op op, int variable);
int brute_make(brute *b, brute_op op, int x, int y, int z); /* arguments that it has not are ignored */
/* Appends the expression, in the grammar of expressions, names being q0, q1, ... */
void brute_print(const brute *b, int e, char *text);
double brute_eval(const brute *b, int e, int t, const int *q, const int *dq);

int brute_n_state(const brute *b);
void brute_state(const brute *b, int code, int *q);
int brute_code(const brute *b, const int *q);
/* All derivatives at (t, q), at most `most` of them into dq: how many there are. */
int brute_derive(const brute *b, int t, const int *q, int most, int (*dq)[BRUTE_VARIABLES]);

/* Does every equation depend on each derivative that is written in it? Where one cancels, der(q) - der(q), it may be 0 or any. */
bool brute_is_plain(const brute *b);

typedef struct brute_verdict {
    bool exclusive, solvable, deterministic, zeno_free;
    int longest;                    /* t_m of the longest execution, if zeno_free */
    int n_zeno;                     /* initial states with an infinite execution */
    bool active[BRUTE_TRANSITIONS]; /* somewhere */
    bool zeno[BRUTE_STATES];
} brute_verdict;
/* Over the initial states of a set (NULL: all). Guards may depend on t below BRUTE_LAST, and on mod(t, BRUTE_PERIOD). guards: an execution ends where no
 * guard is active, else where the derivative is 0. */
brute_verdict brute_check(const brute *b, const bool *in, bool guards);

#endif
