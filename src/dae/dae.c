/* SPDX-License-Identifier: MIT */
/* dae.c: the life of an integrator: creation, start, steps, saved states. See dae.h for what it promises. */
#include "dae/impl.h"

#include "base/memory.h"
#include "base/report.h"

#include <math.h>
#include <string.h>

sl_dae_def sl_dae_default(void) {
    return (sl_dae_def){.rtol = 1e-6, .atol = 1e-9, .max_order = 5, .n_restart = 1000, .root_tol = 1e-10};
}

/* ---- Creation ----------------------------------------------------------------------------------- */

static bool take_memory(sl_dae *d) {
    size_t n = (size_t)d->n, m = (size_t)d->n_entry, r = (size_t)d->n_root;
    size_t out = d->outside ? 3 * n + 2 * (size_t)d->n_value : 0;
    d->n_block = (15 * n + 3 * m + 8 * r + out + 1) * sizeof(double);
    d->n_byte = 3 * n + 6 * r + 1;
    d->block = sl_alloc(d->ctx, d->n_block);
    d->bytes = sl_alloc(d->ctx, d->n_byte);
    if (!d->block || !d->bytes) {
        return false;
    }
    double **vectors[] = {&d->x_begin, &d->dx_begin, &d->atol,    &d->x,       &d->dx,      &d->x0,     &d->dx0,
                          &d->work[0], &d->work[1],  &d->work[2], &d->work[3], &d->work[4], &d->work[5]};
    double *at = d->block;
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++, at += n) {
        *vectors[k] = at;
    }
    d->kept = at;
    d->values = d->kept + 2 * n;
    d->other = d->values + m;
    d->entries = d->other + m;
    d->g = d->entries + m;
    d->g_seen = d->g + 6 * r;
    d->g_older = d->g_seen + r;
    if (d->outside) {
        d->y = d->g_older + r;
        d->dy = d->y + n;
        d->x_out = d->dy + n;
        d->dx_out = d->x_out + d->n_value;
        d->atol_state = d->dx_out + d->n_value;
    }
    d->differential = d->bytes;
    d->root = d->differential + n;
    d->root0 = d->root + r;
    d->fired = (int8_t *)(d->root0 + r);
    d->directions = d->fired + r;
    d->passed = d->directions + r;
    d->scratch_root = (uint8_t *)(d->passed + r);
    d->states = d->scratch_root + r;
    d->states0 = d->states + n;
    return true;
}

static double own_tolerance(const sl_dae_def *def, int32_t j) {
    double own = def->atols ? def->atols[j] : 0.0;
    return own > 0.0 ? own : own < 0.0 ? -own * def->atol : def->atol;
}

static void fill(sl_dae *d) {
    const sl_dae_def *def = &d->def;
    if (d->outside) { /* 0 for unknowns that are no variables but derivatives of some */
        for (int32_t j = 0; j < d->n_value; j++) {
            d->x_out[j] = own_tolerance(def, j);
            d->dx_out[j] = 0.0;
        }
        d->outside->contract(d->system.user, d->x_out, d->dx_out, d->y, d->dy);
    }
    /* Of derivatives nobody has said how small they are, and where they pass zero they carry the errors of what they are derived from */
    static const double of_derivatives = 1e3;
    for (int32_t j = 0; j < d->n; j++) {
        d->atol[j] = !d->outside ? own_tolerance(def, j) : d->y[j] > 0.0 ? d->y[j] : of_derivatives * def->atol;
    }
    if (d->outside) {
        memcpy(d->atol_state, d->atol, (size_t)d->n * sizeof *d->atol);
    }
    sl_dae_mark_differential(d);
    for (int32_t i = 0; i < d->n_root; i++) {
        d->directions[i] = def->directions ? def->directions[i] : 0;
        d->root[i] = ROOT_ACTIVE;
    }
    d->def.atols = NULL; /* borrowed for this call only */
    d->def.directions = NULL;
}

/* Without unknowns, time passes all the same: one that stands still is put in their place. */
static int static_residual(void *user, double t, const double *x, const double *dx, double *r) {
    (void)user, (void)t, (void)x;
    r[0] = dx[0];
    return 0;
}

static int static_jacobian(void *user, double t, const double *x, const double *dx, double a, double b,
                           double *values) {
    (void)user, (void)t, (void)x, (void)dx, (void)a;
    values[0] = b;
    return 0;
}

static sl_dae_system with_zero_derivatives(const sl_dae_system *system) {
    static const int32_t start[2] = {0, 1}, row[1] = {0};
    static const uint8_t kind[1] = {SL_DAE_DX};
    sl_dae_system rest = *system;
    rest.pattern = (sl_dae_pattern){1, 1, start, row, kind};
    rest.residual = static_residual;
    rest.jacobian = static_jacobian;
    rest.name = NULL;
    return rest;
}

static sl_status check_def(const sl_dae_def *def, int32_t n, sl_diags *diags) {
    bool fine = def->rtol > 0.0 && def->max_order >= 1 && def->max_order <= 5 && def->root_tol > 0.0 &&
                def->first_step >= 0.0 && def->max_step >= 0.0 && def->stall >= 0.0 && def->atol > 0.0;
    for (int32_t j = 0; def->atols && j < n; j++) {
        fine = fine && isfinite(def->atols[j]);
    }
    if (!fine) {
        sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL, NULL,
                  "tolerances must be above 0, the order 1 to 5, steps not negative");
    }
    return fine ? SL_OK : SL_ERR_INPUT;
}

/* What equations have is known; a high index of functions can only be reported. */
static sl_status analyse(sl_context *ctx, const sl_dae_system *system, sl_diags *diags) {
    sl_dae_structure found;
    sl_status status = sl_dae_analyse(ctx, &system->pattern, system, diags, &found);
    if (status == SL_OK && found.index > 1) {
        sl_report(
            diags, SL_WARNING, SL_CODE_HIGH_INDEX, NULL, NULL, NULL,
            "differentiate the constraints by hand, and drop as many equations as that adds",
            "the equations have structural index %d: they constrain differential variables, and only %d of %d initial "
            "values are free",
            (int)found.index, (int)found.n_free, (int)found.n_differential);
    }
    return status;
}

sl_status sl_dae_create(sl_context *ctx, const sl_dae_system *system, const sl_dae_def *def, sl_diags *diags,
                        sl_dae **out) {
    return sl_dae_create_by(ctx, system, def, sl_integrator_of(system->pattern.n_variable), diags, out);
}

sl_status sl_dae_create_by(sl_context *ctx, const sl_dae_system *system, const sl_dae_def *def,
                           const sl_integrator *integrator, sl_diags *diags, sl_dae **out) {
    const sl_dae_pattern *p = &system->pattern;
    *out = NULL;
    sl_status status = check_def(def, sl_dae_n_value(system), diags);
    if (status == SL_OK && !def->is_checked && !system->outside) {
        status = analyse(ctx, system, diags);
    }
    sl_dae *d = status == SL_OK ? sl_alloc(ctx, sizeof *d) : NULL;
    if (!d) {
        return status == SL_OK ? SL_ERR_MEMORY : status;
    }
    *d = (sl_dae){.ctx = ctx, .system = *system, .def = *def, .n_root = system->n_root, .outside = system->outside};
    d->n_value = sl_dae_n_value(system);
    d->integrator = integrator;
    d->singular = -1;
    if (p->n_variable == 0) {
        d->system = with_zero_derivatives(system);
        d->def.atols = NULL;
    }
    p = &d->system.pattern;
    d->n = p->n_variable;
    d->n_entry = d->outside && d->outside->n_entry_max > p->start[d->n] ? d->outside->n_entry_max : p->start[d->n];
    status = take_memory(d) ? SL_OK : SL_ERR_MEMORY;
    if (status == SL_OK) {
        d->n_entry = p->start[d->n];
        fill(d);
        sl_incidence a = {p->n_equation, p->n_variable, p->start, p->row};
        status = sl_lu_create(ctx, &a, &d->lu);
    }
    if (status == SL_OK) {
        status = d->integrator->create(d);
    }
    if (status != SL_OK) {
        sl_dae_destroy(d);
        return status;
    }
    *out = d;
    return SL_OK;
}

void sl_dae_destroy(sl_dae *d) {
    if (d) {
        d->integrator->destroy(d);
        sl_lu_destroy(d->lu);
        sl_lu_destroy(d->start.lu);
        sl_free(d->ctx, d->start.begin, d->start.begin ? d->start.n_byte : 0);
        sl_free(d->ctx, d->block, d->block ? d->n_block : 0);
        sl_free(d->ctx, d->bytes, d->bytes ? d->n_byte : 0);
        sl_free(d->ctx, d, sizeof *d);
    }
}

/* ---- Motion ------------------------------------------------------------------------------------- */

/* In half of it the values change by half a tolerance: safe for the first order with which a run begins. */
static double first_step(const sl_dae *d, double longest) {
    double sum = 0.0;
    for (int32_t j = 0; j < d->n; j++) {
        double e = d->dx[j] / sl_dae_tolerance(d, j, d->x[j]);
        sum += e * e;
    }
    double norm = sqrt(sum / (d->n > 0 ? d->n : 1)), h = d->def.first_step > 0.0 ? d->def.first_step : longest;
    h = d->def.first_step > 0.0 || !(norm * h > 0.5) ? h : 0.5 / norm;
    h = fmax(h, 1e-14 * fmax(fabs(d->t), 1e-280)); /* it must move the time */
    return d->def.max_step > 0.0 ? fmin(h, d->def.max_step) : h;
}

static sl_status begin(sl_dae *d, double limit, double longest, sl_diags *diags) {
    size_t bytes = (size_t)d->n * sizeof(double);
    d->point = (sl_dae_point){.t = d->t, .limit = limit, .n_root = d->n_root, .n = d->n};
    d->point.h = first_step(d, longest);
    memcpy(d->x0, d->x, bytes);
    memcpy(d->dx0, d->dx, bytes);
    memset(d->fired, 0, (size_t)d->n_root);
    d->is_started = false;
    d->at_limit = d->is_behind = false;
    d->g_time = d->seen_time = (double)NAN;
    d->n_stuck = 0;
    d->begin = d->t;
    for (int32_t j = 0; j < d->n && d->outside; j++) {
        d->states0[j] = d->differential[j];
    }
    d->is_worn = false;
    sl_status status = sl_roots_start(d, diags);
    if (status == SL_OK) {
        memcpy(d->root0, d->root, (size_t)d->n_root);
        status = d->integrator->start(d);
    }
    d->is_started = status == SL_OK;
    sl_dae_show(d);
    return status;
}

enum { most_stuck = 50 };                      /* steps without progress */
static const double some_progress = 1e-2;      /* in all of them, of the time */
static const double longest_first_step = 1e-2; /* [s] where x' says nothing */

sl_status sl_dae_start(sl_dae *d, double t, const double *x, const double *dx, double limit, const uint8_t *active,
                       sl_diags *diags) {
    size_t bytes = (size_t)d->n * sizeof(double);
    if (!isfinite(t) || !(limit > t)) {
        return SL_ERR_USE;
    }
    if (d->outside) {
        sl_dae_contract(d, &x, &dx);
        sl_status status = sl_dae_settle(d, t, d->y, d->dy, diags);
        if (status != SL_OK) {
            return status;
        }
    }
    memmove(d->x, x, bytes);
    memmove(d->dx, dx, bytes);
    d->t = t;
    for (int32_t i = 0; i < d->n_root; i++) {
        d->root[i] = sl_root_new(active ? active[i] : SL_DAE_ROOT_ON);
    }
    return begin(d, limit, longest_first_step, diags);
}

/* The run starts itself anew where it is, at values that are made consistent where that can be done. */
static sl_status restart(sl_dae *d, sl_diags *diags) {
    sl_dae_stats s = {0};
    d->integrator->statistics(d, &s);
    if (sl_dae_settle(d, d->t, d->x, d->dx, NULL) == SL_ERR_MEMORY) {
        return SL_ERR_MEMORY;
    }
    return begin(d, d->point.limit, fmin(s.last_step, longest_first_step), diags);
}

/* The length of a first step follows from x', which says nothing of algebraic variables: where these move faster, ever shorter
 * ones are tried, before the integrator gives up halving. */
static sl_status first_step_at_all(sl_dae *d, int *end, sl_diags *diags) {
    static const double shorter = 1e-4;
    while (d->point.h * shorter > 1e-14 * fmax(fabs(d->t), 1e-280)) {
        sl_status status = sl_integrator_step(d, end, NULL);
        if (status == SL_OK || status == SL_ERR_MEMORY) { /* without memory no other step is taken in its place */
            return status;
        }
        if (d->point.h < 1e-12) {
            break;
        }
        d->point.h *= shorter;
        status = d->integrator->start(d);
        if (status != SL_OK) {
            return status;
        }
    }
    return sl_integrator_step(d, end, diags);
}

/* A step that fails in the middle of a run is tried once more from a start of its own: equations that have changed there can ask
 * for far shorter steps than the integrator comes down to at once. */
static sl_status try_step(sl_dae *d, int *end, sl_diags *diags, bool *restarted) {
    if (d->point.n_step == 0) {
        return first_step_at_all(d, end, diags);
    }
    sl_status status = sl_integrator_step(d, end, NULL);
    if (status == SL_OK || status == SL_ERR_MEMORY) {
        return status;
    }
    status = restart(d, diags);
    *restarted = true;
    return status == SL_OK ? first_step_at_all(d, end, diags) : status;
}

sl_status sl_dae_step(sl_dae *d, sl_diags *diags, sl_dae_step_info *out) {
    *out = (sl_dae_step_info){.begin = d->t, .end = d->t};
    if (!d->is_started || d->at_limit) {
        return SL_ERR_USE;
    }
    sl_status status = SL_OK;
    if (d->is_behind || d->is_worn || (d->def.n_restart > 0 && d->point.n_step >= d->def.n_restart)) {
        status = restart(d, diags);
        out->restarted = true;
    }
    int end = 0;
    double from = d->t;
    memcpy(d->x_begin, d->x, (size_t)d->n * sizeof *d->x);
    memcpy(d->dx_begin, d->dx, (size_t)d->n * sizeof *d->dx);
    status = status == SL_OK ? try_step(d, &end, diags, &out->restarted) : status;
    if (status != SL_OK) {
        return status;
    }
    d->stuck_from = d->n_stuck == 0 ? from : d->stuck_from;
    d->n_stuck = d->t - from > d->def.stall || end != 0 ? 0 : d->n_stuck + 1;
    if (d->n_stuck > most_stuck && d->t - d->stuck_from > some_progress * fabs(d->t)) {
        d->n_stuck = 0; /* at the very beginning of a long run */
    }
    if (d->n_stuck > most_stuck) {
        sl_integrator_report_stuck(d, diags);
        return SL_ERR_SOLVE;
    }
    d->is_behind = sl_roots_hidden(d, from);
    end = d->is_behind ? 1 : end;
    d->begin = from;
    d->point.n_step++;
    d->stats.n_step++;
    d->at_limit = end == 2;
    d->is_worn = d->outside && d->outside->is_worn && d->point.n_step % d->outside->n_between == 0 &&
                 d->outside->is_worn(d->system.user, d->t, d->x, d->dx);
    sl_dae_show(d);
    status = sl_roots_update(d, end == 1, diags);
    out->end = d->t;
    out->at_limit = d->at_limit;
    for (int32_t i = 0; i < d->n_root && end == 1; i++) {
        out->n_fired += d->fired[i] != 0;
    }
    return status;
}

static sl_status unknowns_at(const sl_dae *d, double t, double *x, double *dx) {
    size_t bytes = (size_t)d->n * sizeof(double);
    if (t == d->t) {
        memcpy(x, d->x, bytes);
        memcpy(dx, d->dx, bytes);
        return SL_OK;
    }
    if (t == d->begin) {
        memcpy(x, d->x_begin, bytes);
        memcpy(dx, d->dx_begin, bytes);
        return SL_OK;
    }
    return d->integrator->interpolate(d, t, x, dx);
}

double sl_dae_limit(const sl_dae *d) {
    return d->point.limit;
}

sl_status sl_dae_interpolate(const sl_dae *d, double t, double *x, double *dx) {
    if (!(t >= d->begin && t <= d->t)) {
        return SL_ERR_USE;
    }
    if (!d->outside) {
        return unknowns_at(d, t, x, dx);
    }
    sl_status status = unknowns_at(d, t, d->y, d->dy);
    if (status == SL_OK) {
        d->outside->expand(d->system.user, t, d->y, d->dy, x, dx);
    }
    return status;
}

double sl_dae_time(const sl_dae *d) {
    return d->t;
}

int32_t sl_dae_n_step(const sl_dae *d) {
    return d->point.n_step;
}

size_t sl_dae_size(const sl_dae *d) {
    return sizeof *d + d->n_block + d->n_byte + d->start.n_byte + d->integrator->size(d) +
           (d->lu ? sl_lu_bytes(d->lu) : 0) + (d->start.lu ? sl_lu_bytes(d->start.lu) : 0);
}

const double *sl_dae_x(const sl_dae *d) {
    return d->outside ? d->x_out : d->x;
}

const double *sl_dae_dx(const sl_dae *d) {
    return d->outside ? d->dx_out : d->dx;
}

const int8_t *sl_dae_fired(const sl_dae *d) {
    return d->fired;
}

sl_dae_stats sl_dae_statistics(const sl_dae *d) {
    sl_dae_stats s = d->stats;
    d->integrator->statistics(d, &s);
    if (d->lu) {
        int64_t n_factor, n_refactor;
        sl_lu_counts(d->lu, &n_factor, &n_refactor);
        s.n_factor += n_factor; /* to those of earlier patterns */
        s.n_refactor += n_refactor;
        s.n_factor_entry = sl_lu_size(d->lu);
    }
    return s;
}

/* ---- Saved states ------------------------------------------------------------------------------- */

size_t sl_dae_save_size(const sl_dae *d) {
    size_t states = d->outside ? (size_t)d->n : 0;
    return sizeof(sl_dae_point) + 2 * (size_t)d->n * sizeof(double) + (size_t)d->n_root + states;
}

void sl_dae_save(const sl_dae *d, void *bytes) {
    size_t n = (size_t)d->n * sizeof(double);
    char *to = bytes;
    memcpy(to, &d->point, sizeof d->point);
    memcpy(to + sizeof d->point, d->x0, n);
    memcpy(to + sizeof d->point + n, d->dx0, n);
    memcpy(to + sizeof d->point + 2 * n, d->root0, (size_t)d->n_root);
    if (d->outside) {
        memcpy(to + sizeof d->point + 2 * n + d->n_root, d->states0, (size_t)d->n);
    }
}

sl_status sl_dae_rewind(sl_dae *d, const void *bytes, size_t n, sl_diags *diags, int32_t *n_step) {
    size_t vector = (size_t)d->n * sizeof(double);
    const char *from = bytes;
    sl_dae_point p;
    *n_step = 0;
    if (n != sl_dae_save_size(d)) {
        return SL_ERR_INPUT;
    }
    memcpy(&p, from, sizeof p);
    if (p.n != d->n || p.n_root != d->n_root || p.n_step < 0 || !isfinite(p.t) || !(p.h > 0.0) || !(p.limit > p.t)) {
        sl_report(diags, SL_ERROR, SL_CODE_STATE, NULL, NULL, NULL, NULL,
                  "the saved state is not one of these equations");
        return SL_ERR_INPUT;
    }
    if (d->outside) {
        memcpy(d->states, from + sizeof p + 2 * vector + d->n_root, (size_t)d->n);
        sl_status applied = sl_dae_apply_states(d, d->states);
        if (applied != SL_OK) {
            return applied == SL_ERR_MEMORY ? applied : SL_ERR_INPUT;
        }
        memcpy(d->states0, d->states, (size_t)d->n);
    }
    memcpy(d->x0, from + sizeof p, vector);
    memcpy(d->dx0, from + sizeof p + vector, vector);
    memcpy(d->root0, from + sizeof p + 2 * vector, (size_t)d->n_root);
    memcpy(d->x, d->x0, vector);
    memcpy(d->dx, d->dx0, vector);
    memcpy(d->root, d->root0, (size_t)d->n_root);
    memset(d->fired, 0, (size_t)d->n_root);
    d->n_waiting = 0;
    for (int32_t i = 0; i < d->n_root; i++) {
        d->n_waiting += (d->root[i] & ROOT_WAITING) != 0;
    }
    *n_step = p.n_step;
    p.n_step = 0;
    d->point = p;
    d->t = d->begin = p.t;
    d->at_limit = d->is_behind = d->is_worn = false;
    d->g_time = d->seen_time = (double)NAN;
    d->n_stuck = 0;
    sl_status status = d->integrator->start(d);
    d->is_started = status == SL_OK;
    sl_dae_show(d);
    return status;
}

sl_status sl_dae_restore(sl_dae *d, const void *bytes, size_t n, sl_diags *diags) {
    int32_t n_step;
    sl_dae_step_info info;
    sl_status status = sl_dae_rewind(d, bytes, n, diags, &n_step);
    for (int32_t k = 0; k < n_step && status == SL_OK; k++) {
        status = sl_dae_step(d, diags, &info);
    }
    return status;
}
