/* SPDX-License-Identifier: MIT */
/* guards.c: see guards.h. The guards of step.c as texts; tests compare them with the reference, and the automaton's steps with step.c.
 *
 * Names hold the ids of the network in brackets. An automaton's names are words joined by dots and numbers in brackets, so there valves and
 * pipes go by number.
 */
#include "tunnel/guards.h"

#include "base/out.h"

#include <string.h>

typedef struct writer {
    const sl_tunnel_network *net;
    sl_arena arena; /* of one block */
    bool openings, failed;
    sl_tunnel_guard take;
    void *user;
} writer;

static const char *text(writer *w, const char *fmt, ...) SL_PRINTF(2, 3);
static const char *text(writer *w, const char *fmt, ...) {
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = sl_vformat(NULL, 0, fmt, args);
    char *at = n >= 0 ? sl_arena_alloc(&w->arena, (size_t)n + 1) : NULL;
    if (at) {
        (void)sl_vformat(at, (size_t)n + 1, fmt, again);
    }
    va_end(again);
    va_end(args);
    w->failed = w->failed || !at;
    return at ? at : "";
}

static void give(writer *w, int32_t j, const char *name, const char *symbol, const char *guard) {
    w->failed = w->failed || !w->take(w->user, j, name, symbol, guard);
}

/* ---- Forms -------------------------------------------------------------------------------------- */

static void give_control(writer *w, int32_t j, const char *name) {
    give(w, j, name, "flip", text(w, "(t=0 & %s)", name));
}
/* Detected while a condition holds, reset at 0, cleared after 0 when it does not. */
static void give_event(writer *w, int32_t j, const char *name, const char *when, const char *condition) {
    give(w, j, name, "flip",
         text(w, "(t=0 & %s) | (%s!%s & (%s)) | (t>0 & %s & !((%s)))", name, when, name, condition, name, condition));
}
static void give_joint(writer *w, int32_t j, const char *name, const char *wet, const char *dry) {
    give(w, j, name, "flip", text(w, "(t=0 & !%s & %s) | (t=0 & %s & %s)", name, wet, name, dry));
}

/* "count(...)" over the tub and the ends of pipes at a valve. */
static const char *count_at(writer *w, int32_t v, const char *field) {
    const sl_tunnel_network *net = w->net;
    const char *list = text(w, "tub[%d].%s", (int)v, field);
    for (int32_t i = 0; i < net->n_pipe; i++) { /* in the order of pipes */
        for (int32_t side = 0; side < 2; side++) {
            if (net->pipes[i].ends[side].valve == v) {
                list = text(w, "%s,end[%d,%d].%s", list, (int)i, (int)side, field);
            }
        }
    }
    return text(w, "count(%s)", list);
}

/* ---- Components --------------------------------------------------------------------------------- */

static void give_valve(writer *w, int32_t v) {
    int32_t at = sl_valve_bits(v);
    const char *c = text(w, "valve[%d]", (int)v), *branches = count_at(w, v, "branch");
    give_joint(w, at + SL_VALVE_JOINT, text(w, "%s.joint", c), text(w, "%s.seed", c), text(w, "%s.rec", c));
    give_event(w, at + SL_VALVE_SEED, text(w, "%s.seed", c), "", text(w, "!%s.joint & %s>=1", c, branches));
    give_event(w, at + SL_VALVE_COLL, text(w, "%s.coll", c), "",
               text(w, "(%s.joint & %s>=1) | (!%s.joint & %s>=2)", c, branches, c, branches));
    give_event(w, at + SL_VALVE_REC, text(w, "%s.rec", c), "",
               text(w, "%s.joint & !(%s>=1)", c, count_at(w, v, "src")));
}

/* What a tub and an end have in common: c is its name, leg that of its volume; comes: "" where water comes by a flow bit of 1, "!" by 0. */
typedef struct common {
    int32_t src, joint, branch, seed, open;
    const char *c, *leg, *comes, *away;
    int32_t valve;
} common;

static void give_common(writer *w, const common *k) {
    const char *open = w->openings ? text(w, "%s.open", k->c) : "True", *c = k->c;
    const char *src = text(w, "%s.src", c), *source = text(w, "(%s.leg & %s%s.flow & %s)", k->leg, k->comes, c, open);
    give(w, k->src, src, "flip", text(w, "(!%s & %s) | (%s & !(%s))", src, source, src, source));
    give_joint(w, k->joint, text(w, "%s.joint", c), text(w, "(%s.branch | %s.seed)", c, c),
               text(w, "(%s.cut | %s.rec)", c, c));
    give_event(w, k->branch, text(w, "%s.branch", c), "",
               text(w, "!%s.joint & %s.leg & %s%s.flow & %s", c, k->leg, k->comes, c, open));
    give_event(w, k->seed, text(w, "%s.seed", c), "",
               text(w,
                    "!%s.joint & %s%s.flow & !%s.branch & %s & (valve[%d].seed | (valve[%d].joint & !valve[%d].rec))",
                    c, k->away, c, c, open, (int)k->valve, (int)k->valve, (int)k->valve));
    if (w->openings) {
        give(w, k->open, text(w, "%s.open", c), "flip", text(w, "(t=0 & %s.openctl)", c));
    }
}

static void give_tub(writer *w, int32_t v) {
    int32_t at = sl_valve_bits(v);
    const char *c = text(w, "tub[%d]", (int)v), *leg = text(w, "%s.leg", c);
    give(w, at + SL_TUB_LEG, leg, "seed", text(w, "(t=0 & !%s & %s.legctl)", leg, c));
    give(w, at + SL_TUB_LEG, leg, "reap", text(w, "(t=0 & %s & %s.legctl)", leg, c));
    give(w, at + SL_TUB_FLOW, text(w, "%s.flow", c), "flip", text(w, "(t=0 & %s.flowctl)", c));
    give_common(w, &(common){at + SL_TUB_SRC, at + SL_TUB_JOINT, at + SL_TUB_BRANCH, at + SL_TUB_SEED, at + SL_TUB_OPEN,
                             c, c, "!", "", v});
    const char *closed = w->openings ? text(w, " | (t>0 & !%s.cut & %s.joint & !%s.open)", c, c, c) : "";
    give(w, at + SL_TUB_CUT, text(w, "%s.cut", c), "flip",
         text(w, "(t=0 & %s.cut) | (t=0 & !%s.cut & %s.legctl & %s.src)%s", c, c, c, c, closed));
    give_event(w, at + SL_TUB_REC, text(w, "%s.rec", c), "",
               text(w, "(%s.joint & !%s.cut & valve[%d].rec) | (%s.joint & !%s.cut & !%s.leg & !%s.flow)", c, c, (int)v,
                    c, c, c, c));
}

static void give_mid(writer *w, int32_t i) {
    int32_t at = sl_pipe_bits(w->net, i), n = i;
    const char *c = text(w, "mid[%d]", (int)i);
    give_joint(w, at + SL_MID_JOINT, text(w, "%s.joint", c), text(w, "%s.branch", c), text(w, "%s.rec", c));
    give(w, at + SL_MID_BRANCH, text(w, "%s.branch", c), "flip",
         text(w, "(t=0 & %s.branch) | (t=0 & !%s.branch & (!%s.joint & %s.ctl))", c, c, c, c));
    give_event(w, at + SL_MID_COLL, text(w, "%s.coll", c), "",
               text(w, "%s.branch & (half[%d,0].leg | end[%d,0].seed) & (half[%d,1].leg | end[%d,1].seed)", c, (int)n,
                    (int)n, (int)n, (int)n));
    give_event(w, at + SL_MID_REC, text(w, "%s.rec", c), "t>0 & ",
               text(w, "%s.joint & (end[%d,0].rec | end[%d,1].rec)", c, (int)n, (int)n));
}

/* Where water that is detached at an end falls to the other; NULL: it stays. */
static const char *falling(writer *w, int32_t e) {
    int i = (int)(e / 2), j = (int)(e % 2);
    if (!w->net->pipes[i].ends[j].drops) {
        return NULL;
    }
    return text(
        w,
        "(half[%d,%d].leg & !half[%d,%d].legctl & !mid[%d].joint & !mid[%d].branch & (end[%d,%d].rec | end[%d,%d].cut))",
        i, j, i, j, i, i, i, j, i, j);
}

static void give_leg(writer *w, int32_t e) {
    int i = (int)(e / 2), j = (int)(e % 2);
    int32_t at = sl_end_bits(w->net, e);
    const char *c = text(w, "end[%d,%d]", i, j), *leg = text(w, "half[%d,%d].leg", i, j), *here = falling(w, e),
               *there = falling(w, e ^ 1);
    const char *seed = text(w, "(t=0 & !%s & %s.seed) | (t=0 & !%s & mid[%d].branch)", leg, c, leg, i);
    const char *reap = text(
        w, "(t=0 & %s & %s.rec & mid[%d].rec & !end[%d,%d].rec) | (t=0 & %s & half[%d,%d].legctl & !mid[%d].joint%s%s)",
        leg, c, i, i, 1 - j, leg, i, j, i, there ? " & !" : "", there ? there : "");
    give(w, at + SL_END_LEG, leg, "seed", there ? text(w, "%s | (t=0 & !%s & %s)", seed, leg, there) : seed);
    give(w, at + SL_END_LEG, leg, "reap", here ? text(w, "%s | (t=0 & %s)", reap, here) : reap);
}

static void give_end(writer *w, int32_t e) {
    int i = (int)(e / 2), j = (int)(e % 2), v = (int)sl_end_valve(w->net, e);
    int32_t at = sl_end_bits(w->net, e);
    const char *c = text(w, "end[%d,%d]", i, j), *half = text(w, "half[%d,%d]", i, j), *away = j == 0 ? "!" : "";
    give_leg(w, e);
    give(w, at + SL_END_FLOW, text(w, "%s.flow", c), "flip", text(w, "(t=0 & %s.flowctl)", c));
    give_common(w, &(common){at + SL_END_SRC, at + SL_END_JOINT, at + SL_END_BRANCH, at + SL_END_SEED, at + SL_END_OPEN,
                             c, half, j == 0 ? "" : "!", away, v});
    const char *closed = w->openings ? text(w, " | (t>0 & !%s.cut & %s.joint & !%s.open)", c, c, c) : "";
    give(
        w, at + SL_END_CUT, text(w, "%s.cut", c), "flip",
        text(
            w,
            "(t=0 & %s.cut) | (t=0 & !%s.cut & (%s.legctl & !mid[%d].joint) & %s.src) | (t>0 & !%s.cut & %s.joint & !%s.leg)%s",
            c, c, half, i, c, c, c, half, closed));
    const char *open = w->openings ? text(w, "%s.open", c) : "True";
    const char *air = text(w, "(%s & !valve[%d].joint & !valve[%d].seed)", open, v, v);
    air = w->openings && w->net->pipes[i].ends[j].is_vented ? text(w, "(%s | !%s)", air, open) : air;
    give_event(w, at + SL_END_REC, text(w, "%s.rec", c), "",
               text(w, "(%s.joint & !%s.cut & valve[%d].rec) | (!%s.joint & mid[%d].joint & %s%s.flow & %s)", c, c, v,
                    c, i, away, c, air));
}

/* ---- All ---------------------------------------------------------------------------------------- */

static bool is_opening(const sl_tunnel_network *net, int32_t j) {
    int32_t n = SL_VALVE_N_BIT * net->n_valve, k = j < n ? j % SL_VALVE_N_BIT : (j - n) % SL_PIPE_N_BIT - SL_MID_N_BIT;
    return j < n ? k >= SL_TUB_OPEN : k >= 0 && k % SL_END_N_BIT >= SL_END_OPEN;
}

/* The name of a variable by numbers. */
static const char *number_name(writer *w, int32_t j) {
    const sl_tunnel_network *net = w->net;
    const char *name = "", *dot;
    int32_t n = SL_VALVE_N_BIT * net->n_valve, k = (j - n) % SL_PIPE_N_BIT - SL_MID_N_BIT;
    w->failed = w->failed || sl_tunnel_bit_name(net, j, &w->arena, &name) != SL_OK;
    dot = strrchr(name, '.');
    int kind = (int)strcspn(name, "[");
    if (j < n || k < 0) {
        return text(w, "%.*s[%d]%s", kind, name, (int)(j < n ? j / SL_VALVE_N_BIT : (j - n) / SL_PIPE_N_BIT),
                    dot ? dot : "");
    }
    return text(w, "%.*s[%d,%d]%s", kind, name, (int)((j - n) / SL_PIPE_N_BIT), (int)(k / SL_END_N_BIT),
                dot ? dot : "");
}

static bool is_control(const char *name) {
    size_t n = strlen(name);
    return n > 3 && strcmp(name + n - 3, "ctl") == 0;
}

sl_status sl_tunnel_write_guards(const sl_tunnel_network *net, sl_context *ctx, bool openings, sl_tunnel_guard take,
                                 void *user) {
    writer w = {.net = net, .openings = openings, .take = take, .user = user};
    int32_t n = sl_tunnel_n_bit(net);
    sl_arena_init(&w.arena, ctx);
    for (int pass = 0; pass < 2; pass++) { /* variables, then controls, which come first */
        for (int32_t j = 0; j < n && !w.failed; j++) {
            const char *name = number_name(&w, j);
            if (openings || !is_opening(net, j)) {
                if (pass == 0) {
                    give(&w, j, name, NULL, NULL);
                } else if (is_control(name)) {
                    give_control(&w, j, name);
                }
            }
            sl_arena_clear(&w.arena);
        }
    }
    for (int32_t v = 0; v < net->n_valve && !w.failed; v++) {
        give_valve(&w, v);
        give_tub(&w, v);
        sl_arena_clear(&w.arena);
    }
    for (int32_t i = 0; i < net->n_pipe && !w.failed; i++) {
        give_mid(&w, i);
        give_end(&w, 2 * i);
        give_end(&w, 2 * i + 1);
        sl_arena_clear(&w.arena);
    }
    sl_arena_fini(&w.arena);
    return w.failed ? SL_ERR_MEMORY : SL_OK;
}

typedef struct builder {
    sl_automaton *a;
    const int32_t *q;
    sl_status status;
} builder;

static bool add(void *user, int32_t j, const char *name, const char *symbol, const char *guard) {
    builder *b = user;
    char equation[96];
    if (!guard) {
        b->status = sl_automaton_add_discrete(b->a, name, 2, b->q[j]);
    } else {
        (void)sl_format(equation, sizeof equation, "der(%s) = 1", name);
        b->status = sl_automaton_add_transition(b->a, symbol, equation, guard);
    }
    return b->status == SL_OK;
}

sl_status sl_tunnel_automaton(const sl_tunnel_network *net, sl_context *ctx, const char *name, const int32_t *q,
                              sl_diags *diags, sl_automaton **out) {
    builder b = {.q = q};
    *out = NULL;
    sl_status status = sl_automaton_create(ctx, name, diags, &b.a);
    if (status == SL_OK) {
        status = sl_tunnel_write_guards(net, ctx, true, add, &b);
        status = b.status != SL_OK ? b.status : status;
        status = status == SL_OK ? sl_automaton_finish(b.a) : status;
    }
    if (status != SL_OK) {
        sl_automaton_destroy(b.a);
        return status;
    }
    *out = b.a;
    return SL_OK;
}
