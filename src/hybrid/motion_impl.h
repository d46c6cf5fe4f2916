/* SPDX-License-Identifier: MIT */
/* motion_impl.h: what motion consists of: compiled equations (units), parts that move by them, and who belongs to which part. */
#ifndef SL_HYBRID_MOTION_IMPL_H
#define SL_HYBRID_MOTION_IMPL_H

#include "hybrid/impl.h"
#include "hybrid/motion.h"

/* Compiled equations with an integrator: of a mode, or of a part. Kept when nothing moves by it any more. */
typedef struct sl_hybrid_unit {
    int32_t id;            /* of a mode; -1: of a part */
    int32_t n_row, n_root; /* of a part */
    int32_t *rows;         /* [n_row + n_root] its equations and its roots, ascending each */
    uint64_t hash;         /* of these */
    sl_hybrid_mode mode;
    sl_dae *dae;
    uint8_t *active; /* [n_root] as the integrator looks at them */
    uint8_t *above;  /* [n_root] */
    uint8_t *side;   /* [n_root] room */
    double *x, *dx;  /* [n] room */
    double *seconds; /* [n_root] room */
    size_t n_room, size;
    int32_t n_user;                       /* parts */
    struct sl_hybrid_unit *same;          /* the next one in its bucket */
    struct sl_hybrid_unit *newer, *older; /* among those without a user */
} sl_hybrid_unit;

enum {
    PART_IN_FORCE = 1,
    PART_SHOWN = 2,    /* it made the last step, or stood in it */
    PART_RUNNING = 4,  /* its integrator is under way: x and dx are there */
    PART_MOVED = 8,    /* ... but the values have changed since: x and dx are the execution's */
    PART_FRESH = 16,   /* the values are not known to satisfy its equations */
    PART_ASKED = 32,   /* its roots are to be applied */
    PART_PENDING = 64, /* in the list of those that are to begin */
    PART_FIRED = 128,  /* a root ended its last step, now or later */
    PART_HERE = 2048,  /* ... now */
    PART_AT_LIMIT = 256,
    PART_JOINED = 512, /* active roots join what equations leave apart */
    PART_DISSOLVED = 1024,
    PART_LOOKED = 4096 /* its cuts are asked for while consistent values are found */
};

typedef struct sl_component {
    sl_hybrid_unit *unit;
    double t;              /* end of its last step [s] */
    uint32_t flags;        /* 0: free */
    int32_t n_step;        /* since it began */
    int64_t synced;        /* the step of the execution whose values have been written out */
    SL_ARRAY(uint8_t) log; /* what replaying its steps needs: number of steps, flags of active roots */
    int64_t noted,
        n_before; /* the step of the execution after which the last of these were written; how many bytes before */
} sl_component;

typedef SL_ARRAY(int32_t) sl_component_list;

/* A part under way, in the heap. */
typedef struct sl_component_end {
    double t;
    int32_t part;
} sl_component_end;

typedef struct sl_component_key {
    int32_t key, part;
} sl_component_key;

struct sl_motion {
    const sl_hybrid_incidence *all; /* NULL: the model moves as one */
    bool is_entered;                /* parts are those of q but for changes that the model tells */
    int64_t clock;                  /* steps of the execution */

    sl_hybrid_unit **buckets;
    int32_t n_bucket, n_unit;
    sl_hybrid_unit *newest, *oldest; /* without a user */
    size_t idle, bytes;              /* of these; of all */
    sl_dae_home *home;
    sl_dae_stats gone; /* work of units that were released */

    SL_ARRAY(sl_component) parts;
    SL_ARRAY(sl_component_key) order; /* room for saving */
    SL_ARRAY(sl_component_end) heap, due;
    sl_component_list places; /* of parts in the heap; -1: not there */
    sl_component_list free, pending, asked, retired, fired, looked;
    sl_component_list
        orphans; /* equations and roots in force whose part could not be made: n_equation plus the latter */
    SL_ARRAY(const sl_hybrid_mode *) modes; /* room for calls of the model */
    int32_t n_in_force, empty; /* the part without equations, of a model that moves as one its part; or -1 */
    int32_t mode, superset;    /* the mode of that part; by which number all of them were compiled, or -1 */

    /* of a model that moves by parts */
    int32_t *part_of, *equation_part, *root_part, *root_place; /* -1: none */
    uint8_t *equation_on, *root_on, *above;
    int8_t *fired_roots;
    int32_t *x_root_start, *x_roots; /* roots that hold a variable */
    int32_t *q_root_start, *q_roots; /* ... that decide one */
    /* scratch of components.c */
    int32_t *x_stamp, *moving_stamp, *equation_stamp, *root_stamp, *parent, *group_of, stamp;
    sl_component_list xs, es, rs, ps, toggled, groups, members, joined;
    char *block;
    size_t n_block;
};

static inline sl_component *sl_component_at(const sl_hybrid *h, int32_t p) {
    return &h->motion->parts.at[p];
}

/* The discrete variable that root k of a unit decides; -1: none. */
static inline int32_t sl_unit_decides(const sl_hybrid *h, const sl_hybrid_unit *u, int32_t k) {
    return u->id < 0 ? h->motion->all->decides[u->rows[u->n_row + k]] : u->mode.root_variables[k];
}

/* ---- units.c ------------------------------------------------------------------------------------ */

/* Has one more user. */
sl_status sl_unit_find_mode(sl_hybrid *h, int32_t id, sl_diags *diags, sl_hybrid_unit **out);
sl_status sl_unit_find_component(sl_hybrid *h, int32_t n_row, const int32_t *rows, int32_t n_root, const int32_t *roots,
                                 sl_diags *diags, sl_hybrid_unit **out);
void sl_unit_drop(sl_hybrid *h, sl_hybrid_unit *u);
void sl_units_close(sl_hybrid *h);

/* ---- component_life.c -------------------------------------------------------------------------- */

bool sl_components_create(sl_hybrid *h);
void sl_components_destroy(sl_hybrid *h);
/* A part that moves by a unit, whose user it is, not under way; or -1. */
int32_t sl_component_add(sl_hybrid *h, sl_hybrid_unit *u);
/* It is in force no more; freed when the last step need not be shown any more. */
void sl_component_retire(sl_hybrid *h, int32_t p);
void sl_component_free(sl_hybrid *h, int32_t p);
void sl_component_ask(sl_hybrid *h, int32_t p);
/* The execution's x and dx are its values from here on: it begins anew. */
sl_status sl_component_stop(sl_hybrid *h, int32_t p);
/* ... and they are not known to be consistent. */
sl_status sl_component_renew(sl_hybrid *h, int32_t p);
void sl_components_clear(sl_hybrid *h);

/* ---- components.c ------------------------------------------------------------------------------- */

/* Brings the partition in line with what is in force at q. */
sl_status sl_components_follow(sl_hybrid *h, sl_diags *diags);

/* ---- motion.c ----------------------------------------------------------------------------------- */

/* Writes the values of a part under way at the present time to x and dx of the execution. */
sl_status sl_component_sync(sl_hybrid *h, int32_t p);
/* Values between the execution and a unit's unknowns. */
void sl_unit_gather(const sl_hybrid *h, sl_hybrid_unit *u);
/* Tells a model that moves as one what stands still. */
void sl_motion_hold(sl_hybrid *h, const sl_hybrid_unit *u);
/* Which roots of a unit are in force at q: [n_root]. */
void sl_motion_find_active(sl_hybrid *h, const sl_hybrid_unit *u, uint8_t *active);
/* Once the integrator knows on which sides undecided roots are. */
void sl_unit_drop_hints(sl_hybrid_unit *u);
void sl_unit_scatter(const sl_hybrid_unit *u, const double *x, const double *dx, int32_t n_to, double *to_x,
                     double *to_dx);

/* Values of a part at a time of the last step of the execution. */
sl_status sl_component_values(const sl_component *p, double t, int32_t n_to, double *to_x, double *to_dx);
/* Bytes of one entry of its log; notes one; bytes of those before the present instant. */
size_t sl_log_entry(const sl_component *at);
sl_status sl_component_note(sl_hybrid *h, sl_component *at);
int64_t sl_component_n_log(const sl_hybrid *h, const sl_component *at);
/* Of a part whose last step is known: what of it ended the last step of the execution. */
void sl_component_notice_fired(sl_hybrid *h, int32_t p);

/* ---- heap.c: parts under way by the end of their last steps, the earliest first ------------------ */

void sl_heap_set(sl_hybrid *h, int32_t p); /* puts it in, or moves it */
void sl_heap_remove(sl_hybrid *h, int32_t p);
/* Parts whose last steps end by t, the earliest first, into m->due. */
void sl_heap_find_due(sl_hybrid *h, double t);

#endif
