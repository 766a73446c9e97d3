/*
 * Input from files, standard input or memory, in big blocks of whole lines.
 *
 * Several inputs are read one after the other, as `cat` would, except that a
 * line never runs from one into the next. No line is too long: the block grows
 * to hold it. Memory is one block. The diag's progress is told of what is read. Input
 * that is compressed with gzip or zstd, see lib/unpack.h, is read as what is in it.
 * An input that is binary, or known by its first bytes to be no such text, fails.
 */
#ifndef FG_LIB_READER_H
#define FG_LIB_READER_H

#include "lib/buf.h"
#include "lib/diag.h"

/* Bytes before and after those of a block that may be read, but mean nothing. */
#define FG_READER_PADDING 64

struct fg_reader;

/*
 * A kind of input that has no lines but can be converted to them: it is fed a file in
 * parts, then asked for lines. `state` is what open returned.
 */
struct fg_reader_format {
	/* Whether input that starts with these bytes, perhaps few, is of that kind. */
	bool (*starts)(struct fg_str first_bytes);

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

/*
 * Whole lines; valid until the next block is asked for. Where the bytes do not
 * end in '\n', as an input may end, the byte of padding after them is one.
 */
struct fg_block {
	struct fg_str bytes;
	const char *input; /* its name, for messages */
	bool first; /* these bytes start their input */
	bool made; /* the input had no lines: a struct fg_reader_format made these */
};

/* The inputs of a program that is given `names`: for none of them "-". Borrowed. */
const char *const *fg_reader_inputs(const char *const *names, size_t *count);

/* What messages call the input of that name: "-" is "(standard input)". Borrowed. */
const char *fg_reader_input_name(const char *name);

/*
 * Reads `count` named files, "-" being standard input; none at all is standard
 * input too. The names are borrowed. Opening happens when reading gets there.
 */
struct fg_reader *fg_reader_open(const char *const *names, size_t count,
				 struct fg_diag *diag);

/* Reads a copy of `bytes` under the name `name`; for tests and fuzzing. */
struct fg_reader *fg_reader_open_memory(struct fg_str bytes, const char *name,
					struct fg_diag *diag);

/* From now on inputs of that format are recognised, and read as the lines it makes. */
void fg_reader_accept(struct fg_reader *r, const struct fg_reader_format *format);

/* The same for inputs of that kind, which give no blocks; `raw` is borrowed. */
void fg_reader_accept_raw(struct fg_reader *r, const struct fg_reader_raw *raw);

/* From now on JSON is not refused. */
void fg_reader_accept_json(struct fg_reader *r);

/*
 * From now on an input fails for which `judge` returns a message, given its first
 * lines: some thousand bytes of them, or all there are.
 */
void fg_reader_refuse(struct fg_reader *r,
		      const char *(*judge)(struct fg_str first_bytes));

/*
 * From now on blocks end anywhere, not only with a line: for text in which a line may
 * be all of a large input.
 */
void fg_reader_accept_parts(struct fg_reader *r);

/* Limits the bytes read at a time, so that a test can cut anywhere. */
void fg_reader_set_block_size(struct fg_reader *r, size_t size);

/*
 * Before anything else is read: the first bytes of the first input, unpacked, at least
 * `size` of them or all that there are. They stay to be read, and are valid until then.
 * 0, or -1 after reporting.
 */
int fg_reader_peek(struct fg_reader *r, size_t size, struct fg_str *first_bytes);

/* The next block: 1, or 0 at the end, or -1 after reporting what failed. */
int fg_reader_block(struct fg_reader *r, struct fg_block *block);

/* The next block of the same input: 1, 0 at the end of it, -1. */
int fg_reader_more(struct fg_reader *r, struct fg_block *block);

/*
 * The next line without its '\n', and its place: 1, 0 or -1 as above. The line
 * is valid until the next call. An input's byte-order mark is no part of a line.
 * Do not mix with fg_reader_block.
 */
int fg_reader_line(struct fg_reader *r, struct fg_str *line, struct fg_place *at);

/* Accepts NULL. */
void fg_reader_close(struct fg_reader *r);

#endif
