/* SPDX-License-Identifier: MIT */
/* yaml_kind.c: by the ending of the name, and a key at the beginning of a line; see yaml_kind.h. */
#include "cli/yaml_kind.h"

#include <stdio.h>
#include <string.h>

static bool is_yaml(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* key: or "key": */
static bool is_key(const char *line, const char *key) {
    char quote = *line == '"' || *line == '\'' ? *line : '\0';
    size_t n = strlen(key);
    line += quote ? 1 : 0;
    if (strncmp(line, key, n) != 0 || (quote && line[n] != quote)) {
        return false;
    }
    line += n + (quote ? 1 : 0);
    return line[strspn(line, " ")] == ':';
}

/* Anywhere at the beginning of a line: comments may come first, and programs sort keys. */
static bool has_key(const char *path, const char *key) {
    static const char mark[] = "\xEF\xBB\xBF"; /* of UTF-8, before the first line */
    char line[256];
    FILE *file = fopen(path, "rb");
    bool found = false, begins = true, first = true;
    while (file && !found && fgets(line, sizeof line, file)) {
        found = begins && is_key(first && strncmp(line, mark, 3) == 0 ? line + 3 : line, key);
        begins = strchr(line, '\n') != NULL;
        first = false;
    }
    if (file) {
        (void)fclose(file);
    }
    return found;
}

bool sl_is_automaton(const char *path) {
    return is_yaml(path) && has_key(path, "automaton");
}

bool sl_surge_is_study(const char *path) {
    return is_yaml(path) && !has_key(path, "automaton");
}
