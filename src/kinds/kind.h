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
#include <sluice/results.h>

#include "base/option.h"
#include "base/out.h"
#include "session/session.h"
#include "text/yaml.h"

/* ---- Loading ------------------------------------------------------------------------------------ */

/* The beginning of a source, looked at once for all kinds. No memory is taken; what is long is not parsed: the heads of a text are
 * its keys at the top if it is a map of YAML or JSON, block or flow style, and its first [HEADING]. */
enum { SL_HEAD_KEYS_MAX = 64 };
typedef struct sl_kind_head {
    const sl_source *source;
    sl_str text; /* without the mark of UTF-8 */
    bool is_map;
    bool begins_with_heading; /* its first line that is neither blank nor a comment of .inp files is [A WORD] */
    int32_t n_key;            /* those after SL_HEAD_KEYS_MAX are not known */
    struct {
        sl_str key;
        size_t value; /* where its value begins in the text [bytes] */
    } keys[SL_HEAD_KEYS_MAX];
} sl_kind_head;

void sl_kind_head_init(sl_kind_head *head, const sl_source *source);
/* Is it a map with this key at its top? */
bool sl_kind_head_has_key(const sl_kind_head *head, const char *key);
/* The text of a key's value, without quotes; "" when the value is a map, a list or a block. False: there is no such key. */
bool sl_kind_head_value(const sl_kind_head *head, const char *key, sl_str *out);
/* Has it a [HEADING] at the beginning of any line? */
bool sl_kind_head_has_heading(const sl_kind_head *head);

typedef struct sl_load {
    sl_context *ctx;
    const sl_source *source;
    const sl_kind_head *head; /* of the source */
    double duration;          /* in the kind's unit of time; NaN: the file's */
    double step;      /* of a kind that counts steps: the length of one [s], and duration is in seconds; 0: it counts */
    const void *args; /* the kind's options: args_size bytes */
    bool tolerant;    /* for checks: go on after errors as far as possible, so that all are found */
    bool no_map;      /* nobody wants coordinates and comments, and nobody is to hear of mistakes in them */
    sl_diags *diags;
} sl_load;

/* What a row's load gives: the model, and the object that the kind's other functions work on. */
typedef struct sl_loaded {
    sl_model *model; /* NULL: only when tolerant */
    void *origin;    /* owned by the model, which releases it last; reached by sl_model_origin */
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
    const char *name;                            /* "automaton": after `sluice:` in a file */
    const char *noun;                            /* "an automaton" */
    int32_t version;                             /* the highest of `sluice: NAME/VERSION` */
    bool (*recognise)(const sl_kind_head *head); /* without `sluice:`; NULL: never */
    const char *const *takes; /* kinds whose files it loads too when it is asked for; NULL-terminated, or NULL */
    /* SL_ERR_INPUT: the diagnostics say what is wrong with the source; SL_ERR_USE: what is wrong with the options. Nothing is left
     * behind unless SL_OK. */
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
const sl_kind *sl_kind_recognise(const sl_kind *const *kinds, const sl_kind_head *head, sl_diags *diags);
/* The same when one kind is asked for: that one, or NULL and a diagnostic when the content is none that it takes. asked NULL: by
 * content alone. */
const sl_kind *sl_kind_choose(const sl_kind *const *kinds, const char *asked, const sl_kind_head *head,
                              sl_diags *diags);
/* Loads by a row: what load asks for is filled in but for head. The model keeps the row and what its load left. When tolerant,
 * *out may be NULL with SL_OK. */
sl_status sl_kind_load(const sl_kind *kind, const sl_load *load, sl_model **out);
/* The file that a source names, at a node of its YAML text, which messages point at. The caller closes it. */
sl_status sl_source_open_named(const sl_source *from, const char *path, sl_yaml *doc, const sl_yaml_node *node,
                               sl_source *opened);
void sl_source_close_named(const sl_source *from, sl_source *opened);

/* The kind that a model was loaded as, NULL for one of a builder. What its load left: sl_model_origin (session/session.h). */
const sl_kind *sl_model_row(const sl_model *model);

#endif
