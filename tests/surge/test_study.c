/* SPDX-License-Identifier: MIT */
/* Study files of the surge engine: what they say becomes the definition, what is wrong has its place and its remedy. */
#include "sl_test.h"

#include <sluice/network_io.h>

#include "surge/study.h"

static const char network_text[] = "[JUNCTIONS]\nJ1 10 1\nJ2 12 2\n[RESERVOIRS]\nR1 100\n[TANKS]\nT1 50 5 0 10 20 0\n"
                                   "[PIPES]\nP1 R1 J1 1000 300 120 0 Open\nP2 J2 T1 500 200 120 0 Open\n"
                                   "[PUMPS]\nPU R1 J2 POWER 10\n[VALVES]\nV1 J1 J2 300 TCV 2 0\n"
                                   "[OPTIONS]\nUnits LPS\n[END]\n";

typedef struct fixture {
    sl_test_memory m;
    sl_context *ctx;
    sl_diags *diags;
    sl_network *net;
    sl_study *study;
} fixture;

static sl_status read_study_of(fixture *f, const char *network, const char *text, bool with_network) {
    *f = (fixture){0};
    f->ctx = sl_test_context(&f->m);
    sl_assert_ok(sl_diags_create(f->ctx, &f->diags));
    sl_assert_ok(sl_inp_read(f->ctx, network, strlen(network), NULL, f->diags, &f->net));
    sl_diags_clear(f->diags);
    sl_status status = sl_study_open(f->ctx, text, strlen(text), "s.yaml", f->diags, &f->study);
    return status == SL_OK ? sl_study_bind(f->study, with_network ? f->net : NULL) : status;
}

static sl_status read_study(fixture *f, const char *text, bool with_network) {
    return read_study_of(f, network_text, text, with_network);
}

static void end(fixture *f) {
    sl_study_destroy(f->study);
    sl_network_destroy(f->net);
    sl_diags_destroy(f->diags);
    sl_test_context_end(f->ctx, &f->m);
}

static const char whole[] =
    "study: surge\n"
    "network: main.inp\n"
    "title: a whole study\n"
    "start: 6:00\n"
    "duration: 20 s\n"
    "fluid: {temperature: 15 degC, gravity: 9.81, bulk_modulus: 2.2 GPa, altitude: 300}\n"
    "grid: {step: 10 ms, scheme: interpolate, reaches: 4, distortion: 10 %, on_distortion: warn,"
    " rigid_length: 5 m, rigid_part: 0.25, optimise: false, points_max: 1000}\n"
    "wave_speed: 1100 m/s\n"
    "pipes:\n"
    "  - {pipe: P1, material: steel, wall: 8 mm, restraint: jointed}\n"
    "  - {pipe: P1, survey: [[0, 100], [500 m, 120 m], [1000, 10]]}\n"
    "wave_speeds: {P2: 950}\n"
    "friction: {model: acceleration, integration: explicit, coefficient: 0.01}\n"
    "cavitation: dvcm\n"
    "demands: fixed\n"
    "tanks: hold\n"
    "valves:\n"
    "  - {valve: V1, characteristic: equal-percentage, range: 40, opening: 50 %, kv: 1000}\n"
    "pumps:\n"
    "  - {pump: PU, flow: 20 L/s, head: 40, speed: 1450 rpm, efficiency: 75 %, inertia: 1.5,"
    " check_valve: false, ratchet: true, suter: {head: [1, 2, 3, 4], torque: [4, 3, 2, 1]}}\n"
    "outlets:\n"
    "  - {name: hole, pipe: P1, at: 300 m, orifice: 20 mm, discharge: 0.7}\n"
    "  - {name: leak, node: J2, coefficient: 0.001, exponent: 1, backflow: true, opening: 1}\n"
    "events:\n"
    "  - {close: V1, at: 1, in: 2, power: 2}\n"
    "  - {trip: PU, at: 5 s}\n"
    "  - {opening: V1, at: 8, points: [[0, 5 %], [1 min, 0]], shape: hold}\n"
    "  - {burst: hole, when: {pressure: J1, above: 10 bar, for: 0.5}}\n"
    "  - {demand: J1, to: 5 L/s}\n"
    "probes: [{name: summit, pipe: P1, at: 500}]\n"
    "routes:\n"
    "  - {name: main, from: R1, to: T1}\n"
    "  - {name: back, links: [P2, V1, P1]}\n"
    "limits: [{pressure_max: 10 bar, pressure_min: -3, cavity_max: 0, nodes: [J1]}]\n"
    "outputs: {step: 0.1, nodes: [J1, J2], links: none, what: [head], results: a.csv,"
    " envelopes: [e.csv, e.svg]}\n";

static void check_models(const sl_surge_def *d) {
    sl_assert_double(d->start, 21600.0);
    sl_assert_double(d->duration, 20.0);
    sl_assert_double(d->report_step, 0.1);
    sl_assert_rel(d->fluid->bulk_modulus, 2.2e9, 1e-15);
    sl_assert_rel(d->fluid->temperature, 15.0, 1e-14);
    assert_true(isnan(d->fluid->density));
    sl_assert_double(d->dt, 0.01);
    assert_int_equal(d->scheme, SL_SURGE_INTERPOLATE);
    assert_int_equal(d->reaches, 4);
    sl_assert_double(d->distortion_max, 0.1);
    assert_false(d->distortion_error || d->optimise);
    assert_int_equal(d->points_max, 1000);
    assert_int_equal(d->friction, SL_SURGE_ACCELERATION);
    assert_int_equal(d->integration, SL_SURGE_EXPLICIT);
    sl_assert_double(d->friction_k, 0.01);
    assert_int_equal(d->cavitation, SL_SURGE_DVCM);
    assert_int_equal(d->demand, SL_SURGE_DEMAND_FIXED);
    assert_int_equal(d->tanks, SL_SURGE_TANKS_HOLD);
}

static void check_things(const sl_surge_def *d, const sl_network *net) {
    sl_surge_fluid fluid = *d->fluid;
    sl_surge_fluid_complete(&fluid, 1.0, net->hydraulics.viscosity);
    const sl_surge_material *steel = sl_surge_material_find(sl_str_z("steel"));
    sl_surge_wall wall = {.thickness = 0.008,
                          .young = steel->young,
                          .poisson = steel->poisson,
                          .restraint = SL_SURGE_JOINTED,
                          .gas_pressure = 101325.0};
    sl_assert_double(d->wave_speed, 1100.0);
    sl_assert_double(d->pipe_wave_speed[0], sl_surge_wave_speed(&fluid, net->pipe_diameter[0], &wall));
    sl_assert_double(d->pipe_wave_speed[1], 950.0);
    assert_int_equal(d->n_survey, 1);
    assert_int_equal(d->surveys[0].n, 3);
    sl_assert_double(d->surveys[0].elevation[1], 120.0);
    assert_int_equal(d->n_valve, 1);
    assert_int_equal(d->valves[0].link, 3);
    assert_int_equal(d->valves[0].line, 18);
    sl_assert_double(d->valves[0].opening, 0.5);
    sl_assert_double(d->valves[0].k_open, sl_surge_k_of_kv(1000.0, 0.3, 9.81));
    assert_int_equal(d->n_pump, 1);
    sl_assert_rel(d->pumps[0].rated_speed, 1450.0 * 2.0 * 3.14159265358979 / 60.0, 1e-12);
    sl_assert_rel(d->pumps[0].rated_flow, 0.02, 1e-14);
    assert_true(d->pumps[0].ratchet && !d->pumps[0].check_valve && d->pumps[0].n_suter == 4);
    assert_int_equal(d->n_outlet, 2);
    sl_assert_rel(d->outlets[0].coefficient, 0.7 * 3.14159265358979 * 1e-4 * sqrt(2.0 * 9.81), 1e-12);
    assert_int_equal(d->outlets[0].node, -1);
    sl_assert_double(d->outlets[0].chainage, 300.0);
    assert_true(d->outlets[1].node == 1 && d->outlets[1].pipe == -1 && d->outlets[1].backflow);
}

static void check_events(const sl_surge_def *d) {
    assert_int_equal(d->n_event, 5);
    const sl_surge_event *e = d->events;
    assert_int_equal(e[0].what, SL_SURGE_VALVE_OPENING);
    assert_int_equal(e[0].n, 2);
    assert_true(isnan(e[0].x[0]));
    sl_assert_double(e[0].t[1], 2.0);
    sl_assert_double(e[0].x[1], 0.0);
    sl_assert_double(e[0].power, 2.0);
    assert_int_equal(e[1].what, SL_SURGE_PUMP_TRIP);
    assert_int_equal(e[1].n, 0);
    assert_int_equal(e[2].shape, SL_SURGE_SHAPE_HOLD);
    sl_assert_double(e[2].x[0], 0.05);
    sl_assert_double(e[2].t[1], 60.0);
    assert_int_equal(e[3].what, SL_SURGE_OUTLET_OPENING);
    assert_int_equal(e[3].trigger, 0);
    sl_assert_double(e[3].x[0], 1.0);
    assert_int_equal(e[4].what, SL_SURGE_DEMAND_FLOW);
    sl_assert_rel(e[4].x[0], 0.005, 1e-14);
    assert_int_equal(d->n_trigger, 1);
    assert_true(d->triggers[0].above);
    sl_assert_double(d->triggers[0].after, 0.5);
    sl_assert_rel(d->triggers[0].threshold, 1e6 / (998.2 * 9.81), 1e-12);
}

static void test_whole(void **state) {
    (void)state;
    fixture f;
    sl_assert_ok(read_study(&f, whole, true));
    const sl_study *s = f.study;
    sl_assert_z(s->network, "main.inp");
    sl_assert_z(s->title, "a whole study");
    sl_assert_z(s->def.file, "s.yaml");
    check_models(&s->def);
    check_things(&s->def, f.net);
    check_events(&s->def);
    assert_int_equal(s->def.n_probe, 1);
    assert_int_equal(s->n_route, 2);
    /* By the pump: 500 m and a link without length, not 1500. */
    assert_int_equal(s->routes[0].n, 2);
    assert_int_equal(s->routes[0].links[0], 2);
    assert_int_equal(s->routes[1].n, 3);
    assert_int_equal(s->routes[1].nodes[3], sl_network_find_node(f.net, sl_str_z("R1")));
    assert_int_equal(s->n_limit, 1);
    assert_int_equal(s->limits[0].n_node, 1);
    sl_assert_double(s->limits[0].pressure_min, -3.0);
    assert_true(!s->nodes.all && s->nodes.n == 2 && s->links.none && s->n_what == 1);
    assert_true(s->n_result == 1 && s->n_envelope == 2);
    end(&f);
    /* An empty list selects nothing, not everything. */
    sl_assert_ok(
        read_study(&f, "study: surge\nnetwork: a.inp\nduration: 1\noutputs: {nodes: [], links: [P1]}\n", true));
    assert_true(f.study->nodes.none && !f.study->nodes.all && f.study->links.n == 1);
    end(&f);
}

static void test_least(void **state) {
    (void)state;
    fixture f;
    sl_assert_ok(read_study(&f, "study: surge\nnetwork: a.inp\nduration: 1\n", true));
    sl_surge_def d = sl_surge_default();
    d.duration = 1.0;
    d.file = f.study->def.file;
    const sl_surge_fluid fluid = sl_surge_fluid_default();
    assert_memory_equal(&fluid, f.study->def.fluid, sizeof fluid);
    d.fluid = f.study->def.fluid;
    assert_memory_equal(&d, &f.study->def, sizeof d);
    assert_true(f.study->nodes.all && f.study->links.all);
    end(&f);
}

/* Without a network everything but ids is looked at. */
static void test_without_network(void **state) {
    (void)state;
    fixture f;
    sl_assert_ok(read_study(&f, whole, false));
    end(&f);
    sl_assert_status(read_study(&f, "study: surge\nnetwork: a.inp\nduration: 1\nevents: [{close: X, at: no}]\n", false),
                     SL_ERR_INPUT);
    assert_int_equal(sl_diags_size(f.diags), 1);
    end(&f);
}

typedef struct wrong {
    const char *lines; /* after the three that must be there */
    uint32_t line, column;
    sl_code code;
    const char *text, *hint; /* hint NULL: not looked at */
} wrong;

static const wrong wrongs[] = {
    {"durations: 3", 4, 1, SL_CODE_UNKNOWN_KEY, "'durations' is not a key that is known here",
     "did you mean 'duration'?"},
    {"friction: unsteady", 4, 11, SL_CODE_UNKNOWN_KEYWORD,
     "friction: 'unsteady' is not one of the words that can stand here", "did you mean 'steady'?"},
    {"friction: {coefficient: 1}", 4, 1, SL_CODE_MISSING_VALUE, "model is missing", "add `model: ...`"},
    {"cavitation: dvcn", 4, 13, SL_CODE_UNKNOWN_KEYWORD,
     "cavitation: 'dvcn' is not one of the words that can stand here", "did you mean 'dvcm'?"},
    {"fluid: {temperature: 3 m}", 4, 22, SL_CODE_UNIT, "temperature: 'm' is a unit of something else", NULL},
    {"grid: {reaches: 0}", 4, 17, SL_CODE_VALUE_RANGE, "reaches: '0' is not within 1 and 1000000", NULL},
    {"wave_speed: -5", 4, 13, SL_CODE_VALUE_RANGE, "wave_speed: '-5' is not above 0", NULL},
    {"pipes: [{pipe: P3, wave_speed: 1000}]", 4, 16, SL_CODE_UNKNOWN_LINK, "there is no link 'P3'",
     "did you mean 'P1'?"},
    {"pipes: [{pipe: V1, wave_speed: 1000}]", 4, 16, SL_CODE_WRONG_KIND, "'V1' is a valve", "name a pipe here"},
    {"pipes: [{material: stele, wall: 8 mm}]", 4, 20, SL_CODE_UNKNOWN_KEYWORD, "material: 'stele' is not known", NULL},
    {"pipes: [{material: steel}]", 4, 9, SL_CODE_MISSING_VALUE, "a wave speed by the wall needs its thickness",
     "add the thickness of the wall, as `wall: 8 mm`"},
    {"pipes: [{wall: 8 mm}]", 4, 9, SL_CODE_MISSING_VALUE, "a wave speed by the wall needs its modulus of elasticity",
     "add `material: steel`, or `young: 200 GPa`"},
    {"pipes: [{wall: 8 mm, young: 2 GPa, wave_speed: 9}]", 4, 9, SL_CODE_SYNTAX,
     "the wave speed is given twice: by itself and by the wall", NULL},
    {"pipes: [{survey: [[0, 1]]}]", 4, 10, SL_CODE_SYNTAX, "a survey belongs to one pipe",
     "write `pipe: ID` in this row"},
    {"pipes: [{pipe: P1, survey: [[0, 1], [0, 2]]}]", 4, 38, SL_CODE_VALUE_RANGE, "the first numbers of pairs rise",
     NULL},
    {"pipes: [{pipe: P1, survey: [7]}]", 4, 29, SL_CODE_WRONG_TYPE, "a pair of numbers is needed here", NULL},
    {"wave_speeds: {J1: 900}", 4, 15, SL_CODE_UNKNOWN_LINK, "there is no pipe 'J1'", NULL},
    {"wave_speeds: {P1: 900 GPa}", 4, 19, SL_CODE_UNIT, "P1: 'GPa' is a unit of something else", NULL},
    {"wave_speeds: 900", 4, 14, SL_CODE_WRONG_TYPE, "wave_speeds is a map from pipes to wave speeds", NULL},
    {"valves: [{opening: 1}]", 4, 10, SL_CODE_MISSING_VALUE, "valve is missing", NULL},
    {"valves: [{valve: PU}]", 4, 18, SL_CODE_WRONG_KIND, "'PU' is a pump", "name a pipe or a valve here"},
    {"valves: [{valve: V1, kv: 1, cv: 1}]", 4, 10, SL_CODE_SYNTAX, "the loss of the open valve is given twice", NULL},
    {"valves: [{valve: V1, characteristic: linear, table: [[0, 0], [1, 1]]}]", 4, 46, SL_CODE_SYNTAX,
     "characteristic and table say the same twice", NULL},
    {"pumps: [{pump: V1}]", 4, 16, SL_CODE_WRONG_KIND, "'V1' is a valve", "name a pump here"},
    {"pumps: [{pump: PU, inertia: 3 kg}]", 4, 29, SL_CODE_UNIT, "inertia: 'kg' is a unit of something else", NULL},
    {"pumps: [{pump: PU, suter: {head: [1], torque: [1, 2]}}]", 4, 20, SL_CODE_VALUE_RANGE,
     "suter has 1 values of head and 2 of torque", NULL},
    {"outlets: [{name: a}]", 4, 11, SL_CODE_SYNTAX, "an outlet is at a node or at a location of a pipe", NULL},
    {"outlets: [{name: a, node: R1}]", 4, 27, SL_CODE_WRONG_KIND, "'R1' is a reservoir", "name a junction here"},
    {"outlets: [{name: a, pipe: P1}]", 4, 11, SL_CODE_MISSING_VALUE, "at is missing", NULL},
    {"outlets: [{node: J1}]", 4, 11, SL_CODE_MISSING_VALUE, "name is missing", NULL},
    {"outlets: [{name: a, node: J1, coefficient: 1, orifice: 1}]", 4, 11, SL_CODE_SYNTAX,
     "the size of the outlet is given twice", NULL},
    {"events: [{at: 1}]", 4, 10, SL_CODE_SYNTAX, "the event does not say what happens", NULL},
    {"events: [{close: V1, open: V1}]", 4, 10, SL_CODE_SYNTAX, "the event says two things at once", NULL},
    {"events: [{clsoe: V1, close: V1}]", 4, 11, SL_CODE_UNKNOWN_KEY, "'clsoe' is not a key that is known here",
     "did you mean 'close'?"},
    {"events: [{close: VI}]", 4, 18, SL_CODE_UNKNOWN_LINK, "there is no link 'VI'", "did you mean 'V1'?"},
    {"events: [{close: J1}]", 4, 18, SL_CODE_UNKNOWN_LINK, "there is no link 'J1'", NULL},
    {"events: [{trip: PU, in: 2}]", 4, 10, SL_CODE_SYNTAX, "a trip has no course: the pump runs down by its inertia",
     NULL},
    {"events: [{speed: PU}]", 4, 10, SL_CODE_MISSING_VALUE, "the event does not say where speed goes", NULL},
    {"events: [{close: V1, points: [[0, 1]], to: 1}]", 4, 22, SL_CODE_SYNTAX, "the course is given twice", NULL},
    {"events: [{close: V1, points: [[1, 1], [0, 1]]}]", 4, 40, SL_CODE_VALUE_RANGE, "the first numbers of pairs rise",
     NULL},
    {"events: [{close: V1, at: soon}]", 4, 26, SL_CODE_NOT_A_TIME, "at: 'soon' is not a time", NULL},
    {"events: [{close: V1, shape: round}]", 4, 29, SL_CODE_UNKNOWN_KEYWORD,
     "shape: 'round' is not one of the words that can stand here", NULL},
    {"events: [{burst: hole}]", 4, 18, SL_CODE_UNKNOWN_KEY, "there is no outlet 'hole'",
     "name one of the list `outlets`"},
    {"outlets: [{name: holes, node: J1}]\nevents: [{burst: hole}]", 5, 18, SL_CODE_UNKNOWN_KEY,
     "there is no outlet 'hole'", "did you mean 'holes'?"},
    {"events: [{close: V1, when: {pressure: J1}}]", 4, 22, SL_CODE_SYNTAX,
     "`when` watches one value and has one threshold", NULL},
    {"events: [{close: V1, when: {pressure: J1, above: 1, below: 1}}]", 4, 22, SL_CODE_SYNTAX,
     "`when` watches one value and has one threshold", NULL},
    {"events: [{close: V1, when: {flow: J1, above: 1 L/s}}]", 4, 35, SL_CODE_UNKNOWN_LINK, "there is no link 'J1'",
     NULL},
    {"events: [{close: V1, when: {pressure: J1, above: 1 L/s}}]", 4, 50, SL_CODE_UNIT,
     "above: 'L/s' is a unit of something else", NULL},
    {"events: {close: V1}", 4, 1, SL_CODE_WRONG_TYPE, "events: a map is not a list", NULL},
    {"probes: [{name: a, pipe: P1}]", 4, 10, SL_CODE_MISSING_VALUE, "at is missing", NULL},
    {"routes: [{name: a, from: R1}]", 4, 10, SL_CODE_SYNTAX, "a route is given by its two ends or by its links", NULL},
    {"routes: [{name: a, from: R1, to: R1}]", 4, 10, SL_CODE_VALUE_RANGE, "no path leads from R1 to R1", NULL},
    {"routes: [{name: a, links: [P1, P2]}]", 4, 20, SL_CODE_VALUE_RANGE, "the route breaks before link 'P2'",
     "name every link of the path, in order"},
    {"limits: [{nodes: [J1]}]", 4, 10, SL_CODE_MISSING_VALUE, "the limit limits nothing",
     "add pressure_max, pressure_min or cavity_max"},
    {"limits: [{pressure_max: high}]", 4, 25, SL_CODE_NOT_A_NUMBER, "pressure_max: 'high' is not a number", NULL},
    {"limits: [{pressure_max: 5, nodes: [J9]}]", 4, 36, SL_CODE_UNKNOWN_NODE, "there is no node 'J9'", NULL},
    {"outputs: {nodes: J7}", 4, 18, SL_CODE_UNKNOWN_NODE, "there is no node 'J7'", NULL},
    {"outputs: {csv: a}", 4, 11, SL_CODE_UNKNOWN_KEY, "'csv' is not a key that is known here", NULL},
};

static void test_wrong(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        const wrong *w = &wrongs[i];
        char text[512];
        fixture f;
        snprintf(text, sizeof text, "study: surge\nnetwork: a.inp\nduration: 1\n%s\n", w->lines);
        sl_assert_status(read_study(&f, text, true), SL_ERR_INPUT);
        if (sl_diags_size(f.diags) != 1) fail_msg("%s: %d diagnostics", w->lines, sl_diags_size(f.diags));
        const sl_diag *d = sl_diags_at(f.diags, 0);
        if (d->line != w->line || d->column != w->column || d->code != w->code || strcmp(d->text, w->text) != 0 ||
            (w->hint && strcmp(d->hint ? d->hint : "", w->hint) != 0) || strcmp(d->file, "s.yaml") != 0) {
            fail_msg("%s: %u:%u %s (%s) [%s]", w->lines, d->line, d->column, d->text, d->hint ? d->hint : "",
                     sl_code_word(d->code));
        }
        end(&f);
    }
}

/* In a network of other units a bare flow, head or pressure has two readings; 0 and other numbers have one. */
static void test_readings(void **state) {
    (void)state;
    static const char gpm[] = "[JUNCTIONS]\nJ1 10 1\n[RESERVOIRS]\nR1 100\n[PIPES]\nP1 R1 J1 1000 12 120 0\n"
                              "[PUMPS]\nPU R1 J1 POWER 10\n[OPTIONS]\nUnits GPM\n[END]\n";
    static const char lps[] = "[JUNCTIONS]\nJ1 10 1\n[RESERVOIRS]\nR1 100\n[PIPES]\nP1 R1 J1 1000 300 120 0\n"
                              "[PUMPS]\nPU R1 J1 POWER 10\n[OPTIONS]\nUnits LPS\n[END]\n";
    static const char cms[] = "[JUNCTIONS]\nJ1 10 1\n[RESERVOIRS]\nR1 100\n[PIPES]\nP1 R1 J1 1000 300 120 0\n"
                              "[PUMPS]\nPU R1 J1 POWER 10\n[OPTIONS]\nUnits CMS\n[END]\n";
    static const struct {
        const char *lines, *said[3]; /* in gpm, L/s, m3/s; NULL: fine */
    } t[] = {
        {"events: [{demand: J1, to: 18}]",
         {"18 gpm, as in the network, or 18 m3/s", "18 L/s, as in the network", NULL}},
        {"events: [{demand: J1, points: [[0, 0], [1, 0.5]]}]", {"0.5 gpm", "0.5 L/s", NULL}},
        {"events: [{demand: J1, to: 18 L/s}]", {NULL, NULL, NULL}},
        {"events: [{demand: J1, to: 0}]", {NULL, NULL, NULL}},
        {"events: [{head: R1, to: 90}]", {"90 ft, as in the network, or 90 m", NULL, NULL}},
        {"events: [{open: P1, when: {flow: P1, above: 1e-2}}]", {"1e-2 gpm", "1e-2 L/s", NULL}},
        {"events: [{open: P1, when: {head: J1, above: 30}}]", {"30 ft", NULL, NULL}},
        {"events: [{open: P1, when: {pressure: J1, below: 30}}]", {"30 psi, as in the network, or 30 m", NULL, NULL}},
        {"limits: [{pressure_max: 60}]", {"60 psi", NULL, NULL}},
        {"limits: [{pressure_max: 60 psi, pressure_min: 0}]", {NULL, NULL, NULL}},
        {"pumps: [{pump: PU, flow: 20, head: 40 m}]", {"20 gpm", "20 L/s", NULL}},
        {"pumps: [{pump: PU, flow: 20 L/s, head: 40}]", {"40 ft", NULL, NULL}},
        {"outlets: [{name: o, node: J1, coefficient: 0.1, back: 3}]", {"3 ft", NULL, NULL}},
        {"pumps: [{pump: PU, inertia: 2}]\nwave_speed: 1000\nprobes: [{name: p, pipe: P1, at: 20}]",
         {NULL, NULL, NULL}},
    };
    const char *const networks[] = {gpm, lps, cms};
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        for (int k = 0; k < 3; k++) {
            char text[512];
            fixture f;
            snprintf(text, sizeof text, "study: surge\nnetwork: a.inp\nduration: 1\n%s\n", t[i].lines);
            sl_status status = read_study_of(&f, networks[k], text, true);
            assert_int_equal(sl_diags_size(f.diags), t[i].said[k] != NULL);
            assert_int_equal(status, t[i].said[k] ? SL_ERR_INPUT : SL_OK);
            if (t[i].said[k]) {
                const sl_diag *d = sl_diags_at(f.diags, 0);
                assert_int_equal(d->code, SL_CODE_UNIT);
                assert_int_equal(d->line, 4);
                assert_non_null(strstr(d->text, t[i].said[k]));
            }
            end(&f);
        }
    }
}

static void test_wrong_beginning(void **state) {
    (void)state;
    static const struct {
        const char *text, *said;
        sl_code code;
    } t[] = {
        {"", "the file is empty", SL_CODE_MISSING_VALUE},
        {"study: surge\nduration: 1\n", "network is missing", SL_CODE_MISSING_VALUE},
        {"study: serge\nnetwork: a\nduration: 1\n", "study: 'serge' is not one of the words that can stand here",
         SL_CODE_UNKNOWN_KEYWORD},
        {"study: surge\nnetwork: a\n", "duration is missing", SL_CODE_MISSING_VALUE},
        {"study: surge\nnetwork: a\nduration: 0\n", "duration: '0' is not above 0", SL_CODE_VALUE_RANGE},
    };
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        fixture f;
        sl_assert_status(read_study(&f, t[i].text, true), SL_ERR_INPUT);
        assert_int_equal(sl_diags_size(f.diags), 1);
        sl_assert_z(sl_diags_at(f.diags, 0)->text, t[i].said);
        assert_int_equal(sl_diags_at(f.diags, 0)->code, t[i].code);
        end(&f);
    }
}

static void test_words(void **state) {
    (void)state;
    static const struct {
        const char *verb, *text, *reason;
        double start, within;
    } t[] = {
        {"close", "V1@1s:2s", NULL, 1.0, 2.0},
        {"close", "P1@1.5s", NULL, 1.5, 0.0},
        {"open", "V1@500ms:1 min", NULL, 0.5, 60.0},
        {"trip", "PU@5s", NULL, 5.0, 0.0},
        {"trip", "PU", NULL, 0.0, 0.0},
        {"close", "V1@0:2s", NULL, 0.0, 2.0},
        {"trip", "PU@5s:1s", "'PU@5s:1s' is not of the form ID@START, with times as 1s, 500ms or 0", 0, 0},
        {"close", "V1@x", "'V1@x': 'x' is not a time: write 2s, 500ms or 1min", 0, 0},
        {"close", "V1@1:2s", "'V1@1:2s': a time has a unit: write 1s or 1min", 0, 0},
        {"close", "V1@1s:2", "'V1@1s:2': a time has a unit: write 2s or 2min", 0, 0},
        {"close", "V1@5 steps", "'V1@5 steps': '5 steps' is not a time: write 2s, 500ms or 1min", 0, 0},
        {"close", "V1@1:30:2s", "'V1@1:30:2s' is not of the form ID@START:DURATION, with times as 1s, 500ms or 0", 0,
         0},
        {"close", "@1s", "'@1s' is not of the form ID@START:DURATION, with times as 1s, 500ms or 0", 0, 0},
        {"close", "V1@-1s", "'V1@-1s': '-1s' is not a time: write 2s, 500ms or 1min", 0, 0},
        {"close", "V2@1s", "there is no valve or pipe 'V2' in the network", 0, 0},
        {"trip", "V1@1s", "there is no pump 'V1' in the network", 0, 0},
    };
    fixture f;
    sl_assert_ok(read_study(&f, "study: surge\nnetwork: a.inp\nduration: 1\n", true));
    sl_study_destroy(f.study);
    sl_assert_ok(sl_study_create(f.ctx, f.net, &f.study));
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        char why[256] = "";
        int32_t n = f.study->def.n_event;
        sl_assert_status(sl_study_add_event(f.study, t[i].verb, t[i].text, why, sizeof why),
                         t[i].reason ? SL_ERR_INPUT : SL_OK);
        sl_assert_z(why, t[i].reason ? t[i].reason : "");
        assert_int_equal(f.study->def.n_event, n + !t[i].reason);
        if (!t[i].reason) {
            const sl_surge_event *e = &f.study->def.events[n];
            sl_assert_double(e->start, t[i].start);
            if (e->n > 0) sl_assert_double(e->t[e->n - 1], t[i].within);
        }
    }
    end(&f);
}

static void read_whole(sl_context *ctx, sl_test_memory *m, void *user) {
    sl_diags *diags = NULL;
    sl_study *study = NULL;
    if (sl_diags_create(ctx, &diags) == SL_OK) {
        sl_status status = sl_study_open(ctx, whole, strlen(whole), "s.yaml", diags, &study);
        status = status == SL_OK ? sl_study_bind(study, user) : status;
        if (m->n_refused == 0) {
            sl_assert_ok(status);
        } else {
            assert_true(status == SL_OK || status == SL_ERR_MEMORY);
        }
        sl_study_destroy(study);
        sl_diags_destroy(diags);
    }
}

static void test_no_memory(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_network *net = NULL;
    sl_assert_ok(sl_inp_read(ctx, network_text, strlen(network_text), NULL, NULL, &net));
    assert_true(sl_test_sweep(read_whole, net) > 10);
    sl_network_destroy(net);
    sl_test_context_end(ctx, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),           cmocka_unit_test(test_least),
        cmocka_unit_test(test_without_network), cmocka_unit_test(test_readings),
        cmocka_unit_test(test_wrong),           cmocka_unit_test(test_words),
        cmocka_unit_test(test_wrong_beginning), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
