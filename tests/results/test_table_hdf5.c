/* SPDX-License-Identifier: MIT */
/* HDF5: what the file holds, read back by the same library; the same bytes each time; failures. Where the program was
 * built without HDF5 there is the one message to check. */
#include <unistd.h>

#include "table_test.h"

typedef struct h5_case {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_network *net;
    fake engine;
    char path[64];
} h5_case;

static void begin(h5_case *c) {
    *c = (h5_case){0};
    c->ctx = sl_test_context(&c->memory);
    sl_assert_ok(sl_diags_create(c->ctx, &c->diags));
    char text[4000];
    snprintf(text, sizeof text, "%s[COORDINATES]\nJ1 1.5 2.5\n[OPTIONS]\nUNITS LPS\n[TIMES]\nDURATION 3:00\n",
             fake_town);
    c->net = fake_network(c->ctx, text);
    fake_init(&c->engine, c->net);
    strcpy(c->path, "/tmp/sluice-table-XXXXXX");
    int fd = mkstemp(c->path);
    assert_true(fd >= 0);
    close(fd);
}

static void finish(h5_case *c) {
    unlink(c->path);
    fake_fini(&c->engine);
    sl_network_destroy(c->net);
    sl_diags_destroy(c->diags);
    sl_test_context_end(c->ctx, &c->memory);
}

static void set_numbers(fake *f, int32_t period, void *user) {
    (void)user;
    for (int32_t i = 0; i < f->net->n_node; i++) {
        f->value[FAKE_HEAD][i] = 100.0 * period + f->net->node_rank[i] + 0.1;
    }
    for (int32_t i = 0; i < f->net->n_link; i++) {
        f->value[FAKE_STATUS][i] = (f->net->link_rank[i] + period) % 8;
    }
}

static sl_status write_it(h5_case *c, sl_context *ctx, bool compress, const char *path) {
    sl_table_def def = {.format = &sl_table_hdf5, .select = sl_table_select_default(), .name = "town.inp"};
    def.target.path = path;
    def.target.compress = compress;
    return table_run(ctx, &c->engine, &def, set_numbers, 4, c->diags);
}

#ifdef SLUICE_HDF5
#include <dlfcn.h>
#include <pthread.h>

#include "results/hdf5_api.h"

#define CALL(h, name) ((__typeof__(name) *)find((h), #name))

static void *find(const sl_hdf5 *h, const char *name) {
    void *symbol = dlsym(h->library, name);
    assert_non_null(symbol);
    return symbol;
}

static void read_back(const sl_hdf5 *h, hid_t file, const char *name, hid_t type, void *to) {
    hid_t set = CALL(h, H5Dopen2)(file, name, H5P_DEFAULT);
    assert_true(set >= 0);
    assert_true(CALL(h, H5Dread)(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) >= 0);
    h->H5Dclose(set);
}

static void test_reads_back(void **state) {
    (void)state;
    for (int compress = 0; compress < 2; compress++) {
        h5_case c;
        begin(&c);
        sl_assert_ok(write_it(&c, c.ctx, compress, c.path));
        sl_hdf5 h;
        sl_assert_ok(sl_hdf5_load(&h, sl_hdf5_name, c.diags));
        hid_t file = CALL(&h, H5Fopen)(c.path, 0 /* to read */, H5P_DEFAULT);
        assert_true(file >= 0);
        double time[4], x[5];
        float head[4][5];
        signed char status[4][8];
        read_back(&h, file, "time", h.H5T_NATIVE_DOUBLE_g, time);
        read_back(&h, file, "node_head", h.H5T_NATIVE_FLOAT_g, head);
        read_back(&h, file, "link_status", h.H5T_NATIVE_SCHAR_g, status);
        read_back(&h, file, "node_x", h.H5T_NATIVE_DOUBLE_g, x);
        for (int p = 0; p < 4; p++) {
            sl_assert_double(time[p], 3600.0 * p);
            for (int i = 0; i < 5; i++) {
                sl_assert_rel((double)head[p][i], 100.0 * p + i + 0.1, 1e-6);
            }
            for (int i = 0; i < 8; i++) {
                assert_int_equal(status[p][i], (i + p) % 8);
            }
        }
        sl_assert_double(x[0], 1.5);
        assert_true(isnan(x[1]));
        char *id[8];
        hid_t text = h.H5Tcopy(h.H5T_C_S1_g);
        h.H5Tset_size(text, H5T_VARIABLE);
        h.H5Tset_cset(text, H5T_CSET_UTF8);
        read_back(&h, file, "link", text, id);
        sl_assert_z(id[0], "U1"); /* in the order of the file */
        sl_assert_z(id[7], "P3");
        for (int i = 0; i < 8; i++) {
            CALL(&h, H5free_memory)(id[i]);
        }
        h.H5Tclose(text);
        h.H5Fclose(file);
        sl_hdf5_unload(&h);
        finish(&c);
    }
}

static char *bytes_of(const char *path, size_t *n) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *bytes = malloc(1 << 22);
    *n = fread(bytes, 1, 1 << 22, f);
    fclose(f);
    return bytes;
}

static void test_same_bytes(void **state) {
    (void)state;
    h5_case c;
    begin(&c);
    size_t n[2];
    char *bytes[2];
    for (int k = 0; k < 2; k++) {
        sl_assert_ok(write_it(&c, c.ctx, false, c.path));
        bytes[k] = bytes_of(c.path, &n[k]);
    }
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(bytes[0], bytes[1], n[0]);
    free(bytes[0]);
    free(bytes[1]);
    finish(&c);
}

static void *write_some(void *user) {
    h5_case *c = user;
    for (int i = 0; i < 10; i++) {
        if (write_it(c, c->ctx, i % 2 > 0, c->path) != SL_OK) {
            return c;
        }
    }
    return write_it(c, c->ctx, false, c->path) == SL_OK ? NULL : c;
}

/* libhdf5 itself is not made for threads: ours take turns. */
static void test_two_threads(void **state) {
    (void)state;
    h5_case c[2];
    pthread_t thread[2];
    char *bytes[2];
    size_t n[2];
    for (int k = 0; k < 2; k++) {
        begin(&c[k]);
        assert_int_equal(pthread_create(&thread[k], NULL, write_some, &c[k]), 0);
    }
    for (int k = 0; k < 2; k++) {
        void *failed;
        pthread_join(thread[k], &failed);
        assert_null(failed);
        bytes[k] = bytes_of(c[k].path, &n[k]);
        finish(&c[k]);
    }
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(bytes[0], bytes[1], n[0]);
    free(bytes[0]);
    free(bytes[1]);
}

static void test_failures(void **state) {
    (void)state;
    h5_case c;
    begin(&c);
    sl_assert_status(write_it(&c, c.ctx, false, "/no/such/folder/x.h5"), SL_ERR_IO);
    assert_true(fake_said(c.diags, SL_CODE_IO));
    sl_hdf5 h;
    sl_assert_status(sl_hdf5_load(&h, "libnothing-at-all.so.7", c.diags), SL_ERR_UNSUPPORTED);
    const sl_diag *d = sl_diags_at(c.diags, sl_diags_size(c.diags) - 1);
    assert_non_null(strstr(d->text, "libnothing-at-all.so.7"));
    assert_non_null(strstr(d->hint, "libhdf5-dev"));
    sl_assert_status(sl_hdf5_load(&h, "libc.so.6", c.diags), SL_ERR_UNSUPPORTED); /* another library */
    sl_hdf5_unload(&h);
    finish(&c);
}

static void short_of_memory(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)m;
    h5_case *c = user;
    sl_status status = write_it(c, ctx, false, c->path);
    assert_true(status == SL_OK || status == SL_ERR_MEMORY);
}

static void test_short_of_memory(void **state) {
    (void)state;
    h5_case c;
    begin(&c);
    assert_true(sl_test_sweep(short_of_memory, &c) > 20);
    finish(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_back), cmocka_unit_test(test_same_bytes),      cmocka_unit_test(test_two_threads),
        cmocka_unit_test(test_failures),   cmocka_unit_test(test_short_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
static void test_not_built(void **state) {
    (void)state;
    h5_case c;
    begin(&c);
    sl_assert_status(write_it(&c, c.ctx, false, c.path), SL_ERR_UNSUPPORTED);
    assert_non_null(strstr(sl_diags_at(c.diags, 0)->hint, "libhdf5-dev"));
    finish(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_not_built)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
