/*
 * Inputs that are changed in a place, and digests of what comes of them.
 *
 * What comes of each is compared with a file of tests/data/near, which has a line for
 * each input, and in it two hexadecimal digits for each NEAR_TOGETHER changes: a hash
 * of lines, messages and status. Inputs without a line are not tried. With BLESS in
 * the environment the file is written again; NEAR there is how the names of inputs
 * start that are tried.
 */
#ifndef FG_TESTS_UNIT_SUPPORT_NEAR_H
#define FG_TESTS_UNIT_SUPPORT_NEAR_H

#include "lib/base/buf.h"

#define NEAR_TOGETHER 4

struct near_input {
	const char *name;
	struct fg_str text;
	const char *arguments;
	size_t pairs; /* of digits */
};

struct near {
	const char *path; /* of the file */
	/* Replaces `result` by what comes of `text`. */
	void (*read)(const void *data, struct fg_str text, const char *arguments,
		     struct fg_buf *result);
	const void *data; /* for it */
	struct fg_buf known; /* the file */
	struct fg_buf lines; /* as the file should be */
	size_t shown; /* pairs that are others */
};

/* Reads the file of n->path; all but that and `read` is empty. */
void near_start(struct near *n);

/* Tries all changes of an input, and shows some of what is read otherwise. */
void near_try(struct near *n, const struct near_input *in);

/* Fails the test where something was read otherwise, or writes the file. */
void near_end(struct near *n);

#endif
