/* SPDX-License-Identifier: MIT */
/* tunnel_explain.c: pages that explain tunnels: the rows of the hybrid model and the transitions of the discrete one, with the names of the
 * model: all there are, or those in force at a time of the run or in a given discrete state; of a large network those of elements that
 * were asked for.
 */
#include "kinds/rows.h"
#include "kinds/sheet.h"

#include "base/count_text.h"
#include "base/report.h"
#include "kinds/name_list.h"
#include "tunnel/guards.h"
#include "tunnel/history.h"
#include "tunnel/rows.h"

#include <math.h>
#include <string.h>

enum { PIPES_WHOLE = 8, LAST = 8 }; /* tunnels of a network whose rows are all shown; events that are shown */

typedef struct page {
    sl_sheet sheet;
    const sl_load *load;
    const sl_page_def *def;
    const sl_tunnel_study *study;
    const sl_tunnel_network *net;
    sl_model *model;
    sl_session *session; /* NULL: nothing was run */
    void *instance;
    int32_t *q;            /* [n_q] known state; NULL: any */
    sl_hybrid_force force; /* at q */
    sl_arena arena;
    char when[160];
    bool *valves, *pipes; /* what was asked for; NULL: all */
    sl_tunnel_row_kind kind;
    bool in_list;
    int32_t n_row; /* of all kinds */
} page;

/* ---- What was asked for ------------------------------------------------------------------------- */

/* An id of the file: a tunnel with kinks is all its stretches. */
static bool is_of(const char *id, const char *asked) {
    size_t n = strlen(asked);
    return strcmp(id, asked) == 0 || (strncmp(id, asked, n) == 0 && id[n] == '[');
}

static sl_status choose(page *p, const sl_texts *texts, const sl_ids *ids, const char *kind, bool *chosen) {
    sl_status status = SL_OK;
    for (int i = 0; texts && i < texts->n; i++) {
        bool any = false;
        for (int32_t k = 0; k < sl_ids_count(ids); k++) {
            if (is_of(sl_ids_z(ids, k), texts->at[i])) {
                chosen[k] = any = true;
            }
        }
        if (!any) {
            int32_t near = sl_ids_nearest(ids, sl_str_z(texts->at[i]));
            sl_report(p->load->diags, SL_ERROR, SL_CODE_UNKNOWN_NAME,
                      &(sl_text_location){.file = p->load->source->name}, NULL, NULL,
                      near >= 0 ? sl_arena_format(&p->arena, "did you mean %s?", sl_ids_z(ids, near))
                                : "--node takes valves, --link tunnels",
                      "there is no %s '%.100s'", kind, texts->at[i]);
            status = SL_ERR_INPUT;
        }
    }
    return status;
}

static sl_status choose_elements(page *p) {
    if (!sl_sheet_has_elements(p->def)) {
        return SL_OK;
    }
    p->valves = sl_arena_alloc(&p->arena, (size_t)p->net->n_valve * sizeof *p->valves);
    p->pipes = sl_arena_alloc(&p->arena, (size_t)p->net->n_pipe * sizeof *p->pipes);
    if (!p->valves || !p->pipes) {
        return SL_ERR_MEMORY;
    }
    sl_status status = choose(p, p->def->nodes, p->net->valve_ids, "valve", p->valves);
    sl_status links = choose(p, p->def->links, p->net->pipe_ids, "tunnel", p->pipes);
    return status != SL_OK ? status : links;
}

/* ---- The discrete state ------------------------------------------------------------------------- */

/* "mid[main].joint=1,tub[gate].leg=0" on top of the start, or of the state at the time. */
static sl_status set_mode(page *p) {
    sl_tunnel_history names;
    sl_name_list list = {.n = 0};
    sl_status status = sl_tunnel_history_init(&names, p->net, p->load->ctx, p->q);
    sl_text_location place = {.file = p->load->source->name};
    if (status != SL_OK) {
        return status;
    }
    sl_name_list_add(&list, p->def->mode);
    for (int32_t i = 0; i < list.n && status == SL_OK; i++) {
        const char *equals = strrchr(list.at[i], '=');
        size_t n = equals ? (size_t)(equals - list.at[i]) : strlen(list.at[i]);
        int32_t j = sl_tunnel_history_find(&names, (sl_str){list.at[i], n});
        bool value = equals && (strcmp(equals, "=0") == 0 || strcmp(equals, "=1") == 0);
        if (j < 0 || !value) {
            const char *near = j < 0 ? sl_tunnel_history_nearest(&names, (sl_str){list.at[i], n}) : NULL;
            sl_report(p->load->diags, SL_ERROR, SL_CODE_VARIABLE, &place, NULL, NULL,
                      near ? sl_arena_format(&p->arena, "did you mean %s?", near)
                           : "--mode takes discrete variables with 0 or 1: mid[main].joint=1,tub[gate].leg=0",
                      j < 0 ? "--mode %.100s: there is no such discrete variable" : "--mode %.100s: a value is 0 or 1",
                      list.at[i]);
            status = SL_ERR_INPUT;
        } else {
            p->q[j] = equals[1] == '1';
        }
    }
    if (status == SL_OK && list.full) {
        sl_report(p->load->diags, SL_ERROR, SL_CODE_VALUE_RANGE, &place, NULL, NULL, NULL, "--mode has too many names");
        status = SL_ERR_INPUT;
    }
    sl_tunnel_history_fini(&names);
    return status;
}

static sl_status find_state(page *p) {
    int32_t n_x, n_q, n = 0;
    char text[SL_WHEN_MAX];
    sl_status status = SL_OK;
    if (p->def->at.is_given) {
        status = sl_sheet_run(p->load->ctx, p->model, p->def, p->load->diags, &p->session);
        (void)sl_format(p->when, sizeof p->when, "%s", sl_sheet_when(p->def, p->session, false, text));
    }
    if (status != SL_OK || (!p->def->at.is_given && !p->def->mode)) {
        return status;
    }
    sl_tunnel_sizes(p->net, &n_x, &n_q);
    p->q = sl_arena_alloc(&p->arena, (size_t)n_q * sizeof *p->q);
    double *x = sl_arena_alloc(&p->arena, (size_t)n_x * sizeof *x);
    if (!p->q || !x) {
        return SL_ERR_MEMORY;
    }
    sl_tunnel_start(p->net, x, p->q);
    const double *q =
        p->session ? sl_session_view(p->session, sl_session_field(p->session, "discrete.state"), &n) : NULL;
    for (int32_t j = 0; q && j < n_q; j++) {
        p->q[j] = (int32_t)q[j];
    }
    if (p->def->mode) {
        sl_append(p->when, sizeof p->when, " where %.100s", p->def->mode);
        status = set_mode(p);
    }
    return status;
}

/* Which rows are in force there. */
static sl_status find_force(page *p, const sl_tunnel_model *model) {
    if (!p->q) {
        return SL_OK;
    }
    sl_status status = sl_tunnel_ops.open(p->load->ctx, model, p->load->diags, &p->instance);
    if (status == SL_OK) {
        sl_tunnel_ops.changed(p->instance, -1, NULL, p->q);
        status = sl_tunnel_ops.force(p->instance, p->q, p->load->diags, &p->force);
    }
    return status;
}

/* ---- Sections ----------------------------------------------------------------------------------- */

static const struct {
    const char *key, *title;
} sections[SL_TUNNEL_ROW_N_KIND] = {
    [SL_TUNNEL_ROW_VOLUME] = {"volume", "Volumes of columns that grow from an end"},
    [SL_TUNNEL_ROW_HALF] = {"half", "Momentum of columns that grow from an end"},
    [SL_TUNNEL_ROW_FULL] = {"full", "Momentum of columns that fill their tunnel"},
    [SL_TUNNEL_ROW_SAME] = {"same", "One flow at both ends of such a column"},
    [SL_TUNNEL_ROW_BALANCE] = {"balance", "Balance at valves where the head follows: the sum of flows stays zero"},
    [SL_TUNNEL_ROW_HEAD] = {"head", "Heads that are given"},
    [SL_TUNNEL_ROW_OUTSIDE] = {"outside", "Water outside"},
    [SL_TUNNEL_ROW_FLOOD] = {"flood", "Water over a rim"},
    [SL_TUNNEL_ROW_ROOT] = {"roots", "Roots: motion ends where g falls below zero by a tolerance"},
    [SL_TUNNEL_ROW_IMPULSE] =
        {"impulses", "Actions: after events that change what is joined, flows follow from those before (pre_Q)"},
    [SL_TUNNEL_ROW_MEET] = {"meet", "... so that flows balance at valves without a given head"},
};

static bool is_shown(const page *p, int32_t valve, int32_t pipe) {
    if (!p->valves) {
        return true;
    }
    return (valve >= 0 && p->valves[valve]) || (pipe >= 0 && p->pipes[pipe]);
}

/* The section begins with its first row. */
static void begin_list(page *p, const char *key, const char *title) {
    if (!p->in_list) {
        sl_sheet_section(&p->sheet, key, title);
        sl_sheet_list(&p->sheet, "rows");
        p->in_list = true;
    }
}

static void end_list(page *p) {
    if (p->in_list) {
        sl_sheet_list_end(&p->sheet);
    }
    p->in_list = false;
}

static bool put_row(void *user, const sl_tunnel_row *row) {
    page *p = user;
    if (is_shown(p, row->valve, row->pipe)) {
        begin_list(p, sections[p->kind].key, sections[p->kind].title);
        sl_sheet_item_formula(&p->sheet, row->label, row->left, row->right);
        p->n_row++;
    }
    return p->sheet.status == SL_OK;
}

static sl_status put_rows(page *p) {
    const uint8_t *equations = p->q ? p->force.equations : NULL, *roots = p->q ? p->force.roots : NULL;
    for (int k = 0; k < SL_TUNNEL_ROW_N_KIND; k++) {
        p->kind = (sl_tunnel_row_kind)k;
        sl_status status = sl_tunnel_write_rows(p->net, p->load->ctx, p->kind, equations, roots, put_row, p);
        end_list(p);
        if (status != SL_OK) {
            return p->sheet.status != SL_OK ? p->sheet.status : status;
        }
    }
    return SL_OK;
}

/* ---- The discrete part -------------------------------------------------------------------------- */

/* The valve and the pipe of a variable; one of them is -1. */
static void owner(const page *p, int32_t j, int32_t *valve, int32_t *pipe) {
    int32_t n = SL_VALVE_N_BIT * p->net->n_valve;
    *valve = j < n ? j / SL_VALVE_N_BIT : -1;
    *pipe = j < n ? -1 : (j - n) / SL_PIPE_N_BIT;
}

/* Names by numbers become those of the model: "end[0,1].flow" "end[main,1].flow". */
static const char *with_ids(page *p, const char *text) {
    size_t size = 64;
    for (const char *c = text; *c; c++) {
        size += *c == '[' ? 256 : 1;
    }
    char *out = sl_arena_alloc(&p->arena, size);
    size_t n = 0;
    for (const char *c = text; out && *c;) {
        out[n++] = *c;
        if (*c++ != '[') {
            continue;
        }
        const char *word = c - 1;
        while (word > text && word[-1] >= 'a' && word[-1] <= 'z') {
            word--;
        }
        bool valve = strncmp(word, "valve[", 6) == 0 || strncmp(word, "tub[", 4) == 0;
        int32_t number = 0;
        while (*c >= '0' && *c <= '9') {
            number = 10 * number + (*c++ - '0');
        }
        const char *id = valve ? sl_tunnel_valve_id(p->net, number) : sl_tunnel_pipe_id(p->net, number);
        n += (size_t)sl_format(out + n, 250, "%.240s", id);
    }
    return out;
}

static bool put_transition(void *user, int32_t j, const char *name, const char *symbol, const char *guard) {
    page *p = user;
    int32_t valve, pipe;
    (void)name;
    owner(p, j, &valve, &pipe);
    if (!guard || !is_shown(p, valve, pipe)) {
        return true;
    }
    begin_list(p, "transitions", "Discrete: a variable changes where its guard holds; t counts discrete steps");
    const char *of = NULL;
    if (sl_tunnel_bit_name(p->net, j, &p->arena, &of) != SL_OK) {
        return false;
    }
    bool flips = strcmp(symbol, "flip") == 0;
    const char *label = flips ? of : sl_arena_format(&p->arena, "%s, %s", of, symbol), *text = with_ids(p, guard);
    if (!label || !text) {
        return false;
    }
    sl_sheet_item_long(&p->sheet, label, text);
    return p->sheet.status == SL_OK;
}

/* Where the state is known: variables that are 1. */
static sl_status put_state(page *p) {
    for (int32_t j = 0; j < sl_tunnel_n_bit(p->net); j++) {
        int32_t valve, pipe;
        const char *name = NULL;
        owner(p, j, &valve, &pipe);
        if (!p->q[j] || !is_shown(p, valve, pipe)) {
            continue;
        }
        sl_status status = sl_tunnel_bit_name(p->net, j, &p->arena, &name);
        if (status != SL_OK) {
            return status;
        }
        begin_list(p, "discrete", "Discrete variables that are 1");
        sl_sheet_item_words(&p->sheet, name, "1");
    }
    end_list(p);
    return SL_OK;
}

static sl_status put_discrete(page *p) {
    sl_status status = p->q ? put_state(p) : SL_OK;
    if (status == SL_OK && !p->q) {
        status = sl_tunnel_write_guards(p->net, p->load->ctx, true, put_transition, p);
        end_list(p);
    }
    return status;
}

/* ---- Data and values ---------------------------------------------------------------------------- */

/* People see name, value and meaning in this order. */
static void put_number(page *p, const char *name, const char *meaning, double value, const char *unit) {
    if (p->def->form == SL_PAGE_JSON) {
        sl_sheet_item_value(&p->sheet, name, meaning, "value", value, unit);
    } else {
        sl_sheet_item_words(&p->sheet, name, "%.7g%s%s: %s", value, unit[0] ? " " : "", unit, meaning);
    }
}

static sl_status put_data(page *p) {
    sl_tunnel_datum data[SL_TUNNEL_DATA_MAX];
    for (int32_t k = 0; k < p->net->n_valve + p->net->n_pipe; k++) {
        int32_t v = k < p->net->n_valve ? k : -1, i = v < 0 ? k - p->net->n_valve : -1;
        if (!is_shown(p, v, i)) {
            continue;
        }
        int n = sl_tunnel_data(p->net, &p->arena, i, v, data);
        if (n < 0) {
            return SL_ERR_MEMORY;
        }
        begin_list(p, "data", "Data");
        for (int d = 0; d < n; d++) {
            put_number(p, data[d].name, data[d].meaning, data[d].value, data[d].unit);
        }
    }
    end_list(p);
    return SL_OK;
}

static void put_values_of(page *p, const char *symbol, const char *name, const char *field, int32_t index,
                          const char *unit, const char *meaning) {
    const char *id = name ? sl_arena_format(&p->arena, "%s_%s", symbol, name) : NULL;
    if (!id) {
        p->sheet.status = SL_ERR_MEMORY;
        return;
    }
    begin_list(p, "values", "Values");
    put_number(p, id, meaning, sl_sheet_get(&p->sheet, field, index), unit);
}

static void put_values(page *p) {
    for (int32_t v = 0; v < p->net->n_valve; v++) {
        if (is_shown(p, v, -1)) {
            const char *name = sl_tunnel_row_valve(p->net, &p->arena, v);
            put_values_of(p, "H", name, "valve.head", v, "m", "head");
            if (p->net->valves[v].tub != SL_TUB_NONE) {
                bool more = p->net->valves[v].inflow.n > 0;
                put_values_of(p, more ? "W_J" : "W", name, "valve.water", v, "m3",
                              more ? "water outside, with the inflow of the file so far" : "water outside");
            }
        }
    }
    for (int32_t e = 0; e < 2 * p->net->n_pipe; e++) {
        if (is_shown(p, -1, e / 2)) {
            const char *name = sl_tunnel_row_end(p->net, &p->arena, e);
            put_values_of(p, "V", name, "end.volume", e, "m3", "volume of water");
            put_values_of(p, "Q", name, "end.flow", e, "m3/s", "flow");
        }
    }
    end_list(p);
}

static void put_events(page *p) {
    sl_event_info e = {.size = sizeof e};
    int n = 0;
    for (int64_t i = sl_session_n_event(p->session) - 1; i >= 0 && n < LAST; i--) {
        if (sl_session_event(p->session, i, &e) == SL_OK && strcmp(e.kind, "crossing") == 0) {
            const char *label = sl_arena_format(&p->arena, "%.9g s", e.time);
            begin_list(p, "events", "What happened last, the latest first");
            sl_sheet_item_words(&p->sheet, label ? label : "", "%s", e.cause);
            n++;
        }
    }
    end_list(p);
}

/* ---- The page ----------------------------------------------------------------------------------- */

static void put_network(page *p) {
    const sl_tunnel_network *net = p->net;
    int32_t n = sl_tunnel_n_bit(net);
    sl_sheet_section(&p->sheet, "network", "Network");
    sl_sheet_count(&p->sheet, "valves", "valves", net->n_valve);
    sl_sheet_count(&p->sheet, "pipes", "straight tunnels", net->n_pipe);
    sl_sheet_count(&p->sheet, "discrete", "discrete variables", n);
    sl_sheet_words(&p->sheet, "steps", "discrete execution", "at most %d steps", SL_TUNNEL_STEPS_MAX);
    sl_sheet_words(&p->sheet, "gravity", "g", "%.9g m/s2", SL_TUNNEL_GRAVITY);
    sl_sheet_section(&p->sheet, "symbols", "Symbols");
    static const char *const symbols[][3] = {
        {"Q", "Q_tunnel_from, Q_tunnel_to", "flow at an end of a tunnel, positive from 'from' to 'to' [m3/s]"},
        {"V", "V_tunnel_from, V_tunnel_to", "volume of water that lies at that end [m3]"},
        {"H", "H_valve", "head in a valve [m]"},
        {"W", "W_valve",
         "water of a reservoir, without the inflow of the file so far; what other outsides have received [m3]"},
        {"F", "F_valve", "water flooded over a rim [m3]"},
        {"inflow", "j_valve, J_valve, i_valve",
         "inflow of the file, its integral so far; inflow that is set beside it"},
        {"level", "level_valve, rise_valve", "prescribed level; what is set above it [m]"},
        {"top", "top_valve", "highest point of a body of water whose heads are known but for a constant [m]"},
        {"lambda", "lambda_valve", "impulse at a valve, found with the flows [m s]"},
    };
    for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++) {
        sl_sheet_words(&p->sheet, symbols[k][0], symbols[k][1], "%s", symbols[k][2]);
    }
}

/* Of a large network: what is in force, counted. */
static bool count_row(void *user, const sl_tunnel_row *row) {
    page *p = user;
    (void)row;
    p->n_row++;
    return true;
}

static sl_status put_counts(page *p) {
    const uint8_t *equations = p->q ? p->force.equations : NULL, *roots = p->q ? p->force.roots : NULL;
    sl_sheet_section(&p->sheet, "rows", p->q ? "Rows in force" : "Rows");
    for (int k = 0; k <= SL_TUNNEL_ROW_ROOT; k++) {
        p->n_row = 0;
        sl_status status =
            sl_tunnel_write_rows(p->net, p->load->ctx, (sl_tunnel_row_kind)k, equations, roots, count_row, p);
        if (status != SL_OK) {
            return status;
        }
        sl_sheet_words(&p->sheet, sections[k].key, sections[k].key, "%d: %s", (int)p->n_row, sections[k].title);
    }
    sl_sheet_words(&p->sheet, "more", "they are shown of",
                   "valves and tunnels that are named: --node VALVE, --link TUNNEL");
    return SL_OK;
}

static sl_status put_page(page *p, const sl_sink *sink) {
    char what[256];
    bool whole = p->valves || p->net->n_pipe <= PIPES_WHOLE;
    (void)sl_format(what, sizeof what, "%.60s%.180s", sl_kind_tunnel.noun, p->when);
    sl_status status =
        sl_sheet_open(&p->sheet, p->load->ctx, p->def->form, sink, p->load->source->name, sl_kind_tunnel.name, what);
    if (status != SL_OK) {
        return status;
    }
    p->sheet.session = p->session;
    put_network(p);
    if (!whole) {
        status = put_counts(p);
    } else {
        if (p->session) {
            put_values(p);
        }
        status = put_rows(p);
        status = status == SL_OK ? put_discrete(p) : status;
        status = status == SL_OK ? put_data(p) : status;
    }
    if (p->session) {
        put_events(p);
    }
    sl_status closed = sl_sheet_close(&p->sheet);
    return status != SL_OK ? status : closed;
}

sl_status sl_tunnel_explain(const sl_load *load, const sl_page_def *def, const sl_sink *sink) {
    page p = {.load = load, .def = def};
    sl_tunnel_study *study = NULL;
    sl_arena_init(&p.arena, load->ctx);
    sl_status status = sl_tunnel_study_load(load, &study);
    if (status == SL_OK) {
        p.study = study;
        p.net = study->net;
        status = sl_model_of_tunnel_study(load->ctx, study, &p.model); /* which owns the study from now on */
    }
    if (status == SL_OK) {
        sl_tunnel_model model = sl_tunnel_model_default(study->net);
        model.all_reversals = study->all_reversals;
        status = choose_elements(&p);
        status = status == SL_OK ? find_state(&p) : status;
        status = status == SL_OK ? find_force(&p, &model) : status;
        status = status == SL_OK ? put_page(&p, sink) : status;
    }
    if (p.instance) {
        sl_tunnel_ops.close(p.instance);
    }
    sl_session_destroy(p.session);
    sl_model_destroy(p.model);
    sl_arena_fini(&p.arena);
    return status;
}
