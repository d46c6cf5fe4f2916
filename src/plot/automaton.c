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

void sl_page_stroke(const sl_automaton_page *a, uint32_t colour, double width, double dash) {
    sl_draw_style(a->p.draw,
                  &(sl_style){.stroke = colour, .fill = SL_NO_COLOUR, .width = width, .opacity = 1.0, .dash = dash});
}

void sl_page_fill(const sl_automaton_page *a, uint32_t colour) {
    sl_draw_style(a->p.draw, &(sl_style){.stroke = SL_NO_COLOUR, .fill = colour, .width = 1.0, .opacity = 1.0});
}

void sl_page_ring(const sl_automaton_page *a, double x, double y, double radius, uint32_t colour) {
    static const double pen = 1.5;
    const double widths[2] = {2.0 * radius + pen, 2.0 * radius - pen};
    for (int i = 0; i < 2; i++) {
        sl_page_stroke(a, i == 0 ? colour : a->p.theme->paper, widths[i], 0.0);
        sl_draw_begin(a->p.draw);
        sl_draw_dot(a->p.draw, x, y);
        sl_draw_end(a->p.draw, NULL);
    }
}

/* ---- The request -------------------------------------------------------------------------------- */

static bool size_fits(int32_t n) {
    return n == 0 || (n >= SL_PLOT_SIZE_MIN && n <= SL_PLOT_SIZE_MAX);
}

bool sl_automaton_def_fits(const sl_plot_automaton_def *def) {
    const double most = 1e100;
    bool plane = def->kind != SL_AUTOMATON_PHASE || (def->plane[0] && def->plane[1]);
    return def->kind >= 0 && def->kind < SL_AUTOMATON_PICTURE_COUNT && def->format >= 0 &&
           def->format < SL_PLOT_FORMAT_COUNT && size_fits(def->width) && size_fits(def->height) &&
           !(def->low >= def->high) && !(fabs(def->low) > most) && !(fabs(def->high) > most) && plane &&
           (!def->dot || def->kind == SL_AUTOMATON_DIAGRAM);
}

sl_status sl_automaton_draw(sl_context *ctx, const sl_trace *trace, const sl_plot_automaton_def *def, sl_diags *diags,
                            const sl_sink *sink) {
    sl_automaton_page page_of = {.trace = trace, .def = def}, *a = &page_of;
    sl_plot_def page = sl_plot_default();
    page.format = def->format;
    page.width = def->width;
    page.height = def->height;
    page.low = def->low;
    page.high = def->high;
    page.dark = def->dark;
    a->p = (sl_picture){.ctx = ctx, .def = &page, .diags = diags, .sink = sink, .theme = sl_theme_of(def->dark)};
    a->p.one_line = def->kind != SL_AUTOMATON_OVER_TIME; /* their sizes follow from what they show */
    (void)sl_format(a->p.title, sizeof a->p.title, "%s", def->title ? def->title : a->trace->name);
    sl_arena_init(&a->p.arena, ctx);
    sl_status status = def->dot ? sl_write_dot(a->trace, a->p.title, &a->p.arena, sink) : kinds[def->kind](a);
    if (a->p.draw) {
        sl_status finished = sl_draw_finish(a->p.draw);
        status = status == SL_OK ? finished : status;
    }
    sl_arena_fini(&a->p.arena);
    return status;
}
