/*
 * The bytes of one input, a descriptor or memory, unpacked where it is compressed: see
 * lib/unpack.h. The diag's progress is told of what is read.
 */
#ifndef FG_LIB_SOURCE_H
#define FG_LIB_SOURCE_H

#include <sys/types.h>

#include "lib/buf.h"
#include "lib/diag.h"

struct fg_source {
	int fd; /* the caller's; -1: the input is in memory */
	struct fg_str memory; /* what is left of it; borrowed */
	const char *input; /* its name, for messages; borrowed */
	struct fg_diag *diag;

	bool looked; /* whether it is compressed is known */
	bool ended; /* a terminal has bytes again after its end */
	struct fg_unpack *unpack; /* NULL where it is not */
	struct fg_buf raw; /* bytes that were read but not yet unpacked or handed on */
	struct fg_str rest; /* what is left of them */
};

/* Frees what is kept; then the struct can be used for another input. */
void fg_source_release(struct fg_source *s);

/* The next bytes, as many as come: how many, 0 at the end, -1 after reporting. */
ssize_t fg_source_read(struct fg_source *s, char *to, size_t max);

#endif
