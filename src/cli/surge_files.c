/* SPDX-License-Identifier: MIT */
/* surge_files.c: the files that a surge run writes, by the ending of their names; see surge_job.h. A form is a row of one
 * table. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/report.h"
#include "cli/surge_job.h"

typedef struct making {
    const sl_surge_outcome *r;
    const sl_study_route *route;
    const struct sl_surge_form *form;
    sl_diags *diags;
} making;

typedef struct sl_surge_form {
    const char *ending;
    bool envelope;
    sl_plot_format format; /* of pictures */
    sl_status (*make)(const making *m, const sl_sink *sink, const char *path);
} sl_surge_form;

static sl_status make_csv(const making *m, const sl_sink *sink, const char *path) {
    (void)path;
    return sl_surge_traces_csv(m->r, sink);
}

static sl_status make_json(const making *m, const sl_sink *sink, const char *path) {
    (void)path;
    return sl_surge_json(m->r, sink);
}

static sl_status make_hdf5(const making *m, const sl_sink *sink, const char *path) {
    (void)sink;
    return path ? sl_surge_hdf5(m->r, path, m->diags) : SL_ERR_IO;
}

static sl_status make_report(const making *m, const sl_sink *sink, const char *path) {
    (void)path;
    sl_out *out = sl_alloc(m->r->ctx, sizeof *out);
    if (!out) {
        return SL_ERR_MEMORY;
    }
    sl_out_init(out, sink);
    sl_surge_report(m->r, INT32_MAX, out);
    sl_status status = sl_out_flush(out);
    sl_free(m->r->ctx, out, sizeof *out);
    return status;
}

static sl_status make_picture(const making *m, const sl_sink *sink, const char *path) {
    (void)path;
    if (m->form->envelope && !m->route) {
        sl_report(m->diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL, "write --route FROM,TO, or `routes`",
                  "there is no way from a reservoir or tank to the highest head that an envelope could follow");
        return SL_ERR_INPUT;
    }
    return m->form->envelope ? sl_surge_picture_envelope(m->r, m->route, m->form->format, m->diags, sink)
                             : sl_surge_picture_traces(m->r, m->form->format, m->diags, sink);
}

static sl_status make_envelope(const making *m, const sl_sink *sink, const char *path) {
    (void)path;
    return sl_surge_envelope_csv(m->r, m->r->study->n_route > 0 ? m->route : NULL, sink);
}

static const sl_surge_form forms[] = {
    {"csv", false, 0, make_csv},
    {"json", false, 0, make_json},
    {"h5", false, 0, make_hdf5},
    {"rpt", false, 0, make_report},
    {"txt", false, 0, make_report},
    {"svg", false, SL_PLOT_SVG, make_picture},
    {"png", false, SL_PLOT_PNG, make_picture},
    {"pdf", false, SL_PLOT_PDF, make_picture},
    {"csv", true, 0, make_envelope},
    {"svg", true, SL_PLOT_SVG, make_picture},
    {"png", true, SL_PLOT_PNG, make_picture},
    {"pdf", true, SL_PLOT_PDF, make_picture},
};

bool sl_surge_files_add(sl_surge_files *f, const char *path, const char *format, bool envelope, char *why,
                        size_t size) {
    const char *dot = strrchr(path, '.');
    const char *ending = format ? format : dot ? dot + 1 : "";
    const sl_surge_form *form = NULL;
    for (size_t i = 0; i < sizeof forms / sizeof *forms && !form; i++) {
        form = forms[i].envelope == envelope && strcasecmp(ending, forms[i].ending) == 0 ? &forms[i] : NULL;
    }
    if (!form) {
        snprintf(why, size,
                 envelope
                     ? "%s does not end in .csv (a table), .svg, .png or .pdf (a picture)"
                     : "%s does not end in .csv (traces), .json or .h5 (everything), .rpt (a report), .svg, .png or "
                       ".pdf (a picture of traces)",
                 path);
        return false;
    }
    for (int i = 0; i < f->n; i++) {
        if (strcmp(f->at[i].path, path) == 0) {
            snprintf(why, size, "%s is given twice: each file needs a name of its own", path);
            return false;
        }
    }
    if (f->n == SL_SURGE_FILES_MAX) {
        snprintf(why, size, "more than %d files", SL_SURGE_FILES_MAX);
        return false;
    }
    f->standard = f->standard || strcmp(path, "-") == 0;
    f->at[f->n++] = (sl_surge_file){path, form};
    return true;
}

int sl_surge_files_try(const sl_surge_files *f, sl_cli *cli) {
    for (int i = 0; i < f->n; i++) {
        sl_output output;
        int error = strcmp(f->at[i].path, "-") == 0 ? 0 : sl_output_open(cli->ctx, &output, f->at[i].path);
        if (error) {
            sl_cli_message(cli, "cannot write %s: %s", f->at[i].path, sl_file_reason(error));
            return SL_EXIT_WORLD;
        }
        if (strcmp(f->at[i].path, "-") != 0) {
            sl_output_abandon(&output);
        }
    }
    return SL_EXIT_FINE;
}

static sl_status make(sl_cli *cli, void *user, const sl_sink *sink, const char *path) {
    (void)cli;
    const making *m = user;
    return m->form->make(m, sink, path);
}

int sl_surge_files_write(const sl_surge_files *f, sl_cli *cli, const sl_surge_outcome *r, const sl_study_route *route,
                         sl_diags *diags) {
    int worst = SL_EXIT_FINE;
    for (int i = 0; i < f->n; i++) {
        making m = {r, route, f->at[i].form, diags};
        int code = sl_output_make_at(cli, f->at[i].path, make, &m);
        worst = code > worst ? code : worst;
    }
    return worst;
}
