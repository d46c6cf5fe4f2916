/* SPDX-License-Identifier: MIT */
/* fields.h: the quantities the eps engine shows, in one list. X(ID, class, name, unit, flags, type, min, max, meaning). */
#ifndef SL_EPS_FIELDS_H
#define SL_EPS_FIELDS_H

#include "quality/fields.h"

/* clang-format off */
#define SL_EPS_FIELD_LIST(X) \
    X(HEAD,          NODE, "head",         "m",     OUTPUT, REAL, 0, 0, "hydraulic head; a cut-off junction shows its elevation") \
    X(PRESSURE,      NODE, "pressure",     "m",     OUTPUT, REAL, 0, 0, "head above the node's elevation") \
    X(DEMAND,        NODE, "demand",       "m3/s",  OUTPUT, REAL, 0, 0, "all that leaves a junction; the net inflow of a reservoir or tank") \
    X(CONSUMPTION,   NODE, "consumption",  "m3/s",  OUTPUT, REAL, 0, 0, "what consumers get") \
    X(WANTED,        NODE, "wanted",       "m3/s",  INPUT,  REAL, -1e6, 1e6, "what consumers ask for; once set it stays, whatever the patterns say") \
    X(EMITTER,       NODE, "emitter",      "m3/s",  OUTPUT, REAL, 0, 0, "outflow of the junction's emitter") \
    X(LEAK,          NODE, "leak",         "m3/s",  OUTPUT, REAL, 0, 0, "leakage of the pipes that end here, this end's share") \
    X(NODE_UNSERVED, NODE, "unserved",     "m3/s",  OUTPUT, REAL, 0, 0, "demand that is not supplied: the junction is cut off or downstream of a flow limit; negative: inflow that cannot leave") \
    X(CUT_OFF,       NODE, "cut_off",      "1",     OUTPUT | SL_FIELD_DISCRETE, BOOL, 0, 0, "has no path to a reservoir or tank") \
    SL_QUALITY_NODE_FIELDS(X) \
    X(RESERVOIR_HEAD, RESERVOIR, "head",   "m",     INPUT,  REAL, -1e5, 1e5, "head of the reservoir; once set it stays, whatever its pattern says") \
    X(LEVEL,         TANK, "level",        "m",     STATE | SL_FIELD_INPUT, REAL, -1e5, 1e5, "water level above the bottom") \
    X(VOLUME,        TANK, "volume",       "m3",    STATE,  REAL, 0, 0, "water in the tank") \
    X(INFLOW,        TANK, "inflow",       "m3/s",  OUTPUT, REAL, 0, 0, "net inflow") \
    X(OVERFLOW,      TANK, "overflow",     "m3",    STATE,  REAL, 0, 0, "spilled so far") \
    X(TANK_STATE,    TANK, "state",        "1",     OUTPUT | SL_FIELD_DISCRETE, ENUM, 0, 0, "filling, emptying, overflowing, or none of these") \
    X(FLOW,          LINK, "flow",         "m3/s",  STATE,  REAL, 0, 0, "from the first to the second node") \
    X(VELOCITY,      LINK, "velocity",     "m/s",   OUTPUT, REAL, 0, 0, "mean velocity; 0 for pumps") \
    X(HEADLOSS,      LINK, "headloss",     "m",     OUTPUT, REAL, 0, 0, "head at the first node less that at the second") \
    X(STATUS,        LINK, "status",       "1",     STATE | SL_FIELD_DISCRETE, ENUM, 0, 0, "open, closed, active and why") \
    X(OPEN,          LINK, "open",         "1",     INPUT | SL_FIELD_DISCRETE, BOOL, 0, 1, "1 opens, 0 closes; controls and rules may change it again") \
    X(SETTING,       LINK, "setting",      "",      INPUT | SL_FIELD_DISCRETE, REAL, -1e9, 1e9, "pump speed; valve setting in m, m3/s, % or loss coefficient; a pipe's roughness") \
    X(FRICTION,      LINK, "friction",     "1",     OUTPUT, REAL, 0, 0, "Darcy friction factor of a pipe") \
    SL_QUALITY_LINK_FIELDS(X) \
    X(ROUGHNESS,     PIPE, "roughness",    "",      INPUT,  REAL, 1e-12, 1e9, "Hazen-Williams C, Darcy-Weisbach [m], or Manning n") \
    X(MINOR,         PIPE, "minor",        "1",     INPUT,  REAL, 0, 1e12, "minor loss coefficient") \
    X(DIAMETER,      PIPE, "diameter",     "m",     PARAMETER, REAL, 1e-6, 1e6, "bore") \
    X(LENGTH,        PIPE, "length",       "m",     PARAMETER, REAL, 1e-6, 1e9, "length") \
    X(SPEED,         PUMP, "speed",        "1",     INPUT | SL_FIELD_DISCRETE, REAL, 0, 1e3, "relative speed; 0 switches off; set, it holds against a speed pattern, not against controls and rules") \
    X(POWER,         PUMP, "power",        "W",     OUTPUT, REAL, 0, 0, "electrical power") \
    X(EFFICIENCY,    PUMP, "efficiency",   "1",     OUTPUT, REAL, 0, 0, "wire to water; 0 when off") \
    X(E_ONLINE,      PUMP, "energy.online",     "s",    STATE, REAL, 0, 0, "time run") \
    X(E_EFFICIENCY,  PUMP, "energy.efficiency", "s",    STATE, REAL, 0, 0, "time integral of the efficiency while running") \
    X(E_INTENSITY,   PUMP, "energy.intensity",  "kW s2/m3", STATE, REAL, 0, 0, "time integral of power over flow") \
    X(E_KWH,         PUMP, "energy.kwh",        "kWh",  STATE, REAL, 0, 0, "electrical energy") \
    X(E_PEAK,        PUMP, "energy.peak",       "kW",   STATE, REAL, 0, 0, "highest power") \
    X(E_COST,        PUMP, "energy.cost",       "1",    STATE, REAL, 0, 0, "cost in the currency of the prices") \
    X(B_INFLOW,      MODEL, "balance.inflow",      "m3", STATE, REAL, 0, 0, "from reservoirs and negative demands") \
    X(B_OUTFLOW,     MODEL, "balance.outflow",     "m3", STATE, REAL, 0, 0, "to consumers, emitters, leaks, reservoirs, and over the rim of tanks") \
    X(B_CONSUMPTION, MODEL, "balance.consumption", "m3", STATE, REAL, 0, 0, "to consumers") \
    X(B_EMITTER,     MODEL, "balance.emitter",     "m3", STATE, REAL, 0, 0, "through emitters") \
    X(B_LEAK,        MODEL, "balance.leak",        "m3", STATE, REAL, 0, 0, "through leaks") \
    X(B_DEFICIT,     MODEL, "balance.deficit",     "m3", STATE, REAL, 0, 0, "asked for and not delivered for want of pressure") \
    X(B_UNSERVED,    MODEL, "balance.unserved",    "m3", STATE, REAL, 0, 0, "demand of junctions that are cut off or downstream of a flow limit") \
    X(B_STORAGE,     MODEL, "balance.storage",     "m3", STATE, REAL, 0, 0, "more in the tanks than at the start") \
    X(B_OVERFLOW,    MODEL, "balance.overflow",    "m3", STATE, REAL, 0, 0, "over the rim of tanks") \
    X(B_ROUNDED,     MODEL, "balance.rounded",     "m3", STATE, REAL, 0, 0, "added to tanks when they were put on a limit, the clock knowing whole seconds only") \
    X(B_RATIO,       MODEL, "balance.ratio",       "1",  OUTPUT, REAL, 0, 0, "all that came out over all that came in") \
    X(M_PEAK,        MODEL, "energy.peak",         "kW", STATE, REAL, 0, 0, "highest power of all pumps together") \
    X(M_DEMAND_COST, MODEL, "energy.demand_cost",  "1",  OUTPUT, REAL, 0, 0, "peak power times the demand charge") \
    SL_QUALITY_MODEL_FIELDS(X) \
    X(S_TRIALS,      MODEL, "solver.trials",       "1",  STATE, INT, 0, 0, "trials of the last solution") \
    X(S_STEPS,       MODEL, "solver.steps",        "1",  STATE, INT, 0, 0, "hydraulic steps so far") \
    X(S_TOTAL,       MODEL, "solver.all_trials",   "1",  STATE, INT, 0, 0, "trials so far") \
    X(S_CHANGE,      MODEL, "solver.flow_change",  "1",  STATE, REAL, 0, 0, "last relative change of the flows") \
    X(S_HEAD,        MODEL, "solver.head_error",   "m",  STATE, REAL, 0, 0, "largest head-loss residual") \
    X(S_MASS,        MODEL, "solver.mass_error",   "m3/s", STATE, REAL, 0, 0, "largest imbalance of a junction") \
    X(S_BALANCED,    MODEL, "solver.balanced",     "1",  STATE | SL_FIELD_DISCRETE, BOOL, 0, 0, "the last solution passed every check") \
    X(S_UNBALANCED,  MODEL, "solver.unbalanced",   "1",  STATE, INT, 0, 0, "solutions so far that did not") \
    X(UNSERVED,      MODEL, "unserved",            "m3/s", STATE, REAL, 0, 0, "demand of islands that are cut off or downstream of a flow limit") \
    X(UNSERVED_SHARE, MODEL, "unserved_share",     "1",  OUTPUT, REAL, 0, 0, "share of all demand so far that was not served; before the first step, of the demand now")
/* clang-format on */

enum {
#define SL_EPS_FIELD(id, of, name, unit, flags, type, lo, hi, meaning) SL_EPS_##id,
    SL_EPS_FIELD_LIST(SL_EPS_FIELD)
#undef SL_EPS_FIELD
        SL_EPS_FIELD_COUNT
};

#endif
