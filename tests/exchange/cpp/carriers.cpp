/* SPDX-License-Identifier: MIT */
// Other carriers than files, by a definition: two managers in two threads exchange numbers over each URI given.
#include <cosim.h>

#include <iostream>
#include <stdexcept>
#include <thread>

static const int STEPS = 100;

static void fail(const std::string &message) {
    throw std::runtime_error(message);
}

// Adds 1 to what comes and sends it back. Returns the last number seen.
static double count(const std::string &uri, bool begins) {
    sl_cosim_def def = sl_cosim_default();
    def.uri = uri.c_str();
    def.read_timeout = def.write_timeout = def.close_timeout = 60;
    cosim::manager cosim(def);
    cosim.setErrorHandler(fail);
    cosim.setWarningHandler(fail);
    cosim.addInDataInfo(1, 0, "number");
    cosim.addOutDataInfo(1, 0, "number");
    double number = 0;
    for (int step = 0; step < STEPS; step++) {
        if (step > 0 || !begins) {
            cosim.read();
            if (cosim.isTerminated()) break;
            number = cosim.data[0][1].value + 1;
        }
        cosim.prepareNextTimestep();
        cosim.write(step, 1, {number});
    }
    return number;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const std::string uri = argv[i];
        double other = -1;
        std::thread thread([&] { other = count(uri, false); });
        const double own = count(uri, true);
        thread.join();
        std::cout << uri << " " << own << " " << other << std::endl;
    }
    return 0;
}
