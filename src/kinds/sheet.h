/* SPDX-License-Identifier: MIT */
/* sheet.h: the page that explains a model, in the making: sections of rows, as text, HTML, LaTeX or JSON. Whoever has something to
 * explain says it once; the form is no matter of his.
 *
 * A row has a key, which is its name in JSON (with the SI unit behind it: "flow_m3_per_s"), and a label, which people read. Values
 * are SI; people see them in the unit of the file first, JSON in SI only. Everything goes straight to the sink.
 */
#ifndef SL_KINDS_SHEET_H
#define SL_KINDS_SHEET_H

#include "expr/expr.h"
#include "kinds/kind.h"
#include "results/display_units.h"

typedef struct sl_sheet {
    sl_context *ctx;
    sl_page_form form;
    sl_out *out;
    sl_json json;
    sl_exprs *g;                   /* of formulas that are set; NULL: none was */
    sl_diags *diags;               /* of these */
    sl_session *session;           /* whose values are shown; NULL: none */
    const sl_display_units *shown; /* units of people; NULL: none but SI */
    sl_status status;              /* first failure */
    bool in_elements, in_element, in_section, in_rows;
} sl_sheet;

/* name: of the model. what: the line below it, "a network, at 7:00"; kind: its word. */
sl_status sl_sheet_open(sl_sheet *p, sl_context *ctx, sl_page_form form, const sl_sink *sink, const char *name,
                        const char *kind, const char *what);
/* The page of a model of this kind, with the values of a session (NULL: nothing is run) and its time. clock: which people see as such.
 * Units and session are borrowed. */
sl_status sl_sheet_begin(sl_sheet *p, const sl_kind *kind, const sl_load *load, const sl_page_def *def,
                         sl_session *session, bool clock, const sl_display_units *shown, const sl_sink *sink);
/* Loads the model and has it explained. --mode is refused. */
sl_status sl_sheet_explain(const sl_kind *kind, const sl_load *load, const sl_page_def *def, const sl_sink *sink,
                           sl_status (*explain)(const sl_load *load, const sl_page_def *def, const sl_model *model,
                                                const sl_sink *sink));
/* Ends the page and frees what it took, also after a failure. */
sl_status sl_sheet_close(sl_sheet *p);

/* Begins an element: the class by which it was asked for, its id, what it is in a word ("pipe"), and in words. */
void sl_sheet_element(sl_sheet *p, const char *of, const char *id, const char *is, const char *words);
/* Begins a section of the element, or of the page before any element. */
void sl_sheet_section(sl_sheet *p, const char *key, const char *title);

void sl_sheet_words(sl_sheet *p, const char *key, const char *label, const char *fmt, ...) SL_PRINTF(4, 5);
void sl_sheet_count(sl_sheet *p, const char *key, const char *label, int64_t n);
/* unit: of SI, "1" or "" for a plain number. */
void sl_sheet_value(sl_sheet *p, const char *key, const char *label, double x, const char *unit, sl_display_unit shown);
/* In the unit that people see for this unit of SI. */
void sl_sheet_quantity(sl_sheet *p, const char *key, const char *label, double x, const char *unit);
/* The value of a field of the sheet's session at an element, likewise. */
void sl_sheet_field(sl_sheet *p, const char *key, const char *label, const char *field, int32_t index);
/* In SI alone. */
void sl_sheet_si(sl_sheet *p, const char *key, const char *label, double x, const char *unit);
/* left = right, both in the syntax of expr.h; names that come along are those of the page's rows. */
void sl_sheet_formula(sl_sheet *p, const char *key, const char *label, const char *left, const char *right);

/* Rows of one kind: an array in JSON. */
void sl_sheet_list(sl_sheet *p, const char *key);
void sl_sheet_item_value(sl_sheet *p, const char *id, const char *label, const char *key, double x, const char *unit);
/* Two values: a point of a curve. */
void sl_sheet_item_point(sl_sheet *p, const char *label, double x, const char *unit_x, sl_display_unit shown_x,
                         double y, const char *unit_y, sl_display_unit shown_y);
void sl_sheet_item_words(sl_sheet *p, const char *id, const char *fmt, ...) SL_PRINTF(3, 4);
void sl_sheet_item_formula(sl_sheet *p, const char *id, const char *left, const char *right);
/* A text of any length. */
void sl_sheet_item_long(sl_sheet *p, const char *id, const char *text);
void sl_sheet_list_end(sl_sheet *p);

/* A session for a page: made, brought to the page's time (NaN: the start), step by step so that an interruption is seen. Events are
 * kept. A time beyond the model's end is refused with a diagnostic; why a run failed is in diags. */
sl_status sl_sheet_run(sl_context *ctx, const sl_model *model, const sl_page_def *def, sl_diags *diags,
                       sl_session **session);
/* To the time of the page, step by step, so that an interruption is seen; not given: where it is. */
sl_status sl_sheet_advance(sl_session *s, const sl_page_def *def);
/* " at 7:00", " at 2.5 s", " at t = 3"; "" of a page that is not run. */
enum { SL_WHEN_MAX = 64 };
const char *sl_sheet_when(const sl_page_def *def, sl_session *session, bool clock, char buf[SL_WHEN_MAX]);
/* Is there an element at all that was asked for? */
bool sl_sheet_has_elements(const sl_page_def *def);
/* Refuses elements for a model that has none: a diagnostic, and SL_ERR_USE. */
sl_status sl_sheet_refuse_elements(const sl_page_def *def, sl_diags *diags, const char *noun, const char *hint);
/* The value of a field of the sheet's session at an element; NaN: there is none. A failure is that of the page. */
double sl_sheet_get(sl_sheet *p, const char *field, int32_t index);

#endif
