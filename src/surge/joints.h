/* SPDX-License-Identifier: MIT */
/* joints.h: what stands between two nodes: valves, pumps, rigid pipes, shut-offs: loss h(Q) and its slope. */
#ifndef SL_SURGE_JOINTS_H
#define SL_SURGE_JOINTS_H

#include "surge/impl.h"

/* Before the first loss of a step: openings become coefficients, blocked joints are shut. */
void sl_surge_joints_begin(sl_surge_run *e);
/* Losses and slopes at the present flows. */
void sl_surge_joints_losses(sl_surge_run *e);
/* After the last: speeds and torques of pumps. */
void sl_surge_joints_end(sl_surge_run *e);
/* Nothing can pass, whatever the heads. */
bool sl_surge_joint_blocked(const sl_surge_model *m, const sl_surge_state *s, int32_t joint);
/* The loss at no flow: below it a one-way joint stays shut. */
double sl_surge_joint_static_loss(sl_surge_run *e, int32_t joint);

#endif
