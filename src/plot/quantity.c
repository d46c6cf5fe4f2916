/* SPDX-License-Identifier: MIT */
/* quantity.c: what can be shown, and in which units; one row each. */
#include <string.h>

#include "base/ids.h"
#include "base/out.h"
#include "base/report.h"
#include "plot/picture.h"

enum {
    UNIT_NONE = 0,
    UNIT_FLOW,
    UNIT_LENGTH,
    UNIT_PRESSURE,
    UNIT_VELOCITY,
    UNIT_SLOPE,
    UNIT_DIAMETER,
    UNIT_QUALITY,
    UNIT_RATE
};
enum { NONE = -1 };

static const sl_plot_quantity quantities[] = {
    {"pressure", "Pressure", SL_OUT_PRESSURE, NONE, UNIT_PRESSURE, false, false, true},
    {"head", "Head", SL_OUT_HEAD, NONE, UNIT_LENGTH, false, false, false},
    {"demand", "Demand", SL_OUT_DEMAND, NONE, UNIT_FLOW, false, false, true},
    {"quality", "Quality", SL_OUT_QUALITY, SL_OUT_LINK_QUALITY, UNIT_QUALITY, false, false, false},
    {"flow", "Flow", NONE, SL_OUT_FLOW, UNIT_FLOW, false, true, false},
    {"velocity", "Velocity", NONE, SL_OUT_VELOCITY, UNIT_VELOCITY, false, false, false},
    {"headloss", "Head loss", NONE, SL_OUT_HEADLOSS, UNIT_SLOPE, false, false, false},
    {"status", "Status", NONE, SL_OUT_STATUS, UNIT_NONE, true, false, false},
    {"setting", "Setting", NONE, SL_OUT_SETTING, UNIT_NONE, true, false, false},
    {"reaction", "Reaction rate", NONE, SL_OUT_REACTION, UNIT_RATE, false, false, false},
    {"friction", "Friction factor", NONE, SL_OUT_FRICTION, UNIT_NONE, false, false, false},
    {"elevation", "Elevation", NONE, NONE, UNIT_LENGTH, false, false, false},
    {"diameter", "Diameter", NONE, NONE, UNIT_DIAMETER, false, false, false},
};
enum { N_QUANTITY = sizeof quantities / sizeof *quantities };

/* ---- Units -------------------------------------------------------------------------------------- */

sl_display_units sl_picture_units(const sl_picture *p) {
    if (!p->info) {
        return sl_display_units_of(p->net);
    }
    sl_network alike = {0}; /* as far as units go by it */
    alike.hydraulics.flow_unit = p->info->flow_unit;
    alike.hydraulics.pressure_unit = p->info->pressure_unit;
    alike.hydraulics.specific_gravity = 1.0;
    return sl_display_units_of(&alike);
}

/* A cube is written as one. */
static void set_unit(sl_picture *p, const char *name) {
    size_t n = 0;
    for (; *name && n + 3 < sizeof p->unit; name++) {
        static const char cube[] = "³";
        size_t k = *name == '3' ? sizeof cube - 1 : 1;
        memcpy(p->unit + n, *name == '3' ? cube : name, k);
        n += k;
    }
    p->unit[n] = '\0';
}

static void set_quality(sl_picture *p) {
    const sl_outfile_info *f = p->info;
    if (f->quality == SL_QUALITY_AGE) {
        sl_format(p->label, sizeof p->label, "Age of the water");
        set_unit(p, "h");
    } else if (f->quality == SL_QUALITY_TRACE) {
        sl_format(p->label, sizeof p->label, "Water from %s",
                  f->trace_node > 0 ? sl_outfile_node_id(p->file, f->trace_node - 1) : "?");
        set_unit(p, "%");
    } else {
        sl_format(p->label, sizeof p->label, "%s", f->chemical[0] ? f->chemical : "Concentration");
        sl_format(p->unit, sizeof p->unit, "%s", f->chemical_unit);
    }
}

static void set_label(sl_picture *p) {
    sl_display_units s = sl_picture_units(p);
    const char *const names[] = {[UNIT_NONE] = "",
                                 [UNIT_FLOW] = s.flow.name,
                                 [UNIT_LENGTH] = s.length.name,
                                 [UNIT_PRESSURE] = s.pressure.name,
                                 [UNIT_VELOCITY] = s.velocity.name,
                                 [UNIT_SLOPE] = s.slope.name,
                                 [UNIT_DIAMETER] = s.diameter.name,
                                 [UNIT_QUALITY] = "",
                                 [UNIT_RATE] = "mass/L/d"};
    const char *mass = p->info ? p->info->chemical_unit : "";
    if (p->what->unit == UNIT_QUALITY) {
        set_quality(p);
    } else if (p->what->unit == UNIT_RATE && mass[0] && p->info->quality == SL_QUALITY_CHEMICAL) {
        sl_format(p->label, sizeof p->label, "%s", p->what->label);
        sl_format(p->unit, sizeof p->unit, "%s/d", mass);
    } else {
        sl_format(p->label, sizeof p->label, "%s", p->what->label);
        set_unit(p, names[p->what->unit]);
    }
    size_t n = strlen(p->label);
    if (p->unit[0]) {
        sl_format(p->label + n, sizeof p->label - n, " [%s]", p->unit);
    }
}

/* ---- Asking ------------------------------------------------------------------------------------- */

static bool fits(const sl_picture *p, const sl_plot_quantity *q, bool nodes, bool links) {
    bool of_network = q->node < 0 && q->link < 0;
    return of_network ? p->net && nodes && links : p->info && ((nodes && q->node >= 0) || (links && q->link >= 0));
}

/* The words that fit here, as a list. */
static void list_words(const sl_picture *p, bool nodes, bool links, char *buf, size_t size) {
    size_t n = 0;
    buf[0] = '\0';
    for (int i = 0; i < N_QUANTITY; i++) {
        if (fits(p, &quantities[i], nodes, links) && n < size) {
            int k = sl_format(buf + n, size - n, "%s%s", n > 0 ? ", " : "", quantities[i].word);
            n += k > 0 ? (size_t)k : 0;
        }
    }
}

static sl_status refuse(sl_picture *p, const char *word, bool nodes, bool links, bool known) {
    char list[200], hint[300], quoted[SL_QUOTE_MAX];
    const char *near = NULL;
    int best = 4;
    for (int i = 0; i < N_QUANTITY && !known; i++) {
        int d = sl_edit_distance(sl_str_z(word), sl_str_z(quantities[i].word), best);
        if (d <= best && fits(p, &quantities[i], nodes, links)) {
            best = d - 1;
            near = quantities[i].word;
        }
    }
    list_words(p, nodes, links, list, sizeof list);
    sl_format(hint, sizeof hint, "%s%s%sthere are: %s", near ? "did you mean '" : "", near ? near : "",
              near ? "'? " : "", list);
    const char *of = !p->info ? "a network without results" : nodes && links ? "maps" : nodes ? "nodes" : "links";
    char text[SL_QUOTE_MAX + 80];
    sl_quote(sl_str_z(word), quoted);
    if (known) {
        sl_format(text, sizeof text, "%s is not a quantity of %s", quoted, of);
    } else {
        sl_format(text, sizeof text, "there is no quantity %s", quoted);
    }
    sl_report(p->diags, SL_ERROR, SL_CODE_VARIABLE, NULL, NULL, NULL, hint, "%s", text);
    return SL_ERR_INPUT;
}

sl_status sl_picture_ask(sl_picture *p, const char *default_word, bool nodes, bool links) {
    const char *word = p->def->what ? p->def->what : default_word;
    for (int i = 0; i < N_QUANTITY; i++) {
        if (sl_str_equal_nocase(sl_str_z(word), sl_str_z(quantities[i].word))) {
            p->what = &quantities[i];
        }
    }
    if (!p->what || !fits(p, p->what, nodes, links)) {
        return refuse(p, word, nodes, links, p->what != NULL);
    }
    if (p->what->unit == UNIT_QUALITY && p->info->quality == SL_QUALITY_NONE) {
        sl_report(p->diags, SL_ERROR, SL_CODE_VARIABLE, NULL, NULL, NULL,
                  "QUALITY under [OPTIONS] of the model asks for one", "the result has no water quality");
        return SL_ERR_INPUT;
    }
    set_label(p);
    return SL_OK;
}
