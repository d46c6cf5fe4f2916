/* SPDX-License-Identifier: MIT */
/* table.c: the kinds that are built in. A kind that is known by a key comes before networks, which any line [WORD] makes. */
#include "kinds/rows.h"

const sl_kind *const sl_kinds[] = {&sl_kind_surge,   &sl_kind_automaton, &sl_kind_tunnel,
                                   &sl_kind_network, &sl_kind_quality,   NULL};
