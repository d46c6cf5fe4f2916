/* SPDX-License-Identifier: MIT */
/* tunnel_info.c: what `check` and `info` say of tunnels: what there is, how much water it holds, and what may be meant otherwise. SI. */
#include "kinds/rows.h"

#include <math.h>
#include <string.h>

#include "base/count_text.h"
#include "base/report.h"
#include "tunnel/guards.h"
#include "tunnel/read.h"

enum { SHOWN_PIPES = 20, LINE = 160 };

typedef struct tunnel_facts {
    const sl_tunnel_study *study;
    const sl_tunnel_network *net;
    int32_t tubs[SL_TUB_KIND_COUNT];
    int32_t n_valve, n_shut; /* without joints at kinks; gates that begin shut */
    int32_t n_x, n_q;
    double length, volume, water; /* of all tunnels [m], [m3]; at the start in them [m3] */
} tunnel_facts;

static double volume_of(const sl_tunnel_pipe *p) {
    return p->area * p->length;
}

static tunnel_facts gather(const sl_tunnel_study *study) {
    const sl_tunnel_network *net = study->net;
    tunnel_facts f = {.study = study, .net = net};
    f.n_valve = net->n_valve - (net->n_pipe - study->n_tunnel);
    for (int32_t v = 0; v < net->n_valve; v++) {
        f.tubs[net->valves[v].tub]++;
        f.n_shut += net->valves[v].tub != SL_TUB_NONE && !net->valves[v].is_open;
    }
    f.tubs[SL_TUB_NONE] -= net->n_valve - f.n_valve;
    for (int32_t i = 0; i < net->n_pipe; i++) {
        f.length += net->pipes[i].length;
        f.volume += volume_of(&net->pipes[i]);
        f.n_shut += !net->pipes[i].ends[0].is_open + !net->pipes[i].ends[1].is_open;
    }
    for (int32_t k = 0; k < net->n_water; k++) {
        const sl_tunnel_water *w = &net->waters[k];
        f.water += w->side < 0 ? volume_of(&net->pipes[w->pipe]) : w->volume;
    }
    sl_tunnel_sizes(net, &f.n_x, &f.n_q);
    return f;
}

/* ---- Text --------------------------------------------------------------------------------------- */

static const char *const tub_words[SL_TUB_KIND_COUNT] = {"joint", "level", "reservoir", "outfall"};

/* "4: 2 levels, 1 outfall, 1 joint" */
static const char *put_valves(const tunnel_facts *f, char buf[LINE]) {
    char text[SL_PLURAL_MAX];
    int n = sl_format(buf, LINE, "%d", (int)f->n_valve);
    bool any = false;
    for (int k = 1; k <= SL_TUB_KIND_COUNT; k++) { /* joints last */
        int kind = k % SL_TUB_KIND_COUNT;
        if (f->tubs[kind] > 0) {
            n += sl_format(buf + n, LINE - (size_t)n, "%s%s", any ? ", " : ": ",
                           sl_plural(f->tubs[kind], tub_words[kind], NULL, text));
            any = true;
        }
    }
    return buf;
}

/* "2, in 4 straight stretches, 350 m, 1100 m3 when full" */
static const char *put_tunnels(const tunnel_facts *f, char buf[LINE]) {
    int n = sl_format(buf, LINE, "%d", (int)f->study->n_tunnel);
    if (f->net->n_pipe > f->study->n_tunnel) {
        n += sl_format(buf + n, LINE - (size_t)n, ", in %d straight stretches", (int)f->net->n_pipe);
    }
    (void)sl_format(buf + n, LINE - (size_t)n, ", %.6g m, %.6g m3 when full", f->length, f->volume);
    return buf;
}

static void put_models(const tunnel_facts *f, char *buf, size_t size) {
    char valves[LINE], tunnels[LINE];
    (void)sl_format(buf, size,
                    "  Valves        %s\n  Tunnels       %s\n"
                    "  Discrete      %d variables; at most %d steps\n  Continuous    %d variables\n",
                    put_valves(f, valves), put_tunnels(f, tunnels), (int)sl_tunnel_n_bit(f->net), SL_TUNNEL_STEPS_MAX,
                    (int)f->n_x);
}

static void put_pipe(sl_out *out, const sl_tunnel_network *net, int32_t i) {
    const sl_tunnel_pipe *p = &net->pipes[i];
    sl_out_printf(out, "  %s", sl_tunnel_pipe_id(net, i));
    sl_out_pad(out, 16, 2);
    sl_out_z(out, sl_tunnel_valve_id(net, p->ends[0].valve));
    sl_out_pad(out, 30, 2);
    sl_out_z(out, sl_tunnel_valve_id(net, p->ends[1].valve));
    sl_out_pad(out, 44, 2);
    sl_out_printf(out, "%10.5g %10.5g %10.5g %10.5g %10.4g\n", p->length, p->ends[0].elevation - p->ends[1].elevation,
                  p->area, volume_of(p), p->friction);
}

static void put_page(const tunnel_facts *f, const sl_load *load, sl_out *out) {
    char text[SL_PLURAL_MAX], more[1024];
    const sl_tunnel_study *study = f->study;
    sl_out_printf(out, "%s (%s)%s%s\n\n", load->source->name, sl_size_text(load->source->n, text),
                  study->title[0] ? ": " : "", study->title);
    sl_out_printf(out, "  Kind          tunnel, engine tunnel\n  Time          %g s", study->end);
    if (study->report > 0.0) {
        sl_out_printf(out, ", results every %g s", study->report);
    }
    put_models(f, more, sizeof more);
    sl_out_printf(out, "\n%s  At the start  ", more);
    if (f->water > 0.0) {
        sl_out_printf(out, "%.6g m3 in tunnels", f->water);
    } else {
        sl_out_z(out, "dry");
    }
    sl_out_printf(out, ", %s shut\n", sl_plural(f->n_shut, "gate", NULL, text));
    sl_out_printf(out, "  Schedules     %s of gates\n", sl_plural(f->net->n_move, "change", NULL, text));
    sl_out_printf(out, "\n  %-13s %-13s %-13s %10s %10s %10s %10s %10s\n", "Tunnel", "from", "to", "length", "fall",
                  "area", "volume", "friction");
    sl_out_printf(out, "  %-41s %10s %10s %10s %10s\n", "", "[m]", "[m]", "[m2]", "[m3]");
    for (int32_t i = 0; i < f->net->n_pipe && i < SHOWN_PIPES; i++) {
        put_pipe(out, f->net, i);
    }
    if (f->net->n_pipe > SHOWN_PIPES) {
        sl_out_printf(out, "  and %d more (--json has all)\n", (int)(f->net->n_pipe - SHOWN_PIPES));
    }
}

static void put_json(const tunnel_facts *f, sl_json *json) {
    static const char *const keys[SL_TUB_KIND_COUNT] = {"joints", "levels", "reservoirs", "outfalls"};
    const sl_tunnel_network *net = f->net;
    sl_json_member_z(json, "kind", "tunnel");
    sl_json_member_z(json, "engine", "tunnel");
    sl_json_member_z(json, "title", f->study->title);
    sl_json_member_number(json, "duration_s", f->study->end);
    sl_json_key(json, "counts");
    sl_json_object(json);
    sl_json_member_int(json, "valves", f->n_valve);
    for (int k = 0; k < SL_TUB_KIND_COUNT; k++) {
        sl_json_member_int(json, keys[k], f->tubs[k]);
    }
    sl_json_member_int(json, "tunnels", f->study->n_tunnel);
    sl_json_member_int(json, "stretches", net->n_pipe);
    sl_json_member_int(json, "gates_shut", f->n_shut);
    sl_json_member_int(json, "gate_changes", net->n_move);
    sl_json_member_int(json, "discrete", sl_tunnel_n_bit(net));
    sl_json_member_int(json, "continuous", f->n_x);
    sl_json_end(json);
    sl_json_member_number(json, "length_m", f->length);
    sl_json_member_number(json, "volume_m3", f->volume);
    sl_json_member_number(json, "water_m3", f->water);
    sl_json_key(json, "stretches");
    sl_json_array(json);
    for (int32_t i = 0; i < net->n_pipe; i++) {
        const sl_tunnel_pipe *p = &net->pipes[i];
        sl_json_object(json);
        sl_json_member_z(json, "id", sl_tunnel_pipe_id(net, i));
        sl_json_member_z(json, "from", sl_tunnel_valve_id(net, p->ends[0].valve));
        sl_json_member_z(json, "to", sl_tunnel_valve_id(net, p->ends[1].valve));
        sl_json_member_number(json, "length_m", p->length);
        sl_json_member_number(json, "fall_m", p->ends[0].elevation - p->ends[1].elevation);
        sl_json_member_number(json, "area_m2", p->area);
        sl_json_member_number(json, "volume_m3", volume_of(p));
        sl_json_member_number(json, "friction", p->friction);
        sl_json_end(json);
    }
    sl_json_end(json);
}

/* ---- What may be meant otherwise ------------------------------------------------------------------ */

typedef struct notes {
    const tunnel_facts *f;
    const sl_load *load;
    sl_yaml *doc; /* where things are written; NULL: it is not known */
} notes;

/* Where a valve or tunnel is written: its key under `valves` or `tunnels`. Joints and stretches of a tunnel with kinks are the tunnel's. */
static sl_text_location location_of(const notes *n, const char *group, const char *id) {
    const sl_source *source = n->load->source;
    sl_text_location place = {.file = source->name};
    const sl_yaml_node *node = n->doc ? sl_yaml_root(n->doc)->first : NULL;
    while (node && !sl_str_equal(node->key, sl_str_z(group))) {
        node = node->next;
    }
    size_t len = strcspn(id, "[");
    node = node && node->kind == SL_YAML_MAP ? node->first : NULL;
    while (node && !sl_str_equal(node->key, sl_str_z(id)) && !sl_str_equal(node->key, (sl_str){id, len})) {
        node = node->next;
    }
    if (!node || node->key_end > source->n) {
        return place;
    }
    const char *text = source->bytes;
    size_t begin = node->key_begin, end = node->key_end;
    place.line = 1;
    for (size_t i = 0; i < node->key_begin; i++) {
        place.line += text[i] == '\n';
    }
    for (; begin > 0 && text[begin - 1] != '\n'; begin--) {}
    for (; end < source->n && text[end] != '\n' && text[end] != '\r'; end++) {}
    place.text = (sl_str){text + begin, end - begin};
    place.begin = node->key_begin - begin;
    place.length = node->key_end - node->key_begin;
    return place;
}

static void note(const notes *n, sl_severity severity, sl_code code, bool pipe, int32_t index, const char *hint,
                 const char *fmt, ...) SL_PRINTF(7, 8);
static void note(const notes *n, sl_severity severity, sl_code code, bool pipe, int32_t index, const char *hint,
                 const char *fmt, ...) {
    char text[512];
    const char *id = pipe ? sl_tunnel_pipe_id(n->f->net, index) : sl_tunnel_valve_id(n->f->net, index);
    va_list args;
    va_start(args, fmt);
    (void)sl_vformat(text, sizeof text, fmt, args);
    va_end(args);
    const sl_text_location place = location_of(n, pipe ? "tunnels" : "valves", id);
    sl_report(n->load->diags, severity, code, &place, pipe ? "tunnel" : "valve", id, hint, "%s", text);
}

/* A reservoir that takes water from outside stands at its sill sooner or later: its level then wets and dries the gate. */
static void warn_of_hysteresis(const notes *n) {
    for (int32_t v = 0; v < n->f->net->n_valve; v++) {
        const sl_tunnel_valve *valve = &n->f->net->valves[v];
        double most = 0.0;
        for (int32_t k = 0; k < valve->inflow.n; k++) {
            most = fmax(most, valve->inflow.value[k]);
        }
        if (valve->tub == SL_TUB_RESERVOIR && most > 0.0 && valve->hysteresis < 1e-3) {
            note(n, SL_WARNING, SL_CODE_CHATTERING, false, v, "give its tub some centimetres of hysteresis",
                 "the reservoir has inflow and a hysteresis of %g m: near its sill it runs dry and wet without end",
                 valve->hysteresis);
        }
    }
}

/* A column that grows from an end takes velocity head from the valve; with less loss than that, energy appears. */
static void warn_of_losses(const notes *all) {
    const tunnel_facts *f = all->f;
    int32_t n = 0, first = -1;
    for (int32_t e = 0; e < 2 * f->net->n_pipe; e++) {
        const sl_tunnel_end *end = &f->net->pipes[e / 2].ends[e % 2];
        bool full = false, inner = end->in == 0.0 && end->out == 0.0; /* as joints at kinks are */
        for (int32_t k = 0; k < f->net->n_water; k++) {
            full = full || (f->net->waters[k].pipe == e / 2 && f->net->waters[k].side < 0);
        }
        if (end->in < 1.0 && !full && !inner) {
            first = first < 0 ? e : first;
            n++;
        }
    }
    if (n > 0) {
        note(all, SL_INFO, SL_CODE_VALUE_RANGE, true, first / 2, "write 1 or more, of which 1 is the velocity head",
             "the loss at '%s' is %g where water enters%s: a column that grows from there gains energy",
             first % 2 == 0 ? "from" : "to", f->net->pipes[first / 2].ends[first % 2].in,
             n > 1 ? ", and below 1 at other ends too" : "");
    }
}

/* A tunnel may rise on its way; more often its ends were taken for each other. */
static void warn_of_rises(const notes *n) {
    for (int32_t i = 0; i < n->f->net->n_pipe; i++) {
        const sl_tunnel_end *ends = n->f->net->pipes[i].ends;
        bool whole = !strchr(sl_tunnel_pipe_id(n->f->net, i), '['); /* a profile says what it means */
        if (whole && ends[1].elevation > ends[0].elevation) {
            note(n, SL_INFO, SL_CODE_VALUE_RANGE, true, i, "swap `from` and `to`, unless it is to rise",
                 "it rises by %g m from '%s' to '%s'", ends[1].elevation - ends[0].elevation,
                 sl_tunnel_valve_id(n->f->net, ends[0].valve), sl_tunnel_valve_id(n->f->net, ends[1].valve));
        }
    }
}

/* Valves that no tunnels join with the first one. SL_ERR_MEMORY. */
static sl_status warn_of_parts(const notes *n) {
    const sl_tunnel_network *net = n->f->net;
    size_t size = ((size_t)net->n_valve + 1) * sizeof(int32_t);
    int32_t *queue = sl_alloc(n->load->ctx, 2 * size), *seen = queue + net->n_valve + 1, n_seen = 0, first = -1;
    if (!queue) {
        return SL_ERR_MEMORY;
    }
    queue[n_seen++] = 0;
    seen[0] = 1;
    for (int32_t k = 0; k < n_seen; k++) {
        for (int32_t i = net->start[queue[k]]; i < net->start[queue[k] + 1]; i++) {
            int32_t to = net->pipes[net->ends[i] / 2].ends[1 - net->ends[i] % 2].valve;
            if (!seen[to]) {
                seen[to] = 1;
                queue[n_seen++] = to;
            }
        }
    }
    for (int32_t v = net->n_valve - 1; v >= 0; v--) {
        first = seen[v] ? first : v;
    }
    if (first >= 0) {
        note(n, SL_WARNING, SL_CODE_UNCONNECTED, false, first, "join them, or write two files",
             "no tunnel joins it with '%s': of %d valves %d are apart, and move on their own",
             sl_tunnel_valve_id(net, 0), (int)net->n_valve, (int)(net->n_valve - n_seen));
    }
    sl_free(n->load->ctx, queue, 2 * size);
    return SL_OK;
}

static sl_status warn(const tunnel_facts *f, const sl_load *load) {
    notes n = {.f = f, .load = load};
    const sl_source *source = load->source;
    sl_status status = sl_yaml_read(load->ctx, source->bytes, source->n, source->name, NULL, &n.doc);
    if (status != SL_ERR_MEMORY) {
        warn_of_hysteresis(&n);
        warn_of_losses(&n);
        warn_of_rises(&n);
        status = warn_of_parts(&n);
    }
    sl_yaml_destroy(n.doc);
    return status;
}

/* ---- Functions of the row ------------------------------------------------------------------------- */

sl_status sl_tunnel_check(const sl_load *load, sl_kind_facts *facts) {
    sl_tunnel_study *study = NULL;
    sl_model *model = NULL;
    sl_session *session = NULL;
    sl_status status = sl_tunnel_study_load(load, &study);
    if (status != SL_OK) {
        return status;
    }
    const tunnel_facts f = gather(study);
    (void)sl_format(facts->brief, sizeof facts->brief, "tunnels, %g s", study->end);
    put_models(&f, facts->more, sizeof facts->more);
    status = warn(&f, load);
    if (status != SL_OK) {
        sl_tunnel_study_destroy(study);
        return status;
    }
    status = sl_model_of_tunnel_study(load->ctx, study, &model);
    status = status == SL_OK ? sl_session_create(load->ctx, model, load->diags, &session) : status;
    sl_session_destroy(session);
    sl_model_destroy(model);
    return status;
}

sl_status sl_tunnel_info(const sl_load *load, sl_out *out, sl_json *json) {
    sl_tunnel_study *study = NULL;
    sl_status status = sl_tunnel_study_load(load, &study);
    if (status == SL_OK) {
        const tunnel_facts f = gather(study);
        if (out) {
            put_page(&f, load, out);
        } else {
            put_json(&f, json);
        }
    }
    sl_tunnel_study_destroy(study);
    return status;
}
