/* SPDX-License-Identifier: MIT */
/* fake_engine.c: an engine whose values the test writes itself; see fake_engine.h. */
#include "fake_engine.h"

#include "network/elements.h"

static const sl_field fields[] = {
    {.of = SL_CLASS_NODE, .name = "head"},
    {.of = SL_CLASS_NODE, .name = "pressure"},
    {.of = SL_CLASS_NODE, .name = "demand"},
    {.of = SL_CLASS_NODE, .name = "consumption"},
    {.of = SL_CLASS_NODE, .name = "wanted"},
    {.of = SL_CLASS_NODE, .name = "emitter"},
    {.of = SL_CLASS_NODE, .name = "leak"},
    {.of = SL_CLASS_NODE, .name = "cut_off"},
    {.of = SL_CLASS_LINK, .name = "flow"},
    {.of = SL_CLASS_LINK, .name = "velocity"},
    {.of = SL_CLASS_LINK, .name = "headloss"},
    {.of = SL_CLASS_LINK, .name = "status"},
    {.of = SL_CLASS_LINK, .name = "setting"},
    {.of = SL_CLASS_LINK, .name = "friction"},
    {.of = SL_CLASS_TANK, .name = "level"},
    {.of = SL_CLASS_TANK, .name = "volume"},
    {.of = SL_CLASS_TANK, .name = "inflow"},
    {.of = SL_CLASS_TANK, .name = "overflow"},
    {.of = SL_CLASS_PUMP, .name = "power"},
    {.of = SL_CLASS_PUMP, .name = "efficiency"},
    {.of = SL_CLASS_PUMP, .name = "energy.online"},
    {.of = SL_CLASS_PUMP, .name = "energy.efficiency"},
    {.of = SL_CLASS_PUMP, .name = "energy.intensity"},
    {.of = SL_CLASS_PUMP, .name = "energy.kwh"},
    {.of = SL_CLASS_PUMP, .name = "energy.peak"},
    {.of = SL_CLASS_PUMP, .name = "energy.cost"},
    {.of = SL_CLASS_MODEL, .name = "balance.inflow"},
    {.of = SL_CLASS_MODEL, .name = "balance.outflow"},
    {.of = SL_CLASS_MODEL, .name = "balance.consumption"},
    {.of = SL_CLASS_MODEL, .name = "balance.emitter"},
    {.of = SL_CLASS_MODEL, .name = "balance.leak"},
    {.of = SL_CLASS_MODEL, .name = "balance.deficit"},
    {.of = SL_CLASS_MODEL, .name = "balance.storage"},
    {.of = SL_CLASS_MODEL, .name = "balance.overflow"},
    {.of = SL_CLASS_MODEL, .name = "balance.ratio"},
    {.of = SL_CLASS_MODEL, .name = "energy.peak"},
    {.of = SL_CLASS_MODEL, .name = "energy.demand_cost"},
    {.of = SL_CLASS_MODEL, .name = "solver.trials"},
    {.of = SL_CLASS_MODEL, .name = "solver.all_trials"},
    {.of = SL_CLASS_MODEL, .name = "solver.unbalanced"},
    {.of = SL_CLASS_MODEL, .name = "solver.steps"},
    {.of = SL_CLASS_MODEL, .name = "solver.flow_change"},
    {.of = SL_CLASS_MODEL, .name = "solver.head_error"},
    {.of = SL_CLASS_MODEL, .name = "solver.mass_error"},
    {.of = SL_CLASS_MODEL, .name = "solver.balanced"},
    {.of = SL_CLASS_MODEL, .name = "unserved"},
};
_Static_assert(sizeof fields / sizeof *fields == FAKE_N_FIELD, "as many as the header says");

static int32_t count(const void *engine, int32_t field) {
    const sl_network *net = ((const fake *)engine)->net;
    const int32_t n[SL_CLASS_NETWORK_COUNT] = {[SL_CLASS_MODEL] = 1,
                                               [SL_CLASS_NODE] = net->n_node,
                                               [SL_CLASS_TANK] = net->n_tank,
                                               [SL_CLASS_LINK] = net->n_link,
                                               [SL_CLASS_PUMP] = net->n_pump};
    return n[fields[field].of];
}

static const double *data(const void *engine, int32_t field) {
    return ((const fake *)engine)->value[field];
}

static double now(const void *engine) {
    return ((const fake *)engine)->time;
}

static double last(const void *engine) {
    return ((const fake *)engine)->end;
}

static const char *element(const void *engine, int32_t field, int32_t index) {
    return sl_elements_id(((const fake *)engine)->net, fields[field].of, index);
}

static const sl_engine_ops ops = {.name = "fake",
                                  .classes = sl_network_classes,
                                  .n_class = SL_CLASS_NETWORK_COUNT,
                                  .time_unit = "s",
                                  .fields = fields,
                                  .n_field = FAKE_N_FIELD,
                                  .count = count,
                                  .data = data,
                                  .element = element,
                                  .time = now,
                                  .end = last};

void fake_begin(fake *f, const char *inp) {
    *f = (fake){0};
    f->ctx = sl_test_context(&f->memory);
    sl_assert_ok(sl_diags_create(f->ctx, &f->diags));
    sl_status status = sl_inp_read(f->ctx, inp, strlen(inp), NULL, f->diags, &f->net);
    for (int32_t i = 0; status != SL_OK && i < sl_diags_size(f->diags); i++) {
        print_error("%s\n", sl_diags_at(f->diags, i)->text);
    }
    sl_assert_ok(status);
    sl_diags_clear(f->diags);
    f->end = f->net->times.duration;
    for (int32_t i = 0; i < FAKE_N_FIELD; i++) {
        f->value[i] = calloc((size_t)count(f, i) + 1, sizeof(double));
        assert_non_null(f->value[i]);
        f->data[i] = f->value[i];
        f->all[i] = i;
    }
    fake_set(f, "solver.balanced", NULL, 1);
}

void fake_end(fake *f) {
    for (int32_t i = 0; i < FAKE_N_FIELD; i++) {
        free(f->value[i]);
    }
    sl_network_destroy(f->net);
    sl_diags_destroy(f->diags);
    sl_test_context_end(f->ctx, &f->memory);
}

static int32_t field_of(const char *name) {
    for (int32_t i = 0; i < FAKE_N_FIELD; i++) {
        char full[64];
        const char *class = sl_field_class(&ops, i);
        snprintf(full, sizeof full, "%s%s%s", class, *class ? "." : "", fields[i].name);
        if (strcmp(full, name) == 0) {
            return i;
        }
    }
    print_error("there is no field %s\n", name);
    fail();
    return -1;
}

double *fake_field(fake *f, const char *name) {
    return f->value[field_of(name)];
}

void fake_set(fake *f, const char *name, const char *id, double x) {
    int32_t i = field_of(name), at = 0;
    switch (fields[i].of) {
    case SL_CLASS_NODE: at = sl_network_find_node(f->net, sl_str_z(id)); break;
    case SL_CLASS_TANK:
        at = sl_network_find_node(f->net, sl_str_z(id)) - f->net->n_junction - f->net->n_reservoir;
        break;
    case SL_CLASS_LINK: at = sl_network_find_link(f->net, sl_str_z(id)); break;
    case SL_CLASS_PUMP: at = sl_network_find_link(f->net, sl_str_z(id)) - f->net->n_pipe; break;
    default: break;
    }
    assert_true(at >= 0 && at < count(f, i));
    f->value[i][at] = x;
}

sl_result_layout fake_layout(const fake *f) {
    return (sl_result_layout){.ops = &ops, .engine = f, .fields = f->all, .n_field = FAKE_N_FIELD};
}

void fake_open(fake *f, sl_result_sink sink) {
    f->sink = sink;
    sl_result_layout layout = fake_layout(f);
    sl_assert_ok(sink.begin(sink.user, &layout, f->diags));
}

void fake_frame(fake *f, double t) {
    f->time = t;
    sl_assert_ok(f->sink.frame(f->sink.user, &(sl_result_frame){.time = t, .data = f->data}, f->diags));
}

void fake_close(fake *f, bool complete) {
    sl_assert_ok(f->sink.end(f->sink.user, complete, f->diags));
}

void fake_say(fake *f, double t, sl_severity severity, sl_code code, const char *kind, const char *id,
              const char *text) {
    sl_diags_add(f->diags, &(sl_diag){.size = sizeof(sl_diag),
                                      .severity = severity,
                                      .code = code,
                                      .object_kind = kind,
                                      .object_id = id,
                                      .text = text,
                                      .time = t});
}

char *fake_text(const sl_bytes *bytes) {
    char *text = malloc((size_t)bytes->n + 1);
    assert_non_null(text);
    memcpy(text, bytes->at ? bytes->at : "", (size_t)bytes->n);
    text[bytes->n] = 0;
    return text;
}
