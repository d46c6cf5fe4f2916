/* SPDX-License-Identifier: MIT */
/* sets.c: values set from outside.
 *
 * A status or setting is changed once, as a control would; a demand, a reservoir's head, the speed of a pump with a
 * speed pattern or a pipe's property that was set is held, and is kept in a list that is part of the state. A release takes it from
 * that list.
 */
#include "eps/fields.h"
#include "eps/impl.h"

#include "base/report.h"

#include <math.h>
#include <string.h>

static sl_status refuse(sl_diags *diags, const sl_eps *e, int32_t field, int32_t index, const char *why) {
    const sl_field *f = &sl_eps_fields[field];
    sl_report(diags, SL_ERROR, SL_CODE_VARIABLE, NULL, sl_field_class(&sl_eps_ops, field),
              sl_eps_element(e, field, index), NULL, "%s of %s '%s' cannot be set: %s", f->name,
              sl_field_class(&sl_eps_ops, field), sl_eps_element(e, field, index), why);
    return SL_ERR_INPUT;
}

sl_status sl_eps_check(const void *engine, int32_t field, int32_t index, double value, sl_diags *diags) {
    const sl_eps *e = engine;
    const sl_network *net = e->m->net;
    if (field < 0 || field >= SL_EPS_FIELD_COUNT || index < 0 || index >= sl_eps_count(e, field)) {
        return SL_ERR_USE;
    }
    const sl_field *f = &sl_eps_fields[field];
    if (!(f->flags & (SL_FIELD_INPUT | SL_FIELD_PARAMETER))) {
        return refuse(diags, e, field, index, "it is a result");
    }
    if (!isfinite(value)) {
        return refuse(diags, e, field, index, "the value is not a finite number");
    }
    sl_field own = *f;
    sl_eps_describe(e, field, index, &own);
    if (value < own.min || value > own.max) {
        return refuse(diags, e, field, index, "the value is out of bounds");
    }
    if ((f->flags & SL_FIELD_PARAMETER) && e->started) {
        return refuse(diags, e, field, index, "it is fixed once the run has started");
    }
    bool checked = index < net->n_pipe && net->pipe_check[index];
    switch (field) {
    case SL_EPS_WANTED:
        if (index >= net->n_junction) {
            return refuse(diags, e, field, index, "only junctions have consumers");
        }
        break;
    case SL_EPS_SOURCE:
        if (!e->quality || !sl_quality_has_source(e->quality, index)) {
            return refuse(diags, e, field, index, "it has no source");
        }
        break;
    case SL_EPS_LEVEL: {
        const sl_tank_law *law = &e->m->tank[index];
        double h = law->bottom + value;
        if (h < law->h_min - 1e-9 || h > law->h_max + 1e-9) {
            return refuse(diags, e, field, index, "the level is beyond the tank's limits");
        }
        break;
    }
    case SL_EPS_OPEN:
        if (value != 0.0 && value != 1.0) {
            return refuse(diags, e, field, index, "it is 0 or 1");
        }
        if (sl_is_valve(net, index) || !checked) {
            break;
        }
        return refuse(diags, e, field, index, "a check valve opens and closes by itself");
    case SL_EPS_SETTING:
        if (checked) {
            return refuse(diags, e, field, index, "a check valve has no setting");
        }
        if (sl_valve_kind_of(net, index) == SL_GPV) {
            return refuse(diags, e, field, index, "a general purpose valve follows its curve");
        }
        if (index >= net->n_pipe && value < 0.0 && sl_valve_kind_of(net, index) > SL_PBV) {
            return refuse(diags, e, field, index, "it cannot be negative");
        }
        break;
    default: break;
    }
    return SL_OK;
}

/* A link's setting stands for a pipe's roughness and for a pump's speed. */
static void resolve_setting(const sl_network *net, int32_t *field, int32_t *index) {
    if (*field == SL_EPS_SETTING && *index < net->n_pipe) {
        *field = SL_EPS_ROUGHNESS;
    } else if (*field == SL_EPS_SETTING && sl_is_pump(net, *index)) {
        *field = SL_EPS_SPEED;
        *index -= net->n_pipe;
    }
}

static sl_status remember(sl_eps *e, int32_t field, int32_t index, double value) {
    for (int64_t i = 0; i < e->overrides.n; i++) {
        sl_eps_override *o = &e->overrides.at[i];
        if (o->field == field && o->index == index) {
            o->value = value;
            return SL_OK;
        }
    }
    sl_eps_override o = {.field = field, .index = index, .value = value};
    return SL_PUSH(e->ctx, &e->overrides, o) ? SL_OK : SL_ERR_MEMORY;
}

/* One pipe's law from the network and what was set. */
static void pipe_law(sl_eps *e, int32_t k) {
    const sl_network *net = e->m->net;
    double length = net->pipe_length[k], diameter = net->pipe_diameter[k], roughness = net->pipe_roughness[k];
    double minor = net->pipe_minor[k];
    for (int64_t i = 0; i < e->overrides.n; i++) {
        const sl_eps_override *o = &e->overrides.at[i];
        if (o->index == k) {
            length = o->field == SL_EPS_LENGTH ? o->value : length;
            diameter = o->field == SL_EPS_DIAMETER ? o->value : diameter;
            roughness = o->field == SL_EPS_ROUGHNESS ? o->value : roughness;
            minor = o->field == SL_EPS_MINOR ? o->value : minor;
        }
    }
    e->own_resistance[k] = sl_pipe_resistance(net->hydraulics.headloss, length, diameter, roughness);
    e->own_minor[k] = sl_minor_loss(minor, diameter);
    e->own_roughness[k] = roughness;
    e->own_diameter[k] = diameter;
    e->own_length[k] = length;
    if (e->own_dw) {
        e->own_dw[k] = sl_dw_pipe_of(diameter, roughness, net->hydraulics.viscosity);
    }
}

static bool is_pipe_field(int32_t field) {
    return field == SL_EPS_ROUGHNESS || field == SL_EPS_MINOR || field == SL_EPS_DIAMETER || field == SL_EPS_LENGTH;
}

static sl_status own_pipes(sl_eps *e) {
    const sl_network *net = e->m->net;
    size_t n = (size_t)net->n_pipe;
    if (e->own_resistance) {
        return SL_OK;
    }
    double *block = sl_arena_alloc(&e->arena, 5 * n * sizeof *block);
    sl_dw_pipe *dw = e->m->pipe_dw ? sl_arena_alloc(&e->arena, n * sizeof *dw) : NULL;
    if (!block || (e->m->pipe_dw && !dw)) {
        return SL_ERR_MEMORY;
    }
    e->own_resistance = block;
    e->own_minor = block + n;
    e->own_roughness = block + 2 * n;
    e->own_diameter = block + 3 * n;
    e->own_length = block + 4 * n;
    e->own_dw = dw;
    memcpy(e->own_resistance, e->m->pipe_resistance, n * sizeof *block);
    memcpy(e->own_minor, e->m->pipe_minor, n * sizeof *block);
    memcpy(e->own_roughness, net->pipe_roughness, n * sizeof *block);
    memcpy(e->own_diameter, net->pipe_diameter, n * sizeof *block);
    memcpy(e->own_length, net->pipe_length, n * sizeof *block);
    if (e->m->pipe_dw && dw) {
        memcpy(dw, e->m->pipe_dw, n * sizeof *dw);
        e->dw = dw;
    }
    e->resistance = e->own_resistance;
    e->minor = e->own_minor;
    e->roughness = e->own_roughness;
    e->diameter = e->own_diameter;
    e->length = e->own_length;
    return SL_OK;
}

sl_status sl_eps_own_pipes(sl_eps *e, const void *list, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        sl_eps_override o;
        memcpy(&o, (const unsigned char *)list + (size_t)i * sizeof o, sizeof o);
        if (is_pipe_field(o.field)) {
            return own_pipes(e);
        }
    }
    return SL_OK;
}

void sl_eps_load_parameters(sl_eps *e) {
    for (int32_t k = 0; e->own_resistance && k < e->m->net->n_pipe; k++) {
        pipe_law(e, k);
    }
}

/* A pipe or valve that nothing in the model switches is part of a tree or chain: the core is made anew around it. */
static sl_status free_link(sl_eps *e, int32_t k) {
    if (e->core->branch_of[k] >= 0) {
        return SL_OK;
    }
    sl_status status = remember(e, SL_EPS_OPEN, k, 1.0);
    if (status == SL_OK) {
        status = sl_eps_select_core(e, e->overrides.at, e->overrides.n);
        e->overrides.n -= status != SL_OK;
    }
    return status;
}

sl_status sl_eps_set(void *engine, int32_t field, int32_t index, double value, sl_diags *diags) {
    sl_eps *e = engine;
    const sl_network *net = e->m->net;
    sl_eps_state *s = &e->now;
    sl_status status = sl_eps_check(e, field, index, value, diags);
    if (status != SL_OK) {
        return status;
    }
    resolve_setting(net, &field, &index);
    switch (field) {
    case SL_EPS_OPEN:
        status = free_link(e, index);
        if (status == SL_OK) {
            sl_eps_apply(e, s, index, value != 0.0 ? SL_OPEN : SL_CLOSED, (double)NAN);
        }
        break;
    case SL_EPS_SETTING: /* of a valve */
        status = free_link(e, index);
        if (status == SL_OK) {
            sl_eps_apply(e, s, index, SL_ACTIVE, value);
        }
        break;
    case SL_EPS_SOURCE: sl_quality_set_source(e->quality, index, value); break;
    case SL_EPS_SPEED:
        sl_eps_apply(e, s, net->n_pipe + index, value > 0.0 ? SL_OPEN : SL_CLOSED, value);
        status = net->pump_pattern[index] >= 0 ? remember(e, field, index, value) : SL_OK;
        break;
    case SL_EPS_LEVEL: {
        int32_t node = sl_first_tank(net) + index;
        s->head[node] = e->m->tank[index].bottom + value;
        double v = sl_tank_volume(&e->m->tank[index], s->head[node]);
        if (!e->started) {
            s->x->balance.start_volume += v - s->volume[index];
        } else if (v > s->volume[index]) { /* water put in or taken out by hand is in- or outflow */
            s->x->balance.inflow += v - s->volume[index];
        } else {
            s->x->balance.outflow += s->volume[index] - v;
        }
        s->volume[index] = v;
        sl_eps_put_tank(e, s, index);
        break;
    }
    default:
        status = is_pipe_field(field) ? own_pipes(e) : SL_OK;
        if (status == SL_OK) {
            status = remember(e, field, index, value);
        }
        if (status == SL_OK && is_pipe_field(field)) {
            pipe_law(e, index);
            e->rows_stale = true;
        } else if (status == SL_OK) {
            sl_eps_overrides(e, s);
        }
        break;
    }
    e->dirty = true;
    return status;
}

/* ---- Releases ----------------------------------------------------------------------------------- */

static int64_t find_override(const sl_eps *e, int32_t field, int32_t index) {
    for (int64_t i = 0; i < e->overrides.n; i++) {
        if (e->overrides.at[i].field == field && e->overrides.at[i].index == index) {
            return i;
        }
    }
    return -1;
}

bool sl_eps_is_held(const sl_eps *e, int32_t field, int32_t index) {
    resolve_setting(e->m->net, &field, &index);
    if (field == SL_EPS_SOURCE) {
        return e->quality && sl_quality_has_source(e->quality, index) && sl_quality_source_is_set(e->quality, index);
    }
    bool fixed = (sl_eps_fields[field].flags & SL_FIELD_PARAMETER) && e->started;
    return field != SL_EPS_OPEN && !fixed &&
           find_override(e, field, index) >= 0; /* of OPEN: that the core has the link */
}

void sl_eps_release(sl_eps *e, int32_t field, int32_t index) {
    resolve_setting(e->m->net, &field, &index);
    if (field == SL_EPS_SOURCE) {
        sl_quality_release_source(e->quality, index);
    } else {
        int64_t at = find_override(e, field, index);
        memmove(e->overrides.at + at, e->overrides.at + at + 1,
                (size_t)(e->overrides.n - at - 1) * sizeof *e->overrides.at);
        e->overrides.n--;
        if (is_pipe_field(field)) {
            pipe_law(e, index);
            e->rows_stale = true;
        } else {
            sl_eps_patterns(e, &e->now);
        }
    }
    e->dirty = true;
}

void sl_eps_overrides(sl_eps *e, sl_eps_state *s) {
    const sl_network *net = e->m->net;
    for (int64_t i = 0; i < e->overrides.n; i++) {
        const sl_eps_override *o = &e->overrides.at[i];
        switch (o->field) {
        case SL_EPS_WANTED: s->wanted[o->index] = o->value; break;
        case SL_EPS_RESERVOIR_HEAD: s->head[net->n_junction + o->index] = o->value; break;
        case SL_EPS_SPEED:
            sl_eps_apply(e, s, net->n_pipe + o->index, o->value > 0.0 ? SL_OPEN : SL_CLOSED, o->value);
            break;
        default: break;
        }
    }
}
