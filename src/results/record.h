/* SPDX-License-Identifier: MIT */
/* record.h: a recorder from inside: how the fields of an engine become the groups and quantities of a result.
 *
 * Without more knowledge a class of the engine is a group and a field a quantity, in SI. A style knows more: the units of a network,
 * facts about its elements, what is known at the end. Styles are rows of a table; the first that fits the session is taken.
 *
 * recorder.c        the session's sink: frames, events, writers
 * record_groups.c   groups and quantities of an engine's fields
 * record_network.c  networks: units, conventions and facts of EPANET's results, energies of pumps
 * memory.c          what is recorded, kept
 * record_surge.c    pressure waves: envelopes, routes, limits
 */
#ifndef SL_RESULTS_RECORD_H
#define SL_RESULTS_RECORD_H

#include "base/handle.h"
#include "base/memory.h"
#include "results/format.h"
#include "session/session.h"

typedef struct sl_record_quantity sl_record_quantity;
typedef struct sl_record_group sl_record_group;
typedef struct sl_record_style sl_record_style;

/* From the engine's arrays x[0] (of fields[0]) and x[1] to one value per element of the group. */
typedef void sl_record_show(const sl_recorder *r, const sl_record_group *g, const sl_record_quantity *q,
                            const double *const x[2], double *to);

/* EPANET's: flows without sign; a link is open or closed, and open where it is so half of the time. */
typedef enum sl_record_sum { SL_RECORD_AS_IS = 0, SL_RECORD_SIZE, SL_RECORD_OPEN } sl_record_sum;

struct sl_record_quantity {
    sl_results_column column;
    int32_t fields[2];    /* of the engine: the one shown, and one that is needed for it; -1: none */
    int32_t slots[2];     /* among the sink's fields */
    double by;            /* shown = SI times this */
    sl_record_show *show; /* NULL: multiplied */
    int32_t number;       /* for show */
    sl_record_sum sum;    /* how it enters a statistic over time */
    bool usual;           /* recorded unless others are asked for */
    double *values;       /* of the frame at hand; NULL: not chosen */
};

struct sl_record_group {
    sl_results_group shown; /* quantities are filled in at the end */
    int32_t of;             /* class of the engine; -1: none */
    const int32_t *order;   /* the engine's element of each; NULL: the same */
    SL_ARRAY(sl_record_quantity) quantities;
};

/* Points along a route of pressure waves. */
typedef struct sl_record_route {
    const char *name;
    int32_t n;
    const double *distance, *elevation; /* [m] */
    const int64_t *point;               /* of the grid */
    const char *const *pipe;            /* ids */
} sl_record_route;

/* A value that changed at an instant. */
typedef struct sl_record_change {
    int32_t quantity, element; /* of the layout, of its group */
    double from;
} sl_record_change;

struct sl_recorder {
    sl_handle_mark handle; /* first */
    sl_context *ctx;
    sl_arena arena;
    sl_recorder_def def;
    const char *name;
    sl_session *session; /* of the execution at hand */
    const sl_engine_ops *ops;
    const void *engine;
    const sl_network *net; /* NULL: none */
    const sl_record_style *style;
    void *known;                   /* by the style */
    const sl_record_route *routes; /* that are recorded over time */
    int32_t n_route;

    SL_ARRAY(sl_record_group) groups;
    SL_ARRAY(sl_results_attribute) attributes;
    sl_results_layout layout;        /* of everything that could be recorded */
    sl_results_choice choice;        /* of what is */
    const double **whole;            /* values by quantity of the layout */
    sl_record_quantity **quantities; /* by quantity of the layout */
    sl_record_group **group_of;
    int32_t *fields; /* of the sink */
    int32_t n_field;
    const double **data; /* [n_field] their values at the end */

    SL_ARRAY(sl_results_writer *) writers;
    int32_t execution;  /* at hand, where there are several */
    double begin, last; /* of the execution at hand; as it was planned */
    double frame_time;  /* of the last frame; NaN: none */
    double step_time;   /* of the last step; NaN: none */
    bool by_report;     /* frames come at report times */
    bool ended;         /* the execution at hand */
    bool closed;        /* all of it: files are complete */
    double instant;     /* of the last events */
    bool is_change;     /* one of them says more than that the run begins or ends */
    SL_ARRAY(sl_record_change) changes;

    /* Statistics over report times: 1 average, 2 minimum, 3 maximum, 4 range; 0: every frame is given on. */
    int statistic;
    int64_t n_taken;
    double first_time;    /* of those that were taken */
    double **low, **high; /* by quantity of the layout; NULL: not chosen */

    SL_ARRAY(sl_results_attribute) end_attributes;
    SL_ARRAY(sl_results_table) tables;
};

struct sl_record_style {
    sl_status (*fits)(const sl_recorder *r, bool *fits); /* may run out of memory, which does not mean no */
    /* Changes the groups of the engine's fields, adds facts, groups and attributes. */
    sl_status (*arrange)(sl_recorder *r);
    /* Adds attributes and tables of the end; the session is there. NULL: none. */
    sl_status (*end)(sl_recorder *r, bool complete);
    bool at_report_times; /* no frame at the end of a run that is no report time */
};

extern const sl_record_style sl_record_network, sl_record_surge;

/* record_network.c: title, units, and of the groups "node" and "link" EPANET's order and facts: what all models of a network have. */
sl_status sl_record_network_facts(sl_recorder *r);
/* record_surge.c: adds the extremes of the points of a route, or of all (NULL), as a table of this name. The session has been
 * advanced. */
sl_status sl_record_envelope(sl_recorder *r, const char *name, const sl_record_route *route);

/* record_groups.c */
sl_status sl_record_groups_make(sl_recorder *r);
sl_record_group *sl_record_find_group(sl_recorder *r, const char *name);
/* The quantity of a group, or NULL. */
sl_record_quantity *sl_record_find_quantity(const sl_record_group *g, const char *name);
/* A new group at the end; NULL: out of memory. Pointers to other groups are not valid any longer. */
sl_record_group *sl_record_add_group(sl_recorder *r, const sl_results_group *shown, const int32_t *order);

/* Adds a table of the end, whose columns are copied. */
sl_status sl_record_add_table(sl_recorder *r, const sl_results_table *table);

/* What a caller inside may ask for beyond the public definition. */
typedef struct sl_recorder_more {
    bool several;      /* executions follow each other; the session is none of them */
    const char *title; /* instead of the model's; NULL: none. Is there until the recorder goes, as is the rest */
    const sl_record_route *routes;
    const sl_results_attribute *attributes;
    int32_t n_route, n_attribute;
} sl_recorder_more;

sl_status sl_recorder_create_more(sl_context *ctx, sl_session *s, const sl_recorder_def *def,
                                  const sl_recorder_more *more, sl_diags *diags, sl_recorder **out);
/* Several executions with one recorder: the next session, before its first step; and its end. */
sl_status sl_recorder_follow(sl_recorder *r, sl_session *s);
sl_status sl_recorder_leave(sl_recorder *r, bool complete, sl_diags *diags);
/* sl_recorder_end, with the status of each file in the order in which they were added; each may be NULL. */
sl_status sl_recorder_end_each(sl_recorder *r, bool complete, sl_diags *diags, sl_status *each);

/* memory.c: keeps what is recorded, to be read after sl_recorder_end and as long as the recorder lives. The caller closes it. */
sl_status sl_recorder_keep(sl_recorder *r, sl_results **out);

#endif
