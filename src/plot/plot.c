/* SPDX-License-Identifier: MIT */
/* plot.c: the way to a picture: one row per kind, and the page they share. */
#include "plot/picture.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/handle.h"
#include "base/out.h"
#include "base/report.h"
#include "base/sized.h"
#include "results/format.h"

typedef struct kind {
    sl_status (*draw)(sl_picture *p);
    bool needs_result, needs_network;
} kind;

static const kind kinds[SL_PLOT_KIND_COUNT] = {
    [SL_PLOT_SERIES] = {sl_plot_series, true, false},
    [SL_PLOT_MAP] = {sl_plot_map, false, true},
    [SL_PLOT_PROFILE] = {sl_plot_profile, true, false},
};

void sl_plot_default_fill(sl_plot_def *def, size_t size) {
    const sl_plot_def all = {.time = NAN, .low = NAN, .high = NAN};
    sl_sized_default(def, size, &all, sizeof all);
}

/* ---- The page ----------------------------------------------------------------------------------- */

static const double title_size = 16.0, title_row = 20.0;

sl_font sl_picture_font(const sl_picture *p) {
    return (sl_font){.size = 12.0, .colour = p->theme->ink, .halo = SL_NO_COLOUR};
}

sl_font sl_picture_soft_font(const sl_picture *p, sl_anchor anchor) {
    return (sl_font){.size = 12.0, .colour = p->theme->soft, .halo = SL_NO_COLOUR, .anchor = anchor};
}

/* A title that is too wide goes on in a second line, from the last blank that leaves the first one filled; what is left of it is
 * cut. */
static const char *break_title(const char *title, double room, char first[SL_TITLE_MAX]) {
    size_t cut = 0;
    for (size_t i = 0; title[i] && i + 1 < SL_TITLE_MAX; i++) {
        memcpy(first, title, i);
        first[i] = '\0';
        cut = title[i] == ' ' && i > 0 && sl_text_width(first, title_size, true) <= room ? i : cut;
    }
    memcpy(first, title, cut);
    first[cut] = '\0';
    return cut > 0 && sl_text_width(title, title_size, true) > room ? title + cut + 1 : NULL;
}

static void put_head(sl_picture *p, const char *title, const char *second, const char *line) {
    double room = p->width - 2 * SL_PAGE_MARGIN;
    sl_font font = sl_picture_font(p);
    font.size = title_size;
    font.bold = true;
    sl_draw_text_within(p->draw, &font, SL_PAGE_MARGIN, 30.0, room, title);
    if (second) {
        sl_draw_text_within(p->draw, &font, SL_PAGE_MARGIN, 30.0 + title_row, room, second);
    }
    font = sl_picture_soft_font(p, SL_ANCHOR_START);
    sl_draw_text_within(p->draw, &font, SL_PAGE_MARGIN, 49.0 + p->extra, room, line);
}

sl_status sl_picture_open(sl_picture *p, double width, double height, const char *second_line) {
    char first[SL_TITLE_MAX];
    p->width = p->def->width > 0 ? p->def->width : ceil(width);
    const char *rest = p->one_line ? NULL : break_title(p->title, p->width - 2 * SL_PAGE_MARGIN, first);
    p->extra = rest ? title_row : 0.0;
    p->height = p->def->height > 0 ? p->def->height : ceil(height + p->extra);
    sl_page page = {p->width, p->height, p->theme->paper, p->theme->ink, p->title};
    sl_status status = sl_draw_open(p->ctx, p->def->format, &page, p->sink, p->diags, &p->draw);
    if (status == SL_OK) {
        put_head(p, rest ? first : p->title, rest, second_line);
    }
    return status;
}

sl_status sl_picture_close(sl_picture *p, sl_status status) {
    sl_status finished = p->draw ? sl_draw_finish(p->draw) : SL_OK;
    sl_arena_fini(&p->arena);
    return status == SL_OK ? finished : status;
}

/* ---- The request -------------------------------------------------------------------------------- */

/* The first line of the result's title, or its model's name without folders. EPANET cuts titles at 79 bytes. */
static void set_title(sl_picture *p) {
    assert((!p->layout || p->results) && "a layout is that of results");
    const char *title = p->def->title;
    const char *name = p->layout ? p->layout->model : p->net->name;
    name = p->results && !*name && p->results->name ? p->results->name : name; /* a .csv does not say its model */
    bool cut = false;
    if (!title && p->layout && p->layout->title[0]) {
        title = p->layout->title;
        cut = strcmp(p->results->format->ending, "out") == 0 && strcspn(title, "\n") >= 79;
        bool whole = cut && p->net && p->net->n_title > 0 && strncmp(p->net->title[0], title, 79) == 0;
        title = whole ? p->net->title[0] : title;
        cut = cut && !whole;
    } else if (!title && p->net && p->net->n_title > 0) {
        title = p->net->title[0];
    }
    if (!p->def->title && (!title || !*title)) {
        const char *slash = strrchr(name, '/');
        title = slash ? slash + 1 : *name ? name : "Network";
    }
    title += strspn(title, " \t");
    size_t n = p->def->title ? strlen(title) : strcspn(title, "\n");
    sl_format(p->title, sizeof p->title, "%.*s%s", (int)(n < 190 ? n : 190), title, cut ? "…" : "");
    for (char *c = p->title; *c; c++) { /* tabs and the like */
        *c = (unsigned char)*c < 32 ? ' ' : *c;
    }
}

static bool size_fits(int32_t n) {
    return n == 0 || (n >= SL_PLOT_SIZE_MIN && n <= SL_PLOT_SIZE_MAX);
}

bool sl_page_fits(const sl_plot_def *def) {
    const double most = 1e100; /* beyond, differences overflow */
    return def->format >= 0 && def->format < SL_PLOT_FORMAT_COUNT && size_fits(def->width) && size_fits(def->height) &&
           !(def->low >= def->high) && !(fabs(def->low) > most) && !(fabs(def->high) > most);
}

/* Of several executions the first is drawn. */
static void find_frames(sl_picture *p) {
    int64_t n = 0;
    const int32_t *execution = sl_results_executions(p->results);
    p->layout = sl_results_get_layout(p->results);
    p->times = sl_results_times(p->results, &n);
    while (p->n_time < n && (!execution || execution[p->n_time] == execution[0])) {
        p->n_time++;
    }
}

sl_status sl_plot(sl_context *ctx, const sl_network *net, sl_results *results, const sl_plot_def *caller_def,
                  sl_diags *diags, const sl_sink *sink) {
    if (!ctx || !sink) {
        return SL_ERR_USE;
    }
    sl_plot_def own = sl_plot_default();
    const sl_plot_def *def = &own;
    if (!caller_def || !sl_sized_take(&own, sizeof own, caller_def)) {
        return SL_ERR_USE;
    }
    const kind *k = def->kind >= 0 && def->kind < SL_PLOT_KIND_COUNT ? &kinds[def->kind] : NULL;
    if (!k || (results && !SL_HANDLE_IS(results, SL_HANDLE_RESULTS)) || (k->needs_result && !results) ||
        (k->needs_network && !net) || !sl_page_fits(def)) {
        return SL_ERR_USE;
    }
    sl_picture p = {.ctx = ctx, .net = net, .results = results, .def = def, .diags = diags, .sink = sink};
    p.theme = sl_theme_of(def->dark);
    if (results) {
        find_frames(&p);
    }
    if (results && p.n_time == 0) {
        sl_report(diags, SL_ERROR, SL_CODE_RESULT_FILE, NULL, NULL, NULL, "the run ended before its first report",
                  "the result holds no values at any time");
        return SL_ERR_INPUT;
    }
    set_title(&p);
    sl_arena_init(&p.arena, ctx);
    return sl_picture_close(&p, k->draw(&p));
}
