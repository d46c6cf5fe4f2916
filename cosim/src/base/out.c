/* SPDX-License-Identifier: MIT */
/* out.c: a buffered writer over a sink, and a sink that collects bytes.
 *
 * The first failure sticks and everything after it is dropped, so that writers of long files check once.
 */
#include "base/out.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>
#ifndef _WIN32
#include <pthread.h>
#endif

#include "base/memory.h"
#include "base/number.h"

/* ---- Formatting without the host's locale ------------------------------------------------------- */

#ifdef _WIN32
/* In this thread only, as long as this runs. */
int sl_vformat(char *buf, size_t size, const char *fmt, va_list args) {
    char before[128] = "C";
    int kind = _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
    const char *name = setlocale(LC_NUMERIC, NULL);
    if (name && strlen(name) < sizeof before) {
        memcpy(before, name, strlen(name) + 1);
    }
    (void)setlocale(LC_NUMERIC, "C");
    int n = vsnprintf(buf, size, fmt, args);
    (void)setlocale(LC_NUMERIC, before);
    (void)_configthreadlocale(kind);
    if (n < 0 && size) {
        buf[0] = '\0';
    }
    return n;
}
#else
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;
static locale_t c_locale; /* made once and kept: a thread may be using it at any time */

static void make_c_locale(void) {
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

int sl_vformat(char *buf, size_t size, const char *fmt, va_list args) {
    pthread_once(&c_locale_once, make_c_locale);
    locale_t before = uselocale(c_locale); /* of this thread only */
    int n = vsnprintf(buf, size, fmt, args);
    uselocale(before);
    if (n < 0 && size) {
        buf[0] = '\0';
    }
    return n;
}
#endif

int sl_format(char *buf, size_t size, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    int n = sl_vformat(buf, size, fmt, args);
    va_end(args);
    return n;
}

char *sl_arena_format(sl_arena *arena, const char *fmt, ...) {
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    size_t size = (size_t)sl_vformat(NULL, 0, fmt, args) + 1;
    char *text = sl_arena_alloc(arena, size);
    if (text) {
        (void)sl_vformat(text, size, fmt, again);
    }
    va_end(again);
    va_end(args);
    return text;
}

/* ---- Writer ------------------------------------------------------------------------------------- */

void sl_out_init(sl_out *out, const sl_sink *sink) {
    out->sink = *sink;
    out->status = SL_OK;
    out->n = 0;
    out->column = 0;
}

sl_status sl_out_flush(sl_out *out) {
    if (out->status == SL_OK && out->n) {
        out->status = out->sink.write(out->sink.user, out->buf, out->n);
    }
    out->n = 0;
    return out->status;
}

static void count_column(sl_out *out, const char *p, size_t n) {
    size_t i = n;
    while (i > 0 && p[i - 1] != '\n') {
        i--;
    }
    out->column = (i > 0 ? 0 : out->column) + (n - i);
}

void sl_out_bytes(sl_out *out, const void *bytes, size_t n) {
    if (n == 0 || out->status != SL_OK) {
        return;
    }
    count_column(out, bytes, n);
    if (n > SL_OUT_BUFFER - out->n) {
        sl_out_flush(out);
        if (n >= SL_OUT_BUFFER) {
            if (out->status == SL_OK) {
                out->status = out->sink.write(out->sink.user, bytes, n);
            }
            return;
        }
    }
    memcpy(out->buf + out->n, bytes, n);
    out->n += n;
}

void sl_out_str(sl_out *out, sl_str s) {
    sl_out_bytes(out, s.ptr, s.len);
}

void sl_out_z(sl_out *out, const char *z) {
    sl_out_bytes(out, z, strlen(z));
}

void sl_out_char(sl_out *out, char c) {
    if (out->n == SL_OUT_BUFFER) {
        sl_out_flush(out);
    }
    if (out->status == SL_OK) {
        out->buf[out->n++] = c;
        out->column = c == '\n' ? 0 : out->column + 1;
    }
}

void sl_out_int(sl_out *out, int64_t x) {
    char buf[SL_NUMBER_MAX];
    sl_out_bytes(out, buf, sl_number_format_int(x, buf));
}

void sl_out_number(sl_out *out, double x) {
    char buf[SL_NUMBER_MAX];
    sl_out_bytes(out, buf, sl_number_format(x, buf));
}

void sl_out_printf(sl_out *out, const char *fmt, ...) {
    if (out->status != SL_OK) {
        return;
    }
    char text[1024];
    va_list args;
    va_start(args, fmt);
    int n = sl_vformat(text, sizeof text, fmt, args);
    va_end(args);
    if (n < 0 || n >= SL_OUT_BUFFER) {
        out->status = SL_ERR_USE;
    } else if ((size_t)n < sizeof text) {
        sl_out_bytes(out, text, (size_t)n);
    } else if (sl_out_flush(out) == SL_OK) { /* long: once more, straight into the emptied buffer */
        va_start(args, fmt);
        (void)sl_vformat(out->buf, SL_OUT_BUFFER, fmt, args);
        va_end(args);
        out->n = (size_t)n;
        count_column(out, out->buf, out->n);
    }
}

void sl_out_pad(sl_out *out, size_t column, size_t min_blanks) {
    size_t n = column > out->column ? column - out->column : 0;
    if (n < min_blanks) {
        n = min_blanks;
    }
    while (n-- > 0 && out->status == SL_OK) {
        sl_out_char(out, ' ');
    }
}

/* ---- Bytes in memory ---------------------------------------------------------------------------- */

void sl_bytes_init(sl_bytes *b, sl_context *ctx) {
    *b = (sl_bytes){.ctx = ctx};
}

void sl_bytes_fini(sl_bytes *b) {
    sl_free(b->ctx, b->at, (size_t)b->cap);
    *b = (sl_bytes){.ctx = b->ctx};
}

static sl_status bytes_write(void *user, const void *bytes, size_t n) {
    sl_bytes *b = user;
    if (n == 0) {
        return SL_OK;
    }
    if (n > (uint64_t)(INT64_MAX - b->n) || !SL_RESERVE(b->ctx, b, b->n + (int64_t)n)) {
        return SL_ERR_MEMORY;
    }
    memcpy(b->at + b->n, bytes, n);
    b->n += (int64_t)n;
    return SL_OK;
}

sl_sink sl_bytes_sink(sl_bytes *b) {
    return (sl_sink){b, bytes_write};
}
