/* SPDX-License-Identifier: MIT */
/* chart_panels.c: which lines share a panel: those of one label, quantity and unit, whose magnitudes do not flatten each other. */
#include <math.h>
#include <string.h>

#include "base/count_text.h"
#include "plot/chart.h"

static const double flat = 20.0; /* a line that stays below this part of another's height shows nothing beside it */

/* The largest size in the window. */
static double magnitude(const sl_chart_line *line, double from, double to) {
    double most = 0.0;
    for (int64_t i = 0; i < line->n; i++) {
        bool is = line->t[i] >= from && line->t[i] <= to && isfinite(line->y[i]);
        most = is ? fmax(most, fabs(line->y[i])) : most;
    }
    return most;
}

/* Has the panel the same label and a magnitude that goes with this one? Zero goes with all. */
static bool goes_with(const double span[2], double size) {
    return size == 0.0 || span[1] == 0.0 || (size * flat >= span[1] && span[0] * flat >= size);
}

static void widen(double span[2], double size) {
    span[0] = size > 0.0 && (span[0] == 0.0 || size < span[0]) ? size : span[0];
    span[1] = fmax(span[1], size);
}

/* A panel without a label has the names of its lines: they have no unit. */
static sl_status label_panel(sl_arena *arena, sl_chart_panel *panel) {
    char *label = panel->label[0] ? NULL : sl_arena_alloc(arena, SL_TEXT_MAX);
    if (!label) {
        return panel->label[0] ? SL_OK : SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < panel->n_line; i++) {
        sl_append(label, SL_TEXT_MAX, "%s%s", i > 0 ? ", " : "", panel->lines[i].name);
    }
    panel->label = label;
    return SL_OK;
}

sl_status sl_chart_panels_make(sl_arena *arena, const sl_chart_line *lines, const char *const *labels, int32_t n,
                               sl_chart *c) {
    sl_chart_panel *panels = sl_arena_alloc(arena, (size_t)(n + 1) * sizeof *panels);
    sl_chart_line *sorted = sl_arena_alloc(arena, (size_t)(n + 1) * sizeof *sorted);
    double(*span)[2] = sl_arena_alloc(arena, (size_t)(n + 1) * sizeof *span);
    int32_t *panel_of = sl_arena_alloc(arena, (size_t)(n + 1) * sizeof *panel_of);
    if (!panels || !sorted || !span || !panel_of) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < n; i++) {
        double size = magnitude(&lines[i], c->from, c->to);
        int32_t k = 0;
        while (k < c->n_panel && (strcmp(panels[k].label, labels[i]) != 0 || !goes_with(span[k], size))) {
            k++;
        }
        if (k == c->n_panel) {
            panels[c->n_panel++] = (sl_chart_panel){.label = labels[i]};
        }
        widen(span[k], size);
        panels[k].n_line++;
        panel_of[i] = k;
    }
    int32_t at = 0;
    for (int32_t k = 0; k < c->n_panel; k++) {
        panels[k].lines = sorted + at;
        for (int32_t i = 0; i < n; i++) {
            if (panel_of[i] == k) {
                sorted[at++] = lines[i];
            }
        }
    }
    c->panels = panels;
    sl_status status = SL_OK;
    for (int32_t k = 0; k < c->n_panel && status == SL_OK; k++) {
        status = label_panel(arena, &panels[k]);
    }
    return status;
}
