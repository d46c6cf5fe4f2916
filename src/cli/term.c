/* SPDX-License-Identifier: MIT */
/* term.c: what a file descriptor can show. */
#include "cli/term.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool sl_term_is_terminal(int fd) {
    const char *term = getenv("TERM");
    return isatty(fd) && !(term && strcmp(term, "dumb") == 0);
}

bool sl_term_wants_colour(void) {
    const char *no = getenv("NO_COLOR");
    return !(no && *no);
}

int sl_term_width(int fd) {
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}
