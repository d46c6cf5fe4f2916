/* SPDX-License-Identifier: MIT */
/* suite.h: what a session promises over any engine, checked for any model. */
#ifndef SL_TEST_SUITE_H
#define SL_TEST_SUITE_H

#include "base/out.h"
#include "session/session.h"

typedef struct suite_case {
    const sl_model *model;
    bool whole;            /* its time counts steps */
    bool finds_end;        /* its end is known when it is reached */
    double duration;       /* how long to run from the start [s], not beyond the model's end */
    const char *input;     /* name of an input variable */
    double values[2];      /* two values that it can have, both other than that at the start */
    double bad_value;      /* a finite value that it cannot have; NaN: none */
    const char *output;    /* an output that answers to the input at once when refreshed; NULL: none */
    const char *parameter; /* a variable that is fixed after the start; NULL: none */
    double parameter_value;
    bool grows; /* what it holds grows on the way (parcels of water): doubled now and then, a step may ask for room */
    int32_t n_event; /* at least so many events happen */
    bool holds;      /* a set of the input holds until it is released */
    int32_t n_part;  /* parts into which the duration is cut, e.g. 40 */
} suite_case;

/* Fails the running test when a promise is broken. */
void suite_check(const suite_case *c);
/* Its parts about events and releases. */
void suite_check_events(const suite_case *c);
void suite_check_release(const suite_case *c);

/* ---- For other tests of this folder ------------------------------------------------------------- */

/* Time k of n from the beginning, a whole number for a model that counts; the last is the duration exactly. */
double suite_time(const suite_case *c, double begin, int32_t k, int32_t n);
void suite_assert_same_events(const sl_session *a, const sl_session *b);
/* Every value of both sessions, bit for bit, and the time. */
void suite_assert_same(sl_session *a, sl_session *b);
sl_bytes suite_save(sl_session *s, sl_context *ctx);
void suite_restore(sl_session *s, const sl_bytes *state);
double suite_get(sl_session *s, const char *name);
void suite_set(sl_session *s, const char *name, double x);
/* Advances and asserts where and why it stops. */
void suite_advance(sl_session *s, double t, uint32_t flags, double stop, sl_stop_reason why);
/* Some diagnostic of the session contains the text. */
bool suite_said(const sl_session *s, const char *text);

#endif
