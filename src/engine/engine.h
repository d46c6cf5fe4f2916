/* SPDX-License-Identifier: MIT */
/* engine.h: the contract between engines and everything that drives them.
 *
 * An engine is a model in motion: eps, surge, hybrid, or the bouncing ball of the tests. It moves by its own steps, at
 * times of its own choosing, and knows nothing of sessions, files or plots. What the contract promises:
 *
 *   1. A stop is not an event. Looking at the values at any time of the last step (show) changes no later bit.
 *   2. A set is an event. cut(t) makes t a step boundary; a set then acts from t on.
 *   3. Saved and restored equals uninterrupted, bit for bit, wherever in the last step the values are shown: after a restore the
 *      same times can be shown and cut. Only live content is saved, no pointers.
 *   4. A step that fails leaves the engine at the last good boundary and says why in the diagnostics.
 *   5. A warm step allocates nothing.
 *   6. A model is const under threads: any number of engines of one model in any number of threads, with the bits of one.
 *
 * tests/engine/contract.c checks all of them for any engine; a new engine passes it or is not one.
 */
#ifndef SL_ENGINE_ENGINE_H
#define SL_ENGINE_ENGINE_H

#include <sluice/diag.h>

/* What the elements of a field belong to: a class that the engine names itself. A variable's full name is
 * class.'id'.quantity: pump.'9'.speed; a quantity of the model as a whole has no class: balance.ratio. Class 0 of every engine
 * is the model as a whole, with the name "" and one element. Ids may be hierarchical: component.'press.cylinder'.pressure. */
typedef struct sl_class {
    const char *name;
    const char *meaning; /* one line for the manual */
} sl_class;

enum { SL_CLASS_MODEL = 0 };

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
    int32_t of;       /* class: an index into the engine's list */
    uint32_t flags;
    const char *meaning; /* one line for the manual */
    sl_field_type type;
    double min, max;          /* bounds of what may be set; both 0: none */
    const char *const *words; /* of an enumeration, NULL-terminated */
} sl_field;

/* The members of a field, from a row X(ID, class, name, unit, flags, type, min, max, meaning) of an engine's list, without ID. */
#define SL_FIELD_MEMBERS(of_, name_, unit_, flags_, type_, lo, hi, meaning_)                                   \
    .name = (name_), .unit = (unit_), .of = SL_CLASS_##of_, .flags = SL_FIELD_##flags_, .meaning = (meaning_), \
    .type = SL_FIELD_##type_, .min = (lo), .max = (hi)

/* How a step went. */
typedef struct sl_engine_step {
    double begin, end;   /* [s] */
    bool finished;       /* the model has come to its own end */
    int32_t n_iteration; /* work done, for logs; 0 when it means nothing */
    int32_t n_part;      /* that have steps of their own, which end one by one; 0: it moves as one */
} sl_engine_step;

/* Something that happened at an instant: a status that changed, a root that was crossed, a cavity that opened. */
typedef struct sl_engine_event {
    double time;       /* of the engine: seconds or steps */
    const char *kind;  /* "status", "control", "root", "transition", ...: a static text */
    int32_t of;        /* class of the element */
    int32_t index;     /* the element among those of its class */
    int32_t field;     /* the quantity that changed; -1: none */
    double from, to;   /* of the quantity; NaN: none */
    const char *cause; /* "rule 'night'", the symbol of a root; "": none. Borrowed until the engine moves */
} sl_engine_event;

/* What only one engine has, as a structure that begins with its size: the grid of a surge, kept hydraulics. */
typedef struct sl_facet {
    const char *name; /* "surge.grid" */
    size_t size;      /* of the structure as the engine knows it */
    bool of_model;    /* get takes the model (const), else the engine */
    bool at_boundary; /* the engine must stand at the time that is shown */
    /* Fills *out, whose members may also be a request: its documentation tells. The size has been checked. */
    sl_status (*get)(void *engine, void *out);
} sl_facet;

typedef struct sl_engine_ops {
    const char *name; /* "eps" */
    const sl_class *classes;
    int32_t n_class;
    const sl_field *fields;
    int32_t n_field;
    /* Fields that results have unless others are asked for, by full name ("node.head"), NULL-terminated; NULL: all that change. */
    const char *const *recorded;
    /* The title that the model has beside its name, as results and pictures show it. NULL: it has none. */
    const char *(*title)(const void *engine);
    const sl_facet *facets; /* NULL: none */
    int32_t n_facet;
    bool finds_end;        /* every run ends, though end may be INFINITY until it is reached */
    const char *time_unit; /* "s", or "steps" of an engine that counts: its times are whole numbers */

    /* A new engine at the model's start time. The model is const and outlives the engine. Outputs are not computed
     * yet: refresh does that. */
    sl_status (*create)(sl_context *ctx, const void *model, sl_diags *diags, void **engine);
    void (*destroy)(void *engine);

    /* Elements of a field, and an element's id ("J12"; "" for a field of the model). All fields of a class have the
     * same elements in the same order. */
    int32_t (*count)(const void *engine, int32_t field);
    const char *(*element)(const void *engine, int32_t field, int32_t index);
    /* Where elements of one field differ: changes unit, meaning, bounds or words of *field, which begins as the row of the
     * list. NULL: they do not. */
    void (*describe)(const void *engine, int32_t field, int32_t index, sl_field *out);

    /* The time of the last step boundary [s]. */
    double (*time)(const void *engine);
    /* Where the model ends by itself [s]; INFINITY: never, or not known yet. At or after it, step gives SL_ERR_USE. */
    double (*end)(const void *engine);
    /* The end of the coming step as far as it can be told now: the true end or something earlier, later than time. */
    double (*next_event)(const void *engine);
    /* Times at which results are wanted: start, start + step, ... step 0: none but those asked for. */
    void (*report)(const void *engine, double *start, double *step);
    /* The length of steps within a step [s], counted from its beginning: quality steps of hydraulics. NULL: none. */
    double (*substep)(const void *engine);
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
    /* Of an engine whose elements have steps of their own: those of a field that came to the end of one in the last step, or that
     * were written at its end; each once, in any order, borrowed until the engine moves. The others stand still, or are on
     * their way: their own steps end later. *n -1: any. NULL: all of every field. */
    const int32_t *(*moved)(const void *engine, int32_t field, int32_t *n);
    /* The value of one of these at the boundary, without those of others; NULL only if moved is. */
    double (*value)(const void *engine, int32_t field, int32_t index);
    /* Makes t, within the last step, the boundary: what came after it is forgotten. */
    sl_status (*cut)(void *engine, double t, sl_diags *diags);
    /* Sets one element of an input field at the boundary; SL_ERR_INPUT with a diagnostic for a value that cannot be.
     * All that a set can refuse is refused by check, which changes nothing. */
    sl_status (*check)(const void *engine, int32_t field, int32_t index, double value, sl_diags *diags);
    sl_status (*set)(void *engine, int32_t field, int32_t index, double value, sl_diags *diags);
    /* Ends the hold of a set on an input field, at the boundary: patterns, controls, rules, schedules decide again. Nothing to do
     * for a value that is not held. NULL: no set holds. */
    sl_status (*release)(void *engine, int32_t field, int32_t index, sl_diags *diags);

    /* What happened in the last step (after its beginning, up to its end) and in a refresh since, in order: by time, and within an
     * instant as the engine did it. Borrowed until the engine moves. After a cut those of later times are gone; after a restore
     * there are none. NULL: nothing ever happens. SL_ERR_MEMORY is the step's. */
    const sl_engine_event *(*events)(const void *engine, int32_t *n);

    /* State as bytes: size first, then into a buffer of that size. restore takes all or nothing. */
    size_t (*save_size)(const void *engine);
    void (*save)(const void *engine, void *bytes);
    sl_status (*restore)(void *engine, const void *bytes, size_t n);
    /* A number that tells models apart, so that a state is not restored into another one. */
    uint64_t (*model_hash)(const void *engine);
} sl_engine_ops;

/* The name of a field's class: "node", "" for the model. */
const char *sl_field_class(const sl_engine_ops *ops, int32_t field);
/* Is this the full name of a field, "node.pressure"? */
bool sl_field_has_name(const sl_engine_ops *ops, int32_t field, const char *name);
/* How many words a code has; 0: it has none. */
int32_t sl_field_n_word(const sl_field *field);
/* The id of an element of a class: any field of the class knows it; "": there is none. */
const char *sl_engine_element(const sl_engine_ops *ops, const void *engine, int32_t of, int32_t index);
/* The class of this name, or -1. */
int32_t sl_engine_find_class(const sl_engine_ops *ops, sl_str name);
/* The field of this class ("": the model) and name, or -1. */
int32_t sl_engine_find_field(const sl_engine_ops *ops, const char *class_name, sl_str name);
/* The field of this full name, or -1. */
int32_t sl_engine_find_full(const sl_engine_ops *ops, const char *name);
/* The facet of this name, or NULL. */
const sl_facet *sl_engine_find_facet(const sl_engine_ops *ops, const char *name);

#endif
