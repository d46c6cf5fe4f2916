/* SPDX-License-Identifier: MIT */
/* fields.c: the engine's quantities: their list, and their values from a state. */
#include "eps/fields.h"

#include "eps/impl.h"
#include "laws/constants.h"
#include "network/elements.h"
#include "numeric/vecmath.h"

#include <math.h>
#include <string.h>

static const char *const status_words[] = {"xhead", "temp_closed", "closed",    "open", "active",
                                           "xflow", "xfcv",        "xpressure", NULL};
static const char *const tank_words[] = {"still", "filling", "emptying", "overflowing", NULL};

const sl_field sl_eps_fields[SL_EPS_FIELD_COUNT] = {
#define SL_EPS_FIELD(id, ...)                                                                                  \
    [SL_EPS_##id] = {SL_FIELD_MEMBERS(__VA_ARGS__), .words = SL_EPS_##id == SL_EPS_STATUS       ? status_words \
                                                             : SL_EPS_##id == SL_EPS_TANK_STATE ? tank_words   \
                                                                                                : NULL},
    SL_EPS_FIELD_LIST(SL_EPS_FIELD)
#undef SL_EPS_FIELD
};

int32_t sl_eps_count(const void *engine, int32_t field) {
    return sl_elements_count(((const sl_eps *)engine)->m->net, sl_eps_fields[field].of);
}

const char *sl_eps_element(const void *engine, int32_t field, int32_t index) {
    return sl_elements_id(((const sl_eps *)engine)->m->net, sl_eps_fields[field].of, index);
}

static const char *roughness_unit(const sl_network *net) {
    return net->hydraulics.headloss == SL_DARCY_WEISBACH  ? "m"
           : net->hydraulics.headloss == SL_CHEZY_MANNING ? "s/m^(1/3)"
                                                          : "1";
}

/* What a setting is depends on the link. */
void sl_eps_describe(const void *engine, int32_t field, int32_t index, sl_field *out) {
    const sl_network *net = ((const sl_eps *)engine)->m->net;
    if (field == SL_EPS_ROUGHNESS || (field == SL_EPS_SETTING && index < net->n_pipe)) {
        out->unit = roughness_unit(net);
        out->meaning = sl_eps_fields[SL_EPS_ROUGHNESS].meaning;
        out->min = sl_eps_fields[SL_EPS_ROUGHNESS].min;
        out->max = sl_eps_fields[SL_EPS_ROUGHNESS].max;
    } else if (field == SL_EPS_SETTING && sl_is_pump(net, index)) {
        out->unit = "1";
        out->meaning = "relative speed";
        out->min = sl_eps_fields[SL_EPS_SPEED].min;
        out->max = sl_eps_fields[SL_EPS_SPEED].max;
    } else if (field == SL_EPS_SETTING) {
        switch (sl_valve_kind_of(net, index)) {
        case SL_PRV:
        case SL_PSV:
        case SL_PBV:
            out->unit = "m";
            out->meaning = "pressure that the valve holds, or takes away";
            break;
        case SL_FCV:
            out->unit = "m3/s";
            out->meaning = "most flow";
            break;
        case SL_TCV:
            out->unit = "1";
            out->meaning = "loss coefficient";
            break;
        case SL_PCV:
            out->unit = "%";
            out->meaning = "opening";
            break;
        default: break;
        }
    }
}

/* ---- Values ------------------------------------------------------------------------------------- */

static void outlets_of(const sl_eps *e, const sl_eps_state *s, bool consumers, bool emitters, bool leaks, double *x) {
    for (int32_t o = 0; o < e->m->n_outlet; o++) {
        uint8_t kind = e->m->outlet_kind[o];
        bool wanted = kind == SL_OUTLET_DEMAND ? consumers : kind == SL_OUTLET_EMITTER ? emitters : leaks;
        if (wanted) {
            x[e->m->outlet_node[o]] += s->outlet_flow[o];
        }
    }
}

SL_SIMD(void, widen, (int32_t n, const uint8_t *restrict from, double *restrict x), (n, from, x)) {
#pragma omp simd
    for (int32_t i = 0; i < n; i++) {
        x[i] = from[i];
    }
}

SL_SIMD(void, subtract, (int32_t n, const double *restrict a, const double *restrict b, double *restrict x),
        (n, a, b, x)) {
#pragma omp simd
    for (int32_t i = 0; i < n; i++) {
        x[i] = a[i] - b[i];
    }
}

/* What consumers get beside what comes through outlets: with pressure-driven demands inflows only. Few parts, if any, are cut off:
 * they are looked for byte by byte by a search that is made for that. */
static void fixed_consumption(const sl_eps *e, const sl_eps_state *s, double *x) {
    int32_t n = e->m->net->n_junction;
    memcpy(x, s->wanted, (size_t)n * sizeof *x);
    for (int32_t i = 0; e->m->net->hydraulics.demand_model == SL_PDA && i < n; i++) {
        x[i] = x[i] < 0.0 ? x[i] : 0.0;
    }
    for (int32_t i = 0; s->unserved && i < n; i++) {
        x[i] -= s->unserved[i];
    }
    const uint8_t *cut = s->cut_off, *end = cut + n;
    while ((cut = memchr(cut, 1, (size_t)(end - cut)))) {
        x[cut++ - s->cut_off] = 0.0;
    }
}

/* What has values at junctions only is 0 at reservoirs and tanks. */
static void clear(double *x, int32_t from, int32_t n) {
    memset(x + from, 0, (size_t)(n - from) * sizeof *x);
}

void sl_eps_outflows(const sl_eps *e, const sl_eps_state *s, double *x) {
    fixed_consumption(e, s, x);
    outlets_of(e, s, true, true, true, x);
}

/* What transport carries, or nothing: then nodes keep what they begin with, as in EPANET's files. */
static void fill_quality(const sl_eps *e, int32_t field, double *x) {
    const sl_network *net = e->m->net;
    int32_t of = sl_eps_fields[field].of;
    if (e->quality) {
        int32_t first = of == SL_CLASS_NODE   ? SL_EPS_QUALITY
                        : of == SL_CLASS_LINK ? SL_EPS_LINK_QUALITY
                                              : SL_EPS_Q_INITIAL;
        sl_quality_field(e->quality, of, field - first, x);
        return;
    }
    int32_t n = sl_eps_count(e, field);
    for (int32_t i = 0; i < n; i++) {
        x[i] = field == SL_EPS_QUALITY ? net->node_quality[i] : field == SL_EPS_Q_RATIO ? 1.0 : 0.0;
    }
}

/* All terms that were ever asked for at once: what is stored takes a walk through all the water. */
static void fill_ledger(const sl_eps *e) {
    if (e->quality) {
        (void)sl_eps_data(e, SL_EPS_LINK_QUALITY); /* walks over the same segments, and is mostly wanted too */
    }
    sl_quality_ledger l = e->quality ? sl_quality_ledger_of(e->quality) : (sl_quality_ledger){0};
    const double value[] = {l.initial, l.reservoir, l.source, l.time,     l.consumed, l.returned,
                            l.bulk,    l.wall,      l.tank,   l.adjusted, l.stored,   sl_quality_ratio(&l)};
    _Static_assert(sizeof value / sizeof *value == SL_EPS_Q_RATIO - SL_EPS_Q_INITIAL + 1, "one for each field");
    for (int32_t f = SL_EPS_Q_INITIAL; f <= SL_EPS_Q_RATIO; f++) {
        if (e->cache[f]) {
            e->cache[f][0] = value[f - SL_EPS_Q_INITIAL];
            e->fresh[f] = 1;
        }
    }
}

static void fill_node(const sl_eps *e, const sl_eps_state *s, int32_t field, double *restrict x) {
    const sl_network *net = e->m->net;
    clear(x, field == SL_EPS_EMITTER || field == SL_EPS_LEAK ? 0 : net->n_junction, net->n_node);
    switch (field) {
    case SL_EPS_PRESSURE: subtract(net->n_node, s->head, net->node_elevation, x); break;
    case SL_EPS_DEMAND:
        sl_eps_outflows(e, s, x);
        for (int32_t i = net->n_junction; i < net->n_node; i++) {
            for (int32_t a = e->m->at_start[i]; a < e->m->at_start[i + 1]; a++) {
                int32_t k = e->m->at_link[a];
                x[i] += net->link_to[k] == i ? s->flow[k] : -s->flow[k];
            }
        }
        break;
    case SL_EPS_CONSUMPTION:
        fixed_consumption(e, s, x);
        outlets_of(e, s, true, false, false, x);
        break;
    case SL_EPS_WANTED: memcpy(x, s->wanted, (size_t)net->n_junction * sizeof *x); break;
    case SL_EPS_EMITTER: outlets_of(e, s, false, true, false, x); break;
    case SL_EPS_LEAK: outlets_of(e, s, false, false, true, x); break;
    case SL_EPS_QUALITY:
    case SL_EPS_SOURCE: fill_quality(e, field, x); break;
    case SL_EPS_NODE_UNSERVED:
        for (int32_t i = 0; i < net->n_junction; i++) {
            x[i] = !s->cut_off[i] && s->unserved ? s->unserved[i] : sl_eps_unserved(s, i);
        }
        break;
    case SL_EPS_CUT_OFF: widen(net->n_junction, s->cut_off, x); break;
    default: break;
    }
}

static void fill_tank(const sl_eps *e, const sl_eps_state *s, int32_t field, double *x) {
    const sl_network *net = e->m->net;
    for (int32_t i = 0; i < net->n_tank; i++) {
        const sl_tank_law *law = &e->m->tank[i];
        double level = s->head[sl_first_tank(net) + i] - law->bottom, q = s->inflow[i];
        switch (field) {
        case SL_EPS_LEVEL: x[i] = level; break;
        case SL_EPS_VOLUME: x[i] = s->volume[i]; break;
        case SL_EPS_INFLOW: x[i] = q; break;
        case SL_EPS_OVERFLOW: x[i] = s->overflow[i]; break;
        default: {
            bool spills = law->overflows && s->volume[i] >= law->v_max && q > 0.0;
            x[i] = fabs(q) < 1e-9 ? 0.0 : spills ? 3.0 : q > 0.0 ? 1.0 : 2.0;
            break;
        }
        }
    }
}

SL_SIMD(void, differences,
        (int32_t n, const int32_t *restrict from, const int32_t *restrict to, const double *restrict head,
         double *restrict x),
        (n, from, to, head, x)) {
#pragma omp simd
    for (int32_t k = 0; k < n; k++) {
        x[k] = head[from[k]] - head[to[k]];
    }
}

static void fill_losses(const sl_eps *e, const sl_eps_state *s, double *x) {
    static const uint8_t shut[] = {SL_STATUS_XHEAD, SL_STATUS_TEMP_CLOSED, SL_STATUS_CLOSED};
    const sl_network *net = e->m->net;
    differences(net->n_link, net->link_from, net->link_to, s->head, x);
    for (size_t i = 0; i < sizeof shut; i++) {
        const uint8_t *link = s->status, *last = link + net->n_link;
        while ((link = memchr(link, shut[i], (size_t)(last - link)))) {
            x[link++ - s->status] = 0.0;
        }
    }
    const uint8_t *cut = s->cut_off, *end = cut + net->n_junction;
    while ((cut = memchr(cut, 1, (size_t)(end - cut)))) { /* heads there are the ground's: no loss */
        int32_t i = (int32_t)(cut++ - s->cut_off);
        for (int32_t a = e->m->at_start[i]; a < e->m->at_start[i + 1]; a++) {
            x[e->m->at_link[a]] = 0.0;
        }
    }
}

SL_SIMD(void, fill_velocities,
        (int32_t n, const double *restrict q, const double *restrict diameter, double *restrict x),
        (n, q, diameter, x)) {
#pragma omp simd
    for (int32_t k = 0; k < n; k++) {
        x[k] = fabs(q[k]) / (SL_PI * diameter[k] * diameter[k] / 4.0);
    }
}

/* The friction factors that give these losses at these flows; 0 at rest and where it would be no number at all. */
SL_SIMD(void, fill_friction,
        (int32_t n, const int32_t *restrict from, const int32_t *restrict to, const double *restrict head,
         const double *restrict q, const double *restrict minor, const double *restrict diameter,
         const double *restrict length, double *restrict x),
        (n, from, to, head, q, minor, diameter, length, x)) {
#pragma omp simd
    for (int32_t k = 0; k < n; k++) {
        double square = q[k] * q[k], h = fabs(head[from[k]] - head[to[k]]) - minor[k] * square;
        double area = SL_PI * diameter[k] * diameter[k] / 4.0;
        double f = h * (2.0 * SL_LOSS_GRAVITY * diameter[k] * area * area) / (length[k] * square);
        bool some = (fabs(q[k]) >= 1e-12) & (h > 0.0) & (f <= SL_EPS_LARGEST);
        x[k] = some ? f : 0.0;
    }
}

static void fill_link(const sl_eps *e, const sl_eps_state *s, int32_t field, double *restrict x) {
    const sl_network *net = e->m->net;
    switch (field) {
    case SL_EPS_VELOCITY:
        fill_velocities(net->n_pipe, s->flow, e->diameter, x);
        for (int32_t k = net->n_pipe; k < net->n_link; k++) {
            x[k] = e->m->link_area[k] > 0.0 ? fabs(s->flow[k]) / e->m->link_area[k] : 0.0;
        }
        break;
    case SL_EPS_HEADLOSS: fill_losses(e, s, x); break;
    case SL_EPS_LINK_QUALITY:
    case SL_EPS_REACTION: fill_quality(e, field, x); break;
    case SL_EPS_STATUS:
        widen(net->n_link, s->status, x);
        for (int32_t i = 0, k = net->n_pipe; i < net->n_pump; i++, k++) {
            bool beyond = s->status[k] == SL_STATUS_OPEN && s->flow[k] > s->setting[k] * e->m->pump[i].q_max;
            x[k] = beyond ? SL_STATUS_XFLOW : x[k];
        }
        break;
    case SL_EPS_OPEN:
        for (int32_t k = 0; k < net->n_link; k++) {
            x[k] = s->status[k] > SL_STATUS_CLOSED;
        }
        break;
    case SL_EPS_SETTING:
        memcpy(x, e->roughness, (size_t)net->n_pipe * sizeof *x);
        memcpy(x + net->n_pipe, s->setting + net->n_pipe, (size_t)(net->n_link - net->n_pipe) * sizeof *x);
        break;
    default:
        fill_friction(net->n_pipe, net->link_from, net->link_to, s->head, s->flow, e->minor, e->diameter, e->length, x);
        clear(x, net->n_pipe, net->n_link);
        break;
    }
}

static double pipe_value(const sl_eps *e, int32_t field, int32_t k) {
    switch (field) {
    case SL_EPS_ROUGHNESS: return e->roughness[k];
    case SL_EPS_MINOR: return e->minor[k] / sl_minor_loss(1.0, e->diameter[k]);
    case SL_EPS_DIAMETER: return e->diameter[k];
    default: return e->length[k];
    }
}

static double pump_value(const sl_eps *e, const sl_eps_state *s, int32_t field, int32_t i) {
    const sl_eps_energy *x = &s->energy[i];
    double efficiency, power;
    switch (field) {
    case SL_EPS_SPEED: return s->setting[e->m->net->n_pipe + i];
    case SL_EPS_POWER:
    case SL_EPS_EFFICIENCY:
        power = sl_eps_pump_power(e, s, i, &efficiency);
        return field == SL_EPS_POWER ? power : efficiency;
    case SL_EPS_E_ONLINE: return x->online;
    case SL_EPS_E_EFFICIENCY: return x->efficiency;
    case SL_EPS_E_INTENSITY: return x->intensity;
    case SL_EPS_E_KWH: return x->kwh;
    case SL_EPS_E_PEAK: return x->peak;
    default: return x->cost;
    }
}

static double storage_of(const sl_eps *e, const sl_eps_state *s) {
    double v = -s->x->balance.start_volume;
    for (int32_t i = 0; i < e->m->net->n_tank; i++) {
        v += s->volume[i];
    }
    return v;
}

/* Of the volumes so far; at the first instant there are none, and the flows count. */
static double unserved_share(const sl_eps *e, const sl_eps_state *s) {
    const sl_eps_balance *b = &s->x->balance;
    double all = b->consumption + b->deficit + b->unserved, unserved = b->unserved;
    if (!(all > 0.0)) {
        all = 0.0;
        unserved = s->x->unserved;
        for (int32_t i = 0; i < e->m->net->n_junction; i++) {
            all += fmax(s->wanted[i], 0.0);
        }
    }
    return all > 0.0 ? unserved / all : 0.0;
}

static double model_value(const sl_eps *e, const sl_eps_state *s, int32_t field) {
    const sl_eps_scalars *x = s->x;
    const sl_eps_balance *b = &x->balance;
    switch (field) {
    case SL_EPS_B_INFLOW: return b->inflow;
    case SL_EPS_B_OUTFLOW: return b->outflow;
    case SL_EPS_B_CONSUMPTION: return b->consumption;
    case SL_EPS_B_EMITTER: return b->emitter;
    case SL_EPS_B_LEAK: return b->leak;
    case SL_EPS_B_DEFICIT: return b->deficit;
    case SL_EPS_B_UNSERVED: return b->unserved;
    case SL_EPS_B_STORAGE: return storage_of(e, s);
    case SL_EPS_B_OVERFLOW: return b->overflow;
    case SL_EPS_B_ROUNDED: return b->rounded;
    case SL_EPS_B_RATIO: {
        double stored = storage_of(e, s);
        stored = fabs(stored) > 1e-12 * b->start_volume ? stored : 0.0; /* what rounding leaves is no water */
        double in = b->inflow + fmax(-stored, 0.0), out = b->outflow + fmax(stored, 0.0);
        return in > 0.0 ? out / in : 1.0;
    }
    case SL_EPS_M_PEAK: return x->peak_kw;
    case SL_EPS_M_DEMAND_COST: return x->peak_kw * e->m->net->energy.demand_charge;
    case SL_EPS_S_TRIALS: return x->facts.trials;
    case SL_EPS_S_STEPS: return (double)x->n_step;
    case SL_EPS_S_TOTAL: return (double)x->n_trial;
    case SL_EPS_S_CHANGE: return x->facts.flow_change;
    case SL_EPS_S_HEAD: return x->facts.head_error;
    case SL_EPS_S_MASS: return x->facts.mass_error;
    case SL_EPS_S_BALANCED: return x->facts.balanced;
    case SL_EPS_S_UNBALANCED: return (double)x->n_unbalanced;
    case SL_EPS_UNSERVED_SHARE: return unserved_share(e, s);
    default: return x->unserved;
    }
}

/* Arrays are made when first asked for and filled when the state they show has moved. NULL: out of memory. */
const double *sl_eps_data(const sl_eps *e, int32_t field) {
    bool input = (sl_eps_fields[field].flags & (SL_FIELD_INPUT | SL_FIELD_PARAMETER)) != 0;
    const sl_eps_state *s = input && e->dirty ? &e->now : e->shown; /* what was set shows at once */
    if (field == SL_EPS_HEAD || field == SL_EPS_FLOW) {             /* as they are */
        return field == SL_EPS_HEAD ? s->head : s->flow;
    }
    int32_t n = sl_eps_count(e, field);
    if (!e->cache[field]) {
        e->cache[field] = sl_alloc(e->ctx, (size_t)(n > 0 ? n : 1) * sizeof(double));
        e->fresh[field] = 0;
    }
    double *x = e->cache[field];
    if (!x || e->fresh[field]) {
        return x;
    }
    switch (sl_eps_fields[field].of) {
    case SL_CLASS_NODE: fill_node(e, s, field, x); break;
    case SL_CLASS_RESERVOIR:
        for (int32_t i = 0; i < n; i++) {
            x[i] = s->head[e->m->net->n_junction + i];
        }
        break;
    case SL_CLASS_TANK: fill_tank(e, s, field, x); break;
    case SL_CLASS_LINK: fill_link(e, s, field, x); break;
    case SL_CLASS_PIPE:
        for (int32_t i = 0; i < n; i++) {
            x[i] = pipe_value(e, field, i);
        }
        break;
    case SL_CLASS_PUMP:
        for (int32_t i = 0; i < n; i++) {
            x[i] = pump_value(e, s, field, i);
        }
        break;
    default:
        if (field >= SL_EPS_Q_INITIAL && field <= SL_EPS_Q_RATIO) {
            fill_ledger(e);
        } else {
            x[0] = model_value(e, s, field);
        }
        break;
    }
    e->fresh[field] = 1;
    return x;
}
