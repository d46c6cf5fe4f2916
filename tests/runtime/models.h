/* SPDX-License-Identifier: MIT */
/* models.h: one model of every kind, for what must hold for all of them. A new kind of model is one row in models.c. */
#ifndef SL_TEST_MODELS_H
#define SL_TEST_MODELS_H

#include "session/session.h"

typedef struct model_row {
    const char *name;
    sl_status (*build)(sl_context *ctx, const struct model_row *row, sl_diags *diags, sl_model **out);
    const char *source; /* an example's file, or the text of a model */
    const char *more;   /* lines put behind the file; NULL: none */
    const char *input;  /* a variable that may be set to either of two values */
    double values[2];
    double duration; /* of interest, at most the model's own [s or steps] */
} model_row;

extern const model_row model_rows[];
extern const int32_t n_model_row;

/* Asserts that it can be built. The model owns what it needs. */
sl_model *model_build(sl_context *ctx, const model_row *row);
/* The time, or where time counts steps the whole number before it. */
double model_snap(const sl_session *s, double t);

#endif
