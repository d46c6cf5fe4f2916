/* SPDX-License-Identifier: MIT */
/* json_format.h: the two halves of results as JSON: json_write.c has the row of the format, json_read.c what it names here. */
#ifndef SL_RESULTS_JSON_FORMAT_H
#define SL_RESULTS_JSON_FORMAT_H

#include "results/format.h"

#define SL_JSON_RESULTS "sluice results"       /* what the member "format" begins with */
#define SL_JSON_RESULTS_NOW "sluice results 2" /* what is written, and read */

bool sl_json_results_recognise(const unsigned char *head, size_t n, uint64_t size);
sl_status sl_json_results_open(sl_results *r, sl_diags *diags);
/* A frame has members of its own; a group of such a name, and one that begins so, has this before it. */
#define SL_JSON_GROUP "group "

#endif
