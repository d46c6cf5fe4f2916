/* SPDX-License-Identifier: MIT */
/* yaml.h: files that people write in YAML (or JSON), read with the place of every value.
 *
 * A document is read whole or not at all: what is not YAML is an error with its place. Its nodes are maps, lists and
 * scalars, const, and live as long as the document. A reader of some kind of file takes a map apart key by key; every
 * taker checks the type, and what is wrong is reported with file, line, column and remedy. At the end `done` reports the
 * keys that nobody asked for, with the nearest of those that were:
 *
 *     sl_yaml_map m;
 *     if (sl_yaml_open_map(doc, sl_yaml_root(doc), &m)) {
 *         sl_yaml_text(&m, "model", SL_YAML_NEEDED, &model);
 *         sl_yaml_number(&m, "pressure", 0, "Pa", &p);        5 MPa, 72.5 psi, 500000
 *         sl_yaml_time(&m, "step", SL_YAML_POSITIVE, &step);  1:30, 90 min, 5400
 *         sl_yaml_done(&m);
 *     }
 *     return sl_yaml_status(doc);
 *
 * A taker gives true when the key is there and its value is good; else its out-value stays what it was, the default. All
 * errors of a file are found in one pass. Values are SI.
 *
 * Of YAML 1.2 everything is read but what such files do not need: anchors and aliases, tags, keys that are no plain text, and
 * several documents in one file are errors; so are keys given twice. Limits: SL_YAML_MOST bytes, SL_YAML_DEPTH levels.
 */
#ifndef SL_TEXT_YAML_H
#define SL_TEXT_YAML_H

#include <sluice/diag.h>

#include "base/report.h"

#define SL_YAML_MOST ((size_t)16 << 20)
enum { SL_YAML_DEPTH = 32, SL_YAML_KEYS_MAX = 48 };

typedef struct sl_yaml sl_yaml;

typedef enum sl_yaml_kind { SL_YAML_SCALAR = 0, SL_YAML_LIST, SL_YAML_MAP } sl_yaml_kind;

typedef struct sl_yaml_node {
    sl_yaml_kind kind;
    bool quoted;               /* a scalar in quotes, or a block of text: never empty, never a number */
    int32_t n;                 /* elements */
    sl_str text;               /* of a scalar; NUL-terminated */
    sl_str key;                /* within a map; NUL-terminated */
    size_t begin, end;         /* of the value in the source [bytes] */
    size_t key_begin, key_end; /* of the key */
    const struct sl_yaml_node *first, *next, *parent;
} sl_yaml_node;

/* Reads text, which need not outlive the call. name: as messages call the file. diags is borrowed: the takers report to it
 * too. SL_ERR_INPUT and diagnostics when it is no YAML, SL_ERR_MEMORY. */
sl_status sl_yaml_read(sl_context *ctx, const char *bytes, size_t n, const char *name, sl_diags *diags, sl_yaml **out);
void sl_yaml_destroy(sl_yaml *doc);
/* NULL: the document is empty. */
const sl_yaml_node *sl_yaml_root(const sl_yaml *doc);
/* SL_ERR_INPUT when an error was reported since the document was read. */
sl_status sl_yaml_status(const sl_yaml *doc);
/* The line of a node in the file, from 1. */
uint32_t sl_yaml_line(sl_yaml *doc, const sl_yaml_node *node);
/* Reports something about a node (NULL: about the file), or about its key. Hint may be NULL. */
void sl_yaml_report(sl_yaml *doc, const sl_yaml_node *node, sl_severity severity, sl_code code, const char *hint,
                    const char *fmt, ...) SL_PRINTF(6, 7);
void sl_yaml_report_key(sl_yaml *doc, const sl_yaml_node *node, sl_severity severity, sl_code code, const char *hint,
                        const char *fmt, ...) SL_PRINTF(6, 7);

/* Where the text of a scalar stands, for readers of what is written in it: begin is its first byte. A text that does not stand in
 * one line as it is (a block, escapes) is its own line. */
sl_text_location sl_yaml_text_location(sl_yaml *doc, const sl_yaml_node *node);

/* ---- Maps --------------------------------------------------------------------------------------- */

/* A map that is being taken apart. */
typedef struct sl_yaml_map {
    sl_yaml *doc;
    const sl_yaml_node *node;
    int32_t n;
    const char *asked[SL_YAML_KEYS_MAX];
} sl_yaml_map;

enum {
    SL_YAML_NEEDED = 1,      /* a key that is not there is an error */
    SL_YAML_POSITIVE = 2,    /* of numbers */
    SL_YAML_NOT_NEGATIVE = 4 /* of numbers */
};

/* False and an error when the node is no map (NULL: an empty document). */
bool sl_yaml_open_map(sl_yaml *doc, const sl_yaml_node *node, sl_yaml_map *out);
/* The value of a key, which is known from now on; NULL: not there, or empty (~, null or nothing). */
const sl_yaml_node *sl_yaml_get(sl_yaml_map *m, const char *key, unsigned flags);
/* Reports every key that was not asked for. */
void sl_yaml_done(sl_yaml_map *m);

/* Values of keys. Text and nodes are borrowed from the document. */
bool sl_yaml_text(sl_yaml_map *m, const char *key, unsigned flags, const char **out);
/* A number, or a number and a unit ("5 MPa") of the dimension of `unit`, in which a bare number and the result are; the
 * unit "" or NULL: a plain number, or %. */
bool sl_yaml_number(sl_yaml_map *m, const char *key, unsigned flags, const char *unit, double *out);
/* [s]: a number of seconds, "90 min", "1:30" or "1:30:15" (hours first). */
bool sl_yaml_time(sl_yaml_map *m, const char *key, unsigned flags, double *out);
bool sl_yaml_int(sl_yaml_map *m, const char *key, unsigned flags, int64_t min, int64_t max, int64_t *out);
/* true or false. */
bool sl_yaml_bool(sl_yaml_map *m, const char *key, unsigned flags, bool *out);
/* One of a NULL-terminated list of words, in any case; *out is its index. */
bool sl_yaml_word(sl_yaml_map *m, const char *key, unsigned flags, const char *const *words, int *out);
/* A list: its elements are node->first and their next. */
bool sl_yaml_list(sl_yaml_map *m, const char *key, unsigned flags, const sl_yaml_node **out);
bool sl_yaml_submap(sl_yaml_map *m, const char *key, unsigned flags, sl_yaml_map *out);

/* The key `sluice`, which every file of ours may have at its top: KIND/VERSION. True: it is there and names this kind in a version
 * from 1 to this one; something else there is an error. */
bool sl_yaml_signature(sl_yaml_map *m, const char *kind, int version);

/* ---- The same of a node, as for elements of lists ------------------------------------------------- */

bool sl_yaml_as_text(sl_yaml *doc, const sl_yaml_node *node, const char **out);
bool sl_yaml_as_number(sl_yaml *doc, const sl_yaml_node *node, unsigned flags, const char *unit, double *out);
bool sl_yaml_as_time(sl_yaml *doc, const sl_yaml_node *node, unsigned flags, double *out);
/* Points of a table or schedule: a list of pairs, whose first numbers rise: [[0, 1], [2.5, 0]]. times: these are times, not negative;
 * unit_x as in sl_yaml_as_number. read_y reads a second number, and reports what is wrong with it; NULL: a plain number. x and y:
 * [list->n]. Returns how many are right; what is wrong is reported. */
int32_t sl_yaml_as_points(sl_yaml *doc, const sl_yaml_node *list, bool times, const char *unit_x,
                          bool (*read_y)(void *user, const sl_yaml_node *node, double *out), void *user, double *x,
                          double *y);
bool sl_yaml_as_int(sl_yaml *doc, const sl_yaml_node *node, int64_t min, int64_t max, int64_t *out);
bool sl_yaml_as_bool(sl_yaml *doc, const sl_yaml_node *node, bool *out);
bool sl_yaml_as_word(sl_yaml *doc, const sl_yaml_node *node, const char *const *words, int *out);

#endif
