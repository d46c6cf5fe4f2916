/* SPDX-License-Identifier: MIT */
/* sluice/surge.h: water hammer: what a study of pressure waves can say, and what it shows.
 *
 * A study is a network, a time of its extended-period solution to start from, and a sl_surge_def: the fluid, the grid,
 * the friction and cavitation models, what is known about pumps and valves beyond the network, and what happens. It is
 * plain data: arrays are borrowed until sl_model_from_surge (sluice/session.h) returns, which copies what it needs.
 * Everything is in SI units; heads are piezometric [m], gauge; times count from the start of the surge run, whatever the
 * time of day it starts from. Nodes and links are indices of the network.
 *
 *     sl_surge_def def = sl_surge_default();
 *     def.duration = 20.0;
 *     def.wave_speed = 1100.0;
 *     static const double t[] = {0.0, 2.0}, x[] = {NAN, 0.0};            from what it is to shut, in two seconds
 *     sl_surge_event close = sl_surge_event_default();
 *     close.what = SL_SURGE_VALVE_OPENING; close.index = sl_network_find_link(net, sl_str_z("V1"));
 *     close.start = 1.0; close.t = t; close.x = x; close.n = 2;
 *     def.events = &close; def.n_event = 1;
 *     sl_model_from_surge(ctx, net, &def, diags, &model);
 *
 * The model is then one like any other: a session moves it. A step of the engine is one time step; the state at t is that
 * after the step that ends at t. Theory: docs/theory/surge.md.
 *
 * Variables of the session (values [SI] at its time):
 *     node       head, pressure [m], demand [m3/s] (all that leaves a junction; the net inflow of a reservoir or tank),
 *                head.max, head.min [m], time.max, time.min [s], cavity, cavity.max [m3], demand.factor (input)
 *     reservoir  head [m] (input)       tank  level [m], overflow [m3]
 *     link       flow (at the first node), flow.end (at the last) [m3/s], opening 0..1 (input; of valves and pipes)
 *     pump       speed (input; relative), torque [N m], tripped (input: 1 cuts the power)
 *     part       head, pressure [m], flow [m3/s], cavity [m3] of the probes
 *     the model  balance.inflow ... (sl_surge_balance), alarm.joukowsky ... (counts of steps), dt
 * A value that is set stays: events that started before do not change it any more, events that start later do.
 *
 * Records carry a line (0: none) for messages about them: def.file and that line go into the diagnostics.
 */
#ifndef SLUICE_SURGE_H
#define SLUICE_SURGE_H

#include <sluice/network.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Fluid -------------------------------------------------------------------------------------- */

/* NaN: the default that is named. */
typedef struct sl_surge_fluid {
    size_t size;
    double gravity;              /* [m/s2]; 9.80665 */
    double density;              /* [kg/m3]; the network's specific gravity times 998.2 */
    double viscosity;            /* kinematic [m2/s]; the network's */
    double bulk_modulus;         /* [Pa]; 2.19e9 */
    double atmospheric_pressure; /* absolute [Pa]; 101325, less with altitude */
    double altitude;             /* of the site [m]; 0 */
    double vapour_pressure;      /* absolute [Pa]; that of water at the temperature */
    double temperature;          /* [degree C]; 20 */
} sl_surge_fluid;

/* All NaN. */
SL_DEFAULT(sl_surge_fluid, sl_surge_fluid_default)
/* Fills in what is NaN; specific_gravity and viscosity are the network's. SL_ERR_USE: the fluid has no size. */
SL_API sl_status sl_surge_fluid_complete(sl_surge_fluid *fluid, double specific_gravity, double viscosity);

/* ---- Wave speed --------------------------------------------------------------------------------- */

typedef enum sl_surge_restraint {
    SL_SURGE_ANCHORED = 0,     /* against all movement along the pipe: c = 1 - nu^2 */
    SL_SURGE_ANCHORED_ONE_END, /* at its upstream end only: c = 1.25 - nu */
    SL_SURGE_JOINTED           /* expansion joints throughout: c = 1 */
} sl_surge_restraint;

/* No size: what Korteweg's formula asks of a wall, for good. */
typedef struct sl_surge_wall {
    double thickness; /* [m] */
    double young;     /* modulus of elasticity [Pa] */
    double poisson;   /* ratio */
    sl_surge_restraint restraint;
    double gas_fraction; /* free gas by volume at gas_pressure; 0: none */
    double gas_pressure; /* absolute [Pa] */
} sl_surge_wall;

/* No size: an element of an array, whose stride caller and library share. */
typedef struct sl_surge_material {
    const char *name; /* "steel", "ductile-iron", ... */
    double young;     /* [Pa] */
    double poisson;
    double hazen;     /* a typical Hazen-Williams C */
    double roughness; /* [m] */
} sl_surge_material;

/* The materials known; by name (any case, '-', '_' and blanks alike), NULL when there is none. */
SL_API const sl_surge_material *sl_surge_materials(int32_t *n);
SL_API const sl_surge_material *sl_surge_material_find(sl_str name);
/* Korteweg's wave speed [m/s] in a pipe of this bore [m]; walls thicker than D/25 by the thick-wall factor. The fluid is
 * complete; NaN when it has no size. */
SL_API double sl_surge_wave_speed(const sl_surge_fluid *fluid, double diameter, const sl_surge_wall *wall);

/* ---- Models ------------------------------------------------------------------------------------- */

typedef enum sl_surge_friction {
    SL_SURGE_STEADY = 0,   /* the friction factor of the steady start is kept */
    SL_SURGE_QUASI_STEADY, /* the network's law (H-W, D-W, C-M) at the flow of each instant */
    SL_SURGE_ACCELERATION, /* quasi-steady and instantaneous acceleration (Brunone, Vitkovsky; Vardy-Brown coefficient) */
    SL_SURGE_CONVOLUTION,  /* quasi-steady and weighted history (Zielke; Vardy-Brown), by recursion */
    SL_SURGE_RTHYM_FILTER, /* no friction law: a filter that adds energy, to compare with another program only */
    SL_SURGE_FRICTION_COUNT
} sl_surge_friction;

/* How friction over a reach is integrated. */
typedef enum sl_surge_integration {
    SL_SURGE_TRAPEZOIDAL = 0, /* half by the old flow, half by the new: second order, always stable */
    SL_SURGE_EXPLICIT         /* by the old flow: first order; unstable when friction is high */
} sl_surge_integration;

typedef enum sl_surge_cavitation {
    SL_SURGE_DGCM = 0, /* a little free gas at every section (the default) */
    SL_SURGE_DVCM,     /* vapour cavities where the head would fall below that of vapour */
    SL_SURGE_CLAMP,    /* heads stop at that of vapour; does not conserve mass: for screening */
    SL_SURGE_LIQUID,   /* water that never breaks: heads fall as far as the equations say */
    SL_SURGE_CAVITATION_COUNT
} sl_surge_cavitation;

typedef enum sl_surge_demand {
    SL_SURGE_DEMAND_ORIFICE = 0, /* q proportional to the square root of pressure, zero below none; as at the start */
    SL_SURGE_DEMAND_INTRUSION,   /* the same, with inflow below atmospheric pressure */
    SL_SURGE_DEMAND_FIXED        /* q as at the start, whatever the pressure */
} sl_surge_demand;

typedef enum sl_surge_tanks {
    SL_SURGE_TANKS_MOVE = 0, /* levels follow the flows */
    SL_SURGE_TANKS_HOLD
} sl_surge_tanks;

/* The words of study files: "steady", "quasi-steady", "acceleration", "convolution", "rthym-filter"; "dgcm", "dvcm",
 * "clamp", "liquid". */
SL_API const char *sl_surge_friction_word(sl_surge_friction friction);
SL_API const char *sl_surge_cavitation_word(sl_surge_cavitation cavitation);

/* ---- Grid --------------------------------------------------------------------------------------- */

typedef enum sl_surge_scheme {
    SL_SURGE_ADJUST = 0, /* whole reaches: the wave speed of each pipe is changed a little */
    SL_SURGE_INTERPOLATE /* wave speeds as given: values between grid points are interpolated, which damps */
} sl_surge_scheme;

/* ---- What there is beyond the network ----------------------------------------------------------- */

/* Elevations along a pipe, from its first node on. No size: an element of an array, whose stride caller and library share. */
typedef struct sl_surge_survey {
    int32_t pipe;
    const double *chainage, *elevation; /* [m]; chainage increasing within the pipe's length */
    int32_t n;
    uint32_t line;
} sl_surge_survey;

typedef enum sl_surge_characteristic {
    SL_SURGE_LINEAR = 0,       /* phi = x */
    SL_SURGE_EQUAL_PERCENTAGE, /* phi = Rg^(x-1), 0 at x = 0 */
    SL_SURGE_QUICK_OPENING,    /* phi = sqrt(x) */
    SL_SURGE_TABLE             /* phi(x) by points */
} sl_surge_characteristic;

/* How the loss of a valve (or of a pipe with a shut-off at its first node) follows its opening x in 0..1:
 *     K(x) = K0 + k_open (1/phi(x)^2 - 1/phi(x0)^2), at least 0; closed where phi is 0
 * with K0 the loss coefficient of the steady start (on the valve's bore) and x0 the opening it belongs to. So the run
 * starts in balance whatever the curve says. No size: an element of an array, whose stride caller and library share. */
typedef struct sl_surge_valve {
    int32_t link; /* valve, or pipe */
    sl_surge_characteristic characteristic;
    double range;          /* Rg; 30 */
    const double *x, *phi; /* points of SL_SURGE_TABLE, x increasing in 0..1 */
    int32_t n;
    double opening; /* x0 at the start; NaN: 1, or 0 when it is closed */
    double
        k_open; /* loss coefficient fully open, on the valve's bore; NaN: K0 phi(x0)^2, at least 0.2; of a regulator 6 */
    uint32_t line;
    /* Time of the actuator for the whole stroke [s]; 0: it moves at once; NaN: 10 of valves that regulate, else 0. */
    double opens_in, closes_in;
    double lag; /* of a valve that regulates: time constant of its pilot [s]; 0: ideal; NaN: 1 */
} sl_surge_valve;

SL_API sl_surge_valve sl_surge_valve_default(void);
/* Loss coefficient of a valve of this bore [m] with a flow coefficient Kv [m3/h at 1 bar]. */
SL_API double sl_surge_k_of_kv(double kv, double diameter, double gravity);

/* A pump: what its trip and its other quadrants need. Without a record the defaults hold. No size: an element of an array, whose stride caller and library share. */
typedef struct sl_surge_pump {
    int32_t link;
    double rated_flow,
        rated_head; /* [m3/s], [m]; NaN: of the steady start; of the middle of its curve when that is twice as much and more */
    double rated_speed;      /* [rad/s]; NaN: 1480 per minute */
    double rated_efficiency; /* 0..1; NaN: 0.8 */
    double inertia;          /* of all that turns [kg m2]; NaN: estimated from rated power and speed (Thorley) */
    bool check_valve;        /* lets no water back; true */
    bool ratchet;            /* does not turn backwards; false */
    const double *suter_head,
        *suter_torque; /* W_H and W_B at n_suter angles 0 .. 2 pi; NULL: the radial pump n_s = 35 */
    int32_t n_suter;
    uint32_t line;
} sl_surge_pump;

SL_API sl_surge_pump sl_surge_pump_default(void);

/* A check valve that takes its time: it shuts when water runs back as fast as its curve says for the deceleration with which the flow
 * came to rest, as makers measure it. Without a record a check valve is ideal: it shuts at rest. No size: an element of an array, whose stride caller and library share. */
typedef struct sl_surge_check_valve {
    int32_t link;                         /* a pipe with a check valve, or a pump with one */
    const double *deceleration, *reverse; /* [m/s2], [m/s], both from 0 on; beyond the last point that */
    int32_t n;
    double bore; /* [m]; NaN: that of the pipe; of a pump, that of the widest pipe at its second node */
    uint32_t line;
} sl_surge_check_valve;

SL_API sl_surge_check_valve sl_surge_check_valve_default(void);

/* Water that leaves through an opening: q = opening * coefficient * (H - back)^exponent. A leak, a burst, an emitter, an
 * end valve. At a node, or at a place of a pipe (the pipe is divided there, at the nearest grid point). No size: an element of an array, whose stride caller and library share. */
typedef struct sl_surge_outlet {
    int32_t node; /* -1: at a place of a pipe */
    int32_t pipe;
    double chainage;    /* [m] from the pipe's first node */
    double coefficient; /* [m3/s / m^exponent]; of an orifice Cd A sqrt(2 g); NaN: so that it takes the node's demand */
    double exponent;    /* 0.5 */
    double back;        /* head at its other side [m]; NaN: the elevation, that is the atmosphere */
    double opening;   /* at the start; 0: a burst to come. Else its flow is taken from the node's demand, which must be
                           as much: the steady start stays one */
    bool backflow;    /* water may come in */
    const char *name; /* for results; NULL: none */
    uint32_t line;
} sl_surge_outlet;

SL_API sl_surge_outlet sl_surge_outlet_default(void);

/* ---- What happens ------------------------------------------------------------------------------- */

typedef enum sl_surge_watch {
    SL_SURGE_WATCH_PRESSURE = 0, /* of a node: head above its elevation [m] */
    SL_SURGE_WATCH_HEAD,         /* of a node [m] */
    SL_SURGE_WATCH_FLOW,         /* of a link, at its first node [m3/s] */
    SL_SURGE_WATCH_SPEED,        /* of a pump, relative */
    SL_SURGE_WATCH_COUNT
} sl_surge_watch;

/* Fires once, at the end of the first step by which the value has been beyond its threshold for the given duration. No size: an element of an array, whose stride caller and library share. */
typedef struct sl_surge_trigger {
    sl_surge_watch watch;
    int32_t index; /* node or link */
    bool above;    /* rises to the threshold; else falls to it */
    double threshold;
    double after; /* it has to last so long [s]; 0 */
    uint32_t line;
} sl_surge_trigger;

typedef enum sl_surge_quantity {
    SL_SURGE_VALVE_OPENING = 0, /* of a valve or pipe: 0 shut, 1 open */
    SL_SURGE_PUMP_SPEED,        /* relative to the rated one that the network's curve is for */
    SL_SURGE_PUMP_TRIP,         /* power fails at the start of the event: no points */
    SL_SURGE_DEMAND_FACTOR,     /* of a junction: times its demand at the start */
    SL_SURGE_DEMAND_FLOW,       /* of a junction: a fixed demand instead [m3/s] */
    SL_SURGE_HEAD,              /* of a reservoir or a tank [m]; such a tank is held at its level until then */
    SL_SURGE_OUTLET_OPENING,    /* of an outlet: its index among def.outlets */
    SL_SURGE_QUANTITY_COUNT
} sl_surge_quantity;

typedef enum sl_surge_shape {
    SL_SURGE_SHAPE_LINEAR = 0, /* between points; with power m: x0 + (x1 - x0) ((t - t0) / (t1 - t0))^m */
    SL_SURGE_SHAPE_HOLD,       /* each value from its time on */
    SL_SURGE_SHAPE_SINE        /* half a cosine between points: starts and ends softly */
} sl_surge_shape;

/* A quantity follows points from the start of the event on; the last value stays. Of two events on one quantity the one
 * that started later rules. No size: an element of an array, whose stride caller and library share. */
typedef struct sl_surge_event {
    sl_surge_quantity what;
    int32_t index;       /* link, node or outlet */
    double start;        /* [s]; with a trigger: so long after it fired */
    int32_t trigger;     /* among def.triggers; -1: none */
    const double *t, *x; /* t from 0 on, increasing [s]; the first x may be NaN: the value it has then */
    int32_t n;
    sl_surge_shape shape;
    double power; /* m; 1 */
    uint32_t line;
} sl_surge_event;

SL_API sl_surge_event sl_surge_event_default(void);

/* A place along a pipe that is shown by name: the session has part.'name'.head, .pressure, .flow, .cavity. No size: an element of an array, whose stride caller and library share. */
typedef struct sl_surge_probe {
    const char *name;
    int32_t pipe;
    double chainage; /* [m]; the nearest grid point */
    uint32_t line;
} sl_surge_probe;

/* ---- The whole ---------------------------------------------------------------------------------- */

typedef struct sl_surge_def {
    size_t size;
    const char *file; /* of the study, for messages; may be NULL */

    double start;                /* time of the extended-period run to start from [s] */
    double duration;             /* [s]; 0: without end */
    double report_step;          /* between results [s]; 0: every time step */
    const sl_surge_fluid *fluid; /* NULL: all of it by default */

    /* The grid. */
    sl_surge_scheme scheme;
    double dt;             /* time step [s]; NaN: found by the median pipe, the fastest event and the cost */
    bool optimise;         /* with dt NaN: shift dt a little so that wave speeds change least */
    int32_t reaches;       /* so many in the pipe of shortest travel time, with dt NaN; 0: found as said there */
    double distortion_max; /* largest change of a wave speed, relative; 0.15 */
    bool distortion_error; /* a larger one is an error, not a message; false */
    double
        rigid_length; /* pipes up to this length [m] have inertia and storage but no travel time; NaN: as rigid_part */
    double
        rigid_fraction; /* pipes whose travel time is below this fraction of dt are rigid, and pipes of one reach whose
                              wave speed would change too much; 0.5; 0: none are */
    int64_t points_max; /* refuse a grid of more points; 200 million */

    double wave_speed;             /* where nothing else is said [m/s]; 1200 */
    const double *pipe_wave_speed; /* [n_pipe], NaN: wave_speed; NULL: all */

    sl_surge_friction friction;
    sl_surge_integration integration;
    double friction_k; /* coefficient of SL_SURGE_ACCELERATION; NaN: Vardy and Brown's at the start's Reynolds number */
    double filter_time; /* of SL_SURGE_RTHYM_FILTER [s]; 0.5 */
    sl_surge_cavitation cavitation;
    double gas_fraction;  /* SL_SURGE_DGCM: free gas by volume at atmospheric pressure; 1e-7 */
    double cavity_weight; /* psi, 0.5 .. 1: weight of the new flows in a cavity's growth; 1 */
    sl_surge_demand demand;
    sl_surge_tanks tanks;

    const sl_surge_survey *surveys;
    const sl_surge_valve *valves;
    const sl_surge_pump *pumps;
    const sl_surge_outlet *outlets;
    const sl_surge_trigger *triggers;
    const sl_surge_event *events;
    const sl_surge_probe *probes;
    int32_t n_survey, n_valve, n_pump, n_outlet, n_trigger, n_event, n_probe, n_check_valve;
    const sl_surge_check_valve *check_valves;

    /* What a run keeps beside its heads and flows; both true. Heads and flows have the same bits without. */
    bool
        envelopes; /* highest and lowest heads within pipes and their times; without, these are NaN there, and known at nodes */
    bool balances; /* of water and energy, with their alarms; without, sl_surge_balance is NaN */
} sl_surge_def;

SL_DEFAULT(sl_surge_def, sl_surge_default)

/* ---- What a model tells: the grid --------------------------------------------------------------- */

/* No size: an element of an array, whose stride caller and library share. */
typedef struct sl_surge_pipe {
    double length, diameter; /* [m] */
    double wave_speed;       /* as asked for [m/s] */
    double wave_speed_used;  /* [m/s]; of a rigid pipe that asked for: it only stores by it */
    double distortion;       /* used / asked - 1 */
    double reach;            /* length of a reach [m]; of a rigid pipe its length */
    double courant;          /* 1, or less with interpolation */
    double resistance;       /* R |Q| / B at the start: friction of a reach over its impedance */
    int32_t n_reach;         /* 0: rigid */
    bool rigid;
    bool closed; /* at the start, at its first node */
} sl_surge_pipe;

/* What decided the time step. */
typedef enum sl_surge_step_by {
    SL_SURGE_STEP_GIVEN = 0,
    SL_SURGE_STEP_REACHES, /* the reaches that the study asks for, in the shortest pipe that is not rigid */
    SL_SURGE_STEP_WAVES,   /* twenty reaches in the pipe of median travel time */
    SL_SURGE_STEP_SHORT,   /* two reaches in the shortest pipe, or forty in the median one */
    SL_SURGE_STEP_RISE,    /* ten steps in the fastest event */
    SL_SURGE_STEP_COST     /* it is longer than waves or events ask for, so that the run does not take too long */
} sl_surge_step_by;

/* Arrays are borrowed from the model. */
typedef struct sl_surge_grid {
    size_t size;
    const sl_surge_pipe *pipes; /* [n_pipe] of the network */
    int32_t n_pipe, n_rigid;
    double dt;               /* [s] */
    int64_t n_point, n_cell; /* grid points; reaches, which is work per step */
    int64_t n_step;          /* in the duration; 0: no end */
    size_t state_bytes;      /* of a session, about */
    double seconds;          /* it may take, about */
    double distortion_max;   /* largest change of a wave speed, of pipe worst_pipe (-1: none) */
    int32_t worst_pipe;
    double residual;   /* largest loss by which the steady start and the laws differed before they were matched [m] */
    int32_t step_pipe; /* whose travel time decided the time step; -1: none */
    sl_surge_step_by step_by;
} sl_surge_grid;

/* ---- What a session tells: every grid point, balances, alarms ----------------------------------- */

typedef enum sl_surge_alarm {
    SL_SURGE_ALARM_JOUKOWSKY =
        0,                   /* a head beyond what stopping all flow could cause, without a cavity or a pump's doing */
    SL_SURGE_ALARM_ENERGY,   /* energy of the water grows though nothing puts any in */
    SL_SURGE_ALARM_MASS,     /* water is lost or made: more than 1e-9 of what moves and is stored */
    SL_SURGE_ALARM_CAVITY,   /* a cavity larger than a tenth of its reach: the discrete models are coarse there */
    SL_SURGE_ALARM_NODES,    /* heads at devices did not converge */
    SL_SURGE_ALARM_FRICTION, /* friction of a reach above a fifth of its impedance, with explicit integration */
    SL_SURGE_ALARM_TANK,     /* a tank is empty, or full without an overflow */
    SL_SURGE_ALARM_GRID,     /* a head swings to and fro within less than ten time steps, for long */
    SL_SURGE_ALARM_COUNT
} sl_surge_alarm;

/* No size: a part of sl_surge_view, with which it changes. */
typedef struct sl_surge_alarm_state {
    int64_t count; /* steps in which it held */
    double first;  /* time of the first one [s]; NaN: never */
    double
        worst; /* largest excess, in the unit of what it is about ([m], [J], [m3], part of the reach, [m], 1, [m], [m]) */
    double time;     /* of that [s] */
    int32_t node;    /* where: a node, */
    int32_t pipe;    /* or a pipe and */
    double chainage; /* a place on it; -1 */
} sl_surge_alarm_state;

/* Volumes since the start [m3], and what is wrong with them. No size: a part of sl_surge_view, with which it changes. */
typedef struct sl_surge_balance {
    double inflow, outflow; /* through reservoirs, into and out of the system */
    double demand, outlets; /* taken at junctions, through outlets (with emitters and leaks of the network) */
    double tanks;           /* more in tanks than at the start, spills counted in spilled */
    double spilled;
    double stored;   /* more in pipes, by pressure */
    double cavities; /* gas and vapour, more than at the start: water that had to go somewhere */
    double clamped;  /* water made by SL_SURGE_CLAMP */
    double error;    /* in - out - more inside */
    double scale;    /* what error is to be compared with */
    /* Energy of the water in pipes [J], relative to rest at the heads of the start. */
    double kinetic, elastic;
    double energy_start; /* their sum at the start */
    double work;         /* done on that water at pipe ends since the start */
    double friction;     /* lost in pipes since then: what is left of the three */
} sl_surge_balance;

/* Arrays borrowed from the session, valid until it moves, sets or restores. Points of pipe p are point_start[p] ..
 * point_start[p+1]-1, from its first node to its last; a rigid pipe has two. Where an outlet divides a pipe, a place
 * appears twice. Without a cavity the two flows are the same. */
typedef struct sl_surge_view {
    size_t size;
    double time; /* [s] */
    int64_t n_point;
    const int64_t *point_start;         /* [n_pipe + 1] */
    const double *chainage, *elevation; /* [m] */
    const double *head;                 /* [m] */
    const double *flow_in, *flow_out;   /* arriving from the first node's side, leaving to the last one's [m3/s] */
    const double *head_start;           /* at the steady start [m] */
    const double *head_max, *head_min;  /* so far [m] */
    const double *time_max, *time_min;  /* when first reached [s] */
    const double *vapour_head;          /* [m] */
    const double
        *cavity; /* gas and vapour volume [m3]; 0 at pipe ends, where it is the node's; NULL with SL_SURGE_LIQUID */
    /* Of vapour; at the ends of a pipe those of its nodes. Where there was none, gas of the start or a little more. */
    const double *cavity_max;   /* [m3] */
    const double *cavity_first; /* time of the first vapour cavity [s]; NaN: none */
    const double *cavity_time;  /* how long there was one [s] */
    const double *cavity_count; /* how often one collapsed */
    const double
        *pipe_joined; /* [n_pipe] how often the last cavity within the pipe collapsed: its water was whole again */
    /* Of the cavities at nodes: [n_node] of the network. */
    const double *node_cavity_max, *node_cavity_first, *node_cavity_time, *node_cavity_count;
    sl_surge_balance balance;
    sl_surge_alarm_state alarms[SL_SURGE_ALARM_COUNT];
} sl_surge_view;

/* The word of an alarm, "joukowsky", and what it means and what to do about it, a sentence each. */
SL_API const char *sl_surge_alarm_word(sl_surge_alarm alarm);
SL_API const char *sl_surge_alarm_meaning(sl_surge_alarm alarm);

#ifdef __cplusplus
}
#endif
#endif
