/* SPDX-License-Identifier: MIT */
/* fields.h: the quantities the surge engine shows, in one list. X(ID, class, name, unit, flags, type, min, max, meaning). */
#ifndef SL_SURGE_FIELDS_H
#define SL_SURGE_FIELDS_H

#include "network/elements.h"

enum { SL_CLASS_PROBE = SL_CLASS_NETWORK_COUNT, SL_CLASS_SURGE_COUNT };
extern const sl_class sl_surge_classes[SL_CLASS_SURGE_COUNT];

/* clang-format off */
#define SL_SURGE_FIELD_LIST(X) \
    X(HEAD,           NODE, "head",          "m",    STATE,  REAL, 0, 0, "piezometric head") \
    X(PRESSURE,       NODE, "pressure",      "m",    OUTPUT, REAL, 0, 0, "head above the node's elevation") \
    X(DEMAND,         NODE, "demand",        "m3/s", STATE,  REAL, 0, 0, "all that leaves a junction; the net inflow of a reservoir or tank") \
    X(FACTOR,         NODE, "demand.factor", "1",    STATE | SL_FIELD_INPUT, REAL, 0, 1e6, "times the demand of the start; of junctions") \
    X(HEAD_MAX,       NODE, "head.max",      "m",    STATE,  REAL, 0, 0, "highest head so far") \
    X(HEAD_MIN,       NODE, "head.min",      "m",    STATE,  REAL, 0, 0, "lowest head so far") \
    X(TIME_MAX,       NODE, "time.max",      "s",    STATE,  REAL, 0, 0, "when the highest head was first reached") \
    X(TIME_MIN,       NODE, "time.min",      "s",    STATE,  REAL, 0, 0, "when the lowest head was first reached") \
    X(CAVITY,         NODE, "cavity",        "m3",   STATE,  REAL, 0, 0, "gas and vapour at the node") \
    X(CAVITY_MAX,     NODE, "cavity.max",    "m3",   STATE,  REAL, 0, 0, "the most of it so far") \
    X(CAVITY_COUNT,   NODE, "cavity.count",  "1",    STATE,  INT,  0, 0, "vapour cavities that collapsed") \
    X(RESERVOIR_HEAD, RESERVOIR, "head",     "m",    STATE | SL_FIELD_INPUT, REAL, -1e5, 1e5, "head of the reservoir") \
    X(LEVEL,          TANK, "level",         "m",    STATE,  REAL, 0, 0, "water level above the bottom") \
    X(OVERFLOW,       TANK, "overflow",      "m3",   STATE,  REAL, 0, 0, "spilled so far") \
    X(FLOW,           LINK, "flow",          "m3/s", STATE,  REAL, 0, 0, "at the first node, towards the second") \
    X(FLOW_END,       LINK, "flow.end",      "m3/s", STATE,  REAL, 0, 0, "at the second node") \
    X(OPENING,        LINK, "opening",       "1",    STATE | SL_FIELD_INPUT, REAL, 0, 1, "0 shut, 1 open; of valves, and of pipes that can be shut") \
    X(SPEED,          PUMP, "speed",         "1",    STATE | SL_FIELD_INPUT, REAL, 0, 10, "relative speed; set, the pump has power") \
    X(TORQUE,         PUMP, "torque",        "N m",  STATE,  REAL, 0, 0, "of the water on the shaft") \
    X(TRIPPED,        PUMP, "tripped",       "1",    STATE | SL_FIELD_INPUT | SL_FIELD_DISCRETE, BOOL, 0, 1, "1: without power") \
    X(PROBE_HEAD,     PROBE, "head",          "m",    STATE,  REAL, 0, 0, "piezometric head at the probe") \
    X(PROBE_PRESSURE, PROBE, "pressure",      "m",    OUTPUT, REAL, 0, 0, "head above the pipe there") \
    X(PROBE_FLOW,     PROBE, "flow",          "m3/s", STATE,  REAL, 0, 0, "flow towards the pipe's second node") \
    X(PROBE_CAVITY,   PROBE, "cavity",        "m3",   STATE,  REAL, 0, 0, "gas and vapour there") \
    X(B_INFLOW,       MODEL, "balance.inflow",   "m3", STATE, REAL, 0, 0, "from reservoirs") \
    X(B_OUTFLOW,      MODEL, "balance.outflow",  "m3", STATE, REAL, 0, 0, "to reservoirs") \
    X(B_DEMAND,       MODEL, "balance.demand",   "m3", STATE, REAL, 0, 0, "to consumers") \
    X(B_OUTLETS,      MODEL, "balance.outlets",  "m3", STATE, REAL, 0, 0, "through outlets, emitters and leaks") \
    X(B_TANKS,        MODEL, "balance.tanks",    "m3", STATE, REAL, 0, 0, "more in tanks than at the start") \
    X(B_STORED,       MODEL, "balance.stored",   "m3", OUTPUT, REAL, 0, 0, "more in pipes by pressure") \
    X(B_CAVITIES,     MODEL, "balance.cavities", "m3", OUTPUT, REAL, 0, 0, "more gas and vapour") \
    X(B_ERROR,        MODEL, "balance.error",    "m3", OUTPUT, REAL, 0, 0, "water lost or made") \
    X(E_KINETIC,      MODEL, "energy.kinetic",   "J",  OUTPUT, REAL, 0, 0, "of the water in pipes") \
    X(E_ELASTIC,      MODEL, "energy.elastic",   "J",  OUTPUT, REAL, 0, 0, "of water and walls, from the mean heads of the start") \
    X(E_FRICTION,     MODEL, "energy.friction",  "J",  OUTPUT, REAL, 0, 0, "lost in pipes so far") \
    X(A_JOUKOWSKY,    MODEL, "alarm.joukowsky",  "1",  STATE, INT, 0, 0, "steps with a head beyond Joukowsky's bound") \
    X(A_ENERGY,       MODEL, "alarm.energy",     "1",  STATE, INT, 0, 0, "looks at a system whose energy grew by itself") \
    X(A_MASS,         MODEL, "alarm.mass",       "1",  STATE, INT, 0, 0, "looks at a balance that does not close") \
    X(A_CAVITY,       MODEL, "alarm.cavity",     "1",  STATE, INT, 0, 0, "steps times points with a cavity above a tenth of its reach") \
    X(A_NODES,        MODEL, "alarm.nodes",      "1",  STATE, INT, 0, 0, "steps in which heads at devices did not settle") \
    X(A_FRICTION,     MODEL, "alarm.friction",   "1",  STATE, INT, 0, 0, "steps times pipes with friction too large to be explicit") \
    X(A_TANK,         MODEL, "alarm.tank",       "1",  STATE, INT, 0, 0, "steps with a tank at a limit") \
    X(A_GRID,         MODEL, "alarm.grid",       "1",  STATE, INT, 0, 0, "steps times nodes whose heads swing within less than ten steps") \
    X(STEPS,          MODEL, "solver.steps",     "1",  STATE, INT, 0, 0, "time steps so far") \
    X(ITERATIONS,     MODEL, "solver.iterations", "1", STATE, INT, 0, 0, "iterations at devices so far") \
    X(DT,             MODEL, "dt",               "s",  OUTPUT, REAL, 0, 0, "time step")
/* clang-format on */

enum {
#define SL_SURGE_FIELD(id, of, name, unit, flags, type, lo, hi, meaning) SL_SURGE_F_##id,
    SL_SURGE_FIELD_LIST(SL_SURGE_FIELD)
#undef SL_SURGE_FIELD
        SL_SURGE_FIELD_COUNT
};

#endif
