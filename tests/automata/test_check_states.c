/* SPDX-License-Identifier: MIT */
/* Verdicts of random automata against the definitions tried out: never unknown, never wrong, each witness a witness. Of all states,
 * of sets by condition and by values, and of single states. */
#include "automata_test.h"
#include "brute.h"

#include "automata/check.h"

/* ---- Random automata ---------------------------------------------------------------------------- */

static int pick(uint64_t *seed, int n) {
    return (int)sl_test_below(seed, n);
}
static int q_of(brute *b, uint64_t *seed) {
    return brute_leaf(b, BRUTE_VARIABLE, pick(seed, b->n));
}
static int comparison(brute *b, uint64_t *seed) {
    static const brute_op ops[] = {BRUTE_LT, BRUTE_LE, BRUTE_EQ, BRUTE_NE};
    int x = q_of(b, seed), y = pick(seed, 2) ? q_of(b, seed) : brute_number(b, pick(seed, 3));
    return brute_make(b, ops[pick(seed, 4)], x, y, 0);
}
static int time_condition(brute *b, uint64_t *seed) {
    static const brute_op ops[] = {BRUTE_LT, BRUTE_LE, BRUTE_EQ, BRUTE_NE};
    int t = brute_leaf(b, BRUTE_TIME, 0);
    if (pick(seed, 5) == 0) {
        t = brute_make(b, BRUTE_MOD, brute_make(b, BRUTE_ADD, t, q_of(b, seed), 0), brute_number(b, 2), 0);
        return brute_make(b, BRUTE_EQ, t, brute_number(b, pick(seed, 2)), 0);
    }
    int y = pick(seed, 4) == 0 ? q_of(b, seed) : brute_number(b, pick(seed, 4));
    return pick(seed, 2) ? brute_make(b, ops[pick(seed, 4)], t, y, 0) : brute_make(b, ops[pick(seed, 4)], y, t, 0);
}
static int condition(brute *b, uint64_t *seed, int size, bool timed) {
    if (size <= 1) {
        return timed && pick(seed, 4) == 0 ? time_condition(b, seed) : comparison(b, seed);
    }
    int x = condition(b, seed, size / 2, timed), y = condition(b, seed, size - size / 2, timed);
    switch (pick(seed, 5)) {
    case 0: return brute_make(b, BRUTE_OR, x, y, 0);
    case 1: return brute_make(b, BRUTE_NOT, x, 0, 0);
    default: return brute_make(b, BRUTE_AND, x, y, 0);
    }
}
static int value(brute *b, uint64_t *seed, int variable) {
    int q = brute_leaf(b, BRUTE_VARIABLE, variable);
    switch (pick(seed, 8)) {
    case 0: return brute_number(b, 1);
    case 1: return brute_number(b, -1);
    case 2: return brute_number(b, 0);
    case 3: return brute_make(b, BRUTE_SUB, q_of(b, seed), q, 0);
    case 4: return brute_make(b, BRUTE_SUB, brute_number(b, 1), q, 0);
    case 5: return brute_make(b, BRUTE_IF, comparison(b, seed), brute_number(b, 1), brute_number(b, -pick(seed, 3)));
    case 6: return brute_make(b, BRUTE_DIV, q_of(b, seed), brute_number(b, 2), 0);
    default: return brute_make(b, BRUTE_MOD, brute_make(b, BRUTE_ADD, q, q_of(b, seed), 0), brute_number(b, 2), 0);
    }
}
static void equation(brute *b, uint64_t *seed) {
    int u = pick(seed, b->n), d = brute_leaf(b, BRUTE_DER, u), m = b->m, v = pick(seed, b->n);
    b->right[m] = value(b, seed, u);
    switch (pick(seed, 12)) {
    case 0: b->left[m] = brute_make(b, BRUTE_POW, d, brute_number(b, 2), 0); break;
    case 1: b->left[m] = brute_make(b, BRUTE_MOD, d, brute_number(b, 2 + pick(seed, 2)), 0); break;
    case 2: b->left[m] = brute_make(b, BRUTE_ADD, d, brute_leaf(b, BRUTE_DER, v), 0); break;
    case 3: b->left[m] = brute_make(b, BRUTE_MAX, d, brute_leaf(b, BRUTE_DER, v), 0); break;
    default: b->left[m] = d; break;
    }
    b->guard[m] = condition(b, seed, 1 + pick(seed, 4), true);
    b->m++;
}
static void random_automaton(brute *b, uint64_t *seed) {
    do {
        memset(b, 0, sizeof *b);
        b->n = 1 + pick(seed, 3);
        for (int i = 0; i < b->n; i++) {
            b->domain[i] = 2 + pick(seed, 3);
        }
        for (int m = 1 + pick(seed, 4); b->m < m;) {
            equation(b, seed);
        }
    } while (!brute_is_plain(b));
}

static sl_expr parse(fixture *f, const brute *b, int e) {
    static char text[BRUTE_TEXT];
    text[0] = '\0';
    brute_print(b, e, text);
    return fixture_parse(f, text);
}
static void build(const brute *b, fixture *f) {
    char text[BRUTE_TEXT], guard[BRUTE_TEXT], name[16];
    fixture_init(f);
    for (int i = 0; i < b->n; i++) {
        (void)sprintf(name, "q%d", i);
        fixture_variable(f, name, b->domain[i]);
    }
    for (int j = 0; j < b->m; j++) {
        text[0] = guard[0] = '\0';
        brute_print(b, b->left[j], text);
        (void)strcat(text, " = ");
        brute_print(b, b->right[j], text);
        brute_print(b, b->guard[j], guard);
        fixture_transition(f, "", text, guard);
    }
    fixture_finish(f);
}

/* ---- Against all that can be ---------------------------------------------------------------------- */

static void show(const brute *b, int set) {
    char text[BRUTE_TEXT];
    for (int i = 0; i < b->n; i++) {
        print_error("q%d: %d\n", i, b->domain[i]);
    }
    for (int j = 0; j < b->m; j++) {
        text[0] = '\0';
        brute_print(b, b->left[j], text);
        (void)strcat(text, " = ");
        brute_print(b, b->right[j], text);
        (void)strcat(text, "   when ");
        brute_print(b, b->guard[j], text);
        print_error("%s\n", text);
    }
    if (set >= 0) {
        text[0] = '\0';
        brute_print(b, set, text);
        print_error("in the set %s\n", text);
    }
}

static bool is_right(bool truth, sl_verdict verdict) {
    return verdict == (truth ? SL_PROVED : SL_REFUTED);
}

/* Whatever the variables are that it does not name. */
static bool is_witness(const brute *b, const brute_verdict *v, const sl_sda_report *r, const sl_finding *f,
                       const bool *in) {
    bool found = false;
    for (int s = 0; s < brute_n_state(b); s++) {
        int q[BRUTE_VARIABLES], dq[1][BRUTE_VARIABLES];
        bool fits = true;
        brute_state(b, s, q);
        for (int k = 0; k < f->n_witness; k++) {
            fits = fits && q[r->witnesses[f->first_witness + k].variable] == r->witnesses[f->first_witness + k].value;
        }
        if (!fits) {
            continue;
        }
        found = true;
        int n = f->t < 0 ? 1 : brute_derive(b, f->t, q, 1, dq);
        bool wrong = (f->kind == SL_FINDING_CONTRADICTION && n != 0) || (f->kind == SL_FINDING_NO_SOLUTION && n != 0) ||
                     (f->kind == SL_FINDING_MANY_SOLUTIONS && n == 1) ||
                     (f->kind == SL_FINDING_ENDLESS && !v->zeno[s]) || (in && !in[s]);
        if (wrong) {
            return false;
        }
    }
    return found;
}

static bool agrees(const brute *b, const brute_verdict *v, const sl_sda_report *r, const bool *in) {
    bool good = is_right(v->exclusive, r->exclusive) && is_right(v->solvable, r->solvable) &&
                is_right(v->deterministic, r->deterministic) && is_right(v->zeno_free, r->zeno_free) &&
                (!v->zeno_free || r->bound >= v->longest) && (r->n_zeno < 0 || r->n_zeno == v->n_zeno);
    for (int64_t i = 0; i < r->n_finding && good; i++) {
        const sl_finding *f = &r->findings[i];
        bool told = f->kind == SL_FINDING_CONTRADICTION || f->kind == SL_FINDING_NO_SOLUTION ||
                    f->kind == SL_FINDING_MANY_SOLUTIONS || f->kind == SL_FINDING_ENDLESS;
        good = !told || is_witness(b, v, r, f, in);
        good = good && (f->kind != SL_FINDING_NEVER_ACTIVE || in || !v->active[f->transition[0]]);
        good = good && f->kind != SL_FINDING_COUPLED && f->kind != SL_FINDING_GAVE_UP &&
               f->kind != SL_FINDING_NO_HORIZON && f->kind != SL_FINDING_DEPENDS_IN_A_CYCLE;
    }
    return good;
}

static void random_automata(void **state) {
    (void)state;
    enum { N = 4000 };
    uint64_t seed = 7;
    int n_zeno = 0, n_deterministic = 0, n_solvable = 0, n_visited = 0, n_unknown = 0;
    brute *b = malloc(sizeof *b);
    for (int k = 0; k < N; k++) {
        fixture f;
        sl_sda_report r;
        sl_check_def def = sl_check_default();
        bool guards = k % 4 == 3;
        random_automaton(b, &seed);
        build(b, &f);
        def.rule = guards ? SL_SDA_UNTIL_QUIET : SL_SDA_UNTIL_ZERO;
        brute_verdict v = brute_check(b, NULL, guards);
        sl_assert_ok(sl_sda_check(f.a, &def, &r));
        if (!agrees(b, &v, &r, NULL)) {
            show(b, -1);
            print_error("%d: exclusive %d %d, solvable %d %d, deterministic %d %d, zeno-free %d %d, bound %d %d\n", k,
                        v.exclusive, r.exclusive, v.solvable, r.solvable, v.deterministic, r.deterministic, v.zeno_free,
                        r.zeno_free, v.longest, r.bound);
        }
        assert_true(agrees(b, &v, &r, NULL));
        n_zeno += v.zeno_free;
        n_deterministic += v.deterministic;
        n_solvable += v.solvable;
        n_visited += r.n_visited > 0;
        sl_sda_report_fini(&r);
        def.most_states = 0; /* by forms alone: the same, or unknown */
        sl_assert_ok(sl_sda_check(f.a, &def, &r));
        n_unknown += r.zeno_free == SL_UNKNOWN || r.deterministic == SL_UNKNOWN;
        assert_true(r.zeno_free == SL_UNKNOWN || is_right(v.zeno_free, r.zeno_free));
        assert_true(r.deterministic == SL_UNKNOWN || is_right(v.deterministic, r.deterministic));
        assert_true(r.solvable == SL_UNKNOWN || is_right(v.solvable, r.solvable));
        assert_true(r.zeno_free != SL_PROVED || r.bound >= v.longest);
        sl_sda_report_fini(&r);
        fixture_fini(&f);
    }
    print_message("%d automata: %d zeno-free, %d deterministic, %d solvable; %d visited, %d unknown by forms alone\n",
                  N, n_zeno, n_deterministic, n_solvable, n_visited, n_unknown);
    assert_true(n_zeno > N / 5 && n_zeno < N - N / 5 && n_deterministic > N / 10 && n_unknown > N / 5);
    free(b);
}

/* Sets by a condition, and by values of some variables. */
static void random_sets(void **state) {
    (void)state;
    enum { N = 2000 };
    static bool in[BRUTE_STATES];
    uint64_t seed = 11;
    int n_some = 0, n_local = 0;
    brute *b = malloc(sizeof *b);
    for (int k = 0; k < N; k++) {
        fixture f;
        sl_sda_report r;
        sl_check_def def = sl_check_default();
        int32_t at[BRUTE_VARIABLES];
        int n_in = 0, q[BRUTE_VARIABLES];
        random_automaton(b, &seed);
        build(b, &f);
        int set = condition(b, &seed, 1 + pick(&seed, 3), false);
        def.where = parse(&f, b, set);
        def.at = at;
        for (int i = 0; i < b->n; i++) {
            at[i] = pick(&seed, 3) ? -1 : pick(&seed, b->domain[i]);
        }
        for (int s = 0; s < brute_n_state(b); s++) {
            brute_state(b, s, q);
            in[s] = brute_eval(b, set, 0, q, NULL) != 0.0;
            for (int i = 0; i < b->n; i++) {
                in[s] = in[s] && (at[i] < 0 || at[i] == q[i]);
            }
            n_in += in[s];
        }
        brute_verdict v = brute_check(b, in, false), all = brute_check(b, NULL, false);
        sl_assert_ok(sl_sda_check(f.a, &def, &r));
        bool good = agrees(b, &v, &r, in);
        if (!good) {
            show(b, set);
            print_error("%d: solvable %d %d, deterministic %d %d, zeno-free %d %d (%d %d), bound %d %d\n", k,
                        v.solvable, r.solvable, v.deterministic, r.deterministic, v.zeno_free, r.zeno_free, v.n_zeno,
                        (int)r.n_zeno, v.longest, r.bound);
        }
        assert_true(good);
        n_some += n_in > 0 && n_in < brute_n_state(b);
        n_local += v.deterministic != all.deterministic || v.zeno_free != all.zeno_free;
        sl_sda_report_fini(&r);
        fixture_fini(&f);
    }
    print_message("%d sets, %d of them proper, %d with another verdict than all states\n", N, n_some, n_local);
    assert_true(n_some > N / 2 && n_local > N / 10);
    free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_automata),
        cmocka_unit_test(random_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
