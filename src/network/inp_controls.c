/* SPDX-License-Identifier: MIT */
/* inp_controls.c: [CONTROLS]: LINK id setting IF NODE id ABOVE|BELOW level, AT TIME t, AT CLOCKTIME t, and DISABLED. */
#include "network/inp_read.h"

#include <math.h>

/* What a control or action does to its link. Number: negative is wrong for pumps and pipes. */
static bool read_setting(sl_reader *r, int32_t i, int32_t link, sl_link_status *status, double *setting) {
    const sl_link_rec *rec = &r->spec->link.at[link];
    double x;
    *setting = NAN;
    if (rec->kind == SL_PIPE && sl_build_pipe(r->spec, link)->check) {
        sl_inp_fail(r, 1, SL_CODE_CONTROL, "a check valve opens and closes by itself",
                    "a pipe with a check valve cannot be controlled");
        return false;
    }
    if (sl_inp_word(r, i, "OPEN") || sl_inp_word(r, i, "CLOSED")) {
        *status = sl_inp_word(r, i, "OPEN") ? SL_OPEN : SL_CLOSED;
        if (rec->kind == SL_PUMP) {
            *setting = *status == SL_OPEN ? 1.0 : 0.0;
        }
        return true;
    }
    if (!sl_inp_number(r, i, &x)) {
        static const char *const words[] = {"OPEN", "CLOSED"};
        char quoted[SL_QUOTE_MAX], near[64];
        sl_inp_fail(r, i, SL_CODE_UNKNOWN_KEYWORD, sl_inp_near_word(r->tok.at[i], words, 2, near, sizeof near),
                    "%s is neither OPEN, CLOSED nor a number", sl_quote(r->tok.at[i], quoted));
        return false;
    }
    if (rec->kind == SL_VALVE) {
        sl_valve_kind kind = (sl_valve_kind)sl_build_valve(r->spec, link)->kind;
        if (kind == SL_GPV) {
            sl_inp_fail(r, i, SL_CODE_CONTROL, "write OPEN or CLOSED", "a general purpose valve has no setting");
            return false;
        }
        *status = SL_ACTIVE;
        return sl_inp_read_value(r, i, sl_valve_setting_quantity(kind), "setting", setting);
    }
    if (x < 0.0) {
        sl_inp_fail(r, i, SL_CODE_VALUE_RANGE, NULL, "the setting of a pump or pipe must not be negative");
        return false;
    }
    *status = x == 0.0 ? SL_CLOSED : SL_OPEN;
    if (rec->kind == SL_PUMP) {
        *setting = x;
    }
    return true;
}

static bool read_level(sl_reader *r, sl_control *c) {
    if (!sl_inp_need(r, 8,
                     r->n_tok < 6   ? "a node"
                     : r->n_tok < 7 ? "ABOVE or BELOW"
                                    : "a level",
                     "LINK id setting IF NODE id ABOVE|BELOW level")) {
        return false;
    }
    c->node = sl_inp_node(r, 5);
    if (sl_inp_word(r, 6, "ABOVE") || sl_inp_word(r, 6, "BELOW")) {
        c->kind = sl_inp_word(r, 6, "ABOVE") ? SL_CONTROL_ABOVE : SL_CONTROL_BELOW;
    } else {
        static const char *const words[] = {"ABOVE", "BELOW"};
        char quoted[SL_QUOTE_MAX], near[64];
        sl_inp_fail(r, 6, SL_CODE_UNKNOWN_KEYWORD, sl_inp_near_word(r->tok.at[6], words, 2, near, sizeof near),
                    "%s is neither ABOVE nor BELOW", sl_quote(r->tok.at[6], quoted));
        return false;
    }
    /* A junction is watched by its pressure, a tank by its level. */
    bool junction = c->node >= 0 && r->spec->node.at[c->node].kind == SL_JUNCTION;
    return sl_inp_read_value(r, 7, junction ? SL_Q_PRESSURE : SL_Q_LENGTH, junction ? "pressure" : "level",
                             &c->threshold) &&
           c->node >= 0;
}

void sl_inp_controls(sl_reader *r) {
    sl_control c = {.node = -1, .enabled = true, .line = r->line_no};
    if (r->n_tok > 6 && sl_inp_word(r, r->n_tok - 1, "DISABLED")) {
        c.enabled = false;
        r->n_tok--;
    }
    if (!sl_inp_need(r, 6, "the condition",
                     "LINK id setting IF NODE id ABOVE|BELOW level, or AT TIME t, or AT CLOCKTIME t")) {
        return;
    }
    c.link = sl_inp_link(r, 1);
    bool ok = c.link >= 0 && read_setting(r, 2, c.link, &c.status, &c.setting);
    if (sl_inp_word(r, 4, "TIME") || sl_inp_word(r, 4, "CLOCKTIME")) {
        c.kind = sl_inp_word(r, 4, "TIME") ? SL_CONTROL_TIME : SL_CONTROL_CLOCK;
        ok = sl_inp_time(r, 5, "time", &c.threshold) && ok;
        if (c.kind == SL_CONTROL_CLOCK && ok) {
            c.threshold = fmod(c.threshold, 86400.0);
        }
    } else {
        ok = read_level(r, &c) && ok;
    }
    if (ok && !SL_PUSH(r->ctx, &r->spec->control, c)) {
        r->oom = true;
    }
}
