/* SPDX-License-Identifier: MIT */
/* inp_convert.c: .inp text rewritten as text.
 *
 * The reader notes every token whose text depends on the units; here those tokens are replaced and all else is copied
 * byte for byte. Blanks behind a replaced number are taken or given so that the columns stay where they were.
 */
#include "base/memory.h"
#include "base/number.h"
#include "base/out.h"
#include "base/sized.h"
#include "network/inp_read.h"
#include "network/inp_write.h"
#include "network/network_impl.h"
#include "network/words.h"
#include <sluice/network_io.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 10 }; /* significant digits of a converted number: rounding below 1e-10 */

void sl_inp_convert_default_fill(sl_inp_convert_def *def, size_t size) {
    const sl_inp_convert_def all = {0};
    sl_sized_default(def, size, &all, sizeof all);
}

/* A unit that was the usual one stays the usual one; any other is kept. So is one in which alone the required pressure
 * is as far above the minimum as EPANET wants it, 0.1 of the unit. */
static sl_pressure_unit new_pressure_unit(const sl_network *net, sl_flow_unit unit) {
    const sl_hydraulic_options *h = &net->hydraulics;
    double factor[SL_Q_COUNT];
    sl_unit_system units = sl_network_units(h, &net->quality);
    units.flow = unit;
    units.pressure = sl_default_pressure_unit(unit);
    sl_epanet_factors(&units, factor);
    bool narrow =
        h->demand_model == SL_PDA && h->pressure_required - h->pressure_min < 0.1000001 * factor[SL_Q_PRESSURE];
    return h->pressure_unit == sl_default_pressure_unit(h->flow_unit) && !narrow ? units.pressure : h->pressure_unit;
}

/* A curve used as two kinds has one set of numbers in the text, which cannot change in two ways. */
static bool curves_convert(const sl_network *net, const double *old, const double *new, sl_diags *diags) {
    for (int32_t i = net->n_curve_named; i < net->n_curve; i++) {
        int32_t first = net->curve_twin[i - net->n_curve_named];
        double a[2], b[2], c[2], d[2];
        sl_epanet_curve_factors(old, (sl_curve_kind)net->curve_kind[first], &a[0], &a[1]);
        sl_epanet_curve_factors(new, (sl_curve_kind)net->curve_kind[first], &b[0], &b[1]);
        sl_epanet_curve_factors(old, (sl_curve_kind)net->curve_kind[i], &c[0], &c[1]);
        sl_epanet_curve_factors(new, (sl_curve_kind)net->curve_kind[i], &d[0], &d[1]);
        if (a[0] / b[0] != c[0] / d[0] || a[1] / b[1] != c[1] / d[1]) {
            sl_report(diags, SL_ERROR, SL_CODE_CURVE_SHAPE, NULL, "curve", sl_network_curve_id(net, i),
                      "give each use a curve of its own",
                      "it is used both as %s and as %s curve: other units would need other numbers for each",
                      sl_curve_words[net->curve_kind[first]], sl_curve_words[net->curve_kind[i]]);
            return false;
        }
    }
    return true;
}

typedef struct rewriter {
    sl_reader *r;
    sl_network *net;
    sl_out *out;
    sl_flow_unit flow;
    sl_pressure_unit pressure;
    double factor[SL_Q_COUNT];
    size_t done; /* bytes of the text already written */
} rewriter;

static void copy_to(rewriter *w, size_t offset) {
    sl_out_bytes(w->out, w->r->text + w->done, offset - w->done);
    w->done = offset;
}

/* The ratio by which a number changes, 1 when it stays. */
static double ratio(const rewriter *w, const sl_edit *e) {
    if (e->curve < 0) {
        return w->r->factor[e->quantity] / w->factor[e->quantity];
    }
    double old[2], new[2];
    sl_curve_kind kind = (sl_curve_kind)w->net->curve_kind[e->curve];
    sl_epanet_curve_factors(w->r->factor, kind, &old[0], &old[1]);
    sl_epanet_curve_factors(w->factor, kind, &new[0], &new[1]);
    return old[e->quantity] / new[e->quantity];
}

static void replace(rewriter *w, const sl_edit *e, const char *text, size_t n) {
    copy_to(w, e->offset);
    sl_out_bytes(w->out, text, n);
    w->done = e->offset + e->length;
    size_t blanks = 0;
    while (w->done + blanks < w->r->n && w->r->text[w->done + blanks] == ' ') {
        blanks++;
    }
    char next = w->done + blanks < w->r->n ? w->r->text[w->done + blanks] : '\n';
    if (blanks == 0 || next == '\n' || next == '\r' || next == '\t') {
        return;
    }
    if (n > e->length) {
        size_t take = n - e->length < blanks - 1 ? n - e->length : blanks - 1;
        w->done += take;
    }
    for (size_t i = n; i < e->length; i++) {
        sl_out_char(w->out, ' ');
    }
}

/* The smallest required pressure that a file can say: 0.1 of its unit above the minimum, and a hair for rounding. */
static double least_required(const rewriter *w) {
    return (w->net->hydraulics.pressure_min / w->factor[SL_Q_PRESSURE] + 0.1) * (1.0 + 1e-9);
}

static bool is_required_pressure(const sl_reader *r, const sl_edit *e) {
    const sl_text_location *p = &r->required_place;
    return p->text.ptr && e->offset == (size_t)(p->text.ptr - r->text) + p->begin;
}

/* The defaults of a pipe's values, where other units have others. */
static void write_pipe_defaults(rewriter *w, const sl_edit *e) {
    static const double usual[2][2] = {{330.0, 10.0}, {100.0, 254.0}};
    static const sl_quantity quantity[2] = {SL_Q_LENGTH, SL_Q_DIAMETER};
    int metric = sl_flow_unit_is_metric(w->net->hydraulics.flow_unit);
    if (metric == (int)sl_flow_unit_is_metric(w->flow)) {
        return;
    }
    char text[4 * SL_NUMBER_MAX] = "";
    size_t n = 0;
    for (int k = (int)e->value - 3; k < 2; k++) {
        double value = usual[metric][k] * w->r->factor[quantity[k]] / w->factor[quantity[k]];
        text[n++] = ' ';
        n += sl_number_format_digits(value, DIGITS, text + n);
    }
    if (w->net->hydraulics.headloss == SL_DARCY_WEISBACH) { /* the roughness too has a unit */
        text[n++] = ' ';
        n += sl_number_format_digits(0.0005 * w->r->factor[SL_Q_ROUGHNESS] / w->factor[SL_Q_ROUGHNESS], DIGITS,
                                     text + n);
    }
    replace(w, e, text, n);
}

static void apply(rewriter *w, const sl_edit *e) {
    char buf[SL_NUMBER_MAX];
    if (e->quantity == SL_EDIT_PIPE && e->curve < 0) {
        write_pipe_defaults(w, e);
        return;
    }
    if (e->quantity == SL_EDIT_UNITS && e->curve < 0) {
        const char *word = sl_flow_words[w->flow];
        bool same = w->flow == w->net->hydraulics.flow_unit;
        if (!same) {
            replace(w, e, word, strlen(word));
        }
        return;
    }
    if (e->quantity == SL_EDIT_PRESSURE && e->curve < 0) {
        const char *word = sl_pressure_words[w->pressure];
        if (w->pressure != w->net->hydraulics.pressure_unit) {
            replace(w, e, word, strlen(word));
        }
        return;
    }
    double factor = ratio(w, e);
    if (factor != 1.0 && e->value != 0.0 && isfinite(e->value * factor)) {
        double value = e->curve < 0 && is_required_pressure(w->r, e) ? fmax(e->value * factor, least_required(w))
                                                                     : e->value * factor;
        replace(w, e, buf, sl_number_format_digits(value, DIGITS, buf));
    }
}

static bool pressure_line_missing(const rewriter *w) {
    return !w->r->seen_pressure_unit && w->pressure != sl_default_pressure_unit(w->flow);
}

/* Lines that the text does not have but the new units need. */
static void write_missing(rewriter *w, const char *eol) {
    char buf[SL_NUMBER_MAX];
    const sl_hydraulic_options *h = &w->net->hydraulics;
    if (!w->r->seen_units) {
        sl_out_printf(w->out, " Units                %s%s", sl_flow_words[w->flow], eol);
    }
    if (pressure_line_missing(w)) {
        sl_out_printf(w->out, " Pressure             %s%s", sl_pressure_words[w->pressure], eol);
    }
    double required = h->pressure_required / w->factor[SL_Q_PRESSURE];
    if (h->demand_model == SL_PDA && !w->r->raw_required && required > least_required(w)) {
        sl_number_format_digits(required, DIGITS, buf);
        sl_out_printf(w->out, " Required Pressure    %s%s", buf, eol);
    }
}

static bool lines_missing(const rewriter *w) {
    const sl_hydraulic_options *h = &w->net->hydraulics;
    return (!w->r->seen_units && w->flow != h->flow_unit) || pressure_line_missing(w) ||
           (h->demand_model == SL_PDA && !w->r->raw_required && w->pressure != h->pressure_unit);
}

static int compare_edits(const void *a, const void *b) {
    size_t x = ((const sl_edit *)a)->offset, y = ((const sl_edit *)b)->offset;
    return (x > y) - (x < y);
}

/* A number of [STATUS] may set pumps and valves at once: it cannot change for some of them only. */
static bool edits_agree(rewriter *w) {
    sl_reader *r = w->r;
    for (int64_t i = 1; i < r->edit.n; i++) {
        const sl_edit *a = &r->edit.at[i - 1], *b = &r->edit.at[i];
        if (a->offset == b->offset && a->length == b->length && a->quantity < SL_Q_COUNT && b->quantity < SL_Q_COUNT &&
            ratio(w, a) != ratio(w, b)) {
            uint32_t line = 1;
            for (size_t k = 0; k < a->offset; k++) {
                line += r->text[k] == r->eol;
            }
            sl_text_location place = {.file = r->name, .line = line};
            sl_report(
                r->diags, SL_ERROR, SL_CODE_SYNTAX, &place, NULL, NULL, "give each kind a line of its own",
                "one number sets links whose settings have different units: other units would need other numbers");
            return false;
        }
    }
    return true;
}

/* n_behind: bytes behind what was read, which stay: the end-of-file mark of DOS editors, zeros of programs that write blocks. */
static void write_text(rewriter *w, size_t n_behind) {
    sl_reader *r = w->r;
    const char *eol = r->eol == '\r' ? "\r" : memchr(r->text, '\r', r->n) ? "\r\n" : "\n";
    bool insert = lines_missing(w);
    size_t at = r->options_end ? r->options_end : r->end; /* a new [OPTIONS] goes before [END] */
    for (int64_t i = 0; i <= r->edit.n; i++) {
        const sl_edit *e = i < r->edit.n ? &r->edit.at[i] : NULL;
        if (insert && (!e || e->offset >= at)) {
            copy_to(w, at);
            if (!r->options_end) {
                bool ended = at == 0 || r->text[at - 1] == r->eol;
                sl_out_printf(w->out, "%s[OPTIONS]%s", ended ? "" : eol, eol);
            }
            write_missing(w, eol);
            insert = false;
        }
        if (e && e->offset >= w->done && (i == 0 || e->offset != r->edit.at[i - 1].offset)) {
            apply(w, e);
        }
    }
    copy_to(w, r->n);
    if (n_behind > 0) {
        sl_out_bytes(w->out, r->text + r->n, n_behind);
    } else if (r->n && r->text[r->n - 1] != r->eol) {
        sl_out_z(w->out, eol);
    }
}

static void warn_roughness(rewriter *w, sl_diags *diags) {
    const sl_network *net = w->net;
    bool changes = sl_flow_unit_is_metric(w->flow) != sl_flow_unit_is_metric(net->hydraulics.flow_unit);
    if (changes && net->quality.roughness_factor != 0.0 && net->hydraulics.headloss == SL_DARCY_WEISBACH) {
        sl_report(
            diags, SL_WARNING, SL_CODE_ADJUSTED, NULL, NULL, NULL, "check the wall coefficients",
            "EPANET's roughness correlation for Darcy-Weisbach depends on the units of the file: results will differ a little");
    }
}

static sl_status rewrite(sl_reader *r, const sl_inp_convert_def *d, const void *bytes, size_t n, const sl_sink *sink) {
    sl_network *net = NULL;
    rewriter w = {.r = r};
    sl_status status = sl_build_compile(r->spec, true, &net);
    if (status != SL_OK) {
        return status;
    }
    w.net = net;
    w.flow = d->change_units ? d->flow_unit : net->hydraulics.flow_unit;
    w.pressure = d->change_units ? new_pressure_unit(net, w.flow) : net->hydraulics.pressure_unit;
    sl_unit_system units = sl_network_units(&net->hydraulics, &net->quality);
    units.flow = w.flow;
    units.pressure = w.pressure;
    sl_epanet_factors(&units, w.factor);
    if (r->edit.n) {
        qsort(r->edit.at, (size_t)r->edit.n, sizeof *r->edit.at, compare_edits);
    }
    if (!curves_convert(net, r->factor, w.factor, r->diags) || !edits_agree(&w)) {
        sl_network_destroy(net);
        return SL_ERR_INPUT;
    }
    w.out = sl_alloc(r->ctx, sizeof *w.out);
    if (!w.out) {
        sl_network_destroy(net);
        return SL_ERR_MEMORY;
    }
    sl_out_init(w.out, sink);
    sl_out_bytes(w.out, bytes, (size_t)(r->text - (const char *)bytes)); /* a byte order mark */
    warn_roughness(&w, r->diags);
    write_text(&w, (size_t)((const char *)bytes + n - (r->text + r->n)));
    status = sl_out_flush(w.out);
    sl_free(r->ctx, w.out, sizeof *w.out);
    sl_network_destroy(net);
    return status;
}

sl_status sl_inp_convert(sl_context *ctx, const void *bytes, size_t n, const sl_inp_convert_def *def, sl_diags *diags,
                         const sl_sink *sink) {
    if (!ctx || !sink || (n > 0 && !bytes)) {
        return SL_ERR_USE;
    }
    sl_inp_convert_def d = sl_inp_convert_default();
    if (!sl_sized_take(&d, sizeof d, def)) {
        return SL_ERR_USE;
    }
    sl_inp_read_def read = sl_inp_read_default();
    read.name = d.name;
    sl_network *net = NULL;
    sl_status status = sl_inp_read(ctx, bytes, n, &read, diags, &net); /* all its problems, with validation */
    sl_network_destroy(net);
    if (status != SL_OK) {
        return status;
    }
    sl_spec spec;
    sl_reader r = {
        .ctx = ctx, .spec = &spec, .name = d.name ? d.name : "", .text = bytes, .n = n, .record = d.change_units};
    status = sl_spec_init(&spec, ctx, NULL) ? sl_inp_read_spec(&r) : SL_ERR_MEMORY;
    r.diags = diags;
    if (status == SL_OK) {
        status = rewrite(&r, &d, bytes, n, sink);
    }
    sl_reader_fini(&r);
    sl_spec_fini(&spec);
    return status;
}

/* Written in the other units and read again: then it is what a file in those units says. */
sl_status sl_network_with_units(sl_context *ctx, const sl_network *net, sl_flow_unit unit, sl_diags *diags,
                                sl_network **out) {
    if (!ctx || !net || !out) {
        return SL_ERR_USE;
    }
    *out = NULL;
    sl_network_impl copy = sl_network_borrow(net);
    sl_hydraulic_options *h = &copy.pub.hydraulics;
    double old[SL_Q_COUNT], new[SL_Q_COUNT];
    sl_unit_system units = sl_network_units(h, &net->quality);
    sl_epanet_factors(&units, old);
    units.pressure = h->pressure_unit = new_pressure_unit(net, unit);
    units.flow = h->flow_unit = unit;
    sl_epanet_factors(&units, new);
    if (!curves_convert(net, old, new, diags)) {
        return SL_ERR_INPUT;
    }
    for (int k = 0; k < SL_REPORT_FIELD_COUNT; k++) { /* report limits are in the file's units */
        sl_quantity q = sl_field_quantity((sl_report_field_id)k);
        copy.pub.report.field[k].below *= old[q] / new[q];
        copy.pub.report.field[k].above *= old[q] / new[q];
    }
    sl_bytes text;
    sl_bytes_init(&text, ctx);
    sl_sink sink = sl_bytes_sink(&text);
    sl_status status = sl_inp_write_digits(ctx, &copy.pub, unit == net->hydraulics.flow_unit ? 0 : DIGITS, &sink);
    if (status == SL_OK) {
        sl_inp_read_def def = sl_inp_read_default();
        def.name = net->name;
        def.tolerant = true;
        status = sl_inp_read(ctx, text.at, (size_t)text.n, &def, NULL, out);
    }
    sl_bytes_fini(&text);
    return status;
}
