/* SPDX-License-Identifier: MIT */
/* fake_engine.h: an engine whose values the test writes itself, to see what sinks make of them. It has the fields of the
 * eps engine, and moves only because the test says so. */
#ifndef FAKE_ENGINE_H
#define FAKE_ENGINE_H

#include "sl_test.h"

#include "base/out.h"
#include "engine/result_sink.h"
#include <sluice/network_io.h>

enum { FAKE_N_FIELD = 46 };

typedef struct fake {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_network *net;
    double time, end;
    double *value[FAKE_N_FIELD]; /* one per element */
    sl_result_sink sink;
    const double *data[FAKE_N_FIELD];
    int32_t all[FAKE_N_FIELD];
} fake;

/* A network from text that must read without errors; all values 0. */
void fake_begin(fake *f, const char *inp);
/* Releases all; checks that no memory is left. */
void fake_end(fake *f);

/* The values of a field by its full name; fails the test when there is none. */
double *fake_field(fake *f, const char *name);
/* By the id of the element; one value of the model with id NULL. */
void fake_set(fake *f, const char *name, const char *id, double x);

sl_result_layout fake_layout(const fake *f);
/* The sink's begin, with all fields; a frame; its end. */
void fake_open(fake *f, sl_result_sink sink);
void fake_frame(fake *f, double t);
void fake_close(fake *f, bool complete);

/* A message of the run. */
void fake_say(fake *f, double t, sl_severity severity, sl_code code, const char *kind, const char *id,
              const char *text);

/* Bytes as a string; the test frees it. */
char *fake_text(const sl_bytes *bytes);

#endif
