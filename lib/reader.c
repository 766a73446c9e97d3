/* Input in big blocks of whole lines, from files, standard input or memory. */
#include "lib/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/progress.h"
#include "lib/xalloc.h"

#define BLOCK_SIZE ((size_t)256 * 1024)

struct fg_reader {
	struct fg_diag *diag;
	const char *const *names;
	size_t count;
	size_t next; /* the input to open after this one */
	const char *input;
	int fd; /* -1: none is open */
	bool first; /* the next block starts the input */

	char *buf; /* padding, then `alloc` bytes, then padding */
	size_t alloc;
	size_t start; /* bytes handed out end here, the kept tail starts */
	size_t len; /* bytes in the buffer */
	size_t block_size;

	struct fg_str memory; /* what is left of an input in memory */
	char *memory_copy;

	struct fg_str lines; /* what is left of the block, for fg_reader_line */
	struct fg_place at;
};

static const char *const standard_input[] = { "-" };

static struct fg_reader *new_reader(struct fg_diag *diag)
{
	struct fg_reader *r = fg_xcalloc(1, sizeof(*r));

	r->diag = diag;
	r->fd = -1;
	r->block_size = BLOCK_SIZE;
	return r;
}

struct fg_reader *fg_reader_open(const char *const *names, size_t count,
				 struct fg_diag *diag)
{
	struct fg_reader *r = new_reader(diag);

	r->names = count ? names : standard_input;
	r->count = count ? count : 1;
	return r;
}

struct fg_reader *fg_reader_open_memory(struct fg_str bytes, const char *name,
					struct fg_diag *diag)
{
	struct fg_reader *r = new_reader(diag);

	r->memory_copy = fg_xmalloc(bytes.len);
	if (bytes.len)
		memcpy(r->memory_copy, bytes.ptr, bytes.len);
	r->memory = fg_str_of(r->memory_copy, bytes.len);
	r->input = name;
	r->first = true;
	return r;
}

void fg_reader_set_block_size(struct fg_reader *r, size_t size)
{
	r->block_size = size;
}

void fg_reader_close(struct fg_reader *r)
{
	if (!r)
		return;
	if (r->fd > STDIN_FILENO)
		close(r->fd);
	free(r->buf);
	free(r->memory_copy);
	free(r);
}

static int failed(struct fg_reader *r, const char *what)
{
	struct fg_place at = { r->input, 0 };

	fg_error(r->diag, &at, "%s: %s", what, strerror(errno));
	return -1;
}

/* A standard stream that was closed must not be taken for a file of ours. */
static int move_up(int fd)
{
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	close(fd);
	return moved;
}

/* Opens the next input: 1, 0 when there is none, -1. */
static int open_next(struct fg_reader *r)
{
	const char *name;

	if (r->next == r->count) {
		fg_progress_clear(r->diag->progress);
		return 0;
	}
	name = r->names[r->next++];
	r->first = true;
	if (!strcmp(name, "-")) {
		r->input = "(standard input)";
		r->fd = STDIN_FILENO;
		return 1;
	}
	r->input = name;
	do
		r->fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	while (r->fd < 0 && errno == EINTR);
	if (r->fd >= 0 && r->fd <= STDERR_FILENO)
		r->fd = move_up(r->fd);
	return r->fd < 0 ? failed(r, "cannot open") : 1;
}

static void close_input(struct fg_reader *r)
{
	if (r->fd > STDIN_FILENO)
		close(r->fd);
	r->fd = -1;
}

static void make_room(struct fg_reader *r)
{
	size_t tail = r->len - r->start;
	size_t need = fg_size_add(tail, r->block_size);

	if (tail && r->start)
		memmove(r->buf + FG_READER_PADDING,
			r->buf + FG_READER_PADDING + r->start, tail);
	r->start = 0;
	r->len = tail;
	if (need > r->alloc) {
		r->alloc = fg_grown(r->alloc, need);
		r->buf = fg_xrealloc(r->buf,
				     fg_size_add(r->alloc, 2 * FG_READER_PADDING), 1);
		memset(r->buf, 0, FG_READER_PADDING);
	}
}

/* Adds up to one block of bytes to the buffer: how many, 0 at the end, -1. */
static ssize_t fill(struct fg_reader *r)
{
	char *to = r->buf + FG_READER_PADDING + r->len;
	ssize_t got;

	if (r->memory_copy) {
		size_t n =
			r->memory.len < r->block_size ? r->memory.len : r->block_size;

		memcpy(to, r->memory.ptr, n);
		r->memory = fg_str_from_pos(r->memory, n);
		r->len += n;
		return (ssize_t)n;
	}
	do
		got = read(r->fd, to, r->block_size);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return failed(r, "cannot read");
	r->len += (size_t)got;
	fg_progress_add_bytes(r->diag->progress, (uint64_t)got);
	return got;
}

static int hand_out(struct fg_reader *r, size_t end, struct fg_block *block)
{
	block->bytes = fg_str_of(r->buf + FG_READER_PADDING + r->start, end - r->start);
	block->input = r->input;
	block->first = r->first;
	r->first = false;
	r->start = end;
	return 1;
}

/* The next block of the input that is open: 1, 0 at its end, -1. */
static int block_of_input(struct fg_reader *r, struct fg_block *block)
{
	for (;;) {
		struct fg_str fresh;
		size_t newline;
		ssize_t got;

		make_room(r);
		fresh.ptr = r->buf + FG_READER_PADDING + r->len;
		got = fill(r);
		if (got < 0)
			return -1;
		memset(r->buf + FG_READER_PADDING + r->len, '\n', FG_READER_PADDING);
		if (got == 0)
			return r->len ? hand_out(r, r->len, block) : 0;
		fresh.len = (size_t)got;
		newline = fg_str_rfind_char(fresh, '\n');
		if (newline < fresh.len)
			return hand_out(r, r->len - fresh.len + newline + 1, block);
	}
}

int fg_reader_block(struct fg_reader *r, struct fg_block *block)
{
	for (;;) {
		int status;

		if (r->memory_copy)
			return block_of_input(r, block);
		if (r->fd < 0) {
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
	*line = fg_str_cut(&r->lines, '\n');
	r->at.line++;
	*at = r->at;
	return 1;
}
