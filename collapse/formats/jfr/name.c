/*
 * Makes the name of a frame, like "java.util.Map.put", from a method.
 *
 * async-profiler writes native functions, too, as methods of a class that stands for
 * their library. It marks them by the type of frame or by the descriptor "()L;", and we
 * leave out the class. Generated classes have a number or an address in their name,
 * which differs from run to run, so we leave that out, too:
 *
 *     App$$Lambda$14+0x0000000800c03000    App$$Lambda
 */
#include "collapse/formats/jfr/name.h"

#include <inttypes.h>

#include "collapse/names.h"
#include "lib/profile/line.h"

/* Returns true for "0x0000000800c03000" and "0x0000000800c03000/12345". */
static bool is_address(struct fg_str s)
{
	size_t digits;

	if (!fg_str_cut_start(&s, FG_STR("0x")))
		return false;
	digits = fg_str_span(s, fg_is_lower_hex);
	if (!digits)
		return false;
	s = fg_str_from_pos(s, digits);
	return !s.len ||
	       (fg_str_cut_start(&s, FG_STR("/")) && fg_str_all(s, fg_is_digit));
}

/* Returns the part of a class that is the same in all runs. */
static struct fg_str stable_part(struct fg_str class)
{
	struct fg_str rest;
	size_t digits;

	for (size_t at = 0; at < class.len; at++) {
		char c = class.ptr[at];

		if ((c == '+' || c == '/' || c == '.') &&
		    is_address(fg_str_from_pos(class, at + 1))) {
			class = fg_str_before(class, at);
			break;
		}
	}
	digits = fg_str_end_span(class, fg_is_digit);
	rest = fg_str_before(class, class.len - digits);
	if (digits && fg_str_cut_end(&rest, FG_STR("$")) &&
	    fg_str_ends(rest, FG_STR("$$Lambda")))
		return rest;
	return class;
}

bool jfr_is_native(struct fg_str frame_type)
{
	return fg_str_eq(frame_type, FG_STR("C++")) ||
	       fg_str_eq(frame_type, FG_STR("Kernel"));
}

static void add_path(struct fg_buf *b, struct fg_str class, int32_t line)
{
	struct fg_buf path = FG_BUF_INIT;

	fg_add_java_path(&path, class, FG_STR(""));
	fg_line_add(b, fg_buf_str(&path), (uint64_t)line);
	fg_buf_release(&path);
}

void jfr_add_name(struct fg_buf *b, const struct jfr_method *m, enum jfr_lines lines)
{
	struct fg_str class = stable_part(m->class);
	bool has_class = class.len && !jfr_is_native(m->frame_type) &&
			 !fg_str_eq(m->descriptor, FG_STR("()L;"));
	size_t start = b->len;

	if (has_class) {
		fg_buf_add_str(b, class);
		for (size_t i = start; i < b->len; i++)
			if (b->ptr[i] == '/')
				b->ptr[i] = '.';
		fg_buf_add_char(b, '.');
	}
	fg_buf_add_str(b, m->name);
	if (b->len == start)
		fg_buf_add_str(b, FG_STR("[unknown]"));
	if (lines == JFR_NUMBERS && m->line > 0)
		fg_buf_addf(b, ":%" PRId32, m->line);
	if (lines == JFR_PATHS && m->line > 0 && has_class)
		add_path(b, class, m->line);
}
