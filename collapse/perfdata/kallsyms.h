/*
 * The kernel's symbols, as /proc/kallsyms lists them.
 */
#ifndef FG_COLLAPSE_PERFDATA_KALLSYMS_H
#define FG_COLLAPSE_PERFDATA_KALLSYMS_H

#include "collapse/perfdata/buildid.h"
#include "collapse/perfdata/symtab.h"

struct fg_pd_kallsyms {
	struct fg_pd_symtab symtab;
	struct fg_buf text; /* which owns the names */
	struct fg_str
		reference; /* a symbol's name, borrowed; empty: none was recorded */
	uint64_t reference_at; /* where that symbol was when the recording was made */
	uint64_t
		/* of the last symbol that is of no module; 0 where there is none */
		end;
	struct fg_str release; /* of the kernel, borrowed; empty: none was recorded */
	bool loaded;
};

void fg_pd_kallsyms_init(struct fg_pd_kallsyms *k);
void fg_pd_kallsyms_release(struct fg_pd_kallsyms *k);

/*
 * Reads those of the kernel with that build id: from perf's `cache`, or of the running
 * kernel if it is that one. Once; without any the table stays empty.
 */
void fg_pd_kallsyms_load(struct fg_pd_kallsyms *k, struct fg_str cache,
			 const struct fg_pd_build_id *id);

/*
 * Takes over a list as text, and makes the table of it; false where all addresses are
 * 0.
 */
bool fg_pd_kallsyms_parse(struct fg_pd_kallsyms *k, struct fg_buf *text);

#endif
