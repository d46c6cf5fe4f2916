/* SPDX-License-Identifier: MIT */
/* tunnel_picture.h: what pictures of tunnels have in common: a run of the model up to a moment, or its result, and the discrete states on
 * the way there.
 */
#ifndef SL_KINDS_TUNNEL_PICTURE_H
#define SL_KINDS_TUNNEL_PICTURE_H

#include "kinds/rows.h"
#include "plot/picture.h"
#include "tunnel/history.h"

typedef struct sl_tunnel_picture {
    const sl_load *load;
    const sl_picture_def *def;
    const sl_tunnel_study *study; /* the model's */
    const sl_tunnel_network *net;
    sl_model *model;
    sl_session *session;       /* NULL: values are those of the result */
    sl_tunnel_history history; /* from the start of the run */
    int64_t frame;             /* of the result: the last at or before the moment */
    sl_arena arena;
    sl_picture page;
} sl_tunnel_picture;

/* Loads model and page; close in any case. */
sl_status sl_tunnel_picture_open(sl_tunnel_picture *j, const sl_load *load, const sl_picture_def *def,
                                 const sl_sink *sink);
/* Ends the page, if it was begun. */
sl_status sl_tunnel_picture_close(sl_tunnel_picture *j, sl_status status);
/* Runs to the time (INFINITY: the end), and takes the events up to it. *run: as it went: a run that fails is shown up to there. */
sl_status sl_tunnel_picture_run(sl_tunnel_picture *j, double t, sl_status *run);
/* An error about the file, or a valve of it; returns SL_ERR_INPUT. */
sl_status sl_tunnel_picture_refuse(const sl_tunnel_picture *j, sl_code code, const char *hint, const char *id,
                                   const char *text);
/* Values of a quantity of all valves, or ends, at the moment; NULL: memory, or the result has not got them, which is reported. */
const double *sl_tunnel_picture_values(sl_tunnel_picture *j, const char *group, const char *quantity);

/* State diagrams and films. */
typedef struct sl_tunnel_plot_args {
    bool diagram;
    int film; /* index of the word; -1: not asked for */
    sl_texts control, state;
} sl_tunnel_plot_args;

bool sl_tunnel_states_fit(const sl_picture_def *def, char why[SL_REFUSAL_MAX]);
sl_status sl_tunnel_states_draw(const sl_load *load, const sl_picture_def *def, const sl_sink *sink, sl_status *run);

#endif
