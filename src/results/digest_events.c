/* SPDX-License-Identifier: MIT */
/* digest_events.c: events of a run, counted by kind, and the first of them; see digest.h. */
#include "results/digest.h"

#include <math.h>
#include <string.h>

static void keep(const sl_digest_events *e, const sl_engine_event *x, sl_digest_event *out) {
    *out = (sl_digest_event){.time = x->time, .from = (double)NAN, .to = (double)NAN, .kind = x->kind};
    (void)sl_format(out->element_class, sizeof out->element_class, "%s", e->ops->classes[x->of].name);
    (void)sl_format(out->element, sizeof out->element, "%s", sl_engine_element(e->ops, e->engine, x->of, x->index));
    (void)sl_format(out->cause, sizeof out->cause, "%s", x->cause ? x->cause : "");
    if (x->field >= 0) {
        (void)sl_format(out->quantity, sizeof out->quantity, "%s", e->ops->fields[x->field].name);
        out->from = x->from;
        out->to = x->to;
        const sl_field *f = &e->ops->fields[x->field];
        if (x->to >= 0.0 && x->to < sl_field_n_word(f)) { /* "closed", of a code */
            (void)sl_format(out->word, sizeof out->word, "%s", f->words[(int32_t)x->to]);
        }
    }
}

void sl_digest_events_note(sl_digest_events *e, const sl_engine_event *x) {
    int32_t k = 0;
    while (k < e->n_kind && e->kind[k] != x->kind && strcmp(e->kind[k], x->kind) != 0) {
        k++;
    }
    if (k < SL_DIGEST_KINDS) {
        e->n_kind = k == e->n_kind ? k + 1 : e->n_kind;
        e->kind[k] = x->kind;
        e->count[k]++;
    }
    /* That a run begins, settles or ends is nobody's news. */
    if (e->n_first < SL_DIGEST_FIRST && (x->field >= 0 || *e->ops->classes[x->of].name)) {
        keep(e, x, &e->first[e->n_first++]);
    }
    e->n++;
}

static sl_status begin(void *user, const sl_result_layout *layout, sl_diags *diags) {
    sl_digest_events *e = user;
    (void)diags;
    e->ops = layout->ops;
    e->engine = layout->engine;
    return SL_OK;
}

static sl_status event(void *user, const sl_engine_event *x, sl_diags *diags) {
    (void)diags;
    sl_digest_events_note(user, x);
    return SL_OK;
}

sl_result_sink sl_digest_events_sink(sl_digest_events *e) {
    return (sl_result_sink){.user = e, .begin = begin, .event = event};
}

static void put_first(sl_digest *d, const sl_digest_event *x) {
    sl_digest_row(d, NULL);
    sl_digest_number(d, "time", x->time, NULL);
    sl_digest_text(d, "kind", x->kind, NULL);
    sl_digest_text(d, "class", sl_digest_format(d, "%s", x->element_class), NULL);
    sl_digest_text(d, "element", sl_digest_format(d, "%s", x->element), NULL);
    sl_digest_text(d, "quantity", sl_digest_format(d, "%s", x->quantity), NULL);
    sl_digest_number(d, "from", x->from, NULL);
    sl_digest_number(d, "to", x->to, NULL);
    sl_digest_text(d, "cause", sl_digest_format(d, "%s", x->cause), NULL);
    sl_digest_words(d, sl_digest_format(d, "%s, %s%s%s%s: %s%s%s%s%s%s", sl_digest_time(d, x->time), x->element_class,
                                        *x->element_class ? " " : "", x->element, *x->element ? "" : "model", x->kind,
                                        *x->word ? " becomes " : "", x->word, *x->cause ? " (" : "", x->cause,
                                        *x->cause ? ")" : ""));
}

void sl_digest_put_events(sl_digest *d, const sl_digest_events *e) {
    sl_digest_record(d, SL_DIGEST_EVENTS, "events", e->n > 0 ? "Events" : NULL);
    sl_digest_whole(d, "count", e->n, NULL);
    sl_digest_group(d, "kinds");
    for (int32_t k = 0; k < e->n_kind; k++) {
        sl_digest_whole(d, e->kind[k], e->count[k], sl_digest_format(d, "%lld %s", (long long)e->count[k], e->kind[k]));
    }
    sl_digest_group_end(d);
    sl_digest_list(d, SL_DIGEST_EVENTS, "first_events", "", NULL);
    for (int32_t i = 0; i < e->n_first; i++) {
        put_first(d, &e->first[i]);
    }
}
