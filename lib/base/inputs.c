/* Which inputs a program is given. */
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
