/* SPDX-License-Identifier: MIT */
/* session.h: what the layers above may do with a session beyond the public header: results as they come.
 */
#ifndef SL_SESSION_SESSION_H
#define SL_SESSION_SESSION_H

#include <sluice/session.h>

#include "engine/result_sink.h"

/* Adds a sink for these fields before the first refresh or advance, which begins it. It gets a frame at every report
 * time, in order, and events up to that time before it; and its end when the session reaches the model's end, fails, is stopped, or is destroyed. The sink
 * must live until then. A sink that fails is a failure of the session. While a sink is begun and not ended the session
 * cannot be restored (SL_ERR_USE): frames cannot be taken back. */
sl_status sl_session_add_sink(sl_session *s, const sl_result_sink *sink, const int32_t *fields, int32_t n_field);
/* Forgets the sinks with this argument, without their end. */
void sl_session_drop_sink(sl_session *s, const void *user);
/* Ends the sinks now; complete says whether the run came to its end. Returns the first failure of a sink. */
sl_status sl_session_end_sinks(sl_session *s, bool complete);

/* A model of an automaton under another run than its own. */
sl_status sl_model_of_automaton_run(sl_context *ctx, const sl_automaton *automaton, const sl_execution_def *run,
                                    sl_model **out);
/* The model of one of its executions: that of these choices (sl_execution_path), which are copied. After them the first is taken. */
sl_status sl_model_of_automaton_path(sl_context *ctx, const sl_automaton *automaton, const int64_t *choices,
                                     int32_t n_choice, sl_model **out);

struct sl_tunnel_study;
/* A model of tunnels. Takes the study (src/tunnel/read.h) over, whatever happens. */
sl_status sl_model_of_tunnel_study(sl_context *ctx, struct sl_tunnel_study *study, sl_model **out);

/* A model of any engine, for tests and for other engines to come: model is borrowed. */
sl_status sl_model_from_engine(sl_context *ctx, const sl_engine_ops *ops, const void *model, sl_model **out);
struct sl_kind;
/* What a loader leaves with a model: the row of its kind (src/kinds/kind.h), and an object that the model releases last; release
 * NULL: there is none to release. */
void sl_model_attach(sl_model *model, const struct sl_kind *kind, void *origin, void (*release)(void *origin));
const struct sl_kind *sl_model_attached_kind(const sl_model *model);
void *sl_model_origin(const sl_model *model);
/* What a session is made of. Values by ops come from the time that the session shows. */
const sl_engine_ops *sl_session_ops(const sl_session *s, const void **engine);
const sl_model *sl_session_model(const sl_session *s);
sl_context *sl_session_context(const sl_session *s);
/* Values of fields at the session's time: data[i] as in a frame, until the session moves. */
sl_status sl_session_read(sl_session *s, const int32_t *fields, int32_t n, const double **data);
/* The id of an element of a class. */
const char *sl_session_element(const sl_session *s, int32_t of, int32_t index);
/* An event of the engine with its names; execution 0. Texts are borrowed from both. */
sl_event_info sl_session_event_info(const sl_session *s, const sl_engine_event *event);
/* From now on the session destroys its model at its own end. */
void sl_session_own_model(sl_session *s, sl_model *model);

#endif
