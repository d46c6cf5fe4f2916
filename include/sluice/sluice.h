/* SPDX-License-Identifier: MIT */
/* sluice/sluice.h: everything. */
#ifndef SLUICE_SLUICE_H
#define SLUICE_SLUICE_H

#include <sluice/automaton.h>
#include <sluice/base.h>
#include <sluice/cosim.h>
#include <sluice/dae.h>
#include <sluice/diag.h>
#include <sluice/eps.h>
#include <sluice/estimate.h>
#include <sluice/load.h>
#include <sluice/network.h>
#include <sluice/network_io.h>
#include <sluice/plot.h>
#include <sluice/quality.h>
#include <sluice/results.h>
#include <sluice/session.h>
#include <sluice/spec.h>
#include <sluice/surge.h>
#include <sluice/tunnel.h>
#include <sluice/units.h>

#endif
