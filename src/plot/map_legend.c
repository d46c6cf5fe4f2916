/* SPDX-License-Identifier: MIT */
/* map_legend.c: the column beside a map: classes of colour with their limits, the extremes, the symbols, the scale. */
#include <math.h>

#include "base/out.h"
#include "plot/map.h"

enum { BAR = 18, STEP_MAX = 24, STEP_MIN = 9, ROW = 21 };

typedef struct legend {
    sl_map *m;
    double x, y;
} legend;

static void put_line(legend *l, const char *text, bool bold) {
    sl_font font = sl_picture_font(l->m->p);
    font.bold = bold;
    sl_draw_text_within(l->m->p->draw, &font, l->x, l->y, SL_MAP_LEGEND, text);
    l->y += ROW - 3.0;
}

/* ---- Classes ------------------------------------------------------------------------------------ */

/* Limits in equal steps have equally many digits. */
static const char *limit_label(const sl_classes *c, int32_t i, char buf[SL_LABEL_MAX]) {
    double step = c->limit[1] - c->limit[0];
    for (int32_t k = 1; k < c->n; k++) {
        if (fabs(c->limit[k + 1] - c->limit[k] - step) > 1e-6 * step) {
            return sl_value_label(c->limit[i], buf);
        }
    }
    return c->n > 1 ? sl_axis_label(c->limit[i], step, buf) : sl_value_label(c->limit[i], buf);
}

static void put_limit(legend *l, double y, const char *text) {
    sl_font font = sl_picture_font(l->m->p);
    sl_draw_pen(l->m->p->draw, l->m->p->theme->soft, 1.0, 0.0);
    sl_draw_stroke(l->m->p->draw, l->x + BAR, y, l->x + BAR + 4.0, y, NULL);
    sl_draw_text(l->m->p->draw, &font, l->x + BAR + 9.0, y + 4.0, text);
}

/* One class, with a point instead of a straight end where values go beyond. */
static void put_class(legend *l, int32_t i, double top, double step) {
    const sl_classes *c = &l->m->classes;
    sl_draw *d = l->m->p->draw;
    double bottom = top + step, tip = 9.0;
    bool open_top = i == c->n - 1 && c->above, open_bottom = i == 0 && c->below;
    sl_draw_fill(d, sl_class_colour(l->m->p->theme, i, c->n), 1.0);
    sl_draw_begin(d);
    sl_draw_move(d, l->x, bottom);
    sl_draw_line(d, l->x, top);
    if (open_top) {
        sl_draw_line(d, l->x + 0.5 * BAR, top - tip);
    }
    sl_draw_line(d, l->x + BAR, top);
    sl_draw_line(d, l->x + BAR, bottom);
    if (open_bottom) {
        sl_draw_line(d, l->x + 0.5 * BAR, bottom + tip);
    }
    sl_draw_close(d);
    sl_draw_end(d, NULL);
}

static void put_extreme(legend *l, const char *word, int32_t element, double value) {
    char label[SL_LABEL_MAX], line[SL_TITLE_MAX];
    sl_format(line, sizeof line, "%s %s: %s", word, sl_value_label(value, label), sl_map_element_id(l->m, element));
    put_line(l, line, false);
}

static void put_classes(legend *l) {
    const sl_classes *c = &l->m->classes;
    char label[SL_LABEL_MAX], line[SL_TITLE_MAX];
    put_line(l, l->m->label, true);
    if (c->n == 0) {
        put_line(l, "no values", false);
        return;
    }
    if (c->limit[0] == c->limit[c->n]) {
        put_class(l, 0, l->y - 8.0, BAR);
        sl_format(line, sizeof line, "all %s", sl_value_label(c->limit[0], label));
        put_limit(l, l->y + 1.0, line);
        l->y += 2 * BAR;
        return;
    }
    double step = fmin(fmax((l->m->p->height - l->y - 250.0) / c->n, STEP_MIN), STEP_MAX);
    double top = l->y + (c->above ? 4.0 : -4.0);
    for (int32_t i = 0; i < c->n; i++) {
        put_class(l, i, top + step * (c->n - 1 - i), step);
    }
    int32_t every = step < 13.0 ? 2 : 1;
    for (int32_t i = 0; i <= c->n; i += every) {
        put_limit(l, top + step * (c->n - i), limit_label(c, i, label));
    }
    l->y = top + step * c->n + (c->below ? 28.0 : 22.0);
    put_extreme(l, "highest", l->m->highest, c->max);
    put_extreme(l, "lowest", l->m->lowest, c->min);
    l->y += 8.0;
}

/* ---- Symbols ------------------------------------------------------------------------------------ */

static void put_name(legend *l, const char *text) {
    sl_font font = sl_picture_font(l->m->p);
    sl_draw_text(l->m->p->draw, &font, l->x + BAR + 9.0, l->y + 4.0, text);
    l->y += ROW;
}

static void put_symbol(legend *l, sl_map_symbol symbol, bool off, const char *text) {
    static const double right[2] = {1.0, 0.0};
    double at[2] = {l->x + 0.5 * BAR, l->y};
    sl_map_put_symbol(l->m, symbol, off, at, right, 7.0, NULL);
    put_name(l, text);
}

static void put_symbols(legend *l) {
    sl_map *m = l->m;
    const sl_network *net = m->net;
    bool open[2] = {0}, off[2] = {0}, closed = false;
    for (int32_t i = 0; i < net->n_link; i++) {
        bool valve = i >= net->n_pipe + net->n_pump;
        if (i < net->n_pipe) {
            closed = closed || m->closed[i];
        } else if (m->closed[i]) {
            off[valve] = true;
        } else {
            open[valve] = true;
        }
    }
    const struct {
        bool shown, off;
        sl_map_symbol symbol;
        const char *text;
    } rows[] = {{net->n_reservoir > 0, false, SL_MAP_RESERVOIR, "reservoir"},
                {net->n_tank > 0, false, SL_MAP_TANK, "tank"},
                {open[0], false, SL_MAP_PUMP, "pump"},
                {off[0], true, SL_MAP_PUMP, "pump, off"},
                {open[1], false, SL_MAP_VALVE, "valve"},
                {off[1], true, SL_MAP_VALVE, "valve, closed"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].shown && l->y < m->p->height - 0.5 * ROW) {
            put_symbol(l, rows[i].symbol, rows[i].off, rows[i].text);
        }
    }
    if (closed && l->y < m->p->height - 0.5 * ROW) {
        sl_draw_pen(m->p->draw, m->p->theme->neutral, 2.0, 3.2);
        sl_draw_stroke(m->p->draw, l->x, l->y, l->x + BAR, l->y, NULL);
        put_name(l, "closed pipe");
    }
}

/* ---- Scale -------------------------------------------------------------------------------------- */

static void put_scale(legend *l) {
    sl_map *m = l->m;
    if (m->metres == 0.0) {
        return;
    }
    const double longest = 120.0;
    double round = sl_round_up(longest / m->scale), length = round * m->scale; /* in map units: metres or feet */
    while (length > longest) {
        round = sl_round_up(0.4 * round);
        length = round * m->scale;
    }
    bool thousands = round >= 1000.0 && !m->feet;
    char label[SL_LABEL_MAX], text[SL_LABEL_MAX + 8];
    sl_value_label(thousands ? round / 1000.0 : round, label);
    sl_format(text, sizeof text, "%s %s", label, m->feet ? "ft" : thousands ? "km" : "m");
    double y = m->p->height - SL_PAGE_MARGIN - 2.0;
    if (l->y > y - 24.0) { /* a small page */
        return;
    }
    sl_draw_pen(m->p->draw, m->p->theme->ink, 1.5, 0.0);
    sl_draw_begin(m->p->draw);
    sl_draw_move(m->p->draw, l->x, y - 5.0);
    sl_draw_line(m->p->draw, l->x, y);
    sl_draw_line(m->p->draw, l->x + length, y);
    sl_draw_line(m->p->draw, l->x + length, y - 5.0);
    sl_draw_end(m->p->draw, NULL);
    sl_font font = sl_picture_font(m->p);
    sl_draw_text(m->p->draw, &font, l->x, y - 10.0, text);
}

void sl_map_legend(sl_map *m, double x) {
    legend l = {m, x, SL_PAGE_HEAD + m->p->extra + 22.0};
    if (!m->plain) {
        put_classes(&l);
    }
    put_symbols(&l);
    put_scale(&l);
}
