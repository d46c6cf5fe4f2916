/* SPDX-License-Identifier: MIT */
/* limits.c: see limits.h.
 *
 * The limit of memory is the system's own, on everything that a process may write to (RLIMIT_DATA): it holds in libraries too, and
 * what is refused is an allocation, which every caller survives. Sanitizers take so much more that a limit would mean nothing:
 * under them it is not set. Estimates are held against the limit, or against the machine's memory, before work begins.
 */
#include "cli/limits.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/number.h"
#include "base/out.h"
#include "cli/cli.h"
#include "cli/interrupt.h"

static const sl_option options[] = {
    {SL_OPTION_ROW(
        "time-limit", 0, TIME, sl_limits, time, "TIME",
        "stop after this elapsed time: 90 s, 10 min; results up to then are\nwritten and the exit code is 3")},
    {SL_OPTION_ROW("memory", 0, TEXT, sl_limits, memory, "SIZE", "limit of memory: 500 MB, 2 GB; default: none")},
    {SL_OPTION_ROW(
        "effort", 0, NUMBER, sl_limits, effort, "FACTOR",
        "factor for the limits on steps, reports, cells and cases that stop unintentionally\nlong runs, default 1")},
};
const sl_option_table sl_limit_options = SL_OPTION_TABLE(options, sl_limits, NULL);

double sl_limits_machine_memory(void) {
    static const int kinds[] = {RLIMIT_AS, RLIMIT_DATA};
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    double bytes = pages > 0 && size > 0 ? (double)pages * (double)size : 0.0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct rlimit limit;
        bool limited = getrlimit(kinds[i], &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
        bytes = limited && (bytes == 0.0 || (double)limit.rlim_cur < bytes) ? (double)limit.rlim_cur : bytes;
    }
    return bytes;
}

/* "500 MB", "2GB", "1e9": bytes. */
static bool read_size(const char *text, double *bytes) {
    static const struct {
        const char *word;
        double factor;
    } units[] = {{"", 1.0},    {"B", 1.0},      {"kB", 1e3},        {"MB", 1e6},          {"GB", 1e9},
                 {"TB", 1e12}, {"KiB", 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}};
    size_t n = strlen(text), k = n;
    while (k > 0 && ((text[k - 1] | 32) >= 'a' && (text[k - 1] | 32) <= 'z')) {
        k--;
    }
    const char *unit = text + k;
    while (k > 0 && text[k - 1] == ' ') {
        k--;
    }
    if (sl_number_parse((sl_str){text, k}, bytes) != SL_NUMBER_OK) {
        return false;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcasecmp(unit, units[i].word) == 0) {
            *bytes *= units[i].factor;
            return isfinite(*bytes);
        }
    }
    return false;
}

static bool limit_memory(sl_cli *cli, char *why) {
    enum { LEAST = 1 << 24 }; /* [bytes] the program itself takes some 4 MB */
    double bytes;
    if (!read_size(cli->limits.memory, &bytes) || bytes < LEAST) {
        (void)sl_format(why, SL_OPTION_ERROR_MAX, "--memory %s: write a size of at least 16 MiB: 500 MB, 2 GB",
                        cli->limits.memory);
        return false;
    }
    cli->memory = bytes;
#ifdef SL_HEAP_SERVES
    struct rlimit now;
    if (getrlimit(RLIMIT_DATA, &now) == 0 && bytes < (double)now.rlim_max) {
        now.rlim_cur = (rlim_t)bytes;
        (void)setrlimit(RLIMIT_DATA, &now);
    }
#endif
    return true;
}

bool sl_limits_apply(sl_cli *cli, char why[SL_OPTION_ERROR_MAX]) {
    const sl_limits *l = &cli->limits;
    if (l->time.is_given && (l->time.counts_steps || !(l->time.value > 0.0))) {
        (void)sl_format(why, SL_OPTION_ERROR_MAX, "--time-limit %s: write a time above 0: 90 s, 10 min", l->time.text);
        return false;
    }
    if (!(l->effort > 0.0)) {
        (void)sl_format(why, SL_OPTION_ERROR_MAX, "--effort: the factor is above 0; 1 is the default");
        return false;
    }
    if (l->time.is_given) {
        sl_interrupt_limit_time(l->time.value, SL_EXIT_SOLVE);
    }
    if (l->memory && !limit_memory(cli, why)) {
        return false;
    }
    if ((l->memory || l->effort != 1.0) && !sl_cli_set_threads(cli, 1)) {
        (void)sl_format(why, SL_OPTION_ERROR_MAX, "%s", sl_status_text(SL_ERR_MEMORY));
        return false;
    }
    return true;
}
