/* SPDX-License-Identifier: MIT */
/* diagram_dot.c: a diagram of states as text for Graphviz (the language DOT), and the texts of its nodes. */
#include <string.h>

#include "base/out.h"
#include "plot/automaton.h"

enum { VALUES = 16 }; /* on one line */

bool *sl_node_varies(const sl_trace *trace, sl_arena *arena) {
    const sl_trace_diagram *d = &trace->diagram;
    bool *varies = sl_arena_alloc(arena, (size_t)trace->n_q * sizeof *varies);
    for (int32_t i = 0; i < trace->n_q && varies; i++) {
        for (int32_t k = 1; k < d->n_node && !varies[i]; k++) {
            varies[i] = d->nodes[k].q[i] != d->nodes[0].q[i];
        }
        varies[i] = varies[i] || d->n_node == 1;
    }
    return varies;
}

const char *sl_node_text(const sl_trace *trace, const bool *varies, int32_t node, char buf[SL_NODE_TEXT],
                         int32_t *n_line) {
    const int32_t *q = trace->diagram.nodes[node].q;
    int32_t n = 0, shown = 0;
    size_t used = 0;
    for (int32_t i = 0; i < trace->n_q; i++) {
        n += varies[i];
    }
    bool lines = n <= SL_NODE_LINES;
    buf[0] = '\0';
    for (int32_t i = 0; i < trace->n_q && shown <= VALUES; i++) {
        if (!varies[i]) {
            continue;
        }
        if (shown++ == VALUES) {
            (void)sl_format(buf + used, SL_NODE_TEXT - used, " …");
        } else if (lines) {
            (void)sl_format(buf + used, SL_NODE_TEXT - used, "%s%.60s = %d", used ? "\n" : "", trace->q_names[i],
                            (int)q[i]);
        } else {
            (void)sl_format(buf + used, SL_NODE_TEXT - used, "%s%d", used ? " " : "", (int)q[i]);
        }
        used += strlen(buf + used);
    }
    *n_line = lines && n > 0 ? n : 1;
    return buf;
}

/* Text between quotes. */
static void put_text(sl_out *out, const char *text) {
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\') {
            sl_out_char(out, '\\');
        }
        if (*c == '\n') {
            sl_out_z(out, "\\n");
        } else {
            sl_out_char(out, *c);
        }
    }
}

static void put_node(sl_out *out, const sl_trace *trace, const bool *varies, int32_t i) {
    char text[SL_NODE_TEXT];
    int32_t n_line;
    uint32_t flags = trace->diagram.nodes[i].flags;
    sl_out_printf(out, "    s%d [label=\"", (int)i);
    put_text(out, sl_node_text(trace, varies, i, text, &n_line));
    put_text(out, trace->diagram.nodes[i].note[0] ? "\n" : "");
    put_text(out, trace->diagram.nodes[i].note);
    sl_out_char(out, '"');
    sl_out_z(out, flags & SL_NODE_SETTLED ? ", peripheries=2" : "");
    sl_out_z(out, flags & (SL_NODE_UNSOLVABLE | SL_NODE_CHOICE) ? ", color=\"#d55e00\"" : "");
    sl_out_z(out, "];\n");
    if (flags & SL_NODE_START) {
        sl_out_printf(out, "    start -> s%d;\n", (int)i);
    }
}

sl_status sl_write_dot(const sl_trace *trace, const char *title, sl_arena *arena, const sl_sink *sink) {
    const sl_trace_diagram *d = &trace->diagram;
    sl_out *out = sl_arena_alloc(arena, sizeof *out);
    bool *varies = sl_node_varies(trace, arena);
    if (!out || !varies) {
        return SL_ERR_MEMORY;
    }
    sl_out_init(out, sink);
    sl_out_z(out, "digraph {\n    label=\"");
    put_text(out, title);
    sl_out_z(out, "\";\n    rankdir=LR;\n    node [shape=box, style=rounded];\n    start [shape=point];\n");
    for (int32_t i = 0; i < d->n_node; i++) {
        put_node(out, trace, varies, i);
    }
    for (int32_t i = 0; i < d->n_edge; i++) {
        sl_out_printf(out, "    s%d -> s%d [label=\"", (int)d->edges[i].from, (int)d->edges[i].to);
        put_text(out, d->edges[i].label);
        sl_out_z(out, d->edges[i].choice ? "\", style=dashed, color=\"#d55e00\"];\n" : "\"];\n");
    }
    sl_out_z(out, "}\n");
    return sl_out_flush(out);
}
