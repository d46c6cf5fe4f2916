/* SPDX-License-Identifier: MIT */
/* automaton.c: pictures of automata from traces of their runs: one row per kind. */
#include "plot/automaton.h"

#include <math.h>

#include "base/out.h"
#include "base/sized.h"

static sl_status (*const kinds[SL_AUTOMATON_PICTURE_COUNT])(sl_automaton_page *a) = {
    [SL_AUTOMATON_OVER_TIME] = sl_plot_over_time,
    [SL_AUTOMATON_PHASE] = sl_plot_phase,
    [SL_AUTOMATON_DIAGRAM] = sl_plot_diagram,
};

void sl_plot_automaton_default_fill(sl_plot_automaton_def *def, size_t size) {
    const sl_plot_automaton_def all = {.from = NAN, .to = NAN, .n_step = -1, .time = NAN, .low = NAN, .high = NAN};
    sl_sized_default(def, size, &all, sizeof all);
}

/* ---- What the kinds share ----------------------------------------------------------------------- */

const char *sl_trace_time_text(const sl_trace *trace, double t, char buf[SL_LABEL_MAX]) {
    (void)sl_format(buf, SL_LABEL_MAX, trace->discrete ? "t = %g" : "%.6g s", t);
    return buf;
}

void sl_page_ring(const sl_automaton_page *a, double x, double y, double radius, uint32_t colour) {
    static const double pen = 1.5;
    sl_draw_disc(a->p.draw, colour, 2.0 * radius + pen, x, y, NULL);
    sl_draw_disc(a->p.draw, a->p.theme->paper, 2.0 * radius - pen, x, y, NULL);
}

/* ---- The request -------------------------------------------------------------------------------- */

/* What all pictures have. */
static sl_plot_def page_def(const sl_plot_automaton_def *def) {
    sl_plot_def page = sl_plot_default();
    page.format = def->format;
    page.width = def->width;
    page.height = def->height;
    page.low = def->low;
    page.high = def->high;
    page.dark = def->dark;
    return page;
}

bool sl_automaton_def_fits(const sl_plot_automaton_def *def) {
    bool plane = def->kind != SL_AUTOMATON_PHASE || (def->plane[0] && def->plane[1]);
    const sl_plot_def page = page_def(def);
    return def->kind >= 0 && def->kind < SL_AUTOMATON_PICTURE_COUNT && sl_page_fits(&page) && plane &&
           (!def->dot || def->kind == SL_AUTOMATON_DIAGRAM);
}

sl_status sl_automaton_draw(sl_context *ctx, const sl_trace *trace, const sl_plot_automaton_def *def, sl_diags *diags,
                            const sl_sink *sink) {
    sl_automaton_page page_of = {.trace = trace, .def = def}, *a = &page_of;
    const sl_plot_def page = page_def(def);
    a->p = (sl_picture){.ctx = ctx, .def = &page, .diags = diags, .sink = sink, .theme = sl_theme_of(def->dark)};
    a->p.one_line = def->kind != SL_AUTOMATON_OVER_TIME; /* their sizes follow from what they show */
    (void)sl_format(a->p.title, sizeof a->p.title, "%s", def->title ? def->title : a->trace->name);
    sl_arena_init(&a->p.arena, ctx);
    sl_status status = def->dot ? sl_write_dot(a->trace, a->p.title, &a->p.arena, sink) : kinds[def->kind](a);
    return sl_picture_close(&a->p, status);
}
