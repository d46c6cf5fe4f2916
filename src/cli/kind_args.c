/* SPDX-License-Identifier: MIT */
/* kind_args.c: options of kinds of model; see args.h. */
#include <stdlib.h>
#include <string.h>

#include "base/count_text.h"
#include "cli/args.h"

enum { ALIGNMENT = 16, LIST_MAX = 512 };

sl_option_table sl_kind_options(const sl_kind *kind, unsigned which) {
    const sl_report_ops *report = kind->report ? kind->report : &sl_values_report;
    return which == SL_OPTIONS_OF_LOAD     ? kind->options
           : which == SL_OPTIONS_OF_REPORT ? report->options
           : kind->plot                    ? kind->plot->options
                                           : (sl_option_table){0};
}

static size_t padded(size_t size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

bool sl_kind_args_init(sl_cli *cli, unsigned tables, sl_kind_args *kinds) {
    size_t size = 0;
    *kinds = (sl_kind_args){0};
    for (int k = 0; cli->kinds[k]; k++) {
        for (unsigned which = SL_OPTIONS_OF_LOAD; which <= SL_OPTIONS_OF_PLOT; which *= 2) {
            sl_option_table t = which & tables ? sl_kind_options(cli->kinds[k], which) : (sl_option_table){0};
            if ((t.size > 0 || t.n > 0) && kinds->n < SL_KIND_VALUES_MAX) {
                kinds->at[kinds->n++] = (sl_kind_values){cli->kinds[k], which, t, NULL};
                size += padded(t.size);
            }
        }
    }
    /* Not of the context, which may be made anew with other threads. */
    kinds->block = tables ? calloc(1, size + 1) : NULL;
    if (tables && !kinds->block) {
        sl_cli_message(cli, "out of memory");
        return false;
    }
    char *at = kinds->block;
    for (int i = 0; i < kinds->n; i++) {
        const sl_option_table *t = &kinds->at[i].options;
        kinds->at[i].values = at;
        if (t->fill) {
            t->fill(at);
        }
        at += padded(t->size);
    }
    return true;
}

void sl_kind_args_fini(sl_kind_args *kinds) {
    free(kinds->block);
    *kinds = (sl_kind_args){0};
}

void *sl_kind_args_of(const sl_kind_args *kinds, const sl_kind *kind, unsigned which) {
    for (int i = 0; i < kinds->n; i++) {
        if (kinds->at[i].kind == kind && kinds->at[i].which == which) {
            return kinds->at[i].values;
        }
    }
    return NULL;
}

static bool has_option(const sl_kind_values *v, const char *name) {
    return sl_option_find(&v->options, sl_str_z(name)) != NULL;
}

static bool kind_has_option(const sl_kind_args *kinds, const sl_kind *kind, const char *name) {
    for (int i = 0; i < kinds->n; i++) {
        if (kinds->at[i].kind == kind && has_option(&kinds->at[i], name)) {
            return true;
        }
    }
    return false;
}

bool sl_kind_is_selectable(const sl_kind *kind) {
    return kind->version > 0 || kind->selected_by;
}

/* "a network or a surge study" */
static void list_kinds_with(const sl_kind_args *kinds, const char *name, char list[LIST_MAX]) {
    list[0] = '\0';
    for (int i = 0; i < kinds->n; i++) {
        if (has_option(&kinds->at[i], name) && sl_kind_is_selectable(kinds->at[i].kind)) {
            sl_append(list, LIST_MAX, "%s%s", list[0] ? " or " : "", kinds->at[i].kind->noun);
        }
    }
}

/* The option that makes a file of this kind one of a kind that has the option; NULL: none does. */
static const char *selecting_option(const sl_kind_args *kinds, const char *name, const sl_kind *kind) {
    for (int i = 0; i < kinds->n; i++) {
        const sl_kind *other = kinds->at[i].kind;
        for (int t = 0; other->selected_by && other->takes && other->takes[t]; t++) {
            if (has_option(&kinds->at[i], name) && strcmp(other->takes[t], kind->name) == 0) {
                return other->selected_by;
            }
        }
    }
    return NULL;
}

int sl_kind_args_fit(sl_cli *cli, const sl_command *command, const sl_kind_args *kinds, const sl_kind *kind,
                     const char *name) {
    for (int i = 0; i < kinds->n_given; i++) {
        const char *option = kinds->given[i];
        if (!kind_has_option(kinds, kind, option)) {
            char list[LIST_MAX];
            list_kinds_with(kinds, option, list);
            const char *select = selecting_option(kinds, option, kind);
            return sl_args_wrong(cli, command, "--%s is for %s, and %s is %s%s%s", option, list, name, kind->noun,
                                 select ? ": add --" : "", select ? select : "");
        }
    }
    return SL_EXIT_FINE;
}
