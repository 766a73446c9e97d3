/* Reads files, standard input or memory in big blocks of whole lines. */
#include "lib/base/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/encoding.h"
#include "lib/base/inputs.h"
#include "lib/base/io.h"
#include "lib/base/progress.h"
#include "lib/base/source.h"
#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"

/*
 * We wait for this many bytes before we decide what kind of input it is, even if a pipe
 * brings few bytes at a time.
 */
#define JUDGED_START ((size_t)8192)

/* Bytes read at a time. */
#define BLOCK_SIZE ((size_t)128 * 1024)

struct fg_reader {
	struct fg_diag *diag;
	const char *const *names;
	size_t count;
	size_t next; /* index of the name to open next */
	const char *input;
	struct fg_source source; /* the bytes of `input` */
	bool first; /* the next block starts the input */
	bool looked; /* look() has been called for this input */
	/* the start of the input, by which we decided what it is */
	struct fg_str judged;
	size_t judged_size; /* the most bytes of that start */
	bool in_parts; /* blocks may end anywhere, not only after a line */
	bool ends_lines; /* warn if the last line has no line feed */

	struct fg_buf buf; /* padding, then bytes of the input, then padding */
	size_t start; /* offset; the bytes before it have been handed out */
	size_t len; /* bytes in the buffer */
	size_t block_size;

	struct fg_reader_checks checks;
	const struct fg_reader_raw *raw; /* or NULL */
	const struct fg_reader_format *formats[FG_READER_FORMATS_MAX];
	size_t format_count;
	size_t inputs_of[FG_READER_FORMATS_MAX]; /* number of inputs of each format */
	const struct fg_reader_format *format; /* the input's format, or NULL */
	void *state; /* the state of `format`, or NULL */
	struct fg_buf made; /* lines that `format` made, with padding like `buf` */

	char *memory_copy; /* the input, if it is memory; else NULL */

	/*
	 * For fg_reader_line(): the lines of the block that are left, and the place of
	 * the line returned last.
	 */
	struct fg_str lines;
	struct fg_place at;
};

/* The default check: refuses input that is not text. */
static bool refuses_no_text(const void *data, struct fg_str first_bytes,
			    struct fg_buf *why)
{
	const char *message = fg_encoding_utf_16(first_bytes);

	(void)data;
	if (!message && fg_encoding_is_binary(first_bytes))
		message = "this is binary data, not text";
	if (message)
		fg_buf_addf(why, "%s", message);
	return message;
}

static struct fg_reader *new_reader(struct fg_diag *diag)
{
	struct fg_reader *r = fg_xcalloc(1, sizeof(*r));

	r->checks.refuses = refuses_no_text;
	r->diag = diag;
	r->source.fd = -1;
	r->block_size = BLOCK_SIZE;
	r->judged_size = JUDGED_START;
	return r;
}

struct fg_reader *fg_reader_open(const char *const *names, size_t count,
				 struct fg_diag *diag)
{
	struct fg_reader *r = new_reader(diag);

	r->names = fg_inputs(names, &count);
	r->count = count;
	return r;
}

static void start_source(struct fg_reader *r)
{
	r->source.input = r->input;
	r->source.diag = r->diag;
	r->first = true;
	r->looked = false;
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

void fg_reader_check(struct fg_reader *r, const struct fg_reader_checks *checks)
{
	r->checks = *checks;
}

void fg_reader_accept_cut(struct fg_reader *r, uint64_t max)
{
	r->source.max = max;
}

bool fg_reader_was_cut(const struct fg_reader *r)
{
	return r->source.cut;
}

void fg_reader_judge_by(struct fg_reader *r, size_t size)
{
	r->judged_size = size;
}

void fg_reader_accept_parts(struct fg_reader *r)
{
	r->in_parts = true;
}

void fg_reader_expect_last_newline(struct fg_reader *r)
{
	r->ends_lines = true;
}

void fg_reader_accept(struct fg_reader *r, const struct fg_reader_format *format)
{
	if (r->format_count < FG_READER_FORMATS_MAX)
		r->formats[r->format_count++] = format;
}

size_t fg_reader_inputs_of(const struct fg_reader *r,
			   const struct fg_reader_format *format)
{
	for (size_t i = 0; i < r->format_count; i++)
		if (r->formats[i] == format)
			return r->inputs_of[i];
	return 0;
}

static void close_file(void *data)
{
	struct fg_reader *r = data;

	fg_let_go(r);
	if (r->source.fd > STDIN_FILENO)
		close(r->source.fd);
	r->source.fd = -1;
}

void fg_reader_close(struct fg_reader *r)
{
	if (!r)
		return;
	close_file(r);
	if (r->state)
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

/* Opens the next input. Returns 1, 0 after the last one, or -1 after reporting. */
static int open_next(struct fg_reader *r)
{
	const char *name;

	if (r->next == r->count) {
		/* gives memory back that a long line may have needed */
		fg_buf_release(&r->buf);
		r->start = r->len = 0;
		fg_progress_clear(r->diag->progress);
		return 0;
	}
	name = r->names[r->next++];
	r->input = fg_input_name(name);
	start_source(r);
	if (fg_is_standard_input(name)) {
		r->source.fd = STDIN_FILENO;
		fg_io_widen_pipe(r->source.fd);
		return 1;
	}
	r->source.fd = fg_io_open(name);
	if (r->source.fd < 0)
		return failed(r, "cannot open");
	fg_hold(close_file, r);
	if (r->raw &&
	    fg_io_is_folder(r->source.fd)) /* the raw reader may accept a folder */
		return r->raw->read(r->raw->data, FG_STR(""), r->source.fd, r->input) ?
			       -1 :
			       1;
	fg_io_widen_pipe(r->source.fd);
	return 1;
}

static void close_input(struct fg_reader *r)
{
	close_file(r);
	if (r->state)
		r->format->close(r->state);
	r->state = NULL;
	fg_source_release(&r->source);
}

/* Returns the address of byte `at` in the buffer, not counting the padding. */
static char *byte_at(struct fg_reader *r, size_t at)
{
	return r->buf.ptr + FG_READER_PADDING + at;
}

/* Grows the buffer to `size` bytes and the padding. The bytes in it stay. */
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

/* Adds up to one block to the buffer. Returns how many bytes, 0 at the end, or -1. */
static ssize_t fill(struct fg_reader *r)
{
	ssize_t got = fg_source_read(&r->source, byte_at(r, r->len), r->block_size);

	if (got > 0)
		r->len += (size_t)got;
	return got;
}

/* Returns the bytes from the start of the input that have been read ahead so far. */
static struct fg_str ahead_of(const struct fg_reader *r)
{
	return fg_buf_str(&r->source.ahead);
}

/*
 * Reads the first `size` bytes of the input ahead, or all. Returns 0, or -1 after
 * reporting.
 */
static int look_at(struct fg_reader *r, size_t size)
{
	ssize_t got;

	do
		got = fg_source_look(&r->source, size, r->block_size);
	while (got > 0);
	return got < 0 ? -1 : 0;
}

/*
 * Returns the first bytes, to be passed to the checks: whole lines, unless they are the
 * whole input or the input may be binary. They do not depend on the length of the first
 * block.
 */
static struct fg_str judged_start(const struct fg_reader *r)
{
	struct fg_str ahead = ahead_of(r), start = fg_str_before(ahead, r->judged_size);

	if (r->checks.is_binary || (r->source.all_ahead && start.len == ahead.len))
		return start;
	return fg_str_before(start, fg_str_rfind_char(start, '\n'));
}

/*
 * Returns the lines up to the first empty line (such as the one after a stack) if
 * checks.expects() accepts them; else an empty string. Calls the check only once, so
 * that the answer does not depend on how much a pipe gives at a time. Set *searched to
 * 0 before the first call. It holds the offset at which the search for an empty line
 * goes on in the next call, or SIZE_MAX once the check was called.
 */
static struct fg_str expected_start(const struct fg_reader *r, size_t *searched)
{
	const struct fg_str none = fg_str_of(NULL, 0);
	struct fg_str bytes = ahead_of(r), start;
	size_t end;

	if (*searched == SIZE_MAX)
		return none;
	end = *searched +
	      fg_str_find(fg_str_from_pos(bytes, *searched), FG_STR("\n\n"));
	if (end == bytes.len) {
		*searched = end ? end - 1 : 0;
		return none;
	}
	*searched = SIZE_MAX;
	start = fg_str_before(bytes, end + 1);
	return r->checks.expects && r->checks.expects(r->checks.data, start) ? start :
									       none;
}

/* Returns 0, or -1 after reporting why the input must not be read. */
static int check_start(const struct fg_reader *r)
{
	const struct fg_place at = { r->input, 0 };
	struct fg_buf why = FG_BUF_INIT;
	int status = 0;

	if (r->checks.refuses(r->checks.data, r->judged, &why))
		status = fg_error(r->diag, &at, "%s", fg_buf_cstr(&why));
	fg_buf_release(&why);
	return status;
}

/* Returns the format that converts an input with these first bytes, or NULL. */
static const struct fg_reader_format *find_format(const struct fg_reader *r,
						  struct fg_str first_bytes)
{
	for (size_t i = 0; first_bytes.len && i < r->format_count; i++)
		if (r->formats[i]->starts(first_bytes))
			return r->formats[i];
	return NULL;
}

static int hand_out(struct fg_reader *r, size_t end, struct fg_block *block)
{
	block->bytes = fg_str_of(byte_at(r, r->start), end - r->start);
	block->start = r->judged;
	block->input = r->input;
	block->first = r->first;
	block->made = false;
	r->first = false;
	r->start = end;
	return 1;
}

/* Hands out the rest of the input. */
static int hand_out_last(struct fg_reader *r, struct fg_block *block)
{
	const struct fg_place at = { r->input, 0 };

	if (r->ends_lines && *byte_at(r, r->len - 1) != '\n')
		fg_warn(r->diag, &at,
			"the last line has no newline: the input may be cut short");
	return hand_out(r, r->len, block);
}

/* Hands out the next lines that the format makes. Returns 1, 0 at the end, or -1. */
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
	block->start = fg_str_of(NULL, 0);
	block->input = r->input;
	block->first = r->first;
	block->made = true;
	r->first = false;
	return 1;
}

/* Feeds the whole input to the format. Returns 0, or -1 after reporting. */
static int give_all(struct fg_reader *r)
{
	ssize_t got;

	r->state = r->format->open(r->input, r->diag);
	if (r->format->takes_packed)
		fg_source_leave_packed(&r->source);
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

/* Has the raw reader read the input. Returns 0, or -1 after reporting. */
static int give_raw(struct fg_reader *r)
{
	/*
	 * A compressed input is unpacked first, and passed in memory, without a
	 * descriptor.
	 */
	int fd = r->source.unpack ? -1 : r->source.fd;

	if (fd < 0 && look_at(r, SIZE_MAX))
		return -1;
	fg_source_take_ahead(&r->source);
	return r->raw->read(r->raw->data, ahead_of(r), fd, r->input);
}

/*
 * Finds out what kind of input it is. Returns 1 if it has blocks to hand out, 0 if a
 * raw reader has read it, or -1 after reporting.
 */
static int look(struct fg_reader *r)
{
	struct fg_str bytes, known;
	size_t searched = 0;
	ssize_t got;

	r->looked = true;
	do {
		got = fg_source_look(&r->source, r->judged_size, r->block_size);
		bytes = ahead_of(r);
		known = expected_start(r, &searched);
	} while (got > 0 && !known.len);
	if (got < 0)
		return -1;
	if (r->raw && bytes.len && r->raw->starts(bytes))
		return give_raw(r) ? -1 : 0;
	r->format = find_format(r, bytes);
	for (size_t i = 0; i < r->format_count; i++)
		r->inputs_of[i] += r->formats[i] == r->format;
	if (r->format)
		return give_all(r) ? -1 : 1;
	r->judged = known.len ? known : judged_start(r);
	if (!bytes.len || known.len)
		return 1;
	return check_start(r) ? -1 : 1;
}

/* Hands out the next block of the open input. Returns 1, 0 at its end, or -1. */
static int block_of_input(struct fg_reader *r, struct fg_block *block)
{
	int status = 1;

	if (!r->looked) {
		make_room(r);
		status = look(r);
	}
	if (status <= 0)
		return status;
	while (!r->state) {
		struct fg_str fresh;
		size_t newline;
		ssize_t got;

		make_room(r);
		got = fill(r);
		if (got < 0)
			return -1;
		memset(byte_at(r, r->len), '\n', FG_READER_PADDING);
		if (got == 0)
			return r->len ? hand_out_last(r, block) : 0;
		if (r->in_parts)
			return hand_out(r, r->len, block);
		fresh = fg_str_of(byte_at(r, r->len - (size_t)got), (size_t)got);
		newline = fg_str_rfind_char(fresh, '\n');
		if (newline < fresh.len)
			return hand_out(r, r->len - fresh.len + newline + 1, block);
	}
	return hand_out_made(r, block);
}

int fg_reader_more(struct fg_reader *r, struct fg_block *block)
{
	return block_of_input(r, block);
}

int fg_reader_rest(struct fg_reader *r, const struct fg_block *start,
		   struct fg_buf *all)
{
	struct fg_block block = *start;
	int status;

	fg_buf_clear(all);
	do {
		fg_buf_add_str(all, block.bytes);
		status = fg_reader_more(r, &block);
	} while (status > 0);
	return status;
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
	if (look_at(r, size))
		return -1;
	*first_bytes = ahead_of(r);
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
		if (block.first)
			r->at.line = 0;
	}
	*line = fg_utf8_skip_mark(fg_str_cut(&r->lines, '\n'));
	r->at.line++;
	*at = r->at;
	return 1;
}
