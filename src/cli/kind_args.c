/* SPDX-License-Identifier: MIT */
/* kind_args.c: options of kinds of model; see args.h. */
#include <stdlib.h>
#include <string.h>

#include "base/count_text.h"
#include "cli/args.h"

enum { ALIGNMENT = 16, LIST_MAX = 512 };

sl_kind_values sl_kind_table(const sl_kind *k, unsigned which) {
    const sl_report_ops *r = k->report ? k->report : &sl_values_report;
    const sl_plot_ops *p = k->plot;
    if (which == SL_OPTIONS_OF_LOAD) {
        return (sl_kind_values){k, which, k->options, k->n_option, k->args_size, k->args_default, NULL};
    }
    if (which == SL_OPTIONS_OF_REPORT) {
        return (sl_kind_values){k, which, r->options, r->n_option, r->args_size, r->args_default, NULL};
    }
    return p ? (sl_kind_values){k, which, p->options, p->n_option, p->args_size, p->args_default, NULL}
             : (sl_kind_values){0};
}

static size_t padded(size_t size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

bool sl_kind_args_init(sl_cli *cli, unsigned tables, sl_kind_args *kinds) {
    size_t size = 0;
    *kinds = (sl_kind_args){0};
    for (int k = 0; cli->kinds[k]; k++) {
        for (unsigned which = SL_OPTIONS_OF_LOAD; which <= SL_OPTIONS_OF_PLOT; which *= 2) {
            sl_kind_values t = which & tables ? sl_kind_table(cli->kinds[k], which) : (sl_kind_values){0};
            if ((t.size > 0 || t.n_option > 0) && kinds->n < SL_KIND_VALUES_MAX) {
                kinds->at[kinds->n++] = t;
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
        kinds->at[i].values = at;
        at += padded(kinds->at[i].size);
        if (kinds->at[i].fill) {
            kinds->at[i].fill(kinds->at[i].values);
        }
    }
    return true;
}

void sl_kind_args_fini(sl_kind_args *kinds) {
    free(kinds->block);
    *kinds = (sl_kind_args){0};
}

void *sl_kind_args_of(const sl_kind_args *kinds, const sl_kind *kind, unsigned which) {
    for (int i = 0; i < kinds->n; i++) {
        if (kinds->at[i].kind == kind && kinds->at[i].table == which) {
            return kinds->at[i].values;
        }
    }
    return NULL;
}

static bool has_option(const sl_kind_values *v, const char *name) {
    return sl_option_find(v->options, v->n_option, sl_str_z(name)) != NULL;
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
