/* SPDX-License-Identifier: MIT */
/* ball.h: a bouncing ball as an engine: the smallest model with a state, inputs, parameters, outputs, elements, events,
 * reports and an end. Closed form known. */
#ifndef SL_TEST_BALL_H
#define SL_TEST_BALL_H

#include "engine/engine.h"

/* Drop from height [m]; at each bounce the speed is multiplied by restitution. Gauges beside it watch the ball: each
 * has an id and a level [m], and shows how far the ball is above it. Zero means: none. */
typedef struct ball_model {
    double height, restitution;
    double end;         /* [s] */
    double report_step; /* [s] */
    double fail_at;     /* steps that would begin here or later fail [s] */
    bool zeno;          /* it never comes to rest: ever more bounces in ever less time */
    const char *const *gauges;
    const double *levels;
    int32_t n_gauge;
} ball_model;

enum {
    BALL_HEIGHT,
    BALL_VELOCITY,
    BALL_GRAVITY,     /* an input */
    BALL_FLOOR,       /* an input: one of three words */
    BALL_RESTITUTION, /* a parameter */
    BALL_BOUNCES,
    BALL_ENERGY, /* an output that follows gravity at once when refreshed */
    BALL_N_SCALAR,
    BALL_LEVEL = BALL_N_SCALAR, /* parameters of the gauges */
    BALL_DISTANCE,              /* outputs of the gauges */
    BALL_N_FIELD
};

extern const sl_engine_ops ball_ops;

#endif
