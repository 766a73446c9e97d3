/* Names of inputs, on the command line and in messages. */
#include "lib/base/inputs.h"

#include <string.h>

const char *const *fg_inputs(const char *const *names, size_t *count)
{
	static const char *const standard_input[] = { "-" };

	if (*count)
		return names;
	*count = 1;
	return standard_input;
}

bool fg_is_standard_input(const char *name)
{
	return !strcmp(name, "-");
}

const char *fg_input_name(const char *name)
{
	return fg_is_standard_input(name) ? "(standard input)" : name;
}

static bool is_plain_in_shell(char c)
{
	return fg_is_word(c) || fg_str_has_char(FG_STR("./:=@%+,-"), c);
}

void fg_add_input_argument(struct fg_buf *b, const char *name)
{
	struct fg_str rest = fg_str_from(name);

	if (!rest.len || (rest.ptr[0] == '(' && fg_str_ends(rest, FG_STR(")"))))
		rest = FG_STR("-");
	if (fg_str_all(rest, is_plain_in_shell)) {
		fg_buf_add_str(b, rest);
		return;
	}
	fg_buf_add_char(b, '\'');
	for (size_t i = 0; i < rest.len; i++) {
		if (rest.ptr[i] == '\'')
			fg_buf_add_str(b, FG_STR("'\\'"));
		fg_buf_add_char(b, rest.ptr[i]);
	}
	fg_buf_add_char(b, '\'');
}
