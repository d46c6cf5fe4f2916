/* SPDX-License-Identifier: MIT */
/* instance.h: what an execution of the hybrid model of tunnels holds, and how its variables are numbered; see model.h. */
#ifndef SL_TUNNEL_INSTANCE_H
#define SL_TUNNEL_INSTANCE_H

#include "hybrid/hybrid.h"
#include "tunnel/model.h"
#include "tunnel/structure.h"

/* Equations of an end, of a pipe, of a valve. A full column has one of four: bit 0: its upper end is a free front, bit 1: its lower. */
enum { EQUATION_VOLUME = 0, EQUATION_HALF, END_N_EQUATION };
enum { EQUATION_SAME = 0, EQUATION_FULL, PIPE_N_EQUATION = EQUATION_FULL + 4 };
enum {
    EQUATION_BALANCE = 0, /* of flows: the head follows */
    EQUATION_LEVEL,
    EQUATION_FALL,
    EQUATION_PINNED,
    EQUATION_TUB,   /* what is outside gives to the valve */
    EQUATION_STORE, /* ... and what is outside is not joined to it */
    EQUATION_FLOOD, /* the same two of a reservoir at its rim */
    EQUATION_FLOOD_STORE,
    EQUATION_RIM,
    VALVE_N_EQUATION
};

/* A flow has two: of which the one is in force that its flow bit leaves. */
enum { ROOT_EMPTY = 0, ROOT_FLOW, ROOT_BACK, ROOT_ENTER, END_N_ROOT };
enum {
    ROOT_TUB_FLOW = 0,
    ROOT_TUB_BACK,
    ROOT_SPILL,
    ROOT_TUB_WET,
    ROOT_TUB_DRY,
    ROOT_SUCTION,
    ROOT_RIM,
    ROOT_EBB,
    VALVE_N_ROOT
};

/* Scratch of action.c, for the largest body. */
typedef struct tunnel_projection {
    double *impulse, *mass, *flow;     /* [n_valve], [2 n_pipe], [4 n_pipe] */
    int32_t *valves, *columns;         /* [n_valve], [2 n_pipe] */
    int32_t *row;                      /* [n_valve] */
    int32_t *from, *to;                /* [2 n_pipe] */
    uint8_t *is_held, *rule;           /* [2 n_pipe], [n_valve] */
    uint8_t *valve_seen, *column_seen; /* [n_valve], [2 n_pipe] 0 between calls */
} tunnel_projection;

typedef struct tunnel_instance {
    sl_context *ctx;
    const sl_tunnel_model *model;
    const sl_tunnel_network *net;
    int32_t n_x, n_q, n_bit, n_equation, n_root;
    sl_tunnel_marks marks;
    sl_tunnel_structure now; /* of q, or of what is predicted */
    const int32_t *predicted;
    /* Blocks by what has changed there since something was last done about it: structure and what is in force may be others; a copy of
     * these while a prediction holds; any variable, since sense; joints, legs, openings and events, since sense. */
    sl_tunnel_set stale, ahead, touched, altered;
    sl_tunnel_set region;       /* scratch: what sense and actions concern */
    sl_tunnel_set again;        /* of sense: decided only in part, the rest follows the next time */
    bool acts_on_all;           /* values may be anywhere: sl_hybrid_sense_call */
    double *x;                  /* [n_x] what stands; unknowns of the part that was evaluated last */
    uint8_t *equations, *roots; /* [n_equation], [n_root] in force */
    int32_t *turned, n_turned;  /* [n_equation + n_root] of these the ones that are others than before */
    int32_t *changed;           /* [n_q] */
    int32_t *acted;             /* [n_x] */
    int32_t n_acted;            /* -1: not known */
    double *before;             /* [n_x] before actions, of acted */
    tunnel_projection projection;
    int32_t *local;     /* [n_x] scratch: numbers within a part or a body, -1 */
    int32_t *wanted;    /* [2 n_pipe + n_valve] scratch of sense.c */
    uint8_t *is_front;  /* [2 n_pipe] scratch of compiling */
    uint8_t *is_wanted; /* [2 n_pipe] scratch of sense.c */
    double *row_values; /* [max_degree + n_valve + 3] scratch */
    double *relief;     /* [n_q] times that a variable changed too often */
    sl_hybrid_incidence incidence;
    sl_arena arena; /* all of it */
    const char **x_names, **q_names, **root_names;
} tunnel_instance;

/* ---- Continuous variables: volumes and flows of ends, water outside, heads, floods ----------------- */

static inline int32_t x_volume(int32_t e) {
    return e;
}
static inline int32_t x_flow(const sl_tunnel_network *net, int32_t e) {
    return 2 * net->n_pipe + e;
}
static inline int32_t x_water(const sl_tunnel_network *net, int32_t v) {
    return 4 * net->n_pipe + v;
}
static inline int32_t x_head(const sl_tunnel_network *net, int32_t v) {
    return 4 * net->n_pipe + net->n_valve + v;
}
static inline int32_t x_flood(const sl_tunnel_network *net, int32_t v) {
    return 4 * net->n_pipe + 2 * net->n_valve + v;
}

/* What a partner gives beside the file, which stands unless it is set: inflow of a reservoir, rise of a prescribed level. */
static inline int32_t x_inflow(const sl_tunnel_network *net, int32_t v) {
    return 4 * net->n_pipe + 3 * net->n_valve + v;
}
static inline int32_t x_rise(const sl_tunnel_network *net, int32_t v) {
    return 4 * net->n_pipe + 4 * net->n_valve + v;
}

/* ---- Discrete ones after those of bits.h: openings as they are wanted, floods, whether actions are due ---- */

static inline int32_t q_tub_gate(const sl_tunnel_network *net, int32_t v) {
    return sl_tunnel_n_bit(net) + v;
}
static inline int32_t q_end_gate(const sl_tunnel_network *net, int32_t e) {
    return sl_tunnel_n_bit(net) + net->n_valve + e;
}
static inline int32_t q_flood(const sl_tunnel_network *net, int32_t v) {
    return sl_tunnel_n_bit(net) + net->n_valve + 2 * net->n_pipe + v;
}
static inline int32_t q_action(const sl_tunnel_network *net) {
    return sl_tunnel_n_bit(net) + 2 * net->n_valve + 2 * net->n_pipe;
}

/* ---- Equations and roots ------------------------------------------------------------------------ */

static inline int32_t equation_of_end(int32_t e, int32_t k) {
    return END_N_EQUATION * e + k;
}
static inline int32_t equation_of_pipe(const sl_tunnel_network *net, int32_t i, int32_t k) {
    return 2 * END_N_EQUATION * net->n_pipe + PIPE_N_EQUATION * i + k;
}
static inline int32_t equation_of_valve(const sl_tunnel_network *net, int32_t v, int32_t k) {
    return (2 * END_N_EQUATION + PIPE_N_EQUATION) * net->n_pipe + VALVE_N_EQUATION * v + k;
}
static inline int32_t root_of_pipe(int32_t i) { /* it becomes full */
    return i;
}
static inline int32_t root_of_end(const sl_tunnel_network *net, int32_t e, int32_t k) {
    return net->n_pipe + END_N_ROOT * e + k;
}
static inline int32_t root_of_valve(const sl_tunnel_network *net, int32_t v, int32_t k) {
    return (1 + 2 * END_N_ROOT) * net->n_pipe + VALVE_N_ROOT * v + k;
}

/* Never zero: a part of its own, which ends at times when gates are moved. */
static inline int32_t root_of_schedule(const sl_tunnel_network *net) {
    return root_of_valve(net, net->n_valve, 0);
}

/* Levels that differ by less are one [m]. */
#define LEVEL_TOLERANCE 1e-10

/* ---- Quantities ----------------------------------------------------------------------------------- */

static inline double pipe_capacity(const sl_tunnel_pipe *p) {
    return p->area * p->length;
}
static inline double volume_tolerance(const sl_tunnel_pipe *p) {
    return 1e-10 * pipe_capacity(p);
}
/* Half the inertance of a full column, or that of a half column [s2/m2]. */
static inline double end_inertance(const sl_tunnel_pipe *p, double volume) {
    return (volume / p->area + p->added_length) / (SL_TUNNEL_GRAVITY * p->area);
}
/* Water outside, of a reservoir what is in it [m3]; its level [m]. The variable is without the inflow of the file, whose integral is known: so
 * water is kept to rounding. */
static inline double tub_water(const sl_tunnel_network *net, int32_t v, double t, const double *x) {
    return x[x_water(net, v)] + sl_tunnel_series_integral(&net->valves[v].inflow, t);
}
static inline double tub_level(const sl_tunnel_network *net, int32_t v, double t, const double *x) {
    const sl_tunnel_valve *valve = &net->valves[v];
    return valve->tub == SL_TUB_LEVEL ? sl_tunnel_series_at(&valve->levels, t) + x[x_rise(net, v)]
                                      : sl_tunnel_reservoir_level(valve, tub_water(net, v, t, x));
}
/* From outside to a reservoir [m3/s]. */
static inline double tub_inflow(const sl_tunnel_network *net, int32_t v, double t, const double *x) {
    return sl_tunnel_series_at(&net->valves[v].inflow, t) + x[x_inflow(net, v)];
}
static inline bool tub_has_level(const sl_tunnel_valve *v) {
    return v->tub == SL_TUB_LEVEL || v->tub == SL_TUB_RESERVOIR;
}
/* From the tub into the network, of flows or of their derivatives. */
double tunnel_tub_flow(const tunnel_instance *o, const double *x, int32_t v);
/* What comes to a tub and does not leave it [m3/s]: inflow, floods of others, less what it gives. */
double tunnel_gain(const tunnel_instance *o, int32_t v, double t, const double *x);
/* The elevation of the free end of a half column [m]. */
double tunnel_front(const sl_tunnel_pipe *p, int32_t side, double volume);
/* The hysteresis of a tub, as wide as it was asked for. */
double tunnel_hysteresis(const tunnel_instance *o, int32_t v);

/* The discrete state that equations and actions go by. */
static inline const int32_t *state_in_force(const tunnel_instance *o, const int32_t *q) {
    return o->predicted ? o->predicted : q;
}
bool tunnel_has_events(const tunnel_instance *o, const int32_t *q);

/* equations.c */
sl_status tunnel_compile_part(void *instance, int32_t n_equation, const int32_t *equations, int32_t n_root,
                              const int32_t *roots, sl_diags *diags, sl_hybrid_mode *out);
void tunnel_release_part(void *instance, int32_t id, const sl_hybrid_mode *mode);
/* The blocks that a compiled part concerns. */
void tunnel_add_part(const tunnel_instance *o, const sl_hybrid_mode *mode, sl_tunnel_set *set);
double tunnel_part_limit(void *instance, const sl_hybrid_mode *mode, double t);
/* force.c */
double tunnel_root(const tunnel_instance *o, int32_t root, double t, const double *x);
bool tunnel_make_incidence(tunnel_instance *o);
sl_status tunnel_force(void *instance, const int32_t *q, sl_diags *diags, sl_hybrid_force *out);
/* sense.c */
sl_status tunnel_sense(void *instance, const sl_hybrid_sense_call *at, int32_t *q, sl_diags *diags,
                       const int32_t **changed, int32_t *n_changed);
/* action.c */
bool tunnel_projection_init(tunnel_projection *p, const sl_tunnel_network *net, sl_arena *arena);
/* The variables that the next action may set, or read: in acted. */
void tunnel_find_acted(tunnel_instance *o);
/* Volumes and flows after the events of q, in the structure in force. */
sl_status tunnel_project(tunnel_instance *o, const int32_t *q, double *x);

#endif
