/*
 * Input from files, standard input or memory, in big blocks of whole lines.
 *
 * Several inputs are read one after the other, as `cat` would, except that a line never
 * runs from one into the next. No line is too long: the block grows to hold it. Memory
 * is one block. The diag's progress is told of what is read. Input that is compressed
 * with gzip or zstd, see lib/base/unpack.h, is read as what is in it. An input that is
 * binary, or known by its first bytes to be no such text, fails.
 */
#ifndef FG_LIB_BASE_READER_H
#define FG_LIB_BASE_READER_H

#include "lib/base/accepted.h"

/* Bytes before and after those of a block that may be read, but mean nothing. */
#define FG_READER_PADDING 64

struct fg_reader;

/*
 * Whole lines; valid until the next block is asked for. Where the bytes do not
 * end in '\n', as an input may end, the byte of padding after them is one.
 */
struct fg_block {
	struct fg_str bytes;
	struct fg_str start; /* what the input is judged by: its first lines or bytes */
	const char *input; /* its name, for messages */
	bool first; /* these bytes start their input */
	bool made; /* the input had no lines: a struct fg_reader_format made these */
};

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

/* Returns how many inputs of that format have been opened so far. */
size_t fg_reader_inputs_of(const struct fg_reader *r,
			   const struct fg_reader_format *format);

/* The same for inputs of that kind, which give no blocks; `raw` is borrowed. */
void fg_reader_accept_raw(struct fg_reader *r, const struct fg_reader_raw *raw);

/* From now on JSON is not refused. */
void fg_reader_accept_json(struct fg_reader *r);

/*
 * The same of binary data that `may_be` says yes to; `data` is borrowed. What the input
 * is judged by is then not cut at a line.
 */
void fg_reader_accept_binary(struct fg_reader *r, fg_reader_knows *may_be,
			     const void *data);

/*
 * From now on compressed data that are cut short, or unpack to more than `max` bytes,
 * are warned of, and end there.
 */
void fg_reader_accept_cut(struct fg_reader *r, uint64_t max);

/* Whether that has happened. */
bool fg_reader_was_cut(const struct fg_reader *r);

/* How many first bytes an input is judged by, if it has as many: 8 KiB by default. */
void fg_reader_judge_by(struct fg_reader *r, size_t size);

/*
 * From now on an input fails that is text and that `judge` says yes to, given its first
 * lines: some thousand bytes of them, or all there are.
 */
void fg_reader_refuse(struct fg_reader *r, fg_reader_judge *judge);

/*
 * From now on blocks of an input are handed out as soon as `knows` says yes to its
 * lines up to an empty one, rather than wait for what else a slow pipe brings. `data`
 * is borrowed.
 */
void fg_reader_expect(struct fg_reader *r, fg_reader_knows *knows, const void *data);

/*
 * From now on blocks end anywhere, not only with a line: for text in which a line may
 * be all of a large input.
 */
void fg_reader_accept_parts(struct fg_reader *r);

/*
 * From now on it is warned of an input that does not end in a line feed: all that write
 * such text end each line, and of a number that is cut nothing else tells.
 */
void fg_reader_expect_last_newline(struct fg_reader *r);

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

/* All of the input that `block` starts, in place of what is in `all`: 0 or -1. */
int fg_reader_rest(struct fg_reader *r, const struct fg_block *block,
		   struct fg_buf *all);

/*
 * The next line without its '\n', and its place: 1, 0 or -1 as above. The line
 * is valid until the next call. A byte-order mark before it is no part of it.
 * Do not mix with fg_reader_block.
 */
int fg_reader_line(struct fg_reader *r, struct fg_str *line, struct fg_place *at);

/* Accepts NULL. */
void fg_reader_close(struct fg_reader *r);

#endif
