/* SPDX-License-Identifier: MIT */
/* table_impl.h: a table in the making, from inside.
 *
 * table.c         formats, and the table of a .out file
 * table_select.c  which elements, quantities and times
 * table_run.c     a run as the source
 * table_csv.c, table_json.c, table_hdf5.c: the formats
 */
#ifndef SL_RESULTS_TABLE_IMPL_H
#define SL_RESULTS_TABLE_IMPL_H

#include "base/memory.h"
#include "results/table.h"

typedef struct sl_table_source {
    sl_context *ctx;
    sl_arena arena;
    const sl_table_def *def;
    const sl_outfile *file; /* its head */
    const sl_network *net;  /* NULL: none */
    sl_diags *diags;
    bool quality; /* the numbers of quality mean something */
    sl_table table;
    int32_t *chosen[SL_TABLE_SIDES];                      /* places in the file; NULL: all, in order */
    double first, last, every;                            /* times that are written [s]; every 0: each */
    float *gathered[SL_TABLE_SIDES][SL_TABLE_QUANTITIES]; /* of a choice */
    int64_t n_period;                                     /* written */
    void *writer;
} sl_table_source;

/* Makes the table and lets the format begin. source is zeroed but for ctx, def, file, net, diags, quality. Must be closed
 * in any case. */
sl_status sl_table_source_open(sl_table_source *source);
bool sl_table_source_wants(const sl_table_source *source, double time);
/* value[variable] has one float per element of the file; of those that the table has. */
sl_status sl_table_source_frame(sl_table_source *source, double time, const float *const value[SL_OUT_VARIABLE_COUNT]);
/* file is as it is at the end, with its energies. */
sl_status sl_table_source_end(sl_table_source *source, const sl_outfile_info *info);
void sl_table_source_close(sl_table_source *source);

/* table_select.c: narrows a table of everything down to what def selects. */
sl_status sl_table_choose(sl_table_source *source);
/* All quantities, by sl_out_variable: names and meanings. */
extern const char *const sl_table_names[SL_OUT_VARIABLE_COUNT];

/* Valid UTF-8 of any bytes: what is not is taken as Latin-1. NULL: out of memory. */
const char *sl_table_text(sl_arena *arena, const char *bytes);

#endif
