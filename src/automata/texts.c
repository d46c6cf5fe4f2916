/* SPDX-License-Identifier: MIT */
/* texts.c: what an automaton was built from; see texts.h. */
#include "automata/texts.h"

#include <string.h>

#include "base/ids.h"
#include "base/memory.h"

static void hash(uint64_t *h, const void *bytes, size_t n) {
    const uint64_t both[2] = {*h, n > 0 ? sl_hash_bytes(bytes, n) : 0};
    *h = sl_hash_bytes(both, sizeof both);
}

static void hash_text(uint64_t *h, const char *text) {
    hash(h, text, text ? strlen(text) : 0);
}

static const char *copy_text(sl_arena *arena, const char *text, bool *fine) {
    const char *copy = text ? sl_arena_copy(arena, sl_str_z(text)) : NULL;
    *fine = *fine && (!text || copy);
    return copy;
}

static int32_t n_y_of(const sl_automaton_text *t) {
    return t->n_y > 0 ? t->n_y : t->n;
}

/* The symbol of an element is a name for people: it does not tell automata apart. */
static void hash_all(uint64_t *h, sl_text_section section, const sl_automaton_text *t) {
    const double numbers[3] = {t->first, t->second, t->n};
    hash_text(h, section < SL_TEXT_ELEMENT ? t->name : NULL);
    hash(h, numbers, sizeof numbers);
    hash(h, t->x, t->x ? (size_t)t->n * sizeof *t->x : 0);
    hash(h, t->y, t->y ? (size_t)n_y_of(t) * sizeof *t->y : 0);
    hash_text(h, t->range);
    hash_text(h, t->variable);
    hash_text(h, t->formula);
    for (int32_t k = 0; t->guards && k < t->n; k++) {
        hash_text(h, t->guards[k]);
    }
}

/* A location that outlives its source. */
static sl_text_location keep(sl_automaton_texts *texts, sl_arena *arena, const sl_text_location *location, bool *fine) {
    sl_text_location kept = location ? sl_text_location_resolve(location) : (sl_text_location){0};
    if (kept.file && kept.file != texts->file_given) {
        texts->file_given = kept.file;
        texts->file = copy_text(arena, kept.file, fine);
    }
    if (kept.text.ptr && (kept.text.ptr != texts->line_given.ptr || kept.text.len != texts->line_given.len)) {
        texts->line_given = kept.text;
        texts->line = (sl_str){sl_arena_copy(arena, kept.text), kept.text.len};
        *fine = *fine && texts->line.ptr;
    }
    kept.file = kept.file ? texts->file : NULL;
    kept.text = kept.text.ptr ? texts->line : kept.text;
    return kept;
}

bool sl_automaton_texts_add(sl_automaton_texts *texts, sl_arena *arena, sl_text_section section,
                            const sl_automaton_text *text) {
    sl_automaton_text *t = sl_arena_alloc(arena, sizeof *t);
    bool fine = t != NULL;
    if (!fine) {
        return false;
    }
    *t = *text;
    t->next = NULL;
    t->name = copy_text(arena, text->name, &fine);
    t->variable = copy_text(arena, text->variable, &fine);
    t->formula = copy_text(arena, text->formula, &fine);
    t->range = copy_text(arena, text->range, &fine);
    t->formula_location = keep(texts, arena, text->formula_location.line ? &text->formula_location : NULL, &fine);
    t->location = keep(texts, arena, text->location.line ? &text->location : NULL, &fine);
    t->x = text->x ? sl_arena_keep(arena, text->x, (size_t)text->n * sizeof(double)) : NULL;
    t->y = text->y ? sl_arena_keep(arena, text->y, (size_t)n_y_of(text) * sizeof(double)) : NULL;
    if (!fine || (text->x && !t->x) || (text->y && !t->y)) {
        return false;
    }
    hash_all(&texts->hash[section], section, t);
    sl_automaton_text **end = texts->last[section] ? &texts->last[section]->next : &texts->first[section];
    *end = texts->last[section] = t;
    return true;
}

bool sl_automaton_texts_add_element(sl_automaton_texts *texts, sl_arena *arena, const sl_automaton_element_def *def) {
    bool has_variable = def->variable.text.ptr != NULL;
    const char **guards = sl_arena_alloc(arena, (size_t)def->n_guard * sizeof *guards);
    sl_automaton_text t = {.name = def->symbol && def->symbol[0] ? def->symbol : NULL,
                           .n = def->n_guard,
                           .variable = has_variable ? sl_arena_copy(arena, def->variable.text) : NULL,
                           .formula = sl_arena_copy(arena, def->formula.text),
                           .range = def->range.text.ptr ? sl_arena_copy(arena, def->range.text) : NULL,
                           .guards = guards};
    const sl_text_location *guard = def->n_guard > 0 ? def->guard[0].location : def->location;
    t.location = guard ? *guard : t.location;
    t.formula_location = def->formula.location ? *def->formula.location : t.formula_location;
    bool fine = guards && t.formula && (t.variable || !has_variable) && (t.range || !def->range.text.ptr);
    for (int32_t k = 0; k < def->n_guard && fine; k++) {
        guards[k] = sl_arena_copy(arena, def->guard[k].text);
        fine = guards[k] != NULL;
    }
    return fine && sl_automaton_texts_add(texts, arena, (sl_text_section)((int)SL_TEXT_ELEMENT + (int)def->kind), &t);
}

const sl_automaton_text *sl_automaton_texts_get(const sl_automaton_texts *texts, sl_text_section section, int32_t i) {
    const sl_automaton_text *t = texts->first[section];
    while (t && i >= (t->n_made > 0 ? t->n_made : 1)) {
        i -= t->n_made > 0 ? t->n_made : 1;
        t = t->next;
    }
    return t;
}

uint64_t sl_automaton_texts_hash(const sl_automaton_texts *texts) {
    return sl_hash_bytes(texts->hash, sizeof texts->hash);
}
