/*
 * The bytes of a recording: one after the other, or at any place.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_INPUT_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_INPUT_H

#include "lib/base/buf.h"
#include "lib/base/diag.h"

struct fg_pd_input {
	int fd; /* -1: all is in memory */
	struct fg_place place; /* for messages */
	struct fg_diag *diag;
	struct fg_str memory; /* the first bytes, or all of them */
	struct fg_buf owned; /* holds the memory if it was read here */
	uint64_t at; /* of the next byte */
	uint64_t size; /* of a file or of memory; UINT64_MAX: not known */
	/* of the recording in the file; -1: it can be read in order only */
	int64_t base;
};

/* `head` are the first bytes, read from `fd` already. All is borrowed. */
void fg_pd_input_init(struct fg_pd_input *in, int fd, struct fg_str head);
void fg_pd_input_release(struct fg_pd_input *in);

/* Whether all of it is there, rather than still being written. */
static inline bool fg_pd_input_is_whole(const struct fg_pd_input *in)
{
	return in->fd < 0 || in->base >= 0;
}

/* Up to `len` next bytes: how many, 0 at the end, or -1 after reporting. */
int64_t fg_pd_input_read(struct fg_pd_input *in, char *to, size_t len);

/*
 * Makes fg_pd_input_seek and _section possible, by reading all of what can be read in
 * order only: 0, or -1 after reporting. `before` is what has been read of it.
 */
int fg_pd_input_make_seekable(struct fg_pd_input *in, struct fg_str before);

/* What is read next is at that place, which may be beyond the end. */
void fg_pd_input_seek(struct fg_pd_input *in, uint64_t at);

/*
 * Replaces what is in `bytes` by those of a section, or by as many as there are: 0, or
 * -1 after reporting. The place to read at is lost.
 */
int fg_pd_input_section(struct fg_pd_input *in, uint64_t at, uint64_t size,
			struct fg_buf *bytes);

#endif
