/*
 * Child processes. fg_ask() runs a program to its end and keeps its answer. fg_child is
 * a program of ours that we write to and read from, line by line or in parts:
 *
 *     struct fg_child c = { .pid = 0 };
 *
 *     fg_child_find_own("flamepipe-svg", &path);
 *     if (!fg_child_start(&c, (const char *[]){ fg_buf_cstr(&path), NULL }) &&
 *         !fg_child_write(&c, bytes) && fg_child_line(&c, &line) == READ_LINE)
 *             ...
 *     fg_child_end(&c, CHILD_WAIT);
 *
 * It runs with LC_ALL=C and shares our standard error. No other child gets its pipes.
 * Writing to a child that has died fails without a SIGPIPE, and does not change how
 * this process handles signals.
 */
#ifndef FG_LIB_BASE_CHILD_H
#define FG_LIB_BASE_CHILD_H

#include <sys/types.h>

#include "lib/base/buf.h"

/* The longest line that fg_child_line() returns. */
#define FG_CHILD_LINE_MAX ((size_t)1 << 20)

/* A zeroed struct has no child. */
struct fg_child {
	pid_t pid; /* 0: no child runs */
	int to;
	int from;
	bool failed; /* some of the output could not be read */
	struct fg_buf text;
	size_t at; /* offset in `text`; the bytes before it have been handed out */
};

enum fg_child_end { CHILD_KILL, CHILD_WAIT };
enum fg_reading { READ_LINE, READ_END, READ_TOO_MUCH };

/*
 * Appends the folder of the running program, with links resolved. Returns false if the
 * system does not tell it.
 */
bool fg_child_own_folder(struct fg_buf *folder);

/*
 * Appends the path of a program of ours: the one beside the running program or, if
 * there is none, the name alone, to be found on PATH.
 */
void fg_child_find_own(const char *name, struct fg_buf *path);

/*
 * Starts args[0], found on PATH; args ends in NULL, and *c is zeroed. Returns 0, or an
 * errno; then there is no child to end.
 */
int fg_child_start(struct fg_child *c, const char *const *args);

/* Returns true if an errno of fg_child_start() means that there is no such program. */
bool fg_child_is_missing(int error);

/* Writes all of `s`, and may wait for the child. Returns 0, or -1 if the child died. */
int fg_child_write(struct fg_child *c, struct fg_str s);

/*
 * Reads the next line, without its '\n', valid until the next call. Returns READ_LINE;
 * READ_END at the end or if reading fails, which fg_child_end() then reports; or
 * READ_TOO_MUCH for a line longer than FG_CHILD_LINE_MAX.
 */
enum fg_reading fg_child_line(struct fg_child *c, struct fg_str *line);

/* Like fg_child_line(), for the next bytes, at least 1 and at most `max`. */
enum fg_reading fg_child_part(struct fg_child *c, size_t max, struct fg_str *part);

/*
 * Ends the child, if there is one, and frees its memory. CHILD_KILL kills a child that
 * is still running. With CHILD_WAIT it returns the child's exit status, or -1 if its
 * output could not be read.
 */
int fg_child_end(struct fg_child *c, enum fg_child_end how);

/* ---- other programs */

/* The stream that is kept. Output to the other one is lost. */
enum fg_ask_stream { FG_ASK_OUTPUT, FG_ASK_ERRORS };

struct fg_ask {
	/* the program, found on PATH, and its arguments; ends in NULL */
	const char *const *args;
	enum fg_ask_stream stream;
	bool shows_errors; /* with FG_ASK_OUTPUT: the errors are shown, not lost */
	int input; /* a descriptor for its standard input; 0: /dev/null */
	/* "NAME=VALUE" for its environment; ends in NULL, and may be NULL */
	const char *const *variables;
};

/*
 * Runs the program, and appends its output to `answer`. Returns its exit status like a
 * shell does, or 127 if it could not be run or its output not be read.
 */
int fg_ask(const struct fg_ask *ask, struct fg_buf *answer);

/*
 * Runs a program with our standard streams. args ends in NULL. Returns its exit status
 * like fg_ask().
 */
int fg_run_program(const char *const *args);

/*
 * Returns the exit status that a shell reports for a status of waitpid(): 128 plus the
 * number of the signal that ended the process, or its own status.
 */
int fg_exit_status(int wait_status);

#endif
