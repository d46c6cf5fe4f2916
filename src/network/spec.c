/* SPDX-License-Identifier: MIT */
/* spec.c: building a network by calls; see sluice/spec.h. Every add looks its references up at once, so a mistake is
 * reported where it is made. */
#include "network/spec_impl.h"

#include "base/report.h"
#include "base/sized.h"
#include "network/epanet_units.h"
#include "network/validate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void sl_pattern_default_fill(sl_pattern_def *def, size_t size) {
    const sl_pattern_def all = {0};
    sl_sized_default(def, size, &all, sizeof all);
}

void sl_curve_default_fill(sl_curve_def *def, size_t size) {
    const sl_curve_def all = {0};
    sl_sized_default(def, size, &all, sizeof all);
}

void sl_junction_default_fill(sl_junction_def *def, size_t size) {
    const sl_junction_def all = {.x = NAN, .y = NAN};
    sl_sized_default(def, size, &all, sizeof all);
}

void sl_demand_default_fill(sl_demand_def *def, size_t size) {
    const sl_demand_def all = {0};
    sl_sized_default(def, size, &all, sizeof all);
}

void sl_reservoir_default_fill(sl_reservoir_def *def, size_t size) {
    const sl_reservoir_def all = {.x = NAN, .y = NAN};
    sl_sized_default(def, size, &all, sizeof all);
}

void sl_tank_default_fill(sl_tank_def *def, size_t size) {
    const sl_tank_def all = {.diameter = 10.0, .mix_fraction = 1.0, .bulk = NAN, .x = NAN, .y = NAN};
    sl_sized_default(def, size, &all, sizeof all);
}

void sl_pipe_default_fill(sl_pipe_def *def, size_t size) {
    const sl_pipe_def all = {
        .length = 100.0, .diameter = 0.254, .roughness = 130.0, .status = SL_OPEN, .bulk = NAN, .wall = NAN};
    sl_sized_default(def, size, &all, sizeof all);
}

void sl_pump_default_fill(sl_pump_def *def, size_t size) {
    const sl_pump_def all = {.speed = 1.0, .status = SL_OPEN, .price = NAN};
    sl_sized_default(def, size, &all, sizeof all);
}

void sl_valve_default_fill(sl_valve_def *def, size_t size) {
    const sl_valve_def all = {.diameter = 0.254, .status = SL_ACTIVE};
    sl_sized_default(def, size, &all, sizeof all);
}

void sl_control_default_fill(sl_control_def *def, size_t size) {
    const sl_control_def all = {.status = SL_OPEN, .setting = NAN, .enabled = true};
    sl_sized_default(def, size, &all, sizeof all);
}

void sl_rule_default_fill(sl_rule_def *def, size_t size) {
    const sl_rule_def all = {.name = "", .enabled = true};
    sl_sized_default(def, size, &all, sizeof all);
}

void sl_source_default_fill(sl_source_def *def, size_t size) {
    const sl_source_def all = {0};
    sl_sized_default(def, size, &all, sizeof all);
}

void sl_label_default_fill(sl_label_def *def, size_t size) {
    const sl_label_def all = {.text = ""};
    sl_sized_default(def, size, &all, sizeof all);
}

/* ---- Life --------------------------------------------------------------------------------------- */

sl_status sl_spec_create(sl_context *ctx, sl_diags *diags, sl_spec **out) {
    if (!ctx || !out) {
        return SL_ERR_USE;
    }
    sl_spec *s = sl_alloc(ctx, sizeof *s);
    *out = NULL;
    if (!s) {
        return SL_ERR_MEMORY;
    }
    if (!sl_spec_init(s, ctx, diags)) {
        sl_spec_destroy(s);
        return SL_ERR_MEMORY;
    }
    *out = s;
    return SL_OK;
}

void sl_spec_destroy(sl_spec *s) {
    if (SL_HANDLE_IS(s, SL_HANDLE_SPEC)) {
        sl_context *ctx = s->ctx;
        sl_spec_fini(s);
        sl_free(ctx, s, sizeof *s);
    }
}

sl_status sl_spec_compile(sl_spec *s, sl_network **out) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC) || !out) {
        return SL_ERR_USE;
    }
    sl_network *net = NULL;
    *out = NULL;
    sl_status status = sl_build_compile(s, false, &net);
    if (status != SL_OK) {
        return status;
    }
    sl_validation v = {.net = net, .diags = s->diags, .spec = s};
    int64_t n_error = s->n_error + sl_network_validate(&v);
    if (v.oom || n_error > 0) {
        sl_network_destroy(net);
        return v.oom ? SL_ERR_MEMORY : SL_ERR_INPUT;
    }
    *out = net;
    return SL_OK;
}

/* ---- Small change ------------------------------------------------------------------------------- */

/* Reports about an object and counts it. */
sl_status sl_spec_refuse(sl_spec *s, sl_code code, const char *kind, const char *id, const char *hint, const char *text,
                         const char *arg) {
    s->n_error++;
    sl_report(s->diags, SL_ERROR, code, NULL, kind, id, hint, "%s%s%s", text, arg ? " " : "", arg ? arg : "");
    return SL_ERR_INPUT;
}

bool sl_spec_take(sl_spec *s, const char *kind, void *own, size_t size, const void *def) {
    bool sized = def && sl_sized_take(own, size, def);
    if (!sized) {
        (void)sl_spec_refuse(s, SL_CODE_SYNTAX, kind, NULL, "make it by its default function",
                             "a definition without its size", NULL);
    }
    return sized;
}

/* An id a file can carry: not empty, no blanks, quotes, semicolons or control characters, no leading bracket. */
bool sl_spec_good_id(const char *id) {
    if (!id || !*id || *id == '[') {
        return false;
    }
    for (const char *p = id; *p; p++) {
        if ((unsigned char)*p <= ' ' || *p == ';' || *p == '"' || *p == 127) {
            return false;
        }
    }
    return true;
}

/* A reference: *at is -1 for NULL; false after a report. */
static bool refer(sl_spec *s, const sl_ids *ids, const char *id, sl_code code, const char *kind, const char *owner,
                  const char *text, int32_t *at) {
    char hint[200];
    *at = -1;
    if (!id) {
        return true;
    }
    *at = sl_ids_find(ids, sl_str_z(id));
    if (*at >= 0) {
        return true;
    }
    int32_t near = sl_ids_nearest(ids, sl_str_z(id));
    if (near >= 0) {
        snprintf(hint, sizeof hint, "did you mean %.150s?", sl_ids_z(ids, near));
    }
    sl_spec_refuse(s, code, kind, owner, near >= 0 ? hint : "add it before it is referred to", text, id);
    return false;
}

bool sl_spec_pattern(sl_spec *s, const char *id, const char *kind, const char *owner, int32_t *at) {
    return refer(s, s->pattern_ids, id, SL_CODE_UNKNOWN_PATTERN, kind, owner, "unknown pattern", at);
}

bool sl_spec_curve(sl_spec *s, const char *id, const char *kind, const char *owner, int32_t *at) {
    return refer(s, s->curve_ids, id, SL_CODE_UNKNOWN_CURVE, kind, owner, "unknown curve", at);
}

bool sl_spec_node(sl_spec *s, const char *id, const char *kind, const char *owner, int32_t *at) {
    return refer(s, s->node_ids, id ? id : "", SL_CODE_UNKNOWN_NODE, kind, owner, "unknown node", at);
}

bool sl_spec_link(sl_spec *s, const char *id, const char *kind, const char *owner, int32_t *at) {
    return refer(s, s->link_ids, id ? id : "", SL_CODE_UNKNOWN_LINK, kind, owner, "unknown link", at);
}

/* A copy of text that fits on a line of a file: no line ends, no blanks behind. */
const char *sl_spec_copy_text(sl_spec *s, const char *z) {
    char *copy = sl_arena_copy(&s->text, sl_str_z(z));
    for (char *p = copy; p && *p; p++) {
        if (*p == '\n' || *p == '\r' || *p == '\t' || *p == '\f' || *p == '\v') {
            *p = ' ';
        }
    }
    for (size_t n = copy ? strlen(copy) : 0; n > 0 && copy[n - 1] == ' '; n--) {
        copy[n - 1] = '\0';
    }
    return copy;
}

bool sl_spec_good_text(sl_spec *s, const char *kind, const char *id, const char *text) {
    if (!text || !strpbrk(text, ";\"")) {
        return true;
    }
    sl_spec_refuse(s, SL_CODE_SYNTAX, kind, id, "leave out ';' and double quotes",
                   "this text cannot be written to a file:", text);
    return false;
}

/* As the reader trims. */
bool sl_spec_comment(sl_spec *s, const char *text, const char **out) {
    *out = text ? sl_spec_copy_text(s, text) : NULL;
    if (!*out) {
        return !text;
    }
    while (**out == ' ' || **out == ';') {
        ++*out;
    }
    *out = **out ? *out : NULL;
    return true;
}

bool sl_spec_note(sl_spec *s, sl_notes *notes, int32_t index, const char *text) {
    sl_note note = {index, NULL};
    return sl_spec_comment(s, text, &note.text) && (!note.text || SL_PUSH(s->ctx, notes, note));
}

/* The comment above a pattern or curve: rulers and headings of columns are no notes, see inp_nodes.c. */
static bool note_above(sl_spec *s, sl_notes *notes, int32_t index, const char *text) {
    const char *p = text;
    while (p && *p && strchr(" \t;-=*", *p)) {
        p++;
    }
    bool heading = p && (p[0] == 'I' || p[0] == 'i') && (p[1] == 'D' || p[1] == 'd') &&
                   (p[2] == '\0' || p[2] == ' ' || p[2] == '\t');
    return heading || sl_spec_note(s, notes, index, p);
}

sl_hydraulic_options *sl_spec_hydraulics(sl_spec *s) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC)) {
        return NULL;
    }
    return &s->hydraulics;
}

sl_quality_options *sl_spec_quality(sl_spec *s) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC)) {
        return NULL;
    }
    return &s->quality;
}

sl_energy_options *sl_spec_energy(sl_spec *s) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC)) {
        return NULL;
    }
    return &s->energy;
}

sl_times *sl_spec_times(sl_spec *s) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC)) {
        return NULL;
    }
    return &s->times;
}

sl_report_options *sl_spec_report(sl_spec *s) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC)) {
        return NULL;
    }
    return &s->report;
}

void sl_spec_set_units(sl_spec *s, sl_flow_unit unit) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC)) {
        return;
    }
    s->hydraulics.flow_unit = unit;
    s->hydraulics.pressure_unit = sl_default_pressure_unit(unit);
}

static sl_status set_text(sl_spec *s, const char *text, const char **to) {
    const char *copy = text ? sl_spec_copy_text(s, text) : NULL;
    if (text && !copy) {
        return SL_ERR_MEMORY;
    }
    *to = text ? copy : *to;
    return SL_OK;
}

sl_status sl_spec_set_default_pattern(sl_spec *s, const char *id) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC)) {
        return SL_ERR_USE;
    }
    int32_t at;
    if (!sl_spec_pattern(s, id, "option", "default pattern", &at)) {
        return SL_ERR_INPUT;
    }
    return set_text(s, id, &s->hydraulics.default_pattern_id);
}

sl_status sl_spec_set_price_pattern(sl_spec *s, const char *id) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC)) {
        return SL_ERR_USE;
    }
    return sl_spec_pattern(s, id, "option", "price pattern", &s->energy.price_pattern) ? SL_OK : SL_ERR_INPUT;
}

sl_status sl_spec_set_trace_node(sl_spec *s, const char *id) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC)) {
        return SL_ERR_USE;
    }
    if (!sl_spec_node(s, id, "option", "trace node", &s->quality.trace_node)) {
        return SL_ERR_INPUT;
    }
    s->quality.kind = SL_QUALITY_TRACE;
    return SL_OK;
}

sl_status sl_spec_set_chemical(sl_spec *s, const char *name, const char *mass_unit) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC)) {
        return SL_ERR_USE;
    }
    s->quality.kind = SL_QUALITY_CHEMICAL;
    static const char *const taken[] = {"NONE", "AGE", "TRACE", "CHEM"}; /* files know these by their first letters */
    for (int i = 0; name && i < 4; i++) {
        if (sl_str_equal_nocase((sl_str){name, strnlen(name, strlen(taken[i]))}, sl_str_z(taken[i])) &&
            strcmp(name, "Chemical") != 0) {
            return sl_spec_refuse(s, SL_CODE_BAD_ID, "chemical", name, "use another name",
                                  "files take this name for a kind of quality", NULL);
        }
    }
    if (name && !sl_spec_good_id(name)) {
        return sl_spec_refuse(s, SL_CODE_BAD_ID, "chemical", name, "use a name without blanks", "not a valid name",
                              NULL);
    }
    if (mass_unit && !sl_spec_good_id(mass_unit)) {
        return sl_spec_refuse(s, SL_CODE_BAD_ID, "mass unit", mass_unit, "use a name without blanks",
                              "not a valid name", NULL);
    }
    sl_status status = set_text(s, name, &s->quality.chemical);
    return status == SL_OK ? set_text(s, mass_unit, &s->quality.mass_unit) : status;
}

sl_status sl_spec_add_report_node(sl_spec *s, const char *id) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC) || !id) {
        return SL_ERR_USE;
    }
    int32_t at;
    if (!sl_spec_node(s, id, "report", id, &at)) {
        return SL_ERR_INPUT;
    }
    s->report.nodes = SL_REPORT_SOME;
    return SL_PUSH(s->ctx, &s->report_node, at) ? SL_OK : SL_ERR_MEMORY;
}

sl_status sl_spec_add_report_link(sl_spec *s, const char *id) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC) || !id) {
        return SL_ERR_USE;
    }
    int32_t at;
    if (!sl_spec_link(s, id, "report", id, &at)) {
        return SL_ERR_INPUT;
    }
    s->report.links = SL_REPORT_SOME;
    return SL_PUSH(s->ctx, &s->report_link, at) ? SL_OK : SL_ERR_MEMORY;
}

/* Lines that stand in a file as they are: one that is empty, a comment or a heading would read as something else. */
static bool good_line(const char *line) {
    while (*line == ' ' || *line == '\t' || *line == '\v' || *line == '\f') {
        line++;
    }
    return *line != '\0' && *line != ';' && *line != '[' && *line != '\n' && *line != '\r';
}

sl_status sl_spec_add_title(sl_spec *s, const char *line) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC) || !line) {
        return SL_ERR_USE;
    }
    if (!good_line(line)) {
        return sl_spec_refuse(s, SL_CODE_SYNTAX, "title", "", NULL,
                              "a title line must not be empty nor start with ';' or '['", NULL);
    }
    const char *copy = sl_spec_copy_text(s, line);
    return copy && SL_PUSH(s->ctx, &s->title, copy) ? SL_OK : SL_ERR_MEMORY;
}

sl_status sl_spec_add_backdrop(sl_spec *s, const char *line) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC) || !line) {
        return SL_ERR_USE;
    }
    if (!good_line(line)) {
        return sl_spec_refuse(s, SL_CODE_SYNTAX, "backdrop", "", NULL,
                              "a backdrop line must not be empty nor start with ';' or '['", NULL);
    }
    const char *copy = sl_spec_copy_text(s, line);
    return copy && SL_PUSH(s->ctx, &s->backdrop, copy) ? SL_OK : SL_ERR_MEMORY;
}

/* ---- Patterns and curves ------------------------------------------------------------------------ */

sl_status sl_spec_add_pattern(sl_spec *s, const sl_pattern_def *def) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC) || !def) {
        return SL_ERR_USE;
    }
    sl_pattern_def own = sl_pattern_default();
    const sl_pattern_def *d = &own;
    if (!sl_spec_take(s, "pattern", &own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    if (!sl_spec_good_id(d->id)) {
        return sl_spec_refuse(s, SL_CODE_BAD_ID, "pattern", d->id, NULL, "not a valid id", NULL);
    }
    if (sl_ids_find(s->pattern_ids, sl_str_z(d->id)) >= 0) {
        return sl_spec_refuse(s, SL_CODE_DUPLICATE_ID, "pattern", d->id, NULL, "this id is taken", NULL);
    }
    int32_t at = SL_RESERVE(s->ctx, &s->factor, s->factor.n + d->n_factor) ? sl_build_pattern(s, sl_str_z(d->id), 0)
                                                                           : SL_BUILD_MEMORY;
    if (at < 0 || !note_above(s, &s->pattern_note, at, d->note)) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < d->n_factor; i++) {
        s->factor.at[s->factor.n++] = (sl_factor_rec){at, d->factor[i]};
    }
    return SL_OK;
}

sl_status sl_spec_add_curve(sl_spec *s, const sl_curve_def *def) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC) || !def) {
        return SL_ERR_USE;
    }
    sl_curve_def own = sl_curve_default();
    const sl_curve_def *d = &own;
    if (!sl_spec_take(s, "curve", &own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    if (!sl_spec_good_id(d->id)) {
        return sl_spec_refuse(s, SL_CODE_BAD_ID, "curve", d->id, NULL, "not a valid id", NULL);
    }
    if (sl_ids_find(s->curve_ids, sl_str_z(d->id)) >= 0) {
        return sl_spec_refuse(s, SL_CODE_DUPLICATE_ID, "curve", d->id, NULL, "this id is taken", NULL);
    }
    int32_t at = SL_RESERVE(s->ctx, &s->point, s->point.n + d->n_point) ? sl_build_curve(s, sl_str_z(d->id), 0)
                                                                        : SL_BUILD_MEMORY;
    if (at < 0 || !note_above(s, &s->curve_note, at, d->note)) {
        return SL_ERR_MEMORY;
    }
    s->curve_kind.at[at] = (uint8_t)d->kind;
    for (int32_t i = 0; i < d->n_point; i++) {
        s->point.at[s->point.n++] = (sl_point_rec){.owner = at, .x = d->x[i], .y = d->y[i]};
    }
    return SL_OK;
}
