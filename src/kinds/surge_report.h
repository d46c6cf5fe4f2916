/* SPDX-License-Identifier: MIT */
/* surge_report.h: what commands show of a surge study beyond what every session has. */
#ifndef SL_KINDS_SURGE_REPORT_H
#define SL_KINDS_SURGE_REPORT_H

#include <sluice/plot.h>

#include "kinds/kind.h"
#include "results/surge.h"
#include "surge/study.h"

extern const sl_report_ops sl_surge_study_report;

sl_status sl_surge_study_check(const sl_load *load, sl_kind_facts *facts);
sl_status sl_surge_study_info_text(const sl_load *load, sl_out *out);
sl_status sl_surge_study_info_json(const sl_load *load, sl_json *json);

/* Pictures (surge_pictures.c): traces, and the envelope along a route. */
sl_status sl_surge_picture_traces(const sl_surge_outcome *r, sl_plot_format format, sl_diags *diags,
                                  const sl_sink *sink);
sl_status sl_surge_picture_envelope(const sl_surge_outcome *r, const sl_study_route *route, sl_plot_format format,
                                    sl_diags *diags, const sl_sink *sink);

#endif
