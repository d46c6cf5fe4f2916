/* SPDX-License-Identifier: MIT */
/* draw.c: pictures by whichever back end; see draw.h. */
#include "plot/draw.h"

static const sl_draw_ops *const back_ends[SL_PLOT_FORMAT_COUNT] = {
    [SL_PLOT_SVG] = &sl_draw_svg,
    [SL_PLOT_PNG] = &sl_draw_cairo,
    [SL_PLOT_PDF] = &sl_draw_cairo,
};

sl_status sl_draw_open(sl_context *ctx, sl_plot_format format, const sl_page *page, const sl_sink *sink,
                       sl_diags *diags, sl_draw **out) {
    *out = NULL;
    const sl_draw_ops *ops = back_ends[format];
    sl_draw *draw = sl_alloc(ctx, ops->size);
    if (!draw) {
        return SL_ERR_MEMORY;
    }
    *draw = (sl_draw){.ops = ops, .ctx = ctx, .sink = *sink, .format = format};
    sl_status status = ops->open(draw, page, diags);
    if (status != SL_OK) {
        sl_free(ctx, draw, ops->size);
        return status;
    }
    *out = draw;
    return SL_OK;
}

sl_status sl_draw_finish(sl_draw *draw) {
    sl_status status = draw->ops->finish(draw);
    sl_free(draw->ctx, draw, draw->ops->size);
    return status;
}

void sl_draw_style(sl_draw *draw, const sl_style *style) {
    draw->ops->style(draw, style);
}

void sl_draw_pen(sl_draw *draw, uint32_t colour, double width, double dash) {
    const sl_style style = {.stroke = colour, .fill = SL_NO_COLOUR, .width = width, .opacity = 1.0, .dash = dash};
    draw->ops->style(draw, &style);
}

void sl_draw_fill(sl_draw *draw, uint32_t colour, double opacity) {
    const sl_style style = {.stroke = SL_NO_COLOUR, .fill = colour, .width = 1.0, .opacity = opacity};
    draw->ops->style(draw, &style);
}

void sl_draw_begin(sl_draw *draw) {
    draw->ops->begin(draw);
}

void sl_draw_move(sl_draw *draw, double x, double y) {
    draw->ops->move(draw, x, y);
}

void sl_draw_line(sl_draw *draw, double x, double y) {
    draw->ops->line(draw, x, y);
}

void sl_draw_close(sl_draw *draw) {
    draw->ops->close(draw);
}

void sl_draw_end(sl_draw *draw, const char *tip) {
    draw->ops->end(draw, tip);
}

void sl_draw_text(sl_draw *draw, const sl_font *font, double x, double y, const char *text) {
    if (*text) {
        draw->ops->text(draw, font, x, y, sl_str_z(text));
    }
}

void sl_draw_text_within(sl_draw *draw, const sl_font *font, double x, double y, double width, const char *text) {
    char buf[SL_TEXT_MAX];
    sl_draw_text(draw, font, x, y, sl_text_fit(text, font->size, font->bold, width, buf));
}

void sl_draw_clip(sl_draw *draw, double x, double y, double width, double height) {
    draw->ops->clip(draw, x, y, width, height);
}

void sl_draw_unclip(sl_draw *draw) {
    draw->ops->unclip(draw);
}

/* ---- Pieces ------------------------------------------------------------------------------------- */

void sl_draw_segment(sl_draw *draw, double x1, double y1, double x2, double y2) {
    sl_draw_move(draw, x1, y1);
    sl_draw_line(draw, x2, y2);
}

void sl_draw_stroke(sl_draw *draw, double x1, double y1, double x2, double y2, const char *tip) {
    sl_draw_begin(draw);
    sl_draw_segment(draw, x1, y1, x2, y2);
    sl_draw_end(draw, tip);
}

void sl_draw_dot(sl_draw *draw, double x, double y) {
    sl_draw_segment(draw, x, y, x, y);
}

void sl_draw_disc(sl_draw *draw, uint32_t colour, double diameter, double x, double y, const char *tip) {
    sl_draw_pen(draw, colour, diameter, 0.0);
    sl_draw_stroke(draw, x, y, x, y, tip);
}

void sl_draw_box(sl_draw *draw, double x, double y, double width, double height) {
    sl_draw_move(draw, x, y);
    sl_draw_line(draw, x + width, y);
    sl_draw_line(draw, x + width, y + height);
    sl_draw_line(draw, x, y + height);
    sl_draw_close(draw);
}

void sl_draw_polygon(sl_draw *draw, const double (*at)[2], int n, double x, double y, double scale) {
    for (int i = 0; i < n; i++) {
        (i == 0 ? sl_draw_move : sl_draw_line)(draw, x + scale * at[i][0], y + scale * at[i][1]);
    }
    sl_draw_close(draw);
}
