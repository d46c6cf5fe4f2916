/* SPDX-License-Identifier: MIT */
/* sluice/tunnel.h: building a network of tunnels that fill and drain.
 *
 *     sl_tunnels_create(ctx, "fill", diags, &t);
 *     sl_tunnels_valve gate = sl_tunnels_valve_default(), plant = gate;
 *     gate.id = "gate"; gate.elevation = 10.0; gate.outside = SL_TUNNELS_LEVEL; gate.level = 14.0;
 *     plant.id = "plant"; plant.outside = SL_TUNNELS_OUTFALL;
 *     sl_tunnels_add_valve(t, &gate);
 *     sl_tunnels_add_valve(t, &plant);
 *     sl_tunnels_pipe main = sl_tunnels_pipe_default();
 *     main.id = "main"; main.from = "gate"; main.to = "plant"; main.length = 200.0; main.area = 3.0; main.friction = 0.02;
 *     sl_tunnels_add_pipe(t, &main);
 *     sl_tunnels_move_gate(t, "gate", 60.0, false);                      shut after a minute
 *
 *     sl_tunnels_run run = sl_tunnels_run_default();
 *     run.end = 300.0;
 *     sl_model_of_tunnels(ctx, t, &run, diags, &model);                  sluice/session.h moves it
 *
 * Theory: docs/theory/tunnel.md. Variables of the session, and the same models as files: docs/reference/tunnel.md. A pipe is straight,
 * has a constant area, and leads from the higher valve (from) to the lower valve (to). Directed paths of pipes must not form a cycle. A
 * tunnel with bends is a chain of pipes. All values are in SI units. Texts and arrays are copied.
 */
#ifndef SLUICE_TUNNEL_H
#define SLUICE_TUNNEL_H

#include <sluice/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sl_tunnels sl_tunnels;

/* title and diags may be NULL; diags is used as long as the tunnels are changed. An add that fails writes a diagnostic, adds nothing
 * and returns SL_ERR_INPUT; no model can then be made. One check at the end is therefore enough. */
SL_API sl_status sl_tunnels_create(sl_context *ctx, const char *title, sl_diags *diags, sl_tunnels **out);
SL_API void sl_tunnels_destroy(sl_tunnels *t);

/* Boundary condition outside a valve. */
typedef enum sl_tunnels_outside {
    SL_TUNNELS_NOTHING = 0, /* a joint inside the mountain */
    SL_TUNNELS_LEVEL,       /* a prescribed level */
    SL_TUNNELS_RESERVOIR,
    SL_TUNNELS_OUTFALL, /* water falls freely; none flows back */
    SL_TUNNELS_OUTSIDE_COUNT
} sl_tunnels_outside;

typedef struct sl_tunnels_valve {
    size_t size;
    const char *id;
    double elevation;  /* of the sill [m] */
    double suction;    /* pressure head below atmosphere at which standing water detaches [m], default 10; 0: vented */
    double hysteresis; /* height of a level above the sill that wets a gate that is dry outside [m], default 1e-6 */
    sl_tunnels_outside outside;
    double level;         /* prescribed, or of a reservoir at the start [m] */
    double area, bottom;  /* of a reservoir [m2], [m] */
    double rim;           /* level at which the reservoir overflows [m]; NaN: never */
    const char *flood_to; /* valve whose reservoir receives the overflow; NULL: it leaves the model */
    double inflow;        /* to a reservoir [m3/s] */
    /* Replaces a prescribed level, or inflow: n points of increasing time, linear between them, constant beyond; n = 0: as above. */
    int32_t n;
    const double *time, *value;
    /* Replaces area and bottom: n_storage points of a storage curve, with increasing levels [m] and volumes [m3] from 0. */
    int32_t n_storage;
    const double *storage_level, *storage_volume;
} sl_tunnels_valve;
SL_DEFAULT(sl_tunnels_valve, sl_tunnels_valve_default)

/* Members with two numbers: the first at `from`, the second at `to`. */
typedef struct sl_tunnels_pipe {
    size_t size;
    const char *id, *from, *to;
    double length, area; /* [m], [m2] */
    double diameter;     /* hydraulic [m]; NaN: that of a circle */
    double friction;     /* Darcy's factor, constant; sl_tunnels_friction */
    double elevation[2]; /* of its ends [m]; NaN: those of the sills */
    double in[2],
        out[2]; /* local loss where water enters the pipe (includes the velocity head), default 1, and where it leaves, default 0 */
    double added_length; /* of water that moves with each end of a column [m]; NaN: half the diameter */
    bool drops[2];       /* water that detaches here falls to the other end at once */
    bool is_vented[2];   /* air enters here downstream of a shut gate */
} sl_tunnels_pipe;
SL_DEFAULT(sl_tunnels_pipe, sl_tunnels_pipe_default)

SL_API sl_status sl_tunnels_add_valve(sl_tunnels *t, const sl_tunnels_valve *valve);
SL_API sl_status sl_tunnels_add_pipe(sl_tunnels *t, const sl_tunnels_pipe *pipe);
/* Opens or shuts a gate at a time. gate: "side" is the gate outside the valve side; "main.from" and "main.to" are the gates at the ends
 * of the pipe main. Time 0 sets the initial state, default open. */
SL_API sl_status sl_tunnels_move_gate(sl_tunnels *t, const char *gate, double time, bool is_open);
/* Water at rest at the start: a full pipe; or a column of a volume [m3] in a pipe, at the valve at one of its ends. */
SL_API sl_status sl_tunnels_fill(sl_tunnels *t, const char *pipe);
SL_API sl_status sl_tunnels_put(sl_tunnels *t, const char *pipe, const char *valve, double volume);

/* Darcy's friction factor by Swamee and Jain, from roughness [m], diameter [m] and velocity [m/s]; water of 16 degrees Celsius. */
SL_API double sl_tunnels_friction(double roughness, double diameter, double velocity);

/* Treatment of a state that changes again and again in a short time. */
typedef enum sl_tunnels_chattering {
    SL_TUNNELS_WIDEN = 0, /* the hysteresis is doubled, with a warning */
    SL_TUNNELS_HOLD,      /* the state is held for a thousandth of the run, with a warning */
    SL_TUNNELS_ERROR,
    SL_TUNNELS_CHATTERING_COUNT
} sl_tunnels_chattering;

typedef struct sl_tunnels_run {
    size_t size;
    double end;         /* [s]; needed */
    double report;      /* time between results [s]; 0: none */
    double tolerance;   /* of the integrator, relative, 1e-12 to 1e-2; 1e-8 */
    bool all_reversals; /* every reversal of flow is an event, not only those that change the structure */
    sl_tunnels_chattering chattering;
} sl_tunnels_run;
SL_DEFAULT(sl_tunnels_run, sl_tunnels_run_default)

#ifdef __cplusplus
}
#endif

#endif
