/* SPDX-License-Identifier: MIT */
/* impl.h: what the files of src/quality share. */
#ifndef SL_QUALITY_IMPL_H
#define SL_QUALITY_IMPL_H

#include "base/memory.h"
#include "laws/tank.h"
#include "quality/quality.h"
#include "quality/reactions.h"
#include "quality/segments.h"

/* Less flow than this carries nothing, and a node with no more outflow cannot be dosed (0.005 gpm, as EPANET has it)
 * [m3/s]. */
#define SL_QUALITY_STILL 3.1545e-7
#define SL_QUALITY_HOUR 3600.0

/* A link at a node: is that its first one, and which is the other? */
typedef struct sl_quality_incidence {
    uint32_t link : 31, from : 1;
    int32_t far;
} sl_quality_incidence;

struct sl_quality_model {
    sl_context *ctx;
    sl_arena arena;
    const sl_network *net;
    sl_quality_kind kind;
    double step;              /* the longest quality step [s] */
    int32_t *at_start;        /* [n_node + 1] */
    sl_quality_incidence *at; /* links at each node */
    const double *initial;    /* [n_node] the network's; a trace begins with none, whatever the file says */
    sl_tank_law *tank;        /* [n_tank] */
    int32_t *source_at;       /* [n_node] its source or -1; NULL: there are none */
    sl_kinetics kinetics;     /* of pipes */
    sl_kinetics tank_kinetics;
    bool walls;          /* any wall reacts */
    double *bulk, *wall; /* [n_pipe] coefficients; NULL: nothing reacts there */
    double *tank_bulk;   /* [n_tank] */
    bool linear;         /* all that happens in pipes is of first order */
    bool exact;          /* reactions are integrated, not stepped */
    bool creates;        /* a reaction makes something of nothing */
    bool empty;          /* nothing is there, comes in or arises: all is 0 at all times, and nothing is transported */
};

/* A pipe in which all is of first order: its segments hold what they would have held had it not reacted, and one factor
 * stands for all of them, so that a step touches the ends of the row only. */
typedef struct sl_quality_decay {
    double factor; /* a concentration is this times what its segment says; 1: as it says */
    double mass;   /* of what the segments say; NaN: to be added up */
} sl_quality_decay;

/* A pump or valve, which holds no water: what it shows once it is shut. */
typedef struct sl_quality_device {
    double c;    /* of the node upstream when water last ran through; of its first node until it does */
    double shut; /* 1: no water ran in the last step; 0: it did */
} sl_quality_device;

/* One time. Concentrations of an age model are relative to its clock: nothing has to be touched for water to age. */
typedef struct sl_quality_state {
    double time;        /* [s] */
    double clock;       /* age model: since the start [h]; else 0 */
    double pipe_volume; /* in all pipes; differs from the sum of their volumes only when `excess` */
    bool excess;        /* a pipe in a circle of flow holds more than its volume */
    bool filled, begun; /* the start was made; a step from it */
    bool nothing;       /* all is 0 in it: until something is brought, nothing is transported */
    sl_quality_ledger ledger;
    double *node;              /* [n_node] */
    double *tank_volume;       /* [n_tank] */
    double *rate;              /* [n_pipe] mean of |dc/dt| in the last quality step; NULL when nothing reacts */
    sl_quality_decay *fade;    /* [n_pipe]; NULL unless all reactions in pipes are of first order */
    sl_quality_device *device; /* [n_pump + n_valve] */
    sl_segments segments;      /* rows: links from their first node to their second, then tanks */
} sl_quality_state;

/* How many quality steps are made at once: each link is met once for all of them. */
enum { SL_BATCH = 16 };

/* Lengths of a quality step: the longest, of which there may be many, and what is left at the end. */
enum { SL_WHOLE_STEP, SL_LAST_STEP, SL_STEP_LENGTHS };

/* A pipe over one quality step, where all is of first order: side by side, as they are needed. */
typedef struct sl_pipe_change {
    double factor;     /* of all that it holds */
    double bulk, wall; /* what each adds, of the mass at the beginning */
    double rate;       /* mean of |dc/dt|, of that mass */
} sl_pipe_change;

/* A node in the order of flow; what arrives there has been added up when its turn comes. */
typedef struct sl_quality_node_visit {
    int32_t node, first, n_out; /* links through which it gives */
    int32_t circle; /* so many stops from here on take turns in every quality step; 0: this one needs no other */
} sl_quality_node_visit;

/* The order in which a step meets the nodes. Reservoirs are the first that give, and take when all is done: that is no stop. */
typedef struct sl_quality_node_order {
    int8_t *direction; /* [n_link, to whole words] -1, 0, 1 */
    int8_t *next;      /* the same for the flows that come */
    bool made;
    bool repaired;               /* depends on the orders before, not on the directions alone */
    bool circles;                /* a link is cut */
    sl_quality_node_visit *stop; /* [n_node] */
    int32_t n_stop;
    sl_quality_node_visit *moved; /* [n_node] scratch */
    int32_t *place;               /* [n_node] of its stop */
    sl_quality_incidence *pass;   /* as `at` of the model: links at a node, those through which it gives first */
    int32_t *sequence;            /* [n_link + n_tank] rows as they are met, once somebody asked */
    int32_t *rest, n_rest;        /* [n_pipe + 1] pipes in which nothing flows */
    int32_t *changed;             /* [n_link, to whole words] scratch: links whose direction changes */
    int32_t *waits, *queue;       /* [n_node + 1] scratch: inflows that are not there yet; nodes whose turn it is */
    int32_t *seen, walk;          /* [n_node] scratch: the walk that last came by */
    int32_t *number, *low, *set, *list, *path; /* [n_node] scratch of the search for circles */
    uint8_t *cut; /* [n_link] what it brings is taken from what it holds: the one link of a circle */
} sl_quality_node_order;

/* The mass in pipes and tanks of the state shown, once somebody looked: that walks over all segments. */
typedef struct sl_quality_mass_cache {
    const sl_quality_state *of; /* NULL: nobody did */
    double stored;
} sl_quality_mass_cache;

struct sl_quality {
    sl_context *ctx;
    const sl_quality_model *m;
    sl_arena arena;
    sl_quality_state state[3];              /* in some order: */
    sl_quality_state *now, *before, *other; /* other: for looking; made when first needed */
    const sl_quality_state *shown;
    sl_quality_mass_cache *seen; /* what was found out about it; no part of the run */
    bool other_made;
    bool stepped; /* `before` and the flows below are those of a step */
    /* The step between `before` and `now`. */
    double begin, end;
    double *flow, *outflow, *volume;
    const double *diameter, *length; /* [n_pipe] */
    double *hold, hold_all;          /* [n_link] volumes of pipes, 0 of pumps and valves; all together */
    double *strength, *used;         /* [n_source] from now on, and in the step, without the pattern */
    sl_quality_node_order order;
    /* What has arrived at nodes whose turn comes; 0 between steps. */
    double *arrived;    /* [n_node][quality steps] mass */
    double *arrived_at; /* [n_node] water per time [m3/s] */
    /* Of the pipes at the step's flows. */
    double *apparent;                        /* [n_pipe] wall: first order [1/s]; zero order: mass transfer [m/s] */
    double *transfer;                        /* [n_pipe] scratch */
    sl_pipe_change *change[SL_STEP_LENGTHS]; /* [n_pipe] */
    double change_dt[SL_STEP_LENGTHS];       /* the steps they were made for; 0: not made */
};

/* order.c: brings the order in line with the flows of the step. */
void sl_quality_order(sl_quality *q);
/* Takes the order of a saved run, nodes one after the other, for the flows of its step. False: it is none. */
bool sl_quality_take_order(sl_quality *q, const int32_t *node);
/* repair.c: moves the nodes that links to new directions (`next`) require to be moved. False: nothing can be said of the order; it
 * is to be made anew. */
bool sl_quality_repair_order(sl_quality *q);
/* Lists the links through which a node gives, and the pipes at rest. */
void sl_quality_list_passes(sl_quality *q, int32_t node);
void sl_quality_list_still_pipes(sl_quality *q);
/* A link into the node at which it is met: 1, out of it: -1, neither: 0. */
static inline int sl_quality_side_of(const sl_quality *q, sl_quality_incidence at) {
    int d = q->order.direction[at.link]; /* NOLINT(bugprone-signed-char-misuse,cert-str34-c): a number, no character */
    return at.from ? -d : d;
}
static inline bool sl_quality_is_reservoir(const sl_network *net, int32_t node) {
    return node >= net->n_junction && node < net->n_junction + net->n_reservoir;
}
/* Finds the rows in the order in which they are first met; those of links that hold nothing last. */
void sl_quality_sequence(sl_quality *q);
/* transport.c: so many of the longest quality steps and one of `rest` (0: none), at most SL_BATCH together. */
sl_status sl_quality_move(sl_quality *q, sl_quality_state *s, int32_t whole, double rest);
/* nothing.c: what a source is multiplied with in the step. */
double sl_quality_source_pattern(const sl_quality *q, const sl_quality_source *x);
/* A state just started: is all 0 in it, and will be as long as nothing is brought? */
bool sl_quality_is_nothing(const sl_quality *q, const sl_quality_state *s);
/* Does nobody bring anything in the step? */
bool sl_quality_brings_nothing(const sl_quality *q);
/* Such a step of such a state, to t: tanks fill and empty. */
void sl_quality_pass_over(const sl_quality *q, sl_quality_state *s, double t);
/* react.c: what the wall of each pipe does at the step's flows; before the first step. */
void sl_quality_rates(sl_quality *q);
/* Makes the changes of pipes for quality steps of dt, which have this length. */
void sl_quality_changes(sl_quality *q, int length, double dt);
/* One quality step of one pipe, or of a tank; what was consumed goes to the ledger given. */
void sl_quality_react_pipe(const sl_quality *q, sl_quality_state *s, int32_t pipe, int length, double dt,
                           sl_quality_ledger *sum);
/* What happens in a pipe at the step's flows, and its doing in all of a row in a quality step. */
sl_reaction sl_quality_reaction_of(const sl_quality *q, int32_t pipe);
sl_reacted sl_quality_react_row(const sl_segments *g, int32_t row, const sl_prepared_reaction *step);
/* Water of concentration c that lies in a pipe, after a quality step of dt. */
double sl_quality_react_water(const sl_quality *q, int32_t pipe, double c, int length, double dt);
void sl_quality_react_tank(const sl_quality *q, sl_quality_state *s, int32_t tank, double dt, sl_quality_ledger *sum);

/* mixing.c: a tank takes v_in with its mass and gives v_out, all within one quality step. Returns the concentration that it
 * shows; *c_out is that of the outflow. The row holds at least one segment before and after. */
double sl_quality_mix(sl_quality *q, sl_quality_state *s, int32_t tank, double v_in, double mass, double v_out,
                      double *c_out, sl_status *status);
/* Fills a tank with v of concentration c. */
sl_status sl_quality_fill_tank(const sl_quality_model *m, sl_quality_state *s, int32_t tank, double v, double c);
/* Makes a tank hold v: what hydraulics say. Adds to the ledger's `adjusted`. */
sl_status sl_quality_adjust_tank(const sl_quality_model *m, sl_quality_state *s, int32_t tank, double v);
/* Volume and mass in a row, as its segments say. */
double sl_quality_row_volume(const sl_segments *g, int32_t row);
double sl_quality_row_mass(const sl_segments *g, int32_t row);

/* By which concentrations of a row are to be multiplied. */
static inline double sl_quality_decay_factor(const sl_quality *q, const sl_quality_state *s, int32_t row) {
    return s->fade && row < q->m->net->n_pipe ? s->fade[row].factor : 1.0;
}
/* react.c: makes the segments of a row say what they hold. To be called before they are changed other than by transport.c. */
void sl_quality_apply_decay(const sl_quality *q, sl_quality_state *s, int32_t row);

#endif
