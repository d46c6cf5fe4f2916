/* SPDX-License-Identifier: MIT */
/* What is written is read back: places, units, statistics, energies, and the ends of runs that failed.
 *
 * Expected numbers are worked out here from the values given to the engine; the conventions (what is absolute, what is 0,
 * which columns are means over what) are those of EPANET 2.3.5, as its own files show them (test_out_reference). */
#include "fake.h"

/* A 4-byte float holds 24 bits: two roundings on the way. */
#define FLOAT 2.4e-7

typedef struct file_case {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_network *net;
    fake engine;
    fake_bytes bytes;
    sl_source_bytes source;
    sl_outfile *file;
    const sl_outfile_info *info;
} file_case;

static void begin(file_case *c, const char *more) {
    *c = (file_case){0};
    c->ctx = sl_test_context(&c->memory);
    sl_assert_ok(sl_diags_create(c->ctx, &c->diags));
    char text[4000];
    snprintf(text, sizeof text, "%s%s", fake_town, more);
    c->net = fake_network(c->ctx, text);
    fake_init(&c->engine, c->net);
}

static void write_and_open(file_case *c, const fake_run *run) {
    sl_assert_ok(fake_write(c->ctx, &c->engine, run, c->diags, &c->bytes));
    c->source = fake_source(&c->bytes);
    sl_assert_ok(sl_outfile_open(c->ctx, &c->source, "town.out", c->diags, &c->file));
    c->info = sl_outfile_get_info(c->file);
}

static void finish(file_case *c) {
    sl_outfile_close(c->file);
    fake_bytes_fini(&c->bytes);
    fake_fini(&c->engine);
    sl_network_destroy(c->net);
    sl_diags_destroy(c->diags);
    sl_test_context_end(c->ctx, &c->memory);
}

static double value(file_case *c, int32_t period, sl_out_variable v, const char *id) {
    float x[64];
    sl_assert_ok(sl_outfile_read(c->file, period, v, x));
    int32_t i =
        v < SL_OUT_FLOW ? sl_outfile_find_node(c->file, sl_str_z(id)) : sl_outfile_find_link(c->file, sl_str_z(id));
    assert_true(i >= 0);
    return (double)x[i];
}

static double *node_value(fake *f, fake_field field, const char *id) {
    return &f->value[field][sl_network_find_node(f->net, sl_str_z(id))];
}

static double *link_value(fake *f, fake_field field, const char *id) {
    return &f->value[field][sl_network_find_link(f->net, sl_str_z(id))];
}

/* Every element and period its own number, so that nothing can be in another's place. */
static void set_numbers(fake *f, int32_t period, void *user) {
    (void)user;
    for (int field = 0; field <= FAKE_FRICTION; field++) {
        for (int32_t i = 0; i < fake_count(f, (fake_field)field); i++) {
            double x = 0.001 * (1 + i) + 0.1 * field + period;
            f->value[field][i] = field == FAKE_STATUS ? SL_STATUS_OPEN : x;
        }
    }
}

static void test_head(void **state) {
    (void)state;
    file_case c;
    begin(&c, "[OPTIONS]\nUNITS LPS\nQUALITY TRACE T1\n[TIMES]\nDURATION 3\nREPORT START 1\n");
    sl_out_writer_def def = sl_out_writer_default(c.net);
    def.input_name = "town.inp";
    def.report_name = "town.rpt";
    write_and_open(&c, &(fake_run){.set = set_numbers, .n_period = 3, .def = &def, .warning = 4});
    const sl_outfile_info *f = c.info;
    assert_int_equal(f->version, 20012);
    assert_int_equal(f->n_node, 5);
    assert_int_equal(f->n_fixed, 2);
    assert_int_equal(f->n_link, 8);
    assert_int_equal(f->n_pump, 2);
    assert_int_equal(f->n_valve, 3);
    assert_int_equal(f->quality, SL_QUALITY_TRACE);
    assert_int_equal(f->trace_node, 4); /* T1 stands before R1 */
    assert_int_equal(f->flow_unit, SL_LPS);
    assert_int_equal(f->pressure_unit, SL_METERS);
    sl_assert_double(f->report_start, 3600.0);
    sl_assert_double(f->report_step, 3600.0);
    sl_assert_double(f->duration, 10800.0);
    sl_assert_double(sl_outfile_time(c.file, 2), 10800.0);
    sl_assert_z(f->title[0], "A town");
    sl_assert_z(f->title[1], "with a second line");
    sl_assert_z(f->title[2], "");
    sl_assert_z(f->input_name, "town.inp");
    sl_assert_z(f->report_name, "town.rpt");
    sl_assert_z(f->chemical, "% from");
    assert_int_equal(f->n_period, 3);
    assert_int_equal(f->warning, 4);
    assert_true(f->complete);
    finish(&c);
}

static void test_elements(void **state) {
    (void)state;
    file_case c;
    begin(&c, "[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 0\n");
    write_and_open(&c, &(fake_run){.set = set_numbers, .n_period = 1});
    static const char *const nodes[] = {"J1", "J2", "J3", "T1", "R1"};
    static const char *const links[] = {"U1", "U2", "V1", "V2", "V3", "P1", "P2", "P3"};
    static const int types[] = {2, 2, 7, 3, 6, 1, 1, 0};
    static const double lengths[] = {0, 0, 0, 0, 0, 1000, 500, 2000};
    static const double diameters[] = {0, 0, 300, 200, 100, 300, 250, 300};
    for (int i = 0; i < 5; i++) {
        sl_assert_z(sl_outfile_node_id(c.file, i), nodes[i]);
        assert_int_equal(sl_outfile_find_node(c.file, sl_str_z(nodes[i])), i);
    }
    for (int i = 0; i < 8; i++) {
        sl_assert_z(sl_outfile_link_id(c.file, i), links[i]);
        assert_int_equal(sl_outfile_find_link(c.file, sl_str_z(links[i])), i);
        assert_int_equal(c.info->link_type[i], types[i]);
        sl_assert_rel((double)c.info->length[i], lengths[i], FLOAT);
        sl_assert_rel((double)c.info->diameter[i], diameters[i], FLOAT);
    }
    assert_int_equal(c.info->link_from[0], 4); /* U1: R1 to J2 */
    assert_int_equal(c.info->link_to[0], 1);
    assert_int_equal(c.info->link_from[7], 3); /* P3: T1 to J2 */
    assert_int_equal(c.info->fixed_node[0], 3);
    assert_int_equal(c.info->fixed_node[1], 4);
    sl_assert_rel((double)c.info->fixed_area[0], 314.159265358979 / (0.3048 * 0.3048), FLOAT); /* ft2, as EPANET */
    sl_assert_double((double)c.info->fixed_area[1], 0.0);
    sl_assert_rel((double)c.info->elevation[4], 100.0, FLOAT);
    assert_int_equal(sl_outfile_find_node(c.file, sl_str_z("nobody")), -1);
    finish(&c);
}

static void test_values_and_units(void **state) {
    (void)state;
    file_case c;
    begin(&c, "[OPTIONS]\nUNITS LPS\nQUALITY AGE\n[TIMES]\nDURATION 2\n");
    write_and_open(&c, &(fake_run){.set = set_numbers, .n_period = 3});
    const double foot = 0.3048, flow = foot * foot * foot / 28.317; /* m3/s of a litre per second */
    fake *f = &c.engine;
    for (int32_t p = 0; p < 3; p++) {
        set_numbers(f, p, NULL);
        sl_assert_rel(value(&c, p, SL_OUT_DEMAND, "R1"), *node_value(f, FAKE_DEMAND, "R1") / flow, FLOAT);
        sl_assert_rel(value(&c, p, SL_OUT_HEAD, "J3"), *node_value(f, FAKE_HEAD, "J3"), FLOAT);
        sl_assert_rel(value(&c, p, SL_OUT_PRESSURE, "T1"), *node_value(f, FAKE_PRESSURE, "T1"), FLOAT);
        sl_assert_rel(value(&c, p, SL_OUT_QUALITY, "J1"), *node_value(f, FAKE_QUALITY, "J1"), FLOAT);
        sl_assert_rel(value(&c, p, SL_OUT_FLOW, "P2"), *link_value(f, FAKE_FLOW, "P2") / flow, FLOAT);
        sl_assert_rel(value(&c, p, SL_OUT_VELOCITY, "V1"), *link_value(f, FAKE_VELOCITY, "V1"), FLOAT);
        sl_assert_double(value(&c, p, SL_OUT_VELOCITY, "U1"), 0.0);
        sl_assert_rel(value(&c, p, SL_OUT_HEADLOSS, "P3"), *link_value(f, FAKE_HEADLOSS, "P3") / 2.0, FLOAT);
        sl_assert_rel(value(&c, p, SL_OUT_LINK_QUALITY, "V2"), *link_value(f, FAKE_LINK_QUALITY, "V2"), FLOAT);
        sl_assert_double(value(&c, p, SL_OUT_STATUS, "V2"), 3.0);
        sl_assert_rel(value(&c, p, SL_OUT_SETTING, "V2"), *link_value(f, FAKE_SETTING, "V2"), FLOAT); /* PRV: m */
        sl_assert_rel(value(&c, p, SL_OUT_SETTING, "V3"), *link_value(f, FAKE_SETTING, "V3") / flow, FLOAT); /* FCV */
        sl_assert_rel(value(&c, p, SL_OUT_REACTION, "P1"), *link_value(f, FAKE_REACTION, "P1") * 86400.0, FLOAT);
        sl_assert_rel(value(&c, p, SL_OUT_FRICTION, "P1"), *link_value(f, FAKE_FRICTION, "P1"), FLOAT);
    }
    sl_assert_z(c.info->chemical, "AGE");
    sl_assert_z(c.info->chemical_unit, "hrs");
    finish(&c);
}

static void set_signs(fake *f, int32_t period, void *user) {
    (void)period;
    (void)user;
    *link_value(f, FAKE_FLOW, "P1") = -0.01;
    *link_value(f, FAKE_VELOCITY, "P1") = -2.0;
    *link_value(f, FAKE_HEADLOSS, "P1") = -3.0;
    *link_value(f, FAKE_HEADLOSS, "V1") = -4.0;
    *link_value(f, FAKE_HEADLOSS, "U1") = -30.0;
    *link_value(f, FAKE_HEADLOSS, "U2") = 5.0; /* beyond its curve */
    *link_value(f, FAKE_STATUS, "V2") = SL_STATUS_CLOSED;
    *link_value(f, FAKE_HEADLOSS, "V2") = 7.0;
    *link_value(f, FAKE_STATUS, "P3") = SL_STATUS_TEMP_CLOSED;
    *link_value(f, FAKE_HEADLOSS, "P3") = 7.0;
}

static void test_signs_and_closed_links(void **state) {
    (void)state;
    file_case c;
    begin(&c, "[OPTIONS]\nUNITS CMS\nHEADLOSS D-W\n[TIMES]\nDURATION 0\n");
    write_and_open(&c, &(fake_run){.set = set_signs, .n_period = 1});
    assert_true(value(&c, 0, SL_OUT_FLOW, "P1") < 0.0);
    sl_assert_rel(value(&c, 0, SL_OUT_VELOCITY, "P1"), 2.0, FLOAT);
    sl_assert_rel(value(&c, 0, SL_OUT_HEADLOSS, "P1"), 3.0, FLOAT);
    sl_assert_rel(value(&c, 0, SL_OUT_HEADLOSS, "V1"), 4.0, FLOAT);
    sl_assert_rel(value(&c, 0, SL_OUT_HEADLOSS, "U1"), -30.0, FLOAT);
    sl_assert_rel(value(&c, 0, SL_OUT_HEADLOSS, "U2"), 5.0, FLOAT);
    sl_assert_double(value(&c, 0, SL_OUT_HEADLOSS, "V2"), 0.0);
    sl_assert_double(value(&c, 0, SL_OUT_HEADLOSS, "P3"), 0.0);
    sl_assert_double(value(&c, 0, SL_OUT_SETTING, "V2"), 0.0);              /* NaN: it has none */
    sl_assert_rel(value(&c, 0, SL_OUT_SETTING, "P1"), 0.1 / 0.3048, FLOAT); /* 100 mm of roughness, in feet */
    assert_int_equal(sl_diags_size(c.diags), 0);
    finish(&c);
}

/* A metric model shown in US units: everything changes, the pressure unit too. */
static void test_other_units(void **state) {
    (void)state;
    file_case c;
    begin(&c, "[OPTIONS]\nUNITS LPS\nPRESSURE KPA\n[TIMES]\nDURATION 0\n");
    sl_out_writer_def def = sl_out_writer_default(c.net);
    assert_int_equal(def.flow_unit, SL_LPS);
    def.flow_unit = SL_GPM;
    write_and_open(&c, &(fake_run){.set = set_numbers, .n_period = 1, .def = &def});
    fake *f = &c.engine;
    const double foot = 0.3048;
    assert_int_equal(c.info->flow_unit, SL_GPM);
    assert_int_equal(c.info->pressure_unit, SL_PSI);
    sl_assert_rel(value(&c, 0, SL_OUT_FLOW, "P1"), *link_value(f, FAKE_FLOW, "P1") / (foot * foot * foot) * 448.831,
                  FLOAT);
    sl_assert_rel(value(&c, 0, SL_OUT_HEAD, "J1"), *node_value(f, FAKE_HEAD, "J1") / foot, FLOAT);
    sl_assert_rel(value(&c, 0, SL_OUT_PRESSURE, "J1"), *node_value(f, FAKE_PRESSURE, "J1") / foot * 0.4333, FLOAT);
    sl_assert_rel(value(&c, 0, SL_OUT_SETTING, "V2"), *link_value(f, FAKE_SETTING, "V2") / foot * 0.4333, FLOAT);
    sl_assert_rel((double)c.info->length[5], 1000.0 / foot, FLOAT);
    sl_assert_rel((double)c.info->diameter[5], 0.3 / foot * 12.0, FLOAT);
    finish(&c);
}

/* ---- Statistics --------------------------------------------------------------------------------- */

static void set_series(fake *f, int32_t period, void *user) {
    (void)user;
    static const double flow[] = {-2, 1, 4, -1}; /* litres per second */
    static const double head[] = {50, 40, 60, 30};
    const double foot = 0.3048, litre = foot * foot * foot / 28.317;
    *link_value(f, FAKE_FLOW, "P1") = flow[period] * litre;
    *node_value(f, FAKE_HEAD, "J1") = head[period];
    *link_value(f, FAKE_STATUS, "V1") = SL_STATUS_ACTIVE;
    *link_value(f, FAKE_STATUS, "V2") = period < 2 ? SL_STATUS_CLOSED : SL_STATUS_ACTIVE;
    *link_value(f, FAKE_STATUS, "P2") = period < 3 ? SL_STATUS_CLOSED : SL_STATUS_OPEN;
    *link_value(f, FAKE_HEADLOSS, "U1") = -10.0 * period;
}

static void test_statistics(void **state) {
    (void)state;
    static const struct {
        const char *word;
        double flow, head, v1, v2, p2, u1;
    } rows[] = {
        {"AVERAGE", 2.0, 45.0, 3, 3, 2, -15.0}, /* flows without sign; one half open counts as open */
        {"MINIMUM", 1.0, 30.0, 3, 2, 2, -30.0},
        {"MAXIMUM", 4.0, 60.0, 3, 3, 3, 0.0},
        {"RANGE", 3.0, 30.0, 2, 3, 3, 30.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        file_case c;
        char more[200];
        snprintf(more, sizeof more, "[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 3\nSTATISTIC %s\n", rows[i].word);
        begin(&c, more);
        write_and_open(&c, &(fake_run){.set = set_series, .n_period = 4});
        assert_int_equal(c.info->n_period, 1);
        assert_int_equal(c.info->statistic, c.net->times.statistic);
        sl_assert_near(value(&c, 0, SL_OUT_FLOW, "P1"), rows[i].flow, 0, FLOAT);
        sl_assert_near(value(&c, 0, SL_OUT_HEAD, "J1"), rows[i].head, 0, FLOAT);
        sl_assert_double(value(&c, 0, SL_OUT_STATUS, "V1"), rows[i].v1);
        sl_assert_double(value(&c, 0, SL_OUT_STATUS, "V2"), rows[i].v2);
        sl_assert_double(value(&c, 0, SL_OUT_STATUS, "P2"), rows[i].p2);
        sl_assert_near(value(&c, 0, SL_OUT_HEADLOSS, "U1"), rows[i].u1, 0, FLOAT);
        finish(&c);
    }
}

/* ---- Energy ------------------------------------------------------------------------------------- */

static void test_energy(void **state) {
    (void)state;
    file_case c;
    begin(&c, "[OPTIONS]\nUNITS LPS\nQUALITY Chlorine ug/L\n[TIMES]\nDURATION 12\n");
    fake *f = &c.engine;
    f->value[FAKE_ONLINE][0] = 6 * 3600.0;
    f->value[FAKE_EFFICIENCY][0] = 0.7 * 6 * 3600.0;
    f->value[FAKE_INTENSITY][0] = 900.0 * 6 * 3600.0; /* kW per m3/s: 0.25 kWh/m3 */
    f->value[FAKE_KWH][0] = 60.0;
    f->value[FAKE_PEAK][0] = 12.0;
    f->value[FAKE_COST][0] = 7.5;
    f->value[FAKE_TOTAL_PEAK][0] = 20.0;
    f->value[FAKE_WALL][0] = 36.0;
    write_and_open(&c, &(fake_run){.n_period = 13});
    const sl_out_energy *e = c.info->energy;
    assert_int_equal(e[0].link, 0);
    assert_int_equal(e[1].link, 1);
    sl_assert_rel((double)e[0].utilization, 50.0, FLOAT);
    sl_assert_rel((double)e[0].efficiency, 70.0, FLOAT);
    sl_assert_rel((double)e[0].kwh_per_volume, 0.25 * 0.028316846592 / 0.028317, FLOAT); /* EPANET's cubic foot */
    sl_assert_rel((double)e[0].average_kw, 10.0, FLOAT);
    sl_assert_rel((double)e[0].peak_kw, 12.0, FLOAT);
    sl_assert_rel((double)e[0].cost_per_day, 15.0, FLOAT);
    sl_assert_double((double)e[1].utilization, 0.0);
    sl_assert_double((double)e[1].efficiency, 0.0);
    sl_assert_rel((double)c.info->demand_charge, 60.0, FLOAT);
    sl_assert_rel((double)c.info->reaction[1], 3000.0, FLOAT); /* mg per hour from mg/L m3 */
    sl_assert_z(c.info->chemical, "Chlorine");
    sl_assert_z(c.info->chemical_unit, "ug/L");
    finish(&c);
}

/* More rows than a block of a short run holds, and, with many periods, blocks of the larger size. */
static void test_many_pumps(void **state) {
    (void)state;
    enum { N = 2500, ROW = 40 };
    const int32_t periods[] = {1, 24};
    for (int k = 0; k < 2; k++) {
        file_case c = {0};
        c.ctx = sl_test_context(&c.memory);
        sl_assert_ok(sl_diags_create(c.ctx, &c.diags));
        size_t size = (size_t)ROW * N + 1000, n = 0;
        char *text = malloc(size);
        n += (size_t)snprintf(text, size, "%s[TIMES]\nDURATION %d\n[PUMPS]\n", fake_town, (int)periods[k] - 1);
        for (int i = 0; i < N; i++) {
            n += (size_t)snprintf(text + n, size - n, "W%d R1 J2 HEAD C1\n", i);
        }
        c.net = fake_network(c.ctx, text);
        fake_init(&c.engine, c.net);
        for (int i = 0; i < N + 2; i++) {
            c.engine.value[FAKE_KWH][i] = 1.0 + i;
            c.engine.value[FAKE_ONLINE][i] = 3600.0;
        }
        write_and_open(&c, &(fake_run){.set = set_numbers, .n_period = periods[k]});
        assert_int_equal(c.info->n_period, periods[k]);
        for (int i = 0; i < N + 2; i++) {
            assert_int_equal(c.info->energy[i].link, i < 2 ? i : i + 6); /* after the other links of the town */
            sl_assert_rel((double)c.info->energy[i].average_kw, 1.0 + i, FLOAT);
        }
        free(text);
        finish(&c);
    }
}

/* In US units the same is per million gallons: 0.25 kWh/m3 are 946.35 kWh/Mgal. */
static void test_energy_us(void **state) {
    (void)state;
    file_case c;
    begin(&c, "[OPTIONS]\nUNITS GPM\n[TIMES]\nDURATION 12\n");
    c.engine.value[FAKE_ONLINE][0] = 6 * 3600.0;
    c.engine.value[FAKE_INTENSITY][0] = 900.0 * 6 * 3600.0;
    write_and_open(&c, &(fake_run){.n_period = 13});
    sl_assert_rel((double)c.info->energy[0].kwh_per_volume, 0.25 * 3785.411784, 1e-6); /* EPANET's gpm is rounded */
    finish(&c);
}

/* A run without a duration: the numbers of EPANET 2.3.5 for a pump with 22.213303 L/s against -12.457352 m. */
static void test_energy_of_an_instant(void **state) {
    (void)state;
    file_case c;
    begin(&c, "[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 0\n");
    fake *f = &c.engine;
    *link_value(f, FAKE_FLOW, "U1") = 22.213303 * 0.3048 * 0.3048 * 0.3048 / 28.317;
    *link_value(f, FAKE_HEADLOSS, "U1") = -12.457352;
    f->value[FAKE_PEAK][0] = 3.616650342941284;
    f->value[FAKE_TOTAL_PEAK][0] = 3.616650342941284;
    write_and_open(&c, &(fake_run){.n_period = 1});
    const sl_out_energy *e = c.info->energy;
    sl_assert_double((double)e[0].utilization, 100.0);
    sl_assert_rel((double)e[0].efficiency, 75.0, 1e-6); /* from flow and gain in eight digits */
    sl_assert_rel((double)e[0].kwh_per_volume, 0.04522628337144852, FLOAT);
    sl_assert_rel((double)e[0].average_kw, 3.616650342941284, FLOAT);
    sl_assert_rel((double)e[0].cost_per_day, 8.679960250854492, FLOAT);
    sl_assert_double((double)e[1].utilization, 0.0);
    sl_assert_double((double)e[1].average_kw, 0.0);
    sl_assert_rel((double)c.info->demand_charge, 3.0 * 3.616650342941284, FLOAT);
    finish(&c);
}

/* ---- What goes wrong ---------------------------------------------------------------------------- */

static void test_stopped_run(void **state) {
    (void)state;
    file_case c;
    begin(&c, "[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 24\n");
    c.engine.value[FAKE_ONLINE][0] = 3600.0;
    write_and_open(&c, &(fake_run){.set = set_numbers, .n_period = 5, .stopped = true});
    assert_true(c.info->complete);
    assert_int_equal(c.info->n_period, 5);
    assert_int_equal(c.info->warning, 1);
    sl_assert_rel((double)c.info->energy[0].utilization, 25.0, FLOAT); /* of the 4 h that were simulated */
    sl_assert_double(c.info->duration, 86400.0);
    finish(&c);
}

static void test_no_period_at_all(void **state) {
    (void)state;
    static const char *const statistics[] = {"NONE", "AVERAGE"};
    for (int i = 0; i < 2; i++) {
        file_case c;
        char more[200];
        snprintf(more, sizeof more, "[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 24\nSTATISTIC %s\n", statistics[i]);
        begin(&c, more);
        write_and_open(&c, &(fake_run){.n_period = 0, .stopped = true});
        assert_int_equal(c.info->n_period, 0);
        assert_true(c.info->complete);
        float x[8];
        sl_assert_status(sl_outfile_read(c.file, 0, SL_OUT_HEAD, x), SL_ERR_USE);
        finish(&c);
    }
}

static void set_bad(fake *f, int32_t period, void *user) {
    (void)user;
    *node_value(f, FAKE_HEAD, "J2") = period == 1 ? (double)NAN : 5.0;
    *link_value(f, FAKE_FLOW, "P2") = period == 1 ? 1e300 : 0.0;
}

static void test_not_finite(void **state) {
    (void)state;
    file_case c;
    begin(&c, "[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 2\n");
    write_and_open(&c, &(fake_run){.set = set_bad, .n_period = 3});
    sl_assert_double(value(&c, 1, SL_OUT_HEAD, "J2"), 0.0);
    sl_assert_double(value(&c, 1, SL_OUT_FLOW, "P2"), 0.0);
    assert_int_equal(sl_diags_size(c.diags), 1); /* said once */
    const sl_diag *d = sl_diags_at(c.diags, 0);
    assert_int_equal(d->code, SL_CODE_NOT_FINITE);
    sl_assert_z(d->object_id, "J2");
    sl_assert_double(d->time, 3600.0);
    finish(&c);
}

static void test_energy_not_finite(void **state) {
    (void)state;
    file_case c;
    begin(&c, "[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 2\n");
    c.engine.value[FAKE_ONLINE][0] = 3600.0;
    c.engine.value[FAKE_KWH][0] = (double)NAN;
    c.engine.value[FAKE_PEAK][0] = 1e39; /* a number, but none of four bytes */
    c.engine.value[FAKE_COST][0] = 7.0;
    write_and_open(&c, &(fake_run){.n_period = 3});
    sl_assert_double((double)c.info->energy[0].average_kw, 0.0);
    sl_assert_double((double)c.info->energy[0].peak_kw, 0.0);
    sl_assert_rel((double)c.info->energy[0].cost_per_day, 84.0, FLOAT);
    assert_int_equal(sl_diags_size(c.diags), 1);
    assert_int_equal(sl_diags_at(c.diags, 0)->code, SL_CODE_NOT_FINITE);
    sl_assert_z(sl_diags_at(c.diags, 0)->object_id, sl_network_link_id(c.net, c.net->n_pipe));
    finish(&c);
}

static void test_engine_without_quality(void **state) {
    (void)state;
    file_case c;
    begin(&c, "[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 0\n");
    write_and_open(&c, &(fake_run){.ops = &fake_small_ops, .set = set_numbers, .n_period = 1});
    sl_assert_rel(value(&c, 0, SL_OUT_HEAD, "J1"), *node_value(&c.engine, FAKE_HEAD, "J1"), FLOAT);
    sl_assert_double(value(&c, 0, SL_OUT_QUALITY, "J1"), 0.0);
    sl_assert_double(value(&c, 0, SL_OUT_REACTION, "P1"), 0.0);
    sl_assert_double((double)c.info->energy[0].peak_kw, 0.0);
    finish(&c);
}

static void test_engine_of_another_kind(void **state) {
    (void)state;
    file_case c;
    begin(&c, "");
    static const sl_field one[] = {{.name = "height", .unit = "m", .of = SL_CLASS_MODEL}};
    sl_engine_ops ops = fake_ops;
    ops.fields = one;
    ops.n_field = 1;
    sl_assert_status(fake_write(c.ctx, &c.engine, &(fake_run){.ops = &ops}, c.diags, &c.bytes), SL_ERR_USE);
    assert_true(fake_said(c.diags, SL_CODE_WRONG_KIND));
    finish(&c);
}

static void test_long_ids(void **state) {
    (void)state;
    file_case c;
    begin(&c, "[JUNCTIONS]\n"
              "a_name_that_is_longer_than_thirty-one_bytes 1\n"
              "a_name_that_is_longer_than_thirty-one_too 1\n"
              "[PIPES]\nQ1 J1 a_name_that_is_longer_than_thirty-one_bytes 1 1 1\n"
              "Q2 J1 a_name_that_is_longer_than_thirty-one_too 1 1 1\n[TIMES]\nDURATION 0\n");
    write_and_open(&c, &(fake_run){.n_period = 1});
    sl_assert_z(sl_outfile_node_id(c.file, 3), "a_name_that_is_longer_than_thir");
    assert_true(fake_said(c.diags, SL_CODE_LONG_ID));      /* by the writer */
    assert_true(fake_said(c.diags, SL_CODE_DUPLICATE_ID)); /* by the reader: two are the same now */
    assert_int_equal(sl_outfile_find_node(c.file, sl_str_z("a_name_that_is_longer_than_thir")), 3);
    finish(&c);
}

static void test_small_file_at_once(void **state) {
    (void)state;
    file_case c;
    begin(&c, "[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 2999\n");
    sl_assert_ok(fake_write(c.ctx, &c.engine, &(fake_run){.set = set_numbers, .n_period = 3000}, c.diags, &c.bytes));
    assert_in_range(c.bytes.n, 900000, 1 << 20);
    assert_int_equal(c.bytes.n_write, 1);
    finish(&c);
}

/* The disk is full at every place in turn: the failure comes back, and nothing is written after it. */
static void test_sink_refuses(void **state) {
    (void)state;
    file_case c;
    begin(&c, "[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 11999\n");
    const fake_run run = {.set = set_numbers, .n_period = 12000};
    sl_assert_ok(fake_write(c.ctx, &c.engine, &run, c.diags, &c.bytes));
    size_t whole = c.bytes.n;
    assert_true(whole > 3600000);
    assert_in_range(c.bytes.n_write, 3, 20); /* in blocks of half a MB, not period by period */
    for (size_t limit = 1; limit < whole; limit += 80021) {
        fake_bytes small = {.fail_at = limit};
        sl_assert_status(fake_write(c.ctx, &c.engine, &run, c.diags, &small), SL_ERR_IO);
        assert_true(small.n <= limit);
        fake_bytes_fini(&small);
    }
    finish(&c);
}

/* What a sink is told to expect is what comes, whatever is reported and how. */
static void test_expected_size(void **state) {
    (void)state;
    const char *const times[] = {"DURATION 0\n", "DURATION 2999\n", "DURATION 2999\nREPORT START 1500\n",
                                 "DURATION 2999\nSTATISTIC AVERAGED\n"};
    const int32_t n_period[] = {1, 3000, 1500, 3000};
    for (size_t i = 0; i < 4; i++) {
        char text[128];
        snprintf(text, sizeof text, "[OPTIONS]\nUNITS LPS\n[TIMES]\n%s", times[i]);
        file_case c;
        begin(&c, text);
        const fake_run run = {.set = set_numbers, .n_period = n_period[i]};
        sl_assert_ok(fake_write(c.ctx, &c.engine, &run, c.diags, &c.bytes));
        assert_int_equal(c.bytes.expected, c.bytes.n);
        finish(&c);
    }
}

static void short_of_memory(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)m;
    file_case *c = user;
    fake_bytes bytes = {0};
    sl_status status = fake_write(ctx, &c->engine, &(fake_run){.set = set_series, .n_period = 4}, NULL, &bytes);
    assert_true(status == SL_OK || status == SL_ERR_MEMORY);
    if (status == SL_OK) {
        sl_source_bytes source = fake_source(&bytes);
        sl_outfile *file = NULL;
        status = sl_outfile_open(ctx, &source, "town.out", NULL, &file);
        assert_true(status == SL_OK ? file != NULL : status == SL_ERR_MEMORY && !file);
        sl_outfile_close(file);
    }
    fake_bytes_fini(&bytes);
}

static void test_short_of_memory(void **state) {
    (void)state;
    file_case c;
    begin(&c, "[TIMES]\nDURATION 3\nSTATISTIC RANGE\n");
    assert_true(sl_test_sweep(short_of_memory, &c) > 10);
    finish(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_head),
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_values_and_units),
        cmocka_unit_test(test_signs_and_closed_links),
        cmocka_unit_test(test_other_units),
        cmocka_unit_test(test_statistics),
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_many_pumps),
        cmocka_unit_test(test_energy_us),
        cmocka_unit_test(test_energy_of_an_instant),
        cmocka_unit_test(test_stopped_run),
        cmocka_unit_test(test_no_period_at_all),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_energy_not_finite),
        cmocka_unit_test(test_engine_without_quality),
        cmocka_unit_test(test_engine_of_another_kind),
        cmocka_unit_test(test_long_ids),
        cmocka_unit_test(test_small_file_at_once),
        cmocka_unit_test(test_sink_refuses),
        cmocka_unit_test(test_expected_size),
        cmocka_unit_test(test_short_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
