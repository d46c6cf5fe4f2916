/* SPDX-License-Identifier: MIT */
/* out_write_impl.h: the writer of .out files from inside: out_write.c has the sink and its statistics, out_frame.c a
 * period's numbers, out_prolog.c what stands before them, out_energy.c what is known at the end only. */
#ifndef SL_RESULTS_OUT_WRITE_IMPL_H
#define SL_RESULTS_OUT_WRITE_IMPL_H

#include "results/network_values.h"
#include "results/out_layout.h"
#include "results/out_write.h"

/* Elements of one kind that follow each other both in the network and in the file. */
typedef struct sl_out_run {
    int32_t first, n;
} sl_out_run;

/* Runs in the file's order: few, as a rule one per kind. */
typedef struct sl_out_order {
    sl_out_run *at;
    int32_t n;
} sl_out_order;

/* Bytes that are gathered for the sink. It gets whole pages until the end: a file system takes 34 MB in 7 ms when pages are
 * written once, and in 12 ms by pieces of 59 kB. Much is written in blocks whose size is a power of two, of which ext4 makes one large
 * page each: 80 MB in 8 ms, by blocks of half the size in 10 ms and by those that are a page smaller in 12 ms. Less than a MB is
 * written at once: 206 kB in 0.12 ms, by pieces of 57 kB in 0.15 ms. */
enum { SL_OUT_BLOCK = 1 << 19, SL_OUT_LEAST_BLOCK = 1 << 16, SL_OUT_PAGE = 1 << 12 };

struct sl_out_writer {
    sl_context *ctx;
    const sl_network *net;
    const sl_patch_sink *sink;
    sl_diags *diags; /* for ids that are cut */
    sl_result_sink as_sink;
    sl_out_writer_def def;
    sl_unit_system units;
    sl_network_values values; /* in the units of the file */

    sl_result_layout layout;             /* from begin on */
    int32_t slot[SL_OUT_VARIABLE_COUNT]; /* place in a frame; -1: the engine does not have it */
    double report_start, report_step;    /* [s] */
    double duration;                     /* of the whole run [s] */
    int32_t n_frame, n_period, warning;
    sl_status status; /* of the sink: nothing is written after a failure */
    bool said_not_finite;

    sl_out_order nodes, links;
    int32_t n_long_id; /* ids that the file cuts, and the first of them */
    const char *long_id;
    unsigned char *block; /* bytes on their way to the sink; from begin on */
    size_t n_block, block_size;

    size_t n_float;     /* of a period */
    float *period;      /* of statistics: a period in the file's order and units; NULL for a series */
    double *low, *high; /* of statistics: minimum or sum, maximum */
};

/* What is in the block goes to the sink. Returns the writer's status. */
sl_status sl_out_send(sl_out_writer *w);
/* Whole pages of the block, or a whole block of SL_OUT_BLOCK, go to the sink, so that n bytes fit behind the rest. */
void sl_out_send_pages(sl_out_writer *w, size_t n);
/* A place for n more bytes of the file, at most SL_OUT_LEAST_BLOCK. */
static inline void *sl_out_reserve(sl_out_writer *w, size_t n) {
    if (n > w->block_size - w->n_block) {
        sl_out_send_pages(w, n);
    }
    void *at = w->block + w->n_block;
    w->n_block += n;
    return at;
}

/* The prolog, with an energy table that has links but no numbers yet. */
void sl_out_write_prolog(sl_out_writer *w);

/* The numbers of a frame in the file's order and units: into the file, or into the writer's period if there is one. */
void sl_out_put_frame(sl_out_writer *w, const sl_result_frame *frame, sl_diags *diags);

typedef struct sl_out_tail {
    float reaction[4];
    int32_t n_period, warning, magic;
} sl_out_tail;

/* Puts the energy table in its place; elapsed is the time [s] that the engine's integrals cover. */
sl_status sl_out_patch_energy(sl_out_writer *w, double elapsed, sl_diags *diags);
/* Network reaction rates [mass/h]. */
void sl_out_reactions(const sl_out_writer *w, double elapsed, float rate[4]);

#endif
