/* SPDX-License-Identifier: MIT */
/* automaton_diagram.c: states and transitions of an automaton as boxes and arrows.
 *
 * Columns are distances from where executions begin (diagram_layout.c); boxes say the values of the variables that differ. An
 * edge is a curve: nearly straight to the next column, bent the more the farther it goes back; edges between the same two states
 * bend apart. Labels stand in the middle of their curves. A doubled frame: an execution ends there.
 */
#include <math.h>
#include <string.h>

#include "base/count_text.h"
#include "base/out.h"
#include "base/report.h"
#include "plot/automaton.h"
#include "plot/diagram_layout.h"

enum { CURVE = 128, STRIDE = 4, LABEL = 180 }; /* points of a curve, of which every fourth is drawn */

static const double page_fitting = 1000.0, margin_left = 40.0, line_height = 16.0, padding = 10.0, row_gap = 34.0,
                    column_gap = 56.0, fold_gap = 56.0, font_size = 12.0, small_size = 11.0;

typedef struct box {
    double x, y, width, height; /* x and y: its middle */
    double above;               /* the middle of the gap above its row of columns */
} box;

typedef struct chart {
    sl_automaton_page *a;
    sl_draw *draw;
    const sl_trace *trace;
    const sl_trace_diagram *d;
    const bool *varies;
    sl_layout layout;
    box *boxes;
    double width, height;
} chart;

/* ---- Places ------------------------------------------------------------------------------------- */

static double line_width(const char *line, size_t n) {
    char buf[SL_TEXT_MAX];
    (void)sl_format(buf, sizeof buf, "%.*s", (int)(n < 200 ? n : 200), line);
    return sl_text_width(buf, font_size, false);
}

static void measure(chart *c) {
    for (int32_t i = 0; i < c->d->n_node; i++) {
        char text[SL_NODE_TEXT];
        int32_t n_line;
        double width = 26.0;
        for (const char *line = sl_node_text(c->trace, c->varies, i, text, &n_line); line;) {
            size_t n = strcspn(line, "\n");
            width = fmax(width, line_width(line, n));
            line = line[n] ? line + n + 1 : NULL;
        }
        const char *note = c->d->nodes[i].note;
        width = fmax(width, sl_text_width(note, small_size, false));
        n_line += note[0] != '\0';
        c->boxes[i] = (box){.width = width + 2.0 * padding, .height = n_line * line_height + padding};
    }
}

static bool is_at(const chart *c, int32_t i, int32_t component, int32_t layer) {
    return c->layout.component[i] == component && c->layout.layer[i] == layer;
}

/* The room that a column of a part takes, and that of the labels on its right. */
static void measure_column(const chart *c, int32_t component, int32_t layer, double *width, double *height,
                           double *label) {
    *width = *label = 0.0;
    *height = -row_gap;
    for (int32_t i = 0; i < c->d->n_node; i++) {
        if (is_at(c, i, component, layer)) {
            *width = fmax(*width, c->boxes[i].width);
            *height += c->boxes[i].height + row_gap;
        }
    }
    for (int32_t e = 0; e < c->d->n_edge; e++) {
        const sl_trace_edge *edge = &c->d->edges[e];
        if (is_at(c, edge->from, component, layer) || is_at(c, edge->to, component, layer)) {
            *label = fmax(*label, fmin(sl_text_width(edge->label, small_size, false), LABEL));
        }
    }
}

/* The boxes of a column, the middle of the whole at y. */
static void put_column(chart *c, int32_t component, int32_t layer, double x, double y, double height, double above) {
    double top = y - height / 2.0;
    for (int32_t place = 0; place < c->d->n_node; place++) {
        for (int32_t i = 0; i < c->d->n_node; i++) {
            if (is_at(c, i, component, layer) && c->layout.order[i] == place) {
                box *b = &c->boxes[i];
                b->x = x;
                b->y = top + b->height / 2.0;
                b->above = above;
                top += b->height + row_gap;
            }
        }
    }
}

/* How long rows of columns of a part are: all of it, or pieces of equal length when it is much wider than a page. */
static double row_length(const chart *c, int32_t component) {
    double w, h, label, total = 0.0;
    for (int32_t k = 0; measure_column(c, component, k, &w, &h, &label), w > 0.0; k++) {
        total += w + label + column_gap;
    }
    return total < 1.5 * page_fitting ? total : total / ceil(total / page_fitting) + 20.0;
}

/* One part from x and y: columns as far apart as the labels between them ask for, in rows. */
static void put_part(chart *c, int32_t component, double x, double y, double *width, double *height) {
    double w, h, label, top = y, longest = x + row_length(c, component);
    *width = *height = 0.0;
    for (int32_t k = 0; measure_column(c, component, k, &w, &h, &label), w > 0.0;) {
        int32_t end = k;
        double tallest = 0.0, right = x;
        for (; measure_column(c, component, end, &w, &h, &label), w > 0.0 && (end == k || right + w < longest); end++) {
            tallest = fmax(tallest, h);
            right += w + label + column_gap;
        }
        *width = fmax(*width, right - x);
        double left = x, above = top - fold_gap / 2.0;
        for (; k < end; k++) {
            measure_column(c, component, k, &w, &h, &label);
            put_column(c, component, k, left + w / 2.0, top + tallest / 2.0, h, above);
            left += w + label + column_gap;
        }
        *height = top + tallest - y;
        top += tallest + fold_gap;
    }
}

/* Parts side by side, as many as a page of common width holds, then below. */
static void put_boxes(chart *c) {
    double x = margin_left, y = 0.0, tallest = 0.0;
    for (int32_t component = 0; component < c->layout.n_component; component++) {
        double width, height;
        put_part(c, component, x, y, &width, &height);
        if (x > margin_left && x + width > page_fitting) {
            x = margin_left;
            y += tallest + row_gap;
            tallest = 0.0;
            put_part(c, component, x, y, &width, &height);
        }
        x += width;
        tallest = fmax(tallest, height);
        c->width = fmax(c->width, x);
    }
    c->height = y + tallest;
}

/* ---- Edges -------------------------------------------------------------------------------------- */

typedef struct curve {
    double at[CURVE + 1][2];
    int first, last; /* of the points outside of the boxes */
    int label;       /* the point where it stands, if that is free */
    bool angular;
} curve;

static bool is_within(const box *b, const double at[2]) {
    return fabs(at[0] - b->x) < b->width / 2.0 + 3.0 && fabs(at[1] - b->y) < b->height / 2.0 + 3.0;
}

/* From side to side: to the next column, and the only one between these states. */
static bool is_plain(const chart *c, int32_t e) {
    const sl_trace_edge *edge = &c->d->edges[e];
    int32_t between = 0;
    for (int32_t k = 0; k < c->d->n_edge; k++) {
        const sl_trace_edge *other = &c->d->edges[k];
        between += (other->from == edge->from && other->to == edge->to) ||
                   (other->from == edge->to && other->to == edge->from);
    }
    return between == 1 && c->layout.layer[edge->to] == c->layout.layer[edge->from] + 1;
}

static void make_plain(const box *a, const box *b, curve *out) {
    double x0 = a->x + a->width / 2.0, x3 = b->x - b->width / 2.0, pull = 0.5 * (x3 - x0);
    for (int i = 0; i <= CURVE; i++) {
        double s = (double)i / CURVE, r = 1.0 - s, in = 3.0 * r * r * s, on = 3.0 * r * s * s;
        out->at[i][0] = r * r * r * x0 + in * (x0 + pull) + on * (x3 - pull) + s * s * s * x3;
        out->at[i][1] = (r * r * r + in) * a->y + (on + s * s * s) * b->y;
    }
}

/* From the end of a row of columns to the beginning of the next: around, between them. */
static void make_fold(const box *a, const box *b, int32_t number, curve *out) {
    double x0 = a->x + a->width / 2.0, x3 = b->x - b->width / 2.0, aside = 14.0 + 5.0 * (number % 4);
    double above = b->above + 7.0 * (number % 4 - 1); /* several side by side */
    const double corner[6][2] = {{x0, a->y},          {x0 + aside, a->y}, {x0 + aside, above},
                                 {x3 - aside, above}, {x3 - aside, b->y}, {x3, b->y}};
    double length[6] = {0.0};
    for (int k = 1; k < 6; k++) {
        length[k] = length[k - 1] + hypot(corner[k][0] - corner[k - 1][0], corner[k][1] - corner[k - 1][1]);
    }
    for (int i = 0, k = 1; i <= CURVE; i++) {
        double at = length[5] * i / CURVE;
        while (k < 5 && at > length[k]) {
            k++;
        }
        double component = (at - length[k - 1]) / fmax(length[k] - length[k - 1], 1e-9);
        for (int m = 0; m < 2; m++) {
            out->at[i][m] = corner[k - 1][m] + component * (corner[k][m] - corner[k - 1][m]);
        }
    }
    out->angular = true;
    out->label = CURVE / 2 - (number % 4) * CURVE / 8;
}

/* How far the middle of an edge is bent aside: by its number among those between the same states, and by how far it goes back. */
static double bend_of(const chart *c, int32_t e) {
    const sl_trace_edge *edge = &c->d->edges[e];
    int32_t same = 0, number = 0, opposite = 0;
    for (int32_t k = 0; k < c->d->n_edge; k++) {
        const sl_trace_edge *other = &c->d->edges[k];
        if (other->from == edge->from && other->to == edge->to) {
            number += k < e;
            same++;
        }
        opposite += other->from == edge->to && other->to == edge->from && other->from != other->to;
    }
    int32_t back = c->layout.layer[edge->from] - c->layout.layer[edge->to];
    double base = back > 1 ? 56.0 + 8.0 * back : back >= 0 || opposite ? 30.0 : 0.0;
    double spread = same > 1 ? 44.0 * number - (opposite || back >= 0 ? 0.0 : 22.0 * (same - 1)) : 0.0;
    return base + spread;
}

static void make_loop(const chart *c, int32_t e, curve *out) {
    const box *b = &c->boxes[c->d->edges[e].from];
    int32_t number = 0;
    for (int32_t k = 0; k < e; k++) {
        number += c->d->edges[k].from == c->d->edges[k].to && c->d->edges[k].from == c->d->edges[e].from;
    }
    double size = 13.0 + 12.0 * number, x = b->x, y = b->y - b->height / 2.0 - 0.7 * size;
    static const double turn = 6.283185307179586, begin = 0.37, component = 0.76;
    for (int i = 0; i <= CURVE; i++) { /* a circle on the top of the box */
        double angle = turn * (begin + component * i / CURVE);
        out->at[i][0] = x + size * cos(angle);
        out->at[i][1] = y + size * sin(angle);
    }
}

static void make_curve(const chart *c, int32_t e, curve *out) {
    const sl_trace_edge *edge = &c->d->edges[e];
    const box *a = &c->boxes[edge->from], *b = &c->boxes[edge->to];
    out->angular = false;
    if (edge->from == edge->to) {
        make_loop(c, e, out);
    } else if (is_plain(c, e)) {
        if (b->x > a->x) {
            make_plain(a, b, out);
        } else {
            make_fold(a, b, c->layout.order[edge->from], out);
        }
    } else {
        double d[2] = {b->x - a->x, b->y - a->y}, length = hypot(d[0], d[1]), bend = 2.0 * bend_of(c, e);
        double middle[2] = {(a->x + b->x) / 2.0 + bend * d[1] / length, (a->y + b->y) / 2.0 - bend * d[0] / length};
        for (int i = 0; i <= CURVE; i++) {
            double s = (double)i / CURVE, r = 1.0 - s;
            out->at[i][0] = r * r * a->x + 2.0 * r * s * middle[0] + s * s * b->x;
            out->at[i][1] = r * r * a->y + 2.0 * r * s * middle[1] + s * s * b->y;
        }
    }
    out->first = 0;
    out->last = CURVE;
    while (out->first < CURVE && is_within(a, out->at[out->first])) {
        out->first++;
    }
    while (out->last > out->first && is_within(b, out->at[out->last])) {
        out->last--;
    }
    out->label = out->angular ? out->label : (out->first + out->last) / 2;
}

static void draw_head(const chart *c, const curve *k) {
    int back = k->angular ? 1 : STRIDE, from = k->last > back ? k->last - back : 0;
    double x = k->at[k->last][0], y = k->at[k->last][1];
    double d[2] = {x - k->at[from][0], y - k->at[from][1]}, length = hypot(d[0], d[1]), size = 8.0;
    if (length > 0.0) {
        double u[2] = {size * d[0] / length, size * d[1] / length};
        sl_draw_begin(c->draw);
        sl_draw_move(c->draw, x + 0.3 * u[0], y + 0.3 * u[1]);
        sl_draw_line(c->draw, x - u[0] - 0.45 * u[1], y - u[1] + 0.45 * u[0]);
        sl_draw_line(c->draw, x - u[0] + 0.45 * u[1], y - u[1] - 0.45 * u[0]);
        sl_draw_close(c->draw);
        sl_draw_end(c->draw, NULL);
    }
}

static uint32_t edge_colour(const chart *c, int32_t e) {
    return c->d->edges[e].choice ? sl_line_colour(1, c->a->def->dark) : c->a->p.theme->soft;
}

static void draw_edge(const chart *c, int32_t e) {
    curve k;
    make_curve(c, e, &k);
    sl_draw_pen(c->draw, edge_colour(c, e), 1.4, c->d->edges[e].choice ? 5.0 : 0.0);
    sl_draw_begin(c->draw);
    sl_draw_move(c->draw, k.at[k.first][0], k.at[k.first][1]);
    for (int i = k.first + 1; i < k.last; i += k.angular ? 1 : STRIDE) {
        sl_draw_line(c->draw, k.at[i][0], k.at[i][1]);
    }
    sl_draw_line(c->draw, k.at[k.last][0], k.at[k.last][1]);
    sl_draw_end(c->draw, c->d->edges[e].label);
    sl_draw_fill(c->draw, edge_colour(c, e), 1.0);
    draw_head(c, &k);
}

/* The point of a curve nearest to where its label belongs that is not on a box. */
static int find_free(const chart *c, const curve *k) {
    for (int i = 0; i <= CURVE; i++) { /* to and fro */
        int at = k->label + (i % 2 ? (i + 1) / 2 : -i / 2);
        bool is_free = at >= k->first && at <= k->last;
        for (int32_t b = 0; b < c->d->n_node && is_free; b++) {
            is_free = !is_within(&c->boxes[b], k->at[at]);
        }
        if (is_free) {
            return at;
        }
    }
    return k->label;
}

static void draw_label(const chart *c, int32_t e) {
    char buf[SL_TEXT_MAX];
    curve k;
    make_curve(c, e, &k);
    bool loop = c->d->edges[e].from == c->d->edges[e].to;
    const double *at = k.at[loop ? CURVE / 2 : find_free(c, &k)];
    sl_font font = sl_picture_font(&c->a->p);
    font.size = small_size;
    font.anchor = SL_ANCHOR_MIDDLE;
    sl_text_fit(c->d->edges[e].label, small_size, false, LABEL, buf);
    double width = sl_text_width(buf, small_size, false), y = at[1] + (loop ? -6.0 : 4.0);
    if (buf[0]) { /* on a piece of paper */
        sl_draw_fill(c->draw, c->a->p.theme->paper, 1.0);
        sl_draw_begin(c->draw);
        sl_draw_box(c->draw, at[0] - width / 2.0 - 1.0, y - 10.0, width + 2.0, 13.0);
        sl_draw_end(c->draw, NULL);
        sl_draw_text(c->draw, &font, at[0], y, buf);
    }
}

/* ---- Nodes -------------------------------------------------------------------------------------- */

static void put_frame(const chart *c, const box *b, double margin) {
    static const double corner = 5.0;
    double x = b->x - b->width / 2.0 + margin, y = b->y - b->height / 2.0 + margin;
    double w = b->width - 2.0 * margin, h = b->height - 2.0 * margin, r = corner - margin / 2.0;
    const double at[8][2] = {{x + r, y},         {x + w - r, y}, {x + w, y + r}, {x + w, y + h - r},
                             {x + w - r, y + h}, {x + r, y + h}, {x, y + h - r}, {x, y + r}};
    sl_draw_polygon(c->draw, at, 8, 0.0, 0.0, 1.0);
}

static void draw_node(const chart *c, int32_t i) {
    const sl_theme *theme = c->a->p.theme;
    const box *b = &c->boxes[i];
    uint32_t flags = c->d->nodes[i].flags;
    bool odd = flags & (SL_NODE_UNSOLVABLE | SL_NODE_CHOICE);
    uint32_t colour = odd ? sl_line_colour(1, c->a->def->dark) : theme->ink;
    uint32_t fill = sl_mix(theme->paper, sl_line_colour(0, c->a->def->dark), flags & SL_NODE_START ? 0.22 : 0.07);
    sl_draw_style(c->draw, &(sl_style){.stroke = colour, .fill = fill, .width = odd ? 2.0 : 1.2, .opacity = 1.0});
    for (int k = 0; k < (flags & SL_NODE_SETTLED ? 2 : 1); k++) {
        sl_draw_begin(c->draw);
        put_frame(c, b, 3.0 * k);
        sl_draw_end(c->draw, NULL);
    }
    char text[SL_NODE_TEXT], line[SL_TEXT_MAX];
    int32_t n_line;
    sl_font font = sl_picture_font(&c->a->p);
    font.anchor = SL_ANCHOR_MIDDLE;
    double y = b->y - b->height / 2.0 + padding / 2.0 + 12.0;
    for (const char *at = sl_node_text(c->trace, c->varies, i, text, &n_line); at; y += line_height) {
        size_t n = strcspn(at, "\n");
        (void)sl_format(line, sizeof line, "%.*s", (int)(n < 200 ? n : 200), at);
        sl_draw_text(c->draw, &font, b->x, y, line);
        at = at[n] ? at + n + 1 : NULL;
    }
    font.size = small_size;
    font.colour = colour;
    sl_draw_text(c->draw, &font, b->x, y, c->d->nodes[i].note);
    if (flags & SL_NODE_START) {
        curve k = {.at = {{b->x - b->width / 2.0 - 26.0, b->y}, {b->x - b->width / 2.0 - 3.0, b->y}}, .last = 1};
        sl_draw_pen(c->draw, theme->ink, 1.8, 0.0);
        sl_draw_stroke(c->draw, k.at[0][0], b->y, k.at[1][0] - 4.0, b->y, NULL);
        sl_draw_fill(c->draw, theme->ink, 1.0);
        draw_head(c, &k);
    }
}

/* ---- The page ----------------------------------------------------------------------------------- */

/* The names of values on one line, where there are too many for lines of their own. */
static void put_names(const chart *c, char *line, size_t size) {
    int32_t n = 0;
    for (int32_t i = 0; i < c->trace->n_q; i++) {
        n += c->varies[i];
    }
    bool first = true;
    for (int32_t i = 0; i < c->trace->n_q && n > SL_NODE_LINES; i++) {
        if (c->varies[i]) {
            sl_append(line, size, "%s%s", first ? "; values of " : ", ", c->trace->q_names[i]);
            first = false;
        }
    }
}

static void second_line(const chart *c, char line[SL_TITLE_MAX]) {
    uint32_t flags = 0;
    for (int32_t i = 0; i < c->d->n_node; i++) {
        flags |= c->d->nodes[i].flags;
    }
    (void)sl_format(line, SL_TITLE_MAX, "%d state%s%s%s", (int)c->d->n_node, c->d->n_node == 1 ? "" : "s",
                    c->d->all ? ", all of them" : ", those reached",
                    flags & SL_NODE_SETTLED ? "; a double frame: settled" : "");
    put_names(c, line, SL_TITLE_MAX);
}

/* Moves everything so that curves which leave the rows of boxes, and loops, have room too; the whole becomes wide and high. */
static void find_free_cell(chart *c) {
    double low[2] = {0.0, 0.0}, high[2] = {c->width, c->height};
    for (int32_t e = 0; e < c->d->n_edge; e++) {
        curve k;
        make_curve(c, e, &k);
        for (int i = k.first; i <= k.last; i++) {
            for (int m = 0; m < 2; m++) {
                low[m] = fmin(low[m], k.at[i][m] - 18.0);
                high[m] = fmax(high[m], k.at[i][m] + 10.0);
            }
        }
    }
    for (int32_t i = 0; i < c->d->n_node; i++) {
        box *b = &c->boxes[i];
        b->x += SL_PAGE_MARGIN - low[0];
        b->y += SL_PAGE_HEAD + 12.0 - low[1];
        b->above += SL_PAGE_HEAD + 12.0 - low[1];
    }
    c->width = fmax(high[0] - low[0] + SL_PAGE_MARGIN, 420.0);
    c->height = SL_PAGE_HEAD + 12.0 + high[1] - low[1] + 20.0;
}

static sl_status check_size(const sl_automaton_page *a, double width, double height) {
    double most[2] = {a->def->width > 0 ? a->def->width : SL_PLOT_SIZE_MAX,
                      a->def->height > 0 ? a->def->height : SL_PLOT_SIZE_MAX};
    if (width <= most[0] && height <= most[1]) {
        return SL_OK;
    }
    sl_report(
        a->p.diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL,
        a->def->width > 0 || a->def->height > 0 ? "leave --size out" : "write it as text for Graphviz: -o diagram.dot",
        "the diagram of %d states needs %.0f by %.0f pixels", (int)a->trace->diagram.n_node, ceil(width), ceil(height));
    return SL_ERR_INPUT;
}

sl_status sl_plot_diagram(sl_automaton_page *a) {
    chart c = {.a = a, .trace = a->trace, .d = &a->trace->diagram};
    sl_status status = sl_layout_make(c.d, &a->p.arena, &c.layout);
    c.varies = sl_node_varies(a->trace, &a->p.arena);
    c.boxes = sl_arena_alloc(&a->p.arena, (size_t)c.d->n_node * sizeof *c.boxes);
    if (status != SL_OK || !c.varies || !c.boxes) {
        return SL_ERR_MEMORY;
    }
    measure(&c);
    put_boxes(&c);
    find_free_cell(&c);
    status = check_size(a, c.width, c.height);
    if (status != SL_OK) {
        return status;
    }
    char second[SL_TITLE_MAX];
    second_line(&c, second);
    status = sl_picture_open(&a->p, c.width, c.height, second);
    if (status != SL_OK) {
        return status;
    }
    c.draw = a->p.draw;
    for (int32_t e = 0; e < c.d->n_edge; e++) {
        draw_edge(&c, e);
    }
    for (int32_t i = 0; i < c.d->n_node; i++) {
        draw_node(&c, i);
    }
    for (int32_t e = 0; e < c.d->n_edge; e++) {
        draw_label(&c, e);
    }
    return SL_OK;
}
