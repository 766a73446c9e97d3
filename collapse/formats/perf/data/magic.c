/* How a recording starts. */
#include "collapse/formats/perf/data/perfdata.h"

bool fg_perfdata_starts(struct fg_str first_bytes)
{
	/* as now, of a machine of the other byte order, of before 2012 and so again */
	static const struct fg_str magic[] = {
		FG_STR_INIT("PERFILE2"),
		FG_STR_INIT("2ELIFREP"),
		FG_STR_INIT("PERFFILE"),
		FG_STR_INIT("ELIFFREP"),
	};

	for (size_t i = 0; i < sizeof(magic) / sizeof(*magic); i++)
		if (fg_str_starts(first_bytes, magic[i]))
			return true;
	return false;
}
