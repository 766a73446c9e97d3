/*
 * A child process that is written to and read from, line by line or in parts.
 *
 * Its messages are in English, and go nowhere unless it is one of our own. No other
 * child inherits its pipes. Writing to one that has died raises no SIGPIPE, and
 * the process's signals are left as they are.
 */
#ifndef FG_LIB_BASE_CHILD_H
#define FG_LIB_BASE_CHILD_H

#include <sys/types.h>

#include "lib/base/buf.h"

/* A line longer than this is too much. */
#define FG_CHILD_LINE_MAX ((size_t)1 << 20)

/* A zeroed struct is no child. */
struct fg_child {
	pid_t pid; /* 0: none */
	bool is_own; /* it has our standard error; the caller sets it */
	int to;
	int from;
	bool failed; /* some of what it said could not be read */
	struct fg_buf text;
	size_t at; /* text before this has been handed out */
	size_t left; /* bytes that may still be handed out; the caller sets it */
};

enum fg_child_end { CHILD_KILL, CHILD_WAIT };
enum fg_reading { READ_LINE, READ_END, READ_TOO_MUCH };

/*
 * Appends the path of a program of ours: beside the one that runs, or else its name
 * alone, to be found by PATH.
 */
void fg_child_find_own(const char *name, struct fg_buf *path);

/*
 * Starts args[0], found by PATH, in the zeroed *c; args ends in NULL. Returns 0, or an
 * errno after leaving nothing behind.
 */
int fg_child_start(struct fg_child *c, const char *const *args);

/* Whether such an errno says that there is no such program. */
bool fg_child_is_missing(int error);

/* Writes all of `s`, which a child has to read: 0, or -1, as where it has died. */
int fg_child_write(struct fg_child *c, struct fg_str s);

/*
 * The next line without its '\n', valid until the next call. What cannot be read is the
 * end, and fg_child_end says so.
 */
enum fg_reading fg_child_line(struct fg_child *c, struct fg_str *line);

/* The next bytes, at least one and at most `max`; as above. */
enum fg_reading fg_child_part(struct fg_child *c, size_t max, struct fg_str *part);

/*
 * Ends and frees a child, if there is one: 0, or with CHILD_WAIT -1 where it failed, or
 * not all that it said was read.
 */
int fg_child_end(struct fg_child *c, enum fg_child_end how);

#endif
