/* SPDX-License-Identifier: MIT */
/* kind.h: kinds of model. A kind is a row: how its files are recognised and loaded, which options it has, and what commands show of
 * it beyond what every session has. Everything that takes kinds takes a table as an argument (NULL: sl_kinds, the built-in one), so
 * that a program adds its own without global state. Nobody outside src/kinds asks which kind a model is.
 *
 * Functions of a row work on sources, sessions, sinks and diagnostics; they open no file and print nothing.
 */
#ifndef SL_KINDS_KIND_H
#define SL_KINDS_KIND_H

#include <sluice/load.h>

#include "base/option.h"
#include "base/out.h"
#include "session/session.h"

/* ---- Loading ------------------------------------------------------------------------------------ */

/* The beginning of a source, parsed once for all kinds. */
typedef struct sl_kind_head sl_kind_head;
sl_str sl_kind_head_bytes(const sl_kind_head *head);
/* Is it a map of YAML or JSON, block or flow style, with this key at its top? */
bool sl_kind_head_has_key(const sl_kind_head *head, const char *key);

typedef struct sl_load {
    sl_context *ctx;
    const sl_source *source;
    double duration;  /* in the kind's unit of time; NaN: the file's */
    const void *args; /* the kind's options: args_size bytes */
    bool tolerant;    /* for checks: go on after errors as far as possible, so that all are found */
    bool no_map;      /* nobody wants coordinates and comments, and nobody is to hear of mistakes in them */
    sl_diags *diags;
} sl_load;

/* What a row's load gives: the model, and the object that the kind's other functions work on. */
typedef struct sl_loaded {
    sl_model *model; /* NULL: only tolerant */
    void *origin;    /* owned by the model, which releases it; reached by sl_model_origin */
    void (*release)(void *origin);
} sl_loaded;

/* ---- Reports ------------------------------------------------------------------------------------ */

/* Where a file goes. */
typedef struct sl_report_target {
    const char *ending;         /* "csv", "out" */
    const sl_sink *sink;        /* NULL: the format takes a path, or patches */
    const sl_patch_sink *patch; /* that can go back; NULL: the target is a stream */
    const char *path;           /* of a file that the format opens by itself; NULL: there is none to be opened */
    bool is_secondary;          /* asked for by an option of the kind (--events, --envelope), not by -o */
    const char *option;         /* ... this one */
} sl_report_target;

typedef enum sl_report_verdict {
    SL_VERDICT_FINE = 0,
    SL_VERDICT_LIMIT,       /* a limit was broken */
    SL_VERDICT_NOT_BALANCED /* the numbers cannot be trusted */
} sl_report_verdict;

/* What a run leaves: files and a summary. begin before the session's first step, finish after its last one. */
typedef struct sl_report_ops {
    sl_status (*create)(const sl_load *load, sl_session *session, const sl_model *model, bool summary, void **report);
    /* Adds a file; formats that stream add sinks to the session here, others write at the end. SL_ERR_UNSUPPORTED: no such format. */
    sl_status (*add)(void *report, const sl_report_target *target, sl_diags *diags);
    sl_status (*finish)(void *report, bool complete, sl_diags *diags);
    sl_report_verdict (*verdict)(const void *report);
    void (*write_text)(void *report, sl_out *out);
    void (*write_json)(void *report, sl_json *json); /* members of an open object */
    void (*destroy)(void *report);
} sl_report_ops;

/* ---- The row ------------------------------------------------------------------------------------ */

struct sl_kind {
    const char *name; /* "automaton": after `sluice:` in a file */
    const char *noun; /* "an automaton" */
    int32_t version;  /* the highest of `sluice: NAME/VERSION` */
    bool (*recognise)(const sl_kind_head *head);
    sl_status (*load)(const sl_load *load, sl_loaded *out);

    const sl_option *options; /* of load and report */
    int32_t n_option;
    size_t args_size;
    void (*args_default)(void *args); /* NULL: zeros */

    const sl_report_ops *report; /* NULL: the report of all: values over time as .csv, ranges as summary */
};

/* The built-in kinds, NULL-terminated. */
extern const sl_kind *const sl_kinds[];

/* The kind of this name, or NULL. kinds NULL: the built-in ones. */
const sl_kind *sl_kind_find(const sl_kind *const *kinds, const char *name);
/* By content. NULL: none fits; a diagnostic names what was seen, and what there could be. */
const sl_kind *sl_kind_recognise(sl_context *ctx, const sl_kind *const *kinds, const sl_source *source,
                                 sl_diags *diags);
/* The kind that a model was loaded as, NULL for one of a builder; and what its load left. */
const sl_kind *sl_model_row(const sl_model *model);
void *sl_model_origin(const sl_model *model);

#endif
