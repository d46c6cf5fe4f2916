/* SPDX-License-Identifier: MIT */
/* energy.c: see energy.h. */
#include "laws/energy.h"

#include <math.h>

double sl_energy_price(const sl_network *net, int32_t pump, double t) {
    double price = net->pump_price[pump] > 0.0 ? net->pump_price[pump] : net->energy.price; /* NaN: not given */
    int32_t pattern = net->pump_price_pattern[pump] >= 0 ? net->pump_price_pattern[pump] : net->energy.price_pattern;
    if (pattern < 0) {
        return price;
    }
    int32_t first = net->pattern_start[pattern], n = net->pattern_start[pattern + 1] - first;
    double period = floor((t + net->times.pattern_start) / net->times.pattern_step);
    return price * net->pattern_factor[first + (int32_t)fmod(period, (double)n)];
}
