/* SPDX-License-Identifier: MIT */
/* step.c: the guards of the discrete model, and one step by them; see bits.h. The guards as text are in guards.c; a test compares both. */
#include "tunnel/bits.h"

#include "base/out.h"

#include <string.h>

/* ---- Marks -------------------------------------------------------------------------------------- */

static size_t marks_size(const sl_tunnel_network *net) {
    size_t blocks = (size_t)net->n_valve + (size_t)net->n_pipe;
    return (blocks + (size_t)sl_tunnel_n_bit(net)) * sizeof(int32_t) + blocks + 1;
}

sl_status sl_tunnel_marks_init(sl_tunnel_marks *m, const sl_tunnel_network *net, sl_context *ctx) {
    int32_t blocks = net->n_valve + net->n_pipe;
    *m = (sl_tunnel_marks){.list = sl_alloc(ctx, marks_size(net))};
    if (!m->list) {
        return SL_ERR_MEMORY;
    }
    m->flips = m->list + blocks;
    m->is_marked = (uint8_t *)(m->flips + sl_tunnel_n_bit(net));
    return SL_OK;
}

void sl_tunnel_marks_fini(sl_tunnel_marks *m, const sl_tunnel_network *net, sl_context *ctx) {
    sl_free(ctx, m->list, m->list ? marks_size(net) : 0);
}

static void mark_block(sl_tunnel_marks *m, int32_t block) {
    if (!m->is_marked[block]) {
        m->is_marked[block] = 1;
        m->list[m->n++] = block;
    }
}

void sl_tunnel_mark(sl_tunnel_marks *m, const sl_tunnel_network *net, int32_t j) {
    int32_t n = SL_VALVE_N_BIT * net->n_valve;
    if (j < n) { /* what a valve and its tub are decides at all ends there */
        int32_t v = j / SL_VALVE_N_BIT;
        mark_block(m, v);
        for (int32_t k = net->start[v]; k < net->start[v + 1]; k++) {
            mark_block(m, net->n_valve + net->ends[k] / 2);
        }
    } else {
        int32_t i = (j - n) / SL_PIPE_N_BIT;
        mark_block(m, net->n_valve + i);
        mark_block(m, net->pipes[i].ends[0].valve);
        mark_block(m, net->pipes[i].ends[1].valve);
    }
}

void sl_tunnel_mark_all(sl_tunnel_marks *m, const sl_tunnel_network *net) {
    for (int32_t block = 0; block < net->n_valve + net->n_pipe; block++) {
        mark_block(m, block);
    }
}

bool sl_tunnel_end_falls(const sl_tunnel_network *net, const int32_t *q, int32_t e) {
    const int32_t *mid = q + sl_pipe_bits(net, e / 2), *o = q + sl_end_bits(net, e);
    return net->pipes[e / 2].ends[e % 2].drops && o[SL_END_LEG] && !o[SL_END_LEGCTL] && !mid[SL_MID_JOINT] &&
           !mid[SL_MID_BRANCH] && (o[SL_END_REC] || o[SL_END_CUT]);
}

/* ---- Guards ------------------------------------------------------------------------------------- */

typedef struct stepper {
    const sl_tunnel_network *net;
    sl_tunnel_marks *m;
    const int32_t *q;
    bool first; /* discrete time is 0 */
} stepper;

static void flip(stepper *s, int32_t j, bool does) {
    if (does) {
        s->m->flips[s->m->n_flip++] = j;
    }
}
/* An event: taken back at 0, detected while the condition holds, cleared after 0 when it does not. */
static void flip_event(stepper *s, int32_t j, bool holds) {
    flip(s, j, s->q[j] ? s->first || !holds : holds);
}

static void step_valve(stepper *s, int32_t v) {
    const sl_tunnel_network *net = s->net;
    int32_t at = sl_valve_bits(v), n_branch = 0, n_source = 0;
    const int32_t *o = s->q + at, *q = s->q;
    bool joint = o[SL_VALVE_JOINT], first = s->first;
    n_branch += o[SL_TUB_BRANCH];
    n_source += o[SL_TUB_SRC];
    for (int32_t k = net->start[v]; k < net->start[v + 1]; k++) {
        const int32_t *end = q + sl_end_bits(net, net->ends[k]);
        n_branch += end[SL_END_BRANCH];
        n_source += end[SL_END_SRC];
    }
    flip(s, at + SL_VALVE_JOINT, first && (joint ? o[SL_VALVE_REC] : o[SL_VALVE_SEED]));
    flip_event(s, at + SL_VALVE_SEED, !joint && n_branch >= 1);
    flip_event(s, at + SL_VALVE_COLL, n_branch >= (joint ? 1 : 2));
    flip_event(s, at + SL_VALVE_REC, joint && n_source == 0);

    bool leg = o[SL_TUB_LEG], in = !o[SL_TUB_FLOW], open = o[SL_TUB_OPEN], wet = o[SL_TUB_JOINT], cut = o[SL_TUB_CUT];
    flip(s, at + SL_TUB_LEGCTL, first && o[SL_TUB_LEGCTL]);
    flip(s, at + SL_TUB_FLOWCTL, first && o[SL_TUB_FLOWCTL]);
    flip(s, at + SL_TUB_OPENCTL, first && o[SL_TUB_OPENCTL]);
    flip(s, at + SL_TUB_LEG, first && o[SL_TUB_LEGCTL]);
    flip(s, at + SL_TUB_FLOW, first && o[SL_TUB_FLOWCTL]);
    flip(s, at + SL_TUB_OPEN, first && o[SL_TUB_OPENCTL]);
    flip(s, at + SL_TUB_SRC, o[SL_TUB_SRC] != (leg && in && open));
    flip(s, at + SL_TUB_JOINT, first && (wet ? o[SL_TUB_CUT] || o[SL_TUB_REC] : o[SL_TUB_BRANCH] || o[SL_TUB_SEED]));
    flip_event(s, at + SL_TUB_BRANCH, !wet && leg && in && open);
    flip_event(s, at + SL_TUB_SEED,
               !wet && !in && !o[SL_TUB_BRANCH] && open && (o[SL_VALVE_SEED] || (joint && !o[SL_VALVE_REC])));
    flip(s, at + SL_TUB_CUT, first ? cut || (o[SL_TUB_LEGCTL] && o[SL_TUB_SRC]) : !cut && wet && !open);
    flip_event(s, at + SL_TUB_REC, wet && !cut && (o[SL_VALVE_REC] || (!leg && in)));
}

static void step_end(stepper *s, int32_t e, const int32_t *mid) {
    const sl_tunnel_end *end = &s->net->pipes[e / 2].ends[e % 2];
    int32_t at = sl_end_bits(s->net, e);
    const int32_t *o = s->q + at, *other = s->q + sl_end_bits(s->net, e ^ 1), *valve = s->q + sl_valve_bits(end->valve);
    bool first = s->first, full = mid[SL_MID_JOINT], leg = o[SL_END_LEG], open = o[SL_END_OPEN], wet = o[SL_END_JOINT];
    bool comes = o[SL_END_FLOW] == sl_end_sourcing(e), cut = o[SL_END_CUT], here = sl_tunnel_end_falls(s->net, s->q, e);
    bool empty = o[SL_END_LEGCTL] && !full;
    flip(s, at + SL_END_LEGCTL, first && o[SL_END_LEGCTL]);
    flip(s, at + SL_END_FLOWCTL, first && o[SL_END_FLOWCTL]);
    flip(s, at + SL_END_OPENCTL, first && o[SL_END_OPENCTL]);
    flip(s, at + SL_END_FLOW, first && o[SL_END_FLOWCTL]);
    flip(s, at + SL_END_OPEN, first && o[SL_END_OPENCTL]);
    bool there = sl_tunnel_end_falls(s->net, s->q, e ^ 1),
         recedes = o[SL_END_REC] && mid[SL_MID_REC] && !other[SL_END_REC];
    flip(s, at + SL_END_LEG,
         first && (leg ? recedes || (empty && !there) || here : o[SL_END_SEED] || mid[SL_MID_BRANCH] || there));
    flip(s, at + SL_END_SRC, o[SL_END_SRC] != (leg && comes && open));
    flip(s, at + SL_END_JOINT, first && (wet ? cut || o[SL_END_REC] : o[SL_END_BRANCH] || o[SL_END_SEED]));
    flip_event(s, at + SL_END_BRANCH, !wet && leg && comes && open);
    flip_event(s, at + SL_END_SEED,
               !wet && !comes && !o[SL_END_BRANCH] && open &&
                   (valve[SL_VALVE_SEED] || (valve[SL_VALVE_JOINT] && !valve[SL_VALVE_REC])));
    flip(s, at + SL_END_CUT, first ? cut || (empty && o[SL_END_SRC]) : !cut && wet && (!leg || !open));
    bool air = (open && !valve[SL_VALVE_JOINT] && !valve[SL_VALVE_SEED]) || (end->is_vented && !open);
    flip_event(s, at + SL_END_REC, wet ? !cut && valve[SL_VALVE_REC] : full && !comes && air);
}

static void step_pipe(stepper *s, int32_t i) {
    int32_t at = sl_pipe_bits(s->net, i);
    const int32_t *o = s->q + at, *up = o + SL_MID_N_BIT, *down = up + SL_END_N_BIT;
    bool first = s->first, joint = o[SL_MID_JOINT], branch = o[SL_MID_BRANCH];
    flip(s, at + SL_MID_CTL, first && o[SL_MID_CTL]);
    flip(s, at + SL_MID_JOINT, first && (joint ? o[SL_MID_REC] : branch));
    flip(s, at + SL_MID_BRANCH, first && (branch || (!joint && o[SL_MID_CTL])));
    flip_event(s, at + SL_MID_COLL,
               branch && (up[SL_END_LEG] || up[SL_END_SEED]) && (down[SL_END_LEG] || down[SL_END_SEED]));
    bool recedes = joint && (up[SL_END_REC] || down[SL_END_REC]);
    flip(s, at + SL_MID_REC, o[SL_MID_REC] ? first || !recedes : !first && recedes);
    step_end(s, 2 * i, o);
    step_end(s, 2 * i + 1, o);
}

/* May a guard hold later although nothing near changes: at 0 because of an event, after 0 because a joint is to be cut? */
static bool is_pending(const sl_tunnel_network *net, int32_t block, const int32_t *q) {
    bool pipe = block >= net->n_valve;
    int32_t at = pipe ? sl_pipe_bits(net, block - net->n_valve) : sl_valve_bits(block);
    for (int32_t j = at; j < at + (pipe ? (int32_t)SL_PIPE_N_BIT : (int32_t)SL_VALVE_N_BIT); j++) {
        if (q[j] && sl_tunnel_bit_event(net, j)) {
            return true;
        }
    }
    const int32_t *o = q + at;
    for (int side = 0; side < 2 && pipe; side++) {
        const int32_t *end = o + SL_MID_N_BIT + SL_END_N_BIT * side;
        if (end[SL_END_JOINT] && (!end[SL_END_LEG] || !end[SL_END_OPEN])) {
            return true;
        }
    }
    return !pipe && o[SL_TUB_JOINT] && !o[SL_TUB_OPEN];
}

/* Settled: what is left waits for an event. */
static void keep_pending(const sl_tunnel_network *net, sl_tunnel_marks *m, const int32_t *q) {
    int32_t n = 0;
    for (int32_t k = 0; k < m->n; k++) {
        if (is_pending(net, m->list[k], q)) {
            m->list[n++] = m->list[k];
        } else {
            m->is_marked[m->list[k]] = 0;
        }
    }
    m->n = n;
    for (int32_t k = 0; k < n; k++) { /* and what it touches */
        int32_t block = m->list[k];
        sl_tunnel_mark(m, net, block < net->n_valve ? sl_valve_bits(block) : sl_pipe_bits(net, block - net->n_valve));
    }
}

int32_t sl_tunnel_step(const sl_tunnel_network *net, sl_tunnel_marks *m, int32_t i, int32_t *q) {
    stepper s = {net, m, q, i == 0};
    m->n_flip = 0;
    for (int32_t k = 0; k < m->n; k++) {
        int32_t block = m->list[k];
        if (block < net->n_valve) {
            step_valve(&s, block);
        } else {
            step_pipe(&s, block - net->n_valve);
        }
    }
    for (int32_t k = 0; k < m->n_flip; k++) {
        q[m->flips[k]] ^= 1;
    }
    for (int32_t k = 0; k < m->n_flip; k++) {
        sl_tunnel_mark(m, net, m->flips[k]);
    }
    if (m->n_flip == 0) {
        keep_pending(net, m, q);
    }
    return m->n_flip;
}

/* ---- Names -------------------------------------------------------------------------------------- */

static const char *const valve_words[SL_VALVE_N_BIT] = {"joint",  "seed",    "coll",   "rec",    "leg", "joint",
                                                        "flow",   "src",     "branch", "seed",   "cut", "rec",
                                                        "legctl", "flowctl", "open",   "openctl"};
static const char *const mid_words[SL_MID_N_BIT] = {"joint", "branch", "coll", "rec", "ctl"};
static const char *const end_words[SL_END_N_BIT] = {"leg",  "legctl", "joint", "flow",    "src",  "branch",
                                                    "seed", "rec",    "cut",   "flowctl", "open", "openctl"};

int32_t sl_tunnel_bit_domain(const sl_tunnel_network *net, int32_t j) {
    int32_t v = j / SL_VALVE_N_BIT, k = j % SL_VALVE_N_BIT;
    bool shut = v < net->n_valve && net->valves[v].tub == SL_TUB_NONE &&
                (k == SL_TUB_LEG || k == SL_TUB_OPEN || k == SL_TUB_OPENCTL || k == SL_TUB_LEGCTL);
    return shut ? 1 : 2;
}

const char *sl_tunnel_bit_event(const sl_tunnel_network *net, int32_t j) {
    int32_t n = SL_VALVE_N_BIT * net->n_valve, k;
    if (j < n) {
        k = j % SL_VALVE_N_BIT;
        return (k >= SL_VALVE_SEED && k <= SL_VALVE_REC) || (k >= SL_TUB_BRANCH && k <= SL_TUB_REC) ? valve_words[k]
                                                                                                    : NULL;
    }
    k = (j - n) % SL_PIPE_N_BIT;
    if (k < SL_MID_N_BIT) {
        return k >= SL_MID_BRANCH && k <= SL_MID_REC ? mid_words[k] : NULL;
    }
    k = (k - SL_MID_N_BIT) % SL_END_N_BIT;
    return k >= SL_END_BRANCH && k <= SL_END_CUT ? end_words[k] : NULL;
}

sl_status sl_tunnel_bit_name(const sl_tunnel_network *net, int32_t j, sl_arena *arena, const char **out) {
    int32_t n = SL_VALVE_N_BIT * net->n_valve, k = j % SL_VALVE_N_BIT;
    if (j < n) {
        *out = sl_arena_format(arena, "%s[%s].%s", k < SL_TUB_LEG ? "valve" : "tub",
                               sl_tunnel_valve_id(net, j / SL_VALVE_N_BIT), valve_words[k]);
        return *out ? SL_OK : SL_ERR_MEMORY;
    }
    k = (j - n) % SL_PIPE_N_BIT;
    const char *id = sl_tunnel_pipe_id(net, (j - n) / SL_PIPE_N_BIT);
    if (k < SL_MID_N_BIT) {
        *out = sl_arena_format(arena, "mid[%s].%s", id, mid_words[k]);
    } else {
        int32_t side = (k - SL_MID_N_BIT) / SL_END_N_BIT;
        k = (k - SL_MID_N_BIT) % SL_END_N_BIT;
        *out = sl_arena_format(arena, "%s[%s,%d].%s", k < SL_END_JOINT ? "half" : "end", id, (int)side, end_words[k]);
    }
    return *out ? SL_OK : SL_ERR_MEMORY;
}
