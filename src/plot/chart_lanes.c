/* SPDX-License-Identifier: MIT */
/* chart_lanes.c: states over time, a lane each: a bar while something holds, a thin line while nothing does (0, closed, off).
 *
 * Words of the model stand in the bars where there is room, and beside a sample above the lanes where there is none. Of numbers those
 * with more than two values are written, and all where time counts steps, in which a value belongs to its time t: its cell goes from
 * half a step before to half a step after.
 */
#include <math.h>
#include <string.h>

#include "base/out.h"
#include "plot/chart.h"

enum { WORDS_MAX = 12 };

static const double bar = 15.0, size = 11.0;

/* EPANET's reasons are for reports; a picture shows what they come to. */
static const char *const plain_words[][2] = {{"xhead", "closed"},
                                             {"temp_closed", "closed"},
                                             {"xflow", "beyond its limits"},
                                             {"xfcv", "beyond its limits"},
                                             {"xpressure", "beyond its limits"}};

static const char *const quiet_words[] = {"closed", "off", "no", "false", "none", "stopped", "shut", "empty"};

const char *sl_lane_text(const sl_chart *c, const sl_chart_lane *lane, double value, char buf[SL_LABEL_MAX]) {
    if (lane->words && value >= 0.0 && value < lane->n_word) {
        const char *word = lane->words[(int32_t)value];
        for (size_t i = 0; i < sizeof plain_words / sizeof *plain_words; i++) {
            word = strcmp(word, plain_words[i][0]) == 0 ? plain_words[i][1] : word;
        }
        return word;
    }
    buf[0] = '\0';
    if (c->steps || lane->n_value > 2) {
        (void)sl_format(buf, SL_LABEL_MAX, "%.6g", value);
    }
    return buf;
}

static bool is_quiet(const sl_chart *c, const sl_chart_lane *lane, double value) {
    char buf[SL_LABEL_MAX];
    const char *word = sl_lane_text(c, lane, value, buf);
    bool quiet = !lane->words && value == 0.0;
    for (size_t i = 0; i < sizeof quiet_words / sizeof *quiet_words && lane->words; i++) {
        quiet = quiet || strcmp(word, quiet_words[i]) == 0;
    }
    return quiet;
}

/* ---- Stretches ---------------------------------------------------------------------------------- */

typedef struct stretch {
    const sl_chart_lane *lane;
    double begin, end, value; /* times */
} stretch;

/* The next stretch of one value in the window, from point *i on. False: there is none. */
static bool next_stretch(const sl_chart *c, const sl_chart_lane *lane, int64_t *i, stretch *s) {
    double last = c->steps ? c->to + 1.0 : c->to;
    while (*i < lane->n) {
        int64_t k = *i + 1;
        while (k < lane->n && (lane->value[k] == lane->value[*i] || lane->t[k] == lane->t[*i])) {
            if (lane->t[k] == lane->t[*i]) { /* at one time the last holds */
                *i = k;
            }
            k++;
        }
        *s = (stretch){lane, fmax(lane->t[*i], c->from), k < lane->n ? fmin(lane->t[k], last) : last, lane->value[*i]};
        *i = k;
        if (s->end > s->begin || (lane->n == 1 && c->from == c->to)) {
            return isfinite(s->value) || next_stretch(c, lane, i, s);
        }
    }
    return false;
}

/* Words that are on the page, in the order in which they come. */
typedef struct words {
    struct {
        const char *text;
        bool quiet, written; /* in a bar */
    } at[WORDS_MAX];
    int n;
} words;

static int find_word(words *w, const sl_chart *c, const sl_chart_lane *lane, double value) {
    char buf[SL_LABEL_MAX];
    const char *text = sl_lane_text(c, lane, value, buf);
    for (int i = 0; i < w->n; i++) {
        if (strcmp(w->at[i].text, text) == 0) {
            return i;
        }
    }
    if (w->n < WORDS_MAX && text != buf) {
        w->at[w->n].text = text;
        w->at[w->n].quiet = is_quiet(c, lane, value);
        return w->n++;
    }
    return -1;
}

static bool text_fits(const char *text, double width) {
    return text[0] && width > sl_text_width(text, size, false) + 6.0;
}

static void collect_words(words *w, const sl_chart *c, const sl_frame *f) {
    for (int32_t k = 0; k < c->n_lane; k++) {
        int64_t i = 0;
        stretch s;
        while (c->lanes[k].words && next_stretch(c, &c->lanes[k], &i, &s)) {
            int at = find_word(w, c, &c->lanes[k], s.value);
            if (at >= 0 && f) {
                bool fits = text_fits(w->at[at].text, sl_frame_x(f, s.end) - sl_frame_x(f, s.begin));
                w->at[at].written = w->at[at].written || fits;
            }
        }
    }
}

double sl_chart_lanes_head(const sl_chart *c) {
    for (int32_t k = 0; k < c->n_lane; k++) {
        if (c->lanes[k].words) {
            return 20.0;
        }
    }
    return 0.0;
}

/* ---- Drawing ------------------------------------------------------------------------------------ */

static uint32_t colour_of(const sl_chart_page *g, words *w, const stretch *s) {
    const sl_theme *theme = g->p->theme;
    bool dark = g->p->def->dark;
    if (is_quiet(g->c, s->lane, s->value)) {
        return theme->neutral;
    }
    if (s->lane->words) {
        int bars = 0, at = find_word(w, g->c, s->lane, s->value);
        for (int i = 0; i < at; i++) {
            bars += !w->at[i].quiet;
        }
        return at < 0 ? theme->soft : sl_line_colour(bars, dark);
    }
    int32_t n = s->lane->n_value;
    return n <= 2         ? sl_line_colour(0, dark)
           : s->value < n ? sl_class_colour(theme, (int32_t)s->value - 1, n - 1)
                          : theme->soft;
}

static bool is_light(uint32_t colour) {
    return 0.299 * (colour >> 16 & 255) + 0.587 * (colour >> 8 & 255) + 0.114 * (colour & 255) > 140.0;
}

/* A bar, or a line when it is quiet. */
static void put_mark(const sl_chart_page *g, bool quiet, uint32_t colour, double x1, double x2, double y) {
    sl_draw *d = g->p->draw;
    if (quiet) {
        sl_draw_pen(d, colour, 1.5, 0.0);
        sl_draw_stroke(d, x1, y, x2, y, NULL);
        return;
    }
    sl_draw_fill(d, colour, 1.0);
    sl_draw_begin(d);
    sl_draw_box(d, x1, y - bar / 2.0, fmax(x2 - x1, 1.0), bar);
    sl_draw_end(d, NULL);
}

static void draw_stretch(const sl_chart_page *g, words *w, const stretch *s, double x1, double x2, double y) {
    char buf[SL_LABEL_MAX];
    bool quiet = is_quiet(g->c, s->lane, s->value);
    uint32_t colour = colour_of(g, w, s);
    put_mark(g, quiet, colour, x1, x2, y);
    const char *text = sl_lane_text(g->c, s->lane, s->value, buf);
    sl_font font = sl_picture_font(g->p);
    font.size = size;
    font.anchor = SL_ANCHOR_MIDDLE;
    font.colour = quiet ? g->p->theme->soft : is_light(colour) ? 0x222222 : 0xffffff;
    font.halo = quiet ? g->p->theme->paper : SL_NO_COLOUR;
    if (text_fits(text, x2 - x1)) {
        sl_draw_text(g->p->draw, &font, (x1 + x2) / 2.0, y + 4.0, text);
    }
}

/* Where time counts steps, every step is a cell of its own while there is room. */
static void draw_cells(const sl_chart_page *g, words *w, const stretch *s, double y) {
    double step = sl_frame_x(&g->time, 1.0) - sl_frame_x(&g->time, 0.0);
    if (step < 14.0) {
        draw_stretch(g, w, s, sl_frame_x(&g->time, s->begin - 0.5), sl_frame_x(&g->time, s->end - 0.5), y);
        return;
    }
    for (int64_t i = 0; s->begin + (double)i < s->end; i++) {
        double t = s->begin + (double)i;
        draw_stretch(g, w, s, sl_frame_x(&g->time, t - 0.5) + 1.0, sl_frame_x(&g->time, t + 0.5) - 1.0, y);
    }
}

static void draw_lane(const sl_chart_page *g, words *w, int32_t k) {
    const sl_chart_lane *lane = &g->c->lanes[k];
    double y = g->lanes_y + SL_CHART_LANE * (k + 0.5), drawn = -INFINITY;
    int64_t i = 0;
    stretch s;
    while (next_stretch(g->c, lane, &i, &s)) {
        double end = sl_frame_x(&g->time, s.end);
        if (end - drawn < 0.5) { /* of many within a pixel some are left out */
            continue;
        }
        if (g->c->steps) {
            draw_cells(g, w, &s, y);
        } else {
            draw_stretch(g, w, &s, sl_frame_x(&g->time, s.begin), end, y);
        }
        drawn = end;
    }
    sl_font font = sl_picture_font(g->p);
    font.anchor = SL_ANCHOR_END;
    sl_draw_text_within(g->p->draw, &font, g->time.x - 8.0, y + 4.0, SL_CHART_NAMES, lane->name);
}

/* Samples of the words that no bar has room for. */
static void draw_samples(const sl_chart_page *g, words *w) {
    double x = g->time.x + g->time.width, y = g->lanes_y - 8.0;
    int bars = 0;
    sl_font font = sl_picture_font(g->p);
    font.size = size;
    for (int i = 0; i < w->n; i++) {
        bars += !w->at[i].quiet;
    }
    for (int i = w->n - 1; i >= 0; i--) {
        bars -= !w->at[i].quiet;
        double width = sl_text_width(w->at[i].text, size, false);
        if (w->at[i].written || x - width - 26.0 < g->time.x) {
            continue;
        }
        x -= width;
        sl_draw_text(g->p->draw, &font, x, y, w->at[i].text);
        put_mark(g, w->at[i].quiet, w->at[i].quiet ? g->p->theme->neutral : sl_line_colour(bars, g->p->def->dark),
                 x - 26.0, x - 6.0, y - 4.0);
        x -= 40.0;
    }
}

void sl_chart_lanes(const sl_chart_page *g) {
    words w = {0};
    collect_words(&w, g->c, &g->time);
    for (int32_t k = 0; k < g->c->n_lane; k++) {
        draw_lane(g, &w, k);
    }
    draw_samples(g, &w);
}
