/* yaml_kind.c: by the ending of the name, and a key at the beginning of a line; see yaml_kind.h. */
#include "cli/yaml_kind.h"

#include <stdio.h>
#include <string.h>

static bool is_yaml(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* Comments may come first: a head of some thousand bytes is looked at. */
static bool begins_with_key(const char *path, const char *key) {
    char head[8192];
    FILE *file = fopen(path, "rb");
    size_t n = file ? fread(head, 1, sizeof head - 1, file) : 0;
    head[n] = '\0';
    if (file) {
        (void)fclose(file);
    }
    bool found = strncmp(head, key, strlen(key)) == 0;
    for (const char *line = strchr(head, '\n'); line && !found; line = strchr(line + 1, '\n')) {
        found = strncmp(line + 1, key, strlen(key)) == 0;
    }
    return found;
}

bool sl_is_automaton(const char *path) {
    return is_yaml(path) && begins_with_key(path, "automaton:");
}

bool sl_surge_is_study(const char *path) {
    return is_yaml(path) && !begins_with_key(path, "automaton:");
}
