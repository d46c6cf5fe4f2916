/* SPDX-License-Identifier: MIT */
/* read.h: tunnels as YAML, and how they are run. docs/reference/tunnel.md describes the files. */
#ifndef SL_TUNNEL_READ_H
#define SL_TUNNEL_READ_H

#include "tunnel/model.h"

typedef struct sl_tunnel_study {
    sl_context *ctx;
    sl_tunnel_network *net; /* owned */
    const char *title;      /* "": none; in the network's arena */
    double end, report;     /* [s] */
    double rtol;
    bool all_reversals;
    sl_hybrid_policy policy;
} sl_tunnel_study;

/* Everything that is wrong is reported in one pass, with its place. */
sl_status sl_tunnel_read(sl_context *ctx, const char *bytes, size_t n, const char *name, sl_diags *diags,
                         sl_tunnel_study **out);
void sl_tunnel_study_destroy(sl_tunnel_study *study);

#endif
