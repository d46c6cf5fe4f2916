/* SPDX-License-Identifier: MIT */
// Without a configuration header types are plain numbers. Handlers hear of everything, and may throw.
//
//     handlers IN OUT      prints what they are told; the partner sends one message that has no value, then one that is wrong
#include <cosim.h>

#include <cmath>
#include <iostream>
#include <stdexcept>
#include <type_traits>

static_assert(std::is_same<cosim::data_info::type_t, int>::value, "types are plain numbers");

static void tellWarning(const std::string &message) {
    std::cout << "warning: " << message << std::endl;
}

static void throwError(const std::string &message) {
    throw std::runtime_error(message);
}

template <typename F> static void expectError(const char *what, F f) {
    try {
        f();
        std::cout << what << ": no error" << std::endl;
    } catch (const std::runtime_error &error) {
        std::cout << what << ": " << error.what() << std::endl;
    }
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    expectError("same files", [] {
        cosim::manager same("a.cosim", "a.cosim");
        same.setErrorHandler(throwError);
        same.addInDataInfo(1, 7);
    });
    {
        cosim::manager nowhere("no/such/in.cosim", "no/such/out.cosim");
        int errors = 0;
        nowhere.setErrorHandler([&errors](const std::string &) { errors++; });
        const bool came = nowhere.read(), went = nowhere.write(0, 1);
        std::cout << "nowhere: " << came << went << nowhere.isTerminated() << errors << std::endl;
    }
    cosim::manager cosim(argv[1], argv[2]);
    cosim.setWarningHandler(tellWarning);
    cosim.setErrorHandler(throwError);
    cosim.addInDataInfo(1, 7, "level");
    cosim.addOutDataInfo(2, 7, "speed");
    cosim.addOutDataInfo(3, 7);
    expectError("twice", [&cosim] { cosim.addInDataInfo(1, 7); });

    cosim.read();
    std::cout << "missing: " << std::isnan(cosim.data[7][1].value) << std::endl;
    cosim.prepareNextTimestep();
    cosim.setValue(3, 7, 1.5);
    cosim.write(cosim.current_time, cosim.next_timestep); // nobody said what 2 is
    expectError("late", [&cosim] { cosim.addInDataInfo(9, 7); });

    cosim.setWarningHandler([](const std::string &) { throw std::runtime_error("a warning"); });
    expectError("throwing warning", [&cosim] {
        cosim.read();
        cosim.prepareNextTimestep();
        cosim.write(cosim.current_time, cosim.next_timestep);
    });
    cosim.setWarningHandler(nullptr); // the default again
    expectError("wrong", [&cosim] { cosim.read(); });
    std::cout << "terminated: " << cosim.isTerminated() << std::endl;
    return 0;
}
