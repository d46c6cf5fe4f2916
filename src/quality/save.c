/* SPDX-License-Identifier: MIT */
/* save.c: a run as bytes: both ends of the last step and the flows between them; of the rows only what they hold. The order of
 * nodes decides in which order numbers are added up: one that was repaired is saved, others follow from the flows. */
#include "quality/impl.h"

#include <math.h>
#include <string.h>

enum { NO_ORDER, ORDER_OF_FLOWS, REPAIRED_ORDER };

typedef struct saved_run {
    double begin, end;
    int64_t stepped, order;
} saved_run;

typedef struct saved_state {
    double time, clock, pipe_volume;
    int64_t excess, filled, begun, nothing, n_segment;
    sl_quality_ledger ledger;
} saved_state;

/* The arrays of a run and of a state, in the order in which they are saved. */
enum { RUN_ARRAYS = 5, STATE_ARRAYS = 5 };
typedef struct array {
    double *at;
    int32_t n;
} array;

static void arrays_of_run(const sl_quality *q, array a[RUN_ARRAYS]) {
    const sl_network *net = q->m->net;
    a[0] = (array){q->flow, net->n_link};
    a[1] = (array){q->outflow, net->n_junction};
    a[2] = (array){q->volume, net->n_tank};
    a[3] = (array){q->strength, net->n_source};
    a[4] = (array){q->used, net->n_source};
}

static void arrays_of_state(const sl_quality *q, const sl_quality_state *s, array a[STATE_ARRAYS]) {
    const sl_network *net = q->m->net;
    a[0] = (array){s->node, net->n_node};
    a[1] = (array){s->tank_volume, net->n_tank};
    a[2] = (array){s->rate, s->rate ? net->n_pipe : 0};
    a[3] = (array){(double *)s->fade, s->fade ? 2 * net->n_pipe : 0};
    a[4] = (array){(double *)s->device, 2 * (net->n_link - net->n_pipe)};
}

static size_t bytes_of(const array *a, int n) {
    size_t sum = 0;
    for (int i = 0; i < n; i++) {
        sum += (size_t)a[i].n * sizeof(double);
    }
    return sum;
}

static size_t state_size(const sl_quality *q, const sl_quality_state *s, int64_t n_segment) {
    array a[STATE_ARRAYS];
    arrays_of_state(q, s, a);
    return sizeof(saved_state) + bytes_of(a, STATE_ARRAYS) + (size_t)s->segments.n_row * sizeof(uint32_t) +
           (size_t)n_segment * sizeof(sl_segment);
}

static int order_of(const sl_quality *q) {
    return !q->order.made ? NO_ORDER : q->order.repaired ? REPAIRED_ORDER : ORDER_OF_FLOWS;
}

static size_t run_size(const sl_quality *q) {
    array a[RUN_ARRAYS];
    arrays_of_run(q, a);
    size_t order = order_of(q) == REPAIRED_ORDER ? (size_t)q->m->net->n_node * sizeof(int32_t) : 0;
    return sizeof(saved_run) + bytes_of(a, RUN_ARRAYS) + order;
}

size_t sl_quality_save_size(const sl_quality *q) {
    return run_size(q) + state_size(q, q->now, sl_segments_total(&q->now->segments)) +
           state_size(q, q->before, sl_segments_total(&q->before->segments));
}

static unsigned char *put(unsigned char *at, const void *from, size_t n) {
    if (n > 0) {
        memcpy(at, from, n);
    }
    return at + n;
}

static unsigned char *put_arrays(unsigned char *at, const array *a, int n) {
    for (int i = 0; i < n; i++) {
        at = put(at, a[i].at, (size_t)a[i].n * sizeof(double));
    }
    return at;
}

static unsigned char *put_state(const sl_quality *q, const sl_quality_state *s, unsigned char *at) {
    array a[STATE_ARRAYS];
    saved_state head;
    memset(&head, 0, sizeof head);
    head.time = s->time;
    head.clock = s->clock;
    head.pipe_volume = s->pipe_volume;
    head.excess = s->excess;
    head.filled = s->filled;
    head.begun = s->begun;
    head.nothing = s->nothing;
    head.n_segment = sl_segments_total(&s->segments);
    head.ledger = s->ledger;
    at = put(at, &head, sizeof head);
    arrays_of_state(q, s, a);
    at = put_arrays(at, a, STATE_ARRAYS);
    for (int32_t i = 0; i < s->segments.n_row; i++) {
        at = put(at, &s->segments.row[i].n, sizeof(uint32_t));
    }
    for (int32_t i = 0; i < s->segments.n_row; i++) {
        for (uint32_t k = 0; k < s->segments.row[i].n; k++) {
            at = put(at, sl_segment_at(&s->segments, &s->segments.row[i], k), sizeof(sl_segment));
        }
    }
    return at;
}

void sl_quality_save(const sl_quality *q, void *bytes) {
    array a[RUN_ARRAYS];
    saved_run head;
    memset(&head, 0, sizeof head);
    head.begin = q->begin;
    head.end = q->end;
    head.stepped = q->stepped;
    head.order = order_of(q);
    unsigned char *at = put(bytes, &head, sizeof head);
    arrays_of_run(q, a);
    at = put_arrays(at, a, RUN_ARRAYS);
    for (int32_t i = 0; head.order == REPAIRED_ORDER && i < q->m->net->n_node; i++) {
        at = put(at, &q->order.stop[i].node, sizeof(int32_t));
    }
    at = put_state(q, q->now, at);
    put_state(q, q->before, at);
}

/* ---- Taking back -------------------------------------------------------------------------------- */

typedef struct source {
    const unsigned char *at;
    size_t left;
    bool bad;
} source;

static void get(source *in, void *to, size_t n) {
    if (in->bad || n > in->left) {
        in->bad = true;
        return;
    }
    if (n > 0) {
        memcpy(to, in->at, n);
    }
    in->at += n;
    in->left -= n;
}

static void get_arrays(source *in, const array *a, int n) {
    for (int i = 0; i < n; i++) {
        get(in, a[i].at, (size_t)a[i].n * sizeof(double));
    }
}

/* Tanks hold a segment at least, two with two compartments. */
static uint32_t least(const sl_quality *q, int32_t row) {
    int32_t tank = row - q->m->net->n_link;
    return tank < 0 ? 0 : q->m->net->tank_mixing[tank] == SL_MIX_TWO_COMPARTMENT ? 2 : 1;
}

static sl_status get_state(sl_quality *q, sl_quality_state *s, source *in) {
    array a[STATE_ARRAYS];
    saved_state head = {0};
    sl_segments *g = &s->segments;
    int64_t sum = 0;
    get(in, &head, sizeof head);
    arrays_of_state(q, s, a);
    get_arrays(in, a, STATE_ARRAYS);
    for (int32_t k = 0; s->fade && head.filled && k < q->m->net->n_pipe; k++) {
        in->bad |= !(s->fade[k].factor > 0.0 && isfinite(s->fade[k].factor));
    }
    source counts = *in;
    for (int32_t i = 0; i < g->n_row && !in->bad; i++) {
        uint32_t n = 0;
        get(in, &n, sizeof n);
        sum += n;
        in->bad |= head.filled && n < least(q, i);
    }
    if (in->bad || sum != head.n_segment || (uint64_t)sum > in->left / sizeof(sl_segment)) {
        return SL_ERR_INPUT;
    }
    sl_segments_clear(g);
    for (int32_t i = 0; i < g->n_row; i++) {
        uint32_t n = 0;
        get(&counts, &n, sizeof n);
        for (uint32_t k = 0; k < n; k++) {
            sl_segment x = {0};
            get(in, &x, sizeof x);
            if (!sl_segment_add(g, i, false, x.v, x.c, 0.0)) {
                return SL_ERR_MEMORY;
            }
        }
    }
    s->time = head.time;
    s->clock = head.clock;
    s->pipe_volume = head.pipe_volume;
    s->excess = head.excess != 0;
    s->filled = head.filled != 0;
    s->begun = head.begun != 0;
    s->nothing = head.nothing != 0;
    s->ledger = head.ledger;
    return SL_OK;
}

/* The states are the ends of the step: one that begins elsewhere, or never ends, would take for ever to go through. */
#define LONGEST 1e7 /* quality steps */

static bool fits(const sl_quality *q, const saved_run *head) {
    return !head->stepped || (q->before->filled && q->now->filled && head->begin >= 0.0 && head->begin <= head->end &&
                              head->end - head->begin <= LONGEST * q->m->step && q->before->time == head->begin &&
                              q->now->time == head->end);
}

static sl_status get_order(sl_quality *q, int64_t order, source *in) {
    const sl_network *net = q->m->net;
    if (in->bad || order < NO_ORDER || order > (q->m->empty ? NO_ORDER : REPAIRED_ORDER)) {
        return SL_ERR_INPUT;
    }
    if (order == ORDER_OF_FLOWS) {
        sl_quality_order(q);
    }
    if (order != REPAIRED_ORDER) {
        return SL_OK;
    }
    get(in, q->order.list, (size_t)net->n_node * sizeof(int32_t));
    return !in->bad && sl_quality_take_order(q, q->order.list) ? SL_OK : SL_ERR_INPUT;
}

sl_status sl_quality_restore(sl_context *ctx, const sl_quality_model *m, const void *bytes, size_t n,
                             sl_quality **out) {
    sl_quality *q;
    sl_status status = sl_quality_create(ctx, m, &q);
    *out = NULL;
    if (status != SL_OK) {
        return status;
    }
    source in = {bytes, n, false};
    array a[RUN_ARRAYS];
    saved_run head = {0};
    get(&in, &head, sizeof head);
    arrays_of_run(q, a);
    get_arrays(&in, a, RUN_ARRAYS);
    status = get_order(q, head.order, &in);
    if (status == SL_OK) {
        status = get_state(q, q->now, &in);
    }
    if (status == SL_OK) {
        status = get_state(q, q->before, &in);
    }
    if (status == SL_OK && (in.left != 0 || !fits(q, &head))) {
        status = SL_ERR_INPUT;
    }
    if (status != SL_OK) {
        sl_quality_destroy(q);
        return status;
    }
    q->begin = head.begin;
    q->end = head.end;
    q->stepped = head.stepped != 0;
    *out = q;
    return SL_OK;
}
