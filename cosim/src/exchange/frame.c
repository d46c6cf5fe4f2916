/* SPDX-License-Identifier: MIT */
/* frame.c: frames around messages: finding their ends, reading and writing them, and the checksum. See frame.h for the layout.
 *
 * Nothing that comes is trusted: sizes are checked against what is there before anything is read by them.
 */
#include "exchange/frame.h"

#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/number.h"

enum {
    VERSION = 1,
    HEAD = 40,
    CRC = 4,
    WITH_TEXT = 1,      /* flag */
    TEXT_HEAD_MOST = 32 /* "COSIM/1 " and digits */
};

static const char TEXT_MAGIC[] = "COSIM/1 ", BINARY_MAGIC[4] = {'S', 'L', 'C', 'S'};

/* ---- Numbers in bytes --------------------------------------------------------------------------- */

static uint64_t load(const char *p, size_t n) {
    return sl_load_up_to_8(p, n);
}

static double load_double(const char *p) {
    uint64_t word = sl_load8(p);
    double x;
    memcpy(&x, &word, sizeof x);
    return x;
}

static void store(char *p, uint64_t x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        p[i] = (char)(x >> (8 * i) & 0xFF);
    }
}

static void store_double(char *p, double x) {
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    store(p, word, 8);
}

/* Castagnoli's polynomial, reflected: four bits at a time from a table of sixteen. */
static uint32_t crc_plain(uint32_t crc, const unsigned char *p, size_t n) {
    static const uint32_t table[16] = {0x00000000, 0x105EC76F, 0x20BD8EDE, 0x30E349B1, 0x417B1DBC, 0x5125DAD3,
                                       0x61C69362, 0x7198540D, 0x82F63B78, 0x92A8FC17, 0xA24BB5A6, 0xB21572C9,
                                       0xC38D26C4, 0xD3D3E1AB, 0xE330A81A, 0xF36E6F75};
    for (size_t i = 0; i < n; i++) {
        crc ^= p[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return crc;
}

#ifdef __x86_64__
/* Eight bytes at a time by an instruction made for it. */
__attribute__((target("sse4.2"))) static uint32_t crc_fast(uint32_t crc, const unsigned char *p, size_t n) {
    uint64_t wide = crc;
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, sizeof word);
        wide = __builtin_ia32_crc32di(wide, word);
    }
    return crc_plain((uint32_t)wide, p, n);
}
#endif

uint32_t sl_crc32c(const void *bytes, size_t n) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("sse4.2")) {
        return ~crc_fast(0xFFFFFFFF, bytes, n);
    }
#endif
    return ~crc_plain(0xFFFFFFFF, bytes, n);
}

/* ---- Where it ends ------------------------------------------------------------------------------ */

static sl_cosim_code find_text(const char *bytes, size_t n, size_t most, size_t *size, size_t *head) {
    size_t look = n < TEXT_HEAD_MOST ? n : TEXT_HEAD_MOST, magic = sizeof TEXT_MAGIC - 1;
    if (memcmp(bytes, TEXT_MAGIC, look < magic ? look : magic) != 0) {
        return SL_COSIM_BAD_FORMAT;
    }
    const char *stop = memchr(bytes, '\n', look);
    if (!stop) {
        return look < TEXT_HEAD_MOST ? SL_COSIM_AGAIN : SL_COSIM_BAD_FORMAT;
    }
    int64_t body;
    if ((size_t)(stop - bytes) <= magic || bytes[magic] < '0' || bytes[magic] > '9' ||
        sl_number_parse_int((sl_str){bytes + magic, (size_t)(stop - bytes) - magic}, &body) == SL_NUMBER_BAD) {
        return SL_COSIM_BAD_FORMAT;
    }
    *head = (size_t)(stop - bytes) + 1;
    if (body < 0 || (uint64_t)body > most) {
        return SL_COSIM_LIMIT;
    }
    *size = *head + (size_t)body;
    return SL_COSIM_OK;
}

static sl_cosim_code find_binary(const char *bytes, size_t n, size_t most, size_t *size) {
    if (memcmp(bytes, BINARY_MAGIC, n < 4 ? n : 4) != 0) {
        return SL_COSIM_BAD_FORMAT;
    }
    if (n < HEAD) {
        return SL_COSIM_AGAIN;
    }
    uint64_t version = load(bytes + 4, 2), kind = load(bytes + 6, 2), rows = load(bytes + 8, 4),
             flags = load(bytes + 12, 4);
    if (version != VERSION || kind < SL_MESSAGE_HELLO || kind > SL_MESSAGE_END || flags & ~(uint64_t)WITH_TEXT) {
        return SL_COSIM_BAD_FORMAT;
    }
    uint64_t total = HEAD + 16 * rows;
    for (uint64_t i = 0; flags & WITH_TEXT && i < rows && total <= most; i++) {
        if (n < total + 4) {
            return SL_COSIM_AGAIN;
        }
        total += 4 + load(bytes + total, 4);
    }
    total += CRC;
    if (total > most) {
        return SL_COSIM_LIMIT;
    }
    *size = (size_t)total;
    return SL_COSIM_OK;
}

sl_cosim_code sl_frame_find(const char *bytes, size_t n, size_t most, size_t *size) {
    size_t head;
    if (n == 0) {
        return SL_COSIM_AGAIN;
    }
    return bytes[0] == 'S' ? find_binary(bytes, n, most, size) : find_text(bytes, n, most, size, &head);
}

/* ---- Reading ------------------------------------------------------------------------------------ */

static void reset(sl_message *m) {
    sl_message fresh;
    sl_message_init(&fresh);
    fresh.row.at = m->row.at;
    fresh.row.cap = m->row.cap;
    *m = fresh;
}

static sl_cosim_code bad(sl_message *m, int64_t line, const char *why) {
    m->error = why;
    m->error_line = line;
    return SL_COSIM_BAD_FORMAT;
}

static sl_cosim_code read_binary(sl_context *ctx, const char *bytes, size_t n, int64_t n_expected, sl_message *m) {
    reset(m);
    if (load(bytes + n - CRC, 4) != sl_crc32c(bytes, n - CRC)) {
        return bad(m, 0, "its checksum is wrong");
    }
    bool texts = load(bytes + 12, 4) & WITH_TEXT;
    m->kind = (sl_message_kind)load(bytes + 6, 2);
    m->n_row = (int64_t)load(bytes + 8, 4);
    m->seq = load(bytes + 16, 8);
    m->time = load_double(bytes + 24);
    m->next = load_double(bytes + 32);
    m->time_within = 1e-9 * fabs(m->time);
    m->next_within = 1e-9 * fabs(m->next);
    if (m->kind == SL_MESSAGE_HELLO) {
        m->n_in = m->next >= 0 && m->next <= (double)m->n_row ? (int64_t)m->next : -1;
        m->next = NAN;
        if (m->n_in < 0) {
            return bad(m, 0, "it says that it reads more variables than it has");
        }
    }
    int64_t keep = m->n_row < n_expected ? m->n_row : n_expected;
    if (!SL_RESERVE(ctx, &m->row, keep)) {
        return SL_COSIM_MEMORY;
    }
    const char *entity = bytes + HEAD, *value = entity + 8 * m->n_row, *text = value + 8 * m->n_row;
    for (int64_t i = 0; i < keep; i++) {
        sl_message_row row = {.entity = (sl_cosim_entity)sl_load8(entity + 8 * i), .value = load_double(value + 8 * i)};
        if (texts) {
            row.text = (sl_str){text + 4, (size_t)load(text, 4)};
            text += 4 + row.text.len;
        }
        if (m->kind == SL_MESSAGE_HELLO && row.value >= INT32_MIN && row.value <= INT32_MAX) {
            row.type = (sl_cosim_type)row.value;
        }
        m->row.at[m->row.n++] = row;
    }
    if (m->kind == SL_MESSAGE_DATA) {
        m->note[SL_NOTE_FEW_ROWS] = n_expected - keep;
        m->note[SL_NOTE_MANY_ROWS] = m->n_row - keep;
    }
    return m->kind == SL_MESSAGE_END ? SL_COSIM_END : SL_COSIM_OK;
}

/* The next line without its end; false: there is none. */
static bool next_line(sl_str *rest, sl_str *line) {
    const char *stop = rest->len ? memchr(rest->ptr, '\n', rest->len) : NULL;
    if (!stop) {
        return false;
    }
    *line = (sl_str){rest->ptr, (size_t)(stop - rest->ptr)};
    *rest = (sl_str){stop + 1, rest->len - line->len - 1};
    return true;
}

static bool hello_line(sl_str *rest, const char *word, sl_str *value) {
    size_t n = strlen(word);
    sl_str line;
    if (!next_line(rest, &line) || line.len < n || memcmp(line.ptr, word, n) != 0) {
        return false;
    }
    *value = (sl_str){line.ptr + n, line.len - n};
    return true;
}

static bool hello_int(sl_str *rest, const char *word, int64_t *x) {
    sl_str value;
    return hello_line(rest, word, &value) && sl_number_parse_int(value, x) == SL_NUMBER_OK && *x >= 0;
}

/* entity,type,description */
static bool hello_row(sl_str line, sl_message_row *row) {
    const char *end = line.ptr + line.len, *first = memchr(line.ptr, ',', line.len);
    const char *second = first ? memchr(first + 1, ',', (size_t)(end - first - 1)) : NULL;
    int64_t type;
    if (!second || sl_number_parse_int((sl_str){line.ptr, (size_t)(first - line.ptr)}, &row->entity) != SL_NUMBER_OK ||
        sl_number_parse_int((sl_str){first + 1, (size_t)(second - first - 1)}, &type) != SL_NUMBER_OK ||
        type < INT32_MIN || type > INT32_MAX) {
        return false;
    }
    row->type = (sl_cosim_type)type;
    row->value = (double)type;
    row->text = (sl_str){second + 1, (size_t)(end - second - 1)};
    return true;
}

static sl_cosim_code read_hello(sl_context *ctx, sl_str text, int64_t n_expected, sl_message *m) {
    reset(m);
    m->kind = SL_MESSAGE_HELLO;
    int64_t version, pid, n_out;
    sl_str value;
    if (!hello_int(&text, "HELLO=", &version) || !hello_int(&text, "PID=", &pid) ||
        !hello_line(&text, "TIME=", &value) || !sl_text_number(value, &m->time, &m->time_within) ||
        !hello_int(&text, "IN=", &m->n_in) || !hello_int(&text, "OUT=", &n_out) ||
        !hello_line(&text, "entity,type,description", &value)) {
        return bad(m, 0, "its greeting is not HELLO, PID, TIME, IN, OUT and the list of variables");
    }
    m->seq = (uint64_t)pid;
    if (version != VERSION) {
        return bad(m, 1, "it speaks another version of the protocol");
    }
    for (sl_str line; next_line(&text, &line);) {
        sl_message_row row = {0};
        if (!hello_row(line, &row)) {
            return bad(m, 7 + m->n_row, "a variable in its greeting is not entity,type,description");
        }
        if (m->n_row++ < n_expected && !SL_PUSH(ctx, &m->row, row)) {
            return SL_COSIM_MEMORY;
        }
    }
    bool counted = m->n_in <= m->n_row && n_out == m->n_row - m->n_in;
    return counted && text.len == 0 ? SL_COSIM_OK : bad(m, 0, "its greeting has not as many variables as it says");
}

sl_cosim_code sl_frame_read(sl_context *ctx, char *bytes, size_t n, int64_t n_expected, sl_message *m) {
    size_t size = 0, head = 0;
    sl_cosim_code code = sl_frame_find(bytes, n, n, &size);
    if (code != SL_COSIM_OK || size != n) {
        reset(m);
        return bad(m, 0, "it is no frame");
    }
    if (bytes[0] == 'S') {
        return read_binary(ctx, bytes, n, n_expected, m);
    }
    (void)find_text(bytes, n, n, &size, &head);
    if (n - head >= 6 && memcmp(bytes + head, "HELLO=", 6) == 0) {
        return read_hello(ctx, (sl_str){bytes + head, n - head}, n_expected, m);
    }
    return sl_text_read(ctx, bytes + head, n - head, n_expected, m);
}

/* ---- Writing ------------------------------------------------------------------------------------ */

static bool write_binary(sl_bytes *to, const sl_message *m) {
    int64_t n = m->kind == SL_MESSAGE_END ? 0 : m->row.n;
    bool texts = false;
    int64_t size = HEAD + 16 * n + CRC;
    for (int64_t i = 0; i < n; i++) {
        texts = texts || m->row.at[i].text.len > 0;
        size += 4 + (int64_t)m->row.at[i].text.len;
    }
    if (n > UINT32_MAX || !SL_RESERVE(to->ctx, to, to->n + size)) {
        return false;
    }
    char *begin = to->at + to->n, *p = begin;
    bool hello = m->kind == SL_MESSAGE_HELLO;
    memcpy(p, BINARY_MAGIC, 4);
    store(p + 4, VERSION, 2);
    store(p + 6, (uint64_t)m->kind, 2);
    store(p + 8, (uint64_t)n, 4);
    store(p + 12, texts ? WITH_TEXT : 0, 4);
    store(p + 16, m->seq, 8);
    store_double(p + 24, m->time);
    store_double(p + 32, hello ? (double)m->n_in : m->next);
    p += HEAD;
    for (int64_t i = 0; i < n; i++, p += 8) {
        store(p, (uint64_t)m->row.at[i].entity, 8);
    }
    for (int64_t i = 0; i < n; i++, p += 8) {
        store_double(p, hello ? (double)m->row.at[i].type : m->row.at[i].value);
    }
    for (int64_t i = 0; texts && i < n; i++) {
        sl_str s = m->row.at[i].text;
        store(p, s.len, 4);
        if (s.len) {
            memcpy(p + 4, s.ptr, s.len);
        }
        p += 4 + s.len;
    }
    store(p, sl_crc32c(begin, (size_t)(p - begin)), CRC);
    to->n += p + CRC - begin;
    return true;
}

static bool put(sl_bytes *to, const char *text, size_t n) {
    if (!SL_RESERVE(to->ctx, to, to->n + (int64_t)n)) {
        return false;
    }
    memcpy(to->at + to->n, text, n);
    to->n += (int64_t)n;
    return true;
}

static bool put_line(sl_bytes *to, const char *word, int64_t x) {
    char text[SL_NUMBER_MAX];
    return put(to, word, strlen(word)) && put(to, text, sl_number_format_int(x, text));
}

static bool write_hello(sl_bytes *to, const sl_message *m) {
    char time[SL_NUMBER_MAX] = "NaN";
    size_t n = isfinite(m->time) ? sl_number_format(m->time, time) : 3;
    bool ok = put_line(to, "HELLO=", VERSION) && put_line(to, "\nPID=", (int64_t)m->seq) && put(to, "\nTIME=", 6) &&
              put(to, time, n) && put_line(to, "\nIN=", m->n_in) && put_line(to, "\nOUT=", m->row.n - m->n_in) &&
              put(to, "\nentity,type,description\n", 25);
    for (int64_t i = 0; ok && i < m->row.n; i++) {
        const sl_message_row *r = &m->row.at[i];
        ok = put_line(to, "", r->entity) && put_line(to, ",", r->type) && put(to, ",", 1);
        for (size_t k = 0; ok && k < r->text.len; k++) {
            char c = r->text.ptr[k] == '\n' || r->text.ptr[k] == '\r' ? ' ' : r->text.ptr[k];
            ok = put(to, &c, 1);
        }
        ok = ok && put(to, "\n", 1);
    }
    return ok;
}

/* The length stands before the text and is known after it: room is left for its digits, and the text moved to them. */
static bool write_text(sl_bytes *to, const sl_message *m, bool quote) {
    int64_t begin = to->n;
    char head[TEXT_HEAD_MOST] = {0};
    if (!put(to, head, sizeof head) ||
        !(m->kind == SL_MESSAGE_HELLO ? write_hello(to, m) : sl_text_write(to, m, quote))) {
        return false;
    }
    int64_t body = to->n - begin - (int64_t)sizeof head;
    memcpy(head, TEXT_MAGIC, sizeof TEXT_MAGIC - 1);
    size_t n = sizeof TEXT_MAGIC - 1;
    char digits[SL_NUMBER_MAX];
    size_t n_digit = sl_number_format_int(body, digits);
    memcpy(head + n, digits, n_digit);
    n += n_digit;
    head[n++] = '\n';
    memcpy(to->at + begin, head, n);
    memmove(to->at + begin + (int64_t)n, to->at + begin + (int64_t)sizeof head, (size_t)body);
    to->n = begin + (int64_t)n + body;
    return true;
}

bool sl_frame_write(sl_bytes *to, const sl_message *m, bool binary, bool quote) {
    return binary ? write_binary(to, m) : write_text(to, m, quote);
}

size_t sl_frame_end(bool binary, char frame[SL_FRAME_END_MOST]) {
    static const char text[] = "COSIM/1 4\nEND\n";
    if (!binary) {
        memcpy(frame, text, sizeof text - 1);
        return sizeof text - 1;
    }
    memset(frame, 0, HEAD);
    memcpy(frame, BINARY_MAGIC, 4);
    store(frame + 4, VERSION, 2);
    store(frame + 6, SL_MESSAGE_END, 2);
    store(frame + HEAD, sl_crc32c(frame, HEAD), CRC);
    return HEAD + CRC;
}
