/* SPDX-License-Identifier: MIT */
/* fuzz_run.c: any .inp text through a run: the eps engine, sessions, the .out writer and reader, report, summary, verifier.
 *
 * Networks of modest size are run for at most six hours, some tens of steps and some thousand trials of the solver. Beside
 * the absence of crashes it asserts, for every input:
 *   - every value that a session shows is a finite number (a setting may be none), also after a failure; a run that does
 *     not come to its end says why, and a boundary that is not balanced is told;
 *   - where the solver claims a balance, the flows shown balance the demands shown;
 *   - stops at odd times change no bit; a state that is saved and restored goes on with the same bits, sets included;
 *   - the .out file that is written can be read, is complete, has as many periods as there were report times, and
 *     holds finite numbers only; report, summary and verifier get through it (whatever their verdict).
 */
#define SL_FUZZ_SECONDS 20 /* six sessions, with solves after every set */
#include "fuzz.h"

#include "base/ids.h"
#include "base/out.h"
#include "eps/fields.h"
#include "eps/impl.h"
#include "results/out_write.h"
#include "results/rpt.h"
#include "results/summary.h"
#include "session/session.h"
#include <sluice/sluice.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NODE = 300, MAX_LINK = 400, MAX_RULE = 50, MAX_STEP = 30, MAX_TRIAL = 1200, N_ACT = 6 };
#define MAX_DURATION 21600.0 /* [s] */

#define REQUIRE(condition, ...)                            \
    do {                                                   \
        if (!(condition)) {                                \
            fprintf(stderr, "fuzz_run: %s: ", #condition); \
            fprintf(stderr, __VA_ARGS__);                  \
            fputc('\n', stderr);                           \
            abort();                                       \
        }                                                  \
    } while (0)

typedef struct job {
    sl_context *ctx;
    sl_network *net;
    sl_model *model;
    uint64_t seed;
    const sl_session *restored; /* a session that was not there when things were told */
} job;

static uint64_t draw(uint64_t *seed) { /* splitmix64 */
    uint64_t x = *seed += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static double draw_share(uint64_t *seed) {
    return (double)(draw(seed) >> 11) * 0x1p-53;
}

/* ---- What a session shows ----------------------------------------------------------------------- */

static double value_of(sl_session *s, int32_t field) {
    int32_t n;
    const double *x = sl_session_view(s, field, &n);
    return x ? x[0] : 0.0;
}

static void check_finite(sl_session *s) {
    for (int32_t f = 0; f < SL_EPS_FIELD_COUNT; f++) {
        int32_t n;
        const double *x = sl_session_view(s, f, &n);
        REQUIRE(x, "no values of field %s", sl_eps_fields[f].name);
        for (int32_t i = 0; i < n; i++) {
            REQUIRE(isfinite(x[i]) || (f == SL_EPS_SETTING && isnan(x[i])), "%s of %s %d is %g at %.17g s",
                    sl_eps_fields[f].name, sl_field_class(&sl_eps_ops, f), (int)i, x[i], sl_session_time(s));
        }
    }
}

static bool told(const sl_session *s, sl_code code) {
    const sl_diags *d = sl_session_diags(s);
    for (int32_t i = 0; i < sl_diags_size(d); i++) {
        if (sl_diags_at(d, i)->code == code) {
            return true;
        }
    }
    return sl_diags_dropped(d) > 0;
}

/* The flows shown against the demands shown; the solver's own limits, and the rounding of sums (a demand shown may be
 * the difference of an inflow and a leak that are both far larger). */
static void check_mass(const job *j, sl_session *s) {
    const sl_network *net = j->net;
    int32_t n;
    const double *flow = sl_session_view(s, SL_EPS_FLOW, &n), *demand = sl_session_view(s, SL_EPS_DEMAND, &n);
    const double *cut = sl_session_view(s, SL_EPS_CUT_OFF, &n), *wanted = sl_session_view(s, SL_EPS_WANTED, &n);
    double *sum = calloc((size_t)net->n_node, sizeof *sum), through = 0.0;
    REQUIRE(sum, "out of memory");
    for (int32_t k = 0; k < net->n_link; k++) {
        sum[net->link_from[k]] -= flow[k];
        sum[net->link_to[k]] += flow[k];
        through += fabs(flow[k]);
    }
    for (int32_t i = 0; i < net->n_junction; i++) {
        double r = fabs(sum[i] - demand[i]), limit = 1e-9 + 1e-6 * through + 1e-14 * fabs(wanted[i]);
        REQUIRE(cut[i] != 0.0 || r <= limit, "junction %s is off by %g m3/s, %g at most, at %.17g s",
                sl_network_node_id(net, i), r, limit, sl_session_time(s));
    }
    free(sum);
}

static void check_boundary(const job *j, sl_session *s) {
    check_finite(s);
    if (value_of(s, SL_EPS_S_BALANCED) != 0.0) {
        check_mass(j, s);
    } else {
        REQUIRE(s == j->restored || told(s, SL_CODE_NOT_BALANCED), "not balanced at %.17g s, and nobody says so",
                sl_session_time(s));
    }
}

/* Every value, and the time. */
static sl_bytes snapshot(const job *j, sl_session *s) {
    sl_bytes b;
    sl_bytes_init(&b, j->ctx);
    sl_sink sink = sl_bytes_sink(&b);
    double t = sl_session_time(s);
    sink.write(sink.user, &t, sizeof t);
    for (int32_t f = 0; f < SL_EPS_FIELD_COUNT; f++) {
        int32_t n;
        const double *x = sl_session_view(s, f, &n);
        if (n > 0) {
            sink.write(sink.user, x, (size_t)n * sizeof *x);
        }
    }
    return b;
}

static void check_same(const sl_bytes *a, const sl_bytes *b, const job *j, const char *what) {
    REQUIRE(a->n == b->n, "%s: sizes differ", what);
    for (int64_t i = 0; i < a->n / 8; i++) {
        double x, y;
        memcpy(&x, a->at + 8 * i, 8);
        memcpy(&y, b->at + 8 * i, 8);
        if (memcmp(&x, &y, 8) != 0) {
            sl_session *s = NULL;
            sl_var_info info = {.size = sizeof info, .name = "time"};
            if (sl_session_create(j->ctx, j->model, NULL, &s) == SL_OK && i > 0) {
                sl_session_var(s, (uint32_t)(i - 1), &info);
            }
            fprintf(stderr, "%s: %s is %.17g and %.17g\n", what, info.name, x, y);
            abort();
        }
    }
}

static sl_session *new_session(const job *j) {
    sl_session *s = NULL;
    REQUIRE(sl_session_create(j->ctx, j->model, NULL, &s) == SL_OK, "no session");
    return s;
}

/* ---- A run with its files ----------------------------------------------------------------------- */

typedef struct file {
    sl_bytes bytes;
} file;

static sl_status file_write(void *user, const void *bytes, size_t n) {
    sl_sink sink = sl_bytes_sink(&((file *)user)->bytes);
    return sink.write(sink.user, bytes, n);
}

static sl_status file_patch(void *user, uint64_t offset, const void *bytes, size_t n) {
    file *f = user;
    REQUIRE(offset + n <= (uint64_t)f->bytes.n, "a patch beyond what was written");
    memcpy(f->bytes.at + offset, bytes, n);
    return SL_OK;
}

static sl_status file_read(void *user, uint64_t offset, void *bytes, size_t n) {
    const file *f = user;
    if (offset > (uint64_t)f->bytes.n || n > (uint64_t)f->bytes.n - offset) {
        return SL_ERR_IO;
    }
    memcpy(bytes, f->bytes.at + offset, n);
    return SL_OK;
}

static sl_status nowhere(void *user, const void *bytes, size_t n) {
    (void)user, (void)bytes, (void)n;
    return SL_OK;
}

static void add_sink(sl_session *s, const sl_result_sink *sink, int32_t n) {
    int32_t fields[SL_COL_COUNT], n_field = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t field = sl_session_field(s, sl_run_columns[i]);
        if (field >= 0) {
            fields[n_field++] = field;
        }
    }
    REQUIRE(sl_session_add_sink(s, sink, fields, n_field) == SL_OK, "no sink");
}

static void check_energy(const sl_outfile_info *info) {
    for (int32_t i = 0; i < info->n_pump; i++) {
        const sl_out_energy *e = &info->energy[i];
        REQUIRE(isfinite(e->utilization) && isfinite(e->efficiency) && isfinite(e->kwh_per_volume) &&
                    isfinite(e->average_kw) && isfinite(e->peak_kw) && isfinite(e->cost_per_day),
                "energy of pump %d", (int)i);
    }
    REQUIRE(isfinite(info->demand_charge), "demand charge");
}

static void check_file(const job *j, file *f, int32_t n_frame) {
    sl_source_bytes source = {.user = f, .size = (uint64_t)f->bytes.n, .read = file_read};
    sl_outfile *out = NULL;
    REQUIRE(sl_outfile_open(j->ctx, &source, "fuzz.out", NULL, &out) == SL_OK, "the file cannot be read");
    const sl_outfile_info *info = sl_outfile_get_info(out);
    bool series = info->statistic == SL_STAT_SERIES;
    REQUIRE(info->complete, "the file is not complete");
    REQUIRE(info->n_period == (series ? n_frame : n_frame > 0), "%d periods of %d frames", (int)info->n_period,
            (int)n_frame);
    check_energy(info);
    float *x = malloc(((size_t)info->n_node + (size_t)info->n_link) * sizeof *x);
    REQUIRE(x, "out of memory");
    for (int32_t p = 0; p < info->n_period; p++) {
        for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
            int32_t n = v < SL_OUT_FLOW ? info->n_node : info->n_link;
            REQUIRE(sl_outfile_read(out, p, (sl_out_variable)v, x) == SL_OK, "variable %d of period %d", v, (int)p);
            for (int32_t i = 0; i < n; i++) {
                REQUIRE(isfinite(x[i]), "variable %d of element %d in period %d", v, (int)i, (int)p);
            }
        }
    }
    free(x);
    sl_diags *diags = NULL;
    sl_verify_result result = {.size = sizeof result};
    REQUIRE(sl_diags_create(j->ctx, &diags) == SL_OK, "out of memory");
    sl_status status = sl_verify(j->ctx, j->net, out, NULL, diags, &result);
    REQUIRE(status == SL_OK || (status == SL_ERR_INPUT && (!series || info->n_period == 0)),
            "the verifier ends with: %s", sl_status_text(status));
    sl_diags_destroy(diags);
    sl_outfile_close(out);
}

/* One step after the other, as far as the budgets go; gives the time reached and what is shown there. False: it failed. */
static bool run(const job *j, double *end, sl_bytes *last) {
    sl_session *s = new_session(j);
    file f;
    sl_bytes_init(&f.bytes, j->ctx);
    sl_patch_sink patch = {.user = &f, .write = file_write, .patch = file_patch};
    sl_sink text = {NULL, nowhere};
    sl_out_writer *writer = NULL;
    sl_rpt *rpt = NULL;
    sl_summary summary;
    sl_rpt_def def = {
        .net = j->net, .name = "fuzz.inp", .run_diags = sl_session_diags(s), .summary = &summary, .sink = &text};
    REQUIRE(sl_summary_init(&summary, j->ctx, j->net) == SL_OK, "no summary");
    REQUIRE(sl_out_writer_create(j->ctx, j->net, NULL, &patch, NULL, &writer) == SL_OK, "no writer");
    REQUIRE(sl_rpt_create(j->ctx, &def, &rpt) == SL_OK, "no report");
    sl_result_sink sum_sink = sl_summary_sink(&summary), rpt_sink = sl_rpt_sink(rpt);
    add_sink(s, sl_out_writer_sink(writer), SL_COL_N_OUT);
    add_sink(s, &sum_sink, SL_COL_COUNT);
    add_sink(s, &rpt_sink, SL_COL_COUNT);
    const char *kept = "tank.level";
    REQUIRE(sl_session_record(s, &kept, 1) == SL_OK, "no record");

    sl_step step = {.size = sizeof step, .reason = SL_REASON_EVENT};
    sl_status status = SL_OK;
    for (int i = 0; i < MAX_STEP && step.reason == SL_REASON_EVENT; i++) {
        status = sl_session_advance(s, (double)INFINITY, SL_STOP_AT_EVENT, &step);
        if (status == SL_OK) {
            check_boundary(j, s);
        }
        if (value_of(s, SL_EPS_S_TOTAL) > MAX_TRIAL) {
            break;
        }
    }
    REQUIRE(status == SL_OK || status == SL_ERR_SOLVE, "the run ends with: %s", sl_status_text(status));
    if (status != SL_OK) {
        REQUIRE(sl_diags_count(sl_session_diags(s), SL_ERROR) > 0, "the run failed and nobody says why");
        check_finite(s);
    }
    REQUIRE(sl_session_end_sinks(s, false) == SL_OK, "results could not be written");
    sl_out *out = malloc(sizeof *out);
    REQUIRE(out, "out of memory");
    sl_out_init(out, &text);
    sl_digest d;
    sl_summary_facts facts = {.name = "fuzz.inp", .engine = "eps", .diags = sl_session_diags(s)};
    REQUIRE(sl_summary_digest(&summary, &facts, 5, &d) == SL_OK, "the summary could not be made");
    REQUIRE(sl_digest_write_text(&d, out) == SL_OK, "the summary could not be written");
    sl_json json;
    sl_json_init(&json, out, 2);
    REQUIRE(sl_digest_write_json(&d, &json) == SL_OK && sl_out_flush(out) == SL_OK, "the summary could not be written");
    sl_digest_fini(&d);
    free(out);
    int32_t n_report;
    (void)sl_session_times(s, &n_report);
    check_file(j, &f, n_report);
    *end = sl_session_time(s);
    *last = snapshot(j, s);
    sl_session_destroy(s);
    sl_out_writer_destroy(writer);
    sl_rpt_destroy(rpt);
    sl_summary_fini(&summary);
    sl_bytes_fini(&f.bytes);
    return status == SL_OK;
}

/* ---- Odd stops, sets, saved states -------------------------------------------------------------- */

/* To t, step by step; false when the session failed or needs too much. */
static bool go_to(const job *j, sl_session *s, double t) {
    sl_step step = {.size = sizeof step, .reason = SL_REASON_EVENT};
    while (step.reason == SL_REASON_EVENT) {
        sl_status status = sl_session_advance(s, t, SL_STOP_AT_EVENT, &step);
        REQUIRE(status == SL_OK || status == SL_ERR_SOLVE, "going on from %.17g to %.17g s ends with: %s",
                sl_session_time(s), t, sl_status_text(status));
        if (status == SL_OK) {
            check_boundary(j, s);
        }
        if (status != SL_OK || (step.reason == SL_REASON_EVENT && value_of(s, SL_EPS_S_TOTAL) > 2 * MAX_TRIAL)) {
            return false;
        }
    }
    return true;
}

/* A stop whose observing solve fails is a failure that the run without it does not have. */
static void check_stops(const job *j, double end, const sl_bytes *last) {
    uint64_t seed = j->seed;
    sl_session *s = new_session(j);
    double stop = 0.0;
    bool fine = true;
    for (int i = 0; i < N_ACT && fine; i++) {
        stop += draw_share(&seed) * (end - stop) * 0.5;
        fine = go_to(j, s, stop);
    }
    if (fine && go_to(j, s, end)) {
        sl_bytes other = snapshot(j, s);
        check_same(last, &other, j, "without and with stops");
        sl_bytes_fini(&other);
    }
    sl_session_destroy(s);
}

typedef struct act {
    double time, value;
    sl_var var;
} act;

/* Settable fields and values that they may have or not. */
static const struct {
    int32_t field;
    double value[4];
} sets[] = {
    {SL_EPS_WANTED, {0.0, 0.01, -0.02, 30.0}},    {SL_EPS_SPEED, {0.0, 0.7, 1.3, 900.0}},
    {SL_EPS_LEVEL, {0.0, 1.0, 3.0, 20.0}},        {SL_EPS_OPEN, {0.0, 1.0, 0.0, 1.0}},
    {SL_EPS_SETTING, {0.0, 1e-3, 30.0, 1e6}},     {SL_EPS_RESERVOIR_HEAD, {0.0, 50.0, -100.0, 1e5}},
    {SL_EPS_ROUGHNESS, {1e-12, 0.1, 140.0, 1e8}}, {SL_EPS_MINOR, {0.0, 1.0, 1e4, 1e12}},
};

static void make_acts(const job *j, sl_session *s, double end, act acts[N_ACT]) {
    uint64_t seed = ~j->seed;
    double t = 0.0;
    for (int i = 0; i < N_ACT; i++) {
        size_t k = draw(&seed) % (sizeof sets / sizeof *sets);
        int32_t n;
        (void)sl_session_view(s, sets[k].field, &n);
        int32_t index = n > 0 ? (int32_t)(draw(&seed) % (uint64_t)n) : -1; /* -1: no such variable, refused */
        acts[i] = (act){.time = t, .value = sets[k].value[draw(&seed) % 4], .var = {sets[k].field, index}};
        double later = t + draw_share(&seed) * (end - t) * 0.5;
        t = draw(&seed) % 2 ? fmax(t, floor(later)) : later;
    }
}

static bool play(const job *j, sl_session *s, const act *acts, int n) {
    for (int i = 0; i < n; i++) {
        if (!go_to(j, s, acts[i].time)) {
            return false;
        }
        sl_status status = sl_session_set(s, &acts[i].var, 1, &acts[i].value);
        REQUIRE(status == SL_OK || status == SL_ERR_INPUT || (acts[i].var.index < 0 && status == SL_ERR_USE) ||
                    status == SL_ERR_SOLVE,
                "setting ends with: %s", sl_status_text(status));
    }
    return true;
}

static void check_states(job *j, double end) {
    act acts[N_ACT];
    sl_session *a = new_session(j), *b = new_session(j);
    j->restored = b;
    sl_bytes state;
    sl_bytes_init(&state, j->ctx);
    sl_sink sink = sl_bytes_sink(&state);
    make_acts(j, a, end, acts);
    int half = (int)(j->seed % (N_ACT + 1));
    if (play(j, a, acts, half)) {
        REQUIRE(sl_session_save(a, &sink) == SL_OK, "a state cannot be saved");
        REQUIRE(sl_session_restore(b, state.at, (size_t)state.n) == SL_OK, "a state cannot be restored");
        bool fine_a = play(j, a, acts + half, N_ACT - half) && go_to(j, a, end);
        bool fine_b = play(j, b, acts + half, N_ACT - half) && go_to(j, b, end);
        REQUIRE(fine_a == fine_b, "saved and restored end in different ways");
        sl_bytes x = snapshot(j, a), y = snapshot(j, b);
        check_same(&x, &y, j, "saved and restored");
        sl_bytes_fini(&x);
        sl_bytes_fini(&y);
    }
    sl_session_destroy(a);
    sl_session_destroy(b);
    sl_bytes_fini(&state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sl_fuzz_begin();
    job j = {.seed = sl_hash_bytes(data, size)};
    sl_context_def contexts = sl_context_default();
    contexts.effort = 0.1; /* a run without solutions halts after a tenth of the usual trials */
    REQUIRE(sl_context_create(&contexts, &j.ctx) == SL_OK, "no context");
    sl_inp_read_def reading = sl_inp_read_default();
    reading.name = "fuzz.inp";
    if (sl_inp_read(j.ctx, data, size, &reading, NULL, &j.net) == SL_OK && j.net->n_node <= MAX_NODE &&
        j.net->n_link <= MAX_LINK && j.net->n_rule <= MAX_RULE) {
        uint64_t seed = j.seed ^ 1;
        sl_eps_def def = sl_eps_default();
        def.duration = fmin(j.net->times.duration, MAX_DURATION);
        def.tanks = (sl_tank_update)(draw(&seed) % 3);
        def.rules = (sl_rule_reading)(draw(&seed) % 2);
        sl_diags *diags = NULL;
        REQUIRE(sl_diags_create(j.ctx, &diags) == SL_OK, "out of memory");
        sl_status status = sl_model_from_network(j.ctx, j.net, &def, diags, &j.model);
        REQUIRE(status == SL_OK || (status == SL_ERR_INPUT && sl_diags_count(diags, SL_ERROR) > 0), "no model: %s",
                sl_status_text(status));
        sl_diags_destroy(diags);
    }
    if (j.model) {
        sl_bytes last;
        double end;
        if (run(&j, &end, &last)) {
            check_stops(&j, end, &last);
        }
        check_states(&j, end);
        sl_bytes_fini(&last);
    }
    sl_model_destroy(j.model);
    sl_network_destroy(j.net);
    sl_context_destroy(j.ctx);
    return 0;
}
