/* SPDX-License-Identifier: MIT */
/* net_test.c: see net_test.h. */
#include "net_test.h"

#include <dirent.h>

void net_begin(net_case *c) {
    memset(c, 0, sizeof *c);
    c->ctx = sl_test_context(&c->memory);
    sl_assert_ok(sl_diags_create(c->ctx, &c->diags));
}

void net_end(net_case *c) {
    sl_diags_destroy(c->diags);
    sl_test_context_end(c->ctx, &c->memory);
}

void net_show(const net_case *c) {
    for (int32_t i = 0; i < sl_diags_size(c->diags); i++) {
        const sl_diag *d = sl_diags_at(c->diags, i);
        print_error("  %u:%u %s [%s] %s %s: %s (%s)\n", (unsigned)d->line, (unsigned)d->column,
                    d->severity == SL_ERROR ? "error" : "warning", sl_code_word(d->code),
                    d->object_kind ? d->object_kind : "", d->object_id ? d->object_id : "", d->text,
                    d->hint ? d->hint : "");
    }
}

sl_status net_try(net_case *c, const char *text, bool tolerant, sl_network **out) {
    sl_inp_read_def def = sl_inp_read_default();
    def.name = "test.inp";
    def.tolerant = tolerant;
    sl_diags_clear(c->diags);
    return sl_inp_read(c->ctx, text, strlen(text), &def, c->diags, out);
}

sl_network *net_read(net_case *c, const char *text) {
    sl_network *net = NULL;
    sl_status status = net_try(c, text, false, &net);
    if (status != SL_OK) {
        net_show(c);
    }
    sl_assert_ok(status);
    assert_non_null(net);
    return net;
}

sl_network *net_read_clean(net_case *c, const char *text) {
    sl_network *net = net_read(c, text);
    if (sl_diags_size(c->diags) != 0) {
        net_show(c);
    }
    assert_int_equal(sl_diags_size(c->diags), 0);
    return net;
}

const char net_frame[] = "[OPTIONS]\n"
                         "Units LPS\n"
                         "[JUNCTIONS]\n"
                         "A 10 1\n"
                         "B 10 1\n"
                         "[RESERVOIRS]\n"
                         "R 50\n"
                         "[TANKS]\n"
                         "T 20 3 1 5 10\n"
                         "[PIPES]\n"
                         "P1 R A 100 300 100\n"
                         "P2 A B 100 200 100\n"
                         "P3 B T 100 200 100\n";

uint32_t net_frame_lines(void) {
    uint32_t n = 0;
    for (const char *p = net_frame; *p; p++) {
        n += *p == '\n';
    }
    return n;
}

char *net_framed(const char *more) {
    size_t n = sizeof net_frame + strlen(more);
    char *text = malloc(n);
    assert_non_null(text);
    snprintf(text, n, "%s%s", net_frame, more);
    return text;
}

sl_network *net_read_framed(net_case *c, const char *more) {
    char *text = net_framed(more);
    sl_network *net = net_read(c, text);
    free(text);
    return net;
}

/* ---- Writing ------------------------------------------------------------------------------------ */

static char *take(sl_bytes *b) {
    char *z = malloc((size_t)b->n + 1);
    assert_non_null(z);
    memcpy(z, b->n ? b->at : "", (size_t)b->n);
    z[b->n] = '\0';
    sl_bytes_fini(b);
    return z;
}

char *net_write(net_case *c, const sl_network *net) {
    sl_bytes b;
    sl_bytes_init(&b, c->ctx);
    sl_sink sink = sl_bytes_sink(&b);
    sl_assert_ok(sl_inp_write(c->ctx, net, &sink));
    return take(&b);
}

char *net_convert(net_case *c, const char *text, sl_flow_unit unit) {
    sl_inp_convert_def def = sl_inp_convert_default();
    def.name = "test.inp";
    def.change_units = unit != SL_FLOW_UNIT_COUNT;
    def.flow_unit = def.change_units ? unit : SL_GPM;
    sl_bytes b;
    sl_bytes_init(&b, c->ctx);
    sl_sink sink = sl_bytes_sink(&b);
    sl_diags_clear(c->diags);
    sl_status status = sl_inp_convert(c->ctx, text, strlen(text), &def, c->diags, &sink);
    if (status != SL_OK) {
        net_show(c);
    }
    sl_assert_ok(status);
    return take(&b);
}

char *net_json(net_case *c, const sl_network *net) {
    sl_bytes b;
    sl_bytes_init(&b, c->ctx);
    sl_sink sink = sl_bytes_sink(&b);
    sl_assert_ok(sl_network_write_json(net, &sink));
    return take(&b);
}

char *net_geojson(net_case *c, const sl_network *net) {
    sl_bytes b;
    sl_bytes_init(&b, c->ctx);
    sl_sink sink = sl_bytes_sink(&b);
    sl_assert_ok(sl_network_write_geojson(net, c->diags, &sink));
    return take(&b);
}

void net_assert_equal(const sl_network *a, const sl_network *b) {
    char why[200] = "";
    if (!sl_network_equal(a, b, why, sizeof why)) {
        print_error("the networks are not the same: %s\n", why);
        fail();
    }
}

/* ---- Looking up --------------------------------------------------------------------------------- */

int32_t net_node(const sl_network *net, const char *id) {
    int32_t i = sl_network_find_node(net, sl_str_z(id));
    assert_true(i >= 0 && i < net->n_node);
    assert_string_equal(sl_network_node_id(net, i), id);
    return i;
}

int32_t net_link(const sl_network *net, const char *id) {
    int32_t i = sl_network_find_link(net, sl_str_z(id));
    assert_true(i >= 0 && i < net->n_link);
    assert_string_equal(sl_network_link_id(net, i), id);
    return i;
}

int32_t net_pattern(const sl_network *net, const char *id) {
    int32_t i = sl_network_find_pattern(net, sl_str_z(id));
    assert_true(i >= 0);
    assert_string_equal(sl_network_pattern_id(net, i), id);
    return i;
}

int32_t net_curve(const sl_network *net, const char *id) {
    int32_t i = sl_network_find_curve(net, sl_str_z(id));
    assert_true(i >= 0);
    assert_string_equal(sl_network_curve_id(net, i), id);
    return i;
}

int32_t net_reservoir(const sl_network *net, const char *id) {
    int32_t i = net_node(net, id);
    assert_int_equal(sl_network_node_kind(net, i), SL_RESERVOIR);
    return i - net->n_junction;
}

int32_t net_tank(const sl_network *net, const char *id) {
    int32_t i = net_node(net, id);
    assert_int_equal(sl_network_node_kind(net, i), SL_TANK);
    return i - net->n_junction - net->n_reservoir;
}

int32_t net_pump(const sl_network *net, const char *id) {
    int32_t i = net_link(net, id);
    assert_int_equal(sl_network_link_kind(net, i), SL_PUMP);
    return i - net->n_pipe;
}

int32_t net_valve(const sl_network *net, const char *id) {
    int32_t i = net_link(net, id);
    assert_int_equal(sl_network_link_kind(net, i), SL_VALVE);
    return i - net->n_pipe - net->n_pump;
}

const char *net_note(const sl_note *notes, int32_t n, int32_t index) {
    for (int32_t i = 0; i < n; i++) {
        if (notes[i].index == index) {
            return notes[i].text;
        }
    }
    return NULL;
}

int32_t net_count(const net_case *c, sl_code code) {
    int32_t n = 0;
    for (int32_t i = 0; i < sl_diags_size(c->diags); i++) {
        n += sl_diags_at(c->diags, i)->code == code;
    }
    return n;
}

const sl_diag *net_only(const net_case *c, sl_code code) {
    if (net_count(c, code) != 1) {
        print_error("expected one [%s], found %d in:\n", sl_code_word(code), (int)net_count(c, code));
        net_show(c);
        fail();
    }
    int32_t i = 0;
    while (sl_diags_at(c->diags, i)->code != code) {
        i++;
    }
    return sl_diags_at(c->diags, i);
}

/* ---- Files -------------------------------------------------------------------------------------- */

char *net_file(const char *path, size_t *n) {
    char full[1000];
    snprintf(full, sizeof full, "%s/%s", SL_TEST_SOURCE_DIR, path);
    FILE *f = fopen(full, "rb");
    if (!f) {
        print_error("cannot open %s\n", full);
    }
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    long size = ftell(f);
    assert_true(size >= 0);
    rewind(f);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, f), size);
    fclose(f);
    text[size] = '\0';
    *n = (size_t)size;
    return text;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int32_t net_each_example(void (*fn)(const char *name, const char *text, void *user), void *user) {
    char *names[200];
    int32_t n = 0, n_read = 0;
    DIR *dir = opendir(SL_TEST_SOURCE_DIR "/examples");
    assert_non_null(dir);
    for (struct dirent *e = readdir(dir); e && n < 200; e = readdir(dir)) {
        size_t len = strlen(e->d_name);
        if (len > 4 && strcmp(e->d_name + len - 4, ".inp") == 0) {
            names[n++] = strdup(e->d_name);
        }
    }
    closedir(dir);
    qsort(names, (size_t)n, sizeof *names, by_name);
    for (int32_t i = 0; i < n; i++) {
        char path[300];
        size_t size;
        snprintf(path, sizeof path, "examples/%s", names[i]);
        char *text = net_file(path, &size);
        net_case c;
        net_begin(&c);
        sl_network *net = NULL;
        bool good = net_try(&c, text, false, &net) == SL_OK;
        sl_network_destroy(net);
        net_end(&c);
        if (good) {
            fn(names[i], text, user);
            n_read++;
        }
        free(text);
        free(names[i]);
    }
    return n_read;
}
