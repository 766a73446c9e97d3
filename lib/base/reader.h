/*
 * Reads input from files, standard input or memory, in large blocks of whole lines:
 *
 *     struct fg_reader *r = fg_reader_open(names, count, diag);
 *     struct fg_block block;
 *     int status;
 *
 *     while ((status = fg_reader_block(r, &block)) > 0)
 *             parse(block.bytes, block.input);
 *     fg_reader_close(r);
 *     return status;
 *
 * Several inputs are read one after the other, like by `cat`, except that a line never
 * runs from one input into the next. A line may be of any length: the block grows to
 * hold it. A reader needs the memory of one block. Compressed input (unpack.h) is
 * unpacked. An input that is binary fails with a message, and so does one that the
 * caller's checks refuse, see fg_reader_check(). That function and fg_reader_accept_*()
 * are settings: call them before reading.
 */
#ifndef FG_LIB_BASE_READER_H
#define FG_LIB_BASE_READER_H

#include "lib/base/buf.h"
#include "lib/base/diag.h"

/*
 * A parser may read this many bytes before and after a block, so that it need not check
 * for the end at each byte. Their values have no meaning.
 */
#define FG_READER_PADDING 64

/*
 * A format that has no lines but can be converted to them, like our pictures: it gets
 * the bytes of an input in parts, then it is asked for lines. `state` is the result of
 * open().
 */
struct fg_reader_format {
	/*
	 * Returns true if input that starts with these bytes, which may be few, is of
	 * this format.
	 */
	bool (*starts)(struct fg_str first_bytes);

	/* True if feed() wants compressed input as it is, not unpacked. */
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

/* The most formats that a reader can accept. */
#define FG_READER_FORMATS_MAX 2

/* Callbacks that check the start of an input. `data` is borrowed and passed to both. */
struct fg_reader_checks {
	const void *data;

	/*
	 * Gets the lines up to the first empty one. Returns true if they are certainly
	 * the start of an input that the caller expects. Blocks are then handed out
	 * without waiting for more bytes of a slow pipe. May be NULL.
	 */
	bool (*expects)(const void *data, struct fg_str first_bytes);

	/* Returns true if the input must not be read, and appends the reason. */
	bool (*refuses)(const void *data, struct fg_str first_bytes,
			struct fg_buf *why);

	/*
	 * True if input may be binary. The bytes to check then need not be whole lines.
	 */
	bool is_binary;
};

struct fg_reader;

/*
 * A block of whole lines, valid until the next call. The last line of an input may have
 * no '\n'; then the first byte of padding after it is one.
 */
struct fg_block {
	struct fg_str bytes;
	/* the first lines or bytes of the input, for recognising its format */
	struct fg_str start;
	const char *input; /* its name, for messages */
	bool first; /* the block is the first of its input */
	bool made; /* a struct fg_reader_format converted the input to these lines */
};

/*
 * Makes a reader of `count` named files, where "-" is standard input, or of standard
 * input if there are none. Borrows the names. Each file is opened when reading gets to
 * it, so errors come from fg_reader_block().
 */
struct fg_reader *fg_reader_open(const char *const *names, size_t count,
				 struct fg_diag *diag);

/* Makes a reader of a copy of `bytes`, which messages call `name`. */
struct fg_reader *fg_reader_open_memory(struct fg_str bytes, const char *name,
					struct fg_diag *diag);

/*
 * Accepts inputs of a format, and reads the lines that it converts them to. Borrows
 * `format`.
 */
void fg_reader_accept(struct fg_reader *r, const struct fg_reader_format *format);

/* Returns how many inputs of a format have been opened so far. */
size_t fg_reader_inputs_of(const struct fg_reader *r,
			   const struct fg_reader_format *format);

/* Lets `raw` read the inputs that it recognises. They give no blocks. Borrows `raw`. */
void fg_reader_accept_raw(struct fg_reader *r, const struct fg_reader_raw *raw);

/*
 * Replaces the default checks, which refuse binary data and text in UTF-16. Copies
 * `checks`.
 */
void fg_reader_check(struct fg_reader *r, const struct fg_reader_checks *checks);

/*
 * Warns of compressed data that are cut short or unpack to more than `max` bytes, and
 * reads the bytes up to there. Without this call, there is no limit, and data that are
 * cut short are an error.
 */
void fg_reader_accept_cut(struct fg_reader *r, uint64_t max);

/* Returns true if an input was cut short or too large. */
bool fg_reader_was_cut(const struct fg_reader *r);

/*
 * Sets the number of first bytes by which an input is recognised. The default is 8 KiB.
 */
void fg_reader_judge_by(struct fg_reader *r, size_t size);

/*
 * Lets blocks end anywhere, not only after a line. This is for text like JSON, where a
 * large input may be a single line.
 */
void fg_reader_accept_parts(struct fg_reader *r);

/*
 * Warns if an input does not end in a line feed. This is for text whose programs end
 * every line with one: a missing line feed is the only sign that the last number may be
 * cut off.
 */
void fg_reader_expect_last_newline(struct fg_reader *r);

/* Limits the bytes read at a time, so that a test can end blocks anywhere. */
void fg_reader_set_block_size(struct fg_reader *r, size_t size);

/*
 * Sets *first_bytes to the start of the first input, unpacked: at least `size` bytes,
 * or all. They will be read again as usual, and are valid until then. Call it before
 * anything is read. Returns 0, or -1 after reporting.
 */
int fg_reader_peek(struct fg_reader *r, size_t size, struct fg_str *first_bytes);

/*
 * Reads the next block. Returns 1, 0 at the end of all inputs, or -1 after reporting.
 */
int fg_reader_block(struct fg_reader *r, struct fg_block *block);

/* Like fg_reader_block(), but returns 0 at the end of the current input. */
int fg_reader_more(struct fg_reader *r, struct fg_block *block);

/*
 * Reads the rest of the input that `block` starts, and puts all of the input into
 * `all`, whose old contents are gone. Returns 0, or -1 after reporting.
 */
int fg_reader_rest(struct fg_reader *r, const struct fg_block *block,
		   struct fg_buf *all);

/*
 * Reads the next line and its place. The line is without its '\n' and a byte-order
 * mark, and valid until the next call. Returns like fg_reader_block(); use only one of
 * the two on a reader. This is simpler than blocks, but slower.
 */
int fg_reader_line(struct fg_reader *r, struct fg_str *line, struct fg_place *at);

/* Accepts NULL. */
void fg_reader_close(struct fg_reader *r);

#endif
