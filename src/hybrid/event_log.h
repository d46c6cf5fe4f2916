/* SPDX-License-Identifier: MIT */
/* event_log.h: the events of an engine's last step, with texts of their causes, in memory that is used again. */
#ifndef SL_HYBRID_EVENT_LOG_H
#define SL_HYBRID_EVENT_LOG_H

#include "base/memory.h"
#include "engine/engine.h"

typedef struct sl_event_log {
    sl_context *ctx;
    SL_ARRAY(sl_engine_event) events;
    SL_ARRAY(int64_t) causes; /* where the text of each begins */
    SL_ARRAY(char) text;
    int64_t n_named; /* bytes of names for the next event */
    bool failed;     /* memory was short */
} sl_event_log;

void sl_event_log_init(sl_event_log *log, sl_context *ctx);
void sl_event_log_fini(sl_event_log *log);
void sl_event_log_clear(sl_event_log *log);
/* Adds a symbol to the cause of the next event, separated by commas; "" adds nothing. */
void sl_event_log_name(void *log, const char *symbol);
/* Adds an event with the names since the last one as its cause. */
void sl_event_log_add(sl_event_log *log, sl_engine_event event);
/* ... about the model as a whole. */
void sl_event_log_add_plain(sl_event_log *log, double time, const char *kind);
/* Makes the causes readable. SL_ERR_MEMORY: something could not be added since the log was cleared. */
sl_status sl_event_log_close(sl_event_log *log);
/* Forgets what is later than t. */
void sl_event_log_cut(sl_event_log *log, double t);

#endif
