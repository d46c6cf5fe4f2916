/* SPDX-License-Identifier: MIT */
/* words.h: the words of the .inp format for each enumeration, once, for reader and writer alike. */
#ifndef SL_NETWORK_WORDS_H
#define SL_NETWORK_WORDS_H

#include <sluice/network.h>

extern const char *const sl_flow_words[SL_FLOW_UNIT_COUNT + 1]; /* NULL-terminated */
extern const char *const sl_pressure_words[SL_PRESSURE_UNIT_COUNT];
extern const char *const sl_headloss_words[3];
extern const char *const sl_valve_words[SL_VALVE_KIND_COUNT];
extern const char *const sl_status_words[3]; /* CLOSED OPEN ACTIVE */
extern const char *const sl_curve_words[SL_CURVE_KIND_COUNT];
extern const char *const sl_mixing_words[4];
extern const char *const sl_source_words[4];
extern const char *const sl_statistic_words[5];
extern const char *const sl_field_words[SL_REPORT_FIELD_COUNT];
extern const char *const sl_rule_variable_words[SL_RULE_VARIABLE_COUNT];
extern const char *const sl_rule_operator_words[SL_RULE_OPERATOR_COUNT];
extern const char *const sl_node_kind_words[3]; /* junction reservoir tank */
extern const char *const sl_link_kind_words[3]; /* pipe pump valve */

#endif
