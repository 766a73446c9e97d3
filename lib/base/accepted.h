/*
 * What kinds of input a reader takes besides text, and telling by its first bytes of
 * what kind an input is.
 */
#ifndef FG_LIB_BASE_ACCEPTED_H
#define FG_LIB_BASE_ACCEPTED_H

#include "lib/base/buf.h"
#include "lib/base/diag.h"

/*
 * A kind of input that has no lines but can be converted to them: it is fed a file in
 * parts, then asked for lines. `state` is what open returned.
 */
struct fg_reader_format {
	/* Whether input that starts with these bytes, perhaps few, is of that kind. */
	bool (*starts)(struct fg_str first_bytes);

	/* Compressed input is fed as it is, not unpacked. */
	bool takes_packed;

	/* `input` is the name for messages; both are borrowed. */
	void *(*open)(const char *input, struct fg_diag *diag);

	/* 0, or -1 after reporting. */
	int (*feed)(void *state, struct fg_str bytes);

	/*
	 * After the last part: appends some whole lines to `lines`. 1, or 0 at the end,
	 * or -1 after reporting.
	 */
	int (*lines)(void *state, struct fg_buf *lines);

	void (*close)(void *state); /* accepts NULL */
};

/*
 * A kind of input that is no text, read by the caller to its end: `starts` tells it by
 * its first bytes; `read` gets those that were read, and the descriptor at the end of
 * them, or -1 where they are all. Returns 0, or -1 after reporting.
 */
struct fg_reader_raw {
	bool (*starts)(struct fg_str first_bytes);
	int (*read)(void *data, struct fg_str head, int fd, const char *input);
	void *data;
};

/* Whether input is known by its first bytes. */
typedef bool fg_reader_knows(const void *data, struct fg_str first_bytes);

/* Whether input is refused by its first lines: appends why, the end of a message. */
typedef bool fg_reader_judge(struct fg_str first_bytes, struct fg_buf *why);

/* So many formats can be accepted. */
#define FG_READER_FORMATS_MAX 2

/* All zeros takes text alone. What is NULL tells nothing; all pointers are borrowed. */
struct fg_accepted {
	bool json;
	fg_reader_knows *may_be; /* binary data that are not refused */
	const void *may_be_data;
	fg_reader_judge *judge; /* of text */
	fg_reader_knows *knows; /* lines that are no more looked at */
	const void *knows_data;
	const struct fg_reader_raw *raw;
	const struct fg_reader_format *formats[FG_READER_FORMATS_MAX];
	size_t format_count;
};

/* The format of an input with these first bytes; NULL where it is none of them. */
const struct fg_reader_format *fg_accepted_format(const struct fg_accepted *a,
						  struct fg_str first_bytes);

/*
 * What there is up to an empty line, as after a stack, if that is known; else nothing.
 * Nothing else is looked at then, so that an input is judged alike however it comes in.
 * *searched, at first 0, is where to go on when there is more of the input, or that
 * there is no need to.
 */
struct fg_str fg_accepted_known(const struct fg_accepted *a, struct fg_str first_bytes,
				size_t *searched);

/* What an input is judged by: whole lines, unless `bytes` are all or may be binary. */
struct fg_str fg_accepted_start(const struct fg_accepted *a, struct fg_str bytes,
				bool all);

/* 0, or -1 after reporting that such an input is not cut into lines. */
int fg_accepted_check(const struct fg_accepted *a, struct fg_str start,
		      const char *input, struct fg_diag *diag);

#endif
