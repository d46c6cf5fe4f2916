/* SPDX-License-Identifier: MIT */
/* ball_bench.c: a session of the bouncing ball; see ball_bench.h. */
#include "ball_bench.h"

void ball_bench_start(ball_bench *b, const ball_model *m) {
    *b = (ball_bench){0};
    b->ctx = sl_test_context(&b->memory);
    sl_assert_ok(sl_model_from_engine(b->ctx, &ball_ops, m, &b->model));
    sl_assert_ok(sl_session_create(b->ctx, b->model, NULL, &b->s));
}

void ball_bench_end(ball_bench *b) {
    sl_session_destroy(b->s);
    sl_model_destroy(b->model);
    sl_test_context_end(b->ctx, &b->memory);
}
