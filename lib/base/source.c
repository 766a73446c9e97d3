/* Reads the bytes of one input, and unpacks them if they are compressed. */
#include "lib/base/source.h"

#include <errno.h>
#include <string.h>

#include "lib/base/io.h"
#include "lib/base/progress.h"
#include "lib/base/unpack.h"
#include "lib/base/xalloc.h"

/* Bytes of a compressed input that are read at a time. */
#define RAW_SIZE ((size_t)128 * 1024)

/* We check the memory each time this many more bytes were unpacked. */
#define CHECKED ((uint64_t)4 << 20)

static int failed(struct fg_source *s)
{
	const struct fg_place at = { s->input, 0 };

	return fg_error(s->diag, &at, "cannot read: %s", strerror(errno));
}

/* Reads bytes of the input as they are. Returns how many, 0 at the end, or -1. */
static ssize_t read_raw(struct fg_source *s, char *to, size_t max)
{
	ssize_t got;

	if (s->fd < 0) {
		size_t n = s->memory.len < max ? s->memory.len : max;

		memcpy(to, s->memory.ptr, n);
		s->memory = fg_str_from_pos(s->memory, n);
		return (ssize_t)n;
	}
	if (s->ended)
		return 0;
	got = fg_io_read(s->fd, to, max);
	if (got < 0)
		return failed(s);
	s->ended = got == 0;
	fg_progress_add_bytes(s->diag->progress, (uint64_t)got);
	return got;
}

static int damaged(struct fg_source *s, const char *how)
{
	const struct fg_place at = { s->input, 0 };

	return fg_error(s->diag, &at, "the %s data are %s", fg_unpack_name(s->unpack),
			how);
}

/*
 * Handles data that are cut short. Warns and returns 0 if there is a limit (s->max);
 * else reports an error and returns -1.
 */
static int cut_short(struct fg_source *s)
{
	const struct fg_place at = { s->input, 0 };

	if (!s->max)
		return damaged(s, "cut short");
	if (!s->cut)
		fg_warn(s->diag, &at, "the %s data are cut short",
			fg_unpack_name(s->unpack));
	s->cut = true;
	return 0;
}

/* Warns that the data unpack to more than is allowed. Returns 0. */
static int too_large(struct fg_source *s)
{
	const struct fg_place at = { s->input, 0 };

	if (!s->cut)
		fg_warn(s->diag, &at,
			"the %s data unpack to more than --max-size allows",
			fg_unpack_name(s->unpack));
	s->cut = true;
	return 0;
}

/*
 * Fails if a small compressed file has made the program use too much memory, either by
 * an endless line or by filling our tables. Checks once every CHECKED bytes.
 */
static int check_memory(struct fg_source *s)
{
	const struct fg_place at = { s->input, 0 };
	size_t held, grown;

	if (s->made < s->next_check)
		return 0;
	s->next_check = s->made + CHECKED;
	held = fg_xalloc_held();
	grown = held > s->held ? held - s->held : 0;
	/* Doubling is allowed, because tables that earlier inputs filled may double. */
	if (grown <= FG_SOURCE_HELD || grown <= s->held ||
	    grown / FG_SOURCE_HELD_TIMES <= s->packed)
		return 0;
	return fg_error(s->diag, &at,
			"the %s data are small but take more than %d times their size "
			"in memory: if that is intended, unpack them first",
			fg_unpack_name(s->unpack), FG_SOURCE_HELD_TIMES);
}

/* Reads and unpacks bytes. Returns how many, 0 at the end, or -1. */
static ssize_t read_packed(struct fg_source *s, char *to, size_t max)
{
	for (;;) {
		ssize_t got = (ssize_t)s->rest.len;
		ptrdiff_t made;

		if (!got) {
			if (!s->keeps_raw)
				fg_buf_clear(&s->raw);
			fg_buf_reserve(&s->raw, RAW_SIZE);
			got = read_raw(s, s->raw.ptr + s->raw.len, RAW_SIZE);
			if (got < 0)
				return -1;
			s->rest = fg_str_of(s->raw.ptr + s->raw.len, (size_t)got);
			s->raw.len += (size_t)got;
			s->packed += (uint64_t)got;
		}
		made = fg_unpack_some(s->unpack, &s->rest, to, max);
		if (made < 0)
			return damaged(s, "damaged");
		s->made += (uint64_t)made;
		if (s->max && s->made > s->max)
			return too_large(s);
		if (check_memory(s))
			return -1;
		if (made > 0)
			return made;
		if (!got)
			return fg_unpack_is_whole(s->unpack) ? 0 : cut_short(s);
	}
}

static ssize_t read_text(struct fg_source *s, char *to, size_t max);

/* Reads the first bytes of an input, and finds out if it is compressed. */
static ssize_t read_first(struct fg_source *s, char *to, size_t max)
{
	char few[FG_UNPACK_MAGIC];
	bool is_few = max < sizeof(few);
	struct fg_str first = { is_few ? few : to, 0 };
	size_t room = is_few ? sizeof(few) : max;
	ssize_t got;

	do {
		got = read_raw(s, (is_few ? few : to) + first.len, room - first.len);
		if (got < 0)
			return -1;
		first.len += (size_t)got;
	} while (got && first.len < sizeof(few));
	s->looked = true;
	s->unpack = fg_unpack_new(first);
	if (!s->unpack && !is_few)
		return (ssize_t)first.len;
	fg_buf_clear(&s->raw);
	fg_buf_add_str(&s->raw, first);
	s->packed = first.len;
	s->held = fg_xalloc_held();
	s->rest = fg_buf_str(&s->raw);
	return read_text(s, to, max);
}

/*
 * Reads as many bytes as are there now, and unpacks them if they are compressed.
 * Returns how many, 0 at the end, or -1.
 */
static ssize_t read_text(struct fg_source *s, char *to, size_t max)
{
	size_t n = s->rest.len < max ? s->rest.len : max;

	if (!s->looked)
		return read_first(s, to, max);
	if (s->unpack)
		return read_packed(s, to, max);
	if (!n)
		return read_raw(s, to, max);
	memcpy(to, s->rest.ptr, n);
	s->rest = fg_str_from_pos(s->rest, n);
	return (ssize_t)n;
}

ssize_t fg_source_read(struct fg_source *s, char *to, size_t max)
{
	size_t n = s->ahead.len - s->taken;

	s->keeps_raw = false;
	if (!n)
		return read_text(s, to, max);
	if (n > max)
		n = max;
	memcpy(to, s->ahead.ptr + s->taken, n);
	s->taken += n;
	return (ssize_t)n;
}

ssize_t fg_source_look(struct fg_source *s, size_t size, size_t max)
{
	struct fg_buf *b = &s->ahead;
	ssize_t got;

	if (b->len >= size)
		return 0;
	s->keeps_raw = size <= FG_SOURCE_START;
	if (max > size - b->len)
		max = size - b->len;
	fg_buf_reserve(b, max);
	got = read_text(s, b->ptr + b->len, max);
	b->len += got > 0 ? (size_t)got : 0;
	s->all_ahead = got == 0;
	return got;
}

void fg_source_take_ahead(struct fg_source *s)
{
	s->taken = s->ahead.len;
}

void fg_source_leave_packed(struct fg_source *s)
{
	if (!s->unpack || !s->keeps_raw)
		return;
	fg_unpack_free(s->unpack);
	s->unpack = NULL;
	s->rest = fg_buf_str(&s->raw);
	fg_buf_clear(&s->ahead);
	s->all_ahead = false;
}

void fg_source_release(struct fg_source *s)
{
	fg_unpack_free(s->unpack);
	fg_buf_release(&s->raw);
	fg_buf_release(&s->ahead);
	s->unpack = NULL;
	s->rest.len = 0;
	s->taken = 0;
	s->all_ahead = false;
	s->looked = s->keeps_raw = false;
	s->ended = false;
	s->made = s->packed = s->next_check = 0;
}
