/* SPDX-License-Identifier: MIT */
/* sluice/load.h: loads a model from a file of any kind. The content of the file decides which kind it is.
 *
 *     sl_session *s;
 *     sl_open(ctx, "town.inp", diags, &s);                      a session of the model in the file
 *     sl_session_advance(s, INFINITY, 0, NULL);
 *
 * The core opens no file: sl_model_load takes bytes, and a callback for the files that they name (a study names its network, a table
 * its CSV file). sl_open and sl_source_open are not part of the core; they read the file system.
 */
#ifndef SLUICE_LOAD_H
#define SLUICE_LOAD_H

#include <sluice/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes with a name for messages. */
typedef struct sl_source {
    size_t size;
    const char *name; /* "town.inp"; NULL: "input" */
    const void *bytes;
    size_t n;
    /* Opens a file that this source names and fills *out, whose size is set. The callback close of this source releases it (NULL:
     * nothing to release). out->open opens the files that it names in turn. SL_ERR_IO: *why is the reason, a static text or one that
     * lives as long as user. NULL: the source cannot name files. */
    sl_status (*open)(void *user, const struct sl_source *from, const char *path, struct sl_source *out,
                      const char **why);
    void (*close)(void *user, struct sl_source *opened);
    void *user;
} sl_source;

/* A kind of model: a row of a table (src/kinds/kind.h). */
typedef struct sl_kind sl_kind;

typedef struct sl_load_def {
    size_t size;
    const sl_kind *const *kinds; /* NULL-terminated; NULL: all that are built in */
    const char *kind;            /* "network", "surge", "automaton", ...; NULL: by content */
    double duration;             /* of the run, in the model's unit of time; NaN: the model's own */
    double
        step; /* length of one step [s] of a model whose time counts steps; duration is then in seconds; 0: time counts steps */
    const char *const *
        options; /* of the kind, as on the command line without --: "tanks=implicit", "strict"; NULL-terminated, or NULL */
} sl_load_def;

SL_DEFAULT(sl_load_def, sl_load_default)

/* Loads a model, which owns everything that it is made from. The source may be released after the call. def may be NULL. SL_ERR_INPUT:
 * the diagnostics have the errors, or the kind of content when no kind of model matches. */
SL_API sl_status sl_model_load(sl_context *ctx, const sl_source *source, const sl_load_def *def, sl_diags *diags,
                               sl_model **out);
/* The kind that the model was loaded as: "network"; "" for a model that a builder made. */
SL_API const char *sl_model_kind(const sl_model *model);

/* ---- The file system, outside the core ------------------------------------------------------------- */

/* Reads a file ("-": standard input). Files that it names are opened relative to it. Release it with sl_source_close. SL_ERR_IO: it
 * cannot be read; a diagnostic has the reason. */
SL_API sl_status sl_source_open(sl_context *ctx, const char *path, sl_diags *diags, const sl_source **out);
SL_API void sl_source_close(const sl_source *source);
/* A session of the model in a file; it owns the model. */
SL_API sl_status sl_open(sl_context *ctx, const char *path, sl_diags *diags, sl_session **out);

#ifdef __cplusplus
}
#endif
#endif
