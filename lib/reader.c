/* Input in big blocks of whole lines, from files, standard input or memory. */
#define _GNU_SOURCE /* for F_SETPIPE_SZ, where there is one */

#include "lib/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/io.h"
#include "lib/progress.h"
#include "lib/sniff.h"
#include "lib/source.h"
#include "lib/utf8.h"
#include "lib/xalloc.h"

/* Enough bytes to recognise input that is no text. */
#define RAW_START 8

/* The same of text that is not read by lines. */
#define PARTS_START ((size_t)4096)

/* Enough lines to judge an input by, however little a pipe gives at a time. */
#define JUDGED_START ((size_t)8192)

/* Bytes read at a time, and those that a pipe is to hold. */
#define BLOCK_SIZE ((size_t)128 * 1024)
#define PIPE_SIZE (1024 * 1024)

struct fg_reader {
	struct fg_diag *diag;
	const char *const *names;
	size_t count;
	size_t next; /* the input to open after this one */
	const char *input;
	struct fg_source source; /* its bytes */
	bool first; /* the next block starts the input */
	bool reads_json;
	bool in_parts; /* blocks end anywhere */

	struct fg_buf buf; /* padding, bytes, padding */
	size_t start; /* where the bytes handed out end, and the kept ones start */
	size_t len; /* bytes in the buffer */
	size_t block_size;

	const char *(*judge)(struct fg_str first_bytes); /* or NULL */
	const struct fg_reader_raw *raw; /* or NULL */
	const struct fg_reader_format *format; /* or NULL */
	void *state; /* of that format; NULL where the input has lines */
	struct fg_buf made; /* by that format, with padding as `buf` */

	char *memory_copy; /* of an input in memory, or NULL */

	struct fg_str lines; /* what is left of the block, for fg_reader_line */
	struct fg_place at;
};

const char *const *fg_reader_inputs(const char *const *names, size_t *count)
{
	static const char *const standard_input[] = { "-" };

	if (*count)
		return names;
	*count = 1;
	return standard_input;
}

static bool is_standard_input(const char *name)
{
	return !strcmp(name, "-");
}

const char *fg_reader_input_name(const char *name)
{
	return is_standard_input(name) ? "(standard input)" : name;
}

static struct fg_reader *new_reader(struct fg_diag *diag)
{
	struct fg_reader *r = fg_xcalloc(1, sizeof(*r));

	r->diag = diag;
	r->source.fd = -1;
	r->block_size = BLOCK_SIZE;
	return r;
}

struct fg_reader *fg_reader_open(const char *const *names, size_t count,
				 struct fg_diag *diag)
{
	struct fg_reader *r = new_reader(diag);

	r->names = fg_reader_inputs(names, &count);
	r->count = count;
	return r;
}

static void start_source(struct fg_reader *r)
{
	r->source.input = r->input;
	r->source.diag = r->diag;
}

struct fg_reader *fg_reader_open_memory(struct fg_str bytes, const char *name,
					struct fg_diag *diag)
{
	struct fg_reader *r = new_reader(diag);

	r->memory_copy = fg_xmalloc(bytes.len);
	if (bytes.len)
		memcpy(r->memory_copy, bytes.ptr, bytes.len);
	r->source.memory = fg_str_of(r->memory_copy, bytes.len);
	r->input = name;
	start_source(r);
	r->first = true;
	return r;
}

void fg_reader_set_block_size(struct fg_reader *r, size_t size)
{
	r->block_size = size;
}

void fg_reader_accept_raw(struct fg_reader *r, const struct fg_reader_raw *raw)
{
	r->raw = raw;
}

void fg_reader_accept_json(struct fg_reader *r)
{
	r->reads_json = true;
}

void fg_reader_refuse(struct fg_reader *r,
		      const char *(*judge)(struct fg_str first_bytes))
{
	r->judge = judge;
}

void fg_reader_accept_parts(struct fg_reader *r)
{
	r->in_parts = true;
}

void fg_reader_accept(struct fg_reader *r, const struct fg_reader_format *format)
{
	r->format = format;
}

void fg_reader_close(struct fg_reader *r)
{
	if (!r)
		return;
	if (r->source.fd > STDIN_FILENO)
		close(r->source.fd);
	if (r->format)
		r->format->close(r->state);
	fg_source_release(&r->source);
	fg_buf_release(&r->made);
	fg_buf_release(&r->buf);
	free(r->memory_copy);
	free(r);
}

static int failed(struct fg_reader *r, const char *what)
{
	struct fg_place at = { r->input, 0 };

	return fg_error(r->diag, &at, "%s: %s", what, strerror(errno));
}

/* Lets the writer of a pipe get further ahead; where that is refused, it is slower. */
static void widen_pipe(int fd)
{
#ifdef F_SETPIPE_SZ
	int size = fcntl(fd, F_GETPIPE_SZ);

	if (size >= 0 && size < PIPE_SIZE)
		fcntl(fd, F_SETPIPE_SZ, PIPE_SIZE);
#else
	(void)fd;
#endif
}

/* Whoever reads what is no text can know what kind of folder it is. */
static bool is_folder(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISDIR(st.st_mode);
}

/* Opens the next input: 1, 0 when there is none, -1. */
static int open_next(struct fg_reader *r)
{
	const char *name;

	if (r->next == r->count) {
		fg_buf_release(&r->buf); /* it may be as large as a line */
		r->start = r->len = 0;
		fg_progress_clear(r->diag->progress);
		return 0;
	}
	name = r->names[r->next++];
	r->input = fg_reader_input_name(name);
	start_source(r);
	r->first = true;
	if (is_standard_input(name)) {
		r->source.fd = STDIN_FILENO;
		widen_pipe(r->source.fd);
		return 1;
	}
	r->source.fd = fg_io_open(name);
	if (r->source.fd < 0)
		return failed(r, "cannot open");
	if (r->raw && is_folder(r->source.fd))
		return r->raw->read(r->raw->data, FG_STR(""), r->source.fd, r->input) ?
			       -1 :
			       1;
	widen_pipe(r->source.fd);
	return 1;
}

static void close_input(struct fg_reader *r)
{
	if (r->source.fd > STDIN_FILENO)
		close(r->source.fd);
	r->source.fd = -1;
	if (r->state)
		r->format->close(r->state);
	r->state = NULL;
	fg_source_release(&r->source);
}

/* The byte at `at` of those in the buffer. */
static char *byte_at(struct fg_reader *r, size_t at)
{
	return r->buf.ptr + FG_READER_PADDING + at;
}

/* Room for `size` bytes and the padding; those in the buffer stay. */
static void reserve(struct fg_reader *r, size_t size)
{
	if (r->buf.alloc && r->buf.alloc - 2 * FG_READER_PADDING >= size)
		return;
	r->buf.len = r->buf.ptr ? FG_READER_PADDING + r->len : 0;
	fg_buf_reserve(&r->buf, fg_size_add(size, 2 * FG_READER_PADDING) - r->buf.len);
	memset(r->buf.ptr, 0, FG_READER_PADDING);
}

static void make_room(struct fg_reader *r)
{
	size_t tail = r->len - r->start;

	if (tail && r->start)
		memmove(byte_at(r, 0), byte_at(r, r->start), tail);
	r->start = 0;
	r->len = tail;
	reserve(r, fg_size_add(tail, r->block_size));
}

/* Adds up to one block of bytes to the buffer: how many, 0 at the end, -1. */
static ssize_t fill(struct fg_reader *r)
{
	ssize_t got = fg_source_read(&r->source, byte_at(r, r->len), r->block_size);

	if (got > 0)
		r->len += (size_t)got;
	return got;
}

/* The same until the buffer has `size` bytes, or all. */
static ssize_t fill_up(struct fg_reader *r, size_t size)
{
	size_t before = r->len;
	ssize_t got = 1;

	while (got > 0 && r->len < size) {
		reserve(r, fg_size_add(r->len, r->block_size));
		got = fill(r);
	}
	return got < 0 ? -1 : (ssize_t)(r->len - before);
}

/* Binary data and the like are not cut into lines: 0, or -1 after reporting. */
static int refuse(struct fg_reader *r, struct fg_str first_bytes)
{
	const struct fg_place at = { r->input, 0 };
	const char *message = r->judge ? r->judge(first_bytes) : NULL;

	if (!message)
		message = fg_sniff_refused(first_bytes, r->reads_json);
	if (!message)
		return 0;
	return fg_error(r->diag, &at, "%s", message);
}

/* What an input is judged by: the same, however long the first block is. */
static struct fg_str judged_start(const struct fg_reader *r, struct fg_str block)
{
	struct fg_str start =
		fg_str_before(block, r->in_parts ? PARTS_START : JUDGED_START);

	if (r->in_parts || start.len == block.len)
		return start;
	return fg_str_before(start, fg_str_rfind_char(start, '\n'));
}

static int hand_out(struct fg_reader *r, size_t end, struct fg_block *block)
{
	block->bytes = fg_str_of(byte_at(r, r->start), end - r->start);
	if (r->first && refuse(r, judged_start(r, block->bytes)))
		return -1;
	block->input = r->input;
	block->first = r->first;
	block->made = false;
	r->first = false;
	r->start = end;
	return 1;
}

/* The next lines that the format makes of the input: 1, 0 at the end, -1. */
static int hand_out_made(struct fg_reader *r, struct fg_block *block)
{
	char padding[FG_READER_PADDING] = { 0 };
	int status;

	fg_buf_clear(&r->made);
	fg_buf_add(&r->made, padding, sizeof(padding));
	status = r->format->lines(r->state, &r->made);
	if (status <= 0)
		return status;
	block->bytes.len = r->made.len - sizeof(padding);
	memset(padding, '\n', sizeof(padding));
	fg_buf_add(&r->made, padding, sizeof(padding));
	block->bytes.ptr = r->made.ptr + sizeof(padding);
	block->input = r->input;
	block->first = r->first;
	block->made = true;
	r->first = false;
	return 1;
}

/* Gives the input, of which the buffer has the first bytes, to the format. */
static int give_all(struct fg_reader *r)
{
	ssize_t got;

	r->state = r->format->open(r->input, r->diag);
	do {
		struct fg_str bytes =
			fg_str_of(byte_at(r, r->start), r->len - r->start);

		if (r->format->feed(r->state, bytes))
			return -1;
		r->start = r->len;
		make_room(r);
		got = fill(r);
	} while (got > 0);
	return got < 0 ? -1 : 0;
}

static bool is_of_format(struct fg_reader *r)
{
	return r->format && r->first &&
	       r->format->starts(fg_str_of(byte_at(r, 0), r->len));
}

static bool is_raw(struct fg_reader *r)
{
	return r->raw && r->first && r->raw->starts(fg_str_of(byte_at(r, 0), r->len));
}

/* Has the caller read the input, of which the buffer has the first bytes: 0 or -1. */
static int give_raw(struct fg_reader *r)
{
	const struct fg_place at = { r->input, 0 };

	if (r->source.unpack)
		return fg_error(r->diag, &at,
				"this is compressed binary data: unpack it first");
	if (r->source.fd < 0 && fill_up(r, SIZE_MAX) < 0) /* in memory */
		return -1;
	r->start = r->len;
	return r->raw->read(r->raw->data, fg_str_of(byte_at(r, 0), r->len),
			    r->source.fd, r->input);
}

/* Reads bytes: how many are new, 0 at the end, -1. */
static ssize_t fill_block(struct fg_reader *r)
{
	if (!r->first || r->len || (!r->raw && !r->in_parts && !r->judge))
		return fill(r);
	return fill_up(r, r->judge    ? JUDGED_START :
			  r->in_parts ? PARTS_START :
					RAW_START);
}

/* Comments may be the head of a report, and brackets JSON, which what follows tells. */
static bool is_enough(struct fg_reader *r)
{
	struct fg_str bytes;

	if (!r->first || r->len >= JUDGED_START)
		return true;
	bytes = fg_str_trim_left(fg_str_of(byte_at(r, 0), r->len));
	return bytes.len && !strchr("#[{", bytes.ptr[0]);
}

/* The next block of the input that is open: 1, 0 at its end, -1. */
static int block_of_input(struct fg_reader *r, struct fg_block *block)
{
	while (!r->state) {
		struct fg_str fresh;
		size_t newline;
		ssize_t got;

		make_room(r);
		got = fill_block(r);
		if (got < 0)
			return -1;
		if (r->len && is_raw(r))
			return give_raw(r) ? -1 : 0;
		memset(byte_at(r, r->len), '\n', FG_READER_PADDING);
		if (r->len && is_of_format(r) && give_all(r))
			return -1;
		if (r->state)
			break;
		if (got == 0)
			return r->len ? hand_out(r, r->len, block) : 0;
		fresh = fg_str_of(byte_at(r, r->len - (size_t)got), (size_t)got);
		newline = fg_str_rfind_char(fresh, '\n');
		if (!is_enough(r))
			continue;
		if (r->in_parts)
			return hand_out(r, r->len, block);
		if (newline < fresh.len)
			return hand_out(r, r->len - fresh.len + newline + 1, block);
	}
	return hand_out_made(r, block);
}

int fg_reader_more(struct fg_reader *r, struct fg_block *block)
{
	return block_of_input(r, block);
}

int fg_reader_block(struct fg_reader *r, struct fg_block *block)
{
	for (;;) {
		int status;

		if (r->memory_copy)
			return block_of_input(r, block);
		if (r->source.fd < 0) {
			status = open_next(r);
			if (status <= 0)
				return status;
		}
		status = block_of_input(r, block);
		if (status != 0)
			return status;
		close_input(r);
	}
}

int fg_reader_peek(struct fg_reader *r, size_t size, struct fg_str *first_bytes)
{
	if (!r->memory_copy && open_next(r) < 0)
		return -1;
	make_room(r);
	if (fill_up(r, size) < 0)
		return -1;
	*first_bytes = fg_str_of(byte_at(r, 0), r->len);
	return 0;
}

int fg_reader_line(struct fg_reader *r, struct fg_str *line, struct fg_place *at)
{
	if (!r->lines.len) {
		struct fg_block block;
		int status = fg_reader_block(r, &block);

		if (status <= 0)
			return status;
		r->lines = block.bytes;
		r->at.input = block.input;
		if (block.first) {
			r->lines = fg_utf8_skip_mark(r->lines);
			r->at.line = 0;
		}
	}
	*line = fg_str_cut(&r->lines, '\n');
	r->at.line++;
	*at = r->at;
	return 1;
}
