/* SPDX-License-Identifier: MIT */
/* inp_nodes.c: [JUNCTIONS] [RESERVOIRS] [TANKS] [DEMANDS] [EMITTERS], and the [PATTERNS] and [CURVES] they use. */
#include "network/inp_read.h"

enum { EPANET_ID_MAX = 31 }; /* bytes */

void sl_inp_check_id(sl_reader *r) {
    if (r->tok.at[0].len > EPANET_ID_MAX) {
        sl_inp_warn(r, 0, SL_CODE_LONG_ID, "shorten it if EPANET is to read this file too",
                    "the id is %zu bytes long; EPANET takes %d at most", r->tok.at[0].len, EPANET_ID_MAX);
    }
}

static int32_t new_node(sl_reader *r, sl_node_kind kind) {
    sl_inp_check_id(r);
    int32_t node = sl_build_node(r->spec, r->tok.at[0], sl_inp_last(r, 0), kind, r->line_no);
    if (node == SL_BUILD_MEMORY) {
        r->oom = true;
        return -1;
    }
    if (node < 0) {
        char quoted[SL_QUOTE_MAX];
        sl_inp_fail(r, 0, SL_CODE_DUPLICATE_ID, "ids of junctions, reservoirs and tanks must differ",
                    "node %s is defined twice (first on line %u)", sl_quote(r->tok.at[0], quoted),
                    (unsigned)r->spec->node.at[-1 - node].line);
        return -1;
    }
    sl_inp_note(r, &r->spec->node_note, node, r->comment);
    return node;
}

void sl_inp_junctions(sl_reader *r) {
    int32_t node = new_node(r, SL_JUNCTION);
    if (node < 0) {
        return;
    }
    sl_node_rec *rec = &r->spec->node.at[node];
    sl_junction_rec *j = sl_build_junction(r->spec, node);
    if (r->n_tok < 2) {
        sl_inp_warn(r, 1, SL_CODE_MISSING_VALUE, "the form is: id elevation demand pattern",
                    "no elevation is given: 0 is taken");
        return;
    }
    sl_inp_read_value(r, 1, SL_Q_LENGTH, "elevation", &rec->elevation);
    if (r->n_tok > 2) {
        sl_inp_read_value(r, 2, SL_Q_FLOW, "demand", &j->demand);
    }
    if (r->n_tok > 3 && r->tok.at[3].len > 0) {
        j->pattern = sl_inp_pattern(r, 3, "demand pattern");
    }
}

static void read_reservoir(sl_reader *r) {
    int32_t node = new_node(r, SL_RESERVOIR);
    if (node < 0) {
        return;
    }
    sl_inp_read_value(r, 1, SL_Q_LENGTH, "head", &r->spec->node.at[node].elevation);
    if (r->n_tok > 2 && r->tok.at[2].len > 0) {
        r->spec->reservoir.at[r->spec->node.at[node].index] = sl_inp_pattern(r, 2, "head pattern");
    }
}

/* id elevation initial minimum maximum diameter (minimum volume) (volume curve | *) (overflow) */
static void read_tank(sl_reader *r) {
    int32_t node = new_node(r, SL_TANK);
    if (node < 0) {
        return;
    }
    sl_tank_rec *t = sl_build_tank(r->spec, node);
    sl_inp_read_value(r, 1, SL_Q_LENGTH, "elevation", &r->spec->node.at[node].elevation);
    sl_inp_read_value_min(r, 2, SL_Q_LENGTH, "initial level", 0.0, &t->level_init);
    sl_inp_read_value_min(r, 3, SL_Q_LENGTH, "minimum level", 0.0, &t->level_min);
    sl_inp_read_value_min(r, 4, SL_Q_LENGTH, "maximum level", 0.0, &t->level_max);
    sl_inp_read_value_min(r, 5, SL_Q_LENGTH, "diameter", 0.0, &t->diameter);
    if (r->n_tok > 6) {
        sl_inp_read_value_min(r, 6, SL_Q_VOLUME, "minimum volume", 0.0, &t->volume_min);
    }
    if (r->n_tok > 7 && r->tok.at[7].len > 0 && r->tok.at[7].ptr[0] != '*') {
        t->curve = sl_inp_curve(r, 7, "volume curve");
    }
    if (r->n_tok > 8) {
        char quoted[SL_QUOTE_MAX];
        if (sl_inp_word(r, 8, "YES")) {
            t->overflow = 1;
        } else if (!sl_inp_word(r, 8, "NO")) {
            sl_inp_fail(r, 8, SL_CODE_UNKNOWN_KEYWORD, "write YES or NO", "overflow %s is neither YES nor NO",
                        sl_quote(r->tok.at[8], quoted));
        }
    }
}

/* Both sections take both kinds, as in EPANET: the number of values decides, and a diameter of zero makes a reservoir. */
void sl_inp_tanks(sl_reader *r) {
    double diameter;
    if (r->n_tok == 4 || r->n_tok == 5) {
        sl_inp_need(r, 6, "a tank's maximum level or diameter",
                    "id elevation initial-level minimum-level maximum-level diameter");
        new_node(r, SL_TANK); /* known all the same: what refers to it is no further mistake */
    } else if (r->n_tok <= 3) {
        if (sl_inp_need(r, 2, "the head", "id head pattern")) {
            read_reservoir(r);
        } else {
            new_node(r, SL_RESERVOIR);
        }
    } else if (sl_inp_number(r, 5, &diameter) && diameter == 0.0) {
        sl_inp_warn(r, 5, SL_CODE_LEGACY, "move it to [RESERVOIRS], or give the diameter",
                    "a tank of diameter 0 is read as a reservoir");
        r->n_tok = 2;
        read_reservoir(r);
    } else {
        read_tank(r);
    }
}

/* 2.0 files may scale all demands here. */
static void read_multiply(sl_reader *r) {
    double factor;
    if (sl_inp_read_value(r, 1, SL_Q_NONE, "demand multiplier", &factor)) {
        if (factor <= 0.0) {
            sl_inp_fail(r, 1, SL_CODE_VALUE_RANGE, NULL, "the demand multiplier must be above 0");
            return;
        }
        sl_inp_warn(r, 0, SL_CODE_LEGACY, "write Demand Multiplier under [OPTIONS]",
                    "MULTIPLY is a form of EPANET 2.0 and 2.2");
        r->spec->hydraulics.demand_multiplier = factor;
    }
}

void sl_inp_demands(sl_reader *r) {
    double base;
    int32_t pattern = -1;
    if (!sl_inp_need(r, 2, "the demand", "junction demand pattern ;category")) {
        return;
    }
    if (sl_inp_word(r, 0, "MULTIPLY") && sl_ids_find(r->spec->node_ids, r->tok.at[0]) < 0) {
        read_multiply(r);
        return;
    }
    int32_t node = sl_inp_node(r, 0);
    if (node >= 0 && r->spec->node.at[node].kind != SL_JUNCTION) { /* the rest of the line is not looked at */
        sl_inp_warn(r, 0, SL_CODE_IGNORED, NULL, "only junctions have demands: the line has no effect");
        return;
    }
    bool ok = sl_inp_read_value(r, 1, SL_Q_FLOW, "demand", &base);
    if (r->n_tok > 2 && r->tok.at[2].len > 0) {
        pattern = sl_inp_pattern(r, 2, "demand pattern");
    }
    if (node < 0 || !ok) {
        return;
    }
    const char *category = r->comment.len ? sl_inp_copy(r, r->comment) : NULL;
    if (!sl_build_demand(r->spec, node, base, pattern, category)) {
        r->oom = true;
    }
}

void sl_inp_emitters(sl_reader *r) {
    double coef;
    if (!sl_inp_need(r, 2, "the emitter's coefficient", "junction coefficient")) {
        return;
    }
    int32_t node = sl_inp_node(r, 0);
    if (node >= 0 && r->spec->node.at[node].kind != SL_JUNCTION) {
        sl_inp_warn(r, 0, SL_CODE_IGNORED, NULL, "only junctions have emitters: the line has no effect");
        return;
    }
    if (!sl_inp_read_value_min(r, 1, SL_Q_EMITTER, "emitter coefficient", 0.0, &coef) || node < 0) {
        return;
    }
    sl_build_junction(r->spec, node)->emitter = coef;
}

/* The comment line above an object describes it, unless it names the columns. */
static sl_str description(const sl_reader *r) {
    sl_str s = r->above;
    bool columns = s.len >= 2 && sl_word(s, "ID") && (s.len == 2 || s.ptr[2] == ' ' || s.ptr[2] == '\t');
    bool rule = s.len && (s.ptr[0] == '-' || s.ptr[0] == '=' || s.ptr[0] == '*');
    if (columns || rule) {
        s.len = 0;
    }
    return s;
}

void sl_inp_patterns(sl_reader *r) {
    bool fresh = sl_ids_find(r->spec->pattern_ids, r->tok.at[0]) < 0;
    int32_t pattern = sl_build_pattern(r->spec, r->tok.at[0], r->line_no);
    if (pattern < 0) {
        r->oom = true;
        return;
    }
    if (fresh) {
        sl_inp_check_id(r);
        sl_inp_note(r, &r->spec->pattern_note, pattern, description(r));
    }
    sl_inp_need(r, 2, "a multiplier", "id multiplier multiplier ...");
    for (int32_t i = 1; i < r->n_tok && !r->oom; i++) {
        double factor = 1.0;
        sl_inp_read_value(r, i, SL_Q_NONE, "multiplier", &factor);
        sl_factor_rec rec = {pattern, factor};
        r->oom = !SL_PUSH(r->ctx, &r->spec->factor, rec);
    }
    if (r->n_tok > 40) {
        sl_inp_warn(r, 40, SL_CODE_LONG_LINE, "continue the pattern on further lines with the same id",
                    "%d multipliers on one line: EPANET up to 2.3.5 reads the first 39 only", r->n_tok - 1);
    }
}

void sl_inp_curves(sl_reader *r) {
    static const char *const stem[SL_CURVE_KIND_COUNT] = {"GENERIC", "PUMP", "EFFIC", "VOLUME", "HEADLOSS", "VALVE"};
    bool fresh = sl_ids_find(r->spec->curve_ids, r->tok.at[0]) < 0;
    int32_t curve = sl_build_curve(r->spec, r->tok.at[0], r->line_no);
    if (curve < 0) {
        r->oom = true;
        return;
    }
    if (fresh) {
        sl_inp_check_id(r);
        sl_inp_note(r, &r->spec->curve_note, curve, description(r));
    }
    sl_point_rec p = {.owner = curve, .line = r->line_no};
    if (!sl_inp_need(r, 3, r->n_tok < 2 ? "x" : "y", "id x y") || !sl_inp_read_value(r, 1, SL_Q_NONE, "x", &p.x) ||
        !sl_inp_read_value(r, 2, SL_Q_NONE, "y", &p.y)) {
        return;
    }
    sl_inp_edit(r, 1, 0, curve, p.x);
    sl_inp_edit(r, 2, 1, curve, p.y);
    r->oom = r->oom || !SL_PUSH(r->ctx, &r->spec->point, p);
    int32_t kind = sl_inp_words(r, 3, stem, SL_CURVE_KIND_COUNT);
    if (kind >= 0) {
        r->spec->curve_kind.at[curve] = (uint8_t)kind;
    }
}
