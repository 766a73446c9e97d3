/* Reads the bytes of a recording: in order or, if it is seekable, from any place. */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_INPUT_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_INPUT_H

#include "lib/base/buf.h"
#include "lib/base/diag.h"

struct fg_pd_input {
	int fd; /* -1: all bytes are in memory */
	struct fg_place place; /* for messages */
	struct fg_diag *diag;
	struct fg_str memory; /* the first bytes of the input, or all of them */
	struct fg_buf owned; /* holds the bytes of `memory` if we read them ourselves */
	uint64_t at; /* offset of the next byte to read */
	uint64_t size; /* bytes of the file or memory; UINT64_MAX: not known */
	/* offset of the recording in the file; -1: the input is not seekable */
	int64_t base;
};

/*
 * Starts reading. `head` has the bytes that were already read from `fd`. Both are
 * borrowed.
 */
void fg_pd_input_init(struct fg_pd_input *in, int fd, struct fg_str head);
void fg_pd_input_release(struct fg_pd_input *in);

/*
 * Returns true if the input is a file or memory, not a stream that may still be
 * written.
 */
static inline bool fg_pd_input_is_whole(const struct fg_pd_input *in)
{
	return in->fd < 0 || in->base >= 0;
}

/* Reads up to `len` bytes. Returns how many, 0 at the end, or -1 after reporting. */
int64_t fg_pd_input_read(struct fg_pd_input *in, char *to, size_t len);

/*
 * Makes the input seekable. If it can only be read in order, reads all of it into
 * memory. `before` is the part that has been read already. Returns 0, or -1 after
 * reporting.
 */
int fg_pd_input_make_seekable(struct fg_pd_input *in, struct fg_str before);

/* Sets the place to read next. It may be beyond the end. */
void fg_pd_input_seek(struct fg_pd_input *in, uint64_t at);

/*
 * Replaces the contents of `bytes` by a section, or by the part of it that exists.
 * Returns 0, or -1 after reporting. Changes the place to read next.
 */
int fg_pd_input_section(struct fg_pd_input *in, uint64_t at, uint64_t size,
			struct fg_buf *bytes);

#endif
