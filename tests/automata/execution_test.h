/* SPDX-License-Identifier: MIT */
/* execution_test.h: an automaton made by calls and its execution, for the tests of this folder. */
#ifndef SL_EXECUTION_TEST_H
#define SL_EXECUTION_TEST_H

#include "sl_test.h"

#include <sluice/sluice.h>

typedef struct setting {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_automaton *a;
    sl_execution *e;
    sl_execution_info at;
} setting;

static inline void begin(setting *s, const char *name) {
    *s = (setting){.at.size = sizeof s->at};
    s->ctx = sl_test_context(&s->memory);
    sl_assert_ok(sl_diags_create(s->ctx, &s->diags));
    sl_assert_ok(sl_automaton_create(s->ctx, name, s->diags, &s->a));
}

static inline void end(setting *s) {
    sl_execution_destroy(s->e);
    sl_automaton_destroy(s->a);
    sl_diags_destroy(s->diags);
    sl_test_context_end(s->ctx, &s->memory);
}

/* Tolerances for comparisons with closed forms. */
static inline sl_execution_def tight(void) {
    sl_execution_def def = sl_execution_default();
    def.rtol = 1e-12;
    def.atol = 1e-13;
    def.root_tol = 1e-11;
    return def;
}

/* A sink that is a string. */
typedef struct text {
    char at[4096];
    size_t n;
} text;

static inline sl_status to_text(void *user, const void *bytes, size_t n) {
    text *t = user;
    assert_true(t->n + n < sizeof t->at);
    memcpy(t->at + t->n, bytes, n);
    t->n += n;
    t->at[t->n] = '\0';
    return SL_OK;
}

#endif
