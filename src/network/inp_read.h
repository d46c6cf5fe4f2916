/* SPDX-License-Identifier: MIT */
/* inp_read.h: the .inp reader's state, shared by the files that read one group of sections each.
 *
 * The text is cut into blocks by its section headings, then the blocks are read in an order that lets every line
 * refer to anything in the file, whatever the order of sections: options first (units), patterns and curves,
 * nodes, links, the rest; within one of these phases in file order. A line reader gets tokens, takes numbers
 * through take() and reports through fail() and warn(), which know the place. A bad line never stops the rest.
 */
#ifndef SL_NETWORK_INP_READ_H
#define SL_NETWORK_INP_READ_H

#include "base/bytes.h"
#include "base/report.h"
#include "network/build.h"
#include "network/epanet_units.h"

typedef enum sl_section {
    SL_SEC_NONE = -1,
    SL_SEC_TITLE = 0,
    SL_SEC_JUNCTIONS,
    SL_SEC_RESERVOIRS,
    SL_SEC_TANKS,
    SL_SEC_PIPES,
    SL_SEC_PUMPS,
    SL_SEC_VALVES,
    SL_SEC_EMITTERS,
    SL_SEC_DEMANDS,
    SL_SEC_LEAKAGE,
    SL_SEC_CURVES,
    SL_SEC_PATTERNS,
    SL_SEC_ENERGY,
    SL_SEC_STATUS,
    SL_SEC_CONTROLS,
    SL_SEC_RULES,
    SL_SEC_SOURCES,
    SL_SEC_QUALITY,
    SL_SEC_REACTIONS,
    SL_SEC_MIXING,
    SL_SEC_OPTIONS,
    SL_SEC_TIMES,
    SL_SEC_REPORT,
    SL_SEC_TAGS,
    SL_SEC_COORDINATES,
    SL_SEC_VERTICES,
    SL_SEC_LABELS,
    SL_SEC_BACKDROP,
    SL_SEC_ROUGHNESS,
    SL_SEC_END,
    SL_SEC_COUNT
} sl_section;

/* The text of one section, without its heading line. */
typedef struct sl_block {
    sl_section section;
    size_t begin, end; /* bytes */
    uint32_t line;     /* number of the first line */
    int64_t n_line;
} sl_block;

/* A number (or word) of the text that depends on the units, for rewriting it in others. */
typedef struct sl_edit {
    size_t offset;
    uint32_t length;
    int32_t curve;    /* >= 0: a point of this curve, its meaning known at the end; -1: see quantity */
    uint8_t quantity; /* sl_quantity, SL_EDIT_UNITS or SL_EDIT_PRESSURE; for a curve 0: x, 1: y */
    double value;
} sl_edit;

/* Beside quantities: the word of the flow unit, of the pressure unit, and values that a pipe line leaves out (value: how
 * many it has; they have to be written when their defaults change with the units). */
enum { SL_EDIT_PIPE = 253, SL_EDIT_UNITS = 254, SL_EDIT_PRESSURE = 255 };

typedef struct sl_reader {
    sl_context *ctx;
    sl_diags *diags;
    sl_spec *spec;
    const char *name;
    const char *text;
    size_t n;
    char eol;     /* line end: LF, or CR in a file that has no LF */
    bool oom;     /* sticky */
    bool stopped; /* not a model at all: nothing more to say */
    bool no_map;  /* see sl_inp_read_def */

    sl_section section;
    sl_str line;      /* without its end */
    uint32_t line_no; /* from 1 */
    sl_str comment;   /* after the first ';', trimmed; empty with no_map */
    sl_str above;     /* text of the comment line just above, for patterns and curves */
    SL_ARRAY(sl_str) tok;
    int32_t n_tok;

    SL_ARRAY(sl_block) block;
    SL_ARRAY(size_t) line_start;                /* made when first asked for */
    SL_ARRAY(uint32_t) bad_line;                /* lines with an error, in order of discovery */
    int32_t n_suggest;                          /* suggestions left: searching for near ids costs */
    int32_t hint_node, hint_link, hint_pattern; /* where the last look-up hit, see sl_ids_find_near */

    double factor[SL_Q_COUNT];
    bool seen_pressure_unit, seen_units;
    /* [OPTIONS] values kept as given until the units are known. */
    bool raw_viscosity, raw_diffusivity, raw_flow_change, raw_head_error, raw_minimum, raw_required;
    sl_text_location required_place;
    sl_str trace_id; /* OPTIONS QUALITY TRACE, resolved when nodes are known */
    sl_text_location trace_place;
    struct {
        sl_rule rule;
        int stage; /* the last clause seen, see inp_rules.c */
        bool open, broken;
        sl_text_location place; /* of its first line */
    } rule;                     /* the one being read */

    bool record; /* keep edits */
    SL_ARRAY(sl_edit) edit;
    size_t options_end; /* just behind the last [OPTIONS] heading, 0: none */
    size_t end;         /* where [END] stands, or the end of the text */
} sl_reader;

/* ---- Text (inp_lex.c) */
sl_section sl_section_find(sl_str heading, bool *exact);
/* Finds the blocks; reports headings nobody knows and files that are no models. */
void sl_inp_scan(sl_reader *r);
/* Calls read for every line of the block that has tokens. */
void sl_inp_lines(sl_reader *r, const sl_block *block, void (*read)(sl_reader *r));
/* The text of a line, for messages found after reading. */
sl_str sl_inp_line_text(sl_reader *r, uint32_t line);
/* Cuts line into r->tok; false: out of memory. */
bool sl_inp_tokens(sl_reader *r, sl_str line);

/* ---- Reporting: tok is a token's index; past the last one it points at the end of the line; -1: whole line */
sl_text_location sl_inp_location(sl_reader *r, int32_t tok);
void sl_inp_fail(sl_reader *r, int32_t tok, sl_code code, const char *hint, const char *fmt, ...) SL_PRINTF(5, 6);
void sl_inp_warn(sl_reader *r, int32_t tok, sl_code code, const char *hint, const char *fmt, ...) SL_PRINTF(5, 6);
bool sl_inp_is_bad(const sl_reader *r, uint32_t line);
/* Reports an error when the line has fewer than n tokens; want names what is missing first. */
bool sl_inp_need(sl_reader *r, int32_t n, const char *want, const char *form);

/* ---- Tokens */
/* A token starts with this upper-case stem, ignoring case. */
bool sl_word(sl_str tok, const char *stem);
/* The same of token i. Most differ in their first letter, which is looked at here; four letters are a word. */
static inline bool sl_inp_word(const sl_reader *r, int32_t i, const char *stem) {
    if (i < 0 || i >= r->n_tok || r->tok.at[i].len == 0) {
        return false;
    }
    sl_str tok = r->tok.at[i];
    if (strlen(stem) == 4) { /* which the compiler knows */
        return tok.len >= 4 && ((sl_load4(tok.ptr) ^ sl_load4(stem)) & 0xdfdfdfdf) == 0;
    }
    return ((tok.ptr[0] ^ stem[0]) & ~0x20) == 0 && sl_word(tok, stem);
}
/* Which of the stems token i starts with, or -1. */
int32_t sl_inp_words(const sl_reader *r, int32_t i, const char *const *stem, int32_t n);
/* The number at token i in SI; on failure reports and returns false (x is left alone). what names it. */
bool sl_inp_read_value(sl_reader *r, int32_t i, sl_quantity q, const char *what, double *x);
/* The same, at least min. */
bool sl_inp_read_value_min(sl_reader *r, int32_t i, sl_quantity q, const char *what, double min, double *x);
/* Is token i a number? No report. */
bool sl_inp_number(const sl_reader *r, int32_t i, double *x);
/* Marks token i as changing with the units (words, and numbers taken by other ways). */
void sl_inp_edit(sl_reader *r, int32_t i, int quantity, int32_t curve, double value);
/* The same for the place behind the last token. */
void sl_inp_edit_end(sl_reader *r, int quantity, double value);
/* The last bytes of token i as a word, for look-ups; only the first few tokens of a file have nothing before them. */
static inline uint64_t sl_inp_last(const sl_reader *r, int32_t i) {
    sl_str tok = r->tok.at[i];
    return tok.ptr - r->text >= 8 ? sl_last_word_within(tok.ptr, tok.len) : sl_last_word(tok.ptr, tok.len);
}
/* Handles by id at token i; -1 after a report with the nearest id. */
int32_t sl_inp_node(sl_reader *r, int32_t i);
int32_t sl_inp_link(sl_reader *r, int32_t i);
int32_t sl_inp_pattern(sl_reader *r, int32_t i, const char *what);
int32_t sl_inp_curve(sl_reader *r, int32_t i, const char *what);
/* The same without a report. */
int32_t sl_inp_find_node(sl_reader *r, int32_t i);
int32_t sl_inp_find_link(sl_reader *r, int32_t i);
/* A copy of text in the spec's arena; NULL and oom when memory is short. */
const char *sl_inp_copy(sl_reader *r, sl_str text);
/* Keeps text as a note of an object, if there is any. */
void sl_inp_note(sl_reader *r, sl_notes *notes, int32_t index, sl_str text);
/* "did you mean X?" for a mistyped word, or NULL. */
const char *sl_inp_near_word(sl_str word, const char *const *words, int32_t n, char *buf, size_t size);
/* Time at token i (with a unit at i + 1 if there is one), in seconds. */
bool sl_inp_time(sl_reader *r, int32_t i, const char *what, double *seconds);
/* Does id lie in the range of the first two tokens from i on? Numeric when both are numbers, else by bytes. */
bool sl_inp_in_range(const sl_reader *r, int32_t i, const char *id);

/* ---- Line readers, by file */
void sl_inp_title(sl_reader *r);
void sl_inp_check_id(sl_reader *r); /* inp_nodes.c: warns of an id that EPANET cannot take */
void sl_inp_junctions(sl_reader *r);
void sl_inp_tanks(sl_reader *r);
void sl_inp_demands(sl_reader *r);
void sl_inp_emitters(sl_reader *r);
void sl_inp_patterns(sl_reader *r);
void sl_inp_curves(sl_reader *r);
void sl_inp_pipes(sl_reader *r); /* inp_links.c */
void sl_inp_pumps(sl_reader *r);
void sl_inp_valves(sl_reader *r);
void sl_inp_status(sl_reader *r);
void sl_inp_leakage(sl_reader *r);
void sl_inp_roughness(sl_reader *r);
void sl_inp_controls(sl_reader *r); /* inp_controls.c */
void sl_inp_rules(sl_reader *r);    /* inp_rules.c */
void sl_inp_rules_end(sl_reader *r);
void sl_inp_options(sl_reader *r); /* inp_options.c */
void sl_inp_options_si(sl_reader *r);
void sl_inp_options_end(sl_reader *r);
void sl_inp_times(sl_reader *r); /* inp_settings.c */
void sl_inp_energy(sl_reader *r);
void sl_inp_report(sl_reader *r);
/* The quantity of a report field, for its limits. */
sl_quantity sl_field_quantity(sl_report_field_id field);
void sl_inp_quality(sl_reader *r); /* inp_quality.c */
void sl_inp_sources(sl_reader *r);
void sl_inp_reaction_orders(sl_reader *r);
void sl_inp_reactions(sl_reader *r);
void sl_inp_mixing(sl_reader *r);
void sl_inp_coordinates(sl_reader *r); /* inp_map.c */
void sl_inp_vertices(sl_reader *r);
void sl_inp_labels(sl_reader *r);
void sl_inp_tags(sl_reader *r);
void sl_inp_backdrop(sl_reader *r);

/* Reads all: everything up to the finished spec, nothing validated as a whole. SL_OK, SL_ERR_MEMORY, SL_ERR_INPUT
 * (not a model) or SL_ERR_CANCELLED. The reader must be zeroed but for ctx, diags, spec, name, text, n, record. */
sl_status sl_inp_read_spec(sl_reader *r);
void sl_reader_fini(sl_reader *r);

#endif
