/* SPDX-License-Identifier: MIT */
/* zeno.c: executions without progress: discrete ones that do not settle, rounds without end at one instant, and
 * ever more events in ever less time (zeno executions, chattering). What cycles is named.
 */
#include "hybrid/impl.h"

#include "base/out.h"
#include "base/report.h"

#include <string.h>

enum { MAX_NAMED = 5 };

/* "valve (12 times), pump (12 times)": the discrete variables that changed most of late */
static void list_busy_variables(const sl_hybrid *h, char *text, size_t room) {
    size_t len = 0;
    int32_t below = INT32_MAX;
    text[0] = '\0';
    for (int32_t count = 0; count < MAX_NAMED;) {
        int32_t most = 0;
        for (int32_t j = 0; j < h->n_q; j++) {
            most = h->flips[j] < below && h->flips[j] > most ? h->flips[j] : most;
        }
        if (most == 0) {
            break;
        }
        for (int32_t j = 0; j < h->n_q && count < MAX_NAMED; j++) {
            if (h->flips[j] == most) {
                int wrote = sl_format(text + len, room - len, "%s%s (%d times)", count ? ", " : "",
                                      h->ops->q_name(h->instance, j), (int)most);
                len = wrote > 0 && (size_t)wrote < room - len ? len + (size_t)wrote : room - 1;
                count++;
            }
        }
        below = most;
    }
    if (len == 0) {
        (void)sl_format(text, room, "none");
    }
}

static sl_status report_zeno(const sl_hybrid *h, const char *what, const char *hint, sl_diags *diags) {
    char names[512];
    list_busy_variables(h, names, sizeof names);
    sl_report(diags, SL_ERROR, SL_CODE_ZENO, NULL, NULL, NULL, hint,
              "at %.12g s: %s; discrete variables that changed: %s", h->now.t, what, names);
    return SL_ERR_SOLVE;
}

sl_status sl_zeno_check_event(sl_hybrid *h, sl_diags *diags) {
    int32_t n = h->def.max_event;
    int64_t last = h->now.n_event;
    double before = last > 0 ? h->events[(last - 1) % n] : h->now.t - 2.0 * h->def.window;
    if (h->now.t - before > h->def.window) { /* what changed before is another story */
        memset(h->flips, 0, (size_t)h->n_q * sizeof *h->flips);
    }
    bool full = last >= n;
    double first = full ? h->events[last % n] : 0.0;
    h->events[last % n] = h->now.t;
    h->now.n_event++;
    if (!full || h->now.t - first > h->def.window) {
        return SL_OK;
    }
    char what[96];
    (void)sl_format(what, sizeof what, "%d events within %.3g s, a zeno execution", (int)n + 1, h->now.t - first);
    return report_zeno(h, what, "add what ends the sequence (rest, a sliding mode, hysteresis), or allow more events",
                       diags);
}

sl_status sl_zeno_check_round(sl_hybrid *h, sl_diags *diags) {
    if (h->now.round <= h->def.max_round) {
        return SL_OK;
    }
    char what[96];
    (void)sl_format(what, sizeof what, "more than %d discrete executions at one instant", (int)h->def.max_round);
    return report_zeno(
        h, what, "roots, modes and actions answer each other for ever: break the circle (hysteresis, a sliding mode)",
        diags);
}

sl_status sl_zeno_check_discrete(sl_hybrid *h, sl_diags *diags) {
    if (h->now.i <= h->def.max_discrete) {
        return SL_OK;
    }
    char what[96];
    (void)sl_format(what, sizeof what, "a discrete execution of more than %d steps", (int)h->def.max_discrete);
    return report_zeno(h, what, "its transitions do not come to rest", diags);
}
