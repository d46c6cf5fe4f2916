/* SPDX-License-Identifier: MIT */
/* outfile_read.c: EPANET's binary result file (.out), read at random.
 *
 * The layout is that of EPANET 2.0 to 2.3: 4-byte integers and floats, little endian, in the file's own units
 * (docs/reference/outfile.md):
 *
 *   prolog   15 integers, texts, ids, topology, elevations, lengths, diameters
 *   energy   28 bytes per pump, one float
 *   periods  4 floats per node and 8 per link, variable by variable
 *   epilog   4 floats, number of periods, warning flag, the magic number again
 *
 * The bytes may come from anywhere: every count is held against the size of the source before anything is allocated, so
 * memory stays proportional to the bytes there are, and every index is checked once here so that nobody else has to.
 * A file whose epilog is missing or contradicts its size (a run that was stopped, a copy that was cut) is read as far as
 * its periods are whole. The prolog and the ids are kept, periods are not: a variable is read when it is asked for.
 */
#include <string.h>

#include <sluice/results.h>

#include "base/handle.h"
#include "base/ids.h"
#include "base/memory.h"
#include "base/report.h"
#include "results/out_layout.h"

enum { ID_BLOCK = 2048 }; /* ids read at a time */

typedef struct id_table {
    char (*text)[SL_OUTFILE_ID + 1];
    sl_ids *ids;
    int32_t *element; /* of an id: the first one that has it */
} id_table;

struct sl_outfile {
    sl_handle_mark handle; /* first */
    sl_context *ctx;
    const sl_source_bytes *source;
    sl_arena arena;
    sl_outfile_info info;
    id_table nodes, links;
    uint64_t periods_at; /* offset of the first period */
    uint64_t period_size;
};

/* Reading in order. */
typedef struct cursor {
    sl_outfile *file;
    sl_diags *diags;
    sl_text_location place;
    uint64_t at;
    sl_status status; /* the first failure; nothing is read after it */
} cursor;

/* ---- Bytes -------------------------------------------------------------------------------------- */

static void fail(cursor *c, sl_status status, sl_code code, const char *text) {
    if (c->status == SL_OK) {
        c->status = status;
        sl_report(c->diags, SL_ERROR, code, &c->place, NULL, NULL, NULL, "%s", text);
    }
}

static void take(cursor *c, void *bytes, size_t n) {
    const sl_source_bytes *s = c->file->source;
    if (c->status == SL_OK && n > 0) {
        sl_status status = s->read(s->user, c->at, bytes, n);
        if (status != SL_OK) {
            fail(c, status, SL_CODE_IO, "cannot be read");
        }
    }
    c->at += n;
}

static void take_words(cursor *c, void *words, size_t n) {
    take(c, words, 4 * n);
    if (c->status == SL_OK) {
        sl_outfile_fix_words(words, n);
    }
}

/* Text of a fixed width into a buffer one byte longer: up to its NUL. */
static void take_text(cursor *c, char *text, size_t width) {
    take(c, text, width);
    text[c->status == SL_OK ? width : 0] = '\0';
}

/* A new array of words from the file. */
static void *take_array(cursor *c, int32_t n) {
    void *words = c->status == SL_OK ? sl_arena_alloc(&c->file->arena, 4 * (size_t)n) : NULL;
    if (!words) {
        c->status = c->status == SL_OK ? SL_ERR_MEMORY : c->status;
        return NULL;
    }
    take_words(c, words, (size_t)n);
    return words;
}

/* Indices from 1 in the file, from 0 in memory. */
static int32_t *take_indices(cursor *c, int32_t n, int32_t limit, const char *wrong) {
    int32_t *x = take_array(c, n);
    for (int32_t i = 0; i < n && c->status == SL_OK; i++) {
        if (x[i] < 1 || x[i] > limit) {
            fail(c, SL_ERR_INPUT, SL_CODE_RESULT_FILE, wrong);
        } else {
            x[i]--;
        }
    }
    return x;
}

/* ---- Parts -------------------------------------------------------------------------------------- */

static bool between(int32_t x, int32_t low, int32_t high) {
    return x >= low && x <= high;
}

static void read_counts(cursor *c) {
    sl_outfile_info *f = &c->file->info;
    int32_t v[SL_OUTFILE_N_HEAD] = {0};
    if (c->file->source->size < sizeof v) {
        fail(c, SL_ERR_INPUT, SL_CODE_RESULT_FILE, "is too short to be an EPANET result file");
    }
    take_words(c, v, SL_OUTFILE_N_HEAD);
    if (c->status == SL_OK && v[0] != SL_OUTFILE_MAGIC) {
        fail(c, SL_ERR_INPUT, SL_CODE_RESULT_FILE, "is not an EPANET result file: it does not begin as one");
    }
    if (c->status != SL_OK) {
        return;
    }
    f->version = v[1];
    f->n_node = v[2];
    f->n_fixed = v[3];
    f->n_link = v[4];
    f->n_pump = v[5];
    f->n_valve = v[6];
    f->quality = v[7];
    f->trace_node = v[8];
    f->report_start = v[12];
    f->report_step = v[13];
    f->duration = v[14];
    bool counts = f->n_node >= 1 && f->n_link >= 0 && between(f->n_fixed, 0, f->n_node) &&
                  between(f->n_pump, 0, f->n_link) && between(f->n_valve, 0, f->n_link - f->n_pump);
    bool codes = between(f->quality, 0, SL_QUALITY_TRACE) && between(f->trace_node, 0, f->n_node) &&
                 between(v[9], 0, SL_FLOW_UNIT_COUNT - 1) && between(v[10], 0, SL_PRESSURE_UNIT_COUNT - 1) &&
                 between(v[11], 0, SL_STAT_RANGE) && v[12] >= 0 && v[13] >= 0 && v[14] >= 0;
    if (!counts || !codes) {
        fail(c, SL_ERR_INPUT, SL_CODE_RESULT_FILE,
             counts ? "is damaged: a unit, an option or a time in its head makes no sense"
                    : "is damaged: the numbers of nodes and links in its head make no sense");
        return;
    }
    f->flow_unit = (sl_flow_unit)v[9];
    f->pressure_unit = (sl_pressure_unit)v[10];
    f->statistic = (sl_statistic)v[11];
    if (sl_outfile_head_size(f) > c->file->source->size) {
        fail(c, SL_ERR_INPUT, SL_CODE_RESULT_FILE, "ends before its first period: it was cut off or is damaged");
    }
}

static bool add_id(id_table *t, int32_t i, int32_t *n_double) {
    int32_t k = sl_ids_add(t->ids, sl_str_z(t->text[i]));
    if (k >= 0) {
        t->element[k] = i;
    } else {
        ++*n_double;
    }
    return k != INT32_MIN;
}

static void read_ids(cursor *c, id_table *t, int32_t n, const char *what) {
    if (c->status != SL_OK) {
        return;
    }
    sl_arena *arena = &c->file->arena;
    t->ids = sl_ids_create(c->file->ctx);
    t->text = sl_arena_alloc(arena, (size_t)n * sizeof *t->text);
    t->element = sl_arena_alloc(arena, (size_t)n * sizeof *t->element);
    char *block = sl_arena_alloc(arena, (size_t)(n < ID_BLOCK ? n : ID_BLOCK) * SL_OUTFILE_ID);
    if (!t->ids || !t->text || !t->element || !block || !sl_ids_reserve(t->ids, n, 0)) {
        c->status = SL_ERR_MEMORY;
        return;
    }
    int32_t n_double = 0;
    for (int32_t i = 0; i < n && c->status == SL_OK; i += ID_BLOCK) {
        int32_t k = n - i < ID_BLOCK ? n - i : ID_BLOCK;
        take(c, block, (size_t)k * SL_OUTFILE_ID);
        for (int32_t j = 0; j < k && c->status == SL_OK; j++) {
            memcpy(t->text[i + j], block + (size_t)j * SL_OUTFILE_ID, SL_OUTFILE_ID); /* the arena's NUL ends it */
            c->status = add_id(t, i + j, &n_double) ? SL_OK : SL_ERR_MEMORY;
        }
    }
    if (c->status == SL_OK && n_double > 0) {
        sl_report(c->diags, SL_WARNING, SL_CODE_DUPLICATE_ID, &c->place, NULL, NULL,
                  "a result file keeps 31 bytes of an id",
                  "%d %s have an id that an earlier one has: they are not found by id", (int)n_double, what);
    }
}

static void read_energy(cursor *c) {
    sl_outfile_info *f = &c->file->info;
    if (c->status != SL_OK) {
        return;
    }
    sl_out_energy *energy = sl_arena_alloc(&c->file->arena, (size_t)f->n_pump * sizeof *energy);
    if (!energy) {
        c->status = SL_ERR_MEMORY;
        return;
    }
    f->energy = energy;
    for (int32_t i = 0; i < f->n_pump && c->status == SL_OK; i++) {
        int32_t link = 0;
        float x[6] = {0};
        take_words(c, &link, 1);
        take_words(c, x, 6);
        if (link < 1 || link > f->n_link) {
            fail(c, SL_ERR_INPUT, SL_CODE_RESULT_FILE, "is damaged: its energy table names a link that does not exist");
            return;
        }
        energy[i] = (sl_out_energy){link - 1, x[0], x[1], x[2], x[3], x[4], x[5]};
    }
    take_words(c, &f->demand_charge, 1);
}

static void read_prolog(cursor *c) {
    sl_outfile *file = c->file;
    sl_outfile_info *f = &file->info;
    for (int i = 0; i < 3; i++) {
        take_text(c, f->title[i], SL_OUTFILE_TITLE);
    }
    take_text(c, f->input_name, SL_OUTFILE_NAME);
    take_text(c, f->report_name, SL_OUTFILE_NAME);
    take_text(c, f->chemical, SL_OUTFILE_ID);
    take_text(c, f->chemical_unit, SL_OUTFILE_ID);
    read_ids(c, &file->nodes, f->n_node, "nodes");
    read_ids(c, &file->links, f->n_link, "links");
    static const char no_node[] = "is damaged: a link or tank names a node that does not exist";
    f->link_from = take_indices(c, f->n_link, f->n_node, no_node);
    f->link_to = take_indices(c, f->n_link, f->n_node, no_node);
    f->link_type = take_array(c, f->n_link);
    for (int32_t i = 0; i < f->n_link && c->status == SL_OK; i++) {
        if (!between(f->link_type[i], 0, 3 + SL_VALVE_KIND_COUNT - 1)) {
            fail(c, SL_ERR_INPUT, SL_CODE_RESULT_FILE, "is damaged: a link is of no known type");
        }
    }
    f->fixed_node = take_indices(c, f->n_fixed, f->n_node, no_node);
    f->fixed_area = take_array(c, f->n_fixed);
    f->elevation = take_array(c, f->n_node);
    f->length = take_array(c, f->n_link);
    f->diameter = take_array(c, f->n_link);
    read_energy(c);
}

/* The epilog counts only if it agrees with the size of the file; else the whole periods there are. */
static void read_epilog(cursor *c) {
    sl_outfile *file = c->file;
    sl_outfile_info *f = &file->info;
    if (c->status != SL_OK) {
        return;
    }
    file->periods_at = c->at;
    file->period_size = 4 * (SL_OUTFILE_NODE * (uint64_t)f->n_node + SL_OUTFILE_LINK * (uint64_t)f->n_link);
    uint64_t rest = file->source->size - c->at;
    if (rest >= SL_OUTFILE_EPILOG) {
        c->at = file->source->size - SL_OUTFILE_EPILOG;
        int32_t tail[3] = {0};
        float reaction[4];
        take_words(c, reaction, 4);
        take_words(c, tail, 3);
        if (c->status == SL_OK && tail[2] == SL_OUTFILE_MAGIC && tail[0] >= 0 &&
            (uint64_t)tail[0] * file->period_size == rest - SL_OUTFILE_EPILOG) {
            f->complete = true;
            f->n_period = tail[0];
            f->warning = tail[1];
            memcpy(f->reaction, reaction, sizeof reaction);
        }
    }
    if (c->status == SL_OK && !f->complete) {
        uint64_t n = rest / file->period_size;
        f->n_period = n < INT32_MAX ? (int32_t)n : INT32_MAX;
        sl_report(c->diags, SL_WARNING, SL_CODE_RESULT_FILE, &c->place, NULL, NULL,
                  "the run was stopped, or the file was not copied to its end",
                  "has no valid end: %d whole periods of it are read", (int)f->n_period);
    }
}

/* ---- The file ----------------------------------------------------------------------------------- */

sl_status sl_outfile_open(sl_context *ctx, const sl_source_bytes *source, const char *name, sl_diags *diags,
                          sl_outfile **out) {
    if (!ctx || !source || !out) {
        return SL_ERR_USE;
    }
    *out = NULL;
    sl_outfile *file = sl_alloc(ctx, sizeof *file);
    if (!file) {
        return SL_ERR_MEMORY;
    }
    *file = (sl_outfile){.handle = SL_HANDLE_OUTFILE, .ctx = ctx, .source = source};
    sl_arena_init(&file->arena, ctx);
    cursor c = {.file = file, .diags = diags, .place = {.file = name}};
    read_counts(&c);
    read_prolog(&c);
    read_epilog(&c);
    if (c.status != SL_OK) {
        sl_outfile_close(file);
        return c.status;
    }
    *out = file;
    return SL_OK;
}

void sl_outfile_close(sl_outfile *file) {
    if (SL_HANDLE_IS(file, SL_HANDLE_OUTFILE)) {
        file->handle = SL_HANDLE_GONE;
        sl_ids_destroy(file->nodes.ids);
        sl_ids_destroy(file->links.ids);
        sl_arena_fini(&file->arena);
        sl_free(file->ctx, file, sizeof *file);
    }
}

const sl_outfile_info *sl_outfile_get_info(const sl_outfile *file) {
    if (!SL_HANDLE_IS(file, SL_HANDLE_OUTFILE)) {
        return NULL;
    }
    return &file->info;
}

const char *sl_outfile_node_id(const sl_outfile *file, int32_t node) {
    if (!SL_HANDLE_IS(file, SL_HANDLE_OUTFILE)) {
        return NULL;
    }
    return file->nodes.text[node];
}

const char *sl_outfile_link_id(const sl_outfile *file, int32_t link) {
    if (!SL_HANDLE_IS(file, SL_HANDLE_OUTFILE)) {
        return NULL;
    }
    return file->links.text[link];
}

static int32_t find(const id_table *t, sl_str id) {
    int32_t k = sl_ids_find(t->ids, id);
    return k >= 0 ? t->element[k] : -1;
}

int32_t sl_outfile_find_node(const sl_outfile *file, sl_str id) {
    if (!SL_HANDLE_IS(file, SL_HANDLE_OUTFILE)) {
        return -1;
    }
    return find(&file->nodes, id);
}

int32_t sl_outfile_find_link(const sl_outfile *file, sl_str id) {
    if (!SL_HANDLE_IS(file, SL_HANDLE_OUTFILE)) {
        return -1;
    }
    return find(&file->links, id);
}

sl_status sl_outfile_read(sl_outfile *file, int32_t period, sl_out_variable variable, float *x) {
    if (!SL_HANDLE_IS(file, SL_HANDLE_OUTFILE) || !x) {
        return SL_ERR_USE;
    }
    const sl_outfile_info *f = &file->info;
    if (period < 0 || period >= f->n_period || variable < 0 || variable >= SL_OUT_VARIABLE_COUNT) {
        return SL_ERR_USE;
    }
    bool link = variable >= SL_OUT_FLOW;
    uint64_t before = sl_outfile_variable_at(variable, f->n_node, f->n_link);
    uint64_t offset = file->periods_at + (uint64_t)period * file->period_size + 4 * before;
    size_t n = (size_t)(link ? f->n_link : f->n_node);
    if (n == 0) {
        return SL_OK;
    }
    sl_status status = file->source->read(file->source->user, offset, x, 4 * n);
    if (status == SL_OK) {
        sl_outfile_fix_words(x, n);
    }
    return status;
}

double sl_outfile_time(const sl_outfile *file, int32_t period) {
    if (!SL_HANDLE_IS(file, SL_HANDLE_OUTFILE)) {
        return (double)NAN;
    }
    return file->info.report_start + period * file->info.report_step;
}
