/* The bytes of a recording, in order or, if it is seekable, from any place. */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_INPUT_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_INPUT_H

#include "lib/base/buf.h"
#include "lib/base/diag.h"

struct fg_pd_input {
	int fd; /* -1: all bytes are in memory */
	struct fg_place place; /* for messages */
	struct fg_diag *diag;
	struct fg_str memory; /* the first bytes, or all */
	struct fg_buf owned; /* holds the memory if it was read here */
	uint64_t at; /* place of the next byte */
	uint64_t size; /* bytes of the file or memory; UINT64_MAX: not known */
	/* place of the recording in the file; -1: it can only be read in order */
	int64_t base;
};

/* `head` has the first bytes, which were read from `fd`. Everything is borrowed. */
void fg_pd_input_init(struct fg_pd_input *in, int fd, struct fg_str head);
void fg_pd_input_release(struct fg_pd_input *in);

/* Returns true if the input is complete, not still being written. */
static inline bool fg_pd_input_is_whole(const struct fg_pd_input *in)
{
	return in->fd < 0 || in->base >= 0;
}

/* Reads up to `len` bytes. Returns how many, 0 at the end, or -1 after reporting. */
int64_t fg_pd_input_read(struct fg_pd_input *in, char *to, size_t len);

/*
 * Makes the input seekable, by reading all of one that can only be read in order.
 * `before` is the part that has been read. Returns 0, or -1 after reporting.
 */
int fg_pd_input_make_seekable(struct fg_pd_input *in, struct fg_str before);

/* Sets the place to read next. It may be beyond the end. */
void fg_pd_input_seek(struct fg_pd_input *in, uint64_t at);

/*
 * Replaces the contents of `bytes` by a section, or as much of it as there is. Returns
 * 0, or -1 after reporting. The place to read next is lost.
 */
int fg_pd_input_section(struct fg_pd_input *in, uint64_t at, uint64_t size,
			struct fg_buf *bytes);

#endif
