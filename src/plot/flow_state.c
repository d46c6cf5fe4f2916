/* SPDX-License-Identifier: MIT */
/* flow_state.c: see flow_state.h. Every mark says the variable that it shows, with its value, when pointed at. */
#include "plot/flow_state.h"

#include <math.h>
#include <string.h>

#include "base/out.h"
#include "base/report.h"
#include "plot/flow_layout.h"

static const double step = 84.0, valve_radius = 8.0, ring_radius = 5.0, near_valve = 25.0, near_more = 9.0,
                    leg_width = 13.0, tub_size = 24.0, tub_distance = 46.0, arrow = 5.0, word_size = 11.0,
                    word_row = 12.0, frame_gap = 14.0, frame_pad = 12.0, page_fitting = 1060.0, caption = 52.0,
                    legend_row = 24.0;
enum { TIP = 160, NAME = 96, WORDS_ROOM = 52 };

enum { FAMILY_BEGINS = 0, FAMILY_ENDS, FAMILY_CONTROL, N_FAMILY };
static const struct {
    const char *word;
    int family;
} words[SL_FLOW_N_WORD] = {
    [SL_FLOW_BRANCH] = {"branch", FAMILY_BEGINS},   [SL_FLOW_SEED] = {"seed", FAMILY_BEGINS},
    [SL_FLOW_COLL] = {"coll", FAMILY_BEGINS},       [SL_FLOW_CUT] = {"cut", FAMILY_ENDS},
    [SL_FLOW_REC] = {"rec", FAMILY_ENDS},           [SL_FLOW_CTL] = {"ctl", FAMILY_CONTROL},
    [SL_FLOW_LEGCTL] = {"legctl", FAMILY_CONTROL},  [SL_FLOW_FLOWCTL] = {"flowctl", FAMILY_CONTROL},
    [SL_FLOW_OPENCTL] = {"openctl", FAMILY_CONTROL}};

typedef struct chart {
    sl_picture *p;
    sl_draw *draw;
    const sl_flow_film *film;
    sl_flow_layout layout;
    double width, height; /* of a frame */
    double top;           /* of what is drawn in it, below its captions */
    double at[2];         /* where the layout stands */
    double *near;         /* [n_valve] of the rings of ends around a valve: the more of them, the farther */
    uint32_t water, gate, outline, family[N_FAMILY];
} chart;

static void set_colours(chart *c) {
    static const uint32_t on_light[N_FAMILY] = {0xa85400, 0xa01050, 0x00735c},
                          on_dark[N_FAMILY] = {0xffb454, 0xff8ac0, 0x4fd8b8};
    bool dark = c->p->def->dark;
    c->water = sl_mix(c->p->theme->paper, sl_line_colour(0, dark), dark ? 0.6 : 0.5); /* arrows are seen on it */
    c->gate = dark ? 0xff6b6b : 0xc1121f;
    c->outline = sl_mix(c->p->theme->paper, c->p->theme->ink, 0.75);
    memcpy(c->family, dark ? on_dark : on_light, sizeof c->family);
}

/* ---- Marks -------------------------------------------------------------------------------------- */

static const char *tip_of(char buf[TIP], const char *what, const char *field, bool value) {
    (void)sl_format(buf, TIP, "%.120s.%s = %d", what, field, (int)value);
    return buf;
}

static void put_shape(const chart *c, const double (*at)[2], int n, bool filled, uint32_t colour, double width,
                      const char *tip) {
    sl_draw_style(c->draw, &(sl_style){.stroke = c->outline,
                                       .fill = filled ? colour : c->p->theme->paper,
                                       .width = width,
                                       .opacity = 1.0});
    sl_draw_begin(c->draw);
    sl_draw_polygon(c->draw, at, n, 0.0, 0.0, 1.0);
    sl_draw_end(c->draw, tip);
}

static void put_ring(const chart *c, const double at[2], double radius, bool wet, const char *tip) {
    enum { CORNERS = 20 };
    double ring[CORNERS][2];
    for (int i = 0; i < CORNERS; i++) {
        double angle = 6.283185307179586 * i / CORNERS;
        ring[i][0] = at[0] + radius * cos(angle);
        ring[i][1] = at[1] + radius * sin(angle);
    }
    put_shape(c, (const double(*)[2])ring, CORNERS, wet, c->water, 1.4, tip);
}

/* A triangle that points along u. */
static void put_arrow(const chart *c, const double at[2], const double u[2], bool source, const char *tip) {
    double s = arrow, tri[3][2] = {{at[0] + 1.1 * s * u[0], at[1] + 1.1 * s * u[1]},
                                   {at[0] - s * u[0] - s * u[1], at[1] - s * u[1] + s * u[0]},
                                   {at[0] - s * u[0] + s * u[1], at[1] - s * u[1] - s * u[0]}};
    put_shape(c, (const double(*)[2])tri, 3, source, c->p->theme->ink, 1.1, tip);
}

/* A bar across u. */
static void put_gate(const chart *c, const double at[2], const double u[2], const char *tip) {
    double s = 10.0;
    sl_draw_pen(c->draw, c->gate, 3.4, 0.0);
    sl_draw_stroke(c->draw, at[0] - s * u[1], at[1] + s * u[0], at[0] + s * u[1], at[1] - s * u[0], tip);
}

/* Words one below the other; their middle at y, or from y on downwards. */
static void put_words(const chart *c, uint16_t which, double x, double y, sl_anchor anchor, bool centred) {
    int n = 0;
    for (int k = 0; k < SL_FLOW_N_WORD; k++) {
        n += which >> k & 1;
    }
    y -= centred ? 0.5 * (n - 1) * word_row - 4.0 : 0.0;
    for (int k = 0; k < SL_FLOW_N_WORD; k++) {
        if (which >> k & 1) {
            sl_font font = {.size = word_size,
                            .colour = c->family[words[k].family],
                            .halo = c->p->theme->paper,
                            .anchor = anchor,
                            .bold = true};
            sl_draw_text(c->draw, &font, x, y, words[k].word);
            y += word_row;
        }
    }
}

static void put_name(const chart *c, double x, double y, sl_anchor anchor, bool strong, const char *name) {
    sl_font font = {.size = word_size,
                    .colour = strong ? c->p->theme->ink : c->p->theme->soft,
                    .halo = c->p->theme->paper,
                    .anchor = anchor};
    sl_draw_text_within(c->draw, &font, x, y, NAME, name);
}

/* ---- Components --------------------------------------------------------------------------------- */

static void put_tub(const chart *c, int32_t v, const sl_flow_mark *m, const double at[2]) {
    static const double right[2] = {1.0, 0.0}, left[2] = {-1.0, 0.0};
    char tip[TIP], what[TIP];
    double x = at[0] - tub_distance, y = at[1], r = 0.5 * tub_size;
    double square[4][2] = {{x - r, y - r}, {x + r, y - r}, {x + r, y + r}, {x - r, y + r}}, middle[2] = {x, y};
    double joint[2] = {x + r + 9.0, y}, gate[2] = {x + r + 1.0, y};
    (void)sl_format(what, sizeof what, "tub[%.100s]", c->film->valves[v].name);
    sl_draw_pen(c->draw, c->outline, 1.4, 0.0);
    sl_draw_stroke(c->draw, x + r, y, at[0], y, NULL);
    put_shape(c, (const double(*)[2])square, 4, m->is & SL_FLOW_WET, c->water, m->is & SL_FLOW_SOURCE ? 3.6 : 1.4,
              tip_of(tip, what, "leg", m->is & SL_FLOW_WET));
    put_arrow(c, middle, m->is & SL_FLOW_BACK ? left : right, m->is & SL_FLOW_SOURCE,
              tip_of(tip, what, "flow", m->is & SL_FLOW_BACK));
    put_ring(c, joint, ring_radius, m->is & SL_FLOW_JOINED, tip_of(tip, what, "joint", m->is & SL_FLOW_JOINED));
    if (m->is & SL_FLOW_SHUT) {
        put_gate(c, gate, right, tip_of(tip, what, "open", false));
    }
    put_words(c, m->words, x, y + r + 13.0, SL_ANCHOR_MIDDLE, false);
}

/* The point at a distance along a line of points, and the direction there. */
static void walk(const double (*p)[2], int n, bool back, double distance, double at[2], double u[2]) {
    for (int i = 0; i + 1 < n; i++) {
        const double *a = p[back ? -i : i], *b = p[back ? -i - 1 : i + 1];
        double d[2] = {b[0] - a[0], b[1] - a[1]}, length = hypot(d[0], d[1]);
        u[0] = length > 0.0 ? d[0] / length : 0.0;
        u[1] = length > 0.0 ? d[1] / length : 1.0;
        if (distance <= length || i + 2 == n) {
            at[0] = a[0] + distance * u[0];
            at[1] = a[1] + distance * u[1];
            return;
        }
        distance -= length;
    }
}

static double length_of(const double (*p)[2], int n, bool back) {
    double sum = 0.0;
    for (int i = 0; i + 1 < n; i++) {
        const double *a = p[back ? -i : i], *b = p[back ? -i - 1 : i + 1];
        sum += hypot(b[0] - a[0], b[1] - a[1]);
    }
    return sum;
}

/* A tube along the line from one distance to another: its wall, then what is in it. */
static void put_leg(const chart *c, const double (*p)[2], int n, bool back, double from, double to, bool wet,
                    const char *tip) {
    for (int pass = 0; pass < 2; pass++) {
        double at[2], u[2], gone = 0.0;
        sl_draw_pen(c->draw,
                    pass == 0 ? c->outline
                    : wet     ? c->water
                              : c->p->theme->paper,
                    pass == 0 ? leg_width : leg_width - 2.8, 0.0);
        sl_draw_begin(c->draw);
        walk(p, n, back, from, at, u);
        sl_draw_move(c->draw, at[0], at[1]);
        for (int i = 0; i + 1 < n; i++) {
            const double *a = p[back ? -i : i], *b = p[back ? -i - 1 : i + 1];
            gone += hypot(b[0] - a[0], b[1] - a[1]);
            if (gone > from + 1.0 && gone < to - 1.0) {
                sl_draw_line(c->draw, b[0], b[1]);
            }
        }
        walk(p, n, back, to, at, u);
        sl_draw_line(c->draw, at[0], at[1]);
        sl_draw_end(c->draw, pass == 0 ? NULL : tip);
    }
}

static double near_of(const chart *c, int32_t e) {
    const sl_flow_pipe *p = &c->film->pipes[e / 2];
    return c->near[e % 2 ? p->to : p->from];
}

/* Half of a pipe, from its valve to the middle of the pipe. */
static void put_end(const chart *c, int32_t e, const sl_flow_mark *m, const double (*points)[2], int n) {
    bool back = e % 2 == 1;
    int half = (n + 1) / 2;
    const double(*p)[2] = back ? points + n - 1 : points;
    char tip[TIP], what[TIP], leg[TIP];
    double near = near_of(c, e), all = length_of(p, half, back), ring[2], u[2],
           from = near + ring_radius + leg_width / 2.0 - 1.0, to = all - 7.0 - leg_width / 2.0, middle[2], at[2], d[2];
    const char *name = c->film->pipes[e / 2].name;
    (void)sl_format(what, sizeof what, "end[%.100s,%d]", name, (int)(e % 2));
    (void)sl_format(leg, sizeof leg, "half[%.100s,%d]", name, (int)(e % 2));
    sl_draw_pen(c->draw, c->outline, 1.4, 0.0);
    walk(p, half, back, from, at, u);
    sl_draw_stroke(c->draw, p[0][0], p[0][1], at[0], at[1], NULL);
    put_leg(c, p, half, back, from, to, m->is & SL_FLOW_WET, tip_of(tip, leg, "leg", m->is & SL_FLOW_WET));
    walk(p, half, back, 0.5 * (from + to), middle, u);
    bool to_middle = !back == !(m->is & SL_FLOW_BACK); /* positive flow leads downwards */
    d[0] = to_middle ? u[0] : -u[0];
    d[1] = to_middle ? u[1] : -u[1];
    put_arrow(c, middle, d, m->is & SL_FLOW_SOURCE, tip_of(tip, what, "flow", m->is & SL_FLOW_BACK));
    walk(p, half, back, near, ring, u);
    put_ring(c, ring, ring_radius, m->is & SL_FLOW_JOINED, tip_of(tip, what, "joint", m->is & SL_FLOW_JOINED));
    if (m->is & SL_FLOW_SHUT) {
        walk(p, half, back, near - ring_radius - 4.0, at, u);
        put_gate(c, at, u, tip_of(tip, what, "open", false));
    }
}

static void put_pipe(const chart *c, int32_t i, const sl_flow_frame *f, const double (*points)[2], int n) {
    char tip[TIP], what[TIP];
    const double *middle = points[(n - 1) / 2];
    put_end(c, 2 * i, &f->ends[2 * i], points, n);
    put_end(c, 2 * i + 1, &f->ends[2 * i + 1], points, n);
    (void)sl_format(what, sizeof what, "mid[%.100s]", c->film->pipes[i].name);
    put_ring(c, middle, ring_radius + 1.0, f->mids[i].is & SL_FLOW_WET,
             tip_of(tip, what, "joint", f->mids[i].is & SL_FLOW_WET));
}

/* Texts lie over everything else. */
static void put_pipe_texts(const chart *c, int32_t i, const sl_flow_frame *f, const double (*points)[2], int n) {
    const double *middle = points[(n - 1) / 2];
    put_name(c, middle[0] - 12.0, middle[1] + 4.0, SL_ANCHOR_END, false, c->film->pipes[i].name);
    put_words(c, f->mids[i].words, middle[0] + 12.0, middle[1], SL_ANCHOR_START, true);
    for (int side = 0; side < 2; side++) {
        double at[2], u[2];
        walk(side ? points + n - 1 : points, (n + 1) / 2, side == 1, near_of(c, 2 * i + side) + 14.0, at, u);
        bool left = u[0] < -0.05; /* away from those of the next pipe */
        put_words(c, f->ends[2 * i + side].words, at[0] + (left ? -11.0 : 11.0), at[1],
                  left ? SL_ANCHOR_END : SL_ANCHOR_START, true);
    }
}

static void put_valve(const chart *c, int32_t v, const sl_flow_frame *f, const double at[2]) {
    char tip[TIP], what[TIP];
    if (c->film->valves[v].has_tub) {
        put_tub(c, v, &f->tubs[v], at);
    }
    (void)sl_format(what, sizeof what, "valve[%.100s]", c->film->valves[v].name);
    put_ring(c, at, valve_radius, f->valves[v].is & SL_FLOW_WET,
             tip_of(tip, what, "joint", f->valves[v].is & SL_FLOW_WET));
}

static void put_valve_texts(const chart *c, int32_t v, const sl_flow_frame *f, const double at[2]) {
    double x = at[0] + valve_radius + 6.0;
    char name[SL_TEXT_MAX];
    (void)sl_text_fit(c->film->valves[v].name, word_size, false, NAME, name);
    put_name(c, x, at[1] + 4.0, SL_ANCHOR_START, true, name);
    put_words(c, f->valves[v].words, x + sl_text_width(name, word_size, false) + 6.0, at[1], SL_ANCHOR_START, true);
}

/* ---- Frames ------------------------------------------------------------------------------------- */

/* A caption of at most two lines, broken at a blank. */
static void put_caption(const chart *c, double x, double y, double room, const char *text) {
    char first[SL_TEXT_MAX];
    sl_font font = sl_picture_soft_font(c->p, SL_ANCHOR_START);
    font.size = word_size;
    size_t n = strlen(text), cut = 0;
    for (size_t i = 1; i < n && i + 1 < sizeof first; i++) {
        memcpy(first, text, i);
        first[i] = '\0';
        if (text[i] == ' ' && sl_text_width(first, word_size, false) <= room) {
            cut = i;
        }
    }
    bool one = cut == 0 || sl_text_width(text, word_size, false) <= room;
    if (!one) {
        memcpy(first, text, cut);
        first[cut] = '\0';
    }
    sl_draw_text_within(c->draw, &font, x, y, room, one ? text : first);
    if (!one) {
        sl_draw_text_within(c->draw, &font, x, y + 13.0, room, text + cut + 1);
    }
}

/* Everything stands from there on. */
static void move_to(chart *c, double x, double y) {
    double dx = x - c->at[0], dy = y - c->at[1];
    for (int32_t v = 0; v < c->film->n_valve; v++) {
        c->layout.at[v][0] += dx;
        c->layout.at[v][1] += dy;
    }
    for (int32_t k = 0; k < c->layout.first[c->film->n_pipe]; k++) {
        c->layout.points[k][0] += dx;
        c->layout.points[k][1] += dy;
    }
    c->at[0] = x;
    c->at[1] = y;
}

static void put_captions(const chart *c, const sl_flow_frame *f, double x, double y) {
    sl_font font = sl_picture_font(c->p);
    font.bold = true;
    sl_draw_style(c->draw,
                  &(sl_style){.stroke = c->p->theme->grid, .fill = SL_NO_COLOUR, .width = 1.0, .opacity = 1.0});
    sl_draw_begin(c->draw);
    sl_draw_box(c->draw, x, y, c->width, c->height);
    sl_draw_end(c->draw, NULL);
    sl_draw_text_within(c->draw, &font, x + 8.0, y + 17.0, c->width - 16.0, f->head);
    put_caption(c, x + 8.0, y + 33.0, c->width - 16.0, f->line);
}

static void put_frame(chart *c, const sl_flow_frame *f, double x, double y) {
    const sl_flow_film *film = c->film;
    const sl_flow_layout *l = &c->layout;
    if (film->n_frame > 1) {
        put_captions(c, f, x, y);
    }
    move_to(c, x + 0.5 * (c->width - l->width), y + c->top);
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < film->n_pipe; i++) {
            (pass == 0 ? put_pipe : put_pipe_texts)(c, i, f, (const double(*)[2])(l->points + l->first[i]),
                                                    l->first[i + 1] - l->first[i]);
        }
        for (int32_t v = 0; v < film->n_valve; v++) {
            (pass == 0 ? put_valve : put_valve_texts)(c, v, f, l->at[v]);
        }
    }
}

/* ---- Legend ------------------------------------------------------------------------------------- */

typedef struct key {
    const char *text;
    int symbol;
} key;

static void put_symbol(const chart *c, int symbol, double x, double y) {
    static const double right[2] = {1.0, 0.0};
    const double line[2][2] = {{x + 3.0, y}, {x + 17.0, y}}, at[2] = {x + 10.0, y};
    double square[4][2] = {{x + 1.0, y - 9.0}, {x + 19.0, y - 9.0}, {x + 19.0, y + 9.0}, {x + 1.0, y + 9.0}};
    switch (symbol) {
    case 0:
    case 1: put_leg(c, line, 2, false, 0.0, 14.0, symbol == 0, NULL); break;
    case 2: put_ring(c, at, ring_radius, true, NULL); break;
    case 3: put_shape(c, (const double(*)[2])square, 4, true, c->water, 3.6, NULL); break;
    case 4: put_arrow(c, at, right, false, NULL); break;
    case 5: put_arrow(c, at, right, true, NULL); break;
    default: put_gate(c, at, right, NULL); break;
    }
}

/* Puts the legend, or with draw false only says how high it becomes. */
static double put_legend(const chart *c, double x0, double y, double width, bool draw) {
    static const key keys[] = {{"leg, wet", 0},          {"leg, dry", 1},          {"joint, wet", 2},
                               {"outside, a source", 3}, {"direction of flow", 4}, {"... of a source", 5},
                               {"gate, shut", 6}};
    static const char *const families[N_FAMILY] = {"branch, seed, coll: water joins", "cut, rec: water lets go",
                                                   "...ctl: a control"};
    double x = x0, top = y;
    enum { N_KEY = sizeof keys / sizeof *keys };
    sl_font font = sl_picture_font(c->p);
    font.size = word_size;
    for (int k = 0; k < N_KEY + N_FAMILY; k++) {
        bool word = k >= N_KEY;
        const char *text = word ? families[k - N_KEY] : keys[k].text;
        double need = (word ? 0.0 : 32.0) + sl_text_width(text, word_size, word);
        if (x > x0 && x + need > x0 + width) {
            x = x0;
            y += legend_row;
        }
        if (draw) {
            if (!word) {
                put_symbol(c, keys[k].symbol, x, y);
            }
            font.bold = word;
            font.colour = word ? c->family[k - N_KEY] : c->p->theme->ink;
            sl_draw_text(c->draw, &font, x + (word ? 0.0 : 32.0), y + 4.0, text);
        }
        x += need + 18.0;
    }
    return y + legend_row - top;
}

/* ---- The page ----------------------------------------------------------------------------------- */

static sl_status make_layout(chart *c) {
    const sl_flow_film *film = c->film;
    sl_arena *arena = &c->p->arena;
    sl_flow_margin *nodes = sl_arena_alloc(arena, ((size_t)film->n_valve + 1) * sizeof *nodes);
    sl_flow_margin *middles = sl_arena_alloc(arena, ((size_t)film->n_pipe + 1) * sizeof *middles);
    sl_flow_edge *edges = sl_arena_alloc(arena, ((size_t)film->n_pipe + 1) * sizeof *edges);
    int32_t *degree = sl_arena_alloc(arena, (2 * (size_t)film->n_valve + 1) * sizeof *degree);
    c->near = sl_arena_alloc(arena, ((size_t)film->n_valve + 1) * sizeof *c->near);
    if (!nodes || !middles || !edges || !degree || !c->near) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < film->n_pipe; i++) {
        degree[2 * film->pipes[i].from + 1]++;
        degree[2 * film->pipes[i].to]++;
    }
    for (int32_t v = 0; v < film->n_valve; v++) {
        int32_t most = degree[2 * v] > degree[2 * v + 1] ? degree[2 * v] : degree[2 * v + 1];
        c->near[v] = near_valve + (most > 4 ? near_more * fmin(most - 4, 40) : 0.0);
    }
    for (int32_t v = 0; v < film->n_valve; v++) {
        double name = fmin(sl_text_width(film->valves[v].name, word_size, false), NAME);
        nodes[v].left = film->valves[v].has_tub ? tub_distance + 0.5 * tub_size + 8.0 : valve_radius + 8.0;
        nodes[v].right = valve_radius + 12.0 + name + WORDS_ROOM;
    }
    for (int32_t i = 0; i < film->n_pipe; i++) {
        double name = fmin(sl_text_width(film->pipes[i].name, word_size, false), NAME);
        edges[i] = (sl_flow_edge){film->pipes[i].from, film->pipes[i].to};
        middles[i] = (sl_flow_margin){name + 18.0, 14.0 + WORDS_ROOM};
    }
    return sl_flow_layout_make(film->n_valve, nodes, film->n_pipe, edges, middles, step, arena, &c->layout);
}

/* Room below the lowest tub, for its words. */
static double below(const sl_flow_film *film) {
    uint16_t most = 0;
    for (int32_t k = 0; k < film->n_frame; k++) {
        for (int32_t v = 0; v < film->n_valve; v++) {
            most |= film->frames[k].tubs[v].words;
        }
    }
    return tub_size / 2.0 + 8.0 + (most ? 2.0 * word_row : 0.0);
}

static sl_status check_size(const chart *c, double width, double height, const char *hint) {
    const sl_plot_def *def = c->p->def;
    double most[2] = {def->width > 0 ? def->width : SL_PLOT_SIZE_MAX, def->height > 0 ? def->height : SL_PLOT_SIZE_MAX};
    if (width <= most[0] && height <= most[1]) {
        return SL_OK;
    }
    bool given = def->width > 0 || def->height > 0;
    sl_report(c->p->diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL, given ? "leave --size out" : hint,
              "the state diagram of %d valves, %d time%s, needs %.0f by %.0f pixels", (int)c->film->n_valve,
              (int)c->film->n_frame, c->film->n_frame == 1 ? "" : "s", ceil(width), ceil(height));
    return SL_ERR_INPUT;
}

sl_status sl_flow_film_draw(sl_picture *p, const sl_flow_film *film, const char *hint) {
    chart c = {.p = p, .film = film};
    sl_status status = make_layout(&c);
    if (status != SL_OK) {
        return status;
    }
    set_colours(&c);
    bool several = film->n_frame > 1;
    c.top = (several ? caption : 0.0) + 24.0;
    c.width = fmax(c.layout.width + 2.0 * frame_pad, several ? 176.0 : 0.0);
    c.height = c.top + c.layout.height + below(film);
    double room = p->def->width > 0 ? p->def->width : page_fitting;
    int32_t columns = (int32_t)floor((room - 2.0 * SL_PAGE_MARGIN + frame_gap) / (c.width + frame_gap));
    columns = columns < 1 ? 1 : columns;
    while (p->def->width == 0 && columns < film->n_frame && /* a long film gets a wide page */
           ceil((double)film->n_frame / columns) * (c.height + frame_gap) > 2.5 * columns * (c.width + frame_gap)) {
        columns++;
    }
    columns = columns > film->n_frame ? film->n_frame : columns;
    int32_t rows = (film->n_frame + columns - 1) / columns;
    double width = fmax(columns * (c.width + frame_gap) - frame_gap + 2.0 * SL_PAGE_MARGIN, 420.0);
    double legend = put_legend(&c, 0.0, 0.0, width - 2.0 * SL_PAGE_MARGIN, false);
    double height = SL_PAGE_HEAD + 6.0 + rows * (c.height + frame_gap) + legend + 8.0;
    status = check_size(&c, width, height, hint);
    status = status == SL_OK ? sl_picture_open(p, width, height, film->second) : status;
    if (status != SL_OK) {
        return status;
    }
    c.draw = p->draw;
    double top = SL_PAGE_HEAD + p->extra + 6.0, left = 0.5 * (p->width - columns * (c.width + frame_gap) + frame_gap);
    left = several ? SL_PAGE_MARGIN : left;
    for (int32_t k = 0; k < film->n_frame; k++) {
        put_frame(&c, &film->frames[k], left + (k % columns) * (c.width + frame_gap),
                  top + (double)(k / columns) * (c.height + frame_gap));
    }
    (void)put_legend(&c, SL_PAGE_MARGIN, top + rows * (c.height + frame_gap) + 10.0, p->width - 2.0 * SL_PAGE_MARGIN,
                     true);
    return SL_OK;
}
