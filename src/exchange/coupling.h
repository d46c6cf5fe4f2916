/* SPDX-License-Identifier: MIT */
/* coupling.h: a run file: which model is run, with whom it exchanges what (docs/reference/cosim-run.md).
 *
 *     model: town.inp
 *     duration: 24:00
 *     cosim:
 *       in: controller.cosim
 *       out: sluice.cosim
 *       step: 5 min
 *       read:
 *         - {entity: 1, variable: "pump.'P1'.speed"}
 *       write:
 *         - {entity: 42, variable: "tank.'T1'.level", unit: m, description: level of the high tank}
 *
 * The file is read without the model; binding finds the variables in a session of it, and reports what is wrong with them
 * at their places in the file. Numbers are exchanged in the unit of their row, times scale; inside everything is SI. Times are
 * seconds, also of a model whose time counts steps: `step` is then the length of one.
 */
#ifndef SL_EXCHANGE_COUPLING_H
#define SL_EXCHANGE_COUPLING_H

#include <sluice/cosim.h>
#include <sluice/session.h>
#include <sluice/units.h>

#include "text/yaml.h"

/* One row of a list. */
typedef struct sl_coupled {
    const sl_yaml_node *node, *variable_node, *unit_node; /* the last two NULL when they are not there */
    sl_cosim_entity entity;
    sl_cosim_type type;
    const char *variable, *unit, *text; /* unit and text may be NULL */
    double scale;                       /* exchanged = scale * value in the unit */
    sl_var var;                         /* from here on: after binding */
    const sl_unit *outside, *inside;    /* NULL: as it is */
} sl_coupled;

typedef struct sl_coupled_list {
    sl_coupled *at;
    int32_t n;
} sl_coupled_list;

typedef struct sl_coupling {
    sl_context *ctx;
    sl_yaml *doc;
    const char *model;
    double duration; /* [s], also of a model that counts steps; NaN: the model's own */
    const char **result;
    int32_t n_result; /* result files asked for by the run file */
    sl_cosim_def def; /* in, out, uri are borrowed from the document */
    int64_t skip;
    const sl_yaml_node *cosim; /* of the file */
    double
        step; /* between exchanges [s]; INFINITY: the model's own steps. Of a model that counts steps: the length of one */
    bool alone;                                    /* go on alone after the partner's end */
    void (*waiting)(void *user, const char *text); /* hears at once of long waits; NULL: nobody */
    void *user;
    sl_coupled_list read, write;
} sl_coupling;

/* name: as messages call the file. SL_ERR_INPUT: the diagnostics say what is wrong. diags must outlive the coupling. */
sl_status sl_coupling_read(sl_context *ctx, const char *bytes, size_t n, const char *name, sl_diags *diags,
                           sl_coupling **out);
void sl_coupling_destroy(sl_coupling *c);
/* Finds the variables. SL_ERR_INPUT when there are others, or they cannot be set, or a model that counts steps has no `step`; all
 * are looked at. */
sl_status sl_coupling_bind(sl_coupling *c, sl_session *session);

/* Is its time a number of steps? */
bool sl_session_counts_steps(const sl_session *session);

/* A number as exchanged from and to a value [SI]. */
double sl_coupled_in(const sl_coupled *v, double exchanged);
double sl_coupled_out(const sl_coupled *v, double value);

#endif
