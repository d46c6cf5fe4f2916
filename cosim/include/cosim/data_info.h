/* SPDX-License-Identifier: MIT */
/* cosim/data_info.h: what a row of a message is about: which node or element, what of it, and a text for people.
 *
 * The types ("what of it") are plain numbers unless a header cosim/config.h is found on the include path, for instance in
 * this folder. It names an enum or enum class:
 *
 *     #ifndef COSIM_CONFIG_H
 *     #define COSIM_CONFIG_H
 *     #define COSIM_DATA_TYPE_ENUM MY_TYPES
 *     enum class MY_TYPES { LEVEL, SPEED };
 *     #endif
 *
 * Types never travel: rows are matched by their order. They tell apart what is said of one node, on this side only. */
#ifndef COSIM_DATA_INFO_H
#define COSIM_DATA_INFO_H

#include <cstdint>
#include <string>

#if __has_include(<cosim/config.h>)
#include <cosim/config.h>
#ifndef COSIM_DATA_TYPE_ENUM
#error "cosim/config.h was found, but it does not define COSIM_DATA_TYPE_ENUM: the name of your enum of types"
#endif
#endif

namespace cosim {

using entity_nr_t = std::int64_t; // the number of a node or element

struct data_info {
#ifdef COSIM_DATA_TYPE_ENUM
    using type_t = COSIM_DATA_TYPE_ENUM;
#else
    using type_t = int;
#endif
    entity_nr_t entity_nr = 0;
    type_t type = type_t();
    std::string description; // has no function
};

static_assert(sizeof(data_info::type_t) <= sizeof(std::int32_t), "a type of boundary condition has at most 32 bits");

} // namespace cosim

#endif
