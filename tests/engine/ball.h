/* ball.h: a bouncing ball as an engine: the smallest model with a state, an input and events. Closed form known. */
#ifndef SL_TEST_BALL_H
#define SL_TEST_BALL_H

#include "engine/engine.h"

/* Drop from height [m]; at each bounce the speed is multiplied by restitution. */
typedef struct ball_model {
    double height, restitution;
} ball_model;

enum { BALL_HEIGHT, BALL_VELOCITY, BALL_GRAVITY, BALL_BOUNCES, BALL_N_FIELD };

extern const sl_engine_ops ball_ops;

#endif
