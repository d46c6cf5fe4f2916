/* SPDX-License-Identifier: MIT */
/* table.c: the table of a .out file, its frames and its end; the formats. See table.h.
 *
 * Elements stand in the file's order. A network, where there is one, has more to say about them than the file: it is
 * asked by place, which is EPANET's rank.
 */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/utf8.h"
#include "network/words.h"
#include "results/display_units.h"
#include "results/table_impl.h"

const sl_table_format *const sl_table_formats[] = {&sl_table_csv, &sl_table_json, &sl_table_hdf5, NULL};

const sl_table_format *sl_table_format_find(const char *ending) {
    for (int i = 0; sl_table_formats[i]; i++) {
        if (sl_str_equal_nocase(sl_str_z(ending), sl_str_z(sl_table_formats[i]->ending))) {
            return sl_table_formats[i];
        }
    }
    return NULL;
}

/* ---- Text --------------------------------------------------------------------------------------- */

const char *sl_table_text(sl_arena *arena, const char *bytes) {
    sl_str s = sl_str_z(bytes);
    char *text = sl_arena_alloc(arena, 2 * s.len + 1); /* a byte becomes two at most */
    size_t n = 0;
    while (text && s.len > 0) {
        uint32_t c;
        size_t k = sl_utf8_decode(s, &c);
        n += sl_utf8_encode(c, text + n);
        s.ptr += k;
        s.len -= k;
    }
    return text;
}

static const char *join(sl_arena *arena, const char *const *line, int32_t n_line) {
    size_t n = 1;
    while (n_line > 0 && !*line[n_line - 1]) {
        n_line--;
    }
    for (int32_t i = 0; i < n_line; i++) {
        n += strlen(line[i]) + 1;
    }
    char *text = sl_arena_alloc(arena, n);
    size_t at = 0;
    for (int32_t i = 0; text && i < n_line; i++) {
        size_t k = strlen(line[i]);
        if (i > 0) {
            text[at++] = '\n';
        }
        memcpy(text + at, line[i], k);
        at += k;
    }
    return text ? sl_table_text(arena, text) : NULL;
}

/* ---- Quantities --------------------------------------------------------------------------------- */

typedef enum unit_kind {
    UNIT_NONE,
    UNIT_FLOW,
    UNIT_LENGTH,
    UNIT_PRESSURE,
    UNIT_VELOCITY,
    UNIT_SLOPE,
    UNIT_QUALITY,
    UNIT_RATE,
    UNIT_COUNT
} unit_kind;

/* As the session calls them. */
static const char *const statuses[] = {"xhead",  "temp_closed", "closed", "open",
                                       "active", "xflow",       "xfcv",   "xpressure"};

static const struct {
    unit_kind unit;
    bool quality;
    const char *meaning;
} quantities[SL_OUT_VARIABLE_COUNT] = {
    [SL_OUT_DEMAND] = {UNIT_FLOW, false, "all that leaves a junction; net inflow of a reservoir or tank"},
    [SL_OUT_HEAD] = {UNIT_LENGTH, false, "hydraulic head"},
    [SL_OUT_PRESSURE] = {UNIT_PRESSURE, false, "pressure"},
    [SL_OUT_QUALITY] = {UNIT_QUALITY, true, "water quality"},
    [SL_OUT_FLOW] = {UNIT_FLOW, false, "flow from the first to the second node"},
    [SL_OUT_VELOCITY] = {UNIT_VELOCITY, false, "mean velocity, without sign; 0 for pumps"},
    [SL_OUT_HEADLOSS] = {UNIT_SLOPE, false,
                         "head loss: per thousand units of length of a pipe; the whole of a valve or (negative) pump"},
    [SL_OUT_LINK_QUALITY] = {UNIT_QUALITY, true, "mean water quality"},
    [SL_OUT_STATUS] = {UNIT_NONE, false, "open, closed, active, and why"},
    [SL_OUT_SETTING] = {UNIT_NONE, false, "speed of a pump; setting of a valve in its unit; roughness of a pipe"},
    [SL_OUT_REACTION] = {UNIT_RATE, true, "reaction rate"},
    [SL_OUT_FRICTION] = {UNIT_NONE, false, "Darcy friction factor of a pipe"},
};

const char *const sl_table_names[SL_OUT_VARIABLE_COUNT] = {
    [SL_OUT_DEMAND] = "demand",     [SL_OUT_HEAD] = "head",
    [SL_OUT_PRESSURE] = "pressure", [SL_OUT_QUALITY] = "quality",
    [SL_OUT_FLOW] = "flow",         [SL_OUT_VELOCITY] = "velocity",
    [SL_OUT_HEADLOSS] = "headloss", [SL_OUT_LINK_QUALITY] = "quality",
    [SL_OUT_STATUS] = "status",     [SL_OUT_SETTING] = "setting",
    [SL_OUT_REACTION] = "reaction", [SL_OUT_FRICTION] = "friction",
};

/* False: out of memory. */
static bool unit_names(sl_table_source *s, const sl_outfile_info *f, const char *unit[UNIT_COUNT]) {
    static const char *const fixed[] = {"", NULL, "h", "%"}; /* by quality; a chemical's is its own */
    bool metric = sl_flow_unit_is_metric(f->flow_unit);
    const char *quality = fixed[f->quality] ? fixed[f->quality] : sl_table_text(&s->arena, f->chemical_unit);
    size_t n = quality ? strlen(quality) : 0;
    char *rate = quality ? sl_arena_alloc(&s->arena, n + 3) : NULL;
    if (!rate) {
        return false;
    }
    memcpy(rate, quality, n + 1);
    memcpy(rate + n, "/d", 3);
    unit[UNIT_NONE] = "";
    unit[UNIT_FLOW] = sl_display_flow_name(f->flow_unit);
    unit[UNIT_LENGTH] = metric ? "m" : "ft";
    unit[UNIT_PRESSURE] = sl_display_pressure_name(f->pressure_unit);
    unit[UNIT_VELOCITY] = metric ? "m/s" : "ft/s";
    unit[UNIT_SLOPE] = metric ? "m/km" : "ft/kft";
    unit[UNIT_QUALITY] = quality;
    unit[UNIT_RATE] = rate;
    return true;
}

static void put_quantities(sl_table_source *s, const char *const unit[UNIT_COUNT]) {
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
        if (quantities[v].quality && !s->quality) {
            continue;
        }
        sl_table_elements *e = &s->table.side[v < SL_OUT_FLOW ? SL_TABLE_NODES : SL_TABLE_LINKS];
        sl_table_quantity *q = &e->quantity[e->n_quantity++];
        *q = (sl_table_quantity){.name = sl_table_names[v],
                                 .unit = unit[quantities[v].unit],
                                 .meaning = quantities[v].meaning,
                                 .variable = (sl_out_variable)v};
        if (v == SL_OUT_STATUS) {
            q->words = statuses;
            q->n_word = sizeof statuses / sizeof *statuses;
        }
    }
}

/* ---- Elements ----------------------------------------------------------------------------------- */

/* The network's element at each place of the file. */
static int32_t *by_place(sl_arena *arena, const int32_t *rank, int32_t n) {
    int32_t *at = sl_arena_alloc(arena, (size_t)n * sizeof *at);
    for (int32_t i = 0; at && i < n; i++) {
        at[rank[i]] = i;
    }
    return at;
}

static sl_status put_ids(sl_table_source *s, sl_table_side side, int32_t n, const int32_t *element) {
    const char **id = sl_arena_alloc(&s->arena, (size_t)n * sizeof *id);
    bool fine = id != NULL;
    for (int32_t i = 0; i < n && fine; i++) {
        const char *text = side == SL_TABLE_NODES
                               ? (element ? sl_network_node_id(s->net, element[i]) : sl_outfile_node_id(s->file, i))
                               : (element ? sl_network_link_id(s->net, element[i]) : sl_outfile_link_id(s->file, i));
        id[i] = sl_table_text(&s->arena, text);
        fine = id[i] != NULL;
    }
    s->table.side[side].id = id;
    s->table.side[side].n = n;
    return fine ? SL_OK : SL_ERR_MEMORY;
}

static void add_fact(sl_table_elements *e, sl_table_fact fact) {
    e->fact[e->n_fact++] = fact;
}

static sl_status put_nodes(sl_table_source *s, const sl_outfile_info *f, const char *length) {
    sl_table_elements *e = &s->table.side[SL_TABLE_NODES];
    e->name = "node";
    size_t n = (size_t)f->n_node;
    const char **kind = sl_arena_alloc(&s->arena, n * sizeof *kind);
    int32_t *element = s->net ? by_place(&s->arena, s->net->node_rank, f->n_node) : NULL;
    if (!kind || (s->net && !element) || put_ids(s, SL_TABLE_NODES, f->n_node, element) != SL_OK) {
        return SL_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        kind[i] = sl_node_kind_words[SL_JUNCTION];
    }
    for (int32_t i = 0; i < f->n_fixed; i++) {
        kind[f->fixed_node[i]] = sl_node_kind_words[f->fixed_area[i] == 0.0f ? SL_RESERVOIR : SL_TANK];
    }
    e->kind = kind;
    add_fact(e, (sl_table_fact){.name = "elevation", .unit = length, .meaning = "elevation", .real = f->elevation});
    if (element && s->net->node_x) {
        double *x = sl_arena_alloc(&s->arena, n * sizeof *x), *y = sl_arena_alloc(&s->arena, n * sizeof *y);
        if (!x || !y) {
            return SL_ERR_MEMORY;
        }
        for (size_t i = 0; i < n; i++) {
            x[i] = s->net->node_x[element[i]];
            y[i] = s->net->node_y[element[i]];
        }
        add_fact(e, (sl_table_fact){.name = "x", .unit = "", .meaning = "place on the map", .place = x});
        add_fact(e, (sl_table_fact){.name = "y", .unit = "", .meaning = "place on the map", .place = y});
    }
    return SL_OK;
}

static sl_status put_links(sl_table_source *s, const sl_outfile_info *f, const char *length) {
    static const char *const kinds[] = {"pipe", "pipe", "pump", "prv", "psv", "pbv", "fcv", "tcv", "gpv", "pcv"};
    sl_table_elements *e = &s->table.side[SL_TABLE_LINKS];
    e->name = "link";
    size_t n = (size_t)f->n_link;
    const char **kind = sl_arena_alloc(&s->arena, n * sizeof *kind);
    const char **from = sl_arena_alloc(&s->arena, n * sizeof *from);
    const char **to = sl_arena_alloc(&s->arena, n * sizeof *to);
    int32_t *element = s->net ? by_place(&s->arena, s->net->link_rank, f->n_link) : NULL;
    if (!kind || !from || !to || (s->net && !element) || put_ids(s, SL_TABLE_LINKS, f->n_link, element) != SL_OK) {
        return SL_ERR_MEMORY;
    }
    const char *const *node = s->table.side[SL_TABLE_NODES].id;
    for (size_t i = 0; i < n; i++) {
        kind[i] = kinds[f->link_type[i]];
        from[i] = node[f->link_from[i]];
        to[i] = node[f->link_to[i]];
    }
    e->kind = kind;
    const char *diameter = sl_flow_unit_is_metric(f->flow_unit) ? "mm" : "in";
    add_fact(e, (sl_table_fact){.name = "from", .unit = "", .meaning = "id of the first node", .text = from});
    add_fact(e, (sl_table_fact){.name = "to", .unit = "", .meaning = "id of the second node", .text = to});
    add_fact(e, (sl_table_fact){.name = "length", .unit = length, .meaning = "length of a pipe", .real = f->length});
    add_fact(e, (sl_table_fact){.name = "diameter", .unit = diameter, .meaning = "bore", .real = f->diameter});
    return SL_OK;
}

/* ---- The table ---------------------------------------------------------------------------------- */

static void put_energies(sl_table *t, bool metric) {
    const sl_table_fact all[SL_TABLE_ENERGIES] = {
        {.name = "utilization", .unit = "%", .meaning = "time on, of the duration"},
        {.name = "efficiency", .unit = "%", .meaning = "mean while on"},
        {.name = "energy_per_volume",
         .unit = metric ? "kWh/m3" : "kWh/Mgal",
         .meaning = "mean of power / flow while on"},
        {.name = "average_power", .unit = "kW", .meaning = "mean power while on"},
        {.name = "peak_power", .unit = "kW", .meaning = "highest power"},
        {.name = "cost_per_day", .unit = "", .meaning = "cost of energy per day, in the currency of the prices"},
    };
    memcpy(t->energy, all, sizeof all);
}

static sl_status make_table(sl_table_source *s) {
    static const char *const statistics[] = {"series", "average", "minimum", "maximum", "range"};
    const sl_outfile_info *f = sl_outfile_get_info(s->file);
    sl_table *t = &s->table;
    const char *const title[3] = {f->title[0], f->title[1], f->title[2]};
    const char *unit[UNIT_COUNT];
    t->model = sl_table_text(&s->arena, s->def->name ? s->def->name : f->input_name);
    t->title = s->net ? join(&s->arena, s->net->title, s->net->n_title) : join(&s->arena, title, 3);
    if (!t->model || !t->title || !unit_names(s, f, unit)) {
        return SL_ERR_MEMORY;
    }
    t->flow_unit = sl_flow_words[f->flow_unit];
    t->pressure_unit = sl_pressure_words[f->pressure_unit];
    t->statistic = statistics[f->statistic];
    t->report_start = f->report_start;
    t->report_step = f->report_step;
    t->duration = f->duration;
    put_energies(t, sl_flow_unit_is_metric(f->flow_unit));
    put_quantities(s, unit);
    sl_status status = put_nodes(s, f, unit[UNIT_LENGTH]);
    return status == SL_OK ? put_links(s, f, unit[UNIT_LENGTH]) : status;
}

sl_status sl_table_source_open(sl_table_source *s) {
    sl_arena_init(&s->arena, s->ctx);
    sl_status status = make_table(s);
    status = status == SL_OK ? sl_table_choose(s) : status;
    for (int side = 0; side < SL_TABLE_SIDES && status == SL_OK; side++) {
        const sl_table_elements *e = &s->table.side[side];
        for (int32_t q = 0; q < e->n_quantity && s->chosen[side] && status == SL_OK; q++) {
            s->gathered[side][q] = sl_arena_alloc(&s->arena, (size_t)e->n * sizeof(float));
            status = s->gathered[side][q] ? SL_OK : SL_ERR_MEMORY;
        }
    }
    return status == SL_OK ? s->def->format->create(s->ctx, &s->table, &s->def->target, s->diags, &s->writer) : status;
}

void sl_table_source_close(sl_table_source *s) {
    if (s->writer) {
        s->def->format->destroy(s->writer);
        s->writer = NULL;
    }
    sl_arena_fini(&s->arena);
}

/* ---- Frames ------------------------------------------------------------------------------------- */

bool sl_table_source_wants(const sl_table_source *s, double time) {
    const double near = 1e-3; /* [s]; the file's times are whole seconds */
    return time >= s->first - near && time <= s->last + near &&
           (s->every <= 0.0 || fabs(remainder(time - s->first, s->every)) <= near);
}

sl_status sl_table_source_frame(sl_table_source *s, double time, const float *const value[SL_OUT_VARIABLE_COUNT]) {
    sl_table_frame frame = {.time = time};
    for (int side = 0; side < SL_TABLE_SIDES; side++) {
        const sl_table_elements *e = &s->table.side[side];
        for (int32_t q = 0; q < e->n_quantity; q++) {
            const float *x = value[e->quantity[q].variable];
            float *picked = s->gathered[side][q];
            for (int32_t i = 0; picked && i < e->n; i++) {
                picked[i] = x[s->chosen[side][i]];
            }
            frame.value[side][q] = picked ? picked : x;
        }
    }
    s->n_period++;
    return s->def->format->frame(s->writer, &frame, s->diags);
}

sl_status sl_table_source_end(sl_table_source *s, const sl_outfile_info *info) {
    static const char *const warnings[] = {"none",
                                           "not balanced",
                                           "balanced, but perhaps not stable",
                                           "nodes without a source",
                                           "pumps that cannot deliver",
                                           "valves that cannot hold their setting",
                                           "negative pressures"};
    const sl_table_elements *links = &s->table.side[SL_TABLE_LINKS];
    const char **id = sl_arena_alloc(&s->arena, (size_t)info->n_link * sizeof *id); /* NULL: not chosen */
    sl_table_pump *pump = sl_arena_alloc(&s->arena, (size_t)info->n_pump * sizeof *pump);
    if (!id || !pump) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < links->n; i++) {
        id[s->chosen[SL_TABLE_LINKS] ? s->chosen[SL_TABLE_LINKS][i] : i] = links->id[i];
    }
    bool known = info->warning >= 0 && info->warning < (int32_t)(sizeof warnings / sizeof *warnings);
    /* A run that was stopped has a valid end too, but not all of its periods. */
    bool all = info->statistic != SL_STAT_SERIES || info->report_step <= 0.0 || info->duration < info->report_start ||
               info->n_period > (info->duration - info->report_start) / info->report_step;
    sl_table_end end = {.complete = info->complete && all,
                        .n_period = s->n_period,
                        .warning = info->warning,
                        .warning_text = known ? warnings[info->warning] : "unknown",
                        .pump = pump,
                        .demand_charge = info->demand_charge};
    for (int32_t i = 0; i < info->n_pump; i++) {
        const sl_out_energy *x = &info->energy[i];
        if (id[x->link]) {
            pump[end.n_pump++] = (sl_table_pump){
                id[x->link],
                {x->utilization, x->efficiency, x->kwh_per_volume, x->average_kw, x->peak_kw, x->cost_per_day}};
        }
    }
    return s->def->format->end(s->writer, &end, s->diags);
}

/* ---- A file as the source ----------------------------------------------------------------------- */

static sl_status convert_periods(sl_table_source *s, sl_outfile *file) {
    const sl_outfile_info *f = sl_outfile_get_info(file);
    float *value[SL_OUT_VARIABLE_COUNT] = {NULL};
    for (int side = 0; side < SL_TABLE_SIDES; side++) {
        const sl_table_elements *e = &s->table.side[side];
        for (int32_t q = 0; q < e->n_quantity && e->n > 0; q++) {
            size_t n = (size_t)(side == SL_TABLE_NODES ? f->n_node : f->n_link);
            float *x = value[e->quantity[q].variable] = sl_arena_alloc(&s->arena, n * sizeof *x);
            if (!x) {
                return SL_ERR_MEMORY;
            }
        }
    }
    sl_status status = SL_OK;
    for (int32_t p = 0; p < f->n_period && status == SL_OK; p++) {
        double time = sl_outfile_time(file, p);
        if (!sl_table_source_wants(s, time)) {
            continue;
        }
        for (int v = 0; v < SL_OUT_VARIABLE_COUNT && status == SL_OK; v++) {
            status = value[v] ? sl_outfile_read(file, p, (sl_out_variable)v, value[v]) : SL_OK;
        }
        status = status == SL_OK ? sl_table_source_frame(s, time, (const float *const *)value) : status;
        if (status == SL_OK && !sl_progress_report(s->ctx, "converting", p + 1, f->n_period)) {
            status = SL_ERR_CANCELLED;
        }
    }
    return status;
}

sl_status sl_table_convert(sl_context *ctx, sl_outfile *file, const sl_table_def *def, sl_diags *diags) {
    const sl_outfile_info *f = sl_outfile_get_info(file);
    sl_table_source s = {.ctx = ctx, .def = def, .file = file, .diags = diags, .quality = f->quality != 0};
    sl_status status = sl_table_source_open(&s);
    status = status == SL_OK ? convert_periods(&s, file) : status;
    status = status == SL_OK ? sl_table_source_end(&s, f) : status;
    sl_table_source_close(&s);
    return status;
}
