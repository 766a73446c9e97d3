/*
 * A part of an input that moves forward, for what is read in pieces of any length. Its
 * bytes are in one place, whatever blocks they came in; hardly any of them are copied.
 */
#ifndef FG_LIB_BASE_WINDOW_H
#define FG_LIB_BASE_WINDOW_H

#include "lib/base/buf.h"
#include "lib/base/reader.h"

struct fg_window {
	struct fg_str bytes; /* to be read; valid until there are more */
	bool failed; /* the input could not be read, which was reported */

	/* private */
	struct fg_reader *reader;
	struct fg_str rest; /* of the block, behind the window */
	size_t again; /* bytes at the end of the window that are in the block, too */
	struct fg_buf held; /* what the window is of, if not of the block */
	uint64_t line; /* on which `counted` is */
	const char *counted; /* in the window or before it */
};

/* The window is empty, and before `start`, which the reader gave. Both are borrowed. */
void fg_window_init(struct fg_window *w, struct fg_reader *reader, struct fg_str start);
void fg_window_release(struct fg_window *w);

/*
 * Adds bytes at the end: where the window is long, as many as it has, so that what is
 * searched for again and again takes linear time. False at the end of the input.
 */
bool fg_window_more(struct fg_window *w);

/* Cuts bytes off the start. */
static inline void fg_window_skip(struct fg_window *w, size_t len)
{
	w->bytes = fg_str_from_pos(w->bytes, len);
}

static inline const char *fg_window_end(const struct fg_window *w)
{
	return w->bytes.ptr + w->bytes.len;
}

/*
 * The number of the line that a byte is on, which was in the window since there were
 * more, and behind the one that was asked for before.
 */
uint64_t fg_window_line(struct fg_window *w, const char *at);

#endif
