/* SPDX-License-Identifier: MIT */
// fibonacci: each number is the one before last plus the one that the partner sends back. With echo as the partner these are
// the Fibonacci numbers: 1, 1, 2, 3, 5, 8, ...
#include <iomanip>
#include <iostream>

#include <cosim.h>

#include "options.h"

constexpr cosim::data_info::type_t NUMBER{}; // one kind of value is enough here

int main(int argc, char **argv) {
    const options o = parse("fibonacci", argc, argv);
    cosim::manager cosim(o.in, o.out);
    cosim.addInDataInfo(1, NUMBER, "Fibonacci number");
    cosim.addOutDataInfo(1, NUMBER, "Fibonacci number");

    double before = 1, last = 0;
    std::cout << std::setprecision(15);
    for (long step = 0; step < o.n; step++) {
        double time = static_cast<double>(step);
        if (step >= o.skip) {
            cosim.read();
            if (!cosim.isTerminated()) { // else go on alone
                last = cosim.data[NUMBER][1].value;
                if (o.skip == 0) time = cosim.current_time; // who reads first follows the partner's clock
            }
        }
        const double number = before + last;
        std::cout << number << std::endl;
        before = last;
        last = number;
        if (step + 1 >= o.skip) {
            cosim.prepareNextTimestep();
            cosim.setValue(1, NUMBER, number);
            cosim.write(time, 1);
        }
    }
} // says END here, and waits for the partner's
