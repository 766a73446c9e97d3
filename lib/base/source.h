/*
 * The bytes of one input, a descriptor or memory, unpacked if they are compressed
 * (unpack.h). reader.c makes lines of them. Reading also counts the bytes in
 * diag->progress.
 */
#ifndef FG_LIB_BASE_SOURCE_H
#define FG_LIB_BASE_SOURCE_H

#include <sys/types.h>

#include "lib/base/buf.h"
#include "lib/base/diag.h"

/*
 * Reading fails if the program grows by more than FG_SOURCE_HELD_TIMES the size of a
 * compressed input, so that a small file cannot take all memory. Up to FG_SOURCE_HELD
 * bytes are always allowed. This counts all memory of the program: fg_xalloc_held().
 */
#define FG_SOURCE_HELD ((size_t)256 << 20)
#define FG_SOURCE_HELD_TIMES 128

struct fg_source {
	int fd; /* owned by the caller; -1: the input is in memory */
	/* the part of an input in memory that is not read yet; borrowed */
	struct fg_str memory;
	const char *input; /* its name, for messages; borrowed */
	struct fg_diag *diag;

	/*
	 * The most unpacked bytes, or 0. With a limit, data that are longer or cut
	 * short end with a warning. With 0 there is no limit, and data that are cut
	 * short are an error.
	 */
	uint64_t max;
	uint64_t made; /* bytes unpacked so far */
	uint64_t packed; /* compressed bytes read so far */
	size_t held; /* bytes of memory that the program had before this input */
	uint64_t next_check; /* value of `made` at which we check the memory again */
	bool cut; /* we have warned that this or an earlier input was cut short */

	bool looked; /* we have checked if the input is compressed */
	/* read() has returned 0; on a terminal, another read() would wait for more */
	bool ended;
	struct fg_unpack *unpack; /* NULL if it is not compressed */
	struct fg_buf raw; /* bytes as they were read, not unpacked */
	bool keeps_raw; /* `raw` has all bytes since the start */
	struct fg_str rest; /* the bytes in `raw` that are still to be used */

	/* the first bytes of the input, which fg_source_look() has read ahead */
	struct fg_buf ahead;
	/* number of bytes of `ahead` that have been read with fg_source_read() */
	size_t taken;
	bool all_ahead; /* `ahead` is the whole input */
};

/* Frees the buffers. The struct can then be used for another input. */
void fg_source_release(struct fg_source *s);

/*
 * Reads as many bytes as are there now, at most `max`. Returns their number, 0 at the
 * end, or -1 after reporting.
 */
ssize_t fg_source_read(struct fg_source *s, char *to, size_t max);

/*
 * Reads ahead: adds at most `max` bytes to s->ahead, which grows to at most `size`
 * bytes. fg_source_read() will still return them. Returns how many it added, 0 if there
 * are no more, or -1 after reporting. Call it before bytes beyond s->ahead are read.
 */
ssize_t fg_source_look(struct fg_source *s, size_t size, size_t max);

/* Marks all bytes in s->ahead as read. */
void fg_source_take_ahead(struct fg_source *s);

/*
 * Goes back to the start of a compressed input, so that it will be read as it is, not
 * unpacked. Call it before anything is read, and only if fg_source_look() was asked for
 * at most FG_SOURCE_START bytes.
 */
#define FG_SOURCE_START ((size_t)1 << 20)
void fg_source_leave_packed(struct fg_source *s);

#endif
