/* SPDX-License-Identifier: MIT */
/* toys_main.c: the program `sluice` with two kinds of model more: toy engines of the tests, of which each costs one file and one
 * row. The ball is that of tests/kinds/toy_kind.c; here are counters (tests/counter.c), whose time counts steps:
 *
 *     sluice: counter/1
 *     limit: 10
 *     end: 20
 */
#include <math.h>
#include <stddef.h>

#include "base/memory.h"
#include "cli/cli.h"
#include "counter.h"
#include "kinds/kind.h"

extern const sl_kind toy_kind; /* the ball */

enum { N_CELL = 2 };
static const char *const ids[N_CELL] = {"tens", "tens.ones"};

typedef struct toy {
    sl_context *ctx;
    double step[N_CELL], limit[N_CELL];
    counter_model counter;
} toy;

static void release(void *origin) {
    toy *t = origin;
    sl_free(t->ctx, t, sizeof *t);
}

static sl_status read_counter(const sl_load *load, toy *t) {
    sl_yaml *doc = NULL;
    sl_yaml_map m;
    int64_t limit = 10, end = 0;
    const sl_source *source = load->source;
    sl_status status = sl_yaml_read(load->ctx, source->bytes, source->n, source->name, load->diags, &doc);
    if (status == SL_OK && sl_yaml_open_map(doc, sl_yaml_root(doc), &m)) {
        (void)sl_yaml_signature(&m, "counter", 1);
        sl_yaml_int(&m, "limit", 0, 1, 1000, &limit);
        sl_yaml_int(&m, "end", SL_YAML_NEEDED, 1, 1000, &end);
        sl_yaml_done(&m);
        status = sl_yaml_status(doc);
    }
    sl_yaml_destroy(doc);
    for (int i = 0; i < N_CELL; i++) {
        t->limit[i] = (double)limit;
        t->step[i] = i; /* the ones count, the tens get what they carry */
    }
    t->counter = (counter_model){.ids = ids, .step = t->step, .limit = t->limit, .n = N_CELL, .report_step = 1.0};
    t->counter.end = isnan(load->duration) ? (double)end : load->duration;
    return status;
}

static sl_status load_counter(const sl_load *load, sl_loaded *out) {
    toy *t = sl_alloc(load->ctx, sizeof *t);
    if (!t) {
        return SL_ERR_MEMORY;
    }
    *t = (toy){.ctx = load->ctx};
    sl_status status = read_counter(load, t);
    status = status == SL_OK ? sl_model_from_engine(load->ctx, &counter_ops, &t->counter, &out->model) : status;
    if (status != SL_OK) {
        release(t);
        return status;
    }
    out->origin = t;
    out->release = release;
    return SL_OK;
}

static const sl_kind counter_kind = {.name = "counter", .noun = "a counter", .version = 1, .load = load_counter};

enum { KINDS_MAX = 16 };

int main(int argc, char **argv) {
    const sl_kind *kinds[KINDS_MAX + 1] = {&toy_kind, &counter_kind};
    for (int i = 0; sl_kinds[i] && i + 2 < KINDS_MAX; i++) {
        kinds[i + 2] = sl_kinds[i];
    }
    return sl_cli_main(kinds, argc, argv);
}
