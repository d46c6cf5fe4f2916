/* SPDX-License-Identifier: MIT */
/* session_explain.c: the page of a kind that has none of its own: what every session has. Of an element that is asked for its
 * variables with their values, else one row per quantity. SI throughout.
 */
#include "kinds/sheet.h"

#include <math.h>
#include <string.h>

#include "session/session.h"

/* Class, id and quantity of a variable. The model as a whole has no id. */
typedef struct name_parts {
    const char *of, *id, *quantity;
} name_parts;

static name_parts parts_of(sl_session *s, sl_var v) {
    const void *engine;
    const sl_engine_ops *ops = sl_session_ops(s, &engine);
    const sl_field *f = &ops->fields[v.field];
    bool whole = f->of == SL_CLASS_MODEL;
    return (name_parts){ops->classes[f->of].name, whole ? NULL : ops->element(engine, v.field, v.index), f->name};
}

/* A value with its unit and meaning; a word where it has one. */
static void put_variable(sl_sheet *p, sl_session *s, const sl_var_info *v, const char *quantity) {
    char key[64], label[160];
    double x = (double)NAN;
    sl_status status = sl_session_get(s, &v->var, 1, &x);
    p->status = p->status == SL_OK ? status : p->status;
    (void)sl_format(key, sizeof key, "%.40s", quantity);
    (void)sl_format(label, sizeof label, "%.40s (%.100s)", key, v->meaning);
    if (v->words && isfinite(x)) {
        sl_sheet_words(p, key, label, "%s", v->words[(int)x]);
    } else {
        sl_sheet_si(p, key, label, x, v->unit);
    }
}

/* The first variable of the element from ref on; -1: there is none. */
static int64_t next_variable(sl_session *s, const char *id, int64_t ref, sl_var_info *v) {
    for (; ref < sl_session_n_var(s); ref++) {
        if (sl_session_var(s, (uint32_t)ref, v) == SL_OK) {
            name_parts parts = parts_of(s, v->var);
            if (parts.id && strcmp(parts.id, id) == 0) {
                return ref;
            }
        }
    }
    return -1;
}

static bool elements_exist(sl_session *s, const sl_texts *ids, sl_diags *diags) {
    sl_var_info v = {.size = sizeof v};
    bool fine = true;
    for (int i = 0; ids && i < ids->n; i++) {
        if (next_variable(s, ids->at[i], 0, &v) < 0) {
            sl_report(diags, SL_ERROR, SL_CODE_VARIABLE, NULL, NULL, NULL, "`sluice vars` lists the variables",
                      "there is no element '%.100s'", ids->at[i]);
            fine = false;
        }
    }
    return fine;
}

/* All variables of the element. */
static void put_element(sl_sheet *p, sl_session *s, const char *of, const char *id) {
    sl_var_info v = {.size = sizeof v};
    bool begun = false;
    for (int64_t ref = next_variable(s, id, 0, &v); ref >= 0; ref = next_variable(s, id, ref + 1, &v)) {
        name_parts parts = parts_of(s, v.var);
        if (!begun) {
            char words[256];
            (void)sl_format(words, sizeof words, "%.60s %.180s", parts.of, id);
            sl_sheet_element(p, of, id, parts.of, words);
            sl_sheet_section(p, "variables", "Variables");
            begun = true;
        }
        put_variable(p, s, &v, parts.quantity);
    }
}

/* One row per quantity: the value of the model's own, the range of those of elements. */
static sl_status put_quantities(sl_sheet *p, sl_session *s) {
    sl_var_info v = {.size = sizeof v};
    sl_sheet_section(p, "quantities", "Quantities");
    sl_sheet_count(p, "variables", "variables", sl_session_n_var(s));
    sl_sheet_list(p, "list");
    for (int64_t ref = 0; ref < sl_session_n_var(s);) {
        int32_t n = 0;
        sl_status status = sl_session_var(s, (uint32_t)ref, &v);
        if (status != SL_OK) {
            return status;
        }
        name_parts parts = parts_of(s, v.var);
        char name[128];
        (void)sl_format(name, sizeof name, "%s%s%s", parts.of, parts.id ? "." : "", parts.quantity);
        const char *unit = strcmp(v.unit, "1") == 0 ? "" : v.unit, *meaning = v.meaning;
        int32_t field = v.var.field;
        const double *x = sl_session_view(s, field, &n);
        double low = (double)NAN, high = (double)NAN;
        for (int32_t i = 0; x && i < n; i++) {
            low = fmin(low, x[i]);
            high = fmax(high, x[i]);
        }
        if (isnan(low)) {
            sl_sheet_item_words(p, name, "%d of them%s%s: %s", (int)n, unit[0] ? " in " : "", unit, meaning);
        } else if (low < high) {
            sl_sheet_item_words(p, name, "%.7g to %.7g%s%s: %s", low, high, unit[0] ? " " : "", unit, meaning);
        } else {
            sl_sheet_item_words(p, name, "%.7g%s%s: %s", low, unit[0] ? " " : "", unit, meaning);
        }
        ref += n > 0 ? n : 1;
    }
    sl_sheet_list_end(p);
    return SL_OK;
}

static sl_status put_page(const sl_kind *kind, const sl_load *load, const sl_page_def *def, sl_session *s,
                          const sl_sink *sink) {
    char what[256], when[SL_WHEN_MAX];
    sl_sheet p;
    (void)sl_format(what, sizeof what, "%.100s%s", kind->noun, sl_sheet_when(def, s, false, when));
    sl_status status = sl_sheet_open(&p, load->ctx, def->form, sink, load->source->name, kind->name, what);
    const sl_texts *lists[] = {def->nodes, def->links};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; status == SL_OK && lists[k] && i < lists[k]->n; i++) {
            put_element(&p, s, k == 0 ? "node" : "link", lists[k]->at[i]);
        }
    }
    if (status == SL_OK && !sl_sheet_has_elements(def)) {
        status = put_quantities(&p, s);
    }
    sl_status closed = sl_sheet_close(&p);
    return status != SL_OK ? status : closed;
}

static sl_status explain_session(const sl_load *load, const sl_page_def *def, const sl_model *model,
                                 const sl_sink *sink) {
    sl_session *session = NULL;
    sl_status status = sl_sheet_run(load->ctx, model, def, load->diags, &session);
    if (status == SL_OK) {
        bool nodes = elements_exist(session, def->nodes, load->diags);
        status = elements_exist(session, def->links, load->diags) && nodes ? SL_OK : SL_ERR_INPUT;
    }
    status = status == SL_OK ? put_page(sl_model_row(model), load, def, session, sink) : status;
    sl_session_destroy(session);
    return status;
}

sl_status sl_kind_explain(const sl_kind *kind, const sl_load *load, const sl_page_def *def, const sl_sink *sink) {
    return kind->explain ? kind->explain(load, def, sink) : sl_sheet_explain(kind, load, def, sink, explain_session);
}
