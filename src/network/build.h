/* SPDX-License-Identifier: MIT */
/* build.h: what a spec holds while a network grows, shared by the calls of sluice/spec.h, by the .inp reader and
 * by compile.c, which turns it into an immutable sl_network.
 *
 * A node or link is known by its handle: the order of arrival, which is also its number in the id table.
 * Records are plain structs in growable arrays, one array per kind; a handle's record says which kind it is and
 * where. All values are SI. Points of curves are kept as given, with factors to SI per curve kind, because
 * what a curve in a file means is known only when something uses it.
 */
#ifndef SL_NETWORK_BUILD_H
#define SL_NETWORK_BUILD_H

#include "base/handle.h"
#include "base/ids.h"
#include "base/memory.h"
#include <sluice/spec.h>

typedef struct sl_node_rec {
    uint8_t kind;    /* sl_node_kind */
    uint8_t touched; /* 1: a link mentions it, even one that could not be kept */
    int32_t index;   /* within its kind */
    uint32_t line;
    double elevation, quality;
} sl_node_rec;

typedef struct sl_junction_rec {
    int32_t pattern;
    bool replaced; /* a demand category has taken the place of the junction's own demand */
    double demand, emitter;
} sl_junction_rec;

typedef struct sl_demand_rec {
    int32_t junction; /* index among junctions */
    int32_t pattern;
    double base;
    const char *category; /* in the arena, may be NULL */
} sl_demand_rec;

typedef struct sl_tank_rec {
    double level_init, level_min, level_max, diameter, volume_min, mix_fraction, bulk;
    int32_t curve;
    uint8_t overflow, mixing;
} sl_tank_rec;

typedef struct sl_link_rec {
    uint8_t kind, status;
    int32_t index, from, to; /* from, to: node handles */
    uint32_t line;
} sl_link_rec;

typedef struct sl_pipe_rec {
    double length, diameter, roughness, minor;
    int32_t extra; /* index of its sl_pipe_extra, -1: none */
    uint8_t check;
} sl_pipe_rec;

/* What few pipes have, kept apart because the size of records is what reading a large file costs. */
typedef struct sl_pipe_extra {
    double bulk, wall, leak_area, leak_expansion;
} sl_pipe_extra;

typedef struct sl_pump_rec {
    int32_t curve, pattern, efficiency_curve, price_pattern;
    double power, speed, price;
} sl_pump_rec;

typedef struct sl_valve_rec {
    double diameter, setting, minor;
    int32_t curve;
    uint8_t kind;
} sl_valve_rec;

typedef struct sl_point_rec {
    int32_t owner; /* curve, link or node handle */
    uint32_t line;
    double x, y;
} sl_point_rec;

typedef struct sl_factor_rec {
    int32_t pattern;
    double factor;
} sl_factor_rec;

typedef SL_ARRAY(sl_note) sl_notes;

struct sl_spec {
    sl_handle_mark handle; /* first */
    sl_context *ctx;
    sl_diags *diags;
    sl_arena text;      /* all strings */
    int32_t n_error;    /* adds that failed */
    uint32_t n_dropped; /* links that could not be kept: counts of parts would mislead */

    sl_ids *node_ids, *link_ids, *pattern_ids, *curve_ids;
    SL_ARRAY(sl_node_rec) node;
    SL_ARRAY(sl_junction_rec) junction;
    SL_ARRAY(int32_t) reservoir; /* head pattern */
    SL_ARRAY(sl_tank_rec) tank;
    SL_ARRAY(sl_demand_rec) demand;
    SL_ARRAY(sl_link_rec) link;
    SL_ARRAY(sl_pipe_rec) pipe;
    SL_ARRAY(sl_pipe_extra) pipe_extra;
    SL_ARRAY(sl_pump_rec) pump;
    SL_ARRAY(sl_valve_rec) valve;
    SL_ARRAY(sl_point_rec) vertex;
    SL_ARRAY(sl_point_rec) place; /* of nodes; the last one counts */

    SL_ARRAY(sl_factor_rec) factor; /* of patterns */
    SL_ARRAY(sl_point_rec) point;   /* of curves */
    SL_ARRAY(uint8_t) curve_kind;   /* declared kind */
    SL_ARRAY(uint32_t) curve_line, pattern_line;
    double curve_fx[SL_CURVE_KIND_COUNT], curve_fy[SL_CURVE_KIND_COUNT]; /* to SI */

    SL_ARRAY(sl_control) control; /* node and link are handles, in rules too */
    SL_ARRAY(sl_rule) rule;
    SL_ARRAY(sl_premise) premise;
    SL_ARRAY(sl_action) action;
    SL_ARRAY(sl_quality_source) source;
    sl_notes node_tag, link_tag, node_note, link_note, pattern_note, curve_note;
    SL_ARRAY(sl_label) label;
    SL_ARRAY(const char *) title;
    SL_ARRAY(const char *) backdrop;
    SL_ARRAY(int32_t) report_node, report_link;

    const char *name;
    sl_hydraulic_options hydraulics;
    sl_quality_options quality;
    sl_energy_options energy;
    sl_times times;
    sl_report_options report;
};

/* What the adds return beside a handle. */
enum { SL_BUILD_MEMORY = INT32_MIN }; /* other negative values: -1 - handle of the object that has the id */

/* In place, for the reader. false: out of memory (fini is safe). */
bool sl_spec_init(sl_spec *spec, sl_context *ctx, sl_diags *diags);
void sl_spec_fini(sl_spec *spec);

/* New objects with default values; the caller fills the record. */
/* last: the last bytes of the id as a word, see sl_ids_add_word. */
int32_t sl_build_node(sl_spec *spec, sl_str id, uint64_t last, sl_node_kind kind, uint32_t line);
int32_t sl_build_link(sl_spec *spec, sl_str id, uint64_t last, sl_link_kind kind, int32_t from, int32_t to,
                      uint32_t line);
/* The pattern or curve of this id, new or not. */
int32_t sl_build_pattern(sl_spec *spec, sl_str id, uint32_t line);
int32_t sl_build_curve(sl_spec *spec, sl_str id, uint32_t line);

/* Records by handle of the right kind. */
static inline sl_junction_rec *sl_build_junction(sl_spec *spec, int32_t node) {
    return &spec->junction.at[spec->node.at[node].index];
}
static inline sl_tank_rec *sl_build_tank(sl_spec *spec, int32_t node) {
    return &spec->tank.at[spec->node.at[node].index];
}
static inline sl_pipe_rec *sl_build_pipe(sl_spec *spec, int32_t link) {
    return &spec->pipe.at[spec->link.at[link].index];
}
static inline sl_pump_rec *sl_build_pump(sl_spec *spec, int32_t link) {
    return &spec->pump.at[spec->link.at[link].index];
}
static inline sl_valve_rec *sl_build_valve(sl_spec *spec, int32_t link) {
    return &spec->valve.at[spec->link.at[link].index];
}

/* The extra record of a pipe, made when it has none; NULL: memory. link is a handle. */
sl_pipe_extra *sl_build_pipe_extra(sl_spec *spec, int32_t link);

/* A further demand; the first one replaces the junction's own. junction is a node handle. */
bool sl_build_demand(sl_spec *spec, int32_t junction, double base, int32_t pattern, const char *category);

/* Does the premise's object have its variable? index is a handle. */
bool sl_premise_fits(const sl_spec *spec, const sl_premise *p);

/* The immutable network. Validation is separate (validate.h). With take, the id tables move into it and the spec
 * can only be released. SL_OK or SL_ERR_MEMORY. */
sl_status sl_build_compile(sl_spec *spec, bool take, sl_network **out);

#endif
