/* SPDX-License-Identifier: MIT */
/* exchange_test.c: see exchange_test.h. */
#define _GNU_SOURCE
#include "exchange_test.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char folder[64];

static void append(heard *h, const char *text) {
    size_t used = strlen(h->text);
    snprintf(h->text + used, sizeof h->text - used, "%s\n", text);
}

static void on_warning(void *user, const char *text) {
    heard *h = user;
    h->n_warning++;
    append(h, text);
}

static void on_error(void *user, sl_cosim_code code, const char *text) {
    heard *h = user;
    h->n_error++;
    h->code = code;
    append(h, text);
}

sl_cosim_def heard_def(heard *h) {
    sl_cosim_def def = sl_cosim_default();
    *h = (heard){0};
    def.warning = on_warning;
    def.error = on_error;
    def.user = h;
    def.read_timeout = def.write_timeout = def.close_timeout = 60;
    return def;
}

bool heard_says(const heard *h, const char *part) {
    if (!strstr(h->text, part)) {
        print_error("nothing like '%s' in\n%s\n", part, h->text);
        return false;
    }
    return true;
}

void folder_enter(void) {
    strcpy(folder, "/tmp/sl_exchange_XXXXXX");
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
}

void folder_leave(const char *left) {
    DIR *dir = opendir(".");
    assert_non_null(dir);
    int surprises = 0;
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) {
            continue;
        }
        size_t n = strlen(e->d_name);
        bool known = false;
        for (const char *p = left; (p = strstr(p, e->d_name)) != NULL && !known; p += n) {
            known = (p == left || p[-1] == ' ') && (p[n] == 0 || p[n] == ' ');
        }
        if (!known) {
            print_error("%s was left behind\n", e->d_name);
            surprises++;
        }
        (void)unlink(e->d_name);
    }
    closedir(dir);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(surprises, 0);
}

void file_put_n(const char *name, const char *text, size_t n) {
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

void file_put(const char *name, const char *text) {
    file_put_n(name, text, strlen(text));
}

void file_put_renamed(const char *name, const char *text) {
    file_put("whole.part", text);
    assert_int_equal(rename("whole.part", name), 0);
}

char *file_text(const char *name) {
    FILE *f = fopen(name, "r");
    if (!f) {
        return NULL;
    }
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    size_t n = fread(text, 1, (1 << 16) - 1, f);
    text[n] = 0;
    fclose(f);
    return text;
}

bool file_exists(const char *name) {
    return access(name, F_OK) == 0;
}

void file_age(const char *name, double seconds) {
    struct timespec t[2];
    assert_int_equal(clock_gettime(CLOCK_REALTIME, &t[0]), 0);
    t[0].tv_sec -= (time_t)seconds;
    t[1] = t[0];
    assert_int_equal(utimensat(AT_FDCWD, name, t, 0), 0);
}

typedef struct closing {
    sl_cosim *x;
    sl_cosim_code code;
} closing;

static void *close_one(void *user) {
    closing *c = user;
    c->code = sl_cosim_close(c->x);
    return NULL;
}

void close_both(sl_cosim *a, sl_cosim *b, sl_cosim_code *code_a, sl_cosim_code *code_b) {
    closing c = {a, SL_COSIM_OK};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, close_one, &c), 0);
    sl_cosim_code code = sl_cosim_close(b);
    assert_int_equal(pthread_join(thread, NULL), 0);
    if (code_a) {
        *code_a = c.code;
    }
    if (code_b) {
        *code_b = code;
    }
    if (!code_a && !code_b) {
        assert_int_equal(c.code, SL_COSIM_OK);
        assert_int_equal(code, SL_COSIM_OK);
    }
}

void open_pair(sl_cosim_def *def_a, sl_cosim_def *def_b, const char *uri_a, const char *uri_b, int n, sl_cosim **a,
               sl_cosim **b) {
    def_a->uri = uri_a;
    def_b->uri = uri_b;
    def_a->in = def_b->out = "b2a.cosim";
    def_a->out = def_b->in = "a2b.cosim";
    assert_int_equal(sl_cosim_open(NULL, def_a, a), SL_COSIM_OK);
    assert_int_equal(sl_cosim_open(NULL, def_b, b), SL_COSIM_OK);
    for (int i = 0; i < n; i++) {
        assert_int_equal(sl_cosim_add_in(*a, i + 1, 0, "from b"), SL_COSIM_OK);
        assert_int_equal(sl_cosim_add_out(*a, i + 1, 0, "from a"), SL_COSIM_OK);
        assert_int_equal(sl_cosim_add_in(*b, i + 1, 0, "from a"), SL_COSIM_OK);
        assert_int_equal(sl_cosim_add_out(*b, i + 1, 0, "from b"), SL_COSIM_OK);
    }
}

void sleep_for(double seconds) {
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&t, NULL);
}

double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
