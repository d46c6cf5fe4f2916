/* SPDX-License-Identifier: MIT */
/* sluice/eps.h: extended-period simulation of a network: options of a run, and status codes of links.
 */
#ifndef SLUICE_EPS_H
#define SLUICE_EPS_H

#include <sluice/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sl_rule_reading {
    SL_RULES_EPANET = 0, /* premises apply in order: A OR B AND C is (A OR B) AND C */
    SL_RULES_PRECEDENCE  /* AND binds more tightly than OR */
} sl_rule_reading;

typedef enum sl_tank_update {
    SL_TANKS_AUTO = 0, /* explicit; implicit substeps where an explicit step would be unstable */
    SL_TANKS_EXPLICIT,
    SL_TANKS_IMPLICIT
} sl_tank_update;

/* Integration of reactions over a quality step. */
typedef enum sl_reaction_step {
    SL_REACTIONS_EXPLICIT = 0, /* by the rate at the start of the step, as in EPANET: first-order error */
    SL_REACTIONS_EXACT /* first order (of reaction) exactly, other orders with an error of fourth order in the step */
} sl_reaction_step;

/* Effect of a step that is not balanced. */
typedef enum sl_unbalanced {
    SL_UNBALANCED_FILE = 0, /* as the option UNBALANCED of the file; without it the run continues */
    SL_UNBALANCED_STOP,
    SL_UNBALANCED_CONTINUE
} sl_unbalanced;

/* Options of a simulation beyond those of the file. */
typedef struct sl_eps_def {
    size_t size;
    sl_rule_reading rules;
    sl_tank_update tanks;
    double head_error; /* largest head-loss residual of a link that counts as balanced [m]; 0: the default */
    double duration;   /* [s], overrides the file's; NaN: the file's */
    sl_reaction_step reactions;
    bool hydraulics_only; /* no water quality, even if the file asks for it */
    sl_unbalanced unbalanced;
    double tank_error; /* largest error of a tank's level in one substep of stiff tanks [m]; 0: the default, 0.05 */
} sl_eps_def;

SL_DEFAULT(sl_eps_def, sl_eps_default)

/* EPANET's status codes of links in .out files. */
typedef enum sl_out_status {
    SL_STATUS_XHEAD = 0,   /* pump closed: cannot deliver the head */
    SL_STATUS_TEMP_CLOSED, /* closed by the solver: check valve, full or empty tank */
    SL_STATUS_CLOSED,
    SL_STATUS_OPEN,
    SL_STATUS_ACTIVE,   /* valve holds its setting */
    SL_STATUS_XFLOW,    /* pump above its curve */
    SL_STATUS_XFCV,     /* flow control valve cannot reach its flow */
    SL_STATUS_XPRESSURE /* valve cannot hold its pressure */
} sl_out_status;

#ifdef __cplusplus
}
#endif
#endif
