/* SPDX-License-Identifier: MIT */
// The command line that echo and fibonacci share. Real programs have configuration files for this.
#ifndef COSIM_EXAMPLES_OPTIONS_H
#define COSIM_EXAMPLES_OPTIONS_H

#include <charconv>
#include <cstdlib>
#include <iostream>
#include <string>

struct options {
    long n = 10;         // time steps
    long skip = 0;       // steps at the beginning that do not read
    std::string in, out; // files
};

[[noreturn]] inline void usage(const std::string &program, const std::string &wrong) {
    std::cerr << program << ": " << wrong << "\n\n"
              << "usage: " << program << " [-n STEPS] [-skip STEPS] -in FILE -out FILE\n"
              << "  -n STEPS     how many time steps to do (10)\n"
              << "  -skip STEPS  how many of them, at the beginning, do not wait for the partner (0)\n"
              << "  -in FILE     what the partner writes: its -out\n"
              << "  -out FILE    what the partner reads: its -in\n\n"
              << "Start both in the same folder, in any order; one of the two has to skip a step:\n"
              << "  echo -n 10 -in fibonacci.cosim -out echo.cosim\n"
              << "  fibonacci -n 10 -skip 1 -in echo.cosim -out fibonacci.cosim\n";
    std::exit(EXIT_FAILURE);
}

inline long whole_number(const std::string &program, const std::string &option, const std::string &text) {
    long number = 0;
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end || number < 0)
        usage(program, option + " wants a whole number of steps, not '" + text + "'");
    return number;
}

inline options parse(const std::string &program, int argc, char **argv) {
    options o;
    for (int i = 1; i < argc; i += 2) {
        const std::string option = argv[i];
        if (option != "-n" && option != "-skip" && option != "-in" && option != "-out")
            usage(program, "there is no option '" + option + "'");
        if (i + 1 == argc) usage(program, option + " wants a value after it");
        const std::string value = argv[i + 1];
        if (option == "-n") o.n = whole_number(program, option, value);
        if (option == "-skip") o.skip = whole_number(program, option, value);
        if (option == "-in") o.in = value;
        if (option == "-out") o.out = value;
    }
    if (o.in.empty() || o.out.empty()) usage(program, "-in and -out are both needed: the partner must know them too");
    return o;
}

#endif
