/*
 * The kinds of input that a reader takes besides text, and how to tell them by their
 * first bytes. Set them by the functions fg_reader_accept_*() of reader.h.
 */
#ifndef FG_LIB_BASE_ACCEPTED_H
#define FG_LIB_BASE_ACCEPTED_H

#include "lib/base/buf.h"
#include "lib/base/diag.h"

/*
 * A format that has no lines but can be converted to them, like our pictures: it gets
 * the bytes of an input in parts, then it is asked for lines. `state` is the result of
 * open().
 */
struct fg_reader_format {
	/* Returns true if input that starts with these bytes, perhaps few, has it. */
	bool (*starts)(struct fg_str first_bytes);

	/* feed() gets compressed input as it is, not unpacked. */
	bool takes_packed;

	/* Makes the state. `input` is the name for messages. Borrows both. */
	void *(*open)(const char *input, struct fg_diag *diag);

	/* Takes the next bytes. Returns 0, or -1 after reporting. */
	int (*feed)(void *state, struct fg_str bytes);

	/*
	 * Appends some whole lines to `lines`; called after the last bytes. Returns 1,
	 * 0 at the end, or -1 after reporting.
	 */
	int (*lines)(void *state, struct fg_buf *lines);

	void (*close)(void *state); /* accepts NULL */
};

/* A kind of input that is not text, which the caller reads by itself to its end. */
struct fg_reader_raw {
	/* Returns true if input that starts with these bytes is of that kind. */
	bool (*starts)(struct fg_str first_bytes);

	/*
	 * Reads the input: first `head`, then from the descriptor, which is -1 if
	 * `head` is all. Returns 0, or -1 after reporting.
	 */
	int (*read)(void *data, struct fg_str head, int fd, const char *input);
	void *data;
};

/* Returns true for an input that it recognises by the first bytes. */
typedef bool fg_reader_knows(const void *data, struct fg_str first_bytes);

/* Returns true to refuse an input; then appends the reason, the end of a message. */
typedef bool fg_reader_judge(struct fg_str first_bytes, struct fg_buf *why);

/* So many formats can be accepted. */
#define FG_READER_FORMATS_MAX 2

/* A zeroed struct takes only text. Callbacks may be NULL. All pointers are borrowed. */
struct fg_accepted {
	bool json;
	fg_reader_knows *may_be; /* recognises binary data that are not refused */
	const void *may_be_data;
	fg_reader_judge *judge; /* for text */
	fg_reader_knows *knows; /* recognises lines that need no more checks */
	const void *knows_data;
	const struct fg_reader_raw *raw;
	const struct fg_reader_format *formats[FG_READER_FORMATS_MAX];
	size_t format_count;
};

/* Returns the format of an input by its first bytes, or NULL. */
const struct fg_reader_format *fg_accepted_format(const struct fg_accepted *a,
						  struct fg_str first_bytes);

/*
 * Returns the bytes up to an empty line, like after a first stack, if a->knows()
 * recognises them; else an empty string. The input is then judged by these bytes alone,
 * so the result does not depend on how many bytes came with them. *searched starts at 0
 * and remembers where to go on when more of the input has come.
 */
struct fg_str fg_accepted_known(const struct fg_accepted *a, struct fg_str first_bytes,
				size_t *searched);

/*
 * Returns the bytes to judge by: whole lines, unless `bytes` are all or may be binary.
 */
struct fg_str fg_accepted_start(const struct fg_accepted *a, struct fg_str bytes,
				bool all);

/* Returns 0, or -1 after reporting that we do not read such an input as lines. */
int fg_accepted_check(const struct fg_accepted *a, struct fg_str start,
		      const char *input, struct fg_diag *diag);

#endif
