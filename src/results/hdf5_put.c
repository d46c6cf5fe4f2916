/* SPDX-License-Identifier: MIT */
/* hdf5_put.c: attributes and datasets into an HDF5 file; see hdf5_file.h. Not built where the library was not there. */
#include "results/hdf5_file.h"

#include <string.h>

#include "base/foreign_memory.h"
#include "base/out.h"

enum { DEFLATE_LEVEL = 4 };

/* ---- Files -------------------------------------------------------------------------------------- */

/* The innermost message; of one about the system, what the system says. */
static herr_t keep_first(unsigned n, const H5E_error2_t *error, void *user) {
    if (n == 0 && error->desc) {
        static const char mark[] = "error message = '";
        const char *system = strstr(error->desc, mark);
        const char *text = system ? system + sizeof mark - 1 : error->desc;
        const char *quote = system ? strchr(text, '\'') : NULL;
        size_t k = quote ? (size_t)(quote - text) : strlen(text);
        k = k < SL_QUOTE_MAX - 1 ? k : SL_QUOTE_MAX - 1;
        memcpy(user, text, k);
        ((char *)user)[k] = '\0';
    }
    return 0;
}

static void note(sl_hdf5_file *f, bool fine) {
    if (sl_foreign_memory_failed()) {
        f->is_lost = f->failed = true;
    }
    if (!fine && !f->failed) {
        f->failed = true;
        f->h.H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, f->reason);
    }
}

hid_t sl_hdf5_note_id(sl_hdf5_file *f, hid_t id) {
    note(f, id >= 0);
    return id;
}

void sl_hdf5_note(sl_hdf5_file *f, herr_t result) {
    note(f, result >= 0);
}

void sl_hdf5_close_set(sl_hdf5_file *f, hid_t *set) {
    if (*set > 0) {
        sl_hdf5_check(f, f->h.H5Dclose(*set));
    }
    *set = 0;
}

sl_status sl_hdf5_file_init(sl_hdf5_file *f, sl_diags *diags) {
    sl_status status = sl_hdf5_load(&f->h, sl_hdf5_name, diags);
    if (status == SL_OK) {
        sl_hdf5_enter(&f->h);
        f->text = sl_hdf5_id(f, f->h.H5Tcopy(f->h.H5T_C_S1_g));
        sl_hdf5_check(f, f->h.H5Tset_size(f->text, H5T_VARIABLE));
        sl_hdf5_check(f, f->h.H5Tset_cset(f->text, H5T_CSET_UTF8));
        sl_hdf5_leave(&f->h);
    }
    return f->is_lost ? SL_ERR_MEMORY : status;
}

void sl_hdf5_file_close(sl_hdf5_file *f) {
    if (f->text > 0) {
        sl_hdf5_check(f, f->h.H5Tclose(f->text));
    }
    if (f->file > 0) {
        sl_hdf5_check(f, f->h.H5Fclose(f->file));
    }
    f->text = f->file = 0;
}

/* ---- Attributes --------------------------------------------------------------------------------- */

static hid_t scalar(sl_hdf5_file *f) {
    return sl_hdf5_id(f, f->h.H5Screate(H5S_SCALAR));
}

static void put(sl_hdf5_file *f, hid_t of, const char *name, hid_t space, hid_t type, hid_t memory, const void *value) {
    hid_t id = sl_hdf5_id(f, f->h.H5Acreate2(of, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
    sl_hdf5_check(f, f->h.H5Awrite(id, memory, value));
    sl_hdf5_check(f, f->h.H5Aclose(id));
    sl_hdf5_check(f, f->h.H5Sclose(space));
}

void sl_hdf5_put_text(sl_hdf5_file *f, hid_t of, const char *name, const char *text) {
    put(f, of, name, scalar(f), f->text, f->text, &text);
}

bool sl_hdf5_put_texts(sl_hdf5_file *f, sl_arena *arena, hid_t of, const char *name, const char *const *text,
                       int32_t n) {
    size_t size = 1;
    for (int32_t i = 0; i < n; i++) {
        size += 2 * strlen(text[i]) + 1;
    }
    char *joined = sl_arena_alloc(arena, size), *to = joined;
    for (int32_t i = 0; joined && i < n; i++) {
        for (const char *c = text[i]; *c; c++) {
            if (*c == '\\' || *c == '\n') {
                *to++ = '\\';
            }
            *to++ = (char)(*c == '\n' ? 'n' : *c);
        }
        *to++ = '\n';
    }
    if (joined) {
        sl_hdf5_put_text(f, of, name, joined);
    }
    return joined != NULL;
}

void sl_hdf5_put_number(sl_hdf5_file *f, hid_t of, const char *name, double x) {
    put(f, of, name, scalar(f), f->h.H5T_IEEE_F64LE_g, f->h.H5T_NATIVE_DOUBLE_g, &x);
}

void sl_hdf5_put_flag(sl_hdf5_file *f, hid_t of, const char *name, bool x) {
    signed char c = x;
    put(f, of, name, scalar(f), f->h.H5T_STD_I8LE_g, f->h.H5T_NATIVE_SCHAR_g, &c);
}

void sl_hdf5_put_role(sl_hdf5_file *f, hid_t set, const char *role, const char *of, const char *name) {
    sl_hdf5_put_text(f, set, "sluice_role", role);
    if (of) {
        sl_hdf5_put_text(f, set, "sluice_of", of);
    }
    sl_hdf5_put_text(f, set, "sluice_name", name);
}

void sl_hdf5_put_unit(sl_hdf5_file *f, hid_t set, const char *unit, const char *meaning) {
    if (*unit) {
        sl_hdf5_put_text(f, set, "units", unit);
    }
    sl_hdf5_put_text(f, set, "long_name", meaning);
}

bool sl_hdf5_put_words(sl_hdf5_file *f, sl_arena *arena, hid_t set, const char *const *words, int32_t n) {
    enum { MOST = 128 };
    signed char values[MOST];
    char meanings[2048] = ""; /* words at blanks, which a word cannot have there */
    size_t at = 0;
    int32_t k = 0;
    for (; k < n && k < MOST && at + strlen(words[k]) + 2 < sizeof meanings; k++) {
        values[k] = (signed char)k;
        at += k > 0;
        for (const char *c = words[k]; *c; c++) {
            meanings[at++] = (char)(*c == ' ' ? '_' : *c);
        }
        meanings[at] = ' ';
    }
    meanings[at] = '\0';
    const hsize_t size = (hsize_t)k;
    if (k == n && n > 0) {
        hid_t space = sl_hdf5_id(f, f->h.H5Screate_simple(1, &size, NULL));
        put(f, set, "flag_values", space, f->h.H5T_STD_I8LE_g, f->h.H5T_NATIVE_SCHAR_g, values);
        sl_hdf5_put_text(f, set, "flag_meanings", meanings);
    }
    return sl_hdf5_put_texts(f, arena, set, "sluice_words", words, n);
}

static bool put_attribute(sl_hdf5_file *f, sl_arena *arena, const sl_results_attribute *a, const char *other) {
    bool reserved = !*a->name || strncmp(a->name, "sluice_", 7) == 0 || strcmp(a->name, "complete") == 0 ||
                    f->h.H5Aexists(f->file, a->name) != 0;
    const char *name = sl_arena_format(arena, "%s%s", reserved ? other : "", a->name);
    if (!name) {
        return false;
    }
    if (a->text) {
        sl_hdf5_put_text(f, f->file, name, a->text);
    } else {
        sl_hdf5_put_number(f, f->file, name, a->number);
    }
    return true;
}

bool sl_hdf5_put_attributes(sl_hdf5_file *f, sl_arena *arena, const sl_results_attribute *all, int32_t n,
                            const char *list, const char *other) {
    const char **names = sl_arena_alloc(arena, (size_t)n * sizeof *names);
    bool fine = names != NULL;
    for (int32_t i = 0; i < n && fine; i++) {
        names[i] = all[i].name;
        fine = put_attribute(f, arena, &all[i], other);
    }
    return fine && sl_hdf5_put_texts(f, arena, f->file, list, names, n);
}

/* ---- Datasets ----------------------------------------------------------------------------------- */

/* Properties that all datasets share. */
static hid_t properties(sl_hdf5_file *f) {
    hid_t p = sl_hdf5_id(f, f->h.H5Pcreate(f->h.H5P_CLS_DATASET_CREATE_ID_g));
    sl_hdf5_check(f, f->h.H5Pset_attr_creation_order(p, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    sl_hdf5_check(f, f->h.H5Pset_obj_track_times(p, false));
    return p;
}

hid_t sl_hdf5_put_column(sl_hdf5_file *f, const char *name, hsize_t n, hid_t type, hid_t memory, const void *value) {
    hid_t space = sl_hdf5_id(f, f->h.H5Screate_simple(1, &n, NULL)), p = properties(f);
    hid_t set = sl_hdf5_id(f, f->h.H5Dcreate2(f->file, name, type, space, H5P_DEFAULT, p, H5P_DEFAULT));
    if (n > 0) {
        sl_hdf5_check(f, f->h.H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, value));
    }
    sl_hdf5_check(f, f->h.H5Pclose(p));
    sl_hdf5_check(f, f->h.H5Sclose(space));
    return set;
}

hid_t sl_hdf5_put_series(sl_hdf5_file *f, const char *name, hid_t type, int rank, hsize_t n, const hsize_t chunk[2],
                         bool compress) {
    const hsize_t size[2] = {0, n}, limit[2] = {H5S_UNLIMITED, n};
    hid_t space = sl_hdf5_id(f, f->h.H5Screate_simple(rank, size, limit)), p = properties(f);
    sl_hdf5_check(f, f->h.H5Pset_chunk(p, rank, chunk));
    if (compress) {
        sl_hdf5_check(f, f->h.H5Pset_shuffle(p));
        sl_hdf5_check(f, f->h.H5Pset_deflate(p, DEFLATE_LEVEL));
    }
    hid_t set = sl_hdf5_id(f, f->h.H5Dcreate2(f->file, name, type, space, H5P_DEFAULT, p, H5P_DEFAULT));
    sl_hdf5_check(f, f->h.H5Pclose(p));
    sl_hdf5_check(f, f->h.H5Sclose(space));
    return set;
}

void sl_hdf5_append(sl_hdf5_file *f, hid_t set, hsize_t old, hsize_t n, hid_t memory, const void *value) {
    const hsize_t size = old + n;
    sl_hdf5_check(f, f->h.H5Dset_extent(set, &size));
    hid_t file = sl_hdf5_id(f, f->h.H5Dget_space(set)), here = sl_hdf5_id(f, f->h.H5Screate_simple(1, &n, NULL));
    sl_hdf5_check(f, f->h.H5Sselect_hyperslab(file, H5S_SELECT_SET, &old, NULL, &n, NULL));
    sl_hdf5_check(f, f->h.H5Dwrite(set, memory, here, file, H5P_DEFAULT, value));
    sl_hdf5_check(f, f->h.H5Sclose(here));
    sl_hdf5_check(f, f->h.H5Sclose(file));
}

/* ---- Seal --------------------------------------------------------------------------------------- */

/* Bytes of a file through libhdf5, which opens files for us. */
typedef struct raw_file {
    sl_hdf5_file *f;
    H5FD_t *file;
} raw_file;

static sl_status read_raw(void *user, uint64_t offset, void *bytes, size_t n) {
    const raw_file *raw = user;
    herr_t result = raw->f->h.H5FDread(raw->file, H5FD_MEM_SUPER, H5P_DEFAULT, offset, n, bytes);
    sl_hdf5_check(raw->f, result);
    return result >= 0 ? SL_OK : SL_ERR_IO;
}

sl_status sl_hdf5_put_seal(sl_hdf5_file *f, sl_context *ctx, const char *path, const sl_hdf5_ranges *ranges) {
    hid_t p = sl_hdf5_id(f, f->h.H5Pcreate(f->h.H5P_CLS_FILE_ACCESS_ID_g));
    raw_file raw = {f, f->h.H5FDopen(path, SL_HDF5_ACC_RDWR, p, HADDR_UNDEF)};
    note(f, raw.file != NULL);
    sl_status status = SL_ERR_IO;
    if (raw.file) {
        char *seal = NULL;
        size_t n = 0;
        sl_source_bytes bytes = {.user = &raw, .size = f->h.H5FDget_eof(raw.file, H5FD_MEM_SUPER), .read = read_raw};
        sl_hdf5_check(f, f->h.H5FDset_eoa(raw.file, H5FD_MEM_SUPER, bytes.size));
        status = sl_hdf5_seal_make(ctx, &bytes, ranges, &seal, &n);
        if (status == SL_OK) {
            sl_hdf5_check(f, f->h.H5FDset_eoa(raw.file, H5FD_MEM_SUPER, bytes.size + n));
            sl_hdf5_check(f, f->h.H5FDwrite(raw.file, H5FD_MEM_SUPER, H5P_DEFAULT, bytes.size, n, seal));
        }
        sl_free(ctx, seal, n);
        sl_hdf5_check(f, f->h.H5FDclose(raw.file));
    }
    sl_hdf5_check(f, f->h.H5Pclose(p));
    return status;
}
