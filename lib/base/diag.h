/*
 * Messages for the user: errors, warnings, notes.
 *
 * A message is one line, `program: input:line: text`, in lower case and without a full
 * stop. The function that detects a fault reports it, once, and returns -1:
 *
 *     struct fg_place at = { input, line };
 *
 *     if (!digits)
 *             return fg_error(diag, &at, "a count has no digits");
 *
 * Its callers return -1 in turn without another message, and only main() makes an exit
 * status of it. Parsers of single values, like fg_str_u64(), do not report: for them
 * malformed text is an ordinary result.
 *
 * Errors are always shown, warnings unless the user wants quiet, and notes only if the
 * user wants them. A progress line is erased before a message is written.
 */
#ifndef FG_LIB_BASE_DIAG_H
#define FG_LIB_BASE_DIAG_H

#include <stdbool.h>
#include <stdint.h>

enum fg_verbosity { FG_QUIET = -1, FG_NORMAL = 0, FG_VERBOSE = 1 };

/* Input text that a message quotes is cut to this many bytes. */
#define FG_QUOTED_MAX 80

struct fg_progress;

/* Receives a whole message without its newline. */
typedef void fg_diag_sink(void *data, const char *message);

struct fg_diag {
	const char *program;
	enum fg_verbosity verbosity;
	fg_diag_sink *sink; /* gets the messages; NULL: they go to standard error */
	void *sink_data;
	struct fg_progress *progress; /* borrowed; NULL: there is no progress line */
	unsigned errors, warnings; /* numbers of messages so far, shown or not */
};

/* A place in the input. Line 0 means the input as a whole. */
struct fg_place {
	const char *input;
	uint64_t line;
};

/* Initialises `d`: normal verbosity, messages to standard error. Borrows `program`. */
void fg_diag_init(struct fg_diag *d, const char *program);

/*
 * Report an error, a warning or a note; the text is formatted like by printf(). `at`
 * may be NULL. Control characters in the text are made visible. fg_error() returns -1.
 */
int fg_error(struct fg_diag *d, const struct fg_place *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void fg_warn(struct fg_diag *d, const struct fg_place *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void fg_note(struct fg_diag *d, const struct fg_place *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Counts and shows an error or a warning that a child process of ours reported. */
void fg_diag_pass_on(struct fg_diag *d, bool is_error, const char *message);

#endif
