/* SPDX-License-Identifier: MIT */
// A simulation program as the instructions of the CoSim library describe it, with a configuration header that has the enum
// SPRING_KENN: set-up, time loop, and both ways of writing. What stands between the marks is used as it is written there.
//
//     snippets IN OUT SKIP STEPS order|key|set
//
// Each step sends three values; the partner is this program too. Prints what it reads.
#include <cosim>
#include <cosim.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <type_traits>
#include <vector>

static_assert(std::is_same<cosim::data_info::type_t, SPRING_KENN>::value, "the configuration header was not found");

// clang-format off: the instructions are laid out in their own way
static void setUp(cosim::manager &cosim) {
    // ---- setting up, in order
    cosim::entity_nr_t node = 1; // some node/element number
    cosim.addInDataInfo(node, SPRING_KENN::KNOT, "Inflow boundary condition");
    node = 2;
    cosim.addInDataInfo(node, SPRING_KENN::_1KON, "Fixed temperature");
    // ----
    cosim.addInDataInfo(1, SPRING_KENN::_1KON); // the same node, something else of it
    // ----
    node = 42;
    cosim.addOutDataInfo(node, SPRING_KENN::KNOT, "Outflow boundary condition");
    // ----
    cosim.addOutDataInfo(43, SPRING_KENN::KNOT, "Inflow, elsewhere");
    cosim.addOutDataInfo(42, SPRING_KENN::_1KON, "Temperature");
}

static void send(cosim::manager &cosim, const std::string &way, double currentTime, double nextTimestepSize) {
    if (way == "order") {
        // ---- the first way: values in order
        std::vector<double> values;
        values.push_back(-1000.0);
        // ----
        values.push_back(currentTime);
        values.push_back(12.5);
        // ----
        cosim.write(currentTime, nextTimestepSize, values);
        // ----
        return;
    }
    // ---- the second way: by type and number, in any order
    cosim::entity_nr_t node = 42;
    // ----
    cosim.data[SPRING_KENN::_1KON][node] = cosim::data{node, 12.5, ""};
    cosim.setValue(43, SPRING_KENN::KNOT, currentTime);
    if (way == "key") {
        // ----
        cosim.data[SPRING_KENN::KNOT][node] = cosim::data{node, -1000.0, "Description"};
        // ----
    } else {
        // ---- or
        cosim.setValue(node, SPRING_KENN::KNOT, -1000.0, "Description");
        // ----
    }
    // ---- call write
    cosim.write(currentTime, nextTimestepSize);
    // ----
}

static void simulate(const std::string &cosim_in, const std::string &cosim_out, int skip, int steps,
                     const std::string &way) {
    cosim::manager cosim(cosim_in, cosim_out);
    setUp(cosim);
    double currentTime = 0, inflow = 0, fixed = 0, other = 0;
    const double nextTimestepSize = 60;
    for (int step = 0; step < steps; step++) {
        const bool isNotInitializingAnymore = step >= skip, isLastInitializationTimestepOrLater = step >= skip - 1;
        // ---- the time loop
        if (isNotInitializingAnymore) {
            // read all external boundary conditions
            cosim.read();
            if (!cosim.isTerminated()) // only read boundary conditions if the other simulation is still running
            {
                // ----
                std::cout << "time " << cosim.current_time << " then " << cosim.next_timestep;
                // ----
                cosim::entity_nr_t node = 2;
                fixed = cosim.data[SPRING_KENN::_1KON][node].value;
                node = 1;
                inflow = cosim.data[SPRING_KENN::KNOT][node].value;
                // ----
                other = cosim.data[SPRING_KENN::_1KON][node].value;
                std::cout << " inflow " << inflow << " fixed " << fixed << " other " << other << " text '"
                          << cosim.data[SPRING_KENN::KNOT][node].description << "'" << std::endl;
                // ----
            }
        }
        // ----
        if (cosim.isTerminated()) {
            if (!cosim.data.empty()) std::cout << "data after the end" << std::endl;
            std::cout << "end" << std::endl;
            return;
        }
        // ----
        if (isLastInitializationTimestepOrLater) {
            // prepare for the next timestep
            cosim.prepareNextTimestep();
            // ----
            send(cosim, way, currentTime, nextTimestepSize);
        }
        currentTime += nextTimestepSize;
    }
}
// clang-format on

int main(int argc, char **argv) {
    if (argc != 6) return 2;
    simulate(argv[1], argv[2], std::atoi(argv[3]), std::atoi(argv[4]), argv[5]);
    return 0;
}
