/* SPDX-License-Identifier: MIT */
/* multibody.c: the guards of the discrete multibody flow network for any network of valves, tubs and pipes (see automata_test.h).
 * Written from the reference guards of the basic network, which test_multibody.c compares with it text by text. */
#include "automata_test.h"

typedef struct writer {
    const network *net;
    network_item *item;
    void *user;
    char detect[4096]; /* the condition at hand */
} writer;

/* A transition `flip` of name with up to three alternatives joined by OR. */
static void flip(writer *w, const char *name, const char *symbol, int n, char (*alternatives)[8192]) {
    static char guard[3 * 8192 + 16];
    guard[0] = '\0';
    for (int i = 0; i < n; i++) {
        strcat(strcat(guard, i ? " | " : ""), alternatives[i]);
    }
    w->item(w->user, name, symbol, guard);
}

static char alternative[4][8192];

/* reset at 0, detect when the condition holds, clear after 0 when it does not. */
static void event(writer *w, const char *name, const char *when) {
    snprintf(alternative[0], sizeof *alternative, "(t=0 & %s)", name);
    snprintf(alternative[1], sizeof *alternative, "(%s!%s & (%s))", when, name, w->detect);
    snprintf(alternative[2], sizeof *alternative, "(t>0 & %s & !((%s)))", name, w->detect);
    flip(w, name, "flip", 3, alternative);
}
static void control_reset(writer *w, const char *name) {
    snprintf(alternative[0], sizeof *alternative, "(t=0 & %s)", name);
    flip(w, name, "flip", 1, alternative);
}
static void wet_and_dry(writer *w, const char *name, const char *wet, const char *dry) {
    snprintf(alternative[0], sizeof *alternative, "(t=0 & !%s & %s)", name, wet);
    snprintf(alternative[1], sizeof *alternative, "(t=0 & %s & %s)", name, dry);
    flip(w, name, "flip", 2, alternative);
}

/* count(...) over the tub and the ends of pipes at a valve. */
static const char *count_of(const network *net, int valve, const char *field) {
    static char text[4000];
    char one[64];
    const char *comma = "";
    strcpy(text, "count(");
    if (net->tub[valve]) {
        snprintf(one, sizeof one, "tub[%d].%s", valve, field);
        strcat(text, one);
        comma = ",";
    }
    for (int p = 0; p < net->n_pipe; p++) {
        for (int side = 0; side < 2; side++) {
            if ((side ? net->to[p] : net->from[p]) == valve) {
                snprintf(one, sizeof one, "%send[%d,%d].%s", comma, p, side, field);
                strcat(text, one);
                comma = ",";
            }
        }
    }
    return strcat(text, ")");
}

static void write_valve(writer *w, int v) {
    char name[64], wet[64], dry[64];
    const char *count;
    snprintf(name, sizeof name, "valve[%d].joint", v);
    snprintf(wet, sizeof wet, "valve[%d].seed", v);
    snprintf(dry, sizeof dry, "valve[%d].rec", v);
    wet_and_dry(w, name, wet, dry);
    count = count_of(w->net, v, "branch");
    snprintf(name, sizeof name, "valve[%d].seed", v);
    snprintf(w->detect, sizeof w->detect, "!valve[%d].joint & %s>=1", v, count);
    event(w, name, "");
    snprintf(name, sizeof name, "valve[%d].coll", v);
    snprintf(w->detect, sizeof w->detect, "(valve[%d].joint & %s>=1) | (!valve[%d].joint & %s>=2)", v, count, v, count);
    event(w, name, "");
    snprintf(name, sizeof name, "valve[%d].rec", v);
    snprintf(w->detect, sizeof w->detect, "valve[%d].joint & !(%s>=1)", v, count_of(w->net, v, "src"));
    event(w, name, "");
}

/* What a tub and the end of a pipe have in common. c: its name; leg, out: the names of its volume and whether water flows out
 * of it into the valve when its flow is set; cut: the condition of a cut. */
static void write_source(writer *w, const char *c, const char *leg, bool out, int valve) {
    char name[64], wet[128], dry[128];
    const char *leaves = out ? "" : "!", *enters = out ? "!" : "";
    snprintf(name, sizeof name, "%s.src", c);
    snprintf(w->detect, sizeof w->detect, "(%s.leg & %s%s.flow & True)", leg, leaves, c);
    snprintf(alternative[0], sizeof *alternative, "(!%s & %s)", name, w->detect);
    snprintf(alternative[1], sizeof *alternative, "(%s & !(%s))", name, w->detect);
    flip(w, name, "flip", 2, alternative);
    snprintf(name, sizeof name, "%s.joint", c);
    snprintf(wet, sizeof wet, "(%s.branch | %s.seed)", c, c);
    snprintf(dry, sizeof dry, "(%s.cut | %s.rec)", c, c);
    wet_and_dry(w, name, wet, dry);
    snprintf(name, sizeof name, "%s.branch", c);
    snprintf(w->detect, sizeof w->detect, "!%s.joint & %s.leg & %s%s.flow & True", c, leg, leaves, c);
    event(w, name, "");
    snprintf(name, sizeof name, "%s.seed", c);
    snprintf(w->detect, sizeof w->detect,
             "!%s.joint & %s%s.flow & !%s.branch & True & (valve[%d].seed | (valve[%d].joint & !valve[%d].rec))", c,
             enters, c, c, valve, valve, valve);
    event(w, name, "");
}

static void write_tub(writer *w, int v) {
    char c[32], name[64];
    snprintf(c, sizeof c, "tub[%d]", v);
    snprintf(name, sizeof name, "%s.leg", c);
    snprintf(alternative[0], sizeof *alternative, "(t=0 & !%s.leg & %s.legctl)", c, c);
    flip(w, name, "seed", 1, alternative);
    snprintf(alternative[0], sizeof *alternative, "(t=0 & %s.leg & %s.legctl)", c, c);
    flip(w, name, "reap", 1, alternative);
    snprintf(name, sizeof name, "%s.flow", c);
    snprintf(alternative[0], sizeof *alternative, "(t=0 & %s.flowctl)", c);
    flip(w, name, "flip", 1, alternative);
    write_source(w, c, c, false, v);
    snprintf(name, sizeof name, "%s.cut", c);
    snprintf(alternative[0], sizeof *alternative, "(t=0 & %s)", name);
    snprintf(alternative[1], sizeof *alternative, "(t=0 & !%s & %s.legctl & %s.src)", name, c, c);
    flip(w, name, "flip", 2, alternative);
    snprintf(name, sizeof name, "%s.rec", c);
    snprintf(w->detect, sizeof w->detect,
             "(%s.joint & !%s.cut & valve[%d].rec) | (%s.joint & !%s.cut & !%s.leg & !%s.flow)", c, c, v, c, c, c, c);
    event(w, name, "");
}

static void write_mid(writer *w, int p) {
    char name[64], wet[64], dry[64];
    snprintf(name, sizeof name, "mid[%d].joint", p);
    snprintf(wet, sizeof wet, "mid[%d].branch", p);
    snprintf(dry, sizeof dry, "mid[%d].rec", p);
    wet_and_dry(w, name, wet, dry);
    snprintf(alternative[0], sizeof *alternative, "(t=0 & mid[%d].branch)", p);
    snprintf(alternative[1], sizeof *alternative, "(t=0 & !mid[%d].branch & (!mid[%d].joint & mid[%d].ctl))", p, p, p);
    flip(w, wet, "flip", 2, alternative);
    snprintf(name, sizeof name, "mid[%d].coll", p);
    snprintf(w->detect, sizeof w->detect,
             "mid[%d].branch & (half[%d,0].leg | end[%d,0].seed) & (half[%d,1].leg | end[%d,1].seed)", p, p, p, p, p);
    event(w, name, "");
    snprintf(w->detect, sizeof w->detect, "mid[%d].joint & (end[%d,0].rec | end[%d,1].rec)", p, p, p);
    event(w, dry, "t>0 & ");
}

static void write_end(writer *w, int p, int side) {
    char c[32], leg[32], name[64];
    int valve = side ? w->net->to[p] : w->net->from[p], other = 1 - side;
    snprintf(c, sizeof c, "end[%d,%d]", p, side);
    snprintf(leg, sizeof leg, "half[%d,%d]", p, side);
    snprintf(name, sizeof name, "%s.leg", leg);
    snprintf(alternative[0], sizeof *alternative, "(t=0 & !%s.leg & %s.seed)", leg, c);
    snprintf(alternative[1], sizeof *alternative, "(t=0 & !%s.leg & mid[%d].branch)", leg, p);
    flip(w, name, "seed", 2, alternative);
    snprintf(alternative[0], sizeof *alternative, "(t=0 & %s.leg & %s.rec & mid[%d].rec & !end[%d,%d].rec)", leg, c, p,
             p, other);
    snprintf(alternative[1], sizeof *alternative, "(t=0 & %s.leg & %s.legctl & !mid[%d].joint)", leg, leg, p);
    flip(w, name, "reap", 2, alternative);
    snprintf(name, sizeof name, "%s.flow", c);
    snprintf(alternative[0], sizeof *alternative, "(t=0 & %s.flowctl)", c);
    flip(w, name, "flip", 1, alternative);
    write_source(w, c, leg, side == 0, valve);
    snprintf(name, sizeof name, "%s.cut", c);
    snprintf(alternative[0], sizeof *alternative, "(t=0 & %s)", name);
    snprintf(alternative[1], sizeof *alternative, "(t=0 & !%s & (%s.legctl & !mid[%d].joint) & %s.src)", name, leg, p,
             c);
    snprintf(alternative[2], sizeof *alternative, "(t>0 & !%s & %s.joint & !%s.leg)", name, c, leg);
    flip(w, name, "flip", 3, alternative);
    snprintf(name, sizeof name, "%s.rec", c);
    snprintf(
        w->detect, sizeof w->detect,
        "(%s.joint & !%s.cut & valve[%d].rec) | (!%s.joint & mid[%d].joint & %s%s.flow & (True & !valve[%d].joint & "
        "!valve[%d].seed))",
        c, c, valve, c, p, side ? "" : "!", c, valve, valve);
    event(w, name, "");
}

void network_write_variables(const network *net, network_item *item, void *user) {
    static const char *const of_valve[] = {"joint", "seed", "coll", "rec", NULL};
    static const char *const of_tub[] = {"leg", "joint", "flow",   "src",     "branch", "seed",
                                         "cut", "rec",   "legctl", "flowctl", NULL};
    static const char *const of_mid[] = {"joint", "branch", "coll", "rec", "ctl", NULL};
    static const char *const of_half[] = {"leg", "legctl", NULL};
    static const char *const of_end[] = {"joint", "flow", "src", "branch", "seed", "rec", "cut", "flowctl", NULL};
    char name[64];
#define EACH(fields, ...)                                                \
    for (int f = 0; (fields)[f]; f++) {                                  \
        int n = snprintf(name, sizeof name, __VA_ARGS__);                \
        snprintf(name + n, sizeof name - (size_t)n, ".%s", (fields)[f]); \
        item(user, name, NULL, NULL);                                    \
    }
    for (int v = 0; v < net->n_valve; v++) {
        EACH(of_valve, "valve[%d]", v)
        if (net->tub[v]) {
            EACH(of_tub, "tub[%d]", v)
        }
    }
    for (int p = 0; p < net->n_pipe; p++) {
        EACH(of_mid, "mid[%d]", p)
        for (int side = 0; side < 2; side++) {
            EACH(of_half, "half[%d,%d]", p, side)
            EACH(of_end, "end[%d,%d]", p, side)
        }
    }
}

void network_write(const network *net, network_item *item, void *user) {
    static writer w;
    char name[64];
    w = (writer){.net = net, .item = item, .user = user};
    network_write_variables(net, item, user);
    for (int v = 0; v < net->n_valve; v++) {
        for (int k = 0; net->tub[v] && k < 2; k++) {
            snprintf(name, sizeof name, "tub[%d].%s", v, k ? "flowctl" : "legctl");
            control_reset(&w, name);
        }
    }
    for (int p = 0; p < net->n_pipe; p++) {
        snprintf(name, sizeof name, "mid[%d].ctl", p);
        control_reset(&w, name);
        for (int side = 0; side < 2; side++) {
            snprintf(name, sizeof name, "half[%d,%d].legctl", p, side);
            control_reset(&w, name);
            snprintf(name, sizeof name, "end[%d,%d].flowctl", p, side);
            control_reset(&w, name);
        }
    }
    for (int v = 0; v < net->n_valve; v++) {
        write_valve(&w, v);
        if (net->tub[v]) {
            write_tub(&w, v);
        }
    }
    for (int p = 0; p < net->n_pipe; p++) {
        write_mid(&w, p);
        write_end(&w, p, 0);
        write_end(&w, p, 1);
    }
}

network network_random(int n_pipe, uint64_t *seed) {
    int n_valve = 1 + n_pipe * 3 / 4;
    int *from = malloc((size_t)n_pipe * sizeof *from), *to = malloc((size_t)n_pipe * sizeof *to);
    bool *tub = malloc((size_t)n_valve * sizeof *tub);
    for (int p = 0; p < n_pipe; p++) { /* a tree of neighbours, then loops */
        int low = p + 1 < n_valve ? p + 1 : 1 + (int)sl_test_below(seed, n_valve - 1);
        int high = low - 1 - (int)sl_test_below(seed, low < 20 ? low : 20);
        from[p] = high;
        to[p] = low;
    }
    for (int v = 0; v < n_valve; v++) {
        tub[v] = v == 0 || v + 1 == n_valve || sl_test_below(seed, 5) == 0;
    }
    return (network){n_valve, n_pipe, from, to, tub};
}
void network_fini(network *net) {
    free((void *)(uintptr_t)net->from);
    free((void *)(uintptr_t)net->to);
    free((void *)(uintptr_t)net->tub);
}

void network_add(void *user, const char *variable, const char *symbol, const char *guard) {
    fixture *f = user;
    if (!guard) {
        fixture_variable(f, variable, 2);
        return;
    }
    char equation[96];
    snprintf(equation, sizeof equation, "der(%s) = 1", variable);
    fixture_transition(f, symbol, equation, guard);
}
void make_network(fixture *f, const network *net) {
    fixture_init(f);
    network_write(net, network_add, f);
    fixture_finish(f);
}
