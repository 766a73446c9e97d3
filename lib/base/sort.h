/*
 * Sorts indices by a comparison that needs a context, which qsort() does not pass.
 *
 * It is a stable merge sort. If the indices are in order already, it costs one pass.
 */
#ifndef FG_LIB_BASE_SORT_H
#define FG_LIB_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Compares the items of the indices a and b. Returns < 0, 0 or > 0. */
typedef int fg_compare(const void *context, uint32_t a, uint32_t b);

/* Sorts `count` indices. */
void fg_sort(uint32_t *indices, size_t count, fg_compare *compare, const void *context);

#endif
