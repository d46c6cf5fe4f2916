/* SPDX-License-Identifier: MIT */
/* rows.h: the hybrid model of tunnels as text: its equations, its roots and what its actions do, one row each, as two sides in the syntax
 * of src/expr, with the names of the model.
 *
 *     Q_main_from   flow at the upper end of tunnel main      V_main_from   volume of water at that end
 *     H_fork        head at valve fork                         W_gate        water outside of valve gate
 *     F_gate        water flooded over its rim                 L_main ...    data, see sl_tunnel_data
 *
 * What an id holds beside letters and digits of ASCII becomes one _. A test evaluates the texts and compares them with the compiled rows.
 */
#ifndef SL_TUNNEL_ROWS_H
#define SL_TUNNEL_ROWS_H

#include "tunnel/network.h"

typedef enum sl_tunnel_row_kind {
    SL_TUNNEL_ROW_VOLUME = 0, /* of an end */
    SL_TUNNEL_ROW_HALF,
    SL_TUNNEL_ROW_FULL, /* of a pipe */
    SL_TUNNEL_ROW_SAME,
    SL_TUNNEL_ROW_BALANCE, /* of a valve */
    SL_TUNNEL_ROW_HEAD,
    SL_TUNNEL_ROW_OUTSIDE,
    SL_TUNNEL_ROW_FLOOD,
    SL_TUNNEL_ROW_ROOT,    /* of an end, a pipe or a valve */
    SL_TUNNEL_ROW_IMPULSE, /* of a column: its flow after an action */
    SL_TUNNEL_ROW_MEET,    /* of a valve: what the impulses see to */
    SL_TUNNEL_ROW_N_KIND
} sl_tunnel_row_kind;

/* A row. What does not concern a valve or a pipe is -1. */
typedef struct sl_tunnel_row {
    sl_tunnel_row_kind kind;
    int32_t valve, pipe;
    int32_t number;           /* of the equation or root, as src/tunnel numbers them; -1: none */
    const char *label;        /* "main.from", "fill(main)" */
    const char *left, *right; /* of a root: "g", and what is not negative until it fires */
} sl_tunnel_row;

typedef bool (*sl_tunnel_take_row)(void *user, const sl_tunnel_row *row);

/* All rows of one kind. equations, roots: flags of those in force, as tunnel_force has them; NULL: whether they are or not; a row of
 * flows that meet then has the flows of all pipes there. Texts are the taker's until the next row. SL_ERR_MEMORY: also where take said false. */
sl_status sl_tunnel_write_rows(const sl_tunnel_network *net, sl_context *ctx, sl_tunnel_row_kind kind,
                               const uint8_t *equations, const uint8_t *roots, sl_tunnel_take_row take, void *user);

/* Data of a pipe (valve -1), or of a valve and what is outside: names as rows have them. */
typedef struct sl_tunnel_datum {
    const char *name, *unit, *meaning;
    double value;
} sl_tunnel_datum;
enum { SL_TUNNEL_DATA_MAX = 12 };
/* Returns how many there are; -1: no memory. */
int sl_tunnel_data(const sl_tunnel_network *net, sl_arena *arena, int32_t pipe, int32_t valve,
                   sl_tunnel_datum out[SL_TUNNEL_DATA_MAX]);

/* "main_from" of an end, as names of rows have it. NULL: no memory. */
const char *sl_tunnel_row_end(const sl_tunnel_network *net, sl_arena *arena, int32_t e);
const char *sl_tunnel_row_valve(const sl_tunnel_network *net, sl_arena *arena, int32_t v);

#endif
