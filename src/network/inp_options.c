/* SPDX-License-Identifier: MIT */
/* inp_options.c: [OPTIONS].
 *
 * An option nobody knows is a warning with the nearest known one; EPANET refuses the file. Where EPANET itself takes
 * words that mislead (EMITTER BACKFLOW 0.6 sets the exponent), the plain meaning is read and the difference told.
 */
#include "network/inp_read.h"
#include "network/words.h"

#include <math.h>

static const char *const option_words[] = {
    "Units",     "Pressure",    "Headloss",  "Hydraulics", "Quality",   "Map",       "Verify",  "Unbalanced",
    "Pattern",   "Demand",      "Backflow",  "Segments",   "Specific",  "Emitter",   "Minimum", "Required",
    "Tolerance", "Diffusivity", "Damplimit", "Flowchange", "Headerror", "Viscosity", "Trials",  "Accuracy",
    "Htol",      "Qtol",        "Rqtol",     "Checkfreq",  "Maxcheck"};
enum { N_OPTION = 29 };

static void bad_word(sl_reader *r, int32_t i, const char *const *words, int32_t n, const char *what) {
    char quoted[SL_QUOTE_MAX], near[64];
    sl_inp_fail(r, i, SL_CODE_UNKNOWN_KEYWORD, sl_inp_near_word(r->tok.at[i], words, n, near, sizeof near),
                "%s is not %s", sl_quote(r->tok.at[i], quoted), what);
}

static void no_value(sl_reader *r) {
    sl_inp_warn(r, r->n_tok, SL_CODE_MISSING_VALUE, NULL, "the option has no value: it keeps its default");
}

static void read_units(sl_reader *r) {
    /* IMGD is tested before MGD would be: none is a prefix of another. SI is an old word for LPS. */
    int32_t unit = sl_inp_words(r, 1, sl_flow_words, SL_FLOW_UNIT_COUNT);
    if (unit < 0 && sl_inp_word(r, 1, "SI")) {
        unit = SL_LPS;
    }
    if (unit < 0) {
        bad_word(r, 1, sl_flow_words, SL_FLOW_UNIT_COUNT, "a flow unit (CFS GPM MGD IMGD AFD LPS LPM MLD CMH CMD CMS)");
        return;
    }
    r->seen_units = true;
    r->spec->hydraulics.flow_unit = (sl_flow_unit)unit;
    if (!r->seen_pressure_unit) {
        r->spec->hydraulics.pressure_unit = sl_default_pressure_unit((sl_flow_unit)unit);
    }
    sl_inp_edit(r, 1, SL_EDIT_UNITS, -1, 0.0);
}

static void read_pressure(sl_reader *r) {
    int32_t unit = sl_inp_words(r, 1, sl_pressure_words, SL_PRESSURE_UNIT_COUNT);
    if (unit < 0) {
        bad_word(r, 1, sl_pressure_words, SL_PRESSURE_UNIT_COUNT, "a pressure unit (PSI KPA METERS BAR FEET)");
        return;
    }
    r->seen_pressure_unit = true;
    r->spec->hydraulics.pressure_unit = (sl_pressure_unit)unit;
    sl_inp_edit(r, 1, SL_EDIT_PRESSURE, -1, 0.0);
}

static void read_quality(sl_reader *r) {
    sl_quality_options *q = &r->spec->quality;
    if (sl_inp_word(r, 1, "NONE")) {
        q->kind = SL_QUALITY_NONE;
    } else if (sl_inp_word(r, 1, "AGE")) {
        q->kind = SL_QUALITY_AGE;
    } else if (sl_inp_word(r, 1, "TRACE")) {
        if (!sl_inp_need(r, 3, "the node to trace", "QUALITY TRACE node")) {
            return;
        }
        q->kind = SL_QUALITY_TRACE;
        r->trace_id = r->tok.at[2];
        r->trace_place = sl_inp_location(r, 2);
    } else {
        q->kind = SL_QUALITY_CHEMICAL;
        bool named = !sl_inp_word(r, 1, "CHEM");
        if (named) {
            q->chemical = sl_inp_copy(r, r->tok.at[1]);
            if (sl_inp_word(r, 1, "TOLERANCE")) {
                sl_inp_warn(r, 1, SL_CODE_SYNTAX, "the option for that is: Tolerance value",
                            "this names a chemical TOLERANCE");
            }
        }
        if (r->n_tok > 2) { /* EPANET takes no unit behind CHEMICAL, but computes nothing with it either */
            q->mass_unit = sl_inp_copy(r, r->tok.at[2]);
        }
    }
}

static void read_unbalanced(sl_reader *r) {
    static const char *const words[] = {"STOP", "CONTINUE"};
    double extra = 0.0;
    if (sl_inp_word(r, 1, "STOP")) {
        r->spec->hydraulics.unbalanced_extra = -1;
    } else if (!sl_inp_word(r, 1, "CONT")) {
        bad_word(r, 1, words, 2, "STOP or CONTINUE");
    } else if (r->n_tok < 3 || sl_inp_read_value_min(r, 2, SL_Q_NONE, "number of extra trials", 0.0, &extra)) {
        r->spec->hydraulics.unbalanced_extra = (int32_t)fmin(extra, 1e9);
    }
}

static void read_hydraulics_file(sl_reader *r) {
    static const char *const words[] = {"USE", "SAVE"};
    if (r->n_tok < 3) {
        return;
    }
    int32_t which = sl_inp_words(r, 1, words, 2);
    if (which < 0) {
        bad_word(r, 1, words, 2, "USE or SAVE");
        return;
    }
    r->spec->hydraulics.hydraulics_file = which + 1;
    r->spec->hydraulics.hydraulics_path = sl_inp_copy(r, r->tok.at[2]);
    sl_inp_warn(r, 0, SL_CODE_IGNORED, NULL,
                "hydraulics files are not used: the line is kept, the hydraulics are always computed");
}

/* Words that are not simple numbers. false: not one of them. */
static bool read_word_option(sl_reader *r) {
    static const char *const models[] = {"DDA", "PDA"};
    sl_hydraulic_options *h = &r->spec->hydraulics;
    if (sl_inp_word(r, 0, "UNIT")) {
        read_units(r);
    } else if (sl_inp_word(r, 0, "PRESSURE") && !sl_inp_word(r, 1, "EXP")) {
        read_pressure(r);
    } else if (sl_inp_word(r, 0, "HEADL")) {
        int32_t k = sl_inp_words(r, 1, sl_headloss_words, 3);
        if (k >= 0) {
            h->headloss = (sl_headloss)k;
        } else {
            bad_word(r, 1, sl_headloss_words, 3, "a head loss formula (H-W D-W C-M)");
        }
    } else if (sl_inp_word(r, 0, "HYDR")) {
        read_hydraulics_file(r);
    } else if (sl_inp_word(r, 0, "QUAL")) {
        read_quality(r);
    } else if (sl_inp_word(r, 0, "MAP")) {
        h->map_file = sl_inp_copy(r, r->tok.at[1]);
    } else if (sl_inp_word(r, 0, "UNBA")) {
        read_unbalanced(r);
    } else if (sl_inp_word(r, 0, "PATT")) {
        h->default_pattern_id = sl_inp_copy(r, r->tok.at[1]);
    } else if (sl_inp_word(r, 0, "DEMAND") && sl_inp_word(r, 1, "MODEL")) {
        int32_t k = sl_inp_words(r, 2, models, 2);
        if (k >= 0) {
            h->demand_model = (sl_demand_model)k;
        } else if (r->n_tok > 2) {
            bad_word(r, 2, models, 2, "DDA or PDA");
        } else {
            no_value(r);
        }
    } else if ((sl_inp_word(r, 0, "BACK") && sl_inp_word(r, 1, "ALLOW")) ||
               (sl_inp_word(r, 0, "EMIT") && sl_inp_word(r, 1, "BACK"))) {
        if (sl_inp_word(r, 2, "YES") || sl_inp_word(r, 2, "NO")) {
            h->emitter_backflow = sl_inp_word(r, 2, "YES");
            if (sl_inp_word(r, 0, "EMIT")) {
                sl_inp_warn(r, 0, SL_CODE_LEGACY, "write BACKFLOW ALLOWED YES or NO",
                            "EPANET 2.3 refuses this spelling of BACKFLOW ALLOWED");
            }
        } else if (r->n_tok < 3) {
            no_value(r);
        } else {
            static const char *const words[] = {"YES", "NO"};
            bad_word(r, 2, words, 2, "YES or NO");
        }
    } else {
        return sl_inp_word(r, 0, "VERI") || sl_inp_word(r, 0, "SEGM");
    }
    return true;
}

/* ---- Numbers ------------------------------------------------------------------------------------ */

enum range { ANY, AT_LEAST_0, ABOVE_0, BELOW_1 };

/* Value at token i within range; false after a report. */
static bool ranged(sl_reader *r, int32_t i, const char *what, enum range range, sl_quantity q, double *x) {
    double value;
    char quoted[SL_QUOTE_MAX];
    if (!sl_inp_read_value(r, i, q, what, &value)) {
        return false;
    }
    bool ok = range == ANY || (range == AT_LEAST_0 ? value >= 0.0 : value > 0.0);
    if (!ok || (range == BELOW_1 && value >= 1.0)) {
        sl_inp_fail(r, i, SL_CODE_VALUE_RANGE, NULL, "%s %s must be %s", what, sl_quote(r->tok.at[i], quoted),
                    range == AT_LEAST_0 ? "0 or more"
                    : range == ABOVE_0  ? "above 0"
                                        : "above 0 and below 1");
        return false;
    }
    *x = value;
    return true;
}

static void read_whole(sl_reader *r, const char *what, int32_t *x) {
    double value;
    char quoted[SL_QUOTE_MAX];
    if (!sl_inp_read_value(r, 1, SL_Q_NONE, what, &value)) {
        return;
    }
    if (value < 1.0) {
        sl_inp_fail(r, 1, SL_CODE_VALUE_RANGE, NULL, "%s %s must be at least 1", what, sl_quote(r->tok.at[1], quoted));
        return;
    }
    *x = (int32_t)fmin(value, 1e9);
}

static void read_accuracy(sl_reader *r) {
    double value;
    if (!ranged(r, 1, "accuracy", ABOVE_0, SL_Q_NONE, &value)) {
        return;
    }
    double clamped = fmin(fmax(value, 1e-5), 0.1);
    if (clamped != value) {
        sl_inp_warn(r, 1, SL_CODE_ADJUSTED, NULL, "accuracy is kept between 1e-5 and 0.1, as EPANET does: %g is taken",
                    clamped);
    }
    r->spec->hydraulics.accuracy = clamped;
}

/* A value above the limit multiplies the default; below, it is the property itself. */
static void read_property(sl_reader *r, const char *what, enum range range, double limit, double standard, double *x) {
    double value;
    if (!ranged(r, 1, what, range, SL_Q_NONE, &value)) {
        return;
    }
    bool raw = value <= limit;
    *(x == &r->spec->hydraulics.viscosity ? &r->raw_viscosity : &r->raw_diffusivity) = raw;
    *x = raw ? value : value * standard; /* raw is made SI when the units are known: sl_inp_options_si */
    if (raw) {
        sl_inp_edit(r, 1, SL_Q_KINEMATIC, -1, value);
    }
}

/* Pressures are kept as given until the units and the specific gravity are known. */
static void read_pda_pressure(sl_reader *r, const char *what, double *x, bool *raw) {
    double value;
    if (r->n_tok < 3) {
        sl_inp_warn(r, 1, SL_CODE_IGNORED, NULL, "the %s is the third word of its line: this line has no effect", what);
    } else if (ranged(r, 2, what, AT_LEAST_0, SL_Q_NONE, &value)) {
        sl_inp_edit(r, 2, SL_Q_PRESSURE, -1, value);
        *x = value;
        *raw = true;
    }
}

/* EMITTER EXPONENT 0.5, SPECIFIC GRAVITY 1, DEMAND MULTIPLIER 1: the value is the third word. */
static void read_third(sl_reader *r, const char *what, double low, double high, double *x) {
    double value;
    char quoted[SL_QUOTE_MAX];
    if (r->n_tok >= 3) {
        if (!sl_inp_read_value(r, 2, SL_Q_NONE, what, &value)) {
            return;
        }
        if (value > low && value <= high) {
            *x = value;
        } else {
            sl_inp_fail(r, 2, SL_CODE_VALUE_RANGE, NULL, "%s %s must be above %g and not above %g", what,
                        sl_quote(r->tok.at[2], quoted), low, high);
        }
    } else {
        sl_inp_warn(r, 1, SL_CODE_IGNORED, NULL, "the %s is the third word of its line: this line has no effect", what);
    }
}

static bool read_number_option(sl_reader *r) {
    sl_hydraulic_options *h = &r->spec->hydraulics;
    sl_quality_options *q = &r->spec->quality;
    if (sl_inp_word(r, 0, "TOLER")) {
        ranged(r, 1, "tolerance", AT_LEAST_0, SL_Q_NONE, &q->tolerance);
    } else if (sl_inp_word(r, 0, "DIFF")) {
        read_property(r, "diffusivity", AT_LEAST_0, 1e-4, SL_EPANET_DIFFUSIVITY, &q->diffusivity);
    } else if (sl_inp_word(r, 0, "DAMPLIMIT")) {
        ranged(r, 1, "damp limit", ANY, SL_Q_NONE, &h->damp_limit);
    } else if (sl_inp_word(r, 0, "FLOWCHANGE")) {
        r->raw_flow_change = ranged(r, 1, "flow change", AT_LEAST_0, SL_Q_NONE, &h->flow_change);
        sl_inp_edit(r, 1, SL_Q_FLOW, -1, h->flow_change);
    } else if (sl_inp_word(r, 0, "HEADERROR")) {
        r->raw_head_error = ranged(r, 1, "head error", AT_LEAST_0, SL_Q_NONE, &h->head_error);
        sl_inp_edit(r, 1, SL_Q_LENGTH, -1, h->head_error);
    } else if (sl_inp_word(r, 0, "MINI")) {
        read_pda_pressure(r, "minimum pressure", &h->pressure_min, &r->raw_minimum);
    } else if (sl_inp_word(r, 0, "REQ")) {
        read_pda_pressure(r, "required pressure", &h->pressure_required, &r->raw_required);
        r->required_place = sl_inp_location(r, 2);
    } else if (sl_inp_word(r, 0, "PRESSURE")) {
        read_third(r, "pressure exponent", 0.0, 100.0, &h->pressure_exponent);
    } else if (sl_inp_word(r, 0, "VISC")) {
        read_property(r, "viscosity", ABOVE_0, 1e-3, SL_EPANET_VISCOSITY, &h->viscosity);
    } else if (sl_inp_word(r, 0, "SPEC")) {
        read_third(r, "specific gravity", 1e-4, 1e4, &h->specific_gravity);
    } else if (sl_inp_word(r, 0, "TRIAL")) {
        read_whole(r, "trials", &h->trials);
    } else if (sl_inp_word(r, 0, "ACCU")) {
        read_accuracy(r);
    } else if (sl_inp_word(r, 0, "HTOL")) {
        ranged(r, 1, "head tolerance", ABOVE_0, SL_Q_FEET, &h->head_tolerance);
    } else if (sl_inp_word(r, 0, "QTOL")) {
        ranged(r, 1, "flow tolerance", ABOVE_0, SL_Q_CFS, &h->flow_tolerance);
    } else if (sl_inp_word(r, 0, "RQTOL")) {
        ranged(r, 1, "RQTOL", BELOW_1, SL_Q_NONE, &h->rq_tolerance);
    } else if (sl_inp_word(r, 0, "CHECKFREQ")) {
        read_whole(r, "check frequency", &h->check_freq);
    } else if (sl_inp_word(r, 0, "MAXCHECK")) {
        read_whole(r, "maximum checks", &h->max_check);
    } else if (sl_inp_word(r, 0, "EMIT")) {
        read_third(r, "emitter exponent", 0.0, 20.0, &h->emitter_exponent);
    } else if (sl_inp_word(r, 0, "DEMAND")) {
        read_third(r, "demand multiplier", 0.0, 1e9, &h->demand_multiplier);
    } else {
        return false;
    }
    return true;
}

void sl_inp_options(sl_reader *r) {
    char quoted[SL_QUOTE_MAX], near[64];
    if (r->n_tok == 1 && sl_inp_near_word(r->tok.at[0], option_words, N_OPTION, near, sizeof near)) {
        no_value(r);
        return;
    }
    bool known = r->n_tok > 1 && (read_word_option(r) || read_number_option(r));
    bool spelled = false;
    for (int32_t i = 0; i < N_OPTION && !spelled; i++) {
        spelled = sl_str_equal_nocase(r->tok.at[0], sl_str_z(option_words[i]));
    }
    if (known && !spelled) { /* EPANET looks at the first letters only */
        const char *hint = sl_inp_near_word(r->tok.at[0], option_words, N_OPTION, near, sizeof near);
        sl_inp_warn(r, 0, SL_CODE_UNKNOWN_OPTION, hint,
                    "option %s is not spelled as it should be; it is read by its first letters",
                    sl_quote(r->tok.at[0], quoted));
    } else if (!known) {
        const char *hint = sl_inp_near_word(r->tok.at[0], option_words, N_OPTION, near, sizeof near);
        sl_inp_warn(r, 0, SL_CODE_UNKNOWN_OPTION, hint ? hint : "it has no effect here; EPANET refuses it",
                    "option %s is not known", sl_quote(r->tok.at[0], quoted));
    }
}

/* What depends on the units, once all lines of all [OPTIONS] are known. */
void sl_inp_options_si(sl_reader *r) {
    sl_hydraulic_options *h = &r->spec->hydraulics;
    h->viscosity *= r->raw_viscosity ? r->factor[SL_Q_KINEMATIC] : 1.0;
    r->spec->quality.diffusivity *= r->raw_diffusivity ? r->factor[SL_Q_KINEMATIC] : 1.0;
    h->flow_change *= r->raw_flow_change ? r->factor[SL_Q_FLOW] : 1.0;
    h->head_error *= r->raw_head_error ? r->factor[SL_Q_LENGTH] : 1.0;
    if (r->raw_required && h->pressure_required < h->pressure_min + 0.1 - 1e-12 && h->demand_model == SL_PDA) {
        sl_report(r->diags, SL_ERROR, SL_CODE_VALUE_RANGE, &r->required_place, NULL, NULL,
                  "raise it, or lower the minimum pressure",
                  "the required pressure %g must be at least 0.1 above the minimum pressure %g", h->pressure_required,
                  h->pressure_min);
        r->spec->n_error++;
        h->pressure_required = NAN;
        r->raw_required = false;
    }
    if (!r->raw_required) { /* 0.1 of the file's unit above the minimum */
        h->pressure_required = h->pressure_min + 0.1;
    }
    h->pressure_required *= r->factor[SL_Q_PRESSURE];
    h->pressure_min *= r->raw_minimum ? r->factor[SL_Q_PRESSURE] : 1.0;
    bool metric = sl_flow_unit_is_metric(h->flow_unit);
    if (r->seen_pressure_unit && h->pressure_unit == (metric ? SL_PSI : SL_METERS)) {
        sl_report(r->diags, SL_WARNING, SL_CODE_LEGACY, NULL, NULL, NULL,
                  "give the pressure unit you mean, or leave the option out",
                  "flows are in %s and pressures in %s: EPANET 2.3 takes them so, 2.0 and 2.2 read pressures in %s",
                  sl_flow_words[h->flow_unit], sl_pressure_words[h->pressure_unit], metric ? "metres" : "psi");
    }
}

/* What refers to objects. */
void sl_inp_options_end(sl_reader *r) {
    if (r->spec->quality.kind == SL_QUALITY_TRACE) {
        r->spec->quality.trace_node = sl_ids_find(r->spec->node_ids, r->trace_id);
        if (r->spec->quality.trace_node < 0) {
            char quoted[SL_QUOTE_MAX];
            sl_report(r->diags, SL_ERROR, SL_CODE_UNKNOWN_NODE, &r->trace_place, NULL, NULL, NULL,
                      "trace node %s is not defined", sl_quote(r->trace_id, quoted));
            r->spec->n_error++;
            r->spec->quality.kind = SL_QUALITY_NONE;
        }
    }
}
