/* heap.c: huge pages for the heap of the program.
 *
 * Half of the time that reading a model of some megabytes takes goes into page faults, one for every 4 KB. So when a model
 * file turns out to be large, the heap is extended at once by what a run of it may need, and the system is told that 2 MB
 * pages are welcome there: 12 500 junctions are read in three quarters of the time, 100 000 in two thirds. Small models are
 * left alone: they would need more memory and gain little. Blocks of 4 MB and more are mapped by malloc one by one, with
 * huge pages of their own (base/context.c). All this is a hint; where it fails, malloc does what it always did.
 */
#define _GNU_SOURCE /* sbrk, madvise */ /* NOLINT: that is its name */
#include "cli/heap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Less than a run needs, as the last huge page may stay half empty; for large files that does not count. */
static size_t room_for(size_t file_size) {
    enum { LEAST = 4 << 20, LARGE = 8 << 20, MOST = 1 << 30 };
    size_t room = file_size < LARGE ? 3 * file_size : file_size < MOST / 6 ? 6 * file_size : MOST;
    return room < LEAST ? LEAST : room;
}

void sl_heap_expect(size_t file_size) {
    enum { SMALL = 3 << 18, MAPPED = 4 << 20, FIRST = 1 << 18, PAGE = 4096 };
    if (file_size < SMALL) {
        return;
    }
    size_t room = room_for(file_size);
    if (!mallopt(M_MMAP_THRESHOLD, MAPPED) || !mallopt(M_TRIM_THRESHOLD, INT32_MAX) || !mallopt(M_TOP_PAD, (int)room)) {
        return;
    }
    char *first = malloc(FIRST); /* more than the heap has: it grows, by the room too */
    char *end = sbrk(0);
    if (first && first < end && (size_t)(end - first) <= room + MAPPED) {
        uintptr_t begin = ((uintptr_t)first + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
        (void)madvise((void *)begin, (uintptr_t)end - begin, MADV_HUGEPAGE);
    }
    free(first);
    (void)mallopt(M_TOP_PAD, FIRST);
}
