/* SPDX-License-Identifier: MIT */
/* heap.c: the allocator of heap.h.
 *
 * A new page of 4 KB costs a microsecond, and a run takes some 800 of them for each megabyte of its model; a page of 2 MB
 * costs as much as seventy small ones, and the processor finds its way in it sooner. So when a model file turns out not to be small,
 * the heap goes on in a piece that the system is asked to make of huge pages. The whole run of a file of half a megabyte takes a third
 * less time beyond the start of the program, of 59 KB (one instant) a quarter less, of 28 KB (a day) a twentieth less. What the piece
 * lacks is small pages first, as many as cost a huge one, then pieces of one huge page each (26 683 links: 2 800 small pages fewer, a
 * twelfth of a run of 12 steps). All this is a hint: where it fails, pages are small.
 *
 * Sizes are multiples of 16 bytes and come with every call, so blocks have no heads. There are some hundreds of blocks, and
 * few holes between them: a list in the order of addresses does.
 */
#define _GNU_SOURCE /* mremap, madvise */ /* NOLINT: that is its name */
#include "cli/heap.h"

#ifndef __linux__

void sl_heap_init(sl_heap *heap) {
    *heap = (sl_heap){.at = NULL};
}

void sl_heap_expect(sl_heap *heap, size_t file_size) {
    (void)heap;
    (void)file_size;
}

#else

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum { UNIT = 16, PIECE = 1 << 20, HUGE_PAGE = 2 << 20, LARGE = 4 << 20, SMALL_PAGES = 256 << 10 };

typedef struct sl_hole {
    struct sl_hole *next;
    size_t size;
} hole;

void sl_heap_init(sl_heap *heap) {
    *heap = (sl_heap){.at = NULL};
    (void)pthread_mutex_init(&heap->lock, NULL);
}

static size_t round_up(size_t n, size_t unit) {
    return (n + unit - 1) & ~(unit - 1);
}

/* Fresh pages, aligned to huge ones and made of them for the first `huge` bytes. NULL: there are none. What alignment takes more
 * goes back, but for pieces: of the heap nothing does before the program ends, and giving back takes longer than having. */
static char *map(size_t size, size_t huge, bool piece) {
    int saved = errno;
    size_t slack = huge > 0 ? HUGE_PAGE : 0;
    char *p = mmap(NULL, size + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        errno = saved;
        return NULL;
    }
    if (huge > 0) {
        char *begin = p + (round_up((size_t)p, HUGE_PAGE) - (size_t)p);
        if (begin > p && !piece) {
            (void)munmap(p, (size_t)(begin - p));
        }
        if (begin < p + slack && !piece) {
            (void)munmap(begin + size, (size_t)(p + slack - begin));
        }
        (void)madvise(begin, huge, MADV_HUGEPAGE);
        p = begin;
    }
    errno = saved;
    return p;
}

/* ---- Holes -------------------------------------------------------------------------------------- */

static void put_small(sl_heap *heap, char *p, size_t size) {
    hole *h = (hole *)(void *)p;
    h->next = heap->small[size / UNIT];
    heap->small[size / UNIT] = h;
}

/* Joins what is free beside it; the last one becomes part of what has not been given out. */
static void put(sl_heap *heap, char *p, size_t size) {
    if (size < SL_HEAP_SMALL) {
        if (size > 0) {
            put_small(heap, p, size);
        }
        return;
    }
    hole **link = &heap->holes, *before = NULL;
    while (*link && (char *)*link < p) {
        before = *link;
        link = &before->next;
    }
    hole *h = (hole *)(void *)p, *after = *link;
    bool joins = after && p + size == (char *)after;
    *h = (hole){joins ? after->next : after, joins ? size + after->size : size};
    if (before && (char *)before + before->size == p) {
        before->next = h->next;
        before->size += h->size;
        h = before;
    } else {
        *link = h;
    }
    if ((char *)h + h->size == heap->at) { /* whatever follows is in another piece */
        hole **last = &heap->holes;
        while (*last != h) {
            last = &(*last)->next;
        }
        *last = h->next;
        heap->at = (char *)h;
    }
}

/* The first hole that is large enough gives what is wanted; so the beginning of the heap stays dense. */
static char *from_holes(sl_heap *heap, size_t size) {
    for (hole **link = &heap->holes; *link; link = &(*link)->next) {
        hole *h = *link;
        if (h->size >= size) {
            size_t rest = h->size - size;
            char *tail = (char *)h + size;
            hole *next = h->next;
            if (rest >= SL_HEAP_SMALL) {
                *link = (hole *)(void *)tail;
                *(hole *)(void *)tail = (hole){next, rest};
            } else {
                *link = next;
                put(heap, tail, rest);
            }
            return (char *)h;
        }
    }
    return NULL;
}

/* ---- Blocks ------------------------------------------------------------------------------------- */

static bool new_piece(sl_heap *heap, size_t size, size_t huge) {
    char *p = map(size, huge, true);
    if (p) {
        heap->at = heap->clean = p;
        heap->end = p + size;
    }
    return p != NULL;
}

/* *dirty: how many of its bytes may not be zero. */
static char *take(sl_heap *heap, size_t size, size_t *dirty) {
    *dirty = size;
    hole *h = size < SL_HEAP_SMALL ? heap->small[size / UNIT] : NULL;
    if (h) {
        heap->small[size / UNIT] = h->next;
        return (char *)h;
    }
    char *p = from_holes(heap, size);
    if (p) {
        return p;
    }
    if ((size_t)(heap->end - heap->at) < size) {
        char *rest = heap->at;
        size_t left = (size_t)(heap->end - rest);
        size_t unit = heap->large ? HUGE_PAGE : PIECE, piece = round_up(size, unit);
        if (!new_piece(heap, piece, heap->large ? piece : 0)) {
            return NULL;
        }
        put(heap, rest, left);
    }
    p = heap->at;
    heap->at += size;
    *dirty = heap->clean > p ? (size_t)(heap->clean - p) : 0;
    *dirty = *dirty < size ? *dirty : size;
    heap->clean = heap->at > heap->clean ? heap->at : heap->clean;
    return p;
}

static char *allocate(sl_heap *heap, size_t n, size_t *dirty) {
    if (n > (size_t)PTRDIFF_MAX) {
        return NULL;
    }
    if (n >= LARGE) {
        *dirty = 0;
        return map(round_up(n, HUGE_PAGE), round_up(n, HUGE_PAGE), false);
    }
    (void)pthread_mutex_lock(&heap->lock);
    char *p = take(heap, round_up(n, UNIT), dirty);
    (void)pthread_mutex_unlock(&heap->lock);
    return p;
}

static void release(sl_heap *heap, char *p, size_t n) {
    if (n >= LARGE) {
        (void)munmap(p, round_up(n, HUGE_PAGE));
        return;
    }
    (void)pthread_mutex_lock(&heap->lock);
    put(heap, p, round_up(n, UNIT));
    (void)pthread_mutex_unlock(&heap->lock);
}

/* True: the block has the new size where it is, as it keeps its size or is the last one. */
static bool stays(sl_heap *heap, const char *p, size_t old_size, size_t new_size) {
    size_t old = round_up(old_size, UNIT), size = round_up(new_size, UNIT);
    if (old_size >= LARGE || new_size >= LARGE || old == size) {
        return old_size < LARGE && new_size < LARGE;
    }
    (void)pthread_mutex_lock(&heap->lock);
    bool fits = p + old == heap->at && (size_t)(heap->end - p) >= size;
    if (fits) {
        heap->at = heap->at - old + size;
        heap->clean = heap->at > heap->clean ? heap->at : heap->clean;
    }
    (void)pthread_mutex_unlock(&heap->lock);
    return fits;
}

static void *resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    sl_heap *heap = user;
    size_t dirty;
    if (new_size == 0) {
        if (ptr) {
            release(heap, ptr, old_size);
        }
        return NULL;
    }
    if (!ptr) {
        return allocate(heap, new_size, &dirty);
    }
    if (stays(heap, ptr, old_size, new_size)) {
        return ptr;
    }
    if (old_size >= LARGE && new_size >= LARGE && new_size <= (size_t)PTRDIFF_MAX) {
        void *moved = mremap(ptr, round_up(old_size, HUGE_PAGE), round_up(new_size, HUGE_PAGE), MREMAP_MAYMOVE);
        return moved == MAP_FAILED ? NULL : moved;
    }
    char *moved = allocate(heap, new_size, &dirty);
    if (moved) {
        memcpy(moved, ptr, old_size < new_size ? old_size : new_size);
        release(heap, ptr, old_size);
    }
    return moved;
}

static void *zeroed(void *user, size_t size) {
    size_t dirty;
    char *p = allocate(user, size, &dirty);
    if (p) {
        memset(p, 0, dirty < size ? dirty : size);
    }
    return p;
}

sl_allocator sl_heap_allocator(sl_heap *heap) {
    return (sl_allocator){sizeof(sl_allocator), heap, resize, zeroed};
}

/* Less than a run needs, as the last huge page may stay half empty; for large files that does not count. */
static size_t room_for(size_t file_size) {
    enum { MUCH = 8 << 20, MOST = 1 << 30 };
    size_t room = file_size < MUCH ? 3 * file_size : file_size < MOST / 6 ? 6 * file_size : MOST;
    return round_up(room, HUGE_PAGE);
}

void sl_heap_expect(sl_heap *heap, size_t file_size) {
    enum { FROM = 24 << 10 };
    if (file_size < FROM) {
        return;
    }
    (void)pthread_mutex_lock(&heap->lock);
    size_t room = room_for(file_size);
    heap->large = new_piece(heap, room + SMALL_PAGES, room);
    (void)pthread_mutex_unlock(&heap->lock);
}

#endif
