/* SPDX-License-Identifier: MIT */
/* automaton_trace.c: see automaton_trace.h. */
#include "kinds/automaton_trace.h"

#include "automata/trace_impl.h"
#include "base/out.h"
#include "base/report.h"
#include "engine/facets.h"
#include "session/session.h"

#include <math.h>
#include <string.h>

enum {
    SMOOTH = 600,    /* points over the time that is seen, at least */
    INNER = 8,       /* ... within one step, in a phase plane: time does not say how far it goes there */
    INNER_MOST = 600 /* ... at most */
};

typedef struct follower {
    sl_tracer *r;
    sl_model *model;
    sl_session *s;
    int32_t value, state; /* fields; -1: there are none */
    int64_t n_event;      /* seen */
    int32_t *q;           /* [n_q] at the session's time */
    double *jump;         /* [n_x] values before the events at the session's time */
} follower;

/* ---- The session -------------------------------------------------------------------------------- */

static const double *values_now(const follower *f) {
    int32_t n = 0;
    return f->value >= 0 ? sl_session_view(f->s, f->value, &n) : NULL;
}

static const int32_t *states_now(const follower *f) {
    int32_t n = 0;
    const double *q = f->state >= 0 ? sl_session_view(f->s, f->state, &n) : NULL;
    for (int32_t i = 0; i < n && q; i++) {
        f->q[i] = (int32_t)q[i];
    }
    return f->q;
}

static sl_status open_session(follower *f, const sl_execution_def *run) {
    sl_tracer *r = f->r;
    f->q = sl_arena_alloc(&r->out->arena, ((size_t)r->out->n_q + 1) * sizeof *f->q);
    f->jump = sl_arena_alloc(&r->out->arena, ((size_t)r->out->n_all_x + 1) * sizeof *f->jump);
    sl_status status = f->q && f->jump ? sl_model_of_automaton_run(r->ctx, r->m, run, &f->model) : SL_ERR_MEMORY;
    status = status == SL_OK ? sl_session_create(r->ctx, f->model, r->diags, &f->s) : status;
    if (status != SL_OK) {
        return status;
    }
    f->value = sl_session_field(f->s, "variable.value");
    f->state = sl_session_field(f->s, "discrete.state");
    return sl_session_record_events(f->s, true);
}

/* ---- Motion ------------------------------------------------------------------------------------- */

/* The roots that decided a variable, for the diagram: "hot ↑". A root without a name is called by what it decides. */
static void note_root(sl_tracer *r, const sl_event_info *e) {
    size_t used = strlen(r->crossed);
    if (used + 40 > sizeof r->crossed) {
        return;
    }
    bool made = e->cause[0] == 'w' && e->cause[1] && e->cause[1 + strspn(e->cause + 1, "0123456789")] == '\0';
    bool named = e->cause[0] && !made;
    (void)sl_format(r->crossed + used, sizeof r->crossed - used, "%s%.24s %s", used ? ", " : "",
                    named ? e->cause : e->element, e->to > e->from ? "↑" : "↓");
}

/* The events since the last call, latest first: what continuous variables were before them. True: some jumped. */
static bool values_before_events(follower *f) {
    sl_event_info e = {.size = sizeof e};
    memcpy(f->jump, values_now(f), (size_t)f->r->out->n_all_x * sizeof *f->jump);
    for (int64_t i = sl_session_n_event(f->s) - 1; i >= f->n_event; i--) {
        (void)sl_session_event(f->s, i, &e);
        bool moves = strcmp(e.element_class, "variable") == 0;
        int32_t x = moves ? sl_sha_find_variable(f->r->a, sl_str_z(e.element)) : -1;
        if (x >= 0) {
            f->jump[x] = e.from;
        }
    }
    return memcmp(f->jump, values_now(f), (size_t)f->r->out->n_all_x * sizeof *f->jump) != 0;
}

/* The end of a step: values before what happened there, the crossings, values after. */
static sl_status add_end(follower *f) {
    sl_tracer *r = f->r;
    sl_event_info e = {.size = sizeof e};
    double t = sl_session_time(f->s);
    bool jumps = values_before_events(f), fine = sl_tracer_add_point(r, t, f->jump), crossed = false;
    for (; fine && f->n_event < sl_session_n_event(f->s); f->n_event++) {
        (void)sl_session_event(f->s, f->n_event, &e);
        bool crosses = strcmp(e.kind, "crossing") == 0, root = strcmp(e.kind, "root") == 0;
        crossed = crosses || (crossed && root); /* roots that follow an action were not crossed */
        if (crosses) {
            fine = SL_PUSH_BOTH(r->ctx, &r->events, e.time, &r->event_points, r->t.n - 1);
        } else if (crossed) {
            note_root(r, &e);
        }
    }
    fine = fine && (!jumps || (sl_tracer_add_point(r, t, NULL) && sl_tracer_add_point(r, t, values_now(f))));
    return fine ? SL_OK : SL_ERR_MEMORY;
}

/* A point within the step, and the plane's own if it lies between the last one and this. */
static sl_status add_inner(follower *f, double from, double to) {
    sl_tracer *r = f->r;
    double wanted = r->def->time;
    sl_status status = SL_OK;
    if (!r->is_looked && wanted >= from && wanted < to) {
        status = wanted > sl_session_time(f->s) ? sl_session_advance(f->s, wanted, 0, NULL) : SL_OK;
        status = status == SL_OK && !sl_tracer_add_point(r, wanted, values_now(f)) ? SL_ERR_MEMORY : status;
        if (status == SL_OK) {
            sl_tracer_sample_plane(r, wanted, values_now(f), r->q);
        }
    }
    return status == SL_OK ? sl_session_advance(f->s, to, 0, NULL) : status;
}

/* One step of the engine. A first advance by the least there is makes the step; where it ends is known then. */
static sl_status follow_step(follower *f, sl_step *step) {
    sl_tracer *r = f->r;
    double begin = sl_session_time(f->s), from = isnan(r->def->from) ? 0.0 : r->def->from;
    sl_status status = sl_tracer_add_state(r, begin, states_now(f));
    if (status != SL_OK) {
        return status;
    }
    status = sl_session_advance(f->s, nextafter(begin, (double)INFINITY), SL_STOP_AT_EVENT, step);
    double end = step->reason == SL_REASON_TARGET ? sl_session_next_event(f->s) : step->time, length = end - begin;
    double least = r->def->plane ? INNER : 1.0, smooth = ceil(SMOOTH * length / fmax(r->out->end - from, length));
    int32_t n = end < from ? 1 : (int32_t)fmin(fmax(smooth, least), INNER_MOST);
    for (int32_t k = 1; k <= n && status == SL_OK && step->reason == SL_REASON_TARGET; k++) {
        double t = k == n ? end : begin + length * k / n, last = k == 1 ? begin : begin + length * (k - 1) / n;
        status = t > sl_session_time(f->s) ? add_inner(f, last, t) : SL_OK;
        if (status == SL_OK && k < n && !sl_tracer_add_point(r, t, values_now(f))) {
            status = SL_ERR_MEMORY;
        }
    }
    if (status == SL_OK && sl_session_time(f->s) > begin) {
        status = add_end(f);
    }
    if (status == SL_OK && sl_session_time(f->s) >= sl_session_end(f->s)) {
        step->reason = SL_REASON_END;
    }
    return status;
}

static sl_status check_times(const sl_tracer *r, double end) {
    const char *wrong = NULL, *hint = NULL;
    if (r->def->n_step >= 0) {
        wrong = "steps are those of discrete time, and this automaton has continuous time";
        hint = "leave --steps out";
    } else if (!isfinite(end)) {
        wrong = "the automaton does not say how long it runs";
        hint = "write run: {end: 60}, or use --to";
    } else if (r->def->time > end) {
        wrong = "the run ends before this time";
        hint = "choose an earlier --time";
    }
    if (wrong) {
        sl_report(r->diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL, hint, "%s", wrong);
    }
    return wrong ? SL_ERR_INPUT : SL_OK;
}

static sl_status follow_motion(follower *f, sl_status *run) {
    sl_tracer *r = f->r;
    sl_step step = {.size = sizeof step};
    sl_status status = sl_session_refresh(f->s);
    f->n_event = sl_session_n_event(f->s); /* values of the start, made consistent, do not jump */
    status = status == SL_OK && !sl_tracer_add_point(r, sl_session_time(f->s), values_now(f)) ? SL_ERR_MEMORY : status;
    bool begun = status == SL_OK;
    while (status == SL_OK && step.reason != SL_REASON_END) {
        status = follow_step(f, &step);
    }
    *run = status;
    if (status == SL_ERR_SOLVE && begun) {
        r->out->end = sl_session_time(f->s);
        r->out->outcome = "ended early";
        status = SL_OK;
    }
    if (status != SL_OK) {
        return status;
    }
    status = sl_tracer_add_state(r, sl_session_time(f->s), states_now(f));
    if (!r->is_looked) {
        sl_tracer_sample_plane(r, sl_session_time(f->s), values_now(f), r->q);
    }
    return status;
}

/* ---- Steps -------------------------------------------------------------------------------------- */

static const char *outcome_text(const sl_tracer *r, const sl_sda_run *run) {
    char text[120] = "";
    int32_t t = sl_sda_run_time(run), first, length;
    sl_sda_run_cycle(run, &first, &length);
    switch ((int)sl_sda_run_state(run)) {
    case SL_SDA_CONVERGED: (void)sl_format(text, sizeof text, "settled from t = %d on", (int)t); break;
    case SL_SDA_UNSOLVABLE: (void)sl_format(text, sizeof text, "unsolvable at t = %d", (int)t); break;
    case SL_SDA_CHOICE:
        (void)sl_format(text, sizeof text, "%lld derivatives at t = %d", (long long)sl_sda_run_n_choice(run), (int)t);
        break;
    case SL_SDA_ZENO:
        (void)sl_format(text, sizeof text, "without end: at t = %d as at t = %d", (int)t, (int)first);
        break;
    case SL_SDA_GAVE_UP: (void)sl_format(text, sizeof text, "not decided at t = %d", (int)t); break;
    default:
        if (r->def->n_step < 0) {
            (void)sl_format(text, sizeof text, "not settled after %d steps", (int)t);
        }
        break;
    }
    return sl_arena_copy(&r->out->arena, sl_str_z(text));
}

/* Diagrams show states without a derivative, or with several; other pictures end there with an error. */
static sl_status follow_steps(follower *f, sl_status *run) {
    sl_tracer *r = f->r;
    sl_step step = {.size = sizeof step};
    sl_facet_discrete_run facet = {.size = sizeof facet};
    sl_status status = sl_session_refresh(f->s);
    while (status == SL_OK && step.reason != SL_REASON_END) {
        status = sl_tracer_add_changes(r, sl_session_time(f->s), states_now(f))
                     ? sl_session_advance(f->s, (double)INFINITY, SL_STOP_AT_EVENT, &step)
                     : SL_ERR_MEMORY;
    }
    if (status != SL_OK && status != SL_ERR_SOLVE) {
        return status;
    }
    bool changed = sl_tracer_add_changes(r, sl_session_time(f->s), states_now(f));
    sl_status found = sl_session_facet(f->s, SL_FACET_DISCRETE_RUN, &facet);
    if (!changed || found != SL_OK) {
        return changed ? found : SL_ERR_MEMORY;
    }
    r->out->end = sl_session_time(f->s);
    r->out->outcome = outcome_text(r, facet.run);
    int state = (int)sl_sda_run_state(facet.run);
    bool fails = state == SL_SDA_UNSOLVABLE || state == SL_SDA_CHOICE || state == SL_SDA_GAVE_UP;
    *run = fails && !r->def->diagram ? SL_ERR_SOLVE : SL_OK;
    return r->out->outcome ? SL_OK : SL_ERR_MEMORY;
}

/* ---- The whole ---------------------------------------------------------------------------------- */

static sl_status follow(sl_tracer *r, sl_status *run) {
    follower f = {.r = r};
    sl_execution_def def = sl_execution_default();
    (void)sl_automaton_get_run(r->m, &def);
    def.end = isnan(r->def->end) ? def.end : r->def->end;
    sl_status status = SL_OK;
    if (r->out->discrete && r->def->plane) {
        sl_report(r->diags, SL_ERROR, SL_CODE_WRONG_KIND, NULL, NULL, NULL, "draw its --states, or a --diagram",
                  "the automaton has no continuous variables, and so no phase plane");
        status = SL_ERR_INPUT;
    } else if (!r->out->discrete) {
        status = check_times(r, def.end);
        r->out->end = def.end;
    } else {
        def.n_step = r->def->n_step >= 0 ? r->def->n_step : def.n_step;
    }
    status = status == SL_OK ? open_session(&f, &def) : status;
    if (status == SL_OK) {
        status = r->out->discrete ? follow_steps(&f, run) : follow_motion(&f, run);
        if (*run != SL_OK || status != SL_OK) {
            sl_diags_add_all(r->diags, sl_session_diags(f.s)); /* for whoever asked for the trace */
        }
    }
    sl_session_destroy(f.s);
    sl_model_destroy(f.model);
    return status;
}

sl_status sl_automaton_trace(sl_context *ctx, const sl_automaton *m, const sl_trace_def *def, sl_diags *diags,
                             sl_trace *out, sl_status *run) {
    sl_tracer r;
    *run = SL_OK;
    sl_status status = sl_tracer_init(&r, ctx, m, def, diags, out);
    status = status == SL_OK ? follow(&r, run) : status;
    status = status == SL_OK ? sl_tracer_finish(&r) : status;
    sl_tracer_fini(&r);
    if (status != SL_OK) {
        sl_trace_fini(out);
    }
    return status;
}
