/*
 * A line on the terminal that shows how far a long run has got.
 *
 * If standard error is a terminal, a thread writes the line once the run has lasted a
 * second, and erases it when all input has been read. A signal that ends the run
 * (SIGHUP, SIGINT, SIGTERM) erases it, too. Otherwise there is no thread, and the
 * progress is NULL, which all functions here accept.
 */
#ifndef FG_LIB_BASE_PROGRESS_H
#define FG_LIB_BASE_PROGRESS_H

#include "lib/base/buf.h"

/* The numbers in the line. */
struct fg_progress_state {
	uint64_t bytes; /* number of bytes read so far */
	uint64_t total; /* size of all inputs; 0: not known */
	uint64_t samples; /* number of samples read so far; 0: do not show it */
	uint64_t milliseconds; /* time since the start */
};

/*
 * Appends the text of the line: bytes, rate and samples; before them, if the total is
 * known, the percentage and the time left. Leaves out fields at the end that do not fit
 * into `width` columns.
 */
void fg_progress_text(const struct fg_progress_state *s, size_t width,
		      struct fg_buf *line);

/* The inputs that a run is going to read. */
struct fg_progress_plan {
	const char *program;
	const char *const *names; /* names of the inputs, like for fg_reader_open() */
	size_t count;

	/*
	 * The text to show if a pipe has brought nothing in the first 5 seconds. NULL:
	 * show no line for pipes, because the program that writes to the pipe shows
	 * one.
	 */
	const char *waiting;
};

struct fg_progress;

/*
 * Starts to watch a run. Returns NULL if there is nothing to show. Borrows the strings
 * of the plan. If the input is a terminal, prints a message that says so. Then it shows
 * no line, because that would disturb the user who types.
 */
struct fg_progress *fg_progress_start(const struct fg_progress_plan *plan);

/*
 * Count bytes or samples, from any thread. To subtract, pass a negative number,
 * converted to uint64_t.
 */
void fg_progress_add_bytes(struct fg_progress *p, uint64_t bytes);
void fg_progress_add_samples(struct fg_progress *p, uint64_t samples);

/* Erases the line until more bytes are read. */
void fg_progress_clear(struct fg_progress *p);

/*
 * Erases the line until fg_progress_unlock(), so that the caller can write to the
 * terminal.
 */
void fg_progress_lock(struct fg_progress *p);
void fg_progress_unlock(struct fg_progress *p);

/* Erases the line, ends the thread and frees everything. */
void fg_progress_stop(struct fg_progress *p);

#endif
