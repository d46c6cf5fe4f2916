/* SPDX-License-Identifier: MIT */
// Writes large messages until it is ended: in its only thread, or in a second one while the first takes the signals.
//
//     terminate IN OUT alone|thread
#include <cosim.h>

#include <thread>

static const int N = 20000;

int main(int argc, char **argv) {
    if (argc != 4) return 1;
    const auto run = [&] {
        cosim::manager cosim(argv[1], argv[2]);
        for (int i = 0; i < N; i++) cosim.addOutDataInfo(i, 0, std::string(200, 'x'));
        for (int step = 0;; step++) cosim.write(step, 1, std::vector<double>(N, step + 0.1));
    };
    if (argv[3] == std::string("alone")) run();
    std::thread(run).join();
}
