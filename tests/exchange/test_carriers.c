/* SPDX-License-Identifier: MIT */
/* test_carriers.c: every carrier passes the same tests, between two ends in one thread where that is possible, between two
 * processes, and with a partner that is killed.
 */
#define _GNU_SOURCE
#include "exchange_test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct carrier {
    const char *name;
    bool one_thread; /* two ends in one thread are possible */
} carrier;

static const carrier CARRIERS[] = {{"file", true}, {"mem", true},  {"fd pipes", true}, {"fd socket", true},
                                   {"pipe", true}, {"unix", true}, {"shm", true}};
enum { N_CARRIER = sizeof CARRIERS / sizeof *CARRIERS };

/* URIs of both ends; descriptors are made here. */
static void uris(const char *name, char a[64], char b[64], int fds[4]) {
    static int counter;
    memset(fds, -1, 4 * sizeof *fds);
    if (strcmp(name, "fd pipes") == 0) {
        int ab[2], ba[2];
        assert_int_equal(pipe(ab), 0);
        assert_int_equal(pipe(ba), 0);
        snprintf(a, 64, "fd:%d,%d", ba[0], ab[1]);
        snprintf(b, 64, "fd:%d,%d", ab[0], ba[1]);
        memcpy(fds, (int[4]){ba[0], ab[1], ab[0], ba[1]}, 4 * sizeof *fds);
    } else if (strcmp(name, "fd socket") == 0) {
        int pair[2];
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
        snprintf(a, 64, "fd:%d", pair[0]);
        snprintf(b, 64, "fd:%d,%d", pair[1], pair[1]);
        fds[0] = pair[0];
        fds[2] = pair[1];
    } else if (strcmp(name, "file") == 0 || strcmp(name, "pipe") == 0) {
        snprintf(a, 64, "%s:in=b2a;out=a2b", name);
        snprintf(b, 64, "%s:in=a2b;out=b2a", name);
    } else {
        snprintf(a, 64, "%s:sl-test-%d-%d", name, (int)getpid(), counter++);
        strcpy(b, a);
    }
}

static void same_everywhere(void **state) {
    (void)state;
    static const double values[] = {0.1, -1e300, 5e-324};
    for (int c = 0; c < N_CARRIER; c++) {
        for (int binary = 0; binary < 2; binary++) {
            folder_enter();
            char uri_a[64], uri_b[64];
            int fds[4];
            uris(CARRIERS[c].name, uri_a, uri_b, fds);
            heard ha, hb;
            sl_cosim_def da = heard_def(&ha), db = heard_def(&hb);
            da.binary = binary;
            db.binary = binary;
            sl_cosim *a, *b;
            open_pair(&da, &db, uri_a, uri_b, 3, &a, &b);
            assert_int_equal(sl_cosim_try_read(a), SL_COSIM_AGAIN);
            for (int k = 0; k < 20; k++) {
                double got[3], t = k / 3.0;
                assert_int_equal(sl_cosim_write_values(a, t, 1 / 3.0, values, 3), SL_COSIM_OK);
                assert_int_equal(sl_cosim_try_read(a), SL_COSIM_AGAIN);
                assert_int_equal(sl_cosim_read(b), SL_COSIM_OK);
                sl_assert_double(sl_cosim_time(b), t);
                sl_assert_z(sl_cosim_text(b, 0, 1), "from a");
                assert_int_equal(sl_cosim_values(b, got, 3), SL_COSIM_OK);
                assert_int_equal(sl_cosim_write_values(b, t, 1 / 3.0, got, 3), SL_COSIM_OK);
                assert_int_equal(sl_cosim_read(a), SL_COSIM_OK);
                assert_int_equal(sl_cosim_values(a, got, 3), SL_COSIM_OK);
                for (int i = 0; i < 3; i++) {
                    sl_assert_bits(got[i], values[i]);
                }
            }
            assert_int_equal(sl_cosim_write_values(a, 20 / 3.0, 1, values, 3), SL_COSIM_OK);
            sl_cosim_code code_a, code_b;
            close_both(a, b, &code_a, &code_b);
            if (code_a != SL_COSIM_OK || code_b != SL_COSIM_OK ||
                ha.n_warning + hb.n_warning + ha.n_error + hb.n_error > 0) {
                fail_msg("%s: %d %d\n%s%s", CARRIERS[c].name, (int)code_a, (int)code_b, ha.text, hb.text);
            }
            folder_leave("");
        }
    }
}

/* Lists that do not fit are an error before the first step. */
static void greets(void **state) {
    (void)state;
    heard ha, hb;
    sl_cosim_def da = heard_def(&ha), db = heard_def(&hb);
    sl_cosim *a, *b;
    open_pair(&da, &db, "mem:greet", "mem:greet", 2, &a, &b);
    assert_int_equal(sl_cosim_add_in(b, 99, 0, "one more"), SL_COSIM_OK);
    double v[2] = {1, 2};
    assert_int_equal(sl_cosim_write_values(a, 0, 1, v, 2), SL_COSIM_OK);
    assert_int_equal(sl_cosim_read(b), SL_COSIM_BAD_FORMAT);
    assert_true(heard_says(&hb, "writes 2 values where we read 3"));
    close_both(a, b, NULL, NULL);
}

/* Megabytes both ways at once: whoever waits to write also reads. */
static void large_messages(void **state) {
    (void)state;
    enum { N = 100000 };
    double *v = malloc(N * sizeof *v), *got = malloc(N * sizeof *got);
    assert_non_null(v);
    assert_non_null(got);
    uint64_t random = 7;
    for (int i = 0; i < N; i++) {
        v[i] = sl_test_unit(&random) - 0.5;
    }
    for (int c = 0; c < N_CARRIER; c++) {
        folder_enter();
        char uri_a[64], uri_b[64];
        int fds[4];
        uris(CARRIERS[c].name, uri_a, uri_b, fds);
        pid_t child = -1;
        bool threads = strcmp(CARRIERS[c].name, "mem") == 0;
        heard h, hb;
        sl_cosim_def def = heard_def(&h), other = heard_def(&hb);
        def.binary = other.binary = c % 2;
        if (threads) { /* one thread is enough: it has room for a whole message */
            sl_cosim *a, *b;
            open_pair(&def, &other, uri_a, uri_b, N, &a, &b);
            assert_int_equal(sl_cosim_write_values(a, 0, 1, v, N), SL_COSIM_OK);
            assert_int_equal(sl_cosim_write_values(b, 0, 1, v, N), SL_COSIM_OK);
            assert_int_equal(sl_cosim_read(a), SL_COSIM_OK);
            assert_int_equal(sl_cosim_values(a, got, N), SL_COSIM_OK);
            assert_memory_equal(v, got, N * sizeof *v);
            close_both(a, b, NULL, NULL);
            folder_leave("");
            continue;
        }
        child = fork();
        bool is_child = child == 0;
        for (int i = 0; i < 4; i++) {
            if (fds[i] >= 0 && (i >= 2) != is_child) {
                close(fds[i]);
            }
        }
        sl_cosim *x;
        def.uri = is_child ? uri_b : uri_a;
        bool ok = sl_cosim_open(NULL, &def, &x) == SL_COSIM_OK;
        for (int i = 0; i < N && ok; i++) {
            ok = sl_cosim_add_in(x, i, 0, "") == SL_COSIM_OK && sl_cosim_add_out(x, i, 0, "a variable") == SL_COSIM_OK;
        }
        for (int k = 0; k < 3 && ok; k++) { /* both write, then both read */
            ok = sl_cosim_write_values(x, k, 1, v, N) == SL_COSIM_OK && sl_cosim_read(x) == SL_COSIM_OK &&
                 sl_cosim_values(x, got, N) == SL_COSIM_OK && memcmp(v, got, N * sizeof *v) == 0;
        }
        ok = ok && sl_cosim_close(x) == SL_COSIM_OK && h.n_warning + h.n_error == 0;
        if (is_child) {
            if (!ok) {
                fprintf(stderr, "%s (child): %s\n", CARRIERS[c].name, h.text);
            }
            free(v);
            free(got);
            _exit(!ok);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (!ok || status != 0) {
            fail_msg("%s: %s", CARRIERS[c].name, h.text);
        }
        folder_leave("");
    }
    free(v);
    free(got);
}

static void a_hundred_thousand(void **state) {
    (void)state;
    heard ha, hb;
    sl_cosim_def da = heard_def(&ha), db = heard_def(&hb);
    sl_cosim *a, *b;
    open_pair(&da, &db, "mem:many", "mem:many", 1, &a, &b);
    for (int k = 0; k < 100000; k++) {
        double v = k + 0.25, back;
        assert_int_equal(sl_cosim_write_values(a, k, 1, &v, 1), SL_COSIM_OK);
        assert_int_equal(sl_cosim_read(b), SL_COSIM_OK);
        assert_int_equal(sl_cosim_value(b, 0, 1, &v), SL_COSIM_OK);
        assert_int_equal(sl_cosim_write_values(b, k, 1, &v, 1), SL_COSIM_OK);
        assert_int_equal(sl_cosim_read(a), SL_COSIM_OK);
        assert_int_equal(sl_cosim_value(a, 0, 1, &back), SL_COSIM_OK);
        sl_assert_double(back, k + 0.25);
    }
    sl_cosim_stats stats = {.size = sizeof stats};
    sl_assert_ok(sl_cosim_get_stats(a, &stats));
    assert_int_equal(stats.n_read, 100000);
    close_both(a, b, NULL, NULL);
    assert_int_equal(ha.n_warning + hb.n_warning + ha.n_error + hb.n_error, 0);
}

/* A partner that is killed is missed at once, whatever we are doing, and no signal comes of it. */
static void kills(void **state) {
    (void)state;
    for (int c = 0; c < N_CARRIER; c++) {
        if (strcmp(CARRIERS[c].name, "mem") == 0) {
            continue;
        }
        for (int writing = 0; writing < 2; writing++) {
            folder_enter();
            char uri_a[64], uri_b[64];
            int fds[4];
            uris(CARRIERS[c].name, uri_a, uri_b, fds);
            pid_t child = fork();
            if (child == 0) { /* answers until it is killed */
                for (int i = 0; i < 2; i++) {
                    close(fds[i]);
                }
                sl_cosim_def def = sl_cosim_default();
                sl_cosim *y;
                def.uri = uri_b;
                if (sl_cosim_open(NULL, &def, &y) != SL_COSIM_OK) {
                    _exit(1);
                }
                sl_cosim_add_in(y, 1, 0, "");
                sl_cosim_add_out(y, 1, 0, "");
                for (double v = 0; sl_cosim_read(y) == SL_COSIM_OK;) {
                    sl_cosim_write_values(y, sl_cosim_time(y), 1, &v, 1);
                    if (sl_cosim_time(y) >= 5) {
                        pause();
                    }
                }
                _exit(0);
            }
            for (int i = 2; i < 4; i++) {
                close(fds[i]);
            }
            heard h;
            sl_cosim_def def = heard_def(&h);
            def.uri = uri_a;
            sl_cosim *x;
            assert_int_equal(sl_cosim_open(NULL, &def, &x), SL_COSIM_OK);
            sl_cosim_add_in(x, 1, 0, "");
            sl_cosim_add_out(x, 1, 0, "");
            double v = 1;
            for (int k = 0; k <= 5; k++) {
                assert_int_equal(sl_cosim_write_values(x, k, 1, &v, 1), SL_COSIM_OK);
                assert_int_equal(sl_cosim_read(x), SL_COSIM_OK);
            }
            assert_int_equal(sl_cosim_try_read(x), SL_COSIM_AGAIN);
            sleep_for(0.12); /* over files we have to have seen that it lives */
            assert_int_equal(sl_cosim_try_read(x), SL_COSIM_AGAIN);
            kill(child, SIGKILL);
            assert_int_equal(waitpid(child, NULL, 0), child);
            sl_cosim_code code = SL_COSIM_OK;
            double begin = now();
            for (int k = 6; k < 100000 && code == SL_COSIM_OK; k++) {
                code = writing ? sl_cosim_write_values(x, k, 1, &v, 1) : sl_cosim_read(x);
            }
            if (code != SL_COSIM_GONE || now() - begin > 20) { /* less than a second, on a machine that has time */
                fail_msg("%s: %d %s", CARRIERS[c].name, (int)code, h.text);
            }
            assert_int_equal(sl_cosim_close(x), SL_COSIM_OK);
            folder_leave("a2b b2a"); /* what the dead one had made */
        }
    }
}

static void tells_the_end_at_once(void **state) {
    (void)state;
    for (int c = 0; c < N_CARRIER; c++) {
        folder_enter();
        char uri_a[64], uri_b[64];
        int fds[4];
        uris(CARRIERS[c].name, uri_a, uri_b, fds);
        heard ha, hb;
        sl_cosim_def da = heard_def(&ha), db = heard_def(&hb);
        sl_cosim *a, *b;
        open_pair(&da, &db, uri_a, uri_b, 1, &a, &b);
        double v = 1;
        assert_int_equal(sl_cosim_write_values(a, 0, 1, &v, 1), SL_COSIM_OK);
        assert_int_equal(sl_cosim_read(b), SL_COSIM_OK);
        assert_int_equal(sl_cosim_write_values(b, 0, 1, &v, 1), SL_COSIM_OK);
        sl_cosim_abort(a);
        sl_cosim_abort(a);
        assert_int_equal(sl_cosim_read(a), SL_COSIM_END);
        assert_int_equal(sl_cosim_write_values(a, 1, 1, &v, 1), SL_COSIM_OK);
        sl_cosim_code code = sl_cosim_read(b);
        if (code != SL_COSIM_END) {
            fail_msg("%s: %d %s", CARRIERS[c].name, (int)code, hb.text);
        }
        assert_int_equal(sl_cosim_close(a), SL_COSIM_OK);
        assert_int_equal(sl_cosim_close(b), SL_COSIM_OK); /* nobody answers, and nobody is waited for */
        assert_int_equal(ha.n_warning + hb.n_warning + ha.n_error + hb.n_error, 0);
        folder_leave("");
    }
}

/* What is no frame ends a stream; what is said before is heard. */
static void refuses_rubbish(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        sl_cosim_code code;
    } cases[] = {{"rubbish", SL_COSIM_BAD_FORMAT},
                 {"COSIM/1 999999999\n", SL_COSIM_LIMIT},
                 {"COSIM/1 8\nrubbish\n", SL_COSIM_BAD_FORMAT},
                 {"COSIM/1 4\nEND\n", SL_COSIM_END},
                 {"COSIM/1 4\nEN", SL_COSIM_GONE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int pair[2];
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
        heard h;
        sl_cosim_def def = heard_def(&h);
        char uri[32];
        snprintf(uri, sizeof uri, "fd:%d", pair[0]);
        def.uri = uri;
        sl_cosim *x;
        assert_int_equal(sl_cosim_open(NULL, &def, &x), SL_COSIM_OK);
        ssize_t n = (ssize_t)strlen(cases[i].bytes);
        assert_int_equal(write(pair[1], cases[i].bytes, (size_t)n), n);
        shutdown(pair[1], SHUT_WR);
        assert_int_equal(sl_cosim_read(x), cases[i].code);
        close(pair[1]);
        (void)sl_cosim_close(x);
    }
}

/* The lists and names of a dead pair do not disturb the next one. */
static void begins_again(void **state) {
    (void)state;
    static const char *const schemes[] = {"unix", "shm", "pipe"};
    folder_enter();
    for (int i = 0; i < 3; i++) {
        char uri_a[64], uri_b[64];
        int fds[4];
        uris(schemes[i], uri_a, uri_b, fds);
        pid_t child = fork();
        if (child == 0) { /* opens, and is killed while it waits */
            sl_cosim_def def = sl_cosim_default();
            sl_cosim *y;
            def.uri = uri_b;
            if (sl_cosim_open(NULL, &def, &y) == SL_COSIM_OK) {
                raise(SIGKILL);
            }
            _exit(0);
        }
        assert_int_equal(waitpid(child, NULL, 0), child);
        heard ha, hb;
        sl_cosim_def da = heard_def(&ha), db = heard_def(&hb);
        sl_cosim *a, *b;
        open_pair(&da, &db, uri_a, uri_b, 1, &a, &b);
        double v = 3;
        assert_int_equal(sl_cosim_write_values(a, 0, 1, &v, 1), SL_COSIM_OK);
        assert_int_equal(sl_cosim_read(b), SL_COSIM_OK);
        close_both(a, b, NULL, NULL);
    }
    folder_leave("a2b b2a"); /* the FIFOs of the dead one */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_everywhere),    cmocka_unit_test(greets),       cmocka_unit_test(large_messages),
        cmocka_unit_test(a_hundred_thousand), cmocka_unit_test(kills),        cmocka_unit_test(tells_the_end_at_once),
        cmocka_unit_test(refuses_rubbish),    cmocka_unit_test(begins_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
