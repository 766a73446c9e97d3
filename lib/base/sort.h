/*
 * Sorting by a comparison that needs a context.
 *
 * A stable merge sort that first looks whether there is anything to do: what is
 * in order already costs one pass.
 */
#ifndef FG_LIB_BASE_SORT_H
#define FG_LIB_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Compares what the indices a and b stand for: < 0, 0, > 0. */
typedef int fg_compare(const void *context, uint32_t a, uint32_t b);

/* Puts the `count` indices in order. */
void fg_sort(uint32_t *indices, size_t count, fg_compare *compare, const void *context);

#endif
