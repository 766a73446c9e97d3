/* Without libiberty: names stay mangled. */
#include "collapse/formats/perf/data/libiberty.h"

#ifndef FG_HAVE_LIBIBERTY

enum fg_pd_demangled fg_pd_by_libiberty(const char *name, struct fg_buf *out)
{
	(void)name;
	(void)out;
	return FG_PD_NOT_MANGLED;
}

#endif
