/* SPDX-License-Identifier: MIT */
/* network_steps.c: networks of which a run would take more steps than anybody waits for: as a rule a slip of the unit. The line of the
 * file that says so is looked for only then. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/report.h"
#include "kinds/rows.h"

/* The line of [TIMES] that begins with these words, in the first four letters each. */
static bool find_line(const sl_source *source, const char *first, const char *second, sl_text_location *place) {
    const char *at = source->bytes, *end = at + source->n;
    bool times = false;
    for (uint32_t line = 1; at && at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const char *next = stop ? stop + 1 : end;
        size_t n = (size_t)((stop ? stop : end) - at), k = 0;
        n -= n > 0 && at[n - 1] == '\r';
        while (k < n && (at[k] == ' ' || at[k] == '\t')) {
            k++;
        }
        if (k < n && at[k] == '[') {
            times = n - k > 4 && sl_str_equal_nocase((sl_str){at + k, 5}, sl_str_z("[TIME"));
        } else if (times && n - k > 4 && sl_str_equal_nocase((sl_str){at + k, 4}, sl_str_z(first))) {
            size_t w = k;
            while (w < n && at[w] != ' ' && at[w] != '\t') {
                w++;
            }
            while (w < n && (at[w] == ' ' || at[w] == '\t')) {
                w++;
            }
            if (!second || (n - w >= 4 && sl_str_equal_nocase((sl_str){at + w, 4}, sl_str_z(second)))) {
                *place = (sl_text_location){
                    .file = source->name, .line = line, .text = {at, n}, .begin = k, .length = n - k};
                return true;
            }
        }
        at = next;
    }
    return false;
}

sl_status sl_network_bound_steps(const sl_load *load, const sl_network *net) {
    const sl_times *t = &net->times;
    const double never = (double)INFINITY;
    const struct {
        const char *what, *first, *second;
        double step;
    } steps[] = {{"pattern", "PATT", "TIME", t->pattern_step},
                 {"report", "REPO", "TIME", t->report_step},
                 {"hydraulic", "HYDR", NULL, t->hydraulic_step},
                 {"rule", "RULE", NULL, net->n_rule > 0 ? t->rule_step : never},
                 {"quality", "QUAL", NULL, net->quality.kind != SL_QUALITY_NONE ? t->quality_step : never}};
    double duration = isnan(load->duration) ? t->duration : load->duration,
           most = SL_STEPS_MOST * load->ctx->def.effort;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        double n = duration / steps[i].step;
        if (!(steps[i].step > 0.0) || n <= most) {
            continue;
        }
        sl_text_location place = {.file = load->source->name};
        if (!find_line(load->source, steps[i].first, steps[i].second, &place)) {
            (void)find_line(load->source, "DURA", NULL, &place);
        }
        sl_report(load->diags, SL_ERROR, SL_CODE_VALUE_RANGE, &place, NULL, NULL,
                  "write a longer step, or a shorter duration; --effort allows more",
                  "a %s step of %g s within a duration of %g s: %.3g steps are too many", steps[i].what, steps[i].step,
                  duration, n);
        return SL_ERR_INPUT;
    }
    return SL_OK;
}
