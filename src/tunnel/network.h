/* SPDX-License-Identifier: MIT */
/* network.h: a multibody flow network: tunnels that may be dry, partly filled or full, joined at valves.
 *
 * Vertices are valves (gates, joints), edges are pipes that point downstream; the graph is acyclic. A tunnel of a file is one pipe, or a
 * chain of them where its profile has a kink. At each valve there is one tub, the outside: nothing, a prescribed level, a reservoir,
 * a place where water falls free, an inlet that floods. The tub and each end of a pipe have an opening. The network is const
 * once it is finished: executions in any number of threads share it.
 *
 * A pipe is straight, with a constant area; water in it has a plane front (docs/theory/tunnel.md says what that leaves out). All SI.
 */
#ifndef SL_TUNNEL_NETWORK_H
#define SL_TUNNEL_NETWORK_H

#include <sluice/diag.h>

#include "base/ids.h"
#include "base/memory.h"

typedef enum sl_tub_kind {
    SL_TUB_NONE = 0, /* a joint inside the mountain: its opening is shut for ever */
    SL_TUB_LEVEL,    /* a prescribed level */
    SL_TUB_RESERVOIR,
    SL_TUB_OUTFALL, /* never wet outside */
    SL_TUB_KIND_COUNT
} sl_tub_kind;

/* A function of time, linear between points and constant beyond them; one point: a constant. */
typedef struct sl_tunnel_series {
    int32_t n;
    const double *t, *value; /* [s] */
    const double *sum;       /* integral from 0 to each point; finish makes it of inflows */
} sl_tunnel_series;

typedef struct sl_tunnel_valve {
    double elevation;  /* of the sill [m] */
    double suction;    /* pressure head below atmosphere at which standing water lets go [m]; 0: vented */
    double hysteresis; /* how far above the sill a level wets a dry tub [m] */
    sl_tub_kind tub;
    bool is_open;
    double area, bottom; /* of a reservoir [m2], [m]; of one with a curve: any, its lowest level */
    sl_tunnel_series
        storage; /* in place of area: t: volumes [m3], value: levels [m], both rising; beyond its points as it ends; n 0: none */
    double level;            /* of a reservoir at the start [m] */
    double rim;              /* elevation from which a reservoir floods [m]; INFINITY: never */
    int32_t target;          /* the valve whose reservoir takes the flood; -1: it is gone */
    sl_tunnel_series levels; /* of a prescribed level [m] */
    sl_tunnel_series inflow; /* to a reservoir from outside [m3/s] */
} sl_tunnel_valve;

typedef struct sl_tunnel_end {
    int32_t valve;
    double elevation; /* [m] */
    double in, out;   /* local losses where water enters and leaves the pipe here; in: with the velocity head */
    bool is_open;
    bool drops;     /* water that is detached here falls to the other end at once, instead of staying */
    bool is_vented; /* air comes in here although the opening is shut */
} sl_tunnel_end;

typedef struct sl_tunnel_pipe {
    sl_tunnel_end ends[2];         /* upstream, downstream */
    double length, area, diameter; /* [m], [m2], hydraulic [m] */
    double friction;               /* Darcy's, constant */
    double added_length;           /* of water that moves with each end of a column [m] */
} sl_tunnel_pipe;

/* An opening that is shut or opened at a time. */
typedef struct sl_tunnel_move {
    double t;      /* [s] */
    int32_t valve; /* its tub; -1: the end of a pipe */
    int32_t end;   /* 2 pipe + 0 upstream, 1 downstream */
    bool is_open;
} sl_tunnel_move;

/* Water at the start, at rest. */
typedef struct sl_tunnel_water {
    int32_t pipe;
    int32_t side;  /* of a column that lies at one end; -1: the pipe is full */
    double volume; /* [m3] */
} sl_tunnel_water;

/* All arrays are the arena's. */
typedef struct sl_tunnel_network {
    sl_context *ctx;
    sl_arena arena;
    sl_ids *valve_ids, *pipe_ids;
    int32_t n_valve, n_pipe, n_move, n_water;
    sl_tunnel_valve *valves;
    sl_tunnel_pipe *pipes;
    sl_tunnel_move *moves; /* by time */
    sl_tunnel_water *waters;
    /* found by finish */
    int32_t *start, *ends; /* ends of pipes (2 pipe + side) at valve v: ends[start[v]] to ends[start[v + 1]] */
    int32_t max_degree;
    int32_t *source_start, *sources; /* valves that flood to valve v: as start and ends */
} sl_tunnel_network;

#define SL_TUNNEL_GRAVITY 9.81 /* [m/s2] */

/* Empty, with room; ids are added with the elements. NULL: no memory. */
sl_tunnel_network *sl_tunnel_network_create(sl_context *ctx, int32_t n_valve, int32_t n_pipe);
void sl_tunnel_network_destroy(sl_tunnel_network *net);

/* Something that is wrong with a valve or a pipe. */
typedef void (*sl_tunnel_complain)(void *user, bool pipe, int32_t index, sl_code code, const char *hint,
                                   const char *text);
/* Checks all, and finds what follows. SL_ERR_INPUT: everything that is wrong has been reported. */
sl_status sl_tunnel_network_finish(sl_tunnel_network *net, sl_tunnel_complain complain, void *user);

/* The first move of a gate after t; n_move: there is none. */
int32_t sl_tunnel_next_move(const sl_tunnel_network *net, double t);

/* "side": the gate of the tub of a valve; "main.from", "main.to": those at the ends of a pipe. Sets valve and end. False: there is none. */
bool sl_tunnel_find_gate(const sl_ids *valves, const sl_ids *pipes, sl_str name, sl_tunnel_move *out);
/* Swamee and Jain (1976), of full turbulence above a Reynolds number of 5000; water of 16 degrees. */
double sl_tunnel_friction(double roughness, double diameter, double velocity);

double sl_tunnel_series_at(const sl_tunnel_series *s, double t);
/* Of a reservoir: the level of so much water, the water below a level, the area of the surface [m], [m3], [m2]. */
double sl_tunnel_reservoir_level(const sl_tunnel_valve *valve, double water);
double sl_tunnel_reservoir_water(const sl_tunnel_valve *valve, double level);
double sl_tunnel_reservoir_area(const sl_tunnel_valve *valve, double water);
/* Of an inflow: the integral from 0 to t, exact. */
double sl_tunnel_series_integral(const sl_tunnel_series *s, double t);

static inline const char *sl_tunnel_valve_id(const sl_tunnel_network *net, int32_t v) {
    return sl_ids_z(net->valve_ids, v);
}
static inline const char *sl_tunnel_pipe_id(const sl_tunnel_network *net, int32_t i) {
    return sl_ids_z(net->pipe_ids, i);
}

#endif
