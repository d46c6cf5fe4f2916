/* SPDX-License-Identifier: MIT */
/* brute.c: see brute.h. */
#include "brute.h"

#include <math.h>

/* ---- Expressions -------------------------------------------------------------------------------- */

int brute_make(brute *b, brute_op op, int x, int y, int z) {
    assert_true(b->n_pool < BRUTE_POOL);
    b->pool[b->n_pool] = (brute_expr){.op = op, .arg = {x, y, z}};
    return b->n_pool++;
}
int brute_number(brute *b, double number) {
    int e = brute_make(b, BRUTE_NUMBER, 0, 0, 0);
    b->pool[e].number = number;
    return e;
}
int brute_leaf(brute *b, brute_op op, int variable) {
    int e = brute_make(b, op, 0, 0, 0);
    b->pool[e].variable = variable;
    return e;
}

static const struct {
    const char *before, *between;
    int n;
} forms[] = {
    [BRUTE_ADD] = {"(", " + ", 2},   [BRUTE_SUB] = {"(", " - ", 2},     [BRUTE_MUL] = {"(", "*", 2},
    [BRUTE_DIV] = {"(", "/", 2},     [BRUTE_POW] = {"(", "^", 2},       [BRUTE_MOD] = {"mod(", ", ", 2},
    [BRUTE_MIN] = {"min(", ", ", 2}, [BRUTE_MAX] = {"max(", ", ", 2},   [BRUTE_LT] = {"(", " < ", 2},
    [BRUTE_LE] = {"(", " <= ", 2},   [BRUTE_EQ] = {"(", " = ", 2},      [BRUTE_NE] = {"(", " != ", 2},
    [BRUTE_AND] = {"(", " & ", 2},   [BRUTE_OR] = {"(", " | ", 2},      [BRUTE_NEG] = {"(-", "", 1},
    [BRUTE_ABS] = {"abs(", "", 1},   [BRUTE_FLOOR] = {"floor(", "", 1}, [BRUTE_CEIL] = {"ceil(", "", 1},
    [BRUTE_NOT] = {"(!", "", 1},     [BRUTE_IF] = {"if(", ", ", 3},
};

void brute_print(const brute *b, int e, char *text) {
    const brute_expr *x = &b->pool[e];
    char *end = text + strlen(text);
    assert_true(end - text < BRUTE_TEXT - 64);
    switch ((int)x->op) {
    case BRUTE_NUMBER: (void)sprintf(end, x->number < 0.0 ? "(%g)" : "%g", x->number); return;
    case BRUTE_TIME: (void)strcpy(end, "t"); return;
    case BRUTE_VARIABLE: (void)sprintf(end, "q%d", x->variable); return;
    case BRUTE_DER: (void)sprintf(end, "der(q%d)", x->variable); return;
    default: break;
    }
    (void)strcpy(end, forms[x->op].before);
    for (int i = 0; i < forms[x->op].n; i++) {
        (void)strcat(text, i ? forms[x->op].between : "");
        brute_print(b, x->arg[i], text);
    }
    (void)strcat(text, ")");
}

double brute_eval(const brute *b, int e, int t, const int *q, const int *dq) {
    const brute_expr *x = &b->pool[e];
    switch ((int)x->op) {
    case BRUTE_NUMBER: return x->number;
    case BRUTE_TIME: return t;
    case BRUTE_VARIABLE: return q[x->variable];
    case BRUTE_DER: return dq[x->variable];
    default: break;
    }
    double v[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < forms[x->op].n; i++) {
        v[i] = brute_eval(b, x->arg[i], t, q, dq);
    }
    switch ((int)x->op) {
    case BRUTE_ADD: return v[0] + v[1];
    case BRUTE_SUB: return v[0] - v[1];
    case BRUTE_MUL: return v[0] * v[1];
    case BRUTE_DIV: return v[0] / v[1];
    case BRUTE_POW: return pow(v[0], v[1]);
    case BRUTE_MOD: return v[0] - v[1] * floor(v[0] / v[1]);
    case BRUTE_MIN: return v[0] < v[1] ? v[0] : v[1];
    case BRUTE_MAX: return v[0] > v[1] ? v[0] : v[1];
    case BRUTE_LT: return v[0] < v[1];
    case BRUTE_LE: return v[0] <= v[1];
    case BRUTE_EQ: return v[0] == v[1];
    case BRUTE_NE: return v[0] != v[1];
    case BRUTE_AND: return v[0] != 0.0 && v[1] != 0.0;
    case BRUTE_OR: return v[0] != 0.0 || v[1] != 0.0;
    case BRUTE_NEG: return -v[0];
    case BRUTE_ABS: return fabs(v[0]);
    case BRUTE_FLOOR: return floor(v[0]);
    case BRUTE_CEIL: return ceil(v[0]);
    case BRUTE_NOT: return v[0] == 0.0;
    default: return v[0] != 0.0 ? v[1] : v[2];
    }
}

/* ---- States and derivatives --------------------------------------------------------------------- */

int brute_n_state(const brute *b) {
    int n = 1;
    for (int i = 0; i < b->n; i++) {
        n *= b->domain[i];
    }
    return n;
}
void brute_state(const brute *b, int code, int *q) {
    for (int i = 0; i < b->n; i++, code /= b->domain[i - 1]) {
        q[i] = code % b->domain[i];
    }
}
int brute_code(const brute *b, const int *q) {
    int code = 0;
    for (int i = b->n - 1; i >= 0; i--) {
        code = code * b->domain[i] + q[i];
    }
    return code;
}

static void mark(const brute *b, int e, bool *held) {
    const brute_expr *x = &b->pool[e];
    if (x->op == BRUTE_DER) {
        held[x->variable] = true;
    }
    for (int i = 0; x->op > BRUTE_DER && i < forms[x->op].n; i++) {
        mark(b, x->arg[i], held);
    }
}

/* The next vector of values between -(n - 1) and n - 1, of those that are held; false: it was the last. */
static bool next_vector(const brute *b, const bool *held, int *d) {
    for (int i = 0; i < b->n; i++) {
        if (held[i] && d[i] < b->domain[i] - 1) {
            d[i]++;
            return true;
        }
        d[i] = held[i] ? 1 - b->domain[i] : 0;
    }
    return false;
}

/* Does the residual of transition j change with the derivative of variable i, at any state? */
static bool depends(const brute *b, int j, int i, const bool *held) {
    int q[BRUTE_VARIABLES], d[BRUTE_VARIABLES] = {0};
    for (int s = 0; s < brute_n_state(b); s++) {
        brute_state(b, s, q);
        for (int k = 0; k < b->n; k++) {
            d[k] = held[k] ? 1 - b->domain[k] : 0;
        }
        do {
            int e[BRUTE_VARIABLES];
            memcpy(e, d, sizeof e);
            e[i] = 1 - b->domain[i];
            double x = brute_eval(b, b->left[j], 0, q, d) - brute_eval(b, b->right[j], 0, q, d),
                   y = brute_eval(b, b->left[j], 0, q, e) - brute_eval(b, b->right[j], 0, q, e);
            if (fabs(x - y) > 1e-9) {
                return true;
            }
        } while (next_vector(b, held, d));
    }
    return false;
}

bool brute_is_plain(const brute *b) {
    for (int j = 0; j < b->m; j++) {
        bool held[BRUTE_VARIABLES] = {false};
        mark(b, b->left[j], held);
        mark(b, b->right[j], held);
        for (int i = 0; i < b->n; i++) {
            if (held[i] && !depends(b, j, i, held)) {
                return false;
            }
        }
    }
    return true;
}

int brute_derive(const brute *b, int t, const int *q, int most, int (*dq)[BRUTE_VARIABLES]) {
    bool held[BRUTE_VARIABLES] = {false}, active[BRUTE_TRANSITIONS];
    int d[BRUTE_VARIABLES] = {0}, n = 0;
    for (int j = 0; j < b->m; j++) {
        active[j] = brute_eval(b, b->guard[j], t, q, NULL) != 0.0;
        if (active[j]) {
            mark(b, b->left[j], held);
            mark(b, b->right[j], held);
        }
    }
    for (int i = 0; i < b->n; i++) {
        d[i] = held[i] ? 1 - b->domain[i] : 0;
    }
    for (;;) {
        bool fine = true;
        for (int j = 0; fine && j < b->m; j++) {
            fine = !active[j] || fabs(brute_eval(b, b->left[j], t, q, d) - brute_eval(b, b->right[j], t, q, d)) <= 1e-9;
        }
        if (fine && n < most) {
            memcpy(dq[n], d, sizeof d);
        }
        n += fine;
        if (!next_vector(b, held, d)) {
            return n;
        }
    }
}

/* ---- Verdicts ----------------------------------------------------------------------------------- */

enum { TIMES = BRUTE_LAST + BRUTE_PERIOD, MOST_DERIVATIVES = 2500, NO_EXECUTION = -1000000 };

typedef struct walk {
    const brute *b;
    bool guards;
    /* By time (after the last the period goes round) and state: 0 new, 1 open, 2 ends, 3 has an infinite execution; and the longest. */
    unsigned char mark[TIMES][BRUTE_STATES];
    int longest[TIMES][BRUTE_STATES];
} walk;

static bool any_active(const brute *b, int t, const int *q) {
    for (int j = 0; j < b->m; j++) {
        if (brute_eval(b, b->guard[j], t, q, NULL) != 0.0) {
            return true;
        }
    }
    return false;
}

static void visit(walk *w, int t, int code) {
    const brute *b = w->b;
    int q[BRUTE_VARIABLES], to[BRUTE_VARIABLES], (*dq)[BRUTE_VARIABLES] = malloc(MOST_DERIVATIVES * sizeof *dq);
    int next = t + 1 < TIMES ? t + 1 : BRUTE_LAST;
    brute_state(b, code, q);
    w->mark[t][code] = 1;
    int n = brute_derive(b, t, q, MOST_DERIVATIVES, dq), longest = NO_EXECUTION;
    assert_true(n <= MOST_DERIVATIVES);
    bool infinite = false, rests = w->guards && !any_active(b, t, q);
    for (int k = 0; k < n && !rests; k++) {
        bool zero = true;
        for (int i = 0; i < b->n; i++) {
            zero = zero && dq[k][i] == 0;
            to[i] = (q[i] + dq[k][i] + b->domain[i]) % b->domain[i];
        }
        if (zero && !w->guards) {
            longest = longest > 0 ? longest : 0;
            continue;
        }
        int s = brute_code(b, to);
        if (w->mark[next][s] == 0) {
            visit(w, next, s);
        }
        /* A state that is still open comes back to itself. */
        infinite = infinite || w->mark[next][s] == 1 || w->mark[next][s] == 3;
        longest = w->longest[next][s] + 1 > longest ? w->longest[next][s] + 1 : longest;
    }
    free(dq);
    longest = rests ? 0 : longest;
    w->longest[t][code] = longest;
    w->mark[t][code] = infinite ? 3 : 2;
}

brute_verdict brute_check(const brute *b, const bool *in, bool guards) {
    brute_verdict v = {.exclusive = true, .solvable = true, .deterministic = true, .zeno_free = true};
    int n = brute_n_state(b), q[BRUTE_VARIABLES], dq[1][BRUTE_VARIABLES];
    walk *w = calloc(1, sizeof *w);
    assert_true(n <= BRUTE_STATES);
    w->b = b;
    w->guards = guards;
    for (int s = 0; s < n; s++) {
        if (in && !in[s]) {
            continue;
        }
        brute_state(b, s, q);
        for (int t = 0; t < TIMES; t++) {
            int solutions = brute_derive(b, t, q, 1, dq), users[BRUTE_VARIABLES] = {0};
            v.solvable = v.solvable && solutions > 0;
            v.deterministic = v.deterministic && solutions == 1;
            for (int j = 0; j < b->m; j++) {
                bool held[BRUTE_VARIABLES] = {false};
                if (brute_eval(b, b->guard[j], t, q, NULL) != 0.0) {
                    v.active[j] = true;
                    mark(b, b->left[j], held);
                    mark(b, b->right[j], held);
                }
                for (int i = 0; i < b->n; i++) {
                    users[i] += held[i];
                    v.exclusive = v.exclusive && users[i] < 2;
                }
            }
        }
        if (w->mark[0][s] == 0) {
            visit(w, 0, s);
        }
        v.zeno[s] = w->mark[0][s] == 3;
        v.n_zeno += v.zeno[s];
        v.longest = w->longest[0][s] > v.longest ? w->longest[0][s] : v.longest;
    }
    v.zeno_free = v.n_zeno == 0;
    free(w);
    return v;
}
