/* SPDX-License-Identifier: MIT */
/* hydraulics.h: hydraulics stored step by step, so that transport can run after them. */
#ifndef SL_QUALITY_HYDRAULICS_H
#define SL_QUALITY_HYDRAULICS_H

#include <sluice/quality.h>

#include "quality/quality.h"

/* A step that follows the last one. */
sl_status sl_hydraulics_add(sl_hydraulics *h, const sl_quality_flows *f);
/* Forgets what comes after t: a step that lasts beyond it ends there. */
void sl_hydraulics_cut(sl_hydraulics *h, double t);
/* The i-th step, borrowed. */
sl_quality_flows sl_hydraulics_at(const sl_hydraulics *h, int64_t i);
/* One more owner, and one less; any thread. */
void sl_hydraulics_retain(const sl_hydraulics *h);
void sl_hydraulics_release(const sl_hydraulics *h);
/* Do the sizes fit this network? */
bool sl_hydraulics_fits(const sl_hydraulics *h, const sl_network *net);

#endif
