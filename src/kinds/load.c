/* SPDX-License-Identifier: MIT */
/* load.c: models from sources of any kind, and the files that sources name; see sluice/load.h. */
#include "kinds/rows.h"

#include <math.h>

#include "base/handle.h"
#include "base/memory.h"
#include "base/report.h"
#include "base/sized.h"

void sl_load_default_fill(sl_load_def *def, size_t size) {
    const sl_load_def all = {.duration = (double)NAN};
    sl_sized_default(def, size, &all, sizeof all);
}

const sl_kind *sl_model_row(const sl_model *model) {
    return sl_model_attached_kind(model);
}

const char *sl_model_kind(const sl_model *model) {
    if (!SL_HANDLE_IS(model, SL_HANDLE_MODEL)) {
        return NULL;
    }
    const sl_kind *kind = sl_model_row(model);
    return kind ? kind->name : "";
}

/* ---- By a row ----------------------------------------------------------------------------------- */

sl_status sl_kind_load(const sl_kind *kind, const sl_load *load, sl_model **out) {
    sl_loaded loaded = {0};
    sl_kind_head head;
    sl_load own = *load;
    *out = NULL;
    sl_kind_head_init(&head, load->source);
    own.head = &head;
    sl_status status = kind->load(&own, &loaded);
    if (status == SL_OK && loaded.model) {
        sl_model_attach(loaded.model, kind, loaded.origin, loaded.release);
        *out = loaded.model;
    } else if (loaded.release) {
        loaded.release(loaded.origin);
    }
    return status;
}

/* The options of a definition, by the row's table. */
static sl_status read_options(const sl_kind *kind, const sl_load_def *def, void *args, sl_diags *diags) {
    char why[SL_OPTION_ERROR_MAX];
    for (int i = 0; def->options && def->options[i]; i++) {
        if (!sl_option_set_text(&kind->options, def->options[i], args, why)) {
            sl_report(diags, SL_ERROR, SL_CODE_NOT_ALLOWED, NULL, NULL, NULL, NULL, "options of %s: %s", kind->noun,
                      why);
            return SL_ERR_USE;
        }
    }
    return SL_OK;
}

sl_status sl_model_load(sl_context *ctx, const sl_source *source, const sl_load_def *def, sl_diags *diags,
                        sl_model **out) {
    if (!ctx || !source || !out) {
        return SL_ERR_USE;
    }
    sl_load_def own = sl_load_default();
    sl_source from = {.size = sizeof from};
    sl_kind_head head;
    *out = NULL;
    if (!source || !sl_sized_take(&own, sizeof own, def) || !sl_sized_take(&from, sizeof from, source)) {
        return SL_ERR_USE;
    }
    from.name = from.name ? from.name : "input";
    sl_kind_head_init(&head, &from);
    const sl_kind *kind = sl_kind_choose(own.kinds, own.kind, &head, diags);
    if (!kind) {
        return SL_ERR_INPUT;
    }
    void *args = sl_option_values_create(ctx, &kind->options);
    sl_status status = args ? read_options(kind, &own, args, diags) : SL_ERR_MEMORY;
    if (status == SL_OK) {
        const sl_load load = {
            .ctx = ctx, .source = &from, .duration = own.duration, .step = own.step, .args = args, .diags = diags};
        status = sl_kind_load(kind, &load, out);
    }
    sl_option_values_destroy(ctx, &kind->options, args);
    return status;
}

/* ---- Files that a source names ------------------------------------------------------------------ */

sl_status sl_source_open_named(const sl_source *from, const char *path, sl_yaml *doc, const sl_yaml_node *node,
                               sl_source *opened) {
    char quoted[SL_QUOTE_MAX];
    const char *why = "no file can be opened from here";
    *opened = (sl_source){.size = sizeof *opened};
    sl_status status = from->open ? from->open(from->user, from, path, opened, &why) : SL_ERR_IO;
    if (status != SL_OK && status != SL_ERR_MEMORY && status != SL_ERR_CANCELLED) {
        sl_yaml_report(doc, node, SL_ERROR, SL_CODE_IO, from->open ? NULL : "give a source that can open files",
                       "cannot read the file %s: %s", sl_quote(sl_str_z(path), quoted), why);
    }
    return status;
}

void sl_source_close_named(const sl_source *from, sl_source *opened) {
    if (from->close) {
        from->close(from->user, opened);
    }
    *opened = (sl_source){0};
}

/* Rows at the ends of all steps are right for what moves as one. Of many parts each ends steps of its own, and every row has the values
 * of all: 1000 tanks filled 5 GB with 24 s. */
void sl_kind_choose_report(const sl_load *load, int32_t n, double end, double *report) {
    enum { FEW = 100, MANY_ROWS = 1000 };
    sl_text_location place = {.file = load->source->name};
    if (*report > 0.0 || !isfinite(end) || n <= FEW) {
        return;
    }
    *report = end / MANY_ROWS;
    sl_report(load->diags, SL_INFO, SL_CODE_ADJUSTED, &place, NULL, NULL,
              "say 'report' in the run, or --every, for other times",
              "a row every %.6g s, a thousandth of the run: no report times are given, and there are more than %d "
              "continuous variables",
              *report, FEW);
}
