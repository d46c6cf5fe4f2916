/* heap.h: memory for a model, prepared when its size is known. */
#ifndef SL_CLI_HEAP_H
#define SL_CLI_HEAP_H

#include <stddef.h>

/* A model file of so many bytes is about to be read; 0: nobody knows how many. */
void sl_heap_expect(size_t file_size);

#endif
