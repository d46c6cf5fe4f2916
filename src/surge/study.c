/* SPDX-License-Identifier: MIT */
/* study.c: a study file from its first key to its last, and what its parts share; see study.h. */
#include "surge/study_impl.h"

#include <string.h>

#include "base/count_text.h"
#include "base/ids.h"
#include "base/out.h"
#include "base/report.h"

enum { HINT_MAX = 256 };

void *sl_study_alloc(sl_study *s, size_t n, size_t size) {
    bool overflow = false;
    size_t bytes = sl_mul_size(n, size, &overflow);
    void *p = overflow || bytes == 0 ? NULL : sl_arena_alloc(&s->arena, bytes);
    s->no_memory = s->no_memory || (!p && n > 0);
    return p;
}

/* ---- Ids ---------------------------------------------------------------------------------------- */

/* The nearest of n ids, for a remedy. */
static const char *nearest(const sl_network *net, bool node, sl_str id, char hint[HINT_MAX]) {
    int32_t n = node ? net->n_node : net->n_link;
    int limit = id.len < 6 ? 2 : 4;
    const char *best = NULL;
    for (int32_t i = 0; i < n && i < 20000 && limit >= 0; i++) {
        const char *z = node ? sl_network_node_id(net, i) : sl_network_link_id(net, i);
        int d = sl_edit_distance(id, sl_str_z(z), limit);
        if (d <= limit) {
            best = z;
            limit = d - 1;
        }
    }
    if (best) {
        (void)sl_format(hint, HINT_MAX, "did you mean '%s'?", best);
    } else {
        (void)sl_format(hint, HINT_MAX, "write the id of a %s of the network", node ? "node" : "link");
    }
    return hint;
}

/* "a junction, a reservoir or a tank" */
static void put_kinds(unsigned kinds, bool node, char *buf, size_t size) {
    static const char *const words[2][3] = {{"a pipe", "a pump", "a valve"}, {"a junction", "a reservoir", "a tank"}};
    buf[0] = '\0';
    for (int k = 0; k < 3; k++) {
        if (kinds & (1u << k)) {
            sl_append(buf, size, "%s%s", !buf[0] ? "" : kinds >> (k + 1) ? ", " : " or ", words[node][k]);
        }
    }
}

static int32_t find(sl_study *s, const sl_yaml_node *id, unsigned kinds, bool node) {
    const char *text = NULL;
    char hint[HINT_MAX], quoted[SL_QUOTE_MAX], wanted[80], is[80];
    if (!sl_yaml_as_text(s->doc, id, &text) || !s->net) {
        return -1;
    }
    int32_t i = node ? sl_network_find_node(s->net, id->text) : sl_network_find_link(s->net, id->text);
    if (i < 0) {
        sl_yaml_report(s->doc, id, SL_ERROR, node ? SL_CODE_UNKNOWN_NODE : SL_CODE_UNKNOWN_LINK,
                       nearest(s->net, node, id->text, hint), "there is no %s %s", node ? "node" : "link",
                       sl_quote(id->text, quoted));
        return -1;
    }
    unsigned kind = 1u << (node ? (int)sl_network_node_kind(s->net, i) : (int)sl_network_link_kind(s->net, i));
    if (!(kind & kinds)) {
        put_kinds(kinds, node, wanted, sizeof wanted);
        put_kinds(kind, node, is, sizeof is);
        (void)sl_format(hint, sizeof hint, "name %s here", wanted);
        sl_yaml_report(s->doc, id, SL_ERROR, SL_CODE_WRONG_KIND, hint, "%s is %s", sl_quote(id->text, quoted), is);
        return -1;
    }
    return i;
}

int32_t sl_study_node(sl_study *s, const sl_yaml_node *id, unsigned kinds) {
    return find(s, id, kinds, true);
}

int32_t sl_study_link(sl_study *s, const sl_yaml_node *id, unsigned kinds) {
    return find(s, id, kinds, false);
}

static int32_t find_all(sl_study *s, const sl_yaml_node *ids, unsigned kinds, bool node, const int32_t **out) {
    bool list = ids->kind == SL_YAML_LIST;
    int32_t *at = sl_study_alloc(s, list ? (size_t)ids->n : 1, sizeof *at), n = 0;
    for (const sl_yaml_node *id = list ? ids->first : ids; id && at; id = list ? id->next : NULL) {
        int32_t i = find(s, id, kinds, node);
        if (i >= 0) {
            at[n++] = i;
        }
    }
    *out = at;
    return n;
}

int32_t sl_study_nodes(sl_study *s, const sl_yaml_node *ids, const int32_t **out) {
    return find_all(s, ids, SL_STUDY_ANY_NODE, true, out);
}

int32_t sl_study_links(sl_study *s, const sl_yaml_node *ids, unsigned kinds, const int32_t **out) {
    return find_all(s, ids, kinds, false, out);
}

/* ---- Values ------------------------------------------------------------------------------------- */

const sl_yaml_node *sl_study_list(sl_yaml_map *m, const char *key) {
    const sl_yaml_node *list = NULL;
    return sl_yaml_list(m, key, 0, &list) && list->n > 0 ? list : NULL;
}

void *sl_study_rows(sl_study *s, const sl_yaml_node *list, size_t size,
                    bool (*read)(sl_study *s, sl_yaml_map *m, void *to), int32_t *n) {
    char *rows = list ? sl_study_alloc(s, (size_t)list->n, size) : NULL;
    for (const sl_yaml_node *row = rows ? list->first : NULL; row; row = row->next) {
        sl_yaml_map m;
        *n += sl_yaml_open_map(s->doc, row, &m) && read(s, &m, rows + (size_t)*n * size);
    }
    return rows;
}

/* A second number of a pair. */
typedef struct pair_value {
    sl_study *s;
    const sl_study_measure *of;
} pair_value;

static bool read_pair_value(void *user, const sl_yaml_node *node, double *out) {
    const pair_value *v = user;
    return sl_study_as_measure(v->s, node, 0, v->of, out);
}

int32_t sl_study_pairs(sl_study *s, const sl_yaml_node *list, bool times, const char *unit, const sl_study_measure *of,
                       const double **a, const double **b) {
    double *x = sl_study_alloc(s, (size_t)list->n, sizeof *x), *y = sl_study_alloc(s, (size_t)list->n, sizeof *y);
    pair_value value = {s, of};
    *a = x;
    *b = y;
    return x && y ? sl_yaml_as_points(s->doc, list, times, unit, read_pair_value, &value, x, y) : 0;
}

/* ---- The file ----------------------------------------------------------------------------------- */

static const char *const kinds[] = {"surge", NULL};

static sl_status make(sl_context *ctx, sl_study **out) {
    sl_study *s = sl_alloc(ctx, sizeof *s);
    *out = s;
    if (!s) {
        return SL_ERR_MEMORY;
    }
    *s = (sl_study){
        .ctx = ctx, .def = sl_surge_default(), .fluid = sl_surge_fluid_default(), .nodes.all = true, .links.all = true};
    s->def.fluid = &s->fluid;
    sl_arena_init(&s->arena, ctx);
    return SL_OK;
}

sl_status sl_study_create(sl_context *ctx, const sl_network *net, sl_study **out) {
    sl_status status = make(ctx, out);
    if (status == SL_OK) {
        (*out)->net = net;
    }
    return status;
}

void sl_study_destroy(sl_study *s) {
    if (s) {
        sl_yaml_destroy(s->doc);
        sl_arena_fini(&s->arena);
        sl_free(s->ctx, s, sizeof *s);
    }
}

static sl_status open_file(sl_study *s) {
    int kind = 0;
    if (!sl_yaml_open_map(s->doc, sl_yaml_root(s->doc), &s->root)) {
        return SL_ERR_INPUT;
    }
    bool named = sl_yaml_signature(&s->root, "surge", 1);
    sl_yaml_word(&s->root, "study", named ? 0 : SL_YAML_NEEDED, kinds, &kind);
    s->network_node = sl_yaml_get(&s->root, "network", SL_YAML_NEEDED);
    if (s->network_node) {
        (void)sl_yaml_as_text(s->doc, s->network_node, &s->network);
    }
    if (!s->network) { /* nothing else can be read, but a key may be misspelt */
        static const char *const keys[] = {"title",    "duration", "start",  "wave_speed",   "demands", "tanks",
                                           "friction", "fluid",    "grid",   "cavitation",   "pipes",   "valves",
                                           "pumps",    "outlets",  "events", "check_valves", "probes",  "wave_speeds",
                                           "routes",   "limits",   "outputs"};
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            (void)sl_yaml_get(&s->root, keys[i], 0);
        }
        sl_yaml_done(&s->root);
    }
    return s->network ? SL_OK : SL_ERR_INPUT;
}

sl_status sl_study_open(sl_context *ctx, const char *bytes, size_t n, const char *name, sl_diags *diags,
                        sl_study **out) {
    sl_study *s = NULL;
    *out = NULL;
    sl_status status = make(ctx, &s);
    status = status == SL_OK ? sl_yaml_read(ctx, bytes, n, name, diags, &s->doc) : status;
    status = status == SL_OK ? open_file(s) : status;
    if (status == SL_OK) {
        const char *file = sl_arena_copy(&s->arena, sl_str_z(name));
        s->def.file = file;
        status = file ? SL_OK : SL_ERR_MEMORY;
    }
    if (status != SL_OK) {
        sl_study_destroy(s);
        return status;
    }
    *out = s;
    return SL_OK;
}

sl_status sl_study_bind(sl_study *s, const sl_network *net) {
    sl_yaml_map *m = &s->root;
    s->net = net;
    sl_yaml_text(m, "title", 0, &s->title);
    sl_study_read_models(s, m);
    sl_study_read_pipes(s, m);
    sl_study_read_devices(s, m);
    sl_study_read_events(s, m);
    sl_study_read_outputs(s, m);
    sl_yaml_done(m);
    return s->no_memory ? SL_ERR_MEMORY : sl_yaml_status(s->doc);
}
