/* SPDX-License-Identifier: MIT */
/* HDF5 results: any layout is written and read back bit for bit, through sinks that go back and others; the same bytes each time;
 * files of others, damaged files, refusals. */
#include <pthread.h>
#include <unistd.h>

#include "base/out.h"
#include "hdf5_reseal.h"
#include "random_results.h"

typedef struct h5_case {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    random_results x;
    sl_bytes bytes;
    char path[64];
} h5_case;

static void begin(h5_case *c, uint64_t seed, bool large) {
    *c = (h5_case){0};
    c->ctx = sl_test_context(&c->memory);
    sl_assert_ok(sl_diags_create(c->ctx, &c->diags));
    random_results_make(&c->x, c->ctx, seed, large);
    sl_bytes_init(&c->bytes, c->ctx);
    strcpy(c->path, "/tmp/sluice-h5-XXXXXX");
    int fd = mkstemp(c->path);
    assert_true(fd >= 0);
    close(fd);
}

static void finish(h5_case *c) {
    unlink(c->path);
    sl_bytes_fini(&c->bytes);
    random_results_free(&c->x);
    sl_diags_destroy(c->diags);
    sl_test_context_end(c->ctx, &c->memory);
}

/* A file that can be written over. */
static sl_status write_file(void *user, const void *bytes, size_t n) {
    return fseek(user, 0, SEEK_END) == 0 && fwrite(bytes, 1, n, user) == n ? SL_OK : SL_ERR_IO;
}

static sl_status patch_file(void *user, uint64_t offset, const void *bytes, size_t n) {
    return fseek(user, (long)offset, SEEK_SET) == 0 && fwrite(bytes, 1, n, user) == n ? SL_OK : SL_ERR_IO;
}

/* Into the file, or path NULL: into c->bytes. */
static sl_status write_it(h5_case *c, sl_context *ctx, bool compress, const char *path) {
    sl_results_target target = sl_results_target_default();
    sl_sink sink = sl_bytes_sink(&c->bytes);
    FILE *file = path ? fopen(path, "wb") : NULL;
    sl_patch_sink patch = {.user = file, .write = write_file, .patch = patch_file};
    target.format = "h5";
    target.compress = compress;
    target.patch = file ? &patch : NULL;
    target.sink = path ? NULL : &sink;
    sl_status status = random_results_write(&c->x, ctx, &target, c->diags);
    if (file) {
        fclose(file);
    }
    return status;
}

static sl_str bytes_of(const char *path) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *bytes = malloc(1 << 24);
    size_t n = fread(bytes, 1, 1 << 24, f);
    fclose(f);
    return (sl_str){bytes, n};
}

static void show(const sl_diags *diags) {
    for (int32_t i = 0; i < sl_diags_size(diags); i++) {
        print_error("%s\n", sl_diags_at(diags, i)->text);
    }
}

static sl_results *open_it(h5_case *c, const sl_str *bytes) {
    sl_results *r = NULL;
    sl_source_bytes source = random_results_source(bytes);
    sl_status status = sl_results_open(c->ctx, &source, "x.h5", c->diags, &r);
    if (status != SL_OK) {
        show(c->diags);
    }
    sl_assert_ok(status);
    return r;
}

static void round_trip(uint64_t seed, bool large) {
    h5_case c;
    begin(&c, seed, large);
    for (int compress = 0; compress < 2; compress++) {
        sl_assert_ok(write_it(&c, c.ctx, compress, c.path));
        sl_str file = bytes_of(c.path);
        sl_results *r = open_it(&c, &file);
        random_results_compare(&c.x, r);
        sl_results_close(r);
        c.bytes.n = 0;
        sl_assert_ok(write_it(&c, c.ctx, compress, NULL));
        sl_str image = {c.bytes.at, (size_t)c.bytes.n};
        r = open_it(&c, &image);
        random_results_compare(&c.x, r);
        sl_results_close(r);
        free((char *)file.ptr);
    }
    finish(&c);
}

static void test_round_trip(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        round_trip(seed, false);
    }
    round_trip(1000, true);
    round_trip(1001, true);
}

static void test_same_bytes(void **state) {
    (void)state;
    h5_case c;
    begin(&c, 7, true);
    sl_str file[2];
    for (int k = 0; k < 2; k++) {
        sl_assert_ok(write_it(&c, c.ctx, false, c.path));
        file[k] = bytes_of(c.path);
    }
    sl_assert_ok(write_it(&c, c.ctx, false, NULL));
    assert_int_equal(file[0].len, file[1].len);
    assert_memory_equal(file[0].ptr, file[1].ptr, file[0].len);
    assert_int_equal(file[0].len, c.bytes.n);
    assert_memory_equal(file[0].ptr, c.bytes.at, file[0].len);
    free((char *)file[0].ptr);
    free((char *)file[1].ptr);
    finish(&c);
}

static void *write_some(void *user) {
    h5_case *c = user;
    for (int i = 0; i < 10; i++) {
        c->bytes.n = 0;
        if (write_it(c, c->ctx, i % 3 == 0, i % 2 ? c->path : NULL) != SL_OK) {
            return c;
        }
    }
    return NULL;
}

static void test_two_threads(void **state) {
    (void)state;
    h5_case c[2];
    pthread_t thread[2];
    for (int k = 0; k < 2; k++) {
        begin(&c[k], 5, false);
        assert_int_equal(pthread_create(&thread[k], NULL, write_some, &c[k]), 0);
    }
    for (int k = 0; k < 2; k++) {
        void *failed;
        pthread_join(thread[k], &failed);
        assert_null(failed);
    }
    assert_int_equal(c[0].bytes.n, c[1].bytes.n);
    for (int k = 0; k < 2; k++) {
        finish(&c[k]);
    }
}

static const sl_diag *last_diag(const h5_case *c) {
    assert_true(sl_diags_size(c->diags) > 0);
    return sl_diags_at(c->diags, sl_diags_size(c->diags) - 1);
}

static sl_status take_no_byte(void *user, const void *bytes, size_t n) {
    (void)user;
    (void)bytes;
    (void)n;
    return SL_ERR_IO;
}

static void test_full_sink(void **state) {
    (void)state;
    h5_case c;
    begin(&c, 3, false);
    sl_sink sink = {.write = take_no_byte};
    sl_results_target target = sl_results_target_default();
    target.format = "h5";
    target.sink = &sink;
    sl_assert_status(random_results_write(&c.x, c.ctx, &target, c.diags), SL_ERR_IO);
    finish(&c);
}

/* ---- Damage ------------------------------------------------------------------------------------- */

/* Opens and, where that succeeds, reads everything: a status and a diagnostic, never more. */
static void try_it(h5_case *c, const sl_str *bytes) {
    sl_results *r = NULL;
    sl_source_bytes source = random_results_source(bytes);
    sl_status status = sl_results_open(c->ctx, &source, "x.h5", c->diags, &r);
    if (status != SL_OK) {
        assert_true(sl_diags_size(c->diags) > 0 || status == SL_ERR_MEMORY);
        assert_null(r);
        return;
    }
    int64_t n = 0;
    (void)sl_results_times(r, &n);
    for (int32_t q = 0; q < sl_results_n_quantity(r); q++) {
        int32_t n_element = sl_results_get_layout(r)->groups[sl_results_group_of(r, q)].n;
        double *x = calloc((size_t)n_element + (size_t)n + 1, sizeof *x);
        for (int64_t f = 0; f < n; f++) {
            (void)sl_results_read(r, f, q, x);
        }
        if (n_element > 0) {
            (void)sl_results_read_series(r, q, n_element - 1, x);
        }
        free(x);
    }
    sl_results_close(r);
}

static void test_cut_off(void **state) {
    (void)state;
    h5_case c;
    begin(&c, 12, false);
    sl_assert_ok(write_it(&c, c.ctx, false, NULL));
    sl_str all = {c.bytes.at, (size_t)c.bytes.n};
    int opened = 0;
    for (size_t n = 8; n < all.len; n += 1 + all.len / 200) {
        char *part = malloc(n); /* so that a sanitizer sees what is read behind it */
        memcpy(part, all.ptr, n);
        sl_str bytes = {part, n};
        sl_results *r = NULL;
        sl_source_bytes source = random_results_source(&bytes);
        opened += sl_results_open(c.ctx, &source, "x.h5", c.diags, &r) == SL_OK;
        sl_results_close(r);
        free(part);
    }
    assert_int_equal(opened, 0);
    assert_int_equal(last_diag(&c)->code, SL_CODE_RESULT_FILE);
    assert_has(last_diag(&c)->text, "damaged, cut off");
    sl_assert_z(last_diag(&c)->file, "x.h5");
    finish(&c);
}

static void test_flipped(void **state) {
    (void)state;
    h5_case c;
    begin(&c, 12, false);
    sl_assert_ok(write_it(&c, c.ctx, false, NULL));
    size_t n = (size_t)c.bytes.n;
    uint64_t seed = 99;
    char *copy = malloc(n);
    for (int k = 0; k < 400; k++) {
        memcpy(copy, c.bytes.at, n);
        for (int64_t i = sl_test_below(&seed, 3); i >= 0; i--) {
            copy[sl_test_below(&seed, (int64_t)n)] = (char)sl_test_random(&seed);
        }
        sl_str bytes = {copy, n};
        try_it(&c, &bytes);
    }
    free(copy);
    finish(&c);
}

/* What a file with valid checksums and a valid seal says is compared with what it has: bytes, and whole words of structure. */
static void test_hostile(void **state) {
    (void)state;
    enum { TIMES = 4000 };
    int refused = 0;
    for (uint64_t seed = 12; seed < 16; seed++) {
        h5_case c;
        begin(&c, seed, false);
        sl_assert_ok(write_it(&c, c.ctx, seed % 2 == 0, NULL));
        const size_t n = (size_t)c.bytes.n, part = (size_t)hdf5_part(c.bytes.at, n);
        uint64_t random = seed;
        char *copy = malloc(n);
        memcpy(copy, c.bytes.at, n);
        hdf5_reseal(c.ctx, copy, n);
        assert_memory_equal(copy, c.bytes.at, n);
        for (int k = 0; k < TIMES; k++) {
            static const uint64_t words[] = {0, 1, 0x7FFFFFFF, 0xFFFFFFFF, UINT64_MAX, UINT64_MAX / 8, 48};
            memcpy(copy, c.bytes.at, n);
            for (int64_t i = sl_test_below(&random, 3); i >= 0; i--) {
                size_t at = (size_t)sl_test_below(&random, (int64_t)part - 8);
                if (k % 2 == 0) {
                    copy[at] = (char)sl_test_random(&random);
                } else {
                    sl_store8(copy + at / 8 * 8, words[sl_test_below(&random, 7)]);
                }
            }
            hdf5_reseal(c.ctx, copy, n);
            sl_str bytes = {copy, n};
            const int32_t before = sl_diags_size(c.diags);
            try_it(&c, &bytes);
            refused += sl_diags_size(c.diags) > before;
        }
        free(copy);
        finish(&c);
    }
    assert_true(refused > TIMES / 4);
}

/* The word at the offset behind every mark of that kind is changed, one after the other; how many of these files are refused. */
static int change_each(h5_case *c, const char *mark, size_t offset, uint64_t by, int *of) {
    const size_t n = (size_t)c->bytes.n, part = (size_t)hdf5_part(c->bytes.at, n);
    char *copy = malloc(n);
    int changed = 0, refused = 0;
    for (size_t i = 0; i + offset + 8 <= part; i += 8) {
        if (memcmp(c->bytes.at + i, mark, 4) != 0) {
            continue;
        }
        memcpy(copy, c->bytes.at, n);
        sl_store8(copy + i + offset, sl_load8(copy + i + offset) + by);
        hdf5_reseal(c->ctx, copy, n);
        sl_str bytes = {copy, n};
        sl_results *r = NULL;
        sl_source_bytes source = random_results_source(&bytes);
        refused += sl_results_open(c->ctx, &source, "x.h5", c->diags, &r) == SL_ERR_INPUT;
        changed++;
        sl_results_close(r);
    }
    free(copy);
    *of = changed;
    return refused;
}

static void test_lies(void **state) {
    (void)state;
    h5_case c;
    begin(&c, 12, false);
    sl_assert_ok(write_it(&c, c.ctx, false, NULL));
    int n = 0;
    /* the length of the first text; nobody reads the heap of scales, which is the last one */
    assert_true(change_each(&c, "GCOL", 24, 1 << 20, &n) >= n - 1 && n > 1);
    assert_true(change_each(&c, "GCOL", 24, 1, &n) >= n - 1);
    assert_true(change_each(&c, "GCOL", 24, UINT64_MAX - 100, &n) >= n - 1);
    /* where the first chunk stands; its bytes */
    assert_true(change_each(&c, "TREE", 32, 8, &n) == n && n > 0);
    assert_true(change_each(&c, "TREE", 24, 8, &n) == n);
    finish(&c);
}

/* Files of others, by what they begin with; and one of ours that another program made longer. */
static void test_whose(void **state) {
    (void)state;
    static const struct {
        const char *content, *text;
    } cases[] = {{"", "no result of sluice"},
                 {"title program sluice program_version 0.1.0", "older sluice"},
                 {"sluice_format sluice program_version", "changed by another program"}};
    h5_case c;
    begin(&c, 12, false);
    char bytes[5000] = "\x89HDF\r\n\x1A\n";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memcpy(bytes + 300, cases[i].content, strlen(cases[i].content) + 1);
        sl_str all = {bytes, sizeof bytes};
        try_it(&c, &all);
        assert_has(last_diag(&c)->text, cases[i].text);
        assert_int_equal(last_diag(&c)->code, SL_CODE_RESULT_FILE);
    }
    sl_assert_ok(write_it(&c, c.ctx, false, NULL));
    sl_sink sink = sl_bytes_sink(&c.bytes);
    sl_assert_ok(sink.write(sink.user, "more", 4));
    sl_str longer = {c.bytes.at, (size_t)c.bytes.n};
    try_it(&c, &longer);
    assert_has(last_diag(&c)->text, "changed by another program");
    finish(&c);
}

static void short_of_memory(sl_context *ctx, sl_test_memory *m, void *user) {
    h5_case *c = user;
    (void)m;
    sl_results *r = NULL;
    sl_str bytes = {c->bytes.at, (size_t)c->bytes.n};
    sl_source_bytes source = random_results_source(&bytes);
    sl_status status = sl_results_open(ctx, &source, "x.h5", NULL, &r);
    assert_true(status == SL_OK || status == SL_ERR_MEMORY);
    if (status == SL_OK && sl_results_n_quantity(r) > 0) {
        double x[1000];
        status = sl_results_read(r, 0, 0, x);
        assert_true(status == SL_OK || status == SL_ERR_MEMORY);
    }
    sl_results_close(r);
    for (int compress = 0; compress < 2; compress++) {
        status = write_it(c, ctx, compress, c->path);
        assert_true(status == SL_OK || status == SL_ERR_MEMORY);
    }
}

static void test_memory(void **state) {
    (void)state;
    h5_case c;
    begin(&c, 12, false);
    sl_assert_ok(write_it(&c, c.ctx, false, NULL));
    assert_true(sl_test_sweep(short_of_memory, &c) > 0);
    finish(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_same_bytes), cmocka_unit_test(test_two_threads),
        cmocka_unit_test(test_full_sink),  cmocka_unit_test(test_cut_off),    cmocka_unit_test(test_flipped),
        cmocka_unit_test(test_hostile),    cmocka_unit_test(test_lies),       cmocka_unit_test(test_memory),
        cmocka_unit_test(test_whose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
