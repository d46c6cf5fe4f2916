/* sluice/plot.h: pictures of results: quantities over time, and maps of a network.
 *
 * A picture goes to a sink as SVG (always there), or as PNG or PDF by the cairo library, which is loaded when the first
 * such picture is asked for. The same result, the same request: the same SVG bytes. Values are in the units of the result.
 */
#ifndef SLUICE_PLOT_H
#define SLUICE_PLOT_H

#include <sluice/results.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sl_plot_kind {
    SL_PLOT_SERIES = 0, /* some nodes or links over time; many of them as bands */
    SL_PLOT_MAP,        /* the network at a moment */
    SL_PLOT_KIND_COUNT
} sl_plot_kind;

typedef enum sl_plot_format { SL_PLOT_SVG = 0, SL_PLOT_PNG, SL_PLOT_PDF, SL_PLOT_FORMAT_COUNT } sl_plot_format;

/* Which value of each element a map shows. Of flows it is the size, whatever the direction. */
typedef enum sl_plot_moment { SL_PLOT_AT = 0, SL_PLOT_MIN, SL_PLOT_MAX, SL_PLOT_MEAN } sl_plot_moment;

typedef struct sl_plot_def {
    size_t size;
    sl_plot_kind kind;
    sl_plot_format format;
    /* The quantity: demand head pressure quality flow velocity headloss status setting reaction friction; on maps also
     * elevation and diameter. NULL: pressure of nodes, flow of links; elevation on the map of a bare network. */
    const char *what;

    /* Series of nodes or links. Each text is an id or, when no element has that id, a list of ids at commas, or ALL
     * (of pressures and demands: all junctions). */
    bool links;
    const char *const *ids;
    int32_t n_id;
    double from, to; /* part of the run [s]; NaN: all */

    /* Maps. */
    sl_plot_moment moment;
    double time; /* [s] for AT: the period then, or the last before; NaN: the first */

    double low, high;      /* of the value axis or the colours, in the result's unit; NaN: from the values */
    int32_t width, height; /* pixels of 1/96 inch; 0: as fits */
    const char *title;     /* NULL: the result's own */
    bool dark;
} sl_plot_def;

enum { SL_PLOT_SIZE_MIN = 200, SL_PLOT_SIZE_MAX = 16000 }; /* of width and height */

SL_API sl_plot_def sl_plot_default(void);

/* Draws. A series needs the result; a map the network, and the result unless it shows the network alone. Elements of
 * network and result are matched by id.
 * SL_ERR_INPUT: what is asked for is not there (diagnostics say what is); SL_ERR_IO: the sink refused, or cairo cannot be
 * loaded; SL_ERR_UNSUPPORTED: this build knows no cairo; SL_ERR_USE: a size or a range that cannot be. */
SL_API sl_status sl_plot(sl_context *ctx, const sl_network *net, sl_outfile *file, const sl_plot_def *def,
                         sl_diags *diags, const sl_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
