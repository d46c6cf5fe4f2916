/* SPDX-License-Identifier: MIT */
/* flower.c: a hybrid automaton by calls: the flower system.
 *
 *     cc flower.c -o flower -lsluice -lm && ./flower
 *
 * A point goes round in one of two spirals, A0 where |x1| <= |x0| and A1 elsewhere, and draws a flower. This is the program of
 * listings 3.1 to 3.5 of the thesis that introduced structured automata, rewritten: the numbers below are those of the
 * listings. It is computed twice, with the tolerances of the listing and with tight ones, and compared with the closed form: the
 * regions change at t = (2k + 1) atan(sqrt 5) / sqrt 5.
 */
#include <sluice/sluice.h>

#include <math.h>
#include <stdio.h>

static const double t_end = 25.0, t_delta = 0.01;
static const double snapshots[] = {2.43, 24.14};

static sl_status to_stderr(void *user, const void *bytes, size_t n) {
    (void)user;
    return fwrite(bytes, 1, n, stderr) == n ? SL_OK : SL_ERR_IO;
}

/* Listing 3.1: the matrices A, row by row, as expressions of epsilon, alpha and omega. */
static const char *const A[2][2] = {
    {"der(x0) = -epsilon*x0 + alpha*omega*x1", "der(x1) = -omega*x0 - epsilon*x1"},
    {"der(x0) = -epsilon*x0 + omega*x1", "der(x1) = -alpha*omega*x0 - epsilon*x1"},
};

/* Where the automaton is (W), and where it should be (region): a root keeps `wide` at whether |x0| exceeds |x1|. */
static const char *const W[2] = {"q = 0", "q = 1"};
static const char *const region[2] = {"wide", "!wide"};

/* Listing 3.2: the discrete part. Location i is entered from the other one when the region is that of i. */
static void add_discrete_part(sl_automaton *a) {
    sl_automaton_add_discrete(a, "q", 2, 0);
    sl_automaton_add_discrete(a, "wide", 2, 1);
    for (int i = 0; i < 2; i++) {
        char guard[64];
        snprintf(guard, sizeof guard, "!(%s) & %s", W[i], region[i]);
        sl_automaton_add_transition(a, i ? "to A1" : "to A0", "der(q) = 1", guard);
    }
}

/* Listing 3.3: the hybrid automaton. Equation j of matrix i holds in location i; there are no actions. */
static void add_continuous_part(sl_automaton *a) {
    sl_automaton_add_parameter(a, "epsilon", 0.1);
    sl_automaton_add_parameter(a, "alpha", 5.0);
    sl_automaton_add_parameter(a, "omega", 1.0);
    sl_automaton_add_continuous(a, "x0", 0.0, 0.0);
    sl_automaton_add_continuous(a, "x1", 0.0, 0.0);
    sl_automaton_add_root(a, "diagonal", "wide", "abs(x0) - abs(x1)", NULL);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            sl_automaton_add_activity(a, NULL, A[i][j], W[i]);
        }
    }
}

/* Adds report their mistakes to the diagnostics; one look at the end is enough. */
static sl_status build(sl_context *ctx, sl_diags *diags, sl_automaton **out) {
    sl_status status = sl_automaton_create(ctx, "flower", diags, out);
    if (status == SL_OK) {
        add_discrete_part(*out);
        add_continuous_part(*out);
        status = sl_automaton_finish(*out);
    }
    return status;
}

/* What an execution leaves behind. */
typedef struct trajectory {
    int n_piece, n_point, n_event; /* pieces of motion, points every t_delta, changes of region */
    double worst;                  /* event time, relative to the closed form */
} trajectory;

/* The points of a step that lie at multiples of t_delta; snapshots on the way are shown. */
static sl_status record_step(sl_execution *e, const sl_execution_info *step, trajectory *all) {
    double x[2], dx[2];
    sl_status status = SL_OK;
    for (; status == SL_OK && all->n_point * t_delta <= step->time; all->n_point++) {
        status = sl_execution_interpolate(e, all->n_point * t_delta, x, dx);
    }
    for (int k = 0; k < 2; k++) {
        double t = snapshots[k];
        if (status == SL_OK && t > step->begin && t <= step->time) {
            status = sl_execution_interpolate(e, t, x, dx);
            printf("  t = %5.2f  x = (%8.5f, %8.5f)  q = %d\n", t, x[0], x[1], (int)sl_execution_states(e)[0]);
        }
    }
    return status;
}

/* Listing 3.5: the trajectory, event by event. */
static sl_status trace(sl_execution *e, trajectory *all) {
    sl_execution_info at = {.size = sizeof at, .event = SL_EVENT_INIT};
    sl_status status = SL_OK;
    while (status == SL_OK && at.event != SL_EVENT_STOP) {
        status = sl_execution_next(e, SL_EVENT_ANY, &at);
        switch (status == SL_OK ? at.event : SL_EVENT_STOP) {
        case SL_EVENT_INIT: all->n_piece = 1; break;
        case SL_EVENT_STEP: status = record_step(e, &at, all); break;
        case SL_EVENT_CROSSING: {
            double expected = (2 * all->n_event++ + 1) * atan(sqrt(5.0)) / sqrt(5.0);
            all->worst = fmax(all->worst, fabs(at.time - expected) / expected);
            status = record_step(e, &at, all);
            break;
        }
        case SL_EVENT_TRANSITION: all->n_piece++; break; /* another location: a new piece of motion */
        default: break;
        }
    }
    return status;
}

/* Listing 3.4: the initial value problem: state, tolerances and end. */
static sl_status solve(const sl_automaton *a, double relative, double absolute, sl_diags *diags) {
    static const double t_begin = 0.0, x[2] = {1.0, 0.0};
    static const int32_t location[2] = {0, 1}; /* q, wide */
    sl_execution_def def = sl_execution_default();
    sl_execution *e = NULL;
    trajectory all = {0};
    def.rtol = relative;
    def.atol = absolute;
    def.end = t_end;
    printf("tolerances %g and %g\n", relative, absolute);
    sl_status status = sl_execution_create(a, &def, diags, &e);
    status = status == SL_OK ? sl_execution_reset(e, t_begin, x, location) : status;
    status = status == SL_OK ? trace(e, &all) : status;
    if (status == SL_OK) {
        printf("  %d events, their times within %.1e; %d pieces, %d points\n", all.n_event, all.worst, all.n_piece,
               all.n_point);
    } else if (e) {
        sl_sink err = {NULL, to_stderr};
        sl_diags_render_text(sl_execution_diags(e), &err, false);
    }
    sl_execution_destroy(e);
    return status;
}

int main(void) {
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    sl_automaton *a = NULL;
    sl_sink err = {NULL, to_stderr};
    sl_status status = sl_context_create(NULL, &ctx);
    status = status == SL_OK ? sl_diags_create(ctx, &diags) : status;
    status = status == SL_OK ? build(ctx, diags, &a) : status;
    status = status == SL_OK ? solve(a, 1e-2, 1e-3, diags) : status;
    status = status == SL_OK ? solve(a, 1e-12, 1e-13, diags) : status;
    if (diags) {
        sl_diags_render_text(diags, &err, false);
    }
    if (status != SL_OK) {
        fprintf(stderr, "%s\n", sl_status_text(status));
    }
    sl_automaton_destroy(a);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return status == SL_OK ? 0 : 1;
}
