/* SPDX-License-Identifier: MIT */
/* guards.h: the discrete model of a flow network as an automaton: what it is made of can be checked, explained and drawn. */
#ifndef SL_TUNNEL_GUARDS_H
#define SL_TUNNEL_GUARDS_H

#include <sluice/automaton.h>

#include "tunnel/bits.h"

/* Takes a variable (guard NULL: its start) or a transition by which it flips. False: memory, or an error of its own. */
typedef bool (*sl_tunnel_guard)(void *user, int32_t j, const char *name, const char *symbol, const char *guard);
/* openings: without them every opening counts as open, and has no variables. SL_ERR_MEMORY: also where take said false. */
sl_status sl_tunnel_write_guards(const sl_tunnel_network *net, sl_context *ctx, bool openings, sl_tunnel_guard take,
                                 void *user);

/* Finished, from this discrete state ([n_bit]). */
sl_status sl_tunnel_automaton(const sl_tunnel_network *net, sl_context *ctx, const char *name, const int32_t *q,
                              sl_diags *diags, sl_automaton **out);

#endif
