/*
 * Messages for the user: errors, warnings, notes.
 *
 * A message is one line, `program: input:line: text`, lower case, without a final
 * stop. The function that detects a fault reports it once and returns -1, so `return
 * fg_error(...)` is its last line; its callers return -1 in turn and say nothing, and
 * only main makes an exit status of it. Parsers of single values (fg_str_u64,
 * fg_count_parse) detect no fault, they answer whether the text is one. Errors are
 * always shown, warnings unless quiet, notes only when verbose. A progress line makes
 * room for each.
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
	fg_diag_sink *sink; /* NULL: standard error */
	void *sink_data;
	struct fg_progress *progress; /* borrowed; NULL: none is shown */
	unsigned errors;
	unsigned warnings;
};

/* Where in the input; line 0 means the input as a whole. */
struct fg_place {
	const char *input;
	uint64_t line;
};

/* `program` is borrowed, normal verbosity, messages to standard error. */
void fg_diag_init(struct fg_diag *d, const char *program);

/* `at` may be NULL. The text is printf's. fg_error returns -1. */
int fg_error(struct fg_diag *d, const struct fg_place *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void fg_warn(struct fg_diag *d, const struct fg_place *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void fg_note(struct fg_diag *d, const struct fg_place *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Passes on a whole message, an error or a warning, that a child has made for us. */
void fg_diag_pass_on(struct fg_diag *d, bool is_error, const char *message);

#endif
