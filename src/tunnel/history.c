/* SPDX-License-Identifier: MIT */
/* history.c: see history.h. */
#include "tunnel/history.h"

#include "base/count_text.h"

#include <math.h>
#include <string.h>

/* ---- Life --------------------------------------------------------------------------------------- */

sl_status sl_tunnel_history_init(sl_tunnel_history *h, const sl_tunnel_network *net, sl_context *ctx,
                                 const int32_t *q) {
    *h = (sl_tunnel_history){.ctx = ctx,
                             .net = net,
                             .n_bit = sl_tunnel_n_bit(net),
                             .from = -INFINITY,
                             .to = INFINITY,
                             .most = INT32_MAX,
                             .t = (double)NAN};
    sl_arena_init(&h->arena, ctx);
    h->q = sl_arena_keep(&h->arena, q, (size_t)h->n_bit * sizeof *q);
    h->told = sl_arena_alloc(&h->arena, (size_t)h->n_bit);
    h->names = sl_ids_create(ctx);
    bool fine = h->q && h->told && h->names && sl_tunnel_marks_init(&h->marks, net, ctx) == SL_OK;
    for (int32_t j = 0; fine && j < h->n_bit; j++) {
        const char *name = NULL;
        fine = sl_tunnel_bit_name(net, j, &h->arena, &name) == SL_OK && sl_ids_add(h->names, sl_str_z(name)) == j;
    }
    if (!fine) {
        sl_tunnel_history_fini(h);
        return SL_ERR_MEMORY;
    }
    sl_tunnel_mark_all(&h->marks, net);
    return SL_OK;
}

void sl_tunnel_history_fini(sl_tunnel_history *h) {
    if (h->net) {
        sl_tunnel_marks_fini(&h->marks, h->net, h->ctx);
        sl_ids_destroy(h->names);
        SL_ARRAY_FINI(h->ctx, &h->frames);
        SL_ARRAY_FINI(h->ctx, &h->states);
        SL_ARRAY_FINI(h->ctx, &h->flips);
        sl_arena_fini(&h->arena);
    }
    *h = (sl_tunnel_history){0};
}

int32_t sl_tunnel_history_find(const sl_tunnel_history *h, sl_str name) {
    return sl_ids_find(h->names, name);
}

const char *sl_tunnel_history_nearest(const sl_tunnel_history *h, sl_str name) {
    int32_t j = sl_ids_nearest(h->names, name);
    return j >= 0 ? sl_ids_z(h->names, j) : NULL;
}

const char *sl_tunnel_history_name(const sl_tunnel_history *h, int32_t j) {
    return sl_ids_z(h->names, j);
}

/* ---- Frames ------------------------------------------------------------------------------------- */

static sl_status keep_frame(sl_tunnel_history *h, int32_t step, bool is_last, const char *cause) {
    bool within = isnan(h->t) || (h->t >= h->from && h->t <= h->to);
    if (!within || (h->only_last && !is_last)) {
        return SL_OK;
    }
    if (h->frames.n >= h->most) {
        h->n_left_out++;
        return SL_OK;
    }
    const sl_tunnel_frame frame = {
        .t = h->t, .execution = h->execution, .step = step, .is_last = is_last, .at = h->states.n, .cause = cause};
    if (!SL_RESERVE(h->ctx, &h->states, h->states.n + h->n_bit) || !SL_PUSH(h->ctx, &h->frames, frame)) {
        return SL_ERR_MEMORY;
    }
    for (int32_t j = 0; j < h->n_bit; j++) {
        h->states.at[h->states.n++] = (uint8_t)(h->q[j] != 0);
    }
    return SL_OK;
}

/* An execution from the present state to rest. *n_flip: changes that its steps made. */
static sl_status settle(sl_tunnel_history *h, int64_t *n_flip) {
    const char *cause = sl_arena_copy(&h->arena, sl_str_z(h->cause));
    sl_status status = cause ? SL_OK : SL_ERR_MEMORY;
    h->cause[0] = '\0';
    *n_flip = 0;
    for (int32_t i = 0; status == SL_OK; i++) {
        /* whether this state is the last is known when no step leads on from it */
        int64_t frame = h->frames.n;
        status = h->only_last ? SL_OK : keep_frame(h, i, false, cause);
        int32_t n = status == SL_OK ? sl_tunnel_step(h->net, &h->marks, i, h->q) : 0;
        *n_flip += n;
        if (n == 0 || i > SL_TUNNEL_STEPS_MAX) {
            if (status == SL_OK && h->only_last) {
                status = keep_frame(h, i, true, cause);
            } else if (h->frames.n > frame) {
                h->frames.at[frame].is_last = true;
            }
            break;
        }
    }
    h->execution++;
    return status;
}

/* ---- From events -------------------------------------------------------------------------------- */

static void add_cause(sl_tunnel_history *h, const char *between, const char *text) {
    if (text[0]) {
        sl_append(h->cause, sizeof h->cause, "%s%s", h->cause[0] ? between : "", text);
    }
}

/* The changes that events have told are those of one execution. */
static sl_status finish(sl_tunnel_history *h) {
    int64_t n = h->flips.n, n_flip;
    if (n == 0) {
        return SL_OK;
    }
    sl_status status = settle(h, &n_flip);
    bool same = n_flip == n;
    for (int64_t k = 0; k < n; k++) { /* the last value of each */
        h->told[h->flips.at[k] >> 1] = (uint8_t)(h->flips.at[k] & 1);
    }
    for (int64_t k = 0; k < n && same; k++) {
        int32_t j = h->flips.at[k] >> 1;
        same = h->q[j] == h->told[j];
    }
    h->flips.n = 0;
    return status != SL_OK ? status : same ? SL_OK : SL_ERR_INPUT;
}

static bool ends_in_ctl(const char *name) {
    size_t n = strlen(name);
    return n > 3 && strcmp(name + n - 3, "ctl") == 0;
}

sl_status sl_tunnel_history_take(sl_tunnel_history *h, const sl_tunnel_event *e) {
    bool transition = strcmp(e->kind, "transition") == 0, root = strcmp(e->kind, "root") == 0;
    sl_status status = transition ? SL_OK : finish(h);
    if (e->t != h->t) {
        h->cause[0] = '\0';
    }
    h->t = e->t;
    if (strcmp(e->kind, "crossing") == 0) {
        add_cause(h, ", ", e->cause);
    }
    if (status != SL_OK || !(transition || root)) {
        return status;
    }
    int32_t j = sl_ids_find(h->names, sl_str_z(e->element)), to = e->to != 0.0;
    if (j < 0 && root && strncmp(e->element, "gate[", 5) == 0) { /* a schedule, or a partner */
        add_cause(h, ", ", e->element);
        add_cause(h, " ", to ? "opens" : "shuts");
    }
    if (j < 0) {
        return SL_OK;
    }
    if (transition) {
        return SL_PUSH(h->ctx, &h->flips, 2 * j + to) ? SL_OK : SL_ERR_MEMORY;
    }
    h->q[j] = to;
    sl_tunnel_mark(&h->marks, h->net, j);
    if (ends_in_ctl(e->element)) {
        add_cause(h, ", ", e->element);
    }
    return SL_OK;
}

sl_status sl_tunnel_history_end(sl_tunnel_history *h) {
    return finish(h);
}

/* ---- Alone -------------------------------------------------------------------------------------- */

sl_status sl_tunnel_history_execute(sl_tunnel_history *h, int32_t n, const int32_t *controls) {
    int64_t n_flip;
    h->cause[0] = '\0';
    for (int32_t k = 0; k < n; k++) {
        h->q[controls[k]] = 1;
        sl_tunnel_mark(&h->marks, h->net, controls[k]);
        add_cause(h, ", ", sl_ids_z(h->names, controls[k]));
    }
    return settle(h, &n_flip);
}
