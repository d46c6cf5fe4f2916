/* SPDX-License-Identifier: MIT */
/* cosim/data.h: a value of a node or element, as it was read or is to be written. */
#ifndef COSIM_DATA_H
#define COSIM_DATA_H

#include <limits>
#include <map>
#include <string>

#include <cosim/data_info.h>

namespace cosim {

struct data {
    entity_nr_t entity_nr = 0;
    double value = std::numeric_limits<double>::quiet_NaN(); // NaN: missing
    std::string description;
};

// data_map[type][entity]
using data_map = std::map<data_info::type_t, std::map<entity_nr_t, data>>;

} // namespace cosim

#endif
