/* SPDX-License-Identifier: MIT */
/* recorder.h: what the pieces of an execution did, as events of its engine: init, crossing, root, transition, settled, action. */
#ifndef SL_HYBRID_RECORDER_H
#define SL_HYBRID_RECORDER_H

#include "hybrid/event_log.h"
#include "hybrid/hybrid.h"

/* Classes of sl_hybrid_engine. */
enum { SL_HYBRID_CLASS_VARIABLE = SL_CLASS_MODEL + 1, SL_HYBRID_CLASS_DISCRETE, SL_HYBRID_N_CLASS };

typedef struct sl_hybrid_recorder {
    const sl_hybrid_ops *ops;
    double rtol, atol; /* values that were made consistent count as changed beyond these */
    int32_t *q;        /* [n_q] the discrete state after the last piece that was seen, where it follows */
    bool follows;      /* else it is copied at the next change */
    int32_t n_x, n_q;
    SL_ARRAY(sl_hybrid_change) changes; /* room */
    bool begun;                         /* the first piece was seen */
    sl_event_log log;
} sl_hybrid_recorder;

/* After a piece that is no motion. SL_ERR_MEMORY. */
sl_status sl_hybrid_recorder_after(sl_hybrid_recorder *r, const sl_hybrid *h, const sl_hybrid_info *info);
/* After a step of motion. */
void sl_hybrid_recorder_moved(sl_hybrid_recorder *r, const sl_hybrid *h, const sl_hybrid_info *info);

#endif
