/* The header of a thread as gdb prints it: whether a line is one, and who it is. */
#include "collapse/formats/gdb/thread.h"

bool gdb_thread_is(struct fg_str line)
{
	struct fg_str rest = line;

	if (fg_str_starts(line, FG_STR("Stack trace of thread ")))
		return true;
	if (!fg_str_cut_start(&rest, FG_STR("Thread ")) || !rest.len ||
	    !fg_is_digit(rest.ptr[0]))
		return false;
	rest = fg_str_from_pos(rest, fg_str_span(rest, fg_is_digit));
	return fg_str_starts(rest, FG_STR(" (")) ||
	       fg_str_eq(fg_str_trim_right(rest), FG_STR(":"));
}

/* Where in its header the number of a thread starts that the system knows it by. */
static size_t find_id(struct fg_str line)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("LWP "),
		FG_STR_INIT("process "),
		FG_STR_INIT("thread "),
		FG_STR_INIT("(Thread "),
	};

	for (size_t i = 0; i < FG_COUNT_OF(starts); i++) {
		size_t at = fg_str_find(line, starts[i]);

		if (at < line.len)
			return at + (line.ptr[at] == '(');
	}
	return fg_str_has(line, FG_STR(" (")) ? line.len : 0;
}

struct fg_str gdb_thread_name(struct fg_str line)
{
	size_t quote = fg_str_find_char(line, '"'), end = fg_str_rfind_char(line, '"');
	struct fg_str name = fg_str_trim_right(fg_str_from_pos(line, find_id(line)));

	fg_str_cut_end(&name, FG_STR(":"));
	name = fg_str_before(name, fg_str_find_char(name, ')'));
	if (quote < end && end < line.len)
		name = fg_str_before(fg_str_from_pos(line, quote + 1), end - quote - 1);
	return name.len ? name : FG_STR("Thread");
}
