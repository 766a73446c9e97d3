/* A part of an input that moves forward. */
#include "lib/base/window.h"

#include <string.h>

/* How much of a block is copied at least for a piece that starts in the one before. */
#define COPIED_MIN 4096

static void move(struct fg_window *w, struct fg_str to)
{
	w->bytes = to;
	w->counted = to.ptr;
}

void fg_window_init(struct fg_window *w, struct fg_reader *reader, struct fg_str start)
{
	memset(w, 0, sizeof(*w));
	w->reader = reader;
	w->rest = start;
	w->line = 1;
	move(w, fg_str_before(start, 0));
}

void fg_window_release(struct fg_window *w)
{
	fg_buf_release(&w->held);
}

/* The next block, whose bytes are the rest: false at the end. */
static bool next_block(struct fg_window *w)
{
	struct fg_block block;
	int status = 1;

	while (!w->rest.len && !w->failed) {
		status = fg_reader_more(w->reader, &block);
		if (status <= 0)
			break;
		w->rest = block.bytes;
	}
	w->failed |= status < 0;
	w->again = 0;
	return w->rest.len > 0;
}

/* What is left of the window is copied, and bytes behind it. */
static bool copy_more(struct fg_window *w)
{
	size_t before = w->bytes.len, size = before > COPIED_MIN ? before : COPIED_MIN;
	struct fg_buf *held = &w->held;

	held->len = 0;
	fg_buf_reserve(held, before); /* where the window is of it, there is room */
	if (before)
		memmove(held->ptr, w->bytes.ptr, before);
	held->len = before;
	while (held->len - before < size && (w->rest.len || next_block(w))) {
		struct fg_str part = fg_str_before(w->rest, before + size - held->len);

		fg_buf_add_str(held, part);
		w->rest = fg_str_from_pos(w->rest, part.len);
		w->again += part.len;
	}
	move(w, held->len ? fg_buf_str(held) : FG_STR(""));
	return held->len > before;
}

bool fg_window_more(struct fg_window *w)
{
	size_t before = w->bytes.len;

	fg_window_line(w, w->bytes.ptr);
	if (!w->rest.len || before > w->again)
		return copy_more(w);
	move(w, fg_str_of(w->rest.ptr - before, before + w->rest.len));
	w->rest = FG_STR("");
	return true;
}

uint64_t fg_window_line(struct fg_window *w, const char *at)
{
	const char *hit;

	while (w->counted < at &&
	       (hit = memchr(w->counted, '\n', (size_t)(at - w->counted)))) {
		w->counted = hit + 1;
		w->line++;
	}
	w->counted = at;
	return w->line;
}
