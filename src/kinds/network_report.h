/* SPDX-License-Identifier: MIT */
/* network_report.h: what commands show of a network beyond what every session has. */
#ifndef SL_KINDS_NETWORK_REPORT_H
#define SL_KINDS_NETWORK_REPORT_H

#include "kinds/kind.h"

extern const sl_report_ops sl_network_report;
extern const sl_plot_ops sl_network_plot;

sl_status sl_network_check(const sl_load *load, sl_kind_facts *facts);
sl_status sl_network_info(const sl_load *load, sl_out *out, sl_json *json);

#endif
