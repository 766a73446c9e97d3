/* The goldens of a collapser, for tests of its parts. See tests/golden/README.md. */
#ifndef FG_TESTS_UNIT_SUPPORT_GOLDEN_H
#define FG_TESTS_UNIT_SUPPORT_GOLDEN_H

#include <stdbool.h>

#include "lib/base/buf.h"

/* A run of a case: its folder, and the names of its files there. */
struct golden_run {
	const char *folder;
	const char *args; /* "args" or "args.NAME", which may be absent */
	const char *expected;
};

/*
 * Replaces the content of `b` by that of the file. Returns false if there is no such
 * file.
 */
bool golden_read(const char *folder, const char *name, struct fg_buf *b);

/*
 * Sets `b` to the arguments of a run in one line, which may be empty. Returns false if
 * they need a shell, or if one of `except`, a list that ends with NULL, is among them.
 */
bool golden_arguments(const struct golden_run *run, const char *const *except,
		      struct fg_buf *b);

/*
 * Calls `visit` for each run of collapse-NAME; `format` has underscores for its dashes.
 * Returns how many times `visit` returned true.
 */
size_t golden_visit(const char *format,
		    bool (*visit)(const struct golden_run *run, void *data),
		    void *data);

/* Like golden_visit(), but for another program. */
size_t golden_visit_program(const char *program,
			    bool (*visit)(const struct golden_run *run, void *data),
			    void *data);

#endif
