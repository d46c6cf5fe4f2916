/* SPDX-License-Identifier: MIT */
// The boundary conditions of SPRING by the names that SPRING gives them. The CMake option BC_TYPE_CONFIG_HEADER=SPRING puts
// this file on the include path as cosim/config.h; a file config_NAME.h beside it is chosen by its NAME in the same way.
#ifndef COSIM_CONFIG_H
#define COSIM_CONFIG_H

#define COSIM_DATA_TYPE_ENUM SPRING_KENN

enum class SPRING_KENN {
    KNOT,  // inflow or outflow at a node
    _1KON, // fixed temperature or concentration
    // more as they are needed: they have no meaning outside the program
};

#endif
