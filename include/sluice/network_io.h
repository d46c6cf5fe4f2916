/* SPDX-License-Identifier: MIT */
/* sluice/network_io.h: networks from bytes and to sinks. The library opens no file.
 */
#ifndef SLUICE_NETWORK_IO_H
#define SLUICE_NETWORK_IO_H

#include <sluice/network.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sl_inp_read_def {
    size_t size;
    const char *name; /* of the input, for diagnostics; NULL: "" */
    bool tolerant;    /* give the network in spite of errors: what is wrong is left out or at its default */
    bool no_map;      /* pass over what no result depends on: coordinates, vertices, labels, tags, backdrop, comments */
} sl_inp_read_def;

SL_DEFAULT(sl_inp_read_def, sl_inp_read_default)

/* Reads EPANET .inp text (2.0, 2.2, 2.3) and validates it. One pass reports every problem to diags, sorted by
 * place. Strict: SL_ERR_INPUT and no network when there is any error. Tolerant: SL_OK and a network whenever
 * there was text with sections; the caller looks at the diagnostics. The bytes need not outlive the call. def may be NULL. */
SL_API sl_status sl_inp_read(sl_context *ctx, const void *bytes, size_t n, const sl_inp_read_def *def, sl_diags *diags,
                             sl_network **out);

/* Writes a network as clean .inp text in its own units: every section in EPANET's order, aligned columns, every
 * number the shortest that reads back to the same bits. Reading the text gives an equal network
 * (sl_network_equal), writing that gives the same bytes. */
SL_API sl_status sl_inp_write(sl_context *ctx, const sl_network *net, const sl_sink *sink);

typedef struct sl_inp_convert_def {
    size_t size;
    const char *name;
    bool change_units;
    sl_flow_unit flow_unit; /* target when change_units is set; the pressure unit goes with it */
} sl_inp_convert_def;

SL_DEFAULT(sl_inp_convert_def, sl_inp_convert_default)

/* Rewrites .inp text as text: every line that needs no change is kept byte for byte, with its comments, order,
 * labels, backdrop and line ends; in other lines only the numbers that change are replaced (10 significant
 * digits). The text must read without errors. def may be NULL. */
SL_API sl_status sl_inp_convert(sl_context *ctx, const void *bytes, size_t n, const sl_inp_convert_def *def,
                                sl_diags *diags, const sl_sink *sink);

/* A copy of the network that shows and writes other units. The quantities stay the same, to ten digits. SL_ERR_INPUT
 * when a curve is used in two ways that would need different numbers then. */
SL_API sl_status sl_network_with_units(sl_context *ctx, const sl_network *net, sl_flow_unit unit, sl_diags *diags,
                                       sl_network **out);

/* The whole model as JSON in SI units (docs/reference/network-json.md). */
SL_API sl_status sl_network_write_json(const sl_network *net, const sl_sink *sink);
/* Nodes as points and links as lines with their properties (SI units in the member names). Objects without
 * coordinates are left out and reported as one warning. */
SL_API sl_status sl_network_write_geojson(const sl_network *net, sl_diags *diags, const sl_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
