/* SPDX-License-Identifier: MIT */
/* read_pipes.c: the tunnels of a file: their points, sections, friction and losses. A tunnel with kinks becomes a chain of straight
 * pipes; stretches on one line are one pipe. */
#include "tunnel/read_impl.h"

#include "base/out.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
#define REFERENCE_VELOCITY 2.0 /* at which friction is found unless a flow is given [m/s] */

/* {horseshoe: 5.2} or {rectangle: [3, 2.5]} */
static void read_shape(tunnel_reader *r, sl_yaml_map *shape, sl_tunnel_pipe *p) {
    double size = 0.0;
    int32_t n = 0;
    bool horseshoe = sl_yaml_number(shape, "horseshoe", SL_YAML_POSITIVE, "m", &size);
    bool rectangle = sl_yaml_get(shape, "rectangle", 0) != NULL;
    const double *sides = rectangle ? tunnel_read_list(r, shape, "rectangle", 0, "m", &n, false) : NULL;
    if (horseshoe == rectangle && (horseshoe || !sl_yaml_get(shape, "horseshoe", 0))) {
        sl_yaml_report(r->doc, shape->node, SL_ERROR, horseshoe ? SL_CODE_CONFLICT : SL_CODE_MISSING_VALUE,
                       "write {horseshoe: 5.2} or {rectangle: [3, 2.5]}", "the shape is given %s",
                       horseshoe ? "twice" : "nowhere");
    } else if (horseshoe) {
        p->area = 0.8293 * size * size; /* standard: walls of radius `size` over a round crown */
        p->diameter = 1.0154 * size;
    } else if (sides && (n != 2 || !(sides[0] > 0.0 && sides[1] > 0.0))) {
        sl_yaml_report(r->doc, sl_yaml_get(shape, "rectangle", 0), SL_ERROR, SL_CODE_VALUE_RANGE,
                       "write [width, height]", "rectangle: two lengths above 0 are needed");
    } else if (sides) {
        p->area = sides[0] * sides[1];
        p->diameter = 2.0 * p->area / (sides[0] + sides[1]);
    }
}

/* area, diameter, or shape: the flow area and the hydraulic diameter */
static void read_section(tunnel_reader *r, sl_yaml_map *m, sl_tunnel_pipe *p) {
    sl_yaml_map shape;
    int32_t n = 0;
    if (sl_yaml_number(m, "area", SL_YAML_POSITIVE, "m2", &p->area)) {
        p->diameter = sqrt(4.0 * p->area / PI);
        n++;
    }
    if (sl_yaml_number(m, "diameter", SL_YAML_POSITIVE, "m", &p->diameter)) {
        p->area = 0.25 * PI * p->diameter * p->diameter;
        n++;
    }
    if (sl_yaml_submap(m, "shape", 0, &shape)) {
        n++;
        read_shape(r, &shape, p);
        sl_yaml_done(&shape);
    }
    bool is_wrong =
        n == 0 && (sl_yaml_get(m, "area", 0) || sl_yaml_get(m, "diameter", 0) || sl_yaml_get(m, "shape", 0));
    if (n != 1 && !is_wrong) { /* what is wrong has been reported */
        sl_yaml_report(r->doc, m->node, SL_ERROR, n == 0 ? SL_CODE_MISSING_VALUE : SL_CODE_CONFLICT,
                       "write one of area, diameter, shape", "the section is given %s",
                       n == 0 ? "nowhere" : "more than once");
    }
}

static bool has(sl_yaml_map *m, const char *key) {
    return sl_yaml_get(m, key, 0) != NULL;
}

static void read_friction(tunnel_reader *r, sl_yaml_map *m, sl_tunnel_pipe *p) {
    double roughness = 0.0, flow = 0.0;
    bool given = has(m, "friction"), rough = has(m, "roughness");
    (void)sl_yaml_number(m, "friction", SL_YAML_NOT_NEGATIVE, NULL, &p->friction);
    (void)sl_yaml_number(m, "roughness", SL_YAML_NOT_NEGATIVE, "m", &roughness);
    bool at = sl_yaml_number(m, "reference_flow", SL_YAML_POSITIVE, "m3/s", &flow);
    if (given == rough) {
        sl_yaml_report(r->doc, m->node, SL_ERROR, given ? SL_CODE_CONFLICT : SL_CODE_MISSING_VALUE,
                       "write friction (Darcy's factor) or roughness", "the friction is given %s",
                       given ? "twice" : "nowhere");
    } else if (rough && p->area > 0.0 && p->diameter > 0.0) {
        p->friction = sl_tunnel_friction(roughness, p->diameter, at ? flow / p->area : REFERENCE_VELOCITY);
    }
}

static void read_pair(tunnel_reader *r, sl_yaml_map *m, const char *key, double out[2]) {
    int32_t n = 0;
    const double *pair = tunnel_read_list(r, m, key, 0, "", &n, false);
    if (pair && n != 2) {
        sl_yaml_report(r->doc, sl_yaml_get(m, key, 0), SL_ERROR, SL_CODE_SYNTAX, "write [at `from`, at `to`]",
                       "%s: two numbers are needed", key);
    } else if (pair) {
        out[0] = pair[0];
        out[1] = pair[1];
    }
}

static void read_losses(tunnel_reader *r, sl_yaml_map *m, sl_tunnel_pipe *p) {
    double in[2] = {1.0, 1.0}, out[2] = {0.0, 0.0};
    sl_yaml_map losses;
    if (sl_yaml_submap(m, "losses", 0, &losses)) {
        read_pair(r, &losses, "in", in);
        read_pair(r, &losses, "out", out);
        sl_yaml_done(&losses);
    }
    for (int j = 0; j < 2; j++) {
        p->ends[j].in = in[j];
        p->ends[j].out = out[j];
    }
}

static void read_policies(sl_yaml_map *m, sl_tunnel_pipe *p) {
    static const char *const words[] = {"none", "from", "to", "both", NULL};
    int drops = 0, vented = 0;
    sl_yaml_word(m, "drops", 0, words, &drops);
    sl_yaml_word(m, "vented", 0, words, &vented);
    for (int j = 0; j < 2; j++) {
        p->ends[j].drops = drops >> j & 1;
        p->ends[j].is_vented = vented >> j & 1;
    }
}

/* Kinks of a profile: its ends, and points that do not lie on the line of their neighbours. */
static int32_t keep_kinks(int32_t n, double *at, double *z) {
    int32_t kept = 1;
    for (int32_t k = 1; k < n; k++) {
        double before = (z[k] - z[kept - 1]) / (at[k] - at[kept - 1]);
        bool line =
            k + 1 < n && fabs((z[k + 1] - z[k]) / (at[k + 1] - at[k]) - before) <= 1e-12 * fmax(1.0, fabs(before));
        if (!line) {
            at[kept] = at[k];
            z[kept++] = z[k];
        }
    }
    return kept;
}

/* The points of a tunnel: two, or those of its profile. Returns their number; 0: something is wrong. */
static int32_t read_points(tunnel_reader *r, sl_yaml_map *m, const int32_t valves[2], double **at, double **z) {
    sl_yaml_map profile;
    double length = 0.0;
    bool given = sl_yaml_number(m, "length", SL_YAML_POSITIVE, "m", &length);
    bool has_profile = sl_yaml_submap(m, "profile", 0, &profile), has_length = has(m, "length");
    if (has_length == has(m, "profile")) {
        sl_yaml_report(r->doc, m->node, SL_ERROR, has_length ? SL_CODE_CONFLICT : SL_CODE_MISSING_VALUE,
                       "write one of them", "a tunnel needs its length or its profile%s",
                       has_length ? ", not both" : "");
    }
    if (has_profile) {
        int32_t n = 0, n_z = 0;
        *at = tunnel_read_list(r, &profile, "chainage", SL_YAML_NEEDED, "m", &n, true);
        *z = tunnel_read_list(r, &profile, "elevation", SL_YAML_NEEDED, "m", &n_z, false);
        sl_yaml_done(&profile);
        if (*at && *z && (n != n_z || n < 2)) {
            sl_yaml_report(r->doc, profile.node, SL_ERROR, SL_CODE_CURVE_SHAPE, "write two or more points",
                           "the profile has %d chainages and %d elevations", (int)n, (int)n_z);
            return 0;
        }
        return *at && *z ? keep_kinks(n, *at, *z) : 0;
    }
    *at = tunnel_reader_alloc(r, 4 * sizeof **at);
    if (!given || !*at || valves[0] < 0 || valves[1] < 0) {
        return 0;
    }
    *z = *at + 2;
    (*at)[1] = length;
    for (int j = 0; j < 2; j++) {
        (*z)[j] = r->net->valves[valves[j]].elevation;
    }
    return 2;
}

static int32_t add_pipe(tunnel_reader *r, sl_str tunnel, int32_t k, int32_t n, const sl_yaml_node *node) {
    char name[128];
    (void)sl_format(name, sizeof name, "%.*s[%d]", (int)(tunnel.len < 100 ? tunnel.len : 100), tunnel.ptr, (int)k);
    int32_t i = sl_ids_add(r->net->pipe_ids, n > 1 ? sl_str_z(name) : tunnel);
    if (i < 0) {
        r->is_short = r->is_short || i == INT32_MIN;
        sl_yaml_report_key(r->doc, node, SL_ERROR, SL_CODE_DUPLICATE_ID, "give it another name",
                           "a stretch of a tunnel with kinks is called so");
        return -1;
    }
    r->pipe_nodes[i] = node;
    r->net->n_pipe = i + 1;
    return i;
}

/* The chain of a tunnel with n points; like: what its pipes have in common. */
static void make_chain(tunnel_reader *r, int32_t tunnel, const sl_yaml_node *node, const sl_tunnel_pipe *like,
                       const int32_t valves[2], int32_t n, const double *at, const double *z) {
    int32_t from = valves[0];
    for (int32_t k = 0; k + 1 < n; k++) {
        int32_t to = valves[1], i = add_pipe(r, node->key, k, n - 1, node);
        if (k + 2 < n) {
            char name[128];
            (void)sl_format(name, sizeof name, "%.100s[%d]", node->key.ptr, (int)(k + 1));
            to = tunnel_add_valve(r, sl_str_z(name), node);
            if (to >= 0) {
                r->net->valves[to].elevation = z[k + 1];
            }
        }
        if (i < 0 || to < 0) {
            return;
        }
        sl_tunnel_pipe *p = &r->net->pipes[i];
        *p = *like;
        p->length = at[k + 1] - at[k];
        for (int j = 0; j < 2; j++) {
            bool inner = j == 0 ? k > 0 : k + 2 < n;
            sl_tunnel_end *end = &p->ends[j];
            end->valve = j == 0 ? from : to;
            end->elevation = z[k + j];
            end->is_open = true;
            if (inner) { /* water brings its velocity along */
                end->in = end->out = 0.0;
                end->is_vented = false;
            }
        }
        r->first_pipe[tunnel] = k == 0 ? i : r->first_pipe[tunnel];
        r->n_pipe[tunnel]++;
        from = to;
    }
}

void tunnel_read_tunnel(tunnel_reader *r, const sl_yaml_node *node) {
    sl_yaml_map m;
    sl_tunnel_pipe like = {0};
    double *at = NULL, *z = NULL;
    int32_t tunnel = sl_ids_add(r->tunnels, node->key);
    r->is_short = r->is_short || tunnel < 0;
    if (tunnel < 0 || !sl_yaml_open_map(r->doc, node, &m)) {
        return;
    }
    int32_t valves[2] = {tunnel_find_valve(r, &m, "from"), tunnel_find_valve(r, &m, "to")};
    int32_t n = read_points(r, &m, valves, &at, &z);
    read_section(r, &m, &like);
    read_friction(r, &m, &like);
    read_losses(r, &m, &like);
    read_policies(&m, &like);
    like.added_length = 0.5 * like.diameter;
    sl_yaml_number(&m, "added_length", SL_YAML_POSITIVE, "m", &like.added_length);
    sl_yaml_done(&m);
    if (n > 0 && valves[0] >= 0 && valves[1] >= 0) {
        make_chain(r, tunnel, node, &like, valves, n, at, z);
    }
}
