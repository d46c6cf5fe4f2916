/* SPDX-License-Identifier: MIT */
/* ball_bench.h: a session of the bouncing ball on memory of its own. */
#ifndef SL_TEST_BALL_BENCH_H
#define SL_TEST_BALL_BENCH_H

#include "sl_test.h"

#include "ball.h"
#include "session/session.h"

typedef struct ball_bench {
    sl_test_memory memory;
    sl_context *ctx;
    sl_model *model;
    sl_session *s;
} ball_bench;

void ball_bench_start(ball_bench *b, const ball_model *m);
/* Asserts that nothing is left of the memory. */
void ball_bench_end(ball_bench *b);

#endif
