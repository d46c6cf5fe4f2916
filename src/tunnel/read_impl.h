/* SPDX-License-Identifier: MIT */
/* read_impl.h: what the parts of the reader share: read.c takes a file apart, read_pipes.c makes pipes of its tunnels. */
#ifndef SL_TUNNEL_READ_IMPL_H
#define SL_TUNNEL_READ_IMPL_H

#include "text/yaml.h"
#include "tunnel/read.h"

typedef struct tunnel_reader {
    sl_yaml *doc;
    sl_tunnel_study *study;
    sl_tunnel_network *net;
    const sl_yaml_node **valve_nodes, **pipe_nodes; /* where they are written */
    const sl_yaml_node **target_nodes;              /* [n_valve] where a valve says where its flood goes, or NULL */
    int32_t *first_pipe, *n_pipe;                   /* of each tunnel of the file: its chain */
    sl_ids *tunnels;
    const sl_tunnel_files *files;
    sl_diags *diags;
    sl_status series; /* the first failure of a file of a series */
    const sl_yaml_node *tunnels_node;
    bool is_short;    /* of memory */
} tunnel_reader;

void *tunnel_reader_alloc(tunnel_reader *r, size_t size);
/* A list of numbers, times if the unit is s; rising if they are to. NULL: it is not that. */
double *tunnel_read_list(tunnel_reader *r, sl_yaml_map *m, const char *key, unsigned flags, const char *unit,
                         int32_t *n, bool rises);
/* -1: the id is taken, or there is no memory. */
int32_t tunnel_add_valve(tunnel_reader *r, sl_str id, const sl_yaml_node *node);
/* The valve that a key names, or -1. */
int32_t tunnel_find_valve(tunnel_reader *r, sl_yaml_map *m, const char *key);
void tunnel_read_tunnel(tunnel_reader *r, const sl_yaml_node *node);

#endif
