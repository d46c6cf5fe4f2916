/* SPDX-License-Identifier: MIT */
// A partner of a co-simulation in C++: it reads a tank's level and answers with the speed of a pump.
// Build: with the target `cosim` of the folder cosim, or c++ -std=c++17 partner.cpp -lcosim
#include <cosim.h>
#include <cstdio>

enum { LEVEL, SPEED }; // what of a node or link

int main(int argc, char **argv) {
    const bool named = argc == 3;
    cosim::manager cosim(named ? argv[1] : "sluice.cosim", named ? argv[2] : "partner.cosim");
    cosim.addInDataInfo(42, LEVEL, "level of the tank");
    cosim.addOutDataInfo(1, SPEED, "speed of the pump");

    double speed = 1;
    while (cosim.read()) {
        const double level = cosim.data[LEVEL][42].value;
        speed = level < 2 ? 1 : level > 4 ? 0 : speed; // between the two: as before
        std::printf("%8g s  level %.2f m  speed %g\n", cosim.current_time, level, speed);
        cosim.prepareNextTimestep();
        cosim.setValue(1, SPEED, speed);
        cosim.write(cosim.current_time, cosim.next_timestep);
    }
} // says END here, and waits for the partner's
