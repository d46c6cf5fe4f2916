/* SPDX-License-Identifier: MIT */
/* multibody_printed.c: the guards of the discrete multibody flow network as section 3.4.2 of the thesis prints them, slips and all:
 * a model that has to be refuted. (multibody.c has the corrected ones.) Indices that point at other variables are taken at their
 * word (the leg of a tub follows its flow control, a valve is wetted by a collision); a valve's variable number 4, of which there is
 * none, is read as its receding. */
#include "automata_test.h"

#include <stdarg.h>

typedef struct printer {
    const network *net;
    network_item *item;
    void *user;
} printer;

/* A transition: its symbol and guard, of the variable name.field. */
SL_PRINTF(5, 6)
static void put(const printer *p, const char *name, const char *field, const char *symbol, const char *fmt, ...) {
    static char guard[1 << 16];
    char variable[96];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(guard, sizeof guard, fmt, args);
    va_end(args);
    (void)snprintf(variable, sizeof variable, "%s.%s", name, field);
    p->item(p->user, variable, symbol, guard);
}

/* Events are reset in the first step, whatever else their guards say. */
#define RESET "(t=0 & %s.%s) | "

/* count(...) of a field over the tub and the ends of pipes at a valve. */
static const char *count_of(const network *net, int valve, const char *field, char *text) {
    int n = sprintf(text, "count(tub[%d].%s", valve, field);
    for (int e = 0; e < 2 * net->n_pipe; e++) {
        if ((e % 2 ? net->to[e / 2] : net->from[e / 2]) == valve) {
            n += sprintf(text + n, ",end[%d,%d].%s", e / 2, e % 2, field);
        }
    }
    (void)sprintf(text + n, ")");
    return text;
}

static void print_valve(const printer *p, int v) {
    char c[32], b[4096], s[4096];
    (void)snprintf(c, sizeof c, "valve[%d]", v);
    (void)count_of(p->net, v, "branch", b);
    (void)count_of(p->net, v, "src", s);
    put(p, c, "joint", "flip", "(t=0 & !%s.joint & %s.coll) | (t=0 & %s.joint & %s.rec)", c, c, c, c);
    put(p, c, "seed", "flip", RESET "(!%s.seed & !%s.joint & %s>1) | (%s.seed & %s=0)", c, "seed", c, c, b, c, b);
    put(p, c, "coll", "flip",
        RESET "(!%s.coll & ((%s.joint & %s>1) | (!%s.joint & %s>2))) | "
              "(%s.coll & !((%s.joint & %s>1) | (!%s.joint & %s>2)))",
        c, "coll", c, c, b, c, b, c, c, b, c, b);
    put(p, c, "rec", "flip", RESET "(%s.rec & %s=0)", c, "rec", c, s);
}

static void print_tub(const printer *p, int v) {
    char c[32], w[32];
    (void)snprintf(c, sizeof c, "tub[%d]", v);
    (void)snprintf(w, sizeof w, "valve[%d]", v);
    put(p, c, "legctl", "flip", "t=0 & %s.legctl", c);
    put(p, c, "flowctl", "flip", "t=0 & %s.flowctl", c);
    put(p, c, "leg", "seed", "!%s.leg & %s.flowctl", c, c);
    put(p, c, "leg", "reap", "%s.leg & %s.flowctl", c, c);
    put(p, c, "flow", "flip", "%s.flowctl", c);
    put(p, c, "src", "flip", "(!%s.src & %s.leg & %s.flow) | (%s.src & !(%s.leg & %s.flow))", c, c, c, c, c, c);
    put(p, c, "joint", "flip", "(t=0 & !%s.joint & (%s.branch | %s.seed)) | (t=0 & %s.joint & (%s.cut | %s.rec))", c, c,
        c, c, c, c);
    put(p, c, "branch", "flip", RESET "(!%s.branch & %s.leg & %s.flow & !%s.joint)", c, "branch", c, c, c, c);
    put(p, c, "seed", "flip", RESET "(!%s.seed & !%s.joint & !%s.flow & !%s.branch & %s.seed) | (%s.seed & %s.branch)",
        c, "seed", c, c, c, c, w, c, c);
    put(p, c, "cut", "flip", RESET "(t=0 & !%s.cut & %s.legctl & %s.src)", c, "cut", c, c, c);
    put(p, c, "rec", "flip", RESET "(!%s.rec & !%s.cut & %s.rec) | (t!=0 & %s.rec & !%s.rec)", c, "rec", c, c, w, c, w);
}

static void print_mid(const printer *p, int i) {
    char c[32];
    (void)snprintf(c, sizeof c, "mid[%d]", i);
    put(p, c, "ctl", "flip", "t=0 & %s.ctl", c);
    put(p, c, "joint", "flip", "(t=0 & !%s.joint & %s.branch) | (t=0 & %s.joint & %s.rec)", c, c, c, c);
    put(p, c, "branch", "flip", RESET "(!%s.joint & %s.ctl)", c, "branch", c, c);
    put(p, c, "coll", "flip",
        RESET "(%s.branch & (half[%d,0].leg | end[%d,0].seed) & (half[%d,1].leg | end[%d,1].seed))", c, "coll", c, i, i,
        i, i);
    put(p, c, "rec", "flip",
        RESET "(t!=0 & !%s.rec & (end[%d,0].rec | end[%d,0].rec)) | (t!=0 & %s.rec & !(end[%d,0].rec | end[%d,0].rec))",
        c, "rec", c, i, i, c, i, i);
}

static void print_end(const printer *p, int i, int side) {
    char c[32], h[32], w[32];
    int valve = side ? p->net->to[i] : p->net->from[i];
    const char *in = side ? "!" : "", *out = side ? "" : "!"; /* the flow of a source, and the other one */
    (void)snprintf(c, sizeof c, "end[%d,%d]", i, side);
    (void)snprintf(h, sizeof h, "half[%d,%d]", i, side);
    (void)snprintf(w, sizeof w, "valve[%d]", valve);
    put(p, h, "legctl", "flip", "t=0 & %s.legctl", h);
    put(p, c, "flowctl", "flip", "t=0 & %s.flowctl", c);
    put(p, h, "leg", "seed", "t=0 & !%s.leg & (%s.seed | mid[%d].branch)", h, c, i);
    put(p, h, "leg", "reap", "t=0 & %s.leg & (mid[%d].rec | tub[%d].flowctl)", h, i, p->net->from[i]);
    put(p, c, "flow", "flip", "%s.flowctl", c);
    put(p, c, "src", "flip", "(!%s.src & %s.leg & %s%s.flow) | (%s.src & !(%s.leg & %s%s.flow))", c, h, in, c, c, h, in,
        c);
    put(p, c, "joint", "flip", "(t=0 & !%s.joint & (%s.branch | %s.seed)) | (t=0 & !%s.joint & (%s.rec | %s.cut))", c,
        c, c, c, c, c);
    put(p, c, "branch", "flip", RESET "(!%s.branch & !%s.joint & mid[%d].joint & %s%s.flow)", c, "branch", c, c, i, in,
        c);
    put(p, c, "seed", "flip", RESET "(!%s.seed & !%s.joint & %s%s.flow & !%s.legctl & (%s.seed | tub[%d].joint))", c,
        "seed", c, c, out, c, h, w, valve);
    put(p, c, "cut", "flip", RESET "(t=0 & !%s.cut & %s.legctl & %s.src)", c, "cut", c, h, c);
    put(p, c, "rec", "flip", RESET "(!%s.rec & !%s.cut & %s.rec) | (t!=0 & %s.rec & !%s.rec)", c, "rec", c, c, w, c, w);
}

void network_write_printed(const network *net, network_item *item, void *user) {
    const printer p = {net, item, user};
    network_write_variables(net, item, user);
    for (int v = 0; v < net->n_valve; v++) {
        print_valve(&p, v);
        print_tub(&p, v);
    }
    for (int i = 0; i < net->n_pipe; i++) {
        print_mid(&p, i);
        print_end(&p, i, 0);
        print_end(&p, i, 1);
    }
}

void make_network_printed(fixture *f, const network *net) {
    fixture_init(f);
    network_write_printed(net, network_add, f);
    fixture_finish(f);
}
