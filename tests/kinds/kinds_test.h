/* SPDX-License-Identifier: MIT */
/* kinds_test.h: sources for tests of loading: texts in memory that name each other. */
#ifndef SL_KINDS_TEST_H
#define SL_KINDS_TEST_H

#include "sl_test.h"

#include <sluice/load.h>

/* A network with a valve; a study of it that names it "net.inp"; automata. */
extern const char test_network[], test_study[], test_automaton[], test_discrete[];

/* A text as a source that opens "net.inp" (the network above) and "missing..." (never). */
sl_source test_source(const char *name, const char *text, size_t n);
/* Files that are open now. */
extern int test_n_open;

/* Whole file of examples or tests, to be freed. */
char *test_read(const char *path, size_t *n);

/* All diagnostics as text. */
const char *test_said(const sl_diags *diags, char *buf, size_t size);

/* The first toy kind, a bouncing ball: `sluice: ball/1`. */
struct sl_kind;
extern const struct sl_kind toy_kind;

#endif
