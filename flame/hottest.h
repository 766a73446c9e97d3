/*
 * Finds the functions with the largest self shares of a folded profile, for the summary
 * after a run:
 *
 *     struct fg_hottest h;
 *
 *     fg_hottest_init(&h);
 *     if (!fg_hottest_read(&h, "stacks.folded", diag))
 *             for (size_t n = 0; fg_hottest_line(&h, n, &line); n++)
 *                     puts(fg_buf_cstr(&line));
 *     fg_hottest_release(&h);
 */
#ifndef FG_FLAME_HOTTEST_H
#define FG_FLAME_HOTTEST_H

#include "lib/base/diag.h"
#include "lib/base/intern.h"

/* The number of functions in the summary. */
#define FG_HOTTEST_MAX 5

struct fg_hottest {
	/* settings, false after fg_hottest_init(): */
	/*
	 * Waiting threads are all in the scheduler: count them for the function that
	 * called it.
	 */
	bool waits;
	/* the first line says how much of the time is spent on a CPU */
	bool all_time;
	/*
	 * A stack of one frame is a function. Otherwise it is a command without
	 * functions, and only adds to the total.
	 */
	bool lone_frames;

	struct fg_intern names;
	double *own; /* the count of each name */
	size_t own_count, own_alloc;
	double total, waiting;
	uint32_t hot[FG_HOTTEST_MAX]; /* ids of names, the hottest first */
	size_t hot_count;
};

void fg_hottest_init(struct fg_hottest *h);
void fg_hottest_release(struct fg_hottest *h);

/* Reads a file of folded stacks. Returns 0, or -1 after reporting. */
int fg_hottest_read(struct fg_hottest *h, const char *file, struct fg_diag *diag);

/* Adds a stack. Call fg_hottest_finish() after the last. */
void fg_hottest_add(struct fg_hottest *h, struct fg_str stack, double count);
void fg_hottest_finish(struct fg_hottest *h);

/* Replaces `line` by line `n` of the summary. Returns false if there is none. */
bool fg_hottest_line(const struct fg_hottest *h, size_t n, struct fg_buf *line);

#endif
