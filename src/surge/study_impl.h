/* SPDX-License-Identifier: MIT */
/* study_impl.h: what the files that read a study share. */
#ifndef SL_SURGE_STUDY_IMPL_H
#define SL_SURGE_STUDY_IMPL_H

#include "surge/study.h"

/* Zeroed; NULL and s->no_memory set when there is none, or for 0 bytes. */
void *sl_study_alloc(sl_study *s, size_t n, size_t size);

/* A node or link by id, of one kind (a bit per kind). -1: reported, or no network is known. */
enum {
    SL_STUDY_JUNCTION = 1 << SL_JUNCTION,
    SL_STUDY_RESERVOIR = 1 << SL_RESERVOIR,
    SL_STUDY_TANK = 1 << SL_TANK,
    SL_STUDY_ANY_NODE = 7,
    SL_STUDY_PIPE = 1 << SL_PIPE,
    SL_STUDY_PUMP = 1 << SL_PUMP,
    SL_STUDY_VALVE = 1 << SL_VALVE,
    SL_STUDY_ANY_LINK = 7
};
int32_t sl_study_node(sl_study *s, const sl_yaml_node *id, unsigned kinds);
int32_t sl_study_link(sl_study *s, const sl_yaml_node *id, unsigned kinds);
/* Ids in a list, or one alone. */
int32_t sl_study_nodes(sl_study *s, const sl_yaml_node *ids, const int32_t **out);
int32_t sl_study_links(sl_study *s, const sl_yaml_node *ids, unsigned kinds, const int32_t **out);

/* What a number measures: its SI unit, and for flows, heads and pressures that a bare number has two readings in a study of a
network in other units: that of SI and that of the network. It is an error there (study_measures.c). */
typedef struct sl_study_measure {
    const char *unit; /* NULL: a plain number */
    enum { SL_STUDY_NUMBER, SL_STUDY_FLOW, SL_STUDY_HEAD, SL_STUDY_PRESSURE } kind;
} sl_study_measure;
extern const sl_study_measure sl_study_plain, sl_study_length, sl_study_flow, sl_study_head, sl_study_pressure;

/* A value of a measure in SI: a flow [m3/s]; a head [m]; a pressure [m], in metres of water or in a unit of pressure ("10 bar"). */
bool sl_study_as_measure(sl_study *s, const sl_yaml_node *node, unsigned flags, const sl_study_measure *of,
                         double *out);
/* The same by its key. */
bool sl_study_take(sl_study *s, sl_yaml_map *m, const char *key, unsigned flags, const sl_study_measure *of,
                   double *out);
/* The list of a key; NULL when there is none or it is empty. */
const sl_yaml_node *sl_study_list(sl_yaml_map *m, const char *key);
/* The rows of a list, each a map, by read, which makes *to of a row and ends it; false: it does not count. The array of those that
 * count, whose elements have this size, is returned and *n their number. list may be NULL. */
void *sl_study_rows(sl_study *s, const sl_yaml_node *list, size_t size,
                    bool (*read)(sl_study *s, sl_yaml_map *m, void *to), int32_t *n);
/* Pairs [[a, b], ...], the first number a time or in a unit, rising; the second a measure. The number of good pairs. */
int32_t sl_study_pairs(sl_study *s, const sl_yaml_node *list, bool times, const char *unit, const sl_study_measure *of,
                       const double **a, const double **b);

/* The parts of a file. */
void sl_study_read_models(sl_study *s, sl_yaml_map *m);
void sl_study_read_pipes(sl_study *s, sl_yaml_map *m);
void sl_study_read_devices(sl_study *s, sl_yaml_map *m);
void sl_study_read_events(sl_study *s, sl_yaml_map *m);
void sl_study_read_outputs(sl_study *s, sl_yaml_map *m);

#endif
