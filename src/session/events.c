/* SPDX-License-Identifier: MIT */
/* events.c: the event stream of a session.
 *
 * The engine shows what happened in its last step and in refreshes since. An event is given when the session's own time reaches
 * it, never when merely the engine has: a set before it may still undo it. A cursor into the engine's list tells what was given.
 * Nothing is asked of the engine as long as nobody wants events.
 */
#include "session/session_impl.h"

#include "base/sized.h"

static bool sink_takes_events(const sl_session_sink *sink) {
    return sink->sink.event && sink->begun && !sink->ended;
}

static bool wanted(const sl_session *s) {
    return s->ops->events && (s->events.recording || s->events.n_taker > 0);
}

/* A text that stays where it is: causes repeat, so each is kept once. NULL: no memory. */
static const char *keep_text(sl_session *s, const char *text) {
    sl_session_events *e = &s->events;
    if (!text || !text[0]) {
        return "";
    }
    if (!e->ids) {
        e->ids = sl_ids_create(s->ctx);
        sl_arena_init(&e->arena, s->ctx);
    }
    int32_t at = e->ids ? sl_ids_find(e->ids, sl_str_z(text)) : -1;
    if (e->ids && at < 0) {
        char *copy = SL_RESERVE(s->ctx, &e->texts, e->texts.n + 1) ? sl_arena_copy(&e->arena, sl_str_z(text)) : NULL;
        if (copy && sl_ids_add(e->ids, sl_str_z(text)) >= 0) {
            at = (int32_t)e->texts.n;
            e->texts.at[e->texts.n++] = copy;
        }
    }
    return at >= 0 ? e->texts.at[at] : NULL;
}

static sl_status keep_event(sl_session *s, const sl_engine_event *event) {
    sl_engine_event own = *event;
    own.cause = keep_text(s, event->cause);
    return own.cause && SL_PUSH(s->ctx, &s->events.kept, own) ? SL_OK : SL_ERR_MEMORY;
}

static sl_status give_event(sl_session *s, const sl_engine_event *event) {
    sl_status status = s->events.recording ? keep_event(s, event) : SL_OK;
    for (int64_t k = 0; k < s->sinks.n && status == SL_OK; k++) {
        const sl_session_sink *sink = &s->sinks.at[k];
        status = sink_takes_events(sink) ? sink->sink.event(sink->sink.user, event, s->diags) : SL_OK;
    }
    return status;
}

sl_status sl_session_events_emit(sl_session *s, double t) {
    if (!wanted(s)) {
        return SL_OK;
    }
    int32_t n = 0;
    const sl_engine_event *list = s->ops->events(s->engine, &n);
    while (s->events.n_given < n && list[s->events.n_given].time <= t) {
        sl_status status = give_event(s, &list[s->events.n_given]);
        if (status != SL_OK) {
            return status;
        }
        s->events.n_given++;
    }
    return SL_OK;
}

void sl_session_events_cut(sl_session *s) {
    int32_t n = 0;
    if (wanted(s)) {
        (void)s->ops->events(s->engine, &n);
        s->events.n_given = s->events.n_given < n ? s->events.n_given : n;
    }
}

void sl_session_events_drop(sl_session *s) {
    sl_session_events *e = &s->events;
    while (e->kept.n > 0 && (e->kept.at[e->kept.n - 1].time > s->t || !s->started)) {
        e->kept.n--;
    }
    e->n_given = 0;
}

sl_status sl_session_record_events(sl_session *s, bool on) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION)) {
        return SL_ERR_USE;
    }
    if (on && !wanted(s) && s->ops->events) { /* those up to now are past */
        int32_t n = 0;
        const sl_engine_event *list = s->ops->events(s->engine, &n);
        s->events.n_given = 0;
        while (s->events.n_given < n && list[s->events.n_given].time <= s->t) {
            s->events.n_given++;
        }
    }
    s->events.recording = on;
    return SL_OK;
}

int64_t sl_session_n_event(const sl_session *s) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION)) {
        return 0;
    }
    return s->events.kept.n;
}

sl_event_info sl_session_event_info(const sl_session *s, const sl_engine_event *e) {
    return (sl_event_info){
        .size = sizeof(sl_event_info),
        .time = e->time,
        .kind = e->kind,
        .element_class = s->ops->classes[e->of].name,
        .element = sl_session_element(s, e->of, e->index),
        .quantity = e->field >= 0 ? s->ops->fields[e->field].name : "",
        .from = e->from,
        .to = e->to,
        .cause = e->cause ? e->cause : "",
    };
}

sl_status sl_session_event(const sl_session *s, int64_t i, sl_event_info *out) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION) || !out) {
        return SL_ERR_USE;
    }
    if (i < 0 || i >= s->events.kept.n || !sl_sized_valid(out)) {
        return SL_ERR_USE;
    }
    const sl_event_info info = sl_session_event_info(s, &s->events.kept.at[i]);
    sl_sized_give(out, &info, sizeof info);
    return SL_OK;
}

void sl_session_events_fini(sl_session *s) {
    SL_ARRAY_FINI(s->ctx, &s->events.kept);
    SL_ARRAY_FINI(s->ctx, &s->events.texts);
    sl_ids_destroy(s->events.ids);
    if (s->events.ids) {
        sl_arena_fini(&s->events.arena);
    }
}
