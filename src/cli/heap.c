/* heap.c: huge pages for the heap of the program.
 *
 * A new page of 4 KB costs a microsecond, and a run takes some 800 of them for each megabyte of its model; a page of 2 MB
 * costs as much as a hundred small ones. So when a model file turns out not to be small, the heap goes on at the next
 * boundary of 2 MB, is extended at once by what a run may need, and the system is told that huge pages are welcome there.
 * The whole run of a file of half a megabyte takes a quarter less time (3.8 ms became 2.9), of 70 KB a seventh, of 36 KB a
 * twelfth; of 20 KB it would take longer, so small files are left alone. 12 500 junctions are read in three quarters of
 * the time, 100 000 in two thirds. Blocks of 4 MB and more are mapped by malloc one by one, with huge pages of their own
 * (base/context.c). All this is a hint; where it fails, malloc does what it always did.
 */
#define _GNU_SOURCE /* sbrk, madvise */ /* NOLINT: that is its name */
#include "cli/heap.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HUGE_PAGE = 2 << 20 };

/* Less than a run needs, as the last huge page may stay half empty; for large files that does not count. */
static size_t room_for(size_t file_size) {
    enum { LARGE = 8 << 20, MOST = 1 << 30 };
    size_t room = file_size < LARGE ? 3 * file_size : file_size < MOST / 6 ? 6 * file_size : MOST;
    return (room + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
}

/* Lets the heap go on a little before the next boundary of huge pages, by so much at once that it ends on one. Returns that
 * first boundary, or NULL. A huge page comes when nothing of it has been touched, and malloc writes beside each block:
 * so what is left of the heap is taken first, and then the little block that makes it grow lies before the boundary.
 * What was left stays taken, as nobody should be given small pages now: it is a piece of address space, never touched. */
static char *grow_aligned(size_t room) {
    enum { BEFORE = 4096, LITTLE = 1024, REST = 64, MOST = 1 << 18 };
    size_t left = mallinfo2().keepcost;
    void *rest = left > 2 * REST && left < MOST ? malloc(left - REST) : NULL; /* more: the heap has been here before */
    uintptr_t now = (uintptr_t)sbrk(0), boundary = (now + BEFORE + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): what was left stays taken */
    bool fine = rest && sbrk((intptr_t)(boundary - BEFORE - now)) == (void *)now && /* never touched, either */
                mallopt(M_TOP_PAD, (int)(room + BEFORE - LITTLE));
    void *little = fine ? malloc(LITTLE) : NULL;
    fine = little && (uintptr_t)little > boundary - BEFORE && (uintptr_t)little < boundary;
    free(little);
    return fine ? (char *)boundary : NULL;
}

void sl_heap_expect(size_t file_size) {
    enum { SMALL = 1 << 15, MAPPED = 4 << 20, THEN = 1 << 18 };
    if (file_size < SMALL || !mallopt(M_MMAP_THRESHOLD, MAPPED) || !mallopt(M_TRIM_THRESHOLD, INT32_MAX)) {
        return;
    }
    char *begin = grow_aligned(room_for(file_size)), *end = sbrk(0);
    if (begin && begin < end) {
        (void)madvise(begin, (size_t)(end - begin), MADV_HUGEPAGE);
    }
    (void)mallopt(M_TOP_PAD, THEN);
}
