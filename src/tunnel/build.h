/* SPDX-License-Identifier: MIT */
/* build.h: a study of what was built by calls (sluice/tunnel.h). */
#ifndef SL_TUNNEL_BUILD_H
#define SL_TUNNEL_BUILD_H

#include <sluice/tunnel.h>

#include "tunnel/read.h"

/* Any number of them, each with a network of its own. SL_ERR_USE: no handle, or a run that cannot be. */
sl_status sl_tunnels_study(sl_context *ctx, const sl_tunnels *t, const sl_tunnels_run *run, sl_diags *diags,
                           sl_tunnel_study **out);

#endif
