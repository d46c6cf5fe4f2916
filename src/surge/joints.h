/* SPDX-License-Identifier: MIT */
/* joints.h: what stands between two nodes: valves, pumps, rigid pipes, shut-offs: loss h(Q) and its slope. */
#ifndef SL_SURGE_JOINTS_H
#define SL_SURGE_JOINTS_H

#include "surge/impl.h"

/* Before the first loss of a step: openings become coefficients, blocked joints are shut. */
void sl_surge_joints_begin(sl_surge_run *e);
/* Losses and slopes at the present flows. */
void sl_surge_joints_losses(sl_surge_run *e);
/* The loss coefficient k [s2/m5] of a valve at an opening; infinite when it is shut. */
double sl_surge_joint_k(const sl_surge_joint *j, double opening);
/* The flow, below 0, at which a check valve shuts in this step, if q is the flow at its end. */
double sl_surge_joint_back(const sl_surge_run *e, int32_t joint, double q);
/* After the last: speeds and torques of pumps. */
void sl_surge_joints_end(sl_surge_run *e);
/* Nothing can pass, whatever the heads. */
bool sl_surge_joint_blocked(const sl_surge_model *m, const sl_surge_state *s, int32_t joint);
/* The loss at no flow: below it a one-way joint stays shut. */
double sl_surge_joint_static_loss(sl_surge_run *e, int32_t joint);

#endif
