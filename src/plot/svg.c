/* SPDX-License-Identifier: MIT */
/* svg.c: pictures as SVG text.
 *
 * Compact, so that a map of a hundred thousand pipes stays some megabytes: coordinates are whole tenths of a pixel, each
 * given relative to the one before (computed in whole tenths, so that nothing drifts), points that fall together are left
 * out, and consecutive paths of one style share a group. Text is XML: escaped, what is not UTF-8 taken as Latin-1, what
 * XML cannot carry replaced.
 */
#include <math.h>

#include "base/out.h"
#include "base/utf8.h"
#include "plot/draw.h"

typedef struct svg {
    sl_draw draw;
    sl_out *out;
    uint32_t ink;
    int32_t n_clip;
    bool clipped, in_group;
    sl_style style, group; /* the one asked for, the one of the open group */
    int64_t x, y;          /* where the path is [0.1 px] */
    int64_t start_x, start_y;
    char command; /* the last one written, 0: none */
    bool drawn;   /* something was drawn since the last move */
} svg;

/* ---- Numbers and text --------------------------------------------------------------------------- */

/* Tenths as a decimal: "12.3", "-.5", "7". */
static size_t format_tenths(int64_t tenths, char *buf) {
    char digits[24];
    size_t n = 0, k = 0;
    uint64_t size = tenths < 0 ? (uint64_t)-tenths : (uint64_t)tenths;
    for (uint64_t whole = size / 10; whole > 0; whole /= 10) {
        digits[k++] = (char)('0' + whole % 10);
    }
    if (tenths < 0) {
        buf[n++] = '-';
    }
    while (k > 0) {
        buf[n++] = digits[--k];
    }
    if (size % 10 > 0) {
        buf[n++] = '.';
        buf[n++] = (char)('0' + size % 10);
    } else if (size < 10) {
        buf[n++] = '0';
    }
    return n;
}

static int64_t tenths_of(double x) {
    const double limit = 1e9; /* far outside any picture */
    return isfinite(x) ? llround(10.0 * fmin(fmax(x, -limit), limit)) : 0;
}

static void put_tenths(svg *s, int64_t tenths) {
    char buf[32];
    sl_out_bytes(s->out, buf, format_tenths(tenths, buf));
}

static void put_number(svg *s, const char *name, double x) {
    sl_out_printf(s->out, " %s=\"", name);
    put_tenths(s, tenths_of(x));
    sl_out_char(s->out, '"');
}

/* Two coordinates, after a command or (0) after the pair before; a minus sign separates by itself. */
static void put_pair(svg *s, char command, int64_t x, int64_t y) {
    char buf[64];
    size_t n = 0;
    if (command || x >= 0) {
        buf[n++] = command ? command : ' ';
    }
    n += format_tenths(x, buf + n);
    if (y >= 0) {
        buf[n++] = ' ';
    }
    n += format_tenths(y, buf + n);
    sl_out_bytes(s->out, buf, n);
}

/* "#rgb" where that is the same. */
static void put_colour(svg *s, const char *name, uint32_t c) {
    if (c == SL_NO_COLOUR) {
        sl_out_printf(s->out, " %s=\"none\"", name);
    } else if ((c >> 4 & 0x0f0f0f) == (c & 0x0f0f0f)) {
        sl_out_printf(s->out, " %s=\"#%x%x%x\"", name, c >> 16 & 15, c >> 8 & 15, c & 15);
    } else {
        sl_out_printf(s->out, " %s=\"#%06x\"", name, c);
    }
}

static void put_text(svg *s, sl_str text) {
    while (text.len > 0) {
        uint32_t c;
        size_t n = sl_utf8_decode(text, &c);
        const char *entity = c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : NULL;
        bool bad = (c < 32 && c != '\n') || (c >= 0x7f && c < 0xa0) || c == 0xfffe || c == 0xffff;
        char encoded[4];
        if (entity) {
            sl_out_z(s->out, entity);
        } else {
            sl_out_bytes(s->out, encoded, sl_utf8_encode(bad ? 0xfffd : c, encoded));
        }
        text.ptr += n;
        text.len -= n;
    }
}

/* ---- Structure ---------------------------------------------------------------------------------- */

static void end_group(svg *s) {
    if (s->in_group) {
        sl_out_z(s->out, "</g>\n");
        s->in_group = false;
    }
}

static void begin_group(svg *s) {
    const sl_style *a = &s->style, *b = &s->group;
    bool same = a->stroke == b->stroke && a->fill == b->fill && a->width == b->width && a->opacity == b->opacity &&
                a->dash == b->dash;
    if (s->in_group && same) {
        return;
    }
    end_group(s);
    sl_out_z(s->out, "<g");
    put_colour(s, "fill", a->fill);
    if (a->stroke != SL_NO_COLOUR) {
        put_colour(s, "stroke", a->stroke);
        sl_out_printf(s->out, " stroke-width=\"%.3g\"", a->width);
    }
    if (a->opacity < 1.0) {
        sl_out_printf(s->out, " opacity=\"%.3g\"", a->opacity);
    }
    if (a->dash > 0.0) {
        sl_out_printf(s->out, " stroke-dasharray=\"%.3g\" stroke-linecap=\"butt\"", a->dash);
    }
    sl_out_z(s->out, ">\n");
    s->in_group = true;
    s->group = s->style;
}

static sl_status svg_open(sl_draw *draw, const sl_page *page, sl_diags *diags) {
    (void)diags;
    svg *s = (svg *)draw;
    s->out = sl_alloc(draw->ctx, sizeof *s->out);
    if (!s->out) {
        return SL_ERR_MEMORY;
    }
    sl_out_init(s->out, &draw->sink);
    s->ink = page->ink;
    int w = (int)lround(page->width), h = (int)lround(page->height);
    sl_out_printf(s->out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                  "font-family=\"Helvetica,Arial,DejaVu Sans,sans-serif\" font-size=\"12\" stroke-linecap=\"round\" "
                  "stroke-linejoin=\"round\"",
                  w, h, w, h);
    put_colour(s, "fill", page->ink);
    sl_out_z(s->out, ">\n<title>");
    put_text(s, sl_str_z(page->title));
    sl_out_printf(s->out, "</title>\n<rect width=\"%d\" height=\"%d\"", w, h);
    put_colour(s, "fill", page->paper);
    sl_out_z(s->out, "/>\n");
    return s->out->status;
}

static sl_status svg_finish(sl_draw *draw) {
    svg *s = (svg *)draw;
    end_group(s);
    sl_out_z(s->out, "</svg>\n");
    sl_status status = sl_out_flush(s->out);
    sl_free(draw->ctx, s->out, sizeof *s->out);
    return status;
}

static void svg_clip(sl_draw *draw, double x, double y, double width, double height) {
    svg *s = (svg *)draw;
    end_group(s);
    sl_out_printf(s->out, "<clipPath id=\"clip%d\"><rect", ++s->n_clip);
    put_number(s, "x", x);
    put_number(s, "y", y);
    put_number(s, "width", width);
    put_number(s, "height", height);
    sl_out_printf(s->out, "/></clipPath>\n<g clip-path=\"url(#clip%d)\">\n", s->n_clip);
    s->clipped = true;
}

static void svg_unclip(sl_draw *draw) {
    svg *s = (svg *)draw;
    end_group(s);
    sl_out_z(s->out, s->clipped ? "</g>\n" : "");
    s->clipped = false;
}

/* ---- Paths and text ----------------------------------------------------------------------------- */

static void svg_style(sl_draw *draw, const sl_style *style) {
    ((svg *)draw)->style = *style;
}

static void svg_begin(sl_draw *draw) {
    svg *s = (svg *)draw;
    begin_group(s);
    sl_out_z(s->out, "<path d=\"");
    s->command = 0;
    s->drawn = true;
}

static void svg_move(sl_draw *draw, double x, double y) {
    svg *s = (svg *)draw;
    int64_t to_x = tenths_of(x), to_y = tenths_of(y);
    if (s->command == 0) {
        put_pair(s, 'M', to_x, to_y);
    } else {
        put_pair(s, 'm', to_x - s->x, to_y - s->y);
    }
    s->command = s->command == 0 ? 'M' : 'm';
    s->x = s->start_x = to_x;
    s->y = s->start_y = to_y;
    s->drawn = false;
}

static void svg_line(sl_draw *draw, double x, double y) {
    svg *s = (svg *)draw;
    int64_t dx = tenths_of(x) - s->x, dy = tenths_of(y) - s->y;
    if (dx != 0 || dy != 0) {
        bool goes_on = s->command == 'm' || s->command == 'l'; /* pairs after these are lines */
        put_pair(s, goes_on ? 0 : 'l', dx, dy);
        s->command = 'l';
        s->x += dx;
        s->y += dy;
    } else if (!s->drawn) { /* a dot */
        sl_out_z(s->out, "h0");
        s->command = 'h';
    }
    s->drawn = true;
}

static void svg_close(sl_draw *draw) {
    svg *s = (svg *)draw;
    sl_out_char(s->out, 'z');
    s->command = 'z';
    s->x = s->start_x;
    s->y = s->start_y;
    s->drawn = true;
}

static void svg_end(sl_draw *draw, const char *tip) {
    svg *s = (svg *)draw;
    if (tip) {
        sl_out_z(s->out, "\"><title>");
        put_text(s, sl_str_z(tip));
        sl_out_z(s->out, "</title></path>\n");
    } else {
        sl_out_z(s->out, "\"/>\n");
    }
}

static void svg_text(sl_draw *draw, const sl_font *font, double x, double y, sl_str text) {
    static const char *const anchors[] = {[SL_ANCHOR_START] = "",
                                          [SL_ANCHOR_MIDDLE] = " text-anchor=\"middle\"",
                                          [SL_ANCHOR_END] = " text-anchor=\"end\""};
    svg *s = (svg *)draw;
    end_group(s);
    sl_out_z(s->out, "<text");
    put_number(s, "x", x);
    put_number(s, "y", y);
    sl_out_z(s->out, anchors[font->anchor]);
    if (font->size != 12.0) {
        sl_out_printf(s->out, " font-size=\"%.3g\"", font->size);
    }
    sl_out_z(s->out, font->bold ? " font-weight=\"bold\"" : "");
    sl_out_z(s->out, font->italic ? " font-style=\"italic\"" : "");
    if (font->colour != s->ink) {
        put_colour(s, "fill", font->colour);
    }
    if (font->halo != SL_NO_COLOUR) {
        put_colour(s, "stroke", font->halo);
        sl_out_z(s->out, " stroke-width=\"3\" paint-order=\"stroke\"");
    }
    sl_out_char(s->out, '>');
    put_text(s, text);
    sl_out_z(s->out, "</text>\n");
}

const sl_draw_ops sl_draw_svg = {
    .size = sizeof(svg),
    .open = svg_open,
    .style = svg_style,
    .begin = svg_begin,
    .move = svg_move,
    .line = svg_line,
    .close = svg_close,
    .end = svg_end,
    .text = svg_text,
    .clip = svg_clip,
    .unclip = svg_unclip,
    .finish = svg_finish,
};
