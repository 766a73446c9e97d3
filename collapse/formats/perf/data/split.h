/*
 * The files that libdw opens by itself for units whose tree is elsewhere
 * (-gsplit-dwarf): it does not look what they are, and would wait for a pipe.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_SPLIT_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_SPLIT_H

#include "collapse/formats/perf/data/elf.h"
#include "lib/base/buf.h"

struct fg_pd_split {
	struct fg_buf folder; /* of the file with the units; empty: not known */
	bool harmful; /* the package of the file is */
};

/* `debug` has the units. */
void fg_pd_split_init(struct fg_pd_split *s, const struct fg_pd_elf *debug);

void fg_pd_split_release(struct fg_pd_split *s);

/*
 * Whether libdw may look for a unit's file, which it does beside the file with the
 * units and in the unit's folder, maybe there, and in the package.
 */
bool fg_pd_split_may_open(const struct fg_pd_split *s, const char *folder,
			  const char *name);

#endif
