/* SPDX-License-Identifier: MIT */
/* execution.c: executions of automata as programs see them: src/hybrid with the automaton's own parts beside it.
 *
 * A saved state is a head (what it is, of which automaton, a checksum), the choices since the start, and the state of src/hybrid.
 */
#include "automata/execution.h"

#include "base/ids.h"
#include "base/report.h"
#include "base/sized.h"

#include <math.h>
#include <string.h>

_Static_assert((int)SL_EVENT_INIT == SL_HYBRID_INIT && (int)SL_EVENT_ROOT == SL_HYBRID_ROOT &&
                   (int)SL_EVENT_TRANSITION == SL_HYBRID_TRANSITION && (int)SL_EVENT_SETTLED == SL_HYBRID_SETTLED &&
                   (int)SL_EVENT_ACTION == SL_HYBRID_ACTION && (int)SL_EVENT_STEP == SL_HYBRID_STEP &&
                   (int)SL_EVENT_CROSSING == SL_HYBRID_CROSSING && (int)SL_EVENT_JUMP == SL_HYBRID_JUMP &&
                   (int)SL_EVENT_STOP == SL_HYBRID_STOP && (int)SL_EVENT_CHOICE == SL_HYBRID_CHOICE &&
                   (int)SL_EVENT_ANY == SL_HYBRID_ANY,
               "events are those of src/hybrid");

const char *sl_event_text(sl_event event) {
    static const char *const texts[] = {"init", "root",     "transition", "settled", "action",
                                        "step", "crossing", "jump",       "stop",    "choice"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        if ((unsigned)event == 1u << k) {
            return texts[k];
        }
    }
    return "";
}

/* ---- Life --------------------------------------------------------------------------------------- */

/* from: an execution whose state the new one has; NULL: that of the start. */
static sl_status create(const sl_automaton *a, const sl_hybrid_def *def, uint64_t hash, const sl_hybrid *from,
                        sl_diags *diags, sl_execution **out) {
    sl_context *ctx = sl_automaton_context(a);
    const sl_hybrid_model *model = sl_automaton_model(a);
    *out = NULL;
    sl_execution *e = sl_alloc(ctx, sizeof *e);
    if (!e) {
        return SL_ERR_MEMORY;
    }
    *e = (sl_execution){.handle = SL_HANDLE_EXECUTION, .ctx = ctx, .a = a, .def = *def, .hash = hash};
    sl_status status = sl_diags_create(ctx, &e->diags);
    if (status == SL_OK) {
        status = from ? sl_hybrid_copy(from, e->diags, &e->h)
                      : sl_hybrid_create(ctx, model->ops, model->model, def, diags, &e->h);
    }
    if (status != SL_OK) {
        sl_execution_destroy(e);
        return status;
    }
    *out = e;
    return SL_OK;
}

sl_status sl_execution_create(const sl_automaton *a, const sl_execution_def *def, sl_diags *diags, sl_execution **out) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !out) {
        return SL_ERR_USE;
    }
    sl_execution_def run = sl_execution_default();
    sl_hybrid_def use;
    *out = NULL;
    sl_execution_def own = sl_execution_default();
    (void)sl_automaton_get_run(a, &own);
    bool sized = sl_sized_take(&run, sizeof run, def ? def : &own);
    run.n_step = own.n_step;
    run.relax = own.relax;
    sl_status status = sized && sl_automaton_is_finished(a) ? sl_execution_def_use(&run, &use) : SL_ERR_USE;
    if (status != SL_OK) {
        return status;
    }
    use.discrete_only = sl_automaton_is_discrete(a);
    use.max_discrete = sl_automaton_n_step(a) > use.max_discrete ? sl_automaton_n_step(a) : use.max_discrete;
    return create(a, &use, sl_execution_def_hash(&run, sl_automaton_hash(a)), NULL, diags, out);
}

void sl_execution_destroy(sl_execution *e) {
    if (SL_HANDLE_IS(e, SL_HANDLE_EXECUTION)) {
        e->handle = SL_HANDLE_GONE;
        sl_hybrid_destroy(e->h);
        sl_diags_destroy(e->diags);
        SL_ARRAY_FINI(e->ctx, &e->path);
        SL_ARRAY_FINI(e->ctx, &e->active);
        sl_free(e->ctx, e, sizeof *e);
    }
}

static bool set_path(sl_execution *e, int64_t n, const void *path) {
    if (!SL_RESERVE(e->ctx, &e->path, n)) {
        return false;
    }
    if (n > 0) {
        memcpy(e->path.at, path, (size_t)n * sizeof *e->path.at);
    }
    e->path.n = n;
    return true;
}

sl_status sl_execution_copy(const sl_execution *e, sl_execution **out) {
    if (!SL_HANDLE_IS(e, SL_HANDLE_EXECUTION) || !out) {
        return SL_ERR_USE;
    }
    *out = NULL;
    sl_execution *copy = NULL;
    sl_status status = create(e->a, &e->def, e->hash, e->h, NULL, &copy);
    if (status == SL_OK && !set_path(copy, e->path.n, e->path.at)) {
        sl_execution_destroy(copy);
        status = SL_ERR_MEMORY;
    }
    if (status == SL_OK) {
        copy->last = e->last;
        *out = copy;
    }
    return status;
}

/* ---- Motion ------------------------------------------------------------------------------------- */

sl_status sl_execution_next(sl_execution *e, uint32_t wanted, sl_execution_info *out) {
    if (!SL_HANDLE_IS(e, SL_HANDLE_EXECUTION)) {
        return SL_ERR_USE;
    }
    sl_hybrid_info info = {0};
    if (out && !sl_sized_valid(out)) {
        return SL_ERR_USE;
    }
    sl_status status = sl_hybrid_next(e->h, wanted, e->diags, &info);
    if (status == SL_OK) {
        e->last = (sl_event)info.event;
    }
    if (out) {
        const sl_execution_info now = {.event = status == SL_OK ? e->last : (sl_event)0,
                                       .begin = info.begin,
                                       .time = sl_hybrid_time(e->h),
                                       .step = info.i,
                                       .n_changed = info.n_changed};
        sl_sized_give(out, &now, sizeof now);
    }
    return status;
}

sl_status sl_execution_reset(sl_execution *e, double t, const double *values, const int32_t *states) {
    if (!SL_HANDLE_IS(e, SL_HANDLE_EXECUTION)) {
        return SL_ERR_USE;
    }
    bool fine = isfinite(t);
    for (int32_t i = 0; values && i < sl_automaton_n_continuous(e->a); i++) {
        fine = fine && isfinite(values[i]);
    }
    for (int32_t i = 0; states && i < sl_automaton_n_discrete(e->a); i++) {
        fine = fine && states[i] >= 0 && states[i] < sl_automaton_domain(e->a, i);
    }
    if (!fine) {
        return SL_ERR_USE;
    }
    e->path.n = 0;
    e->last = (sl_event)0;
    return sl_hybrid_reset(e->h, t, values, NULL, states, false);
}

sl_status sl_execution_choose(sl_execution *e, int64_t choice) {
    if (!SL_HANDLE_IS(e, SL_HANDLE_EXECUTION)) {
        return SL_ERR_USE;
    }
    if (!SL_RESERVE(e->ctx, &e->path, e->path.n + 1)) {
        return SL_ERR_MEMORY;
    }
    bool again = sl_hybrid_choice_made(e->h);
    sl_status status = sl_hybrid_choose(e->h, choice);
    if (status == SL_OK) {
        e->path.n -= again;
        e->path.at[e->path.n++] = choice;
    }
    return status;
}

/* ---- Looking ------------------------------------------------------------------------------------ */

const sl_diags *sl_execution_diags(const sl_execution *e) {
    if (!SL_HANDLE_IS(e, SL_HANDLE_EXECUTION)) {
        return NULL;
    }
    return e->diags;
}

const sl_automaton *sl_execution_automaton(const sl_execution *e) {
    if (!SL_HANDLE_IS(e, SL_HANDLE_EXECUTION)) {
        return NULL;
    }
    return e->a;
}

double sl_execution_time(const sl_execution *e) {
    if (!SL_HANDLE_IS(e, SL_HANDLE_EXECUTION)) {
        return (double)NAN;
    }
    return sl_hybrid_time(e->h);
}

const double *sl_execution_values(const sl_execution *e) {
    if (!SL_HANDLE_IS(e, SL_HANDLE_EXECUTION)) {
        return NULL;
    }
    return sl_hybrid_x(e->h);
}

const double *sl_execution_derivatives(const sl_execution *e) {
    if (!SL_HANDLE_IS(e, SL_HANDLE_EXECUTION)) {
        return NULL;
    }
    return sl_hybrid_dx(e->h);
}

const int32_t *sl_execution_states(const sl_execution *e) {
    if (!SL_HANDLE_IS(e, SL_HANDLE_EXECUTION)) {
        return NULL;
    }
    return sl_hybrid_q(e->h);
}

sl_status sl_execution_interpolate(const sl_execution *e, double t, double *values, double *derivatives) {
    if (!SL_HANDLE_IS(e, SL_HANDLE_EXECUTION) || !values || !derivatives) {
        return SL_ERR_USE;
    }
    return sl_hybrid_interpolate(e->h, t, values, derivatives);
}

const int32_t *sl_execution_active(sl_execution *e, sl_automaton_element kind, int32_t *n) {
    if (!SL_HANDLE_IS(e, SL_HANDLE_EXECUTION) || !n) {
        return NULL;
    }
    static const sl_sha_kind kinds[SL_AUTOMATON_ELEMENT_COUNT] = {SL_SHA_N_KIND, SL_SHA_ACTIVITY, SL_SHA_ACTION,
                                                                  SL_SHA_ROOT};
    void *instance = sl_hybrid_instance(e->h);
    if (kind == SL_AUTOMATON_TRANSITION) {
        return sl_sda_run_active(sl_sha_run_of(instance), n);
    }
    int32_t n_part = sl_automaton_n_element(e->a, kind);
    *n = SL_RESERVE(e->ctx, &e->active, n_part + 1) ? 0 : -1;
    if (*n < 0) {
        return NULL;
    }
    bool acted = kind == SL_AUTOMATON_ACTION && e->last == SL_EVENT_ACTION;
    const uint8_t *on = acted ? sl_sha_acted(instance) : sl_sha_active(instance, sl_hybrid_q(e->h), kinds[kind]);
    for (int32_t i = 0; i < n_part; i++) {
        if (on[i]) {
            e->active.at[(*n)++] = i;
        }
    }
    return e->active.at;
}

int32_t sl_execution_fired(const sl_execution *e, int32_t root) {
    if (!SL_HANDLE_IS(e, SL_HANDLE_EXECUTION)) {
        return 0;
    }
    int32_t n = 0;
    const int8_t *fired = e->last == SL_EVENT_CROSSING ? sl_hybrid_fired(e->h, &n) : NULL;
    return fired && root >= 0 && root < n ? fired[root] : 0;
}

int64_t sl_execution_n_choice(const sl_execution *e) {
    if (!SL_HANDLE_IS(e, SL_HANDLE_EXECUTION)) {
        return 0;
    }
    bool within = e->last & (SL_EVENT_TRANSITION | SL_EVENT_SETTLED | SL_EVENT_CHOICE);
    return within ? sl_sda_run_n_choice(sl_sha_run_of(sl_hybrid_instance(e->h))) : 0;
}

int32_t sl_execution_difference(const sl_execution *e, int64_t choice, int32_t variable) {
    if (!SL_HANDLE_IS(e, SL_HANDLE_EXECUTION)) {
        return 0;
    }
    bool there =
        choice >= 0 && choice < sl_execution_n_choice(e) && variable >= 0 && variable < sl_automaton_n_discrete(e->a);
    return there ? sl_sda_run_derivative(sl_sha_run_of(sl_hybrid_instance(e->h)), choice, variable) : 0;
}

const int64_t *sl_execution_path(const sl_execution *e, int32_t *n) {
    if (!SL_HANDLE_IS(e, SL_HANDLE_EXECUTION) || !n) {
        return NULL;
    }
    *n = (int32_t)e->path.n;
    return e->path.at;
}

/* ---- State -------------------------------------------------------------------------------------- */

typedef struct execution_head {
    char magic[8];
    uint64_t model, check; /* automaton and definition; bytes after the head */
    uint64_t n, n_path;    /* bytes of src/hybrid; choices */
    int64_t last;
} execution_head;

static const char magic[8] = "sl-exe1";

/* The checksum counts the parts after each other. */
static uint64_t check_of(const execution_head *head, const void *path, const void *bytes) {
    const uint64_t all[] = {head->model,
                            head->n,
                            head->n_path,
                            (uint64_t)head->last,
                            sl_hash_bytes(path, (size_t)head->n_path * sizeof(int64_t)),
                            sl_hash_bytes(bytes, (size_t)head->n)};
    return sl_hash_bytes(all, sizeof all);
}

sl_status sl_execution_save(const sl_execution *e, const sl_sink *sink) {
    if (!SL_HANDLE_IS(e, SL_HANDLE_EXECUTION) || !sink) {
        return SL_ERR_USE;
    }
    execution_head head = {
        .model = e->hash, .n = sl_hybrid_save_size(e->h), .n_path = (uint64_t)e->path.n, .last = e->last};
    memcpy(head.magic, magic, sizeof magic);
    char *bytes = sl_alloc(e->ctx, (size_t)head.n);
    if (!bytes) {
        return SL_ERR_MEMORY;
    }
    sl_hybrid_save(e->h, bytes);
    head.check = check_of(&head, e->path.at, bytes);
    sl_status status = sink->write(sink->user, &head, sizeof head);
    if (status == SL_OK && e->path.n > 0) {
        status = sink->write(sink->user, e->path.at, (size_t)e->path.n * sizeof *e->path.at);
    }
    status = status == SL_OK ? sink->write(sink->user, bytes, (size_t)head.n) : status;
    sl_free(e->ctx, bytes, (size_t)head.n);
    return status;
}

sl_status sl_execution_restore(sl_execution *e, const void *bytes, size_t n) {
    if (!SL_HANDLE_IS(e, SL_HANDLE_EXECUTION) || (n > 0 && !bytes)) {
        return SL_ERR_USE;
    }
    execution_head head;
    const char *at = (const char *)bytes + sizeof head;
    size_t rest = n - sizeof head;
    bool good = n >= sizeof head;
    if (good) {
        memcpy(&head, bytes, sizeof head);
        good = memcmp(head.magic, magic, sizeof magic) == 0 && head.model == e->hash &&
               head.n_path <= rest / sizeof(int64_t) && head.n == rest - head.n_path * sizeof(int64_t) &&
               head.check == check_of(&head, at, at + head.n_path * sizeof(int64_t));
    }
    if (!good) {
        sl_report(e->diags, SL_ERROR, SL_CODE_STATE, NULL, NULL, NULL,
                  "restore what was saved from the same automaton with the same definition",
                  "the saved state is damaged, or not one of this execution");
        return SL_ERR_INPUT;
    }
    const sl_hybrid_model *model = sl_automaton_model(e->a);
    sl_hybrid *h = NULL; /* takes over when all went well */
    sl_status status = SL_RESERVE(e->ctx, &e->path, (int64_t)head.n_path)
                           ? sl_hybrid_create(e->ctx, model->ops, model->model, &e->def, e->diags, &h)
                           : SL_ERR_MEMORY;
    status =
        status == SL_OK ? sl_hybrid_restore(h, at + head.n_path * sizeof(int64_t), (size_t)head.n, e->diags) : status;
    if (status != SL_OK) {
        sl_hybrid_destroy(h);
        return status;
    }
    (void)set_path(e, (int64_t)head.n_path, at); /* there is memory for it */
    e->last = (sl_event)head.last;
    sl_hybrid_destroy(e->h);
    e->h = h;
    return SL_OK;
}
