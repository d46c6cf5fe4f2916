/* SPDX-License-Identifier: MIT */
/* record_surge.h: envelopes of pressure waves as tables of results. */
#ifndef SL_RESULTS_RECORD_SURGE_H
#define SL_RESULTS_RECORD_SURGE_H

#include "results/record.h"

/* Extremes of the points of a route, or of all (NULL), as a table of this name. The session has been advanced. */
sl_status sl_record_envelope(sl_recorder *r, const char *name, const sl_record_route *route);

#endif
