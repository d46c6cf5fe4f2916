/* SPDX-License-Identifier: MIT */
/* main.c: the program `sluice`, with the built-in kinds of model. */
#include "cli/cli.h"

int main(int argc, char **argv) {
    return sl_cli_main(NULL, argc, argv);
}
