/* SPDX-License-Identifier: MIT */
/* inp_settings.c: [TIMES] [ENERGY] [REPORT]. */
#include "network/inp_read.h"
#include "network/words.h"

#include <sluice/units.h>

#include <math.h>

static void unknown(sl_reader *r, int32_t i, const char *const *words, int32_t n, const char *what) {
    char quoted[SL_QUOTE_MAX], near[64];
    const char *hint = sl_inp_near_word(r->tok.at[i], words, n, near, sizeof near);
    sl_inp_warn(r, i, SL_CODE_UNKNOWN_OPTION, hint ? hint : "it has no effect here; EPANET refuses it",
                "%s %s is not known", what, sl_quote(r->tok.at[i], quoted));
}

static void bad_word(sl_reader *r, int32_t i, const char *const *words, int32_t n, const char *what) {
    char quoted[SL_QUOTE_MAX], near[64];
    sl_inp_fail(r, i, SL_CODE_UNKNOWN_KEYWORD, sl_inp_near_word(r->tok.at[i], words, n, near, sizeof near),
                "%s is not %s", sl_quote(r->tok.at[i], quoted), what);
}

/* ---- [TIMES] ------------------------------------------------------------------------------------ */

static void read_statistic(sl_reader *r) {
    static const char *const stems[] = {"NO", "AVERAGE", "MINIMUM", "MAXIMUM", "RANGE"};
    int32_t k = sl_inp_words(r, r->n_tok - 1, stems, 5);
    if (k >= 0) {
        r->spec->times.statistic = (sl_statistic)k;
    } else {
        bad_word(r, r->n_tok - 1, sl_statistic_words, 5, "a statistic (NONE AVERAGED MINIMUM MAXIMUM RANGE)");
    }
}

/* AM or PM of which bytes were lost: no ASCII at its begin, after a time. EPANET takes such a word for the number 0. */
static bool is_damaged_half_day(const sl_reader *r, int32_t i) {
    double t;
    sl_str word = r->tok.at[i];
    return i >= 2 && word.len > 0 && (unsigned char)word.ptr[0] >= 0x80 &&
           sl_time_parse(r->tok.at[i - 1], (sl_str){0}, &t) == SL_OK;
}

/* The time is the last word, or the last two when the last is a unit. */
static void read_time(sl_reader *r, const char *what, double *seconds) {
    double t;
    int32_t last = r->n_tok - 1;
    if (is_damaged_half_day(r, last)) {
        char quoted[SL_QUOTE_MAX];
        sl_inp_warn(r, last, SL_CODE_NOT_A_TIME, "write AM or PM",
                    "%s is a damaged AM or PM: %s is read as 0, as EPANET reads it", sl_quote(r->tok.at[last], quoted),
                    what);
        *seconds = 0.0;
        return;
    }
    bool alone = last < 2 || sl_time_parse(r->tok.at[last], (sl_str){0}, &t) == SL_OK ||
                 sl_time_parse(r->tok.at[last - 1], (sl_str){0}, &t) != SL_OK;
    sl_inp_time(r, alone ? last : last - 1, what, seconds);
}

void sl_inp_times(sl_reader *r) {
    static const char *const words[] = {"Duration", "Hydraulic", "Quality",   "Rule",    "Pattern",
                                        "Report",   "Start",     "Statistic", "Minimum", "Timestep"};
    sl_times *t = &r->spec->times;
    double ignored;
    if (!sl_inp_need(r, 2, "a time", "keyword time")) {
        return;
    }
    if (sl_inp_word(r, 0, "STAT")) {
        read_statistic(r);
    } else if (sl_inp_word(r, 0, "DURA")) {
        read_time(r, "duration", &t->duration);
    } else if (sl_inp_word(r, 0, "HYDR")) {
        read_time(r, "hydraulic time step", &t->hydraulic_step);
    } else if (sl_inp_word(r, 0, "QUAL")) {
        read_time(r, "quality time step", &t->quality_step);
    } else if (sl_inp_word(r, 0, "RULE")) {
        read_time(r, "rule time step", &t->rule_step);
    } else if (sl_inp_word(r, 0, "MINI")) {
        read_time(r, "minimum travel time", &ignored);
    } else if (sl_inp_word(r, 0, "PATT") || sl_inp_word(r, 0, "REPO")) {
        bool pattern = sl_inp_word(r, 0, "PATT");
        if (sl_inp_word(r, 1, "TIME")) {
            read_time(r, pattern ? "pattern time step" : "report time step",
                      pattern ? &t->pattern_step : &t->report_step);
        } else if (sl_inp_word(r, 1, "STAR")) {
            read_time(r, pattern ? "pattern start" : "report start", pattern ? &t->pattern_start : &t->report_start);
        } else {
            static const char *const which[] = {"Timestep", "Start"};
            bad_word(r, 1, which, 2, "TIMESTEP or START");
        }
    } else if (sl_inp_word(r, 0, "STAR")) {
        read_time(r, "start time of day", &t->start_clock);
        t->start_clock = fmod(t->start_clock, 86400.0);
    } else {
        unknown(r, 0, words, 10, "time option");
    }
}

/* ---- [ENERGY] ----------------------------------------------------------------------------------- */

static void read_pump_energy(sl_reader *r) {
    static const char *const words[] = {"PRICE", "PATTERN", "EFFIC"};
    if (!sl_inp_need(r, 4, "a value", "PUMP id PRICE|PATTERN|EFFIC value")) {
        return;
    }
    int32_t last = r->n_tok - 1;
    int32_t link = sl_inp_link(r, 1);
    if (link < 0) {
        return;
    }
    if (r->spec->link.at[link].kind != SL_PUMP) {
        sl_inp_fail(r, 1, SL_CODE_WRONG_KIND, NULL, "this link is a %s, not a pump",
                    sl_link_kind_words[r->spec->link.at[link].kind]);
        return;
    }
    sl_pump_rec *p = sl_build_pump(r->spec, link);
    if (sl_inp_word(r, last - 1, "PRICE")) {
        sl_inp_read_value_min(r, last, SL_Q_NONE, "price", 0.0, &p->price);
    } else if (sl_inp_word(r, last - 1, "PATT")) {
        p->price_pattern = sl_inp_pattern(r, last, "price pattern");
    } else if (sl_inp_word(r, last - 1, "EFFI")) {
        p->efficiency_curve = sl_inp_curve(r, last, "efficiency curve");
    } else {
        bad_word(r, last - 1, words, 3, "PRICE, PATTERN or EFFIC");
    }
}

void sl_inp_energy(sl_reader *r) {
    static const char *const firsts[] = {"GLOBAL", "PUMP", "DEMAND"};
    static const char *const words[] = {"PRICE", "PATTERN", "EFFIC"};
    sl_energy_options *e = &r->spec->energy;
    if (!sl_inp_need(r, 3, "a value",
                     "GLOBAL PRICE|PATTERN|EFFIC value, PUMP id PRICE|PATTERN|EFFIC value, DEMAND CHARGE value")) {
        return;
    }
    int32_t last = r->n_tok - 1;
    if (sl_inp_word(r, 0, "DEMAN")) {
        sl_inp_read_value_min(r, 2, SL_Q_NONE, "demand charge", 0.0, &e->demand_charge);
    } else if (sl_inp_word(r, 0, "PUMP")) {
        read_pump_energy(r);
    } else if (!sl_inp_word(r, 0, "GLOB")) {
        unknown(r, 0, firsts, 3, "energy option");
    } else if (sl_inp_word(r, last - 1, "PRICE")) {
        sl_inp_read_value_min(r, last, SL_Q_NONE, "price", 0.0, &e->price);
    } else if (sl_inp_word(r, last - 1, "PATT")) {
        e->price_pattern = sl_inp_pattern(r, last, "price pattern");
    } else if (sl_inp_word(r, last - 1, "EFFI")) {
        double x;
        if (sl_inp_read_value(r, last, SL_Q_NONE, "efficiency", &x)) {
            if (x > 0.0) {
                e->efficiency = x;
            } else {
                sl_inp_fail(r, last, SL_CODE_VALUE_RANGE, "efficiency is in percent", "efficiency must be above 0");
            }
        }
    } else {
        bad_word(r, last - 1, words, 3, "PRICE, PATTERN or EFFIC");
    }
}

/* ---- [REPORT] ----------------------------------------------------------------------------------- */

static void read_list(sl_reader *r, bool nodes) {
    sl_report_options *o = &r->spec->report;
    sl_report_which *which = nodes ? &o->nodes : &o->links;
    sl_str last = r->tok.at[r->n_tok - 1];
    bool id =
        sl_ids_find(nodes ? r->spec->node_ids : r->spec->link_ids, last) >= 0 && last.len > 4; /* ALLEY, NONESUCH */
    if (sl_inp_word(r, r->n_tok - 1, "NONE") && !id) {
        *which = SL_REPORT_NONE;
    } else if (sl_inp_word(r, r->n_tok - 1, "ALL") && !id) {
        *which = SL_REPORT_ALL;
    } else {
        for (int32_t i = 1; i < r->n_tok && !r->oom; i++) {
            int32_t at = nodes ? sl_inp_node(r, i) : sl_inp_link(r, i);
            if (at >= 0) {
                *which = SL_REPORT_SOME;
                r->oom =
                    nodes ? !SL_PUSH(r->ctx, &r->spec->report_node, at) : !SL_PUSH(r->ctx, &r->spec->report_link, at);
            }
        }
    }
}

/* EPANET passes over such a word, and no result depends on it. */
static void odd_word(sl_reader *r, int32_t i, const char *what) {
    char quoted[SL_QUOTE_MAX];
    sl_inp_warn(r, i, SL_CODE_UNKNOWN_KEYWORD, "it has no effect", "%s is not %s", sl_quote(r->tok.at[i], quoted),
                what);
}

static void read_yes(sl_reader *r, bool *x) {
    if (sl_inp_word(r, r->n_tok - 1, "YES")) {
        *x = true;
    } else if (sl_inp_word(r, r->n_tok - 1, "NO")) {
        *x = false;
    } else {
        odd_word(r, r->n_tok - 1, "YES or NO");
    }
}

sl_quantity sl_field_quantity(sl_report_field_id field) {
    switch (field) {
    case SL_FIELD_ELEVATION:
    case SL_FIELD_HEAD:
    case SL_FIELD_LENGTH:
    case SL_FIELD_VELOCITY: return SL_Q_LENGTH;
    case SL_FIELD_DEMAND:
    case SL_FIELD_FLOW: return SL_Q_FLOW;
    case SL_FIELD_PRESSURE: return SL_Q_PRESSURE;
    case SL_FIELD_DIAMETER: return SL_Q_DIAMETER;
    default: return SL_Q_NONE;
    }
}

static void read_field(sl_reader *r, int32_t k) {
    static const char *const words[] = {"YES", "NO", "BELOW", "ABOVE", "PRECISION"};
    sl_report_field *f = &r->spec->report.field[k];
    double x;
    if (sl_inp_word(r, 1, "YES") || sl_inp_word(r, 1, "NO")) {
        f->enabled = sl_inp_word(r, 1, "YES");
    } else if (sl_inp_word(r, 1, "BELOW") || sl_inp_word(r, 1, "ABOVE")) {
        double *limit = sl_inp_word(r, 1, "BELOW") ? &f->below : &f->above;
        if (sl_inp_read_value(r, 2, SL_Q_NONE, "limit", limit)) {
            sl_inp_edit(r, 2, sl_field_quantity((sl_report_field_id)k), -1, *limit);
        }
    } else if (sl_inp_word(r, 1, "PREC")) {
        if (sl_inp_read_value_min(r, 2, SL_Q_NONE, "precision", 0.0, &x)) {
            f->precision = (int32_t)fmin(floor(x + 0.5), 17.0);
            f->enabled = true;
        }
    } else {
        bad_word(r, 1, words, 5, "YES, NO, BELOW, ABOVE or PRECISION");
    }
}

static int32_t field_of(const sl_reader *r) {
    static const char *const stems[] = {"ELEVATION", "DEMAND",  "HEADLOSS", "HEAD",     "PRESSURE",
                                        "QUALITY",   "LENGTH",  "DIAMETER", "FLOW",     "VELOCITY",
                                        "STATE",     "SETTING", "REACTION", "F-FACTOR", "LINKQUAL"};
    static const sl_report_field_id field[] = {
        SL_FIELD_ELEVATION,  SL_FIELD_DEMAND,  SL_FIELD_HEADLOSS, SL_FIELD_HEAD,     SL_FIELD_PRESSURE,
        SL_FIELD_QUALITY,    SL_FIELD_LENGTH,  SL_FIELD_DIAMETER, SL_FIELD_FLOW,     SL_FIELD_VELOCITY,
        SL_FIELD_LINK_STATE, SL_FIELD_SETTING, SL_FIELD_REACTION, SL_FIELD_FRICTION, SL_FIELD_LINK_QUALITY};
    int32_t k = sl_inp_words(r, 0, stems, 15);
    return k < 0 ? -1 : (int32_t)field[k];
}

void sl_inp_report(sl_reader *r) {
    static const char *const words[] = {"Pagesize", "Status",  "Summary",   "Messages", "Energy",   "Nodes",
                                        "Links",    "File",    "Elevation", "Demand",   "Head",     "Pressure",
                                        "Quality",  "Length",  "Diameter",  "Flow",     "Velocity", "Headloss",
                                        "State",    "Setting", "Reaction",  "F-Factor"};
    sl_report_options *o = &r->spec->report;
    double x;
    if (!sl_inp_need(r, 2, "a value", "keyword value")) {
        return;
    }
    int32_t last = r->n_tok - 1, field = field_of(r);
    if (sl_inp_word(r, 0, "PAGE")) {
        if (sl_inp_read_value(r, last, SL_Q_NONE, "page size", &x)) {
            if (x >= 0.0 && x <= 255.0) {
                o->page_size = (int32_t)x;
            } else {
                sl_inp_fail(r, last, SL_CODE_VALUE_RANGE, NULL, "the page size must be between 0 and 255");
            }
        }
    } else if (sl_inp_word(r, 0, "STATUS")) {
        static const char *const status[] = {"NO", "YES", "FULL"};
        int32_t k = sl_inp_words(r, last, status, 3);
        if (k >= 0) {
            o->status = k;
        } else {
            odd_word(r, last, "YES, NO or FULL");
        }
    } else if (sl_inp_word(r, 0, "SUMM")) {
        read_yes(r, &o->summary);
    } else if (sl_inp_word(r, 0, "MESS")) {
        read_yes(r, &o->messages);
    } else if (sl_inp_word(r, 0, "ENER")) {
        read_yes(r, &o->energy);
    } else if (sl_inp_word(r, 0, "NODE")) {
        read_list(r, true);
    } else if (sl_inp_word(r, 0, "LINK") && field != SL_FIELD_LINK_QUALITY) {
        read_list(r, false);
    } else if (sl_inp_word(r, 0, "FILE")) {
        o->file = sl_inp_copy(r, r->tok.at[1]);
    } else if (field >= 0) {
        read_field(r, field);
    } else {
        unknown(r, 0, words, 22, "report option");
    }
}
