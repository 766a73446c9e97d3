/* Tells which older tool a program stands in for, by the name it is called by. */
#include "lib/base/compat.h"

#include <stddef.h>
#include <string.h>

#include "lib/base/str.h"

const char *const fg_compat_names[] = {
	[FG_COMPAT_NONE] = "none",
	[FG_COMPAT_PERL] = "perl",
	[FG_COMPAT_INFERNO] = "inferno",
	NULL,
};

enum fg_compat fg_compat_called_as(const char *argv0)
{
	const char *slash = argv0 ? strrchr(argv0, '/') : NULL;
	struct fg_str name = fg_str_from(slash ? slash + 1 : argv0 ? argv0 : "");

	if (fg_str_starts(name, FG_STR("inferno-")))
		return FG_COMPAT_INFERNO;
	return fg_str_cut_end(&name, FG_STR(".pl")) ? FG_COMPAT_PERL : FG_COMPAT_NONE;
}
