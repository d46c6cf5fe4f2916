/* SPDX-License-Identifier: MIT */
/* inp_read.c: reading an .inp file as a whole: the order of sections, and the result. See inp_read.h. */
#include "network/inp_read.h"

#include "base/context.h"
#include "base/sized.h"
#include "network/validate.h"
#include <sluice/network_io.h>

#include <stdlib.h>
#include <string.h>

void sl_inp_read_default_fill(sl_inp_read_def *def, size_t size) {
    const sl_inp_read_def all = {0};
    sl_sized_default(def, size, &all, sizeof all);
}

/* Phases in order; the sections of one phase are read in file order. */
enum { N_PHASE = 7, MAP = 6 };
static const struct {
    int phase;
    void (*read)(sl_reader *r);
} section_readers[SL_SEC_COUNT] = {
    [SL_SEC_TITLE] = {0, NULL}, /* raw lines: read_title */
    [SL_SEC_OPTIONS] = {1, sl_inp_options},
    [SL_SEC_TIMES] = {1, sl_inp_times},
    [SL_SEC_PATTERNS] = {2, sl_inp_patterns},
    [SL_SEC_CURVES] = {2, sl_inp_curves},
    [SL_SEC_JUNCTIONS] = {3, sl_inp_junctions},
    [SL_SEC_RESERVOIRS] = {3, sl_inp_tanks},
    [SL_SEC_TANKS] = {3, sl_inp_tanks},
    [SL_SEC_PIPES] = {4, sl_inp_pipes},
    [SL_SEC_PUMPS] = {4, sl_inp_pumps},
    [SL_SEC_VALVES] = {4, sl_inp_valves},
    [SL_SEC_EMITTERS] = {5, sl_inp_emitters},
    [SL_SEC_DEMANDS] = {5, sl_inp_demands},
    [SL_SEC_LEAKAGE] = {5, sl_inp_leakage},
    [SL_SEC_ENERGY] = {5, sl_inp_energy},
    [SL_SEC_STATUS] = {5, sl_inp_status},
    [SL_SEC_CONTROLS] = {5, sl_inp_controls},
    [SL_SEC_RULES] = {5, sl_inp_rules},
    [SL_SEC_SOURCES] = {5, sl_inp_sources},
    [SL_SEC_QUALITY] = {5, sl_inp_quality},
    [SL_SEC_REACTIONS] = {5, sl_inp_reactions},
    [SL_SEC_MIXING] = {5, sl_inp_mixing},
    [SL_SEC_REPORT] = {5, sl_inp_report},
    [SL_SEC_TAGS] = {MAP, sl_inp_tags},
    [SL_SEC_COORDINATES] = {MAP, sl_inp_coordinates},
    [SL_SEC_VERTICES] = {MAP, sl_inp_vertices},
    [SL_SEC_LABELS] = {MAP, sl_inp_labels},
    [SL_SEC_BACKDROP] = {MAP, sl_inp_backdrop},
    [SL_SEC_ROUGHNESS] = {5, sl_inp_roughness},
};

/* Title lines are raw text; EPANET shows the first three. A ';' is part of the title, but not as first character. */
void sl_inp_title(sl_reader *r) {
    const char *line = sl_inp_copy(r, r->line);
    if (line && !SL_PUSH(r->ctx, &r->spec->title, line)) {
        r->oom = true;
    }
}

static void update_factors(sl_reader *r) {
    sl_unit_system units = sl_network_units(&r->spec->hydraulics, &r->spec->quality);
    sl_epanet_factors(&units, r->factor);
    for (int k = 0; k < SL_CURVE_KIND_COUNT; k++) {
        sl_epanet_curve_factors(r->factor, (sl_curve_kind)k, &r->spec->curve_fx[k], &r->spec->curve_fy[k]);
    }
}

/* What later sections need to know first: units are in [OPTIONS], the wall reaction order is in [REACTIONS]. */
static void read_early(sl_reader *r) {
    for (int64_t i = 0; i < r->block.n && !r->oom; i++) {
        if (r->block.at[i].section == SL_SEC_REACTIONS) {
            sl_inp_lines(r, &r->block.at[i], sl_inp_reaction_orders);
        } else if (r->block.at[i].section == SL_SEC_TITLE) {
            sl_inp_lines(r, &r->block.at[i], sl_inp_title);
        }
    }
}

static sl_status read_phase(sl_reader *r, int phase, size_t *done) {
    for (int64_t i = 0; i < r->block.n && !r->oom; i++) {
        const sl_block *b = &r->block.at[i];
        if (section_readers[b->section].read && section_readers[b->section].phase == phase) {
            sl_inp_lines(r, b, section_readers[b->section].read);
            *done += b->end - b->begin;
            if (!sl_progress_report(r->ctx, "reading", (double)*done, (double)r->n)) {
                return SL_ERR_CANCELLED;
            }
        }
    }
    sl_inp_rules_end(r); /* the last rule: one may go on in the next [RULES] */
    return r->oom ? SL_ERR_MEMORY : SL_OK;
}

/* How many objects the lines of a section make. Lines shorter than any that a modeller would write are not counted on:
 * blank ones must not cost memory. */
static int64_t n_expected(const sl_reader *r, sl_section section, int64_t least) {
    int64_t n = 0;
    for (int64_t i = 0; i < r->block.n; i++) {
        const sl_block *b = &r->block.at[i];
        int64_t most = (int64_t)(b->end - b->begin) / least;
        n += b->section != section ? 0 : b->n_line < most ? b->n_line : most;
    }
    return n;
}

/* Room for what large files have many of, so that large arrays need not grow. */
static bool reserve(sl_reader *r) {
    sl_spec *s = r->spec;
    int64_t nodes = n_expected(r, SL_SEC_JUNCTIONS, 16), links = n_expected(r, SL_SEC_PIPES, 20);
    int64_t fixed = n_expected(r, SL_SEC_RESERVOIRS, 4) + n_expected(r, SL_SEC_TANKS, 16);
    int64_t others = n_expected(r, SL_SEC_PUMPS, 12) + n_expected(r, SL_SEC_VALVES, 16);
    return sl_ids_reserve(s->node_ids, nodes, 7 * nodes) && sl_ids_reserve(s->link_ids, links, 7 * links) &&
           SL_RESERVE(s->ctx, &s->node, nodes + fixed) && SL_RESERVE(s->ctx, &s->junction, nodes) &&
           SL_RESERVE(s->ctx, &s->link, links + others) && SL_RESERVE(s->ctx, &s->pipe, links) &&
           SL_RESERVE(s->ctx, &s->demand, n_expected(r, SL_SEC_DEMANDS, 12)) &&
           (r->no_map || (SL_RESERVE(s->ctx, &s->place, n_expected(r, SL_SEC_COORDINATES, 16)) &&
                          SL_RESERVE(s->ctx, &s->vertex, n_expected(r, SL_SEC_VERTICES, 16))));
}

static int compare_lines(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

sl_status sl_inp_read_spec(sl_reader *r) {
    r->n_suggest = 50;
    r->hint_node = r->hint_link = r->hint_pattern = -1;
    if (r->n >= 3 && memcmp(r->text, "\xEF\xBB\xBF", 3) == 0) {
        r->text += 3; /* byte order mark */
        r->n -= 3;
    }
    if (r->n > 0 && r->text[r->n - 1] == 0x1A) {
        r->n--; /* the end-of-file mark of DOS editors */
    }
    r->eol = r->n && !memchr(r->text, '\n', r->n) && memchr(r->text, '\r', r->n) ? '\r' : '\n';
    update_factors(r);
    sl_inp_scan(r);
    if (r->oom || r->stopped) {
        return r->oom ? SL_ERR_MEMORY : SL_ERR_INPUT;
    }
    read_early(r);
    if (!reserve(r)) {
        r->oom = true;
    }
    size_t done = 0;
    sl_status status = r->oom ? SL_ERR_MEMORY : SL_OK;
    for (int phase = 1; phase < (r->no_map ? MAP : N_PHASE) && status == SL_OK; phase++) {
        status = read_phase(r, phase, &done);
        if (phase == 1) {
            update_factors(r);
            sl_inp_options_si(r);
        }
    }
    if (status == SL_OK) {
        sl_inp_options_end(r);
        status = r->oom ? SL_ERR_MEMORY : SL_OK;
    }
    if (r->bad_line.n) {
        qsort(r->bad_line.at, (size_t)r->bad_line.n, sizeof *r->bad_line.at, compare_lines);
    }
    return status;
}

void sl_reader_fini(sl_reader *r) {
    SL_ARRAY_FINI(r->ctx, &r->tok);
    SL_ARRAY_FINI(r->ctx, &r->block);
    SL_ARRAY_FINI(r->ctx, &r->line_start);
    SL_ARRAY_FINI(r->ctx, &r->bad_line);
    SL_ARRAY_FINI(r->ctx, &r->edit);
}

/* ---- Places for validation ---------------------------------------------------------------------- */

/* Where an object's value stands: its line is cut again, which is rare and cheap. */
static bool locate(void *user, uint32_t line, int32_t tok, sl_text_location *place) {
    sl_reader *r = user;
    if (line == 0 || sl_inp_is_bad(r, line)) {
        return false;
    }
    r->line_no = line;
    r->line = sl_inp_line_text(r, line);
    if (!r->line.ptr || !sl_inp_tokens(r, r->line)) {
        *place = (sl_text_location){.file = r->name, .line = line};
        return true;
    }
    *place = sl_inp_location(r, tok);
    return true;
}

static sl_status finish(sl_reader *r, bool tolerant, sl_network **out) {
    sl_network *net = NULL;
    sl_status status = sl_build_compile(r->spec, true, &net);
    if (status != SL_OK) {
        return status;
    }
    sl_validation v = {.net = net, .diags = r->diags, .locate = locate, .user = r, .spec = r->spec};
    int64_t n_error = r->spec->n_error + sl_network_validate(&v);
    if (r->oom || v.oom || (n_error > 0 && !tolerant)) {
        sl_network_destroy(net);
        return r->oom || v.oom ? SL_ERR_MEMORY : SL_ERR_INPUT;
    }
    *out = net;
    return SL_OK;
}

sl_status sl_inp_read(sl_context *ctx, const void *bytes, size_t n, const sl_inp_read_def *def, sl_diags *diags,
                      sl_network **out) {
    if (!ctx || !out || (n > 0 && !bytes)) {
        return SL_ERR_USE;
    }
    *out = NULL;
    sl_inp_read_def d = sl_inp_read_default();
    if (!sl_sized_take(&d, sizeof d, def)) {
        return SL_ERR_USE;
    }
    sl_spec spec;
    sl_reader r = {.ctx = ctx,
                   .diags = diags,
                   .spec = &spec,
                   .name = d.name ? d.name : "",
                   .text = bytes,
                   .n = n,
                   .no_map = d.no_map};
    sl_status status = SL_ERR_MEMORY;
    if (sl_spec_init(&spec, ctx, diags)) {
        spec.name = r.name;
        status = sl_inp_read_spec(&r);
        if (status == SL_OK) {
            status = finish(&r, d.tolerant, out);
        }
    }
    sl_diags_sort(diags);
    sl_reader_fini(&r);
    sl_spec_fini(&spec);
    return status;
}
