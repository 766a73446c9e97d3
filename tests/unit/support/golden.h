/*
 * The goldens of a collapser, for tests of its parts: tests/golden/README.md.
 */
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

/* Replaces what is in `b` by that file; false where there is none. */
bool golden_read(const char *folder, const char *name, struct fg_buf *b);

/*
 * The arguments of a run, which may have none, in one line; false where they need a
 * shell, or where one of `except` is in them, a list that NULL ends.
 */
bool golden_arguments(const struct golden_run *run, const char *const *except,
		      struct fg_buf *b);

/*
 * Calls `visit` for each run of collapse-NAME, an underscore in `format` being a dash
 * there; how many times it returned true.
 */
size_t golden_visit(const char *format,
		    bool (*visit)(const struct golden_run *run, void *data),
		    void *data);

/* The same of another program. */
size_t golden_visit_program(const char *program,
			    bool (*visit)(const struct golden_run *run, void *data),
			    void *data);

#endif
