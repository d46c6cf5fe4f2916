/* SPDX-License-Identifier: MIT */
/* hdf5_get.c: attributes and columns out of an HDF5 file; see hdf5_file.h. Not built where the library was not there.
 *
 * A damaged file can claim any size. Before memory is asked for, what a dataset says is compared with the storage that it has in
 * the file, and texts count against a budget.
 */
#include "results/hdf5_file.h"

#include <string.h>

#include "base/utf8.h"

enum { MOST_PACKED = 1100 }; /* bytes that gzip makes of one, at most: 1032 */

void sl_hdf5_reject(sl_hdf5_file *f, const char *why) {
    if (!f->failed) {
        f->failed = true;
        size_t n = strlen(why) < sizeof f->reason ? strlen(why) : sizeof f->reason - 1;
        memcpy(f->reason, why, n);
        f->reason[n] = '\0';
    }
}

/* ---- Attributes --------------------------------------------------------------------------------- */

bool sl_hdf5_has(sl_hdf5_file *f, hid_t of, const char *name) {
    htri_t has = f->h.H5Aexists(of, name);
    sl_hdf5_check(f, has);
    return has > 0;
}

static H5T_class_t class_of(sl_hdf5_file *f, hid_t type) {
    sl_hdf5_id(f, type);
    H5T_class_t class = f->h.H5Tget_class(type);
    if (class == H5T_STRING && f->h.H5Tis_variable_str(type) <= 0) {
        class = H5T_NO_CLASS; /* none of ours */
    }
    (void)sl_hdf5_release(f, f->h.H5Tclose(type));
    return class;
}

/* Opens an attribute of one value of the class; negative: it failed. */
static hid_t open_attribute(sl_hdf5_file *f, hid_t of, const char *name, H5T_class_t class) {
    hid_t id = sl_hdf5_id(f, f->h.H5Aopen(of, name, H5P_DEFAULT)), space = sl_hdf5_id(f, f->h.H5Aget_space(id));
    bool fine =
        !f->failed && f->h.H5Sget_simple_extent_npoints(space) == 1 && class_of(f, f->h.H5Aget_type(id)) == class;
    (void)sl_hdf5_release(f, f->h.H5Sclose(space));
    if (!fine) {
        sl_hdf5_reject(f, "an attribute has another type than it should");
        (void)sl_hdf5_release(f, f->h.H5Aclose(id));
    }
    return fine ? id : -1;
}

/* The text in the arena; NULL: out of memory. Counts against the budget. */
static const char *keep_text(sl_hdf5_file *f, sl_arena *arena, const char *z) {
    f->budget -= (int64_t)strlen(z) + 1;
    if (f->budget < 0) {
        sl_hdf5_reject(f, "it has the same text too often");
        return "";
    }
    const char *text = sl_results_text(arena, z);
    f->no_memory = f->no_memory || !text;
    return text ? text : "";
}

const char *sl_hdf5_get_text(sl_hdf5_file *f, sl_arena *arena, hid_t of, const char *name) {
    if (f->failed || !sl_hdf5_has(f, of, name)) {
        return "";
    }
    hid_t id = open_attribute(f, of, name, H5T_STRING);
    if (id < 0) {
        return "";
    }
    char *z = NULL;
    sl_hdf5_check(f, f->h.H5Aread(id, f->text, &z));
    const char *text = z && !f->failed ? keep_text(f, arena, z) : "";
    if (z && !f->failed) {
        (void)sl_hdf5_release(f, f->h.H5free_memory(z));
    }
    (void)sl_hdf5_release(f, f->h.H5Aclose(id));
    return text;
}

const char *const *sl_hdf5_get_texts(sl_hdf5_file *f, sl_arena *arena, hid_t of, const char *name, int32_t *n) {
    const char *joined = sl_hdf5_get_text(f, arena, of, name);
    size_t size = strlen(joined);
    int32_t count = 0;
    for (size_t i = 0; i < size; i++) {
        count += joined[i] == '\n';
    }
    const char **list = sl_arena_alloc(arena, (size_t)count * sizeof *list);
    char *to = sl_arena_alloc(arena, size + 1);
    f->no_memory = f->no_memory || !list || !to;
    *n = 0;
    for (const char *c = joined; list && to && *n < count;) {
        list[(*n)++] = to;
        for (; *c != '\n'; c++) { /* there is one */
            bool escaped = c[0] == '\\' && c[1] != '\n';
            c += escaped;
            *to++ = (char)(escaped && *c == 'n' ? '\n' : *c);
        }
        *to++ = '\0';
        c++;
    }
    return list;
}

double sl_hdf5_get_number(sl_hdf5_file *f, hid_t of, const char *name) {
    double x = 0.0;
    hid_t id = open_attribute(f, of, name, H5T_FLOAT);
    if (id >= 0) {
        sl_hdf5_check(f, f->h.H5Aread(id, f->h.H5T_NATIVE_DOUBLE_g, &x));
        (void)sl_hdf5_release(f, f->h.H5Aclose(id));
    }
    return x;
}

bool sl_hdf5_get_flag(sl_hdf5_file *f, hid_t of, const char *name) {
    signed char x = 0;
    hid_t id = open_attribute(f, of, name, H5T_INTEGER);
    if (id >= 0) {
        sl_hdf5_check(f, f->h.H5Aread(id, f->h.H5T_NATIVE_SCHAR_g, &x));
        (void)sl_hdf5_release(f, f->h.H5Aclose(id));
    }
    return x != 0;
}

bool sl_hdf5_is_text_attribute(sl_hdf5_file *f, hid_t of, const char *name) {
    hid_t id = sl_hdf5_id(f, f->h.H5Aopen(of, name, H5P_DEFAULT));
    bool text = !f->failed && class_of(f, f->h.H5Aget_type(id)) == H5T_STRING;
    (void)sl_hdf5_release(f, f->h.H5Aclose(id));
    return text;
}

/* ---- Datasets ----------------------------------------------------------------------------------- */

H5T_class_t sl_hdf5_class(sl_hdf5_file *f, hid_t set) {
    return class_of(f, f->h.H5Dget_type(set));
}

/* Is there storage for the values? Of two dimensions they may be packed. */
static bool is_stored(sl_hdf5_file *f, hid_t set, int rank, const hsize_t size[2]) {
    hid_t type = sl_hdf5_id(f, f->h.H5Dget_type(set));
    size_t each = f->h.H5Tget_size(type);
    (void)sl_hdf5_release(f, f->h.H5Tclose(type));
    hsize_t storage = f->h.H5Dget_storage_size(set), limit = rank == 2 ? storage * MOST_PACKED : storage;
    if (storage > f->size || each == 0) {
        return false;
    }
    for (int i = 0; i < rank; i++) {
        if (size[i] == 0) {
            return true;
        }
        limit /= size[i]; /* rounded down: storage is never less than needed */
    }
    return limit >= each;
}

bool sl_hdf5_get_extent(sl_hdf5_file *f, hid_t set, int rank, hsize_t size[2]) {
    hid_t space = sl_hdf5_id(f, f->h.H5Dget_space(set));
    bool fine = !f->failed && f->h.H5Sget_simple_extent_ndims(space) == rank &&
                f->h.H5Sget_simple_extent_dims(space, size, NULL) == rank;
    (void)sl_hdf5_release(f, f->h.H5Sclose(space));
    if (!fine) {
        sl_hdf5_reject(f, "a dataset has another number of dimensions than it should");
    } else if (!is_stored(f, set, rank, size)) {
        sl_hdf5_reject(f, "a dataset has fewer values than it says");
    }
    return !f->failed;
}

/* Memory for a column, of each bytes a value; NULL: it failed. */
static void *alloc_column(sl_hdf5_file *f, sl_arena *arena, hid_t set, H5T_class_t class, size_t each, int64_t *n) {
    hsize_t size[2] = {0, 0};
    if (!f->failed && sl_hdf5_class(f, set) != class) {
        sl_hdf5_reject(f, "a dataset has another type than it should");
    }
    if (f->failed || !sl_hdf5_get_extent(f, set, 1, size)) {
        return NULL;
    }
    if (size[0] > f->size) { /* a value of a byte, at least */
        sl_hdf5_reject(f, "a dataset has more values than the file has bytes");
        return NULL;
    }
    *n = (int64_t)size[0];
    void *to = sl_arena_alloc(arena, (size_t)size[0] * each);
    f->no_memory = f->no_memory || !to;
    return to;
}

static const void *get_column(sl_hdf5_file *f, sl_arena *arena, hid_t set, H5T_class_t class, hid_t memory, size_t each,
                              int64_t *n) {
    void *to = alloc_column(f, arena, set, class, each, n);
    if (to && *n > 0) {
        sl_hdf5_check(f, f->h.H5Dread(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, to));
    }
    return f->failed ? NULL : to;
}

const double *sl_hdf5_get_real_column(sl_hdf5_file *f, sl_arena *arena, hid_t set, int64_t *n) {
    return get_column(f, arena, set, H5T_FLOAT, f->h.H5T_NATIVE_DOUBLE_g, sizeof(double), n);
}

const int32_t *sl_hdf5_get_int_column(sl_hdf5_file *f, sl_arena *arena, hid_t set, int64_t *n) {
    return get_column(f, arena, set, H5T_INTEGER, f->h.H5T_NATIVE_INT_g, sizeof(int32_t), n);
}

/* Texts of a column go into an arena. */
typedef struct text_memory {
    sl_hdf5_file *f;
    sl_arena *arena;
} text_memory;

static void *text_alloc(size_t size, void *user) {
    text_memory *m = user;
    m->f->budget -= size < INT32_MAX ? (int64_t)size : INT32_MAX;
    void *to = m->f->budget >= 0 ? sl_arena_alloc(m->arena, size) : NULL;
    m->f->no_memory = m->f->no_memory || (m->f->budget >= 0 && !to);
    return to;
}

static void text_free(void *text, void *user) {
    (void)text;
    (void)user;
}

static bool is_utf8(const char *z) {
    bool fine = true;
    for (sl_str s = sl_str_z(z); s.len > 0 && fine;) {
        uint32_t c;
        size_t k = sl_utf8_decode(s, &c);
        fine = k > 1 || c < 0x80;
        s.ptr += k;
        s.len -= k;
    }
    return fine;
}

const char *const *sl_hdf5_get_text_column(sl_hdf5_file *f, sl_arena *arena, hid_t set, int64_t *n) {
    const char **to = alloc_column(f, arena, set, H5T_STRING, sizeof *to, n);
    if (!to || *n == 0) {
        return to;
    }
    text_memory memory = {f, arena};
    hid_t p = sl_hdf5_id(f, f->h.H5Pcreate(f->h.H5P_CLS_DATASET_XFER_ID_g));
    sl_hdf5_check(f, f->h.H5Pset_vlen_mem_manager(p, text_alloc, &memory, text_free, &memory));
    sl_hdf5_check(f, f->h.H5Dread(set, f->text, H5S_ALL, H5S_ALL, p, (void *)to));
    (void)sl_hdf5_release(f, f->h.H5Pclose(p));
    for (int64_t i = 0; i < *n && !f->failed; i++) {
        if (!to[i]) {
            to[i] = "";
        } else if (!is_utf8(to[i])) {
            to[i] = keep_text(f, arena, to[i]);
        }
    }
    return f->failed ? NULL : to;
}
