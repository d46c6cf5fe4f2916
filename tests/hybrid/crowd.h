/* SPDX-License-Identifier: MIT */
/* crowd.h: many toys (toy.h) as one model that moves by parts. They know nothing of each other: each is a part, whose equations are those
 * of its mode. So each has to move as if it were alone. */
#ifndef SL_HYBRID_CROWD_H
#define SL_HYBRID_CROWD_H

#include "toy.h"

enum { CROWD = 6 };

typedef struct crowd {
    int32_t n, n_mode; /* toys; modes of each */
    const toy *toys;   /* of equal sizes */
    bool tells_set;    /* says which variables actions have set */
} crowd;

extern const sl_hybrid_ops crowd_ops;

#endif
