/* SPDX-License-Identifier: MIT */
/* inp_write.h: the .inp writer's state, shared by its files. */
#ifndef SL_NETWORK_INP_WRITE_H
#define SL_NETWORK_INP_WRITE_H

#include "base/out.h"
#include "network/epanet_units.h"

typedef struct sl_writer {
    sl_context *ctx;
    const sl_network *net;
    sl_out *out;
    double factor[SL_Q_COUNT];
    size_t column; /* where the next field starts */
    int digits;    /* significant digits of numbers; 0: as many as it takes to read back the same bits */
    bool cancelled;
} sl_writer;

/* Fields are put side by side: id and text fields 14 wide, numbers 11. */
void sl_write_line(sl_writer *w); /* starts a line */
void sl_write_id(sl_writer *w, const char *id);
void sl_write_word(sl_writer *w, const char *word);
void sl_write_number(sl_writer *w, double x, sl_quantity q);
void sl_write_scaled(sl_writer *w, double x, double factor); /* x / factor */
void sl_write_time(sl_writer *w, double seconds);
/* Ends the line, with a comment when there is one. */
void sl_write_end(sl_writer *w, const char *comment);
/* "[NAME]" after a blank line, and the names of its columns as a comment (may be NULL). */
void sl_write_section(sl_writer *w, const char *name, const char *columns);
/* The text of a note on index, or NULL; *at walks along the sorted notes. */
const char *sl_write_note(const sl_note *notes, int32_t n, int32_t *at, int32_t index);
/* Every now and then: has the user asked to stop? */
bool sl_write_progress(sl_writer *w, int64_t done, int64_t total);

/* Writes all sections. */
sl_status sl_inp_write_digits(sl_context *ctx, const sl_network *net, int digits, const sl_sink *sink);

void sl_write_controls(sl_writer *w); /* inp_write_controls.c: [CONTROLS] and [RULES] */
void sl_write_rules(sl_writer *w);
void sl_write_energy(sl_writer *w);  /* inp_write_settings.c */
void sl_write_quality(sl_writer *w); /* [QUALITY] [SOURCES] [REACTIONS] [MIXING] */
void sl_write_times(sl_writer *w);
void sl_write_options(sl_writer *w);
void sl_write_report_section(sl_writer *w);

#endif
