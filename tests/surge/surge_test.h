/* SPDX-License-Identifier: MIT */
/* surge_test.h: small surge models from the text of a network, for the tests of this folder. */
#ifndef SL_SURGE_TEST_H
#define SL_SURGE_TEST_H

#include "sl_test.h"

#include <sluice/network_io.h>
#include <sluice/session.h>

typedef struct surge_bench {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_network *net;
    sl_model *model;
    sl_session *session;
} surge_bench;

/* Reads the network; def comes from surge_def, is changed, and goes to surge_begin. */
void surge_open(surge_bench *b, const char *inp);
void surge_open_threads(surge_bench *b, const char *inp, int32_t n_thread);
/* The default study, without cavities and with steady friction: what closed forms are about. */
sl_surge_def surge_def(double duration, double dt, double wave_speed);
void surge_begin(surge_bench *b, const sl_surge_def *def);
void surge_close(surge_bench *b);
void surge_advance(surge_bench *b, double t);
double surge_get(surge_bench *b, const char *name);
sl_surge_view surge_view(surge_bench *b);
int32_t surge_node(const surge_bench *b, const char *id);
int32_t surge_link(const surge_bench *b, const char *id);
/* An event that sets a quantity to x at t, at once. */
sl_surge_event surge_jump(sl_surge_quantity what, int32_t index, double t, const double *x);
bool surge_said(const surge_bench *b, const char *text);

#endif
