/* SPDX-License-Identifier: MIT */
/* inp_links.c: [PIPES] [PUMPS] [VALVES] [STATUS] [LEAKAGE] [ROUGHNESS]. */
#include "network/inp_read.h"
#include "network/words.h"

#include <math.h>
#include <string.h>

/* The link of this line, its ends looked up; -1 after a report. */
static int32_t new_link(sl_reader *r, sl_link_kind kind) {
    char quoted[SL_QUOTE_MAX];
    sl_inp_check_id(r);
    int32_t from = sl_inp_node(r, 1), to = sl_inp_node(r, 2);
    if (from < 0 || to < 0) {
        if (from >= 0) {
            r->spec->node.at[from].touched = 1;
        }
        if (to >= 0) {
            r->spec->node.at[to].touched = 1;
        }
        r->spec->n_dropped++;
        return -1;
    }
    int32_t link = sl_build_link(r->spec, r->tok.at[0], sl_inp_last(r, 0), kind, from, to, r->line_no);
    if (link == SL_BUILD_MEMORY) {
        r->oom = true;
        return -1;
    }
    if (link < 0) {
        sl_inp_fail(r, 0, SL_CODE_DUPLICATE_ID, "ids of pipes, pumps and valves must differ",
                    "link %s is defined twice (first on line %u)", sl_quote(r->tok.at[0], quoted),
                    (unsigned)r->spec->link.at[-1 - link].line);
        return -1;
    }
    sl_inp_note(r, &r->spec->link_note, link, r->comment);
    return link;
}

/* Status word of a pipe at token i; false: not one. */
static bool pipe_status(sl_reader *r, int32_t i, int32_t link) {
    if (sl_inp_word(r, i, "OPEN")) {
        return true;
    }
    if (sl_inp_word(r, i, "CV")) {
        sl_build_pipe(r->spec, link)->check = 1;
        return true;
    }
    if (sl_inp_word(r, i, "CLOSED")) {
        r->spec->link.at[link].status = SL_CLOSED;
        return true;
    }
    return false;
}

static void bad_status(sl_reader *r, int32_t i, const char *allowed) {
    static const char *const words[] = {"OPEN", "CLOSED", "CV"};
    char quoted[SL_QUOTE_MAX], near[64];
    const char *hint = sl_inp_near_word(r->tok.at[i], words, 3, near, sizeof near);
    sl_inp_fail(r, i, SL_CODE_UNKNOWN_KEYWORD, hint, "status %s is not one of %s", sl_quote(r->tok.at[i], quoted),
                allowed);
}

/* A bore that no pipe has, above 0: it counts as one through which nothing flows and with which numbers stay finite [m]. */
#define LEAST_BORE 1e-6

static void read_bore(sl_reader *r, int32_t i, double *diameter) {
    sl_inp_read_value(r, i, SL_Q_DIAMETER, "diameter", diameter);
    if (*diameter > 0.0 && *diameter < LEAST_BORE) {
        char quoted[SL_QUOTE_MAX];
        sl_inp_warn(r, i, SL_CODE_ADJUSTED, "give its diameter, or close it",
                    "link %s has almost no bore: it counts as 0.001 mm wide, through which next to nothing flows",
                    sl_quote(r->tok.at[0], quoted));
        *diameter = LEAST_BORE;
    }
}

/* id node1 node2 length diameter roughness (minor loss) (status), or status in the place of the minor loss */
void sl_inp_pipes(sl_reader *r) {
    static const char *const form = "id node1 node2 length diameter roughness minor-loss status";
    if (!sl_inp_need(r, 3, "the pipe's second node", form)) {
        r->spec->n_dropped++;
        return;
    }
    int32_t link = new_link(r, SL_PIPE);
    if (link < 0) {
        return;
    }
    sl_pipe_rec *p = sl_build_pipe(r->spec, link);
    static const double default_roughness[3] = {130.0, 0.0005, 0.01};
    bool metric = sl_flow_unit_is_metric(r->spec->hydraulics.flow_unit);
    p->length = (metric ? 100.0 : 330.0) * r->factor[SL_Q_LENGTH];
    p->diameter = (metric ? 254.0 : 10.0) * r->factor[SL_Q_DIAMETER];
    p->roughness = default_roughness[r->spec->hydraulics.headloss] * r->factor[SL_Q_ROUGHNESS];
    if (r->n_tok < 6) {
        sl_inp_edit_end(r, SL_EDIT_PIPE, r->n_tok);
        sl_inp_warn(
            r, r->n_tok, SL_CODE_MISSING_VALUE,
            "give all values: EPANET 2.2 refuses the line and 2.3 takes other defaults if [OPTIONS] follows [PIPES]",
            "the pipe has no %s: a default is taken",
            r->n_tok < 4   ? "length, diameter and roughness"
            : r->n_tok < 5 ? "diameter and roughness"
                           : "roughness");
    }
    if (r->n_tok > 3) {
        sl_inp_read_value(r, 3, SL_Q_LENGTH, "length", &p->length);
    }
    if (r->n_tok > 4) {
        read_bore(r, 4, &p->diameter);
    }
    if (r->n_tok > 5) {
        sl_inp_read_value(r, 5, SL_Q_ROUGHNESS, "roughness", &p->roughness);
    }
    if (r->n_tok == 7 && !pipe_status(r, 6, link)) {
        double minor;
        if (sl_inp_number(r, 6, &minor)) {
            p->minor = minor;
        } else {
            bad_status(r, 6, "OPEN, CLOSED, CV, nor is it a minor loss coefficient");
        }
    } else if (r->n_tok > 7) {
        sl_inp_read_value(r, 6, SL_Q_NONE, "minor loss coefficient", &p->minor);
        if (!pipe_status(r, 7, link)) {
            bad_status(r, 7, "OPEN, CLOSED, CV");
        }
    }
}

/* ---- Pumps -------------------------------------------------------------------------------------- */

/* A curve for the numbers of an old pump line: named as the pump, or with a number behind if that is taken. */
static int32_t old_pump_curve(sl_reader *r, const double *q, const double *h, int32_t n) {
    char buf[600];
    sl_str id = r->tok.at[0];
    if (id.len > 500) {
        id.len = 500;
    }
    memcpy(buf, id.ptr, id.len);
    size_t len = id.len;
    for (int k = 1; sl_ids_find(r->spec->curve_ids, (sl_str){buf, len}) >= 0 && k < 100; k++) {
        buf[id.len] = '_';
        buf[id.len + 1] = (char)('0' + k / 10);
        buf[id.len + 2] = (char)('0' + k % 10);
        len = id.len + 3;
    }
    int32_t curve = sl_build_curve(r->spec, (sl_str){buf, len}, r->line_no);
    for (int32_t i = 0; i < n && curve >= 0; i++) {
        sl_point_rec p = {.owner = curve, .line = r->line_no, .x = q[i], .y = h[i]};
        if (!SL_PUSH(r->ctx, &r->spec->point, p)) {
            curve = SL_BUILD_MEMORY;
        }
    }
    if (curve < 0) {
        r->oom = true;
        return -1;
    }
    r->spec->curve_kind.at[curve] = SL_CURVE_PUMP;
    return curve;
}

/* Numbers instead of keywords, as in EPANET 1 and 2.0: power; or head and flow of the design point; or shutoff head and
 * head, flow of two points. Curve points are kept as given: they become SI with the other curves. */
static void old_pump(sl_reader *r, sl_pump_rec *p) {
    double x[5];
    int32_t n = r->n_tok - 3;
    if (n > 5) {
        n = 5;
    }
    for (int32_t i = 0; i < n; i++) {
        bool flow = n == 2 ? i == 1 : i == 2 || i == 4;
        if (!sl_inp_read_value(r, 3 + i, SL_Q_NONE, flow ? "flow" : n == 1 ? "power" : "head", &x[i])) {
            return;
        }
        sl_inp_edit(r, 3 + i, n == 1 ? SL_Q_POWER : flow ? SL_Q_FLOW : SL_Q_LENGTH, -1, x[i]);
    }
    sl_inp_warn(r, 3, SL_CODE_LEGACY,
                "write POWER value, or HEAD curve with the points under [CURVES]; EPANET 2.3 refuses this form",
                "a pump given by numbers is read as EPANET 2.0 and 2.2 did");
    if (n == 1) {
        p->power = x[0] * r->factor[SL_Q_POWER];
    } else if (n == 2) {
        p->curve = old_pump_curve(r, &x[1], &x[0], 1);
    } else if (n == 5) {
        double q[3] = {0.0, x[2], x[4]}, h[3] = {x[0], x[1], x[3]};
        p->curve = old_pump_curve(r, q, h, 3);
    } else {
        sl_inp_fail(r, 3, SL_CODE_SYNTAX, "give 1 (power), 2 (head flow) or 5 (h0 h1 q1 h2 q2) numbers",
                    "%d numbers do not describe a pump", n);
    }
}

void sl_inp_pumps(sl_reader *r) {
    static const char *const words[] = {"HEAD", "POWER", "SPEED", "PATTERN"};
    static const char *const form = "id node1 node2 HEAD curve | POWER value, SPEED value, PATTERN id";
    if (!sl_inp_need(r, 3, "the pump's second node", form)) {
        r->spec->n_dropped++;
        return;
    }
    int32_t link = new_link(r, SL_PUMP);
    if (link < 0) {
        return;
    }
    sl_pump_rec *p = sl_build_pump(r->spec, link);
    double number;
    if (r->n_tok > 3 && sl_inp_number(r, 3, &number)) {
        old_pump(r, p);
        return;
    }
    for (int32_t i = 3; i < r->n_tok; i += 2) {
        char quoted[SL_QUOTE_MAX], near[64];
        if (i + 1 == r->n_tok) { /* no EPANET looks at a last word without a value */
            sl_inp_warn(r, i, SL_CODE_IGNORED, "give a keyword and its value", "%s has no value: it has no effect",
                        sl_quote(r->tok.at[i], quoted));
            return;
        }
        if (!sl_inp_word(r, i, "HEAD") && !sl_inp_word(r, i, "POWER") && !sl_inp_word(r, i, "SPEE") &&
            !sl_inp_word(r, i, "PATT")) {
            const char *hint = sl_inp_near_word(r->tok.at[i], words, 4, near, sizeof near);
            sl_inp_fail(r, i, SL_CODE_UNKNOWN_KEYWORD, hint, "%s is not one of HEAD, POWER, SPEED, PATTERN",
                        sl_quote(r->tok.at[i], quoted));
            return;
        }
        if (sl_inp_word(r, i, "HEAD")) {
            p->curve = sl_inp_curve(r, i + 1, "head curve");
        } else if (sl_inp_word(r, i, "POWER")) {
            sl_inp_read_value(r, i + 1, SL_Q_POWER, "power", &p->power);
        } else if (sl_inp_word(r, i, "SPEE")) {
            sl_inp_read_value_min(r, i + 1, SL_Q_NONE, "speed", 0.0, &p->speed);
        } else {
            p->pattern = sl_inp_pattern(r, i + 1, "speed pattern");
        }
    }
}

/* ---- Valves ------------------------------------------------------------------------------------- */

/* id node1 node2 diameter type setting minor-loss (curve of a PCV) */
void sl_inp_valves(sl_reader *r) {
    static const char *const form = "id node1 node2 diameter type setting minor-loss";
    if (!sl_inp_need(r, 5, r->n_tok < 3 ? "a node" : r->n_tok < 4 ? "the diameter" : "the valve's type", form)) {
        r->spec->n_dropped++;
        return;
    }
    int32_t link = new_link(r, SL_VALVE);
    int32_t kind = sl_inp_words(r, 4, sl_valve_words, SL_VALVE_KIND_COUNT);
    if (kind < 0) {
        char quoted[SL_QUOTE_MAX], near[64];
        const char *hint = sl_inp_near_word(r->tok.at[4], sl_valve_words, SL_VALVE_KIND_COUNT, near, sizeof near);
        sl_inp_fail(r, 4, SL_CODE_UNKNOWN_KEYWORD, hint,
                    "valve type %s is not one of PRV, PSV, PBV, FCV, TCV, GPV, PCV", sl_quote(r->tok.at[4], quoted));
    }
    if (link < 0) {
        return;
    }
    sl_valve_rec *v = sl_build_valve(r->spec, link);
    v->kind = (uint8_t)(kind < 0 ? SL_TCV : kind); /* for tolerant reading: a valve that does nothing */
    if (kind < 0) {
        return;
    }
    read_bore(r, 3, &v->diameter);
    if (kind == SL_GPV) {
        r->spec->link.at[link].status = SL_OPEN;
        if (r->n_tok > 5) {
            v->curve = sl_inp_curve(r, 5, "head loss curve");
        }
    } else if (r->n_tok > 5) {
        sl_inp_read_value(r, 5, sl_valve_setting_quantity((sl_valve_kind)kind), "setting", &v->setting);
    } else {
        sl_inp_warn(r, 5, SL_CODE_MISSING_VALUE, NULL, "the valve has no setting: 0 is taken");
    }
    if (r->n_tok > 6) {
        sl_inp_read_value(r, 6, SL_Q_NONE, "minor loss coefficient", &v->minor);
    }
    if (kind == SL_PCV && r->n_tok > 7) {
        v->curve = sl_inp_curve(r, 7, "valve curve");
        v->setting = fmin(v->setting, 100.0);
    }
}

/* ---- Status, leakage, roughness ----------------------------------------------------------------- */

/* word: the status, or ACTIVE when a number was given, which is then token i. */
static void set_status(sl_reader *r, int32_t link, int32_t i, sl_link_status word, double number) {
    sl_link_rec *rec = &r->spec->link.at[link];
    bool numeric = word == SL_ACTIVE;
    if (rec->kind == SL_PUMP) {
        sl_pump_rec *p = sl_build_pump(r->spec, link);
        p->speed = numeric ? number : word == SL_OPEN ? 1.0 : 0.0;
        sl_inp_edit(r, i, SL_Q_NONE, -1, number); /* a range may set valves by the same number */
        rec->status = p->speed == 0.0 ? SL_CLOSED : SL_OPEN;
    } else if (rec->kind == SL_VALVE && numeric) {
        sl_valve_rec *v = sl_build_valve(r->spec, link);
        sl_quantity q = sl_valve_setting_quantity((sl_valve_kind)v->kind);
        sl_inp_edit(r, i, q, -1, number);
        v->setting = number * r->factor[q];
        rec->status = SL_ACTIVE;
    } else if (!numeric) {
        rec->status = (uint8_t)word;
    }
}

/* link value | first last value; value is OPEN, CLOSED or a number */
void sl_inp_status(sl_reader *r) {
    if (!sl_inp_need(r, 2, "OPEN, CLOSED or a number", "link status")) {
        return;
    }
    int32_t last = r->n_tok - 1;
    sl_link_status word = SL_ACTIVE;
    double number = 0.0;
    if (sl_inp_word(r, last, "OPEN")) {
        word = SL_OPEN;
    } else if (sl_inp_word(r, last, "CLOSED")) {
        word = SL_CLOSED;
    } else if (!sl_inp_number(r, last, &number)) {
        bad_status(r, last, "OPEN, CLOSED, nor is it a number");
        return;
    } else if (number < 0.0) {
        sl_inp_fail(r, last, SL_CODE_VALUE_RANGE, NULL, "a setting here must not be negative");
        return;
    }
    if (r->n_tok > 2) {
        for (int32_t i = 0; i < r->spec->link.n; i++) {
            const sl_link_rec *rec = &r->spec->link.at[i];
            bool check = rec->kind == SL_PIPE && sl_build_pipe(r->spec, i)->check;
            bool gpv = rec->kind == SL_VALVE && sl_build_valve(r->spec, i)->kind == SL_GPV && word == SL_ACTIVE;
            if (!check && !gpv && sl_inp_in_range(r, 0, sl_ids_z(r->spec->link_ids, i))) {
                set_status(r, i, last, word, number);
            }
        }
        return;
    }
    int32_t link = sl_inp_link(r, 0);
    if (link < 0) {
        return;
    }
    const sl_link_rec *rec = &r->spec->link.at[link];
    if (rec->kind == SL_PIPE && sl_build_pipe(r->spec, link)->check) {
        sl_inp_fail(r, 0, SL_CODE_WRONG_KIND, "a check valve opens and closes by itself",
                    "the status of a pipe with a check valve cannot be set");
    } else if (rec->kind == SL_VALVE && word == SL_ACTIVE && sl_build_valve(r->spec, link)->kind == SL_GPV) {
        sl_inp_fail(r, 1, SL_CODE_WRONG_KIND, "a GPV can only be OPEN or CLOSED",
                    "a general purpose valve has no setting");
    } else {
        if (rec->kind == SL_PIPE && word == SL_ACTIVE) {
            sl_inp_warn(r, 1, SL_CODE_IGNORED, "write OPEN or CLOSED", "a number has no effect on a pipe's status");
        }
        set_status(r, link, last, word, number);
    }
}

void sl_inp_leakage(sl_reader *r) {
    double area, expansion;
    if (!sl_inp_need(r, 3, "the leak area or its expansion", "pipe area expansion")) {
        return;
    }
    int32_t link = sl_inp_link(r, 0);
    if (link >= 0 && r->spec->link.at[link].kind != SL_PIPE) {
        sl_inp_warn(r, 0, SL_CODE_IGNORED, NULL, "only pipes leak: the line has no effect");
        return;
    }
    bool ok = sl_inp_read_value_min(r, 1, SL_Q_LEAK_AREA, "leak area", 0.0, &area);
    if (!sl_inp_read_value_min(r, 2, SL_Q_LEAK_EXPANSION, "leak expansion", 0.0, &expansion) || !ok || link < 0) {
        return;
    }
    sl_pipe_extra *extra = sl_build_pipe_extra(r->spec, link);
    if (!extra) {
        r->oom = true;
        return;
    }
    extra->leak_area = area;
    extra->leak_expansion = expansion;
}

/* EPANET knows the heading and reads nothing of it. */
void sl_inp_roughness(sl_reader *r) {
    sl_inp_warn(r, 0, SL_CODE_IGNORED, "give roughness under [PIPES]", "[ROUGHNESS] has no effect in any EPANET 2");
}
