/* SPDX-License-Identifier: MIT */
/* toy_kind.c: a kind of model added by a program: one file and one row. The engine is the bouncing ball of tests/ball.c.
 *
 *     sluice: ball/1
 *     height: 2 m
 *     restitution: 0.8
 *     end: 3 s
 */
#include "kinds_test.h"

#include "ball.h"
#include "base/memory.h"
#include "kinds/kind.h"

typedef struct toy_args {
    double restitution; /* 0: the file's */
} toy_args;

static const sl_option options[] = {{.name = "restitution",
                                     .kind = SL_OPTION_NUMBER,
                                     .offset = offsetof(toy_args, restitution),
                                     .value = "PART",
                                     .help = "of the speed that a bounce leaves"}};

typedef struct toy {
    sl_context *ctx;
    ball_model ball;
} toy;

static void release(void *origin) {
    toy *t = origin;
    sl_free(t->ctx, t, sizeof *t);
}

static sl_status read_ball(const sl_load *load, ball_model *ball) {
    sl_yaml *doc = NULL;
    sl_yaml_map m;
    const sl_source *source = load->source;
    sl_status status = sl_yaml_read(load->ctx, source->bytes, source->n, source->name, load->diags, &doc);
    if (status == SL_OK && sl_yaml_open_map(doc, sl_yaml_root(doc), &m)) {
        (void)sl_yaml_signature(&m, "ball", 1);
        sl_yaml_number(&m, "height", SL_YAML_NEEDED | SL_YAML_POSITIVE, "m", &ball->height);
        sl_yaml_number(&m, "restitution", SL_YAML_POSITIVE, NULL, &ball->restitution);
        sl_yaml_time(&m, "end", SL_YAML_POSITIVE, &ball->end);
        sl_yaml_time(&m, "report", SL_YAML_POSITIVE, &ball->report_step);
        sl_yaml_done(&m);
        status = sl_yaml_status(doc);
    }
    sl_yaml_destroy(doc);
    return status;
}

static sl_status load_toy(const sl_load *load, sl_loaded *out) {
    const toy_args *args = load->args;
    toy *t = sl_alloc(load->ctx, sizeof *t);
    if (!t) {
        return SL_ERR_MEMORY;
    }
    *t = (toy){.ctx = load->ctx, .ball = {.height = 1.0, .restitution = 0.8, .end = 2.0, .report_step = 0.5}};
    sl_status status = read_ball(load, &t->ball);
    t->ball.restitution = args->restitution > 0.0 ? args->restitution : t->ball.restitution;
    t->ball.end = isnan(load->duration) ? t->ball.end : load->duration;
    status = status == SL_OK ? sl_model_from_engine(load->ctx, &ball_ops, &t->ball, &out->model) : status;
    if (status != SL_OK) {
        release(t);
        return status;
    }
    out->origin = t;
    out->release = release;
    return SL_OK;
}

const sl_kind toy_kind = {.name = "ball",
                          .noun = "a bouncing ball",
                          .version = 1,
                          .load = load_toy,
                          .options = SL_OPTION_TABLE(options, toy_args, NULL)};
