/*
 * One line on a terminal that tells how far a long run has got.
 *
 * Where standard error is a terminal, a thread of its own writes the line once
 * the run has lasted a second, and takes it away when all input has been read.
 * A signal that ends the run (SIGHUP, SIGINT, SIGTERM) takes it away, too.
 * Elsewhere there is no thread, and NULL stands for a progress that is not
 * shown: every function here accepts it.
 */
#ifndef FG_LIB_BASE_PROGRESS_H
#define FG_LIB_BASE_PROGRESS_H

#include "lib/base/buf.h"

/* What the line tells. */
struct fg_progress_state {
	uint64_t bytes; /* read so far */
	uint64_t total; /* bytes there are; 0: not known */
	uint64_t samples; /* 0: not told */
	uint64_t milliseconds; /* since the start */
};

/*
 * Adds the line's text to `line`: bytes, rate and samples, and first, where the
 * total is known, percentage and minutes and seconds left. Fields at the end for
 * which `width` columns have no room are left out.
 */
void fg_progress_text(const struct fg_progress_state *s, size_t width,
		      struct fg_buf *line);

/* What is going to be read, and by whom. */
struct fg_progress_plan {
	const char *program;
	const char *const *names; /* of the inputs, as for fg_reader_open */
	size_t count;

	/*
	 * The line's text while a pipe has brought nothing for 5 seconds from the
	 * start. NULL: the program shows a line for regular files only, and leaves
	 * pipes to the one that writes to them.
	 */
	const char *waiting;
};

struct fg_progress;

/*
 * Starts to watch a run; NULL where nothing is to be shown. The plan's strings are
 * borrowed. Where standard input is a terminal that is to be read, a message says
 * so and there is no line, which would get into the way of what is typed.
 */
struct fg_progress *fg_progress_start(const struct fg_progress_plan *plan);

/* Counts what was done, from any thread; a count may be taken back by its negative. */
void fg_progress_add_bytes(struct fg_progress *p, uint64_t bytes);
void fg_progress_add_samples(struct fg_progress *p, uint64_t samples);

/* Takes the line away until more bytes are read. */
void fg_progress_clear(struct fg_progress *p);

/* Takes the line away, and keeps it away until the lock is given back. */
void fg_progress_lock(struct fg_progress *p);
void fg_progress_unlock(struct fg_progress *p);

/* Takes the line away, ends the thread and frees everything. */
void fg_progress_stop(struct fg_progress *p);

#endif
