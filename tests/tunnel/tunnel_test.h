/* SPDX-License-Identifier: MIT */
/* tunnel_test.h: what the tests of tunnels share: networks made by calls, and the reference files. */
#ifndef TUNNEL_TEST_H
#define TUNNEL_TEST_H

#include "sl_test.h"

#include "text/yaml.h"
#include "tunnel/bits.h"

typedef struct fixture {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_yaml *doc; /* the reference */
    char *bytes;
} fixture;

void fixture_init(fixture *f);
void fixture_fini(fixture *f);
/* Reads a file of the folder of reference cases into f->doc. False: there is none. */
bool fixture_open(fixture *f, const char *name);

const sl_yaml_node *child(const sl_yaml_node *node, const char *key);
double number(const sl_yaml_node *node); /* null: not a number */

/* Valves "0", "1", ... with an outfall each, pipes "0", "1", ... of 100 m; from, to: two numbers per pipe. Not finished. */
sl_tunnel_network *plain_network(fixture *f, int n_valve, int n_pipe, const int *ends);
/* Anything that is wrong fails the test. */
void finish_network(sl_tunnel_network *net);
/* A network of 2 to n_most valves, acyclic and connected; tubs of all kinds. Not finished. */
sl_tunnel_network *random_network(fixture *f, uint64_t *seed, int n_most);

#endif
