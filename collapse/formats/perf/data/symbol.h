/*
 * A symbol, whose name may still be in its file; and which of two that start at one
 * address it is called by, as choose_best_symbol() in tools/perf/util/symbol.c has it.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_SYMBOL_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_SYMBOL_H

#include "lib/base/str.h"

enum fg_pd_symbol_flags {
	FG_PD_SYMBOL_SIZED = 1, /* the table says how large it is */
	FG_PD_SYMBOL_UNTYPED = 2, /* a label rather than a function or an object */
	FG_PD_SYMBOL_WEAK = 4,
	FG_PD_SYMBOL_GLOBAL = 8,
	FG_PD_SYMBOL_PLT =
		16, /* of the procedure linkage table; "@plt" is no part of the name */
	FG_PD_SYMBOL_MODULE = 32, /* of a kernel module */
	FG_PD_SYMBOL_LINE = 64, /* the name ends at white space, not at a NUL */
	FG_PD_SYMBOL_UNREAD =
		128, /* the name is still in the file; of the table only */
	/* with PLT: its name is that of the symbol at `name_at`; of the table only */
	FG_PD_SYMBOL_IFUNC = 256,
};

struct fg_pd_symbol {
	uint64_t start, end;
	union {
		const char *name; /* ends in a NUL, or see FG_PD_SYMBOL_LINE */
		uint64_t name_at; /* where it is in the file: FG_PD_SYMBOL_UNREAD */
	};
	uint32_t name_id; /* for the user of the table; 0 at first */
	uint32_t flags;
};

/* Where names are read from; the second for FG_PD_SYMBOL_PLT; borrowed. */
struct fg_pd_symbol_files {
	struct fg_pd_elf *elf, *runtime;
};

/* Reads the name of a symbol, if that has not been done; accepts NULL. */
void fg_pd_symbol_read(const struct fg_pd_symbol_files *files,
		       struct fg_pd_symbol *symbol);

/* The name, which has been read, without "@plt". */
struct fg_str fg_pd_symbol_name(const struct fg_pd_symbol *symbol);

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
bool fg_pd_symbol_is_better(const struct fg_pd_symbol_files *files,
			    struct fg_pd_candidate *best, struct fg_pd_candidate *next);

#endif
