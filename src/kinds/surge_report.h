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
sl_status sl_surge_study_info(const sl_load *load, sl_out *out, sl_json *json);

#endif
