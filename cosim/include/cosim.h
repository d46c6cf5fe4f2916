/* SPDX-License-Identifier: MIT */
/* cosim.h: co-simulation in C++17. Two programs exchange numbers every time step, in text files unless told otherwise.
 *
 * Everything is in the namespace cosim and in headers: what is compiled and linked is the C library below
 * (sluice/cosim.h). The types of the boundary conditions are yours: see cosim/data_info.h. */
#ifndef COSIM_H
#define COSIM_H

#include <cosim/data.h>
#include <cosim/data_info.h>
#include <cosim/manager.h>

#endif
