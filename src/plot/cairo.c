/* SPDX-License-Identifier: MIT */
/* cairo.c: pictures as PNG and PDF, by the cairo library.
 *
 * Cairo and what it needs (fonts, compression) are many megabytes that most runs of a program never use: the library is
 * loaded when the first such picture is begun, never linked. Its functions are called through a table whose types come
 * from its headers. It stays loaded: its fonts keep state that outlives a picture. Memory of its own it takes from the
 * system, not from the context.
 */
#include "plot/draw.h"

#include "base/report.h"

#ifdef SLUICE_CAIRO

#include <math.h>
#include <string.h>

#include <cairo-pdf.h>

#include "base/foreign_memory.h"
#include "base/library.h"
#include "base/utf8.h"

#define FUNCTIONS(X)                 \
    X(create)                        \
    X(destroy)                       \
    X(status)                        \
    X(surface_destroy)               \
    X(surface_finish)                \
    X(surface_status)                \
    X(surface_write_to_png_stream)   \
    X(image_surface_create)          \
    X(pdf_surface_create_for_stream) \
    X(pdf_surface_set_metadata)      \
    X(save)                          \
    X(restore)                       \
    X(scale)                         \
    X(rectangle)                     \
    X(clip)                          \
    X(paint)                         \
    X(new_path)                      \
    X(move_to)                       \
    X(line_to)                       \
    X(close_path)                    \
    X(fill_preserve)                 \
    X(stroke)                        \
    X(set_source_rgba)               \
    X(set_line_width)                \
    X(set_line_cap)                  \
    X(set_line_join)                 \
    X(set_dash)                      \
    X(push_group)                    \
    X(pop_group_to_source)           \
    X(paint_with_alpha)              \
    X(select_font_face)              \
    X(set_font_size)                 \
    X(text_extents)                  \
    X(text_path)                     \
    X(show_text)

typedef struct functions {
#define MEMBER(name) __typeof__(&cairo_##name) name; /* NOLINT(bugprone-macro-parentheses): declares a member */
    FUNCTIONS(MEMBER)
#undef MEMBER
} functions;

typedef struct cairo_picture {
    sl_draw draw;
    functions f;
    cairo_surface_t *surface;
    cairo_t *cr;
    sl_style style;
    sl_status sink_status; /* of the first write that failed */
} cairo_picture;

enum { UTF8_MAX = 1024 };

/* ---- The library -------------------------------------------------------------------------------- */

static sl_status load(functions *f) {
    static const char *const names[] = {
#define NAME(name) "cairo_" #name,
        FUNCTIONS(NAME)
#undef NAME
    };
    const char *why = NULL;
    void *library = NULL;
    sl_status status = sl_library_open(SLUICE_CAIRO, &library, &why);
    char *at = (char *)f;
    for (size_t i = 0; library && i < sizeof names / sizeof *names; i++) {
        void *function = sl_library_symbol(library, names[i]);
        if (!function) {
            return SL_ERR_UNSUPPORTED;
        }
        memcpy(at + i * sizeof function, &function, sizeof function); /* functions are found as data */
    }
    return status;
}

static cairo_status_t write_bytes(void *user, const unsigned char *bytes, unsigned int n) {
    cairo_picture *p = user;
    if (p->sink_status == SL_OK) {
        p->sink_status = p->draw.sink.write(p->draw.sink.user, bytes, n);
    }
    return p->sink_status == SL_OK ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static sl_status status_of(const cairo_picture *p, cairo_status_t status) {
    if (p->sink_status != SL_OK) {
        return p->sink_status;
    }
    return status == CAIRO_STATUS_SUCCESS ? SL_OK : status == CAIRO_STATUS_NO_MEMORY ? SL_ERR_MEMORY : SL_ERR_IO;
}

static void set_colour(cairo_picture *p, uint32_t c) {
    p->f.set_source_rgba(p->cr, (c >> 16 & 255) / 255.0, (c >> 8 & 255) / 255.0, (c & 255) / 255.0, 1.0);
}

/* ---- Beginning and end -------------------------------------------------------------------------- */

static void make_surface(cairo_picture *p, const sl_page *page) {
    const double points_per_pixel = 0.75;
    if (p->draw.format == SL_PLOT_PNG) {
        p->surface = p->f.image_surface_create(CAIRO_FORMAT_RGB24, (int)lround(page->width), (int)lround(page->height));
        p->cr = p->f.create(p->surface);
        return;
    }
    p->surface = p->f.pdf_surface_create_for_stream(write_bytes, p, points_per_pixel * page->width,
                                                    points_per_pixel * page->height);
    p->f.pdf_surface_set_metadata(p->surface, CAIRO_PDF_METADATA_TITLE, page->title);
    p->cr = p->f.create(p->surface);
    p->f.scale(p->cr, points_per_pixel, points_per_pixel);
}

static sl_status cairo_open(sl_draw *draw, const sl_page *page, sl_diags *diags) {
    cairo_picture *p = (cairo_picture *)draw;
    sl_status status = load(&p->f);
    if (status == SL_ERR_MEMORY) {
        return status;
    }
    if (status != SL_OK) {
        sl_report(diags, SL_ERROR, SL_CODE_IO, NULL, NULL, NULL,
                  "install the package libcairo2, or write an .svg file, which needs no library",
                  "PNG and PDF pictures need the cairo library (%s), which cannot be loaded", SLUICE_CAIRO);
        return SL_ERR_IO;
    }
    make_surface(p, page);
    status = status_of(p, p->f.status(p->cr));
    if (status != SL_OK) {
        p->f.destroy(p->cr);
        p->f.surface_destroy(p->surface);
        return status;
    }
    set_colour(p, page->paper);
    p->f.paint(p->cr);
    p->f.set_line_cap(p->cr, CAIRO_LINE_CAP_ROUND);
    p->f.set_line_join(p->cr, CAIRO_LINE_JOIN_ROUND);
    return SL_OK;
}

static sl_status cairo_finish(sl_draw *draw) {
    cairo_picture *p = (cairo_picture *)draw;
    cairo_status_t status = p->f.status(p->cr);
    int before = sl_foreign_memory_begin();
    p->f.destroy(p->cr);
    if (status == CAIRO_STATUS_SUCCESS && draw->format == SL_PLOT_PNG) {
        status = p->f.surface_write_to_png_stream(p->surface, write_bytes, p);
    }
    p->f.surface_finish(p->surface);
    if (status == CAIRO_STATUS_SUCCESS) {
        status = p->f.surface_status(p->surface);
    }
    p->f.surface_destroy(p->surface);
    bool no_memory = sl_foreign_memory_end(before); /* of libpng cairo says that it failed */
    return no_memory && p->sink_status == SL_OK ? SL_ERR_MEMORY : status_of(p, status);
}

/* ---- Paths and text ----------------------------------------------------------------------------- */

static void cairo_set_style(sl_draw *draw, const sl_style *style) {
    ((cairo_picture *)draw)->style = *style;
}

static void cairo_begin(sl_draw *draw) {
    cairo_picture *p = (cairo_picture *)draw;
    p->f.new_path(p->cr);
}

static void cairo_move(sl_draw *draw, double x, double y) {
    cairo_picture *p = (cairo_picture *)draw;
    p->f.move_to(p->cr, x, y);
}

static void cairo_line(sl_draw *draw, double x, double y) {
    cairo_picture *p = (cairo_picture *)draw;
    p->f.line_to(p->cr, x, y);
}

static void cairo_close(sl_draw *draw) {
    cairo_picture *p = (cairo_picture *)draw;
    p->f.close_path(p->cr);
}

static void cairo_end(sl_draw *draw, const char *tip) {
    (void)tip;
    cairo_picture *p = (cairo_picture *)draw;
    const sl_style *style = &p->style;
    bool faint = style->opacity < 1.0;
    if (faint) {
        p->f.push_group(p->cr);
    }
    if (style->fill != SL_NO_COLOUR) {
        set_colour(p, style->fill);
        p->f.fill_preserve(p->cr);
    }
    if (style->stroke != SL_NO_COLOUR) {
        set_colour(p, style->stroke);
        p->f.set_line_width(p->cr, style->width);
        p->f.set_dash(p->cr, &style->dash, style->dash > 0.0 ? 1 : 0, 0.0);
        p->f.set_line_cap(p->cr, style->dash > 0.0 ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
        p->f.stroke(p->cr);
    }
    if (faint) {
        p->f.pop_group_to_source(p->cr);
        p->f.paint_with_alpha(p->cr, style->opacity);
    }
    p->f.new_path(p->cr);
}

/* Valid UTF-8 from text whose odd bytes are Latin-1, cut to what a picture can show. */
static void clean(sl_str text, char buf[UTF8_MAX]) {
    size_t n = 0;
    while (text.len > 0 && n + 5 < UTF8_MAX) {
        uint32_t c;
        size_t k = sl_utf8_decode(text, &c);
        n += sl_utf8_encode(c < 32 || (c >= 0x7f && c < 0xa0) ? 0xfffd : c, buf + n);
        text.ptr += k;
        text.len -= k;
    }
    buf[n] = '\0';
}

static void cairo_put_text(sl_draw *draw, const sl_font *font, double x, double y, sl_str text) {
    cairo_picture *p = (cairo_picture *)draw;
    char buf[UTF8_MAX];
    clean(text, buf);
    p->f.select_font_face(p->cr, "sans-serif", font->italic ? CAIRO_FONT_SLANT_ITALIC : CAIRO_FONT_SLANT_NORMAL,
                          font->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    p->f.set_font_size(p->cr, font->size);
    cairo_text_extents_t size;
    p->f.text_extents(p->cr, buf, &size);
    double start = x - size.x_advance * (font->anchor == SL_ANCHOR_START ? 0.0
                                         : font->anchor == SL_ANCHOR_END ? 1.0
                                                                         : 0.5);
    if (font->halo != SL_NO_COLOUR) {
        p->f.move_to(p->cr, start, y);
        p->f.text_path(p->cr, buf);
        set_colour(p, font->halo);
        p->f.set_dash(p->cr, NULL, 0, 0.0);
        p->f.set_line_width(p->cr, 3.0);
        p->f.stroke(p->cr);
    }
    set_colour(p, font->colour);
    p->f.move_to(p->cr, start, y);
    p->f.show_text(p->cr, buf);
    p->f.new_path(p->cr);
}

static void cairo_set_clip(sl_draw *draw, double x, double y, double width, double height) {
    cairo_picture *p = (cairo_picture *)draw;
    p->f.save(p->cr);
    p->f.rectangle(p->cr, x, y, width, height);
    p->f.clip(p->cr);
}

static void cairo_unclip(sl_draw *draw) {
    cairo_picture *p = (cairo_picture *)draw;
    p->f.restore(p->cr);
}

const sl_draw_ops sl_draw_cairo = {
    .size = sizeof(cairo_picture),
    .open = cairo_open,
    .style = cairo_set_style,
    .begin = cairo_begin,
    .move = cairo_move,
    .line = cairo_line,
    .close = cairo_close,
    .end = cairo_end,
    .text = cairo_put_text,
    .clip = cairo_set_clip,
    .unclip = cairo_unclip,
    .finish = cairo_finish,
};

#else

static sl_status no_cairo(sl_draw *draw, const sl_page *page, sl_diags *diags) {
    (void)draw;
    (void)page;
    sl_report(diags, SL_ERROR, SL_CODE_IO, NULL, NULL, NULL,
              "write an .svg file; or install the package libcairo2-dev and build Sluice again",
              "PNG and PDF pictures need the cairo library, and this program was built without it");
    return SL_ERR_UNSUPPORTED;
}

const sl_draw_ops sl_draw_cairo = {.size = sizeof(sl_draw), .open = no_cairo};

#endif
