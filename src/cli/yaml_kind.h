/* SPDX-License-Identifier: MIT */
/* yaml_kind.h: what a .yaml file is about, before it is read. */
#ifndef SL_CLI_YAML_KIND_H
#define SL_CLI_YAML_KIND_H

#include <stdbool.h>

/* A file .yaml or .yml that has `automaton:` among its first lines; any other such file is taken for a study of surges, whose
 * reader tells what is wrong with it. */
bool sl_is_automaton(const char *path);
bool sl_surge_is_study(const char *path);

#endif
