/* SPDX-License-Identifier: MIT */
/* contract.h: what every engine must do, checked for any engine: see the promises in engine/engine.h. */
#ifndef SL_TEST_CONTRACT_H
#define SL_TEST_CONTRACT_H

#include "engine/engine.h"

typedef struct contract_case {
    const sl_engine_ops *ops;
    const void *model;
    int32_t n_step;       /* how long to run; the model has more steps than that */
    int32_t field, index; /* an input to set */
    double value;         /* a value it can have, different from the one at the start */
    double bad_value;     /* a finite value it cannot have; NaN: none */
    int32_t bad_field;    /* a field that is no input; -1: all are */
    bool grows;           /* later steps may be the first of their kind and allocate, as those in a new mode */
    int32_t n_event;      /* at least so many events happen in these steps */
    bool holds;           /* a set of the input holds until it is released */
} contract_case;

/* Fails the running test when a promise is broken. */
void contract_check(const contract_case *c);
/* Its part about events, releases and descriptions. */
void contract_check_events(const contract_case *c);
/* The time after this share of a step: a whole number for an engine that counts. */
double contract_time(const sl_engine_ops *ops, double begin, double end, double share);

#endif
