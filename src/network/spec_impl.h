/* SPDX-License-Identifier: MIT */
/* spec_impl.h: what spec.c lends to spec_objects.c. */
#ifndef SL_NETWORK_SPEC_IMPL_H
#define SL_NETWORK_SPEC_IMPL_H

#include "network/build.h"

/* Reports about an object, counts it and returns SL_ERR_INPUT. */
sl_status sl_spec_refuse(sl_spec *s, sl_code code, const char *kind, const char *id, const char *hint, const char *text,
                         const char *arg);
/* Reads the caller's definition over own, which has the defaults; false after a report: it has no size. */
bool sl_spec_take(sl_spec *s, const char *kind, void *own, size_t size, const void *def);
/* An id a file can carry: not empty, no blanks, quotes, semicolons or control characters, no leading bracket. */
bool sl_spec_good_id(const char *id);
/* References by id: *at is the handle; for patterns and curves -1 for NULL. false after a report. */
bool sl_spec_pattern(sl_spec *s, const char *id, const char *kind, const char *owner, int32_t *at);
bool sl_spec_curve(sl_spec *s, const char *id, const char *kind, const char *owner, int32_t *at);
bool sl_spec_node(sl_spec *s, const char *id, const char *kind, const char *owner, int32_t *at);
bool sl_spec_link(sl_spec *s, const char *id, const char *kind, const char *owner, int32_t *at);
/* Text that a file can carry between other values: no semicolons, no double quotes. false after a report. */
bool sl_spec_good_text(sl_spec *s, const char *kind, const char *id, const char *text);
/* A copy of text as it is read from a comment, NULL when nothing is left of it. false: memory. */
bool sl_spec_comment(sl_spec *s, const char *text, const char **out);
/* A copy of text that fits on one line of a file; NULL: memory. */
const char *sl_spec_copy_text(sl_spec *s, const char *z);
/* Keeps text as a note of an object, if there is any. false: memory. */
bool sl_spec_note(sl_spec *s, sl_notes *notes, int32_t index, const char *text);

#endif
