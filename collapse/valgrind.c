/* Reads frames of valgrind's massif and DHAT. */
#include "collapse/valgrind.h"

#include "collapse/sink_internal.h"

/* Returns `text` without "0x10A3F5: " at its start. */
static struct fg_str without_address(struct fg_str text)
{
	struct fg_str rest = text;

	if (!fg_str_cut_start(&rest, FG_STR("0x")))
		return text;
	rest = fg_str_from_pos(rest, fg_str_span(rest, fg_is_hex));
	return fg_str_cut_start(&rest, FG_STR(": ")) ? rest : text;
}

/*
 * Splits "main (quarry.c:50)". Names have parentheses too, so the place is the last
 * pair of parentheses, and must be at the end. Returns false if there is no place.
 */
static bool cut_place(struct fg_str *name, struct fg_str *place)
{
	struct fg_str rest = *name;
	size_t at;

	if (!fg_str_cut_end(&rest, FG_STR(")")))
		return false;
	at = fg_str_rfind_char(rest, '(');
	if (at == rest.len || !at || rest.ptr[at - 1] != ' ')
		return false;
	*place = fg_str_from_pos(rest, at + 1);
	if (fg_str_has_char(*place, ')'))
		return false;
	*name = fg_str_before(rest, at - 1);
	return true;
}

/* Cuts ":50" off "quarry.c:50", and returns 50. Returns 0 if there is no number. */
static uint64_t cut_number(struct fg_str *place)
{
	size_t colon = fg_str_rfind_char(*place, ':');
	uint64_t number;

	if (fg_str_u64(fg_str_from_pos(*place, colon + 1), &number))
		return 0;
	*place = fg_str_before(*place, colon);
	return number;
}

/* Cuts the line off a place, and returns it. In "main.rs:95:9", 9 is a column. */
static uint64_t cut_line(struct fg_str *place)
{
	uint64_t last = cut_number(place), line = cut_number(place);

	return line ? line : last;
}

static uint32_t module_frame(struct fg_sink *s, struct fg_str path)
{
	struct fg_buf text = FG_BUF_INIT;
	uint32_t frame;

	fg_buf_add_char(&text, '[');
	fg_buf_add_str(&text, fg_str_basename(path));
	fg_buf_add_char(&text, ']');
	frame = fg_sink_name(s, fg_buf_str(&text));
	fg_buf_release(&text);
	return frame;
}

uint32_t fg_valgrind_frame(struct fg_sink *s, struct fg_str text)
{
	struct fg_str name = without_address(text), place = FG_STR("");
	uint64_t line;
	bool in_object =
		cut_place(&name, &place) && fg_str_cut_start(&place, FG_STR("in "));

	if (!fg_str_eq(name, FG_STR("???"))) {
		if (in_object)
			place = FG_STR("");
		line = s->samples->lines ? cut_line(&place) : 0;
		return fg_sink_name_at(s, name, place, line);
	}
	return in_object ? module_frame(s, place) : fg_sink_name(s, FG_STR(""));
}
