/* SPDX-License-Identifier: MIT */
/* sluice/surge.h: water hammer: definition and results of a surge study (pressure waves).
 *
 * A study has a network, a start time in its extended-period solution, and a sl_surge_def: fluid, grid, friction and cavitation
 * models, additional data of pumps and valves, and events. The definition is plain data. Its arrays are borrowed until
 * sl_model_from_surge (sluice/session.h) returns, which copies what it needs. Everything is in SI units. Heads are piezometric [m],
 * gauge. Times count from the start of the surge run, not from midnight. Nodes and links are indices of the network.
 *
 *     sl_surge_def def = sl_surge_default();
 *     def.duration = 20.0;
 *     def.wave_speed = 1100.0;
 *     static const double t[] = {0.0, 2.0}, x[] = {NAN, 0.0};            from the present opening to shut, in two seconds
 *     sl_surge_event close = sl_surge_event_default();
 *     close.what = SL_SURGE_VALVE_OPENING; close.index = sl_network_find_link(net, sl_str_z("V1"));
 *     close.start = 1.0; close.t = t; close.x = x; close.n = 2;
 *     def.events = &close; def.n_event = 1;
 *     sl_model_from_surge(ctx, net, &def, diags, &model);
 *
 * A session then runs the model as any other. A step of the engine is one time step. The state at t is that after the step that
 * ends at t. Theory: docs/theory/surge.md.
 *
 * Variables of the session (values [SI] at its time):
 *     node       head, pressure [m], demand [m3/s] (total outflow of a junction; net inflow of a reservoir or tank),
 *                head.max, head.min [m], time.max, time.min [s], cavity, cavity.max [m3], demand.factor (input)
 *     reservoir  head [m] (input)       tank  level [m], overflow [m3]
 *     link       flow (at the first node), flow.end (at the last) [m3/s], opening 0..1 (input; of valves and pipes)
 *     pump       speed (input; relative), torque [N m], tripped (input: 1 cuts the power)
 *     part       head, pressure [m], flow [m3/s], cavity [m3] of the probes
 *     the model  balance.inflow ... (sl_surge_balance), alarm.joukowsky ... (counts of steps), dt
 * A value that is set is held: events that started earlier no longer change it, events that start later do.
 *
 * The member line of a structure is its line in a study file, 0: none. Diagnostics have def.file and that line.
 */
#ifndef SLUICE_SURGE_H
#define SLUICE_SURGE_H

#include <sluice/network.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Fluid -------------------------------------------------------------------------------------- */

/* Properties of the fluid. NaN: the default given after the semicolon. */
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
/* Replaces NaN by defaults; specific_gravity and viscosity are those of the network. SL_ERR_USE: the fluid has no size. */
SL_API sl_status sl_surge_fluid_complete(sl_surge_fluid *fluid, double specific_gravity, double viscosity);

/* ---- Wave speed --------------------------------------------------------------------------------- */

typedef enum sl_surge_restraint {
    SL_SURGE_ANCHORED = 0,     /* against all axial movement: c = 1 - nu^2 */
    SL_SURGE_ANCHORED_ONE_END, /* at its upstream end only: c = 1.25 - nu */
    SL_SURGE_JOINTED           /* expansion joints throughout: c = 1 */
} sl_surge_restraint;

/* Pipe wall in Korteweg's formula. No size: its members are fixed for good. */
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

/* All materials; and one by name, in any case, with '-', '_' and blanks as equal. NULL: there is none. */
SL_API const sl_surge_material *sl_surge_materials(int32_t *n);
SL_API const sl_surge_material *sl_surge_material_find(sl_str name);
/* Korteweg's wave speed [m/s] in a pipe of this diameter [m]; walls thicker than D/25 have the thick-wall factor. The fluid must be
 * complete (sl_surge_fluid_complete); NaN: it has no size. */
SL_API double sl_surge_wave_speed(const sl_surge_fluid *fluid, double diameter, const sl_surge_wall *wall);

/* ---- Models ------------------------------------------------------------------------------------- */

typedef enum sl_surge_friction {
    SL_SURGE_STEADY = 0,   /* the friction factor of the steady start, constant */
    SL_SURGE_QUASI_STEADY, /* the network's law (H-W, D-W, C-M) at the flow of each instant */
    SL_SURGE_ACCELERATION, /* quasi-steady and instantaneous acceleration (Brunone, Vitkovsky; Vardy-Brown coefficient) */
    SL_SURGE_CONVOLUTION,  /* quasi-steady and weighted history (Zielke; Vardy-Brown), by recursion */
    SL_SURGE_RTHYM_FILTER, /* not a friction law: a filter that adds energy, only for comparison with another program */
    SL_SURGE_FRICTION_COUNT
} sl_surge_friction;

/* Integration of friction over a reach. */
typedef enum sl_surge_integration {
    SL_SURGE_TRAPEZOIDAL = 0, /* mean of friction at the old and new flow: second order, always stable */
    SL_SURGE_EXPLICIT         /* from the old flow: first order, unstable if friction is high */
} sl_surge_integration;

typedef enum sl_surge_cavitation {
    SL_SURGE_DGCM = 0, /* a little free gas at every section (the default) */
    SL_SURGE_DVCM,     /* vapour cavities where the head would fall below the vapour head */
    SL_SURGE_CLAMP,    /* heads are limited to the vapour head; does not conserve mass: for screening */
    SL_SURGE_LIQUID,   /* no column separation: heads may fall below the vapour head */
    SL_SURGE_CAVITATION_COUNT
} sl_surge_cavitation;

typedef enum sl_surge_demand {
    SL_SURGE_DEMAND_ORIFICE = 0, /* q ~ square root of gauge pressure, at least 0; the demand at the start */
    SL_SURGE_DEMAND_INTRUSION,   /* as ORIFICE, with inflow below atmospheric pressure */
    SL_SURGE_DEMAND_FIXED        /* the demand at the start, whatever the pressure */
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
    SL_SURGE_ADJUST = 0, /* a whole number of reaches: the wave speed of each pipe is adjusted slightly */
    SL_SURGE_INTERPOLATE /* wave speeds as given: values between grid points are interpolated, which damps */
} sl_surge_scheme;

/* ---- Additional data of pipes, valves and pumps ----------------------------------------------------------- */

/* Elevations along a pipe, starting at its first node.
 * No size: an element of an array, whose stride caller and library share. */
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

/* Loss of a valve (or of a pipe with a shut-off valve at its first node) as a function of its opening x in 0..1:
 *     K(x) = K0 + k_open (1/phi(x)^2 - 1/phi(x0)^2), at least 0; closed where phi is 0
 * with K0 the loss coefficient of the steady start (related to the valve's diameter) and x0 the opening at the start. The run
 * therefore starts in equilibrium with every curve.
 * No size: an element of an array, whose stride caller and library share. */
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
/* Loss coefficient of a valve of this diameter [m] with a flow coefficient Kv [m3/h at 1 bar]. */
SL_API double sl_surge_k_of_kv(double kv, double diameter, double gravity);

/* Data of a pump for a trip and for all four quadrants. A pump without this structure has the defaults.
 * No size: an element of an array, whose stride caller and library share. */
typedef struct sl_surge_pump {
    int32_t link;
    double rated_flow,
        rated_head; /* [m3/s], [m]; NaN: of the steady start, or of the middle of its curve if that is at least twice as much */
    double rated_speed;      /* [rad/s]; NaN: 1480 per minute */
    double rated_efficiency; /* 0..1; NaN: 0.8 */
    double inertia;          /* of all rotating masses [kg m2]; NaN: estimated from rated power and speed (Thorley) */
    bool check_valve;        /* prevents reverse flow; default true */
    bool ratchet;            /* prevents reverse rotation; default false */
    const double *suter_head,
        *suter_torque; /* W_H and W_B at n_suter angles 0 .. 2 pi; NULL: the radial pump n_s = 35 */
    int32_t n_suter;
    uint32_t line;
} sl_surge_pump;

SL_API sl_surge_pump sl_surge_pump_default(void);

/* A check valve that closes with a delay. It shuts when the reverse velocity reaches the value that its curve has for the deceleration of
 * the flow at its reversal. Manufacturers measure this curve. A check valve without this structure is ideal: it shuts at zero flow.
 * No size: an element of an array, whose stride caller and library share. */
typedef struct sl_surge_check_valve {
    int32_t link;                         /* a pipe with a check valve, or a pump with one */
    const double *deceleration, *reverse; /* [m/s2], [m/s], both starting at 0; constant beyond the last point */
    int32_t n;
    double bore; /* [m]; NaN: that of the pipe; of a pump, that of the widest pipe at its second node */
    uint32_t line;
} sl_surge_check_valve;

SL_API sl_surge_check_valve sl_surge_check_valve_default(void);

/* An outlet: q = opening * coefficient * (H - back)^exponent. It is a leak, a burst, an emitter or an end valve, at a node or along a
 * pipe. It divides the pipe at the nearest grid point.
 * No size: an element of an array, whose stride caller and library share. */
typedef struct sl_surge_outlet {
    int32_t node; /* -1: along a pipe */
    int32_t pipe;
    double chainage; /* [m] from the pipe's first node */
    double
        coefficient; /* [m3/s / m^exponent]; of an orifice Cd A sqrt(2 g); NaN: such that its flow is the node's demand */
    double exponent;  /* 0.5 */
    double back;      /* head on its other side [m]; NaN: the elevation, that is atmospheric pressure */
    double opening;   /* at the start; 0: a later burst. Otherwise its flow is part of the node's demand, which must be
                           at least as large, so that the start stays steady */
    bool backflow;    /* water may enter */
    const char *name; /* for results; NULL: none */
    uint32_t line;
} sl_surge_outlet;

SL_API sl_surge_outlet sl_surge_outlet_default(void);

/* ---- Triggers and events ------------------------------------------------------------------------------- */

typedef enum sl_surge_watch {
    SL_SURGE_WATCH_PRESSURE = 0, /* of a node: head above its elevation [m] */
    SL_SURGE_WATCH_HEAD,         /* of a node [m] */
    SL_SURGE_WATCH_FLOW,         /* of a link, at its first node [m3/s] */
    SL_SURGE_WATCH_SPEED,        /* of a pump, relative */
    SL_SURGE_WATCH_COUNT
} sl_surge_watch;

/* A trigger fires once: at the end of the first step at which the value has been beyond its threshold for the given duration.
 * No size: an element of an array, whose stride caller and library share. */
typedef struct sl_surge_trigger {
    sl_surge_watch watch;
    int32_t index; /* node or link */
    bool above;    /* rises to the threshold; else falls to it */
    double threshold;
    double after; /* that duration [s], default 0 */
    uint32_t line;
} sl_surge_trigger;

typedef enum sl_surge_quantity {
    SL_SURGE_VALVE_OPENING = 0, /* of a valve or pipe: 0 shut, 1 open */
    SL_SURGE_PUMP_SPEED,        /* relative to the rated speed, to which the network's curve belongs */
    SL_SURGE_PUMP_TRIP,         /* power fails at the start of the event; no points */
    SL_SURGE_DEMAND_FACTOR,     /* of a junction: factor on its demand at the start */
    SL_SURGE_DEMAND_FLOW,       /* of a junction: a fixed demand [m3/s] */
    SL_SURGE_HEAD,           /* of a reservoir or a tank [m]; the level of such a tank is constant before the event */
    SL_SURGE_OUTLET_OPENING, /* of an outlet: its index among def.outlets */
    SL_SURGE_QUANTITY_COUNT
} sl_surge_quantity;

typedef enum sl_surge_shape {
    SL_SURGE_SHAPE_LINEAR = 0, /* between points; with power m: x0 + (x1 - x0) ((t - t0) / (t1 - t0))^m */
    SL_SURGE_SHAPE_HOLD,       /* each value from its time until the next point */
    SL_SURGE_SHAPE_SINE,       /* half a cosine between points: starts and ends smoothly */
    SL_SURGE_SHAPE_CUBIC       /* monotone cubic, with a continuous slope */
} sl_surge_shape;

/* An event: from its start on, a quantity follows points; after the last point it stays constant. Of two events on one quantity,
 * the one that started later applies.
 * No size: an element of an array, whose stride caller and library share. */
typedef struct sl_surge_event {
    sl_surge_quantity what;
    int32_t index;       /* link, node or outlet */
    double start;        /* [s]; with a trigger: delay after it fires */
    int32_t trigger;     /* among def.triggers; -1: none */
    const double *t, *x; /* t starts at 0 and increases [s]; a first x of NaN is the present value */
    int32_t n;
    sl_surge_shape shape;
    double power; /* m; 1 */
    uint32_t line;
} sl_surge_event;

SL_API sl_surge_event sl_surge_event_default(void);

/* A probe: a named point along a pipe. The session has the variables part.'name'.head, .pressure, .flow and .cavity.
 * No size: an element of an array, whose stride caller and library share. */
typedef struct sl_surge_probe {
    const char *name;
    int32_t pipe;
    double chainage; /* [m]; the nearest grid point */
    uint32_t line;
} sl_surge_probe;

/* ---- The study ---------------------------------------------------------------------------------- */

typedef struct sl_surge_def {
    size_t size;
    const char *file; /* of the study, for messages; may be NULL */

    double start;                /* time of the extended-period run to start from [s] */
    double duration;             /* [s]; 0: no end */
    double report_step;          /* time between results [s]; 0: every time step */
    const sl_surge_fluid *fluid; /* NULL: defaults */

    /* The grid. */
    sl_surge_scheme scheme;
    double dt;       /* time step [s]; NaN: from the median pipe, the fastest event and the cost */
    bool optimise;   /* if dt is NaN: vary dt slightly to minimise the changes of wave speeds */
    int32_t reaches; /* if dt is NaN: number of reaches in the pipe of shortest travel time; 0: as described at dt */
    double distortion_max; /* largest relative change of a wave speed, default 0.15 */
    bool distortion_error; /* a larger change is an error instead of a message; default false */
    double
        rigid_length; /* pipes up to this length [m] are rigid: inertia and storage, but no travel time; NaN: as rigid_fraction */
    double
        rigid_fraction; /* pipes whose travel time is below this fraction of dt are rigid, and pipes of one reach whose
                              wave speed would change too much; 0.5; 0: none are */
    int64_t points_max; /* a grid with more points is refused; default 200 million */

    double wave_speed;             /* of pipes without another value [m/s], default 1200 */
    const double *pipe_wave_speed; /* [n_pipe], NaN: wave_speed; NULL: all */

    sl_surge_friction friction;
    sl_surge_integration integration;
    double friction_k; /* coefficient of SL_SURGE_ACCELERATION; NaN: Vardy and Brown's at the start's Reynolds number */
    double filter_time; /* of SL_SURGE_RTHYM_FILTER [s]; 0.5 */
    sl_surge_cavitation cavitation;
    double gas_fraction;  /* SL_SURGE_DGCM: free gas by volume at atmospheric pressure; 1e-7 */
    double cavity_weight; /* psi, 0.5 .. 1: weight of the new flows in the growth of a cavity, default 1 */
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

/* ---- Grid of a model --------------------------------------------------------------- */

/* No size: an element of an array, whose stride caller and library share. */
typedef struct sl_surge_pipe {
    double length, diameter; /* [m] */
    double wave_speed;       /* as requested [m/s] */
    double wave_speed_used;  /* [m/s]; of a rigid pipe the requested one, which sets its storage */
    double distortion;       /* used / requested - 1 */
    double reach;            /* length of a reach [m]; of a rigid pipe its length */
    double courant;          /* 1, or less with interpolation */
    double resistance;       /* R |Q| / B at the start: friction of a reach over its impedance */
    int32_t n_reach;         /* 0: rigid */
    bool rigid;
    bool closed; /* at the start, at its first node */
} sl_surge_pipe;

/* Reason for the time step. */
typedef enum sl_surge_step_by {
    SL_SURGE_STEP_GIVEN = 0,
    SL_SURGE_STEP_REACHES, /* the requested number of reaches, in the shortest pipe that is not rigid */
    SL_SURGE_STEP_WAVES,   /* twenty reaches in the pipe of median travel time */
    SL_SURGE_STEP_SHORT,   /* two reaches in the shortest pipe, or forty in the median one */
    SL_SURGE_STEP_RISE,    /* ten steps in the fastest event */
    SL_SURGE_STEP_COST     /* longer than for waves or events, to limit the duration of the computation */
} sl_surge_step_by;

/* Arrays are borrowed from the model. */
typedef struct sl_surge_grid {
    size_t size;
    const sl_surge_pipe *pipes; /* [n_pipe] of the network */
    int32_t n_pipe, n_rigid;
    double dt;               /* [s] */
    int64_t n_point, n_cell; /* grid points; reaches, which is work per step */
    int64_t n_step;          /* in the duration; 0: no end */
    size_t state_bytes;      /* of a session, approximately */
    double seconds;          /* estimated computation time [s] */
    double distortion_max;   /* largest change of a wave speed, of pipe worst_pipe (-1: none) */
    int32_t worst_pipe;
    double
        residual; /* largest difference of a head loss between the steady start and the laws, before they were matched [m] */
    int32_t step_pipe; /* pipe whose travel time determined the time step; -1: none */
    sl_surge_step_by step_by;
} sl_surge_grid;

/* ---- View of a session: grid points, balances, alarms ----------------------------------- */

typedef enum sl_surge_alarm {
    SL_SURGE_ALARM_JOUKOWSKY = 0, /* a head above Joukowsky's bound for all flow, not caused by a cavity or a pump */
    SL_SURGE_ALARM_ENERGY,        /* the energy of the water grows without input */
    SL_SURGE_ALARM_MASS,          /* water is lost or created: more than 1e-9 of the moving and stored volume */
    SL_SURGE_ALARM_CAVITY,        /* a cavity larger than a tenth of its reach: the discrete models are coarse there */
    SL_SURGE_ALARM_NODES,         /* heads at devices did not converge */
    SL_SURGE_ALARM_FRICTION,      /* friction of a reach above a fifth of its impedance, with explicit integration */
    SL_SURGE_ALARM_TANK,          /* a tank is empty, or full without an overflow */
    SL_SURGE_ALARM_GRID,          /* a head oscillates with a period below ten time steps for a long time */
    SL_SURGE_ALARM_COUNT
} sl_surge_alarm;

/* No size: a part of sl_surge_view, with which it changes. */
typedef struct sl_surge_alarm_state {
    int64_t count; /* number of steps with the alarm */
    double first;  /* time of the first one [s]; NaN: never */
    double
        worst; /* largest excess, in the unit of what it is about ([m], [J], [m3], part of the reach, [m], 1, [m], [m]) */
    double time;     /* of the worst [s] */
    int32_t node;    /* location: a node, */
    int32_t pipe;    /* or a pipe and */
    double chainage; /* its chainage; -1 */
} sl_surge_alarm_state;

/* Volumes since the start [m3], and their error. No size: a part of sl_surge_view, with which it changes. */
typedef struct sl_surge_balance {
    double inflow, outflow; /* through reservoirs, into and out of the system */
    double demand, outlets; /* taken at junctions, through outlets (with emitters and leaks of the network) */
    double tanks;           /* increase in tanks since the start; overflow is in spilled */
    double spilled;
    double stored;   /* increase in pipes, by pressure */
    double cavities; /* increase of gas and vapour, which displaces water */
    double clamped;  /* water created by SL_SURGE_CLAMP */
    double error;    /* inflow - outflow - increase inside */
    double scale;    /* reference value for error */
    /* Energy of the water in pipes [J], relative to rest at the heads of the start. */
    double kinetic, elastic;
    double energy_start; /* their sum at the start */
    double work;         /* done on that water at pipe ends since the start */
    double friction;     /* lost in pipes since the start: the remainder of the other terms */
} sl_surge_balance;

/* Arrays are borrowed from the session until it advances, sets or restores. The points of pipe p are point_start[p] ..
 * point_start[p+1]-1, from its first node to its last; a rigid pipe has two. Where an outlet divides a pipe, the point
 * appears twice. Without a cavity both flows are equal. */
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
    /* Vapour cavities; at pipe ends those of the nodes. A point without one has the gas of the start or slightly more. */
    const double *cavity_max;   /* [m3] */
    const double *cavity_first; /* time of the first vapour cavity [s]; NaN: none */
    const double *cavity_time;  /* total duration of vapour cavities [s] */
    const double *cavity_count; /* number of collapses */
    const double *pipe_joined;  /* [n_pipe] number of times that the last cavity within the pipe collapsed */
    /* Of the cavities at nodes: [n_node] of the network. */
    const double *node_cavity_max, *node_cavity_first, *node_cavity_time, *node_cavity_count;
    sl_surge_balance balance;
    sl_surge_alarm_state alarms[SL_SURGE_ALARM_COUNT];
} sl_surge_view;

/* The word of an alarm, "joukowsky"; and its meaning and remedy, one sentence each. */
SL_API const char *sl_surge_alarm_word(sl_surge_alarm alarm);
SL_API const char *sl_surge_alarm_meaning(sl_surge_alarm alarm);

#ifdef __cplusplus
}
#endif
#endif
