/* SPDX-License-Identifier: MIT */
/* fake.h: an engine whose values are whatever the test says, bytes in memory to write to and to read from, and one run
 * that puts them together. Units are those of the writer's fields (results/out_write.h). */
#ifndef FAKE_H
#define FAKE_H

#include "sl_test.h"

#include <sluice/network_io.h>
#include <sluice/results.h>

#include "engine/engine.h"
#include "results/out_write.h"

typedef enum fake_field {
    FAKE_DEMAND = 0, /* in the order of sl_out_variable up to FRICTION */
    FAKE_HEAD,
    FAKE_PRESSURE,
    FAKE_QUALITY,
    FAKE_FLOW,
    FAKE_VELOCITY,
    FAKE_HEADLOSS,
    FAKE_LINK_QUALITY,
    FAKE_STATUS,
    FAKE_SETTING,
    FAKE_REACTION,
    FAKE_FRICTION,
    FAKE_ONLINE,
    FAKE_EFFICIENCY,
    FAKE_INTENSITY,
    FAKE_KWH,
    FAKE_PEAK,
    FAKE_COST,
    FAKE_TOTAL_PEAK,
    FAKE_BULK,
    FAKE_WALL,
    FAKE_TANK,
    FAKE_SOURCE,
    FAKE_N_FIELD
} fake_field;

typedef struct fake {
    const sl_network *net;
    double time, end, report_start, report_step;
    double *value[FAKE_N_FIELD];
} fake;

extern const sl_engine_ops fake_ops;
/* Without quality, reaction and energy. */
extern const sl_engine_ops fake_small_ops;

/* Values are 0 (settings NaN, statuses open); times are the network's. malloc, freed by fini. */
void fake_init(fake *f, const sl_network *net);
void fake_fini(fake *f);
int32_t fake_count(const fake *f, fake_field field);

/* Bytes in memory: a sink to write to, a source to read from. */
typedef struct fake_bytes {
    unsigned char *at;
    size_t n, cap;
    size_t fail_at; /* the write that goes beyond this many bytes fails; 0: none */
    int64_t n_write;
    uint64_t expected; /* what the writer announced */
} fake_bytes;

sl_patch_sink fake_patch_sink(fake_bytes *b);
sl_source_bytes fake_source(fake_bytes *b);
void fake_bytes_fini(fake_bytes *b);

/* Sets the engine's values for a report time. */
typedef void (*fake_set)(fake *f, int32_t period, void *user);
typedef struct fake_run {
    const sl_engine_ops *ops; /* NULL: fake_ops */
    const sl_out_writer_def *def;
    fake_set set;
    void *user;
    int32_t n_period;
    bool stopped;
    int32_t warning;
} fake_run;

/* The fields of a .out file that the engine has; their number. */
int32_t fake_fields(const sl_engine_ops *ops, int32_t wanted[SL_OUT_VARIABLE_COUNT]);
/* Writes a run; the engine ends where it is told to (f->end) or, stopped, at the last period. */
sl_status fake_write(sl_context *ctx, fake *f, const fake_run *run, sl_diags *diags, fake_bytes *out);

/* A network from text, without errors. */
sl_network *fake_network(sl_context *ctx, const char *text);
/* The diagnostics have this code. */
bool fake_said(const sl_diags *diags, sl_code code);

/* A small network with everything whose kinds are mixed up in the file; see fake.c. */
extern const char fake_town[];

#endif
