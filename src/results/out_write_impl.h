/* out_write_impl.h: the writer of .out files from inside: out_write.c has the frames, out_prolog.c what stands before
 * them, out_energy.c what is known at the end only. */
#ifndef SL_RESULTS_OUT_WRITE_IMPL_H
#define SL_RESULTS_OUT_WRITE_IMPL_H

#include "base/out.h"
#include "network/epanet_units.h"
#include "results/out_layout.h"
#include "results/out_write.h"

struct sl_out_writer {
    sl_context *ctx;
    const sl_network *net;
    const sl_patch_sink *sink;
    sl_result_sink as_sink;
    sl_out_writer_def def;
    sl_unit_system units;
    double factor[SL_Q_COUNT]; /* SI per file unit */

    sl_result_layout layout;             /* from begin on */
    int32_t slot[SL_OUT_VARIABLE_COUNT]; /* place in a frame; -1: the engine does not have it */
    double report_start, report_step;    /* [s] */
    double duration;                     /* of the whole run [s] */
    int32_t n_frame, n_period, warning;
    sl_status status; /* of the sink: nothing is written after a failure */
    bool said_not_finite;

    float *period; /* in the file's order and units */
    size_t n_float;
    double *low, *high; /* of statistics: minimum or sum, maximum; NULL for a series */
    sl_out text;        /* buffer of the prolog */
};

/* The prolog, with an energy table that has links but no numbers yet. */
sl_status sl_out_write_prolog(sl_out_writer *w);

typedef struct sl_out_tail {
    float reaction[4];
    int32_t n_period, warning, magic;
} sl_out_tail;

/* Puts the energy table in its place; elapsed is the time [s] that the engine's integrals cover. */
sl_status sl_out_patch_energy(sl_out_writer *w, double elapsed, sl_diags *diags);
/* Network reaction rates [mass/h]. */
void sl_out_reactions(const sl_out_writer *w, double elapsed, float rate[4]);

#endif
