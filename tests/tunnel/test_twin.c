/* SPDX-License-Identifier: MIT */
/* The symbolic twin: one tunnel between two reservoirs, or a reservoir and an outfall, as a structured hybrid automaton whose discrete part
 * are the guards of the model, and whose activities, roots and actions are written here as formulas. It knows nothing of the native
 * equations, of predictions or of deciding from values as a whole; it has the same events at the same times, and the same values. */
#include "tunnel_test.h"

#include "hybrid/hybrid.h"
#include "tunnel/guards.h"
#include "tunnel/model.h"

#include <stdarg.h>

enum { MOST_EVENTS = 100 };

typedef struct event {
    double t;
    char name[40];
} event;

typedef struct trace {
    event events[MOST_EVENTS];
    int n;
    double x[64][8]; /* volumes, flows, water, heads at whole seconds */
    int n_x;
} trace;

/* ---- The automaton ------------------------------------------------------------------------------------ */

static const char *format(const char *text, ...) __attribute__((format(printf, 1, 2)));
static const char *format(const char *text, ...) {
    static char at[64][1024];
    static int k;
    va_list args;
    va_start(args, text);
    k = (k + 1) % 64;
    assert_true(vsnprintf(at[k], sizeof at[k], text, args) < (int)sizeof at[k]);
    va_end(args);
    return at[k];
}

typedef struct builder {
    sl_automaton *a;
    const int32_t *q;
} builder;

static bool add_discrete(void *user, int32_t j, const char *name, const char *symbol, const char *guard) {
    builder *b = user;
    return (guard ? sl_automaton_add_transition(b->a, symbol, format("der(%s) = 1", name), guard)
                  : sl_automaton_add_discrete(b->a, name, 2, b->q[j])) == SL_OK;
}

static void activity(builder *b, const char *equation, const char *guard) {
    sl_assert_ok(sl_automaton_add_activity(b->a, NULL, equation, guard));
}
static void root(builder *b, const char *variable, const char *function, const char *guard) {
    sl_assert_ok(sl_automaton_add_root(b->a, NULL, variable, function, guard));
}
static void action(builder *b, const char *variable, const char *value, const char *guard) {
    sl_assert_ok(sl_automaton_add_action(b->a, NULL, variable, value, guard));
}

/* Columns: half at end j, or full; what does not move has no flow. */
static void add_columns(builder *b, const sl_tunnel_pipe *p) {
    const double g = SL_TUNNEL_GRAVITY, slope = (p->ends[1].elevation - p->ends[0].elevation) / p->length;
    for (int j = 0; j < 2; j++) {
        const sl_tunnel_end *e = &p->ends[j];
        double s = j ? -1.0 : 1.0, rise = s * slope; /* of the front by the length of the column */
        const char *half = format("!mid[0].joint & half[0,%d].leg & end[0,%d].joint", j, j);
        activity(b, format("der(V%d) = %g*Q%d", j, s, j), half);
        activity(b, format("der(V%d) = 0", j), format("!(%s)", half));
        activity(b,
                 format("(V%d/%.17g + %.17g)/%.17g*der(Q%d) = %g*(H%d - %.17g - %.17g*(V%d/%.17g + %.17g))"
                        " - (%.17g*V%d/%.17g + if(%g*Q%d > 0, %.17g, %.17g))/%.17g*Q%d*abs(Q%d)",
                        j, p->area, p->added_length, g * p->area, j, s, j, e->elevation, rise, j, p->area,
                        rise < 0.0 ? p->added_length : 0.0, p->friction / p->diameter, j, p->area, s, j, e->in, e->out,
                        2.0 * g * p->area * p->area, j, j),
                 half);
        activity(b, format("der(Q%d) = 0", j), format("!mid[0].joint & !(half[0,%d].leg & end[0,%d].joint)", j, j));
        action(b, format("Q%d", j), "0",
               format("!mid[0].joint & !(half[0,%d].leg & end[0,%d].joint) & !mid[0].branch", j, j));
    }
    for (int fronts = 0; fronts < 4; fronts++) {
        char h[2][32];
        for (int j = 0; j < 2; j++) {
            snprintf(h[j], sizeof h[j], fronts >> j & 1 ? "%.17g" : "H%g",
                     fronts >> j & 1 ? p->ends[j].elevation : (double)j);
        }
        activity(
            b,
            format("%.17g*der(Q0) = %s - %s - (%.17g + if(Q0 > 0, %.17g, %.17g))/%.17g*Q0*abs(Q0)",
                   (p->length + 2.0 * p->added_length) / (g * p->area), h[0], h[1],
                   p->friction * p->length / p->diameter, p->ends[0].in + p->ends[1].out,
                   p->ends[1].in + p->ends[0].out, 2.0 * g * p->area * p->area),
            format("mid[0].joint & %send[0,0].joint & %send[0,1].joint", fronts & 1 ? "!" : "", fronts & 2 ? "!" : ""));
    }
    activity(b, "der(Q1) = der(Q0)", "mid[0].joint");
    /* two columns that have met have the momentum of both; water that recedes belongs to the other end */
    const char *mean = format("((V0/%.17g + %.17g)*Q0 + (V1/%.17g + %.17g)*Q1)/((V0 + V1)/%.17g + %.17g)", p->area,
                              p->added_length, p->area, p->added_length, p->area, 2.0 * p->added_length);
    for (int j = 0; j < 2; j++) {
        const char *recedes = format("mid[0].joint & mid[0].rec & end[0,%d].rec & !end[0,%d].rec", j, 1 - j);
        const char *other = format("mid[0].joint & mid[0].rec & end[0,%d].rec & !end[0,%d].rec", 1 - j, j);
        action(b, format("Q%d", j), mean, "mid[0].branch");
        action(b, format("V%d", j), "0", recedes);
        action(b, format("V%d", j), "V0 + V1", other);
        action(b, format("V%d", j), "0", format("!mid[0].joint & !half[0,%d].leg", j));
        action(b, format("W%d", j), format("W%d + V%d", j, j), format("!mid[0].joint & !half[0,%d].leg", j));
    }
}

static void add_valve(builder *b, const sl_tunnel_valve *v, int k) {
    double z = v->elevation, s = k ? -1.0 : 1.0;
    bool reservoir = v->tub == SL_TUB_RESERVOIR;
    const char *level = reservoir ? format("%.17g + W%d/%.17g", v->bottom, k, v->area) : format("%.17g", z);
    activity(b, format("H%d = %s", k, level), format("valve[%d].joint & tub[%d].joint & tub[%d].leg", k, k, k));
    activity(b, format("H%d = %.17g", k, z), format("!valve[%d].joint | tub[%d].joint & !tub[%d].leg", k, k, k));
    activity(b, format("H%d = %.17g", k, z), format("valve[%d].joint & !tub[%d].joint", k, k));
    activity(b, format("der(W%d) = %g*Q%d", k, -s, k), format("tub[%d].joint & end[0,%d].joint", k, k));
    activity(b, format("der(W%d) = 0", k), format("!(tub[%d].joint & end[0,%d].joint)", k, k));
    const char *leg = format("tub[%d].legctl", k), *turn = format("tub[%d].flowctl", k);
    if (reservoir) {
        root(b, leg, format("%s - %.17g", level, z + v->hysteresis), format("!tub[%d].leg", k));
        root(b, leg, format("%.17g - (%s)", z, level), format("tub[%d].leg", k));
    }
    const char *joined = format("tub[%d].joint & end[0,%d].joint", k, k),
               *apart = format("!tub[%d].joint & !valve[%d].joint", k, k);
    root(b, turn, format("%g*Q%d", -s, k), format("%s & !tub[%d].flow", joined, k));
    root(b, turn, format("%g*Q%d", s, k), format("%s & tub[%d].flow", joined, k));
    root(b, turn, "1", format("%s & tub[%d].leg & tub[%d].flow", apart, k, k));
    root(b, turn, "1", format("%s & !tub[%d].leg & !tub[%d].flow", apart, k, k));
}

static void add_roots(builder *b, const sl_tunnel_pipe *p) {
    root(b, "mid[0].ctl", format("V0 + V1 - %.17g", p->area * p->length),
         "!mid[0].joint & !mid[0].branch & (half[0,0].leg & end[0,0].joint | half[0,1].leg & end[0,1].joint)");
    for (int j = 0; j < 2; j++) {
        const char *moves = format("(mid[0].joint | half[0,%d].leg & end[0,%d].joint)", j, j),
                   *turn = format("end[0,%d].flowctl", j);
        const char *gives = format(j ? "!end[0,%d].flow" : "end[0,%d].flow", j),
                   *takes = format(j ? "end[0,%d].flow" : "!end[0,%d].flow", j);
        root(b, format("half[0,%d].legctl", j), format("-V%d", j),
             format("!mid[0].joint & half[0,%d].leg & end[0,%d].joint & %s", j, j, gives));
        root(b, turn, format("-Q%d", j), format("%s & !end[0,%d].flow", moves, j));
        root(b, turn, format("Q%d", j), format("%s & end[0,%d].flow", moves, j));
        root(b, turn, format("H%d - %.17g", j, p->ends[j].elevation),
             format("!mid[0].joint & !half[0,%d].leg & valve[%d].joint & %s", j, j, gives));
        if (j ==
            1) { /* to the upper end water comes back only from below, to the lower one none falls from a dry valve */
            root(b, turn, "1", format("!mid[0].joint & !half[0,%d].leg & !valve[%d].joint & %s", j, j, takes));
        }
    }
}

static sl_automaton *make_twin(fixture *f, const sl_tunnel_network *net, const double *x, const int32_t *q) {
    static const char *const names[] = {"V0", "V1", "Q0", "Q1", "W0", "W1", "H0", "H1"};
    builder b = {NULL, q};
    sl_assert_ok(sl_automaton_create(f->ctx, "twin", f->diags, &b.a));
    for (int k = 0; k < 8; k++) {
        sl_assert_ok(sl_automaton_add_continuous(b.a, names[k], x[k], 0.0));
    }
    sl_assert_ok(sl_tunnel_write_guards(net, f->ctx, true, add_discrete, &b));
    add_columns(&b, &net->pipes[0]);
    for (int k = 0; k < 2; k++) {
        add_valve(&b, &net->valves[k], k);
    }
    add_roots(&b, &net->pipes[0]);
    sl_status status = sl_automaton_finish(b.a);
    for (int32_t k = 0; status != SL_OK && k < sl_diags_size(f->diags); k++) {
        print_error("%s\n", sl_diags_at(f->diags, k)->text);
    }
    sl_assert_ok(status);
    return b.a;
}

/* ---- Executions --------------------------------------------------------------------------------------- */

/* Of a discrete execution that has settled. */
static void take_events(trace *t, double at, const sl_tunnel_network *net, const int32_t *q) {
    for (int32_t j = 0; j < sl_tunnel_n_bit(net); j++) {
        if (q[j] && sl_tunnel_bit_event(net, j)) {
            sl_arena arena;
            const char *name = NULL;
            sl_arena_init(&arena, net->ctx);
            sl_assert_ok(sl_tunnel_bit_name(net, j, &arena, &name));
            assert_true(t->n < MOST_EVENTS);
            t->events[t->n].t = at;
            snprintf(t->events[t->n++].name, sizeof t->events->name, "%s", name);
            sl_arena_fini(&arena);
        }
    }
}

static void run_native(fixture *f, sl_tunnel_network *net, double end, trace *out) {
    sl_tunnel_model model = sl_tunnel_model_default(net);
    sl_hybrid_def def = sl_hybrid_default();
    sl_hybrid *h = NULL;
    int32_t n_x, n_q;
    double x[64], dx[64];
    sl_tunnel_sizes(net, &n_x, &n_q);
    assert_true(n_x <= 64);
    model.all_reversals = true;
    model.rtol = def.dae.rtol = 1e-11;
    def.dae.root_tol = SL_TUNNEL_ROOT_TOLERANCE;
    def.dae.skip_algebraic = true;
    def.end = end;
    sl_assert_ok(sl_hybrid_create(f->ctx, &sl_tunnel_ops, &model, &def, f->diags, &h));
    for (sl_hybrid_info info = {0}; info.event != SL_HYBRID_STOP;) {
        sl_assert_ok(sl_hybrid_next(h, SL_HYBRID_ANY, f->diags, &info));
        while (info.t > info.begin && out->n_x < 64 && 2.0 * out->n_x + 1.0 <= info.t) {
            sl_assert_ok(sl_hybrid_interpolate(h, 2.0 * out->n_x + 1.0, x, dx));
            memcpy(out->x[out->n_x++], x, 8 * sizeof *x);
        }
        if (info.event == SL_HYBRID_SETTLED) {
            take_events(out, info.t, net, sl_hybrid_q(h));
        }
    }
    sl_hybrid_destroy(h);
}

static void run_twin(fixture *f, const sl_tunnel_network *net, const sl_automaton *a, double end, trace *out) {
    sl_execution_def def = sl_execution_default();
    sl_execution *e = NULL;
    def.rtol = 1e-11;
    def.atol = 1e-13;
    def.end = end;
    sl_assert_ok(sl_execution_create(a, &def, f->diags, &e));
    for (sl_execution_info info = {.size = sizeof info}; info.event != SL_EVENT_STOP;) {
        sl_status status = sl_execution_next(e, SL_EVENT_ANY, &info);
        for (int32_t k = 0; status != SL_OK && k < sl_diags_size(sl_execution_diags(e)); k++) {
            print_error("%s\n", sl_diags_at(sl_execution_diags(e), k)->text);
        }
        sl_assert_ok(status);
        double x[8], dx[8];
        while (info.time > info.begin && out->n_x < 64 && 2.0 * out->n_x + 1.0 <= info.time) {
            sl_assert_ok(sl_execution_interpolate(e, 2.0 * out->n_x + 1.0, x, dx));
            memcpy(out->x[out->n_x++], x, 8 * sizeof *x);
        }
        if (info.event == SL_EVENT_SETTLED) {
            take_events(out, info.time, net, sl_execution_states(e));
        }
    }
    sl_execution_destroy(e);
}

static int by_time_and_name(const void *a, const void *b) {
    const event *x = a, *y = b;
    return fabs(x->t - y->t) > 1e-6 ? (x->t > y->t) - (x->t < y->t) : strcmp(x->name, y->name);
}

/* One of the events must be this one. */
static void compare(fixture *f, sl_tunnel_network *net, double end, const char *needed) {
    static trace native, twin;
    double x[64];
    int32_t q[256];
    native = twin = (trace){0};
    finish_network(net);
    sl_tunnel_start(net, x, q);
    sl_automaton *a = make_twin(f, net, x, q);
    run_native(f, net, end, &native);
    run_twin(f, net, a, end, &twin);
    sl_automaton_destroy(a);
    qsort(native.events, (size_t)native.n, sizeof *native.events, by_time_and_name);
    qsort(twin.events, (size_t)twin.n, sizeof *twin.events, by_time_and_name);
    double worst_t = 0.0, worst_x = 0.0;
    bool found = false;
    for (int k = 0; k < native.n || k < twin.n; k++) {
        const event *p = &native.events[k], *r = &twin.events[k];
        if (k >= native.n || k >= twin.n || strcmp(p->name, r->name) != 0) {
            for (int i = 0; i < native.n || i < twin.n; i++) {
                print_error("%14.9f %-24s %14.9f %s\n", native.events[i].t, native.events[i].name, twin.events[i].t,
                            twin.events[i].name);
            }
            fail_msg("event %d differs", k);
        }
        found = found || strcmp(p->name, needed) == 0;
        worst_t = fmax(worst_t, fabs(p->t - r->t) / fmax(1.0, p->t));
    }
    assert_int_equal(native.n_x, twin.n_x);
    for (int i = 0; i < native.n_x; i++) {
        for (int k = 0; k < 8; k++) {
            double scale = k < 2 || (k >= 4 && k < 6) ? 1000.0 : 50.0;
            worst_x = fmax(worst_x, fabs(native.x[i][k] - twin.x[i][k]) / scale);
        }
    }
    print_message("%d events, times to %.2g, %d states to %.2g\n", native.n, worst_t, native.n_x, worst_x);
    assert_true(native.n >= 8 && found);
    assert_true(worst_t <= 1e-9 && worst_x <= 1e-9);
    sl_tunnel_network_destroy(net);
}

static sl_tunnel_network *one_tunnel(fixture *f) {
    sl_tunnel_network *net = plain_network(f, 2, 1, (const int[]){0, 1});
    net->pipes[0].ends[0].out = 0.3;
    net->pipes[0].ends[1].in = 1.2;
    net->pipes[0].ends[1].out = 0.2;
    return net;
}

static void set_reservoir(sl_tunnel_valve *v, double area, double bottom, double level) {
    v->tub = SL_TUB_RESERVOIR;
    v->area = area;
    v->bottom = bottom;
    v->level = level;
}

/* Fills, tears off at the gate, runs dry. */
static void a_tunnel_fills_and_runs_dry(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    sl_tunnel_network *net = one_tunnel(&f);
    set_reservoir(&net->valves[0], 100.0, 18.0, 24.0);
    compare(&f, net, 120.0, "end[0,1].cut");
    fixture_fini(&f);
}

/* Columns come from both ends and meet. */
static void two_columns_meet(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f);
    sl_tunnel_network *net = one_tunnel(&f);
    set_reservoir(&net->valves[0], 400.0, 18.0, 24.0);
    set_reservoir(&net->valves[1], 300.0, 5.0, 16.0);
    compare(&f, net, 60.0, "mid[0].coll");
    fixture_fini(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_tunnel_fills_and_runs_dry),
                                       cmocka_unit_test(two_columns_meet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
