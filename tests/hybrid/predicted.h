/* SPDX-License-Identifier: MIT */
/* predicted.h: toys (toy.h) with events that wait for the next discrete execution, and with roots that do not say on which side they
 * are. */
#ifndef SL_HYBRID_PREDICTED_H
#define SL_HYBRID_PREDICTED_H

#include "toy.h"

/* Two bodies of water join. In a tunnel of length and area LENGTH and 1 two columns run down towards each other; joined they lie level. x: their volumes,
 * and their flows to the right. */
enum { V_LEFT, V_RIGHT, Q_LEFT, Q_RIGHT };
/* Air between them (a root); they have met (pending: the next discrete execution acts on it); one body; the gate at its end
 * stands open; it is a flap, which shuts when they join. */
enum { AIR, MET, JOINED, OPEN, FLAP };
enum { LENGTH = 10 };

extern const toy join_toy;

/* A floor that answers by turns. q0: above the floor; q1: it has hit; q2: the number of hits is odd, once that was acted on. */
extern const toy floor_toy;

/* x0 rests at zero up to 1 s, and then rises or falls (f is to be set); its root decides q0. */
extern const toy rest_toy;

/* The root of x0 comes into force at 0.5 s, while motion goes on: q1 when x1 is above 0.5, q2 follows it. */
extern const toy later_toy;

bool ball_discrete(double t, int32_t i, int32_t *q);
void rest_then_rise(int32_t id, double t, const double *x, double *f);
void rest_then_fall(int32_t id, double t, const double *x, double *f);
bool is_zero(int32_t i, const int32_t *q);
bool is_one(int32_t i, const int32_t *q);

#endif
