/* out_write.c: periods of a .out file from frames of an engine, and the file's end.
 *
 * Engines give SI in the network's order (by kind); the file has its own units and EPANET's order. EPANET's conventions,
 * checked against its files: head loss is per 1000 units of length for a pipe, the whole for a valve, both without sign,
 * and H_from - H_to for a pump; 0 where a link is closed. Velocity has no sign, a pump has none. A pipe's setting is its
 * roughness (for Darcy-Weisbach in feet, whatever the units are), a closed or fixed valve's is 0.
 *
 * A time statistic condenses all reported periods into one: flows enter without sign, statuses as open or closed (an
 * average of one half is open), everything else as it is. Each period is one write; a run of any length needs the memory
 * of one.
 */
#include "results/out_write.h"

#include <limits.h>

#include "base/memory.h"
#include "base/report.h"
#include "results/out_write_impl.h"

/* ---- Fields ------------------------------------------------------------------------------------- */

static const struct {
    sl_field_of of;
    const char *name;
    bool needed;
} wanted[SL_OUT_VARIABLE_COUNT] = {
    [SL_OUT_DEMAND] = {SL_OF_NODE, "demand", true},      [SL_OUT_HEAD] = {SL_OF_NODE, "head", true},
    [SL_OUT_PRESSURE] = {SL_OF_NODE, "pressure", true},  [SL_OUT_QUALITY] = {SL_OF_NODE, "quality", false},
    [SL_OUT_FLOW] = {SL_OF_LINK, "flow", true},          [SL_OUT_VELOCITY] = {SL_OF_LINK, "velocity", true},
    [SL_OUT_HEADLOSS] = {SL_OF_LINK, "headloss", true},  [SL_OUT_LINK_QUALITY] = {SL_OF_LINK, "quality", false},
    [SL_OUT_STATUS] = {SL_OF_LINK, "status", true},      [SL_OUT_SETTING] = {SL_OF_LINK, "setting", true},
    [SL_OUT_REACTION] = {SL_OF_LINK, "reaction", false}, [SL_OUT_FRICTION] = {SL_OF_LINK, "friction", true},
};

int32_t sl_out_writer_fields(const sl_engine_ops *ops, int32_t fields[SL_OUT_VARIABLE_COUNT]) {
    int32_t n = 0;
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
        int32_t field = sl_engine_find_field(ops, wanted[v].of, sl_str_z(wanted[v].name));
        if (field >= 0) {
            fields[n++] = field;
        }
    }
    return n;
}

/* Where each variable is in a frame, and whether all that is needed is there. */
static sl_status find_slots(sl_out_writer *w, sl_diags *diags) {
    const sl_result_layout *layout = &w->layout;
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
        int32_t field = sl_engine_find_field(layout->ops, wanted[v].of, sl_str_z(wanted[v].name));
        w->slot[v] = -1;
        for (int32_t i = 0; i < layout->n_field && field >= 0; i++) {
            w->slot[v] = layout->fields[i] == field ? i : w->slot[v];
        }
        int32_t n = v < SL_OUT_FLOW ? w->net->n_node : w->net->n_link;
        bool wrong = w->slot[v] >= 0 ? layout->ops->count(layout->engine, field) != n : wanted[v].needed;
        if (wrong) {
            sl_report(diags, SL_ERROR, SL_CODE_WRONG_KIND, NULL, NULL, NULL, NULL,
                      "a .out file needs %s.%s of every element of the network, and the %s engine does not give it",
                      sl_field_class(wanted[v].of), wanted[v].name, layout->ops->name);
            return SL_ERR_USE;
        }
    }
    return SL_OK;
}

/* ---- A period ----------------------------------------------------------------------------------- */

/* One frame on its way into the file. */
typedef struct writing {
    sl_out_writer *w;
    const sl_result_frame *frame;
    sl_diags *diags;
    const double *status; /* of links */
} writing;

static void say_not_finite(const writing *p, sl_out_variable v, int32_t element) {
    if (p->w->said_not_finite) {
        return;
    }
    p->w->said_not_finite = true;
    char text[128];
    sl_format(text, sizeof text, "%s is not a number here; .out files have 0 instead", wanted[v].name);
    const sl_network *net = p->w->net;
    sl_diags_add(p->diags, &(sl_diag){.severity = SL_WARNING,
                                      .code = SL_CODE_NOT_FINITE,
                                      .text = text,
                                      .hint = "further such values are not reported",
                                      .object_kind = v < SL_OUT_FLOW ? "node" : "link",
                                      .object_id = v < SL_OUT_FLOW ? sl_network_node_id(net, element)
                                                                   : sl_network_link_id(net, element),
                                      .time = p->frame->time});
}

static float checked(const writing *p, sl_out_variable v, int32_t element, double x) {
    if (!(fabs(x) <= (double)FLT_MAX)) {
        say_not_finite(p, v, element);
    }
    return sl_outfile_float(x);
}

/* NULL: the engine does not have it. */
static const double *data_of(const writing *p, sl_out_variable v) {
    return p->w->slot[v] >= 0 ? p->frame->data[p->w->slot[v]] : NULL;
}

static float *place_of(const writing *p, sl_out_variable v) {
    return p->w->period + sl_outfile_variable_at(v, p->w->net->n_node, p->w->net->n_link);
}

/* x divided by a unit, element by element. */
static void put_scaled(const writing *p, sl_out_variable v, double unit) {
    const sl_network *net = p->w->net;
    const double *x = data_of(p, v);
    float *at = place_of(p, v);
    bool node = v < SL_OUT_FLOW;
    const int32_t *rank = node ? net->node_rank : net->link_rank;
    int32_t n = node ? net->n_node : net->n_link;
    for (int32_t i = 0; i < n; i++) {
        at[rank[i]] = x ? checked(p, v, i, x[i] / unit) : 0.0f;
    }
}

static bool is_pump(const sl_network *net, int32_t link) {
    return link >= net->n_pipe && link < net->n_pipe + net->n_pump;
}

static void put_velocities(const writing *p) {
    const sl_network *net = p->w->net;
    const double *x = data_of(p, SL_OUT_VELOCITY);
    float *at = place_of(p, SL_OUT_VELOCITY);
    double unit = p->w->factor[SL_Q_LENGTH];
    for (int32_t i = 0; i < net->n_link; i++) {
        at[net->link_rank[i]] = is_pump(net, i) ? 0.0f : checked(p, SL_OUT_VELOCITY, i, fabs(x[i]) / unit);
    }
}

static void put_headlosses(const writing *p) {
    const sl_network *net = p->w->net;
    const double *x = data_of(p, SL_OUT_HEADLOSS);
    float *at = place_of(p, SL_OUT_HEADLOSS);
    for (int32_t i = 0; i < net->n_link; i++) {
        double unit = i < net->n_pipe ? net->pipe_length[i] / 1000.0 : p->w->factor[SL_Q_LENGTH];
        double h = p->status[i] <= SL_STATUS_CLOSED ? 0.0 : is_pump(net, i) ? x[i] : fabs(x[i]);
        at[net->link_rank[i]] = checked(p, SL_OUT_HEADLOSS, i, h / unit);
    }
}

static void put_settings(const writing *p) {
    const sl_network *net = p->w->net;
    const double *x = data_of(p, SL_OUT_SETTING);
    float *at = place_of(p, SL_OUT_SETTING);
    double roughness_unit = net->hydraulics.headloss == SL_DARCY_WEISBACH ? SL_EPANET_FOOT : 1.0;
    int32_t first_valve = net->n_pipe + net->n_pump;
    for (int32_t i = 0; i < net->n_link; i++) {
        double setting = isnan(x[i]) ? 0.0 : x[i];
        double unit = 1.0;
        if (i < net->n_pipe) {
            setting = isnan(x[i]) ? net->pipe_roughness[i] : x[i];
            unit = roughness_unit;
        } else if (i >= first_valve) {
            unit = p->w->factor[sl_valve_setting_quantity((sl_valve_kind)net->valve_kind[i - first_valve])];
        }
        at[net->link_rank[i]] = checked(p, SL_OUT_SETTING, i, setting / unit);
    }
}

static void put_frame(const writing *p) {
    const double *factor = p->w->factor;
    put_scaled(p, SL_OUT_DEMAND, factor[SL_Q_FLOW]);
    put_scaled(p, SL_OUT_HEAD, factor[SL_Q_LENGTH]);
    put_scaled(p, SL_OUT_PRESSURE, factor[SL_Q_PRESSURE]);
    put_scaled(p, SL_OUT_QUALITY, 1.0);
    put_scaled(p, SL_OUT_FLOW, factor[SL_Q_FLOW]);
    put_velocities(p);
    put_headlosses(p);
    put_scaled(p, SL_OUT_LINK_QUALITY, 1.0);
    put_scaled(p, SL_OUT_STATUS, 1.0);
    put_settings(p);
    put_scaled(p, SL_OUT_REACTION, factor[SL_Q_PER_DAY]);
    put_scaled(p, SL_OUT_FRICTION, 1.0);
}

static void write_period(sl_out_writer *w) {
    sl_outfile_fix_words(w->period, w->n_float);
    if (w->status == SL_OK) {
        w->status = w->sink->write(w->sink->user, w->period, w->n_float * sizeof *w->period);
        w->n_period += w->status == SL_OK;
    }
}

/* ---- Statistics --------------------------------------------------------------------------------- */

/* What enters a statistic: flows and statuses lose their kinds. */
static void simplify(sl_out_writer *w) {
    int32_t n_node = w->net->n_node, n_link = w->net->n_link;
    float *flow = w->period + sl_outfile_variable_at(SL_OUT_FLOW, n_node, n_link);
    float *status = w->period + sl_outfile_variable_at(SL_OUT_STATUS, n_node, n_link);
    for (int32_t i = 0; i < n_link; i++) {
        flow[i] = fabsf(flow[i]);
        status[i] = status[i] > (float)SL_STATUS_CLOSED ? 1.0f : 0.0f;
    }
}

static void add_to_statistic(sl_out_writer *w) {
    simplify(w);
    bool average = w->net->times.statistic == SL_STAT_AVERAGE;
    for (size_t i = 0; i < w->n_float; i++) {
        double x = (double)w->period[i];
        if (w->n_frame == 0) {
            w->low[i] = w->high[i] = x;
        } else {
            w->low[i] = average ? w->low[i] + x : fmin(w->low[i], x);
            w->high[i] = fmax(w->high[i], x);
        }
    }
}

static void write_statistic(sl_out_writer *w) {
    sl_statistic statistic = w->net->times.statistic;
    for (size_t i = 0; i < w->n_float; i++) {
        double low = statistic == SL_STAT_AVERAGE ? w->low[i] / w->n_frame : w->low[i];
        double x = statistic == SL_STAT_MAXIMUM ? w->high[i] : statistic == SL_STAT_RANGE ? w->high[i] - low : low;
        w->period[i] = sl_outfile_float(x);
    }
    float *status = w->period + sl_outfile_variable_at(SL_OUT_STATUS, w->net->n_node, w->net->n_link);
    for (int32_t i = 0; i < w->net->n_link; i++) {
        status[i] = status[i] >= 0.5f ? (float)SL_STATUS_OPEN : (float)SL_STATUS_CLOSED;
    }
    write_period(w);
}

/* ---- The sink ----------------------------------------------------------------------------------- */

static sl_status begin(void *user, const sl_result_layout *layout, sl_diags *diags) {
    sl_out_writer *w = user;
    w->layout = *layout;
    sl_status status = find_slots(w, diags);
    if (status != SL_OK) {
        return status;
    }
    layout->ops->report(layout->engine, &w->report_start, &w->report_step);
    w->duration = layout->ops->end(layout->engine);
    w->duration = isfinite(w->duration) ? w->duration : w->net->times.duration;
    w->status = sl_out_write_prolog(w);
    return w->status;
}

static sl_status frame(void *user, const sl_result_frame *frame, sl_diags *diags) {
    sl_out_writer *w = user;
    if (w->status != SL_OK) {
        return w->status;
    }
    /* The file has no times of its own: the n-th period is at start + n step, to the second. */
    if (w->report_step > 0.0 && fabs(frame->time - (w->report_start + w->n_frame * w->report_step)) > 0.5) {
        return SL_ERR_USE;
    }
    writing p = {.w = w, .frame = frame, .diags = diags, .status = frame->data[w->slot[SL_OUT_STATUS]]};
    put_frame(&p);
    if (w->low) {
        add_to_statistic(w);
    } else {
        write_period(w);
    }
    w->n_frame++;
    return w->status;
}

static sl_status end(void *user, bool complete, sl_diags *diags) {
    sl_out_writer *w = user;
    if (w->low && w->n_frame > 0) {
        write_statistic(w);
    }
    double elapsed = complete ? w->duration : fmin(w->duration, w->layout.ops->time(w->layout.engine));
    if (w->status == SL_OK) {
        w->status = sl_out_patch_energy(w, elapsed, diags);
    }
    if (w->status != SL_OK) {
        return w->status;
    }
    sl_out_tail tail = {
        .n_period = w->n_period, .warning = w->warning == 0 && !complete ? 1 : w->warning, .magic = SL_OUTFILE_MAGIC};
    sl_out_reactions(w, elapsed, tail.reaction);
    sl_outfile_fix_words(&tail, sizeof tail / 4);
    return w->status = w->sink->write(w->sink->user, &tail, sizeof tail);
}

/* ---- The writer --------------------------------------------------------------------------------- */

static void warn_long_ids(const sl_network *net, sl_diags *diags) {
    int32_t n = 0;
    const char *first = NULL;
    for (int32_t i = 0; i < net->n_node + net->n_link; i++) {
        const char *id = i < net->n_node ? sl_network_node_id(net, i) : sl_network_link_id(net, i - net->n_node);
        if (strlen(id) >= SL_OUTFILE_ID) {
            first = first ? first : id;
            n++;
        }
    }
    if (n > 0) {
        sl_report(diags, SL_WARNING, SL_CODE_LONG_ID, NULL, NULL, first, "the other result formats keep them whole",
                  "%d %s cut in the .out file, which holds 31 bytes of an id", (int)n, n == 1 ? "id is" : "ids are");
    }
}

sl_out_writer_def sl_out_writer_default(const sl_network *net) {
    return (sl_out_writer_def){.size = sizeof(sl_out_writer_def), .flow_unit = net->hydraulics.flow_unit};
}

sl_status sl_out_writer_create(sl_context *ctx, const sl_network *net, const sl_out_writer_def *def,
                               const sl_patch_sink *sink, sl_diags *diags, sl_out_writer **out) {
    *out = NULL;
    sl_out_writer *w = sl_alloc(ctx, sizeof *w);
    if (!w) {
        return SL_ERR_MEMORY;
    }
    w->ctx = ctx;
    w->net = net;
    w->sink = sink;
    w->def = def ? *def : sl_out_writer_default(net);
    w->as_sink = (sl_result_sink){.user = w, .begin = begin, .frame = frame, .end = end};
    w->units = sl_network_units(&net->hydraulics, &net->quality);
    if (w->def.flow_unit != w->units.flow) {
        w->units.flow = w->def.flow_unit;
        w->units.pressure = sl_default_pressure_unit(w->units.flow);
    }
    sl_epanet_factors(&w->units, w->factor);
    w->n_float = SL_OUTFILE_NODE * (size_t)net->n_node + SL_OUTFILE_LINK * (size_t)net->n_link;
    w->period = sl_alloc(ctx, w->n_float * sizeof *w->period);
    bool short_of = !w->period && w->n_float > 0;
    if (net->times.statistic != SL_STAT_SERIES && !short_of) {
        w->low = sl_alloc(ctx, w->n_float * sizeof *w->low);
        w->high = sl_alloc(ctx, w->n_float * sizeof *w->high);
        short_of = !w->low || !w->high;
    }
    if (short_of) {
        sl_out_writer_destroy(w);
        return SL_ERR_MEMORY;
    }
    warn_long_ids(net, diags);
    *out = w;
    return SL_OK;
}

void sl_out_writer_destroy(sl_out_writer *w) {
    if (w) {
        sl_free(w->ctx, w->period, w->n_float * sizeof *w->period);
        sl_free(w->ctx, w->low, w->n_float * sizeof *w->low);
        sl_free(w->ctx, w->high, w->n_float * sizeof *w->high);
        sl_free(w->ctx, w, sizeof *w);
    }
}

const sl_result_sink *sl_out_writer_sink(const sl_out_writer *w) {
    return &w->as_sink;
}

void sl_out_writer_warn(sl_out_writer *w, int32_t flag) {
    w->warning = flag;
}
