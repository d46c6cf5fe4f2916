/* SPDX-License-Identifier: MIT */
/* foreign.c: files that are no models; see foreign.h. */
#include "kinds/foreign.h"

#include <string.h>

#include "base/find_byte.h"
#include "base/report.h"
#include "results/format.h"

static const char result_hint[] = "`sluice plot`, `compare` and `convert` read it; here give the model that it is of";
static const char state_hint[] = "a program restores it (docs/reference/session.md); here give the model";
static const char recode_hint[] = "save it as UTF-8";
static const char unpack_hint[] = "unpack it first";

/* By the first bytes. */
static const struct {
    const char *begin;
    size_t n;
    const char *what, *hint;
} signatures[] = {
    {"\x89HDF\r\n\x1A\n", 8, "a result (HDF5)", result_hint},
    {"SLstate\n", 8, "a saved state of a session", state_hint},
    {"sl-exe", 6, "a saved state of an execution", state_hint},
    {"\x1F\x8B", 2, "a compressed file (gzip)", "unpack it first, as with `gunzip -c FILE | sluice run -`"},
    {"BZh", 3, "a compressed file (bzip2)", unpack_hint},
    {"\xFD"
     "7zXZ",
     5, "a compressed file (xz)", unpack_hint},
    {"PK\x03\x04", 4, "an archive (zip)", unpack_hint},
    {"%PDF", 4, "a picture or text (PDF)", NULL},
    {"\x89PNG", 4, "a picture (PNG)", NULL},
    {"\xFF\xD8\xFF", 3, "a picture (JPEG)", NULL},
    {"GIF8", 4, "a picture (GIF)", NULL},
    {"SQLite format 3", 16, "a database (SQLite, as GeoPackage files are)", NULL},
    {"\x7F"
     "ELF",
     4, "a program", NULL},
    {"<svg", 4, "a picture (SVG)", NULL},
    {"<", 1, "XML or HTML", NULL},
    {"\xFF\xFE", 2, "a text in UTF-16", recode_hint},
    {"\xFE\xFF", 2, "a text in UTF-16", recode_hint},
};

/* By the beginning of the value of a key at the top of a map. */
static const struct {
    const char *key, *value, *what, *hint;
} members[] = {
    {"format", "sluice results", "a result (JSON)", result_hint},
    {"format", "sluice-network", "a network as JSON, which is written for other programs",
     "here give the .inp file that it was made of"},
    {"type", "FeatureCollection", "a map (GeoJSON)", "here give the .inp file that it was made of"},
};

static bool begins_with(sl_str s, const char *begin, size_t n) {
    return s.len >= n && memcmp(s.ptr, begin, n) == 0;
}

static bool has_within(sl_str s, size_t most, const char *word) {
    size_t n = strlen(word), end = s.len < most ? s.len : most;
    for (size_t i = 0; i + n <= end; i++) {
        if (memcmp(s.ptr + i, word, n) == 0) {
            return true;
        }
    }
    return false;
}

/* EPANET's hydraulics file begins with the number of its .out, and is none. */
static sl_foreign result_or_hydraulics(const sl_kind_head *h) {
    static const char magic[4] = {0x59, 0x48, (char)0xC3, 0x1E};
    sl_str s = h->text;
    if (!begins_with(s, magic, sizeof magic)) {
        return (sl_foreign){0};
    }
    /* what is shorter than the words that differ was cut off */
    if (s.len < 44 || sl_format_out.recognise((const unsigned char *)s.ptr, s.len, s.len)) {
        return (sl_foreign){.kind = SL_FOREIGN_OUT, .what = "a result (EPANET's .out)", .hint = result_hint};
    }
    return (sl_foreign){.what = "hydraulics of a run (EPANET's hydraulics file)",
                        .hint = "EPANET's toolkit reads it; here give the model: a run computes them anew"};
}

static sl_foreign by_text(const sl_kind_head *h) {
    sl_str s = h->text, value;
    if (has_within(s, 1000, "E P A N E T") || begins_with(s, "  Sluice ", 9)) {
        return (sl_foreign){.what = "a report of a run (.rpt), for people to read",
                            .hint = "`sluice run MODEL.inp -o FILE.out` writes results that commands read"};
    }
    if (begins_with(s, "time_s,", 7) || begins_with(s, "time_steps,", 11) || begins_with(s, "time,", 5)) {
        return (sl_foreign){.what = "a result (.csv)", .hint = result_hint};
    }
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (sl_kind_head_value(h, members[i].key, &value) &&
            begins_with(value, members[i].value, strlen(members[i].value))) {
            return (sl_foreign){.what = members[i].what, .hint = members[i].hint};
        }
    }
    bool coupling = sl_kind_head_has_key(h, "cosim") ||
                    (sl_kind_head_value(h, "sluice", &value) && begins_with(value, "cosim/", 6));
    return coupling ? (sl_foreign){.what = "a run file of a coupling, which names its model",
                                   .hint = "`sluice cosim FILE` runs it",
                                   .kind = SL_FOREIGN_COUPLING}
                    : (sl_foreign){0};
}

sl_foreign sl_foreign_recognise(const sl_kind_head *h) {
    sl_str s = h->text;
    if (h->begins_with_heading) {
        return (sl_foreign){0};
    }
    sl_foreign found = result_or_hydraulics(h);
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures && !found.what; i++) {
        /* an .inp text may begin with anything */
        if (begins_with(s, signatures[i].begin, signatures[i].n) &&
            (signatures[i].n >= 4 || !sl_kind_head_has_heading(h))) {
            found = (sl_foreign){.what = signatures[i].what, .hint = signatures[i].hint};
        }
    }
    found = found.what ? found : by_text(h);
    const unsigned char *bytes = (const unsigned char *)s.ptr;
    const sl_results_format *format =
        found.what ? NULL
                   : sl_results_format_recognise(bytes, s.len < SL_RESULTS_HEAD ? s.len : SL_RESULTS_HEAD, s.len);
    if (format) {
        found = (sl_foreign){.what = format->what, .hint = result_hint};
    }
    if (found.hint == result_hint && found.kind != SL_FOREIGN_OUT) {
        found.kind = SL_FOREIGN_RESULT;
    }
    if (!found.what && s.len > 0 && sl_find_byte(s.ptr, s.ptr + s.len, 0) < s.ptr + s.len &&
        !sl_kind_head_has_heading(h)) {
        return (sl_foreign){.what = "a binary file, with zero bytes in it", .code = SL_CODE_NOT_TEXT};
    }
    found.code = found.hint == recode_hint ? SL_CODE_NOT_TEXT : SL_CODE_WRONG_KIND;
    return found;
}

bool sl_foreign_report(const sl_kind *const *kinds, const sl_kind_head *h, const char *wanted, const char *hint,
                       sl_diags *diags) {
    sl_text_location place = {.file = h->source->name};
    sl_foreign other = sl_foreign_recognise(h);
    const sl_kind *kind = other.what ? NULL : sl_kind_recognise(kinds, h, NULL);
    bool empty = h->text.len == 0;
    if (!kind && !other.what && !empty) {
        return false;
    }
    sl_report(diags, SL_ERROR, empty ? SL_CODE_NO_SECTIONS : SL_CODE_WRONG_KIND, &place, NULL, NULL,
              kind                              ? hint
              : other.kind == SL_FOREIGN_RESULT ? "`sluice run MODEL.inp -o FILE.out` writes one"
                                                : other.hint,
              "this is %s, not %s",
              kind    ? kind->noun
              : empty ? "an empty file"
                      : other.what,
              wanted);
    return true;
}
