/* impl.h: what the files of src/quality share. */
#ifndef SL_QUALITY_IMPL_H
#define SL_QUALITY_IMPL_H

#include "base/memory.h"
#include "laws/tank.h"
#include "quality/quality.h"
#include "quality/reactions.h"
#include "quality/segments.h"

/* A node with no more outflow than this cannot be dosed (0.005 gpm, as EPANET has it) [m3/s]. */
#define SL_QUALITY_STILL 3.1545e-7
#define SL_QUALITY_HOUR 3600.0

struct sl_quality_model {
    sl_context *ctx;
    sl_arena arena;
    const sl_network *net;
    sl_quality_kind kind;
    double step;                 /* the longest quality step [s] */
    int32_t *at_start, *at_link; /* links at each node */
    const double *initial;       /* [n_node] the network's; a trace begins with none, whatever the file says */
    sl_tank_law *tank;           /* [n_tank] */
    int32_t *source_at;          /* [n_node] its source or -1; NULL: there are none */
    sl_kinetics kinetics;        /* of pipes */
    sl_kinetics tank_kinetics;
    double *bulk, *wall; /* [n_pipe] coefficients; NULL: nothing reacts there */
    double *tank_bulk;   /* [n_tank] */
    bool exact;          /* reactions are integrated, not stepped */
    bool reacts;         /* a node without inflow follows what lies in its pipes */
};

/* One time. Concentrations of an age model are relative to its clock: nothing has to be touched for water to age. */
typedef struct sl_quality_state {
    double time;        /* [s] */
    double clock;       /* age model: since the start [h]; else 0 */
    double pipe_volume; /* in all pipes; differs from the run's `all_space` only when `excess` */
    bool excess;        /* a pipe in a circle of flow holds more than its volume */
    bool filled, begun; /* the start was made; a step from it */
    sl_quality_ledger ledger;
    double *node;         /* [n_node] */
    double *tank_volume;  /* [n_tank] */
    double *rate;         /* [n_pipe] mean of |dc/dt| in the last quality step; NULL when nothing reacts */
    sl_segments segments; /* rows: links from their first node to their second, then tanks */
} sl_quality_state;

/* A link as a node meets it. */
typedef struct sl_pass {
    double q;      /* [m3/s] >= 0 */
    int32_t row;   /* the link */
    int32_t front; /* the end that this node meets is the row's front */
} sl_pass;

/* A node in the order of flow, its inflows, then its outflows. */
typedef struct sl_stop {
    double out;     /* all that leaves [m3/s] */
    double outflow; /* of a junction: to outside; negative: from there */
    int32_t node, first, n_in, n_out;
} sl_stop;

/* The order in which a step meets the nodes; it depends on the directions of flow only. */
typedef struct sl_order {
    int8_t *direction; /* [n_link] -1, 0, 1 */
    bool made;
    sl_stop *stop; /* [n_node + n_reservoir] */
    sl_pass *pass; /* [2 n_link] */
    int32_t n_stop;
    int32_t *waits, *queue; /* [n_node] scratch: inflows that are not there yet; nodes whose turn it is */
    int32_t *seen;          /* [n_node] scratch: the walk that last came by */
    uint8_t *cut;           /* [n_link] what it brings is taken from what it holds: the one link of a circle */
} sl_order;

struct sl_quality {
    sl_context *ctx;
    const sl_quality_model *m;
    sl_arena arena;
    sl_quality_state state[3];              /* in some order: */
    sl_quality_state *now, *before, *other; /* other: for looking; made when first needed */
    const sl_quality_state *shown;
    bool other_made;
    bool stepped; /* `before` and the flows below are those of a step */
    /* The step between `before` and `now`. */
    double begin, end;
    double *flow, *outflow, *volume;
    /* The pipes: the network's, or as they were set before the start. */
    const double *diameter, *length;
    double *space;           /* [n_link] volume of pipes; 0 of pumps and valves */
    double all_space;        /* all together */
    double *strength, *used; /* [n_source] from now on, and in the step */
    sl_order order;
    /* Of the pipes at the step's flows. */
    double *apparent;    /* [n_pipe] wall: first order [1/s]; zero order: mass transfer [m/s] */
    double *decay, *phi; /* [n_pipe] factor over one quality step, and (factor - 1) / rate */
    double decay_dt;     /* the step they were made for; 0: not made */
};

/* Clean water from outside. */
static inline double sl_quality_clean(const sl_quality_state *s) {
    return -s->clock;
}

/* order.c: brings the order and what it carries in line with the flows of the step. */
void sl_quality_order(sl_quality *q);
/* transport.c: moves s by dt along the order. */
sl_status sl_quality_move(sl_quality *q, sl_quality_state *s, double dt);
/* react.c: what happens in pipes and tanks during dt. */
void sl_quality_react(sl_quality *q, sl_quality_state *s, double dt);
/* The wall's share of the step's flows; before the first react of a step. */
void sl_quality_rates(sl_quality *q);

/* mixing.c: a tank takes v_in with its mass and gives v_out, all within one quality step. Returns the concentration that it
 * shows; *c_out is that of the outflow. The row holds at least one segment before and after. */
double sl_quality_mix(sl_quality *q, sl_quality_state *s, int32_t tank, double v_in, double mass, double v_out,
                      double *c_out, sl_status *status);
/* Fills a tank with v of concentration c. */
sl_status sl_quality_fill_tank(const sl_quality_model *m, sl_quality_state *s, int32_t tank, double v, double c);
/* Makes a tank hold v: what hydraulics say. Adds to the ledger's `adjusted`. */
sl_status sl_quality_adjust_tank(const sl_quality_model *m, sl_quality_state *s, int32_t tank, double v);
/* Volume and mass in a row. */
double sl_quality_row_volume(const sl_segments *g, int32_t row);
double sl_quality_row_mass(const sl_segments *g, int32_t row);

#endif
