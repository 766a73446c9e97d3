/*
 * Which of two symbols that start at one address it is called by, as
 * choose_best_symbol() in tools/perf/util/symbol.c has it.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_BETTER_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_BETTER_H

#include "collapse/formats/perf/data/symtab.h"

/* What names are compared by: leading underscores and length, once demangled. */
struct fg_pd_shape {
	size_t underscores, length;
};

/*
 * A symbol that is compared. Its name is read and demangled once, however many it is
 * compared with. All but `symbol` is 0 at first.
 */
struct fg_pd_candidate {
	struct fg_pd_symbol symbol;
	struct fg_pd_shape shape;
	bool has_shape;
};

/* Whether the later of two is preferred to the earlier. */
bool fg_pd_symbol_is_better(const struct fg_pd_symtab *t, struct fg_pd_candidate *best,
			    struct fg_pd_candidate *next);

/* Reads the name of a symbol of a table, if that has not been done; accepts NULL. */
struct fg_pd_symbol *fg_pd_symbol_with_name(const struct fg_pd_symtab *t,
					    struct fg_pd_symbol *s);

#endif
