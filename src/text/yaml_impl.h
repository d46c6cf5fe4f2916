/* SPDX-License-Identifier: MIT */
/* yaml_impl.h: what a document holds, for the files of this folder. */
#ifndef SL_TEXT_YAML_IMPL_H
#define SL_TEXT_YAML_IMPL_H

#include "base/memory.h"
#include "base/report.h"
#include "text/yaml.h"

struct sl_yaml {
    sl_context *ctx;
    sl_arena arena; /* nodes and texts */
    const char *name;
    sl_str source;
    size_t counted;  /* bytes whose line ends were counted: where the line of the last place begins */
    size_t line_end; /* ... and where it ends */
    uint32_t line;   /* how many there were */
    sl_diags *diags;
    int64_t n_error;
    sl_yaml_node *root;
};

/* The line around a byte of the source, and the part of it from begin to end. */
sl_text_location sl_yaml_location(sl_yaml *doc, size_t begin, size_t end);
/* Is it nothing: an empty plain scalar, ~ or null? */
bool sl_yaml_is_empty(const sl_yaml_node *node);

/* "5 MPa" or "5MPa": the number, and its unit as it is written ("": none). False: there is no number. */
bool sl_text_quantity(sl_str text, sl_str *unit, double *out);
/* [s]: "90", "15 min", "1:30". False: it is no time. */
bool sl_text_time(sl_str text, double *out);

#endif
