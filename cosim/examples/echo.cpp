/* SPDX-License-Identifier: MIT */
// echo: prints the number that the partner sends and sends it back.
#include <iomanip>
#include <iostream>

#include <cosim.h>

#include "options.h"

constexpr cosim::data_info::type_t NUMBER{}; // one kind of value is enough here

int main(int argc, char **argv) {
    const options o = parse("echo", argc, argv);
    cosim::manager cosim(o.in, o.out);
    cosim.addInDataInfo(1, NUMBER, "number");
    cosim.addOutDataInfo(1, NUMBER, "number");

    double number = 0;
    std::cout << std::setprecision(15);
    for (long step = 0; step < o.n; step++) {
        double time = static_cast<double>(step), timestep = 1;
        if (step >= o.skip) {
            cosim.read();
            if (cosim.isTerminated()) break;
            number = cosim.data[NUMBER][1].value;
            std::cout << number << std::endl;
            timestep = cosim.next_timestep;
            if (o.skip == 0) time = cosim.current_time; // who reads first follows the partner's clock
        }
        if (step + 1 >= o.skip) {
            cosim.prepareNextTimestep();
            cosim.write(time, timestep, {number});
        }
    }
} // says END here, and waits for the partner's
