/* SPDX-License-Identifier: MIT */
/* automata_test.h: automata from texts, for the tests of this folder. */
#ifndef SL_AUTOMATA_TEST_H
#define SL_AUTOMATA_TEST_H

#include "sl_test.h"

#include "automata/sda.h"

typedef struct fixture {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_exprs *g;
    sl_sda *a;
} fixture;

void fixture_init(fixture *f);
void fixture_fini(fixture *f);
int32_t fixture_variable(fixture *f, const char *name, int32_t n);
/* Equation and guard as text; both must be right. */
int32_t fixture_transition(fixture *f, const char *symbol, const char *equation, const char *guard);
sl_expr fixture_parse(fixture *f, const char *text);
void fixture_finish(fixture *f);
/* A run from q0 by the default rules, or by def. */
sl_sda_run *fixture_run(fixture *f, const int32_t *q0, const sl_sda_def *def);

/* A file of examples/automata, to be freed. */
char *automaton_example(const char *name);

/* The examples of chapter 3, corrected as docs/theory/automata.md says. */
void make_ticker(fixture *f);
void make_delay(fixture *f);
void make_counting(fixture *f, int n);
void make_unsolvable(fixture *f);
void make_nondeterministic(fixture *f);

/* The discrete multibody flow network: n_valve valves with a tub each on those whose bit is set, pipes from valve from[i] down to
 * valve to[i]. Texts of guards are those of the reference for the basic network (tests/automata/test_multibody.c). */
typedef struct network {
    int n_valve, n_pipe;
    const int *from, *to;
    const bool *tub;
} network;
/* Hands out every variable (guard NULL) and every transition in order: name of the variable, symbol, guard. */
typedef void network_item(void *user, const char *variable, const char *symbol, const char *guard);
void network_write(const network *net, network_item *item, void *user);
/* The same with the guards as the thesis prints them, before any correction (multibody_printed.c). Every valve needs a tub. */
void network_write_printed(const network *net, network_item *item, void *user);
/* The variables of either. */
void network_write_variables(const network *net, network_item *item, void *user);
/* An item into the automaton of a fixture (user). */
network_item network_add;
/* A random one, connected, with this many pipes; arrays are malloc'ed. */
network network_random(int n_pipe, uint64_t *seed);
void network_fini(network *net);
void make_network(fixture *f, const network *net);
void make_network_printed(fixture *f, const network *net);

#endif
