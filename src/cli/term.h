/* SPDX-License-Identifier: MIT */
/* term.h: what a file descriptor can show. */
#ifndef SL_CLI_TERM_H
#define SL_CLI_TERM_H

#include <stdbool.h>

/* A terminal that understands control sequences (TERM is not "dumb"). */
bool sl_term_is_terminal(int fd);
/* NO_COLOR is unset or empty (https://no-color.org). */
bool sl_term_wants_colour(void);
/* Columns; 80 when unknown. */
int sl_term_width(int fd);

#endif
