/* SPDX-License-Identifier: MIT */
/* exchange_test.h: what the tests of exchanges share: a folder, handlers that listen, two ends. */
#ifndef EXCHANGE_TEST_H
#define EXCHANGE_TEST_H

#include "sl_test.h"

#include <sluice/cosim.h>

enum { HEARD = 4096 };

/* What an exchange said. */
typedef struct heard {
    int n_warning, n_error;
    sl_cosim_code code; /* of the last error */
    char text[HEARD];   /* all of it, a line each, as far as there is room */
} heard;

/* Hears nothing at first; a definition that tells it, with time-outs that end a test that hangs. */
sl_cosim_def heard_def(heard *h);
bool heard_says(const heard *h, const char *part);

/* A fresh folder, the working directory from here on; removed at the end, where it must hold nothing but `left` (names
 * separated by blanks, or ""). */
void folder_enter(void);
void folder_leave(const char *left);

void file_put(const char *name, const char *text); /* in place */
void file_put_n(const char *name, const char *text, size_t n);
void file_put_renamed(const char *name, const char *text); /* as a whole */
char *file_text(const char *name);                         /* NULL: there is none; free it */
bool file_exists(const char *name);
void file_age(const char *name, double seconds); /* makes it so much older */

/* Closes both: the ends wait for each other. */
void close_both(sl_cosim *a, sl_cosim *b, sl_cosim_code *code_a, sl_cosim_code *code_b);
/* Two ends of n numbers each way. The URIs may be NULL: files a2b.cosim and b2a.cosim. */
void open_pair(sl_cosim_def *def_a, sl_cosim_def *def_b, const char *uri_a, const char *uri_b, int n, sl_cosim **a,
               sl_cosim **b);
void sleep_for(double seconds);
double now(void);

#endif
