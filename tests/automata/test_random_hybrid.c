/* SPDX-License-Identifier: MIT */
/* Random hybrid automata against a simulator of the test's own: linear motion by matrix exponentials, which are exact, crossings by
 * bisection, and the order of pieces as docs/theory/hybrid.md says. Compared are the verdict, the times and roots of all crossings,
 * and the states at all crossings and at the end. Cases in which a root comes so near to zero without crossing, or two cross so close
 * together, that tolerances decide are left out, and counted. Every other case has choices in its equations, if(g >= 0, ...), in
 * the place of modes that roots decide. */
#include "sl_test.h"

#include "automata/automaton.h"
#include "automata/read.h"
#include "hybrid/hybrid.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_X = 3, MOST_Q = 3, MOST_EVENT = 400, N_CASE = 1000 };

static const double end_time = 3.0;

typedef struct plant {
    int n, n_root, n_mode; /* variables; roots, each with a variable r; variables m with transitions */
    double a[2][MOST_X][MOST_X], b[2][MOST_X]; /* row i in its two modes */
    int by[MOST_X];                            /* the discrete variable that decides on row i: r first, then m */
    double c[MOST_Q][MOST_X], d[MOST_Q];       /* roots c x + d */
    int guard[MOST_Q][2];                      /* m[k] flips where r[guard 0] = guard 1, and so */
    int and_m[MOST_Q];                         /* ... m[k] = this */
    double jump[MOST_Q][MOST_X], add[MOST_Q];  /* while m[k] is 1, x[k] := jump x + add after a discrete execution */
    bool acts[MOST_Q];
    double x0[MOST_X];
    int m0[MOST_Q];
} plant;

typedef struct path {
    int n; /* crossings */
    double t[MOST_EVENT], x[MOST_EVENT][MOST_X];
    int root[MOST_EVENT];
    double end[MOST_X];
    int q[2 * MOST_Q];
    enum { FINE, ZENO, UNCLEAR } verdict;
} path;

static uint64_t seed;

static double draw(double low, double high) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}
static int pick(int n) {
    return (int)draw(0.0, n);
}
static double rounded(double v) {
    return round(64.0 * v) / 64.0; /* the text has it exactly */
}

static plant random_plant(void) {
    plant s = {.n = 1 + pick(MOST_X), .n_root = 1 + pick(MOST_Q), .n_mode = 1 + pick(MOST_Q)};
    for (int i = 0; i < s.n; i++) {
        for (int w = 0; w < 2; w++) {
            for (int j = 0; j < s.n; j++) {
                s.a[w][i][j] = pick(3) ? rounded(draw(-3.0, 3.0)) : 0.0;
            }
            s.b[w][i] = rounded(draw(-2.0, 2.0));
        }
        s.by[i] = pick(s.n_root + s.n_mode);
        s.x0[i] = rounded(draw(-2.0, 2.0));
    }
    for (int k = 0; k < s.n_root; k++) {
        for (int j = 0; j < s.n; j++) {
            s.c[k][j] = j == k % s.n || pick(2) ? rounded(draw(-1.0, 1.0)) : 0.0;
        }
        s.c[k][k % s.n] += s.c[k][k % s.n] >= 0.0 ? 0.25 : -0.25;
        s.d[k] = rounded(draw(-1.0, 1.0)) + 1.0 / 1024.0;
    }
    for (int k = 0; k < s.n_mode; k++) {
        s.guard[k][0] = pick(s.n_root);
        s.guard[k][1] = pick(2);
        s.and_m[k] = pick(2);
        s.m0[k] = pick(2);
        s.acts[k] = k < s.n && pick(2) == 0;
        s.add[k] = rounded(draw(-1.0, 1.0));
        for (int j = 0; j < s.n; j++) {
            s.jump[k][j] = rounded(draw(-1.0, 1.0));
        }
    }
    return s;
}

/* ---- The simulator ------------------------------------------------------------------------------ */

typedef struct moment {
    double t, x[MOST_X];
    int q[2 * MOST_Q]; /* r, then m */
} moment;

static int mode_of(const plant *s, const moment *at) {
    int mode = 0;
    for (int i = 0; i < s->n; i++) {
        mode |= at->q[s->by[i] < s->n_root ? s->by[i] : MOST_Q + s->by[i] - s->n_root] << i;
    }
    return mode;
}

static void slope(const plant *s, int mode, const double *x, double *dx) {
    for (int i = 0; i < s->n; i++) {
        int w = mode >> i & 1;
        dx[i] = s->b[w][i];
        for (int j = 0; j < s->n; j++) {
            dx[i] += s->a[w][i][j] * x[j];
        }
    }
}

typedef struct matrix {
    double at[MOST_X + 1][MOST_X + 1];
} matrix;

static matrix product(const matrix *a, const matrix *b, int n) {
    matrix c = {0};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < n; k++) {
                c.at[i][j] += a->at[i][k] * b->at[k][j];
            }
        }
    }
    return c;
}

/* exp(h [A b; 0 0]) by halving and its series. */
static matrix flow(const plant *s, int mode, double h) {
    enum { HALVES = 8, TERMS = 14 };
    int n = s->n + 1;
    matrix m = {0}, sum = {0}, term = {0};
    for (int i = 0; i < s->n; i++) {
        int w = mode >> i & 1;
        for (int j = 0; j < s->n; j++) {
            m.at[i][j] = ldexp(h * s->a[w][i][j], -HALVES);
        }
        m.at[i][s->n] = ldexp(h * s->b[w][i], -HALVES);
    }
    for (int i = 0; i < n; i++) {
        sum.at[i][i] = term.at[i][i] = 1.0;
    }
    for (int k = 1; k <= TERMS; k++) {
        term = product(&term, &m, n);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                term.at[i][j] /= k;
                sum.at[i][j] += term.at[i][j];
            }
        }
    }
    for (int k = 0; k < HALVES; k++) {
        sum = product(&sum, &sum, n);
    }
    return sum;
}

static void move(const plant *s, const matrix *f, const double *x, double *to) {
    double y[MOST_X];
    for (int i = 0; i < s->n; i++) {
        y[i] = f->at[i][s->n];
        for (int j = 0; j < s->n; j++) {
            y[i] += f->at[i][j] * x[j];
        }
    }
    memcpy(to, y, sizeof y);
}

static double root_at(const plant *s, int k, const double *x) {
    double g = s->d[k];
    for (int j = 0; j < s->n; j++) {
        g += s->c[k][j] * x[j];
    }
    return g;
}

static double rate_at(const plant *s, int k, const double *dx) {
    double g = 0.0;
    for (int j = 0; j < s->n; j++) {
        g += s->c[k][j] * dx[j];
    }
    return g;
}

static const double zero = 2e-9; /* what the simulators' errors may make of zero */

/* The roots decide; fired: the one that has just crossed, or -1. False: tolerances decide. */
static bool decide(const plant *s, moment *at, int fired, bool up) {
    double dx[MOST_X];
    slope(s, mode_of(s, at), at->x, dx);
    int r[MOST_Q];
    for (int k = 0; k < s->n_root; k++) {
        double g = root_at(s, k, at->x), rate = rate_at(s, k, dx);
        if (k == fired) {
            r[k] = up;
        } else if (fabs(g) <= zero) {
            if (fabs(rate) < 1e-5) {
                return false;
            }
            r[k] = rate > 0.0;
        } else {
            if (fabs(g) < 1e-6) {
                return false;
            }
            r[k] = g > 0.0;
        }
    }
    memcpy(at->q, r, (size_t)s->n_root * sizeof *r);
    return true;
}

static int active_flips(const plant *s, const moment *at) {
    int set = 0;
    for (int k = 0; k < s->n_mode; k++) {
        set |= (at->q[s->guard[k][0]] == s->guard[k][1] && at->q[MOST_Q + k] == s->and_m[k]) << k;
    }
    return set;
}

static void act(const plant *s, moment *at) {
    double x[MOST_X];
    memcpy(x, at->x, sizeof x);
    for (int k = 0; k < s->n_mode; k++) {
        if (s->acts[k] && at->q[MOST_Q + k]) {
            x[k] = s->add[k];
            for (int j = 0; j < s->n; j++) {
                x[k] += s->jump[k][j] * at->x[j];
            }
        }
    }
    memcpy(at->x, x, sizeof x);
}

/* All that happens at an instant. A root that has crossed stays on its side until values or equations are others. */
static int happen(const plant *s, moment *at, int fired, bool up, path *p) {
    int mode = mode_of(s, at), changed[2 * MOST_Q] = {0};
    for (;;) {
        moment before = *at;
        if (!decide(s, at, fired, up)) {
            return UNCLEAR;
        }
        for (int j = 0; j < s->n_root; j++) {
            changed[j] += at->q[j] != before.q[j];
        }
        for (;;) { /* discrete executions and actions */
            int n_step = 0, touched = 0;
            for (int set; (set = active_flips(s, at)) != 0; n_step++) {
                if (n_step > 16) {
                    return ZENO; /* it has come round */
                }
                for (int k = 0; k < s->n_mode; k++) {
                    at->q[MOST_Q + k] ^= set >> k & 1;
                }
                touched |= set;
            }
            for (int k = 0; k < s->n_mode; k++) {
                changed[MOST_Q + k] += touched >> k & 1;
            }
            for (int j = 0; j < 2 * MOST_Q; j++) {
                if (changed[j] > 20) {
                    return ZENO;
                }
            }
            if (n_step == 0) {
                break;
            }
            bool acted = false, moved = mode_of(s, at) != mode;
            for (int k = 0; k < s->n_mode; k++) {
                acted = acted || (s->acts[k] && at->q[MOST_Q + k]);
            }
            act(s, at);
            mode = mode_of(s, at);
            before = *at;
            if (!decide(s, at, acted || moved ? -1 : fired, up)) {
                return UNCLEAR;
            }
            fired = acted || moved ? -1 : fired;
            for (int j = 0; j < s->n_root; j++) {
                changed[j] += at->q[j] != before.q[j];
            }
        }
        if (mode_of(s, at) == mode) {
            return FINE;
        }
        mode = mode_of(s, at); /* in another mode the roots are asked again */
        fired = -1;
    }
    (void)p;
}

/* The first zero of root k within h after x, by bisection; g has different signs at its ends. */
static double find_crossing(const plant *s, int mode, int k, const double *x, double h) {
    double low = 0.0, high = h, y[MOST_X], start = root_at(s, k, x);
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        matrix f = flow(s, mode, middle);
        move(s, &f, x, y);
        *((root_at(s, k, y) > 0.0) == (start > 0.0) ? &low : &high) = middle;
    }
    return high;
}

/* Where the rate of root k changes its sign within h after x. */
static double find_turn(const plant *s, int mode, int k, const double *x, double h) {
    double low = 0.0, high = h, y[MOST_X], dx[MOST_X];
    slope(s, mode, x, dx);
    double start = rate_at(s, k, dx);
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        matrix f = flow(s, mode, middle);
        move(s, &f, x, y);
        slope(s, mode, y, dx);
        *((rate_at(s, k, dx) > 0.0) == (start > 0.0) ? &low : &high) = middle;
    }
    return high;
}

static void simulate(const plant *s, path *p) {
    const double h = 1.0 / 256.0;
    moment at = {.t = 0.0};
    double dx[MOST_X], y[MOST_X];
    memcpy(at.x, s->x0, sizeof at.x);
    for (int k = 0; k < s->n_mode; k++) {
        at.q[MOST_Q + k] = s->m0[k];
    }
    *p = (path){0};
    int what = happen(s, &at, -1, false, p);
    while (what == FINE && at.t < end_time) {
        int mode = mode_of(s, &at), first = -1;
        double step = fmin(h, end_time - at.t), when = step;
        matrix f = flow(s, mode, step);
        move(s, &f, at.x, y);
        for (int i = 0; i < s->n; i++) {
            what = fabs(y[i]) > 1e4 ? UNCLEAR : what;
        }
        for (int k = 0; k < s->n_root && what == FINE; k++) {
            double g = root_at(s, k, at.x), after = root_at(s, k, y), found = step;
            bool was_above = at.q[k];
            double of[2];
            slope(s, mode, at.x, dx);
            of[0] = rate_at(s, k, dx);
            slope(s, mode, y, dx);
            of[1] = rate_at(s, k, dx);
            double turn = of[0] * of[1] < 0.0 ? find_turn(s, mode, k, at.x, step) : step, z[MOST_X];
            matrix to = flow(s, mode, turn);
            move(s, &to, at.x, z);
            double lowest = root_at(s, k, z);
            if (turn < step && fabs(lowest) < 1e-6) {
                what = UNCLEAR; /* it touches zero, or nearly */
            } else if (fabs(g) <= zero) {
                /* it has just crossed: on the side where it goes first, until the turn */
                bool back = turn < step && (after > 0.0) != was_above;
                found = back ? turn + find_crossing(s, mode, k, z, step - turn) : step;
                what = back || (after > 0.0) == was_above ? what : UNCLEAR;
            } else if (turn < step && (lowest > 0.0) != was_above) {
                found = find_crossing(s, mode, k, at.x, turn);
            } else if ((after > 0.0) != was_above) {
                found = turn < step ? turn + find_crossing(s, mode, k, z, step - turn)
                                    : find_crossing(s, mode, k, at.x, step);
            }
            if (found < step && first >= 0 && fabs(found - when) < 1e-7) {
                what = UNCLEAR;
            }
            if (found < when) {
                when = found;
                first = k;
            }
        }
        if (what != FINE) {
            break;
        }
        f = flow(s, mode, when);
        move(s, &f, at.x, at.x);
        at.t = first < 0 && step < h ? end_time : at.t + when;
        if (first >= 0) {
            if (p->n == MOST_EVENT) {
                what = UNCLEAR; /* many, perhaps too many */
                break;
            }
            slope(s, mode, at.x, dx);
            if (fabs(rate_at(s, first, dx)) < 1e-4 || end_time - at.t < 1e-6) {
                what = UNCLEAR;
                break;
            }
            p->t[p->n] = at.t;
            p->root[p->n] = first;
            memcpy(p->x[p->n++], at.x, sizeof at.x);
            what = happen(s, &at, first, !at.q[first], p);
        }
    }
    p->verdict = (unsigned)what == FINE ? FINE : what == ZENO ? ZENO : UNCLEAR;
    for (int k = 20; k < p->n && what == FINE; k++) { /* near the limit of 50 within a millionth of the run */
        p->verdict = p->t[k] - p->t[k - 20] < 1e-4 ? UNCLEAR : p->verdict;
    }
    memcpy(p->end, at.x, sizeof at.x);
    memcpy(p->q, at.q, sizeof at.q);
}

/* ---- The same as text --------------------------------------------------------------------------- */

typedef struct text {
    char at[16000];
    int n;
} text;

static void put(text *t, const char *format, ...) SL_PRINTF(2, 3);
static void put(text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    t->n += vsnprintf(t->at + t->n, sizeof t->at - (size_t)t->n, format, args);
    va_end(args);
}

static void put_linear(text *t, const plant *s, const double *c, double d) {
    put(t, "%.17g", d);
    for (int j = 0; j < s->n; j++) {
        put(t, " + (%.17g)*x%d", c[j], j);
    }
}

/* choices: what a root chooses in the equations is an event from these, beside the root. */
static void write_plant(const plant *s, bool choices, text *t) {
    t->n = 0;
    put(t, "sluice: automaton/1\nautomaton: random\ncontinuous:\n");
    for (int i = 0; i < s->n; i++) {
        put(t, "  x%d: %.17g\n", i, s->x0[i]);
    }
    put(t, "discrete:\n");
    for (int k = 0; k < s->n_root; k++) {
        put(t, "  r%d: 2\n", k);
    }
    for (int k = 0; k < s->n_mode; k++) {
        put(t, "  m%d: {states: 2, start: %d}\n", k, s->m0[k]);
    }
    put(t, "activities:\n");
    for (int i = 0; i < s->n; i++) {
        bool root = s->by[i] < s->n_root;
        if (root && choices) {
            put(t, "  - equation: 'der(x%d) = if(", i);
            put_linear(t, s, s->c[s->by[i]], s->d[s->by[i]]);
            put(t, " >= 0, ");
            put_linear(t, s, s->a[1][i], s->b[1][i]);
            put(t, ", ");
            put_linear(t, s, s->a[0][i], s->b[0][i]);
            put(t, ")'\n");
            continue;
        }
        for (int w = 0; w < 2; w++) {
            put(t, "  - {equation: 'der(x%d) = ", i);
            put_linear(t, s, s->a[w][i], s->b[w][i]);
            put(t, "', when: '%s%s%d'}\n", w ? "" : "!", root ? "r" : "m", root ? s->by[i] : s->by[i] - s->n_root);
        }
    }
    put(t, "roots:\n");
    for (int k = 0; k < s->n_root; k++) {
        put(t, "  - {decides: r%d, by: '", k);
        put_linear(t, s, s->c[k], s->d[k]);
        put(t, "'}\n");
    }
    put(t, "transitions:\n");
    for (int k = 0; k < s->n_mode; k++) {
        put(t, "  - {equation: der(m%d) = 1, when: '%sr%d & %sm%d'}\n", k, s->guard[k][1] ? "" : "!", s->guard[k][0],
            s->and_m[k] ? "" : "!", k);
    }
    for (int k = 0, any = 0; k < s->n_mode; k++) {
        if (s->acts[k]) {
            put(t, "%s", any++ ? "" : "actions:\n");
            put(t, "  - {set: x%d, to: '", k);
            put_linear(t, s, s->jump[k], s->add[k]);
            put(t, "', when: m%d}\n", k);
        }
    }
    put(t, "run: {end: 3, tolerance: 1e-11, absolute: 1e-13}\n");
}

static bool same_states(const plant *s, const double *x, const double *y, double allowed) {
    bool same = true;
    for (int i = 0; i < s->n; i++) {
        same = same && fabs(x[i] - y[i]) <= allowed * (1.0 + fabs(y[i]));
    }
    return same;
}

/* NULL: as expected; else what differs. */
static const char *compare(sl_hybrid *h, const plant *s, const path *p, sl_diags *diags) {
    sl_hybrid_info info;
    int n_root, n = 0;
    for (;; n++) {
        sl_status status = sl_hybrid_next(h, SL_HYBRID_CROSSING, diags, &info);
        if (status != SL_OK) {
            bool zeno = sl_diags_size(diags) && sl_diags_at(diags, sl_diags_size(diags) - 1)->code == SL_CODE_ZENO;
            double t =
                p->n > 0 ? p->t[p->n - 1] : 0.0; /* sides of choices answer each other before the crossing is told */
            bool there = (n == p->n || n == p->n - 1) && fabs(sl_hybrid_time(h) - t) < 1e-6;
            return p->verdict != ZENO ? "fails" : !zeno ? "fails, but not as zeno" : !there ? "zeno, elsewhere" : NULL;
        }
        if (info.event == SL_HYBRID_STOP) {
            break;
        }
        if (n == p->n) {
            return "one crossing more";
        }
        const int8_t *fired = sl_hybrid_fired(h, &n_root);
        if (!fired[p->root[n]]) {
            return "another root";
        }
        if (fabs(info.t - p->t[n]) > 1e-7) {
            return "another time";
        }
        if (!same_states(s, sl_hybrid_x(h), p->x[n], 1e-6)) {
            return "other values at a crossing";
        }
    }
    if (p->verdict == ZENO || n != p->n) {
        return p->verdict == ZENO ? "is not zeno" : "crossings are missing";
    }
    for (int k = 0; k < s->n_root + s->n_mode; k++) {
        if (sl_hybrid_q(h)[k] != p->q[k < s->n_root ? k : MOST_Q + k - s->n_root]) {
            return "other discrete states at the end";
        }
    }
    return same_states(s, sl_hybrid_x(h), p->end, 1e-6) ? NULL : "other values at the end";
}

static void random_hybrid_automata(void **state) {
    (void)state;
    static text t;
    static path p;
    int n_fine = 0, n_zeno = 0, n_unclear = 0, n_crossing = 0;
    for (int k = 0; n_fine + n_zeno < N_CASE; k++) {
        assert_true(k < 4 * N_CASE);
        seed = (uint64_t)k * UINT64_C(0x9E3779B97F4A7C15) + 1;
        (void)draw(0.0, 1.0);
        plant s = random_plant();
        simulate(&s, &p);
        if (p.verdict == UNCLEAR) {
            n_unclear++;
            continue;
        }
        n_fine += p.verdict == FINE;
        n_zeno += p.verdict == ZENO;
        n_crossing += p.n;
        write_plant(&s, k % 2 == 1, &t);
        sl_test_memory memory = {0};
        sl_context *ctx = sl_test_context(&memory);
        sl_diags *diags;
        sl_automaton *a;
        sl_hybrid *h;
        sl_assert_ok(sl_diags_create(ctx, &diags));
        sl_assert_ok(sl_automaton_read(ctx, t.at, (size_t)t.n, "a.yaml", diags, &a));
        const sl_hybrid_model *m = sl_automaton_model(a);
        sl_assert_ok(sl_hybrid_create(ctx, m->ops, m->model, &m->def, diags, &h));
        const char *wrong = compare(h, &s, &p, diags);
        if (wrong) {
            int32_t n = sl_diags_size(diags);
            print_error("case %d: %s, at %.9g s\n%s\n", k, wrong, sl_hybrid_time(h),
                        n > 0 ? sl_diags_at(diags, n - 1)->text : "");
            (void)fputs(t.at, stderr);
        }
        sl_hybrid_destroy(h);
        sl_automaton_destroy(a);
        sl_diags_destroy(diags);
        sl_test_context_end(ctx, &memory);
        assert_null(wrong);
    }
    print_message("%d to their ends, %d zeno, %d crossings; %d left out\n", n_fine, n_zeno, n_crossing, n_unclear);
    assert_true(n_zeno > 50 && n_fine > 500 && n_crossing > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_hybrid_automata)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
