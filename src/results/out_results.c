/* SPDX-License-Identifier: MIT */
/* out_results.c: EPANET's .out as a result like any other: groups node and link, the pumps' energies as the table of the end. Periods are
 * read when they are asked for; floats become the doubles that they equal.
 */
#include <string.h>

#include "network/words.h"
#include "results/format.h"
#include "results/network_columns.h"
#include "results/out_layout.h"

typedef struct out_reader {
    sl_context *ctx;
    sl_outfile *file;
    size_t n_float;
    float *x;                                        /* one variable of one period */
    sl_out_variable variable[SL_OUT_VARIABLE_COUNT]; /* by number of the quantity */
    int32_t n_element[SL_OUT_VARIABLE_COUNT];
} out_reader;

/* EPANET's hydraulics file begins with the same number. The eighth word is the kind of quality (0 to 3) here, the duration there;
 * the tenth and eleventh are codes of units here. */
static bool recognise(const unsigned char *head, size_t n, uint64_t size) {
    int32_t word[11] = {0};
    if (n < sizeof *word || size < sizeof *word) {
        return false;
    }
    memcpy(word, head, n < sizeof word ? n : sizeof word);
    sl_outfile_fix_words(word, sizeof word / sizeof *word);
    return word[0] == SL_OUTFILE_MAGIC && word[7] >= 0 && word[7] <= 3 && word[9] >= 0 && word[9] <= 10 &&
           word[10] >= 0 && word[10] <= 4;
}

static sl_status read_period(void *reader, int64_t frame, int32_t quantity, double *x) {
    out_reader *o = reader;
    sl_status status = sl_outfile_read(o->file, (int32_t)frame, o->variable[quantity], o->x);
    for (int32_t i = 0; i < o->n_element[quantity] && status == SL_OK; i++) {
        x[i] = (double)o->x[i];
    }
    return status;
}

static void close_file(void *reader) {
    out_reader *o = reader;
    sl_outfile_close(o->file);
    sl_free(o->ctx, o->x, o->n_float * sizeof *o->x);
    sl_free(o->ctx, o, sizeof *o);
}

/* ---- What the file says about its elements ------------------------------------------------------ */

/* NULL: out of memory. */
static const double *widen(sl_arena *arena, const float *x, int32_t n) {
    double *to = sl_arena_alloc(arena, (size_t)n * sizeof *to);
    for (int32_t i = 0; to && i < n; i++) {
        to[i] = (double)x[i];
    }
    return to;
}

static const char *const *copy_ids(sl_arena *arena, const sl_outfile *file, int32_t n,
                                   const char *(*id_of)(const sl_outfile *file, int32_t i)) {
    const char **id = sl_arena_alloc(arena, (size_t)n * sizeof *id);
    for (int32_t i = 0; id && i < n; i++) {
        id[i] = sl_results_text(arena, id_of(file, i));
        if (!id[i]) {
            return NULL;
        }
    }
    return id;
}

static sl_status collect(sl_arena *arena, const sl_outfile *file, sl_network_facts *out) {
    const sl_outfile_info *f = sl_outfile_get_info(file);
    size_t n_node = (size_t)f->n_node, n_link = (size_t)f->n_link;
    const char **node_kind = sl_arena_alloc(arena, n_node * sizeof *node_kind);
    const char **link_kind = sl_arena_alloc(arena, n_link * sizeof *link_kind);
    const char **from = sl_arena_alloc(arena, n_link * sizeof *from), **to = sl_arena_alloc(arena, n_link * sizeof *to);
    *out = (sl_network_facts){.n_node = f->n_node,
                              .n_link = f->n_link,
                              .node_id = copy_ids(arena, file, f->n_node, sl_outfile_node_id),
                              .node_kind = node_kind,
                              .link_id = copy_ids(arena, file, f->n_link, sl_outfile_link_id),
                              .link_kind = link_kind,
                              .from = from,
                              .to = to,
                              .elevation = widen(arena, f->elevation, f->n_node),
                              .length = widen(arena, f->length, f->n_link),
                              .diameter = widen(arena, f->diameter, f->n_link)};
    if (!node_kind || !link_kind || !from || !to || !out->node_id || !out->link_id || !out->elevation || !out->length ||
        !out->diameter) {
        return SL_ERR_MEMORY;
    }
    for (size_t i = 0; i < n_node; i++) {
        node_kind[i] = sl_node_kind_words[SL_JUNCTION];
    }
    for (int32_t i = 0; i < f->n_fixed; i++) {
        node_kind[f->fixed_node[i]] = sl_node_kind_words[f->fixed_area[i] == 0.0f ? SL_RESERVOIR : SL_TANK];
    }
    for (size_t i = 0; i < n_link; i++) {
        link_kind[i] = sl_network_link_types[f->link_type[i]];
        from[i] = out->node_id[f->link_from[i]];
        to[i] = out->node_id[f->link_to[i]];
    }
    return SL_OK;
}

/* ---- Beginning and end -------------------------------------------------------------------------- */

static sl_status put_layout(sl_results *r, const sl_outfile *file, const sl_network_unit_names *units,
                            const sl_network_facts *facts) {
    const sl_outfile_info *f = sl_outfile_get_info(file);
    const char *const title[3] = {f->title[0], f->title[1], f->title[2]};
    sl_results_group *groups = sl_arena_alloc(&r->arena, SL_NETWORK_GROUPS * sizeof *groups);
    sl_results_attribute *attributes = sl_arena_alloc(&r->arena, SL_NETWORK_ATTRIBUTES * sizeof *attributes);
    r->layout.model = sl_results_text(&r->arena, f->input_name);
    r->layout.title = sl_network_title_text(&r->arena, title, 3);
    r->layout.engine = "eps";
    if (!groups || !attributes || !r->layout.model || !r->layout.title) {
        return SL_ERR_MEMORY;
    }
    const char *trace = f->quality == SL_QUALITY_TRACE && f->trace_node > 0 ? facts->node_id[f->trace_node - 1] : "";
    sl_network_attributes_make(f->flow_unit, f->pressure_unit, f->statistic, trace, f->report_start, f->report_step,
                               f->duration, attributes);
    r->layout.attributes = attributes;
    r->layout.n_attribute = SL_NETWORK_ATTRIBUTES;
    r->layout.groups = groups;
    r->layout.n_group = SL_NETWORK_GROUPS;
    r->layout.n_frame = f->n_period;
    return sl_network_groups_make(&r->arena, facts, units, f->quality != 0, groups);
}

/* A run that was stopped has a valid end too, but not all of its periods. */
static bool has_all_periods(const sl_outfile_info *f) {
    return f->statistic != SL_STAT_SERIES || f->report_step <= 0.0 || f->duration < f->report_start ||
           f->n_period > (f->duration - f->report_start) / f->report_step;
}

static sl_status put_end(sl_results *r, const sl_outfile *file, const sl_network_unit_names *units,
                         const sl_network_facts *facts) {
    const sl_outfile_info *f = sl_outfile_get_info(file);
    size_t n = (size_t)f->n_pump;
    sl_results_attribute *attributes = sl_arena_alloc(&r->arena, SL_NETWORK_END_ATTRIBUTES * sizeof *attributes);
    sl_results_table *table = sl_arena_alloc(&r->arena, sizeof *table);
    const char **id = sl_arena_alloc(&r->arena, n * sizeof *id);
    double *energy = sl_arena_alloc(&r->arena, SL_NETWORK_ENERGIES * n * sizeof *energy);
    if (!attributes || !table || !id || !energy) {
        return SL_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        const sl_out_energy *e = &f->energy[i];
        const float row[SL_NETWORK_ENERGIES] = {e->utilization, e->efficiency, e->kwh_per_volume,
                                                e->average_kw,  e->peak_kw,    e->cost_per_day};
        id[i] = facts->link_id[e->link];
        for (size_t k = 0; k < SL_NETWORK_ENERGIES; k++) {
            energy[k * n + i] = (double)row[k];
        }
    }
    sl_network_end_attributes_make(f->warning, (double)f->demand_charge, attributes);
    r->end.complete = f->complete && has_all_periods(f);
    r->end.attributes = attributes;
    r->end.n_attribute = SL_NETWORK_END_ATTRIBUTES;
    r->end.tables = table;
    r->end.n_table = 1;
    return sl_network_pump_table(&r->arena, f->n_pump, id, energy, units, table);
}

/* ---- The format --------------------------------------------------------------------------------- */

static sl_status put_times(sl_results *r, out_reader *o) {
    int32_t n = sl_outfile_get_info(o->file)->n_period;
    double *time = sl_arena_alloc(&r->arena, (size_t)n * sizeof *time);
    for (int32_t i = 0; time && i < n; i++) {
        time[i] = sl_outfile_time(o->file, i);
    }
    r->times = time;
    r->n_frame = n;
    return time ? SL_OK : SL_ERR_MEMORY;
}

/* The variable of each quantity, in the order of the groups. */
static void number_variables(out_reader *o) {
    const sl_outfile_info *f = sl_outfile_get_info(o->file);
    int32_t n = 0;
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
        if (f->quality != 0 || !sl_network_quantities[v].quality) {
            o->n_element[n] = v < SL_OUT_FLOW ? f->n_node : f->n_link;
            o->variable[n++] = (sl_out_variable)v;
        }
    }
}

/* The chemical, or the node that is traced. */
static const char *quality_of(const sl_outfile *file) {
    const sl_outfile_info *f = sl_outfile_get_info(file);
    bool trace = f->quality == SL_QUALITY_TRACE && f->trace_node > 0 && f->trace_node <= f->n_node;
    return trace ? sl_outfile_node_id(file, f->trace_node - 1) : f->chemical;
}

static sl_status open_file(sl_results *r, sl_diags *diags) {
    out_reader *o = r->reader = sl_alloc(r->ctx, sizeof *o);
    if (!o) {
        return SL_ERR_MEMORY;
    }
    o->ctx = r->ctx;
    r->close = close_file;
    r->read = read_period;
    sl_status status = sl_outfile_open(r->ctx, &r->bytes, r->name, diags, &o->file);
    if (status != SL_OK) {
        return status;
    }
    const sl_outfile_info *f = sl_outfile_get_info(o->file);
    sl_network_unit_names units;
    sl_network_facts facts;
    number_variables(o);
    o->n_float = 1 + (size_t)(f->n_node > f->n_link ? f->n_node : f->n_link);
    o->x = sl_alloc(r->ctx, o->n_float * sizeof *o->x);
    status = o->x ? SL_OK : SL_ERR_MEMORY;
    if (status == SL_OK) {
        status = sl_network_units_show(&r->arena, f->flow_unit, f->pressure_unit, (sl_quality_kind)f->quality,
                                       quality_of(o->file), f->chemical_unit, &units);
    }
    status = status == SL_OK ? collect(&r->arena, o->file, &facts) : status;
    status = status == SL_OK ? put_layout(r, o->file, &units, &facts) : status;
    status = status == SL_OK ? put_end(r, o->file, &units, &facts) : status;
    return status == SL_OK ? put_times(r, o) : status;
}

const sl_results_format sl_format_out = {
    .ending = "out", .what = "EPANET's results (.out)", .recognise = recognise, .open = open_file};
