/* The lines of one answer of addr2line's. */
#include "collapse/symbols/answer.h"

#include <string.h>

/* Whether a line repeats that address; a 32-bit DSO's has no more than 8 digits. */
static bool is_echo(struct fg_str line, uint64_t address)
{
	uint64_t value;

	return !fg_str_0x(line, &value) &&
	       value == (line.len <= 10 ? address & UINT32_MAX : address);
}

/* ';' parts frames, so neither a name nor a file may have one. */
static void add_part(struct fg_buf *b, struct fg_str s)
{
	size_t start = b->len;

	fg_buf_add_str(b, s);
	fg_buf_replace(b, start, ';', ':');
}

/* addr2line adds " (discriminator 3)" where one line has several blocks. */
static void add_location(struct fg_buf *b, struct fg_str location)
{
	struct fg_str mark = FG_STR(" (discriminator ");
	size_t at = fg_str_find(location, mark);
	size_t end = at + fg_str_find_char(fg_str_from_pos(location, at), ')');

	add_part(b, fg_str_before(location, at));
	if (end < location.len)
		add_part(b, fg_str_from_pos(location, end + 1));
}

/* Appends one function. */
static enum fg_reading read_function(struct fg_answer *a, struct fg_child *c,
				     struct fg_str name)
{
	size_t start = a->lines.len;
	bool unnamed = fg_str_ends(name, FG_STR("??"));
	struct fg_str location;
	enum fg_reading reading;
	uint64_t any;

	if (start)
		fg_buf_add_char(&a->lines, ';');
	add_part(&a->lines, name);
	reading = fg_child_line(c, &location);
	if (reading != READ_LINE)
		return reading;
	/* an address taken for a place would be waited for without end */
	if (!fg_str_0x(location, &any))
		return READ_END;
	if (fg_str_starts(location, FG_STR("??:0")) && (unnamed || a->guesses)) {
		a->unplaced = true;
		a->lines.len = start;
	} else if (a->context) {
		fg_buf_add_char(&a->lines, ':');
		add_location(&a->lines, location);
	}
	return READ_LINE;
}

/*
 * An answer is the address, then lines of functions and of their places by turns. Only
 * the next address shows that it has ended: the same one again, whose answer is the one
 * that counts, or the sentinel's, whose own answer the next call skips.
 */
enum fg_reading fg_answer_read(struct fg_answer *a, struct fg_child *c,
			       uint64_t address)
{
	bool again = false;
	struct fg_str line;
	uint64_t any;
	enum fg_reading reading;

	fg_buf_clear(&a->lines);
	a->unplaced = false;
	do
		reading = fg_child_line(c, &line);
	while (reading == READ_LINE && fg_str_0x(line, &any));
	if (reading != READ_LINE)
		return reading;
	if (!is_echo(line, address))
		return READ_END;
	for (;;) {
		reading = fg_child_line(c, &line);
		if (reading != READ_LINE)
			return reading;
		if (fg_str_0x(line, &any)) {
			reading = read_function(a, c, line);
			if (reading != READ_LINE)
				return reading;
		} else if (again) {
			return is_echo(line, FG_ANSWER_SENTINEL) ? READ_LINE : READ_END;
		} else if (is_echo(line, address)) {
			again = true;
			fg_buf_clear(&a->lines);
			a->unplaced = false;
		} else {
			return READ_END;
		}
	}
}

/* Whether the names of an answer say anything. */
static bool says_nothing(struct fg_str names)
{
	return fg_str_eq(names, FG_STR("??")) || fg_str_eq(names, FG_STR("??:??:0")) ||
	       fg_str_eq(names, FG_STR("??:??:?"));
}

/* A copy of the names in `lines`, turned round. */
static struct fg_str root_first(struct fg_arena *arena, struct fg_str lines)
{
	char *bytes = fg_arena_bytes(arena, lines.len);
	size_t at = lines.len;
	struct fg_str rest = lines;

	while (rest.len) {
		struct fg_str name = fg_str_cut(&rest, ';');

		at -= name.len;
		memcpy(bytes + at, name.ptr, name.len);
		if (at)
			bytes[--at] = ';';
	}
	return fg_str_of(bytes, lines.len);
}

struct fg_str fg_answer_names(const struct fg_answer *a, struct fg_arena *arena)
{
	struct fg_str lines = fg_buf_str(&a->lines);

	return says_nothing(lines) ? fg_str_of(NULL, 0) : root_first(arena, lines);
}
