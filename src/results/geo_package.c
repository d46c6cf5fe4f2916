/* SPDX-License-Identifier: MIT */
/* geo_package.c: results for maps as GeoPackage (OGC 12-128r18), through libsqlite3; see geo.h.
 *
 * A table per group, with a geometry. The database is made in memory and goes to the sink as bytes. The library is loaded when the
 * first such file is asked for; its calls are stable for good, so that no header of it is needed. Nothing depends on the clock.
 */
#include <math.h>
#include <string.h>

#include "base/foreign_memory.h"
#include "base/library.h"
#include "base/out.h"
#include "base/report.h"
#include "results/geo.h"

static const char library_name[] = "libsqlite3.so.0";

enum { STATEMENT = 1 << 14, SQLITE_DONE = 101, GEOMETRY_MAX = 8 + 9 + 32 };

/* Of sqlite3.h (public domain), as it has been since version 3.23. */
#define SQLITE_CALLS(X)                                                                            \
    X(open, int, (const char *name, void **db))                                                    \
    X(close, int, (void *db))                                                                      \
    X(errmsg, const char *, (void *db))                                                            \
    X(exec, int, (void *db, const char *sql, void *callback, void *user, char **message))          \
    X(prepare_v2, int, (void *db, const char *sql, int n, void **statement, const char **tail))    \
    X(bind_double, int, (void *statement, int at, double x))                                       \
    X(bind_null, int, (void *statement, int at))                                                   \
    X(bind_text, int, (void *statement, int at, const char *text, int n, void (*destroy)(void *))) \
    X(bind_blob, int, (void *statement, int at, const void *blob, int n, void (*destroy)(void *))) \
    X(step, int, (void *statement))                                                                \
    X(reset, int, (void *statement))                                                               \
    X(finalize, int, (void *statement))                                                            \
    X(serialize, unsigned char *, (void *db, const char *schema, int64_t *size, unsigned flags))   \
    X(free, void, (void *memory))

typedef struct sqlite {
    void *library, *db;
    bool failed;
#define CALL(name, type, arguments) type(*(name)) arguments; /* NOLINT(bugprone-macro-parentheses): declares a member */
    SQLITE_CALLS(CALL)
#undef CALL
} sqlite;

typedef struct package {
    sl_geo geo;
    sqlite s;
    char statement[STATEMENT];
    size_t n; /* bytes in it */
} package;

static bool resolve(const sqlite *s, const char *name, void *to) {
    void *symbol = sl_library_symbol(s->library, name);
    memcpy(to, &symbol, sizeof symbol);
    return symbol != NULL;
}

static sl_status load(sqlite *s, sl_diags *diags) {
    const char *why = NULL;
    *s = (sqlite){.library = NULL};
    sl_status status = sl_library_open(library_name, &s->library, &why);
    if (status == SL_ERR_MEMORY) {
        return status;
    }
    bool fine = status == SL_OK;
#define CALL(name, type, arguments) fine = fine && resolve(s, "sqlite3_" #name, &s->name);
    SQLITE_CALLS(CALL)
#undef CALL
    if (!fine) {
        sl_report(diags, SL_ERROR, SL_CODE_IO, NULL, NULL, NULL,
                  "install SQLite (Debian: apt-get install libsqlite3-0), or write .geojson",
                  "GeoPackages need %s, which cannot be loaded: %s", library_name, why ? why : "it lacks a function");
        sl_library_close(s->library);
        *s = (sqlite){0};
    }
    return fine ? SL_OK : SL_ERR_UNSUPPORTED;
}

/* ---- Statements --------------------------------------------------------------------------------- */

static void check(package *w, bool fine) {
    w->s.failed = w->s.failed || !fine;
}

static void run(package *w, const char *sql) {
    check(w, w->s.failed || w->s.exec(w->s.db, sql, NULL, NULL, NULL) == 0);
}

static void add(package *w, const char *text) {
    size_t k = strlen(text);
    check(w, w->n + k < STATEMENT);
    if (!w->s.failed) {
        memcpy(w->statement + w->n, text, k + 1);
        w->n += k;
    }
}

/* A name or text in its quotes, which are doubled within. */
static void add_quoted(package *w, const char *text, char quote) {
    const char q[2] = {quote, '\0'};
    add(w, q);
    for (; *text; text++) {
        const char c[3] = {*text, *text == quote ? quote : '\0', '\0'};
        add(w, c);
    }
    add(w, q);
}

/* ---- Tables ------------------------------------------------------------------------------------- */

static void make_file(package *w) {
    run(w,
        "PRAGMA application_id = 1196444487; PRAGMA user_version = 10300;" /* "GPKG", version 1.3 */
        "CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER PRIMARY KEY, organization TEXT NOT NULL,"
        " organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);"
        "INSERT INTO gpkg_spatial_ref_sys VALUES"
        " ('Undefined Cartesian', -1, 'NONE', -1, 'undefined', 'coordinates of the model'),"
        " ('Undefined geographic', 0, 'NONE', 0, 'undefined', NULL),"
        " ('WGS 84', 4326, 'EPSG', 4326, 'GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"
        "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]', NULL);"
        "CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,"
        " description TEXT DEFAULT '', last_change DATETIME NOT NULL, min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE,"
        " srs_id INTEGER REFERENCES gpkg_spatial_ref_sys(srs_id));"
        "CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL PRIMARY KEY REFERENCES gpkg_contents(table_name),"
        " column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL,"
        " srs_id INTEGER NOT NULL REFERENCES gpkg_spatial_ref_sys(srs_id), z TINYINT NOT NULL, m TINYINT NOT NULL);");
}

static void make_table(package *w, int32_t group, const sl_geo_column *columns, int32_t n) {
    const sl_results_group *g = &w->geo.layout->groups[group];
    w->n = 0;
    add(w, "CREATE TABLE ");
    add_quoted(w, g->name, '"');
    add(w, " (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom ");
    add(w, sl_geo_has_lines(&w->geo, group) ? "LINESTRING" : "POINT");
    for (int32_t i = 0; i < n; i++) {
        add(w, ", ");
        add_quoted(w, columns[i].name, '"');
        add(w, columns[i].text ? " TEXT" : " REAL");
    }
    add(w, ")");
    run(w, w->statement);
    w->n = 0;
    add(w, "INSERT INTO ");
    add_quoted(w, g->name, '"');
    add(w, " VALUES (NULL, ?");
    for (int32_t i = 0; i < n; i++) {
        add(w, ", ?");
    }
    add(w, ")");
}

static void list_table(package *w, int32_t group, const double box[4]) {
    const sl_results_group *g = &w->geo.layout->groups[group];
    char numbers[160] = ", NULL, NULL, NULL, NULL, -1);";
    if (box[0] <= box[2]) {
        sl_format(numbers, sizeof numbers, ", %.17g, %.17g, %.17g, %.17g, -1);", box[0], box[1], box[2], box[3]);
    }
    w->n = 0;
    add(w, "INSERT INTO gpkg_contents VALUES (");
    add_quoted(w, g->name, '\'');
    add(w, ", 'features', ");
    add_quoted(w, g->name, '\'');
    add(w, ", ");
    add_quoted(w, g->meaning, '\'');
    add(w, ", '1970-01-01T00:00:00.000Z'");
    add(w, numbers);
    add(w, "INSERT INTO gpkg_geometry_columns VALUES (");
    add_quoted(w, g->name, '\'');
    add(w, sl_geo_has_lines(&w->geo, group) ? ", 'geom', 'LINESTRING', -1, 0, 0)" : ", 'geom', 'POINT', -1, 0, 0)");
    run(w, w->statement);
}

/* ---- Rows --------------------------------------------------------------------------------------- */

static size_t put_bytes(unsigned char *to, uint64_t x, int n) {
    for (int i = 0; i < n; i++) {
        to[i] = (unsigned char)(x >> 8 * i);
    }
    return (size_t)n;
}

/* The header of GeoPackage without an envelope, then well-known binary; little-endian. */
static size_t make_geometry(const double *xy, int n, unsigned char to[GEOMETRY_MAX]) {
    static const unsigned char magic[] = {'G', 'P', 0, 1};
    size_t at = sizeof magic;
    memcpy(to, magic, sizeof magic);
    at += put_bytes(to + at, (uint32_t)-1, 4);
    at += put_bytes(to + at, 1, 1);
    at += put_bytes(to + at, n == 2 ? 2 : 1, 4);
    at += n == 2 ? put_bytes(to + at, 2, 4) : 0;
    for (int i = 0; i < 2 * n; i++) {
        uint64_t bits;
        memcpy(&bits, &xy[i], sizeof bits);
        at += put_bytes(to + at, bits, 8);
    }
    return at;
}

static void put_row(package *w, void *row, int32_t group, int32_t i, const sl_geo_column *columns, int32_t n,
                    sl_geo_value *values, double box[4]) {
    double xy[4];
    unsigned char geometry[GEOMETRY_MAX];
    int n_point = sl_geo_position(&w->geo, group, i, xy);
    size_t size = make_geometry(xy, n_point, geometry);
    check(w, (n_point > 0 ? w->s.bind_blob(row, 1, geometry, (int)size, NULL) : w->s.bind_null(row, 1)) == 0);
    for (int k = 0; k < n_point; k++) {
        box[0] = fmin(box[0], xy[2 * k]);
        box[1] = fmin(box[1], xy[2 * k + 1]);
        box[2] = fmax(box[2], xy[2 * k]);
        box[3] = fmax(box[3], xy[2 * k + 1]);
    }
    sl_geo_values(&w->geo, group, i, values);
    for (int32_t k = 0; k < n; k++) {
        bool none = columns[k].text ? !values[k].text : isnan(values[k].number);
        int result = none              ? w->s.bind_null(row, k + 2)
                     : columns[k].text ? w->s.bind_text(row, k + 2, values[k].text, -1, NULL)
                                       : w->s.bind_double(row, k + 2, values[k].number);
        check(w, result == 0);
    }
    check(w, w->s.step(row) == SQLITE_DONE && w->s.reset(row) == 0);
}

/* False: out of memory. */
static bool put_group(package *w, int32_t group) {
    int32_t n = 0;
    const sl_geo_column *columns = sl_geo_columns(&w->geo, group, &n);
    sl_geo_value *values = columns ? sl_arena_alloc(&w->geo.arena, (size_t)n * sizeof *values) : NULL;
    if (!values) {
        return false;
    }
    double box[4] = {(double)INFINITY, (double)INFINITY, -(double)INFINITY, -(double)INFINITY};
    void *row = NULL;
    make_table(w, group, columns, n);
    check(w, !w->s.failed && w->s.prepare_v2(w->s.db, w->statement, -1, &row, NULL) == 0);
    for (int32_t i = 0; i < w->geo.layout->groups[group].n && !w->s.failed; i++) {
        put_row(w, row, group, i, columns, n, values, box);
    }
    w->s.finalize(row);
    list_table(w, group, box);
    return true;
}

/* ---- The format --------------------------------------------------------------------------------- */

static sl_status send(package *w, sl_diags *diags) {
    int64_t size = 0;
    unsigned char *bytes = w->s.failed ? NULL : w->s.serialize(w->s.db, "main", &size, 0);
    bool no_memory = !bytes && sl_foreign_memory_failed();
    sl_status status = bytes ? w->geo.sink.write(w->geo.sink.user, bytes, (size_t)size) : SL_ERR_IO;
    status = no_memory ? SL_ERR_MEMORY : status;
    if (!bytes && !no_memory) {
        sl_report(diags, SL_ERROR, SL_CODE_IO, NULL, NULL, NULL, NULL, "the GeoPackage could not be written: %s",
                  w->s.db ? w->s.errmsg(w->s.db) : "out of memory");
    }
    w->s.free(bytes);
    return status;
}

static sl_status end(void *self, const sl_results_end *end, sl_diags *diags) {
    package *w = self;
    const sl_results_layout *l = w->geo.layout;
    (void)end;
    int before = sl_foreign_memory_begin();
    check(w, w->s.open(":memory:", &w->s.db) == 0);
    make_file(w);
    run(w, "BEGIN");
    bool fine = true;
    for (int32_t g = 0; g < l->n_group && fine && !w->s.failed; g++) {
        fine = !sl_geo_is_located(&w->geo, g) || put_group(w, g);
    }
    run(w, "COMMIT");
    sl_status status = fine ? send(w, diags) : SL_ERR_MEMORY;
    w->s.close(w->s.db);
    w->s.db = NULL;
    (void)sl_foreign_memory_end(before);
    return status;
}

static void destroy(void *self) {
    package *w = self;
    sl_context *ctx = w->geo.ctx;
    sl_library_close(w->s.library);
    sl_geo_fini(&w->geo);
    sl_free(ctx, w, sizeof *w);
}

static sl_status create(sl_context *ctx, const sl_results_target *target, const sl_results_layout *layout,
                        sl_diags *diags, void **out) {
    package *w = sl_alloc(ctx, sizeof *w);
    sl_status status = w ? sl_geo_init(&w->geo, ctx, target, layout, diags) : SL_ERR_MEMORY;
    status = status == SL_OK ? load(&w->s, diags) : status;
    if (w && status != SL_OK) {
        destroy(w);
    }
    *out = status == SL_OK ? w : NULL;
    return status;
}

static sl_status ready(sl_diags *diags) {
    sqlite s;
    sl_status status = load(&s, diags);
    sl_library_close(s.library);
    return status;
}

const sl_results_format sl_format_gpkg = {.ending = "gpkg",
                                          .what = "results for maps (.gpkg)",
                                          .ready = ready,
                                          .create = create,
                                          .frame = sl_geo_frame,
                                          .end = end,
                                          .destroy = destroy};
