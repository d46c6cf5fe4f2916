/* SPDX-License-Identifier: MIT */
/* sluice/quality.h: hydraulics stored for transport afterwards.
 *
 * A session can compute transport of a chemical, of age or of a trace together with the hydraulics. Alternatively, the hydraulics
 * run once and are stored, and transport runs later as often as needed: chlorine, then age, then the share of one source. The
 * numbers are the same.
 *
 *     sl_hydraulics_create(ctx, net, &hydraulics);
 *     sl_session_store_hydraulics(session, hydraulics);   before its first step
 *     sl_session_advance(session, INFINITY, 0, NULL);
 *     sl_model_from_hydraulics(ctx, other_net, hydraulics, NULL, diags, &model);   a model like any other
 */
#ifndef SLUICE_QUALITY_H
#define SLUICE_QUALITY_H

#include <sluice/network.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sl_hydraulics sl_hydraulics;

/* A buffer for the steps of this network, empty. A step takes 8 bytes for each link, junction and tank. */
SL_API sl_status sl_hydraulics_create(sl_context *ctx, const sl_network *net, sl_hydraulics **out);
SL_API void sl_hydraulics_destroy(sl_hydraulics *h);
SL_API int64_t sl_hydraulics_steps(const sl_hydraulics *h);

#ifdef __cplusplus
}
#endif
#endif
