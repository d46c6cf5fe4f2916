/* SPDX-License-Identifier: MIT */
/* parse_index.c: what stands in the brackets of an element: sums and products of whole numbers, of names that stand for whole numbers, and
 * of the index of the loop, which may occur linearly. */
#include "expr/impl.h"

typedef struct index_reader {
    sl_str text;
    const sl_expr_loop *loop;
    const sl_expr_numbers *numbers;
    size_t at;
    int depth;
    bool is_good;
} index_reader;

static sl_affine read_index_sum(index_reader *r);

static bool is_near(sl_affine v) {
    enum { FAR = 1 << 30 };
    return v.a > -FAR && v.a < FAR && v.b > -FAR && v.b < FAR;
}

static void skip_blanks(index_reader *r) {
    while (r->at < r->text.len && r->text.ptr[r->at] == ' ') {
        r->at++;
    }
}

static sl_affine read_index_name(index_reader *r, size_t n) {
    sl_str name = {r->text.ptr + r->at, n};
    int64_t value = 0;
    r->at += n;
    if (r->loop && sl_str_equal(name, r->loop->index)) {
        return r->loop->n == 1 ? (sl_affine){0, r->loop->first} : (sl_affine){1, 0};
    }
    r->is_good = r->is_good && r->numbers && r->numbers->integer(r->numbers->user, name, &value);
    return (sl_affine){0, value};
}

static sl_affine read_index_factor(index_reader *r) {
    sl_affine v = {0, 0};
    skip_blanks(r);
    char c = r->at < r->text.len ? r->text.ptr[r->at] : '\0';
    size_t n = sl_expr_name_length((sl_str){r->text.ptr + r->at, r->text.len - r->at});
    if (++r->depth > 30) {
        r->is_good = false;
    } else if (c == '-') {
        r->at++;
        v = read_index_factor(r);
        v = (sl_affine){-v.a, -v.b};
    } else if (c == '(') {
        r->at++;
        v = read_index_sum(r);
        skip_blanks(r);
        r->is_good = r->is_good && r->at < r->text.len && r->text.ptr[r->at] == ')';
        r->at++;
    } else if (n > 0) {
        v = read_index_name(r, n);
    } else {
        size_t first = r->at;
        for (; r->at < r->text.len && r->text.ptr[r->at] >= '0' && r->text.ptr[r->at] <= '9' && r->at - first < 9;
             r->at++) {
            v.b = 10 * v.b + (r->text.ptr[r->at] - '0');
        }
        r->is_good = r->is_good && r->at > first;
    }
    skip_blanks(r);
    r->depth--;
    r->is_good = r->is_good && is_near(v);
    return r->is_good ? v : (sl_affine){0, 0};
}

static sl_affine read_index_sum(index_reader *r) {
    sl_affine sum = {0, 0};
    int sign = 1;
    for (bool more = true; more && r->is_good;) {
        sl_affine v = read_index_factor(r);
        while (r->is_good && r->at < r->text.len && r->text.ptr[r->at] == '*') {
            r->at++;
            sl_affine w = read_index_factor(r);
            r->is_good = r->is_good && (v.a == 0 || w.a == 0);
            v = (sl_affine){v.a * w.b + v.b * w.a, v.b * w.b};
            r->is_good = r->is_good && is_near(v);
        }
        sum = (sl_affine){sum.a + sign * v.a, sum.b + sign * v.b};
        char c = r->is_good && r->at < r->text.len ? r->text.ptr[r->at] : '\0';
        more = c == '+' || c == '-';
        sign = c == '-' ? -1 : 1;
        r->at += more;
    }
    r->is_good = r->is_good && is_near(sum);
    return sum;
}

bool sl_index_read(sl_str text, const sl_expr_loop *loop, const sl_expr_numbers *numbers, sl_affine *out) {
    index_reader r = {.text = text, .loop = loop, .numbers = numbers, .is_good = true};
    *out = read_index_sum(&r);
    return r.is_good && r.at == text.len;
}

bool sl_expr_read_whole(sl_str text, const sl_expr_numbers *numbers, int64_t *value) {
    sl_affine v;
    bool fine = text.len > 0 && sl_index_read(text, NULL, numbers, &v);
    *value = fine ? v.b : 0;
    return fine;
}

size_t sl_expr_name_of(sl_str s) {
    return sl_expr_name_length(s);
}

bool sl_expr_is_reserved(sl_str word) {
    return sl_op_find(word) != SL_OP_COUNT || sl_call_find(word) >= 0 || sl_expr_word_is_reserved(word);
}

bool sl_expr_is_taken(const sl_exprs *g, sl_str name) {
    return sl_expr_is_reserved(name) || sl_ids_find(g->ids, name) >= 0;
}
