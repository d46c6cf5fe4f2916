/* SPDX-License-Identifier: MIT */
/* build.c: a growing network: new objects with EPANET's default values; see build.h. */
#include "network/build.h"

#include "network/epanet_units.h"

#include <math.h>
#include <string.h>

static void default_options(sl_spec *s) {
    double cubic_foot = SL_EPANET_FOOT * SL_EPANET_FOOT * SL_EPANET_FOOT;
    s->hydraulics = (sl_hydraulic_options){
        .flow_unit = SL_GPM,
        .pressure_unit = SL_PSI,
        .pressure_required = NAN, /* 0.1 of the file's pressure unit above the minimum, see compile.c */
        .pressure_exponent = 0.5,
        .demand_multiplier = 1.0,
        .emitter_exponent = 0.5,
        .emitter_backflow = true,
        .specific_gravity = 1.0,
        .viscosity = SL_EPANET_VISCOSITY,
        .trials = 200,
        .accuracy = 0.001,
        .head_tolerance = 0.0005 * SL_EPANET_FOOT,
        .flow_tolerance = 0.0001 * cubic_foot,
        .rq_tolerance = 1e-7,
        .check_freq = 2,
        .max_check = 10,
        .unbalanced_extra = 0, /* EPANET stops; a run that goes on loses nothing */
        .default_pattern = -1,
        .default_pattern_id = "1",
        .hydraulics_path = "",
        .map_file = "",
    };
    s->quality = (sl_quality_options){
        .chemical = "Chemical",
        .mass_unit = "mg/L",
        .trace_node = -1,
        .tolerance = 0.01,
        .diffusivity = SL_EPANET_DIFFUSIVITY,
        .bulk_order = 1.0,
        .tank_order = 1.0,
        .wall_order = 1,
    };
    s->energy = (sl_energy_options){.price_pattern = -1, .efficiency = 75.0};
    s->times = (sl_times){.hydraulic_step = 3600, .pattern_step = 3600, .report_step = 3600};
    s->report = (sl_report_options){.summary = true, .messages = true, .file = ""};
    for (int i = 0; i < SL_REPORT_FIELD_COUNT; i++) {
        s->report.field[i] = (sl_report_field){.precision = 2, .below = NAN, .above = NAN};
    }
    static const int shown[] = {SL_FIELD_DEMAND, SL_FIELD_HEAD,     SL_FIELD_PRESSURE, SL_FIELD_QUALITY,
                                SL_FIELD_FLOW,   SL_FIELD_VELOCITY, SL_FIELD_HEADLOSS};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        s->report.field[shown[i]].enabled = true;
    }
    s->report.field[SL_FIELD_FRICTION].precision = 3;
}

bool sl_spec_init(sl_spec *s, sl_context *ctx, sl_diags *diags) {
    memset(s, 0, sizeof *s);
    s->handle = SL_HANDLE_SPEC;
    s->ctx = ctx;
    s->diags = diags;
    s->name = "";
    sl_arena_init(&s->text, ctx);
    for (int i = 0; i < SL_CURVE_KIND_COUNT; i++) {
        s->curve_fx[i] = s->curve_fy[i] = 1.0;
    }
    default_options(s);
    s->node_ids = sl_ids_create(ctx);
    s->link_ids = sl_ids_create(ctx);
    s->pattern_ids = sl_ids_create(ctx);
    s->curve_ids = sl_ids_create(ctx);
    return s->node_ids && s->link_ids && s->pattern_ids && s->curve_ids;
}

void sl_spec_fini(sl_spec *s) {
    sl_context *ctx = s->ctx;
    s->handle = SL_HANDLE_GONE;
    sl_ids_destroy(s->node_ids);
    sl_ids_destroy(s->link_ids);
    sl_ids_destroy(s->pattern_ids);
    sl_ids_destroy(s->curve_ids);
    SL_ARRAY_FINI(ctx, &s->node);
    SL_ARRAY_FINI(ctx, &s->junction);
    SL_ARRAY_FINI(ctx, &s->reservoir);
    SL_ARRAY_FINI(ctx, &s->tank);
    SL_ARRAY_FINI(ctx, &s->demand);
    SL_ARRAY_FINI(ctx, &s->link);
    SL_ARRAY_FINI(ctx, &s->pipe);
    SL_ARRAY_FINI(ctx, &s->pipe_extra);
    SL_ARRAY_FINI(ctx, &s->pump);
    SL_ARRAY_FINI(ctx, &s->valve);
    SL_ARRAY_FINI(ctx, &s->vertex);
    SL_ARRAY_FINI(ctx, &s->place);
    SL_ARRAY_FINI(ctx, &s->factor);
    SL_ARRAY_FINI(ctx, &s->point);
    SL_ARRAY_FINI(ctx, &s->curve_kind);
    SL_ARRAY_FINI(ctx, &s->curve_line);
    SL_ARRAY_FINI(ctx, &s->pattern_line);
    SL_ARRAY_FINI(ctx, &s->control);
    SL_ARRAY_FINI(ctx, &s->rule);
    SL_ARRAY_FINI(ctx, &s->premise);
    SL_ARRAY_FINI(ctx, &s->action);
    SL_ARRAY_FINI(ctx, &s->source);
    SL_ARRAY_FINI(ctx, &s->node_tag);
    SL_ARRAY_FINI(ctx, &s->link_tag);
    SL_ARRAY_FINI(ctx, &s->node_note);
    SL_ARRAY_FINI(ctx, &s->link_note);
    SL_ARRAY_FINI(ctx, &s->pattern_note);
    SL_ARRAY_FINI(ctx, &s->curve_note);
    SL_ARRAY_FINI(ctx, &s->label);
    SL_ARRAY_FINI(ctx, &s->title);
    SL_ARRAY_FINI(ctx, &s->backdrop);
    SL_ARRAY_FINI(ctx, &s->report_node);
    SL_ARRAY_FINI(ctx, &s->report_link);
    sl_arena_fini(&s->text);
}

/* Room is made before the id is taken, so that a failure leaves the tables in step. */
int32_t sl_build_node(sl_spec *s, sl_str id, uint64_t last, sl_node_kind kind, uint32_t line) {
    bool room = SL_RESERVE(s->ctx, &s->node, s->node.n + 1);
    if (room && kind == SL_JUNCTION) {
        room = SL_RESERVE(s->ctx, &s->junction, s->junction.n + 1);
    } else if (room && kind == SL_RESERVOIR) {
        room = SL_RESERVE(s->ctx, &s->reservoir, s->reservoir.n + 1);
    } else if (room) {
        room = SL_RESERVE(s->ctx, &s->tank, s->tank.n + 1);
    }
    int32_t handle = room ? sl_ids_add_word(s->node_ids, id, last) : SL_BUILD_MEMORY;
    if (handle < 0) {
        return handle;
    }
    sl_node_rec rec = {.kind = (uint8_t)kind, .line = line};
    if (kind == SL_JUNCTION) {
        rec.index = (int32_t)s->junction.n;
        s->junction.at[s->junction.n++] = (sl_junction_rec){.pattern = -1};
    } else if (kind == SL_RESERVOIR) {
        rec.index = (int32_t)s->reservoir.n;
        s->reservoir.at[s->reservoir.n++] = -1;
    } else {
        rec.index = (int32_t)s->tank.n;
        s->tank.at[s->tank.n++] = (sl_tank_rec){.curve = -1, .mix_fraction = 1.0, .bulk = NAN, .diameter = 10.0};
    }
    s->node.at[s->node.n++] = rec;
    return handle;
}

int32_t sl_build_link(sl_spec *s, sl_str id, uint64_t last, sl_link_kind kind, int32_t from, int32_t to,
                      uint32_t line) {
    bool room = SL_RESERVE(s->ctx, &s->link, s->link.n + 1);
    if (room && kind == SL_PIPE) {
        room = SL_RESERVE(s->ctx, &s->pipe, s->pipe.n + 1);
    } else if (room && kind == SL_PUMP) {
        room = SL_RESERVE(s->ctx, &s->pump, s->pump.n + 1);
    } else if (room) {
        room = SL_RESERVE(s->ctx, &s->valve, s->valve.n + 1);
    }
    int32_t handle = room ? sl_ids_add_word(s->link_ids, id, last) : SL_BUILD_MEMORY;
    if (handle < 0) {
        return handle;
    }
    s->node.at[from].touched = s->node.at[to].touched = 1;
    sl_link_rec rec = {.kind = (uint8_t)kind, .status = SL_OPEN, .from = from, .to = to, .line = line};
    if (kind == SL_PIPE) {
        rec.index = (int32_t)s->pipe.n;
        s->pipe.at[s->pipe.n++] = (sl_pipe_rec){.length = 100.0, .diameter = 0.254, .roughness = 130.0, .extra = -1};
    } else if (kind == SL_PUMP) {
        rec.index = (int32_t)s->pump.n;
        s->pump.at[s->pump.n++] = (sl_pump_rec){
            .curve = -1, .pattern = -1, .efficiency_curve = -1, .price_pattern = -1, .speed = 1.0, .price = NAN};
    } else {
        rec.index = (int32_t)s->valve.n;
        rec.status = SL_ACTIVE;
        s->valve.at[s->valve.n++] = (sl_valve_rec){.diameter = 0.254, .curve = -1};
    }
    s->link.at[s->link.n++] = rec;
    return handle;
}

int32_t sl_build_pattern(sl_spec *s, sl_str id, uint32_t line) {
    if (!SL_RESERVE(s->ctx, &s->pattern_line, s->pattern_line.n + 1)) {
        return SL_BUILD_MEMORY;
    }
    int32_t handle = sl_ids_add(s->pattern_ids, id);
    if (handle >= 0) {
        s->pattern_line.at[s->pattern_line.n++] = line;
    }
    return handle < 0 && handle != SL_BUILD_MEMORY ? -1 - handle : handle;
}

int32_t sl_build_curve(sl_spec *s, sl_str id, uint32_t line) {
    if (!SL_RESERVE(s->ctx, &s->curve_line, s->curve_line.n + 1) ||
        !SL_RESERVE(s->ctx, &s->curve_kind, s->curve_kind.n + 1)) {
        return SL_BUILD_MEMORY;
    }
    int32_t handle = sl_ids_add(s->curve_ids, id);
    if (handle >= 0) {
        s->curve_line.at[s->curve_line.n++] = line;
        s->curve_kind.at[s->curve_kind.n++] = SL_CURVE_GENERIC;
    }
    return handle < 0 && handle != SL_BUILD_MEMORY ? -1 - handle : handle;
}

sl_pipe_extra *sl_build_pipe_extra(sl_spec *s, int32_t link) {
    sl_pipe_rec *p = sl_build_pipe(s, link);
    if (p->extra < 0) {
        sl_pipe_extra extra = {.bulk = NAN, .wall = NAN};
        if (!SL_PUSH(s->ctx, &s->pipe_extra, extra)) {
            return NULL;
        }
        p->extra = (int32_t)s->pipe_extra.n - 1;
    }
    return &s->pipe_extra.at[p->extra];
}

bool sl_build_demand(sl_spec *s, int32_t junction, double base, int32_t pattern, const char *category) {
    sl_demand_rec rec = {
        .junction = s->node.at[junction].index, .pattern = pattern, .base = base, .category = category};
    if (!SL_PUSH(s->ctx, &s->demand, rec)) {
        return false;
    }
    sl_build_junction(s, junction)->replaced = true;
    return true;
}

bool sl_premise_fits(const sl_spec *s, const sl_premise *p) {
    switch (p->variable) {
    case SL_RULE_DEMAND: return p->object != SL_RULE_LINK;
    case SL_RULE_HEAD:
    case SL_RULE_GRADE:
    case SL_RULE_LEVEL:
    case SL_RULE_PRESSURE: return p->object == SL_RULE_NODE;
    case SL_RULE_FILLTIME:
    case SL_RULE_DRAINTIME: return p->object == SL_RULE_NODE && s->node.at[p->index].kind != SL_JUNCTION;
    case SL_RULE_FLOW:
    case SL_RULE_STATUS:
    case SL_RULE_SETTING: return p->object == SL_RULE_LINK;
    case SL_RULE_POWER: return p->object == SL_RULE_LINK && s->link.at[p->index].kind == SL_PUMP;
    default: return p->object == SL_RULE_SYSTEM;
    }
}
