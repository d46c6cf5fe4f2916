/* SPDX-License-Identifier: MIT */
/* impl.h: what the files of the eps engine share: the model, the state of a run, the workspace of the solver.
 *
 * Model: derived from the network once, const after that. State: one block of bytes, so that saving, copying and going
 * back are one memcpy. Workspace: of no meaning between two solves.
 */
#ifndef SL_EPS_IMPL_H
#define SL_EPS_IMPL_H

#include "base/memory.h"
#include "base/simd.h"
#include "eps/core.h"
#include "eps/eps.h"
#include "laws/outlet.h"
#include "laws/pipe.h"
#include "laws/pump.h"
#include "laws/tank.h"
#include "network/epanet_units.h"
#include "quality/hydraulics.h"
#include "quality/quality.h"

struct sl_pool;

/* ---- Model -------------------------------------------------------------------------------------- */

/* A quantity that premises of rules read: rule_index.c. */
typedef struct sl_eps_reading {
    const sl_premise *of; /* the first of those that read it */
    double unit;          /* of the values compared, in SI */
    int32_t begin, end;   /* in the lists of the index */
} sl_eps_reading;

typedef struct sl_eps_rule_index {
    sl_eps_reading *reading;
    int32_t n_reading;
    int32_t *premise;  /* those of a reading after each other, by threshold */
    double *threshold; /* of each of these */
    int32_t *rule;     /* [n_premise] to which a premise belongs */
} sl_eps_rule_index;

typedef struct sl_eps_timed {
    double at; /* [s] */
    int32_t control;
} sl_eps_timed;

struct sl_eps_model {
    sl_context *ctx;
    sl_arena arena;
    const sl_network *net;
    sl_eps_def def;
    double duration; /* [s] */

    sl_eps_core *core;
    const int32_t *at_start, *at_link; /* links at each node */

    double *pipe_resistance, *pipe_minor;
    sl_dw_pipe *pipe_dw; /* Darcy-Weisbach only */
    sl_pump_law *pump;
    double *valve_minor; /* of the open valve [s2/m5] */
    sl_tank_law *tank;
    double *link_area; /* bore [m2]; 0: a pump */

    int32_t n_outlet;
    int32_t *outlet_node;
    uint8_t *outlet_kind;
    sl_outlet_law *outlet;
    double *outlet_zero;            /* head of zero flow [m] */
    sl_demand_law demand;           /* of outlets that are demands */
    int32_t *other_outlet, n_other; /* those that are not: emitters and leaks */

    /* Links that the status logic looks at. */
    int32_t n_watched, n_regulator, n_breaker;
    int32_t *watched;   /* check valves, pumps, flow control valves, links at tanks */
    int32_t *regulator; /* pressure reducing and sustaining valves */
    int32_t
        *breaker; /* valves that hold head back at rest: pressure breakers, curves of losses that begin above zero */
    bool pressure_controls;
    sl_eps_timed *timed; /* controls AT TIME that are enabled, by time and in the order of the file */
    int32_t *untimed;    /* the other ones that are enabled */
    int32_t n_timed, n_untimed;
    bool limits_flow;          /* there are flow control valves */
    bool limits_supply;        /* ... or one-way links and inflows, beside fixed demands: supply.c */
    bool one_demand_each;      /* no junction has more or fewer */
    double factor[SL_Q_COUNT]; /* file units to SI */
    sl_eps_rule_index rules;
    uint64_t hash;
    sl_quality_model *quality; /* NULL: none is asked for */

    size_t state_size;
};

/* Kind of a link by its index. */
static inline bool sl_is_pump(const sl_network *net, int32_t link) {
    return link >= net->n_pipe && link < net->n_pipe + net->n_pump;
}
static inline bool sl_is_valve(const sl_network *net, int32_t link) {
    return link >= net->n_pipe + net->n_pump;
}
static inline int sl_valve_kind_of(const sl_network *net, int32_t link) {
    return sl_is_valve(net, link) ? (int)net->valve_kind[link - net->n_pipe - net->n_pump] : -1;
}
static inline int32_t sl_first_tank(const sl_network *net) {
    return net->n_junction + net->n_reservoir;
}

/* ---- State -------------------------------------------------------------------------------------- */

/* Sums over time; volumes [m3]. */
typedef struct sl_eps_balance {
    double inflow, outflow, consumption, emitter, leak, deficit, unserved, overflow, start_volume;
    double rounded; /* put into tanks (+) or taken from them (-) when they were put on a limit */
} sl_eps_balance;

typedef struct sl_eps_energy {
    double online, efficiency, intensity, kwh, peak, cost; /* s, s, kW s/(m3/s), kWh, kW, money */
} sl_eps_energy;

enum { SL_EPS_METHODS = 8 }; /* of solve.c, before statuses are frozen */

/* How the last solve went. */
typedef struct sl_eps_solve_facts {
    double flow_change, head_error, mass_error; /* [1], [m], [m3/s] */
    int32_t trials, worst_link, worst_node;
    int32_t chatters; /* a link that controls on pressures keep switching, or -1 */
    int32_t method;   /* solve.c: its number there; SL_EPS_METHODS: statuses frozen */
    bool balanced;
} sl_eps_solve_facts;

typedef struct sl_eps_scalars {
    double time;      /* [s] of this boundary */
    double rule_time; /* [s] of the last evaluation of rules */
    int64_t n_step, n_trial;
    int64_t n_unbalanced;
    double unserved; /* [m3/s] */
    double demand;   /* of all junctions, by the patterns [m3/s] */
    double peak_kw;
    sl_eps_balance balance;
    sl_eps_balance rate; /* mean over the step that begins here [m3/s] */
    sl_eps_solve_facts facts;
    uint64_t cut_reported;   /* which junctions were last reported as cut off */
    uint64_t limit_reported; /* and which as behind a flow limit */
    bool negative_reported, rounding_reported;
    bool halted;     /* UNBALANCED STOP */
    bool substepped; /* the step that begins here was made of substeps */
} sl_eps_scalars;

/* Bits of the limits a tank stands on: nothing goes into a full one, unless it overflows, nor out of an empty one. A tank
 * without range is both. */
enum { SL_EPS_FULL = 1, SL_EPS_EMPTY = 2 };
/* Quick returns of a tank to its limit in succession: so many pass, and so many are counted. */
enum { SL_EPS_PATIENCE = 4, SL_EPS_QUICK_MAX = 32 };

/* Pointers into one block; the layout depends on the model only. */
typedef struct sl_eps_state {
    unsigned char *block;
    sl_eps_scalars *x;
    double *flow;          /* [n_link] */
    double *head;          /* [n_node] */
    double *setting;       /* of links from n_pipe on: pump speed, valve setting (NaN: governed by its status) */
    double *outlet_flow;   /* [n_outlet] */
    double *wanted;        /* [n_junction] full demand */
    double *unserved;      /* [n_junction] the part of it that flow limits leave open; NULL unless limits_supply */
    double *volume;        /* [n_tank] */
    double *inflow;        /* [n_tank] net, of the solve at this boundary */
    double *mean_inflow;   /* [n_tank] net, over the step that begins here */
    double *overflow;      /* [n_tank] [m3] so far */
    double *rate;          /* [n_tank] (-dQ/dH)/A [1/s] where that counts within the step that begins here, else 0 */
    sl_eps_energy *energy; /* [n_pump] */
    uint8_t *status;       /* [n_link] sl_out_status */
    uint8_t *cut_off;      /* [n_junction] no way to a source */
    uint8_t *stiff;        /* [n_tank] told as stiff */
    uint8_t *limit;        /* [n_tank] the limits it stands on */
    uint8_t *ran_empty;    /* [n_tank] reported as run empty */
    double *arrived;       /* [2][n_tank] time when it last came to be full, to be empty [s] */
    uint8_t *quick;    /* [n_tank] how often it came there again too soon, so that it is held there longer: tanks.c */
    uint8_t *held;     /* [n_tank] reported as held */
    uint8_t *reported; /* [n_link] what was reported about it last, so that it is reported once */
} sl_eps_state;

void sl_eps_state_bind(const sl_eps_model *m, sl_eps_state *s, void *block);
size_t sl_eps_state_bytes(const sl_eps_model *m);
/* Whether bytes from outside can be a state: times, counts, statuses and truths that there are. Flows and heads are left to the
 * solver, which is used to bad ones. */
bool sl_eps_state_is_consistent(const sl_eps_model *m, void *block);
static inline void sl_eps_state_copy(const sl_eps_model *m, sl_eps_state *to, const sl_eps_state *from) {
    __builtin_memcpy(to->block, from->block, m->state_size);
}

/* ---- Engine ------------------------------------------------------------------------------------- */

/* A value that was set from outside and stays. */
typedef struct sl_eps_override {
    int32_t field, index;
    double value;
} sl_eps_override;

enum { SL_EPS_SEEN_MAX = 256, SL_EPS_VALVE_MAX = 64, SL_EPS_LOCKED = 255, SL_EPS_STAGES = 6 };

/* What a rule requests now. */
typedef struct sl_eps_rule_request {
    int32_t action, rule;
} sl_eps_rule_request;

/* When rules are evaluated: now, and one second after the last evaluation [s], of the run and of the day. */
typedef struct sl_eps_instant {
    double t, since, clock, clock_since;
} sl_eps_instant;

/* What the last evaluation of rules found: it follows from the values read then, which are compared with those of now. So
 * nothing of it belongs to the state of a run. */
typedef struct sl_eps_rule_memory {
    double *value; /* [n_reading] in units of the file */
    sl_eps_instant at;
    uint8_t *truth;                /* [n_premise] */
    uint8_t *holds;                /* [n_rule] */
    uint8_t *moved;                /* [n_rule] a premise of it changed */
    int32_t *queue, n_queue;       /* [n_rule] those */
    int32_t *best;                 /* [n_link] zeros, but while requests are chosen */
    sl_eps_rule_request *requests; /* [n_action] those that no other outdoes, in the order of the rules */
    int32_t n_request;
    bool valid;
} sl_eps_rule_memory;

/* The workspace of a solve, but for what depends on the core. */
typedef struct sl_eps_work {
    double *op, *oy, *oh; /* [n_outlet] conductance, linearised flow, loss */
    double *full;         /* [n_outlet] demands that are asked for; of other outlets -1; 0: none, or cut off */
    double *from_outlet, *outlet_step; /* [n_outlet] where a step begins, and the whole of it */
    double *start_outlet;              /* [n_outlet] at the beginning of the solve */
    double *tank_p;      /* conductances at the tanks that went into the factor, in the order of at_link */
    double *load;        /* [n_node] fixed demand, with that of the trees that hang on it */
    uint8_t *conducts;   /* [n_link] */
    int32_t *island;     /* [n_node] 0, or which of the islands that are cut off */
    int32_t *cut, n_cut; /* [n_junction] junctions that are cut off, islands apart */
    uint8_t *lock;   /* [n_link] opened because it could not hold: stays so for this solve; of a pump: how often it was
                           closed for lack of head */
    uint8_t *adrift; /* [n_regulator] active pressure valves whose flows no finite number balances */
    double *breaker_q;                 /* [n_breaker] their flows before a trial */
    uint8_t *free_tank;                /* [n_tank] integrated implicitly in this solve */
    double *no_rate;                   /* [n_tank] zeros */
    double *stage_inflow;              /* [SL_EPS_STAGES][n_tank] of the stages of a substep */
    double *first_volume;              /* [n_tank] at its beginning, */
    double *first_flow, *first_outlet; /* [n_link], [n_outlet] */
    double *first_head;                /* [n_node] */
    uint8_t *first_status;             /* [n_link] */
    double *tried_flow, *tried_outlet; /* [n_link], [n_outlet] of the first implicit stage that was tried last */
    uint8_t *tried_status;             /* [n_link] */
    int32_t *valve_list;               /* [n_regulator] the active ones, as numbers of regulators */
    double *valve_q, *valve_g;         /* [n_regulator] their flows */
    double *valve_matrix;              /* the system between them */
    sl_eps_rule_memory rules;
    double *factor;     /* [1 + n_pattern] multipliers now; first that of no pattern */
    uint8_t *acted;     /* [n_control] how often a control on a pressure acted in this solve */
    uint64_t *seen;     /* status vectors met in this solve */
    double inner_total; /* flows in trees, all together [m3/s] */
    bool islands_valid;
    bool relaxed; /* laws are those of relax.c */
    bool latch;   /* closed links at tanks stay closed within the tolerance of heads */
    bool wide;    /* factor() takes parts for singular that hang on little */
} sl_eps_work;

typedef struct sl_eps_single {
    double flow, setting;
    uint8_t status;
} sl_eps_single;

/* What relax.c makes of a single link: a wall beyond these flows [m3/s], a resistance r q [s/m2]. */
typedef struct sl_eps_relaxed {
    double least, most, r;
    double gain, lacked; /* of a pressure valve: by how much it is turned; what its node lacked last [m] */
    bool unable, rests;  /* it cannot hold its setting; nothing passes, and its node would need less */
} sl_eps_relaxed;

/* The network of capacities in supply.c: zones and what links may pass between them [m3/s]. */
typedef struct sl_eps_supply_zone {
    double demand, supply; /* fixed, positive both */
    double share;          /* of the demand that is served */
    double served, taken;  /* shares found, of what is asked for and of what is brought */
    double lacks, spare;   /* what the flow found so far leaves of either */
    int32_t first, by;     /* arc out of it; arc that the search came by */
    bool source, empty;    /* supplies any flow; is an empty tank */
    bool limited, behind;  /* has its share; is behind the last cut */
    bool dry, outlet;      /* no water can reach it; it has an emitter or a leak */
    bool sucks;            /* its emitters let in what is lacking */
} sl_eps_supply_zone;

typedef struct sl_eps_arc {
    double most, spare; /* capacity, and what is left of it */
    int32_t to, next;   /* zone; next arc out of the same one. Arcs a and a ^ 1 are the two directions of a link */
} sl_eps_arc;

typedef struct sl_eps_supply {
    sl_eps_supply_zone *zone; /* [n_zone] */
    sl_eps_arc *arc;          /* [2 n_single] */
    int32_t *queue;           /* [n_zone] */
} sl_eps_supply;

/* The worst of what linearised branches miss. */
typedef struct sl_eps_residual {
    double head;    /* [m] the largest |h(q) - (H1 - H2)| beyond rounding; not a number if one is not */
    double flow;    /* [m3/s] the largest flow that such a residual stands for */
    double largest; /* [m3/s] the largest flow there is */
} sl_eps_residual;

/* What the core needs of numbers. */
typedef struct sl_eps_numbers {
    sl_arena arena;
    /* Rows: pipes of chains and trees, flows along the chain or away from the root. */
    double *row_resistance, *row_minor;
    bool any_minor;
    sl_dw_pipe *row_dw;                /* Darcy-Weisbach only */
    double *row_q, *row_h, *row_slope; /* [n_row] */
    double *row_offset;                /* [n_chain_row] flow less that of the chain's first pipe */
    /* Branches. */
    double *q;                    /* [n_branch] flow, of a chain that of its first pipe */
    double *drawn;                /* [n_branch] demand inside: what leaves is that much less than what comes in */
    double *p, *h;                /* [n_branch] conductance, loss */
    double *y;                    /* [n_branch] linearised flow at the present heads */
    double *miss;                 /* [n_branch] loss less difference of heads */
    sl_eps_residual residual;     /* of the branches, when it was last looked for */
    double rounding;              /* share of heads below which it says nothing */
    double through;               /* what sources gave and took when balances were looked at last [m3/s] */
    double *given_by;             /* [n_reservoir + n_tank] by each of them [m3/s] */
    double *from_q, *step;        /* [n_branch] where a step begins, and the whole of it */
    double *moved, *moved_before; /* [n_branch] by how much the last trials moved the flows of chains */
    sl_eps_single *start;         /* [n_single] single links at the beginning of the solve */
    sl_eps_relaxed *relaxed;      /* [n_single] */
    int32_t *outlet_u;            /* [n_outlet] unknowns of outlets */
    int32_t *u, *v, *place;       /* [n_branch] unknowns at the ends, core->given where that is; place in the matrix */
    uint8_t *pin, *was_pin;       /* [n_unknown] head given, now and when u, v, place were made */
    int32_t *pinned, n_pinned;    /* [n_unknown] those of was_pin */
    double *load;                 /* [n_unknown] less the fixed demand there, with that of the trees that hang on it */
    double *a, *ldl;              /* matrix with one more number for what goes nowhere, factor */
    sl_two *row;                  /* [n_unknown] diagonal and right side while the matrix is put together */
    double *rhs;                  /* [n_unknown] */
    double *base;                 /* [n_unknown] right side without the flows of regulators */
    double *far, *near;           /* along the columns that pressure valves reach */
    double *tank;                 /* [longest_tank] the same of one tank */
    double *few;                  /* [n_unknown] zeros, for right sides with few entries */
    uint8_t *code;                /* [n_single] how single links conducted at the last search for parts */
    int32_t *zone, *zone_first, *zone_next; /* [n_zone + 1] scratch of that search */
    int32_t *cut_branch, n_cut_branch;      /* [n_branch] branches that end where all is cut off */
    bool placed;                            /* u, v, place are made */
    sl_eps_supply supply;
} sl_eps_numbers;

/* What happened in the last step and in refreshes since, and the texts of the causes, one for each event. */
enum { SL_EPS_CAUSE_MAX = 48 };
typedef struct sl_eps_cause {
    char text[SL_EPS_CAUSE_MAX];
} sl_eps_cause;
typedef struct sl_eps_events {
    SL_ARRAY(sl_engine_event) list;
    SL_ARRAY(sl_eps_cause) causes;
} sl_eps_events;

/* Solved instants, and the trials that they took. */
typedef struct sl_eps_instants {
    int64_t n, n_trial, n_unbalanced;
} sl_eps_instants;

typedef struct sl_eps {
    sl_context *ctx;
    const sl_eps_model *m;
    sl_arena arena;
    sl_eps_state now, before, older; /* this boundary, the one before, and the one before that */
    sl_eps_state other;              /* for looking and trying, made when first needed */
    bool other_made;
    const sl_eps_state *shown; /* &now, or &other */
    sl_eps_instants between;   /* solved for values between boundaries */
    bool dirty;                /* something was set, or nothing solved yet */
    bool started;
    /* Parameters: the model's own arrays until one is set. */
    const double *resistance, *minor, *roughness, *diameter, *length;
    const sl_dw_pipe *dw;
    double *own_resistance, *own_minor, *own_roughness, *own_diameter, *own_length;
    sl_dw_pipe *own_dw;
    SL_ARRAY(sl_eps_override) overrides;
    const sl_eps_core *core; /* the model's, or own_core when a pipe was switched that nothing in the model switches */
    sl_eps_core *own_core;
    sl_eps_numbers x;
    bool rows_stale; /* a pipe's law was set since its row was made */
    sl_eps_work w;
    sl_quality *quality;                /* NULL: none is asked for */
    sl_hydraulics *stored_hydraulics;   /* where steps are kept for transport afterwards; NULL: nowhere */
    double *mean_flow, *mean_out;       /* [n_link], [n_junction] over the coming step; NULL: nobody asks */
    double *substep_flow, *substep_out; /* the same of a substep, times its length */
    double *stage_out;                  /* [n_junction] scratch */
    double **cache;                     /* [n_field] arrays shown, made when first asked for */
    uint8_t *fresh;                     /* [n_field] */
    sl_eps_events events;
} sl_eps;

/* solve.c: heads and flows at one instant, for the volumes, statuses and demands in s. dt > 0: tanks with w.free_tank
 * are integrated implicitly over dt. SL_ERR_SOLVE only when there is no answer at all: then s holds no numbers that mean
 * anything. A step that is not balanced is told in s->x->facts. */
sl_status sl_eps_solve(sl_eps *e, sl_eps_state *s, double dt);
/* Outlets are in order of their nodes: the first of this node or of a later one. */
int32_t sl_eps_first_outlet(const sl_eps_model *m, int32_t node);
/* residuals.c: the worst of branches, looked at by sl_eps_linearise, and of outlets. name: *worst is where, a link or -2 less the
 * node of an outlet; else -1 unless an outlet is looked at alone. */
sl_eps_residual sl_eps_head_residual(const sl_eps *e, const sl_eps_state *s, bool name, int32_t *worst);
/* The largest imbalance of a core junction, *worst, or of a tank that is being integrated over dt, from the flows alone: trees and
 * insides of chains balance by construction. *through: what sources give and take. */
double sl_eps_mass_residual(sl_eps *e, const sl_eps_state *s, double dt, int32_t *worst, double *through);
/* line_search.c: begin remembers the flows; then, with the flows of the full step, goes back along it where that went too far. */
void sl_eps_line_search_begin(sl_eps *e, const sl_eps_state *s);
void sl_eps_line_search(sl_eps *e, sl_eps_state *s);
/* pressure_demands.c: begin sets pressure-driven demands to what the heads give; follow, after a trial, those that it led to or from
 * an end of their law. Returns whether that moved a flow, so that flows do not balance. */
void sl_eps_demands_begin(sl_eps *e, sl_eps_state *s);
bool sl_eps_demands_follow(sl_eps *e, sl_eps_state *s);
/* Which outlets have a flow, into w.full: whenever demands or who is cut off changed. */
void sl_eps_outlets_find(sl_eps *e, const sl_eps_state *s);
/* breakers.c: begin remembers the flows of pressure breakers; stop holds those at rest that a trial led from one direction to
 * the other, and returns whether there was one. drive: what is left of a difference of heads to push water through one [m]. */
void sl_eps_breakers_begin(sl_eps *e, const sl_eps_state *s);
bool sl_eps_breakers_stop(sl_eps *e, sl_eps_state *s);
double sl_eps_valve_drive(const sl_network *net, const sl_eps_state *s, int32_t link, double dh);
/* extrapolate_slopes.c: conductances of the chains for a trial by where their flows are going, after two moves or more. */
void sl_eps_extrapolate_slopes(sl_eps *e);
/* first_trial.c: pipes as linear ones, for the first trial of all. */
void sl_eps_first_trial(sl_eps *e, const sl_eps_state *s);
/* An active pressure reducing or sustaining valve. */
static inline bool sl_eps_holds_head(const sl_network *net, const sl_eps_state *s, int32_t k) {
    int kind = s->status[k] == SL_STATUS_ACTIVE ? sl_valve_kind_of(net, k) : -1;
    return kind == SL_PRV || kind == SL_PSV;
}

/* The part of a junction's demand that does not depend on its pressure and can be supplied. */
static inline double sl_eps_fixed_demand(const sl_network *net, const sl_eps_state *s, int32_t i) {
    double d = net->hydraulics.demand_model == SL_DDA || s->wanted[i] < 0.0 ? s->wanted[i] : 0.0;
    return s->unserved ? d - s->unserved[i] : d;
}

/* What a junction asks for and does not get because it is cut off or behind a flow limit [m3/s]. */
static inline double sl_eps_unserved(const sl_eps_state *s, int32_t i) {
    return __builtin_fmax(s->cut_off[i] ? s->wanted[i] : s->unserved ? s->unserved[i] : 0.0, 0.0);
}

/* The change of a core node's head that the last solution of the system gave. */
static inline double sl_eps_change(const sl_eps *e, int32_t node) {
    return e->x.rhs[e->core->unknown[node]];
}

/* numbers.c */
sl_status sl_eps_numbers_create(sl_context *ctx, const sl_eps_model *m, const sl_eps_core *c, sl_eps_numbers *x);
/* Takes the core that fits these overrides: pipes whose status was set from outside are single links. All or none. */
sl_status sl_eps_select_core(sl_eps *e, const sl_eps_override *list, int64_t n);
/* Takes the laws of the pipes in rows. */
void sl_eps_load_pipe_laws(sl_eps *e);
/* inner.c: flows and heads of pipes in trees and chains. */
/* From the demands: flows of trees, and what chains lose on their way. */
void sl_eps_loads(sl_eps *e, const sl_eps_state *s);
/* The chains' flows from those of their first pipes in s. */
void sl_eps_chains_begin(sl_eps *e, const sl_eps_state *s);
/* From the chains' flows those of their pipes. Returns the sum of all flows in rows, each counted as positive. */
double sl_eps_chains_spread(sl_eps *e);
/* Flows and heads inside trees and chains into s. Right after the last check. */
void sl_eps_expand(sl_eps *e, sl_eps_state *s);
/* A pipe of a branch, for naming it. */
int32_t sl_eps_branch_link(const sl_eps *e, int32_t branch);

/* system.c: the linear system of a trial. */
/* Marks the unknowns whose heads are given; active pressure valves set theirs. True when one of these moved. */
bool sl_eps_pin_heads(sl_eps *e, sl_eps_state *s);
/* From coefficients and heads: what losses miss, and the linearised flows; with_largest: also x.residual. */
void sl_eps_linearise(sl_eps *e, const sl_eps_state *s, bool with_largest);
/* New heads for the linearised flows. False: singular, facts.worst_node says where. */
bool sl_eps_solve_heads(sl_eps *e, sl_eps_state *s, double dt);
/* Takes the new flows, or the share relax of the way to them; returns the relative change, *most the largest one. */
double sl_eps_new_flows(sl_eps *e, sl_eps_state *s, double relax, double *most);
/* regulators.c: finds the flows of active pressure valves, and with them the change of heads in x.rhs, from the factor and
 * the right side x.base. */
void sl_eps_regulator_flows(sl_eps *e, sl_eps_state *s);
/* coefficients.c: p and h of branches, y of single links with p = 0, and the same of outlets, at the present flows. */
void sl_eps_coefficients(sl_eps *e, const sl_eps_state *s);
/* Losses of the pipes in trees, in their rows. */
void sl_eps_tree_losses(sl_eps *e);
/* dh/dQ of a pipe at a flow [s/m2]. */
double sl_eps_pipe_slope(const sl_eps *e, int32_t pipe, double q);
/* A position valve at an opening that lets nothing through, whatever its status. */
bool sl_eps_shut_by_setting(const sl_eps *e, const sl_eps_state *s, int32_t link);
bool sl_eps_conducts(const sl_eps *e, const sl_eps_state *s, int32_t link);
/* The head an active pressure valve holds. */
double sl_eps_valve_head(const sl_network *net, const sl_eps_state *s, int32_t link);
/* Flows of outlets to start from: those of ten metres of pressure. */
void sl_eps_first_outflows(const sl_eps *e, sl_eps_state *s);
/* A flow to start from when a link opens. */
double sl_eps_first_flow(const sl_eps *e, const sl_eps_state *s, int32_t link);
/* consistency.c: figures beyond this are refused, solutions beyond it are none (SI units). */
#define SL_EPS_LARGEST 1e15
bool sl_eps_model_is_consistent(const sl_eps_model *m, sl_diags *diags);
/* Has a search that goes on left the numbers that can be computed with? Then it may begin anew with elevations for heads. */
bool sl_eps_search_ran_away(const sl_eps *e, const sl_eps_state *s);
void sl_eps_forget_heads(const sl_eps *e, sl_eps_state *s);
bool sl_eps_solution_is_consistent(const sl_eps *e, const sl_eps_state *s);
/* Says why sl_eps_solve gave SL_ERR_SOLVE. */
void sl_eps_report_failure(const sl_eps *e, const sl_eps_state *s, sl_diags *diags);
/* status.c: each returns how many statuses changed, or wish to. Which wishes are followed: all, the one that is violated most, the
 * first one. */
typedef enum sl_eps_pick { SL_EPS_ALL, SL_EPS_WORST, SL_EPS_FIRST } sl_eps_pick;
int32_t sl_eps_regulators(sl_eps *e, sl_eps_state *s, bool look,
                          sl_eps_pick pick); /* !look: only those that cannot hold */
int32_t sl_eps_watch(sl_eps *e, sl_eps_state *s, sl_eps_pick pick);
/* Once all else is balanced: pumps, and links at tanks on their limits. */
int32_t sl_eps_stop_backward(sl_eps *e, sl_eps_state *s);
int32_t sl_eps_stop_at_limits(sl_eps *e, sl_eps_state *s);
int32_t sl_eps_pressure_controls(sl_eps *e, sl_eps_state *s);
/* supply.c: memory for the search; which part of the demands flow limits leave open, into s->unserved. */
sl_status sl_eps_supply_create(const sl_eps_core *c, sl_arena *arena, sl_eps_supply *x);
void sl_eps_supply_begin(sl_eps *e); /* a solve */
void sl_eps_limit_supply(sl_eps *e, sl_eps_state *s);
/* Would a single link that feeds, forwards or backwards, draw from a zone that no water can reach? */
bool sl_eps_comes_from_dry(const sl_eps *e, const sl_eps_state *s, int32_t link, bool forward);
/* By this share of their settings flow control valves that limit may differ from it: supply.c takes a little off, so that sums of
 * what they pass may differ from each other by as much. */
#define SL_EPS_LIMIT_SLACK 1e-8
/* Marks the zones that no water can reach, whatever the solution decides. */
void sl_eps_find_dry(sl_eps *e, const sl_eps_state *s);
/* Whether nothing is cut off that water could reach, and no demand is served by what cannot come in. */
bool sl_eps_supply_is_right(sl_eps *e, const sl_eps_state *s);
/* relax.c: flows, heads and statuses at which valves that act come to rest; returns the trials it took. law: adds a link's wall and
 * resistance to its loss and slope at a flow. */
int32_t sl_eps_relax(sl_eps *e, sl_eps_state *s);
void sl_eps_relaxed_law(const sl_eps_relaxed *x, double q, double *h, double *slope);
/* islands.c: islands get a source by opening a valve of theirs, or are cut off. Returns how many valves were
 * opened; *moved: who is cut off may have changed. */
int32_t sl_eps_islands(sl_eps *e, sl_eps_state *s, bool *moved);
/* What the island that is cut off around a junction lacks [m3/s]: fixed demands and what active valves take less what they bring. 0:
 * nothing, or it is not cut off. */
double sl_eps_cut_off_demand(const sl_eps *e, const sl_eps_state *s, int32_t node);
/* Cuts off the zones that no water can reach (supply.c) and those without a head, and no others. */
void sl_eps_cut_off_dry(sl_eps *e, sl_eps_state *s);
/* in_vain.c: is the instant s not balanced, like hardly any of a run that has cost enough? Then that is reported. */
bool sl_eps_halts_in_vain(sl_eps *e, const sl_eps_state *s, sl_diags *diags);
/* messages.c: diagnostics of a solved boundary. */
void sl_eps_report(sl_eps *e, sl_eps_state *s, sl_diags *diags);
/* That reactions are fast for the quality step, if so: after the first step of a run with quality. */
void sl_eps_report_step_error(const sl_eps *e, sl_diags *diags);
/* That it is not balanced, if so. */
void sl_eps_report_balance(sl_eps *e, sl_eps_state *s, sl_diags *diags);
void sl_eps_add_diag(const sl_eps *e, double time, sl_severity severity, sl_code code, sl_diags *diags,
                     const char *kind, const char *id, const char *fmt, ...) SL_PRINTF(8, 9);
const char *sl_eps_link_kind(const sl_network *net, int32_t link);
/* controls.c: patterns at the state's time, with what was set from outside over them; then simple controls. */
void sl_eps_patterns(sl_eps *e, sl_eps_state *s);
double sl_eps_pattern_factor(const sl_network *net, int32_t pattern, double time);
/* Time of day at a time of the run [s]. */
double sl_eps_clock(const sl_network *net, double t);
int32_t sl_eps_controls(sl_eps *e, sl_eps_state *s, sl_diags *diags);
/* The time to the next control that would change something, at most dt; levels as in sl_eps_tank_step. */
double sl_eps_control_step(const sl_eps *e, const sl_eps_state *s, double dt, const double *rate);
/* Applies a status and setting to a link; true if that changes it. */
bool sl_eps_apply(sl_eps *e, sl_eps_state *s, int32_t link, sl_link_status status, double setting);
/* Would the control change its link? */
bool sl_eps_would_change(const sl_eps *e, const sl_eps_state *s, const sl_control *c);
/* extrapolate_flows.c: better flows to begin the solve of s with, the boundary after `before`. */
void sl_eps_extrapolate_flows(sl_eps *e, sl_eps_state *s);
/* rule_index.c: false: out of memory. */
bool sl_eps_rule_index_create(sl_eps_model *m);
/* rules.c: evaluates rules at time t, dt after the last evaluation; true if an action changed something. */
bool sl_eps_rules(sl_eps *e, sl_eps_state *s, double t, double dt, sl_diags *diags);
void sl_eps_rules_warn(const sl_eps_model *m, sl_diags *diags);
/* clock.c: one step from the solved boundary now to the next, without its solve. */
sl_status sl_eps_move(sl_eps *e, sl_diags *diags);
double sl_eps_next_time(const sl_eps *e);
/* The longest that the step after time t can be: what does not depend on the water. */
double sl_eps_scheduled_step(const sl_eps *e, double t);
/* tanks.c */
static inline bool sl_eps_tank_full(const sl_eps_state *s, int32_t tank) {
    return (s->limit[tank] & SL_EPS_FULL) != 0;
}
static inline bool sl_eps_tank_empty(const sl_eps_state *s, int32_t tank) {
    return (s->limit[tank] & SL_EPS_EMPTY) != 0;
}
/* The limits that a tank stands on, from its head alone: it never was on any before. */
void sl_eps_put_tank(const sl_eps *e, sl_eps_state *s, int32_t tank);
/* By how much a tank must leave a limit until links open again that would bring it back [m]. */
double sl_eps_tank_band(const sl_eps *e, const sl_eps_state *s, int32_t tank);
void sl_eps_tank_inflows(const sl_eps *e, sl_eps_state *s);
/* Moves the tanks by these inflows over dt, which ends at time t. */
void sl_eps_tanks_fill(const sl_eps *e, sl_eps_state *s, const double *inflow, double dt, double t);
/* Time to the first limit that a tank reaches at its inflow, at most dt; not of a tank whose rate changes that inflow before. */
double sl_eps_tank_step(const sl_eps *e, const sl_eps_state *s, double dt, const double *rate);
/* Finds s->rate of the tanks whose inflow changes within a step of dt. Right after the solve of s: it uses
 * what that left in the workspace, which a look at another time would overwrite. */
void sl_eps_find_rates(sl_eps *e, sl_eps_state *s, double dt);
/* substeps.c: whether a step of dt from s by its inflows would be unstable, or miss a level by more than the tolerance. */
bool sl_eps_needs_substeps(const sl_eps *e, const sl_eps_state *s, double dt);
/* From now over at most *dt into `other`, in substeps; *dt is what was taken. other.x->rate, mean_flow, mean_out: what moved;
 * now.inflow: the inflows at the end. False: a solve did not balance. */
bool sl_eps_substeps(sl_eps *e, double *dt);
/* accounts.c: volumes per second of a solution [m3/s]; adding rates over a time; adding to s what the first dt of the
 * step from `before` brings: pump energy with its flows, volumes with its mean rates. */
sl_eps_balance sl_eps_rates(const sl_eps *e, const sl_eps_state *flows);
void sl_eps_add_balance(sl_eps_balance *to, const sl_eps_balance *rate, double dt);
void sl_eps_accounts(const sl_eps *e, sl_eps_state *s, double dt);
/* Power [W] and efficiency of a pump now. */
double sl_eps_pump_power(const sl_eps *e, const sl_eps_state *s, int32_t pump, double *efficiency);
/* fields.c */
/* All that leaves each junction [m3/s]. */
void sl_eps_outflows(const sl_eps *e, const sl_eps_state *s, double *x);
extern const sl_field sl_eps_fields[];
const double *sl_eps_data(const sl_eps *e, int32_t field);
int32_t sl_eps_count(const void *engine, int32_t field);
const char *sl_eps_element(const void *engine, int32_t field, int32_t index);
void sl_eps_describe(const void *engine, int32_t field, int32_t index, sl_field *out);
/* sets.c */
sl_status sl_eps_check(const void *engine, int32_t field, int32_t index, double value, sl_diags *diags);
sl_status sl_eps_set(void *engine, int32_t field, int32_t index, double value, sl_diags *diags);
void sl_eps_overrides(sl_eps *e, sl_eps_state *s);
/* Does a set hold this value? What a set changes once, as a control would, it does not hold. */
bool sl_eps_is_held(const sl_eps *e, int32_t field, int32_t index);
/* Ends the hold that there is. */
void sl_eps_release(sl_eps *e, int32_t field, int32_t index);
/* Makes the engine's own parameter arrays when one of these overrides needs them. */
sl_status sl_eps_own_pipes(sl_eps *e, const void *list, int64_t n);
/* Fills them from the network and the overrides. */
void sl_eps_load_parameters(sl_eps *e);
/* The third state, for looking and trying. */
sl_status sl_eps_make_scratch_state(sl_eps *e);
/* From now on the values of this state are shown. */
void sl_eps_show_state(sl_eps *e, const sl_eps_state *shown);
/* events.c: memory for all that a refresh or a step can bring; to be called before it. */
sl_status sl_eps_events_reserve(sl_eps *e);
/* Forgets those after t. */
void sl_eps_events_cut(sl_eps *e, double t);
void sl_eps_events_fini(sl_eps *e);
const sl_engine_event *sl_eps_events_of(const void *engine, int32_t *n);
/* Status and setting of a link, to be compared afterwards. */
sl_eps_single sl_eps_link_state(const sl_eps *e, const sl_eps_state *s, int32_t k);
/* A control, a rule has changed a link, which was as from; nothing is noted of a state that is only looked at. */
void sl_eps_note_control(sl_eps *e, const sl_eps_state *s, int32_t control, sl_eps_single from);
void sl_eps_note_rule(sl_eps *e, const sl_eps_state *s, double t, int32_t rule, int32_t k, sl_eps_single from);
/* What else is other than in base: tanks that were moved to a limit; then what patterns and solution did. first: the first event
 * since base. */
void sl_eps_note_tanks(sl_eps *e, const sl_eps_state *base);
void sl_eps_note_changes(sl_eps *e, const sl_eps_state *base, int64_t first);
/* save.c: what the contract of engines asks for. */
size_t sl_eps_save_size(const void *engine);
void sl_eps_save(const void *engine, void *bytes);
sl_status sl_eps_restore(void *engine, const void *bytes, size_t n);

#endif
