/* SPDX-License-Identifier: MIT */
/* sluice/tunnel.h: tunnels that fill, collide and run dry: a network of them by calls.
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
 * What is computed: docs/theory/tunnel.md; the quantities of the session and the same in files: docs/reference/tunnel.md. Pipes are
 * straight, with a constant area, and lead from the higher to the lower valve: no way along them may lead in a circle. A tunnel with kinks is
 * a chain of them. All SI. Texts and arrays are copied.
 */
#ifndef SLUICE_TUNNEL_H
#define SLUICE_TUNNEL_H

#include <sluice/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sl_tunnels sl_tunnels;

/* title and diags may be NULL; diags is used as long as there is something to add. An add that fails reports there, adds nothing and
 * returns SL_ERR_INPUT; no model can then be made. So one check at the end is enough. */
SL_API sl_status sl_tunnels_create(sl_context *ctx, const char *title, sl_diags *diags, sl_tunnels **out);
SL_API void sl_tunnels_destroy(sl_tunnels *t);

/* What is outside of a valve. */
typedef enum sl_tunnels_outside {
    SL_TUNNELS_NOTHING = 0, /* a joint inside the mountain */
    SL_TUNNELS_LEVEL,       /* a prescribed level */
    SL_TUNNELS_RESERVOIR,
    SL_TUNNELS_OUTFALL, /* water falls free, and none comes back */
    SL_TUNNELS_OUTSIDE_COUNT
} sl_tunnels_outside;

typedef struct sl_tunnels_valve {
    size_t size;
    const char *id;
    double elevation;  /* of the sill [m] */
    double suction;    /* pressure head below atmosphere at which standing water lets go [m]; 10; 0: vented */
    double hysteresis; /* how far above the sill a level wets a gate that is dry outside [m]; 1e-6 */
    sl_tunnels_outside outside;
    double level;         /* prescribed, or of a reservoir at the start [m] */
    double area, bottom;  /* of a reservoir [m2], [m] */
    double rim;           /* from which it floods [m]; NaN: never */
    const char *flood_to; /* a valve whose reservoir takes that; NULL: it is gone */
    double inflow;        /* to a reservoir [m3/s] */
    /* In place of a prescribed level, or of inflow: linear between n points of rising time, constant beyond them; 0: as above. */
    int32_t n;
    const double *time, *value;
    /* In place of area and bottom: n_storage points of a storage curve, of rising levels [m] and volumes [m3] from 0 on. */
    int32_t n_storage;
    const double *storage_level, *storage_volume;
} sl_tunnels_valve;
SL_DEFAULT(sl_tunnels_valve, sl_tunnels_valve_default)

/* Two numbers: at `from`, at `to`. */
typedef struct sl_tunnels_pipe {
    size_t size;
    const char *id, *from, *to;
    double length, area; /* [m], [m2] */
    double diameter;     /* hydraulic [m]; NaN: that of a circle */
    double friction;     /* Darcy's factor, constant; sl_tunnels_friction */
    double elevation[2]; /* of its ends [m]; NaN: those of the sills */
    double in[2],
        out[2]; /* local losses where water enters the pipe (with the velocity head; 1), and where it leaves (0) */
    double added_length; /* of water that moves with each end of a column [m]; NaN: half the diameter */
    bool drops[2];       /* water that is detached here falls to the other end at once */
    bool is_vented[2];   /* air comes in here behind a shut gate */
} sl_tunnels_pipe;
SL_DEFAULT(sl_tunnels_pipe, sl_tunnels_pipe_default)

SL_API sl_status sl_tunnels_add_valve(sl_tunnels *t, const sl_tunnels_valve *valve);
SL_API sl_status sl_tunnels_add_pipe(sl_tunnels *t, const sl_tunnels_pipe *pipe);
/* gate: "side" is that of the tub of a valve, "main.from" and "main.to" those at the ends of a pipe. At time 0: how it begins; without
 * that it is open. */
SL_API sl_status sl_tunnels_move_gate(sl_tunnels *t, const char *gate, double time, bool is_open);
/* Water at the start, at rest: a full pipe; a column that lies in it at a valve at one of its ends [m3]. */
SL_API sl_status sl_tunnels_fill(sl_tunnels *t, const char *pipe);
SL_API sl_status sl_tunnels_put(sl_tunnels *t, const char *pipe, const char *valve, double volume);

/* Darcy's factor of a roughness [m], at a velocity [m/s], by Swamee and Jain; water of 16 degrees. */
SL_API double sl_tunnels_friction(double roughness, double diameter, double velocity);

/* What is done where something changes again and again. */
typedef enum sl_tunnels_chattering {
    SL_TUNNELS_WIDEN = 0, /* the hysteresis is doubled, with a warning */
    SL_TUNNELS_HOLD,      /* what changes keeps its value for a thousandth of the run, with a warning */
    SL_TUNNELS_ERROR,
    SL_TUNNELS_CHATTERING_COUNT
} sl_tunnels_chattering;

typedef struct sl_tunnels_run {
    size_t size;
    double end;         /* [s]; needed */
    double report;      /* time between results [s]; 0: none */
    double tolerance;   /* of the integrator, relative, 1e-12 to 1e-2; 1e-8 */
    bool all_reversals; /* every reversal of flow is an event, not only those that structure depends on */
    sl_tunnels_chattering chattering;
} sl_tunnels_run;
SL_DEFAULT(sl_tunnels_run, sl_tunnels_run_default)

#ifdef __cplusplus
}
#endif

#endif
