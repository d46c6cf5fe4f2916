/* SPDX-License-Identifier: MIT */
/* inp_quality.c: [QUALITY] [SOURCES] [REACTIONS] [MIXING]. */
#include "network/inp_read.h"
#include "network/words.h"

#include <stdio.h>

/* As sl_inp_need, but a warning: all EPANET versions pass over short lines of these sections. */
static bool want(sl_reader *r, int32_t n, const char *what, const char *form) {
    char hint[160];
    if (r->n_tok >= n) {
        return true;
    }
    snprintf(hint, sizeof hint, "the form is: %s", form);
    sl_inp_warn(r, r->n_tok, SL_CODE_MISSING_VALUE, hint, "the line ends where %s is expected: it has no effect", what);
    return false;
}

/* node value | first last value */
void sl_inp_quality(sl_reader *r) {
    double c;
    if (!want(r, 2, "the initial quality", "node quality")) {
        return;
    }
    if (r->n_tok == 2) {
        int32_t node = sl_inp_node(r, 0);
        if (sl_inp_read_value_min(r, 1, SL_Q_NONE, "initial quality", 0.0, &c) && node >= 0) {
            r->spec->node.at[node].quality = c;
        }
        return;
    }
    if (!sl_inp_read_value_min(r, 2, SL_Q_NONE, "initial quality", 0.0, &c)) {
        return;
    }
    for (int32_t i = 0; i < r->spec->node.n; i++) {
        if (sl_inp_in_range(r, 0, sl_ids_z(r->spec->node_ids, i))) {
            r->spec->node.at[i].quality = c;
        }
    }
}

/* node (type) strength (pattern) */
void sl_inp_sources(sl_reader *r) {
    sl_quality_source s = {.pattern = -1};
    if (!sl_inp_need(r, 2, "the source's strength", "node type strength pattern")) {
        return;
    }
    s.node = sl_inp_node(r, 0);
    int32_t kind = sl_inp_words(r, 1, sl_source_words, 4);
    double number;
    int32_t i = 1;
    if (kind >= 0) {
        s.kind = (sl_source_kind)kind;
        i = 2;
    } else if (!sl_inp_number(r, 1, &number)) {
        char quoted[SL_QUOTE_MAX], near[64];
        sl_inp_fail(r, 1, SL_CODE_UNKNOWN_KEYWORD,
                    sl_inp_near_word(r->tok.at[1], sl_source_words, 4, near, sizeof near),
                    "%s is neither a source type (CONCEN MASS SETPOINT FLOWPACED) nor a number",
                    sl_quote(r->tok.at[1], quoted));
        return;
    }
    bool ok = sl_inp_read_value(r, i, SL_Q_NONE, "source strength", &s.strength);
    if (r->n_tok > i + 1 && r->tok.at[i + 1].len > 0 && r->tok.at[i + 1].ptr[0] != '*') {
        s.pattern = sl_inp_pattern(r, i + 1, "source pattern");
    }
    if (ok && s.node >= 0 && !SL_PUSH(r->ctx, &r->spec->source, s)) {
        r->oom = true;
    }
}

/* ---- [REACTIONS] -------------------------------------------------------------------------------- */

/* ORDER BULK|TANK|WALL value, read before all else: the unit of wall coefficients depends on it. */
void sl_inp_reaction_orders(sl_reader *r) {
    sl_quality_options *q = &r->spec->quality;
    double x;
    if (!sl_inp_word(r, 0, "ORDER") || r->n_tok < 3 ||
        !sl_inp_read_value(r, r->n_tok - 1, SL_Q_NONE, "reaction order", &x)) {
        return;
    }
    if (sl_inp_word(r, 1, "BULK")) {
        q->bulk_order = x;
    } else if (sl_inp_word(r, 1, "TANK")) {
        q->tank_order = x;
    } else if (!sl_inp_word(r, 1, "WALL")) {
        char quoted[SL_QUOTE_MAX];
        sl_inp_fail(r, 1, SL_CODE_UNKNOWN_KEYWORD, NULL, "%s is not BULK, TANK or WALL",
                    sl_quote(r->tok.at[1], quoted));
    } else if (x == 0.0 || x == 1.0) {
        q->wall_order = (int32_t)x;
    } else {
        sl_inp_fail(r, r->n_tok - 1, SL_CODE_VALUE_RANGE, NULL, "the order of wall reactions must be 0 or 1");
    }
}

static void read_global(sl_reader *r) {
    static const char *const words[] = {"BULK", "WALL"};
    if (sl_inp_word(r, 1, "BULK")) {
        sl_inp_read_value(r, r->n_tok - 1, SL_Q_PER_DAY, "global bulk coefficient", &r->spec->quality.bulk_coef);
    } else if (sl_inp_word(r, 1, "WALL")) {
        sl_inp_read_value(r, r->n_tok - 1, SL_Q_WALL, "global wall coefficient", &r->spec->quality.wall_coef);
    } else {
        char quoted[SL_QUOTE_MAX], near[64];
        sl_inp_fail(r, 1, SL_CODE_UNKNOWN_KEYWORD, sl_inp_near_word(r->tok.at[1], words, 2, near, sizeof near),
                    "%s is not BULK or WALL", sl_quote(r->tok.at[1], quoted));
    }
}

/* BULK|WALL link value | first last value */
static void read_pipes(sl_reader *r, bool bulk) {
    double k;
    if (!sl_inp_read_value(r, r->n_tok - 1, bulk ? SL_Q_PER_DAY : SL_Q_WALL,
                           bulk ? "bulk coefficient" : "wall coefficient", &k)) {
        return;
    }
    bool range = r->n_tok > 3;
    int32_t one = range ? -1 : sl_inp_find_link(r, 1);
    if (!range && (one < 0 || r->spec->link.at[one].kind != SL_PIPE)) {
        char quoted[SL_QUOTE_MAX];
        sl_inp_warn(r, 1, one < 0 ? SL_CODE_UNKNOWN_LINK : SL_CODE_IGNORED, NULL,
                    "%s is not a pipe: the line has no effect", sl_quote(r->tok.at[1], quoted));
        return;
    }
    for (int32_t i = range ? 0 : one; i < (range ? r->spec->link.n : one + 1); i++) {
        if (r->spec->link.at[i].kind == SL_PIPE && (!range || sl_inp_in_range(r, 1, sl_ids_z(r->spec->link_ids, i)))) {
            sl_pipe_extra *extra = sl_build_pipe_extra(r->spec, i);
            if (!extra) {
                r->oom = true;
                return;
            }
            *(bulk ? &extra->bulk : &extra->wall) = k;
        }
    }
}

static void read_tanks(sl_reader *r) {
    double k;
    if (!sl_inp_read_value(r, r->n_tok - 1, SL_Q_PER_DAY, "tank coefficient", &k)) {
        return;
    }
    bool range = r->n_tok > 3;
    int32_t one = range ? -1 : sl_inp_find_node(r, 1);
    if (!range && (one < 0 || r->spec->node.at[one].kind != SL_TANK)) {
        char quoted[SL_QUOTE_MAX];
        sl_inp_warn(r, 1, one < 0 ? SL_CODE_UNKNOWN_NODE : SL_CODE_IGNORED, NULL,
                    "%s is not a tank: the line has no effect", sl_quote(r->tok.at[1], quoted));
        return;
    }
    for (int32_t i = range ? 0 : one; i < (range ? r->spec->node.n : one + 1); i++) {
        if (r->spec->node.at[i].kind == SL_TANK && (!range || sl_inp_in_range(r, 1, sl_ids_z(r->spec->node_ids, i)))) {
            sl_build_tank(r->spec, i)->bulk = k;
        }
    }
}

void sl_inp_reactions(sl_reader *r) {
    static const char *const words[] = {"ORDER", "GLOBAL", "LIMITING", "ROUGHNESS", "BULK", "WALL", "TANK"};
    sl_quality_options *q = &r->spec->quality;
    if (sl_inp_word(r, 0, "ORDER") && r->n_tok >= 3) {
        return; /* sl_inp_reaction_orders */
    }
    if (!want(r, 3, "a value",
              "ORDER BULK n, GLOBAL BULK k, BULK pipe k, WALL pipe k, TANK tank k, LIMITING POTENTIAL c")) {
        return;
    }
    if (sl_inp_word(r, 0, "ROUG")) {
        sl_inp_read_value(r, r->n_tok - 1, SL_Q_WALL, "roughness correlation", &q->roughness_factor);
    } else if (sl_inp_word(r, 0, "LIMIT")) {
        sl_inp_read_value_min(r, r->n_tok - 1, SL_Q_NONE, "limiting potential", 0.0, &q->limit_potential);
    } else if (sl_inp_word(r, 0, "GLOB")) {
        read_global(r);
    } else if (sl_inp_word(r, 0, "BULK") || sl_inp_word(r, 0, "WALL")) {
        read_pipes(r, sl_inp_word(r, 0, "BULK"));
    } else if (sl_inp_word(r, 0, "TANK")) {
        read_tanks(r);
    } else {
        char quoted[SL_QUOTE_MAX], near[64];
        sl_inp_fail(r, 0, SL_CODE_UNKNOWN_KEYWORD, sl_inp_near_word(r->tok.at[0], words, 7, near, sizeof near),
                    "%s is not a reaction keyword", sl_quote(r->tok.at[0], quoted));
    }
}

void sl_inp_mixing(sl_reader *r) {
    if (!want(r, 2, "the mixing model", "tank MIXED|2COMP|FIFO|LIFO fraction")) {
        return;
    }
    int32_t node = sl_inp_node(r, 0);
    int32_t model = sl_inp_words(r, 1, sl_mixing_words, 4);
    double fraction = 1.0;
    if (model < 0) {
        char quoted[SL_QUOTE_MAX], near[64];
        sl_inp_fail(r, 1, SL_CODE_UNKNOWN_KEYWORD,
                    sl_inp_near_word(r->tok.at[1], sl_mixing_words, 4, near, sizeof near),
                    "%s is not a mixing model (MIXED 2COMP FIFO LIFO)", sl_quote(r->tok.at[1], quoted));
        return;
    }
    if (model == SL_MIX_TWO_COMPARTMENT && r->n_tok > 2 &&
        !sl_inp_read_value_min(r, 2, SL_Q_NONE, "compartment fraction", 0.0, &fraction)) {
        return;
    }
    if (fraction > 1.0) {
        sl_inp_fail(r, 2, SL_CODE_VALUE_RANGE, "give the first compartment's share of the volume",
                    "the compartment fraction must not be above 1");
        return;
    }
    if (node < 0) {
        return;
    }
    if (r->spec->node.at[node].kind != SL_TANK) {
        sl_inp_warn(r, 0, SL_CODE_IGNORED, NULL, "this is a %s, not a tank: the line has no effect",
                    sl_node_kind_words[r->spec->node.at[node].kind]);
        return;
    }
    sl_tank_rec *t = sl_build_tank(r->spec, node);
    t->mixing = (uint8_t)model;
    t->mix_fraction = fraction == 0.0 ? 1.0 : fraction;
}
