/* SPDX-License-Identifier: MIT */
/* locate.c: see locate.h. Texts are read as the grammar of expressions has names: letter or _, then letters, digits and _; parts joined
 * by . ; indices in brackets. A derivative is der(name) or der(name, order).
 */
#include "automata/locate.h"

#include <string.h>

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || ((unsigned char)c & 0x80u);
}
static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* The end of the name that begins at i. */
static size_t name_end(sl_str s, size_t i) {
    while (i < s.len) {
        if (s.ptr[i] == '[') {
            const char *close = memchr(s.ptr + i, ']', s.len - i);
            if (!close) {
                return i;
            }
            i = (size_t)(close - s.ptr) + 1;
        } else if (is_letter(s.ptr[i]) || is_digit(s.ptr[i]) ||
                   (s.ptr[i] == '.' && i + 1 < s.len && is_letter(s.ptr[i + 1]))) {
            i++;
        } else {
            return i;
        }
    }
    return i;
}

static size_t skip_blanks(sl_str s, size_t i) {
    while (i < s.len && (s.ptr[i] == ' ' || s.ptr[i] == '\n' || s.ptr[i] == '\t')) {
        i++;
    }
    return i;
}

static bool is_word(sl_str s, size_t begin, size_t end, sl_str word) {
    return end - begin == word.len && memcmp(s.ptr + begin, word.ptr, word.len) == 0;
}

/* At i behind der: ( name ) or ( name, order ); its name, order and end. */
static bool read_derivative(sl_str s, size_t i, size_t name[2], int32_t *order, size_t *end) {
    i = skip_blanks(s, i);
    if (i >= s.len || s.ptr[i] != '(') {
        return false;
    }
    name[0] = skip_blanks(s, i + 1);
    name[1] = name_end(s, name[0]);
    i = skip_blanks(s, name[1]);
    *order = 1;
    if (i < s.len && s.ptr[i] == ',') {
        i = skip_blanks(s, i + 1);
        *order = i < s.len && is_digit(s.ptr[i]) ? s.ptr[i] - '0' : 0;
        i = skip_blanks(s, i + 1);
    }
    *end = i + 1;
    return i < s.len && s.ptr[i] == ')';
}

/* The first place where a name stands, or its derivative of some order. */
static bool find_name(sl_str s, sl_str name, int32_t order, size_t *begin, size_t *end) {
    for (size_t i = 0; i < s.len;) {
        size_t inner[2], stop, last = name_end(s, i);
        int32_t found;
        if (is_digit(s.ptr[i]) || s.ptr[i] == '.') { /* a number, with its exponent */
            while (i < s.len && (is_digit(s.ptr[i]) || is_letter(s.ptr[i]) || s.ptr[i] == '.')) {
                i++;
            }
        } else if (!is_letter(s.ptr[i])) {
            i++;
        } else if (is_word(s, i, last, (sl_str){"der", 3}) && read_derivative(s, last, inner, &found, &stop)) {
            if (found == order && is_word(s, inner[0], inner[1], name)) {
                *begin = i;
                *end = stop;
                return true;
            }
            i = stop;
        } else {
            if (order == 0 && is_word(s, i, last, name)) {
                *begin = i;
                *end = last;
                return true;
            }
            i = last;
        }
    }
    return false;
}

static sl_str name_of(const sl_exprs *g, sl_expr leaf) {
    switch ((int)sl_expr_op(g, leaf)) {
    case SL_OP_VARIABLE:
    case SL_OP_ELEMENT: return sl_exprs_variable_name(g, sl_expr_symbol(g, leaf));
    case SL_OP_PARAMETER:
    case SL_OP_PARAMETER_ELEMENT: return sl_exprs_parameter_name(g, sl_expr_symbol(g, leaf));
    default: return (sl_str){"t", 1};
    }
}

const sl_text_location *sl_locate_leaf(const sl_element_location *part, bool guard, const sl_exprs *g, sl_expr leaf,
                                       sl_text_location *room) {
    if (!part) {
        return NULL;
    }
    const sl_located_text *texts = guard ? part->guard : part->formula;
    int32_t n = guard ? part->n_guard : part->formula != NULL;
    sl_op op = sl_expr_op(g, leaf);
    int32_t order = op == SL_OP_VARIABLE || op == SL_OP_ELEMENT ? sl_expr_order(g, leaf) : 0;
    for (int32_t k = 0; k < n; k++) {
        size_t begin, end;
        if (texts[k].location && find_name(texts[k].text, name_of(g, leaf), order, &begin, &end)) {
            *room = *texts[k].location;
            room->begin += begin;
            room->length = end - begin;
            return room;
        }
    }
    return n > 0 && texts[0].location ? texts[0].location : part->element;
}

const sl_text_location *sl_locate_variable(const sl_element_location *part) {
    bool has = part && part->variable && part->variable->location;
    return has ? part->variable->location : part ? part->element : NULL;
}

const sl_text_location *sl_locate_formula(const sl_element_location *part) {
    bool has = part && part->formula && part->formula->location;
    return has ? part->formula->location : part ? part->element : NULL;
}
