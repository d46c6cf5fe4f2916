/* SPDX-License-Identifier: MIT */
/* sluice/network_io.h: reading networks from bytes and writing them to sinks. These functions open no file.
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
    bool tolerant;    /* return a network in spite of errors: wrong items are omitted or have defaults */
    bool no_map; /* ignore data without effect on results: coordinates, vertices, labels, tags, backdrop, comments */
} sl_inp_read_def;

SL_DEFAULT(sl_inp_read_def, sl_inp_read_default)

/* Reads EPANET .inp text (2.0, 2.2, 2.3) and validates it. One pass reports every problem to diags, sorted by
 * location. Strict: any error returns SL_ERR_INPUT and no network. Tolerant: text with sections always returns SL_OK and
 * a network; check the diagnostics. The bytes may be freed after the call. def may be NULL. */
SL_API sl_status sl_inp_read(sl_context *ctx, const void *bytes, size_t n, const sl_inp_read_def *def, sl_diags *diags,
                             sl_network **out);

/* Writes a network as clean .inp text in its own units: every section in EPANET's order, aligned columns, every
 * number in its shortest form that reads back to the same bits. Reading the text returns an equal network
 * (sl_network_equal); writing that network returns the same bytes. */
SL_API sl_status sl_inp_write(sl_context *ctx, const sl_network *net, const sl_sink *sink);

typedef struct sl_inp_convert_def {
    size_t size;
    const char *name;
    bool change_units;
    sl_flow_unit flow_unit; /* target if change_units is set; it determines the pressure unit */
} sl_inp_convert_def;

SL_DEFAULT(sl_inp_convert_def, sl_inp_convert_default)

/* Converts .inp text to other units as text. A line without changes stays the same, byte for byte, with comments, order and
 * line ends. In other lines only the converted numbers are replaced, with 10 significant digits. The text must be free of
 * errors. def may be NULL. */
SL_API sl_status sl_inp_convert(sl_context *ctx, const void *bytes, size_t n, const sl_inp_convert_def *def,
                                sl_diags *diags, const sl_sink *sink);

/* A copy of the network whose results and files have other units. The quantities are equal to ten digits. SL_ERR_INPUT: a curve
 * has two uses that would need different numbers. */
SL_API sl_status sl_network_with_units(sl_context *ctx, const sl_network *net, sl_flow_unit unit, sl_diags *diags,
                                       sl_network **out);

/* The whole model as JSON in SI units (docs/reference/network-json.md). */
SL_API sl_status sl_network_write_json(const sl_network *net, const sl_sink *sink);
/* Nodes as points and links as lines with their properties (SI units in the member names). Objects without
 * coordinates are omitted, with one warning. */
SL_API sl_status sl_network_write_geojson(const sl_network *net, sl_diags *diags, const sl_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
