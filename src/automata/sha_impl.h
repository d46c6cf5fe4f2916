/* sha_impl.h: what a hybrid automaton is made of: between sha.c (building) and sha_run.c (running). */
#ifndef SL_AUTOMATA_SHA_IMPL_H
#define SL_AUTOMATA_SHA_IMPL_H

#include "automata/sda_impl.h"
#include "automata/sha.h"

typedef struct sl_sha_item {
    const char *symbol;
    int32_t subject;
    sl_expr e, guard;
    sl_expr rate; /* of a root: its derivative by time, or SL_EXPR_NONE where that needs second derivatives */
} sl_sha_item;

typedef SL_ARRAY(sl_sha_item) sl_sha_items;

struct sl_sha {
    sl_context *ctx;
    sl_exprs *g;
    sl_sda *discrete;
    sl_arena arena;
    sl_int_array variables; /* number in the graph of each continuous variable */
    sl_sha_items items[SL_SHA_KINDS];
    bool finished;
    sl_live_plan *plan;              /* guards: all activities, all actions, all roots */
    int32_t first[SL_SHA_KINDS + 1]; /* of each kind among the roots of the plan */
    sl_modes *modes;
};

#endif
