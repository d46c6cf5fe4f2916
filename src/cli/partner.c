/* SPDX-License-Identifier: MIT */
/* partner.c: a partner program started and watched by us; see partner.h.
 *
 * Three processes: we, the partner in a process group of its own, and the guard. The guard holds one end of a pipe; when
 * the other one closes, because we are done or because we were killed, it kills the partner's group, removes the directory
 * and goes. The kernel kills the partner itself at our death (PR_SET_PDEATHSIG), what it started is the guard's.
 */
#define _GNU_SOURCE /* nftw */
#include "cli/partner.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static const double patience = 5.0;   /* for a partner that was told the end [s] */
static const double last_words = 1.0; /* after SIGTERM [s] */

/* ---- The guard ---------------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where) {
    (void)st, (void)kind, (void)where;
    return remove(path);
}

/* Reads process groups from the pipe, the last one counts, until it closes. */
static void guard(int leash, const char *dir) {
    static const int deaf[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof deaf / sizeof *deaf; i++) {
        signal(deaf[i], SIG_IGN); /* NOLINT: it ends when we do */
    }
    pid_t group = 0;
    ssize_t n;
    do {
        n = read(leash, &group, sizeof group);
    } while (n > 0 || (n < 0 && errno == EINTR));
    if (group > 1) {
        kill(-group, SIGKILL);
    }
    (void)nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    _exit(0);
}

static int start_guard(sl_partner *p) {
    int ends[2];
    if (pipe(ends) != 0) {
        return errno;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    p->guard = fork();
    if (p->guard == 0) {
        setpgid(0, 0);
        close(ends[1]);
        guard(ends[0], p->dir);
    }
    close(ends[0]);
    if (p->guard < 0) {
        int error = errno;
        close(ends[1]);
        return error;
    }
    p->leash = ends[1];
    return 0;
}

static void report_guard(const sl_partner *p, pid_t group) {
    (void)!write(p->leash, &group, sizeof group);
}

int sl_partner_prepare(sl_partner *p, sl_cli *cli, const char *in, const char *out) {
    *p = (sl_partner){.cli = cli, .leash = -1};
    if (strchr(in, '/') || strchr(out, '/')) {
        sl_cli_message(
            cli,
            "`in` and `out` must be plain names, without folders: with a partner after -- they are in a private directory");
        return SL_EXIT_INPUT;
    }
    const char *root = getenv("TMPDIR");
    root = root && root[0] == '/' && strlen(root) < 400 ? root : "/tmp";
    snprintf(p->dir, sizeof p->dir, "%s/sluice-XXXXXX", root);
    if (!mkdtemp(p->dir)) {
        sl_cli_message(cli, "cannot make a directory in %s: %s", root, strerror(errno));
        p->dir[0] = '\0';
        return SL_EXIT_WORLD;
    }
    snprintf(p->in, sizeof p->in, "%s/%s", p->dir, in);
    snprintf(p->out, sizeof p->out, "%s/%s", p->dir, out);
    int error = start_guard(p);
    if (error) {
        sl_cli_message(cli, "cannot start a process: %s", strerror(error));
        (void)rmdir(p->dir);
        p->dir[0] = '\0';
        return SL_EXIT_WORLD;
    }
    return SL_EXIT_FINE;
}

/* ---- The partner -------------------------------------------------------------------------------- */

/* The argument with names in braces replaced; NULL: no memory. The caller frees. */
static char *replaced(const sl_partner *p, const char *arg, const char *here) {
    const char *const names[][2] = {{"{in}", p->out}, {"{out}", p->in}, {"{dir}", p->dir}, {"{here}", here}};
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    while (f && *arg) {
        size_t i = 0, n_name = sizeof names / sizeof *names;
        while (i < n_name && strncmp(arg, names[i][0], strlen(names[i][0])) != 0) {
            i++;
        }
        fputs(i < n_name ? names[i][1] : (char[]){*arg, '\0'}, f);
        arg += i < n_name ? strlen(names[i][0]) : 1;
    }
    if (!f || fclose(f) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static void free_texts(char **argv) {
    for (int i = 0; argv && argv[i]; i++) {
        free(argv[i]);
    }
    free(argv);
}

/* Arguments as the partner gets them. A program given by a path is found from here, not from its directory. */
static char **arguments(const sl_partner *p, char **argv) {
    char here[PATH_MAX], path[PATH_MAX];
    int n = 0;
    while (argv[n]) {
        n++;
    }
    char **made = calloc((size_t)n + 1, sizeof *made);
    bool fine = made && getcwd(here, sizeof here);
    for (int i = 0; i < n && fine; i++) {
        bool program = i == 0 && strchr(argv[0], '/') && argv[0][0] != '{' && realpath(argv[0], path);
        made[i] = replaced(p, program ? path : argv[i], here);
        fine = made[i] != NULL;
    }
    if (!fine) {
        free_texts(made);
        return NULL;
    }
    return made;
}

/* In the child: never returns. What goes wrong is written to `report`. */
static void become(const sl_partner *p, char **argv, pid_t parent, int report, bool to_stderr) {
    setpgid(0, 0);
#ifdef __linux__ /* elsewhere a partner outlives a program that is killed */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    signal(SIGPIPE, SIG_DFL); /* NOLINT: as programs expect it */
    signal(SIGXFSZ, SIG_DFL); /* NOLINT: likewise */
    int null = open("/dev/null", O_RDONLY);
    bool fine = argv[0] && getppid() == parent && null >= 0 && dup2(null, STDIN_FILENO) >= 0 &&
                (!to_stderr || dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) && chdir(p->dir) == 0;
    if (fine) {
        execvp(argv[0], argv);
    }
    int error = errno;
    (void)!write(report, &error, sizeof error);
    _exit(127);
}

int sl_partner_start(sl_partner *p, char **argv, bool to_stderr) {
    int ends[2], error = 0;
    char **made = arguments(p, argv);
    p->name = argv[0];
    if (!made || pipe(ends) != 0) {
        free_texts(made);
        sl_cli_message(p->cli, "cannot start %s: %s", argv[0], strerror(errno));
        return SL_EXIT_WORLD;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    sl_cli_flush(p->cli);
    pid_t parent = getpid();
    p->pid = fork();
    if (p->pid == 0) {
        become(p, made, parent, ends[1], to_stderr);
    }
    error = p->pid < 0 ? errno : 0;
    close(ends[1]);
    if (p->pid > 0) {
        setpgid(p->pid, p->pid);
        report_guard(p, p->pid);
        ssize_t n;
        do {
            n = read(ends[0], &error, sizeof error); /* closes at exec */
        } while (n < 0 && errno == EINTR);
        error = n == (ssize_t)sizeof error ? error : 0;
    }
    close(ends[0]);
    free_texts(made);
    if (error) {
        sl_cli_message(p->cli, "cannot start %s: %s", argv[0],
                       error == ENOENT
                           ? "there is no such program; a path is taken from here, other arguments need {here}/"
                           : strerror(error));
        return SL_EXIT_WORLD;
    }
    return SL_EXIT_FINE;
}

/* ---- The end ------------------------------------------------------------------------------------ */

/* Waits until it has ended, without reaping: its process id stays its own until its group is gone. */
static bool wait_for(pid_t pid, double seconds) {
    const struct timespec nap = {.tv_nsec = 2000000};
    for (int i = 0; i <= (int)(seconds / 0.002); i++) {
        siginfo_t info = {0};
        if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid) {
            return true;
        }
        (void)nanosleep(&nap, NULL);
    }
    return false;
}

/* How it ended; told when not well. */
static int report_end(sl_partner *p, int status, bool forced) {
    if (forced) {
        sl_cli_message(p->cli, "the partner %s did not end by itself and was ended", p->name);
    } else if (WIFSIGNALED(status)) {
        sl_cli_message(p->cli, "the partner %s was ended by signal %d (%s)", p->name, WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
    } else if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
        sl_cli_message(p->cli, "the partner %s ended with exit code %d", p->name, WEXITSTATUS(status));
    } else {
        return SL_EXIT_FINE;
    }
    return SL_EXIT_WORLD;
}

int sl_partner_end(sl_partner *p, bool hurry) {
    int code = SL_EXIT_FINE, status = 0;
    if (p->pid > 0) {
        bool forced = !wait_for(p->pid, hurry ? last_words : patience);
        if (forced) {
            kill(-p->pid, SIGTERM);
            (void)wait_for(p->pid, last_words);
        }
        kill(-p->pid, SIGKILL); /* what it left behind, or itself */
        report_guard(p, 0);
        pid_t got;
        do {
            got = waitpid(p->pid, &status, 0);
        } while (got < 0 && errno == EINTR);
        code = report_end(p, status, forced);
        p->pid = 0;
    }
    if (p->leash >= 0) {
        close(p->leash);
        p->leash = -1;
        while (waitpid(p->guard, NULL, 0) < 0 && errno == EINTR) {}
    }
    return code;
}
