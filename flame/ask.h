/*
 * Asks another program something: runs it to its end, without input, and keeps its
 * answer.
 */
#ifndef FG_FLAME_ASK_H
#define FG_FLAME_ASK_H

#include "lib/base/buf.h"

/* The stream that is kept. What is written to the other one is lost. */
enum fg_ask_stream { FG_ASK_OUTPUT, FG_ASK_ERRORS };

struct fg_ask {
	/* the program, found on PATH, and its arguments; ends in NULL */
	const char *const *args;
	enum fg_ask_stream stream;
	bool shows_errors; /* with FG_ASK_OUTPUT: the errors are shown, not lost */
	int input; /* a descriptor for its standard input; 0: /dev/null */
	/* "NAME=VALUE" for its environment; ends in NULL, and may be NULL */
	char **variables;
};

/*
 * Runs the program, and appends what it wrote to `answer`. Returns its exit status like
 * a shell does: 128 plus the number of the signal that ended it, or 127 if it could not
 * be started.
 */
int fg_ask(const struct fg_ask *ask, struct fg_buf *answer);

/* Returns the exit status that a shell reports for a status of waitpid(). */
int fg_exit_status(int wait_status);

#endif
