/* SPDX-License-Identifier: MIT */
/* fields.h: what transport shows, for the engines that carry it. X(ID, class, name, unit, flags, type, min, max, meaning).
 * Concentrations and masses have the model's own unit: of mg/L, masses are grams. */
#ifndef SL_QUALITY_FIELDS_H
#define SL_QUALITY_FIELDS_H

/* clang-format off */
#define SL_QUALITY_NODE_FIELDS(X) \
    X(QUALITY,       NODE, "quality",      "",      STATE,  REAL, 0, 0, "concentration in the model's unit, age in hours, or percent from the traced node") \
    X(SOURCE,        NODE, "source",       "",      INPUT,  REAL, 0, 1e12, "strength of the node's source before its pattern: a concentration, or of a mass source mass per minute; 0 where there is none")
#define SL_QUALITY_LINK_FIELDS(X) \
    X(LINK_QUALITY,  LINK, "quality",      "",      STATE,  REAL, 0, 0, "mean over a pipe; of pumps and valves the mean of their nodes") \
    X(REACTION,      LINK, "reaction",     "",      STATE,  REAL, 0, 0, "mean rate at which a pipe's water reacts, without sign, per second")
#define SL_QUALITY_MODEL_FIELDS(X) \
    X(Q_INITIAL,     MODEL, "quality.initial",     "",   STATE, REAL, 0, 0, "mass in pipes and tanks at the start; all masses in the unit of quality times m3 (mg/L: grams)") \
    X(Q_RESERVOIR,   MODEL, "quality.reservoir",   "",   STATE, REAL, 0, 0, "mass that came with water from reservoirs") \
    X(Q_SOURCE,      MODEL, "quality.source",      "",   STATE, REAL, 0, 0, "mass that sources added, or the traced node") \
    X(Q_TIME,        MODEL, "quality.time",        "",   STATE, REAL, 0, 0, "age: what the passing of time added") \
    X(Q_CONSUMED,    MODEL, "quality.consumed",    "",   STATE, REAL, 0, 0, "mass that left with water to consumers, emitters, leaks and over the rim of tanks") \
    X(Q_RETURNED,    MODEL, "quality.returned",    "",   STATE, REAL, 0, 0, "mass that went into reservoirs") \
    X(Q_BULK,        MODEL, "quality.bulk",        "",   STATE, REAL, 0, 0, "mass consumed by reactions in the water of pipes; negative: produced") \
    X(Q_WALL,        MODEL, "quality.wall",        "",   STATE, REAL, 0, 0, "mass consumed at the walls of pipes") \
    X(Q_TANK,        MODEL, "quality.tank",        "",   STATE, REAL, 0, 0, "mass consumed in tanks") \
    X(Q_ADJUSTED,    MODEL, "quality.adjusted",    "",   STATE, REAL, 0, 0, "mass of water that hydraulics added or took by rounding, or that was set") \
    X(Q_STORED,      MODEL, "quality.stored",      "",   STATE, REAL, 0, 0, "mass in pipes and tanks now") \
    X(Q_RATIO,       MODEL, "quality.ratio",       "1",  OUTPUT, REAL, 0, 0, "mass that left, reacted or is still there, over all that came in")
/* clang-format on */

#endif
