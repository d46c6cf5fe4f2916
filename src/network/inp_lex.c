/* SPDX-License-Identifier: MIT */
/* inp_lex.c: .inp text as sections, lines and tokens.
 *
 * A line ends with LF or CRLF (CR alone in a file that has no LF). Tokens are separated by blanks and tabs; a token
 * that begins with a double quote runs to the next one. The first ';' starts a comment. A line whose first
 * character is '[' is a heading. Headings are matched by their first four letters, as EPANET 2.0 and 2.2 do; EPANET
 * 2.3 wants them whole, so a short one is warned about.
 */
#include "network/inp_read.h"

#include <string.h>
#include "base/find_byte.h"
#include "base/simd.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

static const char *const section_names[SL_SEC_COUNT] = {
    "TITLE",       "JUNCTIONS", "RESERVOIRS", "TANKS",    "PIPES",     "PUMPS",  "VALVES",   "EMITTERS",
    "DEMANDS",     "LEAKAGE",   "CURVES",     "PATTERNS", "ENERGY",    "STATUS", "CONTROLS", "RULES",
    "SOURCES",     "QUALITY",   "REACTIONS",  "MIXING",   "OPTIONS",   "TIMES",  "REPORT",   "TAGS",
    "COORDINATES", "VERTICES",  "LABELS",     "BACKDROP", "ROUGHNESS", "END"};

/* Sections that only a SWMM drainage model has. */
static const char *const swmm_names[] = {
    "OUTFALLS", "CONDUITS", "SUBCATCHMENTS", "XSECTIONS",   "RAINGAGES",  "SUBAREAS",   "ORIFICES", "INFILTRATION",
    "WEIRS",    "DWF",      "INFLOWS",       "EVAPORATION", "TIMESERIES", "POLLUTANTS", "LANDUSES", "DIVIDERS"};

static char upper(char c) {
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

bool sl_word(sl_str tok, const char *stem) {
    size_t i = 0;
    for (; stem[i]; i++) {
        if (i >= tok.len || upper(tok.ptr[i]) != stem[i]) {
            return false;
        }
    }
    return i > 0;
}

/* The name within the brackets. */
static sl_str heading_name(sl_str heading) {
    sl_str name = {heading.ptr + 1, 0};
    while (name.len + 1 < heading.len && heading.ptr[name.len + 1] != ']') {
        name.len++;
    }
    return name;
}

sl_section sl_section_find(sl_str heading, bool *exact) {
    sl_str name = heading_name(heading);
    bool closed = name.len + 1 < heading.len;
    for (int i = 0; i < SL_SEC_COUNT && name.len; i++) {
        if (upper(name.ptr[0]) == section_names[i][0] && sl_str_equal_nocase(name, sl_str_z(section_names[i]))) {
            *exact = closed;
            return (sl_section)i;
        }
    }
    *exact = false;
    for (int i = 0; i < SL_SEC_END; i++) {
        char stem[5] = {0};
        memcpy(stem, section_names[i], 4);
        if (sl_word(name, stem)) {
            return (sl_section)i;
        }
    }
    return SL_SEC_NONE;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* The line that starts at begin: its end, and the start of the next. */
static size_t line_end(const sl_reader *r, size_t begin, size_t *next) {
    const char *p = memchr(r->text + begin, r->eol, r->n - begin);
    size_t end = p ? (size_t)(p - r->text) : r->n;
    *next = p ? end + 1 : end;
    while (end > begin && r->text[end - 1] == '\r') {
        end--;
    }
    return end;
}

static bool is_swmm(sl_str heading) {
    sl_str name = heading_name(heading);
    for (size_t i = 0; i < sizeof swmm_names / sizeof *swmm_names; i++) {
        if (sl_str_equal_nocase(name, sl_str_z(swmm_names[i]))) {
            return true;
        }
    }
    return false;
}

static void unknown_heading(sl_reader *r, sl_str heading) {
    char quoted[SL_QUOTE_MAX], near[64];
    const char *hint = sl_inp_near_word(heading_name(heading), section_names, SL_SEC_COUNT, near, sizeof near);
    sl_inp_warn(r, 0, SL_CODE_UNKNOWN_SECTION, hint ? hint : "its lines are kept in the file but not read",
                "section %s is not one that EPANET knows", sl_quote(heading, quoted));
}

/* A heading line: the section it opens, or NONE after a report. */
static sl_section open_section(sl_reader *r) {
    sl_str heading = r->tok.at[0];
    bool exact;
    sl_section section = sl_section_find(heading, &exact);
    if (!exact && is_swmm(heading)) {
        char quoted[SL_QUOTE_MAX];
        sl_inp_fail(r, 0, SL_CODE_NOT_EPANET, "Sluice reads pressurised networks; open this file with SWMM",
                    "this is a SWMM drainage model (section %s on line %u), not an EPANET network",
                    sl_quote(heading, quoted), (unsigned)r->line_no);
        r->stopped = true;
        return SL_SEC_NONE;
    }
    if (section == SL_SEC_NONE) {
        unknown_heading(r, heading);
    } else if (!exact) {
        char quoted[SL_QUOTE_MAX];
        sl_inp_warn(r, 0, SL_CODE_LEGACY, "EPANET 2.3 refuses headings that are not spelled out",
                    "heading %s is read as [%s]", sl_quote(heading, quoted), section_names[section]);
    }
    return section;
}

static void orphan_line(sl_reader *r, bool *told) {
    if (!*told && sl_inp_tokens(r, r->line) && r->n_tok > 0) {
        sl_inp_warn(r, 0, SL_CODE_ORPHAN_LINE, "put it under a section heading such as [TITLE]",
                    "text before the first section is not read");
        *told = true;
    }
}

static const char *what_it_looks_like(const sl_reader *r) {
    size_t i = 0;
    while (i < r->n && (is_blank(r->text[i]) || r->text[i] == '\n')) {
        i++;
    }
    if (i < r->n && (r->text[i] == '{' || r->text[i] == '<')) {
        return r->text[i] == '{' ? "no sections found: this looks like JSON, not like an EPANET model"
                                 : "no sections found: this looks like XML or HTML, not like an EPANET model";
    }
    return "no sections found: an EPANET model has headings such as [JUNCTIONS] and [PIPES]";
}

/* Adds the block that ends here. */
static void close_block(sl_reader *r, sl_block *open, size_t end, uint32_t next_line) {
    if (open->section != SL_SEC_NONE && open->section != SL_SEC_END) {
        open->end = end;
        open->n_line = next_line > open->line ? (int64_t)next_line - open->line : 0;
        if (!SL_PUSH(r->ctx, &r->block, *open)) {
            r->oom = true;
        }
    }
    open->section = SL_SEC_NONE;
}

static size_t next_heading(const sl_reader *r, size_t i);

/* Does a line before this byte begin with [END]? EPANET reads no further. */
static bool is_behind_end(const sl_reader *r, size_t byte) {
    for (size_t i = next_heading(r, 0); i < byte; i = next_heading(r, i + 1)) {
        while (i < byte && r->text[i] != '[') {
            i++;
        }
        const char *word = r->text + i + 1; /* in any case of letters */
        if (byte - i > 3 && (word[0] | 32) == 'e' && (word[1] | 32) == 'n' && (word[2] | 32) == 'd') {
            return true;
        }
    }
    return false;
}

/* Zero bytes behind [END], which programs leave that write files in blocks, end the text. */
static bool cut_at_zero(sl_reader *r, size_t zero) {
    if (!is_behind_end(r, zero)) {
        return false;
    }
    sl_text_location place = {.file = r->name, .line = (uint32_t)sl_count_byte(r->text, r->text + zero, r->eol) + 1};
    sl_report(r->diags, SL_WARNING, SL_CODE_NOT_TEXT, &place, NULL, NULL, "save the file anew as text",
              "zero bytes after [END]: %zu bytes from here on are ignored", r->n - zero);
    r->n = zero;
    return true;
}

static bool check_bytes(sl_reader *r) {
    const unsigned char *t = (const unsigned char *)r->text;
    const char *why = NULL;
    size_t zero = r->n ? (size_t)(sl_find_byte(r->text, r->text + r->n, 0) - r->text) : 0;
    if (r->n >= 2 && ((t[0] == 0xFF && t[1] == 0xFE) || (t[0] == 0xFE && t[1] == 0xFF))) {
        why = "not a text model that can be read: the text is in UTF-16; save it as UTF-8";
    } else if (zero < r->n && !cut_at_zero(r, zero)) {
        why = "not a text model: there are zero bytes in it";
    }
    if (why) {
        sl_text_location place = {.file = r->name, .line = 1};
        sl_report(r->diags, SL_ERROR, SL_CODE_NOT_TEXT, &place, NULL, NULL, NULL, "%s", why);
        r->stopped = true;
    }
    return !why;
}

/* Lines that end in [from, to). */
static uint32_t count_lines(const sl_reader *r, size_t from, size_t to) {
    return (uint32_t)sl_count_byte(r->text + from, r->text + to, r->eol);
}

/* Start of the line that holds byte i. */
static size_t line_begin(const sl_reader *r, size_t i) {
    while (i > 0 && r->text[i - 1] != r->eol) {
        i--;
    }
    return i;
}

/* The next '[' that is the first character of its line, blanks apart, from byte i on; n when there is none. */
static size_t next_heading(const sl_reader *r, size_t i) {
    while (i < r->n) {
        const char *p = sl_find_byte(r->text + i, r->text + r->n, '['), *q = p;
        while (q > r->text && q[-1] != r->eol && is_blank(q[-1])) {
            q--;
        }
        if (p < r->text + r->n && (q == r->text || q[-1] == r->eol)) {
            return (size_t)(q - r->text);
        }
        i = (size_t)(p - r->text) + 1;
    }
    return r->n;
}

/* The first line of text before any heading, if there is one. */
static void check_orphans(sl_reader *r, size_t first) {
    size_t next = 0;
    bool told = false;
    r->line_no = 0;
    for (size_t begin = 0; begin < first && !told && !r->oom; begin = next) {
        size_t end = line_end(r, begin, &next);
        r->line = (sl_str){r->text + begin, end - begin};
        r->line_no++;
        orphan_line(r, &told);
    }
}

static void check_last_line(sl_reader *r, uint32_t line_no) {
    if (r->n == 0 || r->text[r->n - 1] == r->eol) {
        return;
    }
    size_t begin = line_begin(r, r->n);
    r->line = (sl_str){r->text + begin, r->n - begin};
    r->line_no = line_no;
    bool heading = next_heading(r, begin) == begin;
    if (!heading && sl_inp_tokens(r, r->line) && r->n_tok > 0) {
        sl_inp_warn(r, r->n_tok, SL_CODE_NO_LINE_END, "see that the last line is whole",
                    "the last line has no line end: the file may be cut off");
    }
}

/* Something to read behind [END]? Blank lines and comments are fine. */
static void check_after_end(sl_reader *r, size_t begin) {
    size_t next = 0;
    for (; begin < r->n && !r->oom; begin = next) {
        size_t end = line_end(r, begin, &next);
        r->line = (sl_str){r->text + begin, end - begin};
        r->line_no++;
        if (sl_inp_tokens(r, r->line) && r->n_tok > 0) {
            sl_inp_warn(r, 0, SL_CODE_NO_END, "move [END] to the end, or delete what follows it",
                        "text after [END] is ignored");
            return;
        }
    }
}

void sl_inp_scan(sl_reader *r) {
    if (!check_bytes(r)) {
        return;
    }
    sl_block open = {.section = SL_SEC_NONE};
    size_t begin = next_heading(r, 0), counted = 0;
    uint32_t n_line = 0; /* lines before counted */
    bool any = begin < r->n;
    r->end = r->n;
    check_orphans(r, begin);
    while (begin < r->n && !r->oom && !r->stopped) {
        size_t next, end = line_end(r, begin, &next);
        n_line += count_lines(r, counted, next);
        counted = next;
        r->line = (sl_str){r->text + begin, end - begin};
        r->line_no = n_line + (next == end); /* a last line without end is not counted */
        close_block(r, &open, begin, r->line_no);
        if (!sl_inp_tokens(r, r->line)) {
            return;
        }
        open = (sl_block){.section = open_section(r), .begin = next, .line = r->line_no + 1};
        if (open.section == SL_SEC_OPTIONS) {
            r->options_end = next;
        }
        if (open.section == SL_SEC_END) {
            r->end = begin;
            check_after_end(r, next);
            return;
        }
        begin = next_heading(r, next);
    }
    n_line += count_lines(r, counted, r->n);
    close_block(r, &open, r->n, n_line + 1);
    if (any && !r->oom && !r->stopped) {
        check_last_line(r, n_line + 1);
    } else if (!any && !r->oom) {
        sl_text_location place = {.file = r->name, .line = 1};
        sl_report(r->diags, SL_ERROR, SL_CODE_NO_SECTIONS, &place, NULL, NULL, NULL, "%s",
                  r->n ? what_it_looks_like(r) : "no sections found: the file is empty");
        r->stopped = true;
    }
}

static void keep_comment(sl_reader *r, const char *a, const char *b) {
    while (a < b && (is_blank(*a) || *a == ';')) {
        a++;
    }
    while (b > a && is_blank(b[-1])) {
        b--;
    }
    r->comment = (sl_str){a, (size_t)(b - a)};
}

static bool push_token(sl_reader *r, int32_t n, sl_str tok) {
    if (n == r->tok.cap && !SL_RESERVE(r->ctx, &r->tok, r->tok.cap + 16)) {
        r->oom = true;
        return false;
    }
    r->tok.at[n] = tok;
    return true;
}

/* Cuts the line at p into tokens, byte by byte: single lines, and lines with quotes. */
static void cut_line(sl_reader *r, const char *p, const char *end) {
    int32_t n = 0;
    r->comment = (sl_str){p, 0};
    for (;; n++) {
        while (p < end && is_blank(*p)) {
            p++;
        }
        if (p == end) {
            break;
        }
        if (*p == ';') {
            if (!r->no_map) {
                keep_comment(r, p + 1, end);
            }
            break;
        }
        bool quoted = *p == '"';
        sl_str tok = {p += quoted, 0};
        while (p < end && *p != ';' && (quoted ? *p != '"' : !is_blank(*p))) {
            p++;
        }
        tok.len = (size_t)(p - tok.ptr);
        p += quoted && p < end && *p == '"';
        if (!push_token(r, n, tok)) {
            break;
        }
    }
    r->n_tok = n;
}

/* The lines of a section are cut by masks: 64 bytes are looked at once, a bit for each, and tokens lie between the edges
 * of what separates them, found by counting zeros. Files are written in columns, half of their bytes blanks in runs: a
 * look costs an instruction a byte, a token a dozen. Every line is looked at from its beginning: then columns stand where they
 * stood in the line before, and the processor guesses all branches right. A line with quotes is cut again, byte by byte. */

/* Bytes that separate tokens; those at which somebody has to look closer go to *stop: line ends, semicolons, quotes. CR and LF always separate: one of them ends lines, and a
 * file whose lines end with CR has no LF. */
#ifdef __SSE2__
static inline __m128i is(__m128i b, char c) {
    return _mm_cmpeq_epi8(b, _mm_set1_epi8(c));
}

static inline uint64_t look_at(const char *p, char eol, uint64_t *stop) {
    uint64_t stops[4], separate[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
        __m128i s = _mm_or_si128(is(b, eol), is(b, ';'));
        stops[i] = (uint32_t)_mm_movemask_epi8(_mm_or_si128(s, is(b, '"')));
        s = _mm_or_si128(_mm_or_si128(s, is(b, '\r')), _mm_or_si128(is(b, ' '), is(b, '\t')));
        separate[i] = (uint32_t)_mm_movemask_epi8(s);
    }
    *stop = stops[0] | stops[1] << 16 | stops[2] << 32 | stops[3] << 48;
    return separate[0] | separate[1] << 16 | separate[2] << 32 | separate[3] << 48;
}
#else
static inline uint64_t look_at(const char *p, char eol, uint64_t *stop) {
    uint64_t separate = 0;
    *stop = 0;
    for (int i = 0; i < 64; i++) {
        bool ends = p[i] == eol || p[i] == ';';
        *stop |= (uint64_t)(ends || p[i] == '"') << i;
        separate |= (uint64_t)(ends || is_blank(p[i])) << i;
    }
    return separate;
}
#endif

/* Behind the text stand line ends. */
__attribute__((noinline)) static uint64_t look_at_last(const char *p, size_t n, char eol, uint64_t *stop) {
    char last[64];
    memset(last, eol, sizeof last);
    memcpy(last, p, n);
    return look_at(last, eol, stop);
}

static SL_INLINE uint64_t look(const sl_reader *r, const char *p, uint64_t *stop) {
    size_t left = (size_t)(r->text + r->n - p);
    return left < 64 ? look_at_last(p, left, r->eol, stop) : look_at(p, r->eol, stop);
}

/* The line end behind the first stop of those 64 bytes. */
static SL_INLINE const char *skip_line(const sl_reader *r, const char *at, uint64_t stop) {
    for (;;) {
        stop &= stop - 1;
        while (!stop) {
            at += 64;
            (void)look(r, at, &stop);
        }
        const char *end = at + __builtin_ctzll(stop);
        if (end == r->text + r->n || *end == r->eol) {
            return end;
        }
    }
}

/* Cuts the line that begins at p. Returns its end. */
static SL_INLINE const char *cut_next(sl_reader *r, const char *p) {
    enum { MOST = 33 }; /* tokens that end within 64 bytes */
    const char *at = p, *begin = NULL;
    uint64_t stop, in_token = 0; /* 1: the byte before belongs to a token, which starts at begin */
    int64_t n = 0;
    for (;; at += 64) {
        uint64_t inside = ~look(r, at, &stop), before = inside << 1 | in_token, wanted = stop ^ (stop - 1);
        uint64_t starts = inside & ~before & wanted, ends = before & ~inside & wanted;
        if (!SL_RESERVE(r->ctx, &r->tok, n + MOST)) {
            r->oom = true;
            return p;
        }
        sl_str *tok = r->tok.at;
        if (in_token && ends) {
            tok[n++] = (sl_str){begin, (size_t)(at + __builtin_ctzll(ends) - begin)};
            ends &= ends - 1;
        }
        for (; ends; ends &= ends - 1, starts &= starts - 1) {
            size_t start = (unsigned)__builtin_ctzll(starts);
            tok[n++] = (sl_str){at + start, (unsigned)__builtin_ctzll(ends) - start};
        }
        if (stop) {
            break;
        }
        begin = starts ? at + __builtin_ctzll(starts) : begin;
        in_token = inside >> 63;
    }
    const char *found = at + __builtin_ctzll(stop);
    r->n_tok = (int32_t)n;
    r->comment = (sl_str){p, 0};
    if (found == r->text + r->n || *found == r->eol) {
        return found;
    }
    const char *end = skip_line(r, at, stop);
    if (*found == '"') {
        cut_line(r, p, end);
    } else if (!r->no_map) {
        keep_comment(r, found + 1, end);
    }
    return end;
}

bool sl_inp_tokens(sl_reader *r, sl_str line) {
    cut_line(r, line.ptr, line.ptr + line.len);
    return !r->oom;
}

void sl_inp_lines(sl_reader *r, const sl_block *block, void (*read)(sl_reader *r)) {
    const char *p = r->text + block->begin, *limit = r->text + block->end;
    r->section = block->section;
    r->line_no = block->line - 1;
    r->above = (sl_str){0};
    while (p < limit && !r->oom) {
        const char *end = cut_next(r, p);
        if (r->oom) {
            return;
        }
        r->line_no++;
        r->line = (sl_str){p, (size_t)(end - p)};
        while (r->line.len && p[r->line.len - 1] == '\r') {
            r->line.len--;
        }
        if (r->n_tok > 0) {
            read(r);
            r->above.len = 0;
        } else {
            r->above = r->comment;
        }
        p = end + 1;
    }
}

sl_str sl_inp_line_text(sl_reader *r, uint32_t line) {
    if (!r->line_start.n) {
        size_t next = 0;
        for (size_t begin = 0; begin < r->n; begin = next) {
            line_end(r, begin, &next);
            if (!SL_PUSH(r->ctx, &r->line_start, begin)) {
                r->oom = true;
                return (sl_str){0};
            }
        }
    }
    if (line == 0 || (int64_t)line > r->line_start.n) {
        return (sl_str){0};
    }
    size_t next, begin = r->line_start.at[line - 1], end = line_end(r, begin, &next);
    return (sl_str){r->text + begin, end - begin};
}
