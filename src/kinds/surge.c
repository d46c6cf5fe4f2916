/* SPDX-License-Identifier: MIT */
/* surge.c: water hammer: a study as YAML that names its network, or an .inp text with options. */
#include "kinds/rows.h"
#include "kinds/surge_explain.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <sluice/network_io.h>

#include "base/memory.h"
#include "network/words.h"

static const sl_option options[] = {
    {SL_OPTION_ROW("units", 'u', WORD, sl_surge_kind_args, unit, "UNIT",
                   "show results in CFS, GPM, MGD, IMGD, AFD (feet, psi), LPS, LPM,\nMLD, CMH, CMD or CMS (metres)"),
     .words = sl_flow_words},
    {SL_OPTION_ROW("close", 0, TEXTS, sl_surge_kind_args, close, "ID@START:TIME",
                   "close a valve or a pipe: V1@1s:2s starts at 1 s and takes 2 s")},
    {SL_OPTION_ROW("open", 0, TEXTS, sl_surge_kind_args, open, "ID@START:TIME", "open a valve or a pipe")},
    {SL_OPTION_ROW("trip", 0, TEXTS, sl_surge_kind_args, trip, "ID@START", "trip a pump: P1@5s cuts its power at 5 s")},
    {SL_OPTION_ROW("wave-speed", 0, NUMBER, sl_surge_kind_args, wave_speed, "M/S",
                   "wave speed in all pipes [m/s], default 1200")},
    {SL_OPTION_ROW("step", 0, TIME, sl_surge_kind_args, step, "TIME",
                   "time step, such as 5ms; default: computed from the pipe lengths")},
    {SL_OPTION_ROW("friction", 0, WORD, sl_surge_kind_args, friction, "MODEL",
                   "friction model: steady, quasi-steady (default), acceleration, convolution or\nrthym-filter"),
     .words = sl_surge_frictions},
    {SL_OPTION_ROW("cavitation", 0, WORD, sl_surge_kind_args, cavitation, "MODEL",
                   "cavitation model: dgcm (gas cavities, default), dvcm (vapour cavities), clamp (heads\n"
                   "limited to vapour pressure) or liquid (none)"),
     .words = sl_surge_cavitations},
    {SL_OPTION_ROW("no-envelopes", 0, FLAG, sl_surge_kind_args, no_envelopes, NULL,
                   "keep no highest and lowest heads within pipes: faster")},
    {SL_OPTION_ROW("no-balances", 0, FLAG, sl_surge_kind_args, no_balances, NULL,
                   "keep no balances of water and energy, and raise no alarms about them")},
    {SL_OPTION_ROW("route", 0, TEXT, sl_surge_kind_args, route, "FROM,TO",
                   "route of the envelope: the shortest path between two nodes")},
};

static void args_default(void *args) {
    *(sl_surge_kind_args *)args = (sl_surge_kind_args){.unit = -1, .friction = -1, .cavitation = -1};
}

static bool recognise(const sl_kind_head *head) {
    return sl_kind_head_has_key(head, "study");
}

static void release(void *origin) {
    sl_surge_origin *o = origin;
    sl_study_destroy(o->study);
    sl_network_destroy(o->net);
    sl_free(o->ctx, o, sizeof *o);
}

static sl_status refuse(const sl_load *load, const char *fmt, ...) SL_PRINTF(2, 3);
static sl_status refuse(const sl_load *load, const char *fmt, ...) {
    char text[1024];
    va_list args;
    va_start(args, fmt);
    (void)sl_vformat(text, sizeof text, fmt, args);
    va_end(args);
    sl_report(load->diags, SL_ERROR, SL_CODE_NOT_ALLOWED, NULL, NULL, NULL, NULL, "%s", text);
    return SL_ERR_USE;
}

/* ---- Reading ------------------------------------------------------------------------------------ */

/* The units in which results are shown. The study was read in those of its file: what it says does not depend on them. */
static sl_status show_in(const sl_load *load, sl_flow_unit unit, sl_surge_origin *o) {
    sl_network *converted = NULL;
    sl_status status = sl_network_with_units(load->ctx, o->net, unit, load->diags, &converted);
    if (status == SL_OK) {
        sl_network_destroy(o->net);
        o->study->net = o->net = converted;
    }
    return status;
}

/* The network that the study names; whatever is wrong with it, the rest of the study is looked at too. */
static sl_status read_study(const sl_load *load, sl_surge_origin *o) {
    const sl_surge_kind_args *args = load->args;
    const sl_source *source = load->source;
    sl_source opened;
    sl_status status = sl_study_open(load->ctx, source->bytes, source->n, source->name, load->diags, &o->study);
    if (status != SL_OK) {
        return status;
    }
    status = sl_source_open_named(source, o->study->network, o->study->doc, o->study->network_node, &opened);
    if (status == SL_OK) {
        sl_load named = *load;
        named.source = &opened;
        named.tolerant = false;
        status = sl_network_load(&named, -1, &o->net);
        sl_source_close_named(source, &opened);
    }
    if (status == SL_ERR_MEMORY || status == SL_ERR_CANCELLED) {
        return status;
    }
    sl_status bound = sl_study_bind(o->study, o->net);
    status = status != SL_OK ? status : bound;
    return status == SL_OK && args->unit >= 0 ? show_in(load, (sl_flow_unit)args->unit, o) : status;
}

static sl_status add_events(const sl_load *load, sl_study *study) {
    const sl_surge_kind_args *args = load->args;
    char why[256];
    const struct {
        const char *verb;
        const sl_texts *texts;
    } events[] = {{"close", &args->close}, {"open", &args->open}, {"trip", &args->trip}};
    for (size_t k = 0; k < sizeof events / sizeof *events; k++) {
        for (int i = 0; i < events[k].texts->n; i++) {
            sl_status status = sl_study_add_event(study, events[k].verb, events[k].texts->at[i], why, sizeof why);
            if (status != SL_OK) {
                return status == SL_ERR_INPUT ? refuse(load, "--%s: %s", events[k].verb, why) : status;
            }
        }
    }
    return SL_OK;
}

static sl_status read_network(const sl_load *load, sl_surge_origin *o) {
    const sl_surge_kind_args *args = load->args;
    sl_load strict = *load;
    strict.tolerant = false;
    sl_status status = sl_network_load(&strict, args->unit, &o->net);
    status = status == SL_OK ? sl_study_create(load->ctx, o->net, &o->study) : status;
    return status == SL_OK ? add_events(load, o->study) : status;
}

/* ---- Options ------------------------------------------------------------------------------------ */

/* FROM,TO; ids may have commas: every one is tried. */
static sl_status read_route(const sl_load *load, sl_surge_origin *o, const char *text) {
    for (const char *comma = strchr(text, ','); comma; comma = strchr(comma + 1, ',')) {
        int32_t from = sl_network_find_node(o->net, (sl_str){text, (size_t)(comma - text)});
        int32_t to = sl_network_find_node(o->net, sl_str_z(comma + 1));
        if (from >= 0 && to >= 0) {
            sl_status status = sl_study_find_route(o->study, from, to, &o->route);
            o->study->routes = &o->route;
            o->study->n_route = status == SL_OK ? 1 : 0;
            return status == SL_ERR_INPUT ? refuse(load, "--route: no path leads from one to the other") : status;
        }
    }
    return refuse(load, "--route '%s' is not of the form FROM,TO with two nodes of the network", text);
}

static sl_status apply(const sl_load *load, sl_surge_origin *o) {
    const sl_surge_kind_args *a = load->args;
    sl_surge_def *d = &o->study->def;
    if (a->step.is_given && !(a->step.value > 0.0)) {
        return refuse(load, "--step %s: it must be more than 0", a->step.text);
    }
    d->dt = a->step.is_given ? a->step.value : d->dt;
    d->report_step = load->every > 0.0 ? load->every : d->report_step;
    d->duration = isnan(load->duration) ? d->duration : load->duration;
    if (!(d->duration > 0.0)) {
        return refuse(load, "say how long, more than 0: --duration 20s");
    }
    d->wave_speed = a->wave_speed > 0.0 ? a->wave_speed : d->wave_speed;
    d->friction = a->friction >= 0 ? (sl_surge_friction)a->friction : d->friction;
    d->cavitation = a->cavitation >= 0 ? (sl_surge_cavitation)a->cavitation : d->cavitation;
    d->envelopes = d->envelopes && !a->no_envelopes;
    d->balances = d->balances && !a->no_balances;
    for (int32_t i = 0; i < o->study->n_limit && !d->envelopes; i++) {
        const sl_study_limit *limit = &o->study->limits[i];
        if (!isnan(limit->pressure_max) || !isnan(limit->pressure_min)) {
            return refuse(
                load,
                "limits of pressure need the highest and lowest heads: leave out --no-envelopes and `keep_envelopes: false`");
        }
    }
    if (o->study->n_envelope > 0 && !d->envelopes) {
        return refuse(
            load,
            "`envelopes` need the highest and lowest heads: leave out --no-envelopes and `keep_envelopes: false`");
    }
    return a->route ? read_route(load, o, a->route) : SL_OK;
}

static sl_status load_surge(const sl_load *load, sl_loaded *out) {
    const sl_surge_kind_args *args = load->args;
    bool study = sl_kind_head_has_key(load->head, "study") || sl_kind_head_has_key(load->head, "sluice");
    if (study && args->close.n + args->open.n + args->trip.n > 0) {
        return refuse(load, "--close, --open and --trip are for networks: write them into `events` of %s",
                      load->source->name);
    }
    sl_surge_origin *o = sl_alloc(load->ctx, sizeof *o);
    if (!o) {
        return SL_ERR_MEMORY;
    }
    o->ctx = load->ctx;
    sl_status status = study ? read_study(load, o) : read_network(load, o);
    status = status == SL_OK ? apply(load, o) : status;
    if (status == SL_OK) {
        status = sl_model_from_surge(load->ctx, o->net, &o->study->def, load->diags, &out->model);
    }
    if (status != SL_OK) {
        release(o);
        return status;
    }
    out->origin = o;
    out->release = release;
    return SL_OK;
}

static const char *const taken[] = {"network", NULL};

const sl_kind sl_kind_surge = {.name = "surge",
                               .noun = "a surge study",
                               .version = 1,
                               .recognise = recognise,
                               .takes = taken,
                               .load = load_surge,
                               .sets_reports = true,
                               .options = SL_OPTION_TABLE(options, sl_surge_kind_args, args_default),
                               .engine = "surge",
                               .selected_by = "surge",
                               .selected_help =
                                   "simulate the pressure waves (water hammer) in a network, from its steady state; a\n"
                                   "study file (.yaml) has more settings than the options below",
                               .report = &sl_surge_study_report,
                               .check = sl_surge_study_check,
                               .info = sl_surge_study_info,
                               .explain = sl_surge_explain};
