/* Finds the word `operator` and matching brackets in names of C++. */
#include "lib/base/cxx.h"

bool fg_cxx_is_operator(struct fg_str name, size_t at)
{
	struct fg_str here = fg_str_from_pos(name, at);
	struct fg_str rest = fg_str_from_pos(here, FG_CXX_OPERATOR_LEN);

	return fg_str_starts(here, FG_STR("operator")) &&
	       !(at && fg_is_word(name.ptr[at - 1])) &&
	       !(rest.len && fg_is_word(rest.ptr[0]));
}

size_t fg_cxx_closing(struct fg_str name, size_t at)
{
	char open = name.ptr[at], close = open == '(' ? ')' : ']';
	size_t depth = 0;

	for (; at < name.len; at++) {
		depth += name.ptr[at] == open;
		if (name.ptr[at] == close && !--depth)
			break;
	}
	return at;
}
