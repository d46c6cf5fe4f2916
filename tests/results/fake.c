/* SPDX-License-Identifier: MIT */
/* fake.c: an engine whose values are whatever the test says; see fake.h. */
#include "fake.h"

#include "network/elements.h"

#include "results/columns.h"
#include "results/out_write_impl.h"

/* Tank before reservoir, two headings of pipes around pumps and valves: neither nodes nor links stand in the order of
 * kinds. */
const char fake_town[] = "[TITLE]\nA town\nwith a second line\n"
                         "[JUNCTIONS]\nJ1 10 5\nJ2 12 0\nJ3 12 1\n"
                         "[TANKS]\nT1 50 5 0 10 20\n"
                         "[RESERVOIRS]\nR1 100\n"
                         "[PUMPS]\nU1 R1 J2 HEAD C1\nU2 R1 J2 HEAD C1\n"
                         "[VALVES]\nV1 J1 J3 300 TCV 30\nV2 J1 J2 200 PRV 33\nV3 J3 J1 100 FCV 3\n"
                         "[PIPES]\nP1 R1 J1 1000 300 100\nP2 J1 J2 500 250 90\nP3 T1 J2 2000 300 100 0 CV\n"
                         "[CURVES]\nC1 10 40\n"
                         "[ENERGY]\nGLOBAL PRICE 0.1\nDEMAND CHARGE 3\n";

static const sl_field fields[FAKE_N_FIELD] = {
    [FAKE_DEMAND] = {.name = "demand", .unit = "m3/s", .of = SL_CLASS_NODE},
    [FAKE_HEAD] = {.name = "head", .unit = "m", .of = SL_CLASS_NODE},
    [FAKE_PRESSURE] = {.name = "pressure", .unit = "m", .of = SL_CLASS_NODE},
    [FAKE_QUALITY] = {.name = "quality", .unit = "1", .of = SL_CLASS_NODE},
    [FAKE_FLOW] = {.name = "flow", .unit = "m3/s", .of = SL_CLASS_LINK},
    [FAKE_VELOCITY] = {.name = "velocity", .unit = "m/s", .of = SL_CLASS_LINK},
    [FAKE_HEADLOSS] = {.name = "headloss", .unit = "m", .of = SL_CLASS_LINK},
    [FAKE_LINK_QUALITY] = {.name = "quality", .unit = "1", .of = SL_CLASS_LINK},
    [FAKE_STATUS] = {.name = "status", .unit = "1", .of = SL_CLASS_LINK},
    [FAKE_SETTING] = {.name = "setting", .unit = "1", .of = SL_CLASS_LINK},
    [FAKE_REACTION] = {.name = "reaction", .unit = "1/s", .of = SL_CLASS_LINK},
    [FAKE_FRICTION] = {.name = "friction", .unit = "1", .of = SL_CLASS_LINK},
    [FAKE_ONLINE] = {.name = "energy.online", .unit = "s", .of = SL_CLASS_PUMP},
    [FAKE_EFFICIENCY] = {.name = "energy.efficiency", .unit = "s", .of = SL_CLASS_PUMP},
    [FAKE_INTENSITY] = {.name = "energy.intensity", .unit = "kW s2/m3", .of = SL_CLASS_PUMP},
    [FAKE_KWH] = {.name = "energy.kwh", .unit = "kWh", .of = SL_CLASS_PUMP},
    [FAKE_PEAK] = {.name = "energy.peak", .unit = "kW", .of = SL_CLASS_PUMP},
    [FAKE_COST] = {.name = "energy.cost", .unit = "1", .of = SL_CLASS_PUMP},
    [FAKE_TOTAL_PEAK] = {.name = "energy.peak", .unit = "kW", .of = SL_CLASS_MODEL},
    [FAKE_BULK] = {.name = "quality.bulk", .unit = "1", .of = SL_CLASS_MODEL},
    [FAKE_WALL] = {.name = "quality.wall", .unit = "1", .of = SL_CLASS_MODEL},
    [FAKE_TANK] = {.name = "quality.tank", .unit = "1", .of = SL_CLASS_MODEL},
    [FAKE_SOURCE] = {.name = "quality.source", .unit = "1", .of = SL_CLASS_MODEL},
};

/* The same without what may be missing: another order, too. */
enum { N_SMALL = 8 };
static const int small_to_full[N_SMALL] = {FAKE_FRICTION, FAKE_SETTING, FAKE_STATUS,   FAKE_HEADLOSS,
                                           FAKE_VELOCITY, FAKE_FLOW,    FAKE_PRESSURE, FAKE_HEAD};
static const sl_field small_fields[N_SMALL + 1] = {
    {.name = "friction", .unit = "1", .of = SL_CLASS_LINK},   {.name = "setting", .unit = "1", .of = SL_CLASS_LINK},
    {.name = "status", .unit = "1", .of = SL_CLASS_LINK},     {.name = "headloss", .unit = "m", .of = SL_CLASS_LINK},
    {.name = "velocity", .unit = "m/s", .of = SL_CLASS_LINK}, {.name = "flow", .unit = "m3/s", .of = SL_CLASS_LINK},
    {.name = "pressure", .unit = "m", .of = SL_CLASS_NODE},   {.name = "head", .unit = "m", .of = SL_CLASS_NODE},
    {.name = "demand", .unit = "m3/s", .of = SL_CLASS_NODE},
};

static fake_field full_field(int32_t small) {
    return (fake_field)(small < N_SMALL ? small_to_full[small] : FAKE_DEMAND);
}

int32_t fake_count(const fake *f, fake_field field) {
    switch (fields[field].of) {
    case SL_CLASS_NODE: return f->net->n_node;
    case SL_CLASS_LINK: return f->net->n_link;
    case SL_CLASS_PUMP: return f->net->n_pump;
    default: return 1;
    }
}

static int32_t count(const void *engine, int32_t field) {
    return fake_count(engine, (fake_field)field);
}

static int32_t small_count(const void *engine, int32_t field) {
    return fake_count(engine, full_field(field));
}

static const double *data(const void *engine, int32_t field) {
    return ((const fake *)engine)->value[field];
}

static const double *small_data(const void *engine, int32_t field) {
    return ((const fake *)engine)->value[full_field(field)];
}

static double engine_time(const void *engine) {
    return ((const fake *)engine)->time;
}

static double engine_end(const void *engine) {
    return ((const fake *)engine)->end;
}

static void report(const void *engine, double *start, double *step) {
    *start = ((const fake *)engine)->report_start;
    *step = ((const fake *)engine)->report_step;
}

const sl_engine_ops fake_ops = {.name = "fake",
                                .classes = sl_network_classes,
                                .n_class = SL_CLASS_NETWORK_COUNT,
                                .time_unit = "s",
                                .fields = fields,
                                .n_field = FAKE_N_FIELD,
                                .count = count,
                                .time = engine_time,
                                .end = engine_end,
                                .report = report,
                                .data = data};

const sl_engine_ops fake_small_ops = {.name = "small",
                                      .classes = sl_network_classes,
                                      .n_class = SL_CLASS_NETWORK_COUNT,
                                      .time_unit = "s",
                                      .fields = small_fields,
                                      .n_field = N_SMALL + 1,
                                      .count = small_count,
                                      .time = engine_time,
                                      .end = engine_end,
                                      .report = report,
                                      .data = small_data};

void fake_init(fake *f, const sl_network *net) {
    *f = (fake){.net = net,
                .end = net->times.duration,
                .report_start = net->times.report_start,
                .report_step = net->times.report_step};
    for (int i = 0; i < FAKE_N_FIELD; i++) {
        f->value[i] = calloc((size_t)fake_count(f, (fake_field)i) + 1, sizeof(double));
    }
    for (int32_t i = 0; i < net->n_link; i++) {
        f->value[FAKE_SETTING][i] = (double)NAN;
        f->value[FAKE_STATUS][i] = SL_STATUS_OPEN;
    }
}

void fake_fini(fake *f) {
    for (int i = 0; i < FAKE_N_FIELD; i++) {
        free(f->value[i]);
    }
}

/* ---- Bytes -------------------------------------------------------------------------------------- */

static sl_status write_bytes(void *user, const void *bytes, size_t n) {
    fake_bytes *b = user;
    b->n_write++;
    if (b->fail_at > 0 && b->n + n > b->fail_at) {
        return SL_ERR_IO;
    }
    if (b->n + n > b->cap) {
        b->cap = 2 * (b->n + n);
        b->at = realloc(b->at, b->cap);
    }
    memcpy(b->at + b->n, bytes, n);
    b->n += n;
    return SL_OK;
}

static sl_status patch_bytes(void *user, uint64_t offset, const void *bytes, size_t n) {
    fake_bytes *b = user;
    assert_true(offset <= b->n && n <= b->n - offset);
    memcpy(b->at + offset, bytes, n);
    return SL_OK;
}

static sl_status read_bytes(void *user, uint64_t offset, void *bytes, size_t n) {
    fake_bytes *b = user;
    assert_true(offset <= b->n && n <= b->n - offset); /* a reader never asks for what is not there */
    memcpy(bytes, b->at + offset, n);
    return SL_OK;
}

static void note_expected(void *user, uint64_t size) {
    ((fake_bytes *)user)->expected = size;
}

sl_patch_sink fake_patch_sink(fake_bytes *b) {
    return (sl_patch_sink){.user = b, .write = write_bytes, .patch = patch_bytes, .expect = note_expected};
}

sl_source_bytes fake_source(fake_bytes *b) {
    return (sl_source_bytes){b, b->n, read_bytes};
}

void fake_bytes_fini(fake_bytes *b) {
    free(b->at);
    *b = (fake_bytes){0};
}

/* ---- A run -------------------------------------------------------------------------------------- */

static sl_status write_frames(fake *f, const fake_run *run, const sl_result_layout *layout, const sl_result_sink *sink,
                              sl_diags *diags) {
    sl_status status = SL_OK;
    for (int32_t p = 0; p < run->n_period && status == SL_OK; p++) {
        f->time = f->report_start + p * f->report_step;
        if (run->set) {
            run->set(f, p, run->user);
        }
        const double *values[SL_OUT_VARIABLE_COUNT];
        for (int32_t i = 0; i < layout->n_field; i++) {
            values[i] = layout->ops->data(f, layout->fields[i]);
        }
        status = sink->frame(sink->user, &(sl_result_frame){f->time, values}, diags);
    }
    return status;
}

int32_t fake_fields(const sl_engine_ops *ops, int32_t wanted[SL_OUT_VARIABLE_COUNT]) {
    int32_t n = 0;
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
        const char *name = sl_run_columns[v], *dot = strchr(name, '.');
        int32_t field = sl_engine_find_field(ops, v < SL_OUT_FLOW ? "node" : "link", sl_str_z(dot + 1));
        if (field >= 0) {
            wanted[n++] = field;
        }
    }
    return n;
}

sl_status fake_write(sl_context *ctx, fake *f, const fake_run *run, sl_diags *diags, fake_bytes *out) {
    sl_patch_sink patch = fake_patch_sink(out);
    sl_out_writer *writer = NULL;
    sl_status status = sl_out_writer_create(ctx, f->net, run->def, &patch, diags, &writer);
    if (status != SL_OK) {
        return status;
    }
    int32_t wanted[SL_OUT_VARIABLE_COUNT];
    sl_result_layout layout = {.ops = run->ops ? run->ops : &fake_ops, .engine = f, .fields = wanted};
    layout.n_field = fake_fields(layout.ops, wanted);
    const sl_result_sink *sink = sl_out_writer_sink(writer);
    status = sink->begin(sink->user, &layout, diags);
    if (status == SL_OK) {
        sl_out_writer_warn(writer, run->warning);
        status = write_frames(f, run, &layout, sink, diags);
        f->time = run->stopped ? f->time : f->end;
        sl_status last = sink->end(sink->user, !run->stopped, diags);
        status = status == SL_OK ? last : status;
    }
    sl_out_writer_destroy(writer);
    return status;
}

sl_network *fake_network(sl_context *ctx, const char *text) {
    sl_diags *diags = NULL;
    sl_network *net = NULL;
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_status status = sl_inp_read(ctx, text, strlen(text), NULL, diags, &net);
    for (int32_t i = 0; i < sl_diags_size(diags) && status != SL_OK; i++) {
        print_error("%s\n", sl_diags_at(diags, i)->text);
    }
    sl_diags_destroy(diags);
    sl_assert_ok(status);
    return net;
}

bool fake_said(const sl_diags *diags, sl_code code) {
    for (int32_t i = 0; i < sl_diags_size(diags); i++) {
        if (sl_diags_at(diags, i)->code == code) {
            return true;
        }
    }
    return false;
}
