/* SPDX-License-Identifier: MIT */
/* columns.h: quantities of an engine by name, as a sink of results sees them.
 *
 * A sink knows the quantities it wants by their full names ("node.pressure"; a model's own has no class: "unserved").
 * An engine that lacks one is no error: its column is NULL, and the sink leaves out what it would have shown.
 */
#ifndef SL_RESULTS_COLUMNS_H
#define SL_RESULTS_COLUMNS_H

#include <sluice/network.h>

#include "engine/result_sink.h"

/* Who looks at a column. */
enum { SL_FOR_SUMMARY = 1, SL_FOR_REPORT = 2, SL_FOR_BOTH = 3 };

/* All that the summary of a run (summary.h) and its report (rpt.h) look at. The first are the variables of an .out file, in its
 * order; single numbers from the inflow on, of which the last are the ledger of quality (eps/fields.h). */
/* clang-format off */
#define SL_RUN_COLUMNS(X) \
    X(DEMAND, "node.demand", SL_FOR_REPORT) \
    X(HEAD, "node.head", SL_FOR_REPORT) \
    X(PRESSURE, "node.pressure", SL_FOR_BOTH) \
    X(QUALITY, "node.quality", SL_FOR_BOTH) \
    X(FLOW, "link.flow", SL_FOR_BOTH) \
    X(VELOCITY, "link.velocity", SL_FOR_BOTH) \
    X(HEADLOSS, "link.headloss", SL_FOR_BOTH) \
    X(LINK_QUALITY, "link.quality", SL_FOR_REPORT) \
    X(STATUS, "link.status", SL_FOR_BOTH) \
    X(SETTING, "link.setting", SL_FOR_REPORT) \
    X(REACTION, "link.reaction", SL_FOR_REPORT) \
    X(FRICTION, "link.friction", SL_FOR_REPORT) \
    X(CUT_OFF, "node.cut_off", SL_FOR_SUMMARY) \
    X(LEVEL, "tank.level", SL_FOR_SUMMARY) \
    X(OVERFLOW, "tank.overflow", SL_FOR_SUMMARY) \
    X(ONLINE, "pump.energy.online", SL_FOR_BOTH) \
    X(EFFICIENCY, "pump.energy.efficiency", SL_FOR_BOTH) \
    X(INTENSITY, "pump.energy.intensity", SL_FOR_REPORT) \
    X(KWH, "pump.energy.kwh", SL_FOR_BOTH) \
    X(PEAK, "pump.energy.peak", SL_FOR_BOTH) \
    X(COST, "pump.energy.cost", SL_FOR_BOTH) \
    X(POWER, "pump.power", SL_FOR_SUMMARY) \
    X(EFFICIENCY_NOW, "pump.efficiency", SL_FOR_SUMMARY) \
    X(INFLOW, "balance.inflow", SL_FOR_BOTH) \
    X(OUTFLOW, "balance.outflow", SL_FOR_BOTH) \
    X(CONSUMPTION, "balance.consumption", SL_FOR_BOTH) \
    X(EMITTER, "balance.emitter", SL_FOR_BOTH) \
    X(LEAK, "balance.leak", SL_FOR_BOTH) \
    X(DEFICIT, "balance.deficit", SL_FOR_BOTH) \
    X(ALL_UNSERVED, "balance.unserved", SL_FOR_BOTH) \
    X(STORAGE, "balance.storage", SL_FOR_BOTH) \
    X(SPILLED, "balance.overflow", SL_FOR_BOTH) \
    X(ROUNDED, "balance.rounded", SL_FOR_SUMMARY) \
    X(RATIO, "balance.ratio", SL_FOR_BOTH) \
    X(PEAK_ALL, "energy.peak", SL_FOR_SUMMARY) \
    X(DEMAND_COST, "energy.demand_cost", SL_FOR_BOTH) \
    X(TRIALS, "solver.all_trials", SL_FOR_BOTH) \
    X(STEPS, "solver.steps", SL_FOR_BOTH) \
    X(FLOW_CHANGE, "solver.flow_change", SL_FOR_SUMMARY) \
    X(HEAD_ERROR, "solver.head_error", SL_FOR_SUMMARY) \
    X(MASS_ERROR, "solver.mass_error", SL_FOR_SUMMARY) \
    X(BALANCED, "solver.balanced", SL_FOR_SUMMARY) \
    X(UNBALANCED, "solver.unbalanced", SL_FOR_BOTH) \
    X(UNSERVED, "unserved", SL_FOR_SUMMARY) \
    X(UNSERVED_SHARE, "unserved_share", SL_FOR_SUMMARY) \
    X(Q_INITIAL, "quality.initial", SL_FOR_BOTH) \
    X(Q_RESERVOIR, "quality.reservoir", SL_FOR_BOTH) \
    X(Q_SOURCE, "quality.source", SL_FOR_BOTH) \
    X(Q_TIME, "quality.time", SL_FOR_BOTH) \
    X(Q_CONSUMED, "quality.consumed", SL_FOR_BOTH) \
    X(Q_RETURNED, "quality.returned", SL_FOR_BOTH) \
    X(Q_BULK, "quality.bulk", SL_FOR_BOTH) \
    X(Q_WALL, "quality.wall", SL_FOR_BOTH) \
    X(Q_TANK, "quality.tank", SL_FOR_BOTH) \
    X(Q_ADJUSTED, "quality.adjusted", SL_FOR_BOTH) \
    X(Q_STORED, "quality.stored", SL_FOR_BOTH) \
    X(Q_RATIO, "quality.ratio", SL_FOR_BOTH)
/* clang-format on */

#define SL_RUN_COLUMN(id, name, users) SL_COL_##id,
typedef enum sl_run_column {
    SL_RUN_COLUMNS(SL_RUN_COLUMN) SL_COL_COUNT,
    SL_COL_N_OUT = SL_COL_FRICTION + 1,
    SL_COL_MODEL = SL_COL_INFLOW
} sl_run_column;
#undef SL_RUN_COLUMN

extern const char *const sl_run_columns[SL_COL_COUNT];
/* Does a user (SL_FOR_SUMMARY, SL_FOR_REPORT) look at it in runs of this network? */
bool sl_run_column_is_for(const sl_network *net, sl_run_column column, int user);

typedef struct sl_columns {
    const sl_engine_ops *ops;
    const void *engine;
    int32_t place[SL_COL_COUNT];    /* in the frames, -1: not there */
    int32_t field[SL_COL_COUNT];    /* of the engine, -1: not there */
    double time;                    /* what at belongs to [s] */
    const double *at[SL_COL_COUNT]; /* values, one per element; NULL: not there */
} sl_columns;

/* Finds them in a layout. */
void sl_columns_open(sl_columns *columns, const sl_result_layout *layout);
/* Points at the values of a frame. */
void sl_columns_bind(sl_columns *columns, const sl_result_frame *frame);
/* When a run ends: points at the engine's own values where it stands, if that is later than the last frame; sums of
 * water and energy are to cover the whole run, also what follows the last report time. Else false. */
bool sl_columns_bind_last(sl_columns *columns);

#endif
