/* What is known while a profile is written for Firefox Profiler; columns of tables. */
#ifndef FG_REPORTFOLDED_FIREFOX_H
#define FG_REPORTFOLDED_FIREFOX_H

#include "reportfolded/export.h"

struct fg_firefox {
	struct fg_export *e;
	struct fg_jsonwriter json;
	const struct fg_value *value;
	unsigned column;
	unsigned process, thread; /* their numbers, from 1 on */

	/* by name */
	uint32_t *thread_of; /* the last one that has it */
	uint32_t *function_of; /* and its row in there */
	unsigned char *category_of;

	/* of the thread */
	struct fg_tops tops; /* its first frames */
	uint32_t *functions; /* names by row */
	size_t function_count, function_alloc;
	uint32_t *rows; /* nodes by row of its stacks */
	size_t row_count, row_alloc;
	size_t *row_of; /* by node */
};

/*
 * Writes what one row has in a column. A row is a sample, or says that the one before
 * is over: the viewer takes that to last until the next row of its thread.
 */
struct fg_firefox_sample {
	const struct fg_stacks *stacks; /* at it; NULL: it is no sample */
	uint64_t count; /* 0 where it is none */
	uint64_t before; /* what the row before counted */
	size_t samples; /* before it */
	struct fg_sum start; /* in counts */
};
typedef void fg_firefox_add(struct fg_firefox *w, const struct fg_firefox_sample *s);

fg_firefox_add fg_firefox_add_stack, fg_firefox_add_weight, fg_firefox_add_time,
	fg_firefox_add_cpu;

/* A column of the thread's rows; returns how many there are. */
size_t fg_firefox_samples(struct fg_firefox *w, const char *name, fg_firefox_add *add);

/* Opens the array of a column. */
void fg_firefox_open_column(struct fg_firefox *w, const char *name);

/* Columns as long as the functions are many: the same everywhere, or 0, 1, 2, .. */
void fg_firefox_fill(struct fg_firefox *w, const char *name, const char *value);
void fg_firefox_count(struct fg_firefox *w, const char *name);

/* Finds the category of each name, and writes what they are. */
void fg_firefox_categories(struct fg_firefox *w);

#endif
