/* SPDX-License-Identifier: MIT */
/* automaton.h: pictures of automata: what their kinds are given. A kind is one file with one function and one row in
 * automaton.c; it draws from a trace (engine/trace.h).
 */
#ifndef SL_PLOT_AUTOMATON_H
#define SL_PLOT_AUTOMATON_H

#include "engine/trace.h"
#include "plot/picture.h"

typedef struct sl_automaton_page {
    sl_picture p;
    const sl_trace *trace;
    const sl_plot_automaton_def *def;
} sl_automaton_page;

/* Does the definition make sense? */
bool sl_automaton_def_fits(const sl_plot_automaton_def *def);
/* Draws what the definition asks for; the trace holds what it needs. */
sl_status sl_automaton_draw(sl_context *ctx, const sl_trace *trace, const sl_plot_automaton_def *def, sl_diags *diags,
                            const sl_sink *sink);

sl_status sl_plot_over_time(sl_automaton_page *a);
sl_status sl_plot_phase(sl_automaton_page *a);
sl_status sl_plot_diagram(sl_automaton_page *a);

/* The diagram as text for Graphviz. */
sl_status sl_write_dot(const sl_trace *trace, const char *title, sl_arena *arena, const sl_sink *sink);
/* What a node says: the variables that are not the same in all nodes, "q = 1" a line each if they are few, else their values on
 * one line. *n_line: lines, ended by \n but for the last. Returns buf. */
enum { SL_NODE_TEXT = 400, SL_NODE_LINES = 3 };
const char *sl_node_text(const sl_trace *trace, const bool *varies, int32_t node, char buf[SL_NODE_TEXT],
                         int32_t *n_line);
/* [n_q] of the trace's diagram; NULL: memory. */
bool *sl_node_varies(const sl_trace *trace, sl_arena *arena);

/* "2.43 s" or "t = 3". Returns buf. */
const char *sl_trace_time_text(const sl_trace *trace, double t, char buf[SL_LABEL_MAX]);

/* A ring around a point. */
void sl_page_ring(const sl_automaton_page *a, double x, double y, double radius, uint32_t colour);

#endif
