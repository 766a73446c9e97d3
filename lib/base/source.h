/*
 * The bytes of one input, a descriptor or memory, unpacked where it is compressed: see
 * lib/base/unpack.h. The diag's progress is told of what is read.
 */
#ifndef FG_LIB_BASE_SOURCE_H
#define FG_LIB_BASE_SOURCE_H

#include <sys/types.h>

#include "lib/base/buf.h"
#include "lib/base/diag.h"

/*
 * Reading fails if the program grows by more than FG_SOURCE_HELD_TIMES the size of a
 * compressed input, so that a small file cannot take all memory. Up to FG_SOURCE_HELD
 * bytes are always allowed. It does not matter what the memory is for: see
 * fg_xalloc_held().
 */
#define FG_SOURCE_HELD ((size_t)256 << 20)
#define FG_SOURCE_HELD_TIMES 128

struct fg_source {
	int fd; /* the caller's; -1: the input is in memory */
	struct fg_str memory; /* what is left of it; borrowed */
	const char *input; /* its name, for messages; borrowed */
	struct fg_diag *diag;

	uint64_t max; /* of bytes unpacked, beyond which it is cut; 0: it is an error */
	uint64_t made; /* bytes unpacked */
	uint64_t packed; /* bytes they were made of */
	size_t held; /* bytes that the program held before */
	uint64_t next_check; /* at so many bytes unpacked, of what it holds */
	bool cut; /* it was cut, or one before it; there was a warning */

	bool looked; /* whether it is compressed is known */
	bool ended; /* a terminal has bytes again after its end */
	struct fg_unpack *unpack; /* NULL where it is not */
	struct fg_buf raw; /* bytes that were read but not yet unpacked or handed on */
	bool keeps_raw; /* it has all bytes since the start */
	struct fg_str rest; /* what is left of them */

	struct fg_buf ahead; /* the first bytes, as far as they were looked at */
	size_t taken; /* how many of those were read, too */
	bool all_ahead; /* they are the whole input */
};

/* Frees what is kept; then the struct can be used for another input. */
void fg_source_release(struct fg_source *s);

/* The next bytes, as many as come: how many, 0 at the end, -1 after reporting. */
ssize_t fg_source_read(struct fg_source *s, char *to, size_t max);

/*
 * Looks at more of the first `size` bytes, at most `max`: s->ahead has them then, and
 * fg_source_read gives them all the same. How many are new, 0 if there are no more, -1
 * after reporting. To be called before bytes beyond s->ahead are read.
 */
ssize_t fg_source_look(struct fg_source *s, size_t size, size_t max);

/* As if what was looked at had been read. */
void fg_source_take_ahead(struct fg_source *s);

/*
 * Reads a compressed input as it is, from its start, although its first bytes were
 * looked at unpacked. Only before anything was read, and if no more than
 * FG_SOURCE_START bytes were looked at.
 */
#define FG_SOURCE_START ((size_t)1 << 20)
void fg_source_leave_packed(struct fg_source *s);

#endif
