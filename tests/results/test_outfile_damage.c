/* SPDX-License-Identifier: MIT */
/* Files that are cut off, changed or made up: a clear answer, never a crash, and no memory beyond the file's size. */
#include "fake.h"

enum {
    HEAD = 60,     /* 15 integers */
    TEXTS = 824,   /* titles, names, chemical */
    MEMORY = 16384 /* a file of 2 kB: tables of ids and the like have a smallest size */
};

typedef struct file_case {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_network *net;
    fake_bytes good, bytes;
} file_case;

static void set_numbers(fake *f, int32_t period, void *user) {
    (void)user;
    for (int32_t i = 0; i < f->net->n_node; i++) {
        f->value[FAKE_HEAD][i] = 10.0 * i + period;
    }
}

static void begin(file_case *c) {
    *c = (file_case){0};
    c->ctx = sl_test_context(&c->memory);
    sl_assert_ok(sl_diags_create(c->ctx, &c->diags));
    char text[4000];
    snprintf(text, sizeof text, "%s[TIMES]\nDURATION 3\n", fake_town);
    c->net = fake_network(c->ctx, text);
    fake engine;
    fake_init(&engine, c->net);
    sl_assert_ok(fake_write(c->ctx, &engine, &(fake_run){.set = set_numbers, .n_period = 4}, NULL, &c->good));
    fake_fini(&engine);
    c->bytes.at = malloc(c->good.n);
    memcpy(c->bytes.at, c->good.at, c->good.n);
    c->bytes.n = c->bytes.cap = c->good.n;
}

static void finish(file_case *c) {
    fake_bytes_fini(&c->good);
    fake_bytes_fini(&c->bytes);
    sl_network_destroy(c->net);
    sl_diags_destroy(c->diags);
    sl_test_context_end(c->ctx, &c->memory);
}

/* Opens what is in bytes and reads all of it; returns the periods, or -1 when it is refused (with an error said). */
static int32_t read_all(file_case *c, bool *complete) {
    sl_diags_clear(c->diags);
    int64_t before = c->memory.n_byte;
    /* The exact size on the heap, so that the sanitizer sees a byte read beyond it. */
    fake_bytes exact = {.at = malloc(c->bytes.n + (c->bytes.n == 0)), .n = c->bytes.n, .cap = c->bytes.n};
    memcpy(exact.at, c->bytes.at, c->bytes.n);
    sl_source_bytes source = fake_source(&exact);
    sl_outfile *file = NULL;
    sl_status status = sl_outfile_open(c->ctx, &source, "damaged.out", c->diags, &file);
    int32_t n = -1;
    if (status == SL_OK) {
        assert_true(c->memory.n_byte - before <= MEMORY + 4 * (int64_t)c->bytes.n);
        const sl_outfile_info *f = sl_outfile_get_info(file);
        n = f->n_period;
        *complete = f->complete;
        assert_true(f->complete || fake_said(c->diags, SL_CODE_RESULT_FILE));
        float *x = malloc(4 * (size_t)(f->n_node + f->n_link));
        for (int32_t p = 0; p < n; p++) {
            for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
                sl_assert_ok(sl_outfile_read(file, p, (sl_out_variable)v, x));
            }
        }
        for (int32_t i = 0; i < f->n_link; i++) {
            assert_true(f->link_from[i] >= 0 && f->link_from[i] < f->n_node);
            assert_true(strlen(sl_outfile_link_id(file, i)) <= 32);
        }
        free(x);
        sl_outfile_close(file);
    } else {
        sl_assert_status(status, SL_ERR_INPUT);
        assert_null(file);
        assert_int_equal(sl_diags_count(c->diags, SL_ERROR), 1);
        sl_assert_z(sl_diags_at(c->diags, 0)->file, "damaged.out");
    }
    free(exact.at);
    return n;
}

static size_t period_size(const file_case *c) {
    return 4 * (4 * (size_t)c->net->n_node + 8 * (size_t)c->net->n_link);
}

static void test_every_truncation(void **state) {
    (void)state;
    file_case c;
    begin(&c);
    size_t whole = c.good.n, first = whole - 28 - 4 * period_size(&c);
    for (size_t n = 0; n < whole; n++) {
        bool complete = true;
        c.bytes.n = n;
        int32_t n_period = read_all(&c, &complete);
        if (n < first) {
            assert_int_equal(n_period, -1);
        } else {
            assert_int_equal(n_period, (n - first) / period_size(&c));
            assert_false(complete);
        }
    }
    bool complete = false;
    c.bytes.n = whole;
    assert_int_equal(read_all(&c, &complete), 4);
    assert_true(complete);
    finish(&c);
}

static void test_bytes_behind_the_end(void **state) {
    (void)state;
    file_case c;
    begin(&c);
    c.bytes.at = realloc(c.bytes.at, c.good.n + 1);
    c.bytes.at[c.good.n] = 7;
    c.bytes.n = c.good.n + 1;
    bool complete = true;
    assert_int_equal(read_all(&c, &complete), 4);
    assert_false(complete);
    finish(&c);
}

static void test_changed_bytes(void **state) {
    (void)state;
    file_case c;
    begin(&c);
    uint64_t random = 12345;
    int refused = 0;
    for (int i = 0; i < 3000; i++) {
        memcpy(c.bytes.at, c.good.at, c.good.n);
        int64_t reach = i % 2 ? (int64_t)c.good.n : HEAD; /* half of them where it hurts */
        for (int k = 0; k < 1 + i % 4; k++) {
            c.bytes.at[sl_test_below(&random, reach)] = (unsigned char)sl_test_random(&random);
        }
        bool complete = false;
        refused += read_all(&c, &complete) < 0;
    }
    assert_in_range(refused, 500, 2500); /* some are harmless: titles, ids, values */
    finish(&c);
}

static void put_int(file_case *c, size_t at, int32_t x) {
    memcpy(c->bytes.at + at, &x, 4);
}

/* Counts that no file can have, whose sizes overflow 32 or 64 bits if multiplied carelessly. */
static void test_hostile_counts(void **state) {
    (void)state;
    static const int32_t bad[] = {-1, INT32_MIN, INT32_MAX, INT32_MAX / 2, 0x10000000, 100000000};
    file_case c;
    begin(&c);
    for (int word = 0; word < 15; word++) {
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            memcpy(c.bytes.at, c.good.at, c.good.n);
            put_int(&c, 4 * (size_t)word, bad[i]);
            bool complete = false;
            int32_t n = read_all(&c, &complete);
            bool free_choice = word == 1 || (word >= 12 && bad[i] >= 0); /* version, times */
            assert_true(free_choice ? n == 4 : n == -1);
        }
    }
    for (int word = 2; word < 7; word++) { /* all counts at once */
        put_int(&c, 4 * (size_t)word, INT32_MAX);
    }
    bool complete = false;
    assert_int_equal(read_all(&c, &complete), -1);
    finish(&c);
}

static void test_bad_indices(void **state) {
    (void)state;
    file_case c;
    begin(&c);
    size_t n_node = (size_t)c.net->n_node, n_link = (size_t)c.net->n_link;
    size_t from = HEAD + TEXTS + 32 * (n_node + n_link), type = from + 8 * n_link, tank = from + 12 * n_link;
    size_t energy = tank + 16 + 4 * n_node + 8 * n_link;
    const struct {
        size_t at;
        int32_t good, low, high;
    } words[] = {
        {from, 5, 0, 6}, {from + 4 * n_link, 2, -1, 99}, {type, 2, -1, 10}, {tank, 4, 0, 6}, {energy, 1, 0, 9}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        bool complete = false;
        int32_t there;
        memcpy(&there, c.good.at + words[i].at, 4);
        assert_int_equal(there, words[i].good); /* the right place of the file */
        put_int(&c, words[i].at, words[i].low);
        assert_int_equal(read_all(&c, &complete), -1);
        put_int(&c, words[i].at, words[i].high);
        assert_int_equal(read_all(&c, &complete), -1);
        put_int(&c, words[i].at, words[i].good);
        assert_int_equal(read_all(&c, &complete), 4);
    }
    finish(&c);
}

static void test_other_files(void **state) {
    (void)state;
    file_case c;
    begin(&c);
    bool complete = false;
    static const char text[] =
        "[TITLE]\nThis is a model and not a result, and long enough to have a head of sixty bytes.\n";
    memcpy(c.bytes.at, text, sizeof text);
    assert_int_equal(read_all(&c, &complete), -1);
    memset(c.bytes.at, 0, c.bytes.n);
    assert_int_equal(read_all(&c, &complete), -1);
    memset(c.bytes.at, 0xFF, c.bytes.n);
    assert_int_equal(read_all(&c, &complete), -1);
    finish(&c);
}

/* An epilog that promises more or fewer periods than there are is not believed. */
static void test_lying_epilog(void **state) {
    (void)state;
    file_case c;
    begin(&c);
    static const int32_t lies[] = {0, 3, 5, -1, INT32_MAX};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        bool complete = true;
        put_int(&c, c.good.n - 12, lies[i]);
        assert_int_equal(read_all(&c, &complete), 4);
        assert_false(complete);
    }
    finish(&c);
}

static sl_status refuse(void *user, uint64_t offset, void *bytes, size_t n) {
    fake_bytes *b = user;
    if (offset + n > b->fail_at) {
        return SL_ERR_IO;
    }
    memcpy(bytes, b->at + offset, n);
    return SL_OK;
}

/* The disk fails at some place. */
static void test_unreadable_source(void **state) {
    (void)state;
    file_case c;
    begin(&c);
    for (c.bytes.fail_at = 0; c.bytes.fail_at < c.bytes.n; c.bytes.fail_at += 50) {
        sl_source_bytes source = {&c.bytes, c.bytes.n, refuse};
        sl_outfile *file = NULL;
        sl_diags_clear(c.diags);
        sl_assert_status(sl_outfile_open(c.ctx, &source, "damaged.out", c.diags, &file), SL_ERR_IO);
        assert_null(file);
        assert_int_equal(sl_diags_count(c.diags, SL_ERROR), 1);
    }
    finish(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_truncation), cmocka_unit_test(test_bytes_behind_the_end),
        cmocka_unit_test(test_changed_bytes),    cmocka_unit_test(test_hostile_counts),
        cmocka_unit_test(test_bad_indices),      cmocka_unit_test(test_other_files),
        cmocka_unit_test(test_lying_epilog),     cmocka_unit_test(test_unreadable_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
