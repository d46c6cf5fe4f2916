/* SPDX-License-Identifier: MIT */
/* test_files.c: exchanges over files against a partner that knows nothing but the text of the protocol: it writes in place,
 * slowly, in pieces, wrongly, or is not there at all. The partner here is this file itself, by stdio.
 */
#define _GNU_SOURCE
#include "exchange_test.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* An exchange that reads n numbers from in.cosim and writes one to out.cosim. */
static sl_cosim *open_files(sl_cosim_def *def, int n) {
    sl_cosim *x = NULL;
    def->in = "in.cosim";
    def->out = "out.cosim";
    assert_int_equal(sl_cosim_open(NULL, def, &x), SL_COSIM_OK);
    for (int i = 0; i < n; i++) {
        assert_int_equal(sl_cosim_add_in(x, i + 1, 0, "in"), SL_COSIM_OK);
    }
    assert_int_equal(sl_cosim_add_out(x, 42, 0, "out"), SL_COSIM_OK);
    return x;
}

/* The partner's part of the end: its END is there, ours is taken when it comes. */
static void *take_end(void *unused) {
    (void)unused;
    for (int i = 0; i < 60000; i++) {
        char *text = file_text("out.cosim");
        if (text) {
            bool end = strcmp(text, "END\n") == 0;
            free(text);
            unlink("out.cosim");
            if (end) {
                return NULL;
            }
        }
        sleep_for(0.001);
    }
    return "no END";
}

static void close_with_partner(sl_cosim *x) {
    pthread_t thread;
    void *failed;
    if (!sl_cosim_is_terminated(x)) {
        file_put("in.cosim", "END\n");
    }
    assert_int_equal(pthread_create(&thread, NULL, take_end, NULL), 0);
    assert_int_equal(sl_cosim_close(x), SL_COSIM_OK);
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
}

static void exchanges(void **state) {
    (void)state;
    folder_enter();
    heard h;
    sl_cosim_def def = heard_def(&h);
    sl_cosim *x = open_files(&def, 2);
    double v, both[3];
    assert_int_equal(sl_cosim_try_read(x), SL_COSIM_AGAIN);
    file_put("in.cosim", "TIME=0\nNEXT_TIMESTEP=1\nhead\n1,2.5,first\n2,NaN,\n");
    assert_int_equal(sl_cosim_read(x), SL_COSIM_OK);
    assert_false(file_exists("in.cosim"));
    sl_assert_double(sl_cosim_time(x), 0);
    sl_assert_double(sl_cosim_next(x), 1);
    assert_int_equal(sl_cosim_value(x, 0, 1, &v), SL_COSIM_OK);
    sl_assert_double(v, 2.5);
    assert_int_equal(sl_cosim_value(x, 0, 2, &v), SL_COSIM_NO_DATA);
    assert_int_equal(sl_cosim_value(x, 1, 1, &v), SL_COSIM_NO_DATA);
    sl_assert_z(sl_cosim_text(x, 0, 1), "first");
    sl_assert_z(sl_cosim_text(x, 0, 2), "in");
    assert_null(sl_cosim_text(x, 7, 7));
    assert_int_equal(sl_cosim_values(x, both, 3), SL_COSIM_OK);
    sl_assert_double(both[0], 2.5);
    sl_assert_double(both[2], NAN);

    assert_int_equal(sl_cosim_prepare(x), SL_COSIM_OK);
    assert_int_equal(sl_cosim_value(x, 0, 1, &v), SL_COSIM_NO_DATA);
    assert_int_equal(sl_cosim_set(x, 42, 0, -1000, "set, here"), SL_COSIM_OK);
    assert_int_equal(sl_cosim_write(x, 0, 1), SL_COSIM_OK);
    char *text = file_text("out.cosim");
    sl_assert_z(text, "TIME=0\nNEXT_TIMESTEP=1\nentity,value,description\n42,-1000,set; here\n");
    free(text);
    unlink("out.cosim");

    assert_int_equal(h.n_warning, 0);
    assert_int_equal(sl_cosim_prepare(x), SL_COSIM_OK);
    assert_int_equal(sl_cosim_write(x, 1, 1), SL_COSIM_OK); /* nothing was set */
    text = file_text("out.cosim");
    sl_assert_z(text, "TIME=1\nNEXT_TIMESTEP=1\nentity,value,description\n42,NaN,out\n");
    free(text);
    unlink("out.cosim");
    assert_true(heard_says(&h, "1 of 1 values are missing"));

    assert_int_equal(sl_cosim_add_in(x, 9, 9, "late"), SL_COSIM_USE);
    file_put("in.cosim", "END");
    assert_int_equal(sl_cosim_read(x), SL_COSIM_END);
    assert_true(sl_cosim_is_terminated(x));
    assert_int_equal(sl_cosim_read(x), SL_COSIM_END);
    assert_int_equal(sl_cosim_write(x, 2, 1), SL_COSIM_OK);
    assert_false(file_exists("out.cosim"));
    sl_cosim_stats s = {.size = sizeof s};
    sl_assert_ok(sl_cosim_get_stats(x, &s));
    assert_int_equal(s.n_read, 1);
    assert_int_equal(s.n_written, 2);
    assert_int_equal(s.n_warning, 1);
    close_with_partner(x);
    folder_leave("");
}

/* The file grows by a byte at a time, in place: what is read is what was meant. */
static void torn_at_every_byte(void **state) {
    (void)state;
    static const char text[] = "TIME=12.5\nNEXT_TIMESTEP=0.5\nentity,value,description\n"
                               "1,1.25,level\n2,-300.5,flow\n3,17,x\n4,1e-7,small\n5,123456.75,last\n";
    static const double value[] = {1.25, -300.5, 17, 1e-7, 123456.75};
    folder_enter();
    heard h;
    sl_cosim_def def = heard_def(&h);
    sl_cosim *x = open_files(&def, 5);
    size_t whole = sizeof text - 1;
    for (size_t n = 0; n < whole; n++) {
        file_put_n("in.cosim", text, n);
        sl_cosim_code code = sl_cosim_try_read(x);
        bool all = n > (size_t)(strstr(text, "123456.75,") - text) + 9;
        assert_int_equal(code, SL_COSIM_AGAIN);
        if (all) { /* all values are there: it is read when it stays as it is, which is sure to be before 5 s */
            sleep_for(n == whole - 1 ? 0.08 : 0);
        }
    }
    assert_int_equal(sl_cosim_try_read(x), SL_COSIM_OK);
    double v[5];
    assert_int_equal(sl_cosim_values(x, v, 5), SL_COSIM_OK);
    for (int i = 0; i < 5; i++) {
        sl_assert_double(v[i], value[i]);
    }
    assert_int_equal(h.n_warning + h.n_error, 0);
    close_with_partner(x);
    folder_leave("");
}

typedef struct slow {
    const char *text;
    int step; /* bytes at a time */
    double pause;
} slow;

static void *write_slowly(void *user) {
    const slow *s = user;
    FILE *f = fopen("in.cosim", "w");
    for (size_t at = 0, n = strlen(s->text); f && at < n; at += (size_t)s->step) {
        fwrite(s->text + at, 1, n - at < (size_t)s->step ? n - at : (size_t)s->step, f);
        fflush(f);
        sleep_for(s->pause);
    }
    if (f) {
        fclose(f);
    }
    return NULL;
}

static void waits_for_slow_writers(void **state) {
    (void)state;
    folder_enter();
    heard h;
    sl_cosim_def def = heard_def(&h);
    sl_cosim *x = open_files(&def, 2);
    slow ways[] = {{"TIME=0\nNEXT_TIMESTEP=1\nhead\n1,1234.5,a\n2,6789.25,b\n", 1, 0.002},
                   {"TIME=1\r\nNEXT_TIMESTEP=1\r\nhead\r\n1,1234.5,a\r\n2,6789.25,b\r\n", 7, 0.01}};
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, write_slowly, &ways[i]), 0);
        assert_int_equal(sl_cosim_read(x), SL_COSIM_OK);
        double v[2];
        assert_int_equal(sl_cosim_values(x, v, 2), SL_COSIM_OK);
        sl_assert_double(v[0], 1234.5);
        sl_assert_double(v[1], 6789.25);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
    assert_int_equal(h.n_warning + h.n_error, 0);
    close_with_partner(x);
    folder_leave("");
}

/* What a partner may do wrong: accepted with a warning, an error when strict, or an error. */
static void says_what_is_odd(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
        double second; /* the second value */
        bool error;    /* always */
    } cases[] = {
        {"TIME=0\r\nNEXT_TIMESTEP=1\r\nh\r\n1,1,\r\n2, 2.5e0 ,\r\n", NULL, 2.5, false},
        {"TIME=0\nNEXT_TIMESTEP=1\nh\n1,1,\n", "has 1 of 2 rows", NAN, false},
        {"TIME=0\nNEXT_TIMESTEP=1\nh\n1,1,\n2,25", "has 1 of 2 rows", NAN, false},
        {"TIME=0\nNEXT_TIMESTEP=1\nh\n1,1,\n2,2,\n3,3,\n", "has 3 rows; the first 2 are used", 2, false},
        {"TIME=0\nNEXT_TIMESTEP=1\n1,1,\n2,2,\n", "no header", 2, false},
        {"TIME=0\nNEXT_TIMESTEP=1\nh\n1,1,5,x\n2,2,7,y\n", "decimal comma", 2, false},
        {"TIME=0\nNEXT_TIMESTEP=1\nh\n1,1,\n2,,\n", "is empty", NAN, false},
        {"TIME=0\nNEXT_TIMESTEP=1\nh\n1,1,\n2,inf,\n", "infinite", INFINITY, false},
        {"TIME=0\nNEXT_TIMESTEP=1\nh\n7,1,\n9,2,\n", "7 instead of 1, 9 instead of 2", 2, false},
        {"TIME=0\nNEXT_TIMESTEP=0\nh\n1,1,\n2,2,\n", "use your own step", 2, false},
        {"TIME=nan\nNEXT_TIMESTEP=1\nh\n1,1,\n2,2,\n", "not finite", 2, false},
        {"TIME=0,5\nNEXT_TIMESTEP=1\nh\n1,1,\n2,2,\n", "decimal comma", 0, true},
        {"rubbish\n", "TIME=<seconds>", 0, true},
        {"TIME=0", "ends before its second line", 0, true},
        {"TIME=0\nNEXT_TIMESTEP=1\nh\n1,1,\n2,x,\n", "value is not a number", 0, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int strict = 0; strict < 2; strict++) {
            folder_enter();
            heard h;
            sl_cosim_def def = heard_def(&h);
            def.strict = strict;
            def.short_wait = 0.05;
            sl_cosim *x = open_files(&def, 2);
            file_put("in.cosim", cases[i].text);
            bool error = cases[i].error || (strict && cases[i].says);
            sl_cosim_code code = sl_cosim_read(x);
            if (code == SL_COSIM_BAD_FORMAT && cases[i].error && h.code != code) {
                fail_msg("the handler heard %d", (int)h.code);
            }
            assert_int_equal(code, error ? SL_COSIM_BAD_FORMAT : SL_COSIM_OK);
            assert_int_equal(h.n_error, error);
            assert_int_equal(h.n_warning, cases[i].says && !error);
            if (cases[i].says) {
                assert_true(heard_says(&h, cases[i].says));
            }
            double v[2];
            assert_int_equal(sl_cosim_values(x, v, 2), SL_COSIM_OK);
            sl_assert_double(v[0], error ? (double)NAN : 1.0);
            sl_assert_double(v[1], error ? (double)NAN : cases[i].second);
            assert_false(file_exists("in.cosim"));
            assert_int_equal(file_exists("in.cosim.bad"), error);
            close_with_partner(x);
            folder_leave(error ? "in.cosim.bad" : "");
        }
    }
}

static void put_time(const char *time, const char *next, int entity) {
    char text[200];
    snprintf(text, sizeof text, "TIME=%s\nNEXT_TIMESTEP=%s\nh\n%d,1,\n", time, next, entity);
    file_put_renamed("in.cosim", text);
}

/* Times by their printed digits; those of the other side; entities that change. */
static void checks_times(void **state) {
    (void)state;
    static const struct {
        const char *time, *next;
        double ours; /* NaN: we do not write */
        const char *says;
    } steps[] = {
        {"1234560", "7", 1234560, NULL},
        {"1.23457e+06", "7", 1234567, NULL}, /* 1234567, printed by a stream */
        {"1234574", "6", 1234574, NULL},
        {"1234590", "1", NAN, "1234580 s was announced"},
        {"1234580", "1", NAN, "before the last"},
        {"1234581.0", "1", 1234600, "ours of 1234600"},
    };
    folder_enter();
    heard h;
    sl_cosim_def def = heard_def(&h);
    sl_cosim *x = open_files(&def, 1);
    double v = 1;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        int before = h.n_warning;
        put_time(steps[i].time, steps[i].next, 1);
        assert_int_equal(sl_cosim_read(x), SL_COSIM_OK);
        if (!isnan(steps[i].ours)) {
            assert_int_equal(sl_cosim_write_values(x, steps[i].ours, 1, &v, 1), SL_COSIM_OK);
            unlink("out.cosim");
        }
        if (h.n_warning != before + (steps[i].says != NULL)) {
            fail_msg("step %zu: %s", i, h.text);
        }
        if (steps[i].says) {
            assert_true(heard_says(&h, steps[i].says));
        }
        h.text[0] = 0;
    }
    int before = h.n_warning;
    put_time("1234582.0", "1", 3);
    assert_int_equal(sl_cosim_read(x), SL_COSIM_OK);
    assert_true(heard_says(&h, "changed since the first message: 3 instead of 1"));
    put_time("1234583.0", "1", 3);
    assert_int_equal(sl_cosim_read(x), SL_COSIM_OK);
    assert_int_equal(h.n_warning, before + 1);
    close_with_partner(x);
    folder_leave("");
}

/* A partner that stamps its messages with the other end of the step is found out once. */
static void finds_the_phase(void **state) {
    (void)state;
    for (int shift = -1; shift <= 1; shift++) {
        folder_enter();
        heard h;
        sl_cosim_def def = heard_def(&h);
        sl_cosim *x = open_files(&def, 1);
        double v = 1;
        for (int k = 0; k < 5; k++) {
            char time[16];
            snprintf(time, sizeof time, "%d.00", 10 * (k + 1 + shift));
            put_time(time, "10.00", 1);
            assert_int_equal(sl_cosim_write_values(x, 10.0 * (k + 1), 10, &v, 1), SL_COSIM_OK);
            unlink("out.cosim");
            assert_int_equal(sl_cosim_read(x), SL_COSIM_OK);
        }
        assert_int_equal(h.n_warning, shift != 0);
        close_with_partner(x);
        folder_leave("");
    }
}

/* The next exchange may be after their step or after ours. */
static void accepts_both_steps(void **state) {
    (void)state;
    folder_enter();
    heard h;
    sl_cosim_def def = heard_def(&h);
    sl_cosim *x = open_files(&def, 1);
    static const char *const times[] = {"0", "60.0", "90.0", "390.0"};
    static const char *const nexts[] = {"60.0", "300.0", "30.0", "30.0"};
    static const double ours[][2] = {{0, 300}, {60, 30}, {90, 300}, {390, 60}};
    for (int k = 0; k < 4; k++) {
        put_time(times[k], nexts[k], 1);
        assert_int_equal(sl_cosim_read(x), SL_COSIM_OK);
        double v = 1;
        assert_int_equal(sl_cosim_write_values(x, ours[k][0], ours[k][1], &v, 1), SL_COSIM_OK);
        unlink("out.cosim");
    }
    assert_int_equal(h.n_warning, 0);
    put_time("777.0", "1.0", 1);
    assert_int_equal(sl_cosim_read(x), SL_COSIM_OK);
    assert_int_equal(h.n_warning, 1);
    close_with_partner(x);
    folder_leave("");
}

static void limits_warnings(void **state) {
    (void)state;
    folder_enter();
    heard h;
    sl_cosim_def def = heard_def(&h);
    sl_cosim *x = open_files(&def, 1);
    for (int k = 0; k < 2100; k++) {
        char text[64];
        snprintf(text, sizeof text, "TIME=%d\nNEXT_TIMESTEP=1\n1,1,\n", k);
        file_put_renamed("in.cosim", text);
        assert_int_equal(sl_cosim_read(x), SL_COSIM_OK);
    }
    assert_int_equal(h.n_warning, 12);
    sl_cosim_stats stats = {.size = sizeof stats};
    sl_assert_ok(sl_cosim_get_stats(x, &stats));
    assert_int_equal(stats.n_warning, 2100);
    close_with_partner(x);
    assert_int_equal(h.n_warning, 13);
    assert_true(heard_says(&h, "2100 warnings in all, 2088 of them not shown"));
    folder_leave("");
}

/* ---- Left-overs --------------------------------------------------------------------------------- */

static const char *const CONTENT[] = {NULL, "END\n", "TIME=100\nNEXT_TIMESTEP=1\nh\n1,1,\n",
                                      "TIME=555\nNEXT_TIMESTEP=1\nh\n1,1,\n", "TIME=100\nNEXT_TIMESTEP=1\nh\n1,1"};
enum { NONE, OLD_END, RIGHT, WRONG, HALF };

static void left_overs(void **state) {
    (void)state;
    for (int content = NONE; content <= HALF; content++) {
        for (int old = 0; old < 2; old++) {
            for (int is_in = 0; is_in < 2; is_in++) {
                for (sl_cosim_stale stale = SL_COSIM_STALE_AUTO; stale <= SL_COSIM_STALE_REFUSE; stale++) {
                    folder_enter();
                    const char *name = is_in ? "in.cosim" : "out.cosim";
                    heard h;
                    sl_cosim_def def = heard_def(&h);
                    def.stale = stale;
                    def.start = 100;
                    def.in = "in.cosim";
                    def.out = "out.cosim";
                    def.short_wait = 0.01;
                    if (CONTENT[content]) {
                        file_put(name, CONTENT[content]);
                        if (old) {
                            file_age(name, 1e6);
                        }
                    }
                    sl_cosim *x = NULL;
                    sl_cosim_code code = sl_cosim_open(NULL, &def, &x);
                    bool refused = stale == SL_COSIM_STALE_REFUSE && content != NONE;
                    assert_int_equal(code, refused ? SL_COSIM_STALE : SL_COSIM_OK);
                    assert_int_equal(h.n_error, refused);
                    bool kept =
                        is_in && content != NONE &&
                        (stale == SL_COSIM_STALE_KEEP || (stale == SL_COSIM_STALE_AUTO && (!old || content == RIGHT)));
                    bool aside = is_in && content != NONE && stale == SL_COSIM_STALE_AUTO && !kept;
                    assert_int_equal(file_exists(name), kept || refused);
                    assert_int_equal(file_exists("in.cosim.stale"), aside);
                    assert_int_equal(h.n_warning, content != NONE && !kept && !refused);
                    if (!refused) {
                        sl_cosim_add_in(x, 1, 0, "");
                        sl_cosim_abort(x);
                        assert_int_equal(sl_cosim_close(x), SL_COSIM_OK);
                        char *text = file_text("out.cosim");
                        sl_assert_z(text, "END\n");
                        free(text);
                    }
                    folder_leave("in.cosim out.cosim in.cosim.stale");
                }
            }
        }
    }
}

/* Time 0 is what is expected when nobody says otherwise. */
static void keeps_a_first_message(void **state) {
    (void)state;
    folder_enter();
    heard h;
    sl_cosim_def def = heard_def(&h);
    file_put("in.cosim", "TIME=0.0\nNEXT_TIMESTEP=1.0\nh\n1,1.0,Fibonacci number\n");
    file_age("in.cosim", 3600);
    sl_cosim *x = open_files(&def, 1);
    assert_int_equal(h.n_warning, 0);
    assert_int_equal(sl_cosim_read(x), SL_COSIM_OK);
    close_with_partner(x);
    folder_leave("");
}

/* Put aside, but the partner lives and our first message has the same time: it was its first message after all. */
static void gives_back(void **state) {
    (void)state;
    folder_enter();
    heard h;
    sl_cosim_def def = heard_def(&h);
    file_put("in.cosim", "TIME=50\nNEXT_TIMESTEP=1\nh\n1,7,\n");
    file_age("in.cosim", 3600);
    sl_cosim *x = open_files(&def, 1);
    assert_true(file_exists("in.cosim.stale"));
    double v = 1;
    assert_int_equal(sl_cosim_write_values(x, 50, 1, &v, 1), SL_COSIM_OK);
    assert_int_equal(sl_cosim_try_read(x), SL_COSIM_AGAIN);
    unlink("out.cosim");
    assert_int_equal(sl_cosim_read(x), SL_COSIM_OK);
    assert_int_equal(sl_cosim_value(x, 0, 1, &v), SL_COSIM_OK);
    sl_assert_double(v, 7);
    close_with_partner(x);
    folder_leave("");
}

static void removes_dead_parts(void **state) {
    (void)state;
    folder_enter();
    pid_t dead = fork();
    if (dead == 0) {
        _exit(0);
    }
    assert_int_equal(waitpid(dead, NULL, 0), dead);
    char gone[64], ours[64];
    snprintf(gone, sizeof gone, "out.cosim.%d.tmp", (int)dead);
    snprintf(ours, sizeof ours, "out.cosim.%d.tmp", (int)getppid());
    file_put(gone, "TIME=");
    file_put(ours, "of a process that lives");
    heard h;
    sl_cosim_def def = heard_def(&h);
    sl_cosim *x = open_files(&def, 1);
    assert_false(file_exists(gone));
    assert_true(file_exists(ours));
    close_with_partner(x);
    folder_leave(ours);
}

/* ---- Names, limits, time-outs ------------------------------------------------------------------- */

static void refuses_names(void **state) {
    (void)state;
    static const struct {
        const char *in, *out, *uri;
        sl_cosim_code code;
    } cases[] = {
        {"a", "a", NULL, SL_COSIM_USE},
        {"a", "./a", NULL, SL_COSIM_USE},
        {"nowhere/a", "b", NULL, SL_COSIM_IO},
        {"a", "", NULL, SL_COSIM_USE},
        {"a", "b", "carrot:x", SL_COSIM_USE},
        {"a", "b", "file", SL_COSIM_USE},
        {"a", "b", "mem:", SL_COSIM_USE},
        {"a", "b", "fd:99,x", SL_COSIM_USE},
        {"a", "b", "fd:987654,987655", SL_COSIM_USE},
        {"a", "b", "pipe:in=x", SL_COSIM_USE},
        {"a", "b", "pipe:in=x;out=nowhere/y", SL_COSIM_IO},
        {"a", "b", "unix:", SL_COSIM_USE},
        {"a", "b", "unix:nowhere/s", SL_COSIM_IO},
        {"a", "b", "shm:x/y", SL_COSIM_USE},
    };
    folder_enter();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heard h;
        sl_cosim_def def = heard_def(&h);
        sl_cosim *x = NULL;
        def.in = cases[i].in;
        def.out = cases[i].out;
        def.uri = cases[i].uri;
        sl_cosim_code code = sl_cosim_open(NULL, &def, &x);
        if (code != cases[i].code || x || h.n_error != 1) {
            fail_msg("case %zu gave %d (%s)", i, (int)code, h.text);
        }
    }
    file_put("plain", "x");
    heard h;
    sl_cosim_def def = heard_def(&h);
    sl_cosim *x = NULL;
    def.uri = "unix:plain";
    assert_int_equal(sl_cosim_open(NULL, &def, &x), SL_COSIM_USE);
    def.uri = "pipe:in=plain;out=other";
    assert_int_equal(sl_cosim_open(NULL, &def, &x), SL_COSIM_USE);
    folder_leave("plain");
}

static void refuses_what_is_not_to_be_read(void **state) {
    (void)state;
    folder_enter();
    heard h;
    sl_cosim_def def = heard_def(&h);
    def.max_bytes = 1000;
    sl_cosim *x = open_files(&def, 1);
    assert_int_equal(mkfifo("in.cosim", 0600), 0); /* opening it must not wait for ever */
    assert_int_equal(sl_cosim_read(x), SL_COSIM_IO);
    unlink("in.cosim");
    char big[2000];
    memset(big, 'x', sizeof big);
    file_put_n("in.cosim", big, sizeof big);
    assert_int_equal(sl_cosim_read(x), SL_COSIM_LIMIT);
    unlink("in.cosim");
    assert_int_equal(sl_cosim_add_in(x, 1, 0, ""), SL_COSIM_USE);
    close_with_partner(x);
    x = open_files(&def, 1);
    assert_int_equal(sl_cosim_add_in(x, 1, 0, ""), SL_COSIM_USE); /* twice */
    assert_int_equal(sl_cosim_add_out(x, 1, 0, ""), SL_COSIM_OK); /* but both ways */
    assert_int_equal(sl_cosim_add_in(x, 1, 1, ""), SL_COSIM_OK);
    assert_int_equal(sl_cosim_write(x, NAN, 1), SL_COSIM_USE);
    close_with_partner(x);
    folder_leave("");
}

static void a_link_is_replaced(void **state) {
    (void)state;
    folder_enter();
    heard h;
    sl_cosim_def def = heard_def(&h);
    file_put("precious", "x");
    assert_int_equal(symlink("precious", "out.cosim"), 0);
    sl_cosim *x = open_files(&def, 1);
    double v = 1;
    assert_int_equal(sl_cosim_write_values(x, 0, 1, &v, 1), SL_COSIM_OK);
    char *text = file_text("precious");
    sl_assert_z(text, "x");
    free(text);
    struct stat st;
    assert_int_equal(lstat("out.cosim", &st), 0);
    assert_true(S_ISREG(st.st_mode));
    close_with_partner(x);
    folder_leave("precious");
}

/* A partner may leave when it has written its END, or taken ours: it cannot know that there is more to come. Nobody waits for
 * it, nothing is said, nothing stays behind. */
static void lets_partners_leave(void **state) {
    (void)state;
    for (int takes = 0; takes < 2; takes++) {
        folder_enter();
        heard h;
        sl_cosim_def def = heard_def(&h);
        sl_cosim *x = open_files(&def, 1);
        double v = 1;
        pthread_t thread;
        void *failed = NULL;
        file_put("in.cosim", "TIME=1\nNEXT_TIMESTEP=1\nhead\n1,2.5,\n");
        assert_int_equal(sl_cosim_read(x), SL_COSIM_OK);
        assert_int_equal(sl_cosim_write_values(x, 1, 1, &v, 1), SL_COSIM_OK);
        if (takes) { /* our last message, and our END */
            assert_int_equal(pthread_create(&thread, NULL, take_end, NULL), 0);
        } else { /* not even the message */
            file_put("in.cosim", "END\n");
        }
        assert_int_equal(sl_cosim_close(x), SL_COSIM_OK);
        if (takes) {
            assert_int_equal(pthread_join(thread, &failed), 0);
        }
        assert_null(failed);
        assert_int_equal(h.n_warning + h.n_error, 0);
        folder_leave("");
    }
}

static void ends_waiting(void **state) {
    (void)state;
    folder_enter();
    heard h;
    sl_cosim_def def = heard_def(&h);
    def.read_timeout = def.write_timeout = 0.02;
    def.close_timeout = 0;
    sl_cosim *x = open_files(&def, 1);
    double v = 1;
    assert_int_equal(sl_cosim_read(x), SL_COSIM_TIMEOUT);
    assert_int_equal(sl_cosim_write_values(x, 0, 1, &v, 1), SL_COSIM_OK);
    assert_int_equal(sl_cosim_write_values(x, 1, 1, &v, 1), SL_COSIM_TIMEOUT);
    assert_int_equal(sl_cosim_close(x), SL_COSIM_TIMEOUT); /* who was waited for in vain is not waited for for ever */
    assert_int_equal(h.n_error, 3);
    folder_leave("");
}

static void sees_a_dead_partner(void **state) {
    (void)state;
    folder_enter();
    heard h;
    sl_cosim_def def = heard_def(&h);
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    def.partner = child;
    sl_cosim *x = open_files(&def, 1);
    put_time("0", "1", 1);
    kill(child, SIGKILL); /* nobody waits for it: it stays as a zombie */
    assert_int_equal(sl_cosim_read(x), SL_COSIM_OK);
    assert_int_equal(sl_cosim_read(x), SL_COSIM_GONE);
    assert_int_equal(sl_cosim_close(x), SL_COSIM_OK);
    assert_int_equal(waitpid(child, NULL, 0), child);
    folder_leave("");
}

/* One of us is known by its lock: its name is not used twice, and its death is seen. */
static void sees_a_dead_lock(void **state) {
    (void)state;
    folder_enter();
    heard h;
    sl_cosim_def def = heard_def(&h);
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        (void)alarm(60); /* does not outlive a test that fails */
        sl_cosim_def theirs = sl_cosim_default();
        sl_cosim *y;
        theirs.in = "out.cosim";
        theirs.out = "in.cosim";
        bool opened = sl_cosim_open(NULL, &theirs, &y) == SL_COSIM_OK;
        ssize_t told = write(ready[1], &opened, 1);
        pause();
        _exit(told != 1);
    }
    bool opened = false;
    assert_int_equal(read(ready[0], &opened, 1), 1);
    assert_true(opened);
    sl_cosim *x = NULL;
    def.in = "out.cosim";
    def.out = "in.cosim";
    assert_int_equal(sl_cosim_open(NULL, &def, &x), SL_COSIM_STALE);
    x = open_files(&def, 1);
    assert_int_equal(sl_cosim_try_read(x), SL_COSIM_AGAIN);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(sl_cosim_read(x), SL_COSIM_GONE);
    assert_int_equal(sl_cosim_close(x), SL_COSIM_OK);
    close(ready[0]);
    close(ready[1]);
    folder_leave(""); /* no lock file stays, whatever ended its owner */
}

/* ---- Long runs ---------------------------------------------------------------------------------- */

typedef struct partner {
    int n;
    bool renames;
    bool failed;
} partner;

/* Echoes the value of what it reads by plain stdio, in place or by renaming; takes END and answers it. */
static void *echo(void *user) {
    partner *p = user;
    for (int k = 0; !p->failed;) {
        char *text = file_text("out.cosim");
        const char *row = text ? strstr(text, "\n42,") : NULL;
        if (row && text[strlen(text) - 1] == '\n') {
            char answer[200];
            snprintf(answer, sizeof answer, "TIME=%d\nNEXT_TIMESTEP=1\nentity,value,description\n1,%g,echo\n", k++,
                     atof(row + 4));
            unlink("out.cosim");
            if (p->renames) {
                file_put_renamed("in.cosim", answer);
            } else {
                file_put("in.cosim", answer);
            }
        } else if (text && strcmp(text, "END\n") == 0) {
            unlink("out.cosim");
            free(text);
            while (file_exists("in.cosim")) {
                sleep_for(0.0002);
            }
            file_put("in.cosim", "END\n");
            p->failed = k != p->n;
            return NULL;
        } else {
            sleep_for(0.0001);
        }
        free(text);
    }
    return NULL;
}

static void long_runs(void **state) {
    (void)state;
    for (int renames = 0; renames < 2; renames++) {
        folder_enter();
        heard h;
        sl_cosim_def def = heard_def(&h);
        sl_cosim *x = open_files(&def, 1);
        partner p = {.n = 3000, .renames = renames};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, echo, &p), 0);
        for (int k = 0; k < p.n; k++) {
            double v = k % 7 + 0.5, back = 0;
            assert_int_equal(sl_cosim_write_values(x, k, 1, &v, 1), SL_COSIM_OK);
            assert_int_equal(sl_cosim_read(x), SL_COSIM_OK);
            assert_int_equal(sl_cosim_value(x, 0, 1, &back), SL_COSIM_OK);
            sl_assert_double(back, v);
        }
        assert_int_equal(sl_cosim_close(x), SL_COSIM_OK);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_false(p.failed);
        assert_int_equal(h.n_warning + h.n_error, 0);
        folder_leave("");
    }
}

/* A partner that never deletes: a message is new when its time is. */
static void overwrites(void **state) {
    (void)state;
    folder_enter();
    heard h;
    sl_cosim_def def = heard_def(&h);
    def.ack = SL_COSIM_ACK_OVERWRITE;
    sl_cosim *x = open_files(&def, 1);
    for (int k = 0; k < 5; k++) {
        char time[16];
        snprintf(time, sizeof time, "%d", k);
        put_time(time, "1", 1);
        assert_int_equal(sl_cosim_read(x), SL_COSIM_OK);
        assert_true(file_exists("in.cosim"));
        assert_int_equal(sl_cosim_try_read(x), SL_COSIM_AGAIN);
        double v = k;
        assert_int_equal(sl_cosim_write_values(x, k, 1, &v, 1), SL_COSIM_OK); /* nobody deletes out.cosim */
    }
    file_put("in.cosim", "END\n");
    assert_int_equal(sl_cosim_read(x), SL_COSIM_END);
    assert_int_equal(sl_cosim_close(x), SL_COSIM_OK);
    char *text = file_text("out.cosim");
    sl_assert_z(text, "END\n");
    free(text);
    assert_int_equal(h.n_warning + h.n_error, 0);
    folder_leave("out.cosim");
}

static void maps_by_entity(void **state) {
    (void)state;
    folder_enter();
    heard h;
    sl_cosim_def def = heard_def(&h);
    def.map_entity = true;
    sl_cosim *x = open_files(&def, 5);
    file_put("in.cosim", "TIME=0\nNEXT_TIMESTEP=1\nh\n5,50,\n3,30,\n1,10,\n9,90,\n2,20,\n");
    assert_int_equal(sl_cosim_read(x), SL_COSIM_OK);
    double v[5];
    assert_int_equal(sl_cosim_values(x, v, 5), SL_COSIM_OK);
    static const double want[] = {10, 20, 30, NAN, 50};
    for (int i = 0; i < 5; i++) {
        sl_assert_double(v[i], want[i]);
    }
    assert_int_equal(h.n_warning, 1);
    assert_true(heard_says(&h, "entity 9"));
    close_with_partner(x);
    folder_leave("");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchanges),
        cmocka_unit_test(torn_at_every_byte),
        cmocka_unit_test(waits_for_slow_writers),
        cmocka_unit_test(says_what_is_odd),
        cmocka_unit_test(checks_times),
        cmocka_unit_test(finds_the_phase),
        cmocka_unit_test(accepts_both_steps),
        cmocka_unit_test(limits_warnings),
        cmocka_unit_test(left_overs),
        cmocka_unit_test(keeps_a_first_message),
        cmocka_unit_test(gives_back),
        cmocka_unit_test(removes_dead_parts),
        cmocka_unit_test(refuses_names),
        cmocka_unit_test(refuses_what_is_not_to_be_read),
        cmocka_unit_test(a_link_is_replaced),
        cmocka_unit_test(lets_partners_leave),
        cmocka_unit_test(ends_waiting),
        cmocka_unit_test(sees_a_dead_partner),
        cmocka_unit_test(sees_a_dead_lock),
        cmocka_unit_test(long_runs),
        cmocka_unit_test(overwrites),
        cmocka_unit_test(maps_by_entity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
