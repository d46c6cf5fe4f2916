/* SPDX-License-Identifier: MIT */
/* sluice/load.h: a model from a file of any kind: the content tells which.
 *
 *     sl_session *s;
 *     sl_open(ctx, "town.inp", diags, &s);                      a file in, a session out
 *     sl_session_advance(s, INFINITY, 0, NULL);
 *
 * The core opens no file: sl_model_load takes bytes, and a callback for the files that are named inside (a study names its
 * network, a run file its model, a table its CSV file). sl_open and sl_source_open are beside it, and read the file system.
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
    /* Opens a file that is named inside this source: fills *out, whose size is set; this source's close gives it back (NULL: there
     * is nothing to give back). out->open is for files that are named in turn. SL_ERR_IO: *why says why not (a static text, or one
     * that lives as long as user). NULL: no file can be named. */
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
    double duration;             /* instead of the model's own, in its unit of time; NaN: the model's own */
    double
        step; /* of a model whose time counts steps: the length of one [s], and duration is in seconds too; 0: it counts */
    const char *const
        *options; /* of the kind, as the command line has them: "tanks=implicit", "strict"; NULL-terminated, or NULL */
} sl_load_def;

SL_DEFAULT(sl_load_def, sl_load_default)

/* A model that owns everything it is made from. The source may go after the call. def may be NULL. SL_ERR_INPUT: the diagnostics say
 * what is wrong, or what the content was taken for when no kind fits. */
SL_API sl_status sl_model_load(sl_context *ctx, const sl_source *source, const sl_load_def *def, sl_diags *diags,
                               sl_model **out);
/* The kind it was loaded as: "network"; "" for a model that a builder made. */
SL_API const char *sl_model_kind(const sl_model *model);

/* ---- Beside the core: the file system ------------------------------------------------------------- */

/* Reads a file ("-": standard input), and files that it names, relative to it. Close it with sl_source_close. SL_ERR_IO with a
 * diagnostic. */
SL_API sl_status sl_source_open(sl_context *ctx, const char *path, sl_diags *diags, const sl_source **out);
SL_API void sl_source_close(const sl_source *source);
/* A session of the model in a file; it owns the model. */
SL_API sl_status sl_open(sl_context *ctx, const char *path, sl_diags *diags, sl_session **out);

#ifdef __cplusplus
}
#endif
#endif
