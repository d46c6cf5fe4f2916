/* SPDX-License-Identifier: MIT */
/* read.h: tunnels as YAML, and how they are run. docs/reference/tunnel.md describes the files. */
#ifndef SL_TUNNEL_READ_H
#define SL_TUNNEL_READ_H

#include "text/yaml.h"
#include "tunnel/model.h"

typedef struct sl_tunnel_study {
    sl_context *ctx;
    sl_tunnel_network *net; /* owned */
    const char *title;      /* "": none; in the network's arena */
    int32_t n_tunnel;       /* of the file: of as many pipes, or more */
    double end, report;     /* [s] */
    double rtol;
    bool all_reversals;
    sl_hybrid_policy policy;
} sl_tunnel_study;

/* Opens the files of series that are named inside. */
typedef struct sl_tunnel_files {
    /* The bytes of the file at path, and its name for messages, until close. What is wrong is reported at the node. */
    sl_status (*open)(void *user, const char *path, sl_yaml *doc, const sl_yaml_node *node, sl_str *bytes,
                      const char **name);
    void (*close)(void *user);
    void *user;
} sl_tunnel_files;

/* Everything that is wrong is reported in one pass, with its place. files NULL: none can be named. */
sl_status sl_tunnel_read(sl_context *ctx, const char *bytes, size_t n, const char *name, const sl_tunnel_files *files,
                         sl_diags *diags, sl_tunnel_study **out);
void sl_tunnel_study_destroy(sl_tunnel_study *study);

#endif
