/* SPDX-License-Identifier: MIT */
/* coupling.c: run files and their variables; see coupling.h. */
#include "exchange/coupling.h"

#include <math.h>
#include <string.h>

#include "base/ids.h"
#include "base/memory.h"
#include "base/out.h"
#include "base/report.h"

static const double default_timeout = 3600.0; /* [s]: nobody waits for ever in a batch system */

/* ---- Rows --------------------------------------------------------------------------------------- */

static void read_row(sl_yaml *doc, const sl_yaml_node *node, sl_coupled *v) {
    sl_yaml_map m;
    int64_t entity = 0, type = 0;
    *v = (sl_coupled){.node = node, .scale = 1.0, .var = {-1, -1}};
    if (!sl_yaml_open_map(doc, node, &m)) {
        return;
    }
    sl_yaml_int(&m, "entity", SL_YAML_NEEDED, INT64_MIN, INT64_MAX, &entity);
    v->variable_node = sl_yaml_get(&m, "variable", SL_YAML_NEEDED);
    if (v->variable_node) {
        sl_yaml_as_text(doc, v->variable_node, &v->variable);
    }
    v->unit_node = sl_yaml_get(&m, "unit", 0);
    if (v->unit_node) {
        sl_yaml_as_text(doc, v->unit_node, &v->unit);
    }
    sl_yaml_int(&m, "type", 0, INT32_MIN, INT32_MAX, &type);
    sl_yaml_text(&m, "description", 0, &v->text);
    if (sl_yaml_number(&m, "scale", 0, NULL, &v->scale) && v->scale == 0.0) {
        sl_yaml_report(doc, node, SL_ERROR, SL_CODE_VALUE_RANGE, "write 1, -1, 0.001 ...", "scale: 0 leaves nothing");
        v->scale = 1.0;
    }
    sl_yaml_done(&m);
    v->entity = entity;
    v->type = (sl_cosim_type)type;
}

/* Two rows of one list may not have the same entity and type, nor (of what is read) the same variable. False: no memory. */
static bool check_twice(sl_yaml *doc, const sl_coupled *v, sl_ids *seen, bool read) {
    char key[64];
    if (!v->variable) {
        return true;
    }
    int n = sl_format(key, sizeof key, "%lld %ld", (long long)v->entity, (long)v->type);
    int32_t row = sl_ids_add(seen, (sl_str){key, (size_t)n});
    int32_t variable = read ? sl_ids_add(seen, sl_str_z(v->variable)) : 0;
    if (row == INT32_MIN || variable == INT32_MIN) {
        return false;
    }
    if (row < 0) {
        sl_yaml_report(doc, v->node, SL_ERROR, SL_CODE_DUPLICATE_ID, "give one of them another entity or type",
                       "entity %lld of type %ld is there already", (long long)v->entity, (long)v->type);
    } else if (variable < 0) {
        sl_yaml_report(doc, v->variable_node, SL_ERROR, SL_CODE_VARIABLE, "keep one of the rows",
                       "%s is set by two rows", v->variable);
    }
    return true;
}

static sl_status read_rows(sl_coupling *c, sl_yaml_map *m, const char *key, sl_coupled_list *out) {
    const sl_yaml_node *list = NULL;
    if (!sl_yaml_list(m, key, 0, &list) || list->n == 0) {
        return SL_OK;
    }
    out->at = sl_alloc(c->ctx, (size_t)list->n * sizeof *out->at);
    if (!out->at) {
        return SL_ERR_MEMORY;
    }
    out->n = list->n;
    sl_ids *seen = sl_ids_create(c->ctx);
    bool fine = seen != NULL;
    int32_t i = 0;
    for (const sl_yaml_node *node = list->first; node && fine; node = node->next, i++) {
        read_row(c->doc, node, &out->at[i]);
        fine = check_twice(c->doc, &out->at[i], seen, out == &c->read);
    }
    sl_ids_destroy(seen);
    return fine ? SL_OK : SL_ERR_MEMORY;
}

/* ---- The file ----------------------------------------------------------------------------------- */

static void read_timeouts(sl_yaml_map *m, sl_cosim_def *def) {
    double all = default_timeout;
    sl_yaml_time(m, "timeout", SL_YAML_NOT_NEGATIVE, &all);
    def->read_timeout = def->write_timeout = def->close_timeout = all;
    sl_yaml_time(m, "read_timeout", SL_YAML_NOT_NEGATIVE, &def->read_timeout);
    sl_yaml_time(m, "write_timeout", SL_YAML_NOT_NEGATIVE, &def->write_timeout);
    sl_yaml_time(m, "close_timeout", SL_YAML_NOT_NEGATIVE, &def->close_timeout);
    sl_yaml_time(m, "short_wait", SL_YAML_NOT_NEGATIVE, &def->short_wait);
}

/* How the messages travel and what they mean. */
static void read_carrier(sl_coupling *c, sl_yaml_map *m) {
    /* In the order of the enumerations of sluice/cosim.h. */
    static const char *const syncs[] = {"min", "sub", NULL};
    static const char *const phases[] = {"auto", "start", "end", "none", NULL};
    static const char *const stales[] = {"auto", "keep", "discard", "refuse", NULL};
    static const char *const acks[] = {"delete", "overwrite", NULL};
    static const char *const maps[] = {"order", "entity", NULL};
    int sync = 0, phase = 0, stale = 0, ack = 0, map = 0;
    bool files = sl_yaml_text(m, "in", 0, &c->def.in);
    files = sl_yaml_text(m, "out", 0, &c->def.out) || files;
    bool uri = sl_yaml_text(m, "uri", 0, &c->def.uri);
    if (uri && files) {
        sl_yaml_report(c->doc, m->node, SL_ERROR, SL_CODE_SYNTAX, "keep `in` and `out` (two files), or `uri`",
                       "cosim has both files and a uri");
    }
    sl_yaml_word(m, "sync", 0, syncs, &sync);
    sl_yaml_word(m, "phase", 0, phases, &phase);
    sl_yaml_word(m, "stale", 0, stales, &stale);
    sl_yaml_word(m, "ack", 0, acks, &ack);
    sl_yaml_word(m, "map", 0, maps, &map);
    sl_yaml_bool(m, "binary", 0, &c->def.binary);
    sl_yaml_bool(m, "strict", 0, &c->def.strict);
    c->def.sync = (sl_cosim_sync)sync;
    c->def.phase = (sl_cosim_phase)phase;
    c->def.stale = (sl_cosim_stale)stale;
    c->def.ack = (sl_cosim_ack)ack;
    c->def.map_entity = map == 1;
    read_timeouts(m, &c->def);
}

static sl_status read_results(sl_coupling *c, sl_yaml_map *m) {
    const sl_yaml_node *list = NULL;
    if (!sl_yaml_list(m, "results", 0, &list) || list->n == 0) {
        return SL_OK;
    }
    c->result = sl_alloc(c->ctx, (size_t)list->n * sizeof *c->result);
    if (!c->result) {
        return SL_ERR_MEMORY;
    }
    for (const sl_yaml_node *node = list->first; node; node = node->next) {
        const char *path = "";
        (void)sl_yaml_as_text(c->doc, node, &path);
        c->result[c->n_result++] = path;
    }
    return SL_OK;
}

static sl_status read_file(sl_coupling *c) {
    sl_yaml_map m, cosim;
    if (!sl_yaml_open_map(c->doc, sl_yaml_root(c->doc), &m)) {
        return SL_ERR_INPUT;
    }
    (void)sl_yaml_signature(&m, "cosim", 1);
    sl_yaml_text(&m, "model", SL_YAML_NEEDED, &c->model);
    sl_yaml_time(&m, "duration", SL_YAML_NOT_NEGATIVE, &c->duration);
    sl_status status = read_results(c, &m);
    if (status == SL_OK && sl_yaml_submap(&m, "cosim", SL_YAML_NEEDED, &cosim)) {
        c->cosim = cosim.node;
        read_carrier(c, &cosim);
        sl_yaml_int(&cosim, "skip", 0, 0, INT32_MAX, &c->skip);
        sl_yaml_time(&cosim, "step", SL_YAML_POSITIVE, &c->step);
        sl_yaml_bool(&cosim, "alone", 0, &c->alone);
        status = read_rows(c, &cosim, "read", &c->read);
        status = status == SL_OK ? read_rows(c, &cosim, "write", &c->write) : status;
        sl_yaml_done(&cosim);
    }
    sl_yaml_done(&m);
    return status == SL_OK ? sl_yaml_status(c->doc) : status;
}

sl_status sl_coupling_read(sl_context *ctx, const char *bytes, size_t n, const char *name, sl_diags *diags,
                           sl_coupling **out) {
    *out = NULL;
    sl_coupling *c = sl_alloc(ctx, sizeof *c);
    if (!c) {
        return SL_ERR_MEMORY;
    }
    *c = (sl_coupling){.ctx = ctx, .duration = (double)NAN, .step = (double)INFINITY, .def = sl_cosim_default()};
    sl_status status = sl_yaml_read(ctx, bytes, n, name, diags, &c->doc);
    status = status == SL_OK ? read_file(c) : status;
    if (status != SL_OK) {
        sl_coupling_destroy(c);
        return status;
    }
    *out = c;
    return SL_OK;
}

void sl_coupling_destroy(sl_coupling *c) {
    if (c) {
        sl_free(c->ctx, c->read.at, (size_t)c->read.n * sizeof *c->read.at);
        sl_free(c->ctx, c->write.at, (size_t)c->write.n * sizeof *c->write.at);
        sl_free(c->ctx, c->result, (size_t)c->n_result * sizeof *c->result);
        sl_yaml_destroy(c->doc);
        sl_free(c->ctx, c, sizeof *c);
    }
}

/* ---- Variables ---------------------------------------------------------------------------------- */

static void bind_unit(sl_yaml *doc, sl_coupled *v, const sl_var_info *info) {
    char hint[256], quoted[SL_QUOTE_MAX];
    const sl_unit *inside = sl_unit_find(sl_str_z(info->unit && info->unit[0] ? info->unit : "-"));
    const sl_unit *outside = sl_unit_find(sl_str_z(v->unit));
    if (!outside || !inside || !sl_unit_same_dimension(outside, inside)) {
        (void)sl_format(hint, sizeof hint, "%s is in %s, or a unit that converts to it", v->variable,
                        info->unit && info->unit[0] ? info->unit : "plain numbers");
        sl_yaml_report(doc, v->unit_node, SL_ERROR, SL_CODE_UNIT, hint, "unit: %s is %s",
                       sl_quote(sl_str_z(v->unit), quoted),
                       outside ? "a unit of something else" : "not a unit that is known");
        return;
    }
    v->outside = outside;
    v->inside = inside;
}

bool sl_session_counts_steps(const sl_session *session) {
    return strcmp(sl_session_time_unit(session), "s") != 0;
}

/* SL_ERR_MEMORY only: what is wrong is reported. */
static sl_status bind_row(sl_yaml *doc, sl_session *s, sl_coupled *v, bool set) {
    const sl_diags *said = sl_session_diags(s);
    sl_status status = sl_session_find(s, v->variable, &v->var);
    if (status == SL_ERR_INPUT) {
        const sl_diag *d = sl_diags_size(said) > 0 ? sl_diags_at(said, sl_diags_size(said) - 1) : NULL;
        sl_yaml_report(doc, v->variable_node, SL_ERROR, SL_CODE_VARIABLE,
                       d && d->hint ? d->hint : "`sluice vars MODEL` lists the variables", "%s",
                       d ? d->text : "there is no such variable");
        return SL_OK;
    }
    sl_var_info info = {.size = sizeof info};
    status = status == SL_OK ? sl_session_var(s, (uint32_t)sl_session_ref(s, v->var), &info) : status;
    if (status != SL_OK) {
        return status;
    }
    if (set && info.causality != SL_VAR_INPUT) {
        sl_yaml_report(doc, v->variable_node, SL_ERROR, SL_CODE_VARIABLE,
                       "`sluice vars --inputs MODEL` lists what can be set",
                       "%s cannot be set while the model runs: it is %s", v->variable,
                       info.causality == SL_VAR_OUTPUT ? "computed" : "fixed after the start");
    }
    if (v->unit) {
        bind_unit(doc, v, &info);
    }
    return SL_OK;
}

sl_status sl_coupling_bind(sl_coupling *c, sl_session *session) {
    sl_status status = SL_OK;
    if (sl_session_counts_steps(session) && !isfinite(c->step)) {
        sl_yaml_report(c->doc, c->cosim, SL_ERROR, SL_CODE_MISSING_VALUE, "write how long a step is: `step: 1 s`",
                       "the model's time counts steps, and `step` is not given");
    }
    for (int32_t i = 0; i < c->read.n && status == SL_OK; i++) {
        status = bind_row(c->doc, session, &c->read.at[i], true);
    }
    for (int32_t i = 0; i < c->write.n && status == SL_OK; i++) {
        status = bind_row(c->doc, session, &c->write.at[i], false);
    }
    return status == SL_OK ? sl_yaml_status(c->doc) : status;
}

double sl_coupled_in(const sl_coupled *v, double exchanged) {
    double x = exchanged / v->scale;
    if (v->outside) {
        (void)sl_unit_convert(x, v->outside, v->inside, &x);
    }
    return x;
}

double sl_coupled_out(const sl_coupled *v, double value) {
    double x = value;
    if (v->outside) {
        (void)sl_unit_convert(x, v->inside, v->outside, &x);
    }
    return x * v->scale;
}
