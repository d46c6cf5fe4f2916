/* SPDX-License-Identifier: MIT */
/* EPANET's own files (2.3.5), read and written again.
 *
 * Read: counts and periods as in the catalogue of the reference networks. Written: an engine that has the values of the
 * file, turned to SI, is put through our writer together with the .inp; what comes out must be the reference again, to
 * the last digits of its floats: order of elements, topology, dimensions, areas of tanks, words, roughnesses among the
 * settings, signs of head losses, the energy table. Skipped without the reference networks or xz. */
#include "fake.h"

#include "network/epanet_units.h"

/* A float, turned to a double in SI and back. */
#define FLOAT 2.4e-7

static const char *const names[] = {
    "epanet/Net1",
    "epanet/Net2",
    "epanet/Net3",
    "benchmarks/dtown",
    "benchmarks/balerma",
    "benchmarks/nytunnels",
    "fixtures/pump_energy_full",
    "fixtures/demand_charge",
    "fixtures/pump_head_curve",
    "fixtures/units_cmh",
    "fixtures/units_mgd",
    "fixtures/pcv_valve",
    "fixtures/single_pipe_dw",
    "fixtures/multi_tank",
    "fixtures/check_valve",
    "fixtures/fcv_prv_series",
    "fixtures/valve_status",
    "fixtures/parallel_pumps",
};
enum { N_NAME = sizeof names / sizeof *names };

static const char *shared(void) {
    const char *path = getenv("SLUICE_SHARED");
    return path ? path : "";
}

/* All that a command prints about a file of the reference networks. */
static fake_bytes output_of(const char *program, const char *name, const char *ending) {
    char command[4096];
    snprintf(command, sizeof command, "%s '%s/networks/%s%s'", program, shared(), name, ending);
    fake_bytes b = {0};
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    char block[65536];
    sl_patch_sink sink = fake_patch_sink(&b);
    for (size_t n = fread(block, 1, sizeof block, pipe); n > 0; n = fread(block, 1, sizeof block, pipe)) {
        sl_assert_ok(sink.write(sink.user, block, n));
    }
    assert_int_equal(pclose(pipe), 0);
    sl_assert_ok(sink.write(sink.user, "", 1)); /* as text it ends */
    b.n--;
    return b;
}

typedef struct reference {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_network *net;
    fake_bytes bytes;
    sl_source_bytes source;
    sl_outfile *file;
    const sl_outfile_info *info;
    double factor[SL_Q_COUNT];
} reference;

static void begin(reference *r, const char *name) {
    *r = (reference){0};
    r->ctx = sl_test_context(&r->memory);
    sl_assert_ok(sl_diags_create(r->ctx, &r->diags));
    fake_bytes text = output_of("cat", name, ".inp");
    r->net = fake_network(r->ctx, (const char *)text.at);
    fake_bytes_fini(&text);
    r->bytes = output_of("xz -dc", name, ".out.xz");
    r->source = fake_source(&r->bytes);
    sl_assert_ok(sl_outfile_open(r->ctx, &r->source, name, r->diags, &r->file));
    r->info = sl_outfile_get_info(r->file);
    sl_unit_system units = sl_network_units(&r->net->hydraulics, &r->net->quality);
    sl_epanet_factors(&units, r->factor);
}

static void finish(reference *r) {
    sl_outfile_close(r->file);
    fake_bytes_fini(&r->bytes);
    sl_network_destroy(r->net);
    sl_diags_destroy(r->diags);
    sl_test_context_end(r->ctx, &r->memory);
}

/* ---- Reading ------------------------------------------------------------------------------------ */

/* A whole number in a column (from 0) of the line of this file in the catalogue. */
static long catalogue(const char *text, const char *name, int column) {
    char key[200];
    snprintf(key, sizeof key, "\n%s.inp,", name);
    const char *at = strstr(text, key);
    assert_non_null(at);
    for (at++; column > 0; column--) {
        at = strchr(at, ',');
        assert_non_null(at);
        at++;
    }
    return strtol(at, NULL, 10);
}

static void test_counts(void **state) {
    (void)state;
    fake_bytes list = output_of("cat", "catalogue", ".csv");
    const char *text = (const char *)list.at;
    for (int i = 0; i < N_NAME; i++) {
        reference r;
        begin(&r, names[i]);
        const sl_outfile_info *f = r.info;
        assert_int_equal(f->n_node - f->n_fixed, catalogue(text, names[i], 1));
        assert_int_equal(f->n_fixed, catalogue(text, names[i], 2) + catalogue(text, names[i], 3));
        assert_int_equal(f->n_link - f->n_pump - f->n_valve, catalogue(text, names[i], 4));
        assert_int_equal(f->n_pump, catalogue(text, names[i], 5));
        assert_int_equal(f->n_valve, catalogue(text, names[i], 6));
        assert_int_equal(f->n_period, catalogue(text, names[i], 16));
        assert_true(f->complete);
        assert_int_equal(sl_diags_size(r.diags), 0);
        finish(&r);
    }
    fake_bytes_fini(&list);
}

/* ---- Writing ------------------------------------------------------------------------------------ */

static double setting_factor(const reference *r, int32_t link) {
    int32_t valve = link - r->net->n_pipe - r->net->n_pump;
    return valve >= 0 ? r->factor[sl_valve_setting_quantity((sl_valve_kind)r->net->valve_kind[valve])] : 1.0;
}

/* The values of a period of the reference, in SI, as an engine would have them. */
static void set_period(fake *f, int32_t period, void *user) {
    reference *r = user;
    static const sl_quantity quantity[SL_OUT_VARIABLE_COUNT] = {
        [SL_OUT_DEMAND] = SL_Q_FLOW, [SL_OUT_HEAD] = SL_Q_LENGTH,     [SL_OUT_PRESSURE] = SL_Q_PRESSURE,
        [SL_OUT_FLOW] = SL_Q_FLOW,   [SL_OUT_VELOCITY] = SL_Q_LENGTH, [SL_OUT_REACTION] = SL_Q_PER_DAY,
    };
    const sl_network *net = r->net;
    float *x = malloc(sizeof *x * (size_t)(net->n_node + net->n_link));
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
        sl_assert_ok(sl_outfile_read(r->file, period, (sl_out_variable)v, x));
        const int32_t *rank = v < SL_OUT_FLOW ? net->node_rank : net->link_rank;
        for (int32_t i = 0; i < fake_count(f, (fake_field)v); i++) {
            double y = (double)x[rank[i]] * r->factor[quantity[v]];
            if (v == SL_OUT_SETTING) {
                y = i < net->n_pipe || y == 0.0 ? (double)NAN : y * setting_factor(r, i);
            } else if (v == SL_OUT_HEADLOSS) {
                y *= i < net->n_pipe ? net->pipe_length[i] / 1000.0 : r->factor[SL_Q_LENGTH];
                bool back = f->value[FAKE_FLOW][i] < 0.0 && (i < net->n_pipe || i >= net->n_pipe + net->n_pump);
                y = back ? -y : y; /* H_from - H_to */
            }
            f->value[v][i] = y;
        }
    }
    free(x);
}

/* Integrals that give the reference's means. */
static void set_energy(const reference *r, fake *f) {
    double span = r->info->duration > 0.0 ? r->info->duration : 3600.0; /* an hour, where there is no duration */
    bool metric = sl_flow_unit_is_metric(r->info->flow_unit);
    double cubic_foot = 0.3048 * 0.3048 * 0.3048;
    double per_hour = metric ? 28.317 * 3.6 : 448.831 * 60e-6; /* m3 or million gallons of a ft3/s */
    for (int32_t i = 0; i < r->net->n_pump; i++) {
        const sl_out_energy *e = &r->info->energy[i];
        double online = (double)e->utilization / 100.0 * span;
        f->value[FAKE_ONLINE][i] = online;
        f->value[FAKE_EFFICIENCY][i] = (double)e->efficiency / 100.0 * online;
        f->value[FAKE_INTENSITY][i] = (double)e->kwh_per_volume * per_hour / cubic_foot * online;
        f->value[FAKE_KWH][i] = (double)e->average_kw * online / 3600.0;
        f->value[FAKE_PEAK][i] = (double)e->peak_kw;
        f->value[FAKE_COST][i] = (double)e->cost_per_day * span / 86400.0;
    }
    double charge = r->net->energy.demand_charge;
    f->value[FAKE_TOTAL_PEAK][0] = charge > 0.0 ? (double)r->info->demand_charge / charge : 0.0;
    for (int i = 0; i < 4; i++) {
        f->value[FAKE_BULK + i][0] = (double)r->info->reaction[i] * span / 3600.0 / 1000.0; /* mg/L m3 */
    }
}

static void assert_floats(const float *a, const float *b, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        sl_assert_near((double)a[i], (double)b[i], 0.0, FLOAT);
    }
}

/* Titles in EPANET's files keep blanks at the end of a line. */
static void assert_title(const char *ours, const char *theirs) {
    size_t n = strlen(theirs);
    while (n > 0 && strchr(" \t\r", theirs[n - 1])) {
        n--;
    }
    size_t k = strlen(ours);
    while (k > 0 && strchr(" \t\r", ours[k - 1])) {
        k--;
    }
    assert_int_equal(k, n);
    assert_memory_equal(ours, theirs, n);
}

static void assert_same_head(const sl_outfile *ours, const reference *r) {
    const sl_outfile_info *a = sl_outfile_get_info(ours), *b = r->info;
    assert_int_equal(a->n_node, b->n_node);
    assert_int_equal(a->n_fixed, b->n_fixed);
    assert_int_equal(a->n_link, b->n_link);
    assert_int_equal(a->version, b->version);
    assert_int_equal(a->quality, b->quality);
    assert_int_equal(a->trace_node, b->trace_node);
    assert_int_equal(a->flow_unit, b->flow_unit);
    assert_int_equal(a->pressure_unit, b->pressure_unit);
    assert_int_equal(a->statistic, b->statistic);
    sl_assert_double(a->report_start, b->report_start);
    sl_assert_double(a->report_step, b->report_step);
    sl_assert_double(a->duration, b->duration);
    sl_assert_z(a->chemical, b->chemical);
    sl_assert_z(a->chemical_unit, b->chemical_unit);
    for (int i = 0; i < 3; i++) {
        assert_title(a->title[i], b->title[i]);
    }
    for (int32_t i = 0; i < a->n_node; i++) {
        sl_assert_z(sl_outfile_node_id(ours, i), sl_outfile_node_id(r->file, i));
    }
    for (int32_t i = 0; i < a->n_link; i++) {
        sl_assert_z(sl_outfile_link_id(ours, i), sl_outfile_link_id(r->file, i));
    }
    size_t links = sizeof(int32_t) * (size_t)a->n_link;
    assert_memory_equal(a->link_from, b->link_from, links);
    assert_memory_equal(a->link_to, b->link_to, links);
    assert_memory_equal(a->link_type, b->link_type, links);
    assert_memory_equal(a->fixed_node, b->fixed_node, sizeof(int32_t) * (size_t)a->n_fixed);
    assert_floats(a->fixed_area, b->fixed_area, a->n_fixed);
    assert_floats(a->elevation, b->elevation, a->n_node);
    assert_floats(a->length, b->length, a->n_link);
    assert_floats(a->diameter, b->diameter, a->n_link);
}

static void assert_same_rest(sl_outfile *ours, const reference *r) {
    const sl_outfile_info *a = sl_outfile_get_info(ours), *b = r->info;
    for (int32_t i = 0; i < a->n_pump; i++) {
        assert_int_equal(a->energy[i].link, b->energy[i].link);
        assert_floats(&a->energy[i].utilization, &b->energy[i].utilization, 6);
    }
    assert_floats(&a->demand_charge, &b->demand_charge, 1);
    assert_floats(a->reaction, b->reaction, 4);
    assert_int_equal(a->n_period, b->n_period);
    assert_int_equal(a->warning, b->warning);
    float *x = malloc(sizeof *x * (size_t)(a->n_node + a->n_link)),
          *y = malloc(sizeof *y * (size_t)(a->n_node + a->n_link));
    for (int32_t p = 0; p < a->n_period; p++) {
        for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
            sl_assert_ok(sl_outfile_read(ours, p, (sl_out_variable)v, x));
            sl_assert_ok(sl_outfile_read(r->file, p, (sl_out_variable)v, y));
            assert_floats(x, y, v < SL_OUT_FLOW ? a->n_node : a->n_link);
        }
    }
    free(x);
    free(y);
}

static void test_written_again(void **state) {
    (void)state;
    for (int i = 0; i < N_NAME; i++) {
        reference r;
        begin(&r, names[i]);
        fake f;
        fake_init(&f, r.net);
        set_energy(&r, &f);
        fake_bytes bytes = {0};
        fake_run run = {.set = set_period, .user = &r, .n_period = r.info->n_period, .warning = r.info->warning};
        sl_assert_ok(fake_write(r.ctx, &f, &run, r.diags, &bytes));
        assert_int_equal(bytes.n, r.bytes.n);
        sl_source_bytes source = fake_source(&bytes);
        sl_outfile *ours = NULL;
        sl_assert_ok(sl_outfile_open(r.ctx, &source, "ours", r.diags, &ours));
        assert_int_equal(sl_diags_size(r.diags), 0);
        assert_same_head(ours, &r);
        assert_same_rest(ours, &r);
        sl_outfile_close(ours);
        fake_bytes_fini(&bytes);
        fake_fini(&f);
        finish(&r);
    }
}

int main(void) {
    char path[4200];
    snprintf(path, sizeof path, "%s/networks/catalogue.csv", shared());
    if (!*shared()) {
        printf("there are no reference networks (../shared)\n");
        return 77;
    }
    FILE *catalogue_file = fopen(path, "r");
    if (!catalogue_file) {
        printf("there is no %s\n", path);
        return 1;
    }
    fclose(catalogue_file);
    if (system("xz --version >/dev/null 2>&1") != 0) {
        printf("xz is not installed: scripts/bootstrap does that\n");
        return 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts), cmocka_unit_test(test_written_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
