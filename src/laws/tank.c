/* SPDX-License-Identifier: MIT */
/* tank.c: level and volume of a tank; see tank.h. Volume curves go on straight beyond their ends. */
#include "laws/tank.h"

#include "laws/constants.h"
#include "numeric/curve.h"

sl_tank_law sl_tank_law_of(const sl_network *net, int32_t tank) {
    sl_tank_law law = {.bottom = net->node_elevation[net->n_junction + net->n_reservoir + tank],
                       .overflows = net->tank_overflow[tank] != 0};
    double low = net->tank_level_min[tank], high = net->tank_level_max[tank], d = net->tank_diameter[tank];
    int32_t c = net->tank_curve[tank];
    law.h_min = law.bottom + low;
    law.h_max = law.bottom + high;
    if (c >= 0) {
        int32_t at = net->curve_start[c];
        law.n_point = net->curve_start[c + 1] - at;
        law.level = net->curve_x + at;
        law.volume = net->curve_y + at;
        int32_t last = law.n_point - 1;
        law.area = last > 0 ? (law.volume[last] - law.volume[0]) / (law.level[last] - law.level[0]) : 0.0;
        law.v_min = sl_tank_volume(&law, law.h_min);
    } else {
        law.area = SL_PI * d * d / 4.0;
        law.v_min = net->tank_volume_min[tank] > 0.0 ? net->tank_volume_min[tank] : law.area * low;
    }
    law.v_max = sl_tank_volume(&law, law.h_max);
    law.v_init = sl_tank_volume(&law, law.bottom + net->tank_level_init[tank]);
    return law;
}

double sl_tank_volume(const sl_tank_law *law, double head) {
    if (law->level) {
        return sl_curve_value(law->level, law->volume, law->n_point, head - law->bottom, true);
    }
    return law->v_min + law->area * (head - law->h_min);
}

double sl_tank_head(const sl_tank_law *law, double volume) {
    if (law->level) {
        return law->bottom + sl_curve_value(law->volume, law->level, law->n_point, volume, true);
    }
    return law->h_min + (volume - law->v_min) / law->area;
}

double sl_tank_surface(const sl_tank_law *law, double head) {
    if (!law->level || law->n_point < 2) {
        return law->area;
    }
    int32_t k = 1;
    while (k < law->n_point - 1 && head - law->bottom > law->level[k]) {
        k++;
    }
    return (law->volume[k] - law->volume[k - 1]) / (law->level[k] - law->level[k - 1]);
}
