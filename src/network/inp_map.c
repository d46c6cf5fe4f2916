/* SPDX-License-Identifier: MIT */
/* inp_map.c: [COORDINATES] [VERTICES] [LABELS] [TAGS] [BACKDROP]: what a map shows. Mistakes here change no result,
 * so they are warnings. */
#include "network/inp_read.h"

/* x and y at tokens i and i + 1; false after a warning. */
static bool take_point(sl_reader *r, int32_t i, double *x, double *y) {
    double a = 0.0, b = 0.0;
    for (int32_t k = i; k < i + 2; k++) {
        if (k >= r->n_tok) {
            sl_inp_warn(r, k, SL_CODE_MISSING_VALUE, "the form is: id x y",
                        "the line ends where a coordinate is expected");
            return false;
        }
        if (!sl_inp_number(r, k, k == i ? &a : &b)) {
            char quoted[SL_QUOTE_MAX];
            sl_inp_warn(r, k, SL_CODE_NOT_A_NUMBER, NULL, "coordinate %s is not a number",
                        sl_quote(r->tok.at[k], quoted));
            return false;
        }
    }
    *x = a;
    *y = b;
    return true;
}

void sl_inp_coordinates(sl_reader *r) {
    sl_point_rec p = {.owner = sl_inp_find_node(r, 0)};
    if (!take_point(r, 1, &p.x, &p.y)) {
        return;
    }
    if (p.owner < 0) {
        char quoted[SL_QUOTE_MAX];
        sl_inp_warn(r, 0, SL_CODE_UNKNOWN_NODE, NULL, "node %s is not defined: its coordinates have no effect",
                    sl_quote(r->tok.at[0], quoted));
    } else if (!SL_PUSH(r->ctx, &r->spec->place, p)) {
        r->oom = true;
    }
}

void sl_inp_vertices(sl_reader *r) {
    sl_point_rec p = {.owner = sl_inp_find_link(r, 0)};
    if (!take_point(r, 1, &p.x, &p.y)) {
        return;
    }
    if (p.owner < 0) {
        char quoted[SL_QUOTE_MAX];
        sl_inp_warn(r, 0, SL_CODE_UNKNOWN_LINK, NULL, "link %s is not defined: its vertices have no effect",
                    sl_quote(r->tok.at[0], quoted));
    } else if (!SL_PUSH(r->ctx, &r->spec->vertex, p)) {
        r->oom = true;
    }
}

/* x y "text" (anchor node) */
void sl_inp_labels(sl_reader *r) {
    sl_label label = {.text = "", .anchor = -1};
    if (!take_point(r, 0, &label.x, &label.y)) {
        return;
    }
    if (r->n_tok > 2) {
        label.text = sl_inp_copy(r, r->tok.at[2]);
    }
    if (r->n_tok > 3) {
        label.anchor = sl_ids_find(r->spec->node_ids, r->tok.at[3]);
    }
    if (!label.text || !SL_PUSH(r->ctx, &r->spec->label, label)) {
        r->oom = true;
    }
}

/* NODE|LINK id tag; a tag may have blanks. */
void sl_inp_tags(sl_reader *r) {
    bool node = sl_inp_word(r, 0, "NODE"), link = sl_inp_word(r, 0, "LINK");
    if (!node && !link) {
        sl_inp_warn(r, 0, SL_CODE_IGNORED, "the form is: NODE|LINK id tag", "a tag line starts with NODE or LINK");
        return;
    }
    if (r->n_tok < 3) {
        sl_inp_warn(r, r->n_tok, SL_CODE_MISSING_VALUE, "the form is: NODE|LINK id tag",
                    "the line ends where %s is expected", r->n_tok < 2 ? "an id" : "a tag");
        return;
    }
    int32_t at = node ? sl_inp_find_node(r, 1) : sl_inp_find_link(r, 1);
    if (at < 0) {
        char quoted[SL_QUOTE_MAX];
        sl_inp_warn(r, 1, node ? SL_CODE_UNKNOWN_NODE : SL_CODE_UNKNOWN_LINK, "EPANET 2.3 refuses the file",
                    "%s %s is not defined: its tag has no effect", node ? "node" : "link",
                    sl_quote(r->tok.at[1], quoted));
        return;
    }
    sl_str first = r->tok.at[2], last = r->tok.at[r->n_tok - 1];
    sl_str tag = {first.ptr, (size_t)(last.ptr - first.ptr) + last.len};
    while (tag.len && (*tag.ptr == ' ' || *tag.ptr == '\t' || *tag.ptr == '"')) { /* what would not be read back */
        tag.ptr++;
        tag.len--;
    }
    while (tag.len && (tag.ptr[tag.len - 1] == ' ' || tag.ptr[tag.len - 1] == '\t')) {
        tag.len--;
    }
    sl_inp_note(r, node ? &r->spec->node_tag : &r->spec->link_tag, at, tag);
}

void sl_inp_backdrop(sl_reader *r) {
    const char *line = sl_inp_copy(r, r->line);
    if (line && !SL_PUSH(r->ctx, &r->spec->backdrop, line)) {
        r->oom = true;
    }
}
