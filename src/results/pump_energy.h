/* SPDX-License-Identifier: MIT */
/* pump_energy.h: the pumps' energy over a run, as results have it.
 *
 * Six numbers per pump: the share of the run it was on [%], and while it was on the mean efficiency [%], the mean of
 * energy per volume [kWh/m3, or kWh per million US gallons in US units], the mean power [kW]; the peak [kW]; the cost per
 * day. Means are over time; energy per volume is the mean of power over flow, not total energy over total volume. The
 * demand charge is the price per kW times the highest power of all pumps together.
 *
 * A run without a duration has no time to integrate over: its pumps are on for 100 % or not at all, and the numbers are
 * those of the instant. EPANET does the same. All conventions were checked against files of EPANET 2.3.5.
 */
#ifndef SL_RESULTS_PUMP_ENERGY_H
#define SL_RESULTS_PUMP_ENERGY_H

#include <sluice/network.h>

#include "engine/engine.h"

enum { SL_PUMP_ENERGIES = 6 };

/* Where the numbers come from. */
typedef struct sl_pump_account {
    const sl_network *net;
    const sl_engine_ops *ops;
    const void *engine;
    double elapsed;         /* time that the engine's integrals cover [s] */
    sl_flow_unit flow_unit; /* of the results */
} sl_pump_account;

void sl_pump_energies(const sl_pump_account *a, int32_t pump, double x[SL_PUMP_ENERGIES]);
double sl_pump_demand_charge(const sl_pump_account *a);
/* A quantity of the model as a whole; 0 when the engine has none of this name. */
double sl_pump_account_value(const sl_pump_account *a, const char *name);

#endif
