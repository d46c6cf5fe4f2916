/* SPDX-License-Identifier: MIT */
/* impl.h: what the files of the surge engine share: the model, the state of a run, the workspace of a step.
 *
 * Model: const after it was made. Two kinds of things join its nodes:
 *   segments  pipes, or pieces of them, with grid points and travel time; they only know their two ends
 *   joints    all else with two ends: valves, pumps, rigid pipes, shut-offs and check valves of pipes
 * and ports let water out of nodes: demands, emitters, leaks, outlets. A segment's characteristics tell a node what it
 * would deliver at any head, so nodes are solved one by one where no joint ends, and together where some do (nodes.c).
 *
 * State: one block of bytes; a step reads one block and writes the other. Units SI.
 */
#ifndef SL_SURGE_IMPL_H
#define SL_SURGE_IMPL_H

#include "base/memory.h"
#include "laws/pipe.h"
#include "laws/tank.h"
#include "numeric/ldl.h"
#include "surge/surge.h"

/* ---- Model -------------------------------------------------------------------------------------- */

/* Friction over one length: h = r(Q) Q. */
typedef struct sl_surge_loss {
    double steady;             /* steady model: r = steady |Q| [s2/m5] */
    double resistance, minor;  /* quasi-steady: of the network's law, and of fittings */
    double relative, re_scale; /* Darcy-Weisbach: roughness / (3.7 D); Re = re_scale |Q| */
    double offset;             /* constant part [m], where no law gives the loss of the steady start */
} sl_surge_loss;

typedef struct sl_surge_segment {
    int32_t pipe, from, to;
    int32_t n;     /* reaches */
    int32_t lanes; /* segments beside it: point j has cell + j lanes in the arrays of a state */
    int64_t at;    /* its first point in the order of the network */
    int64_t cell;  /* its first point in the arrays of a state */
    double chain;  /* chainage of that [m] */
    double reach;  /* [m] */
    double a, b;   /* wave speed [m/s], impedance a/(g A) [s/m2] */
    double area, diameter;
    double courant;
    sl_surge_loss loss; /* over the way a wave goes in a step */
    double flow;        /* of the steady start [m3/s] */
    double datum;       /* head that elastic energy is counted from [m] */
    double kappa;       /* of friction by the square of the flow: see kernel.c [1/m] */
    double gas;         /* of an inner point: (H - Hv) V [m4] */
    double k_u;         /* unsteady friction: see friction.c */
    double decay[10], weight[10];
} sl_surge_segment;

/* Segments that are moved together: one, or SL_SURGE_LANES of the same number of reaches, side by side. */
typedef struct sl_surge_group {
    int32_t first, lanes, n; /* first segment; reaches */
    int64_t cell;
} sl_surge_group;
enum { SL_SURGE_LANES = 8 };

/* Inner points of a group, rows begin .. end-1, that one thread moves at a time; the first and the last one of a group also do its
 * ends. */
typedef struct sl_surge_tile {
    int32_t group, begin, end;
    double vapour; /* twice the highest vapour head [m] */
} sl_surge_tile;
enum { SL_SURGE_TILE = 1024 }; /* cells */
/* The vapour head of cells whose liquid cannot break: of ends, whose water is the nodes', and in models without [m]. */
#define SL_SURGE_NO_VAPOUR (-1e30)

typedef struct sl_surge_curve { /* of a valve's opening */
    sl_surge_characteristic kind;
    double range;
    const double *x, *phi;
    int32_t n;
    bool to_zero; /* equal percentage without a jump at the shut end: (Rg^x - 1)/(Rg - 1) */
} sl_surge_curve;

typedef struct sl_surge_joint {
    int32_t link, from, to;
    int32_t pump;               /* -1: none */
    bool one_way, rigid, moves; /* moves: an opening can be set */
    double inertia;             /* L/(g A) [s2/m2] */
    sl_surge_loss loss;         /* of a rigid pipe */
    double linear;              /* [s/m2] */
    double k0, k_unit, k_open;  /* loss of the start [s2/m5], of K = 1; coefficient fully open */
    double inverse0;            /* 1/phi^2 at the start */
    double opening;             /* at the start */
    double flow;                /* at the start */
    sl_surge_curve curve;
    int32_t regulates;                 /* sl_valve_kind of a valve that acts by itself; -1: none */
    double target;                     /* what it holds: a head, a difference of heads [m], a flow [m3/s] */
    double opens_in, closes_in;        /* what its actuator takes for the whole stroke [s]; 0: nothing */
    double lag;                        /* time constant of a regulator [s]; 0: it follows at once */
    const sl_surge_check_valve *check; /* that shuts late; NULL: ideal, or none */
    double check_area;                 /* [m2] */
    int32_t loss_curve;                /* of a GPV: its index among the valves; -1: none */
    double curve_factor;               /* of that, so that the start is met */
} sl_surge_joint;

typedef struct sl_surge_machine { /* a pump */
    int32_t joint;
    double q_rated, h_rated, speed_rated, torque_rated, inertia;
    bool ratchet;
    double *head, *torque; /* [SL_SURGE_SUTER + 1] over the angle pi + atan2(v, s) */
    double scale;          /* of the head, so that the start is met */
    double speed;          /* at the start, relative to the network's curve */
    double offset;         /* [m], where no scale does */
} sl_surge_machine;
enum { SL_SURGE_SUTER = 704 };

enum { SL_PORT_DEMAND = 0, SL_PORT_NETWORK, SL_PORT_OUTLET };
typedef struct sl_surge_port { /* q = f c y^n, y = H - zero */
    int32_t node, kind, outlet;
    double c, n, zero;
    bool both_ways;
} sl_surge_port;

/* The head over that of vapour below which gas counts as a cavity [m]. */
#define SL_SURGE_VAPOUR_NEAR 0.1

/* A smaller demand is what rounding left of none [m3/s]. */
#define SL_SURGE_DEMAND_NONE 1e-12

enum { SL_NODE_FREE = 0, SL_NODE_FIXED, SL_NODE_TANK };

/* An end of a segment: k at its first point, n_segment + k at its last one. */
typedef int32_t sl_surge_end;

struct sl_surge_model {
    sl_context *ctx;
    sl_arena arena;
    const sl_network *net;
    sl_surge_def def; /* its arrays are copies */
    sl_surge_fluid fluid;
    double dt, implicit; /* weight of the new flow in friction */
    double vapour_gauge; /* vapour head above the elevation [m] */
    int32_t n_memory;    /* numbers of unsteady friction per point */

    int32_t n_node; /* the network's, then its own */
    double *z, *start_head, *start_demand;
    uint8_t *kind, *node_plain; /* [n_node] node_plain: see nodes.c */
    double *storage;            /* [m2] of rigid pipes */
    double *gas;                /* (H - Hv) V [m4] */
    double *node_vapour;        /* [m] */
    int32_t *end_start, *port_start;
    sl_surge_end *ends;
    sl_surge_port *ports;
    int32_t n_port;

    int32_t n_segment, n_joint, n_pump;
    sl_surge_segment *segments;
    sl_surge_joint *joints;
    sl_surge_machine *pumps;
    sl_surge_group *groups;
    int32_t n_group, n_tile;
    sl_surge_tile *tiles;
    int64_t n_cell;
    double *cell_vapour; /* [n_cell] */
    bool plain;          /* friction by the square, whole reaches, no memory, no gas: one loop moves all */
    /* The same of segments, side by side. */
    double *kappa, *offset, *inverse_b, *datum;
    int32_t *node_from, *node_to;
    int32_t *joint_of_link; /* [n_link], -1: none */
    int32_t *survey_of;     /* [n_pipe], -1: none */

    int64_t n_point;
    int64_t *point_start; /* [n_pipe + 1] */
    double *chainage, *elevation, *vapour, *point_start_head;
    int64_t *probe_point;
    int32_t *point_segment; /* [n_point] -1: of a rigid pipe */

    sl_tank_law *tanks;
    int32_t *node_slot; /* [n_node] unknown in the system of nodes with joints, -1: none */
    int32_t *slot_node, n_slot;
    sl_ldl *ldl;           /* NULL: no joints */
    int32_t *event_target; /* [n_event] */
    int32_t n_target, n_regulator;

    sl_surge_pipe *pipe;
    sl_surge_grid grid;
    size_t state_size;
    size_t rare_at,
        small_at; /* the part from small_at on is copied at every step, that from rare_at where it changed */
    size_t history_size;
    double highest, lowest; /* heads that a stop of all flow can reach [m]; infinite where that is not known */
    uint64_t hash;
};

/* ---- State -------------------------------------------------------------------------------------- */

typedef struct sl_surge_scalars {
    double begin; /* time from which steps count [s] */
    int64_t n;    /* steps since */
    double time;
    int64_t n_step, n_iteration;
    sl_surge_balance balance;
    sl_surge_alarm_state alarms[SL_SURGE_ALARM_COUNT];
    int32_t broke_node, broke_pipe; /* where the column first broke; -1 */
    double broke_at;                /* chainage there [m] */
    bool broke;
    int64_t rare;               /* the last step in which what rarely changes did */
    double volume, gas, energy; /* in pipes by pressure, in cavities [m3], of pipes [J], at the start */
} sl_surge_scalars;

/* Pointers into one block; the layout depends on the model only. Arrays over cells hold what arrives at a point along the two
 * characteristics: all else follows from it (points.h). */
typedef struct sl_surge_state {
    unsigned char *block;
    /* Cells. */
    double *plus, *minus; /* C+ and C- [m]; at an end, what its node sends is such that their mean is its head */
    double *ease;         /* B/(B + w r) of trapezoidal friction, 1 - r/(2B) of explicit friction */
    double *head;         /* with gas or vapour that has a volume; else NULL */
    double *cavity;       /* likewise [m3] */
    double *memory;       /* of unsteady friction; that of convolution in blocks of eight cells */
    double *pull;         /* the sum of convolution; NULL otherwise */
    double *seen;         /* [n_group] the last step with a cavity */
    double *turned_at,
        *turns; /* [n_node] of the network: head at the last turn, part of steps that have one: swings.c */
    double *node_head, *node_out, *node_gas; /* [n_node] */
    /* What rarely changes. */
    double *factor, *fixed, *given;              /* [n_node] of demands; heads that are given */
    double *node_first, *node_time, *node_count; /* [n_node] of cavities */
    double *broken;                              /* [n_segment] 1: there is a cavity within */
    double *pipe_joined;                         /* [n_pipe] how often that ended */
    /* The small part. */
    sl_surge_scalars *x;
    double *port_flow;                   /* [n_port] */
    double *joint_flow, *opening;        /* [n_joint] */
    double *asked, *by_hand, *slow_flow; /* [n_joint] opening that is wanted; 1: it is driven; of regulators */
    double *turned;                   /* [n_joint] deceleration with which water turned back in a check valve [m/s2] */
    double *speed, *torque, *tripped; /* [n_pump] */
    double *tank_in, *overflow;       /* [n_tank] */
    double *outlet;                   /* [n_outlet] openings */
    double *event_at, *event_from;    /* [n_event] */
    double *trigger_since, *trigger_at; /* [n_trigger] */
    double *ruler;                      /* [n_target] the event that rules; -1: none */
} sl_surge_state;

/* What was highest, lowest and longest up to the step before the last: a step brings it up to the state that it begins from
 * (history.c). */
typedef struct sl_surge_history {
    unsigned char *block;
    double *until;                                                      /* number of the last step in it */
    double *hmax, *hmin, *tmax, *tmin;                                  /* [n_cell]; NULL without envelopes */
    double *cavity_max, *cavity_first, *cavity_time, *cavity_count;     /* [n_cell]; NULL without cavitation */
    double *node_max, *node_min, *node_tmax, *node_tmin, *node_gas_max; /* [n_node] */
} sl_surge_history;

/* Arrays that are shown: points in the order of the network, and history up to the state that is shown. */
typedef struct sl_surge_copies {
    bool made, points_fresh, nodes_fresh;
    double *head, *flow_in, *flow_out, *cavity;
    double *hmax, *hmin, *tmax, *tmin, *cavity_max, *cavity_first, *cavity_time, *cavity_count;
    double *node_max, *node_min, *node_tmax, *node_tmin, *node_gas_max;
} sl_surge_copies;

typedef struct sl_surge_run {
    sl_context *ctx;
    const sl_surge_model *m;
    sl_arena arena;
    sl_surge_state *now, *before, *other; /* of the three */
    sl_surge_state states[3];
    sl_surge_history history;
    const sl_surge_state *shown;
    sl_surge_copies *page;
    bool started, other_made;
    /* Workspace. */
    double *forth, *back;             /* [n_cell] what leaves segments that are smoothed; with gas or vapour */
    double *arrive, *admit;           /* [2 n_segment] at ends: the characteristic, 1/(B + w r) */
    double *tile_torn, *tile_clamped; /* [n_tile] cavities that were seen; growth that the clamp forgets [m3/s] */
    double *group_work;               /* [n_group] done at ends in the last step [m4/s] */
    bool takes;                       /* this step takes the state that it begins from into the history */
    double *ldl, *rhs;
    double *joint_slope, *joint_loss, *joint_k; /* [n_joint] */
    double *joint_cap, *joint_last;             /* [n_joint] largest and last change of a pump's flow */
    uint8_t *joint_shut, *node_pin;
    double *node_miss, *node_work; /* [n_slot], [6 n_slot] */
    double **cache;
    uint8_t *fresh;
    struct sl_surge_log *log; /* events of the last step */
} sl_surge_run;

static inline bool sl_surge_has_cavities(const sl_surge_model *m) {
    return m->def.cavitation != SL_SURGE_LIQUID;
}

/* ---- Making a model ----------------------------------------------------------------------------- */

/* The model's own copy of the study may be changed while the model is made. */
#define SL_SURGE_OWN(type, record) ((type *)(void *)(uintptr_t)(record))
void *sl_surge_alloc(sl_surge_model *m, int64_t n, size_t size, bool *bad);
/* A message about a record of the study: its file and line. */
void sl_surge_add_diag(const sl_surge_model *m, sl_diags *diags, sl_severity severity, sl_code code, uint32_t line,
                       const char *kind, const char *id, const char *hint, const char *fmt, ...) SL_PRINTF(9, 10);
/* check.c: is every record about something that exists? */
bool sl_surge_check(const sl_surge_model *m, sl_diags *diags);

/* What the network does at the start. */
typedef struct sl_surge_steady {
    double *head, *demand, *emitter, *leak; /* [n_node] */
    double *flow, *speed;                   /* [n_link]; speed of pumps */
    double *setting;                        /* [n_link]; NaN: a valve's status governs */
    uint8_t *acts;                          /* [n_link] a valve that holds its setting */
    uint8_t *closed;                        /* [n_link] */
    uint8_t *held_shut;                     /* [n_link] by a check valve, or a pump that cannot deliver */
} sl_surge_steady;
/* steady.c */
sl_status sl_surge_steady_find(sl_surge_model *m, sl_diags *diags, sl_surge_steady *s);
/* grid.c: dt and the reaches of every pipe, into m->pipe and m->grid. */
sl_status sl_surge_grid_find(sl_surge_model *m, const sl_surge_steady *s, sl_diags *diags);
/* compile.c: nodes, segments, joints, points. */
sl_status sl_surge_layout(sl_surge_model *m, const sl_surge_steady *s, sl_diags *diags);
/* match.c: laws that hold the steady start. */
sl_status sl_surge_match(sl_surge_model *m, const sl_surge_steady *s, sl_diags *diags);
/* A flow that counts as one: a thousandth of a millimetre per second [m/s]. */
#define SL_SURGE_VELOCITY_SMALL 1e-6
/* valves.c: the loss of a valve against its opening; the study's record of it, or NULL. False: no memory. */
bool sl_surge_valve_match(sl_surge_model *m, sl_surge_joint *j, const sl_surge_steady *s);
const sl_surge_valve *sl_surge_valve_record(const sl_surge_model *m, int32_t link);
/* The largest loss or target by which the start and a law differ, kept for the report. */
void sl_surge_note_residual(sl_surge_model *m, double miss);
/* ports.c */
sl_status sl_surge_ports(sl_surge_model *m, const sl_surge_steady *s, sl_diags *diags);
/* effects.c: names the events that cannot change anything. */
void sl_surge_effects(const sl_surge_model *m, sl_diags *diags);
/* At the end of a run: those whose triggers did not fire. */
void sl_surge_report_waiting(const sl_surge_run *e, sl_diags *diags);
/* machine.c: a pump's four quadrants, through the point of the start. */
sl_status sl_surge_machine_make(sl_surge_model *m, int32_t pump, const sl_surge_steady *s, sl_diags *diags);

/* ---- Laws --------------------------------------------------------------------------------------- */

/* friction.c: r of n flows; the terms of unsteady friction. */
void sl_surge_slope(const sl_surge_model *m, const sl_surge_loss *loss, int64_t n, const double *q, double *r);
int32_t sl_surge_friction_memory(const sl_surge_model *m);
void sl_surge_friction_prepare(const sl_surge_model *m, sl_surge_segment *g);
/* Takes the unsteady terms from what leaves rows begin .. end-1 of a segment in the state before: forth[0] is that of row begin. */
void sl_surge_friction_leave(const sl_surge_run *e, const sl_surge_segment *g, int32_t begin, int32_t end,
                             double *forth, double *back);
/* The memory of the new state in these rows, once its flows are there. */
void sl_surge_friction_remember(const sl_surge_run *e, const sl_surge_segment *g, int32_t begin, int32_t end);

double sl_surge_phi(const sl_surge_curve *curve, double x);
/* The opening at which phi is this, where phi rises. */
double sl_surge_phi_inverse(const sl_surge_curve *curve, double phi);
/* Head and torque, relative to the rated ones, at relative flow v and speed s. */
void sl_surge_suter(const sl_surge_machine *p, double v, double s, double *h, double *beta);

/* ---- State -------------------------------------------------------------------------------------- */

size_t sl_surge_state_bytes(sl_surge_model *m);
void sl_surge_state_bind(const sl_surge_model *m, sl_surge_state *s, void *block);
void sl_surge_state_start(const sl_surge_model *m, sl_surge_state *s);
/* to = the state at t between two. */
void sl_surge_state_between(const sl_surge_model *m, sl_surge_state *to, const sl_surge_state *a,
                            const sl_surge_state *b, double t);

/* ---- A step ------------------------------------------------------------------------------------- */

/* events.c: what is set at the new time. */
void sl_surge_events(const sl_surge_model *m, sl_surge_state *s, double t);
double sl_surge_value(const sl_surge_model *m, const sl_surge_state *s, sl_surge_quantity what, int32_t index);
/* Does a set hold the quantity; ends that hold: the event that started last rules again, or the value of the start holds. */
bool sl_surge_is_held(const sl_surge_model *m, const sl_surge_state *s, sl_surge_quantity what, int32_t index);
void sl_surge_release(const sl_surge_model *m, sl_surge_state *s, sl_surge_quantity what, int32_t index);
/* What a state begins with. */
double sl_surge_start_value(const sl_surge_model *m, sl_surge_quantity what, int32_t index);
/* Events of these two have the same target. */
bool sl_surge_same_target(sl_surge_quantity a, sl_surge_quantity b);
void sl_surge_assign(const sl_surge_model *m, sl_surge_state *s, sl_surge_quantity what, int32_t index, double x);
/* groups.c: segments in groups, their cells and tiles; what the kernel needs of them. */
sl_status sl_surge_group_segments(sl_surge_model *m);
sl_status sl_surge_lay_cells(sl_surge_model *m);
/* kernel.c: characteristics and inner points of segments; their ends once the nodes are known. */
void sl_surge_inner(sl_surge_run *e);
void sl_surge_outer(sl_surge_run *e);
/* smooth.c: takes oscillation of grid scale, which cavities make, from what leaves the points of a segment: forth and back at all of
 * them. Two arrays of as many are workspace. */
bool sl_surge_smooths(const sl_surge_run *e, int32_t group);
void sl_surge_smooth(const sl_surge_run *e, const sl_surge_segment *g, double *forth, double *back, double *turn,
                     double *flow);
/* passes.c: what leaves segments that are smoothed; a tile by passes, one for each law. */
void sl_surge_leave_smooth(sl_surge_run *e, int32_t group);
void sl_surge_tile_passes(sl_surge_run *e, int32_t tile);
/* cavity.c: rows begin .. end-1 of a segment where the liquid may break; how many did, or had. */
int64_t sl_surge_cavities(const sl_surge_run *e, const sl_surge_segment *g, int32_t begin, int32_t end);
/* What a clamped point is shown with, which has no volume: so that it can be told [m3]. */
#define SL_SURGE_CLAMPED 1e-12
/* The least volume that counts as a cavity at inner points of a segment [m3]. */
double sl_surge_cavity_least(const sl_surge_model *m, const sl_surge_segment *g);
/* history.c */
size_t sl_surge_history_bind(const sl_surge_model *m, sl_surge_history *h, void *block);
void sl_surge_history_start(const sl_surge_model *m, sl_surge_history *h, const sl_surge_state *s);
/* Takes the heads of n cells at time t. */
void sl_surge_history_heads(const sl_surge_history *h, int64_t cell, int64_t n, double t, const double *head);
/* Takes what a step begins from: cavities and nodes; heads are the kernel's. */
void sl_surge_history_step(sl_surge_run *e);
/* Takes the state of now whole, as one that cannot be undone. */
void sl_surge_history_settle(sl_surge_run *e);
/* Brings what is shown up to date. False: no memory. */
bool sl_surge_page_points(sl_surge_run *e);
bool sl_surge_page_nodes(sl_surge_run *e);
/* nodes.c */
void sl_surge_nodes_prepare(sl_surge_model *m);
void sl_surge_nodes(sl_surge_run *e);
/* accounts.c */
void sl_surge_accounts(sl_surge_run *e);
/* Are all heads of nodes, and the work done, numbers? */
bool sl_surge_is_finite(const sl_surge_run *e);
/* The sums of the run with what is stored now. */
sl_surge_balance sl_surge_balance_of(const sl_surge_model *m, const sl_surge_state *s);
void sl_surge_balance_start(const sl_surge_model *m, sl_surge_state *s);

/* bounds.c: what stopping all flow can do at most, where that can be told; whether it was more. */
void sl_surge_bounds_find(sl_surge_model *m);
void sl_surge_bounds_watch(sl_surge_run *e);
/* columns.c: what is kept about broken columns. The first inner point of a segment with a cavity, or -1. */
void sl_surge_columns(sl_surge_run *e);
int64_t sl_surge_first_cavity(const sl_surge_model *m, const sl_surge_state *s, const sl_surge_segment *g);
/* swings.c: heads that the grid decides. */
void sl_surge_swings_watch(sl_surge_run *e);
/* Adds to what is known about an alarm. */
void sl_surge_raise(sl_surge_run *e, sl_surge_alarm alarm, double worst, int32_t node, int32_t pipe, double chainage);
/* messages.c: alarms and the first cavity, once each. */
void sl_surge_report_events(const sl_surge_run *e, sl_diags *diags);
/* A length in the unit of the network, "705 m" or "2313 ft". */
enum { SL_SURGE_LENGTH_MAX = 32 };
const char *sl_surge_length_text(const sl_network *net, double x, char buf[SL_SURGE_LENGTH_MAX]);
/* event_log.c: what happened in the last step, found when it is asked for or before the ends of the step are lost. */
typedef struct sl_surge_log sl_surge_log;
bool sl_surge_log_create(sl_surge_run *e);
/* A step was made, else: there are no events. */
void sl_surge_log_expect(const sl_surge_run *e, bool stepped);
void sl_surge_log_find(const sl_surge_run *e);
/* Forgets those after t. */
void sl_surge_log_cut(const sl_surge_run *e, double t);
const sl_engine_event *sl_surge_log_events(const void *engine, int32_t *n);
/* fields.c */
extern const sl_field sl_surge_fields[];
const double *sl_surge_data(sl_surge_run *e, int32_t field);
int32_t sl_surge_count(const void *engine, int32_t field);
const char *sl_surge_element(const void *engine, int32_t field, int32_t index);

#endif
