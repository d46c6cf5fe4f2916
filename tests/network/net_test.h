/* SPDX-License-Identifier: MIT */
/* net_test.h: what the tests of networks share: reading small texts, writing, finding objects, and one model that has
 * everything. Text made here is from malloc and freed by the test. */
#ifndef NET_TEST_H
#define NET_TEST_H

#include "sl_test.h"

#include "base/out.h"
#include <sluice/network_io.h>
#include <sluice/spec.h>

/* One test's memory, context and diagnostics. */
typedef struct net_case {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
} net_case;

void net_begin(net_case *c);
/* Releases all and checks that nothing is left. */
void net_end(net_case *c);

/* Diagnostics on standard error, for a test that is about to fail. */
void net_show(const net_case *c);

/* Reads text; the diagnostics are cleared first. */
sl_status net_try(net_case *c, const char *text, bool tolerant, sl_network **out);
/* Reads text that must have no errors. Warnings stay in the diagnostics. */
sl_network *net_read(net_case *c, const char *text);
/* Reads text that must give no diagnostic at all. */
sl_network *net_read_clean(net_case *c, const char *text);

/* Two junctions A and B, reservoir R, tank T, pipes P1 (R-A), P2 (A-B), P3 (B-T); LPS unless more says otherwise.
 * more follows it, so sections may go on. Caller frees. */
char *net_framed(const char *more);
extern const char net_frame[];
uint32_t net_frame_lines(void);
/* Reads the frame with more behind it; errors fail the test. */
sl_network *net_read_framed(net_case *c, const char *more);

/* Clean .inp text of a network. */
char *net_write(net_case *c, const sl_network *net);
/* sl_inp_convert; unit SL_FLOW_UNIT_COUNT keeps the units. Must succeed. */
char *net_convert(net_case *c, const char *text, sl_flow_unit unit);
char *net_json(net_case *c, const sl_network *net);
char *net_geojson(net_case *c, const sl_network *net);

/* Fails with the first difference. */
void net_assert_equal(const sl_network *a, const sl_network *b);
/* The same objects and words, and all quantities (not the units shown, nor report limits, which are in those) within
 * rel of each other. */
void net_assert_near(const sl_network *a, const sl_network *b, double rel);

int32_t net_node(const sl_network *net, const char *id);
int32_t net_link(const sl_network *net, const char *id);
int32_t net_pattern(const sl_network *net, const char *id);
int32_t net_curve(const sl_network *net, const char *id);
/* Index within its kind. */
int32_t net_reservoir(const sl_network *net, const char *id);
int32_t net_tank(const sl_network *net, const char *id);
int32_t net_pump(const sl_network *net, const char *id);
int32_t net_valve(const sl_network *net, const char *id);
/* The text of a note or tag of an object, NULL without one. */
const char *net_note(const sl_note *notes, int32_t n, int32_t index);

/* How many diagnostics have this code. */
int32_t net_count(const net_case *c, sl_code code);
/* The only diagnostic with this code; fails when there are none or several. */
const sl_diag *net_only(const net_case *c, sl_code code);

/* A whole file; path from the root of the sources. */
char *net_file(const char *path, size_t *n);
/* Calls fn for every examples/ *.inp that reads without errors; returns how many. */
int32_t net_each_example(void (*fn)(const char *name, const char *text, void *user), void *user);

/* A spec in LPS with R - A - B - T, pattern Daily, curves Rising and Pumping, pump U (R-A), valves PRV (B-C) and GPV (C-D), and
 * pipe CV (A-B) with a check valve; it compiles. The case is begun, the spec is the caller's. */
sl_spec *net_spec_begin(net_case *c);

/* A model with something in every section, in GPM and psi, free of errors. */
extern const char net_rich[];

#endif
