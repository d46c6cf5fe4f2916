/* engine.h: the contract between engines and everything that drives them.
 *
 * An engine is a model in motion: eps, surge, hybrid, or the bouncing ball of the tests. It moves by its own steps, at
 * times of its own choosing, and knows nothing of sessions, files or plots. What the contract promises:
 *
 *   1. A stop is not an event. Looking at the values at any time between two steps (observe) changes no later bit.
 *   2. A set is an event. cut(t) makes t a step boundary; a set then acts from t on.
 *   3. Saved and restored equals uninterrupted, bit for bit. Only live content is saved, no pointers.
 *   4. A step that fails leaves the engine at the last good boundary and says why in the diagnostics.
 *   5. A warm step allocates nothing.
 *
 * tests/engine/contract.c checks all five for any engine; a new engine passes it or is not one.
 */
#ifndef SL_ENGINE_ENGINE_H
#define SL_ENGINE_ENGINE_H

#include <sluice/diag.h>

/* What the elements of a field belong to. */
typedef enum sl_field_of { SL_OF_MODEL = 0, SL_OF_NODE, SL_OF_LINK, SL_OF_TANK, SL_OF_PUMP, SL_OF_PART } sl_field_of;

enum {
    SL_FIELD_STATE = 1,  /* part of the saved state */
    SL_FIELD_OUTPUT = 2, /* follows from the state */
    SL_FIELD_INPUT = 4   /* may be set */
};

/* A quantity that an engine shows: one number per element. One list per engine generates names, units and manual. */
typedef struct sl_field {
    const char *name; /* "head" */
    const char *unit; /* SI: "m"; "1" for a pure number */
    sl_field_of of;
    uint32_t flags;
    const char *meaning; /* one line for the manual */
} sl_field;

/* How a step went. */
typedef struct sl_engine_step {
    double begin, end;   /* [s] */
    bool finished;       /* the model has come to its own end */
    int32_t n_iteration; /* work done, for logs; 0 when it means nothing */
} sl_engine_step;

typedef struct sl_engine_ops {
    const char *name; /* "eps" */
    const sl_field *fields;
    int32_t n_field;

    /* A new engine at the model's start time. The model is const and outlives the engine. */
    sl_status (*create)(sl_context *ctx, const void *model, sl_diags *diags, void **engine);
    void (*destroy)(void *engine);

    /* Elements of a field, and an element's id ("J12"; "" for a field of the model). */
    int32_t (*count)(const void *engine, int32_t field);
    const char *(*element)(const void *engine, int32_t field, int32_t index);

    /* The time of the last step boundary [s]. */
    double (*time)(const void *engine);
    /* One step of its own length. */
    sl_status (*step)(void *engine, sl_diags *diags, sl_engine_step *out);

    /* The values of a field at the boundary, one per element: borrowed, valid until the engine moves. */
    const double *(*data)(const void *engine, int32_t field);
    /* The values at a time within the last step, into x; t = time(engine) gives data. SL_ERR_USE outside it. */
    sl_status (*observe)(const void *engine, double t, int32_t field, double *x);
    /* Makes t, within the last step, the boundary: what came after it is forgotten. */
    sl_status (*cut)(void *engine, double t);
    /* Sets one element of an input field at the boundary; SL_ERR_INPUT with a diagnostic for a value that cannot be. */
    sl_status (*set)(void *engine, int32_t field, int32_t index, double value, sl_diags *diags);

    /* State as bytes: size first, then into a buffer of that size. restore takes all or nothing. */
    size_t (*save_size)(const void *engine);
    void (*save)(const void *engine, void *bytes);
    sl_status (*restore)(void *engine, const void *bytes, size_t n);
} sl_engine_ops;

/* The field of this name, or -1. */
int32_t sl_engine_find_field(const sl_engine_ops *ops, sl_str name);
/* The element of this id, or -1. Linear: sessions keep tables. */
int32_t sl_engine_find_element(const sl_engine_ops *ops, const void *engine, int32_t field, sl_str id);

#endif
