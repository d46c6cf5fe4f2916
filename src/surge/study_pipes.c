/* SPDX-License-Identifier: MIT */
/* study_pipes.c: what a study says about pipes: wave speeds (given, or by material and wall) and surveys of the ground. */
#include "surge/study_impl.h"

#include <math.h>

#include "base/out.h"
#include "base/report.h"

static const double most_wave_speed = 1e5; /* [m/s]: anything beyond is a slip of units */

/* ---- By material and wall ----------------------------------------------------------------------- */

static const sl_surge_material *read_material(sl_study *s, const sl_yaml_node *node) {
    char hint[512], quoted[SL_QUOTE_MAX];
    const char *text = NULL;
    if (!sl_yaml_as_text(s->doc, node, &text)) {
        return NULL;
    }
    const sl_surge_material *found = sl_surge_material_find(node->text);
    if (!found) {
        int32_t n = 0;
        const sl_surge_material *all = sl_surge_materials(&n);
        size_t at = (size_t)sl_format(hint, sizeof hint, "there are ");
        for (int32_t i = 0; i < n && at + 40 < sizeof hint; i++) {
            at += (size_t)sl_format(hint + at, sizeof hint - at, "%s%s", i ? ", " : "", all[i].name);
        }
        (void)sl_format(hint + at, sizeof hint - at, "; or write `young: 200 GPa`");
        sl_yaml_report(s->doc, node, SL_ERROR, SL_CODE_UNKNOWN_KEYWORD, hint, "material: %s is not known",
                       sl_quote(node->text, quoted));
    }
    return found;
}

/* True: there is a wall, by which the wave speed follows from the bore. */
static bool read_wall(sl_study *s, sl_yaml_map *m, sl_surge_wall *wall) {
    static const char *const restraints[] = {"anchored", "anchored-one-end", "jointed", NULL}; /* sl_surge_restraint */
    const sl_yaml_node *material = sl_yaml_get(m, "material", 0);
    int restraint = 0;
    *wall = (sl_surge_wall){.thickness = NAN, .young = NAN, .poisson = 0.3, .gas_pressure = 101325.0};
    const sl_surge_material *known = material ? read_material(s, material) : NULL;
    if (known) {
        wall->young = known->young;
        wall->poisson = known->poisson;
    } else if (material) { /* told already */
        wall->young = 1.0;
    }
    sl_yaml_number(m, "wall", SL_YAML_POSITIVE, "m", &wall->thickness);
    sl_yaml_number(m, "young", SL_YAML_POSITIVE, "Pa", &wall->young);
    sl_yaml_number(m, "poisson", SL_YAML_NOT_NEGATIVE, NULL, &wall->poisson);
    sl_yaml_word(m, "restraint", 0, restraints, &restraint);
    sl_yaml_number(m, "gas_fraction", SL_YAML_NOT_NEGATIVE, NULL, &wall->gas_fraction);
    sl_yaml_number(m, "gas_pressure", SL_YAML_POSITIVE, "Pa", &wall->gas_pressure);
    wall->restraint = (sl_surge_restraint)restraint;
    return material || isfinite(wall->thickness) || isfinite(wall->young);
}

/* ---- Rows --------------------------------------------------------------------------------------- */

static void read_survey(sl_study *s, const sl_yaml_node *list, int32_t pipe, sl_surge_survey *out) {
    *out = (sl_surge_survey){.pipe = pipe, .line = sl_yaml_line(s->doc, list)};
    if (list->kind != SL_YAML_LIST) {
        sl_yaml_report(s->doc, list, SL_ERROR, SL_CODE_WRONG_TYPE, "write [[0 m, 120 m], [350 m, 141 m]]",
                       "a survey is a list of pairs: chainage and elevation");
        return;
    }
    out->n = sl_study_pairs(s, list, false, "m", &sl_study_length, &out->chainage, &out->elevation);
}

static void set_speed(sl_study *s, double *speeds, int32_t pipe, double speed, const sl_surge_wall *wall) {
    sl_surge_fluid fluid = s->fluid;
    if (wall && s->net) {
        (void)sl_surge_fluid_complete(&fluid, s->net->hydraulics.specific_gravity, s->net->hydraulics.viscosity);
        speed = sl_surge_wave_speed(&fluid, s->net->pipe_diameter[pipe], wall);
    }
    speeds[pipe] = speed;
}

/* One row: the pipes it is about (all when none is named), their wave speed, and the survey of one. */
static void read_row(sl_study *s, const sl_yaml_node *node, double *speeds, sl_surge_survey *surveys) {
    sl_yaml_map m;
    if (!sl_yaml_open_map(s->doc, node, &m)) {
        return;
    }
    const sl_yaml_node *ids = sl_yaml_get(&m, "pipe", 0), *survey = sl_yaml_get(&m, "survey", 0);
    const int32_t *pipes = NULL;
    int32_t n = ids ? sl_study_links(s, ids, SL_STUDY_PIPE, &pipes) : s->net ? s->net->n_pipe : 0;
    double speed = NAN;
    sl_surge_wall wall;
    bool given = sl_yaml_number(&m, "wave_speed", SL_YAML_POSITIVE, "m/s", &speed), walled = read_wall(s, &m, &wall);
    sl_yaml_done(&m);
    if (given && walled) {
        sl_yaml_report(s->doc, node, SL_ERROR, SL_CODE_SYNTAX, "keep the wave speed, or material and wall",
                       "the wave speed is given twice: by itself and by the wall");
    } else if (walled && !(isfinite(wall.thickness) && isfinite(wall.young))) {
        sl_yaml_report(s->doc, node, SL_ERROR, SL_CODE_MISSING_VALUE,
                       isfinite(wall.young) ? "add the thickness of the wall, as `wall: 8 mm`"
                                            : "add `material: steel`, or `young: 200 GPa`",
                       "a wave speed by the wall needs its %s",
                       isfinite(wall.young) ? "thickness" : "modulus of elasticity");
    } else if (given || walled) {
        for (int32_t i = 0; i < n && speeds; i++) {
            set_speed(s, speeds, pipes ? pipes[i] : i, speed, walled ? &wall : NULL);
        }
    }
    if (survey && (!ids || ids->kind == SL_YAML_LIST)) {
        sl_yaml_report(s->doc, survey, SL_ERROR, SL_CODE_SYNTAX, "write `pipe: ID` in this row",
                       "a survey belongs to one pipe");
    } else if (survey && surveys) {
        read_survey(s, survey, n > 0 && pipes ? pipes[0] : -1, &surveys[s->def.n_survey]);
        s->def.n_survey += n > 0;
    }
}

/* wave_speeds: {P1: 1100, P2: 950 m/s} */
static void read_table(sl_study *s, const sl_yaml_node *table, double *speeds) {
    if (table->kind != SL_YAML_MAP) {
        sl_yaml_report(s->doc, table, SL_ERROR, SL_CODE_WRONG_TYPE, "write {P1: 1100, P2: 950}",
                       "wave_speeds is a map from pipes to wave speeds");
        return;
    }
    for (const sl_yaml_node *row = table->first; row; row = row->next) {
        char quoted[SL_QUOTE_MAX];
        double speed = NAN;
        bool fine = sl_yaml_as_number(s->doc, row, SL_YAML_POSITIVE, "m/s", &speed);
        int32_t link = s->net ? sl_network_find_link(s->net, row->key) : -1;
        if (s->net && (link < 0 || link >= s->net->n_pipe)) {
            sl_yaml_report_key(s->doc, row, SL_ERROR, SL_CODE_UNKNOWN_LINK, "write the id of a pipe of the network",
                               "there is no pipe %s", sl_quote(row->key, quoted));
        } else if (fine && speeds) {
            speeds[link] = speed;
        }
    }
}

static void check_speeds(sl_study *s, const double *speeds) {
    for (int32_t i = 0; s->net && i < s->net->n_pipe; i++) {
        if (!isnan(speeds[i]) && !(speeds[i] > 0.0 && speeds[i] < most_wave_speed)) {
            sl_yaml_report(s->doc, NULL, SL_ERROR, SL_CODE_VALUE_RANGE, "look at units: 8 mm, 200 GPa",
                           "the wave speed of pipe %s, %g m/s, cannot be", sl_network_link_id(s->net, i), speeds[i]);
        }
    }
}

void sl_study_read_pipes(sl_study *s, sl_yaml_map *m) {
    sl_yaml_number(m, "wave_speed", SL_YAML_POSITIVE, "m/s", &s->def.wave_speed);
    const sl_yaml_node *list = sl_study_list(m, "pipes"), *table = sl_yaml_get(m, "wave_speeds", 0);
    if (!list && !table) {
        return;
    }
    double *speeds = s->net ? sl_study_alloc(s, (size_t)s->net->n_pipe, sizeof *speeds) : NULL;
    for (int32_t i = 0; speeds && i < s->net->n_pipe; i++) {
        speeds[i] = NAN;
    }
    sl_surge_survey *surveys = list ? sl_study_alloc(s, (size_t)list->n, sizeof *surveys) : NULL;
    for (const sl_yaml_node *row = list ? list->first : NULL; row; row = row->next) {
        read_row(s, row, speeds, surveys);
    }
    if (table) {
        read_table(s, table, speeds);
    }
    if (speeds) {
        check_speeds(s, speeds);
    }
    s->def.pipe_wave_speed = speeds;
    s->def.surveys = surveys;
}
