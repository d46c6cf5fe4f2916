/* SPDX-License-Identifier: MIT */
/* engine.h: the contract between engines and everything that drives them.
 *
 * An engine is a model in motion: eps, surge, hybrid, or the bouncing ball of the tests. It moves by its own steps, at
 * times of its own choosing, and knows nothing of sessions, files or plots. What the contract promises:
 *
 *   1. A stop is not an event. Looking at the values at any time of the last step (show) changes no later bit.
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

/* What the elements of a field belong to. A variable's full name is class.'id'.quantity: pump.'9'.speed; a quantity of
 * the model as a whole has no class: balance.ratio. */
typedef enum sl_field_of {
    SL_OF_MODEL = 0,
    SL_OF_NODE,
    SL_OF_RESERVOIR,
    SL_OF_TANK,
    SL_OF_LINK,
    SL_OF_PIPE,
    SL_OF_PUMP,
    SL_OF_VALVE,
    SL_OF_PROBE,
    SL_OF_VARIABLE, /* continuous variables of a hybrid model */
    SL_OF_DISCRETE, /* its discrete variables */
    SL_OF_COUNT
} sl_field_of;

typedef enum sl_field_type { SL_FIELD_REAL = 0, SL_FIELD_INT, SL_FIELD_BOOL, SL_FIELD_ENUM } sl_field_type;

enum {
    SL_FIELD_STATE = 1,     /* part of the saved state */
    SL_FIELD_OUTPUT = 2,    /* follows from the state */
    SL_FIELD_INPUT = 4,     /* may be set at any time */
    SL_FIELD_PARAMETER = 8, /* may be set before the first step only */
    SL_FIELD_DISCRETE = 16  /* changes at events only */
};

/* A quantity that an engine shows: one number per element. One list per engine generates names, units and manual. */
typedef struct sl_field {
    const char *name; /* "head", "energy.kwh" */
    const char *unit; /* SI: "m"; "1" for a pure number; "" when it differs between elements */
    sl_field_of of;
    uint32_t flags;
    const char *meaning; /* one line for the manual */
    sl_field_type type;
    double min, max;          /* bounds of what may be set; both 0: none */
    const char *const *words; /* of an enumeration, NULL-terminated */
} sl_field;

/* The members of a field, from a row X(ID, class, name, unit, flags, type, min, max, meaning) of an engine's list, without ID. */
#define SL_FIELD_MEMBERS(of_, name_, unit_, flags_, type_, lo, hi, meaning_)                                \
    .name = (name_), .unit = (unit_), .of = SL_OF_##of_, .flags = SL_FIELD_##flags_, .meaning = (meaning_), \
    .type = SL_FIELD_##type_, .min = (lo), .max = (hi)

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

    /* A new engine at the model's start time. The model is const and outlives the engine. Outputs are not computed
     * yet: refresh does that. */
    sl_status (*create)(sl_context *ctx, const void *model, sl_diags *diags, void **engine);
    void (*destroy)(void *engine);

    /* Elements of a field, and an element's id ("J12"; "" for a field of the model). All fields of a class have the
     * same elements in the same order. */
    int32_t (*count)(const void *engine, int32_t field);
    const char *(*element)(const void *engine, int32_t field, int32_t index);

    /* The time of the last step boundary [s]. */
    double (*time)(const void *engine);
    /* Where the model ends by itself [s]; INFINITY: never. At or after it, step gives SL_ERR_USE. */
    double (*end)(const void *engine);
    /* The end of the coming step as far as it can be told now: the true end or something earlier, later than time. */
    double (*next_event)(const void *engine);
    /* Times at which results are wanted: start, start + step, ... step 0: none but those asked for. */
    void (*report)(const void *engine, double *start, double *step);
    /* One step of its own length. Sets that were not refreshed are taken up first. */
    sl_status (*step)(void *engine, sl_diags *diags, sl_engine_step *out);
    /* Brings the outputs at the boundary in line with what was set; nothing to do when nothing was. */
    sl_status (*refresh)(void *engine, sl_diags *diags);

    /* Chooses the time that data() belongs to: within the last step, both ends included; SL_ERR_USE outside it. A step,
     * cut, set, refresh or restore chooses the boundary. Changes nothing that counts. */
    sl_status (*show)(void *engine, double t, sl_diags *diags);
    /* The values of a field at the time shown, one per element: borrowed, valid until the engine moves or shows.
     * NULL: no memory to show them; once shown, a field never is. */
    const double *(*data)(const void *engine, int32_t field);
    /* Makes t, within the last step, the boundary: what came after it is forgotten. */
    sl_status (*cut)(void *engine, double t, sl_diags *diags);
    /* Sets one element of an input field at the boundary; SL_ERR_INPUT with a diagnostic for a value that cannot be.
     * All that a set can refuse is refused by check, which changes nothing. */
    sl_status (*check)(const void *engine, int32_t field, int32_t index, double value, sl_diags *diags);
    sl_status (*set)(void *engine, int32_t field, int32_t index, double value, sl_diags *diags);

    /* State as bytes: size first, then into a buffer of that size. restore takes all or nothing. */
    size_t (*save_size)(const void *engine);
    void (*save)(const void *engine, void *bytes);
    sl_status (*restore)(void *engine, const void *bytes, size_t n);
    /* A number that tells models apart, so that a state is not restored into another one. */
    uint64_t (*model_hash)(const void *engine);
} sl_engine_ops;

/* "node", "pump", ...; "" for the model. */
const char *sl_field_class(sl_field_of of);
/* Is this its full name, "node.pressure"? */
bool sl_field_has_name(const sl_field *field, const char *name);
/* The field of this class and name, or -1. */
int32_t sl_engine_find_field(const sl_engine_ops *ops, sl_field_of of, sl_str name);
/* The field of this full name, or -1. */
int32_t sl_engine_find_full(const sl_engine_ops *ops, const char *name);

#endif
