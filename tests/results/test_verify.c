/* SPDX-License-Identifier: MIT */
/* A result made by hand is found sound, and every planted error is found and named.
 *
 * The town: reservoir R, pump U, junction A, main P1, junction B, tank T behind P3, valve V (PRV) down to junction C; a closed
 * pipe P4 (A-C) and a check valve P5 (C-B) that the higher head at B keeps shut. Its flows follow from one unknown, the
 * tank's inflow, so heads are closed formulas written here once more. The .out bytes are written here too.
 */
#include "sl_test.h"

#include "results/verify.h"
#include <sluice/network_io.h>
#include <sluice/results.h>

enum { A, B, C, R, T, N_NODE };
enum { P1, P3, P4, P5, U, V, N_LINK };
enum { N_PERIOD = 3, OUT_MAX = 8192 };

typedef struct period {
    double demand[N_NODE], head[N_NODE]; /* [m3/s] [m] */
    double flow[N_LINK], setting[N_LINK];
    double status[N_LINK];
} period;

typedef struct town {
    char inp[2048];
    period p[N_PERIOD];
    int flow_unit, pressure_unit, statistic, quality;
    const char *ids[N_NODE];
    int32_t link_type[N_LINK];
    unsigned char out[OUT_MAX];
    size_t n;
} town;

/* A litre per second as an .inp file means it, see docs/theory/units.md. */
static const double litre = 0.3048 * 0.3048 * 0.3048 / 28.317;
static const double demand_b = 10, demand_c = 8; /* [L/s] */
static const double tank_diameter = 12, tank_area = 3.14159265358979323846 * 36;

/* ---- The physics, in SI -------------------------------------------------------------------------- */

static double hazen_williams(double q, double length, double diameter, double c) {
    double k = 4.727 * pow(0.3048, -0.685); /* 10.667: 4.727 in feet, all powers of 0.3048 gathered */
    return k * length * pow(q / c, 1.852) / pow(diameter, 4.871);
}

/* Through (0, 50), (40 L/s, 40 m), (80 L/s, 10 m): exactly a parabola. */
static double pump_gain(double q) {
    return 50 - 10 * (q / (40 * litre)) * (q / (40 * litre));
}

/* Heads from the tank's inflow; returns the tank's head. */
static double solve(period *p, double tank_inflow) {
    double total = (demand_b + demand_c) * litre + tank_inflow;
    *p = (period){.status = {3, 3, 2, 2, 3, 4}, .setting = {120, 110, 100, 100, 1, 25}};
    p->demand[B] = demand_b * litre;
    p->demand[C] = demand_c * litre;
    p->demand[R] = -total;
    p->demand[T] = tank_inflow;
    p->flow[U] = p->flow[P1] = total;
    p->flow[P3] = tank_inflow;
    p->flow[V] = demand_c * litre;
    p->head[R] = 20;
    p->head[A] = 20 + pump_gain(total);
    p->head[B] = p->head[A] - hazen_williams(total, 1000, 0.25, 120);
    p->head[C] = 12 + 25; /* elevation and setting */
    p->head[T] = p->head[B] - hazen_williams(tank_inflow, 300, 0.2, 110);
    return p->head[T];
}

/* Period 0 fills the tank with 6 L/s; each next one starts at the level that the last one's inflow leads to. */
static void make_town(town *t) {
    *t = (town){.flow_unit = SL_LPS,
                .pressure_unit = SL_METERS,
                .ids = {"A", "B", "C", "R", "T"},
                .link_type = {1, 1, 1, 0, 2, 3}};
    double tank_head = solve(&t->p[0], 6 * litre);
    snprintf(t->inp, sizeof t->inp,
             "[JUNCTIONS]\nA 5 0\nB 8 %g\nC 12 %g\n[RESERVOIRS]\nR 20\n[TANKS]\nT 40 %.17g 0 30 %g\n"
             "[PIPES]\nP1 A B 1000 250 120\nP3 B T 300 200 110\nP4 A C 100 100 100 0 CLOSED\nP5 C B 100 100 100 0 CV\n"
             "[PUMPS]\nU R A HEAD 1\n[VALVES]\nV B C 150 PRV 25 0\n[CURVES]\n1 0 50\n1 40 40\n1 80 10\n"
             "[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 2\n[END]\n",
             demand_b, demand_c, tank_head - 40, tank_diameter);
    for (int i = 1; i < N_PERIOD; i++) {
        double target = t->p[i - 1].head[T] + t->p[i - 1].demand[T] * 3600 / tank_area, low = 0, high = 20 * litre;
        for (int k = 0; k < 100; k++) {
            double mid = 0.5 * (low + high);
            *(solve(&t->p[i], mid) > target ? &low : &high) = mid;
        }
    }
}

/* Puts text in place of the first old in the model. */
static void edit(town *t, const char *old, const char *text) {
    char *at = strstr(t->inp, old), rest[sizeof t->inp];
    assert_non_null(at);
    snprintf(rest, sizeof rest, "%s", at + strlen(old));
    snprintf(at, sizeof t->inp - (size_t)(at - t->inp), "%s%s", text, rest);
}

/* ---- The file ------------------------------------------------------------------------------------ */

static void put(town *t, const void *bytes, size_t n) {
    assert_true(t->n + n <= OUT_MAX);
    memcpy(t->out + t->n, bytes, n);
    t->n += n;
}

static void put_int(town *t, int32_t x) {
    put(t, &x, 4); /* tests run on little-endian machines */
}

static void put_float(town *t, double x) {
    float f = (float)x;
    put(t, &f, 4);
}

static void put_text(town *t, const char *text, size_t width) {
    char buf[300] = {0};
    snprintf(buf, sizeof buf, "%s", text);
    put(t, buf, width);
}

static void put_floats(town *t, const double *x, int n, double unit) {
    for (int i = 0; i < n; i++) {
        put_float(t, x[i] / unit);
    }
}

static double flow_unit(const town *t) {
    return t->flow_unit == SL_GPM ? 0.3048 * 0.3048 * 0.3048 / 448.831 : litre;
}

static void put_prolog(town *t) {
    static const char *const links[N_LINK] = {"P1", "P3", "P4", "P5", "U", "V"};
    static const int32_t from[N_LINK] = {A, B, A, C, R, B}, to[N_LINK] = {B, T, C, B, A, C};
    static const double elevation[N_NODE] = {5, 8, 12, 20, 40};
    static const double length[N_LINK] = {1000, 300, 100, 100, 0, 0}, diameter[N_LINK] = {0.25, 0.2, 0.1, 0.1, 0, 0.15};
    const int32_t head[15] = {516114521,        20012,        N_NODE, 2,    N_LINK,  1, 1, t->quality, 0, t->flow_unit,
                              t->pressure_unit, t->statistic, 0,      3600, 2 * 3600};
    double foot = t->flow_unit == SL_GPM ? 0.3048 : 1, inch = t->flow_unit == SL_GPM ? 0.0254 : 1e-3;
    t->n = 0;
    put(t, head, sizeof head);
    put_text(t, "", 240);
    put_text(t, "", 260);
    put_text(t, "", 260);
    put_text(t, "", 64);
    for (int i = 0; i < N_NODE; i++) {
        put_text(t, t->ids[i], 32);
    }
    for (int k = 0; k < N_LINK; k++) {
        put_text(t, links[k], 32);
    }
    for (int k = 0; k < N_LINK; k++) {
        put_int(t, from[k] + 1);
    }
    for (int k = 0; k < N_LINK; k++) {
        put_int(t, to[k] + 1);
    }
    put(t, t->link_type, sizeof t->link_type);
    put_int(t, R + 1);
    put_int(t, T + 1);
    put_float(t, 0);
    put_float(t, tank_area / (foot * foot));
    put_floats(t, elevation, N_NODE, foot);
    put_floats(t, length, N_LINK, foot);
    put_floats(t, diameter, N_LINK, inch);
    put_int(t, U + 1); /* energy */
    for (int i = 0; i < 7; i++) {
        put_float(t, 0);
    }
}

static void write_out(town *t) {
    double foot = t->flow_unit == SL_GPM ? 0.3048 : 1, pressure = t->pressure_unit == SL_PSI ? 0.3048 / 0.4333 : 1;
    static const double zero[N_LINK] = {0};
    put_prolog(t);
    for (int i = 0; i < N_PERIOD; i++) {
        period p = t->p[i];
        p.setting[V] /= pressure;
        put_floats(t, p.demand, N_NODE, flow_unit(t));
        put_floats(t, p.head, N_NODE, foot);
        put_floats(t, zero, N_NODE, 1);
        put_floats(t, zero, N_NODE, 1);
        put_floats(t, p.flow, N_LINK, flow_unit(t));
        for (int k = 0; k < 3; k++) {
            put_floats(t, zero, N_LINK, 1);
        }
        put_floats(t, p.status, N_LINK, 1);
        put_floats(t, p.setting, N_LINK, 1);
        put_floats(t, zero, N_LINK, 1);
        put_floats(t, zero, N_LINK, 1);
    }
    put_text(t, "", 16);
    put_int(t, N_PERIOD);
    put_int(t, 0);
    put_int(t, 516114521);
}

static sl_status read_bytes(void *user, uint64_t offset, void *bytes, size_t n) {
    const town *t = user;
    if (offset + n > t->n) {
        return SL_ERR_IO;
    }
    memcpy(bytes, t->out + offset, n);
    return SL_OK;
}

/* ---- Verifying ----------------------------------------------------------------------------------- */

/* Diagnostics of the last verification, as text. */
static char said[65536];

static sl_status collect(void *user, const void *bytes, size_t n) {
    size_t *used = user;
    n = n < sizeof said - 1 - *used ? n : sizeof said - 1 - *used;
    memcpy(said + *used, bytes, n);
    said[ *used += n] = 0;
    return SL_OK;
}

static sl_status verify_in(sl_context *ctx, town *t, sl_verify_result *result) {
    sl_diags *diags = NULL;
    sl_network *net = NULL;
    sl_outfile *file = NULL;
    sl_source_bytes source = {t, t->n, read_bytes};
    sl_status status = sl_diags_create(ctx, &diags);
    status = status ? status : sl_inp_read(ctx, t->inp, strlen(t->inp), NULL, diags, &net);
    status = status ? status : sl_outfile_open(ctx, &source, "town.out", diags, &file);
    status = status ? status : sl_verify(ctx, net, file, NULL, diags, result);
    size_t used = 0;
    said[0] = 0;
    if (diags) {
        sl_diags_render_text(diags, &(sl_sink){&used, collect}, false);
    }
    if (file) {
        sl_outfile_close(file);
    }
    sl_network_destroy(net);
    sl_diags_destroy(diags);
    return status;
}

static sl_status verify(town *t, sl_verify_result *result) {
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    write_out(t);
    sl_status status = verify_in(ctx, t, result);
    sl_test_context_end(ctx, &m);
    return status;
}

static sl_verify_result assert_sound(town *t) {
    sl_verify_result r = {.size = sizeof r};
    sl_assert_ok(verify(t, &r));
    if (!r.consistent) {
        print_error("%s\n", said);
    }
    assert_true(r.consistent);
    return r;
}

/* The result is not sound by this check, and the text names the element. */
static void assert_found(town *t, sl_verify_check check, const char *named) {
    sl_verify_result r = {.size = sizeof r};
    sl_assert_ok(verify(t, &r));
    assert_false(r.consistent);
    if (r.row[check].n_bad == 0 || !strstr(said, named)) {
        print_error("check %d has %lld violations, or no '%s' in:\n%s\n", (int)check, (long long)r.row[check].n_bad,
                    named, said);
        fail();
    }
}

static void test_size(void **state) {
    (void)state;
    town t;
    make_town(&t);
    sl_assert_sized(sl_verify_result, out, verify(&t, &out));
}

/* ---- Sound --------------------------------------------------------------------------------------- */

static void test_by_hand(void **state) {
    (void)state;
    town t;
    make_town(&t);
    sl_verify_result r = assert_sound(&t);
    assert_int_equal(r.n_period, 3);
    assert_int_equal(r.n_isolated, 0);
    assert_int_equal(r.row[SL_VERIFY_HEADLOSS].n, 3 * 3); /* P1 P3 U: V is pinned, P4 and P5 closed */
    assert_int_equal(r.row[SL_VERIFY_CLOSED].n, 3 * 2);
    assert_int_equal(r.row[SL_VERIFY_MASS].n, 3 * 5);
    assert_int_equal(r.row[SL_VERIFY_DEMAND].n, 3 * 3);
    assert_int_equal(r.row[SL_VERIFY_FIXED].n, 3);
    assert_int_equal(r.row[SL_VERIFY_TANK].n, 3 + 1 + 2); /* limits, the start, the steps */
    /* exact but for the rounding of 70 m to 4 bytes, 4e-6 m at each end: far inside */
    assert_true(r.row[SL_VERIFY_HEADLOSS].worst < 2e-5);
    assert_true(r.row[SL_VERIFY_HEADLOSS].worst_excess < 0.05);
}

/* Another unit in the file than in the model: the file's counts. */
static void test_units_of_file(void **state) {
    (void)state;
    town t;
    make_town(&t);
    t.flow_unit = SL_GPM;
    t.pressure_unit = SL_PSI;
    assert_sound(&t);
}

/* Numbers moved by up to what rounding to 4 bytes does (2^-24), at random: rounding alone breaks nothing. */
static void test_rounding(void **state) {
    (void)state;
    uint64_t random = 7;
    for (int run = 0; run < 50; run++) {
        town t;
        make_town(&t);
        for (int i = 0; i < N_PERIOD; i++) {
            for (int k = 0; k < N_NODE; k++) {
                t.p[i].demand[k] *= 1 + (2 * sl_test_unit(&random) - 1) * 0x1p-24;
                t.p[i].head[k] *= 1 + (2 * sl_test_unit(&random) - 1) * 0x1p-24;
            }
            for (int k = 0; k < N_LINK; k++) {
                t.p[i].flow[k] *= 1 + (2 * sl_test_unit(&random) - 1) * 0x1p-24;
            }
        }
        assert_sound(&t);
    }
}

/* ---- Planted errors ------------------------------------------------------------------------------ */

static void test_planted_numbers(void **state) {
    (void)state;
    const struct {
        size_t offset; /* in a period */
        double factor, add;
        sl_verify_check check;
        const char *named;
    } plants[] = {
        {offsetof(period, flow[P1]), 1.001, 0, SL_VERIFY_MASS, "junction A"},
        {offsetof(period, flow[P1]), 1.001, 0, SL_VERIFY_HEADLOSS, "pipe P1"},
        {offsetof(period, flow[U]), 0.999, 0, SL_VERIFY_HEADLOSS, "pump U"},
        {offsetof(period, flow[V]), 1.001, 0, SL_VERIFY_MASS, "junction C"},
        {offsetof(period, flow[P3]), -1, 0, SL_VERIFY_HEADLOSS, "pipe P3"},
        {offsetof(period, flow[U]), -1, 0, SL_VERIFY_STATUS, "pump U"},
        {offsetof(period, head[A]), 1, 0.01, SL_VERIFY_HEADLOSS, "pipe P1"},
        {offsetof(period, head[B]), 1, -0.01, SL_VERIFY_HEADLOSS, "pipe P3"},
        {offsetof(period, head[C]), 1, 0.01, SL_VERIFY_STATUS, "valve V"},
        {offsetof(period, head[R]), 1, 0.01, SL_VERIFY_FIXED, "reservoir R"},
        {offsetof(period, head[T]), 1, 0.01, SL_VERIFY_HEADLOSS, "pipe P3"},
        {offsetof(period, head[C]), 1, 60, SL_VERIFY_STATUS, "pipe P5"}, /* the check valve would open */
        {offsetof(period, flow[P4]), 1, 0.001, SL_VERIFY_CLOSED, "pipe P4"},
        {offsetof(period, flow[P5]), 1, 0.001, SL_VERIFY_CLOSED, "pipe P5"},
        {offsetof(period, demand[B]), 1.001, 0, SL_VERIFY_DEMAND, "junction B"},
        {offsetof(period, demand[T]), 1.001, 0, SL_VERIFY_MASS, "tank T"},
        {offsetof(period, head[A]), (double)NAN, 0, SL_VERIFY_HEADLOSS, "pipe P1"},
        {offsetof(period, setting[V]), 1.001, 0, SL_VERIFY_STATUS, "valve V"},
        {offsetof(period, setting[U]), 0.999, 0, SL_VERIFY_STATUS, "pump U"},
        {offsetof(period, status[P4]), 1, 1, SL_VERIFY_STATUS, "pipe P4"},  /* open although the model closes it */
        {offsetof(period, status[P1]), 1, -1, SL_VERIFY_CLOSED, "pipe P1"}, /* closed, with the town's water in it */
        {offsetof(period, status[P1]), 1, -2, SL_VERIFY_STATUS, "pipe P1"}, /* for a tank that is not there */
        {offsetof(period, status[U]), 1, -3, SL_VERIFY_STATUS, "pump U"},   /* for lack of head that it has */
        {offsetof(period, status[V]), 1, -2, SL_VERIFY_CLOSED, "valve V"},
        {offsetof(period, status[V]), 1, -1, SL_VERIFY_HEADLOSS, "valve V"}, /* open: loses nothing, yet heads differ */
        {offsetof(period, status[P3]), 1, 0.5, SL_VERIFY_STATUS, "pipe P3"}, /* no status at all */
    };
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++) {
        town t;
        make_town(&t);
        double *x = (double *)((char *)&t.p[1] + plants[i].offset);
        *x = *x * plants[i].factor + plants[i].add;
        assert_found(&t, plants[i].check, plants[i].named);
        assert_non_null(strstr(said, "1:00"));
    }
}

/* A whole period that is right in itself, but whose tank stands elsewhere than the flow before led to. */
static void test_tank_jump(void **state) {
    (void)state;
    town t;
    make_town(&t);
    solve(&t.p[2], t.p[2].demand[T] * 0.9);
    assert_found(&t, SL_VERIFY_TANK, "tank T");
    make_town(&t); /* starts at another level than the model's */
    solve(&t.p[0], t.p[0].demand[T] * 0.9);
    assert_found(&t, SL_VERIFY_TANK, "the model starts it at");
}

static void test_tank_limits(void **state) {
    (void)state;
    town t;
    make_town(&t);
    char limits[64];
    snprintf(limits, sizeof limits, " 0 %.9g ", t.p[0].head[T] - 40 + 0.1); /* passed within the first hour */
    edit(&t, " 0 30 ", limits);
    assert_found(&t, SL_VERIFY_TANK, "above the highest");
}

/* With all ways closed the town is dry: no claim about its heads, but demand that is served is a contradiction. */
static void test_cut_off(void **state) {
    (void)state;
    town t;
    make_town(&t);
    edit(&t, "250 120\n", "250 120 0 CLOSED\n");
    edit(&t, "200 110\n", "200 110 0 CLOSED\n");
    for (int i = 0; i < N_PERIOD; i++) {
        t.p[i] = (period){
            .head = {70, -1e6, -1e6, 20, t.p[0].head[T]}, .status = {2, 2, 2, 2, 3, 3}, .setting = {0, 0, 0, 0, 1, 25}};
    }
    sl_verify_result r = assert_sound(&t);
    assert_int_equal(r.n_isolated, 3 * 2);
    assert_non_null(strstr(said, "no-supply"));
    edit(&t, "250 120 0 CLOSED\n", "250 120 0 CV\n"); /* nothing but the demand itself could have closed that */
    t.link_type[P1] = 0;
    assert_found(&t, SL_VERIFY_STATUS, "demand downstream");
    t.p[1].demand[B] = 0.01; /* out of nothing */
    assert_found(&t, SL_VERIFY_MASS, "junction B");
}

/* ---- What cannot be verified --------------------------------------------------------------------- */

static void test_mismatch(void **state) {
    (void)state;
    town t;
    sl_verify_result r = {.size = sizeof r};
    make_town(&t);
    t.statistic = SL_STAT_AVERAGE;
    sl_assert_status(verify(&t, &r), SL_ERR_INPUT);
    assert_non_null(strstr(said, "series"));
    make_town(&t);
    t.ids[B] = "Q";
    sl_assert_status(verify(&t, &r), SL_ERR_INPUT);
    assert_non_null(strstr(said, "node B"));
    make_town(&t);
    edit(&t, "P1 A B", "P1 B A");
    sl_assert_status(verify(&t, &r), SL_ERR_INPUT);
    assert_non_null(strstr(said, "link P1"));
    make_town(&t);
    edit(&t, "PRV 25", "PSV 25");
    sl_assert_status(verify(&t, &r), SL_ERR_INPUT);
    assert_non_null(strstr(said, "another kind"));
    assert_false(r.consistent);
}

static void sweep_one(sl_context *ctx, sl_test_memory *m, void *user) {
    sl_verify_result r = {.size = sizeof r};
    sl_status status = verify_in(ctx, user, &r);
    if (m->n_refused == 0) {
        sl_assert_ok(status);
        assert_true(r.consistent);
    } else if (status != SL_OK) { /* what only diagnostics lacked is counted there */
        sl_assert_status(status, SL_ERR_MEMORY);
    }
}

static void test_memory(void **state) {
    (void)state;
    town t;
    make_town(&t);
    write_out(&t);
    assert_true(sl_test_sweep(sweep_one, &t) > 10);
}

/* Water that carries nothing: zeros are right, until a reservoir has something. */
static void test_quality(void **state) {
    (void)state;
    town t;
    sl_verify_result r = {.size = sizeof r};
    make_town(&t);
    char *times = strstr(t.inp, "[TIMES]");
    (void)snprintf(times, sizeof t.inp - (size_t)(times - t.inp),
                   "QUALITY CHLORINE mg/L\n[TIMES]\nDURATION 2\n[END]\n");
    t.quality = SL_QUALITY_CHEMICAL;
    write_out(&t);
    sl_assert_ok(verify(&t, &r));
    assert_true(r.consistent);
    assert_int_equal(r.row[SL_VERIFY_QUALITY].n, N_PERIOD * N_NODE + N_NODE + (N_PERIOD - 1) + (N_PERIOD - 1));
    assert_int_equal(r.row[SL_VERIFY_LEDGER].n, 1);
    assert_true(sl_test_sweep(sweep_one, &t) > 10);
    (void)snprintf(times, sizeof t.inp - (size_t)(times - t.inp),
                   "QUALITY CHLORINE mg/L\n[TIMES]\nDURATION 2\n[QUALITY]\nR 0.5\n[END]\n");
    sl_assert_ok(verify(&t, &r));
    assert_false(r.consistent); /* the reservoir shows nothing of what it has, and it is not told where it went */
    assert_int_equal(r.row[SL_VERIFY_QUALITY].n_bad, N_PERIOD);
}

/* ---- Laws ---------------------------------------------------------------------------------------- */

/* Friction factor of a 100 m pipe of 0.1 m at a Reynolds number, from its loss. */
static double factor_at(const sl_network *net, double re) {
    const double d = 0.1, g = 32.2 * 0.3048, viscosity = 1e-6, area = 3.14159265358979323846 * d * d / 4;
    double velocity = re * viscosity / d;
    double loss = sl_verify_loss(net, 0, SL_STATUS_OPEN, 0, velocity * area);
    return loss * 2 * g * d / (100 * velocity * velocity);
}

/* Darcy-Weisbach: laminar is 64/Re; the passage to Swamee-Jain has no step and no kink at either end. */
static void test_friction(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    const char *text = "[JUNCTIONS]\nA 0 1\n[RESERVOIRS]\nR 10\n[PIPES]\nP R A 100 100 0.1\n"
                       "[OPTIONS]\nUNITS LPS\nHEADLOSS D-W\nVISCOSITY 1e-6\n[END]\n";
    sl_network *net = NULL;
    sl_assert_ok(sl_inp_read(ctx, text, strlen(text), NULL, NULL, &net));
    sl_assert_rel(factor_at(net, 1000), 64.0 / 1000, 1e-12);
    double y = 0.001 / 3.7 + 5.74 / pow(1e5, 0.9);
    sl_assert_rel(factor_at(net, 1e5), 0.25 / pow(log10(y), 2), 1e-12);
    for (int k = 1; k <= 2; k++) {
        double re = 2000.0 * k, f = factor_at(net, re);
        double left = f - factor_at(net, re - 1), right = factor_at(net, re + 1) - f;
        sl_assert_abs(left, right, 1e-7); /* slopes are some 1e-5 per unit of Re, curvatures some 1e-8 */
        assert_true(fabs(left) < 1e-4);   /* no step */
    }
    sl_assert_double(sl_verify_loss(net, 0, SL_STATUS_OPEN, 0, 0), 0);
    sl_network_destroy(net);
    sl_test_context_end(ctx, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_units_of_file),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_planted_numbers),
        cmocka_unit_test(test_tank_jump),
        cmocka_unit_test(test_tank_limits),
        cmocka_unit_test(test_cut_off),
        cmocka_unit_test(test_mismatch),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_quality),
        cmocka_unit_test(test_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
