/* SPDX-License-Identifier: MIT */
/* draw.h: the few things a picture is made of, drawn by one of several back ends.
 *
 * Lengths are pixels of 1/96 inch, x to the right, y down. Colours are 0xRRGGBB. A style holds for the paths that follow
 * it; a path is any number of pieces that are painted together, so that a hundred thousand pipes of one colour are one
 * path. A dot is a piece of no length under a round pen. Nothing fails in between: the first failure is kept, and finish
 * returns it.
 *
 * A back end is one file with one table of functions and one row in draw.c.
 */
#ifndef SL_PLOT_DRAW_H
#define SL_PLOT_DRAW_H

#include <sluice/plot.h>

#include "base/memory.h"

#define SL_NO_COLOUR UINT32_MAX

typedef struct sl_style {
    uint32_t stroke, fill; /* SL_NO_COLOUR: none */
    double width;          /* of the stroke; its ends and corners are round */
    double opacity;        /* 0 to 1 */
    double dash;           /* length of dashes and gaps, 0: a whole line */
} sl_style;

typedef enum sl_anchor { SL_ANCHOR_START = 0, SL_ANCHOR_MIDDLE, SL_ANCHOR_END } sl_anchor;

typedef struct sl_font {
    double size;
    uint32_t colour, halo; /* halo: a rim around the letters, SL_NO_COLOUR: none */
    sl_anchor anchor;
    bool bold, italic;
} sl_font;

typedef struct sl_page {
    double width, height;
    uint32_t paper, ink;
    const char *title; /* of the document, for those who list or hear it */
} sl_page;

typedef struct sl_draw sl_draw;

typedef struct sl_draw_ops {
    size_t size; /* of the back end's struct, which begins with sl_draw */
    /* A failure is told and leaves nothing to be finished. */
    sl_status (*open)(sl_draw *draw, const sl_page *page, sl_diags *diags);
    void (*style)(sl_draw *draw, const sl_style *style);
    void (*begin)(sl_draw *draw);
    void (*move)(sl_draw *draw, double x, double y);
    void (*line)(sl_draw *draw, double x, double y);
    void (*close)(sl_draw *draw);
    void (*end)(sl_draw *draw, const char *tip);
    void (*text)(sl_draw *draw, const sl_font *font, double x, double y, sl_str text);
    void (*clip)(sl_draw *draw, double x, double y, double width, double height);
    void (*unclip)(sl_draw *draw);
    sl_status (*finish)(sl_draw *draw); /* writes the rest and releases everything, the struct excepted */
} sl_draw_ops;

struct sl_draw {
    const sl_draw_ops *ops;
    sl_context *ctx;
    sl_sink sink;
    sl_plot_format format;
};

extern const sl_draw_ops sl_draw_svg;
extern const sl_draw_ops sl_draw_cairo; /* PNG and PDF */

/* Begins a picture; *out is NULL unless SL_OK. */
sl_status sl_draw_open(sl_context *ctx, sl_plot_format format, const sl_page *page, const sl_sink *sink,
                       sl_diags *diags, sl_draw **out);
/* Ends it, in any case. */
sl_status sl_draw_finish(sl_draw *draw);

void sl_draw_style(sl_draw *draw, const sl_style *style);
/* A style of lines alone, or of areas alone. */
void sl_draw_pen(sl_draw *draw, uint32_t colour, double width, double dash);
void sl_draw_fill(sl_draw *draw, uint32_t colour, double opacity);
void sl_draw_begin(sl_draw *draw);
void sl_draw_move(sl_draw *draw, double x, double y);
void sl_draw_line(sl_draw *draw, double x, double y);
void sl_draw_close(sl_draw *draw);
/* Paints the path. tip: what a reader who points at it is told, NULL: nothing. */
void sl_draw_end(sl_draw *draw, const char *tip);
/* The baseline of the text begins, is centred or ends at the point. */
void sl_draw_text(sl_draw *draw, const sl_font *font, double x, double y, const char *text);
/* The same, cut where it would be wider. */
void sl_draw_text_within(sl_draw *draw, const sl_font *font, double x, double y, double width, const char *text);
/* Nothing is painted outside until unclip; clips do not nest. */
void sl_draw_clip(sl_draw *draw, double x, double y, double width, double height);
void sl_draw_unclip(sl_draw *draw);

/* Pieces of a path. */
void sl_draw_segment(sl_draw *draw, double x1, double y1, double x2, double y2);
void sl_draw_dot(sl_draw *draw, double x, double y);
void sl_draw_box(sl_draw *draw, double x, double y, double width, double height);
/* Paths of one piece: a line by the style that holds, a disc by its own. */
void sl_draw_stroke(sl_draw *draw, double x1, double y1, double x2, double y2, const char *tip);
void sl_draw_disc(sl_draw *draw, uint32_t colour, double diameter, double x, double y, const char *tip);
void sl_draw_polygon(sl_draw *draw, const double (*at)[2], int n, double x, double y, double scale);

/* How wide a text becomes, at most: there is no font to ask, so the widths are those of a wide one. */
double sl_text_width(const char *text, double size, bool bold);
/* A copy that is at most so wide, ended by an ellipsis when it was cut. Returns buf. */
enum { SL_TEXT_MAX = 256 };
const char *sl_text_fit(const char *text, double size, bool bold, double width, char buf[SL_TEXT_MAX]);

#endif
